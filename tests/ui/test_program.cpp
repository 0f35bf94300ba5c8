// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with main(): built by nvcc and run from the window, with what they print, read, launch and do wrong.
#include "window_fixture.hpp"

#include "ui/common/agreements.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_model.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/program/launch_session_dialog.hpp"
#include "ui/program/program_page.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/timing/launches_model.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QThread>
#include <QTimer>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const echo = R"(#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void fill(int* x, int value) { x[blockIdx.x * blockDim.x + threadIdx.x] = value; }
int main(int argc, char** argv) {
    int* x;
    cudaMalloc(&x, 4096 * sizeof(int));
    for (int i = 0; i < 3; ++i) fill<<<4, 256>>>(x, i);
    fill<<<dim3(2, 2), 128>>>(x, 9);
    if (cudaDeviceSynchronize() != cudaSuccess) return 9;
    for (int i = 1; i < argc; ++i) printf("argument %d: [%s]\n", i, argv[i]);
    char folder[4096];
    printf("folder: %s\n", getcwd(folder, sizeof folder));
    fprintf(stderr, "to the errors\n");
    char line[256];
    while (fgets(line, sizeof line, stdin)) printf("read: %s", line);
    return argc > 1 && !strcmp(argv[1], "fail") ? 3 : 0;
}
)";

const char* const bad = R"(#include <cstdio>
__global__ void past(int* x) {
    x[threadIdx.x + 1000000] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 64);
    past<<<1, 32>>>(x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 1;
}
)";

/// The device that it sees as its first.
const char* const which = R"(#include <cstdio>
int main() {
    int count = 0;
    char name[64] = "none";
    cudaGetDeviceCount(&count);
    cudaDeviceGetPCIBusId(name, sizeof name, 0);
    printf("sees %d, first %s\n", count, name);
    return 0;
}
)";

const char* const question = R"(#include <cstdio>
int main() {
    int n = 0;
    printf("How many? ");
    while (scanf("%d", &n) == 1) printf("%d it is\nHow many? ", n);
    puts("no more");
}
)";

const char* const endless = R"(#include <cstdio>
__global__ void spin(volatile int* x) { while (*x == 0) {} }
int main() {
    int* x;
    cudaMalloc(&x, 4);
    cudaMemset(x, 0, 4);
    puts("it begins");
    spin<<<1, 1>>>(x);
    cudaDeviceSynchronize();
}
)";

} // namespace

class TestProgram : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestProgram(const TestHome& home) : WindowFixture(home) {}

private slots:
    void initTestCase() {
        if (!TestHome::hasDevice()) QSKIP("no device: this build has no software device");
        QProcess nvcc;
        nvcc.start(QStringLiteral(WARPLIGHT_TEST_WORKER), {"exec", "--", "nvcc", "--version"});
        QVERIFY(nvcc.waitForFinished());
        if (nvcc.exitCode() != 0) QSKIP("there is no nvcc to build programs with");
    }
    void init() {
        for (const Agreement& each : agreements())
            forgetAgreement(each);
        openWindow();
        workerIsReady();
    }
    void cleanup() { closeWindow(); }

    void argumentsAreSplitAsByAShell_data();
    void argumentsAreSplitAsByAShell();
    void asksBeforeItRuns();
    void showsOutputExitCodeAndLaunches();
    void readsAFileAndWhatIsTyped();
    void showsAQuestionBeforeItsAnswer();
    void runsOnTheChosenGpu();
    void namesTheLineOfAFault();
    void showsTheCompilersMessages();
    void stopsAnEndlessProgram();
    void outputWithoutEnd();
    void refusesAFolderThatIsNotThere();
    void runsTheExample();
    void keepsTheProgramInTheSession();
    void makesASessionOfALaunch();
    void makesAKernelAProgram();
    void runsANewProgram();

private:
    ProgramRunner& programs() { return window_->programs(); }
    bool open(const QByteArray& source) {
        const QString path = write("programs/test.cu", source);
        letProgramsRun(QFileInfo(path).absolutePath());
        return window_->openFile(path) && window_->document().isProgram();
    }
    void modify(const std::function<void(session::Program&)>& change) {
        window_->document().modify("program", [&](session::Session& s) {
            s.device = driver().toStdString();
            change(*s.program);
        });
    }
    bool runProgram() {
        const std::size_t before = window_->document().runs().size();
        trigger("run.run");
        return QTest::qWaitFor([&] { return window_->document().runs().size() > before && !programs().isBusy(); },
                               patience);
    }
    QString printed() {
        QString text;
        for (const OutputLine& line : window_->panel<OutputPanel>().log().lines())
            text += line.text + '\n';
        return text;
    }
};

void TestProgram::argumentsAreSplitAsByAShell_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("none") << "" << QStringList();
    QTest::newRow("plain") << "-n 12 file.txt" << QStringList{"-n", "12", "file.txt"};
    QTest::newRow("blanks") << "\"two words\" x" << QStringList{"two words", "x"};
    QTest::newRow("empty") << "a \"\" b" << QStringList{"a", "", "b"};
    QTest::newRow("quotes") << "\"say \"\"\"hello\"\"\"\"" << QStringList{"say \"hello\""};
    QTest::newRow("letters") << "ж é 😀" << QStringList{"ж", "é", "😀"};
}
void TestProgram::argumentsAreSplitAsByAShell() {
    QFETCH(QString, text);
    QFETCH(QStringList, arguments);
    std::vector<std::string> wanted;
    for (const QString& each : arguments)
        wanted.push_back(each.toStdString());
    QCOMPARE(splitArguments(text), wanted);
    QCOMPARE(splitArguments(joinArguments(wanted)), wanted);
}

void TestProgram::asksBeforeItRuns() {
    const QString path = write("programs/test.cu", echo);
    QVERIFY(window_->openFile(path));
    modify([](session::Program& program) { program.input = "test.cu"; });
    trigger("run.run");
    QVERIFY(banner("run").contains("This program may do whatever you may do"));
    QVERIFY(!programs().isBusy());
    QVERIFY(window_->banners().press("run", "Don't allow"));
    QVERIFY(!programs().isBusy());
    trigger("build.build"); // options of nvcc may start programs, too
    QVERIFY(banner("run").contains("This program may do whatever you may do"));
    QVERIFY(!programs().isBusy());
    trigger("run.run");
    QVERIFY(window_->banners().press("run", "Allow programs of this folder"));
    QVERIFY(QTest::qWaitFor([&] { return !window_->document().runs().empty(); }, patience));
    QVERIFY(programsMayRun(QFileInfo(path).absolutePath()));
    QVERIFY(agreementsOf(QFileInfo(path).absolutePath()).isEmpty());
}

void TestProgram::showsOutputExitCodeAndLaunches() {
    QVERIFY(open(echo));
    QDir().mkpath(home_.path("programs/deep folder"));
    LaunchPanel& launch = window_->panel<LaunchPanel>();
    auto* arguments = launch.programPage().argumentsEdit();
    QTest::keyClicks(arguments, "fail \"two words\"");
    modify([](session::Program& program) {
        program.folder = "deep folder";
        program.input = "test.cu";
    });
    QCOMPARE(arguments->text(), QString("fail \"two words\""));
    QVERIFY(runProgram());
    const QString text = printed();
    QVERIFY2(text.contains("argument 1: [fail]\nargument 2: [two words]\n"), qPrintable(text));
    QVERIFY2(text.contains("/programs/deep folder\n"), qPrintable(text));
    QVERIFY2(text.contains("to the errors\n") && text.contains("read: #include <cstdio>\n"), qPrintable(text));
    QVERIFY2(banner("run").contains("test ended with exit code 3"), qPrintable(banner("run")));

    LaunchesModel& launches = window_->panel<TimingPanel>().launches();
    QCOMPARE(launches.rowCount(), 2);
    QMap<QString, QString> counts;
    for (int row = 0; row < launches.rowCount(); ++row) {
        const auto cell = [&](int column) { return launches.index(row, column).data().toString(); };
        QVERIFY2(cell(LaunchesModel::Kernel).startsWith("fill"), qPrintable(cell(LaunchesModel::Kernel)));
        QVERIFY(launches.index(row, LaunchesModel::Total).data(LaunchesModel::SortRole).toDouble() > 0);
        counts[cell(LaunchesModel::Grid) + "|" + cell(LaunchesModel::Block)] = cell(LaunchesModel::Count);
    }
    QCOMPARE(counts, (QMap<QString, QString>{{"4|256", "3"}, {"2 × 2|128", "1"}}));
    QVERIFY(window_->document().runs().back().program->summary.contains("4 launches of one kernel"));
    // Again, without a build: nothing has changed.
    QSignalSpy built(&programs(), &ProgramRunner::built);
    QVERIFY(runProgram());
    QCOMPARE(built.size(), 0);
    // A header beside the source counts, too, also where the session lies elsewhere.
    write("programs/own.h", "#define CODE 0\n");
    window_->document().mainSource()->setText("#include \"own.h\"\n" +
                                              QString(echo).replace("return argc", "return CODE && argc"));
    QDir().mkpath(home_.path("elsewhere"));
    QVERIFY2(window_->saveSessionAs(home_.path("elsewhere/s.warplight")), "");
    letProgramsRun(home_.path("elsewhere"));
    modify([this](session::Program& program) {
        program.folder.clear();
        program.input = home_.path("programs/test.cu").toStdString();
    });
    QVERIFY(runProgram());
    QCOMPARE(built.size(), 1);
    QVERIFY(banner("run").isEmpty());
    write("programs/own.h", "#define CODE 0 // again\n");
    QVERIFY(runProgram());
    QCOMPARE(built.size(), 2);
    QVERIFY(banner("run").isEmpty());
}

void TestProgram::readsAFileAndWhatIsTyped() {
    QVERIFY(open(echo));
    modify([](session::Program&) {});
    OutputPanel& output = window_->panel<OutputPanel>();
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(programs().takesInput() && printed().contains("folder: "), patience);
    QVERIFY(output.inputEdit()->isVisible());
    QTest::keyClicks(output.inputEdit(), "hello");
    QTest::keyClick(output.inputEdit(), Qt::Key_Return);
    QTRY_VERIFY(printed().contains("read: hello\n"));
    emit output.inputEnded();
    QTRY_VERIFY_WITH_TIMEOUT(!programs().isBusy(), patience);
    QVERIFY(!output.inputEdit()->isVisible());
    QVERIFY(printed().contains("ended with exit code 0"));
}

void TestProgram::showsAQuestionBeforeItsAnswer() {
    QVERIFY(open(question));
    modify([](session::Program&) {});
    OutputPanel& output = window_->panel<OutputPanel>();
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(printed().contains("How many? "), patience);
    QTest::keyClicks(output.inputEdit(), "42");
    QTest::keyClick(output.inputEdit(), Qt::Key_Return);
    QTRY_VERIFY(printed().contains("42 it is"));
    emit output.inputEnded();
    QTRY_VERIFY_WITH_TIMEOUT(!programs().isBusy(), patience);
    QVERIFY(printed().contains("no more"));
}

void TestProgram::runsOnTheChosenGpu() {
    if (driver() != "cuda") QSKIP("the software device's number is an option of `exec`");
    QVERIFY(open(which));
    QStringList seen;
    for (const char* device : {"cuda:0", "cuda:1"}) {
        window_->document().modify("device", [&](session::Session& s) { s.device = device; });
        QVERIFY(runProgram());
        const QStringList lines = printed().split('\n').filter("sees ");
        QVERIFY2(!lines.isEmpty(), qPrintable(printed()));
        seen << lines.last();
        if (seen.first().startsWith("sees 1,")) QSKIP("there is one GPU");
    }
    QVERIFY2(seen[1].startsWith("sees 1,"), qPrintable(seen[1]));
    QVERIFY2(seen[0].section(' ', -1) != seen[1].section(' ', -1), qPrintable(seen.join("; ")));
}

void TestProgram::namesTheLineOfAFault() {
    if (driver() == "cuda") QSKIP("a GPU does not tell the line");
    QVERIFY(open(bad));
    modify([](session::Program&) {});
    QVERIFY(runProgram());
    QVERIFY2(banner("run").contains("A kernel of the program failed"), qPrintable(banner("run")));
    const ProblemsModel& problems = *window_->panel<ProblemsPanel>().model();
    QCOMPARE(problems.rowCount(), 1);
    const QModelIndex first = problems.index(0, ProblemsModel::Message);
    QVERIFY2(first.data(ProblemsModel::FileRole).toString().endsWith("test.cu"),
             qPrintable(first.data(ProblemsModel::FileRole).toString()));
    QCOMPARE(first.data(ProblemsModel::LineRole).toInt(), 3);
    QVERIFY2(!printed().contains("warplight-program-"), qPrintable(printed()));
}

void TestProgram::showsTheCompilersMessages() {
    QVERIFY(open(QByteArray(bad).replace("x[threadIdx.x", "z[threadIdx.x")));
    modify([](session::Program&) {});
    trigger("build.build");
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().compileOutput().valid && !programs().isBusy(), patience);
    QVERIFY(!window_->document().compileOutput().ok);
    const ProblemsModel& problems = *window_->panel<ProblemsPanel>().model();
    QVERIFY(problems.rowCount() >= 1);
    const QModelIndex first = problems.index(0, ProblemsModel::Message);
    QVERIFY2(first.data().toString().contains("\"z\""), qPrintable(first.data().toString()));
    QCOMPARE(first.data(ProblemsModel::LineRole).toInt(), 3);
    QVERIFY(first.data(ProblemsModel::FileRole).toString().endsWith("programs/test.cu"));
    QVERIFY(window_->document().runs().empty());
}

void TestProgram::stopsAnEndlessProgram() {
    QVERIFY(open(endless));
    modify([](session::Program&) {});
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(printed().contains("it begins"), patience);
    QVERIFY(window_->findAction("run.stop")->isEnabled() && !window_->findAction("run.run")->isEnabled());
    QElapsedTimer timer;
    timer.start();
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!programs().isBusy(), 10000);
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(banner("run").startsWith("Stopped"));
    QVERIFY(window_->document().runs().empty());
}

/// The window goes on while a program prints as fast as it can, and keeps the last lines.
void TestProgram::outputWithoutEnd() {
    QVERIFY(open("#include <cstdio>\nint main() { for (long i = 0;; ++i) printf(\"line %ld\\n\", i); }\n"));
    modify([](session::Program&) {});
    trigger("run.run");
    QTRY_VERIFY_WITH_TIMEOUT(printed().contains("line 9"), patience);
    int ticks = 0;
    QTimer ticking;
    connect(&ticking, &QTimer::timeout, this, [&] { ++ticks; });
    ticking.start(20);
    QTRY_VERIFY_WITH_TIMEOUT(ticks > 40, 20000); // on a machine that other programs use too
    OutputLog& log = window_->panel<OutputPanel>().log();
    QVERIFY(log.lines().size() <= log.limit() && log.dropped() > 0);
    QElapsedTimer timer;
    timer.start();
    trigger("run.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!programs().isBusy(), 20000);
    qInfo("%d ticks in 2 s, %lld lines dropped, stopped after %lld ms", ticks, static_cast<long long>(log.dropped()),
          static_cast<long long>(timer.elapsed()));
    QVERIFY(timer.elapsed() < 10000);
}

void TestProgram::refusesAFolderThatIsNotThere() {
    QVERIFY(open(echo));
    modify([](session::Program& program) { program.folder = "nowhere"; });
    trigger("run.run");
    QVERIFY2(banner("run").contains("nowhere") && banner("run").contains("does not exist"), qPrintable(banner("run")));
    modify([](session::Program& program) {
        program.folder.clear();
        program.input = "nothing.txt";
    });
    trigger("run.run");
    QVERIFY2(banner("run").contains("nothing.txt") && banner("run").contains("cannot be read"),
             qPrintable(banner("run")));
}

void TestProgram::runsTheExample() {
    QVERIFY(openExample("first_program"));
    modify([](session::Program&) {});
    QVERIFY(runProgram()); // of Warplight's own examples it does not ask
    QVERIFY2(printed().contains("All sums are right."), qPrintable(printed()));
}

void TestProgram::keepsTheProgramInTheSession() {
    QVERIFY(open(echo));
    modify([](session::Program& program) { program.arguments = {"a b", "", "c"}; });
    QString problem;
    QVERIFY2(window_->saveSessionAs(home_.path("programs/kept.warplight")), qPrintable(problem));
    closeWindow();
    openWindow();
    QVERIFY(window_->openFile(home_.path("programs/kept.warplight")));
    QVERIFY(window_->document().isProgram());
    QCOMPARE(window_->document().session().program->arguments, (std::vector<std::string>{"a b", "", "c"}));
    QCOMPARE(window_->panel<LaunchPanel>().programPage().argumentsEdit()->text(), QString("\"a b\" \"\" c"));
}

void TestProgram::makesASessionOfALaunch() {
    QVERIFY(open(echo));
    modify([](session::Program& program) { program.input = "test.cu"; });
    QVERIFY(window_->saveSessionAs(home_.path("programs/test.warplight")));
    QVERIFY(runProgram());
    TimingPanel& timing = window_->panel<TimingPanel>();
    auto* table = timing.findChild<QTableView*>("launches");
    auto* make = timing.findChild<QAction*>("sessionOfLaunch");
    QVERIFY(table && make && !make->isEnabled());
    QCOMPARE(table->model()->rowCount(), 2);
    const int row = table->model()->index(0, LaunchesModel::Count).data().toString() == "3" ? 0 : 1;
    table->setCurrentIndex(table->model()->index(row, 0));
    QVERIFY(make->isEnabled());
    // The second launch, after one that was stopped, in a folder that has its name in the way.
    QStringList said;
    const auto drive = [&](const std::function<void(LaunchSessionDialog&)>& how) {
        QTimer::singleShot(0, this, [how] {
            auto* dialog = qobject_cast<LaunchSessionDialog*>(QApplication::activeModalWidget());
            if (dialog) how(*dialog);
        });
        make->trigger();
    };
    drive([&](LaunchSessionDialog& dialog) {
        dialog.findChild<QSpinBox*>("launchNumber")->setValue(2);
        QVERIFY(dialog.findChild<QLineEdit*>("launchFolder")->text().endsWith("fill-session"));
        dialog.start();
        QVERIFY(dialog.isRunning());
        dialog.reject(); // stops
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, patience));
        said << dialog.findChild<QLabel*>("launchSaid")->text();
        dialog.start();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.isRunning(); }, patience));
        said << dialog.findChild<QLabel*>("launchSaid")->text();
        if (dialog.isVisible()) dialog.reject();
    });
    QVERIFY2(said.size() == 2 && said[0].contains("Stopped") && said[1].contains("runs again"),
             qPrintable(said.join('|')));
    const session::Session& made = window_->document().session();
    QVERIFY2(!made.program && made.kernel == "fill", made.kernel.c_str());
    QVERIFY(window_->document().path().endsWith("fill-session/test.warplight"));
    QCOMPARE(made.launch.block[0], 256u);
    QCOMPARE(session::as_double(std::get<session::Number>(made.arguments[1].value)), 1.0); // the second of 0, 1, 2
    QVERIFY(made.arguments[0].expect.has_value());
}

void TestProgram::makesAKernelAProgram() {
    const QString path = write("programs/kernel.cu", "__global__ void k(int* x) { x[0] = 1; }\n");
    QVERIFY(window_->openFile(path));
    QVERIFY(!window_->document().isProgram());
    trigger("run.asProgram");
    QVERIFY(window_->document().isProgram());
    QCOMPARE(window_->document().session().compile.compiler, std::string("nvcc"));
    trigger("run.asProgram");
    QVERIFY(!window_->document().isProgram());
    trigger("edit.undoSession");
    QVERIFY(window_->document().isProgram());
    trigger("edit.undoSession");
    QVERIFY(!window_->document().isProgram() && !window_->document().isModified());
}

void TestProgram::runsANewProgram() {
    trigger("file.newProgram");
    QVERIFY(window_->document().isProgram());
    modify([](session::Program&) {});
    QVERIFY(runProgram()); // what is typed here is the user's own
    QVERIFY2(printed().contains("7 squared is 49\n"), qPrintable(printed()));
}

WARPLIGHT_UI_TEST_MAIN(TestProgram)
#include "test_program.moc"
