// SPDX-License-Identifier: Apache-2.0
#include "ssh_server.hpp"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QThread>
#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

const QStringList kFolders = {"/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin", "/bin"};

/// WARPLIGHT_TEST_SSH names a folder with programs that a bundle has brought.
QString program(const QString& name) {
    const QString brought = qEnvironmentVariable("WARPLIGHT_TEST_SSH");
    if (!brought.isEmpty()) return QStandardPaths::findExecutable(name, {brought});
    return QStandardPaths::findExecutable(name, kFolders);
}

QString userName() {
    const passwd* own = getpwuid(geteuid());
    return own ? QString::fromLocal8Bit(own->pw_name) : QString();
}

bool writeFile(const QString& path, const QString& text, mode_t mode = 0600) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0) return false;
    file.close();
    return chmod(path.toLocal8Bit().constData(), mode) == 0;
}

QString readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Quoted for sh.
QString quoted(QString text) { return "'" + text.replace("'", "'\\''") + "'"; }

bool makeKey(const QString& file) {
    return QProcess::execute(program("ssh-keygen"), {"-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", file}) == 0;
}

/// A port of the loopback that nobody has. Somebody may take it before the server does; then another one is tried.
int freePort() {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int port = 0;
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
        getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0)
        port = ntohs(address.sin_port);
    close(listener);
    return port;
}

bool answers(int port) {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool connected = connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    close(client);
    return connected;
}

/// Name and parent of a process; the name is in parentheses and may have any characters.
std::pair<QString, qint64> nameAndParent(const QString& process) {
    const auto text = readFile("/proc/" + process + "/stat");
    const auto begin = text.indexOf('('), end = text.lastIndexOf(')');
    const auto rest = text.mid(end + 2).split(' ');
    return {text.mid(begin + 1, end - begin - 1), rest.size() > 1 ? rest[1].toLongLong() : 0};
}

} // namespace

SshServer::SshServer(SshServerSettings settings)
    : settings_(std::move(settings)), folder_(QDir::tempPath() + "/sshd-XXXXXX") {}

SshServer::~SshServer() {
    stop();
    if (mounted_) QProcess::execute("umount", {"-l", home()});
}

QString SshServer::whyNone() {
    for (const char* each : {"sshd", "ssh", "ssh-keygen"})
        if (program(each).isEmpty()) return QString("%1 is missing: install openssh-server").arg(each);
    const passwd* own = getpwuid(geteuid());
    if (!own) return "this user has no name";
    const QString shell = QString::fromLocal8Bit(own->pw_shell);
    // The server runs every command in it.
    const bool usable = !shell.endsWith("nologin") && !shell.endsWith("false");
    return usable ? QString() : QString("this user may not log in: its shell is %1").arg(shell);
}

QString SshServer::wholePlace(const QString& driver) const {
    return QString("ssh://%1@127.0.0.1:%2/%3").arg(userName()).arg(port_).arg(driver);
}

QString SshServer::log() const { return readFile(folder_.filePath("log")); }

QProcessEnvironment SshServer::environment() const {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("WARPLIGHT_SSH", ssh());
    environment.insert("XDG_RUNTIME_DIR", folder_.filePath("run"));
    environment.insert("XDG_CONFIG_HOME", folder_.filePath("config"));
    for (const char* each : {"WARPLIGHT_ASKPASS", "SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY"})
        environment.remove(each);
    return environment;
}

void SshServer::use() const {
    const auto wanted = environment();
    for (const char* each : {"WARPLIGHT_SSH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"})
        qputenv(each, wanted.value(each).toLocal8Bit());
    for (const char* each : {"WARPLIGHT_ASKPASS", "SSH_AUTH_SOCK", "SSH_ASKPASS", "DISPLAY"})
        qunsetenv(each);
}

QString SshServer::makeFiles() {
    const auto at = [this](const char* name) { return folder_.filePath(name); };
    for (const char* each : {"home", "run", "config"})
        if (!QDir().mkpath(at(each))) return QString("no folder %1").arg(each);
    chmod(at("run").toLocal8Bit().constData(), 0700);
    for (const char* each : {"host_key", "other_key", "client_key"})
        if (!makeKey(at(each))) return "ssh-keygen makes no key";
    const auto user_key = settings_.lets_in ? at("client_key.pub") : at("other_key.pub");
    if (!writeFile(at("authorized_keys"), readFile(user_key))) return "no authorized keys";
    if (!writeFile(at("banner"), settings_.banner)) return "no banner";

    if (settings_.disk > 0 && geteuid() == 0)
        mounted_ = QProcess::execute("mount", {"-t", "tmpfs", "-o", QString("size=%1,mode=0700").arg(settings_.disk),
                                               "warplight-test", home()}) == 0;

    // What runs instead of a command, and then runs the command as the user's shell would.
    QString session = "#!/bin/sh\n";
    session += "unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR\n";
    session += "export PATH=" + quoted(settings_.path) + "\n";
    for (auto each = settings_.environment.begin(); each != settings_.environment.end(); ++each)
        session += "export " + each.key() + "=" + quoted(each.value()) + "\n";
    switch (settings_.home) {
    case SshServerSettings::Home::there:
        session += "export HOME=" + quoted(home()) + " XDG_CACHE_HOME=" + quoted(cache()) + "\n";
        break;
    case SshServerSettings::Home::unset: session += "unset HOME XDG_CACHE_HOME\n"; break;
    case SshServerSettings::Home::missing: // below a file nobody makes a folder, not even root
        session += "unset XDG_CACHE_HOME\nexport HOME=" + quoted(at("banner") + "/home") + "\n";
        break;
    }
    session += "cd \"${HOME:-/}\" 2>/dev/null || cd /\n";
    // Where there is no disk of its own, no file may be larger; in blocks of 512 bytes.
    if (settings_.disk > 0 && !mounted_) session += QString("ulimit -f %1\n").arg(settings_.disk / 512);
    session += settings_.profile + "\n";
    session += "exec " + quoted(settings_.shell) + " -c \"$SSH_ORIGINAL_COMMAND\"\n";
    if (!writeFile(at("session.sh"), session, 0700)) return "no script";

    // The wrapper takes the place of a ~/.ssh/config, which ssh finds without asking for HOME.
    if (!writeFile(ssh(), "#!/bin/sh\nexec " + quoted(program("ssh")) + " -F " + quoted(at("client")) + " \"$@\"\n",
                   0700))
        return "no wrapper of ssh";
    return {};
}

QString SshServer::launch() {
    const auto at = [this](const char* name) { return folder_.filePath(name); };
    port_ = freePort();
    QString server = QString("Port %1\nListenAddress 127.0.0.1\n").arg(port_);
    server += "HostKey " + at("host_key") + "\nAuthorizedKeysFile " + at("authorized_keys") + "\n";
    server += "PidFile none\nUsePAM no\nUseDNS no\nStrictModes no\nPasswordAuthentication no\n"
              "KbdInteractiveAuthentication no\nPermitRootLogin yes\nMaxSessions 100\nMaxStartups 100\n"
              "PrintMotd no\nLogLevel VERBOSE\n";
    server += "ForceCommand exec " + at("session.sh") + "\n";
    if (!settings_.banner.isEmpty()) server += "Banner " + at("banner") + "\n";
    if (!writeFile(at("server"), server)) return "no configuration";

    QString known;
    if (settings_.host_key != SshServerSettings::HostKey::unknown)
        known = QString("[127.0.0.1]:%1 ").arg(port_) + readFile(settings_.host_key == SshServerSettings::HostKey::known
                                                                     ? at("host_key.pub")
                                                                     : at("other_key.pub"));
    if (!writeFile(at("known_hosts"), known)) return "no known hosts";
    QString client = settings_.client_configuration + "\n";
    client += QString("Host lab\n  HostName 127.0.0.1\n  Port %1\n  User %2\n").arg(port_).arg(userName());
    client += "Host *\n  IdentityFile " + at("client_key") + "\n  IdentitiesOnly yes\n  IdentityAgent none\n" +
              "  UserKnownHostsFile " + at("known_hosts") + "\n  GlobalKnownHostsFile /dev/null\n" +
              "  PasswordAuthentication no\n  KbdInteractiveAuthentication no\n";
    if (!writeFile(at("client"), client)) return "no configuration of the client";

    server_.setStandardOutputFile(QProcess::nullDevice());
    server_.setStandardErrorFile(QProcess::nullDevice());
    // It ends with the test, also where that is killed.
    server_.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
    server_.start(program("sshd"), {"-D", "-f", at("server"), "-E", at("log")});
    QElapsedTimer since;
    since.start();
    constexpr int patience = 10000, pause = 10;
    while (since.elapsed() < patience) {
        if (answers(port_)) return {};
        if (server_.waitForFinished(pause) || server_.state() == QProcess::NotRunning)
            return "sshd ended: " + log().right(500);
    }
    return "sshd does not answer";
}

QString SshServer::start() {
    if (!folder_.isValid()) return "no temporary folder";
    if (server_.state() != QProcess::NotRunning) return {};
    if (geteuid() == 0) QDir().mkpath("/run/sshd"); // where sshd locks itself up before it knows anybody
    if (!QFile::exists(ssh()))
        if (auto problem = makeFiles(); !problem.isEmpty()) return problem;
    QString problem;
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i)
        if (problem = launch(); problem.isEmpty()) break;
    return problem;
}

void SshServer::stop() {
    if (server_.state() == QProcess::NotRunning) return;
    thawConnections();
    cutConnections();
    server_.terminate();
    if (server_.waitForFinished(5000)) return;
    server_.kill();
    server_.waitForFinished();
}

QStringList SshServer::processes() const {
    // The server, its children and theirs, as far as they are sshd: what serves a connection, as root and as the user.
    QMap<qint64, QList<qint64>> children;
    const auto names = QDir("/proc").entryList(QDir::Dirs);
    for (const auto& each : names) {
        bool number = false;
        const auto id = each.toLongLong(&number);
        if (!number) continue;
        const auto [name, parent] = nameAndParent(each);
        if (name.startsWith("sshd")) children[parent].append(id);
    }
    QStringList found;
    QList<qint64> next = children.value(server_.processId());
    while (!next.isEmpty()) {
        const auto id = next.takeFirst();
        found.append(QString::number(id));
        next.append(children.value(id));
    }
    return found;
}

int SshServer::connections() const { return static_cast<int>(processes().size()); }

void SshServer::cutConnections() {
    for (const auto& each : processes())
        ::kill(static_cast<pid_t>(each.toLongLong()), SIGKILL);
}

void SshServer::freezeConnections() {
    for (const auto& each : processes())
        ::kill(static_cast<pid_t>(each.toLongLong()), SIGSTOP);
}

void SshServer::thawConnections() {
    for (const auto& each : processes())
        ::kill(static_cast<pid_t>(each.toLongLong()), SIGCONT);
}
