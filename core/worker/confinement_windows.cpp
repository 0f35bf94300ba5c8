// SPDX-License-Identifier: Apache-2.0
// A process of Windows can forbid itself to start programs. The other walls are missing there, and the list says so.
#include "worker/confinement.hpp"

#include "worker/walls.hpp"

#include <utility>
#include <windows.h>

namespace warplight::worker {
namespace {

/// Found at run time, because Windows has it since version 8, and headers differ in what they declare.
bool forbid_programs() {
    using SetPolicy = BOOL(WINAPI*)(int policy, void* value, SIZE_T size);
    const HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
    if (!kernel) return false;
    const auto set =
        reinterpret_cast<SetPolicy>(reinterpret_cast<void*>(GetProcAddress(kernel, "SetProcessMitigationPolicy")));
    constexpr int child_processes = 13;
    DWORD none_may_be_started = 1;
    return set && set(child_processes, &none_may_be_started, sizeof none_may_be_started);
}

} // namespace

Confinement confinement_of_worker(const std::string& driver, Access access) {
    return {std::move(access), {}, driver == "cuda"};
}

Confinement confinement_of_compiler(Access access, std::vector<std::filesystem::path> toolkit) {
    return {std::move(access), std::move(toolkit), false};
}

bool can_confine_files() { return false; }

std::vector<Wall> confine(const Confinement& confinement) {
    std::vector<Wall> walls = no_walls("Warplight cannot build this wall on Windows");
    Wall& wall = walls[programs];
    wall.missing.clear();
    if (!confinement.programs.empty())
        wall.missing = "this process starts programs";
    else if (forbid_programs())
        wall.by = "a policy of the process";
    else
        wall.missing = "this Windows lacks the policy, which version 10 has";
    return walls;
}

} // namespace warplight::worker
