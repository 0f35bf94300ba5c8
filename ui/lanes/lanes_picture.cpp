// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanes_picture.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <bit>
#include <map>

namespace warplight::ui {

namespace {

using profile::RecordedAccess;
using profile::RecordedBranch;
using profile::RecordedSpace;

constexpr int lanesOfWarp = 32;
constexpr int lineGap = 6; ///< between lines of memory that do not follow each other

QString addressText(quint64 address) { return QStringLiteral("0x%1").arg(address, 0, 16); }

/// "lanes 0…3, 17"
QString lanesText(quint32 lanes) {
    QStringList runs;
    while (lanes) {
        const int first = std::countr_zero(lanes), count = std::countr_one(lanes >> first);
        runs << (count == 1 ? QString::number(first) : QStringLiteral("%1…%2").arg(first).arg(first + count - 1));
        lanes &= first + count == 32 ? 0U : ~0U << (first + count);
    }
    return runs.join(QStringLiteral(", "));
}

/// Bytes of a lane that lie together. Words of local memory lie beside those of the other lanes.
struct Piece {
    int lane;
    quint64 address;
    unsigned bytes;
};

std::vector<Piece> piecesOf(const RecordedAccess& access) {
    std::vector<Piece> pieces;
    for (int lane = 0; lane < lanesOfWarp; ++lane) {
        if (!(access.access.active >> lane & 1)) continue;
        const quint64 address = access.access.addresses[size_t(lane)];
        if (access.space != RecordedSpace::local) {
            pieces.push_back({lane, address, access.access.bytes});
            continue;
        }
        const unsigned words = (access.access.bytes + profile::kWordBytes - 1) / profile::kWordBytes;
        for (unsigned k = 0; k < words; ++k)
            pieces.push_back({lane,
                              (address / profile::kWordBytes + k) * profile::kLineBytes +
                                  quint64(lane) * profile::kWordBytes + address % profile::kWordBytes,
                              std::min(access.access.bytes, profile::kWordBytes)});
    }
    return pieces;
}

} // namespace

LanesPicture::LanesPicture(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Lanes and memory"));
    connect(&theme, &Theme::themeChanged, this, [this] {
        arrange();
        update();
    });
}

QSize LanesPicture::sizeHint() const { return {scaledPixels(840), scaledPixels(320)}; }
QSize LanesPicture::minimumSizeHint() const { return {scaledPixels(480), scaledPixels(200)}; }

void LanesPicture::clear() {
    shown_ = {};
    record_.reset();
    arrange();
    update();
}

void LanesPicture::showAccess(std::shared_ptr<const profile::WarpRecord> record, const RecordedAccess& access) {
    record_ = std::move(record);
    shown_ = access;
    arrange();
    update();
}

void LanesPicture::showBranch(std::shared_ptr<const profile::WarpRecord> record, const RecordedBranch& branch,
                              const QStringList& ways) {
    record_ = std::move(record);
    shown_ = branch;
    ways_ = ways;
    arrange();
    update();
}

quint32 LanesPicture::activeLanes() const {
    if (const auto* access = std::get_if<RecordedAccess>(&shown_)) return access->access.active;
    if (const auto* branch = std::get_if<RecordedBranch>(&shown_)) return branch->lanes;
    return 0;
}

int LanesPicture::lineHeight() const { return fontMetrics().height() + Theme::half; }

QRectF LanesPicture::laneRect(int lane) const {
    const double width = double(this->width() - 2 * Theme::grid) / lanesOfWarp;
    return {Theme::grid + lane * width, double(lineHeight()), width, double(lineHeight())};
}

// --- where everything lies

/// Of what is below the links.
double LanesPicture::neededHeight() const {
    const auto* access = std::get_if<RecordedAccess>(&shown_);
    if (access && access->space == RecordedSpace::shared)
        return double(lineHeight()) * profile::wavefronts_of(access->access).is;
    return (access ? 2.5 : 3.0) * lineHeight();
}

void LanesPicture::arrange() {
    cells_.clear();
    links_.clear();
    labels_.clear();
    hovered_ = -1;
    // Above are the lanes with a title, below a line of labels and the legend.
    const double lanes = laneRect(0).bottom(), bottom = height() - 2.0 * lineHeight() - Theme::grid;
    const double least = lanes + std::max(4.0 * Theme::grid, (bottom - lanes) * 0.3);
    const double top = std::max(least, std::min(bottom - neededHeight(), lanes + (bottom - lanes) * 0.65));
    const QRectF room(Theme::grid, top, width() - 2 * Theme::grid, std::max(bottom - top, double(lineHeight())));
    if (const auto* branch = std::get_if<RecordedBranch>(&shown_)) return arrangeWays(*branch, room);
    const auto* access = std::get_if<RecordedAccess>(&shown_);
    if (!access) return;
    if (access->space == RecordedSpace::shared)
        arrangeBanks(*access, room);
    else
        arrangeSectors(*access, room);
}

void LanesPicture::arrangeSectors(const RecordedAccess& access, const QRectF& room) {
    using profile::kLineBytes, profile::kSectorBytes;
    const std::vector<Piece> pieces = piecesOf(access);
    std::map<quint64, quint32> sectors; ///< touched, with their lanes
    std::map<quint64, double> lines;    ///< with the place of each
    for (const Piece& piece : pieces) {
        sectors[piece.address / kSectorBytes] |= 1U << piece.lane;
        lines[piece.address / kLineBytes] = 0;
    }
    int gaps = 0;
    quint64 before = lines.begin()->first;
    for (const auto& [line, place] : lines) {
        if (line > before + 1) ++gaps;
        before = line;
    }
    // A single line takes half of the width.
    const double most = room.width() / 2;
    const double width = std::min(most, (room.width() - gaps * lineGap) / double(lines.size()));
    const double height = std::min(room.height(), 2.5 * lineHeight());
    double x = room.left() + (room.width() - gaps * lineGap - width * double(lines.size())) / 2;
    before = lines.begin()->first;
    const bool isLocal = access.space == RecordedSpace::local;
    const auto nameOf = [&](quint64 address) {
        return isLocal ? tr("word %1").arg(address / kLineBytes)
                       : QString::fromStdString(record_->element_at(access.space, address));
    };
    double labelsEnd = 0;
    for (auto& [line, place] : lines) {
        if (line > before + 1) x += lineGap;
        before = line;
        place = x;
        for (unsigned k = 0; k < kLineBytes / kSectorBytes; ++k) {
            const quint64 sector = line * (kLineBytes / kSectorBytes) + k;
            const auto touched = sectors.find(sector);
            Cell cell;
            cell.rect = QRectF(x + width / 4 * k, room.top(), width / 4, height);
            if (touched != sectors.end()) {
                cell.lanes = touched->second;
                cell.tip = tr("Sector at %1: lanes %2").arg(nameOf(sector * kSectorBytes), lanesText(cell.lanes));
            } else {
                cell.tip = tr("Sector at %1: not fetched").arg(nameOf(sector * kSectorBytes));
            }
            cells_.push_back(std::move(cell));
        }
        const QString name = nameOf(line * kLineBytes);
        const int needed = fontMetrics().horizontalAdvance(name) + Theme::grid;
        if (x >= labelsEnd && x + needed <= room.right() + Theme::grid) {
            labels_.push_back({QRectF(x, room.top() + height + 2, needed, lineHeight()), name});
            labelsEnd = x + needed;
        }
        x += width;
    }
    const auto placeOf = [&](quint64 address) {
        return lines[address / kLineBytes] + width * double(address % kLineBytes) / kLineBytes;
    };
    for (const Piece& piece : pieces) {
        const double from = placeOf(piece.address), bytes = width * piece.bytes / double(kLineBytes);
        const auto cell = std::find_if(cells_.begin(), cells_.end(), [&](const Cell& each) {
            return from + 1e-6 >= each.rect.left() && from + 1e-6 < each.rect.right();
        });
        // A few bytes of a narrow line are to be seen, too.
        if (cell != cells_.end())
            cell->asked.emplace_back(from, room.top(), std::max(bytes, std::min(4.0, cell->rect.width())), height);
        links_.push_back({piece.lane, QPointF(from + bytes / 2, room.top()), 0});
    }
}

void LanesPicture::arrangeBanks(const RecordedAccess& access, const QRectF& room) {
    using profile::kBanks, profile::kWordBytes;
    const profile::WarpAccess& lanes = access.access;
    const unsigned words = (lanes.bytes + kWordBytes - 1) / kWordBytes;
    const int together = lanes.bytes <= kWordBytes ? lanesOfWarp : int(kBanks * kWordBytes / lanes.bytes);
    struct Word {
        quint64 word;
        quint32 lanes;
        int row;
    };
    std::vector<std::vector<Word>> banks(kBanks);
    int rows = 0;
    // Each part of the warp goes through the banks by itself, below the one before.
    for (int first = 0; first < lanesOfWarp; first += together) {
        std::vector<int> used(kBanks, 0);
        for (int lane = first; lane < first + together; ++lane) {
            if (!(lanes.active >> lane & 1)) continue;
            for (unsigned k = 0; k < words; ++k) {
                const quint64 word = lanes.addresses[size_t(lane)] / kWordBytes + k;
                std::vector<Word>& bank = banks[word % kBanks];
                const auto known = std::find_if(
                    bank.begin(), bank.end(), [&](const Word& each) { return each.word == word && each.row >= rows; });
                if (known != bank.end())
                    known->lanes |= 1U << lane;
                else
                    bank.push_back({word, 1U << lane, rows + used[word % kBanks]++});
            }
        }
        rows += *std::max_element(used.begin(), used.end());
    }
    if (rows == 0) return;
    const double width = room.width() / kBanks, height = std::min(double(lineHeight()), room.height() / rows);
    for (unsigned bank = 0; bank < kBanks; ++bank) {
        const double x = room.left() + width * bank;
        for (int row = 0; row < rows; ++row) {
            Cell cell;
            cell.rect = QRectF(x, room.top() + height * row, width, height);
            cell.shade = row;
            const auto word =
                std::find_if(banks[bank].begin(), banks[bank].end(), [&](const Word& each) { return each.row == row; });
            if (word == banks[bank].end()) {
                cell.tip = tr("Bank %1 has nothing to do in wavefront %2").arg(bank).arg(row + 1);
                cells_.push_back(std::move(cell));
                continue;
            }
            cell.lanes = word->lanes;
            cell.asked.push_back(cell.rect);
            cell.label = QString::number(word->word);
            cell.tip =
                tr("Bank %1, wavefront %2: %3, lanes %4")
                    .arg(bank)
                    .arg(row + 1)
                    .arg(QString::fromStdString(record_->element_at(RecordedSpace::shared, word->word * kWordBytes)),
                         lanesText(word->lanes));
            for (quint32 left = word->lanes; left; left &= left - 1)
                links_.push_back({std::countr_zero(left), QPointF(x + width / 2, cell.rect.top()), row});
            cells_.push_back(std::move(cell));
        }
        labels_.push_back(
            {QRectF(x, room.top() + height * rows + 2, width, lineHeight()), QString::number(bank), true});
    }
}

void LanesPicture::arrangeWays(const RecordedBranch& branch, const QRectF& room) {
    const int count = int(branch.ways.size());
    if (count == 0) return;
    const double width = (room.width() - (count - 1) * Theme::grid) / count;
    const double height = std::min(room.height(), 3.0 * lineHeight());
    for (int k = 0; k < count; ++k) {
        Cell cell;
        cell.rect = QRectF(room.left() + k * (width + Theme::grid), room.top(), width, height);
        cell.lanes = branch.ways[size_t(k)].lanes;
        cell.label = k < ways_.size() ? ways_[k] : QString();
        cell.tip = tr("Lanes %1").arg(lanesText(cell.lanes));
        cell.shade = k;
        // The lanes arrive side by side.
        const int lanes = std::popcount(cell.lanes);
        int at = 0;
        for (quint32 left = cell.lanes; left; left &= left - 1) {
            const double x = cell.rect.left() + width * (at++ + 0.5) / lanes;
            links_.push_back({std::countr_zero(left), QPointF(x, cell.rect.top()), k});
        }
        cells_.push_back(std::move(cell));
    }
}

// --- colours and painting

QColor LanesPicture::shadeOf(int shade) const {
    if (std::holds_alternative<RecordedBranch>(shown_)) return theme_.series(shade);
    const Colours& colours = theme_.colours();
    return shade == 0 ? colours.accent : colours.warning; // further wavefronts of a bank
}

void LanesPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Colours& colours = theme_.colours();
    painter.fillRect(rect(), colours.base);
    if (hasFocus()) {
        painter.setPen(colours.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    if (!record_) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isBranch = std::holds_alternative<RecordedBranch>(shown_);

    // Links lie below everything, the one under the pointer above the others.
    const auto drawLink = [&](const Link& link) {
        const bool isHovered = link.lane == hovered_;
        QColor colour = shadeOf(link.shade);
        if (!isHovered) colour.setAlpha(hovered_ >= 0 ? 45 : 150);
        painter.setPen(QPen(colour, isHovered ? 2.5 : 1.2));
        const QRectF lane = laneRect(link.lane);
        const QPointF from(lane.center().x(), lane.bottom());
        const double half = (link.to.y() - from.y()) / 2;
        QPainterPath path(from);
        path.cubicTo(from + QPointF(0, half), link.to - QPointF(0, half), link.to);
        painter.drawPath(path);
    };
    for (const Link& link : links_)
        if (link.lane != hovered_) drawLink(link);
    for (const Link& link : links_)
        if (link.lane == hovered_) drawLink(link);

    painter.setRenderHint(QPainter::Antialiasing, false);
    const QFontMetrics metrics = fontMetrics();
    painter.setPen(colours.mutedText);
    painter.drawText(QRectF(Theme::grid, 0, width(), lineHeight()), Qt::AlignVCenter, tr("Lanes"));
    const quint32 active = activeLanes();
    for (int lane = 0; lane < lanesOfWarp; ++lane) {
        const QRectF box = laneRect(lane).adjusted(1, 0, -1, 0);
        const bool isActive = active >> lane & 1;
        QColor fill = colours.accent;
        if (isBranch)
            for (const Cell& cell : cells_)
                if (cell.lanes >> lane & 1) fill = shadeOf(cell.shade);
        const bool isHovered = lane == hovered_;
        if (isActive && (hovered_ < 0 || isHovered || isBranch)) {
            painter.fillRect(box, fill);
        } else if (isActive) {
            painter.fillRect(box, colours.accentSoft);
        } else {
            painter.setPen(QPen(colours.disabledText, 1, Qt::DotLine));
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        const QString number = QString::number(lane);
        if (metrics.horizontalAdvance(number) + 2 > box.width()) continue;
        const bool isSolid = isActive && (hovered_ < 0 || isHovered || isBranch);
        painter.setPen(isSolid ? colours.accentText : isActive ? colours.text : colours.disabledText);
        painter.drawText(box, Qt::AlignCenter, number);
    }

    for (const Cell& cell : cells_) {
        const bool isOfHovered = hovered_ >= 0 && (cell.lanes >> hovered_ & 1);
        QColor shade = shadeOf(cell.shade);
        painter.fillRect(cell.rect, !cell.lanes ? colours.base : isBranch ? colours.alternate : colours.accentSoft);
        for (const QRectF& part : cell.asked) {
            QColor asked = shade;
            if (hovered_ >= 0 && !isOfHovered) asked.setAlpha(110);
            painter.fillRect(part.adjusted(0.5, 1, -0.5, 0), asked);
        }
        painter.setPen(isOfHovered ? QPen(colours.text, 2) : QPen(isBranch ? shade : colours.border, isBranch ? 2 : 1));
        painter.drawRect(cell.rect);
        if (cell.label.isEmpty()) continue;
        if (isBranch) {
            painter.setPen(colours.text);
            painter.drawText(cell.rect.adjusted(Theme::half, 0, -Theme::half, 0), Qt::AlignCenter | Qt::TextWordWrap,
                             cell.label);
        } else if (metrics.horizontalAdvance(cell.label) + 2 <= cell.rect.width() &&
                   metrics.height() <= cell.rect.height() + 2) {
            painter.setPen(colours.accentText);
            painter.drawText(cell.rect, Qt::AlignCenter, cell.label);
        }
    }
    painter.setPen(colours.mutedText);
    for (const Label& label : labels_)
        if (metrics.horizontalAdvance(label.text) <= label.rect.width())
            painter.drawText(label.rect, Qt::AlignVCenter | (label.centred ? Qt::AlignHCenter : Qt::AlignLeft),
                             label.text);
    paintLegend(painter);
}

void LanesPicture::paintLegend(QPainter& painter) const {
    struct Entry {
        QColor fill, line;
        QString text;
    };
    const Colours& colours = theme_.colours();
    std::vector<Entry> entries;
    if (const auto* access = std::get_if<RecordedAccess>(&shown_)) {
        if (access->space == RecordedSpace::shared) {
            entries = {{colours.accent, colours.accent, tr("words of the first wavefront, by bank")},
                       {colours.warning, colours.warning, tr("further wavefronts: one below the other")}};
        } else {
            entries = {{colours.accent, colours.accent, tr("bytes that lanes ask for")},
                       {colours.accentSoft, colours.border, tr("rest of a sector that is fetched")},
                       {colours.base, colours.border, tr("sector of the line that is not fetched")}};
        }
    }
    if (activeLanes() != ~0U) entries.push_back({colours.base, colours.disabledText, tr("lane that takes no part")});
    const QFontMetrics metrics = fontMetrics();
    const int box = metrics.ascent();
    double x = Theme::grid;
    const double y = height() - lineHeight() - Theme::half;
    for (const Entry& entry : entries) {
        const int needed = box + Theme::half + metrics.horizontalAdvance(entry.text);
        if (x + needed > width()) break;
        painter.fillRect(QRectF(x, y + (lineHeight() - box) / 2.0, box, box), entry.fill);
        painter.setPen(entry.line);
        painter.drawRect(QRectF(x, y + (lineHeight() - box) / 2.0, box, box));
        painter.setPen(colours.mutedText);
        painter.drawText(QRectF(x + box + Theme::half, y, needed, lineHeight()), Qt::AlignVCenter, entry.text);
        x += needed + 2 * Theme::grid;
    }
}

// --- pointer and keys

QString LanesPicture::laneText(int lane) const {
    if (!record_ || lane < 0 || lane >= lanesOfWarp) return {};
    const auto thread = profile::thread_of(*record_, quint32(lane));
    QString who = tr("Lane %1, thread (%2,%3,%4)").arg(lane).arg(thread[0]).arg(thread[1]).arg(thread[2]);
    if (!(record_->lanes >> lane & 1)) return tr("Lane %1: the block has no such thread").arg(lane);
    if (!(activeLanes() >> lane & 1)) return tr("%1 takes no part").arg(who);
    if (const auto* access = std::get_if<RecordedAccess>(&shown_)) {
        const quint64 address = access->access.addresses[size_t(lane)];
        const QString element = QString::fromStdString(record_->element_at(access->space, address));
        const QString at = access->space == RecordedSpace::global ? addressText(address) : tr("byte %1").arg(address);
        return element == at ? tr("%1: %2").arg(who, at) : tr("%1: %2 at %3").arg(who, element, at);
    }
    for (const Cell& cell : cells_)
        if (cell.lanes >> lane & 1)
            return tr("%1: %2").arg(who, QString(cell.label).replace(QLatin1Char('\n'), QLatin1String(": ")));
    return who;
}

QString LanesPicture::textAt(const QPointF& point) const {
    for (int lane = 0; lane < lanesOfWarp; ++lane)
        if (laneRect(lane).contains(point)) return laneText(lane);
    for (const Cell& cell : cells_)
        if (cell.rect.contains(point)) return cell.tip;
    return {};
}

void LanesPicture::hover(int lane) {
    if (lane == hovered_) return;
    hovered_ = lane;
    update();
}

void LanesPicture::mouseMoveEvent(QMouseEvent* event) {
    int found = -1;
    for (int lane = 0; lane < lanesOfWarp && record_; ++lane)
        if (laneRect(lane).contains(event->position()) && (activeLanes() >> lane & 1)) found = lane;
    hover(found);
}

void LanesPicture::leaveEvent(QEvent*) { hover(-1); }

bool LanesPicture::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void LanesPicture::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left: emit stepped(-1); break;
    case Qt::Key_Right: emit stepped(1); break;
    case Qt::Key_Home: emit ended(false); break;
    case Qt::Key_End: emit ended(true); break;
    default: QWidget::keyPressEvent(event);
    }
}

void LanesPicture::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void LanesPicture::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void LanesPicture::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace warplight::ui
