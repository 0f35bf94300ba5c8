/* SPDX-License-Identifier: Apache-2.0
 * What exported programs are linked with in place of NVIDIA's driver, as with the toolkit's stub. None is ever called.
 */
#define SYMBOL(symbol)                                                                                                 \
    int symbol(void);                                                                                                  \
    int symbol(void) { return 34; } /* CUDA_ERROR_STUB_LIBRARY */

SYMBOL(cuArray3DCreate_v2)
SYMBOL(cuArrayDestroy)
SYMBOL(cuCtxSetCurrent)
SYMBOL(cuDeviceGet)
SYMBOL(cuDeviceGetAttribute)
SYMBOL(cuDevicePrimaryCtxRelease_v2)
SYMBOL(cuDevicePrimaryCtxRetain)
SYMBOL(cuEventCreate)
SYMBOL(cuEventDestroy_v2)
SYMBOL(cuEventElapsedTime)
SYMBOL(cuEventElapsedTime_v2)
SYMBOL(cuEventRecord)
SYMBOL(cuEventSynchronize)
SYMBOL(cuFuncSetAttribute)
SYMBOL(cuGetErrorString)
SYMBOL(cuInit)
SYMBOL(cuLaunchCooperativeKernel)
SYMBOL(cuLaunchKernel)
SYMBOL(cuMemAlloc_v2)
SYMBOL(cuMemFree_v2)
SYMBOL(cuMemcpy3D_v2)
SYMBOL(cuMemcpyDtoH_v2)
SYMBOL(cuMemcpyHtoD_v2)
SYMBOL(cuModuleGetFunction)
SYMBOL(cuModuleGetGlobal_v2)
SYMBOL(cuModuleLoadData)
SYMBOL(cuModuleUnload)
SYMBOL(cuSurfObjectCreate)
SYMBOL(cuSurfObjectDestroy)
SYMBOL(cuTexObjectCreate)
SYMBOL(cuTexObjectDestroy)
