// SPDX-License-Identifier: Apache-2.0
/// The report of a sweep, as JSON, as CSV and as text. docs/sweep.md has every key.
#pragma once

#include "session/report.hpp"
#include "session/sweep.hpp"
#include "session/timing_statistics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

enum class PointState {
    waiting,  ///< the sweep was stopped before its turn
    tried,    ///< it ran once, and the sweep was stopped before it was measured
    measured, ///< in all rounds until the end
    slower,   ///< far slower than the best, so that it was not measured on
    wrong,    ///< a result is not as expected
    failed,   ///< it cannot be compiled or run; the message tells why
};
std::string_view state_name(PointState state);

/// What a point reached, by its median.
struct PointFigures {
    std::optional<double> bytes, operations; ///< of a launch; declared, or of a profile
    double gigabytes_a_second = 0, gigaflops = 0;
    double memory_peak = 0, peak = 0;                 ///< of the GPU, in the same units; 0: not known
    double part_of_memory_peak = 0, part_of_peak = 0; ///< of these, 0…1
    double waves = 0;                                 ///< of blocks over all multiprocessors; 0: not known
    double tail = 0; ///< part of the places for blocks that stay empty, because the last wave is not full
};

struct SweepPointResult {
    std::uint64_t point = 0; ///< its number
    std::vector<std::string> values;
    PointState state = PointState::waiting;
    std::string kind, message; ///< of an error, as in a report of a run
    std::vector<std::uint32_t> grid, block;
    std::uint64_t shared = 0;
    std::string device;
    std::string node; ///< where a task has run it; empty: this machine
    int registers = 0;
    double trial_ms = 0;                     ///< of the kernel, in the round before those that count
    std::vector<std::vector<double>> visits; ///< milliseconds of the kernel, a list for each round
    double median_ms = 0, min_ms = 0;
    Interval interval_ms; ///< of the median
    std::size_t outliers = 0;
    std::optional<ReportClocks> clocks;            ///< over its rounds
    std::optional<ReportEmptyLaunch> empty_launch; ///< of its kind and its device
    std::optional<Difference> against_best;        ///< missing for the best itself, and where nothing was measured
    PointFigures figures;

    [[nodiscard]] std::size_t runs() const;
    [[nodiscard]] bool has_doubtful_clocks() const { return clocks && clocks->doubtful(); }
    /// Its median is less than `mostly_launch` empty launches.
    [[nodiscard]] bool is_mostly_launch() const {
        return empty_launch && median_ms > 0 && median_ms < mostly_launch * empty_launch->ms;
    }
};

struct SweepSeconds {
    double wall = 0;
    double runs = 0;         ///< sum over all runs: reading data, copies, warm-up, the kernel, comparing
    double compile = 0;      ///< sum over all compilations
    double compile_wall = 0; ///< of the same, several at once
    double load = 0;         ///< sum over all runs of the time in the driver, and in the cache of compilations
};

struct SweepReport {
    std::string title, session, kernel;
    std::string time_of; ///< the step of a pipeline that is timed, such as "2.1"; empty: all of them
    std::vector<SweepAxis> axes;
    std::uint64_t product = 0; ///< points before the constraint and the sample
    int rounds = 0;            ///< that were asked for
    bool stopped = false;      ///< by the user
    std::vector<SweepPointResult> points;
    std::optional<std::size_t> best; ///< index of the point with the least median
    std::size_t compilations = 0;
    std::string gpu; ///< whose peak figures the figures are compared with; empty: of none
    SweepSeconds seconds;
    /// Points by their state that are not in `points`, because only the fastest ones are to be shown.
    std::array<std::size_t, 6> unlisted{};

    [[nodiscard]] std::size_t count(PointState state) const;
    [[nodiscard]] std::size_t all() const; ///< points
    /// Points that were measured while clocks were held down, or changed.
    [[nodiscard]] std::size_t doubtful_clocks() const;
    /// Over all points. Missing where nobody tells.
    [[nodiscard]] std::optional<ReportClocks> clocks() const;
};

/// A point beside the best one.
enum class Standing {
    none,              ///< it has no time, or its results are wrong
    best,              ///< the least median
    slower,            ///< the test sees a difference
    indistinguishable, ///< the test sees none
    untested,          ///< too few rounds for a test
    far_slower,        ///< it was not measured on
};
Standing standing_of(const SweepReport& report, std::size_t index);
/// Indices of the points from the fastest on. Those without a time come last.
std::vector<std::size_t> fastest_first(const SweepReport& report);

/// 0 if a point was measured; else that of the first point that has an error.
int exit_code(const SweepReport& report);
nlohmann::json to_json(const SweepReport& report);
/// A line for each point, with a line of names in front.
std::string to_csv(const SweepReport& report);

/// A point alone, as in the report. The axes are those of its values.
nlohmann::json to_json(const SweepPointResult& point, const std::vector<SweepAxis>& axes);
/// What to_json() has written. @throws SessionError for anything else
SweepPointResult sweep_point_from_json(const nlohmann::json& object, const std::vector<SweepAxis>& axes);
/// Lines of to_csv(), without their ends, and a field for more columns.
std::string csv_titles(const std::vector<SweepAxis>& axes);
std::string csv_row(const SweepPointResult& point, bool best);
std::string csv_field(std::string text);
/// For people: the points from the fastest on, at most `most_rows`.
std::string to_text(const SweepReport& report, std::size_t most_rows = 40);

} // namespace warplight::session
