// SPDX-License-Identifier: Apache-2.0
// Temporary files and caches under attack: names that another user guesses, links in the way, processes that were
// killed, entries that were exchanged.
#include "compiler/temporary_folder.hpp"
#include "files/cache_folder.hpp"
#include "files/held_folder.hpp"
#include "files/new_file.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace warplight;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr uid_t kOther = 65534;

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

unsigned mode_of(const fs::path& path) {
    struct stat status{};
    return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

/// Whether a file can be made another user's. The administrator of a user namespace without other users cannot do so.
bool can_give_away() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    write(file, "");
    return chown(file.c_str(), kOther, kOther) == 0;
}

/// A digest for tests: it sees any change of one byte.
std::string sum(std::string_view bytes) {
    std::uint64_t value = 14695981039346656037ULL;
    for (const char c : bytes)
        value = (value ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

/// This program as another process (main() below). It makes a folder or a file in `folder`, says so, and waits.
class Child {
public:
    Child(const char* what, const QString& folder) {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("WARPLIGHT_TEST_LEFTOVERS", what);
        environment.insert("TMPDIR", folder);
        process_.setProcessEnvironment(environment);
        process_.start(QCoreApplication::applicationFilePath(), QStringList());
    }
    bool made() {
        QElapsedTimer timer;
        timer.start();
        while (!process_.readAllStandardOutput().contains("made"))
            if (timer.elapsed() > 20000 || !process_.waitForReadyRead(20000)) return false;
        return true;
    }
    bool kill() {
        process_.kill(); // SIGKILL
        return process_.waitForFinished(20000);
    }
    bool end() {
        process_.closeWriteChannel();
        return process_.waitForFinished(20000) && process_.exitStatus() == QProcess::NormalExit;
    }

private:
    QProcess process_;
};

void say_and_wait() {
    std::fputs("made\n", stdout);
    std::fflush(stdout);
    char c = 0;
    while (::read(STDIN_FILENO, &c, 1) > 0) {
    }
}

} // namespace

class LeftoversTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path path(const char* name = "") const { return fs::path(folder_->path().toStdString()) / name; }
    QStringList names() const {
        return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }
    files::CacheFolder cache(std::uint64_t limit = 1 << 20, bool chosen = false) const {
        return files::CacheFolder({.folder = path("cache"),
                                   .chosen = chosen,
                                   .magic = "test 1\n",
                                   .suffix = ".entry",
                                   .limit = limit,
                                   .digest = &sum});
    }

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("TMPDIR", folder_->path().toUtf8());
    }
    void cleanup() { qunsetenv("TMPDIR"); }

    void guessed_names_are_of_no_use() {
        const fs::path victim = path("victim");
        fs::create_directory(victim);
        // The names that another user can guess lead to the victim's folder.
        for (int i = 0; i < 200; ++i)
            fs::create_directory_symlink(victim,
                                         path() / ("warplight-" + std::to_string(getpid()) + "-" + std::to_string(i)));
        std::set<fs::path> seen;
        for (int i = 0; i < 20; ++i) {
            const compiler::TemporaryFolder temporary;
            compiler::write_whole_file(temporary.path / "source.cu", "text");
            QVERIFY(fs::is_empty(victim));
            QCOMPARE(mode_of(temporary.path), 0700U);
            QVERIFY(seen.insert(temporary.path.filename()).second);
            QVERIFY(!fs::exists(path() / temporary.path.filename() / "nothing"));
        }
        for (const fs::path& name : seen)
            QVERIFY(!fs::exists(path() / name));
    }

    void folders_of_dead_processes_go() {
        Child dead("folder", folder_->path()), alive("folder", folder_->path());
        QVERIFY(dead.made() && alive.made());
        QCOMPARE(names().size(), 2);
        QVERIFY(dead.kill());
        QCOMPARE(names().size(), 2);
        {
            const files::HeldFolder next("compile");
            QCOMPARE(names().size(), 2); // the living one's and the new one
            QVERIFY(fs::exists(next.path()));
        }
        QVERIFY(alive.end());
        QCOMPARE(names(), QStringList());
    }

    void what_others_have_is_not_touched() {
        const std::string name = "warplight-compile-aaaaaaaaa";
        const fs::path target = path("target");
        fs::create_directory(target);
        write(target / ".warplight-held", "");
        write(target / "file", "text");
        fs::create_directory_symlink(target, path((name + "a").c_str()));
        write(path((name + "b").c_str()), "a file");
        // A folder that only has such a name.
        fs::create_directory(path((name + "c").c_str()));
        write(path((name + "c").c_str()) / "file", "text");
        fs::create_directory(path("warplight-demo-backup"));
        write(path("warplight-demo-backup") / ".warplight-held", "");
        if (can_give_away()) {
            const fs::path others = path((name + "d").c_str());
            fs::create_directory(others);
            write(others / ".warplight-held", "");
            QCOMPARE(chown(others.c_str(), kOther, kOther), 0);
        }
        const QStringList before = names();
        files::remove_dead_folders();
        QCOMPARE(names(), before);
        QCOMPARE(read(target / "file"), std::string("text"));
        QCOMPARE(read(path((name + "c").c_str()) / "file"), std::string("text"));
    }

    void a_folder_of_ones_own() {
        const fs::path mine = path("mine");
        files::own_folder(mine);
        QCOMPARE(mode_of(mine), 0700U);
        fs::permissions(mine, fs::perms(0777));
        files::own_folder(mine);
        QCOMPARE(mode_of(mine), 0700U);
        fs::create_directory_symlink(mine, path("link"));
        QVERIFY_THROWS_EXCEPTION(files::Problem, files::own_folder(path("link")));
        write(path("file"), "text");
        QVERIFY_THROWS_EXCEPTION(files::Problem, files::own_folder(path("file")));
        // Somebody was there before: a folder of this process instead.
        const std::string name = "warplight-cache-" + std::to_string(geteuid());
        fs::create_directory_symlink(mine, path(name.c_str()));
        const fs::path instead = files::own_temporary_folder("warplight-cache");
        QVERIFY(instead.filename() != name);
        QCOMPARE(mode_of(instead), 0700U);
        if (can_give_away()) {
            QCOMPARE(chown(mine.c_str(), kOther, kOther), 0);
            QVERIFY_THROWS_EXCEPTION(files::Problem, files::own_folder(mine));
        }
    }

    void files_are_whole_or_not_there() {
        const fs::path file = path("y.npy"), victim = path("victim");
        write(victim, "precious");
        for (int i = 1; i < 100; ++i)
            fs::create_symlink(victim,
                               path(("y.npy.part-" + std::to_string(getpid()) + "-" + std::to_string(i)).c_str()));
        write_file_atomically(file, "first");
        QCOMPARE(read(file), std::string("first"));
        QCOMPARE(read(victim), std::string("precious"));
        const QStringList before = names();
        // A writer that fails, and a disk that is full.
        QVERIFY_THROWS_EXCEPTION(std::logic_error, files::write_new_file(file, [](files::NewFile& out) {
                                     out.write(std::string_view("half"));
                                     throw std::logic_error("stop");
                                 }));
        rlimit before_limit{};
        getrlimit(RLIMIT_FSIZE, &before_limit);
        const rlimit small{1 << 20, before_limit.rlim_max};
        std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        std::string problem;
        try {
            write_file_atomically(file, std::string(3 << 20, 'x'));
        } catch (const driver::FileError& error) {
            problem = error.what();
        }
        setrlimit(RLIMIT_FSIZE, &before_limit);
        QVERIFY2(problem.find("cannot be written: File too large") != std::string::npos, problem.c_str());
        QCOMPARE(read(file), std::string("first"));
        QCOMPARE(names(), before);
        // A device or a pipe is not replaced by a file.
        QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
        QVERIFY_THROWS_EXCEPTION(driver::FileError, write_file_atomically(path("pipe"), "text"));
        QVERIFY_THROWS_EXCEPTION(driver::FileError, write_file_atomically(path("none") / "file", "text"));
        QVERIFY(fs::is_fifo(path("pipe")));
        // A name as long as names may be.
        const std::string longest(255, 'n');
        write_file_atomically(path(longest.c_str()), "text");
        QCOMPARE(read(path(longest.c_str())), std::string("text"));
        // Permissions are those of any new file.
        const mode_t mask = umask(022);
        write_file_atomically(path("readable"), "text");
        umask(mask);
        QCOMPARE(mode_of(path("readable")), 0644U);
    }

    void half_files_of_dead_processes_go() {
        Child dead("file", folder_->path()), alive("file", folder_->path());
        QVERIFY(dead.made() && alive.made());
        QCOMPARE(names().size(), 2);
        QVERIFY(dead.kill());
        // A link under such a name, and another user's file.
        write(path("victim"), "precious");
        fs::create_symlink(path("victim"), path(".x.warplight-aaaaaaaaaa"));
        QStringList stay = {".x.warplight-aaaaaaaaaa", "other", "victim"};
        if (can_give_away()) {
            write(path(".y.warplight-aaaaaaaaaa"), "another user's");
            QCOMPARE(chown(path(".y.warplight-aaaaaaaaaa").c_str(), kOther, kOther), 0);
            stay.prepend(".y.warplight-aaaaaaaaaa");
        }
        write_file_atomically(path("other"), "text");
        QCOMPARE(names().size(), stay.size() + 1);
        QVERIFY(alive.end());
        stay << "result";
        QStringList found = names();
        found.sort(), stay.sort();
        QCOMPARE(found, stay);
        QCOMPARE(read(path("result")), std::string("first second"));
        QCOMPARE(read(path("victim")), std::string("precious"));
    }

    void entries_carry_their_keys() {
        const auto cache = this->cache();
        cache.keep("one", "text 1");
        cache.keep("two", "text 2");
        QCOMPARE(cache.find("one").value(), std::string("text 1"));
        fs::copy_file(path("cache/one.entry"), path("cache/two.entry"), fs::copy_options::overwrite_existing);
        QVERIFY(!cache.find("two"));
        QVERIFY(!fs::exists(path("cache/two.entry")));
        QCOMPARE(cache.find("one").value(), std::string("text 1"));
        QVERIFY(!cache.find("three"));
        cache.keep("empty", "");
        QCOMPARE(cache.find("empty").value(), std::string());
    }

    void damaged_entries_are_absent() {
        const auto cache = this->cache();
        cache.keep("key", "the value of the key");
        const std::string whole = read(path("cache/key.entry"));
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            for (const std::string& bytes : {changed, whole.substr(0, i)}) {
                write(path("cache/key.entry"), bytes);
                QVERIFY(!cache.find("key"));
                QVERIFY(!fs::exists(path("cache/key.entry")));
            }
        }
        write(path("cache/key.entry"), whole + "x");
        QVERIFY(!cache.find("key"));
        write(path("cache/key.entry"), whole);
        QVERIFY(cache.find("key"));
    }

    void a_cache_has_a_limit() {
        const std::string value(1000, 'v');
        const auto cache = this->cache(20000);
        const auto age = [&] { // what was used so far was used an hour earlier
            for (const auto& entry : fs::directory_iterator(path("cache")))
                fs::last_write_time(entry.path(), entry.last_write_time() - 1h);
        };
        cache.keep("a", value);
        cache.keep("b", value);
        age();
        write(path("cache/mine.txt"), std::string(50000, 'x')); // nobody's entry
        for (int i = 0; i < 100; ++i) {
            cache.keep("k" + std::to_string(i), value);
            std::uintmax_t total = 0;
            for (const auto& entry : fs::directory_iterator(path("cache")))
                if (entry.path().extension() == ".entry") total += entry.file_size();
            QVERIFY2(total <= 20000, std::to_string(total).c_str());
            QVERIFY(cache.find("a")); // used again and again
            age();
        }
        QVERIFY(!cache.find("b"));
        QVERIFY(cache.find("k99") && cache.find("k95"));
        QVERIFY(fs::exists(path("cache/mine.txt")));
        cache.keep("huge", std::string(30000, 'h'));
        QVERIFY(!cache.find("huge") && cache.find("k99"));
    }

    void a_cache_of_others_is_not_used() {
        const auto chosen = cache(1 << 20, true);
        chosen.keep("key", "value");
        QVERIFY(chosen.find("key"));
        fs::permissions(path("cache"), fs::perms(0777));
        QVERIFY(!chosen.find("key")); // every user could have written it
        QCOMPARE(mode_of(path("cache")), 0777U);
        const auto own = cache();
        QVERIFY(own.find("key"));
        QCOMPARE(mode_of(path("cache")), 0700U);
        fs::rename(path("cache"), path("elsewhere"));
        fs::create_directory_symlink(path("elsewhere"), path("cache"));
        QVERIFY(!own.find("key"));
        own.keep("other", "value");
        QVERIFY(!fs::exists(path("elsewhere/other.entry")));
        if (!can_give_away()) return;
        fs::remove(path("cache"));
        fs::rename(path("elsewhere"), path("cache"));
        QVERIFY(own.find("key"));
        QCOMPARE(chown(path("cache/key.entry").c_str(), kOther, kOther), 0);
        QVERIFY(!own.find("key"));
        QCOMPARE(chown(path("cache").c_str(), kOther, kOther), 0);
        own.keep("key", "value");
        QVERIFY(!own.find("key"));
    }
};

int main(int argc, char** argv) {
    const QByteArray what = qgetenv("WARPLIGHT_TEST_LEFTOVERS");
    if (what == "folder") {
        const files::HeldFolder held("compile");
        write(held.path() / "file", "text");
        fs::create_directories(held.path() / "in" / "it");
        say_and_wait();
        return 0;
    }
    if (what == "file") {
        files::write_new_file(files::temporary_folder() / "result", [](files::NewFile& file) {
            file.write(std::string_view("first "));
            say_and_wait();
            file.write(std::string_view("second"));
        });
        return 0;
    }
    const QCoreApplication application(argc, argv);
    LeftoversTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "leftovers_test.moc"
