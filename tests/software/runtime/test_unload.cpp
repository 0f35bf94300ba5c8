// SPDX-License-Identifier: Apache-2.0
// A program may give the library back while threads of it run.
#include <QLibrary>
#include <QTest>

class UnloadTest : public QObject {
    Q_OBJECT
private slots:
    void staysLoaded() {
        QLibrary library(WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        QVERIFY2(library.load(), qPrintable(library.errorString()));
        const auto init = reinterpret_cast<int (*)(unsigned)>(library.resolve("cuInit"));
        const auto retain = reinterpret_cast<int (*)(void**, int)>(library.resolve("cuDevicePrimaryCtxRetain"));
        const auto set = reinterpret_cast<int (*)(void*)>(library.resolve("cuCtxSetCurrent"));
        const auto create = reinterpret_cast<int (*)(void**, unsigned)>(library.resolve("cuStreamCreate"));
        const auto synchronize = reinterpret_cast<int (*)(void*)>(library.resolve("cuStreamSynchronize"));
        QVERIFY(init && retain && set && create && synchronize);
        void *context = nullptr, *stream = nullptr;
        QCOMPARE(init(0), 0);
        QCOMPARE(retain(&context, 0), 0);
        QCOMPARE(set(context), 0);
        QCOMPARE(create(&stream, 0), 0);
        library.unload();
        QCOMPARE(synchronize(stream), 0);
        QVERIFY2(library.load(), qPrintable(library.errorString()));
        QVERIFY(reinterpret_cast<int (*)(unsigned)>(library.resolve("cuInit")) == init);
        QCOMPARE(synchronize(stream), 0);
    }
};

QTEST_APPLESS_MAIN(UnloadTest)
#include "test_unload.moc"
