// SPDX-License-Identifier: GPL-3.0-or-later
/// Notes in Markdown as a page. It loads pictures from the session's folder, and nothing from anywhere else. A click on
/// a link only tells of it.
#pragma once

#include "session/reach.hpp"

#include <QTextBrowser>

namespace warplight::ui {

class NotesView : public QTextBrowser {
    Q_OBJECT
public:
    explicit NotesView(QWidget* parent = nullptr);

    /// @param reach what pictures may be read from
    void showNotes(const QString& markdown, const session::Reach& reach);
    /// In the colours of the theme, which links have from when they were set.
    void showAgain();

    QVariant loadResource(int type, const QUrl& name) override;

private:
    void setPage();

    session::Reach reach_;
    QString shown_;
};

} // namespace warplight::ui
