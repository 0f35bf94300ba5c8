// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report_writer.hpp"

#include "ui/buffers/worker_buffer_source.hpp"
#include "ui/common/document.hpp"
#include "ui/common/workbench.hpp"
#include "ui/export/page_document.hpp"

#include <QBuffer>
#include <QLocale>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>

namespace warplight::ui {
namespace {

QString writeFile(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return {};
    return ReportWriter::tr("%1 cannot be written: %2. Choose another place.").arg(path, file.errorString());
}

} // namespace

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
    busy_ = true;
    askNext();
}

void ReportWriter::cancel() {
    if (!busy_) return;
    source_->cancel(ticket_);
    busy_ = false;
}

void ReportWriter::askNext() {
    if (left_.isEmpty()) return finish();
    const auto [index, buffer] = left_.takeFirst();
    ticket_ = source_->view(buffer, this, [this, index = index](const BufferReply<worker::ArrayView>& reply) {
        // What cannot be seen, such as elements that are no numbers, has no picture.
        if (reply.error.isEmpty()) views_.push_back({index, reply.value});
        askNext();
    });
}

void ReportWriter::finish() {
    busy_ = false;
    QString problem;
    try {
        problem = path_.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)
                      ? writePdf(run_, views_, path_)
                      : writeFile(path_, QByteArray::fromStdString(page::to_html(run_, views_)));
    } catch (const std::bad_alloc&) {
        problem = tr("There is not enough memory for the report.");
    }
    if (problem.isEmpty())
        emit written(path_);
    else
        emit failed(problem);
}

QString writePdf(const history::Run& run, const std::vector<page::ResultView>& results, const QString& path) {
    QByteArray bytes;
    {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setTitle(QString::fromStdString(run.entry.title.empty() ? run.entry.kernel : run.entry.title));
        const bool metric = QLocale().measurementSystem() != QLocale::ImperialUSSystem;
        writer.setPageSize(QPageSize(metric ? QPageSize::A4 : QPageSize::Letter));
        const PageDocument document(run, results);
        document.print(&writer);
    }
    return writeFile(path, bytes);
}

} // namespace warplight::ui
