// SPDX-License-Identifier: Apache-2.0
#include "worker/device_methods.hpp"

#include "worker/assembly_json.hpp"
#include "worker/buffer_methods.hpp"
#include "worker/compile_json.hpp"
#include "worker/compile_parameters.hpp"
#include "worker/keeper.hpp"
#include "worker/layout_json.hpp"
#include "worker/occupancy_reply.hpp"
#include "worker/run_request.hpp"

#include "compiler/toolchain.hpp"
#include "driver/cancel.hpp"
#include "session/data_file.hpp"
#include "session/occupancy.hpp"
#include "session/options_check.hpp"
#include "session/runner.hpp"
#include "session/struct_layouts.hpp"
#include "warplight/compiler.hpp"
#include "warplight/context.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace warplight::worker {
namespace {

/// The kernel's name in the PTX.
std::string lowered_name(const std::vector<compiler::Kernel>& kernels, const std::string& name) {
    for (const compiler::Kernel& kernel : kernels)
        if ((kernel.name == name || kernel.lowered == name) && !kernel.lowered.empty()) return kernel.lowered;
    return name;
}

} // namespace

struct DeviceMethods::State {
    State(driver::Driver chosen, BufferStore& store) : driver(std::move(chosen)), buffers(store) {}

    driver::Driver driver;
    BufferStore& buffers;

    // Queries keep the primary context of a device, because making it costs more than a query.
    std::mutex contexts_mutex;
    std::map<int, std::shared_ptr<driver::Context>> contexts;

    // The module of the last occupancy query. A user who looks for a good block size asks for the same one again.
    std::mutex module_mutex;
    std::string module_key;
    std::unique_ptr<driver::Module> module;
    std::vector<compiler::KernelResources> module_resources;

    // The ptxas reports of the last compilations. The query after a compilation is the occupancy of its PTX.
    struct Compiled {
        std::string ptx;
        std::vector<compiler::KernelResources> resources;
    };
    static constexpr std::size_t compiled_kept = 8;
    std::mutex compiled_mutex;
    std::deque<Compiled> compiled; // the newest first

    void remember(const compiler::CompileResult& result) {
        if (result.report.empty()) return;
        std::lock_guard lock(compiled_mutex);
        std::erase_if(compiled, [&](const Compiled& each) { return each.ptx == result.ptx; });
        compiled.push_front({result.ptx, result.report});
        if (compiled.size() > compiled_kept) compiled.pop_back();
    }
    /// Empty where the driver counts registers itself, and without ptxas.
    std::vector<compiler::KernelResources> resources_of(const std::string& ptx, const driver::Device& device) {
        if (driver.name() != "software") return {};
        {
            std::lock_guard lock(compiled_mutex);
            for (const Compiled& each : compiled)
                if (each.ptx == ptx) return each.resources;
        }
        auto [major, minor] = device.compute_capability();
        std::string why_not;
        return compiler::ptxas_report(ptx, "sm_" + std::to_string(major) + std::to_string(minor), why_not);
    }

    Keeper keeper{buffers, [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }};

    /// Puts the arrays of a run into the store, their numbers into the report, and returns their descriptions.
    json take(session::RunResult& result, Keeper::Kept keep);

    driver::Device device(const Params& params) {
        auto number = static_cast<int>(params.integer("device", 0, 1 << 20, 0));
        if (!driver.available()) throw RequestError(driver_error, driver.unavailable_because());
        int count = driver::Device::count(driver);
        if (number >= count)
            throw RequestError(invalid_parameters, "there is no device " + std::to_string(number) + " of the driver " +
                                                       driver.name() + ": it has " + std::to_string(count));
        return driver::Device(number, driver);
    }

    void forget_contexts() {
        const std::scoped_lock lock(module_mutex, contexts_mutex);
        module.reset();
        module_key.clear();
        contexts.clear();
    }

    std::shared_ptr<driver::Context> context(const driver::Device& device) {
        std::lock_guard lock(contexts_mutex);
        auto& context = contexts[device.number()];
        if (!context) context = std::make_shared<driver::Context>(device.retain_primary_context());
        return context;
    }
    /// A GPU without a context has to be made ready anew for each run, which takes it some 150 ms.
    void keep_context(int ordinal) {
        if (driver.name() == "software") return;
        try {
            context(driver::Device(ordinal, driver));
        } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): the run tells of it in its report
        }
    }
};

DeviceMethods::DeviceMethods(const std::string& driver, BufferStore& buffers)
    : state_(new State(driver::Driver::from_name(driver), buffers)) {}

DeviceMethods::~DeviceMethods() = default;

json DeviceMethods::devices(const json&, const RequestContext&) {
    const driver::Driver& driver = state_->driver;
    json list = json::array();
    json result = {
        {"driver", driver.name()}, {"available", driver.available()}, {"problem", ""}, {"driver_version", 0}};
    if (!driver.available()) {
        result["problem"] = driver.unavailable_because();
    } else {
        try {
            int count = driver::Device::count(driver);
            result["driver_version"] = driver.version();
            for (int number = 0; number < count; ++number) {
                driver::Device device(number, driver);
                auto [major, minor] = device.compute_capability();
                json attributes = json::object();
                for (const auto& [attribute, value] : device.get_attributes())
                    attributes[driver::to_string(attribute)] = value;
                list.push_back({{"id", number},
                                {"name", device.name()},
                                {"compute_capability", std::to_string(major) + "." + std::to_string(minor)},
                                {"total_memory", device.total_memory()},
                                {"attributes", std::move(attributes)}});
            }
        } catch (const Error& error) { // no device, or a driver that does not fit its kernel module
            result["problem"] = error.what();
            result["available"] = false;
        }
    }
    result["devices"] = std::move(list);
    return result;
}

json DeviceMethods::memory(const json& params, const RequestContext&) {
    auto context = state_->context(state_->device(Params(params)));
    driver::ContextScope scope(*context);
    driver::MemoryInfo info = driver::mem_get_info();
    return {{"free", info.free}, {"total", info.total}};
}

json DeviceMethods::compilers(const json&, const RequestContext&) {
    return {{"nvrtc", to_json(compiler::compiler_info(compiler::Backend::nvrtc))},
            {"nvcc", to_json(compiler::compiler_info(compiler::Backend::nvcc))}};
}

json DeviceMethods::compile(const json& params, const RequestContext& context) {
    compiler::CompileRequest request = compile_request(Params(params), state_->driver);
    request.cancelled = [&] { return context.is_cancelled(); };
    if (context.progress) context.progress("compile", -1, request.name);
    compiler::CompileResult result = compiler::compile(request);
    context.check();
    state_->remember(result);
    json answer = to_json(result);
    if (request.cubin) {
        const auto* data = reinterpret_cast<const std::uint8_t*>(result.cubin.data());
        answer["cubin"] = json::binary(std::vector<std::uint8_t>(data, data + result.cubin.size()));
    }
    return answer;
}

json DeviceMethods::layouts(const json& parameters, const RequestContext& context) {
    const Params params(parameters);
    compiler::Kernel kernel;
    session::StructLayouts layouts;
    std::string name = params.text("kernel");
    const auto is_it = [&](const compiler::Kernel& each) { return each.name == name || each.lowered == name; };
    const auto choose = [&](const std::vector<compiler::Kernel>& kernels) {
        const auto found = std::find_if(kernels.begin(), kernels.end(), is_it);
        if (found == kernels.end()) return;
        kernel = *found;
        if (!kernel.lowered.empty()) name = kernel.lowered;
    };
    if (params.boolean("ptx", false)) {
        const std::string ptx = params.text("source");
        choose(compiler::parse_ptx_entries(ptx));
        layouts = session::layouts_of_ptx(ptx);
    } else {
        compiler::CompileRequest request = compile_request(params, state_->driver);
        request.report = false;
        if (name.find('<') != std::string::npos) request.name_expressions = {name};
        request.cancelled = [&] { return context.is_cancelled(); };
        const compiler::CompileResult result = compiler::compile(request);
        context.check();
        const std::string lowered = result.lowered_name(name);
        choose(result.kernels);
        if (!lowered.empty()) name = lowered;
        layouts = session::layouts_of_source(std::move(request));
        context.check();
    }
    std::vector<debug::Layout> of_parameters;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const debug::Layout* layout = layouts.of_parameter(name, kernel, i);
        of_parameters.push_back(layout ? *layout : debug::Layout());
    }
    json variables = json::array();
    for (const debug::NamedLayouts& each : layouts.all)
        if (each.name.empty()) variables = to_json(each.layouts);
    return {{"parameters", to_json(of_parameters)}, {"variables", std::move(variables)}, {"problem", layouts.problem}};
}

json DeviceMethods::signatures(const json& parameters, const RequestContext&) {
    Params params(parameters);
    std::string source = params.text("source");
    json kernels = json::array();
    for (const compiler::Kernel& kernel : params.boolean("ptx", false)
                                              ? compiler::parse_ptx_entries(source)
                                              : compiler::offered_kernels(source, params.texts("name_expressions")))
        kernels.push_back(to_json(kernel));
    return {{"kernels", std::move(kernels)}};
}

json DeviceMethods::occupancy(const json& parameters, const RequestContext& context) {
    Params params(parameters);
    driver::Device device = state_->device(params);
    int threads = threads_of(params.at("block"));
    std::uint64_t shared = params.size("shared", 0);
    std::string name = params.text("kernel"), ptx;
    if (params.has("ptx")) {
        ptx = params.text("ptx");
    } else {
        compiler::CompileRequest request = compile_request(params, state_->driver);
        request.cancelled = [&] { return context.is_cancelled(); };
        compiler::CompileResult result = compiler::compile(request);
        context.check();
        state_->remember(result);
        if (!result.ok)
            throw RequestError(invalid_parameters, "the source does not compile",
                               {{"diagnostics", to_json(result)["diagnostics"]}});
        name = lowered_name(result.kernels, name);
        ptx = std::move(result.ptx);
    }
    auto owner = state_->context(device);
    driver::ContextScope scope(*owner);
    std::lock_guard lock(state_->module_mutex);
    std::string key = std::to_string(device.number()) + ptx;
    if (state_->module_key != key || !state_->module) {
        state_->module.reset();
        state_->module = std::make_unique<driver::Module>(driver::module_from_buffer(std::string_view(ptx)));
        state_->module_key = std::move(key);
        state_->module_resources = state_->resources_of(ptx, device);
    }
    driver::Function function = state_->module->get_function(name);
    const std::string counted =
        session::count_registers(state_->driver, function, session::registers_of(state_->module_resources, name));
    OccupancyReply reply;
    reply.occupancy = session::occupancy(device, function, threads, shared);
    reply.occupancy.estimated = counted == "estimate";
    for (const auto& [attribute, value] : function.get_attributes())
        reply.function[driver::to_string(attribute)] = value;
    return to_json(reply);
}

json DeviceMethods::sass(const json& parameters, const RequestContext& context) {
    const Params params(parameters);
    const auto is_cancelled = [&] { return context.is_cancelled(); };
    if (context.progress) context.progress("compile", -1, "SASS");
    compiler::SourceDisassembly result;
    if (params.has("ptx")) {
        result.compiled.arch = params.text("arch");
        result.sass = compiler::disassemble_ptx(params.text("ptx"), result.compiled.arch, is_cancelled);
    } else {
        compiler::CompileRequest request = compile_request(params, state_->driver);
        request.report = false;
        request.cancelled = is_cancelled;
        result = compiler::disassemble_source(std::move(request));
    }
    context.check();
    const compiler::Disassembly& sass = result.sass;
    json answer = {{"ok", sass.ok},
                   {"problem", sass.problem},
                   {"tool", sass.tool},
                   {"tool_missing", sass.tool_missing},
                   {"compiler_missing", result.compiled.compiler_missing},
                   {"arch", result.compiled.arch},
                   {"compiler", result.compiled.compiler},
                   {"cached", sass.cached},
                   {"functions", to_json(sass.functions)}};
    json& diagnostics = answer["diagnostics"] = json::array();
    for (const compiler::Diagnostic& each : result.compiled.diagnostics)
        diagnostics.push_back(to_json(each));
    return answer;
}

json DeviceMethods::registers(const json& parameters, const RequestContext& context) {
    const Params params(parameters);
    compiler::CompileRequest request = compile_request(params, state_->driver);
    request.cancelled = [&] { return context.is_cancelled(); };
    if (context.progress) context.progress("compile", -1, request.name);
    const session::RegisterTable table = session::register_table(
        request, params.text("kernel", ""), threads_of(params.at("block")), params.size("shared", 0));
    context.check();
    return to_json(table);
}

void DeviceMethods::wait_for_files() { state_->keeper.wait(); }

void DeviceMethods::cancel_kernels() { driver::cancel_kernels(state_->driver); }

json DeviceMethods::State::take(session::RunResult& result, Keeper::Kept keep) {
    bool results = session::has_run(result.report.status);
    bool any = results;
    for (const session::RunBuffer& buffer : result.buffers) {
        results = results || buffer.output;
        any = any || buffer.input || buffer.output;
    }
    // A run without results keeps the results of the run before it, and adds its inputs.
    const char* const origin = results ? "run" : "failed run";
    if (results) buffers.close_all_of("run");
    if (any) buffers.close_all_of("failed run");
    keep.failed = !results;
    json list = json::array();
    std::vector<std::int64_t> inputs;
    for (const session::RunBuffer& buffer : result.buffers) {
        struct Role {
            const char* name;
            const std::shared_ptr<const NdArray>& array;
        };
        for (const Role& role :
             {Role{"input", buffer.input}, Role{"output", buffer.output}, Role{"expected", buffer.expected}}) {
            if (!role.array) continue;
            std::int64_t id = buffers.add(role.array, buffer.name, origin);
            json description = describe_buffer(*buffers.find(id));
            description["index"] = buffer.index;
            description["role"] = role.name;
            list.push_back(std::move(description));
            auto note = [&](std::vector<session::ReportOutput>& entries) {
                for (session::ReportOutput& entry : entries)
                    if (entry.index == buffer.index) entry.buffer = id;
            };
            if (role.name == std::string_view("input")) {
                note(result.report.inputs);
                inputs.push_back(id);
            } else if (role.name == std::string_view("output")) {
                note(result.report.outputs);
                keep.buffers.push_back(id);
            } else {
                for (session::Comparison& comparison : result.report.comparisons)
                    if (!comparison.formula.empty() && comparison.index == buffer.index) {
                        comparison.buffer = id;
                        keep.buffers.push_back(id);
                    }
            }
        }
    }
    if (result.frames && result.report.pipeline && result.report.pipeline->frames && results) {
        auto& frames = *result.report.pipeline->frames;
        const std::int64_t id = buffers.add(result.frames, frames.name, origin);
        frames.buffer = id;
        json description = describe_buffer(*buffers.find(id));
        description["index"] = -1;
        description["role"] = "frames";
        description["rounds"] = frames.rounds;
        list.push_back(std::move(description));
        keep.buffers.push_back(id);
    }
    // Other expectations are files already. Results come before inputs, which can mostly be read again.
    keep.buffers.insert(keep.buffers.end(), inputs.begin(), inputs.end());
    if (!keep.folder.empty() && any) {
        const auto paths = keeper.keep(keep);
        for (json& description : list)
            if (const auto found = paths.find(description["buffer"].get<std::int64_t>()); found != paths.end())
                description["kept"] = found->second.string();
    }
    return list;
}

json DeviceMethods::run(const json& parameters, const RequestContext& context) {
    const auto [session, options] = run_request_from_json(parameters);
    session::RunHooks hooks;
    hooks.progress = context.progress;
    hooks.output = context.output;
    hooks.cancelled = [&] { return context.is_cancelled(); };
    if (!session.source.is_ptx()) compiler::toolchain().prepare(); // while the driver opens
    state_->keeper.wait();                                         // for this run may end the process
    if (!options.compile_only && options.lost_because.empty())
        state_->keep_context(options.device.value_or(session::parse_device(session.device).ordinal));
    session::RunResult result = session::run(session, state_->driver, options, hooks);
    if (result.report.status == session::Status::cancelled) {
        state_->forget_contexts(); // ending the kernel has destroyed them
        result.buffers.clear();    // those of the run before it stay
    }

    Keeper::Kept keep;
    keep.folder = options.keep;
    keep.limit = options.keep_limit;
    json buffers = state_->take(result, std::move(keep));
    json report = session::to_json(result.report);
    report["buffers"] = std::move(buffers);
    // After a sticky error every call of this process to the GPU fails.
    bool poisoned = false;
    if (result.report.error && result.report.error->code != 0)
        poisoned = driver::Error({.code = result.report.error->code}).sticky();
    if (poisoned) state_->keeper.wait(); // for the client may end the process
    report["restart_needed"] = poisoned;
    return report;
}

} // namespace warplight::worker
