// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor_area.hpp"

#include "session/pipeline_plan.hpp"
#include "ui/assembly/assembly_view.hpp"
#include "ui/assembly/ptx_view.hpp"
#include "ui/code/find_bar.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/input_file.hpp"
#include "ui/common/loading.hpp"
#include "ui/common/settings.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/problems/problems_model.hpp"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace warplight::ui {

namespace {
constexpr auto assemblyKey = "editor/assembly";
}

EditorArea::EditorArea(Workbench& workbench, QWidget* parent) : QWidget(parent), workbench_(workbench) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    splitter_ = new QSplitter(Qt::Horizontal, this);
    splitter_->setChildrenCollapsible(false);
    outer->addWidget(splitter_);

    auto* left = new QWidget(splitter_);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    tabs_ = new QTabWidget(left);
    tabs_->setDocumentMode(true);
    tabs_->setMovable(true);
    tabs_->setTabsClosable(true);
    tabs_->setAccessibleName(tr("Open sources"));
    auto* toggle = new QToolButton(tabs_);
    toggle->setAutoRaise(true);
    tabs_->setCornerWidget(toggle);

    diskNote_ = new QWidget(left);
    diskNote_->setAutoFillBackground(true);
    auto* noteRow = new QHBoxLayout(diskNote_);
    noteRow->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    diskText_ = new QLabel(diskNote_);
    diskText_->setWordWrap(true);
    auto* reload = new QPushButton(tr("Reload"), diskNote_);
    auto* keep = new QPushButton(tr("Keep Mine"), diskNote_);
    noteRow->addWidget(diskText_, 1);
    noteRow->addWidget(reload);
    noteRow->addWidget(keep);
    diskNote_->hide();
    find_ = new FindBar(workbench.theme(), left);

    stack_ = new QStackedWidget(left);
    auto* empty = new QLabel(tr("No source is open. Use File ▸ New or Open, or drop a .cu file here."), stack_);
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    stack_->addWidget(empty);
    stack_->addWidget(tabs_);
    column->addWidget(diskNote_);
    column->addWidget(stack_, 1);
    column->addWidget(find_);

    assembly_ = new AssemblyView(workbench.theme(), splitter_);
    splitter_->addWidget(left);
    splitter_->addWidget(assembly_);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);

    createActions();
    toggle->setDefaultAction(assemblyAction_);

    Document& document = workbench_.document();
    connect(&document, &Document::sourceOpened, this, &EditorArea::addTab);
    connect(&document, &Document::sourceAboutToClose, this, &EditorArea::removeTab);
    connect(&document, &Document::sessionReplaced, this, &EditorArea::syncTabs);
    connect(&document, &Document::compiled, this, &EditorArea::onCompiled);
    connect(&document, &Document::reportChanged, this, &EditorArea::onReport);
    connect(tabs_, &QTabWidget::currentChanged, this, &EditorArea::onCurrentChanged);
    connect(tabs_, &QTabWidget::tabCloseRequested, this, [this](int index) {
        if (auto* editor = qobject_cast<CudaEditor*>(tabs_->widget(index))) emit closeRequested(editor->file());
    });
    connect(assembly_, &AssemblyView::sourceLineRequested, this, [this](int line) {
        if (CudaEditor* editor = currentEditor()) {
            editor->setLinkedLines({line});
            editor->reveal(line);
        }
    });
    connect(assembly_, &AssemblyView::buildRequested, &workbench_, &Workbench::buildRequested);
    connect(assembly_->ptx(), &CodeView::zoomRequested, this, &EditorArea::zoomRequested);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &EditorArea::onFileChanged);
    connect(reload, &QPushButton::clicked, this, &EditorArea::reloadFromDisk);
    connect(keep, &QPushButton::clicked, this, [this] {
        changed_.removeOne(currentSource());
        showDiskNote();
    });
    connect(&workbench_.theme(), &Theme::themeChanged, this, &EditorArea::restyle);
    restyle();
    syncTabs();
    onCompiled();
}

void EditorArea::restyle() {
    QPalette palette = diskNote_->palette();
    palette.setColor(QPalette::Window, workbench_.theme().colours().warningSoft);
    diskNote_->setPalette(palette);
}

EditorArea::~EditorArea() {
    // Closing the tabs emits signals, and this object is half destroyed.
    tabs_->disconnect(this);
}

QAction* EditorArea::action(QList<QAction*>& list, const char* name, const QString& text, const QKeySequence& keys,
                            const QString& iconName, const std::function<void()>& run) {
    auto* made = new QAction(text, this);
    made->setObjectName(QLatin1String(name));
    made->setShortcut(keys);
    if (!iconName.isEmpty()) made->setIcon(icon(iconName));
    connect(made, &QAction::triggered, this, run);
    list.append(made);
    return made;
}

void EditorArea::separator(QList<QAction*>& list) {
    auto* line = new QAction(this);
    line->setSeparator(true);
    list.append(line);
}

void EditorArea::createActions() {
    const auto with = [this](auto what) {
        return [this, what] {
            if (CudaEditor* editor = currentEditor()) what(editor);
        };
    };
    // Cut, copy and paste act on the widget with the focus, so they work in fields too.
    const auto edit = [this](const char* slot) {
        return [this, slot] {
            QWidget* focus = window()->focusWidget();
            if (!focus) focus = currentEditor();
            if (focus && focus->metaObject()->indexOfMethod(QByteArray(slot) + "()") >= 0)
                QMetaObject::invokeMethod(focus, slot);
        };
    };
    auto& list = editActions_;
    action(list, "edit.undo", tr("&Undo"), QKeySequence::Undo, QStringLiteral("undo"), edit("undo"));
    action(list, "edit.redo", tr("&Redo"), QKeySequence::Redo, QStringLiteral("redo"), edit("redo"));
    separator(list);
    action(list, "edit.cut", tr("Cu&t"), QKeySequence::Cut, QStringLiteral("cut"), edit("cut"));
    action(list, "edit.copy", tr("&Copy"), QKeySequence::Copy, QStringLiteral("copy"), edit("copy"));
    action(list, "edit.paste", tr("&Paste"), QKeySequence::Paste, QStringLiteral("paste"), edit("paste"));
    action(list, "edit.selectAll", tr("Select &All"), QKeySequence::SelectAll, {}, edit("selectAll"));
    separator(list);
    action(list, "edit.find", tr("&Find…"), QKeySequence::Find, QStringLiteral("search"), [this] {
        if (searching() == find_)
            find_->open(false);
        else
            assembly_->openFind();
    });
    replaceAction_ = action(list, "edit.replace", tr("R&eplace…"), QKeySequence(Qt::CTRL | Qt::Key_H), {},
                            [this] { find_->open(true); });
    action(list, "edit.findNext", tr("Find &Next"), QKeySequence::FindNext, {}, [this] { searching()->findNext(); });
    action(list, "edit.findPrevious", tr("Find Pre&vious"), QKeySequence::FindPrevious, {},
           [this] { searching()->findPrevious(); });
    action(list, "edit.goToLine", tr("&Go to Line…"), QKeySequence(Qt::CTRL | Qt::Key_G), {}, [this] { askForLine(); });
    separator(list);
    comment_ = action(list, "edit.comment", tr("Toggle Co&mment"), QKeySequence(Qt::CTRL | Qt::Key_Slash), {},
                      with([](CudaEditor* editor) { editor->toggleComment(); }));
    action(list, "edit.duplicateLine", tr("&Duplicate Line"), QKeySequence(Qt::CTRL | Qt::Key_D), {},
           with([](CudaEditor* editor) { editor->duplicateLines(); }));
    action(list, "edit.moveLineUp", tr("Move Line U&p"), QKeySequence(Qt::ALT | Qt::Key_Up), {},
           with([](CudaEditor* editor) { editor->moveLines(false); }));
    action(list, "edit.moveLineDown", tr("Move Line Do&wn"), QKeySequence(Qt::ALT | Qt::Key_Down), {},
           with([](CudaEditor* editor) { editor->moveLines(true); }));
    action(list, "edit.completeWord", tr("C&omplete Word"), QKeySequence(Qt::CTRL | Qt::Key_Space), {},
           with([](CudaEditor* editor) { editor->autoCompleteFromAll(); }));
    action(list, "edit.showParameters", tr("&Show Parameters"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Space), {},
           with([](CudaEditor* editor) { editor->callTip(); }));

    assemblyAction_ = action(viewActions_, "view.assembly", tr("PTX and &Report"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), QStringLiteral("code"), [] {});
    assemblyAction_->setCheckable(true);
    assemblyAction_->setChecked(true);
    assemblyAction_->setToolTip(tr("Show the PTX and the report beside the source (Ctrl+Shift+A)"));
    connect(assemblyAction_, &QAction::toggled, this, [this](bool on) {
        assembly_->setVisible(on);
        if (!fitting_) {
            givenUp_ = false;
            wanted_ = on && width() < widthForBoth();
            if (placed_) settings().setValue(QLatin1String(assemblyKey), on);
        }
        link();
    });
    separator(viewActions_);
    action(viewActions_, "view.fold", tr("Fold All or &Unfold All"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Minus),
           {}, with([](CudaEditor* editor) { editor->foldAll(true); }));
    wrap_ = action(viewActions_, "view.wrap", tr("&Wrap Long Lines"), QKeySequence(Qt::ALT | Qt::Key_Z), {}, [] {});
    wrap_->setCheckable(true);
    connect(wrap_, &QAction::toggled, this, [this](bool on) {
        for (int i = 0; i < tabs_->count(); ++i)
            static_cast<CudaEditor*>(tabs_->widget(i))->setWrap(on);
    });
    action(viewActions_, "view.nextSource", tr("&Next Source"), QKeySequence(Qt::CTRL | Qt::Key_PageDown), {}, [this] {
        if (tabs_->count()) tabs_->setCurrentIndex((tabs_->currentIndex() + 1) % tabs_->count());
    });
    action(viewActions_, "view.previousSource", tr("P&revious Source"), QKeySequence(Qt::CTRL | Qt::Key_PageUp), {},
           [this] {
               if (tabs_->count())
                   tabs_->setCurrentIndex((tabs_->currentIndex() + tabs_->count() - 1) % tabs_->count());
           });
}

FindBar* EditorArea::searching() const {
    return assembly_->isVisible() && assembly_->isAncestorOf(window()->focusWidget()) ? assembly_->findBar() : find_;
}

void EditorArea::updateActions() {
    const CudaEditor* editor = currentEditor();
    const bool writable = editor && !editor->isReadOnly();
    for (QAction* each : {replaceAction_, comment_})
        each->setEnabled(writable);
}

void EditorArea::syncTabs() {
    const QList<SourceFile*> sources = workbench_.document().sources();
    for (int i = tabs_->count() - 1; i >= 0; --i) {
        auto* editor = static_cast<CudaEditor*>(tabs_->widget(i));
        if (editor->file() && sources.contains(editor->file())) continue;
        changed_.removeAll(editor->file());
        tabs_->removeTab(i);
        delete editor;
    }
    for (SourceFile* source : sources)
        addTab(source);
    if (SourceFile* main = workbench_.document().mainSource()) setCurrentSource(main);
    stack_->setCurrentIndex(tabs_->count() ? 1 : 0);
}

void EditorArea::addTab(SourceFile* source) {
    if (editor(source)) return;
    auto* view = new CudaEditor(source, workbench_.theme(), tabs_);
    view->setWrap(wrap_->isChecked());
    connect(view, &CodeView::caretMoved, this, [this, view](int line, int column) {
        if (view != currentEditor()) return;
        emit cursorMoved(line, column);
        link();
    });
    connect(view, &CodeView::keyToLeave, this, [this] {
        if (find_->isVisible()) find_->close();
    });
    connect(view, &CodeView::zoomRequested, this, &EditorArea::zoomRequested);
    connect(source, &SourceFile::modifiedChanged, view, [this, source] { updateTab(source); });
    connect(source, &SourceFile::readOnlyChanged, view, [this, source] {
        updateTab(source);
        updateActions();
    });
    connect(source, &SourceFile::pathChanged, view, [this, source] {
        updateTab(source);
        watch(source);
    });
    connect(source, &SourceFile::textChanged, view, [this, source] {
        const CompileOutput& output = workbench_.document().compileOutput();
        if (source == workbench_.document().mainSource())
            assembly_->setStale(output.valid && output.revision != source->revision());
    });
    const int index = tabs_->addTab(view, source->name());
    if (source == workbench_.document().mainSource()) {
        // The session's own source stays as long as the session.
        const auto side = QTabBar::ButtonPosition(
            tabs_->style()->styleHint(QStyle::SH_TabBar_CloseButtonPosition, nullptr, tabs_->tabBar()));
        if (QWidget* button = tabs_->tabBar()->tabButton(index, side)) {
            tabs_->tabBar()->setTabButton(index, side, nullptr);
            button->deleteLater();
        }
    }
    updateTab(source);
    watch(source);
    stack_->setCurrentIndex(1);
    showDiagnostics(view);
    if (source != workbench_.document().mainSource()) view->setHeat(heatOf(view));
    emit editorOpened(view);
}

QList<CudaEditor*> EditorArea::editors() const {
    QList<CudaEditor*> all;
    for (int i = 0; i < tabs_->count(); ++i)
        all << static_cast<CudaEditor*>(tabs_->widget(i));
    return all;
}

void EditorArea::showDiagnostics(CudaEditor* view) const {
    const Document& document = workbench_.document();
    const CompileOutput& output = document.compileOutput();
    std::vector<compiler::Diagnostic> all;
    if (output.valid) all = output.diagnostics;
    // The place of the last run's failure is right only while the source is the one that ran.
    if (document.hasReport() && document.mainSource()->revision() == reportRevision_)
        for (const Problem& problem : problemsOf(document.report()))
            if (problem.line > 0)
                all.push_back({.file = problem.file.toStdString(),
                               .line = problem.line,
                               .column = problem.column,
                               .severity = compiler::Severity::error,
                               .message = problem.message.section(QStringLiteral(". "), 0, 0).toStdString(),
                               .notes = {}});
    if (all.empty())
        view->clearDiagnostics();
    else
        view->setDiagnostics(all);
}

void EditorArea::onReport() {
    reportRevision_ = workbench_.document().mainSource()->revision();
    for (int i = 0; i < tabs_->count(); ++i) {
        auto* view = static_cast<CudaEditor*>(tabs_->widget(i));
        showDiagnostics(view);
        view->setHeat(heatOf(view));
    }
}

FileHeat EditorArea::heatOf(const CudaEditor* view) const {
    const Document& document = workbench_.document();
    if (!document.hasReport() || !document.report().profile) return {};
    return ui::heatOf(*document.report().profile, heatMetric_,
                      [view](const QString& file) { return view->isNamed(file); });
}

void EditorArea::setHeatMetric(HeatMetric metric) {
    heatMetric_ = metric;
    for (int i = 0; i < tabs_->count(); ++i) {
        auto* view = static_cast<CudaEditor*>(tabs_->widget(i));
        const SourceFile* main = workbench_.document().mainSource();
        // In a source that was edited only the marks know where the lines of the run are now.
        if (view->file() == main && main->revision() != reportRevision_)
            view->recolourHeat(heatOf(view));
        else
            view->setHeat(heatOf(view));
    }
}

void EditorArea::removeTab(SourceFile* source) {
    CudaEditor* view = editor(source);
    if (!view) return;
    changed_.removeAll(source);
    if (!source->path().isEmpty()) watcher_.removePath(source->path());
    tabs_->removeTab(tabs_->indexOf(view));
    view->deleteLater();
    stack_->setCurrentIndex(tabs_->count() ? 1 : 0);
    showDiskNote();
}

void EditorArea::updateTab(SourceFile* source) {
    const int index = tabs_->indexOf(editor(source));
    if (index < 0) return;
    QString text = source->name();
    text.replace(QLatin1Char('&'), QLatin1String("&&"));
    if (source->isModified()) text.prepend(QStringLiteral("● "));
    if (source->isReadOnly()) text += tr(" (read-only)");
    tabs_->setTabText(index, text);
    tabs_->setTabToolTip(index, source->path().isEmpty() ? tr("Not saved yet") : source->path());
}

SourceFile* EditorArea::currentSource() const {
    CudaEditor* view = currentEditor();
    return view ? view->file() : nullptr;
}

CudaEditor* EditorArea::currentEditor() const { return qobject_cast<CudaEditor*>(tabs_->currentWidget()); }

CudaEditor* EditorArea::editor(SourceFile* source) const {
    for (int i = 0; i < tabs_->count(); ++i) {
        auto* view = static_cast<CudaEditor*>(tabs_->widget(i));
        if (view->file() == source) return view;
    }
    return nullptr;
}

void EditorArea::setCurrentSource(SourceFile* source) {
    if (CudaEditor* view = editor(source)) tabs_->setCurrentWidget(view);
}

void EditorArea::goTo(const QString& path, int line, int column) {
    Document& document = workbench_.document();
    SourceFile* source = path.isEmpty() ? document.mainSource() : nullptr;
    for (int i = 0; i < tabs_->count() && !source; ++i) {
        auto* view = static_cast<CudaEditor*>(tabs_->widget(i));
        if (view->isNamed(path)) source = view->file();
    }
    if (source) return goTo(source, line, column);
    const QString file = QFileInfo(path).isAbsolute() ? path : document.folder() + QLatin1Char('/') + path;
    workbench_.openSource(file, [this, line, column](SourceFile* opened, const QString& problem) {
        if (opened)
            goTo(opened, line, column);
        else
            emit workbench_.statusMessage(problem);
    });
}

void EditorArea::goTo(SourceFile* source, int line, int column) {
    setCurrentSource(source);
    if (CudaEditor* view = editor(source)) {
        if (line > 0) view->goTo(line, column);
        view->setFocus();
    }
}

void EditorArea::onCurrentChanged() {
    CudaEditor* view = currentEditor();
    find_->setView(view);
    updateActions();
    showDiskNote();
    if (view) {
        setFocusProxy(view);
        int line = 0, column = 0;
        view->getCursorPosition(&line, &column);
        emit cursorMoved(line + 1, column + 1);
    }
    emit currentSourceChanged();
    link();
}

void EditorArea::onCompiled() {
    const CompileOutput& output = workbench_.document().compileOutput();
    for (int i = 0; i < tabs_->count(); ++i) {
        auto* view = static_cast<CudaEditor*>(tabs_->widget(i));
        view->setLinkedLines({});
        view->setLineColours({});
        showDiagnostics(view);
    }
    CudaEditor* main = editor(workbench_.document().mainSource());
    const LineMap map(output.lines, [main](const QString& file) { return main && main->isNamed(file); });
    if (main) main->setLineColours(map.sourceColours());
    // Of a pipeline it is the kernel that is launched first.
    const auto launched = session::kernels_of(workbench_.document().session());
    const std::string name = launched.empty() ? std::string() : launched.front().name;
    const compiler::Kernel* kernel = workbench_.document().kernel(name);
    for (const compiler::Kernel& each : output.kernels)
        if (each.name == name) kernel = &each;
    assembly_->setOutput(output, map,
                         kernel ? QString::fromStdString(kernel->lowered.empty() ? kernel->name : kernel->lowered)
                                : QString());
    if (main && main->file()) assembly_->setStale(output.valid && output.revision != main->file()->revision());
    link();
}

void EditorArea::link() {
    CudaEditor* view = currentEditor();
    if (!view || !assembly_->isVisibleTo(this)) {
        if (view) view->setLinkedLines({});
        return;
    }
    if (view->file() != workbench_.document().mainSource()) return;
    view->setLinkedLines({});
    assembly_->showSourceLine(view->caretLine());
    int first = view->caretLine() - 1, last = first, from = 0, to = 0;
    if (view->hasSelectedText()) {
        view->getSelection(&first, &from, &last, &to);
        if (to == 0 && last > first) --last; // a selection of whole lines ends at the start of the next
    }
    emit linesChosen(first + 1, last + 1);
}

void EditorArea::watch(SourceFile* source) {
    if (!source->path().isEmpty() && !watcher_.files().contains(source->path())) watcher_.addPath(source->path());
}

void EditorArea::onFileChanged(const QString& path) {
    // Programs that save by renaming replace the watched file. It may also be half written now.
    QTimer::singleShot(100, this, [this, path] {
        SourceFile* source = workbench_.document().findSource(path);
        if (!source) return;
        readAgain(*source, [this, path](SourceFile& file, const SourceContent& content, bool edited) {
            if (edited) return onFileChanged(path); // what was read may be older than what is here
            watch(&file);
            if (content.text == file.text()) return;
            if (!file.isModified()) {
                file.take(content);
                emit workbench_.statusMessage(tr("%1 was changed by another program and read again.").arg(file.name()));
                return;
            }
            if (!changed_.contains(&file)) changed_.append(&file);
            emit changedOnDisk(&file);
            showDiskNote();
        });
    });
}

void EditorArea::reloadFromDisk() {
    SourceFile* source = currentSource();
    if (!source || !changed_.contains(source)) return;
    readAgain(*source, [this](SourceFile& file, const SourceContent& content, bool edited) {
        if (edited) return; // the note stays
        file.take(content);
        changed_.removeOne(&file);
        showDiskNote();
    });
}

void EditorArea::readAgain(
    SourceFile& source, const std::function<void(SourceFile& file, const SourceContent& content, bool edited)>& then) {
    workbench_.loading().load(
        tr("Reading %1").arg(source.name()),
        [this, path = source.path(), file = QPointer(&source), revision = source.revision(), then]() -> Loading::Then {
            QString problem;
            const auto content = readSource(path, &problem);
            return [this, file, content, problem, revision, then] {
                if (file && content)
                    then(*file, *content, file->revision() != revision);
                else if (file)
                    emit workbench_.statusMessage(problem);
            };
        });
}

void EditorArea::showDiskNote() {
    SourceFile* source = currentSource();
    const bool show = source && changed_.contains(source);
    if (show)
        diskText_->setText(
            tr("%1 was changed by another program, and has changes here that are not saved.").arg(source->name()));
    diskNote_->setVisible(show);
}

void EditorArea::setAssemblyVisible(bool visible) { assemblyAction_->setChecked(visible); }

void EditorArea::askForLine() {
    CudaEditor* view = currentEditor();
    if (!view) return;
    bool ok = false;
    const int line = QInputDialog::getInt(this, tr("Go to Line"), tr("Line (1 to %1):").arg(view->lines()),
                                          view->caretLine(), 1, view->lines(), 1, &ok);
    if (!ok) return;
    view->goTo(line);
    view->setFocus();
}

int EditorArea::widthForBoth() const {
    return splitter_->widget(0)->minimumSizeHint().width() + splitter_->handleWidth() +
           assembly_->minimumSizeHint().width();
}

void EditorArea::setBeside(QWidget* widget) {
    if (widget && splitter_->indexOf(widget) < 0) splitter_->insertWidget(1, widget);
    if (beside_ && beside_ != widget) beside_->hide();
    const bool comes = widget && widget != beside_, goes = !widget && beside_;
    beside_ = widget;
    if (!comes && !goes) return;
    const QScopedValueRollback guard(fitting_, true);
    if (comes && assemblyAction_->isChecked()) {
        besideHides_ = true;
        assemblyAction_->setChecked(false);
    } else if (goes && std::exchange(besideHides_, false)) {
        assemblyAction_->setChecked(true);
    }
    if (!widget) return;
    widget->show();
    splitter_->setStretchFactor(1, 3);
    splitter_->setSizes({width() / 2, width() / 2, 0});
}

void EditorArea::fitAssembly() {
    if (beside_) return; // which has its room
    const int needed = widthForBoth();
    if (width() >= needed) wanted_ = false;
    const bool shown = assemblyAction_->isChecked();
    const bool goes = shown && !wanted_ && width() < needed, comes = givenUp_ && width() >= needed + 4 * Theme::grid;
    if (!goes && !comes) return;
    const QScopedValueRollback guard(fitting_, true);
    assemblyAction_->setChecked(comes);
    givenUp_ = goes;
}

bool EditorArea::event(QEvent* event) {
    const bool done = QWidget::event(event);
    const bool sized = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (sized && placed_ && !fitting_) fitAssembly();
    return done;
}

void EditorArea::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle(); // with a new parent the style sheet has taken the colours away
    if (placed_) return;
    const bool shown =
        settings().value(QLatin1String(assemblyKey), width() >= 80 * fontMetrics().averageCharWidth()).toBool();
    assemblyAction_->setChecked(shown);
    assembly_->setVisible(shown);
    splitter_->setSizes({width() * 3 / 5, width() * 2 / 5});
    placed_ = true;
}

} // namespace warplight::ui
