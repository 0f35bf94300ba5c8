// SPDX-License-Identifier: Apache-2.0
// Matrix instructions where the warp is a vector: a register of a fragment is a vector of 32 words. Rows of memory are
// moved as a whole, for the four lanes of a group or for a lane of each of the eight groups. For the latter the vector
// is turned (LaneVectors::turn).
#include "lane_groups.hpp"
#include "matrix_in_memory.hpp"
#include "software/jit/emit/groups.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

class Matrix : MatrixLanes {
public:
    Matrix(Emitter& e, Fragments& fragments) : MatrixLanes(e), fragments_(fragments) {}

    void emit(const Instruction& i) {
        switch (i.opcode) {
        case Opcode::ldmatrix: rows(i, true); break;
        case Opcode::stmatrix: rows(i, false); break;
        case Opcode::movmatrix: transpose(i); break;
        default:
            if (i.opcode == Opcode::wmma && !i.has(Modifier::mma))
                transfer(i, i.has(Modifier::load));
            else
                product(i);
            break;
        }
    }

private:
    // --- wmma.load, wmma.store

    /// The matrix' address and the bytes from line to line: both are the same in all lanes.
    std::pair<Value*, Value*> base_and_stride(const Instruction& i, const Operand& address, const MatrixMove& move) {
        const auto lane = e_.lanes.with_lane(0);
        Value* base = e_.addresses.pointer(address, i.space);
        Value* stride = i.operands.size() > 2 ? e_.read(i.operands[2], ptx::Type::b32) : b_.getInt32(move.stride);
        Value* bits = b_.CreateMul(b_.CreateZExt(stride, b_.getInt64Ty()), b_.getInt64(move.bits));
        Value* bytes = b_.CreateLShr(bits, 3);
        check_matrix_alignment(e_, i, address, move, bytes);
        return {base, bytes};
    }

    void transfer(const Instruction& i, bool load) {
        const MatrixMove move(i);
        const Operand& address = i.operands.at(load ? 1 : 0);
        const auto& fragment = i.operands.at(load ? 0 : 1).elements;
        const auto [base, bytes] = base_and_stride(i, address, move);
        const unsigned register_bits = move.elements * move.bits;
        const ptx::Type type = register_bits == 64 ? ptx::Type::b64 : ptx::Type::b32;
        if (MatrixInMemory(e_, fragments_).transfer(i, move, base, bytes, load)) return;
        std::vector<Value*> registers(move.registers);
        if (!load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                registers[reg] = read(fragment[reg], type);
        move_registers(move, base, bytes, registers, load);
        if (load)
            for (unsigned reg = 0; reg < move.registers; ++reg)
                write(fragment[reg], type, registers[reg]);
    }

    // --- ldmatrix, stmatrix, movmatrix

    /// An address for each lane: a common base and offsets, <32 x i32> or <32 x i64>.
    struct LaneAddresses {
        Value *base, *offsets;
        bool is_signed = false;
    };
    LaneAddresses addresses(const Operand& address, ptx::Space space) {
        if (address.base_kind != Operand::Kind::reg || !e_.registers.varies(address.reg))
            return {e_.addresses.pointer(address, space), llvm::Constant::getNullValue(words(32, kLanes))};
        Operand base;
        base.kind = Operand::Kind::reg;
        base.reg = address.reg;
        const auto advance = [&](Value* pointer, std::int64_t offset) {
            pointer = b_.CreateGEP(b_.getInt8Ty(), pointer, b_.getInt64(static_cast<std::uint64_t>(offset)));
            Value* distance = e_.addresses.to_shadow();
            return distance ? b_.CreateGEP(b_.getInt8Ty(), pointer, distance) : pointer;
        };
        if (space != ptx::Space::shared && space != ptx::Space::shared_cluster)
            return {advance(llvm::ConstantPointerNull::get(e_.device_pointer()), address.integer),
                    read(base, ptx::Type::b64)};
        const Addresses::Shared in_shared = shared_addresses(address);
        return {advance(e_.place.shared_base(), in_shared.offset), active_or_zero(in_shared.word), in_shared.is_signed};
    }
    Value* place(const LaneAddresses& all, Value* lane) {
        Value* offset = b_.CreateExtractElement(all.offsets, lane);
        if (offset->getType()->isIntegerTy(32)) offset = e_.addresses.extend(offset, all.is_signed);
        return b_.CreateGEP(b_.getInt8Ty(), all.base, offset);
    }

    void rows(const Instruction& i, bool load) {
        if (MatrixInMemory(e_, fragments_).rows(i, load)) return;
        const auto& fragment = i.operands.at(load ? 0 : 1).elements;
        const LaneAddresses all = addresses(i.operands.at(load ? 1 : 0), i.space);
        const auto matrices = static_cast<unsigned>(fragment.size());
        Value* wrong = misaligned_rows(all.base, all.offsets, matrices);
        e_.emit_if(b_.CreateIsNotNull(wrong), [&] {
            Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {wrong->getType()}, {wrong, b_.getFalse()});
            lane = b_.CreateAnd(lane, kLanes - 1);
            fault_misaligned(e_.place.block(), e_.place.linear_thread(), lane, e_.site_value(),
                             [&](Value* odd) { return place(all, odd); });
        });
        const bool transposed = i.has(Modifier::trans);
        for (unsigned k = 0; k < matrices; ++k) {
            const auto row = [&](unsigned number) { return place(all, b_.getInt64(std::uint64_t{8 * k + number})); };
            if (load)
                write(fragment[k], ptx::Type::b32, load_matrix(transposed, row));
            else
                store_matrix(read(fragment[k], ptx::Type::b32), transposed, row);
        }
    }

    void transpose(const Instruction& i) {
        Value* rows = b_.CreateBitCast(read(i.operands.at(1), ptx::Type::b32), words(16, 2 * kLanes));
        std::array<int, std::size_t{2} * kLanes> places{};
        for (std::size_t row = 0; row < 8; ++row)
            for (std::size_t column = 0; column < 8; ++column)
                places[row * 8 + column] = static_cast<int>(column * 8 + row);
        write(i.operands.at(0), ptx::Type::b32, b_.CreateShuffleVector(rows, places));
    }

    // --- products

    void product(const Instruction& i) {
        const ptx::MatrixForm form = ptx::matrix_form(i).value();
        if (MatrixInMemory(e_, fragments_).product(i, form)) return;
        const ptx::Type type = form.a == ptx::Type::f64 ? ptx::Type::b64 : ptx::Type::b32;
        Type* word = words(ptx::bits(type), kLanes);
        const auto memory = [&](const char* name, std::size_t registers) {
            return e_.stack_slot(llvm::ArrayType::get(word, registers), name, 64);
        };
        const auto fragment = [&](std::size_t k, const char* name, std::size_t room = 0) {
            const auto& elements = i.operands.at(k).elements;
            Value* to = memory(name, std::max(elements.size(), room));
            for (std::size_t reg = 0; reg < elements.size(); ++reg)
                b_.CreateStore(read(elements[reg], type), b_.CreateConstInBoundsGEP1_64(word, to, reg));
            return to;
        };
        Value* a = fragment(1, "a");
        Value* f = fragment(2, "b");
        Value* c = fragment(3, "c", form.sparse ? ptx::kSparsityRegister + 1 : 0);
        if (form.sparse)
            b_.CreateStore(read(i.operands.at(4), type),
                           b_.CreateConstInBoundsGEP1_64(word, c, ptx::kSparsityRegister));
        const auto& to = i.operands[0].elements;
        Value* d = memory("d", to.size());
        multiply(form, a, f, c, d);
        for (std::size_t reg = 0; reg < to.size(); ++reg)
            write(to[reg], type, b_.CreateLoad(word, b_.CreateConstInBoundsGEP1_64(word, d, reg)));
    }

    Fragments& fragments_;
};

} // namespace

void emit_lane_matrix(Emitter& e, Fragments& fragments, const Instruction& i) { Matrix(e, fragments).emit(i); }

} // namespace warplight::jit
