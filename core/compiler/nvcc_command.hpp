// SPDX-License-Identifier: Apache-2.0
// The one way to start nvcc and ptxas. nvcc puts its arguments into commands of a shell, with marks around them that
// protect neither $( ) nor backticks. A folder's name from a stranger must never get there.
#pragma once

#include "compiler/platform.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::compiler {

/// A command for files of one folder of our own. Each argument must be made of characters that no shell interprets.
///
/// Folders with other names are reached through links with plain names in that folder. Macros with other values become
/// lines of the source.
class NvccCommand {
public:
    NvccCommand(const std::filesystem::path& program, std::filesystem::path folder);

    /// An argument of this program's own.
    void add(std::string argument) { words_.push_back(std::move(argument)); }
    /// Options of the user.
    void add_options(const std::vector<std::string>& options);
    /// -I
    void add_include(const std::filesystem::path& folder);

    /// Lines that the source must begin with: the macros that are no arguments.
    const std::string& definitions() const { return definitions_; }
    std::string line() const;

    /// Runs it; its temporary files lie in our folder as well.
    /// @throws RuntimeError when an argument has a character that a shell interprets
    platform::ProcessResult run(const Callback<bool()>& cancelled, const std::filesystem::path& working = {}) const;

    /// The text of a log or of PTX with the folders' own names in place of the links'.
    std::string with_own_names(std::string text) const;

private:
    std::string plain(const std::filesystem::path& path);
    std::string plain_value(std::string_view option, const std::string& value);
    bool add_macro(std::string_view option, const std::string& value);

    std::filesystem::path folder_;
    std::vector<std::string> words_;
    std::string definitions_;
    std::vector<std::pair<std::string, std::string>> links_; ///< the link, the folder
};

/// A shell takes each character of it as it is.
bool is_plain_argument(std::string_view argument);

} // namespace warplight::compiler
