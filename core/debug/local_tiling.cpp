// SPDX-License-Identifier: Apache-2.0
#include "local_tiling.hpp"

#include <algorithm>
#include <iterator>

namespace warplight::debug {
namespace {

std::uint64_t align_up(std::uint64_t at, std::uint64_t alignment) {
    return (at + alignment - 1) / alignment * alignment;
}

std::set<ArrayId> common(const std::set<ArrayId>& x, const std::set<ArrayId>& y) {
    std::set<ArrayId> both;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::inserter(both, both.end()));
    return both;
}

/// An array that begins at one place, and ends right before the other.
struct Step {
    std::size_t from = 0, to = 0;
    std::uint64_t size = 0;
    bool is_exact = true;
    std::set<ArrayId> ids;
};

class Tiling {
public:
    Tiling(std::span<const TilingPlace> places, std::uint64_t size, std::uint64_t alignment)
        : places_(places), size_(size), alignment_(alignment) {}

    std::optional<std::vector<TilingPart>> find() {
        if (places_.empty() || places_[0].offset != 0) return std::nullopt;
        for (std::size_t k = 0; k < places_.size(); ++k)
            for (const TilingChoice& choice : places_[k].choices)
                add_steps(k, choice);
        drop_dead_ends();
        if (steps_.empty()) return std::nullopt;
        return parts();
    }

private:
    [[nodiscard]] std::uint64_t offset(std::size_t place) const {
        return place == places_.size() ? size_ : places_[place].offset;
    }

    void add_steps(std::size_t from, const TilingChoice& choice) {
        const std::uint64_t begin = offset(from);
        if (begin % choice.alignment) return;
        std::set<ArrayId> ids = choice.ids;
        for (std::size_t to = from + 1; to <= places_.size(); ++to) {
            if (places_[to - 1].end > begin + choice.size) return;
            if (fits(begin, choice, offset(to))) steps_.push_back({from, to, choice.size, choice.is_exact, ids});
            if (to == places_.size() || offset(to) >= begin + choice.size || !covers(choice, places_[to], ids)) return;
        }
    }

    [[nodiscard]] bool fits(std::uint64_t begin, const TilingChoice& choice, std::uint64_t next) const {
        const std::uint64_t end = begin + choice.size;
        if (!choice.is_exact) return next <= align_up(end, alignment_);
        for (std::uint64_t a = 1; a <= alignment_; a *= 2)
            if (align_up(end, a) == next) return true;
        return false;
    }

    /// Whether a place may be inside of an array. Leaves those arrays of which it may be.
    static bool covers(const TilingChoice& choice, const TilingPlace& inside, std::set<ArrayId>& ids) {
        for (const TilingChoice& other : inside.choices) {
            if (other.is_exact != choice.is_exact || other.size != choice.size) continue;
            if (choice.ids.empty() || other.ids.empty()) return true;
            const std::set<ArrayId> both = common(ids, other.ids);
            if (both.empty()) continue;
            ids = both;
            return true;
        }
        return false;
    }

    /// Steps that no way from the first place to the depot's end has.
    void drop_dead_ends() {
        std::vector<bool> from_begin(places_.size() + 1), to_end(places_.size() + 1);
        from_begin[0] = to_end[places_.size()] = true;
        for (const Step& s : steps_) // they are in the order of `from`
            if (from_begin[s.from]) from_begin[s.to] = true;
        for (auto s = steps_.rbegin(); s != steps_.rend(); ++s)
            if (to_end[s->to]) to_end[s->from] = true;
        std::erase_if(steps_, [&](const Step& s) { return !from_begin[s.from] || !to_end[s.to]; });
    }

    [[nodiscard]] std::vector<TilingPart> parts() const {
        std::vector<bool> is_sure(places_.size() + 1, true);
        for (const Step& s : steps_)
            std::fill(is_sure.begin() + static_cast<std::ptrdiff_t>(s.from) + 1,
                      is_sure.begin() + static_cast<std::ptrdiff_t>(s.to), false);
        std::vector<TilingPart> parts;
        for (std::size_t begin = 0; begin < places_.size();) {
            std::size_t end = begin + 1;
            while (!is_sure[end])
                ++end;
            parts.push_back(part(begin, end));
            begin = end;
        }
        return parts;
    }

    [[nodiscard]] TilingPart part(std::size_t begin, std::size_t end) const {
        const std::uint64_t room = offset(end) - offset(begin);
        TilingPart part{offset(begin), 0, {}, false};
        bool is_known = true, is_exact = false;
        for (const Step& s : steps_) {
            if (s.from < begin || s.from >= end) continue;
            if (s.from != begin || s.to != end) return {offset(begin), room, {}, true};
            part.size = std::max(part.size, std::min(s.size, room));
            is_exact |= s.is_exact;
            is_known &= !s.ids.empty();
            part.ids.insert(s.ids.begin(), s.ids.end());
        }
        part.may_be_several = !is_exact;
        if (!is_exact) part.size = room;
        if (!is_known) part.ids.clear();
        return part;
    }

    std::span<const TilingPlace> places_;
    const std::uint64_t size_, alignment_;
    std::vector<Step> steps_;
};

} // namespace

std::optional<std::vector<TilingPart>> tile(std::span<const TilingPlace> places, std::uint64_t size,
                                            std::uint64_t alignment) {
    return Tiling(places, size, alignment).find();
}

} // namespace warplight::debug
