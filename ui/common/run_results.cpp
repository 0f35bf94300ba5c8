// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_results.hpp"

#include "ui/common/buffer_registry.hpp"
#include "ui/common/format.hpp"
#include "ui/common/worker_connection.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplight::ui {
namespace {

bool hasBuffers(const std::vector<session::ReportOutput>& arrays) {
    return std::any_of(arrays.begin(), arrays.end(), [](const auto& array) { return array.buffer.has_value(); });
}

bool hasResults(const session::Report& report) { return session::has_run(report.status) || hasBuffers(report.outputs); }

} // namespace

ShownRuns shownRuns(const std::vector<RunRecord>& runs) {
    ShownRuns shown;
    if (runs.empty()) return shown;
    const auto results =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord& run) { return hasResults(run.report); });
    if (results != runs.rend()) shown.results = &*results;
    const RunRecord& last = runs.back();
    if (&last != shown.results && hasBuffers(last.report.inputs)) shown.failed = &last;
    return shown;
}

QString runTitle(const RunRecord& run) {
    const QString time = run.when.toString(QStringLiteral("HH:mm"));
    if (const std::string& machine = run.report.machine; !machine.empty())
        return QCoreApplication::translate("RunResults", "Run %1, %2, on %3")
            .arg(QString::number(run.number), time, QString::fromStdString(machine));
    return QCoreApplication::translate("RunResults", "Run %1, %2").arg(run.number).arg(time);
}

void enterBuffers(session::Report& report, nlohmann::json& buffers, WorkerConnection* worker,
                  BufferRegistry& registry) {
    QHash<qint64, qint64> numbers;
    for (nlohmann::json& buffer : buffers) {
        const auto id = buffer.value("buffer", qint64(-1));
        if (id < 0) continue;
        BufferRegistry::Origin origin;
        if (worker && worker->isRemote()) origin.only = worker;
        origin.path = QString::fromStdString(buffer.value("kept", std::string()));
        const QString name = QString::fromStdString(buffer.value("name", std::string()));
        const QString size = formatBytes(buffer.value("bytes", quint64(0)));
        origin.lost =
            origin.path.isEmpty()
                ? QCoreApplication::translate("RunResults",
                                              "%1 (%2) went with its worker: it was too large to be kept on the disk. "
                                              "Run again to have it.")
                      .arg(name, size)
                : QCoreApplication::translate("RunResults", "%1 (%2) went with its worker, before it could be kept on "
                                                            "the disk. Run again to have it.")
                      .arg(name, size);
        const qint64 number = registry.add(worker, id, origin);
        numbers.insert(id, number);
        buffer["buffer"] = number;
    }
    for (auto* list : {&report.inputs, &report.outputs})
        for (session::ReportOutput& each : *list)
            if (each.buffer) each.buffer = numbers.value(*each.buffer, -1);
    for (session::Comparison& each : report.comparisons)
        if (each.buffer) each.buffer = numbers.value(*each.buffer, -1);
    if (report.pipeline && report.pipeline->frames)
        if (auto& buffer = report.pipeline->frames->buffer) buffer = numbers.value(*buffer, -1);
}

QSet<qint64> shownBuffers(const ShownRuns& runs) {
    QSet<qint64> numbers;
    for (const RunRecord* run : {runs.results, runs.failed}) {
        if (!run) continue;
        for (const auto* list : {&run->report.inputs, &run->report.outputs})
            for (const session::ReportOutput& each : *list)
                if (each.buffer) numbers.insert(*each.buffer);
        for (const session::Comparison& each : run->report.comparisons)
            if (each.buffer) numbers.insert(*each.buffer);
        if (const auto& pipeline = run->report.pipeline; pipeline && pipeline->frames && pipeline->frames->buffer)
            numbers.insert(*pipeline->frames->buffer);
    }
    return numbers;
}

} // namespace warplight::ui
