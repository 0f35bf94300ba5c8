// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "device_choice.hpp"
#include "files/paths.hpp"
#include "json_text.hpp"
#include "keep_run.hpp"
#include "report_page.hpp"
#include "run_arguments.hpp"
#include "run_flags.hpp"
#include "run_in_worker.hpp"

#include "compiler/include_scan.hpp"
#include "compiler/whole_program.hpp"
#include "session/data_file.hpp"
#include "session/report.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "worker/run_access.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using session::SessionError;

struct Options {
    std::string file;
    std::string device;
    session::RunOptions run;
    bool as_json = false;
    bool in_process = false;
    std::string timeout, memory;
    bool unconfined = false;
    // Only for a source file:
    std::string kernel, grid, block, arch, compiler;
    std::uint64_t shared = 0;
    bool cooperative = false;
    std::string cluster, cache;
    std::optional<int> carveout, priority;
    KeepOptions keep;
    std::string page;
    std::vector<std::string> arguments, variables, saves, expectations, textures, surfaces, options;
    double rtol = 0, atol = 0;
};

using Job = worker::RunRequest;

/// The session's files; of a source that the user named, its headers also where they lie elsewhere.
worker::Access access_for(const Job& job) {
    worker::Access access = worker::access_of(job);
    if (!job.options.trusted) return access;
    const auto& session = job.session;
    for (const auto& folder : compiler::include_folders(session.compile.options))
        access.read.push_back(files::absolute(folder));
    const auto source = files::join(job.options.folder, session::path_from_utf8(session.source.path));
    try {
        for (const auto& header :
             compiler::scan_includes(read_text_file(source), source.parent_path(), session.compile.options).headers)
            access.read.push_back(files::absolute(header.path));
    } catch (const Error&) { // the run reports it
    }
    return access;
}

Job job_of_document(const Options& options) {
    const auto refuse = [](bool given, const char* option) {
        if (given)
            throw SessionError(fmt::format("{} belongs to a source file (FILE.cu or FILE.ptx); a session has its own. "
                                           "Change it in the session.",
                                           option));
    };
    refuse(!options.kernel.empty(), "--kernel");
    refuse(!options.grid.empty(), "--grid");
    refuse(!options.block.empty(), "--block");
    refuse(options.shared != 0, "--shared");
    refuse(options.cooperative, "--cooperative");
    refuse(!options.cluster.empty(), "--cluster");
    refuse(options.carveout.has_value(), "--carveout");
    refuse(!options.cache.empty(), "--cache");
    refuse(options.priority.has_value(), "--priority");
    refuse(!options.arguments.empty(), "--arg");
    refuse(!options.variables.empty(), "--variable");
    refuse(!options.saves.empty(), "--save");
    refuse(!options.expectations.empty(), "--expect");
    refuse(!options.textures.empty(), "--texture");
    refuse(!options.surfaces.empty(), "--surface");
    refuse(options.rtol != 0, "--rtol");
    refuse(options.atol != 0, "--atol");
    refuse(!options.options.empty(), "--option");
    refuse(!options.arch.empty(), "--arch");
    refuse(!options.compiler.empty(), "--compiler");
    Job job{session::load(options.file), options.run};
    job.options.folder = files::absolute(options.file).parent_path();
    job.options.session_path = files::absolute(options.file).string();
    return job;
}

/// Read as a session's, with the same limits and messages.
session::LaunchOptions launch_options_of(const Options& options) {
    nlohmann::json launch = nlohmann::json::object();
    if (!options.cluster.empty()) launch["cluster"] = parse_extents(options.cluster, "--cluster");
    if (options.carveout) launch["carveout"] = *options.carveout;
    if (!options.cache.empty()) launch["cache"] = options.cache;
    if (options.priority) launch["priority"] = *options.priority;
    return session::session_from_json({{"warplight", session::format_version}, {"launch", launch}}).launch.options;
}

Job job_of_source(const Options& options) {
    if (options.grid.empty() || options.block.empty())
        throw SessionError("A source file needs --grid and --block, such as --grid 64 --block 256.");
    Job job{{}, options.run};
    auto& session = job.session;
    session.source.path = options.file;
    session.kernel = options.kernel;
    session.launch.grid = parse_extents(options.grid, "--grid");
    session.launch.block = parse_extents(options.block, "--block");
    session.launch.shared = options.shared;
    session.launch.cooperative = options.cooperative;
    session.launch.options = launch_options_of(options);
    session.compile.options = options.options;
    if (!options.arch.empty()) session.compile.arch = options.arch;
    if (!options.compiler.empty()) session.compile.compiler = options.compiler;
    for (std::size_t i = 0; i < options.arguments.size(); ++i)
        session.arguments.push_back(parse_argument(options.arguments[i], i));
    for (const auto& each : options.variables)
        session.arguments.push_back(parse_variable(each));
    check_sizes(session.arguments);
    for (const auto& each : options.textures)
        apply_texture(each, "texture", session.arguments);
    for (const auto& each : options.surfaces)
        apply_texture(each, "surface", session.arguments);
    for (const auto& each : options.saves)
        apply_save(each, session.arguments);
    for (const auto& each : options.expectations)
        apply_expect(each, options.rtol, options.atol, session.arguments);
    job.options.folder = fs::current_path();
    job.options.trusted = true; // every path was typed here
    return job;
}

Job make_job(const Options& options) {
    if (!fs::exists(options.file)) throw SessionError(fmt::format("The file {} does not exist.", options.file));
    const auto extension = fs::path(options.file).extension();
    if (extension != ".warplight" && extension != ".cu" && extension != ".ptx")
        throw SessionError(fmt::format("{} is neither a session (.warplight) nor a source (.cu, .ptx).", options.file));
    auto job = extension == ".warplight" ? job_of_document(options) : job_of_source(options);
    if (!options.device.empty()) job.session.device = parse_device_option(options.device).device;
    session::parse_device(job.session.device);
    return job;
}

/// The report for a program with main(). Its user does not know yet that `run` takes a kernel and its launch, so a
/// message about a missing --grid would mislead.
std::optional<session::Report> report_of_whole_program(const Options& options) {
    const bool launch_given = !options.grid.empty() && !options.block.empty();
    if (launch_given || options.compiler == "nvcc" || fs::path(options.file).extension() != ".cu") return std::nullopt;
    std::vector<compiler::Diagnostic> diagnostics;
    try {
        compiler::explain_whole_program(diagnostics, read_text_file(options.file), options.file);
    } catch (const Error&) {
        return std::nullopt; // make_job() reports it
    }
    if (diagnostics.empty()) return std::nullopt;
    const auto& first = diagnostics.front();
    auto report = failed_report({}, session::Status::compile_error,
                                fmt::format("{} does not compile: line {}: {}", first.file, first.line, first.message));
    report.error->kind = "compile";
    report.diagnostics.push_back({first.file, first.line, first.column,
                                  std::string(compiler::severity_name(first.severity)), first.message, first.notes});
    return report;
}

/// Only the software device checks kernels.
bool is_checked(const Job& job) {
    return job.options.check.empty() ? job.session.checks.any() : job.options.check != "none";
}

/// Runs in this process. `live`: the kernel's output goes to standard output as it comes.
session::RunResult run_here(Job job, bool live) {
    auto choice = session::parse_device(job.session.device);
    if (choice.driver == "auto" && is_checked(job)) choice.driver = "software";
    choice = resolve_here(choice);
    job.options.device = choice.ordinal;
    const auto driver = driver::Driver::from_name(choice.driver);
    session::RunHooks hooks;
    hooks.echo = live;
    return session::run(job.session, driver, job.options, hooks);
}

session::Report run_outside(const Job& job, const Manner& manner, const RunLimits& limits) {
    auto choice = session::parse_device(job.session.device);
    if (choice.driver == "auto" && is_checked(job)) choice.driver = "software";
    if (choice.driver == "auto") {
        // Without NVIDIA's driver there is no need to ask a worker here.
        choice.driver = "cuda";
        if (!manner.machine.empty() || driver::Driver::cuda().available())
            if (auto report = run_in_worker(job, choice, true, manner, limits)) return *report;
        choice.driver = "software";
    }
    return *run_in_worker(job, choice, false, manner, limits);
}

/// The option or the place in the session that has the wrong value.
std::string place_of(const session::ReportError& error, const Options& options) {
    const auto& at = error.pointer;
    if (at.empty()) return {};
    if (at == "/device")
        return error.message.find("software device") != std::string::npos ? "--device software" : "--device";
    if (fs::path(options.file).extension() == ".warplight")
        return error.message.find(at) == std::string::npos ? fmt::format("at {} in the session", at) : std::string();
    if (at == "/checks") return "--check";
    if (at.starts_with("/launch/grid")) return "--grid " + options.grid;
    if (at.starts_with("/launch/block")) return "--block " + options.block;
    if (at.starts_with("/launch/shared")) return fmt::format("--shared {}", options.shared);
    if (at.starts_with("/launch/cooperative")) return "--cooperative";
    if (at.starts_with("/launch/cluster")) return "--cluster " + options.cluster;
    if (at.starts_with("/launch/priority")) return fmt::format("--priority {}", options.priority.value_or(0));
    if (at.starts_with("/kernel")) return options.kernel.empty() ? "--kernel NAME" : "--kernel " + options.kernel;
    if (at.starts_with("/compile/options")) return "--option";
    if (at.starts_with("/compile/arch")) return "--arch " + options.arch;
    if (at.starts_with("/compile/compiler")) return "--compiler " + options.compiler;
    constexpr std::string_view arguments = "/arguments/";
    if (!at.starts_with(arguments)) return at == "/arguments" ? "one --arg for each" : "";
    std::size_t index = 0;
    const auto number = std::string_view(at).substr(arguments.size());
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), index);
    const std::size_t count = options.arguments.size();
    if (problem != std::errc() || index >= count + options.variables.size()) return {};
    const auto rest = std::string_view(end, number.data() + number.size());
    const bool is_argument = index < count;
    const std::string& option = is_argument ? options.arguments[index] : options.variables[index - count];
    const std::string which = is_argument ? fmt::format("{}", index) : option.substr(0, option.find('='));
    if (rest.starts_with("/save")) return fmt::format("--save {}=FILE.npy", which);
    if (rest.starts_with("/texture")) return fmt::format("--texture {}=…", which);
    if (rest.starts_with("/surface")) return fmt::format("--surface {}=…", which);
    if (rest.starts_with("/expect")) return fmt::format("--expect {}=…", which);
    return (is_argument ? "--arg " : "--variable ") + option;
}

int finish(session::Report report, const Options& options) {
    if (options.as_json) {
        print_json(session::to_json(report));
    } else {
        // The kernel's output has been printed already.
        if (!report.output.empty()) fmt::print("{}\n", report.output.ends_with('\n') ? "" : "\n");
        report.output.clear();
        if (report.error)
            if (const auto place = place_of(*report.error, options); !place.empty())
                report.error->message += fmt::format(" ({})", place);
        fmt::print("{}", session::to_text(report));
    }
    return session::exit_code(report.status);
}

RunLimits limits_of(const Options& options) {
    RunLimits limits;
    if (options.in_process && !(options.timeout.empty() && options.memory.empty()))
        throw SessionError("--timeout and --memory limit a worker, so they cannot stand beside --in-process.");
    if (!options.timeout.empty()) {
        const auto timeout = worker::parse_duration(options.timeout);
        if (!timeout)
            throw SessionError(
                fmt::format("--timeout {}: write a duration such as 10s, 500ms or 2m.", options.timeout));
        limits.timeout = *timeout;
    }
    if (!options.memory.empty()) {
        const auto memory = worker::parse_bytes(options.memory);
        if (!memory) throw SessionError(fmt::format("--memory {}: write a size such as 2G or 512M.", options.memory));
        if (*memory < worker::least_memory)
            throw SessionError(fmt::format("--memory {}: a worker needs {} at least.", options.memory,
                                           session::format_bytes(worker::least_memory)));
        limits.memory = *memory;
    }
    return limits;
}

void write_page(const Job& job, const session::Report& report, const std::vector<page::ResultView>& views,
                const Options& options) {
    std::string source;
    try {
        source = source_of(job);
    } catch (const Error&) {
        source.clear(); // the report tells of it
    }
    auto run = history::run_of(job.session, source, report);
    run.entry.note = options.keep.note;
    write_report_page(options.page, run, views);
}

int run(const Options& options) {
    if (!options.page.empty()) check_page_name(options.page);
    const auto limits = limits_of(options);
    const LastResort last_resort(limits);
    if (auto report = report_of_whole_program(options)) return finish(std::move(*report), options);
    Job job;
    try {
        job = make_job(options);
    } catch (const SessionError& error) {
        if (!options.as_json) throw;
        return finish(failed_report(job, session::Status::input_error, error.what(), error.pointer), options);
    }
    const bool live = !options.as_json;
    std::vector<page::ResultView> views;
    const bool paged = !options.page.empty();
    const Manner manner{.live = live,
                        .confined = !options.unconfined,
                        .access = options.unconfined ? worker::Access() : access_for(job),
                        .machine = parse_device_option(options.device).machine,
                        .views = paged ? &views : nullptr};
    session::Report report;
    if (options.in_process) {
        refuse_other_machines(options.device, "--in-process runs in this one");
        auto result = run_here(job, live);
        if (paged) views = views_of(result);
        report = std::move(result.report);
    } else {
        report = run_outside(job, manner, limits);
    }
    keep_run(job, report, options.keep);
    if (paged) write_page(job, report, views, options);
    return finish(std::move(report), options);
}

} // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("run", "Run a session, or a kernel of a source file, and print the report");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->file, "SESSION.warplight, FILE.cu or FILE.ptx")->required();
    command->add_option("--device", options->device,
                        "auto, cuda:N, software:N, or one on another machine: ssh://USER@HOST/cuda:N");
    add_run_flags(*command, options->run);
    command->add_flag("--json", options->as_json, "Print the report as JSON");
    command->add_flag("--in-process", options->in_process,
                      "Run in this process instead of a worker, without the walls around it");
    command->add_flag("--unconfined", options->unconfined,
                      "Run in a worker without the walls that `warplight-cli doctor` lists");
    command->add_option("--timeout", options->timeout, "Longest time of the run, with compilation: 10s, 500ms, 2m");
    command->add_option("--memory", options->memory, "Most memory of the run: 2G, 512M");
    command->add_option("--report", options->page, "Write the report as a page of HTML, with pictures of the results")
        ->type_name("FILE.html");
    add_keep_options(*command, options->keep);
    const auto* group = "Options of a source file";
    command->add_option("--kernel", options->kernel, "The kernel; may be left out where there is one only")
        ->group(group);
    command->add_option("--grid", options->grid, "Blocks: X[,Y[,Z]]")->group(group);
    command->add_option("--block", options->block, "Threads of a block: X[,Y[,Z]]")->group(group);
    command->add_option("--shared", options->shared, "Dynamic shared memory of a block, bytes")->group(group);
    command->add_flag("--cooperative", options->cooperative, "All blocks run at once: grid.sync() works")->group(group);
    command->add_option("--cluster", options->cluster, "Blocks of a cluster: X[,Y[,Z]]; compute capability 9.0")
        ->group(group);
    command
        ->add_option("--carveout", options->carveout,
                     "Preferred share of shared memory in a multiprocessor's L1 cache, per cent")
        ->check(CLI::Range(0, 100))
        ->group(group);
    command->add_option("--cache", options->cache, "What the kernel wants more of: shared, l1 or equal")
        ->check(CLI::IsMember(
            std::vector<std::string>(session::cache_preferences.begin(), session::cache_preferences.end())))
        ->group(group);
    command->add_option("--priority", options->priority, "Of the stream; lower is sooner")
        ->check(CLI::Range(-session::furthest_priority, session::furthest_priority))
        ->group(group);
    command
        ->add_option("--arg", options->arguments,
                     "The next argument, one option each:\n"
                     "i32=4096, f32=2.0 (i8…i64, u8…u64, f16, f32, f64, bool, float4=1,2,3,4),\n"
                     "u32=size:2 (elements of argument 2),\n"
                     "in=x.npy, inout=y.npz:NAME, in=x.bin:float32[1024], in=random:float32[1024] (zeros, arange),\n"
                     "in=formula:float32[1024]:sin(2*pi*i/n), where arg0, arg1, … are the other arguments,\n"
                     "out=float32[1024,1024]")
        ->allow_extra_args(false)
        ->group(group);
    command
        ->add_option("--variable", options->variables,
                     "A __constant__ or __device__ variable of the source, by its name: filter=in=x.npy,\n"
                     "alpha=f32=2.0, counter=out=int32[1]; what stands behind the name is as of --arg")
        ->allow_extra_args(false)
        ->group(group);
    command
        ->add_option(
            "--texture", options->textures,
            "The kernel gets a texture of an array: INDEX=2d, or INDEX={\"kind\": \"2d\", \"filter\": \"linear\"}\n"
            "with the keys that sessions have; VARIABLE=… for a texture reference")
        ->allow_extra_args(false)
        ->group(group);
    command
        ->add_option("--surface", options->surfaces,
                     "The kernel gets a surface of an array: INDEX=2d; VARIABLE=… for a surface reference")
        ->allow_extra_args(false)
        ->group(group);
    command
        ->add_option("--save", options->saves,
                     "INDEX=FILE saves an output, VARIABLE=FILE a variable; arguments count from 0. FILE ends "
                     "in\n.npy, .npz, .h5, .csv, .tsv, .txt, .png or .wav")
        ->allow_extra_args(false)
        ->group(group);
    command
        ->add_option("--expect", options->expectations,
                     "The right result of an output, INDEX=FILE.npy or INDEX=formula:2*arg0; VARIABLE=… for a variable")
        ->allow_extra_args(false)
        ->group(group);
    command->add_option("--rtol", options->rtol, "Relative tolerance of --expect")
        ->check(CLI::NonNegativeNumber)
        ->group(group);
    command->add_option("--atol", options->atol, "Absolute tolerance of --expect")
        ->check(CLI::NonNegativeNumber)
        ->group(group);
    command->add_option("--option", options->options, "An option of the compiler: --option=--use_fast_math")
        ->allow_extra_args(false)
        ->group(group);
    command->add_option("--arch", options->arch, "Architecture to compile for; default: the device's")->group(group);
    command->add_option("--compiler", options->compiler, "nvrtc or nvcc")
        ->check(CLI::IsMember({"nvrtc", "nvcc"}))
        ->group(group);
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace warplight::cli
