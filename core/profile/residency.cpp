// SPDX-License-Identifier: Apache-2.0
#include "profile/residency.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace warplight::profile {
namespace {

constexpr int kWarpThreads = 32;
constexpr int kMostRegisters = 255; ///< of a thread, by the encoding of instructions
constexpr int kRegisterStep = 8;    ///< registers of a thread are given in these steps

int round_up(int value, int to) { return (value + to - 1) / to * to; }
int round_down(int value, int to) { return value / to * to; }

int warps_of(int threads) { return (threads + kWarpThreads - 1) / kWarpThreads; }

int blocks_by_registers(const DeviceLimits& l, int warps, int registers) {
    const int per_warp = round_up(std::max(registers, 1) * kWarpThreads, l.register_unit);
    const int resident = round_down(l.registers_per_block / per_warp, l.warp_unit);
    return resident / warps * (l.registers_per_multiprocessor / l.registers_per_block);
}

} // namespace

DeviceLimits limits_of(unsigned capability) {
    DeviceLimits l;
    const auto shared = [&](int multiprocessor_kib, int block_kib) {
        l.shared_per_multiprocessor = multiprocessor_kib * 1024;
        l.shared_per_block_opt_in = block_kib * 1024;
    };
    switch (capability) {
    case 70:
    case 72: shared(96, 96); break;
    case 75:
        shared(64, 64);
        l.threads_per_multiprocessor = 1024;
        l.blocks_per_multiprocessor = 16;
        break;
    case 80:
    case 87: shared(164, 163); break;
    case 86:
        shared(100, 99);
        l.threads_per_multiprocessor = 1536;
        l.blocks_per_multiprocessor = 16;
        break;
    case 89:
        shared(100, 99);
        l.threads_per_multiprocessor = 1536;
        l.blocks_per_multiprocessor = 24;
        break;
    case 90:
    case 100:
    case 103: shared(228, 227); break;
    case 120:
    case 121:
        shared(100, 99);
        l.threads_per_multiprocessor = 1536;
        l.blocks_per_multiprocessor = 24;
        break;
    default: shared(capability < 70 ? 96 : 164, capability < 70 ? 48 : 163); break;
    }
    if (capability >= 80) {
        l.shared_reserved = 1024;
    } else {
        l.shared_unit = 256;
    }
    return l;
}

Residency residency(const DeviceLimits& limits, int threads, int registers, std::uint64_t shared) {
    Residency result;
    result.max_warps = limits.threads_per_multiprocessor / kWarpThreads;
    if (threads <= 0) return result;
    const int warps = warps_of(threads);
    constexpr int unlimited = std::numeric_limits<int>::max();
    int by_shared = unlimited;
    if (shared > static_cast<std::uint64_t>(limits.shared_per_block_opt_in)) {
        by_shared = 0;
    } else if (const int rounded = round_up(static_cast<int>(shared) + limits.shared_reserved, limits.shared_unit);
               rounded > 0) {
        by_shared = limits.shared_per_multiprocessor / rounded;
    }
    struct Limit {
        const char* name;
        int blocks;
    };
    const std::array<Limit, 4> all{{{"block size", threads > limits.threads_per_block ? 0 : result.max_warps / warps},
                                    {"blocks per multiprocessor", limits.blocks_per_multiprocessor},
                                    {"registers", blocks_by_registers(limits, warps, registers)},
                                    {"shared memory", by_shared}}};
    const auto tightest =
        std::min_element(all.begin(), all.end(), [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
    result.blocks = std::max(tightest->blocks, 0);
    result.warps = result.blocks * warps;
    result.limiter = result.warps >= result.max_warps ? "nothing" : tightest->name;
    return result;
}

int registers_for(const DeviceLimits& limits, int threads, int blocks) {
    if (threads <= 0 || blocks <= 0) return 0;
    for (int registers = kMostRegisters; registers > 0;
         registers -= registers % kRegisterStep == 0 ? kRegisterStep : registers % kRegisterStep)
        if (blocks_by_registers(limits, warps_of(threads), registers) >= blocks) return registers;
    return 0;
}

} // namespace warplight::profile
