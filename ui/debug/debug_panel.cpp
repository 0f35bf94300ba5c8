// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/debug_panel.hpp"

#include "ui/common/device_id.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/debug/debug_console.hpp"
#include "ui/debug/lanes_page.hpp"
#include "ui/debug/memory_page.hpp"
#include "ui/debug/variables_view.hpp"
#include "ui/debug/watches_page.hpp"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QTreeWidget* placesList(const QString& name, const QStringList& headers) {
    auto* list = new QTreeWidget;
    list->setHeaderLabels(headers);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAlternatingRowColors(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setAccessibleName(name);
    list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return list;
}

QString stopText(const QString& reason) {
    if (reason == QLatin1String("breakpoint")) return DebugPanel::tr("Breakpoint");
    if (reason == QLatin1String("step")) return DebugPanel::tr("Step");
    if (reason == QLatin1String("pause")) return DebugPanel::tr("Paused");
    if (reason == QLatin1String("data breakpoint")) return DebugPanel::tr("Written");
    if (reason == QLatin1String("exception")) return DebugPanel::tr("Fault");
    if (reason == QLatin1String("goto")) return DebugPanel::tr("First line of the block");
    return DebugPanel::tr("First line");
}

} // namespace

DebugPanel::DebugPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), session_(document(), breakpoints_) {
    createActions();
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createBar());
    note_ = new QLabel;
    note_->setObjectName(QStringLiteral("debugNote"));
    note_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    note_->setAutoFillBackground(true);
    note_->setWordWrap(true);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->hide();
    column->addWidget(note_);
    createPages();
    column->addWidget(splitter_, 1);
    setContent(content);
    connectSession();
    connect(&theme(), &Theme::themeChanged, this, &DebugPanel::restyle);
    connect(&document(), &Document::sessionReplaced, this, &DebugPanel::onSession);
    connect(&document(), &Document::sessionChanged, this, &DebugPanel::updateActions);
    connect(&this->workbench(), &Workbench::workerChanged, this, &DebugPanel::updateState);
    restyle();
    onSession();
}

DebugPanel::~DebugPanel() { session_.disconnect(this); }

// --- actions

QAction* DebugPanel::add(const char* name, const char* iconName, const QString& text, const QKeySequence& keys,
                         const std::function<void()>& run) {
    auto* action = new QAction(*iconName ? icon(QLatin1String(iconName)) : QIcon(), text, this);
    action->setObjectName(QStringLiteral("debug.") + QLatin1String(name));
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, run);
    actions_ << action;
    return action;
}

QAction* DebugPanel::action(const char* name) const {
    const QString wanted = QStringLiteral("debug.") + QLatin1String(name);
    const auto found =
        std::find_if(actions_.cbegin(), actions_.cend(), [&](const QAction* a) { return a->objectName() == wanted; });
    return found == actions_.cend() ? nullptr : *found;
}

void DebugPanel::createActions() {
    const auto separator = [this] {
        auto* line = new QAction(this);
        line->setSeparator(true);
        actions_ << line;
    };
    add("start", "debug", tr("&Start Debugging"), QKeySequence(Qt::Key_F7), [this] {
        if (session_.isStanding())
            session_.go();
        else
            emit startRequested();
    });
    add("pause", "pause", tr("&Pause"), QKeySequence(Qt::CTRL | Qt::Key_F7), [this] { session_.pause(); });
    add("stop", "stop", tr("S&top Debugging"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F7), [this] {
        last_ = tr("Stopped");
        session_.stop();
    });
    separator();
    add("over", "step-over", tr("Step &Over"), QKeySequence(Qt::Key_F10), [this] { session_.stepOver(); });
    add("in", "step-in", tr("Step &In"), QKeySequence(Qt::Key_F11), [this] { session_.stepIn(); });
    add("out", "step-out", tr("Step O&ut"), QKeySequence(Qt::SHIFT | Qt::Key_F11), [this] { session_.stepOut(); });
    add("back", "step-back", tr("Step &Back"), QKeySequence(Qt::CTRL | Qt::Key_F11), [this] { session_.stepBack(); });
    add("reverse", "reverse", tr("&Reverse to Breakpoint"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
        [this] { session_.reverse(); });
    separator();
    add("line", "", tr("Run to &Line"), QKeySequence(Qt::CTRL | Qt::Key_F10), [this] { emit runToLineRequested(); });
    add("breakpoint", "", tr("Toggle Brea&kpoint"), QKeySequence(Qt::Key_F9), [this] { emit breakpointRequested(); });
    add("clear", "", tr("Remove &All Breakpoints"), {}, [this] { breakpoints_.clearAll(); });
    connect(&breakpoints_, &Breakpoints::changed, this, &DebugPanel::updateActions);
}

QWidget* DebugPanel::createBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->setSpacing(Theme::half);
    for (QAction* each : std::as_const(actions_)) {
        if (each->icon().isNull()) continue;
        auto* button = new QToolButton;
        button->setDefaultAction(each);
        button->setAutoRaise(true);
        button->setAccessibleName(QString(each->text()).remove(QLatin1Char('&')));
        row->addWidget(button);
    }
    unit_ = new QComboBox;
    unit_->setAccessibleName(tr("Who comes to its next line in a step"));
    unit_->setToolTip(unit_->accessibleName());
    unit_->addItem(tr("Thread"), int(StepUnit::Thread));
    unit_->addItem(tr("Warp"), int(StepUnit::Warp));
    unit_->addItem(tr("Block"), int(StepUnit::Block));
    unit_->setCurrentIndex(1);
    connect(unit_, &QComboBox::currentIndexChanged, this,
            [this] { session_.setUnit(static_cast<StepUnit>(unit_->currentData().toInt())); });
    block_ = new NumberBox(tr("Go to a block"));
    block_->setHelp(
        tr("The block that is looked at, counted through the grid. Another number goes to the first line of "
           "that block, forwards or back."));
    block_->setPrefix(tr("Block "));
    block_->setNumber(0);
    connect(block_, &NumberBox::editingFinished, this, [this] {
        if (!session_.isStanding() || block_->number() == session_.standing().block) return;
        session_.goToBlock(block_->number());
    });
    stateIcon_ = new QLabel;
    state_ = new ElidedLabel;
    state_->setObjectName(QStringLiteral("debugState"));
    row->addWidget(unit_);
    row->addWidget(block_);
    row->addSpacing(Theme::grid);
    row->addWidget(stateIcon_);
    row->addWidget(state_, 1);
    return bar;
}

void DebugPanel::createPages() {
    const auto tabs = [](const QString& name) {
        auto* made = new QTabWidget;
        made->setDocumentMode(true);
        made->setAccessibleName(name);
        return made;
    };
    splitter_ = new QSplitter(Qt::Horizontal);
    splitter_->setChildrenCollapsible(false);
    places_ = tabs(tr("Where the kernel stands"));
    stack_ = placesList(tr("Stack"), {tr("Function"), tr("Line")});
    warps_ = placesList(tr("Warps of the block"), {tr("Warp"), tr("Threads"), tr("Line"), tr("State")});
    stack_->header()->setStretchLastSection(false);
    stack_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    places_->addTab(stack_, tr("Stack"));
    places_->addTab(warps_, tr("Warps"));
    values_ = tabs(tr("Variables and watches"));
    variables_ = new VariablesView(new VariablesModel(session_, this), theme());
    variables_->setAccessibleName(tr("Variables"));
    watches_ = new WatchesPage(session_, theme());
    values_->addTab(variables_, tr("Variables"));
    values_->addTab(watches_, tr("Watches"));
    details_ = tabs(tr("Lanes, memory and console"));
    lanes_ = new LanesPage(session_, theme());
    memory_ = new MemoryPage(session_, theme());
    console_ = new DebugConsole(session_, theme());
    details_->addTab(lanes_, tr("Lanes"));
    details_->addTab(memory_, tr("Memory"));
    details_->addTab(console_, tr("Console"));
    for (QTabWidget* each : {places_, values_, details_})
        splitter_->addWidget(each);
    splitter_->setSizes({220, 400, 400});
    for (int k = 0; k < splitter_->count(); ++k)
        splitter_->setStretchFactor(k, k == 0 ? 1 : 2);

    connect(stack_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && !filling_) session_.selectFrame(stack_->indexOfTopLevelItem(item));
    });
    connect(warps_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && !filling_) session_.selectWarp(warps_->indexOfTopLevelItem(item));
    });
    connect(memory_, &MemoryPage::message, &workbench(), &Workbench::statusMessage);
    for (VariablesView* view : {variables_, watches_->view()}) {
        connect(view, &VariablesView::watchRequested, this, [this](const QString& expression) {
            watches_->add(expression);
            values_->setCurrentWidget(watches_);
        });
        connect(view, &VariablesView::lanesRequested, this, [this](const QString& expression) {
            details_->setCurrentWidget(lanes_);
            lanes_->show(expression);
        });
        connect(view, &VariablesView::memoryRequested, this, [this](const DebugVariable& variable) {
            details_->setCurrentWidget(memory_);
            memory_->show(variable);
        });
        connect(view, &VariablesView::lastWriteRequested, this,
                [this](const QString& expression) { session_.enter(QStringLiteral("last-write ") + expression); });
    }
}

// --- the session

void DebugPanel::connectSession() {
    connect(&session_, &DebugSession::stateChanged, this, &DebugPanel::onState);
    connect(&session_, &DebugSession::stood, this, &DebugPanel::onStood);
    connect(&session_, &DebugSession::frameChanged, this, &DebugPanel::onFrame);
    connect(&session_, &DebugSession::edited, this, &DebugPanel::updateState);
    connect(&session_, &DebugSession::output, console_, &DebugConsole::append);
    connect(&session_, &DebugSession::refused, this, [this](const QString& why) {
        console_->append(QStringLiteral("refused"), why + QLatin1Char('\n'));
        emit workbench().statusMessage(why);
    });
    connect(&session_, &DebugSession::ended, this, &DebugPanel::onEnded);
    connect(&session_, &DebugSession::lost, this, [this](const QString& why) {
        last_ = tr("The debugger ended");
        console_->append(QStringLiteral("important"), why + QLatin1Char('\n'));
        updateState();
    });
}

void DebugPanel::onState() {
    if (session_.state() == DebugSession::State::Starting) {
        console_->clear();
        last_.clear();
        showContent();
    }
    if (!session_.isStanding()) {
        variables_->variables()->setOld(true);
        watches_->model()->setOld(true);
        lanes_->setOld(true);
    }
    if (!session_.isActive()) {
        stack_->clear();
        warps_->clear();
        memory_->clear();
    }
    updateState();
    updateActions();
}

void DebugPanel::onStood() {
    const QScopedValueRollback guard(filling_, true);
    stack_->clear();
    for (const DebugFrame& frame : session_.stack()) {
        // The state line says which thread it is.
        const QString name = frame.name.section(QStringLiteral(" · "), 0, 0);
        auto* item = new QTreeWidgetItem(stack_, {name, frame.line ? QString::number(frame.line) : QString()});
        item->setToolTip(0, frame.name);
    }
    stack_->setCurrentItem(stack_->topLevelItem(0));
    const DebugStanding& now = session_.standing();
    // Rows stay: a list of 32 that is made anew would jump.
    while (warps_->topLevelItemCount() > now.warps.size())
        delete warps_->takeTopLevelItem(warps_->topLevelItemCount() - 1);
    for (int w = 0; w < int(now.warps.size()); ++w) {
        const DebugWarp& warp = now.warps[w];
        QTreeWidgetItem* item = warps_->topLevelItem(w);
        if (!item) item = new QTreeWidgetItem(warps_);
        QStringList states;
        const std::pair<int, QString> counts[] = {{warp.atLine, tr("%1 go on")},
                                                  {warp.waiting, tr("%1 wait")},
                                                  {warp.ended, tr("%1 ended")},
                                                  {warp.notBegun, tr("%1 not begun")}};
        for (const auto& [count, text] : counts)
            if (count) states << text.arg(count);
        item->setText(0, QString::number(w));
        item->setText(1, QStringLiteral("%1–%2").arg(warp.first).arg(warp.last));
        item->setText(2, warp.line ? QString::number(warp.line) : QStringLiteral("–"));
        item->setText(3, states.join(QStringLiteral(", ")));
    }
    warps_->setCurrentItem(warps_->topLevelItem(now.warp));
    block_->setLimit(now.blocks() ? now.blocks() - 1 : 0);
    if (!block_->hasFocus()) block_->setNumber(now.block);
    updateState();
}

void DebugPanel::onFrame() {
    VariablesModel* model = variables_->variables();
    const bool isFirst = model->rowCount() == 0;
    QList<DebugVariable> top;
    for (const DebugScope& scope : session_.scopes()) {
        DebugVariable v;
        v.name = scope.name;
        v.reference = scope.reference;
        top << v;
    }
    model->setTop(top);
    if (isFirst && model->rowCount() > 0) variables_->expand(model->index(0, 0)); // the locals
    watches_->refresh();
    if (details_->currentWidget() == lanes_ || lanes_->picture()->values().size() > 0) lanes_->refresh();
    memory_->refresh();
    updateState();
}

void DebugPanel::onEnded(int exitCode, const QString& problem) {
    last_ = exitCode == 0   ? tr("The kernel has ended")
            : exitCode == 1 ? tr("The kernel has ended, with other results than expected")
            : exitCode == 3 ? tr("The source does not compile")
            : exitCode == 2 ? tr("The session cannot be debugged as it is")
                            : tr("The kernel has failed");
    if (exitCode > 1) {
        details_->setCurrentWidget(console_);
        if (!console_->view()->toPlainText().contains(problem.left(60)))
            console_->append(QStringLiteral("stderr"), problem + QLatin1Char('\n'));
    }
    updateState();
}

void DebugPanel::onSession() {
    console_->clear();
    last_.clear();
    watches_->setSource(Breakpoints::keyOf(*document().mainSource()));
    variables_->variables()->setTop({});
    lanes_->clear();
    memory_->clear();
    block_->setNumber(0);
    connect(document().mainSource(), &SourceFile::textChanged, this, &DebugPanel::updateActions, Qt::UniqueConnection);
    if (!session_.isActive())
        showEmptyNote(QStringLiteral("debug"), tr("No kernel is debugged"),
                      tr("Click beside a line to set a breakpoint, then start. The kernel runs on the software device, "
                         "whatever device is chosen, forwards and back."),
                      action("start"));
    updateState();
    updateActions();
}

void DebugPanel::updateActions() {
    const bool standing = session_.isStanding(), active = session_.isActive();
    const bool usable = !document().isProgram() && !document().mainSource()->text().trimmed().isEmpty();
    QAction* start = action("start");
    start->setEnabled(active ? standing : usable);
    start->setText(active ? tr("&Continue") : tr("&Start Debugging"));
    start->setIcon(icon(active ? QStringLiteral("continue") : QStringLiteral("debug")));
    for (const char* name : {"over", "in", "out", "back", "reverse"})
        action(name)->setEnabled(standing);
    action("pause")->setEnabled(active && !standing);
    action("stop")->setEnabled(active);
    action("line")->setEnabled(active ? standing : usable);
    action("clear")->setEnabled(!breakpoints_.isEmpty());
    unit_->setEnabled(!active || standing);
    block_->setEnabled(standing);
}

QString DebugPanel::placeText() const {
    const DebugStanding& now = session_.standing();
    QStringList parts{stopText(session_.reason())};
    if (const DebugFrame* frame = session_.shownFrame()) {
        const QString file = Breakpoints::isUnsaved(frame->source) ? document().mainSource()->name()
                                                                   : QFileInfo(frame->source).fileName();
        if (!file.isEmpty()) parts << tr("%1 line %2").arg(file).arg(frame->line);
    }
    parts << tr("block %1").arg(extentText(now.blockIdx))
          << tr("warp %1, lane %2, thread %3").arg(now.warp).arg(now.lane).arg(extentText(now.threadIdx));
    return parts.join(QStringLiteral(" · "));
}

void DebugPanel::updateState() {
    const Colours& c = theme().colours();
    const bool failed = session_.isStanding() && session_.reason() == QLatin1String("exception");
    QString text, symbol = QStringLiteral("info");
    QColor colour = c.mutedText;
    switch (session_.state()) {
    case DebugSession::State::Idle: text = last_.isEmpty() ? tr("Nothing is debugged") : last_; break;
    case DebugSession::State::Starting:
        text = tr("Compiling for debugging (--device-debug)"), symbol = QStringLiteral("refresh");
        break;
    case DebugSession::State::Running: text = tr("Running"), symbol = QStringLiteral("run"), colour = c.accent; break;
    case DebugSession::State::Standing:
        text = placeText(), symbol = failed ? QStringLiteral("error") : QStringLiteral("pause");
        colour = failed ? c.error : c.warning;
        break;
    }
    state_->setText(text);
    const int side = scaledPixels(16);
    stateIcon_->setPixmap(icon(symbol, colour).pixmap(QSize(side, side), devicePixelRatioF()));

    QStringList notes;
    if (session_.isStanding() && !session_.reasonText().isEmpty()) notes << session_.reasonText();
    if (session_.isEdited())
        notes << tr("The source was edited. The kernel that runs has the text of before; start again for the new one.");
    const WorkerConnection& chosen = workbench().worker();
    if (session_.isActive() && chosen.isRemote())
        notes << tr("This runs on the software device of this machine, not on %1.")
                     .arg(workbench().machines().title(chosen.machine()));
    else if (session_.isActive() && isGpu(chosen.driver()))
        notes << tr("This runs on the software device, not on the chosen GPU.");
    note_->setText(notes.join(QLatin1Char('\n')));
    note_->setVisible(!notes.isEmpty());
    QPalette palette = note_->palette();
    palette.setColor(QPalette::Window, failed ? c.errorSoft : c.warningSoft);
    palette.setColor(QPalette::WindowText, c.text);
    note_->setPalette(palette);
}

QString DebugPanel::stateText() const { return state_->text(); }
QString DebugPanel::noteText() const { return note_->isHidden() ? QString() : note_->text(); }

void DebugPanel::restyle() {
    for (QTreeWidget* list : {stack_, warps_})
        list->setFont(theme().monospace());
    updateState();
}

} // namespace warplight::ui
