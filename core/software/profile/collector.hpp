// SPDX-License-Identifier: Apache-2.0
// Keeps the profiles of the launches of the process until somebody takes them.
#pragma once

#include "profile/profile.hpp"

#include <cstdint>
#include <map>
#include <mutex>
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

private:
    std::mutex mutex_;
    /// By PTX line, function and opcode.
    std::map<std::tuple<int, std::string, std::string>, warplight::profile::Instruction> instructions_;
    std::uint64_t launches_ = 0, warps_ = 0, lost_blocks_ = 0;
};

} // namespace warplight::software::profile
