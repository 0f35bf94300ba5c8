// SPDX-License-Identifier: Apache-2.0
#include "session/runner.hpp"

#include "driver/checks.hpp"
#include "files/paths.hpp"
#include "session/argument_memory.hpp"
#include "session/data_file.hpp"
#include "session/device_arguments.hpp"
#include "session/device_problems.hpp"
#include "session/digest.hpp"
#include "session/gate.hpp"
#include "session/occupancy.hpp"
#include "session/own_paths.hpp"
#include "session/pipeline_plan.hpp"
#include "session/pipeline_run.hpp"
#include "session/platform.hpp"
#include "session/reach.hpp"
#include "session/stages.hpp"
#include "session/textures.hpp"
#include "session/timing_statistics.hpp"

#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/staged_copy.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <cctype>
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

using clock = std::chrono::steady_clock;

double ms_since(clock::time_point start) {
    return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

constexpr std::size_t most_output = std::size_t(1) << 20;
constexpr const char* direction_names[] = {"in", "out", "inout", "scalar"};

class Run {
public:
    enum class Kind { usual, profiled, recorded };
    Run(const Session& session, const driver::Driver& driver, const RunOptions& options, const RunHooks& hooks,
        Kind kind = Kind::usual, std::optional<profile::WarpChoice> warp = {})
        : session_(session), driver_(driver), options_(options), hooks_(hooks), kind_(kind), warp_(warp) {}

    RunResult go();

private:
    void run_stages();
    void show_launch(const LaunchConfiguration& launch);
    void stage(std::string_view name, double fraction = -1, std::string_view text = {});
    driver::Device open_device();
    void plan(const driver::Device& device);
    void execute(const driver::Device& device, const CompiledSource& compiled);
    std::vector<driver::Function> load_functions(const driver::Module& module, const CompiledSource& compiled);
    void check_launches(const driver::Device& device, const std::vector<driver::Function>& functions);
    void wait_for_kernel(const driver::Stream& stream);
    [[noreturn]] void kernel_failed(const driver::Error& error, const std::string& what) const;
    /// How one pass through the steps is made.
    enum class Pass { launches, graphs, observed };
    void run_once(PipelineRun& work, const driver::Stream& stream, Pass pass, bool measured);
    void queue_steps(PipelineRun& work, const driver::Stream& stream, Pass pass, driver::Event& begin,
                     driver::Event& done);
    void observe(PipelineRun& work, const driver::Stream& stream);
    void observe_apart(PipelineRun& work, const driver::ContextRef& context, const driver::Stream& stream);
    [[nodiscard]] Pass usual_pass() const {
        if (timed_step_) return Pass::observed;
        return session_.pipeline && session_.pipeline->graph ? Pass::graphs : Pass::launches;
    }
    /// Checks and profiles are of one pass, which is watched then.
    [[nodiscard]] bool is_watched_only() const {
        return session_.pipeline && (report_.checks.any() || kind_ != Kind::usual);
    }
    void warm_up(PipelineRun& work, const driver::ContextRef& context, const driver::Stream& stream);
    void run_all(const driver::ContextRef& context, std::vector<driver::Function> functions);
    [[nodiscard]] const PlannedStep& chosen_step() const;
    void read_function(const driver::Device& device, const driver::Function& function);
    [[nodiscard]] const LaunchConfiguration& first_launch() const {
        return std::get<PlannedLaunch>(plan_.launches.front()->what).launch;
    }
    void collect_findings();
    [[nodiscard]] OwnPaths own_paths() const { return {options_.folder, session_.source.path}; }
    [[nodiscard]] Measured measured() const { return {session_, driver_, options_, hooks_}; }
    void list_arrays();
    std::vector<RunBuffer> take_buffers();
    void receive(std::string_view text, bool kept);

    const Session& session_;
    const driver::Driver& driver_;
    const RunOptions& options_;
    const RunHooks& hooks_;
    const Kind kind_;
    std::optional<profile::WarpChoice> warp_; ///< that is recorded
    Report report_;
    std::vector<ArgumentData> arguments_;
    DeviceArguments on_device_{arguments_};
    Plan plan_;
    const PlannedStep* timed_step_ = nullptr; ///< whose time is measured, instead of all
    StepWatch watch_;                         ///< of a profile, or of a warp
    std::optional<KernelWarp> recorded_;
    findings::Checks beside_;  ///< that the software device makes, for this one cannot
    bool has_results_ = false; ///< all repeats are done
    std::shared_ptr<const NdArray> frames_;
};

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
    // A GPU has its own queue and needs no gate. Its launch may wait for the device, which would then wait for the
    // host.
    std::optional<Gate> gate;
    const bool gated = driver_.name() == "software";
    if (gated) gate.emplace(stream);
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
    const auto repeat = [&](int count, bool measured, Pass pass) {
        // The output of warm-up runs is dropped: it is not a result.
        const platform::StdoutCapture capture([&](std::string_view text) { receive(text, measured); },
                                              hooks_.echo && measured);
        for (int i = 0; i < count; ++i) {
            stage("run", static_cast<double>(i) / count,
                  measured ? fmt::format("run {} of {}", i + 1, count) : fmt::format("warm-up {} of {}", i + 1, count));
            run_once(work, stream, pass, measured);
            context.synchronize(); // the printf buffer is emptied here
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
    }
    if (report_.pipeline) {
        work.report(*report_.pipeline);
        frames_ = work.take_frames();
    }
}

void Run::read_function(const driver::Device& device, const driver::Function& function) {
    for (const auto& [attribute, value] : function.get_attributes()) {
        auto name = driver::to_string(attribute);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        report_.function[name] = value;
    }
    try {
        std::uint64_t threads = 1;
        for (const auto extent : first_launch().block)
            threads *= extent;
        report_.occupancy = occupancy(device, function, static_cast<int>(threads), first_launch().shared);
        report_.occupancy->estimated = report_.registers_from == "estimate";
    } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): the values are optional
        // A driver without occupancy functions still runs kernels.
    }
}

std::vector<driver::Function> Run::load_functions(const driver::Module& module, const CompiledSource& compiled) {
    const auto names = kernels_of(session_);
    std::vector<driver::Function> functions;
    functions.reserve(compiled.kernels.size());
    for (std::size_t i = 0; i < compiled.kernels.size(); ++i) {
        try {
            functions.push_back(module.get_function(compiled.kernels[i].lowered));
        } catch (const driver::LogicError& error) {
            input_error(error.what(), names[i].pointer);
        }
        functions.back().load();
    }
    return functions;
}

/// Those with most shared memory last: a kernel's limit is that of its last check.
void Run::check_launches(const driver::Device& device, const std::vector<driver::Function>& functions) {
    auto launches = plan_.launches;
    const auto shared = [](const PlannedStep* step) { return std::get<PlannedLaunch>(step->what).launch.shared; };
    std::ranges::sort(launches, [&](const auto* a, const auto* b) {
        return std::pair(shared(a), a->number) < std::pair(shared(b), b->number);
    });
    for (const PlannedStep* step : launches)
        in_step(*step, [&] {
            const auto& planned = std::get<PlannedLaunch>(step->what);
            check_resources(planned.launch, device, functions[planned.code]);
            apply_launch_options(planned.launch, device, functions[planned.code]);
        });
}

void Run::execute(const driver::Device& device, const CompiledSource& compiled) {
    const auto context = device.retain_primary_context();
    const driver::ContextScope current(context);
    const KernelChecks checks(driver_, report_.checks);
    std::optional<KernelProfile> profile;
    if (kind_ == Kind::profiled) profile.emplace(driver_);
    if (kind_ == Kind::recorded && !session_.pipeline) recorded_.emplace(driver_, *warp_);
    stage("load");
    const auto load_start = clock::now();
    const auto module = [&] {
        try {
            return driver::module_from_buffer(compiled.ptx);
        } catch (const driver::Error& error) {
            if (compiled.ptx_name.empty()) throw;
            throw StageError(Status::device_error, in_users_ptx(describe(error), compiled.ptx_name));
        }
    }();
    auto functions = load_functions(module, compiled);
    report_.compile.load_ms = ms_since(load_start);
    report_.registers_from = count_registers(driver_, functions.front(), compiled.kernels.front().registers);
    check_launches(device, functions);
    read_function(device, functions.front());
    const auto before = driver::mem_get_info();
    report_.memory.total = before.total;
    report_.memory.free_before = before.free;
    on_device_.place(module, report_.checks, session_.pipeline.has_value());
    report_.memory.allocated = on_device_.allocated_bytes();
    // An integrated device shares the host's memory, so staging buffers only cost time.
    if (!device.integrated()) on_device_.stage_large_copies();
    if (session_.pipeline && kind_ == Kind::profiled && !options_.step.empty()) {
        (void)driver::request_profile(driver_, false);
        watch_ = {chosen_step().path, [this] { (void)driver::request_profile(driver_, true); },
                  [this] { (void)driver::request_profile(driver_, false); }};
    }
    if (session_.pipeline && kind_ == Kind::recorded)
        watch_ = {chosen_step().path,
                  [this] {
                      if (!recorded_) recorded_.emplace(driver_, *warp_);
                  },
                  [] {}};
    run_all(context, std::move(functions));
    collect_findings();
    if (profile) {
        report_.profile = profile->take();
        own_paths().mend(*report_.profile);
    }
    if (recorded_) report_.warp = recorded_->take(on_device_.memory());
    recorded_.reset();
    if (report_.warp) own_paths().mend(*report_.warp);
    has_results_ = true;
    on_device_.clear(); // memory that stays in use belongs to the kernel or the driver
    report_.memory.free_after = driver::mem_get_info().free;
}

/// As long as the arguments have their memory, by which they are named.
void Run::collect_findings() {
    if (!report_.checks.any()) return;
    report_.findings = take_findings(driver_, on_device_.memory());
    own_paths().mend(report_.findings);
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
    const auto start = clock::now();
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

} // namespace

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
