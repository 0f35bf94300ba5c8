// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, bytes, plots, pictures and comparisons of buffers, on data in memory.
#include "views_memory_source.hpp"

#include "session/session.hpp"
#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffer_scan.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/buffers/compare_page.hpp"
#include "ui/buffers/export_button.hpp"
#include "ui/buffers/frames_page.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/hex_view.hpp"
#include "ui/buffers/histogram_page.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/mismatch_model.hpp"
#include "ui/buffers/plane_box.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/raw_dialog.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/common/colour_map.hpp"
#include "ui/common/format.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryFile>
#include <QTest>
#include <QToolButton>
#include <qcustomplot.h>

using namespace warplight;
using namespace warplight::ui;
using Tester = QAbstractItemModelTester;

class ViewsBuffers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void elementTypes() {
        QCOMPARE(ElementType::fromName(u"float32").kind, ElementKind::Float32);
        QCOMPARE(ElementType::fromName(u"<i8").kind, ElementKind::Int64);
        QCOMPARE(ElementType::fromName(u"|u1").size, 1);
        QCOMPARE(ElementType::fromName(u"[('a','<i4')]", 12).size, 12);
        QVERIFY(!ElementType::fromName(u"object", 8).isNumeric());
        const quint64 big = 18446744073709551615ULL;
        QCOMPARE(ElementType(ElementKind::UInt64).toText(reinterpret_cast<const char*>(&big)),
                 QStringLiteral("18446744073709551615"));
        const float zero = -0.0F;
        QCOMPARE(ElementType(ElementKind::Float32).toText(reinterpret_cast<const char*>(&zero)), QStringLiteral("-0"));
        const qint16 negative = -2;
        QCOMPARE(ElementType(ElementKind::Int16)
                     .toText(reinterpret_cast<const char*>(&negative), {NumberBase::Hexadecimal, 6}),
                 QStringLiteral("0xfffe"));
    }

    void halves_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<double>("value");
        QTest::newRow("one") << 0x3c00 << 1.0;
        QTest::newRow("largest") << 0x7bff << 65504.0;
        QTest::newRow("least") << 0x0001 << std::ldexp(1.0, -24);
        QTest::newRow("negative") << 0xc500 << -5.0;
        QTest::newRow("infinite") << 0xfc00 << -std::numeric_limits<double>::infinity();
    }
    void halves() {
        QFETCH(int, bits);
        QFETCH(double, value);
        QCOMPARE(halfToDouble(quint16(bits)), value);
    }

    void tableModel() {
        MemorySource source;
        QList<qint32> values;
        for (int i = 0; i < 21; ++i)
            values << i * i;
        const BufferInfo info = source.add(QStringLiteral("x"), BufferRole::Output, {21}, ElementKind::Int32, values);
        BufferTableModel model;
        Tester tester(&model, Tester::FailureReportingMode::QtTest);
        model.setBuffer(&source, info);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.columnCount(), 8);
        QCOMPARE(model.index(1, 2).data().toString(), QStringLiteral("…"));
        QTRY_COMPARE(model.index(1, 2).data().toString(), QStringLiteral("100"));
        // Past the end of the last row there is nothing, and it cannot be chosen.
        QVERIFY(!model.index(2, 7).data().isValid());
        QCOMPARE(model.flags(model.index(2, 7)), Qt::NoItemFlags);
        QCOMPARE(model.headerData(1, Qt::Vertical).toString(), QStringLiteral("8"));
        model.setWrapColumns(5);
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.index(4, 0).data().toString(), QStringLiteral("400"));
        model.setFormat({NumberBase::Hexadecimal, 6});
        QCOMPARE(model.index(4, 0).data().toString(), QStringLiteral("0x00000190"));
        model.setBuffer(&source, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void slices() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("v"), BufferRole::File, {3, 4, 5, 6}, [](qint64 i) { return float(i); });
        BufferTableModel model;
        Tester tester(&model, Tester::FailureReportingMode::QtTest);
        model.setBuffer(&source, info);
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(model.columnCount(), 6);
        model.setSlice({2, 1});
        QCOMPARE(model.flatIndex(model.index(3, 4)), qint64(((2 * 4 + 1) * 5 + 3) * 6 + 4));
        QTRY_COMPARE(model.index(3, 4).data(BufferTableModel::ValueRole).toDouble(), 292.0);
        const QModelIndex cell = model.reveal(100);
        QCOMPARE(model.flatIndex(cell), qint64(100));
        QCOMPARE(model.positionText(100), QStringLiteral("[0, 3, 1, 4]"));
        model.setSlice({7, 0}); // not there: ignored
        QCOMPARE(model.slice(), (QList<qint64>{0, 3}));
    }

    /// Each row has its number, in whole: the style once left no room for it.
    void rowsAreNumbered() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("a"), BufferRole::Output, {64}, [](qint64 i) { return float(i); });
        const Theme theme;
        BufferGrid grid;
        grid.setStyleSheet(styleSheet(theme.colours(), grid.font()));
        grid.resize(900, 400);
        grid.show();
        grid.model().setBuffer(&source, info);
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        QHeaderView* numbers = grid.table()->verticalHeader();
        const QImage image = numbers->viewport()->grab().toImage();
        const int top = numbers->sectionViewportPosition(1), height = numbers->sectionSize(1);
        int first = height, last = 0; // lines of the row with parts of the number 8, above the border
        for (int y = 0; y < height - 1; ++y)
            for (int x = 1; x < image.width() - 2; ++x)
                if (image.pixelColor(x, top + y) != image.pixelColor(0, top + y)) {
                    first = std::min(first, y);
                    last = std::max(last, y);
                }
        const int digit = QFontMetrics(numbers->font()).tightBoundingRect(QStringLiteral("8")).height();
        QVERIFY2(last - first + 1 >= digit - 1,
                 qPrintable(QStringLiteral("%1 of %2 pixels").arg(last - first + 1).arg(digit)));
    }

    void hugeTableScrolls() {
        MemorySource source;
        const qint64 count = 6000000000LL; // 24 GB of float32
        const BufferInfo info =
            source.add(QStringLiteral("huge"), BufferRole::Output, {count}, [](qint64 i) { return float(i % 1000); });
        BufferGrid grid;
        grid.resize(900, 400);
        grid.show();
        QElapsedTimer timer;
        timer.start();
        grid.model().setBuffer(&source, info);
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        QVERIFY2(timer.elapsed() < 2000, "a huge buffer opens at once");
        QCOMPARE(grid.model().totalRows(), count / 8);
        QVERIFY(grid.model().rowCount() <= BufferTableModel::maximumRows);

        grid.goTo(count - 3);
        QCOMPARE(grid.currentIndex(), count - 3);
        QTRY_COMPARE(grid.table()->currentIndex().data().toString(), QString::number((count - 3) % 1000));
        QCOMPARE(grid.model().headerData(grid.table()->currentIndex().row(), Qt::Vertical).toString(),
                 QString::number((count - 3) / 8 * 8));

        // The bar counts rows of the whole; the middle of the bar is the middle of the buffer.
        grid.scrollBar()->setValue(grid.scrollBar()->maximum() / 2);
        QVERIFY(std::abs(grid.topRow() - count / 16) < 1000);
        grid.scrollBar()->setValue(0);
        QCOMPARE(grid.topRow(), qint64(0));

        // The cursor goes on where the window of the model ends.
        const qint64 edge = qint64(BufferTableModel::maximumRows) * 8 - 8;
        grid.goTo(edge);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(grid.table(), Qt::Key_Down);
        QCOMPARE(grid.currentIndex(), edge + 40);
        QTest::keyClick(grid.table(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(grid.currentIndex(), count - 1);

        QTest::qWait(50);
        QVERIFY2(source.elementsRead < 4000000, "only what is looked at is read");
        QVERIFY(grid.model().pages().cachedBytes() <= BufferPages::cacheBytes);
    }

    void failedReadIsShown() {
        MemorySource source;
        source.failure = QStringLiteral("the file was cut off");
        const BufferInfo info = source.add(QStringLiteral("x"), BufferRole::File, {100}, [](qint64) { return 1.0F; });
        BufferTableModel model;
        QSignalSpy failed(&model.pages(), &BufferPages::failed);
        model.setBuffer(&source, info);
        model.index(0, 0).data();
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("✕"));
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), source.failure);
        QCOMPARE(source.reads, qint64(1)); // asked once, not at every paint
    }

    void copyAsText() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("m"), BufferRole::Output, {300, 40}, [](qint64 i) { return float(i); });
        BufferGrid grid;
        grid.model().setBuffer(&source, info);
        grid.table()->selectionModel()->select(QItemSelection(grid.model().index(200, 1), grid.model().index(201, 3)),
                                               QItemSelectionModel::Select);
        QSignalSpy told(&grid, &BufferGrid::message);
        grid.copySelection();
        QTRY_COMPARE(told.size(), 1);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("8001\t8002\t8003\n8041\t8042\t8043"));
    }

    void indices() {
        QCOMPARE(TablePage::parseIndex(QStringLiteral("17"), {4, 5}), qint64(17));
        QCOMPARE(TablePage::parseIndex(QStringLiteral("[3, 4]"), {4, 5}), qint64(19));
        QCOMPARE(TablePage::parseIndex(QStringLiteral("4, 0"), {4, 5}), qint64(-1));
        QCOMPARE(TablePage::parseIndex(QStringLiteral("20"), {4, 5}), qint64(-1));
        QCOMPARE(TablePage::parseIndex(QStringLiteral("1, 2, 3"), {4, 5}), qint64(-1));
        QCOMPARE(TablePage::parseIndex(QStringLiteral("abc"), {4, 5}), qint64(-1));
        QCOMPARE(HexPage::parseOffset(QStringLiteral("0x10"), 3, 100), qint64(16));
        QCOMPARE(HexPage::parseOffset(QStringLiteral("-2"), 3, 100), qint64(1));
        QCOMPARE(HexPage::parseOffset(QStringLiteral("+97"), 3, 100), qint64(-1));
    }

    void findAndStatistics() {
        MemorySource source;
        const qint64 bad = 700001;
        const BufferInfo info = source.add(QStringLiteral("x"), BufferRole::Output, {1000000}, [](qint64 i) {
            return i == bad ? std::numeric_limits<float>::quiet_NaN() : float(i % 10);
        });
        Theme theme;
        TablePage page(theme);
        QSignalSpy told(&page, &TablePage::message);
        page.setBuffer(&source, info);
        QTRY_VERIFY(page.statisticsText().contains(QStringLiteral("NaN 1")));
        QVERIFY(page.statisticsText().contains(QStringLiteral("max 9")));
        page.find(true);
        QTRY_COMPARE(page.grid()->currentIndex(), bad);
        page.find(true);
        QTRY_COMPARE(told.size(), 1); // no other one
        page.goTo(bad + 5000);
        page.find(false);
        QTRY_COMPARE(page.grid()->currentIndex(), bad);
        page.findBox()->setCurrentIndex(page.findBox()->findText(QStringLiteral("Value")));
        page.findValue()->setText(QStringLiteral("7"));
        page.find(true);
        QTRY_COMPARE(page.grid()->currentIndex(), qint64(700007));
    }

    void scanBackwardsOverPieces() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("x"), BufferRole::File, {2000000}, [](qint64 i) { return i == 3 ? 1.0F : 0.0F; });
        BufferScan scan;
        QSignalSpy finished(&scan, &BufferScan::finished);
        qint64 visited = 0;
        scan.start(&source, info, {}, 1999999, false, [&](qint64, const char* bytes, const char*) {
            ++visited;
            return info.type.toDouble(bytes) != 0;
        });
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(finished[0][0].toLongLong(), qint64(3));
        QCOMPARE(visited, qint64(1999997));
        scan.start(&source, info, {}, 0, true, [](qint64, const char*, const char*) { return false; });
        scan.cancel();
        QTest::qWait(20);
        QCOMPARE(finished.size(), 1);
    }

    void hexLines() {
        MemorySource source;
        QList<quint8> bytes;
        for (int i = 0; i < 40; ++i)
            bytes << quint8(i + 0x30);
        const BufferInfo info = source.add(QStringLiteral("b"), BufferRole::File, {40}, ElementKind::UInt8, bytes);
        HexView view;
        view.resize(900, 300);
        view.setBuffer(&source, info);
        QCOMPARE(view.lineCount(), qint64(3));
        view.lineText(1);
        QTRY_COMPARE(view.lineText(1), QStringLiteral("00000010  40 41 42 43 44 45 46 47  48 49 4A 4B 4C 4D 4E 4F "
                                                      " @ABCDEFGHIJKLMNO"));
        QVERIFY(view.lineText(2).startsWith(QStringLiteral("00000020  50 51 52 53 54 55 56 57     ")));
        view.goTo(39);
        QCOMPARE(view.cursor(), qint64(39));
        view.show();
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.cursor(), qint64(32));
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(view.cursor(), qint64(16));
    }

    void hexPaintsAtOffsets() {
        MemorySource source;
        const qint64 count = 4000000000LL;
        const BufferInfo info = source.add(QStringLiteral("huge"), BufferRole::Output, {count},
                                           [](qint64 i) { return i >= 3000000000LL ? 0.0F : 1.0F; });
        HexView view;
        view.resize(900, 320);
        view.setLook({Qt::black, Qt::gray, Qt::white, Qt::gray, Qt::blue, Qt::white, Qt::white},
                     QFont(QStringLiteral("DejaVu Sans Mono")));
        view.show();
        view.setBuffer(&source, info);
        view.goTo(12000000000LL - 16); // the last line of ones, and zeros after it
        const qint64 line = view.cursor() / 16;
        QVERIFY(view.topLine() <= line && line < view.topLine() + 40);
        QTRY_VERIFY(view.lineText(line).startsWith(QStringLiteral("2CB4177F0  00 00 80 3F")));
        const QImage before = view.grab().toImage();
        view.goTo(0);
        QTRY_VERIFY(view.lineText(0).startsWith(QStringLiteral("000000000  00 00 80 3F")));
        QVERIFY(view.grab().toImage() != before);
        QVERIFY(source.elementsRead < 200000);
    }

    void inspector() {
        InspectorModel model;
        Tester tester(&model, Tester::FailureReportingMode::QtTest);
        const auto value = [&](const QString& type) {
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.index(row, 0).data().toString() == type) return model.index(row, 1).data().toString();
            return QString();
        };
        model.setBytes(QByteArray::fromHex("0000803f00000040"));
        QCOMPARE(value(QStringLiteral("float32")), QStringLiteral("1"));
        QCOMPARE(value(QStringLiteral("complex64")), QStringLiteral("1+2i"));
        QCOMPARE(value(QStringLiteral("int32")), QStringLiteral("1065353216"));
        QCOMPARE(value(QStringLiteral("complex128")), QStringLiteral("–")); // not enough bytes
        model.setBigEndian(true);
        QCOMPARE(value(QStringLiteral("uint32")), QStringLiteral("32831"));
        model.setBytes(QByteArray::fromHex("3f80000040000000"));
        QCOMPARE(value(QStringLiteral("complex64")), QStringLiteral("1+2i"));
    }

    void plotFollowsRange() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("x"), BufferRole::Output, {1000000}, [](qint64 i) { return float(i); });
        Theme theme;
        PlotPage page(theme);
        page.resize(800, 300);
        page.setSeries(&source, {{info, Qt::blue}});
        QTRY_VERIFY(!page.data(0).minimum.isEmpty());
        QCOMPARE(page.data(0).count, qint64(1000000));
        QVERIFY(page.data(0).minimum.size() <= 4096);
        page.showRange(500000, 500010);
        QTRY_VERIFY(page.data(0).count < 20);
        QCOMPARE(page.data(0).minimum.size(), qsizetype(page.data(0).count));
        page.setCrosshair(500004);
        QVERIFY2(page.readout().contains(QStringLiteral("500004")), qPrintable(page.readout()));
    }

    void histogramOfSummary() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("x"), BufferRole::Output, {6400}, [](qint64 i) { return float(i); });
        Theme theme;
        HistogramPage page(theme);
        page.setBuffer(&source, info, Qt::blue);
        QTRY_COMPARE(page.histogram().counts, QList<qint64>(64, 100));
        page.setRange(HistogramPage::Percent98); // such a source counts all values only
        QTRY_VERIFY(!page.isCounting() && page.histogram().counts.isEmpty());
        QVERIFY2(page.counts().contains(QStringLiteral("worker")), qPrintable(page.counts()));
        page.setBuffer(nullptr, {}, Qt::blue);
        QCOMPARE(page.counts(), QStringLiteral("Choose a buffer."));
    }

    void histogramAfterStop() {
        MemorySource source;
        const BufferInfo info =
            source.add(QStringLiteral("x"), BufferRole::Output, {6400}, [](qint64 i) { return float(i); });
        Theme theme;
        HistogramPage page(theme);
        page.setBuffer(&source, info, Qt::blue);
        QVERIFY(page.isCounting());
        for (QToolButton* button : page.findChildren<QToolButton*>())
            if (button->accessibleName() == QLatin1String("Stop counting")) button->click();
        QVERIFY(!page.isCounting());
        QVERIFY2(page.counts().contains(QStringLiteral("Choose a range")), qPrintable(page.counts()));
        page.show();
        auto* range = page.findChild<QComboBox*>();
        range->showPopup();
        QTest::keyClick(range->view(), Qt::Key_Return); // the range that is chosen already
        QVERIFY(page.isCounting());
        QTRY_COMPARE(page.histogram().counts, QList<qint64>(64, 100));
    }

    /// Each has more bytes than the page keeps.
    void framesLargerThanTheCache() {
        MemorySource source;
        const qint64 elements = 25 * 1024 * 1024;
        const BufferInfo info = source.add(QStringLiteral("x"), BufferRole::Frames, {2, elements},
                                           [](qint64 i) { return float(i >= elements); });
        Theme theme;
        FramesPage page(theme);
        page.resize(600, 300);
        page.setVisible(true);
        page.setFrames(&source, info, {0, 10});
        const QCPGraph* curve = page.findChild<QCustomPlot*>()->graph(0);
        QTRY_VERIFY_WITH_TIMEOUT(curve->dataCount() > 0, 30000);
        QCOMPARE(curve->dataMainValue(0), 0.0);
        page.setFrame(1);
        QTRY_COMPARE_WITH_TIMEOUT(curve->dataMainValue(0), 1.0, 30000);
        const qint64 reads = source.reads;
        QTest::qWait(500);
        QCOMPARE(source.reads, reads);
    }

    void imageShapes() {
        BufferInfo info;
        info.id = 1;
        info.type = ElementType(ElementKind::UInt8);
        info.shape = {48, 64, 3};
        ImageShape shape = ImageShape::of(info);
        QCOMPARE(shape.channels, 3);
        QCOMPARE(shape.width, qint64(64));
        info.shape = {5, 48, 64};
        shape = ImageShape::of(info);
        QCOMPARE(shape.channels, 1);
        QCOMPARE(shape.planes, qint64(5));
        info.shape = {4, 4};
        QVERIFY(ImageShape::of(info).isValid());
        info.shape = {64};
        QVERIFY(!ImageShape::of(info).isValid());
    }

    /// What the axes of a texture are is known, whatever their lengths.
    void imageShapesOfTextures_data() {
        using session::TextureKind;
        QTest::addColumn<QList<qint64>>("shape");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QList<qint64>>("image"); // planes, height, width, channels
        const auto row = [](const char* name, const QList<qint64>& shape, TextureKind kind,
                            const QList<qint64>& image) { QTest::newRow(name) << shape << int(kind) << image; };
        row("a volume that looks like colours", {2, 8, 4}, TextureKind::d3, {2, 8, 4, 1});
        row("a volume of colours", {2, 8, 4, 4}, TextureKind::d3, {2, 8, 4, 4});
        row("pairs", {8, 16, 2}, TextureKind::d2, {1, 8, 16, 2});
        row("small colours", {3, 2, 4}, TextureKind::d2, {1, 3, 2, 4});
        row("a line", {16}, TextureKind::d1, {1, 1, 16, 1});
        row("a line of colours", {16, 4}, TextureKind::d1, {1, 1, 16, 4});
        row("lines", {3, 16}, TextureKind::layered_d1, {1, 3, 16, 1});
        row("layers", {5, 8, 3}, TextureKind::layered_d2, {5, 8, 3, 1});
        row("a cubemap", {6, 4, 4, 2}, TextureKind::cubemap, {6, 4, 4, 2});
        row("cubemaps", {2, 6, 8, 8}, TextureKind::layered_cubemap, {12, 8, 8, 1});
    }
    void imageShapesOfTextures() {
        QFETCH(QList<qint64>, shape);
        QFETCH(int, kind);
        QFETCH(QList<qint64>, image);
        BufferInfo info;
        info.id = 1;
        info.type = ElementType(ElementKind::Float32);
        info.shape = shape;
        const ImageShape is = ImageShape::of(info, session::TextureKind(kind));
        QCOMPARE((QList<qint64>{is.planes, is.height, is.width, is.channels}), image);
    }

    void planesOfTexturesHaveNames() {
        PlaneBox box;
        box.setPlanes(6, session::TextureKind::cubemap);
        box.setValue(3);
        QCOMPARE(box.text(), QString("Face -y"));
        box.setPlanes(12, session::TextureKind::layered_cubemap);
        box.setValue(8);
        QCOMPARE(box.text(), QString("Cube 1, +y"));
        box.findChild<QLineEdit*>()->setText("1 -z");
        box.interpretText();
        QCOMPARE(box.value(), 11);
        box.setPlanes(4, session::TextureKind::layered_d2);
        box.stepUp();
        QCOMPARE(box.text(), QString("Layer 1"));
        box.setPlanes(4, {});
        QCOMPARE(box.text(), QString("Plane 0"));
    }

    void imageShowsPixels() {
        MemorySource source;
        QList<quint8> bytes;
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 30; ++x)
                bytes << quint8(x * 8) << quint8(y * 12) << quint8(200);
        const BufferInfo info =
            source.add(QStringLiteral("rgb"), BufferRole::Output, {20, 30, 3}, ElementKind::UInt8, bytes);
        Theme theme;
        ImagePage page(theme);
        page.resize(500, 400);
        page.show();
        page.setBuffer(&source, info);
        QTRY_VERIFY(!page.image().isNull());
        QCOMPARE(page.image().size(), QSize(30, 20));
        QCOMPARE(page.image().pixelColor(10, 5), QColor(80, 60, 200));
        page.canvas()->setCursorPixel({10, 5});
        QCOMPARE(page.readout(), QStringLiteral("[5, 10] = 80, 60, 200"));
    }

    void coloursAndValues() {
        MemorySource source;
        const BufferInfo info = source.add(QStringLiteral("m"), BufferRole::Output, {10, 10}, [](qint64 i) {
            return i == 99 ? 1000.0F : i == 98 ? std::numeric_limits<float>::infinity() : float(i) - 30;
        });
        Theme theme;
        ImagePage page(theme);
        page.resize(600, 200);
        page.show();
        page.setBuffer(&source, info);
        QTRY_VERIFY(!page.image().isNull());
        const auto range = [&] { return QPair(page.view()->range().low, page.view()->range().high); };
        QCOMPARE(range(), QPair(-30.0, 1000.0));
        page.rangeBox()->setCurrentIndex(ColourRange::Percentiles); // one that stands out takes no colours
        QCOMPARE(range(), QPair(-28.0, 66.0));
        page.rangeBox()->setCurrentIndex(ColourRange::Symmetric);
        page.mapBox()->setCurrentIndex(ColourMap::Diverging);
        QCOMPARE(range(), QPair(-1000.0, 1000.0));
        QCOMPARE(page.image().pixel(0, 3), ColourMap(ColourMap::Diverging).at(0.5)); // the value 0
        QCOMPARE(page.image().pixelColor(8, 9), theme.colours().error);
        page.setManualRange(-10, 30);
        QCOMPARE(range(), QPair(-10.0, 30.0));
        QCOMPARE(page.image().pixel(0, 0), ColourMap(ColourMap::Diverging).at(0));
        // Colours that everyone can order: each is brighter than the one before.
        for (const ColourMap::Name name : {ColourMap::Viridis, ColourMap::Cividis})
            for (int i = 1; i <= 16; ++i)
                QVERIFY(qGray(ColourMap(name).at(i / 16.0)) > qGray(ColourMap(name).at((i - 1) / 16.0)));
        // Pixels that are large enough have their values in them.
        QVERIFY(!page.canvas()->showsValues());
        const QImage before = page.canvas()->grab().toImage();
        page.resize(600, 500);
        page.canvas()->zoom(3, page.canvas()->rect().center());
        QVERIFY(page.canvas()->scale() <= ImageCanvas::largestScale);
        QVERIFY(page.canvas()->showsValues());
        QTRY_VERIFY(page.view()->sample().columns < 10);
        QVERIFY(page.canvas()->grab().toImage() != before);
        const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
        if (!folder.isEmpty()) page.grab().save(folder + QStringLiteral("/image-values.png"));
        page.canvas()->fit();
        QTRY_COMPARE(page.view()->sample().columns, 10);
        page.exportButton()->copyValues();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("-30\t-29\t-28\t")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), qsizetype(10));
    }

    void picturesBesideEachOther() {
        MemorySource source;
        const auto ramp = [](qint64 i) { return float(i); };
        const BufferInfo one = source.add(QStringLiteral("one"), BufferRole::Output, {40, 40}, ramp);
        const BufferInfo two = source.add(QStringLiteral("two"), BufferRole::Expected, {40, 40},
                                          [](qint64 i) { return float(i) + (i == 41 ? 100.0F : 0.0F); });
        const BufferInfo other = source.add(QStringLiteral("other"), BufferRole::File, {40, 41}, ramp);
        Theme theme;
        ImagePage page(theme);
        page.resize(800, 400);
        page.show();
        page.setBuffer(&source, one, two);
        QVERIFY(page.beside()->isVisible());
        QTRY_VERIFY(!page.image().isNull() && !page.beside()->image().isNull());
        QTRY_COMPARE(page.beside()->range().high, 1599.0);
        QCOMPARE(page.beside()->image().pixel(5, 5), page.image().pixel(5, 5));
        QVERIFY(page.beside()->image().pixel(1, 1) != page.image().pixel(1, 1));
        page.canvas()->zoom(4, QPointF(10, 10));
        QCOMPARE(page.beside()->canvas()->scale(), page.canvas()->scale());
        QTRY_COMPARE(page.beside()->sample().region, page.view()->sample().region);
        page.beside()->canvas()->setCursorPixel({1, 1});
        QCOMPARE(page.canvas()->cursorPixel(), QPoint(1, 1));
        QTRY_COMPARE(page.readout(), QStringLiteral("[1, 1] = 41   141"));
        const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
        if (!folder.isEmpty()) page.grab().save(folder + QStringLiteral("/image-beside.png"));
        page.setBuffer(&source, one, other); // not of the same size
        QVERIFY(!page.beside()->isVisible());
    }

    void largeImageIsSampled() {
        MemorySource source;
        const BufferInfo info = source.add(QStringLiteral("map"), BufferRole::Output, {40000, 30000},
                                           [](qint64 i) { return float(i / 30000); });
        Theme theme;
        ImagePage page(theme);
        page.resize(300, 240);
        page.show();
        page.setBuffer(&source, info);
        QTRY_VERIFY_WITH_TIMEOUT(!page.image().isNull(), 20000);
        QVERIFY(page.image().width() <= 400);
        QVERIFY2(source.elementsRead < 40000LL * 30000 / 20, "rows in between are left out");
        QCOMPARE(page.image().pixelColor(0, 0), QColor(ColourMap(ColourMap::Viridis).at(0)));
        BufferInfo flat = source.add(QStringLiteral("line"), BufferRole::Output, {10}, [](qint64) { return 0.0F; });
        page.setBuffer(&source, flat);
        QVERIFY(page.isShowingNote());
    }

    void rules() {
        const ElementType type(ElementKind::Float32);
        const float nan = std::numeric_limits<float>::quiet_NaN(), one = 1.0F, near = 1.00001F;
        const auto bytes = [](const float& value) { return reinterpret_cast<const char*>(&value); };
        QVERIFY((CompareRule{0, 0}.matches(type, bytes(nan), type, bytes(nan))));
        QVERIFY((!CompareRule{1, 1}.matches(type, bytes(nan), type, bytes(one))));
        QVERIFY((!CompareRule{0, 0}.matches(type, bytes(near), type, bytes(one))));
        QVERIFY((CompareRule{1e-4, 0}.matches(type, bytes(near), type, bytes(one))));
        const qint64 a = 9007199254740993LL, b = 9007199254740992LL; // the same as doubles
        const ElementType wide(ElementKind::Int64);
        QVERIFY((!CompareRule{0, 0}.matches(wide, reinterpret_cast<const char*>(&a), wide,
                                            reinterpret_cast<const char*>(&b))));
    }

    void compareLists() {
        MemorySource source;
        const BufferInfo actual = source.add(QStringLiteral("y"), BufferRole::Output, {1000, 1000}, [](qint64 i) {
            return i == 500123 ? 9.0F : i == 999999 ? 4.0F : 1.0F;
        });
        const BufferInfo expected =
            source.add(QStringLiteral("y"), BufferRole::Expected, {1000, 1000}, [](qint64) { return 1.0F; });
        Theme theme;
        ComparePage page(theme);
        Tester tester(page.model(), Tester::FailureReportingMode::QtTest);
        QSignalSpy finished(&page, &ComparePage::finished);
        page.setBuffers(&source, {actual, expected}, actual.id, expected.id);
        page.compare();
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY2(page.resultText().contains(QStringLiteral("2 of %1 elements").arg(formatCount(1000000))),
                 qPrintable(page.resultText()));
        QCOMPARE(page.model()->rowCount(), 2);
        QCOMPARE(page.model()->index(0, MismatchModel::Position).data().toString(), QStringLiteral("[500, 123]"));
        QCOMPARE(page.model()->index(0, MismatchModel::Absolute).data().toString(), QStringLiteral("8"));
        QSignalSpy wanted(&page, &ComparePage::indexRequested);
        page.step(true);
        page.step(true);
        page.setTolerances(0, 10);
        page.compare();
        QTRY_COMPARE(finished.size(), 2);
        QVERIFY(page.resultText().contains(QStringLiteral("match")));
        QCOMPARE(page.model()->rowCount(), 0);
    }

    void panelShowsReport() {
        MemorySource source;
        const BufferInfo output =
            source.add(QStringLiteral("y"), BufferRole::Output, {64}, [](qint64 i) { return float(i); });
        const BufferInfo should =
            source.add(QStringLiteral("expected.npy"), BufferRole::File, {64}, [](qint64 i) { return float(i); });
        Workbench workbench;
        BuffersPanel panel(workbench, nullptr, &source);
        Tester tester(panel.list(), Tester::FailureReportingMode::QtTest);
        QVERIFY(panel.isShowingEmptyNote());
        warplight::session::Report report;
        warplight::session::ReportOutput y;
        y.name = "y";
        y.direction = "out";
        y.dtype = "float32";
        y.shape = {64};
        y.bytes = 256;
        y.buffer = output.id;
        report.outputs.push_back(y);
        warplight::session::Comparison comparison;
        comparison.argument = "y";
        comparison.expected = "/data/expected.npy";
        comparison.passed = true;
        comparison.elements = 64;
        report.comparisons.push_back(comparison);
        workbench.document().addRun(report, 0);
        QVERIFY(!panel.isShowingEmptyNote());
        QTRY_COMPARE(panel.list()->rowCount(), 2);
        QCOMPARE(panel.currentBuffer().id, output.id);
        panel.tabs()->setCurrentIndex(BuffersPanel::CompareTab);
        QCOMPARE(panel.compare()->expectedId(), should.id);
        QTRY_VERIFY(panel.compare()->resultText().contains(QStringLiteral("All 64 elements match")));
        panel.openFile(QStringLiteral("/data/expected.npy"));
        QTRY_COMPARE(panel.list()->rowCount(), 3);
    }

    /// Two results of one name, such as a parameter and a variable: each has its own expectation.
    void expectationsAreOfArguments() {
        MemorySource source;
        Workbench workbench;
        BuffersPanel panel(workbench, nullptr, &source);
        warplight::session::Report report;
        QList<qint64> ids;
        for (int index = 0; index < 2; ++index) {
            const BufferInfo output = source.add(QStringLiteral("y"), BufferRole::Output, {4},
                                                 [index](qint64 i) { return float(i + index); });
            source.add(QStringLiteral("right%1.npy").arg(index), BufferRole::File, {4},
                       [index](qint64 i) { return float(i + index); });
            ids << output.id;
            warplight::session::ReportOutput y;
            y.index = index;
            y.name = "y";
            y.direction = "out";
            y.dtype = "float32";
            y.shape = {4};
            y.bytes = 16;
            y.buffer = output.id;
            report.outputs.push_back(y);
            warplight::session::Comparison comparison;
            comparison.index = index;
            comparison.argument = "y";
            comparison.expected = index ? "/data/right1.npy" : "/data/right0.npy";
            comparison.passed = true;
            comparison.elements = 4;
            report.comparisons.push_back(comparison);
        }
        workbench.document().addRun(report, 0);
        QTRY_COMPARE(panel.list()->rowCount(), 4);
        panel.tabs()->setCurrentIndex(BuffersPanel::CompareTab);
        for (const qint64 id : std::as_const(ids)) {
            panel.setCurrentBuffer(id);
            QTRY_VERIFY2(panel.compare()->resultText().contains(QStringLiteral("All 4 elements match")),
                         qPrintable(panel.compare()->resultText()));
        }
        QVERIFY(panel.compare()->expectedId() > ids.last());
    }

    void rawFiles() {
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write(QByteArray(1000, 'x'));
        file.flush();
        RawDialog dialog(file.fileName());
        QVERIFY(dialog.isValid());
        QCOMPARE(dialog.offset(), qint64(0));
        auto edits = dialog.findChildren<QLineEdit*>();
        edits[0]->setText(QStringLiteral("25, 10"));
        QVERIFY(dialog.isValid());
        QCOMPARE(dialog.shape(), (QList<qint64>{25, 10}));
        edits[0]->setText(QStringLiteral("26, 10"));
        QVERIFY(!dialog.isValid());
        edits[0]->setText(QStringLiteral("9000000000, 9000000000, 9000000000"));
        QVERIFY(!dialog.isValid());
        edits[0]->clear();
        edits[1]->setText(QStringLiteral("1001"));
        QVERIFY(!dialog.isValid());
    }
};

QTEST_MAIN(ViewsBuffers)
#include "views_buffers.moc"
