// SPDX-License-Identifier: Apache-2.0
#include "trace_hooks.hpp"

#include "access_address.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/memory/texture_operands.hpp"
#include "software/ptx/first_looks.hpp"
#include "software/ptx/split_updates.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Space;
using software::CopyEvent;
using software::FenceScope;
using software::TracedAccess;

namespace {

FenceScope scope_of(const ptx::Instruction& i) {
    if (i.has(Modifier::cta)) return FenceScope::block;
    return i.has(Modifier::cluster) ? FenceScope::cluster : FenceScope::device;
}

ptx::Type type_of(const ptx::Instruction& i) { return i.types[i.type_count ? i.type_count - 1U : 0U]; }

TracedAccess traced(const ptx::Instruction& i, const ptx::MemoryAccess& access) {
    TracedAccess what{};
    what.bytes = access.bytes;
    what.reads = access.reads;
    what.writes = access.writes;
    const bool both = i.has(Modifier::acq_rel) || i.has(Modifier::sc);
    what.acquire = access.reads && (both || i.has(Modifier::acquire));
    what.release = access.writes && (both || i.has(Modifier::release));
    what.strong = (access.reads && access.writes) || what.acquire || what.release || i.has(Modifier::relaxed) ||
                  i.has(Modifier::volatile_) || i.has(Modifier::mmio) || i.has(Modifier::cv) || i.has(Modifier::wt);
    what.scope = static_cast<std::uint32_t>(scope_of(i));
    if (i.opcode == Opcode::st && i.vector_width <= 4)
        what.elements = i.vector_width > 1 ? static_cast<std::uint32_t>(i.vector_width) : 1U;
    return what;
}

/// It accesses a barrier object.
bool is_object(const ptx::Instruction& i) {
    return i.opcode == Opcode::mbarrier || (i.opcode == Opcode::cp && i.has(Modifier::mbarrier));
}

/// Of a barrier object. Where nothing is said its scope is the block, but others of the cluster that arrive count on
/// more, and GPUs give it.
TracedAccess arrival() {
    TracedAccess what{};
    what.bytes = 8;
    what.reads = what.writes = what.strong = what.release = true;
    what.scope = static_cast<std::uint32_t>(FenceScope::cluster);
    return what;
}

bool writes_surface(const ptx::Instruction& i) { return i.opcode == Opcode::sust || i.opcode == Opcode::sured; }

bool writes_surfaces(const Unit& unit) {
    const auto& reached = unit.analysis.reachable.functions;
    return std::any_of(reached.begin(), reached.end(), [&](ptx::FunctionId id) {
        const auto& instructions = unit.module.functions[id].instructions;
        return std::any_of(instructions.begin(), instructions.end(), writes_surface);
    });
}

bool is_global(const Emitter& e, const ptx::MemoryAccess& access) {
    const Space space = space_of(e, *access.address, access.space);
    return space == Space::global || space == Space::generic;
}

} // namespace

TraceHooks::TraceHooks(Emitter& e)
    : e_(e), b_(e.b), notes_(e), cells_(e), writes_surfaces_(writes_surfaces(e.unit)),
      first_looks_(ptx::first_looks(e.function)), split_updates_(ptx::split_updates(e.function)) {
    if (!e.function.kernel) return;
    const std::vector<std::uint32_t> instructions = instructions_with_accesses(e.function);
    origins_.emplace(e.function, instructions, [&e](const ptx::Root& root) { return memory_of(e, root); });
    if (!e.unit.options.traces_reads) written_ = find_written();
}

std::optional<TraceHooks::Written> TraceHooks::find_written() {
    Written written;
    for (const ptx::FunctionId id : e_.unit.analysis.reachable.functions) {
        const ptx::Function& f = e_.unit.module.functions[id];
        for (std::uint32_t k = 0; k < f.instructions.size(); ++k)
            for (const ptx::MemoryAccess& access : ptx::all_accesses_of(f.instructions[k])) {
                if (is_object(f.instructions[k]) || !access.writes || !is_global(e_, access)) continue;
                if (&f != &e_.function || !has_base(*access.address)) return std::nullopt;
                const ptx::Origin origin = origins_->of_address(*access.address, k);
                if (origin.of != ptx::Origin::Of::root) return std::nullopt;
                if (origin.root.scope == ptx::Operand::Scope::parameter)
                    written.parameters.insert(*memory_of(e_, origin.root));
                else if (origin.root.scope == ptx::Operand::Scope::module && !is_of_threads(origin.root))
                    written.variables.insert(origin.root.index);
                else if (!is_of_threads(origin.root))
                    return std::nullopt;
            }
    }
    return written;
}

/// Memory of a block or a thread, of which no parameter tells the address.
bool TraceHooks::is_of_threads(const ptx::Root& root) const {
    if (root.scope == ptx::Operand::Scope::function) return true;
    return root.scope == ptx::Operand::Scope::module && is_shared(e_.module.variables[root.index].space);
}

Value* TraceHooks::range_of(std::uint64_t word, std::size_t field) {
    if (!parameter_ranges_)
        parameter_ranges_ = e_.load_field(e_.place.launch(), offsetof(software::LaunchContext, parameter_ranges),
                                          b_.getPtrTy(), 0, "ranges");
    return e_.load_field(parameter_ranges_, word * sizeof(software::CheckedRange) + field, b_.getInt64Ty(), 0, "range");
}

/// i1: whether a variable lies in the memory that a parameter points into, as far as that is known.
Value* TraceHooks::is_in(std::uint32_t variable, std::uint64_t parameter) {
    using Range = software::CheckedRange;
    Value* at = b_.CreatePtrToInt(e_.unit.variable(variable), b_.getInt64Ty());
    return b_.CreateICmpULT(b_.CreateSub(at, range_of(parameter, offsetof(Range, begin))),
                            range_of(parameter, offsetof(Range, size)));
}

Value* TraceHooks::is_written(const ptx::MemoryAccess& access) {
    if (access.writes || !written_ || !is_global(e_, access) || !has_base(*access.address)) return nullptr;
    const ptx::Origin origin = origins_->of_address(*access.address, e_.instruction());
    if (origin.of != ptx::Origin::Of::root) return nullptr;
    const ptx::Root& root = origin.root;
    const bool of_parameter = root.scope == ptx::Operand::Scope::parameter;
    if (!of_parameter && (root.scope != ptx::Operand::Scope::module || is_of_threads(root))) return nullptr;
    const std::uint64_t word = of_parameter ? *memory_of(e_, root) : root.index;
    if (of_parameter ? written_->parameters.contains(word) : written_->variables.contains(root.index)) return nullptr;
    if (written_->parameters.empty() && written_->variables.empty()) return b_.getFalse();
    Value*& known = are_written_[{of_parameter, word}];
    if (known) return known;
    const FunctionCode::AtEntry scope(e_);
    using Range = software::CheckedRange;
    known = of_parameter ? b_.CreateIsNull(range_of(word, offsetof(Range, size))) : b_.getFalse();
    for (const std::uint64_t other : written_->parameters) {
        Value* same = of_parameter ? b_.CreateICmpEQ(range_of(word, offsetof(Range, begin)),
                                                     range_of(other, offsetof(Range, begin)))
                                   : is_in(root.index, other);
        Value* is_unknown = b_.CreateIsNull(range_of(other, offsetof(Range, size)));
        known = b_.CreateOr(known, b_.CreateOr(same, is_unknown));
    }
    if (of_parameter)
        for (const std::uint32_t variable : written_->variables)
            known = b_.CreateOr(known, is_in(variable, word));
    return known;
}

/// Surfaces show arrays, and no address leads there: what they write only textures and surfaces read.
Value* TraceHooks::is_image_written(const ptx::Instruction& i) {
    const bool is_sample = i.opcode == Opcode::tex || i.opcode == Opcode::tld4;
    if (!is_sample && i.opcode != Opcode::suld && !writes_surface(i)) return nullptr;
    if (writes_surfaces_ || e_.unit.options.traces_reads) return b_.getTrue();
    if (!is_sample) return nullptr;
    if (e_.plan && !e_.plan->names_one_texture(i)) return b_.getTrue();
    Value* shown = nullptr;
    const auto shows = [&](Value* begin, Value* bytes) {
        Value* handle = texture_handle(e_, i.operands.at(1));
        auto* call =
            llvm::cast<llvm::CallInst>(e_.pure_call("wl_rt_texture_shows", b_.getInt32Ty(), {handle, begin, bytes}));
        call->getCalledFunction()->addFnAttr(llvm::Attribute::Speculatable);
        Value* one = b_.CreateIsNotNull(call);
        shown = shown ? b_.CreateOr(shown, one) : one;
    };
    using Range = software::CheckedRange;
    const auto at_entry = [&](std::uint64_t word, std::size_t field) {
        const FunctionCode::AtEntry scope(e_);
        return range_of(word, field);
    };
    if (!written_) {
        shows(b_.getInt64(0), b_.getInt64(0));
        return shown;
    }
    for (const std::uint64_t word : written_->parameters)
        shows(at_entry(word, offsetof(Range, begin)), at_entry(word, offsetof(Range, size)));
    for (const std::uint32_t variable : written_->variables)
        shows(b_.CreatePtrToInt(e_.unit.variable(variable), b_.getInt64Ty()),
              b_.getInt64(e_.module.variables[variable].size));
    return shown;
}

void TraceHooks::around(const ptx::Instruction& i, llvm::function_ref<void()> emit) {
    if (i.aid == ptx::Aid::lane_access && !ptx::AddedAccess::unpacked(i.operands.at(2).integer).of_shadow) {
        trace(i, ptx::all_accesses_of(i).front());
        return emit();
    }
    if (i.aid != ptx::Aid::none) return emit();
    if (Value* written = is_image_written(i)) {
        e_.traces_image = written;
        emit();
        e_.traces_image = nullptr;
        return;
    }
    if (i.opcode == Opcode::fence || i.opcode == Opcode::membar) {
        trace_fence(i);
        return emit();
    }
    if (e_.plan && is_warp_operation(i) && i.opcode != Opcode::activemask) trace_warp(i);
    if (i.opcode == Opcode::cp && i.has(Modifier::mbarrier)) trace_arrival_of_copies(i);
    if (is_object(i)) return trace_object(i, emit);
    if (i.opcode == Opcode::cp) {
        trace_copy(i);
        return emit();
    }
    for (const ptx::MemoryAccess& access : ptx::accesses_of(i))
        trace(i, access);
    emit();
    // The barrier object tells others of the bytes.
    const bool is_remote = (i.opcode == Opcode::st || i.opcode == Opcode::red) && i.has(Modifier::async);
    if (is_remote && is_hookable(e_, i.operands.at(2), i.space)) tell(i.operands.at(2), i.space, arrival(), nullptr);
}

void TraceHooks::trace_copy(const ptx::Instruction& i) {
    if (!i.has(Modifier::async) || i.has(Modifier::prefetch)) return;
    if (i.has(Modifier::commit_group)) return tell_of_copies(CopyEvent::commit, 0);
    if (i.has(Modifier::wait_all)) return tell_of_copies(CopyEvent::wait_all, 0);
    if (i.has(Modifier::wait_group))
        return tell_of_copies(CopyEvent::wait, static_cast<std::uint32_t>(i.operands.at(0).integer));
    const bool is_told = i.has(Modifier::mbarrier_complete_tx_bytes);
    const std::vector<ptx::MemoryAccess> all = ptx::all_accesses_of(i);
    // Without the barrier object nobody would know that it has ended.
    if (is_told && !all.empty() && !is_hookable(e_, *all.back().address, all.back().space)) return;
    for (const ptx::MemoryAccess& access : all) {
        if (!is_hookable(e_, *access.address, access.space)) continue;
        TracedAccess what{};
        what.bytes = access.bytes;
        what.reads = access.reads;
        what.writes = access.writes;
        what.copies = true;
        what.release = is_told && access.bytes != 0; // the barrier object
        what.acquire = is_told && access.bytes == 0;
        const auto tell_it = [&] {
            Value* counts = nullptr;
            {
                const auto lanes = e_.lanes.with_full_width();
                counts = count_of(e_, access);
            }
            tell(*access.address, access.space, what, nullptr, counts);
        };
        Value* written = is_written(access);
        if (!written)
            tell_it();
        else if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(written); !known || !known->isZero())
            e_.emit_if(written, tell_it);
    }
}

void TraceHooks::trace_arrival_of_copies(const ptx::Instruction& i) {
    if (!is_hookable(e_, i.operands.at(0), i.space)) return;
    TracedAccess what{};
    what.bytes = 8;
    what.reads = what.writes = what.copies = what.release = what.strong = true;
    tell(i.operands[0], i.space, what, nullptr);
}

void TraceHooks::tell_of_copies(CopyEvent event, std::uint32_t pending) {
    e_.runtime_call("wl_rt_trace_copies", b_.getVoidTy(),
                    {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), e_.site_value(),
                     b_.getInt32(static_cast<std::uint32_t>(event)), b_.getInt32(pending)});
}

void TraceHooks::trace(const ptx::Instruction& i, const ptx::MemoryAccess& access) {
    const Space space = space_of(e_, *access.address, access.space);
    if (space == Space::local || space == Space::constant || !is_hookable(e_, *access.address, access.space)) return;
    TracedAccess what = traced(i, access);
    if (first_looks_[e_.instruction()]) { // the atomic operation decides
        what.strong = true;
        what.scope = static_cast<std::uint32_t>(FenceScope::device);
    }
    const bool is_update = split_updates_[e_.instruction()];
    what.reads |= is_update;
    if (Value* written = is_written(access)) {
        if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(written); known && known->isZero()) return;
        return e_.emit_if(written, [&] {
            cells_.keep(*access.address, access.space, what,
                        [&] { tell(*access.address, access.space, what, nullptr); });
        });
    }
    what.shared = is_shared(space);
    const auto tell_it = [&] {
        if (!what.elements) return tell(*access.address, access.space, what, nullptr);
        const Scratch values(e_, "values", std::size_t{what.bytes} * e_.lanes.full_width());
        store_values(i, values.address());
        tell(*access.address, access.space, what, values.address());
    };
    if (is_update) return tell_it();
    // Shared memory of a cluster is not the block's alone.
    if (what.shared && e_.unit.analysis.knows_clusters) return tell_it();
    if (what.shared) return notes_.note(*access.address, access.space, what, tell_it);
    cells_.keep(*access.address, access.space, what, tell_it);
}

void TraceHooks::store_values(const ptx::Instruction& i, Value* to) {
    const auto lanes = e_.lanes.with_full_width();
    const ptx::Type type = type_of(i);
    const ptx::Operand& from = i.operands.at(1);
    const unsigned bytes = ptx::bits(type) / 8;
    for (unsigned k = 0; k < (i.vector_width > 1 ? i.vector_width : 1U); ++k) {
        const ptx::Operand& element = from.kind == ptx::Operand::Kind::vector ? from.elements.at(k) : from;
        Value* value = e_.bits_as(e_.read(element, type), e_.integer_type(ptx::bits(type)));
        const std::uint64_t at = std::uint64_t{k} * bytes * e_.lanes.full_width();
        b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), to, at), llvm::Align(1));
    }
}

void TraceHooks::trace_object(const ptx::Instruction& i, llvm::function_ref<void()> emit) {
    TracedAccess what{};
    what.bytes = 8;
    std::size_t at = 0;
    bool is_behind = false;
    if (i.has(Modifier::init) || i.has(Modifier::inval)) {
        what.writes = true;
    } else if (i.has(Modifier::test_wait) || i.has(Modifier::try_wait)) {
        at = 1;
        is_behind = what.reads = what.strong = what.acquire = true;
        what.scope = static_cast<std::uint32_t>(FenceScope::cluster);
    } else if (i.has(Modifier::arrive) || i.has(Modifier::arrive_drop)) {
        what = arrival();
        if (i.opcode == Opcode::mbarrier && i.operands.at(0).kind != ptx::Operand::Kind::address) at = 1;
    } else {
        return emit(); // of bytes that are to come, and of numbers
    }
    const ptx::Operand& object = i.operands.at(at);
    const bool traced = is_hookable(e_, object, i.space);
    if (traced && !is_behind) tell(object, i.space, what, nullptr);
    emit();
    if (traced && is_behind && !b_.GetInsertBlock()->getTerminator()) tell(object, i.space, what, nullptr);
}

void TraceHooks::trace_fence(const ptx::Instruction& i) {
    if (i.has(Modifier::proxy)) return;
    e_.runtime_call("wl_rt_trace_fence", b_.getVoidTy(),
                    {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), e_.site_value(),
                     b_.getInt32(static_cast<std::uint32_t>(scope_of(i)))});
}

void TraceHooks::trace_warp(const ptx::Instruction& i) {
    const Scratch masks(e_, "masks", std::size_t{4} * e_.lanes.full_width());
    {
        const auto lanes = e_.lanes.with_full_width();
        Value* mask = ptx::is_matrix(i.opcode) ? e_.integer(32, ~0U)
                      : i.opcode == Opcode::bar || i.opcode == Opcode::barrier
                          ? e_.read(i.operands.front(), ptx::Type::b32)
                          : e_.read(i.operands.back(), ptx::Type::b32);
        b_.CreateAlignedStore(mask, masks.address(), Scratch::alignment());
    }
    e_.runtime_call(
        "wl_rt_trace_warp", b_.getVoidTy(),
        {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), masks.address(), e_.site_value()});
}

void TraceHooks::tell(const ptx::Operand& address, Space space, TracedAccess what, Value* values, Value* counts) {
    what.shared = is_shared(space_of(e_, address, space));
    const Scratch addresses(e_, "addresses", std::size_t{8} * e_.lanes.full_width());
    {
        const auto lanes = e_.lanes.with_full_width();
        Value* at = address_of(e_, address, space);
        b_.CreateAlignedStore(b_.CreateZExtOrTrunc(at, e_.integer_type(64)), addresses.address(), Scratch::alignment());
    }
    std::optional<Scratch> of_lanes;
    if (counts) {
        of_lanes.emplace(e_, "counts", std::size_t{4} * e_.lanes.full_width());
        b_.CreateAlignedStore(counts, of_lanes->address(), Scratch::alignment());
    }
    Value* const null = llvm::ConstantPointerNull::get(b_.getPtrTy());
    e_.runtime_call("wl_rt_trace_access", b_.getVoidTy(),
                    {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), addresses.address(),
                     values ? values : null, e_.site_value(), b_.getInt32(what.packed()),
                     counts ? of_lanes->address() : null});
}

} // namespace warplight::jit
