// SPDX-License-Identifier: Apache-2.0
#include "warplight/nvcc.hpp"

#include "compiler/cache.hpp"
#include "compiler/nvcc_command.hpp"
#include "compiler/sha256.hpp"
#include "compiler/temporary_folder.hpp"
#include "compiler/toolkit.hpp"
#include "warplight/context.hpp"
#include "warplight/debugging.hpp"
#include "warplight/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> words(const char* text) {
    std::vector<std::string> result;
    std::istringstream in(text ? text : "");
    for (std::string word; in >> word;)
        result.push_back(word);
    return result;
}

fs::path require_nvcc(const std::string& nvcc) {
    fs::path path = find_nvcc_program(nvcc);
    if (path.empty()) throw RuntimeError({.text = nvcc + " was not found", .hint = install_hint(Wanted::nvcc)});
    return path;
}

std::string run(const NvccCommand& command, const std::string& what, const fs::path& working = {}) {
    const platform::ProcessResult result = command.run({}, working);
    if (!result.started)
        throw RuntimeError({.text = "\"" + command.line() + "\" could not be started: " + result.output,
                            .hint = install_hint(Wanted::nvcc)});
    std::string output = command.with_own_names(result.output);
    if (result.exit_code != 0) throw CompileError(what + " failed", command.line(), "", output);
    return output;
}

std::vector<std::byte> to_bytes(const std::string& text) {
    std::vector<std::byte> bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

} // namespace

std::vector<std::string> DEFAULT_NVCC_FLAGS = words(std::getenv("WARPLIGHT_DEFAULT_NVCC_FLAGS"));

const std::string& get_nvcc_version(const std::string& nvcc) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    const std::scoped_lock lock(mutex);
    if (const auto found = known.find(nvcc); found != known.end()) return found->second;
    NvccCommand command(require_nvcc(nvcc), {});
    command.add("--version");
    return known[nvcc] = run(command, "nvcc --version");
}

std::string preprocess_source(std::string_view source, const std::vector<std::string>& options,
                              const std::string& nvcc) {
    const TemporaryFolder folder;
    const fs::path input = folder.path / "source.cu", output = folder.path / "source.ii";
    NvccCommand command(require_nvcc(nvcc), folder.path);
    command.add("--preprocess");
    command.add_options(options);
    for (const std::string& word : {input.string(), std::string("-o"), output.string()})
        command.add(word);
#if !defined(_WIN32)
    command.add("--compiler-options");
    command.add("-P"); // no line markers: they name the folder
#endif
    write_whole_file(input, command.definitions() + std::string(source));
    run(command, "nvcc preprocessing of the source");
    std::string text = read_whole_file(output);
    if (text.size() * 2 < source.size())
        throw CompileError("nvcc preprocessing of the source gave less than half of it", command.line(), "", text);
    return text;
}

std::vector<std::byte> compile_plain(std::string_view source, const std::vector<std::string>& options, bool keep,
                                     const std::string& nvcc, const CacheDir& cache_dir, const std::string& target) {
    if (target != "cubin" && target != "ptx" && target != "fatbin")
        driver::throw_logic_error("nvcc makes no " + target + " here", {}, "The targets are cubin, ptx and fatbin");
    const fs::path program = require_nvcc(nvcc);
    std::string key;
    if (cache_dir.use && !cache_disabled()) {
        Sha256 digest;
        digest.field("warplight nvcc 1");
        digest.field(get_nvcc_version(nvcc));
        digest.field(target);
        digest.field(std::to_string(options.size()));
        for (const std::string& option : options)
            digest.field(option);
        // The key covers the headers too, because the preprocessor has read them.
        const bool includes = source.find("#include") != std::string_view::npos;
        digest.field(includes ? preprocess_source(source, options, nvcc) : std::string(source));
        key = digest.hex();
        if (auto entry = cache_load(key, cache_dir.folder); entry && entry->contains("product"))
            return to_bytes((*entry)["product"]);
    }
    std::optional<TemporaryFolder> temporary;
    const fs::path folder = keep ? files::make_kept_folder("nvcc") : temporary.emplace().path;
    const fs::path input = folder / "kernel.cu", output = folder / ("kernel." + target);
    NvccCommand command(program, folder);
    command.add("--" + target);
    command.add_options(options);
    if (keep) command.add("--keep");
    for (const std::string& word : {input.string(), std::string("-o"), output.string()})
        command.add(word);
    write_whole_file(input, command.definitions() + std::string(source));
    if (keep) {
        std::printf("*** compiler output in %s\n", folder.string().c_str());
        std::fflush(stdout);
    }
    run(command, "nvcc compilation of " + input.string(), folder);
    const std::string product = read_whole_file(output);
    if (product.empty()) throw CompileError("nvcc made nothing", command.line(), "", "");
    if (!key.empty()) cache_store(key, {{"product", product}}, cache_dir.folder);
    return to_bytes(product);
}

std::vector<std::byte> compile(const std::string& source, const NvccOptions& options) {
    std::vector<std::string> all = options.options.value_or(DEFAULT_NVCC_FLAGS);
    bool keep = options.keep;
    CacheDir cache_dir = options.cache_dir;
    if (driver::CUDA_DEBUGGING) {
        all.insert(all.end(), {"-g", "-G"});
        keep = true;
        cache_dir.use = false;
    }
    std::string arch = options.arch;
    if (arch.empty()) {
        const driver::ContextRef context = driver::Context::get_current();
        if (!context)
            driver::throw_logic_error("compile() needs an architecture or a current context", {},
                                      "Set .arch, or make a context with Device::make_context");
        const auto [major, minor] = context.get_device().compute_capability();
        arch = "sm_" + std::to_string(major) + std::to_string(minor);
    }
    all.push_back("-arch");
    all.push_back(arch);
    if (!options.code.empty()) {
        all.push_back("-code");
        all.push_back(options.code);
    }
    for (const FilePath& folder : options.include_dirs)
        all.push_back("-I" + folder.string());
    return compile_plain(options.no_extern_c ? source : "extern \"C\" {\n" + source + "\n}\n", all, keep, options.nvcc,
                         cache_dir, options.target);
}

} // namespace warplight::compiler
