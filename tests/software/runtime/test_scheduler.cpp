// SPDX-License-Identifier: Apache-2.0
// The block scheduler, driven by hand-written coroutines, and the operations of a warp.
#include "software/runtime/block_ranges.hpp"
#include "software/runtime/block_scheduler.hpp"
#include "software/runtime/trap.hpp"
#include "software/runtime/warp_operations.hpp"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

using namespace warplight::software;

namespace {

/// A thread of a test: called again and again with the number of the call; what it sets in `wait` is what it waits for.
using Step = std::function<void(ThreadContext&, int)>;
Step step;

struct Frame {
    void (*resume)(void*);
    void (*destroy)(void*);
    ThreadContext* thread;
    int calls;
};

void resume(void* handle) {
    auto* frame = static_cast<Frame*>(handle);
    step(*frame->thread, frame->calls++);
}

void* start(ThreadContext* thread) {
    return new (wl_rt_frame_alloc(thread->block, sizeof(Frame))) Frame{resume, nullptr, thread, 0};
}

int rounds = 0;
bool tells = true; ///< rounds tell that all threads wait for the same

/// As generated code does it.
RoundEnd go_round(void* first, void* last, std::uint64_t stride, RoundControl* control) {
    ++rounds;
    bool same = true;
    for (auto* at = static_cast<std::byte*>(first);; at += stride, ++control->current) {
        resume(at);
        const auto asked = [](void* frame) {
            const ThreadContext& t = *static_cast<Frame*>(frame)->thread;
            return std::tuple(t.wait, t.operation, t.mask, t.b);
        };
        same &= asked(at) == asked(first);
        if (at == last) return tells && same ? RoundEnd::alike : RoundEnd::apart;
    }
}

int calls_of_rounds = 0;

/// One round after the other, as long as all come to one barrier.
RoundEnd go_rounds(void* first, void* last, std::uint64_t stride, RoundControl* control) {
    ++calls_of_rounds;
    if (std::exchange(control->begins, 0U) == 1)
        for (auto* at = static_cast<std::byte*>(first);; at += stride) {
            reinterpret_cast<Frame*>(at)->calls = 0;
            if (at == last) break;
        }
    for (;;) {
        control->current = 0;
        const RoundEnd end = go_round(first, last, stride, control);
        if (end == RoundEnd::apart || control->rounds == 0) return end;
        const Wait wait = static_cast<Frame*>(first)->thread->wait;
        if (wait == Wait::done) {
            if (control->blocks == 0) return RoundEnd::done;
            --control->blocks;
            ++control->block->ctaid[0];
            for (auto* at = static_cast<std::byte*>(first);; at += stride) {
                reinterpret_cast<Frame*>(at)->calls = 0;
                if (at == last) break;
            }
            continue;
        }
        if (wait != Wait::barrier || control->stop->load()) return end;
        --control->rounds;
    }
}

int starts_counted = 0;

void* start_and_count(ThreadContext* thread) {
    ++starts_counted;
    return start(thread);
}

/// Frames of different sizes.
void* start_unevenly(ThreadContext* thread) {
    const std::size_t size = sizeof(Frame) + (thread->linear % 3 == 0 ? 4096 : 0);
    return new (wl_rt_frame_alloc(thread->block, size)) Frame{resume, nullptr, thread, 0};
}

LaunchContext launch_of(std::uint32_t threads) {
    LaunchContext launch{};
    launch.ntid[0] = threads;
    launch.ntid[1] = launch.ntid[2] = 1;
    launch.nctaid[0] = launch.nctaid[1] = launch.nctaid[2] = 1;
    launch.block_threads = threads;
    return launch;
}

void barrier(ThreadContext& t, std::uint32_t number, std::uint32_t count = 0,
             BarrierOperation operation = BarrierOperation::sync, std::uint64_t value = 0) {
    t.wait = Wait::barrier;
    t.mask = number;
    t.b = count;
    t.operation = static_cast<std::uint32_t>(operation);
    t.value = value;
}

void warp(ThreadContext& t, WarpOperation operation, std::uint32_t mask, std::uint64_t value, std::uint32_t site = 0) {
    t.wait = Wait::warp;
    t.operation = static_cast<std::uint32_t>(operation);
    t.mask = mask;
    t.value = value;
    t.site = site;
}

BlockScheduler::Turn run(std::uint32_t threads, Step body, int turns = 1, BlockScheduler::StartThread starts = start) {
    rounds = 0;
    step = std::move(body);
    const LaunchContext launch = launch_of(threads);
    BlockScheduler block;
    block.begin(launch, starts, go_round, nullptr, 0, 0);
    auto turn = BlockScheduler::Turn::working;
    for (int i = 0; i < turns; ++i) {
        turn = block.turn();
        if (turn == BlockScheduler::Turn::finished) break;
    }
    return turn;
}

} // namespace

class SchedulerTest : public QObject {
    Q_OBJECT
private slots:
    /// Whoever takes them, and however many take at once.
    void everyBlockIsTakenOnce() {
        for (const unsigned workers : {1U, 2U, 3U, 7U, 16U})
            for (const std::uint64_t blocks : {1U, 2U, 6U, 100U, 1001U})
                for (const std::uint64_t at_once : {1U, 4U, 33U}) {
                    BlockRanges ranges(blocks, workers, at_once, std::max<std::uint64_t>(at_once / 16, 1));
                    std::vector<std::atomic<int>> taken(blocks);
                    std::vector<std::thread> threads;
                    for (unsigned worker = 0; worker < workers; ++worker)
                        threads.emplace_back([&, worker] {
                            while (const auto range = ranges.take(worker))
                                for (std::uint64_t block = range->begin; block < range->end; ++block)
                                    ++taken.at(block);
                        });
                    for (std::thread& thread : threads)
                        thread.join();
                    QVERIFY(std::all_of(taken.begin(), taken.end(), [](const auto& times) { return times == 1; }));
                }
    }
    void ofOneRangeBlocksAreTakenInOrder() {
        BlockRanges ranges(100, 1, 16, 1);
        std::uint64_t next = 0, last = 16;
        for (unsigned worker = 0; const auto range = ranges.take(worker % 4); ++worker) {
            QCOMPARE(range->begin, next);
            const std::uint64_t count = range->end - range->begin;
            QVERIFY(count > 0);
            QVERIFY(count <= last); // less and less
            if (next == 0) QCOMPARE(count, std::uint64_t{16});
            next = range->end;
            last = count;
        }
        QCOMPARE(next, std::uint64_t{100});
        QCOMPARE(last, std::uint64_t{1});
        QVERIFY(!ranges.take(0));
    }
    /// Both halves stay in order: the thief goes on in its half as in a range of its own.
    void aWorkerWithoutBlocksTakesTheBackHalfOfANeighbours() {
        BlockRanges ranges(64, 4, 4, 1);
        std::vector<std::uint64_t> taken;
        for (int k = 0; k < 64; ++k) {
            const auto range = ranges.take(1);
            QVERIFY(range);
            for (std::uint64_t block = range->begin; block < range->end; ++block)
                taken.push_back(block);
            if (taken.size() >= 20) break;
        }
        const std::vector<std::uint64_t> first(taken.begin(), taken.begin() + 20);
        std::vector<std::uint64_t> expected;
        for (std::uint64_t block = 16; block < 32; ++block)
            expected.push_back(block); // its own
        for (std::uint64_t block = 40; block < 44; ++block)
            expected.push_back(block); // of the one behind it, from the middle
        QCOMPARE(first, expected);
        const auto others = ranges.take(2);
        QVERIFY(others && others->begin == 32); // which goes on where it was
    }
    void workersOfTheSameGroupComeFirst() {
        BlockRanges ranges(64, 4, 16, 16);
        for (const unsigned worker : {0U, 2U})
            ranges.set_group(worker, 1);
        for (const unsigned worker : {1U, 3U})
            ranges.set_group(worker, 2);
        std::vector<std::uint64_t> begins;
        while (const auto range = ranges.take(0))
            begins.push_back(range->begin);
        QCOMPARE(begins, (std::vector<std::uint64_t>{0, 32, 16, 48}));
        QVERIFY(ranges.is_empty());
    }
    void gridsMayHaveMoreBlocksThanAWordCounts() {
        const std::uint64_t blocks = (std::uint64_t{1} << 33) + 5;
        BlockRanges ranges(blocks, 2, std::uint64_t{1} << 30, std::uint64_t{1} << 28);
        std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
        while (const auto range = ranges.take(static_cast<unsigned>(taken.size() % 2)))
            taken.emplace_back(range->begin, range->end);
        std::sort(taken.begin(), taken.end());
        std::uint64_t next = 0;
        for (const auto& [begin, end] : taken) {
            QCOMPARE(begin, next);
            QVERIFY(end > begin);
            next = end;
        }
        QCOMPARE(next, blocks);
    }
    void aloneAWorkerTakesAll() {
        BlockRanges ranges(256, 1, 256, 256);
        const auto range = ranges.take(0);
        QVERIFY(range && range->begin == 0 && range->end == 256);
        QVERIFY(!ranges.take(0));
    }

    void everyThreadRunsOnce() {
        std::vector<int> calls(100);
        QCOMPARE(run(100,
                     [&](ThreadContext& t, int) {
                         ++calls[t.linear];
                         t.wait = Wait::done;
                     }),
                 BlockScheduler::Turn::finished);
        QVERIFY(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 1; }));
    }

    void threadsThatMeetGoOnInRounds() {
        for (const auto& [evenly, told] : {std::pair(true, true), {true, false}, {false, false}}) {
            tells = told;
            std::vector<int> calls(70);
            bool known = true;
            const BlockScheduler* scheduler = nullptr;
            const auto body = [&](ThreadContext& t, int call) {
                ++calls[t.linear];
                scheduler = static_cast<const BlockScheduler*>(t.block->scheduler);
                known &= scheduler->current() == t.linear;
                if (call < 7)
                    barrier(t, 3);
                else
                    t.wait = Wait::done;
            };
            QCOMPARE(run(70, body, 1, evenly ? start : start_unevenly), BlockScheduler::Turn::finished);
            QVERIFY(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 8; }));
            QVERIFY(known);
            QCOMPARE(rounds, evenly ? 8 : 0);
        }
        tells = true;
    }

    void roundsFollowEachOtherAndFramesServeTheNextBlock() {
        constexpr std::uint32_t threads = 70;
        constexpr int barriers = 600; // more than follow at once
        std::vector<int> calls(threads);
        std::uint64_t blocks_seen = 0;
        step = [&](ThreadContext& t, int call) {
            ++calls[t.linear];
            blocks_seen |= std::uint64_t{1} << t.block->ctaid[0];
            if (call < barriers)
                barrier(t, 0);
            else
                t.wait = Wait::done;
        };
        LaunchContext launch = launch_of(threads);
        launch.nctaid[0] = 4;
        BlockScheduler block;
        starts_counted = calls_of_rounds = 0;
        const auto run_block = [&](std::uint64_t number) {
            block.begin(launch, start_and_count, go_rounds, nullptr, number, 0);
            auto turn = block.turn();
            while (turn == BlockScheduler::Turn::working)
                turn = block.turn();
            return turn;
        };
        for (std::uint64_t number = 0; number < 3; ++number)
            QCOMPARE(run_block(number), BlockScheduler::Turn::finished);
        QVERIFY(std::all_of(calls.begin(), calls.end(), [](int n) { return n == 3 * (barriers + 1); }));
        QCOMPARE(blocks_seen, std::uint64_t{7});
        QCOMPARE(starts_counted, static_cast<int>(threads));
        QVERIFY(calls_of_rounds < 3 * 10);
        // A round goes on to the blocks that follow, up to the end of their row in the grid.
        blocks_seen = 0;
        calls_of_rounds = 0;
        step = [&](ThreadContext& t, int call) {
            blocks_seen |= std::uint64_t{1} << (4 * t.block->ctaid[1] + t.block->ctaid[0]);
            call == 0 ? barrier(t, 0) : static_cast<void>(t.wait = Wait::done);
        };
        launch.nctaid[1] = 2;
        block.following = 6;
        QCOMPARE(run_block(1), BlockScheduler::Turn::finished);
        QCOMPARE(blocks_seen, std::uint64_t{0b1110});
        QCOMPARE(calls_of_rounds, 1);
        QCOMPARE(block.following, std::uint64_t{4});
        QCOMPARE(block.number(), std::uint64_t{3});
        QVERIFY(block.is_as_new());
        block.begin_another(4);
        QCOMPARE(block.turn(), BlockScheduler::Turn::finished);
        QCOMPARE(blocks_seen, std::uint64_t{0b11111110});
        QCOMPARE(block.number(), std::uint64_t{7});
        QCOMPARE(starts_counted, static_cast<int>(threads));
        block.following = 0;
        // A block of another shape has threads of its own.
        launch.ntid[0] = threads / 2;
        launch.ntid[1] = 2;
        QCOMPARE(run_block(3), BlockScheduler::Turn::finished);
        QCOMPARE(starts_counted, static_cast<int>(2 * threads));
        // Where one thread arrives and goes on, the scheduler counts.
        step = [&](ThreadContext& t, int call) {
            if (call == 0 && t.linear == 0) {
                t.mask = 1;
                t.b = 0;
                t.operation = static_cast<std::uint32_t>(BarrierOperation::arrive);
                wl_rt_barrier_arrive(&t);
            }
            if (call == 0)
                barrier(t, 1);
            else
                t.wait = Wait::done;
        };
        calls_of_rounds = 0;
        (void)run_block(0);
        QCOMPARE(calls_of_rounds, 1);
    }

    void nobodyPassesABarrierEarly() {
        std::vector<int> before(96);
        bool early = false;
        QCOMPARE(run(96,
                     [&](ThreadContext& t, int call) {
                         if (call < 10) {
                             early |= std::any_of(before.begin(), before.end(), [&](int n) { return n < call; });
                             before[t.linear] = call + 1;
                             barrier(t, 0);
                         } else {
                             t.wait = Wait::done;
                         }
                     }),
                 BlockScheduler::Turn::finished);
        QVERIFY(!early);
    }

    void exitedThreadsCountAsArrived() {
        QCOMPARE(run(64,
                     [](ThreadContext& t, int call) {
                         if (t.linear % 3 == 0 || call == 1)
                             t.wait = Wait::done;
                         else
                             barrier(t, 3);
                     }),
                 BlockScheduler::Turn::finished);
    }

    void barrierReductions() {
        std::vector<std::uint64_t> popc(70), all(70), any(70);
        run(70, [&](ThreadContext& t, int call) {
            const std::uint64_t predicate = t.linear % 7 == 0;
            switch (call) {
            case 0: barrier(t, 0, 0, BarrierOperation::reduce_popc, predicate); return;
            case 1:
                popc[t.linear] = t.result;
                barrier(t, 0, 0, BarrierOperation::reduce_and, 1);
                return;
            case 2:
                all[t.linear] = t.result;
                barrier(t, 0, 0, BarrierOperation::reduce_or, predicate);
                return;
            default: any[t.linear] = t.result; t.wait = Wait::done;
            }
        });
        QVERIFY(std::all_of(popc.begin(), popc.end(), [](auto n) { return n == 10; }));
        QVERIFY(std::all_of(all.begin(), all.end(), [](auto n) { return n == 1; }));
        QVERIFY(std::all_of(any.begin(), any.end(), [](auto n) { return n == 1; }));
    }

    void producersArriveAndConsumersWait() {
        // Warp 0 arrives, warp 1 waits; then the other way round.
        int produced = 0;
        bool ordered = true;
        QCOMPARE(run(64,
                     [&](ThreadContext& t, int) {
                         if (t.linear < 32) {
                             ++produced;
                             barrier(t, 1, 64, BarrierOperation::arrive);
                             t.wait = Wait::done;
                             wl_rt_barrier_arrive(&t);
                         } else if (t.wait = Wait::done; t.site == 0) {
                             t.site = 1;
                             barrier(t, 1, 64);
                         } else {
                             ordered &= produced == 32;
                         }
                     }),
                 BlockScheduler::Turn::finished);
        QVERIFY(ordered);
    }

    void aBarrierNobodyFillsIsADeadlock() {
        QCOMPARE(run(32,
                     [](ThreadContext& t, int) {
                         if (t.linear < 16)
                             barrier(t, 1, 64);
                         else
                             t.wait = Wait::done;
                     }),
                 BlockScheduler::Turn::stuck);
    }

    void lanesOfAMaskWaitForEachOther() {
        // Lane 5 comes late to its warp operation: it yields first.
        std::uint64_t ballot = 0;
        QCOMPARE(run(
                     32,
                     [&](ThreadContext& t, int call) {
                         const int at = t.linear == 5 ? call - 3 : call;
                         if (at < 0)
                             t.wait = Wait::yield;
                         else if (at == 0)
                             warp(t, WarpOperation::vote_ballot, 0xFF, t.linear & 1);
                         else {
                             ballot = t.result;
                             t.wait = Wait::done;
                         }
                         if (t.linear >= 8) t.wait = Wait::done;
                     },
                     100),
                 BlockScheduler::Turn::finished);
        QCOMPARE(ballot, std::uint64_t{0xAA});
    }

    void activeMaskTellsLanesOfOneSite() {
        std::vector<std::uint64_t> mask(32);
        run(32, [&](ThreadContext& t, int call) {
            if (call == 0) {
                warp(t, WarpOperation::activemask, 0, 0, t.linear < 12 ? 7 : 3);
            } else {
                mask[t.linear] = t.result;
                t.wait = Wait::done;
            }
        });
        for (std::uint32_t i = 0; i < 32; ++i)
            QCOMPARE(mask[i], std::uint64_t{i < 12 ? 0x00000FFFU : 0xFFFFF000U});
    }

    void spinningOnANeighbourEnds() {
        bool flag = false;
        QCOMPARE(run(
                     64,
                     [&](ThreadContext& t, int call) {
                         if (t.linear == 63 && call == 5) flag = true;
                         t.wait = flag ? Wait::done : Wait::yield;
                     },
                     1000),
                 BlockScheduler::Turn::finished);
    }

    void onlyYieldingIsIdle() {
        QCOMPARE(run(40, [](ThreadContext& t, int) { t.wait = Wait::yield; }), BlockScheduler::Turn::idle);
    }

    void shufflesFollowTheIsa() {
        std::mt19937 random(1);
        for (int round = 0; round < 2000; ++round) {
            ThreadContext lanes[32]{};
            const auto operation =
                static_cast<WarpOperation>(static_cast<unsigned>(WarpOperation::shuffle_up) + random() % 4);
            const std::uint32_t segments = 32 - (1U << random() % 6); // 31-… as __shfl_sync makes it
            const std::uint32_t c = (segments & 31) << 8 | (operation == WarpOperation::shuffle_up ? 0 : 31);
            const std::uint32_t members = round % 2 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(random()) | 1;
            for (auto& t : lanes) {
                t.operation = static_cast<std::uint32_t>(operation);
                t.value = random();
                t.b = static_cast<std::uint32_t>(random() % 32);
                t.c = c;
            }
            perform(operation, lanes, members);
            for (std::uint32_t i = 0; i < 32; ++i) {
                if (!(members >> i & 1)) continue;
                // The same, as CUDA's guide says it: within segments of `width` lanes.
                const int width = static_cast<int>(32 - (segments & 31));
                const int self = static_cast<int>(i) % width;
                const int base = static_cast<int>(i) - self;
                const int b = static_cast<int>(lanes[i].b);
                int from = 0;
                bool valid = false;
                switch (operation) {
                case WarpOperation::shuffle_up:
                    from = self - b;
                    valid = from >= 0;
                    break;
                case WarpOperation::shuffle_down:
                    from = self + b;
                    valid = from < width;
                    break;
                case WarpOperation::shuffle_bfly:
                    from = (static_cast<int>(i) ^ b) - base;
                    valid = from < width;
                    break;
                default:
                    from = b % width;
                    valid = true;
                    break;
                }
                int source = valid ? base + from : static_cast<int>(i);
                if (source < 0 || !(members >> source & 1)) source = static_cast<int>(i);
                QCOMPARE(lanes[i].predicate, std::uint32_t{valid});
                QCOMPARE(lanes[i].result, lanes[source].value & 0xFFFFFFFF);
            }
        }
    }

    void votesMatchesAndReductions() {
        std::mt19937 random(2);
        for (int round = 0; round < 500; ++round) {
            ThreadContext lanes[32]{};
            const std::uint32_t members = static_cast<std::uint32_t>(random()) | 0x10;
            for (auto& t : lanes)
                t.value = random() % 4;
            const auto result = [&](WarpOperation operation) {
                perform(operation, lanes, members);
                return static_cast<std::uint32_t>(lanes[4].result);
            };
            std::uint32_t ballot = 0, any = 0, sum = 0, highest = 0, exclusive = 0;
            bool all_same = true;
            for (std::uint32_t i = 0; i < 32; ++i) {
                if (!(members >> i & 1)) continue;
                const auto v = static_cast<std::uint32_t>(lanes[i].value);
                ballot |= (v & 1) << i;
                any |= std::uint32_t{v == lanes[4].value} << i;
                all_same &= v == lanes[4].value;
                sum += v;
                highest = std::max(highest, v);
                exclusive ^= v;
            }
            QCOMPARE(result(WarpOperation::vote_ballot), ballot);
            QCOMPARE(result(WarpOperation::vote_any), std::uint32_t{ballot != 0});
            QCOMPARE(result(WarpOperation::vote_all), std::uint32_t{ballot == members});
            QCOMPARE(result(WarpOperation::vote_uni), std::uint32_t{ballot == members || ballot == 0});
            QCOMPARE(result(WarpOperation::match_any32), any);
            QCOMPARE(result(WarpOperation::match_all64), all_same ? members : 0);
            QCOMPARE(lanes[4].predicate, std::uint32_t{all_same});
            QCOMPARE(result(WarpOperation::reduce_add), sum);
            QCOMPARE(result(WarpOperation::reduce_max_u32), highest);
            QCOMPARE(result(WarpOperation::reduce_xor), exclusive);
        }
        ThreadContext lanes[32]{};
        for (int i = 0; i < 32; ++i)
            lanes[i].value = static_cast<std::uint32_t>(5 - i);
        perform(WarpOperation::reduce_min_s32, lanes, 0xFFFFFFFF);
        QCOMPARE(static_cast<std::int32_t>(lanes[9].result), -26);
        perform(WarpOperation::reduce_max_s32, lanes, 0xFFFFFFFF);
        QCOMPARE(static_cast<std::int32_t>(lanes[9].result), 5);
    }

    void framesAreUsedAgain() {
        FrameArena arena;
        void* first = arena.allocate(100);
        arena.release(first, 100);
        QCOMPARE(arena.allocate(90), first); // of the same size class
        QCOMPARE(reinterpret_cast<std::uintptr_t>(arena.allocate(5000)) % 64, std::uintptr_t{0});
        void* last = first;
        for (std::size_t bytes = 0; last && bytes < (std::size_t{1} << 30); bytes += std::size_t{1} << 20) {
            last = arena.allocate(std::size_t{1} << 20);
        }
        QVERIFY(!last); // recursion without end is stopped
        arena.reset();
        QVERIFY(arena.allocate(100));
    }
};

QTEST_APPLESS_MAIN(SchedulerTest)
#include "test_scheduler.moc"
