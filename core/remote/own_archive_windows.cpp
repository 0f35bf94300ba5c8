// SPDX-License-Identifier: Apache-2.0
#include "remote/archive.hpp"

namespace warplight::remote {

void write_own_archive(const std::filesystem::path& /*file*/) {
    throw ArchiveError("This is Windows, and the other machine needs a build for Linux. Name one with --archive: "
                       "warplight-…-Linux-x86_64.tar.gz.");
}

} // namespace warplight::remote
