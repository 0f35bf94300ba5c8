// SPDX-License-Identifier: Apache-2.0
#include "local_depot.hpp"

#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace warplight::debug {
namespace {

using ptx::Instruction;
using ptx::Operand;
using OperandKind = Operand::Kind;

/// Also behind a base, and in the list of a vector.
bool names(const Operand& x, OperandKind kind, std::uint32_t what) {
    const auto is = [&](OperandKind k) {
        return k == kind &&
               (kind == OperandKind::reg ? x.reg == what : x.index == what && x.scope == Operand::Scope::function);
    };
    return is(x.kind) || (x.kind == OperandKind::address && is(x.base_kind)) ||
           std::any_of(x.elements.begin(), x.elements.end(), [&](const Operand& e) { return names(e, kind, what); });
}

class DepotFinder {
public:
    explicit DepotFinder(const ptx::Function& function) : function_(function), writers_(writers_of(function)) {}

    std::optional<LocalDepot> find() {
        const auto& variables = function_.variables;
        const auto is_depot = [](const ptx::Variable& v) {
            return v.space == ptx::Space::local && v.name.starts_with("__local_depot");
        };
        const auto at = std::find_if(variables.begin(), variables.end(), is_depot);
        if (at == variables.end() || at->size == 0) return std::nullopt;
        depot_.variable = static_cast<ptx::VariableId>(at - variables.begin());
        depot_.size = at->size;
        depot_.alignment = at->alignment;
        const auto count = static_cast<std::uint32_t>(function_.instructions.size());
        for (std::uint32_t k = 0; k < count; ++k)
            if (!take_base(k)) return std::nullopt;
        for (std::uint32_t k = 0; k < count; ++k)
            if (!take_root(k)) return std::nullopt;
        return std::move(depot_);
    }

private:
    /// False: it uses the depot otherwise.
    bool take_base(std::uint32_t k) {
        const Instruction& i = function_.instructions[k];
        const auto uses = [&](const Operand& x) { return names(x, OperandKind::variable, depot_.variable); };
        const bool of_variable = std::any_of(i.operands.begin(), i.operands.end(), uses);
        const bool of_base = i.opcode == ptx::Opcode::cvta && !i.has(ptx::Modifier::to) && i.operands.size() == 2 &&
                             i.operands[1].kind == OperandKind::reg && is_generic_.contains(i.operands[1].reg);
        if (!of_variable && !of_base) return true;
        const ptx::RegisterId* to = destination_register(i);
        if (!to || i.guarded || writers_[*to].size() != 1) return false;
        if (of_variable &&
            (i.opcode != ptx::Opcode::mov || i.operands[1].kind != OperandKind::variable || i.operands[1].integer != 0))
            return false;
        is_generic_[*to] = of_base;
        depot_.bases.push_back(k);
        return true;
    }

    bool take_root(std::uint32_t k) {
        if (std::binary_search(depot_.bases.begin(), depot_.bases.end(), k)) return true;
        const Instruction& i = function_.instructions[k];
        for (std::size_t n = 0; n < i.operands.size(); ++n) {
            const Operand& x = i.operands[n];
            const auto base = std::find_if(is_generic_.begin(), is_generic_.end(),
                                           [&](const auto& each) { return names(x, OperandKind::reg, each.first); });
            if (base == is_generic_.end()) continue;
            LocalDepot::Root root{k, 0, base->second, std::nullopt};
            std::int64_t offset = 0;
            if (x.kind == OperandKind::address && x.base_kind == OperandKind::reg && x.elements.empty()) {
                root.operand = n;
                offset = x.integer;
            } else if (n != 1 || x.kind != OperandKind::reg || i.guarded || !destination_register(i)) {
                return false;
            } else if (i.opcode == ptx::Opcode::add && i.operands.size() == 3 &&
                       i.operands[2].kind == OperandKind::integer) {
                offset = i.operands[2].integer;
            } else if (i.opcode != ptx::Opcode::mov) {
                return false;
            }
            if (offset < 0 || static_cast<std::uint64_t>(offset) >= depot_.size) return false;
            root.offset = static_cast<std::uint64_t>(offset);
            depot_.roots.push_back(root);
        }
        return true;
    }

    const ptx::Function& function_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    std::map<ptx::RegisterId, bool> is_generic_; ///< of registers that hold the depot's address
    LocalDepot depot_;
};

std::size_t part_of(std::span<const DepotPart> parts, std::uint64_t offset) {
    const auto behind = std::upper_bound(parts.begin(), parts.end(), offset,
                                         [](std::uint64_t at, const DepotPart& p) { return at < p.offset; });
    return static_cast<std::size_t>(behind - parts.begin()) - 1;
}

/// Keeps what the compiler has given the part by its place.
std::uint64_t alignment_of(const LocalDepot& depot, const DepotPart& part) {
    return std::gcd(part.offset - part.lead, std::uint64_t{depot.alignment});
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// "NAME…;" and nothing else.
bool is_single(std::string_view line, std::string_view start) {
    const std::string_view text = trimmed(line);
    return text.starts_with(start) && text.find(';') == text.size() - 1;
}

} // namespace

std::vector<std::uint64_t> LocalDepot::offsets() const {
    std::vector<std::uint64_t> all;
    all.reserve(roots.size());
    for (const Root& root : roots)
        all.push_back(root.offset);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::optional<LocalDepot> find_local_depot(const ptx::Function& function) { return DepotFinder(function).find(); }

void divide(ptx::Function& function, const LocalDepot& depot, std::span<const DepotPart> parts) {
    const auto first = static_cast<std::uint32_t>(function.variables.size());
    for (const DepotPart& part : parts) {
        ptx::Variable v = function.variables[depot.variable];
        v.name = part.name;
        v.size = part.lead + part.size;
        v.alignment = static_cast<std::uint32_t>(alignment_of(depot, part));
        function.variables.push_back(std::move(v));
    }
    for (const LocalDepot::Root& root : depot.roots) {
        Instruction& i = function.instructions[root.instruction];
        const std::size_t part = part_of(parts, root.offset);
        Operand& place = i.operands[root.operand.value_or(1)];
        (root.operand ? place.base_kind : place.kind) = OperandKind::variable;
        place.scope = Operand::Scope::function;
        place.index = first + static_cast<std::uint32_t>(part);
        place.integer = static_cast<std::int64_t>(root.offset - parts[part].offset + parts[part].lead);
        if (root.operand) continue;
        i.opcode = ptx::Opcode::mov;
        i.operands.resize(2);
    }
}

DividedText::DividedText(std::string_view text) {
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find('\n', at);
        lines_.emplace_back(text.substr(at, end - at));
        if (end == std::string_view::npos) return;
        at = end + 1;
    }
}

std::string DividedText::text() const {
    std::string all;
    for (std::size_t k = 0; k < lines_.size(); ++k)
        all.append(k ? "\n" : "").append(lines_[k]);
    return all;
}

bool DividedText::divide(const ptx::Function& function, const LocalDepot& depot, std::span<const DepotPart> parts) {
    std::map<std::size_t, std::string> changed; // by line
    const auto line_of = [&](std::uint32_t instruction) -> std::size_t {
        return function.instructions[instruction].line - std::size_t{1};
    };
    const std::string declared = function.variables[depot.variable].name + '[';
    std::size_t declaration = line_of(0); // what the body declares stands in front of its instructions
    while (declaration > 0 &&
           (!is_single(lines_.at(declaration), ".local") || lines_[declaration].find(declared) == std::string::npos))
        --declaration;
    if (declaration == 0) return false;
    std::string& variables = changed[declaration];
    for (const DepotPart& part : parts)
        variables += ".local .align " + std::to_string(alignment_of(depot, part)) + " .b8 " + part.name + '[' +
                     std::to_string(part.lead + part.size) + "]; ";

    for (const std::uint32_t base : depot.bases) {
        const std::size_t at = line_of(base);
        const bool is_move = function.instructions[base].opcode == ptx::Opcode::mov;
        if (!is_single(lines_.at(at), is_move ? "mov." : "cvta.")) return false;
        changed[at] = "";
    }
    std::uint64_t registers = registers_;
    for (const LocalDepot::Root& root : depot.roots) {
        const Instruction& i = function.instructions[root.instruction];
        const std::size_t at = line_of(root.instruction);
        const DepotPart& part = parts[part_of(parts, root.offset)];
        const std::uint64_t further = root.offset - part.offset + part.lead;
        const std::string place = further == 0 ? part.name : part.name + '+' + std::to_string(further);
        if (root.operand) {
            const std::string base = '[' + function.registers[i.operands[*root.operand].reg].name;
            std::string& line = changed.try_emplace(at, lines_.at(at)).first->second;
            const std::size_t begin = line.find(base), end = line.find(']', begin);
            const std::size_t behind = begin + base.size();
            if (begin == std::string::npos || end == std::string::npos || (line[behind] != '+' && behind != end))
                return false;
            line.replace(begin + 1, end - begin - 1, place);
            continue;
        }
        if (!is_single(lines_.at(at), i.opcode == ptx::Opcode::add ? "add." : "mov.") || changed.contains(at))
            return false;
        const std::string to = function.registers[*destination_register(i)].name;
        if (root.is_generic) {
            const std::string local = fmt::format("%local_array{}", registers++);
            changed[at] = fmt::format("mov.u64 {0}, {1}; cvta.local.u64 {2}, {0};", local, place, to);
            variables += fmt::format(".reg .b64 {}; ", local);
        } else {
            changed[at] = fmt::format("mov.u64 {}, {};", to, place);
        }
    }
    registers_ = registers;
    for (auto& [at, text] : changed)
        lines_.at(at) = std::move(text);
    return true;
}

} // namespace warplight::debug
