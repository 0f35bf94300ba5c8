// SPDX-License-Identifier: Apache-2.0
// What the parser refuses, and how it says so.
#include "parsing.hpp"

#include <QDir>
#include <QFile>

using namespace warplight::ptx;

class TestPtxErrors : public QObject {
    Q_OBJECT
private slots:
    void in_a_kernel_data();
    void in_a_kernel();
    void in_a_module_data();
    void in_a_module();
    void newer_version();
    void every_prefix();
    void every_byte_changed();
    void hostile_text_data();
    void hostile_text();
};

void TestPtxErrors::in_a_kernel_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* body, const char* message) {
        QTest::newRow(name) << QString(body) << "ptx, line 14; error: " + QString(message);
    };
    row("unknown instruction", "frobnicate.s32 %r1, %r2;", "unknown instruction 'frobnicate.s32'");
    row("unknown modifier", "add.warp9.s32 %r1, %r2, %r3;", "unknown modifier '.warp9' of instruction 'add.warp9.s32'");
    row("foreign modifier", "add.rn.s32 %r1, %r2, %r3;", "'add.rn.s32': modifier '.rn' is not allowed here");
    row("missing rounding", "fma.f32 %f1, %f2, %f3, %f4;", "'fma.f32': needs .rn or .rz or .rm or .rp");
    row("missing half", "mul.s32 %r1, %r2, %r3;", "'mul.s32': needs .lo or .hi");
    row("contradiction", "add.rn.rz.f32 %f1, %f2, %f3;", "'add.rn.rz.f32': modifiers .rn and .rz exclude each other");
    row("unexpected type", "and.f32 %f1, %f2, %f3;", "'and.f32': unexpected types");
    row("no type", "add %r1, %r2, %r3;", "'add': a type is missing");
    row("too few operands", "add.s32 %r1, %r2;", "'add.s32': wrong number of operands: 2 given, 3 needed");
    row("too many operands", "add.s32 %r1, %r2, %r3, %r4;", "'add.s32': wrong number of operands: 4 given, 3 needed");
    row("wrong width", "add.s32 %r1, %r2, %rd1;", "'add.s32': type mismatch: operand 3 '%rd1' is .b64, needs .s32");
    row("wrong kind", "add.s32 %r1, %r2, %f1;", "'add.s32': type mismatch: operand 3 '%f1' is .f32, needs .s32");
    row("float for bits", "add.f32 %f1, %f2, 1;",
        "'add.f32': operand 3 is an integer constant where a floating-point value is needed");
    row("predicate for number", "mov.u32 %r1, %p1;", "'mov.u32': type mismatch: operand 2 '%p1' is .pred, needs .u32");
    row("increment of 64 bits", "atom.global.inc.u64 %rd1, [%rd1], %rd2;",
        "'atom.global.inc.u64': modifier '.inc' is not allowed here");
    row("bits of a float", "red.global.and.f32 [%rd1], %f1;",
        "'red.global.and.f32': modifier '.and' is not allowed here");
    row("constant destination", "mov.u32 5, %r1;", "'mov.u32': operand 1 must be a register");
    row("negated number", "add.s32 %r1, %r2, -%r3;", "'add.s32': operand 3 cannot be negated");
    row("undeclared register", "mov.u32 %r1, %x;", "'mov.u32': name '%x' is not declared");
    row("undeclared variable", "ld.global.u32 %r1, [nothing];", "'ld.global.u32': name 'nothing' is not declared");
    row("not an address", "ld.global.u32 %r1, %rd1;", "'ld.global.u32': operand 2 must be an address");
    row("vector width", "ld.global.v4.u32 {%r1, %r2}, [%rd1];",
        "'ld.global.v4.u32': operand 1 must be a vector of the width written");
    row("guard", "@%r1 bra L; L:", "guard '%r1' is not a predicate");
    row("undefined label", "bra NOWHERE;", "label 'NOWHERE' is not defined");
    row("missing semicolon", "add.s32 %r1, %r2, %r3", "'add.s32': expected ';'");
    row("number", "mov.u32 %r1, 0x;", "'mov.u32': malformed number");
    row("too large a number", "mov.u64 %rd1, 99999999999999999999;", "'mov.u64': integer constant exceeds 64 bits");
    row("division by zero", "mov.u32 %r1, 1/0;", "'mov.u32': division by zero in a constant expression");
    row("float digits", "mov.f32 %f1, 0f3F8;", "'mov.f32': a floating-point constant 0f needs 8 hexadecimal digits");
    row("byte", "mov.u32 %r1, \x01;", "'mov.u32': unexpected byte 0x01");
    row("string", ".pragma \"unroll", "string without an end");
    row("comment", "/* never closed", "comment without an end");
    row("directive", ".frobnicate 7;", "unknown directive '.frobnicate'");
    row("duplicate register", ".reg .b32 a; .reg .b64 a;", "duplicate declaration of 'a'");
    row("too many registers", ".reg .b32 %q<4000000000>;", "the number of registers is too large");
    row("too large a variable", ".local .b8 depot[99999999999999];", "an array size is too large");
    row("too large a product", ".local .b64 a[1000000][1000000];", "the variable 'a' is too large");
    row("alignment", ".local .align 3 .b8 a[8];", "an alignment must be a power of two");
    row("call of a variable", "call %r1;", "'call': the register of an indirect call must have 64 bits");
    row("call without prototype", "call %rd1;", "'call': an indirect call needs a prototype or a list of targets");
    const auto tex = [&](const char* name, const QString& text, const QString& what) {
        const QByteArray line = QString(text).replace("ABCD", "{%f1,%f2,%f3,%f4}").toUtf8();
        row(name, line.constData(), QString("'" + line.left(line.indexOf(' ')) + "': " + what).toUtf8().constData());
    };
    tex("texture without geometry", "tex.v4.f32.f32 ABCD, [%rd1, {%f1}];", "the geometry is missing");
    tex("texture of two geometries", "tex.1d.2d.v4.f32.f32 ABCD, [%rd1, {%f1}];", "more than one geometry");
    tex("texture result", "tex.1d.f32.f32 %f1, [%rd1, {%f1}];", "the result must be a vector of 4");
    tex("texture coordinates", "tex.2d.v4.f32.f32 ABCD, [%rd1, {%f1}];", "operand 2 has the wrong number of elements");
    tex("texture in a narrow register", "tex.1d.v4.f32.f32 ABCD, [%r1, {%f1}];",
        "operand 2 needs a register of 64 bits");
    tex("texture without level", "tex.level.1d.v4.f32.f32 ABCD, [%rd1, {%f1}];", "wrong number of operands");
    tex("gradient at integers", "tex.grad.1d.v4.f32.s32 ABCD, [%rd1, {%r1}], {%f1}, {%f2};",
        "a gradient needs coordinates of type .f32");
    tex("cubemap at integers", "tex.cube.v4.f32.s32 ABCD, [%rd1, {%r1,%r2,%r3,%r3}];",
        "a cubemap's coordinates are .f32");
    tex("offset of a cubemap", "tex.cube.v4.f32.f32 ABCD, [%rd1, {%f1,%f2,%f3,%f3}], {1,1};",
        "a cubemap takes no offset");
    tex("depth of 3d", "tex.3d.v4.f32.f32 ABCD, [%rd1, {%f1,%f2,%f3,%f3}], %f5;",
        "a 3d texture takes no depth to compare with");
    tex("texture of doubles", "tex.1d.v4.f64.f32 ABCD, [%rd1, {%f1}];", "unexpected types");
    tex("predicate of a texture", "tex.1d.v4.f32.f32 ABCD|%r1, [%rd1, {%f1}];",
        "operand 1 must be followed by a predicate");
    tex("gather component", "tld4.2d.v4.f32.f32 ABCD, [%rd1, {%f1,%f2}];", "the component is missing");
    tex("query", "txq.b32 %r1, [%rd1];", "the attribute is missing");
    tex("query of a level", "txq.level.array_size.b32 %r1, [%rd1], 1;", "only width, height and depth have levels");
    tex("surface without clamp modifier", "suld.b.1d.b32 %r1, [%rd1, {%r2}];", "the clamp modifier is missing");
    tex("surface of another type", "suld.b.1d.f32.trap %f1, [%rd1, {%r2}];", "unexpected types");
    tex("reduction of a layer", "sured.b.add.a1d.u32.trap [%rd1, {%r1,%r2}], %r3;", "the geometry is missing");
    tex("reduction of bits", "sured.b.add.1d.b32.trap [%rd1, {%r1}], %r3;", "unexpected types");
    row("register of textures", ".reg .texref t;", "a .texref must be a .global variable or a parameter");
    row("call of an undeclared function", "call f;", "'call': name 'f' is not declared");
}

void TestPtxErrors::in_a_kernel() {
    QFETCH(QString, body);
    QFETCH(QString, message);
    const QString said = refusal(kernel(body.toStdString()));
    // An error found at the next token is told at that token's line.
    QString later = message;
    later.replace("line 14", "line 15");
    QVERIFY2(said.startsWith(message) || said.startsWith(later), qPrintable(said));
}

void TestPtxErrors::in_a_module_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const QString h = QString::fromStdString(header());
    QTest::newRow("empty") << "" << "missing .version directive";
    QTest::newRow("no version") << ".target sm_80\n" << "missing .version directive";
    QTest::newRow("no target") << ".version 8.0\n.address_size 64\n" << "missing .target directive";
    QTest::newRow("malformed version") << ".version eight\n" << "malformed .version";
    QTest::newRow("unknown target") << ".version 8.0\n.target gfx90a\n" << "unknown target 'gfx90a'";
    QTest::newRow("32 bits") << ".version 8.0\n.target sm_80\n.address_size 32\n" << "only 64-bit addresses";
    QTest::newRow("duplicate function") << h + ".func f() { }\n.func f() { }" << "duplicate definition of 'f'";
    QTest::newRow("duplicate variable") << h + ".global .u32 a;\n.global .u32 a;" << "duplicate definition of 'a'";
    QTest::newRow("unsized") << h + ".global .u32 a[];" << "the size of 'a' is missing";
    QTest::newRow("too many values") << h + ".global .u32 a[2] = {1, 2, 3};" << "too many initial values for 'a'";
    QTest::newRow("shared initial value") << h + ".shared .u32 a = 1;" << "only .global and .const variables";
    QTest::newRow("address in bytes") << h + ".global .u32 a;\n.global .u8 b = a;"
                                      << "an address cannot initialise 'b'";
    QTest::newRow("odd mask") << h + ".global .u32 a;\n.global .u8 b = 0xF0(a);" << "the mask of an address";
    QTest::newRow("call arguments") << h + ".func f(.param .b32 a) { }\n.func g() { call f; }"
                                    << "'f' takes 1 arguments and yields 0 results; the call has 0 and 0";
    QTest::newRow("call of a kernel") << h + ".entry f() { }\n.func g() { call f; }"
                                      << "'f' is a kernel and cannot be called";
    QTest::newRow("alias of nothing") << h + ".func f();\n.alias f, g;" << "'g' is not a declared function";
    QTest::newRow("alias of itself") << h + ".func f();\n.alias f, f;" << "an alias must name a function itself";
    QTest::newRow("result of a kernel") << h + ".entry (.param .b32 r) k() { }" << "a kernel has no results";
    const QString body = ".entry k() { .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %rd<3>; ";
    QTest::newRow("variable as a texture")
        << h + ".global .u64 t;\n" + body + "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1}]; }"
        << "operand 2 names no .texref";
    QTest::newRow("surface as a texture")
        << h + ".global .surfref t;\n" + body + "txq.width.b32 %r1, [t]; }" << "operand 2 names no .texref";
    QTest::newRow("sampler in unified mode")
        << h + ".global .samplerref s;" << "a .samplerref needs '.target texmode_independent'";
    QTest::newRow("no sampler") << h + ".global .texref t;\n" + body +
                                       "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, t, {%f1}]; }"
                                << "operand 2 names no .samplerref";
    QTest::newRow("address mode")
        << ".version 8.0\n.target sm_80, texmode_independent\n.global .samplerref s = { addr_mode_0 = away };"
        << "unknown address mode 'away'";
    QTest::newRow("sampler field")
        << ".version 8.0\n.target sm_80, texmode_independent\n.global .samplerref s = { width = 3 };"
        << "a sampler has no field 'width'";
    QTest::newRow("cut") << h + ".func f() { .reg .b32 %r<3>; add.s32 %r1" << "found the end of the text";
}

void TestPtxErrors::in_a_module() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const QString said = refusal(text.toStdString());
    QVERIFY2(said.contains(message), qPrintable(said));
}

void TestPtxErrors::newer_version() {
    const auto result = parse(".version 9.1\n.target sm_80\n");
    const auto* error = std::get_if<ParseError>(&result);
    QVERIFY(error && error->unsupported_version);
    QCOMPARE(error->line, 1u);
    QVERIFY(std::holds_alternative<Module>(parse(".version 9.0\n.target sm_80\n")));
}

void TestPtxErrors::every_prefix() {
    QFile file(WARPLIGHT_SOURCE_DIR "/tests/software/ptx/corpus/printf_debug.ptx");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    int refused = 0;
    for (std::size_t length = 0; length < text.size(); length += 13) {
        const auto result = parse(std::string_view(text).substr(0, length));
        if (const auto* error = std::get_if<ParseError>(&result)) {
            ++refused;
            QVERIFY(error->message.starts_with("ptx, line "));
        }
    }
    QVERIFY(refused > 500);
}

void TestPtxErrors::every_byte_changed() {
    QFile file(WARPLIGHT_SOURCE_DIR "/tests/software/ptx/corpus/cache_hints.ptx");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    static constexpr char kBytes[] = {'\0', '{', '}', '"', ';', '9', '%', '.', '\xFF'};
    int refused = 0;
    for (std::size_t at = 0; at < text.size(); at += 3) {
        std::string changed = text;
        changed[at] = kBytes[at % sizeof kBytes];
        refused += std::holds_alternative<ParseError>(parse(changed));
    }
    QVERIFY(refused > 500);
}

void TestPtxErrors::hostile_text_data() {
    QTest::addColumn<QByteArray>("text");
    const QByteArray h = QByteArray::fromStdString(header());
    QTest::newRow("scopes") << h + ".func f() " + QByteArray(200000, '{');
    QTest::newRow("parentheses") << h + ".global .u32 a = " + QByteArray(200000, '(');
    QTest::newRow("signs") << h + ".global .u32 a = " + QByteArray(200000, '-');
    QTest::newRow("conditions") << h + ".global .u32 a = " + QByteArray("1?").repeated(100000);
    QTest::newRow("initial braces") << h + ".global .u32 a[2] = " + QByteArray(200000, '{');
    QTest::newRow("vectors") << h + ".func f() { mov.b64 " + QByteArray(200000, '{');
    QTest::newRow("addresses") << h + ".func f() { ld.b32 " + QByteArray("[1,").repeated(100000);
    QTest::newRow("dimensions") << h + ".global .u8 a" + QByteArray("[1]").repeated(100000);
    QTest::newRow("section") << h + ".section .debug_info {" + QByteArray(200000, '{');
    QTest::newRow("modifiers") << h + ".func f() { add" + QByteArray(".s32").repeated(100000);
    QTest::newRow("files") << h + QByteArray(".file 1000000 \"a\"\n").repeated(100);
}

void TestPtxErrors::hostile_text() {
    QFETCH(QByteArray, text);
    QVERIFY(std::holds_alternative<ParseError>(
        parse(std::string_view(text.constData(), static_cast<std::size_t>(text.size())))));
}

QTEST_APPLESS_MAIN(TestPtxErrors)
#include "test_ptx_errors.moc"
