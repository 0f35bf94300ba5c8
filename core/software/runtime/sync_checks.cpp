// SPDX-License-Identifier: Apache-2.0
#include "sync_checks.hpp"

#include "report.hpp"
#include "software/ptx/bypass.hpp"
#include "warp_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace warplight::software {
namespace {

void add(findings::Finding& f, std::string message, const char* severity = "error") {
    f.kind = findings::name_of(findings::Check::sync);
    f.severity = severity;
    f.message = std::move(message);
}

bool has_ended(const ThreadContext& t) { return t.wait == Wait::done; }

std::string thread_text(const BlockScheduler& block, std::uint32_t linear) {
    const auto t = thread_index(*block.block().launch, linear);
    return fmt::format("thread ({},{},{})", t[0], t[1], t[2]);
}

/// "lanes 0 to 3 and 17"
std::string lanes_text(std::uint32_t lanes) {
    std::string text = std::popcount(lanes) == 1 ? "lane " : "lanes ";
    const char* between = "";
    while (lanes) {
        const int first = std::countr_zero(lanes);
        const int count = std::countr_one(lanes >> first);
        text += fmt::format("{}{}", between, first);
        if (count > 1) text += fmt::format("{}{}", count == 2 ? " and " : " to ", first + count - 1);
        between = ", ";
        lanes &= first + count == 32 ? 0U : ~0U << (first + count);
    }
    return text;
}

/// Of a warp, as many bits as it has threads.
std::uint32_t lanes_that_are(const BlockScheduler& block, std::uint32_t warp) {
    const auto left = block.threads().size() - std::size_t{warp} * kWarpSize;
    return left >= kWarpSize ? ~0U : (1U << left) - 1;
}

} // namespace

void SyncChecks::comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                                  std::uint32_t needed_by_others) {
    const std::uint32_t needed = thread.b;
    const Caller caller{thread.linear, thread.site};
    if (needed % kWarpSize != 0)
        launch_.keep(block.block(), caller, "", "count", [&](findings::Finding& f) {
            add(f, fmt::format("a barrier of {} threads. Their number must be a multiple of {}, for warps come to a "
                               "barrier as a whole.",
                               needed, kWarpSize));
        });
    // A number that only the last, partial warp falls short of is the whole block.
    const auto threads = static_cast<std::uint32_t>(block.threads().size());
    const std::uint32_t whole_warps = (threads + kWarpSize - 1) / kWarpSize * kWarpSize;
    const auto plain = [&](std::uint32_t n) { return n >= threads && n <= whole_warps ? 0 : n; };
    if (plain(needed_by_others) != plain(needed))
        launch_.keep(block.block(), caller, "", "other count", [&](findings::Finding& f) {
            const auto count = [](std::uint32_t n) { return n ? fmt::format("{} threads", n) : "the whole block"; };
            add(f, fmt::format("barrier {} of {}, at which others wait as one of {}. All that meet at a barrier must "
                               "give it the same number of threads.",
                               thread.mask & 15, count(needed), count(needed_by_others)));
        });
}

void SyncChecks::opens_barrier(const BlockScheduler& block, std::uint32_t, std::span<const std::uint32_t> waiting) {
    const std::vector<ThreadContext>& threads = block.threads();
    const ThreadContext* first = nullptr;
    std::optional<findings::Event> first_event;
    std::set<std::uint32_t> same; ///< sites
    const std::uint32_t width = launch_.kernel.width();
    for (std::size_t k = 0; k < threads.size(); ++k) {
        const ThreadContext& t = threads[k];
        if (!(waiting[k / kWarpSize] >> k % kWarpSize & 1)) continue;
        if (t.b != 0) return; // of some threads: producers and consumers come from different places
        if (!first) {
            first = &t;
            same.insert(t.site);
        }
        if (same.contains(t.site)) continue;
        if (!first_event) first_event = launch_.event_at(block.block(), {first->linear, first->site}, "");
        const findings::Event here = launch_.event_at(block.block(), {t.linear, t.site}, "");
        if (CheckedLaunch::text_of(here) == CheckedLaunch::text_of(*first_event)) {
            same.insert(t.site);
            continue;
        }
        for (std::uint32_t lane = 0; lane < width; ++lane)
            launch_.keep(block.block(), {t.linear + lane, t.site}, "", "place", [&](findings::Finding& f) {
                f.other = first_event;
                f.mend = findings::Mend::one_barrier;
                add(f, fmt::format("a barrier of the whole block in a branch that not all of it takes: {} waits here "
                                   "while {} waits at {}. {}",
                                   thread_text(block, t.linear + lane), thread_text(block, first->linear),
                                   CheckedLaunch::text_of(*first_event), findings::advice_of(*f.mend)));
            });
    }
    if (!first) return;
    const auto ended = std::find_if(threads.begin(), threads.end(), has_ended);
    if (ended == threads.end() || !is_bypassed(first->site)) return;
    launch_.keep(block.block(), {first->linear, first->site}, "", "ended", [&](findings::Finding& f) {
        const auto count = width * static_cast<std::uint32_t>(std::count_if(threads.begin(), threads.end(), has_ended));
        add(f,
            fmt::format("a barrier of the whole block, to which {} of {} threads never come: they have passed by and "
                        "ended, {} is "
                        "the first. Let all threads come to each barrier, and guard what lies between instead (if (i "
                        "< n)).",
                        count, width * threads.size(), thread_text(block, ended->linear)));
    });
}

bool SyncChecks::is_bypassed(std::uint32_t site) {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = bypassed_.try_emplace(site, false);
    if (is_new) {
        const jit::Site at = launch_.kernel.site(site);
        const auto& functions = launch_.function.module.ptx.functions;
        known->second = at.function < functions.size() && ptx::is_bypassed(functions[at.function], at.instruction);
    }
    return known->second;
}

void SyncChecks::performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t live) {
    look_at_places(block, warp, members);
    for (std::uint32_t rest = members; rest; rest &= rest - 1)
        look_at_lane(block, warp, static_cast<std::uint32_t>(std::countr_zero(rest)), members, live);
}

/// Lanes that have gone past an operation meet those in it at their next one. That is no mistake of __syncwarp(), which
/// two branches may have for each other.
void SyncChecks::look_at_places(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members) {
    const ThreadContext* const lanes = block.threads().data() + std::size_t{warp} * kWarpSize;
    const auto operation = static_cast<WarpOperation>(lanes[std::countr_zero(members)].operation);
    if (operation == WarpOperation::sync || operation == WarpOperation::activemask) return;
    const ThreadContext* first = nullptr; // by the place in the code
    const ThreadContext* last = nullptr;
    for (std::uint32_t rest = members; rest; rest &= rest - 1) {
        const ThreadContext& t = lanes[std::countr_zero(rest)];
        if (!first || t.site < first->site) first = &t;
        if (!last || t.site > last->site) last = &t;
    }
    if (first->site == last->site || is_one_place(first->site, last->site)) return;
    const findings::Event other = launch_.event_at(block.block(), {last->linear, last->site}, "");
    launch_.keep(block.block(), {first->linear, first->site}, "", "parted", [&](findings::Finding& f) {
        f.other = other;
        f.mend = findings::Mend::all_come;
        add(f,
            fmt::format("lanes of one operation (mask 0x{:08x}) are at different places: {} is here while {} is at {}. "
                        "What they get is undefined. {}",
                        first->mask, thread_text(block, first->linear), thread_text(block, last->linear),
                        CheckedLaunch::text_of(other), findings::advice_of(*f.mend)),
            "warning");
    });
}

/// In the source: of a loop that was unrolled there are several instructions.
bool SyncChecks::is_one_place(std::uint32_t one, std::uint32_t other) {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = one_place_.try_emplace({one, other}, false);
    if (is_new) {
        const auto text_at = [&](std::uint32_t site) {
            const BlockContext none{};
            return CheckedLaunch::text_of(launch_.event_at(none, {0, site}, ""));
        };
        known->second = text_at(one) == text_at(other);
    }
    return known->second;
}

void SyncChecks::look_at_lane(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lane,
                              std::uint32_t members, std::uint32_t live) {
    const ThreadContext& t = block.threads()[std::size_t{warp} * kWarpSize + lane];
    const auto operation = static_cast<WarpOperation>(t.operation);
    if (operation == WarpOperation::activemask) return;
    const Caller caller{t.linear, t.site};
    if (!(t.mask >> lane & 1)) {
        launch_.keep(block.block(), caller, "", "caller", [&](findings::Finding& f) {
            add(f,
                fmt::format("the mask 0x{:08x} does not name lane {}, which calls. Each lane that calls must be in the "
                            "mask: take 0xffffffff where the whole warp comes, or __ballot_sync() before the branch.",
                            t.mask, lane));
        });
        return;
    }
    const std::uint32_t ended = t.mask & lanes_that_are(block, warp) & ~live;
    if (const auto from = shuffle_source(t, lane); from && !(members >> *from & 1)) {
        launch_.keep(block.block(), caller, "", "source", [&](findings::Finding& f) {
            const bool is_there = lanes_that_are(block, warp) >> *from & 1;
            const char* why = !is_there                ? "which the block does not have"
                              : ended >> *from & 1     ? "which has ended"
                              : !(t.mask >> *from & 1) ? "which the mask does not name"
                                                       : "which takes no part";
            add(f,
                fmt::format("a shuffle from lane {} (mask 0x{:08x}), {}: what lane {} gets is undefined. Shuffle only "
                            "from lanes that take part, with their values set to what changes nothing.",
                            *from, t.mask, why, lane));
        });
        return;
    }
    if (!ended) return;
    launch_.keep(block.block(), caller, "", "ended", [&](findings::Finding& f) {
        add(f,
            fmt::format("the mask 0x{:08x} names {}, which ended before. Let them come here too, or take the mask of "
                        "those that do (__ballot_sync() before the branch).",
                        t.mask, lanes_text(ended)),
            "warning");
    });
}

// --- the barrier of a cluster

void SyncChecks::arrives_in_cluster(const BlockScheduler& block, const ThreadContext& thread) {
    if (thread.cluster_phase == 0) return;
    launch_.keep(block.block(), {thread.linear, thread.site}, "", "cluster again", [&](findings::Finding& f) {
        add(f, "a thread arrives at the cluster's barrier for a second time, and has not waited since the first. Each "
               "arrival needs a wait of its own: cluster.barrier_arrive(), then cluster.barrier_wait(), or "
               "cluster.sync() for both.");
    });
}

void SyncChecks::waits_in_cluster(const BlockScheduler& block, const ThreadContext& thread) {
    if (thread.cluster_phase != 0) return;
    launch_.keep(block.block(), {thread.linear, thread.site}, "", "cluster wait", [&](findings::Finding& f) {
        add(f, "a thread waits at the cluster's barrier and has not arrived there: it waits for nobody. Call "
               "cluster.barrier_arrive() before cluster.barrier_wait(), or cluster.sync() for both.");
    });
}

void SyncChecks::opens_cluster(const ClusterOfBlocks& cluster) {
    Absent first_waiting, first_ended;
    std::size_t ended = 0, threads = 0;
    for (const BlockScheduler* block : cluster.members) {
        if (!block) continue;
        for (const ThreadContext& t : block->threads()) {
            ++threads;
            ended += has_ended(t);
            Absent& first = has_ended(t) ? first_ended : first_waiting;
            if (!first.thread && (has_ended(t) || t.cluster_phase == cluster.phase)) first = {block, &t};
        }
    }
    const std::size_t gone =
        cluster.members.size() - static_cast<std::size_t>(std::count_if(cluster.members.begin(), cluster.members.end(),
                                                                        [](const BlockScheduler* b) { return b; }));
    if (!first_waiting.thread || (!first_ended.thread && gone == 0)) return;
    if (!is_bypassed(first_waiting.thread->site)) return;
    const std::size_t of_block = launch_.launch.block_threads;
    launch_.keep(first_waiting.block->block(), {first_waiting.thread->linear, first_waiting.thread->site}, "",
                 "cluster ended", [&](findings::Finding& f) {
                     add(f, fmt::format("a barrier of the cluster, to which {} of {} threads never come: they have "
                                        "passed by and ended. Let all threads of all blocks of the cluster come to "
                                        "each cluster.sync().",
                                        ended + gone * of_block, threads + gone * of_block));
                 });
}

// --- deadlocks

SyncChecks::Absent SyncChecks::absent_of(const BlockScheduler& block, const ThreadContext& t) {
    // Somebody who waits elsewhere, else somebody who has ended.
    const std::uint32_t first_of_warp = t.linear / kWarpSize * kWarpSize;
    Absent absent;
    const auto look = [&](const BlockScheduler& there) {
        for (const ThreadContext& other : there.threads()) {
            const bool meant = t.wait != Wait::warp ||
                               (other.linear - first_of_warp < kWarpSize && (t.mask >> other.linear % kWarpSize & 1));
            const bool alike = t.wait == Wait::cluster || t.wait == Wait::yield
                                   ? other.wait == t.wait
                                   : other.wait == t.wait && other.operation == t.operation && other.mask == t.mask;
            if (!meant || alike || (absent.thread && !has_ended(*absent.thread))) continue;
            if (!absent.thread || !has_ended(other)) absent = {&there, &other};
        }
    };
    const bool of_cluster = t.wait == Wait::cluster || t.wait == Wait::yield;
    if (!of_cluster) {
        look(block);
        return absent;
    }
    for (const BlockScheduler* each : block.blocks_together().members)
        if (each) look(*each);
    return absent;
}

std::string SyncChecks::awaited(const BlockScheduler& block, const ThreadContext& t) {
    switch (t.wait) {
    case Wait::barrier: return fmt::format("at barrier {}", t.mask & 15);
    case Wait::warp: return fmt::format("for the lanes of the mask 0x{:08x}", t.mask);
    case Wait::cluster: return "at the barrier of the cluster";
    case Wait::yield: return waits_.text_of(block, t);
    default: return {};
    }
}

void SyncChecks::is_stuck(const BlockScheduler& block) {
    std::set<std::uint32_t> told;
    for (const ThreadContext& t : block.threads()) {
        const std::string whom = awaited(block, t);
        if (whom.empty() || !told.insert(t.site).second) continue;
        const std::uint32_t site = waits_.site_of(block, t);
        const bool for_grid = waits_.waits_for_grid(block, t);
        const Absent absent = for_grid ? Absent() : absent_of(block, t);
        launch_.keep(block.block(), {t.linear, site}, "", "stuck", [&](findings::Finding& f) {
            std::string why = "others do not come";
            if (const std::uint64_t ended = waits_.ended_blocks(); for_grid && ended > 0)
                why = fmt::format("{} block{} ended and never come{}", ended, ended == 1 ? " has" : "s have",
                                  ended == 1 ? "s" : "");
            const auto who = [&] {
                const std::string thread = thread_text(*absent.block, absent.thread->linear);
                const BlockContext& at = absent.block->block();
                return absent.block == &block
                           ? thread
                           : fmt::format("{} of block ({},{},{})", thread, at.ctaid[0], at.ctaid[1], at.ctaid[2]);
            };
            if (absent.thread && has_ended(*absent.thread)) why = who() + " has ended";
            if (absent.thread && !has_ended(*absent.thread)) {
                const std::uint32_t there = waits_.site_of(*absent.block, *absent.thread);
                f.other = launch_.event_at(absent.block->block(), {absent.thread->linear, there}, "");
                why = fmt::format("{} waits at {}", who(), CheckedLaunch::text_of(*f.other));
            }
            f.mend = findings::Mend::all_come;
            add(f, fmt::format("a deadlock: this thread waits {} for ever, and {}. {}", whom, why,
                               findings::advice_of(*f.mend)));
        });
    }
}

} // namespace warplight::software
