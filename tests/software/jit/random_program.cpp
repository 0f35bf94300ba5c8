// SPDX-License-Identifier: Apache-2.0
#include "random_program.hpp"

#include "random_forms.hpp"

#include <initializer_list>
#include <random>
#include <vector>

namespace {

/// What programs call: with loops and branches, results of several parts, parameters in registers, a call of their own.
constexpr const char* kFunctions = R"(
.func (.param .b32 result) turns(.param .b32 first, .param .b32 second)
{
    .reg .pred %p<2>; .reg .b32 %r<6>;
    ld.param.u32 %r1, [first]; ld.param.u32 %r2, [second];
    and.b32 %r3, %r1, 7; mov.u32 %r4, %r2;
AGAIN:
    mad.lo.u32 %r4, %r4, 5, %r1; shr.u32 %r5, %r4, 3; xor.b32 %r4, %r4, %r5;
    setp.eq.u32 %p1, %r3, 0; sub.u32 %r3, %r3, 1; @!%p1 bra AGAIN;
    st.param.b32 [result], %r4; ret;
}
.func (.param .align 8 .b8 result[16]) parts(.param .b64 wide, .param .b32 number)
{
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [wide]; ld.param.u32 %r1, [number];
    st.param.b32 [result+8], %r1;
    setp.lt.s32 %p1, %r1, 0;
    @%p1 st.param.b64 [result+0], %rd1;
    @%p1 ret;
    {
    .param .b32 a; .param .b32 b; .param .b32 c;
    cvt.u32.u64 %r2, %rd1; st.param.b32 [a], %r1; st.param.b32 [b], %r2;
    call.uni (c), turns, (a, b);
    ld.param.b32 %r3, [c];
    }
    cvt.u64.u32 %rd2, %r3; add.s64 %rd3, %rd2, %rd1; st.param.b64 [result+0], %rd3; ret;
}
.func (.reg .b32 %result) in_registers(.reg .b32 %x, .reg .b32 %y)
{
    .reg .pred %p<2>;
    setp.gt.u32 %p1, %x, %y; @%p1 bra MORE;
    add.u32 %result, %x, %y; ret;
MORE:
    sub.u32 %result, %x, %y; ret;
}
)";

class Generator {
public:
    Generator(std::uint64_t seed, bool warps) : random_(seed), warps_(warps) {}

    RandomProgram program() {
        const bool barriers = warps_ || one_in(2);
        text_ = ".version 8.8\n.target sm_90\n.address_size 64\n" + (calls_ ? std::string(kFunctions) : std::string()) +
                (has_forms_ ? RandomForms::module_variables() : std::string()) +
                ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums, "
                ".param .align 16 .b8 numbers[64])\n{\n" +
                (has_forms_ ? forms_.declarations() : std::string()) +
                ".reg .pred %p<404>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<8>;\n"
                ".reg .b32 %i<8>;\n.reg .b64 %j<8>;\n.reg .b32 %k<3>;\n"
                "mov.u32 %k0, 16;\nmov.u32 %k1, 31;\nmov.b32 %k2, -1;\n"
                ".shared .align 4 .b8 tile[1024];\n.shared .align 4 .b8 sums_here[256];\n"
                "mov.u32 %r0, %tid.x;\nmov.u32 %r37, %tid.x;\nmov.u32 %r38, %laneid;\nmov.u32 %r30, %ntid.x;\nmov.u32 "
                "%r31, %tid.y;\n"
                "mad.lo.u32 %r0, %r31, %r30, %r0;\nmov.u32 %r34, %ctaid.x;\n"
                "mov.u32 %r35, %ntid.y;\nmul.lo.u32 %r30, %r30, %r35;\n"
                "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [in];\n"
                "cvta.to.global.u64 %rd0, %rd0;\ncvta.to.global.u64 %rd1, %rd1;\n"
                "mul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                "shl.b32 %r32, %r0, 2;\nmov.u32 %r33, tile;\nadd.u32 %r32, %r32, %r33;\n"
                "ld.param.u64 %rd7, [sums];\ncvta.to.global.u64 %rd7, %rd7;\nmov.u32 %r39, sums_here;\n"
                "and.b32 %i5, %r0, 5;\n";
        for (unsigned k = 1; k <= 6; ++k)
            line("ld.global.u32 " + r(k) + ", [%rd3+" + std::to_string(4 * k) + "];");
        line("mov.u32 %r7, %r0;\nmov.u32 %r8, 5;\ncvt.rn.f32.u32 %f0, %r0;\nmov.f32 %f1, 0f3F000000;\n"
             "mov.f32 %f2, 0f40400000;\nmov.f32 %f3, 0fBE800000;");
        for (unsigned k = 0; k < kIndices; ++k) {
            begin_index(k);
            begin_wide_index(k);
        }
        if (has_forms_) forms_.begin();
        if (barriers) {
            // Sums of the block begin with what does not depend on who writes it last.
            line("and.b32 %r25, %r0, 63;\nshl.b32 %r25, %r25, 2;\nadd.u32 %r25, %r25, %r39;\nst.shared.u32 [%r25], "
                 "%r25;\nbar.sync 0;");
            sums_here_ = true;
            for (unsigned part = 0; part < 2 + below(3); ++part) {
                statements(2 + below(4), 0);
                if (!warps_ || one_in(3)) exchange();
                if (warps_) together();
                for (unsigned k = 0; has_forms_ && k < 1 + below(4); ++k)
                    forms_.instruction(RandomForms::Place::together, "", false);
            }
            sums_here_ = false;
            line("bar.sync 0;\nadd.u32 %r25, %r0, " + std::to_string(below(64)) +
                 ";\nand.b32 %r25, %r25, 63;\nshl.b32 %r25, %r25, 2;\nadd.u32 %r25, %r25, %r39;\nld.shared.u32 " +
                 any() + ", [%r25];");
        }
        may_end_ = true;
        for (unsigned part = 0; warps_ && part < 1 + below(3); ++part) {
            statements(1 + below(4), 0);
            warp_operation();
        }
        if (!warps_) statements(4 + below(8), 0);
        line("END:");
        // The results of a thread lie at out[(block · threads + thread) · kRandomResults].
        line("mad.lo.u32 %r36, %r34, %r30, %r0;\nmul.wide.u32 %rd4, %r36, " + std::to_string(4 * kRandomResults) +
             ";\nadd.s64 %rd4, %rd0, %rd4;");
        for (unsigned k = 0; k < 8; ++k)
            line("st.global.u32 [%rd4+" + std::to_string(4 * k) + "], " + r(k + 1) + ";");
        for (unsigned k = 0; k < 4; ++k)
            line("st.global.f32 [%rd4+" + std::to_string(32 + 4 * k) + "], %f" + std::to_string(k) + ";");
        if (has_forms_) forms_.store();
        line("ret;\n}");
        return {text_, alone_};
    }

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    bool one_in(unsigned n) { return below(n) == 0; }
    void line(const std::string& s) { text_ += s + "\n"; }
    static std::string r(unsigned k) { return "%r" + std::to_string(k); }
    std::string any() { return r(1 + below(8)); }
    std::string any_or_number() { return one_in(3) ? std::to_string(below(64)) : any(); }
    std::string predicate() { return "%p" + std::to_string(next_predicate_++ % 400); }
    std::string label() { return "L" + std::to_string(next_label_++); }

    std::string condition() {
        static const char* const kRelations[] = {"lt", "ge", "eq", "ne", "gt"};
        const std::string p = predicate();
        const std::string scratch = r(20 + below(4));
        switch (below(4)) {
        case 0: // depends on the thread's number
            line("and.b32 " + scratch + ", %r0, " + std::to_string(below(32)) + ";");
            line("setp.lt.u32 " + p + ", " + scratch + ", " + std::to_string(below(24)) + ";");
            break;
        case 1: // the same for all
            line("setp.eq.u32 " + p + ", %r34, " + std::to_string(below(2)) + ";");
            break;
        case 2: {
            const std::string f = "%f" + std::to_string(below(4));
            line("setp." + std::string(kRelations[below(5)]) + ".f32 " + p + ", " + f + ", %f" +
                 std::to_string(below(4)) + ";");
            break;
        }
        default:
            line("and.b32 " + scratch + ", " + any() + ", 15;");
            line("setp." + std::string(kRelations[below(5)]) + ".s32 " + p + ", " + scratch + ", " +
                 std::to_string(below(16)) + ";");
        }
        return p;
    }

    void arithmetic(const std::string& guard) {
        static const char* const kTwo[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32",
                                           "xor.b32", "min.s32", "max.u32",    "shl.b32", "shr.u32",
                                           "div.u32", "rem.u32", "mul.hi.u32"};
        switch (below(6)) {
        case 0: line(guard + "mad.lo.s32 " + any() + ", " + any() + ", " + any_or_number() + ", " + any() + ";"); break;
        case 1: {
            const auto f = [&] { return "%f" + std::to_string(below(4)); };
            const std::string to = f();
            line(guard + "fma.rn.f32 " + to + ", " + f() + ", 0f3F400000, " + f() + ";");
            if (has_forms_) line("setp.nan.f32 %xn0, " + to + ", " + to + ";\n@%xn0 mov.b32 " + to + ", 0x7fffffff;");
            break;
        }
        case 2: line(guard + "popc.b32 " + any() + ", " + any() + ";"); break;
        case 3:
            line(guard + "prmt.b32 " + any() + ", " + any() + ", " + any() + ", " + std::to_string(below(65536)) + ";");
            break;
        default: line(guard + kTwo[below(13)] + " " + any() + ", " + any() + ", " + any_or_number() + ";");
        }
    }

    /// The flag stays with the thread, whatever comes in between.
    void carry(const std::string& guard) {
        static const char* const kOperations[] = {"add.cc.u32", "addc.u32", "addc.cc.s32",
                                                  "sub.cc.u32", "subc.u32", "subc.cc.u32"};
        static const char* const kProducts[] = {"mad.lo.cc.u32", "mad.hi.cc.s32", "madc.lo.u32", "madc.hi.cc.u32"};
        if (one_in(3))
            line(guard + kProducts[below(4)] + " " + any() + ", " + any() + ", " + any_or_number() + ", " + any() +
                 ";");
        else
            line(guard + kOperations[below(6)] + " " + any() + ", " + any() + ", " + any_or_number() + ";");
    }

    void call() {
        switch (below(3)) {
        case 0:
            line("{\n.param .b32 a;\n.param .b32 b;\n.param .b32 c;\nst.param.b32 [a], " + any() +
                 ";\nst.param.b32 [b], " + any_or_number() + ";\ncall.uni (c), turns, (a, b);\nld.param.b32 " + any() +
                 ", [c];\n}");
            break;
        case 1: {
            const std::string guard = one_in(2) ? "" : "@" + condition() + " ";
            line("{\n.param .b64 a;\n.param .b32 b;\n.param .align 8 .b8 c[16];\nst.param.b64 [a], %rd3;\n"
                 "st.param.b32 [b], " +
                 any() + ";\n" + guard + "call (c), parts, (a, b);\n" + guard + "ld.param.b64 %rd9, [c];\n" + guard +
                 "ld.param.b32 " + any() + ", [c+8];\n}");
            // Where the numbers lie differs from run to run.
            line(guard + "sub.s64 %rd9, %rd9, %rd3;\n" + guard + "cvt.u32.u64 " + any() + ", %rd9;");
            break;
        }
        default: line("call.uni (" + any() + "), in_registers, (" + any() + ", " + any() + ");");
        }
    }

    void load(const std::string& guard) {
        switch (below(3)) {
        case 0: // neighbours
            line(guard + "ld.global.u32 " + any() + ", [%rd3+" + std::to_string(4 * below(64)) + "];");
            break;
        case 1: // scattered
            line("and.b32 %r24, " + any() + ", 1023;\nmul.wide.u32 %rd5, %r24, 4;\nadd.s64 %rd6, %rd1, %rd5;");
            line(guard + "ld.global.u32 " + any() + ", [%rd6];");
            break;
        default: // one word for all
            line(guard + "ld.global.u32 " + any() + ", [%rd1+" + std::to_string(4 * below(1024)) + "];");
        }
    }

    /// On one of 64 words that all threads share, a quarter of them for each operation: their order does not matter,
    /// and nobody looks at what was there before.
    void atomic(const std::string& guard) {
        static const char* const kOperations[] = {"add.u32", "max.s32", "min.u32", "xor.b32"};
        const unsigned which = below(4);
        const std::string word = r(28 + below(2));
        switch (below(3)) {
        case 0: line("and.b32 " + word + ", " + any() + ", 15;"); break;
        case 1: line("and.b32 " + word + ", %r0, " + std::to_string(below(16)) + ";"); break;
        default: line("mov.u32 " + word + ", " + std::to_string(below(16)) + ";");
        }
        line("add.u32 " + word + ", " + word + ", " + std::to_string(16 * which) + ";");
        std::string place, space;
        if (sums_here_ && one_in(2)) {
            line("shl.b32 " + word + ", " + word + ", 2;\nadd.u32 " + word + ", " + word + ", %r39;");
            place = word;
            space = ".shared.";
        } else {
            line("mul.wide.u32 %rd8, " + word + ", 4;\nadd.s64 %rd8, %rd7, %rd8;");
            place = "%rd8";
            space = one_in(3) ? "." : ".global.";
        }
        if (one_in(3))
            line(guard + "atom" + space + kOperations[which] + " %r29, [" + place + "], " + any() + ";");
        else
            line(guard + "red" + space + kOperations[which] + " [" + place + "], " + any() + ";");
    }

    /// On a word of the results or of local memory, which is the thread's own: what was there is known.
    void own_word() {
        if (!own_memory_ || one_in(2)) {
            line("mad.lo.u32 %r29, %r34, %r30, %r0;\nmul.wide.u32 %rd8, %r29, " + std::to_string(4 * kRandomResults) +
                 ";\nadd.s64 %rd8, %rd0, %rd8;\nst.global.u32 [%rd8], " + any() + ";");
            switch (below(3)) {
            case 0: line("atom.global.exch.b32 " + any() + ", [%rd8], " + any() + ";"); break;
            case 1: line("atom.global.cas.b32 " + any() + ", [%rd8], " + any() + ", " + any() + ";"); break;
            default: line("atom.global.inc.u32 " + any() + ", [%rd8], " + any_or_number() + ";");
            }
            line("ld.global.u32 " + any() + ", [%rd8];");
        } else {
            line("{\n.local .align 8 .b8 frame[64];\n.reg .b64 %at;\n.reg .b32 %k;\nmov.u64 %at, frame;");
            line("st.local.u32 [%at+" + std::to_string(4 * below(8)) + "], " + any() + ";\nand.b32 %k, " + any() +
                 ", 7;\nmad.wide.u32 %at, %k, 4, %at;\nst.local.u32 [%at+4], " + any() + ";\nld.local.u32 " + any() +
                 ", [%at+4];\n}");
        }
    }

    // --- %i and %j: affine from thread to thread, except where 32 bits wrap

    static std::string i(unsigned k) { return "%i" + std::to_string(k); }
    static std::string j(unsigned k) { return "%j" + std::to_string(k); }
    std::string uniform() {
        static const char* const kNumbers[] = {"1", "4", "-3", "0x7ffffff0", "0xfffffff8", "%r34"};
        return kNumbers[below(6)];
    }

    void begin_index(unsigned k) {
        static const int kStrides[kIndices] = {1, 4, -1, 1000003};
        line("mad.lo.s32 " + i(k) + ", %r37, " + std::to_string(kStrides[k]) + ", " + uniform() + ";");
    }
    /// %j of k is made of %i of k, in the same way each time.
    void begin_wide_index(unsigned k) {
        static const char* const kWays[kIndices] = {"mul.wide.u32 %j0, %i0, 4;", "cvt.s64.s32 %j1, %i1;",
                                                    "cvt.u64.u32 %j2, %i2;\nshl.b64 %j2, %j2, 3;",
                                                    "mul.wide.s32 %j3, %i3, -12;"};
        line(kWays[k]);
    }

    void use(const std::string& value) { line("xor.b32 " + any() + ", " + any() + ", " + value + ";"); }

    void index() {
        const unsigned k = below(kIndices);
        switch (below(8)) {
        case 0: begin_index(k); break;
        case 1: begin_wide_index(k); break;
        case 2: line("add.s32 " + i(k) + ", " + i(k) + ", " + uniform() + ";"); break;
        case 3: line("add.s64 " + j(k) + ", " + j(k) + ", " + std::to_string(below(1000)) + ";"); break;
        case 4: use(i(k)); break;
        case 5:
            line("cvt.u32.u64 %i7, " + j(k) + ";");
            use("%i7");
            break;
        case 6:
            line("shr.u64 %j7, " + j(k) + ", 30;\ncvt.u32.u64 %i7, %j7;");
            use("%i7");
            break;
        default: {
            // Those for whom the index wraps take no part.
            const std::string p = predicate(), after = label(), least = std::to_string(below(40));
            line("setp.lt.u32 " + p + ", %r0, " + least + ";\n@" + p + " bra " + after + ";\nsub.u32 %i6, %r0, " +
                 least + ";\nmul.wide.u32 %j6, %i6, 4;\nadd.s64 %j6, %rd1, %j6;\nld.global.u32 " + any() + ", [%j6];");
            line(after + ":");
        }
        }
    }

    /// Through memory, as long as each thread likes.
    void walk(unsigned depth) {
        const std::string counter = r(10 + depth), head = label(), leave = label(), p = predicate();
        line("mov.u32 " + counter + ", 0;\nadd.s64 %j5, %rd3, 0;\n" + head + ":");
        line("ld.global.u32 " + any() + ", [%j5];");
        if (one_in(2)) line("@" + condition() + " bra " + leave + ";");
        if (one_in(3)) statements(1, depth + 1);
        if (one_in(2)) index();
        line("add.s64 %j5, %j5, " + std::to_string(4 * below(32)) + ";\nadd.u32 " + counter + ", " + counter + ", 1;");
        line("setp.lt.u32 " + p + ", " + counter + ", " + (one_in(2) ? std::to_string(1 + below(5)) : "%i5") + ";");
        line("@" + p + " bra " + head + ";\n" + leave + ":");
        if (one_in(4)) line("ld.global.u32 " + any() + ", [%j5];");
    }

    void branch(unsigned depth) {
        const std::string p = condition();
        const std::string otherwise = label(), after = label();
        const bool both = one_in(2);
        line("@" + p + " bra " + otherwise + ";");
        statements(1 + below(4), depth + 1);
        if (both) line("bra.uni " + after + ";");
        line(otherwise + ":");
        if (both) {
            statements(1 + below(3), depth + 1);
            line(after + ":");
        }
    }

    void loop(unsigned depth) {
        const std::string counter = r(10 + depth), most = r(14 + depth), head = label(), leave = label();
        if (one_in(2))
            line("and.b32 " + most + ", " + any() + ", 7;");
        else
            line("mov.u32 " + most + ", " + std::to_string(1 + below(5)) + ";");
        line("mov.u32 " + counter + ", 0;");
        line(head + ":");
        statements(1 + below(3), depth + 1);
        if (one_in(3)) line("@" + condition() + " bra " + leave + ";");
        if (one_in(2)) statements(1 + below(2), depth + 1);
        const std::string p = predicate();
        line("add.u32 " + counter + ", " + counter + ", 1;");
        line("setp.lt.u32 " + p + ", " + counter + ", " + most + ";");
        line("@" + p + " bra " + head + ";");
        line(leave + ":");
    }

    /// Forward past some of what follows, into the middle of it too.
    void jumps(unsigned depth) {
        const std::string first = label(), second = label();
        line("@" + condition() + " bra " + second + ";");
        statements(1, depth + 1);
        line("@" + condition() + " bra " + first + ";");
        statements(1 + below(2), depth + 1);
        line(second + ":");
        statements(1, depth + 1);
        line(first + ":");
    }

    void statements(unsigned count, unsigned depth) {
        for (unsigned k = 0; k < count; ++k) {
            if (has_forms_ && one_in(2)) {
                const std::string guard = one_in(3) ? "@" + condition() + " " : "";
                forms_.instruction(RandomForms::Place::anywhere, guard, depth > 0);
                continue;
            }
            const unsigned kind = below(depth < most_depth_ ? 14 : 8);
            if (kind == 7)
                index();
            else if (kind == 12)
                walk(depth);
            else if (kind == 0 && one_in(2))
                atomic(one_in(2) ? "" : "@" + condition() + " ");
            else if (kind == 1 && own_words_ && one_in(4))
                own_word();
            else if (kind == 2 && carries_ && one_in(2))
                carry(one_in(3) ? "@" + condition() + " " : "");
            else if (kind == 3 && calls_ && one_in(3))
                call();
            else if (kind < 4)
                arithmetic("");
            else if (kind == 4)
                arithmetic("@" + condition() + " ");
            else if (kind == 5)
                load("");
            else if (kind == 6)
                load("@!" + condition() + " ");
            else if (kind < 10)
                branch(depth);
            else if (kind < 12)
                loop(depth);
            else if (may_end_ && (!warps_ || depth == 0) && one_in(3))
                line("@" + condition() + (!warps_ && one_in(2) ? " bra END;" : one_in(3) ? " exit;" : " ret;"));
            else
                jumps(depth);
        }
    }

    /// Through shared memory, to a thread some places on.
    void exchange() {
        line("st.shared.u32 [%r32], " + any() + ";\nbar.sync 0;");
        line("add.u32 %r25, %r0, " + std::to_string(below(64)) +
             ";\nrem.u32 %r25, %r25, %r30;\nshl.b32 %r25, %r25, 2;");
        line("add.u32 %r25, %r25, %r33;\nld.shared.u32 " + any() + ", [%r25];");
        if (one_in(2)) { // those before the first have none
            const std::string p = predicate(), least = std::to_string(1 + below(40));
            line("sub.u32 %i6, %r0, " + least + ";\nsetp.lt.u32 " + p + ", %r0, " + least +
                 ";\nshl.b32 %i6, %i6, 2;\nadd.u32 %i6, %i6, %r33;\n@!" + p + " ld.shared.u32 " + any() + ", [%i6];");
        }
        line("bar.sync 0;");
    }

    /// Some of them in a loop that all go through alike, or behind a branch that whole warps take.
    void together() {
        const std::string head = label(), after = label(), p = predicate();
        switch (below(4)) {
        case 0:
            line("mov.u32 %r18, 0;\n" + head + ":");
            warp_operation();
            statements(1, 1);
            warp_operation();
            line("add.u32 %r18, %r18, 1;\nsetp.lt.u32 " + p + ", %r18, " + std::to_string(1 + below(4)) + ";");
            line("@" + p + " bra " + head + ";");
            break;
        case 1:
            line("shr.u32 %r19, %r37, 5;\nsetp.eq.u32 " + p + ", %r19, " + std::to_string(below(2)) + ";");
            line("@" + p + " bra " + after + ";");
            warp_operation();
            statements(1, 1);
            line(after + ":");
            break;
        case 2:
            line("setp.lt.u32 " + p + ", %r37, " + std::to_string(32 * below(4)) + ";");
            line("@!" + p + " bra " + after + ";");
            warp_operation();
            line(after + ":");
            break;
        default: break;
        }
        for (unsigned k = 0; k < 1 + below(3); ++k)
            warp_operation();
    }

    std::string members() {
        if (!one_in(3)) return one_in(3) ? "%k2" : one_in(2) ? "-1" : "0xffffffff";
        static const char* const kBits[] = {"16", "24", "3", "1", "0"};
        line("and.b32 %r27, %r38, " + std::string(kBits[below(5)]) + ";\nmatch.any.sync.b32 %r26, %r27, -1;");
        return "%r26";
    }

    void warp_operation() {
        const std::string group = members(), p = predicate(), to = any();
        const auto pick = [&](std::initializer_list<const char*> all) {
            return std::string(all.begin()[below(static_cast<unsigned>(all.size()))]);
        };
        const auto use = [&] { line("selp.b32 " + any() + ", " + any() + ", " + any() + ", " + p + ";"); };
        switch (below(10)) {
        case 0:
        case 1:
        case 2: {
            // What the lanes that have ended hold is nobody's business.
            const std::string mode = may_end_ ? pick({"up", "down", "bfly"}) : pick({"up", "down", "bfly", "idx"});
            const std::string by = one_in(3) ? any() : one_in(3) ? "%k0" : std::to_string(below(34));
            const std::string bounds = one_in(6)      ? any()
                                       : mode == "up" ? pick({"0", "0x1800", "0x1c00", "5"})
                                                      : pick({"31", "0x1f", "%k1", "0x181f", "0x1c1f", "20"});
            line("shfl.sync." + mode + ".b32 " + to + "|" + p + ", " + any() + ", " + by + ", " + bounds + ", " +
                 group + ";");
            use();
            break;
        }
        case 3:
            line("vote.sync." + pick({"all", "any", "uni"}) + ".pred " + p + ", " + condition() + ", " + group + ";");
            use();
            break;
        case 4: line("vote.sync.ballot.b32 " + to + ", " + condition() + ", " + group + ";"); break;
        case 5:
            line("and.b32 %r28, " + any() + ", " + pick({"1", "3", "0x80000001"}) + ";");
            if (one_in(2)) {
                line("match.any.sync.b32 " + to + ", %r28, " + group + ";");
            } else {
                line("match.all.sync.b32 " + to + "|" + p + ", %r28, " + group + ";");
                use();
            }
            break;
        case 6:
            line("redux.sync." +
                 pick({"add.s32", "min.s32", "max.s32", "min.u32", "max.u32", "and.b32", "or.b32", "xor.b32"}) + " " +
                 to + ", " + any() + ", " + group + ";");
            break;
        case 7: line("movmatrix.sync.aligned.m8n8.trans.b16 " + to + ", " + any() + ";"); break;
        case 8: {
            const auto some = [&](unsigned count) {
                std::string list = "{" + any();
                while (--count)
                    list += ", " + any();
                return list + "}";
            };
            line("mma.sync.aligned.m16n8k16.row.col.s32." + pick({"s8.s8", "s8.u8", "u8.s8"}) + ".s32 " + some(4) +
                 ", " + some(2) + ", " + some(1) + ", " + some(4) + ";");
            break;
        }
        default:
            if (one_in(2))
                line("activemask.b32 " + to + ";");
            else
                line("bar.warp.sync " + group + ";");
        }
    }

    static constexpr unsigned kIndices = 4;
    std::mt19937_64 random_;
    const bool warps_;
    std::string text_;
    unsigned next_predicate_ = 0, next_label_ = 0;
    bool may_end_ = false;
    bool sums_here_ = false; ///< the block's sums in shared memory may be changed
    const unsigned most_depth_ = one_in(2) ? 1 : 2 + below(2);
    const bool own_words_ = one_in(3);
    const bool own_memory_ = one_in(4); ///< local memory, too
    const bool carries_ = one_in(3), calls_ = one_in(4);
    const bool has_forms_ = !one_in(4);
    const bool alone_ = has_forms_ && one_in(8);
    RandomForms forms_{random_, text_, {alone_, warps_, own_memory_}};
};

} // namespace

RandomProgram random_program(std::uint64_t seed, bool warps) { return Generator(seed, warps).program(); }
