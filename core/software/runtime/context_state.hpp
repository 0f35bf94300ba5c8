// SPDX-License-Identifier: Apache-2.0
// The part of a context that streams and captures need: its error, and whether it ends.
#pragma once

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace warplight::software {

class ContextState : public std::enable_shared_from_this<ContextState> {
public:
    ContextState(const ContextState&) = delete;
    ContextState& operator=(const ContextState&) = delete;

    const std::uint64_t id;

    /// The error that a kernel left; the context answers with it until it is destroyed.
    [[nodiscard]] CUresult error() const { return static_cast<CUresult>(error_.load()); }
    void set_error(CUresult code, const std::string& message);
    /// Throws the context's error, or CUDA_ERROR_CONTEXT_IS_DESTROYED.
    void check() const;
    /// Its destruction has begun.
    [[nodiscard]] bool ending() const { return destroyed_.load(); }
    /// From now on calls are refused. False: they were before.
    [[nodiscard]] bool begin_ending() { return !destroyed_.exchange(true); }

    std::atomic<int> captures = 0;          ///< streams that capture
    std::atomic<int> blocking_captures = 0; ///< the ones among them that the legacy default stream would wait for

protected:
    ContextState();
    ~ContextState() = default;

private:
    std::atomic<int> error_ = CUDA_SUCCESS;
    std::atomic<bool> destroyed_ = false;
};

} // namespace warplight::software
