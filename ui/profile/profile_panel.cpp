// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_panel.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/settings.hpp"
#include "ui/profile/profile_model.hpp"
#include "ui/profile/roofline_plot.hpp"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace warplight::ui {

namespace {

constexpr auto metricKey = "profile/colour", gpuKey = "profile/gpu";

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

} // namespace

ProfilePanel::ProfilePanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), model_(new ProfileModel(this)), sorted_(new QSortFilterProxyModel(this)) {
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    rows_ = new QComboBox;
    rows_->addItems({tr("Lines"), tr("PTX instructions")});
    rows_->setAccessibleName(tr("Rows of the table"));
    metric_ = new QComboBox;
    metric_->addItems(heatMetricNames());
    metric_->setAccessibleName(tr("Colour lines in the editor by"));
    metric_->setToolTip(tr("What the colours beside the lines in the editor stand for"));
    metric_->setCurrentIndex(
        std::clamp(settings().value(QLatin1String(metricKey), int(HeatMetric::Cost)).toInt(), 0, metric_->count() - 1));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    auto* rowsLabel = new QLabel(tr("Show"));
    rowsLabel->setBuddy(rows_);
    auto* metricLabel = new QLabel(tr("Colour by"));
    metricLabel->setBuddy(metric_);
    for (QWidget* each : std::initializer_list<QWidget*>{rowsLabel, rows_, metricLabel, metric_})
        bar->addWidget(each);
    bar->addStretch();
    column->addLayout(bar);

    facts_ = new QLabel;
    facts_->setObjectName(QStringLiteral("profileFacts"));
    facts_->setWordWrap(true);
    facts_->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::half);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    facts_->setAccessibleName(tr("Totals of the kernel"));
    column->addWidget(facts_);

    sorted_->setSourceModel(model_);
    sorted_->setSortRole(ProfileModel::SortRole);
    table_ = new QTableView;
    table_->setObjectName(QStringLiteral("profileLines"));
    table_->setAccessibleName(tr("Profile by line"));
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(ProfileModel::Cost, Qt::DescendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(ProfileModel::Text, QHeaderView::Interactive);

    hintsView_ = new QTextBrowser;
    hintsView_->setObjectName(QStringLiteral("profileHints"));
    hintsView_->setAccessibleName(tr("Hints"));
    hintsView_->setOpenLinks(false);
    hintsView_->setFrameShape(QFrame::NoFrame);
    gpu_ = new QComboBox;
    gpu_->setAccessibleName(tr("GPU to compare with"));
    for (const profile::Gpu& each : profile::gpus())
        gpu_->addItem(fromView(each.name));
    roofline_ = new RooflinePlot(theme());
    auto* rooflinePage = new QWidget;
    auto* rooflineColumn = new QVBoxLayout(rooflinePage);
    rooflineColumn->setContentsMargins(0, 0, 0, 0);
    rooflineColumn->setSpacing(0);
    auto* gpuRow = new QHBoxLayout;
    gpuRow->setContentsMargins(Theme::grid, Theme::half, Theme::grid, 0);
    gpuRow->setSpacing(Theme::grid);
    auto* gpuLabel = new QLabel(tr("GPU"));
    gpuLabel->setBuddy(gpu_);
    gpuRow->addWidget(gpuLabel);
    gpuRow->addWidget(gpu_);
    gpuRow->addStretch();
    rooflineColumn->addLayout(gpuRow);
    rooflineColumn->addWidget(roofline_, 1);
    side_ = new QTabWidget;
    side_->setDocumentMode(true);
    side_->addTab(hintsView_, tr("Hints"));
    side_->addTab(rooflinePage, tr("Roofline"));

    column->addWidget(table_, 1);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(left);
    splitter->addWidget(side_);
    splitter->setStretchFactor(0, 5);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({670, 330});
    splitter->setChildrenCollapsible(false);
    setContent(splitter);

    profileIt_ = new QAction(icon(QStringLiteral("profile")), tr("Profile the Kernel"), this);
    connect(profileIt_, &QAction::triggered, this, [this] {
        if (!document().session().profile)
            document().modify(tr("Profile"), [](session::Session& session) { session.profile = true; });
        emit this->workbench().runRequested();
    });
    connect(table_, &QTableView::activated, this, &ProfilePanel::jump);
    auto* lanes = new QAction(tr("&Lanes and Memory…"), table_);
    connect(lanes, &QAction::triggered, this, [this] {
        const QModelIndex index = table_->currentIndex();
        if (const int line = index.data(ProfileModel::LineRole).toInt(); line > 0)
            emit this->workbench().showLanes(index.data(ProfileModel::FileRole).toString(), line);
    });
    table_->addAction(lanes);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(hintsView_, &QTextBrowser::anchorClicked, this, &ProfilePanel::openLink);
    connect(rows_, &QComboBox::currentIndexChanged, this, &ProfilePanel::showRows);
    connect(metric_, &QComboBox::activated, this, [this](int index) {
        settings().setValue(QLatin1String(metricKey), index);
        emit heatMetricChanged(heatMetric());
    });
    connect(gpu_, &QComboBox::activated, this, [this] {
        settings().setValue(QLatin1String(gpuKey), gpu_->currentText());
        showHints();
        showRoofline();
    });
    connect(&document(), &Document::reportChanged, this, &ProfilePanel::refresh);
    connect(&document(), &Document::sessionReplaced, this, &ProfilePanel::refresh);
    connect(&document(), &Document::sessionChanged, this, [this] {
        if (isShowingEmptyNote()) showNote();
    });
    connect(this, &Panel::panelShown, this, [this] {
        if (stale_) showRows();
    });
    connect(&theme(), &Theme::themeChanged, this, &ProfilePanel::restyle);
    refresh();
    restyle();
}

HeatMetric ProfilePanel::heatMetric() const { return HeatMetric(metric_->currentIndex()); }

const profile::Gpu& ProfilePanel::gpu() const { return profile::gpus()[std::size_t(gpu_->currentIndex())]; }

bool ProfilePanel::isStale() const { return document().mainSource()->revision() != revision_; }

void ProfilePanel::refresh() {
    hints_.clear();
    texts_.clear();
    if (SourceFile* main = document().mainSource()) {
        revision_ = main->revision();
        // The line about an edited source appears with the first edit.
        connect(main, &SourceFile::textChanged, this, &ProfilePanel::showFacts, Qt::UniqueConnection);
    }
    if (!document().hasReport() || !document().report().profile) {
        model_->clear();
        showNote();
        return;
    }
    for (const SourceFile* source : document().sources()) {
        const QStringList lines = source->text().split(QLatin1Char('\n'));
        texts_.insert(source->name(), lines);
        if (!source->path().isEmpty()) texts_.insert(source->path(), lines);
    }
    // The GPU that ran; else the one that was looked at last.
    QString wanted = settings().value(QLatin1String(gpuKey)).toString();
    if (const profile::Gpu* ran = profile::find_gpu(document().report().device.name)) wanted = fromView(ran->name);
    if (const int index = gpu_->findText(wanted); index >= 0) gpu_->setCurrentIndex(index);
    showContent();
    showRows();
    showFacts();
    showHints();
    showRoofline();
}

void ProfilePanel::showNote() {
    const QString symbol = QStringLiteral("profile");
    if (document().isProgram()) {
        showEmptyNote(symbol, tr("No profile"), tr("Kernels of sessions are profiled, and programs are not."));
        return;
    }
    if (!document().hasReport()) {
        showEmptyNote(symbol, tr("No profile yet"),
                      tr("A profile tells how often each line is executed, with how many threads, and how well it uses "
                         "memory. It is counted on the software device, whatever device runs the kernel."),
                      profileIt_);
        return;
    }
    const session::Report& report = document().report();
    if (!report.profile_problem.empty())
        showEmptyNote(symbol, tr("No profile"), QString::fromStdString(report.profile_problem), profileIt_);
    else if (report.error)
        showEmptyNote(symbol, tr("No profile"), tr("The last run failed before its kernel could be profiled."),
                      profileIt_);
    else
        showEmptyNote(
            symbol, tr("The last run was not profiled"),
            tr("Run it with Profile to see what each line does. It is counted on the software device, whatever "
               "device runs the kernel."),
            profileIt_);
}

QString ProfilePanel::textOfLine(const QString& file, int line) const {
    auto found = texts_.constFind(file);
    if (found == texts_.cend() && QFileInfo(file).isRelative()) found = texts_.constFind(QFileInfo(file).fileName());
    return found == texts_.cend() ? QString() : found->value(line - 1);
}

void ProfilePanel::showRows() {
    stale_ = !isVisible();
    if (!document().hasReport() || !document().report().profile) return;
    const auto textOf = [this](const QString& file, int line) { return textOfLine(file, line); };
    const bool lines = rows_->currentIndex() == 0 && !profile().lines().empty();
    if (lines)
        model_->setLines(profile(), textOf);
    else
        model_->setInstructions(profile(), textOf);
    // A kernel without shared memory needs no column about it.
    for (int column = ProfileModel::Sectors; column < ProfileModel::ColumnCount; ++column) {
        bool empty = true;
        for (int row = 0; row < model_->rowCount() && empty; ++row)
            empty = model_->index(row, column).data().toString().isEmpty();
        table_->setColumnHidden(column, empty);
    }
    // As wide as its longest text, within bounds; the user may change it.
    const int letter = QFontMetrics(theme().monospace()).averageCharWidth();
    table_->resizeColumnToContents(ProfileModel::Text);
    table_->setColumnWidth(ProfileModel::Text,
                           std::clamp(table_->columnWidth(ProfileModel::Text), 12 * letter, 24 * letter));
    table_->setCurrentIndex(sorted_->index(0, 0));
}

void ProfilePanel::showFacts() {
    if (!document().hasReport() || !document().report().profile) return;
    const session::Report& report = document().report();
    const profile::Figures total = profile().total();
    const auto shortly = [](double count) { return scaledCount(count).replace(QLatin1Char(' '), QChar(0x2009)); };
    QStringList facts;
    facts << tr("%1 executions by %2 warps").arg(shortly(double(total.executions)), shortly(double(profile().warps)));
    facts << tr("%1 of 32 threads").arg(meanText(total.active_lanes, total.executions));
    if (total.bytes)
        facts << tr("%1B of memory by threads, %2B by sectors")
                     .arg(shortly(double(total.bytes)), shortly(32.0 * double(total.sectors)));
    if (total.floating_point())
        facts << (total.bytes ? tr("%1FLOP, %2 a byte")
                                    .arg(shortly(double(total.floating_point())),
                                         QString::number(double(total.floating_point()) / double(total.bytes), 'g', 3))
                              : tr("%1FLOP").arg(shortly(double(total.floating_point()))));
    if (const double ms = session::statistics(report.times.kernel_ms).median;
        ms > 0 && (total.bytes || total.floating_point())) {
        const profile::Speed speed = profile::speed_of(total, ms);
        facts << tr("%1B/s and %2FLOP/s measured")
                     .arg(shortly(speed.gigabytes_a_second * 1e9), shortly(speed.gigaflops * 1e9));
        facts_->setToolTip(tr("Counts are those of the software device. The speed is that of %1, by the median of the "
                              "measured runs.")
                               .arg(QString::fromStdString(report.device.name)));
    }
    QString text = facts.join(QStringLiteral(" · "));
    if (profile().lost_blocks)
        text += QLatin1Char('\n') + tr("%1 blocks are missing: their threads did more than could be kept.")
                                        .arg(formatCount(qint64(profile().lost_blocks)));
    if (isStale())
        text += QLatin1Char('\n') +
                tr("The source has changed since this run. Lines and their numbers are those of the run.");
    facts_->setText(text);
}

void ProfilePanel::showHints() {
    if (!document().hasReport() || !document().report().profile) return;
    hints_ = profile::hints_of(profile(), &gpu());
    side_->setTabText(0, hints_.empty() ? tr("Hints") : tr("Hints (%1)").arg(hints_.size()));
    const Colours& colours = theme().colours();
    QString html;
    for (std::size_t k = 0; k < hints_.size(); ++k) {
        const profile::Hint& hint = hints_[k];
        const QString file = QFileInfo(QString::fromStdString(hint.file)).fileName();
        QString head = hint.file.empty()
                           ? (hint.ptx_line > 0 ? tr("Line %1 of the PTX").arg(hint.ptx_line) : tr("The kernel"))
                           : QStringLiteral("<a href=\"line:%1\">%2</a>")
                                 .arg(k)
                                 .arg(tr("%1, line %2").arg(file.toHtmlEscaped()).arg(hint.line));
        head = QStringLiteral("<b>%1</b>").arg(head);
        if (hint.share > 0)
            head += QStringLiteral(" &nbsp;<span style=\"color:%1\">%2</span>")
                        .arg(colours.mutedText.name(), tr("up to %1 % of the cost").arg(std::lround(hint.share * 100)));
        QString links =
            QStringLiteral("<a href=\"guide:%1\">%2</a>").arg(fromView(anchor_of(hint.kind)), tr("How to mend it"));
        if (!hint.file.empty())
            links += QStringLiteral(" · <a href=\"lanes:%1\">%2</a>").arg(k).arg(tr("See the lanes"));
        html += QStringLiteral("<p style=\"margin:0 0 10px 0\">%1<br>%2 %3</p>")
                    .arg(head, QString::fromStdString(hint.text).toHtmlEscaped(), links);
    }
    if (hints_.empty())
        html = QStringLiteral("<p>%1</p>").arg(tr("No hints: nothing that the profile shows costs much."));
    hintsView_->setHtml(html);
}

void ProfilePanel::showRoofline() {
    if (!document().hasReport() || !document().report().profile) return;
    const session::Report& report = document().report();
    const double ms = session::statistics(report.times.kernel_ms).median;
    const bool ranThere = profile::find_gpu(report.device.name) == &gpu();
    const profile::Figures total = profile().total();
    roofline_->setKernel(total, gpu(), ranThere ? profile::speed_of(total, ms).gigaflops : 0);
}

void ProfilePanel::restyle() {
    model_->setCodeFont(theme().monospace());
    table_->verticalHeader()->setDefaultSectionSize(
        std::max(fontMetrics().height(), QFontMetrics(theme().monospace()).height()) + Theme::grid);
    hintsView_->document()->setDocumentMargin(Theme::grid);
    showHints();
}

void ProfilePanel::jump(const QModelIndex& index) {
    const int line = index.data(ProfileModel::LineRole).toInt();
    if (line > 0)
        jumpToLine(index.data(ProfileModel::FileRole).toString(), line,
                   index.data(ProfileModel::SourceRole).toString());
}

void ProfilePanel::jumpToLine(const QString& file, int line, const QString& source) {
    // In a source that was edited the line has moved: the nearest line with its text is the one.
    const SourceFile* main = document().mainSource();
    if (isStale() && !source.trimmed().isEmpty() && QFileInfo(file).fileName() == main->name()) {
        const QStringList now = main->text().split(QLatin1Char('\n'));
        int best = 0;
        for (int k = 0; k < now.size(); ++k)
            if (now[k] == source && (best == 0 || std::abs(k + 1 - line) < std::abs(best - line))) best = k + 1;
        if (best == 0) {
            emit workbench().statusMessage(tr("The line was edited since the run."));
            return;
        }
        line = best;
    }
    emit workbench().showSource(file, line, 1);
}

void ProfilePanel::openLink(const QUrl& link) {
    if (link.scheme() == QLatin1String("guide")) {
        emit workbench().showGuide(link.path());
        return;
    }
    const std::size_t number = link.path().toUInt();
    if (number >= hints_.size()) return;
    const profile::Hint& hint = hints_[number];
    const QString file = QString::fromStdString(hint.file);
    if (link.scheme() == QLatin1String("lanes"))
        emit workbench().showLanes(file, hint.line);
    else
        jumpToLine(file, hint.line, textOfLine(file, hint.line));
}

} // namespace warplight::ui
