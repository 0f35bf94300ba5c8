// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/device_attributes.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>
#include <QHash>
#include <initializer_list>
#include <utility>

namespace warplight::ui {
namespace {

enum class Unit {
    Number,
    Count,
    Threads,
    Blocks,
    Registers,
    Texels,
    Layers,
    Bytes,
    Bits,
    Kilohertz,
    Ratio,
    YesNo,
    Mask,
    Hex,
    ComputeMode,
    RdmaOrdering,
    NumaConfig
};

struct Known {
    const char* name;
    Unit unit;
    const char* meaning;
};

constexpr Known known[] = {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning) {#NAME, Unit::unit, meaning},
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number)
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
};

QString tr(const char* text) { return QCoreApplication::translate("warplight::ui", text); }

const Known* find(const QString& name) {
    static const QHash<QString, const Known*> table = [] {
        QHash<QString, const Known*> made;
        for (const Known& each : known)
            made.insert(QLatin1String(each.name), &each);
        return made;
    }();
    return table.value(name);
}

QString hertz(qint64 kilohertz) {
    return kilohertz >= 1000000 ? QStringLiteral("%1 GHz").arg(double(kilohertz) / 1e6, 0, 'f', 2)
                                : QStringLiteral("%1 MHz").arg(double(kilohertz) / 1e3, 0, 'f', 0);
}

QString named(qint64 value, std::initializer_list<std::pair<int, const char*>> names) {
    for (const auto& [number, name] : names)
        if (number == value) return tr(name);
    return QString::number(value);
}

} // namespace

QString deviceAttributeText(const QString& name, qint64 value) {
    const Known* attribute = find(name);
    QString count = formatCount(value);
    switch (attribute ? attribute->unit : Unit::Number) {
    case Unit::Number: return QString::number(value);
    case Unit::Count: return count;
    case Unit::Threads: return tr("%1 threads").arg(count);
    case Unit::Blocks: return tr("%1 blocks").arg(count);
    case Unit::Registers: return tr("%1 registers").arg(count);
    case Unit::Texels: return tr("%1 texels").arg(count);
    case Unit::Layers: return tr("%1 layers").arg(count);
    case Unit::Bytes: return value < 0 ? QString::number(value) : formatBytes(quint64(value));
    case Unit::Bits: return tr("%1 bits").arg(count);
    case Unit::Kilohertz: return hertz(value);
    case Unit::Ratio: return QStringLiteral("%1 : 1").arg(value);
    case Unit::YesNo: return value ? tr("yes") : tr("no");
    case Unit::Mask: return value ? QStringLiteral("0x%1").arg(value, 0, 16) : tr("none");
    case Unit::Hex: return QStringLiteral("0x%1").arg(value, 8, 16, QLatin1Char('0'));
    case Unit::ComputeMode:
        return named(value, {{0, QT_TRANSLATE_NOOP("DeviceAttributes", "anybody")},
                             {1, QT_TRANSLATE_NOOP("DeviceAttributes", "one thread")},
                             {2, QT_TRANSLATE_NOOP("DeviceAttributes", "nobody")},
                             {3, QT_TRANSLATE_NOOP("DeviceAttributes", "one process")}});
    case Unit::RdmaOrdering:
        return named(value, {{0, QT_TRANSLATE_NOOP("DeviceAttributes", "nobody")},
                             {100, QT_TRANSLATE_NOOP("DeviceAttributes", "the device")},
                             {200, QT_TRANSLATE_NOOP("DeviceAttributes", "all devices")}});
    case Unit::NumaConfig:
        return named(value, {{0, QT_TRANSLATE_NOOP("DeviceAttributes", "no node")},
                             {1, QT_TRANSLATE_NOOP("DeviceAttributes", "a node")}});
    }
    return QString::number(value);
}

QString breakableName(QString name) {
    const QChar here(0x200b);
    name.replace(QLatin1Char('_'), QStringLiteral("_") + here);
    for (const char* word : {"MULTI", "TEXTURE", "SURFACE"}) {
        const QString text = QLatin1String(word);
        name.replace(text, text + here);
    }
    return name;
}

QString deviceAttributeMeaning(const QString& name) {
    const Known* attribute = find(name);
    return attribute ? tr(attribute->meaning) : QString();
}

} // namespace warplight::ui
