// SPDX-License-Identifier: Apache-2.0
// Programs that nvcc compiles, linked with the shared runtime library: what nvcc's own code calls is what nvcc says.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

class NvccTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// Compiles and runs. Empty, or what went wrong.
    QByteArray run(const QStringList& options, const QStringList& sources, const QString& program,
                   const QStringList& arguments = {}, bool execute = true) {
        QStringList command{"-cudart", "shared", "-gencode", "arch=compute_80,code=compute_80"};
        command += options;
        for (const QString& source : sources)
            command << QString(PROGRAMS) + "/" + source;
        const QString file = folder_.filePath(program);
        command << "-o" << file;
        QProcess compiler;
        compiler.setProcessChannelMode(QProcess::MergedChannels);
        compiler.setWorkingDirectory(folder_.path());
        compiler.start(NVCC, command);
        if (!compiler.waitForFinished(200000) || compiler.exitCode() != 0) return "nvcc: " + compiler.readAll();
        if (!execute) return {};
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(file, arguments);
        if (!process.waitForFinished(100000)) return "no end";
        const QByteArray out = process.readAll();
        if (process.exitStatus() != QProcess::NormalExit) return "a fall: " + out;
        if (process.exitCode() != 0) return "code " + QByteArray::number(process.exitCode()) + ": " + out;
        return out.endsWith("ok\n") ? QByteArray() : "no ok: " + out;
    }

private slots:
    void everyday() { QCOMPARE(run({}, {"everyday.cu"}, "everyday"), ""); }
    void relocatable() { QCOMPARE(run({"-rdc=true"}, {"relocatable.cu", "relocatable_part.cu"}, "relocatable"), ""); }
    void relocatable_with_the_device_library() {
        QCOMPARE(run({"-rdc=true", "-lcudadevrt"}, {"relocatable.cu", "relocatable_part.cu"}, "relocatable_devrt"), "");
    }
    void relocatable_with_code_of_a_gpu() {
        QCOMPARE(run({"-rdc=true", "-gencode", "arch=compute_80,code=sm_80"}, {"relocatable.cu", "relocatable_part.cu"},
                     "relocatable_both"),
                 "");
    }
    void per_thread_streams() {
        QCOMPARE(run({"--default-stream", "per-thread", "-Xcompiler", "-pthread"}, {"threads.cu"}, "threads"), "");
    }
    void plugin() {
        QCOMPARE(run({"-shared", "-Xcompiler", "-fPIC"}, {"plugin.cu"}, "plugin.so", {}, false), "");
        QCOMPARE(run({"-ldl"}, {"plugin_host.cu"}, "plugin_host", {folder_.filePath("plugin.so")}), "");
    }
    void cooperative_and_textures() { QCOMPARE(run({}, {"cooperative.cu"}, "cooperative"), ""); }
};

QTEST_GUILESS_MAIN(NvccTest)
#include "nvcc_test.moc"
