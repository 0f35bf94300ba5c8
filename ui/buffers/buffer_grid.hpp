// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_table_model.hpp"
#include "ui/buffers/cell_reader.hpp"

#include <QScrollBar>
#include <QTableView>

namespace warplight::ui {

/// A table view of a buffer with any number of rows. Its scroll bar counts rows of the whole buffer, and the model's
/// window follows it.
class BufferGrid : public QWidget {
    Q_OBJECT
public:
    explicit BufferGrid(QWidget* parent = nullptr);

    BufferTableModel& model() { return *model_; }
    QTableView* table() const { return table_; }
    QScrollBar* scrollBar() const { return bar_; }

    void setCellFont(const QFont& font);
    /// Shows and selects an element.
    void goTo(qint64 flatIndex);
    qint64 currentIndex() const; ///< flat; -1 without one
    qint64 topRow() const;       ///< of the whole
    void setTopRow(qint64 row);
    /// Copies the selected rectangle as tab-separated text. Elements that are not cached are read first.
    void copySelection();
    /// Asks for a file, and writes the selected rectangle to it: .npy or .csv.
    void saveSelection(const QString& folder);
    void saveSelectionTo(const QString& path);
    QRect selectedCells() const; ///< of the model
    void fitColumns();

    static constexpr qint64 maximumCopiedCells = 1 << 20;

signals:
    void currentChanged(qint64 flatIndex);
    void message(const QString& text);
    void saveRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateBar();
    void onBar(int value);
    void onTableScrolled(int value);
    void shiftWindow(qint64 topRow);
    bool handleKey(QKeyEvent* event);
    bool readSelection(const CellReader::Done& done);
    int charactersOf(const ElementType& type) const;

    BufferTableModel* model_;
    QTableView* table_;
    QScrollBar* bar_;
    CellReader* reader_;
    qint64 unit_ = 1; ///< rows per step of the scroll bar
    bool moving_ = false;
};

} // namespace warplight::ui
