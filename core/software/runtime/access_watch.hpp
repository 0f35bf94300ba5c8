// SPDX-License-Identifier: Apache-2.0
// Looks at each access of code that asks first (jit::AccessReports), and finds those that cannot be done.
#pragma once

#include "local_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warplight::software {

class BlockScheduler;

struct Access {
    std::uint64_t address = 0, bytes = 0;
    std::uint32_t site = 0;
    std::uint32_t thread = 0; ///< of the block
    bool writes = false;

    [[nodiscard]] bool covers(std::uint64_t place) const { return place - address < bytes; }
    [[nodiscard]] bool operator==(const Access&) const = default;
};

/// While it lives, this thread's wl_rt_access() asks it.
class AccessWatch {
public:
    /// @param block whose threads run
    /// @param is_it which access ends the block's run, by a Trap with its address and site. The others that cannot be
    ///     done go to memory of the watch's own, which reads as zeros.
    AccessWatch(const BlockScheduler& block, std::function<bool(const Access&)> is_it);
    ~AccessWatch();
    AccessWatch(const AccessWatch&) = delete;
    AccessWatch& operator=(const AccessWatch&) = delete;

    /// Null: this thread runs a launch.
    [[nodiscard]] static AccessWatch* current();

    /// Where the access is to be done.
    [[nodiscard]] void* ask(void* address, std::uint64_t bytes, std::uint32_t site, bool writes);
    /// The first access that could not be done.
    [[nodiscard]] const std::optional<Access>& first() const { return first_; }

private:
    [[nodiscard]] bool can_be_done(const Access& access);
    [[nodiscard]] bool is_usable(std::uint64_t page, bool writes);

    const BlockScheduler& block_;
    std::function<bool(const Access&)> is_it_;
    std::optional<Access> first_;
    LocalArena instead_;
    std::array<std::uint64_t, 1024> known_{}; ///< pages that can be read, and written where bit 0 is set
};

} // namespace warplight::software
