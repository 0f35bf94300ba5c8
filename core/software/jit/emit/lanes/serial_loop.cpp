// SPDX-License-Identifier: Apache-2.0
#include "serial_loop.hpp"

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

constexpr std::uint32_t kLong = 64; ///< instructions

bool is_plain(const Instruction& i) {
    return !ptx::may_suspend(i) && !is_warp_operation(i) && !uses_carry(i) && !ptx::is_texture(i.opcode) &&
           !ptx::is_matrix(i.opcode) && i.opcode != Opcode::trap && i.opcode != Opcode::call &&
           i.opcode != Opcode::brx && i.opcode != Opcode::alloca;
}

bool is_end_of_block(const Instruction& i) {
    return i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit;
}

/// An access at addresses that differ from lane to lane.
bool is_access(const Emitter& e, const Instruction& i) {
    if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) || i.space == ptx::Space::param) return false;
    return !e.plan->uniform(i.operands.at(i.opcode == Opcode::ld ? 1 : 0));
}

/// The loop for one lane after the other.
class Code {
public:
    Code(Emitter& e, std::uint32_t head, std::uint32_t last) : e_(e), b_(e.b), head_(head), last_(last) {
        const unsigned width = e.lanes.full_width();
        bits_ = b_.getIntNTy(width);
    }

    void use(ptx::RegisterId r, bool is_read, bool is_result);
    /// Lanes leave the loop to this block.
    void add_way_out(std::uint32_t k) {
        out_[k] = e_.stack_slot(bits_, "out");
        b_.CreateStore(llvm::ConstantInt::get(bits_, 0), out_[k]);
    }
    void emit(Value* mask);
    /// Behind the loop: registers have what the lanes wrote.
    void take_back();
    /// By block: the lanes that leave the loop to it.
    [[nodiscard]] const std::map<std::uint32_t, llvm::AllocaInst*>& lanes_out() const { return out_; }
    [[nodiscard]] Type* bits() const { return bits_; }

private:
    struct Register {
        llvm::AllocaInst* own = nullptr; ///< of the lane that executes
        std::unique_ptr<Scratch> all;    ///< of all lanes; none: they agree, or nobody needs it
        bool is_read = false, is_result = false;
    };

    void emit_block(std::uint32_t k);
    void enter_lane(Value* lane);
    void leave_lane(Value* lane);
    [[nodiscard]] llvm::BasicBlock* way_to(std::uint32_t k);
    [[nodiscard]] Type* memory_type(ptx::RegisterId r) const {
        return b_.getIntNTy(std::max(ptx::bits(e_.function.registers[r].type), 8U));
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const std::uint32_t head_, last_;
    Type* bits_ = nullptr;
    std::map<ptx::RegisterId, Register> registers_;
    Registers::LaneCopies copies_;
    std::vector<llvm::BasicBlock*> blocks_;
    std::map<std::uint32_t, llvm::AllocaInst*> out_;
    llvm::BasicBlock* done_ = nullptr;
    Value* lane_bit_ = nullptr;
};

void Code::use(ptx::RegisterId r, bool is_read, bool is_result) {
    Register& one = registers_[r];
    one.own = e_.stack_slot(memory_type(r), "own");
    copies_[r] = {one.own, false};
    one.is_read = is_read;
    one.is_result = is_result && e_.registers.is_vector(r);
    if (!e_.registers.is_vector(r) || (!is_read && !is_result)) return;
    llvm::AllocaInst* slot = e_.registers.slot(r);
    Value* all = b_.CreateLoad(slot->getAllocatedType(), slot);
    const unsigned width = e_.lanes.full_width();
    if (all->getType()->getScalarSizeInBits() == 1)
        all = b_.CreateZExt(all, llvm::FixedVectorType::get(b_.getInt8Ty(), width));
    one.all = std::make_unique<Scratch>(e_, "copy", std::size_t{all->getType()->getScalarSizeInBits()} / 8 * width);
    b_.CreateAlignedStore(all, one.all->address(), Scratch::alignment());
}

void Code::emit(Value* mask) {
    Value* all = b_.CreateBitCast(mask, bits_);
    for (std::uint32_t k = head_; k <= last_; ++k)
        blocks_.push_back(e_.new_block("alone"));
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* turn = e_.new_block("turn");
    llvm::BasicBlock* rest = e_.new_block("rest");
    done_ = e_.new_block("done");
    b_.CreateBr(turn); // some lane is there
    b_.SetInsertPoint(turn);
    llvm::PHINode* left = b_.CreatePHI(bits_, 2);
    left->addIncoming(all, before);
    Value* others = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits_, 1)));
    lane_bit_ = b_.CreateXor(left, others);
    Value* lowest = e_.intrinsic(llvm::Intrinsic::cttz, {bits_}, {left, b_.getTrue()});
    Value* lane = b_.CreateZExtOrTrunc(lowest, b_.getInt32Ty());
    enter_lane(lane);
    b_.CreateBr(blocks_.front());
    {
        const auto index = e_.lanes.with_serial_index(lane);
        const auto copies = e_.registers.with_copies(copies_);
        for (std::uint32_t k = head_; k <= last_; ++k)
            emit_block(k);
    }
    b_.SetInsertPoint(done_);
    leave_lane(lane);
    left->addIncoming(others, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateIsNotNull(others), turn, rest);
    b_.SetInsertPoint(rest);
}

void Code::enter_lane(Value* lane) {
    for (auto& [r, one] : registers_) {
        if (!one.is_read && !one.all) continue;
        Value* value = nullptr;
        if (one.all) {
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

void Code::leave_lane(Value* lane) {
    for (auto& [r, one] : registers_)
        if (one.is_result)
            b_.CreateStore(b_.CreateLoad(memory_type(r), one.own),
                           b_.CreateGEP(memory_type(r), one.all->address(), lane));
}

void Code::take_back() {
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

/// To a block of the loop, or out of it.
llvm::BasicBlock* Code::way_to(std::uint32_t k) {
    if (head_ <= k && k <= last_) return blocks_[k - head_];
    llvm::AllocaInst* lanes = out_.at(k);
    llvm::BasicBlock* out = e_.new_block("out");
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    b_.SetInsertPoint(out);
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(bits_, lanes), lane_bit_), lanes);
    b_.CreateBr(done_);
    return out;
}

void Code::emit_block(std::uint32_t k) {
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

} // namespace

std::optional<SerialLoop> SerialLoop::find(const Emitter& e, std::uint32_t head) {
    if (!e.hooks.empty() || e.unit.options.access_reports != AccessReports::none || e.plan->has_spin_loops)
        return std::nullopt;
    // Where lanes of a warp work on one row, they leave its loops in the last turn or the one before.
    if (e.plan->has_warp_operations) return std::nullopt;
    SerialLoop loop;
    loop.head_ = head;
    if (!loop.find_blocks(*e.plan) || !loop.pays(e) || !loop.find_registers(e)) return std::nullopt;
    return loop;
}

bool SerialLoop::find_blocks(const LanePlan& plan) {
    last_ = static_cast<std::uint32_t>(plan.blocks.size());
    for (std::uint32_t k = head_; k < plan.blocks.size(); ++k)
        if (std::ranges::count(plan.blocks[k].successors, head_) > 0) last_ = k;
    if (last_ == plan.blocks.size()) return false;
    for (std::uint32_t k = head_; k <= last_; ++k) {
        const LaneBlock& block = plan.blocks[k];
        if (!block.masked || !block.divergent || plan.grid_stride_loops.contains(block.end - 1)) return false;
        // In `j += 32` up to a number, lanes leave in the last turn only: two lanes decide for all.
        if (plan.comparisons[k] && std::ranges::any_of(block.successors, [&](std::uint32_t to) { return !has(to); }))
            return false;
        for (const std::uint32_t to : block.successors) {
            if (to <= k && to != head_) return false; // not the innermost one, or it goes on with an outer one
            if (!has(to) && std::ranges::count(ways_out_, to) == 0) ways_out_.push_back(to);
        }
    }
    return true;
}

bool SerialLoop::find_registers(const Emitter& e) {
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
        if (written[r]) written_.push_back(r);
        if (read[r] && (written[r] || e.registers.varies(r))) read_.push_back(r);
    }
    return true;
}

/// In cycles, about.
bool SerialLoop::pays(const Emitter& e) {
    constexpr double kTurn = 6, kVector = .5, kGather = 9, kThreadTurn = 3, kThread = .4;
    constexpr double kVectorLanes = 16;
    const auto& all = e.function.instructions;
    unsigned length = 0, accesses = 0, vectors = 0;
    for (std::uint32_t at = e.plan->blocks[head_].begin; at < e.plan->blocks[last_].end; ++at) {
        if (!is_plain(all[at])) return false;
        ++length;
        const ptx::RegisterId* to = ptx::destination_register(all[at]);
        if (is_access(e, all[at]))
            ++accesses;
        else if (to && e.registers.is_vector(*to))
            ++vectors;
    }
    if (length > kLong || accesses == 0) return false;
    const unsigned width = e.lanes.full_width();
    const double by_lanes = kTurn + (kVector * vectors + kGather * accesses) * width / kVectorLanes;
    const double by_thread = kThreadTurn + kThread * (vectors + accesses);
    most_lanes_ = std::min(width / 4, static_cast<unsigned>(by_lanes / by_thread));
    return most_lanes_ > 0;
}

void SerialLoop::emit(Emitter& e, Value* mask, llvm::function_ref<void(std::uint32_t, Value*)> leave) const {
    llvm::IRBuilder<>& b = e.b;
    Code code(e, head_, last_);
    const auto& local = e.plan->registers.block_local;
    const auto is_in = [](const std::vector<ptx::RegisterId>& all, ptx::RegisterId r) {
        return std::ranges::binary_search(all, r);
    };
    for (const ptx::RegisterId r : read_)
        code.use(r, true, is_in(written_, r) && !local[r]);
    for (const ptx::RegisterId r : written_)
        if (!is_in(read_, r)) code.use(r, false, !local[r]);
    for (const std::uint32_t k : ways_out_)
        code.add_way_out(k);
    code.emit(mask);
    code.take_back();
    auto* vector = llvm::FixedVectorType::get(b.getInt1Ty(), e.lanes.full_width());
    for (const auto& [to, lanes] : code.lanes_out())
        leave(to, b.CreateBitCast(b.CreateLoad(code.bits(), lanes), vector));
}

} // namespace warplight::jit
