// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanes_view.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/lanes/lanes_picture.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <bit>

namespace warplight::ui {

namespace {

using profile::RecordedAccess;
using profile::RecordedBranch;
using profile::RecordedInstruction;
using profile::RecordedSpace;

quint64 extent(const std::vector<std::uint32_t>& list, std::size_t axis) { return axis < list.size() ? list[axis] : 1; }

quint64 warpsOf(const session::Session& session) {
    quint64 threads = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
        threads *= extent(session.launch.block, axis);
    return (threads + 31) / 32;
}

QString figuresOf(const RecordedAccess& access) {
    const profile::Cost cost = profile::cost_of(access);
    const int lanes = std::popcount(access.access.active);
    QString text = access.space == RecordedSpace::shared
                       ? LanesView::tr("Wavefronts %1, ideal %2").arg(cost.is).arg(cost.ideal)
                       : LanesView::tr("Sectors %1, ideal %2").arg(cost.is).arg(cost.ideal);
    if (access.space == RecordedSpace::shared) {
        const std::uint32_t ways = profile::conflict_of(access.access);
        text += QStringLiteral("   ·   ") +
                (ways > 1 ? LanesView::tr("%1-way bank conflict").arg(ways) : LanesView::tr("no bank conflict"));
    }
    return text + QStringLiteral("   ·   ") + LanesView::tr("%1 of 32 lanes active").arg(lanes);
}

} // namespace

LanesView::LanesView(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), instructions_(new QComboBox), source_(new QLabel), note_(new QLabel),
      sentence_(new QLabel), figures_(new QLabel), position_(new QLabel), stack_(new QStackedWidget),
      picture_(new LanesPicture(workbench.theme())) {
    setWindowTitle(tr("Lanes and Memory"));
    setObjectName(QStringLiteral("lanesView"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    column->setSpacing(Theme::grid);
    column->addWidget(makeChoice());

    auto* shown = new QWidget;
    auto* inner = new QVBoxLayout(shown);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(Theme::half);
    instructions_->setAccessibleName(tr("Instruction"));
    instructions_->setToolTip(tr("The instruction whose executions are shown"));
    instructions_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    instructions_->setMinimumContentsLength(32);
    connect(instructions_, &QComboBox::currentIndexChanged, this, [this] {
        slider_->setRange(0, std::max(0, executionCount() - 1));
        slider_->setValue(0);
        showExecution();
    });
    inner->addWidget(instructions_);
    source_->setTextFormat(Qt::PlainText);
    source_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    source_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    inner->addWidget(source_);
    inner->addWidget(picture_, 1);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    inner->addWidget(sentence_);
    figures_->setTextFormat(Qt::PlainText);
    figures_->setWordWrap(true);
    inner->addWidget(figures_);
    inner->addWidget(makeSteps());
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignCenter);
    stack_->addWidget(note_);
    stack_->addWidget(shown);
    column->addWidget(stack_, 1);

    const auto step = [this](int by) { setExecution(execution() + by); };
    connect(picture_, &LanesPicture::stepped, this, step);
    connect(picture_, &LanesPicture::ended, this, [this](bool last) { setExecution(last ? executionCount() - 1 : 0); });
    Document& document = workbench.document();
    connect(&document, &Document::reportChanged, this, &LanesView::takeReport);
    connect(&document, &Document::sessionReplaced, this, [this] {
        record_.reset();
        run_ = 0;
        problem_.clear();
        wanted_.reset();
        for (NumberBox* box : {block_[0], block_[1], block_[2], warp_})
            box->setNumber(0);
        fillInstructions();
        updateChoice();
    });
    connect(&document, &Document::sessionChanged, this, &LanesView::updateChoice);
    connect(&document, &Document::compiled, this, &LanesView::showExecution); // the text may be another one
    connect(&workbench.theme(), &Theme::themeChanged, this, &LanesView::restyle);
    restyle();
    updateChoice();
    takeReport();
}

QWidget* LanesView::makeChoice() {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(Theme::half);
    auto* blockLabel = new QLabel(tr("&Block"));
    line->addWidget(blockLabel);
    for (int axis = 0; axis < 3; ++axis) {
        const QString name = tr("Block %1").arg(QLatin1Char("xyz"[axis]));
        block_[axis] = new NumberBox(name);
        block_[axis]->setHelp(name);
        line->addWidget(block_[axis]);
    }
    blockLabel->setBuddy(block_[0]);
    line->addSpacing(Theme::grid);
    auto* warpLabel = new QLabel(tr("&Warp"));
    warp_ = new NumberBox(tr("Warp of the block"));
    warp_->setHelp(tr("Threads 0 to 31 of the block are warp 0"));
    warpLabel->setBuddy(warp_);
    line->addWidget(warpLabel);
    line->addWidget(warp_);
    line->addSpacing(Theme::grid);
    recordButton_ = new QPushButton(icon(QStringLiteral("run")), tr("&Record"));
    recordButton_->setObjectName(QStringLiteral("record"));
    recordButton_->setToolTip(tr("Runs the session, and once more on the software device to record this warp"));
    line->addWidget(recordButton_);
    line->addStretch(1);
    for (NumberBox* box : {block_[0], block_[1], block_[2], warp_})
        connect(box, &NumberBox::edited, this, &LanesView::updateChoice);
    connect(recordButton_, &QPushButton::clicked, this, &LanesView::requestRecord);
    return row;
}

QWidget* LanesView::makeSteps() {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(Theme::half);
    const auto button = [this, line](const char* name, const QString& tip, int by) {
        auto* made = new QToolButton;
        made->setArrowType(by < 0 ? Qt::LeftArrow : Qt::RightArrow);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setProperty("framed", true);
        connect(made, &QToolButton::clicked, this, [this, by] { setExecution(execution() + by); });
        line->addWidget(made);
        return made;
    };
    previous_ = button("previous", tr("Execution before (Left)"), -1);
    next_ = button("next", tr("Next execution (Right)"), 1);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setAccessibleName(tr("Execution"));
    slider_->setPageStep(10);
    connect(slider_, &QSlider::valueChanged, this, &LanesView::showExecution);
    line->addWidget(slider_, 1);
    line->addWidget(position_);
    return row;
}

void LanesView::restyle() {
    const Colours& colours = workbench_.theme().colours();
    source_->setFont(workbench_.theme().monospace());
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, colours.mutedText);
    figures_->setPalette(muted);
    note_->setPalette(muted);
    QFont strong = font();
    strong.setBold(true);
    sentence_->setFont(strong);
    recordButton_->setIcon(icon(QStringLiteral("run")));
}

// --- the warp

void LanesView::updateChoice() {
    const session::Session& session = workbench_.document().session();
    const bool isKernel = !workbench_.document().isProgram();
    bool isThere = isKernel;
    const auto check = [&](NumberBox* box, quint64 count, const QString& problem) {
        box->setLimit(std::max<quint64>(count, 1) - 1);
        const bool known = box->number() < count;
        box->setProblem(known ? QString() : problem);
        isThere = isThere && known;
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const quint64 blocks = extent(session.launch.grid, axis);
        check(block_[axis], blocks, tr("The grid has %1 blocks in %2").arg(blocks).arg(QLatin1Char("xyz"[axis])));
        block_[axis]->setVisible(blocks > 1 || axis == 0 || block_[axis]->number() > 0);
    }
    const quint64 warps = warpsOf(session);
    check(warp_, warps, warps == 1 ? tr("A block has one warp") : tr("A block has %1 warps").arg(warps));
    recordButton_->setEnabled(isThere);
    updateNote();
}

void LanesView::requestRecord() {
    const profile::WarpChoice choice{
        {quint32(block_[0]->number()), quint32(block_[1]->number()), quint32(block_[2]->number())},
        quint32(warp_->number())};
    emit recordRequested(QString::fromStdString(choice.text()));
}

void LanesView::takeReport() {
    const std::vector<RunRecord>& runs = workbench_.document().runs();
    const auto last = std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord& run) {
        return run.report.warp.has_value() || !run.report.warp_problem.empty();
    });
    if (last == runs.rend() || last->number == run_) return updateNote();
    // What was looked at is shown again, unless somebody asks for another line.
    if (const RecordedInstruction* before = instruction(); before && !wanted_)
        wanted_ = {QString::fromStdString(before->place.file), before->place.line};
    run_ = last->number;
    revision_ = workbench_.document().mainSource()->revision();
    problem_ = QString::fromStdString(last->report.warp_problem);
    record_.reset();
    if (last->report.warp) record_ = std::make_shared<const profile::WarpRecord>(*last->report.warp);
    fillInstructions();
    if (isActiveWindow() && note().isEmpty()) picture_->setFocus();
}

void LanesView::updateNote() {
    QString text;
    if (workbench_.document().isProgram())
        text = tr("Warps of a session's kernel can be recorded, not those of a program.");
    else if (!record_ && !problem_.isEmpty())
        text = problem_;
    else if (!record_)
        text = tr("Nothing is recorded yet. Choose a warp and press Record: the session runs, and once more on the "
                  "software device. Then this window shows, access by access, which addresses the 32 lanes of the warp "
                  "touch.");
    else if (record_->instructions.empty())
        text = tr("Warp %1 of block (%2,%3,%4) accessed no memory and took no branch.")
                   .arg(record_->choice.warp)
                   .arg(record_->choice.block[0])
                   .arg(record_->choice.block[1])
                   .arg(record_->choice.block[2]);
    note_->setText(text);
    stack_->setCurrentIndex(text.isEmpty() ? 1 : 0);
}

// --- its instructions

void LanesView::fillInstructions() {
    const QSignalBlocker quiet(instructions_);
    instructions_->clear();
    if (record_) {
        for (const RecordedInstruction& each : record_->instructions) {
            const QString where =
                each.place.line > 0 ? tr("Line %1").arg(each.place.line) : tr("PTX line %1").arg(each.ptx_line);
            const QString what = each.is_branch() ? tr("branch") : QString::fromStdString(each.access);
            const QString times = each.executions == 1 ? tr("once") : tr("%1 times").arg(each.executions);
            instructions_->addItem(
                QStringLiteral("%1:  %2  %3, %4").arg(where, QString::fromStdString(each.opcode), what, times));
        }
    }
    updateNote();
    if (wanted_ && selectLine(wanted_->first, wanted_->second)) wanted_.reset();
    slider_->setRange(0, std::max(0, executionCount() - 1));
    slider_->setValue(0);
    showExecution();
}

bool LanesView::selectLine(const QString& file, int line) {
    if (!record_) return false;
    const auto& all = record_->instructions;
    const QString name = QFileInfo(file.isEmpty() ? workbench_.document().mainSource()->name() : file).fileName();
    // An access tells more than a branch.
    for (const bool branches : {false, true})
        for (std::size_t k = 0; k < all.size(); ++k)
            if (all[k].is_branch() == branches && all[k].place.line == line &&
                QFileInfo(QString::fromStdString(all[k].place.file)).fileName() == name) {
                instructions_->setCurrentIndex(int(k));
                return true;
            }
    return false;
}

void LanesView::showLine(const QString& file, int line) {
    wanted_.reset();
    if (!selectLine(file, line)) wanted_ = {file, line};
}

const RecordedInstruction* LanesView::instruction() const {
    const int at = instructions_->currentIndex();
    return record_ && at >= 0 && std::size_t(at) < record_->instructions.size()
               ? &record_->instructions[std::size_t(at)]
               : nullptr;
}

// --- their executions

int LanesView::execution() const { return slider_->value(); }

int LanesView::executionCount() const { return instruction() ? int(instruction()->kept()) : 0; }

void LanesView::setExecution(int number) { slider_->setValue(number); }

QString LanesView::sentence() const { return sentence_->text(); }

QString LanesView::figures() const { return figures_->text(); }

QString LanesView::note() const { return stack_->currentIndex() == 0 ? note_->text() : QString(); }

void LanesView::showExecution() {
    const RecordedInstruction* const shown = instruction();
    const int at = execution(), count = executionCount();
    previous_->setEnabled(at > 0);
    next_->setEnabled(at + 1 < count);
    slider_->setEnabled(count > 1);
    if (!shown || count == 0) {
        picture_->clear();
        for (QLabel* label : {source_, sentence_, figures_, position_})
            label->clear();
        return;
    }
    const Document& document = workbench_.document();
    source_->setText(document.sourceLine(shown->place.file, shown->place.line));
    source_->setToolTip(source_->text());
    std::uint64_t order = 0;
    QString figures;
    if (shown->is_branch()) {
        const RecordedBranch& branch = shown->branches[std::size_t(at)];
        QStringList ways;
        for (const RecordedBranch::Way& way : branch.ways) {
            const QString source = document.sourceLine(way.place.file, way.place.line);
            const QString where = way.ptx_line == 0    ? tr("leave the function")
                                  : way.place.line > 0 ? tr("line %1").arg(way.place.line)
                                                       : tr("PTX line %1").arg(way.ptx_line);
            ways << (source.isEmpty() ? where : where + QLatin1Char('\n') + source);
        }
        picture_->showBranch(record_, branch, ways);
        sentence_->setText(QString::fromStdString(profile::sentence_of(branch)));
        figures = tr("%1 of 32 lanes active").arg(std::popcount(branch.lanes));
        order = branch.order;
    } else {
        const RecordedAccess& access = shown->accesses[std::size_t(at)];
        picture_->showAccess(record_, access);
        sentence_->setText(QString::fromStdString(profile::sentence_of(*shown, access)));
        figures = figuresOf(access) + QStringLiteral("   ·   ") + QString::fromStdString(record_->elements_of(access));
        order = access.order;
    }
    QStringList notes;
    if (record_->cut) notes << tr("The warp did more than could be noted: the end is missing.");
    if (revision_ != document.mainSource()->revision())
        notes << tr("The source has changed since; Record shows it as it is now.");
    figures_->setText(notes.isEmpty() ? figures : figures + QLatin1Char('\n') + notes.join(QLatin1Char(' ')));
    picture_->setAccessibleDescription(sentence_->text());
    const QString kept = shown->executions > std::uint64_t(count)
                             ? tr("%1 of the first %2; %3 in all").arg(at + 1).arg(count).arg(shown->executions)
                             : tr("%1 of %2").arg(at + 1).arg(count);
    position_->setText(kept);
    position_->setToolTip(tr("Step %1 of the warp's %2").arg(order + 1).arg(record_->executions));
}

void LanesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    takeReport();
    picture_->setFocus();
}

} // namespace warplight::ui
