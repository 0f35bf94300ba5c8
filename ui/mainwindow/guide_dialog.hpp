// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTextBrowser;

namespace warplight::ui {

/// A section of docs/user-guide.md, which is a part of the program.
class GuideDialog : public QDialog {
    Q_OBJECT
public:
    explicit GuideDialog(QWidget* parent = nullptr);

    /// Shows the section with the heading of this anchor ("bank-conflicts") and goes to the heading.
    void showSection(const QString& anchor);
    /// Anchors of all headings of the guide.
    static QStringList anchors();

private:
    QTextBrowser* text_;
};

} // namespace warplight::ui
