// SPDX-License-Identifier: Apache-2.0
// Fat binaries as nvcc makes them, of PTX alone.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace runtime_test {

/// A fat binary with one text of PTX, which is not compressed.
inline std::vector<std::uint64_t> fat_binary(const std::string& ptx) {
    struct Header {
        std::uint32_t magic = 0xba55ed50;
        std::uint16_t version = 1, header_size = 16;
        std::uint64_t size = 0;
    } header;
    struct Entry {
        std::uint16_t kind = 1, version = 0x101;
        std::uint32_t header_size = 80;
        std::uint64_t padded_size = 0;
        std::uint32_t compressed_size = 0, options_offset = 64;
        std::uint16_t minor = 0, major = 7; // of the PTX
        std::uint32_t architecture = 70;
        std::uint32_t name_offset = 0, name_size = 0;
        std::uint64_t flags = 0x11; // 64-bit, Linux
        std::uint64_t zero = 0, size = 0;
        std::uint64_t options[2] = {72, 0}; // no text; NVIDIA's driver reads it
    } entry;
    static_assert(sizeof header == 16 && sizeof entry == 80);
    entry.padded_size = (ptx.size() + 8) / 8 * 8; // ends with a zero
    header.size = sizeof entry + entry.padded_size;
    std::vector<std::uint64_t> image((sizeof header + header.size) / 8, 0);
    auto* bytes = reinterpret_cast<char*>(image.data());
    std::memcpy(bytes, &header, sizeof header);
    std::memcpy(bytes + sizeof header, &entry, sizeof entry);
    std::memcpy(bytes + sizeof header + sizeof entry, ptx.data(), ptx.size());
    return image;
}

/// The wrapper of fatbinary_section.h.
struct Wrapper {
    int magic = 0x466243b1, version = 1;
    const void* image = nullptr;
    void* linked = nullptr;
};

} // namespace runtime_test
