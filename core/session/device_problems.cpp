// SPDX-License-Identifier: Apache-2.0
#include "session/device_problems.hpp"

#include "warplight/compiler.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <fmt/format.h>

namespace warplight::session {

ReportError describe(const driver::Error& error) {
    const auto& info = error.info();
    // An error without a code is about memory of the host.
    const bool memory = dynamic_cast<const driver::MemoryError*>(&error) != nullptr;
    ReportError result{.kind = memory ? "memory" : "device",
                       .message = {},
                       .entry_point = info.routine,
                       .code = info.code,
                       .code_name = info.code_name,
                       .details = info.detail};
    result.message = info.routine.empty() ? info.text : fmt::format("{} failed: {}", info.routine, info.text);
    if (info.code) result.message += fmt::format(" ({}, {})", info.code_name, info.code);
    if (!info.entity.empty()) result.message += fmt::format(" [{}]", info.entity);
    result.message += ".";
    if (!info.hint.empty()) result.message += fmt::format(" {}{}", info.hint, info.hint.ends_with('.') ? "" : ".");
    return result;
}

ReportError in_users_ptx(ReportError error, const std::string& name) {
    std::string placed;
    for (const auto& each : compiler::parse_diagnostics(error.details)) {
        if (!each.line) continue;
        if (placed.empty())
            error.message = fmt::format("{} cannot be loaded: line {}: {} ({}, {}).", name, each.line, each.message,
                                        error.code_name, error.code);
        placed += fmt::format("{}:{}: {}: {}\n", name, each.line, compiler::severity_name(each.severity), each.message);
    }
    if (!placed.empty()) error.details = placed;
    return error;
}

std::string why_unavailable(const driver::Driver& driver) {
    const auto& why = driver.unavailable_because();
    const bool named = why.find(driver.library()) != std::string::npos;
    const char* advice =
        driver.name() == "cuda"
            ? "Install NVIDIA's driver, or choose the software device to run without a GPU."
            : "It is a part of Warplight: install it again, or point WARPLIGHT_SOFTWARE_LIBRARY at it.";
    return fmt::format("The {} device cannot be used: {}{}{}. {}", driver.name(), named ? "" : driver.library(),
                       named ? "" : ": ", why, advice);
}

} // namespace warplight::session
