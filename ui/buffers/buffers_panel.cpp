// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffers_panel.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/buffer_saver.hpp"
#include "ui/buffers/compare_page.hpp"
#include "ui/buffers/formula_bar.hpp"
#include "ui/buffers/formula_scope.hpp"
#include "ui/buffers/frames_page.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/histogram_page.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/link_bar.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/raw_dialog.hpp"
#include "ui/buffers/scatter_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/buffers/view_bar.hpp"
#include "ui/buffers/worker_buffer_source.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/run_results.hpp"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

BuffersPanel::BuffersPanel(Workbench& workbench, QWidget* parent, BufferSource* source)
    : Panel(workbench, parent), source_(source ? source : new WorkerBufferSource(workbench, this)),
      list_(new BufferListModel(this)) {
    setAcceptDrops(true);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    auto* left = new QWidget(splitter);
    buildLeft(left);
    auto* right = new QWidget(splitter);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    note_ = new QLabel(right);
    note_->setObjectName(QStringLiteral("runNote"));
    note_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    note_->setAutoFillBackground(true);
    note_->setWordWrap(true);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->hide();
    tabs_ = new QTabWidget(right);
    viewBar_ = new ViewBar(right);
    rightColumn->addWidget(note_);
    formula_ = new FormulaBar(theme(), right);
    rightColumn->addWidget(viewBar_);
    rightColumn->addWidget(formula_);
    rightColumn->addWidget(tabs_, 1);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Ways to look at the buffer"));
    Theme& look = theme();
    table_ = new TablePage(look, tabs_);
    hex_ = new HexPage(look, tabs_);
    plot_ = new PlotPage(look, tabs_);
    histogram_ = new HistogramPage(look, tabs_);
    scatter_ = new ScatterPage(look, tabs_);
    image_ = new ImagePage(look, tabs_);
    image_->setTextureKinds([this](const BufferInfo& info) { return textureKindOf(info); });
    compare_ = new ComparePage(look, tabs_);
    frames_ = new FramesPage(look, tabs_);
    tabs_->addTab(table_, icon(QStringLiteral("table")), tr("Table"));
    tabs_->addTab(hex_, icon(QStringLiteral("hex")), tr("Hex"));
    tabs_->addTab(plot_, icon(QStringLiteral("plot")), tr("Plot"));
    tabs_->addTab(histogram_, icon(QStringLiteral("histogram")), tr("Histogram"));
    tabs_->addTab(scatter_, icon(QStringLiteral("scatter")), tr("Scatter"));
    tabs_->addTab(image_, icon(QStringLiteral("image")), tr("Image"));
    tabs_->addTab(compare_, icon(QStringLiteral("compare")), tr("Compare"));
    tabs_->addTab(frames_, icon(QStringLiteral("run")), tr("Frames"));
    tabs_->setTabVisible(FramesTab, false);
    tabs_->setCornerWidget(links_, Qt::TopRightCorner);
    table_->setScope([this] { return scopeOf(viewBar_->shown(), currentBuffer()); });
    table_->setFolder([this] { return document().folder(); });
    splitter->addWidget(left);
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({360, 640});
    setContent(splitter);

    const auto restyle = [this, &look] {
        list_->setColours([&look](int row) { return look.series(row); });
        QPalette palette = note_->palette();
        palette.setColor(QPalette::Window, look.colours().warningSoft);
        palette.setColor(QPalette::WindowText, look.colours().text);
        note_->setPalette(palette);
    };
    restyle();
    connect(&look, &Theme::themeChanged, this, [this, restyle] {
        restyle();
        stale_[PlotTab] = stale_[HistogramTab] = true;
        refreshPage();
        showMarks();
    });
    connectPages();
    connect(&document(), &Document::reportChanged, this, &BuffersPanel::onReport);
    connect(&document(), &Document::sessionReplaced, this, &BuffersPanel::onSessionReplaced);
    connect(&this->workbench(), &Workbench::failedAttemptChanged, this, &BuffersPanel::onFailedAttempt);
    this->workbench().forEachWorker(this, [this](WorkerConnection* worker) {
        connect(worker, &WorkerConnection::restarted, this, &BuffersPanel::remakeLost);
    });
    connect(&CommandKeys::instance(), &CommandKeys::changed, this, &BuffersPanel::updateActions);
    connect(list_, &QAbstractItemModel::rowsInserted, this, &BuffersPanel::updateActions);
    connect(list_, &QAbstractItemModel::rowsRemoved, this, &BuffersPanel::updateActions);
    connect(list_, &QAbstractItemModel::modelReset, this, &BuffersPanel::updateActions);
    onReport();
    updateActions();
}

void BuffersPanel::connectPages() {
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &BuffersPanel::refreshPages);
    connect(tabs_, &QTabWidget::currentChanged, this, [this](int tab) {
        // Bytes, the comparison and frames are those of the whole buffer.
        viewBar_->setEnabled(tab != HexTab && tab != CompareTab && tab != FramesTab);
        links_->setStepsShown(tab != CompareTab && tab != FramesTab);
        refreshPage();
    });
    connect(view_, &QTreeView::activated, this, [this] { tabs_->currentWidget()->setFocus(); });
    connect(formula_, &FormulaBar::accepted, this, &BuffersPanel::makeFormula);
    const auto say = [this](const QString& text) { emit this->workbench().statusMessage(text); };
    connect(table_, &TablePage::message, this, say);
    connect(hex_, &HexPage::message, this, say);
    connect(plot_, &PlotPage::message, this, say);
    connect(histogram_, &HistogramPage::message, this, say);
    connect(scatter_, &ScatterPage::message, this, say);
    connect(image_, &ImagePage::message, this, say);
    connect(saver_, &BufferSaver::message, this, say);
    connect(viewBar_, &ViewBar::message, this, say);
    connect(viewBar_, &ViewBar::saveRequested, this,
            [this] { saver_->ask(source_, viewBar_->shown(), document().folder()); });
    connect(viewBar_, &ViewBar::shownChanged, this, [this] {
        for (const Tab tab : {TableTab, PlotTab, HistogramTab, ScatterTab, ImageTab})
            stale_[tab] = true;
        refreshPage();
    });
    connect(frames_, &FramesPage::message, this, say);
    connect(viewBar_, &ViewBar::keepRequested, this, &BuffersPanel::keepShown);
    connect(compare_, &ComparePage::indexRequested, this, [this](qint64 index) {
        setCursor(index);
        tabs_->setCurrentIndex(TableTab);
        table_->grid()->setFocus();
    });
    connect(compare_, &ComparePage::marksChanged, this, &BuffersPanel::showMarks);
    connect(links_, &LinkBar::marksToggled, this, &BuffersPanel::showMarks);
    connect(links_, &LinkBar::linkToggled, this, [this](bool on) {
        if (on && cursor() < 0) return;
        setCursor(cursor());
    });
    connect(links_, &LinkBar::stepRequested, this, [this](bool forward) {
        const auto marks = compare_->marks();
        const qint64 next = marks ? marks->next(cursor(), forward) : -1;
        if (next >= 0) setCursor(next);
    });
    connect(table_, &TablePage::formulasChanged, this, [this] {
        columns_.insert(columnsKey(), table_->formulas());
        stale_[ScatterTab] = true;
    });
    connect(table_, &TablePage::fieldRequested, viewBar_, &ViewBar::setField);
    connect(table_, &TablePage::indexChosen, this, [this](qint64 index) { choose(TableTab, index); });
    connect(hex_, &HexPage::indexChosen, this, [this](qint64 index) { choose(HexTab, index); });
    connect(plot_, &PlotPage::indexChosen, this, [this](qint64 index) { choose(PlotTab, index); });
    connect(scatter_, &ScatterPage::indexChosen, this, [this](qint64 index) { choose(ScatterTab, index); });
    connect(image_, &ImagePage::indexChosen, this, [this](qint64 index) { choose(ImageTab, index); });
    connect(compare_, &ComparePage::indexChosen, this, [this](qint64 index) { choose(CompareTab, index); });
}

void BuffersPanel::buildLeft(QWidget* left) {
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    open_ = new QAction(icon(QStringLiteral("open")), tr("&Open Data…"), this);
    save_ = new QAction(icon(QStringLiteral("save")), tr("&Save Buffer As…"), this);
    close_ = new QAction(icon(QStringLiteral("close")), tr("&Close Buffer"), this);
    open_->setToolTip(tr("Look at an array of a file: .npy, .npz, HDF5, text, image, sound, raw"));
    save_->setToolTip(tr("Write the buffer to a file"));
    close_->setToolTip(tr("Take the opened file from the list"));
    newFormula_ = new QAction(icon(QStringLiteral("function")), tr("&New Buffer from Formula…"), this);
    newFormula_->setToolTip(tr("New buffer from a formula over this one and others of its size"));
    connect(newFormula_, &QAction::triggered, this, &BuffersPanel::askFormula);
    stay_ = new QAction(icon(QStringLiteral("pin")), tr("Stay with Its &Run"), this);
    stay_->setCheckable(true);
    stay_->setToolTip(tr("Buffers that are made of others follow the next run, unless they stay"));
    connect(stay_, &QAction::triggered, this, [this](bool on) { setStaying(currentBuffer().id, on); });
    run_ = new QAction(icon(QStringLiteral("run")), tr("Run"), this);
    connect(open_, &QAction::triggered, this, &BuffersPanel::askAndOpen);
    connect(save_, &QAction::triggered, this, [this] {
        if (const BufferInfo info = currentBuffer(); info.isValid()) saver_->ask(source_, info, document().folder());
    });
    connect(close_, &QAction::triggered, this, &BuffersPanel::closeCurrent);
    connect(run_, &QAction::triggered, &this->workbench(), &Workbench::runRequested);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    for (QAction* action : {open_, save_, close_, newFormula_}) {
        auto* button = new QToolButton(left);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(action->toolTip());
        bar->addWidget(button);
    }
    bar->addStretch();
    links_ = new LinkBar(theme(), left); // moves beside the tabs
    bar->addWidget(links_->linkButton());
    column->addLayout(bar);
    view_ = new QTreeView(left);
    view_->setModel(list_);
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(true);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAccessibleName(tr("Buffers"));
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->addActions({newFormula_, stay_, save_, close_});
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    column->addWidget(view_, 1);
    saver_ = new BufferSaver(left);
    column->addWidget(saver_);
}

void BuffersPanel::updateActions() {
    const BufferInfo current = currentBuffer();
    save_->setEnabled(current.isValid());
    close_->setEnabled(current.isValid() && isOwn(current.role));
    newFormula_->setEnabled(current.isValid() && current.count() > 0);
    stay_->setEnabled(recipes_.contains(current.id));
    stay_->setChecked(recipes_.value(current.id).stays);
    if (list_->rowCount() > 0)
        showContent();
    else if (document().isProgram())
        showEmptyNote(QStringLiteral("buffers"), tr("No data of programs"),
                      tr("A program keeps its arrays to itself. Open a .npy, .csv or raw file that it wrote."), open_);
    else
        showEmptyNote(QStringLiteral("buffers"), tr("No data yet"),
                      tr("Run the kernel (%1) to look at its inputs and outputs, or drop a .npy file here.")
                          .arg(commandKeys("run.run")),
                      document().mainSource()->text().trimmed().isEmpty() ? open_ : run_);
}

BufferInfo BuffersPanel::currentBuffer() const {
    const QModelIndexList rows = view_->selectionModel()->selectedRows();
    QModelIndex index = view_->currentIndex();
    if (!index.isValid() || !view_->selectionModel()->isRowSelected(index.row()))
        index = rows.isEmpty() ? QModelIndex() : rows.first();
    return index.isValid() ? list_->buffers()[index.row()] : BufferInfo();
}

void BuffersPanel::setCurrentBuffer(qint64 id) {
    const int row = list_->rowOf(id);
    if (row < 0) return;
    view_->selectionModel()->setCurrentIndex(list_->index(row, 0),
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

QList<BufferInfo> BuffersPanel::buffersOfRuns() const {
    const ShownRuns runs = shownRuns(document().runs());
    // Buffers that are not of the last attempt to run are marked with their run.
    const bool marked =
        runs.results && (runs.results != &document().runs().back() || !workbench().failedAttempt().isEmpty());
    QList<BufferInfo> buffers;
    const auto add = [&](const RunRecord& run, const session::ReportOutput& output, bool input) {
        if (!output.buffer) return;
        BufferInfo info;
        info.id = *output.buffer;
        info.name = QString::fromStdString(output.name);
        info.argument = output.index;
        info.path = QString::fromStdString(output.saved);
        if (marked) info.run = runTitle(run);
        info.role = input ? BufferRole::Input : output.direction == "inout" ? BufferRole::InOut : BufferRole::Output;
        for (const auto length : output.shape)
            info.shape.append(qint64(length));
        info.bytes = qint64(output.bytes);
        info.rate = output.rate;
        const qint64 count = info.count();
        info.type =
            ElementType::fromName(QString::fromStdString(output.dtype), count > 0 ? int(info.bytes / count) : 1);
        buffers.append(info);
    };
    if (runs.failed)
        for (const session::ReportOutput& input : runs.failed->report.inputs)
            add(*runs.failed, input, true);
    if (runs.results) {
        for (const session::ReportOutput& output : runs.results->report.outputs)
            add(*runs.results, output, false);
        for (const session::ReportOutput& input : runs.results->report.inputs)
            add(*runs.results, input, true);
        const auto& pipeline = runs.results->report.pipeline;
        if (pipeline && pipeline->frames) {
            const session::ReportFrames& frames = *pipeline->frames;
            session::ReportOutput kept;
            kept.index = -1;
            kept.name = frames.name;
            kept.dtype = frames.dtype;
            kept.shape = frames.shape;
            kept.buffer = frames.buffer;
            kept.bytes = std::uint64_t(ElementType::fromName(QString::fromStdString(frames.dtype)).size);
            for (const std::size_t length : frames.shape)
                kept.bytes *= length;
            const auto before = buffers.size();
            add(*runs.results, kept, false);
            if (buffers.size() > before) buffers.last().role = BufferRole::Frames;
        }
    }
    return buffers;
}

void BuffersPanel::showFrames() {
    BufferInfo kept;
    for (const BufferInfo& info : list_->buffers())
        if (info.role == BufferRole::Frames) kept = info;
    const RunRecord* run = shownRuns(document().runs()).results;
    tabs_->setTabVisible(FramesTab, kept.isValid());
    frames_->setFrames(kept.isValid() ? source_ : nullptr, kept,
                       kept.isValid() ? run->report.pipeline->frames->rounds : std::vector<std::uint64_t>());
}

QString BuffersPanel::runNote() const {
    if (!document().hasReport()) return {};
    const ShownRuns runs = shownRuns(document().runs());
    const RunRecord& last = document().runs().back();
    QString what = workbench().failedAttempt();
    if (what.isEmpty()) {
        if (runs.results == &last) return {};
        what = runs.failed ? tr("%1 failed. It has inputs and no results.").arg(runTitle(last))
                           : tr("%1 failed before it had data.").arg(runTitle(last));
    }
    if (runs.results) what += QLatin1Char(' ') + tr("The results are those of %1.").arg(runTitle(*runs.results));
    return what;
}

void BuffersPanel::onReport() {
    const BufferInfo before = currentBuffer();
    ++generation_;
    expected_.clear();
    tolerances_.clear();
    QList<BufferInfo> buffers = buffersOfRuns();
    for (const BufferInfo& info : list_->buffers()) {
        if (isOwn(info.role)) buffers.append(info);
        // Files are opened anew below. The others end with their run.
        if (info.role == BufferRole::Expected && !ofFormulas_.contains(info.id)) source_->close(info.id);
    }
    ofFormulas_.clear();
    list_->setBuffers(buffers);
    for (Recipe& recipe : recipes_)
        recipe.failed = false;
    const QString note = runNote();
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    markRuns();

    int select = buffers.isEmpty() ? -1 : 0;
    for (int row = 0; row < buffers.size(); ++row)
        if (buffers[row].name == before.name && buffers[row].role == before.role) select = row;
    if (select >= 0) setCurrentBuffer(buffers[select].id);
    showFrames();
    refreshPages();
    openExpectations();
    askFields();
    followRuns();
}

/// The buffers stay; only the run that they are marked with changes.
void BuffersPanel::onFailedAttempt() {
    if (document().hasReport()) onReport();
}

/// Which field of a struct holds what is not in a report.
void BuffersPanel::askFields() {
    for (const BufferInfo& info : list_->buffers()) {
        if (info.type.isNumeric() || info.isStructs()) continue;
        source_->fields(info.id, this, [this, id = info.id](const BufferReply<QList<BufferField>>& reply) {
            if (!reply.ok() || reply.value.isEmpty()) return;
            list_->setFields(id, reply.value);
            refreshPages();
        });
    }
}

void BuffersPanel::opened(const BufferInfo& info, BufferRole role, const QString& name) {
    BufferInfo buffer = info;
    buffer.role = role;
    if (!name.isEmpty()) buffer.name = name;
    list_->add(buffer);
    if (isOwn(role)) setCurrentBuffer(buffer.id);
    stale_[CompareTab] = true;
}

void BuffersPanel::openFile(const QString& path) {
    if (isContainerFile(path)) {
        chooseMember(path);
        return;
    }
    if (saysItsType(path)) {
        openFileAs(path, {}, {}, 0);
        return;
    }
    auto* dialog = new RawDialog(path, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, path] { openFileAs(path, dialog->type(), dialog->shape(), dialog->offset()); });
    dialog->open();
}

void BuffersPanel::openFileAs(const QString& path, const QString& type, const QList<qint64>& shape, qint64 offset) {
    source_->open(path, type, shape, offset, this, [this, path](const BufferReply<BufferInfo>& reply) {
        if (reply.ok())
            opened(reply.value, BufferRole::File, QFileInfo(path).fileName());
        else
            emit workbench().statusMessage(tr("%1 cannot be opened: %2").arg(QFileInfo(path).fileName(), reply.error));
    });
}

void BuffersPanel::chooseMember(const QString& path) {
    source_->members(path, this, [this, path](const BufferReply<QList<ContainerMember>>& reply) {
        const QString file = QFileInfo(path).fileName();
        QStringList names, texts;
        for (const ContainerMember& each : reply.value) {
            if (!each.problem.isEmpty()) continue;
            names << each.name;
            texts << each.text();
        }
        if (!reply.ok())
            emit workbench().statusMessage(tr("%1 cannot be opened: %2").arg(file, reply.error));
        else if (names.isEmpty())
            emit workbench().statusMessage(tr("%1 has no array that can be read.").arg(file));
        else if (names.size() == 1)
            openMember(path, names.first());
        if (names.size() < 2) return;
        auto* dialog = new QInputDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(tr("Open %1").arg(file));
        dialog->setLabelText(tr("Array"));
        dialog->setComboBoxItems(texts);
        dialog->setOkButtonText(tr("Open"));
        connect(dialog, &QInputDialog::textValueSelected, this, [this, path, names, texts](const QString& text) {
            if (const qsizetype index = texts.indexOf(text); index >= 0) openMember(path, names[index]);
        });
        dialog->open();
    });
}

void BuffersPanel::openMember(const QString& path, const QString& member) {
    source_->openMember(path, member, this, [this, path, member](const BufferReply<BufferInfo>& reply) {
        const QString file = QFileInfo(path).fileName();
        if (reply.ok())
            opened(reply.value, BufferRole::File, QStringLiteral("%1: %2").arg(file, member));
        else
            emit workbench().statusMessage(tr("%1 cannot be opened: %2").arg(file, reply.error));
    });
}

void BuffersPanel::askAndOpen() {
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open Data"), document().folder(),
                                                            tr("Data (%1);;All files (*)").arg(dataPatterns()));
    for (const QString& path : paths)
        openFile(path);
}

void BuffersPanel::closeCurrent() {
    const BufferInfo info = currentBuffer();
    if (!info.isValid() || !isOwn(info.role)) return;
    source_->close(info.id);
    ownRuns_.remove(info.id);
    recipes_.remove(info.id);
    list_->removeAt(list_->rowOf(info.id));
    refreshPages();
}

qint64 BuffersPanel::expectedOf(const BufferInfo& info) const { return expected_.value(info.id, -1); }

void BuffersPanel::refreshPages() {
    stale_.fill(true);
    updateActions();
    viewBar_->setBuffer(source_, currentBuffer());
    refreshPage();
    compareInBackground();
}

void BuffersPanel::refreshPage() {
    const int tab = tabs_->currentIndex();
    if (tab < 0 || !stale_[size_t(tab)]) return;
    stale_[size_t(tab)] = false;
    {
        const QScopedValueRollback guard(moving_, true); // pages that get a buffer tell where their cursor is
        showBuffer(tab);
    }
    showCursor(tab);
    showMarks();
}

void BuffersPanel::showBuffer(int tab) {
    const BufferInfo current = currentBuffer();
    const BufferInfo shown = viewBar_->shown();
    switch (tab) {
    case TableTab: table_->setBuffer(source_, shown, columns_.value(columnsKey())); break;
    case HexTab: hex_->setBuffer(source_, current); break;
    case HistogramTab: histogram_->setBuffer(source_, shown, theme().series(list_->rowOf(current.id))); break;
    case ScatterTab: scatter_->setChoices(source_, shown, scopeOf(shown, current)); break;
    case ImageTab: {
        BufferInfo beside;
        const QModelIndexList rows = view_->selectionModel()->selectedRows();
        if (rows.size() == 2)
            for (const QModelIndex& index : rows)
                if (list_->buffers()[index.row()].id != current.id) beside = list_->buffers()[index.row()];
        image_->setBuffer(source_, shown, beside);
        break;
    }
    case PlotTab: {
        QList<PlotPage::Series> series;
        for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
            PlotPage::Series each{list_->buffers()[index.row()], theme().series(index.row())};
            if (each.info.role == BufferRole::Input || each.info.role == BufferRole::Expected ||
                !each.info.run.isEmpty())
                each.info.name = each.info.title();
            if (each.info.id == current.id) {
                if (viewBar_->isDerived()) each.info = shown;
                series.prepend(each);
            } else {
                series.append(each);
            }
        }
        plot_->setSeries(source_, series);
        break;
    }
    case CompareTab: prepareComparison(); break;
    default: break;
    }
}

void BuffersPanel::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void BuffersPanel::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) openFile(url.toLocalFile());
    event->acceptProposedAction();
}

} // namespace warplight::ui
