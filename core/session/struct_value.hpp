// SPDX-License-Identifier: Apache-2.0
/// Values of structs: fields by name, packed as the kernel's type lies in memory.
#pragma once

#include "debug/layout.hpp"
#include "session/session.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace warplight::session {

/// What is missing is 0. @throws SessionError whose pointer is relative to the value: "/inner/x"
[[nodiscard]] std::vector<std::byte> pack_struct(const debug::Layout& layout, const StructValue& value);
/// Of a value that is a text of hexadecimal digits; nothing for one that has fields. @throws SessionError
[[nodiscard]] std::optional<std::vector<std::byte>> bytes_of_value(const StructValue& value);

/// A value from JSON text, as somebody types it. @throws SessionError for what is neither an object nor "0x…"
[[nodiscard]] StructValue struct_value(std::string_view json);

/// "Particle (pos.x, pos.y, mass)", for messages.
[[nodiscard]] std::string describe(const debug::Layout& layout);
/// The first address inside of a struct, as its path; empty: there is none.
[[nodiscard]] std::string path_to_pointer(const debug::Layout& layout);
/// Why addresses cannot be given, and what to do.
[[nodiscard]] std::string refuse_pointer(const debug::Layout& layout, const std::string& path);

} // namespace warplight::session
