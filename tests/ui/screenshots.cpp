// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window and of every panel, light and dark: screenshots FOLDER. For docs/images, and to be looked at.
// WARPLIGHT_PICTURES_OF=debug makes only those of a kernel that stands still, =sweep those of a sweep, =history those
// of earlier runs, =sass those of a GPU's instructions, which need nvdisasm, =buffers those of data, =tabs those of
// several sessions and of two versions of a source.
// QT_SCALE_FACTOR=1.5 makes those of a screen at 150 %, WARPLIGHT_WINDOW=small those of a window of 1280 × 720.
#include "test_home.hpp"
#include "ui/assembly/assembly_view.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/debug/debug_panel.hpp"
#include "ui/debug/lanes_page.hpp"
#include "ui/debug/memory_page.hpp"
#include "ui/debug/variables_view.hpp"
#include "ui/debug/watches_page.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/function/register_dialog.hpp"
#include "ui/history/comparison_view.hpp"
#include "ui/history/difference_view.hpp"
#include "ui/history/history_model.hpp"
#include "ui/history/history_page.hpp"
#include "ui/lanes/lanes_view.hpp"
#include "ui/launch/argument_dialog.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/command_palette.hpp"
#include "ui/mainwindow/guide_dialog.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/mainwindow/tab_window.hpp"
#include "ui/mainwindow/windows.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/problems/two_threads.hpp"
#include "ui/profile/profile_panel.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/sass/sass_pane.hpp"
#include "ui/settings/compile_options_editor.hpp"
#include "ui/settings/settings_dialog.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/sweep/sweep_row.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/timing/timing_panel.hpp"
#include "ui/versions/version_view.hpp"
#include "ui/welcome/examples.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDeadlineTimer>
#include <QDir>
#include <QDockWidget>
#include <QEventLoop>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

using namespace warplight;
using namespace warplight::ui;

namespace {

void rest(int ms) {
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

bool wait(const std::function<bool()>& condition, int ms = 60000) {
    const QDeadlineTimer deadline(ms);
    while (!condition() && !deadline.hasExpired())
        rest(20);
    return condition();
}

/// On a machine with other work a run may begin late.
void runOnce(MainWindow& window) {
    const auto runs = window.document().runs().size();
    window.findAction("run.run")->trigger();
    // Six launches with many races take minutes on two busy cores.
    wait([&] { return window.document().runs().size() > runs && !window.runner().isRunning(); }, 300'000);
}

class Photographer {
public:
    Photographer(MainWindow& window, QString folder) : window_(window), folder_(std::move(folder)) {
        // What was changed for a picture is dropped when the next session is opened.
        QObject::connect(&answers_, &QTimer::timeout, &answers_, [this] {
            auto* question = window_.findChild<QMessageBox*>(QStringLiteral("unsavedChanges"));
            if (question && question->isVisible()) question->button(QMessageBox::Discard)->click();
        });
        answers_.start(100);
    }

    void shoot(QWidget* widget, const QString& name) {
        shoot([widget] { return widget; }, name);
    }
    /// Of a widget that is made anew for each theme.
    void shoot(const std::function<QWidget*()>& make, const QString& name) {
        for (const auto mode : {"light", "dark"}) {
            window_.findAction(QStringLiteral("view.theme.") + QLatin1String(mode))->trigger();
            QWidget* widget = make();
            rest(250);
            const QString file = QStringLiteral("%1/%2-%3.png").arg(folder_, name, QLatin1String(mode));
            if (!widget->grab().save(file)) failed = true;
        }
    }

    void panel(const QString& name) { shootPanelAs(name, QStringLiteral("panel-") + name); }

    void shootPanelAs(const QString& panel, const QString& name) {
        window_.showPanel(panel);
        rest(300);
        shoot(window_.findChild<QDockWidget*>(panel), name);
    }

    /// A kernel that stands still.
    bool debugger() {
        if (!window_.openExample(QStringLiteral("%1/matmul/matmul.warplight").arg(examplesFolder()), false))
            return false;
        DebugPanel& panel = window_.panel<DebugPanel>();
        window_.showPanel(QStringLiteral("debug"));
        shoot(window_.findChild<QDockWidget*>(QStringLiteral("debug")), QStringLiteral("debug-before"));
        const QString source = Breakpoints::keyOf(*window_.document().mainSource());
        const QString text = window_.document().mainSource()->text();
        const auto line = [&](const char* part) {
            return int(text.left(text.indexOf(QLatin1String(part))).count(QLatin1Char('\n'))) + 1;
        };
        panel.breakpoints().toggle(source, line("C[row"));
        panel.breakpoints().setCondition(source, line("sum += "), QStringLiteral("k == 32"));
        panel.watches()->add(QStringLiteral("a[y][x] * b[y][x]"));
        panel.action("start")->trigger();
        if (!wait([&] { return panel.session().isStanding(); })) return false;
        rest(500);
        panel.session().goToBlock(29);
        rest(1000);
        panel.lanes()->show(QStringLiteral("sum"));
        panel.lanes()->kind()->setCurrentIndex(1);
        rest(500);
        panel.action("start")->trigger();
        wait([&] { return panel.session().isStanding(); });
        rest(1000);
        shoot(&window_, QStringLiteral("debug"));
        shootPanelAs(QStringLiteral("debug"), QStringLiteral("panel-debug"));
        panel.lanes()->kind()->setCurrentIndex(0);
        rest(300);
        shoot(window_.findChild<QDockWidget*>(QStringLiteral("debug")), QStringLiteral("debug-lanes"));
        panel.detailTabs()->setCurrentWidget(panel.memory());
        panel.memory()->show(QStringLiteral("a"));
        rest(500);
        shoot(window_.findChild<QDockWidget*>(QStringLiteral("debug")), QStringLiteral("debug-memory"));
        panel.action("stop")->trigger();
        panel.breakpoints().clearAll();
        panel.watches()->remove(0);
        panel.detailTabs()->setCurrentIndex(0);
        return true;
    }

    /// A sweep and its three views.
    bool sweep() {
        if (!window_.openExample(QStringLiteral("%1/saxpy/saxpy.warplight").arg(examplesFolder()), false)) return false;
        rest(1000);
        window_.findAction("run.compareBlocks")->trigger();
        SweepPage& page = window_.panel<TimingPanel>().sweep();
        shoot(&window_, QStringLiteral("sweep-before"));
        page.setup().axes().front()->edit()->setText(QStringLiteral("16, 32..1024*2, 2048"));
        SweepRow* option = page.setup().addAxis();
        option->set("argument:a", QStringLiteral("1, 2.5"));
        emit option->edited();
        SweepRow* size = page.setup().addAxis();
        size->set("shape:x", QStringLiteral("4096, 16384, 65536"));
        emit size->edited();
        page.setup().where()->setText(QStringLiteral("threads <= 2048"));
        window_.document().modify("expectation", [](session::Session& s) { s.arguments.back().expect.reset(); });
        page.startButton()->click();
        rest(1500);
        shoot(&window_, QStringLiteral("sweep-running"));
        if (!wait([&] { return !page.isRunning(); }, 300'000) || !page.report()) return false;
        for (int view = 0; view < page.views()->count(); ++view) {
            page.views()->setCurrentIndex(view);
            rest(300);
            shoot(&window_, QStringLiteral("sweep-%1").arg(view));
        }
        page.views()->setCurrentIndex(0);
        return true;
    }

    /// Some runs of an example, found again and compared.
    bool history() {
        if (!example(QStringLiteral("saxpy"))) return false;
        Document& document = window_.document();
        const QString source = document.mainSource()->text();
        const auto runAs = [&](const std::function<void(session::Session&)>& change) {
            document.modify(QStringLiteral("Change"), change);
            runOnce(window_);
            rest(300);
        };
        runAs([](session::Session& s) { s.repeat = 20; });
        runAs([](session::Session& s) { s.launch.block = {64, 1, 1}; });
        document.mainSource()->setText(QString(source).replace(QStringLiteral("+ y[i]"), QStringLiteral("- y[i]")));
        runAs([](session::Session& s) { s.compile.options = {"--use_fast_math"}; });
        document.mainSource()->setText(source + QStringLiteral("}"));
        runAs([](session::Session& s) { s.compile.options = {}; });
        document.mainSource()->setText(source);
        runAs([](session::Session& s) { s.launch.block = {512, 1, 1}; });
        HistoryPage& page = window_.panel<TimingPanel>().history();
        window_.panel<TimingPanel>().pages()->setCurrentWidget(&page);
        window_.showPanel(QStringLiteral("timing"));
        if (!wait([&] { return page.model().rowCount() >= 6; })) return false;
        page.model().setData(page.model().index(4, HistoryModel::Label), QStringLiteral("wide blocks"), Qt::EditRole);
        page.table()->selectRow(4);
        window_.findChild<QAction*>(QStringLiteral("history.pin"))->trigger();
        rest(800);
        shoot(window_.findChild<QDockWidget*>(QStringLiteral("timing")), QStringLiteral("history"));
        shoot(&window_, QStringLiteral("history-window"));
        page.table()->clearSelection();
        for (const int row : {2, 4})
            page.table()->selectionModel()->select(page.model().index(row, 0),
                                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
        window_.findChild<QAction*>(QStringLiteral("history.compare"))->trigger();
        if (!wait([&] { return page.comparison() != nullptr; })) return false;
        ComparisonView& view = *page.comparison();
        const std::pair<ComparisonView::Page, const char*> pages[] = {{ComparisonView::Overview, "comparison"},
                                                                      {ComparisonView::Source, "comparison-source"},
                                                                      {ComparisonView::Ptx, "comparison-ptx"},
                                                                      {ComparisonView::Report, "comparison-report"}};
        for (const auto& [which, name] : pages) {
            view.pages()->setCurrentIndex(which);
            if (which == ComparisonView::Ptx) wait([&] { return view.ptx()->note().isEmpty(); });
            shoot(&view, QLatin1String(name));
        }
        view.close();
        window_.panel<TimingPanel>().pages()->setCurrentIndex(0);
        return true;
    }

    /// The instructions of a GPU, those of two, and what limits on the registers do.
    bool sass() {
        if (!example(QStringLiteral("matmul"))) return false;
        for (const char* name : {"explorer", "launch"})
            window_.findChild<QDockWidget*>(QLatin1String(name))->hide();
        auto& pane = *window_.findChild<SassPane*>();
        window_.editors().setAssemblyVisible(true);
        window_.editors().assembly()->tabs()->setCurrentWidget(&pane);
        const auto choose = [](QComboBox* box, const char* arch) {
            if (!wait([&] { return box->findData(QLatin1String(arch)) > 0; })) return;
            box->setCurrentIndex(box->findData(QLatin1String(arch)));
            emit box->activated(box->currentIndex());
        };
        choose(pane.archBox(), "sm_90");
        if (!wait([&] { return pane.note().isEmpty() && pane.summary().contains(QLatin1String("sm_90")); }))
            return false;
        const QString text = window_.document().mainSource()->text();
        CudaEditor& editor = *window_.editors().currentEditor();
        editor.setFocus();
        editor.goTo(int(text.left(text.indexOf(QLatin1String("sum += "))).count(QLatin1Char('\n'))) + 1);
        rest(300);
        shoot(&window_, QStringLiteral("sass"));
        choose(pane.otherArchBox(), "sm_80");
        pane.compareButton()->click();
        wait([&] { return pane.summary().contains(QStringLiteral("→")); });
        shoot(&window_, QStringLiteral("sass-compared"));
        pane.compareButton()->click();

        window_.showPanel(QStringLiteral("function"));
        RegisterDialog dialog(window_.workbench(), &window_);
        dialog.show();
        const bool filled = wait([&] { return dialog.rows()->topLevelItemCount() > 0; });
        choose(dialog.archBox(), "sm_90");
        wait([&] { return dialog.table().arch == "sm_90"; });
        if (auto* row = dialog.rows()->topLevelItem(4)) dialog.rows()->setCurrentItem(row);
        shoot(&dialog, QStringLiteral("registers"));
        dialog.close();
        window_.editors().assembly()->tabs()->setCurrentIndex(0);
        for (const char* name : {"explorer", "launch"})
            window_.findChild<QDockWidget*>(QLatin1String(name))->show();
        return filled;
    }

    bool buffers() {
        if (!example("blur")) return false;
        window_.showPanel("buffers");
        QTabWidget* tabs = window_.panel<BuffersPanel>().tabs();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            rest(500);
            shoot(window_.findChild<QDockWidget*>("buffers"),
                  QStringLiteral("buffers-") + tabs->tabText(tab).remove('&').toLower());
        }
        return true;
    }

    bool example(const QString& name) {
        // Each session begins without runs: the count starts anew.
        if (!window_.openExample(QStringLiteral("%1/%2/%2.warplight").arg(examplesFolder(), name), true)) return false;
        const bool ran = wait([&] { return window_.document().hasReport() && !window_.runner().isRunning(); });
        wait([&] { return window_.document().compileOutput().valid; });
        rest(700);
        return ran;
    }

    bool failed = false;

private:
    MainWindow& window_;
    QString folder_;
    QTimer answers_;
};

/// Several sessions, and two versions of a source side by side.
bool tabs(const QString& folder) {
    Windows windows;
    windows.start(Windows::Start::Bare);
    TabWindow& around = *windows.front();
    around.resize(1440, 900);
    rest(1000);
    bool done = true;
    const auto page = [&around]() -> MainWindow& { return *around.current(); };
    for (const char* name : {"blur", "reduction", "saxpy"})
        done = page().openExample(QStringLiteral("%1/%2/%2.warplight").arg(examplesFolder(), name), false) && done;
    runOnce(page());
    Photographer photographer(page(), folder);
    SourceFile* source = page().document().mainSource();
    QString text = source->text();
    text.replace(QStringLiteral("    if (i < n)"), QStringLiteral("    const bool inside = i < n;\n    if (inside)"));
    const qsizetype body = text.indexOf(QStringLiteral("    int i"));
    text.insert(std::max(qsizetype(0), body), QStringLiteral("    // Each thread computes one element.\n\n"));
    source->setText(text);
    page().findAction("view.compareDisk")->trigger();
    page().versions()->step(1);
    rest(1500);
    photographer.shoot(&around, "tabs");
    page().findAction("view.endComparison")->trigger();
    rest(500);
    photographer.shoot(&around, "tabs-alone");
    for (MainWindow* each : windows.pages())
        each->document().setReadOnly(true);
    windows.quit();
    return done;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: screenshots FOLDER\n");
        return 2;
    }
    TestHome home;
    // Large enough for the window at any density: on a smaller screen it would be maximized.
    const auto application = qEnvironmentVariable("QT_QPA_PLATFORM") == QLatin1String("offscreen")
                                 ? home.applicationOnScreen(argc, argv, {3000, 2000})
                                 : std::make_unique<QApplication>(argc, argv);
    if (!application) return 1;
    const QString folder = QDir(QString::fromLocal8Bit(argv[1])).absolutePath();
    QDir().mkpath(folder);
    if (qEnvironmentVariable("WARPLIGHT_PICTURES_OF") == QLatin1String("tabs")) return tabs(folder) ? 0 : 1;
    MainWindow window;
    const QSize size =
        qEnvironmentVariable("WARPLIGHT_WINDOW") == QLatin1String("small") ? QSize(1280, 720) : QSize(1440, 900);
    window.resize(size);
    window.show();
    rest(1500);
    Photographer photographer(window, folder);
    if (qEnvironmentVariable("WARPLIGHT_PICTURES_OF") == QLatin1String("debug")) {
        const bool done = photographer.debugger();
        window.document().setReadOnly(true);
        window.close();
        return done ? 0 : 1;
    }
    if (qEnvironmentVariable("WARPLIGHT_PICTURES_OF") == QLatin1String("sweep")) {
        const bool done = photographer.sweep();
        window.document().setReadOnly(true);
        window.close();
        return done ? 0 : 1;
    }
    if (qEnvironmentVariable("WARPLIGHT_PICTURES_OF") == QLatin1String("buffers")) {
        const bool done = photographer.buffers();
        window.document().setReadOnly(true);
        window.close();
        return done ? 0 : 1;
    }
    if (qEnvironmentVariable("WARPLIGHT_PICTURES_OF") == QLatin1String("history")) {
        const bool done = photographer.history();
        SettingsDialog dialog(window.preferences(), &window);
        dialog.show();
        photographer.shoot(&dialog, "settings");
        dialog.close();
        window.document().setReadOnly(true);
        window.close();
        return done ? 0 : 1;
    }
    if (qEnvironmentVariable("WARPLIGHT_PICTURES_OF") == QLatin1String("sass")) {
        const bool done = photographer.sass();
        window.document().setReadOnly(true);
        window.close();
        return done ? 0 : 1;
    }
    photographer.shoot(&window, "welcome");

    if (!photographer.example("saxpy")) {
        std::fprintf(stderr, "the first example did not run\n");
        return 1;
    }
    for (int i = 0; i < 3; ++i) {
        window.findAction("run.run")->trigger();
        wait([&] { return !window.runner().isRunning(); });
    }
    rest(500);
    photographer.shoot(&window, "run");
    for (const char* name : {"explorer", "launch", "timing", "function"})
        photographer.panel(QLatin1String(name));
    window.showPanel("timing");
    rest(300);
    photographer.shoot(&window, "timing");

    // A device with its attributes, and a launch that cannot work.
    if (auto* tree = window.panel<ExplorerPanel>().findChild<QTreeView*>()) {
        tree->expandAll();
        const QModelIndex device = tree->model()->index(0, 0, tree->model()->index(0, 0));
        tree->setCurrentIndex(tree->model()->index(1, 0, device));
        rest(200);
        photographer.shoot(window.findChild<QDockWidget*>("explorer"), "explorer-attributes");
        tree->collapseAll();
        tree->expandToDepth(0);
    }
    window.document().modify("launch", [](session::Session& s) {
        s.launch.block = {2048, 1, 1};
        s.launch.shared = 2 << 20;
        s.compile.options = {"--std=c++20", "--use_fast_math", "-DCOUNT=4"};
    });
    photographer.shoot(window.findChild<QDockWidget*>("launch"), "launch-problems");
    std::unique_ptr<CompileOptionsDialog> options;
    photographer.shoot(
        [&]() -> QWidget* {
            options = std::make_unique<CompileOptionsDialog>(window.document().session().compile);
            options->show();
            return options.get();
        },
        "compile-options");
    options.reset();
    for (const char* formula : {"sin(2*pi*i/n) + 0.5*x", "sin(2*pi*i/n"}) {
        session::Argument argument;
        argument.name = "y";
        argument.direction = session::Direction::inout;
        argument.source = session::FormulaSource{"float32", {1024}, formula};
        argument.expect.emplace().expression = "2*y + 1";
        std::unique_ptr<ArgumentDialog> dialog;
        photographer.shoot(
            [&]() -> QWidget* {
                dialog = std::make_unique<ArgumentDialog>(argument, QStringList(), window.workbench());
                dialog->show();
                return dialog.get();
            },
            std::string_view(formula).ends_with('x') ? "argument-formula" : "argument-formula-wrong");
    }
    while (window.document().undoStack().canUndo())
        window.document().undoStack().undo();
    window.showPanel("timing");
    photographer.history();

    photographer.sass();
    photographer.buffers();
    window.openExample(examplesFolder() + "/saxpy/saxpy.warplight", false);
    const QString ending = window.document().mainSource()->text();
    window.document().mainSource()->setText(QString(ending).replace(
        QStringLiteral("{\n"), QStringLiteral("{\n    for (volatile int k = 0; k >= 0; k = 0) { }\n")));
    window.findAction("run.run")->trigger();
    wait([&] { return window.runner().isRunning(); });
    rest(2000);
    window.findAction("run.stop")->trigger();
    wait([&] { return !window.runner().isRunning(); });
    rest(300);
    photographer.shoot(&window, "stopped");
    window.document().mainSource()->setText(ending);
    window.document().mainSource()->markModified(false); // the next example asks nothing
    photographer.example("printf");
    photographer.panel("output");
    photographer.example("first_program");
    window.showPanel("timing");
    photographer.shoot(&window, "program");
    for (const char* name : {"launch", "buffers", "function"})
        photographer.shootPanelAs(QLatin1String(name), QStringLiteral("program-") + QLatin1String(name));

    // A program of a folder that may not run programs, and then one that waits for what is typed.
    QFile own(home.path("own.cu"));
    if (!own.open(QIODevice::WriteOnly)) return 1;
    own.write("#include <cstdio>\n\n__global__ void square(int* x) { *x *= *x; }\n\n"
              "int main() {\n    int* x;\n    cudaMallocManaged(&x, sizeof *x);\n    printf(\"A number: \");\n"
              "    while (scanf(\"%d\", x) == 1) {\n        square<<<1, 1>>>(x);\n        cudaDeviceSynchronize();\n"
              "        printf(\"its square is %d\\nA number: \", *x);\n    }\n    cudaFree(x);\n}\n");
    own.close();
    window.openFile(own.fileName());
    window.findAction("run.run")->trigger();
    rest(500);
    photographer.shoot(&window, "program-asks");
    window.banners().press(QStringLiteral("run"), QStringLiteral("Allow programs of this folder"));
    wait([&] { return window.programs().isBusy(); });
    window.showPanel("output");
    rest(8000);
    photographer.shoot(&window, "program-input");
    window.findAction("run.stop")->trigger();
    wait([&] { return !window.programs().isBusy(); });

    photographer.example("faulty");
    photographer.shoot(&window, "fault");
    window.openExample(examplesFolder() + "/matmul/matmul.warplight", false);
    const QString good = window.document().mainSource()->text();
    window.document().mainSource()->setText(
        QString(good).replace(QStringLiteral("float sum"), QStringLiteral("flot sum")) +
        QStringLiteral("\n__global__ void unfinished(int n) { int unused; m = n }\n"));
    window.findAction("build.build")->trigger();
    wait([&] { return !window.runner().isBuilding(); });
    rest(700);
    photographer.shoot(&window, "problems");
    photographer.panel("problems");
    window.document().mainSource()->setText(good);

    // A tile that is read along columns.
    window.document().mainSource()->setText(
        QString(good).replace(QStringLiteral("b[y][x] = B[(k + y) * n + column];"),
                              QStringLiteral("b[x][y] = B[(k + x) * n + blockIdx.x * TILE + y];")));
    window.findAction("run.profile")->trigger();
    runOnce(window);
    rest(700);
    photographer.panel("profile");
    photographer.shoot(&window, "profile");
    if (auto* side = window.panel<ProfilePanel>().findChild<QTabWidget*>()) {
        side->setCurrentIndex(1);
        rest(300);
        photographer.shoot(window.findChild<QDockWidget*>("profile"), "profile-roofline");
        side->setCurrentIndex(0);
    }
    emit window.workbench().showGuide(QStringLiteral("bank-conflicts"));
    rest(300);
    if (auto* guide = window.findChild<GuideDialog*>()) {
        photographer.shoot(guide, "guide");
        guide->close();
    }
    window.findAction("run.profile")->trigger();
    window.document().mainSource()->setText(good);

    // A barrier too few.
    const qsizetype barrier = good.lastIndexOf(QStringLiteral("__syncthreads();"));
    window.document().mainSource()->setText(QString(good).remove(barrier, 16));
    for (QCheckBox* box : window.findChildren<QCheckBox*>())
        if (box->text() == QStringLiteral("Chec&k")) box->click();
    runOnce(window);
    rest(700);
    photographer.shoot(&window, "checks");
    window.showPanel("problems");
    rest(300);
    photographer.shoot(window.findChild<QDockWidget*>("problems"), "race");
    photographer.shoot(window.panel<ProblemsPanel>().threads(), "race-threads");
    window.document().mainSource()->setText(good);
    while (window.document().undoStack().canUndo())
        window.document().undoStack().undo();

    // What a warp touches: of a matrix that is read down its columns, of shared memory, and of a branch.
    window.document().mainSource()->setText(
        QString(good).replace(QStringLiteral("B[(k + y) * n + column]"), QStringLiteral("B[column * n + k + y]")));
    window.findAction("run.lanes")->trigger();
    const auto recorded = window.document().runs().size();
    window.lanes()->recordButton()->click();
    wait([&] { return window.document().runs().size() > recorded && !window.runner().isRunning(); });
    rest(300);
    QComboBox* instructions = window.lanes()->instructions();
    const std::pair<const char*, const char*> kinds[] = {
        {"ld.global", "lanes"}, {"ld.shared", "lanes-shared"}, {"branch", "lanes-branch"}};
    for (const auto& [kind, name] : kinds) {
        for (int k = 0; k < instructions->count(); ++k)
            if (instructions->itemText(k).contains(QLatin1String(kind))) instructions->setCurrentIndex(k);
        photographer.shoot(window.lanes(), QLatin1String(name));
    }
    window.document().mainSource()->setText(good);
    window.lanes()->close();

    while (window.document().undoStack().canUndo()) // a changed session would ask before another is opened
        window.document().undoStack().undo();
    photographer.debugger();

    window.findAction("view.palette")->trigger();
    rest(200);
    if (auto* palette = window.findChild<CommandPalette*>()) {
        photographer.shoot(palette, "palette");
        palette->close();
    }
    std::unique_ptr<SettingsDialog> settings;
    photographer.shoot(
        [&]() -> QWidget* {
            settings = std::make_unique<SettingsDialog>(window.preferences());
            settings->show();
            return settings.get();
        },
        "settings");
    window.document().setReadOnly(true); // closing asks nothing
    window.close();
    if (photographer.failed) std::fprintf(stderr, "some pictures could not be written\n");
    return photographer.failed ? 1 : 0;
}
