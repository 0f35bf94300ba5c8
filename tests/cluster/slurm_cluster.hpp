// SPDX-License-Identifier: Apache-2.0
// A real Slurm on this machine, in a folder of its own: a controller and two nodes, each of which has two GPUs that
// stand for software devices, and accounting if it is asked for: Slurm's daemon for it and a database.
#pragma once

#include "../finished_process.hpp"

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <array>
#include <memory>
#include <utility>
#include <vector>

struct SlurmClusterSettings {
    bool accounting = false; ///< the user that runs the test has the account `test`, and nobody else may begin jobs
    QByteArray more = {};    ///< lines of slurm.conf
};

class SlurmCluster {
public:
    /// @param folder for all its files, which the owner removes
    SlurmCluster(QString folder, SlurmClusterSettings settings = {});
    ~SlurmCluster();
    SlurmCluster(const SlurmCluster&) = delete;
    SlurmCluster& operator=(const SlurmCluster&) = delete;

    /// Waits until both nodes take jobs. Empty, or what went wrong.
    QString start();
    /// Ends all jobs and daemons.
    void stop();

    /// Where Slurm's commands find this cluster.
    QProcessEnvironment environment(QProcessEnvironment environment) const;
    /// One of Slurm's commands.
    Result command(const QStringList& words) const;
    /// "n1" or "n2". Empty, or what went wrong.
    QString startNode(const QString& node);
    /// A node fails: its daemon and all that it has started are killed at once.
    /// @returns false, and the daemon lives, where nothing of a job runs there now
    bool killNode(const QString& node);

    /// Slurm lets jobs that it requeues wait for two minutes, which nobody has to here.
    void startRequeued();

    /// The last lines that the daemons have printed.
    QString said() const;

private:
    struct Process {
        int id = 0;
        bool is_step = false; ///< Slurm's own process that started the others of a job
    };
    QString file(const char* name) const { return folder_ + '/' + QLatin1String(name); }
    QString write(const char* name, const QByteArray& text) const;
    QString writeConfiguration() const;
    QString startDaemon(const QString& name, const char* program, const QStringList& arguments);
    QString startAccounting();
    QProcess* daemon(const QString& name) const;
    std::vector<Process> processesOf(const QString& node) const;

    const QString folder_;
    const SlurmClusterSettings settings_;
    int controller_port_ = 0, accounting_port_ = 0;
    std::array<int, 2> node_ports_{};
    std::vector<std::pair<QString, std::unique_ptr<QProcess>>> daemons_; ///< in the order in which they were started
};
