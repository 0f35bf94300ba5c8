// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"
#include "worker/array_view.hpp"

#include <QHash>
#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace warplight::ui {

class Workbench;
class WorkerConnection;
struct WorkerReply;

/// Buffers that workers hold, by the window's numbers. A request whose worker ends is sent again to the next worker,
/// which opens the buffer's file first.
class WorkerBufferSource : public BufferSource {
    Q_OBJECT
public:
    explicit WorkerBufferSource(Workbench& workbench, QObject* parent = nullptr);

    Ticket open(const QString& path, const QString& type, const QList<qint64>& shape, qint64 offset, QObject* context,
                Done<BufferInfo> done) override;
    Ticket members(const QString& path, QObject* context, Done<QList<ContainerMember>> done) override;
    Ticket openMember(const QString& path, const QString& member, QObject* context, Done<BufferInfo> done) override;
    Ticket read(qint64 buffer, qint64 offset, qint64 count, QObject* context, Done<QByteArray> done) override;
    Ticket summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) override;
    Ticket plot(qint64 buffer, qint64 offset, qint64 count, int points, QObject* context,
                Done<BufferPlot> done) override;
    Ticket compare(qint64 buffer, qint64 with, double rtol, double atol, QObject* context,
                   Done<BufferComparison> done) override;
    Ticket save(qint64 buffer, const QString& path, QObject* context, Done<QString> done) override;
    /// What a page shows of a buffer.
    Ticket view(qint64 buffer, QObject* context, Done<worker::ArrayView> done);
    Ticket saveAs(qint64 buffer, const QString& path, const FileDetails& details, QObject* context,
                  Done<QString> done) override;
    Ticket slice(qint64 buffer, const BufferSlice& slice, QObject* context, Done<BufferInfo> done) override;
    Ticket complexPart(qint64 buffer, ComplexPart part, QObject* context, Done<BufferInfo> done) override;
    Ticket field(qint64 buffer, const QString& name, const QList<qint64>& index, QObject* context,
                 Done<BufferInfo> done) override;
    Ticket fields(qint64 buffer, QObject* context, Done<QList<BufferField>> done) override;
    Ticket formula(qint64 like, const QString& expression, const QList<QPair<QString, qint64>>& arrays,
                   const QHash<QString, double>& scalars, QObject* context, Done<BufferInfo> done) override;
    Ticket columns(const QList<qint64>& buffers, QObject* context, Done<BufferInfo> done) override;
    Ticket histogram(qint64 buffer, int bins, const HistogramRange& range, QObject* context,
                     Done<BufferHistogram> done) override;
    Ticket scatter(qint64 x, qint64 y, const ScatterGrid& grid, QObject* context, Done<BufferDensity> done) override;
    void close(qint64 buffer) override;
    void cancel(Ticket ticket) override;

private:
    struct Job;
    using Places = QList<QPair<const char*, qint64>>;
    /// @param buffers the method's parameters that are buffers, with their numbers. They go to the list `arrays` where
    /// they have no name.
    template <class T, class Parse>
    Ticket ask(const char* method, nlohmann::json parameters, const Places& buffers, QObject* context, Done<T> done,
               const Parse& parse);
    Ticket derive(nlohmann::json parameters, const Places& buffers, QObject* context, Done<BufferInfo> done);
    void start(const std::shared_ptr<Job>& job);
    void findBuffers(const std::shared_ptr<Job>& job, qsizetype from);
    void send(const std::shared_ptr<Job>& job);
    void retry(const std::shared_ptr<Job>& job, const WorkerReply& reply);
    void finish(const std::shared_ptr<Job>& job, const WorkerReply& reply);

    Workbench& workbench_;
    QHash<Ticket, std::shared_ptr<Job>> jobs_;
    Ticket last_ = 0;
};

/// "float32 [3, 4]" of the worker's description of a buffer. Throws nlohmann::json's exceptions for any other JSON.
BufferInfo bufferInfoFromJson(const nlohmann::json& json);

} // namespace warplight::ui
