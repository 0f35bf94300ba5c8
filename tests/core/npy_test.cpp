// SPDX-License-Identifier: Apache-2.0
// .npy files, against files that NumPy wrote (npy/make.py) and against damaged ones.
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "warplight/npy.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <complex>
#include <cstring>
#include <filesystem>

#if defined(__linux__)
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>
#endif

using namespace warplight;
namespace fs = std::filesystem;

namespace {

const fs::path kFolder = WARPLIGHT_SOURCE_DIR "/tests/core/npy";

fs::path file(const std::string& name) { return kFolder / (name + ".npy"); }

/// What make.py wrote at place i.
double value(std::size_t i) { return static_cast<double>((i * 37) % 101) - 50; }

std::string slurp(const fs::path& path) { return read_text_file(path); }

/// A version 1 file with any dictionary.
std::string make_file(const std::string& dictionary, const std::string& data = std::string(64, '\0')) {
    std::string text = std::string("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(dictionary.size() & 0xff);
    text += static_cast<char>(dictionary.size() >> 8);
    return text + dictionary + data;
}
std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string message(const std::string& text) {
    try {
        parse_npy(bytes_of(text), "x.npy");
    } catch (const FileError& error) {
        return error.what();
    }
    return "";
}

} // namespace

class NpyTest : public QObject {
    Q_OBJECT
private slots:
    void numeric_files_data() {
        QTest::addColumn<QString>("name");
        for (const DType& type : DType::all())
            QTest::addRow("%s", type.name().c_str()) << QString::fromStdString(type.name());
    }
    void numeric_files() {
        QFETCH(QString, name);
        const std::string type = name.toStdString();
        for (const NdArray& array : {load_npy(file(type)), open_npy(file(type))}) {
            QCOMPARE(array.dtype().name(), type);
            QVERIFY((array.shape() == Shape{2, 3, 4}));
            QVERIFY(array.is_c_contiguous());
            for (std::size_t i = 0; i < 24; ++i) {
                double expected = value(i);
                if (type == "bool")
                    expected = i % 3 == 0;
                else if (type.starts_with("uint"))
                    expected += 50;
                else if (type.starts_with("float"))
                    expected /= 8;
                QCOMPARE(array.item(i), expected);
                if (type == "complex64")
                    QCOMPARE(array.as<std::complex<float>>()[i].imag(), static_cast<float>(value(i) + 1));
                if (type == "complex128") QCOMPARE(array.as<std::complex<double>>()[i].imag(), value(i) + 1);
            }
        }
        QVERIFY(load_npy(file(type)).writable());
        QVERIFY(!open_npy(file(type)).writable());
        const NpyHeader header = read_npy_header(file(type));
        QCOMPARE(header.dtype.name(), type);
        QCOMPARE(header.data_offset, std::size_t{128});
        QCOMPARE(header.data_offset + header.nbytes, fs::file_size(file(type)));
    }

    void layouts() {
        for (const char* name : {"fortran", "big_endian_fortran"}) {
            const NdArray array = load_npy(file(name));
            QVERIFY(array.order() == Order::F);
            for (std::size_t i = 0; i < 12; ++i)
                QCOMPARE(array.item(i), value(i) / 8);
            QVERIFY(read_npy_header(file(name)).fortran_order);
        }
        for (const NdArray& array : {load_npy(file("big_endian")), open_npy(file("big_endian"))}) {
            QCOMPARE(array.dtype().name(), "int32");
            for (std::size_t i = 0; i < 12; ++i)
                QCOMPARE(array.item(i), value(i));
        }
        QVERIFY(read_npy_header(file("big_endian")).big_endian);
        const NdArray complex = load_npy(file("big_endian_complex"));
        for (std::size_t i = 0; i < 12; ++i)
            QVERIFY((complex.as<std::complex<float>>()[i] ==
                     std::complex<float>(static_cast<float>(value(i)), static_cast<float>(value(i) + 1))));
        QCOMPARE(load_npy(file("scalar")).ndim(), std::size_t{0});
        QCOMPARE(load_npy(file("scalar")).item(0), 2.5);
        QVERIFY((load_npy(file("no_elements")).shape() == Shape{0, 3}));
        QVERIFY((open_npy(file("no_elements")).shape() == Shape{0, 3}));
        for (const int version : {2, 3}) {
            const std::string name = "version_" + std::to_string(version);
            QCOMPARE(read_npy_header(file(name)).version, version);
            QCOMPARE(load_npy(file(name)).item(5), value(5));
        }
        const NdArray special = load_npy(file("special"));
        QVERIFY(std::isnan(special.item(0)) && std::signbit(special.item(3)));
        QCOMPARE(special.item(4), 5e-324);
    }

    void structured_files() {
        const NdArray array = load_npy(file("structured"));
        QCOMPARE(array.itemsize(), std::size_t{12});
        QCOMPARE(array.dtype().descr(), "[('id', '<i4'), ('weight', '<f8')]");
        double weight;
        std::memcpy(&weight, array.data() + 12 + 4, 8);
        QCOMPARE(weight, -4.5);
        QVERIFY_THROWS_EXCEPTION(LogicError, array.item(0));
        QCOMPARE(read_npy_header(file("nested")).dtype.itemsize(), std::size_t{15});
        QCOMPARE(read_npy_header(file("unicode_field")).dtype.itemsize(), std::size_t{4});
    }

    void files_that_cannot_be_used() {
        QVERIFY(read_npy_header(file("object")).object);
        for (const auto& [name, part] : {std::pair{"object", "Python objects"}, {"text", "texts and dates"}}) {
            try {
                load_npy(file(name));
                QFAIL("no error");
            } catch (const FileError& error) {
                QVERIFY2(std::string(error.what()).find(part) != std::string::npos, error.what());
                QVERIFY(std::string(error.what()).find(name) != std::string::npos);
            }
            QVERIFY_THROWS_EXCEPTION(FileError, open_npy(file(name)));
        }
        QVERIFY_THROWS_EXCEPTION(FileError, load_npy(kFolder / "none.npy"));
        QVERIFY_THROWS_EXCEPTION(FileError, load_npy(kFolder));
        QVERIFY_THROWS_EXCEPTION(FileError, load_npy(kFolder / "make.py"));
        QVERIFY_THROWS_EXCEPTION(FileError, open_npy("/dev/null"));
    }

    void every_truncation() {
        for (const char* name : {"float32", "structured", "version_2", "big_endian"}) {
            const std::string whole = slurp(file(name));
            for (std::size_t size = 0; size < whole.size(); ++size)
                QVERIFY2(!message(whole.substr(0, size)).empty(), std::to_string(size).c_str());
            QVERIFY(message(whole).empty());
        }
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "cut.npy";
        write_file_atomically(path, slurp(file("float32")).substr(0, 200));
        QVERIFY_THROWS_EXCEPTION(FileError, load_npy(path));
        QVERIFY_THROWS_EXCEPTION(FileError, open_npy(path));
        QVERIFY_THROWS_EXCEPTION(FileError, read_npy_header(path));
        write_file_atomically(path, std::string_view());
        QVERIFY_THROWS_EXCEPTION(FileError, open_npy(path));
    }

    void bad_headers_data() {
        QTest::addColumn<QString>("dictionary");
        const char* const bad[] = {
            "",
            "{",
            "}",
            "{}",
            "[]",
            "garbage",
            "{'descr': '<f4'}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': 2, }",
            "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }",
            "{'descr': '<f5', 'fortran_order': False, 'shape': (2,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1, }",
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
            "{'descr': '<f4, 'fortran_order': False, 'shape': (2,), }",
            "{'descr': , 'fortran_order': False, 'shape': (2,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,), }",
            "{'descr': '<f4', 'fortran_order': False, 'shape': "
            "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1), }",
            "{'descr': [], 'fortran_order': False, 'shape': (2,), }",
            "{'descr': [('a')], 'fortran_order': False, 'shape': (2,), }",
            "{'descr': [('a', '<f4', (999999999, 999999999))], 'fortran_order': False, 'shape': (2,), }",
            "{'descr': '<V99999999999', 'fortran_order': False, 'shape': (2,), }",
            "{'descr': [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', "
            "[('a', [('a', "
            "[('a', [('a', [('a', '<f4')])])])])])])])])])])])])])])])])])])], 'fortran_order': False, 'shape': (2,), "
            "}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }",
        };
        int number = 0;
        for (const char* dictionary : bad)
            QTest::addRow("%d", number++) << dictionary;
    }
    void bad_headers() {
        QFETCH(QString, dictionary);
        const std::string text = message(make_file(dictionary.toStdString()));
        QVERIFY(text.starts_with("x.npy: "));
    }

    void odd_headers_that_are_right() {
        // Any order of the entries, other spaces and quotes, no final comma, Python 2's long integers.
        const std::string data(8, 'A');
        const NdArray array =
            parse_npy(bytes_of(make_file("{ \"shape\":( 2L , ) ,'fortran_order':False,'descr':'<i4'}", data)));
        QCOMPARE(array.at<int>(1), 0x41414141);
        QVERIFY(
            (parse_npy(bytes_of(make_file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 4)}", data))).shape() ==
             Shape{2, 4}));
        // Data behind a header of any length: not aligned, so it is copied even when it is opened.
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "odd.npy";
        write_file_atomically(
            path, make_file("{'descr': '<f8', 'fortran_order': False, 'shape': ()}  ", std::string(8, '\0')));
        const NdArray opened = open_npy(path);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(opened.data()) % 8, std::uintptr_t{0});
        QCOMPARE(opened.at<double>(), 0.0);
        QVERIFY(message(std::string("\x93NUMPY\x04\x00\x00\x00", 10)).find("4.0") != std::string::npos);
    }

    void written_files_are_those_of_numpy() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "written.npy";
        for (const auto& entry : fs::directory_iterator(kFolder)) {
            const std::string name = entry.path().stem().string();
            if (entry.path().extension() != ".npy" || name == "object" || name == "text") continue;
            const NdArray array = load_npy(entry.path());
            save_npy(path, array);
            if (!name.starts_with("big_endian") && !name.starts_with("version") && name != "unicode_field")
                QCOMPARE(QByteArray::fromStdString(slurp(path)), QByteArray::fromStdString(slurp(entry.path())));
            const NdArray again = load_npy(path);
            QVERIFY2(again.dtype() == array.dtype() && again.shape() == array.shape() && again.order() == array.order(),
                     name.c_str());
            QVERIFY(std::memcmp(again.bytes().data(), array.bytes().data(), array.nbytes()) == 0);
        }
        const NdArray strided = load_npy(file("float32")).slice(2, 3, 2, -3);
        save_npy(path, strided);
        QVERIFY((load_npy(path).shape() == Shape{2, 3, 2}));
        QCOMPARE(load_npy(path).item(1), value(0) / 8);
        std::string long_type = "[";
        for (int i = 0; i < 6000; ++i)
            long_type += "('field" + std::to_string(i) + "', '|u1'), ";
        const NdArray wide = NdArray::zeros({2}, DType::opaque(6000, long_type + "]"));
        save_npy(path, wide);
        QCOMPARE(read_npy_header(path).version, 2);
        QVERIFY(load_npy(path).dtype() == wide.dtype());
    }

    void writing_that_fails_leaves_the_old_file() {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "kept.npy";
        save_npy(path, NdArray::from({1, 2, 3}));
        const std::string before = slurp(path);
        QVERIFY_THROWS_EXCEPTION(
            FileError, save_npy(fs::path(folder.path().toStdString()) / "none" / "x.npy", NdArray::from({1})));
#if defined(__linux__)
        // As on a full disk: the file may not grow beyond a few bytes.
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        const auto handler = signal(SIGXFSZ, SIG_IGN);
        const rlimit small{4096, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        std::string text;
        try {
            save_npy(path, NdArray::zeros({100000}, DType::float64()));
        } catch (const FileError& error) {
            text = error.what();
        }
        setrlimit(RLIMIT_FSIZE, &old);
        signal(SIGXFSZ, handler);
        QVERIFY(text.find("cannot be written") != std::string::npos);
        if (geteuid() != 0) { // root may write everywhere
            fs::permissions(folder.path().toStdString(), fs::perms::owner_read | fs::perms::owner_exec);
            QVERIFY_THROWS_EXCEPTION(FileError, save_npy(path, NdArray::from({1})));
            fs::permissions(folder.path().toStdString(), fs::perms::owner_all);
        }
#endif
        QCOMPARE(slurp(path), before);
        int files = 0;
        for (const auto& entry : fs::directory_iterator(folder.path().toStdString()))
            files += entry.is_regular_file();
        QCOMPARE(files, 1); // no half file stays
    }

    void opening_costs_nothing() {
        // 64 GiB without a byte on the disk: reading it would take minutes.
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "large.npy";
        write_file_atomically(
            path,
            make_file("{'descr': '<f4', 'fortran_order': False, 'shape': (17179869184,), }" + std::string(3, ' '), ""));
        std::error_code code;
        fs::resize_file(path, fs::file_size(path) + (std::uintmax_t{64} << 30), code);
        if (code) QSKIP("this file system has no sparse files of that size");
        const NdArray array = open_npy(path);
        QCOMPARE(array.size(), std::size_t{17179869184});
        QCOMPARE(array.item(17179869183), 0.0);
    }
};

QTEST_APPLESS_MAIN(NpyTest)
#include "npy_test.moc"
