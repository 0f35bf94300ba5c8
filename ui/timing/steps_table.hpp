// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/pipeline_report.hpp"

#include <QTreeWidget>

namespace warplight::ui {

/// The steps of a pipeline with their times.
class StepsTable : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { Step, Rounds, Sum, Share, Median, P95, ColumnCount };

    explicit StepsTable(QWidget* parent = nullptr);
    void setPipeline(const session::ReportPipeline& pipeline);
};

/// How the pipeline ran, in a sentence or two.
QString pipelineText(const session::ReportPipeline& pipeline);

} // namespace warplight::ui
