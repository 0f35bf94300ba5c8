// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/form_fields.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>

namespace warplight::ui {

void setInvalid(QLineEdit* field, bool invalid) {
    field->setProperty("invalid", invalid);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

QWidget* withBrowse(QLineEdit* edit, const std::function<void()>& browse, const QString& tip) {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::half);
    auto* button = new QToolButton;
    button->setIcon(icon(QStringLiteral("folder")));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    layout->addWidget(edit, 1);
    layout->addWidget(button);
    QObject::connect(button, &QToolButton::clicked, row, browse);
    return row;
}

QLineEdit* numberField(const QString& placeholder) {
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(placeholder);
    return edit;
}

void showRow(const QFormLayout* form, QWidget* field, bool visible, const QString& label) {
    if (auto* text = qobject_cast<QLabel*>(form->labelForField(field))) {
        text->setVisible(visible);
        if (!label.isEmpty()) text->setText(label);
    }
    field->setVisible(visible);
}

} // namespace warplight::ui
