// SPDX-License-Identifier: Apache-2.0
// Scalar arguments as programs write them. The program's value has the same bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace warplight::exporting {

/// A type of one number that Python and C++ have by themselves: no vector, and none of bf16, f8e4m3, f8e5m2.
[[nodiscard]] bool is_plain_number(std::string_view type);

/// `np.float32(2.5)`, `np.array([1.0, 2.0], np.float32)`; of small floats the bits: `np.uint16(0x3f80)`.
[[nodiscard]] std::string python_scalar(std::string_view type, std::span<const std::byte> bytes);
/// The same as an array, whatever the type: `np.array([2.5], np.float32)`.
[[nodiscard]] std::string python_array(std::string_view type, std::span<const std::byte> bytes);

/// Of a struct its bytes, with the alignment of the kernel's parameter. A definition of `name`: `float a = 2.5f;`,
/// `struct alignas(16) { float x[4]; } p{{1.0f, 2.0f, 3.0f, 4.0f}};`
[[nodiscard]] std::string cpp_scalar(std::string_view type, std::span<const std::byte> bytes, std::string_view name,
                                     std::size_t alignment = 1);

/// For comments: why bits stand there. Empty of others.
[[nodiscard]] std::string scalar_note(std::string_view type, std::string_view comment);

/// Text inside of quotation marks of both languages.
[[nodiscard]] std::string quoted_text(std::string_view text);
/// One line, for comments.
[[nodiscard]] std::string one_line(std::string_view text);

} // namespace warplight::exporting
