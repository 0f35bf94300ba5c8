// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_guess.hpp"

#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "ui/common/format.hpp"
#include "ui/launch/argument_formula.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/file_heads.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <optional>

namespace warplight::ui {

namespace {

constexpr std::size_t guessedElements = 1024;

QString tr(const char* text) { return QCoreApplication::translate("warplight::ui", text); }

bool isInteger(const std::string& dtype) { return dtype.rfind("int", 0) == 0 || dtype.rfind("uint", 0) == 0; }

/// The type of arrays for a kernel's type.
std::string dataType(const std::string& dtype) { return dtype == "bool" ? "uint8" : dtype; }

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

/// The axis that a parameter of this name counts, in an array with that many axes.
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

/// A parameter may be a pointer when only the compiler knows its type, or when it comes from PTX.
bool mayBePointer(const compiler::Parameter& parameter) {
    return !parameter.pointer && (parameter.type.empty() || parameter.dtype.empty()) &&
           (parameter.size == 8 || parameter.size == 0);
}

/// Empty where it cannot be told.
session::Shape shapeOf(const session::Argument& argument, const QString& folder) {
    const auto array = knownArray(argument.source, folder);
    return array ? array->shape : session::Shape();
}

/// Which argument each parameter keeps.
struct Matching {
    std::vector<const session::Argument*> arguments; ///< one per parameter; may be null
    std::vector<bool> misfits;                       ///< of another kind than the parameter
    std::vector<const session::Argument*> others;    ///< for which there is no parameter
};

Matching match(const compiler::Kernel& kernel, const PreviousArguments& before,
               const std::map<std::string, session::Argument>& remembered) {
    const auto& parameters = kernel.parameters;
    const auto& previous = before.arguments;
    Matching result{std::vector<const session::Argument*>(parameters.size(), nullptr),
                    std::vector<bool>(parameters.size(), false),
                    {}};
    std::vector<bool> placed(previous.size(), false);
    const auto isFree = [&](std::size_t i) { return !placed[i] && !before.guessed.contains(previous[i].name); };
    const auto place = [&](std::size_t parameter, std::size_t argument) {
        result.arguments[parameter] = &previous[argument];
        placed[argument] = true;
    };
    for (std::size_t i = 0; i < parameters.size(); ++i)
        for (std::size_t j = 0; j < previous.size() && !result.arguments[i]; ++j)
            if (previous[j].name == parameters[i].name && isFree(j) && fitsParameter(previous[j], parameters[i]))
                place(i, j);
    // A renamed parameter keeps the argument in its place. In an opened session with another number of arguments their
    // order says more than their place.
    const bool ordered = before.fromFile && previous.size() != parameters.size();
    for (std::size_t i = 0; i < parameters.size() && i < previous.size() && !ordered; ++i)
        if (!result.arguments[i] && isFree(i) && fitsParameter(previous[i], parameters[i]) &&
            std::none_of(parameters.begin(), parameters.end(),
                         [&](const auto& other) { return other.name == previous[i].name; }))
            place(i, i);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (const auto found = remembered.find(parameters[i].name); !result.arguments[i] && found != remembered.end())
            if (fitsParameter(found->second, parameters[i])) result.arguments[i] = &found->second;
    if (!before.fromFile) return result;
    // No saved argument is lost: it goes to the next parameter of its kind, else it stays where it is.
    std::size_t next = 0;
    for (std::size_t j = 0; j < previous.size(); ++j) {
        const auto takes = [&](std::size_t i) {
            return !result.arguments[i] && fitsParameter(previous[j], parameters[i]);
        };
        for (std::size_t n = 0; n < parameters.size() && isFree(j); ++n)
            if (const std::size_t i = (next + n) % parameters.size(); takes(i)) {
                place(i, j);
                next = i + 1;
            }
    }
    for (std::size_t j = 0; j < previous.size(); ++j) {
        if (!isFree(j)) continue;
        if (j < parameters.size() && !result.arguments[j]) {
            place(j, j);
            result.misfits[j] = true;
        } else {
            result.others.push_back(&previous[j]);
        }
    }
    return result;
}

/// A pointer to a type of the source's own.
bool isOfStructs(const compiler::Parameter& parameter) {
    const std::string& type = parameter.type;
    return parameter.dtype.empty() && !type.empty() && type.find("void") == std::string::npos &&
           std::count(type.begin(), type.end(), '*') <= 1;
}

/// A texture object or surface object, of as many axes as the kernel counts along.
session::Argument guessTexture(const compiler::Parameter& parameter, const session::Shape& first, int dimensions) {
    session::Argument argument;
    const std::size_t axes = std::size_t(std::clamp(dimensions, 1, 3));
    const session::TextureKind kind = axes == 1   ? session::TextureKind::d1
                                      : axes == 2 ? session::TextureKind::d2
                                                  : session::TextureKind::d3;
    const session::Shape shape = first.size() == axes ? first : shapeFor(parameter, {}, dimensions);
    if (parameter.object == "surface") {
        argument.direction = session::Direction::inout;
        argument.surface = session::SurfaceSetup{kind, {}};
        argument.source = session::ZerosSource{"float32", shape};
        return argument;
    }
    argument.texture = session::TextureSetup{};
    argument.texture->kind = kind;
    session::RandomSource random;
    random.shape = shape;
    random.seed = 1;
    argument.source = random;
    return argument;
}

session::Argument guessArray(const compiler::Parameter& parameter, const session::Shape& first, int dimensions,
                             std::size_t position) {
    session::Argument argument;
    argument.direction = parameter.is_const ? session::Direction::in : session::Direction::inout;
    const std::string known = session::dtype_of_type(dataType(parameter.dtype));
    // Of void* and of addresses of addresses nothing is known: float32 stands in until the user chooses.
    const std::string dtype = !known.empty()           ? known
                              : isOfStructs(parameter) ? std::string(session::struct_type)
                                                       : "float32";
    const session::Shape shape = shapeFor(parameter, first, dimensions);
    if (!parameter.is_const || dtype == session::struct_type) {
        argument.source = session::ZerosSource{dtype, shape};
        return argument;
    }
    session::RandomSource random;
    random.dtype = dtype;
    random.shape = shape;
    random.seed = position + 1;
    if (isInteger(dtype)) random.high = std::int64_t{parameter.dtype == "bool" ? 2 : 100};
    argument.source = random;
    return argument;
}

/// How many elements an array has, for a parameter of this name.
session::ScalarValue countOf(const compiler::Parameter& parameter, const std::string& array,
                             const session::Shape& shape, const std::string& name, int dimensions) {
    session::SizeOf size{array, std::nullopt};
    const auto components = std::size_t(std::max(1, parameter.components));
    if (dimensions > 1) {
        size.axis = axisOf(name, dimensions);
    } else if (components > 1) {
        // float4* has a fourth as many elements as its data has numbers.
        if (!shape.empty() && !(shape.size() == 2 && shape.back() == components)) {
            const std::size_t all = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
            return session::Number{std::int64_t(all / components)};
        }
        size.axis = 0;
    }
    return size;
}

session::Argument guessScalar(const compiler::Parameter& parameter, const std::optional<session::ScalarValue>& count) {
    session::Argument argument;
    argument.direction = session::Direction::scalar;
    if (parameter.is_struct) {
        argument.type = session::struct_type;
        argument.value = session::StructValue{"{}"};
        return argument;
    }
    argument.type = session::scalar_type_for(parameter.dtype, parameter.components);
    if (argument.type.empty()) // enumerations and others: a number of their size
        argument.type = parameter.size == 1 ? "u8" : parameter.size == 2 ? "u16" : parameter.size == 8 ? "u64" : "i32";
    const auto type = session::scalar_type(argument.type);
    if (isInteger(parameter.dtype) && parameter.components == 1 && count) {
        argument.value = *count;
        return argument;
    }
    const bool real = type->component.starts_with('f') || type->component == "bf16";
    const auto one = real ? session::Number{1.0} : session::Number{std::int64_t{1}};
    if (type->components > 1)
        argument.value = session::Components(std::size_t(type->components), one);
    else
        argument.value = one;
    return argument;
}

} // namespace

bool fitsParameter(const session::Argument& argument, const compiler::Parameter& parameter) {
    if (!parameter.object.empty()) {
        const auto* none = std::get_if<session::Number>(&argument.value);
        return isArray(argument) || (none && session::as_double(*none) == 0);
    }
    // Its handle is a number of 8 bytes.
    if (isArray(argument) && (argument.texture || argument.surface) && parameter.size == 8) return true;
    if (isArray(argument)) return parameter.pointer || mayBePointer(parameter);
    // In PTX an address is a number as well.
    return !parameter.pointer || (parameter.type.empty() && parameter.size == session::size_of_type(argument.type));
}

GuessedArguments guessArguments(const compiler::Kernel& kernel, const PreviousArguments& before,
                                const std::map<std::string, session::Argument>& remembered, const QString& folder) {
    // Chosen arguments come first, because guesses follow them.
    const Matching kept = match(kernel, before, remembered);
    std::vector<std::string> names;
    std::map<std::string, std::string> renamed;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const session::Argument* argument = kept.arguments[i];
        const std::string& name = kernel.parameters[i].name;
        // PTX has names of its own, k_param_0.
        const bool own = argument && (kernel.parameters[i].type.empty() || kept.misfits[i]) && !argument->name.empty();
        names.push_back(own ? argument->name : name.empty() ? "argument" + std::to_string(i) : name);
        if (argument) renamed[argument->name] = names.back();
    }
    session::Shape first;
    const compiler::Parameter* counted = nullptr;
    std::string firstName;
    session::Shape firstShape;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const compiler::Parameter& parameter = kernel.parameters[i];
        const session::Argument* argument = kept.arguments[i];
        if (argument ? !isArray(*argument) : !parameter.pointer) continue;
        if (!counted) {
            counted = &parameter;
            firstName = names[i];
            if (argument) firstShape = shapeOf(*argument, folder);
        }
        if (!argument || !first.empty()) continue;
        first = shapeOf(*argument, folder);
        // The components of float4 are the type's, not the data's.
        const auto components = std::size_t(parameter.components);
        if (components > 1 && first.size() > 1 && first.back() == components) first.pop_back();
    }
    GuessedArguments result;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const compiler::Parameter& parameter = kernel.parameters[i];
        const session::Argument* chosen = kept.arguments[i];
        std::optional<session::ScalarValue> count;
        if (counted) count = countOf(*counted, firstName, firstShape, parameter.name, kernel.dimensions);
        session::Argument argument = chosen                      ? *chosen
                                     : !parameter.object.empty() ? guessTexture(parameter, first, kernel.dimensions)
                                     : parameter.pointer         ? guessArray(parameter, first, kernel.dimensions, i)
                                                                 : guessScalar(parameter, count);
        argument.name = names[i];
        if (auto* size = std::get_if<session::SizeOf>(&argument.value); chosen && !isArray(argument) && size)
            if (const auto other = renamed.find(size->argument); other != renamed.end()) size->argument = other->second;
        result.guessed.push_back(!chosen);
        result.arguments.push_back(std::move(argument));
    }
    result.names = std::move(renamed);
    for (const session::Argument* argument : kept.others) {
        result.names[argument->name] = argument->name;
        result.guessed.push_back(false);
        result.arguments.push_back(*argument);
    }
    return result;
}

namespace {

/// Whether the kernel takes what the argument is given as.
QString textureProblem(const session::Argument& argument, const compiler::Parameter* parameter) {
    if (!parameter) return {};
    const bool texture = argument.texture.has_value(), surface = argument.surface.has_value();
    if (parameter->object == "texture" && !texture)
        return tr("The kernel takes a texture here: choose “Given as: Texture”.");
    if (parameter->object == "surface" && !surface)
        return tr("The kernel takes a surface here: choose “Given as: Surface”.");
    const bool linear = texture && argument.texture->memory == session::TextureMemory::linear;
    if (parameter->pointer && !parameter->type.empty() && (texture || surface) && !linear)
        return tr("The kernel takes an address here: choose “Given as: Address”.");
    return {};
}

} // namespace

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
        if (const auto* components = std::get_if<session::Components>(&argument.value)) {
            QStringList parts;
            for (const session::Number& each : *components)
                parts << number(each);
            return QLatin1Char('(') + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
        }
        if (const auto* fields = std::get_if<session::StructValue>(&argument.value))
            return fields->json == "{}" ? tr("all fields 0") : QString::fromStdString(fields->json);
        if (const auto* named = std::get_if<session::Enumerator>(&argument.value))
            return QString::fromStdString(named->name);
        const session::Number& value = std::get<session::Number>(argument.value);
        if (argument.type == "bool") return session::as_double(value) != 0 ? tr("true") : tr("false");
        return number(value);
    }
    struct Describe {
        QString operator()(const session::FileSource& s) const {
            const QString path = QString::fromStdString(s.path);
            return s.member.empty() ? path : QStringLiteral("%1: %2").arg(path, QString::fromStdString(s.member));
        }
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
        QString operator()(const session::FormulaSource& s) const {
            return tr("%1, %2").arg(QString::fromStdString(s.expression), shapeText(s.shape));
        }
        QString operator()(const session::FieldsSource& s) const {
            return tr("%1, %2").arg(fieldsText(s.fields), shapeText(s.shape));
        }
        static QString number(const session::Number& n) { return warplight::ui::number(n); }
        static QString number(double n) { return QString::number(n); }
    };
    return std::visit(Describe{}, argument.source);
}

QString argumentProblem(const session::Argument& argument, const compiler::Parameter* parameter,
                        const session::Session& session, const QString& folder) {
    if (argument.direction == session::Direction::scalar) {
        if (parameter && !fitsParameter(argument, *parameter))
            return tr("The kernel takes a pointer here: choose a buffer.");
        if (argument.type == session::struct_type) {
            if (!parameter || parameter->dtype.empty()) return {};
            return tr("The kernel takes %1, and no struct.").arg(QString::fromStdString(parameter->type));
        }
        if (session::size_of_type(argument.type) == 0)
            return tr("“%1” is not a type.").arg(QString::fromStdString(argument.type));
        if (parameter && parameter->size != 0 && parameter->size != session::size_of_type(argument.type))
            return tr("The kernel takes %1 (%2 bytes); this is %3.")
                .arg(parameter->type.empty() ? tr("a value") : QString::fromStdString(parameter->type))
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
    if (const QString problem = formulaProblem(argument, session.arguments); !problem.isEmpty()) return problem;
    if (parameter && !fitsParameter(argument, *parameter))
        return tr("The kernel takes a value here: %1.")
            .arg(parameter->type.empty() ? tr("%1 bytes").arg(parameter->size)
                                         : QString::fromStdString(parameter->type));
    if (const QString problem = textureProblem(argument, parameter); !problem.isEmpty()) return problem;
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
    const bool isHandle = argument.texture || argument.surface;
    const std::size_t needed = parameter && !isHandle ? session::size_of_type(dataType(parameter->dtype)) : 0;
    if (needed != 0 && session::size_of_type(dtype) != 0 && needed != session::size_of_type(dtype))
        return tr("The kernel takes %1, which needs %2; the buffer holds %3.")
            .arg(QString::fromStdString(parameter->type), QString::fromStdString(parameter->dtype),
                 QString::fromStdString(dtype));
    return {};
}

} // namespace warplight::ui
