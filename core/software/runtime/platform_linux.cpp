// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#ifndef _WIN32

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>

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

bool commit(void* address, std::size_t bytes) {
    if (mprotect(address, bytes, PROT_READ | PROT_WRITE) != 0) return false;
    // A page fault for every 4 KiB of a large array costs more than a simple kernel that fills it.
    if (bytes >= (std::size_t{4} << 20)) madvise(address, bytes, MADV_HUGEPAGE);
    return true;
}

void decommit(void* address, std::size_t bytes) {
    // Mapping anew gives the pages back and lets the kernel merge the range with its neighbours.
    mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
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

std::string cache_folder() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg == '/') return xdg;
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache";
    return "";
}

std::uint64_t process_id() { return static_cast<std::uint64_t>(getpid()); }

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

} // namespace warplight::software::platform

#endif
