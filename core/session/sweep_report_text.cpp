// SPDX-License-Identifier: Apache-2.0
// Prints the report of a sweep for people.
#include "session/sweep_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace warplight::session {
namespace {

using Row = std::vector<std::string>;

/// Columns of text to the left, of numbers to the right. Widths count characters, not bytes.
class Table {
public:
    Table(Row titles, std::size_t columns_of_text) : text_columns_(columns_of_text) {
        rows_.push_back(std::move(titles));
    }
    void add(Row row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const {
        std::vector<std::size_t> widths(rows_.front().size());
        for (const auto& row : rows_)
            for (std::size_t i = 0; i < row.size(); ++i)
                widths[i] = std::max(widths[i], width(row[i]));
        std::string text;
        for (const auto& row : rows_) {
            std::string line = "  ";
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string pad(widths[i] - width(row[i]), ' ');
                const bool last = i + 1 == row.size();
                line += i < text_columns_ || last ? row[i] + pad : pad + row[i];
                line += "  ";
            }
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + '\n';
        }
        return text;
    }

private:
    static std::size_t width(const std::string& text) {
        return static_cast<std::size_t>(
            std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    }
    std::size_t text_columns_;
    std::vector<Row> rows_;
};

std::string verdict(const SweepReport& report, std::size_t index) {
    const auto& point = report.points[index];
    switch (point.state) {
    case PointState::failed: return "failed: " + point.message;
    case PointState::wrong: return "wrong: " + point.message;
    case PointState::waiting: return "not run";
    case PointState::tried: return report.best == index ? "best of one run each" : "one run only";
    default: break;
    }
    const auto standing = standing_of(report, index);
    if (standing == Standing::best) return "best";
    const auto& against = point.against_best;
    if (standing == Standing::far_slower || !against) {
        const double best = report.best ? report.points[*report.best].median_ms : 0;
        return best > 0 ? fmt::format("{:.3g} times the best, not measured on", point.median_ms / best)
                        : "not measured on";
    }
    const auto ratio =
        fmt::format("{:.3f} ({:.3f} … {:.3f})", against->ratio, against->interval.low, against->interval.high);
    if (standing == Standing::untested) return ratio + ", too few rounds for a test";
    return standing == Standing::slower ? ratio : ratio + ", not distinguishable from the best";
}

/// "block=32x8, option=(none)"
std::string named_values(const SweepReport& report, std::size_t index) {
    std::string text;
    for (std::size_t i = 0; i < report.axes.size(); ++i) {
        const auto& value = report.points[index].values[i];
        text += fmt::format("{}{}={}", i ? ", " : "", report.axes[i].name, value.empty() ? "(none)" : value);
    }
    return text;
}

/// What makes the time of a point doubtful, behind its verdict.
std::string conditions_of(const SweepPointResult& point) {
    std::string text;
    if (point.clocks && point.clocks->throttled()) text += ", throttled";
    if (point.clocks && point.clocks->changed())
        text += fmt::format(", SM clock changed by {:.0f} %", point.clocks->change() * 100);
    if (point.is_mostly_launch()) text += ", mostly its launch";
    return text;
}

/// Lines about clocks and launches, for the whole sweep.
std::string conditions_text(const SweepReport& report) {
    std::string text;
    std::map<std::string, double> empty;
    for (const auto& point : report.points)
        if (point.empty_launch) empty.emplace(point.empty_launch->kind, point.empty_launch->ms);
    for (const auto& [kind, ms] : empty)
        text += fmt::format("  an empty kernel{} takes {}\n", kind == "launch" ? "" : fmt::format(" ({})", kind),
                            format_ms(ms));
    const auto clocks = report.clocks();
    if (!clocks) return text;
    text += fmt::format("  clocks: {}\n", clocks_text(*clocks));
    if (const auto count = report.doubtful_clocks())
        text += fmt::format("  {} of {} points were measured while clocks were held down or changed\n", count,
                            report.all());
    for (const auto& note : clock_notes(*clocks))
        text += fmt::format("  {}\n", note);
    return text;
}

std::string percent(double part) { return fmt::format("{:.1f} %", 100 * part); }

} // namespace

std::string to_text(const SweepReport& report, std::size_t most_rows) {
    const auto any = [&](const auto& condition) { return std::ranges::any_of(report.points, condition); };
    const bool bytes = any([](const auto& point) { return point.figures.bytes.has_value(); });
    const bool operations = any([](const auto& point) { return point.figures.operations.has_value(); });
    const bool waves = any([](const auto& point) { return point.figures.waves > 0; });
    const bool peaks = !report.gpu.empty();
    const bool nodes = any([](const auto& point) { return !point.node.empty(); });
    Row titles;
    for (const auto& axis : report.axes)
        titles.push_back(axis.name);
    const auto columns_of_text = titles.size();
    for (const char* title : {"median", "95 % of it", "runs", "outliers"})
        titles.emplace_back(title);
    if (bytes) titles.emplace_back("GB/s");
    if (bytes && peaks) titles.emplace_back("of peak");
    if (operations) titles.emplace_back("GFLOP/s");
    if (operations && peaks) titles.emplace_back("of peak");
    if (waves) titles.insert(titles.end(), {"waves", "tail"});
    if (nodes) titles.emplace_back("node");
    titles.emplace_back("times the best");
    Table table(titles, columns_of_text);

    const auto order = fastest_first(report);
    for (std::size_t i = 0; i < std::min(order.size(), most_rows); ++i) {
        const auto& point = report.points[order[i]];
        const auto& figures = point.figures;
        const bool timed = point.median_ms > 0 && point.state != PointState::wrong;
        const auto add = [&](Row& row, bool there, std::string text) { row.push_back(there ? std::move(text) : ""); };
        Row row = point.values;
        add(row, timed, format_ms(point.median_ms));
        add(row, point.runs() > 0,
            fmt::format("{} … {}", format_ms(point.interval_ms.low), format_ms(point.interval_ms.high)));
        add(row, timed, std::to_string(std::max<std::size_t>(point.runs(), 1)));
        add(row, point.runs() > 0, std::to_string(point.outliers));
        if (bytes) add(row, timed && figures.bytes, fmt::format("{:.2f}", figures.gigabytes_a_second));
        if (bytes && peaks) add(row, timed && figures.memory_peak > 0, percent(figures.part_of_memory_peak));
        if (operations) add(row, timed && figures.operations, fmt::format("{:.2f}", figures.gigaflops));
        if (operations && peaks) add(row, timed && figures.peak > 0, percent(figures.part_of_peak));
        if (waves) {
            add(row, figures.waves > 0, fmt::format("{:.2f}", figures.waves));
            add(row, figures.waves > 0, percent(figures.tail));
        }
        if (nodes) row.push_back(point.node);
        row.push_back(verdict(report, order[i]) + (timed ? conditions_of(point) : ""));
        table.add(std::move(row));
    }

    std::string text = fmt::format("{}{}{}\n\n", report.title.empty() ? report.kernel : report.title,
                                   report.time_of.empty() ? "" : fmt::format(", times of step {}", report.time_of),
                                   report.stopped ? ": STOPPED; what was measured until then" : "");
    text += table.text();
    const auto rows = std::min(order.size(), most_rows);
    if (report.all() > rows)
        text += fmt::format("  … and {} more points, which --csv and --json have\n", report.all() - rows);
    const auto summary = [&](PointState state, const char* what) {
        const auto count = report.count(state);
        return count ? fmt::format(", {} {}", count, what) : std::string();
    };
    text += fmt::format("\n  {} of {} points measured in {} rounds{}{}{}{}{}\n", report.count(PointState::measured),
                        report.all(), report.rounds, summary(PointState::slower, "far slower"),
                        summary(PointState::wrong, "wrong"), summary(PointState::failed, "failed"),
                        summary(PointState::tried, "tried once"), summary(PointState::waiting, "not run"));
    if (report.best && report.points[*report.best].runs() > 0) {
        std::string others;
        std::size_t count = 0;
        for (const auto index : order) {
            const auto standing = standing_of(report, index);
            if (standing != Standing::indistinguishable && standing != Standing::untested) continue;
            if (++count <= 5) others += fmt::format("{}{}", count > 1 ? "; " : "", named_values(report, index));
        }
        if (count > 5) others += fmt::format("; and {} more", count - 5);
        text += fmt::format("  best: {}{}\n", named_values(report, *report.best),
                            count ? fmt::format(", not distinguishable from {} (permutation test, level {} %)", others,
                                                100 * level_of_test)
                                  : std::string());
    }
    text += conditions_text(report);
    const auto& seconds = report.seconds;
    if (seconds.runs == 0 && report.compilations == 0)
        return text + fmt::format("  {:.1f} s\n", seconds.wall); // not told
    text += fmt::format(
        "  {:.1f} s: {:.1f} s of runs, {:.1f} s to load kernels, {:.1f} s to compile {} ({:.1f} s one after "
        "the other)\n",
        seconds.wall, seconds.runs, seconds.load, seconds.compile_wall, report.compilations, seconds.compile);
    return text;
}

} // namespace warplight::session
