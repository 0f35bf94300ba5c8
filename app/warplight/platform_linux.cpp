// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.hpp"

namespace warplight::app::platform {

void use_terminal() {} // it is there

} // namespace warplight::app::platform
