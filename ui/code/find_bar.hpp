// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/code/text_search.hpp"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QAbstractButton;
class QBoxLayout;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace warplight::ui {

class CodeView;
class ElidedLabel;
class Theme;

/// Find and replace for the view above it. Where the view is narrow, buttons stand below their field.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(Theme& theme, QWidget* parent = nullptr);

    /// The view that is searched from now on.
    void setView(CodeView* view);
    /// Shows the bar and fills in the selected word.
    void open(bool replace);
    void close();
    void findNext();
    void findPrevious();
    void replaceOne();
    /// All places in one step of undo; returns how many.
    int replaceAll();

    QLineEdit* findEdit() const { return find_; }
    QLineEdit* replaceEdit() const { return replace_; }
    void setOptions(SearchOptions options);
    SearchOptions options() const;
    int matchCount() const { return int(matches_.size()); }
    QString countText() const;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The button that Alt and a letter press while the bar has the focus.
    QAbstractButton* buttonOf(const QKeyEvent* event) const;
    int fieldWidth() const;
    int countWidth() const;
    /// Least width of the buttons beside the search field, without the number of matches.
    int optionsWidth() const;
    void fit();
    void search();
    void step(bool forward, bool fromStart);
    void select(int index);
    void restyle();

    Theme& theme_;
    QPointer<CodeView> view_;
    QLineEdit *find_, *replace_;
    QToolButton *case_, *word_, *regex_, *previous_, *next_, *close_;
    QPushButton *replaceOne_, *replaceAll_;
    ElidedLabel* count_;
    QWidget *options_, *replaceRow_, *replaceButtons_;
    QBoxLayout *findLine_, *replaceLine_;
    QTimer timer_;
    QList<SearchMatch> matches_;
    int current_ = -1;
};

} // namespace warplight::ui
