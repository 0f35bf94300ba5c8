// SPDX-License-Identifier: Apache-2.0
#include "access_forms.hpp"

namespace {

std::string kernel(const std::string& body, const std::string& before = {}) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n" + before +
           ".visible .entry attack(.param .u64 buffer, .param .u64 target, .param .u64 way) {\n"
           "  .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .f32 %f<20>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n"
           "  .local .align 16 .b8 room[256]; .shared .align 16 .b8 shared[512];\n"
           "  ld.param.u64 %rd1, [buffer]; ld.param.u64 %rd2, [target]; ld.param.u64 %rd3, [way];\n"
           "  mov.u32 %r1, %tid.x; mov.u32 %r2, 1234567; cvt.u64.u32 %rd4, %r1;\n" +
           body + "  ret;\n}\n";
}

/// The same code with a barrier in front, so that threads are coroutines.
void add(std::vector<AccessForm>& forms, const std::string& name, const std::string& body) {
    forms.push_back({name, kernel(body)});
    forms.push_back({name + ", behind a barrier", kernel("  bar.sync 0;\n" + body)});
}

} // namespace

std::vector<AccessForm> access_forms() {
    std::vector<AccessForm> forms;
    add(forms, "byte", "  st.global.u8 [%rd2], %r1;\n");
    add(forms, "word", "  st.global.u32 [%rd2], %r2;\n");
    add(forms, "generic", "  st.u64 [%rd2], %rd1;\n");
    add(forms, "local", "  st.local.u32 [%rd2], %r2;\n");
    add(forms, "vector", "  mov.f32 %f1, 0f3F800000; st.global.v4.f32 [%rd2], {%f1, %f1, %f1, %f1};\n");
    add(forms, "volatile", "  st.volatile.global.u32 [%rd2], %r2;\n");
    add(forms, "release", "  st.release.gpu.global.u32 [%rd2], %r2;\n");
    add(forms, "load", "  ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd1], %r3;\n");
    add(forms, "load of a constant", "  ld.const.u32 %r3, [%rd2]; st.global.u32 [%rd1], %r3;\n");
    add(forms, "non-coherent load", "  ld.global.nc.v2.u32 {%r3, %r4}, [%rd2]; st.global.u32 [%rd1], %r4;\n");
    add(forms, "atomic", "  atom.global.add.u32 %r3, [%rd2], 1; st.global.u32 [%rd1], %r3;\n");
    add(forms, "exchange", "  atom.global.cas.b64 %rd5, [%rd2], 0, 1; st.global.u64 [%rd1], %rd5;\n");
    add(forms, "reduction", "  mov.f32 %f1, 0f3F800000; red.global.add.f32 [%rd2], %f1;\n");
    add(forms, "asynchronous copy",
        "  mov.u32 %r3, shared; cp.async.ca.shared.global [%r3], [%rd2], 16; cp.async.wait_all;\n"
        "  ld.shared.u32 %r4, [shared]; st.global.u32 [%rd1], %r4;\n");
    add(forms, "short asynchronous copy",
        "  mov.u32 %r3, shared; cp.async.ca.shared.global [%r3], [%rd2], 16, 5; cp.async.wait_all;\n"
        "  ld.shared.u32 %r4, [shared]; st.global.u32 [%rd1], %r4;\n");
    add(forms, "offset", "  sub.s64 %rd5, %rd2, 2147483644; st.global.u32 [%rd5+2147483644], %r2;\n");
    add(forms, "negative offset", "  add.s64 %rd5, %rd2, 2147483644; st.global.u32 [%rd5+-2147483644], %r2;\n");
    // Each thread, another address.
    add(forms, "neighbours", "  shl.b64 %rd5, %rd4, 2; add.s64 %rd5, %rd2, %rd5; st.global.u32 [%rd5], %r2;\n");
    add(forms, "loads of neighbours",
        "  shl.b64 %rd5, %rd4, 2; add.s64 %rd6, %rd2, %rd5; add.s64 %rd5, %rd1, %rd5;\n"
        "  ld.global.u32 %r3, [%rd6]; st.global.u32 [%rd5], %r3;\n");
    add(forms, "stride", "  mul.lo.u64 %rd5, %rd4, 40; add.s64 %rd5, %rd2, %rd5; st.global.u64 [%rd5], %rd1;\n");
    add(forms, "pairs", "  shl.b64 %rd5, %rd4, 3; add.s64 %rd5, %rd2, %rd5; st.global.u32 [%rd5], %r2;\n");
    add(forms, "one of all",
        "  setp.eq.u32 %p1, %r1, 17; shl.b64 %rd5, %rd4, 2; add.s64 %rd5, %rd1, %rd5;\n"
        "  selp.b64 %rd5, %rd2, %rd5, %p1; st.global.u32 [%rd5], %r2;\n");
    add(forms, "load of one of all",
        "  setp.eq.u32 %p1, %r1, 17; shl.b64 %rd5, %rd4, 2; add.s64 %rd6, %rd1, %rd5;\n"
        "  selp.b64 %rd5, %rd2, %rd6, %p1; ld.global.u32 %r3, [%rd5]; st.global.u32 [%rd6], %r3;\n");
    add(forms, "one thread alone", "  setp.ne.u32 %p1, %r1, 9; @%p1 bra $end; st.global.u32 [%rd2], %r2;\n$end:\n");
    add(forms, "from memory",
        "  shl.b64 %rd5, %rd4, 3; add.s64 %rd6, %rd1, %rd5; st.global.u64 [%rd6], %rd2; membar.gl;\n"
        "  ld.global.u64 %rd7, [%rd6]; st.global.u32 [%rd7], %r2;\n");
    add(forms, "index of 64 bits",
        "  and.b64 %rd5, %rd3, -4; shr.s64 %rd5, %rd5, 2; shl.b64 %rd5, %rd5, 2; add.s64 %rd5, %rd1, %rd5;\n"
        "  and.b64 %rd6, %rd3, 3; add.s64 %rd5, %rd5, %rd6; st.global.u8 [%rd5], %r2;\n");
    add(forms, "high half of an index",
        "  shr.s64 %rd5, %rd3, 32; shl.b64 %rd5, %rd5, 32; and.b64 %rd6, %rd3, 4294967295;\n"
        "  add.s64 %rd5, %rd1, %rd5; add.s64 %rd5, %rd5, %rd6; st.global.u8 [%rd5], %r2;\n");
    // A pointer that moves: the first round is right, the second one reaches the target.
    add(forms, "step",
        "  mov.u64 %rd5, %rd1; mov.u32 %r3, 0;\n"
        "$again: st.global.u8 [%rd5], %r2; add.s64 %rd5, %rd5, %rd3; add.u32 %r3, %r3, 1;\n"
        "  setp.lt.u32 %p1, %r3, 2; @%p1 bra $again;\n");
    add(forms, "step that the access leaves out",
        "  mov.u64 %rd5, %rd1; mov.u32 %r3, 0;\n"
        "$again: setp.ne.u32 %p2, %r3, 1; @%p2 bra $next; st.global.u8 [%rd5], %r2;\n"
        "$next: add.s64 %rd5, %rd5, %rd3; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3; @%p1 bra $again;\n");
    add(forms, "small steps",
        "  mov.u64 %rd5, %rd1; shr.u64 %rd6, %rd3, 32; mov.u64 %rd7, 0; and.b64 %rd8, %rd3, 4294967295;\n"
        "$again: setp.ge.u64 %p1, %rd7, 16; @%p1 bra $jump; add.s64 %rd5, %rd5, 4; add.u64 %rd7, %rd7, 1;\n"
        "  st.global.u32 [%rd5], %r2; bra $again;\n"
        "$jump: sub.s64 %rd5, %rd5, 64; shl.b64 %rd6, %rd6, 32; add.s64 %rd5, %rd5, %rd6; add.s64 %rd5, %rd5, %rd8;\n"
        "  st.global.u8 [%rd5], %r2;\n");
    // 33 rounds by steps of less than 2^43, the last of which is at the target. The number of rounds is not known:
    // where the buffer has a zero.
    const std::string begin = "  shr.s64 %rd5, %rd3, 16; cvt.u32.u64 %r3, %rd5; cvt.s64.s32 %rd6, %r3;\n"
                              "  shl.b64 %rd6, %rd6, 11; and.b64 %rd7, %rd3, 65535; add.s64 %rd7, %rd1, %rd7;\n"
                              "  mov.u32 %r4, 0; ld.global.u32 %r5, [%rd1+8192]; mov.u32 %r6, 0;\n"
                              "  add.u32 %r5, %r5, 96;\n$again:\n";
    const std::string end = "  add.s64 %rd7, %rd7, %rd6; add.u32 %r4, %r4, 3; setp.le.s32 %p1, %r4, %r5;\n"
                            "  @%p1 bra $again;\n";
    add(forms, "bounded steps, and each round stores", begin + "  st.global.u8 [%rd7], %r2;\n" + end);
    add(forms, "bounded steps, and each round's value counts",
        begin + "  ld.global.u8 %r7, [%rd7]; add.u32 %r6, %r6, %r7;\n" + end + "  st.global.u32 [%rd1], %r6;\n");
    add(forms, "bounded steps, and the last value counts",
        begin + "  ld.global.u8 %r6, [%rd7];\n" + end + "  st.global.u32 [%rd1], %r6;\n");
    add(forms, "bounded steps, and the last value but one counts",
        begin + "  mov.u32 %r7, %r6; ld.global.u8 %r6, [%rd7];\n" + end + "  st.global.u32 [%rd1], %r7;\n");
    add(forms, "bounded steps, and the last round stores",
        begin + "  setp.ne.u32 %p2, %r4, %r5; @%p2 bra $next; st.global.u8 [%rd7], %r2;\n$next:\n" + end);
    add(forms, "bounded steps, and a round loads what nobody needs",
        begin +
            "  ld.global.u8 %r7, [%rd7]; setp.ne.u32 %p2, %r4, %r5; @%p2 bra $next;\n"
            "  st.global.u8 [%rd7+1], %r7;\n$next:\n" +
            end);
    add(forms, "bounded steps, and the last round stores beside each other",
        begin + "  add.s64 %rd8, %rd7, %rd4; setp.ne.u32 %p2, %r4, %r5; @!%p2 st.global.u8 [%rd8], %r2;\n" + end);
    add(forms, "bounded steps, and the last round loads beside each other",
        begin + "  add.s64 %rd8, %rd7, %rd4; setp.ne.u32 %p2, %r4, %r5; @!%p2 ld.global.u8 %r6, [%rd8];\n" + end +
            "  st.global.u32 [%rd1], %r6;\n");
    add(forms, "steps from there",
        "  mov.u64 %rd7, %rd2; mov.u32 %r4, 0; ld.global.u32 %r5, [%rd1+8192];\n$again: st.global.u8 [%rd7], %r2;\n"
        "  add.s64 %rd7, %rd7, 1; add.u32 %r4, %r4, 3; setp.le.s32 %p1, %r4, %r5; @%p1 bra $again;\n");
    add(forms, "either pointer",
        "  setp.gt.s64 %p1, %rd3, -1; selp.b64 %rd5, %rd2, %rd1, %p1; selp.b64 %rd6, %rd1, %rd2, %p1;\n"
        "  st.global.u8 [%rd5], %r2; st.global.u8 [%rd6], %r2;\n");
    add(forms, "pointer by the way that it came",
        "  setp.gt.s64 %p1, %rd3, -1; mov.u64 %rd5, %rd1; @%p1 bra $far; bra $done;\n"
        "$far: mov.u64 %rd5, %rd2;\n$done: st.global.u8 [%rd5], %r2; @%p1 bra $end; st.global.u8 [%rd2], "
        "%r2;\n$end:\n");
    add(forms, "spilled in a kernel's own memory",
        "  st.local.u64 [room], %rd2; mov.u64 %rd6, room; ld.local.u64 %rd5, [%rd6]; st.global.u8 [%rd5], %r2;\n");
    forms.push_back({"through a wait", kernel("  bar.sync 0; add.s64 %rd5, %rd1, %rd3; bar.sync 0;\n"
                                              "  st.global.u8 [%rd5], %r2; bar.sync 0; ld.global.u8 %r3, [%rd5];\n"
                                              "  st.global.u8 [%rd1], %r3;\n")});
    forms.push_back({"in a loop of waits",
                     kernel("  mov.u64 %rd5, %rd1; mov.u32 %r3, 0;\n"
                            "$again: bar.sync 0; st.global.u8 [%rd5], %r2; bar.sync 0; add.s64 %rd5, %rd5, %rd3;\n"
                            "  add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 2; @%p1 bra $again;\n")});
    forms.push_back(
        {"in a function", kernel("  { .param .b64 p0; st.param.b64 [p0], %rd2; call.uni keep, (p0); }\n",
                                 ".func keep(.param .b64 where) {\n  .reg .b64 %rd<3>; ld.param.u64 %rd1, [where];\n"
                                 "  st.global.u8 [%rd1], 7;\n  ret;\n}\n")});
    forms.push_back({"in a recursive function",
                     kernel("  { .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %rd2; st.param.b32 [p1], 3;\n"
                            "    call.uni keep, (p0, p1); }\n",
                            ".func keep(.param .b64 where, .param .b32 depth) {\n"
                            "  .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %p<2>;\n"
                            "  ld.param.u64 %rd1, [where]; ld.param.u32 %r1, [depth]; setp.eq.u32 %p1, %r1, 0;\n"
                            "  @%p1 bra $here; sub.u32 %r1, %r1, 1;\n"
                            "  { .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %rd1; st.param.b32 [p1], %r1;\n"
                            "    call.uni keep, (p0, p1); }\n  ret;\n$here: st.global.u8 [%rd1], 7;\n  ret;\n}\n")});
    add(forms, "matrix",
        "  mov.f32 %f1, 0f00000000;\n"
        "  wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2], {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1};\n");
    add(forms, "fragment",
        "  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10}, [%rd2];\n"
        "  st.global.u32 [%rd1], %r3;\n");
    add(forms, "bulk copy",
        "  mov.u32 %r3, shared; mov.u32 %r4, shared; add.u32 %r4, %r4, 496; mov.u32 %r5, 256;\n"
        "  mbarrier.init.shared.b64 [%r4], 1;\n"
        "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd2], %r5, [%r4];\n");
    return forms;
}
