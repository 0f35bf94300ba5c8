// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/agreements.hpp"
#include "ui/common/run_results.hpp"
#include "ui/common/save_dialog.hpp"
#include "ui/export/export_dialog.hpp"
#include "ui/export/report_writer.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QUrl>

namespace warplight::ui {

void MainWindow::exportReport() {
    if (!document().hasReport()) return;
    const RunRecord& run = document().runs().back();
    const QString base = document().path().isEmpty() ? document().mainSource()->name() : document().path();
    const QString proposal =
        QStringLiteral("%1/%2-%3.html")
            .arg(document().folder(), QFileInfo(base).completeBaseName(), tr("report", "part of a file's name"));
    const QString path = askWhereToSave(this, tr("Export Report of %1").arg(runTitle(run)), proposal,
                                        tr("Web pages (*.html);;PDF (*.pdf)"));
    if (!path.isEmpty()) writeReport(path);
}

void MainWindow::writeReport(const QString& path) {
    if (!document().hasReport()) return;
    if (!reports_) {
        reports_ = new ReportWriter(workbench_, this);
        connect(reports_, &ReportWriter::written, this, [this](const QString& file) {
            reporting_.reset();
            banners_->close(QStringLiteral("report"));
            banners_->show(
                QStringLiteral("report"), BannerStack::Kind::Info, tr("The report is written"),
                QDir::toNativeSeparators(file),
                {{tr("Open"), [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); }}, {tr("Close"), {}}});
        });
        connect(reports_, &ReportWriter::progressed, this, [this](double fraction) {
            if (reporting_) reporting_->tell({}, fraction);
        });
        connect(reports_, &ReportWriter::failed, this, [this](const QString& problem) {
            reporting_.reset();
            fail(tr("The report was not written"), problem);
        });
    }
    reporting_ = workbench_.activities().begin(tr("Writing the report"), [this] {
        reports_->cancel();
        reporting_.reset();
        note(tr("The report was not written"), 5000);
    });
    reports_->write(document().runs().back(), path);
}

void MainWindow::exportProgram() {
    // What is exported is what is in the files.
    if (document().isModified() || document().path().isEmpty()) {
        QMessageBox box(QMessageBox::Question, tr("Export as a Program"),
                        tr("The session is exported as it is saved. Save it first?"),
                        QMessageBox::Save | QMessageBox::Cancel, this);
        box.setObjectName(QStringLiteral("saveBeforeExport"));
        if (box.exec() != QMessageBox::Save) return;
        if (document().path().isEmpty())
            saveSessionAsDialog();
        else
            save();
        if (document().isModified() || document().path().isEmpty()) return;
    }
    ExportDialog(document().path(), agreementsOf(document().folder()), this).exec();
}

} // namespace warplight::ui
