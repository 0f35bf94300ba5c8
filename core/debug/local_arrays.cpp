// SPDX-License-Identifier: Apache-2.0
#include "local_arrays.hpp"

#include "local_depot.hpp"
#include "local_sources.hpp"
#include "local_tiling.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/flow.hpp"
#include "software/ptx/local_array.hpp"
#include "software/ptx/origins.hpp"
#include "software/ptx/parser.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace warplight::debug {
namespace {

using Evidence = std::set<std::set<ArrayId>>; ///< of each access: one of these

constexpr std::size_t kMostPlaces = 512; ///< in a depot: the ways to lay it out grow with their square

class DepotLayout {
public:
    DepotLayout(const LocalSources& sources, const ptx::Module& module, const ptx::Function& function,
                const LocalDepot& depot)
        : sources_(sources), module_(module), function_(function), depot_(depot) {}

    /// Nothing where no more is known than the depot's own size.
    std::optional<std::vector<DepotPart>> find() {
        const std::vector<std::uint64_t> offsets = depot_.offsets();
        if (offsets.empty() || offsets.front() != 0 || offsets.size() > kMostPlaces) return std::nullopt;
        const std::vector<Evidence> evidence = evidence_of(offsets);
        std::vector<TilingPlace> places;
        places.reserve(offsets.size());
        for (std::size_t k = 0; k < offsets.size(); ++k)
            places.push_back({offsets[k], 0, choices_of(evidence[k])});
        find_ends(places);
        const auto parts = tile(places, depot_.size, depot_.alignment);
        if (!parts) return std::nullopt;
        std::vector<DepotPart> named;
        for (const TilingPart& part : *parts) {
            ptx::LocalArray array = array_of(part);
            array.lead = part.may_be_several ? part.offset % depot_.alignment : 0;
            named.push_back({part.offset, part.size, ptx::name_of(array), array.lead});
        }
        const bool is_known = named.size() > 1 || named[0].size < depot_.size || !array_of(parts->front()).name.empty();
        return is_known ? std::optional(std::move(named)) : std::nullopt;
    }

private:
    /// What the lines of the accesses by each root tell.
    [[nodiscard]] std::vector<Evidence> evidence_of(const std::vector<std::uint64_t>& offsets) const {
        ptx::Function divided = function_;
        std::vector<DepotPart> parts;
        parts.reserve(offsets.size());
        for (const std::uint64_t offset : offsets)
            parts.push_back({offset, 1, "part" + std::to_string(offset), 0});
        divide(divided, depot_, parts);
        const auto first = static_cast<std::uint32_t>(function_.variables.size());
        std::vector<std::uint32_t> accesses;
        for (std::uint32_t k = 0; k < divided.instructions.size(); ++k)
            if (!ptx::all_accesses_of(divided.instructions[k]).empty()) accesses.push_back(k);
        ptx::Origins origins(divided, accesses, [&](const ptx::Root& root) -> std::optional<std::uint64_t> {
            return root.scope == ptx::Operand::Scope::function ? std::optional<std::uint64_t>(root.index)
                                                               : std::nullopt;
        });
        std::vector<Evidence> evidence(offsets.size());
        std::map<std::int32_t, std::set<ArrayId>> used; // by location
        for (const std::uint32_t k : accesses) {
            const ptx::Instruction& i = divided.instructions[k];
            for (const ptx::MemoryAccess& access : ptx::all_accesses_of(i)) {
                const ptx::Origin origin = origins.of_address(*access.address, k);
                if (origin.of != ptx::Origin::Of::root || origin.root.index < first) continue;
                const auto [at, is_new] = used.try_emplace(i.location);
                if (is_new) at->second = sources_.used_at(module_, i.location);
                if (!at->second.empty()) evidence[origin.root.index - first].insert(at->second);
            }
        }
        return evidence;
    }

    /// Accesses at a constant distance from a root tell how far its array goes at least.
    void find_ends(std::vector<TilingPlace>& places) const {
        const auto note = [&](std::uint64_t offset, std::int64_t further, unsigned bytes) {
            const auto place = std::lower_bound(places.begin(), places.end(), offset,
                                                [](const TilingPlace& p, std::uint64_t at) { return p.offset < at; });
            const std::int64_t to = static_cast<std::int64_t>(offset) + further + static_cast<std::int64_t>(bytes);
            if (to > 0) place->end = std::max(place->end, static_cast<std::uint64_t>(to));
        };
        const auto writers = ptx::writers_of(function_);
        std::map<ptx::RegisterId, std::uint64_t> roots;
        for (const LocalDepot::Root& root : depot_.roots) {
            const ptx::Instruction& i = function_.instructions[root.instruction];
            if (!root.operand && writers[i.operands[0].reg].size() == 1) roots[i.operands[0].reg] = root.offset;
            for (const ptx::MemoryAccess& access : ptx::all_accesses_of(i))
                if (root.operand && access.address == &i.operands[*root.operand]) note(root.offset, 0, access.bytes);
        }
        for (const ptx::Instruction& i : function_.instructions)
            for (const ptx::MemoryAccess& access : ptx::all_accesses_of(i)) {
                const auto root = roots.find(access.address->reg);
                const bool is_based = access.address->base_kind == ptx::Operand::Kind::reg;
                if (is_based && root != roots.end()) note(root->second, access.address->integer, access.bytes);
            }
    }

    struct Size { ///< what arrays have in common for the tiling
        std::uint64_t size = 0, alignment = 1;
        bool is_exact = true;
        [[nodiscard]] auto operator<=>(const Size&) const = default;
    };
    [[nodiscard]] Size size_of(ArrayId id) const {
        const LocalSource& array = sources_.arrays()[id];
        return {array.size, array.alignment, !array.name.empty()};
    }

    /// Arrays that all accesses allow, or sizes that all of them allow, where arrays share memory one after the other.
    [[nodiscard]] std::vector<TilingChoice> choices_of(const Evidence& evidence) const {
        std::map<Size, TilingChoice> choices;
        bool is_first = true;
        for (const std::set<ArrayId>& used : evidence) {
            std::map<Size, std::set<ArrayId>> sizes;
            for (const ArrayId id : used)
                sizes[size_of(id)].insert(id);
            if (is_first)
                for (const auto& [size, ids] : sizes)
                    choices[size] = {size.size, size.alignment, size.is_exact, ids};
            std::erase_if(choices, [&](const auto& each) { return !sizes.contains(each.first); });
            for (auto& [size, choice] : choices)
                narrow(choice.ids, sizes.at(size));
            is_first = false;
        }
        if (choices.empty()) return anything();
        std::vector<TilingChoice> all;
        all.reserve(choices.size());
        for (auto& [size, choice] : choices)
            all.push_back(std::move(choice));
        return all;
    }

    static void narrow(std::set<ArrayId>& ids, const std::set<ArrayId>& to) {
        std::set<ArrayId> both;
        std::set_intersection(ids.begin(), ids.end(), to.begin(), to.end(), std::inserter(both, both.end()));
        if (both.empty())
            ids.insert(to.begin(), to.end());
        else
            ids = std::move(both);
    }

    /// Nothing is known of a place: it may also be memory that only the optimiser has made.
    [[nodiscard]] std::vector<TilingChoice> anything() const {
        std::map<Size, TilingChoice> choices;
        for (ArrayId id = 0; id < sources_.arrays().size(); ++id) {
            const Size size = size_of(id);
            choices[size] = {size.size, size.alignment, size.is_exact, {}};
        }
        std::vector<TilingChoice> all{{depot_.size, 1, false, {}}};
        for (auto& [size, choice] : choices)
            all.push_back(std::move(choice));
        return all;
    }

    /// A name where at most two are possible.
    [[nodiscard]] ptx::LocalArray array_of(const TilingPart& part) const {
        std::map<std::string, std::set<std::uint32_t>> names; // with their lines
        for (const ArrayId id : part.ids)
            if (const LocalSource& array = sources_.arrays()[id]; !array.name.empty())
                names[array.name].insert(array.line);
        if (names.empty() || names.size() > 2) return {part.offset, 0, "", "", 0};
        const auto& [name, lines] = *names.begin();
        if (names.size() == 2) return {part.offset, 0, name, names.rbegin()->first, 0};
        return {part.offset, lines.size() == 1 ? *lines.begin() : 0, name, "", 0};
    }

    const LocalSources& sources_;
    const ptx::Module& module_;
    const ptx::Function& function_;
    const LocalDepot& depot_;
};

} // namespace

std::string with_local_arrays(std::string_view ptx, std::string_view for_debugger) {
    auto parsed = ptx::parse(ptx);
    const auto* module = std::get_if<ptx::Module>(&parsed);
    auto debugged = ptx::parse(for_debugger);
    auto* twin = std::get_if<ptx::Module>(&debugged);
    if (!module || !twin) return std::string(ptx);
    const LocalSources sources(std::move(*twin));
    if (!sources.is_complete()) return std::string(ptx);
    DividedText text(ptx);
    for (const ptx::Function& function : module->functions) {
        const auto depot = find_local_depot(function);
        if (!depot) continue;
        if (const auto parts = DepotLayout(sources, *module, function, *depot).find())
            (void)text.divide(function, *depot, *parts); // what looks otherwise stays as it is
    }
    std::string divided = text.text();
    return std::holds_alternative<ptx::Module>(ptx::parse(divided)) ? divided : std::string(ptx);
}

} // namespace warplight::debug
