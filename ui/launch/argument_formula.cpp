// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_formula.hpp"

#include <QCoreApplication>
#include <exception>
#include <type_traits>
#include <variant>

namespace warplight::ui {

namespace {

/// Most that a shape can have: those of a file are not known before it is read.
constexpr std::size_t mostAxes = 32;

std::size_t axesOf(const session::DataSource& source) {
    return std::visit(
        [](const auto& data) -> std::size_t {
            if constexpr (std::is_same_v<std::decay_t<decltype(data)>, session::FileSource>)
                return data.shape ? data.shape->size() : mostAxes;
            else
                return data.shape.size();
        },
        source);
}

} // namespace

session::FormulaNames formulaNames(const std::vector<session::Argument>& arguments) {
    session::FormulaNames names;
    for (const session::Argument& each : arguments)
        if (each.direction != session::Direction::scalar)
            names.arrays.push_back(each.name);
        else if (!session::dtype_of_type(each.type).empty())
            names.scalars.push_back(each.name);
        else
            names.compounds.push_back(each.name);
    return names;
}

QString formulaProblem(const std::string& expression, std::size_t axes, const session::FormulaNames& names) {
    try {
        session::check_formula(expression, axes, names);
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString formulaProblem(const session::Argument& argument, const std::vector<session::Argument>& all) {
    const auto* source = std::get_if<session::FormulaSource>(&argument.source);
    const bool expected = argument.expect && !argument.expect->expression.empty();
    if (!source && !expected) return {};
    const session::FormulaNames names = formulaNames(all);
    QString problem;
    if (source) problem = formulaProblem(source->expression, source->shape.size(), names);
    if (!problem.isEmpty() || !expected) return problem;
    problem = formulaProblem(argument.expect->expression, axesOf(argument.source), names);
    return problem.isEmpty() ? problem : QCoreApplication::translate("Launch", "Expected result: %1").arg(problem);
}

} // namespace warplight::ui
