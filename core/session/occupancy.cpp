// SPDX-License-Identifier: Apache-2.0
#include "session/occupancy.hpp"

#include "driver/registers.hpp"
#include "warplight/compiler.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"

#include <algorithm>
#include <limits>

namespace warplight::session {

int registers_of(const std::vector<compiler::KernelResources>& report, const std::string& lowered) {
    for (const auto& each : report)
        if (each.lowered == lowered) return each.registers;
    return 0;
}

std::string count_registers(const driver::Driver& driver, const driver::Function& function, int by_ptxas) {
    if (driver.name() != "software") return "driver";
    return by_ptxas > 0 && driver::set_registers(driver, function.handle(), by_ptxas) ? "ptxas" : "estimate";
}

ReportOccupancy occupancy(const driver::Device& device, const driver::Function& function, int threads,
                          std::uint64_t shared) {
    using attribute = driver::device_attribute;
    const auto limit_of = [&](attribute which) { return device.find_attribute(which).value_or(0); };
    ReportOccupancy result;
    const int warp_size = std::max(1, limit_of(attribute::WARP_SIZE));
    const int warps = (threads + warp_size - 1) / warp_size;
    result.blocks_per_sm = function.max_active_blocks_per_multiprocessor(threads, shared);
    result.warps_per_sm = result.blocks_per_sm * warps;
    result.max_warps_per_sm = limit_of(attribute::MAX_THREADS_PER_MULTIPROCESSOR) / warp_size;
    if (result.max_warps_per_sm > 0)
        result.occupancy = static_cast<double>(result.warps_per_sm) / result.max_warps_per_sm;
    try {
        const auto best = function.max_potential_block_size(shared);
        result.suggested_block = best.block_size;
        result.suggested_grid = best.min_grid_size;
    } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): the values are optional
        // They stay unknown where the driver does not tell them.
    }

    // The driver tells how many blocks fit, but not why. The limiter is the resource that runs out first.
    constexpr int unlimited = std::numeric_limits<int>::max();
    const auto fits = [](std::uint64_t available, std::uint64_t needed) {
        return available == 0 || needed == 0 ? unlimited
                                             : static_cast<int>(std::min<std::uint64_t>(available / needed, unlimited));
    };
    const auto count = [](int value) { return static_cast<std::uint64_t>(std::max(0, value)); };
    // A warp gets its registers in units of 256.
    const auto registers_per_warp = (count(function.num_regs()) * count(warp_size) + 255) / 256 * 256;
    const auto reserved = count(limit_of(attribute::RESERVED_SHARED_MEMORY_PER_BLOCK));
    const auto shared_per_block = count(function.shared_size_bytes()) + shared;
    struct Limit {
        const char* name;
        int blocks;
    };
    const Limit limits[] = {
        {"block size", fits(count(result.max_warps_per_sm), count(warps))},
        {"blocks per multiprocessor", fits(count(limit_of(attribute::MAX_BLOCKS_PER_MULTIPROCESSOR)), 1)},
        {"registers",
         fits(count(limit_of(attribute::MAX_REGISTERS_PER_MULTIPROCESSOR)), registers_per_warp * count(warps))},
        {"shared memory", shared_per_block == 0 ? unlimited
                                                : fits(count(limit_of(attribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)),
                                                       shared_per_block + reserved)},
    };
    const auto tightest = std::min_element(std::begin(limits), std::end(limits),
                                           [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
    result.limiter =
        result.max_warps_per_sm > 0 && result.warps_per_sm >= result.max_warps_per_sm ? "nothing" : tightest->name;
    return result;
}

} // namespace warplight::session
