// SPDX-License-Identifier: Apache-2.0
// The store of a far machine: what comes is kept, what is wrong is not, and there is an end to its size.
#include "remote/kept_folders.hpp"
#include "remote/store.hpp"
#include "remote/transfer.hpp"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace warplight;
using namespace warplight::remote;
namespace fs = std::filesystem;

namespace {

std::vector<std::byte> noise(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(size);
    for (std::byte& each : bytes)
        each = static_cast<std::byte>(random());
    return bytes;
}

std::string digest(std::span<const std::byte> bytes) {
    return compiler::sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<std::byte> content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::size_t files_below(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::ranges::count_if(fs::recursive_directory_iterator(folder),
                              [](const fs::directory_entry& each) { return each.is_regular_file(); }));
}

/// A use some seconds ago.
void age(const fs::path& folder, const std::string& name, int seconds) {
    fs::last_write_time(folder / name.substr(0, 2) / name,
                        fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

} // namespace

class RemoteStoreTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> temporary_;
    fs::path folder_, target_;

private slots:
    void init() {
        temporary_ = std::make_unique<QTemporaryDir>();
        folder_ = fs::path(temporary_->path().toStdString()) / "data";
        target_ = fs::path(temporary_->path().toStdString()) / "x";
    }

    void what_comes_is_there() {
        Store store(folder_);
        const auto bytes = noise(3'000'000, 1);
        const std::string name = digest(bytes);
        QVERIFY(!store.holds(name, bytes.size()));
        QVERIFY(!store.place(name, target_));
        {
            const auto incoming = store.receive(name, bytes.size());
            QCOMPARE(incoming->have(), 0ull);
            for (std::size_t at = 0; at < bytes.size(); at += 1'000'000)
                incoming->write(std::span(bytes).subspan(at, 1'000'000));
            QVERIFY(!store.holds(name, bytes.size())); // whole or not at all
            incoming->finish();
        }
        QVERIFY(store.holds(name, bytes.size()));
        QVERIFY(!store.holds(name, bytes.size() - 1));
        QVERIFY(store.place(name, target_));
        QVERIFY(content(target_) == bytes);
        QCOMPARE(fs::hard_link_count(target_), 2u); // no second copy
        QCOMPARE(fs::status(target_).permissions() & fs::perms::all, fs::perms::owner_read);
        std::ofstream(target_.string() + "2") << "older";
        QVERIFY(store.place(name, target_.string() + "2")); // in place of another file
        QVERIFY(content(target_.string() + "2") == bytes);
        QVERIFY(store.place(name, target_)); // and of itself
        QCOMPARE(files_below(folder_.parent_path()), 3u);
        QCOMPARE(store.used(), std::uint64_t{bytes.size()});
        QCOMPARE(fs::status(folder_).permissions() & fs::perms::all, fs::perms::owner_all);
    }

    void files_are_copied_where_links_are_impossible() {
        const QTemporaryDir other("/dev/shm/remote_store_test-XXXXXX");
        struct stat here{}, there{};
        if (!other.isValid() || stat(temporary_->path().toUtf8(), &here) || stat(other.path().toUtf8(), &there) ||
            here.st_dev == there.st_dev)
            QSKIP("there is no second file system");
        Store store(folder_);
        const auto bytes = noise(10'000, 70);
        store.add(digest(bytes), bytes);
        const fs::path target = fs::path(other.path().toStdString()) / "x";
        std::ofstream(target) << "older";
        QVERIFY(store.place(digest(bytes), target));
        QVERIFY(content(target) == bytes);
        QCOMPARE(files_below(target.parent_path()), 1u);
    }

    void small_files_come_at_once_and_empty_ones_too() {
        Store store(folder_);
        for (const std::size_t size : {0, 1, 1000}) {
            const auto bytes = noise(size, 2);
            store.add(digest(bytes), bytes);
            QVERIFY(store.holds(digest(bytes), size));
            QVERIFY(store.place(digest(bytes), target_));
            QVERIFY(content(target_) == bytes);
        }
        QVERIFY_THROWS_EXCEPTION(TransferError, store.add(digest(noise(5, 3)), noise(5, 4)));
        QVERIFY_THROWS_EXCEPTION(TransferError, store.holds("../../etc/passwd", 1));
        QVERIFY_THROWS_EXCEPTION(TransferError, store.receive(std::string(64, '/'), 1));
        QCOMPARE(files_below(folder_), 3u);
    }

    // A process is cut off at random places, and the next one goes on where it ended.
    void what_has_come_stays_after_a_cut() {
        const auto bytes = noise(2'000'000, 5);
        const std::string name = digest(bytes);
        std::mt19937 random(7);
        std::uint64_t have = 0;
        int cuts = 0;
        while (have < bytes.size()) {
            Store store(folder_); // of a new holder
            const auto incoming = store.receive(name, bytes.size());
            QCOMPARE(incoming->have(), have);
            for (std::size_t pieces = random() % 4; pieces > 0 && have < bytes.size(); --pieces) {
                const auto size = std::min<std::uint64_t>(1 + random() % 300'000, bytes.size() - have);
                incoming->write(std::span(bytes).subspan(have, size));
                have += size;
            }
            if (have == bytes.size()) incoming->finish();
            ++cuts;
        }
        QVERIFY(cuts > 3);
        QVERIFY(Store(folder_).place(name, target_));
        QVERIFY(content(target_) == bytes);
        QCOMPARE(files_below(folder_), 1u);
    }

    void a_wrong_file_is_removed() {
        Store store(folder_);
        const auto bytes = noise(100'000, 8);
        const std::string name = digest(bytes);
        auto incoming = store.receive(name, bytes.size());
        auto other = bytes;
        other[50'000] ^= std::byte{1};
        incoming->write(other);
        QVERIFY_THROWS_EXCEPTION(TransferError, incoming->finish());
        incoming.reset();
        QCOMPARE(files_below(folder_), 0u);
        // What an earlier try has left may be wrong, too.
        incoming = store.receive(name, bytes.size());
        incoming->write(std::span(other).first(60'000));
        incoming.reset();
        incoming = store.receive(name, bytes.size());
        QCOMPARE(incoming->have(), 60'000ull);
        incoming->write(std::span(bytes).subspan(60'000));
        QVERIFY_THROWS_EXCEPTION(TransferError, incoming->finish());
        incoming.reset();
        incoming = store.receive(name, bytes.size());
        QCOMPARE(incoming->have(), 0ull);
        QVERIFY_THROWS_EXCEPTION(TransferError, incoming->finish()); // too early
        QVERIFY_THROWS_EXCEPTION(TransferError, incoming->write(std::vector<std::byte>(bytes.size() + 1)));
        incoming->write(bytes);
        incoming->finish();
        QVERIFY(store.holds(name, bytes.size()));
        // A crash of the machine may leave zeros.
        fs::remove(folder_ / name.substr(0, 2) / name);
        std::ofstream(folder_ / name.substr(0, 2) / name) << std::string(bytes.size(), '\0');
        QVERIFY(!store.holds(name, bytes.size()));
        store.add(name, bytes);
        QVERIFY(store.holds(name, bytes.size()));
    }

    void two_windows_send_the_same_file_at_once() {
        const auto bytes = noise(1'500'000, 9);
        const std::string name = digest(bytes);
        Store first(folder_), second(folder_);
        auto one = first.receive(name, bytes.size()), other = second.receive(name, bytes.size());
        one->write(std::span(bytes).first(500'000));
        QCOMPARE(other->have(), 0ull); // each fills its own
        other->write(std::span(bytes).first(1'000'000));
        one->write(std::span(bytes).subspan(500'000));
        other->write(std::span(bytes).subspan(1'000'000));
        one->finish();
        QVERIFY(second.holds(name, bytes.size()));
        other->finish();
        one.reset();
        other.reset();
        QVERIFY(second.place(name, target_));
        QVERIFY(content(target_) == bytes);
        QCOMPARE(files_below(folder_), 1u);

        // Many at once, in threads and in processes.
        const auto more = noise(300'000, 10);
        const auto send = [&] {
            Store store(folder_);
            for (int i = 0; i < 20; ++i) {
                fs::remove(folder_ / digest(more).substr(0, 2) / digest(more));
                const auto incoming = store.receive(digest(more), more.size());
                while (incoming->have() < more.size())
                    incoming->write(std::span(more).subspan(incoming->have(), 50'000));
                incoming->finish();
            }
        };
        const pid_t child = fork();
        if (child == 0) {
            try {
                send();
                _exit(0);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                _exit(1);
            }
        }
        std::thread thread(send);
        send();
        thread.join();
        int status = 1;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QVERIFY(first.holds(digest(more), more.size()));
        QCOMPARE(files_below(folder_), 2u);
    }

    void what_was_not_used_for_longest_goes_first() {
        Store store(folder_, 1'000'000);
        std::vector<std::string> names;
        for (unsigned i = 0; i < 9; ++i) {
            const auto bytes = noise(100'000, 20 + i);
            names.push_back(digest(bytes));
            store.add(names.back(), bytes);
            age(folder_, names.back(), 100 - static_cast<int>(i));
        }
        QVERIFY(store.holds(names[0], 100'000)); // used now
        QVERIFY(store.place(names[1], target_)); // in use
        age(folder_, names[1], 99);
        const auto bytes = noise(250'000, 40);
        store.add(digest(bytes), bytes);
        QVERIFY(store.used() <= 1'000'000);
        QVERIFY(store.holds(names[0], 100'000));
        QVERIFY(store.holds(names[1], 100'000));
        QVERIFY(!store.holds(names[2], 100'000));
        QVERIFY(!store.holds(names[3], 100'000));
        QVERIFY(store.holds(names[8], 100'000));
        QVERIFY(store.holds(digest(bytes), bytes.size()));
        try {
            (void)store.receive(std::string(64, 'a'), 1'000'001);
            QFAIL("larger than the store");
        } catch (const StoreFull& full) {
            QVERIFY(full.of_limit);
            QCOMPARE(full.needed, 1'000'001ull);
        }
        // Parts that nobody fills count and go; one that is filled stays.
        const auto held = store.receive(digest(noise(10, 50)), 300'000);
        held->write(noise(200'000, 50));
        store.receive(digest(noise(10, 51)), 400'000)->write(noise(300'000, 51));
        const auto large = noise(700'000, 52);
        store.add(digest(large), large);
        QVERIFY(store.holds(digest(large), large.size()));
        QCOMPARE(store.receive(digest(noise(10, 51)), 400'000)->have(), 0ull);
        QCOMPARE(held->have(), 200'000ull);
        held->write(noise(100'000, 53));
        const auto last = noise(50'000, 54);
        store.add(digest(last), last);
        QVERIFY(store.place(digest(last), target_.string() + "2"));
        store.clear();
        QVERIFY(store.holds(digest(last), last.size()));
        fs::remove(target_.string() + "2");
        QCOMPARE(store.clear(), std::uint64_t{last.size()});
        QVERIFY(!store.holds(digest(last), last.size()));
        QVERIFY(fs::exists(target_)); // a connection has it
    }

    void limits_come_from_the_disk_and_from_the_environment() {
        const auto space = fs::space(folder_.parent_path());
        const std::uint64_t usual = Store::usual_limit(folder_);
        QVERIFY(usual <= std::uint64_t{20} << 30);
        QVERIFY(usual <= space.available / 2);
        qputenv("WARPLIGHT_REMOTE_LIMIT", "3M");
        QCOMPARE(Store::usual_limit(folder_), std::uint64_t{3} << 20);
        QCOMPARE(Store(folder_).limit(), std::uint64_t{3} << 20);
        qunsetenv("WARPLIGHT_REMOTE_LIMIT");
        // More than the disk has.
        try {
            Store store(folder_, std::uint64_t{1} << 60);
            (void)store.receive(std::string(64, 'b'), std::uint64_t{1} << 59);
            QFAIL("more than the disk has");
        } catch (const StoreFull& full) {
            QVERIFY(!full.of_limit);
            QVERIFY(full.free > 0 && full.free < full.needed);
        }
        QCOMPARE(files_below(folder_), 0u);
    }

    // A limit on files stands for a disk that gets full while a file comes.
    void a_full_disk_is_told_and_keeps_nothing() {
        const pid_t child = fork();
        if (child == 0) {
            const rlimit limit{1'000'000, 1'000'000};
            std::signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &limit);
            try {
                Store store(folder_);
                const auto bytes = noise(2'000'000, 60);
                const auto incoming = store.receive(digest(bytes), bytes.size());
                incoming->write(std::span(bytes).first(800'000));
                try {
                    incoming->write(std::span(bytes).subspan(800'000));
                } catch (const StoreFull& full) {
                    _exit(!full.of_limit && full.needed == 1'200'000 ? 0 : 2);
                }
                _exit(3);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                _exit(4);
            }
        }
        int status = 1;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QCOMPARE(files_below(folder_), 0u);
    }

    void kept_folders_go_when_they_are_old() {
        const fs::path far = folder_.parent_path();
        auto used = std::make_unique<KeptFolder>(far, "/home/me/k"), other = std::make_unique<KeptFolder>(far, "C:\\k");
        QVERIFY(used->path() != other->path());
        QCOMPARE(KeptFolder(far, "/home/me/k").path(), used->path());
        std::ofstream(used->path() / "x.npy") << "x";
        const auto old = fs::file_time_type::clock::now() - std::chrono::hours(25);
        const fs::path path = used->path(), young = KeptFolder(far, "/home/me/l").path();
        const fs::path of_other = other->path();
        other.reset();
        fs::last_write_time(path, old);
        fs::last_write_time(of_other, old);
        remove_old_kept_folders(far);
        QVERIFY(fs::exists(path / "x.npy")); // a process uses it
        QVERIFY(fs::exists(young));
        QVERIFY(!fs::exists(of_other));
        used.reset();
        fs::last_write_time(path, old);
        remove_old_kept_folders(far);
        QVERIFY(!fs::exists(path));
    }
};

QTEST_APPLESS_MAIN(RemoteStoreTest)
#include "remote_store_test.moc"
