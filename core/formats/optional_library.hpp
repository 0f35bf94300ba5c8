// SPDX-License-Identifier: Apache-2.0
// Libraries that are opened when a file needs them: nothing is linked, and a machine may lack them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warplight::formats {

/// How a library is found, and what to say where it is not.
struct LibraryChoice {
    std::string_view what;              ///< "HDF5 files"
    const char* variable;               ///< of the environment; names the library's file instead of the names below
    std::span<const char* const> names; ///< for the loader, one after the other
};

/// The first that can be opened; it stays open. Null, and a sentence without a full stop in `problem`, where there is
/// none.
void* open_optional_library(const LibraryChoice& choice, std::string& problem);
/// Null where the library lacks it.
void* symbol_of(void* library, const char* name);

} // namespace warplight::formats
