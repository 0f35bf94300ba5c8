// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: warplight [FILE]
#include "platform.hpp"

#include "ui/askpass/askpass_dialog.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/translations.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/mainwindow/tab_window.hpp"
#include "ui/mainwindow/windows.hpp"
#include "ui/settings/preferences.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    warplight::app::platform::use_terminal();
    if (warplight::ui::isAskpass(argc)) {
        QApplication::setApplicationName(QStringLiteral("warplight"));
        QApplication::setApplicationDisplayName(QStringLiteral("Warplight"));
        int one = 1; // a host may have written the question, which is none of Qt's options
        QApplication application(one, argv);
        const auto preferences = warplight::ui::Preferences::load();
        warplight::ui::useLanguage(preferences.language);
        const auto theme = warplight::ui::Theme::shared();
        theme->setMode(preferences.theme);
        theme->setZoom(preferences.zoom);
        return warplight::ui::runAskpass(QString::fromLocal8Bit(argv[1]));
    }
    // These two must work without a display.
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--version") == 0 || std::strcmp(argv[i], "-v") == 0) {
            std::printf("warplight %s\n", WARPLIGHT_VERSION);
            return 0;
        }
        if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
            std::puts(
                "Usage: warplight [OPTIONS] [FILE]\n"
                "A workbench for GPU kernels. FILE is a session (.warplight), a kernel (.cu, .ptx) or data (.npy).\n\n"
                "  --run                run the session once it is open\n"
                "  --screenshot PNG     write a picture of the window, after the run if there is one, and end\n"
                "  -h, --help           show this and end\n"
                "  -v, --version        show the version and end");
            return 0;
        }
    }
    QApplication::setApplicationName(QStringLiteral("warplight"));
    QApplication::setApplicationDisplayName(QStringLiteral("Warplight"));
    QApplication::setApplicationVersion(QStringLiteral(WARPLIGHT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.warplight.Warplight"));
    QApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption runOption(QStringLiteral("run"));
    const QCommandLineOption screenshotOption(QStringLiteral("screenshot"), QString(), QStringLiteral("PNG"));
    parser.addOptions({runOption, screenshotOption});
    parser.addPositionalArgument(QStringLiteral("file"), QString());
    parser.process(application);

    warplight::ui::useLanguage(warplight::ui::Preferences::load().language);
    warplight::ui::offerAskpass();
    using warplight::ui::Windows;
    Windows windows;
    const QStringList files = parser.positionalArguments();
    // A picture is of what was asked for.
    const auto how = parser.isSet(screenshotOption) ? Windows::Start::Bare : Windows::Start::Remembered;
    const bool shoots = parser.isSet(screenshotOption), runs = parser.isSet(runOption);
    // Views ask for their data after the run: a moment later the picture shows it.
    const auto take = [&windows, file = parser.value(screenshotOption)](int code) {
        QTimer::singleShot(1000, &windows, [&windows, file, code] {
            if (!windows.front()->grab().save(file)) {
                std::fprintf(stderr, "warplight: cannot write %s\n", qPrintable(file));
                QApplication::exit(2);
            } else {
                QApplication::exit(code);
            }
        });
    };
    const auto begin = [shoots, runs, take](warplight::ui::MainWindow* page) {
        using warplight::ui::RunController;
        if (shoots && (!page || !runs)) return take(page ? 0 : 2);
        if (!page || !runs) return;
        if (shoots) {
            QObject::connect(&page->runner(), &RunController::runFinished, page,
                             [page, take] { take(warplight::session::exit_code(page->document().report().status)); });
            QObject::connect(&page->runner(), &RunController::runFailed, page, [take](const QString& message) {
                std::fprintf(stderr, "warplight: %s\n", qPrintable(message));
                take(4);
            });
        }
        page->findAction(QStringLiteral("run.run"))->trigger();
    };
    windows.start(how, files.value(0), begin);
    if (files.isEmpty() && shoots) take(0);
    return QApplication::exec();
}
