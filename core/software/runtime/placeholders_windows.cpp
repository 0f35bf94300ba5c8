// SPDX-License-Identifier: Apache-2.0
// Windows' calls for placeholders, which Windows 10 has since version 1803. Not tried on Windows.
#include "placeholders.hpp"

#ifdef _WIN32

#include <windows.h>

namespace warplight::software {
namespace {

// Older headers lack these.
constexpr DWORD kReservePlaceholder = 0x00040000, kReplacePlaceholder = 0x00004000, kPreservePlaceholder = 0x2,
                kCoalescePlaceholders = 0x1;

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

template <class Function>
Function* find(HMODULE library, const char* name) {
    return reinterpret_cast<Function*>(reinterpret_cast<void*>(GetProcAddress(library, name)));
}

class Windows final : public PlaceholderSystem {
public:
    Windows() {
        const HMODULE library = GetModuleHandleW(L"kernelbase.dll");
        if (!library) return;
        allocate_ = find<Allocate>(library, "VirtualAlloc2");
        map_ = find<Map>(library, "MapViewOfFile3");
        unmap_ = find<Unmap>(library, "UnmapViewOfFile2");
    }
    [[nodiscard]] bool complete() const { return allocate_ && map_ && unmap_; }

    std::uint64_t reserve(std::uint64_t address, std::uint64_t bytes) override {
        return reinterpret_cast<std::uint64_t>(allocate_(GetCurrentProcess(), at(address), bytes,
                                                         MEM_RESERVE | kReservePlaceholder, PAGE_NOACCESS, nullptr, 0));
    }
    bool release(std::uint64_t address, std::uint64_t) override { return VirtualFree(at(address), 0, MEM_RELEASE); }
    bool split(std::uint64_t address, std::uint64_t bytes) override {
        return VirtualFree(at(address), bytes, MEM_RELEASE | kPreservePlaceholder);
    }
    bool join(std::uint64_t address, std::uint64_t bytes) override {
        return VirtualFree(at(address), bytes, MEM_RELEASE | kCoalescePlaceholders);
    }
    bool commit(std::uint64_t address, std::uint64_t bytes) override {
        return allocate_(GetCurrentProcess(), at(address), bytes, MEM_RESERVE | MEM_COMMIT | kReplacePlaceholder,
                         PAGE_READWRITE, nullptr, 0) != nullptr;
    }
    bool decommit(std::uint64_t address, std::uint64_t bytes) override {
        return VirtualFree(at(address), bytes, MEM_RELEASE | kPreservePlaceholder);
    }
    bool map(std::intptr_t memory, std::uint64_t offset, std::uint64_t address, std::uint64_t bytes) override {
        return map_(reinterpret_cast<HANDLE>(memory), GetCurrentProcess(), at(address), offset, bytes,
                    kReplacePlaceholder, PAGE_READWRITE, nullptr, 0) != nullptr;
    }
    bool unmap(std::uint64_t address) override {
        return unmap_(GetCurrentProcess(), at(address), kPreservePlaceholder);
    }

private:
    using Allocate = void* WINAPI(HANDLE, void*, SIZE_T, ULONG, ULONG, void*, ULONG);
    using Map = void* WINAPI(HANDLE, HANDLE, void*, ULONG64, SIZE_T, ULONG, ULONG, void*, ULONG);
    using Unmap = BOOL WINAPI(HANDLE, void*, ULONG);
    Allocate* allocate_ = nullptr;
    Map* map_ = nullptr;
    Unmap* unmap_ = nullptr;
};

/// A system may have the functions and not know the flags. Pages, not units of 64 KiB, have to do.
bool works(Placeholders& placeholders) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    const std::uint64_t page = info.dwPageSize;
    const HANDLE mapping =
        CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, static_cast<DWORD>(2 * page), nullptr);
    if (!mapping) return false;
    const auto memory = reinterpret_cast<std::intptr_t>(mapping);
    const std::uint64_t base = placeholders.reserve(0, 5 * page);
    bool fine = base != 0 && placeholders.commit(base + page, 2 * page);
    const auto word = [](std::uint64_t address) -> volatile std::uint64_t& {
        return *reinterpret_cast<volatile std::uint64_t*>(address);
    };
    if (fine) {
        word(base + page) = 1;
        fine = placeholders.clear(base, 5 * page) && placeholders.map(memory, 0, base + page, 2 * page) &&
               placeholders.map(memory, page, base + 3 * page, page);
    }
    if (fine) {
        fine = word(base + page) == 0;
        word(base + 2 * page) = 2;
        fine = fine && word(base + 3 * page) == 2; // the same memory
    }
    if (base) fine = placeholders.clear(base, 5 * page) && placeholders.unreserve(base) && fine;
    CloseHandle(mapping);
    return fine;
}

} // namespace

Placeholders* system_placeholders() {
    static Placeholders* const instance = []() -> Placeholders* {
        static auto* const system = new Windows;
        if (!system->complete()) return nullptr;
        auto* placeholders = new Placeholders(*system);
        return works(*placeholders) ? placeholders : nullptr;
    }();
    return instance;
}

} // namespace warplight::software

#endif
