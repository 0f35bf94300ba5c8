// SPDX-License-Identifier: Apache-2.0
// Where the thread is: the contexts' fields and the special registers made of them.
#include "emitter.hpp"
#include "software/ptx/words.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using software::BlockContext;
using software::LaunchContext;
using software::ThreadContext;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::uint64_t kMaxBlock[3] = {1024, 1024, 64};

void mark_object(llvm::Value* value, llvm::LLVMContext& context, std::uint64_t size) {
    auto* load = llvm::cast<llvm::LoadInst>(value);
    llvm::MDBuilder md(context);
    auto* bytes = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(Type::getInt64Ty(context), size));
    auto* align = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(Type::getInt64Ty(context), 8));
    load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
    load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(context, align));
    if (size) load->setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(context, bytes));
}

} // namespace

Value* Emitter::launch() {
    return in_entry(launch_, [&] {
        Value* v = load_field(block_, offsetof(BlockContext, launch), b.getPtrTy(), 0, "launch");
        mark_object(v, context, sizeof(LaunchContext));
        return v;
    });
}

Value* Emitter::shared_base() {
    return in_entry(shared_base_,
                    [&] { return load_field(block_, offsetof(BlockContext, shared), b.getPtrTy(), 0, "shared"); });
}

Value* Emitter::shared_origin() {
    if (!unit.analysis.knows_clusters) return shared_base();
    return in_entry(cluster_base_, [&] {
        return load_field(block_, offsetof(BlockContext, cluster_shared), b.getPtrTy(), 0, "cluster");
    });
}

Value* Emitter::cluster_rank() {
    return in_entry(cluster_rank_, [&] {
        return load_field(block_, offsetof(BlockContext, cluster_rank), b.getInt32Ty(), software::kMostClusterBlocks,
                          "rank");
    });
}

Value* Emitter::parameters_base() {
    Value* from = launch();
    return in_entry(parameters_base_, [&] {
        Value* v = load_field(from, offsetof(LaunchContext, parameters), b.getPtrTy(), 0, "parameters");
        mark_object(v, context, unit.kernel_parameters.size);
        return v;
    });
}

Value* Emitter::thread_index(unsigned axis) {
    Value* first = in_entry(tid_[axis], [&] {
        return load_field(thread_, offsetof(ThreadContext, tid) + 4 * axis, b.getInt32Ty(), kMaxBlock[axis], "tid");
    });
    return axis == 0 ? plus_turn(first) : first;
}

Value* Emitter::first_linear() {
    return in_entry(
        linear_, [&] { return load_field(thread_, offsetof(ThreadContext, linear), b.getInt32Ty(), 1024, "linear"); });
}

Value* Emitter::linear_thread() { return plus_turn(first_linear()); }

Value* Emitter::special(SR r) {
    auto* i32 = b.getInt32Ty();
    auto* i64 = b.getInt64Ty();
    const auto number = static_cast<unsigned>(r);
    const auto from = [&](SR first) { return number - static_cast<unsigned>(first); };
    const auto of_launch = [&](std::uint64_t offset, Type* type, std::uint64_t below, const char* name) {
        return load_field(launch(), offset, type, below, name);
    };
    const auto lane = [&] { return b.CreateAnd(linear_thread(), 31); };
    const auto lane_bit = [&] { return b.CreateShl(b.getInt32(1), lane()); };

    if (r >= SR::envreg0 && r <= SR::envreg31)
        return of_launch(offsetof(LaunchContext, envreg) + 4 * from(SR::envreg0), i32, 0, "envreg");
    if (r >= SR::pm0 && r <= SR::pm7) return b.getInt32(0);
    if (r >= SR::pm0_64 && r <= SR::pm7_64) return b.getInt64(0);

    switch (r) {
    case SR::tid_x:
    case SR::tid_y:
    case SR::tid_z: return thread_index(from(SR::tid_x));
    case SR::ntid_x:
    case SR::ntid_y:
    case SR::ntid_z: {
        const unsigned axis = from(SR::ntid_x);
        return of_launch(offsetof(LaunchContext, ntid) + 4 * axis, i32, kMaxBlock[axis] + 1, "ntid");
    }
    case SR::ctaid_x:
    case SR::ctaid_y:
    case SR::ctaid_z:
        return load_field(block_, offsetof(BlockContext, ctaid) + 4 * from(SR::ctaid_x), i32, 0x7fffffff, "ctaid");
    case SR::nctaid_x:
    case SR::nctaid_y:
    case SR::nctaid_z:
        return of_launch(offsetof(LaunchContext, nctaid) + 4 * from(SR::nctaid_x), i32, 0x80000000u, "nctaid");
    case SR::laneid: return lane();
    case SR::warpid: return b.CreateLShr(linear_thread(), 5);
    case SR::nwarpid: {
        Value* threads = of_launch(offsetof(LaunchContext, block_threads), i32, 1025, "threads");
        return b.CreateLShr(b.CreateAdd(threads, b.getInt32(31)), 5);
    }
    case SR::smid: return load_field(block_, offsetof(BlockContext, smid), i32, 0, "smid");
    case SR::nsmid: return of_launch(offsetof(LaunchContext, nsmid), i32, 0, "nsmid");
    case SR::gridid: return of_launch(offsetof(LaunchContext, grid_id), i64, 0, "gridid");
    case SR::lanemask_eq: return lane_bit();
    case SR::lanemask_lt: return b.CreateSub(lane_bit(), b.getInt32(1));
    case SR::lanemask_le: return b.CreateLShr(b.getInt32(0xffffffffu), b.CreateSub(b.getInt32(31), lane()));
    case SR::lanemask_ge: return b.CreateShl(b.getInt32(0xffffffffu), lane());
    case SR::lanemask_gt:
        return b.CreateNot(b.CreateLShr(b.getInt32(0xffffffffu), b.CreateSub(b.getInt32(31), lane())));
    case SR::clock: return b.CreateTrunc(runtime_call("wl_rt_clock64", i64, {}), i32);
    case SR::clock_hi: return b.CreateTrunc(b.CreateLShr(runtime_call("wl_rt_clock64", i64, {}), 32), i32);
    case SR::clock64: return runtime_call("wl_rt_clock64", i64, {});
    case SR::globaltimer: return runtime_call("wl_rt_globaltimer", i64, {});
    case SR::globaltimer_lo: return b.CreateTrunc(runtime_call("wl_rt_globaltimer", i64, {}), i32);
    case SR::globaltimer_hi: return b.CreateTrunc(b.CreateLShr(runtime_call("wl_rt_globaltimer", i64, {}), 32), i32);
    case SR::total_smem_size:
    case SR::aggr_smem_size: {
        // In whole units of 128 bytes; or as it is, with what is reserved.
        Value* bytes = b.CreateAdd(of_launch(offsetof(LaunchContext, static_shared), i32, 0, "static_shared"),
                                   of_launch(offsetof(LaunchContext, dynamic_shared), i32, 0, "dynamic_shared"));
        if (r == SR::aggr_smem_size) return b.CreateAdd(bytes, b.getInt32(software::kReservedShared));
        return b.CreateAnd(b.CreateAdd(bytes, b.getInt32(127)), b.getInt32(~127U));
    }
    case SR::dynamic_smem_size: return of_launch(offsetof(LaunchContext, dynamic_shared), i32, 0, "dynamic_shared");
    // Without clusters every block is a cluster of its own.
    case SR::is_explicit_cluster:
        return b.CreateIsNotNull(of_launch(offsetof(LaunchContext, explicit_cluster), i32, 0, "explicit"));
    case SR::clusterid_x:
    case SR::clusterid_y:
    case SR::clusterid_z:
        return load_field(block_, offsetof(BlockContext, clusterid) + 4 * from(SR::clusterid_x), i32, 0x7fffffff,
                          "clusterid");
    case SR::nclusterid_x:
    case SR::nclusterid_y:
    case SR::nclusterid_z:
        return of_launch(offsetof(LaunchContext, nclusters) + 4 * from(SR::nclusterid_x), i32, 0x80000000u,
                         "nclusterid");
    case SR::cluster_ctaid_x:
    case SR::cluster_ctaid_y:
    case SR::cluster_ctaid_z:
        return load_field(block_, offsetof(BlockContext, cluster_ctaid) + 4 * from(SR::cluster_ctaid_x), i32,
                          software::kMostClusterBlocks, "cluster_ctaid");
    case SR::cluster_ctarank: return cluster_rank();
    case SR::cluster_nctaid_x:
    case SR::cluster_nctaid_y:
    case SR::cluster_nctaid_z:
        return of_launch(offsetof(LaunchContext, cluster) + 4 * from(SR::cluster_nctaid_x), i32,
                         software::kMostClusterBlocks + 1, "cluster_nctaid");
    case SR::cluster_nctarank:
        return of_launch(offsetof(LaunchContext, cluster_blocks), i32, software::kMostClusterBlocks + 1, "blocks");
    // What cooperative groups use lies behind the dynamic memory.
    case SR::reserved_smem_offset_begin:
    case SR::reserved_smem_offset_0:
    case SR::reserved_smem_offset_1:
    case SR::reserved_smem_offset_end:
    case SR::reserved_smem_offset_cap: {
        Value* at = of_launch(offsetof(LaunchContext, reserved_shared), i32, 0, "reserved");
        if (r == SR::reserved_smem_offset_cap) return b.getInt32(software::kReservedShared);
        if (r == SR::reserved_smem_offset_end) at = b.CreateAdd(at, b.getInt32(software::kReservedShared));
        if (unit.analysis.knows_clusters)
            at = b.CreateOr(at, b.CreateShl(cluster_rank(), software::kClusterStrideBits));
        return at;
    }
    case SR::current_graph_exec: return b.getInt64(0);
    default: throw EmitError("special register '%" + std::string(ptx::spelling(r)) + "' is not supported");
    }
}

} // namespace warplight::jit
