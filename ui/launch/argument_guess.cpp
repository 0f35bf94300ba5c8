// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_guess.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace warplight::ui {

namespace {

constexpr std::size_t guessedElements = 1024;

QString tr(const char* text) { return QCoreApplication::translate("Launch", text); }

bool isInteger(const std::string& dtype) { return dtype.rfind("int", 0) == 0 || dtype.rfind("uint", 0) == 0; }

QString shapeText(const session::Shape& shape) { return formatShape(std::vector<qint64>(shape.begin(), shape.end())); }

QString number(const session::Number& value) {
    return std::visit([](auto n) { return QString::number(n); }, value);
}

session::Shape shapeFor(const compiler::Parameter& parameter, const session::Shape& first, int dimensions) {
    session::Shape shape = !first.empty()    ? first
                           : dimensions >= 3 ? session::Shape{16, 16, 16}
                           : dimensions == 2 ? session::Shape{64, 64}
                                             : session::Shape{guessedElements};
    // float4* is an array of n x 4 numbers.
    if (parameter.components > 1) shape.push_back(std::size_t(parameter.components));
    return shape;
}

/// The axis of an array with so many that a parameter of this name counts, where the kernel counts along several.
int axisOf(std::string name, int dimensions) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const auto is = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
    };
    if (is({"height", "h", "rows", "nrows", "num_rows", "numrows", "ny", "m", "size_y", "sizey"}))
        return dimensions - 2;
    if (dimensions >= 3 && is({"depth", "d", "nz", "slices", "size_z", "sizez"})) return dimensions - 3;
    return dimensions - 1;
}

bool isArray(const session::Argument& argument) { return argument.direction != session::Direction::scalar; }

/// The shape that stands in the document, without reading a file.
session::Shape writtenShape(const session::Argument& argument) {
    return std::visit(
        [](const auto& source) {
            if constexpr (requires { source.shape.size(); })
                return source.shape;
            else
                return source.shape.value_or(session::Shape());
        },
        argument.source);
}

session::Argument guessArray(const compiler::Parameter& parameter, const session::Shape& first, int dimensions,
                             std::size_t position) {
    session::Argument argument;
    argument.direction = parameter.is_const ? session::Direction::in : session::Direction::inout;
    // A type that no data has (a structure, bfloat16) is left to whoever knows it.
    const std::string known = session::dtype_of_type(parameter.dtype);
    const std::string dtype = known.empty() ? "float32" : known;
    const session::Shape shape = shapeFor(parameter, first, dimensions);
    if (!parameter.is_const) {
        argument.source = session::ZerosSource{dtype, shape};
        return argument;
    }
    session::RandomSource random;
    random.dtype = dtype;
    random.shape = shape;
    random.seed = position + 1;
    if (isInteger(dtype)) random.high = std::int64_t{100};
    argument.source = random;
    return argument;
}

session::Argument guessScalar(const compiler::Parameter& parameter, const std::string& array, int dimensions) {
    session::Argument argument;
    argument.direction = session::Direction::scalar;
    argument.type = session::type_of_dtype(parameter.dtype);
    if (argument.type.empty()) // bool and others: a number of their size
        argument.type = parameter.size == 1 ? "u8" : parameter.size == 2 ? "u16" : parameter.size == 8 ? "u64" : "i32";
    if (isInteger(parameter.dtype) && !array.empty()) {
        session::SizeOf size{array, std::nullopt};
        if (dimensions > 1) size.axis = axisOf(parameter.name, dimensions);
        argument.value = size;
    } else if (argument.type.starts_with('f')) {
        argument.value = session::Number{1.0};
    } else {
        argument.value = session::Number{std::int64_t{1}};
    }
    return argument;
}

} // namespace

GuessedArguments guessArguments(const compiler::Kernel& kernel, const std::vector<session::Argument>& previous,
                                const std::set<std::string>& guessed,
                                const std::map<std::string, session::Argument>& remembered) {
    // First what was chosen: the rest follows it.
    std::vector<const session::Argument*> kept(kernel.parameters.size(), nullptr);
    std::map<std::string, std::string> renamed;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const compiler::Parameter& parameter = kernel.parameters[i];
        const auto fits = [&](const session::Argument& argument) {
            return isArray(argument) == parameter.pointer && !guessed.contains(argument.name);
        };
        for (const auto& argument : previous)
            if (argument.name == parameter.name && fits(argument)) kept[i] = &argument;
        // Renamed: the one in the same place, when the number of parameters is the same.
        if (!kept[i] && previous.size() == kept.size() && fits(previous[i]) &&
            std::none_of(kernel.parameters.begin(), kernel.parameters.end(),
                         [&](const auto& other) { return other.name == previous[i].name; })) {
            kept[i] = &previous[i];
            renamed[previous[i].name] = parameter.name;
        }
        if (const auto found = remembered.find(parameter.name); !kept[i] && found != remembered.end())
            if (isArray(found->second) == parameter.pointer) kept[i] = &found->second;
    }
    session::Shape first;
    std::string firstName;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (!kernel.parameters[i].pointer) continue;
        if (firstName.empty()) firstName = kernel.parameters[i].name;
        if (!kept[i] || !first.empty()) continue;
        first = writtenShape(*kept[i]);
        // The components of float4 are the type's, not the data's.
        const auto components = std::size_t(kernel.parameters[i].components);
        if (components > 1 && first.size() > 1 && first.back() == components) first.pop_back();
    }
    GuessedArguments result;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const compiler::Parameter& parameter = kernel.parameters[i];
        session::Argument argument = kept[i]             ? *kept[i]
                                     : parameter.pointer ? guessArray(parameter, first, kernel.dimensions, i)
                                                         : guessScalar(parameter, firstName, kernel.dimensions);
        argument.name = parameter.name.empty() ? "argument" + std::to_string(i) : parameter.name;
        if (auto* size = std::get_if<session::SizeOf>(&argument.value); !isArray(argument) && size)
            if (const auto other = renamed.find(size->argument); other != renamed.end()) size->argument = other->second;
        result.guessed.push_back(!kept[i]);
        result.arguments.push_back(std::move(argument));
    }
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
        return tr("The kernel takes %1, which needs %2; the buffer holds %3.")
            .arg(QString::fromStdString(parameter->type), QString::fromStdString(parameter->dtype),
                 QString::fromStdString(dtype));
    return {};
}

} // namespace warplight::ui
