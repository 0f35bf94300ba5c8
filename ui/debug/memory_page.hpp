// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/debug/kernel_memory.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTabWidget;

namespace warplight::ui {

struct DebugVariable;
class HexPage;
class NumberBox;
class TablePage;
class Theme;

/// Memory of a kernel that stands still: that of a pointer, an array or any address, as values and as bytes.
class MemoryPage : public QWidget {
    Q_OBJECT
public:
    MemoryPage(DebugSession& session, Theme& theme, QWidget* parent = nullptr);

    void show(const DebugVariable& variable);
    void show(const QString& expression);
    /// Reads it again, after a stop.
    void refresh();
    void clear();
    TablePage* table() const { return table_; }
    HexPage* hex() const { return hex_; }
    QTabWidget* tabs() const { return tabs_; }
    QLineEdit* expression() const { return expression_; }
    QComboBox* type() const { return type_; }
    NumberBox* count() const { return count_; }
    QString note() const;

    /// The element type that C++ calls so, as in "const float *" or "int[64]".
    static ElementType elementOf(const QString& type);

signals:
    void message(const QString& text);

private:
    void take(const QString& name, const QString& address, const QString& type, qint64 parts);
    void read();
    void say(const QString& text);

    DebugSession& session_;
    KernelMemory* memory_;
    QLineEdit* expression_;
    QComboBox* type_;
    NumberBox* count_;
    QStackedWidget* stack_;
    QLabel* note_;
    QTabWidget* tabs_;
    TablePage* table_;
    HexPage* hex_;
    QString name_, address_, shown_; ///< shown_: the expression that type and count were chosen for
    quint64 reading_ = 0;
};

} // namespace warplight::ui
