/* SPDX-License-Identifier: Apache-2.0
 * What driver_program is linked with in place of NVIDIA's driver: the symbols it needs. None is ever to be called. */
#define STAND_IN(symbol)                                                                                               \
    int symbol(void);                                                                                                  \
    int symbol(void) { return 34; } /* CUDA_ERROR_STUB_LIBRARY */

STAND_IN(cuInit)
STAND_IN(cuDeviceGetCount)
STAND_IN(cuDeviceGet)
STAND_IN(cuDeviceGetAttribute)
STAND_IN(cuDeviceTotalMem_v2)
STAND_IN(cuDevicePrimaryCtxRetain)
STAND_IN(cuDevicePrimaryCtxRelease_v2)
STAND_IN(cuCtxPushCurrent_v2)
STAND_IN(cuCtxPopCurrent_v2)
STAND_IN(cuModuleLoadData)
STAND_IN(cuModuleUnload)
STAND_IN(cuModuleGetFunction)
STAND_IN(cuMemAlloc_v2)
STAND_IN(cuMemFree_v2)
STAND_IN(cuMemcpyHtoD_v2)
STAND_IN(cuMemcpyDtoH_v2)
STAND_IN(cuLaunchKernel)
STAND_IN(cuCtxGetCurrent)
STAND_IN(cuCtxSynchronize)
STAND_IN(cuGetErrorString)
STAND_IN(cuGetExportTable)
