// SPDX-License-Identifier: Apache-2.0
// Memory that kernels can index and that is no allocation of the program's: the local variables of threads and the
// parameters of launches. It lies in the device's window, so that a kernel that runs past its end meets nothing of the
// host's. What the runtime notes about it lies elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warplight::software {

/// The part of the window that local memory lies in.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> local_range(); ///< begin and bytes; 0 and 0 where there is none

/// Local memory of the functions that a host thread runs, one inside of the other. It grows towards lower addresses, so
/// that running past the outermost function's memory faults.
class LocalStack {
public:
    /// Of the calling thread.
    [[nodiscard]] static LocalStack& current();
    LocalStack() = default; // for current()
    ~LocalStack();
    LocalStack(const LocalStack&) = delete;
    LocalStack& operator=(const LocalStack&) = delete;
    /// At least `bytes`, a multiple of kLocalAlignment; null: there is no more.
    [[nodiscard]] std::byte* enter(std::uint64_t bytes);
    void leave(std::uint64_t bytes) { used_ -= bytes; }

    /// Gives back at its end what functions took inside of it, also those that a fault has left.
    class Scope {
    public:
        Scope() : stack_(current()), used_(stack_.used_) {}
        ~Scope() { stack_.used_ = used_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        LocalStack& stack_;
        std::uint64_t used_;
    };

private:
    std::byte* end_ = nullptr;
    std::uint64_t used_ = 0, committed_ = 0; ///< bytes before the end
};

/// Local memory of a block's coroutines, given back as a whole when the block ends.
class LocalArena {
public:
    LocalArena() = default;
    ~LocalArena();
    LocalArena(const LocalArena&) = delete;
    LocalArena& operator=(const LocalArena&) = delete;
    /// Aligned to kLocalAlignment; null past the most that a block may have.
    [[nodiscard]] std::byte* allocate(std::uint64_t bytes);
    void release(std::byte* memory, std::uint64_t bytes);
    void reset();
    [[nodiscard]] std::uint64_t bytes() const { return total_; } ///< that it holds

private:
    struct Chunk {
        std::byte* memory;
        std::uint64_t bytes;
    };
    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0;   ///< being filled
    std::uint64_t used_ = 0;  ///< of it
    std::uint64_t total_ = 0; ///< of all
    std::vector<Chunk> free_; ///< released since reset()
};

/// The parameters of a launch, or another few bytes that its kernel gets the address of.
class LaunchMemory {
public:
    static constexpr std::uint64_t kMost = std::uint64_t{64} << 10;

    LaunchMemory() = default; ///< none
    /// A copy of at most kMost bytes. Throws DriverError without memory.
    LaunchMemory(const std::byte* bytes, std::uint64_t size);
    ~LaunchMemory();
    LaunchMemory(const LaunchMemory&) = delete;
    LaunchMemory& operator=(const LaunchMemory&) = delete;
    [[nodiscard]] std::byte* data() const { return memory_; }

private:
    std::byte* memory_ = nullptr;
    bool large_ = false;
};

} // namespace warplight::software
