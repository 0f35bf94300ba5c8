// SPDX-License-Identifier: Apache-2.0
// The manual's functions around nvcc: source in, the bytes of a CUBIN, PTX or fat binary out.
#pragma once

#include "warplight/file_path.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

/// The options where none are given. At first the words of WARPLIGHT_DEFAULT_NVCC_FLAGS. Not to be changed while
/// another thread compiles.
extern std::vector<std::string> DEFAULT_NVCC_FLAGS;

/// What `nvcc --version` says, asked once for each program. @throws RuntimeError when it cannot be run.
const std::string& get_nvcc_version(const std::string& nvcc = "nvcc");

/// The source after the preprocessor. @throws CompileError
std::string preprocess_source(std::string_view source, const std::vector<std::string>& options,
                              const std::string& nvcc = "nvcc");

/// Where compile_plain() and compile() keep what they made.
struct CacheDir {
    bool use = true;
    FilePath folder = {}; ///< empty: cache_folder()
};

/// Runs nvcc with these options and nothing else. @param target cubin, ptx or fatbin
/// @param keep the files stay in a folder that a line on the standard output names
/// @throws CompileError, LogicError for another target, RuntimeError when nvcc cannot be run
std::vector<std::byte> compile_plain(std::string_view source, const std::vector<std::string>& options,
                                     bool keep = false, const std::string& nvcc = "nvcc",
                                     const CacheDir& cache_dir = {}, const std::string& target = "cubin");

struct NvccOptions {
    std::string nvcc = "nvcc";
    std::optional<std::vector<std::string>> options = {}; ///< none: DEFAULT_NVCC_FLAGS
    bool keep = false;
    bool no_extern_c = false; ///< else the source is wrapped in extern "C" { … }
    std::string arch = {};    ///< empty: the current device's, sm_80
    std::string code = {};    ///< empty: not specified
    CacheDir cache_dir = {};
    std::vector<FilePath> include_dirs = {};
    std::string target = "cubin";
};
/// What the constructor of SourceModule compiles with nvcc, not loaded.
/// @throws as compile_plain; LogicError without an architecture and a current context
std::vector<std::byte> compile(const std::string& source, const NvccOptions& options = {});

} // namespace warplight::compiler
