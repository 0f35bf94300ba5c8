// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/lane_picture.hpp"

#include "ui/common/theme.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

namespace warplight::ui {
namespace {

constexpr int warpLanes = 32;
constexpr int mostShownText = 7; ///< characters in a cell

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int x, int y) { return int(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

QString numberShort(double value) { return QString::number(value, 'g', 5); }

} // namespace

LaneValues LaneValues::of(const nlohmann::json& answer) {
    const auto list = [&](const char* key) {
        const auto found = answer.find(key);
        return found != answer.end() && found->is_array() ? *found : nlohmann::json::array();
    };
    LaneValues v;
    const nlohmann::json numbers = list("numbers"), texts = list("texts"), valid = list("valid"), here = list("here");
    const std::size_t count = std::min({numbers.size(), texts.size(), valid.size(), here.size()});
    for (std::size_t k = 0; k < count; ++k) {
        v.numbers << (numbers[k].is_number() ? numbers[k].get<double>() : std::numeric_limits<double>::quiet_NaN());
        v.texts << (texts[k].is_string() ? QString::fromStdString(texts[k].get<std::string>()) : QString());
        v.valid << (valid[k] == nlohmann::json(true));
        v.here << (here[k] == nlohmann::json(true));
    }
    const auto first = answer.find("first");
    if (first != answer.end() && first->is_number_integer()) v.first = first->get<int>();
    const auto type = answer.find("type");
    if (type != answer.end() && type->is_string()) v.type = QString::fromStdString(type->get<std::string>());
    const nlohmann::json extent = list("blockDim");
    for (std::size_t k = 0; k < v.blockDim.size(); ++k)
        v.blockDim[k] =
            k < extent.size() && extent[k].is_number_unsigned() ? std::max(1U, extent[k].get<quint32>()) : 1;
    return v;
}

Extent LaneValues::index(qsizetype at) const {
    const auto thread = quint32(first + int(at));
    return {thread % blockDim[0], thread / blockDim[0] % blockDim[1], thread / blockDim[0] / blockDim[1]};
}

LanePicture::LanePicture(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("A value in all threads"));
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void LanePicture::setValues(const LaneValues& values, Kind kind) {
    values_ = values;
    kind_ = kind;
    old_ = false;
    minimum_ = std::numeric_limits<double>::infinity();
    maximum_ = -minimum_;
    for (const double number : std::as_const(values_.numbers)) {
        if (!std::isfinite(number)) continue;
        minimum_ = std::min(minimum_, number);
        maximum_ = std::max(maximum_, number);
    }
    hasNumbers_ = minimum_ <= maximum_;
    if (!hasNumbers_) minimum_ = maximum_ = 0;
    setAccessibleDescription(hasNumbers_ ? tr("from %1 to %2").arg(numberShort(minimum_), numberShort(maximum_))
                                         : QString());
    update();
}

void LanePicture::setColourMap(ColourMap::Name name) {
    map_ = ColourMap(name);
    update();
}

void LanePicture::setSlice(int z) {
    slice_ = z;
    update();
}

void LanePicture::setChosen(int thread) {
    chosen_ = thread;
    update();
}

void LanePicture::setOld(bool old) {
    old_ = old;
    update();
}

QSize LanePicture::sizeHint() const { return {40 * Theme::grid, 18 * Theme::grid}; }

QSize LanePicture::minimumSizeHint() const {
    return {16 * fontMetrics().averageCharWidth(), 4 * fontMetrics().height() + legendHeight()};
}

int LanePicture::legendHeight() const { return fontMetrics().height() + 2 * Theme::half; }

LanePicture::Grid LanePicture::grid() const {
    Grid g;
    const qsizetype count = values_.size();
    if (count == 0) return g;
    g.count = count;
    const QFontMetrics metrics(theme_.monospace());
    const int space = std::max(1, height() - legendHeight());
    if (kind_ == Kind::Warp) {
        // As few rows as leave room for the values.
        const int needed = metrics.averageCharWidth() * mostShownText + Theme::half;
        g.columns = 32;
        while (g.columns > 4 && width() / g.columns < needed)
            g.columns /= 2;
        g.columns = int(std::min<qsizetype>(g.columns, count));
    } else if (values_.blockDim[1] == 1 && values_.blockDim[2] == 1) {
        g.columns = int(std::min<qsizetype>(warpLanes, count)); // a row is a warp
    } else {
        g.columns = int(values_.blockDim[0]);
        const qsizetype plane = qsizetype(values_.blockDim[0]) * values_.blockDim[1];
        g.begin = std::min<qsizetype>(slice_ * plane, count);
        g.count = std::min<qsizetype>(plane, count - g.begin);
    }
    g.rows = int((g.count + g.columns - 1) / g.columns);
    if (g.rows == 0) return g;
    g.width = double(width()) / g.columns;
    g.height = std::min<double>(double(space) / g.rows, kind_ == Kind::Warp ? metrics.height() * 2.5 : g.width);
    if (kind_ == Kind::Block) g.width = std::min(g.width, g.height * 3);
    return g;
}

QRect LanePicture::cell(qsizetype at) const {
    const Grid g = grid();
    if (at < g.begin || at >= g.begin + g.count) return {};
    const auto column = int((at - g.begin) % g.columns), row = int((at - g.begin) / g.columns);
    const QPoint from(int(column * g.width), int(row * g.height));
    const QPoint to(int((column + 1) * g.width), int((row + 1) * g.height));
    return {from, QSize(to.x() - from.x(), to.y() - from.y())};
}

qsizetype LanePicture::at(QPoint place) const {
    const Grid g = grid();
    if (g.count == 0 || g.width <= 0 || g.height <= 0 || place.x() < 0 || place.y() < 0) return -1;
    const auto column = int(place.x() / g.width), row = int(place.y() / g.height);
    const qsizetype at = g.begin + qsizetype(row) * g.columns + column;
    return column < g.columns && row < g.rows && at < g.begin + g.count ? at : -1;
}

QString LanePicture::text(qsizetype at) const {
    if (at < 0 || at >= values_.size()) return {};
    const int thread = values_.first + int(at);
    const QString who = tr("lane %1 of warp %2, thread %3")
                            .arg(thread % warpLanes)
                            .arg(thread / warpLanes)
                            .arg(extentText(values_.index(at)));
    const QString place = values_.here[at] || !values_.valid[at] ? QString() : tr(", at another line");
    return QStringLiteral("%1%2: %3").arg(who, place, values_.texts[at]);
}

QString LanePicture::shortText(qsizetype at) const {
    const QString& whole = values_.texts[at];
    if (!values_.valid[at]) return QStringLiteral("–");
    if (whole.size() <= mostShownText) return whole;
    return std::isfinite(values_.numbers[at]) ? QString::number(values_.numbers[at], 'g', 4) : whole;
}

QColor LanePicture::colour(qsizetype at) const {
    const Colours& c = theme_.colours();
    QColor shown = c.alternate;
    if (values_.valid[at] && std::isfinite(values_.numbers[at])) {
        const double range = maximum_ - minimum_;
        shown = QColor(map_.at(range > 0 ? (values_.numbers[at] - minimum_) / range : 0.5));
    }
    if (!values_.here[at]) shown = mixed(shown, c.base, 0.7);
    return old_ ? mixed(shown, c.base, 0.6) : shown;
}

void LanePicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Colours& c = theme_.colours();
    painter.fillRect(rect(), c.base);
    const Grid g = grid();
    QFont font = theme_.monospace();
    font.setPointSizeF(font.pointSizeF() * 0.9);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    for (qsizetype k = g.begin; k < g.begin + g.count; ++k) {
        const QRect place = cell(k);
        const bool large = place.width() > 6 && place.height() > 6;
        const QRect inner = large ? place.adjusted(0, 0, -1, -1) : place;
        const QColor fill = colour(k);
        painter.fillRect(inner, fill);
        if (!values_.valid[k]) painter.fillRect(inner, QBrush(c.border, Qt::BDiagPattern));
        const QString shown = shortText(k);
        if (inner.height() >= metrics.height() && inner.width() > metrics.averageCharWidth() * 3) {
            const QColor ink = qGray(fill.rgb()) > 128 ? QColor(20, 20, 20) : QColor(245, 245, 245);
            painter.setPen(values_.here[k] && !old_ ? ink : mixed(ink, fill, 0.35));
            painter.drawText(inner, Qt::AlignCenter, metrics.elidedText(shown, Qt::ElideRight, inner.width() - 2));
        }
        if (values_.first + int(k) == chosen_) {
            painter.setPen(QPen(c.text, 1));
            painter.drawRect(inner.adjusted(0, 0, -1, -1));
            painter.setPen(QPen(c.accent, 2));
            if (large) painter.drawRect(inner.adjusted(2, 2, -2, -2));
        }
    }
    if (hasNumbers_) paintLegend(painter);
    if (hasFocus()) {
        painter.setPen(c.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void LanePicture::paintLegend(QPainter& painter) const {
    const Colours& c = theme_.colours();
    painter.setFont(font());
    const QString low = numberShort(minimum_), high = numberShort(maximum_);
    const QRect row(Theme::half, height() - legendHeight() + Theme::half, width() - 2 * Theme::half,
                    fontMetrics().height());
    painter.setPen(c.mutedText);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, low);
    const int left = fontMetrics().horizontalAdvance(low) + Theme::grid;
    const int bar = std::min(row.width() - left - fontMetrics().horizontalAdvance(high) - Theme::grid, 240);
    if (bar < 8) return;
    for (int x = 0; x < bar; ++x)
        painter.fillRect(QRect(row.left() + left + x, row.top() + row.height() / 4, 1, row.height() / 2),
                         QColor(map_.at(double(x) / (bar - 1))));
    painter.drawText(row.adjusted(left + bar + Theme::grid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, high);
}

void LanePicture::mousePressEvent(QMouseEvent* event) {
    const qsizetype which = at(event->position().toPoint());
    if (event->button() == Qt::LeftButton && which >= 0) emit threadChosen(values_.first + int(which));
    QWidget::mousePressEvent(event);
}

void LanePicture::keyPressEvent(QKeyEvent* event) {
    int step = 0;
    switch (event->key()) {
    case Qt::Key_Left: step = -1; break;
    case Qt::Key_Right: step = 1; break;
    case Qt::Key_Up: step = -grid().columns; break;
    case Qt::Key_Down: step = grid().columns; break;
    default: break;
    }
    const int thread = chosen_ + step;
    if (step == 0 || values_.size() == 0 || chosen_ < 0) return QWidget::keyPressEvent(event);
    if (thread >= values_.first && thread < values_.first + int(values_.size())) emit threadChosen(thread);
}

bool LanePicture::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const qsizetype which = at(help->pos());
        if (which >= 0)
            QToolTip::showText(help->globalPos(), text(which), this, cell(which));
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace warplight::ui
