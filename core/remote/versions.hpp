// SPDX-License-Identifier: Apache-2.0
/// Whether Warplight on two machines fits together, in words.
#pragma once

#include <string>
#include <string_view>

namespace warplight::remote {

/// What has to be updated, and how, where the protocol of the far side is another one than kRemoteProtocol. Empty where
/// they fit: versions may differ.
[[nodiscard]] std::string version_problem(int far_protocol, std::string_view far_version, std::string_view machine);

} // namespace warplight::remote
