// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/cell_reader.hpp"

#include "ui/buffers/buffer_table_model.hpp"
#include "warplight/npy.hpp"
#include "warplight/struct_field.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace warplight::ui {

namespace {

constexpr qint64 bytesAtOnce = 1024 * 1024;

template <class T>
QByteArray shortestDigits(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    if (std::isnan(value)) return "nan";
    std::array<char, 48> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end - digits.data()};
}

template <class T>
QByteArray complexDigits(const char* bytes) {
    QByteArray imaginary = shortestDigits<T>(bytes + sizeof(T));
    if (!imaginary.startsWith('-')) imaginary.prepend('+');
    return shortestDigits<T>(bytes) + imaginary + 'j';
}

/// The fewest digits that read back as the same value.
QByteArray exactText(const ElementType& type, const char* bytes) {
    switch (type.kind) {
    case ElementKind::Bool: return *bytes ? "1" : "0";
    case ElementKind::Float16:
    case ElementKind::BFloat16: {
        const auto value = float(type.toDouble(bytes));
        return shortestDigits<float>(reinterpret_cast<const char*>(&value));
    }
    case ElementKind::Float32: return shortestDigits<float>(bytes);
    case ElementKind::Float64: return shortestDigits<double>(bytes);
    case ElementKind::Complex64: return complexDigits<float>(bytes);
    case ElementKind::Complex128: return complexDigits<double>(bytes);
    default: return type.toText(bytes).toUtf8();
    }
}

QByteArray csvName(QString name) {
    if (name.contains(QLatin1Char(',')) || name.contains(QLatin1Char('"')) || name.contains(QLatin1Char('\n')))
        name = QLatin1Char('"') + name.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
    return name.toUtf8();
}

DType fileType(const ElementType& type) {
    if (type.isNumeric() && type.kind != ElementKind::BFloat16) return DType::from_name(type.name().toStdString());
    // NumPy has no bfloat16: its bits are kept.
    return type.kind == ElementKind::BFloat16 ? DType::uint16() : DType::opaque(std::size_t(type.size));
}

} // namespace

QString SelectedCells::text(const NumberFormat& format) const {
    QStringList lines;
    lines.reserve(rows);
    for (qint64 row = 0; row < rows; ++row) {
        QStringList fields;
        for (const Column& column : columns)
            if (row < column.count())
                fields << column.type.toText(column.values.constData() + row * column.type.size, format);
        lines << fields.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QByteArray SelectedCells::csv() const {
    QByteArray text;
    if (std::any_of(columns.cbegin(), columns.cend(), [](const Column& each) { return !each.name.isEmpty(); })) {
        for (const Column& column : columns)
            text += csvName(column.name) + ',';
        text.back() = '\n';
    }
    for (qint64 row = 0; row < rows; ++row) {
        for (const Column& column : columns)
            if (row < column.count())
                text += exactText(column.type, column.values.constData() + row * column.type.size) + ',';
        if (!text.isEmpty()) text.back() = '\n';
    }
    return text;
}

QByteArray SelectedCells::npy() const {
    if (columns.isEmpty()) return {};
    const ElementType first = columns.first().type;
    const bool alike =
        std::all_of(columns.cbegin(), columns.cend(), [&](const Column& each) { return each.type == first; });
    const bool records = !columns.first().name.isEmpty() && columns.size() > 1;
    QByteArray data;
    qint64 elements = 0;
    for (qint64 row = 0; row < rows; ++row)
        for (const Column& column : columns)
            if (row < column.count()) {
                data.append(column.values.constData() + row * column.type.size, column.type.size);
                ++elements;
            }
    Shape shape;
    DType type = fileType(first);
    if (wrapped || (columns.size() == 1 && !columns.first().name.isEmpty())) {
        shape = {std::size_t(elements)};
    } else if (records || !alike) {
        std::vector<StructField> fields;
        fields.reserve(std::size_t(columns.size()));
        std::size_t offset = 0;
        for (const Column& column : columns) {
            StructField field;
            field.name = column.name.toStdString();
            field.offset = offset;
            field.dtype = fileType(column.type);
            offset += std::size_t(column.type.size);
            fields.push_back(std::move(field));
        }
        type = struct_dtype(fields, offset);
        shape = {std::size_t(rows)};
    } else {
        shape = {std::size_t(rows), std::size_t(columns.size())};
    }
    const std::string header = make_npy_header(NdArray::wrap(nullptr, shape, type, Order::C, nullptr, false));
    return QByteArray(header.data(), qsizetype(header.size())) + data;
}

CellReader::CellReader(QObject* parent) : QObject(parent) {}

void CellReader::cancel() {
    ++generation_;
    if (source_ && ticket_) source_->cancel(ticket_);
    ticket_ = 0;
    pieces_.clear();
}

void CellReader::read(BufferTableModel& model, const QRect& cells, Done done) {
    cancel();
    source_ = model.pages().source();
    done_ = std::move(done);
    at_ = 0;
    cells_ = {};
    const BufferInfo info = model.info();
    const qint64 width = cells.width(), height = cells.height();
    const qint64 left = model.firstColumn() + cells.left(), top = model.firstRow() + cells.top();
    cells_.rows = height;
    cells_.wrapped = model.isWrapped();
    const bool records = model.hasRecords();
    for (qint64 x = 0; x < width; ++x)
        cells_.columns.append({records ? model.columnName(left + x) : QString(), model.columnType(left + x), {}});
    if (records) {
        const qint64 own = model.ownColumns();
        const auto add = [&](const BufferInfo& buffer, const std::function<void(const char*)>& take) {
            const qint64 size = std::max(1, buffer.type.size), atOnce = std::max<qint64>(1, bytesAtOnce / size);
            for (qint64 y = 0; y < height; y += atOnce)
                pieces_.append(
                    {buffer.id, top + y, std::min(atOnce, height - y), [size, take](const QByteArray& bytes) {
                         for (qint64 at = 0; at + size <= bytes.size(); at += size)
                             take(bytes.constData() + at);
                     }});
        };
        if (left < own) {
            const FieldColumns& fields = model.fields();
            const qint64 last = std::min(own, left + width);
            add(info, [this, fields, left, last](const char* structure) {
                QByteArray room;
                for (qint64 column = left; column < last; ++column) {
                    SelectedCells::Column& to = cells_.columns[column - left];
                    const char* value = fields.count() > 0 ? fields.value(column, structure, room) : structure;
                    to.values.append(value, to.type.size);
                }
            });
        }
        for (qint64 column = std::max(own, left); column < left + width; ++column) {
            const ColumnBeside& other = model.columnsBeside()[column - own];
            if (!other.info.isValid()) {
                emit failed(other.problem);
                return;
            }
            SelectedCells::Column* to = &cells_.columns[column - left];
            add(other.info, [to](const char* value) { to->values.append(value, to->type.size); });
        }
    } else {
        const qint64 row = model.totalColumns();
        const qint64 first = model.flatIndex(model.index(cells.top(), cells.left()));
        if (first < 0) return;
        const int size = info.type.size;
        // A selection narrower than a quarter of a row is read row by row, a wider one many rows at a time.
        const qint64 rowsAtOnce =
            width * 4 >= row ? std::max<qint64>(1, bytesAtOnce / std::max<qint64>(1, row * size)) : 1;
        for (qint64 y = 0; y < height; y += rowsAtOnce) {
            const qint64 rows = std::min(rowsAtOnce, height - y);
            pieces_.append({info.id, first + y * row, (rows - 1) * row + width, [=, this](const QByteArray& bytes) {
                                for (qint64 r = 0; r < rows; ++r)
                                    for (qint64 x = 0; x < width; ++x) {
                                        const qint64 at = (r * row + x) * size;
                                        if (at + size <= bytes.size())
                                            cells_.columns[x].values.append(bytes.constData() + at, size);
                                    }
                            }});
        }
    }
    next();
}

void CellReader::next() {
    if (at_ == pieces_.size()) {
        pieces_.clear();
        const Done done = std::exchange(done_, {});
        if (done) done(cells_);
        return;
    }
    if (!source_) return;
    const Piece& piece = pieces_[at_];
    ticket_ = source_->read(piece.buffer, piece.first, piece.count, this,
                            [this, generation = generation_](const BufferReply<QByteArray>& reply) {
                                if (generation != generation_) return;
                                ticket_ = 0;
                                if (!reply.ok()) {
                                    cancel();
                                    emit failed(reply.error);
                                    return;
                                }
                                pieces_[at_++].take(reply.value);
                                next();
                            });
}

} // namespace warplight::ui
