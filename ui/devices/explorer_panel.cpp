// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/explorer_panel.hpp"

#include "ui/common/device_id.hpp"
#include "ui/common/icons.hpp"
#include "ui/devices/device_attributes.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/welcome/examples.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace warplight::ui {

namespace {

/// Draws how much of a device's memory is taken as a thin bar below its line, and breaks the names of attributes where
/// the column is too narrow for them.
class DeviceDelegate : public QStyledItemDelegate {
public:
    DeviceDelegate(Theme& theme, QTreeView* view) : QStyledItemDelegate(view), theme_(theme), view_(view) {}

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        const int kind = index.data(DevicesModel::KindRole).toInt();
        if (kind != DevicesModel::DriverKind && kind != DevicesModel::MachineKind) {
            int depth = view_->rootIsDecorated() ? 1 : 0;
            for (QModelIndex up = index.parent(); up.isValid(); up = up.parent())
                ++depth;
            if (index.column() != DevicesModel::Name) depth = 0;
            QStyleOptionViewItem full = option;
            initStyleOption(&full, index);
            const int margin = 2 * (view_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, &full, view_) + 1);
            const int icon = full.icon.isNull() ? 0 : full.decorationSize.width() + margin;
            const int width = view_->columnWidth(index.column()) - depth * view_->indentation() - margin - icon;
            const QRect text = QFontMetrics(full.font).boundingRect(QRect(0, 0, std::max(width, 40), 10000),
                                                                    Qt::TextWordWrap, full.text);
            size = {std::max(width, 40), std::max(size.height(), text.height() + 4)};
        }
        size.setHeight(size.height() + (kind == DevicesModel::DeviceKind ? 10 : 4));
        return size;
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const int kind = index.data(DevicesModel::KindRole).toInt();
        if (kind == DevicesModel::AttributeKind && index.column() == DevicesModel::Name)
            option->text = breakableName(option->text);
        if (kind == DevicesModel::MachineKind && index.column() == DevicesModel::Value)
            option->palette.setColor(QPalette::Text, index.data(DevicesModel::BadRole).toBool()
                                                         ? theme_.colours().error
                                                         : theme_.colours().mutedText);
        if (index.column() == DevicesModel::Value)
            option->text.replace(QChar(0x2009), QChar(0x202f)); // a number stays in one piece
        option->features |= QStyleOptionViewItem::WrapText;
        option->textElideMode = Qt::ElideNone;
    }

public:
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant used = index.data(DevicesModel::UsedFractionRole);
        if (!used.isValid() || index.column() != DevicesModel::Value) return;
        const Colours& colours = theme_.colours();
        const QRectF track(option.rect.left() + 4, option.rect.bottom() - 4, option.rect.width() - 8, 3);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours.border);
        painter->drawRoundedRect(track, 1.5, 1.5);
        QRectF filled = track;
        filled.setWidth(std::max(3.0, track.width() * used.toDouble()));
        painter->setBrush(used.toDouble() > 0.9 ? colours.warning : colours.accent);
        painter->drawRoundedRect(filled, 1.5, 1.5);
        painter->restore();
    }

private:
    Theme& theme_;
    QTreeView* view_;
};

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::half);
    return label;
}

} // namespace

ExplorerPanel::ExplorerPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), model_(new DevicesModel(this)), filtered_(new QSortFilterProxyModel(this)) {
    filtered_->setSourceModel(model_);
    filtered_->setRecursiveFilteringEnabled(true);
    filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    filtered_->setFilterKeyColumn(DevicesModel::Name);

    tree_ = new QTreeView;
    tree_->setModel(filtered_);
    tree_->setAccessibleName(tr("Devices and their attributes"));
    tree_->setItemDelegate(new DeviceDelegate(theme(), tree_));
    tree_->setWordWrap(true);
    tree_->setTextElideMode(Qt::ElideNone);
    tree_->setHeaderHidden(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setExpandsOnDoubleClick(false);
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setSectionResizeMode(DevicesModel::Name, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(DevicesModel::Value, QHeaderView::Fixed);
    tree_->setIndentation(12); // names need the room
    // Room for the longest number; its unit goes below it.
    const auto measure = [this] {
        const int number = tree_->fontMetrics().horizontalAdvance(QStringLiteral("2 147 483 647"));
        tree_->header()->resizeSection(DevicesModel::Value, number + 2 * Theme::grid);
        // A name breaks after an underscore: in a narrower dock the panel scrolls.
        const int part = tree_->fontMetrics().horizontalAdvance(QStringLiteral("MULTIPROCESSOR_"));
        tree_->setMinimumWidth(part + number + 3 * tree_->indentation() + 4 * Theme::grid +
                               style()->pixelMetric(QStyle::PM_ScrollBarExtent));
        tree_->doItemsLayout();
    };
    connect(&theme(), &Theme::themeChanged, this, measure, Qt::QueuedConnection);
    measure();
    // Names take more lines where they have less room.
    connect(tree_->header(), &QHeaderView::sectionResized, this, [this](int section) {
        if (section == DevicesModel::Name) tree_->doItemsLayout();
    });
    meaning_ = new QLabel;
    meaning_->setWordWrap(true);
    meaning_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    meaning_->setAccessibleName(tr("What the attribute means"));
    meaning_->hide();
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExplorerPanel::showMeaning);
    connect(tree_, &QTreeView::collapsed, this, &ExplorerPanel::showMeaning);
    connect(tree_, &QTreeView::expanded, this, &ExplorerPanel::showMeaning);
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("Filter attributes"));
    filter_->setAccessibleName(tr("Filter attributes"));
    filter_->setClearButtonEnabled(true);

    examples_ = new QListWidget;
    examples_->setAccessibleName(tr("Examples"));
    examples_->setFrameShape(QFrame::NoFrame);
    for (const QString& folder : {examplesFolder(), lessonsFolder(), exercisesFolder()})
        for (const Example& example : listExamples(folder)) {
            auto* item = new QListWidgetItem(icon(example.icon), example.title, examples_);
            item->setData(Qt::UserRole, example.path);
            item->setToolTip((example.exercise ? tr("%1\n\nA click or Enter opens it.")
                                               : tr("%1\n\nA click or Enter opens and runs it."))
                                 .arg(example.description));
        }

    auto* devices = new QWidget;
    auto* devicesLayout = new QVBoxLayout(devices);
    devicesLayout->setContentsMargins(0, 0, 0, 0);
    devicesLayout->setSpacing(0);
    auto* headRow = new QHBoxLayout;
    headRow->setContentsMargins(0, 0, Theme::grid, 0);
    auto* add = new QToolButton;
    add->setObjectName(QStringLiteral("addMachine"));
    add->setIcon(icon(QStringLiteral("plus")));
    add->setAutoRaise(true);
    add->setToolTip(tr("Add another machine, whose GPUs this window uses over ssh"));
    add->setStatusTip(add->toolTip());
    add->setAccessibleName(tr("Add machine"));
    connect(add, &QToolButton::clicked, this, &ExplorerPanel::addMachineRequested);
    headRow->addWidget(heading(tr("Devices")), 1);
    headRow->addWidget(add);
    devicesLayout->addLayout(headRow);
    auto* filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::half);
    filterRow->addWidget(filter_);
    devicesLayout->addLayout(filterRow);
    devicesLayout->addWidget(tree_, 1);
    devicesLayout->addWidget(meaning_);
    auto* exampleBox = new QWidget;
    auto* exampleLayout = new QVBoxLayout(exampleBox);
    exampleLayout->setContentsMargins(0, 0, 0, 0);
    exampleLayout->setSpacing(0);
    exampleLayout->addWidget(heading(tr("Examples")));
    exampleLayout->addWidget(examples_, 1);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(devices);
    splitter->addWidget(exampleBox);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    setContent(splitter);
    showContent();

    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filtered_->setFilterFixedString(text.trimmed());
        expanding_ = true; // what is filtered connects to nothing
        if (text.trimmed().isEmpty())
            tree_->expandToDepth(0);
        else
            tree_->expandAll();
        expanding_ = false;
        showMeaning();
    });
    connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        const int kind = index.data(DevicesModel::KindRole).toInt();
        const QString machine = index.data(DevicesModel::MachineRole).toString();
        if (kind == DevicesModel::DeviceKind)
            emit deviceChosen(index.data(DevicesModel::DeviceIdRole).toString());
        else if (kind == DevicesModel::NoteKind && !machine.isEmpty())
            connectMachine(machine);
        else
            tree_->setExpanded(index.siblingAtColumn(0), !tree_->isExpanded(index.siblingAtColumn(0)));
    });
    const auto openExample = [this](const QListWidgetItem* item) {
        if (item) emit exampleRequested(item->data(Qt::UserRole).toString());
    };
    connect(examples_, &QListWidget::itemClicked, this, openExample);
    // Not `activated`: where a double click activates, it would open twice.
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* enter = new QShortcut(key, examples_, nullptr, nullptr, Qt::WidgetShortcut);
        connect(enter, &QShortcut::activated, this, [this, openExample] { openExample(examples_->currentItem()); });
    }
    this->workbench().forEachWorker(this, [this](WorkerConnection* worker) {
        if (worker->isAtHand()) ask(worker);
        connect(worker, &WorkerConnection::restarted, this, [this, worker] { ask(worker); });
        if (!worker->isRemote()) return;
        connect(worker, &WorkerConnection::linkChanged, this, [this, worker] { showMachine(worker->machine()); });
        connect(worker, &WorkerConnection::stateChanged, this, [this, worker] { showMachine(worker->machine()); });
    });
    connectMachines();
    // Memory is live, but not so often that it costs anything.
    memoryTimer_.setInterval(2000);
    connect(&memoryTimer_, &QTimer::timeout, this, &ExplorerPanel::askMemory);
    memoryTimer_.start();
}

void ExplorerPanel::showMeaning() {
    const QModelIndex current = tree_->currentIndex();
    QString meaning = current.data(DevicesModel::MeaningRole).toString();
    for (QModelIndex up = current.parent(); up.isValid(); up = up.parent())
        if (!tree_->isExpanded(up)) meaning.clear();
    if (meaning == meaning_->text()) return;
    meaning_->setText(meaning);
    meaning_->setVisible(!meaning.isEmpty());
    // The text takes room from the list; its attribute stays in sight.
    meaning_->parentWidget()->layout()->activate();
    if (!meaning.isEmpty()) tree_->scrollTo(current);
}

void ExplorerPanel::ask(WorkerConnection* worker) {
    const QString driver = worker->driver();
    const QString label = isGpu(driver) ? tr("NVIDIA GPUs") : tr("Software device");
    worker->request(QStringLiteral("devices"), nlohmann::json::object(), QStringLiteral("explorer.devices"), this,
                    [this, worker, driver, label](const WorkerReply& reply) {
                        if (worker->isRemote()) return takeRemote(worker, reply);
                        const bool available = reply.ok && reply.result.value("available", true);
                        if (available) {
                            // A worker counts its own devices; in the window they carry its driver's name.
                            std::vector<DeviceInfo> devices = devicesFromJson(reply.result);
                            for (DeviceInfo& device : devices)
                                device.id = driver + QLatin1Char(':') + device.id;
                            model_->setDriver(driver, label, std::move(devices));
                        } else if (reply.ok)
                            model_->setDriverProblem(
                                driver, label, QString::fromStdString(reply.result.value("problem", std::string())));
                        else if (!reply.workerDied)
                            model_->setDriverProblem(driver, label, reply.error);
                        for (int row = 0; row < model_->rowCount(); ++row)
                            if (const QModelIndex at = model_->index(row, 0);
                                at.data(DevicesModel::KindRole).toInt() == DevicesModel::DriverKind)
                                expand(at);
                        showMeaning();
                        emit devicesChanged();
                        askMemory();
                    });
}

void ExplorerPanel::askMemory() {
    for (const DeviceInfo& device : model_->devices()) {
        const DeviceId id = DeviceId::parse(device.id);
        WorkerConnection* worker = device.asked ? workbench().worker(id.driver) : nullptr;
        // A busy worker is left alone: its answer would only come after the run.
        if (!worker || worker->state() != WorkerConnection::State::Ready || !worker->isAtHand()) continue;
        worker->request(QStringLiteral("memory"), {{"device", id.ordinal}},
                        QStringLiteral("explorer.memory.") + device.id, this,
                        [this, id = device.id](const WorkerReply& reply) {
                            if (!reply.ok) return;
                            const auto free = reply.result.value("free", std::uint64_t{0});
                            const auto total = reply.result.value("total", std::uint64_t{0});
                            model_->setMemory(id, free, total);
                            emit memoryChanged(id, free, total);
                        });
    }
}

} // namespace warplight::ui
