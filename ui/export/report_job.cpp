// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report_job.hpp"

#include "ui/export/page_document.hpp"

#include <QFontDatabase>
#include <QLocale>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <exception>
#include <utility>

namespace warplight::ui {

class ReportJob::Page : public Work {
public:
    Page(history::Run run, std::vector<page::ResultView> results, QString path)
        : run_(std::move(run)), results_(std::move(results)), path_(std::move(path)),
          fixedFont_(QFontDatabase::systemFont(QFontDatabase::FixedFont).family()) {}

    void run() override;

    std::atomic<double> fraction = -1;
    QString problem; ///< of the end

private:
    bool writeHtml(QIODevice& file) const;
    bool writePdf(QIODevice& file);

    const history::Run run_;
    const std::vector<page::ResultView> results_;
    const QString path_;
    const QString fixedFont_; ///< the system's settings are asked in the window's thread
};

void ReportJob::Page::run() {
    try {
        // It takes the place of an older file at the end alone.
        QSaveFile file(path_);
        const bool pdf = path_.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
        const bool written = file.open(QIODevice::WriteOnly) && (pdf ? writePdf(file) : writeHtml(file));
        if (stopped) return;
        if (written && file.commit()) return;
        problem = ReportJob::tr("%1 cannot be written: %2. Choose another place.").arg(path_, file.errorString());
    } catch (const std::bad_alloc&) {
        problem = ReportJob::tr("There is not enough memory for the report.");
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
}

bool ReportJob::Page::writeHtml(QIODevice& file) const {
    const std::string html = page::to_html(run_, results_);
    constexpr qint64 piece = qint64{1} << 20;
    for (qint64 at = 0; at < qint64(html.size()) && !stopped; at += piece) {
        const qint64 size = std::min(piece, qint64(html.size()) - at);
        if (file.write(html.data() + at, size) != size) return false;
    }
    return true;
}

bool ReportJob::Page::writePdf(QIODevice& file) {
    QPdfWriter writer(&file);
    writer.setTitle(QString::fromStdString(run_.entry.title.empty() ? run_.entry.kernel : run_.entry.title));
    const bool metric = QLocale().measurementSystem() != QLocale::ImperialUSSystem;
    writer.setPageSize(QPageSize(metric ? QPageSize::A4 : QPageSize::Letter));
    PageDocument document(run_, results_, fixedFont_);
    if (stopped) return false;
    return document.printTo(writer, [this](double done) {
        fraction = done;
        return !stopped;
    });
}

void ReportJob::start(history::Run run, std::vector<page::ResultView> results, const QString& path) {
    begin(std::make_shared<Page>(std::move(run), std::move(results), path));
}

void ReportJob::take(Work& work) {
    if (const double fraction = static_cast<Page&>(work).fraction; fraction >= 0) emit progressed(fraction);
}

void ReportJob::finish(Work& work) { emit finished(static_cast<Page&>(work).problem); }

} // namespace warplight::ui
