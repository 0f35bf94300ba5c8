// SPDX-License-Identifier: Apache-2.0
// Placeholders without Windows: a fake system that takes what Windows' manual allows and nothing else, and a plain
// model with an entry for each page.
#include "software/runtime/placeholders.hpp"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace warplight::software;

namespace {

constexpr std::uint64_t kPage = 4096, kUnit = 65536; ///< Windows' pages, and where reserved ranges begin
constexpr std::intptr_t kMemory = 7;                 ///< a file mapping
constexpr std::uint64_t kMemoryBytes = 64 * kPage;

enum class Kind : std::uint8_t { placeholder, memory, view };

class FakeSystem final : public PlaceholderSystem {
public:
    struct Area {
        std::uint64_t bytes = 0;
        Kind kind = Kind::placeholder;
        std::uint64_t base = 0;   ///< of the reservation
        std::uint64_t offset = 0; ///< of a view
        bool operator==(const Area&) const = default;
    };

    std::map<std::uint64_t, Area> areas;
    std::vector<std::string> mistakes; ///< calls that Windows would not take
    std::function<bool(const char*)> refuses;
    unsigned calls = 0;

    std::uint64_t reserve(std::uint64_t address, std::uint64_t bytes) override {
        if (!allowed("reserve", address % kUnit == 0 && whole(bytes)) || asked("reserve")) return 0;
        if (address == 0) address = next_;
        for (const auto& [start, area] : areas)
            if (start < address + bytes && address < start + area.bytes) return 0;
        next_ = std::max(next_, address + (bytes + kUnit - 1) / kUnit * kUnit);
        areas[address] = {bytes, Kind::placeholder, address, 0};
        return address;
    }
    bool release(std::uint64_t address, std::uint64_t bytes) override {
        if (!allowed("release", is(address, bytes, Kind::placeholder)) || asked("release")) return false;
        areas.erase(address);
        return true;
    }
    bool split(std::uint64_t address, std::uint64_t bytes) override {
        const auto at = areas.find(address);
        const bool fine =
            at != areas.end() && at->second.kind == Kind::placeholder && whole(bytes) && bytes < at->second.bytes;
        if (!allowed("split", fine) || asked("split")) return false;
        areas[address + bytes] = {at->second.bytes - bytes, Kind::placeholder, at->second.base, 0};
        at->second.bytes = bytes;
        return true;
    }
    bool join(std::uint64_t address, std::uint64_t bytes) override {
        const auto first = areas.find(address);
        std::uint64_t reached = address;
        auto at = first;
        for (; at != areas.end() && at->first == reached && reached < address + bytes; ++at) {
            if (at->second.kind != Kind::placeholder || at->second.base != first->second.base) break;
            reached += at->second.bytes;
        }
        const bool fine = first != areas.end() && reached == address + bytes && std::distance(first, at) > 1;
        if (!allowed("join", fine) || asked("join")) return false;
        areas.erase(std::next(first), at);
        first->second.bytes = bytes;
        return true;
    }
    bool commit(std::uint64_t address, std::uint64_t bytes) override {
        return turn("commit", address, bytes, Kind::placeholder, Kind::memory);
    }
    bool decommit(std::uint64_t address, std::uint64_t bytes) override {
        return turn("decommit", address, bytes, Kind::memory, Kind::placeholder);
    }
    bool map(std::intptr_t memory, std::uint64_t offset, std::uint64_t address, std::uint64_t bytes) override {
        if (!allowed("map", memory == kMemory && offset % kPage == 0 && offset + bytes <= kMemoryBytes)) return false;
        if (!turn("map", address, bytes, Kind::placeholder, Kind::view)) return false;
        areas[address].offset = offset;
        return true;
    }
    bool unmap(std::uint64_t address) override {
        const auto at = areas.find(address);
        return allowed("unmap", at != areas.end()) &&
               turn("unmap", address, at->second.bytes, Kind::view, Kind::placeholder);
    }

    /// What lies at an address: nothing where it is not reserved.
    [[nodiscard]] const Area* at(std::uint64_t address) const {
        const auto after = areas.upper_bound(address);
        if (after == areas.begin()) return nullptr;
        const auto& [start, area] = *std::prev(after);
        return address - start < area.bytes ? &area : nullptr;
    }
    [[nodiscard]] bool has_neighbours() const {
        for (auto at = areas.begin(); at != areas.end() && std::next(at) != areas.end(); ++at) {
            const auto& [a, b] = std::pair(at->second, std::next(at)->second);
            if (a.kind == Kind::placeholder && b.kind == Kind::placeholder && a.base == b.base) return true;
        }
        return false;
    }

private:
    static bool whole(std::uint64_t bytes) { return bytes > 0 && bytes % kPage == 0; }
    [[nodiscard]] bool is(std::uint64_t address, std::uint64_t bytes, Kind kind) const {
        const auto at = areas.find(address);
        return at != areas.end() && at->second.bytes == bytes && at->second.kind == kind;
    }
    bool allowed(const char* call, bool fine) {
        ++calls;
        if (!fine) mistakes.emplace_back(call);
        return fine;
    }
    bool asked(const char* call) { return refuses && refuses(call); }
    bool turn(const char* call, std::uint64_t address, std::uint64_t bytes, Kind from, Kind to) {
        if (!allowed(call, is(address, bytes, from)) || asked(call)) return false;
        areas[address].kind = to;
        areas[address].offset = 0;
        return true;
    }

    std::uint64_t next_ = 16 * kUnit;
};

/// A page of the model. Pages that came together have one number; 0: nothing is there.
struct Page {
    unsigned number = 0;
    Kind kind = Kind::placeholder;
    std::uint64_t offset = 0;
};

} // namespace

class PlaceholdersTest : public QObject {
    Q_OBJECT

    static constexpr std::uint64_t pages = 32; ///< of each reservation of the random test: two units

private slots:
    void the_fake_takes_nothing_else() {
        FakeSystem system;
        const std::uint64_t base = system.reserve(0, 8 * kPage);
        QVERIFY(base != 0);
        QCOMPARE(system.reserve(base, kPage), std::uint64_t{0}); // in use: refused, no mistake
        QVERIFY(system.mistakes.empty());
        QVERIFY(!system.commit(base, kPage));                     // not all of the placeholder
        QVERIFY(!system.map(kMemory, 0, base, kPage));            // nor this
        QVERIFY(!system.split(base + kPage, kPage));              // not from its begin
        QVERIFY(!system.split(base, 8 * kPage));                  // nothing would be left
        QVERIFY(!system.join(base, 8 * kPage));                   // one placeholder
        QVERIFY(!system.release(base, 4 * kPage));                // not all of it
        QVERIFY(!system.unmap(base));                             // no view
        QVERIFY(!system.decommit(base, 8 * kPage));               // no memory
        QVERIFY(!system.map(kMemory, kPage, base, kMemoryBytes)); // past the end of the mapping
        QCOMPARE(system.mistakes.size(), std::size_t{9});
        QVERIFY(system.commit(base, 8 * kPage));
        QVERIFY(!system.commit(base, 8 * kPage)); // twice
        QVERIFY(!system.release(base, 8 * kPage));
        QCOMPARE(system.mistakes.size(), std::size_t{11});
    }

    void splits_at_the_range_and_joins_again() {
        FakeSystem system;
        Placeholders placeholders(system);
        const std::uint64_t base = placeholders.reserve(0, 16 * kPage);
        QVERIFY(placeholders.holds(base) && placeholders.holds(base + 16 * kPage - 1));
        QVERIFY(!placeholders.holds(base - 1) && !placeholders.holds(base + 16 * kPage));
        QVERIFY(placeholders.commit(base + 4 * kPage, 4 * kPage));
        QCOMPARE(system.areas.size(), std::size_t{3});
        QVERIFY(placeholders.map(kMemory, 2 * kPage, base + 8 * kPage, 2 * kPage));
        QCOMPARE(system.at(base + 8 * kPage)->offset, 2 * kPage);
        QCOMPARE(system.areas.size(), std::size_t{4});
        QVERIFY(placeholders.clear(base, 16 * kPage));
        QCOMPARE(system.areas.size(), std::size_t{1});
        QVERIFY(placeholders.unreserve(base));
        QVERIFY(system.areas.empty());
        QVERIFY(!placeholders.holds(base));
        QVERIFY(system.mistakes.empty());
    }

    void refuses_what_cannot_be() {
        FakeSystem system;
        Placeholders placeholders(system);
        const std::uint64_t base = placeholders.reserve(0, 16 * kPage), next = placeholders.reserve(0, 16 * kPage);
        QCOMPARE(next, base + 16 * kPage);
        QVERIFY(placeholders.commit(base + 4 * kPage, 4 * kPage));
        const auto before = system.areas;
        const unsigned calls = system.calls;
        QVERIFY(!placeholders.commit(base + 4 * kPage, 4 * kPage)); // there already
        QVERIFY(!placeholders.commit(base + 7 * kPage, 2 * kPage)); // partly
        QVERIFY(!placeholders.map(kMemory, 0, base + 3 * kPage, 2 * kPage));
        QVERIFY(!placeholders.commit(base + 15 * kPage, 2 * kPage)); // two reservations
        QVERIFY(!placeholders.commit(next + 15 * kPage, 2 * kPage)); // past the end
        QVERIFY(!placeholders.commit(base - kPage, kPage));          // not reserved
        QVERIFY(!placeholders.commit(base, 0));
        QVERIFY(!placeholders.commit(base, UINT64_MAX - kPage + 1));
        QVERIFY(!placeholders.clear(base + 5 * kPage, 8 * kPage)); // would cut it
        QVERIFY(!placeholders.clear(base, 6 * kPage));
        QVERIFY(!placeholders.unreserve(base)); // in use
        QVERIFY(!placeholders.unreserve(base + kPage));
        QCOMPARE(placeholders.replace(kMemory, base + 4 * kPage, 2 * kPage), Placeholders::Replaced::refused);
        QCOMPARE(placeholders.replace(kMemory, base, 4 * kPage), Placeholders::Replaced::refused);
        QVERIFY(placeholders.clear(base, 2 * kPage)); // nothing is there
        QVERIFY(system.areas == before);
        QCOMPARE(system.calls, calls);
    }

    void replaces_memory_by_a_view() {
        FakeSystem system;
        Placeholders placeholders(system);
        const std::uint64_t base = placeholders.reserve(0, 16 * kPage), at = base + 4 * kPage;
        const auto again = [&] {
            QVERIFY(placeholders.clear(base, 16 * kPage));
            QVERIFY(placeholders.commit(at, 4 * kPage));
        };
        const auto refuse = [&](std::vector<std::string> calls) {
            system.refuses = [calls](const char* call) mutable {
                const auto found = std::find(calls.begin(), calls.end(), call);
                if (found == calls.end()) return false;
                calls.erase(found);
                return true;
            };
        };
        const auto replace = [&] {
            const auto result = placeholders.replace(kMemory, at, 4 * kPage);
            system.refuses = nullptr;
            return result;
        };
        again();
        QCOMPARE(replace(), Placeholders::Replaced::done);
        QVERIFY(system.at(at)->kind == Kind::view);
        again();
        refuse({"decommit"});
        QCOMPARE(replace(), Placeholders::Replaced::refused);
        QVERIFY(system.at(at)->kind == Kind::memory);
        refuse({"map"});
        QCOMPARE(replace(), Placeholders::Replaced::zeroed);
        QVERIFY(system.at(at)->kind == Kind::memory);
        refuse({"map", "commit"});
        QCOMPARE(replace(), Placeholders::Replaced::done);
        QVERIFY(system.at(at)->kind == Kind::view);
        again();
        refuse({"map", "commit", "map"});
        QCOMPARE(replace(), Placeholders::Replaced::lost);
        QCOMPARE(system.areas.size(), std::size_t{1});
        QVERIFY(placeholders.commit(at, 8 * kPage));
        QVERIFY(system.mistakes.empty());
    }

    void refused_in_the_middle_data() {
        QTest::addColumn<QString>("call");
        for (const char* call : {"split", "commit", "map", "join"})
            QTest::newRow(call) << call;
    }
    void refused_in_the_middle() {
        QFETCH(QString, call);
        FakeSystem system;
        Placeholders placeholders(system);
        const std::uint64_t base = placeholders.reserve(0, 16 * kPage);
        for (unsigned skipped = 0; skipped < 3; ++skipped) {
            unsigned left = skipped;
            system.refuses = [&](const char* now) { return call == now && left-- == 0; };
            const bool committed = placeholders.commit(base + 4 * kPage, 4 * kPage);
            const bool mapped = placeholders.map(kMemory, 0, base + 8 * kPage, 4 * kPage);
            QCOMPARE(system.at(base + 4 * kPage)->kind, committed ? Kind::memory : Kind::placeholder);
            QCOMPARE(system.at(base + 8 * kPage)->kind, mapped ? Kind::view : Kind::placeholder);
            QVERIFY(placeholders.clear(base, 16 * kPage));
            system.refuses = nullptr;
            QVERIFY(placeholders.commit(base, 16 * kPage)); // whatever the cuts were
            QVERIFY(placeholders.clear(base, 16 * kPage));
            QCOMPARE(system.areas.size(), std::size_t{1});
        }
        QVERIFY(system.mistakes.empty());
    }

    void random_sequences_data() {
        QTest::addColumn<int>("refused"); // of 100 calls
        for (const int refused : {0, 5, 40})
            QTest::addRow("%d of 100 calls refused", refused) << refused;
    }
    void random_sequences() {
        QFETCH(int, refused);
        for (unsigned seed = 1; seed <= 60; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](std::uint64_t end) { return std::uint64_t{random()} % end; };
            FakeSystem system;
            bool was_refused = false;
            if (refused > 0) {
                system.refuses = [&](const char*) {
                    const bool now = below(100) < static_cast<unsigned>(refused);
                    was_refused = was_refused || now;
                    return now;
                };
            }
            Placeholders placeholders(system);
            // Neighbours, which must not be joined, in the model one after the other.
            std::array<std::uint64_t, 2> bases{};
            for (auto& base : bases)
                while (base == 0 && system.mistakes.empty())
                    base = placeholders.reserve(&base == bases.data() ? 0 : bases[0] + pages * kPage, pages * kPage);
            std::vector<Page> model(2 * pages);
            unsigned last = 0;
            for (int step = 0; step < 400; ++step) {
                const std::uint64_t first = below(2 * pages), count = 1 + below(std::min(2 * pages - first, pages / 2));
                const std::uint64_t address = bases[0] + first * kPage, bytes = count * kPage;
                const auto begin = model.begin() + static_cast<std::ptrdiff_t>(first);
                const auto end = begin + static_cast<std::ptrdiff_t>(count);
                const bool one = first / pages == (first + count - 1) / pages;
                const bool free = one && std::all_of(begin, end, [](const Page& p) { return p.number == 0; });
                const auto put = [&](Kind kind, std::uint64_t offset) {
                    ++last;
                    for (auto page = begin; page != end; ++page, offset += kPage)
                        *page = {last, kind, kind == Kind::view ? offset : 0};
                };
                was_refused = false;
                switch (below(5)) {
                case 0:
                case 1: {
                    const bool view = below(2) == 0;
                    const std::uint64_t offset = below(4) * kPage;
                    const bool done =
                        view ? placeholders.map(kMemory, offset, address, bytes) : placeholders.commit(address, bytes);
                    // Without refusals, all that is possible is done. A join that is refused afterwards fails nothing.
                    if (!was_refused) QCOMPARE(done, free);
                    QVERIFY(!done || free);
                    if (done) put(view ? Kind::view : Kind::memory, offset);
                    break;
                }
                case 2:
                case 3: {
                    const auto same = [&](std::uint64_t a, std::uint64_t b) {
                        return b < model.size() && model[a].number != 0 && model[a].number == model[b].number;
                    };
                    const bool cuts = (first > 0 && same(first, first - 1)) || same(first + count - 1, first + count);
                    const bool done = placeholders.clear(address, bytes);
                    if (cuts) QVERIFY(!done);
                    if (!cuts && !was_refused) QVERIFY(done);
                    if (cuts) break;
                    for (std::uint64_t k = first; k < first + count; ++k) {
                        const bool gone = system.at(bases[0] + k * kPage)->kind == Kind::placeholder;
                        QVERIFY(gone || !done);
                        if (gone) model[k] = {};
                    }
                    break;
                }
                default: {
                    const bool whole =
                        begin->number != 0 && begin->kind == Kind::memory &&
                        std::all_of(begin, end, [&](const Page& p) { return p.number == begin->number; }) &&
                        (begin == model.begin() || std::prev(begin)->number != begin->number) &&
                        (end == model.end() || end->number != begin->number);
                    const auto result = placeholders.replace(kMemory, address, bytes);
                    if (!was_refused)
                        QCOMPARE(result, whole ? Placeholders::Replaced::done : Placeholders::Replaced::refused);
                    if (result == Placeholders::Replaced::done) put(Kind::view, 0);
                    if (result == Placeholders::Replaced::lost) std::fill(begin, end, Page{});
                    break;
                }
                }
                QVERIFY2(system.mistakes.empty(), system.mistakes.empty() ? "" : system.mistakes.front().c_str());
                for (std::uint64_t k = 0; k < model.size(); ++k) {
                    const std::uint64_t at = bases[0] + k * kPage;
                    const FakeSystem::Area* area = system.at(at);
                    QVERIFY(area && area->base == bases[k / pages]);
                    QCOMPARE(area->kind, model[k].kind);
                    if (area->kind == Kind::view)
                        QCOMPARE(area->offset + (at - std::prev(system.areas.upper_bound(at))->first), model[k].offset);
                }
                if (refused == 0) QVERIFY(!system.has_neighbours());
            }
            system.refuses = nullptr;
            for (const std::uint64_t base : bases) {
                QVERIFY(placeholders.clear(base, pages * kPage));
                QVERIFY(placeholders.unreserve(base));
            }
            QVERIFY(system.areas.empty());
            QVERIFY(system.mistakes.empty());
        }
    }
};

QTEST_APPLESS_MAIN(PlaceholdersTest)
#include "test_placeholders.moc"
