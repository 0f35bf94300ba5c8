// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of threads that are run one at a time. A lane moves its own elements. The runtime does products
// and exchanges when all lanes have come.
#include "software/ptx/matrix.hpp"
#include "matrix_move.hpp"
#include "software/jit/emit/groups.hpp"

#include <algorithm>
#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::MatrixForm;
using ptx::Modifier;
using software::MatrixRows;
using software::MatrixWords;
using software::ThreadContext;
using software::WarpOperation;

MatrixMove::MatrixMove(const ptx::Instruction& i)
    : form(ptx::matrix_form(i).value()), part(ptx::matrix_part(i)), type(i.types[0]), by_columns(i.has(Modifier::col)),
      registers(ptx::matrix_registers(form, part)), elements(ptx::matrix_elements(type)), bits(ptx::bits(type)),
      stride(by_columns ? ptx::matrix_rows(form, part) : ptx::matrix_columns(form, part)), whole(true), alignment(0) {
    for (unsigned reg = 0; reg < registers; ++reg)
        for (unsigned e = 1; e < elements; ++e) {
            const Place before = place(0, reg, e - 1), here = place(0, reg, e);
            whole &= here.line == before.line && here.within == before.within + 1;
        }
    alignment = std::max(bytes(), bits == 16 ? 4U : 0U);
    if (elements == 1 && registers > 1) {
        const Place first = place(0, 0, 0), second = place(0, 1, 0);
        if (second.line == first.line && second.within == first.within + 1) alignment *= 2;
    }
}

MatrixMove::Place MatrixMove::place(unsigned lane, unsigned reg, unsigned element) const {
    const ptx::MatrixPlace p = ptx::matrix_place(form, part, lane, reg, element);
    return by_columns ? Place{p.column, p.row} : Place{p.row, p.column};
}

void check_matrix_alignment(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, const MatrixMove& move,
                            Value* line) {
    e.checks.check_alignment(address, i.space, move.alignment, false);
    if (8 * move.alignment <= move.bits) return;
    Value* wrong = e.b.CreateAnd(line, e.b.getInt64(move.alignment - 1));
    e.emit_if(e.b.CreateIsNotNull(wrong), [&] { e.fault(software::Fault::misaligned); });
}

namespace {

void together(Emitter& e) { ask_warp(e, WarpOperation::sync, e.b.getInt32(~0U), nullptr); }

Value* lane_number(Emitter& e) { return e.place.special(ptx::SpecialRegister::laneid); }

// --- products

ptx::Type register_type(const MatrixForm& form) { return form.a == ptx::Type::f64 ? ptx::Type::b64 : ptx::Type::b32; }

void emit_product(Emitter& e, const ptx::Instruction& i) {
    const MatrixForm form = ptx::matrix_form(i).value();
    const ptx::Type type = register_type(form);
    Value* words = e.waiting.matrix_request();
    const auto send = [&](const ptx::Operand& operand, std::size_t offset) {
        for (std::size_t reg = 0; reg < operand.elements.size(); ++reg)
            e.store_field(words, offset + 8 * reg,
                          e.b.CreateZExt(e.read(operand.elements[reg], type), e.b.getInt64Ty()));
    };
    send(i.operands.at(1), offsetof(MatrixWords, a));
    send(i.operands.at(2), offsetof(MatrixWords, b));
    send(i.operands.at(3), offsetof(MatrixWords, c));
    if (form.sparse) // behind C, which has four registers
        e.store_field(words, offsetof(MatrixWords, c) + std::size_t{8} * ptx::kSparsityRegister,
                      e.b.CreateZExt(e.read(i.operands.at(4), type), e.b.getInt64Ty()));
    const std::uint64_t packed = form.pack();
    e.waiting.request_field(offsetof(ThreadContext, b), e.b.getInt32(static_cast<std::uint32_t>(packed)));
    e.waiting.request_field(offsetof(ThreadContext, c), e.b.getInt32(static_cast<std::uint32_t>(packed >> 32)));
    ask_warp(e, WarpOperation::matrix_multiply, e.b.getInt32(~0U), e.b.CreatePtrToInt(words, e.b.getInt64Ty()));
    const auto& to = i.operands[0].elements;
    for (std::size_t reg = 0; reg < to.size(); ++reg) {
        Value* from = e.b.CreateConstInBoundsGEP1_64(e.b.getInt8Ty(), words, offsetof(MatrixWords, d) + 8 * reg);
        e.write(to[reg], type, e.b.CreateLoad(e.integer_type(ptx::bits(type)), from));
    }
}

// --- wmma.load, wmma.store

/// The addresses of a lane's elements.
class Places {
public:
    Places(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, const MatrixMove& move)
        : e_(e), move_(move) {
        auto& b = e.b;
        base_ = e.addresses.pointer(address, i.space);
        Value* stride = i.operands.size() > 2 ? e.read(i.operands[2], ptx::Type::b32) : b.getInt32(move.stride);
        line_ = b.CreateMul(b.CreateZExt(stride, b.getInt64Ty()), b.getInt64(move.bits)); // in bits
        Value* lane = b.CreateZExt(lane_number(e), b.getInt64Ty());
        group_ = b.CreateLShr(lane, 2);
        within_ = b.CreateAnd(lane, 3);
        check_matrix_alignment(e, i, address, move, b.CreateLShr(line_, 3));
    }

    /// The address of an element. Coordinates are linear in the lane's group and its number within, so those of lanes
    /// 0, 4 and 1 give all others.
    [[nodiscard]] Value* at(unsigned reg, unsigned element) const {
        const MatrixMove::Place zero = move_.place(0, reg, element), group = move_.place(4, reg, element),
                                within = move_.place(1, reg, element);
        Value* line = coordinate(zero.line, group.line, within.line);
        Value* place = coordinate(zero.within, group.within, within.within);
        auto& b = e_.b;
        Value* bits = b.CreateAdd(b.CreateMul(line, line_), b.CreateMul(place, b.getInt64(move_.bits)));
        return b.CreateGEP(b.getInt8Ty(), base_, b.CreateLShr(bits, 3));
    }

private:
    Value* coordinate(unsigned zero, unsigned group, unsigned within) const {
        auto& b = e_.b;
        Value* sum = b.CreateAdd(b.CreateMul(group_, b.getInt64(group - zero)), b.getInt64(zero));
        return b.CreateAdd(sum, b.CreateMul(within_, b.getInt64(within - zero)));
    }

    Emitter& e_;
    const MatrixMove& move_;
    Value* base_ = nullptr;
    Value* line_ = nullptr;
    Value* group_ = nullptr;
    Value* within_ = nullptr;
};

void emit_transfer(Emitter& e, const ptx::Instruction& i, bool load) {
    auto& b = e.b;
    const MatrixMove move(i);
    together(e);
    const Places places(e, i, i.operands.at(load ? 1 : 0), move);
    const auto& fragment = i.operands.at(load ? 0 : 1).elements;
    const llvm::Align alignment(move.bytes());
    const unsigned register_bits = move.elements * move.bits;
    const ptx::Type type = register_bits == 64 ? ptx::Type::b64 : ptx::Type::b32;
    llvm::Type* part = b.getIntNTy(8 * move.bytes());
    const unsigned parts = move.whole ? 1 : move.elements;
    for (unsigned reg = 0; reg < move.registers; ++reg) {
        Value* all = load ? e.integer(register_bits, 0) : e.read(fragment[reg], type);
        for (unsigned k = 0; k < parts; ++k) {
            Value* address = e.checks.asked(places.at(reg, k), move.bytes(), !load);
            Value* shift = e.integer(register_bits, std::uint64_t{k} * move.bits);
            if (load) {
                Value* one = b.CreateZExt(b.CreateAlignedLoad(part, address, alignment), all->getType());
                all = b.CreateOr(all, b.CreateShl(one, shift));
            } else {
                b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(all, shift), part), address, alignment);
            }
        }
        if (load) e.write(fragment[reg], type, all);
    }
    together(e); // no lane may change memory that others are still to read
}

// --- ldmatrix, stmatrix, movmatrix

void emit_rows(Emitter& e, const ptx::Instruction& i, bool load) {
    auto& b = e.b;
    const ptx::Operand& address = i.operands.at(load ? 1 : 0);
    const auto& fragment = i.operands.at(load ? 0 : 1).elements;
    const auto matrices = static_cast<std::uint32_t>(fragment.size());
    const bool transposed = i.has(Modifier::trans);
    Value* lane = lane_number(e);
    const auto if_of_a_row = [&](auto body) { e.emit_if(b.CreateICmpULT(lane, b.getInt32(8 * matrices)), body); };
    if_of_a_row([&] { e.checks.check_alignment(address, i.space, 16, false); });
    Value* request = e.waiting.matrix_request();
    const auto send = [&](Value* row) {
        e.store_field(request, offsetof(MatrixRows, row), b.CreatePtrToInt(row, b.getInt64Ty()));
    };
    Value* row = e.addresses.pointer(address, i.space);
    send(row);
    if (e.unit.options.access_reports == AccessReports::before_each)
        if_of_a_row([&] { send(e.checks.asked(row, 16, !load)); });
    e.waiting.request_field(offsetof(ThreadContext, b), b.getInt32(matrices));
    e.waiting.request_field(offsetof(ThreadContext, c), b.getInt32(transposed));
    ask_warp(e, WarpOperation::matrix_rows, b.getInt32(~0U), b.CreatePtrToInt(request, b.getInt64Ty()));
    lane = b.CreateZExt(lane_number(e), b.getInt64Ty());
    // A lane takes a pair of neighbours in a row; transposed, two elements of a column.
    Value* within = transposed ? b.CreateShl(b.CreateLShr(lane, 2), 1) : b.CreateShl(b.CreateAnd(lane, 3), 2);
    const unsigned parts = transposed ? 2 : 1, bits = 32 / parts;
    for (unsigned k = 0; k < matrices; ++k) {
        Value* all = load ? b.getInt32(0) : e.read(fragment[k], ptx::Type::b32);
        for (unsigned part = 0; part < parts; ++part) {
            Value* row = b.CreateLoad(
                b.getInt64Ty(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), request,
                                                             offsetof(MatrixRows, rows) + 8 * (parts * k + part)));
            Value* at = b.CreateGEP(b.getInt8Ty(), b.CreateIntToPtr(row, e.device_pointer()), within);
            if (load) {
                Value* one =
                    b.CreateZExt(b.CreateAlignedLoad(b.getIntNTy(bits), at, llvm::Align(bits / 8)), b.getInt32Ty());
                all = b.CreateOr(all, b.CreateShl(one, bits * part));
            } else {
                b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(all, bits * part), b.getIntNTy(bits)), at,
                                     llvm::Align(bits / 8));
            }
        }
        if (load) e.write(fragment[k], ptx::Type::b32, all);
    }
    together(e);
}

} // namespace

bool emit_matrix(Emitter& e, const ptx::Instruction& i) {
    if (!ptx::is_matrix(i.opcode)) return false;
    using Op = ptx::Opcode;
    switch (i.opcode) {
    case Op::ldmatrix:
    case Op::stmatrix:
        if (!i.has(Modifier::m8n8)) e.unsupported_form(i);
        emit_rows(e, i, i.opcode == Op::ldmatrix);
        return true;
    case Op::movmatrix:
        ask_warp(e, WarpOperation::matrix_transpose, e.b.getInt32(~0U), e.read(i.operands.at(1), ptx::Type::b32));
        e.write(i.operands.at(0), ptx::Type::b32,
                e.waiting.answer_field(offsetof(ThreadContext, result), e.b.getInt32Ty()));
        return true;
    default: break;
    }
    if (i.has(Modifier::block_scale)) e.unsupported_form(i);
    if (i.opcode == Op::wmma && !i.has(Modifier::mma))
        emit_transfer(e, i, i.has(Modifier::load));
    else
        emit_product(e, i);
    return true;
}

} // namespace warplight::jit
