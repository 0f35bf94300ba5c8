// SPDX-License-Identifier: Apache-2.0
// Names of files for a compiler that takes only ASCII letters: NVRTC on Windows reads others in the system's code page,
// whatever the process's is, and finds no file.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warplight::compiler {

class PlainNames {
public:
    /// A name that the compiler understands, of the same file or folder where Windows has one. Elsewhere the name
    /// itself.
    std::string of(const std::string& name);
    /// The same for an option, if it names a folder of headers.
    std::string of_option(const std::string& option);
    /// Puts the files' own names back into what the compiler wrote.
    void restore(std::string& text) const;

private:
    std::vector<std::pair<std::string, std::string>> names_; ///< plain, own
};

} // namespace warplight::compiler
