// SPDX-License-Identifier: GPL-3.0-or-later
/// A profile as a table: a row for each line of the source, or for each PTX instruction.
#pragma once

#include "profile/profile.hpp"

#include <QAbstractTableModel>
#include <QFont>
#include <QString>
#include <functional>
#include <vector>

namespace warplight::ui {

class ProfileModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Line,
        Text,
        Cost,
        Executions,
        Threads,
        Sectors,
        Wavefronts,
        Divergent,
        Bytes,
        Operations,
        ColumnCount
    };
    static constexpr int SortRole = Qt::UserRole, FileRole = Qt::UserRole + 1, LineRole = Qt::UserRole + 2,
                         SourceRole = Qt::UserRole + 3; ///< SourceRole: the text of the line, as it was in the run

    using QAbstractTableModel::QAbstractTableModel;

    using TextOfLine = std::function<QString(const QString& file, int line)>;
    void setLines(const profile::Profile& profile, const TextOfLine& textOf);
    void setInstructions(const profile::Profile& profile, const TextOfLine& textOf);
    void clear();
    void setCodeFont(const QFont& font);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString file, source;
        int line = 0, ptxLine = 0;
        QString opcode; ///< empty: the row is a line
        profile::Figures figures;
    };
    void setRows(std::vector<Row> rows, bool ofInstructions);
    QString display(const Row& row, int column) const;
    QVariant sortValue(const Row& row, int column) const;
    QString place(const Row& row) const;

    std::vector<Row> rows_;
    bool ofInstructions_ = false, manyFiles_ = false;
    quint64 cost_ = 0;
    QFont codeFont_;
};

} // namespace warplight::ui
