// SPDX-License-Identifier: Apache-2.0
// The instructions of front/warp_accesses.cpp that are none of PTX: what lanes of a warp access together goes on where
// some of it must be left out, with spare memory in place of that.
#include "software/jit/emit/groups.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::Aid;
using ptx::Operand;
using software::LaunchContext;

namespace {

/// i32: the offset of spare memory in the block's window.
Value* spare_offset(Emitter& e, Value* further) {
    Value* begin = e.load_field(e.place.launch(), offsetof(LaunchContext, spare_shared), e.b.getInt32Ty(), 0, "spare");
    return e.b.CreateAdd(begin, further);
}

/// As an address of the space that a register is for: 32 bits are an offset in shared memory.
void write_spare(Emitter& e, const Operand& to, Value* offset) {
    auto& b = e.b;
    const unsigned bits = ptx::bits(e.function.registers[to.reg].type);
    if (bits == 32) {
        // In a cluster the block's rank is part of an address.
        if (e.unit.analysis.knows_clusters)
            offset = b.CreateOr(offset, b.CreateShl(e.place.cluster_rank(), software::kClusterStrideBits));
        return e.write(to, ptx::Type::b32, offset);
    }
    Value* window = b.CreatePtrToInt(e.place.shared_base(), b.getInt64Ty());
    e.write(to, ptx::Type::b64, b.CreateAdd(window, b.CreateZExt(offset, b.getInt64Ty())));
}

void emit_spare_row(Emitter& e, const ptx::Instruction& i) {
    const bool for_writes = i.operands.at(1).integer != 0;
    write_spare(e, i.operands.at(0), spare_offset(e, e.b.getInt32(for_writes ? software::kSpareRowBytes : 0)));
}

/// A tile in memory: the same in all lanes.
struct Tile {
    Value *address, *stride, *bytes, *left_out;
};

Tile tile_of(Emitter& e, const ptx::Instruction& i, std::size_t first, bool of_shadow) {
    auto& b = e.b;
    const auto lane = e.lanes.with_lane(0);
    Value* address = b.CreatePtrToInt(e.addresses.pointer(i.operands.at(first), i.space), b.getInt64Ty());
    if (of_shadow) address = b.CreateAdd(address, e.place.shadow_distance());
    Value* stride = e.read(i.operands.at(first + 1), ptx::Type::b32);
    const auto bits = static_cast<std::uint64_t>(i.operands.at(first + 4).integer);
    Value* bytes = b.CreateLShr(b.CreateMul(b.CreateZExt(stride, b.getInt64Ty()), b.getInt64(bits)), 3);
    return {address, stride, bytes, e.read(i.operands.at(first + 2), ptx::Type::b32)};
}

void move(Emitter& e, const Tile& tile, software::SpareTile what) {
    e.runtime_call("wl_rt_move_tile", e.b.getVoidTy(),
                   {e.place.block(), e.place.first_linear_thread(), tile.left_out, tile.address, tile.bytes,
                    e.b.getInt32(what.packed())});
}

void emit_tile_begin(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const auto what = software::SpareTile::unpacked(static_cast<std::uint32_t>(i.operands.at(4).integer));
    const Tile tile = tile_of(e, i, 1, what.of_shadow);
    const Operand &base = i.operands.at(0).elements.at(0), &stride = i.operands.at(0).elements.at(1);
    {
        Operand address = i.operands.at(1);
        const bool in_shared = ptx::bits(e.function.registers[base.reg].type) == 32;
        const ptx::Type type = in_shared ? ptx::Type::b32 : ptx::Type::b64;
        Value* at = nullptr;
        {
            const auto lane = e.lanes.with_lane(0);
            Operand reg;
            reg.kind = Operand::Kind::reg;
            reg.reg = address.reg;
            at =
                b.CreateAdd(e.read(reg, type), b.getIntN(ptx::bits(type), static_cast<std::uint64_t>(address.integer)));
        }
        e.write(base, type, at);
        e.write(stride, ptx::Type::b32, tile.stride);
    }
    e.emit_if(b.CreateIsNotNull(tile.left_out), [&] {
        move(e, tile, what);
        Value* warp = b.CreateLShr(e.place.first_linear_thread(), 5);
        Value* further =
            b.CreateAdd(b.CreateMul(warp, b.getInt32(software::kSpareTileBytes)), b.getInt32(software::kSpareTilesAt));
        write_spare(e, base, spare_offset(e, further));
        const auto bits = static_cast<std::uint32_t>(i.operands.at(5).integer);
        e.write(stride, ptx::Type::b32, b.getInt32(what.line_bytes * 8 / bits));
    });
}

void emit_tile_end(Emitter& e, const ptx::Instruction& i) {
    auto what = software::SpareTile::unpacked(static_cast<std::uint32_t>(i.operands.at(3).integer));
    const Tile tile = tile_of(e, i, 0, what.of_shadow);
    what.back = true;
    e.emit_if(e.b.CreateIsNotNull(tile.left_out), [&] { move(e, tile, what); });
}

} // namespace

bool emit_left_out(Emitter& e, const ptx::Instruction& i) {
    switch (i.aid) {
    case Aid::lane_access:
        if (i.operands.at(0).kind == Operand::Kind::reg) e.write(i.operands[0], ptx::Type::pred, e.b.getTrue());
        return true;
    case Aid::spare_row: emit_spare_row(e, i); return true;
    case Aid::tile_begin: emit_tile_begin(e, i); return true;
    case Aid::tile_end: emit_tile_end(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
