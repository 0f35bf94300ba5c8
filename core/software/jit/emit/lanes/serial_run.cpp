// SPDX-License-Identifier: Apache-2.0
#include "serial_run.hpp"

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

} // namespace

std::optional<SerialRun> SerialRun::find(Emitter& e, std::uint32_t begin, std::uint32_t end) {
    SerialRun run;
    run.block_end_ = end;
    run.single_ = e.lanes.active_mask() && has_one_lane(e, e.plan->blocks.number_of(begin));
    for (std::uint32_t at = begin; at < end && run.add(e, at); ++at) {
    }
    // Work on vectors before the first scattered access stays that.
    if (run.parts_.empty() || !run.parts_.front().scattered) return std::nullopt;
    run.cut_behind_scattered();
    if (!run.pays(e)) return std::nullopt;
    return run;
}

bool SerialRun::add(Emitter& e, std::uint32_t at) {
    const Instruction& i = e.function.instructions[at];
    if (i.guarded || uses_carry(i)) return false;
    if (i.opcode == Opcode::ld || i.opcode == Opcode::st) return add_access(e, at);
    if (!ptx::is_computed_on_vectors(i)) return false;
    const std::optional<bool> vectors = makes_vectors(e, i);
    if (!vectors) return false;
    if (!*vectors) return add_once(e, at);
    parts_.push_back({at, false, false});
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
        !access.may_be_neighbours() && !access.may_be_packed() &&
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
    each_register(*ptx::destination_of(all[at]), [&](ptx::RegisterId r) {
        free &= std::none_of(parts_.begin(), parts_.end(),
                             [&](const Part& part) { return !part.once && reads(all[part.at], r); });
    });
    if (free) parts_.push_back({at, true, false});
    return free;
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
    for_few_ = e.lanes.active_mask() && host_masks_anything() && vectors <= serial;
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

void SerialRun::emit(Emitter& e, llvm::function_ref<void(std::uint32_t)> once) const {
    const auto& all = e.function.instructions;
    for (const Part& part : parts_)
        if (part.once) once(part.at);
    e.begin_instruction(parts_.front().at);

    LaneLoop loop(e);
    for (const ptx::RegisterId r : read_from_before(e))
        loop.use(r, true);
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
