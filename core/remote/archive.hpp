// SPDX-License-Identifier: Apache-2.0
/// Archives of the self-contained build (.tar.gz), which `remote install` copies to other machines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warplight::remote {

/// A sentence that says what is wrong with an archive, or with what it is made of.
struct ArchiveError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct ArchiveFacts {
    std::string digest;         ///< SHA-256 of the file, in hexadecimal digits
    std::uint64_t size = 0;     ///< bytes of the file
    std::uint64_t unpacked = 0; ///< bytes of what is in it
    std::string machine;        ///< whose code it has, as `uname -m` says it: "x86_64"
    int glibc = 0;              ///< it needs glibc 2.N at least
};

/// Reads the whole archive. @throws ArchiveError where it cannot be read or has no `*/bin/warplight-cli`
[[nodiscard]] ArchiveFacts read_archive(const std::filesystem::path& file);

/// Writes an archive. The same files give the same bytes, whenever and by whomever it is written.
class ArchiveWriter {
public:
    /// @throws ArchiveError, as the others
    explicit ArchiveWriter(const std::filesystem::path& file);
    ~ArchiveWriter();
    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

    /// `name`: its path in the archive, at most 100 bytes.
    void add_file(std::string_view name, const std::filesystem::path& file, bool is_program);
    void add_text(std::string_view name, std::string_view text, bool is_program);
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The running warplight-cli as an archive, with the software device and the libraries that other machines may lack.
/// Only on Linux. @throws ArchiveError
void write_own_archive(const std::filesystem::path& file);

} // namespace warplight::remote
