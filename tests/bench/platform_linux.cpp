// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace warplight::bench {

std::size_t resident_bytes() {
    std::ifstream in("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    in >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double processor_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

void set_environment(const std::string& name, const std::string& value) { setenv(name.c_str(), value.c_str(), 1); }

void set_default_environment(const std::string& name, const std::string& value) {
    setenv(name.c_str(), value.c_str(), 0);
}

std::string output_of(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) throw std::runtime_error("cannot start " + command);
    std::string text;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, count);
    if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
    return text;
}

std::string program_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

} // namespace warplight::bench
