// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/function/register_dialog.hpp"

#include "ui/common/activity_bar.hpp"
#include "ui/common/compile_request.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/launch/pipeline_edit.hpp"
#include "worker/assembly_json.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplight::ui {
namespace {

enum Column { Limit, Registers, Spills, Stack, Blocks, Occupancy, Limiter, ColumnCount };

/// The words of session::ReportOccupancy::limiter.
QString limiterText(const std::string& limiter) {
    if (limiter == "registers") return RegisterDialog::tr("registers");
    if (limiter == "shared memory") return RegisterDialog::tr("shared memory");
    if (limiter == "block size") return RegisterDialog::tr("block size");
    if (limiter == "blocks per multiprocessor") return RegisterDialog::tr("blocks per multiprocessor");
    if (limiter == "nothing") return RegisterDialog::tr("nothing");
    return QString::fromStdString(limiter);
}

} // namespace

RegisterDialog::RegisterDialog(Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), arch_(new QComboBox), rows_(new QTreeWidget), head_(new QLabel),
      note_(new QLabel) {
    setWindowTitle(tr("Registers and Occupancy"));
    arch_->setAccessibleName(tr("Architecture"));
    arch_->addItem(tr("As built"), QString());
    rows_->setAccessibleName(tr("Limits on the registers of a thread"));
    rows_->setHeaderLabels(
        {tr("Limit"), tr("Registers"), tr("Spills"), tr("Stack"), tr("Blocks/SM"), tr("Occupancy"), tr("Limited by")});
    rows_->setRootIsDecorated(false);
    rows_->setAlternatingRowColors(true);
    rows_->setUniformRowHeights(true);
    rows_->header()->setStretchLastSection(true);
    for (int column = Limit; column < Limiter; ++column)
        rows_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    head_->setWordWrap(true);
    head_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setTextFormat(Qt::PlainText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    use_ = buttons->addButton(tr("Use This Limit"), QDialogButtonBox::ActionRole);
    use_->setToolTip(tr("Put the limit into the compile options of the session"));

    auto* top = new QHBoxLayout;
    top->addWidget(head_, 1);
    top->addWidget(arch_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(rows_, 1);
    column->addWidget(note_);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(new ActivityBar(workbench_.activities()), 1);
    bottom->addWidget(buttons);
    column->addLayout(bottom);
    resize(fontMetrics().averageCharWidth() * 125, fontMetrics().height() * 28);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(use_, &QPushButton::clicked, this, &RegisterDialog::useChosen);
    connect(rows_, &QTreeWidget::itemSelectionChanged, this, &RegisterDialog::updateButton);
    connect(arch_, &QComboBox::activated, this, &RegisterDialog::ask);
    workbench_.helper().request(
        QStringLiteral("compilers"), nlohmann::json::object(), QStringLiteral("registers architectures"), this,
        [this](const WorkerReply& reply) {
            if (!reply.ok) return;
            const nlohmann::json nvrtc = reply.result.value("nvrtc", nlohmann::json::object());
            for (const auto& arch : nvrtc.value("architectures", nlohmann::json::array()))
                if (arch.is_number()) {
                    const QString name = QStringLiteral("sm_%1").arg(arch.get<int>());
                    arch_->addItem(name, name);
                }
        },
        {}, true);
    ask();
}

QString RegisterDialog::noteText() const { return note_->text(); }

void RegisterDialog::ask() {
    const session::Session& s = workbench_.document().session();
    nlohmann::json params = compileParameters(workbench_, workbench_.helper());
    if (const QString arch = arch_->currentData().toString(); !arch.isEmpty()) params["arch"] = arch.toStdString();
    const session::LaunchStep* first = s.pipeline ? firstLaunch(*s.pipeline) : nullptr;
    const session::LaunchConfiguration& launch = first ? first->launch : s.launch;
    params["kernel"] = first ? first->kernel : s.kernel;
    params["block"] = launch.block;
    params["shared"] = launch.shared;
    head_->setText(tr("The kernel is compiled once for each limit…"));
    updateButton();
    workbench_.helper().request(
        QStringLiteral("registers"), std::move(params), QStringLiteral("registers"), this,
        [this](const WorkerReply& reply) {
            if (reply.ok) {
                table_ = worker::register_table_from_json(reply.result);
            } else {
                table_ = {};
                table_.problem = (reply.stopped ? tr("it was stopped") : reply.error).toStdString();
            }
            fill();
            emit filled();
        },
        {}, true);
}

void RegisterDialog::fill() {
    rows_->clear();
    note_->clear();
    if (!table_.ok) {
        head_->setText(tr("There is no table: %1.").arg(QString::fromStdString(table_.problem)));
        return updateButton();
    }
    head_->setText(tr("%1 for %2, blocks of %3 threads with %4 of shared memory")
                       .arg(QString::fromStdString(table_.kernel), QString::fromStdString(table_.arch))
                       .arg(table_.threads)
                       .arg(formatBytes(table_.shared)));
    for (const session::RegisterRow& row : table_.rows) {
        auto* item = new QTreeWidgetItem(rows_);
        const QString limit = row.limit == 0 ? tr("none") : QString::number(row.limit);
        const bool chosen = row.limit == table_.chosen;
        item->setText(Limit, chosen ? tr("%1 (in use)").arg(limit) : limit);
        item->setData(Limit, Qt::UserRole, row.ok ? row.limit : -1);
        if (chosen) {
            QFont bold = item->font(Limit);
            bold.setBold(true);
            item->setFont(Limit, bold);
        }
        for (int column = Limit; column < Limiter; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (!row.ok) {
            item->setText(Limiter, QString::fromStdString(row.problem));
            item->setToolTip(Limiter, QString::fromStdString(row.problem));
            continue;
        }
        item->setText(Registers, QString::number(row.registers));
        item->setText(Spills, formatBytes(row.spill_stores + row.spill_loads));
        if (row.spill_stores + row.spill_loads > 0) item->setIcon(Spills, icon(QStringLiteral("warning")));
        item->setText(Stack, formatBytes(row.stack));
        item->setText(Blocks, QString::number(row.blocks_per_sm));
        item->setText(Occupancy, QStringLiteral("%1 %").arg(row.occupancy * 100, 0, 'f', 0));
        item->setText(Limiter, limiterText(row.limiter));
    }
    for (int column = 0; column < Limiter; ++column)
        rows_->resizeColumnToContents(column);
    QStringList notes;
    if (table_.bound_threads > 0) {
        notes << (table_.bound_blocks > 0
                      ? tr("__launch_bounds__(%1, %2): at most %3 registers a thread, so that %4 blocks are resident.")
                            .arg(table_.bound_threads)
                            .arg(table_.bound_blocks)
                            .arg(table_.bound_registers)
                            .arg(table_.bound_blocks)
                      : tr("__launch_bounds__(%1): at most %2 registers a thread, so that one block is resident.")
                            .arg(table_.bound_threads)
                            .arg(table_.bound_registers));
        notes << tr("ptxas prefers this bound to a limit in the options.");
        if (table_.threads > table_.bound_threads)
            notes << tr("The block of the launch has more threads than this bound allows, so it cannot be launched.");
    }
    notes << tr("Occupancy follows from the limits of this architecture. Spills are code that moves registers to local "
                "memory.");
    note_->setText(notes.join(QLatin1Char('\n')));
    updateButton();
}

int RegisterDialog::chosenLimit() const {
    const QList<QTreeWidgetItem*> chosen = rows_->selectedItems();
    return chosen.isEmpty() ? -1 : chosen.first()->data(Limit, Qt::UserRole).toInt();
}

void RegisterDialog::updateButton() {
    const int limit = chosenLimit();
    use_->setEnabled(table_.ok && limit >= 0 && limit != table_.chosen && !workbench_.document().isReadOnly());
}

void RegisterDialog::useChosen() {
    const int limit = chosenLimit();
    if (limit < 0) return;
    workbench_.document().modify(
        limit == 0 ? tr("Remove the Register Limit") : tr("Limit Registers"),
        [limit](session::Session& s) { s.compile.options = session::with_register_limit(s.compile.options, limit); });
    table_.chosen = limit;
    fill();
    emit workbench_.buildRequested();
}

} // namespace warplight::ui
