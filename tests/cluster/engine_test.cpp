// SPDX-License-Identifier: Apache-2.0
// warplight-cli sweep and grade as tasks: on this machine, and with commands in Slurm's place that misbehave.
#include "cluster_fixture.hpp"

#include <QRegularExpression>
#include <map>
#ifdef __linux__
#include <csignal>
#endif

class EngineTest : public ClusterFixture {
    Q_OBJECT
    Result sweep(const QStringList& more, const QProcessEnvironment& environment) const {
        return cli(QStringList{"sweep", "vary.warplight", "--device", device_, "--rounds", "2", "--stop-slower", "0",
                               "--vary", "block=64,128,256", "--vary", "define:TILE=1,2,5"}
                       << more,
                   environment);
    }
    Result sweep(const QStringList& more) const { return sweep(more, environment()); }
    /// Every command of Slurm is this script. It finds its name and arguments in $0 and $*.
    QProcessEnvironment with_slurm(const QByteArray& script) const {
        QDir(path("bin")).removeRecursively();
        QDir().mkpath(path("bin"));
        for (const char* name : {"sbatch", "squeue", "scancel", "sacct"}) {
            QFile file(path("bin") + '/' + name);
            if (!file.open(QIODevice::WriteOnly)) qFatal("no script");
            file.write("#!/bin/bash\nname=${0##*/}\necho \"$name $*\" >> " + path("calls").toUtf8() + "\n" + script);
            file.setPermissions(file.permissions() | QFile::ExeOwner);
        }
        QFile::remove(path("calls"));
        auto environment = this->environment();
        environment.insert("PATH", path("bin") + ':' + environment.value("PATH"));
        return environment;
    }
    QString calls() const {
        QFile file(path("calls"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    void forget() const { QDir(path("vary.campaign")).removeRecursively(); }
    static inline const QStringList as_slurm{"--engine", "slurm", "--array-size", "3",
                                             "--poll",   "100ms", "--json",       "o.json"};

private slots:
    void initTestCase() {
        write_scale();
        write("vary.cu", R"(
#include "helper.cuh"
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = times(a, x[i]) + (TILE == 5);
}
)");
        write("helper.cuh", "#ifndef TILE\n#define TILE 1\n#endif\n"
                            "__device__ inline float times(float a, float b) { return a * b; }\n");
        auto text = session(R"(, "expect": {"path": "right.npy"}, "save": "saved.npy")");
        write("vary.warplight", text.replace("scale.cu", "vary.cu").replace("\"grid\": 4", "\"grid\": 16"));
    }
    void init() { forget(); }

    void points_run_as_tasks_of_this_machine() {
        const auto here = sweep({"--json", "here.json"});
        QCOMPARE(here.code, 0);
        const auto result = sweep({"--engine", "local", "--jobs", "2", "--json", "tasks.json", "--csv", "tasks.csv",
                                   "--keep", "--history", "h.db"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto expected = json("here.json"), report = json("tasks.json");
        // What a sweep in one process says, apart from times.
        QCOMPARE(report["axes"], expected["axes"]);
        const auto points = report["points"].toArray(), others = expected["points"].toArray();
        QCOMPARE(points.size(), 9);
        for (int i = 0; i < points.size(); ++i)
            for (const char* key : {"point", "values", "state", "launch", "error", "device"})
                QCOMPARE(points[i].toObject()[key], others[i].toObject()[key]);
        QCOMPARE(measured(report), 6);
        QCOMPARE(points[0].toObject()["rounds"].toArray().size(), 2);
        QVERIFY(!points[0].toObject()["machine"].toObject()["node"].toString().isEmpty());
        QVERIFY(points[report["best"].toInt()].toObject()["state"] == "measured");
        QVERIFY2(result.out.contains("6 of 9 points measured in 2 rounds, 3 wrong"), qPrintable(result.out));
        QVERIFY(result.err.contains("kept 6 points"));
        QVERIFY2(!result.out.contains("  node  "), qPrintable(result.out)); // all of them ran here
        const auto kept = cli({"history", "--file", "h.db", "show", "6", "--json"});
        QVERIFY2(kept.code == 0 && kept.out.contains("\"software\"") && kept.out.contains("driver software 13.0"),
                 qPrintable(kept.all()));
        QVERIFY(!QFile::exists(path("saved.npy")));
        QFile csv(path("tasks.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readLine().endsWith("message,gpu,node\n"));
    }

    void what_is_there_is_not_run_again() {
        auto result = sweep({"--engine", "local", "--jobs", "1", "--array-size", "3", "--csv", "1.csv"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QDir results(path("vary.campaign/results"));
        auto logs = results.entryList(QDir::Files);
        QCOMPARE(logs.size(), 3);
        result = sweep({"--engine", "local"});
        QVERIFY2(result.code == 2 && result.err.contains("--resume"), qPrintable(result.err));
        result = sweep({"--engine", "local", "--resume", "--csv", "2.csv"});
        QCOMPARE(result.code, 0);
        QCOMPARE(results.entryList(QDir::Files), logs);
        // A log is lost, and the tail of another one is torn: only these points run again.
        QVERIFY(results.remove(logs[0]));
        QFile torn(results.filePath(logs[1]));
        QVERIFY(torn.resize(torn.size() - 10));
        result = sweep({"--engine", "local", "--resume", "--jobs", "2", "--json", "3.json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(measured(json("3.json")), 6);
        QCOMPARE(results.entryList(QDir::Files).size(), 4);
        QVERIFY(results.entryList(QDir::Files).contains(logs[2]));
        const auto size = [&](const QString& name) { return QFileInfo(results.filePath(name)).size(); };
        for (const auto& name : results.entryList(QDir::Files))
            if (name.startsWith(logs[1].left(6)) && name != logs[1]) QVERIFY(size(name) < size(logs[1]));
        // Another sweep in the same folder is another campaign.
        result = sweep({"--engine", "local", "--resume", "--l2", "cold"});
        QVERIFY2(result.code == 2 && result.err.contains("not those of the campaign"), qPrintable(result.err));
    }

    void files_that_were_changed_are_told() {
        auto result = sweep({"--engine", "local", "--jobs", "1", "--array-size", "3"});
        QCOMPARE(result.code, 0);
        QVERIFY(QDir(path("vary.campaign/results")).removeRecursively());
        QVERIFY(QDir().mkpath(path("vary.campaign/results")));
        QString source;
        QDirIterator files(path("vary.campaign/files"), {"vary.cu"}, QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(files.hasNext());
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::Append));
        file.write("// edited\n");
        file.close();
        result = sweep({"--engine", "local", "--jobs", "1", "--resume"});
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("vary.cu is not as it was") && result.err.contains("(3 tasks)"),
                 qPrintable(result.err));
    }

    void bad_usage_is_told_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("slurm's") << QStringList{"--engine", "local", "--gres", "gpu:1"} << "belong to --engine slurm";
        QTest::newRow("none") << QStringList{"--array-size", "4"} << "belong to --engine local or";
        QTest::newRow("time") << QStringList{"--engine", "local", "--task-time", "soon"} << "write a duration";
        QTest::newRow("folder") << QStringList{"--engine", "local", "--work-folder", "."}
                                << "is not empty, and no campaign";
        QTest::newRow("option") << QStringList{"--engine", "slurm", "--sbatch-option=hello"} << "an option of sbatch";
    }
    void bad_usage_is_told() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const auto result = sweep(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(words), qPrintable(result.err));
    }

    void a_damaged_campaign_is_told() {
        QCOMPARE(sweep({"--engine", "local", "--array-size", "2"}).code, 0);
        QFile file(path("vary.campaign/campaign.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        file.close();
        const std::map<QByteArray, QByteArray> changes{{"\"warplight_campaign\": 1", "\"warplight_campaign\": 9"},
                                                       {"\"kind\": \"sweep\"", "\"kind\": \"x\""},
                                                       {"\"count\": 9", "\"count\": 99999999999999"},
                                                       {"\"tasks\": 2", "\"tasks\": 10"},
                                                       {"\"session_folder\": \"", "\"session_folder\": \"../../"},
                                                       {"{", "["}};
        for (const auto& [from, to] : changes) {
            auto changed = text;
            QVERIFY2(changed.contains(from), from.constData());
            write("vary.campaign/campaign.json", changed.replace(changed.indexOf(from), from.size(), to));
            const auto result = cli({"cluster-work", "vary.campaign", "--task", "0"});
            QVERIFY2(result.code == 2 && result.err.startsWith("error: "), qPrintable(from + result.all()));
        }
        write("vary.campaign/campaign.json", text);
        const auto result = cli({"cluster-work", "vary.campaign", "--task", "2"});
        QVERIFY2(result.code == 2 && result.err.contains("has no task 2"), qPrintable(result.err));
    }

#ifdef __linux__
    void a_second_process_is_refused_and_ctrl_c_stops() {
        write_slow(5000);
        const auto arguments = QStringList{"sweep",  "slow.warplight", "--device",     device_,  "--rounds",
                                           "1",      "--engine",       "local",        "--jobs", "2",
                                           "--json", "slow.json",      "--point-time", "5s",     "--stop-slower",
                                           "0"}
                               << vary(200);
        auto process = begin(arguments, environment());
        QDir results(path("slow.campaign/results"));
        QTRY_VERIFY_WITH_TIMEOUT(!results.entryList(QDir::Files).isEmpty(), 60000);
        const auto second = cli(QStringList(arguments) << "--resume");
        QVERIFY2(second.code == 2 && second.err.contains("Another process"), qPrintable(second.err));
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        const auto result = finish(*process);
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("stopped: ") && result.out.contains("STOPPED"), qPrintable(result.all()));
        const auto report = json("slow.json");
        const auto missing = report["missing"].toInt();
        QVERIFY(missing > 0 && missing < 200 && measured(report) == 200 - missing);
        // A process that is killed leaves none of its tasks behind.
        process = begin(QStringList(arguments) << "--resume", environment());
        const auto logs = results.entryList(QDir::Files).size();
        QTRY_VERIFY_WITH_TIMEOUT(results.entryList(QDir::Files).size() > logs, 60000);
        process->kill();
        process->waitForFinished();
        const auto running = [&] {
            QProcess ps;
            ps.start("ps", {"-eo", "args"});
            ps.waitForFinished();
            return ps.readAllStandardOutput().contains("cluster-work " + path("slow.campaign").toUtf8());
        };
        QTRY_VERIFY_WITH_TIMEOUT(!running(), 20000);
    }

    void a_full_disk_is_told() {
        // The task may write 20 KB: less than its results, more than all other files it makes.
        QCOMPARE(sweep({"--engine", "local", "--jobs", "1", "--array-size", "1"}).code, 0);
        QVERIFY(QDir(path("vary.campaign/results")).removeRecursively());
        QVERIFY(QFile::link("/dev/full", path("nothing")));
        QVERIFY(QDir().mkpath(path("vary.campaign/results")));
        auto limited = [](const QString& command) {
            return QStringList{"-c", "ulimit -f 1; trap '' XFSZ; exec " + command};
        };
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environment());
        process.start("bash", limited(QString(WARPLIGHT_CLI) + " cluster-work vary.campaign --task 0"));
        auto result = finish(process);
        QVERIFY2(result.code == 2 && result.err.contains("Results cannot be written"), qPrintable(result.all()));
        // What was torn is left out, and the points run again.
        result = sweep({"--engine", "local", "--jobs", "1", "--resume", "--json", "full.json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(measured(json("full.json")), 6);
    }

    void without_slurm_it_is_told() {
        auto environment = this->environment();
        environment.insert("PATH", path("empty"));
        const auto result = sweep(as_slurm, environment);
        QVERIFY2(result.code == 2 && result.err.contains("There is no program sbatch here"), qPrintable(result.err));
        QVERIFY(!QFile::exists(path("vary.campaign"))); // what was refused leaves nothing
    }

    void arrays_are_split_where_the_cluster_takes_no_more() {
        const auto environment = with_slurm(R"SH(
case $name in
sbatch) array=$(printf '%s\n' "$@" | sed -n 's/^--array=//p')
    offset=${@: -1}
    first=${array%%[-,]*} last=${array##*[-,]}
    if [ "$last" -ge 2 ]; then echo "sbatch: error: Batch job submission failed: Invalid job array specification" >&2; exit 1; fi
    echo "$((100 + offset))"
    for i in $(seq "$first" "$last"); do SLURMD_NODENAME=n$i SLURM_ARRAY_TASK_ID=$i sh "${@: -2:1}" "$offset" >/dev/null 2>&1; done ;;
squeue) ;;
sacct) echo "Slurm accounting storage is disabled" >&2; exit 1 ;;
esac
)SH");
        const auto result = sweep(QStringList(as_slurm) << "--gres" << "gpu:1" << "--time" << "10", environment);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(measured(json("o.json")), 6);
        const auto said = calls();
        QVERIFY2(said.contains("--array=0-1 ") && said.contains("--array=0 "), qPrintable(said));
        // The node is in the table, in front of how a point compares.
        QVERIFY2(result.out.contains(QRegularExpression("  node +times the best")) &&
                     result.out.count(QRegularExpression("  n[01]  ")) == 9,
                 qPrintable(result.out));
        QVERIFY(said.contains("--gres=gpu:1 ") && said.contains("--time=10 ") && said.contains("--signal=B:TERM@60"));
    }

    void refusals_are_told_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("words");
        const auto fails = [](const char* text) {
            return QByteArray("[ $name = sbatch ] && { echo \"") + text + "\" >&2; exit 1; }\n";
        };
        QTest::newRow("partition") << fails("sbatch: error: invalid partition specified: x")
                                   << "invalid partition specified: x. Name a partition";
        QTest::newRow("array of one") << fails("Invalid job array specification") << "takes no array";
        QTest::newRow("limit") << fails("Job violates accounting/QOS policy (job submit limit)") << "--array-size";
        QTest::newRow("controller") << fails("Unable to contact slurm controller (connect failure)")
                                    << "Try again later";
        QTest::newRow("silent") << QByteArray("[ $name = sbatch ] && exit 3\n") << "did not say why";
        QTest::newRow("garbage") << QByteArray("[ $name = sbatch ] && head -c 3000 /dev/urandom\n")
                                 << "did not print the number";
        QTest::newRow("nothing") << QByteArray() << "did not print the number";
        QTest::newRow("flood") << QByteArray("[ $name = sbatch ] && { yes | head -c 50000000 >&2; exit 1; }\n")
                               << "y; y";
    }
    void refusals_are_told() {
        QFETCH(QByteArray, script);
        QFETCH(QString, words);
        const auto result = sweep(as_slurm, with_slurm(script));
        QVERIFY2(result.code == 2 && result.err.contains(words), qPrintable(result.err.left(2000)));
        QVERIFY(!QFile::exists(path("vary.campaign")));
    }

    void jobs_that_leave_no_results_are_told() {
        const auto environment = with_slurm(R"SH(
case $name in
sbatch) echo 7; for i in 0 1; do echo "slurmstepd: error: Exceeded memory" > vary.campaign/output/7_$i.txt; done
    printf 'line\nerror: no such GPU\n' > vary.campaign/output/7_2.txt ;;
squeue) ;;
sacct) echo '7_0|OUT_OF_MEMORY|0:125|n1'; echo '7_1|OUT_OF_MEMORY|0:125|n1'; echo '7_2|FAILED|2:0|n1' ;;
esac
)SH");
        const auto result = sweep(as_slurm, environment);
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("more memory") && result.err.contains("(2 tasks)") &&
                     result.err.contains("error: no such GPU") && result.err.contains("incomplete: 0 of 9"),
                 qPrintable(result.err));
        QCOMPARE(json("o.json")["missing"].toInt(), 9);
    }

    void a_controller_that_stumbles_is_waited_for() {
        // squeue fails at first, then prints nonsense beside what it knows; results come late.
        const auto environment = with_slurm(R"SH(
case $name in
sbatch) echo 7 ;;
squeue) n=$(grep -c ^squeue calls)
    if [ $n = 6 ]; then
        for i in 0 1 2; do SLURM_ARRAY_TASK_ID=$i sh vary.campaign/job.sh 0 >/dev/null 2>&1; done
    fi
    if [ $n -lt 4 ]; then echo "slurm_load_jobs error: Socket timed out" >&2; exit 1; fi
    printf '\x1b[31m|||\nx\n7|1-2|PENDING||Resources\n' ;;
esac
)SH");
        const auto result = sweep(as_slurm, environment);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(measured(json("o.json")), 6);
    }

    void stop_cancels_the_jobs() {
        const auto environment = with_slurm(
            "case $name in\nsbatch) echo 7 ;;\nsqueue) [ -e canceled ] || echo '7|0-2|PENDING||Priority' ;;\n"
            "scancel) [ -e started ] && touch canceled; touch started ;;\nesac\n");
        auto process = begin(QStringList{"sweep", "vary.warplight", "--vary", "block=64,128,256", "--point-time", "1s"}
                                 << as_slurm,
                             environment);
        QTRY_VERIFY_WITH_TIMEOUT(calls().count("squeue") > 2, 30000);
        ::kill(static_cast<pid_t>(process->processId()), SIGINT);
        const auto result = finish(*process);
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("stopped: 0 of 3"), qPrintable(result.err));
        QVERIFY(QRegularExpression("squeue.*\nscancel --name=warplight-[a-z2-7]{10}\n").match(calls()).hasMatch());
    }
#endif
};

QTEST_GUILESS_MAIN(EngineTest)
#include "engine_test.moc"
