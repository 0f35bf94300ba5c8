// SPDX-License-Identifier: Apache-2.0
#include "collector.hpp"

#include <utility>

namespace warplight::software::profile {

Collector& Collector::instance() {
    static auto* const all = new Collector; // never destroyed: threads may run until the process ends
    return *all;
}

void Collector::add(const warplight::profile::Profile& launch) {
    const std::scoped_lock lock(mutex_);
    for (const warplight::profile::Instruction& each : launch.instructions) {
        const auto [known, is_new] = instructions_.try_emplace({each.ptx_line, each.kernel, each.opcode}, each);
        if (!is_new) known->second.figures.add(each.figures);
    }
    launches_ += launch.launches;
    warps_ += launch.warps;
    lost_blocks_ += launch.lost_blocks;
}

warplight::profile::Profile Collector::take() {
    const std::scoped_lock lock(mutex_);
    warplight::profile::Profile all;
    for (auto& [key, instruction] : instructions_)
        all.instructions.push_back(std::move(instruction));
    all.launches = launches_;
    all.warps = warps_;
    all.lost_blocks = lost_blocks_;
    instructions_.clear();
    launches_ = warps_ = lost_blocks_ = 0;
    return all;
}

void Collector::put(warplight::profile::WarpRecord record) {
    const std::scoped_lock lock(mutex_);
    record_ = std::move(record);
}

std::optional<warplight::profile::WarpRecord> Collector::take_record() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(record_, std::nullopt);
}

} // namespace warplight::software::profile
