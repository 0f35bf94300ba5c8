// SPDX-License-Identifier: Apache-2.0
// What formulas of a session mean in C++. They compute with doubles.
#pragma once

#include "results.hpp"

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace formulas {

/// An element by its number, or by its index along each axis. Fractions are rounded down.
inline double element(const experiment::Array& array, std::initializer_list<double> index) {
    const bool flat = index.size() == 1;
    if (!flat && index.size() != array.shape.size())
        throw std::out_of_range("a formula gives an array another number of indices than it has axes");
    std::size_t place = 0, axis = 0;
    for (const double each : index) {
        const std::size_t length = flat ? array.size() : array.shape[axis++];
        const double whole = std::floor(each);
        if (!(whole >= 0 && whole < static_cast<double>(length)))
            throw std::out_of_range("a formula asks for an element that an array has not");
        place = place * length + static_cast<std::size_t>(whole);
    }
    const auto read = experiment::reader_of(array.type);
    if (!read) throw std::runtime_error("a formula names an array of " + array.type + ": it can read numbers only");
    return read(array.bytes.data() + place * array.itemsize).value;
}

/// A value for a launch. Integers take whole numbers that they hold.
template <class T>
T number(double value) {
    if constexpr (std::is_integral_v<T>) {
        const double least = static_cast<double>(std::numeric_limits<T>::min());
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
        if (value != std::floor(value) || !(value >= least && value < end))
            throw std::out_of_range("a formula makes " + std::to_string(value) + ", which an argument cannot hold");
    }
    return static_cast<T>(value);
}

} // namespace formulas
