// SPDX-License-Identifier: GPL-3.0-or-later
/// Grid, block and shared memory: what a device allows, what covers the data, what follows from the block.
#pragma once

#include "session/session.hpp"
#include "warplight/compiler.hpp"

#include <QList>
#include <QString>
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace warplight::ui {

/// What a launch may ask of a device. Without a device: what all of them have in common.
struct LaunchLimits {
    QString device;
    std::array<quint64, 3> grid{2147483647, 65535, 65535}, block{1024, 1024, 64};
    quint64 threads = 1024;   ///< a block
    quint64 shared = 0;       ///< bytes a block, static and dynamic together; 0: not known
    int kernelThreads = 0;    ///< of the kernel, by its registers or __launch_bounds__; 0: not known
    quint64 staticShared = 0; ///< of the kernel
};
/// Out of a device's `attributes` as its worker gives them.
LaunchLimits limitsFromAttributes(const QString& device, const nlohmann::json& attributes);

enum class LaunchField { GridX, GridY, GridZ, BlockX, BlockY, BlockZ, Shared, Repeat, Warmup };

struct LaunchProblem {
    LaunchField field;
    QString text; ///< a sentence
};
/// Why the device would refuse this launch; empty when it would not.
QList<LaunchProblem> launchProblems(const session::LaunchConfiguration& launch, const LaunchLimits& limits);

/// The elements that a launch has to cover, slowest axis first, and whose they are. An element is one of the
/// parameter's type: a float4* of shape (1024, 4) has 1024.
struct Coverage {
    std::string argument;
    std::vector<std::size_t> shape;
};
/// Empty where no buffer tells its shape without its data being read. `flat`: for a launch with one axis.
std::optional<Coverage> findCoverage(const session::Session& session, const compiler::Kernel* kernel,
                                     const QString& folder, bool flat);

using Extents = std::vector<std::uint32_t>;
bool isFlat(const Extents& sides);
/// All along one axis. A flat block may still have a kernel that takes its rows from blockIdx.y.
bool isFlat(const session::LaunchConfiguration& launch, const compiler::Kernel* kernel);
std::uint64_t threadsOf(const Extents& block);
/// Blocks of this size for one thread an element. `flat`: all along the first axis.
Extents coveringGrid(const Coverage& coverage, const Extents& block, bool flat);
/// A block of about so many threads with as many axes as this one has, and about its proportions.
Extents blockOfThreads(const Extents& like, int threads, const LaunchLimits& limits);
/// The block that a kernel with so many axes of threadIdx starts with.
Extents firstBlock(int dimensions, int maxThreads);
/// Dynamic shared memory for another block: in proportion where it was a whole number of bytes a thread.
std::uint64_t sharedFor(std::uint64_t shared, const Extents& before, const Extents& after);

} // namespace warplight::ui
