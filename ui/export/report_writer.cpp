// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report_writer.hpp"

#include "ui/buffers/worker_buffer_source.hpp"
#include "ui/common/document.hpp"
#include "ui/common/workbench.hpp"
#include "ui/export/report_job.hpp"

#include <utility>

namespace warplight::ui {

ReportWriter::ReportWriter(Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench), source_(new WorkerBufferSource(workbench, this)) {}

void ReportWriter::write(const RunRecord& run, const QString& path) {
    cancel();
    const session::Session made = run.made ? *run.made : workbench_.document().session();
    run_ = history::run_of(made, made.source.text, run.report);
    run_.entry.time = run.when.toMSecsSinceEpoch();
    path_ = path;
    views_.clear();
    left_.clear();
    for (const session::ReportOutput& output : run.report.outputs)
        if (output.buffer && workbench_.buffers().contains(*output.buffer))
            left_.append({output.index, *output.buffer});
    asking_ = true;
    askNext();
}

void ReportWriter::cancel() {
    if (std::exchange(asking_, false)) source_->cancel(ticket_);
    // It ends soon, and goes by itself.
    if (ReportJob* job = std::exchange(job_, nullptr)) job->stop();
}

void ReportWriter::askNext() {
    if (left_.isEmpty()) return begin();
    const auto [index, buffer] = left_.takeFirst();
    ticket_ = source_->view(buffer, this, [this, index = index](const BufferReply<worker::ArrayView>& reply) {
        // What cannot be seen, such as elements that are no numbers, has no picture.
        if (reply.error.isEmpty()) views_.push_back({index, reply.value});
        askNext();
    });
}

void ReportWriter::begin() {
    asking_ = false;
    auto* job = new ReportJob(this);
    job_ = job;
    connect(job, &ReportJob::progressed, this, [this, job](double fraction) {
        if (job == job_) emit progressed(fraction);
    });
    connect(job, &ReportJob::finished, this, [this, job, path = path_](const QString& problem) {
        job->deleteLater();
        if (job != job_) return; // stopped
        job_ = nullptr;
        if (problem.isEmpty())
            emit written(path);
        else
            emit failed(problem);
    });
    job->start(std::exchange(run_, {}), std::exchange(views_, {}), path_);
}

} // namespace warplight::ui
