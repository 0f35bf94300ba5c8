// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether the desktop wants dark windows, and when that changes. Qt knows it by itself from 6.5 on.
#pragma once

#include <QObject>
#include <QPalette>

class QDBusVariant;

namespace warplight::ui {

class SystemScheme : public QObject {
    Q_OBJECT
public:
    /// @param systemPalette the application's, before anyone changed it
    explicit SystemScheme(const QPalette& systemPalette, QObject* parent = nullptr);
    bool isDark() const { return dark_; }

signals:
    void changed();

private slots:
    void portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void set(bool dark);
    void askPortal();

    bool dark_ = false;
};

} // namespace warplight::ui
