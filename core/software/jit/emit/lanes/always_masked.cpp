// SPDX-License-Identifier: Apache-2.0
#include "always_masked.hpp"

#include "software/jit/emit/memory/variables.hpp"
#include "software/jit/host.hpp"

#include <algorithm>
#include <optional>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;

namespace {

constexpr std::uint32_t kLong = 60; ///< instructions
constexpr std::ptrdiff_t kManyLoops = 6;
constexpr std::uint32_t kFewPartings = 2; ///< where lanes may part: under a mask each merges what both ways wrote
constexpr std::uint32_t kApart = 30;      ///< instructions for each parting, of which merging is a small part
constexpr std::uint32_t kFewTests = 8;    ///< of masked accesses to shared memory, for the end of its pages

/// A mask costs next to nothing. There is no inner code under one.
bool is_as_good_masked(const Instruction& i) {
    if (ptx::may_suspend(i) || is_warp_operation(i) || i.aid == ptx::Aid::lanes_within) return false;
    if (i.opcode != Opcode::ld && i.opcode != Opcode::st) return true;
    return i.vector_width <= 1 && ptx::bits(i.types[i.type_count - 1u]) >= 32;
}

class Search {
public:
    Search(const ptx::Function& kernel, const LanePlan& plan)
        : kernel_(kernel), plan_(plan), count_(static_cast<std::uint32_t>(plan.blocks.size())),
          loops_too_(count_loops() >= kManyLoops) {}

    [[nodiscard]] std::vector<bool> run() const {
        std::vector<bool> found(count_, false);
        for (std::uint32_t k = 0; k < count_; ++k) {
            const auto entry = masked_successor(k);
            if (!entry) continue;
            const std::vector<bool> region = region_of(*entry);
            if (is_worth(k, region))
                for (std::uint32_t r = 0; r < count_; ++r)
                    found[r] = found[r] || region[r];
        }
        return found;
    }

private:
    /// Branches back to a masked block.
    [[nodiscard]] std::ptrdiff_t count_loops() const {
        std::ptrdiff_t loops = 0;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const auto& to = plan_.blocks[k].successors;
            loops +=
                std::count_if(to.begin(), to.end(), [&](std::uint32_t s) { return s <= k && plan_.blocks[s].masked; });
        }
        return loops;
    }
    /// The masked block that lanes enter from a block which all lanes execute.
    [[nodiscard]] std::optional<std::uint32_t> masked_successor(std::uint32_t k) const {
        const LaneBlock& block = plan_.blocks[k];
        if (block.masked || !plan_.parts(kernel_, k)) return std::nullopt;
        for (const std::uint32_t s : block.successors)
            if (s < count_ && plan_.blocks[s].masked && (loops_too_ || !plan_.blocks[s].divergent)) return s;
        return std::nullopt;
    }
    /// The masked blocks with the same reconvergence point.
    [[nodiscard]] std::vector<bool> region_of(std::uint32_t entry) const {
        std::vector<bool> region(count_, false);
        for (std::uint32_t r = 0; r < count_; ++r)
            region[r] = plan_.blocks[r].masked && plan_.blocks[r].reconverges_at == plan_.blocks[entry].reconverges_at;
        return region;
    }
    [[nodiscard]] bool is_worth(std::uint32_t from, const std::vector<bool>& region) const {
        std::uint32_t length = 0, tests = 0, partings = 0;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const LaneBlock& block = plan_.blocks[k];
            for (const std::uint32_t s : block.successors) {
                const bool enters = s < count_ && region[s];
                if (enters && ((k != from && !region[k]) || (s <= k && !loops_too_))) return false;
            }
            if (!region[k]) continue;
            length += block.end - block.begin;
            if (!loops_too_ && plan_.parts(kernel_, k)) ++partings;
            for (std::uint32_t at = block.begin; at < block.end; ++at) {
                const Instruction& i = kernel_.instructions[at];
                if (!is_as_good_masked(i)) return false;
                const bool access = i.opcode == Opcode::ld || i.opcode == Opcode::st;
                if (access && is_shared(i.space) && !loops_too_ && ++tests > kFewTests) return false;
            }
        }
        if (partings > kFewPartings && length < partings * kApart) return false;
        return length >= (loops_too_ ? 0 : kLong);
    }

    const ptx::Function& kernel_;
    const LanePlan& plan_;
    const std::uint32_t count_;
    const bool loops_too_;
};

} // namespace

std::vector<bool> find_always_masked(const ptx::Function& kernel, const LanePlan& plan) {
    if (!host_masks_anything()) return std::vector<bool>(plan.blocks.size(), false);
    return Search(kernel, plan).run();
}

} // namespace warplight::jit
