// SPDX-License-Identifier: Apache-2.0
#include "local_sources.hpp"

#include "local_depot.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/effects.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace warplight::debug {
namespace {

constexpr unsigned kMostInlined = 256; ///< calls inside of each other

/// Which registers may hold the address of which local array, wherever in the function.
class PointerFlow {
public:
    /// @param first of the variables that are arrays
    PointerFlow(const ptx::Function& function, std::uint32_t first)
        : function_(function), first_(first), held_(function.registers.size()) {
        while (spread()) {
        }
    }

    /// Numbers of arrays whose address an instruction has in its operands.
    [[nodiscard]] std::set<std::uint32_t> had_by(const ptx::Instruction& i) const {
        Held all;
        for (const ptx::Operand& x : i.operands)
            add(x, all);
        return all.arrays;
    }
    /// Of one of its addresses: it may be a pointer that the function has read from memory.
    [[nodiscard]] bool is_by_loaded_pointer(const ptx::Instruction& i) const {
        return any_address(i, &Held::is_loaded);
    }
    /// The same, of a pointer that its caller has given it.
    [[nodiscard]] bool is_by_parameter(const ptx::Instruction& i) const { return any_address(i, &Held::is_parameter); }

private:
    using Kind = ptx::Operand::Kind;
    struct Held {
        std::set<std::uint32_t> arrays;
        bool is_loaded = false; ///< from memory or a call, so that it may be any address that was stored
        bool is_parameter = false;
        [[nodiscard]] bool operator==(const Held&) const = default;
    };

    [[nodiscard]] bool any_address(const ptx::Instruction& i, bool Held::* is) const {
        return std::any_of(i.operands.begin(), i.operands.end(), [&](const ptx::Operand& x) {
            return x.kind == Kind::address && x.base_kind == Kind::reg && held_[x.reg].*is;
        });
    }

    void add(const ptx::Operand& x, Held& to) const {
        const Kind kind = x.kind == Kind::address ? x.base_kind : x.kind;
        if (kind == Kind::reg) {
            to.arrays.insert(held_[x.reg].arrays.begin(), held_[x.reg].arrays.end());
            to.is_loaded |= held_[x.reg].is_loaded;
            to.is_parameter |= held_[x.reg].is_parameter;
        } else if (kind == Kind::variable && x.scope == ptx::Operand::Scope::function && x.index >= first_) {
            to.arrays.insert(x.index - first_);
        } else if (kind == Kind::variable && x.scope == ptx::Operand::Scope::parameter) {
            to.is_parameter |= !function_.kernel;
        }
        for (const ptx::Operand& element : x.elements)
            add(element, to);
    }

    bool spread() {
        bool has_changed = false;
        for (const ptx::Instruction& i : function_.instructions) {
            const ptx::Operand* to = ptx::destination_of(i);
            if (!to) continue;
            Held value;
            const bool accesses = !ptx::all_accesses_of(i).empty();
            const bool is_of_call = i.opcode == ptx::Opcode::ld && i.operands.size() > 1 &&
                                    i.operands[1].base_kind == Kind::variable &&
                                    i.operands[1].scope == ptx::Operand::Scope::function;
            value.is_loaded = accesses || is_of_call;
            if (!value.is_loaded)
                for (const ptx::Operand& x : ptx::sources_of(i))
                    add(x, value);
            has_changed |= merge(*to, value);
        }
        return has_changed;
    }

    bool merge(const ptx::Operand& to, const Held& value) {
        bool has_changed = false;
        for (const ptx::Operand& element : to.elements)
            has_changed |= merge(element, value);
        if (to.kind != Kind::reg || ptx::bits(function_.registers[to.reg].type) != 64) return has_changed;
        Held& held = held_[to.reg];
        const Held before = held;
        held.arrays.insert(value.arrays.begin(), value.arrays.end());
        held.is_loaded |= value.is_loaded;
        held.is_parameter |= value.is_parameter;
        return has_changed || !(held == before);
    }

    const ptx::Function& function_;
    const std::uint32_t first_;
    std::vector<Held> held_; ///< by register
};

template <class Visit>
void each_place(const ptx::Module& module, std::int32_t location, Visit visit) {
    for (unsigned k = 0; k < kMostInlined && location >= 0; ++k) {
        const ptx::SourceLocation& at = module.locations.at(static_cast<std::size_t>(location));
        if (at.line != 0 && at.file < module.files.size()) visit(std::pair(module.files[at.file], at.line));
        location = at.inlined_at;
    }
}

} // namespace

LocalSources::LocalSources(ptx::Module module) : module_(std::move(module)) {
    const DebugInfo info = read_debug_info(module_);
    functions_.resize(module_.functions.size());
    for (ptx::FunctionId f = 0; f < module_.functions.size(); ++f)
        find_arrays(info, f);
    for (ptx::FunctionId f = 0; f < module_.functions.size(); ++f) {
        note_uses(f);
        if (functions_[f].is_known) note_calls(f);
    }
    for (auto& [place, line] : by_line_)
        if (line.by_loaded_pointer) line.arrays.insert(escaped_.begin(), escaped_.end());
}

std::set<ArrayId> LocalSources::used_at(const ptx::Module& module, std::int32_t location) const {
    std::set<ArrayId> ids;
    bool is_here = true; // the arrays of a call are used only where the called function takes them by its parameters
    each_place(module, location, [&](const auto& place) {
        const auto found = by_line_.find(place);
        if (!is_here || found == by_line_.end()) return;
        ids.insert(found->second.arrays.begin(), found->second.arrays.end());
        is_here = found->second.by_parameter || !found->second.accesses;
    });
    return ids;
}

std::uint64_t LocalSources::alignment_of(const DebugInfo& info, TypeId type, unsigned depth) const {
    const Type& t = info.types.at(info.resolved(type));
    if (depth > 32) return 1;
    if (t.kind == Type::Kind::array) return alignment_of(info, t.of, depth + 1);
    std::uint64_t most = 1;
    for (const Type::Member& member : t.members)
        most = std::max(most, alignment_of(info, member.type, depth + 1));
    const bool is_scalar = t.kind != Type::Kind::structure && t.size != 0 && (t.size & (t.size - 1)) == 0;
    return is_scalar ? std::min<std::uint64_t>(t.size, 16) : most;
}

/// Gives each root of the function an array: a variable of the source, or one that has no name.
void LocalSources::find_arrays(const DebugInfo& info, ptx::FunctionId f) {
    ptx::Function& function = module_.functions[f];
    const DebugFunction* known = info.of(f);
    Of& of = functions_[f];
    of.is_known = known != nullptr;
    const auto depot = find_local_depot(function);
    const auto is_local = [](const ptx::Variable& v) { return v.space == ptx::Space::local; };
    if (!depot) {
        is_complete_ &= std::none_of(function.variables.begin(), function.variables.end(), is_local);
        return;
    }
    struct Stored {
        std::uint64_t end = 0;
        std::vector<ArrayId> ids;
    };
    std::map<std::uint64_t, Stored> stored; // by offset
    for (const StoredVariable& v : known ? known->stored : std::vector<StoredVariable>()) {
        const std::uint64_t size = info.size_of(v.type);
        if (v.symbol != function.variables[depot->variable].name || size == 0 || v.offset >= depot->size ||
            size > depot->size - v.offset)
            continue;
        Stored& here = stored[v.offset];
        const LocalSource array{v.name, v.line, size, alignment_of(info, v.type)};
        const auto is_same = [&](ArrayId id) {
            return arrays_[id].name == array.name && arrays_[id].line == array.line && arrays_[id].size == array.size;
        };
        here.end = std::max(here.end, v.offset + size);
        if (std::any_of(here.ids.begin(), here.ids.end(), is_same)) continue; // inlined once more
        here.ids.push_back(static_cast<ArrayId>(arrays_.size()));
        arrays_.push_back(array);
    }
    // What has no name between two variables may be several arrays, of which roots may be inside.
    std::vector<DepotPart> parts;
    std::uint64_t end = 0;
    const auto add_part = [&](std::uint64_t begin, std::uint64_t next, std::vector<ArrayId> ids) {
        parts.push_back({begin, next - begin, "part" + std::to_string(begin), 0});
        of.places.push_back(std::move(ids));
    };
    const auto add_unnamed = [&](std::uint64_t next) {
        if (end >= next) return;
        add_part(end, next, {static_cast<ArrayId>(arrays_.size())});
        arrays_.push_back({"", 0, next - end, 1});
    };
    for (auto at = stored.begin(); at != stored.end(); ++at) {
        add_unnamed(at->first);
        const auto next = std::next(at);
        add_part(at->first, next == stored.end() ? at->second.end : std::min(at->second.end, next->first),
                 at->second.ids);
        end = std::max(end, at->second.end);
    }
    add_unnamed(depot->size);
    divide(function, *depot, parts);
}

/// Lines whose instructions have the address of an array: at least all that use it.
void LocalSources::note_uses(ptx::FunctionId f) {
    const ptx::Function& function = module_.functions[f];
    const auto& places = functions_[f].places;
    const PointerFlow flow(function, static_cast<std::uint32_t>(function.variables.size() - places.size()));
    for (const ptx::Instruction& i : function.instructions) {
        std::set<ArrayId> ids;
        for (const std::uint32_t part : flow.had_by(i))
            ids.insert(places[part].begin(), places[part].end());
        Line& line = line_of(i.location);
        line.arrays.insert(ids.begin(), ids.end());
        if (i.opcode == ptx::Opcode::st) escaped_.insert(ids.begin(), ids.end());
        if (ptx::all_accesses_of(i).empty()) continue;
        line.accesses = true;
        line.by_parameter |= flow.is_by_parameter(i);
        line.by_loaded_pointer |= flow.is_by_loaded_pointer(i);
    }
}

void LocalSources::note_calls(ptx::FunctionId f) {
    const ptx::Function& function = module_.functions[f];
    for (const ptx::Instruction& i : function.instructions) {
        if (i.call < 0) continue;
        const auto callee = function.calls.at(static_cast<std::size_t>(i.call)).callee;
        if (!callee) continue;
        std::set<ptx::FunctionId> seen;
        std::set<ArrayId> ids;
        add_unknown(*callee, seen, ids);
        line_of(i.location).arrays.insert(ids.begin(), ids.end());
    }
}

void LocalSources::add_unknown(ptx::FunctionId f, std::set<ptx::FunctionId>& seen, std::set<ArrayId>& ids) const {
    if (functions_.at(f).is_known || !seen.insert(f).second) return;
    for (const std::vector<ArrayId>& arrays : functions_[f].places)
        ids.insert(arrays.begin(), arrays.end());
    for (const ptx::Call& call : module_.functions[f].calls)
        if (call.callee) add_unknown(*call.callee, seen, ids);
}

LocalSources::Line& LocalSources::line_of(std::int32_t location) {
    std::pair<std::string, std::uint32_t> innermost; // no line's, where the location has none
    each_place(module_, location, [&](const auto& place) {
        if (innermost.second == 0) innermost = place;
    });
    return by_line_[innermost];
}

} // namespace warplight::debug
