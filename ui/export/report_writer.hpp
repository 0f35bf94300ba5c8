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

class ReportJob;
struct RunRecord;
class WorkerBufferSource;
class Workbench;

class ReportWriter : public QObject {
    Q_OBJECT
public:
    explicit ReportWriter(Workbench& workbench, QObject* parent = nullptr);

    bool isBusy() const { return asking_ || job_; }
    /// Asks the worker what is seen of the results, and then writes in the background. `written`, or `failed`, follows.
    /// Nothing is written once another one was begun.
    /// @param path a name that ends with .pdf is for PDF
    void write(const RunRecord& run, const QString& path);
    /// A file that was there before stays. Neither `written` nor `failed` follows.
    void cancel();

signals:
    void progressed(double fraction);
    void written(const QString& path);
    void failed(const QString& problem);

private:
    void askNext();
    void begin();

    Workbench& workbench_;
    WorkerBufferSource* source_;
    history::Run run_;
    QString path_;
    QList<QPair<int, qint64>> left_; ///< arguments, and results that were not asked for yet
    std::vector<page::ResultView> views_;
    BufferSource::Ticket ticket_ = 0;
    bool asking_ = false; ///< the worker
    ReportJob* job_ = nullptr;
};

} // namespace warplight::ui
