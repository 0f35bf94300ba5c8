// SPDX-License-Identifier: Apache-2.0
#include "wait_hooks.hpp"

#include "access_address.hpp"
#include "software/ptx/flow.hpp"
#include "software/ptx/waiting_loops.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using software::WaitEvent;

WaitHooks::WaitHooks(Emitter& e)
    : e_(e), loops_(ptx::waiting_loops(e.function)), is_behind_(e.function.instructions.size()) {
    const ptx::FlowGraph graph(e.function);
    for (const ptx::BasicBlock& block : graph.blocks())
        for (const std::uint32_t next : block.successors)
            if (next != graph.end() && loops_[block.begin] != 0 &&
                loops_[graph.blocks()[next].begin] != loops_[block.begin])
                is_behind_[graph.blocks()[next].begin] = true;
}

void WaitHooks::begin_block() {
    if (!e_.plan && is_behind_[e_.instruction()]) tell(e_.integer(64, 0), WaitEvent::leaves, e_.integer(64, 0));
}

void WaitHooks::around(const ptx::Instruction& i, llvm::function_ref<void()> emit) {
    if (i.aid != ptx::Aid::none || e_.plan) return emit();
    if (i.opcode == Opcode::mbarrier || (i.opcode == Opcode::cp && i.has(Modifier::mbarrier))) tell_object(i);
    if (i.opcode == Opcode::ld && loops_[e_.instruction()] != 0) {
        const Operand& address = i.operands.at(1);
        if (is_hookable(e_, address, i.space)) tell_at(address, i.space, WaitEvent::reads, e_.integer(64, 0));
    }
    emit();
}

void WaitHooks::tell_object(const ptx::Instruction& i) {
    const auto number = [&](std::size_t k) {
        return e_.b.CreateZExt(e_.read(i.operands.at(k), ptx::Type::b32), e_.b.getInt64Ty());
    };
    const std::size_t at = i.operands.at(0).kind != Operand::Kind::address ? 1 : 0;
    if (i.opcode == Opcode::cp) {
        // Without .noinc the arrival is one more than the object counts on.
        if (i.has(Modifier::noinc)) tell_at(i.operands.at(0), i.space, WaitEvent::arrives, e_.integer(64, 1));
    } else if (i.has(Modifier::init)) {
        tell_at(i.operands.at(0), i.space, WaitEvent::initialises, number(1));
    } else if (i.has(Modifier::inval)) {
        tell_at(i.operands.at(0), i.space, WaitEvent::invalidates, e_.integer(64, 0));
    } else if (i.has(Modifier::arrive) || i.has(Modifier::arrive_drop)) {
        const bool counts = !i.has(Modifier::expect_tx) && at + 1 < i.operands.size();
        tell_at(i.operands.at(at), i.space, WaitEvent::arrives, counts ? number(at + 1) : e_.integer(64, 1));
    } else if (ptx::waits_at_object(i)) {
        if (i.has(Modifier::parity))
            tell_at(i.operands.at(1), i.space, WaitEvent::waits_parity, number(2));
        else
            tell_at(i.operands.at(1), i.space, WaitEvent::waits_phase, e_.read(i.operands.at(2), ptx::Type::b64));
    }
}

void WaitHooks::tell_at(const Operand& address, ptx::Space space, WaitEvent event, Value* value) {
    Value* at = e_.addresses.pointer(address, space_of(e_, address, space));
    tell(e_.b.CreatePtrToInt(at, e_.b.getInt64Ty()), event, value);
}

void WaitHooks::tell(Value* address, WaitEvent event, Value* value) {
    e_.runtime_call("wl_rt_wait", e_.b.getVoidTy(),
                    {e_.place.block(), e_.place.linear_thread(), e_.site_value(), address,
                     e_.integer(32, static_cast<std::uint64_t>(event)), value});
}

} // namespace warplight::jit
