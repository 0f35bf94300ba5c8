// SPDX-License-Identifier: Apache-2.0
/// Programs that run an experiment, one function a format.
#pragma once

#include "export/experiment.hpp"
#include "export/template_text.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight {
class NdArray;
}

namespace warplight::exporting {

struct ProgramFile {
    std::string path; ///< below the exported folder, with `/`
    std::string text;
    const NdArray* array = nullptr; ///< instead of the text: a .npy file
};

/// What a program does with the source.
enum class Loading { source, ptx };

struct Program {
    std::vector<ProgramFile> files; ///< of the program alone, without sources and data
    Loading loading = Loading::source;
    std::string why_ptx;   ///< where the format could compile, but not this session
    bool stand_ins = true; ///< it compiles by NVRTC, which lacks headers of the host
};

/// Options of launches that a format's library can set.
struct LaunchAbilities {
    bool cluster = false, carveout = false, cache = false, priority = false;
};

struct Format {
    std::string_view name;  ///< of the command line
    std::string_view title; ///< for people
    std::string_view needs; ///< what is to be installed
    std::string_view start; ///< the command that runs it, in the exported folder
    /// @throws ExportError for what the format cannot express
    Program (*write)(const Experiment&);
    LaunchAbilities launches = {};
    /// What of the options the library cannot set.
    [[nodiscard]] session::LaunchOptions beyond(session::LaunchOptions options) const;
};

/// In the order of --help.
[[nodiscard]] std::span<const Format> formats();
/// Null: there is none of that name.
[[nodiscard]] const Format* find_format(std::string_view name);

[[nodiscard]] Program write_pycuda(const Experiment& experiment);
[[nodiscard]] Program write_cuda_core(const Experiment& experiment);
[[nodiscard]] Program write_cupy(const Experiment& experiment);
[[nodiscard]] Program write_numba(const Experiment& experiment);
[[nodiscard]] Program write_cpp_driver(const Experiment& experiment);
[[nodiscard]] Program write_cpp_warplight(const Experiment& experiment);

/// The program's files, the sources, the data, and a README.
[[nodiscard]] std::vector<ProgramFile> files_of(const Experiment& experiment, const Format& format);

} // namespace warplight::exporting
