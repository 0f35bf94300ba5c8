// SPDX-License-Identifier: Apache-2.0
// Which access of which thread a fault was. Optimised code tells it neither: LLVM moves and joins accesses, and a
// vector has many threads. So the block is run again, a thread after the other, by code that asks before each access.
// What that writes is of no matter: the context is lost.
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
    /// @param interrupt ends what the calling thread runs (InterruptibleThread); called by another thread
    FaultSearch(Function& function, const LaunchContext& launch, std::uint64_t block, std::byte* shared,
                std::function<void()> interrupt)
        : function_(function), launch_(launch), number_(block), shared_(shared), interrupt_(std::move(interrupt)) {}

    /// The first access that is `trap`. Nothing where it does not come again: the block may have read what it wrote.
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
