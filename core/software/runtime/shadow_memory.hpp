// SPDX-License-Identifier: Apache-2.0
// Which bytes of the device's memory nothing wrote, for the check `init`: each has a byte of shadow that is not 0. And
// which of them a kernel stored such a value to: that is told when the host reads it.
#pragma once

#include "software/checks/collector.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace warplight::software {

/// A store of values that nothing wrote, by the threads of a launch.
struct UnwrittenStore {
    checks::Spot spot;
    /// All but where the first thread was.
    findings::Finding finding;
    std::uint32_t grid[3], block[3];
};

class ShadowMemory {
public:
    [[nodiscard]] static ShadowMemory& instance();

    /// On from the start where the environment asks for it. All memory that is there counts as written. Throws
    /// DriverError when there are no addresses for shadows.
    void turn_on();
    void turn_off() { on_ = false; }
    [[nodiscard]] bool is_on() const { return on_.load(std::memory_order_relaxed); }

    // --- nothing happens while it is off, or at addresses that are not the device's
    void set_unwritten(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, 0xff); }
    void set_written(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, 0); }
    /// What is copied: the host's memory counts as written. Copies to it are told of.
    void copied(const void* to, const void* from, std::size_t bytes);

    /// A thread has stored a value that nothing wrote. It is kept until the host reads it, or something else is there.
    void keep(const std::shared_ptr<const UnwrittenStore>& store, std::uint64_t address, std::uint32_t bytes,
              const checks::Moment& moment);

private:
    ShadowMemory();

    struct Kept {
        std::shared_ptr<const UnwrittenStore> store;
        std::uint32_t bytes;
        checks::Moment moment;
    };
    static constexpr std::size_t kMostKept = std::size_t{1} << 18;

    void set(std::uint64_t address, std::uint64_t bytes, int value);
    void tell(std::uint64_t address, std::uint64_t bytes);

    std::atomic<bool> on_ = false;
    std::mutex mutex_;
    std::map<std::uint64_t, Kept> kept_; ///< by address
};

} // namespace warplight::software
