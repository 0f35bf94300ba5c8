// SPDX-License-Identifier: Apache-2.0
// What readers of files tell of an array before they read it.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warplight::formats {

struct ArrayHead {
    DType dtype;
    Shape shape;
};

/// What a container holds under a name.
struct Member {
    std::string name; ///< "x" of x.npy in an .npz file; "group/x" of an HDF5 file
    std::optional<ArrayHead> head;
    std::string problem; ///< why it cannot be read, without the file's name; empty where there is a head
};

/// Called with the bytes that an array needs, before it gets memory. Throws to refuse.
using FitsMemory = std::function<void(std::uint64_t bytes)>;

} // namespace warplight::formats
