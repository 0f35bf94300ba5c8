// SPDX-License-Identifier: Apache-2.0
// Sweeps and classes on a real Slurm: a controller and two node daemons on this machine, each of which has two GPUs
// that stand for software devices.
#include "../remote/ssh_server.hpp"
#include "../session/cli_fixture.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <csignal>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

/// Ports that nobody uses now.
std::vector<int> free_ports(int count) {
    std::vector<int> sockets, ports;
    for (int i = 0; i < count; ++i) {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_ANY);
        socklen_t size = sizeof address;
        if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
            ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            qFatal("no port");
        sockets.push_back(socket);
        ports.push_back(ntohs(address.sin_port));
    }
    for (const int each : sockets)
        ::close(each);
    return ports;
}

} // namespace

class SlurmTest : public CliFixture {
    Q_OBJECT
    std::map<QString, std::unique_ptr<QProcess>> daemons_;

    static QString program(const char* name) {
        const auto found = QStandardPaths::findExecutable(name);
        return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/usr/local/sbin", "/sbin"})
                               : found;
    }
    QProcessEnvironment with_slurm() const {
        auto environment = this->environment();
        environment.insert("SLURM_CONF", path("slurm.conf"));
        return environment;
    }
    void start(const QString& name, const char* which, const QStringList& arguments) {
        auto& daemon = daemons_[name] = std::make_unique<QProcess>();
        daemon->setProcessEnvironment(with_slurm());
        daemon->setProcessChannelMode(QProcess::MergedChannels);
        daemon->setStandardOutputFile(path("daemon-") + name);
        daemon->start(program(which), arguments);
        QVERIFY2(daemon->waitForStarted(), qPrintable(QString("%1: %2").arg(which, daemon->errorString())));
    }
    void start_node(const QString& node) { start(node, "slurmd", {"-D", "-N", node}); }
    Result command(const QStringList& words) const {
        QProcess process;
        process.setProcessEnvironment(with_slurm());
        process.start(words[0], words.mid(1));
        return finish(process);
    }
    /// A node fails: its daemon and all that it has started are killed at once.
    void kill_node(const QString& node) {
        daemons_[node]->kill();
        daemons_[node]->waitForFinished();
        // Processes of its jobs are told by their environment, and slurmstepd is what started them.
        std::vector<pid_t> steps, tasks;
        for (const auto& each : QDir("/proc").entryList(QDir::Dirs)) {
            QFile file("/proc/" + each + "/environ");
            if (!file.open(QIODevice::ReadOnly)) continue;
            const auto environment = file.readAll();
            if (!environment.contains("SLURMD_NODENAME=" + node.toUtf8() + '\0') ||
                !environment.contains("SLURM_CONF=" + path("slurm.conf").toUtf8() + '\0'))
                continue;
            tasks.push_back(each.toInt());
            QFile stat("/proc/" + each + "/stat");
            if (!stat.open(QIODevice::ReadOnly)) continue;
            const auto parent = stat.readAll().split(')').last().simplified().split(' ').value(1);
            QFile name("/proc/" + parent + "/comm");
            if (name.open(QIODevice::ReadOnly) && name.readAll().startsWith("slurmstepd"))
                steps.push_back(parent.toInt());
        }
        for (const auto& list : {steps, tasks})
            for (const auto each : list)
                ::kill(each, SIGKILL);
        QVERIFY(!steps.empty() && steps.size() <= tasks.size());
    }
    QStringList arguments(const QStringList& more) const {
        return QStringList{"sweep",  "slow.warplight", "--device", device_,    "--rounds",
                           "1",      "--stop-slower",  "0",        "--engine", "slurm",
                           "--poll", "300ms",          "--json",   "o.json",   "--point-time",
                           "3s",     "--array-size",   "20",       "--gres",   "gpu:1"}
               << more;
    }
    static QStringList vary(int points) {
        QStringList values;
        for (int i = 1; i <= points; ++i)
            values << QString::number(i);
        return {"--vary", "argument:a=" + values.join(',')};
    }
    QJsonObject report() const {
        QFile file(path("o.json"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QJsonDocument::fromJson(file.readAll()).object();
    }
    static int measured(const QJsonObject& report) {
        int count = 0;
        for (const auto& point : report["points"].toArray())
            count += point.toObject()["state"] == "measured";
        return count;
    }
    QString states() const {
        QString text;
        for (const auto& point : report()["points"].toArray())
            text += point.toObject()["state"].toString() + ' ' +
                    point.toObject()["error"].toObject()["message"].toString().left(60) + '\n';
        return text.left(1500);
    }
    QStringList logs() const { return QDir(path("slow.campaign/results")).entryList(QDir::Files); }
    std::unique_ptr<QProcess> begin(const QStringList& arguments) const {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(temporary_.path());
        process->setProcessEnvironment(with_slurm());
        process->start(WARPLIGHT_CLI, arguments);
        return process;
    }

private slots:
    void initTestCase() {
        for (const char* each : {"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"})
            QVERIFY2(!program(each).isEmpty(),
                     qPrintable(QString("%1 is missing: install slurm-wlm and munge.").arg(each)));
        write_scale();
        write("slow.cu", R"(
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
    volatile float s = 0;
    for (int i = 0; i < 2000; ++i) s = s + a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + 0 * s;
}
)");
        write("slow.warplight", session("").replace("scale.cu", "slow.cu"));

        const auto user = command({"id", "-un"}).out.trimmed();
        const auto ports = free_ports(3);
        const QByteArray here = temporary_.path().toUtf8();
        write("slurm.conf",
              QString("ClusterName=warplight\nSlurmctldHost=localhost\nSlurmctldPort=%1\nSlurmUser=%2\nSlurmdUser=%2\n"
                      "AuthType=auth/munge\nAuthInfo=socket=%3/munge.socket\nCredType=cred/munge\n"
                      "StateSaveLocation=%3/state\nSlurmdSpoolDir=%3/spool-%n\nSlurmctldPidFile=%3/ctld.pid\n"
                      "SlurmdPidFile=%3/%n.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
                      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nSlurmdTimeout=5\n"
                      "KillWait=5\nMinJobAge=30\nMessageTimeout=5\nAccountingStorageType=accounting_storage/none\n"
                      "JobAcctGatherType=jobacct_gather/none\nMpiDefault=none\nSwitchType=switch/none\nGresTypes=gpu\n"
                      "MaxArraySize=9\nSchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1\n"
                      "SlurmdParameters=config_overrides\n"
                      "NodeName=n1 NodeHostname=localhost Port=%4 CPUs=2 RealMemory=500 Gres=gpu:2\n"
                      "NodeName=n2 NodeHostname=localhost Port=%5 CPUs=2 RealMemory=500 Gres=gpu:2\n"
                      "PartitionName=main Nodes=n1,n2 Default=YES MaxTime=60 State=UP\n")
                  .arg(ports[0])
                  .arg(user, temporary_.path())
                  .arg(ports[1])
                  .arg(ports[2])
                  .toUtf8());
        write("gres.conf", "NodeName=n[1-2] Name=gpu File=/dev/null\nNodeName=n[1-2] Name=gpu File=/dev/zero\n");
        for (const char* each : {"state", "spool-n1", "spool-n2"})
            QVERIFY(QDir().mkpath(path(each)));
        write("munge.key", QByteArray(128, 'k'));
        QFile::setPermissions(path("munge.key"), QFile::ReadOwner | QFile::WriteOwner);
        start("munge", "munged",
              {"--foreground", "--force", "--socket=" + path("munge.socket"), "--key-file=" + path("munge.key"),
               "--pid-file=" + path("munge.pid"), "--log-file=" + path("munge.log"),
               "--seed-file=" + path("munge.seed")});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("munge.socket")), 10000);
        start("ctld", "slurmctld", {"-D"});
        start_node("n1");
        start_node("n2");
        QTRY_VERIFY2_WITH_TIMEOUT(command({"sinfo", "-h", "-N", "-o", "%T"}).out == "idle\nidle\n",
                                  qPrintable(command({"sinfo"}).all()), 120'000);
    }

    void cleanupTestCase() {
        command({"scancel", "--me"});
        for (auto& [name, daemon] : daemons_) {
            daemon->terminate();
            if (daemon->waitForFinished(2000)) continue;
            daemon->kill();
            daemon->waitForFinished();
        }
    }

    void cleanup() {
        if (QTest::currentTestFailed())
            for (const char* each : {"daemon-ctld", "daemon-n1", "daemon-n2"}) {
                QFile file(path(each));
                if (file.open(QIODevice::ReadOnly)) qInfo("%s: %s", each, file.readAll().right(1500).constData());
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
        auto process = begin(arguments(vary(40)));
        // One of its jobs has only begun: it must not have ended when the node dies.
        bool begun = false;
        QTRY_VERIFY_WITH_TIMEOUT(
            begun = begun || (!logs().isEmpty() &&
                              command({"squeue", "-h", "-t", "RUNNING", "-o", "%N %M"}).out.contains("n2 0:00\n")),
            120'000);
        kill_node("n2");
        QTRY_VERIFY_WITH_TIMEOUT(!command({"sinfo", "-h", "-n", "n2", "-o", "%T"}).out.startsWith("alloc"), 120'000);
        start_node("n2");
        // Slurm lets jobs of a dead node wait for two minutes, which nobody has to here.
        for (int i = 0; i < 300 && !process->waitForFinished(200); ++i)
            for (const auto& job : command({"squeue", "-h", "-r", "-t", "PENDING", "-o", "%A %r"}).out.split('\n'))
                if (job.endsWith(" BeginTime"))
                    command({"scontrol", "update", "JobId=" + job.section(' ', 0, 0), "StartTime=now"});
        QVERIFY2(process->state() == QProcess::NotRunning && process->exitCode() == 0,
                 qPrintable(process->readAllStandardError() + states()));
        QVERIFY2(measured(report()) == 40, qPrintable(states()));
        QSet<QString> nodes;
        for (const auto& point : report()["points"].toArray())
            nodes.insert(point.toObject()["machine"].toObject()["node"].toString());
        QVERIFY2(nodes.contains("n1"), qPrintable(QStringList(nodes.values()).join(' ')));
        // The tasks of the dead node were started again, as a second attempt.
        QVERIFY2(logs().filter(QRegularExpression("^[0-9]+\\.1\\.")).size() > 0, qPrintable(logs().join(' ')));
        // A campaign that is done needs no cluster any more.
        auto without = environment();
        without.insert("PATH", path("empty"));
        QCOMPARE(cli(arguments(vary(40)) << "--resume", without).code, 0);
    }

    void stop_cancels_and_resume_goes_on() {
        auto process = begin(arguments(vary(40)));
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
