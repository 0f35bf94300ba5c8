// SPDX-License-Identifier: Apache-2.0
#include "worker/buffer_export.hpp"

#include "session/pieces.hpp"
#include "warplight/file_io.hpp"
#include "warplight/npy.hpp"
#include "worker/scan_walk.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>

namespace warplight::worker {
namespace {

/// Counts what it writes.
class CountedFile {
public:
    explicit CountedFile(const PieceWriter& write) : write_(write) {}
    void write(std::span<const std::byte> bytes) {
        write_(bytes);
        written_ += bytes.size();
    }
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    [[nodiscard]] std::uint64_t written() const { return written_; }

private:
    const PieceWriter& write_;
    std::uint64_t written_ = 0;
};

void append_bytes(CountedFile& out, const NdArray& array, const RequestContext& context) {
    Walk walk(context, "save", array.size());
    session::PieceReader reader(array);
    for (std::size_t offset = 0; offset < array.size();) {
        const std::size_t count = std::min(session::kPiece, array.size() - offset);
        out.write(reader.read(offset, count));
        offset += count;
        walk.step(offset);
    }
}

template <class T>
void append_number(std::string& text, const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) { // without a sign, as NumPy writes it
                text += "nan";
                return;
            }
        }
        char digits[48];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        text.append(digits, end);
    } else if constexpr (std::is_same_v<T, Half>) {
        append_number(text, static_cast<float>(value));
    } else {
        append_number(text, value.real());
        if (!std::signbit(value.imag()) || std::isnan(value.imag())) text += '+';
        append_number(text, value.imag());
        text += 'j';
    }
}

/// In quotes where a comma or a quote would be taken for a border.
std::string heading_text(const std::string& heading) {
    if (heading.find_first_of(",\"\r\n") == std::string::npos) return heading;
    std::string text = "\"";
    for (const char c : heading)
        text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

void append_table(CountedFile& out, const NdArray& array, const std::vector<std::string>& headings,
                  const RequestContext& context) {
    if (!array.dtype().is_numeric())
        throw RequestError(invalid_parameters,
                           "elements of type " + array.dtype().name() + " are no numbers; save as .npy or .bin");
    Walk walk(context, "save", array.size());
    const std::size_t columns = array.ndim() >= 2 ? std::max<std::size_t>(1, array.shape().back()) : 1;
    std::string text;
    for (std::size_t i = 0; i < headings.size(); ++i) {
        if (i) text += ',';
        text += heading_text(headings[i]);
    }
    if (!headings.empty()) text += '\n';
    std::size_t column = 0;
    session::visit_pieces(array, 0, array.size(), [&](auto values, std::size_t offset) {
        for (const auto& value : values) {
            append_number(text, value);
            const bool last = ++column == columns;
            text += last ? '\n' : ',';
            if (last) column = 0;
        }
        out.write(text);
        text.clear();
        walk.step(offset + values.size());
        return true;
    });
    out.write(text); // headings of a table without rows
}

} // namespace

std::uint64_t write_buffer(const NdArray& array, const std::filesystem::path& path,
                           const std::vector<std::string>& headings, const RequestContext& context) {
    std::uint64_t written = 0;
    write_file_atomically(path, [&](const PieceWriter& write) {
        CountedFile out(write);
        if (path.extension() == ".csv") {
            append_table(out, array, headings, context);
        } else {
            if (path.extension() == ".npy") // of the shape alone: the elements follow in C order
                out.write(
                    make_npy_header(NdArray::wrap(nullptr, array.shape(), array.dtype(), Order::C, nullptr, false)));
            append_bytes(out, array, context);
        }
        written = out.written();
    });
    return written;
}

} // namespace warplight::worker
