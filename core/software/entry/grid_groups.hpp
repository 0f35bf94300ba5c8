// SPDX-License-Identifier: Apache-2.0
// Groups of the whole grid as libcudadevrt has them, for programs that link it, such as Numba's. The grid groups of
// CUDA's own headers do without. They wait by means of GridWorkspace in launch.cpp.
#pragma once

namespace warplight::software {

inline constexpr const char* kGridGroups = R"(
.version 6.5
.target sm_60
.address_size 64

// 0 where the launch is not cooperative, or the scope is not the grid.
.visible .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd;
  ld.param.u32 %r1, [scope];
  mov.u32 %r2, %envreg1;
  mov.u32 %r3, %envreg2;
  mov.b64 %rd, {%r3, %r2};
  setp.ne.u32 %p, %r1, 1;
  @%p mov.u64 %rd, 0;
  st.param.b64 [result], %rd;
  ret;
}

// The first block's share makes the sum of all turn the top bit over.
.visible .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %p<5>; .reg .b32 %r<16>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [handle];
  mov.u32 %r1, 1;
  setp.eq.u64 %p1, %rd1, 0;
  @%p1 bra END;
  bar.sync 0;
  mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %tid.z;
  or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra MEET;
  mov.u32 %r5, %nctaid.x; mov.u32 %r6, %nctaid.y; mov.u32 %r7, %nctaid.z;
  mul.lo.u32 %r5, %r5, %r6; mul.lo.u32 %r5, %r5, %r7;
  sub.u32 %r5, 0x80000001, %r5;
  mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ctaid.y; mov.u32 %r10, %ctaid.z;
  or.b32 %r8, %r8, %r9; or.b32 %r8, %r8, %r10;
  setp.eq.u32 %p3, %r8, 0;
  selp.u32 %r11, %r5, 1, %p3;
  membar.gl;
  atom.global.add.u32 %r12, [%rd1+4], %r11;
WAIT:
  ld.volatile.global.u32 %r13, [%rd1+4];
  xor.b32 %r14, %r12, %r13;
  setp.ge.s32 %p4, %r14, 0;
  @%p4 bra WAIT;
  membar.gl;
MEET:
  bar.sync 0;
  mov.u32 %r1, 0;
END:
  st.param.b32 [result], %r1;
  ret;
}

.visible .func (.param .b32 result) cudaCGSynchronizeGrid(.param .b64 handle, .param .b32 flags)
{
  .reg .b32 %r<3>; .reg .b64 %rd;
  ld.param.u64 %rd, [handle]; ld.param.u32 %r1, [flags];
  { .param .b64 h; .param .b32 f; .param .b32 r;
    st.param.b64 [h], %rd; st.param.b32 [f], %r1;
    call.uni (r), cudaCGSynchronize, (h, f);
    ld.param.b32 %r2, [r]; }
  st.param.b32 [result], %r2;
  ret;
}

.visible .func (.param .b32 result) cudaCGGetSize(.param .b64 threads, .param .b64 grids, .param .b64 handle)
{
  .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [threads]; ld.param.u64 %rd2, [grids];
  mov.u32 %r1, %nctaid.x;
  mov.u32 %r2, %nctaid.y; mul.lo.u32 %r1, %r1, %r2; mov.u32 %r2, %nctaid.z; mul.lo.u32 %r1, %r1, %r2;
  mov.u32 %r2, %ntid.x; mul.lo.u32 %r1, %r1, %r2; mov.u32 %r2, %ntid.y; mul.lo.u32 %r1, %r1, %r2;
  mov.u32 %r2, %ntid.z; mul.lo.u32 %r1, %r1, %r2;
  setp.ne.u64 %p1, %rd1, 0; setp.ne.u64 %p2, %rd2, 0;
  @%p1 st.u32 [%rd1], %r1;
  @%p2 st.u32 [%rd2], 1;
  st.param.b32 [result], 0;
  ret;
}

.visible .func (.param .b32 result) cudaCGGetRank(.param .b64 thread, .param .b64 grid, .param .b64 handle)
{
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [thread]; ld.param.u64 %rd2, [grid];
  mov.u32 %r1, %ctaid.z;
  mov.u32 %r2, %nctaid.y; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %ntid.z; mov.u32 %r3, %tid.z; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  setp.ne.u64 %p1, %rd1, 0; setp.ne.u64 %p2, %rd2, 0;
  @%p1 st.u32 [%rd1], %r1;
  @%p2 st.u32 [%rd2], 0;
  st.param.b32 [result], 0;
  ret;
}
)";

} // namespace warplight::software
