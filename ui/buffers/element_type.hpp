// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>
#include <QStringView>

namespace warplight::ui {

/// The element types a buffer can have; Raw is any other type, shown as bytes.
enum class ElementKind {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Complex64,
    Complex128,
    Raw
};

enum class NumberBase { Decimal, Scientific, Hexadecimal };

struct NumberFormat {
    NumberBase base = NumberBase::Decimal;
    int precision = 6; ///< significant digits of floating-point values
    bool operator==(const NumberFormat&) const = default;
};

/// One element type: its kind and its size in bytes (Raw may have any size of 1 or more).
struct ElementType {
    ElementKind kind = ElementKind::UInt8;
    int size = 1;

    ElementType() = default;
    ElementType(ElementKind kind);
    ElementType(ElementKind kind, int size) : kind(kind), size(size) {}

    /// Understands NumPy's names ("float32") and codes ("<f4", "|u1"); anything else is Raw of `rawSize` bytes.
    static ElementType fromName(QStringView name, int rawSize = 1);
    QString name() const;

    bool isFloating() const;
    bool isInteger() const;
    bool isComplex() const;
    bool isNumeric() const { return kind != ElementKind::Raw; }

    /// The value as a double (the magnitude of a complex one, NaN for Raw). `bytes` holds at least `size` bytes in the
    /// host's order.
    double toDouble(const char* bytes) const;
    /// The value as text. Integers keep all their digits, whatever the precision.
    QString toText(const char* bytes, const NumberFormat& format = {}) const;
    bool isNaN(const char* bytes) const;
    bool isInfinite(const char* bytes) const;

    bool operator==(const ElementType&) const = default;
};

double halfToDouble(quint16 bits);
double bfloatToDouble(quint16 bits);
QString numberText(double value, const NumberFormat& format);

} // namespace warplight::ui
