// SPDX-License-Identifier: GPL-3.0-or-later
// A report of a run as a web page and as PDF, and a session as a program, from the window.
#include "window_fixture.hpp"

#include "ui/export/export_dialog.hpp"
#include "ui/export/page_document.hpp"
#include "ui/mainwindow/guide_dialog.hpp"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextFrame>
#include <QTimer>

using namespace warplight;
using namespace warplight::ui;

class TestExport : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestExport(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() {
        openWindow();
        workerIsReady();
    }
    void cleanup() { closeWindow(); }

    void reportOfARun();
    void reportThatCannotBeWritten();
    void pageOnPaper();
    void programOfASession();
    void programThatCannotBeMade();
    void unsavedSessionIsSavedFirst();
    void guideHasSections();

private:
    QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

void TestExport::reportOfARun() {
    NEEDS_DEVICE;
    QVERIFY(openExample(QStringLiteral("mandelbrot")));
    QVERIFY(!window_->findAction(QStringLiteral("file.exportReport"))->isEnabled());
    QVERIFY(run());
    QVERIFY(window_->findAction(QStringLiteral("file.exportReport"))->isEnabled());
    const QString html = home_.path(QStringLiteral("report.html")), pdf = home_.path(QStringLiteral("report.pdf"));
    window_->writeReport(html);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(html), patience);
    const QByteArray page = contentOf(html);
    QVERIFY(page.contains("<h2>Results</h2>"));
    QVERIFY(page.contains("data:image/png"));
    QTRY_VERIFY(banner("report").contains(QStringLiteral("report.html")));
    window_->writeReport(pdf);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(pdf), patience);
    QVERIFY(contentOf(pdf).startsWith("%PDF-"));
    QVERIFY(contentOf(pdf).trimmed().endsWith("%%EOF"));
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty())
        QVERIFY(QFile::copy(pdf, folder + QStringLiteral("/report.pdf")));
}

void TestExport::reportThatCannotBeWritten() {
    NEEDS_DEVICE;
    QVERIFY(openExample(QStringLiteral("saxpy")));
    QVERIFY(run());
    window_->writeReport(home_.path(QStringLiteral("no folder/report.html")));
    QTRY_VERIFY_WITH_TIMEOUT(banner("file").contains(QStringLiteral("cannot be written")), patience);
    QCOMPARE(window_->document().runs().size(), std::size_t{1}); // nothing is lost
}

/// The pages as they are printed, for people who want to see them.
void TestExport::pageOnPaper() {
    history::Run run;
    run.entry.title = "A title";
    run.document.source.text = "__global__ void k() {}\n";
    run.report.times.kernel_ms = {1, 2, 3, 4, 5, 6};
    run.report.times.htod_ms = run.report.times.dtoh_ms = {1, 1, 1, 1, 1, 1};
    session::ReportOutput output;
    output.name = "c";
    output.dtype = "float32";
    output.shape = {40, 60};
    run.report.outputs.push_back(output);
    auto array = NdArray::zeros({40, 60}, DType::float32());
    for (std::size_t i = 0; i < array.size(); ++i)
        array.set_item(i, double(i % 60) * double(i / 60));
    PageDocument document(run, {{0, worker::view_of(array, 48, 512, {})}}, QStringLiteral("monospace"));
    QVERIFY(document.toPlainText().contains(QStringLiteral("A title")));
    QVERIFY(document.toPlainText().contains(QStringLiteral("__global__ void k() {}")));
    document.setTextWidth(700);
    QImage image(700, int(document.size().height()), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    document.drawContents(&painter);
    painter.end();
    // The dots of the chart, and the picture's brightest corner.
    int blue = 0, yellow = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor colour = image.pixelColor(x, y);
            blue += colour == QColor(38, 110, 190);
            yellow += colour == QColor(253, 231, 37);
        }
    QVERIFY2(blue > 30, qPrintable(QString::number(blue)));
    QVERIFY2(yellow > 9, qPrintable(QString::number(yellow)));
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty())
        QVERIFY(image.save(folder + QStringLiteral("/page.png")));
}

void TestExport::programOfASession() {
    NEEDS_DEVICE;
    QVERIFY(openExample(QStringLiteral("saxpy")));
    ExportDialog dialog(window_->document().path(), {});
    dialog.show();
    auto* format = dialog.findChild<QComboBox*>(QStringLiteral("exportFormat"));
    format->setCurrentIndex(format->findData(QStringLiteral("cpp-driver")));
    const QString folder = home_.path(QStringLiteral("exported"));
    dialog.findChild<QLineEdit*>(QStringLiteral("exportFolder"))->setText(folder);
    if (const QString pictures = qEnvironmentVariable("WARPLIGHT_PICTURES"); !pictures.isEmpty())
        QVERIFY(dialog.grab().save(pictures + QStringLiteral("/export.png")));
    auto* said = dialog.findChild<QLabel*>(QStringLiteral("exportSaid"));
    const QList<QPushButton*> buttons = dialog.findChildren<QPushButton*>();
    const auto start =
        std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* b) { return b->isDefault(); });
    QVERIFY(start != buttons.end());
    (*start)->click();
    QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), patience);
    QVERIFY2(QFile::exists(folder + QStringLiteral("/CMakeLists.txt")), qPrintable(said->text()));
    QVERIFY(said->text().contains(QStringLiteral("run it there")));
    if (const QString pictures = qEnvironmentVariable("WARPLIGHT_PICTURES"); !pictures.isEmpty())
        QVERIFY(dialog.grab().save(pictures + QStringLiteral("/exported.png")));
}

void TestExport::programThatCannotBeMade() {
    const QString path = write(QStringLiteral("wrong/wrong.warplight"),
                               R"({"warplight": 1, "source": "missing.cu", "kernel": "k", "arguments": []})");
    ExportDialog dialog(path, {});
    dialog.show();
    dialog.findChild<QLineEdit*>(QStringLiteral("exportFolder"))->setText(home_.path(QStringLiteral("not exported")));
    auto* said = dialog.findChild<QLabel*>(QStringLiteral("exportSaid"));
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->isDefault()) button->click();
    QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), patience);
    QVERIFY2(said->text().contains(QStringLiteral("missing.cu")), qPrintable(said->text()));
    QVERIFY(!QFile::exists(home_.path(QStringLiteral("not exported"))));
}

void TestExport::unsavedSessionIsSavedFirst() {
    QVERIFY(openExample(QStringLiteral("saxpy")));
    window_->document().modify(QStringLiteral("change"), [](session::Session& s) { s.repeat = 7; });
    bool asked = false;
    QTimer::singleShot(0, window_.get(), [&] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            asked = box->objectName() == QLatin1String("saveBeforeExport");
            box->button(QMessageBox::Cancel)->click();
        }
    });
    trigger("file.exportProgram");
    QVERIFY(asked);
    QVERIFY(window_->document().isModified()); // and nothing was done
}

void TestExport::guideHasSections() {
    trigger("help.guide");
    auto* guide = window_->findChild<GuideDialog*>();
    QVERIFY(guide);
    auto* sections = guide->findChild<QListWidget*>();
    QVERIFY(sections->count() > 5);
    auto* text = guide->findChild<QTextBrowser*>();
    for (int row = 0; row < sections->count(); ++row) {
        sections->setCurrentRow(row);
        QVERIFY(text->toPlainText().startsWith(sections->item(row)->text()));
    }
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty())
        QVERIFY(guide->grab().save(folder + QStringLiteral("/guide.png")));
    guide->close();
}

WARPLIGHT_UI_TEST_MAIN(TestExport)
#include "test_export.moc"
