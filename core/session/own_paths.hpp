// SPDX-License-Identifier: Apache-2.0
/// Paths in what a run tells, as the session has them: compilers and the device name files by absolute paths.
#pragma once

#include "findings/finding.hpp"
#include "profile/profile.hpp"
#include "profile/warp_record.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace warplight::session {

/// Writes the source's path as the session does, and leaves the folder out of paths below it.
class OwnPaths {
public:
    /// Both outlive this.
    OwnPaths(const std::filesystem::path& folder, const std::string& source) : folder_(folder), source_(source) {}

    [[nodiscard]] std::string mended(std::string_view text) const;
    void mend(findings::Findings& findings) const;
    void mend(profile::Profile& profile) const;
    void mend(profile::WarpRecord& record) const;

private:
    void mend(findings::Event& event) const;

    const std::filesystem::path& folder_;
    const std::string& source_;
};

} // namespace warplight::session
