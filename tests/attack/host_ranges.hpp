// SPDX-License-Identifier: Apache-2.0
// What is mapped into this process, from the system's own list.
#pragma once

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

struct HostRange {
    std::uint64_t begin, end;
};

/// All that can be read, written or executed.
inline std::vector<HostRange> host_ranges() {
    std::vector<HostRange> ranges;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        HostRange range{};
        const char* end = line.data() + line.size();
        const auto first = std::from_chars(line.data(), end, range.begin, 16);
        (void)std::from_chars(first.ptr + 1, end, range.end, 16);
        if (line.find("---p") == std::string::npos) ranges.push_back(range);
    }
    return ranges;
}
