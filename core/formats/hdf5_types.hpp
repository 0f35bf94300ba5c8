// SPDX-License-Identifier: Apache-2.0
// Which element types of HDF5 are which here, as h5py has them.
#pragma once

#include "formats/hdf5_library.hpp"
#include "warplight/ndarray.hpp"

#include <optional>
#include <string>

namespace warplight::formats {

/// A type of a file as it is read.
struct Hdf5Element {
    DType dtype;
    Hdf5Id memory; ///< the type that elements have in memory
};

/// Empty, and why in `problem` ("holds texts"), for a type that is no number.
std::optional<Hdf5Element> element_of(const Hdf5Library& h5, hid_t type, std::string& problem);
/// The type that elements of a dtype are written as; not ok() for a structured one.
Hdf5Id hdf5_type_of(const Hdf5Library& h5, const DType& dtype);

} // namespace warplight::formats
