// SPDX-License-Identifier: Apache-2.0
#include "session/digest.hpp"

#include "files/input_file.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace warplight::session {
namespace {

std::string digits_of(const XXH128_hash_t& hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

} // namespace

std::string digest(std::span<const std::byte> bytes) { return digits_of(XXH3_128bits(bytes.data(), bytes.size())); }

std::string digest(const files::InputFile& file) {
    constexpr std::size_t piece_size = std::size_t{1} << 20;
    std::vector<std::byte> piece(piece_size);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    std::uint64_t offset = 0;
    while (const std::size_t count = file.read_some(offset, piece)) {
        XXH3_128bits_update(&state, piece.data(), count);
        offset += count;
    }
    return digits_of(XXH3_128bits_digest(&state));
}

} // namespace warplight::session
