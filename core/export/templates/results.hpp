// SPDX-License-Identifier: Apache-2.0
// Arrays of .npy files; what a run leaves: results are saved and compared with what is expected, and times are printed.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace experiment {

static_assert(std::endian::native == std::endian::little, "the files hold little-endian numbers");

/// Elements in C order, of a type that NumPy calls `type`: "'<f4'".
struct Array {
    std::string type;
    std::vector<std::size_t> shape;
    std::size_t itemsize = 0;
    std::vector<std::byte> bytes;

    std::size_t size() const {
        std::size_t count = 1;
        for (const auto length : shape)
            count *= length;
        return count;
    }
};

inline Array zeros(std::string type, std::size_t itemsize, std::vector<std::size_t> shape) {
    Array array{std::move(type), std::move(shape), itemsize, {}};
    array.bytes.resize(array.size() * itemsize);
    return array;
}

/// What stands behind `key` in the header of a .npy file.
inline std::string value_in(const std::string& header, const std::string& key, const std::string& end) {
    const auto at = header.find("'" + key + "':");
    const auto begin = at == std::string::npos ? at : header.find_first_not_of(' ', at + key.size() + 3);
    const auto stop = begin == std::string::npos ? begin : header.find(end, begin);
    if (stop == std::string::npos) throw std::runtime_error("a .npy file has no " + key);
    return header.substr(begin, stop - begin);
}

inline Array load_npy(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    if (!file || text.size() < 12 || std::memcmp(text.data(), "\x93NUMPY", 6) != 0)
        throw std::runtime_error(path.string() + " cannot be read, or is no .npy file");
    // The header's length has two bytes in version 1 and four later.
    const std::size_t start = text[6] == 1 ? 10 : 12;
    std::size_t length = 0;
    for (std::size_t i = start; i-- > 8;)
        length = length << 8 | static_cast<unsigned char>(text[i]);
    if (start + length > text.size()) throw std::runtime_error(path.string() + " ends too early");
    const std::string header(text.data() + start, length);
    if (header.find("'fortran_order': True") != std::string::npos)
        throw std::runtime_error(path.string() + " is in Fortran order: save it in C order");
    Array array;
    array.type = value_in(header, "descr", ", 'fortran_order'");
    const auto shape = value_in(header, "shape", ")");
    for (std::size_t at = shape.find_first_of("0123456789"); at != std::string::npos;) {
        const auto end = std::min(shape.find_first_not_of("0123456789", at), shape.size());
        array.shape.push_back(std::stoull(shape.substr(at, end - at)));
        at = shape.find_first_of("0123456789", end);
    }
    const std::size_t count = array.size(), bytes = text.size() - start - length;
    array.itemsize = count ? bytes / count : 0;
    if (count * array.itemsize != bytes) throw std::runtime_error(path.string() + " does not have its shape's size");
    array.bytes.resize(bytes);
    if (bytes) std::memcpy(array.bytes.data(), text.data() + start + length, bytes);
    return array;
}

inline void save_npy(const std::filesystem::path& path, const Array& array) {
    std::string header = "{'descr': " + array.type + ", 'fortran_order': False, 'shape': (";
    for (const auto length : array.shape)
        header += std::to_string(length) + ", ";
    header += "), }";
    const std::size_t total = (12 + header.size() + 1 + 63) / 64 * 64;
    header.resize(total - 12 - 1, ' ');
    header += '\n';
    std::string start("\x93NUMPY\x02\x00", 8);
    for (int i = 0; i < 4; ++i)
        start += static_cast<char>(header.size() >> 8 * i & 0xff);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << start << header;
    if (!array.bytes.empty())
        file.write(reinterpret_cast<const char*>(array.bytes.data()), static_cast<std::streamsize>(array.bytes.size()));
    file.close();
    if (!file) throw std::runtime_error(path.string() + " cannot be written");
}

/// A number with its exact sign and bits, for integers of 64 bits.
struct Number {
    double value = 0;
    bool negative = false;
    std::uint64_t bits = 0;
};

template <class T>
Number number_at(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::is_integral_v<T>)
        return {static_cast<double>(value), value < T{}, static_cast<std::uint64_t>(value)};
    else
        return {static_cast<double>(value), false, 0};
}

inline Number half_at(const std::byte* bytes) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) value = fraction ? NAN : INFINITY;
    return {bits & 0x8000 ? -value : value, false, 0};
}

using Reader = Number (*)(const std::byte*);

/// Null: not a real number.
inline Reader reader_of(const std::string& type) {
    static const std::pair<const char*, Reader> readers[] = {
        {"i1", number_at<std::int8_t>},   {"i2", number_at<std::int16_t>},
        {"i4", number_at<std::int32_t>},  {"i8", number_at<std::int64_t>},
        {"u1", number_at<std::uint8_t>},  {"b1", number_at<std::uint8_t>},
        {"u2", number_at<std::uint16_t>}, {"u4", number_at<std::uint32_t>},
        {"u8", number_at<std::uint64_t>}, {"f2", half_at},
        {"f4", number_at<float>},         {"f8", number_at<double>}};
    for (const auto& [name, reader] : readers)
        if (type.size() == 5 && type.substr(2, 2) == name) return reader;
    return nullptr;
}

/// An element is right when |result - expected| <= atol + rtol * |expected|. NaN equals NaN.
inline bool compare(const char* name, const Array& result, const Array& expected, double rtol, double atol) {
    auto shape = result.shape, expected_shape = expected.shape;
    std::erase(shape, 1u);
    std::erase(expected_shape, 1u);
    if (shape != expected_shape) {
        std::printf("%s: its shape is not the expected one\n", name);
        return false;
    }
    const Reader read = reader_of(result.type), read_expected = reader_of(expected.type);
    if (!read || !read_expected) {
        std::printf("%s: %s and %s cannot be compared: both must be real numbers\n", name, result.type.c_str(),
                    expected.type.c_str());
        return false;
    }
    const bool exact = rtol == 0 && atol == 0 && result.type[2] != 'f' && expected.type[2] != 'f';
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const Number a = read(result.bytes.data() + i * result.itemsize);
        const Number e = read_expected(expected.bytes.data() + i * expected.itemsize);
        bool right = false;
        if (exact)
            right = a.bits == e.bits && a.negative == e.negative;
        else if (std::isfinite(a.value) && std::isfinite(e.value))
            right = std::abs(a.value - e.value) <= atol + rtol * std::abs(e.value);
        else
            right = a.value == e.value || (std::isnan(a.value) && std::isnan(e.value));
        if (!right && wrong++ == 0) first = i;
    }
    if (wrong == 0) {
        std::printf("%s: %zu elements are as expected\n", name, result.size());
        return true;
    }
    std::printf("%s: %zu of %zu elements differ; element %zu is %.17g, but %.17g is expected\n", name, wrong,
                result.size(), first, read(result.bytes.data() + first * result.itemsize).value,
                read_expected(expected.bytes.data() + first * expected.itemsize).value);
    return false;
}

inline void print_times(const char* kernel, std::vector<double> milliseconds) {
    std::sort(milliseconds.begin(), milliseconds.end());
    const std::size_t count = milliseconds.size(), middle = count / 2;
    const double median = count % 2 ? milliseconds[middle] : (milliseconds[middle - 1] + milliseconds[middle]) / 2;
    std::printf("%s: median %.4f ms, least %.4f ms of %zu %s\n", kernel, median, milliseconds.front(), count,
                count == 1 ? "run" : "runs");
}

} // namespace experiment
