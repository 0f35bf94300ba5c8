// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warplight::app::platform {

/// Lets what is printed be seen in the terminal that the program was started from: on Windows a program with a window
/// has none of its own.
void use_terminal();

} // namespace warplight::app::platform
