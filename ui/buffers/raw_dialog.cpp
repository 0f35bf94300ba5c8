// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/raw_dialog.hpp"

#include "ui/buffers/element_type.hpp"
#include "ui/common/format.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <limits>

namespace warplight::ui {

RawDialog::RawDialog(const QString& path, QWidget* parent) : QDialog(parent), size_(QFileInfo(path).size()) {
    setWindowTitle(tr("Open %1").arg(QFileInfo(path).fileName()));
    auto* form = new QFormLayout(this);
    type_ = new QComboBox(this);
    type_->addItems({QStringLiteral("uint8"), QStringLiteral("int8"), QStringLiteral("int16"), QStringLiteral("uint16"),
                     QStringLiteral("int32"), QStringLiteral("uint32"), QStringLiteral("int64"),
                     QStringLiteral("uint64"), QStringLiteral("float16"), QStringLiteral("float32"),
                     QStringLiteral("float64"), QStringLiteral("complex64"), QStringLiteral("complex128")});
    type_->setCurrentText(QStringLiteral("float32"));
    shape_ = new QLineEdit(this);
    shape_->setPlaceholderText(tr("all, or as 1024, 768"));
    offset_ = new QLineEdit(QStringLiteral("0"), this);
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    form->addRow(tr("&Type"), type_);
    form->addRow(tr("&Shape"), shape_);
    form->addRow(tr("Bytes to s&kip"), offset_);
    form->addRow(note_);
    form->addRow(buttons_);
    connect(type_, &QComboBox::currentIndexChanged, this, &RawDialog::check);
    connect(shape_, &QLineEdit::textChanged, this, &RawDialog::check);
    connect(offset_, &QLineEdit::textChanged, this, &RawDialog::check);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

QString RawDialog::type() const { return type_->currentText(); }

QList<qint64> RawDialog::shape() const {
    QList<qint64> shape;
    const QStringList parts = shape_->text().split(QRegularExpression(QStringLiteral("[^0-9]+")), Qt::SkipEmptyParts);
    for (const QString& part : parts)
        shape << part.toLongLong();
    return shape;
}

qint64 RawDialog::offset() const {
    bool ok = false;
    const qint64 value = offset_->text().trimmed().toLongLong(&ok, 0);
    return ok ? value : -1;
}

QString RawDialog::problem() const {
    const qint64 skip = offset();
    if (skip < 0 || skip > size_) return tr("The file has %1.").arg(formatBytes(quint64(size_)));
    static const QRegularExpression allowed(QStringLiteral("^[0-9,;x×* \\[\\]()]*$"));
    if (!allowed.match(shape_->text()).hasMatch()) return tr("Give the shape as lengths: 1024, 768.");
    const int itemSize = ElementType::fromName(type()).size;
    qint64 bytes = itemSize;
    const QList<qint64> lengths = shape();
    for (qint64 length : lengths) {
        if (length > 0 && bytes > std::numeric_limits<qint64>::max() / length) return tr("The shape is too large.");
        bytes *= length;
    }
    if (!lengths.isEmpty() && bytes > size_ - skip)
        return tr("The shape needs %1, the file has %2 there.")
            .arg(formatBytes(quint64(bytes)), formatBytes(quint64(size_ - skip)));
    if (lengths.isEmpty() && (size_ - skip) / itemSize == 0) return tr("There is not one element there.");
    return {};
}

void RawDialog::check() {
    const QString wrong = problem();
    buttons_->button(QDialogButtonBox::Open)->setEnabled(wrong.isEmpty());
    if (!wrong.isEmpty()) {
        note_->setText(wrong);
        return;
    }
    const QList<qint64> lengths = shape();
    qint64 count = 1;
    for (qint64 length : lengths)
        count *= length;
    if (lengths.isEmpty()) count = (size_ - offset()) / ElementType::fromName(type()).size;
    note_->setText(
        tr("%1 elements, %2")
            .arg(formatCount(count), formatBytes(quint64(count) * quint64(ElementType::fromName(type()).size))));
}

} // namespace warplight::ui
