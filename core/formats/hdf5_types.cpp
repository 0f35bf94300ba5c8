// SPDX-License-Identifier: Apache-2.0
#include "formats/hdf5_types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warplight::formats {
namespace {

/// A number of the library's own. -1 for others.
hid_t number_type(const Hdf5Types& types, const DType& dtype) {
    const std::pair<DType, hid_t> all[] = {
        {DType::int8(), types.i8},     {DType::int16(), types.i16},   {DType::int32(), types.i32},
        {DType::int64(), types.i64},   {DType::uint8(), types.u8},    {DType::uint16(), types.u16},
        {DType::uint32(), types.u32},  {DType::uint64(), types.u64},  {DType::float16(), types.f16},
        {DType::float32(), types.f32}, {DType::float64(), types.f64},
    };
    for (const auto& [each, type] : all)
        if (each == dtype) return type;
    return -1;
}

DType integer_dtype(std::size_t size, bool is_signed) {
    switch (size) {
    case 1: return is_signed ? DType::int8() : DType::uint8();
    case 2: return is_signed ? DType::int16() : DType::uint16();
    case 4: return is_signed ? DType::int32() : DType::uint32();
    case 8: return is_signed ? DType::int64() : DType::uint64();
    default: return DType::opaque(1);
    }
}

/// A complex number as h5py has it: a compound of two floats.
Hdf5Id compound_of_parts(const Hdf5Library& h5, hid_t part, std::size_t size, const char* real, const char* imaginary) {
    Hdf5Id type(h5.H5Tcreate(hdf5::type_compound, 2 * size), h5.H5Tclose);
    h5.H5Tinsert(type.get(), real, 0, part);
    h5.H5Tinsert(type.get(), imaginary, size, part);
    return type;
}

class Reader {
public:
    Reader(const Hdf5Library& h5, hid_t type, std::string& problem)
        : h5_(h5), type_(type), size_(h5.H5Tget_size(type)), problem_(problem) {}

    std::optional<Hdf5Element> read() {
        switch (h5_.H5Tget_class(type_)) {
        case hdf5::type_integer: return integer();
        case hdf5::type_float: return real();
        case hdf5::type_bitfield: return native(integer_dtype(size_, false));
        case hdf5::type_enum: return enumeration();
        case hdf5::type_compound: return complex();
        case hdf5::type_string: return refuse("holds texts");
        case hdf5::type_vlen: return refuse("holds lists of different lengths");
        case hdf5::type_reference: return refuse("holds references");
        case hdf5::type_array: return refuse("holds arrays as elements");
        default: return refuse("holds elements that are no numbers");
        }
    }

private:
    std::optional<Hdf5Element> refuse(std::string problem) {
        problem_ = std::move(problem);
        return std::nullopt;
    }
    std::optional<Hdf5Element> number(const DType& dtype) {
        return Hdf5Element{dtype, Hdf5Id(h5_.H5Tcopy(number_type(h5_.types, dtype)), h5_.H5Tclose)};
    }
    /// The library's type in memory, whose elements are of that dtype.
    std::optional<Hdf5Element> native(const DType& dtype) {
        if (!dtype.is_numeric()) return refuse(fmt::format("holds numbers of {} bytes", size_));
        Hdf5Id memory(h5_.H5Tget_native_type(type_, 0), h5_.H5Tclose);
        if (!memory.ok() || h5_.H5Tget_size(memory.get()) != dtype.itemsize())
            return refuse("has elements of an unknown type");
        return Hdf5Element{dtype, std::move(memory)};
    }
    std::optional<Hdf5Element> integer() {
        const DType dtype = integer_dtype(size_, h5_.H5Tget_sign(type_) == hdf5::signed_number);
        if (!dtype.is_numeric()) return refuse(fmt::format("holds whole numbers of {} bytes", size_));
        return number(dtype);
    }
    /// Floats of other forms become the next wider one.
    std::optional<Hdf5Element> real() {
        std::size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
        h5_.H5Tget_fields(type_, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits);
        constexpr std::size_t half_mantissa = 10, float_mantissa = 23;
        if (size_ == 2 && mantissa_bits == half_mantissa) return number(DType::float16());
        return number(mantissa_bits <= float_mantissa && size_ <= 4 ? DType::float32() : DType::float64());
    }
    std::optional<Hdf5Element> enumeration() {
        const Hdf5Id base(h5_.H5Tget_super(type_), h5_.H5Tclose);
        const bool is_signed = h5_.H5Tget_sign(base.get()) == hdf5::signed_number;
        return native(is_boolean() ? DType::boolean() : integer_dtype(size_, is_signed));
    }
    /// h5py's: FALSE and TRUE, of a byte.
    bool is_boolean() {
        constexpr std::array<std::string_view, 2> words = {"FALSE", "TRUE"};
        if (size_ != 1 || h5_.H5Tget_nmembers(type_) != 2) return false;
        for (unsigned i = 0; i < words.size(); ++i) {
            std::uint8_t value = 0;
            if (member_name_of(i) != words[i] || h5_.H5Tget_member_value(type_, i, &value) < 0 || value != i)
                return false;
        }
        return true;
    }
    std::optional<Hdf5Element> complex() {
        constexpr const char* problem = "holds structs";
        if (h5_.H5Tget_nmembers(type_) != 2) return refuse(problem);
        const std::string real = member_name_of(0), imaginary = member_name_of(1);
        const bool named = (real == "r" && imaginary == "i") || (real == "real" && imaginary == "imag");
        const Hdf5Id first(h5_.H5Tget_member_type(type_, 0), h5_.H5Tclose);
        const Hdf5Id second(h5_.H5Tget_member_type(type_, 1), h5_.H5Tclose);
        const std::size_t part = h5_.H5Tget_size(first.get());
        if (!named || h5_.H5Tget_class(first.get()) != hdf5::type_float ||
            h5_.H5Tget_class(second.get()) != hdf5::type_float || h5_.H5Tget_size(second.get()) != part ||
            (part != 4 && part != 8))
            return refuse(problem);
        return Hdf5Element{
            part == 4 ? DType::complex64() : DType::complex128(),
            compound_of_parts(h5_, part == 4 ? h5_.types.f32 : h5_.types.f64, part, real.c_str(), imaginary.c_str())};
    }
    std::string member_name_of(unsigned index) {
        char* name = h5_.H5Tget_member_name(type_, index);
        std::string text = name ? name : "";
        h5_.H5free_memory(name);
        return text;
    }

    const Hdf5Library& h5_;
    const hid_t type_;
    const std::size_t size_;
    std::string& problem_;
};

} // namespace

std::optional<Hdf5Element> element_of(const Hdf5Library& h5, hid_t type, std::string& problem) {
    return Reader(h5, type, problem).read();
}

Hdf5Id hdf5_type_of(const Hdf5Library& h5, const DType& dtype) {
    if (dtype == DType::complex64()) return compound_of_parts(h5, h5.types.f32, 4, "r", "i");
    if (dtype == DType::complex128()) return compound_of_parts(h5, h5.types.f64, 8, "r", "i");
    if (dtype == DType::boolean()) {
        Hdf5Id type(h5.H5Tenum_create(h5.types.i8), h5.H5Tclose);
        const std::int8_t no = 0, yes = 1;
        h5.H5Tenum_insert(type.get(), "FALSE", &no);
        h5.H5Tenum_insert(type.get(), "TRUE", &yes);
        return type;
    }
    const hid_t number = number_type(h5.types, dtype);
    return number < 0 ? Hdf5Id() : Hdf5Id(h5.H5Tcopy(number), h5.H5Tclose);
}

} // namespace warplight::formats
