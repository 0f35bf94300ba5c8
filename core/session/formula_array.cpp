// SPDX-License-Identifier: Apache-2.0
#include "session/formula_array.hpp"

#include "session/formula.hpp"

#ifdef WARPLIGHT_HAS_FORMULAS
#include "session/formula_parser.hpp"
#include "session/lazy_elements.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#endif

namespace warplight::session {

#ifdef WARPLIGHT_HAS_FORMULAS
namespace {

FormulaNames names_of(const FormulaInputs& inputs) {
    FormulaNames names;
    for (const auto& each : inputs.scalars)
        names.scalars.push_back(each.first);
    for (const auto& each : inputs.arrays)
        names.arrays.push_back(each.first);
    for (const auto& each : inputs.compounds)
        names.compounds.push_back(each.first);
    return names;
}

class FormulaElements : public LazyElements {
public:
    FormulaElements(const std::string& expression, const Shape& shape, const FormulaInputs& inputs)
        : parser_(expression, shape.size(), names_of(inputs)) {
        parser_.bind(inputs, shape);
    }
    void read(std::uint64_t place, std::span<std::byte> to) const override {
        const std::lock_guard lock(mutex_);
        parser_.start(static_cast<std::size_t>(place / sizeof(double)));
        for (std::size_t at = 0; at < to.size(); at += sizeof(double)) {
            const double value = parser_.next();
            std::memcpy(to.data() + at, &value, sizeof value);
        }
    }

private:
    mutable std::mutex mutex_; // the parser is for one thread
    mutable FormulaParser parser_;
};

} // namespace

NdArray formula_array(const std::string& expression, Shape shape, const FormulaInputs& inputs) {
    auto elements = std::make_shared<FormulaElements>(expression, shape, inputs);
    return array_of(std::move(elements), std::move(shape), DType::float64());
}

#else

NdArray formula_array(const std::string& expression, Shape shape, const FormulaInputs&) {
    check_formula(expression, shape.size(), {}); // says that there are none
    return NdArray::empty(std::move(shape), DType::float64());
}

#endif

} // namespace warplight::session
