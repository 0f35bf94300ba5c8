// SPDX-License-Identifier: Apache-2.0
// Which files are results of which session. A result replaces a file only where the same session has written it and
// nobody has changed it since. The record lies in the user's state folder, where no session can write.
#pragma once

#include "files/new_file.hpp"
#include "session/run_options.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace warplight {
class NdArray;
}

namespace warplight::session {

/// The folder of the record: a file for each result.
std::filesystem::path saved_results_folder();

/// An array that goes into a file.
struct SavedArray {
    std::string name; ///< there, which matters where several go into one
    const NdArray* array = nullptr;
    int rate = 0; ///< Hz of a sound; 0: not known
};

class SavedResults {
public:
    explicit SavedResults(const RunOptions& options);

    /// There is no such file, or it is as this session has left it.
    bool may_replace(const std::filesystem::path& file) const;
    /// Writes a file in the format of its extension, whole or not at all, and records it. A process that is killed
    /// meanwhile leaves a record that fits the new file as well as the old one. @throws FileError
    /// @param recorded false: nobody will ask may_replace() of this file
    void save(const std::filesystem::path& file, std::span<const SavedArray> arrays, bool recorded = true) const;
    /// The same of a file whose bytes the writer has. @throws FileError, and what the writer throws
    void write(const std::filesystem::path& file, const files::Writer& writer, bool recorded = true) const;

private:
    std::string session_; ///< the document, else the folder of a session without one
};

} // namespace warplight::session
