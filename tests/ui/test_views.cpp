// SPDX-License-Identifier: GPL-3.0-or-later
// Views of buffers that a real worker holds: what they show is what is in the files.
#include "views_fixture.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffer_saver.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/buffers/export_button.hpp"
#include "ui/buffers/histogram_page.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/buffers/view_bar.hpp"

#include "formats/array_writer.hpp"
#include "formats/sound.hpp"
#include "warplight/error.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <qcustomplot.h>

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include <cmath>
#include <limits>

using namespace warplight;
using namespace warplight::ui;

class TestViews : public QObject, private ViewsFixture {
    Q_OBJECT
public:
    explicit TestViews(const TestHome& home) : ViewsFixture(home) {}

private:
    bool counted(qsizetype bins) {
        HistogramPage& page = *panel_->histogram();
        return QTest::qWaitFor([&] { return !page.isCounting() && page.histogram().counts.size() == bins; }, patience);
    }

private slots:
    void init() { openPanel(); }
    void cleanup() { closePanel(); }

    void histogram();
    void bigHistogramDoesNotBlock();
    void saving();
    void savingAsTheChosenKind();
    void soundsKeepTheirRate();
    void archives();
    void plotValues();
    void slices();
    void complexParts();
};

void TestViews::histogram() {
    std::vector<float> values(100000);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = float(i % 1000) / 10;
    values[17] = std::numeric_limits<float>::quiet_NaN();
    values[18] = values[19] = -std::numeric_limits<float>::infinity();
    QVERIFY(opened(array(QStringLiteral("h.npy"), {values.size()}, values)).isValid());
    panel_->tabs()->setCurrentIndex(BuffersPanel::HistogramTab);
    HistogramPage& page = *panel_->histogram();
    const auto expected = [&](double low, double high, int bins) {
        QList<qint64> counts(bins, 0);
        const double width = (high - low) / bins;
        for (const float value : values)
            if (std::isfinite(value) && value >= low && value <= high)
                ++counts[std::min<qsizetype>(bins - 1, qsizetype((double(value) - low) / width))];
        return counts;
    };
    page.setBins(10);
    QVERIFY(counted(10));
    QCOMPARE(page.histogram().counts, expected(0, double(99.9F), 10));
    QCOMPARE(page.histogram().nan, qint64(1));
    QCOMPARE(page.histogram().infinite, qint64(2));
    QVERIFY2(page.counts().contains(QStringLiteral("1 NaN")) && page.counts().contains(QStringLiteral("2 infinite")),
             qPrintable(page.counts()));
    page.setBins(16);
    QVERIFY(counted(16));
    page.setValues(16, 48);
    QTRY_COMPARE_WITH_TIMEOUT(page.histogram().low, 16.0, patience);
    QCOMPARE(page.histogram().counts, expected(16, 48, 16));
    qint64 inside = 0;
    for (const qint64 count : page.histogram().counts)
        inside += count;
    QCOMPARE(inside + page.histogram().below + page.histogram().above + 3, qint64(values.size()));
    page.pointAt(0);
    QVERIFY2(page.readout().startsWith(QStringLiteral("16 to 18: ")), qPrintable(page.readout()));
    page.setLogarithmic(true);
    shoot(QStringLiteral("histogram"));

    ExportButton& out = *page.exportButton();
    QCOMPARE(out.save(path(QStringLiteral("h.csv"))), QString());
    const QList<QByteArray> lines = contents(path(QStringLiteral("h.csv"))).trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype(17));
    QCOMPARE(lines[0], QByteArray("from,to,count"));
    QCOMPARE(lines[1], "16,18," + QByteArray::number(page.histogram().counts[0]));
    QCOMPARE(out.save(path(QStringLiteral("h.png"))), QString());
    QCOMPARE(QImage(path(QStringLiteral("h.png"))).size(), 2 * page.plot()->size());
    if (ExportButton::pictureEndings(true).contains(QStringLiteral("svg"))) {
        QCOMPARE(out.save(path(QStringLiteral("h.svg"))), QString());
        const QByteArray svg = contents(path(QStringLiteral("h.svg")));
        QVERIFY(svg.contains("<svg") && svg.contains("elements") && !svg.contains("<image"));
    }
    QVERIFY(!out.save(path(QStringLiteral("h.gif"))).isEmpty());
    QVERIFY(!out.save(path(QStringLiteral("nowhere/h.png"))).isEmpty());
    out.copyValues();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("from\tto\tcount\n16\t18\t")));

    page.setRange(HistogramPage::Percent98);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isCounting(), patience);
    QCOMPARE(page.histogram().low, double(0.9F));
}

/// A gigabyte of zeros, which takes no room on the disk: the window answers while it is counted.
void TestViews::bigHistogramDoesNotBlock() {
    const QString file = path(QStringLiteral("big.bin"));
    QFile big(file);
    QVERIFY(big.open(QIODevice::WriteOnly) && big.resize(1LL << 30));
    big.close();
    panel_->openFileAs(file, QStringLiteral("float32"), {1LL << 28}, 0);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->list()->rowCount(), 1, patience);
    panel_->setCurrentBuffer(panel_->list()->buffers().last().id);
    QElapsedTimer timer;
    timer.start();
    panel_->tabs()->setCurrentIndex(BuffersPanel::HistogramTab);
    qint64 longest = timer.elapsed();
    HistogramPage& page = *panel_->histogram();
    QVERIFY(page.isCounting());
    while (page.isCounting()) {
        timer.restart();
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        longest = std::max(longest, timer.elapsed());
    }
    QCOMPARE(page.histogram().elements, qint64(1) << 28);
    QVERIFY2(longest < 1000, qPrintable(QString::number(longest)));
    QFile::remove(file);
}

void TestViews::saving() {
    std::vector<std::int32_t> values{1, -2, 3, 4, 5, 6};
    const BufferInfo info = opened(array(QStringLiteral("s.npy"), {2, 3}, values));
    QVERIFY(info.isValid());
    QSignalSpy told(panel_->saver(), &BufferSaver::message);
    const auto source = panel_->source();
    panel_->saver()->save(source, info, path(QStringLiteral("s.csv")));
    QVERIFY(panel_->saver()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, patience);
    QVERIFY(!panel_->saver()->isVisible());
    QCOMPARE(contents(path(QStringLiteral("s.csv"))), QByteArray("1,-2,3\n4,5,6\n"));
    panel_->saver()->save(source, info, path(QStringLiteral("again.npy")));
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, patience);
    QCOMPARE(contents(path(QStringLiteral("again.npy"))), contents(path(QStringLiteral("s.npy"))));
    // Cancelled: nothing is left.
    panel_->saver()->save(source, info, path(QStringLiteral("cancelled.csv")));
    panel_->saver()->cancel();
    QVERIFY(!panel_->saver()->isSaving());
    panel_->saver()->save(source, info, path(QStringLiteral("nowhere/s.csv")));
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 4, patience);
    QVERIFY2(told.last()[0].toString().contains(QStringLiteral("could not be written")),
             qPrintable(told.last()[0].toString()));
}

void TestViews::archives() {
    const QString folder = QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/formats/");
    QVERIFY(QFile::copy(folder + QStringLiteral("stored.npz"), path(QStringLiteral("stored.npz"))));
    QVERIFY(QFile::copy(folder + QStringLiteral("single.npz"), path(QStringLiteral("single.npz"))));
    // One array needs no question.
    const BufferInfo only = opened(path(QStringLiteral("single.npz")));
    QCOMPARE(only.name, QStringLiteral("single.npz: only"));
    QCOMPARE(only.shape, (QList<qint64>{3, 4}));
    // Of several one is chosen, by its name, type and shape.
    panel_->openFile(path(QStringLiteral("stored.npz")));
    QInputDialog* dialog = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((dialog = panel_->findChild<QInputDialog*>()), patience);
    QVERIFY(dialog->comboBoxItems().contains(QStringLiteral("big — int32, 5")));
    QVERIFY(dialog->comboBoxItems().contains(QStringLiteral("one — float64, one number")));
    dialog->setTextValue(QStringLiteral("big — int32, 5"));
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty())
        dialog->grab().save(folder + QStringLiteral("/choose-array.png"));
    const int rows = panel_->list()->rowCount();
    dialog->accept();
    QTRY_COMPARE_WITH_TIMEOUT(panel_->list()->rowCount(), rows + 1, patience);
    const BufferInfo big = panel_->list()->buffers().last();
    QCOMPARE(big.name, QStringLiteral("stored.npz: big"));
    // Saved, it is an archive again, whose array has the buffer's name.
    QSignalSpy told(panel_->saver(), &BufferSaver::message);
    panel_->saver()->save(panel_->source(), big, path(QStringLiteral("again.npz")));
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, patience);
    const BufferInfo again = opened(path(QStringLiteral("again.npz")));
    QCOMPARE(again.shape, (QList<qint64>{5}));
    // A damaged one is a message.
    QFile damaged(path(QStringLiteral("damaged.npz")));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write(contents(path(QStringLiteral("stored.npz"))).left(1000));
    damaged.close();
    QSignalSpy status(workbench_.get(), &Workbench::statusMessage);
    panel_->openFile(damaged.fileName());
    QTRY_COMPARE_WITH_TIMEOUT(status.size(), 1, patience);
    QVERIFY2(status[0][0].toString().contains(QStringLiteral("cut short")), qPrintable(status[0][0].toString()));
}

/// In the file dialog: the kind is chosen, and a name is typed where there is one.
static void answerSaving(Qt::Key kind, const QString& name) {
    QTimer::singleShot(0, qApp, [kind, name] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        QTest::keyClick(dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo")), kind);
        if (!name.isEmpty()) dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(name);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
        if (dialog->isVisible()) dialog->reject();
    });
}

void TestViews::savingAsTheChosenKind() {
    const std::vector<std::int32_t> values{1, -2, 3, 4, 5, 6};
    const BufferInfo info = opened(array(QStringLiteral("kinds.npy"), {2, 3}, values));
    QVERIFY(info.isValid());
    const QByteArray raw(reinterpret_cast<const char*>(values.data()), qsizetype(values.size() * 4));
    QSignalSpy told(panel_->saver(), &BufferSaver::message);
    const auto save = [&](Qt::Key kind, const QString& name) {
        told.clear();
        answerSaving(kind, name);
        panel_->saver()->ask(panel_->source(), info, path(QStringLiteral(".")));
        return QTest::qWaitFor([&] { return told.size() == 1; }, patience);
    };
    QVERIFY(save(Qt::Key_End, QStringLiteral("plain")));
    QCOMPARE(contents(path(QStringLiteral("plain.bin"))), raw);
    QVERIFY(!QFile::exists(path(QStringLiteral("plain.npy"))));
    QVERIFY(save(Qt::Key_End, {})); // the proposed name
    QCOMPARE(contents(path(QStringLiteral("kinds.bin"))), raw);

    // A file that gets its ending from the kind is not replaced unasked.
    QString question;
    answerSaving(Qt::Key_End, {}); // kinds.bin again
    QTimer asked;
    connect(&asked, &QTimer::timeout, this, [&] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            question = box->text();
            box->button(QMessageBox::No)->click();
        }
    });
    asked.start(20);
    panel_->saver()->ask(panel_->source(), info, path(QStringLiteral(".")));
    QVERIFY2(question.contains(QStringLiteral("kinds.bin")), qPrintable(question));
    QVERIFY(!panel_->saver()->isSaving());
}

/// A sound that was opened is saved at its own rate, unless another one is given.
void TestViews::soundsKeepTheirRate() {
    try {
        formats::check_can_write("x.wav");
    } catch (const FileError&) {
        QSKIP("libsndfile is not installed");
    }
    QVERIFY(QFile::copy(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/formats/stereo.wav"),
                        path(QStringLiteral("stereo.wav"))));
    const BufferInfo info = opened(path(QStringLiteral("stereo.wav")));
    QCOMPARE(info.rate, 8000);
    QSignalSpy told(panel_->saver(), &BufferSaver::message);
    const auto save = [&](int wanted) {
        told.clear();
        answerSaving(Qt::Key_Home, QStringLiteral("again.wav"));
        QTimer asked;
        connect(&asked, &QTimer::timeout, this, [&] {
            if (auto* box = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                if (wanted) box->setIntValue(wanted);
                box->accept();
            } else if (auto* replace = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                replace->button(QMessageBox::Yes)->click();
            }
        });
        asked.start(20);
        panel_->saver()->ask(panel_->source(), info, path(QStringLiteral(".")));
        return QTest::qWaitFor([&] { return told.size() == 1; }, patience);
    };
    const auto rate = [&] { return formats::sound_rate(path(QStringLiteral("again.wav")).toStdString()); };
    QVERIFY(save(0));
    QCOMPARE(rate(), 8000);
    QVERIFY(save(96000));
    QCOMPARE(rate(), 96000);
}

void TestViews::plotValues() {
    QVERIFY(opened(array<double>(QStringLiteral("p.npy"), {4}, {0.5, 1, -2, 8})).isValid());
    panel_->tabs()->setCurrentIndex(BuffersPanel::PlotTab);
    PlotPage& page = *panel_->plot();
    QTRY_COMPARE_WITH_TIMEOUT(page.data(0).minimum.size(), qsizetype(4), patience);
    QCOMPARE(page.exportButton()->save(path(QStringLiteral("p.csv"))), QString());
    QCOMPARE(contents(path(QStringLiteral("p.csv"))),
             QByteArray("from index,to index,p.npy min,p.npy max\n0,0,0.5,0.5\n1,1,1,1\n2,2,-2,-2\n3,3,8,8\n"));
}

/// Any two axes at any index of the others, on each page; the choice stays for a buffer of the same shape.
void TestViews::slices() {
    std::vector<std::int32_t> values(4 * 5 * 6), others(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = int(i);
        others[i] = -int(i);
    }
    const BufferInfo first = opened(array(QStringLiteral("v.npy"), {4, 5, 6}, values));
    const BufferInfo second = opened(array(QStringLiteral("w.npy"), {4, 5, 6}, others));
    QVERIFY(first.isValid() && second.isValid());
    panel_->setCurrentBuffer(first.id);
    ViewBar& bar = *panel_->viewBar();
    QVERIFY(bar.isVisible() && !bar.isDerived());
    bar.setSliced(true);
    bar.setAxes(2, 0); // rows along the last axis, columns along the first
    bar.setIndex(1, 3);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().shape, (QList<qint64>{6, 4}), patience);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().name, QStringLiteral("v.npy [:, 3, :]"), patience);
    BufferTableModel& table = panel_->table()->grid()->model();
    QTRY_COMPARE_WITH_TIMEOUT(table.index(5, 2).data().toString(), QString::number((2 * 5 + 3) * 6 + 5), patience);
    panel_->table()->goTo(9);
    bar.setIndex(1, 4);
    QTRY_COMPARE_WITH_TIMEOUT(table.index(5, 2).data().toString(), QString::number((2 * 5 + 4) * 6 + 5), patience);
    QCOMPARE(panel_->table()->grid()->currentIndex(), qint64(9));
    shoot(QStringLiteral("slice"));
    panel_->tabs()->setCurrentIndex(BuffersPanel::ImageTab);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->image()->image().size(), QSize(4, 6), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!panel_->image()->view()->sample().values.isEmpty(), patience);
    QCOMPARE(panel_->image()->view()->sample().values.last(), float((3 * 5 + 4) * 6 + 5));
    panel_->tabs()->setCurrentIndex(BuffersPanel::PlotTab);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->plot()->data(0).count, qint64(24), patience);
    // The other buffer, in the same slice.
    panel_->setCurrentBuffer(second.id);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().name, QStringLiteral("w.npy [:, 4, :]"), patience);
    panel_->tabs()->setCurrentIndex(BuffersPanel::TableTab);
    QTRY_COMPARE_WITH_TIMEOUT(table.index(5, 2).data().toString(), QString::number(-((2 * 5 + 4) * 6 + 5)), patience);
    // An axis cannot be both.
    bar.setAxes(0, 0);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().shape, (QList<qint64>{6, 4}), patience);
    QSignalSpy told(panel_->saver(), &BufferSaver::message);
    panel_->saver()->save(panel_->source(), bar.shown(), path(QStringLiteral("slice.csv")));
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, patience);
    QVERIFY(contents(path(QStringLiteral("slice.csv"))).startsWith("-24,-54,-84,-114\n"));
    bar.setSliced(false);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().id, second.id, patience);
}

void TestViews::complexParts() {
    const std::vector<float> pairs{3, 4, -5, 0, 0, -2};
    QVERIFY(opened(array(QStringLiteral("c.npy"), {3, 2}, pairs)).isValid());
    ViewBar& bar = *panel_->viewBar();
    QVERIFY(bar.isVisible());
    BufferTableModel& table = panel_->table()->grid()->model();
    const auto shows = [&](int part, const QStringList& texts) {
        bar.setPart(part);
        return QTest::qWaitFor(
            [&] {
                for (int i = 0; i < texts.size(); ++i)
                    if (table.index(0, i).data().toString() != texts[i]) return false;
                return true;
            },
            patience);
    };
    QVERIFY(shows(0, {QStringLiteral("3"), QStringLiteral("4")}));
    QVERIFY(shows(1, {QStringLiteral("3+4i"), QStringLiteral("-5+0i"), QStringLiteral("0-2i")}));
    QVERIFY(shows(2, {QStringLiteral("3"), QStringLiteral("-5"), QStringLiteral("0")}));
    QVERIFY(shows(3, {QStringLiteral("4"), QStringLiteral("0"), QStringLiteral("-2")}));
    QVERIFY(shows(4, {QStringLiteral("5"), QStringLiteral("5"), QStringLiteral("2")}));
    QVERIFY(shows(5, {QStringLiteral("0.927295"), QStringLiteral("3.14159"), QStringLiteral("-1.5708")}));
    shoot(QStringLiteral("complex"));
}

WARPLIGHT_UI_TEST_MAIN(TestViews)
#include "test_views.moc"
