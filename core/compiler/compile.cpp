// SPDX-License-Identifier: Apache-2.0
// One compilation from request to result: architecture, cache, compiler, reading of the products.
#include "compiler/cache.hpp"
#include "compiler/include_reach.hpp"
#include "compiler/include_scan.hpp"
#include "compiler/instances.hpp"
#include "compiler/platform.hpp"
#include "compiler/products.hpp"
#include "compiler/sha256.hpp"
#include "compiler/signatures.hpp"
#include "compiler/toolchain.hpp"
#include "compiler/whole_program.hpp"
#include "files/held_folder.hpp"
#include "files/paths.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>

namespace warplight::compiler {

std::string CompileResult::lowered_name(std::string_view expression) const {
    for (const LoweredName& name : lowered_names)
        if (name.expression == expression) return name.lowered;
    return {};
}
namespace fs = std::filesystem;
namespace {

Diagnostic error(std::string message, std::vector<std::string> notes = {}) {
    return {"", 0, 0, Severity::error, std::move(message), std::move(notes)};
}

/// The first line of `problem` says what to install; the others list the searched places and become notes.
Diagnostic missing_compiler(const std::string& problem) {
    std::istringstream lines(problem);
    std::string line;
    std::getline(lines, line);
    Diagnostic result = error(line);
    while (std::getline(lines, line))
        result.notes.push_back(line);
    return result;
}

std::string list_of(const std::vector<int>& architectures) {
    std::string result;
    for (int number : architectures)
        result += (result.empty() ? "" : ", ") + std::to_string(number);
    return result;
}

int nearest_to(const std::vector<int>& known, int wanted) {
    int best = 0;
    for (int number : known)
        if (number <= wanted) best = std::max(best, number);
    return best ? best : known.empty() ? wanted : known.front();
}

std::string cache_key(const CompileRequest& request, const Job& job, const CompilerIdentity& compiler,
                      const IncludeScan& includes) {
    const CompilerInfo& info = compiler.info;
    Sha256 digest;
    digest.field("warplight compile 2");
    digest.field(backend_name(request.backend));
    digest.field(std::to_string(info.major) + "." + std::to_string(info.minor));
    digest.field(request.backend == Backend::nvcc ? compiler.version : info.path.string());
    for (const FilePath& folder : info.include_dirs)
        digest.field(folder.string());
    if (request.backend == Backend::nvcc)
        for (const char* name :
             {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH", "CPLUS_INCLUDE_PATH", "PATH"}) {
            const char* value = std::getenv(name);
            digest.field(value ? value : "");
        }
    digest.field(job.arch.text());
    digest.field(job.file);
    digest.field(request.folder.string());
    digest.field(std::string{static_cast<char>('0' + request.cubin), static_cast<char>('0' + request.lto_ir),
                             static_cast<char>('0' + request.report), static_cast<char>('0' + request.line_info)});
    digest.field(std::to_string(request.options.size()));
    for (const std::string& option : request.options)
        digest.field(option);
    digest.field(std::to_string(request.name_expressions.size()));
    for (const std::string& expression : request.name_expressions)
        digest.field(expression);
    digest.field(job.source);
    digest.field(std::to_string(includes.headers.size()));
    for (const IncludeScan::Header& header : includes.headers) {
        digest.field(header.path.string());
        digest.field(header.digest);
    }
    // A relative include folder depends on the working folder.
    std::error_code ignored;
    digest.field(fs::current_path(ignored).string());
    return digest.hex();
}

CacheEntry to_entry(const Products& products) {
    CacheEntry entry{{"log", products.log},
                     {"ptx", products.ptx},
                     {"cubin", products.cubin},
                     {"lto_ir", products.lto_ir},
                     {"command", products.command}};
    for (const auto& [expression, lowered] : products.lowered_names)
        entry["name " + expression] = lowered;
    return entry;
}

Products from_entry(CacheEntry entry) {
    Products products;
    products.ok = true;
    products.log = std::move(entry["log"]);
    products.ptx = std::move(entry["ptx"]);
    products.cubin = std::move(entry["cubin"]);
    products.lto_ir = std::move(entry["lto_ir"]);
    products.command = std::move(entry["command"]);
    for (auto& [name, value] : entry)
        if (name.starts_with("name ")) products.lowered_names.push_back({name.substr(5), value});
    return products;
}

std::vector<std::byte> to_bytes(const std::string& text) {
    std::vector<std::byte> result(text.size());
    if (!text.empty()) std::memcpy(result.data(), text.data(), text.size());
    return result;
}

/// Replaces the compiler's name of the source by the request's. Compilers make names absolute in .file.
class SourceName {
public:
    SourceName(const Job& job) : file_(job.file), name_(job.request.name) {
        std::error_code ignored;
        absolute_ = files::absolute(file_, ignored).string();
    }
    std::string operator()(const std::string& file) const {
        if (file == file_ || file == absolute_) return name_;
        return !file.empty() && files::normal(file).string() == absolute_ ? name_ : file;
    }

private:
    std::string file_, name_, absolute_;
};

/// Gives messages of ptxas their source line. The user has not seen the PTX whose lines ptxas counts.
void place_ptxas_messages(CompileResult& result) {
    for (Diagnostic& diagnostic : result.diagnostics) {
        if (!diagnostic.file.ends_with(".ptx") || diagnostic.line == 0) continue;
        for (const LineMapping& mapping : result.lines) {
            if (mapping.ptx_line != diagnostic.line) continue;
            diagnostic.notes.push_back("ptxas, line " + std::to_string(diagnostic.line) + " of the PTX");
            diagnostic.file = mapping.file;
            diagnostic.line = mapping.source_line;
            break;
        }
    }
}

/// Gives a message about a missing closing brace the last line. The compiler names none.
void place_end_of_source(CompileResult& result, const CompileRequest& request) {
    const std::string_view text = std::string_view(request.source).substr(0, request.source.find_last_not_of('\n') + 1);
    for (Diagnostic& diagnostic : result.diagnostics) {
        if (!diagnostic.message.starts_with(kEndOfSource)) continue;
        diagnostic.message.erase(0, kEndOfSource.size() + 1);
        diagnostic.file = request.name;
        diagnostic.line = 1 + static_cast<int>(std::ranges::count(text, '\n'));
    }
}

/// Older versions of NVRTC name the line only. The column is that of the quoted text, if the line has it once.
void guess_columns(CompileResult& result, const CompileRequest& request) {
    auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (Diagnostic& diagnostic : result.diagnostics) {
        if (diagnostic.column != 0 || diagnostic.line == 0 || diagnostic.file != request.name) continue;
        std::size_t open = diagnostic.message.find('"'), close = diagnostic.message.find('"', open + 1);
        if (open == std::string::npos || close == std::string::npos || close == open + 1) continue;
        std::string_view name(diagnostic.message.data() + open + 1, close - open - 1), text = request.source;
        for (int line = 1; line < diagnostic.line && !text.empty(); ++line)
            text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        text = text.substr(0, text.find('\n'));
        int matches = 0;
        for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
            bool starts = at == 0 || !in_word(text[at - 1]) || !in_word(name.front());
            std::size_t end = at + name.size();
            bool ends = end >= text.size() || !in_word(text[end]) || !in_word(name.back());
            if (!starts || !ends) continue;
            ++matches;
            diagnostic.column = static_cast<int>(at) + 1;
        }
        if (matches != 1) diagnostic.column = 0;
    }
}

void add_advice(CompileResult& result, const CompileRequest& request) {
    for (Diagnostic& diagnostic : result.diagnostics) {
        if (request.backend == Backend::nvrtc && diagnostic.message.find("device-side kernel launch") == 0)
            diagnostic.notes.push_back(
                "dynamic parallelism needs the option --relocatable-device-code=true, and on a GPU "
                "the compiler nvcc as well, for NVRTC alone cannot link");
        if (request.extern_c && diagnostic.message.find("linkage specification") != std::string::npos)
            diagnostic.notes.push_back("the source is wrapped in extern \"C\": ask for no_extern_c to use templates");
    }
}

void read_products(CompileResult& result, Products products, const Job& job) {
    const CompileRequest& request = job.request;
    SourceName real_name(job);
    result.ok = products.ok;
    result.cancelled = products.cancelled;
    result.log = std::move(products.log);
    result.command = std::move(products.command);
    result.ptx = std::move(products.ptx);
    result.cubin = to_bytes(products.cubin);
    result.lto_ir = to_bytes(products.lto_ir);
    result.lowered_names = std::move(products.lowered_names);
    result.diagnostics = parse_diagnostics(result.log);
    result.lines = parse_ptx_lines(result.ptx);
    for (Diagnostic& diagnostic : result.diagnostics)
        diagnostic.file = real_name(diagnostic.file);
    for (LineMapping& mapping : result.lines)
        mapping.file = real_name(mapping.file);
    name_instances(result.diagnostics, result.log, request.name_expressions);
    place_ptxas_messages(result);
    place_end_of_source(result, request);
    guess_columns(result, request);
    add_advice(result, request);
    if (result.cancelled) {
        result.ok = false;
        return;
    }
    bool has_error = std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                                 [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (!result.ok && !has_error)
        result.diagnostics.push_back(error("the compiler failed", {result.log.substr(0, 4000)}));
    if (!result.ok) {
        if (request.backend == Backend::nvrtc) explain_whole_program(result.diagnostics, request.source, request.name);
        result.kernels = parse_signatures(request.source);
        return;
    }
    if (!request.lto_ir) result.kernels = join_kernels(request.source, result.ptx, result.lowered_names);
    if (!request.report || request.lto_ir) return;
    result.report = parse_ptxas_report(result.log);
    if (result.report.empty() && !result.kernels.empty())
        result.report = ptxas_report(result.ptx, job.arch.text(), result.report_problem, request.cancelled);
    for (KernelResources& resources : result.report) {
        resources.name = demangled_name(resources.lowered);
        for (const Kernel& kernel : result.kernels)
            if (kernel.lowered == resources.lowered) resources.name = kernel.name;
    }
}

/// Fits between the quotes of a #line directive, and in one line of a log.
bool is_plain_name(const std::string& file) {
#if defined(_WIN32)
    constexpr std::string_view escaped = "\"";
#else
    constexpr std::string_view escaped = "\"\\";
#endif
    return std::ranges::none_of(
        file, [&](char c) { return static_cast<unsigned char>(c) < ' ' || escaped.find(c) != std::string_view::npos; });
}

CompileResult compile_now(const CompileRequest& request) {
    CompileResult result;
    const CompilerIdentity compiler = toolchain().identity(request.backend, request.nvcc);
    const CompilerInfo& info = compiler.info;
    if (!info.found) {
        result.compiler_missing = true;
        result.diagnostics.push_back(missing_compiler(info.problem));
        result.kernels = parse_signatures(request.source);
        return result;
    }
    result.compiler = (request.backend == Backend::nvcc ? "nvcc " : "NVRTC ") + std::to_string(info.major) + "." +
                      std::to_string(info.minor);
    if (info.lent) result.compiler += lent_words;

    std::string wanted = request.arch;
    if (wanted.empty() || wanted == "auto") wanted = arch_for_device(8, 0, request.backend);
    auto arch = parse_architecture(wanted);
    if (!arch || (!info.architectures.empty() && std::find(info.architectures.begin(), info.architectures.end(),
                                                           arch->number()) == info.architectures.end())) {
        result.diagnostics.push_back(error(result.compiler + " does not know the architecture \"" + request.arch + "\"",
                                           info.architectures.empty()
                                               ? std::vector<std::string>{}
                                               : std::vector<std::string>{"it knows " + list_of(info.architectures)}));
        result.kernels = parse_signatures(request.source);
        return result;
    }
    if (request.cubin || request.report) arch->real = true;
    if (request.lto_ir) arch->real = false;
    result.arch = arch->text();
    if (request.source.find('\0') != std::string::npos) {
        result.diagnostics.push_back(error("the source has a zero byte in it: it is no text"));
        return result;
    }

    Job job{request, *arch, request.name, request.source};
    // The name may have a folder of its own: dir/k.cu is k.cu in the folder dir.
    if (!request.folder.empty() && fs::path(request.name).is_relative())
        job.file = files::normal(fs::path(request.folder) / fs::path(request.name).filename()).string();
    if (!is_plain_name(job.file)) job.file = "source.cu"; // read_products() tells the real one
    if (request.extern_c) job.source = "extern \"C\" {\n#line 1\n" + request.source + "\n}\n";

    const IncludeScan includes = scan_includes(request.source, request.folder, request.options);
    if (!includes.problem.empty()) {
        result.diagnostics.push_back(error("a header cannot be read: " + includes.problem));
        result.kernels = parse_signatures(request.source);
        return result;
    }
    std::string key;
    if (request.use_cache && !cache_disabled() && includes.complete) key = cache_key(request, job, compiler, includes);
    if (!key.empty())
        if (auto entry = cache_load(key, request.cache_dir)) {
            result.cached = true;
            read_products(result, from_entry(std::move(*entry)), job);
            return result;
        }
    Products products = toolchain().compile(job);
    if (products.ok && !products.cancelled && !key.empty()) cache_store(key, to_entry(products), request.cache_dir);
    read_products(result, std::move(products), job);
    return result;
}

/// Folders with the headers of the toolkit.
std::vector<fs::path> toolkit_headers(const CompileRequest& request) {
    const CompilerInfo info = toolchain().identity(request.backend, request.nvcc).info;
    std::vector<fs::path> folders(info.include_dirs.begin(), info.include_dirs.end());
    if (request.backend == Backend::nvcc && info.found) {
        std::error_code problem;
        const fs::path toolkit = files::real_path(fs::path(info.path), problem).parent_path().parent_path();
        folders.push_back(toolkit / "include");
        folders.push_back(toolkit / "targets");
    }
    return folders;
}

/// Compiles only what reads no file that it must not. A message that quotes such a file all the same is withheld.
CompileResult compile_within_reach(const CompileRequest& request) {
    const auto toolkit = toolkit_headers(request);
    IncludeReach reach = check_includes(request, toolkit);
    CompileResult result;
    if (reach.refused.empty()) {
        result = compile_now(request);
        for (const Diagnostic& diagnostic : result.diagnostics)
            if (const fs::path file(diagnostic.file); !may_be_quoted(file, request, toolkit)) {
                reach.outside.push_back(file);
                reach.refused = {error("the source made the compiler read " + file.string() +
                                       ", which lies outside of the session's folder")};
            }
    }
    if (!reach.refused.empty()) {
        result = {};
        result.diagnostics = std::move(reach.refused);
        result.kernels = parse_signatures(request.source);
    }
    result.headers.assign(reach.headers.begin(), reach.headers.end());
    result.outside.assign(reach.outside.begin(), reach.outside.end());
    return result;
}

void keep_products(const CompileRequest& request, CompileResult& result) {
    fs::path folder;
    try {
        folder = files::make_kept_folder("kept");
    } catch (const files::Problem& problem) {
        std::printf("*** compiler output cannot be kept: %s\n", problem.what());
        return;
    }
    const auto write = [&](const char* name, const void* data, std::size_t size) {
        if (size == 0) return;
        std::ofstream(folder / name, std::ios::binary)
            .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    };
    write("kernel.cu", request.source.data(), request.source.size());
    write("kernel.ptx", result.ptx.data(), result.ptx.size());
    write("kernel.cubin", result.cubin.data(), result.cubin.size());
    write("kernel.ltoir", result.lto_ir.data(), result.lto_ir.size());
    write("command.txt", result.command.data(), result.command.size());
    write("log.txt", result.log.data(), result.log.size());
    result.kept = folder;
    std::printf("*** compiler output in %s\n", folder.string().c_str());
    std::fflush(stdout);
}

} // namespace

int Architecture::number() const { return std::atoi(suffix.c_str()); }

std::optional<Architecture> parse_architecture(std::string_view text) {
    Architecture result;
    if (text.starts_with("sm_"))
        result.real = true, text.remove_prefix(3);
    else if (text.starts_with("compute_"))
        text.remove_prefix(8);
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        bool digit = c >= '0' && c <= '9';
        if (c == '.' && i > 0 && i + 1 < text.size()) continue; // 9.0
        if (!digit && !(i + 1 == text.size() && i >= 2 && (c == 'a' || c == 'f'))) return {};
        result.suffix += c;
    }
    if (result.suffix.size() < 2 || result.suffix.size() > 4) return {};
    return result;
}

bool has_line_option(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option == "-G" || option == "--device-debug" || option == "-lineinfo" ||
               option == "--generate-line-info";
    });
}

CompilerInfo compiler_info(Backend backend) { return toolchain().identity(backend, "nvcc").info; }

std::string arch_for_device(int major, int minor, Backend backend) {
    return "compute_" + std::to_string(nearest_to(compiler_info(backend).architectures, major * 10 + minor));
}

CompileResult compile(const CompileRequest& request) {
    auto start = std::chrono::steady_clock::now();
    CompileResult result;
    try {
        result = request.may_read ? compile_within_reach(request) : compile_now(request);
    } catch (const std::exception& problem) { // no memory, no temporary folder
        result = {};
        result.diagnostics.push_back(error(problem.what()));
    }
    if (request.keep) keep_products(request, result);
    result.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace warplight::compiler
