// SPDX-License-Identifier: Apache-2.0
#include "platform.hpp"

#ifdef _WIN32

#include "placeholders.hpp"

#include <intrin.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace warplight::software::platform {

std::size_t page_size() {
    static const std::size_t size = [] { // blocks ask for it, and Wine asks its system each time
        SYSTEM_INFO info;
        GetSystemInfo(&info);
        return static_cast<std::size_t>(info.dwPageSize);
    }();
    return size;
}

namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

/// Those that an address was reserved by, or null.
Placeholders* placeholders_at(const void* address) {
    Placeholders* placeholders = system_placeholders();
    return placeholders && placeholders->holds(number(address)) ? placeholders : nullptr;
}

void* reserve_range(std::uint64_t address, std::size_t bytes) {
    if (Placeholders* placeholders = system_placeholders())
        return reinterpret_cast<void*>(placeholders->reserve(address, bytes));
    return VirtualAlloc(reinterpret_cast<void*>(address), bytes, MEM_RESERVE, PAGE_NOACCESS);
}

} // namespace

void* reserve_at(std::uint64_t address, std::size_t bytes) {
    if (bytes > address_room()) return nullptr;
    return reserve_range(address, bytes);
}

void* reserve(std::size_t bytes) { return reserve_range(0, bytes); }

namespace {

/// The range of commit_when_touched(), and the one that it is like.
std::atomic<std::uint64_t> touched_begin = 0, touched_bytes = 0, touched_like = 0;

bool commit_pages(void* address, std::size_t bytes) {
    if (Placeholders* placeholders = placeholders_at(address)) return placeholders->commit(number(address), bytes);
    return VirtualAlloc(address, bytes, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

/// Wine goes on after a fault without the registers of AVX-512. So pages are there before kernels touch them, as far
/// as that can be: what fails here is made up for at the fault.
void commit_touched_like(std::uint64_t memory, std::uint64_t bytes) {
    const std::uint64_t offset = memory - touched_like;
    if (offset < touched_bytes) (void)commit_pages(reinterpret_cast<void*>(touched_begin + offset), bytes);
}

LONG CALLBACK commit_at_fault(EXCEPTION_POINTERS* exception) {
    const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
    const bool is_access = record.ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record.NumberParameters >= 2;
    return is_access && commit_touched(record.ExceptionInformation[1]) ? EXCEPTION_CONTINUE_EXECUTION
                                                                       : EXCEPTION_CONTINUE_SEARCH;
}

} // namespace

bool commit(void* address, std::size_t bytes) {
    if (!commit_pages(address, bytes)) return false;
    commit_touched_like(number(address), bytes);
    return true;
}

bool commit_touched(std::uint64_t fault) {
    constexpr std::uint64_t kPiece = std::uint64_t{256} << 10;
    const std::uint64_t begin = touched_begin, bytes = touched_bytes, offset = fault - begin;
    if (offset >= bytes) return false;
    const std::uint64_t piece = offset / kPiece * kPiece;
    void* const address = reinterpret_cast<void*>(begin + piece);
    if (commit_pages(address, std::min(kPiece, bytes - piece))) return true;
    // Another thread may have been faster.
    MEMORY_BASIC_INFORMATION region;
    return VirtualQuery(address, &region, sizeof region) == sizeof region && region.State == MEM_COMMIT;
}

bool commit_when_touched(void* address, std::size_t bytes, std::uint64_t like) {
    static const bool handled = AddVectoredExceptionHandler(1, commit_at_fault) != nullptr;
    decommit(address, bytes);
    touched_begin = number(address);
    touched_bytes = bytes;
    touched_like = like;
    MEMORY_BASIC_INFORMATION region;
    for (std::uint64_t at = like; at < like + bytes;) {
        if (VirtualQuery(reinterpret_cast<const void*>(at), &region, sizeof region) != sizeof region) break;
        const std::uint64_t end = std::min(number(region.BaseAddress) + region.RegionSize, like + bytes);
        if (region.State == MEM_COMMIT) commit_touched_like(at, end - at);
        at = end;
    }
    return handled;
}

// The pages are there because those of the memory are.
void clear_touched(void* pages, std::size_t bytes) { std::memset(pages, 0, bytes); }

void decommit(void* address, std::size_t bytes) {
    if (Placeholders* placeholders = placeholders_at(address)) {
        placeholders->clear(number(address), bytes);
        return;
    }
    VirtualFree(address, bytes, MEM_DECOMMIT);
}

// Wine keeps a byte for each page of a reserved range, and writes it: terabytes would take seconds and gigabytes.
std::uint64_t address_room() {
    const HMODULE system = GetModuleHandleW(L"ntdll.dll");
    const bool wine = system && GetProcAddress(system, "wine_get_version");
    return wine ? std::uint64_t{1} << 38 : UINT64_MAX;
}

void unreserve(void* address, std::size_t) {
    if (Placeholders* placeholders = placeholders_at(address)) {
        (void)placeholders->unreserve(number(address));
        return;
    }
    VirtualFree(address, 0, MEM_RELEASE);
}

// A view can only be put into a placeholder.
bool has_unaddressed_memory() { return system_placeholders() != nullptr; }

std::intptr_t create_memory(std::size_t bytes) {
    const HANDLE memory =
        CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE,
                           static_cast<DWORD>(std::uint64_t{bytes} >> 32), static_cast<DWORD>(bytes), nullptr);
    return memory ? reinterpret_cast<std::intptr_t>(memory) : -1;
}

void close_memory(std::intptr_t memory) { CloseHandle(reinterpret_cast<HANDLE>(memory)); }

bool map_memory(std::intptr_t memory, std::size_t offset, void* address, std::size_t bytes) {
    Placeholders* placeholders = placeholders_at(address);
    if (!placeholders || !placeholders->map(memory, offset, number(address), bytes)) return false;
    if (protect_memory(address, bytes, false, false)) return true;
    placeholders->clear(number(address), bytes);
    return false;
}

bool protect_memory(void* address, std::size_t bytes, bool read, bool write) {
    DWORD before = 0;
    return VirtualProtect(address, bytes, write ? PAGE_READWRITE : read ? PAGE_READONLY : PAGE_NOACCESS, &before) != 0;
}

namespace {
/// Bytes from an address on that may be read, up to the end of its region. Wine's ReadProcessMemory reads others too.
std::size_t readable(std::uintptr_t address) {
    MEMORY_BASIC_INFORMATION region;
    if (VirtualQuery(reinterpret_cast<const void*>(address), &region, sizeof region) != sizeof region) return 0;
    constexpr DWORD ways = PAGE_READONLY | PAGE_READWRITE | PAGE_WRITECOPY | PAGE_EXECUTE_READ |
                           PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY;
    if (region.State != MEM_COMMIT || !(region.Protect & ways) || (region.Protect & PAGE_GUARD)) return 0;
    return reinterpret_cast<std::uintptr_t>(region.BaseAddress) + region.RegionSize - address;
}
} // namespace

std::size_t read_memory(const void* from, void* to, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    bytes = std::min<std::size_t>(bytes, UINTPTR_MAX - begin);
    std::size_t done = 0;
    while (done < bytes) {
        const std::size_t count = std::min(bytes - done, readable(begin + done));
        // Another thread may change the region meanwhile, so it is not simply copied.
        if (count == 0 || !ReadProcessMemory(GetCurrentProcess(), reinterpret_cast<const void*>(begin + done),
                                             static_cast<std::byte*>(to) + done, count, nullptr))
            break;
        done += count;
    }
    return done;
}

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

std::size_t last_cache_bytes() {
    DWORD size = 0;
    (void)GetLogicalProcessorInformation(nullptr, &size);
    std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> all(size / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
    if (all.empty() || !GetLogicalProcessorInformation(all.data(), &size)) return 0;
    int last_level = 0;
    std::size_t bytes = 0;
    for (const auto& each : all) {
        if (each.Relationship != RelationCache || each.Cache.Level < last_level) continue;
        if (each.Cache.Level > last_level) bytes = 0;
        last_level = each.Cache.Level;
        bytes += each.Cache.Size;
    }
    return bytes;
}

std::uint32_t cache_group() { return 0; }

std::string cache_folder() {
    const char* local = std::getenv("LOCALAPPDATA");
    return local ? local : "";
}

std::string build_identity() {
    HMODULE module = nullptr;
    std::array<wchar_t, 32768> path{};
    WIN32_FILE_ATTRIBUTE_DATA file{};
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            reinterpret_cast<LPCWSTR>(&build_identity), &module) ||
        !GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size())) ||
        !GetFileAttributesExW(path.data(), GetFileExInfoStandard, &file))
        return "";
    const auto number = [](DWORD high, DWORD low) { return std::to_string((std::uint64_t{high} << 32) | low); };
    return number(file.nFileSizeHigh, file.nFileSizeLow) + " " +
           number(file.ftLastWriteTime.dwHighDateTime, file.ftLastWriteTime.dwLowDateTime);
}

std::uint64_t process_id() { return GetCurrentProcessId(); }

std::uint64_t process_start(std::uint64_t process) {
    const HANDLE handle =
        OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, static_cast<DWORD>(process));
    if (!handle) return 0;
    FILETIME created{}, exited{}, kernel{}, user{};
    const bool lives =
        WaitForSingleObject(handle, 0) == WAIT_TIMEOUT && GetProcessTimes(handle, &created, &exited, &kernel, &user);
    CloseHandle(handle);
    return lives ? (std::uint64_t{created.dwHighDateTime} << 32) | created.dwLowDateTime : 0;
}

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

void lower_priority() { (void)SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

namespace {

std::string mapping_name(const std::array<std::uint64_t, 2>& nonce) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "Local\\warplight-%016llx%016llx",
                  static_cast<unsigned long long>(nonce[0]), static_cast<unsigned long long>(nonce[1]));
    return text.data();
}

HANDLE system_handle(std::int64_t handle) { return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(handle)); }
std::int64_t number_of(HANDLE handle) {
    return handle ? static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(handle)) : -1;
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
    if (handle_ >= 0) CloseHandle(system_handle(handle_));
}

SharedMemory SharedMemory::create(std::size_t bytes) {
    SharedMemory memory;
    std::random_device random;
    for (auto& word : memory.name_.nonce)
        word = (std::uint64_t{random()} << 32) | random();
    memory.handle_ = number_of(CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE,
                                                  static_cast<DWORD>(std::uint64_t{bytes} >> 32),
                                                  static_cast<DWORD>(bytes), mapping_name(memory.name_.nonce).c_str()));
    if (memory && GetLastError() == ERROR_ALREADY_EXISTS) return {};
    memory.name_.process = process_id();
    memory.name_.size = bytes;
    return memory;
}

SharedMemory SharedMemory::open(const Name& name) {
    SharedMemory memory;
    memory.handle_ = number_of(OpenFileMappingA(FILE_MAP_ALL_ACCESS, FALSE, mapping_name(name.nonce).c_str()));
    memory.name_ = name;
    return memory;
}

bool maps_shared_memory() { return system_placeholders() != nullptr; }

void* SharedMemory::map(void* address) const {
    if (!address) return MapViewOfFile(system_handle(handle_), FILE_MAP_ALL_ACCESS, 0, 0, name_.size);
    Placeholders* placeholders = placeholders_at(address);
    return placeholders && placeholders->map(handle_, 0, number(address), name_.size) ? address : nullptr;
}

bool SharedMemory::replace(void* address) const {
    Placeholders* placeholders = placeholders_at(address);
    void* copy = placeholders ? map() : nullptr;
    if (!copy) return false;
    std::memcpy(copy, address, name_.size);
    const auto replaced = placeholders->replace(handle_, number(address), name_.size);
    if (replaced == Placeholders::Replaced::zeroed) std::memcpy(address, copy, name_.size);
    unmap(copy, name_.size);
    return replaced == Placeholders::Replaced::done;
}

void SharedMemory::unmap(void* address, std::size_t) { UnmapViewOfFile(address); }

// Pages cannot be exchanged under their addresses.
bool make_shared(void*, std::size_t) { return false; }
void make_private(void*, std::size_t) {}
bool map_again(void*, std::size_t, void*) { return false; }
bool is_in_exchange(std::uint64_t) { return false; }

void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t seen, unsigned milliseconds) {
    // WaitOnAddress knows the calling process alone: what another one changes is seen at the next look.
    const ULONGLONG end = GetTickCount64() + milliseconds;
    while (value.load() == seen && GetTickCount64() < end)
        WaitOnAddress(const_cast<std::atomic<std::uint32_t>*>(&value), &seen, sizeof seen, 1);
}

void wake_all(const std::atomic<std::uint32_t>& value) {
    WakeByAddressAll(const_cast<std::atomic<std::uint32_t>*>(&value));
}

void keep_loaded() {
    HMODULE module = nullptr;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       reinterpret_cast<LPCWSTR>(&keep_loaded), &module);
}

} // namespace warplight::software::platform

#endif
