// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_panel.hpp"

#include "session/rename.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/launch/argument_edit.hpp"
#include "ui/launch/argument_guess.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/launch/direction_delegate.hpp"
#include "ui/launch/file_heads.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/module_variables.hpp"
#include "ui/launch/pipeline_edit.hpp"
#include "ui/launch/pipeline_page.hpp"
#include "ui/program/program_page.hpp"
#include "ui/settings/compile_options_editor.hpp"
#include "worker/occupancy_reply.hpp"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

LaunchPanel::LaunchPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), arguments_(new ArgumentsModel(document(), this)),
      files_(new FileHeads(workbench, this)) {
    build();
    connect(files_, &FileHeads::learned, arguments_, &ArgumentsModel::followFiles);
    connect(&document(), &Document::sessionChanged, this, &LaunchPanel::showSession);
    connect(&document(), &Document::kernelsChanged, this, &LaunchPanel::showSession);
    connect(&document(), &Document::compiled, this, &LaunchPanel::askOccupancy);
    connect(&this->workbench(), &Workbench::workerChanged, this, [this] {
        askLimits();
        askOccupancy();
    });
    connect(&this->workbench(), &Workbench::ordinalChanged, this, [this] {
        askLimits();
        askOccupancy();
    });
    this->workbench().forEachWorker(this, [this](WorkerConnection* worker) {
        connect(worker, &WorkerConnection::restarted, this, [this, worker] {
            if (worker == &this->workbench().worker()) askLimits();
        });
    });
    connect(&document(), &Document::reportChanged, this, [this] {
        if (document().hasReport() && document().report().status == session::Status::ok) form_->settleBlock();
    });
    connect(&theme(), &Theme::themeChanged, this, &LaunchPanel::restyle);
    occupancyTimer_.setSingleShot(true);
    occupancyTimer_.setInterval(250);
    connect(&occupancyTimer_, &QTimer::timeout, this, &LaunchPanel::askOccupancy);
    showSession();
    restyle();
    askLimits();
}

void LaunchPanel::buildTable() {
    table_ = new QTableView;
    table_->setModel(arguments_);
    table_->setAccessibleName(tr("Arguments"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setItemDelegateForColumn(ArgumentsModel::Direction, new DirectionDelegate(table_));
    table_->setEditTriggers(QAbstractItemView::SelectedClicked);
    table_->setTabKeyNavigation(false); // Tab leaves the table
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->setAcceptDrops(true);
    table_->setDropIndicatorShown(true);
    table_->setDragDropMode(QAbstractItemView::DropOnly);
    table_->setDragDropOverwriteMode(true);
    table_->verticalHeader()->hide();
    auto* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(ArgumentsModel::Source, QHeaderView::Stretch);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(24);
    // The Source column keeps its least width even in a narrow dock; then the panel scrolls.
    connect(header, &QHeaderView::sectionResized, this, [this](int section) {
        if (section != ArgumentsModel::Source) fitTable();
    });
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->addActions({edit_, rename_, file_, variable_, remove_});
    table_->setMinimumHeight(120);
    table_->installEventFilter(this);
}

void LaunchPanel::fitTable() {
    constexpr int letters = 12; // of a source
    int width = letters * table_->fontMetrics().averageCharWidth();
    for (int column = 0; column < ArgumentsModel::ColumnCount; ++column)
        if (column != ArgumentsModel::Source) width += table_->columnWidth(column);
    table_->setMinimumWidth(width);
}

void LaunchPanel::build() {
    edit_ = new QAction(icon(QStringLiteral("edit")), tr("Edit Argument…"), this);
    rename_ = new QAction(tr("Rename"), this);
    // The table takes the key; the menu shows it.
    rename_->setShortcut(QKeySequence(Qt::Key_F2));
    rename_->setShortcutContext(Qt::WidgetShortcut);
    file_ = new QAction(icon(QStringLiteral("folder")), tr("Take Data from File…"), this);
    variable_ = new QAction(tr("Add Variable"), this);
    variable_->setToolTip(tr("Fill a __constant__ or __device__ variable before a run, and read it after"));
    variable_->setMenu(&variables_);
    remove_ = new QAction(tr("Remove"), this);
    suggest_ = new QAction(tr("Use the Suggested Block"), this);
    suggest_->setEnabled(false);
    options_ = new QAction(icon(QStringLiteral("settings")), tr("Compile &Options…"), this);
    options_->setObjectName(QStringLiteral("build.compileOptions"));
    buildTable();

    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_, 1);
    layout->addWidget(buildModeBar());
    form_ = new LaunchForm(document(), theme());
    layout->addWidget(form_);
    pipeline_ = new PipelinePage(document(), theme());
    layout->addWidget(pipeline_, 2);

    optionsText_ = new QLabel;
    optionsText_->setWordWrap(true);
    auto* change = new QToolButton;
    change->setObjectName(QStringLiteral("compileOptions"));
    change->setProperty("framed", true);
    change->setText(tr("Options…"));
    change->setToolTip(tr("Defines, language standard and other options of this session's compiler"));
    change->setFocusPolicy(Qt::StrongFocus);
    auto* optionsRow = new QHBoxLayout;
    optionsRow->setSpacing(Theme::grid);
    optionsRow->addWidget(optionsText_, 1);
    optionsRow->addWidget(change);
    auto* optionsLabel = new QLabel(tr("C&ompile"));
    optionsLabel->setBuddy(change);
    form_->layout()->addRow(optionsLabel, optionsRow);

    occupancyBar_ = new QProgressBar;
    occupancyBar_->setRange(0, 100);
    occupancyBar_->setTextVisible(false);
    occupancyBar_->setFixedHeight(Theme::grid);
    occupancyBar_->setAccessibleName(tr("Occupancy"));
    occupancyText_ = new QLabel;
    occupancyText_->setWordWrap(true);
    occupancyText_->setTextFormat(Qt::RichText);
    connect(occupancyText_, &QLabel::linkActivated, suggest_, &QAction::trigger);
    auto* occupancy = new QVBoxLayout;
    occupancy->setSpacing(Theme::half);
    occupancy->addWidget(occupancyBar_);
    occupancy->addWidget(occupancyText_);
    form_->layout()->addRow(tr("Occupancy"), occupancy);
    problem_ = new QLabel;
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("What is wrong with the arguments"));
    problem_->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::grid);
    layout->addWidget(problem_);
    program_ = new ProgramPage(document(), options_);
    kinds_ = new QStackedWidget;
    kinds_->addWidget(content);
    kinds_->addWidget(program_);
    setContent(kinds_);

    QWidget* previous = table_;
    QList<QWidget*> order{mode_, addArgument_};
    order << form_->tabOrder() << change << pipeline_->tabOrder();
    for (QWidget* next : order) {
        setTabOrder(previous, next);
        previous = next;
    }

    connect(edit_, &QAction::triggered, this, [this] { editArgument(currentRow()); });
    connect(rename_, &QAction::triggered, this, [this] { renameArgument(currentRow()); });
    connect(arguments_, &ArgumentsModel::renameRefused, &workbench(), &Workbench::statusMessage);
    connect(file_, &QAction::triggered, this, [this] { chooseFile(currentRow()); });
    connect(&variables_, &QMenu::aboutToShow, this, &LaunchPanel::listVariables);
    connect(remove_, &QAction::triggered, this, [this] { removeExcess(currentRow()); });
    const auto enableRemove = [this] { remove_->setEnabled(isExcess(currentRow())); };
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, enableRemove);
    enableRemove();
    connect(options_, &QAction::triggered, this, &LaunchPanel::editOptions);
    connect(change, &QToolButton::clicked, options_, &QAction::trigger);
    connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != ArgumentsModel::Direction || index.data(ArgumentsModel::ScalarRole).toBool())
            editArgument(index.row());
    });
    connect(arguments_, &QAbstractItemModel::modelReset, this, &LaunchPanel::check);
    connect(arguments_, &QAbstractItemModel::dataChanged, this, &LaunchPanel::check);
    connect(form_, &LaunchForm::coverRequested, this, &LaunchPanel::coverElements);
    connect(form_, &LaunchForm::checked, this, &LaunchPanel::check);
    connect(suggest_, &QAction::triggered, this, &LaunchPanel::useSuggestedBlock);
}

QWidget* LaunchPanel::buildModeBar() {
    mode_ = new QComboBox;
    mode_->addItems({tr("One launch"), tr("Several steps in order")});
    mode_->setToolTip(tr("A kernel once, or several kernels, copies and loops on the same arrays"));
    mode_->setAccessibleName(tr("What a run does"));
    addArray_ = new QAction(tr("Add Array…"), this);
    addScalar_ = new QAction(tr("Add Number…"), this);
    addArgument_ = new QToolButton;
    addArgument_->setText(tr("Add Argument"));
    addArgument_->setIcon(icon(QStringLiteral("plus")));
    addArgument_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addArgument_->setPopupMode(QToolButton::InstantPopup);
    addArgument_->setProperty("framed", true);
    addArgument_->setFocusPolicy(Qt::StrongFocus);
    addArgument_->setToolTip(tr("Arrays and numbers that the steps share"));
    auto* menu = new QMenu(addArgument_);
    menu->addActions({addArray_, addScalar_});
    addArgument_->setMenu(menu);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, 0);
    row->setSpacing(Theme::grid);
    row->addWidget(mode_, 1);
    row->addWidget(addArgument_);
    connect(mode_, &QComboBox::activated, this, [this](int index) { changeMode(index == 1); });
    connect(addArray_, &QAction::triggered, this, [this] { addArgument(true); });
    connect(addScalar_, &QAction::triggered, this, [this] { addArgument(false); });
    return bar;
}

void LaunchPanel::changeMode(bool steps) {
    if (steps == document().session().pipeline.has_value()) return;
    document().modify(steps ? tr("Run Several Steps") : tr("Run One Launch"), [&](session::Session& session) {
        if (steps)
            session.pipeline = pipelineOf(session);
        else
            session.pipeline.reset();
    });
}

void LaunchPanel::addArgument(bool array) {
    const auto& arguments = document().session().arguments;
    const QString title = array ? tr("Add Array") : tr("Add Number");
    bool ok = false;
    const std::string name =
        QInputDialog::getText(this, title, tr("Its name, for the steps:"), QLineEdit::Normal, {}, &ok)
            .trimmed()
            .toStdString();
    if (!ok || name.empty()) return;
    if (std::ranges::find(arguments, name, &session::Argument::name) != arguments.end()) {
        emit workbench().statusMessage(tr("There is an argument %1 already.").arg(QString::fromStdString(name)));
        return;
    }
    if (const std::string problem = session::argument_name_problem(name); !problem.empty()) {
        emit workbench().statusMessage(QString::fromStdString(problem));
        return;
    }
    session::Argument argument;
    argument.name = name;
    argument.direction = array ? session::Direction::inout : session::Direction::scalar;
    argument.source = session::ZerosSource{"float32", {1024}};
    document().modify(title, [&](session::Session& session) { session.arguments.push_back(argument); });
    editArgument(arguments_->rowCount() - 1);
}

bool LaunchPanel::eventFilter(QObject* watched, QEvent* event) {
    // Keys that a name's field does not take come here, too.
    const bool isTyping = table_->indexWidget(table_->currentIndex());
    if (watched == table_ && event->type() == QEvent::KeyPress && !isTyping) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            editArgument(currentRow());
            return true;
        }
        if (key == Qt::Key_Delete) removeExcess(currentRow());
    }
    return Panel::eventFilter(watched, event);
}

QList<QAction*> LaunchPanel::panelActions() const { return {edit_, rename_, file_, variable_, remove_, suggest_}; }

int LaunchPanel::currentRow() const { return table_->currentIndex().isValid() ? table_->currentIndex().row() : -1; }

void LaunchPanel::showSession() {
    const session::Session& session = document().session();
    const QString options = describeOptions(session.compile);
    optionsText_->setText(options);
    optionsText_->setToolTip(options);
    kinds_->setCurrentIndex(session.program ? 1 : 0);
    // Nothing runs with the session's own block then.
    if (session.program || session.pipeline) suggest_->setEnabled(false);
    if (session.program) return showContent();
    const bool steps = session.pipeline.has_value();
    mode_->setCurrentIndex(steps ? 1 : 0);
    form_->setVisible(!steps);
    pipeline_->setVisible(steps);
    addArgument_->setVisible(steps);
    if (!steps && session.kernel.empty() && document().kernels().empty() && session.arguments.empty())
        showEmptyNote(QStringLiteral("launch"), tr("No kernel yet"),
                      tr("Write a __global__ function: its parameters appear here as arguments."));
    else
        showContent();
    check();
    occupancyTimer_.start();
}

void LaunchPanel::editOptions() {
    CompileOptionsDialog dialog(document().session().compile, this);
    if (dialog.exec() != QDialog::Accepted) return;
    document().modify(tr("Change Compile Options"),
                      [&](session::Session& session) { session.compile = dialog.options(); });
}

void LaunchPanel::editArgument(int row) {
    const session::Session& session = document().session();
    const auto& arguments = session.arguments;
    if (row < 0 || row >= int(arguments.size())) return;
    session::Argument argument = arguments[std::size_t(row)];
    // One of the wrong kind can only be chosen anew.
    const compiler::Kernel* kernel = document().currentKernel();
    const int number = parameterNumbers(arguments)[std::size_t(row)];
    if (kernel && number >= 0 && number < int(kernel->parameters.size()) &&
        !fitsParameter(argument, kernel->parameters[std::size_t(number)])) {
        const std::string name = argument.name;
        argument = guessArguments(*kernel, {}, {}, document().folder()).arguments[std::size_t(number)];
        argument.name = name;
    }
    const auto isThere = [this, row, name = argument.name] {
        const auto& now = document().session().arguments;
        return row < int(now.size()) && now[std::size_t(row)].name == name;
    };
    ui::editArgument(workbench(), session, argument, this, isThere,
                     [this, row](const session::Argument& edited) { arguments_->setArgument(row, edited); });
}

void LaunchPanel::listVariables() {
    variables_.clear();
    const std::vector<compiler::Variable> variables = variablesToAdd(document());
    for (const compiler::Variable& variable : variables)
        connect(
            variables_.addAction(
                tr("%1, %2", "variable, size").arg(QString::fromStdString(variable.name), formatBytes(variable.size))),
            &QAction::triggered, this, [this, variable] { addVariable(variable); });
    if (!variables.empty()) return;
    variables_
        .addAction(knowsVariables(document()) ? tr("The source has no other variable")
                                              : tr("Known after a build (%1)").arg(commandKeys("build.build")))
        ->setEnabled(false);
}

void LaunchPanel::addVariable(const compiler::Variable& variable) {
    document().modify(tr("Add %1").arg(QString::fromStdString(variable.name)),
                      [&](session::Session& session) { session.arguments.push_back(argumentFor(variable)); });
    const int row = arguments_->rowCount() - 1;
    table_->setCurrentIndex(arguments_->index(row, ArgumentsModel::Name));
    table_->scrollTo(table_->currentIndex());
}

bool LaunchPanel::isExcess(int row) const {
    const auto& arguments = document().session().arguments;
    if (row < 0 || row >= int(arguments.size())) return false;
    if (arguments[std::size_t(row)].variable || document().session().pipeline) return true;
    const compiler::Kernel* kernel = document().currentKernel();
    return kernel && parameterNumbers(arguments)[std::size_t(row)] >= int(kernel->parameters.size());
}

void LaunchPanel::removeExcess(int row) {
    if (!isExcess(row)) return;
    const auto at = std::ptrdiff_t(row);
    document().modify(
        tr("Remove %1").arg(QString::fromStdString(document().session().arguments[std::size_t(row)].name)),
        [&](session::Session& session) { session.arguments.erase(session.arguments.begin() + at); });
}

void LaunchPanel::renameArgument(int row) {
    if (row < 0 || row >= arguments_->rowCount()) return;
    if (const QString why = arguments_->whyNotRenamed(row); !why.isEmpty())
        emit workbench().statusMessage(why);
    else
        table_->edit(arguments_->index(row, ArgumentsModel::Name));
}

void LaunchPanel::chooseFile(int row) {
    const auto& arguments = document().session().arguments;
    if (row < 0 || row >= int(arguments.size()) || arguments[std::size_t(row)].direction == session::Direction::scalar)
        return;
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose Data"), document().folder(),
                                                      tr("Data (%1);;All files (*)").arg(dataPatterns()));
    if (!path.isEmpty()) arguments_->setFile(row, path);
}

void LaunchPanel::coverElements() {
    const session::Session& now = document().session();
    const compiler::Kernel* kernel = document().currentKernel();
    const bool flat = isFlat(now.launch, kernel);
    const auto coverage = findCoverage(now, kernel, document().folder(), flat);
    if (!coverage) {
        emit workbench().statusMessage(tr("No buffer tells how many elements there are."));
        return;
    }
    document().modify(tr("Cover All Elements"), [&](session::Session& session) {
        session.launch.grid = coveringGrid(*coverage, session.launch.block, flat);
    });
    emit workbench().statusMessage(
        tr("The grid covers %1: %2 elements")
            .arg(QString::fromStdString(coverage -> argument),
                 formatShape(std::vector<qint64>(coverage->shape.begin(), coverage->shape.end()))));
}

void LaunchPanel::useSuggestedBlock() {
    const session::Session& now = document().session();
    if (suggestedBlock_ <= 0 || now.pipeline) return;
    const Extents block = blockOfThreads(now.launch.block, suggestedBlock_, form_->limits());
    // Unchanged shared memory still belongs to the block of the last fitting launch.
    const session::LaunchConfiguration& settled = form_->settled();
    const Extents& before = now.launch.shared == settled.shared ? settled.block : now.launch.block;
    const std::uint64_t shared = sharedFor(now.launch.shared, before, block);
    const bool adapted = shared != now.launch.shared;
    const compiler::Kernel* kernel = document().currentKernel();
    const bool flat = isFlat(now.launch, kernel);
    const auto coverage = findCoverage(now, kernel, document().folder(), flat);
    document().modify(tr("Use the Suggested Block"), [&](session::Session& session) {
        session.launch.block = block;
        session.launch.shared = shared;
        if (coverage) session.launch.grid = coveringGrid(*coverage, block, flat);
    });
    if (adapted) emit workbench().statusMessage(tr("Shared memory went with the block: %1").arg(formatBytes(shared)));
}

QString LaunchPanel::problem() const {
    if (document().isProgram()) return {};
    const bool steps = document().session().pipeline.has_value();
    if (QString launch = form_->problem(); !steps && !launch.isEmpty()) return launch;
    for (int row = 0; row < arguments_->rowCount(); ++row) {
        QString problem = arguments_->index(row, 0).data(ArgumentsModel::ProblemRole).toString();
        if (!problem.isEmpty())
            return tr("%1: %2").arg(arguments_->index(row, ArgumentsModel::Name).data().toString(), problem);
    }
    if (steps) return pipelineProblem(document().session(), document().kernels());
    const compiler::Kernel* kernel = document().currentKernel();
    if (kernel && kernel->is_template && document().session().kernel == kernel->name)
        return tr("%1 is a template. Name the instance to run in the kernel box, such as %1<float>.")
            .arg(QString::fromStdString(kernel->name));
    const auto given = std::ranges::count(document().session().arguments, false, &session::Argument::variable);
    if (kernel && int(kernel->parameters.size()) > int(given))
        return tr("The kernel has %n parameter(s) without an argument.", nullptr,
                  int(kernel->parameters.size()) - int(given));
    return {};
}

void LaunchPanel::check() {
    // What is wrong with a number stands beside it.
    const bool beside = !form_->problem().isEmpty() && !document().session().pipeline;
    const QString text = beside ? QString() : problem();
    problem_->setText(text.isEmpty() ? QString() : QStringLiteral("⚠ ") + text);
    problem_->setVisible(!text.isEmpty());
}

void LaunchPanel::askLimits() {
    workbench().worker().request(
        QStringLiteral("devices"), nlohmann::json::object(), QStringLiteral("launch.devices"), this,
        [this](const WorkerReply& reply) {
            if (reply.notConnected) return form_->setLimits({}); // not those of the device before
            if (!reply.ok) return;
            for (const auto& device : reply.result.value("devices", nlohmann::json::array())) {
                if (!device.is_object() || device.value("id", -1) != workbench().deviceOrdinal()) continue;
                form_->setLimits(limitsFromAttributes(QString::fromStdString(device.value("name", std::string())),
                                                      device.value("attributes", nlohmann::json::object())));
            }
        });
}

void LaunchPanel::showNoOccupancy(const QString& why, const QString& details) {
    occupancyBar_->setValue(0);
    occupancyText_->setText(why.toHtmlEscaped());
    occupancyText_->setToolTip(details);
    suggestedBlock_ = 0;
    suggest_->setEnabled(false);
    LaunchLimits limits = form_->limits();
    limits.kernelThreads = 0;
    limits.staticShared = 0;
    form_->setLimits(limits);
}

void LaunchPanel::askOccupancy() {
    const session::Session& session = document().session();
    if (session.pipeline) return showNoOccupancy({});
    const CompileOutput& output = document().compileOutput();
    const bool ptxSource = document().mainSource() && document().mainSource()->isPtx();
    const QString ptx = ptxSource ? document().mainSource()->text() : output.ptx;
    if (session.kernel.empty() || ptx.isEmpty())
        return showNoOccupancy(tr("Known after a build (%1).").arg(commandKeys("build.build")));
    std::string kernel = ptxSource ? session.kernel : std::string();
    for (const auto& each : output.kernels)
        if (each.name == session.kernel && !each.lowered.empty()) kernel = each.lowered;
    // What was built is another kernel or another instance.
    if (kernel.empty()) return showNoOccupancy(tr("Known after a build (%1).").arg(commandKeys("build.build")));
    const quint64 threads = threadsOf(session.launch.block);
    if (threads == 0 || threads > form_->limits().threads) return showNoOccupancy(tr("The launch is not possible."));
    nlohmann::json params{{"device", workbench().deviceOrdinal()},
                          {"ptx", ptx.toStdString()},
                          {"kernel", kernel},
                          {"block", session.launch.block},
                          {"shared", session.launch.shared}};
    workbench().worker().request(QStringLiteral("occupancy"), std::move(params), QStringLiteral("launch.occupancy"),
                                 this, [this](const WorkerReply& reply) {
                                     if (reply.ok)
                                         return showOccupancy(worker::occupancy_reply_from_json(reply.result));
                                     if (reply.notConnected)
                                         return showNoOccupancy(
                                             tr("Known when %1 is connected.")
                                                 .arg(workbench().machines().title(workbench().worker().machine())));
                                     if (reply.workerDied) return showNoOccupancy(tr("Known when the worker is back."));
                                     if (reply.stopped) return showNoOccupancy(tr("Stopped. A build asks again."));
                                     showNoOccupancy(tr("The device does not tell it for this kernel."),
                                                     tr("The driver could not load what was built last, or it has no "
                                                        "such kernel. A run says which."));
                                 });
}

void LaunchPanel::showOccupancy(const worker::OccupancyReply& answer) {
    const session::ReportOccupancy& occupancy = answer.occupancy;
    const QString limiter = QString::fromStdString(occupancy.limiter);
    suggestedBlock_ = occupancy.suggested_block;
    occupancyBar_->setValue(qRound(occupancy.occupancy * 100));
    occupancyText_->setToolTip({});
    QString text = tr("%1 %: %2 of %3 warps")
                       .arg(qRound(occupancy.occupancy * 100))
                       .arg(occupancy.warps_per_sm)
                       .arg(occupancy.max_warps_per_sm);
    if (!limiter.isEmpty() && limiter != QLatin1String("nothing")) text += tr(", limited by %1").arg(limiter);
    if (occupancy.estimated) text += tr(" (estimated: ptxas would know the registers)");
    text = text.toHtmlEscaped() + QLatin1Char('.');
    const Extents& block = document().session().launch.block;
    const Extents suggested = blockOfThreads(block, suggestedBlock_, form_->limits());
    const bool other = !document().session().pipeline && occupancy.occupancy < 0.995 && suggestedBlock_ > 0 &&
                       threadsOf(suggested) != threadsOf(block);
    suggest_->setEnabled(other);
    if (other) {
        const QString shape = isFlat(suggested) ? tr("%1 threads").arg(suggestedBlock_)
                                                : formatShape({suggested.begin(), suggested.end()});
        text += QStringLiteral(" <a href=\"suggest\">%1</a>").arg(tr("Suggested: %1").arg(shape));
    }
    occupancyText_->setText(text);
    LaunchLimits limits = form_->limits();
    limits.kernelThreads = answer.attribute("MAX_THREADS_PER_BLOCK");
    limits.staticShared = quint64(std::max(0, answer.attribute("SHARED_SIZE_BYTES")));
    form_->setLimits(limits);
}

void LaunchPanel::restyle() {
    const Colours& colours = theme().colours();
    QPalette palette = problem_->palette();
    palette.setColor(QPalette::WindowText, colours.error);
    problem_->setPalette(palette);
    palette = optionsText_->palette();
    palette.setColor(QPalette::WindowText, colours.mutedText);
    optionsText_->setPalette(palette);
    if (const QString text = occupancyText_->text(); !text.isEmpty()) { // a link keeps the colour that it was set with
        occupancyText_->clear();
        occupancyText_->setText(text);
    }
    table_->verticalHeader()->setDefaultSectionSize(QFontMetrics(QApplication::font()).height() + Theme::grid);
    occupancyBar_->setStyleSheet(QStringLiteral("QProgressBar { border: none; border-radius: 4px; background: %1; }"
                                                "QProgressBar::chunk { border-radius: 4px; background: %2; }")
                                     .arg(colours.border.name(), colours.accent.name()));
}

} // namespace warplight::ui
