// SPDX-License-Identifier: GPL-3.0-or-later
/// Variables of a kernel that stands still, as a tree that is read where it is opened. At a new stop the tree stays as
/// it is, with new values.
#pragma once

#include <QAbstractItemModel>
#include <QColor>
#include <QPointer>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::ui {

class DebugSession;

struct DebugVariable {
    QString name, value, type;
    QString expression;   ///< for watches and pictures; empty: it has none
    QString memory;       ///< address; empty: it is not in memory
    qint64 reference = 0; ///< 0: it cannot be opened
    qint64 parts = 0;     ///< elements of an array
    bool isProblem = false;
    static DebugVariable of(const nlohmann::json& answer);
};

class VariablesModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Value, Type, ColumnCount };
    explicit VariablesModel(DebugSession& session, QObject* parent = nullptr);
    ~VariablesModel() override;

    /// The outermost rows, with what was opened below those of the same names.
    void setTop(const QList<DebugVariable>& top);
    void setTopValue(int row, const DebugVariable& value);
    void setEditable(bool editable) { editable_ = editable; } ///< names of the outermost rows
    void setColours(const QColor& changed, const QColor& muted);
    const DebugVariable& variable(const QModelIndex& index) const;
    /// The view has opened or closed a row.
    void setOpen(const QModelIndex& index, bool open);
    /// Nothing stands any more: the values are old.
    void setOld(bool old);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

signals:
    void renamed(int row, const QString& name); ///< the user has edited an outermost row
    void filled(const QModelIndex& index);      ///< the parts of a row are there

private:
    struct Node {
        DebugVariable variable;
        Node* parent = nullptr;
        int row = 0;
        std::vector<std::unique_ptr<Node>> parts;
        bool open = false;
        bool asked = false;   ///< for its parts, at this stop
        bool changed = false; ///< since the stop before
        int serial = 0;       ///< tells it from others that were at its address
    };
    Node* node(const QModelIndex& index) const;
    QModelIndex indexOf(const Node* node) const;
    void replace(Node* node, const QList<DebugVariable>& parts);
    void update(Node* node, const DebugVariable& value);
    void drop(Node* node);
    void ask(Node* node);
    Node* find(const QList<int>& path, int serial) const;

    DebugSession& session_;
    std::unique_ptr<Node> root_;
    QColor changed_, muted_;
    bool editable_ = false, old_ = false;
    int lastSerial_ = 0;
};

} // namespace warplight::ui
