// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timing/steps_table.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <algorithm>

namespace warplight::ui {

StepsTable::StepsTable(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(ColumnCount);
    setHeaderLabels({tr("Step"), tr("Rounds"), tr("Sum"), tr("Share"), tr("Median"), tr("p95")});
    setAccessibleName(tr("Times of the steps"));
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (int column = Rounds; column < ColumnCount; ++column)
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

void StepsTable::setPipeline(const session::ReportPipeline& pipeline) {
    clear();
    double whole = 0;
    for (const session::ReportStep& step : pipeline.steps)
        if (step.path.find('.') == std::string::npos) whole += step.sum_ms;
    QHash<QString, QTreeWidgetItem*> items;
    for (const session::ReportStep& step : pipeline.steps) {
        const QString path = QString::fromStdString(step.path);
        QTreeWidgetItem* above = items.value(path.section(QLatin1Char('.'), 0, -2));
        auto* item = above ? new QTreeWidgetItem(above) : new QTreeWidgetItem(this);
        items.insert(path, item);
        item->setText(Step, QStringLiteral("%1  %2").arg(path, QString::fromStdString(step.label)));
        item->setText(Rounds, formatCount(qint64(step.rounds)));
        if (step.held && !*step.held) {
            item->setText(Step, tr("%1 (never held)").arg(item->text(Step)));
            item->setToolTip(Step, tr("The loop ended behind its most rounds: its condition never held."));
        }
        if (step.kind != "swap") {
            item->setText(Sum, formatMs(step.sum_ms));
            if (whole > 0) item->setText(Share, tr("%1 %").arg(step.sum_ms / whole * 100, 0, 'f', 1));
        }
        if (step.kind != "swap" && step.kind != "loop") {
            item->setText(Median, formatMs(step.median_ms));
            item->setText(P95, formatMs(step.p95_ms));
        }
        for (int column = Rounds; column < ColumnCount; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    expandAll();
}

QString pipelineText(const session::ReportPipeline& pipeline) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("warplight::ui", text); };
    QStringList sentences;
    if (pipeline.run_as == "graph")
        sentences << tr("Run as graphs: %1 with %2 nodes.").arg(pipeline.graphs).arg(pipeline.graph_nodes);
    if (!pipeline.note.empty()) sentences << QString::fromStdString(pipeline.note);
    if (pipeline.apart) sentences << tr("The steps were timed in one more run, one by one.");
    return sentences.join(QLatin1Char(' '));
}

} // namespace warplight::ui
