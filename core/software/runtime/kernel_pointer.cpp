// SPDX-License-Identifier: Apache-2.0
#include "kernel_pointer.hpp"

#include "address_space.hpp"
#include "platform.hpp"
#include "shadow_memory.hpp"
#include "trap.hpp"

#include <algorithm>

namespace warplight::software {

bool in_reach_of_kernels(std::uint64_t address, std::uint64_t bytes) {
    const AddressSpace& space = AddressSpace::instance();
    if (bytes == 0 || space.walls() == jit::Walls::none) return true;
    const std::uint64_t last = address + bytes - 1;
    return last >= address && space.covers(address) && space.covers(last);
}

void raise_illegal_address(std::uint64_t address, std::uint64_t bytes, const KernelCaller& caller) {
    Trap trap;
    trap.fault = Fault::illegal_address;
    trap.has_address = true;
    trap.address = address;
    trap.bytes = bytes;
    trap.linear = caller.linear;
    trap.site = caller.site;
    if (caller.pc) trap.pc = static_cast<const std::byte*>(caller.pc) - 1;
    raise_trap(trap);
}

std::byte* kernel_pointer(std::uint64_t address, std::uint64_t bytes, const KernelCaller& caller) {
    if (!in_reach_of_kernels(address, bytes)) raise_illegal_address(address, bytes, caller);
    return reinterpret_cast<std::byte*>(address);
}

void store_bytes_for_kernel(std::uint64_t address, const void* bytes, std::size_t size, const KernelCaller& caller) {
    std::memcpy(kernel_pointer(address, size, caller), bytes, size);
    ShadowMemory::instance().set_written(address, size);
}

void append_text_of_kernel(std::string& out, std::uint64_t address, std::size_t most, const KernelCaller& caller) {
    // Page by page: the text may end at the last page of the device's addresses, or at the last one with memory.
    const std::uint64_t page = platform::page_size();
    while (most > 0) {
        const std::size_t piece = std::min<std::uint64_t>(most, page - address % page);
        const auto* text = reinterpret_cast<const char*>(kernel_pointer(address, piece, caller));
        const auto* end = static_cast<const char*>(std::memchr(text, 0, piece));
        const std::size_t length = end ? static_cast<std::size_t>(end - text) : piece;
        out.append(text, length);
        if (end) return;
        address += piece;
        most -= piece;
    }
}

std::optional<std::uint64_t> span_of(const Box& box) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62; // sums of two do not overflow
    if (box.width > most) return std::nullopt;
    std::uint64_t bytes = box.width;
    const auto repeat = [&](std::uint64_t distance, std::uint64_t count) {
        if (count < 2) return true;
        if (distance < bytes || distance > (most - bytes) / (count - 1)) return false;
        bytes += distance * (count - 1);
        return true;
    };
    if (!repeat(box.pitch, box.height) || !repeat(box.slice, box.depth)) return std::nullopt;
    return bytes;
}

} // namespace warplight::software
