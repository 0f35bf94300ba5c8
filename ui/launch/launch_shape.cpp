// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_shape.hpp"

#include "ui/launch/file_heads.hpp"
#include "ui/launch/module_variables.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

namespace warplight::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("warplight::ui", text); }

std::uint32_t side(const Extents& sides, std::size_t i) { return i < sides.size() ? sides[i] : 1; }

/// As people type it, up to four digits without a gap.
QString plain(quint64 number) { return number < 10000 ? QString::number(number) : formatCount(qint64(number)); }

std::size_t product(const std::vector<std::size_t>& shape) {
    std::size_t all = 1;
    for (std::size_t length : shape)
        all *= length;
    return all;
}

/// The kernel takes this argument as float4* or such: its first axis counts the elements.
bool holdsVectors(const session::Session& session, const compiler::Kernel* kernel, const std::string& name) {
    const std::vector<int> numbers = parameterNumbers(session.arguments);
    for (std::size_t i = 0; kernel && i < numbers.size(); ++i)
        if (session.arguments[i].name == name && numbers[i] >= 0 && numbers[i] < int(kernel->parameters.size()))
            return kernel->parameters[std::size_t(numbers[i])].components > 1;
    return false;
}

/// Of float4* the last axis holds the components, or every fourth number begins an element.
std::vector<std::size_t> elementsOf(std::vector<std::size_t> shape, std::size_t components) {
    if (components <= 1 || shape.empty()) return shape;
    if (shape.back() % components == 0) {
        shape.back() /= components;
        if (shape.back() == 1 && shape.size() > 1) shape.pop_back();
        return shape;
    }
    return {(product(shape) + components - 1) / components};
}

} // namespace

LaunchLimits limitsFromAttributes(const QString& device, const nlohmann::json& attributes) {
    LaunchLimits limits;
    if (!attributes.is_object()) return limits;
    limits.device = device;
    const auto read = [&](const char* name, quint64& value) {
        const auto it = attributes.find(name);
        if (it != attributes.end() && it->is_number_integer() && it->get<qint64>() > 0) value = it->get<quint64>();
    };
    static constexpr const char* axes[] = {"X", "Y", "Z"};
    for (std::size_t i = 0; i < 3; ++i) {
        read((std::string("MAX_GRID_DIM_") + axes[i]).c_str(), limits.grid[i]);
        read((std::string("MAX_BLOCK_DIM_") + axes[i]).c_str(), limits.block[i]);
    }
    read("MAX_THREADS_PER_BLOCK", limits.threads);
    quint64 usual = 0, most = 0;
    read("MAX_SHARED_MEMORY_PER_BLOCK", usual);
    read("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", most);
    limits.shared = std::max(usual, most);
    return limits;
}

QList<LaunchProblem> launchProblems(const session::LaunchConfiguration& launch, const LaunchLimits& limits) {
    QList<LaunchProblem> problems;
    const QString who = limits.device.isEmpty() ? tr("a device") : limits.device;
    static constexpr LaunchField gridFields[] = {LaunchField::GridX, LaunchField::GridY, LaunchField::GridZ};
    static constexpr LaunchField blockFields[] = {LaunchField::BlockX, LaunchField::BlockY, LaunchField::BlockZ};
    const auto check = [&](const Extents& sides, const std::array<quint64, 3>& most, const LaunchField* fields,
                           const QString& name, const QString& none) {
        for (std::size_t i = 0; i < 3; ++i) {
            const quint64 value = side(sides, i);
            const QString axis = QStringLiteral("%1 %2").arg(name, QString(QLatin1Char("xyz"[i])));
            if (value == 0)
                problems.append({fields[i], QStringLiteral("%1: %2").arg(axis, none)});
            else if (value > most[i])
                problems.append(
                    {fields[i], tr("%1 is %2; %3 allows at most %4.").arg(axis, plain(value), who, plain(most[i]))});
        }
    };
    check(launch.grid, limits.grid, gridFields, tr("Grid"), tr("A grid needs at least one block."));
    check(launch.block, limits.block, blockFields, tr("Block"), tr("A block needs at least one thread."));
    const quint64 threads = threadsOf(launch.block);
    if (threads > limits.threads && std::none_of(problems.cbegin(), problems.cend(), [](const LaunchProblem& problem) {
            return problem.field >= LaunchField::BlockX;
        }))
        problems.append({LaunchField::BlockX, tr("A block of %1 threads is too large: %2 allows at most %3.")
                                                  .arg(plain(threads), who, plain(limits.threads))});
    else if (limits.kernelThreads > 0 && threads > quint64(limits.kernelThreads) && threads <= limits.threads)
        problems.append({LaunchField::BlockX, tr("A block of %1 threads is too large for this kernel: its registers or "
                                                 "its __launch_bounds__ allow at most %2.")
                                                  .arg(plain(threads), plain(quint64(limits.kernelThreads)))});
    if (limits.shared > 0 && limits.staticShared + launch.shared > limits.shared)
        problems.append(
            {LaunchField::Shared,
             limits.staticShared > 0
                 ? tr("%1 of shared memory and the %2 of the kernel itself are too much: %3 allows at most "
                      "%4 a block.")
                       .arg(formatBytes(launch.shared), formatBytes(limits.staticShared), who,
                            formatBytes(limits.shared))
                 : tr("%1 of shared memory is too much: %2 allows at most %3 (%4) a block.")
                       .arg(formatBytes(launch.shared), who, formatBytes(limits.shared), plain(limits.shared))});
    return problems;
}

std::optional<Coverage> findCoverage(const session::Session& session, const compiler::Kernel* kernel,
                                     const QString& folder, bool flat) {
    // The buffer whose size the kernel is told is the one that it counts along. In two axes that is mostly the result.
    std::string counted;
    for (const auto& argument : session.arguments)
        if (const auto* size = std::get_if<session::SizeOf>(&argument.value);
            argument.direction == session::Direction::scalar && size && counted.empty() &&
            (!size->axis || (*size->axis == 0 && holdsVectors(session, kernel, size->argument))))
            counted = size->argument;
    const std::vector<int> numbers = parameterNumbers(session.arguments);
    std::optional<Coverage> best;
    int bestScore = -1;
    for (std::size_t i = 0; i < session.arguments.size(); ++i) {
        const auto& argument = session.arguments[i];
        if (argument.direction == session::Direction::scalar || argument.variable) continue;
        Coverage found{argument.name, {}};
        auto known = knownArray(argument.source, folder);
        if (!known) continue;
        found.shape = std::move(known->shape);
        if (const auto number = std::size_t(numbers[i]); kernel && number < kernel->parameters.size())
            found.shape = elementsOf(std::move(found.shape), std::size_t(kernel->parameters[number].components));
        const bool output = argument.direction != session::Direction::in;
        const int score =
            flat ? (argument.name == counted ? 4 : 0) : (found.shape.size() > 1 ? 4 : 0) + (output ? 2 : 0);
        const bool larger = best && product(found.shape) > product(best->shape);
        if (score > bestScore || (score == bestScore && larger)) {
            best = std::move(found);
            bestScore = score;
        }
    }
    return best;
}

bool isFlat(const Extents& sides) { return side(sides, 1) == 1 && side(sides, 2) == 1; }

bool isFlat(const session::LaunchConfiguration& launch, const compiler::Kernel* kernel) {
    return isFlat(launch.block) && (kernel ? kernel->dimensions < 2 : isFlat(launch.grid));
}

std::uint64_t threadsOf(const Extents& block) {
    std::uint64_t threads = 1;
    for (std::uint32_t each : block)
        threads *= each;
    return threads;
}

Extents coveringGrid(const Coverage& coverage, const Extents& block, bool flat) {
    const auto blocks = [](std::uint64_t elements, std::uint64_t threads) {
        threads = std::max<std::uint64_t>(threads, 1);
        return std::uint32_t(std::clamp<std::uint64_t>((elements + threads - 1) / threads, 1,
                                                       std::numeric_limits<std::uint32_t>::max()));
    };
    const auto& shape = coverage.shape;
    // A flat launch covers elements, another one columns and rows.
    if (flat) return {blocks(product(shape), side(block, 0)), 1, 1};
    // Of an image (height, width, channels) the first two axes are the picture.
    const bool image = shape.size() == 3 && shape[2] <= 4 && side(block, 2) == 1;
    const std::size_t width = shape.empty() ? 1 : shape.size() == 1 ? shape[0] : image ? shape[1] : shape.back();
    const std::size_t height = shape.size() < 2 ? 1 : image ? shape[0] : shape[shape.size() - 2];
    const std::size_t depth = shape.size() >= 3 && !image ? shape[shape.size() - 3] : 1;
    return {blocks(width, side(block, 0)), blocks(height, side(block, 1)), blocks(depth, side(block, 2))};
}

Extents blockOfThreads(const Extents& like, int threads, const LaunchLimits& limits) {
    const auto wanted = std::uint32_t(std::max(1, threads));
    if (isFlat(like)) return {wanted, 1, 1};
    const std::uint32_t depth = wanted % side(like, 2) == 0 ? side(like, 2) : 1;
    const std::uint32_t area = wanted / depth;
    // Of all rectangles of that area the one that looks most like this one, and of two the wider.
    const double shape = std::log(double(side(like, 0)) / side(like, 1));
    Extents best{area, 1, depth};
    double difference = std::numeric_limits<double>::infinity();
    for (std::uint32_t height = 1; height <= area; ++height) {
        if (area % height != 0 || area / height > limits.block[0] || height > limits.block[1]) continue;
        const std::uint32_t width = area / height;
        const double here = std::abs(std::log(double(width) / height) - shape);
        if (here < difference - 1e-9) {
            difference = here;
            best = {area / height, height, depth};
        }
    }
    return best;
}

Extents firstBlock(int dimensions, int maxThreads) {
    Extents block = dimensions >= 3 ? Extents{8, 8, 4} : dimensions == 2 ? Extents{16, 16, 1} : Extents{256, 1, 1};
    while (maxThreads > 0 && threadsOf(block) > std::uint64_t(maxThreads)) {
        std::uint32_t& largest = *std::max_element(block.rbegin(), block.rend());
        if (isFlat(block)) {
            largest = std::uint32_t(maxThreads);
            break;
        }
        largest = std::max(1u, largest / 2);
    }
    return block;
}

std::uint64_t sharedFor(std::uint64_t shared, const Extents& before, const Extents& after) {
    const std::uint64_t threads = threadsOf(before);
    if (shared == 0 || threads == 0 || shared % threads != 0) return shared;
    return shared / threads * threadsOf(after);
}

} // namespace warplight::ui
