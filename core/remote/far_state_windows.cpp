// SPDX-License-Identifier: Apache-2.0
// Windows is never the far side.
#include "remote/far_state.hpp"

namespace warplight::remote {

FarState far_state(const std::filesystem::path& /*folder*/) { return {}; }
Cleaned clean_far_folder(const std::filesystem::path& /*folder*/, bool /*all*/) { return {}; }

} // namespace warplight::remote
