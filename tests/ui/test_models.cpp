// SPDX-License-Identifier: GPL-3.0-or-later
// Every model of the shell's panels keeps Qt's rules while its data changes.
#include "test_home.hpp"
#include "ui/common/run_results.hpp"
#include "ui/common/timing_words.hpp"
#include "ui/common/workbench.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/function/attributes_model.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/mainwindow/command_palette.hpp"
#include "ui/sweep/sweep_words.hpp"
#include "ui/timing/runs_model.hpp"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::ui;

namespace {

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

compiler::Kernel saxpy() {
    compiler::Kernel kernel;
    kernel.name = kernel.lowered = "saxpy";
    const auto parameter = [](const char* name, const char* type, bool pointer, bool isConst, const char* dtype) {
        compiler::Parameter p;
        p.name = name;
        p.type = type;
        p.pointer = pointer;
        p.is_const = isConst;
        p.dtype = dtype;
        p.size = pointer ? 8 : 4;
        return p;
    };
    kernel.parameters = {parameter("n", "int", false, false, "int32"), parameter("a", "float", false, false, "float32"),
                         parameter("x", "const float *", true, true, "float32"),
                         parameter("y", "float *", true, false, "float32")};
    return kernel;
}

session::Report report(const std::string& kernel, std::vector<double> times) {
    session::Report r;
    r.kernel = kernel;
    r.device.name = "Test device";
    r.times.kernel_ms = times;
    r.times.htod_ms = times;
    r.times.dtoh_ms = times;
    r.repeat = static_cast<int>(times.size());
    r.function = {{"num_regs", 32}, {"shared_size_bytes", 1024}};
    return r;
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT
public:
    explicit TestModels(const TestHome& home) : home_(home) {}

private slots:
    void argumentsFollowTheSignature();
    void argumentsTakeFilesAndDirections();
    void runsGrowAndClear();
    void doubtfulClocksAreMarked();
    void statisticsAreThoseOfTheList();
    void devicesComeAndGo();
    void attributesShowWhatIsKnown();
    void actionsAreFiltered();

private:
    const TestHome& home_;
};

void TestModels::argumentsFollowTheSignature() {
    Document document;
    ArgumentsModel model(document);
    QAbstractItemModelTester tester(&model, fatal);
    QCOMPARE(model.rowCount(), 0);
    document.modify("kernel", [](session::Session& s) { s.kernel = "saxpy"; });
    document.setKernels({saxpy()});
    QTRY_COMPARE(model.rowCount(), 4);
    const auto& arguments = document.session().arguments;
    QCOMPARE(arguments.size(), std::size_t(4));
    QCOMPARE(arguments[0].direction, session::Direction::scalar);
    QCOMPARE(std::get<session::SizeOf>(arguments[0].value).argument, std::string("x"));
    QCOMPARE(arguments[2].direction, session::Direction::in);
    QCOMPARE(arguments[3].direction, session::Direction::inout);
    QVERIFY(model.index(2, 0).data(ArgumentsModel::GuessedRole).toBool());
    QCOMPARE(model.problemCount(), 0);
    // A parameter that becomes a pointer is a problem of the argument, or a new argument; never silence.
    auto changed = saxpy();
    changed.parameters.push_back(saxpy().parameters[3]);
    changed.parameters.back().name = "z";
    document.setKernels({changed});
    QTRY_VERIFY(model.rowCount() == 5 || model.problemCount() > 0);
}

void TestModels::argumentsTakeFilesAndDirections() {
    Document document;
    ArgumentsModel model(document);
    QAbstractItemModelTester tester(&model, fatal);
    document.modify("kernel", [](session::Session& s) { s.kernel = "saxpy"; });
    document.setKernels({saxpy()});
    QTRY_COMPARE(model.rowCount(), 4);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile("/nowhere/data.npy")});
    QVERIFY(model.canDropMimeData(&data, Qt::CopyAction, -1, -1, model.index(2, 1)));
    QVERIFY(!model.canDropMimeData(&data, Qt::CopyAction, -1, -1, model.index(0, 1)));
    QVERIFY(model.dropMimeData(&data, Qt::CopyAction, -1, -1, model.index(2, 1)));
    QVERIFY(std::holds_alternative<session::FileSource>(document.session().arguments[2].source));
    QVERIFY(model.problemCount() >= 1); // there is no such file
    QVERIFY(!model.index(2, 0).data(ArgumentsModel::ProblemRole).toString().isEmpty());
    const QModelIndex direction = model.index(3, ArgumentsModel::Direction);
    QVERIFY(model.setData(direction, static_cast<int>(session::Direction::out), Qt::EditRole));
    QCOMPARE(document.session().arguments[3].direction, session::Direction::out);
    document.undoStack().undo();
    QCOMPARE(document.session().arguments[3].direction, session::Direction::inout);
}

void TestModels::runsGrowAndClear() {
    Workbench workbench;
    Document& document = workbench.document();
    RunsModel model(document, workbench.theme());
    connect(&document, &Document::reportChanged, &model, &RunsModel::reload);
    QAbstractItemModelTester tester(&model, fatal);
    document.addRun(report("a", {1.0, 2.0}), 3);
    document.addRun(report("b", {}), 3);
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(model.index(0, RunsModel::Kernel).data().toString().contains("b")); // newest first
    QCOMPARE(model.run(1).number, 1);
    document.clearRuns();
    QCOMPARE(model.rowCount(), 0);
    // However many fail, the last one with results stays.
    document.addRun(report("old", {1.0}), 3);
    document.addRun(report("good", {1.0}), 3);
    session::Report failed = report("failed", {});
    failed.status = session::Status::device_error;
    for (int i = 0; i < 250; ++i)
        document.addRun(failed, 3);
    QCOMPARE(document.runs().size(), std::size_t(200));
    QCOMPARE(document.runs()[0].report.kernel, std::string("good"));
    QVERIFY(shownRuns(document.runs()).results == &document.runs()[0]);
    QCOMPARE(document.runs()[1].report.kernel, std::string("failed"));
}

void TestModels::doubtfulClocksAreMarked() {
    Workbench workbench;
    Document& document = workbench.document();
    RunsModel model(document, workbench.theme());
    connect(&document, &Document::reportChanged, &model, &RunsModel::reload);
    QAbstractItemModelTester tester(&model, fatal);
    session::Report run = report("a", {1.0, 2.0});
    run.clocks.emplace().samples = 2;
    run.clocks->sm_mhz = session::ClockRange{1980, 1980};
    run.clocks->most_sm_mhz = 1980u;
    run.clocks->held_by = {driver::ClockLimit::applications_setting};
    run.empty_launch = session::ReportEmptyLaunch{.kind = "launch", .ms = 0.002, .runs = 15};
    document.addRun(run, 3);
    const auto median = [&] { return model.index(0, RunsModel::Median); };
    QVERIFY(median().data(Qt::DecorationRole).isNull());
    QCOMPARE(conditionsText(run), QString("An empty launch takes 2.00 µs. SM clock 1980 of 1980 MHz. The clocks are "
                                          "held by clocks that were set for applications."));
    run.clocks->held_by.push_back(driver::ClockLimit::power_cap);
    run.clocks->sm_mhz->low = 990;
    run.cold_l2 = true;
    run.times.kernel_ms = {0.003};
    document.addRun(run, 3);
    QVERIFY(!median().data(Qt::DecorationRole).isNull());
    QCOMPARE(median().data(Qt::ToolTipRole).toString(),
             QString("Throttled: the clocks were held down by the power cap.\n"
                     "The SM clock changed by 50 % while the runs were measured."));
    const QString conditions = conditionsText(run);
    QVERIFY(conditions.startsWith("The L2 cache was cold. An empty launch takes 2.00 µs. Most of the kernel's time is "
                                  "its launch. SM clock 990 … 1980 of 1980 MHz. ⚠ Throttled"));
    QCOMPARE(clockDoubts(std::string("power_cap changed")).size(), 2);
    QCOMPARE(clockDoubts(std::string()).size(), 0);

    session::SweepReport sweep;
    sweep.best = 0;
    auto& point = sweep.points.emplace_back();
    point.state = session::PointState::measured;
    point.median_ms = 0.003;
    point.visits = {{0.003}};
    QCOMPARE(verdict(sweep, 0), QString("best"));
    point.clocks = run.clocks;
    point.empty_launch = run.empty_launch;
    QCOMPARE(verdict(sweep, 0), QString("best, throttled, clock changed, mostly its launch"));
}

void TestModels::statisticsAreThoseOfTheList() {
    std::vector<double> values;
    for (int i = 100; i >= 1; --i)
        values.push_back(i);
    const TimingStatistics s = timingStatistics(values);
    QCOMPARE(s.count, 100);
    QCOMPARE(s.min, 1.0);
    QCOMPARE(s.max, 100.0);
    QCOMPARE(s.mean, 50.5);
    QCOMPARE(s.median, 50.5);
    QCOMPARE(s.p95, 95.0);
    QVERIFY(std::abs(s.deviation - 29.011491975882016) < 1e-9);
    QCOMPARE(timingStatistics({}).count, 0);
    QCOMPARE(timingStatistics({7}).deviation, 0.0);
}

void TestModels::devicesComeAndGo() {
    DevicesModel model;
    QAbstractItemModelTester tester(&model, fatal);
    const auto devices = devicesFromJson(nlohmann::json::parse(R"({"devices": [
        {"id": 0, "name": "Device A", "compute_capability": "8.0", "total_memory": 1024,
         "attributes": {"WARP_SIZE": 32, "CLOCK_RATE": 1000}}, {"id": 1, "name": "Device B"}]})"));
    QCOMPARE(devices.size(), std::size_t(2));
    model.setDriver("software", "Software device", devices);
    model.setDriverProblem("cuda", "NVIDIA GPUs", "no device");
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex driver = model.index(0, 0);
    QCOMPARE(model.rowCount(driver), 2);
    QVERIFY(model.rowCount(model.index(0, 0, driver)) >= 2);
    model.setMemory(model.devices().front().id, 512, 1024);
    QCOMPARE(model.index(0, 0, driver).data(DevicesModel::UsedFractionRole).toDouble(), 0.5);
    model.setDriver("software", "Software device", {devices.front()});
    QCOMPARE(model.rowCount(model.index(0, 0)), 1);
    model.removeDriver("cuda");
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(devicesFromJson(nlohmann::json::parse("[1]")).empty());
}

void TestModels::attributesShowWhatIsKnown() {
    AttributesModel model;
    QAbstractItemModelTester tester(&model, fatal);
    QVERIFY(model.isEmpty());
    const session::Report r = report("k", {1.0});
    compiler::KernelResources resources;
    resources.registers = 40;
    model.setResults(&r, &resources, "sm_80");
    QVERIFY(!model.isEmpty());
    QString all;
    for (int group = 0; group < model.rowCount(); ++group) {
        const QModelIndex parent = model.index(group, 0);
        for (int row = 0; row < model.rowCount(parent); ++row)
            all += model.index(row, AttributesModel::Value, parent).data().toString() + '\n';
    }
    QVERIFY2(all.contains("40"), qPrintable(all));
    QVERIFY2(all.contains("32"), qPrintable(all));
    model.setResults(nullptr, nullptr, {});
    QVERIFY(model.isEmpty());
}

void TestModels::actionsAreFiltered() {
    ActionsModel model;
    QAbstractItemModelTester tester(&model, fatal);
    QAction open("Open"), quit("Quit");
    quit.setEnabled(false);
    model.setEntries({{&open, "File › Open"}, {&quit, "File › Quit"}});
    QCOMPARE(model.rowCount(), 2);
    model.setFilter("qt");
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.action(model.index(0)), &quit);
    QVERIFY(!(model.flags(model.index(0)) & Qt::ItemIsEnabled));
    model.setFilter("zzz");
    QCOMPARE(model.rowCount(), 0);
}

WARPLIGHT_UI_TEST_MAIN(TestModels)
#include "test_models.moc"
