// SPDX-License-Identifier: Apache-2.0
// Entry points that got a second symbol later: the first one does the same. This file knows no CUDA header, which
// would rename them.
#include "unsupported.hpp"

#include <cstddef>

#define WL_FIRST_FORM(symbol, since, newer, parameters, arguments)                                                     \
    extern "C" int newer parameters;                                                                                   \
    extern "C" WL_API int symbol parameters { return newer arguments; }                                                \
    static const warplight::software::Registration registration_##symbol{                                              \
        #symbol, warplight::software::version_of(#symbol, since), reinterpret_cast<void*>(&(symbol))};

WL_FIRST_FORM(cuCtxCreate, 2000, cuCtxCreate_v2, (void** context, unsigned flags, int device), (context, flags, device))
WL_FIRST_FORM(cuCtxDestroy, 2000, cuCtxDestroy_v2, (void* context), (context))
WL_FIRST_FORM(cuCtxPopCurrent, 2000, cuCtxPopCurrent_v2, (void** context), (context))
WL_FIRST_FORM(cuCtxPushCurrent, 2000, cuCtxPushCurrent_v2, (void* context), (context))
WL_FIRST_FORM(cuEventDestroy, 2000, cuEventDestroy_v2, (void* event), (event))
WL_FIRST_FORM(cuLinkAddData, 5050, cuLinkAddData_v2,
              (void* state, int type, void* data, std::size_t size, const char* name, unsigned count, int* options,
               void** values),
              (state, type, data, size, name, count, options, values))
WL_FIRST_FORM(cuLinkAddFile, 5050, cuLinkAddFile_v2,
              (void* state, int type, const char* path, unsigned count, int* options, void** values),
              (state, type, path, count, options, values))
WL_FIRST_FORM(cuLinkCreate, 5050, cuLinkCreate_v2, (unsigned count, int* options, void** values, void** state),
              (count, options, values, state))
WL_FIRST_FORM(cuMemHostRegister, 4000, cuMemHostRegister_v2, (void* pointer, std::size_t size, unsigned flags),
              (pointer, size, flags))
WL_FIRST_FORM(cuStreamDestroy, 2000, cuStreamDestroy_v2, (void* stream), (stream))

extern "C" int cuMemAllocHost_v2(void** pointer, std::size_t size);
extern "C" WL_API int cuMemAllocHost(void** pointer, unsigned size) { return cuMemAllocHost_v2(pointer, size); }
static const warplight::software::Registration registration_cuMemAllocHost{"cuMemAllocHost", 2000,
                                                                           reinterpret_cast<void*>(&cuMemAllocHost)};

struct IpcHandle { // by value, as CUipcMemHandle
    char reserved[64];
};
WL_FIRST_FORM(cuIpcOpenMemHandle, 4010, cuIpcOpenMemHandle_v2,
              (unsigned long long* address, IpcHandle handle, unsigned flags), (address, handle, flags))
