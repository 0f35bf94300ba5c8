// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger of two floats, side by side against a thread at a time: every pair of NaN, zeros,
// infinities and other numbers, in registers and as constants.
#include "lane_program.hpp"
#include "software/jit/host.hpp"
#include "vector_code.hpp"

#include <vector>

namespace jit = warplight::jit;

namespace {

const std::vector<std::string> kSingles = {"0x7fffffff", "0x7fc00001", "0xffc00123", "0x7f800001", "0xffa00000",
                                           "0x00000000", "0x80000000", "0x7f800000", "0xff800000", "0x3f800000",
                                           "0xc0490fdb", "0x00000001", "0x80000001"};
const std::vector<std::string> kDoubles = {
    "0x7fffffffffffffff", "0x7ff8000000000001", "0xfff8000000000123", "0x7ff0000000000001", "0xfff4000000000000",
    "0x0000000000000000", "0x8000000000000000", "0x7ff0000000000000", "0xfff0000000000000", "0x3ff0000000000000",
    "0xc00921fb54442d18", "0x0000000000000001", "0x8000000000000001"};

/// A register gets the number that %i counts.
std::string choose(const std::vector<std::string>& numbers, const std::string& to, const std::string& bits) {
    std::string code = "mov.b" + bits + " " + to + ", " + numbers[0] + ";\n";
    for (std::size_t k = 1; k < numbers.size(); ++k)
        code += "setp.eq.u32 %p1, %i, " + std::to_string(k) + "; selp.b" + bits + " " + to + ", " + numbers[k] + ", " +
                to + ", %p1;\n";
    return code;
}

} // namespace

class MinMaxTest : public QObject {
    Q_OBJECT

private slots:
    void pairs_data() {
        QTest::addColumn<bool>("doubles");
        QTest::addRow("f32") << false;
        QTest::addRow("f64") << true;
    }
    /// Each thread has a number of its own, and compares it with all.
    void pairs() {
        QFETCH(bool, doubles);
        const std::string bits = doubles ? "64" : "32", x = doubles ? "%x64" : "%x", y = doubles ? "%y64" : "%y",
                          z = doubles ? "%z64" : "%z";
        const auto& numbers = doubles ? kDoubles : kSingles;
        const std::string count = std::to_string(numbers.size());
        const std::string fold = doubles ? "mov.b64 {%low, %high}, %z64; mad.lo.u32 %acc, %acc, 31, %low;"
                                           "mad.lo.u32 %acc, %acc, 31, %high;\n"
                                         : "mad.lo.u32 %acc, %acc, 31, %z;\n";
        std::string body = "mov.u32 %acc, 1; mov.u32 %k, 0; rem.u32 %i, %r10, " + count + ";\n" +
                           choose(numbers, x, bits) + "A: add.u32 %i, %r11, %k; rem.u32 %i, %i, " + count + ";\n" +
                           choose(numbers, y, bits);
        for (const char* operation : {"min", "max"}) {
            const std::string name = std::string(operation) + ".f" + bits + " " + z + ", ";
            body += name + x + ", " + y + ";\n" + fold;
            for (const std::string& number : numbers) {
                const std::string constant = (doubles ? "0d" : "0f") + number.substr(2);
                body += name + y + ", " + constant + ";\n" + fold + name + constant + ", " + y + ";\n" + fold;
            }
        }
        body += "add.u32 %k, %k, 1; setp.lt.u32 %p2, %k, " + count + "; @%p2 bra A;\nst.global.u32 [%rd1], %acc; ret;";
        compare(program(body, ".reg .b32 %i, %k, %acc, %x, %y, %z, %low, %high; .reg .b64 %x64, %y64, %z64;"));
    }

    /// No mask tells which lanes are NaN.
    void compares_no_lanes() {
        if (!jit::host_masks_anything()) QSKIP("this host does it by masks");
        const auto comparisons = [](const std::string& y) {
            return vector_code(program("add.f32 %f, %x, 0f3f800000; max.f32 %f, %f, " + y +
                                           "; mul.f32 %f, %f, %f; st.global.f32 [%rd3], %f; ret;",
                                       ".reg .f32 %f, %x; mov.b32 %x, %tid.x; "),
                               16)
                .float_compares;
        };
        QCOMPARE(comparisons("%x"), 0U);
        QCOMPARE(comparisons("0f00000000"), 1U); // which is the maximum itself
    }
};

QTEST_APPLESS_MAIN(MinMaxTest)
#include "test_min_max.moc"
