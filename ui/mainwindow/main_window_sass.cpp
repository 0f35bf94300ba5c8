// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/assembly_view.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/sass/sass_pane.hpp"

namespace warplight::ui {

void MainWindow::connectSass() {
    AssemblyView* assembly = editors_->assembly();
    auto* sass = new SassPane(workbench_, assembly);
    assembly->addPage(sass, tr("SASS"), tr("The instructions of a GPU, for any architecture that the compiler knows"),
                      sass->findBar());
    sass->setIsSource([this](const QString& file) {
        const CudaEditor* main = editors_->editor(document().mainSource());
        return main && main->isNamed(file);
    });
    connect(sass, &SassPane::zoomRequested, editors_, &EditorArea::zoomRequested);
    connect(editors_, &EditorArea::linesChosen, sass, &SassPane::showSourceLines);
    // Behind the editor's own, which makes the PTX's line map.
    connect(&document(), &Document::compiled, sass, [this, sass] {
        const CompileOutput& output = document().compileOutput();
        const CudaEditor* main = editors_->editor(document().mainSource());
        const LineMap map(output.lines, [main](const QString& file) { return main && main->isNamed(file); });
        sass->setSourceColours(map.sourceColours());
    });
    connect(sass, &SassPane::sourceLineRequested, this, [this, assembly](int line) {
        CudaEditor* editor = editors_->editor(document().mainSource());
        if (!editor) return;
        editors_->setCurrentSource(document().mainSource());
        editor->setLinkedLines({line});
        editor->reveal(line);
        assembly->showSourceLine(line);
    });
    connect(assembly, &AssemblyView::sourceLineRequested, sass,
            [sass](int line) { sass->showSourceLines(line, line); });
}

} // namespace warplight::ui
