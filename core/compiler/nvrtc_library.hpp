// SPDX-License-Identifier: Apache-2.0
// NVRTC's functions, found in the library at run time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace warplight::compiler {

struct NvrtcLibrary {
    using Program = void*;
    using Result = int; // nvrtcResult: 0 is success

    Result (*version)(int*, int*) = nullptr;
    const char* (*error_string)(Result) = nullptr;
    Result (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    Result (*destroy)(Program*) = nullptr;
    Result (*compile)(Program, int, const char* const*) = nullptr;
    Result (*log_size)(Program, std::size_t*) = nullptr;
    Result (*log)(Program, char*) = nullptr;
    Result (*ptx_size)(Program, std::size_t*) = nullptr;
    Result (*ptx)(Program, char*) = nullptr;
    Result (*add_name)(Program, const char*) = nullptr;
    Result (*lowered_name)(Program, const char*, const char**) = nullptr;
    // Functions that some versions lack.
    Result (*arch_count)(int*) = nullptr;
    Result (*archs)(int*) = nullptr;
    Result (*cubin_size)(Program, std::size_t*) = nullptr;
    Result (*cubin)(Program, char*) = nullptr;
    Result (*lto_size)(Program, std::size_t*) = nullptr;
    Result (*lto)(Program, char*) = nullptr;
    Result (*flow_callback)(Program, int (*)(void*, void*), void*) = nullptr;

    int major = 0, minor = 0;
    std::filesystem::path path;
    std::vector<std::filesystem::path> include_dirs;
    std::vector<int> architectures;
    std::string problem; ///< why there is no library, then a line for each attempt; nothing above is set then
    bool found() const { return version != nullptr; }

    /// Kept for the life of the process once it is found; looked for at each call until then.
    static const NvrtcLibrary& instance();
};

/// Opens the second library of an open NVRTC, which lies beside it. NVRTC asks for it by its bare name, which the
/// loader knows once it is open.
void open_nvrtc_builtins(const std::filesystem::path& library);

} // namespace warplight::compiler
