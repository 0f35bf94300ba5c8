// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bad_input.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace bad_input {

/// A thread whose context another one destroyed.
class Gone {
public:
    explicit Gone(const EntryPoints& functions) : api_(functions), thread_([this] { serve(); }) {
        CUcontext context = nullptr, top = nullptr;
        if (api_.fn_cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS) {
            api_.fn_cuCtxPopCurrent(&top);
            run([&] { api_.fn_cuCtxSetCurrent(context); });
            api_.fn_cuCtxDestroy(context);
        }
        run([&] { first_ = now(); });
    }
    ~Gone() {
        run(nullptr);
        thread_.join();
    }
    Gone(const Gone&) = delete;
    Gone& operator=(const Gone&) = delete;

    /// False where the thread's context is another one then.
    bool work(const std::function<void()>& what) {
        bool same = false;
        run([&] {
            what();
            same = now() == first_;
            CUcontext top = nullptr;
            if (!same && api_.fn_cuCtxPopCurrent(&top) == CUDA_SUCCESS) same = now() == first_; // it was pushed
        });
        return same;
    }

private:
    std::pair<CUresult, CUcontext> now() const {
        CUcontext top = nullptr;
        const CUresult code = api_.fn_cuCtxGetCurrent(&top);
        return {code, top};
    }
    void run(std::function<void()> what) {
        std::unique_lock lock(mutex_);
        work_ = std::move(what);
        asked_ = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !asked_; });
    }
    void serve() {
        std::unique_lock lock(mutex_);
        for (bool go_on = true; go_on;) {
            changed_.wait(lock, [&] { return asked_; });
            go_on = work_ != nullptr;
            if (go_on) work_();
            asked_ = false;
            changed_.notify_all();
        }
    }

    const EntryPoints& api_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> work_;
    bool asked_ = false;
    std::pair<CUresult, CUcontext> first_;
    std::thread thread_;
};

} // namespace bad_input
