// SPDX-License-Identifier: Apache-2.0
#include "session/image.hpp"

#include "files/input_file.hpp"
#include "session/data_file.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <span>

// Zeroed: of a file that is cut short the library leaves the rest of the pixels as the memory was.
#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(memory, size) std::realloc(memory, size)
#define STBI_FREE(memory) std::free(memory)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_PNM
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 65536
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#elif defined(_MSC_VER)
#pragma warning(push, 0)
#endif
#include <stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif

namespace warplight::session {
namespace {

/// Pixels that an image may unfold to: a small file may hold a picture of nothing, of any size.
constexpr std::size_t kMostPixels = std::size_t{1} << 28;

const stbi_uc* start(std::span<const std::byte> content) { return reinterpret_cast<const stbi_uc*>(content.data()); }
/// Files may have 256 MiB.
int length(std::span<const std::byte> content) { return static_cast<int>(content.size()); }

[[noreturn]] void refuse(const std::filesystem::path& file) {
    const char* reason = stbi_failure_reason();
    throw SessionError(fmt::format("{} cannot be read as an image: {}. PNG, JPEG, BMP and PNM files can be.",
                                   file.string(), reason ? reason : "unknown format"),
                       "/path");
}

[[noreturn]] void refuse_cut(const std::filesystem::path& file) {
    throw SessionError(fmt::format("{} cannot be read as an image: it is cut short.", file.string()), "/path");
}

/// Numbers in the head of a PNM file that are too large for the library, which does not look.
bool has_huge_pnm_number(std::span<const std::byte> content) {
    if (content.size() < 2 || content[0] != std::byte{'P'}) return false;
    std::size_t digits = 0;
    int numbers = 0; // width, height, largest value
    bool comment = false;
    for (const std::byte each : content.subspan(2)) {
        const char c = static_cast<char>(each);
        if (comment) {
            comment = c != '\n' && c != '\r';
        } else if (c >= '0' && c <= '9') {
            if (++digits > 9) return true;
            continue;
        } else {
            comment = c == '#';
        }
        if (digits != 0 && ++numbers == 3) return false;
        digits = 0;
    }
    return false;
}

/// A chunk of a PNG file that says to be longer than what follows it: the library asks for that much memory first.
bool has_long_png_chunk(std::span<const std::byte> content) {
    constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (content.size() < kSignature.size() || std::memcmp(content.data(), kSignature.data(), kSignature.size()) != 0)
        return false;
    content = content.subspan(kSignature.size());
    constexpr std::size_t kHead = 8, kChecksum = 4;
    while (content.size() >= kHead) {
        std::size_t size = 0; // the most significant byte comes first
        for (const std::byte each : content.first(4))
            size = size << 8 | std::to_integer<std::size_t>(each);
        if (std::memcmp(content.data() + 4, "IEND", 4) == 0) return false;
        if (size > content.size() - kHead) return true;
        content = content.subspan(std::min(content.size(), kHead + size + kChecksum));
    }
    return false;
}

struct Pixels {
    std::size_t width, height, channels;
};

/// What the file's head says.
Pixels announced_pixels(std::span<const std::byte> content, const std::filesystem::path& file) {
    int width = 0, height = 0, channels = 0;
    if (has_long_png_chunk(content)) refuse_cut(file);
    const bool understood = !has_huge_pnm_number(content) &&
                            stbi_info_from_memory(start(content), length(content), &width, &height, &channels) != 0;
    if (!understood) refuse(file);
    height = std::abs(std::max(height, -INT_MAX)); // of a BMP file it is negative where its rows begin at the top
    if (width <= 0 || height <= 0 || channels <= 0)
        throw SessionError(fmt::format("{} has no pixels.", file.string()), "/path");
    const bool pnm = content.size() > 1 && content[0] == std::byte{'P'};
    const auto pixels = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    if (pnm && content.size() < pixels * static_cast<std::uint64_t>(channels)) refuse_cut(file);
    return {static_cast<std::size_t>(width), static_cast<std::size_t>(height), static_cast<std::size_t>(channels)};
}

} // namespace

bool is_image(const std::filesystem::path& file) {
    constexpr std::string_view extensions[] = {".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".pnm"};
    const auto extension = lower_extension(file);
    return std::find(std::begin(extensions), std::end(extensions), extension) != std::end(extensions);
}

NdArray read_image(const std::filesystem::path& file, bool deep) {
    return parse_image(files::read_bytes(file, files::Kind::image), file, deep);
}

NdArray parse_image(std::span<const std::byte> content, const std::filesystem::path& file, bool deep) {
    const Pixels announced = announced_pixels(content, file);
    if (announced.width * announced.height > kMostPixels)
        throw SessionError(fmt::format("{} has {} by {} pixels, more than the 256 Mi pixels an image may have.",
                                       file.string(), announced.width, announced.height),
                           "/path");
    int width = 0, height = 0, channels = 0;
    deep = deep && stbi_is_16_bit_from_memory(start(content), length(content)) != 0;
    void* loaded = deep ? static_cast<void*>(
                              stbi_load_16_from_memory(start(content), length(content), &width, &height, &channels, 0))
                        : stbi_load_from_memory(start(content), length(content), &width, &height, &channels, 0);
    const std::unique_ptr<void, void (*)(void*)> pixels(loaded, stbi_image_free);
    if (!pixels) refuse(file);
    auto array = NdArray::empty(
        {static_cast<std::size_t>(height), static_cast<std::size_t>(width), static_cast<std::size_t>(channels)},
        deep ? DType::uint16() : DType::uint8());
    std::memcpy(array.mutable_data(), pixels.get(), array.nbytes());
    return array;
}

warplight::Shape image_shape(const std::filesystem::path& file) {
    return image_shape(files::read_bytes(file, files::Kind::image), file);
}

warplight::Shape image_shape(std::span<const std::byte> content, const std::filesystem::path& file) {
    const Pixels announced = announced_pixels(content, file);
    return {announced.height, announced.width, announced.channels};
}

} // namespace warplight::session
