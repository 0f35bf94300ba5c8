// SPDX-License-Identifier: Apache-2.0
// The far folder, and in it a folder for each connection: `held/ID`, which the holder keeps as long as it lives. When
// it ends, `held/ID.ended` tells for a day why.
#pragma once

#include "remote/platform.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace warplight::remote {

/// WARPLIGHT_REMOTE_FOLDER, else `remote` beside the caches of this user.
std::filesystem::path far_folder();
/// Makes it, and tries whether something can be written there. @throws files::Problem
void prepare_far_folder(const std::filesystem::path& folder);
/// What to do about a far folder that cannot be used: a sentence.
std::string far_folder_advice();

/// 32 hexadecimal digits. Who knows an ID, and is the same user on the far machine, may take the connection over.
bool is_connection_id(std::string_view text);
std::filesystem::path connection_folder(const std::filesystem::path& far, std::string_view id);

class ConnectionFolder {
public:
    /// Makes and holds it. Folders of holders that were killed are removed. @throws files::Problem
    ConnectionFolder(const std::filesystem::path& far, const std::string& id);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Removes it, and leaves the reason: a phrase, "nobody was connected for 10 min".
    void end(const std::string& reason) noexcept;

private:
    std::filesystem::path far_, path_;
    platform::HeldFile held_;
};

/// Why no holder of this ID answers: a sentence. Leaves a folder that nobody holds as an ended one.
std::string why_connection_is_gone(const std::filesystem::path& far, const std::string& id);

} // namespace warplight::remote
