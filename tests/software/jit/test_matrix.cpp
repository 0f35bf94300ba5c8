// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of a warp, all forms: threads one at a time against whole warps, both against plain C++, and
// against what an H100 left in its registers and memory (matrices/h100.bin).
//
// WARPLIGHT_TEST_MATRIX in the environment: a part of the names of the forms to try.
#include "matrix_forms.hpp"
#include "mini_runtime.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

using matrices::Form;
using matrices::Kind;
using mini::Launch;
using mini::Parameters;
using mini::Program;
using warplight::jit::Mode;
using Words = std::vector<std::uint32_t>;

namespace {

/// What the GPU answered: words, or no more than a hash of them.
struct Recorded {
    std::uint64_t hash = 0;
    Words words;
};

std::uint64_t hash_of(const Words& words) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const std::uint32_t word : words)
        for (unsigned shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (word >> shift & 0xff)) * 0x100000001B3U;
    return hash;
}

/// Of each: the length of the name, the name, the number of the case, the number of words, the hash, the words.
using Record = std::map<std::pair<std::string, int>, Recorded>;

Record read_record() {
    QFile file(WARPLIGHT_MATRIX_RECORD);
    Record all;
    if (!file.open(QFile::ReadOnly)) return all;
    const QByteArray bytes = file.readAll();
    qsizetype at = 0;
    const auto take = [&](void* to, std::size_t size) {
        if (at + static_cast<qsizetype>(size) > bytes.size()) qFatal("the record is cut off");
        std::copy_n(bytes.constData() + at, size, static_cast<char*>(to));
        at += static_cast<qsizetype>(size);
    };
    while (at < bytes.size()) {
        std::uint8_t head[2] = {};
        take(head, 2);
        std::string name(head[0], ' ');
        take(name.data(), name.size());
        std::uint16_t count = 0;
        take(&count, 2);
        Recorded& one = all[{name, head[1]}];
        take(&one.hash, 8);
        one.words.resize(count);
        take(one.words.data(), std::size_t{4} * count);
    }
    return all;
}

Words run(const warplight::jit::CompiledKernel& kernel, const Form& form, Words in) {
    Words out(matrices::kWords, 0xEEEEEEEE);
    Launch launch;
    launch.block = {32, 1, 1};
    launch.static_shared = 512;
    const auto outcome =
        mini::run(kernel, launch, Parameters().add(in.data()).add(out.data()).add(std::uint32_t{form.stride()}));
    if (outcome.fault) throw std::runtime_error("fault " + std::to_string(static_cast<int>(outcome.fault->reason)));
    if (outcome.deadlock) throw std::runtime_error("deadlock");
    return matrices::result_of(form, out);
}

QString first_difference(const Words& a, const Words& b) {
    for (std::size_t k = 0; k < a.size(); ++k)
        if (a[k] != b[k])
            return QString("word %1 is %2, not %3").arg(k).arg(a[k], 8, 16, QChar('0')).arg(b[k], 8, 16, QChar('0'));
    return "none";
}

/// How far sums of f32 may be from the real ones, in parts of all that is added: of this device, which adds up one by
/// one, and of a GPU, which cuts off what is below the largest.
constexpr double kDeviceTolerance = 0x1p-24 * 17, kGpuTolerance = 0x1p-22 * 4;

/// An empty text: all fits.
QString compare(const Form& form, const Words& in, const Words& found, double tolerance) {
    const unsigned bits = matrices::bits_of(form.d);
    for (const matrices::Expected& x : matrices::expected_of(form, in)) {
        const std::size_t word = std::size_t{32} * x.reg + x.lane;
        const std::uint64_t raw = bits == 64 ? found[2 * word] | std::uint64_t{found[2 * word + 1]} << 32
                                             : std::uint64_t{found[word]} >> bits * x.part;
        const double value = matrices::number_of(form.d, raw);
        double wanted = x.value, allowed = 0;
        if (form.is_integer()) {
            if (form.name.find("satfinite") != std::string::npos)
                wanted = std::min(std::max(wanted, -0x1p31), 0x1p31 - 1);
            else if (wanted < -0x1p31 || wanted >= 0x1p31)
                wanted -= std::floor((wanted + 0x1p31) / 0x1p32) * 0x1p32;
        } else {
            if (std::isnan(x.magnitude)) {
                if (!std::isnan(value)) return "a number where there is none";
                continue;
            }
            // A GPU makes several products of half floats of one of 8-bit floats, and rounds in between.
            const bool bytes = form.a == "e4m3" || form.a == "e5m2";
            const double sums = bytes && form.d == "f16" && tolerance == kGpuTolerance ? 0x1p-10 : tolerance;
            const double largest = form.d == "f16" ? 65504 : form.d == "f32" ? 0x1.fffffep127 : 0x1p1023;
            if (x.magnitude > largest / 2) continue;
            allowed = form.d == "f64"   ? x.magnitude * 0x1p-52 * 17
                      : form.d == "f16" ? std::max(std::abs(wanted) * 0x1p-11, 0x1p-25) + x.magnitude * sums
                                        : x.magnitude * tolerance + 0x1p-149;
        }
        if (!(std::abs(value - wanted) <= allowed))
            return QString("register %1 of lane %2 is %3, not %4").arg(x.reg).arg(x.lane).arg(value).arg(wanted);
    }
    return {};
}

} // namespace

class MatrixTest : public QObject {
    Q_OBJECT

    static void check(const Form& form, const Record& record, int& exact, int& near) {
        const Program program(form.ptx);
        const auto one = program.compile("k", Mode::coroutine);
        const auto together = program.compile("k", Mode::automatic, {}, 32);
        QVERIFY2(together && together->width() == 32, form.name.c_str());
        for (int number = 0; number < form.cases(); ++number) {
            const auto where = [&](const char* who, const QString& what) {
                return (QString::fromStdString(form.name) + ", case " + QString::number(number) + ", " + who + ": " +
                        what)
                    .toStdString();
            };
            const Words in = matrices::input_of(form, number);
            const Words judge = run(*one, form, in), warp = run(*together, form, in);
            QVERIFY2(judge == warp, where("both ways", first_difference(warp, judge)).c_str());
            if (form.kind == Kind::product) {
                const QString wrong = compare(form, in, judge, kDeviceTolerance);
                QVERIFY2(wrong.isEmpty(), where("plain C++", wrong).c_str());
            }
            const auto known = record.find({form.name, number});
            if (known == record.end()) continue;
            const Recorded& gpu = known->second;
            if (gpu.words.empty()) {
                QVERIFY2(hash_of(judge) == gpu.hash, where("an H100", "differs").c_str());
                ++exact;
            } else {
                const QString wrong = compare(form, in, gpu.words, kGpuTolerance);
                QVERIFY2(wrong.isEmpty(), where("an H100 and plain C++", wrong).c_str());
                ++near;
            }
        }
    }

private slots:
    void forms() {
        const auto record = read_record();
        QVERIFY2(!record.empty(), "no record of a GPU");
        const std::string wanted = qgetenv("WARPLIGHT_TEST_MATRIX").toStdString();
        int exact = 0, near = 0;
        for (const Form& form : matrices::all_forms()) {
            if (form.name.find(wanted) == std::string::npos) continue;
            try {
                check(form, record, exact, near);
            } catch (const std::exception& e) {
                QFAIL((form.name + ": " + e.what()).c_str());
            }
            if (QTest::currentTestFailed()) return;
        }
        qInfo("%d results as an H100's to the bit, %d near", exact, near);
        QVERIFY(!wanted.empty() || (exact > 400 && near > 30));
    }
};

QTEST_GUILESS_MAIN(MatrixTest)
#include "test_matrix.moc"
