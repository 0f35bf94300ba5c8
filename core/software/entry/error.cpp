// SPDX-License-Identifier: Apache-2.0
// Names of errors, and the extensions that tell more than a code.
#include "../checks/collector.hpp"
#include "../runtime/address_space.hpp"
#include "../runtime/check_settings.hpp"
#include "../runtime/leaks.hpp"
#include "../runtime/shadow_memory.hpp"
#include "../runtime/step_settings.hpp"
#include "entry.hpp"
#include "software/profile/collector.hpp"

#include <algorithm>
#include <cstring>

using namespace warplight::software;
namespace findings = warplight::findings;

WL_ENTRY(cuGetErrorName, (CUresult error, const char** pStr)) {
    if (!pStr) return CUDA_ERROR_INVALID_VALUE;
    *pStr = error_name(error);
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

WL_ENTRY(cuGetErrorString, (CUresult error, const char** pStr)) {
    if (!pStr) return CUDA_ERROR_INVALID_VALUE;
    *pStr = error_description(error);
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#if CUDA_VERSION >= 12090
WL_ENTRY_SINCE(cuLogsRegisterCallback, 12090,
               (CUlogsCallback callbackFunc, void* userData, CUlogsCallbackHandle* callback_out)) {
    if (!callbackFunc) return CUDA_ERROR_INVALID_VALUE;
    return enter_always([&] {
        // CUlogLevel has the size of an int.
        const auto number = add_log_receiver(reinterpret_cast<LogReceiver>(callbackFunc), userData);
        if (callback_out) *callback_out = reinterpret_cast<CUlogsCallbackHandle>(number);
    });
}

WL_ENTRY_SINCE(cuLogsUnregisterCallback, 12090, (CUlogsCallbackHandle callback)) {
    return enter_always([&] { require(remove_log_receiver(reinterpret_cast<std::uint64_t>(callback))); });
}
#endif

// Extensions of the software device, found by name.

/// The last error's message: kernel, source line, block, thread, address. Cut to `size` bytes with the final zero.
extern "C" WL_API CUresult CUDAAPI cuxWarplightLastError(char* buffer, size_t size) {
    if (!buffer || size == 0) return CUDA_ERROR_INVALID_VALUE;
    return enter_always([&] {
        const std::string message = last_error();
        const std::size_t length = std::min(message.size(), size - 1);
        std::memcpy(buffer, message.data(), length);
        buffer[length] = '\0';
    });
}

/// Gives the text that kernels print to `receiver(text, size, user)` instead of standard output, at the same points,
/// possibly on another thread. Null: standard output again.
extern "C" WL_API CUresult CUDAAPI cuxWarplightSetPrintf(void (*receiver)(const char*, size_t, void*), void* user) {
    return enter_always([&] { set_output_receiver(receiver, user); });
}

/// Checks that launches make from now on: "all", or names with commas between them (core/findings/checks.def); "" or
/// null: none. Of the whole process, with or without a context.
extern "C" WL_API CUresult CUDAAPI cuxWarplightRequestChecks(const char* checks) {
    return enter_always([&] {
        const auto wanted = findings::Checks::parse(checks ? checks : "");
        if (!wanted) fail(CUDA_ERROR_INVALID_VALUE, "there is no such check; there are " + findings::names_of_checks());
        request_checks(*wanted);
    });
}

/// Takes the bytes of device memory there for ones that nothing wrote, whatever is there: for the check of values that
/// nothing wrote. Nothing happens where that is not asked for.
extern "C" WL_API CUresult CUDAAPI cuxWarplightSetUnwritten(CUdeviceptr memory, size_t bytes) {
    return enter_always([&] {
        require(bytes <= AddressSpace::instance().room(memory));
        ShadowMemory::instance().set_unwritten(memory, bytes);
    });
}

/// What checks have found since the last time, as JSON (findings::findings_from_json). Every kernel whose findings are
/// wanted must have ended. Gives it as a whole to `receiver(text, size, user)`, once, on this thread.
extern "C" WL_API CUresult CUDAAPI cuxWarplightTakeFindings(void (*receiver)(const char*, size_t, void*), void* user) {
    if (!receiver) return CUDA_ERROR_INVALID_VALUE;
    return enter_always([&] {
        tell_heap_leaks();
        const std::string text = findings::to_line(checks::Collector::instance().take());
        receiver(text.data(), text.size(), user);
    });
}

/// Whether launches are profiled from now on. Of the whole process, with or without a context.
extern "C" WL_API CUresult CUDAAPI cuxWarplightRequestProfile(int wanted) {
    return enter_always([&] { request_profile(wanted != 0); });
}

/// What launches did that were profiled since the last time, as JSON (profile::profile_from_json). Every kernel whose
/// profile is wanted must have ended. Gives it as a whole to `receiver(text, size, user)`, once, on this thread.
extern "C" WL_API CUresult CUDAAPI cuxWarplightTakeProfile(void (*receiver)(const char*, size_t, void*), void* user) {
    if (!receiver) return CUDA_ERROR_INVALID_VALUE;
    return enter_always([&] {
        const std::string text = warplight::profile::to_line(profile::Collector::instance().take());
        receiver(text.data(), text.size(), user);
    });
}

/// Has the next launch of the process record what one of its warps does: by 3 numbers of a block and the warp's number
/// in it. Null: none. It is launched as if it were profiled, but only the warp is noted.
extern "C" WL_API CUresult CUDAAPI cuxWarplightRequestWarp(const unsigned* block, unsigned warp) {
    return enter_always([&] {
        if (block)
            request_warp(warplight::profile::WarpChoice{{block[0], block[1], block[2]}, warp});
        else
            request_warp(std::nullopt);
    });
}

/// What the warp did, as JSON (profile::warp_record_from_json); an empty text where none was recorded since the last
/// time. Its kernel must have ended. Gives it as a whole to `receiver(text, size, user)`, once, on this thread.
extern "C" WL_API CUresult CUDAAPI cuxWarplightTakeWarp(void (*receiver)(const char*, size_t, void*), void* user) {
    if (!receiver) return CUDA_ERROR_INVALID_VALUE;
    return enter_always([&] {
        const auto record = profile::Collector::instance().take_record();
        const std::string text = record ? warplight::profile::to_line(*record) : std::string();
        receiver(text.data(), text.size(), user);
    });
}

/// Has launches of the host from now on stepped through by `stepper`, a software::Stepper of this build; null: none.
extern "C" WL_API CUresult CUDAAPI cuxWarplightStep(void* stepper) {
    return enter_always([&] { request_stepper(static_cast<Stepper*>(stepper)); });
}

/// Ends the kernels that run in a context and the work queued behind them. From then on the context answers
/// CUDA_ERROR_LAUNCH_TIMEOUT, as if a driver's watchdog had ended them. Null: all contexts. An idle context is left
/// alone. Returns when the kernels have ended, or CUDA_ERROR_TIMEOUT after 5 seconds. From any thread, with or without
/// a context.
extern "C" WL_API CUresult CUDAAPI cuxWarplightCancel(CUcontext context) {
    return enter_always([&] {
        std::vector<std::shared_ptr<Context>> contexts;
        if (context)
            contexts.push_back(handles<Context>().get(context, CUDA_ERROR_INVALID_CONTEXT));
        else
            contexts = handles<Context>().all();
        bool ended = true;
        for (const auto& each : contexts)
            ended = each->cancel() && ended;
        if (!ended) fail(CUDA_ERROR_TIMEOUT, "a kernel goes on after it was cancelled");
    });
}
