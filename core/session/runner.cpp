// SPDX-License-Identifier: Apache-2.0
#include "session/runner.hpp"

#include "driver/checks.hpp"
#include "files/paths.hpp"
#include "session/argument_memory.hpp"
#include "session/data_file.hpp"
#include "session/device_arguments.hpp"
#include "session/digest.hpp"
#include "session/gate.hpp"
#include "session/occupancy.hpp"
#include "session/own_paths.hpp"
#include "session/platform.hpp"
#include "session/reach.hpp"
#include "session/stages.hpp"
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

ReportError describe(const driver::Error& error) {
    const auto& info = error.info();
    // An error without a code is about memory of the host.
    const bool memory = dynamic_cast<const driver::MemoryError*>(&error) != nullptr;
    ReportError result{.kind = memory ? "memory" : "device",
                       .message = {},
                       .entry_point = info.routine,
                       .code = info.code,
                       .code_name = info.code_name,
                       .details = info.detail};
    result.message = info.routine.empty() ? info.text : fmt::format("{} failed: {}", info.routine, info.text);
    if (info.code) result.message += fmt::format(" ({}, {})", info.code_name, info.code);
    if (!info.entity.empty()) result.message += fmt::format(" [{}]", info.entity);
    result.message += ".";
    if (!info.hint.empty()) result.message += fmt::format(" {}{}", info.hint, info.hint.ends_with('.') ? "" : ".");
    return result;
}

/// Names the user's PTX file in the driver's log, which has line numbers only. The first message of the log becomes the
/// message of the error.
ReportError in_users_ptx(ReportError error, const std::string& name) {
    std::string placed;
    for (const auto& each : compiler::parse_diagnostics(error.details)) {
        if (!each.line) continue;
        if (placed.empty())
            error.message = fmt::format("{} cannot be loaded: line {}: {} ({}, {}).", name, each.line, each.message,
                                        error.code_name, error.code);
        placed += fmt::format("{}:{}: {}: {}\n", name, each.line, compiler::severity_name(each.severity), each.message);
    }
    if (!placed.empty()) error.details = placed;
    return error;
}

std::string why_unavailable(const driver::Driver& driver) {
    const auto& why = driver.unavailable_because();
    const bool named = why.find(driver.library()) != std::string::npos;
    const char* advice =
        driver.name() == "cuda"
            ? "Install NVIDIA's driver, or choose the software device to run without a GPU."
            : "It is a part of Warplight: install it again, or point WARPLIGHT_SOFTWARE_LIBRARY at it.";
    return fmt::format("The {} device cannot be used: {}{}{}. {}", driver.name(), named ? "" : driver.library(),
                       named ? "" : ": ", why, advice);
}

class Run {
public:
    enum class Kind { usual, profiled, recorded };
    Run(const Session& session, const driver::Driver& driver, const RunOptions& options, const RunHooks& hooks,
        Kind kind = Kind::usual, std::optional<profile::WarpChoice> warp = {})
        : session_(session), driver_(driver), options_(options), hooks_(hooks), kind_(kind), warp_(warp) {}

    RunResult go();

private:
    void run_stages();
    void stage(std::string_view name, double fraction = -1, std::string_view text = {});
    driver::Device open_device();
    void execute(const driver::Device& device, const CompiledKernel& compiled);
    void wait_for_kernel(const driver::Stream& stream);
    void run_once(const driver::Function& function, const driver::Stream& stream, bool measured);
    void warm_up(const driver::ContextRef& context, const driver::Function& function, const driver::Stream& stream);
    void run_all(const driver::ContextRef& context, const driver::Function& function);
    void read_function(const driver::Device& device, const driver::Function& function);
    void collect_findings();
    [[nodiscard]] OwnPaths own_paths() const { return {options_.folder, session_.source.path}; }
    [[nodiscard]] Measured measured() const { return {session_, driver_, options_, hooks_}; }
    void list_arrays();
    std::vector<RunBuffer> take_buffers();
    void receive(std::string_view text, bool kept);
    std::uint64_t threads_per_block() const;

    const Session& session_;
    const driver::Driver& driver_;
    const RunOptions& options_;
    const RunHooks& hooks_;
    const Kind kind_;
    std::optional<profile::WarpChoice> warp_; ///< that is recorded
    Report report_;
    std::vector<ArgumentData> arguments_;
    DeviceArguments on_device_{arguments_};
    findings::Checks beside_;  ///< that the software device makes, for this one cannot
    bool has_results_ = false; ///< all repeats are done
};

void Run::stage(std::string_view name, double fraction, std::string_view text) {
    if (hooks_.cancelled && hooks_.cancelled())
        throw StageError(Status::cancelled, {.kind = "cancelled", .message = "The run was stopped."});
    if (hooks_.progress) hooks_.progress(name, fraction, text);
}

std::uint64_t Run::threads_per_block() const {
    std::uint64_t threads = 1;
    for (const auto extent : session_.launch.block)
        threads *= extent;
    return threads;
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

// A fault in a kernel becomes the error of the next driver call. The message names the kernel instead of that call.
void Run::wait_for_kernel(const driver::Stream& stream) {
    try {
        stream.synchronize();
    } catch (const driver::Error& error) {
        auto described = describe(error);
        described.message = fmt::format("The kernel {} failed: {} ({}, {}).{}{}", report_.kernel, error.info().text,
                                        error.code_name(), error.code(), error.hint().empty() ? "" : " ", error.hint());
        throw StageError(Status::device_error, std::move(described));
    }
}

void Run::run_once(const driver::Function& function, const driver::Stream& stream, bool measured) {
    const auto values = on_device_.values();
    // Setting an `out` to its first contents is not part of the timed work.
    on_device_.set_outputs(stream);
    if (report_.checks.has(findings::Check::init)) {
        stream.synchronize();
        on_device_.spoil_outputs(driver_);
    }
    driver::Event start, copied, begin, done, copy_back, back;
    start.record(stream);
    on_device_.upload_inputs(stream);
    copied.record(stream);
    auto config = configuration_of(session_.launch);
    config.stream = &stream;
    {
        // A GPU has its own queue and needs no gate. Its launch may wait for the device, which would then wait for the
        // host.
        std::optional<Gate> gate;
        if (driver_.name() == "software") gate.emplace(stream);
        begin.record(stream);
        const auto call_start = clock::now();
        function.call(config, values);
        // The software device compiles a kernel for the block's size at its first launch.
        if (gate && !report_.launched) report_.compile.load_ms += ms_since(call_start);
        report_.launched = true;
        done.record(stream);
    }
    wait_for_kernel(stream);
    copy_back.record(stream);
    on_device_.download_results(stream);
    back.record(stream);
    stream.synchronize();
    if (!measured) return;
    report_.times.htod_ms.push_back(copied.time_since(start));
    report_.times.kernel_ms.push_back(done.time_since(begin));
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
void Run::warm_up(const driver::ContextRef& context, const driver::Function& function, const driver::Stream& stream) {
    const platform::StdoutCapture capture([](std::string_view) {}, false);
    const auto start = clock::now();
    int count = 0;
    do {
        stage("run", -1, fmt::format("warm-up {}", ++count));
        run_once(function, stream, true);
        context.synchronize();
    } while (!is_steady(report_.times.kernel_ms) && count < most_warm_up_runs && ms_since(start) < longest_warm_up_ms);
    report_.times = {};
    report_.warmup = count;
}

void Run::run_all(const driver::ContextRef& context, const driver::Function& function) {
    for (auto& data : arguments_)
        if (data.is_result())
            data.output = std::make_shared<NdArray>(NdArray::empty(data.input.shape(), data.input.dtype()));
    const driver::Stream stream(0, session_.launch.options.priority);
    const auto repeat = [&](int count, bool measured) {
        // The output of warm-up runs is dropped: it is not a result.
        const platform::StdoutCapture capture([&](std::string_view text) { receive(text, measured); },
                                              hooks_.echo && measured);
        for (int i = 0; i < count; ++i) {
            stage("run", static_cast<double>(i) / count,
                  measured ? fmt::format("run {} of {}", i + 1, count) : fmt::format("warm-up {} of {}", i + 1, count));
            run_once(function, stream, measured);
            context.synchronize(); // the printf buffer is emptied here
        }
    };
    if (options_.steady)
        warm_up(context, function, stream);
    else if (report_.warmup > 0)
        repeat(report_.warmup, false);
    repeat(report_.repeat, true);
}

void Run::read_function(const driver::Device& device, const driver::Function& function) {
    for (const auto& [attribute, value] : function.get_attributes()) {
        auto name = driver::to_string(attribute);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        report_.function[name] = value;
    }
    try {
        report_.occupancy = occupancy(device, function, static_cast<int>(threads_per_block()), session_.launch.shared);
        report_.occupancy->estimated = report_.registers_from == "estimate";
    } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): the values are optional
        // A driver without occupancy functions still runs kernels.
    }
}

void Run::execute(const driver::Device& device, const CompiledKernel& compiled) {
    const auto context = device.retain_primary_context();
    const driver::ContextScope current(context);
    const KernelChecks checks(driver_, report_.checks);
    std::optional<KernelProfile> profile;
    if (kind_ == Kind::profiled) profile.emplace(driver_);
    std::optional<KernelWarp> recorded;
    if (kind_ == Kind::recorded) recorded.emplace(driver_, *warp_);
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
    const auto function = [&] {
        try {
            return module.get_function(compiled.lowered);
        } catch (const driver::LogicError& error) {
            input_error(error.what(), "/kernel");
        }
    }();
    function.load();
    report_.compile.load_ms = ms_since(load_start);
    report_.registers_from = count_registers(driver_, function, compiled.registers);
    check_resources(session_.launch, device, function);
    apply_launch_options(session_.launch, device, function);
    read_function(device, function);
    const auto before = driver::mem_get_info();
    report_.memory.total = before.total;
    report_.memory.free_before = before.free;
    on_device_.place(module, report_.checks);
    report_.memory.allocated = on_device_.allocated_bytes();
    // An integrated device shares the host's memory, so staging buffers only cost time.
    if (!device.integrated()) on_device_.stage_large_copies();
    run_all(context, function);
    collect_findings();
    if (profile) {
        report_.profile = profile->take();
        own_paths().mend(*report_.profile);
    }
    if (recorded) report_.warp = recorded->take(on_device_.memory());
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
        entry.dtype = data.input.dtype().name();
        entry.shape = data.input.shape();
        entry.bytes = data.input.nbytes();
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

void Run::run_stages() {
    report_.title = session_.title;
    report_.session = options_.session_path;
    report_.kernel = session_.kernel;
    report_.grid = session_.launch.grid;
    report_.block = session_.launch.block;
    report_.shared = session_.launch.shared;
    report_.cooperative = session_.launch.cooperative;
    report_.launch_options = session_.launch.options;
    (driver_.name() == "software" ? report_.checks : beside_) = checks_of_run(session_, options_);
    check_roofline(session_, options_);
    if (kind_ == Kind::usual) warp_ = warp_of_run(session_, options_);
    report_.repeat = std::max(1, options_.repeat.value_or(session_.repeat));
    report_.warmup = std::max(0, options_.warmup.value_or(session_.warmup));
    const auto device = open_device();
    if (options_.compile_only) {
        stage("compile");
        compile_kernel(session_, options_, hooks_, device, report_);
        return;
    }
    check_extents(session_.launch, device);
    stage("data");
    prepare_data(session_, options_, hooks_, arguments_);
    if (!options_.lost_because.empty()) device_error(options_.lost_because, {});
    stage("compile");
    const auto compiled = compile_kernel(session_, options_, hooks_, device, report_);
    check_headers_stay(arguments_, compiled.headers);
    check_parameters(compiled, hooks_, arguments_);
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
    return {std::move(report_), std::move(buffers)};
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
