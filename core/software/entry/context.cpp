// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/capture.hpp"
#include "../runtime/context_lifetime.hpp"
#include "../runtime/memory_pool.hpp"

#include <mutex>
#include <set>

using namespace warplight::software;

namespace {

CUcontext handle_of(const std::shared_ptr<Context>& context) { return reinterpret_cast<CUcontext>(context.get()); }

std::shared_ptr<Context> context_of(CUcontext handle) {
    if (!handle) fail(CUDA_ERROR_INVALID_CONTEXT);
    return handles<Context>().get(handle, CUDA_ERROR_INVALID_CONTEXT);
}

/// The given context, or the current one for null.
std::shared_ptr<Context> given_or_current(CUcontext handle) {
    if (handle) return context_of(handle);
    auto context = current_context_or_null();
    if (!context) fail(CUDA_ERROR_INVALID_CONTEXT);
    return context;
}

CUresult create(CUcontext* pctx, unsigned flags, CUdevice dev) {
    return enter([&] {
        require(pctx && (flags & ~0xFFU) == 0 && (flags & CU_CTX_SCHED_MASK) <= 4 && (flags & CU_CTX_SCHED_MASK) != 3);
        auto context = Context::create(device(dev), flags, false);
        context_stack().push_back(context);
        *pctx = handle_of(context);
    });
}

} // namespace

#undef cuCtxCreate
WL_ENTRY(cuCtxCreate_v2, (CUcontext * pctx, unsigned int flags, CUdevice dev)) { return create(pctx, flags, dev); }

WL_ENTRY(cuCtxCreate_v3,
         (CUcontext * pctx, CUexecAffinityParam* paramsArray, int numParams, unsigned int flags, CUdevice dev)) {
    if (numParams != 0 && initialised())
        return paramsArray ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : CUDA_ERROR_INVALID_VALUE;
    return create(pctx, flags, dev);
}

#if CUDA_VERSION >= 12050
WL_ENTRY(cuCtxCreate_v4, (CUcontext * pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev)) {
    if (ctxCreateParams && initialised()) {
        if (ctxCreateParams->numExecAffinityParams != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
        if (ctxCreateParams->cigParams) return CUDA_ERROR_NOT_SUPPORTED;
    }
    return create(pctx, flags, dev);
}
#else
WL_ENTRY(cuCtxCreate_v4, (CUcontext * pctx, void* ctxCreateParams, unsigned int flags, CUdevice dev)) {
    if (ctxCreateParams && initialised()) return CUDA_ERROR_NOT_SUPPORTED;
    return create(pctx, flags, dev);
}
#endif

WL_ENTRY(cuCtxDestroy_v2, (CUcontext ctx)) {
    if (const CUresult wrong = look_at([&] { require(ctx); })) return wrong;
    return enter([&] {
        const auto context = context_of(ctx);
        if (context->primary) fail(CUDA_ERROR_INVALID_CONTEXT, "a primary context is released, not destroyed");
        auto& stack = context_stack();
        if (!stack.empty() && stack.back() == context) stack.pop_back();
        destroy_context(*context);
    });
}

WL_ENTRY(cuCtxPushCurrent_v2, (CUcontext ctx)) {
    return enter([&] {
        require(ctx);
        context_stack().push_back(context_of(ctx));
    });
}

WL_ENTRY(cuCtxPopCurrent_v2, (CUcontext * pctx)) {
    return enter([&] {
        auto& stack = context_stack();
        require(!stack.empty(), CUDA_ERROR_INVALID_CONTEXT);
        if (pctx) *pctx = handle_of(stack.back());
        stack.pop_back();
    });
}

WL_ENTRY(cuCtxSetCurrent, (CUcontext ctx)) {
    return enter([&] {
        auto& stack = context_stack();
        auto context = ctx ? context_of(ctx) : nullptr;
        if (!stack.empty()) stack.pop_back();
        if (context) stack.push_back(std::move(context));
    });
}

WL_ENTRY(cuCtxGetCurrent, (CUcontext * pctx)) {
    return enter([&] {
        require(pctx);
        *pctx = handle_of(current_context_or_null());
    });
}

WL_ENTRY(cuCtxGetDevice, (CUdevice * dev)) {
    if (const CUresult wrong = look_at([&] { require(dev); })) return wrong;
    return enter([&] { *dev = given_or_current(nullptr)->device.ordinal; });
}

WL_ENTRY_SINCE(cuCtxGetDevice_v2, 13000, (CUdevice * dev, CUcontext ctx)) {
    return enter([&] {
        require(dev);
        *dev = given_or_current(ctx)->device.ordinal;
    });
}

WL_ENTRY(cuCtxGetFlags, (unsigned int* flags)) {
    if (const CUresult wrong = look_at([&] { require(flags); })) return wrong;
    return enter([&] { *flags = given_or_current(nullptr)->flags(); });
}

WL_ENTRY_SINCE(cuCtxSetFlags, 12010, (unsigned int flags)) {
    return enter([&] {
        require((flags & ~0xFFU) == 0);
        current_context().set_flags(flags);
    });
}

WL_ENTRY_SINCE(cuCtxGetId, 12000, (CUcontext ctx, unsigned long long* ctxId)) {
    return enter([&] {
        require(ctxId);
        *ctxId = given_or_current(ctx)->id;
    });
}

WL_ENTRY(cuCtxSynchronize, (void)) {
    return enter([] {
        current_context().synchronize();
        trim_pools();
    });
}

WL_ENTRY_SINCE(cuCtxSynchronize_v2, 13000, (CUcontext ctx)) {
    return enter([&] {
        given_or_current(ctx)->synchronize();
        trim_pools();
    });
}

WL_ENTRY(cuCtxGetLimit, (size_t* pvalue, CUlimit limit)) {
    return enter([&] {
        require(pvalue);
        *pvalue = current_context().limit(limit);
    });
}

WL_ENTRY(cuCtxSetLimit, (CUlimit limit, size_t value)) {
    return enter([&] {
        forbid_unsafe_call();
        current_context().set_limit(limit, value);
    });
}

WL_ENTRY(cuCtxGetCacheConfig, (CUfunc_cache * pconfig)) {
    return enter([&] {
        require(pconfig);
        *pconfig = current_context().cache_config;
    });
}

WL_ENTRY(cuCtxSetCacheConfig, (CUfunc_cache config)) {
    return enter([&] {
        forbid_unsafe_call();
        require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
        current_context().cache_config = config;
    });
}

WL_ENTRY(cuCtxGetSharedMemConfig, (CUsharedconfig * pConfig)) {
    return enter([&] {
        require(pConfig);
        *pConfig = static_cast<CUsharedconfig>(current_context().shared_config);
    });
}

WL_ENTRY(cuCtxSetSharedMemConfig, (CUsharedconfig config)) {
    return enter([&] {
        forbid_unsafe_call();
        require(config >= 0 && config <= 2);
        (void)current_context(); // banks of four bytes whatever is asked for, as on every GPU since 5.0
    });
}

WL_ENTRY(cuCtxGetApiVersion, (CUcontext ctx, unsigned int* version)) {
    return enter([&] {
        require(version);
        (void)given_or_current(ctx);
        *version = 3020;
    });
}

WL_ENTRY(cuCtxGetStreamPriorityRange, (int* leastPriority, int* greatestPriority)) {
    return enter([&] {
        (void)current_context();
        if (leastPriority) *leastPriority = 0;
        if (greatestPriority) *greatestPriority = -5;
    });
}

WL_ENTRY(cuCtxResetPersistingL2Cache, (void)) {
    return enter([] { (void)current_context(); });
}

WL_ENTRY(cuCtxAttach, (CUcontext * pctx, unsigned int flags)) {
    return enter([&] {
        require(pctx && flags == 0);
        const auto context = given_or_current(nullptr);
        require(!context->ending(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        *pctx = handle_of(context);
    });
}

WL_ENTRY(cuCtxDetach, (CUcontext ctx)) {
    return enter([&] {
        const auto context = context_of(ctx);
        auto& stack = context_stack();
        require(stack.empty() || !stack.back()->ending(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        require(!stack.empty() && stack.back() == context, CUDA_ERROR_INVALID_CONTEXT);
        require(!context->primary, CUDA_ERROR_INVALID_CONTEXT);
        stack.pop_back();
        destroy_context(*context);
    });
}
