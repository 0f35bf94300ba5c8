// SPDX-License-Identifier: Apache-2.0
// Arrays and expectations that formulas make of other arguments.
#include "session/stages.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/formula.hpp"
#include "session/generators.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace warplight::session {

bool is_number(const ArgumentData& data) {
    return !dtype_of_type(data.argument->type).empty() && !data.is_array() && !data.is_enumerator();
}

FormulaNames names_of_arguments(const std::vector<ArgumentData>& all) {
    FormulaNames names;
    for (const ArgumentData& data : all)
        if (data.is_array() || is_number(data))
            (data.is_array() ? names.arrays : names.scalars).push_back(data.argument->name);
    return names;
}

double value_of_scalar(const ArgumentData& data) {
    const auto type = DType::from_name(dtype_of_type(data.argument->type));
    double value = 0;
    visit_dtype(type, [&]<class Tag>(Tag) {
        typename Tag::type scalar;
        std::memcpy(&scalar, data.scalar.data(), sizeof scalar);
        value = to_double(scalar);
    });
    return value;
}

namespace {

/// All arguments, for names decide; but arrays only where the formula names them.
FormulaInputs inputs_of(const std::vector<ArgumentData>& all, const std::set<std::string>& named) {
    FormulaInputs inputs;
    for (const ArgumentData& data : all) {
        const std::string& name = data.argument->name;
        if (is_number(data))
            inputs.scalars.emplace_back(name, named.contains(name) ? value_of_scalar(data) : 0);
        else if (data.is_array() && named.contains(name))
            inputs.arrays.emplace_back(name, data.input);
    }
    return inputs;
}

FormulaHooks formula_hooks(const RunHooks& hooks, const ArgumentData& data) {
    FormulaHooks made{.cancelled = hooks.cancelled, .progress = {}};
    if (hooks.progress) made.progress = [&](double fraction) { hooks.progress("data", fraction, data.argument->name); };
    return made;
}

const FormulaSource* formula_source(const ArgumentData& data) {
    return data.is_array() ? std::get_if<FormulaSource>(&data.argument->source) : nullptr;
}

} // namespace

void fill_by_arguments(NdArray& array, const std::string& expression, const std::vector<ArgumentData>& all,
                       const ArgumentData& data, const RunHooks& hooks, std::string_view place) {
    const auto named = names_in_formula(expression, names_of_arguments(all));
    try {
        if (!fill_by_formula(array, expression, inputs_of(all, named), formula_hooks(hooks, data)))
            throw StageError(Status::cancelled, {.kind = "cancelled", .message = "The run was stopped."});
    } catch (const SessionError& error) {
        input_error_at(SessionError(fmt::format("{}: {}", data.label, error.what()), error.pointer),
                       fmt::format("{}{}", data.pointer, place));
    }
}

NdArray array_for_formula(const FormulaSource& source) {
    const auto type = DType::from_name(source.dtype);
    check_fits_memory(source.shape, type.itemsize());
    return NdArray::empty(source.shape, type);
}

void fill_formulas(const RunHooks& hooks, std::vector<ArgumentData>& all) {
    const FormulaNames names = names_of_arguments(all);
    std::vector<ArgumentData*> left;
    for (ArgumentData& data : all)
        if (formula_source(data)) left.push_back(&data);
    while (!left.empty()) {
        const auto is_ready = [&](const ArgumentData* data) {
            const auto named = names_in_formula(formula_source(*data)->expression, names);
            return std::ranges::none_of(
                left, [&](const ArgumentData* other) { return named.contains(other->argument->name); });
        };
        const auto next = std::ranges::find_if(left, is_ready);
        if (next == left.end()) {
            const ArgumentData& data = *left.front();
            input_error(fmt::format("The formula of {} needs its own values: it names {} or an array whose formula "
                                    "leads back to it. Give one of them another source.",
                                    data.label, data.argument->name),
                        data.pointer + "/source/expression");
        }
        ArgumentData& data = **next;
        fill_by_arguments(data.input, formula_source(data)->expression, all, data, hooks, "/source");
        left.erase(next);
    }
}

void expect_formula(const RunHooks& hooks, const std::vector<ArgumentData>& all, ArgumentData& data) {
    const std::string& expression = data.argument->expect->expression;
    if (!data.input.dtype().is_numeric())
        input_error(
            fmt::format("{} has structs, but a formula makes numbers. Name a .npy file with the expected structs.",
                        data.label),
            data.pointer + "/expect/expression");
    NdArray expected = NdArray::empty(data.input.shape(), data.input.dtype());
    fill_by_arguments(expected, expression, all, data, hooks, "/expect");
    data.expected = std::move(expected);
}

} // namespace warplight::session
