// SPDX-License-Identifier: Apache-2.0
#include "session/run.hpp"

#include "files/paths.hpp"
#include "session/argument_memory.hpp"
#include "session/data_file.hpp"
#include "session/device_problems.hpp"
#include "session/digest.hpp"
#include "session/reach.hpp"
#include "session/textures.hpp"

#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace warplight::session {

void input_error(const std::string& message, std::string pointer, std::string details) {
    throw StageError(
        Status::input_error,
        {.kind = "input", .message = message, .pointer = std::move(pointer), .details = std::move(details)});
}

void device_error(const std::string& message, std::string pointer) {
    throw StageError(Status::device_error, {.kind = "device", .message = message, .pointer = std::move(pointer)});
}

namespace {

ReportError input_error_of(const SessionError& error, const std::string& pointer = {}) {
    ReportError described{
        .kind = error.no_memory ? "memory" : "input", .message = error.what(), .pointer = pointer + error.pointer};
    if (const auto* outside = dynamic_cast<const OutsideError*>(&error))
        described.outside.push_back(utf8_of(outside->file));
    return described;
}

} // namespace

void input_error_at(const SessionError& error, const std::string& pointer) {
    throw StageError(Status::input_error, input_error_of(error, pointer));
}

namespace {

constexpr const char* direction_names[] = {"in", "out", "inout", "scalar"};

} // namespace

void Run::stage(std::string_view name, double fraction, std::string_view text) {
    if (hooks_.cancelled && hooks_.cancelled())
        throw StageError(Status::cancelled, {.kind = "cancelled", .message = "The run was stopped."});
    if (hooks_.progress) hooks_.progress(name, fraction, text);
}

driver::Device Run::open_device() {
    const int ordinal = options_.device ? *options_.device : parse_device(session_.device).ordinal;
    report_.device.driver = driver_.name();
    report_.device.ordinal = ordinal;
    if (!driver_.available()) device_error(why_unavailable(driver_), "/device");
    const int count = driver::Device::count(driver_);
    if (ordinal >= count)
        device_error(
            count == 0
                ? fmt::format("The {} driver has no device.{}", driver_.name(),
                              driver_.name() == "cuda" ? " Choose the software device to run without a GPU." : "")
                : fmt::format("There is no device {}:{}; the last one is {}:{}.", driver_.name(), ordinal,
                              driver_.name(), count - 1),
            "/device");
    driver::Device device(ordinal, driver_);
    const auto [major, minor] = device.compute_capability();
    report_.device.name = device.name();
    report_.device.compute_capability = fmt::format("{}.{}", major, minor);
    report_.device.total_memory = device.total_memory();
    report_.device.multiprocessors = device.multiprocessor_count();
    return device;
}

void Run::list_arrays() {
    report_.inputs.clear();
    report_.outputs.clear();
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const auto& data = arguments_[i];
        const auto direction = data.argument->direction;
        if (direction == Direction::scalar) continue;
        ReportOutput entry;
        entry.index = static_cast<int>(i);
        entry.name = data.argument->name;
        entry.direction = direction_names[static_cast<int>(direction)];
        entry.texture = texture_phrase(*data.argument);
        entry.dtype = data.input.dtype().name();
        entry.shape = data.input.shape();
        entry.bytes = data.input.nbytes();
        entry.rate = data.is_array() ? data.rate : 0;
        if (direction != Direction::out) report_.inputs.push_back(entry);
        if (!data.output || !has_results_) continue;
        if (data.output->is_contiguous()) entry.digest = digest(data.output->bytes());
        report_.outputs.push_back(entry);
    }
}

std::vector<RunBuffer> Run::take_buffers() {
    // After a fault nothing was copied back, so there are no results to show.
    const bool complete = has_results_ && report_.status != Status::cancelled;
    std::vector<RunBuffer> buffers;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const auto& data = arguments_[i];
        const auto direction = data.argument->direction;
        if (direction == Direction::scalar) continue;
        RunBuffer buffer;
        buffer.index = static_cast<int>(i);
        buffer.name = data.argument->name;
        if (direction != Direction::out) buffer.input = std::make_shared<NdArray>(data.input);
        if (complete) buffer.output = data.output;
        if (data.expected) buffer.expected = std::make_shared<NdArray>(*data.expected);
        buffers.push_back(std::move(buffer));
    }
    return buffers;
}

void Run::show_launch(const LaunchConfiguration& launch) {
    report_.grid = launch.grid;
    report_.block = launch.block;
    report_.shared = launch.shared;
    report_.cooperative = launch.cooperative;
    report_.launch_options = launch.options;
}

void Run::plan(const driver::Device& device) {
    make_plan(session_, arguments_, plan_);
    if (!session_.pipeline) return;
    for (const PlannedStep* step : plan_.launches)
        in_step(*step, [&] { check_extents(std::get<PlannedLaunch>(step->what).launch, device); });
    show_launch(first_launch());
    if (!options_.time_step.empty()) {
        timed_step_ = find_step(plan_.steps, options_.time_step);
        if (!timed_step_) input_error(fmt::format("The pipeline has no step {} to time.", options_.time_step), {});
    }
    const PlannedStep& chosen = chosen_step();
    if (kind_ == Kind::usual)
        in_step(chosen, [&] { warp_ = warp_of_run(std::get<PlannedLaunch>(chosen.what).launch, options_); });
}

/// The launch that profile and warp are about; without a choice the first one.
const PlannedStep& Run::chosen_step() const {
    if (options_.step.empty()) return *plan_.launches.front();
    const auto found = std::ranges::find(plan_.launches, options_.step, &PlannedStep::path);
    if (found != plan_.launches.end()) return **found;
    std::vector<std::string> paths;
    paths.reserve(plan_.launches.size());
    for (const PlannedStep* step : plan_.launches)
        paths.push_back(step->path);
    input_error(fmt::format("The pipeline has no launch that is step {}. Its launches are {}.", options_.step,
                            fmt::join(paths, ", ")),
                {});
}

void Run::run_stages() {
    report_.title = session_.title;
    report_.session = options_.session_path;
    for (const KernelName& kernel : kernels_of(session_))
        report_.kernel += (report_.kernel.empty() ? "" : ", ") + kernel.name;
    show_launch(session_.launch);
    (driver_.name() == "software" ? report_.checks : beside_) = checks_of_run(session_, options_);
    check_roofline(session_, options_);
    if (kind_ == Kind::usual && !session_.pipeline) warp_ = warp_of_run(session_.launch, options_);
    if (!options_.step.empty() && !session_.pipeline)
        input_error("--step chooses a step of a pipeline, and the session has none. Leave it out.", {});
    report_.repeat = std::max(1, options_.repeat.value_or(session_.repeat));
    report_.warmup = std::max(0, options_.warmup.value_or(session_.warmup));
    if (!options_.l2.empty() && options_.l2 != "warm" && options_.l2 != "cold")
        input_error("--l2 takes cold or warm.", {});
    // Where the kernel is watched, its times are not its own anyway.
    report_.cold_l2 = is_measured() && (options_.l2.empty() ? session_.cold_l2 : options_.l2 == "cold");
    const auto device = open_device();
    if (options_.compile_only) {
        stage("compile");
        const auto compiled = compile_kernels(session_, options_, hooks_, device, report_);
        if (may_have_structs(session_, options_)) (void)compiled.layouts(); // what it compiles is in the cache then
        return;
    }
    if (!session_.pipeline) check_extents(session_.launch, device);
    stage("data");
    prepare_data(session_, options_, hooks_, arguments_);
    if (!options_.lost_because.empty()) device_error(options_.lost_because, {});
    stage("compile");
    const auto compiled = compile_kernels(session_, options_, hooks_, device, report_);
    check_headers_stay(arguments_, compiled.headers);
    fit_arguments(session_, compiled, hooks_, arguments_);
    check_texture_limits(arguments_, device);
    plan(device); // copies and swaps need the types of arrays
    fit_launches(compiled, arguments_, plan_);
    execute(device, compiled);
    list_arrays();
    stage("compare");
    compare_results(arguments_, hooks_.cancelled, report_);
    stage("save");
    save_results(arguments_, options_, report_);
    if (options_.profile || session_.profile) {
        report_.roofline_gpu = options_.roofline.empty() ? report_.device.name : options_.roofline;
        stage("profile");
        profile_beside(measured(), report_);
    }
    if (warp_ && kind_ == Kind::usual) {
        stage("warp");
        record_beside(measured(), *warp_, report_);
    }
}

RunResult Run::go() {
    const auto start = std::chrono::steady_clock::now();
    const auto fail = [&](Status status, ReportError error) {
        // Stopping a run ends its kernel where the driver can do that. That is no error of the kernel.
        if (error.code_name == "CUDA_ERROR_LAUNCH_TIMEOUT" && hooks_.cancelled && hooks_.cancelled()) {
            status = Status::cancelled;
            error = {.kind = "cancelled", .message = "The run was stopped.", .details = error.details};
        }
        if (report_.launched && !has_results_) collect_findings();
        error.details = name_arguments(std::move(error.details), on_device_.memory());
        error.details = own_paths().mended(error.details);
        if (status == Status::cancelled) report_.end = "cancelled";
        if (error.kind == "memory") report_.end = "memory";
        report_.status = status;
        report_.error = std::move(error);
    };
    const auto guarded = [&](const auto& step) {
        try {
            step();
        } catch (const StageError& error) {
            fail(error.status, error.error);
        } catch (const driver::Error& error) {
            fail(Status::device_error, describe(error));
        } catch (const SessionError& error) {
            fail(Status::input_error, input_error_of(error));
        } catch (const std::bad_alloc&) {
            fail(Status::input_error, {.kind = "memory",
                                       .message = "There is not enough memory on this machine for the arrays "
                                                  "of the session. Choose smaller shapes."});
        } catch (const std::system_error& error) {
            fail(Status::device_error,
                 {.kind = "device",
                  .message =
                      fmt::format("The system refuses what the run needs: {}. A limit on processes (ulimit -u) or on "
                                  "memory (ulimit -v) may be too small.",
                                  error.code().message())});
        } catch (const std::exception& error) {
            fail(Status::input_error, {.kind = "input", .message = error.what()});
        }
    };
    guarded([this] { run_stages(); });
    // What went wrong on a GPU is what checks explain best.
    if (beside_.any() && report_.launched && report_.status != Status::cancelled)
        guarded([this] {
            stage("check");
            check_beside(measured(), beside_, report_);
        });
    if (has_run(report_.status) && !report_.findings.all.empty()) report_.status = Status::findings;
    report_.wall_ms = ms_since(start);
    if (!has_results_) list_arrays(); // a user may look at the inputs of a failed run
    auto buffers = take_buffers();
    return {std::move(report_), std::move(buffers), std::move(frames_)};
}

Report run_profiled(const Session& session, const driver::Driver& driver, const RunOptions& options,
                    const RunHooks& hooks) {
    return Run(session, driver, options, hooks, Run::Kind::profiled).go().report;
}

Report run_recorded(const Session& session, const driver::Driver& driver, const RunOptions& options,
                    const RunHooks& hooks, const profile::WarpChoice& warp) {
    return Run(session, driver, options, hooks, Run::Kind::recorded, warp).go().report;
}

RunResult run(const Session& session, const driver::Driver& driver, const RunOptions& options, const RunHooks& hooks) {
    return Run(session, driver, options, hooks).go();
}

} // namespace warplight::session
