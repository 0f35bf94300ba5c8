// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/launch_recorder.hpp"

#include "launch_log/launch_log.hpp"

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace warplight::runtime_api {
namespace {

using Dimensions = std::array<unsigned, 3>;

/// A launch that was taken by the driver and may not have run yet.
struct Pending {
    CUevent start = nullptr, stop = nullptr;
    launch_log::Launch launch;
};

class Recorder {
public:
    explicit Recorder(const char* file) : log_(std::filesystem::path(file)) {}

    Functions original[2]; ///< of the tables, by the meaning of the default stream

    /// Calls `launch`, between two events where that can be.
    template <class Launch>
    CUresult around(bool per_thread, CUfunction function, const Dimensions& grid, const Dimensions& block,
                    CUstream stream, Launch&& launch) {
        const Functions& f = original[per_thread ? 1 : 0];
        CUstreamCaptureStatus capture{};
        Pending pending;
        // What is captured runs later, if at all, and events would become nodes of the graph.
        if (f.fn_cuStreamIsCapturing(stream, &capture) != CUDA_SUCCESS || capture != CU_STREAM_CAPTURE_STATUS_NONE ||
            f.fn_cuEventCreate(&pending.start, CU_EVENT_DEFAULT) != CUDA_SUCCESS)
            return launch(f);
        // A kernel is loaded when it is first used, which is no part of its time.
        CUfunction loaded = nullptr;
        (void)f.fn_cuKernelGetFunction(&loaded, reinterpret_cast<KernelHandle>(function));
        if (f.fn_cuEventCreate(&pending.stop, CU_EVENT_DEFAULT) != CUDA_SUCCESS) pending.stop = nullptr;
        (void)f.fn_cuEventRecord(pending.start, stream);
        const CUresult code = launch(f);
        if (code != CUDA_SUCCESS || !pending.stop || f.fn_cuEventRecord(pending.stop, stream) != CUDA_SUCCESS) {
            destroy(f, pending);
            return code;
        }
        int device = 0;
        (void)f.fn_cuCtxGetDevice(&device);
        const char* name = nullptr;
        // What is launched here is a kernel's handle, which the driver takes in place of a function.
        if (f.fn_cuKernelGetName(&name, reinterpret_cast<KernelHandle>(function)) != CUDA_SUCCESS || !name) name = "?";
        pending.launch = {process_, device, launch_log::source_name(name), grid, block, {}};
        const std::scoped_lock lock(mutex_);
        if (launches_++ == 0) log_.write(launch_log::Start{process_, program_name(), "cuda"});
        auto& queue = pending_[current_context(f)];
        queue.push_back(std::move(pending));
        note_finished(f, queue);
        return code;
    }

    /// The context ends, and its events with it. The driver would not survive to be asked for them later.
    void end_of_context(CUcontext context) {
        const std::scoped_lock lock(mutex_);
        const auto queue = pending_.find(context);
        if (queue == pending_.end()) return;
        note_finished(original[0], queue->second);
        note_unfinished(queue->second);
        pending_.erase(queue);
    }

    /// The process ends: nothing is waited for.
    void end() {
        const std::scoped_lock lock(mutex_);
        if (launches_ == 0) return;
        if (const auto queue = pending_.find(current_context(original[0])); queue != pending_.end())
            note_finished(original[0], queue->second);
        // Other contexts may be gone.
        std::uint64_t unfinished = 0;
        for (auto& [context, queue] : pending_) {
            unfinished += queue.size();
            note_unfinished(queue);
        }
        log_.write(launch_log::End{process_, launches_, unfinished, {}, {}});
    }

private:
    using Queue = std::deque<Pending>;

    static CUcontext current_context(const Functions& f) {
        CUcontext context = nullptr;
        return f.fn_cuCtxGetCurrent(&context) == CUDA_SUCCESS ? context : nullptr;
    }
    static std::string program_name() {
#ifdef __GLIBC__
        return program_invocation_short_name;
#else
        return {};
#endif
    }
    static void destroy(const Functions& f, const Pending& pending) {
        for (const CUevent event : {pending.start, pending.stop})
            if (event) (void)f.fn_cuEventDestroy(event);
    }
    /// Of a context that is there. Launches of one stream run in their order; those behind one that runs are noted
    /// later.
    void note_finished(const Functions& f, Queue& queue) {
        for (; !queue.empty() && f.fn_cuEventQuery(queue.front().stop) == CUDA_SUCCESS; queue.pop_front()) {
            Pending& first = queue.front();
            float ms = 0;
            if (f.fn_cuEventElapsedTime(&ms, first.start, first.stop) == CUDA_SUCCESS)
                first.launch.ms = static_cast<double>(ms);
            destroy(f, first);
            note(first);
        }
    }
    void note_unfinished(Queue& queue) {
        for (const Pending& each : queue)
            note(each);
        queue.clear();
    }
    void note(const Pending& pending) {
        if (noted_++ < launch_log::kMostLaunches) log_.write(pending.launch);
    }

    launch_log::Writer log_;
    std::mutex mutex_;
    std::map<CUcontext, Queue> pending_;
    std::uint64_t launches_ = 0, noted_ = 0;
    const std::uint64_t process_ = launch_log::process_id();
};

/// Null where nothing is to be noted. Never destroyed: threads may launch until the process has ended.
Recorder* recorder() {
    static Recorder* const one = []() -> Recorder* {
        const char* const file = std::getenv(launch_log::kRuntimeVariable);
        if (!file || !*file) return nullptr;
        auto made = std::make_unique<Recorder>(file);
        std::atexit([] { recorder()->end(); });
        return made.release();
    }();
    return one;
}

template <bool PerThread>
CUresult CUDAAPI launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                               void** extra) {
    return recorder()->around(PerThread, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, stream,
                              [&](const Functions& f) {
                                  return f.fn_cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y,
                                                             block_z, shared, stream, arguments, extra);
                              });
}

template <bool PerThread>
CUresult CUDAAPI launch_cooperative(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                    CUstream stream, void** arguments) {
    return recorder()->around(PerThread, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, stream,
                              [&](const Functions& f) {
                                  return f.fn_cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, block_x,
                                                                        block_y, block_z, shared, stream, arguments);
                              });
}

template <bool PerThread>
CUresult CUDAAPI launch_ex(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    return recorder()->around(
        PerThread, function, {config->gridDimX, config->gridDimY, config->gridDimZ},
        {config->blockDimX, config->blockDimY, config->blockDimZ}, config->hStream,
        [&](const Functions& f) { return f.fn_cuLaunchKernelEx(config, function, arguments, extra); });
}

} // namespace

void record_launches(Functions& functions, bool per_thread) {
    Recorder* const record = recorder();
    if (!record) return;
    record->original[per_thread ? 1 : 0] = functions;
    functions.fn_cuLaunchKernel = per_thread ? launch_kernel<true> : launch_kernel<false>;
    functions.fn_cuLaunchCooperativeKernel = per_thread ? launch_cooperative<true> : launch_cooperative<false>;
    functions.fn_cuLaunchKernelEx = per_thread ? launch_ex<true> : launch_ex<false>;
}

void end_of_context(CUcontext context) {
    if (Recorder* const record = recorder()) record->end_of_context(context);
}

} // namespace warplight::runtime_api
