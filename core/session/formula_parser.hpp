// SPDX-License-Identifier: Apache-2.0
// muParser behind one class: a formula that is ready to be evaluated, by one thread.
#pragma once

#include "session/formula_inputs.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace warplight::session {

class FormulaParser {
public:
    /// @throws SessionError where the formula is wrong
    FormulaParser(const std::string& expression, std::size_t axes, const FormulaNames& arguments);
    ~FormulaParser();
    FormulaParser(const FormulaParser&) = delete;
    FormulaParser& operator=(const FormulaParser&) = delete;

    /// Gives the arguments their values. The arrays stay where they are.
    /// @throws SessionError for an array that cannot be read so
    void bind(const FormulaInputs& inputs, std::span<const std::size_t> shape);
    /// The next element will be this one.
    void start(std::size_t element);
    /// The value of the element, and on to the next. @throws SessionError for an index outside of an array
    double next();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::session
