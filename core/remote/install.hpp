// SPDX-License-Identifier: Apache-2.0
/// Copies the self-contained build into the user's folder on another machine, and removes it. Needs only `sh` and the
/// usual small programs there.
#pragma once

#include "remote/archive.hpp"
#include "remote/place.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warplight::remote {

/// What went wrong and what to do, in sentences.
struct InstallError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Installer {
public:
    explicit Installer(Place place) : place_(std::move(place)), machine_(machine_of(place_)) {}

    /// Whether the archive can run there, and whether there is room for it. @returns the bytes of it that are there
    /// from an earlier try. @throws InstallError, std::runtime_error where ssh cannot be started
    std::uint64_t check(const ArchiveFacts& archive);

    /// Gets the bytes that are there so far. False: stop.
    using Progress = std::function<bool(std::uint64_t bytes)>;
    /// Sends what is not there yet: the bytes from `have` on. @throws as check()
    void send(const std::filesystem::path& file, const ArchiveFacts& archive, std::uint64_t have,
              const Progress& progress);
    /// Checks the digest there, unpacks, tries the program, and puts it in place of one of the same version. One
    /// earlier version stays. @returns the version. @throws as check()
    std::string unpack(const ArchiveFacts& archive);

    /// Removes all that was installed there. False: there was nothing. @throws as check()
    bool uninstall();

private:
    /// Runs a script that tells its results by `say KEY=VALUE`.
    std::map<std::string, std::string> run(const std::string& script);
    [[noreturn]] void fail(const std::string& text) const { throw InstallError(text); }
    [[noreturn]] void fail_for(const std::string& problem) const;

    Place place_;
    std::string machine_; ///< for messages
};

} // namespace warplight::remote
