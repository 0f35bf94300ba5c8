// SPDX-License-Identifier: Apache-2.0
#include "serial_run.hpp"

#include "group_run.hpp"
#include "lane_access.hpp"
#include "lane_loop.hpp"
#include "single_lane.hpp"
#include "software/jit/host.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::size_t kShort = 8; ///< instructions

bool reads(const Instruction& i, ptx::RegisterId r) {
    bool found = false;
    for (const Operand& x : ptx::sources_of(i))
        each_register(x, [&](ptx::RegisterId read) { found |= read == r; });
    return found;
}

/// Whether the results are vectors, or none is.
std::optional<bool> makes_vectors(const Emitter& e, const Instruction& i) {
    const Operand* to = ptx::destination_of(i);
    if (!to) return std::nullopt;
    bool any = false, all = true;
    each_register(*to, [&](ptx::RegisterId r) {
        any |= e.registers.is_vector(r);
        all &= e.registers.is_vector(r);
    });
    if (any != all) return std::nullopt;
    return all;
}

/// The only block that leads to a block.
std::optional<std::uint32_t> entered_from(const LanePlan& plan, std::uint32_t block) {
    std::optional<std::uint32_t> from;
    for (std::uint32_t k = 0; k < plan.blocks.size(); ++k)
        for (const std::uint32_t to : plan.blocks[k].successors) {
            if (to != block) continue;
            if (from) return std::nullopt;
            from = k;
        }
    return from;
}

/// Whether lanes enter a block by their numbers, whatever memory holds: it is the same ones in each block of threads.
bool is_entered_by_number(const Emitter& e, std::uint32_t block) {
    const auto from = entered_from(*e.plan, block);
    if (!from) return false;
    const Instruction& last = e.function.instructions[e.plan->blocks[*from].end - 1];
    return last.guarded && !e.plan->registers.from_memory[last.guard];
}

/// Whether a barrier follows, at once or where a loop begins again, so that nothing else is done while a vector waits
/// for what was just written.
bool is_before_barrier(const Emitter& e, std::uint32_t block) {
    const auto& all = e.function.instructions;
    const LaneBlocks& blocks = e.plan->blocks;
    const auto waits = [&](std::uint32_t k) {
        return k < blocks.size() && std::any_of(
                                        all.begin() + blocks[k].begin, all.begin() + blocks[k].end,
                                        [](const Instruction& i) { return ptx::is_block_barrier(i); });
    };
    if (blocks[block].successors.size() != 1) return false;
    const std::uint32_t next = blocks[block].successors[0];
    return waits(next) ||
           (next < blocks.size() &&
            std::ranges::any_of(blocks[next].successors, [&](std::uint32_t k) { return k <= next && waits(k); }));
}

} // namespace

std::optional<SerialRun> SerialRun::find(Emitter& e, std::uint32_t begin, std::uint32_t end) {
    SerialRun run;
    run.block_end_ = end;
    run.single_ = e.lanes.active_mask() && has_one_lane(e, e.plan->blocks.number_of(begin));
    for (std::uint32_t at = begin; at < end && run.add(e, at); ++at) {
    }
    // Work on vectors before the first scattered access stays that.
    if (run.parts_.empty()) return std::nullopt;
    if (!run.parts_.front().scattered) return run.is_step_of_tree(e) ? std::optional(run) : std::nullopt;
    run.cut_behind_scattered();
    if (!run.pays(e)) return std::nullopt;
    return run;
}

/// Neighbours in shared memory that some lanes read and write again, as in `if (t < d) s[t] += s[t + d]`. What a masked
/// store wrote a processor cannot read by a masked load before it is in the cache. Numbers it can, and few lanes take
/// no longer than the vectors would have to wait. Which lanes it is must be known to a processor's branch prediction.
bool SerialRun::is_step_of_tree(const Emitter& e) {
    constexpr unsigned kFewNeighbours = 4;
    if (!e.lanes.active_mask() || !host_masks_anything() || e.lanes.full_width() <= kFewNeighbours) return false;
    const std::uint32_t block = e.plan->blocks.number_of(parts_.front().at);
    if (!is_entered_by_number(e, block) || !is_before_barrier(e, block)) return false;
    while (!parts_.empty() && e.function.instructions[parts_.back().at].opcode != Opcode::st)
        parts_.pop_back();
    if (parts_.empty()) return false;
    bool loads = false;
    for (const Part& part : parts_) {
        const Instruction& i = e.function.instructions[part.at];
        if (part.once || (i.opcode != Opcode::ld && i.opcode != Opcode::st)) continue;
        const std::int64_t bytes = ptx::bits(i.types[i.type_count - 1u]) / 8;
        if (i.space != ptx::Space::shared || i.vector_width > 1 ||
            e.plan->stride(ptx::accessed_address(i)->reg) != bytes)
            return false;
        loads |= i.opcode == Opcode::ld;
    }
    end_ = parts_.back().at + 1;
    most_active_ = kFewNeighbours;
    return loads && stays_alone(e);
}

bool SerialRun::add(Emitter& e, std::uint32_t at) {
    const Instruction& i = e.function.instructions[at];
    if (i.guarded || uses_carry(i)) return false;
    if (i.opcode == Opcode::ld || i.opcode == Opcode::st) return add_access(e, at);
    if (!ptx::is_computed_on_vectors(i)) return false;
    const std::optional<bool> vectors = makes_vectors(e, i);
    if (!vectors) return false;
    if (!*vectors) return add_once(e, at);
    parts_.push_back({at, makes_address(e, at), false});
    return true;
}

bool SerialRun::add_access(Emitter& e, std::uint32_t at) {
    const Instruction& i = e.function.instructions[at];
    const bool load = i.opcode == Opcode::ld;
    const Operand& address = i.operands.at(load ? 1 : 0);
    if (i.space == ptx::Space::param) return load && add_once(e, at);
    if (i.space == ptx::Space::local) return false;
    if (single_ && add_single(e, i, at)) return true;
    if (!moves_vectors(e, i, address)) return false;
    if (load && makes_vectors(e, i) != true) return false;
    if (e.plan->held_store && e.plan->held_store->instruction == at) return false;
    e.begin_instruction(at);
    const LaneAccess access(e, i, address, load);
    const bool scattered =
        !access.may_be_neighbours() && !access.may_be_packed() && !access.may_be_spread() &&
        (access.layout() == LaneAccess::Layout::scattered || access.layout() == LaneAccess::Layout::serial);
    parts_.push_back({at, false, scattered});
    return true;
}

/// For one lane, an access of any address is one of a number.
bool SerialRun::add_single(const Emitter& e, const Instruction& i, std::uint32_t at) {
    if (i.opcode == Opcode::ld && (!moves_vectors(e, i, i.operands.at(1)) || makes_vectors(e, i) != true)) return false;
    if (i.opcode == Opcode::st && !moves_vectors(e, i, i.operands.at(0)) && !e.plan->uniform(i.operands[0]))
        return false;
    parts_.push_back({at, false, true});
    return true;
}

/// It is executed before the lanes are, so nothing that is emitted before it may use the register that it writes.
bool SerialRun::add_once(Emitter& e, std::uint32_t at) {
    const auto& all = e.function.instructions;
    if (makes_vectors(e, all[at]) != false) return false;
    for (const Operand& x : ptx::sources_of(all[at])) {
        bool vector = false;
        each_register(x, [&](ptx::RegisterId r) { vector |= e.registers.is_vector(r); });
        if (vector) return false;
    }
    bool free = true;
    each_register(*ptx::destination_of(all[at]), [&](ptx::RegisterId r) { free &= !is_read(e, r); });
    if (free) parts_.push_back({at, true, false});
    return free;
}

/// Whether an instruction on vectors makes an address that is known to be even, and may be executed in front of the
/// run.
bool SerialRun::makes_address(const Emitter& e, std::uint32_t at) const {
    const Instruction& i = e.function.instructions[at];
    if (!e.plan->registers.evenly_spaced.contains(at) || is_read(e, *ptx::destination_register(i))) return false;
    bool free = true;
    for (const Operand& x : ptx::sources_of(i))
        each_register(x, [&](ptx::RegisterId r) { free &= !is_written(e, r); });
    return free;
}

/// By a part so far that all lanes execute one after the other.
bool SerialRun::is_read(const Emitter& e, ptx::RegisterId r) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return !part.once && reads(e.function.instructions[part.at], r); });
}

bool SerialRun::is_written(const Emitter& e, ptx::RegisterId r) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        const Operand* to = part.once ? nullptr : ptx::destination_of(e.function.instructions[part.at]);
        bool found = false;
        if (to) each_register(*to, [&](ptx::RegisterId written) { found |= written == r; });
        return found;
    });
}

void SerialRun::cut_behind_scattered() {
    while (!parts_.back().scattered)
        parts_.pop_back();
    end_ = parts_.back().at + 1;
}

/// In halves of a cycle for each lane, as measured on AVX-512 hosts (docs/measurements.md). Under a mask half of the
/// lanes are taken to be active. If that alone decides, vectors are better for many lanes: the loop also ends where the
/// processor does not expect it.
bool SerialRun::pays(const Emitter& e) {
    if (single_) return stays_alone(e);
    constexpr int kGathered = 3, kScattered = 5, kTurn = 3, kAccess = 2, kOperation = 1, kCopied = 1;
    // Where the run only loads, a vector is read of elements that were just written one by one: the processor waits.
    constexpr int kCollected = 1;
    const bool collects = host_masks_anything() && std::ranges::none_of(parts_, [&](const Part& part) {
                              return e.function.instructions[part.at].opcode == Opcode::st;
                          });
    int vectors = 0, serial = kTurn + (collects ? kCollected : 0);
    for (const Part& part : parts_) {
        if (part.once) continue;
        const Opcode opcode = e.function.instructions[part.at].opcode;
        const bool access = opcode == Opcode::ld || opcode == Opcode::st;
        serial += access ? kAccess : kOperation;
        if (part.scattered) vectors += opcode == Opcode::ld ? kGathered : kScattered;
    }
    // What the lanes read is copied to memory first: much, where a long run is written out.
    if (!e.lanes.active_mask() && parts_.size() > kShort)
        serial += kCopied * static_cast<int>(read_from_before(e).size());
    const bool for_few = e.lanes.active_mask() && host_masks_anything() && vectors <= serial;
    most_active_ = for_few ? e.lanes.full_width() / 2 : 0;
    return vectors * (e.lanes.active_mask() ? 2 : 1) > serial;
}

/// For one lane: it stores, and no vector is made of what it loads and computes.
bool SerialRun::stays_alone(const Emitter& e) const {
    constexpr std::size_t kMostParts = 16;
    bool stores = false;
    for (const Part& part : parts_) {
        const Instruction& i = e.function.instructions[part.at];
        stores |= i.opcode == Opcode::st;
        if (part.once) continue;
        if (const Operand* to = ptx::destination_of(i)) {
            bool kept = false;
            each_register(
                *to, [&](ptx::RegisterId r) { kept |= !e.plan->registers.block_local[r] || is_read_behind(e, r); });
            if (kept) return false;
        }
    }
    return stores && parts_.front().at + 1 != end_ && parts_.size() <= kMostParts;
}

bool SerialRun::is_read_behind(const Emitter& e, ptx::RegisterId r) const {
    const auto& all = e.function.instructions;
    for (std::uint32_t at = end_; at < block_end_; ++at)
        if (reads(all[at], r) || (all[at].guarded && all[at].guard == r)) return true;
    return false;
}

/// Registers of vectors that the run reads and has not written before.
std::vector<ptx::RegisterId> SerialRun::read_from_before(const Emitter& e) const {
    std::vector<ptx::RegisterId> written, read;
    const auto has = [](const auto& all, ptx::RegisterId r) { return std::ranges::find(all, r) != all.end(); };
    for (const Part& part : parts_) {
        if (part.once) continue;
        const Instruction& i = e.function.instructions[part.at];
        for (const Operand& x : ptx::sources_of(i))
            each_register(x, [&](ptx::RegisterId r) {
                if (e.registers.is_vector(r) && !has(written, r) && !has(read, r)) read.push_back(r);
            });
        if (const Operand* to = ptx::destination_of(i))
            each_register(*to, [&](ptx::RegisterId r) { written.push_back(r); });
    }
    return read;
}

void SerialRun::emit(Emitter& e, llvm::function_ref<void(std::uint32_t)> one) const {
    for (const Part& part : parts_)
        if (part.once) one(part.at);
    e.begin_instruction(parts_.front().at);

    const std::optional<std::int64_t> element = element_of_even(e);
    llvm::BasicBlock* rest = element ? e.new_block("rest") : nullptr;
    if (element)
        for (const int gap : {2, 4, 8})
            if (!emit_groups(e, gap * *element, rest, one) && gap < 8) emit_with_gaps(e, gap * *element, rest, one);
    emit_loop(e);
    if (!rest) return;
    if (!e.b.GetInsertBlock()->getTerminator()) e.b.CreateBr(rest);
    e.b.SetInsertPoint(rest);
}

/// The size of the elements that all accesses of the run move, if all lanes execute it and vectors may pay: where lanes
/// are two or four elements from each other.
std::optional<std::int64_t> SerialRun::element_of_even(Emitter& e) const {
    if (e.lanes.active_mask() || single_) return std::nullopt;
    std::optional<std::int64_t> bytes;
    for (const Part& part : parts_) {
        const Instruction& i = e.function.instructions[part.at];
        if (part.once || (i.opcode != Opcode::ld && i.opcode != Opcode::st)) continue;
        if (!part.scattered || !e.plan->registers.evenly_spaced.contains(part.at) ||
            is_written(e, ptx::accessed_address(i)->reg))
            return std::nullopt;
        const std::int64_t moved = ptx::bits(i.types[i.type_count - 1u]) / 8;
        if (bytes.value_or(moved) != moved) return std::nullopt;
        bytes = moved;
    }
    return bytes;
}

/// Goes to `rest` by whole groups if the lanes' elements are so many bytes from each other. False: it has no groups.
bool SerialRun::emit_groups(Emitter& e, std::int64_t step, llvm::BasicBlock* rest,
                            llvm::function_ref<void(std::uint32_t)> one) const {
    std::vector<std::uint32_t> instructions;
    for (const Part& part : parts_)
        if (!part.once) instructions.push_back(part.at);
    const auto run = GroupRun::assume(e, std::move(instructions), step);
    if (run) run->emit(e, rest, one);
    e.begin_instruction(parts_.front().at);
    return run.has_value();
}

/// Goes to `rest` by vectors if the lanes' elements are so many bytes from each other.
void SerialRun::emit_with_gaps(Emitter& e, std::int64_t step, llvm::BasicBlock* rest,
                               llvm::function_ref<void(std::uint32_t)> one) const {
    const auto& all = e.function.instructions;
    const auto assumed = e.lanes.with_assumed_step(step);
    llvm::Value* holds = nullptr;
    for (const Part& part : parts_) {
        if (part.once || !part.scattered) continue;
        e.begin_instruction(part.at);
        const bool load = all[part.at].opcode == Opcode::ld;
        LaneAccess access(e, all[part.at], all[part.at].operands.at(load ? 1 : 0), load);
        if (load ? !access.has_gaps() : !access.stores_between_gaps()) return;
        llvm::Value* one = access.has_assumed_step();
        holds = holds ? e.b.CreateAnd(holds, one) : one;
    }
    llvm::BasicBlock* vectors = e.new_block("vectors");
    llvm::BasicBlock* others = e.new_block("others");
    e.b.CreateCondBr(holds, vectors, others);
    e.b.SetInsertPoint(vectors);
    for (const Part& part : parts_)
        if (!part.once) one(part.at);
    if (!e.b.GetInsertBlock()->getTerminator()) e.b.CreateBr(rest);
    e.b.SetInsertPoint(others);
}

/// Whether two lanes tell all of a register that the run reads.
bool SerialRun::is_read_evenly(const Emitter& e, ptx::RegisterId r) const {
    return !is_written(e, r) && std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        if (part.once || !e.plan->registers.evenly_spaced.contains(part.at)) return false;
        const Instruction& i = e.function.instructions[part.at];
        const Operand* address = ptx::accessed_address(i);
        return address ? address->reg == r : reads(i, r);
    });
}

void SerialRun::emit_loop(Emitter& e) const {
    const auto& all = e.function.instructions;
    LaneLoop loop(e);
    for (const ptx::RegisterId r : read_from_before(e))
        is_read_evenly(e, r) ? loop.use_even(r) : loop.use(r, true);
    std::vector<ptx::RegisterId> written, results;
    for (const Part& part : parts_)
        if (const Operand* to = part.once ? nullptr : ptx::destination_of(all[part.at]))
            each_register(*to, [&](ptx::RegisterId r) { written.push_back(r); });
    for (const ptx::RegisterId r : written) {
        if (e.plan->registers.block_local[r] && !is_read_behind(e, r)) {
            loop.use_alone(r);
        } else {
            loop.use(r, false);
            results.push_back(r);
        }
    }
    const auto body = [&] {
        for (const Part& part : parts_) {
            if (part.once) continue;
            if (e.b.GetInsertBlock()->getTerminator()) e.b.SetInsertPoint(e.new_block("unreached"));
            e.begin_instruction(part.at);
            if (!emit_any(e, all[part.at])) e.unsupported_form(all[part.at]);
        }
    };
    // Short code for all lanes: the turns of a loop, and its end, would take as long as the lanes do. More of them in a
    // turn are faster still, but take too long to compile.
    constexpr unsigned kAtOnce = 4;
    if (!e.lanes.active_mask() && parts_.size() <= kShort && e.lanes.full_width() % kAtOnce == 0)
        loop.emit_all(kAtOnce, body);
    else
        loop.emit(body);
    for (const ptx::RegisterId r : results)
        loop.take_back(r);
}

} // namespace warplight::jit
