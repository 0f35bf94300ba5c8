// SPDX-License-Identifier: Apache-2.0
// What the parser makes of sound PTX.
#include "parsing.hpp"
#include "software/ptx/opaque.hpp"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>

#include <bit>
#include <cstring>

using namespace warplight::ptx;

class TestPtxParser : public QObject {
    Q_OBJECT
private slots:
    void version_and_target();
    void instruction();
    void immediates_data();
    void immediates();
    void modifier_order();
    void old_sums_of_products();
    void guards_and_pairs();
    void vectors();
    void addresses();
    void special_registers();
    void scopes();
    void register_ranges();
    void vector_registers();
    void labels();
    void branch_tables();
    void calls();
    void indirect_calls();
    void aliases();
    void parameters();
    void directives();
    void variables();
    void initial_values();
    void initial_addresses();
    void locations();
    void inlined_functions();
    void video_selectors();
    void textures();
    void surfaces();
    void opaque_variables();
    void implicit_return();
    void generated_text_data();
    void generated_text();
    void speed();
};

namespace {

Instruction only(const std::string& text) {
    const Module m = parsed(kernel(text));
    return m.functions.empty() || m.functions[0].instructions.empty() ? Instruction{} : m.functions[0].instructions[0];
}

const Register& reg(const Module& m, const Operand& o) { return m.functions[0].registers.at(o.reg); }

} // namespace

void TestPtxParser::version_and_target() {
    const Module m = parsed(".version 7.8\n.target sm_90a, debug\n.address_size 64\n");
    QCOMPARE(m.version_major, 7u);
    QCOMPARE(m.version_minor, 8u);
    QCOMPARE(m.target, 90u);
    QCOMPARE(m.target_suffix, std::string("a"));
    QVERIFY(m.debug);
}

void TestPtxParser::instruction() {
    const Module m = parsed(kernel("  mad.lo.s32 %r1, %r2, 7, %r3;"));
    QCOMPARE(m.functions.size(), 1u);
    const Instruction& i = m.functions[0].instructions.at(0);
    QVERIFY(i.opcode == Opcode::mad);
    QVERIFY(i.has(Modifier::lo));
    QCOMPARE(i.type_count, std::uint8_t{1});
    QVERIFY(i.type() == Type::s32);
    QCOMPARE(i.line, 14u);
    QCOMPARE(i.column, 3u);
    QCOMPARE(i.operands.size(), 4u);
    QCOMPARE(reg(m, i.operands[0]).name, std::string("%r1"));
    QVERIFY(reg(m, i.operands[0]).type == Type::b32);
    QVERIFY(i.operands[2].kind == Operand::Kind::integer);
    QCOMPARE(i.operands[2].integer, std::int64_t{7});
    QVERIFY(m.functions[0].instructions.at(1).opcode == Opcode::ret);
}

void TestPtxParser::immediates_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qlonglong>("value");
    QTest::newRow("decimal") << "42" << 42ll;
    QTest::newRow("negative") << "-42" << -42ll;
    QTest::newRow("unsigned") << "3000000000U" << 3000000000ll;
    QTest::newRow("hex") << "0xFf" << 255ll;
    QTest::newRow("octal") << "0755" << 493ll;
    QTest::newRow("binary") << "0b1011" << 11ll;
    QTest::newRow("all bits") << "0xFFFFFFFFFFFFFFFF" << -1ll;
    QTest::newRow("sum") << "1+2*3" << 7ll;
    QTest::newRow("parentheses") << "(1+2)*3" << 9ll;
    QTest::newRow("left to right") << "10-4-3" << 3ll;
    QTest::newRow("shift") << "1<<4|1" << 17ll;
    QTest::newRow("complement") << "~0" << -1ll;
    QTest::newRow("condition") << "2>1?5:6" << 5ll;
    QTest::newRow("warp size") << "WARP_SZ-1" << 31ll;
    QTest::newRow("signed division") << "-7/2" << -3ll;
    QTest::newRow("unsigned division") << "(.u64)-8/4" << 0x3FFFFFFFFFFFFFFEll;
    QTest::newRow("arithmetic shift") << "-16>>2" << -4ll;
    QTest::newRow("logical not") << "!5+1" << 1ll;
}

void TestPtxParser::immediates() {
    QFETCH(QString, text);
    QFETCH(qlonglong, value);
    const Instruction i = only("mov.b64 %rd1, " + text.toStdString() + ";");
    QCOMPARE(i.operands.size(), 2u);
    QVERIFY(i.operands[1].kind == Operand::Kind::integer);
    QCOMPARE(qlonglong{i.operands[1].integer}, value);

    const Instruction f = only("mov.f32 %f1, 0f3F800000;");
    QVERIFY(f.operands.at(1).kind == Operand::Kind::floating && f.operands[1].type == Type::f32);
    QCOMPARE(f.operands[1].integer, std::int64_t{0x3F800000});
    const Instruction d = only("mov.f64 %fd1, 0dBFF0000000000000;");
    QVERIFY(d.operands.at(1).type == Type::f64);
    QCOMPARE(std::bit_cast<double>(d.operands[1].integer), -1.0);
    const Instruction decimal = only("mov.f32 %f1, -1.5e2;");
    QVERIFY(decimal.operands.at(1).type == Type::f64);
    QCOMPARE(std::bit_cast<double>(decimal.operands[1].integer), -150.0);
}

void TestPtxParser::modifier_order() {
    const Instruction a = only("vote.sync.ballot.b32 %r1, %p1, -1;");
    const Instruction b = only("vote.ballot.sync.b32 %r1, %p1, -1;");
    QCOMPARE(a.modifiers, b.modifiers);
    QVERIFY(a.has(Modifier::ballot) && a.has(Modifier::sync));
    const Instruction c = only("ex2.approx.f32.ftz %f1, %f2;");
    QVERIFY(c.has(Modifier::ftz) && c.type() == Type::f32);
    const Instruction d = only("ld.global.L1::evict_last.L2::128B.v2.f32 {%f1, %f2}, [%rd1];");
    QVERIFY(d.has(Modifier::L1_evict_last) && d.has(Modifier::L2_128B));
    QVERIFY(d.space == Space::global);
    QCOMPARE(d.vector_width, std::uint8_t{2});
    const Instruction e = only("cp.async.ca.shared.global [%r1], [%rd1], 16;");
    QVERIFY(e.space == Space::shared && e.source_space == Space::global);
}

/// mad without a rounding, as ptxas takes it: of f32 up to PTX 3.1, and without subnormal numbers for sm_1x.
void TestPtxParser::old_sums_of_products() {
    const auto mad = [](const std::string& head, const std::string& type) {
        return ".version " + head + "\n.entry k() { .reg .f32 %f<4>; .reg .f64 %d<4>; mad." + type +
               (type.ends_with("f64") ? " %d1, %d2, %d3, %d1;" : " %f1, %f2, %f3, %f1;") + " exit; }\n";
    };
    const auto modifiers = [&](const std::string& head, const std::string& type) {
        const Module m = parsed(mad(head, type));
        const Instruction i = m.functions.empty() ? Instruction{} : m.functions[0].instructions.at(0);
        return std::string(i.has(Modifier::rn) ? "rn " : "") + (i.has(Modifier::ftz) ? "ftz " : "") +
               (i.has(Modifier::sat) ? "sat" : "");
    };
    QCOMPARE(modifiers("1.4\n.target sm_10", "f32"), std::string("rn ftz "));
    QCOMPARE(modifiers("1.4\n.target sm_13", "sat.f32"), std::string("rn ftz sat"));
    QCOMPARE(modifiers("2.0\n.target sm_20", "f32"), std::string("rn "));
    QCOMPARE(modifiers("3.1\n.target sm_30", "ftz.f32"), std::string("rn ftz "));
    QCOMPARE(modifiers("1.3\n.target sm_13", "f64"), std::string("rn "));
    for (const auto& [head, type] : {std::pair("3.2\n.target sm_30", "f32"), {"1.4\n.target sm_13", "f64"}})
        QVERIFY(std::holds_alternative<ParseError>(parse(mad(head, type))));
}

void TestPtxParser::guards_and_pairs() {
    const Instruction i = only("@!%p1 setp.lt.and.s32 %p2|%p3, %r1, %r2, !%p4;");
    QVERIFY(i.guarded && i.guard_negated);
    QVERIFY(i.operands[0].kind == Operand::Kind::predicated_pair);
    QCOMPARE(i.operands[0].elements.size(), 2u);
    QVERIFY(i.operands[3].negated);
    const Instruction sink = only("setp.lt.s32 _|%p3, %r1, %r2;");
    QVERIFY(sink.operands[0].elements[0].kind == Operand::Kind::none);
}

void TestPtxParser::vectors() {
    const Instruction load = only("ld.global.v4.u32 {%r1, _, %r3, %r4}, [%rd1+16];");
    QCOMPARE(load.vector_width, std::uint8_t{4});
    QCOMPARE(load.operands[0].elements.size(), 4u);
    QVERIFY(load.operands[0].elements[1].kind == Operand::Kind::none);
    const Instruction pack = only("mov.b64 %rd1, {%r1, %r2};");
    QVERIFY(pack.operands[1].kind == Operand::Kind::vector);
    const Instruction unpack = only("mov.b32 {%h1, %h2}, %r1;");
    QVERIFY(unpack.operands[0].kind == Operand::Kind::vector);
}

void TestPtxParser::addresses() {
    const Instruction a = only("ld.global.u32 %r1, [%rd1+-4];");
    QVERIFY(a.operands[1].kind == Operand::Kind::address && a.operands[1].base_kind == Operand::Kind::reg);
    QCOMPARE(a.operands[1].integer, std::int64_t{-4});
    const Instruction b = only("ld.param.u64 %rd1, [k_param_0];");
    QVERIFY(b.operands[1].base_kind == Operand::Kind::variable && b.operands[1].scope == Operand::Scope::parameter);
    QCOMPARE(b.operands[1].index, 0u);
    const Instruction c = only("ld.global.u32 %r1, [4096];");
    QVERIFY(c.operands[1].base_kind == Operand::Kind::none);
    QCOMPARE(c.operands[1].integer, std::int64_t{4096});
    const Module m = parsed(header() + ".global .u32 a[8];\n.func f() {\n.reg .u64 %rd<2>; .reg .u32 %r<2>;\n"
                                       "mov.u64 %rd1, a+12;\nld.global.u32 %r1, a[3];\n}\n");
    QCOMPARE(m.functions.size(), 1u);
    QVERIFY(m.functions[0].instructions[0].operands[1].kind == Operand::Kind::variable);
    QCOMPARE(m.functions[0].instructions[0].operands[1].integer, std::int64_t{12});
    QVERIFY(m.functions[0].instructions[1].operands[1].kind == Operand::Kind::address);
    QCOMPARE(m.functions[0].instructions[1].operands[1].integer, std::int64_t{12});
    const Instruction texture = only("tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];");
    QCOMPARE(texture.operands[1].elements.size(), 1u);
    QCOMPARE(texture.operands[1].elements[0].elements.size(), 2u);
    QVERIFY(texture.has(Modifier::geom_2d));
}

void TestPtxParser::special_registers() {
    const Instruction a = only("mov.u32 %r1, %tid.x;");
    QVERIFY(a.operands[1].kind == Operand::Kind::special && a.operands[1].special == SpecialRegister::tid_x);
    const Instruction b = only("mov.u64 %rd1, %globaltimer;");
    QVERIFY(b.operands[1].special == SpecialRegister::globaltimer);
    const Instruction c = only("add.u32 %r1, %laneid, %ntid.z;");
    QVERIFY(c.operands[2].special == SpecialRegister::ntid_z);
}

void TestPtxParser::scopes() {
    const Module m = parsed(kernel("{ .reg .b64 x; .reg .b32 %r<3>; mov.b64 x, 1; mov.b32 %r1, 2; bra L; L: }\n"
                                   "{ .reg .f32 x; mov.f32 x, %f1; bra L; L: }\nmov.b32 %r1, 3;"));
    QCOMPARE(m.functions.size(), 1u);
    const Function& f = m.functions[0];
    QVERIFY(f.registers[f.instructions[0].operands[0].reg].type == Type::b64);
    QVERIFY(f.registers[f.instructions[3].operands[0].reg].type == Type::f32);
    // The inner %r1 hides the outer one, which is back behind the scope.
    QVERIFY(f.instructions[1].operands[0].reg != f.instructions[5].operands[0].reg);
    QCOMPARE(f.labels.size(), 2u);
    QVERIFY(f.instructions[2].operands[0].index != f.instructions[4].operands[0].index);
}

void TestPtxParser::register_ranges() {
    const Module m = parsed(kernel("mov.u32 %r0, %r8;\nmov.b32 %r8, %r0;"));
    QCOMPARE(m.functions[0].registers.size(), 2u); // made when first named
    QVERIFY(refusal(kernel("mov.u32 %r0, %r9;")).contains("'%r9' is not declared"));
    QVERIFY(refusal(kernel("mov.u32 %r0, %r08;")).contains("'%r08' is not declared"));
    // A range of the most registers costs nothing until they are used.
    QCOMPARE(parsed(header() + ".func f() { .reg .b32 %x<16000000>; mov.b32 %x15999999, 0; }").functions.size(), 1u);
}

void TestPtxParser::vector_registers() {
    const Module m = parsed(kernel(".reg .v4 .f32 v;\nld.global.v4.f32 v, [%rd1];\nadd.f32 %f1, v.x, v.w;"));
    QCOMPARE(m.functions.size(), 1u);
    const auto& code = m.functions[0].instructions;
    QCOMPARE(code[0].operands[0].elements.size(), 4u);
    QCOMPARE(code[1].operands[2].reg, code[0].operands[0].elements[3].reg);
}

void TestPtxParser::labels() {
    const Module m = parsed(kernel("bra.uni DONE;\nAGAIN: add.s32 %r1, %r1, 1;\n@%p1 bra AGAIN;\nDONE:"));
    const Function& f = m.functions[0];
    QCOMPARE(f.labels.size(), 2u);
    QCOMPARE(f.labels[f.instructions[0].operands[0].index].name, std::string("DONE"));
    QCOMPARE(f.labels[f.instructions[2].operands[0].index].instruction, 1u);
    QCOMPARE(f.labels[1].instruction, 3u);
}

void TestPtxParser::branch_tables() {
    const Module m =
        parsed(kernel("brx.idx %r1, TABLE;\nTABLE: .branchtargets A, B, A;\nA: mov.u32 %r2, 1;\nB: mov.u32 %r2, 2;"));
    QCOMPARE(m.functions.size(), 1u);
    const Function& f = m.functions[0];
    QVERIFY(f.instructions[0].operands[1].kind == Operand::Kind::branch_targets);
    const BranchTargets& table = f.branch_targets.at(f.instructions[0].operands[1].index);
    QCOMPARE(table.labels.size(), 3u);
    QCOMPARE(f.labels[table.labels[1]].name, std::string("B"));
    QCOMPARE(table.labels[0], table.labels[2]);
}

void TestPtxParser::calls() {
    const Module m = parsed(header() + ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                                       ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %r<3>;\n"
                                       "ld.param.b32 %r1, [in]; st.param.b32 [out], %r1; ret; }\n"
                                       ".entry k() { .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
                                       "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %r1;\n"
                                       "call.uni (r0), f, (p0); ld.param.b32 %r2, [r0+0]; }\ncall (%r1), f, (5);\n}");
    QCOMPARE(m.functions.size(), 3u);
    QVERIFY(!m.functions[0].defined && m.functions[0].linkage == Linkage::external);
    const Function& f = m.functions[1];
    QVERIFY(f.instructions[0].operands[1].scope == Operand::Scope::parameter);
    QVERIFY(f.instructions[1].operands[0].scope == Operand::Scope::result);
    const Function& k = m.functions[2];
    QCOMPARE(k.calls.size(), 2u);
    QCOMPARE(*k.calls[0].callee, 1u);
    QVERIFY(k.calls[0].results[0].kind == Operand::Kind::variable);
    QVERIFY(k.variables[k.calls[0].arguments[0].index].space == Space::param);
    QVERIFY(k.calls[1].results[0].kind == Operand::Kind::reg);
    QCOMPARE(k.calls[1].arguments[0].integer, std::int64_t{5});
}

void TestPtxParser::indirect_calls() {
    const Module m =
        parsed(header() + ".func (.param .b32 o) f(.param .b32 i);\n.func (.param .b32 o) g(.param .b32 i);\n"
                          ".entry k() { .reg .b32 %r<3>; .reg .b64 %rd<3>;\nmov.u64 %rd1, f;\n"
                          "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                          "call (%r1), %rd1, (%r2), P;\ncall (%r1), %rd1, (%r2), T;\nT: .calltargets f, g;\n}");
    QCOMPARE(m.functions.size(), 3u);
    const Function& k = m.functions[2];
    QVERIFY(k.instructions[0].operands[1].kind == Operand::Kind::function);
    QVERIFY(!k.calls[0].callee && k.calls[0].prototype);
    QCOMPARE(k.prototypes[*k.calls[0].prototype].parameters.size(), 1u);
    QCOMPARE(k.calls[1].possible_targets.size(), 2u);
}

void TestPtxParser::aliases() {
    const Module m = parsed(header() + ".func f(){ ret; }\n.func g();\n.entry k() { call g; }\n.alias g, f;\n");
    QCOMPARE(m.functions.size(), 3u);
    QCOMPARE(*m.functions[2].calls[0].callee, 0u);
    QCOMPARE(*m.find_function("g"), 0u);
}

void TestPtxParser::parameters() {
    const Module m =
        parsed(header() + ".entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 s[24], .param .f32 x)"
                          " { ret; }");
    QCOMPARE(m.functions.size(), 1u);
    const auto& p = m.functions[0].parameters;
    QVERIFY(p[0].pointer && p[0].pointer_space == Space::global);
    QCOMPARE(p[0].pointer_alignment, 16u);
    QCOMPARE(p[0].alignment, 8u);
    QCOMPARE(p[1].size, std::uint64_t{24});
    QCOMPARE(p[1].alignment, 8u);
    const ParameterLayout layout = layout_parameters(p);
    QCOMPARE(layout.offsets, (std::vector<std::uint64_t>{0, 8, 32}));
    QCOMPARE(layout.size, std::uint64_t{36});
}

void TestPtxParser::directives() {
    const Module m = parsed(header() + ".visible .entry k()\n.maxntid 128, 2\n.minnctapersm 3\n.maxnreg 40\n"
                                       ".reqnctapercluster 2\n.pragma \"nounroll\";\n{ .pragma \"nounroll\"; ret; }\n"
                                       ".entry r() .reqntid 64 { }\n.weak .func w() .noreturn { trap; }");
    QCOMPARE(m.functions.size(), 3u);
    QCOMPARE(m.functions[0].max_threads, (std::array<std::uint32_t, 3>{128, 2, 1}));
    QCOMPARE(m.functions[0].min_blocks, 3u);
    QCOMPARE(m.functions[0].max_registers, 40u);
    QCOMPARE(m.functions[0].required_cluster, (std::array<std::uint32_t, 3>{2, 1, 1}));
    QCOMPARE(m.functions[1].required_threads, (std::array<std::uint32_t, 3>{64, 1, 1}));
    QVERIFY(m.functions[2].noreturn && m.functions[2].linkage == Linkage::weak);
}

void TestPtxParser::variables() {
    const Module m =
        parsed(header() + ".extern .shared .align 16 .b8 dynamic[];\n.visible .global .align 4 .u32 a, b[3][2];\n"
                          ".global .attribute(.managed) .align 8 .b64 shown;\n.const .v4 .f32 four[2];\n"
                          ".global .texref t;\n.extern .global .u32 later;\n.visible .global .u32 later = 5;\n"
                          ".entry k() { .shared .align 8 .b8 inner[40]; .local .align 16 .b8 depot[32]; ret; }");
    QVERIFY(m.variables.size() == 7);
    const auto find = [&](const char* name) { return m.variables[*m.find_variable(name)]; };
    QVERIFY(find("dynamic").unsized && find("dynamic").linkage == Linkage::external);
    QCOMPARE(find("b").size, std::uint64_t{24});
    QVERIFY(find("shown").managed);
    QCOMPARE(find("four").size, std::uint64_t{32});
    QCOMPARE(find("four").alignment, 16u);
    QVERIFY(find("t").type == Type::texref);
    QVERIFY(find("later").linkage == Linkage::visible);
    QCOMPARE(find("later").initial.size(), 4u);
    QCOMPARE(m.functions[0].variables.size(), 2u);
    QVERIFY(m.functions[0].variables[0].space == Space::shared);
}

void TestPtxParser::initial_values() {
    const Module m = parsed(
        header() + ".global .u16 a[4] = {1, -1, 0x1234};\n.global .u8 n[2][3] = {{1, 2}, {3}};\n"
                   ".const .f32 f[] = {1.0, 0f40000000, 3};\n.global .f64 d = -0.5;\n.global .b32 z[100] = {0};\n"
                   ".global .f16 h = 1.5;");
    QCOMPARE(m.variables.size(), 6u);
    const auto bytes = [&](const char* name) {
        const auto& initial = m.variables[*m.find_variable(name)].initial;
        return QByteArray(reinterpret_cast<const char*>(initial.data()), static_cast<qsizetype>(initial.size()))
            .toHex();
    };
    QCOMPARE(bytes("a"), QByteArray("0100ffff3412"));
    QCOMPARE(bytes("n"), QByteArray("01020003"));
    QCOMPARE(bytes("f"), QByteArray("0000803f0000004000004040"));
    QCOMPARE(m.variables[2].size, std::uint64_t{12});
    QCOMPARE(bytes("d"), QByteArray("000000000000e0bf"));
    QCOMPARE(bytes("z"), QByteArray());
    QCOMPARE(bytes("h"), QByteArray("003e"));
}

void TestPtxParser::initial_addresses() {
    const Module m = parsed(header() + ".global .u32 x[4];\n.func f() { ret; }\n"
                                       ".global .u64 p[3] = {x+8, generic(x)+4, f};\n"
                                       ".global .u8 bytes[2] = {0xFF(x), 0xFF00(generic(x))};");
    QCOMPARE(m.variables.size(), 3u);
    const auto& p = m.variables[1].relocations;
    QCOMPARE(p.size(), 3u);
    QCOMPARE(p[0].addend, std::int64_t{8});
    QVERIFY(!p[0].generic && p[1].generic);
    QCOMPARE(p[1].addend, std::int64_t{4});
    QVERIFY(p[2].is_function);
    QCOMPARE(p[2].offset, std::uint64_t{16});
    QVERIFY(m.variables[1].initial.size() == 24);
    const auto& b = m.variables[2].relocations;
    QCOMPARE(b[1].width, std::uint8_t{1});
    QCOMPARE(b[1].shift, std::uint8_t{8});
}

void TestPtxParser::locations() {
    const Module m = parsed(kernel(".loc 1 10 3\nmov.u32 %r1, 1;\nmov.u32 %r2, 1;\n.loc 1 11 5\nmov.u32 %r3, 1;") +
                            "\n.file 1 \"/src/a.cu\"\n"
                            ".file 2 \"C:\\\\src\\\\a \\\"b\\\".cu\"\n.file 3 \"C:\\src\"\n");
    QCOMPARE(m.files.at(1), std::string("/src/a.cu"));
    QCOMPARE(m.files.at(2), std::string("C:\\src\\a \"b\".cu"));
    QCOMPARE(m.files.at(3), std::string("C:\\src"));
    const auto& code = m.functions[0].instructions;
    QCOMPARE(code[0].location, code[1].location);
    QCOMPARE(m.locations[static_cast<std::size_t>(code[0].location)].line, 10u);
    QCOMPARE(m.locations[static_cast<std::size_t>(code[2].location)].column, 5u);
}

void TestPtxParser::inlined_functions() {
    const Module m =
        parsed(kernel(".loc 1 10 3\nmov.u32 %r1, 1;\n.loc 2 5 1, function_name NAME, inlined_at 1 10 3\n"
                      "mov.u32 %r2, 1;\n.loc 2 7 1, function_name NAME+3, inlined_at 2 5 1\nmov.u32 %r3, 1;") +
               ".section .debug_str {\nNAME:\n.b8 102,111,111\n.b8 98,97,114,0\n}\n");
    const auto& code = m.functions.at(0).instructions;
    const SourceLocation& inner = m.locations[static_cast<std::size_t>(code[2].location)];
    QCOMPARE(inner.function, std::string("bar"));
    const SourceLocation& middle = m.locations[static_cast<std::size_t>(inner.inlined_at)];
    QCOMPARE(middle.function, std::string("foobar"));
    QCOMPARE(m.locations[static_cast<std::size_t>(middle.inlined_at)].line, 10u);
}

void TestPtxParser::video_selectors() {
    const Instruction i = only("vadd.s32.u32.s32.sat %r1, %r2.b0, %r3.h1;");
    QCOMPARE(i.operands[1].selector.unit, std::uint8_t{1});
    QCOMPARE(i.operands[2].selector.unit, std::uint8_t{2});
    QCOMPARE(i.operands[2].selector.lanes[0], std::uint8_t{1});
    const Instruction four = only("vadd4.u32.u32.u32 %r1, %r2.b3210, %r3.b7654, 0;");
    QCOMPARE(four.operands[2].selector.count, std::uint8_t{4});
}

void TestPtxParser::textures() {
    const auto in = [](const std::string& body) {
        return parsed(header() +
                      ".global .texref t;\n.visible .entry k(.param .texref p)\n{\n.reg .b64 %rd<3>;\n"
                      ".reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b16 %h<9>;\n.reg .pred %p<3>;\n" +
                      body + "\nret;\n}\n");
    };
    const Module m = in("tex.level.a2d.v4.f32.f32 {%f1,%f2,_,%f4}|%p1, [t, {%r1,%f5,%f6,%f6}], %f7, {1,%r2}, %f8;");
    const Instruction& i = m.functions.at(0).instructions.at(0);
    QVERIFY(i.opcode == Opcode::tex && i.has(Modifier::level) && i.has(Modifier::geom_a2d));
    QCOMPARE(i.vector_width, std::uint8_t{4});
    QCOMPARE(i.type_count, std::uint8_t{2});
    QCOMPARE(i.operands.size(), std::size_t{5});
    const Operand& destination = i.operands[0];
    QVERIFY(destination.kind == Operand::Kind::predicated_pair);
    QVERIFY(destination.elements.at(0).kind == Operand::Kind::vector);
    QCOMPARE(destination.elements[0].elements.size(), std::size_t{4});
    QVERIFY(destination.elements[0].elements[2].kind == Operand::Kind::none);
    QCOMPARE(reg(m, destination.elements.at(1)).name, std::string("%p1"));
    const Operand& address = i.operands[1];
    QVERIFY(address.base_kind == Operand::Kind::variable && address.scope == Operand::Scope::module);
    QCOMPARE(address.elements.size(), std::size_t{1});
    QCOMPARE(address.elements[0].elements.size(), std::size_t{4});
    QVERIFY(i.operands[3].kind == Operand::Kind::vector);
    // What compilers write, and what the manual lists.
    for (const char* text :
         {"tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r6}];", "tex.1d.v4.u32.f32 {%r1,%r2,%r3,%r4}, [p, %f1];",
          "tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6,%f7,%f7}];",
          "tex.cube.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f5,%f6,%f7,%f7}];",
          "tex.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f5,%f6,%f7}];",
          "tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}], {%f1,%f2}, {%f3,%f4};",
          "tex.grad.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}], {%f1}, {%f3};",
          "tex.grad.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f5,%f6,%f7,%f7}], {%f1,%f2,%f3,%f3}, {%f1,%f2,%f3,%f3};",
          "tex.base.2d.v2.f16x2.f32 {%r1,%r2}, [t, {%f5,%f6}];", "tex.2d.v4.f16.f32 {%h1,%h2,%h3,%h4}, [t, {%f5,%f6}];",
          "tex.2dms.v4.s32.s32 {%r1,%r2,%r3,%r4}, [t, {%r1,%r2,%r3,%r3}];",
          "tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];",
          "tld4.a.acube.v4.u32.f32 {%r1,%r2,%r3,%r4}|%p1, [t, {%r1,%f5,%f6,%f7}], %f8;", "txq.width.b32 %r1, [t];",
          "txq.level.depth.b32 %r1, [%rd1], %r2;", "txq.addr_mode_2.b32 %r1, [p];", "istypep.texref %p1, %rd1;"})
        QVERIFY2(in(text).functions.size() == 1, text);
}

void TestPtxParser::surfaces() {
    const auto in = [](const std::string& body) {
        return parsed(header() +
                      ".global .surfref s;\n.visible .entry k(.param .u64 .ptr .surfref p)\n{\n.reg .b64 %rd<4>;\n"
                      ".reg .b32 %r<9>;\n.reg .b16 %h<9>;\n.reg .pred %p<3>;\n" +
                      body + "\nret;\n}\n");
    };
    const Module m = in("sust.b.a2d.cg.v2.b64.clamp [s, {%r1,%r2,%r3,%r3}], {%rd1,%rd2};");
    const Instruction& i = m.functions.at(0).instructions.at(0);
    QVERIFY(i.opcode == Opcode::sust && i.has(Modifier::b) && i.has(Modifier::clamp) && i.type() == Type::b64);
    QVERIFY(i.operands.at(0).kind == Operand::Kind::address);
    for (const char* text :
         {"suld.b.1d.b32.trap {%r1}, [%rd1, {%r2}];", "suld.b.2d.v4.b8.zero {%h1,%h2,%h3,%h4}, [%rd1, {%r2,%r3}];",
          "suld.b.3d.ca.b16.clamp %h1, [s, {%r1,%r2,%r3,%r3}];", "suld.b.a1d.v2.b32.trap {%r1,%r2}, [s, {%r3,%r4}];",
          "sust.b.2d.b16.trap [%rd1, {%r2,%r3}], {%h1};", "sust.b.1d.b8.trap [s, %r1], %h1;",
          "sust.p.2d.v4.b32.trap [s, {%r1,%r2}], {%r1,%r2,%r3,%r4};", "sured.b.add.2d.u32.trap [s, {%r1,%r2}], %r3;",
          "sured.b.max.1d.s64.zero [s, {%r1}], %rd2;", "sured.p.min.3d.b32.clamp [s, {%r1,%r2,%r3,%r3}], %r3;",
          "suq.width.b32 %r1, [s];", "suq.memory_layout.b32 %r1, [%rd1];"})
        QVERIFY2(in(text).functions.size() == 1, text);
}

void TestPtxParser::opaque_variables() {
    const Module m =
        parsed(".version 8.0\n.target sm_80, texmode_independent\n.address_size 64\n"
               ".global .texref t;\n.visible .global .surfref s;\n.tex .u32 a, b;\n.global .samplerref plain;\n"
               ".global .samplerref c = { addr_mode_0 = clamp_to_border, addr_mode_1 = mirror,"
               " addr_mode_2 = wrap, filter_mode = linear, force_unnormalized_coords = 1 };\n");
    QCOMPARE(m.variables.size(), std::size_t{6});
    for (const Variable& v : m.variables) {
        QVERIFY(is_opaque(v.type) && v.space == Space::global);
        QCOMPARE(v.size, std::uint64_t{8});
        QCOMPARE(v.alignment, 8u);
    }
    QVERIFY(m.variables[2].type == Type::texref && m.variables[3].name == "b");
    QVERIFY(m.variables[0].initial.empty());
    const auto held = [&](std::size_t k) {
        std::uint64_t word = 0;
        std::memcpy(&word, m.variables[k].initial.data(), m.variables[k].initial.size());
        return word;
    };
    QCOMPARE(held(4), kSamplerDefault);
    QCOMPARE(held(5), kSamplerMark | 0x3023);
}

void TestPtxParser::implicit_return() {
    const Module m = parsed(header() + ".entry k() { }");
    QCOMPARE(m.functions[0].instructions.size(), 1u);
    QVERIFY(m.functions[0].instructions[0].opcode == Opcode::ret);
}

void TestPtxParser::generated_text_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(WARPLIGHT_SOURCE_DIR "/tests/software/ptx/corpus");
    const QStringList files = folder.entryList({"*.ptx"}, QDir::Files, QDir::Name);
    QVERIFY(files.size() >= 5);
    for (const QString& name : files)
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TestPtxParser::generated_text() {
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    const Module m = parsed(text.toStdString());
    std::size_t kernels = 0, instructions = 0;
    for (const Function& f : m.functions) {
        kernels += f.kernel;
        instructions += f.instructions.size();
        if (!f.kernel) continue;
        QVERIFY(estimate_registers(f) >= 8);
        const Reachable reached = reachable_from(m, static_cast<FunctionId>(&f - m.functions.data()));
        QVERIFY(!reached.functions.empty());
        (void)layout_shared(m, reached);
    }
    QVERIFY(kernels >= 1);
    // As many as there are lines that end in a semicolon inside of functions, less the declarations.
    QVERIFY(instructions >= 20);
}

void TestPtxParser::speed() {
    std::string body;
    while (body.size() < 1000000)
        body += "\tld.global.f32 \t%f1, [%rd1+4];\n\tfma.rn.f32 \t%f2, %f1, 0f3F800000, %f2;\n\tadd.s64 \t%rd2, %rd1, "
                "%rd3;\n";
    QElapsedTimer timer;
    timer.start();
    const Module m = parsed(kernel(body));
    // A bound that holds on a slow and busy machine, in a sanitizer's build too; usual is a hundredth.
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed()) + " ms"));
    QVERIFY(m.functions.at(0).instructions.size() > 20000);
}

QTEST_APPLESS_MAIN(TestPtxParser)
#include "test_ptx_parser.moc"
