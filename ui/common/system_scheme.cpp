// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/system_scheme.hpp"

#include <QGuiApplication>
#include <QSettings>
#include <QStyleHints>
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#define WARPLIGHT_PORTAL 1
#else
class QDBusVariant {};
#endif

namespace warplight::ui {

SystemScheme::SystemScheme(const QPalette& systemPalette, QObject* parent) : QObject(parent) {
    dark_ = systemPalette.color(QPalette::Window).lightness() < systemPalette.color(QPalette::WindowText).lightness();
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const auto* hints = QGuiApplication::styleHints();
    if (hints->colorScheme() != Qt::ColorScheme::Unknown) dark_ = hints->colorScheme() == Qt::ColorScheme::Dark;
    connect(hints, &QStyleHints::colorSchemeChanged, this,
            [this](Qt::ColorScheme scheme) { set(scheme == Qt::ColorScheme::Dark); });
#elif defined(Q_OS_WIN)
    const QSettings personalize(
        QStringLiteral("HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"),
        QSettings::NativeFormat);
    dark_ = personalize.value(QStringLiteral("AppsUseLightTheme"), 1).toInt() == 0;
#endif
    if (QGuiApplication::platformName() != QLatin1String("offscreen")) askPortal();
}

void SystemScheme::set(bool dark) {
    if (dark_ == dark) return;
    dark_ = dark;
    emit changed();
}

#ifdef WARPLIGHT_PORTAL
namespace {
const QString portalService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString portalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colorScheme = QStringLiteral("color-scheme");
constexpr uint prefersDark = 1;

/// The value comes wrapped in one variant or two, depending on the portal's version.
QVariant unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}
} // namespace

void SystemScheme::askPortal() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(portalService, portalPath, portalInterface, QStringLiteral("SettingChanged"), this,
                SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read =
        QDBusMessage::createMethodCall(portalService, portalPath, portalInterface, QStringLiteral("Read"));
    read << appearance << colorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(read, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* call) {
        const QDBusPendingReply<QDBusVariant> reply = *call;
        call->deleteLater();
        if (reply.isError()) return; // no portal: the palette has decided
        const uint scheme = unwrapped(reply.value().variant()).toUInt();
        if (scheme != 0) set(scheme == prefersDark); // 0: no preference
    });
}

void SystemScheme::portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == appearance && key == colorScheme) set(unwrapped(value.variant()).toUInt() == prefersDark);
}
#else
void SystemScheme::askPortal() {}
void SystemScheme::portalSettingChanged(const QString&, const QString&, const QDBusVariant&) {}
#endif

} // namespace warplight::ui
