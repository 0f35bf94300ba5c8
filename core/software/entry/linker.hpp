// SPDX-License-Identifier: Apache-2.0
// The linker: every input is PTX, found in text, in fat binaries, or in the objects and libraries of nvcc.
#pragma once

#include "jit_options.hpp"

#include "../ptx/module.hpp"

#include <string>
#include <vector>

namespace warplight::software {

/// The linker of cuLinkCreate and nvJitLinkCreate. Throws Failure.
class Linker {
public:
    explicit Linker(JitOptions options) : options_(options) {}

    void add(CUjitInputType type, std::string bytes, const std::string& name);
    /// The linked image, as cuModuleLoadData takes it. Of no input it is empty, and loads as well.
    const std::string& complete();

    [[nodiscard]] const LoadLog& log() const { return log_; }

private:
    struct Input {
        std::string text;
        std::string name;
        ptx::Module parsed;
    };

    Input parse(std::string text, const std::string& name);
    [[nodiscard]] ptx::Module linked();
    /// A second definition is refused at once.
    void take(Input input);
    /// Adds the members of libraries that define something missing.
    bool pull(const std::vector<std::string>& missing);
    void check(const std::vector<std::string>& missing);
    /// So that the linker is of no use any more; else an input that is refused is as if it had not been added.
    [[noreturn]] void fail_for_good(CUresult code, std::string message);
    [[noreturn]] void fail_with(CUresult code, std::string message);

    JitOptions options_;
    LoadLog log_;
    std::vector<Input> inputs_, members_;
    std::string image_;
    bool completed_ = false;
    bool has_grid_groups_ = false; ///< kGridGroups is among the inputs
    CUresult failed_ = CUDA_SUCCESS;
};

} // namespace warplight::software
