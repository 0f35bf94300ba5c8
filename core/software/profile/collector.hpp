// SPDX-License-Identifier: Apache-2.0
// Keeps the profiles of the launches of the process, and the record of a warp, until somebody takes them.
#pragma once

#include "profile/profile.hpp"
#include "profile/warp_record.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

namespace warplight::software::profile {

class Collector {
public:
    /// Of the process.
    [[nodiscard]] static Collector& instance();

    void add(const warplight::profile::Profile& launch);
    /// All since the last time; the same instruction of several launches is one.
    [[nodiscard]] warplight::profile::Profile take();

    void put(warplight::profile::WarpRecord record);
    /// The last one; nothing where there is none since the last time.
    [[nodiscard]] std::optional<warplight::profile::WarpRecord> take_record();

private:
    std::mutex mutex_;
    /// By PTX line, function and opcode.
    std::map<std::tuple<int, std::string, std::string>, warplight::profile::Instruction> instructions_;
    std::uint64_t launches_ = 0, warps_ = 0, lost_blocks_ = 0;
    std::optional<warplight::profile::WarpRecord> record_;
};

} // namespace warplight::software::profile
