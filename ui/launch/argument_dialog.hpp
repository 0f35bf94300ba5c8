// SPDX-License-Identifier: GPL-3.0-or-later
/// Edits one argument: the source of its data, the file for its result, the expected result.
#pragma once

#include "ui/common/document.hpp"
#include "ui/common/form_dialog.hpp"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace warplight::ui {

class FileHeads;
class MemberBox;
class ResultRows;
class TextureRows;
class Workbench;

class ArgumentDialog : public FormDialog {
    Q_OBJECT
public:
    /// @param arrays names of the session's buffers, for `size of`
    /// @param workbench its document names the files, and its worker lists what is in them
    ArgumentDialog(const session::Argument& argument, const QStringList& arrays, Workbench& workbench,
                   QWidget* parent = nullptr);

    /// The names that a number may be given by: the kernel's type is an enumeration.
    void setEnumerators(const QStringList& names);

    /// The edited argument. Valid after accept().
    session::Argument argument() const { return argument_; }

    void accept() override;

private:
    enum Kind { File, Zeros, Constant, Arange, Linspace, Random, Formula, Fields };
    void buildScalar(QFormLayout* form, const QStringList& arrays);
    void buildArray(QFormLayout* form);
    void fillArray();
    void showNumbers(const session::Number& first, const std::optional<session::Number>& second);
    void showKind();
    void showFile();
    void showFormulas();
    [[nodiscard]] QString problemOf(const std::string& formula) const;
    [[nodiscard]] QString problemOfFormula() const;
    bool takeScalar(QString* problem);
    bool takeStruct(const QString& typed, QString* problem);
    bool takeArray(QString* problem);

    session::Argument argument_;
    Workbench& workbench_;
    const Document& document_;
    QLabel* problem_;
    // scalar
    QComboBox *type_ = nullptr, *array_ = nullptr;
    QLineEdit *value_ = nullptr, *axis_ = nullptr;
    QCheckBox* sizeOf_ = nullptr;
    QStringList enumerators_;
    // array
    QComboBox *direction_ = nullptr, *kind_ = nullptr, *dtype_ = nullptr, *distribution_ = nullptr;
    QLineEdit *path_ = nullptr, *shape_ = nullptr, *first_ = nullptr, *second_ = nullptr, *offset_ = nullptr;
    QLineEdit* seed_ = nullptr;
    QLineEdit* formula_ = nullptr;
    MemberBox* member_ = nullptr;
    QCheckBox* raw_ = nullptr; ///< of a file whose name says otherwise
    QWidget* pathRow_ = nullptr;
    std::optional<session::Number> firstShown_, secondShown_; ///< the session's numbers
    QString otherShape_;     ///< of a file while other data are shown, and the other way round
    bool fileShown_ = false; ///< the shape is a file's
    QFormLayout* form_ = nullptr;
    TextureRows* texture_ = nullptr;
    ResultRows* result_ = nullptr;
    FileHeads* files_ = nullptr;
};

} // namespace warplight::ui
