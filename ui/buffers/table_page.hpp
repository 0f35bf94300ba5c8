// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_scan.hpp"
#include "ui/buffers/buffer_table_model.hpp"
#include "ui/buffers/formula_scope.hpp"

#include <QWidget>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSpinBox;
class QToolButton;

namespace warplight::ui {

class BufferGrid;
class FormulaBar;
class Theme;

/// A column beside the elements of a buffer, as the user wrote it.
struct FormulaColumn {
    QString name, formula;
    bool operator==(const FormulaColumn&) const = default;
};

/// The values of a buffer as a table, with its statistics. Structs have a column for each field. Formulas make columns
/// beside.
class TablePage : public QWidget {
    Q_OBJECT
public:
    explicit TablePage(Theme& theme, QWidget* parent = nullptr);
    ~TablePage() override;

    void setBuffer(BufferSource* source, const BufferInfo& info, const QList<FormulaColumn>& formulas = {});
    /// What formulas of columns may name. Without it there are none.
    void setScope(std::function<FormulaScope()> scope);
    void setFolder(std::function<QString()> folder) { folder_ = std::move(folder); } ///< of saved selections
    const QList<FormulaColumn>& formulas() const { return formulas_; }
    FormulaBar* formulaBar() const { return bar_; }
    void addColumn();
    void editColumn(int which);
    void removeColumn(int which);
    void setMarks(std::shared_ptr<const MismatchSet> marks);
    BufferGrid* grid() const { return grid_; }
    void goTo(qint64 flatIndex);
    /// A flat index, or one index an axis: "12", "3, 4". -1 for anything else or a place outside.
    static qint64 parseIndex(const QString& text, const QList<qint64>& shape);
    void find(bool forward);
    QComboBox* findBox() const { return find_; }
    QLineEdit* findValue() const { return value_; }
    QString statisticsText() const;

signals:
    void message(const QString& text);
    void formulasChanged();
    void fieldRequested(const QString& name); ///< as in BufferInfo::fields
    void indexChosen(qint64 flatIndex);

private:
    void restyle();
    void applyFormat();
    void applyHeat();
    void rebuildSlices();
    void showShape();
    void startSummary();
    void stopSummary();
    void showPosition(qint64 flatIndex);
    void buildActions();
    void updateActions();
    int besideAt() const; ///< of the current cell; -1: it is the buffer's
    void deriveColumns();
    void takeFormula(const QString& name, const QString& formula);
    void showColumns();
    void closeColumns();

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    BufferScan scan_;
    BufferSource::Ticket summaryTicket_ = 0;
    bool haveSummary_ = false;
    BufferSummary summary_;

    std::function<FormulaScope()> scope_;
    std::function<QString()> folder_;
    QList<FormulaColumn> formulas_;
    QList<ColumnBeside> columnsBeside_; ///< one for each formula
    quint64 generation_ = 0;
    bool quiet_ = false; ///< the cursor moves, but nobody has chosen it
    int edited_ = -1;    ///< the column that the formula is of; -1: a new one

    BufferGrid* grid_;
    FormulaBar* bar_;
    QAction *edit_, *remove_, *alone_;
    QToolButton* add_;
    QComboBox *format_, *find_;
    QSpinBox *precision_, *columns_;
    QLabel *columnsLabel_, *position_, *statistics_;
    QLineEdit *goTo_, *value_;
    QToolButton *heat_, *previous_, *next_, *stop_, *compute_;
    QProgressBar* progress_;
    QWidget* slices_;
    QHBoxLayout* sliceRow_;
    QList<QSpinBox*> sliceBoxes_;
};

} // namespace warplight::ui
