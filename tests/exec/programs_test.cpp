// SPDX-License-Identifier: Apache-2.0
// Whole CUDA programs (tests/exec/programs), built by `warplight-cli exec -- nvcc` and run by `warplight-cli exec`.
// Each checks its results against plain C++ and prints PASS. WARPLIGHT_TEST_PROGRAMS=NAME,NAME takes these alone.
#include "exec_environment.hpp"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace {

/// A program, with what the comments at its head ask for.
struct Program {
    QString name, source;
    QStringList files;   ///< of the program
    QStringList plugin;  ///< of a library that it opens
    QStringList options; ///< of nvcc
    QStringList exec;    ///< of `exec`, for both
    QString binary() const { return QString(PROGRAMS_BUILT) + '/' + name; }
};

Program read(const QString& source) {
    Program program;
    program.source = source;
    const QFileInfo info(source);
    program.name = info.fileName() == "main.cu" ? info.dir().dirName() : info.completeBaseName();
    program.files = QStringList{info.fileName()};
    QFile file(source);
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(source));
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        const auto words = [&](const QString& key) -> std::optional<QStringList> {
            const QString begin = "// " + key + ": ";
            if (!line.startsWith(begin)) return std::nullopt;
            return line.mid(begin.size()).split(' ', Qt::SkipEmptyParts);
        };
        if (const auto given = words("build")) program.options = *given;
        if (const auto given = words("exec")) program.exec = *given;
        if (const auto given = words("files")) program.files = *given;
        if (const auto given = words("plugin")) program.plugin = *given;
        if (line.startsWith("#include")) break;
    }
    for (QStringList* files : {&program.files, &program.plugin})
        for (QString& each : *files)
            each = info.dir().filePath(each);
    return program;
}

std::vector<Program> programs() {
    QStringList sources;
    const QDir folder(PROGRAMS);
    for (const QString& name : folder.entryList({"*.cu"}, QDir::Files))
        sources << folder.filePath(name);
    for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        sources << folder.filePath(name + "/main.cu");
    const QStringList wanted = qEnvironmentVariable("WARPLIGHT_TEST_PROGRAMS").split(',', Qt::SkipEmptyParts);
    std::vector<Program> all;
    for (const QString& source : sources) {
        Program program = read(source);
        if (wanted.isEmpty() || wanted.contains(program.name)) all.push_back(std::move(program));
    }
    return all;
}

/// Whether something that a program is made of is newer than the program.
bool is_stale(const Program& program) {
    const QDateTime built = QFileInfo(program.binary()).lastModified();
    if (!built.isValid()) return true;
    QStringList inputs{program.source, QString(PROGRAMS) + "/program.hpp", NVCC_WRAPPER};
    const QDir folder = QFileInfo(program.source).dir();
    if (folder != QDir(PROGRAMS))
        for (const QString& name : folder.entryList(QDir::Files))
            inputs << folder.filePath(name);
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const QString& input) { return QFileInfo(input).lastModified() >= built; });
}

struct Command {
    QString program; ///< whose name
    QStringList arguments;
};

/// Runs them, so many at once as there are processors. What a program's commands said, where one has failed.
QMap<QString, QString> run_all(const std::vector<Command>& commands) {
    QMap<QString, QString> failed;
    std::vector<std::pair<QString, std::unique_ptr<QProcess>>> running;
    const auto most = static_cast<std::size_t>(std::max(1, QThread::idealThreadCount()));
    const auto wait_for_first = [&] {
        auto [name, process] = std::move(running.front());
        running.erase(running.begin());
        const auto result = finish(*process);
        if (result.code != 0) failed[name] += result.all();
    };
    for (const Command& command : commands) {
        if (running.size() == most) wait_for_first();
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(plain_environment());
        process->setWorkingDirectory(PROGRAMS_BUILT);
        process->start(WARPLIGHT_CLI, command.arguments);
        running.emplace_back(command.program, std::move(process));
    }
    while (!running.empty())
        wait_for_first();
    return failed;
}

} // namespace

class ProgramsTest : public QObject {
    Q_OBJECT

    QMap<QString, QString> not_built_;
    std::vector<Program> programs_ = programs();

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("nvcc").isEmpty() && !QFile::exists("/usr/local/cuda/bin/nvcc"))
            QSKIP("there is no nvcc to build the programs with");
        QVERIFY(!programs_.empty());
        QVERIFY(QDir().mkpath(PROGRAMS_BUILT));
        std::vector<Command> commands;
        for (const Program& program : programs_) {
            if (!is_stale(program)) continue;
            QFile::remove(program.binary());
            const auto nvcc = QStringList{"exec"} + program.exec + QStringList{"--", "nvcc"} + program.options;
            commands.push_back({program.name, nvcc + program.files + QStringList{"-o", program.binary()}});
            if (!program.plugin.isEmpty())
                commands.push_back({program.name, nvcc + QStringList{"-shared", "-Xcompiler", "-fPIC"} +
                                                      program.plugin +
                                                      QStringList{"-o", program.binary() + ".plugin.so"}});
        }
        not_built_ = run_all(commands);
    }

    void passes_data() {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < programs_.size(); ++i)
            QTest::newRow(qPrintable(programs_[i].name)) << static_cast<int>(i);
    }
    void passes() {
        QFETCH(int, number);
        const Program& program = programs_[static_cast<std::size_t>(number)];
        QVERIFY2(!not_built_.contains(program.name), qPrintable(not_built_.value(program.name)));
        QProcess process;
        process.setProcessEnvironment(plain_environment());
        process.setWorkingDirectory(PROGRAMS_BUILT);
        process.start(WARPLIGHT_CLI, QStringList{"exec"} + program.exec + QStringList{"--", program.binary()});
        const auto result = finish(process);
        QVERIFY2(result.code == 0 && result.out.endsWith("PASS\n"), qPrintable(result.all()));
        QVERIFY2(!result.err.contains("warplight:"), qPrintable(result.err));
    }
};

QTEST_GUILESS_MAIN(ProgramsTest)
#include "programs_test.moc"
