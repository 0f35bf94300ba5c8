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

// NOLINTBEGIN(bugprone-macro-parentheses): symbol is declared
#define WL_NOT_SUPPORTED(symbol, since)                                                                                \
    extern "C" WL_API int symbol() { return warplight::software::initialised() ? kNotSupported : kNotInitialised; }    \
    static const warplight::software::Registration registration_##symbol{#symbol, since,                               \
                                                                         reinterpret_cast<void*>(&symbol)};
// NOLINTEND(bugprone-macro-parentheses)

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

// Deprecated since 12.0: drivers say so even before cuInit.
extern "C" WL_API int cuProfilerInitialize() { return kNotSupported; }
static const warplight::software::Registration registration_cuProfilerInitialize{
    "cuProfilerInitialize", 4000, reinterpret_cast<void*>(&cuProfilerInitialize)};
