// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace warplight::software {

/// The packed parameters of a launch. A few lie in the object itself, so that most launches ask for no memory.
class ParameterBytes {
public:
    ParameterBytes() = default;
    explicit ParameterBytes(std::size_t size) { resize(size); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::byte* data() { return size_ > kHere ? more_.data() : here_.data(); }
    [[nodiscard]] const std::byte* data() const { return size_ > kHere ? more_.data() : here_.data(); }
    /// All bytes are 0 then.
    void resize(std::size_t size) {
        size_ = size;
        here_ = {};
        more_.assign(size > kHere ? size : 0, std::byte{});
    }

private:
    static constexpr std::size_t kHere = 64;
    std::size_t size_ = 0;
    std::array<std::byte, kHere> here_{};
    std::vector<std::byte> more_;
};

} // namespace warplight::software
