// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/program_runner.hpp"

#include "compiler/include_scan.hpp"
#include "ui/common/agreements.hpp"
#include "worker/client.hpp"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <exception>
#include <utility>

#ifdef Q_OS_UNIX
#include <csignal>
#include <unistd.h>
#endif

namespace warplight::ui {
namespace {

constexpr int graceMs = 500; ///< for a program to end once it is asked

/// Ends a program with the processes that it has started. Without force it may tidy up.
void end(QProcess& process, bool force) {
#ifdef Q_OS_UNIX
    if (const auto group = static_cast<pid_t>(process.processId()); group > 0)
        ::kill(-group, force ? SIGKILL : SIGTERM);
#else
    Q_UNUSED(force);
    process.kill(); // warplight-cli holds the program in a job
#endif
}

/// What the nvcc of `exec` says, and on Windows `exec` itself.
bool isNvccMissing(const QString& said) {
    return said.contains(QLatin1String("there is no nvcc in PATH")) ||
           said.contains(QLatin1String("nvcc cannot be run"));
}

/// A program takes the first GPU that it sees.
QProcessEnvironment withDevice(const QString& driver, int ordinal) {
    auto environment = QProcessEnvironment::systemEnvironment();
    if (driver != QLatin1String("cuda") || ordinal == 0) return environment;
    const QString name = QStringLiteral("CUDA_VISIBLE_DEVICES");
    const QStringList visible = environment.value(name).split(QLatin1Char(','), Qt::SkipEmptyParts);
    environment.insert(name, visible.value(ordinal, QString::number(ordinal)));
    return environment;
}

} // namespace

ProgramRunner::ProgramRunner(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {
    graceTimer_.setSingleShot(true);
    graceTimer_.setInterval(graceMs);
    connect(&graceTimer_, &QTimer::timeout, this, [this] {
        if (process_) end(*process_, true);
    });
    connect(&workbench_.document(), &Document::sessionReplaced, this, [this] {
        if (isBusy()) drop();
        built_.clear();
    });
}

ProgramRunner::~ProgramRunner() {
    if (process_) {
        process_->disconnect(this);
        end(*process_, true);
        process_->waitForFinished(graceMs);
    }
}

QString ProgramRunner::driver() const {
    // A program of another machine's device is still built here.
    return workbench_.worker().isRemote() ? QStringLiteral("software") : workbench_.worker().driver();
}

QString ProgramRunner::workingFolder() const {
    const Document& document = workbench_.document();
    const auto& program = document.session().program;
    return QDir::cleanPath(
        QDir(document.folder()).absoluteFilePath(program ? QString::fromStdString(program->folder) : QString()));
}

QString ProgramRunner::inputFile() const {
    const Document& document = workbench_.document();
    const auto& program = document.session().program;
    return program && !program->input.empty()
               ? QDir::cleanPath(QDir(document.folder()).absoluteFilePath(QString::fromStdString(program->input)))
               : QString();
}

QString ProgramRunner::program() const {
    const SourceFile* source = workbench_.document().mainSource();
    const bool isOfText = source && source->revision() == revision_ && QFileInfo(program_).isExecutable();
    return isOfText && !isBusy() ? program_ : QString();
}

QString ProgramRunner::file(const QString& name) const {
    return folder_ ? QDir(fromPath(folder_->path())).filePath(name) : QString();
}

QString ProgramRunner::makeFolder() {
    if (folder_) return {};
    try {
        folder_.emplace("program");
        return {};
    } catch (const std::exception& error) {
        return tr("There is no place for the program: %1. Make room in the folder for temporary files.")
            .arg(QString::fromUtf8(error.what()));
    }
}

QString ProgramRunner::problem() {
    if (QString why = makeFolder(); !why.isEmpty()) return why;
    if (const QString machine = workbench_.worker().machine(); !machine.isEmpty())
        return tr("Whole programs run on this machine only, and %1 is chosen. Choose a device of this machine in the "
                  "toolbar.")
            .arg(workbench_.machines().title(machine));
    if (worker::find_worker().empty())
        return tr("warplight-cli, which builds and runs programs, is missing beside Warplight. Install it again.");
    if (!QFileInfo(workingFolder()).isDir())
        return tr("The folder %1, in which the program is to run, does not exist. Choose another one in Launch.")
            .arg(QDir::toNativeSeparators(workingFolder()));
    if (const QString input = inputFile();
        !input.isEmpty() && !(QFileInfo(input).isFile() && QFileInfo(input).isReadable()))
        return tr("The file %1, which the program is to read, cannot be read. Choose another one in Launch.")
            .arg(QDir::toNativeSeparators(input));
    return {};
}

QString ProgramRunner::sourceFolder() const {
    const Document& document = workbench_.document();
    const QString path = document.mainSource()->path();
    return path.isEmpty() ? document.folder() : QFileInfo(path).absolutePath();
}

QByteArray ProgramRunner::buildKey() const {
    const Document& document = workbench_.document();
    const session::Session& s = document.session();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](const std::string& text) {
        hash.addData(QByteArray::number(static_cast<qint64>(text.size())) + ':');
        hash.addData(QByteArray::fromStdString(text));
    };
    const std::string text = document.mainSource()->text().toStdString();
    add(text);
    add(s.compile.arch);
    add(s.compile.line_info ? "lines" : "");
    for (const std::string& option : s.compile.options)
        add(option);
    const auto scan = compiler::scan_includes(text, toPath(sourceFolder()), s.compile.options);
    for (const auto& header : scan.headers)
        add(header.digest);
    // Of what is linked besides nothing is known: it is built anew.
    const bool alone = std::none_of(s.compile.options.begin(), s.compile.options.end(), [](const std::string& option) {
        return !option.starts_with('-') || option.starts_with("-l") || option.starts_with("-L");
    });
    return scan.complete && alone ? hash.result() : QByteArray();
}

void ProgramRunner::setStage(Stage stage) {
    stage_ = stage;
    emit busyChanged();
}

void ProgramRunner::build() {
    if (isBusy()) return;
    runAfterwards_ = false;
    startBuild();
}

void ProgramRunner::run() {
    if (isBusy()) return;
    if (const QString why = problem(); !why.isEmpty()) return emit failed(why);
    runAfterwards_ = true;
    if (!built_.isEmpty() && built_ == buildKey() && QFileInfo(program_).isExecutable())
        startRun();
    else
        startBuild();
}

void ProgramRunner::start(const QStringList& arguments, const QString& folder, const QString& input) {
    process_ = std::make_unique<QProcess>();
    process_->setWorkingDirectory(folder);
    process_->setProcessEnvironment(withDevice(driver(), workbench_.deviceOrdinal()));
    if (!input.isEmpty()) process_->setStandardInputFile(input);
#ifdef Q_OS_UNIX
    // A group of its own, which ends as a whole.
    process_->setChildProcessModifier([] { ::setpgid(0, 0); });
#endif
    connect(process_.get(), &QProcess::readyReadStandardOutput, this, &ProgramRunner::readOutput);
    connect(process_.get(), &QProcess::readyReadStandardError, this, &ProgramRunner::readOutput);
    connect(process_.get(), &QProcess::finished, this, [this](int exitCode, QProcess::ExitStatus status) {
        readOutput();
        graceTimer_.stop();
        if (isBuilding())
            finishBuild(status == QProcess::NormalExit ? exitCode : -1);
        else
            finishRun(exitCode, status);
    });
    connect(process_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        const QString why = process_->errorString();
        drop();
        emit failed(tr("warplight-cli cannot be started: %1").arg(why));
    });
    out_ = QStringDecoder(QStringDecoder::Utf8);
    err_ = QStringDecoder(QStringDecoder::Utf8);
    stopping_ = false;
    clock_.start();
    process_->start(fromPath(worker::find_worker()), arguments);
}

void ProgramRunner::drop() {
    if (process_) {
        process_->disconnect(this);
        end(*process_, true);
        process_.release()->deleteLater();
    }
    graceTimer_.stop();
    inputOpen_ = false;
    setStage(Stage::Idle);
}

void ProgramRunner::startBuild() {
    const Document& document = workbench_.document();
    const SourceFile* source = document.mainSource();
    const session::Session& s = document.session();
    if (const QString why = problem(); !why.isEmpty()) return emit failed(why);
    // nvcc reads the text of the window, which may not be saved, as a copy in a folder that it has for itself.
    copy_ = file(source->name());
    program_ = file(QStringLiteral("program-") + QFileInfo(source->name()).completeBaseName());
#ifdef Q_OS_WIN
    program_ += QStringLiteral(".exe");
#endif
    const QByteArray text = source->text().toUtf8();
    QFile copy(copy_);
    if (!copy.open(QIODevice::WriteOnly) || copy.write(text) != text.size() || !copy.flush())
        return emit failed(tr("The source cannot be written to %1: %2").arg(copy_, copy.errorString()));
    copy.close();
    QFile::remove(program_);
    asked_ = buildKey();
    built_.clear();
    revision_ = source->revision();
    said_.clear();
    QStringList arguments{QStringLiteral("exec"), QStringLiteral("--"), QStringLiteral("nvcc")};
    if (s.compile.line_info) arguments << QStringLiteral("-lineinfo");
    if (s.compile.arch != "auto") arguments << QStringLiteral("-arch=") + QString::fromStdString(s.compile.arch);
    arguments << QStringLiteral("-I") << sourceFolder();
    for (const std::string& option : s.compile.options)
        arguments << QString::fromStdString(option);
    arguments << QStringLiteral("-o") << program_ << copy_;
    setStage(Stage::Building);
    emit progressed(tr("Building with nvcc"));
    start(arguments, document.folder(), QProcess::nullDevice());
}

void ProgramRunner::finishBuild(int exitCode) {
    process_.release()->deleteLater();
    const bool stopped = std::exchange(stopping_, false);
    setStage(Stage::Idle);
    if (stopped) return;
    if (isNvccMissing(said_)) return emit nvccMissing();
    CompileOutput output;
    output.valid = true;
    output.ok = exitCode == 0;
    output.log = withOwnName(said_);
    output.diagnostics = compiler::parse_diagnostics(output.log.toStdString());
    output.ms = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
    output.compiler = QStringLiteral("nvcc");
    output.arch = QString::fromStdString(workbench_.document().session().compile.arch);
    if (output.arch == QLatin1String("auto")) output.arch.clear();
    output.revision = revision_;
    const bool ok = output.ok;
    if (ok) built_ = asked_;
    workbench_.document().setCompileOutput(std::move(output));
    emit built(ok);
    if (ok && std::exchange(runAfterwards_, false)) startRun();
}

void ProgramRunner::startRun() {
    const session::Session& s = workbench_.document().session();
    const session::Program program = s.program.value_or(session::Program{});
    runAfterwards_ = false;
    QStringList arguments{QStringLiteral("exec"),           QStringLiteral("--device"),       driver(),
                          QStringLiteral("--log-launches"), file(QStringLiteral("launches")), QStringLiteral("--")};
#ifdef Q_OS_UNIX
    // A program that writes to a pipe keeps its lines back until there are many.
    if (const QString lines = QStandardPaths::findExecutable(QStringLiteral("stdbuf")); !lines.isEmpty()) {
        arguments << lines << QStringLiteral("-oL");
        // Reading without a buffer writes a question first that has no line's end.
        if (program.input.empty()) arguments << QStringLiteral("-i0");
    }
#endif
    arguments << program_;
    for (const std::string& argument : program.arguments)
        arguments << QString::fromStdString(argument);
    setStage(Stage::Running);
    emit progressed(tr("Running"));
    emit runStarted();
    inputOpen_ = program.input.empty();
    start(arguments, workingFolder(), inputFile());
    if (isRunning()) emit busyChanged(); // it takes input now
}

void ProgramRunner::readOutput() {
    const QByteArray out = process_->readAllStandardOutput(), err = process_->readAllStandardError();
    const QString outText = out_(out), errText = err_(err);
    if (isBuilding()) {
        said_ += outText + errText;
        return;
    }
    if (!outText.isEmpty()) emit output(false, withOwnName(outText));
    if (!errText.isEmpty()) emit output(true, withOwnName(errText));
}

QString ProgramRunner::withOwnName(QString text) const {
    const QString path = workbench_.document().mainSource()->path();
    return text.replace(copy_, path.isEmpty() ? workbench_.document().mainSource()->name() : path);
}

ProgramRun ProgramRunner::readLog() const {
    ProgramRun run;
    QFile log(file(QStringLiteral("launches")));
    if (!log.open(QIODevice::ReadOnly)) return run;
    std::uint64_t inLog = 0, counted = 0;
    while (!log.atEnd()) {
        const QByteArray line = log.readLine();
        const auto event = launch_log::from_line({line.constData(), static_cast<std::size_t>(line.size())});
        if (!event) continue;
        if (const auto* launch = std::get_if<launch_log::Launch>(&*event)) {
            ++inLog;
            run.launches.push_back(*launch);
        } else if (const auto* fault = std::get_if<launch_log::Fault>(&*event)) {
            run.faults.push_back(withOwnName(QString::fromStdString(fault->message)));
        } else if (const auto* last = std::get_if<launch_log::End>(&*event)) {
            counted += last->launches;
            run.unfinished += last->unfinished;
            run.copies.insert(run.copies.end(), last->copies.begin(), last->copies.end());
            run.memory.insert(run.memory.end(), last->memory.begin(), last->memory.end());
        }
    }
    run.launchCount = std::max(inLog, counted);
    return run;
}

void ProgramRunner::finishRun(int exitCode, QProcess::ExitStatus status) {
    process_.release()->deleteLater();
    ProgramRun run = readLog();
    run.name = QFileInfo(workbench_.document().mainSource()->name()).completeBaseName();
    run.driver = driver();
    run.ms = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
    run.exitCode = status == QProcess::NormalExit ? exitCode : 0;
    run.signal = status == QProcess::NormalExit ? 0 : exitCode;
    run.stopped = std::exchange(stopping_, false);
    inputOpen_ = false;
    setStage(Stage::Idle);
    emit runFinished(run);
}

void ProgramRunner::stop() {
    if (!isBusy() || !process_) return;
    runAfterwards_ = false;
    const bool again = std::exchange(stopping_, true);
    end(*process_, again);
    graceTimer_.start();
    emit progressed(tr("Stopping"));
}

void ProgramRunner::write(const QString& text) {
    if (takesInput() && process_) process_->write(text.toUtf8());
}

void ProgramRunner::endInput() {
    if (!takesInput() || !process_) return;
    process_->closeWriteChannel();
    inputOpen_ = false;
    emit busyChanged();
}

} // namespace warplight::ui
