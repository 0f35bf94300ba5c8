// SPDX-License-Identifier: Apache-2.0
#include "software/runtime/output.hpp"

#include <QtTest>

#include <cstdint>
#include <cstring>
#include <vector>

using namespace warplight::software;

namespace {

/// Packs arguments as the compiler does for vprintf.
class Packed {
public:
    template <class T>
    Packed& operator<<(T value) {
        while (bytes_.size() % sizeof(T))
            bytes_.push_back(std::byte{0xEE});
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        std::memcpy(bytes_.data() + at, &value, sizeof value);
        return *this;
    }
    [[nodiscard]] const void* data() const { return bytes_.data(); }

private:
    std::vector<std::byte> bytes_;
};

QString formatted(const char* format, const Packed& arguments, int expected) {
    std::string text;
    const int count = format_printf(text, format, arguments.data());
    return count == expected ? QString::fromStdString(text) : QString("count %1").arg(count);
}

} // namespace

class OutputTest : public QObject {
    Q_OBJECT
private slots:
    void conversions() {
        QCOMPARE(formatted("plain\n", {}, 0), QString("plain\n"));
        QCOMPARE(formatted("%d %u|%5d|%-5d|%05d", Packed{} << -3 << 4000000000U << 42 << 42 << 42, 5),
                 QString("-3 4000000000|   42|42   |00042"));
        QCOMPARE(formatted("%lld %llx %zu", Packed{} << -5LL << 0xABCDEF0123ULL << std::size_t{7}, 3),
                 QString("-5 abcdef0123 7"));
        QCOMPARE(formatted("%d %f", Packed{} << 1 << 2.5, 2), QString("1 2.500000"));
        QCOMPARE(formatted("%.3e %g %10.2f", Packed{} << 12345.678 << 0.5 << -1.0, 3),
                 QString("1.235e+04 0.5      -1.00"));
        QCOMPARE(formatted("%s and %-6s|%c%%", Packed{} << "one" << "two" << int{'x'}, 3),
                 QString("one and two   |x%"));
        QCOMPARE(formatted("%*d %.*f", Packed{} << 6 << 12 << 1 << 0.25, 4), QString("    12 0.2"));
        QCOMPARE(formatted("%hd %hhu", Packed{} << 65537 << 257U, 2), QString("1 1"));
        QCOMPARE(formatted("%#x %+d", Packed{} << 255U << 7, 2), QString("0xff +7"));
        QCOMPARE(formatted("%p|%12p|%-12p|", Packed{} << 0x7F001234ULL << 0x10ULL << 0x10ULL, 3),
                 QString("0x7f001234|        0x10|0x10        |"));
        QCOMPARE(formatted("%p|%8p|%-8p|%08.2p|", Packed{} << 0ULL << 0ULL << 0ULL << 0ULL, 4),
                 QString("(nil)|   (nil)|(nil)   |   (nil)|"));
    }

    void badFormatsDoNoHarm() {
        std::string text;
        QCOMPARE(format_printf(text, nullptr, nullptr), -1);
        QCOMPARE(formatted("50%", {}, 0), QString("50%"));
        QCOMPARE(formatted("%y%d", Packed{} << 3, 1), QString("%y3"));
        QCOMPARE(formatted("%99999999d", Packed{} << 3, 1).size(), 4096);
    }

    void printedTextArrivesInOrder() {
        std::string received;
        set_output_receiver(
            [](const char* text, std::size_t size, void* user) { static_cast<std::string*>(user)->append(text, size); },
            &received);
        print("a", 100);
        print("b", 100);
        QVERIFY(received.empty());
        flush_output();
        QCOMPARE(received, std::string("ab"));
        print("0123456789", 5); // over the limit: nothing is lost
        QCOMPARE(received, std::string("ab0123456789"));
        set_output_receiver(nullptr, nullptr);
    }

    void listenersHearErrors() {
        std::string heard;
        const auto number =
            add_log_receiver([](void* user, int, char* message,
                                std::size_t length) { static_cast<std::string*>(user)->assign(message, length); },
                             &heard);
        log_error(CUDA_ERROR_INVALID_VALUE, "first");
        QCOMPARE(heard, std::string("first"));
        QCOMPARE(last_error(), std::string("first"));
        QVERIFY(remove_log_receiver(number));
        QVERIFY(!remove_log_receiver(number));
        log_error(CUDA_ERROR_INVALID_VALUE, "second");
        QCOMPARE(heard, std::string("first"));
        note_error(CUDA_ERROR_INVALID_VALUE, true);
        QCOMPARE(last_error(), std::string("second"));
        note_error(CUDA_ERROR_INVALID_HANDLE, false); // a failure without words does not keep another's
        QCOMPARE(last_error(), std::string());
    }
};

QTEST_APPLESS_MAIN(OutputTest)
#include "test_output.moc"
