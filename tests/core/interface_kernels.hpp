// SPDX-License-Identifier: Apache-2.0
// Kernels of the interface's tests, as PTX text: no compiler is needed to run them.
#pragma once

inline constexpr char kKernels[] = R"(
.version 6.5
.target sm_75
.address_size 64

.visible .global .align 4 .u32 counter = 5;
.visible .const .align 4 .f32 table[4] = {0f3F800000, 0f40000000, 0f40400000, 0f40800000};
.extern .shared .align 4 .b8 scratch[];

// y[i] = a * x[i] + y[i] for i < n
.visible .entry saxpy(.param .u32 saxpy_n, .param .f32 saxpy_a, .param .u64 saxpy_x, .param .u64 saxpy_y)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<6>;
    ld.param.u32 %r1, [saxpy_n];
    ld.param.f32 %f1, [saxpy_a];
    ld.param.u64 %rd1, [saxpy_x];
    ld.param.u64 %rd2, [saxpy_y];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p bra DONE;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    st.global.f32 [%rd5], %f4;
DONE:
    ret;
}

// out[0] = all the parameters added up; a struct {float f; int i;} by value
.visible .entry add_up(.param .u64 add_out, .param .u8 add_a, .param .u16 add_b, .param .f64 add_c,
                       .param .align 4 .b8 add_d[8], .param .u64 add_e)
{
    .reg .b16 %h<2>;
    .reg .b32 %r<2>;
    .reg .f32 %f<2>;
    .reg .b64 %rd<4>;
    .reg .f64 %d<10>;
    ld.param.u64 %rd1, [add_out];
    ld.param.u8 %h0, [add_a];
    cvt.rn.f64.u16 %d0, %h0;
    ld.param.u16 %h1, [add_b];
    cvt.rn.f64.u16 %d1, %h1;
    add.f64 %d2, %d0, %d1;
    ld.param.f64 %d3, [add_c];
    add.f64 %d4, %d2, %d3;
    ld.param.f32 %f0, [add_d];
    cvt.f64.f32 %d5, %f0;
    add.f64 %d6, %d4, %d5;
    ld.param.u32 %r0, [add_d+4];
    cvt.rn.f64.s32 %d7, %r0;
    add.f64 %d8, %d6, %d7;
    ld.param.u64 %rd2, [add_e];
    cvt.rn.f64.s64 %d9, %rd2;
    add.f64 %d9, %d8, %d9;
    st.global.f64 [%rd1], %d9;
    ret;
}

// data[i] of a block reversed, through dynamic shared memory
.visible .entry reverse(.param .u64 reverse_data)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [reverse_data];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ntid.x;
    mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r2, [%rd2];
    mov.u32 %r3, scratch;
    shl.b32 %r4, %r0, 2;
    add.u32 %r5, %r3, %r4;
    st.shared.u32 [%r5], %r2;
    bar.sync 0;
    sub.u32 %r6, %r1, %r0;
    shl.b32 %r6, %r6, 2;
    add.u32 %r7, %r3, %r6;
    ld.shared.u32 %r8, [%r7+-4];
    st.global.u32 [%rd2], %r8;
    ret;
}

// out[i] = table[i] + counter, then one thread counts
.visible .entry variables(.param .u64 variables_out)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [variables_out];
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %rd1, %r0, 4;
    mov.u64 %rd2, table;
    add.s64 %rd3, %rd2, %rd1;
    ld.const.f32 %f0, [%rd3];
    ld.global.u32 %r1, [counter];
    cvt.rn.f32.u32 %f1, %r1;
    add.f32 %f2, %f0, %f1;
    add.s64 %rd4, %rd0, %rd1;
    st.global.f32 [%rd4], %f2;
    bar.sync 0;
    setp.ne.u32 %p, %r0, 0;
    @%p bra DONE;
    add.u32 %r2, %r1, 1;
    st.global.u32 [counter], %r2;
DONE:
    ret;
}

// Writes where there is no memory.
.visible .entry wild(.param .u64 wild_address)
{
    .reg .b32 %r0;
    .reg .b64 %rd0;
    ld.param.u64 %rd0, [wild_address];
    mov.u32 %r0, 1;
    st.global.u32 [%rd0], %r0;
    ret;
}

.visible .entry nothing()
{
    ret;
}
)";
