// SPDX-License-Identifier: Apache-2.0
// The checks of one launch: decides about accesses that failed the test in the kernel's code, and tells what is wrong
// with them.
#pragma once

#include "findings/finding.hpp"
#include "module.hpp"
#include "software/jit/abi/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplight::software {

class LaunchChecks {
public:
    /// All of them outlive this. `launch` is complete but for what this gives it.
    /// @param parameter_bytes of the packed parameters
    /// @param shared_bytes of a block
    LaunchChecks(const Function& function, const jit::CompiledKernel& kernel, const LaunchContext& launch,
                 std::uint64_t parameter_bytes, std::uint64_t shared_bytes);
    LaunchChecks(const LaunchChecks&) = delete;
    LaunchChecks& operator=(const LaunchChecks&) = delete;

    [[nodiscard]] const CheckedRange* parameter_ranges() const { return parameter_ranges_.data(); }
    /// For BlockContext::found_ranges of a worker.
    [[nodiscard]] std::vector<CheckedRange> found_ranges() const;

    struct Accesses {
        std::uint32_t linear; ///< thread of the first lane
        std::uint32_t active;
        const std::uint64_t* addresses;
        CheckedRange meant;
        std::uint64_t step;
        std::uint32_t site;
        CheckedAccess what;
    };
    /// The lanes that may make the access. Findings of the others are kept (checks::Collector).
    [[nodiscard]] std::uint32_t allowed(BlockContext& block, const Accesses& accesses);

private:
    struct One; ///< an access of one thread

    enum class Problem : std::uint32_t { outside, misaligned, read_only };
    [[nodiscard]] std::optional<Problem> problem_of(const BlockContext& block, const One& access,
                                                    CheckedRange& found) const;
    [[nodiscard]] std::optional<Problem> problem_in_shared(const One& access, CheckedRange& found) const;
    [[nodiscard]] std::optional<Problem> problem_anywhere(const BlockContext& block, const One& access,
                                                          CheckedRange& found) const;
    [[nodiscard]] bool is_of_launch(const BlockContext& block, const One& access) const;
    /// The shared variable, or the dynamic memory, that holds an offset.
    [[nodiscard]] CheckedRange shared_variable_at(std::uint32_t offset) const;
    void keep(const BlockContext& block, const One& access, Problem problem) const;
    [[nodiscard]] std::string describe(const One& access, Problem problem, findings::Finding& finding) const;
    void describe_variable(const One& access, findings::Finding& finding) const;

    const Function& function_;
    const jit::CompiledKernel& kernel_;
    const LaunchContext& launch_;
    const std::uint64_t parameter_bytes_, shared_bytes_;
    const std::uint64_t number_; ///< of launches that were checked
    std::vector<CheckedRange> parameter_ranges_;
};

} // namespace warplight::software
