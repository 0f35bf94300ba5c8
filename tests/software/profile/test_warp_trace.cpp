// SPDX-License-Identifier: Apache-2.0
// Traces of threads become executions of a warp, whatever the width of the vectors that left them.
#include "software/profile/warp_trace.hpp"

#include <QtTest>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

using namespace warplight::software::profile;

namespace {

/// Writes down what it is told: "block LANES" and "@site LANES".
class Notes final : public WarpTrace::Receiver {
public:
    void executes(std::uint32_t block_site, std::uint32_t lanes, bool parted) override {
        text += std::to_string(block_site) + (parted ? "!" : "") + ":" + std::to_string(std::popcount(lanes)) + " ";
    }
    void accesses(std::uint32_t site, std::uint32_t what, const WarpAccess& access) override {
        text += "@" + std::to_string(site) + ":" + std::to_string(std::popcount(access.active)) + " ";
        sum += access.bytes == (what & 255) ? 0 : 1000;
        for (std::uint32_t left = access.active; left != 0; left &= left - 1)
            sum += access.addresses[static_cast<unsigned>(std::countr_zero(left))];
    }
    void accesses(std::uint32_t site, std::uint32_t what, const WarpTrace::RegularAccess& access) override {
        accesses(site, what, access.all(what & 255));
    }
    std::string text;
    std::uint64_t sum = 0; ///< of addresses
};

/// Rounds of an inner loop in each round of an outer one, by thread: block 0, then blocks 2 (outer), 4 (inner, with an
/// access at 5) and 6, and 8 at the end.
using Rounds = std::array<std::vector<unsigned>, 32>;

/// What one thread does, as events of a trace.
template <class Comes, class Accesses>
void walk(const std::vector<unsigned>& rounds, unsigned thread, Comes comes, Accesses accesses) {
    comes(0U);
    for (const unsigned inner : rounds) {
        comes(2U);
        for (unsigned k = 0; k < inner; ++k) {
            comes(4U);
            accesses(5U, 1000 + thread * 4 + k);
        }
        comes(6U);
    }
    comes(8U);
}

} // namespace

class WarpTraceTest : public QObject {
    Q_OBJECT
private slots:
    /// Threads that are behind catch up, and meet where their ways meet.
    void loops_in_loops() {
        Rounds rounds;
        for (unsigned t = 0; t < 32; ++t)
            rounds[t] = t % 2 ? std::vector<unsigned>{3, 1} : std::vector<unsigned>{1, 3};
        WarpTrace trace(1);
        std::uint64_t sum = 0;
        for (unsigned t = 0; t < 32; ++t)
            walk(
                rounds[t], t, [&](std::uint32_t site) { trace.comes_to(t, 1, site); },
                [&](std::uint32_t site, std::uint64_t address) {
                    trace.accesses(t, 1, site, 4, &address);
                    sum += address;
                });
        Notes notes;
        trace.join(notes);
        // A round of the outer loop takes as many rounds of the inner one as its slowest thread.
        const std::string round = "2:32 4!:32 @5:32 4:16 @5:16 4:16 @5:16 6:32 ";
        QCOMPARE(notes.text, "0:32 " + round + round + "8:32 ");
        QCOMPARE(notes.sum, sum);
        Notes nothing;
        trace.join(nothing); // it has forgotten all
        QCOMPARE(nothing.text, std::string());
    }

    /// Vectors in step: regular accesses, others, and a warp with fewer threads.
    void vectors_in_step_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("threads");
        for (const int width : {1, 8, 16})
            for (const int threads : {32, 16})
                QTest::addRow("%d threads, %d at once", threads, width) << width << threads;
    }
    void vectors_in_step() {
        QFETCH(int, width);
        QFETCH(int, threads);
        const auto w = static_cast<unsigned>(width);
        WarpTrace trace(w);
        std::uint64_t sum = 0;
        for (unsigned first = 0; first < static_cast<unsigned>(threads); first += w) {
            const std::uint32_t all = (1U << w) - 1;
            trace.comes_to(first, all, 0);
            for (const unsigned distance : {0U, 4U, 12U, 7U}) {
                std::vector<std::uint64_t> addresses;
                for (unsigned k = 0; k < w; ++k) {
                    const unsigned t = first + k;
                    addresses.push_back(1000 + (distance == 7 ? t * t : t * distance));
                    sum += addresses.back();
                }
                trace.accesses(first, all, 1, 8, addresses.data());
            }
            trace.comes_to(first, all, 2);
        }
        Notes notes;
        trace.join(notes);
        const std::string n = std::to_string(threads);
        QCOMPARE(notes.text, "0:" + n + " @1:" + n + " @1:" + n + " @1:" + n + " @1:" + n + " 2:" + n + " ");
        QCOMPARE(notes.sum, sum);
    }

    /// What is behind the end of a trace that goes on in truth is left out: the others might have waited for it.
    void a_trace_that_is_cut() {
        const auto run = [](std::uint32_t cut) {
            WarpTrace trace(1);
            for (unsigned t = 0; t < 32; ++t) {
                trace.comes_to(t, 1, 0);
                for (unsigned k = 0; k < (t == 3 ? 2U : 4U); ++k)
                    trace.comes_to(t, 1, 2);
            }
            Notes notes;
            trace.join(notes, cut);
            return notes.text;
        };
        QCOMPARE(run(0), std::string("0:32 2:32 2!:32 2:31 2:31 "));
        QCOMPARE(run(1U << 3), std::string("0:32 2:32 2!:32 "));
    }

    /// A called function comes before its caller, though it stands behind it in the text.
    void calls() {
        WarpTrace trace(16);
        for (const unsigned first : {0U, 16U}) {
            const std::uint32_t some = first == 0 ? 0x00ff : 0xffff;
            trace.comes_to(first, 0xffff, 0);
            trace.comes_to(first, some, 2);
            trace.calls(first, some);
            trace.comes_to(first, some, 100);
            trace.returns(first, some);
            trace.comes_to(first, 0xffff, 4);
        }
        Notes notes;
        trace.join(notes);
        QCOMPARE(notes.text, std::string("0!:32 2:24 100:24 4:32 "));
    }
};

QTEST_GUILESS_MAIN(WarpTraceTest)
#include "test_warp_trace.moc"
