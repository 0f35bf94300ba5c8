// SPDX-License-Identifier: Apache-2.0
// Texts and files that were changed at random, cut off, or made to be as deep, long or numerous as they can be: each
// reader understands them or refuses them with a message. Sanitizers watch what is read and how deep it goes.
#include "compiler/instances.hpp"
#include "compiler/tokens.hpp"
#include "interface/state.hpp"
#include "session/data_file.hpp"
#include "session/image.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"
#include "worker/message.hpp"
#include "worker/utf8.hpp"
#ifdef WARPLIGHT_PTX
#include "software/ptx/parser.hpp"
#endif

#include <fstream>
#include <iterator>
#include <random>

#include <QtTest>

using namespace warplight;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Files below a folder of this checkout, in the order of their names.
std::vector<fs::path> files_in(const char* folder, const std::set<std::string>& endings) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPLIGHT_SOURCE_DIR) / folder))
        if (entry.is_regular_file() && (endings.empty() || endings.contains(entry.path().extension().string())))
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// Changes a text at one to five places. The same seed makes the same mutants.
class Mutator {
public:
    explicit Mutator(unsigned seed, std::vector<std::string> pieces) : random_(seed), pieces_(std::move(pieces)) {}

    std::string operator()(const std::string& text) {
        std::string mutant = text;
        for (std::size_t changes = 1 + below(5); changes > 0; --changes) {
            const std::size_t at = below(mutant.size() + 1);
            switch (below(6)) {
            case 0: mutant.insert(at, pieces_[below(pieces_.size())]); break;
            case 1: mutant.erase(at, 1 + below(40)); break;
            case 2: mutant.insert(at, text, below(text.size() + 1), below(200)); break;
            case 3: mutant.resize(at); break;
            case 4:
                if (at < mutant.size())
                    mutant[at] = static_cast<char>(1u << below(8) ^ static_cast<unsigned char>(mutant[at]));
                break;
            default:
                if (at < mutant.size()) mutant[at] = static_cast<char>(below(256));
            }
        }
        return mutant;
    }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

private:
    std::mt19937 random_;
    std::vector<std::string> pieces_;
};

constexpr int kMutants = 10'000;

std::string repeated(std::string_view piece, std::size_t count) {
    std::string text;
    text.reserve(piece.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        text += piece;
    return text;
}

/// Calls with a copy that ends where its memory ends, so that a sanitizer sees what is read behind it. Returns what the
/// reader said; the error types of readers are the only ones that may come.
template <class Call>
std::string refusal(const std::string& text, const Call& call) {
    const std::vector<char> exact(text.begin(), text.end());
    try {
        call(std::string_view(exact.data(), exact.size()));
    } catch (const session::SessionError& error) {
        return error.what();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void read_ptx(std::string_view text) {
    for (const compiler::Kernel& kernel : compiler::parse_ptx_entries(text))
        if (kernel.name.empty()) throw std::logic_error("a kernel without a name");
    (void)compiler::parse_ptx_lines(text);
    (void)driver::detail::scan_ptx_signatures(text);
#ifdef WARPLIGHT_PTX
    (void)ptx::parse(text); // what `inspect` does first
#endif
}

void read_source(std::string_view text) {
    for (const compiler::Kernel& kernel : compiler::offered_kernels(text, {"k<float>", "scale<int, 4>"}))
        if (kernel.name.empty()) throw std::logic_error("a kernel without a name");
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

} // namespace

class ReadersTest : public QObject {
    Q_OBJECT

    template <class Call>
    static void mutate(const std::vector<std::string>& seeds, Mutator mutator, const Call& call) {
        QVERIFY(!seeds.empty());
        int refused = 0;
        for (int i = 0; i < kMutants; ++i)
            refused += refusal(mutator(seeds[mutator.below(seeds.size())]), call).empty() ? 0 : 1;
        qInfo("%d of %d refused", refused, kMutants);
    }

    static std::vector<std::string> texts(const std::vector<fs::path>& paths, std::size_t most = SIZE_MAX) {
        std::vector<std::string> all;
        for (const fs::path& path : paths)
            if (fs::file_size(path) <= most) all.push_back(read(path));
        return all;
    }

private slots:
    void sessions() {
        auto seeds = texts(files_in("resources/examples", {".warplight"}));
        for (auto& each : texts(files_in("tests/fuzz/seeds/session", {".warplight"})))
            seeds.push_back(std::move(each));
        mutate(seeds,
               Mutator(1, {"[", "]", "{", "}", ",", ":", "\"", "null", "1e999", "-1", "\\u0000", "\xff",
                           "99999999999999999999", "\"shape\":[4294967295,4294967295]", "[[[[[[[["}),
               [](std::string_view text) {
                   const session::Session session = session::parse(text);
                   const std::string written = session::to_text(session);
                   if (session::to_text(session::parse(written)) != written)
                       throw std::logic_error("does not survive writing");
               });
    }

    void arrays() {
        auto seeds = texts(files_in("tests/fuzz/seeds/npy", {".npy"}));
        for (auto& each : texts(files_in("tests/core/npy", {".npy"}), 8192))
            seeds.push_back(std::move(each));
        mutate(seeds,
               Mutator(2, {"(", ")", "[", "]", "'", ",", "{", "}", "<f4", "|O", "((((((((", "[('a', ",
                           "18446744073709551615", "True", std::string(1, '\0')}),
               [](std::string_view text) {
                   const NdArray array = parse_npy(bytes_of(text), "mutant");
                   if (array.nbytes() > text.size()) throw std::logic_error("more bytes than there are");
               });
    }

    void tables() {
        const std::vector<std::string> seeds = {"1,2,3\n4,5,6\n", "x;y;z\n0.5;-1e3;nan\n",
                                                "# a comment\n1 2 3\n4 5 6\n", "\xEF\xBB\xBF\"1\"\t\"2\"\r\n3\t4\r\n",
                                                "1\n2\n3\n"};
        int type = 0;
        mutate(seeds, Mutator(3, {",", ";", "\t", "\n", "\"", "1e400", "-", "+", "nan", "inf", "\xff", ",,,,", "#"}),
               [&](std::string_view text) {
                   const DType types[] = {DType::float64(), DType::int32(), DType::uint8(), DType::float16()};
                   (void)session::parse_csv(text, "mutant.csv", types[type++ % 4]);
               });
    }

    void images() {
        std::vector<std::string> seeds = {"P5\n4 3\n255\n0123456789ab", "P6\n2 2\n255\n0123456789ab"};
        for (auto& each : texts(files_in("tests/fuzz/seeds/picture", {})))
            seeds.push_back(std::move(each));
        mutate(seeds, Mutator(4, {"IHDR", "IDAT", "PLTE", "\xff\xd8", "\xff\xc0", "65536", std::string(4, '\xff')}),
               [](std::string_view text) {
                   const Shape shape = session::image_shape(bytes_of(text), "mutant.png");
                   if (shape[0] * shape[1] < 1 << 16) (void)session::parse_image(bytes_of(text), "mutant.png");
               });
    }

    void ptx() {
        auto seeds = texts(files_in("tests/software/ptx/corpus", {".ptx"}), 16384);
        for (auto& each : texts(files_in("tests/fuzz/seeds", {".ptx"}), 8192))
            seeds.push_back(std::move(each));
        mutate(
            seeds,
            Mutator(5,
                    {".entry", ".entry ",    ".func",         "(",  ")",  "[",  "]", "{", "}",   ",",  ";",   ".param",
                     ".align", ".loc 1 1 1", ".file 1 \"a\"", "\"", "/*", "//", "%", "@", "0f1", "\\", "\xff"}),
            read_ptx);
    }

    void sources() {
        mutate(texts(files_in("tests/software/kernels", {".cu"}), 16384),
               Mutator(6, {"__global__",
                           "template <",
                           ">",
                           "<",
                           "(",
                           ")",
                           "{",
                           "}",
                           ";",
                           "\"",
                           "R\"(",
                           "/*",
                           "#if 0\n",
                           "using a = a*;",
                           "typedef ",
                           "::",
                           "[[",
                           "namespace ",
                           "extern \"C\" {",
                           "\xff"}),
               read_source);
    }

    /// Every beginning of each text, as it is while one types.
    void beginnings_data() {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"tests/software/ptx", "tests/software/triton", "tests/software/kernels",
                                   "tests/fuzz/seeds", "resources/examples"})
            for (const fs::path& path : files_in(folder, {".ptx", ".cu"}))
                QTest::newRow(path.string().c_str() + std::string_view(WARPLIGHT_SOURCE_DIR).size())
                    << QString::fromStdString(path.string());
    }
    void beginnings() {
        QFETCH(QString, path);
        const std::string text = read(path.toStdString());
        const bool ptx = path.endsWith(".ptx");
        // Of a long text some 800 beginnings, at places that hit each kind of token.
        const std::size_t step = std::max<std::size_t>(1, text.size() / 800);
        for (std::size_t size = 0; size <= text.size(); size += step) {
            const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
            const std::string_view beginning(exact.data(), exact.size());
            if (!ptx) {
                read_source(beginning);
                continue;
            }
            for (const compiler::Kernel& kernel : compiler::parse_ptx_entries(beginning))
                QVERIFY(!kernel.name.empty());
            (void)compiler::parse_ptx_lines(beginning);
        }
    }

    void ends_of_ptx() {
        for (const char* text : {".entry", ".entry ", ".visible .entry", ".entry k", ".entry k(", ".entry k(.param",
                                 ".entry k(.param .u64", ".entry k(.param .u64 a", ".entry k(.param .u64 a)",
                                 ".entry k()\n{", ".entry k(){ld.param.u64 %r, [", ".entry k .maxntid", ".entry \""})
            QVERIFY(refusal(text, read_ptx).empty());
    }

    /// What is nested a million times: a call for each level would overflow the stack.
    void depth_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, int kind, const std::string& text) {
            QTest::newRow(name) << kind << QByteArray(text.data(), static_cast<qsizetype>(text.size()));
        };
        constexpr std::size_t million = 1'000'000;
        const auto npy = [](std::string_view descr) {
            std::string dictionary = "{'descr': " + std::string(descr) + ", 'fortran_order': False, 'shape': (1,), }\n";
            std::string file("\x93NUMPY\2\0", 8);
            for (int i = 0; i < 4; ++i)
                file += static_cast<char>(dictionary.size() >> (8 * i));
            return file + dictionary;
        };
        row("lists of JSON", 0, repeated("[", million));
        row("objects of JSON", 0, repeated("{\"a\":", million));
        row("objects in a session", 0, "{\"warplight\": 1, \"x\": " + repeated("[{\"a\":", million));
        row("closed lists", 0, "{\"x\": " + repeated("[", million) + repeated("]", million) + "}");
        row("parentheses in a type", 1, npy("[('a', " + repeated("(", 100'000)));
        row("closed parentheses in a type", 1,
            npy("[('a', " + repeated("(", 50'000) + "'<f4'" + repeated(", (1,))", 50'000) + ")]"));
        row("structures in a type", 1, npy(repeated("[('a', ", 100'000)));
        row("a header of 2 MiB", 1, npy("'" + repeated("a", 2 << 20)));
        row("pointers in a mangled name", 2, "_Z1kI" + repeated("P", million) + "fEvv");
        row("qualifiers in a mangled name", 2, "_Z1kI" + repeated("KP", million));
        row("pointers in the name of an entry", 3, ".entry _Z1kI" + repeated("P", million) + "fEvv() { ret; }");
        row("braces of PTX", 3, ".entry k()" + repeated("{", million));
        row("parentheses of PTX", 3, ".entry k()" + repeated("(", million));
        const std::string head = ".version 7.0\n.target sm_70\n.address_size 64\n";
        const std::string kernel = head + ".visible .entry k()\n{\n";
        row("blocks of PTX", 3, kernel + repeated("{", million));
        row("closed blocks of PTX", 3, kernel + repeated("{", million) + "ret;" + repeated("}", million) + "}");
        row("expressions of PTX", 3,
            head + ".global .u32 a = " + repeated("(", million) + "1" + repeated(")", million) + ";");
        row("signs of PTX", 3, head + ".global .u32 a = " + repeated("-", million) + "1;");
        row("conditions of PTX", 3,
            head + ".global .u32 a = " + repeated("1 ? ", million) + "1" + repeated(" : 1", million) + ";");
        row("lists of PTX", 3,
            head + ".global .u32 a[] = " + repeated("{", million) + "1" + repeated("}", million) + ";");
        row("vectors of PTX", 3, kernel + "mov.b32 " + repeated("{", million));
        row("braces", 4, "__global__ void k()" + repeated("{", million));
        row("angles", 4, "template <class T> __global__ void k(T) {} void f() {" + repeated("k<", 300'000));
        row("names", 4, "template <class T> __global__ void k(T) {} void f() {" + repeated("a::", 300'000));
        row("conditions", 4, repeated("#if 1\n", 300'000) + repeated("#if 0\n", 100'000) + "a");
        row("aliases of themselves", 4, "typedef " + repeated("a* ", 60) + "a; __global__ void k(a x, a y) {}");
        row("kernels", 4, repeated("__global__ void k();", 50'000));
        row("other kernels", 4, [] {
            std::string text;
            for (int i = 0; i < 20'000; ++i)
                text += "using t" + std::to_string(i) + " = int; __global__ void k" + std::to_string(i) + "(t" +
                        std::to_string(i) + " a);\n";
            return text;
        }());
        row("parameters of a template with instances", 4, [] {
            std::string text = "template <class T> __global__ void k(" + repeated("T a,", 100'000) + "T b) {}\n";
            for (int i = 0; i < 2000; ++i)
                text += "template __global__ void k<c" + std::to_string(i) + ">(" + ");\n";
            return text;
        }());
        row("raw strings", 4, repeated("R\"", 300'000) + "(");
        row("indices in braces", 4, "__global__ void k()" + repeated("{", 100'000) + repeated("threadIdx.x;", 50'000));
        row("parentheses of a log", 5, repeated("(", million) + "): error: x");
        row("colons of a log", 5, repeated(":1", million) + ": error: x");
        row("keys of JSON", 0, [] {
            std::string text = "{\"warplight\": 1";
            for (int i = 0; i < 300'000; ++i)
                text += ",\"k" + std::to_string(i) + "\":1";
            return text + "}";
        }());
        row("cells of a table", 6, repeated(",", 4 * million));
        row("columns of a table", 6, repeated("1,", 2 * million) + "1");
    }
    void depth() {
        QFETCH(int, kind);
        QFETCH(QByteArray, text);
        const std::string content(text.constData(), static_cast<std::size_t>(text.size()));
        QElapsedTimer timer;
        timer.start();
        const std::string said = refusal(content, [&](std::string_view view) {
            switch (kind) {
            case 0: (void)session::parse(view); break;
            case 1: (void)parse_npy(bytes_of(view), "deep.npy"); break;
            case 2: (void)compiler::demangled_name(view); break;
            case 3: {
                read_ptx(view);
                (void)compiler::join_kernels("__global__ void k();", view, {});
                break;
            }
            case 4: read_source(view); break;
            case 5: (void)compiler::parse_diagnostics(view); break;
            default: (void)session::parse_csv(view, "deep.csv", DType::float32());
            }
        });
        if (kind == 0 || kind == 1) QVERIFY(!said.empty());
        // Far more than any takes, and far less than one whose time grows by the square.
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed()) + " ms"));
    }

    void shapes_that_overflow_data() {
        QTest::addColumn<QString>("shape");
        QTest::newRow("two") << "(4294967296, 4294967296)";
        QTest::newRow("and a zero") << "(0, 18446744073709551615, 18446744073709551615)";
        QTest::newRow("bytes") << "(4611686018427387904,)";
        QTest::newRow("most") << "(18446744073709551615,)";
        QTest::newRow("many") << "(" + QString("65536, ").repeated(32) + ")";
        QTest::newRow("axes") << "(" + QString("1, ").repeated(65) + ")";
    }
    void shapes_that_overflow() {
        QFETCH(QString, shape);
        const std::string dictionary =
            "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape.toStdString() + ", }\n";
        std::string file("\x93NUMPY\1\0", 8);
        file += static_cast<char>(dictionary.size());
        file += static_cast<char>(dictionary.size() >> 8);
        const std::string said =
            refusal(file + dictionary, [](std::string_view text) { (void)parse_npy(bytes_of(text), "shape.npy"); });
        QVERIFY(!said.empty() || shape.startsWith("(0"));
    }

    void messages() {
        using worker::json;
        std::vector<std::string> seeds;
        for (const json& message :
             {json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "hello"}, {"params", {{"protocol", 1}}}},
              json{{"a", {1, 2.5, "text", nullptr, true, json::binary({1, 2, 3})}}},
              json{{"\xC3\xA9", {{{{"b", 1}}}}}}}) {
            const auto bytes = worker::encode_message(message);
            seeds.emplace_back(reinterpret_cast<const char*>(bytes.data()) + 4, bytes.size() - 4);
        }
        mutate(seeds, Mutator(7, {"\xff", "\x9f", "\xbf", "\x7f", "\x5f", "\x1b", "\xfb", "\x81\x81\x81\x81"}),
               [](std::string_view text) {
                   json message;
                   std::string problem;
                   if (!worker::decode_message(bytes_of(text), message, problem)) return;
                   const auto bytes = worker::encode_answer(message);
                   json again;
                   if (!worker::decode_message(std::span(bytes).subspan(4), again, problem) ||
                       !worker::has_utf8_only(again))
                       throw std::logic_error("the answer is no message: " + problem);
               });
    }

    void texts_of_messages_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("shown");
        const QByteArray mark = "\xEF\xBF\xBD";
        QTest::newRow("ASCII") << QByteArray("plain") << QByteArray("plain");
        QTest::newRow("two bytes") << QByteArray("\xC3\xA9") << QByteArray("\xC3\xA9");
        QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x98\x80") << QByteArray("\xF0\x9F\x98\x80");
        QTest::newRow("Latin-1") << QByteArray("caf\xE9!") << "caf" + mark + "!";
        QTest::newRow("cut") << QByteArray("a\xF0\x9F") << "a" + mark + mark;
        QTest::newRow("longer than needed") << QByteArray("\xC0\xAF") << mark + mark;
        QTest::newRow("a surrogate") << QByteArray("\xED\xA0\x80") << mark + mark + mark;
        QTest::newRow("behind the last") << QByteArray("\xF4\x90\x80\x80") << mark + mark + mark + mark;
        QTest::newRow("no byte of UTF-8") << QByteArray("\xFF") << mark;
    }
    void texts_of_messages() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, shown);
        const std::string text = bytes.toStdString();
        QCOMPARE(worker::as_utf8(std::string_view(text)), shown.toStdString());
        QCOMPARE(worker::is_utf8(text), bytes == shown);
        const worker::json message = {{text, {text, 1}}};
        const auto answer = worker::encode_answer(message);
        worker::json again;
        std::string problem;
        QVERIFY(worker::decode_message(std::span(answer).subspan(4), again, problem));
        QVERIFY(worker::has_utf8_only(again));
        QCOMPARE(again.begin().key(), shown.toStdString());
        // In pieces of any size the text stays the same.
        for (std::size_t size = 1; size <= text.size(); ++size) {
            std::string joined;
            worker::Utf8Pieces pieces([&](std::string_view piece) {
                QVERIFY(worker::is_utf8(piece));
                joined += piece;
            });
            for (std::size_t at = 0; at < text.size(); at += size)
                pieces.add(std::string_view(text).substr(at, size));
            pieces.end();
            QCOMPARE(joined, shown.toStdString());
        }
    }
};

QTEST_GUILESS_MAIN(ReadersTest)
#include "readers_test.moc"
