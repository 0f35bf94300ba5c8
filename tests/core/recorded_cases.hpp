// SPDX-License-Identifier: Apache-2.0
// Cases of the test that compares the software device with a recording of a GPU: what each of them leaves in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace recorded {

using Bytes = std::vector<std::uint8_t>;

struct Case {
    std::string name;
    std::function<Bytes()> run; ///< in the current context
};

/// Numbers without a pattern, the same for the same seed.
inline Bytes noise(std::size_t count, std::uint32_t seed) {
    Bytes bytes(count);
    std::uint32_t state = seed * 2654435761U + 97U;
    for (auto& byte : bytes) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        byte = static_cast<std::uint8_t>(state >> 11);
    }
    return bytes;
}

void add_copies(std::vector<Case>& cases);
void add_textures(std::vector<Case>& cases);
void add_instructions(std::vector<Case>& cases);
void add_launches(std::vector<Case>& cases);

} // namespace recorded
