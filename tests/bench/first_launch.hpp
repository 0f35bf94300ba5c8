// SPDX-License-Identifier: Apache-2.0
// The time from a module's text to the end of a first launch of one block, for each kernel of kernel_bench.
#pragma once

#include <filesystem>

namespace warplight::bench {

/// Processes with fast code alone and processes with quick code first take turns.
/// @param folder with the kernels' PTX; compiled code is kept there too, and removed again
void first_launch_costs(const std::filesystem::path& folder, int rounds);
/// One of these processes: prints the number of kernels, then "FILE KERNEL MILLISECONDS" for each.
void first_launch_child(const std::filesystem::path& folder);

} // namespace warplight::bench
