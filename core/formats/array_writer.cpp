// SPDX-License-Identifier: Apache-2.0
#include "formats/array_writer.hpp"

#include "files/new_file.hpp"
#include "formats/extension.hpp"
#include "formats/hdf5.hpp"
#include "formats/hdf5_library.hpp"
#include "formats/npz.hpp"
#include "formats/png.hpp"
#include "formats/sound.hpp"
#include "formats/sound_library.hpp"
#include "formats/table_writer.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::formats {
namespace {

using Why = std::string (*)(const DType& dtype, const Shape& shape);

std::string why_no_array(const DType&, const Shape&) { return {}; }

/// How the files of an extension are written.
struct Writing {
    std::string_view extension;
    bool several;
    Why why_not;
};

constexpr std::array kWritings = {
    Writing{".npy", false, why_no_array}, Writing{".npz", true, why_no_array},  Writing{".h5", true, why_no_hdf5},
    Writing{".hdf5", true, why_no_hdf5},  Writing{".csv", false, why_no_table}, Writing{".tsv", false, why_no_table},
    Writing{".txt", false, why_no_table}, Writing{".png", false, why_no_png},   Writing{".wav", false, why_no_sound},
};

const Writing* find(std::string_view extension) {
    const auto found = std::ranges::find(kWritings, extension, &Writing::extension);
    return found == kWritings.end() ? nullptr : &*found;
}

void write_npy(files::NewFile& out, const OutputArray& array, const Step& step) {
    out.write(npy_header_of(array));
    each_piece(array, step, [&](std::span<const std::byte> piece) { out.write(piece); });
}

} // namespace

std::string_view extensions_for_writing() { return ".npy, .npz, .h5, .csv, .tsv, .txt, .png, .wav"; }

bool is_written(std::string_view extension) { return find(extension) != nullptr; }

bool takes_several(std::string_view extension) {
    const Writing* found = find(extension);
    return found && found->several;
}

std::string why_not_written(std::string_view extension, const DType& dtype, const Shape& shape) {
    const Writing* found = find(extension);
    return found ? found->why_not(dtype, shape) : std::string();
}

void check_can_write(const std::filesystem::path& file) {
    const std::string extension = extension_of(file);
    if (extension == ".npz") check_npz(file);
    if (extension == ".h5" || extension == ".hdf5") (void)Hdf5Library::get(file.string());
    if (is_sound(extension)) (void)SoundLibrary::get(file.string());
}

void write_arrays(files::NewFile& out, std::span<const OutputArray> arrays, const FileDetails& details,
                  const Step& step) {
    const std::string extension = extension_of(out.path());
    for (const OutputArray& each : arrays)
        if (const auto why = why_not_written(extension, each.dtype, each.shape); !why.empty())
            throw FileError(out.path().string(), "is not written: " + why.substr(0, why.size() - 1));
    if (extension == ".npz") return write_npz(out, arrays, step);
    if (extension == ".h5" || extension == ".hdf5") return write_hdf5(out, arrays, step);
    const OutputArray& array = arrays.front();
    if (extension == ".npy") return write_npy(out, array, step);
    if (extension == ".csv") return write_table(out, array, ',', details.headings, step);
    if (extension == ".tsv") return write_table(out, array, '\t', details.headings, step);
    if (extension == ".txt") return write_table(out, array, ' ', details.headings, step);
    if (extension == ".png") return write_png(out, array, step);
    if (extension == ".wav") return write_sound(out, array, details.rate, step);
    each_piece(array, step, [&](std::span<const std::byte> piece) { out.write(piece); });
}

std::uint64_t write_array_file(const std::filesystem::path& file, std::span<const OutputArray> arrays,
                               const FileDetails& details, const Step& step) {
    std::uint64_t written = 0;
    try {
        files::write_new_file(file, [&](files::NewFile& out) {
            write_arrays(out, arrays, details, step);
            written = out.size();
        });
    } catch (const files::Problem& problem) {
        throw FileError(file.string(), problem.text(), problem.hint());
    }
    return written;
}

} // namespace warplight::formats
