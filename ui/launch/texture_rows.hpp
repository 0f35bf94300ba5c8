// SPDX-License-Identifier: GPL-3.0-or-later
/// The rows of an argument's dialog that make it a texture or a surface. Only those that matter are shown.
#pragma once

#include "session/session.hpp"

#include <QObject>
#include <QString>
#include <QStringList>
#include <array>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QWidget;

namespace warplight::ui {

/// "2D texture", "cubemap texture and surface"; empty for other arguments.
QString textureName(const session::Argument& argument);

class TextureRows : public QObject {
    Q_OBJECT
public:
    /// Adds its rows to the form, which owns their widgets.
    TextureRows(const session::Argument& argument, QFormLayout* form, QObject* parent);

    /// @param dtype of the data; empty where the file tells it
    void setElementType(const QString& dtype);
    /// Sets the argument's texture and surface. False, with a sentence, where a row cannot be read.
    bool take(session::Argument& argument, QString* problem) const;

signals:
    /// Other rows are shown.
    void changed();

private:
    enum Given { Address, Texture, Surface, Both };
    void fill(const session::Argument& argument);
    void showRows();
    [[nodiscard]] QStringList state() const;
    [[nodiscard]] bool isTexture() const;
    [[nodiscard]] bool isSurface() const;
    [[nodiscard]] session::TextureKind kind() const;
    [[nodiscard]] session::TextureMemory memory() const;

    const bool variable_;
    QFormLayout* form_;
    QString dtype_;
    QComboBox *given_, *kind_, *memory_, *filter_, *read_, *coordinates_;
    QWidget *addressRow_, *optionsRow_;
    std::array<QComboBox*, 3> address_{};
    QLineEdit *border_, *fourth_;
    QCheckBox *srgb_, *seamless_, *gather_;
    QStringList shown_; ///< the argument's state()
};

} // namespace warplight::ui
