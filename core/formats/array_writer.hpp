// SPDX-License-Identifier: Apache-2.0
// Arrays into files, in the format that the file's extension names.
#pragma once

#include "formats/output_array.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::files {
class NewFile;
}

namespace warplight::formats {

/// ".npy, .npz, .h5, .csv, …": the extensions in which results can be saved, for messages.
std::string_view extensions_for_writing();
/// Of those, by the extension in lower case.
bool is_written(std::string_view extension);
/// Whether a file of that kind takes several arrays, each under its name.
bool takes_several(std::string_view extension);
/// Why such an array cannot be written in that format, and what to do: sentences. Empty where it can be.
std::string why_not_written(std::string_view extension, const DType& dtype, const Shape& shape);
/// @throws FileError where the library that writes such a file is not there
void check_can_write(const std::filesystem::path& file);

/// What an array does not tell of its file.
struct FileDetails {
    std::vector<std::string> headings = {}; ///< the first line of a .csv, .tsv or .txt file
    int rate = 0;                           ///< of a .wav file, as of write_sound()
};

/// Into a file whose extension is one of those above; of any other name the bytes of the elements. One array, or
/// several where the format takes them. @throws files::Problem, FileError
void write_arrays(files::NewFile& out, std::span<const OutputArray> arrays, const FileDetails& details,
                  const Step& step);
/// The same as a file that is there whole or not at all. Returns its bytes. @throws FileError
std::uint64_t write_array_file(const std::filesystem::path& file, std::span<const OutputArray> arrays,
                               const FileDetails& details, const Step& step);

} // namespace warplight::formats
