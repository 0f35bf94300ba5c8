// SPDX-License-Identifier: Apache-2.0
// A load or store at each lane's address: how the lanes' elements lie in memory, and their addresses.
#pragma once

#include "serial_access.hpp"
#include "software/jit/emit/emitter.hpp"

#include <vector>

namespace warplight::jit {

/// A plain access at addresses that differ.
[[nodiscard]] bool moves_vectors(const Emitter& e, const ptx::Instruction& i, const ptx::Operand& address);

/// Outside of loops: not worth code for each lane. Where threads wait at barriers, loops are mostly short.
[[nodiscard]] inline bool is_cold_for_accesses(const LanePlan& plan, std::uint32_t instruction) {
    return plan.blocks.of(instruction).cold && !plan.has_barriers;
}

class LaneAccess {
public:
    LaneAccess(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, bool is_load);

    enum class Layout : std::uint8_t {
        neighbours, ///< side by side, unless an index wraps
        backward,   ///< side by side, the last lane's first
        strided,    ///< equally far from each other, unless an index wraps
        grouped,    ///< strided, in groups of elements that are read and written as a whole
        spread,     ///< close to each other at known places, unless an address wraps
        scattered,  ///< anywhere: gathers and scatters, where the host has them
        serial,     ///< anywhere: a lane after the other
    };
    [[nodiscard]] Layout layout() const { return layout_; }
    /// Of a grouped layout: the elements before the lane's in its group.
    [[nodiscard]] unsigned place_in_group() const { return place_in_group_; }
    /// The layout holds unless an index or address wraps, see is_as_laid_out().
    [[nodiscard]] bool has_layout() const { return layout_ <= Layout::spread; }
    /// The layout is not known, but the lanes' elements may turn out to be neighbours.
    [[nodiscard]] bool may_be_neighbours() const;
    /// The layout is not known, but the elements are likely to lie at the places, from the lowest address on.
    [[nodiscard]] bool may_be_spread() const { return !places.empty() && layout_ != Layout::spread; }
    /// What the lanes' addresses then are, of the first lane's.
    [[nodiscard]] llvm::Value* likely_addresses(llvm::Value* first);
    /// The layout is not known, but the active lanes' elements may turn out to be neighbours without gaps: the address
    /// is made of how many lanes come before.
    [[nodiscard]] bool may_be_packed() const;
    /// Four-byte or eight-byte elements of which every second or fourth is read.
    [[nodiscard]] bool has_gaps() const;
    /// A few elements from each other, as members of structures are.
    [[nodiscard]] bool is_near() const;
    /// Stores of elements with gaps may write what lies between them too, as it was.
    [[nodiscard]] bool stores_between_gaps() const;

    llvm::Type* type;     ///< an integer for each lane
    const unsigned bytes; ///< of an element
    const unsigned count; ///< elements of a lane
    const bool shared;    ///< in shared memory
    const bool is_volatile;
    std::int64_t stride = 0; ///< of affine addresses, else 0
    std::vector<int> places; ///< of a spread layout or a likely one, by lane: in elements from the lowest address on
    std::int64_t lowest = 0; ///< bytes from the first lane's address to the lowest, of such a layout or a backward one
    [[nodiscard]] unsigned all_bytes() const { return bytes * count; }

    // --- addresses, i64
    /// For LaneState::width() lanes, or the first lane's.
    [[nodiscard]] llvm::Value* addresses();
    [[nodiscard]] llvm::Value* first_address();
    /// addresses() of all lanes is this and the offset, for addresses outside of shared memory.
    [[nodiscard]] llvm::Value* base_addresses();
    [[nodiscard]] llvm::Value* offset();
    [[nodiscard]] Addresses::Shared shared_addresses(); ///< of all lanes
    [[nodiscard]] llvm::Value* in_window(const Addresses::Shared& at);
    /// Of affine addresses.
    [[nodiscard]] LaneStep lane_step();
    [[nodiscard]] llvm::Value* first_index(); ///< i32

    /// i32, of a grouped layout: where the first lane's group begins.
    [[nodiscard]] llvm::Value* group_word();
    /// i1, of a grouped layout: groups begin at multiples of their size, and none wraps.
    [[nodiscard]] llvm::Value* is_in_groups();

    /// i1: no lane's index or address wraps. Null: none can.
    [[nodiscard]] llvm::Value* is_as_laid_out();
    /// i1: the lanes are as far from each other as LaneState::assumed_step() tells, and no address wraps.
    [[nodiscard]] llvm::Value* has_assumed_step();
    /// i1: vectors of which elements are left out lie in one page of the host. Behind shared memory no page is mapped,
    /// and processors take hundreds of cycles to leave out elements that lie there. Null: nothing is left out.
    [[nodiscard]] llvm::Value* is_in_page(llvm::Value* first_address);
    /// Of affine addresses or neighbours. Right even where an index wraps: low bits are the same with and without.
    void stop_if_misaligned(llvm::Value* first_address);

private:
    [[nodiscard]] Layout choose_layout(bool is_load);
    [[nodiscard]] llvm::Value* wraps_nowhere();
    [[nodiscard]] bool find_places(const std::vector<std::int32_t>& offsets);
    [[nodiscard]] bool find_certain_places();
    void find_likely_places();
    [[nodiscard]] bool find_group();
    [[nodiscard]] bool is_cold() const;
    [[nodiscard]] bool is_by_rank(bool in_tables) const;
    [[nodiscard]] bool is_of_table(const ptx::Instruction& i) const;
    [[nodiscard]] bool is_apart() const;
    [[nodiscard]] bool is_masked_cheaply() const;
    [[nodiscard]] Addresses::Shared first_in_shared();

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    const ptx::Operand& address_;
    const unsigned width_;
    const bool is_load_;
    Layout layout_ = Layout::scattered;
    unsigned place_in_group_ = 0;
    bool assumed_ = false; ///< the stride is LaneState::assumed_step()
};

} // namespace warplight::jit
