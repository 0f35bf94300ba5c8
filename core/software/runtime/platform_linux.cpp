// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#ifndef _WIN32

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace warplight::software::platform {

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

void* reserve(std::size_t bytes) {
    void* address = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address == MAP_FAILED ? nullptr : address;
}

void* reserve_at(std::uint64_t address, std::size_t bytes) {
    void* wanted = reinterpret_cast<void*>(address);
    void* range =
        mmap(wanted, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (range == MAP_FAILED) return nullptr;
    if (range == wanted) return range;
    munmap(range, bytes); // systems that do not know the flag take the address for a wish
    return nullptr;
}

std::uint64_t address_room() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    file >> pages;
    const std::uint64_t used = pages * page_size();
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

bool commit(void* address, std::size_t bytes) {
    if (mprotect(address, bytes, PROT_READ | PROT_WRITE) != 0) return false;
    // A page fault for every 4 KiB of a large array costs more than a simple kernel that fills it.
    if (bytes >= (std::size_t{4} << 20)) madvise(address, bytes, MADV_HUGEPAGE);
    return true;
}

bool commit_when_touched(void* address, std::size_t bytes, std::uint64_t /*like*/) {
    // Where there is a limit on data, all of a private mapping counts, also what is never touched: nothing would be
    // left.
    rlimit limit{};
    const bool is_limited = getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    const int kind = is_limited ? MAP_SHARED : MAP_PRIVATE;
    if (mmap(address, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
        return false;
    madvise(address, bytes, MADV_DONTDUMP);
    return true;
}

bool commit_touched(std::uint64_t) { return false; } // the system does it

void clear_touched(void* pages, std::size_t bytes) {
    // The first is for shared mappings, of which the second would keep what is there; private ones refuse it.
    if (madvise(pages, bytes, MADV_REMOVE) != 0 && madvise(pages, bytes, MADV_DONTNEED) != 0)
        std::memset(pages, 0, bytes);
}

void decommit(void* address, std::size_t bytes) {
    // Mapping anew gives the pages back and lets the kernel merge the range with its neighbours.
    (void)mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void unreserve(void* address, std::size_t bytes) { munmap(address, bytes); }

bool has_unaddressed_memory() { return true; }

std::intptr_t create_memory(std::size_t bytes) {
    const int memory = memfd_create("warplight", MFD_CLOEXEC);
    if (memory < 0) return -1;
    if (ftruncate(memory, static_cast<off_t>(bytes)) != 0) {
        close(memory);
        return -1;
    }
    return memory;
}

void close_memory(std::intptr_t memory) { close(static_cast<int>(memory)); }

bool map_memory(std::intptr_t memory, std::size_t offset, void* address, std::size_t bytes) {
    return mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, static_cast<int>(memory),
                static_cast<off_t>(offset)) != MAP_FAILED;
}

bool protect_memory(void* address, std::size_t bytes, bool read, bool write) {
    return mprotect(address, bytes, (read ? PROT_READ : PROT_NONE) | (write ? PROT_WRITE : PROT_NONE)) == 0;
}

namespace {
/// The kernel reads the set of signals before it refuses the operation.
bool is_readable(std::uintptr_t address) {
    constexpr std::size_t size = 8; // of a set
    const auto* set = reinterpret_cast<const void*>(address & ~(size - 1));
    return syscall(SYS_rt_sigprocmask, -1, set, nullptr, size) == 0 || errno != EFAULT;
}
} // namespace

std::size_t read_memory(const void* from, void* to, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    bytes = std::min<std::size_t>(bytes, UINTPTR_MAX - begin);
    std::size_t done = 0;
    while (done < bytes) {
        // An element is read whole or not at all.
        std::array<iovec, 64> pages;
        std::size_t count = 0, asked = 0;
        for (; count < pages.size() && done + asked < bytes; ++count) {
            const std::uintptr_t at = begin + done + asked;
            pages[count] = {reinterpret_cast<void*>(at),
                            std::min<std::size_t>(bytes - done - asked, page_size() - at % page_size())};
            asked += pages[count].iov_len;
        }
        const iovec target{static_cast<std::byte*>(to) + done, asked};
        auto got = process_vm_readv(getpid(), &target, 1, pages.data(), count, 0);
        if (got < 0 && errno != EFAULT) { // some sandboxes forbid it
            if (!is_readable(begin + done)) return done;
            got = static_cast<ssize_t>(pages[0].iov_len);
            std::memcpy(target.iov_base, pages[0].iov_base, pages[0].iov_len);
            asked = pages[0].iov_len;
        }
        if (got <= 0) return done;
        done += static_cast<std::size_t>(got);
        if (static_cast<std::size_t>(got) < asked) return done;
    }
    return done;
}

unsigned processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
    return std::max(1U, std::thread::hardware_concurrency());
}

std::uint64_t physical_memory() {
    std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_size();
    // A container may have less.
    for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream file(path);
        std::uint64_t limit = 0;
        if (file >> limit && limit > 0) bytes = std::min(bytes, limit);
    }
    return bytes;
}

namespace {
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const auto start = line.find_first_not_of(" \t", colon + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}
} // namespace

std::string processor_name() {
    const std::string name = cpuinfo("model name");
    return name.empty() ? "CPU" : name;
}

int processor_khz() {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    int khz = 0;
    if (file >> khz && khz > 0) return khz;
    const std::string mhz = cpuinfo("cpu MHz");
    khz = static_cast<int>(std::strtod(mhz.c_str(), nullptr) * 1000);
    return khz > 0 ? khz : 1'000'000;
}

std::size_t last_cache_bytes() {
    namespace fs = std::filesystem;
    const auto line_of = [](const fs::path& file) {
        std::ifstream in(file);
        std::string line;
        std::getline(in, line);
        return line;
    };
    int last_level = 0;
    std::map<std::string, std::size_t> caches; // of that level, by the processors that share one
    std::error_code code;
    for (fs::directory_iterator cpu("/sys/devices/system/cpu", code), end; !code && cpu != end; cpu.increment(code)) {
        std::error_code no_caches;
        for (fs::directory_iterator cache(cpu->path() / "cache", no_caches), last; !no_caches && cache != last;
             cache.increment(no_caches)) {
            const int level = std::atoi(line_of(cache->path() / "level").c_str());
            if (level < std::max(last_level, 1)) continue;
            if (level > last_level) caches.clear();
            last_level = level;
            const std::string size = line_of(cache->path() / "size"); // "32768K"
            const auto unit = size.ends_with('K') ? 10U : size.ends_with('M') ? 20U : 0U;
            caches[line_of(cache->path() / "shared_cpu_list")] = std::size_t{std::strtoul(size.c_str(), nullptr, 10)}
                                                                 << unit;
        }
    }
    std::size_t bytes = 0;
    for (const auto& [processors, size] : caches)
        bytes += size;
    return bytes;
}

namespace {
/// Groups of processors that share a last cache, by processor. Few files are read: each tells of a whole group.
std::vector<std::uint32_t> cache_groups() {
    const long count = std::clamp<long>(sysconf(_SC_NPROCESSORS_CONF), 0, CPU_SETSIZE);
    std::vector<std::uint32_t> groups(static_cast<std::size_t>(count));
    std::uint32_t number = 0;
    for (std::size_t own = 0; own < groups.size(); ++own) {
        if (groups[own] != 0) continue;
        std::string processors; // "0-3,8-11"
        for (int index = 4; index >= 0 && processors.empty(); --index) {
            std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(own) + "/cache/index" +
                               std::to_string(index) + "/shared_cpu_list");
            std::getline(file, processors);
        }
        if (processors.empty()) continue;
        ++number;
        std::istringstream list(processors);
        for (std::string range; std::getline(list, range, ',');) {
            char* rest = nullptr;
            const std::size_t first = std::strtoul(range.c_str(), &rest, 10);
            const std::size_t last = *rest == '-' ? std::strtoul(rest + 1, nullptr, 10) : first;
            for (std::size_t processor = first; processor <= last && processor < groups.size(); ++processor)
                groups[processor] = number;
        }
    }
    return groups;
}
} // namespace

std::uint32_t cache_group() {
    static const auto* groups = new std::vector<std::uint32_t>(cache_groups());
    const int processor = sched_getcpu();
    return processor >= 0 && static_cast<std::size_t>(processor) < groups->size()
               ? (*groups)[static_cast<std::size_t>(processor)]
               : 0;
}

std::string cache_folder() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg == '/') return xdg;
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache";
    return "";
}

std::string build_identity() {
    Dl_info info{};
    struct stat file{};
    if (!dladdr(reinterpret_cast<const void*>(&build_identity), &info) || !info.dli_fname) return "";
    // A program's own name may be relative to a folder that is the current one no more.
    if (stat(info.dli_fname, &file) != 0 && stat("/proc/self/exe", &file) != 0) return "";
    return std::to_string(file.st_size) + " " + std::to_string(file.st_mtim.tv_sec) + "." +
           std::to_string(file.st_mtim.tv_nsec);
}

std::uint64_t process_id() { return static_cast<std::uint64_t>(getpid()); }

std::uint64_t process_start(std::uint64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return 0;
    // "pid (name) state …": the name may hold anything; the start is the 22nd field.
    const auto end = line.rfind(')');
    if (end == std::string::npos) return 0;
    std::istringstream fields(line.substr(end + 1));
    std::string field;
    fields >> field;
    if (field == "Z" || field == "X") return 0;
    for (int i = 4; i <= 22; ++i)
        fields >> field;
    return std::strtoull(field.c_str(), nullptr, 10);
}

std::uint64_t cycles() {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
#endif
}

namespace {
struct StackBounds {
    const std::byte* low = nullptr;
    StackBounds() {
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
        void* address = nullptr;
        std::size_t size = 0;
        pthread_attr_getstack(&attributes, &address, &size);
        pthread_attr_destroy(&attributes);
        low = static_cast<const std::byte*>(address);
    }
};
} // namespace

std::size_t stack_left() {
    thread_local const StackBounds bounds;
    const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
    return bounds.low && here > bounds.low ? static_cast<std::size_t>(here - bounds.low) : 0;
}

bool start_thread(void (*body)(void*), void* argument, std::size_t stack_bytes, const char* name) {
    struct Start {
        void (*body)(void*);
        void* argument;
    };
    auto* start = new Start{body, argument};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread{};
    const int error = pthread_create(
        &thread, &attributes,
        [](void* p) -> void* {
            const Start s = *static_cast<Start*>(p);
            delete static_cast<Start*>(p);
            s.body(s.argument);
            return nullptr;
        },
        start);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        delete start;
        return false;
    }
    pthread_setname_np(thread, name);
    return true;
}

void lower_priority() {
    constexpr int kLower = 5; // a third of the processor, where another thread wants it too
    const auto thread = static_cast<id_t>(gettid());
    (void)setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + kLower);
}

namespace {

// The kernel's name of a memory file holds the nonce, so that it can be compared without reading the memory.
std::string file_name(const std::array<std::uint64_t, 2>& nonce) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "warplight-%016llx%016llx", static_cast<unsigned long long>(nonce[0]),
                  static_cast<unsigned long long>(nonce[1]));
    return text.data();
}

bool is_file(int file, const SharedMemory::Name& name) {
    std::array<char, 128> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    if (readlink(link.c_str(), target.data(), target.size() - 1) < 0) return false;
    if (target.data() != "/memfd:" + file_name(name.nonce) + " (deleted)") return false;
    struct stat status{};
    // A file that could shrink would take the pages from under their users.
    return fstat(file, &status) == 0 && static_cast<std::uint64_t>(status.st_size) == name.size &&
           (fcntl(file, F_GET_SEALS) & F_SEAL_SHRINK) != 0;
}

long futex(const std::atomic<std::uint32_t>& value, int operation, std::uint32_t argument, const timespec* timeout) {
    return syscall(SYS_futex, &value, operation, argument, timeout, nullptr, 0);
}

} // namespace

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : handle_(std::exchange(other.handle_, -1)), name_(other.name_) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (handle_ >= 0) close(static_cast<int>(handle_));
}

SharedMemory SharedMemory::create(std::size_t bytes) {
    SharedMemory memory;
    std::random_device random;
    for (auto& word : memory.name_.nonce)
        word = (std::uint64_t{random()} << 32) | random();
    memory.handle_ = memfd_create(file_name(memory.name_.nonce).c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (!memory) return {};
    const int file = static_cast<int>(memory.handle_);
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0 || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        return {};
    memory.name_.process = process_id();
    memory.name_.number = static_cast<std::uint64_t>(file);
    memory.name_.size = bytes;
    return memory;
}

SharedMemory SharedMemory::open(const Name& name) {
    SharedMemory memory;
    const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.number);
    // Other files are not opened at all: opening a device or a pipe may have effects.
    std::array<char, 128> target{};
    if (readlink(path.c_str(), target.data(), target.size() - 1) < 0) return {};
    if (!std::string_view(target.data()).starts_with("/memfd:warplight-")) return {};
    memory.handle_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (!memory || !is_file(static_cast<int>(memory.handle_), name)) return {};
    memory.name_ = name;
    return memory;
}

bool maps_shared_memory() { return true; }

void* SharedMemory::map(void* address) const {
    void* mapped = mmap(address, name_.size, PROT_READ | PROT_WRITE, MAP_SHARED | (address ? MAP_FIXED : 0),
                        static_cast<int>(handle_), 0);
    return mapped == MAP_FAILED ? nullptr : mapped;
}

bool SharedMemory::replace(void* address) const {
    void* elsewhere = map();
    if (!elsewhere) return false;
    // Pages of zeros are not touched: memory that was never used stays so.
    const std::size_t page = page_size();
    const auto* from = static_cast<const std::byte*>(address);
    for (std::size_t at = 0; at < name_.size; at += page) {
        const bool zeros = from[at] == std::byte{} && std::memcmp(from + at, from + at + 1, page - 1) == 0;
        if (!zeros) std::memcpy(static_cast<std::byte*>(elsewhere) + at, from + at, page);
    }
    unmap(elsewhere, name_.size);
    return map(address) != nullptr;
}

void SharedMemory::unmap(void* address, std::size_t bytes) { munmap(address, bytes); }

// --- memory of the host that gets a second address

namespace {
std::atomic<std::uint64_t> exchange_begin{0}, exchange_end{0};

/// Reads whole pages, also parts that an address sanitizer would not let a program read, and calls nothing.
__attribute__((no_sanitize("address"))) void copy_words(void* to, const void* from, std::size_t count) {
    const auto* source = static_cast<const volatile std::uint64_t*>(from);
    auto* target = static_cast<volatile std::uint64_t*>(to);
    for (std::size_t k = 0; k < count; ++k)
        target[k] = source[k];
}

/// Moves a copy of the pages over them. Nobody can write between the copy and the move.
bool exchange(void* pages, std::size_t bytes, void* copy) {
    const auto begin = reinterpret_cast<std::uint64_t>(pages);
    // Through a pointer: a first call by name would have the loader write to a table, which may lie in these pages.
    void* (*const volatile move_pages)(void*, std::size_t, std::size_t, int, ...) = &mremap;
    exchange_begin = begin;
    exchange_end = begin + bytes;
    bool done = mprotect(pages, bytes, PROT_READ) == 0;
    if (done) {
        copy_words(copy, pages, bytes / sizeof(std::uint64_t));
        done = move_pages(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages) != MAP_FAILED;
    }
    if (!done) mprotect(pages, bytes, PROT_READ | PROT_WRITE);
    exchange_end = exchange_begin = 0;
    return done;
}

/// Where the stack of this thread ends, if the frame at `here` lies on it.
std::optional<std::uint64_t> end_of_stack(std::uint64_t here) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::nullopt;
    void* lowest = nullptr;
    std::size_t bytes = 0;
    const bool known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0;
    pthread_attr_destroy(&attributes);
    const auto begin = reinterpret_cast<std::uint64_t>(lowest);
    if (!known || here < begin || here - begin >= bytes) return std::nullopt;
    return begin + bytes;
}

/// The pages of a thread that exchanges them are in use. Other memory may begin where its stack ends.
bool holds_own_stack(const void* pages, std::size_t bytes) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    const auto begin = reinterpret_cast<std::uint64_t>(pages), reach = std::uint64_t{64} << 10;
    if (here + reach < begin || here >= begin + bytes + reach) return false;
    const std::optional<std::uint64_t> end = end_of_stack(here);
    return !end || begin < *end;
}
} // namespace

bool make_shared(void* pages, std::size_t bytes) {
    if (holds_own_stack(pages, bytes)) return false;
    const std::intptr_t memory = create_memory(bytes);
    if (memory < 0) return false;
    void* copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(memory), 0);
    close_memory(memory);
    if (copy == MAP_FAILED) return false;
    if (exchange(pages, bytes, copy)) return true;
    munmap(copy, bytes);
    return false;
}

void make_private(void* pages, std::size_t bytes) {
    void* copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return; // shared pages do as well
    if (!exchange(pages, bytes, copy)) munmap(copy, bytes);
}

bool map_again(void* pages, std::size_t bytes, void* range) {
    return mremap(pages, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, range) != MAP_FAILED;
}

bool is_in_exchange(std::uint64_t address) { return address >= exchange_begin && address < exchange_end; }

void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t seen, unsigned milliseconds) {
    const timespec timeout{static_cast<time_t>(milliseconds / 1000),
                           static_cast<long>(milliseconds % 1000) * 1'000'000};
    futex(value, FUTEX_WAIT, seen, &timeout);
}

void wake_all(const std::atomic<std::uint32_t>& value) { futex(value, FUTEX_WAKE, INT32_MAX, nullptr); }

void keep_loaded() {} // the library is linked with -z nodelete

} // namespace warplight::software::platform

#endif
