// SPDX-License-Identifier: Apache-2.0
// The libraries of the three versions: what each exports, that no function falls over arguments that are all zero, and
// that none is without a test.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

#include <dlfcn.h>

namespace {

struct Row {
    const char* name;
    int first, last;
    bool done;
};
constexpr bool done = true, refused = false;
constexpr Row kRows[] = {
#define WARPLIGHT_RUNTIME_FUNCTION(name, first, last, state) {#name, first, last, state},
#include "runtime_api/functions.def"
#undef WARPLIGHT_RUNTIME_FUNCTION
};

struct Library {
    int major;
    const char* file;
};
constexpr Library kLibraries[] = {{11, "libcudart.so.11.0"}, {12, "libcudart.so.12"}, {13, "libcudart.so.13"}};

bool has(const Row& row, int major) { return row.first <= major && major <= row.last; }

const Row* find(const QString& name) {
    for (const Row& row : kRows)
        if (name == row.name) return &row;
    return nullptr;
}

QString without_comments(const QString& file) {
    QFile header(file);
    if (!header.open(QIODevice::ReadOnly)) return {};
    static const QRegularExpression comments("/\\*.*?\\*/|//[^\n]*", QRegularExpression::DotMatchesEverythingOption);
    return QString::fromUtf8(header.readAll()).remove(comments);
}

/// A function's name in the library, which macros of the header may have changed.
QStringList declared_functions() {
    static const QRegularExpression function(
        "\\b(cuda[A-Za-z0-9_]+|__cuda[A-Za-z0-9_]+)\\s*\\([^;{}]*\\)\\s*(?:;|\\{)");
    static const QRegularExpression macro("CUDARTAPI\\s+((?:__)?cuda[A-Za-z0-9_]+)\\s*\\(");
    QStringList names;
    for (const char* file :
         {"cuda_runtime_api.h", "crt/host_runtime.h", "crt/device_functions.h", "cuda_profiler_api.h"}) {
        const QString text = without_comments(QString(CUDA_HEADERS) + "/" + file);
        for (auto it = macro.globalMatch(text); it.hasNext();)
            names << it.next().captured(1);
    }
    names.removeDuplicates();
    return names;
}

/// Names that have a form for each thread's own default stream.
QStringList renamed_functions() {
    static const QRegularExpression rename("#\\s*define\\s+\\w+\\s+__CUDART_API_(PTDS|PTSZ)\\((\\w+)\\)");
    QStringList names;
    const QString text = without_comments(QString(CUDA_HEADERS) + "/cuda_runtime_api.h");
    for (auto it = rename.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        names << match.captured(2) + (match.captured(1) == "PTDS" ? "_ptds" : "_ptsz");
    }
    names.removeDuplicates();
    return names;
}

/// The words of the other tests here, and of the programs that they start.
QSet<QString> words_of_tests() {
    static const QRegularExpression word("\\w+");
    QSet<QString> words;
    QDirIterator files(TESTS, {"*.cpp", "*.hpp", "*.cu"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        if (files.fileName() == "table_test.cpp") continue;
        const QString text = without_comments(file);
        for (auto it = word.globalMatch(text); it.hasNext();)
            words << it.next().captured();
    }
    return words;
}

QString path(const Library& library) { return QString(LIBRARY_FOLDER) + "/" + library.file; }

// In a process of its own each: a fall ends that one only.
int call_all(const char* file, int major) {
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 2;
    using Any = long (*)(long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long,
                         long, long, long, long);
    const auto name_of = reinterpret_cast<const char* (*)(long)>(dlsym(library, "cudaGetErrorName"));
    for (const Row& row : kRows) {
        if (!has(row, major)) continue;
        if (QByteArray(row.name) == "cudaCreateChannelDesc") continue; // gives a structure, by an address that it takes
        void* function = dlvsym(library, row.name, QByteArray(file).mid(QByteArray(file).lastIndexOf('/') + 1));
        if (!function) {
            std::fprintf(stderr, "%s has no version\n", row.name);
            return 3;
        }
        std::fprintf(stdout, "%s ", row.name);
        std::fflush(stdout);
        const long answer = reinterpret_cast<Any>(function)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        std::fprintf(stdout, "%s\n", row.done ? "done" : name_of(static_cast<int>(answer)));
        std::fflush(stdout);
    }
    return 0;
}

} // namespace

class TableTest : public QObject {
    Q_OBJECT

private slots:
    void every_declared_function_is_in_the_table() {
        const QStringList names = declared_functions() + renamed_functions();
        QVERIFY2(names.size() > 330, qPrintable(QString::number(names.size())));
        QStringList missing;
        for (const QString& name : names)
            if (const Row* row = find(name); !row || !has(*row, CUDA_MAJOR)) missing << name;
        // Textures by reference are still declared where nothing calls them.
        missing.removeAll("__cudaRegisterTexture");
        missing.removeAll("__cudaRegisterSurface");
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(" ")));
    }

    void every_function_has_a_test() {
        static const QRegularExpression form("_(ptsz|ptds)$");
        const QSet<QString> words = words_of_tests();
        QStringList missing;
        for (const Row& row : kRows)
            if (const QString name = QString(row.name).remove(form); row.done && !words.contains(name)) missing << name;
        missing.removeDuplicates();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(" ")));
    }

    void exports_data() {
        QTest::addColumn<int>("number");
        for (int i = 0; i < 3; ++i)
            QTest::addRow("%d", kLibraries[i].major) << i;
    }
    void exports() {
        QFETCH(int, number);
        const Library& library = kLibraries[number];
        void* handle = dlopen(qPrintable(path(library)), RTLD_NOW | RTLD_LOCAL);
        QVERIFY2(handle, dlerror());
        for (const Row& row : kRows)
            QVERIFY2((dlvsym(handle, row.name, library.file) != nullptr) == has(row, library.major), row.name);
        // Nothing of the inside is seen.
        QVERIFY(!dlsym(handle, "_ZN9warplight6driver6Driver4cudaEv"));
        const auto version = reinterpret_cast<int (*)(int*)>(dlsym(handle, "cudaRuntimeGetVersion"));
        int value = 0;
        QCOMPARE(version(&value), 0);
        QCOMPARE(value / 1000, library.major);
    }

    void zeros_data() { exports_data(); }
    void zeros() {
        QFETCH(int, number);
        const Library& library = kLibraries[number];
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(),
                      {"--zeros", path(library), QString::number(library.major)});
        QVERIFY(process.waitForFinished(60000));
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
                 (out.right(200) + process.readAllStandardError()).constData());
        for (const Row& row : kRows)
            if (has(row, library.major) && !row.done)
                QVERIFY2(out.contains(QByteArray(row.name) + " cudaErrorNotSupported\n"), row.name);
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    if (argc == 4 && QByteArray(argv[1]) == "--zeros") return call_all(argv[2], QByteArray(argv[3]).toInt());
    TableTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "table_test.moc"
