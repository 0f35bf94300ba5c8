// SPDX-License-Identifier: Apache-2.0
#include "slurm_cluster.hpp"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QThread>
#include <algorithm>
#include <csignal>
#include <functional>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

sockaddr_in address_of(int port, in_addr_t machine) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(machine);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

/// Ports that nobody uses now.
std::vector<int> free_ports(int count) {
    std::vector<int> sockets, ports;
    for (int i = 0; i < count; ++i) {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        auto address = address_of(0, INADDR_ANY);
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

bool listens(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto address = address_of(port, INADDR_LOOPBACK);
    const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return connected;
}

QString program(const char* name) {
    const auto found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/usr/local/sbin", "/sbin"}) : found;
}

bool comes_true(int seconds, const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > seconds * 1000) return false;
        QThread::msleep(50);
    }
    return true;
}

QString user() {
    QProcess id;
    id.start("id", {"-un"});
    return finish(id).out.trimmed();
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

SlurmCluster::SlurmCluster(QString folder, SlurmClusterSettings settings)
    : folder_(std::move(folder)), settings_(std::move(settings)) {
    const auto ports = free_ports(4);
    controller_port_ = ports[0];
    node_ports_[0] = ports[1];
    node_ports_[1] = ports[2];
    accounting_port_ = ports[3];
}

SlurmCluster::~SlurmCluster() { stop(); }

QProcessEnvironment SlurmCluster::environment(QProcessEnvironment environment) const {
    environment.insert("SLURM_CONF", file("slurm.conf"));
    return environment;
}

Result SlurmCluster::command(const QStringList& words) const {
    QProcess process;
    process.setProcessEnvironment(environment(QProcessEnvironment::systemEnvironment()));
    process.start(words[0], words.mid(1));
    return finish(process);
}

QString SlurmCluster::write(const char* name, const QByteArray& text) const {
    QFile file(this->file(name));
    // Slurm and munge refuse files with keys and passwords that others may read.
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) ||
        file.write(text) != text.size())
        return file.fileName() + ": " + file.errorString();
    return {};
}

QString SlurmCluster::writeConfiguration() const {
    QByteArray text = "ClusterName=warplight\nSlurmctldHost=localhost\nSlurmctldPort=@controller\n"
                      "SlurmUser=@user\nSlurmdUser=@user\nAuthType=auth/munge\nAuthInfo=socket=@here/munge.socket\n"
                      "CredType=cred/munge\nStateSaveLocation=@here/state\nSlurmdSpoolDir=@here/spool-%n\n"
                      "SlurmctldPidFile=@here/ctld.pid\nSlurmdPidFile=@here/%n.pid\nProctrackType=proctrack/linuxproc\n"
                      "TaskPlugin=task/none\nSelectType=select/cons_tres\nReturnToService=2\nSlurmdTimeout=5\n"
                      "KillWait=5\nMinJobAge=30\nMessageTimeout=5\nMpiDefault=none\nSwitchType=switch/none\n"
                      "GresTypes=gpu\nSchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1\n"
                      "SlurmdParameters=config_overrides\n"
                      "PartitionName=main Nodes=n1,n2 Default=YES MaxTime=60 State=UP\n";
    for (std::size_t i = 0; i < node_ports_.size(); ++i)
        text += "NodeName=n" + QByteArray::number(i + 1) +
                " NodeHostname=localhost Port=" + QByteArray::number(node_ports_[i]) +
                " CPUs=2 RealMemory=4000 Gres=gpu:2\n";
    if (settings_.accounting)
        // The password of the accounting is munge's socket.
        text += "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageHost=localhost\n"
                "AccountingStoragePort=@accounting\nAccountingStoragePass=@here/munge.socket\n"
                "AccountingStorageEnforce=associations\nJobAcctGatherType=jobacct_gather/linux\n"
                "JobAcctGatherFrequency=task=1\nJobAcctGatherParams=OverMemoryKill\n"
                "SelectTypeParameters=CR_Core_Memory\nDefMemPerNode=100\n";
    else
        text += "AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n"
                "SelectTypeParameters=CR_Core\n";
    text += settings_.more;
    QByteArray accounting =
        "AuthType=auth/munge\nAuthInfo=socket=@here/munge.socket\nDbdHost=localhost\nDbdPort=@accounting\n"
        "SlurmUser=@user\nPidFile=@here/dbd.pid\nStorageType=accounting_storage/mysql\nStorageHost=localhost\n"
        "StorageUser=@user\nStorageLoc=slurm\n";
    for (auto* each : {&text, &accounting})
        each->replace("@controller", QByteArray::number(controller_port_))
            .replace("@accounting", QByteArray::number(accounting_port_))
            .replace("@user", user().toUtf8())
            .replace("@here", folder_.toUtf8());
    for (const auto& [name, content] : std::vector<std::pair<const char*, QByteArray>>{
             {"slurm.conf", text},
             {"slurmdbd.conf", accounting},
             {"gres.conf", "NodeName=n[1-2] Name=gpu File=/dev/null\nNodeName=n[1-2] Name=gpu File=/dev/zero\n"},
             {"munge.key", QByteArray(128, 'k')}})
        if (auto problem = write(name, content); !problem.isEmpty()) return problem;
    for (const char* each : {"state", "spool-n1", "spool-n2", "database"})
        if (!QDir().mkpath(file(each))) return file(each) + " cannot be made";
    return {};
}

QString SlurmCluster::startDaemon(const QString& name, const char* which, const QStringList& arguments) {
    std::erase_if(daemons_, [&](const auto& each) { return each.first == name; });
    auto& process = daemons_.emplace_back(name, std::make_unique<QProcess>()).second;
    auto environment = this->environment(QProcessEnvironment::systemEnvironment());
    environment.insert("MYSQL_UNIX_PORT", file("database.socket")); // where slurmdbd finds the database
    process->setProcessEnvironment(environment);
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->setStandardOutputFile(folder_ + "/daemon-" + name);
    // None outlives a test that crashes.
    process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    process->start(program(which), arguments);
    return process->waitForStarted() ? QString() : QString("%1: %2").arg(which, process->errorString());
}

QString SlurmCluster::startAccounting() {
    // With no tables of users to ask, all that Slurm needs of the database's own tables is that of procedures.
    QByteArray tables;
    for (const char* each : {"/usr/share/mysql", "/usr/share/mariadb"})
        for (const auto& line : contents(each + QString("/mysql_system_tables.sql")).split('\n'))
            if (line.startsWith("CREATE TABLE IF NOT EXISTS proc (")) tables = line;
    if (tables.isEmpty()) return "mysql_system_tables.sql of mariadb-server-core was not found";
    if (auto problem = write("database.sql", "create database mysql;\nuse mysql;\n" + tables + '\n');
        !problem.isEmpty())
        return problem;
    QStringList arguments{"--no-defaults",
                          "--datadir=" + file("database"),
                          "--socket=" + file("database.socket"),
                          "--pid-file=" + file("database.pid"),
                          "--init-file=" + file("database.sql"),
                          "--skip-networking",
                          "--skip-grant-tables",
                          "--skip-innodb-doublewrite",
                          "--innodb-flush-log-at-trx-commit=0",
                          "--innodb-flush-method=nosync",
                          "--innodb-buffer-pool-size=8M",
                          "--innodb-log-file-size=4M"};
    if (::geteuid() == 0) arguments << "--user=root";
    if (auto problem = startDaemon("database", "mariadbd", arguments); !problem.isEmpty()) return problem;
    if (!comes_true(60, [&] { return QFile::exists(file("database.socket")); })) return "the database does not start";
    if (auto problem = startDaemon("dbd", "slurmdbd", {"-D"}); !problem.isEmpty()) return problem;
    if (!comes_true(60, [&] { return listens(accounting_port_); })) return "slurmdbd does not start";
    for (const auto& each : {QStringList{"cluster", "warplight"}, QStringList{"account", "test", "cluster=warplight"},
                             QStringList{"user", user(), "account=test"}})
        if (const auto result = command(QStringList{"sacctmgr", "-i", "add"} << each); result.code != 0)
            return "sacctmgr: " + result.all();
    return {};
}

QString SlurmCluster::start() {
    std::vector<const char*> programs{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"};
    if (settings_.accounting) programs.insert(programs.end(), {"slurmdbd", "mariadbd", "sacctmgr", "sacct"});
    for (const char* each : programs)
        if (program(each).isEmpty())
            return QString("%1 is missing: install slurm-wlm, munge, slurmdbd and mariadb-server-core.").arg(each);
    if (auto problem = writeConfiguration(); !problem.isEmpty()) return problem;
    const auto socket = file("munge.socket");
    if (auto problem = startDaemon("munge", "munged",
                                   {"--foreground", "--force", "--socket=" + socket, "--key-file=" + file("munge.key"),
                                    "--pid-file=" + file("munge.pid"), "--log-file=" + file("munge.log"),
                                    "--seed-file=" + file("munge.seed")});
        !problem.isEmpty())
        return problem;
    if (!comes_true(10, [&] { return QFile::exists(socket); })) return "munged does not start";
    if (settings_.accounting)
        if (auto problem = startAccounting(); !problem.isEmpty()) return problem;
    if (auto problem = startDaemon("ctld", "slurmctld", {"-D"}); !problem.isEmpty()) return problem;
    for (const char* node : {"n1", "n2"})
        if (auto problem = startNode(node); !problem.isEmpty()) return problem;
    const bool idle = comes_true(120, [&] { return command({"sinfo", "-h", "-N", "-o", "%T"}).out == "idle\nidle\n"; });
    return idle ? QString() : "the nodes are not idle: " + command({"sinfo"}).all();
}

QString SlurmCluster::startNode(const QString& node) { return startDaemon(node, "slurmd", {"-D", "-N", node}); }

QProcess* SlurmCluster::daemon(const QString& name) const {
    for (const auto& [each, process] : daemons_)
        if (each == name) return process.get();
    return nullptr;
}

std::vector<SlurmCluster::Process> SlurmCluster::processesOf(const QString& node) const {
    // Processes of jobs are told by their environment, and slurmstepd is what started them.
    std::vector<Process> processes;
    for (const auto& each : QDir("/proc").entryList(QDir::Dirs)) {
        const auto environment = contents("/proc/" + each + "/environ");
        if (!environment.contains("SLURMD_NODENAME=" + node.toUtf8() + '\0') ||
            !environment.contains("SLURM_CONF=" + file("slurm.conf").toUtf8() + '\0'))
            continue;
        processes.push_back({each.toInt(), false});
        const auto parent = contents("/proc/" + each + "/stat").split(')').last().simplified().split(' ').value(1);
        if (contents("/proc/" + parent + "/comm").startsWith("slurmstepd")) processes.push_back({parent.toInt(), true});
    }
    return processes;
}

bool SlurmCluster::killNode(const QString& node) {
    const auto processes = processesOf(node);
    for (const auto& each : processes)
        ::kill(each.id, SIGSTOP);
    // One that had ended before it could be stopped is no longer there.
    const auto left = processesOf(node);
    const auto steps = std::ranges::count_if(left, &Process::is_step);
    if (steps == 0 || std::ranges::count_if(left, [](const auto& each) { return !each.is_step; }) < steps) {
        for (const auto& each : processes)
            ::kill(each.id, SIGCONT);
        return false;
    }
    daemon(node)->kill();
    daemon(node)->waitForFinished();
    for (const bool is_step : {true, false})
        for (const auto& each : left)
            if (each.is_step == is_step) ::kill(each.id, SIGKILL);
    return true;
}

void SlurmCluster::startRequeued() {
    // While the first attempt is still ending the state is another one.
    for (const auto& job : command({"squeue", "-h", "-r", "-o", "%A %T %r"}).out.split('\n'))
        if (job.endsWith(" PENDING BeginTime"))
            command({"scontrol", "update", "JobId=" + job.section(' ', 0, 0), "StartTime=now"});
}

void SlurmCluster::stop() {
    if (daemons_.empty()) return;
    if (daemon("ctld")) {
        command({"scancel", "--me"});
        comes_true(10, [&] { return command({"squeue", "-h"}).out.isEmpty(); });
    }
    while (!daemons_.empty()) {
        auto& process = daemons_.back().second;
        process->terminate();
        if (!process->waitForFinished(2000)) {
            process->kill();
            process->waitForFinished();
        }
        daemons_.pop_back();
    }
}

QString SlurmCluster::said() const {
    QString text;
    for (const auto& [name, process] : daemons_)
        text += name + ": " + QString::fromUtf8(contents(folder_ + "/daemon-" + name).right(1500)) + '\n';
    return text;
}
