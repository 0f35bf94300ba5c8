// SPDX-License-Identifier: Apache-2.0
/// Findings in headers of the CUDA toolkit belong to the code that calls them: cuda::atomic and cooperative groups are
/// right, what they are used for is not.
#pragma once

#include "finding.hpp"

#include <string_view>

namespace warplight::findings {

/// By its path alone: the file need not be there.
[[nodiscard]] bool is_toolkit_header(std::string_view path);
/// The innermost place outside of the toolkit becomes the event's. Without one nothing is changed.
void leave_toolkit(Event& event);

} // namespace warplight::findings
