// SPDX-License-Identifier: Apache-2.0
/// Clocks, power and temperature of a GPU, as NVIDIA's management library (NVML) tells them. The library is opened at
/// run time, and its functions are declared here. What it does not know is missing, and is no error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::driver {

/// Why a GPU runs at lower clocks than it could.
enum class ClockLimit : unsigned {
    applications_setting, ///< clocks that somebody has set
    power_cap,
    hardware_slowdown, ///< of a kind that the GPU does not tell
    sync_boost,        ///< other GPUs of its group
    thermal,
    hardware_thermal,
    power_brake, ///< the machine's power supply asks for it
    display_setting,
};
inline constexpr std::size_t clock_limit_count = 8;
/// "power_cap"
std::string_view name_of(ClockLimit limit);
std::optional<ClockLimit> clock_limit_from(std::string_view name);

/// At one moment. What the library did not tell is missing.
struct ClockSample {
    std::optional<unsigned> sm_mhz, memory_mhz;
    std::optional<unsigned> temperature_c;
    std::optional<double> power_w;
    unsigned limits = 0; ///< bit n: ClockLimit(n). Idleness is none
    /// Nanoseconds, since the driver was loaded, for which power and heat have held clocks down.
    std::optional<std::uint64_t> power_ns, thermal_ns;
};

/// A GPU as NVML knows it.
class ClockMonitor {
public:
    /// Nothing where there is no NVML, or it does not know the GPU.
    /// @param pci_bus_id "0000:65:00.0"
    static std::optional<ClockMonitor> open(const std::string& pci_bus_id);

    [[nodiscard]] ClockSample sample() const;
    /// The highest that the GPU allows.
    [[nodiscard]] std::optional<unsigned> most_sm_mhz() const;
    [[nodiscard]] std::optional<unsigned> most_memory_mhz() const;
    /// It is split (multi-instance GPU), so others may share its clocks and its power.
    [[nodiscard]] bool is_split() const;

private:
    explicit ClockMonitor(void* device) : device_(device) {}
    void* device_;
};

} // namespace warplight::driver
