// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/problems/problems_model.hpp"

#include "ui/common/icons.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warplight::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("warplight::ui", text); }

ProblemSeverity severityOf(compiler::Severity severity) {
    switch (severity) {
    case compiler::Severity::error: return ProblemSeverity::Error;
    case compiler::Severity::warning: return ProblemSeverity::Warning;
    default: return ProblemSeverity::Note;
    }
}

QString severityText(ProblemSeverity severity) {
    switch (severity) {
    case ProblemSeverity::Error: return tr("error");
    case ProblemSeverity::Warning: return tr("warning");
    default: return tr("note");
    }
}

Problem noteOf(const QString& text, const QString& source) {
    Problem note{ProblemSeverity::Note, text.trimmed(), {}, 0, 0, source, {}};
    placeIn(text, &note.file, &note.line, &note.column);
    return note;
}

QString extentText(const std::array<std::uint32_t, 3>& v) {
    return QStringLiteral("(%1,%2,%3)").arg(v[0]).arg(v[1]).arg(v[2]);
}

Problem problemOf(const findings::Finding& finding) {
    const QString source = tr("check of %1").arg(QString::fromStdString(finding.kind));
    Problem problem{finding.severity == "warning" ? ProblemSeverity::Warning : ProblemSeverity::Error,
                    QString::fromStdString(finding.message),
                    QString::fromStdString(finding.place.file),
                    finding.place.line,
                    finding.place.column,
                    source,
                    {}};
    if (!problem.message.isEmpty()) problem.message[0] = problem.message[0].toUpper();
    const auto note = [&](const QString& text, const findings::Place& place) {
        problem.notes.push_back(
            {ProblemSeverity::Note, text, QString::fromStdString(place.file), place.line, place.column, source, {}});
    };
    QString who = tr("block %1, thread %2").arg(extentText(finding.block), extentText(finding.thread));
    if (finding.count > 1) who += tr(", and %1 more times").arg(finding.count - 1);
    if (!finding.kernel.empty()) note(who, {});
    for (const findings::Place& call : finding.inlined_at)
        note(tr("inlined here"), call);
    if (const auto& other = finding.other)
        note(tr("%1 here: block %2, thread %3")
                 .arg(other->access.empty() ? tr("waits") : QString::fromStdString(other->access),
                      extentText(other->block), extentText(other->thread)),
             other->place);
    problem.finding = std::make_shared<const findings::Finding>(finding);
    return problem;
}

} // namespace

bool placeIn(const QString& text, QString* file, int* line, int* column) {
    static const QRegularExpression place(
        QStringLiteral("([^\\s:()\"']+\\.(?:cu|cuh|ptx|h|hpp|cpp))(?::|\\()(\\d+)(?:[:,](\\d+))?"));
    const QRegularExpressionMatch match = place.match(text);
    if (!match.hasMatch()) return false;
    *file = match.captured(1);
    *line = match.captured(2).toInt();
    *column = match.captured(3).toInt();
    return true;
}

std::vector<Problem> problemsOf(const std::vector<compiler::Diagnostic>& diagnostics) {
    std::vector<Problem> result;
    for (const compiler::Diagnostic& diagnostic : diagnostics) {
        Problem problem{severityOf(diagnostic.severity),
                        QString::fromStdString(diagnostic.message),
                        QString::fromStdString(diagnostic.file),
                        diagnostic.line,
                        diagnostic.column,
                        tr("compiler"),
                        {}};
        for (const std::string& note : diagnostic.notes)
            problem.notes.push_back(noteOf(QString::fromStdString(note), problem.source));
        result.push_back(std::move(problem));
    }
    return result;
}

std::vector<Problem> problemsOf(const session::Report& report) {
    std::vector<Problem> result;
    if (report.error && report.error->kind != "cancelled" && report.error->kind != "compile") {
        const session::ReportError& error = *report.error;
        Problem problem{ProblemSeverity::Error, QString::fromStdString(error.message), {}, 0, 0, tr("run"), {}};
        const QString details = QString::fromStdString(error.details);
        if (!placeIn(problem.message, &problem.file, &problem.line, &problem.column))
            placeIn(details, &problem.file, &problem.line, &problem.column);
        if (error.code)
            problem.notes.push_back(
                noteOf(QStringLiteral("%1: %2 (%3)")
                           .arg(QString::fromStdString(error.entry_point), QString::fromStdString(error.code_name))
                           .arg(error.code),
                       problem.source));
        for (const QString& line : details.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            problem.notes.push_back(noteOf(line, problem.source));
        result.push_back(std::move(problem));
    }
    for (const findings::Finding& finding : report.findings.all)
        result.push_back(problemOf(finding));
    if (report.findings.more > 0)
        result.push_back({ProblemSeverity::Note,
                          tr("Threads came %1 more times to places that are not listed. Mend those above first.")
                              .arg(report.findings.more),
                          {},
                          0,
                          0,
                          tr("checks"),
                          {}});
    for (const session::Comparison& comparison : report.comparisons) {
        if (comparison.passed) continue;
        const QString name = QString::fromStdString(comparison.argument);
        Problem problem{ProblemSeverity::Error, {}, {}, 0, 0, tr("expectation"), {}};
        if (!comparison.problem.empty())
            problem.message = tr("%1 could not be compared: %2").arg(name, QString::fromStdString(comparison.problem));
        else
            problem.message = tr("%1 is not as expected: %2 of %3 elements differ, the first at %4 is %5 instead of %6")
                                  .arg(name)
                                  .arg(comparison.mismatches)
                                  .arg(comparison.elements)
                                  .arg(comparison.first)
                                  .arg(comparison.first_actual, 0, 'g', 9)
                                  .arg(comparison.first_expected, 0, 'g', 9);
        result.push_back(std::move(problem));
    }
    return result;
}

ProblemsModel::ProblemsModel(QObject* parent) : QAbstractItemModel(parent) {}

void ProblemsModel::setProblems(std::vector<Problem> problems) {
    beginResetModel();
    problems_ = std::move(problems);
    endResetModel();
}

void ProblemsModel::setColours(const QColor& error, const QColor& warning) {
    error_ = error;
    warning_ = warning;
    if (rowCount()) emit dataChanged(index(0, Message), index(rowCount() - 1, Message), {Qt::DecorationRole});
}

int ProblemsModel::count(ProblemSeverity severity) const {
    return int(
        std::count_if(problems_.begin(), problems_.end(), [&](const Problem& p) { return p.severity == severity; }));
}

// A note's internal id is its problem's row + 1; a problem's is 0.
QModelIndex ProblemsModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex ProblemsModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(int(index.internalId()) - 1, 0, quintptr(0));
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(problems_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return int(problems_[size_t(parent.row())].notes.size());
}

int ProblemsModel::columnCount(const QModelIndex&) const { return ColumnCount; }

const Problem& ProblemsModel::at(const QModelIndex& index) const {
    if (index.internalId() == 0) return problems_[size_t(index.row())];
    return problems_[size_t(index.internalId() - 1)].notes[size_t(index.row())];
}

std::shared_ptr<const findings::Finding> ProblemsModel::finding(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    return problems_[size_t(index.internalId() == 0 ? index.row() : int(index.internalId()) - 1)].finding;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Problem& problem = at(index);
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Message: return problem.message;
        case File: return QFileInfo(problem.file).fileName();
        case Line: return problem.line > 0 ? QVariant(problem.line) : QVariant();
        case ColumnNumber: return problem.column > 0 ? QVariant(problem.column) : QVariant();
        case Source: return index.internalId() == 0 ? problem.source : QString();
        default: return {};
        }
    case Qt::DecorationRole:
        if (index.column() != Message) return {};
        return problem.severity == ProblemSeverity::Error     ? icon(QStringLiteral("error"), error_)
               : problem.severity == ProblemSeverity::Warning ? icon(QStringLiteral("warning"), warning_)
                                                              : icon(QStringLiteral("info"));
    case Qt::TextAlignmentRole:
        return int((index.column() == Line || index.column() == ColumnNumber ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (index.column() == File) return problem.file;
        return index.column() == Message ? problem.message : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == Message
                   ? QVariant(severityText(problem.severity) + QStringLiteral(": ") + problem.message)
                   : data(index, Qt::DisplayRole);
    case SeverityRole: return int(problem.severity);
    case FileRole: return problem.file;
    case LineRole: return problem.line;
    case ColumnRole: return problem.column;
    case SortRole:
        if (index.column() == Line) return problem.line;
        if (index.column() == ColumnNumber) return problem.column;
        return index.column() == Message ? QVariant(int(problem.severity)) : data(index, Qt::DisplayRole);
    case CopyRole: {
        QString text;
        if (!problem.file.isEmpty()) {
            text = problem.file;
            if (problem.line > 0) text += QStringLiteral(":%1").arg(problem.line);
            if (problem.column > 0) text += QStringLiteral(":%1").arg(problem.column);
            text += QStringLiteral(": ");
        }
        text += severityText(problem.severity) + QStringLiteral(": ") + problem.message;
        for (const Problem& note : problem.notes)
            text += QStringLiteral("\n    ") + note.message;
        return text;
    }
    default: return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Line || section == ColumnNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Message: return tr("Message");
    case File: return tr("File");
    case Line: return tr("Line");
    case ColumnNumber: return tr("Column");
    case Source: return tr("From");
    default: return {};
    }
}

ProblemsFilter::ProblemsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(ProblemsModel::SortRole);
}

void ProblemsFilter::setShown(ProblemSeverity severity, bool shown) {
    shown_[int(severity)] = shown;
    invalidateFilter();
}

void ProblemsFilter::setText(const QString& text) {
    text_ = text;
    invalidateFilter();
}

bool ProblemsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (parent.isValid()) return true; // notes go with their problem
    const QModelIndex index = sourceModel()->index(row, ProblemsModel::Message);
    if (!shown_[index.data(ProblemsModel::SeverityRole).toInt()]) return false;
    return text_.isEmpty() || index.data(ProblemsModel::CopyRole).toString().contains(text_, Qt::CaseInsensitive);
}

bool ProblemsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (left.parent().isValid()) return left.row() < right.row();
    const QVariant a = left.data(sortRole()), b = right.data(sortRole());
    if (a == b) return left.row() < right.row();
    return a.typeId() == QMetaType::Int ? a.toInt() < b.toInt() : a.toString() < b.toString();
}

} // namespace warplight::ui
