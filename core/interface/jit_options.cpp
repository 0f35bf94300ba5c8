// SPDX-License-Identifier: Apache-2.0
#include "interface/jit_options.hpp"

#include "interface/state.hpp"

#include <cstring>
#include <map>

namespace warplight::driver::detail {

namespace {

constexpr std::size_t kLogSize = 32768;

void check_value(jit_option option, std::uint64_t value) {
    if (option >= jit_option::INFO_LOG_BUFFER && option <= jit_option::ERROR_LOG_BUFFER_SIZE_BYTES)
        throw_logic_error("the log buffers are provided by the library", "jit_option::" + to_string(option),
                          "Use a message handler");
    // Drivers have taken names of these, and reject the numbers today with no word on why.
    if (option == jit_option::TARGET && value <= static_cast<std::uint64_t>(jit_target::COMPUTE_21))
        throw_logic_error("no driver compiles for " + to_string(static_cast<jit_target>(value)) + " any more",
                          "jit_option::TARGET", "The oldest target is COMPUTE_30");
}

/// PTX text: no zero byte inside, and the directive that every PTX file starts with.
bool looks_like_ptx(std::string_view text) {
    while (!text.empty() && text.back() == '\0')
        text.remove_suffix(1);
    return text.find('\0') == std::string_view::npos && text.find(".version") != std::string_view::npos;
}

} // namespace

JitOptionList::JitOptionList(const JitOptions& options, bool log_verbose)
    : info_(kLogSize, '\0'), error_(kLogSize, '\0') {
    names_ = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    // The driver takes each value in the bits of a pointer, and writes some back.
    values_ = {info_.data(), reinterpret_cast<void*>(kLogSize - 1), error_.data(),
               reinterpret_cast<void*>(kLogSize - 1)};
    const auto add = [this](jit_option option, std::uint64_t value) {
        names_.push_back(static_cast<CUjit_option>(option));
        values_.push_back(reinterpret_cast<void*>(static_cast<std::uintptr_t>(value)));
    };
    if (log_verbose) add(jit_option::LOG_VERBOSE, 1);
    for (const auto& [option, value] : options) {
        check_value(option, value);
        add(option, value);
    }
}

std::string JitOptionList::clean(const std::string& log) {
    std::string text(log.c_str());
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

std::map<std::string, std::vector<ParameterInfo>> signatures_of_image(std::string_view image) {
    if (!looks_like_ptx(image)) return {};
    return scan_ptx_signatures(image);
}

} // namespace warplight::driver::detail
