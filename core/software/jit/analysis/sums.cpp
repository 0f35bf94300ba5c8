// SPDX-License-Identifier: Apache-2.0
#include "sums.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::OpcodeGroup;
using ptx::Operand;

namespace {

bool accesses_by_address(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red: return true;
    default: return false;
    }
}

/// Others may see what the kernel has written before it ends, or it accesses memory in ways that are not looked at.
bool forbids_copies(const Instruction& i) {
    if (i.aid == ptx::Aid::next_turn) return false;
    if (ptx::publishes(i) || i.aid != ptx::Aid::none) return true;
    for (const Modifier m : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::mmio})
        if (i.opcode == Opcode::ld && i.has(m)) return true;
    if (i.has(Modifier::acquire)) return true;
    switch (ptx::group_of(i.opcode)) {
    case OpcodeGroup::texture:
    case OpcodeGroup::matrix:
    case OpcodeGroup::call:
    case OpcodeGroup::cluster: return true;
    case OpcodeGroup::memory: return !accesses_by_address(i);
    default: return false;
    }
}

/// Nothing: it is no sum.
std::optional<software::SumOperation> operation_of(const ptx::Function& kernel, const Instruction& i) {
    using S = software::SumOperation;
    if (i.opcode != Opcode::red && i.opcode != Opcode::atom) return std::nullopt;
    const ptx::Type type = i.type();
    if (ptx::bits(type) != 32 && ptx::bits(type) != 64) return std::nullopt;
    if (i.vector_width > 1 || i.has(Modifier::sys) || answers(kernel, i)) return std::nullopt;
    if (ptx::is_float(type)) {
        const bool one = type == ptx::Type::f32 || type == ptx::Type::f64;
        return one && i.has(Modifier::add) ? std::optional(S::add_floats) : std::nullopt;
    }
    const bool is_signed = ptx::is_signed(type);
    if (i.has(Modifier::add)) return S::add;
    if (i.has(Modifier::min)) return is_signed ? S::min : S::min_unsigned;
    if (i.has(Modifier::max)) return is_signed ? S::max : S::max_unsigned;
    if (i.has(Modifier::and_)) return S::and_;
    if (i.has(Modifier::or_)) return S::or_;
    if (i.has(Modifier::xor_)) return S::xor_;
    return std::nullopt;
}

/// By instruction.
std::vector<bool> find_loops(const ptx::Function& kernel) {
    const ptx::FlowGraph graph(kernel);
    const std::vector<bool> between = ptx::between_back_edges(graph);
    std::vector<bool> in_loop(kernel.instructions.size());
    for (std::size_t k = 0; k < between.size(); ++k)
        if (k < graph.blocks().size() && between[k])
            std::fill(in_loop.begin() + graph.blocks()[k].begin, in_loop.begin() + graph.blocks()[k].end, true);
    return in_loop;
}

void add(std::vector<ptx::Root>& roots, const ptx::Root& root) {
    if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
}

} // namespace

bool answers(const ptx::Function& kernel, const Instruction& i) {
    if (i.opcode != Opcode::atom || i.operands[0].kind == Operand::Kind::none) return false;
    const ptx::RegisterId* to = ptx::destination_register(i);
    return !to || std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const Instruction& other) {
        bool reads = false;
        ptx::each_read(kernel, other, [&](ptx::RegisterId r) { reads |= r == *to; });
        return reads;
    });
}

std::optional<std::uint32_t> KernelSums::memory_of(std::uint32_t instruction) const {
    const auto found = by_instruction.find(instruction);
    return found == by_instruction.end() ? std::nullopt : std::optional(found->second);
}

KernelSums find_sums(const ptx::Function& kernel) {
    const auto& all = kernel.instructions;
    if (std::any_of(all.begin(), all.end(), forbids_copies)) return {};
    std::vector<std::uint32_t> accesses;
    bool any_sum = false;
    for (std::uint32_t k = 0; k < all.size(); ++k)
        if (accesses_by_address(all[k]) && is_global(all[k])) {
            accesses.push_back(k);
            any_sum = any_sum || operation_of(kernel, all[k]);
        }
    if (!any_sum) return {};
    // By the text alone a parameter that is a number cannot be told from a pointer: a launch looks at what it is.
    ptx::Origins origins(kernel, accesses, [](const ptx::Root& root) -> std::optional<std::uint64_t> {
        return std::uint64_t{root.index} << 32 | root.offset << 2 | static_cast<std::uint64_t>(root.scope);
    });
    KernelSums sums;
    std::vector<std::pair<std::uint32_t, ptx::Root>> adding;
    for (const std::uint32_t at : accesses) {
        const ptx::Origin origin = origins.of_addresses(at);
        if (origin.of != ptx::Origin::Of::root || origin.root.scope != Operand::Scope::parameter) return {};
        if (operation_of(kernel, all[at]))
            adding.emplace_back(at, origin.root);
        else
            add(sums.others, origin.root);
    }
    const std::vector<bool> in_loop = find_loops(kernel);
    for (const auto& [at, root] : adding) {
        const unsigned bytes = ptx::bits(all[at].type()) / 8;
        const auto operation = operation_of(kernel, all[at]).value_or(software::SumOperation::add);
        const bool same = std::all_of(adding.begin(), adding.end(), [&, &root = root](const auto& other) {
            return !(other.second == root) || (ptx::bits(all[other.first].type()) == 8 * bytes &&
                                               operation_of(kernel, all[other.first]) == operation);
        });
        const auto has_root = [&, &root = root](const SumMemory& m) { return m.pointer == root; };
        auto known = std::find_if(sums.memory.begin(), sums.memory.end(), has_root);
        const bool is_other = std::find(sums.others.begin(), sums.others.end(), root) != sums.others.end();
        if (!same || is_other || (known == sums.memory.end() && sums.memory.size() == software::kMostSums)) {
            add(sums.others, root);
            continue;
        }
        if (known == sums.memory.end()) known = sums.memory.insert(known, SumMemory{root, bytes, operation});
        known->in_loop = known->in_loop || in_loop[at];
        sums.by_instruction[at] = static_cast<std::uint32_t>(known - sums.memory.begin());
    }
    return sums;
}

} // namespace warplight::jit
