// SPDX-License-Identifier: Apache-2.0
#include "recent_shared.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

namespace warplight::software::checks {

RecentShared::RecentShared(BlockOrder& order, RaceCells& cells, std::uint64_t shared_bytes, unsigned width)
    : order_(order), cells_(cells), shared_bytes_(static_cast<std::uint32_t>(shared_bytes) & ~3U), width_(width) {}

void RecentShared::begin_phase(bool strong_quiet) {
    if (!shared_bytes_) return;
    if (!notes_) {
        words_.resize(shared_bytes_ / 4);
        notes_.reset(new std::byte[kNotesBytes]); // not filled: its pages are taken as it grows
        shared_.words = words_.data();
        shared_.notes_end = notes_.get() + kNotesBytes - TracedNote::kMostBytes;
    }
    if (last_stamp_ >= TracedWord::kMostStamp / 2) {
        std::fill(words_.begin(), words_.end(), 0U);
        last_stamp_ = 0;
    }
    const std::uint32_t stale = ++last_stamp_ << TracedWord::kStampShift;
    shared_.stale = stale;
    for (std::uint32_t warp = 0; warp < 32; ++warp)
        shared_.now[warp] = stale | warp << TracedWord::kWarpShift;
    shared_.note = notes_.get();
    shared_.bytes = shared_bytes_;
    shared_.strong_bytes = strong_quiet ? shared_bytes_ : 0;
}

void RecentShared::begin_epoch(unsigned warp) {
    if (!is_noting()) return;
    std::uint32_t& now = shared_.now[warp];
    const std::uint32_t stamp = (now >> TracedWord::kStampShift) + 1;
    if (stamp > TracedWord::kMostStamp) return leave();
    now += 1U << TracedWord::kStampShift;
    last_stamp_ = std::max(last_stamp_, stamp);
}

void RecentShared::leave() {
    if (!is_noting()) return;
    make_up();
    shared_.bytes = shared_.strong_bytes = 0;
}

/// One lane's access to a word, or part of it. The kernel's code does the same (emit/hooks/recent_shared).
bool RecentShared::add(std::uint32_t& word, std::uint32_t now, const TracedAccess& what) const {
    using Word = TracedWord;
    const std::uint32_t stale = shared_.stale, before = word, lane = before & Word::kLane;
    const bool is_stale = before < stale;
    if (what.strong) {
        if (!is_stale && lane != Word::kStrong) return false;
        word = stale | Word::kStrong;
        return true;
    }
    const bool by_itself = (before & ~Word::kWrites) == now;
    const bool of_warp = !is_stale && lane <= Word::kLanes && ((before ^ now) & Word::kWarp) == 0;
    const bool of_epoch = of_warp && (before ^ now) >> Word::kStampShift == 0;
    if (what.writes) {
        if (!is_stale && !by_itself && !(of_warp && !of_epoch)) return false;
        word = now | Word::kWritten;
        return true;
    }
    if (is_stale) {
        word = now;
    } else if (by_itself || lane == Word::kWarps) {
    } else if (lane == Word::kStrong) {
        return false;
    } else if (of_epoch) {
        if (before & Word::kWritten) return false;
        word = (before & ~Word::kLane) | Word::kLanes;
    } else if (of_warp) {
        word = now | (before & Word::kWrites ? Word::kWrittenBefore : 0);
    } else {
        if (before & Word::kWrites) return false;
        word = stale | Word::kWarps;
    }
    return true;
}

bool RecentShared::note(const Accesses& accesses) {
    const TracedAccess& what = accesses.what;
    const std::uint64_t bytes = what.strong ? shared_.strong_bytes : shared_.bytes;
    if (!bytes || what.acquire || what.release || kind_of(what) == AccessKind::update) return false;
    if (shared_.note > shared_.notes_end) {
        make_up();
        shared_.note = notes_.get();
    }
    TracedNote note{accesses.site, what.packed(), shared_.now[accesses.first / 32] | (accesses.first & 31U),
                    accesses.active};
    std::byte* const at = shared_.note + sizeof note;
    for (std::uint32_t left = accesses.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint64_t address = accesses.addresses[lane];
        if (address >= bytes || what.bytes > bytes - address) return false;
        if (what.strong && (address % 4 != 0 || what.bytes % 4 != 0)) return false;
        for (std::uint64_t word = address / 4; 4 * word < address + what.bytes; ++word)
            if (!add(shared_.words[word], note.first + lane, what)) return false;
        const auto offset = static_cast<std::uint32_t>(address);
        std::memcpy(at + std::size_t{4} * lane, &offset, sizeof offset);
    }
    std::memcpy(shared_.note, &note, sizeof note);
    shared_.note += TracedNote::bytes_of(width_);
    return true;
}

// --- notes

void RecentShared::make_up() {
    std::map<std::uint32_t, EpochId> epochs; // that have ended, by warp and stamp
    for (const std::byte* at = notes_.get(); at < shared_.note;) {
        TracedNote note;
        std::memcpy(&note, at, sizeof note);
        at += sizeof note;
        const auto lanes = static_cast<TracedNote::Lanes>(note.what >> TracedNote::kLanesShift & 3);
        const TracedAccess what = TracedAccess::unpacked(note.what);
        const std::uint32_t warp = (note.first & TracedWord::kWarp) >> TracedWord::kWarpShift;
        const unsigned first = 32 * warp + (note.first & 31U);
        const std::uint32_t ago =
            (shared_.now[warp] >> TracedWord::kStampShift) - (note.first >> TracedWord::kStampShift);
        OrderThen order{0, order_.number(warp) - ago, order_.phase()};
        if (ago == 0) {
            order.id = order_.now(first);
        } else {
            EpochId& known = epochs[note.first & ~31U];
            if (!known) known = order_.epoch_before(warp, order.number);
            order.id = known;
        }
        NewAccess access{0, what.bytes, kind_of(what), what.strong, static_cast<Scope>(what.scope), note.site};
        for (std::uint32_t left = note.active; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            std::uint32_t address = 0;
            const std::uint32_t place = lanes == TracedNote::Lanes::each ? lane : 0;
            std::memcpy(&address, at + std::size_t{4} * place, sizeof address);
            access.address = address + (lanes == TracedNote::Lanes::side_by_side ? lane * what.bytes : 0);
            cells_.make_up(order, first + lane, access);
        }
        at += TracedNote::bytes_of(lanes == TracedNote::Lanes::each ? width_ : 1) - sizeof note;
    }
}

} // namespace warplight::software::checks
