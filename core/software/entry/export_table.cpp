// SPDX-License-Identifier: Apache-2.0
// The driver's private tables, by which NVIDIA's own libraries reach into it. Their content is not published and the
// CUDA runtime checks whose they are, so there are none here; but a program that asks should learn why it stops.
#include "entry.hpp"

#include <atomic>
#include <cstdio>

using namespace warplight::software;

WL_ENTRY(cuGetExportTable, 3000, (const void** ppExportTable, const CUuuid* pExportTableId)) {
    if (!ppExportTable || !pExportTableId) return CUDA_ERROR_INVALID_VALUE;
    static std::atomic<bool> told = false;
    if (!told.exchange(true))
        std::fputs(
            "warplight: this program asks for private tables of NVIDIA's driver, as the CUDA runtime (libcudart) "
            "and libraries built on it do.\n"
            "The software device has none: it runs programs that use the driver API.\n",
            stderr);
    return enter_always([] {
        fail(CUDA_ERROR_NOT_SUPPORTED, "the software device has no private tables: the CUDA runtime cannot use it");
    });
}
