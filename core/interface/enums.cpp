// SPDX-License-Identifier: Apache-2.0
#include "warplight/enums.hpp"

#include "warplight/enums_graph.hpp"

#include <algorithm>
#include <cctype>

namespace warplight::driver {

namespace {

struct AttributeName {
    device_attribute attribute;
    std::string_view name;
    bool alias;
};
constexpr AttributeName kAttributes[] = {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning)                                    \
    {device_attribute::NAME, #NAME, false},
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number) {device_attribute::NAME, #NAME, true},
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
};

struct Enumerator {
    std::string_view enumeration;
    long long value;
    std::string_view name;
};
constexpr Enumerator kEnumerators[] = {
#define WARPLIGHT_ENUMERATOR(enumeration, NAME, constant)                                                              \
    {#enumeration, static_cast<long long>(enumeration::NAME), #NAME},
#define WARPLIGHT_GONE(enumeration, NAME) {#enumeration, static_cast<long long>(enumeration::NAME), #NAME},
#define WARPLIGHT_FLAG(flags, NAME, constant)
#define WARPLIGHT_RESULT(NAME, constant)
#include "interface/enumerators.def"
#undef WARPLIGHT_ENUMERATOR
#undef WARPLIGHT_GONE
#undef WARPLIGHT_FLAG
#undef WARPLIGHT_RESULT
};

template <class Value>
std::string name_of(std::string_view enumeration, Value value) {
    const auto number = static_cast<long long>(value);
    for (const Enumerator& entry : kEnumerators)
        if (entry.value == number && entry.enumeration == enumeration) return std::string(entry.name);
    return std::string(enumeration) + "_" + std::to_string(number);
}

} // namespace

#define WARPLIGHT_TO_STRING(enumeration)                                                                               \
    std::string to_string(enumeration value) { return name_of(#enumeration, value); }
WARPLIGHT_TO_STRING(func_cache)
WARPLIGHT_TO_STRING(shared_config)
WARPLIGHT_TO_STRING(shared_carveout)
WARPLIGHT_TO_STRING(compute_mode)
WARPLIGHT_TO_STRING(limit)
WARPLIGHT_TO_STRING(function_attribute)
WARPLIGHT_TO_STRING(device_p2p_attribute)
WARPLIGHT_TO_STRING(device_numa_config)
WARPLIGHT_TO_STRING(gpu_direct_rdma_writes_ordering)
WARPLIGHT_TO_STRING(exec_affinity_type)
WARPLIGHT_TO_STRING(module_loading_mode)
WARPLIGHT_TO_STRING(function_loading_state)
WARPLIGHT_TO_STRING(library_option)
WARPLIGHT_TO_STRING(coredump_settings)
WARPLIGHT_TO_STRING(log_level)
WARPLIGHT_TO_STRING(profiler_output_mode)
WARPLIGHT_TO_STRING(driver_proc_address_query_result)
WARPLIGHT_TO_STRING(direction_vector_set)
WARPLIGHT_TO_STRING(jit_option)
WARPLIGHT_TO_STRING(jit_target)
WARPLIGHT_TO_STRING(jit_fallback)
WARPLIGHT_TO_STRING(jit_cache_mode)
WARPLIGHT_TO_STRING(jit_input_type)
WARPLIGHT_TO_STRING(pointer_attribute)
WARPLIGHT_TO_STRING(mem_advise)
WARPLIGHT_TO_STRING(mem_range_attribute)
WARPLIGHT_TO_STRING(mempool_attribute)
WARPLIGHT_TO_STRING(mem_allocation_handle_type)
WARPLIGHT_TO_STRING(mem_allocation_type)
WARPLIGHT_TO_STRING(mem_allocation_comp_type)
WARPLIGHT_TO_STRING(mem_allocation_granularity)
WARPLIGHT_TO_STRING(multicast_granularity)
WARPLIGHT_TO_STRING(mem_location_type)
WARPLIGHT_TO_STRING(mem_access_flags)
WARPLIGHT_TO_STRING(mem_handle_type)
WARPLIGHT_TO_STRING(mem_operation_type)
WARPLIGHT_TO_STRING(mem_range_handle_type)
WARPLIGHT_TO_STRING(pointer_access_flags)
WARPLIGHT_TO_STRING(memcpy_flags)
WARPLIGHT_TO_STRING(memcpy_src_access_order)
WARPLIGHT_TO_STRING(memcpy_3d_operand_type)
WARPLIGHT_TO_STRING(external_memory_handle_type)
WARPLIGHT_TO_STRING(external_semaphore_handle_type)
#undef WARPLIGHT_TO_STRING

const std::vector<device_attribute>& all_device_attributes() {
    static const std::vector<device_attribute> attributes = [] {
        std::vector<device_attribute> list;
        for (const AttributeName& entry : kAttributes)
            if (!entry.alias) list.push_back(entry.attribute);
        return list;
    }();
    return attributes;
}

std::string to_string(device_attribute attribute) {
    for (const AttributeName& entry : kAttributes)
        if (entry.attribute == attribute && !entry.alias) return std::string(entry.name);
    return "ATTRIBUTE_" + std::to_string(static_cast<int>(attribute));
}

std::optional<device_attribute> device_attribute_from_name(std::string_view name) {
    std::string upper(name);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (const AttributeName& entry : kAttributes)
        if (entry.name == upper) return entry.attribute;
    return std::nullopt;
}

const std::vector<function_attribute>& all_function_attributes() {
    static const std::vector<function_attribute> attributes = [] {
        std::vector<function_attribute> list;
        list.reserve(static_cast<std::size_t>(function_attribute::MAX));
        for (int value = 0; value < static_cast<int>(function_attribute::MAX); ++value)
            list.push_back(static_cast<function_attribute>(value));
        return list;
    }();
    return attributes;
}

} // namespace warplight::driver
