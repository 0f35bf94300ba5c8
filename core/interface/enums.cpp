// SPDX-License-Identifier: Apache-2.0
#include "warplight/enums.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warplight::driver {

namespace {

struct AttributeName {
    device_attribute attribute;
    std::string_view name;
    bool alias;
};
constexpr AttributeName kAttributes[] = {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, value) {device_attribute::NAME, #NAME, false},
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, value) {device_attribute::NAME, #NAME, true},
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
};

constexpr std::pair<function_attribute, std::string_view> kFunctionAttributes[] = {
    {function_attribute::MAX_THREADS_PER_BLOCK, "MAX_THREADS_PER_BLOCK"},
    {function_attribute::SHARED_SIZE_BYTES, "SHARED_SIZE_BYTES"},
    {function_attribute::CONST_SIZE_BYTES, "CONST_SIZE_BYTES"},
    {function_attribute::LOCAL_SIZE_BYTES, "LOCAL_SIZE_BYTES"},
    {function_attribute::NUM_REGS, "NUM_REGS"},
    {function_attribute::PTX_VERSION, "PTX_VERSION"},
    {function_attribute::BINARY_VERSION, "BINARY_VERSION"},
    {function_attribute::CACHE_MODE_CA, "CACHE_MODE_CA"},
    {function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, "MAX_DYNAMIC_SHARED_SIZE_BYTES"},
    {function_attribute::PREFERRED_SHARED_MEMORY_CARVEOUT, "PREFERRED_SHARED_MEMORY_CARVEOUT"},
    {function_attribute::CLUSTER_SIZE_MUST_BE_SET, "CLUSTER_SIZE_MUST_BE_SET"},
    {function_attribute::REQUIRED_CLUSTER_WIDTH, "REQUIRED_CLUSTER_WIDTH"},
    {function_attribute::REQUIRED_CLUSTER_HEIGHT, "REQUIRED_CLUSTER_HEIGHT"},
    {function_attribute::REQUIRED_CLUSTER_DEPTH, "REQUIRED_CLUSTER_DEPTH"},
    {function_attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, "NON_PORTABLE_CLUSTER_SIZE_ALLOWED"},
    {function_attribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE, "CLUSTER_SCHEDULING_POLICY_PREFERENCE"},
};

} // namespace

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
        for (const auto& entry : kFunctionAttributes)
            list.push_back(entry.first);
        return list;
    }();
    return attributes;
}

std::string to_string(function_attribute attribute) {
    for (const auto& [value, name] : kFunctionAttributes)
        if (value == attribute) return std::string(name);
    return "ATTRIBUTE_" + std::to_string(static_cast<int>(attribute));
}

std::string to_string(compute_mode mode) {
    switch (mode) {
    case compute_mode::DEFAULT: return "DEFAULT";
    case compute_mode::EXCLUSIVE: return "EXCLUSIVE";
    case compute_mode::PROHIBITED: return "PROHIBITED";
    case compute_mode::EXCLUSIVE_PROCESS: return "EXCLUSIVE_PROCESS";
    }
    return "MODE_" + std::to_string(static_cast<int>(mode));
}

} // namespace warplight::driver
