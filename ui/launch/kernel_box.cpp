// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/kernel_box.hpp"

#include "ui/common/icons.hpp"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QLineEdit>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int OpenRole = Qt::UserRole + 1; ///< a template without arguments: something has to be typed

QString withoutSpaces(QString text) { return text.remove(QLatin1Char(' ')); }

} // namespace

KernelBox::KernelBox(Document& document, QWidget* parent) : ElidedBox(parent), document_(document) {
    setAccessibleName(tr("Kernel"));
    setInsertPolicy(QComboBox::NoInsert);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(18);
    view()->setTextElideMode(Qt::ElideNone);
    connect(&document_, &Document::kernelsChanged, this, &KernelBox::refresh);
    connect(&document_, &Document::sessionChanged, this, &KernelBox::refresh);
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (!itemData(index, OpenRole).toBool()) return choose(itemData(index).toString());
        // `scale<` and the caret where the arguments go.
        setEditText(itemData(index).toString() + QStringLiteral("<>"));
        lineEdit()->setCursorPosition(int(lineEdit()->text().size()) - 1);
        lineEdit()->setModified(true);
        lineEdit()->setFocus();
    });
    refresh();
}

void KernelBox::refresh() {
    const std::vector<compiler::Kernel>& kernels = document_.kernels();
    const QString current = QString::fromStdString(document_.session().kernel);
    const bool templates =
        current.contains(QLatin1Char('<')) ||
        std::any_of(kernels.begin(), kernels.end(), [](const compiler::Kernel& kernel) { return kernel.is_template; });
    const bool typing = lineEdit() && lineEdit()->isModified() && lineEdit()->hasFocus();
    const QString typed = typing ? currentText() : QString();
    const QSignalBlocker quiet(this);
    clear();
    for (const compiler::Kernel& kernel : kernels) {
        const QString name = QString::fromStdString(kernel.name);
        if (!kernel.is_template) addItem(icon(QStringLiteral("kernel")), name, name);
    }
    for (const compiler::Kernel& kernel : kernels) {
        if (!kernel.is_template) continue;
        const QString name = QString::fromStdString(kernel.name);
        addItem(icon(QStringLiteral("edit")), tr("%1<…>").arg(name), name);
        setItemData(count() - 1, true, OpenRole);
        setItemData(count() - 1, tr("Type the arguments of the template"), Qt::ToolTipRole);
    }
    if (!current.isEmpty() && findData(current) < 0) addItem(icon(QStringLiteral("kernel")), current, current);
    if (templates != isEditable()) {
        setEditable(templates);
        if (templates) {
            setCompleter(nullptr);
            lineEdit()->setAccessibleName(tr("Kernel, or the instance of a template"));
            connect(lineEdit(), &QLineEdit::editingFinished, this, &KernelBox::takeTyped);
        }
    }
    setToolTip(templates
                   ? tr("The kernel to run. Of a template an instance, such as scale<float, 4>: choose or type it.")
                   : tr("The kernel to run"));
    const bool steps = document_.session().pipeline.has_value();
    if (steps) setToolTip(tr("The kernels of the steps are chosen in Launch"));
    int at = -1;
    for (int i = 0; i < count(); ++i)
        if (!steps && itemData(i).toString() == current && !itemData(i, OpenRole).toBool()) at = i;
    setCurrentIndex(at);
    if (isEditable()) setEditText(typing ? typed : steps ? QString() : current);
    if (typing) lineEdit()->setModified(true);
    setPlaceholderText(steps ? tr("Several steps") : tr("No kernel"));
    if (lineEdit()) lineEdit()->setPlaceholderText(placeholderText());
    setEnabled(count() > 0 && !steps);
}

void KernelBox::takeTyped() {
    if (!lineEdit()->isModified()) return;
    lineEdit()->setModified(false);
    const QString text = currentText().simplified();
    const QString current = QString::fromStdString(document_.session().kernel);
    if (withoutSpaces(text) == withoutSpaces(current)) return setEditText(current);
    for (int i = 0; i < count(); ++i)
        if (!itemData(i, OpenRole).toBool() && withoutSpaces(itemData(i).toString()) == withoutSpaces(text))
            return choose(itemData(i).toString());
    const QString base = text.section(QLatin1Char('<'), 0, 0).trimmed();
    const bool complete =
        text.endsWith(QLatin1Char('>')) && text.count(QLatin1Char('<')) == text.count(QLatin1Char('>'));
    const bool none = withoutSpaces(text) == withoutSpaces(base) + QStringLiteral("<>");
    QStringList names;
    for (const compiler::Kernel& kernel : document_.kernels()) {
        const QString name = QString::fromStdString(kernel.name);
        if (kernel.is_template && name == base && complete && (!none || kernel.all_defaults)) return choose(text);
        names << (kernel.is_template ? name + QStringLiteral("<…>") : name);
    }
    setEditText(current);
    emit refused(tr("“%1” is no kernel of the source. It has %2.").arg(text, names.join(QStringLiteral(", "))));
}

void KernelBox::choose(const QString& name) {
    if (lineEdit()) lineEdit()->setModified(false);
    document_.modify(tr("Choose Kernel"), [&](session::Session& session) { session.kernel = name.toStdString(); });
    refresh();
}

void KernelBox::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isEditable() && lineEdit()->isModified()) {
        lineEdit()->setModified(false);
        setEditText(QString::fromStdString(document_.session().kernel));
        return;
    }
    ElidedBox::keyPressEvent(event);
}

} // namespace warplight::ui
