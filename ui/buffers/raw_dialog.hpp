// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace warplight::ui {

/// Asks for type, shape and offset of the data in a raw file.
class RawDialog : public QDialog {
    Q_OBJECT
public:
    RawDialog(const QString& path, QWidget* parent = nullptr);

    QString type() const;
    QList<qint64> shape() const; ///< empty: all that is there
    qint64 offset() const;
    bool isValid() const { return problem().isEmpty(); }
    QString problem() const;

private:
    void check();

    qint64 size_;
    QComboBox* type_;
    QLineEdit *shape_, *offset_;
    QLabel* note_;
    QDialogButtonBox* buttons_;
};

} // namespace warplight::ui
