// SPDX-License-Identifier: GPL-3.0-or-later
/// Chooses the checks of a run.
#pragma once

#include "ui/common/document.hpp"

#include <QMenu>
#include <QToolButton>

class QCheckBox;

namespace warplight::ui {

/// "Memory, races": for people; empty where nothing is checked.
QString checksText(const findings::Checks& checks);

/// Single checks by a menu.
class ChecksButton : public QToolButton {
    Q_OBJECT
public:
    explicit ChecksButton(QWidget* parent = nullptr);

    const findings::Checks& checks() const { return checks_; }
    void setChecks(const findings::Checks& checks);

signals:
    void chosen(); ///< by the user

private:
    void toggle(const QString& name, bool on);

    findings::Checks checks_;
    QMenu menu_;
};

/// Those of the session: all or none by the box, single ones by the button.
class ChecksBox : public QWidget {
    Q_OBJECT
public:
    /// @param text of the box, with its letter behind &
    ChecksBox(Document& document, const QString& text, QWidget* parent = nullptr);

    QCheckBox* box() const { return box_; }
    ChecksButton* button() const { return button_; }

private:
    void choose(const findings::Checks& checks);
    void showSession();

    Document& document_;
    QCheckBox* box_;
    ChecksButton* button_;
};

} // namespace warplight::ui
