// SPDX-License-Identifier: Apache-2.0
#include "roofline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplight::profile {
namespace {

/// Of the kind of operations that the kernel has most of.
double peak_of(const Figures& total, const Gpu& gpu) {
    const std::uint64_t tensor = total.operations_of(Operation::tensor), f64 = total.operations_of(Operation::f64);
    const std::uint64_t others = total.floating_point() - tensor - f64;
    if (tensor >= std::max(f64, others)) return gpu.tensor;
    return f64 > others ? gpu.f64 : gpu.f32;
}

} // namespace

std::optional<Roofline> roofline_of(const Figures& total, const Gpu& gpu) {
    if (total.floating_point() == 0 || total.sectors == 0) return std::nullopt;
    Roofline roofline;
    roofline.peak = peak_of(total, gpu);
    if (roofline.peak <= 0) return std::nullopt;
    roofline.operations_per_byte =
        static_cast<double>(total.floating_point()) / (32.0 * static_cast<double>(total.sectors));
    const double of_memory = roofline.operations_per_byte * gpu.gigabytes_a_second;
    roofline.is_bound_by_memory = of_memory < roofline.peak;
    roofline.attainable = std::min(of_memory, roofline.peak);
    return roofline;
}

nlohmann::json to_json(const Roofline& roofline, const Gpu& gpu) {
    return {{"gpu", gpu.name},
            {"source", gpu.source},
            {"peak_gigaflops", roofline.peak},
            {"peak_gigabytes_a_second", gpu.gigabytes_a_second},
            {"operations_per_sector_byte", roofline.operations_per_byte},
            {"attainable_gigaflops", roofline.attainable},
            {"bound", roofline.is_bound_by_memory ? "memory" : "arithmetic"},
            {"model", true}};
}

} // namespace warplight::profile
