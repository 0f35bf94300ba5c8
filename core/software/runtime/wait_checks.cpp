// SPDX-License-Identifier: Apache-2.0
#include "wait_checks.hpp"

#include "report.hpp"
#include "software/ptx/waiting_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplight::software {
namespace {

// As the code of objects has it (jit/emit/control/barrier).
constexpr std::uint64_t kMostArrivals = (std::uint64_t{1} << 20) - 1;
constexpr unsigned kObjectPhaseShift = 61;

struct ObjectState {
    std::uint64_t pending, phase;
    bool has_bytes; ///< of copies that are still to come
};

ObjectState state_at(std::uint64_t address) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
    return {word & kMostArrivals, word >> kObjectPhaseShift, (word >> 40 & ((std::uint64_t{1} << 21) - 1)) != 0};
}

bool is_wait(WaitEvent event) { return event == WaitEvent::waits_phase || event == WaitEvent::waits_parity; }

/// Whether a thread that waits may go on, in a phase.
bool may_go_on(WaitEvent event, std::uint64_t value, std::uint64_t phase) {
    return event == WaitEvent::waits_parity ? (phase & 1) != (value & 1) : phase != value >> kObjectPhaseShift;
}

void describe_object(findings::Finding& f, std::string message) {
    f.kind = findings::name_of(findings::Check::sync);
    f.message = std::move(message);
}

} // namespace

void WaitChecks::begins(const BlockContext& block) {
    const std::scoped_lock lock(mutex_);
    const auto begin = reinterpret_cast<std::uint64_t>(block.shared);
    objects_.erase(objects_.lower_bound(begin), objects_.lower_bound(begin + shared_bytes_));
    waits_.erase(block.scheduler);
}

void WaitChecks::ends(const BlockScheduler& block) {
    const std::scoped_lock lock(mutex_);
    ++ended_;
    waits_.erase(&block);
    quiet_.erase(&block.blocks_together());
}

WaitChecks::Waits& WaitChecks::waits_of(const BlockContext& block) {
    Waits& waits = waits_[block.scheduler];
    waits.of_threads.resize(launch_.launch.block_threads);
    return waits;
}

std::uint32_t WaitChecks::loop_of(const jit::Site& site) {
    const auto& functions = launch_.function.module.ptx.functions;
    if (site.function >= functions.size()) return 0;
    const auto [known, is_new] = loops_.try_emplace(site.function);
    if (is_new) known->second = ptx::waiting_loops(functions[site.function]);
    return site.instruction < known->second.size() ? known->second[site.instruction] : 0;
}

void WaitChecks::tell(const BlockContext& block, const Told& told) {
    const std::scoped_lock lock(mutex_);
    if (told.event == WaitEvent::leaves) {
        Waits& waits = waits_of(block);
        waits.of_threads[told.linear].clear();
        ++waits.progress;
        return;
    }
    if (told.event != WaitEvent::reads) use(block, told);
    if (told.event == WaitEvent::reads || is_wait(told.event)) wait(block, told);
}

void WaitChecks::wait(const BlockContext& block, const Told& told) {
    const jit::Site site = launch_.kernel.site(told.site);
    const std::uint32_t loop = loop_of(site);
    if (loop == 0) return;
    Waits& waits = waits_of(block);
    std::vector<Waiting>& all = waits.of_threads[told.linear];
    if (!all.empty() && (all.front().function != site.function || all.front().loop != loop)) all.clear();
    for (Waiting& each : all)
        if (each.told.site == told.site && each.told.address == told.address) {
            each.told.value = told.value;
            return;
        }
    ++waits.progress;
    constexpr std::size_t kMost = 64; // of one loop
    if (all.size() < kMost) all.push_back({told, site.function, loop});
}

// --- barrier objects

template <class Which>
std::optional<WaitChecks::Waiter> WaitChecks::waiter_at(const BlockContext& block, std::uint64_t address, Which which) {
    for (const BlockScheduler* each : static_cast<const BlockScheduler*>(block.scheduler)->blocks_together().members) {
        if (!each) continue;
        for (const ThreadContext& thread : each->threads())
            for (const Waiting& waiting : waiting_of(*each, thread))
                if (is_wait(waiting.told.event) && waiting.told.address == address && which(waiting.told))
                    return Waiter{each, &thread, waiting};
    }
    return std::nullopt;
}

std::string WaitChecks::name_of(const BlockContext& block, std::uint64_t address) const {
    std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(block.shared);
    if (launch_.knows_clusters)
        offset = (address - reinterpret_cast<std::uint64_t>(block.cluster_shared)) %
                 (std::uint64_t{1} << kClusterStrideBits);
    const ptx::Module& module = launch_.function.module.ptx;
    for (const ptx::SharedLayout::Entry& entry : launch_.function.shared.entries) {
        const ptx::Variable& v = entry.module_scope ? module.variables[entry.variable]
                                                    : module.functions[entry.function].variables[entry.variable];
        if (!v.unsized && offset - entry.offset < v.size) {
            const std::uint64_t at = offset - entry.offset;
            return at == 0 ? fmt::format("'{}'", variable_name(v.name))
                           : fmt::format("at byte {} of '{}'", at, variable_name(v.name));
        }
    }
    return fmt::format("at byte {} of shared memory", offset);
}

void WaitChecks::use(const BlockContext& block, const Told& told) {
    const Caller caller{told.linear, told.site};
    const auto tell_of = [&](const char* what, const std::string& message) {
        launch_.keep(block, caller, "", what, [&](findings::Finding& f) { describe_object(f, message); });
    };
    const auto known = objects_.find(told.address);
    const bool begins = told.event == WaitEvent::initialises;
    if (begins || told.event == WaitEvent::invalidates) {
        if (const auto waiter = waiter_at(block, told.address, [](const Told&) { return true; });
            waiter && known != objects_.end()) {
            launch_.keep(block, caller, "", "waiters", [&](findings::Finding& f) {
                f.other =
                    launch_.event_at(waiter->block->block(), {waiter->thread->linear, waiter->waiting.told.site}, "");
                f.mend = findings::Mend::object;
                const auto t = f.other->thread;
                describe_object(
                    f, fmt::format("the barrier object {} is {} while thread ({},{},{}) waits at it, at {}. {}",
                                   name_of(block, told.address), begins ? "initialised" : "invalidated", t[0], t[1],
                                   t[2], CheckedLaunch::text_of(*f.other), findings::advice_of(*f.mend)));
            });
        }
        objects_.erase(told.address);
        if (!begins) {
            if (known == objects_.end())
                tell_of("none", fmt::format("the barrier object {} is invalidated, which was never initialised.",
                                            name_of(block, told.address)));
            return;
        }
        if (told.value == 0 || told.value > kMostArrivals)
            tell_of("count", fmt::format("the barrier object {} is initialised for {} arrivals: their number must be 1 "
                                         "to {}.",
                                         name_of(block, told.address), told.value, kMostArrivals));
        objects_[told.address] = {told.value};
        return;
    }
    if (known == objects_.end()) {
        tell_of("none",
                fmt::format("the barrier object {} is used, but it was never initialised, or another thread has "
                            "not done it yet. Let one thread initialise it (init(), mbarrier.init), and all "
                            "threads meet behind that (__syncthreads(), in a cluster cluster.sync()).",
                            name_of(block, told.address)));
        return;
    }
    if (told.event == WaitEvent::arrives) arrive(block, told, known->second);
}

void WaitChecks::arrive(const BlockContext& block, const Told& told, const Object& object) {
    const ObjectState now = state_at(told.address);
    const Caller caller{told.linear, told.site};
    if (told.value > now.pending) {
        launch_.keep(block, caller, "", "arrivals", [&](findings::Finding& f) {
            describe_object(
                f,
                fmt::format("{} arrival{} at the barrier object {}, of whose {} in a phase only {} {} missing. {}",
                            told.value, told.value == 1 ? "" : "s", name_of(block, told.address), object.count,
                            now.pending, now.pending == 1 ? "is" : "are", findings::advice_of(findings::Mend::object)));
        });
        return;
    }
    if (told.value != now.pending || now.has_bytes) return;
    // The phase ends by this arrival. Who waits for the end of the one before does not see it any more.
    const auto late = waiter_at(block, told.address,
                                [&](const Told& waiter) { return may_go_on(waiter.event, waiter.value, now.phase); });
    if (!late) return;
    launch_.keep(block, caller, "", "late", [&](findings::Finding& f) {
        f.other = launch_.event_at(late->block->block(), {late->thread->linear, late->waiting.told.site}, "");
        f.mend = findings::Mend::object;
        const auto t = f.other->thread;
        describe_object(
            f, fmt::format("more threads arrive at the barrier object {} than the {} that it counts on: a phase ends "
                           "before thread ({},{},{}), which waits for the end of the one before at {}, has gone on. "
                           "{}",
                           name_of(block, told.address), object.count, t[0], t[1], t[2],
                           CheckedLaunch::text_of(*f.other), findings::advice_of(*f.mend)));
    });
}

// --- threads that wait for ever

std::vector<WaitChecks::Waiting> WaitChecks::waiting_of(const BlockScheduler& block, const ThreadContext& thread) {
    if (thread.wait != Wait::yield) return {};
    const auto known = waits_.find(&block);
    if (known == waits_.end()) return {};
    const std::vector<Waiting>& all = known->second.of_threads[thread.linear];
    if (all.empty()) return {};
    const jit::Site site = launch_.kernel.site(thread.site);
    if (site.function != all.front().function || loop_of(site) != all.front().loop) return {};
    return all;
}

std::uint64_t WaitChecks::workspace() const {
    return launch_.launch.cooperative ? std::uint64_t{launch_.launch.envreg[1]} << 32 | launch_.launch.envreg[2] : 0;
}

bool WaitChecks::is_shared(const BlockScheduler& block, std::uint64_t address) const {
    const BlockContext& at = block.block();
    if (address - reinterpret_cast<std::uint64_t>(at.shared) < shared_bytes_) return true;
    const std::uint64_t reach = std::uint64_t{launch_.launch.cluster_blocks} << kClusterStrideBits;
    return launch_.launch.cluster_blocks > 1 && address - reinterpret_cast<std::uint64_t>(at.cluster_shared) < reach;
}

WaitChecks::Of WaitChecks::awaited_of(const BlockScheduler& block) {
    Of of = Of::cluster;
    const std::uint64_t grid = workspace();
    for (const ThreadContext& thread : block.threads()) {
        switch (thread.wait) {
        case Wait::done:
        case Wait::barrier:
        case Wait::warp:
        case Wait::cluster: continue;
        case Wait::yield: break;
        default: return Of::nothing;
        }
        const std::vector<Waiting> all = waiting_of(block, thread);
        if (all.empty()) return Of::nothing;
        for (const Waiting& each : all) {
            if (is_shared(block, each.told.address)) continue;
            if (!grid || each.told.address - grid >= sizeof(std::uint64_t)) return Of::nothing;
            of = Of::grid;
        }
    }
    return of;
}

bool WaitChecks::waits_for_ever(const BlockScheduler& block) {
    const std::scoped_lock lock(mutex_);
    const ClusterOfBlocks& cluster = block.blocks_together();
    std::uint64_t progress = 0;
    std::size_t blocks = 0;
    for (const BlockScheduler* each : cluster.members) {
        if (!each) continue;
        if (awaited_of(*each) != Of::cluster) return false;
        ++blocks;
        if (const auto waits = waits_.find(each); waits != waits_.end()) progress += waits->second.progress;
    }
    Quiet& quiet = quiet_[&cluster];
    if (std::exchange(quiet.progress, progress) != progress) quiet.turns = 0;
    return ++quiet.turns > 2 * blocks + 1;
}

bool WaitChecks::wait_for_ever(std::span<const BlockScheduler* const> blocks) {
    const std::scoped_lock lock(mutex_);
    std::uint64_t progress = 0;
    for (const BlockScheduler* each : blocks) {
        if (awaited_of(*each) == Of::nothing) return false;
        if (const auto waits = waits_.find(each); waits != waits_.end()) progress += waits->second.progress;
    }
    if (std::exchange(all_quiet_.progress, progress) != progress) all_quiet_.turns = 0;
    return ++all_quiet_.turns > 3;
}

std::uint32_t WaitChecks::site_of(const BlockScheduler& block, const ThreadContext& thread) {
    const std::scoped_lock lock(mutex_);
    const std::vector<Waiting> all = waiting_of(block, thread);
    return all.empty() ? thread.site : all.front().told.site;
}

bool WaitChecks::waits_for_grid(const BlockScheduler& block, const ThreadContext& thread) {
    const std::scoped_lock lock(mutex_);
    const std::vector<Waiting> all = waiting_of(block, thread);
    return !all.empty() && !is_shared(block, all.front().told.address);
}

std::uint64_t WaitChecks::ended_blocks() {
    const std::scoped_lock lock(mutex_);
    return ended_;
}

std::string WaitChecks::text_of(const BlockScheduler& block, const ThreadContext& thread) {
    const std::scoped_lock lock(mutex_);
    const std::vector<Waiting> all = waiting_of(block, thread);
    if (all.empty()) return {};
    const Told& told = all.front().told;
    if (is_wait(told.event)) {
        const auto object = objects_.find(told.address);
        if (object == objects_.end()) return "at a barrier object " + name_of(block.block(), told.address);
        const ObjectState now = state_at(told.address);
        return fmt::format("at the barrier object {}, which counts on {} arrival{}, of which {} {} missing{}",
                           name_of(block.block(), told.address), object->second.count,
                           object->second.count == 1 ? "" : "s", now.pending, now.pending == 1 ? "is" : "are",
                           now.has_bytes ? ", and bytes of copies" : "");
    }
    if (!is_shared(block, told.address)) return "at the barrier of the grid";
    return "for memory " + name_of(block.block(), told.address);
}

} // namespace warplight::software
