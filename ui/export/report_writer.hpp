// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes a run's report as a page of HTML or as PDF.
#pragma once

#include "history/run.hpp"
#include "page/page.hpp"
#include "ui/buffers/buffer_source.hpp"

#include <QList>
#include <QObject>
#include <QPair>
#include <vector>

namespace warplight::ui {

struct RunRecord;
class WorkerBufferSource;
class Workbench;

class ReportWriter : public QObject {
    Q_OBJECT
public:
    explicit ReportWriter(Workbench& workbench, QObject* parent = nullptr);

    bool isBusy() const { return busy_; }
    /// Asks the worker what is seen of the results, and then writes. `written`, or `failed`, follows. Nothing is
    /// written once another one was begun.
    /// @param path a name that ends with .pdf is for PDF
    void write(const RunRecord& run, const QString& path);
    void cancel();

signals:
    void written(const QString& path);
    void failed(const QString& problem);

private:
    void askNext();
    void finish();

    Workbench& workbench_;
    WorkerBufferSource* source_;
    history::Run run_;
    QString path_;
    QList<QPair<int, qint64>> left_; ///< arguments, and results that were not asked for yet
    std::vector<page::ResultView> views_;
    BufferSource::Ticket ticket_ = 0;
    bool busy_ = false;
};

/// A page as PDF, in the paper's size of the user's country. The sentence says what went wrong; empty: nothing.
QString writePdf(const history::Run& run, const std::vector<page::ResultView>& results, const QString& path);

} // namespace warplight::ui
