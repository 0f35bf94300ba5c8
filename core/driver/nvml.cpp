// SPDX-License-Identifier: Apache-2.0
#include "driver/nvml.hpp"

#include "driver/library.hpp"

#include <array>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace warplight::driver {
namespace {

#if defined(_WIN32)
constexpr const char* nvml_name = "nvml.dll"; // a bare name is looked for in the system folder
#else
constexpr const char* nvml_name = "libnvidia-ml.so.1";
#endif

// The numbers of NVML's interface.
constexpr int nvml_success = 0;
constexpr unsigned clock_sm = 1, clock_memory = 2;
constexpr unsigned sensor_of_gpu = 0;
constexpr unsigned policy_power = 0, policy_thermal = 1;

struct Violation {
    unsigned long long reference_us = 0;
    unsigned long long violation_ns = 0;
};

/// Null where the library lacks it.
struct Nvml {
    using Device = void*;
    int (*init)() = nullptr;
    int (*device_by_bus_id)(const char*, Device*) = nullptr;
    int (*clock)(Device, unsigned, unsigned*) = nullptr;
    int (*most_clock)(Device, unsigned, unsigned*) = nullptr;
    int (*temperature)(Device, unsigned, unsigned*) = nullptr;
    int (*power)(Device, unsigned*) = nullptr;
    int (*reasons)(Device, unsigned long long*) = nullptr;
    int (*violation)(Device, unsigned, Violation*) = nullptr;
    int (*mig_mode)(Device, unsigned*, unsigned*) = nullptr;
    bool ready = false;

    Nvml() {
        const char* chosen = std::getenv("WARPLIGHT_NVML_LIBRARY");
        std::string why;
        void* library = detail::open_library(chosen && *chosen ? chosen : nvml_name, why);
        if (!library) return;
        // The newest name first.
        const auto find = [&](auto& function, std::initializer_list<const char*> names) {
            for (const char* name : names)
                if (!function)
                    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                        detail::find_symbol(library, name));
        };
        find(init, {"nvmlInit_v2", "nvmlInit"});
        find(device_by_bus_id, {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"});
        find(clock, {"nvmlDeviceGetClockInfo"});
        find(most_clock, {"nvmlDeviceGetMaxClockInfo"});
        find(temperature, {"nvmlDeviceGetTemperature"});
        find(power, {"nvmlDeviceGetPowerUsage"});
        find(reasons, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
        find(violation, {"nvmlDeviceGetViolationStatus"});
        find(mig_mode, {"nvmlDeviceGetMigMode"});
        ready = init && device_by_bus_id && init() == nvml_success;
    }
};

/// Opened once. It stays open until the process ends, as the drivers do.
const Nvml& nvml() {
    static const Nvml* const instance = new Nvml;
    return *instance;
}

template <class Value, class Function, class... Arguments>
std::optional<Value> ask(Function function, Arguments... arguments) {
    Value value{};
    if (!function || function(arguments..., &value) != nvml_success) return {};
    return value;
}

/// A clock that no GPU has is no answer.
std::optional<unsigned> believable(std::optional<unsigned> value, unsigned most) {
    if (value && (*value == 0 || *value > most)) return {};
    return value;
}
constexpr unsigned most_mhz = 100'000;
constexpr unsigned most_celsius = 1000;
constexpr unsigned most_milliwatts = 100'000'000;

constexpr std::array<std::pair<std::string_view, unsigned long long>, clock_limit_count> limits = {{
    {"applications_setting", 0x2},
    {"power_cap", 0x4},
    {"hardware_slowdown", 0x8},
    {"sync_boost", 0x10},
    {"thermal", 0x20},
    {"hardware_thermal", 0x40},
    {"power_brake", 0x80},
    {"display_setting", 0x100},
}};

} // namespace

std::string_view name_of(ClockLimit limit) { return limits[static_cast<unsigned>(limit)].first; }

std::optional<ClockLimit> clock_limit_from(std::string_view name) {
    for (unsigned i = 0; i < clock_limit_count; ++i)
        if (limits[i].first == name) return ClockLimit(i);
    return {};
}

std::optional<ClockMonitor> ClockMonitor::open(const std::string& pci_bus_id) {
    if (!nvml().ready) return {};
    const auto device = ask<void*>(nvml().device_by_bus_id, pci_bus_id.c_str());
    if (!device || !*device) return {};
    return ClockMonitor(*device);
}

ClockSample ClockMonitor::sample() const {
    const Nvml& library = nvml();
    ClockSample sample;
    sample.sm_mhz = believable(ask<unsigned>(library.clock, device_, clock_sm), most_mhz);
    sample.memory_mhz = believable(ask<unsigned>(library.clock, device_, clock_memory), most_mhz);
    sample.temperature_c = believable(ask<unsigned>(library.temperature, device_, sensor_of_gpu), most_celsius);
    if (const auto milliwatts = believable(ask<unsigned>(library.power, device_), most_milliwatts))
        sample.power_w = *milliwatts / 1000.0;
    const auto reasons = ask<unsigned long long>(library.reasons, device_).value_or(0);
    for (unsigned i = 0; i < clock_limit_count; ++i)
        if (reasons & limits[i].second) sample.limits |= 1U << i;
    if (const auto held = ask<Violation>(library.violation, device_, policy_power))
        sample.power_ns = held->violation_ns;
    if (const auto held = ask<Violation>(library.violation, device_, policy_thermal))
        sample.thermal_ns = held->violation_ns;
    return sample;
}

std::optional<unsigned> ClockMonitor::most_sm_mhz() const {
    return believable(ask<unsigned>(nvml().most_clock, device_, clock_sm), most_mhz);
}
std::optional<unsigned> ClockMonitor::most_memory_mhz() const {
    return believable(ask<unsigned>(nvml().most_clock, device_, clock_memory), most_mhz);
}

bool ClockMonitor::is_split() const {
    unsigned now = 0, pending = 0;
    return nvml().mig_mode && nvml().mig_mode(device_, &now, &pending) == nvml_success && now == 1;
}

} // namespace warplight::driver
