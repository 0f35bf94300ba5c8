/* SPDX-License-Identifier: Apache-2.0
 * A program of the driver API, linked with libcuda.so.1. Its first argument says what it does:
 *   sum N         adds the numbers below N on every device, prints the sums
 *   settings      prints devices, compute capability and memory
 *   exit CODE, signal NUMBER, process, arguments …
 *   sum-and-signal N NUMBER
 *   leave N       launches N kernels that never end, and ends
 *   past SIZE OFFSET   adds to the word so far behind an array, prints the error
 *   at-exit NUMBER     sum, and a handler of the exit asks for the current context
 *   fault              the same at an address of nothing
 *   streams ORDERED    two streams write to the same memory; 1: in an order
 *   left               leaves memory of a pool, of a graph and of the device behind
 *   library PATH       calls a function of a library
 *   tables        asks for a private table */
#include <cuda.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                          ".visible .entry add_up(.param .u64 sum, .param .u32 count) {\n"
                          "  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
                          "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                          "  mad.lo.u32 %r4, %r1, %r2, %r3;\n"
                          "  ld.param.u64 %rd1, [sum]; ld.param.u32 %r5, [count];\n"
                          "  setp.ge.u32 %p1, %r4, %r5; @%p1 ret;\n"
                          "  cvt.u64.u32 %rd2, %r4; atom.global.add.u64 %rd3, [%rd1], %rd2; ret;\n}\n"
                          ".visible .entry put(.param .u64 to) {\n"
                          "  .reg .b32 %r<2>; .reg .b64 %rd<4>;\n"
                          "  ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
                          "  add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ret;\n}\n"
                          ".visible .entry forever() {\nagain: bra again;\n}\n";

static void check(CUresult code, const char* what) {
    const char* text = "";
    if (code == CUDA_SUCCESS) return;
    cuGetErrorString(code, &text);
    fprintf(stderr, "%s: %d %s\n", what, (int)code, text ? text : "");
    exit(40);
}
#define CHECK(call) check(call, #call)

static void sum_on(int ordinal, unsigned count) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory;
    unsigned long long sum = 0;
    void* parameters[2];
    CHECK(cuDeviceGet(&device, ordinal));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxPushCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, "add_up"));
    CHECK(cuMemAlloc(&memory, sizeof sum));
    CHECK(cuMemcpyHtoD(memory, &sum, sizeof sum));
    parameters[0] = &memory;
    parameters[1] = &count;
    CHECK(cuLaunchKernel(function, (count + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, parameters, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(&sum, memory, sizeof sum));
    CHECK(cuMemFree(memory));
    CHECK(cuModuleUnload(module));
    CHECK(cuCtxPopCurrent(NULL));
    CHECK(cuDevicePrimaryCtxRelease(device));
    printf("%llu\n", sum);
}

static void leave(int count) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    int i;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxPushCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, "forever"));
    for (i = 0; i < count; ++i)
        CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

/* The error of a kernel that adds to a word there. */
static int add_at(size_t size, size_t offset) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory = 0;
    unsigned count = 1;
    void* parameters[2];
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxPushCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, "add_up"));
    if (size) CHECK(cuMemAlloc(&memory, size));
    memory += size + offset;
    parameters[0] = &memory;
    parameters[1] = &count;
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
    return (int)cuCtxSynchronize();
}

static CUfunction put_of(void) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxPushCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, "put"));
    return function;
}

static void write_in_streams(int ordered) {
    const CUfunction put = put_of();
    CUstream first, second;
    CUevent event;
    CUdeviceptr memory;
    void* parameters[1] = {&memory};
    CHECK(cuMemAlloc(&memory, 256));
    CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    CHECK(cuLaunchKernel(put, 1, 1, 1, 64, 1, 1, 0, first, parameters, NULL));
    if (ordered) {
        CHECK(cuEventRecord(event, first));
        CHECK(cuStreamWaitEvent(second, event, 0));
    }
    CHECK(cuLaunchKernel(put, 1, 1, 1, 64, 1, 1, 0, second, parameters, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemFree(memory));
}

static void leave_memory(void) {
    CUdeviceptr memory;
    CUmemAllocationProp physical;
    CUmemGenericAllocationHandle handle;
    CUDA_MEM_ALLOC_NODE_PARAMS of_graph;
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    (void)put_of();
    CHECK(cuMemAllocAsync(&memory, 1000, NULL));
    memset(&physical, 0, sizeof physical);
    physical.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    physical.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CHECK(cuMemCreate(&handle, 4 << 20, &physical, 0));
    memset(&of_graph, 0, sizeof of_graph);
    of_graph.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    of_graph.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    of_graph.bytesize = 3000;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &of_graph));
    CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, NULL));
    CHECK(cuCtxSynchronize());
}

/* After the objects of the main thread have ended. */
static void ask_for_context(void) {
    CUcontext context = NULL;
    const CUresult code = cuCtxGetCurrent(&context);
    printf("%d %d\n", (int)code, context != NULL);
    fflush(stdout);
}

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    const int number = argc > 2 ? atoi(argv[2]) : 0;
    int devices = 0;
    int i;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    if (!strcmp(what, "sum")) {
        for (i = 0; i < devices; ++i)
            sum_on(i, (unsigned)number);
    } else if (!strcmp(what, "sum-and-signal")) {
        sum_on(0, (unsigned)number);
        raise(atoi(argv[3]));
    } else if (!strcmp(what, "leave")) {
        leave(number);
    } else if (!strcmp(what, "past")) {
        printf("%d\n", add_at((size_t)number, (size_t)atoi(argv[3])));
    } else if (!strcmp(what, "past-and-stay")) {
        printf("%d\n", add_at((size_t)number, 8));
        leave(1);
        printf("stays\n");
        fflush(stdout);
        for (;;)
            sleep(1);
    } else if (!strcmp(what, "fault")) {
        printf("%d\n", add_at(0, 64));
    } else if (!strcmp(what, "streams")) {
        write_in_streams(number);
    } else if (!strcmp(what, "left")) {
        leave_memory();
    } else if (!strcmp(what, "settings")) {
        int major = 0, minor = 0;
        size_t memory = 0;
        CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, devices - 1));
        CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, devices - 1));
        CHECK(cuDeviceTotalMem(&memory, devices - 1));
        printf("%d %d.%d %zu %s %s\n", devices, major, minor, memory, getenv("WARPLIGHT_SOFTWARE_WORKERS"),
               getenv("WARPLIGHT_SOFTWARE_LOG"));
    } else if (!strcmp(what, "at-exit")) {
        CUcontext context;
        sum_on(0, (unsigned)number);
        CHECK(cuDevicePrimaryCtxRetain(&context, 0));
        CHECK(cuCtxPushCurrent(context));
        atexit(ask_for_context);
    } else if (!strcmp(what, "exit")) {
        return number;
    } else if (!strcmp(what, "signal")) {
        raise(number);
    } else if (!strcmp(what, "process")) {
        printf("%ld\n", (long)getpid());
    } else if (!strcmp(what, "arguments")) {
        for (i = 2; i < argc; ++i)
            printf("[%s]", argv[i]);
        printf("\n");
    } else if (!strcmp(what, "library")) {
        void* library = dlopen(argv[2], RTLD_NOW);
        int (*call)(void);
        if (!library || !(*(void**)& call = dlsym(library, "closed_library_call"))) {
            fprintf(stderr, "%s\n", dlerror());
            return 42;
        }
        printf("%d\n", call());
    } else if (!strcmp(what, "tables")) {
        const void* table = NULL;
        static const unsigned char of_runtime[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                                     0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
        CUuuid id, other;
        memcpy(&id, of_runtime, sizeof id);
        memset(&other, 1, sizeof other);
        printf("%d %d %d\n", (int)cuGetExportTable(&table, &other), (int)cuGetExportTable(&table, &id),
               (int)cuGetExportTable(&table, &id));
    } else {
        return 41;
    }
    return 0;
}
