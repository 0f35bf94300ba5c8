// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_page.hpp"

#include "ui/common/command_keys.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/form_dialog.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/loading.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/workbench.hpp"
#include "ui/history/comparison_view.hpp"
#include "ui/history/history_model.hpp"
#include "ui/history/run_text.hpp"

#include <QAction>
#include <QComboBox>
#include <QDateTime>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

using history::Run;

HistoryPage::HistoryPage(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), model_(new HistoryModel(workbench.history(), workbench.theme(), this)),
      table_(new QTableView), search_(new QLineEdit), filter_(new QComboBox), stack_(new QStackedWidget),
      note_(new QLabel), details_(new ElidedLabel) {
    setObjectName(QStringLiteral("historyPage"));
    restore_ = makeAction(QStringLiteral("restore"), QStringLiteral("history"), tr("Restore"), &HistoryPage::restore);
    compare_ = makeAction(QStringLiteral("compare"), QStringLiteral("compare"), tr("Compare"), &HistoryPage::compare);
    label_ = makeAction(QStringLiteral("label"), QStringLiteral("label"), tr("Label…"), &HistoryPage::editLabel);
    writeNote_ = makeAction(QStringLiteral("note"), QStringLiteral("note"), tr("Note…"), &HistoryPage::editNote);
    pin_ = makeAction(QStringLiteral("pin"), QStringLiteral("pin"), tr("Pin"), &HistoryPage::togglePins);
    remove_ = makeAction(QStringLiteral("delete"), QStringLiteral("clear"), tr("Delete…"), &HistoryPage::remove);
    export_ = makeAction(QStringLiteral("export"), QStringLiteral("export"), tr("Export Source…"),
                         &HistoryPage::exportSource);
    restore_->setToolTip(tr("Put source, launch, arguments and options of the run into the window"));
    label_->setShortcut(QKeySequence(Qt::Key_F2));
    remove_->setShortcut(QKeySequence(Qt::Key_Delete));

    makeTable();
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignCenter);
    note_->setMargin(2 * Theme::grid);
    stack_->addWidget(table_);
    stack_->addWidget(note_);
    details_->setTextFormat(Qt::PlainText);
    details_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    details_->setAccessibleName(tr("The selected run"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(stack_, 1);
    column->addWidget(details_);

    Document& document = workbench_.document();
    connect(search_, &QLineEdit::textChanged, this, &HistoryPage::ask);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (model_->rowCount() > 0) table_->selectRow(0);
        table_->setFocus();
    });
    connect(filter_, &QComboBox::currentIndexChanged, this, &HistoryPage::ask);
    const auto otherSession = [this] {
        if (filter_->currentIndex() == 1) ask();
    };
    connect(&document, &Document::sessionReplaced, this, otherSession);
    connect(&document, &Document::pathChanged, this, otherSession);
    connect(&workbench_.history(), &RunHistory::changed, this, [this] {
        if (isVisible())
            model_->refresh();
        else
            stale_ = true;
    });
    connect(model_, &HistoryModel::answered, this, [this] {
        problem_.clear();
        asked_ = true;
        update();
    });
    connect(model_, &HistoryModel::totalChanged, this, &HistoryPage::update);
    connect(model_, &HistoryModel::failed, this, [this](const QString& problem) {
        problem_ = problem;
        asked_ = true;
        update();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::update);
    connect(&CommandKeys::instance(), &CommandKeys::changed, this, &HistoryPage::update);
    connect(&workbench_.theme(), &Theme::themeChanged, this, &HistoryPage::restyle);
    restyle();
}

QAction* HistoryPage::makeAction(const QString& name, const QString& iconName, const QString& text,
                                 void (HistoryPage::*act)()) {
    auto* action = new QAction(icon(iconName), text, this);
    action->setObjectName(QStringLiteral("history.") + name);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    table_->addAction(action);
    return action;
}

QWidget* HistoryPage::makeBar() {
    auto* widget = new QWidget;
    auto* bar = new QHBoxLayout(widget);
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    search_->setPlaceholderText(tr("Search the runs"));
    search_->setToolTip(tr("Words that stand in title, kernel, device, launch, options, arguments, label or note"));
    search_->setAccessibleName(tr("Search the runs"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(scaledPixels(96));
    filter_->addItems({tr("All sessions"), tr("This session")});
    filter_->setAccessibleName(tr("Runs of"));
    bar->addWidget(search_, 1);
    bar->addWidget(filter_);
    for (QAction* action : {restore_, compare_, label_, writeNote_, pin_, remove_, export_}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(action == restore_ || action == compare_ ? Qt::ToolButtonTextBesideIcon
                                                                            : Qt::ToolButtonIconOnly);
        button->setProperty("framed", true);
        bar->addWidget(button);
    }
    return widget;
}

void HistoryPage::makeTable() {
    table_->setModel(model_);
    table_->setObjectName(QStringLiteral("history"));
    table_->setAccessibleName(tr("Runs of the history"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    QHeaderView* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setResizeContentsPrecision(0); // of the rows that are seen, however many there are
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(HistoryModel::Change, QHeaderView::Stretch);
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == HistoryModel::Pin) togglePins();
    });
}

void HistoryPage::restyle() {
    QHeaderView* header = table_->horizontalHeader();
    header->setMaximumSectionSize(28 * table_->fontMetrics().averageCharWidth());
    header->setMinimumSectionSize(scaledPixels(24));
    update();
}

void HistoryPage::setOnlyThisSession(bool only) { filter_->setCurrentIndex(only ? 1 : 0); }

QString HistoryPage::note() const { return stack_->currentIndex() == 1 ? note_->text() : QString(); }

ComparisonView* HistoryPage::comparison() const { return comparison_; }

void HistoryPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!asked_)
        ask();
    else
        model_->refresh(); // other windows and programs write it too
    stale_ = false;
}

void HistoryPage::ask() {
    history::Query query;
    query.text = search_->text().toStdString();
    if (filter_->currentIndex() == 1) {
        query.session = workbench_.document().path().toStdString();
        query.title = workbench_.document().session().title;
    }
    model_->setQuery(query);
}

void HistoryPage::update() {
    const bool empty = model_->rowCount() == 0;
    stack_->setCurrentIndex(empty || !problem_.isEmpty() ? 1 : 0);
    if (!problem_.isEmpty())
        note_->setText(problem_);
    else if (!asked_)
        note_->setText(tr("Reading the history…"));
    else if (!search_->text().trimmed().isEmpty())
        note_->setText(tr("No run has all these words."));
    else if (filter_->currentIndex() == 1)
        note_->setText(tr("No run of this session is kept yet."));
    else
        note_->setText(workbench_.history().isKeeping()
                           ? tr("No run is kept yet. Run the kernel (%1): its run appears here, and stays when the "
                                "window is closed.")
                                 .arg(commandKeys("run.run"))
                           : tr("Runs are not kept. Settings (Edit menu) can have them kept."));
    QPalette palette = note_->palette();
    const Colours& colours = workbench_.theme().colours();
    palette.setColor(QPalette::WindowText, problem_.isEmpty() ? colours.mutedText : colours.error);
    note_->setPalette(palette);

    const QList<int> rows = selectedRows();
    const QString count = model_->total() == 1 ? tr("1 run") : tr("%1 runs").arg(formatCount(model_->total()));
    if (rows.size() != 1) {
        details_->setText(rows.isEmpty() ? count : tr("%1 of %2 selected").arg(rows.size()).arg(count));
    } else {
        const history::Entry& run = model_->entry(rows.front());
        QStringList parts{tr("Run %1").arg(run.id),
                          QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.time), QLocale::ShortFormat)};
        if (!run.title.empty()) parts << QString::fromStdString(run.title);
        if (!run.options.empty()) parts << QString::fromStdString(run.options);
        if (!run.note.empty()) parts << QString::fromStdString(run.note).simplified();
        details_->setText(parts.join(QStringLiteral("   ·   ")));
    }
    updateActions();
}

void HistoryPage::updateActions() {
    const QList<int> rows = selectedRows();
    const bool one = rows.size() == 1;
    for (QAction* action : {restore_, label_, writeNote_, export_})
        action->setEnabled(one);
    compare_->setEnabled(one || rows.size() == 2);
    compare_->setToolTip(one ? tr("Compare the run with the present state of the window")
                             : tr("Compare two selected runs, or one with the present state of the window"));
    pin_->setEnabled(!rows.isEmpty());
    remove_->setEnabled(!rows.isEmpty());
    const bool pinned =
        !rows.isEmpty() && std::all_of(rows.begin(), rows.end(), [this](int row) { return model_->entry(row).pinned; });
    pin_->setText(pinned ? tr("Unpin") : tr("Pin"));
    pin_->setToolTip(pinned ? tr("Unpin: let it go with the oldest runs")
                            : tr("Pin: keep it when the oldest runs are removed"));
}

QList<int> HistoryPage::selectedRows() const {
    QList<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

void HistoryPage::withRun(qint64 id, const std::function<void(std::shared_ptr<const Run>)>& then) {
    workbench_.history().read(
        this,
        [id, then](history::History& history) -> std::function<void()> {
            return [then, run = std::make_shared<const Run>(history.get(id))] { then(run); };
        },
        [this](const QString& problem) {
            emit failed(problem);
            model_->refresh();
        });
}

void HistoryPage::change(const std::function<void(history::History&, const std::vector<std::int64_t>&)>& act) {
    const QList<int> rows = selectedRows();
    std::vector<std::int64_t> ids;
    ids.reserve(static_cast<std::size_t>(rows.size()));
    for (const int row : rows)
        ids.push_back(model_->entry(row).id);
    workbench_.history().change(
        this,
        [ids, act](history::History& history) {
            act(history, ids);
            return std::function<void()>();
        },
        [this](const QString& problem) {
            emit failed(problem);
            model_->refresh();
        });
}

void HistoryPage::restore() {
    const QList<int> rows = selectedRows();
    if (rows.size() != 1) return;
    withRun(model_->entry(rows.front()).id, [this](const auto& run) { emit restoreRequested(run); });
}

void HistoryPage::compare() {
    const QList<int> rows = selectedRows();
    if (rows.isEmpty() || rows.size() > 2) return;
    const qint64 older = model_->entry(rows.back()).id;
    const qint64 newer = rows.size() == 2 ? model_->entry(rows.front()).id : 0;
    withRun(older, [this, newer](const std::shared_ptr<const Run>& before) {
        if (newer == 0) return showComparison(*before, nullptr);
        withRun(newer, [this, before](const auto& after) { showComparison(*before, after); });
    });
}

void HistoryPage::showComparison(const Run& before, const std::shared_ptr<const Run>& after) {
    ComparedRun one{before, runName(before.entry)};
    ComparedRun other = after ? ComparedRun{*after, runName(after->entry)} : presentState(workbench_.document());
    workbench_.loading().load(
        tr("Comparing two runs"), [this, one = std::move(one), other = std::move(other)]() -> Loading::Then {
            const auto comparison = std::make_shared<RunComparison>(comparisonOf(one, other));
            return [this, comparison] {
                comparison_ = new ComparisonView(workbench_, std::move(*comparison), window());
                comparison_->resize(QSize(scaledPixels(1000), scaledPixels(640)).boundedTo(roomForDialog(this)));
                comparison_->show();
            };
        });
}

void HistoryPage::editLabel() {
    const QList<int> rows = selectedRows();
    if (rows.size() != 1) return;
    table_->setFocus();
    table_->setCurrentIndex(model_->index(rows.front(), HistoryModel::Label));
    table_->edit(table_->currentIndex());
}

void HistoryPage::editNote() {
    const QList<int> rows = selectedRows();
    if (rows.size() != 1) return;
    const history::Entry& run = model_->entry(rows.front());
    bool agreed = false;
    const QString text = QInputDialog::getMultiLineText(this, tr("Note"), tr("Note of run %1:").arg(run.id),
                                                        QString::fromStdString(run.note), &agreed);
    if (!agreed) return;
    change([note = text.trimmed().toStdString()](history::History& history, const auto& ids) {
        history.set_note(ids.front(), note);
    });
}

void HistoryPage::togglePins() {
    const QList<int> rows = selectedRows();
    const bool pin = std::any_of(rows.begin(), rows.end(), [this](int row) { return !model_->entry(row).pinned; });
    change([pin](history::History& history, const auto& ids) { history.set_pinned(ids, pin); });
}

void HistoryPage::remove() {
    const QList<int> rows = selectedRows();
    if (rows.isEmpty()) return;
    const auto pinned = std::count_if(rows.begin(), rows.end(), [this](int row) { return model_->entry(row).pinned; });
    QMessageBox box(QMessageBox::Question, tr("Delete from the history"),
                    rows.size() == 1 ? tr("Delete %1 from the history?").arg(runName(model_->entry(rows.front())))
                                     : tr("Delete %1 runs from the history?").arg(rows.size()),
                    QMessageBox::Cancel, this);
    box.setInformativeText(pinned == 0        ? tr("This cannot be undone.")
                           : rows.size() == 1 ? tr("It is pinned. This cannot be undone.")
                                              : tr("%1 of them are pinned. This cannot be undone.").arg(pinned));
    QPushButton* agree = box.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.setObjectName(QStringLiteral("deleteRuns"));
    box.exec();
    if (box.clickedButton() != agree) return;
    change([](history::History& history, const auto& ids) { history.remove(ids); });
}

void HistoryPage::exportSource() {
    const QList<int> rows = selectedRows();
    if (rows.size() != 1) return;
    withRun(model_->entry(rows.front()).id, [this](const std::shared_ptr<const Run>& run) {
        const std::string& name = run->document.source.name;
        const QString path = QFileDialog::getSaveFileName(
            this, tr("Export Source"),
            workbench_.document().folder() + QLatin1Char('/') +
                tr("run-%1-%2").arg(run->entry.id).arg(QString::fromStdString(name.empty() ? "kernel.cu" : name)),
            tr("CUDA and PTX (*.cu *.ptx);;All files (*)"));
        if (path.isEmpty()) return;
        QString problem;
        if (!exportSource(*run, path, &problem)) emit failed(problem);
    });
}

bool HistoryPage::exportSource(const Run& run, const QString& path, QString* problem) const {
    QSaveFile file(path);
    const std::string& text = run.document.source.text;
    const auto size = qint64(text.size());
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit()) return true;
    *problem = tr("Cannot write %1: %2. Choose another folder.").arg(path, file.errorString());
    return false;
}

} // namespace warplight::ui
