// SPDX-License-Identifier: Apache-2.0
// .wav files: samples as they are stored, [frames] of one channel or [frames, channels].
#pragma once

#include "formats/member.hpp"
#include "formats/output_array.hpp"
#include <filesystem>
#include <string>
#include <string_view>

namespace warplight::files {
class NewFile;
}

namespace warplight::formats {

/// Hz of sounds whose rate nobody tells.
inline constexpr int usual_sound_rate = 44100;
/// With it the bytes of a second fit into a .wav file's head, whatever the channels.
inline constexpr int most_sound_rate = 2'000'000;

/// By the file's extension, in lower case.
bool is_sound(std::string_view extension);

/// 16 bits become int16, 24 and 32 bits int32 (24 bits fill the upper ones), 8 bits uint8, floats float32 or float64.
/// Packed samples become int16. @throws FileError
ArrayHead sound_head(const std::filesystem::path& file);
NdArray read_sound(const std::filesystem::path& file, const FitsMemory& fits);
/// Samples a second, up to most_sound_rate; 0 where the file tells none, or more. @throws FileError
int sound_rate(const std::filesystem::path& file);

std::string why_no_sound(const DType& dtype, const Shape& shape);
/// @param rate in Hz, from 1 to most_sound_rate; 0: usual_sound_rate
void write_sound(files::NewFile& out, const OutputArray& array, int rate, const Step& step);

} // namespace warplight::formats
