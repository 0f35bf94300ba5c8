// SPDX-License-Identifier: Apache-2.0
/// Where a kernel lies under the roofline of a GPU: how fast it could be at most, by its operations a byte.
#pragma once

#include "profile/profile.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace warplight::profile {

/// Peak figures of a GPU, as its maker tells them.
struct Gpu {
    std::string_view name;
    double gigabytes_a_second;
    double f32, f64, tensor;   ///< gigaflops; tensor: half floats with sums in f32, no sparsity. 0: not told
    std::string_view reported; ///< by drivers; several with | between them
    std::string_view source;
};
[[nodiscard]] std::span<const Gpu> gpus();
/// By its name, or the name that drivers report. Letters of either case.
[[nodiscard]] const Gpu* find_gpu(std::string_view name);

struct Roofline {
    double peak = 0;                 ///< gigaflops of the kind of operations that the kernel has most of
    double operations_per_byte = 0;  ///< of the sectors that it moves
    double attainable = 0;           ///< gigaflops: the lower of the two roofs
    bool is_bound_by_memory = false; ///< the roof of memory is the lower one
};
/// A model: peak figures, and each sector comes from memory once. Nothing for a kernel without both operations of
/// floating point and sectors.
[[nodiscard]] std::optional<Roofline> roofline_of(const Figures& total, const Gpu& gpu);

/// {"gpu", "source", "peak_gigaflops", "peak_gigabytes_a_second", "attainable_gigaflops", "bound", "model": true}
[[nodiscard]] nlohmann::json to_json(const Roofline& roofline, const Gpu& gpu);

} // namespace warplight::profile
