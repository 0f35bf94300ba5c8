// SPDX-License-Identifier: Apache-2.0
// Data of arguments: generators against numbers computed here in another way, and files good and bad.
#include "session/data_source.hpp"
#include "session/random.hpp"
#include "warplight/file_io.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include "../make_link.hpp"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

using namespace warplight;
using namespace warplight::session;
namespace fs = std::filesystem;

class DataSourceTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path folder_;

    void write(const char* name, std::string_view bytes) { write_file_atomically(folder_ / name, bytes); }
    NdArray read(const char* name, const char* dtype = "", std::optional<session::Shape> shape = {},
                 std::uint64_t offset = 0) {
        return read_array(FileSource{name, dtype, std::move(shape), offset}, folder_);
    }
    void refused(const DataSource& source, const char* pointer, const char* says) {
        try {
            materialise(source, folder_);
            QFAIL("it was accepted");
        } catch (const SessionError& error) {
            QCOMPARE(QString::fromStdString(error.pointer), QString(pointer));
            QVERIFY2(QString(error.what()).contains(says), error.what());
        }
    }

private slots:
    void initTestCase() {
        QVERIFY(temporary_.isValid());
        folder_ = temporary_.path().toStdString();
    }

    void generators_make_what_they_say() {
        const auto zeros = materialise(ZerosSource{"int16", {2, 3}}, {});
        QCOMPARE(zeros.nbytes(), std::size_t(12));
        for (const auto each : zeros.as<std::int16_t>())
            QCOMPARE(each, std::int16_t(0));
        const auto constant = materialise(ConstantSource{"uint64", {2}, std::numeric_limits<std::uint64_t>::max()}, {});
        QCOMPARE(constant.as<std::uint64_t>()[1], std::numeric_limits<std::uint64_t>::max());
        const auto arange =
            materialise(ArangeSource{"int64", {4}, std::int64_t{9007199254740993}, std::int64_t{-3}}, {});
        QCOMPARE(arange.as<std::int64_t>()[3], std::int64_t{9007199254740984});
        const auto real = materialise(ArangeSource{"float32", {3}, 0.5, 0.25}, {});
        QCOMPARE(real.as<float>()[2], 1.0f);
        const auto linspace = materialise(LinspaceSource{"float64", {2, 3}, 0.0, 0.3}, {});
        QCOMPARE(linspace.as<double>()[5], 0.3);
        QCOMPARE(linspace.as<double>()[0], 0.0);
        QCOMPARE(materialise(LinspaceSource{"float32", {1}, 2.0, 5.0}, {}).as<float>()[0], 2.0f);
        QCOMPARE(materialise(ZerosSource{"float32", {0, 5}}, {}).size(), std::size_t(0));
        QCOMPARE(materialise(ConstantSource{"float32", {}, 1.5}, {}).as<float>()[0], 1.5f);
    }

    void values_that_do_not_fit_are_refused() {
        refused(ConstantSource{"int8", {4}, std::int64_t{200}}, "/value", "-128 to 127");
        refused(ArangeSource{"uint8", {300}, std::int64_t{0}, std::int64_t{1}}, "/step", "0 to 255");
        refused(ArangeSource{"uint32", {3}, std::int64_t{1}, std::int64_t{-1}}, "/step", "does not fit");
        refused(ZerosSource{"float32", {std::size_t(1) << 44}}, "/shape", "memory");
    }

    void random_numbers_are_splitmix64() {
        // Published first outputs of the generator for seed 0 and 1234567.
        QCOMPARE(SplitMix64{0}.at(0), std::uint64_t(0xE220A8397B1DCDAF));
        QCOMPARE(SplitMix64{0}.at(1), std::uint64_t(0x6E789E6AA1B965F4));
        QCOMPARE(SplitMix64{0}.at(2), std::uint64_t(0x06C45D188009454F));
        QCOMPARE(SplitMix64{1234567}.at(0), std::uint64_t(6457827717110365317u));
        QCOMPARE(SplitMix64{1234567}.at(1), std::uint64_t(3203168211198807973u));
    }

    void upper_products_are_exact() {
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const auto a = SplitMix64{1}.at(i), b = SplitMix64{2}.at(i);
            const auto wide = static_cast<unsigned __int128>(a) * b;
            QCOMPARE(upper_product(a, b), static_cast<std::uint64_t>(wide >> 64));
        }
    }

    void uniform_numbers_follow_the_formula_whatever_the_number_of_threads() {
        RandomSource source;
        source.shape = {1000, 1000};
        source.low = -2.0;
        source.high = std::int64_t{3};
        source.seed = 77;
        const auto array = materialise(source, {});
        const auto values = array.as<float>();
        std::uint64_t state = 77;
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) { // the generator step by step, as it is published
            std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
            z ^= z >> 31;
            const double expected = -2.0 + std::ldexp(static_cast<double>(z >> 11), -53) * 5.0;
            if (values[i] != static_cast<float>(expected)) QCOMPARE(values[i], static_cast<float>(expected));
            sum += static_cast<double>(values[i]);
        }
        QVERIFY(std::abs(sum / 1e6 - 0.5) < 0.01);
    }

    void random_integers_stay_in_range_and_reach_it() {
        RandomSource source;
        source.dtype = "int8";
        source.shape = {100000};
        source.low = std::int64_t{-128};
        source.high = std::int64_t{128};
        const auto array = materialise(source, {});
        std::array<int, 256> counts{};
        for (const auto each : array.as<std::int8_t>())
            ++counts[static_cast<std::size_t>(each + 128)];
        for (const auto each : counts)
            QVERIFY(each > 200 && each < 600);
        source.high = std::int64_t{129};
        refused(source, "/high", "-128 to 127");
    }

    void normal_numbers_follow_the_formula() {
        RandomSource source;
        source.dtype = "float64";
        source.shape = {200000};
        source.distribution = RandomSource::Distribution::normal;
        source.mean = 3;
        source.stddev = 2;
        source.seed = 5;
        const auto array = materialise(source, {});
        const auto values = array.as<double>();
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double u = static_cast<double>((SplitMix64{5}.at(2 * i) >> 11) + 1) * 0x1p-53;
            const double v = static_cast<double>(SplitMix64{5}.at(2 * i + 1) >> 11) * 0x1p-53;
            const double expected = 3 + 2 * std::sqrt(-2 * std::log(u)) * std::cos(2 * 3.14159265358979323846 * v);
            if (std::abs(values[i] - expected) > 1e-13 * (1 + std::abs(expected))) QCOMPARE(values[i], expected);
            sum += values[i] - 3;
            squares += (values[i] - 3) * (values[i] - 3);
        }
        QVERIFY(std::abs(sum / 2e5) < 0.02);
        QVERIFY(std::abs(squares / 2e5 - 4) < 0.05);
    }

    void raw_files() {
        const float values[] = {1, 2, 3, 4, 5, 6};
        write("x.bin", std::string_view("head", 4));
        std::string bytes("head");
        bytes.append(reinterpret_cast<const char*>(values), sizeof values);
        write("x.bin", bytes);
        QCOMPARE(read("x.bin", "float32", {}, 4).shape(), warplight::Shape({6}));
        const auto array = read("x.bin", "float32", session::Shape{2, 2}, 8);
        QCOMPARE(array.as<float>()[3], 5.0f);
        refused(FileSource{"x.bin", "", {}, 0}, "/dtype", "raw numbers");
        refused(FileSource{"x.bin", "float64", {}, 0}, "/dtype", "no whole number");
        refused(FileSource{"x.bin", "float32", session::Shape{7}, 4}, "/shape", "28 bytes, but there are 24");
        refused(FileSource{"x.bin", "float32", {}, 29}, "/offset", "behind its end");
        refused(FileSource{"x.bin", "float32", session::Shape{std::size_t(1) << 62, 16}, 0}, "/shape", "too short");
        const auto description = describe(FileSource{"x.bin", "float32", {}, 4}, folder_);
        QCOMPARE(description.elements, std::uint64_t(6));
        QCOMPARE(description.bytes, std::uint64_t(24));
    }

    void npy_files() {
        save_npy(folder_ / "a.npy", NdArray::from<float>({1, 2, 3, 4, 5, 6}, {2, 3}));
        QCOMPARE(read("a.npy").shape(), warplight::Shape({2, 3}));
        QCOMPARE(read("a.npy", "int32").as<std::int32_t>()[5], 6);
        QCOMPARE(read("a.npy", "", session::Shape{3, 2}).shape(), warplight::Shape({3, 2}));
        refused(FileSource{"a.npy", "", session::Shape{7}, 0}, "/shape", "(2, 3)");
        refused(FileSource{"none.npy", "", {}, 0}, "/path", "does not exist");
        refused(FileSource{".", "", {}, 0}, "/path", "is a folder");
        // What is in Fortran order on the disk is in C order for the kernel.
        const auto fortran = NdArray::from<float>({1, 2, 3, 4, 5, 6}, {2, 3}).copy(Order::F);
        save_npy(folder_ / "f.npy", fortran);
        QCOMPARE(read("f.npy").as<float>()[1], 2.0f);
        const auto whole = read_text_file(folder_ / "a.npy");
        for (std::size_t length = 0; length < whole.size(); length += 7) {
            write("cut.npy", std::string_view(whole).substr(0, length));
            QVERIFY_THROWS_EXCEPTION(SessionError, read("cut.npy"));
        }
        QCOMPARE(describe(FileSource{"a.npy", "float16", {}, 0}, folder_).bytes, std::uint64_t(12));
    }

    void csv_files() {
        write("a.csv", "x,y\n1,2.5\n-3,4e2\n\n# end\n");
        const auto array = read("a.csv");
        QCOMPARE(array.shape(), warplight::Shape({2, 2}));
        QCOMPARE(array.as<double>()[3], 400.0);
        write("b.csv", "\xEF\xBB\xBF"
                       "9007199254740993\r\n2\r\n");
        const auto integers = read("b.csv", "int64");
        QCOMPARE(integers.shape(), warplight::Shape({2}));
        QCOMPARE(integers.as<std::int64_t>()[0], std::int64_t{9007199254740993});
        write("c.csv", "1 2  3\n4\t5 6\n");
        QCOMPARE(read("c.csv", "float32").shape(), warplight::Shape({2, 3}));
        write("d.csv", "1;2\n3\n");
        refused(FileSource{"d.csv", "", {}, 0}, "/path", "line 2");
        write("e.csv", "1,2\n3,four\n");
        refused(FileSource{"e.csv", "", {}, 0}, "/path", "four");
        write("f.csv", "a,b\n");
        refused(FileSource{"f.csv", "", {}, 0}, "/path", "no numbers");
        write("g.csv", "300\n");
        refused(FileSource{"g.csv", "uint8", {}, 0}, "/path", "wanted type");
    }

    void images() {
        QImage picture(5, 3, QImage::Format_RGB888);
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 5; ++x)
                picture.setPixel(x, y, qRgb(10 * x, 20 * y, 255 - x));
        for (const char* name : {"p.png", "p.bmp", "p.ppm"}) {
            QVERIFY2(picture.save(QString::fromStdString((folder_ / name).string())), name);
            const auto array = read(name);
            QCOMPARE(array.shape(), warplight::Shape({3, 5, 3}));
            const auto pixels = array.as<std::uint8_t>();
            QCOMPARE(int(pixels[(2 * 5 + 4) * 3 + 0]), 40);
            QCOMPARE(int(pixels[(2 * 5 + 4) * 3 + 1]), 40);
            QCOMPARE(int(pixels[(2 * 5 + 4) * 3 + 2]), 251);
            QCOMPARE(describe(FileSource{name, "", {}, 0}, folder_).shape, session::Shape({3, 5, 3}));
        }
        QCOMPARE(read("p.png", "float32").as<float>()[3], 10.0f);
        QImage deep(4, 2, QImage::Format_Grayscale16);
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 4; ++x)
                reinterpret_cast<quint16*>(deep.scanLine(y))[x] = quint16(1000 * x + 257 * y);
        QVERIFY(deep.save(QString::fromStdString((folder_ / "deep.png").string())));
        QCOMPARE(read("deep.png", "uint16").as<std::uint16_t>()[7], std::uint16_t(3257));
        QCOMPARE(read("deep.png").as<std::uint8_t>()[7], std::uint8_t(3257 >> 8));
        QCOMPARE(read("p.png", "uint16").as<std::uint16_t>()[3], std::uint16_t(10)); // of 8 bits they are
        const auto whole = read_text_file(folder_ / "p.png");
        write("cut.png", std::string_view(whole).substr(0, whole.size() / 2));
        refused(FileSource{"cut.png", "", {}, 0}, "/path", "cannot be read as an image");
        // A second chunk of pixels with 1 GiB, of which nothing follows: the library would ask for the memory first.
        const std::size_t end = whole.find("IEND") - 4;
        write("long.png", whole.substr(0, end) + std::string("\x3f\xff\xff\xff"
                                                             "IDAT",
                                                             8));
        refused(FileSource{"long.png", "", {}, 0}, "/path", "it is cut short");
        write("not.jpg", "hello");
        refused(FileSource{"not.jpg", "", {}, 0}, "/path", "cannot be read as an image");
    }

    void sessions_write_below_their_folder_only() {
        const auto base = folder_ / "work";
        fs::create_directories(base / "inner");
        const bool links = make_link(folder_, base / "out", true) && make_link(folder_ / "a.npy", base / "link.npy");
        QCOMPARE(path_for_writing(base, "y.npy"), fs::canonical(base) / "y.npy");
        QCOMPARE(path_for_writing(base, "new/deep/y.npy"), fs::canonical(base) / "new/deep/y.npy");
        for (const char* bad : {"../y.npy", "inner/../../y.npy", "/tmp/y.npy", "", "inner/", "..", "."})
            QVERIFY_THROWS_EXCEPTION(SessionError, path_for_writing(base, bad));
        if (!links) QSKIP("no links can be made here");
        for (const char* bad : {"out/y.npy", "link.npy"})
            QVERIFY_THROWS_EXCEPTION(SessionError, path_for_writing(base, bad));
    }
};

QTEST_GUILESS_MAIN(DataSourceTest)
#include "data_source_test.moc"
