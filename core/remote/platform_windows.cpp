// SPDX-License-Identifier: Apache-2.0
#include "remote/platform.hpp"

#include "files/problem.hpp"

namespace warplight::remote::platform {

std::string far_side_problem() {
    return "other machines can use devices of Linux machines only, and this one runs Windows. From here, devices of "
           "Linux machines can be used.";
}

std::string machine_name() { return {}; }

Listener::Listener(const std::filesystem::path& folder) { throw files::Problem(folder, far_side_problem()); }
Listener::~Listener() = default;
std::unique_ptr<SocketStream> Listener::accept() { return nullptr; }
void Listener::close() {}

std::unique_ptr<SocketStream> connect_to(const std::filesystem::path& /*folder*/) { return nullptr; }

HeldFile::Result HeldFile::take(const std::filesystem::path& /*file*/, bool /*make*/) { return Result::missing; }
void HeldFile::release() {}

std::string start_daemon(const std::filesystem::path& /*program*/, const std::vector<std::string>& /*arguments*/,
                         std::chrono::milliseconds /*patience*/) {
    return far_side_problem();
}

Daemon::Daemon() = default;
void Daemon::announce(const std::string& /*line*/, const std::filesystem::path& /*log*/) {}
std::string wait_for_end_signal() { return {}; }

} // namespace warplight::remote::platform
