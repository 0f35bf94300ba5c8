// SPDX-License-Identifier: Apache-2.0
// The walls that confine() builds, in the order of its list.
#pragma once

#include <array>

namespace warplight::worker {

struct WallText {
    const char* name;
    const char* keeps;
};

enum WallNumber { files, programs, network, processes, system_calls, privileges, limits, environment, wall_count };

inline constexpr std::array<WallText, wall_count> kWallTexts = {{
    {"files", "reads only the system's libraries, the toolkit, the session's folder and files that the user chose; "
              "writes only caches and chosen outputs"},
    {"programs", "starts no program and no process"},
    {"network", "opens no socket"},
    {"processes", "reads, traces and signals no other process"},
    {"system calls", "makes only the system calls that kernels, compilers and files need"},
    {"privileges", "gains no privileges, and keeps none of an administrator but access to files"},
    {"limits", "writes no core dump; its number of open files and the size of files are limited"},
    {"environment", "gets only the environment variables that drivers and compilers read"},
}};

} // namespace warplight::worker
