// SPDX-License-Identifier: Apache-2.0
// What the tests of streams, graphs and launches share: the device they run on, and kernels as PTX text.
#pragma once

#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/memory.hpp"

#include <QtTest>

#include <cstdint>
#include <string>
#include <vector>

/// The device of WARPLIGHT_TEST_DRIVER: software (the default) or cuda.
inline warplight::driver::Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    const auto driver = warplight::driver::Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
    if (!driver.available()) qFatal("driver %s: %s", driver.library().c_str(), driver.unavailable_because().c_str());
    return driver;
}

/// The driver's code that a call is refused with; 0 when it is not refused, -1 when the library itself objects.
template <class Call>
int code_of(const Call& call) {
    try {
        call();
    } catch (const warplight::driver::Error& error) {
        return error.code() == 0 ? -1 : error.code();
    }
    return 0;
}

inline std::vector<std::uint32_t> words_of(warplight::driver::DevicePointer memory, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    warplight::driver::memcpy_dtoh(words, memory);
    return words;
}

/// Fills are done some time later: streams that do not wait for the default stream need them done.
inline void clear(const warplight::driver::DeviceAllocation& memory) {
    warplight::driver::memset_d8(memory, 0, memory.size());
    warplight::driver::Context::get_current().synchronize();
}
inline warplight::driver::DeviceAllocation zeros(std::size_t words) {
    auto memory = warplight::driver::mem_alloc(words * 4);
    clear(memory);
    return memory;
}

// Codes of cuda.h, which the tests do not include.
inline constexpr int kInvalidValue = 1, kInvalidHandle = 400, kIllegalState = 401, kNotSupported = 801,
                     kCaptureUnsupported = 900, kCaptureInvalidated = 901, kCaptureMerge = 902, kCaptureUnmatched = 903,
                     kCaptureUnjoined = 904, kCaptureIsolation = 905, kCaptureImplicit = 906, kCapturedEvent = 907,
                     kCaptureWrongThread = 908, kCooperativeTooLarge = 720;

inline constexpr char kGraphKernels[] = R"(
.version 6.5
.target sm_75
.address_size 64

// data[i] += value for i < n
.visible .entry add(.param .u64 add_data, .param .u32 add_value, .param .u32 add_n)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [add_data];
    ld.param.u32 %r0, [add_value];
    ld.param.u32 %r1, [add_n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p bra DONE;
    mul.wide.u32 %rd1, %r5, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r6, [%rd2];
    add.u32 %r7, %r6, %r0;
    st.global.u32 [%rd2], %r7;
DONE:
    ret;
}

// data[i] *= value for i < n: with add, the order of two kernels shows in the result
.visible .entry multiply(.param .u64 multiply_data, .param .u32 multiply_value, .param .u32 multiply_n)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [multiply_data];
    ld.param.u32 %r0, [multiply_value];
    ld.param.u32 %r1, [multiply_n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p bra DONE;
    mul.wide.u32 %rd1, %r5, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r6, [%rd2];
    mul.lo.u32 %r7, %r6, %r0;
    st.global.u32 [%rd2], %r7;
DONE:
    ret;
}

// log[0] counts the entries, log[1 + i] is the i-th: one thread appends a tag
.visible .entry append(.param .u64 append_log, .param .u32 append_tag)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [append_log];
    ld.param.u32 %r0, [append_tag];
    atom.global.add.u32 %r1, [%rd0], 1;
    mul.wide.u32 %rd1, %r1, 4;
    add.s64 %rd2, %rd0, %rd1;
    st.global.u32 [%rd2+4], %r0;
    ret;
}

// Two of these meet where they run side by side: flags[mine] is set, then flags[other] waited for, with a limit.
// flags[2 + mine] = whether the other one came.
.visible .entry meet(.param .u64 meet_flags, .param .u32 meet_mine, .param .u32 meet_other)
{
    .reg .pred %p, %q;
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd0, [meet_flags];
    ld.param.u32 %r0, [meet_mine];
    ld.param.u32 %r1, [meet_other];
    mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd2, %rd0, %rd1;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd0, %rd3;
    mov.u32 %r2, 1;
    st.volatile.global.u32 [%rd2], %r2;
    membar.gl;
    mov.u32 %r3, 0;
LOOP:
    ld.volatile.global.u32 %r4, [%rd4];
    setp.ne.u32 %p, %r4, 0;
    @%p bra MET;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %q, %r3, 1000000000;
    @%q bra LOOP;
    mov.u32 %r2, 0;
MET:
    st.volatile.global.u32 [%rd2+8], %r2;
    ret;
}

// out[0] = %nctaid.x, out[1] = %ntid.x, by the first thread
.visible .entry shape(.param .u64 shape_out)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [shape_out];
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %tid.x;
    or.b32 %r2, %r0, %r1;
    setp.ne.u32 %p, %r2, 0;
    @%p bra DONE;
    mov.u32 %r3, %nctaid.x;
    st.global.u32 [%rd0], %r3;
    mov.u32 %r4, %ntid.x;
    st.global.u32 [%rd0+4], %r4;
DONE:
    ret;
}

.visible .entry nothing()
{
    ret;
}
)";
