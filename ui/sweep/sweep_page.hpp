// SPDX-License-Identifier: GPL-3.0-or-later
/// Sweeps of the session: what is varied, the sweep that runs, and its results as a table, lines and a heat map.
#pragma once

#include "ui/common/workbench.hpp"
#include "ui/launch/launch_shape.hpp"
#include "ui/sweep/campaign_job.hpp"
#include "ui/sweep/sweep_job.hpp"

#include <QWidget>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QMessageBox;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableView;
class QToolButton;

namespace warplight::ui {

class SweepHeatMap;
class SweepLines;
class Activity;
class SweepModel;
class SweepOrder;
class SweepPlace;
class SweepSetup;

class SweepPage : public QWidget {
    Q_OBJECT
public:
    explicit SweepPage(Workbench& workbench, QWidget* parent = nullptr);
    ~SweepPage() override;

    SweepSetup& setup() { return *setup_; }
    SweepPlace& place() { return *place_; }
    SweepJob& job() { return job_; }
    CampaignJob& campaign() { return campaign_; }
    SweepModel& model() { return *model_; }
    SweepLines& lines() { return *lines_; }
    SweepHeatMap& heatMap() { return *heat_; }
    QTableView* table() const { return table_; }
    QTabWidget* views() const { return views_; }
    QPushButton* startButton() const { return start_; }
    QComboBox* gpuBox() const { return gpu_; }
    QString status() const;
    QString results() const;
    const session::SweepReport* report() const { return report_.get(); }

    /// Has the session vary its block, unless it does so already.
    void proposeBlocks(const LaunchLimits& limits);
    /// Starts the sweep of this session.
    void start(worker::RunRequest request, const QString& machine = {});
    /// Starts it as jobs of Slurm, which is chosen. After a question where there are many points.
    void startOnSlurm(worker::RunRequest request);
    bool startsOnSlurm() const;
    void stop();
    bool isRunning() const { return job_.isRunning() || campaign_.isRunning(); }
    /// It runs here, or on the other machine that is connected: nothing else should meanwhile.
    bool usesDevice() const { return job_.isRunning(); }
    /// Why no sweep may start: something else runs. Empty: it may.
    void setBlocked(const QString& why);
    /// Why Start is disabled; empty when it is not.
    QString problem() const;
    /// Puts the values of the point into the session, as one step of undo.
    void useInLaunch(std::size_t index);
    /// As `warplight-cli sweep` writes it: CSV, or JSON where the name ends so.
    bool save(const QString& path, QString* problem) const;

signals:
    void startRequested();
    void proposalRequested();
    void busyChanged();
    void progressed(const QString& text, double fraction);

private:
    QWidget* makeResults();
    void makeActions();
    void connectJob();
    void connectCampaign();
    void showStatus();
    void showLink();
    QString outlook() const;
    double secondsOf(quint64 points) const;
    void show(std::shared_ptr<session::SweepReport> report);
    void submit(CampaignJob::Order order, bool resumes);
    void resume(const std::filesystem::path& folder);
    void leaveCampaign();
    void collect(const std::shared_ptr<const CampaignResults>& results);
    void showGpu();
    void keep(const CampaignRuns& runs);
    void take(std::size_t index, const session::SweepPointResult& point);
    void ask(quint64 points, const QString& time, const std::function<void(bool)>& answer);
    void finish(const std::shared_ptr<session::SweepReport>& report);
    void select(std::size_t index);
    std::optional<std::size_t> selected() const;
    void saveAs();
    void restyle();
    Document& document() const { return workbench_.document(); }

    Workbench& workbench_;
    SweepJob job_;
    CampaignJob campaign_;
    std::shared_ptr<const CampaignResults> collected_; ///< of a sweep on Slurm, whose report is that of a GPU
    std::shared_ptr<Activity> activity_;               ///< of the one that runs there
    std::shared_ptr<session::SweepReport> report_;
    std::optional<session::Sweep> ran_; ///< of the report
    int rounds_ = 0;                    ///< of the sweep that runs
    bool dropped_ = false;              ///< the sweep that ends is of a session that was closed
    QString blocked_, progress_, failure_;
    SweepSetup* setup_;
    SweepPlace* place_;
    SweepModel* model_;
    SweepOrder* sorted_;
    QTableView* table_;
    SweepLines* lines_;
    SweepHeatMap* heat_;
    QTabWidget* views_;
    QStackedWidget* shown_; ///< a note, or the results
    QPushButton *start_, *stop_;
    QToolButton *propose_, *use_, *copy_, *save_;
    QAction *useAction_, *copyText_, *copyCsv_, *saveAction_;
    QLabel *status_, *results_, *note_, *gpuTitle_;
    QComboBox* gpu_;
    QPointer<QMessageBox> question_;
    QTimer drawing_;
};

} // namespace warplight::ui
