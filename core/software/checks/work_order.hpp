// SPDX-License-Identifier: Apache-2.0
// Happens-before of the work of streams, as the program asked for it: by streams, events, the default stream and the
// program's own waiting. It does not depend on what ran when.
//
// All threads of the program count as one: what one of them has waited for, all know. Otherwise each way in which they
// may tell each other would have to be known.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>

namespace warplight::software::checks {

/// A piece of work of a stream: those of one stream are numbered in their order.
struct WorkId {
    std::uint64_t stream = 0, number = 0;
    [[nodiscard]] auto operator<=>(const WorkId&) const = default;
};

class WorkOrder {
public:
    /// By stream the last work that has happened before.
    using Clock = std::map<std::uint64_t, std::uint64_t>;

    /// The program adds work to a stream, behind what is there and behind some of other streams.
    void add(WorkId work, std::span<const WorkId> after);
    /// The program goes on behind a piece of work.
    void host_waits_for(WorkId work);

    [[nodiscard]] bool host_knows(WorkId work) const { return number_of(host_, work.stream) >= work.number; }
    [[nodiscard]] bool is_before(WorkId first, WorkId second) const;
    /// The last work of a stream that happens before another one.
    [[nodiscard]] std::uint64_t last_before(std::uint64_t stream, WorkId work) const;

private:
    [[nodiscard]] static std::uint64_t number_of(const Clock& clock, std::uint64_t stream);
    static void join(Clock& clock, const Clock& other);
    [[nodiscard]] const Clock& clock_of(WorkId work) const;

    Clock host_;
    /// By stream and work: what has happened before, where that is more than before the work ahead of it.
    std::map<std::uint64_t, std::map<std::uint64_t, Clock>> clocks_;
};

} // namespace warplight::software::checks
