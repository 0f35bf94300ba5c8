// SPDX-License-Identifier: GPL-3.0-or-later
/// Rows of options in dialogs: a label and its field, with the same distances everywhere.
#pragma once

#include <QFormLayout>

namespace warplight::ui {

class OptionForm : public QFormLayout {
public:
    explicit OptionForm(QWidget* parent = nullptr);
    /// A check box has its own text and needs no label. `&` in the label marks the field's letter.
    void addOption(const QString& label, QWidget* field);
    /// Aligns the fields of these forms.
    static void align(std::initializer_list<OptionForm*> forms);

private:
    QList<QLabel*> labels_;
};

} // namespace warplight::ui
