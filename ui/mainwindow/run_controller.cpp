// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/run_controller.hpp"

#include "session/data_file.hpp"
#include "session/session.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/compile_request.hpp"
#include "ui/common/machine_link.hpp"
#include "ui/common/run_results.hpp"

#include <algorithm>
#include <utility>

namespace warplight::ui {
namespace {

constexpr int signatureDelayMs = 150;
constexpr int checkDelayMs = 600;
constexpr int graceMs = 500;       ///< for a run to end once it is cancelled
constexpr int graceThereMs = 3000; ///< likewise on another machine

QString stageName(const QString& stage) {
    if (stage == QLatin1String("data")) return RunController::tr("Reading data");
    if (stage == QLatin1String("compile")) return RunController::tr("Compiling");
    if (stage == QLatin1String("load")) return RunController::tr("Loading the kernel");
    if (stage == QLatin1String("run")) return RunController::tr("Running");
    if (stage == QLatin1String("compare")) return RunController::tr("Comparing");
    if (stage == QLatin1String("save")) return RunController::tr("Saving results");
    if (stage == QLatin1String("check")) return RunController::tr("Checking on the software device");
    if (stage == QLatin1String("profile")) return RunController::tr("Profiling on the software device");
    if (stage == QLatin1String("send")) return RunController::tr("Sending");
    if (stage == QLatin1String("fetch")) return RunController::tr("Fetching results");
    if (stage == QLatin1String("warp")) return RunController::tr("Recording the warp");
    return stage;
}

/// The inputs of a compilation besides the source.
std::string compileKey(const session::Session& session) {
    std::string key = session.compile.compiler + '\n' + session.compile.arch + (session.compile.line_info ? "l" : "");
    for (const std::string& option : session.compile.options)
        key += '\n' + option;
    // Instances are made when they are asked for.
    for (const std::string& instance : instancesOf(session))
        key += '\n' + instance;
    return key;
}

} // namespace

RunController::RunController(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {
    signatureTimer_.setSingleShot(true);
    signatureTimer_.setInterval(signatureDelayMs);
    checkTimer_.setSingleShot(true);
    checkTimer_.setInterval(checkDelayMs);
    graceTimer_.setSingleShot(true);
    graceTimer_.setInterval(graceMs);
    connect(&graceTimer_, &QTimer::timeout, this, &RunController::endWorker);
    connect(&signatureTimer_, &QTimer::timeout, this, &RunController::askSignatures);
    connect(&checkTimer_, &QTimer::timeout, this, [this] {
        const CompileOutput& last = workbench_.document().compileOutput();
        const bool wanted = checkWhileTyping_ || (workbench_.document().hasReport() && !last.valid);
        if (wanted && !isRunning()) compile(false);
    });
    Document& document = workbench_.document();
    const auto watchMain = [this] {
        connect(workbench_.document().mainSource(), &SourceFile::textChanged, this, [this] {
            signatureTimer_.start();
            checkTimer_.start();
        });
        signatureTimer_.start(0);
        checkTimer_.start();
        instances_ = {};
        compiled_ = {};
        lostCheck_ = -1;
        whenKnown_ = {};
        ++attempt_;
    };
    connect(&document, &Document::sessionReplaced, this, watchMain);
    connect(&document, &Document::sessionReplaced, this, [this] { workbench_.setFailedAttempt({}); });
    connect(&document, &Document::reportChanged, this, &RunController::dropBuffers);
    connect(&document, &Document::sessionChanged, this, [this] {
        const session::Session& s = workbench_.document().session();
        // A typed instance has the parameters of its template, with the instance's types.
        const bool unasked = std::ranges::any_of(instancesOf(s), [this](const std::string& each) {
            return std::ranges::find(instances_, each) == instances_.end();
        });
        if (unasked) signatureTimer_.start(0);
        // The last output was compiled with other options.
        if (!compiled_.empty() && compileKey(s) != compiled_) checkTimer_.start();
    });
    watchMain();
}

void RunController::askSignatures() {
    signatureTimer_.stop();
    const SourceFile* source = workbench_.document().mainSource();
    if (source->text().trimmed().isEmpty() || workbench_.document().isProgram()) {
        workbench_.document().setKernels({});
        kernelsKnown();
        return;
    }
    nlohmann::json params{{"source", source->text().toStdString()}, {"ptx", source->isPtx()}};
    instances_ = instancesOf(workbench_.document().session());
    if (!instances_.empty()) params["name_expressions"] = instances_;
    const int revision = source->revision();
    asking_ = true;
    workbench_.helper().request(QStringLiteral("signatures"), std::move(params), QStringLiteral("signatures"), this,
                                [this, revision, of = QPointer(source)](const WorkerReply& reply) {
                                    // Another session may be open by now.
                                    const SourceFile* now = workbench_.document().mainSource();
                                    const bool current = now == of && now->revision() == revision;
                                    asking_ = false;
                                    if (reply.ok && current)
                                        workbench_.document().setKernels(
                                            kernelsFromJson(reply.result.value("kernels", nlohmann::json::array())));
                                    if (current || !reply.ok) kernelsKnown();
                                });
}

void RunController::whenKernelsKnown(std::function<void()> then) {
    whenKnown_ = std::move(then);
    if (signatureTimer_.isActive()) askSignatures();
}

void RunController::kernelsKnown() {
    if (const auto then = std::exchange(whenKnown_, {})) then();
}

void RunController::build() { compile(true); }

void RunController::compile(bool asked) {
    Document& document = workbench_.document();
    const SourceFile* source = document.mainSource();
    const int revision = source->revision();
    if (source->text().trimmed().isEmpty() || document.isProgram()) return; // ProgramRunner builds programs
    if (source->isPtx()) {
        CompileOutput output;
        output.valid = output.ok = true;
        output.ptx = source->text();
        output.kernels = document.kernels();
        output.revision = revision;
        document.setCompileOutput(std::move(output));
        if (asked) emit built(true);
        return;
    }
    const session::Session& s = document.session();
    // A check that replaces a build is waited for like the build.
    WorkerConnection& worker = asked || building_ ? workbench_.worker() : workbench_.helper();
    if (asked || building_) buildWorker_ = &worker;
    nlohmann::json params = compileParameters(workbench_, worker);
    params["report"] = true;
    compiled_ = compileKey(s);
    if (asked) {
        building_ = true;
        if (!isRunning()) stopping_ = false;
        emit busyChanged();
        emit progressed(worker.isAtHand() ? tr("Compiling") : tr("Connecting to %1").arg(worker.machine()), -1);
    }
    const auto take = [this, asked, revision, of = QPointer(source), from = &worker](const WorkerReply& reply) {
        const bool announce = asked || (building_ && from == buildWorker_);
        if (announce) building_ = false;
        if (reply.ok) {
            CompileOutput output = compileOutputFromJson(reply.result);
            output.revision = revision;
            const bool ok = output.ok;
            const bool current = of && of == workbench_.document().mainSource();
            if (current) workbench_.document().setCompileOutput(std::move(output));
            if (announce && current) emit built(ok);
        } else if (announce && !stopping_) {
            emit runFailed(reply.error, reply.workerDied);
        } else if (!announce && reply.workerDied) {
            repeatCheck(revision);
        }
        if (announce) emit busyChanged();
    };
    worker.request(QStringLiteral("compile"), std::move(params), QStringLiteral("compile"), this, take, {}, !building_);
}

void RunController::repeatCheck(int revision) {
    // Only once per text: the text itself may end the worker.
    if (std::exchange(lostCheck_, revision) == revision) return;
    connect(
        &workbench_.helper(), &WorkerConnection::restarted, this, [this] { checkTimer_.start(); },
        Qt::SingleShotConnection);
}

worker::RunRequest RunController::request() const {
    const Document& document = workbench_.document();
    worker::RunRequest request{document.session(), {}};
    request.options.folder = session::path_from_utf8(document.folder().toStdString());
    for (const QString& path : agreementsOf(document.folder()))
        request.options.allow.push_back(toPath(path));
    request.options.source_text = document.mainSource()->text().toStdString();
    request.options.session_path = document.path().toStdString();
    return request;
}

void RunController::run(bool overwrite) {
    if (isRunning()) return;
    clock_.start();
    checkTimer_.stop();
    const int revision = workbench_.document().mainSource()->revision();
    asked_ = request();
    asked_.options.overwrite = overwrite;
    asked_.options.warp = std::exchange(recordedWarp_, {}).toStdString();
    stopping_ = false;
    hadInputs_ = false;
    ++attempt_;
    runWorker_ = &workbench_.worker();
    if (runWorker_->isRemote()) asked_.options.device = workbench_.deviceOrdinal();
    asked_.options.keep = session::path_from_utf8(workbench_.runFolder().of(runWorker_->driver()).toStdString());
    runId_ = runWorker_->request(
        QStringLiteral("run"), worker::to_json(asked_), {}, this,
        [this, revision](const WorkerReply& reply) { finishRun(reply, revision); },
        [this](const QString& stage, double fraction, const QString& text) {
            if (stage != QLatin1String("data") && stage != QLatin1String("send")) hadInputs_ = true;
            if (stopping_) return;
            const bool ofFiles = stage == QLatin1String("send") || stage == QLatin1String("fetch");
            emit progressed(text.isEmpty() ? stageName(stage)
                            : ofFiles      ? transferText(text)
                                           : QStringLiteral("%1: %2").arg(stageName(stage), text),
                            fraction);
        });
    emit busyChanged();
    emit progressed(runWorker_->isAtHand() ? tr("Starting") : connectingText(runWorker_->machine()), -1);
    emit runStarted();
}

void RunController::finishRun(const WorkerReply& reply, int revision) {
    const double elapsed = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
    const bool stopping = std::exchange(stopping_, false);
    graceTimer_.stop();
    runId_ = -1;
    emit busyChanged();
    if (!reply.ok) {
        workbench_.setFailedAttempt(stopping           ? tr("The last run was stopped.")
                                    : reply.workerDied ? tr("The last run lost its worker.")
                                                       : tr("The last run did not start."));
        if (stopping)
            emit runStopped(reply.workerDied);
        else
            emit runFailed(reply.workerDied && runWorker_ ? runWorker_->reason() : reply.error, reply.workerDied);
        if (!stopping && reply.workerDied && runWorker_) askInputsOfLostRun();
        return;
    }
    Document& document = workbench_.document();
    try {
        session::Report report = session::report_from_json(reply.result);
        if (report.status == session::Status::cancelled) { // the results of the run before stay
            workbench_.setFailedAttempt(tr("The last run was stopped."));
            emit runStopped(false);
            return;
        }
        workbench_.setFailedAttempt({});
        if (report.machine.empty() && runWorker_) report.machine = runWorker_->machine().toStdString();
        const double overhead = std::max(0.0, elapsed - report.wall_ms);
        enterRun(std::move(report), reply.result, overhead);
    } catch (const std::exception& error) {
        emit runFailed(tr("The worker's report cannot be read: %1").arg(QString::fromUtf8(error.what())), false);
        return;
    }
    // A fault on a GPU poisons its process for good.
    if (reply.result.value("restart_needed", false) && runWorker_) runWorker_->stop();
    emit runFinished();
    // PTX, line table and messages of the kernel that just ran, usually from the cache.
    const CompileOutput& output = document.compileOutput();
    if (output.revision != revision || !output.valid || compileKey(document.session()) != compiled_) compile(false);
}

void RunController::enterRun(session::Report report, const nlohmann::json& result, double overhead) {
    workbench_.setBufferWorker(runWorker_);
    const std::string source = asked_.options.source_text.value_or(std::string());
    workbench_.history().keep(asked_.session, source, report);
    auto made = std::make_shared<session::Session>(asked_.session);
    made->source.text = source;
    auto buffers = std::make_shared<nlohmann::json>(result.value("buffers", nlohmann::json::array()));
    enterBuffers(report, *buffers, runWorker_, workbench_.buffers());
    for (const nlohmann::json& buffer : *buffers)
        entered_.insert(buffer.value("buffer", qint64(-1)));
    workbench_.document().addRun(std::move(report), overhead, std::move(buffers), std::move(made));
}

void RunController::askInputsOfLostRun() {
    if (!hadInputs_) return; // reading the inputs may have ended the worker
    const auto ask = [this, attempt = attempt_] {
        if (attempt != attempt_ || !runWorker_) return;
        worker::RunRequest inputs = asked_;
        inputs.options.lost_because = tr("The worker ended during the run.").toStdString();
        runWorker_->request(QStringLiteral("run"), worker::to_json(inputs), {}, this,
                            [this, attempt](const WorkerReply& reply) {
                                if (!reply.ok || attempt != attempt_ || !runWorker_) return;
                                try {
                                    enterRun(session::report_from_json(reply.result), reply.result, 0);
                                } catch (const std::exception&) {
                                    // The banner has said that there are no results; without inputs there is no more to
                                    // say.
                                }
                            });
    };
    // The connection of the lost worker may not have noticed yet.
    connect(runWorker_, &WorkerConnection::restarted, this, ask, Qt::SingleShotConnection);
}

void RunController::dropBuffers() {
    const QSet<qint64> shown = shownBuffers(shownRuns(workbench_.document().runs()));
    for (const qint64 number : std::as_const(entered_))
        if (!shown.contains(number)) workbench_.buffers().remove(number);
    entered_.intersect(shown);
}

void RunController::stop() {
    if (!isRunning() && !building_) return;
    const bool again = std::exchange(stopping_, true);
    building_ = false;
    if (isRunning() && runWorker_ && !again) {
        runWorker_->cancel(runId_);
        graceTimer_.start(runWorker_->isRemote() ? graceThereMs : graceMs);
        emit progressed(tr("Stopping"), -1);
    } else {
        endWorker();
    }
    emit busyChanged();
}

void RunController::endWorker() {
    graceTimer_.stop();
    if (isRunning() && runWorker_)
        runWorker_->stop();
    else if (buildWorker_)
        buildWorker_->stop();
}

} // namespace warplight::ui
