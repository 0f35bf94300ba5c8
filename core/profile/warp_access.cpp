// SPDX-License-Identifier: Apache-2.0
#include "warp_access.hpp"

#include <algorithm>
#include <bit>

namespace warplight::profile {
namespace {

/// Calls visit(lane) for each lane of a mask.
template <class Visit>
void each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1)
        visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// Numbers of which only the different ones are counted: a hash table that at most half fills.
class Numbers {
public:
    void add(std::uint64_t number) {
        constexpr std::uint64_t kSpread = 0x9e37'79b9'7f4a'7c15U; // 2^64 divided by the golden ratio
        const std::uint64_t key = number + 1;                     // 0 is an empty place
        std::size_t at = number * kSpread >> 58;
        while (places_[at] != 0 && places_[at] != key)
            at = (at + 1) % places_.size();
        count_ += places_[at] == 0;
        places_[at] = key;
    }
    [[nodiscard]] std::uint32_t different() const { return count_; }

private:
    std::array<std::uint64_t, 64> places_{};
    std::uint32_t count_ = 0;
};

/// How many different ones there are. Those in order, as mostly, are counted as they come.
std::uint32_t different(const WarpAccess& access, std::uint64_t divisor) {
    std::uint32_t count = 0;
    std::uint64_t last = 0;
    bool in_order = true;
    each_lane(access.active, [&](unsigned lane) {
        const std::uint64_t number = access.addresses[lane] / divisor;
        in_order &= count == 0 || number >= last;
        count += count == 0 || number != last;
        last = number;
    });
    if (in_order) return count;
    Numbers numbers;
    each_lane(access.active, [&](unsigned lane) { numbers.add(access.addresses[lane] / divisor); });
    return numbers.different();
}

std::uint32_t lanes_of(const WarpAccess& access) { return static_cast<std::uint32_t>(std::popcount(access.active)); }

std::uint32_t divided_up(std::uint32_t bytes, std::uint32_t by) { return (bytes + by - 1) / by; }

/// The words of the lanes that go through the banks at once, by bank; each word once.
class Banks {
public:
    void add(std::uint64_t word) {
        const std::size_t bank = word % kBanks;
        std::uint8_t& count = counts_[bank];
        for (unsigned k = 0; k < count; ++k)
            if (words_[bank][k] == word) return;
        words_[bank][count++] = word;
        most_ = std::max<std::uint32_t>(most_, count);
    }
    [[nodiscard]] std::uint32_t most() const { return most_; }

private:
    std::array<std::uint8_t, kBanks> counts_{};
    std::array<std::array<std::uint64_t, 32>, kBanks> words_; ///< of each bank as many as it counts
    std::uint32_t most_ = 0;
};

std::uint32_t passes_of(const WarpAccess& access, std::uint32_t lanes) {
    const unsigned each = divided_up(access.bytes, kWordBytes);
    Banks banks;
    each_lane(lanes, [&](unsigned lane) {
        for (unsigned k = 0; k < each; ++k)
            banks.add(access.addresses[lane] / kWordBytes + k);
    });
    return banks.most();
}

/// All words lie within as many as there are banks: then no two of them are in one bank.
bool lie_close(const WarpAccess& access) {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    each_lane(access.active, [&](unsigned lane) {
        low = std::min(low, access.addresses[lane]);
        high = std::max(high, access.addresses[lane]);
    });
    return (high + access.bytes - 1) / kWordBytes - low / kWordBytes < kBanks;
}

/// Calls visit(lanes) for the lanes that go through the banks at once.
template <class Visit>
void each_part(const WarpAccess& access, Visit visit) {
    const unsigned lanes_at_once = access.bytes <= kWordBytes ? 32 : kBanks * kWordBytes / access.bytes;
    for (unsigned first = 0; first < 32; first += lanes_at_once) {
        const std::uint32_t part = lanes_at_once == 32 ? ~0U : ((1U << lanes_at_once) - 1) << first;
        if (const std::uint32_t lanes = access.active & part; lanes != 0) visit(lanes);
    }
}

} // namespace

Cost sectors_of(const WarpAccess& access) {
    const std::uint32_t is = different(access, kSectorBytes); // no access is larger than a sector, and each is aligned
    return {is, std::min(is, divided_up(lanes_of(access) * access.bytes, kSectorBytes))};
}

Cost wavefronts_of(const WarpAccess& access) {
    const bool close = lie_close(access);
    std::uint32_t is = 0;
    each_part(access, [&](std::uint32_t lanes) { is += close ? 1 : passes_of(access, lanes); });
    return {is, std::min(is, divided_up(lanes_of(access) * access.bytes, kBanks * kWordBytes))};
}

std::uint32_t conflict_of(const WarpAccess& access) {
    std::uint32_t most = 0;
    each_part(access, [&](std::uint32_t lanes) { most = std::max(most, passes_of(access, lanes)); });
    return most;
}

std::uint32_t local_sectors_of(const WarpAccess& access) {
    std::array<std::uint64_t, 32 * 8> sectors;
    std::uint32_t count = 0;
    const unsigned words = divided_up(access.bytes, kWordBytes);
    each_lane(access.active, [&](unsigned lane) {
        for (unsigned k = 0; k < words; ++k)
            sectors[count++] = (access.addresses[lane] / kWordBytes + k) * 4 + lane / 8;
    });
    std::sort(sectors.begin(), sectors.begin() + count);
    return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin());
}

std::optional<std::int64_t> stride_of(const WarpAccess& access) {
    std::optional<std::int64_t> stride;
    const auto first = static_cast<unsigned>(std::countr_zero(access.active));
    unsigned last = first;
    bool is_same = true;
    each_lane(access.active, [&](unsigned lane) {
        if (lane == first) return;
        const auto distance = static_cast<std::int64_t>(access.addresses[lane] - access.addresses[last]);
        const std::int64_t lanes = lane - last;
        is_same &= distance % lanes == 0 && (!stride || distance / lanes == *stride);
        stride = distance / lanes;
        last = lane;
    });
    if (!is_same) return std::nullopt;
    return stride ? stride : std::optional<std::int64_t>(access.bytes);
}

std::uint32_t addresses_of(const WarpAccess& access) { return different(access, 1); }

} // namespace warplight::profile
