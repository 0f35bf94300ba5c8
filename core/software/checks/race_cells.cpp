// SPDX-License-Identifier: Apache-2.0
#include "race_cells.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warplight::software::checks {

RaceCells::Page& RaceCells::page_at(std::uint64_t address) {
    Page& page = pages_[address / kPageBytes];
    if (page.empty()) page.resize(kPageBytes / 4);
    return page;
}

// --- a cell's accesses of one kind: none, one, or a list

template <class Visit>
void RaceCells::each(const Kept& kept, Visit visit) const {
    if (kept.epoch == kMany) {
        for (const PastAccess& past : lists_[kept.rest])
            visit(past);
    } else if (kept.epoch) {
        visit(kept.one());
    }
}

void RaceCells::set(Kept& kept, std::vector<PastAccess> accesses) {
    if (accesses.size() <= 1) {
        if (kept.epoch == kMany) {
            lists_[kept.rest].clear();
            free_lists_.push_back(kept.rest);
        }
        kept = accesses.empty() ? Kept() : std::bit_cast<Kept>(accesses.front());
        return;
    }
    if (kept.epoch != kMany) {
        if (free_lists_.empty()) {
            free_lists_.push_back(static_cast<std::uint32_t>(lists_.size()));
            lists_.emplace_back();
        }
        kept = {kMany, free_lists_.back()};
        free_lists_.pop_back();
    }
    lists_[kept.rest] = std::move(accesses);
}

template <class Goes>
void RaceCells::drop(Kept& kept, Goes goes) {
    if (!kept.epoch) return;
    if (kept.epoch != kMany) {
        if (goes(kept.one())) kept = {};
        return;
    }
    std::vector<PastAccess> stay;
    each(kept, [&](const PastAccess& past) {
        if (!goes(past)) stay.push_back(past);
    });
    set(kept, std::move(stay));
}

template <class Replaces>
void RaceCells::keep(Kept& kept, const PastAccess& access, Replaces replaces) {
    if (!kept.epoch || (kept.epoch != kMany && replaces(kept.one()))) {
        kept = std::bit_cast<Kept>(access);
        return;
    }
    std::vector<PastAccess> all;
    each(kept, [&](const PastAccess& past) {
        if (!replaces(past)) all.push_back(past);
    });
    all.push_back(access);
    set(kept, std::move(all));
}

// --- a new access

void RaceCells::add(BlockOrder& order, unsigned thread, const NewAccess& access, const Report& report) {
    PastAccess now;
    now.epoch = order.now(thread);
    now.lane = thread & 31U;
    now.kind = static_cast<std::uint32_t>(access.kind) & 3U;
    now.strong = access.strong;
    now.scope = static_cast<std::uint32_t>(access.scope) & 3U;
    now.site = std::min(access.site, PastAccess::last_site) & PastAccess::last_site;
    const auto is_before = [&](const PastAccess& past) {
        return order.is_before(epochs_[past.epoch], past.lane, thread);
    };
    // Strong accesses of the same bytes may come in any order, if each counts for the other's thread.
    const auto are_strong = [&](const PastAccess& past) {
        if (!past.strong || !now.strong || past.bytes != now.bytes) return false;
        const Scope distance = order.distance(epochs_[past.epoch].block);
        return static_cast<Scope>(past.scope) >= distance && access.scope >= distance;
    };
    // Whoever races with an earlier access races with this one too, if that came before; but strong accesses do not
    // race with a strong one. What has raced with this access has been reported.
    const auto replaces = [&](const PastAccess& past) {
        if ((past.bytes & ~now.bytes) != 0) return false;
        if (!is_before(past)) return (past.writes() || now.writes()) && !are_strong(past);
        return !now.strong || (past.strong && past.scope >= now.scope && past.bytes == now.bytes);
    };
    const std::uint64_t end = access.address + access.bytes;
    for (std::uint64_t word = access.address / 4 * 4; word < end; word += 4) {
        const std::uint64_t from = std::max(word, access.address), to = std::min(word + 4, end);
        now.bytes = (((1U << (to - from)) - 1U) << (from - word)) & 15U;
        Cell& cell = page_at(word)[word % kPageBytes / 4];
        const auto look = [&](const PastAccess& past) {
            if ((past.bytes & now.bytes) != 0 && !is_before(past) && !are_strong(past)) report(past, word);
        };
        each(cell.write, look);
        if (now.writes()) {
            each(cell.read, look);
            drop(cell.read, replaces);
            keep(cell.write, now, replaces);
        } else {
            keep(cell.read, now, replaces);
        }
    }
}

void RaceCells::forget(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t word = address / 4 * 4; word < address + bytes; word += 4) {
        const auto page = pages_.find(word / kPageBytes);
        if (page == pages_.end()) continue;
        Cell& cell = page->second[word % kPageBytes / 4];
        set(cell.write, {});
        set(cell.read, {});
    }
}

std::uint64_t RaceCells::used_bytes() const {
    std::uint64_t bytes = pages_.size() * kPageBytes / 4 * sizeof(Cell);
    for (const auto& list : lists_)
        bytes += list.capacity() * sizeof(PastAccess);
    return bytes;
}

} // namespace warplight::software::checks
