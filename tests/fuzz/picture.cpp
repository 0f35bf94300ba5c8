// SPDX-License-Identifier: Apache-2.0
// Any bytes as a PNG, JPEG, BMP or PNM file: an array of its pixels, or a SessionError that has a message.
#include "session/image.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A few bytes may announce a large picture, whose memory would be most of the time here.
    constexpr std::size_t kMostPixels = std::size_t{1} << 16;
    const std::span content(reinterpret_cast<const std::byte*>(data), size);
    try {
        const warplight::Shape shape = warplight::session::image_shape(content, "input");
        if (shape.size() != 3) std::abort();
        if (shape[0] * shape[1] > kMostPixels) return 0;
        const warplight::NdArray array = warplight::session::parse_image(content, "input");
        if (array.shape().size() != 3 || array.size() == 0) std::abort();
    } catch (const warplight::session::SessionError& error) {
        if (error.what()[0] == '\0') std::abort();
    }
    return 0;
}
