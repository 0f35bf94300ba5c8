// SPDX-License-Identifier: Apache-2.0
// Runs kernels with checks, and tells what was found.
#pragma once

#include "../runtime/driver_fixture.hpp"
#include "findings/finding.hpp"

#include <warplight/compiler.hpp>

#include <algorithm>
#include <string>
#include <vector>

extern "C" CUresult cuxWarplightRequestChecks(const char* checks);
extern "C" CUresult cuxWarplightTakeFindings(void (*receiver)(const char*, size_t, void*), void* user);

inline warplight::findings::Findings taken() {
    std::string text;
    const auto receive = [](const char* data, std::size_t size, void* user) {
        static_cast<std::string*>(user)->assign(data, size);
    };
    return cuxWarplightTakeFindings(receive, &text) == CUDA_SUCCESS ? warplight::findings::findings_from_line(text)
                                                                    : warplight::findings::Findings();
}

inline std::string described(const warplight::findings::Findings& found) {
    std::string text;
    for (const warplight::findings::Finding& each : found.all)
        text += warplight::findings::to_text(each);
    return text;
}

/// In a test's init(): kernels have to be compiled.
#define NEEDS_NVRTC                                                                                                    \
    do {                                                                                                               \
        const auto info_ = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);                    \
        if (!info_.found) QSKIP(info_.problem.c_str());                                                                \
    } while (false)

/// A row for each kernel, and which one it is in the row that runs.
template <class Kernel>
void add_rows_of(const std::vector<Kernel>& kernels) {
    QTest::addColumn<int>("number");
    int number = 0;
    for (const Kernel& each : kernels)
        QTest::newRow(each.name) << number++;
}
template <class Kernel>
Kernel kernel_of_row(const std::vector<Kernel>& kernels) {
    QFETCH(int, number);
    return kernels.at(static_cast<std::size_t>(number));
}

/// A kernel with a mistake: in its body WRONG(x, y) is (x), or (y) in the one without the mistake.
inline std::string source_of(const std::string& before, const std::string& parameters, const std::string& body,
                             bool wrong) {
    return std::string("#define WRONG(x, y) ") + (wrong ? "(x)" : "(y)") + '\n' + before +
           "extern \"C\" __global__ void k(" + parameters + ") {\n" + body + "}\n";
}

/// The line that has HERE, or another mark.
inline int line_of_mistake(const std::string& source, const char* mark = "// HERE") {
    const auto at = source.find(mark);
    return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// In the kernel itself: of functions that were inlined, where they are called.
inline int line_in_kernel(const warplight::findings::Event& event) {
    return event.inlined_at.empty() ? event.place.line : event.inlined_at.back().line;
}

inline std::string compiled(const std::string& source, const std::string& arch = "compute_80",
                            std::vector<std::string> options = {}) {
    warplight::compiler::CompileRequest request;
    request.source = source;
    request.name = "k.cu";
    request.arch = arch;
    request.options = {"-std=c++17", "-lineinfo"};
    request.options.insert(request.options.end(), options.begin(), options.end());
    const auto result = warplight::compiler::compile(request);
    if (!result.ok) qWarning("%s\n%s", source.c_str(), result.log.c_str());
    return result.ok ? result.ptx : std::string();
}
