// SPDX-License-Identifier: Apache-2.0
#include "race_cells.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

namespace warplight::software::checks {

/// Of launches that have ended.
struct RaceCells::KeptSlabs {
    static constexpr std::size_t kMost = 128;
    std::mutex mutex;
    std::vector<Slab> slabs;
    [[nodiscard]] static KeptSlabs& instance() {
        static KeptSlabs& kept = *new KeptSlabs; // for launches that the end of the process meets
        return kept;
    }
};

RaceCells::~RaceCells() {
    if (large_ == 0) return;
    KeptSlabs& kept = KeptSlabs::instance();
    const std::scoped_lock lock(kept.mutex);
    for (; large_ > 0 && kept.slabs.size() < KeptSlabs::kMost; --large_) {
        kept.slabs.push_back(std::move(slabs_.back()));
        slabs_.pop_back();
    }
}

void RaceCells::add_slab() {
    const std::size_t pages = std::min(std::size_t{1} << std::min<std::size_t>(slabs_.size(), 16), kMostPages);
    Slab slab;
    if (pages == kMostPages) {
        KeptSlabs& kept = KeptSlabs::instance();
        const std::scoped_lock lock(kept.mutex);
        if (!kept.slabs.empty()) {
            slab = std::move(kept.slabs.back());
            kept.slabs.pop_back();
        }
    }
    is_used_ = slab != nullptr;
    if (!slab) slab.reset(static_cast<Kept*>(std::calloc(pages * kCellsOfPage, sizeof(Kept))));
    if (!slab) throw std::bad_alloc();
    slabs_.push_back(std::move(slab));
    large_ += pages == kMostPages;
    free_cells_ = slabs_.back().get();
    free_pages_ = pages;
}

RaceCells::Kept* RaceCells::new_cells() {
    if (free_pages_ == 0) add_slab();
    Kept* const cells = free_cells_;
    if (is_used_) std::fill_n(cells, kCellsOfPage, Kept());
    free_cells_ += kCellsOfPage;
    --free_pages_;
    ++used_pages_;
    return cells;
}

void RaceCells::find_page(TracedPage& recent, std::uint64_t number, AccessKind kind) {
    auto known = pages_.find(number);
    if (known == pages_.end()) known = pages_.emplace(number, Page{new_cells(), no_reads_.data()}).first;
    Page& page = known->second;
    if (kind == AccessKind::read && page.reads == no_reads_.data()) page.reads = new_cells();
    const bool has_reads = page.reads != no_reads_.data();
    recent = {number, has_reads ? number : TracedPage::kNone, page.writes, page.reads};
}

void RaceCells::clear() {
    for (auto& [number, page] : pages_) {
        std::fill_n(page.writes, kCellsOfPage, Kept());
        std::fill_n(page.reads, kCellsOfPage, Kept());
    }
    lists_.clear();
    free_lists_.clear();
}

// --- a cell's accesses of one kind: none, one, or a list

template <class Visit>
void RaceCells::each(const Kept& kept, Visit visit) const {
    if (kept.epoch == kMany) {
        for (const OfLanes& past : lists_[kept.rest])
            visit(past.access, past.lanes);
    } else if (kept.epoch) {
        visit(kept.one(), 1U << kept.one().lane);
    }
}

void RaceCells::forget(Kept& kept) {
    if (kept.epoch == kMany) {
        lists_[kept.rest].clear();
        free_lists_.push_back(kept.rest);
    }
    kept = {};
}

/// To what is kept already.
void RaceCells::add_to(Kept& kept, const PastAccess& access) {
    if (kept.epoch != kMany) {
        const PastAccess one = kept.one();
        if (free_lists_.empty()) {
            free_lists_.push_back(static_cast<std::uint32_t>(lists_.size()));
            lists_.emplace_back();
        }
        kept = {kMany, free_lists_.back()};
        free_lists_.pop_back();
        lists_[kept.rest].push_back({one, 1U << one.lane});
    }
    List& list = lists_[kept.rest];
    if (same_but_lane(list.back().access, access))
        list.back().lanes |= 1U << access.lane;
    else
        list.push_back({access, 1U << access.lane});
    if (list.size() > kMostKept) list.erase(list.begin(), list.begin() + kMostKept / 2);
}

/// What is left of a list stays where it is: lists come and go too often to be made anew.
template <class Staying>
void RaceCells::leave_staying(Kept& kept, Staying staying) {
    const auto left_of = [&](PastAccess past, std::uint32_t lanes) {
        const std::uint32_t left = staying(past, lanes);
        past.lane = static_cast<std::uint32_t>(std::countr_zero(left)) & 31U;
        return OfLanes{past, left};
    };
    if (kept.epoch == 0) return;
    if (kept.epoch != kMany) {
        if (!left_of(kept.one(), 1U << kept.one().lane).lanes) kept = {};
        return;
    }
    List& list = lists_[kept.rest];
    std::size_t count = 0;
    for (std::size_t k = 0; k < list.size(); ++k)
        if (const OfLanes left = left_of(list[k].access, list[k].lanes); left.lanes) list[count++] = left;
    list.resize(count);
    make_short(kept);
}

/// Nothing, or one access of one lane, needs no list.
void RaceCells::make_short(Kept& kept) {
    List& list = lists_[kept.rest];
    if (list.size() > 1 || (list.size() == 1 && !std::has_single_bit(list.front().lanes))) return;
    const Kept one = list.empty() ? Kept() : std::bit_cast<Kept>(list.front().access);
    list.clear();
    free_lists_.push_back(kept.rest);
    kept = one;
}

template <class Staying>
void RaceCells::keep(Kept& kept, const PastAccess& access, Staying staying) {
    const std::uint32_t lane = 1U << access.lane;
    if (!kept.epoch || (kept.epoch != kMany && !staying(kept.one(), 1U << kept.one().lane))) {
        kept = std::bit_cast<Kept>(access);
        return;
    }
    if (kept.epoch == kMany) {
        List& list = lists_[kept.rest];
        // Lanes of a warp come one after the other: further back there is hardly one of them.
        const auto end = list.rbegin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(list.size(), 4));
        const auto same =
            std::find_if(list.rbegin(), end, [&](const OfLanes& past) { return same_but_lane(past.access, access); });
        if (same != end) {
            same->lanes |= lane;
            return;
        }
        if (list.size() < kMostKept && (access.strong || !access.writes())) {
            list.push_back({access, lane});
            return;
        }
    }
    leave_staying(kept, staying);
    if (kept.epoch)
        add_to(kept, access);
    else
        kept = std::bit_cast<Kept>(access);
}

// --- a new access

/// @param raced as Report
template <class Order, class Raced>
void RaceCells::add_in(Order& order, unsigned thread, const NewAccess& access, Raced raced) {
    PastAccess now = past_of(order.now(thread), access);
    now.lane = thread & 31U;
    const auto before = [&](const PastAccess& past, std::uint32_t lanes) {
        return order.lanes_before(epochs_[past.epoch], lanes, thread);
    };
    constexpr auto update = static_cast<std::uint32_t>(AccessKind::update);
    // Strong accesses of the same bytes may come in any order, if each counts for the other's thread.
    const auto are_strong = [&](const PastAccess& past) {
        if ((past.kind == update && now.writes()) || (now.kind == update && past.writes())) return false;
        if (!past.strong || !now.strong || past.bytes != now.bytes) return false;
        constexpr auto device = static_cast<std::uint32_t>(Scope::device);
        if (past.scope == device && now.scope == device) return true;
        const Scope distance = order.distance(epochs_[past.epoch].block);
        return static_cast<Scope>(past.scope) >= distance && access.scope >= distance;
    };
    // Whoever races with an earlier access races with this one too, if that came before; but strong accesses do not
    // race with a strong one. What has raced with this access has been reported.
    const auto staying = [&](const PastAccess& past, std::uint32_t lanes) {
        if ((past.bytes & ~now.bytes) != 0) return lanes;
        const std::uint32_t ordered = before(past, lanes);
        const bool as_strong = !now.strong || (past.strong && (past.kind != update || now.kind == update) &&
                                               past.scope >= now.scope && past.bytes == now.bytes);
        const bool told = (past.writes() || now.writes()) && !are_strong(past);
        return lanes & ~((as_strong ? ordered : 0U) | (told ? ~ordered : 0U));
    };
    const std::uint64_t end = access.address + access.bytes;
    for (std::uint64_t word = access.address / 4 * 4; word < end; word += 4) {
        const std::uint64_t from = std::max(word, access.address), to = std::min(word + 4, end);
        now.bytes = (((1U << (to - from)) - 1U) << (from - word)) & 15U;
        const Cell cell = cell_at(word, access.kind);
        const auto look = [&](PastAccess past, std::uint32_t lanes) {
            if ((past.bytes & now.bytes) == 0 || are_strong(past)) return;
            const std::uint32_t unordered = lanes & ~before(past, lanes);
            if (!unordered) return;
            past.lane = static_cast<std::uint32_t>(std::countr_zero(unordered)) & 31U;
            raced(past, word);
        };
        each(cell.write, look);
        if (now.writes()) {
            each(cell.read, look);
            if (cell.read.epoch) leave_staying(cell.read, staying);
            keep(cell.write, now, staying);
        } else {
            keep(cell.read, now, staying);
        }
    }
}

void RaceCells::add(BlockOrder& order, unsigned thread, const NewAccess& access, const Report& report) {
    add_in(order, thread, access, report);
}

void RaceCells::add_of_copy(BlockOrder& order, EpochId copy, unsigned thread, const NewAccess& access,
                            const Report& report) {
    struct {
        BlockOrder& order;
        EpochId copy;
        [[nodiscard]] EpochId now(unsigned /*thread*/) const { return copy; }
        [[nodiscard]] Scope distance(std::uint32_t other_block) const { return order.distance(other_block); }
        [[nodiscard]] std::uint32_t lanes_before(const Epoch& epoch, std::uint32_t lanes, unsigned thread) const {
            return order.lanes_before(epoch, lanes, thread);
        }
    } of_copy{order, copy};
    add_in(of_copy, thread, access, report);
}

void RaceCells::add_of_image(BlockOrder& order, unsigned thread, const NewAccess& access, const Report& report) {
    const std::uint64_t end = access.address + access.bytes;
    for (std::uint64_t word = access.address / 4 * 4; word < end; word += 4) {
        const std::uint64_t from = std::max(word, access.address), to = std::min(word + 4, end);
        const std::uint32_t bytes = ((1U << (to - from)) - 1U) << (from - word);
        each(cell_at(word, access.kind).write, [&](PastAccess past, std::uint32_t lanes) {
            if ((past.bytes & bytes) == 0) return;
            past.lane = static_cast<std::uint32_t>(std::countr_zero(lanes)) & 31U;
            report(past, word);
        });
    }
    add_in(order, thread, access, [](const PastAccess&, std::uint64_t) {});
}

bool RaceCells::add_beside(EpochId epoch, std::uint32_t lanes, const NewAccess& access) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const auto end = static_cast<unsigned>(std::bit_width(lanes));
    const std::uint64_t begin = access.address + std::uint64_t{first} * access.bytes;
    const std::uint64_t bytes = std::uint64_t{end - first} * access.bytes;
    if (begin % 4 != 0 || begin % kPageBytes + bytes > kPageBytes) return false;
    const std::size_t words = access.bytes / 4;
    const Cell first_cell = cell_at(begin, access.kind);
    const auto each_cell = [&](auto visit) {
        for (unsigned lane = first; lane < end; ++lane)
            if (lanes >> lane & 1)
                for (std::size_t k = 0; k < words; ++k)
                    visit((lane - first) * words + k, lane);
    };
    bool is_own = true;
    each_cell([&](std::size_t cell, unsigned lane) {
        const auto may_be = [&](const Kept& kept) {
            return kept.epoch == 0 || (kept.epoch == epoch && kept.one().lane == lane);
        };
        is_own &= may_be((&first_cell.write)[cell]) && may_be((&first_cell.read)[cell]);
    });
    if (!is_own) return false;
    PastAccess now = past_of(epoch, access);
    each_cell([&](std::size_t cell, unsigned lane) {
        now.lane = lane & 31U;
        if (access.kind == AccessKind::read) {
            (&first_cell.read)[cell] = std::bit_cast<Kept>(now);
        } else {
            (&first_cell.write)[cell] = std::bit_cast<Kept>(now);
            (&first_cell.read)[cell] = {};
        }
    });
    return true;
}

void RaceCells::make_up(const OrderThen& order, unsigned thread, const NewAccess& access) {
    add_in(order, thread, access, [](const PastAccess&, std::uint64_t) {});
}

void RaceCells::each_not_before(const Clock& moment, const Report& visit) {
    for (const auto& [number, page] : pages_)
        for (std::size_t k = 0; k < kCellsOfPage; ++k)
            for (const Kept& kept : {page.writes[k], page.reads[k]})
                each(kept, [&](PastAccess past, std::uint32_t lanes) {
                    for (; lanes != 0; lanes &= lanes - 1) {
                        past.lane = static_cast<std::uint32_t>(std::countr_zero(lanes)) & 31U;
                        if (!moment.is_after(epochs_[past.epoch], past.lane))
                            visit(past, number * kPageBytes + k * TracedCell::kWordBytes);
                    }
                });
}

void RaceCells::each_access(
    const std::function<void(const PastAccess&, std::uint32_t lanes, std::uint64_t word)>& visit) const {
    std::vector<std::pair<std::uint64_t, Page>> pages(pages_.begin(), pages_.end());
    std::ranges::sort(pages, {}, &std::pair<std::uint64_t, Page>::first);
    for (const auto& [number, page] : pages)
        for (std::size_t k = 0; k < kCellsOfPage; ++k)
            for (const Kept& kept : {page.writes[k], page.reads[k]})
                each(kept, [&](const PastAccess& past, std::uint32_t lanes) {
                    visit(past, lanes, number * kPageBytes + k * TracedCell::kWordBytes);
                });
}

void RaceCells::forget(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t word = address / 4 * 4; word < address + bytes; word += 4) {
        if (!pages_.contains(word / kPageBytes)) continue;
        const Cell cell = cell_at(word, AccessKind::write);
        forget(cell.write);
        forget(cell.read);
    }
}

std::uint64_t RaceCells::used_bytes() const {
    std::uint64_t bytes = used_pages_ * kCellsOfPage * sizeof(Kept);
    for (const auto& list : lists_)
        bytes += list.capacity() * sizeof(OfLanes);
    return bytes;
}

} // namespace warplight::software::checks
