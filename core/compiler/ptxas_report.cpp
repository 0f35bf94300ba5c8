// SPDX-License-Identifier: Apache-2.0
#include "warplight/compiler.hpp"

#include <charconv>

namespace warplight::compiler {
namespace {

/// The number right before `unit` in `line`, 0 when there is none.
std::size_t number_before(std::string_view line, std::string_view unit) {
    std::size_t at = line.find(unit);
    if (at == std::string_view::npos) return 0;
    std::size_t end = at;
    while (end > 0 && line[end - 1] == ' ')
        --end;
    std::size_t begin = end;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
        --begin;
    std::size_t value = 0;
    std::from_chars(line.data() + begin, line.data() + end, value);
    return value;
}

} // namespace

// ptxas info    : Compiling entry function 'k' for 'sm_80'
// ptxas info    : Function properties for k
//     8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 14 registers, used 1 barriers, 8 bytes cumulative stack size, 128 bytes smem, 372 bytes cmem[0]
// Older versions leave out what is zero, or say "368 bytes cmem[0]" without barriers.
std::vector<KernelResources> parse_ptxas_report(std::string_view log) {
    std::vector<KernelResources> result;
    bool in_entry = false; // properties of a device function may stand between those of an entry
    while (!log.empty()) {
        std::size_t end = std::min(log.find('\n'), log.size());
        std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        constexpr std::string_view entry = "Compiling entry function '", properties = "Function properties for ";
        if (std::size_t at = line.find(entry); at != std::string_view::npos) {
            std::string_view name = line.substr(at + entry.size());
            result.emplace_back().lowered = name.substr(0, name.find('\''));
            in_entry = true;
        } else if (at = line.find(properties); at != std::string_view::npos) {
            std::string_view name = line.substr(at + properties.size());
            while (!name.empty() && (name.back() == '\r' || name.back() == ' '))
                name.remove_suffix(1);
            in_entry = !result.empty() && result.back().lowered == name;
        } else if (result.empty()) {
            continue;
        } else if (in_entry && line.find("bytes stack frame") != std::string_view::npos) {
            result.back().stack = number_before(line, "bytes stack frame");
            result.back().spill_stores = number_before(line, "bytes spill stores");
            result.back().spill_loads = number_before(line, "bytes spill loads");
        } else if (line.find(": Used ") != std::string_view::npos &&
                   line.find(" registers") != std::string_view::npos) {
            KernelResources& kernel = result.back();
            kernel.registers = static_cast<int>(number_before(line, "registers"));
            if (line.find(" barriers") != std::string_view::npos)
                kernel.barriers = static_cast<int>(number_before(line, "barriers"));
            kernel.static_shared = number_before(line, "bytes smem");
            kernel.constant = number_before(line, "bytes cmem[0]");
            kernel.local = number_before(line, "bytes cumulative stack size");
        }
    }
    return result;
}

} // namespace warplight::compiler
