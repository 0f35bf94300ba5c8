// SPDX-License-Identifier: Apache-2.0
// What the runtime asks of the operating system: address ranges, and facts about the machine.
// Faults of device code are trap.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

namespace warplight::software::platform {

[[nodiscard]] std::size_t page_size();
/// An address range that nothing may touch, or null.
[[nodiscard]] void* reserve(std::size_t bytes);
/// Makes whole pages of a reserved range readable and writable; they read as zeros.
[[nodiscard]] bool commit(void* address, std::size_t bytes);
/// Gives the pages back: touching them faults again.
void decommit(void* address, std::size_t bytes);
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

[[nodiscard]] unsigned processors();
[[nodiscard]] std::uint64_t physical_memory();
[[nodiscard]] std::string processor_name();
/// The processor's clock in kHz, as far as the system tells.
[[nodiscard]] int processor_khz();
/// The user's cache folder, or empty.
[[nodiscard]] std::string cache_folder();
[[nodiscard]] std::uint64_t process_id();
/// A counter of processor cycles.
[[nodiscard]] std::uint64_t cycles();

/// Bytes of stack left to the calling thread below this call.
[[nodiscard]] std::size_t stack_left();
/// Runs `body(argument)` on a new detached thread whose stack has that many bytes; false when there is no thread.
[[nodiscard]] bool start_thread(void (*body)(void*), void* argument, std::size_t stack_bytes, const char* name);

} // namespace warplight::software::platform
