// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/option_form.hpp"

#include "ui/common/theme.hpp"

#include <QLabel>
#include <algorithm>

namespace warplight::ui {

OptionForm::OptionForm(QWidget* parent) : QFormLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setHorizontalSpacing(2 * Theme::grid);
    setVerticalSpacing(Theme::grid);
    setFieldGrowthPolicy(AllNonFixedFieldsGrow);
}

void OptionForm::addOption(const QString& label, QWidget* field) {
    auto* made = new QLabel(label);
    made->setBuddy(field);
    addRow(made, field);
    labels_ << made;
}

void OptionForm::align(std::initializer_list<OptionForm*> forms) {
    int width = 0;
    for (const OptionForm* form : forms)
        for (const QLabel* label : form->labels_)
            width = std::max(width, label->sizeHint().width());
    for (const OptionForm* form : forms)
        for (QLabel* label : form->labels_)
            label->setMinimumWidth(width);
}

} // namespace warplight::ui
