// SPDX-License-Identifier: Apache-2.0
#include "files/risky_read.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace warplight::files {
namespace {

std::array<char, 256> risky_name;
std::atomic<std::size_t> risky_length = 0;

} // namespace

RiskyRead::RiskyRead(const std::filesystem::path& file) {
    std::string text = file.string();
    std::ranges::replace(text, '\n', ' ');
    const std::size_t length = std::min(text.size(), risky_name.size());
    std::copy(text.end() - static_cast<std::ptrdiff_t>(length), text.end(), risky_name.begin());
    risky_length = length;
}

RiskyRead::~RiskyRead() { risky_length = 0; }

std::string_view risky_read() noexcept { return {risky_name.data(), risky_length}; }

} // namespace warplight::files
