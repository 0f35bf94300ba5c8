// SPDX-License-Identifier: Apache-2.0
// A real SSH server on the loopback, with keys, a configuration and a home folder of its own. Nothing of the user's
// ~/.ssh is read, and nothing of the user's home folder is touched.
#pragma once

#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <cstdint>

struct SshServerSettings {
    enum class HostKey : std::uint8_t {
        known,
        unknown, ///< ssh has never seen it, and may not ask
        other    ///< ssh has seen another one
    };
    enum class Home : std::uint8_t {
        there,
        unset,  ///< HOME is not set
        missing ///< HOME names a folder that is not there, and cannot be made
    };

    HostKey host_key = HostKey::known;
    Home home = Home::there;
    bool lets_in = true;                     ///< false: the key of the client is not known there
    QString banner = {};                     ///< the server sends it before it lets anybody in
    QString profile = {};                    ///< lines of sh that run before each command, as a shell's profile does
    QString shell = "sh";                    ///< the login shell
    std::int64_t disk = 0;                   ///< bytes of the home folder's disk; 0: as many as there are
    QMap<QString, QString> environment = {}; ///< of each command there
    QString path = "/usr/bin:/bin";          ///< PATH there
    QString client_configuration = {};       ///< lines of the client's configuration, before all others
};

class SshServer {
public:
    explicit SshServer(SshServerSettings settings = {});
    ~SshServer();
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;

    /// Why no test can have a server here; empty where one can.
    static QString whyNone();

    /// Empty, or what went wrong.
    QString start();
    void stop();
    /// Ends the connections that there are. The server goes on, and so do programs that left their session.
    void cutConnections();
    /// The connections stay, but nothing goes through them, as when a cable is pulled; and the reverse.
    void freezeConnections();
    void thawConnections();
    int connections() const; ///< processes of the server that serve one

    int port() const { return port_; }
    /// The name in the client's configuration: user, address and port are found there.
    QString alias() const { return "lab"; }
    QString place(const QString& driver = "software") const { return "ssh://lab/" + driver; }
    /// The same without the alias: ssh://USER@127.0.0.1:PORT/DRIVER.
    QString wholePlace(const QString& driver = "software") const;
    /// The program that WARPLIGHT_SSH has to name.
    QString ssh() const { return folder_.filePath("ssh"); }
    /// The home folder of the far user, and the cache there.
    QString home() const { return folder_.filePath("home"); }
    QString cache() const { return folder_.filePath("home/.cache"); }
    /// What the server noted.
    QString log() const;

    /// The environment for a program that is to reach the server.
    QProcessEnvironment environment() const;
    /// Sets it for this process.
    void use() const;

private:
    QString makeFiles();
    QString launch();
    QStringList processes() const; ///< of the server's connections

    SshServerSettings settings_;
    QTemporaryDir folder_;
    QProcess server_;
    int port_ = 0;
    bool mounted_ = false;
};
