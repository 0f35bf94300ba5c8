// SPDX-License-Identifier: Apache-2.0
// A kernel's basic blocks, where the ways from each come together again, and what is still read where.
#pragma once

#include "lanes.hpp"

#include <bit>

namespace warplight::jit {

/// Registers, a bit each.
class RegisterSet {
public:
    explicit RegisterSet(std::size_t registers = 0) : words_((registers + 63) / 64) {}
    [[nodiscard]] bool contains(ptx::RegisterId r) const { return (words_[r / 64] >> r % 64 & 1) != 0; }
    void insert(ptx::RegisterId r) { words_[r / 64] |= std::uint64_t{1} << r % 64; }
    /// Whether anything was new.
    bool insert(const RegisterSet& others) {
        std::uint64_t added = 0;
        for (std::size_t k = 0; k < words_.size(); ++k) {
            added |= others.words_[k] & ~words_[k];
            words_[k] |= others.words_[k];
        }
        return added != 0;
    }
    void remove(const RegisterSet& others) {
        for (std::size_t k = 0; k < words_.size(); ++k)
            words_[k] &= ~others.words_[k];
    }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t k = 0; k < words_.size(); ++k)
            for (std::uint64_t left = words_[k]; left; left &= left - 1)
                visit(static_cast<ptx::RegisterId>(64 * k) + static_cast<ptx::RegisterId>(std::countr_zero(left)));
    }

private:
    std::vector<std::uint64_t> words_;
};

struct LaneFlow {
    std::vector<LaneBlock> blocks;       ///< begin, end and successors
    std::vector<std::uint32_t> block_of; ///< by instruction
    /// By block: its immediate post-dominator, where all ways from it come together. Empty: some block never gets to
    /// the end of the kernel.
    std::vector<std::uint32_t> join;
    std::vector<RegisterSet> live;    ///< by block, the end included: what is read there or later before it is written
    std::vector<RegisterSet> written; ///< by block
    std::vector<bool> local;          ///< LanePlan::local

    explicit LaneFlow(const ptx::Function& kernel);

private:
    void make_blocks(const ptx::Function& kernel);
    void find_joins();
    void find_live_registers(const ptx::Function& kernel);
};

} // namespace warplight::jit
