// SPDX-License-Identifier: Apache-2.0
// Finds the access and the thread of a fault. Optimised code tells neither: LLVM moves and joins accesses, and a vector
// has many threads. So the block is run again, one thread after the other, by code that asks before each access. The
// run may write anything, for the context is lost.
#pragma once

#include "access_watch.hpp"
#include "module.hpp"
#include "trap.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace warplight::software {

struct FoundFault {
    Trap trap;
    std::uint32_t thread = 0; ///< of the block
    std::optional<jit::Site> site;
};

class FaultSearch {
public:
    /// @param shared the shared memory that the block had: addresses there are compared too
    /// @param interrupt ends the code that the searching thread runs (InterruptibleThread); another thread calls it
    FaultSearch(Function& function, const LaunchContext& launch, std::uint64_t block, std::byte* shared,
                std::function<void()> interrupt)
        : function_(function), launch_(launch), number_(block), shared_(shared), interrupt_(std::move(interrupt)) {}

    /// The first access with the fault of `trap`. Nothing where it does not come again, as in blocks that read data
    /// that they wrote.
    [[nodiscard]] std::optional<FoundFault> find(const Trap& trap) const;

private:
    struct Run {
        std::optional<FoundFault> hit;
        std::optional<Access> first; ///< that could not be done, whether it is the fault or not
    };
    [[nodiscard]] Run run(const jit::CompiledKernel& exact, const Trap& trap) const;
    [[nodiscard]] FoundFault found(const jit::CompiledKernel& exact, const Trap& trap, const Access& access) const;

    Function& function_;
    const LaunchContext& launch_;
    std::uint64_t number_;
    std::byte* shared_;
    std::function<void()> interrupt_;
};

} // namespace warplight::software
