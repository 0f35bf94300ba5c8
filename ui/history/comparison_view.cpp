// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/comparison_view.hpp"

#include "history/run_difference.hpp"
#include "session/data_file.hpp"
#include "session/pipeline_plan.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/results.hpp"
#include "ui/common/workbench.hpp"
#include "ui/history/difference_view.hpp"
#include "ui/history/run_text.hpp"

#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

bool isPtx(const history::Run& run) { return text(run.document.source.name).endsWith(QLatin1String(".ptx")); }

/// "Run 12"
QString capital(QString name) {
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}

/// A digest has 32 digits; the first tell enough.
QString shortDigest(const std::string& digest) { return text(digest.substr(0, 12)); }

} // namespace

RunComparison comparisonOf(ComparedRun before, ComparedRun after) {
    RunComparison comparison{{std::move(before), std::move(after)}, {}, {}};
    auto& runs = comparison.runs;
    // A state that was not run differs in nothing that only a run tells.
    for (std::size_t i = 0; i < 2; ++i) {
        if (runs[i].hasRun) continue;
        const history::Run& other = runs[1 - i].run;
        history::Run& run = runs[i].run;
        run.report = other.report;
        if (run.document.device == other.document.device) run.entry.device = other.entry.device;
    }
    comparison.difference = history::difference(runs[0].run, runs[1].run);
    if (runs[0].hasRun && runs[1].hasRun)
        for (std::size_t i = 0; i < 2; ++i)
            comparison.reports[i] = text(session::to_text(runs[i].run.report));
    return comparison;
}

ComparisonView::ComparisonView(Workbench& workbench, RunComparison comparison, QWidget* parent)
    : QWidget(parent, Qt::Window), workbench_(workbench), runs_(std::move(comparison.runs)), pages_(new QTabWidget),
      times_(new QLabel), compilers_(new QLabel), overview_(new QTreeWidget),
      source_(new DifferenceView(workbench.theme())), ptx_(new DifferenceView(workbench.theme())),
      report_(new DifferenceView(workbench.theme())) {
    setObjectName(QStringLiteral("comparisonView"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1 and %2").arg(capital(runs_[0].name), runs_[1].name));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, Theme::half, 0, 0);
    column->setSpacing(0);
    pages_->setDocumentMode(true);
    column->addWidget(pages_);

    auto* first = new QWidget;
    auto* inner = new QVBoxLayout(first);
    inner->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    inner->setSpacing(Theme::grid);
    times_->setTextFormat(Qt::PlainText);
    times_->setWordWrap(true);
    times_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    times_->setAccessibleName(tr("Times"));
    inner->addWidget(times_);
    overview_->setAccessibleName(tr("What differs"));
    overview_->setHeaderLabels({tr("What"), capital(runs_[0].name), capital(runs_[1].name)});
    overview_->setRootIsDecorated(false);
    overview_->setAlternatingRowColors(true);
    overview_->setSelectionMode(QAbstractItemView::NoSelection);
    overview_->header()->setSectionResizeMode(QHeaderView::Stretch);
    overview_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    inner->addWidget(overview_, 1);

    auto* assembly = new QWidget;
    auto* below = new QVBoxLayout(assembly);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    compilers_->setTextFormat(Qt::PlainText);
    compilers_->setWordWrap(true);
    compilers_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, 0);
    compilers_->hide();
    below->addWidget(compilers_);
    below->addWidget(ptx_, 1);

    for (DifferenceView* each : {source_, ptx_, report_})
        each->setNames(capital(runs_[0].name), capital(runs_[1].name));
    pages_->addTab(first, tr("Overview"));
    pages_->addTab(source_, tr("Source"));
    pages_->addTab(assembly, tr("PTX"));
    pages_->addTab(report_, tr("Report"));
    connect(pages_, &QTabWidget::currentChanged, this, [this](int page) {
        if (page == Ptx) askPtx();
    });

    fillOverview(comparison.difference);
    source_->setTexts(text(runs_[0].run.document.source.text), text(runs_[1].run.document.source.text),
                      isPtx(runs_[0].run) ? DifferenceView::Kind::Ptx : DifferenceView::Kind::Cuda);
    if (runs_[0].hasRun && runs_[1].hasRun)
        report_->setTexts(comparison.reports[0], comparison.reports[1], DifferenceView::Kind::Plain);
    else
        report_->setNote(
            tr("The present state was not run. Run it (%1), and compare again.").arg(commandKeys("run.run")));
    connect(&workbench_.theme(), &Theme::themeChanged, this, &ComparisonView::restyle);
    restyle();
}

QString ComparisonView::times() const { return times_->text(); }

void ComparisonView::fillOverview(const history::RunDifference& difference) {
    const bool ran = runs_[0].hasRun && runs_[1].hasRun;
    if (!ran)
        times_->setText(tr("The present state was not run: only what it is can be compared."));
    else if (difference.times)
        times_->setText(
            text(history::times_text(*difference.times, runs_[0].name.toStdString(), runs_[1].name.toStdString())));
    else
        times_->setText(tr("There are no times to compare: a run without them did not come to its end."));
    const auto group = [this](const QString& title) {
        auto* item = new QTreeWidgetItem(overview_, {title});
        item->setFirstColumnSpanned(true);
        item->setExpanded(true);
        QFont bold = overview_->font();
        bold.setBold(true);
        item->setFont(0, bold);
        return item;
    };
    const auto row = [](QTreeWidgetItem* under, const QString& what, const QString& before, const QString& after) {
        const auto shown = [](const QString& value) { return value.isEmpty() ? QStringLiteral("–") : value; };
        auto* item = new QTreeWidgetItem(under, {what, shown(before), shown(after)});
        item->setToolTip(1, before);
        item->setToolTip(2, after);
        return item;
    };
    const auto &before = runs_[0].run.entry, &after = runs_[1].run.entry;
    if (ran && difference.times) {
        auto* times = group(tr("Times"));
        row(times, tr("median"), formatMs(before.kernel_ms), formatMs(after.kernel_ms));
        row(times, tr("repeats"), QString::number(before.repeat), QString::number(after.repeat));
    }
    auto* settings = group(difference.settings.empty() ? tr("Settings: all are equal") : tr("Settings that differ"));
    for (const history::Difference& each : difference.settings)
        row(settings, text(each.what), text(each.before), text(each.after));
    if (!difference.source.empty()) row(settings, tr("source"), {}, tr("see the page Source"));
    if (!difference.source.empty() && difference.settings.empty()) settings->setText(0, tr("Settings that differ"));
    if (!ran) return;
    std::vector<history::Difference> results;
    std::copy_if(difference.results.begin(), difference.results.end(), std::back_inserter(results),
                 [](const history::Difference& each) { return !each.what.starts_with("result "); });
    auto* figures =
        group(results.empty() ? tr("Result and figures: all are equal") : tr("Result and figures that differ"));
    for (const history::Difference& each : results)
        if (each.what == "status")
            row(figures, tr("result"), resultText(before.status), resultText(after.status));
        else
            row(figures, text(each.what), text(each.before), text(each.after));
    fillOutputs(difference);
}

void ComparisonView::fillOutputs(const history::RunDifference& difference) {
    std::vector<const session::ReportOutput*> outputs;
    for (const ComparedRun& side : runs_)
        for (const session::ReportOutput& output : side.run.report.outputs)
            if (std::none_of(outputs.begin(), outputs.end(),
                             [&](const auto* known) { return known->name == output.name; }))
                outputs.push_back(&output);
    if (outputs.empty()) return;
    auto* group = new QTreeWidgetItem(overview_, {tr("Outputs")});
    group->setFirstColumnSpanned(true);
    group->setExpanded(true);
    QFont bold = overview_->font();
    bold.setBold(true);
    group->setFont(0, bold);
    const auto digest = [this](std::size_t side, const std::string& name) {
        for (const session::ReportOutput& output : runs_[side].run.report.outputs)
            if (output.name == name) return output.digest;
        return std::string();
    };
    const Colours& colours = workbench_.theme().colours();
    for (const session::ReportOutput* output : outputs) {
        const std::string before = digest(0, output->name), after = digest(1, output->name);
        const bool same = std::find(difference.same_outputs.begin(), difference.same_outputs.end(), output->name) !=
                          difference.same_outputs.end();
        const QString name = text(output->name);
        const bool known = !before.empty() && !after.empty();
        auto* item = new QTreeWidgetItem(group, {same    ? tr("%1: equal bytes").arg(name)
                                                 : known ? tr("%1: different bytes").arg(name)
                                                         : tr("%1: only in one run").arg(name),
                                                 before.empty() ? QStringLiteral("–") : shortDigest(before),
                                                 after.empty() ? QStringLiteral("–") : shortDigest(after)});
        item->setIcon(0, same ? icon(QStringLiteral("success"), colours.success)
                              : icon(QStringLiteral("warning"), colours.warning));
        item->setToolTip(1, text(before));
        item->setToolTip(2, text(after));
    }
}

void ComparisonView::askPtx() {
    if (std::exchange(asked_, true)) return;
    ptx_->setNote(tr("Compiling both sources again…"));
    for (std::size_t side = 0; side < 2; ++side)
        askPtx(side);
}

void ComparisonView::askPtx(std::size_t side) {
    const history::Run& run = runs_[side].run;
    if (isPtx(run)) return takePtx(side, text(run.document.source.text), {});
    const session::CompileOptions& compile = run.document.compile;
    // The folder of its own headers, where that is still there.
    const QString folder = run.entry.session.empty() ? QString() : QFileInfo(text(run.entry.session)).absolutePath();
    // "auto" was the architecture of the device that it ran on.
    const std::string arch = run.report.compile.arch.empty() ? compile.arch : run.report.compile.arch;
    nlohmann::json params = {
        {"source", run.document.source.text},
        {"name", run.document.source.name},
        {"folder", (QFileInfo(folder).isDir() ? folder : workbench_.document().folder()).toStdString()},
        {"options", compile.options},
        {"arch", arch},
        {"compiler", compile.compiler},
        {"device", workbench_.ordinalFor(workbench_.helper())},
        {"line_info", false},
        {"report", false}};
    for (const session::KernelName& kernel : session::kernels_of(run.document))
        if (kernel.name.find('<') != std::string::npos) params["name_expressions"].push_back(kernel.name);
    workbench_.helper().request(
        QStringLiteral("compile"), std::move(params), {}, this,
        [this, side](const WorkerReply& reply) {
            if (!reply.ok) return takePtx(side, {}, reply.error);
            const CompileOutput output = compileOutputFromJson(reply.result);
            QString problem;
            if (!output.ok)
                problem = output.diagnostics.empty() ? output.log : text(output.diagnostics.front().message);
            const std::string& then = runs_[side].run.report.compile.compiler;
            if (runs_[side].hasRun && !then.empty() && output.compiler != text(then)) {
                compilers_->setText(tr("%1 was compiled by %2, and now by %3.")
                                        .arg(capital(runs_[side].name), text(then), output.compiler));
                compilers_->show();
            }
            takePtx(side, output.ptx, problem);
        },
        {}, true);
}

void ComparisonView::takePtx(std::size_t side, const QString& ptx, const QString& problem) {
    compiled_[side] = Compiled{ptx, problem};
    if (!compiled_[0] || !compiled_[1]) return;
    for (std::size_t i = 0; i < 2; ++i)
        if (!compiled_[i]->problem.isEmpty()) {
            ptx_->setNote(tr("%1 does not compile: %2\nHeaders that it includes are not kept in the history.")
                              .arg(capital(runs_[i].name), compiled_[i]->problem));
            return;
        }
    ptx_->setTexts(compiled_[0]->ptx, compiled_[1]->ptx, DifferenceView::Kind::Ptx);
}

void ComparisonView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

void ComparisonView::restyle() {
    overview_->setFont(font());
    QPalette palette = compilers_->palette();
    palette.setColor(QPalette::WindowText, workbench_.theme().colours().mutedText);
    compilers_->setPalette(palette);
}

} // namespace warplight::ui
