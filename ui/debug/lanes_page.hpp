// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/debug/lane_picture.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace warplight::ui {

/// A variable or expression in all lanes of the warp, or in all threads of the block, as a picture.
class LanesPage : public QWidget {
    Q_OBJECT
public:
    LanesPage(DebugSession& session, Theme& theme, QWidget* parent = nullptr);

    void show(const QString& expression);
    /// Asks for the values again, after a stop.
    void refresh();
    void clear();
    void setOld(bool old);
    LanePicture* picture() const { return picture_; }
    QLineEdit* expression() const { return expression_; }
    QComboBox* kind() const { return kind_; }
    QSpinBox* slice() const { return slice_; }
    QString note() const;

private:
    LanePicture::Kind shownKind() const;
    void say(const QString& text);

    DebugSession& session_;
    QLineEdit* expression_;
    QComboBox *kind_, *colours_;
    QSpinBox* slice_;
    QLabel* note_;
    LanePicture* picture_;
    quint64 asked_ = 0;
};

} // namespace warplight::ui
