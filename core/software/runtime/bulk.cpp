// SPDX-License-Identifier: Apache-2.0
#include "bulk.hpp"

#include "configuration.hpp"
#include "failure.hpp"
#include "shadow_memory.hpp"
#include "touch.hpp"
#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace warplight::software {
namespace {

constexpr std::size_t kPiece = std::size_t{2} << 20; ///< bytes; a piece's pages are touched by one worker

[[noreturn]] void gone() { fail(CUDA_ERROR_ILLEGAL_ADDRESS, "device memory was freed before a copy or fill of it"); }

/// body(i) for i < pieces, guarded.
template <class Body>
void on_workers(std::size_t pieces, Body body) {
    std::atomic<bool> whole = true;
    run_on_workers(static_cast<unsigned>(pieces), [&](unsigned i) {
        if (!touch([&] { body(i); })) whole = false;
    });
    if (!whole) gone();
}

/// body(first byte, bytes) for all pieces.
template <class Body>
void in_pieces(std::size_t bytes, Body body) {
    const std::size_t pieces = std::min<std::size_t>(configuration().workers, bytes / kPiece);
    if (pieces < 2) {
        if (!touch([&] { body(std::size_t{0}, bytes); })) gone();
        return;
    }
    const std::size_t each = (bytes / pieces + 63) / 64 * 64;
    on_workers(pieces, [&](std::size_t i) {
        const std::size_t first = std::min(i * each, bytes);
        const std::size_t last = i + 1 == pieces ? bytes : std::min(first + each, bytes);
        body(first, last - first);
    });
}

template <class T>
void fill(void* to, T value, std::size_t count) {
    in_pieces(count * sizeof(T), [&](std::size_t first, std::size_t bytes) {
        // Pieces begin at multiples of 64 bytes, so of elements too.
        std::fill_n(reinterpret_cast<T*>(static_cast<std::byte*>(to) + first), bytes / sizeof(T), value);
    });
}

} // namespace

void copy_memory(void* to, const void* from, std::size_t bytes) {
    ShadowMemory::instance().copied(to, from, bytes);
    auto* destination = static_cast<std::byte*>(to);
    const auto* source = static_cast<const std::byte*>(from);
    if (destination < source + bytes && source < destination + bytes) {
        if (!touch([&] { std::memmove(to, from, bytes); })) gone();
        return;
    }
    in_pieces(bytes,
              [&](std::size_t first, std::size_t size) { std::memcpy(destination + first, source + first, size); });
}

void copy_box(const BoxCopy& asked) {
    BoxCopy box = asked;
    if (box.width == 0 || box.height == 0 || box.depth == 0) return;
    // Rows, and then slices, that follow one another are one.
    if (box.height > 1 && box.to_pitch == box.width && box.from_pitch == box.width) {
        box.width *= box.height;
        box.height = 1;
    }
    if (box.height == 1 && box.depth > 1) {
        box.height = box.depth;
        box.depth = 1;
        box.to_pitch = box.to_slice;
        box.from_pitch = box.from_slice;
        if (box.to_pitch == box.width && box.from_pitch == box.width) {
            box.width *= box.height;
            box.height = 1;
        }
    }
    if (box.height == 1 && box.depth == 1) {
        copy_memory(box.to, box.from, box.width);
        return;
    }
    const std::size_t rows = box.height * box.depth;
    const auto copy = [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            const std::size_t z = row / box.height, y = row % box.height;
            std::memmove(box.to + z * box.to_slice + y * box.to_pitch,
                         box.from + z * box.from_slice + y * box.from_pitch, box.width);
        }
    };
    if (ShadowMemory& shadows = ShadowMemory::instance(); shadows.is_on())
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t z = row / box.height, y = row % box.height;
            shadows.copied(box.to + z * box.to_slice + y * box.to_pitch,
                           box.from + z * box.from_slice + y * box.from_pitch, box.width);
        }
    const std::size_t pieces = std::min<std::size_t>({configuration().workers, rows, rows * box.width / kPiece});
    if (pieces < 2) {
        if (!touch([&] { copy(0, rows); })) gone();
        return;
    }
    on_workers(pieces, [&](std::size_t i) { copy(rows * i / pieces, rows * (i + 1) / pieces); });
}

void fill_memory(void* to, std::uint32_t value, unsigned width, std::size_t count) {
    ShadowMemory::instance().set_written(reinterpret_cast<std::uint64_t>(to), std::uint64_t{width} * count);
    switch (width) {
    case 1: fill(to, static_cast<std::uint8_t>(value), count); break;
    case 2: fill(to, static_cast<std::uint16_t>(value), count); break;
    default: fill(to, value, count); break;
    }
}

} // namespace warplight::software
