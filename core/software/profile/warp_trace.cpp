// SPDX-License-Identifier: Apache-2.0
#include "warp_trace.hpp"

#include <bit>

namespace warplight::software::profile {

/// Finds the place of the head: behind the calls and returns that lie there.
void WarpTrace::look(unsigned lane, Head& head) const {
    const Words& words = lanes_[lane];
    for (; head.at < words.size(); ++head.at) {
        const std::uint64_t word = words[head.at];
        const auto site = static_cast<std::uint32_t>(word);
        switch (kind_of(word)) {
        case Kind::call: ++head.depth; continue;
        case Kind::end_of_call: --head.depth; continue;
        case Kind::block: head.place = std::uint64_t{site} << 2; return;
        case Kind::access: head.place = (std::uint64_t{site} << 2) + 1 + (what_of(word) >> kBitsOfBytes & 1); return;
        }
    }
    head.place = kEnd;
}

std::uint64_t WarpTrace::successor(unsigned lane, const Head& head) const {
    const Words& words = lanes_[lane];
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

void WarpTrace::join(Receiver& receiver) {
    std::array<Head, 32> heads{};
    for (unsigned lane = 0; lane < 32; ++lane)
        look(lane, heads[lane]);
    for (;;) {
        std::uint32_t depth = 0, lanes = 0;
        std::uint64_t place = kEnd;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const Head& head = heads[lane];
            if (head.place == kEnd) continue;
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
                const std::uint64_t next = successor(lane, head);
                parted |= left != lanes && next != successor_of_all;
                successor_of_all = next;
                ++head.at;
            } else {
                what = what_of(lanes_[lane][head.at]);
                access.addresses[lane] = lanes_[lane][head.at + 1];
                head.at += 2;
            }
            look(lane, head);
        }
        if (is_block) {
            receiver.executes(site, lanes, parted);
        } else {
            access.bytes = what & ((1U << kBitsOfBytes) - 1);
            receiver.accesses(site, what, access);
        }
    }
    forget();
}

void WarpTrace::forget() {
    for (Words& words : lanes_)
        words.clear();
}

std::size_t WarpTrace::words() const {
    std::size_t sum = 0;
    for (const Words& words : lanes_)
        sum += words.size();
    return sum;
}

} // namespace warplight::software::profile
