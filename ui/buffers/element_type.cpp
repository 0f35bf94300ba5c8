// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/element_type.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace warplight::ui {

namespace {

struct KindRow {
    ElementKind kind;
    const char* name;
    const char* code;
    int size;
};

constexpr std::array kinds{
    KindRow{ElementKind::Bool, "bool", "b1", 1},
    KindRow{ElementKind::Int8, "int8", "i1", 1},
    KindRow{ElementKind::Int16, "int16", "i2", 2},
    KindRow{ElementKind::Int32, "int32", "i4", 4},
    KindRow{ElementKind::Int64, "int64", "i8", 8},
    KindRow{ElementKind::UInt8, "uint8", "u1", 1},
    KindRow{ElementKind::UInt16, "uint16", "u2", 2},
    KindRow{ElementKind::UInt32, "uint32", "u4", 4},
    KindRow{ElementKind::UInt64, "uint64", "u8", 8},
    KindRow{ElementKind::Float16, "float16", "f2", 2},
    KindRow{ElementKind::BFloat16, "bfloat16", "E", 2},
    KindRow{ElementKind::Float32, "float32", "f4", 4},
    KindRow{ElementKind::Float64, "float64", "f8", 8},
    KindRow{ElementKind::Complex64, "complex64", "c8", 8},
    KindRow{ElementKind::Complex128, "complex128", "c16", 16},
};

template <class T>
T load(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <class T>
QString integerText(T value, const NumberFormat& format) {
    if (format.base == NumberBase::Hexadecimal) {
        using Unsigned = std::make_unsigned_t<T>;
        return QStringLiteral("0x%1").arg(quint64(Unsigned(value)), int(sizeof(T)) * 2, 16, QLatin1Char('0'));
    }
    if (format.base == NumberBase::Scientific) return QString::number(double(value), 'e', format.precision - 1);
    return QString::number(value);
}

QString bitsText(quint64 bits, int size) { return QStringLiteral("0x%1").arg(bits, size * 2, 16, QLatin1Char('0')); }

QString complexText(double real, double imaginary, const NumberFormat& format) {
    QString second = numberText(imaginary, format);
    if (!second.startsWith(QLatin1Char('-'))) second.prepend(QLatin1Char('+'));
    return numberText(real, format) + second + QLatin1Char('i');
}

} // namespace

ElementType::ElementType(ElementKind wanted) : kind(wanted), size(1) {
    for (const KindRow& row : kinds)
        if (row.kind == wanted) size = row.size;
}

ElementType ElementType::fromName(QStringView name, int rawSize) {
    QStringView code = name;
    if (!code.isEmpty() && QStringView(u"<>|=").contains(code.front())) code = code.mid(1);
    for (const KindRow& row : kinds)
        if (name == QLatin1String(row.name) || code == QLatin1String(row.code)) return {row.kind, row.size};
    return {ElementKind::Raw, std::max(1, rawSize)};
}

QString ElementType::name() const {
    for (const KindRow& row : kinds)
        if (row.kind == kind) return QString::fromLatin1(row.name);
    return QStringLiteral("raw%1").arg(size);
}

bool ElementType::isFloating() const { return kind >= ElementKind::Float16 && kind <= ElementKind::Float64; }
bool ElementType::isInteger() const { return kind >= ElementKind::Bool && kind <= ElementKind::UInt64; }
bool ElementType::isComplex() const { return kind == ElementKind::Complex64 || kind == ElementKind::Complex128; }

double ElementType::toDouble(const char* bytes) const {
    switch (kind) {
    case ElementKind::Bool: return load<quint8>(bytes) ? 1 : 0;
    case ElementKind::Int8: return load<qint8>(bytes);
    case ElementKind::Int16: return load<qint16>(bytes);
    case ElementKind::Int32: return load<qint32>(bytes);
    case ElementKind::Int64: return double(load<qint64>(bytes));
    case ElementKind::UInt8: return load<quint8>(bytes);
    case ElementKind::UInt16: return load<quint16>(bytes);
    case ElementKind::UInt32: return load<quint32>(bytes);
    case ElementKind::UInt64: return double(load<quint64>(bytes));
    case ElementKind::Float16: return halfToDouble(load<quint16>(bytes));
    case ElementKind::BFloat16: return bfloatToDouble(load<quint16>(bytes));
    case ElementKind::Float32: return double(load<float>(bytes));
    case ElementKind::Float64: return load<double>(bytes);
    case ElementKind::Complex64: return std::hypot(double(load<float>(bytes)), double(load<float>(bytes + 4)));
    case ElementKind::Complex128: return std::hypot(load<double>(bytes), load<double>(bytes + 8));
    case ElementKind::Raw: break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

QString ElementType::toText(const char* bytes, const NumberFormat& format) const {
    const bool hex = format.base == NumberBase::Hexadecimal;
    switch (kind) {
    case ElementKind::Bool:
        return hex ? integerText(load<quint8>(bytes), format)
                   : (load<quint8>(bytes) ? QStringLiteral("true") : QStringLiteral("false"));
    case ElementKind::Int8: return integerText(load<qint8>(bytes), format);
    case ElementKind::Int16: return integerText(load<qint16>(bytes), format);
    case ElementKind::Int32: return integerText(load<qint32>(bytes), format);
    case ElementKind::Int64: return integerText(load<qint64>(bytes), format);
    case ElementKind::UInt8: return integerText(load<quint8>(bytes), format);
    case ElementKind::UInt16: return integerText(load<quint16>(bytes), format);
    case ElementKind::UInt32: return integerText(load<quint32>(bytes), format);
    case ElementKind::UInt64: return integerText(load<quint64>(bytes), format);
    case ElementKind::Float16:
    case ElementKind::BFloat16: return hex ? bitsText(load<quint16>(bytes), 2) : numberText(toDouble(bytes), format);
    case ElementKind::Float32: return hex ? bitsText(load<quint32>(bytes), 4) : numberText(toDouble(bytes), format);
    case ElementKind::Float64: return hex ? bitsText(load<quint64>(bytes), 8) : numberText(toDouble(bytes), format);
    case ElementKind::Complex64:
        if (hex) return bitsText(load<quint32>(bytes), 4) + QLatin1Char(' ') + bitsText(load<quint32>(bytes + 4), 4);
        return complexText(double(load<float>(bytes)), double(load<float>(bytes + 4)), format);
    case ElementKind::Complex128:
        if (hex) return bitsText(load<quint64>(bytes), 8) + QLatin1Char(' ') + bitsText(load<quint64>(bytes + 8), 8);
        return complexText(load<double>(bytes), load<double>(bytes + 8), format);
    case ElementKind::Raw: break;
    }
    return QString::fromLatin1(QByteArray::fromRawData(bytes, size).toHex(' '));
}

bool ElementType::isNaN(const char* bytes) const { return isNumeric() && std::isnan(toDouble(bytes)); }
bool ElementType::isInfinite(const char* bytes) const { return isNumeric() && std::isinf(toDouble(bytes)); }

double halfToDouble(quint16 bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    double value;
    if (exponent == 0)
        value = std::ldexp(fraction, -24);
    else if (exponent == 31)
        value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    else
        value = std::ldexp(1024 + fraction, exponent - 25);
    return std::copysign(value, bits & 0x8000 ? -1.0 : 1.0);
}

double bfloatToDouble(quint16 bits) { return double(std::bit_cast<float>(quint32(bits) << 16)); }

QString numberText(double value, const NumberFormat& format) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value < 0 ? QStringLiteral("-Inf") : QStringLiteral("Inf");
    if (format.base == NumberBase::Scientific) return QString::number(value, 'e', std::max(0, format.precision - 1));
    if (value == 0 && std::signbit(value)) return QStringLiteral("-0");
    return QString::number(value, 'g', std::max(1, format.precision));
}

} // namespace warplight::ui
