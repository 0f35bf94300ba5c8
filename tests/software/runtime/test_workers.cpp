// SPDX-License-Identifier: Apache-2.0
// The pool of workers: each call is made once, also from many threads and inside calls, and errors come back.
#include "software/runtime/configuration.hpp"
#include "software/runtime/workers.hpp"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace warplight::software;

class WorkersTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QCOMPARE(configuration().workers, 4U); } // the test's environment

    void makes_each_call_once() {
        for (unsigned count : {0U, 1U, 2U, 3U, 7U, 64U, 1000U}) {
            std::vector<int> calls(count, 0);
            run_on_workers(count, [&](unsigned i) { ++calls[i]; });
            QCOMPARE(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(count));
        }
    }

    /// Calls that wait for each other need as many threads as there are calls.
    void runs_as_many_calls_at_once_as_there_are_workers() {
        const unsigned workers = configuration().workers;
        for (int round = 0; round < 100; ++round) {
            std::atomic<unsigned> arrived = 0;
            run_on_workers(workers, [&](unsigned) {
                ++arrived;
                while (arrived < workers)
                    std::this_thread::yield();
            });
            QCOMPARE(arrived.load(), workers);
        }
    }

    /// A thread makes the same calls of each job, so that it finds its data in its caches.
    void a_thread_keeps_its_numbers() {
        const unsigned workers = configuration().workers;
        std::vector<std::thread::id> first(workers), now(workers);
        for (int round = 0; round < 100; ++round) {
            std::atomic<unsigned> arrived = 0;
            run_on_workers(workers, [&](unsigned i) {
                now[i] = std::this_thread::get_id();
                ++arrived;
                while (arrived < workers)
                    std::this_thread::yield();
            });
            if (round == 0) first = now;
            QCOMPARE(now[0], std::this_thread::get_id());
            QVERIFY(now == first);
        }
    }

    void wakes_workers_that_sleep() {
        for (int round = 0; round < 20; ++round) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2)); // longer than they look for work
            std::atomic<unsigned> arrived = 0;
            run_on_workers(4, [&](unsigned) {
                ++arrived;
                while (arrived < 4)
                    std::this_thread::yield();
            });
        }
    }

    /// Workers look for as long as it has been worth it, and sleep then.
    void jobs_come_after_any_pause() {
        const unsigned workers = configuration().workers;
        for (int round = 0; round < 600; ++round) {
            constexpr int pauses[]{0, 30, 60, 100, 190, 210, 400};
            std::this_thread::sleep_for(std::chrono::microseconds(pauses[round * 5 / 3 % std::size(pauses)]));
            std::vector<int> calls(workers, 0);
            run_on_workers(workers, [&](unsigned i) {
                if (i == 1) std::this_thread::sleep_for(std::chrono::microseconds(round % 300)); // is waited for
                ++calls[i];
            });
            QCOMPARE(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(workers));
        }
    }

    void calls_inside_calls() {
        std::atomic<unsigned> sum = 0;
        run_on_workers(16, [&](unsigned i) {
            run_on_workers(16, [&](unsigned j) { run_on_workers(4, [&](unsigned k) { sum += i * 64 + j * 4 + k; }); });
        });
        QCOMPARE(sum.load(), 1023U * 1024U / 2U);
    }

    void serves_many_threads() {
        std::atomic<std::uint64_t> sum = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&] {
                for (int round = 0; round < 500; ++round)
                    run_on_workers(6, [&](unsigned i) { sum += i; });
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(sum.load(), std::uint64_t{8} * 500 * 15);
    }

    /// More callers than workers, each of which waits for all others.
    void a_caller_needs_no_worker() {
        std::atomic<int> inside = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 12; ++t)
            threads.emplace_back([&] {
                run_on_workers(2, [&](unsigned i) {
                    if (i != 0) return;
                    ++inside;
                    while (inside < 12)
                        std::this_thread::yield();
                });
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(inside.load(), 12);
    }

    /// Two calls that wait for each other, while the pool sleeps: the second is the spinning thread's, or of a worker
    /// that it has woken where the job is not its own.
    void a_spinning_thread_helps_its_own_stream_data() {
        QTest::addColumn<bool>("own");
        QTest::newRow("own") << true;
        QTest::newRow("another's") << false;
    }
    void a_spinning_thread_helps_its_own_stream() {
        QFETCH(bool, own);
        const int stream = 0, other = 0;
        for (int round = 0; round < 20; ++round) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            std::atomic<bool> spins = false, end = false;
            std::thread spinner([&] {
                while (!end)
                    spin_or_help(own ? &stream : &other, [&] {
                        spins = true;
                        return end.load();
                    });
            });
            while (!spins)
                std::this_thread::yield();
            std::atomic<unsigned> arrived = 0;
            std::atomic<bool> by_spinner = false;
            {
                const JobOwner owner(&stream);
                run_on_workers(2, [&](unsigned) {
                    if (std::this_thread::get_id() == spinner.get_id()) by_spinner = true;
                    ++arrived;
                    while (arrived < 2)
                        std::this_thread::yield();
                });
            }
            end = true;
            spinner.join();
            if (own)
                helped_ += by_spinner;
            else
                QVERIFY(!by_spinner);
        }
        QVERIFY(!own || helped_ > 0); // a worker may be faster
    }

    /// A worker that finds a job closed may stop between its look and its leaving, while the caller begins to wait.
    void a_worker_that_comes_too_late_is_not_waited_for() {
        std::atomic<bool> busy = true;
        std::vector<std::thread> others;
        for (int k = 0; k < 4; ++k) // they take the processors away
            others.emplace_back([&] {
                while (busy) {
                }
            });
        std::atomic<int> calls = 0;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        int jobs = 0;
        for (; std::chrono::steady_clock::now() < end; ++jobs)
            run_on_workers(2, [&](unsigned) { ++calls; });
        busy = false;
        for (std::thread& other : others)
            other.join();
        QCOMPARE(calls.load(), 2 * jobs);
    }

    void throws_what_a_call_threw() {
        std::atomic<int> calls = 0;
        std::string message;
        try {
            run_on_workers(8, [&](unsigned i) {
                ++calls;
                if (i == 5) throw std::runtime_error("the sixth");
            });
        } catch (const std::runtime_error& error) {
            message = error.what();
        }
        QCOMPARE(message, std::string("the sixth"));
        QCOMPARE(calls.load(), 8);
        run_on_workers(8, [&](unsigned) { ++calls; }); // and goes on
        QCOMPARE(calls.load(), 16);
    }

private:
    int helped_ = 0; ///< rounds in which the spinning thread did
};

QTEST_APPLESS_MAIN(WorkersTest)
#include "test_workers.moc"
