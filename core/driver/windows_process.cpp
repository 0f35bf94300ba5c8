// SPDX-License-Identifier: Apache-2.0
#include "driver/windows_process.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace warplight::driver::detail {
namespace {

/// The list that CreateProcessW takes beside STARTUPINFOW.
class Attributes {
public:
    explicit Attributes(DWORD count) {
        SIZE_T bytes = 0;
        InitializeProcThreadAttributeList(nullptr, count, 0, &bytes);
        memory_.resize(bytes);
        made_ = InitializeProcThreadAttributeList(get(), count, 0, &bytes);
    }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes() {
        if (made_) DeleteProcThreadAttributeList(get());
    }
    /// The values are read when the process is created.
    bool add(DWORD_PTR attribute, void* values, std::size_t bytes) {
        return made_ && UpdateProcThreadAttribute(get(), 0, attribute, values, bytes, nullptr, nullptr);
    }
    LPPROC_THREAD_ATTRIBUTE_LIST get() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

private:
    std::vector<std::byte> memory_;
    BOOL made_ = FALSE;
};

} // namespace

std::optional<PROCESS_INFORMATION> start_process(NewProcess process) {
    std::array<HANDLE, 3> handles = {process.input, process.output, process.errors};
    // None may be null or be there twice.
    std::ranges::sort(handles);
    auto last = std::ranges::unique(handles).begin();
    const auto first = std::find_if(handles.begin(), last, [](HANDLE handle) { return handle != nullptr; });
    Attributes attributes(2);
    if (!attributes.add(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, &*first,
                        static_cast<std::size_t>(last - first) * sizeof(HANDLE)))
        return std::nullopt;
    if (!attributes.add(PROC_THREAD_ATTRIBUTE_JOB_LIST, &process.job, sizeof process.job)) return std::nullopt;

    STARTUPINFOEXW startup{};
    startup.StartupInfo.cb = sizeof startup;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = process.input;
    startup.StartupInfo.hStdOutput = process.output;
    startup.StartupInfo.hStdError = process.errors;
    startup.lpAttributeList = attributes.get();
    DWORD flags = CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
    // A program of the window has no console, and gets none: it would be a window of its own.
    if (!process.keeps_console || GetConsoleWindow() == nullptr) flags |= CREATE_NO_WINDOW;
    PROCESS_INFORMATION made{};
    if (!CreateProcessW(process.program.empty() ? nullptr : process.program.c_str(), process.command_line.data(),
                        nullptr, nullptr, TRUE, flags,
                        process.environment.empty() ? nullptr : process.environment.data(),
                        process.folder.empty() ? nullptr : process.folder.c_str(), &startup.StartupInfo, &made))
        return std::nullopt;
    return made;
}

} // namespace warplight::driver::detail
