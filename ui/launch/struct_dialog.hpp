// SPDX-License-Identifier: GPL-3.0-or-later
/// Edits the value of a struct field by field.
#pragma once

#include "debug/layout.hpp"
#include "session/session.hpp"
#include "ui/common/form_dialog.hpp"

#include <nlohmann/json_fwd.hpp>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace warplight::ui {

class StructDialog : public FormDialog {
    Q_OBJECT
public:
    /// @param layout has fields
    StructDialog(const session::Argument& argument, debug::Layout layout, QWidget* parent = nullptr);

    /// The edited argument. Valid after accept().
    session::Argument argument() const { return argument_; }

    void accept() override;

private:
    void addRows(QTreeWidgetItem* parent, const debug::Layout& layout, const nlohmann::ordered_json& value);
    void addRow(QTreeWidgetItem* parent, const debug::Layout& layout, const QString& name,
                const nlohmann::ordered_json& value);
    [[nodiscard]] nlohmann::ordered_json valueOf(const QTreeWidgetItem* item) const;
    [[nodiscard]] session::StructValue value() const;
    void check();
    void select(const std::string& pointer);

    session::Argument argument_;
    debug::Layout layout_;
    QTreeWidget* tree_;
    QLabel* problem_;
};

} // namespace warplight::ui
