// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/document.hpp"

#include <QAbstractItemModel>

namespace warplight::ui {

/// Facts about the kernel, in groups: the driver's attributes of the loaded function, the ptxas report, the occupancy
/// of the launch, and memory. Two levels: groups, then rows of name, value and meaning.
class AttributesModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Value, Meaning, ColumnCount };

    explicit AttributesModel(QObject* parent = nullptr);

    /// Either may be absent (null). Takes copies.
    void setResults(const session::Report* report, const compiler::KernelResources* resources,
                    const QString& resourcesArch);
    bool isEmpty() const { return groups_.empty(); }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString name, value, help;
        bool warn = false;
    };
    struct Group {
        QString name;
        std::vector<Row> rows;
    };
    std::vector<Group> groups_;
};

} // namespace warplight::ui
