// SPDX-License-Identifier: Apache-2.0
// Sweeps and classes on a real Slurm, which has no accounting.
#include "../remote/ssh_server.hpp"
#include "cluster_fixture.hpp"
#include "slurm_cluster.hpp"

#include <QRegularExpression>
#include <QSet>
#include <csignal>
#include <map>
#include <optional>

class SlurmTest : public ClusterFixture {
    Q_OBJECT
    std::optional<SlurmCluster> cluster_;

    QProcessEnvironment with_slurm() const { return cluster_->environment(environment()); }
    Result command(const QStringList& words) const { return cluster_->command(words); }
    QStringList arguments(const QStringList& more) const {
        return QStringList{"sweep",  "slow.warplight", "--device", device_,    "--rounds",
                           "1",      "--stop-slower",  "0",        "--engine", "slurm",
                           "--poll", "300ms",          "--json",   "o.json",   "--point-time",
                           "3s",     "--array-size",   "20",       "--gres",   "gpu:1"}
               << more;
    }
    QJsonObject report() const { return json("o.json"); }
    QString states() const {
        QString text;
        for (const auto& point : report()["points"].toArray())
            text += point.toObject()["state"].toString() + ' ' +
                    point.toObject()["error"].toObject()["message"].toString().left(60) + '\n';
        return text.left(1500);
    }
    QStringList logs() const { return QDir(path("slow.campaign/results")).entryList(QDir::Files); }

private slots:
    void initTestCase() {
        write_slow(2000);
        cluster_.emplace(temporary_.path(), SlurmClusterSettings{.more = "MaxArraySize=9\n"});
        const auto problem = cluster_->start();
        QVERIFY2(problem.isEmpty(), qPrintable(problem + '\n' + cluster_->said()));
    }

    void cleanupTestCase() { cluster_.reset(); }

    void cleanup() {
        if (QTest::currentTestFailed()) {
            qInfo("%s", qPrintable(cluster_->said()));
            command({"scancel", "--me"});
        }
        QDir(path("slow.campaign")).removeRecursively();
    }

    void refusals_are_slurms_own() {
        auto result = cli(arguments(vary(3)) << "--partition" << "nonsense", with_slurm());
        QVERIFY2(result.code == 2 && result.err.contains("invalid partition specified: nonsense") &&
                     result.err.contains("sinfo"),
                 qPrintable(result.err));
        result = cli(arguments(vary(3)) << "--sbatch-option=--gres=gpu:9", with_slurm());
        QVERIFY2(result.code == 2 && result.err.contains("node configuration is not available"),
                 qPrintable(result.err));
        result = cli(arguments(vary(3)) << "--job-time" << "tomorrow", with_slurm());
        QVERIFY2(result.code == 2 && result.err.contains("--time takes minutes"), qPrintable(result.err));
        QVERIFY(!QFile::exists(path("slow.campaign")));
    }

    void a_node_that_dies_costs_only_its_tasks() {
        // 20 tasks are three arrays here, as MaxArraySize is 9.
        auto process = begin(arguments(vary(40)), with_slurm());
        // One of its jobs must not have ended when the node dies.
        bool dead = false;
        QTRY_VERIFY_WITH_TIMEOUT(dead = dead || (!logs().isEmpty() && cluster_->killNode("n2")), 120'000);
        QTRY_VERIFY_WITH_TIMEOUT(!command({"sinfo", "-h", "-n", "n2", "-o", "%T"}).out.startsWith("alloc"), 120'000);
        QCOMPARE(cluster_->startNode("n2"), QString());
        for (int i = 0; i < 300 && !process->waitForFinished(200); ++i)
            cluster_->startRequeued();
        QVERIFY2(process->state() == QProcess::NotRunning && process->exitCode() == 0,
                 qPrintable(process->readAllStandardError() + states()));
        QVERIFY2(measured(report()) == 40, qPrintable(states()));
        QSet<QString> nodes;
        for (const auto& point : report()["points"].toArray())
            nodes.insert(point.toObject()["machine"].toObject()["node"].toString());
        QVERIFY2(nodes.contains("n1"), qPrintable(QStringList(nodes.values()).join(' ')));
        // The tasks of the dead node were started again, as a second attempt.
        QVERIFY(command({"scontrol", "show", "job"}).out.contains(" Restarts=1 "));
        // A campaign that is done needs no cluster any more.
        auto without = environment();
        without.insert("PATH", path("empty"));
        QCOMPARE(cli(arguments(vary(40)) << "--resume", without).code, 0);
    }

    void without_accounting_output_tells() {
        QVERIFY(command({"sacct"}).code != 0);
        write("node", "#!/bin/sh\n[ $4 = 0 ] && { echo 'error: no such GPU'; exit 3; }\nexec sleep 1000\n");
        QVERIFY(QFile::setPermissions(path("node"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        auto process = begin(arguments(vary(2)) << "--program" << path("node"), with_slurm());
        QString job;
        QTRY_VERIFY_WITH_TIMEOUT((job = command({"squeue", "-h", "-t", "RUNNING", "-o", "%i"}).out).endsWith("_1\n"),
                                 60'000);
        QCOMPARE(command({"scancel", job.trimmed().section('\n', -1)}).code, 0);
        const auto result = finish(*process);
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("warning: error: no such GPU\n") &&
                     result.err.contains(QRegularExpression("Tasks were cancelled on n[12] \\(Slurm: CANCELLED\\)")),
                 qPrintable(result.err));
    }

    void stop_cancels_and_resume_goes_on() {
        auto process = begin(arguments(vary(40)), with_slurm());
        QTRY_VERIFY_WITH_TIMEOUT(!logs().isEmpty(), 120'000);
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        auto result = finish(*process);
        QVERIFY2(result.code == 4 && result.err.contains("stopped: "), qPrintable(result.err));
        const auto done = measured(report());
        QVERIFY2(done > 0 && done < 40, qPrintable(QString::number(done)));
        QVERIFY2(report()["missing"].toInt() == 40 - done, qPrintable(states()));
        QTRY_COMPARE_WITH_TIMEOUT(command({"squeue", "-h", "-t", "PENDING,RUNNING"}).out, QString(), 120'000);
        // A log that says something else of a point that is done, as of a process that was thought dead.
        const auto first = logs().first();
        QFile log(path("slow.campaign/results/") + first);
        QVERIFY(log.open(QIODevice::ReadOnly));
        write(qPrintable("slow.campaign/results/" + first.left(7) + "9.zzzzzzzzzz.log"), log.readAll() + "12 torn");
        result = cli(arguments(vary(40)) << "--resume", with_slurm());
        QVERIFY2(result.code == 0 && result.out.contains("had one already were left out"), qPrintable(result.all()));
        QCOMPARE(measured(report()), 40);
    }

    void a_cluster_elsewhere_is_reached_by_ssh() {
        SshServerSettings settings;
        settings.profile = "echo welcome to the cluster; echo a warning >&2\n";
        settings.environment = {{"SLURM_CONF", path("slurm.conf")},
                                {"WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE}};
        SshServer server(settings);
        QVERIFY2(SshServer::whyNone().isEmpty(), qPrintable(SshServer::whyNone()));
        const auto problem = server.start();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        auto environment = server.environment();
        environment.insert("XDG_STATE_HOME", path("state"));
        QStringList there = arguments(vary(8))
                            << "--cluster" << "ssh://" + server.alias() << "--program" << WARPLIGHT_CLI;
        auto result = cli(there, environment);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(measured(report()), 8);
        const QDir folder(server.home() + "/warplight-campaigns");
        QCOMPARE(folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
        // A log that is lost here comes again from there, and nothing runs.
        const auto before = logs();
        QVERIFY(QFile::remove(path("slow.campaign/results/") + before[0]));
        QFile half(path("slow.campaign/results/") + before[1]);
        QVERIFY(half.resize(half.size() / 2));
        result = cli(QStringList(there) << "--resume", environment);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(logs(), before);
        QCOMPARE(measured(report()), 8);
        QVERIFY(!result.out.contains("left out"));
        // A machine that does not answer is told.
        QDir(path("slow.campaign")).removeRecursively();
        server.stop();
        result = cli(there, environment);
        QVERIFY2(result.code == 2 && !result.err.isEmpty(), qPrintable(result.all()));
    }

    void a_class_is_graded() {
        auto task = session(R"(, "expect": {"expression": "2.5*x", "rtol": 1e-5})")
                        .replace("\"warplight\": 1", "\"warplight\": 4");
        task.insert(task.lastIndexOf('}'), R"(, "exercise": {"cases": [{"name": "all"},
            {"name": "other", "arguments": {"a": {"value": 3}}, "hidden": true}], "time_limit": 10})");
        write("task.warplight", task);
        QVERIFY(QDir().mkpath(path("class")));
        for (const auto& [name, factor] : std::map<QByteArray, QByteArray>{{"ada", "a"}, {"bob", "2.5f"}, {"eve", "0"}})
            write(qPrintable("class/" + name + ".cu"),
                  QByteArray(scale_source).replace("a * x[i]", factor + " * x[i]"));
        write("class/zoe.cu", "this is no source\n");
        const QStringList grade{"grade", "class", "--session", "task.warplight", "--device", device_};
        const auto here = cli(grade);
        QVERIFY2(here.code == 0, qPrintable(here.all()));
        const auto result = cli(
            QStringList(grade) << "--engine" << "slurm" << "--poll" << "300ms" << "--array-size" << "4", with_slurm());
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(result.out, here.out);
    }
};

QTEST_GUILESS_MAIN(SlurmTest)
#include "slurm_test.moc"
