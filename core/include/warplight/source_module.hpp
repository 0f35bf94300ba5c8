// SPDX-License-Identifier: Apache-2.0
/// SourceModule: CUDA C++ source, compiled and loaded into the current context.
/// DynamicModule: the same, from several sources, data and libraries that are linked.
#pragma once

#include "warplight/compiler.hpp"
#include "warplight/file_path.hpp"
#include "warplight/linker.hpp"
#include "warplight/module.hpp"
#include "warplight/nvcc.hpp"
#include "warplight/shared.hpp"
#include "warplight/texture.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

/// As the manual's keyword arguments.
struct SourceOptions {
    std::vector<std::string> options = {}; ///< of the compiler; none: DEFAULT_NVCC_FLAGS
    bool no_extern_c = false;              ///< else the source is wrapped in extern "C" { … }
    std::string arch = {};                 ///< empty: the current device's
    std::vector<FilePath> include_dirs = {};
    bool cache = true;
    Backend backend = Backend::nvrtc;
    std::string name = "kernel.cu"; ///< in messages
    FilePath folder = {};           ///< of the source's own #include "…"
    /// Instances of templates to make (NVRTC): get_function takes the same text.
    std::vector<std::string> name_expressions = {};
    std::string nvcc = "nvcc"; ///< another program, by its path, implies Backend::nvcc
    bool keep = false;         ///< source and products stay in a folder that a line on the standard output names
    /// What is loaded: sm_XY machine code of that architecture, compute_XY (or empty: of `arch`) PTX.
    std::string code = {};
    FilePath cache_dir = {}; ///< empty: cache_folder()
};

/// What modules made from source have in common: the functions of driver::Module, which they own.
class CudaModule {
public:
    /// By the name in the source; for a template by the name expression.
    driver::Function get_function(const std::string& name) const;
    driver::Global get_global(const std::string& name) const;
    /// Deprecated with CUDA 11.3; only hand-written PTX has them since CUDA 12.
    driver::TextureReference get_texref(const std::string& name) const;
    driver::SurfaceReference get_surfref(const std::string& name) const;
    /// @throws LogicError while there is none: DynamicModule before link().
    const driver::Module& module() const;

protected:
    CudaModule() = default;
    /// Takes the names of what was compiled.
    void add_names(const CompileResult& result);
    void bind_module(driver::Module module);

private:
    std::vector<LoweredName> lowered_; ///< names in the source, and in the module
    std::vector<Kernel> kernels_;      ///< what the sources say of their parameters
    Shared<driver::Module> module_;
};

class SourceModule : public CudaModule {
public:
    /// @throws CompileError when the source does not compile or there is no compiler, LogicError without a
    /// current context, and what module_from_buffer throws.
    explicit SourceModule(std::string source, const SourceOptions& options = {});

    const CompileResult& result() const noexcept { return result_; }

private:
    CompileResult result_;
};

struct DynamicOptions {
    Backend backend = Backend::nvrtc;
    std::string nvcc = "nvcc"; ///< another program, by its path, implies Backend::nvcc
    driver::JitOptions link_options = {};
    bool keep = false;
    bool no_extern_c = false;
    std::string arch = {}; ///< empty: the current device's
    FilePath cache_dir = {};
    bool cache = true;
    std::vector<FilePath> include_dirs = {};
    driver::MessageHandler message_handler = {};
    bool log_verbose = false;
    FilePath cuda_libdir = {}; ///< where add_stdlib() looks first
};

/// Sources, data and libraries that are linked to one module (CUDA 5.5, compute capability 3.5).
class DynamicModule : public CudaModule {
public:
    /// @throws LogicError without a current context, RuntimeError for an older device.
    explicit DynamicModule(DynamicOptions options = {});

    /// Compiles to PTX that refers to other inputs' symbols where you add -rdc=true to the options.
    /// @param options none: DEFAULT_NVCC_FLAGS. @throws CompileError, and as Linker::add_data
    DynamicModule& add_source(const std::string& source, const std::vector<std::string>& options = {},
                              const std::string& name = "kernel.ptx");
    DynamicModule& add_data(std::span<const std::byte> data, driver::jit_input_type type,
                            const std::string& name = "unknown");
    DynamicModule& add_data(std::string_view text, driver::jit_input_type type, const std::string& name = "unknown");
    DynamicModule& add_file(const FilePath& filename, driver::jit_input_type type);
    /// A library of the toolkit, "cudadevrt": from cuda_libdir, CUDA_ROOT, LD_LIBRARY_PATH, the system's folder, or
    /// beside nvcc. @throws FileError when it is in none of them.
    DynamicModule& add_stdlib(const std::string& libname);
    /// Links and loads. Nothing can be added afterwards.
    DynamicModule& link();

protected:
    DynamicOptions options_;

private:
    std::optional<driver::Linker> linker_;
};

/// One source with relocatable device code, linked with the device runtime: kernels may start kernels.
class DynamicSourceModule : public DynamicModule {
public:
    explicit DynamicSourceModule(const std::string& source, const std::vector<std::string>& options = {},
                                 DynamicOptions dynamic = {});
};

/// What a failed compilation throws: the first errors in the message, everything in stderr_text().
[[noreturn]] void throw_compile_error(const CompileResult& result);

} // namespace warplight::compiler
