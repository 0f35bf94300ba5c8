// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/derived_view.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/common/panel.hpp"

#include <array>

class QAction;
class QLabel;
class QTabWidget;
class QTreeView;

namespace warplight::ui {

class BufferListModel;
class BufferSaver;
class ComparePage;
class FormulaBar;
class FramesPage;
class HexPage;
class HistogramPage;
class ImagePage;
class LinkBar;
class PlotPage;
class TablePage;
class ScatterPage;
class ViewBar;

/// The data of runs and of opened files as a table, bytes, a plot, a histogram, a picture, and compared. After a run
/// without results the results of the run before stay, marked with its number. Buffers that the user has made of others
/// are made again after each run, unless they stay with theirs.
class BuffersPanel : public Panel {
    Q_OBJECT
public:
    enum Tab { TableTab, HexTab, PlotTab, HistogramTab, ScatterTab, ImageTab, CompareTab, FramesTab, TabCount };

    /// A null source means the workbench's worker.
    explicit BuffersPanel(Workbench& workbench, QWidget* parent = nullptr, BufferSource* source = nullptr);

    BufferSource* source() const { return source_; }
    BufferListModel* list() const { return list_; }
    QTreeView* listView() const { return view_; }
    QTabWidget* tabs() const { return tabs_; }
    TablePage* table() const { return table_; }
    HexPage* hex() const { return hex_; }
    PlotPage* plot() const { return plot_; }
    HistogramPage* histogram() const { return histogram_; }
    ScatterPage* scatter() const { return scatter_; }
    LinkBar* linkBar() const { return links_; }
    FormulaBar* formulaBar() const { return formula_; }
    ImagePage* image() const { return image_; }
    ComparePage* compare() const { return compare_; }
    ViewBar* viewBar() const { return viewBar_; }
    BufferSaver* saver() const { return saver_; }
    FramesPage* frames() const { return frames_; } ///< of the last pipeline that kept some
    /// Tells which run the shown data is of; empty when all of it is of the last run.
    QString runNote() const;

    /// Opens a `.npy` at once; asks for type and shape of other files.
    void openFile(const QString& path);
    void openFileAs(const QString& path, const QString& type, const QList<qint64>& shape, qint64 offset);
    void setCurrentBuffer(qint64 id);
    /// Asks for a formula of a new buffer in the shape of the current one.
    void askFormula();
    /// Adds what is shown of the current buffer to the list.
    void keepShown();
    /// A computed or kept buffer that stays does not follow the next run.
    void setStaying(qint64 id, bool stays);
    QAction* stayAction() const { return stay_; } ///< of the current buffer
    /// Marks an element of the current buffer on all pages, and in others of its shape where cursors are linked.
    void setCursor(qint64 wholeIndex);
    qint64 cursor() const; ///< of the current buffer; -1: none yet
    BufferInfo currentBuffer() const;
    /// Columns of formulas come again beside the arguments' buffers when they have other names.
    void followNames(const QHash<QString, QString>& names);

protected:
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    /// How a buffer is made of others, so that it can be made again.
    struct Recipe {
        BufferInfo base;     ///< that it has the shape of, or is a view of
        QString formula;     ///< empty: a view
        BufferView view;     ///< of the base
        bool stays = false;  ///< with the run that it is of
        bool failed = false; ///< to follow the run that is shown
        bool lost = false;   ///< its worker has ended
    };
    void onReport();
    void onSessionReplaced();
    void onFailedAttempt();
    void followRuns();
    void follow(int row);
    void followed(qint64 old, const BufferReply<BufferInfo>& reply);
    void markRuns();
    void remakeLost();
    QString resultsTitle() const;
    BufferInfo baseOf(const Recipe& recipe) const;
    QString runOf(const BufferInfo& own) const;
    QList<BufferInfo> buffersOfRuns() const;
    void showFrames();
    void openExpectations();
    [[nodiscard]] session::Expectation expectationOf(const QString& argument) const;
    /// Of an .npz or HDF5 file: asks where it has several.
    void chooseMember(const QString& path);
    void openMember(const QString& path, const QString& member);
    void addFormulaOf(const session::Comparison& comparison);
    void opened(const BufferInfo& info, BufferRole role, const QString& name);
    void refreshPages();
    void refreshPage();
    void showBuffer(int tab);
    void askAndOpen();
    void closeCurrent();
    qint64 expectedOf(const BufferInfo& info) const;
    void updateActions();
    void buildLeft(QWidget* left);
    void connectPages();
    void askFields();
    void compareInBackground();
    void showMarks();
    void showCursor(int tab);
    void choose(int tab, qint64 index);
    void prepareComparison();
    void addOwn(BufferInfo info, BufferRole role, const QString& name, const Recipe& recipe);
    void makeFormula(const QString& name, const QString& formula);
    /// What formulas beside `info` may name, which is all of `whole` or a part of it.
    FormulaScope scopeOf(const BufferInfo& info, const BufferInfo& whole) const;
    QString columnsKey() const;
    /// What its run gave the buffer's argument to the kernel as; nothing: as an address.
    std::optional<session::TextureKind> textureKindOf(const BufferInfo& info) const;
    QList<BufferInfo> outputsOf(const session::Comparison& comparison) const;

    BufferSource* source_;
    BufferListModel* list_;
    QTreeView* view_;
    QLabel* note_;
    ViewBar* viewBar_;
    QTabWidget* tabs_;
    TablePage* table_;
    HexPage* hex_;
    PlotPage* plot_;
    HistogramPage* histogram_;
    ScatterPage* scatter_;
    LinkBar* links_;
    FormulaBar* formula_;
    ImagePage* image_;
    ComparePage* compare_;
    BufferSaver* saver_;
    FramesPage* frames_;
    QAction *open_, *save_, *close_, *run_, *newFormula_, *stay_;
    QHash<qint64, qint64> expected_;                  ///< output → its expected buffer
    QSet<qint64> ofFormulas_;                         ///< expected buffers that the run has made
    QHash<qint64, QPair<double, double>> tolerances_; ///< of outputs
    QHash<QString, QList<FormulaColumn>> columns_;    ///< beside buffers of this name and direction
    QHash<qint64, qint64> cursors_;                   ///< of each buffer, while they are not linked
    QHash<QList<qint64>, qint64> linked_;             ///< of all buffers of a shape
    bool moving_ = false;                             ///< the cursor is set, not chosen
    QHash<qint64, QString> ownRuns_;                  ///< that kept and computed buffers are of
    QHash<qint64, Recipe> recipes_;                   ///< of these buffers
    int expectations_ = 0;                            ///< that are being opened
    bool following_ = false;                          ///< a buffer is being made again
    int formulas_ = 0;                                ///< that were asked for
    quint64 generation_ = 0;
    std::array<bool, TabCount> stale_{};
};

} // namespace warplight::ui
