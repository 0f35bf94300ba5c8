// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/slurm_settings.hpp"

#include "cluster/campaign_files.hpp"
#include "remote/place.hpp"
#include "ui/common/settings.hpp"
#include "worker/client.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <algorithm>
#include <chrono>
#include <cmath>

namespace warplight::ui {
namespace {

struct SlurmWords {
    Q_DECLARE_TR_FUNCTIONS(Slurm)
};

/// Reads or writes each of them, under its key.
template <class Settings, class Visit>
void visitTexts(Settings& settings, Visit&& visit) {
    visit(QStringLiteral("slurm/partition"), settings.partition);
    visit(QStringLiteral("slurm/gres"), settings.gres);
    visit(QStringLiteral("slurm/time"), settings.time);
    visit(QStringLiteral("slurm/containerImage"), settings.containerImage);
    visit(QStringLiteral("slurm/more"), settings.more);
    visit(QStringLiteral("slurm/cluster"), settings.cluster);
    visit(QStringLiteral("slurm/program"), settings.program);
    visit(QStringLiteral("slurm/workFolder"), settings.workFolder);
}

} // namespace

SlurmSettings SlurmSettings::load() {
    const QSettings s = settings();
    SlurmSettings loaded;
    visitTexts(loaded, [&](const QString& key, QString& text) { text = s.value(key).toString(); });
    loaded.chosen = s.value(QStringLiteral("slurm/chosen"), false).toBool();
    loaded.tasks = std::clamp(s.value(QStringLiteral("slurm/tasks"), 0).toInt(), 0, mostSlurmTasks);
    loaded.pollSeconds = std::clamp(s.value(QStringLiteral("slurm/pollSeconds"), 0).toDouble(), 0.0, mostPollSeconds);
    loaded.keep = s.value(QStringLiteral("slurm/keep"), true).toBool();
    return loaded;
}

void SlurmSettings::save() const {
    QSettings s = settings();
    visitTexts(*this, [&](const QString& key, const QString& text) { s.setValue(key, text); });
    s.setValue(QStringLiteral("slurm/chosen"), chosen);
    s.setValue(QStringLiteral("slurm/tasks"), tasks);
    s.setValue(QStringLiteral("slurm/pollSeconds"), pollSeconds);
    s.setValue(QStringLiteral("slurm/keep"), keep);
}

cluster::SlurmSetup SlurmSettings::setup() const {
    cluster::SlurmSetup setup;
    setup.options.partition = partition.toStdString();
    setup.options.gres = gres.toStdString();
    setup.options.time = time.toStdString();
    setup.options.container_image = containerImage.toStdString();
    for (const QString& option : QProcess::splitCommand(more))
        setup.options.more.push_back(option.toStdString());
    setup.cluster = cluster.toStdString();
    if (!cluster.isEmpty()) setup.folder = workFolder.toStdString();
    constexpr double milliseconds = 1000;
    if (pollSeconds > 0) setup.poll = std::chrono::milliseconds(std::llround(milliseconds * pollSeconds));
    setup.program = program.toStdString();
    setup.own_program = cluster::utf8_of(worker::find_worker());
    return setup;
}

QString SlurmSettings::problem() const {
    if (!cluster.isEmpty()) {
        std::string why;
        if (!remote::is_place(cluster.toStdString()))
            return SlurmWords::tr("The login node of a cluster is written ssh://user@host.");
        if (!remote::parse_place(cluster.toStdString(), &why)) return QString::fromStdString(why);
    } else if (!workFolder.isEmpty() && !QDir::isAbsolutePath(workFolder)) {
        return SlurmWords::tr(
            "The work folder has no whole path. It is one that all nodes see, such as /home/me/sweeps.");
    }
    try {
        (void)cluster::sbatch_command({"name", "/job.sh", "/folder", 0, "0"}, setup().options);
    } catch (const session::SessionError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString SlurmSettings::campaignsOf(const QString& sessionFolder) const {
    return workFolder.isEmpty() || !cluster.isEmpty() ? sessionFolder : workFolder;
}

} // namespace warplight::ui
