// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages of Buffers share: what is expected, the comparison and its marks, and the cursor.
#include "ui/buffers/buffers_panel.hpp"

#include "session/rename.hpp"
#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/compare_page.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/link_bar.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/scatter_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/buffers/view_bar.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/run_results.hpp"

#include <QDir>
#include <QScopeGuard>
#include <QScopedValueRollback>
#include <QTreeView>
#include <algorithm>

namespace warplight::ui {

namespace {

// Results up to this size are compared unasked, so that what differs is marked.
constexpr qint64 comparedAtOnce = 64LL * 1024 * 1024;

} // namespace

/// The results that an expectation is of. Reports of old versions tell names only.
QList<BufferInfo> BuffersPanel::outputsOf(const session::Comparison& comparison) const {
    QList<BufferInfo> outputs;
    for (const BufferInfo& info : list_->buffers()) {
        if (info.role != BufferRole::Output && info.role != BufferRole::InOut) continue;
        const bool same = comparison.index >= 0 ? info.argument == comparison.index
                                                : info.name == QString::fromStdString(comparison.argument);
        if (same) outputs << info;
    }
    return outputs;
}

/// The worker has the values, in the type and shape of the result.
void BuffersPanel::addFormulaOf(const session::Comparison& comparison) {
    for (BufferInfo info : outputsOf(comparison)) {
        expected_.insert(info.id, *comparison.buffer);
        ofFormulas_.insert(*comparison.buffer);
        info.id = *comparison.buffer;
        info.path.clear();
        opened(info, BufferRole::Expected, QString::fromStdString(comparison.argument));
        refreshPage();
        compareInBackground();
        return;
    }
}

void BuffersPanel::openExpectations() {
    expectations_ = 0;
    const RunRecord* run = shownRuns(document().runs()).results;
    if (!run) return;
    for (const session::Comparison& comparison : run->report.comparisons) {
        const QString argument = QString::fromStdString(comparison.argument);
        const QList<BufferInfo> outputs = outputsOf(comparison);
        for (const BufferInfo& output : outputs)
            tolerances_.insert(output.id, {comparison.tolerance.rtol, comparison.tolerance.atol});
        if (comparison.buffer) {
            addFormulaOf(comparison);
            continue;
        }
        if (comparison.expected.empty()) continue;
        const QString path = QDir(document().folder()).absoluteFilePath(QString::fromStdString(comparison.expected));
        const quint64 generation = generation_;
        const auto done = [this, argument, outputs, generation](const BufferReply<BufferInfo>& reply) {
            if (generation == generation_) --expectations_;
            const auto later = qScopeGuard([this] { followRuns(); });
            if (!reply.ok()) {
                emit workbench().statusMessage(
                    tr("The expected result of %1 cannot be opened: %2").arg(argument, reply.error));
                return;
            }
            if (generation != generation_) { // the list is another by now
                source_->close(reply.value.id);
                return;
            }
            opened(reply.value, BufferRole::Expected, argument);
            for (const BufferInfo& output : outputs)
                expected_.insert(output.id, reply.value.id);
            stale_[CompareTab] = true;
            refreshPage();
            compareInBackground();
        };
        const session::Expectation expect = expectationOf(argument);
        ++expectations_;
        // Another session saves each result under its argument's name.
        const std::string& member = expect.session.empty() ? expect.member : expect.argument;
        if (isContainerFile(path) && !member.empty()) {
            source_->openMember(path, QString::fromStdString(member), this, done);
            continue;
        }
        // A raw file has the type and shape of the result.
        const bool raw = (expect.raw || !saysItsType(path)) && !outputs.isEmpty() && outputs.first().type.isNumeric();
        if (raw)
            source_->open(path, outputs.first().type.name(), outputs.first().shape, 0, this, done);
        else
            source_->open(path, {}, {}, 0, this, done);
    }
}

session::Expectation BuffersPanel::expectationOf(const QString& argument) const {
    for (const session::Argument& each : document().session().arguments)
        if (QString::fromStdString(each.name) == argument && each.expect) return *each.expect;
    return {};
}

void BuffersPanel::prepareComparison() {
    const BufferInfo current = currentBuffer();
    const QPair<double, double> tolerance = tolerances_.value(current.id);
    compare_->setTolerances(tolerance.first, tolerance.second);
    qint64 with = expectedOf(current);
    // Two selected buffers are the two to compare.
    const QModelIndexList rows = view_->selectionModel()->selectedRows();
    if (rows.size() == 2)
        for (const QModelIndex& index : rows)
            if (list_->buffers()[index.row()].id != current.id) with = list_->buffers()[index.row()].id;
    compare_->setBuffers(source_, list_->buffers(), current.id, with);
    if (with >= 0) compare_->compare();
}

/// What differs is marked on each page, also where nobody has looked at Compare.
void BuffersPanel::compareInBackground() {
    if (!stale_[CompareTab]) return;
    const BufferInfo current = currentBuffer();
    if (!isVisible() || expectedOf(current) < 0 || current.bytes > comparedAtOnce) {
        compare_->forget();
        return;
    }
    stale_[CompareTab] = false;
    prepareComparison();
}

void BuffersPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    compareInBackground(); // a hidden panel reads no results
}

void BuffersPanel::showMarks() {
    const auto marks = compare_->marks();
    const BufferInfo current = currentBuffer();
    const bool here = marks && marks->buffer() == current.id && marks->count() > 0;
    links_->setMismatches(here ? marks->count() : 0, current.count());
    // Elements of a slice or a part have other places.
    const bool shown = here && links_->isMarking() && !viewBar_->isDerived();
    table_->setMarks(shown ? marks : nullptr);
    image_->setMarks(shown ? marks : nullptr);
}

qint64 BuffersPanel::cursor() const {
    const BufferInfo current = currentBuffer();
    return links_->isLinking() ? linked_.value(current.shape, -1) : cursors_.value(current.id, -1);
}

/// The user has chosen an element on a page.
void BuffersPanel::choose(int tab, qint64 index) {
    if (moving_) return;
    // Bytes and the comparison are those of the whole buffer.
    const bool whole = tab == HexTab || tab == CompareTab;
    setCursor(whole ? index : viewBar_->wholeIndex(index));
}

void BuffersPanel::setCursor(qint64 index) {
    const BufferInfo current = currentBuffer();
    if (!current.isValid() || index < 0) return;
    linked_.insert(current.shape, index);
    cursors_.insert(current.id, index);
    for (int tab = 0; tab < TabCount; ++tab)
        if (!stale_[size_t(tab)]) showCursor(tab);
}

/// Pages that are stale get theirs when they are shown.
void BuffersPanel::showCursor(int tab) {
    const qint64 whole = cursor();
    if (whole < 0 || moving_) return;
    const QScopedValueRollback guard(moving_, true);
    const qint64 shown = viewBar_->shownIndex(whole);
    switch (tab) {
    case TableTab:
        if (shown >= 0 && table_->grid()->currentIndex() != shown) table_->goTo(shown);
        break;
    case HexTab: hex_->setIndex(whole); break;
    case PlotTab: plot_->setIndex(shown); break;
    case ScatterTab: scatter_->setIndex(shown); break;
    case ImageTab: image_->setIndex(shown); break;
    case CompareTab: compare_->setIndex(whole); break;
    default: break;
    }
}

void BuffersPanel::followNames(const QHash<QString, QString>& names) {
    session::NewNames inFormulas;
    for (auto it = names.cbegin(); it != names.cend(); ++it)
        inFormulas[FormulaScope::identifier(it.key()).toStdString()] =
            FormulaScope::identifier(it.value()).toStdString();
    const auto before = columns_;
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        const qsizetype slash = it.key().indexOf(QLatin1Char('/'));
        const QString role = it.key().left(slash + 1), name = it.key().mid(slash + 1);
        QList<FormulaColumn> columns = it.value();
        for (FormulaColumn& each : columns)
            each.formula = QString::fromStdString(session::renamed_formula(each.formula.toStdString(), inFormulas));
        // Buffers of runs until now keep their names.
        if (names.contains(name) || columns != it.value()) columns_.insert(role + names.value(name, name), columns);
    }
    for (Recipe& recipe : recipes_) {
        if (!isOwn(recipe.base.role)) recipe.base.name = names.value(recipe.base.name, recipe.base.name);
        recipe.formula = QString::fromStdString(session::renamed_formula(recipe.formula.toStdString(), inFormulas));
    }
}

std::optional<session::TextureKind> BuffersPanel::textureKindOf(const BufferInfo& info) const {
    const ShownRuns runs = shownRuns(document().runs());
    const RunRecord* run = runs.failed && info.run.isEmpty() && !runs.results ? runs.failed : runs.results;
    const auto& arguments = run && run->made ? run->made->arguments : document().session().arguments;
    const auto found = std::ranges::find(arguments, info.name.toStdString(), &session::Argument::name);
    if (found == arguments.end() || info.role == BufferRole::File || isOwn(info.role)) return std::nullopt;
    if (found->texture) return found->texture->kind;
    if (found->surface) return found->surface->kind;
    return std::nullopt;
}

QString BuffersPanel::columnsKey() const {
    const BufferInfo current = currentBuffer();
    return QStringLiteral("%1/%2").arg(int(current.role)).arg(current.name);
}

} // namespace warplight::ui
