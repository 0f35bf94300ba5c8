// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/library.hpp"
#include "../runtime/module.hpp"
#include "../runtime/readiness.hpp"

#include <cstring>

using namespace warplight::software;

WL_ENTRY(cuFuncGetAttribute, (int* pi, CUfunction_attribute attrib, CUfunction hfunc)) {
    if (const CUresult wrong = look_at([&] { require(pi); })) return wrong;
    return enter([&] {
        const auto value = function_of(hfunc).function->attribute(attrib);
        require(value.has_value());
        *pi = *value;
    });
}

WL_ENTRY(cuFuncSetAttribute, (CUfunction hfunc, CUfunction_attribute attrib, int value)) {
    return enter([&] { function_of(hfunc).function->set_attribute(attrib, value); });
}

WL_ENTRY(cuFuncSetCacheConfig, (CUfunction hfunc, CUfunc_cache config)) {
    return enter([&] {
        require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
        function_of(hfunc).function->cache_config = config;
    });
}

WL_ENTRY(cuFuncSetSharedMemConfig, (CUfunction hfunc, CUsharedconfig config)) {
    return enter([&] {
        require(config >= 0 && config <= 2);
        (void)function_of(hfunc);
    });
}

WL_ENTRY(cuFuncGetModule, (CUmodule * hmod, CUfunction hfunc)) {
    return enter([&] {
        require(hmod && hfunc);
        *hmod = reinterpret_cast<CUmodule>(function_of(hfunc).module.get());
    });
}

WL_ENTRY(cuFuncGetName, (const char** name, CUfunction hfunc)) {
    if (const CUresult wrong = look_at([&] { require(name && hfunc); })) return wrong;
    return enter([&] { *name = function_of(hfunc).function->ptx().name.c_str(); });
}

WL_ENTRY(cuFuncGetParamInfo, (CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize)) {
    if (const CUresult wrong = look_at([&] { require(func && paramOffset); })) return wrong;
    return enter([&] {
        const auto reference = function_of(func);
        const Function& f = *reference.function;
        require(paramIndex < f.parameters.offsets.size());
        *paramOffset = f.parameters.offsets[paramIndex];
        if (paramSize) *paramSize = f.ptx().parameters[paramIndex].size;
    });
}

WL_ENTRY(cuFuncLoad, (CUfunction function)) {
    if (const CUresult wrong = look_at([&] { require(function, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        const auto reference = function_of(function);
        (void)reference.function->compiled_for({0, 0}); // for the usual blocks
        make_ready(*reference.function);
    });
}

#if CUDA_VERSION >= 12040
using LoadingState = CUfunctionLoadingState;
#else
using LoadingState = int;
#endif

WL_ENTRY(cuFuncIsLoaded, (LoadingState * state, CUfunction function)) {
    if (const CUresult wrong = look_at([&] { require(state); })) return wrong;
    return enter([&] {
        (void)function_of(function);
        *state = static_cast<LoadingState>(1); // with its module
    });
}

// The launch interface before CUDA 4: block shape, shared size and packed arguments are kept with the function.

namespace {
/// Of the current context.
FunctionReference own_function(CUfunction handle) {
    const Context& context = current_context();
    FunctionReference reference = function_of(handle);
    if (&reference.module->context != &context)
        fail(CUDA_ERROR_INVALID_HANDLE, "the function belongs to another context");
    return reference;
}
} // namespace

WL_ENTRY(cuFuncSetBlockShape, (CUfunction hfunc, int x, int y, int z)) {
    return enter([&] {
        require(x > 0 && y > 0 && z > 0);
        require(x <= 1024 && y <= 1024 && z <= 64 && std::int64_t{x} * y * z <= 1024);
        own_function(hfunc).function->change_legacy([&](Function::Legacy& legacy) {
            legacy.block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
        });
    });
}

WL_ENTRY(cuFuncSetSharedSize, (CUfunction hfunc, unsigned int bytes)) {
    return enter([&] {
        const auto reference = own_function(hfunc);
        const auto most =
            reference.module->context.device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
        require(bytes <= static_cast<unsigned>(most.value_or(0)));
        reference.function->change_legacy([&](Function::Legacy& legacy) { legacy.shared = bytes; });
    });
}

namespace {
void set_parameter(CUfunction handle, int offset, const void* value, std::size_t size) {
    const auto reference = own_function(handle);
    require(offset >= 0 && offset + size <= 4096);
    reference.function->change_legacy([&](Function::Legacy& legacy) {
        auto& bytes = legacy.parameters;
        if (bytes.size() < offset + size) bytes.resize(offset + size);
        std::memcpy(bytes.data() + offset, value, size);
    });
}
} // namespace

WL_ENTRY(cuParamSetSize, (CUfunction hfunc, unsigned int numbytes)) {
    return enter([&] {
        require(numbytes <= 4096);
        own_function(hfunc).function->change_legacy(
            [&](Function::Legacy& legacy) { legacy.parameters.resize(numbytes); });
    });
}
WL_ENTRY(cuParamSeti, (CUfunction hfunc, int offset, unsigned int value)) {
    return enter([&] { set_parameter(hfunc, offset, &value, sizeof value); });
}
WL_ENTRY(cuParamSetf, (CUfunction hfunc, int offset, float value)) {
    return enter([&] { set_parameter(hfunc, offset, &value, sizeof value); });
}
WL_ENTRY(cuParamSetv, (CUfunction hfunc, int offset, void* ptr, unsigned int numbytes)) {
    return enter([&] {
        (void)own_function(hfunc);
        require(ptr || numbytes == 0);
        set_parameter(hfunc, offset, ptr, numbytes);
    });
}
