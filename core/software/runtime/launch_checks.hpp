// SPDX-License-Identifier: Apache-2.0
// The checks of one launch: decides about accesses that failed the test in the kernel's code, and tells what is wrong
// with them.
#pragma once

#include "arithmetic_checks.hpp"
#include "checked_heap.hpp"
#include "checked_launch.hpp"
#include "findings/finding.hpp"
#include "init_checks.hpp"
#include "meetings.hpp"
#include "module.hpp"
#include "race_checks.hpp"
#include "software/jit/abi/abi.hpp"
#include "sync_checks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace warplight::software {

/// What is wrong with a texture or surface.
struct ImageProblem {
    std::string message{};
    std::uint64_t address = 0, bytes = 0; ///< of the memory that was meant, if it is known
    std::string allocation{};
};

class LaunchChecks {
public:
    /// All of them outlive this. `launch` is complete but for what this gives it.
    /// @param parameter_bytes of the packed parameters
    /// @param shared_bytes of a block
    LaunchChecks(Context& context, findings::Checks checks, const Function& function, const jit::CompiledKernel& kernel,
                 const LaunchContext& launch, std::uint64_t parameter_bytes, std::uint64_t shared_bytes);
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
        const std::uint32_t* counts; ///< of bytes; null: as `what` tells
    };
    /// The lanes that may make the access. Findings of the others are kept (checks::Collector).
    [[nodiscard]] std::uint32_t allowed(BlockContext& block, const Accesses& accesses);

    /// Tells of a texture or surface that lanes access wrongly. False: the check of memory was not asked for.
    [[nodiscard]] bool tell_image(const BlockContext& block, std::uint32_t linear, std::uint32_t active,
                                  std::uint32_t site, const char* access, const ImageProblem& problem) const;

    // --- the heap of kernels
    /// malloc(): 0 when the heap is full.
    [[nodiscard]] std::uint64_t allocate(const BlockContext& block, Caller caller, std::uint64_t size);
    /// free(). False: the address is no block's, and that is a fault, because the check of memory was not asked for.
    [[nodiscard]] bool release(const BlockContext& block, Caller caller, std::uint64_t address);

    /// Null where meetings are not checked.
    [[nodiscard]] MeetingObserver* meetings() { return meetings_.any() ? &meetings_ : nullptr; }
    [[nodiscard]] SyncChecks& sync() { return sync_; }
    [[nodiscard]] const ArithmeticChecks& arithmetic() const { return arithmetic_; }
    /// Null where values are not followed.
    [[nodiscard]] InitChecks* values() { return values_ ? &*values_ : nullptr; }
    /// Null where races are not looked for. Then one worker runs all blocks.
    [[nodiscard]] RaceChecks* races() { return races_ ? &*races_ : nullptr; }

private:
    struct One {               ///< an access of one thread
        std::uint64_t address; ///< generic
        std::uint32_t thread;
        CheckedRange meant; ///< generic, in shared memory offsets
        std::uint32_t site;
        CheckedAccess what;
        std::uint64_t bytes;
        std::uint32_t offset = 0; ///< in shared memory
        std::uint32_t rank = 0;   ///< of the block of the cluster that has it
    };

    enum class Problem : std::uint32_t { outside, misaligned, read_only, of_heap, no_block, has_ended };
    [[nodiscard]] static bool reads_freed(const One& access);
    [[nodiscard]] std::optional<Problem> problem_of(const BlockContext& block, One& access, CheckedRange& found) const;
    [[nodiscard]] std::optional<Problem> problem_in_shared(const BlockContext& block, const One& access,
                                                           CheckedRange& found) const;
    [[nodiscard]] std::optional<Problem> problem_anywhere(const BlockContext& block, One& access,
                                                          CheckedRange& found) const;
    /// Finds the block of the cluster and the offset that an address of shared memory means.
    /// @param word from the start of the first block's
    void find_in_cluster(const BlockContext& block, std::uint64_t word, One& access) const;
    [[nodiscard]] std::string describe_of_cluster(const BlockContext& block, const One& access, Problem problem,
                                                  const std::string& what) const;
    [[nodiscard]] bool is_of_launch(const BlockContext& block, const One& access) const;
    /// The shared variable, or the dynamic memory, that holds an offset.
    [[nodiscard]] CheckedRange shared_variable_at(std::uint32_t offset) const;
    /// "12 bytes past the end of WHAT"
    [[nodiscard]] static std::string outside_of(std::int64_t offset, std::uint64_t bytes, std::uint64_t size,
                                                const std::string& what);
    void keep(const BlockContext& block, const One& access, Problem problem) const;
    [[nodiscard]] std::string describe(const BlockContext& block, const One& access, Problem problem,
                                       findings::Finding& finding) const;
    [[nodiscard]] const char* alignment_advice(const One& access) const;
    void describe_variable(const One& access, findings::Finding& finding) const;

    [[nodiscard]] HeapCall heap_call(const BlockContext& block, Caller caller, const char* access);
    void keep_wrong_free(const BlockContext& block, Caller caller, std::uint64_t address) const;
    [[nodiscard]] std::string describe_heap(const One& access, const std::string& what,
                                            findings::Finding& finding) const;

    Context& context_;
    const findings::Checks checks_;
    const CheckedLaunch checked_;
    const Function& function_;
    const jit::CompiledKernel& kernel_;
    const LaunchContext& launch_;
    const std::uint64_t parameter_bytes_, shared_bytes_;
    const ArithmeticChecks arithmetic_;
    SyncChecks sync_;
    std::optional<InitChecks> values_;
    std::optional<RaceChecks> races_;
    Meetings meetings_;
    std::vector<CheckedRange> parameter_ranges_;
    std::mutex places_mutex_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const findings::Event>> places_; ///< of calls, by site
};

/// Null where nothing is checked, and while a fault is looked for.
[[nodiscard]] LaunchChecks* checks_of(const BlockContext& block);

} // namespace warplight::software
