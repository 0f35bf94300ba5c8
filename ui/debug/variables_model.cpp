// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/variables_model.hpp"

#include "ui/debug/debug_session.hpp"

#include <QFont>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::ui {
namespace {

constexpr int mostParts = 1000; ///< that a row shows, as the debugger answers

} // namespace

DebugVariable DebugVariable::of(const nlohmann::json& answer) {
    const auto text = [&](const char* key) {
        const auto found = answer.find(key);
        return found != answer.end() && found->is_string() ? QString::fromStdString(found->get<std::string>())
                                                           : QString();
    };
    const auto number = [&](const char* key) {
        const auto found = answer.find(key);
        return found != answer.end() && found->is_number_integer() ? found->get<qint64>() : 0;
    };
    DebugVariable v;
    if (!answer.is_object()) return v;
    v.name = text("name");
    v.value = answer.contains("result") ? text("result") : text("value");
    v.type = text("type");
    v.expression = text("evaluateName");
    v.memory = text("memoryReference").section(QLatin1Char(' '), 0, 0);
    v.reference = number("variablesReference");
    v.parts = number("indexedVariables");
    v.isProblem = v.value.startsWith(QLatin1Char('<')) && v.type.isEmpty();
    return v;
}

VariablesModel::VariablesModel(DebugSession& session, QObject* parent)
    : QAbstractItemModel(parent), session_(session), root_(std::make_unique<Node>()) {}

VariablesModel::~VariablesModel() = default;

VariablesModel::Node* VariablesModel::node(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : root_.get();
}

QModelIndex VariablesModel::indexOf(const Node* node) const {
    return node == root_.get() ? QModelIndex() : createIndex(node->row, 0, node);
}

const DebugVariable& VariablesModel::variable(const QModelIndex& index) const { return node(index)->variable; }

void VariablesModel::setColours(const QColor& changed, const QColor& muted) {
    changed_ = changed;
    muted_ = muted;
    setOld(old_);
}

void VariablesModel::setOld(bool old) {
    old_ = old;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

// --- new values

void VariablesModel::setTop(const QList<DebugVariable>& top) {
    old_ = false;
    replace(root_.get(), top);
}

void VariablesModel::setTopValue(int row, const DebugVariable& value) {
    if (row < 0 || row >= int(root_->parts.size())) return;
    Node* top = root_->parts[std::size_t(row)].get();
    DebugVariable named = value;
    named.name = top->variable.name;
    old_ = false;
    update(top, named);
}

void VariablesModel::replace(Node* node, const QList<DebugVariable>& parts) {
    const bool same = std::equal(parts.begin(), parts.end(), node->parts.begin(), node->parts.end(),
                                 [](const DebugVariable& a, const auto& b) { return a.name == b->variable.name; });
    if (!same) {
        drop(node);
        if (parts.isEmpty()) return;
        beginInsertRows(indexOf(node), 0, int(parts.size()) - 1);
        for (const DebugVariable& part : parts) {
            auto made = std::make_unique<Node>();
            made->variable = part;
            made->parent = node;
            made->row = int(node->parts.size());
            made->serial = ++lastSerial_;
            node->parts.push_back(std::move(made));
        }
        endInsertRows();
    } else {
        for (qsizetype k = 0; k < parts.size(); ++k)
            update(node->parts[std::size_t(k)].get(), parts[k]);
    }
    emit filled(indexOf(node));
}

void VariablesModel::update(Node* node, const DebugVariable& value) {
    node->changed = value.value != node->variable.value && !node->variable.value.isEmpty();
    node->variable = value;
    node->asked = false;
    const QModelIndex at = indexOf(node);
    emit dataChanged(at, at.siblingAtColumn(ColumnCount - 1));
    if (node->open && value.reference)
        ask(node);
    else
        drop(node); // read again when it is opened
}

void VariablesModel::drop(Node* node) {
    if (node->parts.empty()) return;
    beginRemoveRows(indexOf(node), 0, int(node->parts.size()) - 1);
    node->parts.clear();
    endRemoveRows();
}

VariablesModel::Node* VariablesModel::find(const QList<int>& path, int serial) const {
    Node* at = root_.get();
    for (const int row : path) {
        if (row >= int(at->parts.size())) return nullptr;
        at = at->parts[std::size_t(row)].get();
    }
    return at->serial == serial ? at : nullptr;
}

void VariablesModel::ask(Node* node) {
    if (std::exchange(node->asked, true)) return;
    QList<int> path;
    for (const Node* at = node; at != root_.get(); at = at->parent)
        path.prepend(at->row);
    nlohmann::json arguments{{"variablesReference", node->variable.reference}};
    if (node->variable.parts > mostParts) arguments["count"] = mostParts;
    session_.ask(QStringLiteral("variables"), std::move(arguments),
                 [this, path, serial = node->serial, alive = QPointer<VariablesModel>(this)](const DapReply& reply) {
                     if (!alive) return;
                     Node* asked = find(path, serial);
                     if (!asked) return;
                     QList<DebugVariable> parts;
                     const auto list = reply.body.find("variables");
                     if (reply.ok && list != reply.body.end() && list->is_array())
                         for (const nlohmann::json& each : *list)
                             parts << DebugVariable::of(each);
                     if (parts.isEmpty()) {
                         DebugVariable none;
                         none.name = reply.ok ? tr("(none)") : QString();
                         none.value = reply.error;
                         none.isProblem = true;
                         parts << none;
                     } else if (asked->variable.parts > parts.size()) {
                         DebugVariable rest;
                         rest.name = QStringLiteral("…");
                         rest.value = tr("and %1 more: look at the memory").arg(asked->variable.parts - parts.size());
                         rest.isProblem = true;
                         parts << rest;
                     }
                     replace(asked, parts);
                 });
}

void VariablesModel::setOpen(const QModelIndex& index, bool open) {
    if (index.isValid()) node(index)->open = open;
}

// --- the model

QModelIndex VariablesModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, node(parent)->parts[std::size_t(row)].get());
}

QModelIndex VariablesModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const Node* above = node(index)->parent;
    return above ? indexOf(above) : QModelIndex();
}

int VariablesModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : int(node(parent)->parts.size());
}

int VariablesModel::columnCount(const QModelIndex&) const { return ColumnCount; }

bool VariablesModel::hasChildren(const QModelIndex& parent) const {
    if (parent.column() > 0) return false;
    const Node* at = node(parent);
    return at == root_.get() ? !at->parts.empty() : at->variable.reference != 0 || !at->parts.empty();
}

bool VariablesModel::canFetchMore(const QModelIndex& parent) const {
    if (!parent.isValid() || parent.column() > 0 || !session_.isStanding()) return false;
    const Node* at = node(parent);
    return at->variable.reference != 0 && at->parts.empty() && !at->asked;
}

void VariablesModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) ask(node(parent));
}

QVariant VariablesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node* at = node(index);
    const DebugVariable& v = at->variable;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        switch (index.column()) {
        case Name: return v.name;
        case Value: return v.value;
        case Type: return v.type;
        default: return {};
        }
    case Qt::ToolTipRole:
        return index.column() == Name && !v.expression.isEmpty() ? v.expression
               : index.column() == Type                          ? v.type
                                                                 : v.value;
    case Qt::ForegroundRole:
        if (old_ || v.isProblem || index.column() == Type) return muted_;
        if (index.column() == Value && at->changed) return changed_;
        return {};
    case Qt::FontRole: {
        QFont font; // what has changed is told by its weight too
        font.setBold(index.column() == Value && at->changed && !old_);
        return font;
    }
    default: return {};
    }
}

bool VariablesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
    emit renamed(index.row(), value.toString().trimmed());
    return true;
}

Qt::ItemFlags VariablesModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (editable_ && index.isValid() && index.column() == Name && node(index)->parent == root_.get())
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Name: return tr("Name");
    case Value: return tr("Value");
    case Type: return tr("Type");
    default: return {};
    }
}

} // namespace warplight::ui
