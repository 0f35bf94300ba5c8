// SPDX-License-Identifier: Apache-2.0
#include "context_state.hpp"

#include "failure.hpp"
#include "output.hpp"
#include "summary.hpp"

namespace warplight::software {
namespace {
std::atomic<std::uint64_t> last_context_id = 0;
}

ContextState::ContextState() : id(++last_context_id) {}

void ContextState::set_error(CUresult code, const std::string& message) {
    // Output of the kernel and the message come before the error can be seen.
    flush_output();
    const std::string told = message.empty() ? error_description(code) : message;
    log_error(code, told);
    summary::add_fault(told);
    int expected = CUDA_SUCCESS;
    error_.compare_exchange_strong(expected, code);
}

void ContextState::check() const {
    if (ending()) fail(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (const CUresult e = error(); e != CUDA_SUCCESS) throw Failure{e, {}, true};
}

} // namespace warplight::software
