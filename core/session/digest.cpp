// SPDX-License-Identifier: Apache-2.0
#include "session/digest.hpp"

#include "compiler/sha256.hpp"
#include "files/input_file.hpp"
#include "session/dtype_dispatch.hpp"
#include "warplight/ndarray.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace warplight::session {
namespace {

constexpr std::size_t elements_at_once = std::size_t(1) << 16;

} // namespace
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

std::string result_digest(const NdArray& result) {
    compiler::Sha256 sum;
    std::string type = result.dtype().name();
    for (const auto length : result.shape())
        if (length != 1) type += fmt::format(" {}", length);
    sum.field(type);
    const NdArray array = result.is_c_contiguous() ? result : result.copy();
    const bool known = visit_dtype(array.dtype(), [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        std::vector<T> part;
        const auto values = array.as<T>();
        for (std::size_t start = 0; start < values.size(); start += elements_at_once) {
            const auto some = values.subspan(start, std::min(elements_at_once, values.size() - start));
            part.assign(some.begin(), some.end());
            if constexpr (!std::is_integral_v<T>) {
                for (T& each : part) {
                    const double value = to_double(each);
                    if (std::isnan(value)) each = T(std::numeric_limits<float>::quiet_NaN());
                    if (value == 0) each = T(0.0f);
                }
            }
            sum.update({reinterpret_cast<const char*>(part.data()), part.size() * sizeof(T)});
        }
    });
    return known ? sum.hex() : std::string();
}

} // namespace warplight::session
