// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/element_type.hpp"

#include <QAbstractTableModel>
#include <QList>

namespace warplight::ui {

/// |actual − expected| ≤ absolute + relative · |expected|; NaN equals NaN, equal infinities match. Integers are
/// compared exactly when both tolerances are 0.
struct CompareRule {
    double relative = 0, absolute = 0;
    bool matches(const ElementType& actualType, const char* actual, const ElementType& expectedType,
                 const char* expected) const;
};
/// Infinite where only one of the two is NaN.
double absoluteError(double actual, double expected);
/// Of complex numbers of one type the magnitude of their difference.
double absoluteError(const ElementType& actualType, const char* actual, const ElementType& expectedType,
                     const char* expected);

struct Mismatch {
    qint64 index = 0;
    QString field; ///< of structs
    QString actual, expected;
    double absolute = 0, relative = 0;
};

/// Elements that differ, in order; at most `maximum` of them.
class MismatchModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Index, Position, Field, Actual, Expected, Absolute, Relative, ColumnCount };
    enum Roles { SortRole = Qt::UserRole };
    static constexpr int maximum = 10000;

    explicit MismatchModel(QObject* parent = nullptr);

    void clear(const QList<qint64>& shape);
    /// False when the model is full.
    bool append(const QList<Mismatch>& mismatches);
    const QList<Mismatch>& mismatches() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QList<Mismatch> rows_;
    QList<qint64> shape_;
};

} // namespace warplight::ui
