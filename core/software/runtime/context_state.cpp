// SPDX-License-Identifier: Apache-2.0
#include "context_state.hpp"

#include "failure.hpp"
#include "output.hpp"

namespace warplight::software {
namespace {
std::atomic<std::uint64_t> last_id = 0;
}

ContextState::ContextState() : id(++last_id) {}

void ContextState::set_error(CUresult code, const std::string& message) {
    // Who sees the error finds what the kernel printed before it, and the message.
    flush_output();
    log_error(code, message.empty() ? error_description(code) : message);
    int expected = CUDA_SUCCESS;
    error_.compare_exchange_strong(expected, code);
}

void ContextState::check() const {
    if (ending()) fail(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (const CUresult e = error(); e != CUDA_SUCCESS) throw Failure{e, {}, true};
}

} // namespace warplight::software
