// SPDX-License-Identifier: Apache-2.0
#include "cluster/platform.hpp"

#include <array>
#include <cstdlib>
#include <windows.h>

namespace warplight::cluster::platform {

std::string host_name() {
    const char* name = std::getenv("COMPUTERNAME");
    return name ? name : "";
}

void wait_for_end_of_input() {
    std::array<char, 64> nothing{};
    DWORD count = 0;
    while (ReadFile(GetStdHandle(STD_INPUT_HANDLE), nothing.data(), nothing.size(), &count, nullptr) && count > 0) {
    }
}

} // namespace warplight::cluster::platform
