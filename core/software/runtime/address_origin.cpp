// SPDX-License-Identifier: Apache-2.0
#include "address_origin.hpp"

#include "../ptx/effects.hpp"
#include "../ptx/flow.hpp"
#include "address_space.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace warplight::software {
namespace {

using ptx::Instruction;
using ptx::Operand;

/// The memory that a value points to, as far as the PTX tells. Analysis only moves down this list.
struct Made {
    enum class Of : std::uint8_t {
        nothing, ///< not looked at yet
        unknown, ///< no known pointer: a number, a loaded value, or the result of a call
        pointer,
        several, ///< one or another, or several at once
    };
    Of of = Of::nothing;
    std::uint64_t allocation = 0; ///< its id
    std::uint64_t pointer = 0;

    [[nodiscard]] bool is(const Made& other) const { return of == other.of && allocation == other.allocation; }
};
constexpr Made kUnknown{Made::Of::unknown}, kSeveral{Made::Of::several};

/// One of the two, and nobody knows which.
Made either(const Made& x, const Made& y) {
    if (x.of == Made::Of::nothing || x.is(y)) return y;
    return y.of == Made::Of::nothing ? x : kSeveral;
}
/// The pointer of a sum; the other operand is an offset.
Made both(const Made& x, const Made& y) {
    if (x.of == Made::Of::nothing || y.of == Made::Of::nothing) return {};
    if (x.of == Made::Of::unknown) return y;
    return y.of == Made::Of::unknown ? x : kSeveral;
}
/// A difference of pointers, added to another pointer, may come to either.
Made difference(const Made& x, const Made& y) {
    if (x.of == Made::Of::nothing || y.of == Made::Of::nothing) return {};
    return y.of == Made::Of::unknown ? x : kSeveral;
}

/// Follows an address back through all that may have written its registers.
class Search {
public:
    Search(const Function& function, const std::byte* parameters)
        : function_(function), kernel_(function.ptx()), instructions_(kernel_.instructions), parameters_(parameters),
          graph_(kernel_), writers_(ptx::writers_of(kernel_)) {}

    /// Origin of the addresses of an instruction.
    Made of_addresses(std::size_t at) {
        for (;;) {
            changed_ = false;
            Made all = kUnknown;
            for (const Operand& operand : instructions_[at].operands)
                if (operand.kind == Operand::Kind::address) all = both(all, of(operand, at));
            for (auto& [written, made] : found_) { // it grows meanwhile
                const Made now = through(written.first, written.second);
                changed_ |= !now.is(made);
                made = now;
            }
            if (!changed_) return all;
        }
    }

private:
    using Written = std::pair<std::size_t, ptx::RegisterId>; ///< an instruction, and one of those that it writes

    Made of(const Operand& operand, std::size_t at) {
        const bool based = operand.kind == Operand::Kind::address;
        const Operand::Kind kind = based ? operand.base_kind : operand.kind;
        if (kind == Operand::Kind::reg) return of_register(operand.reg, at);
        if (kind == Operand::Kind::variable && operand.scope == Operand::Scope::module)
            return of_pointer(function_.module.addresses().at(operand.index));
        return kUnknown;
    }
    Made of_register(ptx::RegisterId r, std::size_t at) {
        if (ptx::bits(kernel_.registers.at(r).type) != 64) return kUnknown;
        const auto [known, fresh] = before_.try_emplace({at, r});
        if (fresh && budget_-- > 0) known->second = writers_before(r, at);
        if (!known->second) return kSeveral;
        Made made;
        for (const std::size_t writer : *known->second) {
            const auto [place, added] = found_.try_emplace({writer, r});
            changed_ |= added;
            made = either(made, place->second);
        }
        return made;
    }

    /// The instructions whose result a register may hold before another one.
    [[nodiscard]] std::vector<std::size_t> writers_before(ptx::RegisterId r, std::size_t at) const {
        std::vector<std::size_t> writers;
        std::vector<bool> seen(instructions_.size() + 1);
        std::vector<std::size_t> open;
        const auto open_once = [&](std::size_t k) {
            if (!seen[k]) open.push_back(k);
            seen[k] = true;
        };
        const auto go_before = [&](std::size_t k) { // to all that may run right before it
            const std::uint32_t block = graph_.block_of()[k];
            if (k != graph_.blocks()[block].begin) return open_once(k - 1);
            for (const std::uint32_t before : graph_.predecessors(block))
                open_once(graph_.blocks()[before].end - 1);
        };
        go_before(at);
        while (!open.empty()) {
            const std::size_t k = open.back();
            open.pop_back();
            const bool writes = std::binary_search(writers_[r].begin(), writers_[r].end(), k);
            if (writes) writers.push_back(k);
            if (!writes || instructions_[k].guarded) go_before(k);
        }
        return writers;
    }

    /// Origin of the value that an instruction writes to a register.
    Made through(std::size_t at, ptx::RegisterId r) {
        using Op = ptx::Opcode;
        const Instruction& i = instructions_[at];
        const auto operand = [&](std::size_t k) { return k < i.operands.size() ? of(i.operands[k], at) : kUnknown; };
        if (i.opcode == Op::ld) return of_parameter(i, r);
        if (!ptx::destination_register(i)) return kUnknown; // a part of something
        switch (i.opcode) {
        case Op::mov:
        case Op::cvta:
        case Op::cvt: return operand(1);
        case Op::mad: return operand(3);
        case Op::sub: return difference(operand(1), operand(2));
        case Op::add:
        case Op::and_:
        case Op::or_: return both(operand(1), operand(2));
        case Op::selp: return either(operand(1), operand(2));
        default: return kUnknown;
        }
    }

    [[nodiscard]] Made of_parameter(const Instruction& i, ptx::RegisterId r) const {
        const Operand* to = ptx::destination_of(i);
        if (i.space != ptx::Space::param || !to || i.operands.size() < 2 || ptx::bits(i.type()) != 64) return kUnknown;
        const Operand& from = i.operands[1];
        if (from.base_kind != Operand::Kind::variable || from.scope != Operand::Scope::parameter) return kUnknown;
        std::uint64_t value = 0;
        std::uint64_t at = function_.parameters.offsets.at(from.index) + static_cast<std::uint64_t>(from.integer);
        for (const Operand& element : to->elements) { // of a vector
            if (element.kind == Operand::Kind::reg && element.reg == r) break;
            at += sizeof value;
        }
        if (at > function_.parameters.size || sizeof value > function_.parameters.size - at) return kUnknown;
        std::memcpy(&value, parameters_ + at, sizeof value);
        return of_pointer(value);
    }
    static Made of_pointer(std::uint64_t pointer) {
        const auto allocation = AddressSpace::instance().find_or_freed(pointer);
        return allocation ? Made{Made::Of::pointer, allocation->id, pointer} : kUnknown;
    }

    const Function& function_;
    const ptx::Function& kernel_;
    const std::vector<Instruction>& instructions_;
    const std::byte* parameters_;
    const ptx::FlowGraph graph_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    /// Of a register before an instruction; nothing where that would take too long.
    std::map<Written, std::optional<std::vector<std::size_t>>> before_;
    std::map<Written, Made> found_;
    bool changed_ = false;
    int budget_ = 256; ///< more than an address is made of; each looks at the whole kernel
};

} // namespace

std::optional<std::uint64_t> address_origin(const Function& function, const jit::Site& site,
                                            const std::byte* parameters) {
    if (site.function != function.id || !parameters) return std::nullopt;
    if (site.instruction >= function.ptx().instructions.size()) return std::nullopt;
    const Made made = Search(function, parameters).of_addresses(site.instruction);
    return made.of == Made::Of::pointer ? std::optional(made.pointer) : std::nullopt;
}

} // namespace warplight::software
