// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/worker_buffer_source.hpp"

#include "ui/common/workbench.hpp"

#include <cmath>
#include <limits>
#include <memory>

namespace warplight::ui {

using nlohmann::json;

namespace {

double number(const json& object, const char* key, double fallback = 0) {
    const auto it = object.find(key);
    return it != object.end() && it->is_number() ? it->get<double>() : fallback;
}

qint64 integer(const json& object, const char* key, qint64 fallback = 0) {
    const auto it = object.find(key);
    return it != object.end() && it->is_number() ? it->get<qint64>() : fallback;
}

QString text(const json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? QString::fromStdString(it->get<std::string>()) : QString();
}

QList<double> numbers(const json& list) {
    QList<double> result;
    result.reserve(qsizetype(list.size()));
    for (const json& value : list)
        result.append(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
    return result;
}

} // namespace

BufferInfo bufferInfoFromJson(const json& object) {
    BufferInfo info;
    info.id = object.at("buffer").get<qint64>();
    info.name = text(object, "name");
    info.bytes = integer(object, "bytes");
    for (const json& length : object.at("shape"))
        info.shape.append(length.get<qint64>());
    info.type = ElementType::fromName(text(object, "dtype"), int(integer(object, "itemsize", 1)));
    return info;
}

WorkerBufferSource::WorkerBufferSource(Workbench& workbench, QObject* parent)
    : BufferSource(parent), workbench_(workbench) {
    connect(&workbench_, &Workbench::bufferWorkerChanged, this, [this] {
        follow();
        emit reset();
    });
    connect(&workbench_, &Workbench::workerChanged, this, &WorkerBufferSource::follow);
    follow();
}

void WorkerBufferSource::follow() {
    WorkerConnection* worker = &workbench_.bufferWorker();
    if (followed_.contains(worker)) return;
    followed_.insert(worker);
    connect(worker, &WorkerConnection::restarted, this, [this, worker] {
        if (worker == &workbench_.bufferWorker()) emit reset();
    });
}

template <class T, class Parse>
BufferSource::Ticket WorkerBufferSource::ask(const char* method, json parameters, QObject* context, Done<T> done,
                                             const Parse& parse) {
    follow();
    auto ticket = std::make_shared<Ticket>(0);
    const QPointer<WorkerBufferSource> self(this);
    const auto reply = [self, ticket, done = std::move(done), parse](const WorkerReply& answer) {
        if (!self || self->cancelled_.remove(*ticket)) return;
        BufferReply<T> result;
        if (!answer.ok) {
            result.error = answer.error.isEmpty() ? tr("The worker could not answer.") : answer.error;
        } else {
            try {
                result.value = parse(answer.result);
            } catch (const json::exception& problem) {
                result.error =
                    tr("The worker's answer is not what was expected: %1").arg(QLatin1String(problem.what()));
            }
        }
        done(result);
    };
    const auto progressed = [self, ticket](const QString&, double fraction, const QString&) {
        if (self) emit self->progress(*ticket, fraction);
    };
    *ticket = Ticket(workbench_.bufferWorker().request(QLatin1String(method), std::move(parameters), {}, context, reply,
                                                       progressed));
    return *ticket;
}

BufferSource::Ticket WorkerBufferSource::open(const QString& path, const QString& type, const QList<qint64>& shape,
                                              qint64 offset, QObject* context, Done<BufferInfo> done) {
    json parameters = {{"path", path.toStdString()}};
    if (!type.isEmpty()) parameters["dtype"] = type.toStdString();
    if (!shape.isEmpty()) parameters["shape"] = std::vector<qint64>(shape.begin(), shape.end());
    if (offset) parameters["offset"] = offset;
    return ask<BufferInfo>("buffer.open", std::move(parameters), context, std::move(done), [path](const json& result) {
        BufferInfo info = bufferInfoFromJson(result);
        info.path = path;
        return info;
    });
}

BufferSource::Ticket WorkerBufferSource::read(qint64 buffer, qint64 offset, qint64 count, QObject* context,
                                              Done<QByteArray> done) {
    return ask<QByteArray>("buffer.read", {{"buffer", buffer}, {"offset", offset}, {"count", count}}, context,
                           std::move(done), [](const json& result) {
                               const auto& data = result.at("data").get_binary();
                               return QByteArray(reinterpret_cast<const char*>(data.data()), qsizetype(data.size()));
                           });
}

BufferSource::Ticket WorkerBufferSource::summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) {
    return ask<BufferSummary>("buffer.summary", {{"buffer", buffer}, {"bins", bins}}, context, std::move(done),
                              [](const json& result) {
                                  BufferSummary summary;
                                  const double none = std::numeric_limits<double>::quiet_NaN();
                                  summary.minimum = number(result, "min", none);
                                  summary.maximum = number(result, "max", none);
                                  summary.mean = number(result, "mean", none);
                                  summary.nan = integer(result, "nan");
                                  summary.infinite = integer(result, "inf");
                                  for (const json& count : result.at("histogram").at("counts"))
                                      summary.histogram.append(count.get<qint64>());
                                  return summary;
                              });
}

BufferSource::Ticket WorkerBufferSource::plot(qint64 buffer, qint64 offset, qint64 count, int points, QObject* context,
                                              Done<BufferPlot> done) {
    return ask<BufferPlot>("buffer.plot",
                           {{"buffer", buffer}, {"offset", offset}, {"count", count}, {"points", points}}, context,
                           std::move(done), [](const json& result) {
                               BufferPlot plot;
                               plot.offset = integer(result, "offset");
                               plot.count = integer(result, "count");
                               plot.minimum = numbers(result.at("min"));
                               plot.maximum = numbers(result.at("max"));
                               return plot;
                           });
}

BufferSource::Ticket WorkerBufferSource::compare(qint64 buffer, qint64 with, double rtol, double atol, QObject* context,
                                                 Done<BufferComparison> done) {
    return ask<BufferComparison>("buffer.compare", {{"buffer", buffer}, {"with", with}, {"rtol", rtol}, {"atol", atol}},
                                 context, std::move(done), [](const json& result) {
                                     BufferComparison comparison;
                                     const double infinite = std::numeric_limits<double>::infinity();
                                     comparison.problem = text(result, "problem");
                                     comparison.elements = integer(result, "elements");
                                     comparison.mismatches = integer(result, "mismatches");
                                     comparison.first = comparison.mismatches ? integer(result, "first", -1) : -1;
                                     comparison.firstActual =
                                         number(result, "first_actual", std::numeric_limits<double>::quiet_NaN());
                                     comparison.firstExpected =
                                         number(result, "first_expected", std::numeric_limits<double>::quiet_NaN());
                                     comparison.largestError = number(result, "largest_absolute_error", infinite);
                                     comparison.largestAt = integer(result, "largest_absolute_at", -1);
                                     comparison.largestRelative = number(result, "largest_relative_error", infinite);
                                     return comparison;
                                 });
}

BufferSource::Ticket WorkerBufferSource::save(qint64 buffer, const QString& path, QObject* context,
                                              Done<QString> done) {
    return ask<QString>("buffer.save", {{"buffer", buffer}, {"path", path.toStdString()}}, context, std::move(done),
                        [](const json& result) { return text(result, "path"); });
}

void WorkerBufferSource::close(qint64 buffer) {
    workbench_.bufferWorker().request("buffer.close", {{"buffer", buffer}}, {}, this, [](const WorkerReply&) {});
}

void WorkerBufferSource::cancel(Ticket ticket) {
    if (!ticket || cancelled_.contains(ticket)) return;
    cancelled_.insert(ticket);
    workbench_.bufferWorker().cancel(int(ticket));
}

} // namespace warplight::ui
