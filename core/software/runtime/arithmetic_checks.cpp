// SPDX-License-Identifier: Apache-2.0
#include "arithmetic_checks.hpp"

#include <bit>
#include <string>

namespace warplight::software {
namespace {

const char* message_of(ArithmeticProblem problem) {
    switch (problem) {
    case ArithmeticProblem::division_by_zero:
        return "an integer is divided by 0. The device goes on with a number that means nothing: test the divisor "
               "first.";
    case ArithmeticProblem::quotient_too_large:
        return "the least number of its type is divided by -1, and the quotient is too large for the type. Use a wider "
               "type, or test for it.";
    case ArithmeticProblem::shift:
        return "a shift by as many bits as the type has, or more, or by a negative number. C++ leaves the result open: "
               "GPUs shift all bits out, processors hardly any. Limit the number of bits.";
    case ArithmeticProblem::not_a_number:
        return "the result is no number (NaN), though it is made of numbers. Examples are 0/0, infinity minus infinity "
               "and the root of a negative number. What is computed with it is none either.";
    case ArithmeticProblem::overflow:
        return "a signed index of 32 bits overflows, and becomes an address. Compute it in 64 bits: with size_t, or "
               "(long long)row * width + column.";
    }
    return "";
}

} // namespace

void ArithmeticChecks::tell(const BlockContext& block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
                            ArithmeticProblem problem) const {
    const std::string what = "arithmetic " + std::to_string(static_cast<unsigned>(problem));
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        launch_.keep(block, {linear + lane, site}, "", what, [&](findings::Finding& f) {
            f.kind = findings::name_of(findings::Check::arithmetic);
            if (problem == ArithmeticProblem::not_a_number) f.severity = "warning";
            f.message = message_of(problem);
        });
    }
}

} // namespace warplight::software
