// SPDX-License-Identifier: Apache-2.0
// Tells results apart: equal bytes have equal digests, on every machine. It is no protection against who wants two
// results to look the same.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warplight::files {
class InputFile;
}

namespace warplight::session {

/// XXH3 with 128 bits, as 32 hexadecimal digits.
std::string digest(std::span<const std::byte> bytes);
/// Of all that is in the file. @throws files::InputError
std::string digest(const files::InputFile& file);

} // namespace warplight::session
