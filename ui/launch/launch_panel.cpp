// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_panel.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/launch/argument_dialog.hpp"
#include "ui/launch/argument_guess.hpp"
#include "ui/launch/arguments_model.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <limits>

namespace warplight::ui {

namespace {

/// In, Out, InOut as a list that opens at once.
class DirectionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override {
        auto* box = new QComboBox(parent);
        for (auto each : {session::Direction::in, session::Direction::out, session::Direction::inout})
            box->addItem(ArgumentsModel::directionName(each), int(each));
        connect(box, &QComboBox::activated, this, [this, box] {
            emit const_cast<DirectionDelegate*>(this)->commitData(box);
            emit const_cast<DirectionDelegate*>(this)->closeEditor(box);
        });
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        auto* box = static_cast<QComboBox*>(editor);
        box->setCurrentIndex(box->findData(index.data(Qt::EditRole)));
        QTimer::singleShot(0, box, &QComboBox::showPopup);
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
        model->setData(index, static_cast<QComboBox*>(editor)->currentData(), Qt::EditRole);
    }
};

QSpinBox* spin(int from, int to, const QString& name) {
    auto* box = new QSpinBox;
    box->setRange(from, to);
    box->setAccessibleName(name);
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(false);
    box->setKeyboardTracking(false);
    box->setMinimumWidth(64);
    return box;
}

std::uint32_t side(const std::vector<std::uint32_t>& sides, std::size_t i) { return i < sides.size() ? sides[i] : 1; }

} // namespace

LaunchPanel::LaunchPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), arguments_(new ArgumentsModel(document(), this)) {
    build();
    connect(&document(), &Document::sessionChanged, this, &LaunchPanel::showSession);
    connect(&document(), &Document::kernelsChanged, this, &LaunchPanel::showSession);
    connect(&document(), &Document::compiled, this, &LaunchPanel::askOccupancy);
    connect(&this->workbench(), &Workbench::workerChanged, this, &LaunchPanel::askOccupancy);
    connect(&theme(), &Theme::themeChanged, this, &LaunchPanel::restyle);
    occupancyTimer_.setSingleShot(true);
    occupancyTimer_.setInterval(250);
    connect(&occupancyTimer_, &QTimer::timeout, this, &LaunchPanel::askOccupancy);
    showSession();
    restyle();
}

void LaunchPanel::build() {
    edit_ = new QAction(icon(QStringLiteral("edit")), tr("Edit Argument…"), this);
    file_ = new QAction(icon(QStringLiteral("folder")), tr("Take Data from File…"), this);
    suggest_ = new QAction(tr("Use the Suggested Block"), this);
    suggest_->setEnabled(false);

    table_ = new QTableView;
    table_->setModel(arguments_);
    table_->setAccessibleName(tr("Arguments"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setItemDelegateForColumn(ArgumentsModel::Direction, new DirectionDelegate(table_));
    table_->setEditTriggers(QAbstractItemView::SelectedClicked | QAbstractItemView::EditKeyPressed);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->setAcceptDrops(true);
    table_->setDropIndicatorShown(true);
    table_->setDragDropMode(QAbstractItemView::DropOnly);
    table_->setDragDropOverwriteMode(true);
    table_->verticalHeader()->hide();
    auto* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(ArgumentsModel::Source, QHeaderView::Stretch);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(24);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    table_->addActions({edit_, file_});
    table_->setMinimumHeight(120);

    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_, 1);
    auto* form = new QFormLayout;
    form->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    form->setHorizontalSpacing(2 * Theme::grid);
    form->setVerticalSpacing(Theme::grid);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);

    // One grid for both rows: x stands below x.
    auto* extents = new QGridLayout;
    extents->setHorizontalSpacing(Theme::half);
    extents->setVerticalSpacing(Theme::grid);
    const auto triple = [&](int row, std::array<QSpinBox*, 3>& boxes, const QString& name, const QString& text,
                            const std::array<int, 3>& largest) {
        for (std::size_t i = 0; i < 3; ++i) {
            boxes[i] = spin(1, largest[i], tr("%1 %2").arg(name, QString(QLatin1Char("xyz"[i]))));
            boxes[i]->setToolTip(tr("%1 along %2").arg(name, QString(QLatin1Char("xyz"[i]))));
            extents->addWidget(boxes[i], row, int(i));
            extents->setColumnStretch(int(i), 1);
            connect(boxes[i], &QSpinBox::valueChanged, this, &LaunchPanel::changeLaunch);
        }
        auto* label = new QLabel(text);
        label->setBuddy(boxes[0]);
        return label;
    };
    cover_ = new QToolButton;
    cover_->setProperty("framed", true);
    cover_->setText(tr("Cover"));
    cover_->setToolTip(tr("Make the grid large enough for one thread an element of the first buffer"));
    cover_->setAccessibleName(tr("Cover all elements"));
    auto* labels = new QVBoxLayout;
    labels->setSpacing(Theme::grid);
    labels->addWidget(triple(0, grid_, tr("Grid"), tr("&Grid"), {std::numeric_limits<int>::max(), 65535, 65535}), 1);
    labels->addWidget(triple(1, block_, tr("Block"), tr("&Block"), {1024, 1024, 64}), 1);
    extents->addWidget(cover_, 0, 3);
    auto* labelBox = new QWidget;
    labels->setContentsMargins(0, 0, 0, 0);
    labelBox->setLayout(labels);
    form->addRow(labelBox, extents);
    shared_ = spin(0, 1 << 20, tr("Dynamic shared memory"));
    shared_->setSuffix(tr(" B"));
    shared_->setSingleStep(1024);
    shared_->setToolTip(tr("Dynamic shared memory of a block, in bytes"));
    cooperative_ = new QCheckBox(tr("&Cooperative"));
    cooperative_->setToolTip(tr("All blocks are resident at once, so that the grid can wait for all of itself"));
    auto* sharedRow = new QHBoxLayout;
    sharedRow->setSpacing(2 * Theme::grid);
    sharedRow->addWidget(shared_, 1);
    sharedRow->addWidget(cooperative_);
    auto* sharedLabel = new QLabel(tr("&Shared"));
    sharedLabel->setBuddy(shared_);
    form->addRow(sharedLabel, sharedRow);
    repeat_ = spin(1, 100000, tr("Repeats"));
    repeat_->setToolTip(tr("Measured runs. Each starts from the same inputs."));
    warmup_ = spin(0, 1000, tr("Warm-up runs"));
    warmup_->setToolTip(tr("Runs before the measured ones"));
    auto* repeatRow = new QHBoxLayout;
    repeatRow->setSpacing(Theme::grid);
    repeatRow->addWidget(repeat_, 1);
    auto* warmupLabel = new QLabel(tr("&Warm-up"));
    warmupLabel->setBuddy(warmup_);
    repeatRow->addWidget(warmupLabel);
    repeatRow->addWidget(warmup_, 1);
    auto* repeatLabel = new QLabel(tr("R&epeats"));
    repeatLabel->setBuddy(repeat_);
    form->addRow(repeatLabel, repeatRow);

    threads_ = new QLabel;
    form->addRow(tr("Threads"), threads_);
    occupancyBar_ = new QProgressBar;
    occupancyBar_->setRange(0, 100);
    occupancyBar_->setTextVisible(false);
    occupancyBar_->setFixedHeight(Theme::grid);
    occupancyBar_->setAccessibleName(tr("Occupancy"));
    occupancyText_ = new QLabel;
    occupancyText_->setWordWrap(true);
    occupancyText_->setTextFormat(Qt::RichText);
    connect(occupancyText_, &QLabel::linkActivated, suggest_, &QAction::trigger);
    auto* occupancy = new QVBoxLayout;
    occupancy->setSpacing(Theme::half);
    occupancy->addWidget(occupancyBar_);
    occupancy->addWidget(occupancyText_);
    form->addRow(tr("Occupancy"), occupancy);
    problem_ = new QLabel;
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("What is wrong with the launch"));
    form->addRow(problem_);
    layout->addLayout(form);
    setContent(content);

    connect(edit_, &QAction::triggered, this, [this] { editArgument(currentRow()); });
    connect(file_, &QAction::triggered, this, [this] { chooseFile(currentRow()); });
    connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.column() != ArgumentsModel::Direction || index.data(ArgumentsModel::ScalarRole).toBool())
            editArgument(index.row());
    });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        // A double click activates too on some styles; the dialog is modal, so it cannot open twice.
        if (!table_->underMouse()) editArgument(index.row());
    });
    connect(arguments_, &QAbstractItemModel::modelReset, this, &LaunchPanel::check);
    connect(cover_, &QToolButton::clicked, this, &LaunchPanel::coverElements);
    connect(shared_, &QSpinBox::valueChanged, this, &LaunchPanel::changeLaunch);
    connect(cooperative_, &QCheckBox::toggled, this, &LaunchPanel::changeLaunch);
    connect(repeat_, &QSpinBox::valueChanged, this, &LaunchPanel::changeLaunch);
    connect(warmup_, &QSpinBox::valueChanged, this, &LaunchPanel::changeLaunch);
    connect(suggest_, &QAction::triggered, this, [this] {
        if (suggestedBlock_ <= 0) return;
        document().modify(tr("Use the Suggested Block"), [this](session::Session& session) {
            session.launch.block = {std::uint32_t(suggestedBlock_), 1, 1};
        });
        coverElements();
    });
}

QList<QAction*> LaunchPanel::panelActions() const { return {edit_, file_, suggest_}; }

int LaunchPanel::currentRow() const { return table_->currentIndex().isValid() ? table_->currentIndex().row() : -1; }

void LaunchPanel::showSession() {
    const session::Session& session = document().session();
    showing_ = true;
    for (std::size_t i = 0; i < 3; ++i) {
        grid_[i]->setValue(int(std::min<std::uint32_t>(side(session.launch.grid, i), 2147483647u)));
        block_[i]->setValue(int(side(session.launch.block, i)));
    }
    shared_->setValue(int(std::min<std::uint64_t>(session.launch.shared, 1u << 20)));
    cooperative_->setChecked(session.launch.cooperative);
    repeat_->setValue(session.repeat);
    warmup_->setValue(session.warmup);
    showing_ = false;
    if (session.kernel.empty() && document().kernels().empty() && session.arguments.empty())
        showEmptyNote(QStringLiteral("launch"), tr("No kernel yet"),
                      tr("Write a __global__ function: its parameters appear here as arguments."));
    else
        showContent();
    check();
    occupancyTimer_.start();
}

void LaunchPanel::changeLaunch() {
    if (showing_) return;
    document().modify(
        tr("Change the Launch"),
        [this](session::Session& session) {
            for (auto& [boxes, sides] :
                 {std::pair{&grid_, &session.launch.grid}, std::pair{&block_, &session.launch.block}}) {
                sides->assign(3, 1);
                for (std::size_t i = 0; i < 3; ++i)
                    (*sides)[i] = std::uint32_t((*boxes)[i]->value());
            }
            session.launch.shared = std::uint64_t(shared_->value());
            session.launch.cooperative = cooperative_->isChecked();
            session.repeat = repeat_->value();
            session.warmup = warmup_->value();
        },
        QStringLiteral("launch"));
}

void LaunchPanel::editArgument(int row) {
    const auto& arguments = document().session().arguments;
    if (row < 0 || row >= int(arguments.size())) return;
    QStringList arrays;
    for (const auto& argument : arguments)
        if (argument.direction != session::Direction::scalar) arrays << QString::fromStdString(argument.name);
    ArgumentDialog dialog(arguments[std::size_t(row)], arrays, document().folder(), this);
    if (dialog.exec() == QDialog::Accepted) arguments_->setArgument(row, dialog.argument());
}

void LaunchPanel::chooseFile(int row) {
    const auto& arguments = document().session().arguments;
    if (row < 0 || row >= int(arguments.size()) || arguments[std::size_t(row)].direction == session::Direction::scalar)
        return;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Choose Data"), document().folder(),
        tr("Data (*.npy *.csv *.png *.jpg *.jpeg *.bmp *.pgm *.ppm *.bin *.raw *.dat);;All files (*)"));
    if (!path.isEmpty()) arguments_->setFile(row, path);
}

void LaunchPanel::coverElements() {
    const std::vector<std::size_t> shape = firstArrayShape(document().session(), document().folder());
    if (shape.empty()) {
        emit workbench().statusMessage(tr("No buffer tells how many elements there are."));
        return;
    }
    const auto& block = document().session().launch.block;
    const auto blocks = [](std::uint64_t elements, std::uint64_t threads) {
        return std::uint32_t(
            std::min<std::uint64_t>((elements + threads - 1) / std::max<std::uint64_t>(threads, 1), 2147483647u));
    };
    document().modify(tr("Cover All Elements"), [&](session::Session& session) {
        // A flat block covers elements; a block with a height covers columns and rows.
        if (side(block, 1) == 1 && side(block, 2) == 1) {
            std::uint64_t all = 1;
            for (std::size_t length : shape)
                all *= length;
            session.launch.grid = {blocks(all, side(block, 0)), 1, 1};
        } else {
            // Of an image (height, width, channels) the first two axes are the picture.
            const bool image = shape.size() == 3 && shape[2] <= 4;
            const std::size_t width = shape.size() == 1 ? shape[0] : image ? shape[1] : shape.back();
            const std::size_t height = shape.size() == 1 ? 1 : image ? shape[0] : shape[shape.size() - 2];
            const std::size_t depth = shape.size() >= 3 && !image ? shape[shape.size() - 3] : 1;
            session.launch.grid = {blocks(width, side(block, 0)), blocks(height, side(block, 1)),
                                   blocks(depth, side(block, 2))};
        }
    });
}

QString LaunchPanel::problem() const {
    QString launch = launchProblem(document().session().launch);
    if (!launch.isEmpty()) return launch;
    for (int row = 0; row < arguments_->rowCount(); ++row) {
        QString problem = arguments_->index(row, 0).data(ArgumentsModel::ProblemRole).toString();
        if (!problem.isEmpty())
            return tr("%1: %2").arg(arguments_->index(row, ArgumentsModel::Name).data().toString(), problem);
    }
    const compiler::Kernel* kernel = document().currentKernel();
    if (kernel && int(kernel->parameters.size()) > arguments_->rowCount())
        return tr("The kernel has %n parameter(s) without an argument.", nullptr,
                  int(kernel->parameters.size()) - arguments_->rowCount());
    return {};
}

void LaunchPanel::check() {
    const auto& launch = document().session().launch;
    quint64 blocks = 1, threads = 1;
    for (std::uint32_t each : launch.grid)
        blocks *= each;
    for (std::uint32_t each : launch.block)
        threads *= each;
    threads_->setText(
        tr("%1 blocks of %2 = %3")
            .arg(formatCount(qint64(blocks)), formatCount(qint64(threads)), formatCount(qint64(blocks * threads))));
    const QString text = problem();
    problem_->setText(text.isEmpty() ? QString() : QStringLiteral("⚠ ") + text);
    problem_->setVisible(!text.isEmpty());
}

void LaunchPanel::askOccupancy() {
    const session::Session& session = document().session();
    const CompileOutput& output = document().compileOutput();
    const bool ptxSource = document().mainSource() && document().mainSource()->isPtx();
    const QString ptx = ptxSource ? document().mainSource()->text() : output.ptx;
    const auto unknown = [this](const QString& text) {
        occupancyBar_->setValue(0);
        occupancyText_->setText(text.toHtmlEscaped());
        suggestedBlock_ = 0;
        suggest_->setEnabled(false);
    };
    if (session.kernel.empty() || ptx.isEmpty()) return unknown(tr("Known after a build (Ctrl+B)."));
    if (!launchProblem(session.launch).isEmpty()) return unknown(tr("The launch is not possible."));
    std::string kernel = session.kernel;
    for (const auto& each : output.kernels)
        if (each.name == session.kernel && !each.lowered.empty()) kernel = each.lowered;
    nlohmann::json params{{"device", workbench().deviceOrdinal()},
                          {"ptx", ptx.toStdString()},
                          {"kernel", kernel},
                          {"block", session.launch.block},
                          {"shared", session.launch.shared}};
    workbench().worker().request(
        QStringLiteral("occupancy"), std::move(params), QStringLiteral("launch.occupancy"), this,
        [this, unknown](const WorkerReply& reply) {
            if (!reply.ok) return unknown(reply.error);
            const double occupancy = reply.result.value("occupancy", 0.0);
            const QString limiter = QString::fromStdString(reply.result.value("limiter", std::string()));
            suggestedBlock_ = reply.result.value("suggested_block", 0);
            occupancyBar_->setValue(qRound(occupancy * 100));
            QString text = tr("%1 %: %2 of %3 warps")
                               .arg(qRound(occupancy * 100))
                               .arg(reply.result.value("warps_per_sm", 0))
                               .arg(reply.result.value("max_warps_per_sm", 0));
            if (!limiter.isEmpty() && limiter != QLatin1String("nothing")) text += tr(", limited by %1").arg(limiter);
            text = text.toHtmlEscaped() + QLatin1Char('.');
            const auto& block = document().session().launch.block;
            const bool flat = side(block, 1) == 1 && side(block, 2) == 1;
            const bool other =
                occupancy < 0.995 && suggestedBlock_ > 0 && suggestedBlock_ != int(side(block, 0)) && flat;
            suggest_->setEnabled(other);
            if (other)
                text +=
                    QStringLiteral(" <a href=\"suggest\">%1</a>").arg(tr("Suggested: %1 threads").arg(suggestedBlock_));
            occupancyText_->setText(text);
        });
}

void LaunchPanel::restyle() {
    const Colours& colours = theme().colours();
    QPalette palette = problem_->palette();
    palette.setColor(QPalette::WindowText, colours.error);
    problem_->setPalette(palette);
    palette = threads_->palette();
    palette.setColor(QPalette::WindowText, colours.mutedText);
    threads_->setPalette(palette);
    occupancyBar_->setStyleSheet(QStringLiteral("QProgressBar { border: none; border-radius: 4px; background: %1; }"
                                                "QProgressBar::chunk { border-radius: 4px; background: %2; }")
                                     .arg(colours.border.name(), colours.accent.name()));
}

} // namespace warplight::ui
