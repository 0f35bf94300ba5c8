// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace warplight::ui {

/// docs/user-guide.md, which is a part of the program: a list of its sections, and one of them.
class GuideDialog : public QDialog {
    Q_OBJECT
public:
    explicit GuideDialog(QWidget* parent = nullptr);

    /// Shows the section with the heading of this anchor ("bank-conflicts") and goes to the heading. Without an
    /// anchor it is the first one.
    void showSection(const QString& anchor);
    /// Anchors of all headings of the guide.
    static QStringList anchors();

private:
    QTextBrowser* text_;
    QListWidget* sections_;
    bool choosing_ = false; ///< the list follows the text
};

} // namespace warplight::ui
