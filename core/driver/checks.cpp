// SPDX-License-Identifier: Apache-2.0
#include "driver/checks.hpp"

#include "driver/entry_points.hpp"
#include "driver/library.hpp"

#include <array>
#include <cstddef>

namespace warplight::driver {
namespace {

template <class Function>
Function extension(const Driver& driver, const char* name) {
    void* const library = driver.state().handle;
    return library ? reinterpret_cast<Function>(detail::find_symbol(library, name)) : nullptr;
}

/// What an extension gives to its receiver.
std::optional<std::string> taken(const Driver& driver, const char* name) {
    using Receiver = void (*)(const char*, std::size_t, void*);
    const auto take = extension<CUresult (*)(Receiver, void*)>(driver, name);
    std::string text;
    const Receiver receive = [](const char* data, std::size_t size, void* user) {
        static_cast<std::string*>(user)->assign(data, size);
    };
    if (!take || take(receive, &text) != CUDA_SUCCESS) return std::nullopt;
    return text;
}

} // namespace

std::optional<std::string> request_checks(const Driver& driver, const std::string& checks) {
    const auto request = extension<CUresult (*)(const char*)>(driver, "cuxWarplightRequestChecks");
    if (!request) return "";
    if (request(checks.c_str()) == CUDA_SUCCESS) return std::nullopt;
    std::array<char, 1024> text{};
    if (driver.state().last_error) driver.state().last_error(text.data(), text.size());
    return text.data();
}

bool step_launches(const Driver& driver, void* stepper) {
    const auto request = extension<CUresult (*)(void*)>(driver, "cuxWarplightStep");
    return request && request(stepper) == CUDA_SUCCESS;
}

void set_unwritten(const Driver& driver, std::uint64_t memory, std::size_t bytes) {
    const auto set = extension<CUresult (*)(CUdeviceptr, std::size_t)>(driver, "cuxWarplightSetUnwritten");
    if (set) (void)set(memory, bytes);
}

std::optional<std::string> take_findings(const Driver& driver) { return taken(driver, "cuxWarplightTakeFindings"); }

bool request_profile(const Driver& driver, bool wanted) {
    const auto request = extension<CUresult (*)(int)>(driver, "cuxWarplightRequestProfile");
    return request && request(wanted ? 1 : 0) == CUDA_SUCCESS;
}

std::optional<std::string> take_profile(const Driver& driver) { return taken(driver, "cuxWarplightTakeProfile"); }

bool request_warp(const Driver& driver, const unsigned* block, unsigned warp) {
    const auto request = extension<CUresult (*)(const unsigned*, unsigned)>(driver, "cuxWarplightRequestWarp");
    return request && request(block, warp) == CUDA_SUCCESS;
}

std::optional<std::string> take_warp(const Driver& driver) { return taken(driver, "cuxWarplightTakeWarp"); }

} // namespace warplight::driver
