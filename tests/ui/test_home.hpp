// SPDX-License-Identifier: GPL-3.0-or-later
/// A home of its own for a test program, and where its worker and examples are.
#pragma once

#include "ui/common/loading.hpp"

#include <QApplication>
#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFont>
#include <QSize>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <memory>

namespace warplight::ui {

class TestHome {
public:
    /// Before QApplication is made. A variable that is set already stays.
    TestHome() {
        qputenv("HOME", folder_.path().toUtf8());
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            qputenv(name, (folder_.path() + QLatin1Char('/') + QLatin1String(name)).toUtf8());
        qputenv("LOCALAPPDATA", QDir::toNativeSeparators(folder_.path()).toUtf8()); // on Windows
        QStandardPaths::setTestModeEnabled(true);
        Loading::briefMs = 60000; // however busy the machine is, a file is open when openFile() returns
        if (qEnvironmentVariableIsSet("QT_QPA_FONTDIR")) { // without fontconfig these names are those of no font
            QFont::insertSubstitution(QStringLiteral("Sans Serif"), QStringLiteral("DejaVu Sans"));
            QFont::insertSubstitution(QStringLiteral("monospace"), QStringLiteral("DejaVu Sans Mono"));
        }
        setDefault("QT_QPA_PLATFORM", "offscreen");
        setDefault("WARPLIGHT_WORKER", WARPLIGHT_TEST_WORKER);
        setDefault("WARPLIGHT_EXAMPLES", WARPLIGHT_SOURCE_DIR "/resources/examples");
#ifdef WARPLIGHT_TEST_SOFTWARE_LIBRARY
        setDefault("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_TEST_SOFTWARE_LIBRARY);
#endif
    }

    /// An application with one screen of this size, which the offscreen platform takes from a file. Null: not written.
    std::unique_ptr<QApplication> applicationOnScreen(int& argc, char** argv, QSize size) const {
        QFile file(path(QStringLiteral("screen.json")));
        if (size.isEmpty() || !file.open(QIODevice::WriteOnly)) return nullptr;
        file.write(QStringLiteral(R"({"screens": [{"name": "screen", "x": 0, "y": 0, "width": %1, "height": %2,
            "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})")
                       .arg(size.width())
                       .arg(size.height())
                       .toUtf8());
        file.close();
        // The platform's arguments are split at colons, and a drive has one: the name is without a folder.
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=screen.json");
        const QString before = QDir::currentPath();
        QDir::setCurrent(path({}));
        auto application = std::make_unique<QApplication>(argc, argv);
        QDir::setCurrent(before);
        return application;
    }

    /// The size of the screen that WARPLIGHT_TEST_SCREEN names, WIDTHxHEIGHT.
    static QSize screenSize() {
        const QStringList sides = qEnvironmentVariable("WARPLIGHT_TEST_SCREEN", "1366x768").split('x');
        return sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
    }

    QString path(const QString& name) const { return folder_.filePath(name); }

    static bool hasDevice() {
        return qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == QLatin1String("cuda") ||
               QFileInfo::exists(qEnvironmentVariable("WARPLIGHT_SOFTWARE_LIBRARY"));
    }

private:
    static void setDefault(const char* name, const char* value) {
        if (!qEnvironmentVariableIsSet(name)) qputenv(name, value);
    }
    QTemporaryDir folder_;
};

} // namespace warplight::ui

/// QTEST_MAIN with a home of its own.
#define WARPLIGHT_UI_TEST_MAIN(Class)                                                                                  \
    int main(int argc, char** argv) {                                                                                  \
        warplight::ui::TestHome home;                                                                                  \
        QApplication application(argc, argv);                                                                          \
        Class test(home);                                                                                              \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }
