// SPDX-License-Identifier: Apache-2.0
#include "files/random_name.hpp"

#include <algorithm>
#include <random>

namespace warplight::files {
namespace {

// Without upper case: some file systems do not tell it apart.
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t kLength = 10;

} // namespace

std::string random_name() {
    std::random_device source;
    std::string name(kLength, ' ');
    for (char& letter : name)
        letter = kLetters[source() % kLetters.size()];
    return name;
}

bool is_random_name(std::string_view text) {
    return text.size() == kLength &&
           std::all_of(text.begin(), text.end(), [](char c) { return kLetters.find(c) != std::string_view::npos; });
}

} // namespace warplight::files
