// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_page.hpp"

#include "session/sweep_points.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/save_dialog.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/sweep/sweep_chart.hpp"
#include "ui/sweep/sweep_model.hpp"
#include "ui/sweep/sweep_place.hpp"
#include "ui/sweep/sweep_proposal.hpp"
#include "ui/sweep/sweep_setup.hpp"
#include "ui/sweep/sweep_words.hpp"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::ui {
namespace {

/// Rows of more points are not put in order while the sweep runs.
constexpr std::size_t mostInOrder = 5000;
constexpr int drawingMs = 400;

} // namespace

SweepPage::SweepPage(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), setup_(new SweepSetup(workbench.document(), workbench.theme())),
      place_(new SweepPlace(workbench)), model_(new SweepModel(workbench.theme(), this)), sorted_(new SweepOrder(this)),
      table_(new QTableView), lines_(new SweepLines(workbench.theme())), heat_(new SweepHeatMap(workbench.theme())),
      views_(new QTabWidget), shown_(new QStackedWidget), start_(new QPushButton(tr("Start"))),
      stop_(new QPushButton(tr("Stop"))), propose_(new QToolButton), use_(new QToolButton), copy_(new QToolButton),
      save_(new QToolButton), status_(new QLabel), results_(new QLabel), note_(new QLabel),
      gpuTitle_(new QLabel(tr("GPU"))), gpu_(new QComboBox) {
    start_->setIcon(icon(QStringLiteral("run")));
    stop_->setIcon(icon(QStringLiteral("stop")));
    stop_->setToolTip(tr("End the sweep and keep what was measured"));
    propose_->setText(tr("Compare Block Sizes"));
    propose_->setToolTip(tr("Vary the block around that of Launch. The grid follows."));
    propose_->setProperty("framed", true);
    propose_->setFocusPolicy(Qt::StrongFocus);
    status_->setWordWrap(true);
    status_->setAccessibleName(tr("State of the sweep"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    bar->addWidget(start_);
    bar->addWidget(stop_);
    bar->addWidget(propose_);
    bar->addStretch(1);
    status_->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::half);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    scroll->setWidget(setup_);
    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(0);
    leftColumn->addLayout(bar);
    leftColumn->addWidget(place_);
    leftColumn->addWidget(status_);
    leftColumn->addWidget(scroll, 1);

    makeActions();
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignCenter);
    note_->setMargin(2 * Theme::grid);
    note_->setText(tr("Say what is varied, and start. Each point is run and timed in turn with the others, and those "
                      "that cannot be told apart from the best one are marked."));
    shown_->addWidget(note_);
    shown_->addWidget(makeResults());
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(left);
    splitter->addWidget(shown_);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({420, 640});
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);

    drawing_.setSingleShot(true);
    drawing_.setInterval(drawingMs);
    connect(&drawing_, &QTimer::timeout, this, [this] {
        for (SweepChart* chart : std::initializer_list<SweepChart*>{lines_, heat_})
            chart->refresh();
    });
    connect(start_, &QPushButton::clicked, this, &SweepPage::startRequested);
    connect(stop_, &QPushButton::clicked, this, &SweepPage::stop);
    connect(propose_, &QToolButton::clicked, this, &SweepPage::proposalRequested);
    connect(setup_, &SweepSetup::checked, this, [this] {
        failure_.clear();
        showStatus();
    });
    connect(&document(), &Document::reportChanged, this, &SweepPage::showStatus);
    connect(&CommandKeys::instance(), &CommandKeys::changed, this, &SweepPage::showStatus);
    connect(&document(), &Document::sessionReplaced, this, [this] {
        dropped_ = isRunning();
        job_.stop();
        leaveCampaign();
        failure_.clear();
        collected_.reset();
        show(nullptr);
    });
    connect(&workbench.theme(), &Theme::themeChanged, this, &SweepPage::restyle);
    connectJob();
    connectCampaign();
    restyle();
    show(nullptr);
}

SweepPage::~SweepPage() { delete question_; }

void SweepPage::makeActions() {
    useAction_ = new QAction(icon(QStringLiteral("launch")), tr("Use in Launch"), this);
    useAction_->setToolTip(tr("Put the values of the selected point into Launch (double-click, Enter)"));
    copyText_ = new QAction(icon(QStringLiteral("copy")), tr("Copy as Text"), this);
    copyText_->setToolTip(tr("Copy the results as text. Held down, it also has CSV."));
    copyCsv_ = new QAction(tr("Copy as CSV"), this);
    saveAction_ = new QAction(icon(QStringLiteral("save")), tr("Save…"), this);
    saveAction_->setToolTip(tr("Write the results as CSV or JSON"));
    connect(useAction_, &QAction::triggered, this, [this] {
        if (const auto index = selected()) useInLaunch(*index);
    });
    connect(copyText_, &QAction::triggered, this, [this] {
        if (report_)
            QGuiApplication::clipboard()->setText(
                QString::fromStdString(session::to_text(*report_, report_->points.size())));
    });
    connect(copyCsv_, &QAction::triggered, this, [this] {
        if (report_) QGuiApplication::clipboard()->setText(QString::fromStdString(session::to_csv(*report_)));
    });
    connect(saveAction_, &QAction::triggered, this, &SweepPage::saveAs);
}

QWidget* SweepPage::makeResults() {
    sorted_->setSourceModel(model_);
    table_->setModel(sorted_);
    table_->setObjectName(QStringLiteral("sweepPoints"));
    table_->setAccessibleName(tr("Points of the sweep"));
    table_->setSortingEnabled(true);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setResizeContentsPrecision(100);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->addActions({useAction_, copyText_, copyCsv_, saveAction_});
    views_->setDocumentMode(true);
    views_->addTab(table_, tr("Table"));
    views_->addTab(lines_, tr("Lines"));
    views_->addTab(heat_, tr("Heat Map"));
    results_->setWordWrap(true);
    results_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    results_->setAccessibleName(tr("Result of the sweep"));
    results_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(Theme::half, 0, Theme::grid, Theme::half);
    row->setSpacing(Theme::half);
    for (const auto& [button, action] : {std::pair{use_, useAction_}, {copy_, copyText_}, {save_, saveAction_}}) {
        button->setDefaultAction(action);
        // The tabs beside them need the room.
        button->setToolButtonStyle(action == useAction_ ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        button->setAccessibleName(action->text());
        button->setProperty("framed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(button);
    }
    copy_->setMenu(new QMenu(copy_));
    copy_->menu()->addActions({copyText_, copyCsv_});
    copy_->setPopupMode(QToolButton::DelayedPopup);
    views_->setCornerWidget(tools);
    gpuTitle_->setBuddy(gpu_);
    gpu_->setAccessibleName(tr("GPU whose points are shown"));
    gpu_->setToolTip(tr("Points of different GPUs are never compared with each other"));
    gpu_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* gpus = new QHBoxLayout;
    gpus->setContentsMargins(Theme::grid, Theme::half, Theme::grid, 0);
    gpus->setSpacing(Theme::grid);
    gpus->addWidget(gpuTitle_);
    gpus->addWidget(gpu_);
    gpus->addStretch(1);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(gpus);
    column->addWidget(results_);
    column->addWidget(views_, 1);
    connect(table_, &QTableView::activated, useAction_, &QAction::trigger);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { useAction_->setEnabled(selected().has_value()); });
    for (SweepChart* chart : std::initializer_list<SweepChart*>{lines_, heat_})
        connect(chart, &SweepChart::pointChosen, this, &SweepPage::select);
    return page;
}

void SweepPage::connectJob() {
    connect(&job_, &SweepJob::runningChanged, this, [this] {
        if (!job_.isRunning() && question_) question_->deleteLater();
        progress_ = job_.isStopping() ? tr("Stopping") : progress_;
        showStatus();
        emit busyChanged();
        if (job_.isRunning()) emit progressed(job_.isStopping() ? tr("Stopping") : tr("Starting the sweep"), -1);
    });
    connect(&job_.link(), &JobLink::changed, this, &SweepPage::showLink);
    connect(&job_, &SweepJob::progressed, this, [this](const session::SweepProgress& now) {
        if (job_.isStopping()) return;
        progress_ = describe(now, rounds_);
        showStatus();
        if (!job_.link().text().isEmpty()) return; // what it waits for is shown
        const double done = now.of ? double(now.done) / double(now.of) : 0;
        const double all = now.stage == "round" ? (now.round - 1 + done) / std::max(1, rounds_) : -1;
        emit progressed(now.seconds_left >= 0 ? tr("Sweep: about %1 left").arg(formatDuration(now.seconds_left))
                                              : tr("Sweep: %1").arg(progress_),
                        all);
    });
    connect(&job_, &SweepJob::asked, this, [this](quint64 points, double seconds) {
        ask(points,
            seconds >= 0 ? tr("They take about %1, without compilations.").arg(formatDuration(seconds))
                         : tr("How long they take is not known: the first one did not run."),
            [this](bool all) { job_.answer(all); });
    });
    connect(&job_, &SweepJob::listed, this, [this](const std::shared_ptr<session::SweepReport>& report) {
        if (!dropped_) show(report);
    });
    connect(&job_, &SweepJob::visited, this, &SweepPage::take);
    connect(&job_, &SweepJob::finished, this, &SweepPage::finish);
    connect(&job_, &SweepJob::failed, this, [this](const QString& problem) {
        if (!std::exchange(dropped_, false)) failure_ = problem;
        showStatus();
    });
}

QString SweepPage::status() const { return status_->text(); }
QString SweepPage::results() const { return results_->text(); }

void SweepPage::proposeBlocks(const LaunchLimits& limits) {
    const auto& now = document().session().sweep;
    const auto isBlock = [](const std::string& name) { return name == "block" || name.ends_with(".block"); };
    if (document().isProgram() || (now && now->vary.size() == 1 && isBlock(now->vary.front().name))) return;
    try {
        const session::Sweep proposed = compareBlockSizes(document().session(), document().currentKernel(), limits);
        document().modify(tr("Compare Block Sizes"), [&](session::Session& session) {
            session::Sweep sweep = session.sweep.value_or(session::Sweep());
            sweep.vary = proposed.vary;
            sweep.set = proposed.set;
            sweep.zip = false;
            sweep.where.clear();
            session.sweep = std::move(sweep);
        });
    } catch (const session::SessionError& error) {
        failure_ = QString::fromUtf8(error.what());
        showStatus();
    }
}

void SweepPage::start(worker::RunRequest request, const QString& machine) {
    if (isRunning() || !request.session.sweep) return;
    failure_.clear();
    dropped_ = false;
    progress_ = tr("Starting the sweep");
    collected_.reset();
    show(nullptr);
    ran_ = request.session.sweep;
    rounds_ = ran_->rounds;
    job_.start(std::move(request), machine);
}

void SweepPage::setBlocked(const QString& why) {
    if (why == blocked_) return;
    blocked_ = why;
    showStatus();
}

QString SweepPage::problem() const {
    if (isRunning()) return tr("The sweep runs.");
    if (!blocked_.isEmpty() && !startsOnSlurm()) return blocked_;
    if (document().mainSource() && document().mainSource()->text().trimmed().isEmpty())
        return tr("There is no kernel yet.");
    return setup_->problem().isEmpty() ? place_->problem() : setup_->problem();
}

/// By the last run; below 0 where there was none.
double SweepPage::secondsOf(quint64 points) const {
    const auto& runs = document().runs();
    const auto run = std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord& each) {
        return !each.program && session::has_run(each.report.status) && !each.report.times.kernel_ms.empty();
    });
    if (run == runs.rend()) return -1;
    const auto& session = document().session();
    const int rounds = session.sweep ? session.sweep->rounds : session::Sweep().rounds;
    return session::estimated_seconds(run->report, points, rounds, session.repeat);
}

QString SweepPage::outlook() const {
    const quint64 points = setup_->points();
    const QString count = formatCount(qint64(points));
    QString text = setup_->isUpperLimit() ? tr("Up to %1 points").arg(count)
                   : points == 1          ? tr("1 point")
                                          : tr("%1 points").arg(count);
    if (startsOnSlurm()) {
        text += tr(", as jobs of Slurm");
        if (QString::fromStdString(document().session().device).startsWith(QLatin1String("software")))
            text += tr(". They use the software device, as the session says");
        return text;
    }
    const double seconds = secondsOf(points);
    if (seconds < 0) return text + tr(". Their time is known after a run (%1).").arg(commandKeys("run.run"));
    return text + tr(", about %1 by the last run").arg(formatDuration(seconds));
}

void SweepPage::showLink() {
    showStatus();
    if (!job_.isRunning() || job_.isStopping()) return;
    const QString text = job_.link().text();
    emit progressed(text.isEmpty() ? tr("Sweep: %1").arg(progress_) : text, job_.link().fraction());
}

void SweepPage::showStatus() {
    const QString why = problem();
    start_->setEnabled(why.isEmpty());
    start_->setToolTip(why.isEmpty() ? tr("Run all points in turn") : why);
    stop_->setEnabled(isRunning() && !job_.isStopping() && !campaign_.isStopping());
    place_->setRunning(isRunning());
    propose_->setEnabled(!isRunning() && !document().isProgram());
    const bool failed = !isRunning() && !failure_.isEmpty();
    const bool lost = job_.isRunning() && !job_.isStopping() && job_.link().isLost();
    const QString waits = job_.isRunning() && !job_.isStopping() ? job_.link().text() : QString();
    const QString sign = QStringLiteral("⚠ ");
    status_->setText(lost               ? sign + waits
                     : !waits.isEmpty() ? waits
                     : isRunning()      ? progress_
                     : failed           ? sign + failure_
                     : why.isEmpty()    ? outlook()
                                        : why);
    QPalette palette = status_->palette();
    const Colours& colours = workbench_.theme().colours();
    palette.setColor(QPalette::WindowText, failed ? colours.error : lost ? colours.warning : colours.mutedText);
    status_->setPalette(palette);
}

void SweepPage::show(std::shared_ptr<session::SweepReport> report) {
    report_ = std::move(report);
    const bool there = report_ != nullptr;
    sorted_->setDynamicSortFilter(!there || report_->points.size() <= mostInOrder || !isRunning());
    model_->setReport(report_);
    // What the user has chosen since then stays, as far as its column does.
    if (there && (isRunning() || table_->horizontalHeader()->sortIndicatorSection() > model_->timeColumn()))
        table_->sortByColumn(model_->timeColumn(), Qt::AscendingOrder);
    lines_->setReport(report_);
    heat_->setReport(report_);
    views_->setTabEnabled(2, there && report_->axes.size() > 1);
    shown_->setCurrentIndex(there ? 1 : 0);
    QStringList lines;
    if (there && !isRunning()) lines << summary(*report_);
    if (collected_ && !isRunning()) lines << lacking(*collected_);
    lines.removeAll(QString());
    results_->setText(lines.join(QLatin1Char('\n')));
    results_->setVisible(!results_->text().isEmpty());
    const bool several = collected_ && collected_->gpus.size() > 1;
    gpuTitle_->setVisible(several);
    gpu_->setVisible(several);
    useAction_->setEnabled(selected().has_value());
    showStatus();
}

void SweepPage::take(std::size_t index, const session::SweepPointResult& point) {
    if (dropped_) return;
    model_->setPoint(index, point);
    if (!drawing_.isActive()) drawing_.start();
}

void SweepPage::finish(const std::shared_ptr<session::SweepReport>& report) {
    if (std::exchange(dropped_, false)) return;
    drawing_.stop();
    const auto kept = selected();
    show(report);
    if (kept)
        select(*kept);
    else if (report->best)
        select(*report->best);
    emit workbench_.statusMessage(report->stopped ? tr("The sweep was stopped") : tr("The sweep is done"));
}

void SweepPage::ask(quint64 points, const QString& time, const std::function<void(bool)>& answer) {
    question_ = new QMessageBox(QMessageBox::Question, tr("Sweep"),
                                tr("The sweep has %1 points.").arg(formatCount(qint64(points))), QMessageBox::NoButton,
                                window());
    question_->setObjectName(QStringLiteral("manyPoints"));
    question_->setInformativeText(time + QLatin1Char(' ') + tr("A number at Points takes some of them, by chance."));
    const QPushButton* all = question_->addButton(tr("&Run All"), QMessageBox::AcceptRole);
    QPushButton* none = question_->addButton(tr("&Do Not Run"), QMessageBox::RejectRole);
    question_->setDefaultButton(none);
    question_->setEscapeButton(none);
    question_->setAttribute(Qt::WA_DeleteOnClose);
    connect(question_, &QMessageBox::finished, this,
            [answer, all, box = question_.data()] { answer(box->clickedButton() == all); });
    question_->open();
}

std::optional<std::size_t> SweepPage::selected() const {
    const QModelIndex index = table_->currentIndex();
    if (!report_ || !index.isValid()) return std::nullopt;
    return std::size_t(index.data(SweepModel::PointRole).toULongLong());
}

void SweepPage::select(std::size_t index) {
    const QModelIndex row = sorted_->mapFromSource(model_->index(int(index), 0));
    if (!row.isValid()) return;
    table_->selectRow(row.row());
    table_->scrollTo(row);
}

void SweepPage::useInLaunch(std::size_t index) {
    if (!report_ || !ran_ || index >= report_->points.size()) return;
    session::Session base = document().session();
    base.sweep = ran_;
    try {
        session::Session at = session::SweepPoints(base).session_at(report_->points[index].point);
        at.sweep = document().session().sweep;
        document().modify(tr("Use Point of the Sweep"), [&](session::Session& session) { session = at; });
        emit workbench_.statusMessage(tr("Launch has %1").arg(describePoint(*report_, index)));
    } catch (const session::SessionError& error) {
        failure_ = tr("The point does not fit the session any more: %1").arg(QString::fromUtf8(error.what()));
        showStatus();
    }
}

bool SweepPage::save(const QString& path, QString* problem) const {
    if (!report_) return false;
    if (collected_) { // all points, of all GPUs
        const QString why = saveCampaign(collected_->folder, path);
        if (!why.isEmpty()) *problem = tr("Cannot write %1: %2. Choose another folder.").arg(path, why);
        return why.isEmpty();
    }
    const bool json = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    const std::string text =
        json ? session::to_json(*report_).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
             : session::to_csv(*report_);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) != qint64(text.size()) ||
        !file.commit()) {
        *problem = tr("Cannot write %1: %2. Choose another folder.").arg(path, file.errorString());
        return false;
    }
    return true;
}

void SweepPage::saveAs() {
    const QString path = askWhereToSave(this, tr("Save Sweep"), QStringLiteral("%1/sweep.csv").arg(document().folder()),
                                        tr("Comma-separated values (*.csv);;JSON (*.json)"));
    if (path.isEmpty()) return;
    QString problem;
    if (!save(path, &problem)) QMessageBox::warning(this, tr("Save Sweep"), problem);
}

void SweepPage::restyle() {
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + Theme::grid);
    QPalette palette = note_->palette();
    palette.setColor(QPalette::WindowText, workbench_.theme().colours().mutedText);
    note_->setPalette(palette);
    showStatus();
}

} // namespace warplight::ui
