// SPDX-License-Identifier: Apache-2.0
#include "origins.hpp"

#include "effects.hpp"

#include <algorithm>

namespace warplight::ptx {
namespace {

using Of = Origin::Of;
const Origin kOther{Of::other, 0, {}}, kSeveral{Of::several, 0, {}};

/// One of the two, and nobody knows which.
Origin either(const Origin& x, const Origin& y) {
    if (x.of == Of::nothing || x.is(y)) return y;
    return y.of == Of::nothing ? x : kSeveral;
}
/// The root of a sum; the other operand is an offset.
Origin both(const Origin& x, const Origin& y) {
    if (x.of == Of::nothing || y.of == Of::nothing) return {};
    if (x.of == Of::other) return y;
    return y.of == Of::other ? x : kSeveral;
}
/// A difference of pointers, added to another pointer, may come to either.
Origin difference(const Origin& x, const Origin& y) {
    if (x.of == Of::nothing || y.of == Of::nothing) return {};
    return y.of == Of::other ? x : kSeveral;
}

} // namespace

Origins::Origins(const Function& function, std::span<const std::uint32_t> instructions, MemoryOf memory_of)
    : function_(function), memory_of_(std::move(memory_of)), graph_(function), writers_(writers_of(function)) {
    for (const std::uint32_t at : instructions)
        (void)of_addresses(at);
    do {
        changed_ = false;
        for (auto& [written, origin] : found_) { // it grows meanwhile
            const Origin now = through(written.first, written.second);
            changed_ |= !now.is(origin);
            origin = now;
        }
    } while (changed_);
}

Origin Origins::of_addresses(std::uint32_t instruction) {
    Origin all = kOther;
    for (const Operand& operand : function_.instructions.at(instruction).operands)
        if (operand.kind == Operand::Kind::address) all = both(all, of(operand, instruction));
    return all;
}

Origin Origins::of(const Operand& operand, std::uint32_t at) {
    const bool based = operand.kind == Operand::Kind::address;
    const Operand::Kind kind = based ? operand.base_kind : operand.kind;
    if (kind == Operand::Kind::reg) return of_register(operand.reg, at);
    const bool has_memory = operand.scope == Operand::Scope::module || operand.scope == Operand::Scope::function;
    if (kind == Operand::Kind::variable && has_memory) return of_root({operand.scope, operand.index, 0});
    return kOther;
}

Origin Origins::of_root(const Root& root) const {
    const auto memory = memory_of_(root);
    return memory ? Origin{Of::root, *memory, root} : kOther;
}

Origin Origins::of_register(RegisterId r, std::uint32_t at) {
    if (bits(function_.registers.at(r).type) < 32) return kOther;
    const std::vector<std::uint32_t>* writers = writers_before(r, at);
    if (!writers) return kSeveral;
    Origin origin;
    for (const std::uint32_t writer : *writers) {
        const auto [place, added] = found_.try_emplace({writer, r});
        changed_ |= added;
        origin = either(origin, place->second);
    }
    return origin;
}

/// The instructions whose result a register may hold before another one.
const std::vector<std::uint32_t>* Origins::writers_before(RegisterId r, std::uint32_t at) {
    if (writers_[r].size() <= 1) return &writers_[r];
    const auto [known, fresh] = before_.try_emplace({at, r});
    if (fresh) known->second = find_writers_before(r, at);
    return known->second ? &*known->second : nullptr;
}

std::optional<std::vector<std::uint32_t>> Origins::find_writers_before(RegisterId r, std::uint32_t at) {
    std::vector<std::uint32_t> writers;
    std::vector<bool> seen(function_.instructions.size() + 1);
    std::vector<std::uint32_t> open;
    const auto open_once = [&](std::uint32_t k) {
        if (!seen[k]) open.push_back(k);
        seen[k] = true;
    };
    const auto go_before = [&](std::uint32_t k) { // to all that may run right before it
        const std::uint32_t block = graph_.block_of()[k];
        if (k != graph_.blocks()[block].begin) return open_once(k - 1);
        for (const std::uint32_t before : graph_.predecessors(block))
            open_once(graph_.blocks()[before].end - 1);
    };
    go_before(at);
    while (!open.empty()) {
        if (budget_ == 0) return std::nullopt;
        --budget_;
        const std::uint32_t k = open.back();
        open.pop_back();
        const bool writes = std::binary_search(writers_[r].begin(), writers_[r].end(), k);
        if (writes) writers.push_back(k);
        if (!writes || function_.instructions[k].guarded) go_before(k);
    }
    return writers;
}

/// Origin of the value that an instruction writes to a register.
Origin Origins::through(std::uint32_t at, RegisterId r) {
    using Op = Opcode;
    const Instruction& i = function_.instructions[at];
    const auto operand = [&](std::size_t k) { return k < i.operands.size() ? of(i.operands[k], at) : kOther; };
    if (i.opcode == Op::ld) return of_parameter(i, r);
    if (!destination_register(i)) return kOther; // a part of something
    switch (i.opcode) {
    case Op::mov:
    case Op::cvta:
    case Op::cvt: return operand(1);
    case Op::mad: return operand(3);
    case Op::sub: return difference(operand(1), operand(2));
    case Op::add:
    case Op::and_:
    case Op::or_:
    case Op::xor_: return both(operand(1), operand(2)); // offsets in shared memory are swizzled by xor
    case Op::selp: return either(operand(1), operand(2));
    default: return kOther;
    }
}

Origin Origins::of_parameter(const Instruction& i, RegisterId r) const {
    constexpr std::uint64_t word = 8; // bytes of a pointer
    const Operand* to = destination_of(i);
    if (i.space != Space::param || !to || i.operands.size() < 2 || bits(i.type()) != 8 * word) return kOther;
    const Operand& from = i.operands[1];
    if (from.base_kind != Operand::Kind::variable || from.scope != Operand::Scope::parameter) return kOther;
    auto at = static_cast<std::uint64_t>(from.integer);
    for (const Operand& element : to->elements) { // of a vector
        if (element.kind == Operand::Kind::reg && element.reg == r) break;
        at += word;
    }
    const std::uint64_t size = function_.parameters.at(from.index).size;
    if (at > size || word > size - at) return kOther;
    return of_root({Operand::Scope::parameter, from.index, at});
}

} // namespace warplight::ptx
