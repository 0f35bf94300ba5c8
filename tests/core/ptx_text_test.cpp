// SPDX-License-Identifier: Apache-2.0
// The readers of PTX text that work without the software device: kernels with their parameters, and source lines.
#include "interface/state.hpp"
#include "ptx_text/entry_heads.hpp"
#include "warplight/compiler.hpp"

#include <fstream>
#include <iterator>
#include <random>

#include <QtTest>

using namespace warplight;

namespace {

std::string read_file(const std::string& path) {
    std::ifstream file(std::string(WARPLIGHT_SOURCE_DIR "/tests/") + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Lets all readers read the text, which ends where its memory ends: a sanitizer sees what is read behind it.
void read_all(std::string_view text) {
    const std::vector<char> exact(text.begin(), text.end());
    const std::string_view copy(exact.data(), exact.size());
    for (const compiler::Kernel& kernel : compiler::parse_ptx_entries(copy)) {
        QVERIFY(!kernel.name.empty());
        std::size_t end = 0;
        for (const compiler::Parameter& parameter : kernel.parameters) {
            QVERIFY(parameter.offset >= end);
            end = parameter.offset + parameter.size;
        }
    }
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const compiler::LineMapping& mapping : compiler::parse_ptx_lines(copy))
        QVERIFY(mapping.ptx_line >= 1 && mapping.ptx_line <= lines && mapping.source_line >= 1);
    for (const auto& [name, parameters] : driver::detail::scan_ptx_signatures(copy)) {
        QVERIFY(!name.empty());
        for (const driver::ParameterInfo& parameter : parameters)
            QVERIFY(parameter.declared.starts_with('.') && parameter.size != 0);
    }
}

std::string repeated(std::string_view piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += piece;
    return text;
}

QString entry_names(std::string_view text) {
    QStringList names;
    for (const compiler::Kernel& kernel : compiler::parse_ptx_entries(text))
        names += QString::fromStdString(kernel.name);
    return names.join(' ');
}

} // namespace

class PtxTextTest : public QObject {
    Q_OBJECT

    static void add_files() {
        QTest::addColumn<QString>("path");
        for (const char* path : {"software/ptx/corpus/cache_hints.ptx", "software/ptx/corpus/printf_debug.ptx",
                                 "software/triton/count.ptx"})
            QTest::newRow(path) << path;
    }

private slots:
    void variables_outside_of_functions() {
        const auto all = compiler::parse_ptx_variables(
            ".version 8.0\n.target sm_80\n.extern .global .align 4 .u32 others;\n"
            ".const .align 4 .b8 filter[36];\n.global .align 16 .b8 big[2][24] = {1, 2};\n"
            ".global .attribute(.managed) .align 4 .u32 _ZN2ns5countE;\n"
            ".global .b8 endless[17592186044416][17592186044416];\n.global .texref image;\n"
            ".visible .entry k(.param .u64 p)\n{\n .global .u32 inside;\n ret;\n}\n.global .f64 last;\n.const .b8 "
            "cut[");
        QCOMPARE(all.size(), std::size_t(4));
        QVERIFY(all[0].name == "filter" && all[0].constant && all[0].size == 36 && all[0].alignment == 4);
        QVERIFY(all[1].name == "big" && !all[1].constant && all[1].size == 48 && all[1].dtype.empty());
        QVERIFY(all[2].name == "ns::count" && all[2].lowered == "_ZN2ns5countE" && all[2].dtype == "uint32");
        const auto references = compiler::parse_ptx_references(
            ".global .texref image;\n.extern .global .texref others;\n.global .surfref _ZN2ns6canvasE;\n"
            ".global .samplerref how;\n.global .u32 number;\n");
        QCOMPARE(references.size(), std::size_t(2));
        QVERIFY(references[0].name == "image" && !references[0].is_surface);
        QVERIFY(references[1].name == "ns::canvas" && references[1].lowered == "_ZN2ns6canvasE" &&
                references[1].is_surface);
        QVERIFY(all[3].name == "last" && all[3].dtype == "float64" && all[3].alignment == 8);
    }

    void truncations_data() { add_files(); }
    void truncations() {
        QFETCH(QString, path);
        const std::string text = read_file(path.toStdString());
        QVERIFY(text.find(".entry") != std::string::npos);
        for (std::size_t size = 0; size <= text.size(); ++size)
            read_all(std::string_view(text).substr(0, size));
    }

    void mutations_data() { add_files(); }
    void mutations() {
        QFETCH(QString, path);
        const std::string text = read_file(path.toStdString());
        static constexpr std::string_view kPieces[] = {".entry ",
                                                       ".entry",
                                                       ".func",
                                                       "(",
                                                       ")",
                                                       "[",
                                                       "]",
                                                       "{",
                                                       "}",
                                                       ",",
                                                       ";",
                                                       ":",
                                                       ".param",
                                                       ".align",
                                                       ".loc 1 ",
                                                       ".file",
                                                       "\"",
                                                       "/*",
                                                       "*/",
                                                       "//",
                                                       "\n",
                                                       "%",
                                                       ".",
                                                       "@",
                                                       "!",
                                                       "0x",
                                                       "0f12",
                                                       "99999999999999999999",
                                                       "\\",
                                                       "\xff",
                                                       std::string_view("\0", 1)};
        std::mt19937 random(11);
        const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
        for (int round = 0; round < 400; ++round) {
            std::string mutant = text;
            for (std::size_t change = 1 + below(4); change > 0; --change) {
                const std::size_t at = below(mutant.size() + 1);
                switch (below(4)) {
                case 0: mutant.insert(at, kPieces[below(std::size(kPieces))]); break;
                case 1: mutant.erase(at, below(40)); break;
                case 2: mutant.insert(at, text, below(text.size()), below(200)); break;
                default:
                    if (at < mutant.size()) mutant[at] = static_cast<char>(below(256));
                }
            }
            read_all(mutant);
        }
    }

    /// Texts of a megabyte. A reader whose time is quadratic needs minutes for some of them.
    void long_texts_data() {
        QTest::addColumn<QByteArray>("text");
        constexpr std::size_t size = 1'000'000;
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QByteArray(text.data(), static_cast<qsizetype>(text.size()));
        };
        const std::pair<const char*, const char*> pieces[] = {
            {"open lists", ".entry a("},
            {"comments in open strings", ".entry \"/*"},
            {"open bodies", ".entry a(.param .u64 p){"},
            {"divisions and quotes", "/\""},
            {"open comments", "/*"},
            {"open strings", "\"\n/"},
            {"control characters", "\x01"},
        };
        for (const auto& [name, piece] : pieces)
            row(name, repeated(piece, size / std::string_view(piece).size()));
        std::string parameters = ".entry k(", body = "{";
        for (std::size_t i = 0; i < size / 60; ++i) {
            const std::string number = std::to_string(i);
            parameters += ".param .u64 p" + number + ",";
            body += "ld.param.u64 %r" + number + ",[p" + number + "];selp.b64 %s,%s,%r" + number + ",%p;";
        }
        row("a value that is one of many", parameters + ")" + body);
        std::string inlined;
        for (int i = 0; i < 70; ++i)
            inlined += ".loc 1 " + std::to_string(i + 1) + " 0, inlined_at 1 " + std::to_string(i + 2) + " 0\n";
        row("deeply inlined", "{\n" + inlined + ".loc 1 1 0, inlined_at 1 2 0\n" + repeated("x\n", size / 2));
    }
    void long_texts() {
        QFETCH(QByteArray, text);
        read_all({text.constData(), static_cast<std::size_t>(text.size())});
    }

    void entries_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("names");
        QTest::newRow("nothing") << QByteArray() << "";
        QTest::newRow("no name") << QByteArray(".entry") << "";
        QTest::newRow("no name, but a list") << QByteArray(".entry (.param .u32 a) {}") << "";
        QTest::newRow("name alone") << QByteArray(".entry a") << "a";
        QTest::newRow("open list") << QByteArray(".entry a(.param .u64") << "a";
        QTest::newRow("open array") << QByteArray(".entry a(.param .b8 x[") << "a";
        QTest::newRow("open list before another") << QByteArray(".entry a(.param .u64 .entry b() {}") << "a b";
        QTest::newRow("open body before another") << QByteArray(".entry a() { .entry b() {}") << "a b";
        QTest::newRow("comments") << QByteArray("/* .entry a() {}\n.entry b */ // .entry c\n.entry d() { // }\n}")
                                  << "d";
        QTest::newRow("comment on the line") << QByteArray("/**/ .entry a() {}") << "a";
        QTest::newRow("strings") << QByteArray(".file 1 \"x.entry a\"\n.file 2 \"\\\" .entry b /*\"\n.entry c() {}")
                                 << "c";
        QTest::newRow("open string") << QByteArray(".file 1 \"x\n.entry a() {}") << "a";
        QTest::newRow("open comment") << QByteArray(".entry a() {} /* .entry b() {}") << "a";
        QTest::newRow("other words") << QByteArray(".entry_a x .entry::b y .param::entry z .entry c") << "c";
        QTest::newRow("directives") << QByteArray(".entry a()\n.pragma \"nounroll\"; .entry b() .maxntid 1, 2 {}")
                                    << "a b";
        QTest::newRow("zero byte") << QByteArray(".entry a() {}\0.entry b() {}", 27) << "a";
        QTest::newRow("malformed numbers") << QByteArray("0f12 0xZ 12ab \xff .entry a() {}") << "a";
    }
    void entries() {
        QFETCH(QByteArray, text);
        QFETCH(QString, names);
        const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
        QCOMPARE(entry_names(view), names);
        read_all(view);
    }

    void parameters() {
        const auto kernels = compiler::parse_ptx_entries(
            ".entry k(.param .align 0x10 .b8 s[0x18], .param .f16x2 /* , */ h, .param .b8 m[2][3], .param .f32 f) {}");
        QCOMPARE(kernels.size(), std::size_t{1});
        const auto& p = kernels[0].parameters;
        QCOMPARE(p.size(), std::size_t{4});
        QCOMPARE(p[0].alignment, std::size_t{16});
        QCOMPARE(p[0].size, std::size_t{24});
        QCOMPARE(p[1].offset, std::size_t{24});
        QCOMPARE(p[1].size, std::size_t{4});
        QCOMPARE(p[2].size, std::size_t{6});
        QCOMPARE(p[3].offset, std::size_t{36});
    }

    void signatures() {
        using Type = driver::ParameterInfo::Type;
        const auto signatures = driver::detail::scan_ptx_signatures(
            ".entry a(.param .u64 .ptr .align 4 p, .param .f32 f, .param .b16 h, .param .b8 s[12]) {}\n"
            ".entry b { ret; }\n.entry unknown(.param .texref t) {}\n.entry sizeless(.param .b8 s[]) {}\n"
            ".entry cut(.param .u32 x, .param");
        QCOMPARE(signatures.size(), std::size_t{2});
        const auto& a = signatures.at("a");
        QCOMPARE(a.size(), std::size_t{4});
        const Type types[] = {Type::integer, Type::real, Type::bits, Type::bytes};
        const std::size_t offsets[] = {0, 8, 12, 14};
        for (std::size_t i = 0; i < 4; ++i) {
            QVERIFY(a[i].type == types[i]);
            QCOMPARE(a[i].offset, offsets[i]);
        }
        QVERIFY(signatures.at("b").empty());
    }

    void integers_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("value");
        const char* rows[][2] = {{"0", "0"},
                                 {"0U", "0"},
                                 {"10", "10"},
                                 {"010", "8"},
                                 {"0x1fU", "31"},
                                 {"0B11", "3"},
                                 {"08", "none"},
                                 {"0b2", "none"},
                                 {"18446744073709551615", "18446744073709551615"},
                                 {"18446744073709551616", "none"}};
        for (const auto& [text, value] : rows)
            QTest::newRow(text) << text << value;
    }
    void integers() {
        QFETCH(QString, text);
        QFETCH(QString, value);
        const auto read = ptx::integer_value(text.toStdString());
        QCOMPARE(read ? QString::number(*read) : QString("none"), value);
    }
};

QTEST_APPLESS_MAIN(PtxTextTest)
#include "ptx_text_test.moc"
