// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/view_bar.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace warplight::ui {

ViewBar::ViewBar(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->setSpacing(Theme::half);
    field_ = new QComboBox(this);
    field_->setAccessibleName(tr("Field of structs"));
    field_->setToolTip(tr("Show all fields, or one of them as numbers of its own"));
    field_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    part_ = new QComboBox(this);
    part_->setAccessibleName(tr("Part of complex numbers"));
    sliced_ = new QCheckBox(tr("Slice"), this);
    sliced_->setToolTip(tr("Show two axes at one index of each other axis, on Table, Plot, Histogram and Image alike"));
    axes_ = new QWidget(this);
    boxesRow_ = new QHBoxLayout(axes_);
    boxesRow_->setContentsMargins(0, 0, 0, 0);
    boxesRow_->setSpacing(Theme::half);
    rows_ = new QComboBox(axes_);
    rows_->setAccessibleName(tr("Axis of the rows"));
    columns_ = new QComboBox(axes_);
    columns_->setAccessibleName(tr("Axis of the columns"));
    boxesRow_->addWidget(new QLabel(tr("Rows"), axes_));
    boxesRow_->addWidget(rows_);
    boxesRow_->addWidget(new QLabel(tr("Columns"), axes_));
    boxesRow_->addWidget(columns_);
    const auto tool = [this](const char* picture, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setIcon(icon(QLatin1String(picture)));
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        return button;
    };
    auto* save = tool("save", tr("Save what is shown here"));
    auto* keep = tool("pin", tr("Keep what is shown here as a buffer of its own"));
    save_ = save;
    keep_ = keep;
    row->addWidget(field_);
    row->addWidget(part_);
    row->addWidget(sliced_);
    row->addWidget(axes_);
    row->addStretch();
    row->addWidget(keep_);
    row->addWidget(save_);
    connect(field_, &QComboBox::currentIndexChanged, this, &ViewBar::chooseField);
    connect(keep, &QToolButton::clicked, this, &ViewBar::keepRequested);

    connect(sliced_, &QCheckBox::toggled, this, [this] {
        showBoxes();
        derive();
    });
    connect(part_, &QComboBox::currentIndexChanged, this, [this] {
        // The pairs are an axis as they are stored, and none as numbers.
        if (isPairs()) rebuild();
        derive();
    });
    // An axis is rows or columns: choosing it for both exchanges them.
    const auto choose = [this](QComboBox* chosen, QComboBox* other) {
        if (chosen->currentIndex() == other->currentIndex()) {
            QList<int> free;
            for (int axis = 0; axis < other->count(); ++axis)
                if (axis != chosen->currentIndex()) free << axis;
            const QSignalBlocker block(other);
            const int before = chosen->property("before").toInt();
            other->setCurrentIndex(free.contains(before) ? before : free.value(0));
        }
        for (QComboBox* box : {rows_, columns_})
            box->setProperty("before", box->currentIndex());
        showBoxes();
        derive();
    };
    connect(rows_, &QComboBox::currentIndexChanged, this, [this, choose] { choose(rows_, columns_); });
    connect(columns_, &QComboBox::currentIndexChanged, this, [this, choose] { choose(columns_, rows_); });
    connect(save, &QToolButton::clicked, this, &ViewBar::saveRequested);
    hide();
}

ViewBar::~ViewBar() {
    if (!source_) return;
    for (const qint64 id : std::as_const(used_))
        source_->close(id);
    if (fieldId_ >= 0) source_->close(fieldId_);
    for (const qint64 id : std::as_const(fields_))
        source_->close(id);
}

bool ViewBar::isPairs() const { return base_.type.isFloating() && base_.shape.size() >= 2 && base_.shape.last() == 2; }
bool ViewBar::hasParts() const { return base_.type.isComplex() || isPairs(); }

QList<qint64> ViewBar::shape() const {
    QList<qint64> shape = base_.shape;
    if (isPairs() && part_->currentIndex() > 0) shape.removeLast();
    return shape;
}

void ViewBar::setBuffer(BufferSource* source, const BufferInfo& info) {
    const bool same = source_ == source && given_.id == info.id && given_.fields == info.fields;
    if (same) return;
    const bool alike = info.isStructs() && given_.fields == info.fields;
    closeField();
    source_ = source;
    given_ = info;
    if (!alike) {
        const QSignalBlocker block(field_);
        field_->clear();
        if (info.isStructs()) field_->addItem(tr("All fields"));
        for (const BufferField& field : info.fields) {
            field_->addItem(field.shortName(), field.name);
            field_->setItemData(field_->count() - 1, field.typeText(), Qt::ToolTipRole);
        }
    }
    chooseField();
}

void ViewBar::setField(const QString& name) {
    field_->setCurrentIndex(name.isEmpty() ? 0 : std::max(0, field_->findData(name)));
}

/// The buffer of a field that was chosen, once nothing shown is made of it.
void ViewBar::closeField() {
    ++fieldGeneration_;
    if (const qint64 id = std::exchange(fieldId_, -1); id >= 0) fields_ << id;
}

void ViewBar::chooseField() {
    closeField();
    if (!source_ || field_->currentIndex() <= 0) {
        setBase(given_);
        return;
    }
    source_->field(given_.id, field_->currentData().toString(), {}, this,
                   [this, generation = fieldGeneration_](const BufferReply<BufferInfo>& reply) {
                       if (generation != fieldGeneration_) {
                           if (reply.ok() && source_) source_->close(reply.value.id);
                       } else if (!reply.ok()) {
                           emit message(reply.error);
                           field_->setCurrentIndex(0);
                       } else {
                           BufferInfo field = reply.value;
                           fieldId_ = field.id;
                           field.name = QStringLiteral("%1.%2").arg(given_.name, field_->currentText());
                           field.role = given_.role;
                           field.run = given_.run;
                           setBase(field);
                       }
                   });
}

void ViewBar::setBase(const BufferInfo& info) {
    const bool alike = info.isValid() && base_.isValid() && info.type == base_.type && info.shape == base_.shape;
    base_ = info;
    if (alike) {
        showBoxes();
        derive();
        return;
    }
    {
        const QSignalBlocker first(part_), second(sliced_);
        part_->clear();
        part_->addItem(isPairs() ? tr("As stored") : tr("re + im i"));
        // Pairs of floats become numbers only here.
        const QList<QPair<QString, ComplexPart>> parts{{tr("re + im i"), ComplexPart::Both},
                                                       {tr("Real"), ComplexPart::Real},
                                                       {tr("Imaginary"), ComplexPart::Imaginary},
                                                       {tr("Magnitude"), ComplexPart::Magnitude},
                                                       {tr("Phase"), ComplexPart::Phase}};
        for (const auto& [text, part] : parts)
            if (part != ComplexPart::Both || isPairs()) part_->addItem(text, int(part));
        sliced_->setChecked(false);
    }
    rebuild();
    derive();
}

void ViewBar::rebuild() {
    const QList<qint64> lengths = shape();
    for (QSpinBox* box : std::as_const(boxes_))
        box->deleteLater();
    boxes_.clear();
    const QSignalBlocker first(rows_), second(columns_), third(sliced_);
    rows_->clear();
    columns_->clear();
    const bool some = lengths.size() >= 3 && base_.count() > 0;
    if (!some) sliced_->setChecked(false);
    for (qsizetype axis = 0; some && axis < lengths.size(); ++axis) {
        for (QComboBox* box : {rows_, columns_})
            box->addItem(tr("axis %1 (%2)").arg(axis).arg(lengths[axis]));
        auto* box = new QSpinBox(axes_);
        box->setRange(0, int(std::min<qint64>(lengths[axis] - 1, 1 << 30)));
        box->setPrefix(tr("axis %1: ").arg(axis));
        box->setAccessibleName(tr("Index on axis %1").arg(axis));
        connect(box, &QSpinBox::valueChanged, this, &ViewBar::derive);
        boxesRow_->addWidget(box);
        boxes_ << box;
    }
    rows_->setCurrentIndex(int(lengths.size()) - 2);
    columns_->setCurrentIndex(int(lengths.size()) - 1);
    for (QComboBox* box : {rows_, columns_})
        box->setProperty("before", box->currentIndex());
    showBoxes();
}

void ViewBar::showBoxes() {
    field_->setVisible(given_.isStructs());
    part_->setVisible(hasParts());
    sliced_->setVisible(!boxes_.isEmpty());
    axes_->setVisible(sliced_->isChecked());
    for (int axis = 0; axis < int(boxes_.size()); ++axis)
        boxes_[axis]->setVisible(axis != rows_->currentIndex() && axis != columns_->currentIndex());
    setVisible(given_.isStructs() || hasParts() || !boxes_.isEmpty());
}

void ViewBar::setSliced(bool on) { sliced_->setChecked(on); }
void ViewBar::setPart(int part) { part_->setCurrentIndex(part); }

void ViewBar::setAxes(int rows, int columns) {
    rows_->setCurrentIndex(rows);
    columns_->setCurrentIndex(columns);
}

void ViewBar::setIndex(int axis, qint64 index) { boxes_[axis]->setValue(int(index)); }

QString ViewBar::name() const {
    QString text = base_.name;
    if (sliced_->isChecked()) {
        QStringList places;
        for (int axis = 0; axis < int(boxes_.size()); ++axis)
            places << (boxes_[axis]->isVisibleTo(axes_) ? QString::number(boxes_[axis]->value()) : QStringLiteral(":"));
        text += QStringLiteral(" [%1]").arg(places.join(QStringLiteral(", ")));
    }
    if (part_->currentIndex() > 0) text += QStringLiteral(" (%1)").arg(part_->currentText());
    return text;
}

/// What is shown stays until the answer is there.
void ViewBar::derive() {
    ++generation_;
    for (const qint64 id : std::exchange(coming_, {}))
        source_->close(id);
    const bool part = hasParts() && part_->currentIndex() > 0;
    if (!source_ || !base_.isValid() || (!part && !isSliced())) {
        take(base_);
        return;
    }
    if (!part) {
        slice(base_);
        return;
    }
    source_->complexPart(base_.id, ComplexPart(part_->currentData().toInt()), this,
                         [this, generation = generation_](const BufferReply<BufferInfo>& reply) {
                             if (generation != generation_) {
                                 if (reply.ok() && source_) source_->close(reply.value.id);
                                 return;
                             }
                             if (!reply.ok()) {
                                 fail(reply.error);
                                 return;
                             }
                             coming_ << reply.value.id;
                             if (isSliced())
                                 slice(reply.value);
                             else
                                 take(reply.value);
                         });
}

void ViewBar::slice(const BufferInfo& of) {
    BufferSlice slice;
    for (const int axis : {rows_->currentIndex(), columns_->currentIndex()})
        slice.axes.append({axis, 0, of.shape.value(axis)});
    for (QSpinBox* box : std::as_const(boxes_))
        slice.index << box->value();
    source_->slice(of.id, slice, this, [this, generation = generation_](const BufferReply<BufferInfo>& reply) {
        if (generation != generation_) {
            if (reply.ok() && source_) source_->close(reply.value.id);
        } else if (!reply.ok()) {
            fail(reply.error);
        } else {
            coming_ << reply.value.id;
            take(reply.value);
        }
    });
}

void ViewBar::take(const BufferInfo& info) {
    const QList<qint64> old = std::exchange(used_, std::exchange(coming_, {})) + std::exchange(fields_, {});
    const BufferInfo before = std::exchange(shown_, info);
    if (isDerived()) {
        shown_.name = name();
        shown_.role = given_.role;
        shown_.run = given_.run;
        shown_.rate = given_.rate;
    }
    save_->setVisible(isDerived());
    keep_->setVisible(isDerived());
    if (before.id != shown_.id || before.fields != shown_.fields) emit shownChanged();
    if (source_)
        for (const qint64 id : old)
            source_->close(id);
}

BufferView ViewBar::choice() const {
    BufferView view;
    if (field_->currentIndex() > 0) view.field = field_->currentData().toString();
    if (hasParts() && part_->currentIndex() > 0) view.part = ComplexPart(part_->currentData().toInt());
    if (!isSliced()) return view;
    BufferSlice slice;
    for (const int axis : {rows_->currentIndex(), columns_->currentIndex()})
        slice.axes.append({axis, 0, -1});
    for (const QSpinBox* box : std::as_const(boxes_))
        slice.index << box->value();
    view.slice = slice;
    return view;
}

BufferInfo ViewBar::release() {
    used_.removeOne(shown_.id);
    if (fieldId_ == shown_.id) fieldId_ = -1; // it is made again when it is shown again
    return shown_;
}

bool ViewBar::isSliced() const { return sliced_->isChecked() && !boxes_.isEmpty(); }

qint64 ViewBar::wholeIndex(qint64 index) const {
    if (index < 0 || shown_.count() <= 0) return -1;
    if (isSliced() && shown_.id != base_.id) {
        const qint64 width = std::max<qint64>(1, shown_.shape.value(1, 1));
        const QList<qint64> lengths = shape();
        qint64 flat = 0;
        for (int axis = 0; axis < int(boxes_.size()); ++axis) {
            const qint64 at = axis == rows_->currentIndex()      ? index / width
                              : axis == columns_->currentIndex() ? index % width
                                                                 : boxes_[axis]->value();
            flat = flat * lengths.value(axis, 1) + at;
        }
        index = flat;
    }
    if (isPairs() && part_->currentIndex() > 0) index *= 2;
    if (base_.id != given_.id) index /= std::max<qint64>(1, base_.count() / std::max<qint64>(1, given_.count()));
    return index < given_.count() ? index : -1;
}

qint64 ViewBar::shownIndex(qint64 index) const {
    if (index < 0 || index >= given_.count()) return -1;
    if (base_.id != given_.id) index *= std::max<qint64>(1, base_.count() / std::max<qint64>(1, given_.count()));
    if (isPairs() && part_->currentIndex() > 0) index /= 2;
    if (isSliced() && shown_.id != base_.id) {
        const QList<qint64> lengths = shape();
        qint64 row = 0, column = 0;
        for (int axis = int(boxes_.size()) - 1; axis >= 0; --axis) {
            const qint64 length = std::max<qint64>(1, lengths.value(axis, 1)), at = index % length;
            index /= length;
            if (axis == rows_->currentIndex())
                row = at;
            else if (axis == columns_->currentIndex())
                column = at;
            else if (at != boxes_[axis]->value())
                return -1;
        }
        index = row * std::max<qint64>(1, shown_.shape.value(1, 1)) + column;
    }
    return index < shown_.count() ? index : -1;
}

void ViewBar::fail(const QString& error) {
    for (const qint64 id : std::exchange(coming_, {}))
        source_->close(id);
    {
        const QSignalBlocker first(part_), second(sliced_);
        part_->setCurrentIndex(0);
        sliced_->setChecked(false);
    }
    rebuild();
    emit message(error);
    take(base_);
}

} // namespace warplight::ui
