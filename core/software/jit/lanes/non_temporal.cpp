// SPDX-License-Identifier: Apache-2.0
// Non-temporal stores: stores of whole cache lines that the kernel does not read. An ordinary store makes the processor
// read the line first, and the kernel waits. For large arrays it is faster to bypass the caches.
// Held stores: scattered ones that nobody can tell from later ones.
#include "lanes.hpp"
#include "software/ptx/accesses.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

constexpr std::size_t kMostPointers = 32; ///< bits of LaunchContext::non_temporal
constexpr unsigned kHeldBits = 32;        ///< of an element that wl_rt_hold_store() takes

/// Finds the pointer parameter that an address comes from.
class Roots {
public:
    explicit Roots(const ptx::Function& kernel)
        : kernel_(kernel), found_(kernel.registers.size()), several_(kernel.registers.size()) {
        follow();
    }

    [[nodiscard]] std::optional<ParameterPlace> of(const Operand& address) const {
        if (address.kind != Operand::Kind::address || address.base_kind != Operand::Kind::reg) return std::nullopt;
        return several_[address.reg] ? std::nullopt : found_[address.reg];
    }

private:
    [[nodiscard]] bool is_pointer(const Operand& x) const {
        return x.kind == Operand::Kind::reg && ptx::bits(kernel_.registers[x.reg].type) == 64;
    }
    static bool keeps_pointer(Opcode opcode) {
        switch (opcode) {
        case Opcode::mov:
        case Opcode::cvta:
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mad:
        case Opcode::selp: return true;
        default: return false;
        }
    }

    /// Follows the parameters to the registers made of them. A register is visited at most twice: with its first
    /// parameter, and when it turns out to have several.
    void follow() {
        std::vector<std::vector<RegisterId>> made(kernel_.registers.size()); // by source register
        std::vector<RegisterId> todo;
        const auto writers = writers_of(kernel_);
        for (RegisterId r = 0; r < writers.size(); ++r)
            for (const std::uint32_t writer : writers[r]) {
                const Instruction& i = kernel_.instructions[writer];
                if (i.opcode == Opcode::ld) {
                    const Operand& from = i.operands.at(1);
                    if (i.space == ptx::Space::param && from.base_kind == Operand::Kind::variable &&
                        from.scope == Operand::Scope::parameter && i.vector_width <= 1 && ptx::bits(i.type()) == 64)
                        add(r, ParameterPlace{from.index, from.integer}, todo);
                } else if (keeps_pointer(i.opcode)) {
                    for (std::size_t k = 1; k < i.operands.size(); ++k)
                        if (const Operand& x = i.operands[k]; is_pointer(x)) made[x.reg].push_back(r);
                }
            }
        while (!todo.empty()) {
            const RegisterId from = todo.back();
            todo.pop_back();
            for (const RegisterId r : made[from])
                if (several_[from])
                    add_several(r, todo);
                else
                    add(r, *found_[from], todo);
        }
    }
    void add(RegisterId r, const ParameterPlace& place, std::vector<RegisterId>& todo) {
        if (several_[r] || (found_[r] && *found_[r] == place)) return;
        if (found_[r]) return add_several(r, todo);
        found_[r] = place;
        todo.push_back(r);
    }
    void add_several(RegisterId r, std::vector<RegisterId>& todo) {
        if (several_[r]) return;
        several_[r] = true;
        todo.push_back(r);
    }

    const ptx::Function& kernel_;
    std::vector<std::optional<ParameterPlace>> found_;
    std::vector<bool> several_;
};

} // namespace

NonTemporalStores find_non_temporal_stores(const ptx::Function& kernel, unsigned width, const LanePlan& plan) {
    NonTemporalStores stores;
    const auto& all = kernel.instructions;
    if (std::any_of(all.begin(), all.end(), ptx::publishes)) return stores; // it does not order non-temporal stores
    const auto is_global = [](const Instruction& i) {
        return i.space == ptx::Space::global || i.space == ptx::Space::generic;
    };
    const Roots roots(kernel);
    std::vector<ParameterPlace> read;
    for (const Instruction& i : all)
        if (i.opcode != Opcode::st && is_global(i) && i.aid == ptx::Aid::none)
            for (const Operand& x : i.operands)
                if (const auto root = roots.of(x)) read.push_back(*root);
    for (std::uint32_t k = 0; k < all.size(); ++k) {
        const Instruction& i = all[k];
        if (i.opcode != Opcode::st || !is_global(i) || i.aid != ptx::Aid::none) continue;
        const std::uint32_t bits = ptx::bits(i.type()) * std::max(1U, unsigned{i.vector_width});
        const auto root = roots.of(i.operands.at(0));
        if (!root || bits * width % (8 * kLineBytes) || plan.stride_of(i.operands[0]) != bits / 8) continue;
        if (std::find(read.begin(), read.end(), *root) != read.end()) continue;
        auto at = std::find(stores.pointers.begin(), stores.pointers.end(), *root);
        if (at == stores.pointers.end()) {
            if (stores.pointers.size() == kMostPointers) continue;
            at = stores.pointers.insert(at, *root);
        }
        stores.by_instruction[k] = static_cast<std::uint32_t>(at - stores.pointers.begin());
    }
    return stores;
}

std::optional<HeldStore> find_held_store(const ptx::Function& kernel, const ptx::FlowGraph& graph,
                                         const LanePlan& plan) {
    const auto& all = kernel.instructions;
    if (std::any_of(all.begin(), all.end(), [](const Instruction& i) {
            return ptx::publishes(i) || i.opcode == Opcode::call || i.has(ptx::Modifier::relaxed);
        }))
        return std::nullopt;
    std::vector<HeldStore> stores;
    std::vector<ParameterPlace> used;
    const Roots roots(kernel);
    for (std::uint32_t k = 0; k < all.size(); ++k) {
        for (const ptx::MemoryAccess& access : ptx::all_accesses_of(all[k])) {
            if (access.space != ptx::Space::global && access.space != ptx::Space::generic) continue;
            const auto root = roots.of(*access.address);
            if (!root) return std::nullopt; // it may be any memory
            const bool again = std::find(used.begin(), used.end(), *root) != used.end();
            if (again) std::erase_if(stores, [&](const HeldStore& store) { return store.pointer == *root; });
            used.push_back(*root);
            const Instruction& i = all[k];
            if (again || i.opcode != Opcode::st || i.aid != ptx::Aid::none || i.vector_width > 1 ||
                ptx::bits(i.type()) != kHeldBits || plan.stride_of(i.operands.at(0)))
                continue;
            stores.push_back({*root, k});
        }
    }
    const ptx::Loops loops(graph);
    std::erase_if(stores, [&](const HeldStore& s) { return loops.contains(graph.block_of()[s.instruction]); });
    return stores.empty() ? std::nullopt : std::optional(stores.front());
}

} // namespace warplight::jit
