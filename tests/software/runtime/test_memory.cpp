// SPDX-License-Identifier: Apache-2.0
#include "files/size.hpp"
#include "software/runtime/address_space.hpp"
#include "software/runtime/configuration.hpp"
#include "software/runtime/device_heap.hpp"
#include "software/runtime/shared_window.hpp"
#include "software/runtime/trap.hpp"

#include <QtTest>

#include <cstring>
#include <map>
#include <random>

using namespace warplight::software;

namespace {

/// Whether reading a byte there faults, and at which address.
bool faults(std::uint64_t address) {
    install_trap_handler();
    Trap trap;
    struct Probe {
        std::uint64_t address;
        unsigned char value;
    } probe{address, 0};
    const bool fine = run_guarded(
        [](void* p) {
            auto* probe = static_cast<Probe*>(p);
            probe->value = *reinterpret_cast<volatile unsigned char*>(probe->address);
        },
        &probe, trap);
    if (!fine && trap.address != address) return false;
    return !fine;
}

} // namespace

class MemoryTest : public QObject {
    Q_OBJECT
private slots:
    void allocationsAreApartAndZero() {
        auto& space = AddressSpace::instance();
        std::map<std::uint64_t, std::uint64_t> live;
        std::mt19937_64 random(3);
        for (int i = 0; i < 2000; ++i) {
            if (live.size() > 50 || (!live.empty() && random() % 3 == 0)) {
                auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
                QVERIFY(space.release(victim->first, Allocation::Kind::device).has_value());
                QVERIFY(faults(victim->first));
                live.erase(victim);
                continue;
            }
            const std::uint64_t size = 1 + random() % (random() % 8 ? 5000 : 300000);
            const auto base = space.allocate(size, Allocation::Kind::device, 0, nullptr);
            QVERIFY(base.has_value());
            QCOMPARE(*base % 512, std::uint64_t{0});
            const auto* bytes = reinterpret_cast<const unsigned char*>(*base);
            QVERIFY(bytes[0] == 0 && bytes[size - 1] == 0);
            std::memset(reinterpret_cast<void*>(*base), 0xAB, size);
            const auto next = live.lower_bound(*base);
            QVERIFY(next == live.end() || next->first >= *base + size + 4096 - 512);
            live[*base] = size;
        }
        for (const auto& [base, size] : live)
            QVERIFY(space.release(base, Allocation::Kind::device).has_value());
    }

    void runningPastTheEndFaults() {
        auto& space = AddressSpace::instance();
        const auto base = space.allocate(1024, Allocation::Kind::device, 0, nullptr).value();
        QVERIFY(!faults(base));
        QVERIFY(!faults(base + 1023));
        QVERIFY(faults(base + 1024));
        QVERIFY(faults(base - 4096));
        QVERIFY(space.describe(base + 1028).starts_with("4 bytes past the end of the 1024 bytes at"));
        QVERIFY(space.describe(base + 12).starts_with("byte 12 of the 1024 bytes"));
        QVERIFY(space.release(base, Allocation::Kind::device));
        QVERIFY(!space.release(base, Allocation::Kind::device));
    }

    void memoryIsLimited() {
        auto& space = AddressSpace::instance();
        const std::uint64_t before = space.used(1);
        const auto base = space.allocate(1 << 20, Allocation::Kind::device, 1, nullptr);
        QVERIFY(base.has_value());
        QCOMPARE(space.used(1), before + (1 << 20));
        QVERIFY(!space.allocate(configuration().memory, Allocation::Kind::device, 1, nullptr));
        QVERIFY(space.release(*base, Allocation::Kind::device));
        QCOMPARE(space.used(1), before);
    }

    void hostMemoryIsRegisteredOnce() {
        auto& space = AddressSpace::instance();
        using Registration = AddressSpace::Registration;
        static char memory[10000];
        const auto base = reinterpret_cast<std::uint64_t>(memory);
        QVERIFY(space.register_host(base + 100, 1000, 0, nullptr, 0) == Registration::done);
        QVERIFY(space.register_host(base, 101, 0, nullptr, 0) == Registration::known);
        QVERIFY(space.register_host(base + 1099, 10, 0, nullptr, 0) == Registration::known);
        QVERIFY(space.register_host(base + 1100, 10, 0, nullptr, 0) == Registration::done);
        QVERIFY(space.find(base + 1099)->base == base + 100);
        QVERIFY(space.unregister_host(base + 100) && space.unregister_host(base + 1100));
        QVERIFY(!space.unregister_host(base + 100));
    }

    /// Kernels reach it in the window. Two arrays share a page, which goes back to what it was with the second one.
    void registeredMemoryHasASecondAddress() {
        auto& space = AddressSpace::instance();
        if (space.walls() == warplight::jit::Walls::none) QSKIP("kernels reach the host's addresses");
        std::vector<char> memory(20000, 'a');
        const auto base = reinterpret_cast<std::uint64_t>(memory.data());
        QVERIFY(space.register_host(base + 100, 9000, 0, nullptr, 0) == AddressSpace::Registration::done);
        QVERIFY(space.register_host(base + 9100, 9000, 0, nullptr, 0) == AddressSpace::Registration::done);
        const auto device = [&](std::uint64_t host) { return reinterpret_cast<char*>(space.find(host)->device_base); };
        char *first = device(base + 100), *second = device(base + 9100);
        QVERIFY(space.covers(reinterpret_cast<std::uint64_t>(first)));
        QVERIFY(first[0] == 'a' && first[8999] == 'a' && second[8999] == 'a');
        first[8999] = 'b';
        second[0] = 'c';
        memory[200] = 'd';
        QVERIFY(memory[9099] == 'b' && memory[9100] == 'c' && first[100] == 'd');
        QVERIFY(space.unregister_host(base + 100).has_value());
        QVERIFY(faults(reinterpret_cast<std::uint64_t>(first)));
        memory[9101] = 'e';
        QCOMPARE(second[1], 'e'); // its page is still shared
        QVERIFY(space.unregister_host(base + 9100).has_value());
        QVERIFY(memory[9099] == 'b' && memory[9101] == 'e' && memory[200] == 'd' && memory[0] == 'a');
    }

    void heapBlocksAreApart() {
        DeviceHeap heap;
        heap.add(0x1000, 65536);
        std::map<std::uint64_t, std::uint64_t> live;
        std::mt19937 random(4);
        bool full = false;
        for (int i = 0; i < 20000; ++i) {
            if (!live.empty() && random() % 2) {
                const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
                QVERIFY(heap.release(victim->first));
                live.erase(victim);
                continue;
            }
            const std::uint64_t size = random() % 5000;
            const std::uint64_t address = heap.allocate(size);
            full |= address == 0;
            if (!address) continue;
            QVERIFY(address >= 0x1000 && address + size <= 0x1000 + 65536 && address % 16 == 0);
            const auto next = live.upper_bound(address);
            QVERIFY(next == live.end() || address + size <= next->first);
            QVERIFY(next == live.begin() || std::prev(next)->first + std::prev(next)->second <= address);
            live[address] = size;
        }
        QVERIFY(full);
        QVERIFY(!heap.release(0x1001));
        for (const auto& [address, size] : live)
            QVERIFY(heap.release(address));
        QCOMPARE(heap.allocate(65536), std::uint64_t{0x1000}); // all of it is one piece again
    }

    void sharedWindowEndsAtUnmappedMemory() {
        SharedWindow window;
        for (const std::uint64_t size : {16ULL, 4096ULL, 49152ULL, 100ULL}) {
            const auto base = reinterpret_cast<std::uint64_t>(window.fit(size, 16));
            QVERIFY(base != 0);
            QVERIFY(!faults(base) && !faults(base + size - 1));
            QVERIFY(faults(base + (size + 15) / 16 * 16));
            QVERIFY(faults(base + 0x80000000));
        }
    }

    void sizesAndArchitecturesAreRead() {
        using warplight::files::parse_size;
        QCOMPARE(parse_size("512M").value(), std::uint64_t{512} << 20);
        QCOMPARE(parse_size("2GiB").value(), std::uint64_t{2} << 30);
        QCOMPARE(parse_size("100").value(), std::uint64_t{100});
        QVERIFY(!parse_size("x") && !parse_size("") && !parse_size("99999999999999T"));
        QCOMPARE(parse_architecture("8.6").value(), 86U);
        QCOMPARE(parse_architecture("sm_90").value(), 90U);
        QVERIFY(!parse_architecture("8.x") && !parse_architecture("7"));
    }
};

QTEST_APPLESS_MAIN(MemoryTest)
#include "test_memory.moc"
