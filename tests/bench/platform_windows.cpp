// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#include <windows.h>
// After windows.h.
#include <psapi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace warplight::bench {

std::size_t resident_bytes() {
    PROCESS_MEMORY_COUNTERS counters = {};
    K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
    return counters.WorkingSetSize;
}

double processor_milliseconds() {
    FILETIME created, ended, kernel, user;
    if (!GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user)) return 0;
    const auto milliseconds = [](const FILETIME& time) { // from units of 100 ns
        return (static_cast<double>(time.dwHighDateTime) * 4294967296.0 + static_cast<double>(time.dwLowDateTime)) *
               1e-4;
    };
    return milliseconds(kernel) + milliseconds(user);
}

void set_environment(const std::string& name, const std::string& value) { _putenv_s(name.c_str(), value.c_str()); }

void set_default_environment(const std::string& name, const std::string& value) {
    if (!std::getenv(name.c_str())) set_environment(name, value);
}

std::string output_of(const std::string& command) {
    // cmd.exe takes away the outermost quotes.
    std::FILE* pipe = _popen(("\"" + command + "\"").c_str(), "r");
    if (!pipe) throw std::runtime_error("cannot start " + command);
    std::string text;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, count);
    if (_pclose(pipe) != 0) throw std::runtime_error(command + " failed");
    return text;
}

std::string program_path() {
    char path[MAX_PATH] = {};
    GetModuleFileNameA(nullptr, path, MAX_PATH);
    return path;
}

} // namespace warplight::bench
