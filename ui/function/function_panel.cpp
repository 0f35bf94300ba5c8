// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/function/function_panel.hpp"

#include "ui/common/command_keys.hpp"
#include "ui/common/icons.hpp"
#include "ui/function/attributes_model.hpp"
#include "ui/function/register_dialog.hpp"
#include "ui/launch/pipeline_edit.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

FunctionPanel::FunctionPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), model_(new AttributesModel(this)), view_(new QTreeView),
      registers_(new QPushButton(tr("Registers…"))) {
    view_->setModel(model_);
    view_->setAccessibleName(tr("Function attributes"));
    view_->setAlternatingRowColors(true);
    view_->setRootIsDecorated(true);
    view_->setUniformRowHeights(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(AttributesModel::Value, QHeaderView::ResizeToContents);
    view_->header()->setSectionResizeMode(AttributesModel::Meaning, QHeaderView::ResizeToContents);
    view_->setTextElideMode(Qt::ElideNone); // long text is scrolled to
    copy_ = new QAction(icon(QStringLiteral("copy")), tr("Copy"), this);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    view_->addAction(copy_);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy_, &QAction::triggered, this, &FunctionPanel::copySelected);
    registers_->setToolTip(tr("What limits on the registers do to spills and occupancy"));
    connect(registers_, &QPushButton::clicked, this, [this] {
        auto* dialog = new RegisterDialog(this->workbench(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    auto* content = new QWidget;
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->addWidget(registers_);
    bar->addStretch();
    rows->addLayout(bar);
    rows->addWidget(view_, 1);
    setContent(content);
    connect(&CommandKeys::instance(), &CommandKeys::changed, this, [this] {
        if (model_->isEmpty()) refresh();
    });
    connect(&document(), &Document::reportChanged, this, &FunctionPanel::refresh);
    connect(&document(), &Document::compiled, this, &FunctionPanel::refresh);
    connect(&document(), &Document::sessionChanged, this, &FunctionPanel::refresh);
    // After the view has its new font; behind other tabs it gets that later.
    connect(&theme(), &Theme::themeChanged, this, &FunctionPanel::fitNames, Qt::QueuedConnection);
    connect(this, &Panel::panelShown, this, &FunctionPanel::fitNames);
    refresh();
}

void FunctionPanel::refresh() {
    const session::Report* report = document().hasReport() ? &document().report() : nullptr;
    const session::Session& session = document().session();
    const session::LaunchStep* first = session.pipeline ? firstLaunch(*session.pipeline) : nullptr;
    const std::string kernel = first ? first->kernel : session.pipeline ? std::string() : session.kernel;
    // A report of another kernel says nothing about this one.
    if (report && report->kernel != kernel) report = nullptr;
    const CompileOutput& output = document().compileOutput();
    const compiler::KernelResources* resources = nullptr;
    for (const auto& each : output.resources)
        if (each.name == kernel || each.lowered == kernel) resources = &each;
    model_->setResults(report, resources, output.arch);
    const SourceFile* source = document().mainSource();
    registers_->setEnabled(!session.pipeline || first);
    registers_->setVisible(source && !source->isPtx() && !document().isProgram());
    if (model_->isEmpty()) {
        if (document().isProgram())
            return showEmptyNote(QStringLiteral("function"), tr("No single kernel"),
                                 tr("Timing shows the kernels that a program launched, with their grids and times."));
        showEmptyNote(QStringLiteral("function"), tr("Nothing known of the kernel yet"),
                      tr("Build (%1) for the compiler's report, run (%2) for the driver's attributes.")
                          .arg(commandKeys("build.build"), commandKeys("run.run")));
        return;
    }
    view_->expandAll();
    fitNames();
    showContent();
}

void FunctionPanel::fitNames() {
    // As wide as the names; headings of groups go over all columns.
    int width = 0;
    for (int group = 0; group < model_->rowCount(); ++group) {
        const QModelIndex parent = model_->index(group, 0);
        view_->setFirstColumnSpanned(group, {}, true);
        for (int row = 0; row < model_->rowCount(parent); ++row)
            width = std::max(width, view_->fontMetrics().horizontalAdvance(
                                        model_->index(row, AttributesModel::Name, parent).data().toString()));
    }
    view_->header()->resizeSection(AttributesModel::Name, width + 2 * view_->indentation() + 2 * Theme::grid);
}

void FunctionPanel::copySelected() {
    QStringList lines;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows(AttributesModel::Name)) {
        const QString value = index.siblingAtColumn(AttributesModel::Value).data().toString();
        lines << (value.isEmpty() ? index.data().toString() : index.data().toString() + QLatin1Char('\t') + value);
    }
    if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace warplight::ui
