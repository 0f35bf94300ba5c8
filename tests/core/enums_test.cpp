// SPDX-License-Identifier: Apache-2.0
// Every enumerator has the value of its constant in the toolkit's header, as far as that header has it.
#include "warplight/enums.hpp"
#include "warplight/enums_graph.hpp"
#include "warplight/error.hpp"
#include "warplight/result_code.hpp"

#include <QtTest>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

// Headers of 11.8 to 13.x differ in what they have. So the header goes into a namespace, and a name that it lacks is
// found outside, as a value of this type.
struct Missing {};
#define WARPLIGHT_ENUMERATOR(enumeration, NAME, constant) [[maybe_unused]] constexpr Missing constant;
#define WARPLIGHT_FLAG(flags, NAME, constant) [[maybe_unused]] constexpr Missing constant;
#define WARPLIGHT_GONE(enumeration, NAME)
#define WARPLIGHT_RESULT(NAME, constant) [[maybe_unused]] constexpr Missing constant;
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning)                                    \
    [[maybe_unused]] constexpr Missing CU_DEVICE_ATTRIBUTE_##NAME;
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number) [[maybe_unused]] constexpr Missing CU_DEVICE_ATTRIBUTE_##NAME;
#include "interface/enumerators.def"
#include "warplight/device_attributes.def"
#undef WARPLIGHT_ENUMERATOR
#undef WARPLIGHT_FLAG
#undef WARPLIGHT_GONE
#undef WARPLIGHT_RESULT
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS

namespace header {
#include <cuda.h>
#if __has_include(<cudaProfiler.h>) // NVIDIA's wheels are without it
#include <cudaProfiler.h>
constexpr bool kHasProfiler = true;
#else
constexpr bool kHasProfiler = false;
#endif

struct Row {
    const char* enumeration;
    const char* name;
    const char* constant;
    long long value;
    bool known; ///< to the header
    long long expected;
};

template <class Ours, class Theirs>
Row row(const char* enumeration, const char* name, const char* constant, Ours ours, Theirs theirs) {
    if constexpr (std::is_same_v<Theirs, Missing>) {
        (void)theirs;
        return {enumeration, name, constant, static_cast<long long>(ours), false, 0};
    } else {
        return {enumeration, name, constant, static_cast<long long>(ours), true, static_cast<long long>(theirs)};
    }
}

namespace w = ::warplight::driver;
// The name as text must not be expanded when the constant is a macro.
const Row kRows[] = {
#define WARPLIGHT_ENUMERATOR(enumeration, NAME, constant)                                                              \
    row(#enumeration, #NAME, #constant, w::enumeration::NAME, constant),
#define WARPLIGHT_FLAG(flags, NAME, constant) row(#flags, #NAME, #constant, w::flags::NAME, constant),
#define WARPLIGHT_GONE(enumeration, NAME)
#define WARPLIGHT_RESULT(NAME, constant) row("result_code", #NAME, #constant, w::result_code::NAME, constant),
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning)                                    \
    row("device_attribute", #NAME, "", w::device_attribute::NAME, CU_DEVICE_ATTRIBUTE_##NAME),
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number)                                                                 \
    row("device_attribute", #NAME, "", w::device_attribute::NAME, CU_DEVICE_ATTRIBUTE_##NAME),
#include "interface/enumerators.def"
#include "warplight/device_attributes.def"
    row("", "TRSA_OVERRIDE_FORMAT", "", w::TRSA_OVERRIDE_FORMAT, CU_TRSA_OVERRIDE_FORMAT),
    row("", "TRSF_READ_AS_INTEGER", "", w::TRSF_READ_AS_INTEGER, CU_TRSF_READ_AS_INTEGER),
    row("", "TRSF_NORMALIZED_COORDINATES", "", w::TRSF_NORMALIZED_COORDINATES, CU_TRSF_NORMALIZED_COORDINATES),
    row("", "TRSF_SRGB", "", w::TRSF_SRGB, CU_TRSF_SRGB),
    row("", "TRSF_DISABLE_TRILINEAR_OPTIMIZATION", "", w::TRSF_DISABLE_TRILINEAR_OPTIMIZATION,
        CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION),
    row("", "TRSF_SEAMLESS_CUBEMAP", "", w::TRSF_SEAMLESS_CUBEMAP, CU_TRSF_SEAMLESS_CUBEMAP),
    row("", "TR_DEFAULT", "", w::TR_DEFAULT, CU_PARAM_TR_DEFAULT),
};
constexpr int kHeaderVersion = CUDA_VERSION;
constexpr int kFirstNewerAttribute = CU_DEVICE_ATTRIBUTE_MAX;
} // namespace header

using namespace warplight::driver;

class EnumsTest : public QObject {
    Q_OBJECT

private slots:
    // covers: enum ctx_flags.*, enum event_flags.*, enum device_attribute.*, enum pointer_attribute.*
    // covers: enum profiler_output_mode.*, enum function_attribute.*, enum func_cache.*, enum shared_config.*
    // covers: enum compute_mode.*, enum jit_option.*, enum jit_target.*, enum jit_fallback.*, enum jit_input_type.*
    // covers: enum host_alloc_flags.*, enum mem_host_register_flags.*, enum mem_attach_flags.*, enum limit.*
    // covers: enum ipc_mem_flags.*, enum graphics_register_flags.*, enum graphics_map_flags.*
    // covers: enum stream_flags.*, enum event_record_flags.*, enum event_wait_flags.*, enum mem_advise.*
    // covers: enum mem_range_attribute.*, enum mempool_attribute.*, enum mem_allocation_handle_type.*
    // covers: enum mem_location_type.*, enum mem_access_flags.*, enum occupancy_flags.*, enum device_p2p_attribute.*
    // covers: enum module_loading_mode.*, enum library_option.*, enum coredump_settings.*, enum log_level.*
    // covers: enum texture_object_flags.*, enum stream_capture_mode.*, enum launch_attribute_id.*
    // covers: enum cluster_scheduling_policy.*, enum graph_node_type.*, enum graph_instantiate_flags.*
    // covers: enum graph_exec_update_result.*, enum resource_type.*, enum resource_view_format.*
    // covers: TRSA_OVERRIDE_FORMAT, TRSF_READ_AS_INTEGER, TRSF_NORMALIZED_COORDINATES, TR_DEFAULT
    // needs no device
    void values_are_the_headers() {
        int compared = 0;
        for (const header::Row& row : header::kRows) {
            if (!row.known) {
                // Only names newer than the header, those of cuRAND, and those of a header that is not there.
                const bool is_of_profiler = std::strcmp(row.enumeration, "profiler_output_mode") == 0;
                const bool is_newer =
                    std::strcmp(row.enumeration, "device_attribute") == 0 && row.value >= header::kFirstNewerAttribute;
                QVERIFY2(header::kHeaderVersion < 13000 || is_newer || std::strncmp(row.constant, "CURAND_", 7) == 0 ||
                             (is_of_profiler && !header::kHasProfiler),
                         row.constant);
                continue;
            }
            // The number of members grows with each version.
            if (std::strstr(row.name, "MAX") == row.name && std::strlen(row.name) == 3) continue;
            if (std::strncmp(row.name, "NUM_", 4) == 0) continue;
            // In headers before 12.0 the mask is narrower, and two names mean what is called …_V1 today.
            static const std::set<std::string> changed = {"FLAGS_MASK", "CAN_USE_64_BIT_STREAM_MEM_OPS",
                                                          "CAN_USE_STREAM_WAIT_VALUE_NOR"};
            if (header::kHeaderVersion < 13000 && changed.contains(row.name)) continue;
            QVERIFY2(row.value == row.expected, row.name);
            ++compared;
        }
        QVERIFY2(compared > (header::kHeaderVersion >= 13000 ? 740 : 500), qPrintable(QString::number(compared)));
    }
    // covers: enum direction_vector_set.*
    // needs no device
    void values_without_a_header() {
        QCOMPARE(static_cast<int>(direction_vector_set::VECTOR_32), 101);
        QCOMPARE(static_cast<int>(direction_vector_set::SCRAMBLED_VECTOR_32), 102);
        QCOMPARE(static_cast<int>(direction_vector_set::VECTOR_64), 103);
        QCOMPARE(static_cast<int>(direction_vector_set::SCRAMBLED_VECTOR_64), 104);
        // Names of older drivers: values that no member of today has.
        QCOMPARE(static_cast<int>(compute_mode::EXCLUSIVE), 1);
        const std::set<int> gone = {static_cast<int>(jit_target::COMPUTE_10), static_cast<int>(jit_target::COMPUTE_11),
                                    static_cast<int>(jit_target::COMPUTE_12), static_cast<int>(jit_target::COMPUTE_13),
                                    static_cast<int>(jit_target::COMPUTE_20), static_cast<int>(jit_target::COMPUTE_21)};
        QCOMPARE(gone, (std::set<int>{10, 11, 12, 13, 20, 21}));
    }
    void result_codes_are_those_of_the_errors() {
        int count = 0;
        for (const header::Row& row : header::kRows) {
            if (std::strcmp(row.enumeration, "result_code") != 0) continue;
            QCOMPARE(QByteArray(error_name(static_cast<int>(row.value)).c_str()), QByteArray(row.constant));
            ++count;
        }
        QCOMPARE(count, 101);
    }
    void names() {
        QCOMPARE(to_string(func_cache::PREFER_L1), std::string("PREFER_L1"));
        QCOMPARE(to_string(compute_mode::EXCLUSIVE), std::string("EXCLUSIVE"));
        QCOMPARE(to_string(compute_mode::EXCLUSIVE_PROCESS), std::string("EXCLUSIVE_PROCESS"));
        QCOMPARE(to_string(static_cast<func_cache>(9)), std::string("func_cache_9"));
        QCOMPARE(to_string(jit_option::LOG_VERBOSE), std::string("LOG_VERBOSE"));
        QCOMPARE(to_string(jit_target::COMPUTE_13), std::string("COMPUTE_13"));
        QCOMPARE(to_string(pointer_attribute::RANGE_SIZE), std::string("RANGE_SIZE"));
        QCOMPARE(to_string(function_attribute::NUM_REGS), std::string("NUM_REGS"));
        QCOMPARE(all_function_attributes().size(), std::size_t{16});
        QCOMPARE(to_string(device_attribute::WARP_SIZE), std::string("WARP_SIZE"));
        // The first of two names of one value is the one shown.
        QCOMPARE(to_string(device_attribute::SHARED_MEMORY_PER_BLOCK), std::string("MAX_SHARED_MEMORY_PER_BLOCK"));
        std::set<std::string> shown;
        for (const device_attribute attribute : all_device_attributes()) {
            const std::string name = to_string(attribute);
            QVERIFY2(shown.insert(name).second, name.c_str());
            QCOMPARE(device_attribute_from_name(name), std::optional(attribute));
        }
        QCOMPARE(device_attribute_from_name("registers_per_block"),
                 std::optional(device_attribute::MAX_REGISTERS_PER_BLOCK));
        QCOMPARE(device_attribute_from_name("no such thing"), std::optional<device_attribute>());
    }
};

QTEST_APPLESS_MAIN(EnumsTest)
#include "enums_test.moc"
