// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/struct_dialog.hpp"

#include "session/struct_value.hpp"
#include "ui/common/theme.hpp"
#include "ui/launch/argument_text.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::ui {

namespace {

using debug::Layout;
using nlohmann::ordered_json;

enum Column { Field, Type, Value, ColumnCount };

/// What a row stands for, in the data of its first column.
enum Role { ShapeRole = Qt::UserRole, TextRole, ListRole, GivenRole };
enum RowShape { Leaf, Fields, Union, List, Pointer };

constexpr std::uint64_t mostRows = 256; ///< of an array; longer ones are one row with a list

/// Only values are typed.
class ValueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override {
        const int shape = index.siblingAtColumn(Field).data(ShapeRole).toInt();
        return index.column() == Value && shape == Leaf ? QStyledItemDelegate::createEditor(parent, option, index)
                                                        : nullptr;
    }
};

bool isText(const Layout& layout) {
    return layout.extents.size() == 1 && layout.size == 1 && layout.type.find("char") != std::string::npos;
}

QString typeText(const Layout& layout) {
    QString text = QString::fromStdString(layout.type);
    if (layout.kind == Layout::Kind::bits)
        return StructDialog::tr("%1, %n bits", nullptr, int(layout.bit_count)).arg(text);
    // A vector's own axis is in its name.
    const bool vector = session::scalar_type(layout.type).has_value() && !layout.extents.empty();
    const std::size_t own = layout.extents.size() - (vector ? 1 : 0);
    if (text.endsWith(QLatin1Char(']'))) return text;
    for (std::size_t k = 0; k < own; ++k)
        text += QStringLiteral("[%1]").arg(layout.extents[k]);
    return text;
}

QString textOf(const ordered_json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    if (value.is_array()) {
        QStringList parts;
        for (const ordered_json& each : value)
            parts << (each.is_array() || each.is_object() ? QString::fromStdString(each.dump()) : textOf(each));
        return parts.join(QStringLiteral(", "));
    }
    return QString::fromStdString(value.dump());
}

ordered_json numberOf(const QString& text) {
    session::Number number;
    if (text == QLatin1String("true") || text == QLatin1String("false")) return text == QLatin1String("true");
    if (!readNumber(text, &number)) return text.toStdString(); // the name of an enumerator, nan
    return std::visit(
        [&](auto each) -> ordered_json {
            if constexpr (std::is_floating_point_v<decltype(each)>)
                if (!std::isfinite(each)) return text.toStdString();
            return each;
        },
        number);
}

QString toolTipOf(const Layout& layout) {
    QString text = StructDialog::tr("%1 at byte %2", "type").arg(typeText(layout)).arg(layout.offset);
    if (layout.enumerators.empty()) return text;
    QStringList names;
    for (const auto& each : layout.enumerators)
        names << QString::fromStdString(each.name);
    return text + QLatin1Char('\n') + names.join(QStringLiteral(", "));
}

} // namespace

StructDialog::StructDialog(const session::Argument& argument, Layout layout, QWidget* parent)
    : FormDialog(parent), argument_(argument), layout_(std::move(layout)), tree_(new QTreeWidget),
      problem_(new QLabel(this)) {
    setWindowTitle(tr("Argument %1").arg(QString::fromStdString(argument.name)));
    problem_->setWordWrap(true);
    problem_->hide();
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::grid);
    auto* head = new QLabel(
        tr("%1, %n bytes. An empty value is 0.", nullptr, int(layout_.size)).arg(QString::fromStdString(layout_.type)));
    column->addWidget(head);
    tree_->setColumnCount(ColumnCount);
    tree_->setHeaderLabels({tr("Field"), tr("Type"), tr("Value")});
    tree_->setItemDelegate(new ValueDelegate(tree_));
    tree_->setEditTriggers(QAbstractItemView::AllEditTriggers);
    tree_->setUniformRowHeights(true);
    tree_->setAccessibleName(tr("Fields"));
    ordered_json value = ordered_json::object();
    if (const auto* fields = std::get_if<session::StructValue>(&argument.value))
        value = ordered_json::parse(fields->json, nullptr, false);
    addRows(tree_->invisibleRootItem(), layout_, value);
    tree_->expandAll();
    tree_->header()->setStretchLastSection(true);
    for (const int column : {Field, Type})
        tree_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    tree_->setMinimumSize(460, heightOfFourRows(*tree_));
    column->addWidget(tree_, 1);
    setForm(form, new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel), problem_);
    connect(tree_, &QTreeWidget::itemChanged, this, &StructDialog::check);
}

void StructDialog::addRows(QTreeWidgetItem* parent, const Layout& layout, const ordered_json& value) {
    for (const Layout& field : layout.fields) {
        const bool given = value.is_object() && value.contains(field.name);
        addRow(parent, field, QString::fromStdString(field.name), given ? value[field.name] : ordered_json());
    }
}

void StructDialog::addRow(QTreeWidgetItem* parent, const Layout& layout, const QString& name,
                          const ordered_json& value) {
    auto* item = new QTreeWidgetItem(parent, {name, typeText(layout), QString()});
    item->setToolTip(Value, toolTipOf(layout));
    item->setToolTip(Field, toolTipOf(layout));
    item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable);
    item->setData(Field, TextRole, isText(layout));
    const bool single = layout.extents.empty();
    const bool nested = layout.has_fields() || layout.extents.size() > 1;
    if (single && layout.has_fields()) {
        item->setData(Field, ShapeRole, layout.kind == Layout::Kind::alternatives ? Union : Fields);
        addRows(item, layout, value);
    } else if (!single && nested && layout.extents.front() <= mostRows) {
        item->setData(Field, ShapeRole, List);
        Layout element = layout;
        element.extents.erase(element.extents.begin());
        for (std::size_t k = 0; k < layout.extents.front(); ++k)
            addRow(item, element, QStringLiteral("[%1]").arg(k),
                   value.is_array() && k < value.size() ? value[k] : ordered_json());
    } else if (layout.kind == Layout::Kind::pointer) {
        item->setData(Field, ShapeRole, Pointer);
        item->setText(Value, QStringLiteral("null"));
        item->setToolTip(Value, tr("An address in the device's memory is not known before the run. Give the kernel the "
                                   "array as a parameter of its own."));
    } else {
        item->setData(Field, ShapeRole, Leaf);
        item->setData(Field, ListRole, !single);
        if (!value.is_null())
            item->setData(
                Field, GivenRole,
                QByteArray::fromStdString(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
        item->setText(Value, textOf(value));
    }
}

ordered_json StructDialog::valueOf(const QTreeWidgetItem* item) const {
    const auto shape = RowShape(item->data(Field, ShapeRole).toInt());
    const QString text = item->text(Value).trimmed();
    switch (shape) {
    case Pointer: return nullptr;
    case Leaf: break;
    case List: {
        ordered_json list = ordered_json::array();
        int given = 0; // elements up to the last one that is not empty
        for (int k = 0; k < item->childCount(); ++k) {
            ordered_json each = valueOf(item->child(k));
            if (!each.is_discarded()) given = k + 1;
            const auto inner = RowShape(item->child(k)->data(Field, ShapeRole).toInt());
            if (each.is_discarded())
                each = inner == List || (inner == Leaf && item->child(k)->data(Field, ListRole).toBool())
                           ? ordered_json::array()
                       : inner == Leaf ? ordered_json(0)
                                       : ordered_json::object();
            list.push_back(std::move(each));
        }
        while (int(list.size()) > given)
            list.erase(list.size() - 1);
        return given ? list : ordered_json(ordered_json::value_t::discarded);
    }
    case Fields:
    case Union: {
        ordered_json object = ordered_json::object();
        for (int k = 0; k < item->childCount(); ++k)
            // A union is given by another member than an address.
            if (ordered_json each = valueOf(item->child(k));
                !each.is_discarded() && !(shape == Union && each.is_null()))
                object[item->child(k)->text(Field).toStdString()] = std::move(each);
        return object.empty() ? ordered_json(ordered_json::value_t::discarded) : object;
    }
    }
    // Another value can look the same: the text "123" and the list [123].
    if (const QVariant given = item->data(Field, GivenRole); given.isValid()) {
        ordered_json before = ordered_json::parse(given.toByteArray().toStdString(), nullptr, false);
        if (item->text(Value) == textOf(before)) return before;
        if (before.is_string() && !text.isEmpty() && item->data(Field, TextRole).toBool())
            return item->text(Value).toStdString();
    }
    if (text.isEmpty()) return ordered_json(ordered_json::value_t::discarded);
    if (!item->data(Field, ListRole).toBool()) return numberOf(text);
    ordered_json list = ordered_json::array();
    // Lists of structs that are too long for rows.
    if (text.contains(QLatin1Char('{')) || text.contains(QLatin1Char('['))) {
        const std::string json =
            (text.startsWith(QLatin1Char('[')) ? text : QLatin1Char('[') + text + QLatin1Char(']')).toStdString();
        if (ordered_json parsed = ordered_json::parse(json, nullptr, false); !parsed.is_discarded()) return parsed;
    }
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        list.push_back(numberOf(part.trimmed()));
    const bool words = std::ranges::any_of(list, [](const ordered_json& each) { return each.is_string(); });
    if (words && item->data(Field, TextRole).toBool()) return item->text(Value).toStdString();
    return list;
}

session::StructValue StructDialog::value() const {
    ordered_json object = ordered_json::object();
    const QTreeWidgetItem* root = tree_->invisibleRootItem();
    for (int k = 0; k < root->childCount(); ++k)
        if (ordered_json each = valueOf(root->child(k));
            !each.is_discarded() && !(layout_.kind == Layout::Kind::alternatives && each.is_null()))
            object[root->child(k)->text(Field).toStdString()] = std::move(each);
    return {object.dump(-1, ' ', false, ordered_json::error_handler_t::replace)};
}

/// Shows what is wrong while somebody types.
void StructDialog::check() {
    QString problem;
    try {
        (void)session::pack_struct(layout_, value());
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void StructDialog::select(const std::string& pointer) {
    QTreeWidgetItem* item = tree_->invisibleRootItem();
    for (const QString& part : QString::fromStdString(pointer).split(QLatin1Char('/'), Qt::SkipEmptyParts)) {
        QTreeWidgetItem* next = nullptr;
        for (int k = 0; k < item->childCount() && !next; ++k)
            if (const QString name = item->child(k)->text(Field);
                name == part || name == QLatin1Char('[') + part + QLatin1Char(']'))
                next = item->child(k);
        if (!next) break;
        item = next;
    }
    tree_->setCurrentItem(item, Value);
}

void StructDialog::accept() {
    setFocus(); // ends what is being typed
    const session::StructValue edited = value();
    try {
        (void)session::pack_struct(layout_, edited);
    } catch (const session::SessionError& error) {
        problem_->setText(QString::fromUtf8(error.what()));
        problem_->show();
        select(error.pointer);
        return;
    }
    argument_.type = session::struct_type;
    argument_.value = edited;
    QDialog::accept();
}

} // namespace warplight::ui
