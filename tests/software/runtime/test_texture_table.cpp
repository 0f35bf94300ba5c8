// SPDX-License-Identifier: Apache-2.0
// The numbers of textures and surfaces: looked up by running kernels while others make and remove them.
#include "software/runtime/texture.hpp"

#include <QtTest>

#include <atomic>
#include <set>
#include <thread>

using namespace warplight::software;

namespace {

std::shared_ptr<Texture> texture(unsigned mark) {
    auto made = std::make_shared<Texture>();
    made->memory.layers = mark;
    made->sampler.max_anisotropy = mark;
    return made;
}

/// Says when it is destroyed.
struct Watched {
    std::atomic<int>& alive;
    explicit Watched(std::atomic<int>& count) : alive(count) { ++alive; }
    ~Watched() { --alive; }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

} // namespace

class TextureTableTest : public QObject {
    Q_OBJECT
private slots:
    void numbers() {
        const auto a = add_texture(texture(1)), b = add_texture(texture(2));
        const auto s = add_surface(std::make_shared<Surface>());
        QVERIFY(a != 0 && b != 0 && s != 0);
        QCOMPARE(find_texture(a)->memory.layers, 1U);
        QCOMPARE(find_texture(b)->memory.layers, 2U);
        QVERIFY(find_surface(s) != nullptr);
        // One kind is not the other.
        QVERIFY(!find_surface(a) && !find_texture(s) && !remove_surface(a) && !remove_texture(s));
        QVERIFY(!find_texture(0) && !find_texture(~std::uint64_t{0}) && !find_texture(a + 1000));
        QVERIFY(replace_texture(a, texture(3)));
        QCOMPARE(find_texture(a)->memory.layers, 3U);
        QVERIFY(remove_texture(a));
        QVERIFY(!find_texture(a) && !remove_texture(a) && !replace_texture(a, texture(4)));
        const auto again = add_texture(texture(5));
        QVERIFY(again != a && !find_texture(a));
        QCOMPARE(find_texture(again)->memory.layers, 5U);
        // A reference that nothing is bound to yet.
        const auto empty = add_texture(nullptr);
        QVERIFY(empty != 0 && !find_texture(empty));
        QVERIFY(replace_texture(empty, texture(6)));
        QCOMPARE(find_texture(empty)->memory.layers, 6U);
        for (const auto handle : {b, again, empty})
            QVERIFY(remove_texture(handle));
        QVERIFY(remove_surface(s));
    }

    void many() {
        std::set<std::uint64_t> all;
        for (unsigned i = 0; i < 5000; ++i)
            all.insert(add_texture(texture(i)));
        QCOMPARE(all.size(), std::size_t{5000});
        for (const auto handle : all)
            QVERIFY(find_texture(handle) && remove_texture(handle));
    }

    void kept_while_read() {
        std::atomic<int> alive = 0;
        const auto make = [&] {
            auto made = texture(7);
            made->memory.owner = std::make_shared<Watched>(alive);
            return made;
        };
        const auto handle = add_texture(make());
        QVERIFY(replace_texture(handle, make()));
        QCOMPARE(alive.load(), 1); // nobody reads
        {
            const TextureReaders reading;
            const Texture* found = find_texture(handle);
            QVERIFY(replace_texture(handle, make()));
            QVERIFY(remove_texture(handle));
            QCOMPARE(alive.load(), 2);
            QCOMPARE(found->memory.layers, 7U);
        }
        QCOMPARE(alive.load(), 0);
    }

    void found_while_others_come_and_go() {
        constexpr unsigned most = 32;
        std::atomic<std::uint64_t> handles[most] = {};
        std::atomic<bool> stop = false;
        std::atomic<unsigned> wrong = 0, found = 0;
        std::vector<std::thread> readers;
        for (int r = 0; r < 3; ++r) {
            readers.emplace_back([&] {
                while (!stop) {
                    const TextureReaders reading;
                    for (unsigned i = 0; i < most; ++i) {
                        const Texture* t = find_texture(handles[i].load());
                        if (!t) continue;
                        ++found;
                        // Each slot's textures are marked with its number, twice.
                        if (t->memory.layers % most != i || t->sampler.max_anisotropy != t->memory.layers) ++wrong;
                    }
                }
            });
        }
        for (unsigned round = 0; round < 20000 || (found == 0 && round < 2000000); ++round) {
            const unsigned i = round * 7 % most;
            const std::uint64_t old = handles[i].load();
            if (old != 0 && round % 3 == 0) {
                (void)replace_texture(old, texture(i + most * (round % 1000)));
                continue;
            }
            handles[i] = add_texture(texture(i + most * (round % 1000)));
            if (old != 0) (void)remove_texture(old);
        }
        stop = true;
        for (auto& reader : readers)
            reader.join();
        QCOMPARE(wrong.load(), 0U);
        QVERIFY(found.load() > 0);
        for (auto& handle : handles)
            QVERIFY(remove_texture(handle.load()));
    }
};

QTEST_GUILESS_MAIN(TextureTableTest)
#include "test_texture_table.moc"
