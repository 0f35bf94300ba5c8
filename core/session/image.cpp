// SPDX-License-Identifier: Apache-2.0
#include "session/image.hpp"

#include "session/data_file.hpp"
#include "session/session.hpp"
#include "warplight/file_io.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <fmt/format.h>
#include <memory>

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

std::shared_ptr<MappedFile> open(const std::filesystem::path& file) {
    auto mapped = MappedFile::open(file);
    if (mapped->bytes().size() > static_cast<std::size_t>(INT_MAX))
        throw SessionError(fmt::format("{} is larger than the 2 GiB an image may have.", file.string()), "/path");
    return mapped;
}

const stbi_uc* start(const MappedFile& file) { return reinterpret_cast<const stbi_uc*>(file.bytes().data()); }
int length(const MappedFile& file) { return static_cast<int>(file.bytes().size()); }

[[noreturn]] void refuse(const std::filesystem::path& file) {
    const char* reason = stbi_failure_reason();
    throw SessionError(fmt::format("{} cannot be read as an image: {}. PNG, JPEG, BMP and PNM files can be.",
                                   file.string(), reason ? reason : "unknown format"),
                       "/path");
}

} // namespace

bool is_image(const std::filesystem::path& file) {
    constexpr std::string_view extensions[] = {".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".pnm"};
    const auto extension = lower_extension(file);
    return std::find(std::begin(extensions), std::end(extensions), extension) != std::end(extensions);
}

NdArray read_image(const std::filesystem::path& file) {
    const auto mapped = open(file);
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(start(*mapped), length(*mapped), &width, &height, &channels, 0), stbi_image_free);
    if (!pixels) refuse(file);
    auto array = NdArray::empty(
        {static_cast<std::size_t>(height), static_cast<std::size_t>(width), static_cast<std::size_t>(channels)},
        DType::uint8());
    std::memcpy(array.mutable_data(), pixels.get(), array.nbytes());
    return array;
}

warplight::Shape image_shape(const std::filesystem::path& file) {
    const auto mapped = open(file);
    int width = 0, height = 0, channels = 0;
    if (!stbi_info_from_memory(start(*mapped), length(*mapped), &width, &height, &channels)) refuse(file);
    return {static_cast<std::size_t>(height), static_cast<std::size_t>(width), static_cast<std::size_t>(channels)};
}

} // namespace warplight::session
