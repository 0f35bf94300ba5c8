// SPDX-License-Identifier: Apache-2.0
// Ranges and marks as a tool hears them. TOOL is the tool: injected, or with TOOL_FOLDER found as libnvToolsExt.
#include "warplight/nvtx.hpp"

#include <QLibrary>
#include <QProcess>
#include <QtTest>

#include <thread>
#include <utility>

using namespace warplight;

namespace {

void make_some() {
    nvtx::mark("one moment", {.color = 0xff00ff00U, .payload = -5, .category = 3});
    const nvtx::Range outer("outer");
    const nvtx::Range inner("inner", {.payload = 7});
    nvtx::SpanningRange first("first");
    nvtx::SpanningRange second = std::move(first), third("third");
    first.end(); // not its any more
    std::thread([&] { second.end(); }).join();
    second.end();
    third = nvtx::SpanningRange("fourth"); // ends the third
}

const char* const kExpected = "domain Warplight\n"
                              "mark one moment category 3 color 4278255360 payload -5\n"
                              "push outer\n"
                              "push inner payload 7\n"
                              "start 1 first\n"
                              "start 2 third\n"
                              "end 1\n"
                              "start 3 fourth\n"
                              "end 2\n"
                              "end 3\n"
                              "pop\n"
                              "pop\n";

} // namespace

class NvtxTest : public QObject {
    Q_OBJECT

    /// This program once more: whether somebody listens is decided once in a process.
    static QString run(const QProcessEnvironment& environment) {
        QProcess child;
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), {"--make-some"});
        if (!child.waitForFinished(20000) || child.exitStatus() != QProcess::NormalExit) return "(failed)";
        return QString::fromUtf8(child.readAllStandardOutput()).remove('\r');
    }
    static QProcessEnvironment environment() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("NVTX_INJECTION64_PATH");
        return environment;
    }

private slots:
    void nobody_listens() { QCOMPARE(run(environment()), QString("active 0\n")); }

    void a_tool_listens() {
        QProcessEnvironment with = environment();
#if defined(TOOL_FOLDER)
        with.insert("LD_LIBRARY_PATH", TOOL_FOLDER);
#else
        with.insert("NVTX_INJECTION64_PATH", TOOL);
#endif
        QCOMPARE(run(with), QString("active 1\n") + kExpected);
    }

    void a_tool_that_is_not_there() {
        QProcessEnvironment with = environment();
        with.insert("NVTX_INJECTION64_PATH", "/nowhere/libtool.so");
        QCOMPARE(run(with), QString("active 0\n"));
    }
};

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--make-some") {
        const bool active = nvtx::active();
        make_some();
        std::printf("active %d\n", active ? 1 : 0);
        using Heard = const char* (*)();
        if (active)
            if (const auto heard = reinterpret_cast<Heard>(QLibrary::resolve(TOOL, "tool_heard")))
                std::printf("%s", heard());
        return 0;
    }
    const QCoreApplication application(argc, argv);
    NvtxTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "nvtx_test.moc"
