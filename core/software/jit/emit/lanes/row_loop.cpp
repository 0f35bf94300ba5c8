// SPDX-License-Identifier: Apache-2.0
#include "row_loop.hpp"

#include "software/jit/emit/groups.hpp"
#include "software/jit/lanes/flat_division.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;

namespace {

constexpr std::uint64_t kLeastVectors = 5; ///< of a row that the loop goes through

/// The indices at which the last lane neither is in the next row nor wraps. There are some, as one is known.
Value* count_in_row(llvm::IRBuilder<>& b, bool is_signed, Value* start, Value* y, Value* reach) {
    const unsigned bits = start->getType()->getIntegerBitWidth();
    const llvm::APInt most = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    Value* end = llvm::ConstantInt::get(start->getType(), most + 1);
    Value* until_it_wraps = b.CreateSub(b.CreateSub(end, start), reach);
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateSub(y, reach), until_it_wraps);
}

} // namespace

RowLoop::RowLoop(Emitter& e, const OneRow& row)
    : e_(e), b_(e.b), plan_(row.plan), loop_(*row.loop), begin_(e.new_block("row_begin")),
      end_(e.new_block("row_end")) {}

bool RowLoop::divides(std::uint32_t at) const {
    return at <= loop_.last && at >= plan_.blocks[loop_.path.back()].begin && plan_.row_divisions.contains(at);
}

void RowLoop::enter_behind(std::uint32_t at, const RowDivision& division) {
    divisions_.emplace(at, division);
    if (at != loop_.last) return;
    const FlatDivision first = *flat_division(e_.function, plan_.blocks, divisions_.begin()->first);
    const std::uint64_t step = static_cast<std::uint64_t>(*plan_.stride(first.x.reg)) * e_.lanes.full_width();
    Value* length = e_.read(first.by, first.type);
    llvm::BasicBlock* enter = e_.new_block("long_rows");
    llvm::BasicBlock* rest = e_.new_block("short_rows");
    b_.CreateCondBr(b_.CreateICmpUGE(length, llvm::ConstantInt::get(length->getType(), kLeastVectors * step)), enter,
                    rest);
    b_.SetInsertPoint(enter);
    for (const auto& [each, made] : divisions_)
        keep(each, made);
    b_.CreateBr(begin_);
    b_.SetInsertPoint(rest);
}

void RowLoop::keep(std::uint32_t at, const RowDivision& made) {
    const FlatDivision division = *flat_division(e_.function, plan_.blocks, at);
    const auto slot = [&](Value* value, const char* name) {
        llvm::AllocaInst* kept = e_.stack_slot(value->getType(), name);
        b_.CreateStore(value, kept);
        return kept;
    };
    const std::uint64_t reach = static_cast<std::uint64_t>(*plan_.stride(division.x.reg)) * (e_.lanes.full_width() - 1);
    Value* start = b_.CreateSub(made.x, made.remainder);
    Value* count = count_in_row(b_, ptx::is_signed(division.type), start, made.y,
                                llvm::ConstantInt::get(made.y->getType(), reach));
    kept_[at] = {slot(start, "start"), slot(count, "count"), slot(made.y, "length"), slot(made.quotient, "quotient")};
}

void RowLoop::emit_again(llvm::BasicBlock* rest, llvm::BasicBlock* anew,
                         llvm::function_ref<void(std::uint32_t at)> emit_one) {
    b_.SetInsertPoint(end_);
    llvm::BasicBlock* again = e_.new_block("again");
    b_.CreateCondBr(e_.place.has_next_vector(), again, rest);
    b_.SetInsertPoint(again);
    e_.place.go_to_next_vector();
    for (std::size_t step = 0; step < loop_.path.size(); ++step) {
        const LaneBlock& block = plan_.blocks[loop_.path[step]];
        const bool is_last = step + 1 == loop_.path.size();
        const std::uint32_t end = is_last ? loop_.last + 1 : block.end;
        for (std::uint32_t at = block.begin; at < end; ++at) {
            if (!is_last && at + 1 == end && block.successors.size() > 1) break; // the branch
            if (e_.function.instructions[at].opcode == ptx::Opcode::bra) break;
            if (divides(at))
                divide_as_before(at, anew);
            else
                emit_one(at);
        }
        llvm::BasicBlock* next = is_last ? begin_ : e_.new_block("again");
        if (is_last || block.successors.size() == 1)
            b_.CreateBr(next);
        else
            go_along(step, next, anew);
        b_.SetInsertPoint(next);
    }
}

/// By the branch to the next block of the path, if all lanes go there.
void RowLoop::go_along(std::size_t step, llvm::BasicBlock* next, llvm::BasicBlock* anew) {
    const LaneBlock& block = plan_.blocks[loop_.path[step]];
    const Instruction& branch = e_.function.instructions[block.end - 1];
    e_.begin_instruction(block.end - 1);
    const bool is_taken = block.successors[0] == loop_.path[step + 1];
    Value* goes = nullptr;
    if (const auto comparison = plan_.comparisons[loop_.path[step]]) {
        goes = compare_first_lane(e_, e_.function.instructions[*comparison], is_taken != branch.guard_negated);
    } else {
        Value* guard = e_.read(guard_of(branch), ptx::Type::pred);
        goes = is_taken ? guard : b_.CreateNot(guard);
    }
    b_.CreateCondBr(goes, next, anew);
}

void RowLoop::divide_as_before(std::uint32_t at, llvm::BasicBlock* anew) {
    e_.begin_instruction(at);
    const FlatDivision division = *flat_division(e_.function, plan_.blocks, at);
    Value* x = e_.read(division.x, division.type);
    Value* y = e_.read(division.by, division.type);
    const Kept& kept = kept_.at(at);
    const auto load = [&](llvm::AllocaInst* slot) { return b_.CreateLoad(x->getType(), slot); };
    Value* remainder = b_.CreateSub(x, load(kept.start));
    Value* same = b_.CreateAnd(b_.CreateICmpULT(remainder, load(kept.count)), b_.CreateICmpEQ(y, load(kept.length)));
    llvm::BasicBlock* in_row = e_.new_block("in_row");
    b_.CreateCondBr(same, in_row, anew);
    b_.SetInsertPoint(in_row);
    e_.write(e_.function.instructions[at].operands[0], division.type,
             division.remainder ? remainder : load(kept.quotient));
}

} // namespace warplight::jit
