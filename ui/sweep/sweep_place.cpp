// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_place.hpp"

#include "session/data_file.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/document.hpp"
#include "ui/common/format.hpp"
#include "ui/common/machines.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/workbench.hpp"
#include "ui/common/worker_connection.hpp"
#include "ui/sweep/campaign_job.hpp"
#include "ui/sweep/slurm_dialog.hpp"

#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

namespace warplight::ui {

SweepPlace::SweepPlace(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), settings_(SlurmSettings::load()), box_(new QComboBox),
      edit_(new QToolButton), resume_(new QToolButton), campaigns_(new QMenu(this)) {
    auto* label = new QLabel(tr("Runs on"));
    label->setBuddy(box_);
    box_->addItems({QString(), tr("Slurm")});
    box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box_->setAccessibleName(tr("Where the sweep runs"));
    box_->setToolTip(tr("The machine in the device box, or jobs of a cluster, which share the points"));
    edit_->setText(tr("Settings…"));
    edit_->setToolTip(tr("Partition, devices and time of a job, and where the cluster is"));
    resume_->setText(tr("Resume"));
    resume_->setToolTip(tr("Go on with a sweep of this session on Slurm, and show the results that are there. Points "
                           "that have a result do not run again."));
    resume_->setMenu(campaigns_);
    resume_->setPopupMode(QToolButton::InstantPopup);
    campaigns_->setToolTipsVisible(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::half);
    row->setSpacing(Theme::grid);
    row->addWidget(label);
    row->addWidget(box_);
    for (QToolButton* button : {edit_, resume_}) {
        button->setProperty("framed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(button);
    }
    row->addStretch(1);
    connect(box_, &QComboBox::currentIndexChanged, this, [this](int index) {
        SlurmSettings now = settings_;
        now.chosen = index == 1;
        setSettings(now);
    });
    connect(edit_, &QToolButton::clicked, this, &SweepPlace::edit);
    connect(campaigns_, &QMenu::aboutToShow, this, &SweepPlace::list);
    connect(&workbench, &Workbench::workerChanged, this, &SweepPlace::nameMachine);
    connect(&workbench.machines(), &Machines::changed, this, &SweepPlace::nameMachine);
    nameMachine();
    showChoice();
}

void SweepPlace::nameMachine() {
    const QString machine = workbench_.worker().machine();
    box_->setItemText(0, machine.isEmpty() ? tr("This machine") : workbench_.machines().title(machine));
}

void SweepPlace::showChoice() {
    const QSignalBlocker blocker(box_);
    box_->setCurrentIndex(settings_.chosen ? 1 : 0);
    box_->setEnabled(!running_);
    for (QToolButton* button : {edit_, resume_}) {
        button->setVisible(settings_.chosen);
        button->setEnabled(!running_);
    }
}

void SweepPlace::setRunning(bool running) {
    running_ = running;
    showChoice();
}

void SweepPlace::setSettings(const SlurmSettings& settings) {
    if (settings == settings_) return;
    settings_ = settings;
    settings_.save();
    showChoice();
    emit changed();
}

void SweepPlace::showEvent(QShowEvent* event) {
    if (!running_) setSettings(SlurmSettings::load());
    QWidget::showEvent(event);
}

void SweepPlace::edit() {
    auto* dialog = new SlurmDialog(settings_, workbench_.theme(), window());
    dialog->setObjectName(QStringLiteral("slurmSettings"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { setSettings(dialog->settings()); });
    dialog->open();
}

QString SweepPlace::problem() const {
    if (!isSlurm()) return {};
    QString why = settings_.problem();
    if (!why.isEmpty()) return why;
    return workbench_.document().path().isEmpty()
               ? tr("Save the session first: what its jobs need is copied to a folder beside it.")
               : QString();
}

std::filesystem::path SweepPlace::newFolder() const {
    return toPath(QStringLiteral("%1/%2.campaign")
                      .arg(settings_.campaignsOf(workbench_.document().folder()),
                           QFileInfo(workbench_.document().path()).completeBaseName()));
}

void SweepPlace::list() {
    campaigns_->clear();
    const QString folder = settings_.campaignsOf(workbench_.document().folder());
    for (const CampaignEntry& each : campaignsOf(folder, workbench_.document().path())) {
        const QFileInfo file(QString::fromStdString(session::utf8_of(each.folder)));
        const QString count = each.points == 1 ? tr("1 point") : tr("%1 points").arg(formatCount(qint64(each.points)));
        QAction* action =
            campaigns_->addAction(tr("%1 – %2, %3", "folder, points, time")
                                      .arg(QString(file.fileName()).replace(QLatin1Char('&'), QStringLiteral("&&")),
                                           count, QLocale().toString(file.lastModified(), QLocale::ShortFormat)));
        action->setToolTip(file.absoluteFilePath());
        connect(action, &QAction::triggered, this, [this, path = each.folder] { emit resumeRequested(path); });
    }
    if (!campaigns_->isEmpty()) return;
    campaigns_->addAction(tr("No sweep of this session is in %1").arg(QDir::toNativeSeparators(folder)))
        ->setEnabled(false);
}

} // namespace warplight::ui
