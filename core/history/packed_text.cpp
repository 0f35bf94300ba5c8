// SPDX-License-Identifier: Apache-2.0
#include "history/packed_text.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <zlib.h>

namespace warplight::history {
namespace {

constexpr std::size_t kWindow = 32768;              ///< as far as deflate looks back
constexpr std::size_t kMost = std::size_t{1} << 30; ///< what zlib counts in one step

std::string_view last_of(std::string_view base) { return base.substr(base.size() - std::min(base.size(), kWindow)); }

Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

void check(bool good) {
    if (!good) throw std::invalid_argument("a text in the history is damaged");
}

} // namespace

std::string pack(std::string_view text, std::string_view base) {
    if (text.size() > kMost) throw std::bad_alloc();
    base = last_of(base);
    z_stream stream{};
    if (deflateInit(&stream, 9) != Z_OK) throw std::bad_alloc();
    if (!base.empty()) deflateSetDictionary(&stream, bytes_of(base), static_cast<uInt>(base.size()));
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = bytes_of(text);
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = bytes_of(packed);
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH); // there is room for all of it
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string unpack(std::string_view packed, std::size_t size, std::string_view base) {
    check(size <= kMost && packed.size() <= kMost);
    base = last_of(base);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
    struct End {
        z_stream& stream;
        ~End() { inflateEnd(&stream); }
    } const end{stream};
    std::string text(size + 1, '\0'); // room for one more tells of a wrong size
    stream.next_in = bytes_of(packed);
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = bytes_of(text);
    stream.avail_out = static_cast<uInt>(text.size());
    int code = inflate(&stream, Z_FINISH);
    if (code == Z_NEED_DICT) {
        check(!base.empty() && inflateSetDictionary(&stream, bytes_of(base), static_cast<uInt>(base.size())) == Z_OK);
        code = inflate(&stream, Z_FINISH);
    }
    check(code == Z_STREAM_END && stream.total_out == size);
    text.resize(size);
    return text;
}

} // namespace warplight::history
