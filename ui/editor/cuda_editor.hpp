// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/code/code_view.hpp"
#include "ui/profile/heat.hpp"
#include "warplight/compiler.hpp"

#include <QHash>
#include <QPointer>
#include <QTimer>

namespace warplight::ui {

class SourceFile;
class CudaLexer;
class PtxLexer;

/// The editor of one source file, CUDA C++ or PTX.
class CudaEditor : public CodeView {
    Q_OBJECT
public:
    CudaEditor(SourceFile* file, Theme& theme, QWidget* parent = nullptr);

    SourceFile* file() const { return file_; }

    /// Boxes messages at their lines. Those about other files are left out. A box goes when its line is edited.
    void setDiagnostics(const std::vector<compiler::Diagnostic>& diagnostics);
    void clearDiagnostics();
    /// Lines (from 1) that carry a box now.
    QList<int> diagnosticLines() const;
    /// Whether a compiler's or fault's file name is this file.
    bool isNamed(const QString& name) const;

    /// Colours the lines in a margin of their own. A line that is edited loses its colour, others keep theirs when they
    /// move.
    void setHeat(const FileHeat& heat);
    /// Other colours for the lines of the last setHeat() that have not been edited since.
    void recolourHeat(const FileHeat& heat);
    /// Lines (from 1) that carry a colour now, with its step.
    QMap<int, int> heatLines() const;

    void toggleComment();
    void duplicateLines();
    void moveLines(bool down);
    void setWrap(bool wrap);

protected:
    void applyLook() override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void chooseLexer();
    void breakLine(QKeyEvent* event);
    void onModified(int position, int type, const char* text, int length, int linesAdded, int line, int, int, int, int);
    void takeText();
    void markOccurrences();
    void annotateLine(int line);
    void markHeat(int line, int profiledLine, const LineHeat& heat);
    void showHeat(int line, int step);
    void forgetHeat(int line);
    void fitHeatMargin();
    void applyHeatColours();
    bool showHeatTip(const QPoint& at, const QPoint& onScreen);

    struct Message {
        compiler::Severity severity;
        QString text;
    };

    QPointer<SourceFile> file_;
    CudaLexer* cuda_ = nullptr;
    PtxLexer* ptx_ = nullptr;
    QHash<int, QList<Message>> messages_; ///< by marker handle: those follow their line
    struct HeatMark {
        int profiledLine; ///< in the text that ran
        LineHeat heat;
    };
    QHash<int, HeatMark> heat_; ///< by marker handle
    QTimer occurrences_;
    bool taking_ = false;
};

} // namespace warplight::ui
