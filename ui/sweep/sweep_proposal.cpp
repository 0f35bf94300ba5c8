// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_proposal.hpp"

#include "session/sweep_points.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace warplight::ui {
namespace {

constexpr std::array<const char*, 3> blockNames{"bx", "by", "bz"};

std::uint32_t extentAlong(const Extents& sides, std::size_t axis) { return axis < sides.size() ? sides[axis] : 1; }

std::string writtenBlock(const Extents& block) {
    std::size_t axes = 3;
    while (axes > 1 && extentAlong(block, axes - 1) == 1)
        --axes;
    std::string text;
    for (std::size_t axis = 0; axis < axes; ++axis)
        text += (axis ? "x" : "") + std::to_string(extentAlong(block, axis));
    return text;
}

/// Formulas may use the argument, and its blocks of threads are those of the launch.
bool isCounted(const session::Session& session, const session::Argument& argument, std::uint64_t block,
               std::uint64_t grid) {
    if (argument.direction != session::Direction::scalar) return false;
    std::uint64_t value = 0;
    if (const auto* number = std::get_if<session::Number>(&argument.value)) {
        const double real = session::as_double(*number);
        if (!(real >= 1 && real < 0x1p53)) return false;
        value = std::uint64_t(real);
    } else if (const auto* named = std::get_if<session::SizeOf>(&argument.value)) {
        const auto& size = *named;
        for (const auto& other : session.arguments) {
            if (other.name != size.argument) continue;
            const auto shape = std::visit(
                [](const auto& source) { return std::optional<session::Shape>(source.shape); }, other.source);
            if (!shape) return false;
            value = 1;
            for (std::size_t axis = 0; axis < shape->size(); ++axis)
                if (!size.axis || std::size_t(*size.axis) == axis) value *= (*shape)[axis];
        }
    }
    return value > 0 && (value + block - 1) / block == grid;
}

/// The name of a scalar that counts the threads along the axis; where there is none, their number.
std::string countAlong(const session::Session& session, const std::vector<std::string>& names, std::size_t axis) {
    const std::uint64_t block = extentAlong(session.launch.block, axis), grid = extentAlong(session.launch.grid, axis);
    if (grid > 1)
        for (const auto& argument : session.arguments)
            if (std::find(names.begin(), names.end(), argument.name) != names.end() &&
                isCounted(session, argument, block, grid))
                return argument.name;
    return std::to_string(block * grid);
}

session::Sweep blocksAround(const session::Session& session, const compiler::Kernel* kernel,
                            const LaunchLimits& limits) {
    const Extents& now = session.launch.block;
    int most = int(std::min<quint64>(limits.threads, 1024));
    for (const int limit : {limits.kernelThreads, kernel ? kernel->max_threads : 0})
        if (limit > 0) most = std::min(most, limit);
    // Around what is usual, or below what the kernel allows.
    int largest = 256;
    while (largest > most)
        largest /= 2;
    std::vector<Extents> blocks;
    for (const int threads : {largest / 4, largest / 2, largest})
        if (threads > 0)
            blocks.push_back(isFlat(now) ? Extents{std::uint32_t(threads), 1, 1}
                                         : blockOfThreads(now, threads, limits));
    const bool there = std::any_of(blocks.begin(), blocks.end(),
                                   [&](const Extents& block) { return writtenBlock(block) == writtenBlock(now); });
    if (!there) blocks.push_back(now);
    std::sort(blocks.begin(), blocks.end(),
              [](const Extents& a, const Extents& b) { return threadsOf(a) < threadsOf(b); });

    session::Sweep sweep;
    session::SweepAxis axis{"block", {}};
    for (const Extents& block : blocks)
        axis.values.push_back(writtenBlock(block));
    sweep.vary.push_back(std::move(axis));

    session::Session varied = session;
    varied.sweep = sweep;
    const auto names = session::SweepPoints(varied).names();
    std::size_t axes = 3;
    while (axes > 1 && extentAlong(now, axes - 1) == 1 && extentAlong(session.launch.grid, axes - 1) == 1)
        --axes;
    session::SweepSetting grid{"grid", {}};
    for (std::size_t i = 0; i < axes; ++i)
        grid.formulas.push_back(extentAlong(now, i) == 1 && (i > 0 || isFlat(now) == false)
                                    ? std::to_string(extentAlong(session.launch.grid, i))
                                    : "ceil(" + countAlong(session, names, i) + "/" + blockNames[i] + ")");
    sweep.set.push_back(std::move(grid));
    const std::uint64_t threads = threadsOf(now), shared = session.launch.shared;
    if (shared > 0 && threads > 0 && shared % threads == 0)
        sweep.set.push_back({"shared", {std::to_string(shared / threads) + "*threads"}});
    return sweep;
}

} // namespace

session::Sweep compareBlockSizes(const session::Session& session, const compiler::Kernel* kernel,
                                 const LaunchLimits& limits) {
    if (!session.pipeline) return blocksAround(session, kernel, limits);
    // The first launch whose grid follows its block; else the first one.
    const session::LaunchStep* chosen = nullptr;
    std::string number;
    session::visit_steps(session.pipeline->steps, [&](const session::PipelineStep& step, const std::string& path) {
        const auto* launch = std::get_if<session::LaunchStep>(&step.what);
        if (!launch || (chosen && (!chosen->grid.empty() || launch->grid.empty()))) return;
        chosen = launch;
        number = path;
    });
    if (!chosen) throw session::SessionError("The pipeline launches no kernel.", "/pipeline/steps");
    session::Session alone = session;
    alone.pipeline.reset();
    alone.kernel = chosen->kernel;
    alone.launch = chosen->launch;
    session::Sweep sweep = blocksAround(alone, kernel, limits);
    if (!chosen->grid.empty())
        std::erase_if(sweep.set, [](const session::SweepSetting& each) { return each.name == "grid"; });
    for (auto& each : sweep.vary)
        each.name = "step:" + number + "." + each.name;
    for (auto& each : sweep.set)
        each.name = "step:" + number + "." + each.name;
    return sweep;
}

} // namespace warplight::ui
