// SPDX-License-Identifier: Apache-2.0
#include "row_run.hpp"

#include "lane_access.hpp"
#include "row_pieces.hpp"
#include "software/jit/host.hpp"

#include <algorithm>
#include <ranges>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Space;
using Layout = LaneAccess::Layout;

namespace {

constexpr std::uint32_t kLongest = 96; ///< instructions

unsigned bytes_of(const Instruction& i) { return ptx::bits(i.types[i.type_count - 1u]) / 8; }

bool writes(const Emitter& e, const Instruction& i, RegisterId r) {
    bool found = false;
    ptx::each_written(e.function, i, [&](RegisterId written) { found |= written == r; });
    return found;
}

bool uses(const Instruction& i, RegisterId r) {
    bool found = i.guarded && i.guard == r;
    for (const Operand& x : ptx::sources_of(i))
        each_register(x, [&](RegisterId read) { found |= read == r; });
    return found;
}

/// Memory that stores to global memory do not change.
bool is_elsewhere(Space space) { return space == Space::param || space == Space::constant || space == Space::shared; }

} // namespace

std::optional<RowRun> RowRun::find(Emitter& e, std::uint32_t begin, std::uint32_t end) {
    const LanePlan& plan = *e.plan;
    if (!e.hooks.empty() || e.lanes.is_seldom() || e.unit.options.access_reports != AccessReports::none ||
        plan.blocks.of(begin).cold)
        return std::nullopt;
    RowRun run, whole;
    run.begin_ = begin;
    for (std::uint32_t at = begin; at < std::min(end, begin + kLongest) && run.add(e, at); ++at) {
        if (e.function.instructions[at].opcode != Opcode::st || !run.is_whole()) continue;
        run.end_ = at + 1;
        whole = run;
    }
    if (whole.end_ == 0) return std::nullopt;
    return whole;
}

bool RowRun::add(Emitter& e, std::uint32_t at) {
    const Instruction& i = e.function.instructions[at];
    if (i.guarded || (!elements_.empty() && writes(e, i, base_)) || e.plan->row_divisions.contains(at)) return false;
    if (i.opcode == Opcode::st) return add_store(e, at);
    if (i.opcode == Opcode::ld) return add_load(e, i);
    return ptx::is_computed_on_vectors(i);
}

/// A plain store for all lanes, at addresses of which nothing is known or which are far from each other.
bool RowRun::add_store(Emitter& e, std::uint32_t at) {
    const Instruction& i = e.function.instructions[at];
    const LanePlan& plan = *e.plan;
    if ((i.space != Space::global && i.space != Space::generic) || !moves_vectors(e, i, i.operands.at(0))) return false;
    if (plan.prefetches.all.contains(at) || plan.non_temporal_stores.pointer_of(at) ||
        (plan.held_store && plan.held_store->instruction == at))
        return false;
    const unsigned bytes = bytes_of(i);
    if ((bytes != 4 && bytes != 8) || e.lanes.full_width() < kPieceBytes / bytes) return false;
    const Operand& address = i.operands[0];
    if (elements_.empty()) {
        e.begin_instruction(at);
        const LaneAccess access(e, i, address, false);
        if (access.layout() == Layout::neighbours || access.layout() == Layout::backward) return false;
        bytes_ = bytes;
        base_ = address.reg;
        if (!add_base(e, base_, at)) return false;
    }
    if (address.reg != base_ || bytes != bytes_) return false;
    for (unsigned k = 0; k < words_of(i); ++k)
        if (!elements_.try_emplace(number_of_address(address) + std::int64_t{k} * bytes, Element{at, k}).second)
            return false;
    last_store_ = at;
    return true;
}

/// A load that may pass the stores before it, if its address does not meet theirs.
bool RowRun::add_load(const Emitter& e, const Instruction& i) {
    for (const ptx::Modifier m :
         {ptx::Modifier::volatile_, ptx::Modifier::relaxed, ptx::Modifier::acquire, ptx::Modifier::mmio})
        if (i.has(m)) return false;
    if (is_elsewhere(i.space) || elements_.empty()) return true;
    const Operand& address = i.operands.at(1);
    if (i.space != Space::global && i.space != Space::generic) return false;
    if (address.base_kind != Operand::Kind::reg || ptx::bits(e.function.registers[address.reg].type) != 64)
        return false;
    const std::int64_t place = number_of_address(address), size = std::int64_t{bytes_of(i)} * words_of(i);
    auto crossing = std::ranges::find(crossings_, address.reg, &Crossing::base);
    const bool is_new = crossing == crossings_.end();
    if (is_new) crossing = crossings_.insert(crossing, Crossing{.base = address.reg});
    for (const auto& [stored, element] : elements_) {
        const std::int64_t lowest = place - stored - bytes_ + 1, highest = place - stored + size - 1;
        if (lowest <= 0 && highest >= 0) crossing->may_be_same = false;
        const bool first = is_new && stored == elements_.begin()->first;
        crossing->lowest = first ? lowest : std::min(crossing->lowest, lowest);
        crossing->highest = first ? highest : std::max(crossing->highest, highest);
    }
    const auto at = static_cast<std::uint32_t>(&i - e.function.instructions.data());
    if (address.reg == base_) {
        if (!crossing->may_be_same) return false;
        crossings_.erase(crossing);
        return true;
    }
    return add_base(e, address.reg, at);
}

/// Whether an address is known where the run begins, or can be made there.
bool RowRun::add_base(const Emitter& e, RegisterId base, std::uint32_t at) {
    const auto& all = e.function.instructions;
    std::optional<std::uint32_t> writer;
    for (std::uint32_t k = begin_; k < at; ++k) {
        if (writes(e, all[k], base)) {
            if (writer) return false;
            writer = k;
        }
    }
    if (!writer) return true;
    const Instruction& i = all[*writer];
    if (i.guarded || !ptx::is_computed_on_vectors(i) || uses_carry(i)) return false;
    for (std::uint32_t k = begin_; k < *writer; ++k) {
        if (uses(all[k], base)) return false;
        bool changes = false;
        for (const Operand& x : ptx::sources_of(i))
            each_register(x, [&](RegisterId r) { changes |= writes(e, all[k], r); });
        if (changes) return false;
    }
    if (uses(i, base)) return false;
    if (std::ranges::find(early_, *writer) == early_.end()) early_.push_back(*writer);
    return true;
}

/// Whether the stores so far are pieces without gaps.
bool RowRun::is_whole() const {
    const std::int64_t pieces = kPieceBytes / bytes_;
    std::int64_t count = 0, next = 0;
    for (const auto& [place, element] : elements_) {
        if (count % pieces != 0 && place != next) return false;
        next = place + bytes_;
        ++count;
    }
    return count % pieces == 0;
}

void RowRun::emit(Emitter& e, llvm::function_ref<void(std::uint32_t)> one,
                  llvm::function_ref<void(std::uint32_t)> plainly) const {
    llvm::IRBuilder<>& b = e.b;
    if (crossings_.empty()) return emit_rows(e, one);
    Value* apart = b.CreateNot(meets(e, plainly));
    llvm::BasicBlock* rows = e.new_block("rows");
    llvm::BasicBlock* meet = e.new_block("meet");
    llvm::BasicBlock* rest = e.new_block("rest");
    b.CreateCondBr(apart, rows, meet);
    b.SetInsertPoint(rows);
    emit_rows(e, one);
    b.CreateBr(rest);
    b.SetInsertPoint(meet);
    {
        const auto seldom = e.lanes.with_seldom(true);
        for (std::uint32_t at = begin_; at < end_; ++at)
            plainly(at);
    }
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
}

/// i1: in some lane a load may read what a store before it has written.
Value* RowRun::meets(Emitter& e, llvm::function_ref<void(std::uint32_t)> one) const {
    llvm::IRBuilder<>& b = e.b;
    for (const std::uint32_t at : early_)
        one(at);
    e.begin_instruction(begin_);
    const unsigned width = e.lanes.full_width();
    const auto vectors = e.lanes.with_full_width();
    Value* stored = e.registers.read(base_, ptx::Type::b64);
    const auto splat = [&](std::int64_t number) {
        return b.CreateVectorSplat(width, b.getInt64(static_cast<std::uint64_t>(number)));
    };
    Value* any = nullptr;
    for (const Crossing& c : crossings_) {
        Value* distance = b.CreateSub(stored, e.registers.read(c.base, ptx::Type::b64));
        Value* meet = b.CreateICmpULE(b.CreateSub(distance, splat(c.lowest)), splat(c.highest - c.lowest));
        if (c.may_be_same) meet = b.CreateAnd(meet, b.CreateICmpNE(distance, splat(0)));
        any = any ? b.CreateOr(any, meet) : meet;
    }
    return b.CreateIsNotNull(b.CreateBitCast(any, b.getIntNTy(width)));
}

void RowRun::emit_rows(Emitter& e, llvm::function_ref<void(std::uint32_t)> one) const {
    std::map<std::int64_t, Value*> values;
    for (std::uint32_t at = begin_; at < end_; ++at) {
        const Instruction& i = e.function.instructions[at];
        if (i.opcode != Opcode::st) {
            one(at);
            continue;
        }
        e.begin_instruction(at);
        const ptx::Type type = i.types[i.type_count - 1u];
        const auto vectors = e.lanes.with_full_width();
        for (unsigned k = 0; k < words_of(i); ++k) {
            const Operand& value = i.operands.at(1);
            const Operand& element = value.kind == Operand::Kind::vector ? value.elements.at(k) : value;
            values[number_of_address(i.operands[0]) + std::int64_t{k} * bytes_] =
                e.bits_as(e.read(element, type), e.integer_type(8 * bytes_));
        }
    }
    store(e, values);
}

void RowRun::store(Emitter& e, const std::map<std::int64_t, Value*>& values) const {
    llvm::IRBuilder<>& b = e.b;
    const unsigned width = e.lanes.full_width(), pieces = kPieceBytes / bytes_;
    const unsigned at_once = std::min(host_width() * 4 / bytes_, width); // lanes
    const auto vectors = e.lanes.with_full_width();
    Value* all = e.registers.read(base_, ptx::Type::b64);
    Type* words = llvm::FixedVectorType::get(b.getInt32Ty(), width);
    for (const auto& [at, index] : std::views::values(elements_)) {
        const Instruction& i = e.function.instructions[at];
        if (index) continue;
        const std::int64_t place = number_of_address(i.operands[0]);
        const auto alignment = static_cast<std::uint32_t>(bytes_ * words_of(i));
        Value* low = b.CreateAdd(b.CreateTrunc(all, words),
                                 b.CreateVectorSplat(width, b.getInt32(static_cast<std::uint32_t>(place))));
        low = b.CreateAnd(low, llvm::ConstantInt::get(words, alignment - 1));
        e.checks.stop_if_misaligned(b.CreateBitCast(b.CreateIsNotNull(low), b.getIntNTy(width)));
    }
    PieceVectors piece;
    std::int64_t first = 0;
    for (const auto& [place, value] : values) {
        if (piece.empty()) first = place;
        piece.push_back(value);
        if (piece.size() < pieces) continue;
        for (unsigned from = 0; from < width; from += at_once) {
            PieceVectors parts;
            for (Value* element : piece)
                parts.push_back(part_of_vector(b, element, from, at_once));
            parts = transposed_pieces(b, parts);
            for (unsigned lane = 0; lane < at_once; ++lane) {
                Value* row =
                    b.CreateIntToPtr(b.CreateExtractElement(all, std::uint64_t{from + lane}), e.device_pointer());
                Value* address = b.CreateGEP(b.getInt8Ty(), row, b.getInt64(static_cast<std::uint64_t>(first)));
                Value* one = part_of_vector(b, parts[lane % pieces], lane / pieces * pieces, pieces);
                b.CreateAlignedStore(one, address, llvm::Align(1));
            }
        }
        piece.clear();
    }
}

} // namespace warplight::jit
