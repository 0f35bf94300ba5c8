// SPDX-License-Identifier: Apache-2.0
// Which accesses race: patterns that kernels have, and random ones compared with a reference that keeps a whole vector
// clock for each thread and every access.
#include "software/checks/collector.hpp"
#include "software/checks/race_cells.hpp"
#include "software/checks/recent_shared.hpp"

#include <QtTest>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace warplight::software::checks;
using warplight::software::TracedCell;
using warplight::software::TracedRecords;

namespace {

/// Blocks that access the same memory. A step is one thread's; what it did raced or did not.
class Grid {
public:
    Grid(std::uint32_t blocks, unsigned threads, std::uint32_t cluster_blocks = 1) : cells_(epochs_) {
        for (std::uint32_t k = 0; k < blocks; ++k)
            blocks_.push_back(std::make_unique<BlockOrder>(epochs_, k, cluster_blocks, threads));
    }
    BlockOrder& block(std::uint32_t number) { return *blocks_[number]; }
    /// The words at which it races with an earlier access.
    std::vector<std::uint64_t> add(std::uint32_t block, unsigned thread, const NewAccess& access) {
        std::vector<std::uint64_t> words;
        cells_.add(*blocks_[block], thread, access,
                   [&](const PastAccess&, std::uint64_t word) { words.push_back(word); });
        return words;
    }
    bool races(std::uint32_t block, unsigned thread, AccessKind kind, std::uint64_t address, bool strong = false,
               Scope scope = Scope::device) {
        return !add(block, thread, {address, 4, kind, strong, scope, 0}).empty();
    }
    bool reads(std::uint32_t block, unsigned thread, std::uint64_t at) {
        return races(block, thread, AccessKind::read, at);
    }
    bool writes(std::uint32_t block, unsigned thread, std::uint64_t at) {
        return races(block, thread, AccessKind::write, at);
    }
    /// atomicAdd(): relaxed.
    bool adds(std::uint32_t block, unsigned thread, std::uint64_t at, Scope scope = Scope::device) {
        const bool raced = races(block, thread, AccessKind::atomic, at, true, scope);
        blocks_[block]->read(thread, locations_[at], scope, false);
        blocks_[block]->write(thread, locations_[at], scope, false, true);
        return raced;
    }
    /// A copy that goes on by itself writes there.
    bool copies(std::uint32_t block, unsigned thread, std::uint64_t at, bool told = false) {
        bool raced = false;
        BlockOrder& order = *blocks_[block];
        cells_.add_of_copy(order, told ? order.begin_told_copy(thread) : order.begin_copy(thread), thread,
                           {at, 4, AccessKind::write, false, Scope::device, 0},
                           [&](const PastAccess&, std::uint64_t) { raced = true; });
        return raced;
    }
    Released& location(std::uint64_t at) { return locations_[at]; }
    RaceCells& cells() { return cells_; }
    [[nodiscard]] std::uint64_t used_by_epochs() const { return epochs_.used_bytes(); }

private:
    Epochs epochs_;
    std::vector<std::unique_ptr<BlockOrder>> blocks_;
    RaceCells cells_;
    std::map<std::uint64_t, Released> locations_;
};

/// The same by the book: each thread has a vector clock of all threads, and every access is kept.
class Reference {
public:
    Reference(std::uint32_t blocks, unsigned threads, std::uint32_t cluster_blocks)
        : threads_(threads), cluster_blocks_(cluster_blocks), all_(blocks * threads) {
        for (Thread& thread : all_) {
            thread.known.resize(all_.size());
            for (std::size_t k = 0; k < 3; ++k) {
                thread.fenced[k].resize(all_.size());
                thread.observed[k].resize(all_.size());
            }
        }
    }

    std::vector<std::uint64_t> add(std::uint32_t block, unsigned thread, const NewAccess& access) {
        const unsigned own = block * threads_ + thread;
        std::vector<std::uint64_t> words;
        for (std::uint64_t word = access.address / 4 * 4; word < access.address + access.bytes; word += 4) {
            const Past now{own, ++all_[own].known[own], bytes_in(access, word), access};
            for (const Past& past : past_[word])
                if (races(past, now)) words.push_back(word);
            past_[word].push_back(now);
        }
        return words;
    }
    void sync(const std::vector<unsigned>& arrived, const std::vector<unsigned>& waiting) {
        Time all(all_.size());
        for (const unsigned thread : arrived)
            join(all, all_[thread].known);
        for (const unsigned thread : waiting)
            join(all_[thread].known, all);
        for (std::size_t k = 0; k < 3; ++k) {
            Time fenced(all_.size()), observed(all_.size());
            for (const unsigned thread : arrived) {
                join(fenced, all_[thread].fenced[k]);
                join(observed, all_[thread].observed[k]);
            }
            for (const unsigned thread : waiting) {
                join(all_[thread].fenced[k], fenced);
                join(all_[thread].observed[k], observed);
            }
        }
        for (const unsigned thread : arrived)
            ++all_[thread].known[thread];
    }
    void fence(unsigned thread, Scope scope) {
        Thread& own = all_[thread];
        for (int k = 0; k <= int(scope); ++k) {
            join(own.known, own.observed[std::size_t(k)]);
            std::fill(own.observed[std::size_t(k)].begin(), own.observed[std::size_t(k)].end(), 0);
        }
        own.fenced[std::size_t(scope)] = own.known;
        ++own.known[thread];
    }
    void access(unsigned thread, int location, Scope scope, bool acquire, bool release, bool reads, bool writes) {
        Thread& own = all_[thread];
        if (reads)
            for (const Release& each : locations_[location]) {
                const Scope apart = distance(thread, each.thread);
                if (apart <= scope && apart <= each.scope)
                    join(acquire ? own.known : own.observed[std::size_t(apart)], each.time);
            }
        if (!writes) return;
        if (!reads) locations_[location].clear();
        if (release) locations_[location].push_back({thread, scope, own.known});
        for (std::size_t k = 0; k < 3 && !release; ++k)
            locations_[location].push_back({thread, std::min(scope, Scope(k)), own.fenced[k]});
        ++own.known[thread];
    }

private:
    using Time = std::vector<std::uint32_t>;
    struct Thread {
        Time known;
        std::array<Time, 3> fenced, observed;
    };
    struct Past {
        unsigned thread;
        std::uint32_t time;
        unsigned bytes;
        NewAccess access;
    };
    struct Release {
        unsigned thread;
        Scope scope;
        Time time;
    };
    static void join(Time& to, const Time& from) {
        for (std::size_t k = 0; k < to.size(); ++k)
            to[k] = std::max(to[k], from[k]);
    }
    static unsigned bytes_in(const NewAccess& access, std::uint64_t word) {
        unsigned bytes = 0;
        for (unsigned k = 0; k < 4; ++k)
            if (word + k >= access.address && word + k < access.address + access.bytes) bytes |= 1U << k;
        return bytes;
    }
    [[nodiscard]] Scope distance(unsigned a, unsigned b) const {
        const unsigned x = a / threads_, y = b / threads_;
        return x == y ? Scope::block : x / cluster_blocks_ == y / cluster_blocks_ ? Scope::cluster : Scope::device;
    }
    [[nodiscard]] bool races(const Past& past, const Past& now) const {
        if (past.access.kind == AccessKind::read && now.access.kind == AccessKind::read) return false;
        if ((past.bytes & now.bytes) == 0 || all_[now.thread].known[past.thread] >= past.time) return false;
        const Scope apart = distance(past.thread, now.thread);
        return !(past.access.strong && now.access.strong && past.bytes == now.bytes && past.access.scope >= apart &&
                 now.access.scope >= apart);
    }

    unsigned threads_, cluster_blocks_;
    std::vector<Thread> all_;
    std::map<std::uint64_t, std::vector<Past>> past_;
    std::map<int, std::vector<Release>> locations_;
};

/// Threads of the lanes in `masks`, one for each warp.
std::vector<unsigned> threads_in(const std::vector<std::uint32_t>& masks, unsigned first) {
    std::vector<unsigned> threads;
    for (unsigned warp = 0; warp < masks.size(); ++warp)
        for (unsigned lane = 0; lane < 32; ++lane)
            if (masks[warp] >> lane & 1) threads.push_back(first + 32 * warp + lane);
    return threads;
}

/// The first event at which each word has a race, as the cells see it and as the reference does.
struct Races {
    std::map<std::uint64_t, int> found, expected;
};
Races random_program(unsigned seed, int events) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned count) { return unsigned(random() % count); };
    const std::uint32_t blocks = 1 + below(4), cluster = blocks % 2 == 0 && below(2) ? 2 : 1;
    const unsigned threads = 33 + below(4); // one whole warp, and a small one
    const unsigned busy = 1 + below(4);     // of a warp's lanes
    // How much is synchronised differs: else nearly all would race, or hardly any.
    const unsigned share = 1 + below(7);
    const unsigned room = 24U << below(6); // bytes
    Grid grid(blocks, threads, cluster);
    Reference reference(blocks, threads, cluster);
    Races races;
    const auto any_scope = [&] { return Scope(std::min(2U, below(5))); };
    const auto any_lanes = [&](unsigned warp) {
        const std::uint32_t all = warp == 0 ? ~0U : (1U << (threads - 32)) - 1;
        if (below(2)) return all;
        std::uint32_t lanes = 0;
        for (unsigned k = 0; k < 4; ++k)
            lanes |= 1U << below(busy);
        return lanes & all;
    };
    for (int event = 0; event < events; ++event) {
        const std::uint32_t block = below(blocks);
        const unsigned warp = below(4) == 0, first = block * threads;
        const unsigned thread = std::min(threads - 1, 32 * warp + below(busy));
        if (below(8) >= share) {
            NewAccess access;
            access.kind = AccessKind(below(3));
            access.strong = access.kind == AccessKind::atomic || below(3) == 0;
            access.scope = any_scope();
            access.bytes = 1U << below(4);
            access.address = 64 + access.bytes * below(room / access.bytes);
            for (const std::uint64_t word : grid.add(block, thread, access))
                races.found.try_emplace(word, event);
            for (const std::uint64_t word : reference.add(block, thread, access))
                races.expected.try_emplace(word, event);
            continue;
        }
        switch (below(8)) {
        case 0: {
            std::vector<std::uint32_t> all{~0U, (1U << (threads - 32)) - 1};
            grid.block(block).sync_block();
            reference.sync(threads_in(all, first), threads_in(all, first));
            break;
        }
        case 1:
        case 2: {
            std::vector<std::uint32_t> lanes(2);
            lanes[warp] = any_lanes(warp);
            grid.block(block).sync_warp(warp, lanes[warp]);
            reference.sync(threads_in(lanes, first), threads_in(lanes, first));
            break;
        }
        case 3: {
            std::vector<std::uint32_t> arrived{any_lanes(0), any_lanes(1)}, waiting = arrived;
            if (below(2)) waiting[below(2)] &= std::uint32_t(random());
            grid.block(block).sync_some(arrived, waiting);
            reference.sync(threads_in(arrived, first), threads_in(waiting, first));
            break;
        }
        case 4:
        case 5: {
            const Scope scope = any_scope();
            grid.block(block).fence(thread, scope);
            reference.fence(first + thread, scope);
            break;
        }
        default: {
            const int location = int(below(2));
            const Scope scope = any_scope();
            const unsigned what = below(3);
            const bool reads = what != 1, writes = what != 0, acquire = reads && below(2), release = writes && below(2);
            Released& released = grid.location(std::uint64_t(location));
            if (reads) grid.block(block).read(thread, released, scope, acquire);
            if (writes) grid.block(block).write(thread, released, scope, release, reads);
            reference.access(first + thread, location, scope, acquire, release, reads, writes);
        }
        }
    }
    return races;
}

/// A block's shared memory. With notes only accesses that may race come to the cells.
class SharedMemory {
public:
    SharedMemory(bool notes, unsigned threads, std::uint64_t bytes, unsigned width)
        : order_(epochs_, 0, 1, threads), cells_(epochs_), recent_(order_, cells_, bytes, width), notes_(notes) {
        begin_phase();
    }

    /// The words at which it races with an earlier access.
    std::set<std::uint64_t> access(const RecentShared::Accesses& accesses) {
        std::set<std::uint64_t> raced;
        if (recent_.is_noting()) {
            if (recent_.note(accesses)) return raced;
            recent_.leave();
        }
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(accesses.active >> lane & 1)) continue;
            const auto& what = accesses.what;
            cells_.add(
                order_, accesses.first + lane,
                {accesses.addresses[lane], what.bytes, kind_of(what), what.strong, Scope(what.scope), accesses.site},
                [&](const PastAccess&, std::uint64_t word) { raced.insert(word); });
        }
        return raced;
    }
    void sync_block() {
        order_.sync_block();
        begin_phase();
    }
    void sync_warp(unsigned warp, std::uint32_t lanes) {
        if (order_.is_whole(warp, lanes))
            recent_.begin_epoch(warp);
        else
            recent_.leave();
        order_.sync_warp(warp, lanes);
    }
    void fence(unsigned thread) {
        recent_.leave();
        order_.fence(thread, Scope::block);
    }
    [[nodiscard]] bool is_noting() const { return recent_.is_noting(); }

private:
    void begin_phase() {
        if (notes_) recent_.begin_phase(true);
    }

    Epochs epochs_;
    BlockOrder order_;
    RaceCells cells_;
    RecentShared recent_;
    const bool notes_;
};

} // namespace

class TestRaces : public QObject {
    Q_OBJECT

private slots:
    void threads_of_a_block() {
        Grid grid(1, 64);
        QVERIFY(!grid.writes(0, 3, 100));
        QVERIFY(!grid.reads(0, 3, 100)); // its own
        QVERIFY(grid.reads(0, 4, 100));  // of another lane
        QVERIFY(grid.reads(0, 40, 100)); // of another warp
        grid.block(0).sync_block();
        QVERIFY(!grid.reads(0, 40, 100));
        QVERIFY(!grid.reads(0, 41, 100));
        QVERIFY(grid.writes(0, 3, 100)); // after reads of others
        grid.block(0).sync_warp(0, ~0U);
        QVERIFY(!grid.reads(0, 5, 100));
        QVERIFY(grid.reads(0, 50, 100)); // a warp's barrier is for the warp
        grid.block(0).sync_block();
        QVERIFY(!grid.reads(0, 5, 100));
        grid.block(0).sync_warp(0, ~0U);
        QVERIFY(!grid.writes(0, 3, 100));
        // With the write alone: who races with the read before it races with it.
        QCOMPARE(grid.add(0, 33, {100, 4, AccessKind::write, false, Scope::device, 0}).size(), std::size_t{1});
    }

    /// A copy ends when its thread has waited for it, and for others when they have met that thread then.
    void copies_that_go_on() {
        Grid grid(1, 64);
        BlockOrder& order = grid.block(0);
        QVERIFY(!grid.copies(0, 3, 100));
        QVERIFY(grid.reads(0, 3, 100)); // of its own
        order.sync_block();
        QVERIFY(grid.reads(0, 40, 100)); // a barrier alone ends no copy
        QVERIFY(order.has_copies());

        QVERIFY(!grid.copies(0, 3, 200));
        order.commit_copies(3);
        QVERIFY(!grid.copies(0, 3, 300));
        order.commit_copies(3);
        order.wait_for_copies(3, 1); // of the groups the last one goes on
        QVERIFY(!grid.reads(0, 3, 200));
        QVERIFY(grid.reads(0, 3, 300));
        QVERIFY(grid.reads(0, 4, 200)); // who has waited knows, and nobody else
        order.sync_warp(0, ~0U);
        QVERIFY(!grid.reads(0, 5, 200));
        order.sync_block();
        QVERIFY(!grid.reads(0, 41, 200));
        QVERIFY(grid.reads(0, 41, 300));
        order.wait_for_copies(3, 0);
        order.sync_block();
        QVERIFY(!grid.reads(0, 42, 300));
        QVERIFY(!order.has_copies());

        // What the thread did before comes before its copy, and what others did as always.
        QVERIFY(!grid.writes(0, 7, 400));
        QVERIFY(!grid.copies(0, 7, 400));
        QVERIFY(!grid.writes(0, 8, 500));
        QVERIFY(grid.copies(0, 7, 500));
        order.wait_for_all_copies(7);
        QVERIFY(!grid.writes(0, 7, 400));

        // Told to a barrier object.
        QVERIFY(!grid.copies(0, 9, 600, true));
        order.tell_copy(9, grid.location(1000));
        order.sync_block();
        QVERIFY(grid.reads(0, 9, 600));
        order.read(50, grid.location(1000), Scope::block, true);
        QVERIFY(!grid.copies(0, 9, 700, true)); // not told yet
        QVERIFY(!grid.reads(0, 50, 600));
        QVERIFY(grid.reads(0, 50, 700));

        // All that are of groups, to whoever waits at an object, while their thread does not know.
        QVERIFY(!grid.copies(0, 10, 800));
        order.tell_copies(10, grid.location(2000));
        QVERIFY(!grid.copies(0, 10, 900));
        QVERIFY(grid.reads(0, 10, 800));
        order.read(51, grid.location(2000), Scope::block, true);
        QVERIFY(!grid.reads(0, 51, 800));
        QVERIFY(grid.reads(0, 51, 900));
    }

    void notes_leave_nothing_out() {
        int raced = 0, noted = 0;
        for (unsigned seed = 0; seed < 6000; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](unsigned count) { return unsigned(random() % count); };
            const unsigned threads = 32 * (1 + below(3)) + below(2) * 8, width = 8U << below(3);
            const unsigned words = 1U << below(9), share = 1 + below(12);
            SharedMemory plain(false, threads, 4 * words, width), with_notes(true, threads, 4 * words, width);
            std::set<std::uint64_t> told; ///< words, since the last barrier
            for (int event = 0; event < 60; ++event) {
                const unsigned warp = below((threads + 31) / 32);
                if (below(12) >= share) {
                    const unsigned what = below(8);
                    if (what == 0) {
                        plain.fence(32 * warp);
                        with_notes.fence(32 * warp);
                    } else if (what < 5) {
                        const std::uint32_t lanes = below(4) ? ~0U : std::uint32_t(random()) | 1U;
                        plain.sync_warp(warp, lanes);
                        with_notes.sync_warp(warp, lanes);
                    } else {
                        plain.sync_block();
                        with_notes.sync_block();
                        told.clear();
                    }
                    continue;
                }
                RecentShared::Accesses accesses{};
                const unsigned left = std::min(threads - 32 * warp, 32U);
                const unsigned lanes = std::min(left, width);
                accesses.first = 32 * warp + (left > width ? width * below(left / width) : 0);
                accesses.active = (lanes == 32 ? ~0U : (1U << lanes) - 1) & (below(2) ? ~0U : std::uint32_t(random()));
                accesses.site = 1 + below(5);
                accesses.what.bytes = below(4) ? 4 : 1U << below(4);
                accesses.what.reads = below(3) != 0;
                accesses.what.writes = !accesses.what.reads || below(3) == 0;
                accesses.what.strong = accesses.what.reads && accesses.what.writes;
                accesses.what.shared = true;
                std::array<std::uint64_t, 32> addresses{};
                const unsigned form = below(4);
                const std::uint64_t room = std::max<std::uint64_t>(4 * words / accesses.what.bytes, 1);
                const std::uint64_t base = below(unsigned(room));
                for (unsigned lane = 0; lane < 32; ++lane)
                    addresses[lane] =
                        accesses.what.bytes * ((form == 0   ? base
                                                : form == 1 ? below(unsigned(room))
                                                            : base + lane + (form == 2 ? accesses.first : 0)) %
                                               room);
                accesses.addresses = addresses.data();
                noted += with_notes.is_noting();
                auto expected = plain.access(accesses), found = with_notes.access(accesses);
                // What has raced is told: whether it is told again depends on what else a cell has.
                for (const std::uint64_t word : told)
                    expected.erase(word), found.erase(word);
                told.insert(expected.begin(), expected.end());
                raced += !expected.empty();
                if (found != expected) QFAIL(qPrintable(QString("seed %1, event %2").arg(seed).arg(event)));
            }
        }
        QVERIFY(raced > 1000);
        QVERIFY(noted > 10000);
    }

    /// What the kernel's code records of an access is what the cells do.
    void records_of_code() {
        for (const std::uint32_t site : {0U, 77U, 1U << 17, TracedCell::kLastSite, 1U << 20})
            for (unsigned k = 0; k < 6; ++k) {
                warplight::software::TracedAccess what{};
                what.writes = k % 2;
                what.reads = !what.writes;
                what.scope = k / 2;
                const auto record = std::bit_cast<std::uint64_t>(
                    past_of(1234567, {0, 4, kind_of(what), false, Scope(what.scope), site}));
                QCOMPARE(record, 1234567 + TracedCell::of(what, site));
                QCOMPARE(record & TracedRecords::kOwn, std::uint64_t{1234567});
                QCOMPARE(TracedRecords::place_of(record),
                         (1234567 + TracedRecords::place_of_rest(TracedCell::of(what, site))) % TracedRecords::kRecent);
            }
    }

    void some_lanes_of_a_warp() {
        Grid grid(1, 32);
        QVERIFY(!grid.writes(0, 0, 100));
        QVERIFY(!grid.writes(0, 8, 200));
        grid.block(0).sync_warp(0, 0x00ff);
        QVERIFY(!grid.reads(0, 7, 100));
        QVERIFY(grid.reads(0, 8, 100));
        QVERIFY(grid.reads(0, 7, 200));
        // Two barriers one behind the other carry it on.
        QVERIFY(!grid.writes(0, 0, 300));
        grid.block(0).sync_warp(0, 0x0003);
        grid.block(0).sync_warp(0, 0x0006);
        QVERIFY(!grid.reads(0, 2, 300));
        QVERIFY(grid.reads(0, 3, 300));
    }

    void bytes_of_a_word() {
        Grid grid(1, 64);
        const auto raced = [&](unsigned thread, std::uint64_t address, std::uint32_t bytes) {
            return !grid.add(0, thread, {address, bytes, AccessKind::write, false, Scope::device, 0}).empty();
        };
        for (unsigned k = 0; k < 4; ++k)
            QVERIFY(!raced(k, 100 + k, 1));
        QVERIFY(raced(5, 102, 2));
        // Two of the first writes, and the one that has replaced the others.
        QCOMPARE(grid.add(0, 6, {98, 8, AccessKind::read, false, Scope::device, 0}).size(), std::size_t{3});
        QVERIFY(!raced(7, 112, 8));
        QVERIFY(raced(8, 116, 4));
    }

    void atomics_and_their_scopes() {
        Grid grid(2, 32);
        QVERIFY(!grid.adds(0, 0, 100));
        QVERIFY(!grid.adds(0, 1, 100));
        QVERIFY(!grid.adds(1, 1, 100));
        QVERIFY(grid.reads(0, 2, 100)); // plain
        QVERIFY(!grid.adds(0, 0, 200, Scope::block));
        QVERIFY(!grid.adds(0, 1, 200, Scope::block));
        QVERIFY(grid.adds(1, 1, 200, Scope::block)); // too narrow for another block
        QVERIFY(!grid.adds(0, 0, 300, Scope::block));
        QVERIFY(grid.adds(1, 1, 300));
    }

    /// Each block writes its part, and the one that counts last reads them all.
    void last_block() {
        for (const bool fenced : {true, false}) {
            constexpr std::uint32_t count = 40;
            Grid grid(count, 64);
            bool raced = false;
            for (std::uint32_t k = 0; k < count; ++k) {
                for (unsigned thread = 0; thread < 64; ++thread)
                    QVERIFY(!grid.writes(k, thread, 1024 + 4 * (64 * k + thread)));
                grid.block(k).sync_block();
                if (fenced) grid.block(k).fence(0, Scope::device);
                QVERIFY(!grid.adds(k, 0, 100));
            }
            if (fenced) grid.block(count - 1).fence(0, Scope::device);
            grid.block(count - 1).sync_block();
            for (std::uint32_t k = 0; k < count; ++k)
                raced |= grid.reads(count - 1, 7, 1024 + 4 * (64 * k + 33));
            QCOMPARE(raced, !fenced);
        }
    }

    /// A lock that is taken by compare-and-swap and given back by a store.
    void lock() {
        for (const bool fenced : {true, false}) {
            Grid grid(3, 32);
            bool raced = false;
            for (int round = 0; round < 6; ++round) {
                const auto block = std::uint32_t(round % 3);
                const unsigned thread = unsigned(round * 5 % 32);
                raced |= grid.adds(block, thread, 100);
                if (fenced) grid.block(block).fence(thread, Scope::device);
                raced |= grid.reads(block, thread, 200);
                raced |= grid.writes(block, thread, 200);
                if (fenced) grid.block(block).fence(thread, Scope::device);
                raced |= grid.adds(block, thread, 100);
            }
            QCOMPARE(raced, !fenced);
        }
    }

    /// A flag of a scope too narrow, or with a fence too narrow, tells another block nothing.
    void flags_and_scopes() {
        const auto message = [](Scope fence, Scope flag) {
            Grid grid(2, 32, 2);
            grid.writes(0, 0, 200);
            grid.block(0).fence(0, fence);
            grid.block(0).write(0, grid.location(100), flag, false, false);
            grid.block(1).read(0, grid.location(100), flag, false);
            grid.block(1).fence(0, fence);
            return !grid.reads(1, 0, 200);
        };
        QVERIFY(message(Scope::device, Scope::device));
        QVERIFY(message(Scope::cluster, Scope::device));
        QVERIFY(message(Scope::device, Scope::cluster));
        QVERIFY(!message(Scope::block, Scope::device));
        QVERIFY(!message(Scope::device, Scope::block));
    }

    /// Producers arrive and go on; consumers wait.
    void arrive_and_sync() {
        Grid grid(1, 64);
        QVERIFY(!grid.writes(0, 0, 100));
        QVERIFY(!grid.writes(0, 32, 200));
        const std::vector<std::uint32_t> all{~0U, ~0U}, consumers{0, ~0U};
        grid.block(0).sync_some(all, consumers);
        QVERIFY(!grid.reads(0, 40, 100));
        QVERIFY(grid.reads(0, 0, 200)); // it has not waited
    }

    /// What was released in an early phase of a block and what in a later one are known together.
    void phases_of_another_block() {
        for (const bool early_last : {false, true}) {
            Grid grid(2, 64);
            Released &early = grid.location(100), &late = grid.location(200);
            grid.block(0).write(5, early, Scope::device, true, false);
            QVERIFY(!grid.writes(0, 33, 300));
            grid.block(0).sync_block();
            grid.block(0).write(6, late, Scope::device, true, false);
            grid.block(1).read(0, early_last ? late : early, Scope::device, true);
            QCOMPARE(grid.reads(1, 1, 300), true);
            grid.block(1).read(0, early_last ? early : late, Scope::device, true);
            QVERIFY(!grid.reads(1, 0, 300));
        }
    }

    /// Lists of unordered accesses go when a barrier orders them.
    void memory_does_not_grow() {
        Grid grid(1, 64);
        std::uint64_t used = 0;
        for (int round = 0; round < 1000; ++round) {
            for (unsigned thread = 0; thread < 64; thread += 8)
                QVERIFY(!grid.reads(0, thread, 100 + 4 * std::uint64_t(round % 7)));
            grid.block(0).sync_block();
            QVERIFY(!grid.writes(0, 9, 100 + 4 * std::uint64_t(round % 7)));
            grid.block(0).sync_block();
            if (round == 20) used = grid.cells().used_bytes();
        }
        // Rounds have their records, which go from time to time.
        QVERIFY(grid.cells().used_bytes() <= used + std::uint64_t{1024} * 8);
    }

    void forgotten_memory() {
        Grid grid(1, 64);
        QVERIFY(!grid.writes(0, 0, 100));
        grid.cells().forget(100, 4);
        QVERIFY(!grid.writes(0, 1, 100));
    }

    /// A byte a byte of what is written or read, in pages; what is both has two.
    void cells_come_as_they_are_needed() {
        constexpr std::uint64_t page = 4096, record = 8;
        Grid grid(1, 64);
        for (std::uint64_t at = 0; at < page; at += 4)
            QVERIFY(!grid.writes(0, 0, at));
        QCOMPARE(grid.cells().used_bytes(), page + 2 * record); // the first is none
        for (std::uint64_t at = 0; at < page; at += 4)
            QVERIFY(!grid.reads(0, 0, at));
        QCOMPARE(grid.cells().used_bytes(), 2 * page + 3 * record);
        QVERIFY(!grid.writes(0, 0, 5 * page));
        QVERIFY(grid.writes(0, 1, 5 * page));
        QCOMPARE(grid.cells().used_bytes(), 3 * page + 3 * record);
    }

    /// With the byte a byte of `init` all shadows take at most four, of single bytes half a one more. Threads write all
    /// of it, and read what others have written.
    void shadows_take_at_most_four_bytes_a_byte_data() {
        QTest::addColumn<unsigned>("bytes");
        QTest::addColumn<unsigned>("stride");
        for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U})
            for (const unsigned stride : {1U, 33U})
                if (bytes >= 4 || stride == 1) QTest::addRow("%u bytes, %u apart", bytes, stride) << bytes << stride;
    }
    void shadows_take_at_most_four_bytes_a_byte() {
        QFETCH(unsigned, bytes);
        QFETCH(unsigned, stride);
        constexpr unsigned threads = 256, blocks = 64;
        constexpr std::uint64_t begin = 1 << 20;
        Grid grid(blocks, threads);
        const std::uint64_t of_block = std::uint64_t{threads} * bytes;
        for (const int round : {0, 1, 2}) {
            for (std::uint32_t block = 0; block < blocks; ++block) {
                for (unsigned thread = 0; thread < threads; ++thread) {
                    const unsigned place = (thread * stride + unsigned(round) * 64) % threads;
                    const NewAccess access{begin + block * of_block + std::uint64_t{place} * bytes,
                                           bytes,
                                           round == 1 ? AccessKind::read : AccessKind::write,
                                           false,
                                           Scope::device,
                                           std::uint32_t(round)};
                    QVERIFY(grid.add(block, thread, access).empty());
                }
                grid.block(block).sync_block();
            }
            if (round == 1) QVERIFY(grid.cells().used_bytes() > 2 * blocks * of_block);
            const std::uint64_t race = grid.cells().used_bytes() + grid.used_by_epochs(), init = blocks * of_block;
            const std::uint64_t most_halves = bytes == 1 ? 9 : 8;
            QVERIFY2(2 * (race + init) <= most_halves * blocks * of_block, qPrintable(QString::number(race)));
        }
    }

    /// Records that no word has any more go, and those that are left stay as they are.
    void records_do_not_grow() {
        Grid grid(1, 64);
        constexpr std::uint64_t page = 4096;
        const auto write = [&](unsigned thread, std::uint64_t at, std::uint32_t site) {
            return grid.add(0, thread, {at, 4, AccessKind::write, false, Scope::device, site});
        };
        QVERIFY(write(7, 10 * page, 77).empty());
        for (std::uint32_t round = 0; round < 1'000'000; ++round) {
            if (!write(round % 64, 4 * (round % 1024), round % 5).empty()) QFAIL("a race");
            if (round % 64 == 63) grid.block(0).sync_some(std::vector{~0U, ~0U}, std::vector{~0U, ~0U});
        }
        QVERIFY2(grid.cells().used_bytes() < 2 * page + (std::uint64_t{1} << 20),
                 qPrintable(QString::number(grid.cells().used_bytes())));
        int found = 0;
        const RaceCells& cells = grid.cells();
        cells.each_access([&](const PastAccess& access, std::uint32_t lanes, std::uint64_t word) {
            if (word != 10 * page) return;
            QCOMPARE(unsigned{access.site}, 77U);
            QCOMPARE(lanes, 1U << 7);
            ++found;
        });
        QCOMPARE(found, 1);
    }

    /// Bytes and halves of a word by neighbouring lanes, and by one, are as those that are kept apart.
    void words_by_parts() {
        for (const std::uint32_t bytes : {1U, 2U})
            for (const bool by_one : {false, true}) {
                Grid grid(1, 64);
                const auto add = [&](unsigned thread, unsigned part, AccessKind kind) {
                    const NewAccess access{100 + part * bytes, bytes, kind, false, Scope::device, 5};
                    return grid.add(0, thread, access).size();
                };
                const unsigned parts = 4 / bytes;
                const auto lane_of = [&](unsigned part) { return by_one ? 9U : 9 + part; };
                for (int round = 0; round < 2; ++round)
                    for (unsigned part = 0; part < parts; ++part)
                        QCOMPARE(add(lane_of(part), part, AccessKind::write), std::size_t{0});
                unsigned seen = 0;
                const RaceCells& cells = grid.cells();
                cells.each_access([&](const PastAccess& access, std::uint32_t lanes, std::uint64_t word) {
                    QCOMPARE(word, std::uint64_t{100});
                    const unsigned part = unsigned(std::countr_zero(unsigned{access.bytes})) / bytes;
                    QCOMPARE(unsigned{access.bytes}, ((1U << bytes) - 1) << part * bytes);
                    QCOMPARE(lanes, 1U << lane_of(part));
                    seen |= access.bytes;
                });
                QCOMPARE(seen, 15U);
                QCOMPARE(cells.used_bytes() < 4096 + 1024, true);
                // Of another lane with one of them, and with all.
                QCOMPARE(add(40, parts - 1, AccessKind::read), std::size_t{1});
                const NewAccess whole{100, 4, AccessKind::write, false, Scope::device, 6};
                QCOMPARE(grid.add(0, 41, whole).size(), std::size_t{parts} + 1);
                grid.block(0).sync_block();
                QCOMPARE(add(3, 0, AccessKind::write), std::size_t{0});
            }
    }

    /// A place that was told is counted until the findings are taken, or an earlier thread comes.
    void places_are_counted() {
        Collector& collector = Collector::instance();
        (void)collector.take();
        int told = 0;
        const auto add = [&](const Moment& moment) {
            return collector.add({"kernel", "a.cu:1", "race"}, moment, [&] {
                ++told;
                return warplight::findings::Finding{};
            });
        };
        QVERIFY(!collector.count({}, {1, 0, 0}));
        Collector::Place place = add({1, 2, 3});
        QVERIFY(collector.count(place, {1, 2, 3}));
        QVERIFY(collector.count(place, {1, 3, 0}));
        QVERIFY(!collector.count(place, {1, 2, 2}));
        place = add({1, 2, 2});
        QCOMPARE(told, 2);
        const auto first = collector.take();
        QCOMPARE(first.all.size(), std::size_t{1});
        QCOMPARE(first.all[0].count, std::uint64_t{4});
        QVERIFY(!collector.count(place, {1, 3, 0}));
        // Where there is no room the others are counted too.
        for (std::size_t k = 0; k < Collector::kMost; ++k)
            (void)collector.add({"kernel", std::to_string(k), "race"}, {2, 0, 0},
                                [] { return warplight::findings::Finding{}; });
        place = add({2, 0, 0});
        QVERIFY(collector.count(place, {2, 0, 0}));
        QVERIFY(collector.count(place, {1, 0, 0}));
        const auto second = collector.take();
        QCOMPARE(second.all.size(), Collector::kMost);
        QCOMPARE(second.more, std::uint64_t{3});
    }

    void random_programs() {
        int racing = 0, clean = 0;
        for (unsigned seed = 1; seed <= 1500; ++seed) {
            const Races races = random_program(seed, 20 + int(seed % 100));
            if (races.found != races.expected) qWarning("seed %u", seed);
            QCOMPARE(races.found, races.expected);
            (races.found.empty() ? clean : racing) += 1;
        }
        QVERIFY2(racing > 300 && clean > 100, qPrintable(QString("%1 race, %2 do not").arg(racing).arg(clean)));
    }
};

QTEST_GUILESS_MAIN(TestRaces)
#include "test_races.moc"
