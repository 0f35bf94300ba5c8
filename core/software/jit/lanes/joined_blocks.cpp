// SPDX-License-Identifier: Apache-2.0
// Blocks that are joined: all of their first rows of threads are done, then all of their second rows. In a block of
// 16 x 16 threads a row is 64 bytes of a picture. Its next row lies in another page mostly, so that a processor's
// prefetchers find nothing. The rows of neighbouring blocks follow one another. Blocks of one row are joined too: short
// code spends much of its time in front of the first thread of each block, and they are done in the same order.
#include "block_sums.hpp"
#include "thread_order.hpp"

#include <algorithm>
#include <cstdlib>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// Bytes that an address moves by from thread to thread, or from block to block: beyond, each is in a line of its own.
constexpr std::int64_t kMostOfThread = 64, kMostOfBlock = 8192;

bool is_far(const BlockSum& sum) {
    return std::abs(sum.blocks_threads) > kMostOfThread || std::abs(sum.block) > kMostOfBlock;
}

} // namespace

bool joins_blocks(const ptx::Function& kernel, const LanePlan* plan) {
    const auto& all = kernel.instructions;
    const auto names_row = [](const Operand& x) {
        return x.kind == Operand::Kind::special &&
               (x.special == ptx::SpecialRegister::tid_y || x.special == ptx::SpecialRegister::tid_z);
    };
    const bool has_rows = std::any_of(all.begin(), all.end(),
                                      [&](const Instruction& i) { return std::ranges::any_of(i.operands, names_row); });
    if (!std::all_of(all.begin(), all.end(), has_no_order) || has_loop(kernel)) return false;
    if (plan && plan->held_store) return false; // which holds those of neighbouring blocks
    // The order of one row's blocks stays the same, wherever their accesses lie. One thread at a time gains nothing.
    if (!has_rows) return plan != nullptr;
    BlockSums sums(kernel);
    for (const Instruction& i : all) {
        if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) ||
            (i.space != ptx::Space::global && i.space != ptx::Space::generic))
            continue;
        const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
        if (address.base_kind != Operand::Kind::reg || (i.opcode == Opcode::ld && plan && plan->uniform(address.reg)))
            continue;
        const auto sum = sums.of(address.reg);
        if (!sum || is_far(*sum)) return false;
    }
    return true;
}

} // namespace warplight::jit
