// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of the runtime library, and what nvcc's code does around them: it registers a fat binary with
// the functions and variables of the host that stand for those of the device.
#pragma once

#include "fat_binary.hpp"

#include <cuda_runtime_api.h>

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, uint3* tid,
                            uint3* bid, dim3* block, dim3* grid, int* size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int ext, size_t size, int constant,
                       int global);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int ext, size_t size,
                              int constant, int global);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
#if CUDART_VERSION >= 12000
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream);
#endif
}

namespace runtime_test {

inline const char* const kPtx = R"(.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 counter = 7;
.visible .const .align 4 .u32 factor = 2;
.visible .global .align 16 .b8 table[64];
.visible .global .attribute(.managed) .align 4 .u32 shared_number = 5;

// data[i] = value + i
.visible .entry fill(.param .u64 data, .param .u32 value, .param .u32 size) {
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [data];
    ld.param.u32 %r0, [value];
    ld.param.u32 %r1, [size];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p, %r5, %r1;
    @%p ret;
    cvta.to.global.u64 %rd1, %rd0;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    add.u32 %r6, %r0, %r5;
    st.global.u32 [%rd3], %r6;
    ret;
}

// counter += factor, by each thread; shared_number += 1
.visible .entry count() {
    .reg .b32 %r<4>;
    ld.const.u32 %r0, [factor];
    atom.global.add.u32 %r1, [counter], %r0;
    atom.global.add.u32 %r2, [shared_number], 1;
    ret;
}

// writes to address 16
.visible .entry wrong() {
    .reg .b64 %rd;
    .reg .b32 %r;
    mov.u64 %rd, 16;
    mov.u32 %r, 1;
    st.global.u32 [%rd], %r;
    ret;
}

// waits until *flag is not zero
.visible .entry wait(.param .u64 flag) {
    .reg .pred %p;
    .reg .b32 %r;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [flag];
    cvta.to.global.u64 %rd1, %rd0;
again:
    ld.volatile.global.u32 %r, [%rd1];
    setp.eq.u32 %p, %r, 0;
    @%p bra again;
    ret;
}

// out[i] = tex2D(texture, i, row)
.visible .entry fetch(.param .u64 out, .param .u64 texture, .param .f32 row) {
    .reg .b32 %r<2>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd0, [out];
    ld.param.u64 %rd1, [texture];
    ld.param.f32 %f0, [row];
    mov.u32 %r0, %tid.x;
    cvt.rn.f32.u32 %f1, %r0;
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1, %f0}];
    cvta.to.global.u64 %rd2, %rd0;
    mul.wide.u32 %rd3, %r0, 4;
    add.u64 %rd4, %rd2, %rd3;
    st.global.f32 [%rd4], %f2;
    ret;
}

// dynamic shared memory: *out = its size
.extern .shared .align 4 .b8 dynamic[];
.visible .entry shared_size(.param .u64 out) {
    .reg .b32 %r;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [out];
    cvta.to.global.u64 %rd1, %rd0;
    mov.u32 %r, %dynamic_smem_size;
    st.global.u32 [%rd1], %r;
    st.shared.u32 [dynamic], %r;
    ret;
}
)";

/// A program's fat binary, registered for as long as this lives.
class Module {
public:
    explicit Module(const std::string& ptx = kPtx) : image_(fat_binary(ptx)) {
        wrapper_.image = image_.data();
        handle_ = __cudaRegisterFatBinary(&wrapper_);
    }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module() { __cudaUnregisterFatBinary(handle_); }

    void function(const void* host, const char* name) {
        __cudaRegisterFunction(handle_, static_cast<const char*>(host), const_cast<char*>(name), name, -1, nullptr,
                               nullptr, nullptr, nullptr, nullptr);
    }
    void variable(void* host, const char* name, size_t size, bool constant = false) {
        __cudaRegisterVar(handle_, static_cast<char*>(host), const_cast<char*>(name), name, 0, size, constant, 0);
    }
    void managed(void** host, const char* name, size_t size) {
        __cudaRegisterManagedVar(handle_, host, const_cast<char*>(name), name, 0, size, 0, 0);
    }
    void end() { __cudaRegisterFatBinaryEnd(handle_); }
    void** handle() const { return handle_; }

private:
    std::vector<std::uint64_t> image_;
    Wrapper wrapper_;
    void** handle_ = nullptr;
};

/// What stands for the kernels and variables above in the host: only the addresses count.
inline char fill, count, wrong, wait_for, fetch, shared_size, not_registered, not_in_module;
inline unsigned counter, factor;
inline char table[64];
inline unsigned* shared_number = nullptr;

/// All of them.
class Kernels : public Module {
public:
    Kernels() {
        function(&fill, "fill");
        function(&count, "count");
        function(&wrong, "wrong");
        function(&wait_for, "wait");
        function(&fetch, "fetch");
        function(&shared_size, "shared_size");
        function(&not_in_module, "not_in_module");
        variable(&counter, "counter", sizeof counter);
        variable(&factor, "factor", sizeof factor, true);
        variable(table, "table", sizeof table);
        managed(reinterpret_cast<void**>(&shared_number), "shared_number", sizeof *shared_number);
        end();
    }
};

inline cudaError_t launch_fill(unsigned* data, unsigned value, unsigned count, cudaStream_t stream = nullptr) {
    void* arguments[] = {static_cast<void*>(&data), &value, &count};
    return cudaLaunchKernel(&fill, dim3((count + 63) / 64), dim3(64), arguments, 0, stream);
}

} // namespace runtime_test

/// Compares an error, and says both by name.
#define SAME_ERROR(call, expected)                                                                                     \
    do {                                                                                                               \
        const cudaError_t error_of_call = (call);                                                                      \
        QVERIFY2(error_of_call == (expected), (std::string(#call) + " gave " + cudaGetErrorName(error_of_call) +       \
                                               ", not " + cudaGetErrorName(expected))                                  \
                                                  .c_str());                                                           \
    } while (false)
#define SUCCEEDS(call) SAME_ERROR(call, cudaSuccess)
