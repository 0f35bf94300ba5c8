// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernel to run: those of the source, instances of its templates, or an expression that is typed.
#pragma once

#include "ui/common/document.hpp"
#include "ui/common/elided_box.hpp"

namespace warplight::ui {

class KernelBox : public ElidedBox {
    Q_OBJECT
public:
    explicit KernelBox(Document& document, QWidget* parent = nullptr);

signals:
    /// What was typed names no kernel of the source: a sentence that says what there is.
    void refused(const QString& why);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void choose(const QString& name);
    void takeTyped();

    Document& document_;
};

} // namespace warplight::ui
