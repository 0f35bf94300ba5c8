// SPDX-License-Identifier: Apache-2.0
#include "clock.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace warplight::software::checks {
namespace {

constexpr unsigned kBits = 4; ///< of a block's number, a level
constexpr std::size_t kWidth = std::size_t{1} << kBits;

auto place_of(const BlockMoment::Lane& lane) { return std::tuple(lane.warp, lane.lane); }

} // namespace

bool BlockMoment::is_after(const Epoch& epoch, unsigned lane) const {
    if (epoch.phase < phase) return true;
    for (const Lane& each : lanes)
        if (each.warp == epoch.warp && (each.lane == lane || each.lane == all_lanes) && epoch.number <= each.epoch)
            return true;
    return false;
}

BlockMoment BlockMoment::join(const BlockMoment& a, const BlockMoment& b) {
    BlockMoment joined;
    joined.phase = std::max(a.phase, b.phase);
    joined.lanes.reserve(a.lanes.size() + b.lanes.size());
    auto x = a.lanes.begin(), y = b.lanes.begin();
    while (x != a.lanes.end() && y != b.lanes.end()) {
        if (place_of(*x) < place_of(*y)) {
            joined.lanes.push_back(*x++);
        } else if (place_of(*y) < place_of(*x)) {
            joined.lanes.push_back(*y++);
        } else {
            joined.lanes.push_back(x->epoch < y->epoch ? *y : *x);
            ++x;
            ++y;
        }
    }
    joined.lanes.insert(joined.lanes.end(), x, a.lanes.end());
    joined.lanes.insert(joined.lanes.end(), y, b.lanes.end());
    return joined;
}

// --- the tree

struct Clock::Node {};
struct Clock::Branch : Node {
    std::array<Pointer, kWidth> children;
};
struct Clock::Leaf : Node {
    std::array<std::shared_ptr<const BlockMoment>, kWidth> moments;
};

bool Clock::is_after(const Epoch& epoch, unsigned lane) const {
    if (!root_ || std::uint64_t{epoch.block} >> (kBits * (levels_ + 1)) != 0) return false;
    const Node* node = root_.get();
    for (unsigned level = levels_; level > 0; --level) {
        node = static_cast<const Branch*>(node)->children[epoch.block >> (kBits * level) & (kWidth - 1)].get();
        if (!node) return false;
    }
    const auto& moment = static_cast<const Leaf*>(node)->moments[epoch.block & (kWidth - 1)];
    return moment && moment->is_after(epoch, lane);
}

Clock::Pointer Clock::joined(unsigned level, const Pointer& a, const Pointer& b) {
    if (!b || a == b) return a;
    if (!a) return b;
    bool is_a = true, is_b = true;
    const auto note = [&](const auto& made, const auto& x, const auto& y) {
        is_a &= made == x;
        is_b &= made == y;
    };
    if (level > 0) {
        const auto& x = static_cast<const Branch&>(*a).children;
        const auto& y = static_cast<const Branch&>(*b).children;
        auto made = std::make_shared<Branch>();
        for (std::size_t k = 0; k < kWidth; ++k) {
            made->children[k] = joined(level - 1, x[k], y[k]);
            note(made->children[k], x[k], y[k]);
        }
        return is_a ? a : is_b ? b : Pointer(std::move(made));
    }
    const auto& x = static_cast<const Leaf&>(*a).moments;
    const auto& y = static_cast<const Leaf&>(*b).moments;
    auto made = std::make_shared<Leaf>();
    for (std::size_t k = 0; k < kWidth; ++k) {
        if (!x[k] || !y[k] || x[k] == y[k]) {
            made->moments[k] = x[k] ? x[k] : y[k];
        } else {
            BlockMoment both = BlockMoment::join(*x[k], *y[k]);
            made->moments[k] = both == *x[k]   ? x[k]
                               : both == *y[k] ? y[k]
                                               : std::make_shared<const BlockMoment>(std::move(both));
        }
        note(made->moments[k], x[k], y[k]);
    }
    return is_a ? a : is_b ? b : Pointer(std::move(made));
}

void Clock::grow_to(unsigned levels) {
    for (; levels_ < levels; ++levels_) {
        if (!root_) continue;
        auto above = std::make_shared<Branch>();
        above->children[0] = std::move(root_);
        root_ = std::move(above);
    }
}

void Clock::join(const Clock& other) {
    if (!other.root_) return;
    if (levels_ < other.levels_) grow_to(other.levels_);
    Clock same = other;
    same.grow_to(levels_);
    root_ = joined(levels_, root_, same.root_);
}

void Clock::join(std::uint32_t block, const BlockMoment& moment) {
    unsigned levels = 0;
    while (std::uint64_t{block} >> (kBits * (levels + 1)) != 0)
        ++levels;
    auto leaf = std::make_shared<Leaf>();
    leaf->moments[block & (kWidth - 1)] = std::make_shared<const BlockMoment>(moment);
    Clock one;
    one.root_ = std::move(leaf);
    while (one.levels_ < levels) {
        ++one.levels_;
        auto above = std::make_shared<Branch>();
        above->children[block >> (kBits * one.levels_) & (kWidth - 1)] = std::move(one.root_);
        one.root_ = std::move(above);
    }
    join(one);
}

} // namespace warplight::software::checks
