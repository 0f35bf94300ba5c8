// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform.hpp"

#include <cstdio>
#include <windows.h>

namespace warplight::app::platform {

void use_terminal() {
    // What was redirected stays so.
    if (GetFileType(GetStdHandle(STD_OUTPUT_HANDLE)) != FILE_TYPE_UNKNOWN) return;
    if (!AttachConsole(ATTACH_PARENT_PROCESS)) return;
    std::freopen("CONOUT$", "w", stdout);
    std::freopen("CONOUT$", "w", stderr);
}

} // namespace warplight::app::platform
