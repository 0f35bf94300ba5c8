// SPDX-License-Identifier: GPL-3.0-or-later
/// A home of its own for a test program, and where its worker and examples are.
#pragma once

#include <QApplication>
#include <QByteArray>
#include <QFile>
#include <QFileInfo>
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
        QStandardPaths::setTestModeEnabled(true);
        setDefault("QT_QPA_PLATFORM", "offscreen");
        setDefault("WARPLIGHT_WORKER", WARPLIGHT_TEST_WORKER);
        setDefault("WARPLIGHT_EXAMPLES", WARPLIGHT_SOURCE_DIR "/resources/examples");
#ifdef WARPLIGHT_TEST_SOFTWARE_LIBRARY
        setDefault("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_TEST_SOFTWARE_LIBRARY);
#endif
    }

    /// One screen of this size, which the offscreen platform takes from a file. Before QApplication is made.
    bool setScreen(int width, int height) const {
        QFile file(path(QStringLiteral("screen.json")));
        if (!file.open(QIODevice::WriteOnly)) return false;
        file.write(QStringLiteral(R"({"screens": [{"name": "screen", "x": 0, "y": 0, "width": %1, "height": %2,
            "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})")
                       .arg(width)
                       .arg(height)
                       .toUtf8());
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toLocal8Bit());
        return true;
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
