// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/worker_buffer_source.hpp"

#include "session/data_file.hpp"
#include "ui/common/workbench.hpp"

#include <QPointer>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

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

/// A worker that ran a kernel may send anything: a field that reaches out of its struct is left out.
QList<BufferField> fieldsFromJson(const json& object, qint64 itemsize) {
    QList<BufferField> fields;
    const auto list = object.find("fields");
    if (list == object.end()) return fields;
    for (const json& each : *list) {
        BufferField field;
        field.name = text(each, "name");
        field.type = ElementType::fromName(text(each, "dtype"), int(integer(each, "itemsize", 1)));
        field.offset = integer(each, "offset");
        field.bigEndian = each.value("big_endian", false);
        for (const json& length : each.at("shape"))
            field.shape.append(length.get<qint64>());
        for (const json& stride : each.at("strides"))
            field.strides.append(stride.get<qint64>());
        bool fits = field.offset >= 0 && field.offset <= itemsize && field.type.size <= itemsize - field.offset &&
                    field.shape.size() == field.strides.size();
        qint64 end = fits ? field.offset + field.type.size : 0;
        qint64 elements = 1;
        for (qsizetype axis = 0; fits && axis < field.shape.size(); ++axis) {
            const qint64 length = field.shape[axis], stride = field.strides[axis];
            fits = length >= 0 && stride >= 0 && length <= itemsize && stride <= itemsize;
            if (!fits) break;
            end += std::max<qint64>(0, length - 1) * stride;
            elements *= length;
            fits = end <= itemsize && elements <= itemsize;
        }
        if (fits) fields.append(field);
    }
    return fields;
}

/// Replaces the target by the file, also across disks. Returns the problem.
QString moveFile(const std::filesystem::path& file, const std::filesystem::path& target) {
    std::error_code problem;
    std::filesystem::rename(file, target, problem);
    if (!problem) return {};
    std::filesystem::copy_file(file, target, std::filesystem::copy_options::overwrite_existing, problem);
    const QString text = problem ? QString::fromStdString(problem.message()) : QString();
    std::filesystem::remove(file, problem);
    return text.isEmpty() ? text : WorkerBufferSource::tr("The buffer cannot be saved there: %1.").arg(text);
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
    info.fields = fieldsFromJson(object, info.type.size);
    info.rate = int(integer(object, "rate"));
    return info;
}

struct WorkerBufferSource::Job {
    Ticket ticket = 0;
    const char* method = "";
    json parameters;
    Places buffers;
    QPointer<QObject> context;
    std::function<void(const WorkerReply&, WorkerConnection*)> done;
    QPointer<WorkerConnection> worker;
    int request = -1;
    int tries = 0;
};

WorkerBufferSource::WorkerBufferSource(Workbench& workbench, QObject* parent)
    : BufferSource(parent), workbench_(workbench) {}

template <class T, class Parse>
BufferSource::Ticket WorkerBufferSource::ask(const char* method, json parameters, const Places& buffers,
                                             QObject* context, Done<T> done, const Parse& parse) {
    auto job = std::make_shared<Job>();
    job->ticket = ++last_;
    job->method = method;
    job->parameters = std::move(parameters);
    job->buffers = buffers;
    job->context = context;
    job->done = [done = std::move(done), parse](const WorkerReply& answer, WorkerConnection* worker) {
        BufferReply<T> result;
        if (!answer.ok) {
            result.error =
                answer.error.isEmpty() ? WorkerBufferSource::tr("The worker could not answer.") : answer.error;
        } else {
            try {
                if constexpr (std::is_invocable_v<Parse, const json&, WorkerConnection*>)
                    result.value = parse(answer.result, worker);
                else
                    result.value = parse(answer.result);
            } catch (const std::exception& problem) {
                result.error = WorkerBufferSource::tr("The worker's answer is not what was expected: %1")
                                   .arg(QLatin1String(problem.what()));
            }
        }
        done(result);
    };
    jobs_.insert(job->ticket, job);
    start(job);
    return job->ticket;
}

void WorkerBufferSource::start(const std::shared_ptr<Job>& job) {
    QString problem;
    QList<qint64> numbers;
    for (const auto& [name, number] : std::as_const(job->buffers))
        numbers << number;
    WorkerConnection* reader = &workbench_.bufferWorker();
    if (reader->isRemote()) reader = workbench_.worker(QStringLiteral("software")); // files lie here
    job->worker = numbers.isEmpty() ? reader : workbench_.buffers().workerOf(numbers, &problem);
    if (job->worker) {
        findBuffers(job, 0);
        return;
    }
    WorkerReply reply;
    reply.error = problem;
    finish(job, reply);
}

void WorkerBufferSource::findBuffers(const std::shared_ptr<Job>& job, qsizetype from) {
    if (from == job->buffers.size()) {
        send(job);
        return;
    }
    const auto& [name, number] = job->buffers[from];
    workbench_.buffers().find(number, job->worker, this,
                              [this, job, from, name = name](qint64 id, const QString& problem) {
                                  if (!jobs_.contains(job->ticket)) return; // cancelled
                                  if (id >= 0) {
                                      if (*name)
                                          job->parameters[name] = id;
                                      else
                                          job->parameters["arrays"].push_back(id);
                                      findBuffers(job, from + 1);
                                      return;
                                  }
                                  WorkerReply reply;
                                  reply.error = problem;
                                  if (problem.isEmpty()) // the worker ended meanwhile
                                      retry(job, reply);
                                  else
                                      finish(job, reply);
                              });
}

void WorkerBufferSource::send(const std::shared_ptr<Job>& job) {
    const int generation = job->worker->generation();
    job->request = job->worker->request(
        QLatin1String(job->method), job->parameters, {}, this,
        [this, job, generation](const WorkerReply& reply) {
            if (!jobs_.contains(job->ticket)) return;
            const bool lost = reply.workerDied || (job->worker && job->worker->generation() != generation);
            if (!reply.ok && lost)
                retry(job, reply);
            else
                finish(job, reply);
        },
        [this, job](const QString&, double fraction, const QString&) {
            if (jobs_.contains(job->ticket)) emit progress(job->ticket, fraction);
        });
}

/// Only once: a request that ends every worker must not be repeated for ever.
void WorkerBufferSource::retry(const std::shared_ptr<Job>& job, const WorkerReply& reply) {
    if (++job->tries > 1) {
        finish(job, reply);
        return;
    }
    job->request = -1;
    job->parameters.erase("arrays");
    for (const auto& [name, number] : std::as_const(job->buffers))
        workbench_.buffers().forget(number, job->worker);
    start(job);
}

/// Answers later, as all requests do.
void WorkerBufferSource::finish(const std::shared_ptr<Job>& job, const WorkerReply& reply) {
    QMetaObject::invokeMethod(
        this,
        [this, job, reply] {
            if (jobs_.remove(job->ticket) && job->context) job->done(reply, job->worker);
        },
        Qt::QueuedConnection);
}

BufferSource::Ticket WorkerBufferSource::open(const QString& path, const QString& type, const QList<qint64>& shape,
                                              qint64 offset, QObject* context, Done<BufferInfo> done) {
    json parameters = {{"path", path.toStdString()}};
    if (!type.isEmpty()) parameters["dtype"] = type.toStdString();
    if (!shape.isEmpty()) parameters["shape"] = std::vector<qint64>(shape.begin(), shape.end());
    if (offset) parameters["offset"] = offset;
    return ask<BufferInfo>("buffer.open", std::move(parameters), {}, context, std::move(done),
                           [this, path, type, shape, offset](const json& result, WorkerConnection* worker) {
                               BufferInfo info = bufferInfoFromJson(result);
                               info.id = workbench_.buffers().add(worker, info.id, {path, type, shape, offset, {}});
                               info.path = path;
                               return info;
                           });
}

BufferSource::Ticket WorkerBufferSource::members(const QString& path, QObject* context,
                                                 Done<QList<ContainerMember>> done) {
    workbench_.fileReader().list(path, context,
                                 [done = std::move(done)](const QList<ContainerMember>& members,
                                                          const QString& problem) { done({members, problem}); });
    return 0;
}

BufferSource::Ticket WorkerBufferSource::openMember(const QString& path, const QString& member, QObject* context,
                                                    Done<BufferInfo> done) {
    return ask<BufferInfo>("buffer.open", {{"path", path.toStdString()}, {"member", member.toStdString()}}, {}, context,
                           std::move(done), [this, path, member](const json& result, WorkerConnection* worker) {
                               BufferInfo info = bufferInfoFromJson(result);
                               BufferRegistry::Origin origin;
                               origin.path = path;
                               origin.member = member;
                               info.id = workbench_.buffers().add(worker, info.id, origin);
                               info.path = path;
                               return info;
                           });
}

BufferSource::Ticket WorkerBufferSource::read(qint64 buffer, qint64 offset, qint64 count, QObject* context,
                                              Done<QByteArray> done) {
    return ask<QByteArray>("buffer.read", {{"offset", offset}, {"count", count}}, {{"buffer", buffer}}, context,
                           std::move(done), [](const json& result) {
                               const auto& data = result.at("data").get_binary();
                               return QByteArray(reinterpret_cast<const char*>(data.data()), qsizetype(data.size()));
                           });
}

BufferSource::Ticket WorkerBufferSource::summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) {
    return ask<BufferSummary>("buffer.summary", {{"bins", bins}}, {{"buffer", buffer}}, context, std::move(done),
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
    return ask<BufferPlot>("buffer.plot", {{"offset", offset}, {"count", count}, {"points", points}},
                           {{"buffer", buffer}}, context, std::move(done), [](const json& result) {
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
    return ask<BufferComparison>(
        "buffer.compare", {{"rtol", rtol}, {"atol", atol}}, {{"buffer", buffer}, {"with", with}}, context,
        std::move(done), [](const json& result) {
            BufferComparison comparison;
            const double infinite = std::numeric_limits<double>::infinity();
            comparison.problem = text(result, "problem");
            comparison.elements = integer(result, "elements");
            comparison.mismatches = integer(result, "mismatches");
            comparison.first = comparison.mismatches ? integer(result, "first", -1) : -1;
            comparison.firstField = text(result, "first_field");
            comparison.firstActual = number(result, "first_actual", std::numeric_limits<double>::quiet_NaN());
            comparison.firstExpected = number(result, "first_expected", std::numeric_limits<double>::quiet_NaN());
            comparison.largestError = number(result, "largest_absolute_error", infinite);
            comparison.largestAt = integer(result, "largest_absolute_at", -1);
            comparison.largestRelative = number(result, "largest_relative_error", infinite);
            return comparison;
        });
}

BufferSource::Ticket WorkerBufferSource::derive(json parameters, const Places& buffers, QObject* context,
                                                Done<BufferInfo> done) {
    return ask<BufferInfo>("buffer.derive", std::move(parameters), buffers, context, std::move(done),
                           [this](const json& result, WorkerConnection* worker) {
                               BufferInfo info = bufferInfoFromJson(result);
                               const QString lost =
                                   tr("What was computed went with its worker. Choose the buffer again.");
                               info.id = workbench_.buffers().add(worker, info.id, {{}, {}, {}, 0, lost});
                               return info;
                           });
}

BufferSource::Ticket WorkerBufferSource::slice(qint64 buffer, const BufferSlice& slice, QObject* context,
                                               Done<BufferInfo> done) {
    json axes = json::array();
    for (const BufferSlice::Axis& each : slice.axes) {
        json axis = {{"axis", each.axis}, {"start", each.start}};
        if (each.count >= 0) axis["count"] = each.count; // else the rest of the axis
        axes.push_back(std::move(axis));
    }
    return derive({{"kind", "slice"},
                   {"axes", std::move(axes)},
                   {"index", std::vector<qint64>(slice.index.begin(), slice.index.end())}},
                  {{"buffer", buffer}}, context, std::move(done));
}

BufferSource::Ticket WorkerBufferSource::complexPart(qint64 buffer, ComplexPart part, QObject* context,
                                                     Done<BufferInfo> done) {
    static constexpr const char* names[] = {"both", "real", "imaginary", "magnitude", "phase"};
    return derive({{"kind", "complex"}, {"part", names[int(part)]}}, {{"buffer", buffer}}, context, std::move(done));
}

BufferSource::Ticket WorkerBufferSource::field(qint64 buffer, const QString& name, const QList<qint64>& index,
                                               QObject* context, Done<BufferInfo> done) {
    return derive(
        {{"kind", "field"}, {"field", name.toStdString()}, {"index", std::vector<qint64>(index.begin(), index.end())}},
        {{"buffer", buffer}}, context, std::move(done));
}

BufferSource::Ticket WorkerBufferSource::fields(qint64 buffer, QObject* context, Done<QList<BufferField>> done) {
    return ask<QList<BufferField>>("buffer.info", json::object(), {{"buffer", buffer}}, context, std::move(done),
                                   [](const json& result) { return bufferInfoFromJson(result).fields; });
}

BufferSource::Ticket WorkerBufferSource::formula(qint64 like, const QString& expression,
                                                 const QList<QPair<QString, qint64>>& arrays,
                                                 const QHash<QString, double>& scalars, QObject* context,
                                                 Done<BufferInfo> done) {
    json names = json::array(), values = json::object();
    Places places{{"buffer", like}};
    for (const auto& [name, buffer] : arrays) {
        names.push_back(name.toStdString());
        places.append({"", buffer});
    }
    for (auto it = scalars.cbegin(); it != scalars.cend(); ++it)
        values[it.key().toStdString()] = it.value();
    json parameters = {{"kind", "formula"},
                       {"expression", expression.toStdString()},
                       {"names", std::move(names)},
                       {"scalars", std::move(values)}};
    if (arrays.isEmpty()) parameters["arrays"] = json::array();
    return derive(std::move(parameters), places, context, std::move(done));
}

BufferSource::Ticket WorkerBufferSource::columns(const QList<qint64>& buffers, QObject* context,
                                                 Done<BufferInfo> done) {
    Places places;
    for (const qint64 buffer : buffers)
        places.append({"", buffer});
    return derive({{"kind", "columns"}}, places, context, std::move(done));
}

BufferSource::Ticket WorkerBufferSource::histogram(qint64 buffer, int bins, const HistogramRange& range,
                                                   QObject* context, Done<BufferHistogram> done) {
    json parameters = {{"bins", bins}};
    if (range.isValues()) {
        parameters["low"] = range.low;
        parameters["high"] = range.high;
    } else {
        parameters["low_percent"] = range.lowPercent;
        parameters["high_percent"] = range.highPercent;
    }
    return ask<BufferHistogram>("buffer.histogram", std::move(parameters), {{"buffer", buffer}}, context,
                                std::move(done), [](const json& result) {
                                    BufferHistogram histogram;
                                    const double none = std::numeric_limits<double>::quiet_NaN();
                                    histogram.minimum = number(result, "min", none);
                                    histogram.maximum = number(result, "max", none);
                                    histogram.low = number(result, "low");
                                    histogram.high = number(result, "high");
                                    histogram.elements = integer(result, "elements");
                                    histogram.nan = integer(result, "nan");
                                    histogram.infinite =
                                        integer(result, "positive_inf") + integer(result, "negative_inf");
                                    histogram.below = integer(result, "below");
                                    histogram.above = integer(result, "above");
                                    for (const json& count : result.at("counts"))
                                        histogram.counts.append(count.get<qint64>());
                                    return histogram;
                                });
}

BufferSource::Ticket WorkerBufferSource::scatter(qint64 x, qint64 y, const ScatterGrid& grid, QObject* context,
                                                 Done<BufferDensity> done) {
    json parameters = {{"columns", grid.columns}, {"rows", grid.rows}, {"points", grid.mostPoints}};
    if (grid.isPart()) {
        parameters["x_low"] = grid.xLow;
        parameters["x_high"] = grid.xHigh;
        parameters["y_low"] = grid.yLow;
        parameters["y_high"] = grid.yHigh;
    }
    return ask<BufferDensity>(
        "buffer.scatter", std::move(parameters), {{"buffer", x}, {"with", y}}, context, std::move(done),
        [](const json& result) {
            BufferDensity density;
            density.xLow = number(result, "x_low");
            density.xHigh = number(result, "x_high", 1);
            density.yLow = number(result, "y_low");
            density.yHigh = number(result, "y_high", 1);
            density.columns = int(integer(result, "columns"));
            density.rows = int(integer(result, "rows"));
            density.pairs = integer(result, "pairs");
            density.notFinite = integer(result, "not_finite");
            density.outside = integer(result, "outside");
            const auto& counts = result.at("counts").get_binary();
            density.counts.resize(qsizetype(counts.size() / sizeof(quint32)));
            if (!counts.empty())
                std::memcpy(density.counts.data(), counts.data(), size_t(density.counts.size()) * sizeof(quint32));
            const auto& points = result.at("points").get_binary();
            const size_t pairs = points.size() / (2 * sizeof(double));
            density.points.reserve(qsizetype(pairs));
            for (size_t i = 0; i < pairs; ++i) {
                double place[2];
                std::memcpy(place, points.data() + i * sizeof place, sizeof place);
                density.points.append(QPointF(place[0], place[1]));
            }
            const auto& indices = result.at("indices").get_binary();
            density.indices.resize(qsizetype(indices.size() / sizeof(qint64)));
            if (!indices.empty())
                std::memcpy(density.indices.data(), indices.data(), size_t(density.indices.size()) * sizeof(qint64));
            return density;
        });
}

BufferSource::Ticket WorkerBufferSource::save(qint64 buffer, const QString& path, QObject* context,
                                              Done<QString> done) {
    return saveAs(buffer, path, {}, context, std::move(done));
}

BufferSource::Ticket WorkerBufferSource::saveAs(qint64 buffer, const QString& path, const FileDetails& details,
                                                QObject* context, Done<QString> done) {
    const auto save = [&](const QString& file, Done<QString> then) {
        json parameters = {{"path", file.toStdString()}};
        for (const QString& heading : details.headings)
            parameters["headings"].push_back(heading.toStdString());
        if (details.rate) parameters["rate"] = details.rate;
        return ask<QString>("buffer.save", std::move(parameters), {{"buffer", buffer}}, context, std::move(then),
                            [](const json& result) { return text(result, "path"); });
    };
    QString problem;
    WorkerConnection* worker = workbench_.buffers().workerOf({buffer}, &problem);
    const QString folder = worker ? workbench_.runFolder().of(worker->driver()) : QString();
    const std::filesystem::path target = session::path_from_utf8(path.toStdString());
    if (folder.isEmpty() || worker->mayReach({{}, {target.parent_path()}})) return save(path, std::move(done));
    // The worker may not write there, and a new one would not have the buffer. It saves where it may.
    const QString file = QStringLiteral("%1/saved-%2%3")
                             .arg(folder)
                             .arg(last_ + 1)
                             .arg(QString::fromStdString(target.extension().string()));
    return save(file, [path, target, file, done = std::move(done)](const BufferReply<QString>& saved) {
        BufferReply<QString> reply = saved;
        if (saved.error.isEmpty()) {
            reply.value = path;
            reply.error = moveFile(session::path_from_utf8(file.toStdString()), target);
        }
        done(reply);
    });
}

BufferSource::Ticket WorkerBufferSource::view(qint64 buffer, QObject* context, Done<worker::ArrayView> done) {
    return ask<worker::ArrayView>("buffer.view", json::object(), {{"buffer", buffer}}, context, std::move(done),
                                  [](const json& result) { return worker::array_view_from_json(result); });
}

void WorkerBufferSource::close(qint64 buffer) { workbench_.buffers().remove(buffer); }

void WorkerBufferSource::cancel(Ticket ticket) {
    const std::shared_ptr<Job> job = jobs_.take(ticket);
    if (job && job->worker && job->request >= 0) job->worker->cancel(job->request);
}

} // namespace warplight::ui
