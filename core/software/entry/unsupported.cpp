// SPDX-License-Identifier: Apache-2.0
// Entry points of the device interface that the software device does not support.
#include "unsupported.hpp"

// Graphs that other processes' semaphores take part in, and those that choose their way.
WL_NOT_SUPPORTED_SINCE(cuGraphAddExternalSemaphoresSignalNode, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphAddExternalSemaphoresWaitNode, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphExecExternalSemaphoresSignalNodeSetParams, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphExecExternalSemaphoresWaitNodeSetParams, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphExternalSemaphoresSignalNodeGetParams, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphExternalSemaphoresSignalNodeSetParams, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphExternalSemaphoresWaitNodeGetParams, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphExternalSemaphoresWaitNodeSetParams, 11020)
WL_NOT_SUPPORTED_SINCE(cuGraphConditionalHandleCreate, 12030)
WL_NOT_SUPPORTED_SINCE(cuLaunchCooperativeKernelMultiDevice, 9000)

// OpenGL.
WL_NOT_SUPPORTED(cuGLCtxCreate_v2)
WL_NOT_SUPPORTED(cuGLInit)
WL_NOT_SUPPORTED(cuGLMapBufferObject_v2)
WL_NOT_SUPPORTED(cuGLRegisterBufferObject)
WL_NOT_SUPPORTED(cuGLUnmapBufferObject)
WL_NOT_SUPPORTED(cuGLUnregisterBufferObject)
WL_NOT_SUPPORTED(cuGraphicsGLRegisterBuffer)
WL_NOT_SUPPORTED(cuGraphicsGLRegisterImage)
WL_NOT_SUPPORTED(cuGraphicsMapResources)
WL_NOT_SUPPORTED(cuGraphicsResourceGetMappedPointer_v2)
WL_NOT_SUPPORTED(cuGraphicsSubResourceGetMappedArray)
WL_NOT_SUPPORTED(cuGraphicsUnmapResources)
WL_NOT_SUPPORTED(cuGraphicsUnregisterResource)
WL_NOT_SUPPORTED_SINCE(cuGLGetDevices, 4010)
WL_NOT_SUPPORTED_SINCE(cuGLGetDevices_v2, 6050)
WL_NOT_SUPPORTED_SINCE(cuGLMapBufferObjectAsync, 2030)
WL_NOT_SUPPORTED_SINCE(cuGLMapBufferObjectAsync_v2, 3020)
WL_NOT_SUPPORTED_SINCE(cuGLMapBufferObjectAsync_v2_ptsz, 7000)
WL_NOT_SUPPORTED_SINCE(cuGLSetBufferObjectMapFlags, 2030)
WL_NOT_SUPPORTED_SINCE(cuGLUnmapBufferObjectAsync, 2030)
WL_NOT_SUPPORTED_SINCE(cuGraphicsResourceGetMappedMipmappedArray, 5000)
WL_NOT_SUPPORTED_SINCE(cuGraphicsResourceSetMapFlags, 3000)
WL_NOT_SUPPORTED_SINCE(cuGraphicsResourceSetMapFlags_v2, 6050)
WL_NOT_SUPPORTED_SINCE(cuGLCtxCreate, 2000)
WL_NOT_SUPPORTED_SINCE(cuGLMapBufferObject, 2000)
WL_NOT_SUPPORTED_SINCE(cuGLMapBufferObject_v2_ptds, 7000)
WL_NOT_SUPPORTED_SINCE(cuGraphicsMapResources_ptsz, 7000)
WL_NOT_SUPPORTED_SINCE(cuGraphicsUnmapResources_ptsz, 7000)
WL_NOT_SUPPORTED_SINCE(cuGraphicsResourceGetMappedPointer, 3000)

// Deprecated since 12.0: drivers say so even before cuInit.
extern "C" WL_API int cuProfilerInitialize() { return kNotSupported; }
static const warplight::software::Registration registration_cuProfilerInitialize{
    "cuProfilerInitialize", warplight::software::version_of("cuProfilerInitialize"),
    reinterpret_cast<void*>(&cuProfilerInitialize)};
