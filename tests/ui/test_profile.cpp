// SPDX-License-Identifier: GPL-3.0-or-later
// The profile of a run in the window: the switch, the table, hints, the roofline and the colours beside the lines.
#include "window_fixture.hpp"

#include "ui/common/settings.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/lanes/lanes_view.hpp"
#include "ui/mainwindow/guide_dialog.hpp"
#include "ui/profile/profile_model.hpp"
#include "ui/profile/profile_panel.hpp"
#include "ui/profile/roofline_plot.hpp"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const strided = R"(extern "C" __global__ void strided(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float far = x[i * 8];
    float near = x[i];
    y[i] = far * 2 + near;
}
)";
constexpr int farLine = 3;

} // namespace

class TestProfile : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestProfile(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init();
    void cleanup() { closeWindow(); }
    void theSwitchIsPartOfTheSession();
    void theNoteTurnsItOn();
    void rowsAreThoseOfTheReport();
    void instructionsAreRows();
    void columnsSort();
    void aRowLeadsToItsLine();
    void heatIsAtTheLines();
    void heatFollowsEdits();
    void aRunWithoutProfileClears();
    void hintsLeadToLineAndGuide();
    void everyHintIsInTheGuide();
    void theRooflineIsOfTheChosenGpu();
    void programsHaveNone();

private:
    ProfilePanel& panel() { return window_->panel<ProfilePanel>(); }
    QTableView* table() { return panel().findChild<QTableView*>(QStringLiteral("profileLines")); }
    QComboBox* box(const char* accessibleName) {
        for (QComboBox* each : panel().findChildren<QComboBox*>())
            if (each->accessibleName() == QLatin1String(accessibleName)) return each;
        return nullptr;
    }
    QString note() { return panel().findChild<QLabel*>(QStringLiteral("emptyNoteTitle"))->text(); }
    QString facts() { return panel().findChild<QLabel*>(QStringLiteral("profileFacts"))->text(); }
    CudaEditor* editor() {
        return qobject_cast<CudaEditor*>(window_->findChild<EditorArea*>()->tabs()->currentWidget());
    }
    bool profiled() {
        if (!window_->document().session().profile) trigger("run.profile");
        return run() && window_->document().report().profile.has_value();
    }
    void choose(QComboBox* box, int index) {
        box->setCurrentIndex(index);
        emit box->activated(index);
    }
    QString cell(int row, int column) { return table()->model()->index(row, column).data().toString(); }
};

void TestProfile::init() {
    settings().remove(QStringLiteral("profile"));
    openWindow();
    workerIsReady();
    write("profile/strided.cu", strided);
    write("profile/strided.warplight", QStringLiteral(R"({"warplight": 1, "source": "strided.cu", "kernel": "strided",
        "device": "%1",
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [32768], "start": 0, "step": 1}},
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": 4096}],
        "launch": {"grid": [16, 1, 1], "block": [256, 1, 1]}})")
                                           .arg(driver())
                                           .toUtf8());
    QVERIFY(window_->openFile(home_.path("profile/strided.warplight")));
    window_->showPanel(QStringLiteral("profile"));
}

void TestProfile::theSwitchIsPartOfTheSession() {
    QAction* action = window_->findAction(QStringLiteral("run.profile"));
    QVERIFY(action->isEnabled() && action->isCheckable() && !action->isChecked());
    QToolButton* button = nullptr;
    for (QToolButton* each : window_->findChildren<QToolButton*>())
        if (each->defaultAction() == action && each->isVisible()) button = each;
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(window_->document().session().profile && action->isChecked());
    QVERIFY(window_->document().isSessionModified());
    trigger("edit.undoSession");
    QVERIFY(!window_->document().session().profile && !action->isChecked());
    trigger("edit.redoSession");
    QVERIFY(window_->document().session().profile && action->isChecked());
    QVERIFY(window_->findAction(QStringLiteral("run.profile"))->isChecked());
}

void TestProfile::theNoteTurnsItOn() {
    NEEDS_DEVICE;
    QVERIFY(panel().isShowingEmptyNote());
    QCOMPARE(note(), QStringLiteral("No profile yet"));
    QPushButton* button = nullptr;
    for (QPushButton* each : panel().findChildren<QPushButton*>())
        if (each->isVisible()) button = each;
    QVERIFY(button && button->text() == QStringLiteral("Profile the Kernel"));
    button->click();
    QVERIFY(window_->document().session().profile);
    QVERIFY(ran(1));
    QVERIFY(window_->document().report().profile);
    QVERIFY(!panel().isShowingEmptyNote());
}

void TestProfile::rowsAreThoseOfTheReport() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    const QAbstractItemModel* model = table()->model();
    const std::vector<profile::Line> lines = window_->document().report().profile->lines();
    QCOMPARE(model->rowCount(), int(lines.size()));
    QVERIFY(lines.size() >= 4);
    for (const profile::Line& each : lines) {
        int row = 0;
        while (row < model->rowCount() && model->index(row, 0).data(ProfileModel::LineRole).toInt() != each.line)
            ++row;
        QVERIFY2(row < model->rowCount(), qPrintable(QString::number(each.line)));
        const auto sort = [&](int column) { return model->index(row, column).data(ProfileModel::SortRole); };
        QCOMPARE(sort(ProfileModel::Executions).toULongLong(), quint64(each.figures.executions));
        QCOMPARE(sort(ProfileModel::Bytes).toULongLong(), quint64(each.figures.bytes));
        QCOMPARE(sort(ProfileModel::Cost).toULongLong(), quint64(profile::cost_of(each.figures)));
        QCOMPARE(cell(row, ProfileModel::Text),
                 QString::fromLatin1(strided).split(QLatin1Char('\n')).at(each.line - 1).trimmed());
        if (each.line == farLine) QCOMPARE(cell(row, ProfileModel::Sectors), QStringLiteral("32 / 4"));
        if (each.line == farLine + 1) QCOMPARE(cell(row, ProfileModel::Sectors), QStringLiteral("4 / 4"));
    }
    for (int column = 0; column < model->columnCount(); ++column)
        QVERIFY(!model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    QVERIFY(table()->isColumnHidden(ProfileModel::Wavefronts) && !table()->isColumnHidden(ProfileModel::Sectors));
    QVERIFY2(facts().contains(QStringLiteral("128 warps")), qPrintable(facts()));
    QVERIFY2(facts().contains(QStringLiteral("32 of 32 threads")), qPrintable(facts()));
    QAbstractItemModelTester tester(table()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    window_->document().clearRuns();
    QCOMPARE(model->rowCount(), 0);
}

void TestProfile::instructionsAreRows() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    box("Rows of the table")->setCurrentIndex(1);
    const auto& instructions = window_->document().report().profile->instructions;
    QCOMPARE(table()->model()->rowCount(), int(instructions.size()));
    table()->sortByColumn(ProfileModel::Text, Qt::AscendingOrder);
    for (int row = 0; row < table()->model()->rowCount(); ++row) {
        const profile::Instruction& each = instructions[std::size_t(row)];
        QCOMPARE(cell(row, ProfileModel::Text),
                 QStringLiteral("%1  %2").arg(each.ptx_line).arg(QString::fromStdString(each.opcode)));
    }
}

void TestProfile::columnsSort() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    QCOMPARE(cell(0, ProfileModel::Line), QString::number(farLine)); // costs most
    const QAbstractItemModel* model = table()->model();
    for (int column = 0; column < ProfileModel::ColumnCount; ++column) {
        table()->sortByColumn(column, Qt::AscendingOrder);
        for (int row = 1; row < model->rowCount(); ++row) {
            const QVariant before = model->index(row - 1, column).data(ProfileModel::SortRole);
            const QVariant after = model->index(row, column).data(ProfileModel::SortRole);
            const bool sorted = before.typeId() == QMetaType::QString
                                    ? QString::localeAwareCompare(before.toString(), after.toString()) <= 0 ||
                                          before.toString() <= after.toString()
                                    : before.toDouble() <= after.toDouble();
            QVERIFY2(sorted, qPrintable(QStringLiteral("column %1, row %2").arg(column).arg(row)));
        }
    }
}

void TestProfile::aRowLeadsToItsLine() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    editor()->goTo(1);
    QVERIFY(cell(0, ProfileModel::Line) == QString::number(farLine));
    emit table() -> activated(table()->model()->index(0, ProfileModel::Cost));
    QCOMPARE(editor()->caretLine(), farLine);
    // Three lines above it, the line is three lines lower; and an edited line is not there any more.
    window_->document().mainSource()->setText(QStringLiteral("// one\n// two\n// three\n") + QLatin1String(strided));
    QVERIFY2(facts().contains(QStringLiteral("has changed since this run")), qPrintable(facts()));
    emit table() -> activated(table()->model()->index(0, ProfileModel::Cost));
    QCOMPARE(editor()->caretLine(), farLine + 3);
    editor()->goTo(1);
    window_->document().mainSource()->setText(QString::fromLatin1(strided).replace(QStringLiteral("* 8"), "* 7"));
    QSignalSpy told(&window_->workbench(), &Workbench::statusMessage);
    emit table() -> activated(table()->model()->index(0, ProfileModel::Cost));
    QCOMPARE(editor()->caretLine(), 1);
    QCOMPARE(told.size(), 1);
}

void TestProfile::heatIsAtTheLines() {
    NEEDS_DEVICE;
    constexpr int heatMargin = 4;
    QCOMPARE(editor()->marginWidth(heatMargin), 0);
    QVERIFY(profiled());
    const auto& report = window_->document().report();
    for (int metric = 0; metric < heatMetricNames().size(); ++metric) {
        choose(box("Colour lines in the editor by"), metric);
        QMap<int, int> expected;
        quint64 most = 0;
        for (const profile::Line& each : report.profile->lines())
            most = std::max(most, heatValue(HeatMetric(metric), each.figures));
        for (const profile::Line& each : report.profile->lines()) {
            const quint64 value = heatValue(HeatMetric(metric), each.figures);
            if (value) expected.insert(each.line, int((value * LineHeat::steps + most - 1) / most) - 1);
        }
        QCOMPARE(editor()->heatLines(), expected);
        QCOMPARE(editor()->marginWidth(heatMargin) > 0, !expected.isEmpty());
    }
    choose(box("Colour lines in the editor by"), int(HeatMetric::ExcessSectors));
    QCOMPARE(editor()->heatLines(), (QMap<int, int>{{farLine, LineHeat::steps - 1}}));
    // A tip there has the figures of the line.
    int left = 0;
    for (int margin = 0; margin < heatMargin; ++margin)
        left += editor()->marginWidth(margin);
    const auto tipAt = [&](int line) {
        const int height = editor()->textHeight(line - 1);
        const QPoint at(left + 2, (line - 1 - editor()->firstVisibleLine()) * height + height / 2);
        QHelpEvent help(QEvent::ToolTip, at, editor()->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(editor()->viewport(), &help);
        return QToolTip::text();
    };
    QVERIFY2(tipAt(farLine).contains(QStringLiteral("128 requests")), qPrintable(QToolTip::text()));
    QVERIFY2(tipAt(farLine + 2).contains(QStringLiteral("512 sectors")), qPrintable(QToolTip::text()));
    QCOMPARE(settings().value(QStringLiteral("profile/colour")).toInt(), int(HeatMetric::ExcessSectors));
}

void TestProfile::heatFollowsEdits() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    choose(box("Colour lines in the editor by"), int(HeatMetric::Sectors));
    const QList<int> lines = editor()->heatLines().keys();
    QCOMPARE(lines, (QList<int>{farLine, farLine + 1, farLine + 2}));
    editor()->insertAt(QStringLiteral("// two more\n// lines\n"), 0, 0);
    QCOMPARE(editor()->heatLines().keys(), (QList<int>{farLine + 2, farLine + 3, farLine + 4}));
    editor()->insertAt(QStringLiteral(" "), farLine + 1, 4);
    QCOMPARE(editor()->heatLines().keys(), (QList<int>{farLine + 3, farLine + 4}));
    // Other colours are those of the same lines.
    choose(box("Colour lines in the editor by"), int(HeatMetric::Off));
    QVERIFY(editor()->heatLines().isEmpty());
    choose(box("Colour lines in the editor by"), int(HeatMetric::Bytes));
    QCOMPARE(editor()->heatLines().keys(), (QList<int>{farLine + 3, farLine + 4}));
    editor()->clear();
    QVERIFY(editor()->heatLines().isEmpty());
    QTRY_COMPARE(editor()->marginWidth(4), 0);
}

void TestProfile::aRunWithoutProfileClears() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    QVERIFY(!editor()->heatLines().isEmpty());
    trigger("run.profile");
    QVERIFY(!panel().isShowingEmptyNote()); // still that of the last run
    QVERIFY(run());
    QVERIFY(!window_->document().report().profile);
    QVERIFY(panel().isShowingEmptyNote());
    QCOMPARE(note(), QStringLiteral("The last run was not profiled"));
    QVERIFY(editor()->heatLines().isEmpty());
}

void TestProfile::hintsLeadToLineAndGuide() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    auto* hints = panel().findChild<QTextBrowser*>(QStringLiteral("profileHints"));
    const QString text = hints->toPlainText();
    QVERIFY2(text.contains(QStringLiteral("strided.cu, line 3")) && text.contains(QStringLiteral("takes 32 sectors")),
             qPrintable(text));
    QVERIFY2(!text.contains(QStringLiteral("line 4")), qPrintable(text));
    editor()->goTo(1);
    emit hints->anchorClicked(QUrl(QStringLiteral("line:0")));
    QCOMPARE(editor()->caretLine(), farLine);
    QVERIFY(hints->toHtml().contains(QStringLiteral("guide:accesses-that-are-spread")));
    QVERIFY(hints->toHtml().contains(QStringLiteral("lanes:0")));
    emit hints->anchorClicked(QUrl(QStringLiteral("lanes:0")));
    QVERIFY(window_->lanes() && window_->lanes()->isVisible());
    window_->lanes()->close();
    emit hints->anchorClicked(QUrl(QStringLiteral("guide:accesses-that-are-spread")));
    auto* guide = window_->findChild<GuideDialog*>();
    QVERIFY(guide && guide->isVisible());
    auto* page = guide->findChild<QTextBrowser*>();
    QVERIFY2(page->toPlainText().contains(QStringLiteral("sectors of 32 bytes")), qPrintable(page->toPlainText()));
    QVERIFY(!page->toPlainText().contains(QStringLiteral("# ")));
    QVERIFY(!page->toPlainText().contains(QStringLiteral("](")));
    guide->close();
}

void TestProfile::everyHintIsInTheGuide() {
    const QStringList anchors = GuideDialog::anchors();
    for (int kind = 0; kind <= int(profile::HintKind::arithmetic_bound); ++kind) {
        const QString anchor = QString::fromStdString(std::string(profile::anchor_of(profile::HintKind(kind))));
        QVERIFY2(anchors.contains(anchor), qPrintable(anchor));
    }
}

void TestProfile::theRooflineIsOfTheChosenGpu() {
    NEEDS_DEVICE;
    QVERIFY(profiled());
    auto* plot = panel().findChild<RooflinePlot*>();
    QComboBox* gpus = box("GPU to compare with");
    QCOMPARE(gpus->count(), int(profile::gpus().size()));
    for (int index = 0; index < gpus->count(); ++index) {
        choose(gpus, index);
        QVERIFY2(plot->text().contains(QStringLiteral("A model of ") + gpus->itemText(index)),
                 qPrintable(plot->text()));
        QVERIFY2(plot->text().contains(QStringLiteral("memory is the limit")), qPrintable(plot->text()));
    }
}

void TestProfile::programsHaveNone() {
    trigger("file.newProgram");
    QVERIFY(!window_->findAction(QStringLiteral("run.profile"))->isEnabled());
    QVERIFY(panel().isShowingEmptyNote());
}

WARPLIGHT_UI_TEST_MAIN(TestProfile)
#include "test_profile.moc"
