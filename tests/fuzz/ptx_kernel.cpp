// SPDX-License-Identifier: Apache-2.0
// PTX of any bytes as a module of the software device: refused with the driver's code, or loaded, and each of its
// kernels compiled, in the way that WARPLIGHT_SOFTWARE_LANES says, and run for a moment.
#include <cuda.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

extern "C" CUresult cuxWarplightCancel(CUcontext context);

#if CUDA_VERSION < 12040
extern "C" {
CUresult cuFuncLoad(CUfunction function);
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module);
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module);
}
#endif

namespace {

constexpr std::size_t kMostLines = 400; ///< of a module: what is larger only takes longer

constexpr std::size_t kMemory = std::size_t{1} << 20;
constexpr std::size_t kParameters = 8192; ///< more bytes than one may have

CUcontext context = nullptr;
CUdeviceptr memory = 0;

void require(bool condition) {
    if (!condition) std::abort();
}

void make_context() {
#if CUDA_VERSION >= 13000
    require(cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS);
#else
    require(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
#endif
    require(cuMemAlloc(&memory, kMemory) == CUDA_SUCCESS);
}

/// Whether it can get at addresses of the process: of its stack, its parameters, what was called.
bool harmless(std::string_view text) {
    for (const char* part : {".local", "call", "%envreg", "cvta.param", "cvta.u64"})
        if (text.find(part) != std::string_view::npos) return false;
    return true;
}

/// All parameters are addresses of memory. What is not over soon is cancelled.
void run(CUfunction f) {
    using Clock = std::chrono::steady_clock;
    static std::vector<CUdeviceptr> parameter(kParameters / sizeof(CUdeviceptr));
    for (CUdeviceptr& p : parameter)
        p = memory + kMemory / 2;
    static std::vector<void*> parameters(kParameters);
    for (void*& p : parameters)
        p = parameter.data();
    if (cuLaunchKernel(f, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters.data(), nullptr) != CUDA_SUCCESS) return;
    const auto soon = Clock::now() + std::chrono::milliseconds(100);
    while (cuStreamQuery(nullptr) == CUDA_ERROR_NOT_READY) {
        std::this_thread::yield();
        if (Clock::now() < soon) continue;
        require(cuxWarplightCancel(context) == CUDA_SUCCESS);
        break;
    }
    if (cuCtxSynchronize() == CUDA_SUCCESS) return;
    require(cuCtxDestroy(context) == CUDA_SUCCESS);
    make_context();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    // Code that is kept would fill the disk.
    for (const char* name : {"WARPLIGHT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"})
        unsetenv(name);
    require(cuInit(0) == CUDA_SUCCESS);
    make_context();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (text.find('\0') != std::string::npos) return -1; // other images are for fuzz_image
    std::size_t statements = 0;
    for (const char c : text)
        statements += c == ';';
    if (statements > kMostLines) return -1;
    char log[4096] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module = nullptr;
    const CUresult loaded = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
    if (loaded != CUDA_SUCCESS) {
        require(loaded == CUDA_ERROR_INVALID_PTX || loaded == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
                loaded == CUDA_ERROR_INVALID_IMAGE || loaded == CUDA_ERROR_NO_BINARY_FOR_GPU ||
                loaded == CUDA_ERROR_OUT_OF_MEMORY || loaded == CUDA_ERROR_INVALID_SOURCE);
        return loaded == CUDA_ERROR_INVALID_PTX ? 0 : -1;
    }
    unsigned count = 0;
    require(cuModuleGetFunctionCount(&count, module) == CUDA_SUCCESS);
    std::vector<CUfunction> functions(count);
    require(cuModuleEnumerateFunctions(functions.data(), count, module) == CUDA_SUCCESS);
    for (CUfunction f : functions) {
        const CUresult compiled = cuFuncLoad(f);
        require(compiled == CUDA_SUCCESS || compiled == CUDA_ERROR_INVALID_PTX);
    }
    const bool runs = !functions.empty() && harmless(text);
    if (runs) run(functions[0]);
    (void)cuModuleUnload(module); // gone where the context is
    return 0;
}
