// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/assembly_view.hpp"

#include "ui/assembly/ptx_view.hpp"
#include "ui/assembly/report_model.hpp"
#include "ui/code/find_bar.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/elided_box.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace warplight::ui {

namespace {

QWidget* note(const QString& title, const QString& hint, QWidget* parent, QLabel** hintLabel = nullptr,
              QPushButton** button = nullptr) {
    auto* widget = new QWidget(parent);
    auto* layout = new QVBoxLayout(widget);
    auto* first = new QLabel(title, widget);
    QFont bold = first->font();
    bold.setBold(true);
    first->setFont(bold);
    auto* second = new QLabel(hint, widget);
    for (QLabel* label : {first, second}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    layout->addStretch();
    layout->addWidget(first);
    layout->addWidget(second);
    if (button) {
        *button = new QPushButton(AssemblyView::tr("Build"), widget);
        layout->addWidget(*button, 0, Qt::AlignCenter);
    }
    layout->addStretch();
    if (hintLabel) *hintLabel = second;
    return widget;
}

} // namespace

AssemblyView::AssemblyView(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    tabs_ = new QTabWidget(this);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Compiler products"));
    column->addWidget(tabs_);

    auto* page = new QWidget(tabs_);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    function_ = new ElidedBox(page);
    function_->setAccessibleName(tr("Function to show"));
    function_->setToolTip(tr("Show one function or all"));
    function_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    function_->setMinimumContentsLength(10);
    bar->addWidget(function_, 1);
    const auto tool = [&](const QString& name, const QString& text, const QString& tip) {
        auto* button = new QToolButton(page);
        button->setIcon(icon(name));
        if (button->icon().isNull()) button->setText(text);
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        bar->addWidget(button);
        return button;
    };
    connect(tool(QStringLiteral("search"), tr("Find"), tr("Find in PTX")), &QToolButton::clicked, this,
            &AssemblyView::openFind);
    connect(tool(QStringLiteral("copy"), tr("Copy"), tr("Copy all PTX")), &QToolButton::clicked, this,
            &AssemblyView::copyAll);
    pageLayout->addLayout(bar);
    stale_ = new QLabel(tr("The source has changed since this was compiled."), page);
    stale_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    stale_->setAutoFillBackground(true);
    stale_->setWordWrap(true);
    stale_->hide();
    pageLayout->addWidget(stale_);
    ptx_ = new PtxView(theme, page);
    find_ = new FindBar(theme, page);
    find_->setView(ptx_);
    pageLayout->addWidget(ptx_, 1);
    pageLayout->addWidget(find_);

    QPushButton* build = nullptr;
    ptxStack_ = new QStackedWidget(tabs_);
    ptxStack_->addWidget(note(tr("No PTX yet"), {}, ptxStack_, &ptxNote_, &build));
    ptxStack_->addWidget(page);
    connect(build, &QPushButton::clicked, this, &AssemblyView::buildRequested);
    tabs_->addTab(ptxStack_, tr("PTX"));

    auto* reportPage = new QWidget(tabs_);
    auto* reportLayout = new QVBoxLayout(reportPage);
    reportLayout->setContentsMargins(0, 0, 0, 0);
    reportLayout->setSpacing(0);
    report_ = new ReportModel(this);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(report_);
    sorted->setSortRole(ReportModel::SortRole);
    table_ = new QTreeView(reportPage);
    table_->setModel(sorted);
    table_->setRootIsDecorated(false);
    table_->setAlternatingRowColors(true);
    table_->setSortingEnabled(true);
    table_->sortByColumn(ReportModel::Kernel, Qt::AscendingOrder);
    table_->setUniformRowHeights(true);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setAccessibleName(tr("Resources of each kernel"));
    table_->header()->setStretchLastSection(false);
    connect(table_, &QTreeView::activated, this, [this, sorted](const QModelIndex& index) {
        const int row = sorted->mapToSource(index).row();
        const QString lowered = QString::fromStdString(report_->resources(row).lowered);
        const int at = function_->findData(lowered);
        if (at < 0) return;
        function_->setCurrentIndex(at);
        tabs_->setCurrentIndex(0);
    });
    summary_ = new QLabel(reportPage);
    summary_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    summary_->setWordWrap(true);
    reportLayout->addWidget(table_, 1);
    reportLayout->addWidget(summary_);
    reportStack_ = new QStackedWidget(tabs_);
    reportStack_->addWidget(note(tr("No report yet"), {}, reportStack_, &reportNote_));
    reportStack_->addWidget(reportPage);
    tabs_->addTab(reportStack_, tr("Report"));
    tabs_->setTabToolTip(1, tr("What ptxas says of each kernel"));

    connect(&CommandKeys::instance(), &CommandKeys::changed, this, &AssemblyView::showHints);
    showHints();
    connect(function_, &QComboBox::currentIndexChanged, this,
            [this] { ptx_->showFunction(function_->currentData().toString()); });
    connect(ptx_, &CodeView::caretMoved, this, [this](int line) {
        // Only the user's moves of the caret choose a line; new text moves it too.
        if (linking_ || (!ptx_->hasFocus() && !find_->findEdit()->hasFocus())) return;
        const int source = map_.sourceLine(line);
        ptx_->setLinkedLines(map_.ptxLines(source));
        if (source > 0 && ptx_->hasFocus()) emit sourceLineRequested(source);
    });
    connect(ptx_, &CodeView::keyToLeave, this, [this] {
        if (find_->isVisible()) find_->close();
    });
    connect(&theme_, &Theme::themeChanged, this, &AssemblyView::restyle);
    restyle();
}

void AssemblyView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle(); // with a new parent the style sheet has taken the colours away
}

void AssemblyView::restyle() {
    const Colours& colours = theme_.colours();
    report_->setColours(colours.warningSoft, colours.warning);
    QPalette palette = stale_->palette();
    palette.setColor(QPalette::Window, colours.warningSoft);
    palette.setColor(QPalette::WindowText, colours.text);
    stale_->setPalette(palette);
    palette = summary_->palette();
    palette.setColor(QPalette::WindowText, colours.mutedText);
    summary_->setPalette(palette);
    // Once the table and its header have the new font.
    QMetaObject::invokeMethod(this, &AssemblyView::fitColumns, Qt::QueuedConnection);
}

void AssemblyView::fillFunctions() {
    const QString before = function_->currentData().toString();
    const QSignalBlocker block(function_);
    function_->clear();
    function_->addItem(tr("All functions"), QString());
    for (const PtxFunction& function : ptx_->functions())
        function_->addItem(function.kernel ? function.name : tr("%1 (device)").arg(function.name), function.name);
    function_->setCurrentIndex(std::max(0, function_->findData(before)));
    ptx_->showFunction(function_->currentData().toString());
}

void AssemblyView::setOutput(const CompileOutput& output, const LineMap& map, const QString& kernel) {
    if (output.valid && !output.ok && !ptx_->text().isEmpty()) {
        // The PTX is of an older source, whose lines are not those of the current one.
        map_ = LineMap();
        ptx_->setLineColours({});
        ptx_->setLinkedLines({});
        ptx_->setDimmed(true);
        stale_->setText(tr("The source does not compile. This is the PTX of the last source that did."));
        stale_->show();
        return;
    }
    map_ = map;
    linking_ = true;
    ptx_->setDimmed(false);
    const PtxView::Place before = ptx_->place();
    const QString openedAt = std::exchange(openedAt_, QString());
    ptx_->setPtx(output.ptx);
    ptx_->setLineColours(map.ptxColours());
    fillFunctions();
    // The first PTX opens at its kernel: its header is the same for all. Later PTX keeps the place.
    openedAt_ = functionToOpenAt(kernel);
    if ((openedAt_ != openedAt || !ptx_->goBackTo(before)) && function_->currentIndex() <= 0) ptx_->openAt(openedAt_);
    linking_ = false;
    ptxStack_->setCurrentIndex(output.ptx.isEmpty() ? 0 : 1);
    report_->setResources(output.resources);
    reportStack_->setCurrentIndex(output.resources.empty() ? 0 : 1);
    resourcesProblem_ = output.resourcesProblem;
    showHints();
    fitColumns();
    QStringList parts;
    if (!output.compiler.isEmpty()) parts << output.compiler;
    if (!output.arch.isEmpty()) parts << output.arch;
    parts << (output.cached ? tr("from the cache") : tr("compiled in %1").arg(formatMs(output.ms)));
    if (report_->hasSpills()) parts << tr("registers spill to local memory ⚠");
    summary_->setText(parts.join(QStringLiteral(" · ")));
    setStale(false);
}

void AssemblyView::showHints() {
    ptxNote_->setText(tr("Build the kernel (%1) to see the instructions of each line. Of programs they are not shown.")
                          .arg(commandKeys("build.build")));
    reportNote_->setText(resourcesProblem_.isEmpty()
                             ? tr("Build the kernel (%1) to see its registers, spills and shared memory.")
                                   .arg(commandKeys("build.build"))
                             : resourcesProblem_);
}

QString AssemblyView::functionToOpenAt(const QString& kernel) const {
    const QList<PtxFunction>& all = ptx_->functions();
    auto found = std::find_if(all.cbegin(), all.cend(), [&](const PtxFunction& f) { return f.name == kernel; });
    if (found == all.cend())
        found = std::find_if(all.cbegin(), all.cend(), [](const PtxFunction& f) { return f.kernel; });
    return found == all.cend() ? QString() : found->name;
}

void AssemblyView::fitColumns() {
    for (int i = 0; i < ReportModel::ColumnCount; ++i)
        table_->resizeColumnToContents(i);
}

void AssemblyView::setStale(bool stale) {
    if (ptx_->isDimmed()) return; // its note says more
    stale_->setText(tr("The source has changed since this was compiled."));
    stale_->setVisible(stale);
}

void AssemblyView::showSourceLine(int line) {
    const QList<int> lines = map_.ptxLines(line);
    ptx_->setLinkedLines(lines);
    if (lines.isEmpty() || ptx_->hasFocus()) return;
    linking_ = true;
    ptx_->reveal(lines.first());
    linking_ = false;
}

FindBar* AssemblyView::findBar() const { return finds_.value(tabs_->currentWidget(), find_); }

void AssemblyView::addPage(QWidget* page, const QString& title, const QString& tip, FindBar* find) {
    finds_.insert(page, find);
    tabs_->setTabToolTip(tabs_->insertTab(tabs_->indexOf(ptxStack_) + 1, page, title), tip);
}

void AssemblyView::openFind() {
    if (findBar() == find_) tabs_->setCurrentWidget(ptxStack_);
    findBar()->open(false);
}

void AssemblyView::copyAll() { QGuiApplication::clipboard()->setText(ptx_->text()); }

} // namespace warplight::ui
