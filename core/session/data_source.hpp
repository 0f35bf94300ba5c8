// SPDX-License-Identifier: Apache-2.0
/// Makes arrays from data sources, which are files and generators.
///
/// Random numbers: element i (flat, C order) is made from z = number i + 1 of SplitMix64(seed), that is
/// mix(seed + (i + 1) · 0x9E3779B97F4A7C15). So each element can be computed alone, and all platforms agree.
///   uniform, floating: low + (z >> 11) · 2⁻⁵³ · (high − low), computed in double, then rounded to dtype
///   uniform, integer:  low + the upper 64 bits of the 128-bit product z · (high − low)
///   normal: z = number 2i + 1, w = number 2i + 2 of the generator; with u = ((z >> 11) + 1) · 2⁻⁵³ and
///           v = (w >> 11) · 2⁻⁵³: mean + stddev · √(−2 ln u) · cos(2πv), in double, then rounded to dtype
#pragma once

#include "formats/container.hpp"
#include "session/reach.hpp"
#include "session/session.hpp"

#include <filesystem>
#include <string>

namespace warplight {
class NdArray;
}

namespace warplight::session {

/// The array of a source. Throws SessionError whose pointer is relative to the source (`/shape`), and OutsideError for
/// a file outside of the reach.
NdArray materialise(const DataSource& source, const Reach& reach);

/// Reads a file by its extension, as FileSource describes.
NdArray read_array(const FileSource& source, const Reach& reach);

/// What the bytes of a file are, by its extension.
enum class FileKind {
    npy,
    container, ///< .npz, HDF5: arrays under names
    table,     ///< text
    image,
    sound,
    raw, ///< any other; and where an offset is given, whatever is no .npy file, table or image
};
FileKind kind_of_file(const std::filesystem::path& file, std::uint64_t offset = 0, bool raw = false);
/// Of a file that versions before 4 read as raw numbers: .npz, HDF5, .wav, .txt.
bool is_raw_before_version_4(const std::string& path);
/// Whether a file of that name may hold structs with their fields: .npy and .npz.
bool has_structs(const std::filesystem::path& file);
/// Of such a file. @throws FileError
formats::ArrayHead head_of_numpy(const std::filesystem::path& file, const std::string& member);

/// dtype and shape of a source. Generators and `.npy` files cost nothing, other files are read.
struct ArrayDescription {
    std::string dtype;
    Shape shape;
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
};
ArrayDescription describe(const DataSource& source, const Reach& reach);
/// Samples a second of a source that is a sound; 0 of others. Throws as materialise() does.
int sound_rate(const DataSource& source, const Reach& reach);

/// Where a session may write `path`: below `folder`, or in a folder that the user has agreed to. Throws SessionError
/// for an absolute path, for one that leaves the folder by `..` and for one that leaves it through a symbolic link,
/// unless it leads to a folder of `agreed`.
std::filesystem::path path_for_writing(const std::filesystem::path& folder, const std::string& path,
                                       const Reach& agreed = {});

} // namespace warplight::session
