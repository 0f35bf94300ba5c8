// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_figures.hpp"

#include "profile/roofline.hpp"

#include <cmath>

namespace warplight::session {

PointFigures figures_of(const Report& report, std::optional<double> declared_bytes,
                        std::optional<double> declared_operations, const profile::Gpu* gpu) {
    PointFigures figures;
    figures.bytes = declared_bytes;
    figures.operations = declared_operations;
    if (gpu) {
        figures.memory_peak = gpu->gigabytes_a_second;
        figures.peak = gpu->f32;
    }
    if (report.profile) {
        const auto total = report.profile->total();
        if (!figures.bytes) figures.bytes = static_cast<double>(total.bytes);
        if (!figures.operations) {
            figures.operations = static_cast<double>(total.floating_point());
            // The peak of the kind of operations that the kernel has most of.
            if (gpu)
                if (const auto roofline = profile::roofline_of(total, *gpu)) figures.peak = roofline->peak;
        }
    }
    if (!report.pipeline && report.occupancy && report.occupancy->blocks_per_sm > 0 &&
        report.device.multiprocessors > 0) {
        double blocks = 1;
        for (const auto extent : report.grid)
            blocks *= extent;
        figures.waves = blocks / (static_cast<double>(report.occupancy->blocks_per_sm) *
                                  static_cast<double>(report.device.multiprocessors));
        const double whole = std::ceil(figures.waves);
        if (whole > 0) figures.tail = 1 - figures.waves / whole;
    }
    return figures;
}

void set_speed(PointFigures& figures, double ms) {
    if (!(ms > 0)) return;
    const double a_second = 1e-6 / ms; // of counts, in billions
    if (figures.bytes) figures.gigabytes_a_second = *figures.bytes * a_second;
    if (figures.operations) figures.gigaflops = *figures.operations * a_second;
    if (figures.memory_peak > 0) figures.part_of_memory_peak = figures.gigabytes_a_second / figures.memory_peak;
    if (figures.peak > 0) figures.part_of_peak = figures.gigaflops / figures.peak;
}

} // namespace warplight::session
