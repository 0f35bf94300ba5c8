// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history.hpp"
#include "ui/common/format.hpp"
#include "ui/common/run_history.hpp"
#include "ui/sweep/sweep_chart.hpp"
#include "ui/sweep/sweep_model.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/sweep/sweep_place.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/sweep/sweep_words.hpp"

#include <QComboBox>
#include <QHeaderView>
#include <QMessageBox>
#include <QTableView>
#include <utility>

namespace warplight::ui {

bool SweepPage::startsOnSlurm() const { return place_->isSlurm(); }

void SweepPage::stop() {
    job_.stop();
    campaign_.stop();
}

void SweepPage::connectCampaign() {
    connect(place_, &SweepPlace::changed, this, [this] {
        failure_.clear();
        showStatus();
    });
    connect(&document(), &Document::pathChanged, this, &SweepPage::showStatus);
    connect(place_, &SweepPlace::resumeRequested, this, &SweepPage::resume);
    connect(gpu_, &QComboBox::activated, this, &SweepPage::showGpu);
    connect(&campaign_, &CampaignJob::runningChanged, this, [this] {
        if (campaign_.isStopping()) progress_ = tr("Ending the jobs. Those that run finish what they can.");
        if (!campaign_.isRunning())
            activity_.reset();
        else if (!activity_)
            activity_ =
                workbench_.activities().begin(tr("Sweep on Slurm"), [this] { stop(); }, Activities::Shown::AtOnce);
        showStatus();
        emit busyChanged();
    });
    connect(&campaign_, &CampaignJob::progressed, this, [this](const CampaignState& state) {
        if (dropped_ || campaign_.isStopping()) return;
        progress_ = describe(state);
        if (activity_)
            activity_->tell(tr("Sweep on Slurm: %1 of %2 points")
                                .arg(formatCount(qint64(state.now.done)), formatCount(qint64(state.now.count))),
                            state.now.count ? double(state.now.done) / double(state.now.count) : -1);
        showStatus();
    });
    connect(&campaign_, &CampaignJob::collected, this, &SweepPage::collect);
    connect(&campaign_, &CampaignJob::finished, this, [this](const std::shared_ptr<const CampaignRuns>& runs) {
        if (std::exchange(dropped_, false)) return;
        if (!collected_) return showStatus(); // it was left
        if (collected_->gpus.isEmpty()) failure_ = lacking(*collected_);
        showGpu();
        if (report_ && !selected() && report_->best) select(*report_->best);
        if (runs) keep(*runs);
        const bool all = collected_->done == collected_->count;
        emit workbench_.statusMessage(collected_->stopped ? tr("The sweep was stopped")
                                      : all               ? tr("The sweep is done")
                                                          : tr("Points of the sweep have no result"));
    });
    connect(&campaign_, &CampaignJob::failed, this, [this](const QString& problem) {
        if (std::exchange(dropped_, false)) return;
        failure_ = problem;
        showGpu();
    });
}

void SweepPage::startOnSlurm(worker::RunRequest request) {
    if (!problem().isEmpty() || !request.session.sweep) return;
    const SlurmSettings& settings = place_->settings();
    const quint64 points = setup_->points();
    const double seconds = secondsOf(points);
    CampaignJob::Order order{settings.setup(), place_->newFolder(), std::move(request)};
    order.keep = settings.keep && workbench_.history().isKeeping();
    order.size.wanted = std::uint64_t(settings.tasks);
    if (seconds > 0 && points > 0)
        order.size.point_seconds = seconds / double(points);
    else if (settings.tasks == 0)
        order.size.point_seconds = cluster::guessed_point_seconds;
    if (points <= session::SweepOptions().most_points) return submit(std::move(order), false);
    ask(points,
        seconds > 0 ? tr("On one device like that of the last run they take about %1.").arg(formatDuration(seconds))
                    : tr("How long they take is not known: there was no run yet."),
        [this, order = std::move(order)](bool all) {
            if (all) submit(order, false);
        });
}

void SweepPage::resume(const std::filesystem::path& folder) {
    const SlurmSettings& settings = place_->settings();
    if (const QString why = settings.problem(); !why.isEmpty()) {
        failure_ = why;
        return showStatus();
    }
    CampaignJob::Order order{settings.setup(), folder};
    order.keep = settings.keep && workbench_.history().isKeeping();
    submit(std::move(order), true);
}

void SweepPage::submit(CampaignJob::Order order, bool resumes) {
    if (isRunning()) return;
    failure_.clear();
    dropped_ = false;
    progress_ = resumes ? tr("Resuming the sweep") : tr("Submitting the jobs");
    collected_.reset();
    gpu_->clear();
    show(nullptr);
    if (resumes)
        campaign_.resume(std::move(order));
    else
        campaign_.start(std::move(order));
}

/// The session is another one. Jobs go on, and Resume takes their results.
void SweepPage::leaveCampaign() {
    if (question_) question_->reject();
    if (!campaign_.isRunning()) return;
    campaign_.leave();
    emit workbench_.statusMessage(tr("The jobs of the sweep go on. Resume takes their results."));
}

void SweepPage::collect(const std::shared_ptr<const CampaignResults>& results) {
    if (dropped_) return;
    collected_ = results;
    ran_ = results->sweep;
    const QString chosen = gpu_->currentText();
    gpu_->clear();
    for (const GpuReport& each : results->gpus)
        gpu_->addItem(each.gpu.isEmpty() ? tr("no GPU") : each.gpu);
    gpu_->setCurrentIndex(std::max(gpu_->findText(chosen), results->gpus.isEmpty() ? -1 : 0));
    showGpu();
}

/// The points of the GPU that is chosen. What the user has selected and how rows are sorted stays.
void SweepPage::showGpu() {
    const int index = gpu_->currentIndex();
    if (!collected_ || index < 0 || index >= collected_->gpus.size()) return show(nullptr);
    const std::optional<std::size_t> row = selected();
    const std::optional<std::uint64_t> point = row ? std::optional(report_->points[*row].point) : std::nullopt;
    const QHeaderView& header = *table_->horizontalHeader();
    const bool isFirst = report_ == nullptr;
    const int section = header.sortIndicatorSection();
    const Qt::SortOrder order = header.sortIndicatorOrder();
    const std::shared_ptr<session::SweepReport> next = collected_->gpus[index].report;
    show(next);
    if (!isFirst) table_->sortByColumn(section, order);
    if (!point) return;
    const auto found = std::ranges::find(next->points, *point, &session::SweepPointResult::point);
    if (found != next->points.end()) select(std::size_t(found - next->points.begin()));
}

void SweepPage::keep(const CampaignRuns& runs) {
    workbench_.history().change(
        this,
        [runs](history::History& history) -> std::function<void()> {
            for (const CampaignRun& each : runs.runs)
                history.add(each.session, runs.source, each.report, {}, each.note);
            return {};
        },
        [this](const QString& problem) {
            emit workbench_.statusMessage(tr("The points are not in the history: %1").arg(problem));
        });
}

} // namespace warplight::ui
