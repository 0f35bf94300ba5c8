// SPDX-License-Identifier: Apache-2.0
#include "worker/system_calls_linux.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace warplight::worker {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// clang-format off
/// Calls on what the process has already: its memory, threads, open files and timers; and on paths, which Landlock
/// guards. What is in no list answers "not implemented", as an older kernel would, and libraries do without.
constexpr int kAllowed[] = {
    // memory
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_msync, SYS_mincore, SYS_mlock, SYS_mlock2,
    SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_membarrier, SYS_memfd_create, SYS_pkey_alloc, SYS_pkey_free,
    SYS_pkey_mprotect, SYS_get_mempolicy, SYS_mbind, SYS_set_mempolicy,
    // threads
    SYS_futex, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getcpu,
    SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_gettid, SYS_getpid, SYS_getppid, SYS_getpgid, SYS_getsid,
    SYS_wait4, SYS_waitid, SYS_getpriority,
    // signals of this process
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
    SYS_sigaltstack, SYS_signalfd4,
    // open files
    SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_preadv, SYS_pwritev, SYS_preadv2,
    SYS_pwritev2, SYS_lseek, SYS_close, SYS_close_range, SYS_dup, SYS_dup3, SYS_fsync, SYS_fdatasync, SYS_ftruncate,
    SYS_fallocate, SYS_fadvise64, SYS_readahead, SYS_sync_file_range, SYS_flock, SYS_fstat, SYS_fstatfs, SYS_fchmod,
    SYS_sendfile, SYS_copy_file_range, SYS_getdents64, SYS_pipe2, SYS_eventfd2, SYS_epoll_create1, SYS_epoll_ctl,
    SYS_epoll_pwait, SYS_ppoll, SYS_pselect6,
    // paths
    SYS_openat, SYS_openat2, SYS_statfs, SYS_statx, SYS_newfstatat, SYS_faccessat, SYS_faccessat2, SYS_readlinkat,
    SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_umask,
    // time
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times,
    SYS_getitimer, SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun,
    SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
    // who and where
    SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrlimit, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_getgroups, SYS_getresuid, SYS_getresgid, SYS_capget,
#if defined(__x86_64__)
    // older spellings
    SYS_arch_prctl, SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir, SYS_rmdir,
    SYS_unlink, SYS_rename, SYS_renameat, SYS_getdents, SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_epoll_create,
    SYS_epoll_wait, SYS_eventfd, SYS_time, SYS_alarm, SYS_getpgrp, SYS_pause,
#endif
};

/// Calls that a program would make in vain. They answer "not permitted", which its messages then say.
constexpr int kRefused[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_ptrace, SYS_process_vm_writev, SYS_setuid, SYS_setgid, SYS_setpgid, SYS_setsid, SYS_setpriority,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setaffinity, SYS_sched_setattr, SYS_mount, SYS_umount2,
    SYS_unshare, SYS_setns, SYS_chroot, SYS_bpf, SYS_perf_event_open, SYS_fchmodat, SYS_fchown, SYS_fchownat,
    SYS_truncate, SYS_linkat, SYS_symlinkat, SYS_mknodat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_shmget, SYS_shmat, SYS_semget, SYS_msgget, SYS_mq_open, SYS_personality,
    SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
#if defined(__x86_64__)
    SYS_chmod, SYS_chown, SYS_lchown, SYS_link, SYS_symlink, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};
constexpr int kOfPrograms[] = {SYS_execve, SYS_execveat,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork,
#endif
};

constexpr std::uint32_t kOptionsOfProcess[] = {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_PDEATHSIG,
    PR_GET_PDEATHSIG, PR_SET_TIMERSLACK, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_VMA,
    PR_SET_THP_DISABLE, PR_GET_THP_DISABLE};
constexpr std::uint32_t kControlsOfFiles[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
constexpr std::uint32_t kControlsOfTerminals[] = {TIOCSTI, TIOCLINUX, TIOCSETD, TIOCCONS}; // they type for the user
/// They send signals to any process of the user's.
constexpr std::uint32_t kOwnersOfFiles[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG};
// clang-format on

class Filter {
public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
        answer(SECCOMP_RET_KILL_PROCESS); // int 0x80 has other numbers
        load_number();
#if defined(__x86_64__)
        constexpr std::uint32_t other_numbers = 0x40000000; // of x32
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, other_numbers, 0, 1));
        answer(SECCOMP_RET_KILL_PROCESS);
#endif
    }

    template <class List>
    void allow(const List& calls) {
        for (const int call : calls)
            rule(call, SECCOMP_RET_ALLOW);
    }
    template <class List>
    void refuse(const List& calls) {
        for (const int call : calls)
            rule(call, error(EPERM));
    }
    void rule(int call, std::uint32_t action) {
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
        answer(action);
    }
    /// The call is answered with `action` where the lower half of an argument is one of the values, else with `other`.
    template <class Values>
    void rule_of_argument(int call, unsigned argument, const Values& values, std::uint32_t action,
                          std::uint32_t other) {
        const auto length = static_cast<std::uint8_t>(2 * std::size(values) + 2);
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, length));
        load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t)));
        for (const std::uint32_t value : values) {
            code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
            answer(action);
        }
        answer(other);
    }
    /// The call is allowed where of `mask` exactly `bits` are set in an argument.
    void rule_of_bits(int call, unsigned argument, std::uint32_t mask, std::uint32_t bits) {
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 5));
        load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t)));
        code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1));
        answer(SECCOMP_RET_ALLOW);
        answer(error(EPERM));
    }
    /// The call is allowed where an argument, a pointer, is null.
    void rule_of_null(int call, unsigned argument) {
        const auto at = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 6));
        load(at);
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2));
        load(at + sizeof(std::uint32_t));
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
        answer(error(EPERM));
        answer(SECCOMP_RET_ALLOW);
    }
    void answer(std::uint32_t action) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
    static std::uint32_t error(int number) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(number); }

    std::vector<sock_filter>& code() { return code_; }

private:
    void load(std::uint32_t offset) { code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
    void load_number() { load(offsetof(seccomp_data, nr)); }

    std::vector<sock_filter> code_;
};

void add_calls_of_programs(Filter& filter, bool programs) {
    // Its flags lie in memory, where a filter cannot look. The C library falls back to clone.
    filter.rule(SYS_clone3, Filter::error(ENOSYS));
    if (programs) {
        filter.allow(kOfPrograms);
        constexpr std::uint32_t new_namespaces =
            CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
        filter.rule_of_bits(SYS_clone, 0, new_namespaces, 0);
        // Which processes these may be is not known yet. Landlock keeps signals among them.
        constexpr int of_groups[] = {SYS_kill, SYS_tgkill, SYS_setpgid};
        filter.allow(of_groups);
        return;
    }
    filter.refuse(kOfPrograms);
    filter.rule_of_bits(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
    const std::array<std::uint32_t, 1> self = {static_cast<std::uint32_t>(getpid())};
    for (const int call : {SYS_kill, SYS_tgkill, SYS_process_vm_readv})
        filter.rule_of_argument(call, 0, self, SECCOMP_RET_ALLOW, Filter::error(EPERM));
}

/// cuInit makes a socket with an abstract name, on which another process could hand it files. Without it the driver
/// answers with error 304. It connects to nothing, and nothing is sent.
void add_calls_of_gpu(Filter& filter) {
    constexpr std::array<std::uint32_t, 1> local = {AF_UNIX};
    filter.rule_of_argument(SYS_socket, 0, local, SECCOMP_RET_ALLOW, Filter::error(EPERM));
    constexpr int waiting[] = {SYS_bind, SYS_listen, SYS_getsockname, SYS_setsockopt, SYS_getsockopt};
    filter.allow(waiting);
    filter.rule_of_argument(SYS_ioctl, 1, kControlsOfTerminals, Filter::error(EPERM), SECCOMP_RET_ALLOW);
}

std::vector<sock_filter> make_filter(const SystemCalls& allowed) {
    Filter filter;
    filter.allow(kAllowed);
    add_calls_of_programs(filter, allowed.programs);
    const std::array<std::uint32_t, 2> self = {0, static_cast<std::uint32_t>(getpid())};
    filter.rule_of_argument(SYS_prlimit64, 0, self, SECCOMP_RET_ALLOW, Filter::error(EPERM));
    filter.rule_of_argument(SYS_fcntl, 1, kOwnersOfFiles, Filter::error(EPERM), SECCOMP_RET_ALLOW);
    if (allowed.gpu)
        add_calls_of_gpu(filter);
    else
        filter.rule_of_argument(SYS_ioctl, 1, kControlsOfFiles, SECCOMP_RET_ALLOW, Filter::error(ENOTTY));
    filter.rule_of_argument(SYS_prctl, 0, kOptionsOfProcess, SECCOMP_RET_ALLOW, Filter::error(EPERM));
    filter.rule_of_null(SYS_utimensat, 1); // times of open files: a path may lead anywhere
    filter.refuse(kRefused);
    filter.answer(Filter::error(ENOSYS));
    return std::move(filter.code());
}

} // namespace

std::string restrict_system_calls(const SystemCalls& allowed) {
    std::vector<sock_filter> code = make_filter(allowed);
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    // The flag keeps guesses of the processor as they are: the kernel would slow them down for the filter's sake only.
    constexpr unsigned long flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (result == 0) return {};
    if (result > 0) return "one of the process's threads has a filter of its own";
    switch (errno) {
    case ENOSYS:
    case EINVAL: return "this kernel has no seccomp filters, or a container's rules forbid them";
    case EPERM:
    case EACCES: return "a container's rules forbid seccomp filters";
    default: return std::string("seccomp cannot be used: ") + std::strerror(errno);
    }
}

} // namespace warplight::worker
