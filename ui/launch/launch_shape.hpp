// SPDX-License-Identifier: GPL-3.0-or-later
/// Grid, block and shared memory: limits of the device, launches that cover the data, effects of another block.
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

/// A device's limits of a launch. The defaults are the limits that all devices share.
struct LaunchLimits {
    QString device;
    std::array<quint64, 3> grid{2147483647, 65535, 65535}, block{1024, 1024, 64};
    quint64 threads = 1024;   ///< per block
    quint64 shared = 0;       ///< bytes per block, static and dynamic together; 0: not known
    int kernelThreads = 0;    ///< the kernel's limit, from registers or __launch_bounds__; 0: not known
    quint64 staticShared = 0; ///< of the kernel
};
/// Reads the limits from the `attributes` that a worker gives.
LaunchLimits limitsFromAttributes(const QString& device, const nlohmann::json& attributes);

enum class LaunchField { GridX, GridY, GridZ, BlockX, BlockY, BlockZ, Shared, Repeat, Warmup };

struct LaunchProblem {
    LaunchField field;
    QString text; ///< a sentence
};
/// Why the device would refuse this launch; empty when it would not.
QList<LaunchProblem> launchProblems(const session::LaunchConfiguration& launch, const LaunchLimits& limits);

/// The elements that a launch has to cover, slowest axis first, and the buffer that has them. Elements have the
/// parameter's type: a float4* of shape (1024, 4) has 1024 elements.
struct Coverage {
    std::string argument;
    std::vector<std::size_t> shape;
};
/// Empty when no buffer's shape is known without reading its data. `flat`: for a launch with one axis.
std::optional<Coverage> findCoverage(const session::Session& session, const compiler::Kernel* kernel,
                                     const QString& folder, bool flat);

using Extents = std::vector<std::uint32_t>;
bool isFlat(const Extents& sides);
/// True for threads along one axis only. The kernel of a flat block may still take its rows from blockIdx.y.
bool isFlat(const session::LaunchConfiguration& launch, const compiler::Kernel* kernel);
std::uint64_t threadsOf(const Extents& block);
/// The grid of such blocks with one thread per element. `flat`: all along the first axis.
Extents coveringGrid(const Coverage& coverage, const Extents& block, bool flat);
/// A block of about that many threads, with the axes and about the proportions of this one.
Extents blockOfThreads(const Extents& like, int threads, const LaunchLimits& limits);
/// The first block of a kernel that uses that many axes of threadIdx.
Extents firstBlock(int dimensions, int maxThreads);
/// Dynamic shared memory for another block: in proportion if it was a whole number of bytes per thread.
std::uint64_t sharedFor(std::uint64_t shared, const Extents& before, const Extents& after);

} // namespace warplight::ui
