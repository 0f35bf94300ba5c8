// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/lanes_page.hpp"

#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSpinBox>
#include <QVBoxLayout>

namespace warplight::ui {

LanesPage::LanesPage(DebugSession& session, Theme& theme, QWidget* parent) : QWidget(parent), session_(session) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    column->setSpacing(Theme::half);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(Theme::half);
    expression_ = new QLineEdit;
    expression_->setPlaceholderText(tr("Variable or expression"));
    expression_->setAccessibleName(tr("Variable or expression to show in all threads"));
    expression_->setClearButtonEnabled(true);
    kind_ = new QComboBox;
    kind_->setAccessibleName(tr("Threads to show"));
    kind_->setToolTip(kind_->accessibleName());
    kind_->addItems({tr("Warp"), tr("Block")});
    colours_ = new QComboBox;
    colours_->setAccessibleName(tr("Colours"));
    colours_->setToolTip(colours_->accessibleName());
    colours_->addItems(ColourMap::names());
    colours_->setCurrentIndex(ColourMap::Viridis);
    slice_ = new QSpinBox;
    slice_->setPrefix(tr("z = "));
    slice_->setAccessibleName(tr("Slice of the block"));
    slice_->setToolTip(slice_->accessibleName());
    slice_->hide();
    bar->addWidget(expression_, 1);
    bar->addWidget(kind_);
    bar->addWidget(slice_);
    bar->addWidget(colours_);
    column->addLayout(bar);
    note_ = new QLabel;
    note_->setWordWrap(true);
    picture_ = new LanePicture(theme);
    column->addWidget(note_);
    column->addWidget(picture_, 1);
    clear();

    connect(expression_, &QLineEdit::returnPressed, this, &LanesPage::refresh);
    connect(expression_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) clear();
    });
    connect(kind_, &QComboBox::currentIndexChanged, this, &LanesPage::refresh);
    connect(slice_, &QSpinBox::valueChanged, picture_, &LanePicture::setSlice);
    connect(colours_, &QComboBox::currentIndexChanged, this,
            [this](int index) { picture_->setColourMap(static_cast<ColourMap::Name>(index)); });
    connect(picture_, &LanePicture::threadChosen, &session_, &DebugSession::selectThread);
}

QString LanesPage::note() const { return note_->isHidden() ? QString() : note_->text(); }

LanePicture::Kind LanesPage::shownKind() const {
    return kind_->currentIndex() == 1 ? LanePicture::Kind::Block : LanePicture::Kind::Warp;
}

void LanesPage::say(const QString& text) {
    note_->setText(text);
    note_->setVisible(!text.isEmpty());
    if (!text.isEmpty()) picture_->setValues({}, shownKind());
}

void LanesPage::clear() {
    ++asked_;
    slice_->hide();
    say(tr("Type a variable, or choose Show in All Lanes in Variables."));
}

void LanesPage::setOld(bool old) { picture_->setOld(old); }

void LanesPage::show(const QString& expression) {
    expression_->setText(expression);
    refresh();
}

void LanesPage::refresh() {
    const QString expression = expression_->text().trimmed();
    const DebugFrame* frame = session_.shownFrame();
    if (expression.isEmpty() || !session_.isStanding() || !frame) return;
    const auto kind = shownKind();
    nlohmann::json arguments{{"expression", expression.toStdString()},
                             {"of", kind == LanePicture::Kind::Block ? "block" : "lanes"},
                             {"frameId", frame->id}};
    session_.ask(QStringLiteral("warplight/lanes"), std::move(arguments),
                 [this, kind, number = ++asked_, alive = QPointer<LanesPage>(this)](const DapReply& reply) {
                     if (!alive || number != asked_) return;
                     if (!reply.ok) return say(reply.error);
                     say({});
                     const LaneValues values = LaneValues::of(reply.body);
                     const auto depth = int(values.blockDim[2]);
                     slice_->setRange(0, depth - 1);
                     slice_->setSuffix(tr(" of %1").arg(depth));
                     slice_->setVisible(kind == LanePicture::Kind::Block && depth > 1);
                     picture_->setValues(values, kind);
                     picture_->setChosen(session_.standing().thread);
                 });
}

} // namespace warplight::ui
