// SPDX-License-Identifier: Apache-2.0
// The part of the race check that tells what raced.
#include "address_space.hpp"
#include "context.hpp"
#include "race_checks.hpp"
#include "report.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/value_types.hpp"
#include "value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>

namespace warplight::software {

using checks::AccessKind;
using checks::kind_of;
using checks::PastAccess;

namespace {

const char* text_of(AccessKind kind, bool of_copy) {
    constexpr std::array texts{"a read", "a write", "an atomic operation", "a write"};
    constexpr std::array of_copies{"a copy's read", "a copy's write", "a copy's sum", "a copy's write"};
    return (of_copy ? of_copies : texts)[static_cast<std::size_t>(kind)];
}

bool is_of_copy(const checks::Epoch& epoch) { return epoch.warp >= checks::BlockOrder::kCopies; }

/// " of block (1,0,0)", where an access goes to another's shared memory.
template <class One>
std::string of_block(const CheckedLaunch& launch, const One& one) {
    if (!one.shared || !launch.knows_clusters || one.owner->number == launch.number_of(one.block)) return {};
    const BlockContext owner = launch.block_at(one.owner->number);
    return fmt::format(" of block ({},{},{})", owner.ctaid[0], owner.ctaid[1], owner.ctaid[2]);
}

} // namespace

struct RaceChecks::Values {
    std::optional<std::uint64_t> now, before; ///< nothing where it wrote none, or it is not known
    unsigned bytes = 0;                       ///< of both
    ElementType type;                         ///< of both, where they write a whole element
    bool is_split_update = false;             ///< equal values are chance then
    [[nodiscard]] bool are_same() const { return now && now == before && !is_split_update; }
    void tell(const std::optional<std::uint64_t>& value, findings::Event& event) const {
        if (!value) return;
        event.value = fmt::format("0x{:0{}x}", *value, 2 * bytes);
        // As an integer a float is a large number.
        constexpr std::uint64_t kLeastFloat = 1 << 23;
        if (!type.is_doubtful || *value < kLeastFloat) event.number = number_text(type.type, *value);
    }
    [[nodiscard]] static std::string text_of(const findings::Event& event) {
        return event.number.empty() ? event.value : event.number;
    }
};

/// A strong write in steps, and another strong one.
bool RaceChecks::is_split_update(const One& now, const PastAccess& before) {
    return before.strong && now.all.what.strong &&
           (kind_of(now.all.what) == AccessKind::update || static_cast<AccessKind>(before.kind) == AccessKind::update);
}

RaceChecks::Values RaceChecks::values_of(const One& now, const PastAccess& before, std::uint64_t word) {
    const TracedAccess& what = now.all.what;
    Values values;
    const ElementType type = type_of_both(now.all.site, before.site);
    const std::uint64_t element = ptx::bits(type.type) / 8;
    std::uint64_t from = std::max(word, now.address), to = std::min(word + 4, now.address + now.bytes);
    // Of elements that are longer than a word both access all.
    const std::uint64_t begin = element == 8 ? word / element * element : word;
    const bool is_longer = element == 8 && begin >= now.address && begin + element <= now.address + now.bytes;
    if (is_longer) {
        from = begin;
        to = begin + element;
    }
    std::uint64_t written = 0, there = 0;
    const std::uint32_t width = launch_.kernel.width();
    /// The byte that a lane of this instruction writes.
    const auto byte_of = [&](std::uint32_t lane, std::uint64_t offset) {
        const std::uint32_t each = what.bytes / what.elements;
        return std::to_integer<std::uint64_t>(now.all.values[(offset / each * width + lane) * each + offset % each]);
    };
    const checks::Epoch& epoch = epochs_[before.epoch];
    const std::uint32_t first = now.all.linear % kWarpSize;
    const std::uint32_t other_lane = before.lane - first;
    // A lane of the same instruction, which has not written yet.
    const bool is_beside = before.site == now.all.site && epoch.block == launch_.number_of(now.block) &&
                           epoch.warp == now.all.linear / kWarpSize && other_lane < now.lane &&
                           (now.all.active >> other_lane & 1);
    const std::uint64_t window = now.shared ? now.window : 0;
    const std::uint64_t begin_beside =
        is_beside ? now.all.addresses[other_lane] - (now.all.addresses[now.lane] - now.address) : 0;
    for (std::uint64_t at = from; at < to; ++at) {
        if (!is_longer && !(before.bytes >> (at - word) & 1)) continue;
        const auto shift = 8 * static_cast<std::uint32_t>(at - from);
        ++values.bytes;
        if (what.elements) written |= byte_of(now.lane, at - now.address) << shift;
        if (!is_beside) {
            std::byte byte{};
            std::memcpy(&byte, reinterpret_cast<const void*>(window + at), 1);
            there |= std::to_integer<std::uint64_t>(byte) << shift;
        } else if (what.elements && at - begin_beside < what.bytes) {
            there |= byte_of(other_lane, at - begin_beside) << shift;
        }
    }
    if (values.bytes == element) values.type = type;
    if (before.writes() && static_cast<AccessKind>(before.kind) != AccessKind::atomic) values.before = there;
    if (what.elements) values.now = written;
    values.is_split_update = is_split_update(now, before);
    return values;
}

RaceChecks::ElementType RaceChecks::type_at(std::uint32_t site) {
    const auto [known, is_new] = types_.try_emplace(site);
    const jit::Site at = launch_.kernel.site(site);
    const auto& functions = launch_.function.module.ptx.functions;
    if (is_new && at.function < functions.size()) {
        const ptx::Function& function = functions[at.function];
        known->second = {ptx::type_in_memory(function, at.instruction), ptx::stores_constant(function, at.instruction)};
    }
    return known->second;
}

/// The type of the elements that both access: of one that stores a constant it is doubtful.
RaceChecks::ElementType RaceChecks::type_of_both(std::uint32_t here, std::uint32_t there) {
    const ElementType a = type_at(here), b = type_at(there);
    if (ptx::bits(a.type) != ptx::bits(b.type)) return {};
    if (a.is_doubtful != b.is_doubtful) return a.is_doubtful ? b : a;
    return ptx::is_float(b.type) ? b : a;
}

std::uint32_t RaceChecks::size_at(std::uint32_t site) const {
    const jit::Site at = launch_.kernel.site(site);
    const auto& functions = launch_.function.module.ptx.functions;
    if (at.function >= functions.size() || at.instruction >= functions[at.function].instructions.size()) return 0;
    return ptx::access_size(functions[at.function].instructions[at.instruction]);
}

std::string RaceChecks::place_of(bool shared, std::uint64_t address, findings::Finding& finding) const {
    if (shared) {
        const ptx::Module& module = launch_.function.module.ptx;
        const std::uint64_t static_shared = launch_.launch.static_shared;
        for (const ptx::SharedLayout::Entry& entry : launch_.function.shared.entries) {
            const ptx::Variable& v = entry.module_scope ? module.variables[entry.variable]
                                                        : module.functions[entry.function].variables[entry.variable];
            const std::uint64_t begin = v.unsized ? static_shared : entry.offset;
            if (address < begin || (!v.unsized && address - begin >= v.size)) continue;
            finding.variable = v.name;
            return fmt::format("byte {} of the shared variable '{}'", address - begin, variable_name(v.name));
        }
        return fmt::format("byte {} of shared memory", address);
    }
    const auto memory = AddressSpace::instance().find(address);
    if (!memory) return fmt::format("the address 0x{:x}", address);
    if (memory->kind == Allocation::Kind::internal && memory->context) {
        const auto block = memory->context->checked_heap().find(address);
        if (block && block->holds(address, 1))
            return fmt::format("byte {} of {} bytes of malloc()", address - block->begin, block->size);
    }
    finding.allocation = AddressSpace::name_of(*memory);
    return fmt::format("byte {} of {}", address - memory->base, finding.allocation);
}

findings::Mend RaceChecks::mend_of(const One& now, const PastAccess& before) const {
    const checks::Epoch& epoch = epochs_[before.epoch];
    const std::uint32_t here = launch_.number_of(now.block);
    const bool same_block = epoch.block == here;
    if (is_split_update(now, before)) return findings::Mend::atomic;
    if (is_read_of_image(now, before)) return findings::Mend::image;
    if (is_of_copy(epoch) || now.all.what.copies) return findings::Mend::copy;
    if (before.strong && now.all.what.strong) return same_block ? findings::Mend::size : findings::Mend::scope;
    const auto atomic = static_cast<std::uint32_t>(AccessKind::atomic);
    if (before.kind == atomic || kind_of(now.all.what) == AccessKind::atomic) return findings::Mend::atomic;
    if (now.shared && !same_block) return findings::Mend::cluster;
    if (!same_block) {
        const bool has_small_fence =
            small_fences_.contains(thread_key(here, now.all.linear + now.lane)) ||
            small_fences_.contains(thread_key(epoch.block, epoch.warp * kWarpSize + before.lane));
        return has_small_fence ? findings::Mend::fence : findings::Mend::flag;
    }
    return epoch.warp == now.all.linear / kWarpSize ? findings::Mend::syncwarp : findings::Mend::barrier;
}

void RaceChecks::report(const One& now, const PastAccess& before, std::uint64_t word) {
    const Values values = values_of(now, before, word);
    const checks::Epoch& epoch = epochs_[before.epoch];
    // Of lanes of a warp that write the same by one instruction, one does: that is how it is defined.
    const bool one_block = epoch.block == launch_.number_of(now.block);
    if (values.are_same() && one_block && epoch.warp == now.all.linear / kWarpSize && before.site == now.all.site)
        return;
    const BlockContext other_block = one_block ? now.block : launch_.block_at(epoch.block);
    const Caller here{now.all.linear + now.lane, now.all.site};
    const Caller there{epoch.warp % checks::BlockOrder::kCopies * kWarpSize + before.lane, before.site};
    const AccessKind here_kind = kind_of(now.all.what), there_kind = static_cast<AccessKind>(before.kind);
    // Which of the two came first is chance. The finding is always at the one that is further down.
    const auto position = [&](std::uint32_t site) {
        const jit::Site s = launch_.kernel.site(site);
        return std::tuple(s.function, s.instruction);
    };
    // Where they meet.
    const std::uint32_t before_bytes = now.address > word ? before.bytes >> (now.address - word) : before.bytes;
    const std::uint32_t both = before_bytes | 16U;
    const bool here_is_further = position(here.site) >= position(there.site);
    const BlockContext& block = here_is_further ? now.block : other_block;
    const Caller main = here_is_further ? here : there, second = here_is_further ? there : here;
    // Most races of a kernel with many are those of one place: only the first thread there needs a text.
    checks::Collector::Place& told_place =
        told_[{main.site, second.site, static_cast<std::uint32_t>(values.are_same())}];
    if (checks::Collector::instance().count(told_place, launch_.moment(block, main.linear))) return;
    const AccessKind main_kind = here_is_further ? here_kind : there_kind;
    const AccessKind second_kind = here_is_further ? there_kind : here_kind;
    const findings::Event other =
        launch_.event_at(here_is_further ? other_block : now.block, second, name_of(second_kind));
    const std::string other_place = CheckedLaunch::text_of(other);
    const std::string what = fmt::format("race {}{}", other_place, values.are_same() ? " same" : "");
    told_place = launch_.keep(block, main, name_of(main_kind), what, [&](findings::Finding& f) {
        f.kind = findings::name_of(findings::Check::race);
        if (values.are_same()) f.severity = "warning";
        f.size = size_at(main.site);
        if (f.size == 0) f.size = now.bytes;
        f.address = std::max(word, now.address) + static_cast<std::uint32_t>(std::countr_zero(both));
        f.other = other;
        const std::string place = fmt::format("{} byte{} at {}", f.size, f.size == 1 ? "" : "s",
                                              place_of(now.shared, f.address, f) + of_block(launch_, now));
        const auto thread = [](const findings::Event& e) {
            return fmt::format("thread ({},{},{})", e.thread[0], e.thread[1], e.thread[2]);
        };
        const std::string whose =
            one_block && main.linear == second.linear ? " itself"
            : one_block                               ? " of the same block"
                        : fmt::format(" of block ({},{},{})", other.block[0], other.block[1], other.block[2]);
        std::string told = fmt::format(
            "a race: {} of {}, and {} by {}{} at {}{}.",
            text_of(main_kind, here_is_further ? now.all.what.copies : is_of_copy(epoch)), place,
            text_of(second_kind, here_is_further ? is_of_copy(epoch) : now.all.what.copies), thread(other), whose,
            other_place, is_read_of_image(now, before) ? ", by a texture or surface" : ", which nothing orders");
        values.tell(here_is_further ? values.now : values.before, f);
        values.tell(here_is_further ? values.before : values.now, *f.other);
        const std::string first = Values::text_of(f), second_text = Values::text_of(*f.other);
        if (values.are_same())
            told += fmt::format(" Both write {}, so the result is the same.", first);
        else if (!first.empty() && !second_text.empty())
            told += fmt::format(" This one writes {}, the other {}.", first, second_text);
        else if (!first.empty() || !second_text.empty())
            told += fmt::format(" What is written is {}.", first.empty() ? second_text : first);
        if (is_split_update(now, before))
            told += " Reading, computing and writing are three steps, also with volatile: what others write in between "
                    "gets lost.";
        f.mend = mend_of(now, before);
        f.message = told + ' ' + std::string(findings::advice_of(*f.mend));
    });
}

} // namespace warplight::software
