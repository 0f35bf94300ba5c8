// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps of the window as jobs of Slurm, whose commands are scripts here that run the tasks on this machine.
#include "window_fixture.hpp"

#include "cluster/records.hpp"
#include "history/history.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/run_history.hpp"
#include "ui/sweep/slurm_dialog.hpp"
#include "ui/sweep/sweep_chart.hpp"
#include "ui/sweep/sweep_model.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/sweep/sweep_place.hpp"
#include "ui/sweep/sweep_row.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::ui;

namespace {

/// The result is right in blocks of up to 512 threads.
const char* const scale = R"(
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = blockDim.x > 512 ? 0 : a * x[i];
}
)";

/// Runs the tasks of an array, as far as `allowed` has a line for each of them, or "all".
const char* const standIn = R"SH(
case $name in
sbatch) array=$(printf '%s\n' "$@" | sed -n 's/^--array=//p')
    script=${@: -2:1} offset=${@: -1}
    echo 7
    for piece in ${array//,/ }; do
        for i in $(seq "${piece%-*}" "${piece#*-}"); do
            if grep -qx -e all -e "$((offset + i))" "$home/allowed"; then
                SLURM_ARRAY_TASK_ID=$i SLURMD_NODENAME=n$i sh "$script" "$offset" >"$home/said" 2>&1
            else
                touch "$home/waits"
            fi
        done
    done ;;
squeue) [ -e "$home/waits" ] && echo '7|1-2|PENDING||Resources' ;;
scancel) rm -f "$home/waits" ;;
esac
exit 0
)SH";

} // namespace

class TestSweepSlurm : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestSweepSlurm(const TestHome& home) : WindowFixture(home) {}

private slots:
    void initTestCase() { path_ = qgetenv("PATH"); }
    void init();
    void cleanup() {
        closeWindow();
        QDir(home_.path("sweep")).removeRecursively();
    }
    void settingsAreTheUsers();
    void pointsRunAsJobs();
    void refusalsAreTold_data();
    void refusalsAreTold();
    void stopKeepsWhatIsDoneAndResumeGoesOn();
    void jobsGoOnWithoutTheWindow();
    void gpusAreNotCompared();
    void aClusterElsewhereGetsTheFiles();
    void manyPointsAreAskedAbout();
    void pictures();

private:
    SweepPage& page() { return window_->panel<TimingPanel>().sweep(); }
    SweepSetup& setup() { return page().setup(); }
    QString campaign(const char* name = "scale.campaign") { return home_.path("sweep/") + QLatin1String(name); }
    void open();
    void vary(const QString& blocks) {
        SweepRow* row = setup().addAxis();
        row->set("block", blocks);
        emit row->edited();
        setup().rounds()->setNumber(2);
        emit setup().rounds() -> edited(2);
        window_->document().modify("all", [](session::Session& session) { session.sweep->stop_slower = 0; });
    }
    void allow(const QByteArray& tasks) { write("allowed", tasks + "\n"); }
    void withCluster(const QByteArray& script);
    QString calls() {
        QFile file(home_.path("calls"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    void start() { QTest::mouseClick(page().startButton(), Qt::LeftButton); }
    bool ended() {
        return QTest::qWaitFor([this] { return !page().isRunning(); }, patience);
    }
    std::size_t measured() { return page().report() ? page().report()->count(session::PointState::measured) : 0; }
    QStringList resumable() {
        emit page().place().campaigns() -> aboutToShow();
        QStringList texts;
        for (const QAction* action : page().place().campaigns()->actions())
            texts << action->text();
        return texts;
    }

    QByteArray path_;
};

void TestSweepSlurm::open() {
    openWindow();
    workerIsReady();
    write("sweep/scale.cu", scale);
    write("sweep/scale.warplight", QStringLiteral(R"({"warplight": 1, "source": "scale.cu", "kernel": "scale",
        "device": "%1",
        "arguments": [
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4096]},
           "expect": {"expression": "2*x"}},
          {"name": "x", "direction": "in", "source": {"kind": "constant", "value": 1, "dtype": "float32", "shape": [4096]}},
          {"name": "a", "direction": "scalar", "type": "f32", "value": 2},
          {"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "x"}}],
        "launch": {"grid": [128, 1, 1], "block": [256, 1, 1]}})")
                                       .arg(driver())
                                       .toUtf8());
    QVERIFY(window_->openFile(home_.path("sweep/scale.warplight")));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->runner().areKernelsPending(), patience);
    window_->showPanel("timing");
    window_->panel<TimingPanel>().showSweep();
}

void TestSweepSlurm::withCluster(const QByteArray& script) {
    for (const char* name : {"sbatch", "squeue", "scancel", "sacct"}) {
        const QString file = write(QStringLiteral("bin/%1").arg(QLatin1String(name)),
                                   "#!/bin/bash\nname=${0##*/} home='" + home_.path({}).toUtf8() +
                                       "'\necho \"$name $*\" >> \"$home/calls\"\n" + script);
        QFile::setPermissions(file, QFile::permissions(file) | QFile::ExeOwner);
    }
    QFile::remove(home_.path("calls"));
    QFile::remove(home_.path("waits"));
    qputenv("PATH", home_.path("bin").toUtf8() + ':' + path_);
}

void TestSweepSlurm::init() {
    SlurmSettings settings;
    settings.chosen = true;
    settings.gres = "gpu:1";
    settings.tasks = 3;
    settings.pollSeconds = 0.2;
    settings.save();
    withCluster(standIn);
    allow("all");
    open();
}

void TestSweepSlurm::settingsAreTheUsers() {
    QVERIFY(page().startsOnSlurm());
    QTest::mouseClick(page().place().settingsButton(), Qt::LeftButton);
    auto* dialog = window_->findChild<SlurmDialog*>("slurmSettings");
    QVERIFY(dialog && dialog->isVisible());
    const auto field = [&](const char* name) { return dialog->findChild<QLineEdit*>(QLatin1String(name)); };
    QCOMPARE(field("gres")->text(), QString("gpu:1"));
    QPushButton* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    field("more")->setText("account");
    QVERIFY2(!ok->isEnabled() && dialog->problem().contains("--sbatch-option=--account=NAME"),
             qPrintable(dialog->problem()));
    field("more")->setText("--account=x --comment=\"two words\"");
    field("cluster")->setText("me@login");
    QVERIFY2(!ok->isEnabled() && dialog->problem().contains("ssh://"), qPrintable(dialog->problem()));
    field("cluster")->clear();
    field("workFolder")->setText("sweeps");
    QVERIFY2(!ok->isEnabled() && dialog->problem().contains("whole path"), qPrintable(dialog->problem()));
    field("workFolder")->clear();
    QVERIFY2(ok->isEnabled() && dialog->problem().isEmpty(), qPrintable(dialog->problem()));
    field("partition")->setText("gpus");
    dialog->findChild<QSpinBox*>("tasks")->setValue(2);
    ok->click();
    const SlurmSettings kept = SlurmSettings::load();
    QCOMPARE(kept.partition, QString("gpus"));
    QCOMPARE(kept.tasks, 2);
    QCOMPARE(kept.setup().options.more, (std::vector<std::string>{"--account=x", "--comment=two words"}));
    // The session does not change, whatever is chosen here.
    QVERIFY(!window_->document().isModified());
    page().place().box()->setCurrentIndex(0);
    QVERIFY(!SlurmSettings::load().chosen && !page().startsOnSlurm());
    QVERIFY(!page().place().settingsButton()->isVisible());
    page().place().box()->setCurrentIndex(1);
    QVERIFY(page().place().settingsButton()->isVisible() && SlurmSettings::load().chosen);
    QVERIFY(!window_->document().isModified());
}

void TestSweepSlurm::pointsRunAsJobs() {
    NEEDS_DEVICE;
    vary("64, 128, 1024, 256");
    QVERIFY2(page().status().contains("4 points, as jobs of Slurm"), qPrintable(page().status()));
    // The text of the editor is what runs: on disk 1024 threads give a wrong result.
    window_->document().mainSource()->setText(QString(scale).replace("> 512", "> 4096"));
    start();
    QTRY_VERIFY_WITH_TIMEOUT(page().isRunning(), patience); // the kernels of the new text are looked up first
    QVERIFY(!page().usesDevice() && window_->findAction("run.run")->isEnabled()); // the device here is free
    QVERIFY(!page().startButton()->isEnabled() && !page().place().box()->isEnabled());
    QVERIFY(ended());
    QVERIFY2(page().report(), qPrintable(page().status()));
    QCOMPARE(measured(), std::size_t(4));
    QVERIFY2(page().results().startsWith("Best: Block ") && page().results().contains("4 of 4 points measured"),
             qPrintable(page().results()));
    QVERIFY(page().report()->best && !page().gpuBox()->isVisible());
    QCOMPARE(page().model().rowCount(), 4);
    QCOMPARE(page().lines().grid().columns(), 4);
    QVERIFY2(calls().contains("--gres=gpu:1 ") && calls().contains("--array=0-2 "), qPrintable(calls()));
    // The table tells the nodes, in the column in front of the results.
    const SweepModel& rows = page().model();
    const int nodes = rows.columnCount() - 2;
    QCOMPARE(rows.headerData(nodes, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Node"));
    for (int row = 0; row < rows.rowCount(); ++row)
        QVERIFY(QRegularExpression("^n[0-2]$").match(rows.index(row, nodes).data().toString()).hasMatch());
    // A point goes to Launch, and all of them to a file with their nodes.
    page().useInLaunch(0);
    QCOMPARE(window_->document().session().launch.block.front(), page().report()->points[0].block.front());
    QString problem;
    QVERIFY2(page().save(home_.path("jobs.csv"), &problem), qPrintable(problem));
    QFile csv(home_.path("jobs.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().split('\n');
    QVERIFY(lines[0].endsWith(",gpu,node") && lines.size() == 6);
    for (int i = 1; i <= 4; ++i)
        QVERIFY(QRegularExpression(",n[0-2]$").match(lines[i]).hasMatch());
    // They are in the history, with where they ran.
    history::History history(RunHistory::file().toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(history.count({}), std::size_t(4), patience);
    for (const auto& entry : history.find({}))
        QVERIFY(QString::fromStdString(entry.note).contains("driver"));
    // The same once more is another one, and the one that is done shows its results without running anything.
    start();
    QVERIFY(ended());
    QVERIFY(QFileInfo::exists(campaign("scale-2.campaign/campaign.json")));
    QCOMPARE(resumable().size(), 2);
    QTRY_COMPARE_WITH_TIMEOUT(history.count({}), std::size_t(8), patience);
    const qsizetype before = calls().count("sbatch");
    QVERIFY2(resumable()[1].startsWith("scale.campaign – 4 points"), qPrintable(resumable().join('\n')));
    page().place().campaigns()->actions()[1]->trigger();
    QVERIFY(page().isRunning() && ended());
    QCOMPARE(measured(), std::size_t(4));
    QCOMPARE(calls().count("sbatch"), before);
    QTest::qWait(100);
    QCOMPARE(history.count({}), std::size_t(8)); // it is there already
}

void TestSweepSlurm::refusalsAreTold_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("words");
    QTest::newRow("partition")
        << QByteArray("[ $name = sbatch ] && { echo 'sbatch: error: invalid partition specified: x' >&2; exit 1; }\n")
        << "invalid partition specified: x. Name a partition";
    QTest::newRow("garbage") << QByteArray("echo '\x01 no number'\n") << "did not print the number";
    QTest::newRow("none") << QByteArray() << "There is no program sbatch here";
}

void TestSweepSlurm::refusalsAreTold() {
    NEEDS_DEVICE;
    QFETCH(QByteArray, script);
    QFETCH(QString, words);
    vary("64, 128");
    withCluster(script);
    if (script.isEmpty()) qputenv("PATH", home_.path("nothing").toUtf8());
    start();
    QVERIFY(page().isRunning() && ended());
    qputenv("PATH", path_);
    QVERIFY2(page().status().contains(words), qPrintable(page().status()));
    QVERIFY(!QFileInfo::exists(campaign())); // what was refused leaves nothing
    QVERIFY(!page().report() && page().startButton()->isEnabled());
    QVERIFY2(resumable().size() == 1 && resumable()[0].startsWith("No sweep"), qPrintable(resumable().join('\n')));
}

void TestSweepSlurm::stopKeepsWhatIsDoneAndResumeGoesOn() {
    NEEDS_DEVICE;
    vary("32, 64, 96, 128, 256, 512");
    allow("0");
    start();
    QTRY_COMPARE_WITH_TIMEOUT(measured(), std::size_t(2), patience);
    QTRY_VERIFY_WITH_TIMEOUT(page().status().contains("1 of 3 done"), patience);
    QVERIFY2(page().status().contains("2 waiting") && page().status().contains("Points: 2 of 6") &&
                 page().status().contains("Resources"),
             qPrintable(page().status()));
    const qsizetype before = calls().count("scancel");
    trigger("run.stop");
    QVERIFY(ended());
    QCOMPARE(calls().count("scancel"), before + 1);
    QCOMPARE(measured(), std::size_t(2));
    QVERIFY2(page().results().contains("stopped") && page().results().contains("4 of 6 points have no result"),
             qPrintable(page().results()));
    // Another window goes on with what is missing.
    closeWindow();
    open();
    QCOMPARE(resumable().size(), 1);
    allow("all");
    page().place().campaigns()->actions()[0]->trigger();
    QVERIFY(page().isRunning() && ended());
    QCOMPARE(measured(), std::size_t(6));
    QVERIFY2(!page().results().contains("no result"), qPrintable(page().results()));
    const QString again = calls().section("sbatch", -1);
    QVERIFY2(again.contains("--array=1-2 "), qPrintable(again));
    // A job that ends without results is told, in its own words.
    vary("64, 128"); // what was set up before was not saved
    withCluster(R"SH(
case $name in
sbatch) echo 7; printf 'error: no such GPU\n' > "$home/sweep/scale-2.campaign/output/7_0.txt" ;;
sacct) echo '7_0|FAILED|2:0|n1' ;;
esac
)SH");
    SlurmSettings settings = page().place().settings();
    settings.tasks = 1;
    page().place().setSettings(settings);
    start();
    QVERIFY(page().isRunning() && ended());
    QVERIFY2(page().status().contains("no such GPU") && page().status().contains("have no result"),
             qPrintable(page().status()));
}

void TestSweepSlurm::jobsGoOnWithoutTheWindow() {
    NEEDS_DEVICE;
    vary("32, 64, 96");
    allow("0");
    start();
    QTRY_COMPARE_WITH_TIMEOUT(measured(), std::size_t(1), patience);
    const qsizetype before = calls().count("scancel");
    closeWindow();
    QCOMPARE(calls().count("scancel"), before); // it left them
    QVERIFY(QFileInfo::exists(home_.path("waits")));
    QVERIFY(!QFileInfo::exists(campaign("scale.campaign/stop")));
    // The command line goes on with it, as it is the same sweep, and the window shows what came of that.
    allow("all");
    QProcess process;
    process.setWorkingDirectory(home_.path("sweep"));
    process.start(qEnvironmentVariable("WARPLIGHT_WORKER"),
                  {"sweep", "scale.warplight", "--vary", "block=32,64,96", "--rounds", "2", "--stop-slower", "0",
                   "--engine", "slurm", "--gres", "gpu:1", "--poll", "200ms", "--resume"});
    QVERIFY(process.waitForFinished(patience));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 0, said.constData());
    QVERIFY(process.readAllStandardOutput().contains("3 of 3 points measured"));
    open();
    QCOMPARE(resumable().size(), 1);
    page().place().campaigns()->actions()[0]->trigger();
    QVERIFY(page().isRunning() && ended());
    QCOMPARE(measured(), std::size_t(3));
    // So does another session in its place.
    vary("32, 64, 96");
    allow("0");
    start();
    QTRY_COMPARE_WITH_TIMEOUT(measured(), std::size_t(1), patience);
    const qsizetype now = calls().count("scancel");
    window_->document().setReadOnly(true);
    QVERIFY(openExample("saxpy"));
    QVERIFY(ended());
    QVERIFY(!page().report() && calls().count("scancel") == now);
}

void TestSweepSlurm::gpusAreNotCompared() {
    NEEDS_DEVICE;
    vary("32, 64, 96, 128");
    SlurmSettings settings = page().place().settings();
    settings.tasks = 2;
    settings.workFolder = home_.path("shared");
    page().place().setSettings(settings);
    start();
    QVERIFY(page().isRunning() && ended());
    QCOMPARE(measured(), std::size_t(4));
    // One of the jobs was on another GPU, which is faster.
    const QString results = home_.path("shared/scale.campaign/results");
    const QStringList logs = QDir(results).entryList(QDir::Files, QDir::Name);
    QCOMPARE(logs.size(), 2);
    QFile log(results + '/' + logs[1]);
    QVERIFY(log.open(QIODevice::ReadOnly));
    std::string lines;
    for (const QByteArray& line : log.readAll().split('\n')) {
        const auto record = cluster::parse_record(std::string_view(line.data(), std::size_t(line.size())));
        if (!record) continue;
        auto body = nlohmann::json::parse(record->body);
        body["machine"]["gpu"] = "Another GPU";
        lines += cluster::record_line(record->point, body.dump());
    }
    log.close();
    QVERIFY(log.open(QIODevice::WriteOnly) && log.write(lines.data(), qint64(lines.size())) > 0);
    log.close();
    QCOMPARE(resumable().size(), 1);
    page().place().campaigns()->actions()[0]->trigger();
    QVERIFY(page().isRunning() && ended());
    QVERIFY(page().gpuBox()->isVisible());
    QCOMPARE(page().gpuBox()->count(), 2);
    QSet<quint64> points;
    for (int i = 0; i < 2; ++i) {
        page().gpuBox()->setCurrentIndex(i);
        emit page().gpuBox() -> activated(i);
        QCOMPARE(page().report()->points.size(), std::size_t(2));
        QVERIFY(page().report()->best.has_value()); // each has its own
        QVERIFY2(page().results().contains("2 of 2 points measured"), qPrintable(page().results()));
        for (const auto& point : page().report()->points)
            points.insert(point.point);
    }
    QCOMPARE(points.size(), 4);
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty()) {
        window_->resize(1440, 1000);
        window_->resizeDocks({window_->findChild<QDockWidget*>("timing")}, {520}, Qt::Vertical);
        QTest::qWait(200);
        window_->grab().save(folder + "/slurm-gpus.png");
    }
    QString problem;
    QVERIFY2(page().save(home_.path("gpus.json"), &problem), qPrintable(problem));
    QFile file(home_.path("gpus.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto report = nlohmann::json::parse(file.readAll().toStdString());
    QCOMPARE(report.at("gpus").size(), std::size_t(2));
    QVERIFY(!report.contains("best"));
}

void TestSweepSlurm::aClusterElsewhereGetsTheFiles() {
    NEEDS_DEVICE;
    vary("32, 64, 96");
    // The other machine is this one, with another home folder.
    const QString there = home_.path("there");
    QDir().mkpath(there);
    const QString ssh =
        write("bin/ssh", "#!/bin/bash\nHOME='" + there.toUtf8() + "'\ncd || exit 255\n" + "echo \"ssh $*\" >> '" +
                             home_.path("calls").toUtf8() + "'\nexec sh -c \"${@: -1}\"\n");
    QFile::setPermissions(ssh, QFile::permissions(ssh) | QFile::ExeOwner);
    qputenv("WARPLIGHT_SSH", ssh.toUtf8());
    SlurmSettings settings = page().place().settings();
    settings.cluster = "ssh://me@login";
    settings.program = qEnvironmentVariable("WARPLIGHT_WORKER");
    settings.workFolder = "sweeps";
    page().place().setSettings(settings);
    QVERIFY2(page().problem().isEmpty(), qPrintable(page().problem()));
    start();
    QVERIFY(page().isRunning() && ended());
    QVERIFY2(page().report(), qPrintable(page().status()));
    QCOMPARE(measured(), std::size_t(3));
    QVERIFY(calls().contains("me@login"));
    const QStringList campaigns = QDir(there + "/sweeps").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(campaigns.size(), 1);
    QVERIFY(QFileInfo::exists(QStringLiteral("%1/sweeps/%2/campaign.json").arg(there, campaigns[0])));
    QVERIFY(QFileInfo::exists(campaign("scale.campaign/campaign.json")));
    qunsetenv("WARPLIGHT_SSH");
}

void TestSweepSlurm::manyPointsAreAskedAbout() {
    vary("1..1001");
    start();
    const auto question = [&] { return window_->findChild<QMessageBox*>("manyPoints"); };
    QTRY_VERIFY_WITH_TIMEOUT(question() && question()->isVisible(), patience);
    QVERIFY(question()->text().contains("001"));
    question()->reject();
    QTest::qWait(50);
    QVERIFY(!page().isRunning() && calls().isEmpty());
    QVERIFY(!QFileInfo::exists(campaign()));
    // Jobs need a session that is saved.
    window_->document().setReadOnly(true);
    trigger("file.new");
    QVERIFY2(page().place().problem().contains("Save the session first"), qPrintable(page().place().problem()));
    QVERIFY(!page().startButton()->isEnabled());
}

void TestSweepSlurm::pictures() {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) QSKIP("WARPLIGHT_PICTURES names a folder for pictures");
    NEEDS_DEVICE;
    window_->resize(1440, 1000);
    window_->resizeDocks({window_->findChild<QDockWidget*>("timing")}, {520}, Qt::Vertical);
    vary("32, 64, 96, 128, 192, 256, 320, 384, 512");
    allow("0");
    start();
    QTRY_VERIFY_WITH_TIMEOUT(measured() == 3 && page().status().contains("1 of 3 done"), patience);
    for (const char* mode : {"light", "dark"}) {
        trigger((std::string("view.theme.") + mode).c_str());
        QTest::qWait(300);
        window_->grab().save(QStringLiteral("%1/slurm-runs-%2.png").arg(folder, QLatin1String(mode)));
        SlurmDialog dialog(page().place().settings(), window_->workbench().theme(), window_.get());
        dialog.show();
        QTest::qWait(200);
        dialog.grab().save(QStringLiteral("%1/slurm-dialog-%2.png").arg(folder, QLatin1String(mode)));
    }
    page().stop();
    QVERIFY(ended());
    QTest::qWait(100);
    window_->grab().save(QStringLiteral("%1/slurm-stopped.png").arg(folder));
    emit page().place().campaigns() -> aboutToShow();
    page().place().campaigns()->popup(window_->mapToGlobal(QPoint(100, 100)));
    QTest::qWait(200);
    page().place().campaigns()->grab().save(QStringLiteral("%1/slurm-menu.png").arg(folder));
    page().place().campaigns()->close();
}

WARPLIGHT_UI_TEST_MAIN(TestSweepSlurm)
#include "test_sweep_slurm.moc"
