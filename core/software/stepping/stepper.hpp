// SPDX-License-Identifier: Apache-2.0
// Between the software device and a debugger in the same process. The device runs a launch in rounds: in a round lanes
// of one warp, which are at the same place, go on to their next line. Rounds come in the same order each time, so their
// number is a time that a debugger can come back to.
#pragma once

#include "software/jit/abi/abi.hpp"
#include "software/ptx/module.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warplight::software {

/// A block of a launch that stands still.
struct SteppedBlock {
    const BlockContext* context;
    std::uint64_t number;
    std::span<const ThreadContext> threads;
    std::span<StepFrame* const> frames; ///< by thread: the innermost call; null before its start
    StepWatch* watch;                   ///< writes there are told, Stepper::writes()
    std::uint64_t shared_bytes;
};

class SteppedLaunch {
public:
    SteppedLaunch() = default;
    virtual ~SteppedLaunch() = default;
    SteppedLaunch(const SteppedLaunch&) = delete;
    SteppedLaunch& operator=(const SteppedLaunch&) = delete;

    [[nodiscard]] virtual const ptx::Module& module() const = 0;
    [[nodiscard]] virtual ptx::FunctionId kernel() const = 0;
    [[nodiscard]] virtual const LaunchContext& context() const = 0;
    [[nodiscard]] virtual const ptx::SharedLayout& shared() const = 0;
    /// Addresses of the module's variables, by VariableId; 0: it has none.
    [[nodiscard]] virtual std::span<const std::uint64_t> variables() const = 0;
    [[nodiscard]] virtual std::uint32_t sites() const = 0;
    /// Function and instruction.
    [[nodiscard]] virtual std::pair<ptx::FunctionId, std::uint32_t> site(std::uint32_t number) const = 0;
    /// Why the launch cannot be run again from its inputs; empty: it can.
    [[nodiscard]] virtual std::string why_not_again() const = 0;
    /// Copies memory of kernels. False: there is none. From any thread, while the launch stands still.
    [[nodiscard]] virtual bool read(std::uint64_t address, void* to, std::size_t bytes) const = 0;
    [[nodiscard]] virtual bool write(std::uint64_t address, const void* from, std::size_t bytes) const = 0;
};

/// A debugger. The thread that runs the launch calls it, and stands still meanwhile.
class Stepper {
public:
    Stepper() = default;
    virtual ~Stepper() = default;
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    enum class Answer : std::uint8_t {
        go,
        again, ///< from the launch's inputs
        end,   ///< the launch fails as one that was cancelled
    };
    /// Before the first round, the first time and each time that the launch runs again.
    virtual void begins(const SteppedLaunch& launch) = 0;
    /// Before a round, if one is asked for.
    virtual Answer comes(const SteppedBlock& block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t site) = 0;
    /// Within a round.
    virtual void writes(const SteppedBlock& block, std::uint32_t thread, std::uint32_t site, std::uint64_t address,
                        std::uint32_t bytes) = 0;
    /// The launch has failed.
    virtual Answer fails(const SteppedBlock& block, std::uint32_t thread, std::uint32_t site,
                         const std::string& why) = 0;
    /// All blocks have run. `go`: the launch is over.
    virtual Answer ends() = 0;
    /// The launch is gone.
    virtual void leaves() = 0;

    // Which rounds it is asked for: from the one with this number on, all of them, and those at certain sites.
    std::uint64_t round = 0; ///< counted by the device, from 1
    std::uint64_t from_round = UINT64_MAX;
    std::atomic<bool> each_round = false; ///< from any thread
    std::vector<std::uint8_t> at_sites;   ///< by number of the site; as many as the launch has
};

} // namespace warplight::software
