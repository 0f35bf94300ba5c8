// SPDX-License-Identifier: Apache-2.0
// Threads side by side against a thread at a time: programs made at random have to leave the same memory. And which
// kernels run so: one that falls back silently would be right, and slow.
//
// WARPLIGHT_TEST_SEED and WARPLIGHT_TEST_PROGRAMS in the environment: the first program's number, and how many.
// WARPLIGHT_TEST_FILE: a program to run instead of them, for making one that fails smaller. The program random_programs
// does the same for as many as one likes.
#include "compare_programs.hpp"
#include "mini_runtime.hpp"
#include "random_forms.hpp"
#include "random_program.hpp"
#include "software/ptx/parser.hpp"
#include "software/ptx/verify.hpp"
#include "software/ptx/words.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using mini::Program;
using warplight::jit::GridStride;
using warplight::jit::Mode;
namespace ptx = warplight::ptx;

namespace {

std::string contents(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string entry(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
           ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .b32 word;\n" +
           body + "\n}\n";
}

/// Whether an instruction has all the words.
bool has_shape(const ptx::Instruction& i, const OpenShape& shape) {
    std::string_view rest = shape.mnemonic;
    const std::string_view opcode = rest.substr(0, rest.find('.'));
    if (i.opcode != ptx::find_opcode(opcode)) return false;
    rest.remove_prefix(opcode.size());
    std::vector<ptx::Space> spaces;
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view spelling = rest.substr(0, rest.find('.'));
        rest.remove_prefix(spelling.size());
        const ptx::Word* const word = ptx::find_word(spelling);
        if (!word) return false;
        switch (word->kind) {
        case ptx::Word::Kind::modifier:
            if (!i.modifiers.test(word->value)) return false;
            break;
        case ptx::Word::Kind::type:
            if (i.type() != static_cast<ptx::Type>(word->value)) return false;
            break;
        case ptx::Word::Kind::vector:
            if (i.vector_width != word->value) return false;
            break;
        case ptx::Word::Kind::space: spaces.push_back(static_cast<ptx::Space>(word->value)); break;
        }
    }
    if ((!spaces.empty() && i.space != spaces[0]) || (spaces.size() > 1 && i.source_space != spaces[1])) return false;
    return shape.number < 0 || std::any_of(
                                   i.operands.begin(), i.operands.end(),
                                   [&](const ptx::Operand& x) {
                                       return x.kind == ptx::Operand::Kind::integer && x.integer == shape.number;
                                   });
}

} // namespace

class LanesTest : public QObject {
    Q_OBJECT

    void compare_programs(bool warps) {
        const auto first = qEnvironmentVariableIsSet("WARPLIGHT_TEST_SEED")
                               ? qEnvironmentVariable("WARPLIGHT_TEST_SEED").toULongLong()
                               : std::uint64_t{1};
        const int count = qEnvironmentVariableIsSet("WARPLIGHT_TEST_PROGRAMS")
                              ? qEnvironmentVariableIntValue("WARPLIGHT_TEST_PROGRAMS")
                          : warps ? 12
                                  : 40;
        int side_by_side = 0, alone = 0;
        for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
            const QString file = qEnvironmentVariable("WARPLIGHT_TEST_FILE");
            const RandomProgram program =
                file.isEmpty() ? random_program(seed, warps) : RandomProgram{contents(file), false};
            const Comparison comparison = compare_program(program.text, seed, warps);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            side_by_side += comparison.side_by_side;
            alone += program.alone;
        }
        qInfo("%d programs from seed %llu on, %d of them side by side", count, static_cast<unsigned long long>(first),
              side_by_side);
        QVERIFY(side_by_side * 10 >= (count - alone) * 9);
    }

private slots:
    void random_programs() { compare_programs(false); }
    /// With what the lanes of a warp do together.
    void random_programs_of_warps() { compare_programs(true); }

    /// A row of ptx/forms.def is in random programs, or in the list of those that cannot be; where a row leaves open
    /// what its instructions look like, all that are told of are there.
    void every_form_is_in_a_program() {
        std::map<const ptx::Form*, int> found;
        std::vector<int> shapes(open_shapes().size());
        for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
            const auto parsed = ptx::parse(random_program(seed, seed % 2 == 0).text);
            const auto* error = std::get_if<ptx::ParseError>(&parsed);
            QVERIFY2(!error, error ? error->message.c_str() : "");
            const auto& module = std::get<ptx::Module>(parsed);
            for (const ptx::Function& f : module.functions)
                for (const ptx::Instruction& i : f.instructions) {
                    const ptx::Form* form = ptx::form_of(module, f, i);
                    if (form) ++found[form];
                    if (form && form->any_operands)
                        for (std::size_t k = 0; k < shapes.size(); ++k)
                            shapes[k] += has_shape(i, open_shapes()[k]);
                }
        }
        std::string missing;
        for (std::size_t k = 0; k < shapes.size(); ++k)
            if (!shapes[k]) missing += "\n" + std::string(open_shapes()[k].mnemonic);
        QVERIFY2(missing.empty(), ("in no program:" + missing).c_str());
        std::mt19937_64 random(1);
        std::string text;
        RandomForms forms(random, text, {true, true, true});
        std::set<const NotGenerated*> listed;
        for (const ptx::Form& form : ptx::all_forms()) {
            const auto name = [&] {
                return std::string(ptx::spelling(form.opcode)) + " " + std::string(form.types_text) + " " +
                       std::string(form.modifiers_text);
            };
            const NotGenerated* const row = why_not_generated(form);
            listed.insert(row);
            if (row)
                QVERIFY2(!found[&form], ("listed, but in a program: " + name()).c_str());
            else
                QVERIFY2(found[&form], ("in no program: " + name()).c_str());
            if (row && row->is_refused()) QVERIFY2(forms.is_refused(form), ("not refused any more: " + name()).c_str());
        }
        for (const NotGenerated& row : forms_not_generated())
            QVERIFY2(listed.contains(&row), std::string(row.opcode).c_str());
        QVERIFY(found.size() > 200);
    }

    /// Lanes come to J before others that are still on their way to it (X), which then do again what the first have
    /// done: an index is not that of the lanes that are in a block together.
    void a_meeting_place_before_what_leads_to_it() {
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ntid.x;\n"
            "mov.u32 %r4, %ntid.y; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r6, %r5, %r4, %r2; mad.lo.u32 %r6, %r6, %r3, "
            "%r1;\n"
            "mul.wide.u32 %rd2, %r6, " +
            std::to_string(4 * kRandomResults) +
            "; add.u64 %rd1, %rd1, %rd2; mov.u32 %r7, %r1; mov.u32 %r8, 0;\n"
            "and.b32 %r9, %r1, 7; setp.gt.u32 %p1, %r9, 5; @%p1 bra E; bra B;\n"
            "J: add.u32 %r7, %r7, 1; bra K;\n"
            "B: setp.gt.u32 %p2, %r9, 2; @%p2 bra X; bra J;\n"
            "X: add.u32 %r8, %r9, 3; bra J;\n"
            "K: st.global.u32 [%rd1], %r7;\n"
            "E: add.u32 %r8, %r8, %r1; st.global.u32 [%rd1+4], %r8; ret;\n}\n";
        for (const std::uint64_t seed : {0, 1, 2}) { // 4, 8 and 16 side by side
            const Comparison comparison = compare_program(text, seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
    }

    /// A loop that no thread gets to and that never ends has no block where its lanes reconverge.
    void unreached_code_that_never_ends() {
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
            "mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, " +
            std::to_string(4 * kRandomResults) +
            "; add.u64 %rd1, %rd1, %rd2; and.b32 %r5, %r1, 5; setp.eq.u32 %p1, %r5, 1; bra STORE;\n"
            "SPIN: add.u32 %r5, %r5, %r1; @%p1 bra SPIN; add.u32 %r5, %r5, 1; bra SPIN;\n"
            "STORE: st.global.u32 [%rd1], %r5; ret;\n}\n";
        const Comparison comparison = compare_program(text, 1, false);
        QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
    }

    void what_only_reads_data() {
        QTest::addColumn<QString>("instruction");
        QTest::newRow("nanosleep") << "nanosleep.u32 %r3;";
        QTest::newRow("stackrestore") << "stackrestore.u32 %r3;";
        QTest::newRow("bar.warp.sync") << "bar.warp.sync -1;";
        QTest::newRow("pmevent") << "pmevent 3;";
        QTest::newRow("st") << "st.global.u32 [%rd1+4], %r3;";
        QTest::newRow("red") << "red.global.add.u32 [%rd1+8], %r3;";
        QTest::newRow("prefetch") << "prefetch.global.L1 [%rd1];";
        QTest::newRow("a copy") << "mov.u32 %r9, %r3;";
    }
    /// Lanes wrote %r3 on two ways. What reads it where they are together again writes nothing: what the others wrote
    /// is still to be there behind it.
    void what_only_reads() {
        QFETCH(const QString, instruction);
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r4, %ntid.x;\n"
            "mov.u32 %r5, %ntid.y; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r7, %r6, %r5, %r2; mad.lo.u32 %r7, %r7, %r4, "
            "%r1;\nmul.wide.u32 %rd2, %r7, " +
            std::to_string(4 * kRandomResults) +
            "; add.u64 %rd1, %rd1, %rd2; and.b32 %r8, %r1, 1; setp.eq.u32 %p1, %r8, 0; @%p1 bra A;\n"
            "mov.u32 %r3, 3; bra B;\nA: mov.u32 %r3, 5;\nB: " +
            instruction.toStdString() + "\nst.global.u32 [%rd1], %r3; ret;\n}\n";
        for (const bool warps : {false, true}) {
            const Comparison comparison = compare_program(text, 1, warps);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side || (!warps && instruction.startsWith("bar")));
        }
    }

    void operations_of_some_lanes_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("runs");
        const QString few = "setp.gt.u32 %p1, %r9, 7; @%p1 bra A;\n";
        const auto row = [](const char* name, const QString& body, bool runs) { QTest::newRow(name) << body << runs; };
        row("a shuffle of eight", few + "shfl.sync.down.b32 %r10, %r3, 4, 31, 0xff; add.u32 %r3, %r3, %r10; A:", true);
        row("a scan of eight",
            few + "mov.u32 %r11, 1;\nL: shfl.sync.up.b32 %r10|%p2, %r3, %r11, 0, 0xff; @%p2 add.u32 %r3, %r3, %r10;\n"
                  "shl.b32 %r11, %r11, 1; setp.lt.u32 %p3, %r11, 8; @%p3 bra L;\nA:",
            true);
        row("those that vote so",
            "and.b32 %r10, %r3, 4; setp.eq.u32 %p1, %r10, 0; vote.sync.ballot.b32 %r11, %p1, -1; @!%p1 bra A;\n"
            "redux.sync.add.u32 %r12, %r9, %r11; and.b32 %r13, %r3, 1; setp.eq.u32 %p2, %r13, 0;\n"
            "vote.sync.ballot.b32 %r13, %p2, %r11; shfl.sync.bfly.b32 %r14, %r3, 3, 31, %r11; bar.warp.sync %r11;\n"
            "mad.lo.u32 %r3, %r12, 3, %r13; xor.b32 %r3, %r3, %r14;\nA:",
            true);
        row("groups of those that vote so",
            "and.b32 %r10, %r3, 4; setp.eq.u32 %p1, %r10, 0; and.b32 %r11, %r3, 1; @!%p1 add.u32 %r11, %r11, 2;\n"
            "match.any.sync.b32 %r11, %r11, -1; @!%p1 bra A;\nshfl.sync.bfly.b32 %r14, %r3, 1, 31, %r11;\n"
            "match.any.sync.b32 %r12, %r14, %r11; elect.sync %r13|%p2, %r11; selp.u32 %r13, %r13, 7, %p2;\n"
            "add.u32 %r3, %r12, %r14; add.u32 %r3, %r3, %r13;\nA:",
            true);
        row("lanes that are not there and end",
            few + "setp.lt.u32 %p2, %r9, 3; @!%p2 bra A; shfl.sync.down.b32 %r10, %r3, 2, 31, 0xff;\n"
                  "vote.sync.ballot.b32 %r11, %p1, 0xff; add.u32 %r3, %r11, %r10;\nA:",
            true);
        row("a branch within",
            few + "setp.lt.u32 %p2, %r9, 3; @%p2 bra B; mul.lo.u32 %r3, %r3, 5;\n"
                  "B: shfl.sync.down.b32 %r10, %r3, 4, 31, 0xff; add.u32 %r3, %r3, %r10; A:",
            true);
        row("rounds of a loop",
            "mov.u32 %r11, 0;\nL: add.u32 %r12, %r3, %r11; and.b32 %r12, %r12, 3; setp.ne.u32 %p1, %r12, 0;\n"
            "vote.sync.ballot.b32 %r12, %p1, -1; @!%p1 bra A; redux.sync.max.s32 %r10, %r3, %r12;\n"
            "add.u32 %r3, %r3, %r10;\nA: add.u32 %r11, %r11, 1; setp.lt.u32 %p3, %r11, 5; @%p3 bra L;",
            true);
        row("the whole warp, of which the others end", few + "shfl.sync.down.b32 %r3, %r3, 4, 31, -1; A:", true);
        row("the whole warp",
            few + "shfl.sync.down.b32 %r3, %r3, 4, 31, -1; A: shfl.sync.down.b32 %r3, %r3, 1, 31, -1;", false);
        row("both ways",
            few + "shfl.sync.down.b32 %r3, %r3, 4, 31, 0xff; bra B;\n"
                  "A: shfl.sync.down.b32 %r3, %r3, 4, 31, 0xffffff00; B:",
            false);
        row("a guard", "setp.lt.u32 %p1, %r9, 8; @%p1 shfl.sync.down.b32 %r3, %r3, 4, 31, 0xff;", false);
        row("lanes that have ended",
            "setp.gt.u32 %p2, %r3, 900; @%p2 ret;\n" + few + "vote.sync.ballot.b32 %r3, %p1, 0xff; A:", false);
    }
    /// Where lanes have parted, and those that take part come together.
    void operations_of_some_lanes() {
        QFETCH(const QString, body);
        QFETCH(const bool, runs);
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;\n"
            "mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r7, %r6, %r5, %r2;\n"
            "mad.lo.u32 %r7, %r7, %r4, %r1; mul.wide.u32 %rd2, %r7, 4; add.u64 %rd3, %rd3, %rd2;\n"
            "ld.global.u32 %r3, [%rd3]; and.b32 %r3, %r3, 1023; mov.u32 %r9, %laneid; mul.wide.u32 %rd2, %r7, " +
            std::to_string(4 * kRandomResults) + "; add.u64 %rd1, %rd1, %rd2;\n" + body.toStdString() +
            "\nst.global.u32 [%rd1], %r3; ret;\n}\n";
        const Comparison comparison = compare_program(text, 1, true);
        QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
        QCOMPARE(comparison.side_by_side, runs);
    }

    void forms_side_by_side_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("warps");
        QTest::newRow("alloca") << "alloca.u64 %rd3, 32; st.local.u32 [%rd3+4], %r1;"
                                   "ld.local.u32 %r3, [%rd3+4];"
                                << false;
        // That no vector of 512 bits is full of, where rounding has a direction only in those.
        QTest::newRow("sqrt.rp") << "cvt.rn.f32.u32 %f1, %r1; sqrt.rp.f32 %f2, %f1; mov.b32 %r3, %f2;" << false;
        QTest::newRow("copysign in a loop")
            << "mul.wide.u32 %rd3, %r1, 12; mov.b64 %rd2, 0x3c003c0040003800; mov.u32 %r9, 0; and.b32 %r10, %r1, 3;\n"
               "L: copysign.f64 %rd2, %rd3, %rd2; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r10; @%p1 bra L;\n"
               "cvt.u32.u64 %r3, %rd2;"
            << false;
        // Under a guard LLVM made another function of them, with 512 bits (jit/passes/masked_merge_pass.hpp).
        const QString load = "ld.param.u64 %rd3, [in]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd3, %rd2;\n"
                             "ld.global.u32 %r3, [%rd3+8]; ld.global.u32 %r8, [%rd3+12];\n"
                             "ld.global.u32 %r9, [%rd3+20]; and.b32 %r10, %r8, 15; setp.gt.s32 %p1, %r10, 6;\n";
        const QString computed = load + "mul.lo.u32 %r3, %r3, %r8; mul.lo.u32 %r9, %r9, %r8;\n";
        QTest::newRow("guarded copysign, of memory") << load + "@%p1 copysign.f32 %r3, %r9, %r3;" << false;
        QTest::newRow("guarded copysign, the other way") << load + "@%p1 copysign.f32 %r3, %r3, %r9;" << false;
        QTest::newRow("guarded copysign, of registers") << computed + "@%p1 copysign.f32 %r3, %r3, %r9;" << false;
        QTest::newRow("guarded bfi") << computed + "@%p1 bfi.b32 %r3, %r9, %r3, 4, 9;" << false;
        // With avx512fp16 LLVM made one compare of both (jit/passes/half_compare_pass.hpp).
        QTest::newRow("compares of halves under a mask")
            << load + "ld.global.v2.b16 {%h0, %h1}, [%rd3+16]; cvt.f32.f16 %f1, %h0; cvt.f32.f16 %f2, %h1;\n"
                      "setp.gt.and.f32 %p2, %f1, %f2, %p1; setp.lt.and.f32 %p3, %f1, %f2, %p1;\n"
                      "selp.b32 %r3, 1, 0, %p2; @%p3 add.u32 %r3, %r3, 2;"
            << false;
        QTest::newRow("redux of %lanemask_lt") << "redux.sync.max.u32 %r3, %lanemask_lt, -1;" << true;
        QTest::newRow("shfl of %lanemask_ge") << "shfl.sync.bfly.b32 %r3, %lanemask_ge, 1, 31, -1;" << true;
        for (const char* mask : {"eq", "lt", "le", "ge", "gt"})
            QTest::addRow("mov of %%lanemask_%s", mask) << QString("mov.u32 %r3, %lanemask_") + mask + ";" << false;
    }
    /// The smallest programs that were wrong side by side, or that no code was made of.
    void forms_side_by_side() {
        QFETCH(const QString, body);
        QFETCH(const bool, warps);
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .b16 %h<2>;\n"
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r4, %ntid.x;\n"
            "mov.u32 %r5, %ntid.y; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r7, %r6, %r5, %r2; mad.lo.u32 %r7, %r7, %r4, "
            "%r1;\nmul.wide.u32 %rd2, %r7, " +
            std::to_string(4 * kRandomResults) + "; add.u64 %rd1, %rd1, %rd2;\n" + body.toStdString() +
            "\nst.global.u32 [%rd1], %r3; ret;\n}\n";
        for (const std::uint64_t seed : {0, 1, 2}) { // 4, 8 and 16 side by side
            const Comparison comparison = compare_program(text, seed, warps);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
    }

    void branches_that_the_first_lane_tells_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<bool>("swapped");
        for (const char* step : {"1", "3", "-1", "-5"})
            for (const bool swapped : {false, true})
                QTest::addRow("%s%s", step, swapped ? ", on the right" : "") << QString(step) << swapped;
    }

    /// Numbers that grow from lane to lane, near where they wrap, compared with numbers near theirs.
    void branches_that_the_first_lane_tells() {
        QFETCH(const QString, step);
        QFETCH(const bool, swapped);
        static constexpr const char* kComparisons[] = {"eq.u32", "ne.s32", "lt.u32", "le.u32", "gt.u32",
                                                       "ge.u32", "lt.s32", "le.s32", "gt.s32", "ge.s32"};
        static constexpr std::uint32_t kOffsets[] = {0, 0xFFFFFF9C, 0x7FFFFF9C, 0x80000032};
        static constexpr int kDistances[] = {0, 31, 130, -7};
        std::string body;
        int number = 0;
        for (const char* comparison : kComparisons)
            for (const std::uint32_t offset : kOffsets) {
                const auto with = offset + static_cast<std::uint32_t>(kDistances[number % 4]);
                const std::string label = "L" + std::to_string(number);
                body += "add.u32 %r3, %r2, " + std::to_string(static_cast<std::int32_t>(offset)) + "; mov.u32 %r4, " +
                        std::to_string(static_cast<std::int32_t>(with)) + ";\n";
                // Some branches come behind other blocks, some go where it does not hold.
                body += std::string("setp.") + comparison + (swapped ? " %p1, %r4, %r3;\n" : " %p1, %r3, %r4;\n");
                body += (number % 3 ? "@%p1 bra " : "@!%p1 bra ") + label + ";\n";
                body += "mad.lo.u32 %r5, %r5, 3, " + std::to_string(++number) + ";\n" + label + ":\n";
            }
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, %ntid.x;\n"
            "mov.u32 %r8, %ntid.y; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6;\n"
            "mad.lo.u32 %r10, %r10, %r7, %r1; mul.wide.u32 %rd2, %r10, " +
            std::to_string(4 * kRandomResults) + "; add.u64 %rd1, %rd1, %rd2; mul.lo.u32 %r2, %r1, " +
            step.toStdString() + "; mov.u32 %r5, 0;\n" + body + "st.global.u32 [%rd1], %r5; ret;\n}\n";
        for (const std::uint64_t seed : {0, 1, 2}) {
            const Comparison comparison = compare_program(text, seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
    }

    /// Numbers of threads, shifted, cut, and put together with what is the same in all.
    void bits_of_numbers_that_count() {
        static constexpr const char* kSteps[] = {
            "and.b32 %r3, %r3, 31;",
            "and.b32 %r3, %r3, -32;",
            "and.b32 %r3, %r3, 248;",
            "and.b32 %r3, %r3, -256;",
            "and.b32 %r3, %r3, 85;",
            "shr.u32 %r3, %r3, 1;",
            "shr.s32 %r3, %r3, 5;",
            "shr.u32 %r3, %r3, 3;",
            "or.b32 %r3, %r3, 96;",
            "xor.b32 %r3, %r3, 21;",
            "bfi.b32 %r3, %r9, %r3, 5, 27;",
            "bfi.b32 %r3, %r9, %r3, 3, 4;",
            "bfi.b32 %r3, %r3, %r9, 2, 9;",
            "or.b32 %r3, %r11, %r3;",
            "or.b32 %r3, %r3, %r12;",
            "xor.b32 %r3, %r12, %r3;",
            "bfi.b32 %r3, %r12, %r3, 11, 21;",
            "add.u32 %r3, %r3, %r11;",
        };
        std::string body;
        for (const char* first : kSteps)
            for (const char* second : kSteps)
                for (const unsigned shift : {0U, 2U, 4U})
                    if ((body.size() + shift) % 11 == 0)
                        body += "shl.b32 %r3, %r1, " + std::to_string(shift) + ";" + first + second +
                                "mad.lo.u32 %r5, %r5, 31, %r3;\n";
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .b32 %r<16>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, %ntid.x;\n"
            "mov.u32 %r8, %ntid.y; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6;\n"
            "mad.lo.u32 %r10, %r10, %r7, %r1; mul.wide.u32 %rd2, %r10, " +
            std::to_string(4 * kRandomResults) +
            "; add.u64 %rd1, %rd1, %rd2; add.u32 %r13, %r9, 3; shl.b32 %r11, %r13, 5; shl.b32 %r12, %r13, 9;\n"
            "mov.u32 %r5, 0;\n" +
            body + "st.global.u32 [%rd1], %r5; ret;\n}\n";
        for (const std::uint64_t seed : {0, 1, 2}) {
            const Comparison comparison = compare_program(text, seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
    }

    /// Six loops that lanes leave one by one, behind conditions that are the same in all: LLVM went on for ever.
    void masks_by_conditions_compile() {
        const Program program(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums) {
.reg .pred %p<404>;
.reg .b32 %r<40>;
.reg .b64 %rd<20>;
.reg .f32 %f<8>;
.reg .b32 %i<8>;
mov.u32 %r0, %tid.x;
mov.u32 %r34, %ctaid.x;
mov.f32 %f2, 0f40400000;
and.b32 %r8, %r6, %r7;
prmt.b32 %r3, %r3, %r8, 45773;
and.b32 %r15, %r5, 7;
L6:
setp.lt.u32 %p6, %r11, %i5;
@%p6 bra L6;
setp.eq.f32 %p8, %f1, %f2;
@%p8 bra L8;
setp.eq.u32 %p9, %r34, 1;
@%p9 bra L10;
mul.hi.u32 %r5, %r3, 58;
bra.uni L11;
L10:
ld.global.u32 %r8, [%rd1+1148];
L11:
mov.u32 %r11, 0;
L12:
@%p10 bra L12;
L8:
L26:
setp.lt.u32 %p22, %r11, 5;
@%p22 bra L26;
L36:
setp.lt.u32 %p33, %r20, 1;
@%p33 bra L39;
prmt.b32 %r7, %r3, %r3, 27699;
and.b32 %r20, %r0, 11;
L39:
L40:
fma.rn.f32 %f2, %f2, 0f3F400000, %f0;
setp.lt.u32 %p38, %r11, %r15;
@%p38 bra L40;
and.b32 %r21, %r5, 15;
setp.gt.s32 %p39, %r21, 4;
@%p39 bra L37;
L42:
@%p40 bra L42;
@%p41 bra L36;
L37:
st.global.u32 [%rd4+24], %r7;
st.global.u32 [%rd4+28], %r8;
})");
        for (const unsigned width : {8U, 16U, 32U})
            QVERIFY(program.compile("k", Mode::automatic, {}, width));
    }

    void long_code_of_some_data() {
        QTest::addColumn<QString>("leave");
        QTest::newRow("all stay") << "setp.gt.u32 %p1, %r11, 5000; @%p1 bra F;";
        QTest::newRow("the last leave") << "setp.ge.u32 %p1, %r11, 21; @%p1 bra F;";
        QTest::newRow("those with a negative number leave") << "setp.lt.s32 %p1, %r3, 0; @%p1 bra F;";
        QTest::newRow("all leave") << "setp.lt.u32 %p1, %r11, 5000; @%p1 bra F;";
        QTest::newRow("to what all do") << "mov.u32 %r5, 3; setp.lt.s32 %p1, %r3, 0; @%p1 bra E;";
    }
    /// Without loops, with branches of its own, and so long that there is code for all lanes as for some, once.
    void long_code_of_some() {
        QFETCH(const QString, leave);
        std::string body = leave.toStdString() + "\n";
        for (int k = 0; k < 12; ++k) {
            const std::string n = std::to_string(k), label = "L" + n;
            body += "mad.lo.u32 %r5, %r5, 5, %r3; xor.b32 %r12, %r5, %r11; and.b32 %r12, %r12, 31;\n"
                    "mul.wide.u32 %rd4, %r12, 4; add.u64 %rd5, %rd3, %rd4; ld.global.u32 %r14, [%rd5];\n"
                    "setp.gt.s32 %p2, %r14, %r3; selp.u32 %r5, %r14, %r5, %p2;\n@%p2 add.u32 %r5, %r5, 7;\n";
            if (k % 3 == 0) body += "@%p2 bra " + label + "; mul.lo.u32 %r5, %r5, %r14; sub.u32 %r5, %r5, " + n + ";\n";
            if (k % 3 == 1) body += "@!%p2 st.global.u32 [%rd1+" + std::to_string(4 + 4 * (k % 6)) + "], %r14;\n";
            body += label + ":\n";
        }
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"
            "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in]; mov.u32 %r1, %tid.x; mov.u32 %r6, %tid.y;\n"
            "mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6;\n"
            "mad.lo.u32 %r10, %r10, %r7, %r1; mad.lo.u32 %r11, %r6, %r7, %r1; mul.wide.u32 %rd2, %r10, " +
            std::to_string(4 * kRandomResults) +
            "; add.u64 %rd1, %rd1, %rd2; mul.wide.u32 %rd2, %r10, 4; add.u64 %rd2, %rd2, %rd3;\n"
            "ld.global.u32 %r3, [%rd2]; mov.u32 %r5, 1;\n" +
            body + "E: st.global.u32 [%rd1], %r5; F: ret;\n}\n";
        for (const std::uint64_t seed : {0, 1, 2}) {
            const Comparison comparison = compare_program(text, seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
        const Comparison of_warps = compare_program(text, 0, true);
        QVERIFY2(!of_warps.differ, of_warps.differ ? of_warps.differ->c_str() : "");
    }

    /// Every second or fourth element, at indices made by joining bits.
    void elements_with_gaps() {
        std::string body;
        int result = 0;
        for (const char* type : {"u32", "u64"})
            for (const int bits : {1, 2})
                for (const auto& [join, with] : {std::pair{"or", "1"}, {"xor", "1"}, {"or", "3"}}) {
                    const int bytes = std::string(type) == "u64" ? 8 : 4;
                    const std::string k = std::to_string(result++); // registers of their own
                    body += "shl.b32 %x" + k + ", %r1, " + std::to_string(bits) + "; " + join + ".b32 %y" + k + ", %x" +
                            k + ", " + with + "; mul.wide.u32 %p" + k + ", %y" + k + ", " + std::to_string(bytes) +
                            "; add.u64 %q" + k + ", %rd3, %p" + k + ";\n";
                    body += std::string("ld.global.") + type +
                            (bytes == 8 ? " %rd5, [%q" + k + "+-8]; cvt.u32.u64 %r4, %rd5;\n"
                                        : " %r4, [%q" + k + "+-4];\n");
                    body += "st.global.u32 [%rd1+" + std::to_string(4 * std::stoi(k)) + "], %r4;\n";
                }
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
            ".reg .pred %c<4>; .reg .b32 %r<16>, %x<12>, %y<12>; .reg .b64 %rd<8>, %p<12>, %q<12>;\n"
            "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in]; mov.u32 %r1, %tid.x; mov.u32 %r6, %tid.y;\n"
            "mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6;\n"
            "mad.lo.u32 %r10, %r10, %r7, %r1; mul.wide.u32 %rd2, %r10, " +
            std::to_string(4 * kRandomResults) + "; add.u64 %rd1, %rd1, %rd2; mov.u32 %r5, 0;\nA:\n" + body +
            "add.u32 %r5, %r5, 1; setp.lt.u32 %c1, %r5, 2; @%c1 bra A; ret;\n}\n";
        for (const std::uint64_t seed : {0, 1, 2}) {
            const Comparison comparison = compare_program(text, seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
    }

    void what_runs_side_by_side_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("runs");
        const QString thread = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7;";
        QTest::newRow("a barrier") << QString("bar.sync 0; ret;") << true;
        QTest::newRow("a barrier in a loop of all")
            << QString("mov.u32 %r1, 0; A: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra A; ret;")
            << true;
        QTest::newRow("a barrier in a loop of some")
            << thread +
                   "A: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra A; add.u32 %r1, %r1, 1; ret;"
            << false;
        QTest::newRow("a barrier in a loop that some leave to end")
            << thread + "A: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra A; ret;" << true;
        QTest::newRow("a barrier of some")
            << thread + "@%p1 bra A; bar.sync 0; add.u32 %r1, %r1, 1; A: add.u32 %r1, %r1, 1; ret;" << false;
        QTest::newRow("a barrier behind a branch")
            << thread + "@%p1 bra A; add.u32 %r1, %r1, 1; A: bar.sync 0; ret;" << true;
        QTest::newRow("a barrier of those that have not ended") << thread + "@%p1 ret; bar.sync 0; ret;" << true;
        QTest::newRow("a barrier where others have gone to the end")
            << thread + "@%p1 bra A; bar.sync 0; A: ret;" << true;
        const QString wait =
            "mov.u32 %r3, word; A: ld.volatile.shared.u32 %r2, [%r3]; setp.eq.u32 %p1, %r2, 0; @%p1 bra A;";
        const QString first = "mov.u32 %r1, %tid.x; setp.ne.u32 %p2, %r1, 0; @%p2 bra B;";
        const QString set = "mov.u32 %r4, 1; st.volatile.shared.u32 [%r3], %r4;";
        QTest::newRow("a loop in which all wait for others") << wait + "ret;" << true;
        QTest::newRow("a loop in which one thread waits")
            << first + wait + set + "B: bar.sync 0;" + set + "ret;" << true;
        QTest::newRow("a loop in which one waits for what its neighbours may do")
            << first + wait + "B:" + set + "ret;" << false;
        QTest::newRow("a loop in which one waits for another way")
            << first + wait + "bra C; B:" + set + "C: bar.sync 0; ret;" << false;
        QTest::newRow("a loop in which some wait")
            << "mov.u32 %r1, %tid.x; setp.lt.u32 %p2, %r1, 3; @%p2 bra B;" + wait + "B: bar.sync 0; ret;" << false;
        QTest::newRow("copies to shared memory")
            << QString(
                   "mov.u32 %r3, word; cp.async.ca.shared.global [%r3], [%rd1], 4; cp.async.wait_all; bar.sync 0; ret;")
            << true;
        QTest::newRow("memory of a thread's own")
            << QString(".local .b32 own[16]; mov.u64 %rd2, own; st.local.u32 [%rd2+8], %r1; ld.local.u32 %r2, [own+8];"
                       "ret;")
            << true;
        QTest::newRow("much memory of a thread's own")
            << QString(".local .b32 own[2000]; mov.u64 %rd2, own; st.local.u32 [%rd2+8], %r1; ret;") << false;
        QTest::newRow("a carry") << QString("add.cc.u32 %r1, %r1, 1; addc.u32 %r2, %r2, 0; ret;") << true;
        QTest::newRow("a carry of a special register")
            << QString("add.cc.u32 %r1, %lanemask_lt, %r1; addc.u32 %r2, %r2, 0; ret;") << false;
        QTest::newRow("a sum of floats") << QString("ld.param.u64 %rd1, [out]; red.global.add.f32 [%rd1], %r1; ret;")
                                         << true;
        QTest::newRow("without end") << QString("A: bra A;") << false;
    }
    void what_runs_side_by_side() {
        QFETCH(QString, body);
        QFETCH(bool, runs);
        const Program program(entry(body.toStdString()));
        QCOMPARE(program.compile("k", Mode::automatic, {}, 8) != nullptr, runs);
    }

    void how_memory_is_gone_through_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("non_temporal");
        QTest::addColumn<bool>("yields");
        const QString compute = "mad.lo.u32 %r3, %r3, %r3, %r1; mad.lo.u32 %r3, %r3, %r1, 7; xor.b32 %r3, %r3, %r1;"
                                "mad.lo.u32 %r3, %r3, %r3, %r1; mad.lo.u32 %r3, %r3, %r1, 7; shr.u32 %r3, %r3, 3;"
                                "add.u32 %r3, %r3, %r1; xor.b32 %r3, %r3, 11; mad.lo.u32 %r3, %r3, %r3, 1;";
        const QString load = "ld.global.u32 %r3, [%rd4];", store = "st.global.u32 [%rd3], %r3;", end = "ret;";
        QTest::newRow("a result") << load + compute + store + end << true << false;
        QTest::newRow("by a pointer that is chosen")
            << load + compute + "setp.eq.u32 %p1, %r2, 7; selp.b64 %rd3, %rd3, %rd4, %p1;" + store + end << false
            << false;
        QTest::newRow("moved") << load + store + end << true << false;
        QTest::newRow("read as well") << "ld.global.u32 %r3, [%rd3];" + compute + store + end << false << false;
        QTest::newRow("added to") << load + compute + "red.global.add.u32 [%rd3], %r3;" + store + end << false << false;
        QTest::newRow("published") << load + compute + store + "membar.gl; red.global.add.u32 [%rd2], %r3; ret;"
                                   << false << false;
        QTest::newRow("published by a store")
            << load + compute + store + "st.release.gpu.global.u32 [%rd2], %r3; ret;" << false << false;
        QTest::newRow("halves of lines") << load + compute + "mul.wide.u32 %rd3, %r1, 8; add.u64 %rd3, %rd1, %rd3;" +
                                                store + end
                                         << false << false;
        QTest::newRow("bytes") << load + compute + "cvt.u64.u32 %rd3, %r1; add.u64 %rd3, %rd1, %rd3;" +
                                      "st.global.u8 [%rd3], %r3; ret;"
                               << false << false;
        const QString loop = "A: mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd2, %rd4; ld.global.u32 %r4, [%rd4];"
                             "add.u32 %r3, %r3, %r4;";
        const QString again = "setp.lt.u32 %p1, %r1, %r2; @%p1 bra A;", rest = "bar.sync 0; ret;";
        QTest::newRow("a stride") << loop + "add.u32 %r1, %r1, %r5;" + again + store + rest << true << true;
        QTest::newRow("a stride the other way around")
            << loop + "add.u32 %r1, %r5, %r1;" + again + store + rest << true << true;
        QTest::newRow("a stride in which nobody waits")
            << loop + "add.u32 %r1, %r1, %r5;" + again + store + end << true << false;
        QTest::newRow("a step that is known")
            << loop + "add.u32 %r1, %r1, 256;" + again + store + rest << true << false;
        QTest::newRow("a stride from barrier to barrier")
            << loop + "add.u32 %r1, %r1, %r5; bar.sync 0; setp.lt.u32 %p1, %r2, %r5; add.u32 %r2, %r2, 1; @%p1 bra A;" +
                   store + rest
            << true << false;
        QTest::newRow("a stride of numbers alone")
            << "A: add.u32 %r3, %r3, %r1; add.u32 %r1, %r1, %r5;" + again + store + rest << true << false;
    }
    void how_memory_is_gone_through() {
        QFETCH(QString, body);
        QFETCH(bool, non_temporal);
        QFETCH(bool, yields);
        const Program program(".version 8.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry k(.param .u32 n, .param .u64 out, .param .u64 in)\n{\n"
                              ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
                              "ld.param.u32 %r2, [n]; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];\n"
                              "cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r5, %ntid.x;\n"
                              "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3; add.u64 %rd3, %rd1, %rd3;\n"
                              "mov.u32 %r3, 0;\n" +
                              body.toStdString() + "\n}\n");
        const auto kernel = program.compile("k", Mode::automatic, {}, 16);
        QVERIFY(kernel);
        QCOMPARE(kernel->non_temporal_pointers(),
                 non_temporal ? std::vector<std::uint64_t>{8} : std::vector<std::uint64_t>{});
        QCOMPARE(kernel->grid_stride() == GridStride::together, yields);
        if (kernel->has_grid_stride_loops() && kernel->mode() == Mode::loop) {
            const auto together = program.compile("k", Mode::coroutine, {}, 16);
            QVERIFY(together && together->grid_stride() == GridStride::together);
        }
        QCOMPARE(kernel->has_grid_stride_loops(),
                 yields || QTest::currentDataTag() == std::string("a stride in which nobody waits"));
        if (non_temporal) QCOMPARE(kernel->only_copies(), QTest::currentDataTag() == std::string("moved"));
    }
};

QTEST_GUILESS_MAIN(LanesTest)
#include "test_lanes.moc"
