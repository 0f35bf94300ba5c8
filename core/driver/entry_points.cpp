// SPDX-License-Identifier: Apache-2.0
#include "driver/entry_points.hpp"

#include "driver/error_hints.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplight::driver::detail {

namespace {
constexpr bool required = true, optional = false;
}
const EntryPointInfo kEntryPointTable[kEntryPointCount] = {
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need)                                               \
    {#member, name, symbol, version, need, offsetof(EntryPoints, fn_##member)},
#include "driver/entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
};

void throw_missing(const DriverState& driver, const char* member) {
    const EntryPointInfo* info = nullptr;
    for (const EntryPointInfo& entry : kEntryPointTable)
        if (std::strcmp(entry.member, member) == 0) info = &entry;
    ErrorInfo error;
    error.routine = info ? info->name : member;
    error.entity = "driver " + driver.library;
    if (!driver.handle) {
        error.code = CUDA_ERROR_FILE_NOT_FOUND;
        error.text = "the driver library cannot be opened";
        error.detail = driver.unavailable;
        error.hint = driver.name == "cuda" ? "Install NVIDIA's driver, or use the software device"
                                           : "Check the installation, or set WARPLIGHT_SOFTWARE_LIBRARY to the library";
        if (driver.name != "cuda" && driver.name != "software") error.hint.clear();
    } else {
        const int version = info ? info->version : 0;
        const auto number = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
        const bool too_old = driver.version && version > driver.version;
        constexpr int call_requires_newer_driver = 36; // not in the header of 11.8
        error.code = too_old ? call_requires_newer_driver : CUDA_ERROR_NOT_FOUND;
        error.text = "this driver does not have the function";
        if (too_old)
            error.hint =
                "It needs a driver for CUDA " + number(version) + "; this one is for " + number(driver.version);
    }
    error.code_name = error_name(error.code);
    throw_error(std::move(error));
}

namespace {
std::string last_report(const DriverState& driver, int code) {
    if (!driver.last_error) return {};
    std::string report(16384, '\0');
    driver.last_error(report.data(), report.size());
    report.back() = '\0';
    report.resize(std::strlen(report.c_str()));
    const std::scoped_lock lock(driver.report_mutex);
    if (report == driver.reported && code != driver.reported_code) return {};
    driver.reported = report;
    driver.reported_code = code;
    return report;
}
} // namespace

ErrorInfo describe_failure(const DriverState& driver, const char* routine, CUresult code, std::string entity,
                           std::string detail) {
    ErrorInfo info;
    info.routine = routine;
    // "cuMemAlloc_v2" is our name of an ABI; people know the function.
    if (const auto at = info.routine.rfind("_v"); at != std::string::npos && at + 3 == info.routine.size())
        info.routine.resize(at);
    info.code = static_cast<int>(code);
    info.code_name = error_name(info.code);
    const char* text = nullptr;
    if (driver.functions.fn_cuGetErrorString && driver.functions.fn_cuGetErrorString(code, &text) == CUDA_SUCCESS &&
        text)
        info.text = text;
    else
        info.text = "the driver has no text for this error";
    info.entity = std::move(entity);
    info.detail = std::move(detail);
    if (const std::string report = last_report(driver, info.code);
        !report.empty() && info.detail.find(report) == std::string::npos)
        info.detail += (info.detail.empty() ? "" : "\n") + report;
    info.hint = error_hint_on(driver.name, info.code);
    return info;
}

void throw_failure(const DriverState& driver, const char* routine, CUresult code, std::string entity,
                   std::string detail) {
    ErrorInfo info = describe_failure(driver, routine, code, std::move(entity), std::move(detail));
    CUcontext current = nullptr;
    if (is_sticky(info.code) && driver.functions.fn_cuCtxGetCurrent &&
        driver.functions.fn_cuCtxGetCurrent(&current) == CUDA_SUCCESS && current && !is_broken(driver, current)) {
        const std::scoped_lock lock(driver.report_mutex);
        driver.broken.push_back(current);
    }
    throw_error(std::move(info));
}

bool is_broken(const DriverState& driver, CUcontext context) {
    const std::scoped_lock lock(driver.report_mutex);
    return std::find(driver.broken.begin(), driver.broken.end(), context) != driver.broken.end();
}

void forget_broken(const DriverState& driver, CUcontext context) {
    const std::scoped_lock lock(driver.report_mutex);
    std::erase(driver.broken, context);
}

} // namespace warplight::driver::detail
