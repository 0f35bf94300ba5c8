// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sass/sass_pane.hpp"

#include "ui/code/find_bar.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/compile_request.hpp"
#include "ui/common/elided_box.hpp"
#include "ui/common/icons.hpp"
#include "ui/history/difference_view.hpp"
#include "ui/sass/sass_view.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"
#include "worker/assembly_json.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <utility>

namespace warplight::ui {
namespace {

enum Page { NotePage, SassPage, DifferencePage };

/// "45 instructions (12 float32, 4 global memory)", the most frequent classes first.
QString countText(const std::map<std::string, int>& classes) {
    int all = 0;
    std::vector<std::pair<int, std::string>> sorted;
    sorted.reserve(classes.size());
    for (const auto& [name, count] : classes) {
        all += count;
        sorted.emplace_back(-count, name);
    }
    std::sort(sorted.begin(), sorted.end());
    QStringList parts;
    for (const auto& [count, name] : sorted)
        parts << QStringLiteral("%1 %2").arg(-count).arg(QString::fromStdString(name));
    const QString number = all == 1 ? SassPane::tr("1 instruction") : SassPane::tr("%1 instructions").arg(all);
    return parts.isEmpty() ? number : QStringLiteral("%1 (%2)").arg(number, parts.join(QStringLiteral(", ")));
}

} // namespace

SassPane::SassPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), isSource_([](const QString&) { return false; }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const auto box = [this](const QString& name, int characters) {
        auto* made = new ElidedBox(this);
        made->setAccessibleName(name);
        made->setToolTip(name);
        made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        made->setMinimumContentsLength(characters);
        return made;
    };
    const auto row = [] {
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
        bar->setSpacing(Theme::half);
        return bar;
    };
    auto* bar = row();
    const auto tool = [&](const QString& name, const QString& text, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setIcon(icon(name));
        if (button->icon().isNull()) button->setText(text);
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        bar->addWidget(button);
        return button;
    };
    arch_ = box(tr("Architecture of the SASS"), 8);
    function_ = box(tr("Go to a function"), 8);
    bar->addWidget(arch_);
    bar->addWidget(function_, 1);
    follow_ = tool(QStringLiteral("step-in"), tr("Follow"), tr("Follow the branch (Enter)"));
    back_ = tool(QStringLiteral("undo"), tr("Back"), tr("Back to the branch (Backspace)"));
    auto* search = tool(QStringLiteral("search"), tr("Find"), tr("Find in SASS"));
    auto* copy = tool(QStringLiteral("copy"), tr("Copy"), tr("Copy all SASS"));
    compare_ = tool(QStringLiteral("compare"), tr("Compare"), tr("Compare with another architecture or other options"));
    compare_->setCheckable(true);
    column->addLayout(bar);

    otherRow_ = new QWidget(this);
    auto* otherBar = row();
    otherBar->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::half);
    otherRow_->setLayout(otherBar);
    otherArch_ = box(tr("Architecture to compare with"), 8);
    otherOptions_ = new QLineEdit(this);
    otherOptions_->setAccessibleName(tr("Compile options to compare with"));
    otherOptions_->setToolTip(tr("Compile options to compare with, with spaces between them"));
    otherOptions_->setPlaceholderText(tr("Options as in the session"));
    otherBar->addWidget(new QLabel(tr("with"), this));
    otherBar->addWidget(otherArch_);
    otherBar->addWidget(otherOptions_, 1);
    otherRow_->hide();
    column->addWidget(otherRow_);

    stale_ = new QLabel(this);
    stale_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    stale_->setAutoFillBackground(true);
    stale_->setWordWrap(true);
    stale_->setText(tr("The source has errors. This is the SASS of the last source without."));
    stale_->hide();
    column->addWidget(stale_);

    stack_ = new QStackedWidget(this);
    auto* note = new QWidget(this);
    auto* noteLayout = new QVBoxLayout(note);
    noteTitle_ = new QLabel(note);
    noteHint_ = new QLabel(note);
    noteHint_->setTextFormat(Qt::PlainText);
    noteHint_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = noteTitle_->font();
    bold.setBold(true);
    noteTitle_->setFont(bold);
    noteButton_ = new QPushButton(note);
    noteLayout->addStretch();
    for (QLabel* label : {noteTitle_, noteHint_}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        noteLayout->addWidget(label);
    }
    noteLayout->addWidget(noteButton_, 0, Qt::AlignCenter);
    noteLayout->addStretch();
    stack_->addWidget(note);
    auto* page = new QWidget(this);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    view_ = new SassView(workbench.theme(), page);
    find_ = new FindBar(workbench.theme(), page);
    find_->setView(view_);
    pageLayout->addWidget(view_, 1);
    pageLayout->addWidget(find_);
    stack_->addWidget(page);
    difference_ = new DifferenceView(workbench.theme(), this);
    stack_->addWidget(difference_);
    column->addWidget(stack_, 1);
    summary_ = new QLabel(this);
    summary_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    summary_->setWordWrap(true);
    summary_->setAccessibleName(tr("Number of instructions"));
    column->addWidget(summary_);

    arch_->addItem(tr("As built"), QString());
    otherArch_->addItem(tr("As built"), QString());
    later_.setSingleShot(true);
    later_.setInterval(600);
    connect(&later_, &QTimer::timeout, this, &SassPane::refresh);
    connect(arch_, &QComboBox::activated, this, &SassPane::refresh);
    connect(otherArch_, &QComboBox::activated, this, &SassPane::refresh);
    connect(otherOptions_, &QLineEdit::textEdited, &later_, qOverload<>(&QTimer::start));
    connect(compare_, &QToolButton::toggled, this, [this](bool on) {
        otherRow_->setVisible(on);
        refresh();
        show();
    });
    connect(function_, &QComboBox::activated, this, [this](int index) {
        if (isComparing()) return show();
        view_->goTo(function_->itemData(index).toInt());
        view_->setFirstVisibleLine(std::max(0, function_->itemData(index).toInt() - 1));
    });
    connect(follow_, &QToolButton::clicked, view_, &SassView::followBranch);
    connect(back_, &QToolButton::clicked, view_, &SassView::goBack);
    connect(search, &QToolButton::clicked, this, [this] { find_->open(false); });
    connect(copy, &QToolButton::clicked, this, &SassPane::copyAll);
    connect(noteButton_, &QPushButton::clicked, this, &SassPane::noteButtonClicked);
    connect(view_, &CodeView::zoomRequested, this, &SassPane::zoomRequested);
    connect(view_, &CodeView::keyToLeave, this, [this] {
        if (find_->isVisible()) find_->close();
    });
    connect(view_, &SassView::followed, this, &SassPane::updateButtons);
    connect(view_, &CodeView::caretMoved, this, [this](int line) {
        updateButtons();
        if (linking_ || !view_->hasFocus()) return;
        const int source = map_.sourceLine(line);
        view_->setLinkedLines(map_.ptxLines(source));
        if (source == 0) return;
        first_ = last_ = source;
        summarise();
        emit sourceLineRequested(source);
    });
    Document& document = workbench.document();
    connect(&document, &Document::compiled, this, &SassPane::refresh);
    connect(&document, &Document::sessionReplaced, this, [this] {
        own_ = other_ = {};
        compiled_ = nullptr;
        refresh();
    });
    connect(&CommandKeys::instance(), &CommandKeys::changed, this, &SassPane::refresh);
    connect(&workbench.theme(), &Theme::themeChanged, this, &SassPane::restyle);
    restyle();
    updateButtons();
    refresh();
}

void SassPane::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle();
    refresh();
}

void SassPane::restyle() {
    const Colours& colours = workbench_.theme().colours();
    QPalette palette = stale_->palette();
    palette.setColor(QPalette::Window, colours.warningSoft);
    palette.setColor(QPalette::WindowText, colours.text);
    stale_->setPalette(palette);
    palette = summary_->palette();
    palette.setColor(QPalette::WindowText, colours.mutedText);
    summary_->setPalette(palette);
}

bool SassPane::isComparing() const { return compare_->isChecked(); }
QString SassPane::summary() const { return summary_->text(); }
QString SassPane::note() const { return stack_->currentIndex() == NotePage ? noteHint_->text() : QString(); }

void SassPane::copyAll() const {
    QGuiApplication::clipboard()->setText(
        isComparing() ? difference_->alignedText(0) + QLatin1Char('\n') + difference_->alignedText(1) : view_->text());
}

void SassPane::askArchitectures() {
    if (std::exchange(askedArchitectures_, true)) return;
    workbench_.helper().request(
        QStringLiteral("compilers"), nlohmann::json::object(), QStringLiteral("sass architectures"), this,
        [this](const WorkerReply& reply) {
            if (!reply.ok) {
                askedArchitectures_ = false;
                return;
            }
            for (QComboBox* each : {arch_, otherArch_}) {
                const QString before = each->currentData().toString();
                while (each->count() > 1)
                    each->removeItem(1);
                const nlohmann::json nvrtc = reply.result.value("nvrtc", nlohmann::json::object());
                for (const auto& arch : nvrtc.value("architectures", nlohmann::json::array()))
                    if (arch.is_number()) {
                        const QString name = QStringLiteral("sm_%1").arg(arch.get<int>());
                        each->addItem(name, name);
                    }
                each->setCurrentIndex(std::max(0, each->findData(before)));
            }
        },
        {}, true);
}

nlohmann::json SassPane::parameters() const {
    const Document& document = workbench_.document();
    const SourceFile* source = document.mainSource();
    if (!source || document.isProgram() || source->text().trimmed().isEmpty()) return nullptr;
    if (!source->isPtx()) return compileParameters(workbench_, workbench_.helper());
    static const QRegularExpression target(QStringLiteral("^\\s*\\.target\\s+(sm_\\w+)"),
                                           QRegularExpression::MultilineOption);
    const QRegularExpressionMatch match = target.match(source->text());
    return {{"ptx", source->text().toStdString()},
            {"arch", match.hasMatch() ? match.captured(1).toStdString() : std::string("sm_80")}};
}

void SassPane::refresh() {
    if (!isVisible()) return;
    askArchitectures();
    const CompileOutput& output = workbench_.document().compileOutput();
    // The architectures and options can be chosen while the source has errors, too.
    const bool stale = output.valid && !output.ok && !compiled_.is_null();
    stale_->setVisible(stale);
    view_->setDimmed(stale);
    if (!stale && (!output.valid || !output.ok)) {
        own_ = other_ = {};
        compiled_ = nullptr;
        return showNote(tr("No SASS yet"),
                        workbench_.document().isProgram()
                            ? tr("Of programs the instructions are not shown.")
                            : tr("Build the kernel (%1) to see the instructions of a GPU. No GPU is needed.")
                                  .arg(commandKeys("build.build")),
                        workbench_.document().isProgram() ? QString() : tr("Build"));
    }
    const nlohmann::json base = stale ? compiled_ : parameters();
    if (!stale && output.revision == workbench_.document().mainSource()->revision()) compiled_ = base;
    if (base.is_null()) return showNote(tr("No SASS yet"), tr("Of programs the instructions are not shown."));
    nlohmann::json params = base;
    if (const QString arch = arch_->currentData().toString(); !arch.isEmpty()) params["arch"] = arch.toStdString();
    ask(own_, params, QStringLiteral("sass"));
    if (!isComparing()) return;
    if (const QString arch = otherArch_->currentData().toString(); !arch.isEmpty())
        params["arch"] = arch.toStdString();
    else
        params["arch"] = base["arch"];
    if (const QString options = otherOptions_->text().trimmed(); !options.isEmpty() && !params.contains("ptx")) {
        params["options"] = nlohmann::json::array();
        static const QRegularExpression spaces(QStringLiteral("\\s+"));
        for (const QString& option : options.split(spaces))
            params["options"].push_back(option.toStdString());
    }
    ask(other_, params, QStringLiteral("sass beside"));
}

void SassPane::ask(Side& side, nlohmann::json params, const QString& tag) {
    std::string key = params.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (side.key == key && !toolMissing_) return;
    side.key = std::move(key);
    if (!side.valid && &side == &own_)
        showNote(tr("Disassembling…"), tr("The kernel is compiled for this architecture."));
    workbench_.helper().request(
        QStringLiteral("sass"), std::move(params), tag, this,
        [this, &side](const WorkerReply& reply) { take(side, reply); }, {}, true);
}

void SassPane::take(Side& side, const WorkerReply& reply) {
    side.valid = false;
    side.functions.clear();
    toolMissing_ = false;
    QString problem, title = tr("No SASS");
    if (!reply.ok) {
        problem = reply.error;
        side.key.clear();
    } else if (!reply.result.value("ok", false)) {
        problem = QString::fromStdString(reply.result.value("problem", std::string()));
        toolMissing_ = reply.result.value("tool_missing", false);
        for (const auto& each : reply.result.value("diagnostics", nlohmann::json::array()))
            if (each.value("severity", "") == "error")
                problem += QStringLiteral("\n") + QString::fromStdString(each.value("message", std::string()));
        if (toolMissing_) title = tr("The disassembler is missing");
        side.key.clear();
    } else {
        side.functions = worker::sass_functions_from_json(reply.result.value("functions", nlohmann::json::array()));
        side.name = QString::fromStdString(reply.result.value("arch", std::string()));
        side.valid = true;
    }
    if (!problem.isEmpty()) {
        if (&side == &other_) {
            difference_->setNote(problem);
        } else {
            showNote(title, problem, toolMissing_ ? tr("Install Toolkit…") : QString());
        }
        emit made();
        return;
    }
    show();
    emit made();
}

void SassPane::show() {
    if (!own_.valid) return;
    const QString before = function_->currentText();
    function_->clear();
    if (!isComparing()) {
        linking_ = true;
        listing_ = compiler::sass_listing(own_.functions);
        std::vector<compiler::LineMapping> lines;
        lines.reserve(listing_.lines.size());
        std::map<std::string, bool> known;
        for (const auto& line : listing_.lines)
            for (const compiler::SassPlace& place : line.places) {
                const auto [it, isNew] = known.try_emplace(place.file, false);
                if (isNew) it->second = isSource_(QString::fromStdString(place.file));
                if (!it->second) continue; // of a header: the line of the source that it was inlined at
                lines.push_back({line.line, place.line, place.file});
                break;
            }
        map_ = LineMap(lines, [](const QString&) { return true; });
        const int caret = view_->caretLine(), top = view_->firstVisibleLine();
        view_->setListing(listing_);
        view_->goTo(std::min(caret, view_->lines()));
        view_->setFirstVisibleLine(top);
        linking_ = false;
        for (const auto& each : listing_.functions)
            function_->addItem(QString::fromStdString(each.name), each.first);
        function_->setCurrentIndex(std::max(0, function_->findText(before)));
        setSourceColours(colours_);
        stack_->setCurrentIndex(SassPage);
        showSourceLines(first_, last_);
    } else {
        difference_->setNames(tr("Before"), tr("After"));
        stack_->setCurrentIndex(DifferencePage);
        if (!other_.valid) {
            difference_->setNote(tr("The kernel is compiled for the other side."));
        } else {
            const auto functions = history::sass_difference(own_.functions, other_.functions);
            for (const auto& each : functions)
                function_->addItem(QString::fromStdString(each.name));
            function_->setCurrentIndex(std::max(0, function_->findText(before)));
            const QString options = otherOptions_->text().trimmed();
            difference_->setNames(own_.name,
                                  options.isEmpty() ? other_.name : other_.name + QLatin1Char(' ') + options);
            if (!functions.empty())
                difference_->setRows(functions[std::size_t(std::max(0, function_->currentIndex()))].rows);
        }
        summarise();
    }
    updateButtons();
}

void SassPane::showNote(const QString& title, const QString& hint, const QString& button) {
    noteTitle_->setText(title);
    noteHint_->setText(hint);
    noteButton_->setText(button);
    noteButton_->setVisible(!button.isEmpty());
    summary_->clear();
    function_->clear();
    stack_->setCurrentIndex(NotePage);
    updateButtons();
}

void SassPane::noteButtonClicked() {
    if (!toolMissing_) {
        emit workbench_.buildRequested();
        return;
    }
    auto* dialog = new ToolkitDialog(ToolkitDialog::Missing::Disassembler, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, &SassPane::refresh);
    dialog->open();
}

void SassPane::setSourceColours(const QMap<int, int>& colours) {
    colours_ = colours;
    QMap<int, int> own;
    for (const auto& line : listing_.lines)
        if (const auto found = colours_.constFind(map_.sourceLine(line.line)); found != colours_.cend())
            own.insert(line.line, found.value());
    view_->setLineColours(own);
}

void SassPane::showSourceLines(int first, int last) {
    first_ = first;
    last_ = last;
    if (!own_.valid || isComparing()) return;
    QList<int> lines;
    for (int line = first; line <= last; ++line)
        lines += map_.ptxLines(line);
    std::sort(lines.begin(), lines.end());
    view_->setLinkedLines(lines);
    summarise();
    if (lines.isEmpty() || view_->hasFocus()) return;
    linking_ = true;
    view_->reveal(lines.first());
    linking_ = false;
}

void SassPane::summarise() {
    if (isComparing() && other_.valid) {
        QStringList parts;
        const auto functions = history::sass_difference(own_.functions, other_.functions);
        const int index = std::max(0, function_->currentIndex());
        if (std::size_t(index) < functions.size()) {
            const auto& function = functions[std::size_t(index)];
            parts << tr("%1 → %2 instructions").arg(function.before).arg(function.after);
            for (const auto& each : function.classes)
                if (each.before != each.after)
                    parts << tr("%1 %2 → %3").arg(QString::fromStdString(each.name)).arg(each.before).arg(each.after);
        }
        summary_->setText(parts.join(QStringLiteral(" · ")));
        return;
    }
    std::map<std::string, int> chosen, all;
    std::size_t line = 0;
    for (const compiler::SassFunction& function : own_.functions)
        for (std::size_t i = 0; i < function.count() && line < listing_.lines.size(); ++i, ++line) {
            const std::string name(compiler::sass_class(function.instructions[i].opcode));
            ++all[name];
            const int source = map_.sourceLine(listing_.lines[line].line);
            if (source > 0 && source >= first_ && source <= last_) ++chosen[name];
        }
    QString text = tr("%1: %2").arg(own_.name, countText(all));
    if (first_ > 0)
        text = (first_ == last_ ? tr("Line %1: ").arg(first_) : tr("Lines %1 to %2: ").arg(first_).arg(last_)) +
               countText(chosen) + QLatin1Char('\n') + text;
    summary_->setText(text);
}

void SassPane::updateButtons() {
    const bool shown = stack_->currentIndex() == SassPage;
    follow_->setEnabled(shown && view_->target(view_->caretLine()) > 0);
    back_->setEnabled(shown && view_->canGoBack());
}

} // namespace warplight::ui
