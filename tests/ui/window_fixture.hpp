// SPDX-License-Identifier: GPL-3.0-or-later
/// The real window with a real worker, for tests that drive it as a user does.
#pragma once

#include "test_home.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/panel_table.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/welcome/examples.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <algorithm>
#include <memory>

/// A build without the software device has nothing to run on.
#define NEEDS_DEVICE                                                                                                   \
    if (!TestHome::hasDevice()) QSKIP("no device: this build has no software device")

namespace warplight::ui {

class WindowFixture {
public:
    static constexpr int patience = 90000; // a machine that is busy with other things

    explicit WindowFixture(const TestHome& home) : home_(home) {}

    static QString driver() {
        return qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == QLatin1String("cuda") ? QStringLiteral("cuda")
                                                                                      : QStringLiteral("software");
    }

    void openWindow() {
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }
    void closeWindow() {
        window_->document().setReadOnly(true); // so that closing asks nothing
        window_->close();
        window_.reset();
    }
    void workerIsReady() { QTRY_VERIFY_WITH_TIMEOUT(window_->workbench().worker(driver())->isUsable(), patience); }

    /// True once the window has so many runs and nothing is under way.
    bool ran(std::size_t runs) {
        return QTest::qWaitFor(
            [&] { return window_->document().runs().size() >= runs && !window_->runner().isRunning(); }, patience);
    }
    /// Runs the session and waits for its report; false when none came.
    bool run() {
        const std::size_t before = window_->document().runs().size();
        trigger("run.run");
        return ran(before + 1);
    }
    bool isCompiled() {
        return QTest::qWaitFor(
            [&] {
                const CompileOutput& output = window_->document().compileOutput();
                return output.valid && output.revision == window_->document().mainSource()->revision();
            },
            patience);
    }
    /// Names of the panels that a new window has in one of these areas, in the order of their keys.
    static QList<const char*> panelNames(Qt::DockWidgetAreas areas = Qt::AllDockWidgetAreas) {
        QList<const char*> names;
        for (const PanelRow& row : panelTable())
            if (areas & row.area) names << row.name;
        return names;
    }
    void trigger(const char* action) { window_->findAction(QLatin1String(action))->trigger(); }
    QString banner(const char* key) { return window_->banners().text(QLatin1String(key)); }

    /// An example in a state that no other test has left.
    bool openExample(const QString& name) {
        QDir(examplesTarget() + QLatin1Char('/') + name).removeRecursively();
        return window_->openExample(QStringLiteral("%1/%2/%2.warplight").arg(examplesFolder(), name), false);
    }
    QString write(const QString& name, const QByteArray& content) {
        QString path = home_.path(name);
        QDir().mkpath(QFileInfo(path).absolutePath());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) return {};
        return path;
    }

protected:
    const TestHome& home_;
    std::unique_ptr<MainWindow> window_;
};

} // namespace warplight::ui
