// SPDX-License-Identifier: GPL-3.0-or-later
/// Writes a page as HTML or as PDF in the background.
#pragma once

#include "history/run.hpp"
#include "page/page.hpp"
#include "ui/common/background_job.hpp"

#include <QString>
#include <vector>

namespace warplight::ui {

class ReportJob : public BackgroundJob {
    Q_OBJECT
public:
    using BackgroundJob::BackgroundJob;

    /// After stop() the file is as it was before, or not there. `finished` still comes.
    /// @param path a name that ends with .pdf is for PDF, in the paper's size of the user's country
    void start(history::Run run, std::vector<page::ResultView> results, const QString& path);

signals:
    void progressed(double fraction); ///< of the pages
    /// With a problem nothing was written: a sentence.
    void finished(const QString& problem);

protected:
    void take(Work& work) override;
    void finish(Work& work) override;

private:
    class Page;
};

} // namespace warplight::ui
