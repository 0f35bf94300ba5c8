// SPDX-License-Identifier: Apache-2.0
/// SourceModule: CUDA C++ source, compiled and loaded into the current context.
#pragma once

#include "warplight/compiler.hpp"
#include "warplight/module.hpp"
#include "warplight/texture.hpp"

#include <memory>

namespace warplight::compiler {

/// As the manual's keyword arguments.
struct SourceOptions {
    std::vector<std::string> options = {}; ///< of the compiler
    bool no_extern_c = false;              ///< else the source is wrapped in extern "C" { … }
    std::string arch = {};                 ///< empty: the current device's
    std::vector<std::filesystem::path> include_dirs = {};
    bool cache = true;
    Backend backend = Backend::nvrtc;
    std::string name = "kernel.cu";    ///< in messages
    std::filesystem::path folder = {}; ///< of the source's own #include "…"
    /// Instances of templates to make (NVRTC): get_function takes the same text.
    std::vector<std::string> name_expressions = {};
};

/// Same functions as driver::Module, which it owns.
class SourceModule {
public:
    /// @throws CompileError when the source does not compile or there is no compiler, LogicError without a
    /// current context, and what module_from_buffer throws.
    explicit SourceModule(std::string source, const SourceOptions& options = {});

    /// By the name in the source; for a template by the name expression.
    driver::Function get_function(const std::string& name) const;
    driver::Global get_global(const std::string& name) const;
    driver::TextureReference get_texref(const std::string& name) const;
    driver::SurfaceReference get_surfref(const std::string& name) const;

    const driver::Module& module() const noexcept { return *module_; }
    const CompileResult& result() const noexcept { return result_; }

private:
    CompileResult result_;
    std::shared_ptr<driver::Module> module_;
};

/// What a failed compilation throws: the first errors in the message, everything in stderr_text().
[[noreturn]] void throw_compile_error(const CompileResult& result);

} // namespace warplight::compiler
