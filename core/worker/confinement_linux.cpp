// SPDX-License-Identifier: Apache-2.0
#include "worker/confinement.hpp"

#include "driver/library.hpp"
#include "session/saved_results.hpp"
#include "warplight/compiler.hpp"
#include "worker/landlock_linux.hpp"
#include "worker/system_calls_linux.hpp"
#include "worker/walls.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <linux/capability.h>
#include <sstream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace warplight::worker {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

void append(Paths& to, const Paths& more) { to.insert(to.end(), more.begin(), more.end()); }

/// Libraries, and what the C library and thread pools ask the system.
Paths system_files() {
    Paths paths = {"/usr",
                   "/lib",
                   "/lib32",
                   "/lib64",
                   "/libx32",
                   "/nix/store",
                   "/gnu/store",
                   "/etc/ld.so.cache",
                   "/etc/ld.so.preload",
                   "/etc/localtime",
                   "/etc/alternatives",
                   "/sys/devices/system",
                   "/sys/fs/cgroup",
                   "/sys/kernel/mm",
                   "/proc/cpuinfo",
                   "/proc/meminfo",
                   "/proc/stat",
                   "/proc/version",
                   "/proc/filesystems",
                   "/proc/sys/vm",
                   "/proc/sys/kernel/random"};
    // Of this process, but not what it was given: its environment, and its memory as a file.
    for (const char* name : {"maps", "status", "stat", "statm", "cmdline", "comm", "cgroup", "mounts", "mountinfo",
                             "limits", "auxv", "fd", "smaps_rollup"})
        paths.push_back(fs::path("/proc/self") / name);
    std::error_code code;
    if (auto program = fs::read_symlink("/proc/self/exe", code); !code) paths.push_back(std::move(program));
    return paths;
}

Paths library_folders() {
    Paths folders;
    const char* path = std::getenv("LD_LIBRARY_PATH");
    std::istringstream entries(path ? path : "");
    for (std::string entry; std::getline(entries, entry, ':');)
        if (entry.starts_with('/') && !holds_home(entry)) folders.emplace_back(entry);
    return folders;
}

/// Libraries that the user has chosen for files of data (formats/optional_library.hpp).
Paths chosen_libraries() {
    Paths libraries;
    for (const char* variable : {"WARPLIGHT_HDF5_LIBRARY", "WARPLIGHT_SOUND_LIBRARY", "WARPLIGHT_NVML_LIBRARY"})
        if (const char* chosen = std::getenv(variable); chosen && *chosen == '/') libraries.emplace_back(chosen);
    return libraries;
}

Paths below(const fs::path& folder, std::string_view prefix) {
    Paths found;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        if (it->path().filename().native().starts_with(prefix)) found.push_back(it->path());
    return found;
}

Paths gpu_devices() {
    Paths devices = below("/dev", "nvidia");
    devices.emplace_back("/dev/dxg"); // of the Windows Subsystem for Linux
    append(devices, below("/dev", "nvhost"));
    append(devices, below("/dev", "nvmap"));
    return devices;
}

void add_gpu(Confinement& to) {
    to.gpu = true;
    append(to.access.read,
           {"/sys", "/proc/driver", "/proc/devices", "/proc/modules", "/proc/self/task", "/proc/sys/kernel",
            "/dev/urandom", "/dev/zero", "/run/nvidia-persistenced", "/etc/nvidia"});
    // The driver names its threads through files; without them cuInit fails with error 304.
    append(to.access.write, {"/proc/self/task", "/dev/shm"});
    const char* chosen = std::getenv("CUDA_CACHE_PATH");
    const char* home = std::getenv("HOME");
    if (chosen && *chosen)
        to.access.write.emplace_back(chosen);
    else if (home && *home)
        to.access.write.push_back(fs::path(home) / ".nv" / "ComputeCache");
}

Confinement common(Access access) {
    Confinement to{std::move(access), {}, false};
    append(to.access.read, system_files());
    append(to.access.read, library_folders());
    append(to.access.read, chosen_libraries());
    to.access.write.emplace_back("/dev/null");
    return to;
}

void make_missing_folders(const Paths& folders) {
    for (const fs::path& folder : folders) {
        std::error_code code;
        if (!fs::exists(folder, code)) fs::create_directories(folder, code);
    }
}

/// An administrator's process keeps the right to the files that Landlock leaves it, and no other right.
bool drop_capabilities() {
    constexpr std::uint32_t files = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER;
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    for (std::size_t half = 0; half < 2; ++half) {
        const std::uint32_t kept = half == 0 ? files : 0;
        data[half].effective &= kept;
        data[half].permitted &= kept;
        data[half].inheritable &= kept;
    }
    return syscall(SYS_capset, &header, data) == 0;
}

bool lower_limit(decltype(RLIMIT_CORE) which, rlim_t most) {
    rlimit limit{};
    if (getrlimit(which, &limit) != 0) return false;
    limit.rlim_max = std::min(limit.rlim_max, most);
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
    return setrlimit(which, &limit) == 0;
}

bool set_limits(bool gpu) {
    // Memory of the device may be a memory file, which this limit holds for, too.
    const auto memory = static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    const rlim_t file = std::max<rlim_t>(rlim_t{64} << 30, 4 * memory);
    std::signal(SIGXFSZ, SIG_IGN); // a write over the limit fails with an error instead
    const bool core = lower_limit(RLIMIT_CORE, 0), size = lower_limit(RLIMIT_FSIZE, file);
    return lower_limit(RLIMIT_NOFILE, gpu ? 16384 : 4096) && core && size;
}

bool environment_is_clean() {
    for (char** each = environ; each && *each; ++each) {
        const std::string_view text(*each);
        if (!is_passed_on(text.substr(0, text.find('=')))) return false;
    }
    return true;
}

/// How the walls that Landlock and seccomp share stand.
struct Means {
    landlock::Result landlock;
    std::string no_seccomp; ///< why there is none
    bool programs = false;

    [[nodiscard]] bool seccomp() const { return no_seccomp.empty(); }
    [[nodiscard]] std::string version() const { return "Landlock, version " + std::to_string(landlock.version); }
};

Wall wall(WallNumber number, std::string by, std::string missing) {
    return {kWallTexts[number].name, kWallTexts[number].keeps, std::move(by), std::move(missing)};
}

Wall wall_of_files(const Means& m) {
    if (!m.landlock.version) return wall(files, "", m.landlock.problem);
    const bool truncates = m.landlock.version < landlock::truncation && !m.seccomp();
    return wall(files, m.version(), truncates ? "files elsewhere can still be cut to length 0" : "");
}

Wall wall_of_programs(const Means& m) {
    const bool landlock = m.landlock.version > 0;
    if (m.programs) {
        Wall result = wall(programs, landlock ? m.version() : "", m.landlock.problem);
        result.keeps = "starts only programs of the system and of the toolkit";
        return result;
    }
    if (m.seccomp()) return wall(programs, "seccomp", "");
    if (landlock) return wall(programs, m.version(), "processes of its own can be started: " + m.no_seccomp);
    return wall(programs, "", m.no_seccomp);
}

Wall wall_of_network(const Means& m) {
    if (m.seccomp()) return wall(network, "seccomp", "");
    if (m.landlock.version >= landlock::tcp) return wall(network, m.version(), "only TCP is closed: " + m.no_seccomp);
    return wall(network, "", m.no_seccomp);
}

Wall wall_of_processes(const Means& m) {
    const bool scopes = m.landlock.version >= landlock::scopes;
    if (m.seccomp() && (scopes || !m.programs)) return wall(processes, "seccomp", "");
    if (!m.seccomp() && !m.landlock.version) return wall(processes, "", m.no_seccomp);
    return wall(processes, m.seccomp() ? "seccomp" : m.version(),
                scopes ? "" : "processes of this user can still be signalled");
}

std::vector<Wall> list_walls(const Means& means, bool privileges_dropped, bool limits_set) {
    return {wall_of_files(means),
            wall_of_programs(means),
            wall_of_network(means),
            wall_of_processes(means),
            wall(system_calls, means.seccomp() ? "seccomp" : "", means.no_seccomp),
            wall(privileges, privileges_dropped ? "no_new_privs" : "",
                 privileges_dropped ? "" : "the kernel refused to drop privileges"),
            wall(limits, limits_set ? "rlimit" : "", limits_set ? "" : "the kernel refused the limits"),
            environment_is_clean() ? wall(environment, "a list of variables", "")
                                   : wall(environment, "", "the worker was started by a program that passes on more")};
}

} // namespace

Confinement confinement_of_worker(const std::string& driver, Access access) {
    Confinement to = common(std::move(access));
    const fs::path cache = fs::path(compiler::cache_folder());
    append(to.access.write, {cache, cache.parent_path() / "objects", session::saved_results_folder()});
    if (driver != "cuda") return to;
    add_gpu(to);
    // It checks and profiles what the GPU runs, and is opened when that is asked for.
    for (const fs::path& library : driver::detail::software_library_places())
        if (std::error_code code; library.is_absolute() && fs::exists(library, code)) {
            to.access.read.push_back(library);
            break;
        }
    return to;
}

Confinement confinement_of_compiler(Access access, std::vector<fs::path> toolkit) {
    Confinement to = common(std::move(access));
    append(to.access.read, {"/bin"});
    if (toolkit.empty()) return to;
    to.programs = std::move(toolkit);
    append(to.programs, {"/usr", "/bin", "/lib", "/lib64", "/nix/store", "/gnu/store"});
    return to;
}

bool can_confine_files() { return landlock::available().version > 0; }

std::vector<Wall> confine(const Confinement& what) {
    make_missing_folders(what.access.write);
    // Before Landlock and seccomp, which need it.
    const bool no_new = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    const bool dropped = drop_capabilities() && no_new;
    const bool limited = set_limits(what.gpu);
    Means means;
    means.programs = !what.programs.empty();
    means.landlock = landlock::restrict_self(
        {what.access.read, what.access.write, what.programs, what.gpu ? gpu_devices() : Paths()});
    means.no_seccomp = restrict_system_calls({means.programs, what.gpu});
    return list_walls(means, dropped, limited);
}

} // namespace warplight::worker
