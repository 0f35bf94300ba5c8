// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, format versions 1 to 3.
#pragma once

#include "warplight/file_path.hpp"
#include "warplight/ndarray.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace warplight {

/// What a .npy file says about its data.
struct NpyHeader {
    DType dtype; ///< structured types are opaque, with their description
    Shape shape;
    bool fortran_order = false;
    bool big_endian = false;     ///< the data needs its bytes swapped
    bool object = false;         ///< pickled Python objects: the data cannot be read
    std::size_t data_offset = 0; ///< bytes from the file's start
    std::size_t nbytes = 0;      ///< bytes of data that belong to the shape
    int version = 1;
};

/// Parses the start of a .npy file. Never reads outside of `bytes`.
/// @param name what messages call the file
/// @throws FileError saying what is wrong.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name = "data");
/// Reads only the header. @throws FileError, also when the file is shorter than its header says.
NpyHeader read_npy_header(const FilePath& path);
/// Reads a file: a writable array in the host's byte order. @throws FileError (object arrays: cannot be read).
NdArray load_npy(const FilePath& path);
/// Parses a file in memory.
NdArray parse_npy(std::span<const std::byte> bytes, const std::string& name = "data");
/// Opens a file of any size at once: a read-only array whose pages are read when they are used.
/// A big-endian file is read and converted instead.
NdArray open_npy(const FilePath& path);
/// The bytes of a .npy file before the data.
std::string make_npy_header(const NdArray& array);
/// Writes a file, whole or not at all. Arrays that are not contiguous are written in C order. @throws FileError.
void save_npy(const FilePath& path, const NdArray& array);

} // namespace warplight
