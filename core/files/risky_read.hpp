// SPDX-License-Identifier: Apache-2.0
// The file that a library reads which damage may crash: for the report of a crash.
#pragma once

#include <filesystem>
#include <string_view>

namespace warplight::files {

/// Only one lives at a time.
class RiskyRead {
public:
    explicit RiskyRead(const std::filesystem::path& file);
    RiskyRead(const RiskyRead&) = delete;
    RiskyRead& operator=(const RiskyRead&) = delete;
    ~RiskyRead();
};

/// The end of the file's path; empty where there is none. Safe in the handler of a signal.
[[nodiscard]] std::string_view risky_read() noexcept;

} // namespace warplight::files
