// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/panel.hpp"
#include "ui/profile/figures_text.hpp"

#include "profile/hints.hpp"

class QAction;
class QComboBox;
class QLabel;
class QModelIndex;
class QSortFilterProxyModel;
class QTabWidget;
class QTableView;
class QTextBrowser;
class QUrl;

namespace warplight::ui {

class ProfileModel;
class RooflinePlot;

/// What the lines of the kernel did in the last run, what could make it faster, and its place under a GPU's roofline.
class ProfilePanel : public Panel {
    Q_OBJECT
public:
    explicit ProfilePanel(Workbench& workbench, QWidget* parent = nullptr);

    /// What the editor's margin is coloured by.
    HeatMetric heatMetric() const;

signals:
    void heatMetricChanged(warplight::ui::HeatMetric metric);

private:
    void refresh();
    void showNote();
    void showRows();
    void showFacts();
    void showHints();
    void showRoofline();
    void restyle();
    void jump(const QModelIndex& index);
    void jumpToLine(const QString& file, int line, const QString& source);
    void openLink(const QUrl& link);
    QString textOfLine(const QString& file, int line) const;
    bool isStale() const;
    const profile::Profile& profile() const { return *document().report().profile; }
    const profile::Gpu& gpu() const;

    ProfileModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    QComboBox *rows_, *metric_, *gpu_;
    QLabel* facts_;
    QTabWidget* side_;
    QTextBrowser* hintsView_;
    RooflinePlot* roofline_;
    QAction* profileIt_;
    std::vector<profile::Hint> hints_;
    QHash<QString, QStringList> texts_; ///< of the sources when the report came, by path and by name
    int revision_ = -1;                 ///< of the main source then
    bool stale_ = false;                ///< hidden when the report came
};

} // namespace warplight::ui
