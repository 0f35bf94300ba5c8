// SPDX-License-Identifier: Apache-2.0
// PTX to host code, a kernel at a time.
#pragma once

#include "options.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/ptx/module.hpp"
#include "strategy.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::jit {

/// An instruction of a module, for reports of faults.
struct Site {
    ptx::FunctionId function = 0;
    std::uint32_t instruction = 0;
};

/// The addresses the loader gave to the module's .global and .const variables, by VariableId.
/// (.shared and unreached variables: 0.)
using VariableAddresses = std::vector<std::uint64_t>;

/// Places among the packed parameters.
struct SumPointers {
    struct Sum {
        std::uint64_t offset;
        unsigned bytes; ///< of a number
        bool in_loop;   ///< a thread may add often
        software::SumOperation operation;
    };
    std::vector<Sum> sums;             ///< of pointers to memory to which the kernel only adds
    std::vector<std::uint64_t> others; ///< of those to all other global memory that it accesses
};

class CompiledKernel {
public:
    virtual ~CompiledKernel() = default;
    using RunBlock = void (*)(software::BlockContext*);
    /// Creates the thread's coroutine, suspended at its start, and returns its handle. The handle's first word is the
    /// resume function, as in LLVM's switched-resume ABI: call resume(handle).
    using StartThread = void* (*)(software::ThreadContext*);

    /// Resumes the coroutines from `first` to `last`, `stride` bytes apart. All of them must be suspended.
    using RunRound = software::RoundEnd (*)(void* first, void* last, std::uint64_t stride,
                                            software::RoundControl* control);

    [[nodiscard]] virtual Mode mode() const = 0;                ///< loop or coroutine
    [[nodiscard]] virtual unsigned width() const = 0;           ///< lanes: threads of a coroutine or of a loop's round
    [[nodiscard]] virtual RunBlock run_block() const = 0;       ///< in loop mode
    [[nodiscard]] virtual StartThread start_thread() const = 0; ///< in coroutine mode
    [[nodiscard]] virtual RunRound run_round() const = 0;       ///< in coroutine mode
    /// The site whose code holds this address, if it is this kernel's code.
    [[nodiscard]] virtual std::optional<Site> site_at(const void* code_address) const = 0;
    /// Begin and end of its code.
    [[nodiscard]] virtual std::pair<const std::byte*, const std::byte*> code() const = 0;
    [[nodiscard]] virtual Site site(std::uint32_t number) const = 0; ///< of ThreadContext::site
    [[nodiscard]] virtual std::uint32_t sites() const = 0;           ///< all numbers of sites are below
    /// Offsets of pointers among the packed parameters. The kernel can write what they point at by non-temporal stores:
    /// LaunchContext::non_temporal has a bit for each.
    [[nodiscard]] virtual const std::vector<std::uint64_t>& non_temporal_pointers() const = 0;
    /// The offset of a pointer among the packed parameters: the kernel stores once to its memory, and may call
    /// wl_rt_hold_store() for it.
    [[nodiscard]] virtual std::optional<std::uint64_t> held_pointer() const = 0;
    /// For BlockContext::sums.
    [[nodiscard]] virtual const SumPointers& sum_pointers() const = 0;
    [[nodiscard]] virtual bool has_grid_stride_loops() const = 0;
    /// `together`: threads yield to each other (Wait::grid_stride). Neighbouring blocks should take turns as well then.
    [[nodiscard]] virtual GridStride grid_stride() const = 0;
    /// Little more than loads and stores. Non-temporal stores pay only beyond kCachedBytes then: below, the next launch
    /// finds the results in the caches.
    [[nodiscard]] virtual bool only_copies() const = 0;
    /// The code has x and y exchanged: it wants launch and block contexts that have so too.
    [[nodiscard]] virtual bool exchanges_axes() const = 0;
    /// In loop mode: how many threads of a row of the grid run_block() does best at once; BlockContext::joined tells
    /// how many blocks it is to do. 0: it does one.
    [[nodiscard]] virtual std::uint32_t joined_threads() const = 0;
    [[nodiscard]] virtual bool checks_accesses() const = 0; ///< needs LaunchContext::checks
    [[nodiscard]] virtual bool traces_accesses() const = 0; ///< too
    [[nodiscard]] virtual bool follows_values() const = 0;  ///< too, and LaunchContext::shadow_distance
    [[nodiscard]] virtual bool follows_waits() const = 0;   ///< too
    [[nodiscard]] virtual bool profiles() const = 0;        ///< needs BlockContext::profile
    /// Of code that is profiled, by number of a site: the site of its basic block's first instruction.
    [[nodiscard]] virtual const std::vector<std::uint32_t>& block_sites() const = 0;
    [[nodiscard]] virtual bool may_wait_for_blocks() const = 0; ///< of the same grid: they are to begin in order
    /// Lanes side by side meet in whole: all of them come to each barrier, and to each operation of their warp, which
    /// names all. So what is wrong with a meeting shows between the coroutines. Of several lanes.
    [[nodiscard]] virtual bool meets_whole() const = 0;
    [[nodiscard]] virtual bool from_cache() const = 0;
    [[nodiscard]] virtual bool is_quick() const = 0; ///< of Tier::quick
    [[nodiscard]] virtual std::size_t code_size() const = 0;
};

/// Why this instruction cannot be run here, or nothing. The loader asks for every instruction that a module holds,
/// so that what is not supported is a load error.
[[nodiscard]] std::optional<std::string> unsupported(const ptx::Module& module, const ptx::Function& function,
                                                     const ptx::Instruction& instruction);

/// The numbers of lanes that are neighbours in y (Options::along_y). Nothing where such lanes would gain nothing over
/// those in x, or somebody could tell the order of threads.
[[nodiscard]] std::optional<LaneCandidates> candidates_along_y(const ptx::Module& module, ptx::FunctionId kernel,
                                                               unsigned requested);

/// A name for some text, and for the code that this build of the compiler makes of it.
/// @param build differs between builds of the compiler
[[nodiscard]] std::string digest(std::string_view text, std::string_view build);

struct Compilation {
    Strategy strategy;
    std::unique_ptr<CompiledKernel> kernel; ///< null: `strategy` has fewer lanes than were asked for
};
/// Compiles one kernel with all it reaches. Thread-safe. Throws std::runtime_error when it cannot.
[[nodiscard]] Compilation compile(const ptx::Module& module, ptx::FunctionId kernel, const VariableAddresses& addresses,
                                  const Options& options);

} // namespace warplight::jit
