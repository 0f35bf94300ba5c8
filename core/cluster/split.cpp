// SPDX-License-Identifier: Apache-2.0
#include "cluster/split.hpp"

#include "session/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace warplight::cluster {
namespace {

constexpr unsigned shuffle_rounds = 4;

std::uint64_t mixed(std::uint64_t value, std::uint64_t key) { return session::SplitMix64{key}.at(value); }

} // namespace

// The order is a permutation that is computed place by place (a Feistel network over the next even number of bits,
// walked on where it leaves the range), so that neither a task nor the collector needs a list of all points.
Split::Split(std::uint64_t count, std::uint64_t tasks, std::uint64_t seed)
    : count_(count), tasks_(std::clamp<std::uint64_t>(tasks, 1, std::max<std::uint64_t>(count, 1))) {
    const auto bits = static_cast<unsigned>(std::bit_width(count > 1 ? count - 1 : 1));
    half_bits_ = (bits + 1) / 2;
    for (unsigned i = 0; i < shuffle_rounds; ++i)
        keys_[i] = mixed(i, seed);
}

std::uint64_t Split::begin_of(std::uint64_t task) const {
    const auto least = count_ / tasks_, more = count_ % tasks_;
    return task * least + std::min(task, more);
}

std::uint64_t Split::size_of(std::uint64_t task) const {
    return task < tasks_ ? begin_of(task + 1) - begin_of(task) : 0;
}

std::uint64_t Split::shuffled(std::uint64_t place) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    do {
        std::uint64_t left = place >> half_bits_, right = place & mask;
        for (const auto key : keys_) {
            const auto next = left ^ (mixed(right, key) & mask);
            left = right;
            right = next;
        }
        place = (left << half_bits_) | right;
    } while (place >= count_);
    return place;
}

std::uint64_t Split::place_of(std::uint64_t point) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    do {
        std::uint64_t left = point >> half_bits_, right = point & mask;
        for (unsigned i = shuffle_rounds; i-- > 0;) {
            const auto before = right ^ (mixed(left, keys_[i]) & mask);
            right = left;
            left = before;
        }
        point = (left << half_bits_) | right;
    } while (point >= count_);
    return point;
}

std::vector<std::uint64_t> Split::points_of(std::uint64_t task) const {
    std::vector<std::uint64_t> points;
    const auto size = size_of(task);
    points.reserve(size);
    for (std::uint64_t i = 0; i < size; ++i)
        points.push_back(shuffled(begin_of(task) + i));
    return points;
}

std::uint64_t Split::task_of(std::uint64_t point) const {
    const auto place = place_of(point);
    const auto least = count_ / tasks_, more = count_ % tasks_;
    const auto in_larger = more * (least + 1);
    return place < in_larger ? place / (least + 1) : more + (place - in_larger) / least;
}

std::uint64_t tasks_for(std::uint64_t count, const TaskSize& size) {
    std::uint64_t tasks = size.wanted;
    if (tasks == 0) {
        const double needed =
            std::ceil(static_cast<double>(count) * size.point_seconds / std::max(size.task_seconds, 1.0));
        tasks =
            std::max(needed < static_cast<double>(count) ? static_cast<std::uint64_t>(needed) : count, size.at_least);
    }
    return std::clamp<std::uint64_t>(tasks, 1, std::max<std::uint64_t>(count, 1));
}

std::vector<TaskArray> arrays_of(const std::vector<std::uint64_t>& tasks, std::uint64_t limit) {
    std::vector<TaskArray> arrays;
    for (std::size_t i = 0; i < tasks.size();) {
        auto& array = arrays.emplace_back();
        array.offset = tasks[i] / limit * limit;
        while (i < tasks.size() && tasks[i] - array.offset < limit) {
            auto last = i;
            while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1 &&
                   tasks[last + 1] - array.offset < limit)
                ++last;
            const auto from = tasks[i] - array.offset, to = tasks[last] - array.offset;
            array.indices += array.indices.empty() ? "" : ",";
            array.indices += from == to ? fmt::format("{}", from) : fmt::format("{}-{}", from, to);
            array.tasks.insert(array.tasks.end(), std::next(tasks.begin(), static_cast<std::ptrdiff_t>(i)),
                               std::next(tasks.begin(), static_cast<std::ptrdiff_t>(last + 1)));
            i = last + 1;
        }
    }
    return arrays;
}

} // namespace warplight::cluster
