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
    records_.clear();
    lists_.clear();
    free_lists_.clear();
}

// --- a cell's accesses of one kind: none, one, or a list

namespace {

struct PartsOfWord {
    unsigned count, bytes; ///< bytes of each
    unsigned lanes;        ///< from one to the next
};

PartsOfWord parts_of(Parts parts) {
    switch (parts) {
    case Parts::none: break;
    case Parts::halves_of_lanes: return {2, 2, 1};
    case Parts::bytes_of_lanes: return {4, 1, 1};
    case Parts::halves: return {2, 2, 0};
    case Parts::bytes: return {4, 1, 0};
    }
    return {1, 4, 0};
}

std::uint32_t bytes_of_part(const PartsOfWord& parts, unsigned part) {
    return ((1U << parts.bytes) - 1) << part * parts.bytes & 15U;
}

} // namespace

template <class Visit>
void RaceCells::each_part(Kept kept, Visit visit) const {
    if (kept.empty()) return;
    auto past = std::bit_cast<PastAccess>(records_[kept.number()]);
    const auto how = static_cast<Parts>(past.lane);
    past.lane = kept.lane();
    if (how == Parts::none) return visit(past);
    const PartsOfWord parts = parts_of(how);
    for (unsigned part = 0; part < parts.count; ++part) {
        past.bytes = bytes_of_part(parts, part) & 15U;
        past.lane = (kept.lane() + part * parts.lanes) & 31U;
        visit(past);
    }
}

template <class Visit>
void RaceCells::each(Kept kept, Visit visit) const {
    if (!kept.is_many()) return each_part(kept, [&](const PastAccess& past) { visit(past, 1U << past.lane); });
    for (const OfLanes& past : lists_[kept.list()])
        visit(past.access, past.lanes);
}

/// Whether the same access is kept as a part of its word.
bool RaceCells::has_part(Kept kept, const PastAccess& access) const {
    bool has = false;
    unsigned parts = 0;
    each_part(kept, [&](const PastAccess& past) {
        ++parts;
        has |= std::bit_cast<std::uint64_t>(past) == std::bit_cast<std::uint64_t>(access);
    });
    return has && parts > 1;
}

void RaceCells::forget(Kept& kept) {
    if (kept.is_many()) {
        lists_[kept.list()].clear();
        free_lists_.push_back(kept.list());
    }
    kept = {};
}

void RaceCells::make_list(Kept& kept) {
    if (free_lists_.empty()) {
        free_lists_.push_back(static_cast<std::uint32_t>(lists_.size()));
        lists_.emplace_back();
    }
    List& list = lists_[free_lists_.back()];
    each_part(kept, [&](const PastAccess& past) { list.push_back({past, 1U << past.lane}); });
    kept = Kept::many(free_lists_.back());
    free_lists_.pop_back();
}

/// To what is kept already.
void RaceCells::add_to(Kept& kept, const PastAccess& access) {
    if (!kept.is_many()) make_list(kept);
    List& list = lists_[kept.list()];
    if (same_but_lane(list.back().access, access))
        list.back().lanes |= 1U << access.lane;
    else
        list.push_back({access, 1U << access.lane});
    if (list.size() > kMostKept) list.erase(list.begin(), list.begin() + kMostKept / 2);
    make_short(kept);
}

/// What is left of a list stays where it is: lists come and go too often to be made anew.
template <class Staying>
void RaceCells::leave_staying(Kept& kept, Staying staying) {
    const auto left_of = [&](PastAccess past, std::uint32_t lanes) {
        const std::uint32_t left = staying(past, lanes);
        past.lane = static_cast<std::uint32_t>(std::countr_zero(left)) & 31U;
        return OfLanes{past, left};
    };
    if (kept.empty()) return;
    if (!kept.is_many()) {
        bool stays = false, goes = false;
        each_part(kept, [&](const PastAccess& past) { (left_of(past, 1U << past.lane).lanes ? stays : goes) = true; });
        if (!stays) kept = {};
        if (!stays || !goes) return;
        make_list(kept);
    }
    List& list = lists_[kept.list()];
    std::size_t count = 0;
    for (std::size_t k = 0; k < list.size(); ++k)
        if (const OfLanes left = left_of(list[k].access, list[k].lanes); left.lanes) list[count++] = left;
    list.resize(count);
    make_short(kept);
}

/// Nothing, one access of one lane, and one of a word by parts need no list.
void RaceCells::make_short(Kept& kept) {
    List& list = lists_[kept.list()];
    if (list.size() > 4 || list.size() == 3) return;
    Kept one;
    if (!list.empty()) {
        const auto lowest =
            std::ranges::min_element(list, {}, [](const OfLanes& past) { return std::uint32_t{past.access.bytes}; });
        const auto is_of = [&](Parts how) {
            const PartsOfWord parts = parts_of(how);
            return std::ranges::all_of(list, [&](const OfLanes& past) {
                PastAccess of_word = past.access;
                of_word.bytes = lowest->access.bytes;
                const unsigned part =
                    static_cast<unsigned>(std::countr_zero(unsigned{past.access.bytes})) / parts.bytes;
                return past.access.bytes == bytes_of_part(parts, part) && same_but_lane(of_word, lowest->access) &&
                       past.lanes == std::uint64_t{lowest->lanes} << part * parts.lanes &&
                       std::has_single_bit(past.lanes);
            });
        };
        PastAccess whole = lowest->access;
        whole.bytes = 15;
        const std::array<Parts, 2> ways = list.size() == 2 ? std::array{Parts::halves_of_lanes, Parts::halves}
                                                           : std::array{Parts::bytes_of_lanes, Parts::bytes};
        if (list.size() == 1) {
            if (std::has_single_bit(list.front().lanes)) one = kept_of(list.front().access);
        } else if (const auto how = std::ranges::find_if(ways, is_of); how != ways.end()) {
            one = Kept::one(number_of(whole, *how), whole.lane);
        }
        if (one.empty()) return;
    }
    list.clear();
    free_lists_.push_back(kept.list());
    kept = one;
}

template <class Staying>
void RaceCells::keep(Kept& kept, const PastAccess& access, Staying staying) {
    const std::uint32_t lane = 1U << access.lane;
    if (kept.is_many()) {
        List& list = lists_[kept.list()];
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
            make_short(kept);
            return;
        }
    } else if (has_part(kept, access)) {
        return;
    }
    leave_staying(kept, staying);
    if (kept.empty())
        kept = kept_of(access);
    else
        add_to(kept, access);
}

/// Those of accesses that no cell keeps any more go. Most words that follow each other have the same.
void RaceCells::leave_kept_records() {
    AccessRecords::Renumbering renumber(records_);
    AccessRecords::Number last = 0, last_new = 0;
    for (const auto& [number, page] : pages_)
        for (Kept* cells : {page.writes, page.reads})
            for (std::size_t k = 0; k < kCellsOfPage && cells != no_reads_.data(); ++k) {
                Kept& kept = cells[k];
                if (kept.empty() || kept.is_many()) continue;
                if (kept.number() != last) {
                    last = kept.number();
                    last_new = renumber(last);
                }
                kept = Kept::one(last_new, kept.lane());
            }
    renumber.end(most_bytes_of_records());
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
    make_room_for_records();
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
            if (!cell.read.empty()) leave_staying(cell.read, staying);
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
    AccessRecords::Number asked = 0;
    bool is_of_epoch = false, is_own = true;
    each_cell([&](std::size_t cell, unsigned lane) {
        const auto may_be = [&](Kept kept) {
            if (kept.empty()) return true;
            if (kept.is_many() || kept.lane() != lane) return false;
            if (kept.number() != asked) {
                asked = kept.number();
                is_of_epoch = (records_[asked] & TracedRecords::kOwn) == epoch;
            }
            return is_of_epoch;
        };
        is_own = is_own && may_be((&first_cell.write)[cell]) && may_be((&first_cell.read)[cell]);
    });
    if (!is_own) return false;
    make_room_for_records();
    const AccessRecords::Number number = number_of(past_of(epoch, access));
    each_cell([&](std::size_t cell, unsigned lane) {
        const Kept now = Kept::one(number, lane);
        if (access.kind == AccessKind::read) {
            (&first_cell.read)[cell] = now;
        } else {
            (&first_cell.write)[cell] = now;
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
            for (const Kept kept : {page.writes[k], page.reads[k]})
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
            for (const Kept kept : {page.writes[k], page.reads[k]})
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
    std::uint64_t bytes = used_pages_ * kCellsOfPage * sizeof(Kept) + records_.used_bytes();
    for (const auto& list : lists_)
        bytes += list.capacity() * sizeof(OfLanes);
    return bytes;
}

} // namespace warplight::software::checks
