// SPDX-License-Identifier: Apache-2.0
// Tells of work in different streams that accesses the same memory, where nothing that the program asked for orders it.
// Of each launch, copy and fill the ranges that it has accessed are kept until all work that is still to come is known
// to come behind it.
#pragma once

#include "../checks/work_order.hpp"
#include "bulk.hpp"
#include "findings/finding.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace warplight::software {

/// Who accessed memory: a place in a kernel, or a copy or fill of the program.
struct WorkEvent {
    findings::Event event;    ///< without a kernel: of the program itself
    std::string kernel;       ///< its name in the module
    std::uint64_t launch = 0; ///< number of the launch (checks::Moment)
};

struct AccessedRange {
    std::uint64_t begin = 0, end = 0;
    bool reads = false, writes = false;
    bool strong = false; ///< by accesses that race with none of their kind
    std::uint32_t event = 0;
};

struct WorkAccesses {
    std::vector<AccessedRange> ranges; ///< sorted by their beginning
    std::vector<WorkEvent> events;
};

class WorkRaces {
public:
    /// Of the process.
    [[nodiscard]] static WorkRaces& instance();
    /// Whether races are looked for now.
    [[nodiscard]] static bool is_on();

    // --- what the program asks for
    void add(checks::WorkId work, std::span<const checks::WorkId> after);
    void host_waits_for(checks::WorkId work);
    /// Work waits for values in memory, or for other processes: no order is known any more.
    void give_up();
    /// Memory that is given back, or begins anew.
    void forget(std::uint64_t begin, std::uint64_t bytes);
    /// A stream is made.
    void add_stream(bool blocking) { (blocking ? blocking_streams_ : other_streams_) += 1; }
    /// There may be work that nothing orders. A blocking stream alone keeps order with the default stream.
    [[nodiscard]] bool has_several_streams() const { return blocking_streams_ > 1 || other_streams_ > 0; }

    // --- while work runs
    /// The work that this thread carries out, while it lives.
    class Running {
    public:
        explicit Running(checks::WorkId work);
        ~Running();
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

    private:
        const checks::WorkId before_, work_;
    };
    /// What the running work has accessed; the races are told.
    void keep(WorkAccesses accesses);
    /// The same of a copy of rows; without `from` of a fill.
    void keep_copy(const BoxCopy& box);
    /// The program learns that the running work has come so far.
    void tell_host();

private:
    struct Kept {
        checks::WorkId work;
        std::shared_ptr<const WorkAccesses> accesses;
        std::uint64_t added = 0;       ///< when
        std::uint64_t known_since = 0; ///< to the program: work that is added from then on comes behind. 0: it is not
    };
    void compare(const Kept& now, const Kept& before);
    void drop_known();

    std::atomic<unsigned> blocking_streams_ = 0, other_streams_ = 0; ///< that were made
    std::mutex mutex_;
    checks::WorkOrder order_;
    std::map<std::uint64_t, std::deque<Kept>> kept_; ///< by stream, in order
    std::atomic<std::size_t> pending_count_ = 0;
    std::map<checks::WorkId, std::uint64_t> pending_; ///< when it was added
    std::set<std::uint64_t> pending_since_;
    std::uint64_t last_ = 0; ///< work that was added
    std::size_t ranges_ = 0; ///< of all kept
    bool has_given_up_ = false;
};

} // namespace warplight::software
