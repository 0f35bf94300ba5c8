// SPDX-License-Identifier: GPL-3.0-or-later
/// A sweep that runs as tasks of Slurm, watched in the background. The window may go away: tasks go on, and resume()
/// takes their results later.
#pragma once

#include "cluster/run_campaign.hpp"
#include "cluster/slurm_setup.hpp"
#include "session/report.hpp"
#include "session/sweep_report.hpp"
#include "ui/common/background_job.hpp"
#include "worker/run_request.hpp"

#include <QList>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace warplight::ui {

/// Points of one kind of GPU, which are compared with each other alone.
struct GpuReport {
    QString gpu;
    std::shared_ptr<session::SweepReport> report;
};

struct CampaignResults {
    std::filesystem::path folder;
    session::Sweep sweep;
    QList<GpuReport> gpus; ///< without any where nothing has a result yet
    quint64 done = 0, count = 0;
    QStringList problems; ///< why tasks have no results
    bool stopped = false;
};

/// A point of a sweep that is done, for the history.
struct CampaignRun {
    session::Session session;
    session::Report report;
    std::string note;
};
struct CampaignRuns {
    std::string source;
    std::vector<CampaignRun> runs;
};

struct CampaignState {
    quint64 tasks = 0, tasksDone = 0; ///< done: all their points have results
    cluster::CampaignProgress now = {};
};

class CampaignJob : public BackgroundJob {
    Q_OBJECT
public:
    /// So many points of a GPU are listed, the fastest ones.
    static constexpr std::size_t mostListed = 2000;

    struct Order {
        cluster::SlurmSetup setup;
        std::filesystem::path folder; ///< to go on with; or of a new campaign, with a number where there is such a one
        worker::RunRequest request = {}; ///< of a new one
        cluster::TaskSize size = {};     ///< of a new one
        bool keep = false;               ///< `runs` of a sweep that gets done
    };

    using BackgroundJob::BackgroundJob;
    /// Leaves what runs.
    ~CampaignJob() override;

    void start(Order order) { launch(std::move(order), false); }
    void resume(Order order) { launch(std::move(order), true); }
    /// Ends soon, and the tasks go on. stop() ends the tasks, too.
    void leave();

signals:
    void progressed(const warplight::ui::CampaignState& progress);
    /// Results that are there by now; the last time before `finished`.
    void collected(const std::shared_ptr<const warplight::ui::CampaignResults>& results);
    /// Null: nothing is to be kept.
    void finished(const std::shared_ptr<const warplight::ui::CampaignRuns>& runs);
    /// It could not be started or resumed. Results of earlier may be there.
    void failed(const QString& problem);

protected:
    void take(Work& work) override;
    void finish(Work& work) override;

private:
    class Tasks;
    void launch(Order order, bool resumes);
};

/// A sweep of a session that was started on a cluster.
struct CampaignEntry {
    std::filesystem::path folder;
    quint64 points = 0;
};
/// Those of this session, the newest first. @param session the document's path
QList<CampaignEntry> campaignsOf(const QString& folder, const QString& session);
/// What is there by now, as `warplight-cli sweep` writes it: CSV, or JSON where the name ends so. @returns a problem
QString saveCampaign(const std::filesystem::path& folder, const QString& path);

} // namespace warplight::ui
