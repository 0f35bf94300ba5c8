// SPDX-License-Identifier: GPL-3.0-or-later
// Workers that may reach only the open session: new ones for files elsewhere, results that outlive them, and the list
// of walls in About.
#include "window_fixture.hpp"

#include "ui/buffers/worker_buffer_source.hpp"
#include "ui/common/worker_access.hpp"
#include "ui/mainwindow/about_dialog.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QDir>
#include <QLabel>
#include <QScrollArea>
#include <QtTest>

using namespace warplight;
using namespace warplight::ui;

class TestConfinement : public QObject, private WindowFixture {
    Q_OBJECT
public:
    explicit TestConfinement(const TestHome& home) : WindowFixture(home) {}

private:
    std::string file(const char* name) const { return home_.path(QLatin1String(name)).toStdString(); }
    /// Opens a file as Buffers does.
    static BufferInfo opened(WorkerBufferSource& source, const std::string& path) {
        BufferInfo info;
        bool done = false;
        QObject context;
        source.open(QString::fromStdString(path), {}, {}, 0, &context, [&](const BufferReply<BufferInfo>& reply) {
            info = reply.value;
            if (!reply.ok()) qWarning() << reply.error;
            done = true;
        });
        const bool answered = QTest::qWaitFor([&] { return done; }, patience);
        return answered ? info : BufferInfo();
    }
    static QByteArray elements(WorkerBufferSource& source, qint64 buffer) {
        QByteArray bytes;
        bool done = false;
        QObject context;
        source.read(buffer, 0, 16, &context, [&](const BufferReply<QByteArray>& reply) {
            bytes = reply.value;
            if (!reply.ok()) qWarning() << reply.error;
            done = true;
        });
        const bool answered = QTest::qWaitFor([&] { return done; }, patience);
        return answered ? bytes : QByteArray();
    }

private slots:
    void initTestCase() {
        for (const char* folder : {"one", "two", "chosen"})
            QVERIFY(QDir(home_.path({})).mkpath(QLatin1String(folder)));
        auto array = NdArray::zeros({16}, DType::float32());
        for (std::size_t i = 0; i < 16; ++i)
            array.set_item(i, static_cast<double>(i));
        for (const char* name : {"one/a.npy", "one/b.npy", "two/c.npy"})
            save_npy(file(name), array);
    }

    void access_is_compared() {
        WorkerAccess access;
        const auto reads = [](const std::string& path) { return worker::Access{{path}, {}}; };
        const auto writes = [](const std::string& path) { return worker::Access{{}, {path}}; };
        access.setBase({{file("one")}, {file("chosen")}});
        access.start();
        QVERIFY(access.cover({}));
        QVERIFY(access.cover(reads(file("one/a.npy"))));
        QVERIFY(access.cover(reads(file("chosen"))) && access.cover(writes(file("chosen/deep"))));
        QVERIFY(!access.has(writes(file("one"))));
        QVERIFY(!access.has(reads(file("two/c.npy"))));
        QVERIFY2(access.has(reads(file("two/missing.npy"))), "a file that is not there needs no new worker");
        QVERIFY(!access.cover(reads(file("two/c.npy"))));
        access.start();
        QVERIFY(access.cover(reads(file("two/c.npy"))));
        QVERIFY(!access.has(reads(file("two"))));
        // The rule belongs to the file that was there.
        save_npy(file("two/d.npy"), NdArray::zeros({4}, DType::float32()));
        std::filesystem::last_write_time(file("two/d.npy"),
                                         std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
        std::filesystem::rename(file("two/d.npy"), file("two/c.npy"));
        QVERIFY(!access.has(reads(file("two/c.npy"))));
        // Another session's worker gives up the files of the session before.
        access.setBase({{file("two")}, {}});
        QVERIFY(!access.cover(reads(file("two/c.npy"))));
        const auto now = access.start();
        QCOMPARE(now.read.size(), std::size_t(2));
        QVERIFY(!access.has(reads(file("one/a.npy"))));
    }

    void files_elsewhere_get_a_new_worker() {
        NEEDS_DEVICE;
        Workbench workbench;
        workbench.selectDevice(driver());
        WorkerConnection& connection = workbench.worker();
        WorkerBufferSource source(workbench);
        connection.setAccess({{file("one")}, {workbench.runFolder().of(driver()).toStdString()}});
        connection.start();
        QTRY_VERIFY_WITH_TIMEOUT(connection.isUsable(), patience);
        QSignalSpy lost(&connection, &WorkerConnection::endedIdle);
        const BufferInfo a = opened(source, file("one/a.npy"));
        QVERIFY(a.isValid());
        QCOMPARE(connection.generation(), 1);
        const BufferInfo c = opened(source, file("two/c.npy"));
        QVERIFY(c.isValid());
        QCOMPARE(connection.generation(), 2);
        // The first one is opened again.
        QCOMPARE(elements(source, a.id).size(), 64);
        QCOMPARE(elements(source, c.id).size() > 0, true);
        QCOMPARE(connection.generation(), 2);
        QCOMPARE(lost.count(), 0);
    }

    void results_outlive_the_change_and_are_saved_anywhere() {
        NEEDS_DEVICE;
        openWindow();
        workerIsReady();
        Document& document = window_->document();
        QVERIFY(openExample(QStringLiteral("saxpy")));
        window_->runner().run();
        QVERIFY(ran(1));
        Workbench& workbench = window_->workbench();
        WorkerConnection& connection = workbench.worker();
        const auto& buffers = *document.runs().back().buffers;
        qint64 result = -1;
        for (const auto& each : buffers)
            if (each.value("role", "") == "output") result = each.at("buffer").get<qint64>();
        QVERIFY(result >= 0);
        WorkerBufferSource source(workbench);
        const int generation = connection.generation();
        // Saving needs no other worker.
        bool done = false;
        QString error;
        source.save(result, QString::fromStdString(file("chosen/result.npy")), this,
                    [&](const BufferReply<QString>& reply) {
                        error = reply.error;
                        done = true;
                    });
        QTRY_VERIFY_WITH_TIMEOUT(done, patience);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QVERIFY(open_npy(file("chosen/result.npy")).size() > 0);
        QCOMPARE(connection.generation(), generation);
        // Another worker has the result again.
        QVERIFY(opened(source, file("one/b.npy")).isValid());
        QVERIFY(connection.generation() > generation);
        QCOMPARE(elements(source, result).size(), 64);
        closeWindow();
    }

    void about_lists_the_walls() {
        Theme theme;
        const auto text_of = [](const AboutDialog& dialog) {
            QString text;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                text += label->text() + QLatin1Char('\n');
            return text;
        };
        std::vector<worker::Wall> walls = {{"files", "reads little", "Landlock, version 4", ""},
                                           {"network", "opens no socket", "", "a container's rules forbid it"}};
        const AboutDialog some(theme, walls);
        QVERIFY2(text_of(some).contains("a container's rules forbid it"), qPrintable(text_of(some)));
        QVERIFY2(text_of(some).contains("with care"), qPrintable(text_of(some)));
        walls.pop_back();
        const AboutDialog all(theme, walls);
        QVERIFY2(text_of(all).contains("all of its walls stand"), qPrintable(text_of(all)));
        const AboutDialog none(theme, {});
        QVERIFY2(text_of(none).contains("has not told"), qPrintable(text_of(none)));
    }

    /// Pictures for people: WARPLIGHT_PICTURES names a folder.
    void about_in_both_themes() {
        NEEDS_DEVICE;
        const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
        openWindow();
        workerIsReady();
        for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
            Theme& theme = window_->workbench().theme();
            theme.setMode(mode);
            AboutDialog dialog(theme, worker::walls_from_json(window_->workbench().worker(driver())->walls()),
                               window_.get());
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            auto* scroll = dialog.findChild<QScrollArea*>();
            QVERIFY(scroll && scroll->widget());
            QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
            QVERIFY(dialog.findChildren<QLabel*>().size() > 3 * 8);
            if (!folder.isEmpty())
                dialog.grab().save(
                    QStringLiteral("%1/about-%2.png").arg(folder).arg(theme.isDark() ? "dark" : "light"));
        }
        closeWindow();
    }
};

WARPLIGHT_UI_TEST_MAIN(TestConfinement)
#include "test_confinement.moc"
