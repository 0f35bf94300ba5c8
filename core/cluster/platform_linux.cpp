// SPDX-License-Identifier: Apache-2.0
#include "cluster/platform.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace warplight::cluster::platform {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

void wait_for_end_of_input() {
    std::array<char, 64> nothing{};
    for (;;) {
        const auto count = read(STDIN_FILENO, nothing.data(), nothing.size());
        if (count == 0 || (count < 0 && errno != EINTR)) return;
    }
}

} // namespace warplight::cluster::platform
