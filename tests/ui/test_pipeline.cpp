// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions of several steps in the real window: their steps, times and frames.
#include "session/struct_value.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/buffers/frames_page.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/function/register_dialog.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/launch/pipeline_edit.hpp"
#include "ui/launch/pipeline_page.hpp"
#include "ui/launch/step_dialog.hpp"
#include "ui/timing/steps_table.hpp"
#include "ui/timing/timing_panel.hpp"
#include "window_fixture.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

using namespace warplight;
using namespace warplight::ui;

namespace {

session::PipelineStep fillOf(const std::string& buffer) {
    session::PipelineStep step;
    session::FillStep fill;
    fill.buffer = buffer;
    step.what = fill;
    return step;
}

session::PipelineStep loopOf(std::vector<session::PipelineStep> steps) {
    session::PipelineStep step;
    session::LoopStep loop;
    loop.steps = std::move(steps);
    step.what = loop;
    return step;
}

/// "a(b c) d": fills by name, and loops in parentheses.
QString order(const std::vector<session::PipelineStep>& steps) {
    QStringList texts;
    for (const session::PipelineStep& step : steps)
        if (const auto* loop = std::get_if<session::LoopStep>(&step.what))
            texts << QLatin1Char('(') + order(loop->steps) + QLatin1Char(')');
        else
            texts << QString::fromStdString(std::get<session::FillStep>(step.what).buffer);
    return texts.join(QLatin1Char(' '));
}

compiler::Kernel kernelOf(const std::string& name, const std::vector<std::pair<std::string, std::string>>& parameters) {
    compiler::Kernel kernel;
    kernel.name = name;
    for (const auto& [type, of] : parameters) {
        compiler::Parameter parameter;
        parameter.name = of;
        parameter.type = type;
        parameter.pointer = type.ends_with('*');
        parameter.dtype = type.starts_with("float") ? "float32" : "int32";
        kernel.parameters.push_back(parameter);
    }
    return kernel;
}

/// Arrays are names, and anything else is a value of type i32.
session::PipelineStep launchOf(const std::string& kernel, const std::vector<std::string>& arguments) {
    session::LaunchStep launch;
    launch.kernel = kernel;
    for (const std::string& each : arguments) {
        session::StepArgument argument;
        const bool number = each.find_first_not_of("0123456789") == std::string::npos;
        if (number)
            argument.value = std::int64_t{std::stoi(each)};
        else
            argument.name = each;
        launch.arguments.push_back(argument);
    }
    session::PipelineStep step;
    step.what = launch;
    return step;
}

session::Session sessionOf(const std::vector<std::string>& arrays) {
    session::Session session;
    for (const std::string& name : arrays) {
        session::Argument argument;
        argument.name = name;
        argument.direction = session::Direction::inout;
        session.arguments.push_back(argument);
    }
    return session;
}

QComboBox* boxOf(const QWidget& dialog, const QString& name) {
    const auto boxes = dialog.findChildren<QComboBox*>();
    const auto found = std::ranges::find_if(boxes, [&](const QComboBox* box) { return box->accessibleName() == name; });
    return found == boxes.end() ? nullptr : *found;
}

/// The first box of a launch.
QComboBox* kernelBoxOf(const QWidget& dialog) { return dialog.findChild<QComboBox*>(); }

QString detailsOf(const StepDialog& dialog) { return stepDetails(dialog.step()).section(QLatin1Char(')'), 0, 0); }

} // namespace

class TestPipeline : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestPipeline(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() {
        openWindow();
        window_->resize(1440, 900);
    }
    void cleanup() { closeWindow(); }

    void stepsMove();
    void extentsAreSplit();
    void aLaunchBecomesSteps();
    void stepsAreEdited();
    void keysOfTheListAreItsOwn();
    void anotherNameKeepsWhatWasGiven();
    void anUnknownKernelKeepsTypes();
    void newKernelsDoNotReachAnOpenDialog();
    void instancesOfStepsAreMade();
    void aStructHasTheFieldsOfItsLaunch();
    void noBlockIsSuggestedToSteps();
    void registersAreThoseOfTheFirstLaunch();
    void aStepThatCannotBeIsTold();
    void heatRunsAndPlays();
    void galaxyHasTimesOfItsSteps();

private:
    Document& document() { return window_->document(); }
    LaunchPanel& launch() { return window_->panel<LaunchPanel>(); }
    PipelinePage& page() { return launch().pipelinePage(); }
    void grab(const char* name, QWidget* widget) {
        const QString folder = qEnvironmentVariable("WARPLIGHT_TEST_PICTURES");
        if (!folder.isEmpty()) widget->grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name)));
    }
};

void TestPipeline::stepsMove() {
    session::Pipeline pipeline;
    pipeline.steps = {fillOf("a"), loopOf({fillOf("b"), fillOf("c")}), fillOf("d")};
    QCOMPARE(order(pipeline.steps), QStringLiteral("a (b c) d"));
    const auto moved = [&](const StepPath& path, bool down, const StepPath& to, const char* text) {
        const StepPath place = moveStep(pipeline, path, down);
        QCOMPARE(place, to);
        QCOMPARE(order(pipeline.steps), QString::fromLatin1(text));
    };
    moved({0}, true, {0, 0}, "(a b c) d");
    moved({0, 0}, true, {0, 1}, "(b a c) d");
    moved({0, 2}, true, {1}, "(b a) c d");
    moved({0, 0}, false, {0}, "b (a) c d");
    moved({0}, false, {0}, "b (a) c d");
    moved({2}, false, {1, 1}, "b (a c) d");
    moved({2}, true, {2}, "b (a c) d");
    moved({1}, true, {2}, "b d (a c)");
    QCOMPARE(insertStep(pipeline, {2}, fillOf("e")), (StepPath{2, 2}));
    QCOMPARE(insertStep(pipeline, {0}, fillOf("f")), (StepPath{1}));
    QCOMPARE(insertStep(pipeline, {}, fillOf("g")), (StepPath{4}));
    QCOMPARE(order(pipeline.steps), QStringLiteral("b f d (a c e) g"));
    QCOMPARE(duplicateStep(pipeline, {3}), (StepPath{4}));
    removeStep(pipeline, {3, 1});
    removeStep(pipeline, {9, 1});
    QCOMPARE(order(pipeline.steps), QStringLiteral("b f d (a e) (a c e) g"));
    QCOMPARE(stepNumber({4, 1}), QStringLiteral("5.2"));
    QVERIFY(!stepAt(pipeline, {0, 0}));
}

void TestPipeline::extentsAreSplit() {
    QCOMPARE(splitExtents(QStringLiteral("4, 2")), (QStringList{"4", "2"}));
    QCOMPARE(splitExtents(QStringLiteral("32x8")), (QStringList{"32", "8"}));
    QCOMPARE(splitExtents(QStringLiteral("ceil(max(n, m)/bx), 3")), (QStringList{"ceil(max(n, m)/bx)", "3"}));
    QVERIFY(splitExtents(QStringLiteral("  ")).isEmpty());
}

void TestPipeline::aLaunchBecomesSteps() {
    QVERIFY(openExample(QStringLiteral("saxpy")));
    const session::Session before = document().session();
    auto* mode = launch().modeBox();
    QVERIFY(launch().form().isVisibleTo(&launch()) && !page().isVisibleTo(&launch()));
    mode->setCurrentIndex(1);
    emit mode->activated(1);
    QVERIFY(document().session().pipeline);
    QVERIFY(!launch().form().isVisibleTo(&launch()) && page().isVisibleTo(&launch()));
    const auto& steps = document().session().pipeline->steps;
    QCOMPARE(steps.size(), std::size_t(1));
    auto* kernels = window_->findChild<QComboBox*>(QStringLiteral("kernelBox"));
    QVERIFY(kernels && !kernels->isEnabled() && kernels->currentIndex() < 0);
    QCOMPARE(stepText(steps[0]), QStringLiteral("saxpy"));
    QCOMPARE(stepDetails(steps[0]), QStringLiteral("(n, a, x, y), 256 blocks of 256"));
    QCOMPARE(launch().problem(), QString());
    page().add(4);
    page().setCurrent({1});
    page().add(3);
    QCOMPARE(page().current(), (StepPath{1, 0}));
    QCOMPARE(stepText(*stepAt(*document().session().pipeline, {1, 0})), QStringLiteral("Swap x and y"));
    page().stepActions()[1]->trigger(); // duplicate
    page().stepActions()[3]->trigger(); // up
    page().stepActions()[2]->trigger(); // remove
    QCOMPARE(document().session().pipeline->steps.size(), std::size_t(2));
    for (int i = 0; i < 6; ++i)
        document().undoStack().undo();
    QVERIFY(!document().session().pipeline);
    QVERIFY(kernels->isEnabled() && kernels->currentText() == QLatin1String("saxpy"));
    QCOMPARE(session::to_text(document().session()), session::to_text(before));
}

void TestPipeline::stepsAreEdited() {
    QVERIFY(openExample(QStringLiteral("heat")));
    QTRY_VERIFY_WITH_TIMEOUT(!document().kernels().empty(), patience);
    page().setCurrent({0, 0});
    bool seen = false;
    QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<StepDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        seen = true;
        grab("step", dialog);
        QCOMPARE(dialog->problem(), QString());
        const auto boxes = dialog->findChildren<QComboBox*>();
        const auto fifth = std::find_if(boxes.begin(), boxes.end(), [](const QComboBox* box) {
            return box->accessibleName() == QLatin1String("Argument alpha");
        });
        QVERIFY(fifth != boxes.end());
        (*fifth)->setCurrentText(QStringLiteral("= nonsense"));
        QCOMPARE(std::get<session::LaunchStep>(dialog->step().what).arguments[4].formula, std::string("nonsense"));
        (*fifth)->setCurrentText(QStringLiteral("many"));
        QVERIFY(dialog->problem().contains(QLatin1String("\"many\" is no argument")));
        QVERIFY(!dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
        (*fifth)->setCurrentText(QStringLiteral("0.125"));
        QCOMPARE(dialog->problem(), QString());
        dialog->accept();
    });
    page().editCurrent();
    QVERIFY(seen);
    const auto* step = stepAt(*document().session().pipeline, {0, 0});
    const auto& edited = std::get<session::LaunchStep>(step->what);
    QCOMPARE(edited.arguments[4].type, std::string("f32"));
    QCOMPARE(session::as_double(edited.arguments[4].value), 0.125);
    QCOMPARE(edited.grid.size(), std::size_t(2));
    QCOMPARE(edited.launch.block[1], 8u);
    document().undoStack().undo();
    QCOMPARE(std::get<session::LaunchStep>(stepAt(*document().session().pipeline, {0, 0})->what).arguments[4].name,
             std::string("alpha"));
    QVERIFY(!document().isSessionModified());
}

void TestPipeline::keysOfTheListAreItsOwn() {
    QVERIFY(openExample(QStringLiteral("heat")));
    window_->showPanel("launch");
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    auto* list = page().findChild<QTreeWidget*>();
    list->setFocus();
    page().setCurrent({0, 1});
    const QString source = document().mainSource()->text();
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(page().current(), (StepPath{0, 0}));
    QCOMPARE(stepText(*stepAt(*document().session().pipeline, {0, 0})), QStringLiteral("Swap t and next"));
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(page().current(), (StepPath{0, 1}));
    QCOMPARE(document().mainSource()->text(), source);
    QTest::keyClick(list, Qt::Key_Delete);
    QVERIFY(!stepAt(*document().session().pipeline, {0, 1}));
}

void TestPipeline::anotherNameKeepsWhatWasGiven() {
    const session::Session session = sessionOf({"a", "b", "c"});
    const std::vector<compiler::Kernel> kernels{
        kernelOf("flow", {{"float*", "from"}, {"float*", "to"}, {"int", "n"}}),
        kernelOf("sum", {{"float*", "x"}, {"int", "n"}}),
        kernelOf("fill<int>", {{"int*", "x"}}),
    };
    StepDialog dialog(launchOf("flow", {"c", "b", "5"}), session, kernels);
    QCOMPARE(detailsOf(dialog), QStringLiteral("(c, b, 5"));
    QComboBox* kernel = kernelBoxOf(dialog);
    // One letter and back.
    kernel->setCurrentText(QStringLiteral("flo"));
    QCOMPARE(detailsOf(dialog), QStringLiteral("(c, b, 5"));
    kernel->setCurrentText(QStringLiteral("flow"));
    QCOMPARE(detailsOf(dialog), QStringLiteral("(c, b, 5"));
    // What is typed stays, too, and goes to parameters of the same name.
    boxOf(dialog, QStringLiteral("Argument n"))->setCurrentText(QStringLiteral("= 2*round"));
    kernel->setCurrentText(QStringLiteral("sum"));
    QCOMPARE(detailsOf(dialog), QStringLiteral("(a, = 2*round"));
    kernel->setCurrentText(QStringLiteral("fill<int>"));
    QCOMPARE(detailsOf(dialog), QStringLiteral("(a"));
    kernel->setCurrentText(QStringLiteral("flow"));
    QCOMPARE(detailsOf(dialog), QStringLiteral("(c, b, = 2*round"));
    QCOMPARE(dialog.problem(), QString());
}

void TestPipeline::anUnknownKernelKeepsTypes() {
    session::PipelineStep step = launchOf("scale<short>", {"a", "5"});
    auto& launch = std::get<session::LaunchStep>(step.what);
    launch.arguments.push_back({{}, "f64", 1.0, {}});
    StepDialog dialog(step, sessionOf({"a"}), {});
    const auto fields = dialog.findChildren<QLineEdit*>();
    const auto grid = std::ranges::find_if(
        fields, [](const QLineEdit* field) { return field->toolTip().startsWith(QLatin1String("Blocks:")); });
    QVERIFY(grid != fields.end());
    (*grid)->setText(QStringLiteral("7"));
    QCOMPARE(dialog.problem(), QString());
    const auto now = std::get<session::LaunchStep>(dialog.step().what);
    QCOMPARE(now.launch.grid[0], 7u);
    QCOMPARE(now.arguments[1].type, std::string("i32"));
    QCOMPARE(now.arguments[2].type, std::string("f64"));
    QVERIFY(now.arguments[2].value == session::Number(1.0));
}

void TestPipeline::newKernelsDoNotReachAnOpenDialog() {
    std::vector<compiler::Kernel> kernels{kernelOf("flow", {{"float*", "from"}, {"int", "n"}})};
    StepDialog dialog(launchOf("flow", {"a", "5"}), sessionOf({"a"}), kernels);
    kernels.clear(); // as a reply would
    boxOf(dialog, QStringLiteral("Argument n"))->setCurrentText(QStringLiteral("0.5"));
    QVERIFY(!dialog.problem().isEmpty());
    boxOf(dialog, QStringLiteral("Argument n"))->setCurrentText(QStringLiteral("6"));
    QCOMPARE(dialog.problem(), QString());
    QCOMPARE(std::get<session::LaunchStep>(dialog.step().what).arguments[1].type, std::string("i32"));
}

void TestPipeline::instancesOfStepsAreMade() {
    QVERIFY(openExample(QStringLiteral("heat")));
    document().mainSource()->setText(
        QStringLiteral("template <class T> __global__ void scale(float* t, T by) { t[threadIdx.x] *= float(by); }\n"
                       "__global__ void other(float* t) { t[0] = 1; }\n"));
    QVERIFY(isCompiled());
    QTRY_VERIFY_WITH_TIMEOUT(document().kernel("other"), patience);
    const auto has = [](const std::vector<compiler::Kernel>& kernels, const char* name) {
        return std::ranges::find(kernels, name, &compiler::Kernel::name) != kernels.end();
    };
    for (const char* instance : {"scale<short>", "scale<char>"}) {
        QVERIFY(!has(document().kernels(), instance));
        document().modify(QStringLiteral("Steps"), [&](session::Session& session) {
            session.pipeline->steps = {launchOf("other", {"t"}), loopOf({launchOf(instance, {"t", "5"})})};
        });
        // Its parameters come from the text; the build makes its code.
        QTRY_VERIFY_WITH_TIMEOUT(has(document().kernels(), instance), patience);
        QTRY_VERIFY_WITH_TIMEOUT(has(document().compileOutput().kernels, instance), patience);
    }
    QVERIFY(document().compileOutput().ok);
}

void TestPipeline::aStructHasTheFieldsOfItsLaunch() {
    QVERIFY(openExample(QStringLiteral("heat")));
    document().mainSource()->setText(QStringLiteral("struct Wave { float height; int length; };\n"
                                                    "__global__ void first(float* t) { t[0] = 1; }\n"
                                                    "__global__ void second(float* t, Wave wave) { t[0] = wave.height; "
                                                    "}\n"));
    document().modify(QStringLiteral("Steps"), [](session::Session& session) {
        session::Argument wave;
        wave.name = "wave";
        wave.direction = session::Direction::scalar;
        wave.type = session::struct_type;
        wave.value = session::struct_value("{}");
        session.arguments.push_back(wave);
        session.pipeline->steps = {launchOf("first", {"t"}), loopOf({launchOf("second", {"t", "wave"})})};
    });
    workerIsReady();
    QString fields;
    QTimer looks;
    connect(&looks, &QTimer::timeout, this, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        fields = QString::fromLatin1(dialog->metaObject()->className());
        if (const auto* tree = dialog->findChild<QTreeWidget*>(); tree && tree->topLevelItemCount() > 0)
            fields = tree->topLevelItem(0)->text(0);
        dialog->reject();
    });
    looks.start(50);
    auto* table = launch().findChild<QTableView*>();
    table->setCurrentIndex(table->model()->index(table->model()->rowCount() - 1, 0));
    launch().panelActions().first()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!fields.isEmpty(), patience);
    QCOMPARE(fields, QStringLiteral("height"));
}

void TestPipeline::noBlockIsSuggestedToSteps() {
    NEEDS_DEVICE;
    QVERIFY(openExample(QStringLiteral("saxpy")));
    workerIsReady();
    document().modify(QStringLiteral("Small Blocks"), [](session::Session& s) { s.launch.block = {32, 1, 1}; });
    QAction* suggest = launch().panelActions().last();
    QTRY_VERIFY_WITH_TIMEOUT(suggest->isEnabled(), patience);
    document().modify(QStringLiteral("Steps"), [](session::Session& s) { s.pipeline = pipelineOf(s); });
    QVERIFY(!suggest->isEnabled());
    QTest::qWait(600); // occupancy is asked for a while after a change
    QVERIFY(!suggest->isEnabled());
    document().undoStack().undo();
    QTRY_VERIFY_WITH_TIMEOUT(suggest->isEnabled(), patience);
}

void TestPipeline::registersAreThoseOfTheFirstLaunch() {
    QVERIFY(openExample(QStringLiteral("galaxy")));
    workerIsReady();
    RegisterDialog dialog(window_->workbench());
    QSignalSpy filled(&dialog, &RegisterDialog::filled);
    QVERIFY(filled.wait(patience));
    QVERIFY2(dialog.table().ok, dialog.table().problem.c_str());
    QCOMPARE(dialog.table().kernel, std::string("attract"));
    QCOMPARE(dialog.table().threads, 128);
    QCOMPARE(dialog.table().shared, std::uint64_t(2048));
    // Without a launch there is no kernel to ask for.
    auto* button = window_->panel<FunctionPanel>().registersButton();
    QVERIFY(button->isEnabled());
    document().modify(QStringLiteral("Steps"), [](session::Session& s) { s.pipeline->steps = {fillOf("picture")}; });
    QVERIFY(!button->isEnabled());
}

void TestPipeline::aStepThatCannotBeIsTold() {
    QVERIFY(openExample(QStringLiteral("heat")));
    QTRY_VERIFY_WITH_TIMEOUT(!document().kernels().empty(), patience);
    QCOMPARE(launch().problem(), QString());
    const auto change = [&](const std::function<void(session::LoopStep&)>& edit) {
        document().modify(QStringLiteral("Break"), [&](session::Session& session) {
            edit(std::get<session::LoopStep>(session.pipeline->steps[0].what));
        });
        const QString problem = launch().problem();
        document().undoStack().undo();
        return problem;
    };
    QCOMPARE(change([](auto& loop) { std::get<session::LaunchStep>(loop.steps[0].what).arguments.pop_back(); }),
             QStringLiteral("Step 1.1: flow takes 5 arguments, and is given 4."));
    QCOMPARE(change([](auto& loop) { std::get<session::LaunchStep>(loop.steps[0].what).kernel = "flaw"; }),
             QStringLiteral("Step 1.1: The source has no kernel \"flaw\"."));
    QCOMPARE(change([](auto& loop) { std::get<session::SwapStep>(loop.steps[1].what).second = "width"; }),
             QStringLiteral("Step 1.2: \"width\" is a number, and an array is needed."));
    QCOMPARE(change([](auto& loop) { loop.steps.clear(); }), QStringLiteral("No step launches a kernel. Add one."));
    QCOMPARE(change([](auto& loop) { loop.steps.push_back({session::LoopStep{}, {}}); }),
             QStringLiteral("Step 1.3: The loop has no steps. Add one, or remove the loop."));
    // The source has one kernel only.
    QCOMPARE(change([](auto& loop) { std::get<session::LaunchStep>(loop.steps[0].what).kernel.clear(); }), QString());
    QCOMPARE(launch().argumentsModel().problemCount(), 0);
}

void TestPipeline::heatRunsAndPlays() {
    NEEDS_DEVICE;
    QVERIFY(openExample(QStringLiteral("heat")));
    workerIsReady();
    QVERIFY(run());
    QVERIFY2(document().report().status == session::Status::ok, banner("run").toUtf8().constData());
    auto& buffers = window_->panel<BuffersPanel>();
    window_->showPanel("buffers");
    QVERIFY(buffers.tabs()->isTabVisible(BuffersPanel::FramesTab));
    buffers.tabs()->setCurrentIndex(BuffersPanel::FramesTab);
    FramesPage& frames = *buffers.frames();
    QCOMPARE(frames.frameCount(), 200);
    QTRY_VERIFY_WITH_TIMEOUT(!frames.image().isNull(), patience);
    QCOMPARE(frames.image().size(), QSize(160, 120));
    QCOMPARE(frames.place(), QStringLiteral("Frame 1 of 200, round 0"));
    const QImage first = frames.image();
    frames.setFrame(199);
    QTRY_VERIFY_WITH_TIMEOUT(frames.place() == QLatin1String("Frame 200 of 200, round 1990") && frames.image() != first,
                             patience);
    frames.setFrame(40);
    QTRY_VERIFY_WITH_TIMEOUT(frames.image() != first, patience);
    grab("frames", window_.get());
    // It plays to the end and, where it loops, again.
    frames.rate()->setValue(60);
    frames.setFrame(197);
    frames.loopButton()->setChecked(false);
    frames.playButton()->click();
    QVERIFY(frames.isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(!frames.isPlaying() && frames.frame() == 199, patience);
    frames.loopButton()->setChecked(true);
    frames.playButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(frames.frame() > 2 && frames.frame() < 197, patience);
    buffers.tabs()->setCurrentIndex(BuffersPanel::TableTab);
    QVERIFY(!frames.isPlaying());
    const auto& list = buffers.list()->buffers();
    QCOMPARE(std::count_if(list.begin(), list.end(), [](const auto& b) { return b.role == BufferRole::Frames; }), 1);
    // As a graph, too.
    document().modify(QStringLiteral("Graph"), [](session::Session& s) { s.pipeline->graph = true; });
    QVERIFY(run());
    QVERIFY2(document().report().status == session::Status::ok, banner("run").toUtf8().constData());
    QCOMPARE(document().report().pipeline->graphs, std::uint64_t(1));
    document().undoStack().undo();
    // A session without frames has no such page.
    QVERIFY(openExample(QStringLiteral("saxpy")));
    QVERIFY(!buffers.tabs()->isTabVisible(BuffersPanel::FramesTab));
}

void TestPipeline::galaxyHasTimesOfItsSteps() {
    NEEDS_DEVICE;
    QVERIFY(openExample(QStringLiteral("galaxy")));
    workerIsReady();
    QVERIFY(run());
    QVERIFY2(document().report().status == session::Status::ok, banner("run").toUtf8().constData());
    auto& timing = window_->panel<TimingPanel>();
    window_->showPanel("timing");
    QTRY_VERIFY(timing.steps()->isVisibleTo(&timing));
    QCOMPARE(timing.steps()->topLevelItemCount(), 1);
    QTreeWidgetItem* loop = timing.steps()->topLevelItem(0);
    QCOMPARE(loop->childCount(), 3);
    QCOMPARE(loop->child(1)->text(StepsTable::Step), QStringLiteral("1.2  attract"));
    QCOMPARE(loop->child(1)->text(StepsTable::Rounds), QStringLiteral("200"));
    QVERIFY(!loop->child(1)->text(StepsTable::Median).isEmpty());
    grab("timing", window_.get());
    QVERIFY(openExample(QStringLiteral("saxpy")));
    QVERIFY(run());
    QTRY_VERIFY(!timing.steps()->isVisibleTo(&timing));
    const auto tells = [&](const QString& text) {
        return std::ranges::any_of(timing.findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->text().contains(text); });
    };
    QTRY_VERIFY(tells("An empty launch takes "));
    QVERIFY(!tells("The L2 cache was cold."));
    document().modify("cold", [](session::Session& s) { s.cold_l2 = true; });
    QVERIFY(run());
    QTRY_VERIFY(tells("The L2 cache was cold."));
}

WARPLIGHT_UI_TEST_MAIN(TestPipeline)
#include "test_pipeline.moc"
