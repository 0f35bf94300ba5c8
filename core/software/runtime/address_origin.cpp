// SPDX-License-Identifier: Apache-2.0
#include "address_origin.hpp"

#include "address_space.hpp"

#include <cstring>
#include <map>
#include <vector>

namespace warplight::software {
namespace {

using ptx::Instruction;
using ptx::Operand;

/// Follows an address back through what may have written its registers.
class Search {
public:
    Search(const Function& function, const std::byte* parameters)
        : function_(function), instructions_(function.ptx().instructions), parameters_(parameters),
          followed_(instructions_.size()) {
        const ptx::Function& kernel = function.ptx();
        for (std::size_t k = 0; k < instructions_.size(); ++k)
            for (const Operand& operand : instructions_[k].operands) {
                const auto goes_to = [&](ptx::LabelId label) {
                    branches_.emplace(kernel.labels.at(label).instruction, k);
                };
                if (operand.kind == Operand::Kind::label) goes_to(operand.index);
                if (operand.kind == Operand::Kind::branch_targets)
                    for (const ptx::LabelId label : kernel.branch_targets.at(operand.index).labels)
                        goes_to(label);
            }
    }

    /// `operand`, as an instruction has it.
    void follow(const Operand& operand, std::size_t at) {
        const bool based = operand.kind == Operand::Kind::address;
        const Operand::Kind kind = based ? operand.base_kind : operand.kind;
        if (kind == Operand::Kind::reg) return follow_register(operand.reg, at);
        if (kind == Operand::Kind::variable && operand.scope == Operand::Scope::module)
            add(function_.module.addresses().at(operand.index));
    }
    /// By the id of their allocation.
    [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& pointers() const { return pointers_; }

private:
    void follow_register(ptx::RegisterId r, std::size_t at) {
        if (--budget_ < 0) return;
        std::vector<bool> seen(instructions_.size() + 1);
        std::vector<std::size_t> open;
        const auto go_before = [&](std::size_t k) { // to all that may run before it
            if (seen[k]) return;
            seen[k] = true;
            if (k > 0 && !ends(instructions_[k - 1])) open.push_back(k - 1);
            for (auto [from, to] = branches_.equal_range(k); from != to; ++from)
                open.push_back(from->second);
        };
        go_before(at);
        while (!open.empty()) {
            const std::size_t k = open.back();
            open.pop_back();
            const Instruction& i = instructions_[k];
            const bool writes =
                !i.operands.empty() && i.operands[0].kind == Operand::Kind::reg && i.operands[0].reg == r;
            if (writes && !followed_[k]) {
                followed_[k] = true;
                through(i, k);
            }
            if (!writes || i.guarded) go_before(k);
        }
    }
    [[nodiscard]] static bool ends(const Instruction& i) {
        using Op = ptx::Opcode;
        return !i.guarded &&
               (i.opcode == Op::bra || i.opcode == Op::brx || i.opcode == Op::ret || i.opcode == Op::exit);
    }

    /// What an address may be computed with.
    void through(const Instruction& i, std::size_t at) {
        using Op = ptx::Opcode;
        const auto operand = [&](std::size_t k) {
            if (k < i.operands.size()) follow(i.operands[k], at);
        };
        switch (i.opcode) {
        case Op::ld:
            if (i.space == ptx::Space::param && i.operands.size() > 1) add_parameter(i.operands[1]);
            return;
        case Op::mov:
        case Op::cvta:
        case Op::cvt:
        case Op::sub: return operand(1);
        case Op::mad: return operand(3);
        case Op::add:
        case Op::and_:
        case Op::or_:
        case Op::selp: operand(1); return operand(2);
        default: return;
        }
    }

    void add_parameter(const Operand& from) {
        if (from.scope != Operand::Scope::parameter || from.index >= function_.parameters.offsets.size()) return;
        const std::uint64_t at = function_.parameters.offsets[from.index] + static_cast<std::uint64_t>(from.integer);
        std::uint64_t value = 0;
        if (at + sizeof value > function_.parameters.size) return;
        std::memcpy(&value, parameters_ + at, sizeof value);
        add(value);
    }
    void add(std::uint64_t pointer) {
        if (const auto allocation = AddressSpace::instance().find_or_freed(pointer))
            pointers_.emplace(allocation->id, pointer);
    }

    const Function& function_;
    const std::vector<Instruction>& instructions_;
    const std::byte* parameters_;
    std::multimap<std::size_t, std::size_t> branches_; ///< by the instruction that they go to
    std::vector<bool> followed_;
    int budget_ = 256; ///< more than an address is made of; each looks at the whole kernel
    std::map<std::uint64_t, std::uint64_t> pointers_;
};

} // namespace

std::optional<std::uint64_t> address_origin(const Function& function, const jit::Site& site,
                                            const std::byte* parameters) {
    if (site.function != function.id || !parameters) return std::nullopt;
    const auto& instructions = function.ptx().instructions;
    if (site.instruction >= instructions.size()) return std::nullopt;
    Search search(function, parameters);
    for (const Operand& operand : instructions[site.instruction].operands)
        if (operand.kind == Operand::Kind::address) search.follow(operand, site.instruction);
    if (search.pointers().size() != 1) return std::nullopt;
    return search.pointers().begin()->second;
}

} // namespace warplight::software
