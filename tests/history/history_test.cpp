// SPDX-License-Identifier: Apache-2.0
// Runs are kept whole, found again, and lost neither to another program nor to a damaged file.
#include "history/database.hpp"
#include "history/history.hpp"
#include "history/packed_text.hpp"
#include "history/run_difference.hpp"
#include "session/data_file.hpp"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <barrier>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#ifndef _WIN32
#include <csignal>
#include <sys/resource.h>
#endif

using namespace warplight;
using history::Entry;
using history::History;
using history::HistoryError;

namespace {

session::Session some_session() {
    session::Session session;
    session.title = "Scale";
    session.source.path = "scale.cu";
    session.kernel = "scale";
    session.launch.grid = {64, 1, 1};
    session.launch.block = {256, 1, 1};
    session.compile.options = {"-DTILE=8"};
    session::Argument n;
    n.name = "n";
    n.direction = session::Direction::scalar;
    n.value = session::Number{std::int64_t{4096}};
    session::Argument x;
    x.name = "x";
    x.direction = session::Direction::inout;
    x.source = session::ZerosSource{"float32", {4096}};
    session.arguments = {n, x};
    return session;
}

session::Report some_report(double ms) {
    session::Report report;
    report.session = "/work/scale.warplight";
    report.kernel = "scale";
    report.device = {"software", 0, "A processor", "8.0", 0};
    report.times.kernel_ms = {ms, ms + 1, ms + 2};
    report.output = "said \xff by the kernel"; // no UTF-8
    session::ReportOutput output;
    output.name = "x";
    output.direction = "inout";
    output.dtype = "float32";
    output.shape = {4096};
    output.digest = "00ff";
    report.outputs = {output};
    return report;
}

std::string source_of(int version) {
    std::string text = "__global__ void scale(float* x, int n) {\n";
    for (int i = 0; i < 200; ++i)
        text += "    // line " + std::to_string(i) + (i == 50 ? " of version " + std::to_string(version) : "") + "\n";
    return text + "}\n";
}

template <class Act>
HistoryError::Kind kind_of(Act act) {
    try {
        act();
    } catch (const HistoryError& error) {
        if (std::string_view(error.what()).size() < 20) qWarning("%s", error.what());
        return error.kind;
    }
    return HistoryError::Kind::other;
}

} // namespace

class HistoryTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int files_ = 0;
    std::filesystem::path file() {
        return session::path_from_utf8(folder_.filePath(QString("history %1.sqlite").arg(++files_)).toStdString());
    }

private slots:
    void wholeRun();
    void search();
    void searchesThatNobodyWaitsFor();
    void marks();
    void severalAtOnce();
    void sourcesAsDifferences();
    void oldestGo();
    void severalPrograms();
    void begunByAllAtOnce();
    void lockedFile();
    void damagedFile_data();
    void damagedFile();
    void databaseOfAnother();
    void damagedRun();
    void laterVersion();
    void notWritable();
    void fullDisk();
    void tenThousandRuns();
    void differences();
    void changes();
    void earlierVersion();
    void clocksAreKept();
};

void HistoryTest::wholeRun() {
    const auto where = file();
    std::int64_t id = 0;
    {
        History history(where);
        id = history.add(some_session(), source_of(1), some_report(2), "first", "a note");
    }
    const History history(where); // survives
    const auto run = history.get(id);
    QCOMPARE(run.entry.label, std::string("first"));
    QCOMPARE(run.entry.note, std::string("a note"));
    QCOMPARE(run.entry.kernel_ms, 3.0);
    QCOMPARE(run.entry.repeat, 3);
    QCOMPARE(run.entry.launch, std::string("64,1,1 × 256,1,1"));
    QCOMPARE(run.entry.device, std::string("software: A processor"));
    QCOMPARE(run.document.source.text, source_of(1));
    QCOMPARE(run.document.source.name, std::string("scale.cu"));
    QCOMPARE(run.source_file, std::string("scale.cu"));
    QCOMPARE(run.document.arguments.size(), std::size_t{2});
    QCOMPARE(run.document.compile.options, std::vector<std::string>{"-DTILE=8"});
    QCOMPARE(run.report.outputs.at(0).digest, std::string("00ff"));
    QCOMPARE(run.report.times.kernel_ms, (std::vector<double>{2, 3, 4}));
    QVERIFY(run.report.output.starts_with("said "));
    QVERIFY(kind_of([&] { (void)history.get(id + 1); }) == HistoryError::Kind::missing);
}

void HistoryTest::search() {
    History history(file());
    auto session = some_session();
    history.add(session, source_of(1), some_report(1));
    session.kernel = "transpose";
    session.launch.block = {32, 8, 1};
    history.add(session, source_of(1), some_report(1), "100% of it");
    session.arguments[0].value = session::Number{std::int64_t{77}};
    auto report = some_report(1);
    report.session = "/work/other.warplight";
    history.add(session, source_of(2), report);

    const auto count = [&](const char* text) { return history.count({.text = text}); };
    QCOMPARE(count(""), std::size_t{3});
    QCOMPARE(count("TRANS"), std::size_t{2});
    QCOMPARE(count("transpose n=77"), std::size_t{1});
    QCOMPARE(count("32,8"), std::size_t{2});
    QCOMPARE(count("100%"), std::size_t{1});
    QCOMPARE(count("1_0"), std::size_t{0}); // no wildcard
    QCOMPARE(count("tile=8"), std::size_t{3});
    QCOMPARE(count("'; DROP TABLE runs; --"), std::size_t{0});
    QCOMPARE(history.count({.session = "/work/other.warplight"}), std::size_t{1});
    const auto newest = history.find({.limit = 2});
    QCOMPARE(newest.size(), std::size_t{2});
    QCOMPARE(newest[0].id, 3);
    QCOMPARE(history.find({.limit = 2, .offset = 2}).at(0).id, 1);
}

void HistoryTest::searchesThatNobodyWaitsFor() {
    History history(file());
    for (int i = 0; i < 50; ++i)
        history.add(some_session(), source_of(1), some_report(i));
    int asked = 0;
    history.set_cancelled([&asked] { return ++asked > 0; });
    QVERIFY_THROWS_EXCEPTION(HistoryError, (void)history.find({.text = "nowhere"}));
    QVERIFY(asked > 0);
    history.set_cancelled([] { return false; });
    QCOMPARE(history.find({.text = "scale"}).size(), std::size_t{50});
    history.set_cancelled({});
    QCOMPARE(history.find({.text = "scale"}).size(), std::size_t{50});
}

void HistoryTest::marks() {
    History history(file());
    const auto id = history.add(some_session(), source_of(1), some_report(1));
    history.set_label(id, "best so far");
    history.set_note(id, "with a larger tile");
    history.set_pinned(id, true);
    const auto entry = history.find({.text = "larger best", .pinned = true}).at(0);
    QCOMPARE(entry.label, std::string("best so far"));
    QVERIFY(entry.pinned);
    for (const auto& act :
         std::vector<std::function<void()>>{[&] { history.set_label(9, ""); }, [&] { history.set_note(9, ""); },
                                            [&] { history.set_pinned(9, true); }, [&] { history.remove(9); }})
        QVERIFY(kind_of(act) == HistoryError::Kind::missing);
    history.remove(id);
    QCOMPARE(history.count({}), std::size_t{0});
    QVERIFY(history.add(some_session(), source_of(1), some_report(1)) > id); // a number is not given twice
}

void HistoryTest::severalAtOnce() {
    History history(file());
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 4; ++i)
        ids.push_back(history.add(some_session(), source_of(i), some_report(i)));
    const std::vector<std::int64_t> some{ids[0], 77, ids[2]}; // another program has removed 77
    history.set_pinned(some, true);
    QCOMPARE(history.count({.pinned = true}), std::size_t{2});
    history.set_pinned(some, false);
    QCOMPARE(history.count({.pinned = true}), std::size_t{0});
    history.remove(some);
    QCOMPARE(history.count({}), std::size_t{2});
    QCOMPARE(history.get(ids[1]).document.source.text, source_of(1));
    QVERIFY(kind_of([&] { history.remove(some); }) == HistoryError::Kind::missing);
    history.remove(std::span<const std::int64_t>());
    QCOMPARE(history.count({}), std::size_t{2});
}

void HistoryTest::sourcesAsDifferences() {
    const std::string base = source_of(1), next = source_of(2);
    const auto packed = history::pack(next, base);
    QVERIFY2(packed.size() < 60, qPrintable(QString::number(packed.size())));
    QCOMPARE(history::unpack(packed, next.size(), base), next);
    QCOMPARE(history::unpack(history::pack(""), 0), std::string());
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, history::unpack(packed, next.size()));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, history::unpack(packed, next.size() - 1, base));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, history::unpack("nonsense", 8));

    History history(file());
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 20; ++i)
        ids.push_back(history.add(some_session(), source_of(i), some_report(1)));
    history.remove(ids[0]); // that others differ from
    for (int i = 1; i < 20; ++i)
        QCOMPARE(history.get(ids[static_cast<std::size_t>(i)]).document.source.text, source_of(i));
}

void HistoryTest::oldestGo() {
    History history(file());
    for (int i = 0; i < 10; ++i)
        history.add(some_session(), source_of(i), some_report(1));
    history.set_pinned(2, true);
    QCOMPARE(history.keep_newest(3), std::size_t{6});
    std::vector<std::int64_t> left;
    for (const auto& entry : history.find({}))
        left.push_back(entry.id);
    QCOMPARE(left, (std::vector<std::int64_t>{10, 9, 8, 2}));
    QCOMPARE(history.get(10).document.source.text, source_of(9));
    QCOMPARE(history.keep_newest(3), std::size_t{0});
}

void HistoryTest::severalPrograms() {
    const auto where = file();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&where, t] {
            History history(where); // each makes the file if none has
            for (int i = 0; i < 25; ++i)
                history.add(some_session(), source_of(100 * t + i), some_report(t));
        });
    for (auto& thread : threads)
        thread.join();
    QCOMPARE(History(where).count({}), std::size_t{100});
}

/// A new file: each makes the tables or finds them, and begins the log. Some were once told that the file is locked.
void HistoryTest::begunByAllAtOnce() {
    for (int round = 0; round < 300; ++round) {
        const auto where = file();
        std::barrier together(3);
        std::array<std::string, 3> problems;
        std::vector<std::thread> threads;
        for (std::string& problem : problems)
            threads.emplace_back([&] {
                together.arrive_and_wait();
                try {
                    const History history(where);
                } catch (const HistoryError& error) {
                    problem = error.what();
                }
            });
        for (auto& thread : threads)
            thread.join();
        for (const std::string& problem : problems)
            QCOMPARE(problem, std::string());
    }
}

void HistoryTest::lockedFile() {
    const auto where = file();
    History history(where);
    history.add(some_session(), source_of(1), some_report(1));
    QProcess python;
    python.start("python3", {"-c",
                             "import sqlite3, sys\n"
                             "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
                             "db.execute('BEGIN IMMEDIATE')\nprint('held', flush=True)\nsys.stdin.read()",
                             QString::fromStdString(session::utf8_of(where))});
    if (!python.waitForStarted()) QSKIP("there is no Python here");
    QVERIFY(python.waitForReadyRead());
    QVERIFY(kind_of([&] { history.add(some_session(), source_of(2), some_report(1)); }) == HistoryError::Kind::locked);
    QCOMPARE(history.count({}), std::size_t{1}); // reading goes on
    // Who does not want to wait gets away at once.
    QElapsedTimer waited;
    waited.start();
    history.set_cancelled([&waited] { return waited.elapsed() > 100; });
    QVERIFY(kind_of([&] { history.set_label(1, "waits"); }) == HistoryError::Kind::locked);
    QVERIFY2(waited.elapsed() < 2000, qPrintable(QString::number(waited.elapsed())));
    history.set_cancelled({});
    python.closeWriteChannel();
    QVERIFY(python.waitForFinished());
    history.add(some_session(), source_of(2), some_report(1));
    QCOMPARE(history.count({}), std::size_t{2});
}

void HistoryTest::damagedFile_data() {
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("no database") << QByteArray(5000, 'x');
    QTest::newRow("a part of one") << QByteArray("SQLite format 3\0\x10\0\1\1", 20) + QByteArray(5000, '\xff');
}
void HistoryTest::damagedFile() {
    QFETCH(QByteArray, begin);
    const auto where = file();
    QFile written(QString::fromStdString(session::utf8_of(where)));
    QVERIFY(written.open(QFile::WriteOnly));
    written.write(begin);
    written.close();
    QVERIFY(kind_of([&] { const History history(where); }) == HistoryError::Kind::damaged);
    QVERIFY(written.open(QFile::ReadOnly));
    QCOMPARE(written.readAll(), begin); // it is as it was
}

void HistoryTest::databaseOfAnother() {
    const auto where = file();
    history::Database(where).execute("CREATE TABLE theirs(x); PRAGMA user_version = 1");
    QFile written(QString::fromStdString(session::utf8_of(where)));
    QVERIFY(written.open(QFile::ReadOnly));
    const QByteArray before = written.readAll();
    QVERIFY(kind_of([&] { const History history(where); }) == HistoryError::Kind::damaged);
    QVERIFY(written.seek(0));
    QCOMPARE(written.readAll(), before);
}

void HistoryTest::damagedRun() {
    const auto where = file();
    const QString name = QString::fromStdString(session::utf8_of(where));
    {
        History history(where);
        history.add(some_session(), source_of(1), some_report(1));
        history.add(some_session(), source_of(2), some_report(1));
    }
    QProcess python;
    python.start("python3", {"-c",
                             "import sqlite3, sys\n"
                             "db = sqlite3.connect(sys.argv[1])\n"
                             "db.execute(\"UPDATE details SET report = x'00' WHERE run = 1\")\ndb.commit()",
                             name});
    if (!python.waitForStarted()) QSKIP("there is no Python here");
    QVERIFY(python.waitForFinished() && python.exitCode() == 0);
    History history(where);
    QVERIFY(kind_of([&] { (void)history.get(1); }) == HistoryError::Kind::damaged);
    QCOMPARE(history.get(2).document.source.text, source_of(2));
    QCOMPARE(history.find({}).size(), std::size_t{2});
    history.remove(1);
    QCOMPARE(history.find({}).size(), std::size_t{1});
}

void HistoryTest::laterVersion() {
    const auto where = file();
    {
        const History history(where);
    }
    QFile written(QString::fromStdString(session::utf8_of(where)));
    QVERIFY(written.open(QFile::ReadWrite));
    QVERIFY(written.seek(60)); // user_version, as SQLite's file format has it
    written.write(QByteArray("\0\0\0\7", 4));
    written.close();
    QVERIFY(kind_of([&] { const History history(where); }) == HistoryError::Kind::too_new);
}

void HistoryTest::notWritable() {
    const auto folder = session::path_from_utf8(folder_.filePath("a file").toStdString());
    QFile written(folder_.filePath("a file"));
    QVERIFY(written.open(QFile::WriteOnly));
    written.close();
    QVERIFY(kind_of([&] { const History history(folder / "history.sqlite"); }) == HistoryError::Kind::not_writable);
}

/// A limit on the size of files behaves like a full disk.
void HistoryTest::fullDisk() {
#ifdef _WIN32
    QSKIP("Windows has no limit on the size of files");
#else
    const auto where = file();
    History history(where);
    history.add(some_session(), source_of(1), some_report(1));
    std::mt19937_64 random(1);
    std::string large; // that nothing packs
    while (large.size() < std::size_t{1} << 20)
        large += std::to_string(random());
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto heard = signal(SIGXFSZ, SIG_IGN);
    const rlimit few{rlim_t{1} << 18, before.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &few), 0);
    const auto kind = kind_of([&] { history.add(some_session(), large, some_report(2)); });
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, heard);
    QVERIFY(kind == HistoryError::Kind::full);
    QCOMPARE(history.find({}).size(), std::size_t{1});
    history.add(some_session(), large, some_report(2)); // there is room again
    QCOMPARE(history.get(history.find({}).front().id).document.source.text, large);
#endif
}

/// With figures, for docs/history.md. WARPLIGHT_KEPT_RUNS names a new file that the runs are left in.
void HistoryTest::tenThousandRuns() {
    const QString kept = qEnvironmentVariable("WARPLIGHT_KEPT_RUNS");
    const auto where = kept.isEmpty() ? file() : session::path_from_utf8(kept.toStdString());
    {
        History history(where);
        for (int i = 0; i < 10000; ++i) {
            auto session = some_session();
            session.launch.block = {static_cast<std::uint32_t>(32 * (i % 32 + 1)), 1, 1};
            history.add(session, source_of(i / 4), some_report(i));
        }
    }
    QElapsedTimer timer;
    timer.start();
    History history(where);
    const auto first = history.find({});
    const auto opened = timer.nsecsElapsed();
    QCOMPARE(first.size(), std::size_t{200});
    timer.restart();
    const auto found = history.find({.text = "scale 992,1,1"});
    const auto all = history.count({.text = "scale 992,1,1"});
    const auto searched = timer.nsecsElapsed();
    QCOMPARE(all, std::size_t{312});
    QCOMPARE(found.size(), std::size_t{200});
    timer.restart();
    QCOMPARE(history.get(5000).document.source.text, source_of(4999 / 4));
    const auto read = timer.nsecsElapsed();
    const auto size = static_cast<long long>(std::filesystem::file_size(where) / 1024);
    timer.restart();
    history.add(some_session(), source_of(1), some_report(1));
    history.keep_newest(10000);
    const auto added = timer.nsecsElapsed();
    std::vector<std::int64_t> half(5000);
    std::iota(half.begin(), half.end(), 5001);
    timer.restart();
    history.set_pinned(half, true);
    const auto pinned = timer.nsecsElapsed();
    timer.restart();
    history.remove(half);
    const auto removed = timer.nsecsElapsed();
    QCOMPARE(history.count({}), std::size_t{5000});
    qInfo(
        "10,000 runs, %lld KiB: opened in %.1f ms, searched in %.1f ms, one read in %.1f ms, one added and the oldest "
        "removed in %.1f ms; 5000 pinned in %.1f ms, removed in %.1f ms",
        size, double(opened) / 1e6, double(searched) / 1e6, double(read) / 1e6, double(added) / 1e6,
        double(pinned) / 1e6, double(removed) / 1e6);
}

void HistoryTest::differences() {
    History history(file());
    auto session = some_session();
    auto report = some_report(1);
    report.function["num_regs"] = 32;
    const auto a = history.add(session, source_of(1), report);
    session.launch.block = {128, 1, 1};
    session.arguments[0].value = session::Number{std::int64_t{5}};
    session.arguments.pop_back();
    report.function["num_regs"] = 40;
    report.outputs[0].digest = "1234";
    const auto b = history.add(session, source_of(2), report);
    const auto result = history::difference(history.get(a), history.get(b));
    const auto names = [](const std::vector<history::Difference>& all) {
        std::string text;
        for (const auto& each : all)
            text += each.what + ";";
        return text;
    };
    QCOMPARE(names(result.settings), std::string("block;argument n;argument x;"));
    QCOMPARE(names(result.results), std::string("num_regs;result x;"));
    QVERIFY(result.settings[2].after.empty());
    const auto patch = history::unified_text(result.source, "a", "b");
    QVERIFY(patch.find("-    // line 50 of version 1\n+    // line 50 of version 2\n") != std::string::npos);
    const auto same = history::difference(history.get(a), history.get(a));
    QVERIFY(same.source.empty());
    QCOMPARE(same.same_outputs, std::vector<std::string>{"x"});
    QVERIFY(result.times && !result.times->enough); // three repeats
    QCOMPARE(history::times_text(*result.times, "run 1", "run 2"),
             std::string("Run 2 is 1.00 times as fast as run 1. Whether by chance cannot be told: that takes 4 repeats "
                         "of each."));
}

void HistoryTest::changes() {
    History history(file());
    auto session = some_session();
    auto report = some_report(1);
    const auto changed = [&](int version) {
        return history.get(history.add(session, source_of(version), report)).entry.change;
    };
    QCOMPARE(changed(1), std::string()); // the first
    QCOMPARE(changed(1), std::string("nothing"));
    session.launch.block = {128, 1, 1};
    QCOMPARE(changed(1), std::string("block 256 → 128"));
    QCOMPARE(changed(2), std::string("source: 1 line"));
    session.arguments[0].value = session::Number{std::int64_t{5}};
    session.compile.options = {};
    QCOMPARE(changed(2), std::string("options -DTILE=8 → none, n 4096 → 5"));
    session.arguments[1].source = session::ZerosSource{"float32", {64}};
    session.arguments.erase(session.arguments.begin());
    session.launch.grid = {2, 3, 1};
    QCOMPARE(changed(3), std::string("source: 1 line, grid 64 → 2,3 and 2 more"));
    report.session = "/work/other.warplight";
    QCOMPARE(changed(3), std::string()); // the first of another document
    report.session.clear();
    QCOMPARE(changed(3), std::string());
    session.title = "another loose source";
    QCOMPARE(changed(3), std::string());
    QCOMPARE(history.count({.session = ""}), std::size_t{0});
    QCOMPARE(history.count({.session = "", .title = "Scale"}), std::size_t{1});
    QCOMPARE(history.find({.before = 3}).size(), std::size_t{2});
}

/// As version 1 made it.
void HistoryTest::earlierVersion() {
    const auto where = file();
    {
        History history(where);
        history.add(some_session(), source_of(1), some_report(1), "early");
    }
    history::Database(where).execute("ALTER TABLE runs DROP COLUMN change; "
                                     "ALTER TABLE runs DROP COLUMN clocks; PRAGMA user_version = 1");
    History history(where);
    QCOMPARE(history.find({}).at(0).label, std::string("early"));
    QCOMPARE(history.find({}).at(0).change, std::string());
    auto session = some_session();
    session.launch.block = {64, 1, 1};
    history.add(session, source_of(1), some_report(1));
    QCOMPARE(history.find({}).at(0).change, std::string("block 256 → 64"));
}

/// And as version 2 did: clocks are kept from then on.
void HistoryTest::clocksAreKept() {
    const auto where = file();
    {
        History history(where);
        history.add(some_session(), source_of(1), some_report(1), "early");
    }
    history::Database(where).execute("ALTER TABLE runs DROP COLUMN clocks; PRAGMA user_version = 2");
    History history(where);
    auto report = some_report(1);
    report.clocks.emplace();
    report.clocks->sm_mhz = session::ClockRange{1410, 1980};
    report.clocks->held_by = {driver::ClockLimit::applications_setting, driver::ClockLimit::power_cap};
    report.cold_l2 = true;
    const auto throttled = history.add(some_session(), source_of(1), report);
    report.clocks->sm_mhz->low = 1980;
    report.clocks->held_by.pop_back(); // a setting is no doubt
    const auto steady = history.add(some_session(), source_of(1), report);
    QCOMPARE(history.get(1).entry.clocks, std::string());
    QCOMPARE(history.get(throttled).entry.clocks, std::string("power_cap changed"));
    QCOMPARE(history.find({}).at(1).clocks, std::string("power_cap changed"));
    QCOMPARE(history.get(steady).entry.clocks, std::string());
    const auto changes = history::difference(history.get(throttled), history.get(steady));
    const auto found = [&](const std::string& what) {
        return std::ranges::find(changes.results, what, &history::Difference::what);
    };
    QVERIFY(found("SM clock") != changes.results.end());
    QCOMPARE(found("SM clock")->before, std::string("1410 … 1980 MHz"));
    QCOMPARE(found("clocks")->before, std::string("power_cap changed"));
    const auto settings = history::difference(history.get(1), history.get(steady)).settings;
    QVERIFY(std::ranges::find(settings, "L2 cache", &history::Difference::what) != settings.end());
}

QTEST_GUILESS_MAIN(HistoryTest)
#include "history_test.moc"
