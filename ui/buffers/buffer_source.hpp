// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_fields.hpp"
#include "ui/buffers/buffer_figures.hpp"
#include "ui/buffers/element_type.hpp"
#include "ui/common/container_members.hpp"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>

namespace warplight::ui {

enum class BufferRole { Input, Output, InOut, File, Expected, Formula, Frames, View };
QString bufferRoleText(BufferRole role);
/// Opened, kept or made by the user: it stays until the user closes it.
bool isOwn(BufferRole role);

/// The description of a buffer, known without reading it.
struct BufferInfo {
    qint64 id = -1; ///< the source's; -1 is no buffer
    QString name;   ///< of the argument, or the file's
    QString path;   ///< where it came from or was saved to; may be empty
    QString run;    ///< "Run 3, 14:02" while not all shown buffers are of the last run; else empty
    BufferRole role = BufferRole::File;
    ElementType type;
    QList<qint64> shape; ///< row-major; empty is a single element
    qint64 bytes = 0;
    int rate = 0;              ///< Hz of a sound that it is saved as; 0: nothing tells it
    int argument = -1;         ///< whose data these are, from 0; -1: none
    QList<BufferField> fields; ///< of structs, once they are known

    qint64 count() const; ///< elements
    bool isStructs() const { return !fields.isEmpty(); }
    QString typeText() const; ///< "float32", "struct"
    QString shapeText() const;
    QString title() const; ///< name, direction and run, which tell it from others of the name
    bool isValid() const { return id >= 0; }
};

/// What a buffer does not tell of the file that it is written into.
struct FileDetails {
    QStringList headings = {}; ///< of the columns of a table (.csv)
    int rate = 0;              ///< Hz of a sound (.wav); 0: 44,100
};

struct BufferSummary {
    double minimum = 0, maximum = 0, mean = 0; ///< over finite values
    qint64 nan = 0, infinite = 0;
    QList<qint64> histogram; ///< equal bins from minimum to maximum
};

/// Decimated values: bucket i covers `count / minimum.size()` elements from `offset` on. NaN where a bucket has none.
struct BufferPlot {
    qint64 offset = 0, count = 0;
    QList<double> minimum, maximum;
};

struct BufferComparison {
    QString problem; ///< why nothing could be compared (shapes differ); else empty
    qint64 elements = 0, mismatches = 0;
    qint64 first = -1;  ///< flat index, -1 when all match
    QString firstField; ///< of structs: the field that differs there
    double firstActual = 0, firstExpected = 0;
    double largestError = 0;
    qint64 largestAt = -1;
    double largestRelative = 0;
};

template <class T>
struct BufferReply {
    T value{};
    QString error; ///< for people; empty when it worked
    bool ok() const { return error.isEmpty(); }
};

/// Gives views their buffers: from the worker in the program, from memory in a test. Each request calls its callback
/// later, on the GUI thread. It does not after `context` is gone or the request was cancelled.
class BufferSource : public QObject {
    Q_OBJECT
public:
    using Ticket = quint64; ///< 0 is no request
    template <class T>
    using Done = std::function<void(const BufferReply<T>&)>;

    using QObject::QObject;

    /// Opens a file. `type` and `shape` describe a raw one and may be left out for `.npy`.
    virtual Ticket open(const QString& path, const QString& type, const QList<qint64>& shape, qint64 offset,
                        QObject* context, Done<BufferInfo> done) = 0;
    /// What an .npz or HDF5 file has, and one array of it. A source without such files answers with an error.
    virtual Ticket members(const QString& path, QObject* context, Done<QList<ContainerMember>> done);
    virtual Ticket openMember(const QString& path, const QString& member, QObject* context, Done<BufferInfo> done);
    /// `count` elements from `offset` on, in the host's byte order, clipped to the buffer.
    virtual Ticket read(qint64 buffer, qint64 offset, qint64 count, QObject* context, Done<QByteArray> done) = 0;
    virtual Ticket summary(qint64 buffer, int bins, QObject* context, Done<BufferSummary> done) = 0;
    virtual Ticket plot(qint64 buffer, qint64 offset, qint64 count, int points, QObject* context,
                        Done<BufferPlot> done) = 0;
    virtual Ticket compare(qint64 buffer, qint64 with, double rtol, double atol, QObject* context,
                           Done<BufferComparison> done) = 0;
    virtual Ticket save(qint64 buffer, const QString& path, QObject* context, Done<QString> done) = 0;
    virtual Ticket saveAs(qint64 buffer, const QString& path, const FileDetails& details, QObject* context,
                          Done<QString> done);
    virtual void close(qint64 buffer) = 0;
    virtual void cancel(Ticket ticket) = 0;

    // Buffers made of others, whose elements are computed when they are read. `close` ends them. A source that has none
    // answers with an error.
    virtual Ticket slice(qint64 buffer, const BufferSlice& slice, QObject* context, Done<BufferInfo> done);
    virtual Ticket complexPart(qint64 buffer, ComplexPart part, QObject* context, Done<BufferInfo> done);
    /// A field of structs, named as in BufferInfo::fields. `index` is that of its first axes.
    virtual Ticket field(qint64 buffer, const QString& name, const QList<qint64>& index, QObject* context,
                         Done<BufferInfo> done);
    /// The fields of structs; none of other elements.
    virtual Ticket fields(qint64 buffer, QObject* context, Done<QList<BufferField>> done);
    /// In the shape of `like`. The formula names arrays and scalars.
    virtual Ticket formula(qint64 like, const QString& expression, const QList<QPair<QString, qint64>>& arrays,
                           const QHash<QString, double>& scalars, QObject* context, Done<BufferInfo> done);
    /// One row for each element, one column for each buffer.
    virtual Ticket columns(const QList<qint64>& buffers, QObject* context, Done<BufferInfo> done);

    /// Without a range any source counts, by `summary`.
    virtual Ticket histogram(qint64 buffer, int bins, const HistogramRange& range, QObject* context,
                             Done<BufferHistogram> done);
    /// Points come where there are at most so many pairs.
    virtual Ticket scatter(qint64 x, qint64 y, const ScatterGrid& grid, QObject* context, Done<BufferDensity> done);

signals:
    void progress(quint64 ticket, double fraction);

private:
    template <class T>
    Ticket refuse(QObject* context, Done<T> done) {
        BufferReply<T> reply;
        reply.error = tr("Only data of a worker can be looked at in this way.");
        QTimer::singleShot(0, context, [done = std::move(done), reply] { done(reply); });
        return 0;
    }
};

} // namespace warplight::ui
