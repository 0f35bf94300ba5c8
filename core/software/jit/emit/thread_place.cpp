// SPDX-License-Identifier: Apache-2.0
#include "thread_place.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using software::BlockContext;
using software::LaunchContext;
using software::ThreadContext;

void mark_object(llvm::Value* value, llvm::LLVMContext& context, std::uint64_t size) {
    auto* load = llvm::cast<llvm::LoadInst>(value);
    llvm::MDBuilder md(context);
    auto* bytes = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(Type::getInt64Ty(context), size));
    auto* align = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(Type::getInt64Ty(context), 8));
    load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
    load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(context, align));
    if (size) load->setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(context, bytes));
}

ThreadPlace::ThreadPlace(FunctionCode& code) : code_(code), b_(code.b) {
    if (code.coroutine) {
        thread_ = code.target.getArg(0);
        block_ = code.load_field(thread_, offsetof(ThreadContext, block), b_.getPtrTy(), 0, "block");
        return;
    }
    block_ = code.target.getArg(0);
    for (unsigned axis = 0; axis < 3; ++axis)
        tid_[axis] = code.target.getArg(1 + axis);
    linear_ = of_whole_vectors(code.target.getArg(4));
    if (code.unit.joins_blocks) joined_ = code.target.getArg(5);
    if (code.unit.loops_in_rows) {
        next_x_ = code.target.getArg(code.target.arg_size() - 1);
        moving_x_ = code.stack_variable(tid_[0], "x");
        moving_linear_ = code.stack_variable(linear_, "linear");
    }
    if (code.unit.leaves_idle_rows) {
        unsigned next = code.unit.joins_blocks ? 6 : 5;
        if (joined_) last_block_ = code.target.getArg(next++);
        idle_row_ = code.target.getArg(next++);
        idle_rows_ = code.target.getArg(next);
    }
    if (!code.unit.has_turns) return;
    turn_ = code.target.getArg(6);
    goes_on_ = code.target.getArg(7);
}

Value* ThreadPlace::launch() {
    return code_.in_entry(launch_, [&] {
        Value* v = code_.load_field(block_, offsetof(BlockContext, launch), b_.getPtrTy(), 0, "launch");
        mark_object(v, code_.context, sizeof(LaunchContext));
        return v;
    });
}

Value* ThreadPlace::shared_base() {
    return code_.in_entry(shared_base_, [&] {
        return code_.load_field(block_, offsetof(BlockContext, shared), code_.device_pointer(), 0, "shared");
    });
}

Value* ThreadPlace::shared_origin() {
    if (!code_.unit.analysis.knows_clusters) return shared_base();
    return code_.in_entry(cluster_base_, [&] {
        return code_.load_field(block_, offsetof(BlockContext, cluster_shared), code_.device_pointer(), 0, "cluster");
    });
}

Value* ThreadPlace::cluster_rank() {
    return code_.in_entry(cluster_rank_, [&] {
        return block_field(offsetof(BlockContext, cluster_rank), software::kMostClusterBlocks, "rank");
    });
}

Value* ThreadPlace::shadow_distance() {
    Value* from = launch();
    return code_.in_entry(shadow_distance_, [&] {
        return code_.load_field(from, offsetof(LaunchContext, shadow_distance), b_.getInt64Ty(), 0, "shadows");
    });
}

ThreadPlace::Sum ThreadPlace::sum(std::uint32_t number) {
    Sum& known = sums_.at(number);
    const auto field = [&](Value*& cache, std::size_t offset, Type* type, const char* name) {
        const std::size_t at = offsetof(BlockContext, sums) + number * sizeof(software::SumCopy) + offset;
        (void)code_.in_entry(cache, [&] { return code_.load_field(block_, at, type, 0, name); });
    };
    field(known.begin, offsetof(software::SumCopy, begin), b_.getInt64Ty(), "sums");
    field(known.bytes, offsetof(software::SumCopy, bytes), b_.getInt64Ty(), "bytes");
    field(known.copy, offsetof(software::SumCopy, copy), code_.device_pointer(), "copy");
    return known;
}

Value* ThreadPlace::parameters_base() {
    Value* from = launch();
    return code_.in_entry(parameters_base_, [&] {
        Value* v = code_.load_field(from, offsetof(LaunchContext, parameters), code_.device_pointer(), 0, "parameters");
        mark_object(v, code_.context, code_.unit.kernel_parameters.size);
        return v;
    });
}

Value* ThreadPlace::has_next_vector() {
    Value* next = b_.CreateAdd(thread_index(0), b_.getInt32(code_.lanes.full_width()), "", true, true);
    return b_.CreateICmpULT(next, special(ptx::SpecialRegister::ntid_x));
}

void ThreadPlace::go_to_next_vector() {
    for (llvm::AllocaInst* slot : {moving_x_, moving_linear_}) {
        Value* here = b_.CreateLoad(b_.getInt32Ty(), slot);
        b_.CreateStore(b_.CreateAdd(here, b_.getInt32(code_.lanes.full_width()), "", true, true), slot);
    }
}

void ThreadPlace::tell_next_vector(bool is_this) {
    Value* x = b_.CreateLoad(b_.getInt32Ty(), moving_x_);
    b_.CreateStore(is_this ? x : b_.CreateAdd(x, b_.getInt32(code_.lanes.full_width()), "", true, true), next_x_);
}

Value* ThreadPlace::thread_index(unsigned axis) {
    if (axis == 0 && moving_x_) return plus_lane(of_whole_vectors(b_.CreateLoad(b_.getInt32Ty(), moving_x_)));
    Value* first = code_.in_entry(tid_[axis], [&] {
        Value* number = code_.load_field(thread_, offsetof(ThreadContext, tid) + 4 * axis, b_.getInt32Ty(),
                                         kMostThreads[axis], "tid");
        return axis == 0 ? of_whole_vectors(number) : number;
    });
    return axis == 0 ? plus_lane(first) : first;
}

Value* ThreadPlace::first_linear_thread() {
    if (moving_linear_) return of_whole_vectors(b_.CreateLoad(b_.getInt32Ty(), moving_linear_));
    return code_.in_entry(linear_, [&] {
        return of_whole_vectors(
            code_.load_field(thread_, offsetof(ThreadContext, linear), b_.getInt32Ty(), 1024, "linear"));
    });
}

Value* ThreadPlace::of_whole_vectors(Value* first) {
    const unsigned width = code_.lanes.full_width();
    return width > 1 ? b_.CreateAnd(first, b_.getInt32(0U - width)) : first;
}

Value* ThreadPlace::linear_thread() { return plus_lane(first_linear_thread()); }

Value* ThreadPlace::plus_lane(Value* of_first_lane) {
    const int number = code_.lanes.lane();
    Value* lane = code_.lanes.serial_index();
    if (!lane && number > 0) lane = b_.getInt32(static_cast<unsigned>(number));
    return lane ? b_.CreateAdd(of_first_lane, lane) : of_first_lane;
}

Value* ThreadPlace::first_active(Value* of_first_lane) {
    if (code_.lanes.serial_index() || code_.lanes.lane() > 0 || !code_.lanes.active_mask())
        return plus_lane(of_first_lane);
    Value* lane = b_.CreateIntrinsic(llvm::Intrinsic::cttz, {b_.getInt32Ty()}, {code_.active_bits(), b_.getFalse()});
    return b_.CreateAdd(of_first_lane, lane);
}

Value* ThreadPlace::launch_field(std::uint64_t offset, Type* type, std::uint64_t below, const char* name) {
    return code_.load_field(launch(), offset, type, below, name);
}

Value* ThreadPlace::block_field(std::uint64_t offset, std::uint64_t below, const char* name) {
    llvm::LoadInst* value = code_.load_field(block_, offset, b_.getInt32Ty(), below, name);
    // A round goes on to the next block in the same context.
    if (code_.coroutine) value->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
    return value;
}

} // namespace warplight::jit
