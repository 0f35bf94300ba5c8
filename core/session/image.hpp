// SPDX-License-Identifier: Apache-2.0
// PNG, JPEG, BMP and PNM files as arrays.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <filesystem>
#include <span>

namespace warplight::session {

/// By the file's extension.
bool is_image(const std::filesystem::path& file);
/// uint8 [height, width, channels]. 16 bits a channel become 8; with `deep` they stay, as uint16.
/// @throws SessionError, files::InputError.
NdArray read_image(const std::filesystem::path& file, bool deep = false);
/// The same of the file's content; `file` is its name in messages.
NdArray parse_image(std::span<const std::byte> content, const std::filesystem::path& file, bool deep = false);
/// The shape alone.
warplight::Shape image_shape(const std::filesystem::path& file);
warplight::Shape image_shape(std::span<const std::byte> content, const std::filesystem::path& file);

} // namespace warplight::session
