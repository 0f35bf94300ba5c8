// SPDX-License-Identifier: Apache-2.0
#include "fault_search.hpp"

#include "address_space.hpp"
#include "block_scheduler.hpp"
#include "failure.hpp"
#include "local_memory.hpp"
#include "platform.hpp"
#include "report.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace warplight::software {
namespace {

constexpr int kMostTurns = 100'000;
constexpr std::chrono::seconds kMostTime{2};
/// A vector's fault may be told at an address between its lanes' own.
constexpr std::uint64_t kVectorReach = 1024;

bool is_canonical(std::uint64_t address) {
    const auto top = static_cast<std::int64_t>(address) >> 47;
    return top == 0 || top == -1;
}

/// Interrupts the calling thread when it has taken too long.
class Deadline {
public:
    explicit Deadline(const std::function<void()>& interrupt) {
        try {
            timer_ = std::thread([this, &interrupt] { wait(interrupt); });
        } catch (const std::system_error&) { // without a thread there is no search
            over_ = true;
        }
    }
    ~Deadline() {
        {
            const std::scoped_lock lock(mutex_);
            end_ = true;
        }
        ended_.notify_all();
        if (timer_.joinable()) timer_.join();
    }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    [[nodiscard]] bool over() const { return over_; }

private:
    void wait(const std::function<void()>& interrupt) {
        std::unique_lock lock(mutex_);
        if (ended_.wait_for(lock, kMostTime, [this] { return end_; })) return;
        over_ = true;
        while (!ended_.wait_for(lock, std::chrono::milliseconds(1), [this] { return end_; }))
            interrupt();
    }

    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::atomic<bool> over_ = false;
    std::thread timer_;
};

struct Turn {
    BlockScheduler* block;
    BlockScheduler::Turn result;
};

void take_turn(void* argument) {
    auto& turn = *static_cast<Turn*>(argument);
    turn.result = turn.block->turn();
}

} // namespace

FoundFault FaultSearch::found(const jit::CompiledKernel& exact, const Trap& trap, const Access& access) const {
    FoundFault f{trap, access.thread, exact.site(access.site)};
    f.trap.has_address = true;
    f.trap.address = access.address;
    f.trap.bytes = access.bytes;
    return f;
}

FaultSearch::Run FaultSearch::run(const jit::CompiledKernel& exact, const Trap& trap) const {
    const bool illegal = trap.fault == Fault::illegal_address;
    const auto is_it = [&](const Access& access) {
        if (!illegal) return false;
        if (!trap.has_address) return !is_canonical(access.address);
        const AddressSpace& space = AddressSpace::instance();
        return space.is_beyond_window(trap.address) ? !space.covers(access.address) : access.covers(trap.address);
    };
    Run result;
    const LocalStack::Scope locals;
    BlockScheduler block;
    AccessWatch watch(block, is_it);
    block.begin(launch_, exact.start_thread(), exact.run_round(), shared_, number_, 0);
    const auto [begin, end] = exact.code();
    Turn turn{&block, BlockScheduler::Turn::working};
    const Deadline deadline(interrupt_); // a thread that comes before may have no end
    for (int i = 0; i < kMostTurns && !deadline.over(); ++i) {
        Trap again;
        if (run_guarded(take_turn, &turn, again, {begin, end})) {
            if (turn.result == BlockScheduler::Turn::finished || turn.result == BlockScheduler::Turn::stuck) break;
            continue;
        }
        // Of an access that is wrong in both ways a GPU finds fault with the alignment.
        if (again.fault == trap.fault || (illegal && again.fault == Fault::misaligned)) {
            const std::uint32_t thread = again.linear != UINT32_MAX ? again.linear : block.current();
            result.hit = FoundFault{again, thread, site_of(exact, again)};
        }
        break;
    }
    result.first = watch.first();
    return result;
}

std::optional<FoundFault> FaultSearch::find(const Trap& trap) const {
    std::shared_ptr<const jit::CompiledKernel> exact;
    try {
        exact = function_.compiled(jit::AccessReports::before_each);
    } catch (const Failure&) {
        return std::nullopt;
    }
    const Run once = run(*exact, trap);
    if (once.hit) {
        // Others may do the same access before the one whose address is known.
        if (once.hit->trap.fault == Fault::illegal_address && once.first && once.first->site == once.hit->trap.site)
            return found(*exact, trap, *once.first);
        return once.hit;
    }
    // No access has this very address. In a thread's own memory, and where a vector's accesses were joined, the address
    // differs each time. It also differs where the block's input has changed meanwhile; then this is no answer.
    if (trap.fault != Fault::illegal_address || !trap.has_address || !once.first) return std::nullopt;
    const bool own =
        !AddressSpace::instance().covers(trap.address) && !AddressSpace::instance().covers(once.first->address);
    const std::uint64_t below = trap.address - once.first->address, above = once.first->address - trap.address;
    if (!own && below >= kVectorReach && above >= kVectorReach) return std::nullopt;
    const Run twice = run(*exact, trap);
    if (twice.hit || !twice.first) return twice.hit;
    const bool alike = twice.first->site == once.first->site && twice.first->thread == once.first->thread;
    if (!alike || (!own && twice.first->address != once.first->address)) return std::nullopt;
    return found(*exact, trap, *once.first);
}

} // namespace warplight::software
