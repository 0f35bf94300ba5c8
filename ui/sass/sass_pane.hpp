// SPDX-License-Identifier: GPL-3.0-or-later
/// The SASS of the source for an architecture, linked with the source's lines, alone or beside that of another
/// architecture or other options. It is made when the page is looked at, not with each build.
#pragma once

#include "compiler/sass.hpp"
#include "ui/assembly/line_map.hpp"
#include "ui/common/workbench.hpp"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace warplight::ui {

class DifferenceView;
class FindBar;
class SassView;

class SassPane : public QWidget {
    Q_OBJECT
public:
    explicit SassPane(Workbench& workbench, QWidget* parent = nullptr);

    /// Tells which file names of the compiler are the source.
    void setIsSource(std::function<bool(const QString&)> isSource) { isSource_ = std::move(isSource); }
    /// Colours of the source's lines, as beside the PTX.
    void setSourceColours(const QMap<int, int>& colours);
    /// Marks the SASS of these lines of the source, and counts it.
    void showSourceLines(int first, int last);
    void copyAll() const;

    SassView* view() const { return view_; }
    FindBar* findBar() const { return find_; }
    DifferenceView* difference() const { return difference_; }
    QComboBox* archBox() const { return arch_; }
    QComboBox* otherArchBox() const { return otherArch_; }
    QLineEdit* otherOptions() const { return otherOptions_; }
    QToolButton* compareButton() const { return compare_; }
    /// "k: 45 instructions (…)", or of the chosen lines.
    QString summary() const;
    /// The sentence in place of SASS; empty while there is SASS.
    QString note() const;

signals:
    void sourceLineRequested(int line); ///< the caret moved to SASS of this line
    void zoomRequested(int steps);
    void made(); ///< the SASS or the note is new

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Side {
        std::string key; ///< what was asked for
        bool valid = false;
        QString name; ///< "sm_90"
        std::vector<compiler::SassFunction> functions;
    };
    void restyle();
    void askArchitectures();
    /// Asks for what is shown and not known. Later, while the page is hidden.
    void refresh();
    void ask(Side& side, nlohmann::json params, const QString& tag);
    void take(Side& side, const WorkerReply& reply);
    void show();
    void showNote(const QString& title, const QString& hint, const QString& button = {});
    void noteButtonClicked();
    void summarise();
    void updateButtons();
    bool isComparing() const;
    /// The request for a side, without its architecture and options; null where there is nothing to compile.
    nlohmann::json parameters() const;

    Workbench& workbench_;
    std::function<bool(const QString&)> isSource_;
    QComboBox *arch_, *function_, *otherArch_;
    QLineEdit* otherOptions_;
    QToolButton *follow_, *back_, *compare_;
    QWidget* otherRow_;
    QLabel *summary_, *stale_, *noteTitle_, *noteHint_;
    QPushButton* noteButton_;
    QStackedWidget* stack_;
    SassView* view_;
    FindBar* find_;
    DifferenceView* difference_;
    Side own_, other_;
    nlohmann::json compiled_; ///< the request for the last source that compiled; null: there is none
    compiler::SassListing listing_;
    LineMap map_; ///< listing ↔ source
    QMap<int, int> colours_;
    QTimer later_;             ///< after typing options
    int first_ = 0, last_ = 0; ///< chosen lines of the source
    bool linking_ = false, toolMissing_ = false, compilerMissing_ = false, askedArchitectures_ = false;
};

} // namespace warplight::ui
