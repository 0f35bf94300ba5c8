// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/campaign_job.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/sweep_results.hpp"
#include "files/input_file.hpp"
#include "session/data_file.hpp"
#include "session/sweep_points.hpp"
#include "ui/common/agreements.hpp"
#include "worker/sweep_workers.hpp"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <utility>

namespace warplight::ui {
namespace {

namespace fs = std::filesystem;

/// The first folder of that name, or with a number, where nothing is.
fs::path freeFolder(const fs::path& wanted) {
    std::error_code code;
    fs::path folder = wanted;
    for (int number = 2; fs::exists(folder, code); ++number) {
        folder = wanted;
        folder.replace_filename(session::path_from_utf8(
            fmt::format("{}-{}{}", cluster::utf8_of(wanted.stem()), number, cluster::utf8_of(wanted.extension()))));
    }
    return folder;
}

QString textOf(const std::string& text) { return QString::fromStdString(text); }

} // namespace

class CampaignJob::Tasks : public Work {
public:
    Tasks(Order order, bool resumes) : order_(std::move(order)), resumes_(resumes) {}
    void run() override;

    std::atomic<bool> leaves = false;
    std::mutex mutex;
    std::optional<CampaignState> progress;
    std::shared_ptr<const CampaignResults> results;
    // Of the end
    std::shared_ptr<const CampaignRuns> runs;
    QString problem;

private:
    cluster::Campaign begin();
    void runCampaign(const cluster::Campaign& campaign);
    void show(const cluster::Collector& collector, double seconds, const cluster::CampaignEnd* end);
    std::shared_ptr<const CampaignRuns> runsOf(const cluster::Collector& collector, double seconds) const;

    Order order_;
    const bool resumes_;
    bool submitted_ = false;
};

cluster::Campaign CampaignJob::Tasks::begin() {
    if (resumes_) return cluster::load_campaign(order_.folder);
    const worker::SweepWorkersOptions usual;
    cluster::CampaignConditions conditions;
    conditions.confined = usual.confined;
    conditions.memory_limit = usual.memory_limit;
    conditions.timeout = usual.timeout;
    auto fresh = cluster::sweep_campaign(order_.request.session, order_.request.options, std::move(conditions));
    fresh.folder = freeFolder(order_.folder);
    cluster::begin_campaign(fresh, order_.size);
    return fresh;
}

/// Takes the results that are there over.
void CampaignJob::Tasks::show(const cluster::Collector& collector, double seconds, const cluster::CampaignEnd* end) {
    const auto& campaign = collector.campaign();
    const cluster::SweepResults all(collector, end && end->stopped, seconds);
    auto now = std::make_shared<CampaignResults>();
    now->folder = campaign.folder;
    now->sweep = *campaign.session.sweep;
    now->done = collector.done();
    now->count = campaign.count;
    now->stopped = end && end->stopped;
    for (std::size_t gpu = 0; gpu < collector.gpus().size(); ++gpu)
        now->gpus << GpuReport{textOf(collector.gpus()[gpu]),
                               std::make_shared<session::SweepReport>(all.report_of(gpu, mostListed))};
    if (end)
        for (const auto& problem : end->problems)
            now->problems << textOf(problem);
    const std::lock_guard lock(mutex);
    results = std::move(now);
}

std::shared_ptr<const CampaignRuns> CampaignJob::Tasks::runsOf(const cluster::Collector& collector,
                                                               double seconds) const {
    const auto& campaign = collector.campaign();
    const auto options = campaign.run_options();
    const cluster::SweepResults all(collector, false, seconds);
    const session::SweepPoints points(campaign.session);
    auto kept = std::make_shared<CampaignRuns>();
    const auto& source = campaign.session.source;
    kept->source = source.path.empty()
                       ? source.text
                       : files::read_text(options.folder / session::path_from_utf8(source.path), files::Kind::source);
    for (const auto& each : all.fastest(cluster::most_kept_points)) {
        auto at = points.session_at(each.result.point);
        auto report = cluster::report_of(each, at);
        report.session = campaign.session_path;
        kept->runs.push_back({std::move(at), std::move(report), cluster::machine_text(each.machine)});
    }
    return kept;
}

void CampaignJob::Tasks::runCampaign(const cluster::Campaign& campaign) {
    using std::chrono::steady_clock;
    cluster::Collector collector(campaign);
    (void)collector.refresh();
    const bool wasComplete = collector.complete();
    if (collector.done() > 0) show(collector, 0, nullptr);
    std::uint64_t shown = collector.done();
    if (!order_.setup.folder.empty()) order_.setup.folder += "/" + campaign.id;
    order_.setup.given_up = [this] { return leaves.load(); };
    const auto engine = cluster::make_slurm_engine(campaign, order_.setup);
    steady_clock::time_point next;
    cluster::CampaignHooks hooks;
    hooks.cancelled = [this] { return stopped.load(); };
    hooks.leaves = [this] { return leaves.load(); };
    hooks.progress = [&](const cluster::CampaignProgress& now) {
        submitted_ = true;
        if (const auto begun = steady_clock::now(); now.done != shown && begun >= next) {
            constexpr int rarely = 10; // times as long as it takes
            show(collector, now.seconds, nullptr);
            shown = now.done;
            next = steady_clock::now() + rarely * (steady_clock::now() - begun);
        }
        const CampaignState state{campaign.tasks, campaign.tasks - collector.tasks_left().size(), now};
        const std::lock_guard lock(mutex);
        progress = state;
    };
    const auto end = cluster::run_campaign(collector, *engine, hooks);
    if (end.left) return;
    show(collector, end.seconds, &end);
    if (order_.keep && collector.complete() && !wasComplete) runs = runsOf(collector, end.seconds);
}

void CampaignJob::Tasks::run() {
    try {
        const auto campaign = begin();
        if (campaign.kind != cluster::CampaignKind::sweep)
            throw session::SessionError(
                fmt::format("{} grades a class, and is no sweep.", cluster::utf8_of(campaign.folder)));
        try {
            runCampaign(campaign);
        } catch (...) {
            if (!resumes_ && !submitted_ && !leaves)
                cluster::remove_campaign(campaign); // nothing will ever write there
            throw;
        }
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
}

CampaignJob::~CampaignJob() { leave(); }

void CampaignJob::leave() {
    if (isRunning()) static_cast<Tasks&>(*work()).leaves = true;
}

void CampaignJob::launch(Order order, bool resumes) { begin(std::make_shared<Tasks>(std::move(order), resumes)); }

void CampaignJob::take(Work& work) {
    auto& told = static_cast<Tasks&>(work);
    std::unique_lock lock(told.mutex);
    const auto now = std::exchange(told.progress, std::nullopt);
    const auto results = std::exchange(told.results, nullptr);
    lock.unlock();
    if (results) emit collected(results);
    if (now) emit progressed(*now);
}

void CampaignJob::finish(Work& work) {
    auto& tasks = static_cast<Tasks&>(work);
    if (tasks.problem.isEmpty())
        emit finished(tasks.runs);
    else
        emit failed(tasks.problem);
}

QList<CampaignEntry> campaignsOf(const QString& folder, const QString& session) {
    QList<CampaignEntry> found;
    const QFileInfoList folders =
        QDir(folder).entryInfoList({QStringLiteral("*.campaign")}, QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    for (const QFileInfo& each : folders) {
        const fs::path path = toPath(each.absoluteFilePath());
        if (!cluster::is_campaign(path)) continue;
        try {
            const cluster::Campaign campaign = cluster::load_campaign(path);
            if (campaign.kind == cluster::CampaignKind::sweep && textOf(campaign.session_path) == session)
                found << CampaignEntry{path, campaign.count};
        } catch (const session::SessionError&) { // a damaged one cannot be resumed
        }
    }
    return found;
}

QString saveCampaign(const fs::path& folder, const QString& path) {
    try {
        const cluster::Campaign campaign = cluster::load_campaign(folder);
        cluster::Collector collector(campaign);
        (void)collector.refresh();
        const cluster::SweepResults results(collector, false, 0);
        QSaveFile file(path);
        bool good = file.open(QIODevice::WriteOnly);
        const auto write = [&](std::string_view piece) {
            good = good && file.write(piece.data(), qint64(piece.size())) == qint64(piece.size());
        };
        if (good && path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
            results.write_json(write);
        else if (good)
            results.write_csv(write);
        if (!good || !file.commit()) return file.errorString();
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace warplight::ui
