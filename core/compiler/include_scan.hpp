// SPDX-License-Identifier: Apache-2.0
// Which headers a source reads, found without a preprocessor: NVRTC writes no dependency file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

struct IncludeScan {
    struct Header {
        std::filesystem::path path;
        std::string digest;
    };
    std::vector<Header> headers; ///< in the order of discovery, each once
    /// False when an include is computed by a macro, a header is no readable file, or there are more than a program can
    /// have: then nothing may be cached.
    bool complete = true;
    /// Why a header cannot be read, such as a pipe, for which a compiler would wait; else empty.
    std::string problem;
};

/// Searches `folder` and the include folders among `options`. Headers in `toolkit` folders are not read: the toolkit's
/// version stands for them. Conditions are ignored. A header too many costs a needless compilation, a missing one
/// gives a wrong result.
IncludeScan scan_includes(std::string_view source, const std::filesystem::path& folder,
                          const std::vector<std::string>& options);

/// The folders of -I, --include-path, -isystem, --system-include, in order.
std::vector<std::filesystem::path> include_folders(const std::vector<std::string>& options);

/// The options with what `change` makes of each path that the compiler would read: include folders, and files of
/// -include, --pre-include, -optf, --options-file.
std::vector<std::string> with_paths(const std::vector<std::string>& options,
                                    const std::function<std::string(const std::string&)>& change);

} // namespace warplight::compiler
