// SPDX-License-Identifier: Apache-2.0
// The one way from an address that a kernel gives to a pointer that a service follows. A kernel chooses each address,
// length and byte of its memory, and may change them while the service runs. So a service checks the whole range before
// it touches it, and reads each value once.
#pragma once

#include "service_call.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace warplight::software {

/// Whether all of these bytes have addresses of the device's. Always so where the walls are off (Configuration::walls).
/// There may be no memory: touching it then faults.
[[nodiscard]] bool in_reach_of_kernels(std::uint64_t address, std::uint64_t bytes);

/// Ends the launch as an access of the kernel's own code would.
[[noreturn]] void raise_illegal_address(std::uint64_t address, std::uint64_t bytes, const KernelCaller& caller);

/// Raises Fault::illegal_address for bytes that are out of the kernel's reach.
[[nodiscard]] std::byte* kernel_pointer(std::uint64_t address, std::uint64_t bytes, const KernelCaller& caller);

template <class T>
[[nodiscard]] T load_for_kernel(std::uint64_t address, const KernelCaller& caller) {
    T value;
    std::memcpy(static_cast<void*>(&value), kernel_pointer(address, sizeof value, caller), sizeof value);
    return value;
}

/// Copies bytes to where the kernel wants them.
void store_bytes_for_kernel(std::uint64_t address, const void* bytes, std::size_t size, const KernelCaller& caller);

template <class T>
void store_for_kernel(std::uint64_t address, const T& value, const KernelCaller& caller) {
    store_bytes_for_kernel(address, &value, sizeof value, caller);
}

/// Copies the text at an address up to its zero byte, and no more than `most` bytes of it.
void append_text_of_kernel(std::string& out, std::uint64_t address, std::size_t most, const KernelCaller& caller);

/// Rows and slices of a copy or a fill that a kernel asks for.
struct Box {
    std::uint64_t pitch = 0, slice = 0; ///< bytes from row to row, from slice to slice
    std::uint64_t width = 0, height = 1, depth = 1;
};
/// Bytes from the first to behind the last one; nothing for rows or slices that overlap, or that no address space
/// holds. No extent is 0.
[[nodiscard]] std::optional<std::uint64_t> span_of(const Box& box);

} // namespace warplight::software
