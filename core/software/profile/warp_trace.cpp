// SPDX-License-Identifier: Apache-2.0
#include "warp_trace.hpp"

#include <algorithm>
#include <bit>

namespace warplight::software::profile {

WarpAccess WarpTrace::RegularAccess::all(unsigned bytes) const {
    WarpAccess access{{}, 0, bytes};
    for (unsigned v = 0; v * width < 32; ++v) {
        access.active |= active[v] << (v * width);
        for (unsigned thread = 0; thread < width; ++thread)
            access.addresses[v * width + thread] = first[v] + thread * distance[v];
    }
    return access;
}

void WarpTrace::Words::grow(std::size_t count) {
    constexpr std::size_t kFirst = 256;
    capacity_ = std::max({kFirst, 2 * capacity_, size_ + count});
    std::unique_ptr<std::uint64_t[]> words(new std::uint64_t[capacity_]);
    std::copy(data(), data() + size_, words.get());
    words_ = std::move(words);
}

// --- lanes in step

/// All vectors that did anything did the same, each with the same of its threads all the time.
bool WarpTrace::are_in_step() const {
    const Words& first = vectors_.front();
    for (const Words& words : vectors_) {
        if (words.empty() && &words != &first) continue; // the warp has fewer threads
        if (words.size() != first.size()) return false;
        const std::uint32_t all = words.empty() ? 0 : detail_of(words.front());
        for (std::size_t at = 0; at < words.size(); at += length_of(words[at])) {
            const bool is_access = kind_of(words[at]) == Kind::access;
            if (words[at] != first[at] || (!is_access && detail_of(words[at]) != all)) return false;
        }
    }
    return true;
}

void WarpTrace::join_in_step(Receiver& receiver) const {
    const Words& first = vectors_.front();
    std::uint32_t lanes = 0;
    if (!first.empty())
        for (std::size_t v = 0; v < vectors_.size(); ++v)
            if (!vectors_[v].empty()) lanes |= detail_of(first.front()) << (v * width_);
    RegularAccess access; // of vectors that are empty it stays as it is
    access.width = width_;
    for (std::size_t at = 0; at < first.size(); at += length_of(first[at])) {
        const auto site = static_cast<std::uint32_t>(first[at]);
        if (kind_of(first[at]) == Kind::block) {
            receiver.executes(site, lanes, false);
        } else if (kind_of(first[at]) == Kind::access) {
            const std::uint32_t what = detail_of(first[at]) & ~kRegular;
            if ((detail_of(first[at]) & kRegular) != 0) {
                for (std::size_t v = 0; v < vectors_.size(); ++v) {
                    if (vectors_[v].empty()) continue;
                    const std::uint64_t* const words = vectors_[v].data() + at;
                    access.active[v] = static_cast<std::uint32_t>(words[1]);
                    access.first[v] = words[2];
                    access.distance[v] = words[3];
                }
                receiver.accesses(site, what, access);
                continue;
            }
            WarpAccess any{{}, 0, what & ((1U << kBitsOfBytes) - 1)};
            for (std::size_t v = 0; v < vectors_.size(); ++v) {
                if (vectors_[v].empty()) continue;
                const std::uint64_t* const words = vectors_[v].data() + at;
                any.active |= static_cast<std::uint32_t>(words[1]) << (v * width_);
                std::copy(words + 2, words + 2 + width_, any.addresses.begin() + v * width_);
            }
            if (any.active != 0) receiver.accesses(site, what, any);
        }
    }
}

// --- lanes that go different ways

WarpTrace::Lanes WarpTrace::lanes() const {
    Lanes lanes;
    for (std::size_t v = 0; v < vectors_.size(); ++v) {
        const Words& words = vectors_[v];
        for (std::size_t at = 0; at < words.size(); at += length_of(words[at])) {
            const bool is_access = kind_of(words[at]) == Kind::access;
            const std::uint32_t active = is_access ? static_cast<std::uint32_t>(words[at + 1]) : detail_of(words[at]);
            for (std::uint32_t left = active; left != 0; left &= left - 1) {
                const auto thread = static_cast<unsigned>(std::countr_zero(left));
                Words& lane = lanes[v * width_ + thread];
                const bool is_regular = is_access && (detail_of(words[at]) & kRegular) != 0;
                lane.push_back(is_regular ? words[at] & ~(std::uint64_t{kRegular} << 32) : words[at]);
                if (is_regular)
                    lane.push_back(words[at + 2] + thread * words[at + 3]);
                else if (is_access)
                    lane.push_back(words[at + 2 + thread]);
            }
        }
    }
    return lanes;
}

/// Finds the place of the head: behind the calls and returns that lie there.
void WarpTrace::look(const Words& words, Head& head) {
    for (; head.at < words.size(); ++head.at) {
        const std::uint64_t word = words[head.at];
        const auto site = static_cast<std::uint32_t>(word);
        switch (kind_of(word)) {
        case Kind::call: ++head.depth; continue;
        case Kind::end_of_call: --head.depth; continue;
        case Kind::block: head.place = std::uint64_t{site} << 2; return;
        case Kind::access: head.place = (std::uint64_t{site} << 2) + 1 + (detail_of(word) >> kBitsOfBytes & 1); return;
        }
    }
    head.place = kEnd;
}

std::uint64_t WarpTrace::successor(const Words& words, const Head& head) {
    std::uint32_t calls = 0;
    for (std::size_t at = head.at + 1; at < words.size(); ++at) {
        switch (kind_of(words[at])) {
        case Kind::call: ++calls; break;
        case Kind::end_of_call:
            if (calls-- == 0) return kEnd;
            break;
        case Kind::block:
            if (calls == 0) return static_cast<std::uint32_t>(words[at]);
            break;
        case Kind::access: ++at; break;
        }
    }
    return kEnd;
}

void WarpTrace::join(const Lanes& all, std::uint32_t cut, Receiver& receiver) {
    std::array<Head, 32> heads{};
    for (unsigned lane = 0; lane < 32; ++lane)
        look(all[lane], heads[lane]);
    for (;;) {
        std::uint32_t depth = 0, lanes = 0;
        std::uint64_t place = kEnd;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const Head& head = heads[lane];
            if (head.place == kEnd) {
                if ((cut >> lane & 1) != 0) return;
                continue;
            }
            if (lanes == 0 || head.depth > depth || (head.depth == depth && head.place < place)) {
                depth = head.depth;
                place = head.place;
                lanes = 0;
            }
            if (head.depth == depth && head.place == place) lanes |= 1U << lane;
        }
        if (lanes == 0) break;
        const auto site = static_cast<std::uint32_t>(place >> 2);
        const bool is_block = (place & 3) == 0;
        WarpAccess access{{}, lanes, 0};
        std::uint64_t successor_of_all = 0;
        std::uint32_t what = 0;
        bool parted = false;
        for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            Head& head = heads[lane];
            if (is_block) {
                const std::uint64_t next = successor(all[lane], head);
                parted |= left != lanes && next != successor_of_all;
                successor_of_all = next;
                ++head.at;
            } else {
                what = detail_of(all[lane][head.at]);
                access.addresses[lane] = all[lane][head.at + 1];
                head.at += 2;
            }
            look(all[lane], head);
        }
        if (is_block) {
            receiver.executes(site, lanes, parted);
        } else {
            access.bytes = what & ((1U << kBitsOfBytes) - 1);
            receiver.accesses(site, what, access);
        }
    }
}

void WarpTrace::join(Receiver& receiver, std::uint32_t cut) {
    if (are_in_step())
        join_in_step(receiver);
    else
        join(lanes(), cut, receiver);
    forget();
}

void WarpTrace::forget() {
    for (Words& words : vectors_)
        words.clear();
}

} // namespace warplight::software::profile
