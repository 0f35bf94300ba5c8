// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache.hpp"
#include "compiler/instances.hpp"
#include "compiler/nvcc_command.hpp"
#include "compiler/products.hpp"
#include "compiler/ptxas_report.hpp"
#include "compiler/sha256.hpp"
#include "compiler/temporary_folder.hpp"
#include "compiler/text.hpp"
#include "compiler/toolchain.hpp"
#include "compiler/toolkit.hpp"

#include <algorithm>
#include <set>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

/// Runs a command and appends its output to the log. False when it failed.
bool run(const NvccCommand& command, Products& products, const CancelQuery& cancelled) {
    const platform::ProcessResult result = command.run(cancelled);
    products.log += command.with_own_names(result.output);
    products.cancelled = result.cancelled;
    if (!result.started)
        products.log += "\nnvcc fatal   : \"" + command.line() + "\" could not be started: " + result.output;
    return result.started && !result.cancelled && result.exit_code == 0;
}

/// In front of messages about instances, as in NVRTC's.
constexpr std::string_view kInstances = "__nv_name_map";
constexpr std::string_view kMarker = "__warplight_instance_";

std::string line_directive(std::string_view file) { return "#line 1 \"" + escaped(file) + "\"\n"; }

/// A line for each expression, in their order: `before`, the number, `between`, the expression, `after`.
std::string instance_lines(const std::vector<std::string>& expressions, std::string_view before,
                           std::string_view between, std::string_view after) {
    std::string result = "\n\n" + line_directive(kInstances); // two newlines: the source may end in a backslash
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        std::string expression = expressions[i];
        std::replace(expression.begin(), expression.end(), '\n', ' ');
        result +=
            std::string(before) + std::to_string(i) + std::string(between) + expression + std::string(after) + "\n";
    }
    return result;
}

class NvccBuild {
public:
    explicit NvccBuild(const Job& job) : job_(job), nvcc_(find_nvcc_program(job.request.nvcc)) {}

    Products products(const std::string& text) const {
        const CompileRequest& request = job_.request;
        const TemporaryFolder folder;
        Products products;
        if (request.lto_ir) {
            const fs::path output = folder.path / "out.ltoir";
            products.ok = build(folder.path, text, "-ltoir", "lto_" + job_.arch.suffix, output, {}, products);
            products.lto_ir = read_whole_file(output);
            return products;
        }
        const fs::path ptx = folder.path / "out.ptx";
        products.ok = build(folder.path, text, "-ptx", "compute_" + job_.arch.suffix, ptx, {}, products);
        if (!products.ok) return products;
        if (request.cubin || request.report) {
            const fs::path cubin = folder.path / "out.cubin";
            const std::string front_end = std::move(products.log); // the second run repeats it
            products.log.clear();
            products.ok =
                build(folder.path, text, "-cubin", "sm_" + job_.arch.suffix, cubin, {"--ptxas-options=-v"}, products);
            if (products.ok)
                products.cubin = read_whole_file(cubin);
            else
                products.log = front_end + products.log;
        }
        return products;
    }

    /// The names that the compiler gives to all instances. Variables with the kernels' addresses show them in the PTX.
    std::vector<LoweredName> compiled_names(bool& cancelled) const {
        const TemporaryFolder folder;
        const fs::path output = folder.path / "names.ptx";
        Products products;
        const std::vector<std::string>& expressions = job_.request.name_expressions;
        const std::string text =
            job_.source +
            instance_lines(expressions, "extern \"C\" __device__ auto* const " + std::string(kMarker), " = ", ";");
        const bool ok = build(folder.path, text, "-ptx", "compute_" + job_.arch.suffix, output, {}, products);
        cancelled = products.cancelled;
        if (!ok) return {};
        std::vector<LoweredName> names;
        const std::string& ptx = products.ptx;
        for (std::size_t i = 0; i < expressions.size(); ++i) {
            const std::string start = std::string(kMarker) + std::to_string(i) + " = ";
            const std::size_t at = ptx.find(start);
            if (at == std::string::npos) continue;
            const std::size_t begin = at + start.size();
            names.push_back({expressions[i], ptx.substr(begin, ptx.find_first_of("; \n", begin) - begin)});
        }
        return names;
    }

private:
    bool build(const fs::path& folder, const std::string& text, const std::string& kind, const std::string& code,
               const fs::path& output, const std::vector<std::string>& more, Products& products) const {
        const CompileRequest& request = job_.request;
        NvccCommand command(nvcc_, folder);
        command.add_options(request.options);
        if (request.line_info && !has_line_option(request.options)) command.add("-lineinfo");
        if (!request.folder.empty()) command.add_include(request.folder);
        command.add(kind);
        command.add("-gencode=arch=compute_" + job_.arch.suffix + ",code=" + code);
        for (const std::string& option : more)
            command.add(option);
        // #line makes messages and .loc name the real file, whose text on the disk may be another.
        const fs::path source = folder / "source.cu";
        write_whole_file(source, command.definitions() + line_directive(job_.file) + text);
        for (const std::string& word : {source.string(), std::string("-o"), output.string()})
            command.add(word);
        if (products.command.empty()) products.command = command.line();
        const bool ok = run(command, products, request.cancelled);
        if (ok && kind == "-ptx") products.ptx = command.with_own_names(read_whole_file(output));
        return ok;
    }

    const Job& job_;
    fs::path nvcc_;
};

/// Finds the names among the entries of the PTX. Empty where one is missing: an expression such as `scale<>`, or a type
/// that the mangled name spells otherwise.
std::vector<LoweredName> entry_names(const std::vector<std::string>& expressions, std::string_view ptx) {
    const auto without_spaces = [](std::string text) {
        std::erase(text, ' ');
        return text;
    };
    const std::vector<Kernel> entries = parse_ptx_entries(ptx);
    std::vector<LoweredName> names;
    for (const std::string& expression : expressions) {
        const std::string wanted = without_spaces(expression);
        std::set<std::string> found;
        for (const Kernel& entry : entries)
            if (without_spaces(demangled_name(entry.lowered)) == wanted) found.insert(entry.lowered);
        if (found.size() != 1) return {};
        names.push_back({expression, *found.begin()});
    }
    return names;
}

} // namespace

Products compile_with_nvcc(const Job& job) {
    const NvccBuild build(job);
    const std::vector<std::string>& expressions = job.request.name_expressions;
    if (expressions.empty()) return build.products(job.source);
    // The lines below use each instance, because nvcc makes only instances that the source uses.
    Products products =
        build.products(job.source + instance_lines(expressions, "void " + std::string(kMarker), "() { (void) ", "; }"));
    if (!products.ok) {
        if (products.cancelled || products.log.find(kInstances) == std::string::npos) return products;
        // An error of the source itself, such as a missing brace at its end, must not be reported in the added lines.
        Products alone = build.products(job.source);
        return alone.ok ? products : alone;
    }
    products.lowered_names = entry_names(expressions, products.ptx);
    if (products.lowered_names.empty()) products.lowered_names = build.compiled_names(products.cancelled);
    // A static kernel has another name in each compilation.
    if (!job.request.lto_ir)
        std::erase_if(products.lowered_names, [&](const LoweredName& each) {
            return products.ptx.find(".entry " + each.lowered + "(") == std::string::npos;
        });
    if (products.lowered_names.size() < expressions.size()) {
        products.ok = false;
        const auto unnamed = std::ranges::find_if(expressions, [&](const std::string& each) {
            return std::ranges::none_of(products.lowered_names,
                                        [&](const LoweredName& name) { return name.expression == each; });
        });
        products.log += "\nnvcc fatal   : the name that nvcc gave to " +
                        (unnamed == expressions.end() ? expressions.front() : *unnamed) +
                        " cannot be found; instantiate the template in the source, or compile with NVRTC\n";
    }
    return products;
}

std::vector<KernelResources> ptxas_report(std::string_view ptx, const std::string& arch, std::string& problem,
                                          const CancelQuery& cancelled) {
    problem.clear();
    auto target = parse_architecture(arch);
    if (!target) {
        problem = "\"" + arch + "\" is no architecture";
        return {};
    }
    if (const auto declared = declared_registers(ptx); declared > kMostDeclaredRegisters) {
        problem = "the PTX declares " + std::to_string(declared) +
                  " registers, and ptxas takes memory for each: it gets at most " +
                  std::to_string(kMostDeclaredRegisters);
        return {};
    }
    fs::path ptxas = find_tool("ptxas");
    if (ptxas.empty()) {
        problem = "ptxas, which makes the report, was not found. " + install_hint(Wanted::nvcc);
        return {};
    }
    const std::string text = without_lines(ptx);
    // Each run of a PTX session asks for the report, and ptxas takes seconds for large kernels.
    std::string key;
    if (!cache_disabled()) {
        std::error_code ignored;
        Sha256 digest;
        digest.field("warplight ptxas report 2");
        digest.field(ptxas.string());
        digest.field(std::to_string(fs::last_write_time(ptxas, ignored).time_since_epoch().count()));
        digest.field(target->suffix);
        digest.field(text);
        key = digest.hex();
        if (const auto entry = cache_load(key, {})) return parse_ptxas_report(entry->at("log"));
    }
    PtxasOutput result;
    try {
        result = toolchain().ptxas(text, *target, cancelled);
    } catch (const std::exception& error) {
        result.text = error.what();
    }
    if (!result.ok) {
        problem = result.cancelled ? "cancelled" : result.text;
        return {};
    }
    if (!key.empty()) cache_store(key, {{"log", result.text}}, {});
    return parse_ptxas_report(result.text);
}

} // namespace warplight::compiler
