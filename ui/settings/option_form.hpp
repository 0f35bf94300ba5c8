// SPDX-License-Identifier: GPL-3.0-or-later
/// How options stand in dialogs: a label, its field, the same distances everywhere.
#pragma once

#include <QFormLayout>

namespace warplight::ui {

class OptionForm : public QFormLayout {
public:
    explicit OptionForm(QWidget* parent = nullptr);
    /// A field with a text of its own, a box to tick, has no label. `&` in the label is the field's letter.
    void addOption(const QString& label, QWidget* field);
    /// The fields of these forms begin at one place.
    static void align(std::initializer_list<OptionForm*> forms);

private:
    QList<QLabel*> labels_;
};

} // namespace warplight::ui
