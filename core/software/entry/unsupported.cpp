// SPDX-License-Identifier: Apache-2.0
// Entry points that the software device has, but answers with CUDA_ERROR_NOT_SUPPORTED. This file knows no CUDA header:
// the answer does not depend on the arguments, so their types do not matter.
#include <cstdint>

#if defined(_WIN32)
#define WL_API __declspec(dllexport)
#else
#define WL_API __attribute__((visibility("default")))
#endif

namespace warplight::software {
struct Registration {
    Registration(const char* symbol, int since, void* function);
};
[[nodiscard]] bool initialised();
} // namespace warplight::software

namespace {
constexpr int kNotInitialised = 3;
constexpr int kNotSupported = 801;
} // namespace

#define WL_NOT_SUPPORTED(symbol, since)                                                                                \
    extern "C" WL_API int symbol() { return warplight::software::initialised() ? kNotSupported : kNotInitialised; }    \
    static const warplight::software::Registration registration_##symbol{#symbol, since,                               \
                                                                         reinterpret_cast<void*>(&symbol)};

// Arrays and copies with them.
WL_NOT_SUPPORTED(cuArray3DCreate_v2, 3020)
WL_NOT_SUPPORTED(cuArray3DGetDescriptor_v2, 3020)
WL_NOT_SUPPORTED(cuArrayCreate_v2, 3020)
WL_NOT_SUPPORTED(cuArrayDestroy, 2000)
WL_NOT_SUPPORTED(cuArrayGetDescriptor_v2, 3020)
WL_NOT_SUPPORTED(cuMemcpyAtoA_v2, 3020)
WL_NOT_SUPPORTED(cuMemcpyAtoD_v2, 3020)
WL_NOT_SUPPORTED(cuMemcpyAtoH_v2, 3020)
WL_NOT_SUPPORTED(cuMemcpyDtoA_v2, 3020)
WL_NOT_SUPPORTED(cuMemcpyHtoA_v2, 3020)

// Texture and surface references.
WL_NOT_SUPPORTED(cuModuleGetSurfRef, 3000)
WL_NOT_SUPPORTED(cuModuleGetTexRef, 2000)
WL_NOT_SUPPORTED(cuParamSetTexRef, 2000)
WL_NOT_SUPPORTED(cuSurfRefGetArray, 3000)
WL_NOT_SUPPORTED(cuSurfRefSetArray, 3000)
WL_NOT_SUPPORTED(cuTexRefCreate, 2000)
WL_NOT_SUPPORTED(cuTexRefDestroy, 2000)
WL_NOT_SUPPORTED(cuTexRefGetAddressMode, 2000)
WL_NOT_SUPPORTED(cuTexRefGetAddress_v2, 3020)
WL_NOT_SUPPORTED(cuTexRefGetArray, 2000)
WL_NOT_SUPPORTED(cuTexRefGetFilterMode, 2000)
WL_NOT_SUPPORTED(cuTexRefGetFlags, 2000)
WL_NOT_SUPPORTED(cuTexRefGetFormat, 2000)
WL_NOT_SUPPORTED(cuTexRefSetAddress2D_v3, 4010)
WL_NOT_SUPPORTED(cuTexRefSetAddressMode, 2000)
WL_NOT_SUPPORTED(cuTexRefSetAddress_v2, 3020)
WL_NOT_SUPPORTED(cuTexRefSetArray, 2000)
WL_NOT_SUPPORTED(cuTexRefSetFilterMode, 2000)
WL_NOT_SUPPORTED(cuTexRefSetFlags, 2000)
WL_NOT_SUPPORTED(cuTexRefSetFormat, 2000)

// Texture and surface objects.
WL_NOT_SUPPORTED(cuTexObjectCreate, 5000)
WL_NOT_SUPPORTED(cuTexObjectDestroy, 5000)
WL_NOT_SUPPORTED(cuTexObjectGetResourceDesc, 5000)
WL_NOT_SUPPORTED(cuTexObjectGetTextureDesc, 5000)
WL_NOT_SUPPORTED(cuTexObjectGetResourceViewDesc, 5000)
WL_NOT_SUPPORTED(cuSurfObjectCreate, 5000)
WL_NOT_SUPPORTED(cuSurfObjectDestroy, 5000)
WL_NOT_SUPPORTED(cuSurfObjectGetResourceDesc, 5000)

// Memory and events of other processes.
WL_NOT_SUPPORTED(cuIpcCloseMemHandle, 4010)
WL_NOT_SUPPORTED(cuIpcGetEventHandle, 4010)
WL_NOT_SUPPORTED(cuIpcGetMemHandle, 4010)
WL_NOT_SUPPORTED(cuIpcOpenEventHandle, 4010)
WL_NOT_SUPPORTED(cuIpcOpenMemHandle_v2, 11000)

// Graphs that other processes' semaphores take part in, and those that choose their way.
WL_NOT_SUPPORTED(cuGraphAddExternalSemaphoresSignalNode, 11020)
WL_NOT_SUPPORTED(cuGraphAddExternalSemaphoresWaitNode, 11020)
WL_NOT_SUPPORTED(cuGraphExecExternalSemaphoresSignalNodeSetParams, 11020)
WL_NOT_SUPPORTED(cuGraphExecExternalSemaphoresWaitNodeSetParams, 11020)
WL_NOT_SUPPORTED(cuGraphExternalSemaphoresSignalNodeGetParams, 11020)
WL_NOT_SUPPORTED(cuGraphExternalSemaphoresSignalNodeSetParams, 11020)
WL_NOT_SUPPORTED(cuGraphExternalSemaphoresWaitNodeGetParams, 11020)
WL_NOT_SUPPORTED(cuGraphExternalSemaphoresWaitNodeSetParams, 11020)
WL_NOT_SUPPORTED(cuGraphConditionalHandleCreate, 12030)
WL_NOT_SUPPORTED(cuLaunchCooperativeKernelMultiDevice, 9000)

// OpenGL.
WL_NOT_SUPPORTED(cuGLCtxCreate_v2, 3020)
WL_NOT_SUPPORTED(cuGLInit, 2000)
WL_NOT_SUPPORTED(cuGLMapBufferObject_v2, 3020)
WL_NOT_SUPPORTED(cuGLRegisterBufferObject, 2000)
WL_NOT_SUPPORTED(cuGLUnmapBufferObject, 2000)
WL_NOT_SUPPORTED(cuGLUnregisterBufferObject, 2000)
WL_NOT_SUPPORTED(cuGraphicsGLRegisterBuffer, 3000)
WL_NOT_SUPPORTED(cuGraphicsGLRegisterImage, 3000)
WL_NOT_SUPPORTED(cuGraphicsMapResources, 3000)
WL_NOT_SUPPORTED(cuGraphicsResourceGetMappedPointer_v2, 3020)
WL_NOT_SUPPORTED(cuGraphicsSubResourceGetMappedArray, 3000)
WL_NOT_SUPPORTED(cuGraphicsUnmapResources, 3000)
WL_NOT_SUPPORTED(cuGraphicsUnregisterResource, 3000)

// Deprecated since 12.0 in every driver.
WL_NOT_SUPPORTED(cuProfilerInitialize, 4000)
