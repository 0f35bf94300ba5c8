// SPDX-License-Identifier: Apache-2.0
// Opening and reading files as files/input_file.hpp does, with this layer's errors.
#pragma once

#include "files/input_file.hpp"
#include "warplight/error.hpp"
#include "warplight/file_path.hpp"

#include <memory>
#include <string>

namespace warplight::detail {

/// Calls, and turns an InputError into a FileError about `path`.
template <class Call>
auto with_file_errors(const std::string& path, const Call& call) {
    try {
        return call();
    } catch (const files::InputError& error) {
        throw driver::FileError(path, error.problem(), error.hint());
    }
}

/// @throws FileError
inline std::unique_ptr<files::InputFile> open_input(const FilePath& path) {
    return with_file_errors(path.string(), [&] { return std::make_unique<files::InputFile>(path); });
}

} // namespace warplight::detail
