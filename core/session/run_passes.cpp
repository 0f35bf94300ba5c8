// SPDX-License-Identifier: Apache-2.0
// Passes through the steps of a run: launched, as graphs, or observed one by one.
#include "session/run.hpp"

#include "session/clock_watch.hpp"
#include "session/device_problems.hpp"
#include "session/gate.hpp"
#include "session/platform.hpp"
#include "session/timing_statistics.hpp"

#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace warplight::session {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t(1) << 20;

} // namespace

void Run::kernel_failed(const driver::Error& error, const std::string& what) const {
    auto described = describe(error);
    described.message = fmt::format("{}: {} ({}, {}).{}{}", what, error.info().text, error.code_name(), error.code(),
                                    error.hint().empty() ? "" : " ", error.hint());
    throw StageError(Status::device_error, std::move(described));
}

// A fault in a kernel becomes the error of the next driver call. The message names the kernel instead of that call.
void Run::wait_for_kernel(const driver::Stream& stream) {
    try {
        stream.synchronize();
    } catch (const driver::Error& error) {
        kernel_failed(error,
                      fmt::format("The {} {} failed", session_.pipeline ? "pipeline of" : "kernel", report_.kernel));
    }
}

void Run::queue_steps(PipelineRun& work, const driver::Stream& stream, Pass pass, driver::Event& begin,
                      driver::Event& done) {
    // The first launch of a kernel may wait for the device, and so may one that a full queue has no place for.
    std::optional<Gate> gate;
    const bool gated = driver_.name() == "software";
    if (gated)
        gate.emplace(stream);
    else if (hold_ && hold_->works() && report_.launched && !session_.pipeline)
        gate.emplace(stream, *hold_);
    begin.record(stream);
    const auto call_start = clock::now();
    const bool first = !report_.launched;
    if (pass == Pass::graphs)
        work.launch_graphs(stream, gate);
    else
        work.launch(stream, gate);
    // The software device compiles a kernel for the block's size at its first launch.
    if (gated && first) report_.compile.load_ms += ms_since(call_start);
    done.record(stream);
}

void Run::observe(PipelineRun& work, const driver::Stream& stream) {
    try {
        work.observe(stream, session_.pipeline->frames, watch_);
    } catch (const driver::Error& error) {
        if (work.place().empty()) throw;
        kernel_failed(error, work.place());
    }
    if (driver_.name() == "software") report_.compile.load_ms += work.first_launches_ms();
}

void Run::run_once(PipelineRun& work, const driver::Stream& stream, Pass pass, bool measured) {
    on_device_.start_over();
    // Setting an `out` to its first contents is not part of the timed work.
    on_device_.set_outputs(stream);
    if (report_.checks.has(findings::Check::init)) {
        stream.synchronize();
        on_device_.spoil_outputs(driver_, stream);
    }
    driver::Event start, copied, begin, done, copy_back, back;
    start.record(stream);
    on_device_.upload_inputs(stream);
    copied.record(stream);
    if (displacer_) displacer_->displace(stream);
    if (pass == Pass::observed)
        observe(work, stream);
    else
        queue_steps(work, stream, pass, begin, done);
    wait_for_kernel(stream);
    copy_back.record(stream);
    on_device_.download_results(stream);
    back.record(stream);
    stream.synchronize();
    if (!measured) return;
    report_.times.htod_ms.push_back(copied.time_since(start));
    report_.times.kernel_ms.push_back(pass != Pass::observed ? done.time_since(begin)
                                      : timed_step_          ? work.observed_ms(*timed_step_)
                                                             : work.observed_ms());
    report_.times.dtoh_ms.push_back(back.time_since(copy_back));
}

void Run::prepare_timing(const driver::ContextRef& context, const driver::Stream& stream) {
    if (!is_measured()) return;
    const bool empty_launch = !options_.no_empty_launch;
    try {
        if (report_.cold_l2 || empty_launch) timing_.emplace(ptx_);
    } catch (const driver::Error&) {
        if (report_.cold_l2) throw; // else the run does without
    }
    if (report_.cold_l2) displacer_.emplace(*timing_, context.get_device());
    if (driver_.name() != "software") hold_ = StreamHold::make(stream);
}

/// The results are there already, so a launch that fails is no error of the run.
void Run::time_empty_launch(const driver::Stream& stream) {
    StreamHold* const hold = hold_ && hold_->works() && !session_.pipeline ? hold_.get() : nullptr;
    try {
        report_.empty_launch = timing_->time_empty_launch(first_launch(), usual_pass() == Pass::graphs, stream,
                                                          driver_.name() == "software", hold);
    } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): the report has no such time then
    }
}

void Run::receive(std::string_view text, bool kept) {
    if (!kept) return;
    const auto room = most_output - report_.output.size();
    report_.output += text.substr(0, room);
    report_.output_truncated = report_.output_truncated || text.size() > room;
    if (hooks_.output) hooks_.output(text);
}

/// Until times are steady.
void Run::warm_up(PipelineRun& work, const driver::ContextRef& context, const driver::Stream& stream) {
    const platform::StdoutCapture capture([](std::string_view) {}, false);
    const auto start = clock::now();
    int count = 0;
    do {
        stage("run", -1, fmt::format("warm-up {}", ++count));
        run_once(work, stream, usual_pass(), true);
        context.synchronize();
    } while (!is_steady(report_.times.kernel_ms) && count < most_warm_up_runs && ms_since(start) < longest_warm_up_ms);
    report_.times = {};
    report_.warmup = count;
}

/// Before the others: it names the step that fails. What it prints is kept only where the others do not come.
void Run::observe_apart(PipelineRun& work, const driver::ContextRef& context, const driver::Stream& stream) {
    stage("run", -1, "the steps one by one");
    std::string printed;
    try {
        const platform::StdoutCapture capture([&](std::string_view text) { printed += text.substr(0, most_output); },
                                              false);
        run_once(work, stream, Pass::observed, false);
        context.synchronize();
    } catch (...) {
        receive(printed, true);
        throw;
    }
    if (usual_pass() == Pass::graphs) work.prepare_graphs(stream);
}

void Run::run_all(const driver::ContextRef& context, std::vector<driver::Function> functions) {
    for (auto& data : arguments_)
        if (data.is_result())
            data.output = std::make_shared<NdArray>(NdArray::empty(data.input.shape(), data.input.dtype()));
    const driver::Stream stream(0, first_launch().options.priority);
    PipelineRun work({plan_, on_device_, arguments_, std::move(functions), driver_.name() == "software",
                      hooks_.cancelled, report_.launched});
    prepare_timing(context, stream);
    ClockWatch clocks(context.get_device());
    const auto repeat = [&](int count, bool measured, Pass pass) {
        // The output of warm-up runs is dropped: it is not a result.
        const platform::StdoutCapture capture([&](std::string_view text) { receive(text, measured); },
                                              hooks_.echo && measured);
        if (measured) clocks.begin();
        for (int i = 0; i < count; ++i) {
            stage("run", static_cast<double>(i) / count,
                  measured ? fmt::format("run {} of {}", i + 1, count) : fmt::format("warm-up {} of {}", i + 1, count));
            run_once(work, stream, pass, measured);
            context.synchronize(); // the printf buffer is emptied here
            if (measured) clocks.look();
        }
    };
    if (session_.pipeline)
        report_.pipeline = ReportPipeline{.run_as = usual_pass() == Pass::graphs ? "graph" : "launches",
                                          .note = {},
                                          .apart = !is_watched_only() && !timed_step_ && !options_.no_steps,
                                          .steps = {},
                                          .frames = {}};
    if (is_watched_only()) {
        report_.repeat = 1;
        report_.warmup = 0;
        repeat(1, true, Pass::observed);
    } else {
        if (session_.pipeline && !timed_step_ && !options_.no_steps) observe_apart(work, context, stream);
        if (options_.no_steps && usual_pass() == Pass::graphs) work.prepare_graphs(stream);
        if (options_.steady)
            warm_up(work, context, stream);
        else if (report_.warmup > 0)
            repeat(report_.warmup, false, usual_pass());
        repeat(report_.repeat, true, usual_pass());
        if (timing_ && !options_.no_empty_launch) time_empty_launch(stream);
    }
    report_.clocks = clocks.take();
    displacer_.reset();
    timing_.reset();
    hold_.reset();
    if (report_.pipeline) {
        work.report(*report_.pipeline);
        frames_ = work.take_frames();
    }
}

} // namespace warplight::session
