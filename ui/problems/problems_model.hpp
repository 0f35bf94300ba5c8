// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/report.hpp"
#include "warplight/compiler.hpp"

#include <QAbstractItemModel>
#include <QColor>
#include <QSortFilterProxyModel>
#include <QString>

#include <memory>
#include <vector>

namespace warplight::ui {

enum class ProblemSeverity { Error, Warning, Note };

/// A diagnostic of the compiler, or a failure of a run.
struct Problem {
    ProblemSeverity severity = ProblemSeverity::Error;
    QString message;
    QString file; ///< as the compiler names it; empty without a place
    int line = 0, column = 0;
    QString source; ///< compiler, run, a check, expectation
    std::vector<Problem> notes;
    std::shared_ptr<const findings::Finding> finding = nullptr; ///< of a check; null otherwise
};

std::vector<Problem> problemsOf(const std::vector<compiler::Diagnostic>& diagnostics);
/// The error of a run, what checks have found, and its failed expectations. Empty for a successful run.
std::vector<Problem> problemsOf(const session::Report& report);
/// Finds "file.cu:12" or "file.cu:12:5" in a text.
bool placeIn(const QString& text, QString* file, int* line, int* column);

/// Problems, with their notes as children.
class ProblemsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Message, File, Line, ColumnNumber, Source, ColumnCount };
    enum Roles { SeverityRole = Qt::UserRole, FileRole, LineRole, ColumnRole, SortRole, CopyRole };

    explicit ProblemsModel(QObject* parent = nullptr);

    void setProblems(std::vector<Problem> problems);
    const std::vector<Problem>& problems() const { return problems_; }
    /// Of a problem, or of the one that a note belongs to; null where no check has found it.
    std::shared_ptr<const findings::Finding> finding(const QModelIndex& index) const;
    int count(ProblemSeverity severity) const;
    /// Colours of the icons. Their shapes differ too, so a severity is never told by colour alone.
    void setColours(const QColor& error, const QColor& warning);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const Problem& at(const QModelIndex& index) const;
    std::vector<Problem> problems_;
    QColor error_, warning_;
};

/// Problems of the chosen severities with a text in the problem or in one of its notes.
class ProblemsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit ProblemsFilter(QObject* parent = nullptr);
    void setShown(ProblemSeverity severity, bool shown);
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    bool shown_[3] = {true, true, true};
    QString text_;
};

} // namespace warplight::ui
