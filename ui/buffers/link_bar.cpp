// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/link_bar.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace warplight::ui {

LinkBar::LinkBar(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* row = new QHBoxLayout(this);
    row->setSpacing(2);
    count_ = new QLabel(this);
    count_->setAccessibleName(tr("Elements that differ"));
    const auto tool = [this](const char* picture, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setIcon(icon(QLatin1String(picture)));
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        return button;
    };
    previous_ = tool("arrow-up", tr("Previous element that differs"));
    next_ = tool("arrow-down", tr("Next element that differs"));
    marks_ = tool("label", tr("Mark elements that differ"));
    link_ = tool("link", tr("Link cursors: one cursor for all buffers of a shape"));
    for (QToolButton* button : {marks_, link_}) {
        button->setCheckable(true);
        button->setChecked(true);
    }
    row->addWidget(count_);
    for (QToolButton* button : {previous_, next_, marks_})
        row->addWidget(button);
    connect(previous_, &QToolButton::clicked, this, [this] { emit stepRequested(false); });
    connect(next_, &QToolButton::clicked, this, [this] { emit stepRequested(true); });
    connect(marks_, &QToolButton::toggled, this, &LinkBar::marksToggled);
    connect(link_, &QToolButton::toggled, this, &LinkBar::linkToggled);
    connect(&theme_, &Theme::themeChanged, this, &LinkBar::restyle);
    restyle();
    showParts();
}

void LinkBar::restyle() {
    QPalette palette = count_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().error);
    count_->setPalette(palette);
}

void LinkBar::setMismatches(qint64 count, qint64 elements) {
    mismatches_ = count;
    count_->setText(QStringLiteral("✕ ") + tr("%1 differ").arg(formatCount(count)));
    count_->setToolTip(
        tr("%1 of %2 elements differ from what they are compared with").arg(formatCount(count), formatCount(elements)));
    showParts();
}

void LinkBar::setStepsShown(bool shown) {
    stepsShown_ = shown;
    showParts();
}

void LinkBar::showParts() {
    const bool some = mismatches_ > 0;
    count_->setVisible(some);
    marks_->setVisible(some);
    previous_->setVisible(some && stepsShown_);
    next_->setVisible(some && stepsShown_);
    const int margin = some ? Theme::half : 0;
    layout()->setContentsMargins(margin, 0, margin, 0);
    // The tabs give a corner its size only when they are asked to.
    updateGeometry();
    resize(sizeHint());
}

bool LinkBar::isMarking() const { return marks_->isChecked(); }
void LinkBar::setMarking(bool on) { marks_->setChecked(on); }
bool LinkBar::isLinking() const { return link_->isChecked(); }
void LinkBar::setLinking(bool on) { link_->setChecked(on); }
QString LinkBar::text() const { return count_->isHidden() ? QString() : count_->text(); }

} // namespace warplight::ui
