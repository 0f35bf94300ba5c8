// SPDX-License-Identifier: Apache-2.0
// What the software device does not do of what programs for the workbench's own interface ask for.
#include "unsupported.hpp"

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
WL_NOT_SUPPORTED(cuGLGetDevices, 4010)
WL_NOT_SUPPORTED(cuGLGetDevices_v2, 6050)
WL_NOT_SUPPORTED(cuGLMapBufferObjectAsync, 2030)
WL_NOT_SUPPORTED(cuGLMapBufferObjectAsync_v2, 3020)
WL_NOT_SUPPORTED(cuGLMapBufferObjectAsync_v2_ptsz, 7000)
WL_NOT_SUPPORTED(cuGLSetBufferObjectMapFlags, 2030)
WL_NOT_SUPPORTED(cuGLUnmapBufferObjectAsync, 2030)
WL_NOT_SUPPORTED(cuGraphicsResourceGetMappedMipmappedArray, 5000)
WL_NOT_SUPPORTED(cuGraphicsResourceSetMapFlags, 3000)
WL_NOT_SUPPORTED(cuGraphicsResourceSetMapFlags_v2, 6050)
WL_NOT_SUPPORTED(cuGLCtxCreate, 2000)
WL_NOT_SUPPORTED(cuGLMapBufferObject, 2000)
WL_NOT_SUPPORTED(cuGLMapBufferObject_v2_ptds, 7000)
WL_NOT_SUPPORTED(cuGraphicsMapResources_ptsz, 7000)
WL_NOT_SUPPORTED(cuGraphicsUnmapResources_ptsz, 7000)
WL_NOT_SUPPORTED(cuGraphicsResourceGetMappedPointer, 3000)

// Deprecated since 12.0: drivers say so even before cuInit.
extern "C" WL_API int cuProfilerInitialize() { return kNotSupported; }
static const warplight::software::Registration registration_cuProfilerInitialize{
    "cuProfilerInitialize", 4000, reinterpret_cast<void*>(&cuProfilerInitialize)};
