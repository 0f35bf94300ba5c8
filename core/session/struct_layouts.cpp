// SPDX-License-Identifier: Apache-2.0
#include "session/struct_layouts.hpp"

#ifdef WARPLIGHT_HAS_DEBUG_INFO
#include "debug/layouts.hpp"
#endif

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace warplight::session {

compiler::CompileRequest for_debugger(compiler::CompileRequest request) {
    auto& options = request.options;
    std::erase_if(options, [](const std::string& o) { return o == "-lineinfo" || o == "--generate-line-info"; });
    if (std::ranges::none_of(options, [](const std::string& o) { return o == "-G" || o == "--device-debug"; }))
        options.emplace_back("--device-debug");
    request.line_info = false;
    request.report = false;
    return request;
}

StructLayouts layouts_of_ptx(std::string_view ptx) {
    StructLayouts layouts;
#ifdef WARPLIGHT_HAS_DEBUG_INFO
    layouts.all = debug::read_layouts(ptx);
    if (layouts.all.empty())
        layouts.problem = "the PTX does not tell the fields of its structs. Compile it with --device-debug (nvcc: -G)";
#else
    (void)ptx;
    layouts.problem = "this Warplight was built without the software device, which reads the fields of structs";
#endif
    return layouts;
}

StructLayouts layouts_of_source(compiler::CompileRequest request) {
    const auto result = compiler::compile(for_debugger(std::move(request)));
    if (result.ok) return layouts_of_ptx(result.ptx);
    StructLayouts layouts;
    const auto error =
        std::ranges::find(result.diagnostics, compiler::Severity::error, &compiler::Diagnostic::severity);
    layouts.problem =
        fmt::format("the source does not compile with --device-debug, which tells the fields of structs{}",
                    error == result.diagnostics.end() ? "" : ": " + error->message);
    return layouts;
}

const debug::Layout* StructLayouts::of_parameter(const std::string& kernel, const compiler::Kernel& signature,
                                                 std::size_t index) const {
    const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.name == kernel; });
    if (found == all.end() || kernel.empty()) return nullptr;
    const auto& layouts = found->layouts;
    if (index < signature.parameters.size())
        for (const auto& each : layouts)
            if (each.name == signature.parameters[index].name) return &each;
    // Parameters without a name are not in the list.
    const bool is_complete = signature.parameters.empty() || layouts.size() == signature.parameters.size();
    return is_complete && index < layouts.size() ? &layouts[index] : nullptr;
}

const debug::Layout* StructLayouts::of_variable(const std::string& lowered) const {
    for (const auto& each : all)
        if (each.name.empty())
            for (const auto& layout : each.layouts)
                if (layout.name == lowered) return &layout;
    return nullptr;
}

} // namespace warplight::session
