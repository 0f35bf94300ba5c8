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

namespace warplight {
class NdArray;
}

namespace warplight::session {

/// XXH3 with 128 bits, as 32 hexadecimal digits.
std::string digest(std::span<const std::byte> bytes);
/// Of a result that is expected exactly, without showing it: SHA-256 of its type, its shape without axes of length 1
/// and its numbers, where all NaNs are one and -0 is 0. Empty of structs.
std::string result_digest(const NdArray& result);
/// Of all that is in the file. @throws files::InputError
std::string digest(const files::InputFile& file);

} // namespace warplight::session
