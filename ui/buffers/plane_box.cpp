// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/plane_box.hpp"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace warplight::ui {

namespace {

constexpr std::array faces{"+x", "-x", "+y", "-y", "+z", "-z"};
constexpr int faceCount = int(faces.size());

} // namespace

PlaneBox::PlaneBox(QWidget* parent) : QSpinBox(parent) {
    setAccessibleName(tr("Plane"));
    setWrapping(true);
}

void PlaneBox::setPlanes(qint64 count, std::optional<session::TextureKind> kind) {
    kind_ = kind;
    setRange(0, int(std::min<qint64>(std::max<qint64>(count, 1) - 1, 1 << 30)));
    setValue(0);
    setToolTip(kind == session::TextureKind::cubemap ? tr("The faces of the cubemap: +x, -x, +y, -y, +z, -z")
                                                     : QString());
    setAccessibleName(word());
    lineEdit()->setText(textFromValue(value())); // the same value may have another name
    setVisible(count > 1);
}

QString PlaneBox::word() const {
    if (!kind_) return tr("Plane");
    switch (*kind_) {
    case session::TextureKind::d3: return tr("Slice");
    case session::TextureKind::layered_d2: return tr("Layer");
    case session::TextureKind::cubemap:
    case session::TextureKind::layered_cubemap: return tr("Face");
    default: return tr("Plane");
    }
}

QString PlaneBox::textFromValue(int value) const {
    const QString face = QLatin1String(faces[std::size_t(value % faceCount)]);
    if (kind_ == session::TextureKind::cubemap) return tr("%1 %2", "Face +x").arg(word(), face);
    if (kind_ == session::TextureKind::layered_cubemap)
        return tr("Cube %1, %2", "Cube 2, +x").arg(value / faceCount).arg(face);
    return tr("%1 %2", "Face +x").arg(word(), QString::number(value));
}

int PlaneBox::valueFromText(const QString& text) const {
    static const QRegularExpression number(QStringLiteral("\\d+"));
    const QRegularExpressionMatch match = number.match(text);
    const int typed = match.hasMatch() ? match.captured().toInt() : 0;
    const auto* face =
        std::find_if(faces.begin(), faces.end(), [&](const char* each) { return text.contains(QLatin1String(each)); });
    const bool named = face != faces.end();
    const int place = named ? int(face - faces.begin()) : 0;
    if (kind_ == session::TextureKind::cubemap) return named ? place : typed;
    if (kind_ == session::TextureKind::layered_cubemap) return typed * faceCount + place;
    return typed;
}

QValidator::State PlaneBox::validate(QString& text, int&) const {
    const int value = valueFromText(text);
    return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

} // namespace warplight::ui
