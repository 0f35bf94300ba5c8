// SPDX-License-Identifier: GPL-3.0-or-later
// The window on small screens, at high density and at every zoom. WARPLIGHT_TEST_SCREEN=1366x768 is the screen,
// QT_SCALE_FACTOR its density; with WARPLIGHT_PICTURES=FOLDER every state is photographed, to be looked at.
#include "window_fixture.hpp"

#include "ui/common/elided_box.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/folders.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/theme.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

using namespace warplight;
using namespace warplight::ui;

namespace {

/// Rows of a picture in which something stands out from its first pixel.
int writtenRows(const QImage& image) {
    int rows = 0;
    for (int y = 0; y < image.height(); ++y) {
        bool written = false;
        for (int x = 0; x < image.width() && !written; ++x)
            written = std::abs(image.pixelColor(x, y).lightness() - image.pixelColor(0, 0).lightness()) > 60;
        rows += written;
    }
    return rows;
}

/// Text that is shown as dots, or as less than two letters of it.
bool isOnlyDots(const QString& text, const QString& shown) {
    return shown != text && text.size() > 3 && shown.size() < 3;
}

} // namespace

class TestLayout : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestLayout(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() { openWindow(); }
    void cleanup();
    void theFirstStartFitsTheScreen();
    void docksKeepToThemselves();
    void headingsGrowWithTheText();
    void bannersShowAllTheySay();
    void aNarrowWindowCutsNoChoice();
    void largeNumbersAreNotCut();
    void picturesOfEveryState();

private:
    void zoomTo(int steps);
    void runExample();
    void checkLayout(int zoom, const char* name);
    void checkBanner(const QString& state);
    QRect inWindow(const QWidget* widget) const { return {widget->mapTo(window_.get(), QPoint()), widget->size()}; }
    QList<QDockWidget*> shownDocks() const;
    QStringList dots() const;
    QStringList cutFields() const;
    void photograph(const QString& name);
};

void TestLayout::cleanup() {
    zoomTo(0);
    trigger("view.theme.light");
    // The next window is a first start again.
    closeWindow();
    QFile::remove(configFolder() + "/warplight/warplight.ini");
}

void TestLayout::zoomTo(int steps) {
    trigger("view.zoomReset");
    if (steps != 0) {
        // Near it at once: each step lays the whole window out again.
        window_->workbench().theme().setZoom(steps > 0 ? steps - 1 : steps + 1);
        trigger(steps > 0 ? "view.zoomIn" : "view.zoomOut");
    }
    QTest::qWait(100);
    // What is larger than the screen is taken back, a step at a time.
    const auto& theme = window_->workbench().theme();
    for (int before = theme.zoom() + 1; theme.zoom() < before;) {
        before = theme.zoom();
        QTest::qWait(100);
    }
}

void TestLayout::runExample() {
    QVERIFY(openExample("blur"));
    if (TestHome::hasDevice()) {
        workerIsReady();
        QVERIFY(run());
        QVERIFY(isCompiled());
    }
    QTest::qWait(200);
}

QList<QDockWidget*> TestLayout::shownDocks() const {
    QList<QDockWidget*> docks;
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>())
        if (window_->isInFront(dock)) docks << dock;
    return docks;
}

/// Whatever can be seen and says nothing.
QStringList TestLayout::dots() const {
    QStringList found;
    for (const auto* label : window_->findChildren<QLabel*>())
        if (const auto* elided = dynamic_cast<const ElidedLabel*>(label); elided && elided->isVisible())
            if (!elided->shownText().isEmpty() && isOnlyDots(elided->text(), elided->shownText()))
                found << elided->text();
    for (auto* view : window_->findChildren<QAbstractItemView*>()) {
        if (!view->isVisible() || view->visibleRegion().isEmpty() || !view->model() || qobject_cast<QHeaderView*>(view))
            continue;
        for (auto* header : view->findChildren<QHeaderView*>()) {
            if (header->orientation() != Qt::Horizontal || !header->isVisible()) continue;
            for (int i = 0; i < header->count(); ++i) {
                if (header->isSectionHidden(i)) continue;
                const QString text = header->model()->headerData(i, Qt::Horizontal).toString();
                const int width = header->sectionSize(i) - 2 * header->style()->pixelMetric(QStyle::PM_HeaderMargin);
                if (isOnlyDots(text, header->fontMetrics().elidedText(text, Qt::ElideRight, width)))
                    found << view->accessibleName() + " header: " + text;
            }
        }
        for (int row = 0; row < std::min(50, view->model()->rowCount(view->rootIndex())); ++row)
            for (int column = 0; column < view->model()->columnCount(view->rootIndex()); ++column) {
                const QModelIndex index = view->model()->index(row, column, view->rootIndex());
                const QRect rect = view->visualRect(index);
                const QString text = index.data().toString();
                if (text.isEmpty() || rect.isEmpty() || !view->viewport()->rect().intersects(rect)) continue;
                if (view->textElideMode() == Qt::ElideNone) continue;
                const int picture = index.data(Qt::DecorationRole).isValid() ? view->iconSize().width() : 0;
                if (isOnlyDots(text,
                               view->fontMetrics().elidedText(text, view->textElideMode(), rect.width() - picture - 6)))
                    found << view->accessibleName() + ": " + text;
            }
    }
    return found;
}

/// Numbers that are not there to their last digit, and choices of which only some letters are.
QStringList TestLayout::cutFields() const {
    QStringList found;
    for (const auto* box : window_->findChildren<NumberBox*>()) {
        const auto* edit = box->findChild<QLineEdit*>();
        if (!box->isVisible()) continue;
        QStyleOptionFrame option;
        option.initFrom(edit);
        constexpr int margins = 4; // of QLineEdit around its text
        const int room = edit->style()->subElementRect(QStyle::SE_LineEditContents, &option, edit).width() - margins;
        if (edit->fontMetrics().horizontalAdvance(edit->text()) > room)
            found << box->accessibleName() + ": " + edit->text();
    }
    constexpr int fewest = 8;
    for (QComboBox* box : window_->findChildren<QComboBox*>())
        if (const auto* choice = dynamic_cast<ElidedBox*>(box); choice && choice->isVisible() && !choice->isEditable())
            if (choice->shownText() != choice->currentText() && choice->shownText().size() < fewest)
                found << choice->accessibleName() + ": " + choice->shownText();
    return found;
}

void TestLayout::photograph(const QString& name) {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QTest::qWait(200);
    QVERIFY(window_->grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

void TestLayout::theFirstStartFitsTheScreen() {
    const QRect room = window_->screen()->availableGeometry();
    qInfo() << "screen" << room << "window" << window_->geometry() << "frame" << window_->frameGeometry();
    QVERIFY(room.contains(window_->geometry()));
    // At 125 % the platform rounds each side of the frame up: 2 pixels of the screen are 1.6, and become 2.
    const double density = window_->devicePixelRatio();
    const int rounding = density == std::floor(density) ? 0 : 1;
    QVERIFY(room.width() + rounding >= window_->frameGeometry().width());
    QVERIFY(room.height() + rounding >= window_->frameGeometry().height());
    // And what is wanted first is in sight.
    for (const char* name : {"run.run", "build.build"}) {
        const QWidget* button = window_->findChild<QToolBar*>("bar")->widgetForAction(window_->findAction(name));
        QVERIFY2(button->isVisible() && window_->rect().contains(inWindow(button)), name);
    }
    photograph("first-start");
}

void TestLayout::docksKeepToThemselves() {
    runExample();
    QList<int> zooms{-6, 0, 2, 4, 7, 12, 24};
    if (window_->devicePixelRatio() != 1) zooms = {0, 4, 7}; // the others say the same on such a screen
    for (const int zoom : zooms) {
        zoomTo(zoom);
        for (const char* name : panelNames(Qt::BottomDockWidgetArea)) {
            window_->showPanel(name);
            checkLayout(zoom, name);
            if (QTest::currentTestFailed()) return;
        }
    }
}

void TestLayout::checkLayout(int zoom, const char* name) {
    const QString state = QStringLiteral("zoom %1, %2: ").arg(zoom).arg(QLatin1String(name));
    QTRY_VERIFY2(window_->isInFront(window_->findChild<QDockWidget*>(name)), qPrintable(state));
    const QSize room = window_->screen()->availableGeometry().size();
    QVERIFY2(window_->width() <= room.width() && window_->height() <= room.height(),
             qPrintable(state + QStringLiteral("%1 × %2").arg(window_->width()).arg(window_->height())));
    const QList<QDockWidget*> docks = shownDocks();
    const QRect middle = inWindow(window_->centralWidget());
    for (const QDockWidget* dock : docks) {
        const QRect place = inWindow(dock);
        const QString text = state + QStringLiteral("%1, %2 × %3 at %4, %5")
                                         .arg(dock->objectName())
                                         .arg(place.width())
                                         .arg(place.height())
                                         .arg(place.x())
                                         .arg(place.y());
        QVERIFY2(window_->rect().contains(place), qPrintable(text));
        QVERIFY2(!place.intersects(middle), qPrintable(text));
        QVERIFY2(place.bottom() < inWindow(window_->statusBar()).top(), qPrintable(text));
        QVERIFY2(dock->widget()->height() >= 32, qPrintable(text));
        for (const QDockWidget* other : docks)
            if (other != dock) QVERIFY2(!place.intersects(inWindow(other)), qPrintable(text + other->objectName()));
    }
    QVERIFY2(middle.width() >= 90 && middle.height() >= 60, qPrintable(state + QString::number(middle.height())));
    if (zoom > 7) return;
    // At 200 % all of it can still be read and pressed.
    QTRY_VERIFY2(dots().isEmpty(), qPrintable(state + dots().join("; ")));
    QVERIFY2(cutFields().isEmpty(), qPrintable(state + cutFields().join("; ")));
    auto* bar = window_->findChild<QToolBar*>("bar");
    for (const char* action : {"run.run", "run.stop"})
        QVERIFY2(window_->rect().contains(inWindow(bar->widgetForAction(window_->findAction(action)))),
                 qPrintable(state + QLatin1String(action)));
}

void TestLayout::headingsGrowWithTheText() {
    const auto titleRows = [&] {
        for (QDockWidget* dock : shownDocks())
            if (dock->objectName() == QLatin1String("launch")) {
                const QImage title = dock->grab(QRect(0, 0, dock->width() / 2, dock->widget()->y() - 2)).toImage();
                return writtenRows(title) / title.devicePixelRatio();
            }
        return 0.0;
    };
    const auto cardTitle = [&] {
        const auto labels = window_->findChildren<QLabel*>();
        for (const QLabel* label : labels)
            if (label->text().startsWith(QLatin1String("SAXPY"))) return label->fontMetrics().height();
        return 0;
    };
    QTest::qWait(100);
    const double rows = titleRows(), card = cardTitle();
    QVERIFY2(rows > 4 && card > 8, qPrintable(QString::number(rows)));
    zoomTo(7); // 195 %
    QTest::qWait(100);
    QVERIFY2(titleRows() > 1.6 * rows, qPrintable(QStringLiteral("%1, was %2").arg(titleRows()).arg(rows)));
    QVERIFY2(cardTitle() > 1.6 * card, qPrintable(QStringLiteral("%1, was %2").arg(cardTitle()).arg(card)));
}

void TestLayout::bannersShowAllTheySay() {
    window_->showNormal();
    window_->banners().show("run", BannerStack::Kind::Error, "The kernel failed",
                            "The kernel faulty failed: an illegal memory access was encountered "
                            "(CUDA_ERROR_ILLEGAL_ADDRESS, 700). Out of bounds: 4 bytes before x, float32[1024].\n"
                            "st.global.f32 of 4 bytes in line 12 of faulty.cu, block (3, 0, 0), thread (31, 0, 0)",
                            {{"Show problems", {}}, {"Run again", {}}});
    for (const int zoom : {0, 4, 7}) {
        zoomTo(zoom);
        for (const int width : {520, 800, 1366}) {
            window_->resize(std::min(width, window_->screen()->availableGeometry().width()), window_->height());
            QTest::qWait(100);
            photograph(QStringLiteral("banner-%1-%2").arg(zoom).arg(width));
            checkBanner(QStringLiteral("zoom %1, %2 wide, ").arg(zoom).arg(width));
            if (QTest::currentTestFailed()) return;
        }
    }
}

void TestLayout::checkBanner(const QString& state) {
    QWidget* banner = window_->banners().findChild<QWidget*>("banner");
    QVERIFY(banner && banner->isVisible());
    QRegion taken;
    const auto check = [&](const QWidget* part, QSize least) {
        const QString text = state + QStringLiteral("%1: %2 × %3 at %4, %5 of %6 × %7, wants %8 × %9")
                                         .arg(part->objectName())
                                         .arg(part->width())
                                         .arg(part->height())
                                         .arg(part->x())
                                         .arg(part->y())
                                         .arg(banner->width())
                                         .arg(banner->height())
                                         .arg(least.width())
                                         .arg(least.height());
        QVERIFY2(part->width() >= least.width() && part->height() >= least.height(), qPrintable(text));
        QVERIFY2(banner->rect().contains(part->geometry()), qPrintable(text));
        QVERIFY2(!taken.intersects(part->geometry()), qPrintable(text));
        taken += part->geometry();
    };
    for (const QPushButton* button : banner->findChildren<QPushButton*>()) {
        check(button, button->sizeHint());
        if (QTest::currentTestFailed()) return;
    }
    for (const char* name : {"title", "text"}) {
        const auto* label = banner->findChild<QLabel*>(name);
        check(label, {0, label->heightForWidth(label->width())});
        if (QTest::currentTestFailed()) return;
    }
    // All of it is there: by itself, or by scrolling, for which the code leaves half of the middle or more.
    const QWidget* middle = window_->centralWidget();
    QVERIFY2(window_->banners().height() >= std::min(banner->height(), middle->height() / 2 - 1), qPrintable(state));
    QVERIFY2(window_->banners().widget()->height() >= banner->height(), qPrintable(state));
    // Sideways nobody scrolls.
    const QWidget* viewport = window_->banners().viewport();
    QVERIFY2(banner->width() <= viewport->width(),
             qPrintable(QStringLiteral("%1%2 in %3").arg(state).arg(banner->width()).arg(viewport->width())));
}

void TestLayout::aNarrowWindowCutsNoChoice() {
    runExample();
    window_->showNormal();
    const auto shown = [&] {
        QStringList all;
        for (const char* name : {"kernelBox", "deviceBox", "archBox"}) {
            const auto* box = dynamic_cast<ElidedBox*>(window_->findChild<QComboBox*>(name));
            all << (box && box->isVisible() && window_->rect().contains(inWindow(box)) ? box->shownText() : "hidden");
        }
        return all;
    };
    const QStringList whole{"blur", "Best device", "Device's arch"};
    for (const int width : {1366, 1000, 800, 680, 1366}) {
        window_->resize(std::min(width, window_->screen()->availableGeometry().width()), window_->height());
        QTest::qWait(100);
        QTRY_COMPARE(shown(), whole);
        auto* bar = window_->findChild<QToolBar*>("bar");
        for (const char* name : {"build.build", "run.run", "run.stop"})
            QVERIFY2(window_->rect().contains(inWindow(bar->widgetForAction(window_->findAction(name)))), name);
    }
}

void TestLayout::largeNumbersAreNotCut() {
    runExample();
    window_->document().modify("launch", [](session::Session& s) {
        s.launch.grid = {2147483647, 65535, 65535};
        s.launch.shared = 2 << 20;
        s.repeat = 1000000;
    });
    for (const int zoom : {0, 4, 7}) {
        zoomTo(zoom);
        QTRY_VERIFY2(cutFields().isEmpty(), qPrintable(QString::number(zoom) + ": " + cutFields().join("; ")));
    }
}

void TestLayout::picturesOfEveryState() {
    if (!qEnvironmentVariableIsSet("WARPLIGHT_PICTURES")) QSKIP("WARPLIGHT_PICTURES names no folder");
    for (const int zoom : {0, 4, 7})
        for (const char* theme : {"light", "dark"}) {
            trigger((QByteArray("view.theme.") + theme).constData());
            zoomTo(zoom);
            const QString tag = QStringLiteral("%1-%2").arg(int(100 * std::pow(1.1, zoom) + 0.5)).arg(theme);
            photograph(tag + "-welcome");
            runExample();
            for (const char* name : panelNames(Qt::BottomDockWidgetArea)) {
                window_->showPanel(name);
                photograph(tag + '-' + QLatin1String(name));
            }
            cleanup();
            init();
        }
}

int main(int argc, char** argv) {
    TestHome home;
    const auto application = home.applicationOnScreen(argc, argv, TestHome::screenSize());
    if (!application) return 1;
    TestLayout test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_layout.moc"
