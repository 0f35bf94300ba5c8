// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the user's sweeps run, and how on Slurm. It is kept in warplight.ini: a session never names a cluster.
#pragma once

#include "cluster/slurm_setup.hpp"

#include <QString>

namespace warplight::ui {

inline constexpr int mostSlurmTasks = 1'000'000;
inline constexpr double mostPollSeconds = 3600;

struct SlurmSettings {
    bool chosen = false; ///< sweeps start on Slurm
    QString partition, gres, time, containerImage;
    QString more;           ///< options of sbatch, as in a shell
    QString cluster;        ///< ssh://user@login; empty: this machine
    QString program;        ///< warplight-cli as jobs find it
    QString workFolder;     ///< campaigns lie below it; empty: beside the session, or the cluster's default
    int tasks = 0;          ///< 0: by their time
    double pollSeconds = 0; ///< between two calls of squeue; 0: as often as there is something new
    bool keep = true;       ///< the points of a sweep that is done, in the history

    static SlurmSettings load();
    void save() const;
    friend bool operator==(const SlurmSettings&, const SlurmSettings&) = default;

    cluster::SlurmSetup setup() const;
    /// Why no job can have these settings; empty where it can.
    QString problem() const;
    /// Where campaigns of sessions of this folder are, on this machine.
    QString campaignsOf(const QString& sessionFolder) const;
};

} // namespace warplight::ui
