// SPDX-License-Identifier: Apache-2.0
#include "confinement_attempts.hpp"

#include "worker/confinement.hpp"
#include "worker/platform.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace confinement {
namespace {

std::string text_of(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? value : "";
}

void tell(const std::string& name, long result) {
    std::printf("%s %s\n", name.c_str(), result >= 0 ? "done" : strerrorname_np(errno));
}

long opened(const std::string& path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    return file;
}

void try_files(const std::string& mine, const std::string& out, const std::string& other, const std::string& parent) {
    tell("read-session", opened(mine + "/data", O_RDONLY));
    tell("write-out", opened(out + "/result", O_RDWR | O_CREAT));
    tell("truncate-out", opened(out + "/result", O_RDWR | O_TRUNC));
    tell("rename-in-out", rename((out + "/result").c_str(), (out + "/result2").c_str()));
    tell("read-library", opened("/usr/bin/env", O_RDONLY));
    tell("read-shadow", opened("/etc/shadow", O_RDONLY));
    tell("read-passwd", opened("/etc/passwd", O_RDONLY));
    tell("list-root", opened("/", O_RDONLY | O_DIRECTORY));
    tell("list-tmp", opened("/tmp", O_RDONLY | O_DIRECTORY));
    tell("read-other", opened(other + "/secret", O_RDONLY));
    tell("read-through-link", opened(mine + "/link", O_RDONLY));
    tell("read-through-dots", opened(mine + "/../other/secret", O_RDONLY));
    tell("write-session", opened(mine + "/new", O_WRONLY | O_CREAT));
    tell("overwrite-session", opened(mine + "/data", O_WRONLY | O_TRUNC));
    tell("write-other", opened(other + "/new", O_WRONLY | O_CREAT));
    tell("write-home", opened(text_of("HOME") + "/.profile", O_WRONLY | O_CREAT));
    tell("write-tmp", opened("/tmp/warplight-attack", O_WRONLY | O_CREAT));
    tell("truncate-other", truncate((other + "/secret").c_str(), 0));
    tell("chmod-other", chmod((other + "/secret").c_str(), 0777));
    tell("chown-other", chown((other + "/secret").c_str(), 1, 1));
    tell("times-other", utimensat(AT_FDCWD, (other + "/secret").c_str(), nullptr, 0));
    tell("link-other", link((other + "/secret").c_str(), (out + "/linked").c_str()));
    tell("link-out", symlink("/etc/shadow", (out + "/symbolic").c_str()));
    tell("rename-other", rename((other + "/secret").c_str(), (out + "/stolen").c_str()));
    tell("rename-out", rename((out + "/result2").c_str(), (other + "/planted").c_str()));
    tell("remove-other", unlink((other + "/secret").c_str()));
    tell("fifo", mknod((out + "/fifo").c_str(), S_IFIFO | 0600, 0));
    tell("own-environment", opened("/proc/self/environ", O_RDONLY));
    tell("own-memory", opened("/proc/self/mem", O_RDWR));
    tell("parent-environment", opened("/proc/" + parent + "/environ", O_RDONLY));
    tell("parent-memory", opened("/proc/" + parent + "/mem", O_RDWR));
    tell("parent-maps", opened("/proc/" + parent + "/maps", O_RDONLY));
    tell("own-maps", opened("/proc/self/maps", O_RDONLY));
    long in_thread = 0;
    int error = 0;
    std::thread([&] {
        in_thread = opened("/etc/passwd", O_RDONLY);
        error = errno;
    }).join();
    errno = error;
    tell("read-in-thread", in_thread);
}

void try_programs() {
    char name[] = "/bin/true";
    char* arguments[] = {name, nullptr};
    pid_t child = 0;
    errno = posix_spawn(&child, name, nullptr, nullptr, arguments, environ);
    tell("spawn", errno ? -1 : 0);
    const long forked = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (forked == 0) _exit(0);
    tell("fork", forked);
    tell("exec", execv(name, arguments));
    const int memory = memfd_create("program", MFD_CLOEXEC);
    if (memory >= 0 && write(memory, "#!/bin/true\n", 12) == 12)
        tell("exec-memory", syscall(SYS_execveat, memory, "", arguments, environ, AT_EMPTY_PATH));
}

void try_network() {
    tell("socket-tcp", socket(AF_INET, SOCK_STREAM, 0));
    tell("socket-udp", socket(AF_INET6, SOCK_DGRAM, 0));
    tell("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0));
    tell("socket-netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    int pair[2];
    tell("socket-pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

void try_processes(pid_t parent) {
    tell("ptrace-parent", ptrace(PTRACE_ATTACH, parent, nullptr, nullptr));
    tell("ptrace-me", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
    std::uint64_t word = 0;
    iovec here{&word, sizeof word}, there{&word, sizeof word};
    tell("read-parent", process_vm_readv(parent, &here, 1, &there, 1, 0));
    tell("write-parent", process_vm_writev(parent, &here, 1, &there, 1, 0));
    tell("read-self", process_vm_readv(getpid(), &here, 1, &there, 1, 0));
    tell("signal-parent", kill(parent, 0));
    tell("signal-group", kill(0, 0));
    tell("signal-all", kill(-1, 0));
    tell("signal-thread", syscall(SYS_tgkill, parent, parent, 0));
    tell("signal-self", kill(getpid(), 0));
    int ends[2];
    if (pipe(ends) == 0) tell("signal-by-file", fcntl(ends[0], F_SETOWN, parent));
    tell("handle-of-parent", syscall(434 /* pidfd_open */, parent, 0));
    rlimit limit{};
    tell("limits-of-parent", prlimit(parent, RLIMIT_NOFILE, nullptr, &limit));
    tell("group", setpgid(0, 0));
}

/// With arguments of 0, so that a kernel that would allow a call answers with another error or does no harm.
void try_system_calls() {
    struct Call {
        const char* name;
        long number;
    };
    const Call calls[] = {
        {"bpf", SYS_bpf},
        {"perf_event_open", SYS_perf_event_open},
        {"userfaultfd", SYS_userfaultfd},
        {"io_uring_setup", 425},
        {"io_uring_enter", 426},
        {"io_uring_register", 427},
        {"keyctl", SYS_keyctl},
        {"add_key", SYS_add_key},
        {"request_key", SYS_request_key},
        {"open_by_handle_at", SYS_open_by_handle_at},
        {"name_to_handle_at", SYS_name_to_handle_at},
        {"personality", SYS_personality},
        {"modify_ldt", SYS_modify_ldt},
        {"kexec_load", SYS_kexec_load},
        {"kexec_file_load", SYS_kexec_file_load},
        {"init_module", SYS_init_module},
        {"finit_module", SYS_finit_module},
        {"delete_module", SYS_delete_module},
        {"chroot", SYS_chroot},
        {"pivot_root", SYS_pivot_root},
        {"swapon", SYS_swapon},
        {"reboot", SYS_reboot},
        {"mount", SYS_mount},
        {"umount2", SYS_umount2},
        {"open_tree", 428},
        {"move_mount", 429},
        {"fsopen", 430},
        {"mount_setattr", 442},
        {"unshare", SYS_unshare},
        {"setns", SYS_setns},
        {"acct", SYS_acct},
        {"quotactl", SYS_quotactl},
        {"settimeofday", SYS_settimeofday},
        {"sethostname", SYS_sethostname},
        {"iopl", SYS_iopl},
        {"ioperm", SYS_ioperm},
        {"syslog", SYS_syslog},
        {"vhangup", SYS_vhangup},
        {"fanotify_init", SYS_fanotify_init},
        {"inotify_init1", SYS_inotify_init1},
        {"shmget", SYS_shmget},
        {"semget", SYS_semget},
        {"msgget", SYS_msgget},
        {"mq_open", SYS_mq_open},
        {"kcmp", SYS_kcmp},
        {"pidfd_getfd", 438},
        {"process_madvise", 440},
        {"memfd_secret", 447},
        {"process_mrelease", 448},
        {"seccomp", SYS_seccomp},
        {"setuid", SYS_setuid},
        {"capset", SYS_capset},
        {"clone3", 435},
        {"vmsplice", SYS_vmsplice},
    };
    for (const Call& call : calls)
        tell(std::string("call-") + call.name, syscall(call.number, 0, 0, 0, 0, 0, 0));
    long open_calls = 0;
    for (long number = 463; number < 2000; ++number)
        if (syscall(number, 0, 0, 0, 0, 0, 0) != -1 || errno != ENOSYS) ++open_calls;
    std::printf("calls-of-later-kernels %ld\n", open_calls);
    constexpr int typed_for_the_user = 0x5412; // TIOCSTI
    char letter = 'x';
    tell("ioctl-terminal", syscall(SYS_ioctl, 0, typed_for_the_user, &letter));
}

void tell_state() {
    std::printf("no-new-privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    const bool asked = syscall(SYS_capget, &header, data) == 0;
    constexpr std::uint32_t files = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER;
    std::printf("capabilities %d\n", asked && !(data[0].permitted & ~files) && !data[1].permitted ? 0 : 1);
    rlimit core{}, files_open{};
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_NOFILE, &files_open);
    std::printf("core-limit %llu\n", static_cast<unsigned long long>(core.rlim_max));
    std::printf("file-limit %d\n", files_open.rlim_max <= 4096 ? 1 : 0);
    core.rlim_max = core.rlim_cur = 1 << 20;
    tell("raise-limit", setrlimit(RLIMIT_CORE, &core));
}

warplight::worker::Access access_of_test() {
    return {{text_of("WARPLIGHT_TEST_SESSION")}, {text_of("WARPLIGHT_TEST_OUT")}};
}

/// @returns whether the wall for system calls stands
bool confine_as_worker() {
    using namespace warplight::worker;
    bool calls = false;
    for (const Wall& wall : confine(confinement_of_worker("software", access_of_test()))) {
        std::printf("wall-%s %s\n", wall.name.c_str(), wall.whole() ? "stands" : "missing");
        calls = calls || (wall.name == "system calls" && wall.whole());
    }
    return calls;
}

} // namespace

int attempts() {
    const std::string parent = text_of("WARPLIGHT_TEST_PARENT");
    const bool calls = confine_as_worker();
    tell_state();
    try_files(text_of("WARPLIGHT_TEST_SESSION"), text_of("WARPLIGHT_TEST_OUT"), text_of("WARPLIGHT_TEST_OTHER"),
              parent);
    if (!calls) return 0; // the system would do what the rest asks for
    try_network();
    try_processes(std::atoi(parent.c_str()));
    try_system_calls();
    try_programs();
    return 0;
}

int foreign_call(const char* which) {
    if (!confine_as_worker()) return 0;
    std::fflush(stdout);
    long result = 0;
#if defined(__x86_64__)
    if (std::strcmp(which, "int80") == 0) {
        constexpr long getpid_of_i386 = 20;
        asm volatile("int $0x80" : "=a"(result) : "a"(getpid_of_i386) : "memory");
    } else {
        constexpr long x32 = 0x40000000;
        result = syscall(x32 | SYS_getpid);
    }
#endif
    std::printf("survived %ld\n", result);
    return 0;
}

} // namespace confinement
