// SPDX-License-Identifier: Apache-2.0
#include "worker/landlock_linux.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warplight::worker::landlock {
namespace {

// Numbers of the kernel's interface, the same on every architecture.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;

enum Right : std::uint64_t {
    execute = 1U << 0,
    write_file = 1U << 1,
    read_file = 1U << 2,
    read_dir = 1U << 3,
    remove_dir = 1U << 4,
    remove_file = 1U << 5,
    make_dir = 1U << 7,
    make_regular = 1U << 8,
    every_first = (1U << 13) - 1, // of version 1
    refer = 1U << 13,
    truncate = 1U << 14,
    ioctl_device = 1U << 15,
};
constexpr std::uint64_t kFileRights = execute | write_file | read_file | truncate | ioctl_device;
constexpr std::uint64_t kReading = read_file | read_dir;
constexpr std::uint64_t kWriting =
    kReading | write_file | truncate | make_regular | make_dir | remove_file | remove_dir | refer;

struct RulesetAttributes {
    std::uint64_t files = 0, tcp = 0, scopes = 0;
};
struct [[gnu::packed]] PathAttributes {
    std::uint64_t rights;
    std::int32_t file;
};

RulesetAttributes handled_by(int version) {
    RulesetAttributes handled;
    handled.files = every_first;
    if (version >= 2) handled.files |= refer;
    if (version >= truncation) handled.files |= truncate;
    if (version >= device_control) handled.files |= ioctl_device;
    if (version >= tcp) handled.tcp = 3;       // bind and connect
    if (version >= scopes) handled.scopes = 3; // abstract sockets and signals
    return handled;
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
    const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) return; // what is not there needs no rule
    struct stat status{};
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= kFileRights;
    const PathAttributes attributes{rights, file};
    constexpr int below_path = 1;
    syscall(kAddRule, ruleset, below_path, &attributes, 0);
    // A rule belongs to the inode. Those of /proc are made anew whenever nobody holds the entry.
    if (!path.native().starts_with("/proc")) close(file);
}

std::string why_not(int error) {
    switch (error) {
    case ENOSYS: return "this kernel has no Landlock, which Linux has since 5.13, or a container's rules forbid it";
    case EOPNOTSUPP: return "Landlock is not among the kernel's security modules (boot parameter lsm=)";
    case EPERM: return "a container's rules forbid Landlock";
    default: return std::string("Landlock cannot be used: ") + std::strerror(error);
    }
}

} // namespace

Result available() {
    constexpr unsigned ask_version = 1;
    const long version = syscall(kCreateRuleset, nullptr, 0, ask_version);
    if (version < 1) return {0, why_not(version == 0 ? ENOSYS : errno)};
    return {static_cast<int>(version), ""};
}

Result restrict_self(const Rules& rules) {
    const auto [version, problem] = available();
    if (version == 0) return {0, problem};
    const RulesetAttributes handled = handled_by(version);
    const int ruleset = static_cast<int>(syscall(kCreateRuleset, &handled, sizeof handled, 0));
    if (ruleset < 0) return {0, why_not(errno)};
    struct Group {
        const std::vector<std::filesystem::path>& paths;
        std::uint64_t rights;
    };
    for (const Group& group :
         {Group{rules.read, kReading}, Group{rules.write, kWriting}, Group{rules.execute, execute | read_file},
          Group{rules.control, read_file | write_file | ioctl_device}})
        for (const auto& path : group.paths)
            allow(ruleset, path, group.rights & handled.files);
    const bool done = syscall(kRestrictSelf, ruleset, 0) == 0;
    const int error = errno;
    close(ruleset);
    return done ? Result{version, ""} : Result{0, why_not(error)};
}

} // namespace warplight::worker::landlock
