// SPDX-License-Identifier: Apache-2.0
#include "serial_blocks.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

bool is_end_of_block(const Instruction& i) {
    return i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit;
}

/// The code, by itself or in a loop over lanes.
class SerialCode {
public:
    SerialCode(Emitter& e, const SerialBlocks& blocks)
        : e_(e), b_(e.b), head_(blocks.head), last_(blocks.last), bits_(e.b.getIntNTy(e.lanes.full_width())) {
        for (const SerialBlocks::Use& use : blocks.registers())
            add(use);
        for (const std::uint32_t to : blocks.ways_out()) {
            out_[to] = e_.stack_slot(bits_, "out");
            b_.CreateStore(llvm::ConstantInt::get(bits_, 0), out_[to]);
        }
    }

    void emit(Value* mask);
    void emit_one(Value* lane);
    void tell_ways_out(SerialBlocks::Leave leave);

private:
    struct Register {
        llvm::AllocaInst* own = nullptr; ///< of the lane that executes
        std::unique_ptr<Scratch> all;    ///< in a loop over lanes: of all of them. None: they agree, or nobody needs it
        bool is_read = false, is_result = false;
    };

    void add(const SerialBlocks::Use& use);
    void emit_blocks(Value* lane);
    void emit_block(std::uint32_t k);
    void keep_all();
    void take_back();
    void enter_lane(Value* lane);
    void leave_lane(Value* lane);
    [[nodiscard]] llvm::BasicBlock* way_to(std::uint32_t k);
    [[nodiscard]] Type* memory_type(ptx::RegisterId r) const {
        return b_.getIntNTy(std::max(ptx::bits(e_.function.registers[r].type), 8U));
    }
    [[nodiscard]] Type* bits_type(const llvm::VectorType* of) const { return b_.getIntNTy(of->getScalarSizeInBits()); }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const std::uint32_t head_, last_;
    Type* const bits_; ///< one for each lane
    std::map<ptx::RegisterId, Register> registers_;
    Registers::LaneCopies copies_;
    std::vector<llvm::BasicBlock*> blocks_;
    std::map<std::uint32_t, llvm::AllocaInst*> out_;
    llvm::BasicBlock* done_ = nullptr;
    Value* lane_bit_ = nullptr;
};

void SerialCode::add(const SerialBlocks::Use& use) {
    Register& one = registers_[use.of];
    one.own = e_.stack_slot(memory_type(use.of), "own");
    copies_[use.of] = {one.own, false};
    one.is_read = use.is_read;
    one.is_result = use.is_result && e_.registers.is_vector(use.of);
}

/// Copies registers into memory, an element for each lane.
void SerialCode::keep_all() {
    for (auto& [r, one] : registers_) {
        if (!e_.registers.is_vector(r) || (!one.is_read && !one.is_result)) continue;
        llvm::AllocaInst* slot = e_.registers.slot(r);
        Value* all = b_.CreateLoad(slot->getAllocatedType(), slot);
        const unsigned width = e_.lanes.full_width();
        if (all->getType()->getScalarSizeInBits() == 1)
            all = b_.CreateZExt(all, llvm::FixedVectorType::get(b_.getInt8Ty(), width));
        one.all = std::make_unique<Scratch>(e_, "copy", std::size_t{all->getType()->getScalarSizeInBits()} / 8 * width);
        b_.CreateAlignedStore(all, one.all->address(), Scratch::alignment());
    }
}

void SerialCode::emit(Value* mask) {
    Value* all = b_.CreateBitCast(mask, bits_);
    keep_all();
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* turn = e_.new_block("turn");
    llvm::BasicBlock* rest = e_.new_block("rest");
    b_.CreateBr(turn); // some lane is there
    b_.SetInsertPoint(turn);
    llvm::PHINode* left = b_.CreatePHI(bits_, 2);
    left->addIncoming(all, before);
    Value* others = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits_, 1)));
    lane_bit_ = b_.CreateXor(left, others);
    Value* lowest = e_.intrinsic(llvm::Intrinsic::cttz, {bits_}, {left, b_.getTrue()});
    Value* lane = b_.CreateZExtOrTrunc(lowest, b_.getInt32Ty());
    enter_lane(lane);
    emit_blocks(lane);
    leave_lane(lane);
    left->addIncoming(others, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateIsNotNull(others), turn, rest);
    b_.SetInsertPoint(rest);
    take_back();
}

/// Registers need no copies in memory: the lane's element is taken out of them, and put in.
void SerialCode::emit_one(Value* lane) {
    lane_bit_ = b_.CreateShl(llvm::ConstantInt::get(bits_, 1), b_.CreateZExtOrTrunc(lane, bits_));
    enter_lane(lane);
    emit_blocks(lane);
    for (auto& [r, one] : registers_) {
        if (!one.is_result) continue;
        llvm::AllocaInst* slot = e_.registers.slot(r);
        auto* type = llvm::cast<llvm::VectorType>(slot->getAllocatedType());
        Value* own = b_.CreateTrunc(b_.CreateLoad(memory_type(r), one.own), bits_type(type));
        Value* all = b_.CreateLoad(type, slot);
        b_.CreateStore(b_.CreateInsertElement(all, b_.CreateBitCast(own, type->getElementType()), lane), slot);
    }
}

void SerialCode::emit_blocks(Value* lane) {
    for (std::uint32_t k = head_; k <= last_; ++k)
        blocks_.push_back(e_.new_block("alone"));
    done_ = e_.new_block("done");
    b_.CreateBr(blocks_.front());
    {
        const auto index = e_.lanes.with_serial_index(lane);
        const auto copies = e_.registers.with_copies(copies_);
        for (std::uint32_t k = head_; k <= last_; ++k)
            emit_block(k);
    }
    b_.SetInsertPoint(done_);
}

void SerialCode::enter_lane(Value* lane) {
    for (auto& [r, one] : registers_) {
        if (!one.is_read && !one.is_result) continue;
        Value* value = nullptr;
        if (!one.all && e_.registers.is_vector(r)) {
            llvm::AllocaInst* slot = e_.registers.slot(r);
            auto* type = llvm::cast<llvm::VectorType>(slot->getAllocatedType());
            value = b_.CreateExtractElement(b_.CreateLoad(type, slot), lane);
            value = b_.CreateZExt(b_.CreateBitCast(value, bits_type(type)), memory_type(r));
        } else if (one.all) {
            value = b_.CreateLoad(memory_type(r), b_.CreateGEP(memory_type(r), one.all->address(), lane));
        } else {
            const auto index = e_.lanes.with_serial_index(lane);
            value = e_.registers.read(r, e_.function.registers[r].type);
            value = e_.bits_as(value, b_.getIntNTy(ptx::bits(e_.function.registers[r].type)));
            value = b_.CreateZExt(value, memory_type(r));
        }
        b_.CreateStore(value, one.own);
    }
}

void SerialCode::leave_lane(Value* lane) {
    for (auto& [r, one] : registers_)
        if (one.is_result)
            b_.CreateStore(b_.CreateLoad(memory_type(r), one.own),
                           b_.CreateGEP(memory_type(r), one.all->address(), lane));
}

void SerialCode::take_back() {
    for (auto& [r, one] : registers_) {
        if (!one.is_result) continue;
        llvm::AllocaInst* slot = e_.registers.slot(r);
        Type* type = slot->getAllocatedType();
        const bool predicate = type->getScalarSizeInBits() == 1;
        Type* stored = predicate ? llvm::FixedVectorType::get(b_.getInt8Ty(), e_.lanes.full_width()) : type;
        Value* values = b_.CreateAlignedLoad(stored, one.all->address(), Scratch::alignment());
        b_.CreateStore(predicate ? b_.CreateTrunc(values, type) : values, slot);
    }
}

/// To one of the blocks, or out of them.
llvm::BasicBlock* SerialCode::way_to(std::uint32_t k) {
    if (head_ <= k && k <= last_) return blocks_[k - head_];
    llvm::AllocaInst* lanes = out_.at(k);
    llvm::BasicBlock* out = e_.new_block("out");
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(out);
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(bits_, lanes), lane_bit_), lanes);
    b_.CreateBr(done_);
    return out;
}

void SerialCode::emit_block(std::uint32_t k) {
    const auto& all = e_.function.instructions;
    const LaneBlock& block = e_.plan->blocks[k];
    b_.SetInsertPoint(blocks_[k - head_]);
    for (std::uint32_t at = block.begin; at < block.end && !is_end_of_block(all[at]); ++at) {
        const Instruction& i = all[at];
        if (b_.GetInsertBlock()->getTerminator()) b_.SetInsertPoint(e_.new_block("unreached"));
        e_.begin_instruction(at);
        const auto emit = [&] {
            if (!emit_any(e_, i)) e_.unsupported_form(i);
        };
        if (i.guarded)
            e_.emit_if(e_.read(guard_of(i), ptx::Type::pred), emit);
        else
            emit();
    }
    e_.begin_instruction(block.end - 1);
    if (b_.GetInsertBlock()->getTerminator()) return;
    const auto& to = block.successors;
    if (to.size() == 1) {
        b_.CreateBr(way_to(to[0]));
        return;
    }
    Value* taken = e_.read(guard_of(all[block.end - 1]), ptx::Type::pred);
    llvm::BasicBlock* one = way_to(to[0]);
    b_.CreateCondBr(taken, one, way_to(to[1]));
}

/// By block: the lanes that leave the code to it.
void SerialCode::tell_ways_out(SerialBlocks::Leave leave) {
    auto* vector = llvm::FixedVectorType::get(b_.getInt1Ty(), e_.lanes.full_width());
    for (const auto& [to, lanes] : out_)
        leave(to, b_.CreateBitCast(b_.CreateLoad(bits_, lanes), vector));
}

} // namespace

bool SerialBlocks::is_possible(const Emitter& e) {
    return e.hooks.empty() && e.unit.options.access_reports == AccessReports::none && !e.plan->has_spin_loops;
}

bool SerialBlocks::is_plain(const Instruction& i) {
    return !ptx::may_suspend(i) && !is_warp_operation(i) && !uses_carry(i) && !ptx::is_texture(i.opcode) &&
           !ptx::is_matrix(i.opcode) && i.opcode != Opcode::trap && i.opcode != Opcode::call &&
           i.opcode != Opcode::brx && i.opcode != Opcode::alloca;
}

bool SerialBlocks::finish(const Emitter& e) {
    for (std::uint32_t k = head; k <= last; ++k)
        for (const std::uint32_t to : e.plan->blocks[k].successors)
            if (!has(to) && std::ranges::count(ways_out_, to) == 0) ways_out_.push_back(to);
    const auto& all = e.function.instructions;
    std::vector<bool> read(e.function.registers.size()), written(read), outside(read);
    for (std::uint32_t at = 0; at < all.size(); ++at) {
        const bool inside = has(e.plan->blocks.number_of(at));
        ptx::each_read(e.function, all[at], [&](ptx::RegisterId r) { (inside ? read : outside)[r] = true; });
        // A guarded write may leave the old value.
        if (const Operand* to = inside ? ptx::destination_of(all[at]) : nullptr)
            each_register(*to, [&](ptx::RegisterId r) { written[r] = true; });
    }
    for (ptx::RegisterId r = 0; r < read.size(); ++r) {
        if (written[r] && !e.registers.is_vector(r) && outside[r]) return false; // one value for all lanes
        if (written[r] || (read[r] && e.registers.varies(r)))
            registers_.push_back({r, read[r], written[r] && outside[r]});
    }
    return true;
}

void SerialBlocks::emit(Emitter& e, Value* mask, Leave leave) const {
    SerialCode code(e, *this);
    code.emit(mask);
    code.tell_ways_out(leave);
}

void SerialBlocks::emit_one(Emitter& e, Value* lane, Leave leave) const {
    SerialCode code(e, *this);
    code.emit_one(lane);
    code.tell_ways_out(leave);
}

} // namespace warplight::jit
