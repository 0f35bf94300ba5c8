// SPDX-License-Identifier: GPL-3.0-or-later
// Views of buffers that belong together: fields of structs, formulas over several buffers, pairs of values, one cursor,
// and what differs from what is expected.
#include "views_fixture.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/compare_page.hpp"
#include "ui/buffers/difference_picture.hpp"
#include "ui/buffers/export_button.hpp"
#include "ui/buffers/formula_bar.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/hex_view.hpp"
#include "ui/buffers/histogram_page.hpp"
#include "ui/buffers/image_canvas.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/link_bar.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/scatter_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/buffers/view_bar.hpp"

#include "session/formula.hpp"
#include "warplight/struct_field.hpp"

#include <qcustomplot.h>

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeView>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>

using namespace warplight;
using namespace warplight::ui;

class TestFields : public QObject, private ViewsFixture {
    Q_OBJECT
public:
    explicit TestFields(const TestHome& home) : ViewsFixture(home) {}

private:
    struct Body {
        std::int32_t id;
        float x, y;
        double v[2];
        std::uint8_t tag[3]; // padding follows
    };
    static NdArray bodies(int count) {
        const DType place =
            struct_dtype({{"x", 0, DType::float32(), {}, false, {}}, {"y", 4, DType::float32(), {}, false, {}}}, 8);
        const DType type = struct_dtype({{"id", offsetof(Body, id), DType::int32(), {}, false, {}},
                                         {"pos", offsetof(Body, x), place, {}, false, {}},
                                         {"v", offsetof(Body, v), DType::float64(), {2}, false, {}},
                                         {"tag", offsetof(Body, tag), DType::opaque(3), {}, false, {}}},
                                        sizeof(Body));
        const NdArray array = NdArray::zeros({std::size_t(count)}, type);
        auto* body = reinterpret_cast<Body*>(array.mutable_data());
        for (int i = 0; i < count; ++i)
            body[i] = {i - 2, float(i) / 4, float(-i), {i * 0.1, i * 10.0}, {std::uint8_t(i), 0xab, 0xcd}};
        return array;
    }
    QString saved(const QString& name, const NdArray& array) {
        save_npy(path(name).toStdString(), array);
        return path(name);
    }
    BufferTableModel& cells() { return panel_->table()->grid()->model(); }
    QString cell(int row, int column) { return cells().index(row, column).data().toString(); }
    /// Two buffers of one shape are opened and compared, and their difference is shown as a picture.
    const ImageView& differenceOf(const QString& expected, const QString& actual) {
        opened(expected);
        opened(actual);
        panel_->listView()->selectionModel()->select(panel_->list()->index(panel_->list()->rowCount() - 2, 0),
                                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
        ComparePage& compare = *panel_->compare();
        show(BuffersPanel::CompareTab);
        auto* kind = compare.findChild<QComboBox*>(QStringLiteral("differenceKind"));
        if (!QTest::qWaitFor([&] { return kind->isVisible(); }, patience))
            qFatal("no picture of the difference: %s", qPrintable(compare.resultText()));
        kind->setCurrentIndex(1);
        return *compare.picture()->view();
    }
    /// The difference of this kind at a place of the picture; NaN where it does not come.
    double differenceAt(const ImageView& picture, int kind, const QPoint& place) {
        ComparePage& compare = *panel_->compare();
        const qint64 before = picture.info().id;
        compare.picture()->kindBox()->setCurrentIndex(kind);
        const bool come = QTest::qWaitFor(
            [&] {
                return picture.info().isValid() && (picture.info().id != before || kind == 0) &&
                       !picture.sample().values.isEmpty();
            },
            patience);
        return come ? picture.sample().values[place.y() * picture.sample().columns + place.x()]
                    : std::numeric_limits<double>::quiet_NaN();
    }
    /// As the user chooses it with the mouse or the keys.
    void chooseCell(int row, int column) {
        panel_->table()->grid()->table()->setCurrentIndex(cells().index(row, column));
    }
    void show(BuffersPanel::Tab tab) { panel_->tabs()->setCurrentIndex(tab); }

private slots:
    void init() { openPanel(); }
    void cleanup() { closePanel(); }

    void structs();
    void formulas();
    void selections();
    void scatter();
    void oneCursor();
    void differences();
    void differencesOfPixels();
    void differencesOfComplexNumbers();
    void structsThatDiffer();
};

/// A column for each number of a struct; a field can be looked at, and kept, as a buffer.
void TestFields::structs() {
    QVERIFY(opened(saved(QStringLiteral("bodies.npy"), bodies(60))).isStructs());
    QCOMPARE(cells().columnCount(), 6);
    QCOMPARE(cells().rowCount(), 60);
    const QStringList names{QStringLiteral("id"),   QStringLiteral("pos.x"), QStringLiteral("pos.y"),
                            QStringLiteral("v[0]"), QStringLiteral("v[1]"),  QStringLiteral("tag")};
    for (int column = 0; column < 6; ++column)
        QCOMPARE(cells().headerData(column, Qt::Horizontal).toString(), names[column]);
    const QString tip = cells().headerData(4, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("float64")) && tip.contains(QString::number(offsetof(Body, v) + 8)),
             qPrintable(tip));
    QTRY_COMPARE_WITH_TIMEOUT(cell(7, 0), QStringLiteral("5"), patience);
    QCOMPARE(cell(7, 1), QStringLiteral("1.75"));
    QCOMPARE(cell(7, 2), QStringLiteral("-7"));
    QCOMPARE(cell(7, 4), QStringLiteral("70"));
    QCOMPARE(cell(7, 5), QStringLiteral("07 ab cd"));
    // A value is searched for in the column of the cursor.
    chooseCell(0, 4);
    panel_->table()->findBox()->setCurrentIndex(3);
    panel_->table()->findValue()->setText(QStringLiteral("330"));
    panel_->table()->find(true);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->table()->grid()->currentIndex(), qint64(33), patience);
    shoot(QStringLiteral("structs"));

    ViewBar& bar = *panel_->viewBar();
    bar.setField(QStringLiteral("v[]"));
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().shape, (QList<qint64>{60, 2}), patience);
    QTRY_COMPARE_WITH_TIMEOUT(cell(9, 1), QStringLiteral("90"), patience);
    bar.setField(QStringLiteral("pos.y"));
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().name, QStringLiteral("bodies.npy.pos.y"), patience);
    show(BuffersPanel::HistogramTab);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->histogram()->histogram().minimum, -59.0, patience);
    const int rows = panel_->list()->rowCount();
    panel_->keepShown();
    QCOMPARE(panel_->list()->rowCount(), rows + 1);
    const BufferInfo kept = panel_->currentBuffer();
    QCOMPARE(kept.role, BufferRole::View);
    QCOMPARE(kept.name, QStringLiteral("bodies.npy.pos.y"));
    panel_->setCurrentBuffer(panel_->list()->buffers().first().id);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().id, panel_->list()->buffers().first().id, patience);
    bar.setField(QStringLiteral("pos.y"));
    QTRY_VERIFY_WITH_TIMEOUT(bar.isDerived() && bar.shown().id != kept.id, patience);
    panel_->setCurrentBuffer(kept.id);
    show(BuffersPanel::PlotTab);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->plot()->data(0).minimum.value(41), -41.0, patience);
}

/// Columns and buffers by formulas over buffers of one size. What is wrong is said beside the formula.
void TestFields::formulas() {
    if (!session::has_formulas()) QSKIP("no formulas in this build");
    const std::vector<float> x{1, 2, 3, 4, 5, 6}, y{10, 20, 30, 40, 50, 60};
    QVERIFY(opened(array(QStringLiteral("in-x.npy"), {6}, x)).isValid());
    QVERIFY(opened(array<float>(QStringLiteral("short.npy"), {5}, {1, 2, 3, 4, 5})).isValid());
    QVERIFY(opened(array(QStringLiteral("y.npy"), {6}, y)).isValid());
    FormulaBar& bar = *panel_->table()->formulaBar();
    const auto add = [&](const QString& name, const QString& formula) {
        bar.nameEdit()->setText(name);
        bar.formulaEdit()->setText(formula);
        bar.accept();
    };
    QCOMPARE(cells().columnCount(), 6); // wrapped
    panel_->table()->addColumn();
    QVERIFY(bar.isVisible());
    add(QStringLiteral("d"), QStringLiteral("y - 2*in_x + n + short"));
    QTRY_VERIFY2_WITH_TIMEOUT(bar.problem().contains(QStringLiteral("short")), qPrintable(bar.problem()), patience);
    add(QStringLiteral("d"), QStringLiteral("y - 2*("));
    QTRY_VERIFY2_WITH_TIMEOUT(bar.problem().contains(QStringLiteral("not closed")), qPrintable(bar.problem()),
                              patience);
    shoot(QStringLiteral("formula-problem"));
    QCOMPARE(cells().columnCount(), 6);
    add(QStringLiteral("d"), QStringLiteral("y - 2*in_x + n"));
    QTRY_COMPARE_WITH_TIMEOUT(cells().columnCount(), 2, patience);
    QVERIFY(!bar.isVisible());
    for (int i = 0; i < 6; ++i)
        QTRY_COMPARE_WITH_TIMEOUT(cell(i, 1), QString::number(8 * (i + 1) + 6), patience);
    QCOMPARE(cells().headerData(1, Qt::Horizontal).toString(), QStringLiteral("d"));
    panel_->table()->addColumn();
    add(QStringLiteral("d"), QStringLiteral("1"));
    QVERIFY(bar.problem().contains(QStringLiteral("already")));
    add(QStringLiteral("next"), QStringLiteral("y[i + 1]")); // the last one has none
    QTRY_COMPARE_WITH_TIMEOUT(cells().columnCount(), 3, patience);
    QTRY_COMPARE_WITH_TIMEOUT(cell(5, 2), QStringLiteral("✕"), patience);
    shoot(QStringLiteral("formula-columns"));
    panel_->table()->editColumn(1);
    add(QStringLiteral("next"), QStringLiteral("i + 1 < n ? y[i + 1] : nan"));
    QTRY_COMPARE_WITH_TIMEOUT(cell(5, 2), QStringLiteral("NaN"), patience);
    QCOMPARE(cell(2, 2), QStringLiteral("40"));
    // The columns are those of this buffer, and come again with it.
    const qint64 id = panel_->currentBuffer().id;
    panel_->setCurrentBuffer(panel_->list()->buffers().first().id);
    QTRY_COMPARE_WITH_TIMEOUT(cells().columnCount(), 6, patience);
    panel_->setCurrentBuffer(id);
    QTRY_COMPARE_WITH_TIMEOUT(cells().columnCount(), 3, patience);
    QTRY_COMPARE_WITH_TIMEOUT(cell(2, 2), QStringLiteral("40"), patience);
    panel_->table()->removeColumn(0);
    panel_->table()->removeColumn(0);
    QCOMPARE(cells().columnCount(), 6);

    panel_->askFormula();
    FormulaBar& other = *panel_->formulaBar();
    other.nameEdit()->setText(QStringLiteral("half"));
    other.formulaEdit()->setText(QStringLiteral("y/2"));
    other.accept();
    QTRY_COMPARE_WITH_TIMEOUT(panel_->currentBuffer().name, QStringLiteral("half"), patience);
    QCOMPARE(panel_->currentBuffer().role, BufferRole::Formula);
    QTRY_COMPARE_WITH_TIMEOUT(cell(0, 3), QStringLiteral("20"), patience);

    // Of structs, a formula names the fields.
    QVERIFY(opened(saved(QStringLiteral("bodies.npy"), bodies(10))).isStructs());
    panel_->table()->addColumn();
    add(QStringLiteral("r"), QStringLiteral("pos.x*2 + pos_x*2 + v.y/2 + v_1/2 + id"));
    QTRY_COMPARE_WITH_TIMEOUT(cells().columnCount(), 7, patience);
    QTRY_COMPARE_WITH_TIMEOUT(cell(3, 6), QString::number(3 + 30 + 1), patience);
}

/// The selected rectangle as a file.
void TestFields::selections() {
    BufferGrid& grid = *panel_->table()->grid();
    const auto select = [&](int top, int left, int bottom, int right) {
        grid.table()->selectionModel()->select(QItemSelection(cells().index(top, left), cells().index(bottom, right)),
                                               QItemSelectionModel::ClearAndSelect);
    };
    const auto save = [&](const QString& name) {
        QSignalSpy told(&grid, &BufferGrid::message);
        grid.saveSelectionTo(path(name));
        return QTest::qWaitFor([&] { return told.size() == 1; }, patience) ? told[0][0].toString() : QString();
    };
    std::vector<float> values(200 * 30);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = float(i) + 0.1F;
    QVERIFY(opened(array(QStringLiteral("m.npy"), {200, 30}, values)).isValid());
    select(150, 2, 151, 4);
    QVERIFY(save(QStringLiteral("part.npy")).startsWith(QStringLiteral("Saved")));
    const NdArray part = load_npy(path(QStringLiteral("part.npy")).toStdString());
    QCOMPARE(part.shape(), (Shape{2, 3}));
    QCOMPARE(part.at<float>(1, 2), values[151 * 30 + 4]);
    QVERIFY(save(QStringLiteral("part.csv")).startsWith(QStringLiteral("Saved")));
    QCOMPARE(contents(path(QStringLiteral("part.csv"))), QByteArray("4502.1,4503.1,4504.1\n4532.1,4533.1,4534.1\n"));
    QVERIFY(save(QStringLiteral("part.txt")).contains(QStringLiteral(".npy")));
    QVERIFY(save(QStringLiteral("nowhere/part.npy")).contains(QStringLiteral("could not be written")));
    // A buffer of one axis stays one, however its rows are cut.
    QVERIFY(
        opened(array<std::int64_t>(QStringLiteral("line.npy"), {11}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})).isValid());
    select(0, 1, 1, 7);
    QVERIFY(save(QStringLiteral("line-part.npy")).startsWith(QStringLiteral("Saved")));
    const NdArray line = load_npy(path(QStringLiteral("line-part.npy")).toStdString());
    QCOMPARE(line.shape(), (Shape{9}));
    QCOMPARE(line.at<std::int64_t>(7), std::int64_t(10));

    QVERIFY(opened(saved(QStringLiteral("bodies.npy"), bodies(60))).isStructs());
    select(4, 1, 5, 3);
    QVERIFY(save(QStringLiteral("fields.csv")).startsWith(QStringLiteral("Saved")));
    QCOMPARE(contents(path(QStringLiteral("fields.csv"))), QByteArray("pos.x,pos.y,v[0]\n1,-4,0.4\n1.25,-5,0.5\n"));
    QVERIFY(save(QStringLiteral("fields.npy")).startsWith(QStringLiteral("Saved")));
    const NdArray fields = load_npy(path(QStringLiteral("fields.npy")).toStdString());
    const auto of = fields_of(fields.dtype());
    QCOMPARE(of.size(), size_t(3));
    QCOMPARE(of[2].name, std::string("v[0]"));
    QCOMPARE(fields.itemsize(), size_t(16));
    double last = 0;
    std::memcpy(&last, fields.data() + 16 + of[2].offset, sizeof last);
    QCOMPARE(last, 0.5);
}

void TestFields::scatter() {
    constexpr int count = 20000;
    std::vector<float> x(count), y(count);
    for (int i = 0; i < count; ++i) {
        x[size_t(i)] = float(i % 200);
        y[size_t(i)] = float(i / 200) * (i % 3 == 0 ? 1.0F : 0.5F);
    }
    QVERIFY(opened(array(QStringLiteral("sx.npy"), {count}, x)).isValid());
    QVERIFY(opened(array(QStringLiteral("sy.npy"), {count}, y)).isValid());
    show(BuffersPanel::ScatterTab);
    ScatterPage& page = *panel_->scatter();
    QCOMPARE(page.xName(), QStringLiteral("sx"));
    QCOMPARE(page.yName(), QStringLiteral("sy"));
    QTRY_COMPARE_WITH_TIMEOUT(page.density().pairs, qint64(count), patience);
    QVERIFY(page.density().points.isEmpty()); // too many: counts
    qint64 counted = 0;
    for (const quint32 each : page.density().counts)
        counted += each;
    QCOMPARE(counted, qint64(count));
    shoot(QStringLiteral("scatter-counts"));
    // A part with few pairs has points, each with its element.
    page.showPart(9.5, 20.5, 0, 30);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isCounting() && !page.density().points.isEmpty(), patience);
    QList<qint64> inside;
    for (int i = 0; i < count; ++i)
        if (x[size_t(i)] >= 9.5F && x[size_t(i)] <= 20.5F && y[size_t(i)] <= 30) inside << i;
    QCOMPARE(page.density().indices, inside);
    shoot(QStringLiteral("scatter-points"));
    const qsizetype at = inside.size() / 2;
    const QPointF place(page.plot()->xAxis->coordToPixel(page.density().points[at].x()),
                        page.plot()->yAxis->coordToPixel(page.density().points[at].y()));
    const qint64 found = page.indexAt(place);
    QCOMPARE(QPointF(double(x[size_t(found)]), double(y[size_t(found)])), page.density().points[at]);
    QTest::mouseClick(page.plot(), Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(panel_->cursor(), found);
    QTRY_VERIFY2_WITH_TIMEOUT(page.readout().contains(QStringLiteral("[%1]").arg(found)), qPrintable(page.readout()),
                              patience);
    QCOMPARE(page.exportButton()->save(path(QStringLiteral("scatter.csv"))), QString());
    QVERIFY(contents(path(QStringLiteral("scatter.csv"))).startsWith("index,sx,sy\n10,10,0\n"));
    show(BuffersPanel::TableTab);
    QCOMPARE(panel_->table()->grid()->currentIndex(), found);
    // Fields of structs, too.
    QVERIFY(opened(saved(QStringLiteral("bodies.npy"), bodies(60))).isStructs());
    show(BuffersPanel::ScatterTab);
    page.choose(QStringLiteral("pos_x"), QStringLiteral("v_1"));
    QTRY_COMPARE_WITH_TIMEOUT(page.density().points.size(), qsizetype(60), patience);
    QCOMPARE(page.density().points[8], QPointF(2, 80));
}

/// An element that is chosen on one page is marked on the others, and in buffers of the same shape.
void TestFields::oneCursor() {
    std::vector<float> values(8 * 6 * 2);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = float(i);
    const BufferInfo one = opened(array(QStringLiteral("one.npy"), {2, 8, 6}, values));
    const BufferInfo two = opened(array(QStringLiteral("two.npy"), {2, 8, 6}, values));
    panel_->setCurrentBuffer(one.id);
    QTRY_COMPARE_WITH_TIMEOUT(cell(1, 1), QStringLiteral("7"), patience);
    QCOMPARE(panel_->cursor(), qint64(-1));
    chooseCell(2, 3);
    QCOMPARE(panel_->cursor(), qint64(15));
    show(BuffersPanel::PlotTab);
    QCOMPARE(panel_->plot()->index(), qint64(15));
    QTRY_COMPARE_WITH_TIMEOUT(panel_->plot()->readout(), QStringLiteral("[0, 2, 3]   one.npy 15"), patience);
    show(BuffersPanel::HexTab);
    QCOMPARE(panel_->hex()->view()->cursor(), qint64(60));
    QTRY_VERIFY2_WITH_TIMEOUT(panel_->hex()->position().endsWith(QStringLiteral("[0, 2, 3] = 15")),
                              qPrintable(panel_->hex()->position()), patience);
    show(BuffersPanel::ImageTab);
    QCOMPARE(panel_->image()->canvas()->cursorPixel(), QPoint(3, 2));
    QTRY_COMPARE_WITH_TIMEOUT(panel_->image()->readout(), QStringLiteral("[2, 3] = 15"), patience);
    panel_->image()->canvas()->setCursorPixel({1, 4});
    QCOMPARE(panel_->cursor(), qint64(25));
    panel_->hex()->view()->goTo(4 * (48 + 7) + 2); // in the second plane; a page that is behind follows
    QCOMPARE(panel_->cursor(), qint64(55));
    QCOMPARE(panel_->image()->canvas()->cursorPixel(), QPoint(1, 1));
    QCOMPARE(panel_->image()->view()->plane(), 1);
    QCOMPARE(panel_->hex()->view()->cursor(), qint64(4 * 55 + 2)); // stays at its byte
    show(BuffersPanel::TableTab);
    QCOMPARE(panel_->table()->grid()->currentIndex(), qint64(55));
    QCOMPARE(panel_->plot()->index(), qint64(55));

    // A slice has it at its place there, where it is in it.
    ViewBar& bar = *panel_->viewBar();
    bar.setSliced(true);
    bar.setAxes(2, 1);
    bar.setIndex(0, 1);
    QTRY_COMPARE_WITH_TIMEOUT(bar.shown().shape, (QList<qint64>{6, 8}), patience);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->table()->grid()->currentIndex(), qint64(1 * 8 + 1), patience);
    chooseCell(4, 3);
    QCOMPARE(panel_->cursor(), qint64(48 + 3 * 6 + 4));
    bar.setSliced(false);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->table()->grid()->currentIndex(), qint64(70), patience);

    // The other buffer, with one cursor for both and with two.
    panel_->setCurrentBuffer(two.id);
    QCOMPARE(panel_->cursor(), qint64(70));
    QTRY_COMPARE_WITH_TIMEOUT(panel_->table()->grid()->currentIndex(), qint64(70), patience);
    panel_->linkBar()->setLinking(false);
    chooseCell(0, 0);
    panel_->setCurrentBuffer(one.id);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->cursor(), qint64(70), patience);
    QTRY_COMPARE_WITH_TIMEOUT(panel_->table()->grid()->currentIndex(), qint64(70), patience);
}

/// False colours of a comparison, and marks of what differs on the other pages.
void TestFields::differences() {
    if (!session::has_formulas()) QSKIP("no formulas in this build");
    constexpr int side = 40;
    std::vector<float> good(side * side), bad(side * side);
    for (size_t i = 0; i < good.size(); ++i)
        good[i] = bad[i] = float(i % 7);
    const size_t above = 5 * side + 9, below = 30 * side + 2;
    bad[above] += 2;
    bad[below] -= 1;
    opened(array(QStringLiteral("good.npy"), {side, side}, good));
    const BufferInfo info = opened(array(QStringLiteral("bad.npy"), {side, side}, bad));
    QVERIFY(panel_->linkBar()->text().isEmpty());
    panel_->listView()->selectionModel()->select(panel_->list()->index(0, 0),
                                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
    ComparePage& compare = *panel_->compare();
    QSignalSpy finished(&compare, &ComparePage::finished);
    show(BuffersPanel::CompareTab);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patience);
    const auto marks = compare.marks();
    QVERIFY(marks && marks->buffer() == info.id);
    QCOMPARE(marks->count(), qint64(2));
    QCOMPARE(marks->next(-1, true), qint64(above));
    QCOMPARE(marks->next(qint64(above), true), qint64(below));
    QCOMPARE(marks->next(qint64(below), true), qint64(above)); // round the end
    QCOMPARE(marks->next(qint64(above), false), qint64(below));
    QCOMPARE(panel_->linkBar()->text(), QStringLiteral("✕ 2 differ"));

    compare.findChild<QComboBox*>(QStringLiteral("differenceKind"))->setCurrentIndex(1);
    const ImageView& picture = *compare.picture()->view();
    QTRY_VERIFY_WITH_TIMEOUT(!picture.image().isNull(), patience);
    QCOMPARE(picture.image().size(), QSize(side, side));
    const ColourMap map(ColourMap::Diverging);
    QCOMPARE(picture.image().pixel(9, 5), map.at(1));
    QCOMPARE(picture.image().pixel(2, 30), map.at(0.25));
    QCOMPARE(picture.image().pixel(0, 0), map.at(0.5));
    shoot(QStringLiteral("difference"));

    emit panel_->linkBar()->stepRequested(true);
    QCOMPARE(panel_->cursor(), qint64(above));
    emit panel_->linkBar()->stepRequested(true);
    QCOMPARE(panel_->cursor(), qint64(below));
    show(BuffersPanel::TableTab);
    QCOMPARE(panel_->table()->grid()->currentIndex(), qint64(below));
    const auto isMarked = [&](size_t index) {
        return cells().index(int(index / side), int(index % side)).data(BufferTableModel::MarkedRole).toBool();
    };
    QVERIFY(isMarked(above) && isMarked(below) && !isMarked(above + 1));
    shoot(QStringLiteral("marks-table"));
    show(BuffersPanel::ImageTab);
    QTRY_VERIFY_WITH_TIMEOUT(!panel_->image()->view()->marks().isNull(), patience);
    const QImage image = panel_->image()->view()->marks();
    int marked = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            marked += qAlpha(image.pixel(x, y)) > 0;
    QCOMPARE(marked, 2);
    QVERIFY(qAlpha(image.pixel(9, 5)) > 0 && qAlpha(image.pixel(2, 30)) > 0);
    shoot(QStringLiteral("marks-image"));
    panel_->linkBar()->setMarking(false);
    QVERIFY(panel_->image()->view()->marks().isNull());
    show(BuffersPanel::TableTab);
    QVERIFY(!isMarked(above));
}

/// Of colours the channel that differs most, or one of them.
void TestFields::differencesOfPixels() {
    if (!session::has_formulas()) QSKIP("no formulas in this build");
    constexpr int side = 20;
    std::vector<std::uint8_t> good(std::size_t{3} * side * side, 100), bad = good;
    const auto at = [](int x, int y, int channel) { return std::size_t((y * side + x) * 3 + channel); };
    bad[at(4, 7, 0)] = 90;
    bad[at(4, 7, 2)] = 130;
    bad[at(9, 2, 1)] = 60;
    const ImageView& picture = differenceOf(array(QStringLiteral("good-rgb.npy"), {side, side, 3}, good),
                                            array(QStringLiteral("bad-rgb.npy"), {side, side, 3}, bad));
    const DifferencePicture& difference = *panel_->compare()->picture();
    QStringList kinds;
    for (int i = 0; i < difference.kindBox()->count(); ++i)
        kinds << difference.kindBox()->itemText(i);
    QCOMPARE(kinds, (QStringList{QStringLiteral("Largest of the channels"), QStringLiteral("Red"),
                                 QStringLiteral("Green"), QStringLiteral("Blue")}));
    QCOMPARE(differenceAt(picture, 0, {4, 7}), 30.0);
    QCOMPARE(differenceAt(picture, 0, {9, 2}), 40.0);
    const ColourMap map(ColourMap::Diverging);
    QCOMPARE(picture.image().pixel(9, 2), map.at(1));
    QCOMPARE(picture.image().pixel(0, 0), map.at(0.5));
    shoot(QStringLiteral("difference-rgb"));
    QCOMPARE(differenceAt(picture, 1, {4, 7}), -10.0);
    QCOMPARE(differenceAt(picture, 2, {9, 2}), -40.0);
    QCOMPARE(differenceAt(picture, 3, {4, 7}), 30.0);
    // The cursor is that of the channel's element.
    QSignalSpy chosen(&difference, &DifferencePicture::indexChosen);
    emit picture.canvas()->pixelChosen({4, 7});
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toLongLong(), qint64(at(4, 7, 2)));
    QCOMPARE(panel_->cursor(), qint64(at(4, 7, 2)));
}

/// Of complex numbers the magnitude of the difference, or that of a part.
void TestFields::differencesOfComplexNumbers() {
    if (!session::has_formulas()) QSKIP("no formulas in this build");
    constexpr std::size_t side = 12;
    using Complex = std::complex<float>;
    std::vector<Complex> good(side * side, {1, 0}), bad = good;
    bad[5 * side + 3] = {4, -4};        // by 3 - 4i
    bad[2 * side + 8] = {-1, -0.0001F}; // nearly half a turn …
    good[2 * side + 8] = {-1, 0.0001F}; // … each, in both directions
    const auto save = [&](const QString& name, const std::vector<Complex>& values) {
        const NdArray array = NdArray::zeros({side, side}, DType::complex64());
        std::memcpy(array.mutable_bytes().data(), values.data(), array.nbytes());
        return saved(name, array);
    };
    const ImageView& picture =
        differenceOf(save(QStringLiteral("good-c.npy"), good), save(QStringLiteral("bad-c.npy"), bad));
    QCOMPARE(panel_->compare()->picture()->kindBox()->count(), 4);
    QCOMPARE(differenceAt(picture, 0, {3, 5}), 5.0);
    shoot(QStringLiteral("difference-complex"));
    QCOMPARE(differenceAt(picture, 1, {3, 5}), 3.0);
    QCOMPARE(differenceAt(picture, 2, {3, 5}), -4.0);
    QVERIFY(std::abs(differenceAt(picture, 3, {3, 5}) + 0.785398) < 1e-5);
    QVERIFY(std::abs(differenceAt(picture, 0, {8, 2}) - 0.0002) < 1e-6);
    QVERIFY(std::abs(differenceAt(picture, 3, {8, 2}) - 0.0002) < 1e-6);
}

/// The field that differs is named; padding does not count.
void TestFields::structsThatDiffer() {
    NdArray wrong = bodies(30);
    auto* body = reinterpret_cast<Body*>(wrong.mutable_data());
    body[12].v[1] += 0.5;
    body[12].tag[0] = 99;
    body[20].y = 8;
    reinterpret_cast<unsigned char*>(&body[3])[sizeof(Body) - 1] = 77; // padding
    opened(saved(QStringLiteral("right.npy"), bodies(30)));
    opened(saved(QStringLiteral("wrong.npy"), wrong));
    panel_->listView()->selectionModel()->select(panel_->list()->index(0, 0),
                                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
    ComparePage& compare = *panel_->compare();
    QSignalSpy finished(&compare, &ComparePage::finished);
    show(BuffersPanel::CompareTab);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, patience);
    QVERIFY2(compare.resultText().contains(QStringLiteral("2 of 30")) &&
                 compare.resultText().contains(QStringLiteral("12 v[1]: 120.5 instead of 120")),
             qPrintable(compare.resultText()));
    QStringList rows;
    for (int row = 0; row < compare.model()->rowCount(); ++row)
        rows << compare.model()->index(row, MismatchModel::Index).data().toString() + QLatin1Char(' ') +
                    compare.model()->index(row, MismatchModel::Field).data().toString();
    QCOMPARE(rows, (QStringList{QStringLiteral("12 v[1]"), QStringLiteral("12 tag"), QStringLiteral("20 pos.y")}));
    shoot(QStringLiteral("compare-structs"));
    show(BuffersPanel::TableTab);
    const auto isMarked = [&](int row, int column) {
        return cells().index(row, column).data(BufferTableModel::MarkedRole).toBool();
    };
    QVERIFY(isMarked(12, 4) && isMarked(12, 5) && isMarked(20, 2) && !isMarked(12, 3) && !isMarked(3, 5));
}

WARPLIGHT_UI_TEST_MAIN(TestFields)
#include "test_fields.moc"
