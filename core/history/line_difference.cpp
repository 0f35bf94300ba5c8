// SPDX-License-Identifier: Apache-2.0
#include "history/run_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace warplight::history {
namespace {

constexpr std::ptrdiff_t kMostChanges = 2000; ///< the trace takes the square of it

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

using Lines = std::vector<std::string_view>;

/// Myers's greedy algorithm (An O(ND) difference algorithm and its variations, 1986): `trace[d][k]` is how far in
/// `before` one gets on diagonal k with d changes.
class Search {
public:
    Search(const Lines& before, const Lines& after)
        : before_(before), after_(after), n_(std::ssize(before)), m_(std::ssize(after)) {}

    /// False: there are too many changes.
    bool run() {
        const std::ptrdiff_t most = std::min(n_ + m_, kMostChanges);
        std::vector<std::ptrdiff_t> reach(static_cast<std::size_t>(2 * most + 3), 0);
        const std::ptrdiff_t middle = most + 1;
        for (std::ptrdiff_t d = 0; d <= most; ++d) {
            trace_.emplace_back(reach.begin() + middle - d - 1, reach.begin() + middle + d + 2);
            for (std::ptrdiff_t k = -d; k <= d; k += 2) {
                std::ptrdiff_t& x = reach[static_cast<std::size_t>(middle + k)];
                const std::ptrdiff_t below = reach[static_cast<std::size_t>(middle + k - 1)] + 1;
                const std::ptrdiff_t above = reach[static_cast<std::size_t>(middle + k + 1)];
                x = d == 0 ? 0 : k == -d || (k != d && below <= above) ? above : below;
                while (x < n_ && x - k < m_ && same(x, x - k))
                    ++x;
                if (x >= n_ && x - k >= m_) return true;
            }
        }
        return false;
    }

    std::vector<Line> lines() const {
        std::vector<Line> lines;
        std::ptrdiff_t x = n_, y = m_;
        for (std::ptrdiff_t d = std::ssize(trace_) - 1; d >= 0; --d) {
            const auto at = [&](std::ptrdiff_t k) {
                return trace_[static_cast<std::size_t>(d)][static_cast<std::size_t>(k + d + 1)];
            };
            const std::ptrdiff_t k = x - y;
            const bool adds = d > 0 && (k == -d || (k != d && at(k - 1) + 1 <= at(k + 1)));
            const std::ptrdiff_t from_x = d == 0 ? 0 : adds ? at(k + 1) : at(k - 1);
            const std::ptrdiff_t from_y = d == 0 ? 0 : adds ? from_x - (k + 1) : from_x - (k - 1);
            while (x > from_x && y > from_y) {
                lines.push_back({Line::Kind::same, std::string(before_[static_cast<std::size_t>(--x)])});
                --y;
            }
            if (d == 0) break;
            if (adds) {
                lines.push_back({Line::Kind::added, std::string(after_[static_cast<std::size_t>(--y)])});
            } else {
                lines.push_back({Line::Kind::removed, std::string(before_[static_cast<std::size_t>(--x)])});
            }
        }
        std::reverse(lines.begin(), lines.end());
        return lines;
    }

private:
    [[nodiscard]] bool same(std::ptrdiff_t x, std::ptrdiff_t y) const {
        return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
    }
    const Lines& before_;
    const Lines& after_;
    std::ptrdiff_t n_, m_;
    std::vector<std::vector<std::ptrdiff_t>> trace_;
};

} // namespace

std::vector<Line> line_difference(std::string_view before, std::string_view after) {
    Lines old_lines = lines_of(before), new_lines = lines_of(after);
    // What is equal in front and behind needs no search.
    const auto front = std::mismatch(old_lines.begin(), old_lines.end(), new_lines.begin(), new_lines.end());
    const Lines head(old_lines.begin(), front.first);
    const auto back = std::mismatch(old_lines.rbegin(), std::make_reverse_iterator(front.first), new_lines.rbegin(),
                                    std::make_reverse_iterator(front.second));
    const Lines tail(back.first.base(), old_lines.end());
    old_lines = Lines(front.first, back.first.base());
    new_lines = Lines(front.second, back.second.base());
    std::vector<Line> lines;
    const auto add = [&lines](const Lines& some, Line::Kind kind) {
        for (const auto line : some)
            lines.push_back({kind, std::string(line)});
    };
    add(head, Line::Kind::same);
    if (Search search(old_lines, new_lines); search.run()) {
        for (auto& line : search.lines())
            lines.push_back(std::move(line));
    } else {
        add(old_lines, Line::Kind::removed);
        add(new_lines, Line::Kind::added);
    }
    add(tail, Line::Kind::same);
    return lines;
}

std::string unified_text(const std::vector<Line>& lines, std::string_view name_before, std::string_view name_after) {
    constexpr std::size_t around = 3;
    std::string text;
    std::size_t old_line = 1, new_line = 1, at = 0; // of lines[at]
    const auto skip_to = [&](std::size_t to) {
        for (; at < to; ++at) {
            old_line += lines[at].kind != Line::Kind::added;
            new_line += lines[at].kind != Line::Kind::removed;
        }
    };
    const auto next_change = [&lines](std::size_t from) {
        while (from < lines.size() && lines[from].kind == Line::Kind::same)
            ++from;
        return from;
    };
    for (std::size_t change = next_change(0); change < lines.size();) {
        if (text.empty()) text = fmt::format("--- {}\n+++ {}\n", name_before, name_after);
        skip_to(change - std::min(change - at, around));
        std::size_t last = change;
        for (std::size_t next = change; next < lines.size() && next <= last + 2 * around; next = next_change(next + 1))
            last = next;
        const std::size_t end = std::min(last + around + 1, lines.size());
        std::size_t old_count = 0, new_count = 0;
        std::string body;
        for (std::size_t i = at; i < end; ++i) {
            old_count += lines[i].kind != Line::Kind::added;
            new_count += lines[i].kind != Line::Kind::removed;
            body += " -+"[static_cast<int>(lines[i].kind)] + lines[i].text + '\n';
        }
        text += fmt::format("@@ -{},{} +{},{} @@\n{}", old_count ? old_line : old_line - 1, old_count,
                            new_count ? new_line : new_line - 1, new_count, body);
        skip_to(end);
        change = next_change(end);
    }
    return text;
}

} // namespace warplight::history
