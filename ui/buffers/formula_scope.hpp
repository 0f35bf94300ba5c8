// SPDX-License-Identifier: GPL-3.0-or-later
/// What formulas over buffers may name, and buffers that formulas make.
#pragma once

#include "ui/buffers/derived_view.hpp"

#include <QHash>

namespace warplight::ui {

/// The arrays have as many elements as the buffer that is made.
struct FormulaScope {
    struct Array {
        QString name; ///< an identifier
        qint64 buffer = -1;
        BufferView view = {}; ///< of the buffer
    };
    QList<Array> arrays;
    QHash<QString, double> scalars;

    /// Names of arrays that have the same name get an ending.
    void add(const QString& name, const QString& ending, qint64 buffer, const BufferView& view = {});
    /// Elements of structs that are numbers: "pos.x" is pos_x, "v[0]" is v_0.
    void addFields(const BufferInfo& structs);
    QStringList names() const; ///< of arrays and scalars

    /// "out-1.npy" becomes out_1.
    static QString identifier(const QString& name);
};

/// A buffer in the shape of `like`, whose elements a formula gives. Only arrays that the formula names are read. With
/// -1 the shape is that of the first of them.
void deriveFormula(BufferSource* source, qint64 like, const QString& expression, const FormulaScope& scope,
                   QObject* context, BufferSource::Done<BufferInfo> done);

} // namespace warplight::ui
