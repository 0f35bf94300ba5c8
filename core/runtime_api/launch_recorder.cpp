// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/launch_recorder.hpp"

#include "launch_log/launch_log.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

namespace warplight::runtime_api {
namespace {

using Extent = std::array<unsigned, 3>;

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
    CUresult around(bool per_thread, CUfunction function, const Extent& grid, const Extent& block, CUstream stream,
                    Launch&& launch) {
        const Functions& f = original[per_thread ? 1 : 0];
        CUstreamCaptureStatus capture{};
        Pending pending;
        // What is captured runs later, if at all, and events would become nodes of the graph.
        if (f.fn_cuStreamIsCapturing(stream, &capture) != CUDA_SUCCESS || capture != CU_STREAM_CAPTURE_STATUS_NONE ||
            f.fn_cuEventCreate(&pending.start, CU_EVENT_DEFAULT) != CUDA_SUCCESS)
            return launch(f);
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
        begin();
        pending_.push_back(std::move(pending));
        ++launches_;
        note_finished(f);
        return code;
    }

    /// The process ends: nothing is waited for.
    void end() {
        const std::scoped_lock lock(mutex_);
        if (launches_ == 0) return;
        const Functions& f = original[0];
        note_finished(f);
        while (!pending_.empty())
            note(f, false);
        log_.write(launch_log::End{process_, launches_, {}, {}});
    }

private:
    void begin() {
        if (launches_ != 0) return;
        log_.write(launch_log::Start{process_, "", "cuda"});
    }
    static void destroy(const Functions& f, const Pending& pending) {
        for (const CUevent event : {pending.start, pending.stop})
            if (event) (void)f.fn_cuEventDestroy(event);
    }
    /// Launches of one stream run in their order; those behind one that runs are noted later.
    void note_finished(const Functions& f) {
        while (!pending_.empty()) {
            const CUresult code = f.fn_cuEventQuery(pending_.front().stop);
            if (code == CUDA_ERROR_NOT_READY) return;
            note(f, code == CUDA_SUCCESS); // else a context with its events is gone
        }
    }
    void note(const Functions& f, bool has_run) {
        Pending& first = pending_.front();
        float ms = 0;
        if (has_run && f.fn_cuEventElapsedTime(&ms, first.start, first.stop) == CUDA_SUCCESS)
            first.launch.ms = static_cast<double>(ms);
        destroy(f, first);
        if (noted_++ < launch_log::kMostLaunches) log_.write(first.launch);
        pending_.pop_front();
    }

    launch_log::Writer log_;
    std::mutex mutex_;
    std::deque<Pending> pending_;
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

} // namespace warplight::runtime_api
