// SPDX-License-Identifier: Apache-2.0
#include "history/run.hpp"

#include "session/data_file.hpp"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string_view>
#include <vector>

namespace warplight::history {
namespace {

/// Before the name of a machine in the text of a device.
constexpr std::string_view kOnMachine = ", on ";

std::string launch_text(const session::Session& session) {
    if (session.program) return "program";
    if (session.pipeline) {
        std::size_t steps = 0;
        session::visit_steps(session.pipeline->steps, [&](const auto&, const std::string&) { ++steps; });
        return fmt::format("pipeline of {} step{}{}", steps, steps == 1 ? "" : "s",
                           session.pipeline->graph ? " as a graph" : "");
    }
    const auto& launch = session.launch;
    std::string text = fmt::format("{} × {}", fmt::join(launch.grid, ","), fmt::join(launch.block, ","));
    if (launch.shared != 0) text += fmt::format(" + {} B", launch.shared);
    if (launch.cooperative) text += " cooperative";
    if (launch.options.any()) text += " " + launch.options.text();
    return text;
}

/// Settings are left out: they make nothing doubtful.
std::string doubts_of(const std::optional<session::ReportClocks>& clocks) {
    if (!clocks || !clocks->doubtful()) return {};
    std::vector<std::string_view> words;
    for (const auto limit : clocks->held_by)
        if (!session::is_setting(limit)) words.push_back(driver::name_of(limit));
    if (clocks->changed()) words.emplace_back("changed");
    return fmt::format("{}", fmt::join(words, " "));
}

} // namespace

std::string document_name(const std::string& session) {
    return session::utf8_of(session::path_from_utf8(session).make_preferred());
}

Run run_of(const session::Session& session, std::string_view source, const session::Report& report) {
    Run run;
    run.document = session;
    run.source_file = session.source.path;
    auto& kept = run.document.source;
    if (kept.name.empty()) kept.name = session::utf8_of(session::path_from_utf8(run.source_file).filename());
    kept.path.clear();
    kept.text = source;
    run.report = report;
    for (auto* arrays : {&run.report.inputs, &run.report.outputs})
        for (auto& each : *arrays)
            each.buffer.reset(); // the worker's, which ends
    for (auto& each : run.report.comparisons)
        each.buffer.reset();

    Entry& entry = run.entry;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    entry.time = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    entry.session = document_name(report.session);
    entry.title = session.title;
    // A source may have one only, and a pipeline launches others.
    entry.kernel = session.kernel.empty() || session.pipeline ? report.kernel : session.kernel;
    entry.device =
        report.device.name.empty() ? session.device : fmt::format("{}: {}", report.device.driver, report.device.name);
    if (!report.machine.empty()) entry.device += std::string(kOnMachine) + report.machine;
    entry.launch = launch_text(session);
    entry.options = fmt::format("{}", fmt::join(session.compile.options, " "));
    entry.status = report.status;
    entry.kernel_ms = session::statistics(report.times.kernel_ms).median;
    entry.clocks = doubts_of(report.clocks);
    entry.repeat = static_cast<int>(report.times.kernel_ms.size());
    return run;
}

std::string machine_of(const Entry& entry) {
    const auto at = entry.device.rfind(kOnMachine);
    return at == std::string::npos ? std::string() : entry.device.substr(at + kOnMachine.size());
}

} // namespace warplight::history
