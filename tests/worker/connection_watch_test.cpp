// SPDX-License-Identifier: Apache-2.0
// What several workers on another machine tell, told once.
#include "worker/client.hpp"
#include "worker/connection_watch.hpp"

#include <QtTest>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace warplight::worker;
using namespace std::chrono_literals;
using Kind = ConnectionState::Kind;

namespace {

const std::string there = "ssh://lab/software";

/// All that a watch tells, as text.
struct Told {
    std::vector<std::string> states, files, texts;

    ConnectionWatch::Hooks hooks() {
        ConnectionWatch::Hooks hooks;
        hooks.on_state = [this](const ConnectionState& state) {
            constexpr const char* names[] = {"off", "connecting", "connected", "lost", "gone"};
            std::string text = names[static_cast<int>(state.kind)];
            if (state.attempt) text += " " + std::to_string(state.attempt);
            states.push_back(state.reason.empty() ? text : text + " " + state.reason);
        };
        hooks.on_files = [this](const FilesOnTheirWay& now) { files.push_back(now.text); };
        hooks.on_text = [this](const std::string& text) { texts.push_back(text); };
        return hooks;
    }
};

/// A worker there: the callbacks of its client, which nothing else calls.
struct Worker {
    explicit Worker(ConnectionWatch& watch, const std::string& driver = there) {
        options.driver = driver;
        answered = watch.attach(options);
    }
    void connection(const std::string& text) const { options.on_log("connection", text); }
    void send(double fraction, const std::string& text) const { options.on_progress(1, {"send", fraction, text}); }
    void end(EndKind kind, const std::string& text) const {
        Exit exit;
        exit.reason = {kind, text, ""};
        options.on_exit(exit);
    }

    ClientOptions options;
    std::function<void()> answered;
};

using Words = std::vector<std::string>;

} // namespace

class ConnectionWatchTest : public QObject {
    Q_OBJECT
private slots:
    void wordsAreRead() {
        QVERIFY(read_connection_state("connecting")->kind == Kind::connecting);
        QVERIFY(read_connection_state("connected")->kind == Kind::connected);
        QVERIFY(read_connection_state("lost")->kind == Kind::lost);
        QCOMPARE(read_connection_state("reconnecting 12")->attempt, 12);
        QVERIFY(read_connection_state("reconnecting 12")->kind == Kind::lost);
        QVERIFY(read_connection_state("reconnecting x")->attempt == 0);
        QVERIFY(read_connection_state("gone It is off.")->reason == "It is off.");
        QVERIFY(read_connection_state("gone")->reason.empty());
        for (const char* other : {"", " ", "Lost", "reconnecting9", "connection"})
            QVERIFY2(!read_connection_state(other), other);
    }

    void aStateIsToldOnce() {
        Told told;
        ConnectionWatch watch(told.hooks());
        const Worker first(watch), second(watch), third(watch);
        for (const auto* each : {&first, &second, &third})
            each->connection("connecting");
        QCOMPARE(told.states, Words({"connecting"}));
        first.connection("connected");
        second.connection("connected"); // the third still connects, and something can go on
        QCOMPARE(told.states, Words({"connecting", "connected"}));
        second.connection("lost");
        first.connection("lost");
        QCOMPARE(told.states.size(), std::size_t(3));
        std::this_thread::sleep_for(150ms);
        first.connection("reconnecting 1");
        for (int i = 2; i < 50; ++i) // within a tenth of a second
            second.connection("reconnecting " + std::to_string(i));
        QCOMPARE(told.states[3], "lost 1");
        QVERIFY2(told.states.size() <= 6, std::to_string(told.states.size()).c_str());
        told.states.clear();
        first.connection("connected");
        QCOMPARE(told.states, Words()); // the second has still lost it
        second.connection("connected");
        QCOMPARE(told.states, Words({"connected"}));
    }

    void endsAreTold() {
        Told told;
        ConnectionWatch watch(told.hooks());
        const Worker first(watch), second(watch);
        first.connection("connected");
        second.connection("connected");
        second.end(EndKind::asked, "was stopped"); // it has compiled
        QCOMPARE(told.states, Words({"connected"}));
        first.connection("lost");
        first.connection("gone No answer for 10 minutes.");
        first.end(EndKind::connection, "was lost with the connection to lab: No answer for 10 minutes");
        QCOMPARE(told.states, Words({"connected", "lost", "gone No answer for 10 minutes."}));
        // Started again, it is not reached at all.
        first.connection("connecting");
        first.end(EndKind::connection, "on lab could not be reached: The key is refused");
        QCOMPARE(told.states[3], "connecting");
        QCOMPARE(told.states[4], "gone The key is refused");
        first.connection("connecting");
        first.connection("connected");
        first.end(EndKind::kernel_crash, "crashed");
        QCOMPARE(told.states.back(), "off");
        QCOMPARE(told.states.size(), std::size_t(8));
    }

    /// One worker's files at a time, ten times a second at most, and always their end.
    void filesAreTold() {
        Told told;
        ConnectionWatch watch(told.hooks());
        const Worker first(watch), second(watch);
        second.send(0.1, "sending x: 1 of 10 MB");
        QCOMPARE(told.files, Words({"sending x: 1 of 10 MB"}));
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 2000; ++i) {
            first.send(0.5, "sending y");
            second.send(0.5, "sending x");
        }
        const auto tenths = (std::chrono::steady_clock::now() - begin) / 100ms;
        QVERIFY2(told.files.size() <= std::size_t(tenths + 2), std::to_string(told.files.size()).c_str());
        std::this_thread::sleep_for(150ms);
        second.send(0.9, "sending x: 9 of 10 MB");
        QCOMPARE(told.files.back(), "sending y"); // the first worker has files, too
        first.options.on_progress(1, {"compile", -1, ""});
        std::this_thread::sleep_for(150ms);
        second.send(0.95, "sending x: 9.5 of 10 MB");
        QCOMPARE(told.files.back(), "sending x: 9.5 of 10 MB");
        second.answered();
        QCOMPARE(told.files.back(), "");
        const auto count = told.files.size();
        second.answered(); // nothing was on its way
        first.options.on_progress(2, {"run", 0.5, ""});
        QCOMPARE(told.files.size(), count);
        std::this_thread::sleep_for(150ms);
        first.options.on_progress(2, {"fetch", 0.5, "fetching y"});
        QCOMPARE(told.files.back(), "fetching y");
        first.end(EndKind::connection, "was lost: it is off");
        QCOMPARE(told.files.back(), "");
    }

    void textsAreSaidOnce() {
        Told told;
        ConnectionWatch watch(told.hooks());
        const Worker first(watch), second(watch);
        for (const auto* each : {&first, &second}) {
            each->options.on_log("remote", "Authorised users only.");
            each->options.on_log("stderr", "noise");
        }
        second.options.on_log("remote", "Maintenance at noon.");
        QCOMPARE(told.texts, Words({"Authorised users only.", "Maintenance at noon."}));
    }

    void ownCallbacksStay() {
        Told told;
        ConnectionWatch watch(told.hooks());
        int calls = 0;
        ClientOptions options;
        options.driver = there;
        options.on_log = [&](const std::string&, const std::string&) { ++calls; };
        options.on_progress = [&](int, const Progress&) { ++calls; };
        options.on_exit = [&](const Exit&) { ++calls; };
        (void)watch.attach(options);
        options.on_log("connection", "connected");
        options.on_progress(1, {"send", 0.5, "sending x"});
        options.on_exit({});
        QCOMPARE(calls, 3);
        QCOMPARE(told.states, Words({"connected", "off"}));
        // Of this machine nothing is told.
        const Worker here(watch, "software");
        QVERIFY(!here.options.on_log && !here.options.on_progress && !here.options.on_exit);
        here.answered();
    }

    void workersTellFromTheirOwnThreads() {
        std::atomic<int> inside = 0;
        bool together = false;
        Kind last = Kind::off;
        int files = 0;
        ConnectionWatch::Hooks hooks;
        hooks.on_state = [&](const ConnectionState& state) {
            together = together || inside.fetch_add(1) != 0;
            last = state.kind;
            --inside;
        };
        hooks.on_files = [&](const FilesOnTheirWay& now) {
            together = together || inside.fetch_add(1) != 0;
            files += now.text.empty() ? -1 : 0;
            --inside;
        };
        ConnectionWatch watch(std::move(hooks));
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&] {
                const Worker worker(watch);
                for (int i = 0; i < 300; ++i) {
                    worker.connection("lost");
                    worker.connection("connected");
                    worker.send(0.5, "sending x");
                    worker.answered();
                }
            });
        for (auto& each : threads)
            each.join();
        QVERIFY(!together);
        QVERIFY(last == Kind::connected);
        QVERIFY(files < 0); // ends were told
    }
};

QTEST_GUILESS_MAIN(ConnectionWatchTest)
#include "connection_watch_test.moc"
