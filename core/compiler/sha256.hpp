// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for the keys of the compile cache and for files that go to another machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warplight::compiler {

class Sha256 {
public:
    void update(std::string_view bytes);
    /// The bytes with their length before them, so that "ab","c" and "a","bc" differ.
    void field(std::string_view bytes);
    /// 64 hexadecimal digits. Ends the computation.
    std::string hex();

private:
    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> pending_{};
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;
};

std::string sha256_hex(std::string_view bytes);

} // namespace warplight::compiler
