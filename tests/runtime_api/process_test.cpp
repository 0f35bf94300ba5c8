// SPDX-License-Identifier: Apache-2.0
// Processes that end with work pending, fork, have no driver, or have two versions of the library.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <dlfcn.h>

namespace {

struct Result {
    bool exited = false;
    int code = -1;
    QByteArray out;
};

Result program(const QString& what, const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QCoreApplication::applicationDirPath() + "/runtime_api_program", {what});
    if (!process.waitForFinished(60000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitStatus() == QProcess::NormalExit, process.exitCode(), process.readAll()};
}

bool on_gpu() { return qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == "cuda"; }

} // namespace

class ProcessTest : public QObject {
    Q_OBJECT

private slots:
    void no_driver() {
        if (on_gpu()) QSKIP("the loader finds the driver in any case");
        auto environment = QProcessEnvironment::systemEnvironment();
        // The runtime library alone.
        const QTemporaryDir folder;
        Dl_info info{};
        void* function = dlsym(dlopen("libcudart.so.13", RTLD_NOW), "cudaMalloc");
        QVERIFY(function && dladdr(function, &info));
        QVERIFY(QFile::link(QFileInfo(info.dli_fname).canonicalFilePath(), folder.filePath("libcudart.so.13")));
        environment.insert("LD_LIBRARY_PATH", folder.path());
        const Result result = program("no-driver", environment);
        if (result.out.contains("devices 1")) QSKIP("this machine has a driver");
        QVERIFY2(result.exited && result.code == 0, result.out.constData());
        QCOMPARE(result.out, "count cudaErrorInsufficientDriver\ndevices 0\nmalloc cudaErrorInsufficientDriver\n"
                             "launch cudaErrorInsufficientDriver\nset cudaErrorInsufficientDriver\n"
                             "version cudaSuccess\ndriver 0\nlast cudaErrorInsufficientDriver\n"
                             "CUDA driver version is insufficient for CUDA runtime version\n");
    }

    void no_devices() {
        if (on_gpu()) QSKIP("there are some");
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("WARPLIGHT_SOFTWARE_DEVICES", "0");
        const Result result = program("no-driver", environment);
        QVERIFY2(result.exited && result.code == 0, result.out.constData());
        QVERIFY2(result.out.startsWith("count cudaErrorNoDevice\ndevices 0\nmalloc cudaErrorNoDevice\n"
                                       "launch cudaErrorNoDevice\nset cudaErrorNoDevice\nversion cudaSuccess\n"),
                 result.out.constData());
    }

    void ends_with_work_pending() {
        for (const auto& [what, code] : {std::pair("pending", 5), std::pair("exit-in-thread", 6)}) {
            const Result result = program(what);
            QVERIFY2(result.exited, what);
            QCOMPARE(result.code, code);
            QVERIFY2(result.out.endsWith("launch cudaSuccess\n"), result.out.constData());
        }
    }

    void forks() {
        Result result = program("fork");
        QVERIFY2(result.exited && result.code == 0, result.out.constData());
        QCOMPARE(result.out, "malloc cudaSuccess\nchild ended\nfree cudaSuccess\n");
        result = program("fork-first");
        QVERIFY2(result.exited, result.out.constData());
        QCOMPARE(result.out, "child 0\nmalloc cudaSuccess\n");
    }

    void ignores_every_error() {
        const Result result = program("ignore");
        QVERIFY2(result.exited && result.code == 0, result.out.constData());
        QCOMPARE(result.out, "last cudaErrorInvalidResourceHandle\n");
    }

    /// Each has a state of its own, and the driver is common.
    void several_versions() {
        int (*malloc_of[3])(void**, size_t) = {};
        int (*free_of[3])(void*) = {};
        int (*last_of[3])() = {};
        int (*set_of[3])(int) = {};
        const char* const names[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};
        for (int i = 0; i < 3; ++i) {
            void* library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
            if (!library && on_gpu()) QSKIP("only one version is there");
            QVERIFY2(library, dlerror());
            malloc_of[i] = reinterpret_cast<int (*)(void**, size_t)>(dlsym(library, "cudaMalloc"));
            free_of[i] = reinterpret_cast<int (*)(void*)>(dlsym(library, "cudaFree"));
            last_of[i] = reinterpret_cast<int (*)()>(dlsym(library, "cudaGetLastError"));
            set_of[i] = reinterpret_cast<int (*)(int)>(dlsym(library, "cudaSetDevice"));
        }
        QCOMPARE(set_of[0](99), 101);
        QCOMPARE(last_of[1](), 0);
        QCOMPARE(last_of[2](), 0);
        QCOMPARE(last_of[0](), 101);
        void* pointer = nullptr;
        QCOMPARE(malloc_of[0](&pointer, 64), 0);
        QCOMPARE(free_of[2](pointer), 0); // both use the primary context
        QCOMPARE(malloc_of[1](&pointer, 64), 0);
        QCOMPARE(free_of[0](pointer), 0);
    }
};

QTEST_GUILESS_MAIN(ProcessTest)
#include "process_test.moc"
