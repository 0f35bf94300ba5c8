// SPDX-License-Identifier: Apache-2.0
// Any bytes as a module, a library and an input of the linker, with no readable memory behind them: refused with the
// driver's code, or loaded.
#include <cuda.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t kRoom = std::size_t{1} << 16;
CUdeviceptr memory = 0;

void require(bool condition) {
    if (!condition) std::abort();
}

bool known(CUresult code) {
    switch (code) {
    case CUDA_SUCCESS:
    case CUDA_ERROR_INVALID_VALUE: // of an input's type
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_SOURCE:
    case CUDA_ERROR_UNKNOWN: // of what is no object
        return true;
    default: return false;
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    require(cuInit(0) == CUDA_SUCCESS);
    CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
    require(cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS);
#else
    require(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
#endif
    require(cuMemAlloc(&memory, kRoom) == CUDA_SUCCESS); // with a gap behind it
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > kRoom) return -1;
    void* const image = reinterpret_cast<char*>(memory) + kRoom - size;
    if (size > 0) std::memcpy(image, data, size);

    char log[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module = nullptr;
    const CUresult loaded = cuModuleLoadDataEx(&module, image, 2, options, values);
    require(known(loaded));
    if (loaded == CUDA_SUCCESS) require(cuModuleUnload(module) == CUDA_SUCCESS);

#if CUDA_VERSION >= 12000
    CUlibrary library = nullptr;
    require(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_SUCCESS);
    // A library's code is looked at when something of it is used, with the same outcome.
    require(cuLibraryGetModule(&module, library) == loaded);
    require(cuLibraryUnload(library) == CUDA_SUCCESS);
#endif

    if (size == 0) return 0;
    for (int type = CU_JIT_INPUT_CUBIN; type <= CU_JIT_INPUT_LIBRARY; ++type) {
        CUlinkState link = nullptr;
        require(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
        const CUresult added =
            cuLinkAddData(link, static_cast<CUjitInputType>(type), image, size, "input", 0, nullptr, nullptr);
        require(known(added));
        void* linked = nullptr;
        std::size_t bytes = 0;
        const CUresult completed = cuLinkComplete(link, &linked, &bytes);
        require(known(completed));
        require(cuLinkDestroy(link) == CUDA_SUCCESS);
    }
    return 0;
}
