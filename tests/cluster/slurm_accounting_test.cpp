// SPDX-License-Identifier: Apache-2.0
// Why tasks have ended, as a real Slurm with accounting tells it.
#include "cluster_fixture.hpp"
#include "slurm_cluster.hpp"

#include <QDateTime>
#include <QRegularExpression>
#include <csignal>
#include <optional>

class SlurmAccountingTest : public ClusterFixture {
    Q_OBJECT
    std::optional<SlurmCluster> cluster_;
    QProcessEnvironment environment_;
    QString array_; ///< number of the job

    Result command(const QStringList& words) const { return cluster_->command(words); }
    QStringList arguments() const {
        return QStringList{"sweep",
                           "slow.warplight",
                           "--device",
                           device_,
                           "--rounds",
                           "1",
                           "--engine",
                           "slurm",
                           "--poll",
                           "300ms",
                           "--json",
                           "o.json",
                           "--point-time",
                           "3s",
                           "--array-size",
                           "9",
                           "--program",
                           path("node"),
                           "--sbatch-option=--mem=1G"}
               << vary(9);
    }
    QString job(int task) const { return QStringLiteral("%1_%2").arg(array_).arg(task); }
    void change(int task, const QString& what) const {
        const auto result = command({"scontrol", "update", "JobId=" + job(task), what});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
    }
    /// The process of a task that has begun; 0: it has not.
    int process_of(int task, int attempt = 0) const {
        QFile file(path("begun-") + QStringLiteral("%1-%2").arg(task).arg(attempt));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
    }

private slots:
    void initTestCase() {
        write_slow(10);
        // What stands in for warplight-cli on the nodes. One task does its work, the others wait for their ends.
        write("node", "#!/bin/bash\n"
                      "task=$4 attempt=$6\n"
                      "cd \"${0%/*}\"\n"
                      "echo $$ > new-$task-$attempt; mv new-$task-$attempt begun-$task-$attempt\n"
                      "case $task-$attempt in\n"
                      "0-*) exec " WARPLIGHT_CLI " \"$@\" ;;\n"
                      "1-*) memory=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 1000 ;;\n" // exec would free it
                      "2-1) echo 'error: no such GPU'; exit 3 ;;\n"
                      "esac\n"
                      "exec sleep 1000\n");
        QVERIFY(QFile::setPermissions(path("node"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        cluster_.emplace(temporary_.path(), SlurmClusterSettings{.accounting = true});
        const auto problem = cluster_->start();
        QVERIFY2(problem.isEmpty(), qPrintable(problem + '\n' + cluster_->said()));
        environment_ = cluster_->environment(environment());
    }
    void cleanupTestCase() { cluster_.reset(); }
    void cleanup() {
        if (QTest::currentTestFailed()) qInfo("%s", qPrintable(cluster_->said()));
    }

    void a_wrong_account_is_told() {
        const auto result = cli(arguments() << "--sbatch-option=--account=nonsense", environment_);
        QVERIFY2(result.code == 2 && result.err.contains("--account=NAME"), qPrintable(result.all()));
    }

    void sacct_tells_how_tasks_ended() {
        auto process = begin(arguments() << "--sbatch-option=--account=test" << "--sbatch-option=--hold", environment_);
        QTRY_VERIFY_WITH_TIMEOUT(!(array_ = command({"squeue", "-h", "-o", "%F"}).out.trimmed()).isEmpty() ||
                                     process->state() == QProcess::NotRunning,
                                 60'000);
        change(1, "MinMemoryNode=50");
        // Four tasks run at once.
        for (int i = 0; i < 6; ++i)
            QCOMPARE(command({"scontrol", "release", job(i)}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(process_of(2), 60'000);
        QCOMPARE(command({"scontrol", "requeue", job(2)}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(process_of(3), 60'000);
        ::kill(process_of(3), SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(process_of(4), 60'000);
        // Slurm looks for tasks whose time is over every 30 seconds, counted from the controller's start.
        change(4, "EndTime=" + QDateTime::currentDateTime().addSecs(1).toString(Qt::ISODate));
        QTRY_VERIFY_WITH_TIMEOUT(process_of(5), 60'000);
        QCOMPARE(command({"scancel", job(5)}).code, 0);
        // These never begin.
        QCOMPARE(command({"scancel", array_ + "_[6-8]"}).code, 0);
        for (int i = 0; i < 300 && !process->waitForFinished(200); ++i)
            if (!process_of(2, 1)) cluster_->startRequeued();
        const auto ended = command({"sacct", "-P", "-n", "-D", "-j", array_, "-o", "JobID,State,ExitCode,NodeList"});
        QVERIFY2(process->state() == QProcess::NotRunning && process->exitCode() == 4, qPrintable(ended.all()));
        QCOMPARE(json("o.json")["missing"].toInt(), 8);
        const auto said = QString::fromUtf8(process->readAllStandardError());
        for (const char* each :
             {"Tasks on n[12] used more memory than they had asked for \\(Slurm: OUT_OF_MEMORY\\)\\. Give --sbatch",
              // Of its two ends the second one counts.
              "Tasks on n[12] failed \\(sacct: FAILED, exit code 3:0\\)\\. They printed: error: no such GPU\n",
              "Tasks on n[12] were ended by signal 9 \\(sacct: FAILED, exit code 0:9\\)\\.\n",
              "The time of tasks on n[12] was over \\(sacct: TIMEOUT, exit code 0:0\\)\\. Give more by --time",
              "Tasks were cancelled on n[12] \\(sacct: CANCELLED by [0-9]+, exit code 0:[0-9]+\\)\\.\n",
              "Tasks were cancelled before they began \\(sacct: CANCELLED by [0-9]+, exit code 0:0\\)\\. \\(3 "
              "tasks\\)\n"})
            QVERIFY2(QRegularExpression("^warning: " + QString(each), QRegularExpression::MultilineOption)
                         .match(said)
                         .hasMatch(),
                     qPrintable(each + ('\n' + ended.all()) + said));
        // What sacct had to tell has steps, a requeue, and one line for tasks that never began, in either form.
        for (const char* each : {"_0\\.batch\\|", "_2\\|REQUEUED\\|", "(_\\[6-8\\])?\\|CANCELLED by "})
            QVERIFY2(ended.out.contains(QRegularExpression('\n' + array_ + each)), qPrintable(ended.all()));
    }
};

QTEST_GUILESS_MAIN(SlurmAccountingTest)
#include "slurm_accounting_test.moc"
