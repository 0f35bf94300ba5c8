// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <intrin.h>
#include <windows.h>

#include <cstdlib>
#include <cstring>

namespace warplight::software::platform {

std::size_t page_size() {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

void* reserve(std::size_t bytes) { return VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS); }

bool commit(void* address, std::size_t bytes) {
    return VirtualAlloc(address, bytes, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

void decommit(void* address, std::size_t bytes) { VirtualFree(address, bytes, MEM_DECOMMIT); }

void unreserve(void* address, std::size_t) { VirtualFree(address, 0, MEM_RELEASE); }

// A view can only be put into a placeholder, which the reserved range is not.
bool has_unaddressed_memory() { return false; }
std::intptr_t create_memory(std::size_t) { return -1; }
void close_memory(std::intptr_t) {}
bool map_memory(std::intptr_t, std::size_t, void*, std::size_t) { return false; }
bool protect_memory(void*, std::size_t, bool, bool) { return false; }

unsigned processors() { return static_cast<unsigned>(GetActiveProcessorCount(ALL_PROCESSOR_GROUPS)); }

std::uint64_t physical_memory() {
    MEMORYSTATUSEX status;
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : std::uint64_t{1} << 32;
}

namespace {
constexpr const char* kProcessorKey = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
}

std::string processor_name() {
    char name[256] = {};
    DWORD size = sizeof name - 1;
    if (RegGetValueA(HKEY_LOCAL_MACHINE, kProcessorKey, "ProcessorNameString", RRF_RT_REG_SZ, nullptr, name, &size) !=
        ERROR_SUCCESS) {
        return "CPU";
    }
    return name;
}

int processor_khz() {
    DWORD mhz = 0;
    DWORD size = sizeof mhz;
    if (RegGetValueA(HKEY_LOCAL_MACHINE, kProcessorKey, "~MHz", RRF_RT_REG_DWORD, nullptr, &mhz, &size) !=
        ERROR_SUCCESS) {
        return 1'000'000;
    }
    return static_cast<int>(mhz) * 1000;
}

std::string cache_folder() {
    const char* local = std::getenv("LOCALAPPDATA");
    return local ? local : "";
}

std::uint64_t process_id() { return GetCurrentProcessId(); }

std::uint64_t cycles() { return __rdtsc(); }

std::size_t stack_left() {
    ULONG_PTR low = 0;
    ULONG_PTR high = 0;
    GetCurrentThreadStackLimits(&low, &high);
    const auto here = reinterpret_cast<ULONG_PTR>(&low);
    return here > low ? here - low : 0;
}

bool start_thread(void (*body)(void*), void* argument, std::size_t stack_bytes, const char*) {
    struct Start {
        void (*body)(void*);
        void* argument;
    };
    auto* start = new Start{body, argument};
    HANDLE thread = CreateThread(
        nullptr, stack_bytes,
        [](void* p) -> DWORD {
            const Start s = *static_cast<Start*>(p);
            delete static_cast<Start*>(p);
            s.body(s.argument);
            return 0;
        },
        start, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
    if (!thread) {
        delete start;
        return false;
    }
    CloseHandle(thread);
    return true;
}

} // namespace warplight::software::platform

#endif
