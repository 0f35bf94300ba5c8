// SPDX-License-Identifier: GPL-3.0-or-later
/// Fields of the forms that edit arguments.
#pragma once

#include <QString>
#include <functional>

class QFormLayout;
class QLineEdit;
class QWidget;

namespace warplight::ui {

void setInvalid(QLineEdit* field, bool invalid);
/// The field with a button beside it, which chooses a file.
QWidget* withBrowse(QLineEdit* edit, const std::function<void()>& browse, const QString& tip);
QLineEdit* numberField(const QString& placeholder = {});
/// Of a form, with its label. An empty label stays as it is.
void showRow(const QFormLayout* form, QWidget* field, bool visible, const QString& label = {});

} // namespace warplight::ui
