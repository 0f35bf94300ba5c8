// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/arguments_model.hpp"

#include "session/rename.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/icons.hpp"
#include "ui/launch/argument_guess.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/module_variables.hpp"
#include "ui/launch/texture_rows.hpp"

#include <QFileInfo>
#include <QFont>
#include <QMimeData>
#include <QUrl>
#include <algorithm>

namespace warplight::ui {

namespace {

QString expectationPath(const session::Argument& argument) {
    if (!argument.expect) return {};
    if (!argument.expect->expression.empty()) return QString::fromStdString(argument.expect->expression);
    return expectationText(*argument.expect);
}

} // namespace

ArgumentsModel::ArgumentsModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document), follower_(document) {
    connect(&document_, &Document::sessionChanged, this, &ArgumentsModel::reload);
    connect(&document_, &Document::kernelsChanged, this, &ArgumentsModel::reload);
    connect(&document_, &Document::compiled, this, &ArgumentsModel::reload);
    reload();
}

QString ArgumentsModel::directionName(session::Direction direction) {
    switch (direction) {
    case session::Direction::in: return tr("In");
    case session::Direction::out: return tr("Out");
    case session::Direction::inout: return tr("InOut");
    case session::Direction::scalar: break;
    }
    return tr("Value");
}

void ArgumentsModel::reload() {
    // The selected row stays selected while values change.
    const bool grows = arguments_.size() != document_.session().arguments.size();
    if (grows) beginResetModel();
    arguments_ = document_.session().arguments;
    guessed_.clear();
    for (const auto& argument : arguments_)
        guessed_.push_back(follower_.isGuessed(argument.name));
    problems_.clear();
    const compiler::Kernel* kernel = document_.currentKernel();
    const std::vector<int> numbers = parameterNumbers(arguments_);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const compiler::Parameter* parameter = nullptr;
        QString problem;
        if (arguments_[i].variable) {
            problem = variableProblem(arguments_[i], document_);
        } else if (kernel) {
            if (numbers[i] < int(kernel->parameters.size()))
                parameter = &kernel->parameters[std::size_t(numbers[i])];
            else
                problem = tr("The kernel has only %n parameter(s). The Delete key removes this argument.", nullptr,
                             int(kernel->parameters.size()));
        }
        if (problem.isEmpty())
            problem = argumentProblem(arguments_[i], parameter, document_.session(), document_.folder());
        problems_.push_back(problem);
    }
    if (grows)
        endResetModel();
    else if (!arguments_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ArgumentsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(arguments_.size()); }

int ArgumentsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

int ArgumentsModel::problemCount() const {
    return int(std::count_if(problems_.begin(), problems_.end(), [](const QString& each) { return !each.isEmpty(); }));
}

QVariant ArgumentsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto row = std::size_t(index.row());
    const session::Argument& argument = arguments_[row];
    const bool scalar = argument.direction == session::Direction::scalar;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Name:
            return argument.variable ? tr("%1 (variable)").arg(QString::fromStdString(argument.name))
                                     : QString::fromStdString(argument.name);
        case Type: {
            const QString texture = textureName(argument), type = describeType(argument);
            if (texture.isEmpty()) return type;
            return type.isEmpty() ? texture : tr("%1, %2").arg(type, texture);
        }
        case Direction: return directionName(argument.direction);
        case Source: return describeSource(argument);
        case Expectation:
            return argument.expect && !argument.expect->expression.empty()
                       ? QLatin1String("= ") + expectationPath(argument)
                   : argument.expect && !argument.expect->digest.empty()
                       ? tr("a digest")
                       : QFileInfo(expectationPath(argument)).fileName();
        }
        return {};
    case Qt::EditRole:
        return index.column() == Direction ? QVariant(int(argument.direction))
               : index.column() == Name    ? QVariant(QString::fromStdString(argument.name))
                                           : QVariant();
    case Qt::DecorationRole:
        if (index.column() != State) return {};
        return icon(problems_[row].isEmpty() ? (guessed_[row] ? QStringLiteral("help") : QStringLiteral("check"))
                                             : QStringLiteral("warning"));
    case Qt::AccessibleTextRole:
        if (index.column() == State)
            return !problems_[row].isEmpty() ? problems_[row] : guessed_[row] ? tr("guessed") : tr("good");
        return {};
    case Qt::ToolTipRole:
        if (!problems_[row].isEmpty()) return problems_[row];
        if (index.column() == Name)
            if (const QString why = whyNotRenamed(index.row()); !why.isEmpty()) return why;
        if (guessed_[row]) return tr("Guessed from the signature. Double-click or Enter to choose.");
        if (index.column() == Expectation && argument.expect) return expectationPath(argument);
        if (index.column() == Source)
            return scalar
                       ? tr("%1\nDouble-click or Enter to change.").arg(describeSource(argument))
                       : tr("%1\nDouble-click or Enter to change, or drop a file here.").arg(describeSource(argument));
        return {};
    case Qt::FontRole:
        if (guessed_[row] && index.column() != Name) {
            QFont italic;
            italic.setItalic(true);
            return italic;
        }
        return {};
    case ProblemRole: return problems_[row];
    case GuessedRole: return bool(guessed_[row]);
    case ScalarRole: return scalar;
    }
    return {};
}

bool ArgumentsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole) return false;
    if (index.column() == Name) {
        const QString problem = rename(index.row(), value.toString().trimmed());
        if (!problem.isEmpty()) emit renameRefused(problem);
        return problem.isEmpty();
    }
    if (index.column() != Direction) return false;
    session::Argument argument = arguments_[std::size_t(index.row())];
    const int direction = value.toInt();
    if (argument.direction == session::Direction::scalar || direction < 0 || direction > int(session::Direction::inout))
        return false;
    argument.direction = session::Direction(direction);
    setArgument(index.row(), argument);
    return true;
}

void ArgumentsModel::setArgument(int row, const session::Argument& argument) {
    if (row < 0 || row >= rowCount()) return;
    follower_.setChosen(argument.name);
    guessed_[std::size_t(row)] = false;
    document_.modify(tr("Change %1").arg(QString::fromStdString(argument.name)), [&](session::Session& session) {
        if (std::size_t(row) < session.arguments.size()) session.arguments[std::size_t(row)] = argument;
    });
    reload(); // a guess that was confirmed as it is
}

QString ArgumentsModel::whyNotRenamed(int row) const {
    if (row < 0 || row >= rowCount()) return {};
    if (arguments_[std::size_t(row)].variable) return tr("The name is that of the variable in the source.");
    if (document_.session().pipeline) return {};
    const compiler::Kernel* kernel = document_.currentKernel();
    const auto number = std::size_t(parameterNumbers(arguments_)[std::size_t(row)]);
    if (kernel && number < kernel->parameters.size() && kernel->parameters[number].type.empty()) return {}; // of PTX
    return tr("The name is that of the kernel's parameter. Rename it in the source: what refers to it follows.");
}

QString ArgumentsModel::rename(int row, const QString& name) {
    if (row < 0 || row >= rowCount()) return {};
    if (QString why = whyNotRenamed(row); !why.isEmpty()) return why;
    const std::string from = arguments_[std::size_t(row)].name, to = name.toStdString();
    const std::string problem = session::rename_problem(document_.session(), from, to);
    if (from == to || !problem.empty()) return QString::fromStdString(problem);
    document_.modify(tr("Rename %1").arg(QString::fromStdString(from)), [&](session::Session& session) {
        if (!from.empty()) session::rename_references(session, {{from, to}});
        if (std::size_t(row) < session.arguments.size()) session.arguments[std::size_t(row)].name = to;
    });
    emit document_.argumentsRenamed({{QString::fromStdString(from), name}});
    return {};
}

void ArgumentsModel::setFile(int row, const QString& path) {
    if (row < 0 || row >= rowCount()) return;
    session::Argument argument = arguments_[std::size_t(row)];
    if (argument.direction == session::Direction::scalar) return;
    agreeToChosen(document_.folder(), path);
    session::FileSource source;
    source.path = document_.pathInSession(path).toStdString();
    // A raw file has no type or shape: it takes those that the buffer had before.
    if (!saysItsType(path)) source.dtype = describeType(argument).toStdString();
    argument.source = source;
    setArgument(row, argument);
}

QVariant ArgumentsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Name");
    case Type: return tr("Type");
    case Direction: return tr("Direction");
    case Source: return tr("Source");
    case Expectation: return tr("Expected");
    }
    return {};
}

Qt::ItemFlags ArgumentsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    const bool scalar = arguments_[std::size_t(index.row())].direction == session::Direction::scalar;
    if (!scalar) flags |= Qt::ItemIsDropEnabled;
    if (!scalar && index.column() == Direction) flags |= Qt::ItemIsEditable;
    if (index.column() == Name && whyNotRenamed(index.row()).isEmpty()) flags |= Qt::ItemIsEditable;
    return flags;
}

QStringList ArgumentsModel::mimeTypes() const { return {QStringLiteral("text/uri-list")}; }

bool ArgumentsModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                                     const QModelIndex& parent) const {
    const int at = parent.isValid() ? parent.row() : row;
    return data->hasUrls() && data->urls().size() == 1 && data->urls().front().isLocalFile() && at >= 0 &&
           at < rowCount() && arguments_[std::size_t(at)].direction != session::Direction::scalar;
}

bool ArgumentsModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                  const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) return false;
    setFile(parent.isValid() ? parent.row() : row, data->urls().front().toLocalFile());
    return true;
}

} // namespace warplight::ui
