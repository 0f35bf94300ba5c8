// SPDX-License-Identifier: Apache-2.0
// Calls the runtime library that it is started with, and prints a line for each answer: right calls, wrong ones, and
// odd ones. What begins with = is the same on every device; what begins with ~ depends on the device, and is to be
// compared over one driver only; ! stands for a crash. No line has an address. recordings/h100_13.txt is what NVIDIA's
// library said on a GPU:
//   LD_LIBRARY_PATH=FOLDER_OF_THE_LIBRARY runtime_api_record
#include "kernels.hpp"
#include "older_headers.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <thread>

using namespace runtime_test;

namespace {

void line(char mark, const char* what, cudaError_t error) {
    std::printf("%c %s: %s\n", mark, what, cudaGetErrorName(error));
}
void value(char mark, const char* what, long long number) { std::printf("%c %s = %lld\n", mark, what, number); }

sigjmp_buf before_call;
[[noreturn]] void leave_call(int) { siglongjmp(before_call, 1); }

/// NVIDIA's library reads through some null pointers.
template <class Call>
void say(char mark, const char* what, const Call& call) {
    if (sigsetjmp(before_call, 1) == 0)
        line(mark, what, call());
    else
        std::printf("! %s: crashes\n", what);
}

/// The call as it is written here, and its answer.
#define SAY(...) say('=', #__VA_ARGS__, [&] { return __VA_ARGS__; })
#define SAY_HERE(...) say('~', #__VA_ARGS__, [&] { return __VA_ARGS__; })
#define VALUE(...) value('=', #__VA_ARGS__, static_cast<long long>(__VA_ARGS__))
#define VALUE_HERE(...) value('~', #__VA_ARGS__, static_cast<long long>(__VA_ARGS__))

void before_anything() {
    int version = 0, count = 0, device = -1;
    SAY(cudaPeekAtLastError());
    SAY(cudaGetLastError());
    SAY(cudaRuntimeGetVersion(&version));
    VALUE(version / 1000);
    SAY(cudaRuntimeGetVersion(nullptr));
    SAY(cudaGetLastError());
    SAY(cudaDriverGetVersion(&version));
    VALUE(version > 0);
    SAY(cudaDriverGetVersion(nullptr));
    SAY(cudaGetDeviceCount(&count));
    VALUE(count > 0);
    SAY(cudaGetDeviceCount(nullptr));
    SAY(cudaGetDevice(&device));
    VALUE(device);
    SAY(cudaGetDevice(nullptr));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
}

void names() {
    for (int code = -1; code <= 1000; ++code) {
        const char* name = cudaGetErrorName(static_cast<cudaError_t>(code));
        if (std::string(name) != "unrecognized error code") std::printf("= error %d: %s\n", code, name);
        const bool has_text =
            std::string(cudaGetErrorString(static_cast<cudaError_t>(code))) != "unrecognized error code";
        if (has_text != (std::string(name) != "unrecognized error code"))
            std::printf("= error %d: name and text differ\n", code);
    }
    std::printf("= error 10000: %s\n", cudaGetErrorName(static_cast<cudaError_t>(10000)));
    // Programs print and compare these few.
    for (int code : {0, 1, 2, 98, 100, 101, 400, 600, 700})
        std::printf("= text %d: %s\n", code, cudaGetErrorString(static_cast<cudaError_t>(code)));
}

void devices() {
    int number = 0;
    for (int attribute = -1; attribute <= 150; ++attribute) {
        number = -77;
        const cudaError_t error = cudaDeviceGetAttribute(&number, static_cast<cudaDeviceAttr>(attribute), 0);
        std::printf("~ attribute %d: %s %d\n", attribute, cudaGetErrorName(error), number);
    }
    SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    VALUE(number);
    SAY(cudaDeviceGetAttribute(&number, static_cast<cudaDeviceAttr>(0), 0));
    SAY(cudaDeviceGetAttribute(&number, static_cast<cudaDeviceAttr>(9999), 0));
    SAY(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, -1));
    SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 1000));
    SAY(cudaGetLastError());
    cudaDeviceProp p{};
    SAY(cudaGetDeviceProperties(&p, 0));
    SAY(cudaGetDeviceProperties(&p, 1000));
    SAY(cudaGetDeviceProperties(&p, -1));
    SAY(cudaGetDeviceProperties(nullptr, 0));
    std::printf("~ name %s\n", p.name);
    const auto* words = reinterpret_cast<const int*>(&p);
    for (std::size_t i = sizeof p.name / 4 + 4; i < sizeof p / 4; ++i) // behind the name and the identity
        if (words[i] != 0) std::printf("~ property word %zu = %d\n", i, words[i]);
    SAY(cudaChooseDevice(&number, &p));
    VALUE(number);
    SAY(cudaChooseDevice(nullptr, &p));
    SAY(cudaChooseDevice(&number, nullptr));
    SAY(cudaSetDevice(-1));
    SAY(cudaSetDevice(1000));
    SAY(cudaPeekAtLastError());
    SAY(cudaSetDevice(0));
    SAY(cudaPeekAtLastError());
    SAY(cudaGetLastError());
    SAY(cudaSetValidDevices(nullptr, 0));
    SAY(cudaSetValidDevices(nullptr, 3));
    int wrong_device = 1000;
    SAY(cudaSetValidDevices(&wrong_device, 1));
#if CUDART_VERSION >= 12000
    SAY(cudaInitDevice(0, 0, 0));
    SAY(cudaInitDevice(1000, 0, 0));
    SAY(cudaInitDevice(0, 0, 99));
#endif
    unsigned flags = 0;
    SAY(cudaGetDeviceFlags(&flags));
    VALUE(flags);
    SAY(cudaGetDeviceFlags(nullptr));
    SAY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    SAY(cudaGetDeviceFlags(&flags));
    VALUE(flags);
    SAY(cudaSetDeviceFlags(3));
    SAY(cudaSetDeviceFlags(0x1000));
    SAY(cudaSetDeviceFlags(0));
    char id[16] = {};
    SAY(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    SAY(cudaDeviceGetPCIBusId(id, 3, 0));
    SAY(cudaDeviceGetPCIBusId(nullptr, 16, 0));
    SAY(cudaDeviceGetPCIBusId(id, sizeof id, 1000));
    SAY(cudaDeviceGetByPCIBusId(&number, "nonsense"));
    SAY(cudaDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
    SAY(cudaDeviceGetByPCIBusId(&number, nullptr));
    SAY(cudaDeviceCanAccessPeer(&number, 0, 0));
    VALUE(number);
    SAY(cudaDeviceCanAccessPeer(&number, 0, 1000));
    SAY(cudaDeviceCanAccessPeer(&number, 1000, 0));
    SAY(cudaDeviceCanAccessPeer(nullptr, 0, 0));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    SAY(cudaDeviceEnablePeerAccess(1000, 0));
    SAY(cudaDeviceDisablePeerAccess(0));
    SAY(cudaDeviceDisablePeerAccess(1000));
    SAY(cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrAccessSupported, 0, 0));
    SAY(cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrAccessSupported, 0, 1000));
    SAY(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
    (void)cudaGetLastError();
}

void limits() {
    std::size_t size = 0;
    for (int limit = 0; limit < 8; ++limit) {
        std::printf("~ limit %d: %s", limit,
                    cudaGetErrorName(cudaDeviceGetLimit(&size, static_cast<cudaLimit>(limit))));
        std::printf(" %zu\n", size);
    }
    SAY(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    SAY(cudaDeviceGetLimit(&size, static_cast<cudaLimit>(99)));
    SAY(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
    SAY(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    SAY(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
    VALUE(size >= 1 << 20);
    cudaFuncCache cache{};
    SAY(cudaDeviceGetCacheConfig(&cache));
    VALUE(cache);
    SAY(cudaDeviceGetCacheConfig(nullptr));
    SAY(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    SAY(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(55)));
    SAY(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
    int least = -9, greatest = -9;
    SAY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    VALUE_HERE(least);
    VALUE_HERE(greatest);
    SAY(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
    (void)cudaGetLastError();
}

void memory() {
    void* pointer = nullptr;
    char host[256] = {};
    SAY(cudaMalloc(nullptr, 8));
    SAY(cudaMalloc(&pointer, 0));
    VALUE(pointer == nullptr);
    SAY(cudaMalloc(&pointer, std::size_t{1} << 60));
    SAY(cudaFree(nullptr));
    SAY(cudaFree(host));
    SAY(cudaFreeHost(nullptr));
    SAY(cudaFreeHost(host));
    SAY(cudaMalloc(&pointer, 256));
    SAY(cudaFree(static_cast<char*>(pointer) + 8));
    SAY(cudaFreeHost(pointer));
    SAY(cudaMemcpy(pointer, host, 256, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(pointer, host, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(pointer, nullptr, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(nullptr, host, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(pointer, host, 8, static_cast<cudaMemcpyKind>(-1)));
    SAY(cudaMemcpy(pointer, host, 8, static_cast<cudaMemcpyKind>(5)));
    SAY(cudaMemcpy(pointer, host, 0, static_cast<cudaMemcpyKind>(5)));
    SAY(cudaMemcpy(host, pointer, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(host, host + 128, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy(host, host + 128, 8, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(host, host + 128, 8, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpy(host, host + 128, 8, cudaMemcpyDefault));
    SAY(cudaMemcpy(pointer, host, 512, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyAsync(pointer, host, 8, cudaMemcpyHostToDevice, nullptr));
    SAY(cudaMemcpyAsync(pointer, host, 8, static_cast<cudaMemcpyKind>(9), nullptr));
    SAY(cudaMemcpyAsync(pointer, nullptr, 8, cudaMemcpyHostToDevice, nullptr));
    SAY(cudaMemset(pointer, 1, 256));
    SAY(cudaMemset(pointer, 1, 0));
    SAY(cudaMemset(nullptr, 1, 0));
    SAY(cudaMemset(nullptr, 1, 8));
    SAY(cudaMemset(host, 1, 8));
    SAY(cudaMemset2D(pointer, 16, 1, 16, 4));
    SAY(cudaMemset2D(pointer, 8, 1, 16, 4));
    SAY(cudaMemset2D(pointer, 16, 1, 0, 4));
    SAY(cudaMemset3D({pointer, 16, 16, 4}, 1, {16, 4, 2}));
    SAY(cudaMemset3D({pointer, 8, 16, 4}, 1, {16, 4, 2}));
    SAY(cudaMemset3D({pointer, 16, 16, 4}, 1, {0, 4, 2}));
    SAY(cudaMemcpy2D(pointer, 16, host, 16, 16, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(pointer, 8, host, 16, 16, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(pointer, 16, host, 8, 16, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(pointer, 8, host, 16, 16, 1, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(pointer, 16, host, 16, 0, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(pointer, 16, host, 16, 16, 4, static_cast<cudaMemcpyKind>(9)));
    SAY(cudaMemcpy2D(nullptr, 16, host, 16, 16, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyPeer(pointer, 0, static_cast<char*>(pointer) + 128, 0, 64));
    SAY(cudaMemcpyPeer(pointer, 1000, pointer, 0, 64));
    SAY(cudaMemcpyPeer(pointer, 0, pointer, -1, 64));
    cudaPointerAttributes attributes{};
    SAY(cudaPointerGetAttributes(&attributes, pointer));
    VALUE(attributes.type);
    VALUE(attributes.device);
    VALUE(attributes.hostPointer == nullptr);
    SAY(cudaPointerGetAttributes(&attributes, host));
    VALUE(attributes.type);
    VALUE(attributes.device);
    VALUE(attributes.hostPointer == host);
    VALUE(attributes.devicePointer == nullptr);
    SAY(cudaPointerGetAttributes(&attributes, nullptr));
    VALUE(attributes.type);
    VALUE(attributes.device);
    SAY(cudaPointerGetAttributes(nullptr, host));
    SAY(cudaFree(pointer));
    SAY(cudaFree(pointer));
    SAY(cudaMallocHost(&pointer, 0));
    SAY(cudaMallocHost(nullptr, 8));
    SAY(cudaHostAlloc(&pointer, 64, 0xff));
    SAY(cudaHostAlloc(&pointer, 64, cudaHostAllocMapped | cudaHostAllocPortable));
    unsigned flags = 0;
    SAY(cudaHostGetFlags(&flags, pointer));
    VALUE(flags);
    SAY(cudaHostGetFlags(&flags, host));
    SAY(cudaHostGetFlags(nullptr, pointer));
    void* device = nullptr;
    SAY(cudaHostGetDevicePointer(&device, pointer, 0));
    VALUE(device == pointer);
    SAY(cudaHostGetDevicePointer(&device, host, 0));
    SAY(cudaHostGetDevicePointer(&device, pointer, 1));
    SAY(cudaPointerGetAttributes(&attributes, pointer));
    VALUE(attributes.type);
    VALUE(attributes.device);
    VALUE(attributes.hostPointer == pointer);
    SAY(cudaFree(pointer));
    SAY(cudaFreeHost(pointer));
    SAY(cudaFreeHost(pointer));
    SAY(cudaHostRegister(nullptr, 8, 0));
    SAY(cudaHostRegister(host, 0, 0));
    SAY(cudaHostRegister(host, sizeof host, 0xff));
    SAY(cudaHostRegister(host, sizeof host, 0));
    SAY(cudaHostRegister(host, sizeof host, 0));
    SAY(cudaHostUnregister(host));
    SAY(cudaHostUnregister(host));
    SAY(cudaHostUnregister(nullptr));
    SAY(cudaMallocManaged(&pointer, 0));
    SAY(cudaMallocManaged(&pointer, 64, 0));
    SAY(cudaMallocManaged(&pointer, 64, cudaMemAttachSingle));
    SAY(cudaMallocManaged(nullptr, 64));
    SAY(cudaMallocManaged(&pointer, 64));
    SAY(cudaPointerGetAttributes(&attributes, pointer));
    VALUE(attributes.type);
    VALUE(attributes.devicePointer == pointer);
    VALUE(attributes.hostPointer == pointer);
    SAY(cudaFree(pointer));
    std::size_t pitch = 0, free = 0, total = 0;
    SAY(cudaMallocPitch(&pointer, &pitch, 0, 4));
    VALUE(pointer == nullptr);
    SAY(cudaMallocPitch(nullptr, &pitch, 16, 4));
    SAY(cudaMallocPitch(&pointer, nullptr, 16, 4));
    SAY(cudaMallocPitch(&pointer, &pitch, 17, 4));
    VALUE_HERE(pitch);
    SAY(cudaFree(pointer));
    cudaPitchedPtr pitched{};
    SAY(cudaMalloc3D(&pitched, {0, 1, 1}));
    SAY(cudaMalloc3D(nullptr, {1, 1, 1}));
    SAY(cudaMalloc3D(&pitched, {20, 3, 2}));
    VALUE(pitched.xsize);
    VALUE(pitched.ysize);
    SAY(cudaFree(pitched.ptr));
    SAY(cudaMemGetInfo(&free, &total));
    SAY(cudaMemGetInfo(nullptr, &total));
    SAY(cudaMemGetInfo(&free, nullptr));
    (void)cudaGetLastError();
}

void arrays() {
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    SAY(cudaMallocArray(nullptr, &format, 8, 8));
    SAY(cudaMallocArray(&array, nullptr, 8, 8));
    SAY(cudaMallocArray(&array, &format, 0, 8));
    SAY(cudaMallocArray(&array, &format, 8, 8, 0x1000));
    cudaChannelFormatDesc odd = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
    SAY(cudaMallocArray(&array, &odd, 8, 8));
    odd = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    SAY(cudaMallocArray(&array, &odd, 8, 8));
    odd = cudaCreateChannelDesc(12, 0, 0, 0, cudaChannelFormatKindUnsigned);
    SAY(cudaMallocArray(&array, &odd, 8, 8));
    odd = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat);
    SAY(cudaMallocArray(&array, &odd, 8, 8));
    odd = cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
    SAY(cudaMallocArray(&array, &odd, 8, 8));
    SAY(cudaMallocArray(&array, &format, 8, 8));
    cudaChannelFormatDesc its{};
    cudaExtent extent{};
    unsigned flags = 9;
    SAY(cudaArrayGetInfo(&its, &extent, &flags, array));
    VALUE(its.x + 100 * its.f);
    VALUE(extent.width * 10000 + extent.height * 100 + extent.depth);
    VALUE(flags);
    SAY(cudaArrayGetInfo(nullptr, nullptr, nullptr, array));
    SAY(cudaArrayGetInfo(&its, nullptr, nullptr, nullptr));
    SAY(cudaGetChannelDesc(&its, array));
    SAY(cudaGetChannelDesc(nullptr, array));
    SAY(cudaGetChannelDesc(&its, nullptr));
    char host[256] = {};
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DToArray(nullptr, 0, 0, host, 32, 32, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DToArray(array, 8, 0, host, 32, 32, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 16, 32, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 8, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2DFromArray(host, 32, nullptr, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
    cudaTextureObject_t object = 0;
    SAY(cudaCreateTextureObject(&object, &resource, &texture, nullptr)); // an array that is null
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    SAY(cudaCreateTextureObject(nullptr, &resource, &texture, nullptr));
    SAY(cudaCreateTextureObject(&object, nullptr, &texture, nullptr));
    SAY(cudaCreateTextureObject(&object, &resource, nullptr, nullptr));
    texture.filterMode = static_cast<cudaTextureFilterMode>(7);
    SAY(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    texture.filterMode = cudaFilterModePoint;
    resource.resType = static_cast<cudaResourceType>(9);
    SAY(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    resource.resType = cudaResourceTypeArray;
    SAY(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    cudaResourceDesc told{};
    cudaTextureDesc told_texture{};
    cudaResourceViewDesc view{};
    SAY(cudaGetTextureObjectResourceDesc(&told, object));
    VALUE(told.resType);
    SAY(cudaGetTextureObjectTextureDesc(&told_texture, object));
    VALUE(told_texture.readMode);
    SAY(cudaGetTextureObjectResourceViewDesc(&view, object));
    SAY(cudaGetTextureObjectResourceDesc(nullptr, object));
    SAY(cudaDestroyTextureObject(object));
    SAY(cudaDestroyTextureObject(0));
    cudaSurfaceObject_t surface = 0;
    SAY(cudaCreateSurfaceObject(&surface, &resource)); // the array is not made for it
    SAY(cudaCreateSurfaceObject(nullptr, &resource));
    SAY(cudaDestroySurfaceObject(0));
    SAY(cudaFreeArray(array));
    SAY(cudaFreeArray(nullptr));
    cudaMipmappedArray_t levels = nullptr;
    SAY(cudaMallocMipmappedArray(&levels, &format, {8, 8, 0}, 2));
    SAY(cudaGetMipmappedArrayLevel(&array, levels, 1));
    SAY(cudaGetMipmappedArrayLevel(&array, levels, 7));
    SAY(cudaFreeMipmappedArray(levels));
    SAY(cudaFreeMipmappedArray(nullptr));
    (void)cudaGetLastError();
}

void streams() {
    cudaStream_t stream = nullptr;
    SAY(cudaStreamCreate(nullptr));
    SAY(cudaStreamCreateWithFlags(&stream, 77));
    SAY(cudaStreamCreateWithPriority(&stream, 0, 1000));
    SAY(cudaStreamDestroy(stream));
    SAY(cudaStreamDestroy(nullptr));
    SAY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    unsigned flags = 9;
    int priority = 9, device = -1;
    SAY(cudaStreamGetFlags(stream, &flags));
    VALUE(flags);
    SAY(cudaStreamGetFlags(stream, nullptr));
    SAY(cudaStreamGetFlags(nullptr, &flags));
    VALUE(flags);
    SAY(cudaStreamGetPriority(stream, &priority));
    VALUE(priority);
#if CUDART_VERSION >= 12000
    SAY(cudaStreamGetDevice(stream, &device));
    VALUE(device);
    SAY(cudaStreamGetDevice(stream, nullptr));
#endif
    SAY(cudaStreamQuery(stream));
    SAY(cudaStreamQuery(nullptr));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaStreamSynchronize(cudaStreamLegacy));
    SAY(cudaStreamSynchronize(cudaStreamPerThread));
    SAY(cudaStreamWaitEvent(stream, nullptr, 0));
    SAY(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
    SAY(cudaLaunchHostFunc(stream, nullptr, nullptr));
    cudaEvent_t event = nullptr, other = nullptr;
    float ms = 0;
    SAY(cudaEventCreate(nullptr));
    SAY(cudaEventCreateWithFlags(&event, 0x100));
    SAY(cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    SAY(cudaEventCreate(&event));
    SAY(cudaEventCreateWithFlags(&other, cudaEventDisableTiming));
    SAY(cudaEventQuery(event));
    SAY(cudaEventSynchronize(event));
    SAY(cudaEventElapsedTime(&ms, event, event));
    SAY(cudaEventRecord(event, stream));
    SAY(cudaEventRecord(event, nullptr));
    SAY(cudaEventRecord(nullptr, stream));
    SAY(cudaEventRecordWithFlags(event, stream, 55));
    SAY(cudaEventSynchronize(event));
    SAY(cudaEventSynchronize(nullptr));
    SAY(cudaEventQuery(nullptr));
    SAY(cudaEventElapsedTime(&ms, event, event));
    SAY(cudaEventElapsedTime(nullptr, event, event));
    SAY(cudaEventElapsedTime(&ms, event, nullptr));
    SAY(cudaEventRecord(other, stream));
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaEventElapsedTime(&ms, event, other));
    SAY(cudaStreamWaitEvent(stream, event, 0));
    SAY(cudaStreamWaitEvent(stream, event, 55));
    SAY(cudaEventDestroy(event));
    SAY(cudaEventDestroy(nullptr));
    SAY(cudaEventDestroy(other));
    // Captures.
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;
    SAY(cudaStreamIsCapturing(stream, &status));
    VALUE(status);
    SAY(cudaStreamIsCapturing(stream, nullptr));
    SAY(cudaStreamIsCapturing(nullptr, &status));
    SAY(cudaStreamEndCapture(stream, &graph));
    SAY(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(9)));
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    SAY(cudaStreamIsCapturing(stream, &status));
    VALUE(status);
    SAY(cudaStreamQuery(stream));
    SAY(cudaStreamIsCapturing(stream, &status));
    VALUE(status);
    SAY(cudaStreamEndCapture(stream, &graph));
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    SAY(cudaStreamEndCapture(stream, &graph));
    std::size_t count = 9;
    SAY(cudaGraphGetNodes(graph, nullptr, &count));
    VALUE(count);
    SAY(cudaGraphDestroy(graph));
    SAY(cudaStreamDestroy(stream));
    (void)cudaGetLastError();
}

void graphs() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t node = nullptr, second = nullptr;
    SAY(cudaGraphCreate(nullptr, 0));
    SAY(cudaGraphCreate(&graph, 1));
    SAY(cudaGraphCreate(&graph, 0));
    SAY(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
    SAY(cudaGraphAddEmptyNode(&second, graph, &node, 1));
    SAY(cudaGraphAddEmptyNode(&second, graph, nullptr, 1));
    SAY(cudaGraphAddDependencies(graph, &node, &second, nullptr, 1));
    SAY(cudaGraphAddDependencies(graph, &second, &second, nullptr, 1));
    cudaGraphNodeType type{};
    SAY(cudaGraphNodeGetType(node, &type));
    VALUE(type);
    SAY(cudaGraphNodeGetType(node, nullptr));
    SAY(cudaGraphNodeGetType(nullptr, &type));
    std::size_t count = 0;
    SAY(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    VALUE(count);
    SAY(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, nullptr));
    SAY(cudaGraphAddKernelNode(&second, graph, nullptr, 0, nullptr));
    cudaKernelNodeParams kernel{};
    SAY(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
    kernel.func = &not_registered;
    SAY(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
    char host[16] = {};
    void* pointer = nullptr;
    SAY(cudaMalloc(&pointer, 16));
    SAY(cudaGraphAddMemcpyNode1D(&second, graph, nullptr, 0, pointer, host, 16, static_cast<cudaMemcpyKind>(9)));
    SAY(cudaGraphAddMemcpyNode1D(&second, graph, nullptr, 0, pointer, host, 0, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&second, graph, nullptr, 0, pointer, host, 16, cudaMemcpyHostToDevice));
    SAY(cudaGraphAddMemcpyNode1D(&second, graph, nullptr, 0, pointer, host, 16, cudaMemcpyDefault));
    SAY(cudaGraphAddHostNode(&second, graph, nullptr, 0, nullptr));
    SAY(cudaGraphAddMemsetNode(&second, graph, nullptr, 0, nullptr));
    SAY(cudaGraphInstantiate(nullptr, graph, 0));
    SAY(cudaGraphInstantiate(&exec, nullptr, 0));
    SAY(cudaGraphInstantiate(&exec, graph, 0x1000));
    SAY(cudaGraphInstantiate(&exec, graph, 0));
#if CUDART_VERSION >= 12000
    unsigned long long flags = 7;
    SAY(cudaGraphExecGetFlags(exec, &flags));
    VALUE(flags);
#endif
    SAY(cudaGraphLaunch(exec, nullptr));
    SAY(cudaGraphLaunch(nullptr, nullptr));
    SAY(cudaDeviceSynchronize());
    SAY(cudaGraphExecDestroy(exec));
    SAY(cudaGraphExecDestroy(nullptr));
    SAY(cudaGraphDestroy(graph));
    SAY(cudaGraphDestroy(nullptr));
    SAY(cudaFree(pointer));
    cudaUserObject_t object = nullptr;
    SAY(cudaUserObjectCreate(&object, nullptr, nullptr, 1, 0));
    SAY(cudaUserObjectRelease(nullptr, 1));
    (void)cudaGetLastError();
}

void kernels() {
    const Kernels registered;
    void* pointer = nullptr;
    SAY(cudaMalloc(&pointer, 4096));
    SAY(launch_fill(static_cast<unsigned*>(pointer), 5, 100));
    SAY(cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&not_registered, dim3(1), dim3(1), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&not_in_module, dim3(1), dim3(1), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(0), dim3(1), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(0), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(1025), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(64, 64), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(1, 1, 65), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1, 65536), dim3(1), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1, 1, 65536), dim3(1), nullptr, 0, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(1), nullptr, 60000, nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(1), nullptr, 1 << 30, nullptr));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaLaunchKernel(&count, dim3(2), dim3(2), nullptr, 0, nullptr));
    SAY(cudaLaunchCooperativeKernel(&count, dim3(1), dim3(32), nullptr, 0, nullptr));
    SAY(cudaLaunchCooperativeKernel(&count, dim3(1 << 20), dim3(1024), nullptr, 0, nullptr));
    cudaLaunchConfig_t config{};
    SAY(cudaLaunchKernelExC(&config, &count, nullptr)); // no block at all
    SAY(cudaLaunchKernelExC(nullptr, &count, nullptr));
    config.gridDim = config.blockDim = dim3(1);
    SAY(cudaLaunchKernelExC(&config, &count, nullptr));
    config.numAttrs = 1;
    SAY(cudaLaunchKernelExC(&config, &count, nullptr)); // attributes are null
    SAY(cudaDeviceSynchronize());
    unsigned number = 0;
    SAY(cudaMemcpyFromSymbol(&number, &counter, 4));
    VALUE(number);
    SAY(cudaMemcpyFromSymbol(&number, &not_registered, 4));
    SAY(cudaMemcpyFromSymbol(&number, nullptr, 4));
    SAY(cudaMemcpyFromSymbol(&number, &counter, 4, 4));
    SAY(cudaMemcpyFromSymbol(&number, &counter, 8));
    SAY(cudaMemcpyFromSymbol(nullptr, &counter, 4));
    SAY(cudaMemcpyFromSymbol(&number, &counter, 4, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyToSymbol(&counter, &number, 4, 0, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyToSymbol(&counter, &number, 4, 0, static_cast<cudaMemcpyKind>(9)));
    SAY(cudaMemcpyToSymbol(&counter, &number, 4, 0, cudaMemcpyDefault));
    std::size_t size = 0;
    SAY(cudaGetSymbolSize(&size, table));
    VALUE(size);
    SAY(cudaGetSymbolSize(&size, &not_registered));
    SAY(cudaGetSymbolSize(nullptr, table));
    SAY(cudaGetSymbolAddress(nullptr, table));
    SAY(cudaGetSymbolAddress(&pointer, &not_registered));
    cudaFuncAttributes attributes{};
    SAY(cudaFuncGetAttributes(&attributes, &fill));
    VALUE(attributes.ptxVersion);
    VALUE(attributes.sharedSizeBytes);
    VALUE(attributes.maxDynamicSharedSizeBytes);
    VALUE(attributes.preferredShmemCarveout);
    VALUE_HERE(attributes.maxThreadsPerBlock);
    VALUE_HERE(attributes.numRegs);
    VALUE_HERE(attributes.binaryVersion);
    SAY(cudaFuncGetAttributes(nullptr, &fill));
    SAY(cudaFuncGetAttributes(&attributes, &not_registered));
    SAY(cudaFuncGetAttributes(&attributes, nullptr));
    SAY(cudaFuncSetAttribute(&fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    SAY(cudaFuncSetAttribute(&fill, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    SAY(cudaFuncSetAttribute(&fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    SAY(cudaFuncSetAttribute(&fill, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    SAY(cudaFuncSetAttribute(&fill, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    SAY(cudaFuncSetAttribute(&fill, static_cast<cudaFuncAttribute>(0), 1));
    SAY(cudaFuncSetAttribute(&fill, static_cast<cudaFuncAttribute>(99), 1));
    SAY(cudaFuncSetAttribute(&not_registered, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
    SAY(cudaFuncSetCacheConfig(&fill, cudaFuncCachePreferShared));
    SAY(cudaFuncSetCacheConfig(&fill, static_cast<cudaFuncCache>(44)));
    int blocks = 0;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 128, 0));
    VALUE_HERE(blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 4096, 0));
    VALUE(blocks);
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, &fill, 128, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &not_registered, 128, 0));
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&size, &fill, 1, 128));
    VALUE_HERE(size);
    SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&size, &fill, 0, 128));
#if CUDART_VERSION >= 12000
    const char* name = nullptr;
    SAY(cudaFuncGetName(&name, &fill));
    std::printf("= name %s\n", name ? name : "none");
    SAY(cudaFuncGetName(nullptr, &fill));
    std::size_t offset = 0;
    SAY(cudaFuncGetParamInfo(&fill, 2, &offset, &size));
    VALUE(offset);
    SAY(cudaFuncGetParamInfo(&fill, 3, &offset, &size));
    cudaKernel_t kernel = nullptr;
    SAY(cudaGetKernel(&kernel, &fill));
    SAY(cudaGetKernel(&kernel, &not_registered));
    SAY(cudaGetKernel(nullptr, &fill));
#endif
    cudaFunction_t function = nullptr;
    SAY(cudaGetFuncBySymbol(&function, &fill));
    SAY(cudaGetFuncBySymbol(&function, &not_registered));
    dim3 grid, block;
    cudaStream_t stream = nullptr;
    SAY(__cudaPopCallConfiguration(&grid, &block, &size, static_cast<void*>(&stream)));
    SAY(cudaGetLastError());
#if CUDART_VERSION >= 12000
    cudaDriverEntryPointQueryResult status{};
    SAY(cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 12000, cudaEnableDefault, &status));
    VALUE(status);
    SAY(cudaGetDriverEntryPointByVersion("cuNothingAtAll", &pointer, 12000, cudaEnableDefault, &status));
    VALUE(status);
    VALUE(pointer == nullptr);
    SAY(cudaGetDriverEntryPointByVersion("cuNothingAtAll", &pointer, 12000, cudaEnableDefault, nullptr));
    SAY(cudaGetDriverEntryPointByVersion("cuLibraryLoadData", &pointer, 11000, cudaEnableDefault, &status));
    VALUE(status);
    SAY(cudaGetDriverEntryPointByVersion("cuMemAlloc", &pointer, 12000, 99, &status));
    SAY(cudaGetDriverEntryPointByVersion(nullptr, &pointer, 12000, cudaEnableDefault, &status));
    SAY(cudaGetDriverEntryPointByVersion("cuMemAlloc", nullptr, 12000, cudaEnableDefault, &status));
#endif
    (void)cudaGetLastError();
}

void pools() {
    cudaMemPool_t pool = nullptr;
    void* pointer = nullptr;
    SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
    SAY(cudaDeviceGetDefaultMemPool(&pool, 1000));
    SAY(cudaDeviceGetDefaultMemPool(nullptr, 0));
    SAY(cudaMallocAsync(&pointer, 0, nullptr));
    SAY(cudaMallocAsync(nullptr, 8, nullptr));
    SAY(cudaMallocAsync(&pointer, 64, nullptr));
    SAY(cudaFreeAsync(nullptr, nullptr));
    SAY(cudaFreeAsync(pointer, nullptr));
    SAY(cudaDeviceSynchronize());
    SAY(cudaMemPoolTrimTo(pool, 0));
    SAY(cudaMemPoolTrimTo(nullptr, 0));
    SAY(cudaMemPoolDestroy(nullptr));
    SAY(cudaMemPoolDestroy(pool));
    int number = 7;
    SAY(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &number));
    VALUE(number);
    SAY(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(99), &number));
    SAY(cudaMemPoolCreate(nullptr, nullptr));
    cudaMemPoolProps properties{};
    SAY(cudaMemPoolCreate(&pool, &properties));
    (void)cudaGetLastError();
}

/// Last, as nothing works after it.
void fault() {
    const Kernels registered;
    void* pointer = nullptr;
    SAY(cudaLaunchKernel(&wrong, dim3(1), dim3(1), nullptr, 0, nullptr));
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaPeekAtLastError());
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaPeekAtLastError());
    SAY(cudaMalloc(&pointer, 8));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    int number = 0;
    SAY(cudaGetDeviceCount(&number));
    SAY(cudaGetDevice(&number));
    SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    SAY(cudaStreamSynchronize(nullptr));
    SAY(cudaLaunchKernel(&count, dim3(1), dim3(1), nullptr, 0, nullptr));
    cudaError_t elsewhere = cudaSuccess;
    std::thread([&] { elsewhere = cudaGetLastError(); }).join();
    line('=', "cudaGetLastError() in another thread", elsewhere);
    std::thread([&] { elsewhere = cudaDeviceSynchronize(); }).join();
    line('=', "cudaDeviceSynchronize() in another thread", elsewhere);
}

} // namespace

int main() {
    std::signal(SIGSEGV, leave_call);
    before_anything();
    names();
    devices();
    limits();
    memory();
    arrays();
    streams();
    graphs();
    kernels();
    pools();
    SAY(cudaDeviceReset());
    SAY(cudaDeviceSynchronize());
    fault();
    return 0;
}
