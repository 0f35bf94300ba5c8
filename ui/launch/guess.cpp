// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/guess.hpp"

#include "session/data_source.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <limits>
#include <map>

namespace warplight::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Launch", text); }

constexpr std::int64_t guessedElements = 65536;
constexpr std::uint64_t mostThreadsPerBlock = 1024;
constexpr std::uint64_t mostGridX = 2147483647, mostGridYZ = 65535;
constexpr std::uint64_t mostSharedBytes = 227 * 1024;

bool isInteger(const std::string& type) { return type.size() > 1 && (type[0] == 'i' || type[0] == 'u'); }

std::uint64_t product(const std::vector<std::uint32_t>& lengths) {
    std::uint64_t result = 1;
    for (const std::uint32_t length : lengths)
        result *= length;
    return result;
}

session::Argument guessed(const compiler::Parameter& parameter, const std::string& firstBuffer) {
    session::Argument argument;
    argument.name = parameter.name;
    if (!parameter.pointer) {
        argument.direction = session::Direction::scalar;
        const std::string type = scalarTypeOf(parameter);
        argument.type = type.empty() ? "i32" : type;
        if (isInteger(argument.type) && !firstBuffer.empty())
            argument.value = session::SizeOf{firstBuffer, std::nullopt};
        else if (isInteger(argument.type))
            argument.value = session::Number{std::int64_t{1}};
        else
            argument.value = session::Number{1.0};
        return argument;
    }
    const std::string dtype = elementTypeOf(parameter);
    session::Shape shape{guessedElements};
    if (parameter.components > 1) shape.push_back(parameter.components);
    if (parameter.is_const) {
        argument.direction = session::Direction::in;
        session::RandomSource random;
        random.dtype = dtype;
        random.shape = shape;
        if (dtype[0] != 'f') random.high = std::int64_t{100};
        random.seed = 1;
        argument.source = random;
    } else {
        argument.direction = session::Direction::inout;
        argument.source = session::ZerosSource{dtype, shape};
    }
    return argument;
}

} // namespace

std::string scalarTypeOf(const compiler::Parameter& parameter) {
    if (parameter.pointer || parameter.components != 1) return {};
    const std::string type = session::type_of_dtype(parameter.dtype);
    if (!type.empty()) return type;
    if (parameter.dtype == "bool") return "u8";
    return {};
}

std::string elementTypeOf(const compiler::Parameter& parameter) {
    return session::size_of_type(parameter.dtype) ? parameter.dtype : "uint8";
}

std::vector<session::Argument> guessArguments(const compiler::Kernel& kernel,
                                              const std::vector<session::Argument>& previous) {
    std::string firstBuffer;
    for (const compiler::Parameter& parameter : kernel.parameters)
        if (parameter.pointer) {
            firstBuffer = parameter.name;
            break;
        }
    std::vector<session::Argument> arguments;
    int unnamed = 0;
    for (compiler::Parameter parameter : kernel.parameters) {
        if (parameter.name.empty()) parameter.name = "arg" + std::to_string(unnamed);
        ++unnamed;
        const auto old = std::find_if(previous.begin(), previous.end(), [&](const session::Argument& a) {
            return a.name == parameter.name && (a.direction != session::Direction::scalar) == parameter.pointer;
        });
        arguments.push_back(old != previous.end() ? *old : guessed(parameter, firstBuffer));
    }
    return arguments;
}

std::uint32_t blocksToCover(std::uint64_t elements, std::uint64_t threadsPerBlock) {
    if (threadsPerBlock == 0) threadsPerBlock = 1;
    const std::uint64_t blocks = elements / threadsPerBlock + (elements % threadsPerBlock != 0);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(blocks, 1, mostGridX));
}

std::uint64_t elementsOfFirstBuffer(const session::Session& session) {
    for (const session::Argument& argument : session.arguments) {
        if (argument.direction == session::Direction::scalar) continue;
        if (const auto* file = std::get_if<session::FileSource>(&argument.source); file && !file->shape) return 0;
        try {
            return session::describe(argument.source, {}).elements;
        } catch (const std::exception&) {
            return 0;
        }
    }
    return 0;
}

QString argumentProblem(const session::Session& session, const session::Argument& argument,
                        const compiler::Parameter* parameter, const QString& folder) {
    const bool scalar = argument.direction == session::Direction::scalar;
    if (parameter && parameter->pointer == scalar)
        return scalar ? tr("The kernel takes a pointer here (%1): give it a buffer.")
                            .arg(QString::fromStdString(parameter->type))
                      : tr("The kernel takes a value here (%1), not a buffer.")
                            .arg(QString::fromStdString(parameter->type));
    if (scalar) {
        if (const auto* size = std::get_if<session::SizeOf>(&argument.value)) {
            const bool known = std::any_of(session.arguments.begin(), session.arguments.end(), [&](const auto& a) {
                return a.name == size->argument && a.direction != session::Direction::scalar;
            });
            if (!known) return tr("There is no buffer called %1.").arg(QString::fromStdString(size->argument));
        } else {
            try {
                (void)session::pack_scalar(argument.type, std::get<session::Number>(argument.value));
            } catch (const std::exception& error) {
                return QString::fromStdString(error.what());
            }
        }
        if (parameter && parameter->size && session::size_of_type(argument.type) != parameter->size)
            return tr("%1 has %2 bytes, the kernel's %3 has %4.")
                .arg(QString::fromStdString(argument.type))
                .arg(session::size_of_type(argument.type))
                .arg(QString::fromStdString(parameter->type))
                .arg(parameter->size);
        return {};
    }
    std::string dtype;
    if (const auto* file = std::get_if<session::FileSource>(&argument.source)) {
        const QString path = QDir(folder).absoluteFilePath(QString::fromStdString(file->path));
        if (file->path.empty()) return tr("No file is chosen.");
        if (!QFileInfo(path).isFile()) return tr("There is no file %1.").arg(path);
        dtype = file->dtype;
        if (dtype.empty() && path.endsWith(QLatin1String(".npy"), Qt::CaseInsensitive)) {
            try {
                dtype = session::describe(argument.source, folder.toStdString()).dtype; // reads the header only
            } catch (const std::exception& error) {
                return QString::fromStdString(error.what());
            }
        }
    } else {
        try {
            const session::ArrayDescription description = session::describe(argument.source, {});
            dtype = description.dtype;
            if (description.elements == 0) return tr("The buffer has no elements.");
        } catch (const std::exception& error) {
            return QString::fromStdString(error.what());
        }
    }
    if (parameter && !dtype.empty() && session::size_of_type(parameter->dtype) &&
        session::size_of_type(dtype) != session::size_of_type(parameter->dtype))
        return tr("Elements are %1, the kernel reads %2.")
            .arg(QString::fromStdString(dtype), QString::fromStdString(parameter->dtype));
    return {};
}

QStringList launchProblems(const session::Session& session, const compiler::Kernel* kernel) {
    QStringList problems;
    const auto& launch = session.launch;
    const auto hasZero = [](const auto& lengths) {
        return std::any_of(lengths.begin(), lengths.end(), [](std::uint32_t length) { return length == 0; });
    };
    if (hasZero(launch.grid)) problems << tr("The grid has no blocks: every length must be at least 1.");
    if (hasZero(launch.block)) problems << tr("The block has no threads: every length must be at least 1.");
    const std::uint64_t threads = product(launch.block);
    if (threads > mostThreadsPerBlock)
        problems << tr("A block has at most 1024 threads, this one has %1.").arg(threads);
    else if (kernel && kernel->max_threads > 0 && threads > static_cast<std::uint64_t>(kernel->max_threads))
        problems << tr("The kernel's __launch_bounds__ allow %1 threads a block, this one has %2.")
                        .arg(kernel->max_threads)
                        .arg(threads);
    if (launch.block.size() > 2 && launch.block[2] > 64) problems << tr("A block is at most 64 threads deep (z).");
    for (std::size_t axis = 1; axis < launch.grid.size(); ++axis)
        if (launch.grid[axis] > mostGridYZ) problems << tr("A grid has at most 65535 blocks along y and z.");
    if (launch.shared > mostSharedBytes)
        problems << tr("No device has %1 bytes of shared memory for a block.").arg(launch.shared);
    if (session.kernel.empty()) problems << tr("No kernel is chosen.");
    if (kernel && kernel->is_template && session.kernel.find('<') == std::string::npos)
        problems
            << tr("%1 is a template: name an instance, such as %1<float>.").arg(QString::fromStdString(kernel->name));
    if (kernel && session.arguments.size() != kernel->parameters.size())
        problems << tr("The kernel takes %1 arguments, here are %2.")
                        .arg(kernel->parameters.size())
                        .arg(session.arguments.size());
    return problems;
}

} // namespace warplight::ui
