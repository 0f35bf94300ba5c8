// SPDX-License-Identifier: Apache-2.0
// What a program that a test started left behind.
#pragma once

#include <QProcess>

struct Result {
    int code = -1; ///< -1: ended by a signal, or not at all
    QString out, err;
    QString all() const { return out + err; }
};

inline Result finish(QProcess& process) {
    Result result;
    if (!process.waitForFinished(120000)) {
        process.kill();
        process.waitForFinished();
        result.err = "did not end: " + process.errorString();
    } else if (process.exitStatus() == QProcess::NormalExit) {
        result.code = process.exitCode();
    }
    // Programs for Windows end their lines in their system's way.
    const auto text = [](const QByteArray& bytes) { return QString::fromUtf8(bytes).replace("\r\n", "\n"); };
    result.out = text(process.readAllStandardOutput());
    result.err += text(process.readAllStandardError());
    return result;
}
