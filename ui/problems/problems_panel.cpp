// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/problems/problems_panel.hpp"

#include "ui/common/command_keys.hpp"
#include "ui/common/icons.hpp"
#include "ui/problems/problems_model.hpp"
#include "ui/problems/two_threads.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <iterator>

namespace warplight::ui {

ProblemsPanel::ProblemsPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), model_(new ProblemsModel(this)), filter_(new ProblemsFilter(this)) {
    filter_->setSourceModel(model_);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    const struct {
        ProblemSeverity severity;
        const char* icon;
        QString name;
    } kinds[] = {{ProblemSeverity::Error, "error", tr("Errors")},
                 {ProblemSeverity::Warning, "warning", tr("Warnings")},
                 {ProblemSeverity::Note, "info", tr("Notes")}};
    for (int i = 0; i < 3; ++i) {
        auto* button = new QToolButton(content);
        button->setIcon(icon(QLatin1String(kinds[i].icon)));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setText(kinds[i].name);
        button->setCheckable(true);
        button->setChecked(true);
        button->setProperty("framed", true);
        button->setToolTip(tr("Show or hide: %1").arg(kinds[i].name));
        const ProblemSeverity severity = kinds[i].severity;
        connect(button, &QToolButton::toggled, this, [this, severity](bool on) { filter_->setShown(severity, on); });
        severities_[i] = button;
        bar->addWidget(button);
    }
    bar->addStretch();
    threadsButton_ = new QToolButton(content);
    threadsButton_->setIcon(icon(QStringLiteral("compare")));
    threadsButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    threadsButton_->setText(tr("Threads"));
    threadsButton_->setToolTip(tr("Show or hide what the two threads of a finding did"));
    threadsButton_->setCheckable(true);
    threadsButton_->setChecked(true);
    threadsButton_->setProperty("framed", true);
    connect(threadsButton_, &QToolButton::toggled, this, &ProblemsPanel::updateThreads);
    bar->addWidget(threadsButton_);
    search_ = new QLineEdit(content);
    search_->setPlaceholderText(tr("Filter"));
    search_->setAccessibleName(tr("Filter problems"));
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(240);
    connect(search_, &QLineEdit::textChanged, filter_, &ProblemsFilter::setText);
    bar->addWidget(search_);
    column->addLayout(bar);

    view_ = new QTreeView(content);
    view_->setModel(filter_);
    view_->setAccessibleName(tr("Problems"));
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setSortingEnabled(true);
    view_->header()->setSortIndicatorClearable(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);
    view_->setFrameShape(QFrame::NoFrame);
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(ProblemsModel::Message, QHeaderView::Stretch);
    for (int section : {ProblemsModel::File, ProblemsModel::Line, ProblemsModel::ColumnNumber, ProblemsModel::Source})
        view_->header()->setSectionResizeMode(section, QHeaderView::ResizeToContents);
    connect(view_, &QTreeView::activated, this, &ProblemsPanel::jump);
    threads_ = new TwoThreads(this->workbench().theme(), [this](const findings::Place& place) {
        return document().sourceLine(place.file, place.line);
    });
    threadsPane_ = new QScrollArea(content);
    threadsPane_->setFrameShape(QFrame::NoFrame);
    threadsPane_->setWidgetResizable(true);
    threadsPane_->setWidget(threads_);
    connect(threads_, &TwoThreads::placeChosen, &this->workbench(), &Workbench::showSource);
    auto* splitter = new QSplitter(content);
    splitter->addWidget(view_);
    splitter->addWidget(threadsPane_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setCollapsible(0, false);
    splitter->setSizes({600, 400});
    column->addWidget(splitter, 1);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ProblemsPanel::updateThreads);
    setContent(content);

    // The key is taken here, before the window's Copy: that one is for text.
    view_->installEventFilter(this);
    auto* copy = new QAction(icon(QStringLiteral("copy")), tr("&Copy Message"), view_);
    connect(copy, &QAction::triggered, this, &ProblemsPanel::copySelected);
    view_->addAction(copy);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto* next = new QAction(tr("&Next Problem"), this);
    next->setObjectName(QStringLiteral("problems.next"));
    next->setShortcut(QKeySequence(Qt::Key_F8));
    connect(next, &QAction::triggered, this, [this] { step(1); });
    auto* previous = new QAction(tr("&Previous Problem"), this);
    previous->setObjectName(QStringLiteral("problems.previous"));
    previous->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F8));
    connect(previous, &QAction::triggered, this, [this] { step(-1); });
    actions_ = {next, previous};
    build_ = new QAction(icon(QStringLiteral("build")), tr("Build"), this);
    connect(build_, &QAction::triggered, &this->workbench(), &Workbench::buildRequested);

    connect(&CommandKeys::instance(), &CommandKeys::changed, this, &ProblemsPanel::updateEmptyNote);
    connect(&document(), &Document::compiled, this, &ProblemsPanel::refresh);
    connect(&document(), &Document::reportChanged, this, &ProblemsPanel::refresh);
    connect(&document(), &Document::sessionReplaced, this, &ProblemsPanel::refresh);
    const auto restyle = [this] {
        const Colours& colours = theme().colours();
        model_->setColours(colours.error, colours.warning);
        severities_[0]->setIcon(icon(QStringLiteral("error"), colours.error));
        severities_[1]->setIcon(icon(QStringLiteral("warning"), colours.warning));
    };
    connect(&theme(), &Theme::themeChanged, this, restyle);
    restyle();
    refresh();
}

int ProblemsPanel::problemCount() const { return int(model_->problems().size()); }

void ProblemsPanel::refresh() {
    std::vector<Problem> problems;
    const CompileOutput& output = document().compileOutput();
    if (output.valid) problems = problemsOf(output.diagnostics);
    if (document().hasReport()) {
        std::vector<Problem> run = problemsOf(document().report());
        problems.insert(problems.end(), std::make_move_iterator(run.begin()), std::make_move_iterator(run.end()));
    }
    model_->setProblems(std::move(problems));
    view_->expandAll();
    const int errors = model_->count(ProblemSeverity::Error), warnings = model_->count(ProblemSeverity::Warning);
    severities_[0]->setText(errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
    severities_[1]->setText(warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    const int notes = model_->count(ProblemSeverity::Note);
    severities_[2]->setText(notes == 1 ? tr("1 note") : tr("%1 notes").arg(notes));
    updateEmptyNote();
    updateThreads();
    emit countsChanged(errors, warnings);
}

bool ProblemsPanel::areThreadsShown() const { return !threadsPane_->isHidden(); }

void ProblemsPanel::updateThreads() {
    std::shared_ptr<const findings::Finding> shown = model_->finding(filter_->mapToSource(view_->currentIndex()));
    bool any = false;
    for (const Problem& each : model_->problems()) {
        if (!each.finding || !TwoThreads::isOfTwo(*each.finding)) continue;
        any = true;
        if (!view_->currentIndex().isValid() && !shown) shown = each.finding;
    }
    if (shown && !TwoThreads::isOfTwo(*shown)) shown.reset();
    threadsButton_->setVisible(any);
    threads_->setFinding(shown);
    threadsPane_->setVisible(shown && threadsButton_->isChecked());
}

void ProblemsPanel::updateEmptyNote() {
    if (!model_->problems().empty()) {
        showContent();
    } else if (document().compileOutput().valid || document().hasReport()) {
        showEmptyNote(QStringLiteral("success"), tr("No problems"),
                      tr("The last build and run had nothing to report."));
    } else if (document().mainSource()->text().trimmed().isEmpty()) {
        showEmptyNote(
            QStringLiteral("problems"), tr("Nothing built yet"),
            tr("Open an example or a kernel, or begin a new one: what the compiler says of it appears here."));
    } else {
        showEmptyNote(QStringLiteral("problems"), tr("Nothing built yet"),
                      tr("Build the kernel (%1) to see what the compiler says of it.").arg(commandKeys("build.build")),
                      build_);
    }
}

void ProblemsPanel::jump(const QModelIndex& index) {
    QModelIndex at = index.siblingAtColumn(0);
    // A note without a place of its own leads to that of its problem.
    if (at.data(ProblemsModel::LineRole).toInt() <= 0 && at.parent().isValid()) at = at.parent();
    const int line = at.data(ProblemsModel::LineRole).toInt();
    if (line > 0)
        emit workbench().showSource(at.data(ProblemsModel::FileRole).toString(), line,
                                    at.data(ProblemsModel::ColumnRole).toInt());
}

void ProblemsPanel::step(int by) {
    const int rows = filter_->rowCount();
    if (rows == 0) return;
    QModelIndex current = view_->currentIndex();
    while (current.parent().isValid())
        current = current.parent();
    const int row = current.isValid() ? (current.row() + by + rows) % rows : by > 0 ? 0 : rows - 1;
    const QModelIndex next = filter_->index(row, 0);
    view_->setCurrentIndex(next);
    jump(next);
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched == view_ && key && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->accept();
        if (event->type() == QEvent::KeyPress) copySelected();
        return true;
    }
    return Panel::eventFilter(watched, event);
}

void ProblemsPanel::copySelected() {
    QStringList lines;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows())
        lines << index.data(ProblemsModel::CopyRole).toString();
    if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace warplight::ui
