// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/module_variables.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace warplight::ui {

namespace {

QString ptxOf(const Document& document) {
    const SourceFile* source = document.mainSource();
    return source && source->isPtx() ? source->text() : document.compileOutput().ptx;
}

bool isFor(const session::Argument& argument, const compiler::Variable& variable) {
    return argument.variable && (variable.name == argument.name || variable.lowered == argument.name ||
                                 variable.name.ends_with("::" + argument.name));
}

} // namespace

std::vector<int> parameterNumbers(const std::vector<session::Argument>& arguments) {
    std::vector<int> numbers;
    numbers.reserve(arguments.size());
    int next = 0;
    for (const session::Argument& argument : arguments)
        numbers.push_back(argument.variable ? -1 : next++);
    return numbers;
}

bool knowsVariables(const Document& document) { return !ptxOf(document).isEmpty(); }

std::vector<compiler::Variable> variablesToAdd(const Document& document) {
    std::vector<compiler::Variable> variables = compiler::parse_ptx_variables(ptxOf(document).toStdString());
    std::erase_if(variables, [&](const compiler::Variable& variable) {
        // Texts of printf() and assert() are variables as well, with names of the compiler's.
        if (variable.name.starts_with('$') || variable.name.starts_with("__")) return true;
        return std::ranges::any_of(document.session().arguments,
                                   [&](const session::Argument& argument) { return isFor(argument, variable); });
    });
    return variables;
}

session::Argument argumentFor(const compiler::Variable& variable) {
    session::Argument argument;
    argument.name = variable.name;
    argument.variable = true;
    // NVRTC declares int as .u32 too: a signed one takes all numbers that are likely.
    const std::string number = variable.dtype.starts_with('u') ? variable.dtype.substr(1) : variable.dtype;
    if (variable.constant && !number.empty()) {
        argument.direction = session::Direction::scalar;
        argument.type = session::type_of_dtype(number);
        return argument;
    }
    argument.direction = variable.constant ? session::Direction::in : session::Direction::inout;
    // The PTX has no types of arrays and structures: their bytes, or most likely words, stand in.
    const std::string dtype = !number.empty() ? number : variable.alignment >= 4 ? "float32" : "uint8";
    argument.source = session::ZerosSource{dtype, {variable.size / session::size_of_type(dtype)}};
    return argument;
}

QString variableProblem(const session::Argument& argument, const Document& document) {
    const QString ptx = ptxOf(document);
    if (ptx.isEmpty()) return {};
    const std::vector<compiler::Variable> variables = compiler::parse_ptx_variables(ptx.toStdString());
    const auto found =
        std::ranges::find_if(variables, [&](const compiler::Variable& variable) { return isFor(argument, variable); });
    if (found == variables.end())
        return QCoreApplication::translate(
            "Launch", "What was built last has no such variable. The Delete key removes this row.");
    if (found->constant && argument.direction != session::Direction::in &&
        argument.direction != session::Direction::scalar)
        return QCoreApplication::translate("Launch", "No kernel can change a __constant__ variable: choose In.");
    return {};
}

} // namespace warplight::ui
