// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_guess.hpp"

#include "session/data_source.hpp"
#include "ui/common/format.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>

namespace warplight::ui {

namespace {

constexpr std::size_t guessedElements = 1024;

QString tr(const char* text) { return QCoreApplication::translate("Launch", text); }

bool isInteger(const std::string& dtype) { return dtype.rfind("int", 0) == 0 || dtype.rfind("uint", 0) == 0; }

QString shapeText(const session::Shape& shape) { return formatShape(std::vector<qint64>(shape.begin(), shape.end())); }

QString number(const session::Number& value) {
    return std::visit([](auto n) { return QString::number(n); }, value);
}

session::Shape shapeFor(const compiler::Parameter& parameter, const session::Shape& first) {
    session::Shape shape = first.empty() ? session::Shape{guessedElements} : first;
    // float4* is an array of n x 4 numbers.
    if (parameter.components > 1) {
        if (!first.empty() && shape.size() > 1 && shape.back() == std::size_t(parameter.components)) return shape;
        shape = {shape.front(), std::size_t(parameter.components)};
    }
    return shape;
}

} // namespace

GuessedArguments guessArguments(const compiler::Kernel& kernel, const std::vector<session::Argument>& previous) {
    GuessedArguments result;
    session::Shape first;
    std::string firstName;
    for (const auto& argument : previous)
        if (argument.direction != session::Direction::scalar && firstName.empty()) firstName = argument.name;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const compiler::Parameter& parameter = kernel.parameters[i];
        const auto fits = [&](const session::Argument& argument) {
            return (argument.direction != session::Direction::scalar) == parameter.pointer;
        };
        const session::Argument* kept = nullptr;
        for (const auto& argument : previous)
            if (argument.name == parameter.name && fits(argument)) kept = &argument;
        // Renamed: the one in the same place, when the number of parameters is the same.
        if (!kept && previous.size() == kernel.parameters.size() && fits(previous[i]) &&
            std::none_of(kernel.parameters.begin(), kernel.parameters.end(),
                         [&](const auto& other) { return other.name == previous[i].name; }))
            kept = &previous[i];
        session::Argument argument;
        if (kept) {
            argument = *kept;
            argument.name = parameter.name;
        } else {
            argument.name = parameter.name.empty() ? "argument" + std::to_string(i) : parameter.name;
            const std::string dtype = parameter.dtype.empty() ? "float32" : parameter.dtype;
            if (parameter.pointer) {
                argument.direction = parameter.is_const ? session::Direction::in : session::Direction::inout;
                const session::Shape shape = shapeFor(parameter, first);
                if (parameter.is_const) {
                    session::RandomSource random;
                    random.dtype = dtype;
                    random.shape = shape;
                    random.seed = i + 1;
                    if (isInteger(dtype)) random.high = std::int64_t{100};
                    argument.source = random;
                } else {
                    argument.source = session::ZerosSource{dtype, shape};
                }
            } else {
                argument.direction = session::Direction::scalar;
                const std::string type = session::type_of_dtype(dtype);
                argument.type = type.empty() ? "i32" : type;
                if (isInteger(dtype)) {
                    std::string array = firstName;
                    for (const auto& other : kernel.parameters)
                        if (array.empty() && other.pointer) array = other.name;
                    if (array.empty())
                        argument.value = session::Number{std::int64_t{1}};
                    else
                        argument.value = session::SizeOf{array, std::nullopt};
                } else {
                    argument.value = session::Number{1.0};
                }
            }
        }
        if (argument.direction != session::Direction::scalar && first.empty()) {
            firstName = argument.name;
            std::visit(
                [&](const auto& source) {
                    if constexpr (requires { source.shape.size(); }) first = source.shape;
                },
                argument.source);
        }
        result.guessed.push_back(!kept);
        result.changed = result.changed || !kept || kept->name != argument.name;
        result.arguments.push_back(std::move(argument));
    }
    result.changed = result.changed || previous.size() != result.arguments.size();
    for (std::size_t i = 0; !result.changed && i < previous.size(); ++i)
        result.changed = previous[i].name != result.arguments[i].name;
    return result;
}

QString describeType(const session::Argument& argument) {
    if (argument.direction == session::Direction::scalar) return QString::fromStdString(argument.type);
    return std::visit(
        [](const auto& source) { return source.dtype.empty() ? QString() : QString::fromStdString(source.dtype); },
        argument.source);
}

QString describeSource(const session::Argument& argument) {
    if (argument.direction == session::Direction::scalar) {
        if (const auto* size = std::get_if<session::SizeOf>(&argument.value)) {
            const QString of = QString::fromStdString(size->argument);
            return size->axis ? tr("length of axis %1 of %2").arg(*size->axis).arg(of) : tr("size of %1").arg(of);
        }
        return number(std::get<session::Number>(argument.value));
    }
    struct Describe {
        QString operator()(const session::FileSource& s) const { return QString::fromStdString(s.path); }
        QString operator()(const session::ZerosSource& s) const { return tr("zeros, %1").arg(shapeText(s.shape)); }
        QString operator()(const session::ConstantSource& s) const {
            return tr("all %1, %2").arg(number(s.value), shapeText(s.shape));
        }
        QString operator()(const session::ArangeSource& s) const {
            return tr("%1, %2, …, %3")
                .arg(number(s.start), number(session::as_double(s.start) + session::as_double(s.step)),
                     shapeText(s.shape));
        }
        QString operator()(const session::LinspaceSource& s) const {
            return tr("%1 … %2, %3").arg(number(s.start), number(s.stop), shapeText(s.shape));
        }
        QString operator()(const session::RandomSource& s) const {
            return (s.distribution == session::RandomSource::Distribution::normal ? tr("random normal, %1")
                                                                                  : tr("random, %1"))
                .arg(shapeText(s.shape));
        }
        static QString number(const session::Number& n) { return warplight::ui::number(n); }
        static QString number(double n) { return QString::number(n); }
    };
    return std::visit(Describe{}, argument.source);
}

QString argumentProblem(const session::Argument& argument, const compiler::Parameter* parameter,
                        const session::Session& session, const QString& folder) {
    if (argument.direction == session::Direction::scalar) {
        if (parameter && parameter->pointer) return tr("The kernel takes a pointer here: choose a buffer.");
        if (session::size_of_type(argument.type) == 0)
            return tr("“%1” is not a type.").arg(QString::fromStdString(argument.type));
        if (parameter && parameter->size != 0 && parameter->size != session::size_of_type(argument.type))
            return tr("The kernel takes %1 (%2 bytes); this is %3.")
                .arg(QString::fromStdString(parameter->type))
                .arg(parameter->size)
                .arg(QString::fromStdString(argument.type));
        if (const auto* size = std::get_if<session::SizeOf>(&argument.value)) {
            const bool there = std::any_of(session.arguments.begin(), session.arguments.end(), [&](const auto& other) {
                return other.name == size->argument && other.direction != session::Direction::scalar;
            });
            if (!there) return tr("There is no buffer “%1”.").arg(QString::fromStdString(size->argument));
        }
        return {};
    }
    if (parameter && !parameter->pointer)
        return tr("The kernel takes a value here: %1.").arg(QString::fromStdString(parameter->type));
    if (const auto* file = std::get_if<session::FileSource>(&argument.source)) {
        if (file->path.empty()) return tr("No file is chosen.");
        const QString path = QDir(folder).absoluteFilePath(QString::fromStdString(file->path));
        if (!QFileInfo::exists(path)) return tr("There is no file %1.").arg(path);
    } else {
        const bool empty = std::visit(
            [](const auto& source) {
                if constexpr (requires { source.shape.size(); }) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(source)>, session::FileSource>)
                        return source.shape.empty() ||
                               std::find(source.shape.begin(), source.shape.end(), 0u) != source.shape.end();
                }
                return false;
            },
            argument.source);
        if (empty) return tr("The shape has no elements.");
    }
    const std::string dtype = describeType(argument).toStdString();
    if (parameter && !parameter->dtype.empty() && !dtype.empty() && session::size_of_type(dtype) != 0 &&
        session::size_of_type(parameter->dtype) != session::size_of_type(dtype))
        return tr("The kernel takes %1; the buffer holds %2.")
            .arg(QString::fromStdString(parameter->type), QString::fromStdString(dtype));
    return {};
}

std::vector<std::size_t> firstArrayShape(const session::Session& session, const QString& folder) {
    for (const auto& argument : session.arguments) {
        if (argument.direction == session::Direction::scalar) continue;
        try {
            return session::describe(argument.source, std::filesystem::path(folder.toStdU16String())).shape;
        } catch (const std::exception&) {
            continue;
        }
    }
    return {};
}

QString launchProblem(const session::LaunchConfiguration& launch) {
    const auto& block = launch.block;
    const auto& grid = launch.grid;
    quint64 threads = 1;
    for (std::uint32_t side : block)
        threads *= side;
    if (threads == 0) return tr("A block needs at least one thread.");
    if (threads > 1024) return tr("A block of %1 threads is too large: 1024 are allowed.").arg(threads);
    if (block.size() > 2 && block[2] > 64) return tr("A block may be at most 64 threads deep (z).");
    quint64 blocks = 1;
    for (std::uint32_t side : grid)
        blocks *= side;
    if (blocks == 0) return tr("A grid needs at least one block.");
    if (!grid.empty() && grid[0] > 2147483647u) return tr("A grid has at most 2 147 483 647 blocks along x.");
    for (std::size_t i = 1; i < grid.size(); ++i)
        if (grid[i] > 65535) return tr("A grid has at most 65 535 blocks along y and z.");
    return {};
}

} // namespace warplight::ui
