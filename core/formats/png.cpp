// SPDX-License-Identifier: Apache-2.0
#include "formats/png.hpp"

#include "files/new_file.hpp"

#include <cstddef>
#include <cstdlib>
#include <fmt/format.h>
#include <new>
#include <span>
#include <string>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace warplight::formats {
namespace {

/// The library counts its bytes, and those of the packed picture, in an int.
constexpr std::size_t kMostPngBytes = std::size_t{1} << 30;
constexpr std::size_t kMostChannels = 4;

} // namespace

std::string png_of(std::span<const std::byte> pixels, int width, int height, int channels) {
    std::string bytes;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &bytes, width, height, channels, pixels.data(), width * channels) == 0)
        throw std::bad_alloc();
    return bytes;
}

std::string why_no_png(const DType& dtype, const Shape& shape) {
    const bool image = shape.size() == 2 || (shape.size() == 3 && shape[2] >= 1 && shape[2] <= kMostChannels);
    if (dtype != DType::uint8() || !image)
        return fmt::format("A .png file takes uint8 of shape [height, width] or [height, width, 1 to 4], not {} of "
                           "shape {}. Let the kernel write such an image, or choose .npy.",
                           dtype.name(), to_string(shape));
    const std::size_t bytes = count_elements(shape) + shape[0];
    if (shape[0] == 0 || shape[1] == 0) return "A .png file needs a pixel. Choose .npy for an empty array.";
    if (bytes > kMostPngBytes) return "A .png file may have 1 GiB of pixels. Choose .npy for a larger image.";
    return {};
}

void write_png(files::NewFile& out, const OutputArray& array, const Step& step) {
    const auto length = [&](std::size_t axis) { return static_cast<int>(array.shape[axis]); };
    const int channels = array.shape.size() == 3 ? length(2) : 1;
    const std::size_t size = size_of(array);
    out.write(png_of(array.read(0, size), length(1), length(0), channels));
    if (step) step(size);
}

} // namespace warplight::formats
