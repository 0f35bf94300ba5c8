// SPDX-License-Identifier: Apache-2.0
// NVRTC by its own names, for programs of `warplight-cli exec`. It passes all calls on to NVIDIA's library. Programs
// that compile for a GPU (sm_80) get PTX for its virtual architecture (compute_80), also where they ask for CUBIN, as
// the software device runs PTX.
#include "architecture_options.hpp"
#include "real_library.hpp"

#include <cstddef>
#include <mutex>
#include <unordered_set>

namespace {

using Program = void*;
using Result = int;
// Numbers of nvrtc.h.
constexpr Result kInvalidProgram = 4, kBuiltinOperationFailure = 7, kInternalError = 11;

using warplight::nvrtc::real_function;
using warplight::nvrtc::real_library;

Result missing() { return real_library() ? kInternalError : kBuiltinOperationFailure; }

/// Programs that were compiled for a GPU: their PTX stands for CUBIN.
class Programs {
public:
    void set(Program program, bool for_gpu) {
        const std::scoped_lock lock(mutex_);
        if (for_gpu)
            for_gpu_.insert(program);
        else
            for_gpu_.erase(program);
    }
    bool is_for_gpu(Program program) {
        const std::scoped_lock lock(mutex_);
        return for_gpu_.contains(program);
    }

private:
    std::mutex mutex_;
    std::unordered_set<Program> for_gpu_;
};

Programs& programs() {
    static auto* const all = new Programs; // for threads that run until the end
    return *all;
}

} // namespace

#ifdef _WIN32
#define WL_API extern "C" __declspec(dllexport)
#else
#define WL_API extern "C" __attribute__((visibility("default")))
#endif

/// Tells this library from NVIDIA's.
WL_API const char warplight_nvrtc[] = "Warplight";

// NOLINTBEGIN(bugprone-macro-parentheses): `parameters` are a list with parentheses
#define WARPLIGHT_NVRTC(name, parameters, arguments)                                                                   \
    WL_API Result name parameters {                                                                                    \
        static const auto function = reinterpret_cast<Result(*) parameters>(real_function(#name));                     \
        return function ? function arguments : missing();                                                              \
    }
// NOLINTEND(bugprone-macro-parentheses)
#include "functions.def"
#undef WARPLIGHT_NVRTC

WL_API const char* nvrtcGetErrorString(Result result) {
    static const auto function = reinterpret_cast<const char* (*)(Result)>(real_function("nvrtcGetErrorString"));
    return function ? function(result) : "NVRTC was not found";
}

WL_API Result nvrtcDestroyProgram(Program* program) {
    static const auto function = reinterpret_cast<Result (*)(Program*)>(real_function("nvrtcDestroyProgram"));
    if (!function) return missing();
    if (program) programs().set(*program, false);
    return function(program);
}

WL_API Result nvrtcCompileProgram(Program program, int count, const char* const* options) {
    static const auto function =
        reinterpret_cast<Result (*)(Program, int, const char* const*)>(real_function("nvrtcCompileProgram"));
    if (!function) return missing();
    if (count <= 0 || !options) return function(program, count, options);
    const auto translated = warplight::nvrtc::for_virtual_architecture({options, static_cast<std::size_t>(count)});
    const auto pointers = translated.pointers();
    const Result result = function(program, static_cast<int>(pointers.size()), pointers.data());
    if (program && result != kInvalidProgram) programs().set(program, translated.changed);
    return result;
}

WL_API Result nvrtcGetCUBINSize(Program program, std::size_t* size) {
    static const auto function =
        reinterpret_cast<Result (*)(Program, std::size_t*)>(real_function("nvrtcGetCUBINSize"));
    if (programs().is_for_gpu(program)) return nvrtcGetPTXSize(program, size);
    return function ? function(program, size) : missing();
}

WL_API Result nvrtcGetCUBIN(Program program, char* cubin) {
    static const auto function = reinterpret_cast<Result (*)(Program, char*)>(real_function("nvrtcGetCUBIN"));
    if (programs().is_for_gpu(program)) return nvrtcGetPTX(program, cubin);
    return function ? function(program, cubin) : missing();
}
