// SPDX-License-Identifier: Apache-2.0
#include "profile_hooks.hpp"

#include "access_address.hpp"
#include "profile/warp_access.hpp"
#include "software/jit/emit/groups.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace warplight::jit {

using llvm::Value;
using ptx::MemoryAccess;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using software::ProfileCounters;
using software::ProfiledAccess;
using Scope = Operand::Scope;

namespace {

constexpr unsigned kSectorBytes = 32, kBankBytes = 128;

bool is_branch(const ptx::Instruction& i) {
    return i.opcode == Opcode::bra || i.opcode == Opcode::brx || i.opcode == Opcode::ret || i.opcode == Opcode::exit;
}

} // namespace

ProfileHooks::ProfileHooks(Emitter& e)
    : e_(e), b_(e.b), origins_(e.function, instructions_with_accesses(e.function),
                               [&e](const ptx::Root& root) { return memory_of(e, root); }) {}

bool ProfileHooks::counts_warps() const { return e_.lanes.full_width() == software::kWarpSize; }

void ProfileHooks::add(std::size_t field, Value* number) {
    e_.in_entry(counters_, [&] {
        return e_.load_field(e_.place.block(), offsetof(software::BlockContext, profile_counters), b_.getPtrTy(), 0,
                             "counters");
    });
    Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), counters_,
                                              std::uint64_t{e_.site()} * sizeof(ProfileCounters) + field);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), at), number), at);
}

Value* ProfileHooks::number_of(Value* lanes) {
    return b_.CreateZExt(e_.intrinsic(llvm::Intrinsic::ctpop, {lanes}), b_.getInt64Ty());
}

// --- blocks and branches

void ProfileHooks::begin_block() {
    if (!counts_warps()) {
        e_.runtime_call("wl_rt_profile_block", b_.getVoidTy(),
                        {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), e_.site_value()});
    } else if (e_.lanes.active_mask()) {
        add(offsetof(ProfileCounters, executions), 1);
        add(offsetof(ProfileCounters, lanes), number_of(e_.active_bits()));
    } else {
        add(offsetof(ProfileCounters, whole), 1);
    }
}

void ProfileHooks::leave_block(Value* parted) {
    const bool is_bra = e_.function.instructions[e_.instruction()].opcode == Opcode::bra;
    if (!counts_warps() || !is_bra) return;
    add(offsetof(ProfileCounters, divergent), parted ? b_.CreateZExt(parted, b_.getInt64Ty()) : b_.getInt64(1));
}

void ProfileHooks::around(const ptx::Instruction& i, llvm::function_ref<void()> emit) {
    if (i.guarded && !is_branch(i)) add(offsetof(ProfileCounters, on), number_of(e_.active_bits()));
    unsigned number = 0;
    for (const MemoryAccess& each : ptx::accesses_of(i))
        access(i, each, number++);
    const bool calls = i.opcode == Opcode::call && !counts_warps();
    const auto tell_call = [&](bool returns) {
        e_.runtime_call("wl_rt_profile_call", b_.getVoidTy(),
                        {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), b_.getInt32(returns)});
    };
    if (calls) tell_call(false);
    emit();
    if (calls && !b_.GetInsertBlock()->getTerminator()) tell_call(true);
}

// --- accesses

std::optional<Operand> ProfileHooks::local_variable(const ptx::Instruction& i, const MemoryAccess& access) {
    const Operand& address = *access.address;
    const auto is_local = [&](const Operand& variable) {
        return variable.scope == Scope::function && e_.function.variables[variable.index].space == Space::local;
    };
    Operand variable;
    variable.kind = Operand::Kind::variable;
    if (is_by_variable(address)) {
        variable.scope = address.scope;
        variable.index = address.index;
    } else {
        if (!has_base(address) || ptx::accesses_of(i).size() != 1) return std::nullopt;
        const ptx::Origin origin = origins_.of_addresses(e_.instruction());
        if (origin.of != ptx::Origin::Of::root) return std::nullopt;
        variable.scope = origin.root.scope;
        variable.index = origin.root.index;
    }
    return is_local(variable) ? std::optional(variable) : std::nullopt;
}

void ProfileHooks::access(const ptx::Instruction& i, const MemoryAccess& access, unsigned number) {
    const Space space = space_of(e_, *access.address, access.space);
    if (space == Space::constant || !is_hookable(e_, *access.address, access.space)) return;
    if (is_shared(space) && e_.unit.analysis.knows_clusters) return; // an address has the rank of a block
    ProfiledAccess what{};
    what.bytes = access.bytes;
    what.number = number;
    what.atomic = access.reads && access.writes;
    const auto variable = local_variable(i, access);
    what.space = variable                                           ? ProfiledAccess::Space::local
                 : is_shared(space)                                 ? ProfiledAccess::Space::shared
                 : space == Space::generic || space == Space::local ? ProfiledAccess::Space::generic
                                                                    : ProfiledAccess::Space::global;
    if (!counts_warps() || !count_here(i, access, what)) tell(access, what, variable ? &*variable : nullptr);
}

bool ProfileHooks::count_here(const ptx::Instruction& i, const MemoryAccess& access, ProfiledAccess what) {
    const bool is_shared_space = what.space == ProfiledAccess::Space::shared;
    if (i.guarded || what.atomic || !(is_shared_space || what.space == ProfiledAccess::Space::global)) return false;
    const Operand& address = *access.address;
    const bool varies = !is_by_variable(address) && has_base(address) && e_.registers.varies(address.reg);
    if (!varies) {
        // Of more than a word each part of the warp goes through the banks by itself.
        if (is_shared_space && access.bytes > 4) {
            if (e_.lanes.active_mask()) return false;
            count_distances(access, what, 0);
            return true;
        }
        add(is_shared_space ? offsetof(ProfileCounters, shared_uniform) : offsetof(ProfileCounters, uniform), 1);
        return true;
    }
    if (e_.lanes.active_mask() || !e_.plan->is_affine(address.reg)) return false;
    Value* even = e_.registers.is_even(address.reg);
    if (!even) {
        count_distances(access, what, *e_.plan->stride(address.reg));
        return true;
    }
    llvm::BasicBlock* here = e_.new_block("even");
    llvm::BasicBlock* uneven = e_.new_block("uneven");
    llvm::BasicBlock* rest = e_.new_block("rest");
    b_.CreateCondBr(even, here, uneven, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
    b_.SetInsertPoint(uneven);
    tell(access, what, nullptr);
    b_.CreateBr(rest);
    b_.SetInsertPoint(here);
    count_distances(access, what, *e_.plan->stride(address.reg));
    b_.CreateBr(rest);
    b_.SetInsertPoint(rest);
    return true;
}

/// What 32 accesses cost that are equally far apart depends on where the first one lies in a sector, or in the banks.
void ProfileHooks::count_distances(const MemoryAccess& access, ProfiledAccess what, std::int64_t stride) {
    const bool is_shared_space = what.space == ProfiledAccess::Space::shared;
    const unsigned period = is_shared_space ? kBankBytes : kSectorBytes;
    std::vector<std::uint8_t> table, ideal;
    for (unsigned first = 0; first < period; ++first) {
        profile::WarpAccess warp{{}, ~0U, access.bytes};
        // Far enough from 0 for strides that go down; in shared memory addresses have 32 bits.
        constexpr std::uint64_t kMiddle = std::uint64_t{1} << 40;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const std::uint64_t at = kMiddle + first + static_cast<std::uint64_t>(stride) * lane;
            warp.addresses[lane] = is_shared_space ? at & 0xffffffffU : at;
        }
        const auto cost = is_shared_space ? profile::wavefronts_of(warp) : profile::sectors_of(warp);
        table.push_back(static_cast<std::uint8_t>(cost.is));
        ideal.push_back(static_cast<std::uint8_t>(cost.ideal));
    }
    Value* place = nullptr;
    const auto value = [&](const std::vector<std::uint8_t>& numbers) -> Value* {
        // Aligned accesses only: others fault.
        bool same = true;
        for (unsigned first = 0; first < period; first += access.bytes)
            same &= numbers[first] == numbers[0];
        if (same) return b_.getInt64(numbers[0]);
        if (!place) place = b_.CreateZExtOrTrunc(address_of(e_, *access.address, access.space), b_.getInt64Ty());
        return looked_up(numbers, place);
    };
    const auto at = [&](std::size_t global, std::size_t shared) { return is_shared_space ? shared : global; };
    add(at(offsetof(ProfileCounters, requests), offsetof(ProfileCounters, shared_requests)), 1);
    add(at(offsetof(ProfileCounters, sectors), offsetof(ProfileCounters, wavefronts)), value(table));
    add(at(offsetof(ProfileCounters, sectors_ideal), offsetof(ProfileCounters, wavefronts_ideal)), value(ideal));
}

Value* ProfileHooks::looked_up(llvm::ArrayRef<std::uint8_t> table, Value* place) {
    llvm::Constant* data = llvm::ConstantDataArray::get(e_.context, table);
    auto* global =
        new llvm::GlobalVariable(*e_.unit.ir, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data, "costs");
    Value* index = b_.CreateAnd(place, b_.getInt64(table.size() - 1));
    Value* entry = b_.CreateLoad(b_.getInt8Ty(), b_.CreateInBoundsGEP(b_.getInt8Ty(), global, index));
    return b_.CreateZExt(entry, b_.getInt64Ty());
}

void ProfileHooks::tell(const MemoryAccess& access, ProfiledAccess what, const Operand* variable) {
    const Scratch addresses(e_, "addresses", std::size_t{8} * e_.lanes.full_width());
    {
        const auto lanes = e_.lanes.with_full_width();
        Value* at = b_.CreateZExtOrTrunc(address_of(e_, *access.address, access.space), e_.integer_type(64));
        if (variable)
            at = b_.CreateSub(at, b_.CreateZExtOrTrunc(e_.variables.lane_addresses_of(*variable), e_.integer_type(64)));
        b_.CreateAlignedStore(at, addresses.address(), Scratch::alignment());
    }
    e_.runtime_call("wl_rt_profile_access", b_.getVoidTy(),
                    {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), addresses.address(),
                     e_.site_value(), b_.getInt32(what.packed())});
}

} // namespace warplight::jit
