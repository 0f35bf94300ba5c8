// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_form.hpp"

#include "ui/common/format.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/theme.hpp"
#include "ui/launch/checks_box.hpp"
#include "ui/launch/launch_options_dialog.hpp"

#include <QCheckBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace warplight::ui {

namespace {

constexpr std::size_t fieldCount = 9;

/// The largest and smallest number that a session can hold there.
quint64 largest(LaunchField field) {
    return field >= LaunchField::Repeat ? quint64(std::numeric_limits<int>::max())
                                        : quint64(std::numeric_limits<std::uint32_t>::max());
}
quint64 smallest(LaunchField field) { return field == LaunchField::Shared || field == LaunchField::Warmup ? 0 : 1; }

} // namespace

LaunchForm::LaunchForm(Document& document, Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document), theme_(theme), form_(new QFormLayout(this)) {
    form_->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    form_->setHorizontalSpacing(2 * Theme::grid);
    form_->setVerticalSpacing(Theme::grid);
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);

    // One grid for both rows: x stands below x.
    auto* extents = new QGridLayout;
    extents->setHorizontalSpacing(Theme::half);
    extents->setVerticalSpacing(Theme::grid);
    auto* labels = new QVBoxLayout;
    labels->setSpacing(Theme::grid);
    labels->setContentsMargins(0, 0, 0, 0);
    const auto triple = [&](int row, LaunchField first, const QString& name, const QString& text) {
        for (int i = 0; i < 3; ++i) {
            const QString axis(QLatin1Char("xyz"[i]));
            NumberBox* box =
                addBox(LaunchField(int(first) + i), tr("%1 %2").arg(name, axis), tr("%1 along %2").arg(name, axis));
            extents->addWidget(box, row, i);
            extents->setColumnStretch(i, 1);
        }
        auto* label = new QLabel(text);
        label->setBuddy(box(first));
        labels->addWidget(label, 1);
    };
    triple(0, LaunchField::GridX, tr("Grid"), tr("&Grid"));
    triple(1, LaunchField::BlockX, tr("Block"), tr("B&lock"));
    cover_ = new QToolButton;
    cover_->setProperty("framed", true);
    cover_->setText(tr("&Cover"));
    cover_->setToolTip(tr("Make the grid large enough for one thread an element of the buffer that the kernel counts "
                          "along"));
    cover_->setAccessibleName(tr("Cover all elements"));
    cover_->setFocusPolicy(Qt::StrongFocus);
    extents->addWidget(cover_, 0, 3);
    compare_ = new QToolButton;
    compare_->setProperty("framed", true);
    compare_->setText(tr("Sweep"));
    compare_->setToolTip(tr("Compare block sizes: which one is fastest"));
    compare_->setAccessibleName(tr("Compare block sizes"));
    compare_->setFocusPolicy(Qt::StrongFocus);
    compare_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    extents->addWidget(compare_, 1, 3);
    auto* labelBox = new QWidget;
    labelBox->setLayout(labels);
    extentsHint_ = addRow(labelBox, extents);

    NumberBox* shared =
        addBox(LaunchField::Shared, tr("Dynamic shared memory"), tr("Dynamic shared memory of a block, in bytes"));
    shared->setSuffix(tr(" B"));
    shared->setSingleStep(1024);
    cooperative_ = new QCheckBox(tr("Cooper&ative"));
    cooperative_->setToolTip(tr("All blocks are resident at once, so that the grid can wait for all of itself"));
    auto* sharedRow = new QHBoxLayout;
    sharedRow->setSpacing(2 * Theme::grid);
    sharedRow->addWidget(shared, 1);
    sharedRow->addWidget(cooperative_);
    auto* sharedLabel = new QLabel(tr("&Shared"));
    sharedLabel->setBuddy(shared);
    sharedHint_ = addRow(sharedLabel, sharedRow);
    connect(sharedHint_, &QLabel::linkActivated, this, &LaunchForm::adaptShared);

    optionsText_ = new QLabel;
    optionsText_->setWordWrap(true);
    options_ = new QToolButton;
    options_->setObjectName(QStringLiteral("launchOptions"));
    options_->setProperty("framed", true);
    options_->setText(tr("More…"));
    options_->setToolTip(tr("Clusters, preferences of the caches, priority, a cold L2 cache"));
    options_->setFocusPolicy(Qt::StrongFocus);
    auto* optionsRow = new QHBoxLayout;
    optionsRow->setSpacing(Theme::grid);
    optionsRow->addWidget(optionsText_, 1);
    optionsRow->addWidget(options_);
    auto* optionsLabel = new QLabel(tr("Opt&ions"));
    optionsLabel->setBuddy(options_);
    form_->addRow(optionsLabel, optionsRow);

    NumberBox* repeat =
        addBox(LaunchField::Repeat, tr("Repeats"), tr("Measured runs. Each starts from the same inputs."));
    NumberBox* warmup = addBox(LaunchField::Warmup, tr("Warm-up runs"), tr("Runs before the measured ones"));
    auto* repeatRow = new QHBoxLayout;
    repeatRow->setSpacing(Theme::grid);
    repeatRow->addWidget(repeat, 1);
    auto* warmupLabel = new QLabel(tr("Warm-&up"));
    warmupLabel->setBuddy(warmup);
    repeatRow->addWidget(warmupLabel);
    repeatRow->addWidget(warmup, 1);
    checks_ = new ChecksBox(document_, tr("Chec&k"));
    repeatRow->addWidget(checks_);
    auto* repeatLabel = new QLabel(tr("Re&peats"));
    repeatLabel->setBuddy(repeat);
    repeatHint_ = addRow(repeatLabel, repeatRow);
    threads_ = new QLabel;
    form_->addRow(tr("Threads"), threads_);

    connect(cover_, &QToolButton::clicked, this, &LaunchForm::coverRequested);
    connect(compare_, &QToolButton::clicked, this, &LaunchForm::compareRequested);
    connect(cooperative_, &QCheckBox::clicked, this, [this](bool on) {
        document_.modify(tr("Change Cooperative"), [on](session::Session& s) { s.launch.cooperative = on; });
    });
    connect(options_, &QToolButton::clicked, this, &LaunchForm::editOptions);
    connect(&document_, &Document::sessionReplaced, this, [this] {
        shown_.fill(~quint64(0));
        settleBlock();
    });
    connect(&document_, &Document::sessionChanged, this, &LaunchForm::showSession);
    connect(&document_, &Document::kernelsChanged, this, &LaunchForm::check);
    connect(&theme_, &Theme::themeChanged, this, &LaunchForm::restyle);
    settleBlock();
    restyle();
    showSession();
}

NumberBox* LaunchForm::addBox(LaunchField field, const QString& name, const QString& help) {
    auto* box = new NumberBox(name);
    box->setHelp(help);
    boxes_[std::size_t(field)] = box;
    connect(box, &NumberBox::edited, this, [this, field](quint64 value) { change(field, value); });
    connect(box, &NumberBox::editingFinished, this, [this, field] { entered_[std::size_t(field)] = written(field); });
    return box;
}

QLabel* LaunchForm::addRow(QWidget* label, QLayout* fields) {
    auto* hint = new QLabel;
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::RichText);
    hint->hide();
    // In one row with its fields: Qt 6.4's forms write past their arrays where rows of their own are hidden.
    auto* column = new QVBoxLayout;
    column->setSpacing(Theme::half);
    column->addLayout(fields);
    column->addWidget(hint);
    // The label stands beside the fields even when a hint is below them.
    auto* beside = new QVBoxLayout;
    beside->setContentsMargins(0, 0, 0, 0);
    auto* box = new QWidget;
    labels_.emplace_back(label, fields);
    beside->addWidget(label);
    beside->addStretch(1);
    box->setLayout(beside);
    form_->addRow(box, column);
    return hint;
}

QList<QWidget*> LaunchForm::tabOrder() const {
    QList<QWidget*> order;
    for (int field = 0; field < 3; ++field)
        order << boxes_[std::size_t(field)];
    order << cover_;
    for (int field = 3; field < int(LaunchField::Shared); ++field)
        order << boxes_[std::size_t(field)];
    order << compare_ << box(LaunchField::Shared);
    order << cooperative_ << options_ << box(LaunchField::Repeat) << box(LaunchField::Warmup);
    order << checks_->box() << checks_->button();
    return order;
}

void LaunchForm::editOptions() {
    const session::Session& now = document_.session();
    LaunchOptionsDialog dialog(now.launch.options, this, now.cold_l2);
    if (dialog.exec() != QDialog::Accepted) return;
    if (dialog.options() == now.launch.options && dialog.coldL2() == now.cold_l2) return;
    document_.modify(tr("Change Launch Options"), [&](session::Session& session) {
        session.launch.options = dialog.options();
        session.cold_l2 = dialog.coldL2();
    });
}

quint64 LaunchForm::written(LaunchField field) const {
    const session::Session& session = document_.session();
    const auto side = [](const Extents& sides, int i) { return i < int(sides.size()) ? sides[std::size_t(i)] : 1u; };
    switch (field) {
    case LaunchField::Shared: return session.launch.shared;
    case LaunchField::Repeat: return quint64(session.repeat);
    case LaunchField::Warmup: return quint64(session.warmup);
    default: break;
    }
    return field < LaunchField::BlockX ? side(session.launch.grid, int(field))
                                       : side(session.launch.block, int(field) - 3);
}

void LaunchForm::setLimits(const LaunchLimits& limits) {
    limits_ = limits;
    for (std::size_t i = 0; i < 3; ++i) {
        boxes_[i]->setLimit(limits.grid[i]);
        boxes_[i + 3]->setLimit(limits.block[i]);
    }
    box(LaunchField::Shared)->setLimit(limits.shared);
    check();
}

void LaunchForm::showSession() {
    for (std::size_t i = 0; i < fieldCount; ++i) {
        const LaunchField field = LaunchField(i);
        const quint64 shown = boxes_[i]->number(), now = written(field);
        // A number outside a session's range stays in its field, marked as wrong.
        const bool unfit = shown < smallest(field) || shown > largest(field);
        if (!unfit || (now != shown_[i] && !changing_)) boxes_[i]->setNumber(now);
        shown_[i] = now;
        if (!changing_) entered_[i] = now;
    }
    // The numbers of an unchanged session fit together.
    if (document_.isFollowing() && document_.undoStack().count() == 0) settled_ = document_.session().launch;
    cooperative_->setChecked(document_.session().launch.cooperative);
    optionsText_->setText(launchOptionsText(document_.session().launch.options, document_.session().cold_l2));
    check();
}

void LaunchForm::change(LaunchField field, quint64 value) {
    // While a number outside a session's range is typed, the session keeps the old one, not its first digits.
    if (value < smallest(field) || value > largest(field)) value = entered_[std::size_t(field)];
    changing_ = true;
    document_.modify(
        tr("Change %1").arg(box(field)->accessibleName()),
        [&](session::Session& session) {
            switch (field) {
            case LaunchField::Shared: session.launch.shared = value; return;
            case LaunchField::Repeat: session.repeat = int(value); return;
            case LaunchField::Warmup: session.warmup = int(value); return;
            default: break;
            }
            const bool grid = field < LaunchField::BlockX;
            Extents& sides = grid ? session.launch.grid : session.launch.block;
            if (sides.size() < 3) sides.resize(3, 1);
            sides[std::size_t(int(field) - (grid ? 0 : 3))] = std::uint32_t(value);
        },
        QStringLiteral("launch.%1").arg(int(field)));
    changing_ = false;
    check();
}

void LaunchForm::settleBlock() {
    settled_ = document_.session().launch;
    check();
}

QString LaunchForm::problem() const { return problem_; }

void LaunchForm::check() {
    if (!threads_) return; // still being made
    const session::LaunchConfiguration& launch = document_.session().launch;
    LaunchLimits limits = limits_;
    if (const compiler::Kernel* kernel = document_.currentKernel(); kernel && kernel->max_threads > 0)
        limits.kernelThreads =
            limits.kernelThreads > 0 ? std::min(limits.kernelThreads, kernel->max_threads) : kernel->max_threads;
    QList<LaunchProblem> problems;
    if (!document_.session().pipeline) problems = launchProblems(launch, limits);
    for (std::size_t i = 0; i < fieldCount; ++i) {
        const LaunchField field = LaunchField(i);
        const quint64 shown = boxes_[i]->number();
        const QString name = boxes_[i]->accessibleName();
        if (shown < smallest(field))
            problems.prepend(
                {field, tr("%1 is %2; it must be at least %3.").arg(name).arg(shown).arg(smallest(field))});
        else if (shown > largest(field))
            problems.prepend({field, tr("%1 is %2; it can be at most %3.").arg(name).arg(shown).arg(largest(field))});
    }
    std::array<QString, fieldCount> texts;
    for (const LaunchProblem& problem : problems)
        if (QString& text = texts[std::size_t(problem.field)]; text.isEmpty()) text = problem.text;
    const auto lines = [&](LaunchField first, LaunchField last) {
        QStringList all;
        for (int i = int(first); i <= int(last); ++i)
            if (!texts[std::size_t(i)].isEmpty())
                all << QStringLiteral("<span style='color:%1'>⚠ %2</span>")
                           .arg(theme_.colours().error.name(),
                                texts[std::size_t(i)].toHtmlEscaped().replace(QChar(0x2009), QChar(0x202f)));
        return all;
    };
    const auto show = [](QLabel* hint, const QStringList& texts) {
        hint->setText(texts.join(QStringLiteral("<br>")));
        hint->setVisible(!texts.isEmpty());
    };
    show(extentsHint_, lines(LaunchField::GridX, LaunchField::BlockZ));
    show(repeatHint_, lines(LaunchField::Repeat, LaunchField::Warmup));
    QStringList shared = lines(LaunchField::Shared, LaunchField::Shared);
    const QString warning = QStringLiteral("<span style='color:%1'>⚠ %2</span>").arg(theme_.colours().warning.name());
    if (threadsOf(launch.block) != threadsOf(settled_.block)) {
        const std::uint64_t follows = sharedFor(launch.shared, settled_.block, launch.block);
        if (launch.shared > 0 && launch.shared == settled_.shared) {
            QString text = warning.arg(
                tr("The block has %1 threads now, and had %2 with this shared memory.")
                    .arg(formatCount(qint64(threadsOf(launch.block))), formatCount(qint64(threadsOf(settled_.block)))));
            if (follows != launch.shared)
                text += QStringLiteral(" <a href='adapt'>%1</a>").arg(tr("Make it %1 B").arg(follows));
            shared << text;
        } else if (limits_.staticShared > 0)
            shared << warning.arg(
                tr("The kernel has %1 of shared memory of its own: its source may count on a block "
                   "of %2 threads.")
                    .arg(formatBytes(limits_.staticShared), formatCount(qint64(threadsOf(settled_.block)))));
    }
    show(sharedHint_, shared);
    for (std::size_t i = 0; i < fieldCount; ++i)
        boxes_[i]->setProblem(texts[i]);
    quint64 blocks = 1;
    for (std::uint32_t each : launch.grid)
        blocks *= each;
    const quint64 threads = threadsOf(launch.block);
    threads_->setText(
        tr("%1 blocks of %2 = %3")
            .arg(formatCount(qint64(blocks)), formatCount(qint64(threads)), formatCount(qint64(blocks * threads))));
    problem_.clear();
    for (const QString& text : texts)
        if (problem_.isEmpty()) problem_ = text;
    emit checked();
}

void LaunchForm::adaptShared() {
    const session::LaunchConfiguration& launch = document_.session().launch;
    const std::uint64_t follows = sharedFor(launch.shared, settled_.block, launch.block);
    document_.modify(tr("Adapt Shared Memory"), [&](session::Session& s) { s.launch.shared = follows; });
    settleBlock();
}

bool LaunchForm::event(QEvent* event) {
    // The fields take a new font when they are shown next, maybe long after the theme has changed.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)
        for (const auto& [label, fields] : labels_)
            if (const int height = fields->sizeHint().height(); label->minimumHeight() != height)
                label->setFixedHeight(height);
    return QWidget::event(event);
}

void LaunchForm::restyle() {
    QPalette palette = threads_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().mutedText);
    threads_->setPalette(palette);
    check();
}

} // namespace warplight::ui
