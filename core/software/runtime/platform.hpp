// SPDX-License-Identifier: Apache-2.0
// The runtime's calls of the operating system: address ranges, and facts about the machine.
// Faults of device code are trap.hpp.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

namespace warplight::software::platform {

[[nodiscard]] std::size_t page_size();
/// An address range that nothing may touch, or null.
[[nodiscard]] void* reserve(std::size_t bytes);
/// The range that begins there, or null where part of it is in use.
[[nodiscard]] void* reserve_at(std::uint64_t address, std::size_t bytes);
/// Makes whole pages of a reserved range readable and writable; they read as zeros.
[[nodiscard]] bool commit(void* address, std::size_t bytes);
/// The same for a range of which little will be touched: a page costs memory when it is. It is touched in pages that
/// commit() was called for in the range of the same size at `like`.
[[nodiscard]] bool commit_when_touched(void* address, std::size_t bytes, std::uint64_t like);
/// Whether a fault at an address is over, because it was the first touch of such a page.
[[nodiscard]] bool commit_touched(std::uint64_t address);
/// Makes whole pages of such a range zeros. Where the system can, they cost no memory until they are touched again.
void clear_touched(void* pages, std::size_t bytes);
/// Gives the pages back: touching them faults again.
void decommit(void* address, std::size_t bytes);
/// Addresses that limits leave to the process.
[[nodiscard]] std::uint64_t address_room();
/// Gives a whole reserved range back.
void unreserve(void* address, std::size_t bytes);

/// Whether there is memory that can be mapped in several places.
[[nodiscard]] bool has_unaddressed_memory();
/// Memory without an address, which reads as zeros, or -1 where the system has none such.
[[nodiscard]] std::intptr_t create_memory(std::size_t bytes);
void close_memory(std::intptr_t memory);
/// Puts part of it into a reserved range, where nothing may touch it yet.
[[nodiscard]] bool map_memory(std::intptr_t memory, std::size_t offset, void* address, std::size_t bytes);
[[nodiscard]] bool protect_memory(void* address, std::size_t bytes, bool read, bool write);

/// Copies the bytes up to the first page that cannot be read, and tells how many.
[[nodiscard]] std::size_t read_memory(const void* from, void* to, std::size_t bytes);

[[nodiscard]] unsigned processors();
[[nodiscard]] std::uint64_t physical_memory();
[[nodiscard]] std::string processor_name();
/// The processor's clock in kHz, as far as the system tells.
[[nodiscard]] int processor_khz();
/// The last level of the processors' caches, all of them together, in bytes; 0 where the system does not tell.
[[nodiscard]] std::size_t last_cache_bytes();
/// A number of the processors that share a last cache with the one that the calling thread is on; 0: not known.
[[nodiscard]] std::uint32_t cache_group();
/// The user's cache folder, or empty.
[[nodiscard]] std::string cache_folder();
/// Size and time of the file that this code was loaded from.
[[nodiscard]] std::string build_identity();
[[nodiscard]] std::uint64_t process_id();
/// When a process that lives began, in a unit of the system's: with its id it names the process for good. 0 for one
/// that is gone.
[[nodiscard]] std::uint64_t process_start(std::uint64_t process);
/// A counter of processor cycles.
[[nodiscard]] std::uint64_t cycles();

/// Bytes of stack left to the calling thread below this call.
[[nodiscard]] std::size_t stack_left();
/// Runs `body(argument)` on a new detached thread whose stack has that many bytes; false when there is no thread.
[[nodiscard]] bool start_thread(void (*body)(void*), void* argument, std::size_t stack_bytes, const char* name);

/// The calling thread gives way to others.
void lower_priority();

/// Whether SharedMemory can lie in a reserved range.
[[nodiscard]] bool maps_shared_memory();

/// Memory that other processes of the user can open by name while this object lives. Mappings outlive it.
class SharedMemory {
public:
    struct Name {
        std::uint64_t process = 0;
        std::uint64_t number = 0; ///< in that process
        std::uint64_t size = 0;   ///< bytes, whole pages
        std::array<std::uint64_t, 2> nonce = {};
    };

    SharedMemory() = default; ///< no memory
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    /// Zeros; no memory when there is none to be had.
    [[nodiscard]] static SharedMemory create(std::size_t bytes);
    /// No memory when there is none of that name, now or any longer.
    [[nodiscard]] static SharedMemory open(const Name& name);
    explicit operator bool() const { return handle_ >= 0; }
    [[nodiscard]] const Name& name() const { return name_; }

    /// Maps all of it over pages of a reserved range, or where there is room. Null when that cannot be.
    [[nodiscard]] void* map(void* address = nullptr) const;
    /// Copies the committed pages there into it and maps it over them, so that their content stays.
    [[nodiscard]] bool replace(void* address) const;
    static void unmap(void* address, std::size_t bytes);

private:
    std::int64_t handle_ = -1;
    Name name_;
};

// --- memory of the host that gets a second address
/// Makes whole pages of the process's memory shared ones, which keep their content and their address. A thread that
/// writes to them meanwhile waits. False where that cannot be: the pages are no ordinary memory.
[[nodiscard]] bool make_shared(void* pages, std::size_t bytes);
/// And private ones again.
void make_private(void* pages, std::size_t bytes);
/// Maps pages of make_shared() over a reserved range as well.
[[nodiscard]] bool map_again(void* pages, std::size_t bytes, void* range);
/// Whether the pages at an address are being exchanged: a fault there is over when they have been.
[[nodiscard]] bool is_in_exchange(std::uint64_t address);

/// Waits while the value is that one; wakes up for wake_all, and now and then for nothing. The value may lie in memory
/// that processes share.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t seen, unsigned milliseconds);
void wake_all(const std::atomic<std::uint32_t>& value);

/// This code stays loaded until the process ends, for its threads may run until then.
void keep_loaded();

} // namespace warplight::software::platform
