// SPDX-License-Identifier: Apache-2.0
#include "page/page.hpp"

#include "page/charts.hpp"
#include "page/html.hpp"
#include "page/listing.hpp"
#include "page/settings.hpp"
#include "profile/hints.hpp"
#include "session/report_words.hpp"
#include "session/timing_statistics.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/version.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::page {
namespace {

using session::format_bytes;
using session::format_ms;
using session::Report;
using session::Status;

using Facts = std::vector<std::pair<std::string, std::string>>;

// Qt's rich text knows these properties, too. Nothing is fetched, and nothing runs.
constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font-family: sans-serif; color: #202428; background-color: #ffffff; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4; }
h1 { font-size: 22pt; margin-bottom: 4px; }
h2 { font-size: 15pt; margin-top: 24px; margin-bottom: 6px; }
h3 { font-size: 12pt; margin-top: 14px; margin-bottom: 4px; }
table { border-collapse: collapse; }
th, td { padding: 3px 14px 3px 0; vertical-align: top; }
th { color: #505860; font-weight: 600; }
pre { font-family: monospace; font-size: 9pt; line-height: 120%; background-color: #f4f5f7; padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
img { image-rendering: pixelated; max-width: 100%; height: auto; }
.good { color: #13703c; font-weight: 600; }
.bad { color: #b3261e; font-weight: 600; }
.quiet { color: #505860; }
</style>
)";

std::string when(std::int64_t milliseconds) {
    const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
    return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(seconds));
}

std::string sentence(std::string text) {
    // "NOT AS EXPECTED" is for a terminal.
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

class PageWriter {
public:
    PageWriter(const history::Run& run, const std::vector<ResultView>& results, const Address& address)
        : run_(run), report_(run.report), results_(results), address_(address) {}

    std::string take() {
        const auto title = title_text();
        html_.raw(head);
        html_.raw(fmt::format("<title>{}</title>\n</head><body>\n", escaped(title)));
        html_.heading(1, title);
        write_verdict();
        write_settings();
        write_times();
        write_steps();
        write_kernel();
        write_results();
        write_findings();
        write_profile();
        write_printed();
        write_source();
        html_.heading(2, "Session");
        html_.paragraph("What a session file has, without the source.", "quiet");
        html_.preformatted(session_text(run_.document));
        html_.raw("</body></html>\n");
        return html_.take();
    }

private:
    [[nodiscard]] std::string title_text() const {
        if (!run_.entry.title.empty()) return run_.entry.title;
        const std::string& kernel = kernel_text();
        return kernel.empty() ? "A kernel" : kernel;
    }
    [[nodiscard]] bool is_pipeline() const { return run_.document.pipeline.has_value(); }
    /// The kernel of the session does not count where it has a pipeline.
    [[nodiscard]] const std::string& kernel_text() const { return is_pipeline() ? report_.kernel : run_.entry.kernel; }

    void write_verdict() {
        const bool good = report_.status == Status::ok;
        html_.paragraph(sentence(session::verdict(report_)), good ? "good" : "bad");
        const auto& error = report_.error;
        if (error) {
            html_.paragraph(error->message);
            if (!error->details.empty()) html_.preformatted(error->details);
        }
        if (!report_.diagnostics.empty()) {
            std::string text;
            for (const auto& each : report_.diagnostics) {
                text += fmt::format("{}:{}: {}: {}\n", each.file, each.line, each.severity, each.message);
                for (const auto& note : each.notes)
                    text += fmt::format("  {}\n", note);
            }
            html_.preformatted(text);
        }
        if (!run_.document.description.empty()) html_.paragraph(run_.document.description);
        if (!run_.entry.note.empty()) html_.paragraph(run_.entry.note);
        html_.paragraph(fmt::format("Run of {}, made by Warplight {}.", when(run_.entry.time), warplight::version()),
                        "quiet");
    }

    void write_settings() {
        html_.heading(2, "Settings");
        Facts facts;
        if (const std::string& kernel = kernel_text(); !kernel.empty())
            facts.emplace_back(is_pipeline() ? "Kernels" : "Kernel", kernel);
        if (!is_pipeline()) add_launch(facts); // a pipeline has several
        const auto& device = report_.device;
        facts.emplace_back("Device", device.name.empty()
                                         ? run_.entry.device
                                         : fmt::format("{}, compute capability {}, {}", session::device_text(report_),
                                                       device.compute_capability, format_bytes(device.total_memory)));
        if (!report_.compile.arch.empty())
            facts.emplace_back("Compiler", fmt::format("{} for {}", report_.compile.compiler, report_.compile.arch));
        if (!run_.entry.options.empty()) facts.emplace_back("Options", run_.entry.options);
        html_.facts(facts);
        const auto arguments = argument_rows(run_.document);
        if (arguments.empty()) return;
        html_.heading(3, "Arguments");
        html_.table({"Name", "Direction", "Data"}, arguments, 3);
    }

    void add_launch(Facts& facts) const {
        if (!report_.grid.empty()) {
            facts.emplace_back("Grid", session::extents_text(report_.grid));
            facts.emplace_back("Block", session::extents_text(report_.block));
        }
        if (report_.shared != 0) facts.emplace_back("Dynamic shared memory", format_bytes(report_.shared));
        if (report_.cooperative) facts.emplace_back("Cooperative", "yes");
        if (report_.launch_options.any()) facts.emplace_back("Launch options", report_.launch_options.text());
    }

    void write_times() {
        const auto& times = report_.times.kernel_ms;
        if (times.empty()) return;
        html_.heading(2, "Times");
        const auto row = [](const char* name, const std::vector<double>& values) {
            const auto all = session::statistics(values);
            return std::vector<std::string>{name, format_ms(all.min), format_ms(all.median), format_ms(all.p95)};
        };
        html_.table({"", "min", "median", "p95"},
                    {row(is_pipeline() ? "Pipeline" : "Kernel", times), row("To the device", report_.times.htod_ms),
                     row("From the device", report_.times.dtoh_ms)},
                    1);
        std::string text = fmt::format("{} {}", times.size(), times.size() == 1 ? "run" : "runs");
        if (report_.warmup != 0) text += fmt::format(" after {} to warm up", report_.warmup);
        if (times.size() >= session::least_for_interval) {
            const auto interval = session::interval_of_median({&times, 1});
            const auto outliers = session::count_outliers(times);
            text += fmt::format("; the {}'s median lies between {} and {} with 95 % confidence; {} {}",
                                is_pipeline() ? "pipeline" : "kernel", format_ms(interval.low),
                                format_ms(interval.high), outliers, outliers == 1 ? "outlier" : "outliers");
        }
        html_.paragraph(text + ".", "quiet");
        write_conditions();
        if (report_.checks.any() && !report_.checked_beside)
            html_.paragraph("The kernel was checked while it ran, so these are not its usual times.", "quiet");
        if (times.size() > 1) put(chart_of_times(times), "Time of each run");
    }

    /// Under which the times were measured.
    void write_conditions() {
        Facts facts;
        facts.emplace_back("L2 cache", report_.cold_l2 ? "cold before each run" : "warm");
        if (report_.empty_launch)
            facts.emplace_back(report_.empty_launch->kind == "graph" ? "An empty graph" : "An empty launch",
                               format_ms(report_.empty_launch->ms));
        if (report_.clocks)
            if (const auto text = session::clocks_text(*report_.clocks); !text.empty())
                facts.emplace_back("Clocks", text);
        html_.facts(facts);
        if (session::is_mostly_launch(report_)) html_.paragraph("Most of the kernel's time is its launch.", "bad");
        if (!report_.clocks) return;
        for (const auto& note : session::clock_notes(*report_.clocks))
            html_.paragraph(note, report_.clocks->doubtful() ? "bad" : "quiet");
    }

    void write_steps() {
        if (!report_.pipeline || report_.pipeline->steps.empty()) return;
        const session::ReportPipeline& pipeline = *report_.pipeline;
        html_.heading(2, "Steps");
        double whole = 0;
        for (const auto& step : pipeline.steps)
            if (step.path.find('.') == std::string::npos) whole += step.sum_ms;
        std::vector<std::vector<std::string>> rows;
        rows.reserve(pipeline.steps.size());
        for (const auto& step : pipeline.steps) {
            const bool swap = step.kind == "swap"; // which takes no time
            rows.push_back({step.path, step.label, session::extents_text(step.grid), session::extents_text(step.block),
                            fmt::format("{}", step.rounds), swap ? "" : format_ms(step.sum_ms),
                            swap || whole <= 0 ? "" : fmt::format("{:.1f} %", step.sum_ms / whole * 100),
                            swap || step.kind == "loop" ? "" : format_ms(step.median_ms)});
        }
        html_.table({"Step", "", "Grid", "Block", "Rounds", "Sum", "Share", "Median"}, rows, 4);
        for (const auto& step : pipeline.steps)
            if (step.held && !*step.held)
                html_.paragraph(fmt::format("The condition of step {} never held.", step.path), "bad");
        if (pipeline.run_as == "graph")
            html_.paragraph(fmt::format("Run as {} graph{} with {} nodes.", pipeline.graphs,
                                        pipeline.graphs == 1 ? "" : "s", pipeline.graph_nodes),
                            "quiet");
        if (pipeline.apart) html_.paragraph("The steps were timed in one more run, one by one.", "quiet");
        if (!pipeline.note.empty()) html_.paragraph(pipeline.note, "quiet");
    }

    void write_kernel() {
        if (report_.function.empty()) return;
        html_.heading(2, "Kernel");
        if (is_pipeline()) html_.paragraph("That of the first launch.", "quiet");
        const auto value = [this](const char* name) {
            const auto found = report_.function.find(name);
            return found == report_.function.end() ? 0 : found->second;
        };
        const auto bytes = [&](const char* name) { return format_bytes(static_cast<std::uint64_t>(value(name))); };
        Facts facts = {
            {"Registers",
             fmt::format("{}{}", value("num_regs"), report_.registers_from == "estimate" ? " (estimated)" : "")},
            {"Static shared memory", bytes("shared_size_bytes")},
            {"Local memory", bytes("local_size_bytes")},
            {"Constant memory", bytes("const_size_bytes")},
            {"Most threads of a block", fmt::format("{}", value("max_threads_per_block"))},
        };
        if (const auto& occupancy = report_.occupancy)
            facts.emplace_back(
                "Occupancy",
                fmt::format("{:.0f} %{}: {} of {} warps a multiprocessor{}", occupancy->occupancy * 100,
                            occupancy->estimated ? " (estimated)" : "", occupancy->warps_per_sm,
                            occupancy->max_warps_per_sm,
                            occupancy->limiter == "nothing" ? std::string() : ", limited by " + occupancy->limiter));
        if (report_.memory.total != 0)
            facts.emplace_back("Memory of the arguments", format_bytes(report_.memory.allocated));
        html_.facts(facts);
    }

    void write_results() {
        if (report_.outputs.empty()) return;
        html_.heading(2, "Results");
        if (session::doubt_of(report_) != findings::Doubt::none)
            html_.paragraph("The results are doubtful, because checks found errors.", "bad");
        for (const auto& output : report_.outputs) {
            const std::string name = output.name.empty() ? fmt::format("argument {}", output.index) : output.name;
            html_.heading(3, name);
            html_.paragraph(fmt::format("{} {}, {}{}{}", output.dtype, warplight::to_string(output.shape),
                                        format_bytes(output.bytes),
                                        output.texture.empty() ? std::string() : ", " + output.texture,
                                        output.saved.empty() ? std::string() : ", saved as " + output.saved));
            for (const auto& each : report_.comparisons)
                if (each.index == output.index) write_comparison(each);
            const auto found = std::find_if(results_.begin(), results_.end(),
                                            [&](const ResultView& each) { return each.index == output.index; });
            if (found != results_.end()) write_view(name, found->view);
        }
    }

    void write_comparison(const session::Comparison& each) {
        if (!each.problem.empty())
            html_.paragraph("Not compared: " + each.problem, "bad");
        else if (each.passed)
            html_.paragraph(fmt::format("As expected; largest error {:.3g} (relative {:.3g}).",
                                        each.largest_absolute_error, each.largest_relative_error),
                            "good");
        else
            html_.paragraph(fmt::format("{}. Largest error {:.3g}; allowed: rtol {:g}, atol {:g}.",
                                        session::mismatch_text(each), each.largest_absolute_error, each.tolerance.rtol,
                                        each.tolerance.atol),
                            "bad");
    }

    void write_view(const std::string& name, const worker::ArrayView& view) {
        const auto& all = view.summary;
        if (all.finite > 0) {
            std::string text = fmt::format("min {:.6g}, mean {:.6g}, max {:.6g}", all.min, all.mean, all.max);
            if (all.nan != 0) text += fmt::format("; {} NaN", all.nan);
            if (const auto infinite = all.positive_inf + all.negative_inf; infinite != 0)
                text += fmt::format("; {} infinite", infinite);
            html_.paragraph(text, "quiet");
        } else if (all.elements > 0) {
            html_.paragraph("No element is a finite number.", "bad");
        }
        const auto& picture = view.picture;
        if (picture.width > 0 && all.finite > 0) {
            // Few elements are shown large enough to be seen.
            const auto longest = std::max(picture.columns, picture.rows);
            const int scale = static_cast<int>(std::max<std::size_t>(1, 384 / longest));
            const auto pixels = pixels_of(picture, all);
            html_.image(address_(pixels), pixels.width * scale, pixels.height * scale, "Picture of " + name);
            if (picture.step > 1) html_.paragraph(fmt::format("Every {}. row and column.", picture.step), "quiet");
        } else if (view.outline.count > 1) {
            put(chart_of(view.outline), "Values of " + name);
        }
        if (all.finite > 1 && all.min < all.max) put(histogram_of(all), "Histogram of " + name);
    }

    void write_findings() {
        if (!report_.checks.any()) return;
        html_.heading(2, "Checks");
        std::string text;
        for (const auto& word : report_.checks.words())
            text += (text.empty() ? "" : ", ") + std::string(word);
        html_.paragraph("Checked: " + text);
        if (!report_.checks_problem.empty()) html_.paragraph(report_.checks_problem, "bad");
        if (report_.findings.all.empty()) {
            html_.paragraph("Nothing was found.", report_.checks_problem.empty() ? "good" : "quiet");
            return;
        }
        for (const auto& each : report_.findings.all)
            html_.preformatted(findings::to_text(each));
        if (report_.findings.more > 0) html_.paragraph(findings::more_text(report_.findings));
    }

    void write_profile() {
        if (!report_.profile_problem.empty()) {
            html_.heading(2, "Profile");
            html_.paragraph(report_.profile_problem, "bad");
        }
        if (!report_.profile) return;
        html_.heading(2, "Profile");
        const auto total = report_.profile->total();
        Facts facts = {{"Warps", fmt::format("{}", report_.profile->warps)},
                       {"Asked of global memory", format_bytes(total.bytes)},
                       {"Moved in sectors", format_bytes(total.sectors * 32)}};
        if (const double ms = session::statistics(report_.times.kernel_ms).median; ms > 0) {
            const auto speed = profile::speed_of(total, ms);
            facts.emplace_back("Reached",
                               fmt::format("{:.4g} GB/s, {:.4g} GFLOP/s", speed.gigabytes_a_second, speed.gigaflops));
        }
        html_.facts(facts);
        const profile::Gpu* gpu = profile::find_gpu(report_.roofline_gpu);
        html_.preformatted(profile::to_text(*report_.profile, gpu));
    }

    void write_printed() {
        if (report_.output.empty()) return;
        html_.heading(2, "Output");
        html_.preformatted(report_.output + (report_.output_truncated ? "… (more than is kept)" : ""));
    }

    void write_source() {
        const auto& source = run_.document.source;
        if (source.text.empty()) return;
        html_.heading(2, "Source");
        if (!source.name.empty()) html_.paragraph(source.name, "quiet");
        html_.raw(listing(source.text, report_.profile, source.name));
    }

    void put(const Drawing& drawing, const std::string& description) {
        html_.image(address_(drawing), static_cast<int>(drawing.width), static_cast<int>(drawing.height), description);
    }

    const history::Run& run_;
    const Report& report_;
    const std::vector<ResultView>& results_;
    const Address& address_;
    Html html_;
};

} // namespace

std::string to_html(const history::Run& run, const std::vector<ResultView>& results, const Address& address) {
    return PageWriter(run, results, address).take();
}

} // namespace warplight::page
