// SPDX-License-Identifier: Apache-2.0
// PTX to host code, a kernel at a time.
#pragma once

#include "software/jit/abi/abi.hpp"
#include "software/ptx/module.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::jit {

/// How threads of a kernel are run.
enum class Mode : std::uint8_t {
    automatic, ///< loop where nothing waits, else coroutine
    loop,      ///< a plain loop over the block's threads; only for kernels in which nothing waits
    coroutine, ///< every thread a coroutine: always right; also finds the thread that faulted
};

struct Options {
    Mode mode = Mode::automatic;
    /// Threads side by side, one a lane of a vector: for blocks whose extent in x is a multiple of it.
    unsigned width = 1;
    bool wherever = false; ///< side by side even where nothing is gained
    /// Every access asks the runtime first (wl_rt_access), in the order of the program: to find out which one faults.
    bool asks_first = false;
    std::string* why_not = nullptr; ///< gets the reason where compile() gives none for a width over 1
    std::string cache_directory;    ///< empty: no object cache
    std::string source;             ///< digest() of the module's text, by which the cache knows it; empty: no cache
    std::uint32_t compute_capability = 80;
};

/// An instruction of a module: what a fault is reported at.
struct Site {
    ptx::FunctionId function = 0;
    std::uint32_t instruction = 0;
};

/// The addresses the loader gave to the module's .global and .const variables, by VariableId.
/// (.shared and unreached variables: 0.)
using VariableAddresses = std::vector<std::uint64_t>;

class CompiledKernel {
public:
    virtual ~CompiledKernel() = default;
    using RunBlock = void (*)(software::BlockContext*);
    /// Creates the thread's coroutine (suspended at its start) and returns its handle. The handle's first word is
    /// the resume function, as LLVM's switched-resume ABI has it: call resume(handle).
    using StartThread = void* (*)(software::ThreadContext*);

    /// Lets the coroutines go on that lie from `first` to `last`, `stride` bytes apart, and counts `number` up from one
    /// to the next. All of them must be waiting.
    using RunRound = void (*)(void* first, void* last, std::uint64_t stride, std::uint32_t* number);

    [[nodiscard]] virtual Mode mode() const = 0;                ///< loop or coroutine
    [[nodiscard]] virtual unsigned width() const = 0;           ///< threads that a coroutine or a turn of the loop runs
    [[nodiscard]] virtual RunBlock run_block() const = 0;       ///< in loop mode
    [[nodiscard]] virtual StartThread start_thread() const = 0; ///< in coroutine mode
    [[nodiscard]] virtual RunRound run_round() const = 0;       ///< in coroutine mode
    /// The site whose code holds this address, if it is this kernel's code.
    [[nodiscard]] virtual std::optional<Site> site_at(const void* code_address) const = 0;
    /// Where its code lies: begin and end.
    [[nodiscard]] virtual std::pair<const std::byte*, const std::byte*> code() const = 0;
    [[nodiscard]] virtual Site site(std::uint32_t number) const = 0; ///< of ThreadContext::site
    /// Pointers among the packed parameters, by offset, of LaunchContext::streamed.
    [[nodiscard]] virtual const std::vector<std::uint64_t>& streams() const = 0;
    /// Goes through memory in loops, a long way a turn: as coroutines its threads do so together.
    [[nodiscard]] virtual bool strides() const = 0;
    /// Threads give way to each other to stay close in memory (Wait::turn); neighbouring blocks had better do as well.
    [[nodiscard]] virtual bool takes_turns() const = 0;
    /// Does little more than that: what it writes past the caches it had better not find there the next time.
    [[nodiscard]] virtual bool moves_memory() const = 0;
    [[nodiscard]] virtual bool may_wait_for_blocks() const = 0; ///< of the same grid: they are to begin in order
    [[nodiscard]] virtual bool from_cache() const = 0;
    [[nodiscard]] virtual std::size_t code_size() const = 0;
};

struct CompileFailure {
    std::string message;
};

/// Why this instruction cannot be run here, or nothing. The loader asks for every instruction that a module holds,
/// so that what is not supported is a load error.
[[nodiscard]] std::optional<std::string> unsupported(const ptx::Module& module, const ptx::Function& function,
                                                     const ptx::Instruction& instruction);

/// As many threads as fill a vector of this machine with 32 bits each.
[[nodiscard]] unsigned host_width();
/// Whether the host has masks for vectors of everything, and accesses that are scattered. Others have no scattered
/// accesses under a mask, nor any of small elements: LLVM would look at each lane's bit and branch.
[[nodiscard]] bool host_masks_anything();
/// Whether the host calculates with vectors of halves.
[[nodiscard]] bool host_has_halves();

/// Threads of a kernel to run side by side.
struct LaneChoice {
    unsigned most = 1, least = 1; ///< powers of two
    /// The most for blocks of that extent in x; 1: a thread at a time.
    [[nodiscard]] unsigned of(unsigned extent) const {
        for (unsigned width = most; width >= least && width > 1; width /= 2)
            if (extent % width == 0) return width;
        return 1;
    }
};
/// @param given that many, or 0 for what is fastest. Kernels with operations of warps have whole warps.
[[nodiscard]] LaneChoice lanes_for(const ptx::Function& kernel, unsigned given);

/// A name for some text, and for what this build of the compiler makes of it.
/// @param build what changes whenever the compiler does
[[nodiscard]] std::string digest(std::string_view text, std::string_view build);

/// Compiles one kernel with all it reaches. Thread-safe. Throws std::runtime_error when it cannot.
/// Null when options.width is more than 1 and the kernel cannot run so, or gains nothing.
[[nodiscard]] std::unique_ptr<CompiledKernel> compile(const ptx::Module& module, ptx::FunctionId kernel,
                                                      const VariableAddresses& addresses, const Options& options);

} // namespace warplight::jit
