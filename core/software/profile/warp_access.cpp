// SPDX-License-Identifier: Apache-2.0
#include "warp_access.hpp"

#include <algorithm>
#include <bit>

namespace warplight::software::profile {
namespace {

constexpr unsigned kSectorBytes = 32, kBanks = 32, kWordBytes = 4;

/// Calls visit(lane) for each lane of a mask.
template <class Visit>
void each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1)
        visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// Numbers of which only the different ones are wanted. Most come in order.
template <std::size_t Most>
class Numbers {
public:
    void add(std::uint64_t number) {
        if (count_ != 0 && all_[count_ - 1] == number) return;
        in_order_ &= count_ == 0 || all_[count_ - 1] < number;
        all_[count_++] = number;
    }
    [[nodiscard]] std::uint32_t different() {
        if (in_order_) return count_;
        std::sort(all_.begin(), all_.begin() + count_);
        return static_cast<std::uint32_t>(std::unique(all_.begin(), all_.begin() + count_) - all_.begin());
    }

private:
    std::array<std::uint64_t, Most> all_;
    std::uint32_t count_ = 0;
    bool in_order_ = true;
};

std::uint32_t lanes_of(const WarpAccess& access) { return static_cast<std::uint32_t>(std::popcount(access.active)); }

std::uint32_t divided_up(std::uint32_t bytes, std::uint32_t by) { return (bytes + by - 1) / by; }

/// Of the lanes that go through the banks at once.
std::uint32_t passes_of(const WarpAccess& access, std::uint32_t lanes) {
    const unsigned each = divided_up(access.bytes, kWordBytes);
    std::array<std::uint64_t, 64> all;
    std::uint32_t count = 0;
    each_lane(lanes, [&](unsigned lane) {
        for (unsigned k = 0; k < each; ++k)
            all[count++] = access.addresses[lane] / kWordBytes + k;
    });
    std::sort(all.begin(), all.begin() + count);
    count = static_cast<std::uint32_t>(std::unique(all.begin(), all.begin() + count) - all.begin());
    std::array<std::uint8_t, kBanks> used{};
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < count; ++k)
        most = std::max<std::uint32_t>(most, ++used[all[k] % kBanks]);
    return most;
}

} // namespace

Cost sectors_of(const WarpAccess& access) {
    Numbers<32> sectors; // no access is larger than a sector, and each is aligned
    each_lane(access.active, [&](unsigned lane) { sectors.add(access.addresses[lane] / kSectorBytes); });
    const std::uint32_t is = sectors.different();
    return {is, std::min(is, divided_up(lanes_of(access) * access.bytes, kSectorBytes))};
}

Cost wavefronts_of(const WarpAccess& access) {
    const unsigned lanes_at_once = access.bytes <= kWordBytes ? 32 : kBanks * kWordBytes / access.bytes;
    std::uint32_t is = 0;
    for (unsigned first = 0; first < 32; first += lanes_at_once) {
        const std::uint32_t lanes = lanes_at_once == 32 ? ~0U : ((1U << lanes_at_once) - 1) << first;
        if ((access.active & lanes) != 0) is += passes_of(access, access.active & lanes);
    }
    return {is, std::min(is, divided_up(lanes_of(access) * access.bytes, kBanks * kWordBytes))};
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

std::uint32_t addresses_of(const WarpAccess& access) {
    Numbers<32> addresses;
    each_lane(access.active, [&](unsigned lane) { addresses.add(access.addresses[lane]); });
    return addresses.different();
}

} // namespace warplight::software::profile
