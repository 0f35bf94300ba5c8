// SPDX-License-Identifier: Apache-2.0
// Views of many threads at once, for clients that draw them: where they are, and a value in each of them.
#include "views.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warplight::debug::dap {
namespace {

constexpr std::uint32_t kLanes = software::kWarpSize;

const char* name_of(ThreadState state) {
    switch (state) {
    case ThreadState::not_begun: return "not begun";
    case ThreadState::at_line: return "at line";
    case ThreadState::waiting: return "waiting";
    case ThreadState::ended: return "ended";
    }
    return "ended";
}

json three(const std::uint32_t* extent) { return {extent[0], extent[1], extent[2]}; }

std::optional<Line> line_of(const Standing& now, std::uint32_t thread) {
    const std::vector<Call> calls = calls_of(now.block, thread, now.program);
    if (calls.empty()) return std::nullopt;
    return now.program.site(calls.front().site).line;
}

/// Threads of a warp, from `first` up to but not including `end`.
struct Warp {
    std::uint32_t first, end;
};

Warp warp_of(const Standing& now, std::uint32_t warp) {
    return {warp * kLanes,
            static_cast<std::uint32_t>(std::min<std::size_t>((warp + 1) * kLanes, now.block.threads.size()))};
}

} // namespace

json Views::standing(const Standing& now, std::uint64_t id) const {
    const std::uint32_t thread = thread_of(now, id);
    const auto index = index_of(now.block, thread);
    const auto threads = static_cast<std::uint32_t>(now.block.threads.size());
    const software::LaunchContext& launch = now.launch.context();
    json all{{"block", now.block.number},
             {"blockIdx", three(now.block.context->ctaid)},
             {"gridDim", three(launch.nctaid)},
             {"blockDim", three(launch.ntid)},
             {"thread", thread},
             {"threadIdx", three(index.data())},
             {"warp", thread / kLanes},
             {"lane", thread % kLanes}};

    const Warp warp = warp_of(now, thread / kLanes);
    std::vector<std::pair<Line, std::vector<std::uint32_t>>> places;
    json states = json::array();
    for (std::uint32_t t = warp.first; t < warp.end; ++t) {
        states.push_back(name_of(state_of(now.block, t)));
        const auto line = line_of(now, t);
        if (!line) continue;
        const auto known = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.first == *line; });
        if (known == places.end())
            places.push_back({*line, {t - warp.first}});
        else
            known->second.push_back(t - warp.first);
    }
    all["states"] = std::move(states);
    all["places"] = json::array();
    for (const auto& [line, lanes] : places) {
        json place{{"line", line.line ? line.line - 1 + settings.first_line : 0}, {"lanes", lanes}};
        if (json source = source_of(now, line); !source.is_null()) place["source"] = std::move(source);
        all["places"].push_back(std::move(place));
    }

    all["warps"] = json::array();
    for (std::uint32_t w = 0; w * kLanes < threads; ++w) {
        const Warp each = warp_of(now, w);
        std::array<std::uint32_t, 4> counts{};
        for (std::uint32_t t = each.first; t < each.end; ++t)
            ++counts[static_cast<std::size_t>(state_of(now.block, t))];
        const std::uint32_t shown = settings.shows_threads ? each.first : thread_of(now, std::uint64_t{w} + 1);
        const auto line = line_of(now, shown);
        all["warps"].push_back({{"first", each.first},
                                {"last", each.end - 1},
                                {"line", line && line->line ? line->line - 1 + settings.first_line : 0},
                                {"notBegun", counts[static_cast<std::size_t>(ThreadState::not_begun)]},
                                {"atLine", counts[static_cast<std::size_t>(ThreadState::at_line)]},
                                {"waiting", counts[static_cast<std::size_t>(ThreadState::waiting)]},
                                {"ended", counts[static_cast<std::size_t>(ThreadState::ended)]}});
    }
    return all;
}

json Views::values(const Standing& now, const std::string& text, bool of_block, std::optional<std::uint64_t> id) {
    const Frame frame = frame_of(now, id);
    const auto threads = static_cast<std::uint32_t>(now.block.threads.size());
    const Warp range = of_block ? Warp{0, threads} : warp_of(now, frame.thread / kLanes);
    std::optional<Expression> expression;
    try {
        expression.emplace(text);
    } catch (const ExpressionError& e) {
        throw RequestError(e.what());
    }
    const auto chosen = line_of(now, frame.thread);
    json numbers = json::array(), texts = json::array(), valid = json::array(), here = json::array();
    std::string type;
    for (std::uint32_t t = range.first; t < range.end; ++t) {
        const std::vector<Call> calls = calls_of(now.block, t, now.program);
        here.push_back(chosen && !calls.empty() && now.program.site(calls.front().site).line == *chosen);
        json number, shown = "";
        bool has_value = false;
        if (calls.empty()) {
            shown = name_of(state_of(now.block, t));
        } else {
            try {
                const Scope scope = now.scope(t, calls.front());
                const Value value = expression->evaluate(scope);
                shown = text_of(value, scope);
                has_value = true;
                if (type.empty()) type = now.program.info.name_of(value.type);
                // JSON has no number for infinity and NaN.
                if (const auto n = number_of(value, scope); n && std::isfinite(*n)) number = *n;
            } catch (const ExpressionError& e) {
                shown = e.what();
            }
        }
        numbers.push_back(std::move(number));
        texts.push_back(std::move(shown));
        valid.push_back(has_value);
        // A mistake in the expression is one of all threads.
        if (!has_value && t == frame.thread && !calls.empty()) throw RequestError(texts.back().get<std::string>());
    }
    return {{"first", range.first},
            {"blockDim", three(now.launch.context().ntid)},
            {"type", type},
            {"numbers", std::move(numbers)},
            {"texts", std::move(texts)},
            {"valid", std::move(valid)},
            {"here", std::move(here)}};
}

} // namespace warplight::debug::dap
