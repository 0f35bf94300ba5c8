// SPDX-License-Identifier: Apache-2.0
// What programs of all formats, or of all of a language, have in common.
#pragma once

#include "export/experiment.hpp"
#include "export/template_text.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace warplight::exporting {

[[nodiscard]] std::string data_path(const ExportedArgument& argument);     ///< data/x.npy
[[nodiscard]] std::string expected_path(const ExportedArgument& argument); ///< expected/x.npy
[[nodiscard]] std::string result_path(const ExportedArgument& argument);   ///< results/x.npy
[[nodiscard]] std::string title_of(const Experiment& experiment);
/// "kernel scale", "kernels attract, move", with `quote` around each name.
[[nodiscard]] std::string kernels_phrase(const Experiment& experiment, std::string_view quote);
/// Its numbers are 0 and need no copy, but a kernel's pointer needs an address.
[[nodiscard]] bool is_empty(const ExportedArgument& argument);
[[nodiscard]] std::string joined(const std::vector<std::string>& list, std::string_view between = ", ");
/// All options of NVRTC or nvcc: those of the session, and those that a run adds.
[[nodiscard]] std::vector<std::string> compiler_options(const Experiment& experiment);
/// Folders of headers below the exported one; with those that stand in for the host's.
[[nodiscard]] std::vector<std::string> include_folders(const Experiment& experiment, bool stand_ins);

/// The line that defines a scalar.
using ScalarLine = std::function<std::string(const ExportedArgument&)>;
/// TITLE KERNELS EXTENTS FORMULAS WARMUP REPEAT DEVICE VALUES ARRAYS RESULTS
[[nodiscard]] Fillings python_fillings(const Experiment& experiment, const ScalarLine& scalar);
/// `n = np.int32(4)`, for formats that take NumPy's numbers. Variables are arrays in any case.
[[nodiscard]] std::string python_scalar_line(const ExportedArgument& argument);
/// `[str(FOLDER / "kernel")]`.
[[nodiscard]] std::string python_folders(const std::vector<std::string>& folders);
[[nodiscard]] std::string python_list(const std::vector<std::string>& texts);

/// SHARED, L1, EQUAL, as libraries call a preference of caches.
[[nodiscard]] std::string name_of_cache(const ExportedKernel& kernel);
/// Clusters of more blocks than every device with clusters has.
[[nodiscard]] bool has_large_clusters(const Experiment& experiment, const ExportedKernel& kernel);
/// Of the stream of all launches.
[[nodiscard]] int priority_of(const Experiment& experiment);

/// TITLE KERNELS FORMULAS NAME WARMUP REPEAT DEVICE VALUES ARRAYS RESULTS
[[nodiscard]] Fillings cpp_fillings(const Experiment& experiment);
/// Of CMake: run_saxpy
[[nodiscard]] std::string project_name(const Experiment& experiment);
/// The bytes of a variable's value or contents in C++: `x.bytes.data()`, `&x`; and their number
[[nodiscard]] std::string cpp_address(const ExportedArgument& argument);
[[nodiscard]] std::string cpp_size(const ExportedArgument& argument);

} // namespace warplight::exporting
