// SPDX-License-Identifier: Apache-2.0
#include "hints.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

namespace warplight::profile {
namespace {

struct KindRow {
    std::string_view name, anchor;
};
constexpr KindRow kinds[] = {
#define WARPLIGHT_HINT(kind, anchor) {#kind, anchor},
#include "hints.def"
#undef WARPLIGHT_HINT
};

constexpr double kWarp = 32;

double quotient(double sum, double count) { return count == 0 ? 0 : sum / count; }
double lanes_of(const Figures& f) { return quotient(double(f.active_lanes), double(f.executions)); }

/// "32", "4.5"
std::string number(double value) {
    return std::abs(value - std::round(value)) < 0.05 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

enum class Access : std::uint8_t { none, read, write, atomic };

Access access_of(std::string_view opcode) {
    if (opcode.starts_with("ld") || opcode.starts_with("cp.")) return Access::read;
    if (opcode.starts_with("st.")) return Access::write;
    return opcode.starts_with("atom") || opcode.starts_with("red") ? Access::atomic : Access::none;
}

const char* verb_of(Access access) { return access == Access::write ? "write" : "read"; }

/// Passes through the banks that an access of a whole warp takes without conflicts, by the bytes of a thread:
/// "ld.shared.v2.f64" has 16, which are 4 passes.
std::uint64_t passes_of(std::string_view opcode) {
    std::uint64_t bits = 32, vector = 1;
    for (std::size_t at = 0; at < opcode.size();) {
        const std::size_t end = std::min(opcode.find('.', at), opcode.size());
        const std::string_view word = opcode.substr(at, end - at);
        at = end + 1;
        std::uint64_t value = 0;
        const std::size_t digits = word.find_first_of("0123456789");
        if (digits != 1 || std::from_chars(word.data() + 1, word.data() + word.size(), value).ptr == word.data() + 1)
            continue;
        if (word.front() == 'v')
            vector = value;
        else if (std::string_view("bsuf").find(word.front()) != std::string_view::npos)
            bits = value;
    }
    return std::clamp<std::uint64_t>(bits * vector / 32, 1, 4);
}

/// Instructions that one hint is about.
struct Group {
    const Instruction* first = nullptr;
    Figures figures;
    double gain = 0;   ///< of cost
    double fewest = 0; ///< sectors or passes that would do

    void add(const Instruction& each, double saved, double ideal) {
        if (!first) first = &each;
        figures.add(each.figures);
        gain += saved;
        fewest += ideal;
    }
};

/// Of a line, and of one instruction where there is no line information.
using Place = std::tuple<std::string, int>;
Place place_of(const Instruction& each) {
    return each.place.file.empty() ? Place{"", each.ptx_line} : Place{each.place.file, each.place.line};
}
using Groups = std::map<std::tuple<Place, Access>, Group>;

class Finder {
public:
    Finder(const Profile& profile, const HintThresholds& thresholds)
        : profile_(profile), limits_(thresholds), total_(profile.total()), cost_(double(cost_of(total_))) {
        for (const Instruction& each : profile.instructions)
            full_ = std::max(full_, lanes_of(each.figures));
    }

    std::vector<Hint> find(const Gpu* gpu) {
        if (cost_ == 0) return {};
        global_memory();
        shared_memory();
        divergence();
        partial_warps();
        atomics();
        local_memory();
        std::sort(hints_.begin(), hints_.end(), [](const Hint& a, const Hint& b) {
            return std::tie(b.share, a.file, a.line, a.ptx_line, a.kind) <
                   std::tie(a.share, b.file, b.line, b.ptx_line, b.kind);
        });
        if (gpu) roofline(*gpu);
        return std::move(hints_);
    }

private:
    void add(HintKind kind, const Instruction* first, double gain, std::string text) {
        Hint hint;
        hint.kind = kind;
        hint.text = std::move(text);
        hint.share = gain / cost_;
        if (first) {
            hint.file = first->place.file;
            hint.line = first->place.line;
            hint.ptx_line = first->ptx_line;
        }
        hints_.push_back(std::move(hint));
    }

    void add_all(HintKind kind, const Groups& groups, const std::function<std::string(const Group&, Access)>& text_of) {
        for (const auto& [key, group] : groups)
            if (group.gain >= limits_.share * cost_)
                add(kind, group.first, group.gain, text_of(group, std::get<Access>(key)));
    }

    void global_memory() {
        Groups groups;
        for (const Instruction& each : profile_.instructions) {
            const Figures& f = each.figures;
            const Access access = access_of(each.opcode);
            if (f.requests == 0 || (access != Access::read && access != Access::write)) continue;
            // Where threads are missing, those of a whole warp would need no more than this.
            const double whole = quotient(double(f.requests) * double(f.bytes), double(f.active_lanes));
            const double sectors = double(f.sectors), fewest = std::max(double(f.sectors_ideal), whole);
            // Bytes that lie together, but begin inside of a sector, take one more.
            if (sectors - fewest <= double(f.requests) || sectors < limits_.sectors_over_ideal * fewest) continue;
            groups[{place_of(each), access}].add(each, kSectorCost * (sectors - fewest), fewest);
        }
        add_all(HintKind::uncoalesced, groups, [](const Group& group, Access access) {
            const double requests = double(group.figures.requests);
            const char* verb = verb_of(access);
            return fmt::format(
                "A {} of a warp takes {} sectors of memory where {} would do: the bytes that its threads "
                "{} are spread. Let neighbouring threads {} neighbouring bytes.",
                verb, number(double(group.figures.sectors) / requests), number(group.fewest / requests), verb, verb);
        });
    }

    void shared_memory() {
        Groups groups;
        for (const Instruction& each : profile_.instructions) {
            const Figures& f = each.figures;
            const Access access = access_of(each.opcode);
            if (f.shared_requests == 0 || (access != Access::read && access != Access::write)) continue;
            const double passes = double(f.wavefronts);
            const double fewest =
                std::max(double(f.wavefronts_ideal), double(f.shared_requests * passes_of(each.opcode)));
            if (passes < limits_.passes_over_fewest * fewest) continue;
            groups[{place_of(each), access}].add(each, kWavefrontCost * (passes - fewest), fewest);
        }
        add_all(HintKind::bank_conflicts, groups, [](const Group& group, Access access) {
            const double requests = double(group.figures.shared_requests), passes = double(group.figures.wavefronts);
            return fmt::format("A {} of a warp goes through shared memory in {} passes where {} would do ({}-way bank "
                               "conflict): threads ask one bank for different words.",
                               verb_of(access), number(passes / requests), number(group.fewest / requests),
                               number(passes / group.fewest));
        });
    }

    /// Idle threads count for the branches before and among the instructions that run with fewer threads than others.
    void divergence() {
        struct Branches {
            Group group;
            double executions = 0, lanes = 0;
        };
        std::map<Place, Branches> by_place;
        const std::span all(profile_.instructions);
        const auto is_low = [&](std::size_t k) { return lanes_of(all[k].figures) < limits_.lanes_of_full * full_; };
        for (std::size_t start = 0; start < all.size(); ++start) {
            if (all[start].figures.executions == 0 || !is_low(start)) continue;
            std::size_t end = start;
            double idle = 0, executions = 0, lanes = 0;
            for (; end < all.size() && all[end].kernel == all[start].kernel && is_low(end); ++end) {
                const Figures& f = all[end].figures;
                executions += double(f.executions);
                lanes += double(f.active_lanes);
                idle += double(f.executions) - double(f.active_lanes) / full_;
            }
            std::vector<const Instruction*> branches;
            double divergent = 0;
            const auto take = [&](std::size_t k) {
                if (all[k].figures.divergent_branches == 0 || all[k].kernel != all[start].kernel) return false;
                branches.push_back(&all[k]);
                divergent += double(all[k].figures.divergent_branches);
                return true;
            };
            // Right before them is a branch around them, and among them are branches that leave a loop.
            for (std::size_t k = start; k-- > 0;)
                if (all[k].figures.executions != 0) {
                    take(k);
                    break;
                }
            for (std::size_t k = start; k < end; ++k)
                take(k);
            for (std::size_t k = start; branches.empty() && k-- > 0;)
                take(k);
            for (const Instruction* each : branches) {
                const double part = double(each->figures.divergent_branches) / divergent;
                Branches& to = by_place[place_of(*each)];
                to.executions += executions * part;
                to.lanes += lanes * part;
                to.group.gain += idle * part;
                if (!to.group.first) to.group.first = each;
            }
            start = end - 1;
        }
        for (const Instruction& each : all)
            if (each.figures.divergent_branches != 0)
                if (const auto found = by_place.find(place_of(each)); found != by_place.end())
                    found->second.group.figures.add(each.figures);
        for (const auto& [place, branches] : by_place) {
            const Figures& f = branches.group.figures;
            if (branches.group.gain < limits_.share * cost_) continue;
            add(HintKind::divergence, branches.group.first, branches.group.gain,
                fmt::format(
                    "At {} of {} executions of this branch the threads of a warp go two ways, and one way waits "
                    "for the other. What depends on it runs with {} of {} threads on average.",
                    f.divergent_branches, f.executions, number(branches.lanes / branches.executions), number(full_)));
        }
    }

    void partial_warps() {
        // Kernels that others launch have blocks of their own.
        if (profile_.launches != 1 || full_ >= limits_.full_warp) return;
        add(HintKind::partial_warps, nullptr, double(total_.executions) * (1 - full_ / kWarp),
            fmt::format("A warp has {} of 32 threads on average, because of the shape of the blocks. Give a block a "
                        "multiple of 32 threads.",
                        number(full_)));
    }

    void atomics() {
        Groups groups;
        for (const Instruction& each : profile_.instructions) {
            const double lanes = double(each.figures.atomic_lanes), addresses = double(each.figures.atomic_addresses);
            if (addresses > 0 && lanes >= limits_.threads_per_address * addresses)
                groups[{place_of(each), Access::atomic}].add(each, kSectorCost * (lanes - addresses), addresses);
        }
        add_all(HintKind::atomics, groups, [](const Group& group, Access) {
            return fmt::format(
                "{} threads of a warp meet at one address on average, where their atomic operations take "
                "turns. Join the values of a warp or of a block first.",
                number(double(group.figures.atomic_lanes) / group.fewest));
        });
    }

    void local_memory() {
        Groups groups;
        for (const Instruction& each : profile_.instructions)
            if (const Figures& f = each.figures; f.local_requests != 0)
                groups[{place_of(each), Access::none}].add(
                    each, double(f.local_requests) + kSectorCost * double(f.local_sectors), 0);
        add_all(HintKind::local_memory, groups, [](const Group& group, Access) {
            return fmt::format(
                "Accesses to local memory take {} sectors in {} requests. Arrays that are indexed at run "
                "time, variables whose address is taken and arguments of printf lie there.",
                group.figures.local_sectors, group.figures.local_requests);
        });
    }

    void roofline(const Gpu& gpu) {
        if (profile_.warps < limits_.roofline_warps) return;
        const auto roofline = roofline_of(total_, gpu);
        if (!roofline) return;
        const std::string intensity = fmt::format("{:.3g}", roofline->operations_per_byte);
        const std::string ridge = fmt::format("{:.3g}", roofline->peak / gpu.gigabytes_a_second);
        if (roofline->is_bound_by_memory)
            add(HintKind::memory_bound, nullptr, 0,
                fmt::format(
                    "Memory is the limit under the roofline of {} (a model): {} operations a byte, and {} would "
                    "reach the peak of arithmetic. Move fewer bytes, or do more with each.",
                    gpu.name, intensity, ridge));
        else
            add(HintKind::arithmetic_bound, nullptr, 0,
                fmt::format(
                    "Arithmetic is the limit under the roofline of {} (a model): {} operations a byte, where {} "
                    "reach its peak. Do fewer operations, or use a smaller type.",
                    gpu.name, intensity, ridge));
    }

    const Profile& profile_;
    const HintThresholds& limits_;
    const Figures total_;
    const double cost_;
    double full_ = 0; ///< threads of a warp, where all take part
    std::vector<Hint> hints_;
};

} // namespace

std::string_view name_of(HintKind kind) { return kinds[static_cast<std::size_t>(kind)].name; }
std::string_view anchor_of(HintKind kind) { return kinds[static_cast<std::size_t>(kind)].anchor; }

std::vector<Hint> hints_of(const Profile& profile, const Gpu* gpu, const HintThresholds& thresholds) {
    return Finder(profile, thresholds).find(gpu);
}

nlohmann::json to_json(const Hint& hint) {
    nlohmann::json object = {{"kind", name_of(hint.kind)}, {"text", hint.text}, {"anchor", anchor_of(hint.kind)}};
    if (!hint.file.empty()) {
        object["file"] = hint.file;
        object["line"] = hint.line;
    }
    if (hint.ptx_line > 0) object["ptx_line"] = hint.ptx_line;
    if (hint.share > 0) object["share"] = hint.share;
    return object;
}

} // namespace warplight::profile
