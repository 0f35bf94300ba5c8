// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/pipeline_page.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"
#include "ui/launch/checks_box.hpp"
#include "ui/launch/step_dialog.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace warplight::ui {
namespace {

constexpr int placeRole = Qt::UserRole; ///< of a step in its list

StepPath pathOf(const QTreeWidgetItem* item) {
    StepPath path;
    for (; item; item = item->parent())
        path.prepend(item->data(0, placeRole).toInt());
    return path;
}

} // namespace

PipelinePage::PipelinePage(Document& document, Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document), theme_(theme) {
    build();
    connect(&document_, &Document::sessionChanged, this, &PipelinePage::showSession);
    showSession();
}

void PipelinePage::build() {
    const QStringList kinds{tr("Launch a &Kernel"), tr("&Copy an Array"), tr("&Fill an Array"), tr("&Swap Two Arrays"),
                            tr("&Loop")};
    for (int kind = 0; kind < kinds.size(); ++kind)
        connect(addMenu_.addAction(kinds[kind]), &QAction::triggered, this, [this, kind] {
            add(kind);
            if (kind != 4) editCurrent();
        });
    edit_ = new QAction(icon(QStringLiteral("edit")), tr("Edit Step…"), this);
    duplicate_ = new QAction(icon(QStringLiteral("copy")), tr("Duplicate Step"), this);
    remove_ = new QAction(icon(QStringLiteral("minus")), tr("Remove Step"), this);
    up_ = new QAction(icon(QStringLiteral("arrow-up")), tr("Move Step Up"), this);
    down_ = new QAction(icon(QStringLiteral("arrow-down")), tr("Move Step Down"), this);
    up_->setToolTip(tr("Before the step above it, out of a loop, or into the one above (Alt+Up)"));
    down_->setToolTip(tr("Behind the step below it, out of a loop, or into the one below (Alt+Down)"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, 0);
    column->setSpacing(Theme::half);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(Theme::half);
    addButton_ = new QToolButton;
    addButton_->setText(tr("Add Step"));
    addButton_->setIcon(icon(QStringLiteral("plus")));
    addButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addButton_->setPopupMode(QToolButton::InstantPopup);
    addButton_->setMenu(&addMenu_);
    addButton_->setProperty("framed", true);
    addButton_->setFocusPolicy(Qt::StrongFocus);
    addButton_->setToolTip(tr("Behind the selected step, or into the selected loop"));
    bar->addWidget(addButton_);
    for (QAction* action : stepActions()) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(action->text());
        bar->addWidget(button);
        buttons_ << button;
    }
    bar->addStretch();
    column->addLayout(bar);

    steps_ = new QTreeWidget;
    steps_->setColumnCount(2);
    steps_->setHeaderLabels({tr("Step"), tr("What it is given")});
    steps_->setAccessibleName(tr("Steps of the pipeline"));
    steps_->setUniformRowHeights(true);
    steps_->setAlternatingRowColors(true);
    steps_->setSelectionBehavior(QAbstractItemView::SelectRows);
    steps_->setMinimumHeight(100);
    steps_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    steps_->header()->setStretchLastSection(true);
    steps_->setContextMenuPolicy(Qt::ActionsContextMenu);
    steps_->addActions(stepActions());
    steps_->installEventFilter(this);
    column->addWidget(steps_, 1);

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(2 * Theme::grid);
    form->setVerticalSpacing(Theme::grid);
    runAs_ = new QComboBox;
    runAs_->addItems({tr("One launch after the other"), tr("A CUDA graph")});
    runAs_->setToolTip(tr("A graph saves the host's work for each launch. Results are the same."));
    runAs_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    runAs_->setAccessibleName(tr("Run as"));
    coldL2_ = new QCheckBox(tr("Cold L2"));
    coldL2_->setToolTip(tr("Memory of twice the L2 cache's size is written before each run, so that the pipeline finds "
                           "none of its data there."));
    auto* how = new QHBoxLayout;
    how->setSpacing(Theme::grid);
    how->addWidget(runAs_, 1);
    how->addWidget(coldL2_);
    form->addRow(tr("Run as"), how);
    form->addRow(tr("Frames"), buildFrames());
    form->addRow(tr("Repeats"), buildRuns());
    column->addLayout(form);

    connect(edit_, &QAction::triggered, this, &PipelinePage::editCurrent);
    connect(duplicate_, &QAction::triggered, this, [this] {
        change(tr("Duplicate Step"), [path = current()](auto& pipeline) { return duplicateStep(pipeline, path); });
    });
    connect(remove_, &QAction::triggered, this, [this] {
        change(tr("Remove Step"), [path = current()](session::Pipeline& pipeline) {
            removeStep(pipeline, path);
            return path;
        });
    });
    for (const bool down : {false, true})
        connect(down ? down_ : up_, &QAction::triggered, this, [this, down] {
            change(tr("Move Step"),
                   [path = current(), down](auto& pipeline) { return moveStep(pipeline, path, down); });
        });
    connect(coldL2_, &QCheckBox::clicked, this,
            [this](bool on) { document_.modify(tr("Change Cold L2"), [on](session::Session& s) { s.cold_l2 = on; }); });
    connect(steps_, &QTreeWidget::itemSelectionChanged, this, &PipelinePage::enable);
    connect(steps_, &QTreeWidget::itemDoubleClicked, this, &PipelinePage::editCurrent);
    connect(runAs_, &QComboBox::activated, this, [this](int index) {
        change(tr("Change How Steps Run"), [path = current(), index](session::Pipeline& pipeline) {
            pipeline.graph = index == 1;
            return path;
        });
    });
}

QSpinBox* PipelinePage::addNumber(int least, int most, const QString& prefix) {
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setPrefix(prefix);
    // The width of the largest number would be wider than the panel.
    box->setMinimumWidth(box->fontMetrics().horizontalAdvance(prefix + QStringLiteral("0000")) + 5 * Theme::grid);
    return box;
}

QLayout* PipelinePage::buildFrames() {
    frames_ = new QComboBox;
    frames_->setAccessibleName(tr("Array that is kept as frames"));
    frames_->setToolTip(tr("Keeps the array now and then. Buffers plays what was kept."));
    frames_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    frames_->setMinimumContentsLength(6);
    every_ = addNumber(1, 1'000'000'000, tr("every "));
    every_->setAccessibleName(tr("Rounds from one frame to the next"));
    atMost_ = addNumber(1, 100'000, tr("at most "));
    atMost_->setAccessibleName(tr("Most frames that are kept"));
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::half);
    row->addWidget(frames_, 1);
    row->addWidget(every_);
    row->addWidget(atMost_);
    connect(frames_, &QComboBox::activated, this, &PipelinePage::changeFrames);
    connect(every_, &QSpinBox::valueChanged, this, &PipelinePage::changeFrames);
    connect(atMost_, &QSpinBox::valueChanged, this, &PipelinePage::changeFrames);
    return row;
}

QLayout* PipelinePage::buildRuns() {
    repeat_ = addNumber(1, std::numeric_limits<int>::max());
    repeat_->setAccessibleName(tr("Repeats"));
    repeat_->setToolTip(tr("Measured runs. Each starts from the same inputs."));
    warmup_ = addNumber(0, std::numeric_limits<int>::max(), tr("warm-up "));
    warmup_->setAccessibleName(tr("Warm-up runs"));
    checks_ = new ChecksBox(document_, tr("Check"));
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::half);
    row->addWidget(repeat_, 1);
    row->addWidget(warmup_, 1);
    row->addWidget(checks_);
    connect(repeat_, &QSpinBox::valueChanged, this, [this](int value) {
        if (showing_) return;
        document_.modify(
            tr("Change Repeats"), [&](session::Session& s) { s.repeat = value; }, QStringLiteral("pipeline.repeat"));
    });
    connect(warmup_, &QSpinBox::valueChanged, this, [this](int value) {
        if (showing_) return;
        document_.modify(
            tr("Change Warm-up"), [&](session::Session& s) { s.warmup = value; }, QStringLiteral("pipeline.warmup"));
    });
    return row;
}

QList<QWidget*> PipelinePage::tabOrder() const {
    QList<QWidget*> order{addButton_};
    for (QToolButton* button : buttons_)
        order << button;
    order << steps_ << runAs_ << coldL2_ << frames_ << every_ << atMost_ << repeat_ << warmup_ << checks_->box()
          << checks_->button();
    return order;
}

QAction* PipelinePage::actionOf(const QKeyEvent* key) const {
    const bool alt = key->modifiers().testFlag(Qt::AltModifier);
    if (key->modifiers() & ~(Qt::KeypadModifier | Qt::AltModifier)) return nullptr;
    switch (key->key()) {
    case Qt::Key_Up: return alt ? up_ : nullptr;
    case Qt::Key_Down: return alt ? down_ : nullptr;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F2: return alt ? nullptr : edit_;
    case Qt::Key_Delete: return alt ? nullptr : remove_;
    default: return nullptr;
    }
}

bool PipelinePage::eventFilter(QObject* watched, QEvent* event) {
    // While the list has the focus these keys are its own: Alt+Up of the menu would move a line of the source.
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    QAction* action = watched == steps_ && key ? actionOf(static_cast<QKeyEvent*>(event)) : nullptr;
    if (!action) return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress) action->trigger();
    return true;
}

StepPath PipelinePage::current() const {
    const auto selected = steps_->selectedItems();
    return selected.isEmpty() ? StepPath() : pathOf(selected.first());
}

void PipelinePage::setCurrent(const StepPath& path) {
    QTreeWidgetItem* item = nullptr;
    for (const int place : path) {
        const int count = item ? item->childCount() : steps_->topLevelItemCount();
        if (count == 0) break;
        const int nearest = std::clamp(place, 0, count - 1);
        item = item ? item->child(nearest) : steps_->topLevelItem(nearest);
    }
    if (item) steps_->setCurrentItem(item);
}

void PipelinePage::change(const QString& what, const std::function<StepPath(session::Pipeline&)>& edit) {
    if (!document_.session().pipeline) return;
    StepPath path;
    document_.modify(what, [&](session::Session& session) { path = edit(*session.pipeline); });
    setCurrent(path);
}

void PipelinePage::add(int kind) {
    change(tr("Add Step"), [this, kind, path = current()](session::Pipeline& pipeline) {
        return insertStep(pipeline, path, newStep(document_.session(), kind));
    });
}

void PipelinePage::editCurrent() {
    StepPath path = current();
    const auto& pipeline = document_.session().pipeline;
    const session::PipelineStep* step = pipeline ? stepAt(*pipeline, path) : nullptr;
    if (!step) return;
    StepDialog dialog(*step, document_.session(), document_.kernels(), this);
    if (dialog.exec() != QDialog::Accepted) return;
    change(tr("Edit Step"), [&](session::Pipeline& edited) {
        if (session::PipelineStep* at = stepAt(edited, path)) *at = dialog.step();
        return path;
    });
}

void PipelinePage::changeFrames() {
    if (showing_ || !document_.session().pipeline) return;
    const std::string buffer = frames_->currentData().toString().toStdString();
    document_.modify(
        tr("Change Frames"),
        [&](session::Session& session) {
            auto& frames = session.pipeline->frames;
            if (buffer.empty()) return frames.reset();
            if (!frames) frames.emplace();
            frames->buffer = buffer;
            frames->every = std::uint64_t(every_->value());
            frames->at_most = std::uint64_t(atMost_->value());
        },
        QStringLiteral("pipeline.frames"));
}

void PipelinePage::showSteps(const std::vector<session::PipelineStep>& steps, QTreeWidgetItem* above,
                             const StepPath& path) {
    static const QStringList icons{QStringLiteral("kernel"), QStringLiteral("copy"), QStringLiteral("memory"),
                                   QStringLiteral("compare"), QStringLiteral("refresh")};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto* item = above ? new QTreeWidgetItem(above) : new QTreeWidgetItem(steps_);
        const StepPath here = StepPath(path) << int(i);
        item->setText(0, QStringLiteral("%1  %2").arg(stepNumber(here), stepText(steps[i])));
        item->setText(1, stepDetails(steps[i]));
        item->setToolTip(1, stepDetails(steps[i]));
        item->setIcon(0, icon(icons[qsizetype(steps[i].what.index())]));
        item->setData(0, placeRole, int(i));
        if (const auto* loop = std::get_if<session::LoopStep>(&steps[i].what)) showSteps(loop->steps, item, here);
    }
}

void PipelinePage::showSession() {
    const session::Session& session = document_.session();
    if (!session.pipeline) return;
    const StepPath path = current();
    showing_ = true;
    steps_->clear();
    showSteps(session.pipeline->steps, nullptr, {});
    steps_->expandAll();
    runAs_->setCurrentIndex(session.pipeline->graph ? 1 : 0);
    frames_->clear();
    frames_->addItem(tr("none"), QString());
    for (const session::Argument& argument : session.arguments)
        if (argument.direction != session::Direction::scalar)
            frames_->addItem(QString::fromStdString(argument.name), QString::fromStdString(argument.name));
    const auto& kept = session.pipeline->frames;
    const QString buffer = kept ? QString::fromStdString(kept->buffer) : QString();
    if (frames_->findData(buffer) < 0) frames_->addItem(buffer, buffer);
    frames_->setCurrentIndex(frames_->findData(buffer));
    if (kept) {
        every_->setValue(int(std::min<std::uint64_t>(kept->every, 1'000'000'000)));
        atMost_->setValue(int(kept->at_most));
    } else {
        every_->setValue(1);
        atMost_->setValue(200);
    }
    every_->setEnabled(kept.has_value());
    atMost_->setEnabled(kept.has_value());
    repeat_->setValue(session.repeat);
    warmup_->setValue(session.warmup);
    coldL2_->setChecked(session.cold_l2);
    showing_ = false;
    setCurrent(path);
    enable();
}

void PipelinePage::enable() {
    const bool any = !current().isEmpty();
    for (QAction* action : stepActions())
        action->setEnabled(any);
}

} // namespace warplight::ui
