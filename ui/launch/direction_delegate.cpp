// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/direction_delegate.hpp"

#include "ui/launch/arguments_model.hpp"

#include <QComboBox>
#include <QTimer>

namespace warplight::ui {

QWidget* DirectionDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const {
    auto* box = new QComboBox(parent);
    for (auto each : {session::Direction::in, session::Direction::out, session::Direction::inout})
        box->addItem(ArgumentsModel::directionName(each), int(each));
    connect(box, &QComboBox::activated, this, [this, box] {
        emit const_cast<DirectionDelegate*>(this)->commitData(box);
        emit const_cast<DirectionDelegate*>(this)->closeEditor(box);
    });
    return box;
}

void DirectionDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* box = static_cast<QComboBox*>(editor);
    box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
    QTimer::singleShot(0, box, &QComboBox::showPopup);
}

void DirectionDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    model->setData(index, static_cast<QComboBox*>(editor)->currentData(), Qt::EditRole);
}

} // namespace warplight::ui
