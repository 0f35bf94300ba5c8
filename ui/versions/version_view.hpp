// SPDX-License-Identifier: GPL-3.0-or-later
/// Another version of a source beside its editor: differences are marked in both, both scroll together, and a change
/// can be taken over into the editor.
#pragma once

#include <QList>
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace warplight::ui {

class CodeView;
class CudaEditor;
class ElidedLabel;
class SourceFile;
class Theme;

/// Where two texts differ, in lines from 0. One side may have none.
struct TextChange {
    int present = 0, presentCount = 0; ///< of the editor
    int other = 0, otherCount = 0;     ///< of the other version
    friend bool operator==(const TextChange&, const TextChange&) = default;
};

QList<TextChange> changesBetween(const QString& present, const QString& other);
/// The present text with one change replaced by the other version's lines.
QString withTakenOver(const QString& present, const QString& other, const TextChange& change);
/// The line of the other version that stands beside one of the editor; the other way round with `back`.
int besideLine(const QList<TextChange>& changes, int line, bool back = false);

class VersionView : public QWidget {
    Q_OBJECT
public:
    explicit VersionView(Theme& theme, QWidget* parent = nullptr);
    ~VersionView() override;

    /// Shows a version beside the editor's text.
    void compare(CudaEditor* editor, const QString& name, const QString& text);
    /// Another text of the same version, such as a tab's that is being edited.
    void setText(const QString& text);
    /// Takes the marks out of the editor.
    void clear();

    CudaEditor* editor() const;
    QString name() const;
    QString summary() const;
    const QList<TextChange>& changes() const { return changes_; }
    CodeView* other() const;
    /// To the next change, or with -1 to the one before; after the last comes the first.
    void step(int by);
    /// The change at the caret, or the next one below it.
    void takeOver();
    void takeOver(qsizetype change);
    void takeOverAll();

signals:
    void closeRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    class Other;
    class Links;
    void refresh();
    void mark();
    void scroll(bool fromEditor);
    void put(const QString& text);
    qsizetype changeAtCaret() const;
    void updateButtons();
    void restyle();

    Theme& theme_;
    QPointer<CudaEditor> editor_;
    Other* other_;
    Links* links_;
    ElidedLabel* name_;
    QLabel* summary_;
    QToolButton *previous_, *next_, *close_;
    QPushButton *take_, *takeAll_;
    QList<TextChange> changes_;
    QString text_;
    QTimer later_;
    QList<QMetaObject::Connection> watching_; ///< of the editor
    bool scrolling_ = false;
};

} // namespace warplight::ui
