// SPDX-License-Identifier: Apache-2.0
#include "emit_error.hpp"
#include "software/ptx/words.hpp"
#include "thread_place.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using software::BlockContext;
using software::LaunchContext;
using SR = ptx::SpecialRegister;

namespace {

unsigned distance(SR r, SR first) { return static_cast<unsigned>(r) - static_cast<unsigned>(first); }

} // namespace

Value* ThreadPlace::special(SR r) {
    if (code_.lanes.width() == 1) return scalar_special(r);
    if (r >= SR::lanemask_eq && r <= SR::lanemask_gt) {
        Value* bit = b_.CreateShl(code_.types.integer(32, 1), special(SR::laneid));
        Value* below = b_.CreateSub(bit, code_.types.integer(32, 1));
        switch (r) {
        case SR::lanemask_eq: return bit;
        case SR::lanemask_lt: return below;
        case SR::lanemask_le: return b_.CreateOr(below, bit);
        case SR::lanemask_ge: return b_.CreateNot(below);
        default: return b_.CreateNot(b_.CreateOr(below, bit));
        }
    }
    Value* first = code_.splat(scalar_special(r));
    if (r != SR::tid_x && r != SR::laneid) return first;
    llvm::SmallVector<llvm::Constant*> steps;
    for (unsigned k = 0; k < code_.lanes.width(); ++k)
        steps.push_back(llvm::ConstantInt::get(first->getType()->getScalarType(), k));
    return b_.CreateAdd(first, llvm::ConstantVector::get(steps));
}

Value* ThreadPlace::scalar_special(SR r) {
    if (Value* v = numbered_special(r)) return v;
    if (Value* v = grid_special(r)) return v;
    if (Value* v = warp_special(r)) return v;
    if (Value* v = clock_special(r)) return v;
    if (Value* v = shared_special(r)) return v;
    if (Value* v = cluster_special(r)) return v;
    throw EmitError("special register '%" + std::string(ptx::spelling(r)) + "' is not supported");
}

Value* ThreadPlace::numbered_special(SR r) {
    if (r >= SR::envreg0 && r <= SR::envreg31)
        return launch_field(offsetof(LaunchContext, envreg) + 4 * distance(r, SR::envreg0), b_.getInt32Ty(), 0,
                            "envreg");
    if (r >= SR::pm0 && r <= SR::pm7) return b_.getInt32(0);
    if (r >= SR::pm0_64 && r <= SR::pm7_64) return b_.getInt64(0);
    return nullptr;
}

Value* ThreadPlace::grid_special(SR r) {
    auto* i32 = b_.getInt32Ty();
    switch (r) {
    case SR::tid_x:
    case SR::tid_y:
    case SR::tid_z: return thread_index(distance(r, SR::tid_x));
    case SR::ntid_x:
    case SR::ntid_y:
    case SR::ntid_z: {
        const unsigned axis = distance(r, SR::ntid_x);
        Value* extent = launch_field(offsetof(LaunchContext, ntid) + 4 * axis, i32, kMostThreads[axis] + 1, "ntid");
        return axis == 0 ? of_whole_vectors(extent) : extent;
    }
    case SR::ctaid_x:
        if (joined_) return joined_;
        [[fallthrough]];
    case SR::ctaid_y:
    case SR::ctaid_z:
        return block_field(offsetof(BlockContext, ctaid) + 4 * distance(r, SR::ctaid_x), 0x7fffffff, "ctaid");
    case SR::nctaid_x:
    case SR::nctaid_y:
    case SR::nctaid_z:
        return launch_field(offsetof(LaunchContext, nctaid) + 4 * distance(r, SR::nctaid_x), i32, 0x80000000u,
                            "nctaid");
    case SR::turn: return turn_;
    case SR::smid: return block_field(offsetof(BlockContext, smid), 0, "smid");
    case SR::nsmid: return launch_field(offsetof(LaunchContext, nsmid), i32, 0, "nsmid");
    case SR::gridid: return launch_field(offsetof(LaunchContext, grid_id), b_.getInt64Ty(), 0, "gridid");
    case SR::current_graph_exec: return b_.getInt64(0);
    default: return nullptr;
    }
}

Value* ThreadPlace::warp_special(SR r) {
    const auto lane = [&] { return b_.CreateAnd(linear_thread(), 31); };
    const auto lane_bit = [&] { return b_.CreateShl(b_.getInt32(1), lane()); };
    switch (r) {
    case SR::laneid: return lane();
    case SR::warpid: return b_.CreateLShr(linear_thread(), 5);
    case SR::nwarpid: {
        Value* threads = launch_field(offsetof(LaunchContext, block_threads), b_.getInt32Ty(), 1025, "threads");
        return b_.CreateLShr(b_.CreateAdd(threads, b_.getInt32(31)), 5);
    }
    case SR::lanemask_eq: return lane_bit();
    case SR::lanemask_lt: return b_.CreateSub(lane_bit(), b_.getInt32(1));
    case SR::lanemask_le: return b_.CreateLShr(b_.getInt32(0xffffffffu), b_.CreateSub(b_.getInt32(31), lane()));
    case SR::lanemask_ge: return b_.CreateShl(b_.getInt32(0xffffffffu), lane());
    case SR::lanemask_gt:
        return b_.CreateNot(b_.CreateLShr(b_.getInt32(0xffffffffu), b_.CreateSub(b_.getInt32(31), lane())));
    default: return nullptr;
    }
}

Value* ThreadPlace::clock_special(SR r) {
    auto* i32 = b_.getInt32Ty();
    const auto clock = [&] { return code_.runtime_call("wl_rt_clock64", b_.getInt64Ty(), {}); };
    const auto timer = [&] { return code_.runtime_call("wl_rt_globaltimer", b_.getInt64Ty(), {}); };
    switch (r) {
    case SR::clock: return b_.CreateTrunc(clock(), i32);
    case SR::clock_hi: return b_.CreateTrunc(b_.CreateLShr(clock(), 32), i32);
    case SR::clock64: return clock();
    case SR::globaltimer: return timer();
    case SR::globaltimer_lo: return b_.CreateTrunc(timer(), i32);
    case SR::globaltimer_hi: return b_.CreateTrunc(b_.CreateLShr(timer(), 32), i32);
    default: return nullptr;
    }
}

Value* ThreadPlace::shared_special(SR r) {
    auto* i32 = b_.getInt32Ty();
    const auto dynamic_bytes = [&] {
        return launch_field(offsetof(LaunchContext, dynamic_shared), i32, 0, "dynamic_shared");
    };
    switch (r) {
    case SR::total_smem_size:
    case SR::aggr_smem_size: {
        Value* dynamic = dynamic_bytes();
        Value* fixed = launch_field(offsetof(LaunchContext, static_shared), i32, 0, "static_shared");
        Value* bytes = b_.CreateAdd(fixed, dynamic);
        if (r == SR::aggr_smem_size) return b_.CreateAdd(bytes, b_.getInt32(software::kReservedShared));
        return b_.CreateAnd(b_.CreateAdd(bytes, b_.getInt32(127)), b_.getInt32(~127U)); // whole units of 128 bytes
    }
    case SR::dynamic_smem_size: return dynamic_bytes();
    // Memory of cooperative groups lies behind the dynamic memory.
    case SR::reserved_smem_offset_begin:
    case SR::reserved_smem_offset_0:
    case SR::reserved_smem_offset_1:
    case SR::reserved_smem_offset_end:
    case SR::reserved_smem_offset_cap: {
        Value* at = launch_field(offsetof(LaunchContext, reserved_shared), i32, 0, "reserved");
        if (r == SR::reserved_smem_offset_cap) return b_.getInt32(software::kReservedShared);
        if (r == SR::reserved_smem_offset_end) at = b_.CreateAdd(at, b_.getInt32(software::kReservedShared));
        if (code_.unit.analysis.knows_clusters)
            at = b_.CreateOr(at, b_.CreateShl(cluster_rank(), software::kClusterStrideBits));
        return at;
    }
    default: return nullptr;
    }
}

Value* ThreadPlace::cluster_special(SR r) {
    auto* i32 = b_.getInt32Ty();
    switch (r) {
    // Without clusters every block is a cluster of its own.
    case SR::is_explicit_cluster:
        return b_.CreateIsNotNull(launch_field(offsetof(LaunchContext, explicit_cluster), i32, 0, "explicit"));
    case SR::clusterid_x:
    case SR::clusterid_y:
    case SR::clusterid_z:
        return block_field(offsetof(BlockContext, clusterid) + 4 * distance(r, SR::clusterid_x), 0x7fffffff,
                           "clusterid");
    case SR::nclusterid_x:
    case SR::nclusterid_y:
    case SR::nclusterid_z:
        return launch_field(offsetof(LaunchContext, nclusters) + 4 * distance(r, SR::nclusterid_x), i32, 0x80000000u,
                            "nclusterid");
    case SR::cluster_ctaid_x:
    case SR::cluster_ctaid_y:
    case SR::cluster_ctaid_z:
        return block_field(offsetof(BlockContext, cluster_ctaid) + 4 * distance(r, SR::cluster_ctaid_x),
                           software::kMostClusterBlocks, "cluster_ctaid");
    case SR::cluster_ctarank: return cluster_rank();
    case SR::cluster_nctaid_x:
    case SR::cluster_nctaid_y:
    case SR::cluster_nctaid_z:
        return launch_field(offsetof(LaunchContext, cluster) + 4 * distance(r, SR::cluster_nctaid_x), i32,
                            software::kMostClusterBlocks + 1, "cluster_nctaid");
    case SR::cluster_nctarank:
        return launch_field(offsetof(LaunchContext, cluster_blocks), i32, software::kMostClusterBlocks + 1, "blocks");
    default: return nullptr;
    }
}

} // namespace warplight::jit
