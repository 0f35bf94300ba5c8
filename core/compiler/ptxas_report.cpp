// SPDX-License-Identifier: Apache-2.0
#include "compiler/ptxas_report.hpp"

#include "warplight/compiler.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Nothing but a directive: `.loc 1 6 28`, perhaps with `, function_name $a, inlined_at 1 6 28`, or `.file 1 "name"`.
bool is_line_directive(std::string_view line) {
    line = trimmed(line);
    const bool file = line.starts_with(".file"), loc = line.starts_with(".loc");
    if (!file && !loc) return false;
    line.remove_prefix(file ? 5 : 4);
    if (line.empty() || !is_space(line.front())) return false;
    line = trimmed(line);
    if (file) {
        while (!line.empty() && is_digit(line.front()))
            line.remove_prefix(1);
        line = trimmed(line);
        const std::size_t end = line.rfind('"');
        if (line.empty() || line.front() != '"' || end == 0) return false;
        const std::string_view name = line.substr(1, end - 1);
        if (name.find('"') != std::string_view::npos || name.find("*/") != std::string_view::npos) return false;
        line.remove_prefix(end + 1);
    }
    const bool more = line.find(',') != std::string_view::npos;
    return std::all_of(line.begin(), line.end(), [&](char c) {
        if (is_space(c) || is_digit(c)) return true;
        return more && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || std::string_view(",_$-+").find(c) < 5);
    });
}

} // namespace

std::string without_lines(std::string_view ptx) {
    std::string result;
    result.reserve(ptx.size());
    while (!ptx.empty()) {
        const std::size_t end = std::min(ptx.find('\n'), ptx.size());
        if (!is_line_directive(ptx.substr(0, end))) result += ptx.substr(0, end);
        if (end < ptx.size()) result += '\n';
        ptx.remove_prefix(std::min(end + 1, ptx.size()));
    }
    return result;
}

std::uint64_t declared_registers(std::string_view ptx) {
    std::uint64_t sum = 0;
    for (std::size_t at = ptx.find('<'); at != std::string_view::npos; at = ptx.find('<', at + 1)) {
        std::string_view number = trimmed(ptx.substr(at + 1, 40));
        const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
        if (hexadecimal) number.remove_prefix(2);
        std::uint64_t count = 0;
        const auto end = std::from_chars(number.data(), number.data() + number.size(), count, hexadecimal ? 16 : 10);
        if (end.ec == std::errc::result_out_of_range) count = UINT64_MAX;
        sum = count > UINT64_MAX - sum ? UINT64_MAX : sum + count;
    }
    return sum;
}

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
