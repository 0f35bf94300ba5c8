// SPDX-License-Identifier: Apache-2.0
// How the tests of `warplight-cli exec` start it.
#pragma once

#include "../finished_process.hpp"

#include <QFile>
#include <QProcess>
#include <QTest>

/// Without what the test itself was told about the software device.
inline QProcessEnvironment plain_environment() {
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto& name : environment.keys())
        if (name.startsWith("WARPLIGHT_SOFTWARE_")) environment.remove(name);
    environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", SOFTWARE_DRIVER);
    return environment;
}

inline Result cli(const QStringList& arguments, const QProcessEnvironment& environment = plain_environment(),
                  const QString& folder = {}) {
    QProcess process;
    process.setProcessEnvironment(environment);
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(WARPLIGHT_CLI, arguments);
    return finish(process);
}

inline void write_file(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

inline void write_script(const QString& path, const QByteArray& text) {
    write_file(path, text);
    QVERIFY(QFile::setPermissions(path, QFile::permissions(path) | QFile::ExeOwner));
}
