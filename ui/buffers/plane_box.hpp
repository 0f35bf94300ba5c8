// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/texture_setup.hpp"

#include <QSpinBox>
#include <optional>

namespace warplight::ui {

/// Chooses one picture of several in a buffer. Those of textures have names: slices, layers, faces of cubemaps.
class PlaneBox : public QSpinBox {
    Q_OBJECT
public:
    explicit PlaneBox(QWidget* parent = nullptr);

    /// Hidden where there is only one. @param kind of the texture or surface that the buffer is given as
    void setPlanes(qint64 count, std::optional<session::TextureKind> kind);

protected:
    QString textFromValue(int value) const override;
    int valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& at) const override;

private:
    [[nodiscard]] QString word() const;

    std::optional<session::TextureKind> kind_;
};

} // namespace warplight::ui
