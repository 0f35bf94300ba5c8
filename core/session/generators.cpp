// SPDX-License-Identifier: Apache-2.0
#include "session/generators.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/formula.hpp"
#include "session/parallel.hpp"
#include "session/platform.hpp"
#include "session/random.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::session {
namespace {

/// Elements; generating dominates the time of large arrays.
constexpr std::size_t elements_worth_a_thread = std::size_t(1) << 18;

template <class Make>
NdArray fill_each(const Shape& shape, const std::string& dtype, const Make& make) {
    const auto type = DType::from_name(dtype);
    check_fits_memory(shape, type.itemsize());
    auto array = NdArray::empty(shape, type);
    visit_dtype(type, [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        const auto values = array.as_mutable<T>();
        in_parallel(values.size(), elements_worth_a_thread, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                values[i] = make(TypeTag<T>{}, i);
        });
    });
    return array;
}

// Converts a number of the document to an element. Integers stay exact; others clip as in from_double.
template <class T>
T element_of(const Number& number) {
    if constexpr (std::is_integral_v<T>) {
        if (const auto* value = std::get_if<std::int64_t>(&number))
            return std::in_range<T>(*value)
                       ? static_cast<T>(*value)
                       : (*value < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
        if (const auto* value = std::get_if<std::uint64_t>(&number))
            return std::in_range<T>(*value) ? static_cast<T>(*value) : std::numeric_limits<T>::max();
    }
    return from_double<T>(as_double(number));
}

void check_value(const std::string& dtype, const Number& value, const char* pointer) {
    try {
        pack_scalar(dtype, value);
    } catch (const SessionError& error) {
        throw SessionError(error.what(), pointer);
    }
}

bool is_integer(const std::string& dtype) { return dtype.find("int") != std::string::npos; }

} // namespace

void check_fits_memory(const Shape& shape, std::size_t itemsize) {
    unsigned long long bytes = itemsize;
    for (const auto length : shape) {
        if (length != 0 && bytes > ~0ull / length)
            bytes = ~0ull;
        else
            bytes *= length;
    }
    const auto memory = platform::physical_memory();
    if (memory && bytes > memory)
        throw SessionError(
            fmt::format("An array of shape {} needs {:.1f} GiB, but this machine has {:.1f} GiB of memory. "
                        "Choose a smaller shape.",
                        warplight::to_string(shape), static_cast<double>(bytes) / (1ull << 30),
                        static_cast<double>(memory) / (1ull << 30)),
            "/shape");
}

NdArray generate(const ZerosSource& source) {
    const auto type = DType::from_name(source.dtype);
    check_fits_memory(source.shape, type.itemsize());
    return NdArray::zeros(source.shape, type);
}

NdArray generate(const ConstantSource& source) {
    check_value(source.dtype, source.value, "/value");
    return fill_each(source.shape, source.dtype,
                     [&]<class Tag>(Tag, std::size_t) { return element_of<typename Tag::type>(source.value); });
}

NdArray generate(const ArangeSource& source) {
    const auto* start = std::get_if<std::int64_t>(&source.start);
    const auto* step = std::get_if<std::int64_t>(&source.step);
    if (is_integer(source.dtype) && start && step) {
        // Wrapping arithmetic is exact here, because both ends fit.
        const auto at = [&](std::uint64_t i) {
            return static_cast<std::int64_t>(static_cast<std::uint64_t>(*start) +
                                             i * static_cast<std::uint64_t>(*step));
        };
        std::size_t count = 1;
        for (const auto length : source.shape)
            count *= length;
        if (count > 0) {
            check_value(source.dtype, source.start, "/start");
            const double last =
                static_cast<double>(*start) + static_cast<double>(count - 1) * static_cast<double>(*step);
            if (std::abs(last) >= 0x1p63 || (last < 0 && source.dtype[0] == 'u'))
                throw SessionError(fmt::format("The last element, {}, does not fit {}.", last, source.dtype), "/step");
            check_value(source.dtype, at(count - 1), "/step");
        }
        return fill_each(source.shape, source.dtype,
                         [&]<class Tag>(Tag, std::size_t i) { return element_of<typename Tag::type>(at(i)); });
    }
    const double first = as_double(source.start), by = as_double(source.step);
    return fill_each(source.shape, source.dtype, [&]<class Tag>(Tag, std::size_t i) {
        return from_double<typename Tag::type>(first + static_cast<double>(i) * by);
    });
}

NdArray generate(const LinspaceSource& source) {
    const double start = as_double(source.start), stop = as_double(source.stop);
    std::size_t count = 1;
    for (const auto length : source.shape)
        count *= length;
    const double step = count > 1 ? (stop - start) / static_cast<double>(count - 1) : 0;
    return fill_each(source.shape, source.dtype, [&]<class Tag>(Tag, std::size_t i) {
        using T = typename Tag::type;
        return from_double<T>(i + 1 == count && count > 1 ? stop : start + static_cast<double>(i) * step);
    });
}

NdArray generate(const RandomSource& source) {
    const SplitMix64 random{source.seed};
    if (source.distribution == RandomSource::Distribution::normal)
        return fill_each(source.shape, source.dtype, [&]<class Tag>(Tag, std::size_t i) {
            return from_double<typename Tag::type>(source.mean + source.stddev * random.normal(i));
        });
    if (is_integer(source.dtype)) {
        check_value(source.dtype, source.low, "/low");
        // `high` itself is not drawn, so it may be one past what the type holds.
        const auto as_bits = [](const Number& number, const char* pointer) {
            if (const auto* value = std::get_if<std::int64_t>(&number)) return static_cast<std::uint64_t>(*value);
            if (const auto* value = std::get_if<std::uint64_t>(&number)) return *value;
            const double value = std::get<double>(number);
            if (value != std::trunc(value) || std::abs(value) >= 0x1p63)
                throw SessionError("The bounds of random integers must be whole numbers.", pointer);
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        };
        const std::uint64_t low = as_bits(source.low, "/low");
        const std::uint64_t range = as_bits(source.high, "/high") - low;
        if (range > 0) {
            const std::uint64_t last = low + range - 1;
            const Number largest = source.dtype[0] == 'u' ? Number(last) : Number(static_cast<std::int64_t>(last));
            check_value(source.dtype, largest, "/high");
        }
        return fill_each(source.shape, source.dtype, [&]<class Tag>(Tag, std::size_t i) {
            using T = typename Tag::type;
            const auto value = low + upper_product(random.at(i), range);
            if constexpr (std::is_integral_v<T>)
                return static_cast<T>(value);
            else
                return T{}; // unreachable, because the dtype is an integer
        });
    }
    const double low = as_double(source.low), width = as_double(source.high) - low;
    return fill_each(source.shape, source.dtype, [&]<class Tag>(Tag, std::size_t i) {
        return from_double<typename Tag::type>(low + random.unit(i) * width);
    });
}

NdArray generate(const FormulaSource& source) {
    const auto type = DType::from_name(source.dtype);
    check_fits_memory(source.shape, type.itemsize());
    auto array = NdArray::empty(source.shape, type);
    fill_by_formula(array, source.expression, {});
    return array;
}

} // namespace warplight::session
