// SPDX-License-Identifier: Apache-2.0
#include "session/argument_memory.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace warplight::session {
namespace {

/// "address 0x7f4e: 12 bytes past the end of ", of an array that is smaller than its allocation.
void correct_distance(std::string& text, std::size_t end, const ArgumentMemory& argument) {
    const auto line = text.rfind("address 0x", end);
    const auto colon = text.find(": ", line);
    if (line == std::string::npos || colon == std::string::npos || colon > end) return;
    if (text.substr(colon, end - colon).find(" bytes past the end of ") == std::string::npos) return;
    const auto address = std::stoull(text.substr(line + 10, colon - line - 10), nullptr, 16);
    const auto distance = address - (argument.address + argument.bytes);
    text.replace(colon + 2, end - colon - 2, fmt::format("{} bytes past the end of ", distance));
}

} // namespace

std::string phrase_of(const ArgumentMemory& argument) {
    return fmt::format("the {} bytes at 0x{:x} (", argument.allocated, argument.address);
}

std::string name_arguments(std::string report, const std::vector<ArgumentMemory>& arguments) {
    for (const auto& argument : arguments) {
        const auto phrase = phrase_of(argument);
        for (auto at = report.find(phrase); at != std::string::npos; at = report.find(phrase, at)) {
            const auto end = report.find(')', at);
            if (end == std::string::npos) break;
            report.replace(at, end + 1 - at, argument.name);
            if (argument.bytes < argument.allocated) correct_distance(report, at, argument);
        }
    }
    return report;
}

} // namespace warplight::session
