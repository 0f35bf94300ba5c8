// SPDX-License-Identifier: Apache-2.0
// Arrays and expectations that formulas make of other arguments.
#include "session/stages.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/formula.hpp"
#include "session/generators.hpp"
#include "session/struct_array.hpp"
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

bool is_compound(const ArgumentData& data) {
    if (data.is_array()) return false;
    const auto type = scalar_type(data.argument->type);
    return data.is_struct() || (type && type->components > 1 && !dtype_of_type(type->component).empty());
}

NdArray compound_of(const ArgumentData& data) {
    DType dtype;
    Shape shape{1};
    if (data.is_struct()) {
        if (!data.layout)
            throw SessionError(fmt::format("A formula names {}, whose fields are not known: it is given by its bytes.",
                                           data.argument->name));
        dtype = dtype_of(*data.layout);
    } else {
        const auto type = scalar_type(data.argument->type);
        dtype = DType::from_name(dtype_of_type(type->component));
        shape.push_back(static_cast<std::size_t>(type->components));
    }
    NdArray array = NdArray::zeros(shape, dtype);
    std::memcpy(array.mutable_data(), data.scalar.data(), std::min(data.scalar.size(), array.nbytes()));
    return array;
}

namespace {

/// Its numbers are known once the source is compiled.
bool comes_with_layouts(const ArgumentData& data) {
    if (!data.is_array()) return data.is_struct();
    return data.input.dtype().descr().starts_with('[') ||
           std::visit([](const auto& source) { return source.dtype == struct_type; }, data.argument->source);
}

} // namespace

FormulaNames names_of_arguments(const std::vector<ArgumentData>& all) {
    FormulaNames names;
    for (const ArgumentData& data : all)
        if (data.is_array() || is_number(data))
            (data.is_array() ? names.arrays : names.scalars).push_back(data.argument->name);
        else if (is_compound(data))
            names.compounds.push_back(data.argument->name);
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
        else if (is_compound(data) && named.contains(name))
            inputs.compounds.emplace_back(name, compound_of(data));
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
    try {
        const auto named = names_in_formula(expression, names_of_arguments(all));
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

namespace {

const std::string* expected_formula(const ArgumentData& data) {
    const auto& expect = data.argument->expect;
    return data.is_array() && expect && !expect->expression.empty() ? &expect->expression : nullptr;
}

/// What formulas of the array's contents name.
std::set<std::string> named_by(const ArgumentData& data, const FormulaNames& names) {
    std::set<std::string> named;
    if (const auto* formula = formula_source(data)) named = names_in_formula(formula->expression, names);
    if (const auto* fields = data.is_array() ? std::get_if<FieldsSource>(&data.argument->source) : nullptr)
        for (const auto& each : fields->fields)
            named.merge(names_in_formula(each.expression, names));
    return named;
}

bool names_waiting(const std::set<std::string>& named, const std::vector<ArgumentData>& all) {
    return std::ranges::any_of(all, [&](const ArgumentData& data) {
        return (data.waits || comes_with_layouts(data)) && named.contains(data.argument->name);
    });
}

/// Calls `fill` for each, behind those that its formulas name.
void fill_in_order(std::vector<ArgumentData*> left, const FormulaNames& names,
                   const std::function<void(ArgumentData&)>& fill) {
    while (!left.empty()) {
        const auto is_ready = [&](const ArgumentData* data) {
            const auto named = named_by(*data, names);
            return std::ranges::none_of(
                left, [&](const ArgumentData* other) { return named.contains(other->argument->name); });
        };
        const auto next = std::ranges::find_if(left, is_ready);
        if (next == left.end()) {
            const ArgumentData& data = *left.front();
            input_error(fmt::format("The formula of {} needs its own values: it names {} or an array whose formula "
                                    "leads back to it. Give one of them another source.",
                                    data.label, data.argument->name),
                        data.pointer + (formula_source(data) ? "/source/expression" : "/source/fields"));
        }
        fill(**next);
        left.erase(next);
    }
}

void expect_now(const RunHooks& hooks, const std::vector<ArgumentData>& all, ArgumentData& data) {
    NdArray expected = NdArray::empty(data.input.shape(), data.input.dtype());
    fill_by_arguments(expected, *expected_formula(data), all, data, hooks, "/expect");
    data.expected = std::move(expected);
}

} // namespace

void fill_formulas(const RunHooks& hooks, std::vector<ArgumentData>& all) {
    const FormulaNames names = names_of_arguments(all);
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (ArgumentData& data : all) {
            if (data.waits || !formula_source(data) || !names_waiting(named_by(data, names), all)) continue;
            data.waits = is_new = true;
            data.input = NdArray::zeros(data.input.shape(), data.input.dtype()); // for views of a run that fails
        }
    }
    std::vector<ArgumentData*> left;
    for (ArgumentData& data : all)
        if (formula_source(data) && !data.waits) left.push_back(&data);
    fill_in_order(std::move(left), names, [&](ArgumentData& data) {
        fill_by_arguments(data.input, formula_source(data)->expression, all, data, hooks, "/source");
    });
}

void expect_formula(const RunHooks& hooks, const std::vector<ArgumentData>& all, ArgumentData& data) {
    if (!data.input.dtype().is_numeric())
        input_error(
            fmt::format("{} has structs, but a formula makes numbers. Name a .npy file with the expected structs.",
                        data.label),
            data.pointer + "/expect/expression");
    if (!names_waiting(names_in_formula(*expected_formula(data), names_of_arguments(all)), all))
        expect_now(hooks, all, data);
}

void fill_waiting(const RunHooks& hooks, std::vector<ArgumentData>& all,
                  const std::function<void(ArgumentData&)>& fill_fields) {
    std::vector<ArgumentData*> left;
    for (ArgumentData& data : all)
        if (data.waits ||
            (data.layout && data.is_array() && std::holds_alternative<FieldsSource>(data.argument->source)))
            left.push_back(&data);
    fill_in_order(std::move(left), names_of_arguments(all), [&](ArgumentData& data) {
        if (const auto* formula = formula_source(data))
            fill_by_arguments(data.input, formula->expression, all, data, hooks, "/source");
        else
            fill_fields(data);
        data.waits = false;
    });
    for (ArgumentData& data : all)
        if (expected_formula(data) && !data.expected) expect_now(hooks, all, data);
}

} // namespace warplight::session
