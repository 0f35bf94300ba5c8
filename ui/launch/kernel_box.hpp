// SPDX-License-Identifier: GPL-3.0-or-later
/// Chooses the kernel to run: a kernel of the source, an instance of a template, or a typed expression.
#pragma once

#include "ui/common/document.hpp"
#include "ui/common/elided_box.hpp"

namespace warplight::ui {

class KernelBox : public ElidedBox {
    Q_OBJECT
public:
    explicit KernelBox(Document& document, QWidget* parent = nullptr);

signals:
    /// The typed text names no kernel. The sentence says which kernels there are.
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
