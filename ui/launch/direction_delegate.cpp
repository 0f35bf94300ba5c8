// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/direction_delegate.hpp"

#include "ui/launch/arguments_model.hpp"

#include <QComboBox>

namespace warplight::ui {

QWidget* DirectionDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const {
    auto* box = new QComboBox(parent);
    for (const auto direction : {session::Direction::in, session::Direction::out, session::Direction::inout})
        box->addItem(directionName(direction), static_cast<int>(direction));
    connect(box, &QComboBox::activated, this, [this, box] {
        auto* self = const_cast<DirectionDelegate*>(this);
        emit self->commitData(box);
        emit self->closeEditor(box);
    });
    return box;
}

void DirectionDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* box = static_cast<QComboBox*>(editor);
    box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
}

void DirectionDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    model->setData(index, static_cast<QComboBox*>(editor)->currentData(), Qt::EditRole);
}

} // namespace warplight::ui
