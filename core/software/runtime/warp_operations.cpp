// SPDX-License-Identifier: Apache-2.0
#include "warp_operations.hpp"

#include "software/jit/library/matrix_library.hpp"

#include <algorithm>
#include <bit>

namespace warplight::software {
namespace {

template <class Body>
void each(std::uint32_t members, Body body) {
    for (; members; members &= members - 1)
        body(static_cast<std::uint32_t>(std::countr_zero(members)));
}

void shuffle(ThreadContext* lanes, std::uint32_t members) {
    std::uint64_t values[kWarpSize];
    each(members, [&](std::uint32_t i) { values[i] = lanes[i].value; });
    each(members, [&](std::uint32_t lane) {
        ThreadContext& t = lanes[lane];
        const auto source = shuffle_source(t, lane);
        std::uint32_t from = source.value_or(lane);
        // Reading a lane that takes no part is undefined; it reads its own value.
        if (!(members >> from & 1)) from = lane;
        t.result = values[from] & 0xFFFFFFFFU;
        t.predicate = source.has_value();
    });
}

std::uint32_t reduce(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
    const auto sa = static_cast<std::int32_t>(a);
    const auto sb = static_cast<std::int32_t>(b);
    switch (operation) {
    case WarpOperation::reduce_add: return a + b;
    case WarpOperation::reduce_min_s32: return static_cast<std::uint32_t>(std::min(sa, sb));
    case WarpOperation::reduce_max_s32: return static_cast<std::uint32_t>(std::max(sa, sb));
    case WarpOperation::reduce_min_u32: return std::min(a, b);
    case WarpOperation::reduce_max_u32: return std::max(a, b);
    case WarpOperation::reduce_and: return a & b;
    case WarpOperation::reduce_or: return a | b;
    default: return a ^ b;
    }
}

std::uint64_t match_value(WarpOperation operation, const ThreadContext& t) {
    const bool wide = operation == WarpOperation::match_any64 || operation == WarpOperation::match_all64;
    return wide ? t.value : t.value & 0xFFFFFFFFU;
}

std::uint64_t vote(WarpOperation operation, const ThreadContext* lanes, std::uint32_t members) {
    std::uint32_t ballot = 0;
    each(members, [&](std::uint32_t i) { ballot |= static_cast<std::uint32_t>(lanes[i].value & 1) << i; });
    switch (operation) {
    case WarpOperation::vote_all: return ballot == members;
    case WarpOperation::vote_any: return ballot != 0;
    case WarpOperation::vote_uni: return ballot == 0 || ballot == members;
    default: return ballot;
    }
}

void match_any(WarpOperation operation, ThreadContext* lanes, std::uint32_t members) {
    each(members, [&](std::uint32_t i) {
        const std::uint64_t mine = match_value(operation, lanes[i]);
        std::uint32_t same = 0;
        each(members, [&](std::uint32_t j) {
            same |= static_cast<std::uint32_t>(match_value(operation, lanes[j]) == mine) << j;
        });
        lanes[i].result = same;
    });
}

void match_all(WarpOperation operation, ThreadContext* lanes, std::uint32_t members) {
    const std::uint64_t first = match_value(operation, lanes[std::countr_zero(members)]);
    bool all = true;
    each(members, [&](std::uint32_t i) { all &= match_value(operation, lanes[i]) == first; });
    each(members, [&](std::uint32_t i) {
        lanes[i].result = all ? members : 0;
        lanes[i].predicate = all;
    });
}

} // namespace

std::optional<std::uint32_t> shuffle_source(const ThreadContext& t, std::uint32_t lane) {
    const auto b = static_cast<int>(t.b & 31);
    const std::uint32_t clamp = t.c & 31;
    const std::uint32_t segment = t.c >> 8 & 31;
    const auto last = static_cast<int>((lane & segment) | (clamp & ~segment));
    const auto first = static_cast<int>(lane & segment);
    const auto self = static_cast<int>(lane);
    int from = self;
    bool inside = false;
    switch (static_cast<WarpOperation>(t.operation)) {
    case WarpOperation::shuffle_up:
        from = self - b;
        inside = from >= last;
        break;
    case WarpOperation::shuffle_down:
        from = self + b;
        inside = from <= last;
        break;
    case WarpOperation::shuffle_bfly:
        from = self ^ b;
        inside = from <= last;
        break;
    case WarpOperation::shuffle_idx:
        from = first | (b & ~static_cast<int>(segment));
        inside = from <= last;
        break;
    default: break;
    }
    return inside ? std::optional(static_cast<std::uint32_t>(from)) : std::nullopt;
}

void perform(WarpOperation operation, ThreadContext* lanes, std::uint32_t members) {
    const auto leader = static_cast<std::uint32_t>(std::countr_zero(members));
    const auto answer_all = [&](std::uint64_t result) {
        each(members, [&](std::uint32_t i) { lanes[i].result = result; });
    };
    switch (operation) {
    case WarpOperation::sync: break;
    case WarpOperation::activemask: answer_all(members); break;
    case WarpOperation::shuffle_up:
    case WarpOperation::shuffle_down:
    case WarpOperation::shuffle_bfly:
    case WarpOperation::shuffle_idx: shuffle(lanes, members); break;
    case WarpOperation::vote_all:
    case WarpOperation::vote_any:
    case WarpOperation::vote_uni:
    case WarpOperation::vote_ballot: answer_all(vote(operation, lanes, members)); break;
    case WarpOperation::match_any32:
    case WarpOperation::match_any64: match_any(operation, lanes, members); break;
    case WarpOperation::match_all32:
    case WarpOperation::match_all64: match_all(operation, lanes, members); break;
    case WarpOperation::elect:
        each(members, [&](std::uint32_t i) {
            lanes[i].result = leader;
            lanes[i].predicate = i == leader;
        });
        break;
    case WarpOperation::matrix_multiply:
    case WarpOperation::matrix_rows:
    case WarpOperation::matrix_transpose: jit::perform_matrix(operation, lanes, members); break;
    default: {
        auto value = static_cast<std::uint32_t>(lanes[leader].value);
        each(members & (members - 1),
             [&](std::uint32_t i) { value = reduce(operation, value, static_cast<std::uint32_t>(lanes[i].value)); });
        answer_all(value);
        break;
    }
    }
}

} // namespace warplight::software
