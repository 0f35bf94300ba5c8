// SPDX-License-Identifier: Apache-2.0
#include "worker/process_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>

namespace warplight::worker::platform {
namespace {

namespace fs = std::filesystem;

void add_children(std::int64_t process, std::vector<std::int64_t>& found) {
    constexpr std::size_t most = 4096;
    std::error_code gone;
    const fs::path tasks = "/proc/" + std::to_string(process) + "/task";
    for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
        std::ifstream file(task->path() / "children");
        for (std::int64_t child = 0; found.size() < most && file >> child;)
            found.push_back(child);
    }
}

/// The number behind "NAME" at the start of a line.
std::uint64_t number_behind(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
        if (at == 0 || text[at - 1] == '\n') return std::strtoull(text.data() + at + name.size(), nullptr, 10);
    return 0;
}

/// What can be read: a process may end meanwhile, and std::getline() then ends without an exception.
std::string read_text(const fs::path& path) {
    std::ifstream file(path);
    std::string text;
    for (std::string line; std::getline(file, line);)
        text.append(line).push_back('\n');
    return text;
}

} // namespace

std::vector<std::int64_t> descendants(std::int64_t process) {
    std::vector<std::int64_t> found;
    add_children(process, found);
    for (std::size_t i = 0; i < found.size(); ++i)
        add_children(found[i], found);
    return found;
}

std::uint64_t memory_of(std::int64_t process) {
    const std::string status = read_text("/proc/" + std::to_string(process) + "/status");
    std::uint64_t kilobytes = 0;
    for (const std::string_view name : {"RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"})
        kilobytes += number_behind(status, name);
    return kilobytes << 10;
}

void limit_data(std::uint64_t bytes) {
    // The system counts memory as data when it is reserved for writing, as stacks are that are hardly used.
    constexpr std::uint64_t stack = std::uint64_t{64} << 20;
    const std::uint64_t room = (std::uint64_t{256} << 20) + stack * (16 + std::thread::hardware_concurrency());
    // What the process has reserved so far is its own: the shadow of an address sanitizer is terabytes.
    const std::uint64_t present = number_behind(read_text("/proc/self/status"), "VmData:") << 10;
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(limit.rlim_max, present + bytes + room);
    setrlimit(RLIMIT_DATA, &limit);
}

std::uint64_t memory_kills() {
    // The line of version 2 is "0::/path". In a container the path may be that of the host, which is not there.
    const std::string groups = read_text("/proc/self/cgroup");
    std::uint64_t kills = number_behind(read_text("/proc/vmstat"), "oom_kill ");
    const auto at = groups.find("0::");
    if (at == std::string::npos) return kills;
    const auto path = groups.substr(at + 3, groups.find('\n', at) - at - 3);
    return kills + number_behind(read_text("/sys/fs/cgroup" + path + "/memory.events"), "oom_kill ");
}

} // namespace warplight::worker::platform
