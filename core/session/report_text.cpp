// SPDX-License-Identifier: Apache-2.0
// Prints a report for people.
#include "profile/hints.hpp"
#include "session/pipeline_text.hpp"
#include "session/report.hpp"
#include "session/report_words.hpp"
#include "session/timing_statistics.hpp"

#include "warplight/ndarray.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace warplight::session {
namespace {

constexpr int label_width = 12;

class Page {
public:
    template <class... Args>
    void line(std::string_view label, fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), "  {:<{}}{}\n", label, label_width,
                       fmt::format(format, std::forward<Args>(args)...));
    }
    void raw(std::string_view text) { text_ += text; }
    void blank() { text_ += '\n'; }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

void write_times(Page& page, const Report& report) {
    if (report.times.kernel_ms.empty()) return;
    page.blank();
    const auto row = [&](std::string_view name, const std::vector<double>& values) {
        const auto all = statistics(values);
        page.line(name, "{:>12}{:>12}{:>12}", format_ms(all.min), format_ms(all.median), format_ms(all.p95));
    };
    page.line("time", "{:>12}{:>12}{:>12}   {} {}{}, L2 cache {}", "min", "median", "p95", report.repeat,
              report.repeat == 1 ? "run" : "runs",
              report.warmup ? fmt::format(" after {} to warm up", report.warmup) : std::string(),
              report.cold_l2 ? "cold" : "warm");
    row(report.pipeline ? "pipeline" : "kernel", report.times.kernel_ms);
    if (const auto& times = report.times.kernel_ms; times.size() >= least_for_interval) {
        const auto interval = interval_of_median({&times, 1});
        const auto outliers = count_outliers(times);
        page.line("", "median of the kernel {} … {} (95 %), {} outlier{}", format_ms(interval.low),
                  format_ms(interval.high), outliers, outliers == 1 ? "" : "s");
    }
    row("to device", report.times.htod_ms);
    row("from device", report.times.dtoh_ms);
    if (report.empty_launch) {
        page.line("empty", "{:>24}   {}", format_ms(report.empty_launch->ms),
                  report.empty_launch->kind == "graph" ? "a graph of one kernel that does nothing"
                                                       : "a launch of a kernel that does nothing");
        if (is_mostly_launch(report)) page.line("", "most of the kernel's time is its launch");
    }
    if (report.clocks) {
        if (const auto text = clocks_text(*report.clocks); !text.empty()) page.line("clocks", "{}", text);
        for (const auto& note : clock_notes(*report.clocks))
            page.line("", "{}", note);
    }
    if (!report.pipeline) return;
    page.blank();
    page.raw(to_text(*report.pipeline));
}

void write_function(Page& page, const Report& report) {
    if (report.function.empty()) return;
    page.blank();
    const auto value = [&](const char* name) {
        const auto found = report.function.find(name);
        return found == report.function.end() ? 0 : found->second;
    };
    page.line("function", "{} registers{}, {} shared, {} local, {} constant, {} threads at most", value("num_regs"),
              report.registers_from == "estimate" ? " (estimated)" : "",
              format_bytes(static_cast<std::uint64_t>(value("shared_size_bytes"))),
              format_bytes(static_cast<std::uint64_t>(value("local_size_bytes"))),
              format_bytes(static_cast<std::uint64_t>(value("const_size_bytes"))), value("max_threads_per_block"));
    if (const auto& occupancy = report.occupancy)
        page.line("occupancy", "{:.0f} %{}: {} of {} warps a multiprocessor{}", occupancy->occupancy * 100,
                  occupancy->estimated ? " (estimated)" : "", occupancy->warps_per_sm, occupancy->max_warps_per_sm,
                  occupancy->limiter == "nothing" ? std::string() : ", limited by " + occupancy->limiter);
    if (report.memory.total == 0) return;
    page.line("memory", "{} in arguments, {} of {} free before{}", format_bytes(report.memory.allocated),
              format_bytes(report.memory.free_before), format_bytes(report.memory.total),
              report.memory.free_after ? ", " + format_bytes(report.memory.free_after) + " after" : std::string());
}

void write_results(Page& page, const Report& report) {
    const auto name_of = [](const ReportOutput& array) {
        return array.name.empty() ? fmt::format("argument {}", array.index) : array.name;
    };
    const auto is_texture = [](const ReportOutput& array) { return !array.texture.empty(); };
    if (!report.outputs.empty() || std::ranges::any_of(report.inputs, is_texture)) page.blank();
    for (const auto& input : report.inputs)
        if (is_texture(input))
            page.line("input", "{}  {} {}  {}  {}", name_of(input), input.dtype, warplight::to_string(input.shape),
                      format_bytes(input.bytes), input.texture);
    for (const auto& output : report.outputs)
        page.line("output", "{}  {} {}  {}{}{}", name_of(output), output.dtype, warplight::to_string(output.shape),
                  format_bytes(output.bytes), is_texture(output) ? "  " + output.texture : std::string(),
                  output.saved.empty() ? std::string() : "  saved as " + output.saved);
    for (const auto& each : report.comparisons) {
        if (!each.problem.empty()) {
            page.line("check", "{}  FAILED: {}", each.argument, each.problem);
            continue;
        }
        if (each.passed)
            page.line("check", "{}  as expected: {} {}, largest error {:.3g} (relative {:.3g})", each.argument,
                      each.elements, each.elements == 1 ? "element" : "elements", each.largest_absolute_error,
                      each.largest_relative_error);
        else
            page.line("check", "{}  FAILED: {}", each.argument, mismatch_text(each));
        if (!each.passed)
            page.line("", "largest error {:.3g} at {} (relative {:.3g} at {}); allowed: rtol {:g}, atol {:g}",
                      each.largest_absolute_error, each.largest_absolute_at, each.largest_relative_error,
                      each.largest_relative_at, each.tolerance.rtol, each.tolerance.atol);
    }
}

void write_messages(Page& page, const Report& report) {
    if (!report.diagnostics.empty()) page.blank();
    for (const auto& each : report.diagnostics) {
        std::string place = each.file;
        if (each.line) place += fmt::format(":{}", each.line);
        if (each.column) place += fmt::format(":{}", each.column);
        page.raw(fmt::format("  {}{}{}: {}\n", place, place.empty() ? "" : ": ", each.severity, each.message));
        for (const auto& note : each.notes)
            page.raw(fmt::format("    {}\n", note));
    }
    if (!report.output.empty()) {
        page.raw("\n  the kernel printed\n");
        std::string_view rest = report.output;
        while (!rest.empty()) {
            const auto end = rest.find('\n');
            page.raw(fmt::format("  | {}\n", rest.substr(0, end)));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
        if (report.output_truncated) page.raw("  | … (more than is kept)\n");
    }
}

void write_findings(Page& page, const Report& report) {
    if (!report.checks.any() || (!report.launched && report.findings.all.empty())) return;
    const std::size_t places = report.findings.all.size();
    page.line("checks", "{}{}: {}", fmt::join(report.checks.words(), ", "),
              report.checked_beside ? ", on the software device" : "",
              places == 0 ? std::string("nothing found") : fmt::format("{} place{}", places, places == 1 ? "" : "s"));
    for (const auto& each : report.findings.all)
        page.raw("\n" + findings::to_text(each));
    if (report.findings.more > 0) page.raw('\n' + findings::more_text(report.findings));
    if (!report.checks_problem.empty()) page.raw(fmt::format("\n{}\n", report.checks_problem));
    const findings::Doubt doubt = doubt_of(report);
    if (doubt == findings::Doubt::left_out)
        page.raw("\nThe results are doubtful: accesses that were wrong were left out.\n");
    if (doubt == findings::Doubt::unordered)
        page.raw("\nThe results are doubtful: they may depend on which thread was first.\n");
}

void write_profile(Page& page, const Report& report) {
    if (!report.profile_problem.empty()) page.line("profile", "{}", report.profile_problem);
    if (!report.profile) return;
    const profile::Figures total = report.profile->total();
    page.blank();
    page.line("profile", "{} warps, {} executions, {} of global memory by threads, {} by sectors",
              report.profile->warps, total.executions, format_bytes(total.bytes), format_bytes(total.sectors * 32));
    if (const double ms = statistics(report.times.kernel_ms).median; ms > 0) {
        const profile::Speed speed = profile::speed_of(total, ms);
        page.line("achieved", "{:.4g} GB/s, {:.4g} GFLOP/s in {}", speed.gigabytes_a_second, speed.gigaflops,
                  format_ms(ms));
    }
    const profile::Gpu* gpu = profile::find_gpu(report.roofline_gpu);
    if (gpu)
        if (const auto roofline = profile::roofline_of(total, *gpu))
            page.line("roofline",
                      "{:.4g} GFLOP/s at most on {}: {} is the limit, at {:.3g} operations a byte (a model)",
                      roofline->attainable, gpu->name, roofline->is_bound_by_memory ? "memory" : "arithmetic",
                      roofline->operations_per_byte);
    page.raw("\n" + profile::to_text(*report.profile, gpu));
}

void write_warp(Page& page, const Report& report) {
    if (!report.warp_problem.empty()) page.line("warp", "{}", report.warp_problem);
    if (report.warp) page.raw("\n" + profile::to_text(*report.warp));
}

} // namespace

std::string mismatch_text(const Comparison& comparison) {
    return fmt::format("{} of {} elements differ; the first is number {}{}{}: {} instead of {}", comparison.mismatches,
                       comparison.elements, comparison.first, comparison.first_field.empty() ? "" : ", ",
                       comparison.first_field, comparison.first_actual, comparison.first_expected);
}

std::string extents_text(const std::vector<std::uint32_t>& values) {
    auto count = values.size();
    while (count > 1 && values[count - 1] == 1)
        --count;
    return fmt::format("{}", fmt::join(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), " x "));
}

std::string verdict(const Report& report) {
    switch (report.status) {
    case Status::ok: return report.comparisons.empty() ? "ran; nothing was checked" : "passed";
    case Status::expectation_failed: return "NOT AS EXPECTED";
    case Status::input_error: return failed_to_save(report) ? "ran; a result could not be saved" : "cannot be run";
    case Status::compile_error: return report.compile.compiler.empty() ? "cannot be compiled" : "DOES NOT COMPILE";
    case Status::device_error: return report.launched ? "FAILED ON THE DEVICE" : "DID NOT RUN";
    case Status::limit_reached: return "STOPPED AT A LIMIT";
    case Status::findings: return "CHECKS FOUND ERRORS";
    default: return "stopped";
    }
}

std::string format_ms(double milliseconds) {
    if (milliseconds <= 0) return "0 µs";
    const auto scaled = [](double value, std::string_view unit) {
        return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, unit);
    };
    if (milliseconds < 1) return scaled(milliseconds * 1000, "µs");
    if (milliseconds < 1000) return scaled(milliseconds, "ms");
    return scaled(milliseconds / 1000, "s");
}

std::string format_bytes(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1023.5 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

std::string to_text(const Report& report) {
    Page page;
    const auto& name = report.title.empty() ? report.kernel : report.title;
    page.raw(fmt::format("{}: {}\n", name.empty() ? "the kernel" : name, verdict(report)));
    if (!report.device.name.empty())
        page.line("device", "{}:{}  {}, compute capability {}, {}", report.device.driver, report.device.ordinal,
                  device_text(report), report.device.compute_capability, format_bytes(report.device.total_memory));
    else if (!report.machine.empty())
        page.line("machine", "{}", report.machine);
    if (!report.lowered.empty())
        page.line("kernel", "{}  grid {}, block {}{}{}{}", report.kernel, extents_text(report.grid),
                  extents_text(report.block),
                  report.shared ? ", shared memory " + format_bytes(report.shared) : std::string(),
                  report.cooperative ? ", cooperative" : "",
                  report.launch_options.any() ? ", " + report.launch_options.text() : "");
    if (!report.compile.arch.empty()) // without one the compiler was not started
        page.line("compiled", "{} by {} for {}{}", format_ms(report.compile.ms), report.compile.compiler,
                  report.compile.arch, report.compile.cached ? " (from the cache)" : "");
    if (report.compile.load_ms > 0) page.line("loaded", "{}", format_ms(report.compile.load_ms));
    write_times(page, report);
    write_function(page, report);
    write_results(page, report);
    write_findings(page, report);
    write_profile(page, report);
    write_warp(page, report);
    write_messages(page, report);
    if (report.error) {
        page.raw(fmt::format("\nerror: {}\n", report.error->message));
        if (failed_to_save(report)) page.raw("The option --out chooses the folder.\n");
        if (!report.error->details.empty()) page.raw(report.error->details + "\n");
    }
    return page.take();
}

} // namespace warplight::session
