// SPDX-License-Identifier: Apache-2.0
// Programs whose threads run side by side, compared with a thread at a time.
#pragma once

#include "compare_programs.hpp"
#include "random_program.hpp"

#include <QTest>

#include <cstdint>
#include <string>

/// %r1 is the thread in its row of the block, %r10 in the grid, %r11 in its block, %r2 a number that is the same in
/// all, %r3 differs; %rd1 and %rd3 point to results of the thread's own and inputs, %rd4 to results of its block, %rd5
/// to sums.
inline std::string program(const std::string& body, const std::string& registers = {}) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
           ".reg .pred %p<8>; .reg .b32 %r<40>; .reg .b64 %rd<20>;" +
           registers +
           "\n.shared .align 8 .b8 tile[2048];\n"
           "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in]; ld.param.u64 %rd5, [sums];\n"
           "mov.u32 %r1, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y;\n"
           "mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6; mad.lo.u32 %r10, %r10, %r7, %r1;\n"
           "mad.lo.u32 %r11, %r6, %r7, %r1; mul.lo.u32 %r12, %r7, %r8; mul.lo.u32 %r13, %r12, %r9;\n"
           "mad.wide.u32 %rd4, %r13, " +
           std::to_string(4 * kRandomResults) + ", %rd1; mad.wide.u32 %rd1, %r10, " +
           std::to_string(4 * kRandomResults) +
           ", %rd1;\nmul.wide.u32 %rd2, %r10, 4; add.u64 %rd2, %rd2, %rd3; ld.global.u32 %r3, [%rd2];\n"
           "ld.global.u32 %r2, [%rd3+64];\n" +
           body + "\n}\n";
}

/// Returns for how many shapes of blocks there was code that is for them alone.
inline unsigned compare(const std::string& text) {
    unsigned bounded = 0;
    for (const std::uint64_t seed : {1, 2}) { // eight lanes, and sixteen
        const Comparison comparison = compare_program(text, seed, false);
        bounded += comparison.bounded;
        [&] {
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }();
    }
    const Comparison of_warps = compare_program(text, 0, true);
    [&] { QVERIFY2(!of_warps.differ, of_warps.differ ? of_warps.differ->c_str() : ""); }();
    return bounded + of_warps.bounded;
}
