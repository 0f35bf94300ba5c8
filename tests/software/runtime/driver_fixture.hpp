// SPDX-License-Identifier: Apache-2.0
// A context on the software device, and small helpers to run PTX in it.
#pragma once

#include <cuda.h>

#include <QtTest>

#include <initializer_list>
#include <string>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#undef far
#undef near
#undef small
#else
#include <dlfcn.h>
#endif

extern "C" CUresult cuxWarplightLastError(char* buffer, size_t size);
extern "C" CUresult cuxWarplightCancel(CUcontext context);
extern "C" CUresult cuxWarplightSetPrintf(void (*receiver)(const char*, size_t, void*), void* user);

inline std::string last_error_text() {
    char text[8192] = "";
    cuxWarplightLastError(text, sizeof text);
    return text;
}

inline QString code_name(CUresult code) {
    const char* name = nullptr;
    return cuGetErrorName(code, &name) == CUDA_SUCCESS ? QString(name) : QString::number(code);
}

#define CU(call)                                                                                                       \
    do {                                                                                                               \
        const CUresult result_ = (call);                                                                               \
        if (result_ != CUDA_SUCCESS) qCritical("%s", last_error_text().c_str());                                       \
        QCOMPARE(code_name(result_), QString("CUDA_SUCCESS"));                                                         \
    } while (false)
#define CU_FAILS(call, code) QCOMPARE(code_name(call), code_name(code))

/// A function as the software device exports it. In a program for Windows `&cuInit` is the address of a jump to it.
inline void* exported(const char* name) {
#ifdef _WIN32
    return reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"warplight-cuda.dll"), name));
#else
    return dlsym(RTLD_DEFAULT, name);
#endif
}

/// `.version`, `.target` and the address size in front of what a test writes.
inline std::string ptx(const std::string& body) { return ".version 7.0\n.target sm_80\n.address_size 64\n" + body; }

struct Session {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    Session() {
        cuInit(0);
        cuCtxCreate_v2_(&context);
    }
    ~Session() { cuCtxDestroy(context); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    CUfunction load(const std::string& text, const char* kernel) {
        CUfunction function = nullptr;
        if (cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS) return nullptr;
        cuModuleGetFunction(&function, module, kernel);
        return function;
    }
    static CUresult launch(CUfunction f, unsigned grid, unsigned block, std::initializer_list<void*> arguments,
                           unsigned shared = 0, CUstream stream = nullptr) {
        std::vector<void*> pointers(arguments);
        return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, stream, pointers.data(), nullptr);
    }
    static CUdeviceptr allocate(std::size_t bytes) {
        CUdeviceptr p = 0;
        cuMemAlloc(&p, bytes);
        return p;
    }
    template <class T>
    static CUdeviceptr upload(const std::vector<T>& data) {
        const CUdeviceptr p = allocate(data.size() * sizeof(T));
        cuMemcpyHtoD(p, data.data(), data.size() * sizeof(T));
        return p;
    }
    template <class T>
    static std::vector<T> download(CUdeviceptr p, std::size_t count) {
        std::vector<T> data(count);
        cuMemcpyDtoH(data.data(), p, count * sizeof(T));
        return data;
    }

private:
    static void cuCtxCreate_v2_(CUcontext* context) {
#if CUDA_VERSION >= 13000
        cuCtxCreate(context, nullptr, 0, 0);
#else
        cuCtxCreate(context, 0, 0);
#endif
    }
};
