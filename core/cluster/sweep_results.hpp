// SPDX-License-Identifier: Apache-2.0
/// The report of a sweep that tasks have run. Points of different GPUs are never compared with each other: each GPU has
/// its own best point.
#pragma once

#include "cluster/collector.hpp"
#include "session/session.hpp"
#include "session/sweep_points.hpp"
#include "session/sweep_report.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::cluster {

struct CollectedPoint {
    session::SweepPointResult result; ///< compared with the best point of its GPU
    Machine machine;
    bool best = false;    ///< of its GPU
    std::string roofline; ///< GPU whose peak figures were compared with
};

class SweepResults {
public:
    /// Of what the collector has now, which outlives this. @param stopped by the user
    SweepResults(const Collector& collector, bool stopped, double seconds);

    /// The best point of each GPU, by the index in Collector::gpus().
    [[nodiscard]] const std::vector<std::optional<std::uint64_t>>& best() const { return best_; }
    /// A point that has no result yet is `waiting`.
    [[nodiscard]] CollectedPoint point(std::uint64_t index) const;

    using Write = std::function<void(std::string_view piece)>;
    /// As of a sweep here, and more: docs/cluster.md. Points are read one after the other.
    void write_json(const Write& write) const;
    /// As of a sweep here, with the columns `gpu` and `node` behind it.
    void write_csv(const Write& write) const;
    /// For people: the fastest points of each GPU.
    [[nodiscard]] std::string text(std::size_t most_rows = 40) const;
    [[nodiscard]] int exit_code() const;
    /// Points that were measured, of all GPUs, the fastest first.
    [[nodiscard]] std::vector<CollectedPoint> fastest(std::size_t most) const;
    /// The points of a GPU, the fastest first, as a report of their own; the others are counted. They name their nodes
    /// where one of them is another machine.
    [[nodiscard]] session::SweepReport report_of(std::size_t gpu, std::size_t most_points) const;

private:
    [[nodiscard]] session::SweepReport head() const;
    [[nodiscard]] std::optional<CollectedPoint> raw(std::uint64_t index) const;
    [[nodiscard]] static std::vector<double> medians_of(const session::SweepPointResult& point);

    const Collector& collector_;
    const session::SweepPoints points_;
    const bool stopped_;
    const double seconds_;
    std::vector<std::optional<std::uint64_t>> best_;
    std::vector<std::vector<double>> best_rounds_; ///< medians of the best point's rounds
    std::vector<std::uint64_t> numbers_;           ///< of the points; empty: they count from 0
};

/// So many points of a sweep are kept in the history, the fastest ones.
inline constexpr std::size_t most_kept_points = 1000;

/// "n1, NVIDIA H200, driver cuda 13.0"
[[nodiscard]] std::string machine_text(const Machine& machine);
/// A point as the report of a run, for the history. @param session of the point
[[nodiscard]] session::Report report_of(const CollectedPoint& point, const session::Session& session);

} // namespace warplight::cluster
