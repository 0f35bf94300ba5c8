// SPDX-License-Identifier: Apache-2.0
// The folder that a program is written into. A list of its files tells which of them an export has made, so that
// nothing else is replaced.
#pragma once

#include "export/program.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::exporting {

class ProgramFolder {
public:
    /// @throws ExportError where it is no folder, or has files and none of an export, unless `force`
    ProgramFolder(std::filesystem::path folder, bool force);

    /// Replaces the files of an earlier export; those that this one has not are removed. @throws ExportError
    void write(const std::vector<ProgramFile>& files, std::string_view format) const;

private:
    /// What a file held when it was written.
    struct Contents {
        std::uint64_t size = 0;
        std::string digest;
        bool operator==(const Contents&) const = default;
    };
    using List = std::map<std::string, Contents>;

    [[nodiscard]] std::filesystem::path place_of(const std::string& path) const;
    void read_list();
    void write_list(const List& files, std::string_view format, bool complete) const;
    void refuse_changed(const List& made) const;
    void write_all(const std::vector<ProgramFile>& files, std::string_view format) const;
    [[nodiscard]] bool holds(const std::filesystem::path& file, const Contents& contents) const;
    static Contents contents_of(const ProgramFile& file, std::vector<std::byte>& bytes);

    std::filesystem::path folder_;
    bool force_ = false;
    bool is_new_ = false;
    List earlier_; ///< files of an earlier export
};

} // namespace warplight::exporting
