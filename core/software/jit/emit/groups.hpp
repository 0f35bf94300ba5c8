// SPDX-License-Identifier: Apache-2.0
// The groups of instructions, a function for each file. A group answers false for an opcode that is not its own, and
// calls Emitter::unsupported_form() for a form that it cannot do. Callers apply guards: a group emits the instruction
// where it is executed.
#pragma once

#include "emitter.hpp"

#include <optional>
#include <string>

namespace warplight::jit {

// Arithmetic: registers in, registers out.
/// add, sub, mul, mad, mul24, mad24, addc…, div, rem, abs, neg, min, max, sad, dp4a, dp2a, vabsdiff…
bool emit_integer(Emitter& e, const ptx::Instruction& i);
/// and, or, xor, not, cnot, shl, shr, shf, lop3, bfe, bfi, bfind, bmsk, brev, clz, popc, prmt, fns, szext
bool emit_bits(Emitter& e, const ptx::Instruction& i);
/// add, sub, mul, fma, mad, div, rcp, sqrt, abs, neg, min, max, copysign, testp of f32 and f64
bool emit_float(Emitter& e, const ptx::Instruction& i);
/// The same of f16, f16x2, bf16, bf16x2.
bool emit_half(Emitter& e, const ptx::Instruction& i);
/// ex2, lg2, sin, cos, tanh, rsqrt, rcp.approx, sqrt.approx, div.approx, div.full
bool emit_approximate(Emitter& e, const ptx::Instruction& i);
/// cvt, cvt.pack
bool emit_convert(Emitter& e, const ptx::Instruction& i);
/// set, setp, selp, slct
bool emit_compare(Emitter& e, const ptx::Instruction& i);

// Everything else.
/// mov, cvta, isspacep
bool emit_move(Emitter& e, const ptx::Instruction& i);
/// ld, st, ldu, cp.async, prefetch…, createpolicy, discard, applypriority
bool emit_memory(Emitter& e, const ptx::Instruction& i);
/// cp.async.bulk, cp.reduce.async.bulk, st.async, red.async
bool emit_bulk(Emitter& e, const ptx::Instruction& i);
/// atom, red, membar, fence
bool emit_atomic(Emitter& e, const ptx::Instruction& i);
/// bra, brx, ret, exit, trap, brkpt, nanosleep, and instructions without effect here
bool emit_control(Emitter& e, const ptx::Instruction& i);
/// call
bool emit_call(Emitter& e, const ptx::Instruction& i);
/// Why a call does not fit its function or prototype; nothing: it does. Calls of the device's own functions are checked
/// when they are emitted.
[[nodiscard]] std::optional<std::string> wrong_call(const ptx::Module& module, const ptx::Function& function,
                                                    const ptx::Call& call);
/// shfl, vote, match, redux, activemask, elect, bar.warp.sync
bool emit_warp(Emitter& e, const ptx::Instruction& i);
/// wmma, mma, ldmatrix, stmatrix, movmatrix
bool emit_matrix(Emitter& e, const ptx::Instruction& i);
/// bar, barrier, mbarrier, cp.async.mbarrier.arrive
bool emit_barrier(Emitter& e, const ptx::Instruction& i);
/// Instructions that are none of PTX, for all lanes at once.
bool emit_added(Emitter& e, const ptx::Instruction& i);
bool emit_left_out(Emitter& e, const ptx::Instruction& i);
void emit_lanes_within(Emitter& e, const ptx::Instruction& i);

/// Has the lanes of the warp in `mask` do something together, once all have come; `value` may be null.
void ask_warp(Emitter& e, software::WarpOperation operation, llvm::Value* mask, llvm::Value* value);

/// An atomic operation's address is in memory that only its block has.
[[nodiscard]] bool is_of_block(const Emitter& e, const ptx::Instruction& i, const ptx::Operand& where);
/// Reads, combines and exchanges until no other thread has written in between. Answers the old value.
/// @param word an integer type
/// @param combined the new value for an old one
llvm::Value* exchange_by(Emitter& e, const ptx::Instruction& i, llvm::Value* address, llvm::Type* word,
                         llvm::function_ref<llvm::Value*(llvm::Value*)> combined);
/// Does an atomic operation at an address and answers the old value, all as integers.
/// @param own memory of this block's cluster, for which no atomic instruction is needed
llvm::Value* exchange(Emitter& e, const ptx::Instruction& i, llvm::Value* address, llvm::Value* operand, bool own);
/// Does an operation on the worker's copy of a sum where `address` has one, and on the memory itself elsewhere.
/// @param combined the new value for an old one, integers of type `word`
void update_sum(Emitter& e, const ptx::Instruction& i, llvm::Value* address, llvm::Type* word, std::uint32_t sum,
                llvm::function_ref<llvm::Value*(llvm::Value*)> combined, llvm::function_ref<void()> elsewhere);
/// The value in memory after the operation, all as integers of the type's width.
llvm::Value* combine(Emitter& e, const ptx::Instruction& i, llvm::Value* old, llvm::Value* operand);
/// The same of any atomic operation on one element.
/// @param other what compare and swap stores; null for other operations
llvm::Value* perform_atomic(Emitter& e, const ptx::Instruction& i, llvm::Value* address, llvm::Value* operand,
                            llvm::Value* other, bool own);
/// The barrier object waits for so many bytes (i64) less.
void complete_bytes(Emitter& e, llvm::Value* barrier, llvm::Value* bytes);

/// Faults where the address of a wmma.load or wmma.store, or its stride, is not aligned as it must be.
/// @param line the stride in bytes, i64
struct MatrixMove;
void check_matrix_alignment(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, const MatrixMove& move,
                            llvm::Value* line);

/// The guard of a guarded instruction, to be read as a predicate.
[[nodiscard]] ptx::Operand guard_of(const ptx::Instruction& i);

/// Stack memory for the time of one instruction. Its lifetime is marked, so that LLVM lets instructions share it.
class Scratch {
public:
    Scratch(Emitter& e, const char* name, std::size_t bytes, llvm::Align align = alignment())
        : e_(e), bytes_(e.b.getInt64(bytes)),
          slot_(e.stack_slot(llvm::ArrayType::get(e.b.getInt8Ty(), bytes), name, align.value())) {
        e.b.CreateLifetimeStart(slot_, bytes_);
    }
    ~Scratch() { e_.b.CreateLifetimeEnd(slot_, bytes_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] llvm::Value* address() const { return slot_; }
    [[nodiscard]] static llvm::Align alignment() { return llvm::Align(16); }

private:
    Emitter& e_;
    llvm::ConstantInt* bytes_;
    llvm::AllocaInst* slot_;
};

/// Emits an instruction by the group that knows it. False: none does.
bool emit_any(Emitter& e, const ptx::Instruction& i);

} // namespace warplight::jit
