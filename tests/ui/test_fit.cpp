// SPDX-License-Identifier: GPL-3.0-or-later
// What panels show is whole: at any zoom, with a large font of the desktop, in a narrow window.
// WARPLIGHT_PICTURES=FOLDER takes pictures, to be looked at.
#include "window_fixture.hpp"

#include "ui/common/folders.hpp"
#include "ui/common/theme.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/function/attributes_model.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QDockWidget>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTreeView>
#include <qcustomplot.h>

using namespace warplight;
using namespace warplight::ui;

class TestFit : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestFit(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() { openWindow(); }
    void cleanup();
    void sidesAreWholeWithALargeFont();
    void sidesAreWholeAtEveryZoom();
    void theExplorerComesBack();
    void namesOfAttributesAreWhole();
    void rowsGrowWithTheText();
    void theMeaningLeavesItsAttributeInSight();
    void numbersAtAxesStandApart();
    void bannersAreWholeInANarrowWindow();

private:
    void zoomTo(int steps);
    void close();
    void photograph(const QString& name);
    QDockWidget* dock(const char* name) const { return window_->findChild<QDockWidget*>(name); }
    QScrollArea* scroll(const char* name) const { return static_cast<QScrollArea*>(dock(name)->widget()); }
    /// Why something of the dock lies beyond its sides; empty when all is there.
    QString cut(const char* name) const;
};

void TestFit::close() {
    zoomTo(0);
    trigger("view.theme.light");
    closeWindow();
    // The next window is a first start again.
    QFile::remove(configFolder() + "/warplight/warplight.ini");
}

void TestFit::cleanup() { close(); }

void TestFit::zoomTo(int steps) {
    trigger("view.zoomReset");
    if (steps != 0) {
        window_->workbench().theme().setZoom(steps - 1); // near it at once
        trigger("view.zoomIn");
    }
    QTest::qWait(200);
}

void TestFit::photograph(const QString& name) {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    for (const char* theme : {"light", "dark"}) {
        trigger((QByteArray("view.theme.") + theme).constData());
        QTest::qWait(200);
        QVERIFY(window_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(theme))));
    }
    trigger("view.theme.light");
}

QString TestFit::cut(const char* name) const {
    QString found;
    const QScrollArea* area = scroll(name);
    if (const int beyond = area->horizontalScrollBar()->maximum(); beyond > 0)
        found = QStringLiteral("%1: %2 of %3 pixels are beyond the side, in a window of %4")
                    .arg(QLatin1String(name))
                    .arg(beyond)
                    .arg(area->widget()->width())
                    .arg(window_->width());
    return found;
}

void TestFit::sidesAreWholeWithALargeFont() {
    const QFont before = QApplication::font();
    close();
    QFont large = before;
    large.setPointSizeF(12);
    QApplication::setFont(large);
    openWindow();
    QTest::qWait(200);
    QVERIFY(dock("explorer")->isVisible()); // there is room for both
    for (const char* name : {"explorer", "launch"})
        QTRY_VERIFY2(cut(name).isEmpty(), qPrintable(cut(name)));
    QVERIFY(openExample("blur"));
    QTest::qWait(200);
    photograph("font-12");
    for (const char* name : {"explorer", "launch"})
        QTRY_VERIFY2(cut(name).isEmpty(), qPrintable(cut(name)));
    close();
    QApplication::setFont(before);
    openWindow();
}

void TestFit::sidesAreWholeAtEveryZoom() {
    QVERIFY(openExample("blur"));
    for (const int zoom : {0, 4, 7, 2, 0}) {
        zoomTo(zoom);
        photograph(QStringLiteral("sides-%1").arg(zoom));
        QTRY_VERIFY2(cut("launch").isEmpty(), qPrintable(QString::number(zoom) + ' ' + cut("launch")));
        if (dock("explorer")->isVisible())
            QTRY_VERIFY2(cut("explorer").isEmpty(), qPrintable(QString::number(zoom) + ' ' + cut("explorer")));
        // Not at the cost of the code.
        const int letter = QFontMetrics(QApplication::font()).averageCharWidth();
        const int code = window_->centralWidget()->width();
        QVERIFY2(code > 30 * letter, qPrintable(QStringLiteral("%1: %2").arg(zoom).arg(code)));
    }
}

void TestFit::theExplorerComesBack() {
    QTest::qWait(100);
    QVERIFY(dock("explorer")->isVisible());
    zoomTo(7);
    QVERIFY(!dock("explorer")->isVisible());
    zoomTo(0);
    QVERIFY(dock("explorer")->isVisible());
    // Also over the end of the program.
    const QFont font = QApplication::font();
    zoomTo(7);
    closeWindow();
    QApplication::setFont(font); // as another program finds it
    openWindow();
    QTest::qWait(100);
    QVERIFY(!dock("explorer")->isVisible());
    zoomTo(0);
    QVERIFY(dock("explorer")->isVisible());
    // One that somebody has closed stays away.
    dock("explorer")->close();
    zoomTo(7);
    zoomTo(0);
    QVERIFY(!dock("explorer")->isVisible());
}

void TestFit::namesOfAttributesAreWhole() {
    NEEDS_DEVICE;
    QVERIFY(openExample("blur"));
    workerIsReady();
    QVERIFY(run());
    QVERIFY(isCompiled());
    window_->showPanel("function");
    auto* view = window_->panel<FunctionPanel>().findChild<QTreeView*>();
    for (const int zoom : {0, 2, 7}) {
        zoomTo(zoom);
        photograph(QStringLiteral("function-%1").arg(zoom));
        int names = 0;
        for (int group = 0; group < view->model()->rowCount(); ++group) {
            const QModelIndex parent = view->model()->index(group, 0);
            for (int row = 0; row < view->model()->rowCount(parent); ++row, ++names) {
                const QModelIndex name = view->model()->index(row, AttributesModel::Name, parent);
                const QString text = name.data().toString();
                const int room = view->columnWidth(AttributesModel::Name) - 2 * view->indentation();
                QVERIFY2(view->fontMetrics().horizontalAdvance(text) + 4 <= room,
                         qPrintable(QStringLiteral("zoom %1: %2").arg(zoom).arg(text)));
            }
        }
        QVERIFY(names > 10);
    }
}

void TestFit::rowsGrowWithTheText() {
    QVERIFY(openExample("blur"));
    auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
    QTRY_VERIFY(table->model()->rowCount() > 0);
    for (const int zoom : {0, 4, 7}) {
        zoomTo(zoom);
        QVERIFY2(table->rowHeight(0) >= table->fontMetrics().height() + Theme::half,
                 qPrintable(QStringLiteral("zoom %1: %2 for text of %3")
                                .arg(zoom)
                                .arg(table->rowHeight(0))
                                .arg(table->fontMetrics().height())));
    }
}

void TestFit::theMeaningLeavesItsAttributeInSight() {
    NEEDS_DEVICE;
    workerIsReady();
    ExplorerPanel& explorer = window_->panel<ExplorerPanel>();
    QTRY_VERIFY_WITH_TIMEOUT(!explorer.devicesModel().devices().empty(), patience);
    window_->showNormal();
    window_->resize(1100, 700);
    window_->showPanel("explorer");
    auto* tree = explorer.findChild<QTreeView*>();
    tree->expandAll();
    QTest::qWait(200);
    const auto meaning = [&]() -> const QLabel* {
        for (const auto* label : explorer.findChildren<QLabel*>())
            if (label->accessibleName() == QLatin1String("What the attribute means")) return label;
        return nullptr;
    };
    QVERIFY(meaning());
    // The last attribute of those that can be seen, as a click takes it.
    QTRY_VERIFY(tree->indexAt(QPoint(60, tree->viewport()->height() - 4)).isValid());
    const QModelIndex last = tree->indexAt(QPoint(60, tree->viewport()->height() - 4));
    QVERIFY(last.isValid() && last.data(DevicesModel::KindRole).toInt() == DevicesModel::AttributeKind);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(last).topLeft() + QPoint(4, 4));
    QTest::qWait(100);
    photograph("meaning");
    QVERIFY(meaning()->isVisible());
    QCOMPARE(tree->currentIndex().siblingAtColumn(0), last.siblingAtColumn(0));
    QVERIFY(tree->viewport()->rect().contains(tree->visualRect(tree->currentIndex())));
    // Of what is folded away nothing is told, until it is there again.
    const QModelIndex device = last.parent();
    tree->collapse(device);
    QVERIFY(!meaning()->isVisible());
    tree->expand(device);
    QCOMPARE(meaning()->isVisible(), tree->currentIndex().data(DevicesModel::MeaningRole).isValid());
}

void TestFit::numbersAtAxesStandApart() {
    NEEDS_DEVICE;
    QVERIFY(openExample("saxpy"));
    workerIsReady();
    QVERIFY(run());
    window_->showPanel("timing");
    QTest::qWait(100);
    QCustomPlot* plot = nullptr;
    for (auto* each : window_->panel<TimingPanel>().findChildren<QCustomPlot*>())
        if (each->accessibleName() == QLatin1String("Histogram of the times")) plot = each;
    QVERIFY(plot);
    for (const int zoom : {0, 4, 7}) {
        zoomTo(zoom);
        for (const auto& [low, high] : {std::pair{13.41, 14.83}, {0.0021, 0.00287}, {101.5, 12345.5}, {7, 7.9}}) {
            plot->xAxis->setRange(low, high);
            plot->replot();
            const QFontMetrics metrics(plot->xAxis->tickLabelFont());
            const QVector<double> ticks = plot->xAxis->tickVector();
            const QVector<QString> labels = plot->xAxis->tickVectorLabels();
            QVERIFY(!ticks.isEmpty() && ticks.size() == labels.size());
            for (int i = 1; i < ticks.size(); ++i) {
                const double apart = plot->xAxis->coordToPixel(ticks[i]) - plot->xAxis->coordToPixel(ticks[i - 1]);
                const double needed =
                    (metrics.horizontalAdvance(labels[i]) + metrics.horizontalAdvance(labels[i - 1])) / 2.0;
                QVERIFY2(apart >= needed + 4, qPrintable(QStringLiteral("zoom %1, %2 wide: %3")
                                                             .arg(zoom)
                                                             .arg(plot->width())
                                                             .arg(QStringList(labels).join(' '))));
            }
        }
        photograph(QStringLiteral("timing-%1").arg(zoom));
    }
}

void TestFit::bannersAreWholeInANarrowWindow() {
    window_->showNormal();
    window_->banners().show("run", BannerStack::Kind::Error, "The kernel failed",
                            "The kernel faulty failed: an illegal memory access was encountered "
                            "(CUDA_ERROR_ILLEGAL_ADDRESS, 700). Out of bounds: 4 bytes before x, float32[1024].",
                            {{"Show problems", {}}, {"Run again", {}}});
    for (const int zoom : {0, 4, 7}) {
        zoomTo(zoom);
        for (const int width : {1000, 520}) {
            window_->resize(width, window_->height());
            QTest::qWait(200);
            photograph(QStringLiteral("banner-%1-%2").arg(zoom).arg(width));
            const BannerStack& banners = window_->banners();
            const auto* banner = banners.findChild<QWidget*>("banner");
            const QString state = QStringLiteral("zoom %1, %2 wide: banner of %3 in %4")
                                      .arg(zoom)
                                      .arg(width)
                                      .arg(banner->width())
                                      .arg(banners.viewport()->width());
            QVERIFY2(banner->width() <= banners.viewport()->width(), qPrintable(state));
            const auto* text = banner->findChild<QLabel*>("text");
            for (const QString& word : text->text().split(QRegularExpression("[\\s\u200b]")))
                QVERIFY2(text->fontMetrics().horizontalAdvance(word) <= text->width(), qPrintable(state + ' ' + word));
            QVERIFY(banner->rect().contains(text->geometry()));
            QVERIFY(banners.text("run").contains("(CUDA_ERROR_ILLEGAL_ADDRESS, 700)"));
        }
    }
}

int main(int argc, char** argv) {
    TestHome home;
    const auto application = home.applicationOnScreen(argc, argv, TestHome::screenSize());
    if (!application) return 1;
    TestFit test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_fit.moc"
