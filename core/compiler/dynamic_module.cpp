// SPDX-License-Identifier: Apache-2.0
#include "compiler/platform.hpp"
#include "compiler/source_request.hpp"
#include "compiler/toolkit.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"

#include <cstdlib>
#include <sstream>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

/// Where a library of the toolkit may be, in the manual's order.
std::vector<fs::path> library_folders(const DynamicOptions& options) {
    std::vector<fs::path> folders;
    if (!options.cuda_libdir.empty()) folders.push_back(options.cuda_libdir);
    if (const char* root = std::getenv("CUDA_ROOT"); root && *root)
        for (const std::string& below : platform::library_subfolders())
            folders.push_back(fs::path(root) / below);
#if defined(_WIN32)
    constexpr char kSeparator = ';';
    const char* path = std::getenv("PATH");
#else
    constexpr char kSeparator = ':';
    const char* path = std::getenv("LD_LIBRARY_PATH");
#endif
    std::istringstream entries(path ? path : "");
    for (std::string entry; std::getline(entries, entry, kSeparator);)
        if (!entry.empty()) folders.emplace_back(entry);
#if !defined(_WIN32)
    for (const char* system : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
        folders.emplace_back(system);
#endif
    const fs::path nvcc = find_nvcc_program(options.nvcc);
    if (!nvcc.empty())
        for (const std::string& below : platform::library_subfolders())
            folders.push_back(nvcc.parent_path().parent_path() / below);
    return folders;
}

driver::Linker make_linker(const DynamicOptions& options) {
    const driver::ContextRef context = driver::Context::get_current();
    if (!context)
        driver::throw_logic_error("DynamicModule needs a current context", {}, "make one with Device::make_context");
    const auto [major, minor] = context.get_device().compute_capability();
    if (major < 3 || (major == 3 && minor < 5))
        throw RuntimeError({.text = "linking device code needs compute capability 3.5, the device has " +
                                    std::to_string(major) + "." + std::to_string(minor)});
    return driver::Linker(options.message_handler, options.link_options, options.log_verbose);
}

driver::Linker& open(std::optional<driver::Linker>& linker) {
    if (!linker) driver::throw_logic_error("the module is linked already: nothing can be added to it");
    return *linker;
}

} // namespace

DynamicModule::DynamicModule(DynamicOptions options) : options_(std::move(options)), linker_(make_linker(options_)) {}

DynamicModule& DynamicModule::add_source(const std::string& source, const std::vector<std::string>& options,
                                         const std::string& name) {
    driver::Linker& linker = open(linker_);
    CompileRequest request = make_request(source, options_, options);
    request.name = name;
    const CompileResult result = compile(request);
    if (!result.ok) throw_compile_error(result);
    add_names(result);
    linker.add_data(std::string_view(result.ptx), driver::jit_input_type::PTX, name);
    return *this;
}

DynamicModule& DynamicModule::add_data(std::span<const std::byte> data, driver::jit_input_type type,
                                       const std::string& name) {
    open(linker_).add_data(data, type, name);
    return *this;
}

DynamicModule& DynamicModule::add_data(std::string_view text, driver::jit_input_type type, const std::string& name) {
    open(linker_).add_data(text, type, name);
    return *this;
}

DynamicModule& DynamicModule::add_file(const FilePath& filename, driver::jit_input_type type) {
    open(linker_).add_file(filename, type);
    return *this;
}

DynamicModule& DynamicModule::add_stdlib(const std::string& libname) {
    driver::Linker& linker = open(linker_);
#if defined(_WIN32)
    const std::string file = libname + ".lib";
#else
    const std::string file = "lib" + libname + ".a";
#endif
    for (const fs::path& folder : library_folders(options_)) {
        std::error_code ignored;
        if (!fs::is_regular_file(folder / file, ignored)) continue;
        linker.add_file(folder / file, driver::jit_input_type::LIBRARY);
        return *this;
    }
    throw FileError(file, "is in none of the folders of the toolkit's libraries",
                    "Set .cuda_libdir or CUDA_ROOT to where the CUDA toolkit is");
}

DynamicModule& DynamicModule::link() {
    open(linker_);
    driver::Linker linker = std::move(*linker_);
    linker_.reset();
    bind_module(linker.link_module());
    return *this;
}

DynamicSourceModule::DynamicSourceModule(const std::string& source, const std::vector<std::string>& options,
                                         DynamicOptions dynamic)
    : DynamicModule(std::move(dynamic)) {
    std::vector<std::string> all = options.empty() ? DEFAULT_NVCC_FLAGS : options;
    all.emplace_back("-rdc=true");
    add_source(source, all);
    add_stdlib("cudadevrt");
    link();
}

} // namespace warplight::compiler
