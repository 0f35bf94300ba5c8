// SPDX-License-Identifier: Apache-2.0
// PTX of any bytes for the readers that work while it is being written.
#include "interface/state.hpp"
#include "warplight/compiler.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const auto& kernel : warplight::compiler::parse_ptx_entries(text))
        if (kernel.name.empty()) std::abort();
    for (const auto& mapping : warplight::compiler::parse_ptx_lines(text))
        if (mapping.ptx_line < 1 || mapping.source_line < 1) std::abort();
    for (const auto& [name, parameters] : warplight::driver::detail::scan_ptx_signatures(text))
        for (const auto& parameter : parameters)
            if (parameter.size == 0) std::abort();
    return 0;
}
