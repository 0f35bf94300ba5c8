// SPDX-License-Identifier: Apache-2.0
#include "warp_accesses.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/emit/matrix/matrix_move.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/matrix.hpp"
#include "tile_parts.hpp"

#include <algorithm>
#include <utility>

namespace warplight::jit {

using ptx::AddedAccess;
using ptx::Aid;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

constexpr std::int64_t kAllLanes = 0xffffffff;

bool moves_rows(const Instruction& i) { return i.opcode == Opcode::ldmatrix || i.opcode == Opcode::stmatrix; }
bool loads(const Instruction& i) { return i.opcode == Opcode::ldmatrix || i.has(Modifier::load); }
bool is_shared(const Instruction& i) { return i.space == Space::shared || i.space == Space::shared_cluster; }

class WarpAccesses {
public:
    WarpAccesses(const ptx::Function& function, bool leaves_out)
        : function_(function), leaves_out_(leaves_out), code_(function) {}

    ChangedFunction run() {
        for (std::uint32_t k = 0; k < function_.instructions.size(); ++k) {
            code_.begin(k);
            const Instruction& i = function_.instructions[k];
            if (!moves_rows(i) && !moves_tile(i))
                code_.keep();
            else if (i.aid == Aid::none || leaves_out_)
                moves_rows(i) ? rows(i) : tile(i);
            else
                code_.keep();
        }
        return code_.finish();
    }

private:
    [[nodiscard]] Operand temporary(Type type) { return code_.temporary(type); }
    /// An access of each lane at an address of its own. Gives a predicate: whether it may be made.
    Operand access(const Instruction& i, const Operand& address, AddedAccess what) {
        Operand ok;
        what.of_shadow = i.aid == Aid::shadow_access;
        if (leaves_out_) {
            ok = temporary(Type::pred);
            code_.add(Opcode::mov, Type::pred, {ok, number_operand(0)}).guarded = false;
        }
        Instruction& added =
            code_.add(Opcode::invalid, Type::pred, {ok, address_operand(address), number_operand(what.packed())});
        added.aid = Aid::lane_access;
        added.space = i.space;
        return ok;
    }

    void rows(const Instruction& i) {
        const bool load = loads(i);
        const std::size_t place = load ? 1 : 0;
        const std::size_t rows = 8 * i.operands.at(1 - place).elements.size();
        const Operand address = address_in_register(code_, i, i.operands.at(place));
        std::optional<Operand> has_row;
        if (rows < software::kWarpSize) {
            has_row = temporary(Type::pred);
            const Operand lane = lane_number(code_);
            Instruction& compare =
                code_.add(Opcode::setp, Type::u32, {*has_row, lane, number_operand(static_cast<std::int64_t>(rows))});
            set(compare, Modifier::lt);
            if (i.guarded) {
                Operand guard = register_operand(i.guard);
                guard.negated = i.guard_negated;
                code_.add(Opcode::and_, Type::pred, {*has_row, *has_row, guard}).guarded = false;
            }
        }
        const Operand ok = access(i, address, {ptx::kMatrixRowBytes, ptx::kMatrixRowBytes, !load, false});
        if (has_row) {
            Instruction& added = code_.last();
            added.guarded = true;
            added.guard = has_row->reg;
            added.guard_negated = false;
        }
        if (!leaves_out_) return code_.keep();
        const Type type = is_shared(i) ? Type::b32 : Type::b64;
        const Operand spare = temporary(type), chosen = temporary(type);
        code_.add(Opcode::invalid, type, {spare, number_operand(load ? 0 : 1)}).aid = Aid::spare_row;
        code_.add(Opcode::selp, type, {chosen, address, spare, ok});
        Instruction same = i;
        same.operands[place] = address_operand(chosen);
        code_.add(std::move(same));
    }

    void tile(const Instruction& i) {
        const bool load = loads(i);
        const std::size_t place = load ? 1 : 0;
        const ptx::MatrixTile tile(i);
        const TileAddress from = tile_address(code_, i);
        const unsigned part = tile.part_bytes();
        const unsigned alignment = std::min(MatrixMove(i).alignment, part);
        const Operand address = part_address(code_, i, from);
        const Operand ok = access(i, address, {part, alignment, !load, false});
        if (!leaves_out_) return code_.keep();
        Operand left_out = temporary(Type::b32), is_left_out = ok;
        is_left_out.negated = true;
        Instruction& vote = code_.add(Opcode::vote, Type::b32, {left_out, is_left_out, number_operand(kAllLanes)});
        set(vote, Modifier::sync);
        set(vote, Modifier::ballot);
        const software::SpareTile what{tile.lines, tile.line_bytes(), false, i.aid == Aid::shadow_access};
        const Operand bits = number_operand(tile.bits), packed = number_operand(what.packed());
        const Operand new_base = temporary(is_shared(i) ? Type::b32 : Type::b64), new_stride = temporary(Type::b32);
        Operand both;
        both.kind = Kind::vector;
        both.elements = {new_base, new_stride};
        Instruction& begin = code_.add(Opcode::invalid, Type::b32,
                                       {both, address_operand(from.base), from.stride, left_out, packed, bits});
        begin.aid = Aid::tile_begin;
        begin.space = i.space;
        Instruction same = i;
        same.operands[place] = address_operand(new_base);
        same.operands.resize(2);
        same.operands.push_back(new_stride);
        code_.add(std::move(same));
        if (load) return;
        Instruction& end =
            code_.add(Opcode::invalid, Type::b32, {address_operand(from.base), from.stride, left_out, packed, bits});
        end.aid = Aid::tile_end;
        end.space = i.space;
    }

    const ptx::Function& function_;
    const bool leaves_out_;
    AddedCode code_;
};

} // namespace

ChangedFunction add_warp_accesses(const ptx::Function& function, bool leaves_out) {
    return WarpAccesses(function, leaves_out).run();
}

bool has_warp_accesses(const ptx::Function& function) {
    return std::any_of(function.instructions.begin(), function.instructions.end(),
                       [](const Instruction& i) { return moves_rows(i) || moves_tile(i); });
}

} // namespace warplight::jit
