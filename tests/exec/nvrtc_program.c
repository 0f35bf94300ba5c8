// SPDX-License-Identifier: Apache-2.0
// Compiles a kernel by NVRTC for the architecture that is asked for, loads what came of it, and runs it. It opens NVRTC
// by the name that is its first argument, or where WL_LINKED is defined is linked with it.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

typedef void* Program;
// nvrtc.h is not needed to build this.
#ifdef WL_LINKED
#define FUNCTION(name, result, ...) extern result name(__VA_ARGS__);
#else
#define FUNCTION(name, result, ...) static result (*name)(__VA_ARGS__);
#endif
FUNCTION(nvrtcVersion, int, int*, int*)
FUNCTION(nvrtcGetErrorString, const char*, int)
FUNCTION(nvrtcCreateProgram, int, Program*, const char*, const char*, int, const char* const*, const char* const*)
FUNCTION(nvrtcDestroyProgram, int, Program*)
FUNCTION(nvrtcCompileProgram, int, Program, int, const char* const*)
FUNCTION(nvrtcGetCUBINSize, int, Program, size_t*)
FUNCTION(nvrtcGetCUBIN, int, Program, char*)
FUNCTION(nvrtcGetPTXSize, int, Program, size_t*)
FUNCTION(nvrtcGetPTX, int, Program, char*)
FUNCTION(nvrtcGetProgramLogSize, int, Program, size_t*)
FUNCTION(nvrtcGetProgramLog, int, Program, char*)
FUNCTION(nvrtcAddNameExpression, int, Program, const char*)
FUNCTION(nvrtcGetLoweredName, int, Program, const char*, const char**)
FUNCTION(nvrtcGetNumSupportedArchs, int, int*)

static const char source[] = "template <class T> __global__ void scale(T* values, T factor, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) values[i] *= factor;\n"
                             "}\n";

static void check(int result, const char* what) {
    if (result == 0) return;
    fprintf(stderr, "%s: %d (%s)\n", what, result, nvrtcGetErrorString(result));
    exit(1);
}
static void check_driver(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", what, (int)result);
    exit(1);
}

#ifndef WL_LINKED
#ifdef _WIN32
static void* open_library(const char* name) { return (void*)LoadLibraryA(name); }
static void* find(void* library, const char* name) { return (void*)GetProcAddress((HMODULE)library, name); }
#else
static void* open_library(const char* name) { return dlopen(name, RTLD_NOW); }
static void* find(void* library, const char* name) { return dlsym(library, name); }
#endif
#endif

static void open_nvrtc(const char* name) {
#ifndef WL_LINKED
    void* library = open_library(name);
    if (!library) {
        fprintf(stderr, "%s cannot be opened\n", name);
        exit(1);
    }
#define OPEN(function)                                                                                                 \
    if (!(*(void**)& function = find(library, #function))) {                                                           \
        fprintf(stderr, "%s lacks %s\n", name, #function);                                                             \
        exit(1);                                                                                                       \
    }
    OPEN(nvrtcVersion)
    OPEN(nvrtcGetErrorString)
    OPEN(nvrtcCreateProgram)
    OPEN(nvrtcDestroyProgram)
    OPEN(nvrtcCompileProgram)
    OPEN(nvrtcGetCUBINSize)
    OPEN(nvrtcGetCUBIN)
    OPEN(nvrtcGetPTXSize)
    OPEN(nvrtcGetPTX)
    OPEN(nvrtcGetProgramLogSize)
    OPEN(nvrtcGetProgramLog)
    OPEN(nvrtcAddNameExpression)
    OPEN(nvrtcGetLoweredName)
    OPEN(nvrtcGetNumSupportedArchs)
#endif
}

/// Its options are the program's arguments behind the library's name.
static void* compile(int count, char** options, char** name, size_t* size) {
    Program program = NULL;
    const char* lowered = NULL;
    void* code;
    size_t log = 0, ptx = 0;
    check(nvrtcCreateProgram(&program, source, "scale.cu", 0, NULL, NULL), "create");
    check(nvrtcAddNameExpression(program, "scale<int>"), "add a name");
    check(nvrtcCompileProgram(program, count, (const char* const*)options), "compile");
    check(nvrtcGetProgramLogSize(program, &log), "size of the log");
    check(nvrtcGetLoweredName(program, "scale<int>", &lowered), "name");
    *name = malloc(strlen(lowered) + 1);
    strcpy(*name, lowered);
    check(nvrtcGetCUBINSize(program, size), "size of CUBIN");
    check(nvrtcGetPTXSize(program, &ptx), "size of PTX");
    printf("CUBIN %s, PTX %s\n", *size ? "yes" : "no", ptx ? "yes" : "no");
    code = malloc((*size ? *size : ptx) + 1);
    if (*size)
        check(nvrtcGetCUBIN(program, code), "CUBIN");
    else
        check(nvrtcGetPTX(program, code), "PTX");
    check(nvrtcDestroyProgram(&program), "destroy");
    if (program) {
        fprintf(stderr, "the program's handle is still there\n");
        exit(1);
    }
    return code;
}

int main(int argc, char** argv) {
    enum { n = 100 };
    int major = 0, minor = 0, architectures = 0, values[n], factor = 3, count = n;
    char* name = NULL;
    size_t size = 0;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory;
    open_nvrtc(argv[1]);
    check(nvrtcVersion(&major, &minor), "version");
    check(nvrtcGetNumSupportedArchs(&architectures), "number of architectures");
    if (major < 11 || architectures < 1) return 1;
    void* code = compile(argc - 2, argv + 2, &name, &size);
    check_driver(cuInit(0), "init");
    check_driver(cuDeviceGet(&device, 0), "device");
    check_driver(cuDevicePrimaryCtxRetain(&context, device), "context");
    check_driver(cuCtxPushCurrent(context), "current context");
    check_driver(cuModuleLoadData(&module, code), "load");
    check_driver(cuModuleGetFunction(&function, module, name), "function");
    check_driver(cuMemAlloc(&memory, sizeof values), "memory");
    for (int i = 0; i < n; ++i)
        values[i] = i;
    check_driver(cuMemcpyHtoD(memory, values, sizeof values), "copy");
    void* arguments[] = {&memory, &factor, &count};
    check_driver(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL), "launch");
    check_driver(cuMemcpyDtoH(values, memory, sizeof values), "copy back");
    for (int i = 0; i < n; ++i)
        if (values[i] != 3 * i) return 1;
    puts("scaled");
    return 0;
}
