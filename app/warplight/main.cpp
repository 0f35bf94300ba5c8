// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: warplight [FILE]
#include "ui/mainwindow/main_window.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
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
                "  --run            run the session once it is open\n"
                "  -h, --help       show this and end\n"
                "  -v, --version    show the version and end");
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
    parser.addOption(runOption);
    parser.addPositionalArgument(QStringLiteral("file"), QString());
    parser.process(application);

    warplight::ui::MainWindow window;
    window.show();
    const QStringList files = parser.positionalArguments();
    if (!files.isEmpty() && window.openFile(files.front()) && parser.isSet(runOption))
        window.findAction(QStringLiteral("run.run"))->trigger();
    return QApplication::exec();
}
