// SPDX-License-Identifier: Apache-2.0
// What streams do besides kernels, copies and fills: values in memory, and functions of the host.
#include "interface/graph_state.hpp"
#include "warplight/stream.hpp"

#include <memory>

namespace warplight::driver {

namespace {

/// The second form of the call (CUDA 11.7), or the first where the driver has only that. (`function` must not be handed
/// on to another macro: cuda.h would rename it.)
#define WARPLIGHT_VALUE(function, ...)                                                                                 \
    const auto& stream = state();                                                                                      \
    const detail::DriverState& driver = *stream.context->driver;                                                       \
    const detail::Scope scope(*stream.context);                                                                        \
    const auto second = driver.functions.fn_##function##_v2;                                                           \
    const CUresult code =                                                                                              \
        second ? second(stream.handle, __VA_ARGS__)                                                                    \
               : detail::require(driver, driver.functions.fn_##function, #function)(stream.handle, __VA_ARGS__);       \
    if (code != CUDA_SUCCESS) detail::throw_failure(driver, #function, code, stream.describe())

struct StreamCallback {
    Callback<void(int)> function;
    static void CUDA_CB call(CUstream, CUresult code, void* data) {
        const std::unique_ptr<StreamCallback> callback(static_cast<StreamCallback*>(data));
        try {
            callback->function(static_cast<int>(code));
        } catch (...) {
            report_cleanup_failure();
        }
    }
};

/// Called once: it goes with the call.
void CUDA_CB call_once(void* data) {
    const std::unique_ptr<Callback<void()>> function(static_cast<Callback<void()>*>(data));
    detail::call_function(function.get());
}

} // namespace

void Stream::wait_value_32(DevicePointer address, std::uint32_t value, unsigned flags) const {
    WARPLIGHT_VALUE(cuStreamWaitValue32, address.get(), value, flags);
}
void Stream::wait_value_64(DevicePointer address, std::uint64_t value, unsigned flags) const {
    WARPLIGHT_VALUE(cuStreamWaitValue64, address.get(), value, flags);
}
void Stream::write_value_32(DevicePointer address, std::uint32_t value, unsigned flags) const {
    WARPLIGHT_VALUE(cuStreamWriteValue32, address.get(), value, flags);
}
void Stream::write_value_64(DevicePointer address, std::uint64_t value, unsigned flags) const {
    WARPLIGHT_VALUE(cuStreamWriteValue64, address.get(), value, flags);
}
void Stream::batch_mem_op(std::span<const MemoryOperation> operations) const {
    auto native = detail::to_native(operations);
    WARPLIGHT_VALUE(cuStreamBatchMemOp, static_cast<unsigned>(native.size()), native.data(), 0);
}

void Stream::add_callback(Callback<void(int)> function) const {
    const auto& stream = state();
    if (!function) throw_logic_error("there is no function to call", stream.describe());
    const detail::Scope scope(*stream.context);
    auto callback = std::make_unique<StreamCallback>(StreamCallback{std::move(function)});
    WARPLIGHT_CALL(*stream.context->driver, cuStreamAddCallback, stream.describe(), stream.handle,
                   &StreamCallback::call, callback.get(), 0);
    (void)callback.release(); // the call's from now on
}

void Stream::launch_host_func(Callback<void()> function) const {
    const auto& stream = state();
    if (!function) throw_logic_error("there is no function to call", stream.describe());
    const detail::DriverState& driver = *stream.context->driver;
    const detail::Scope scope(*stream.context);
    if (is_capturing() == stream_capture_status::ACTIVE) {
        // Called at each launch of the graph, so it is kept with that.
        const auto parameters =
            detail::keep_function(driver, get_capture_info().graph, std::move(function), stream.describe());
        WARPLIGHT_CALL(driver, cuLaunchHostFunc, stream.describe(), stream.handle, parameters.fn, parameters.userData);
        return;
    }
    auto kept = std::make_unique<Callback<void()>>(std::move(function));
    WARPLIGHT_CALL(driver, cuLaunchHostFunc, stream.describe(), stream.handle, &call_once, kept.get());
    (void)kept.release();
}

} // namespace warplight::driver
