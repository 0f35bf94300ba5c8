// SPDX-License-Identifier: GPL-3.0-or-later
/// Values of a rectangle of a table, for copying and saving.
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QPointer>
#include <QRect>

namespace warplight::ui {

class BufferTableModel;

struct SelectedCells {
    struct Column {
        QString name; ///< of records; else empty
        ElementType type;
        QByteArray values; ///< row after row, in the machine's byte order
        qint64 count() const { return values.size() / std::max(1, type.size); }
    };
    qint64 rows = 0;
    bool wrapped = false; ///< of a buffer with one axis: the last row may be shorter
    QList<Column> columns;

    /// Fields of a row between separators, rows between line feeds, without one at the end.
    QString text(const NumberFormat& format) const;
    /// A file of comma-separated values. Numbers read back as they were; records have a line of names.
    QByteArray csv() const;
    /// A .npy file: of one axis where the buffer has one; of rows and columns; or of structs, where columns have types
    /// of their own.
    QByteArray npy() const;
};

/// Reads cells that may not be on the screen. A newer request replaces the older.
class CellReader : public QObject {
    Q_OBJECT
public:
    explicit CellReader(QObject* parent = nullptr);

    using Done = std::function<void(const SelectedCells&)>;
    /// @param cells in the model's rows and columns
    void read(BufferTableModel& model, const QRect& cells, Done done);
    void cancel();

signals:
    void failed(const QString& message);

private:
    /// Elements that are read at once, and where their values go.
    struct Piece {
        qint64 buffer = 0, first = 0, count = 0;
        std::function<void(const QByteArray&)> take;
    };
    void next();

    QPointer<BufferSource> source_;
    SelectedCells cells_;
    QList<Piece> pieces_;
    qsizetype at_ = 0;
    quint64 generation_ = 0;
    BufferSource::Ticket ticket_ = 0;
    Done done_;
};

} // namespace warplight::ui
