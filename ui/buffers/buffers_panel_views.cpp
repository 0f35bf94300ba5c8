// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages of Buffers share: the comparison and its marks, the cursor, and buffers that are made of others.
#include "ui/buffers/buffers_panel.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/compare_page.hpp"
#include "ui/buffers/formula_bar.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/image_page.hpp"
#include "ui/buffers/link_bar.hpp"
#include "ui/buffers/plot_page.hpp"
#include "ui/buffers/scatter_page.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/buffers/view_bar.hpp"
#include "ui/common/run_results.hpp"

#include <QScopedValueRollback>
#include <QTreeView>

namespace warplight::ui {

namespace {

// Results up to this size are compared unasked, so that what differs is marked.
constexpr qint64 comparedAtOnce = 64LL * 1024 * 1024;

} // namespace

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

QString BuffersPanel::columnsKey() const {
    const BufferInfo current = currentBuffer();
    return QStringLiteral("%1/%2").arg(int(current.role)).arg(current.name);
}

FormulaScope BuffersPanel::scopeOf(const BufferInfo& info) const {
    FormulaScope scope;
    if (!info.isValid() || info.count() <= 0) return scope;
    const BufferInfo current = currentBuffer();
    if (info.isStructs())
        scope.addFields(info);
    else if (info.type.isNumeric())
        scope.add(current.name, {}, info.id);
    const auto ending = [](const BufferInfo& each) {
        switch (each.role) {
        case BufferRole::Input: return QStringLiteral("in");
        case BufferRole::Expected: return QStringLiteral("expected");
        default: return QStringLiteral("out");
        }
    };
    // Of one name the result comes first.
    for (const bool results : {true, false})
        for (const BufferInfo& each : list_->buffers()) {
            const bool result = each.role != BufferRole::Input && each.role != BufferRole::Expected;
            if (result == results && each.id != info.id && each.id != current.id && each.type.isNumeric() &&
                each.count() == info.count())
                scope.add(each.name, ending(each), each.id);
        }
    for (const session::Argument& argument : document().session().arguments) {
        if (argument.direction != session::Direction::scalar) continue;
        const QString name = QString::fromStdString(argument.name);
        if (const auto* number = std::get_if<session::Number>(&argument.value)) {
            scope.scalars.insert(name, session::as_double(*number));
        } else if (const auto* size = std::get_if<session::SizeOf>(&argument.value)) {
            for (const BufferInfo& each : list_->buffers())
                if (each.name == QString::fromStdString(size->argument) && !isOwn(each.role))
                    scope.scalars.insert(name, double(size->axis ? each.shape.value(*size->axis) : each.count()));
        }
    }
    return scope;
}

void BuffersPanel::askFormula() {
    const BufferInfo current = currentBuffer();
    if (!current.isValid() || current.count() <= 0) return;
    formula_->ask(QStringLiteral("f%1").arg(++formulas_), {}, tr("Make Buffer"), scopeOf(current).names());
}

void BuffersPanel::makeFormula(const QString& name, const QString& formula) {
    const BufferInfo current = currentBuffer();
    if (!current.isValid()) return;
    deriveFormula(source_, current.id, formula, scopeOf(current), this,
                  [this, name, formula, run = current.run](const BufferReply<BufferInfo>& reply) {
                      if (!reply.ok()) {
                          formula_->setProblem(reply.error);
                          return;
                      }
                      formula_->hide();
                      addOwn(reply.value, BufferRole::Formula, name, run);
                      emit workbench().statusMessage(tr("Made %1 = %2.").arg(name, formula));
                  });
}

void BuffersPanel::keepShown() {
    if (!viewBar_->isDerived()) return;
    const BufferInfo shown = viewBar_->release();
    addOwn(shown, BufferRole::View, shown.name, shown.run);
}

void BuffersPanel::addOwn(BufferInfo info, BufferRole role, const QString& name, const QString& run) {
    info.run = run;
    info.path.clear();
    info.argument = -1;
    const RunRecord* results = shownRuns(document().runs()).results;
    ownRuns_.insert(info.id, !run.isEmpty() || !results ? run : runTitle(*results));
    opened(info, role, name);
}

} // namespace warplight::ui
