// SPDX-License-Identifier: Apache-2.0
// Stores of elements that follow one another in each lane, while the lanes are far apart. Example, a thread that sums
// up a row:
//
//     sum += in[t * n + k];     out[t * n + k] = sum;      t: the lane
//     sum += in[t * n + k + 1]; out[t * n + k + 1] = sum;  …
//
// The last of them stores 16 bytes of each lane at once, for each piece of so many. Loads between the stores are done
// before them. Where these may read what the run stores, the running code compares the addresses first.
#pragma once

#include "lane_groups.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace warplight::jit {

class LaneAccess;

class RowRun {
public:
    /// The run that begins with a load or store for all lanes. Nothing where its stores would be no pieces.
    /// @param end behind the block's last instruction
    [[nodiscard]] static std::optional<RowRun> find(Emitter& e, std::uint32_t begin, std::uint32_t end);
    /// Behind its last store.
    [[nodiscard]] std::uint32_t end() const { return end_; }
    /// @param one emits an instruction that is no store of the run
    /// @param plainly emits an instruction as if it were in no run
    void emit(Emitter& e, llvm::function_ref<void(std::uint32_t)> one,
              llvm::function_ref<void(std::uint32_t)> plainly) const;

private:
    struct Element {
        std::uint32_t at; ///< the store
        unsigned index;   ///< among the elements that it stores
    };
    /// A load that comes behind a store of the run.
    struct Crossing {
        ptx::RegisterId base = 0;
        std::int64_t lowest = 0, highest = 0; ///< distances of the run's address from the load's at which they meet
        bool may_be_same = true;              ///< not so where the two addresses are the same
    };

    bool add(Emitter& e, std::uint32_t at);
    bool add_store(Emitter& e, std::uint32_t at);
    bool add_load(const Emitter& e, const ptx::Instruction& i);
    bool add_base(const Emitter& e, ptx::RegisterId base, std::uint32_t at);
    [[nodiscard]] bool is_whole() const;
    llvm::Value* meets(Emitter& e, llvm::function_ref<void(std::uint32_t)> one) const;
    void emit_rows(Emitter& e, llvm::function_ref<void(std::uint32_t)> one) const;
    void store(Emitter& e, const std::map<std::int64_t, llvm::Value*>& values) const;

    std::uint32_t begin_ = 0, end_ = 0;
    std::uint32_t last_store_ = 0;
    unsigned bytes_ = 0; ///< of an element
    ptx::RegisterId base_ = 0;
    std::map<std::int64_t, Element> elements_; ///< by distance from the base
    std::vector<Crossing> crossings_;
    std::vector<std::uint32_t> early_; ///< they make addresses, from what is known where the run begins
};

} // namespace warplight::jit
