// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers that the user has made of others: formulas, and views that were kept. They follow the runs.
#include "ui/buffers/buffers_panel.hpp"

#include "ui/buffers/buffer_list_model.hpp"
#include "ui/buffers/formula_bar.hpp"
#include "ui/buffers/formula_scope.hpp"
#include "ui/buffers/view_bar.hpp"
#include "ui/common/run_results.hpp"

#include <QAction>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace warplight::ui {

FormulaScope BuffersPanel::scopeOf(const BufferInfo& info, const BufferInfo& whole) const {
    FormulaScope scope;
    if (!info.isValid() || info.count() <= 0) return scope;
    if (info.isStructs())
        scope.addFields(info);
    else if (info.type.isNumeric())
        scope.add(whole.name, {}, info.id);
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
            if (result == results && each.id != info.id && each.id != whole.id && each.type.isNumeric() &&
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
    formula_->ask(QStringLiteral("f%1").arg(++formulas_), {}, tr("Make Buffer"), scopeOf(current, current).names());
}

void BuffersPanel::makeFormula(const QString& name, const QString& formula) {
    Recipe recipe;
    recipe.base = currentBuffer();
    recipe.formula = formula;
    if (!recipe.base.isValid()) return;
    deriveFormula(source_, recipe.base.id, formula, scopeOf(recipe.base, recipe.base), this,
                  [this, name, recipe](const BufferReply<BufferInfo>& reply) {
                      if (!reply.ok()) {
                          formula_->setProblem(reply.error);
                          return;
                      }
                      formula_->hide();
                      addOwn(reply.value, BufferRole::Formula, name, recipe);
                      emit workbench().statusMessage(tr("Made %1 = %2.").arg(name, recipe.formula));
                  });
}

void BuffersPanel::keepShown() {
    if (!viewBar_->isDerived()) return;
    Recipe recipe;
    recipe.base = currentBuffer();
    recipe.view = viewBar_->choice();
    const BufferInfo shown = viewBar_->release();
    addOwn(shown, BufferRole::View, shown.name, recipe);
}

void BuffersPanel::addOwn(BufferInfo info, BufferRole role, const QString& name, const Recipe& recipe) {
    const BufferInfo& base = recipe.base;
    info.run = base.run;
    info.rate = base.rate;
    info.path.clear();
    info.argument = -1;
    const bool made = isOwn(base.role) && base.role != BufferRole::File;
    const QString run = !base.run.isEmpty() ? base.run : made ? ownRuns_.value(base.id) : resultsTitle();
    // What is seen of a file is of no run.
    if (!run.isEmpty() && !(role == BufferRole::View && base.role == BufferRole::File)) {
        ownRuns_.insert(info.id, run);
        recipes_.insert(info.id, recipe);
    }
    opened(info, role, name);
}

QString BuffersPanel::resultsTitle() const {
    const RunRecord* results = shownRuns(document().runs()).results;
    return results ? runTitle(*results) : QString();
}

/// Empty while all that is shown is of one run.
QString BuffersPanel::runOf(const BufferInfo& own) const {
    const QString run = ownRuns_.value(own.id);
    const bool all = run == resultsTitle() && !recipes_.value(own.id).stays && runNote().isEmpty();
    return all ? QString() : run;
}

/// The Run column is there where a buffer has one.
void BuffersPanel::markRuns() {
    bool any = false;
    const QList<BufferInfo> buffers = list_->buffers();
    for (int row = 0; row < buffers.size(); ++row) {
        BufferInfo info = buffers[row];
        if (ownRuns_.contains(info.id)) info.run = runOf(info);
        any = any || !info.run.isEmpty();
        if (info.run != buffers[row].run) list_->replace(row, info);
    }
    view_->setColumnHidden(BufferListModel::Run, !any);
}

void BuffersPanel::setStaying(qint64 id, bool stays) {
    const auto recipe = recipes_.find(id);
    if (recipe == recipes_.end() || recipe->stays == stays) return;
    recipe->stays = stays;
    markRuns();
    updateActions();
    followRuns();
}

/// Buffers of another session stay as they are.
void BuffersPanel::onSessionReplaced() {
    recipes_.clear();
    onReport();
}

/// Their worker had computed them. The buffers that they are made of come from their files.
void BuffersPanel::remakeLost() {
    for (Recipe& recipe : recipes_) {
        recipe.lost = true;
        recipe.failed = false;
    }
    followRuns();
}

/// The buffer of the run that is shown; none where it has no such buffer.
BufferInfo BuffersPanel::baseOf(const Recipe& recipe) const {
    const bool own = isOwn(recipe.base.role);
    for (const BufferInfo& each : list_->buffers())
        if (own ? each.id == recipe.base.id : each.role == recipe.base.role && each.name == recipe.base.name)
            return each;
    return {};
}

/// One after the other, in the order of the list: a buffer may be made of one above it.
void BuffersPanel::followRuns() {
    // Formulas may name what is expected.
    if (following_ || expectations_ > 0) return;
    const QString run = resultsTitle();
    if (run.isEmpty()) return;
    const QList<BufferInfo> buffers = list_->buffers();
    for (int row = 0; row < buffers.size(); ++row) {
        const auto recipe = recipes_.constFind(buffers[row].id);
        if (recipe == recipes_.constEnd() || recipe->failed) continue;
        const bool behind = ownRuns_.value(buffers[row].id) != run;
        if (recipe->stays ? behind || !recipe->lost : !behind && !recipe->lost) continue;
        // What is made of a buffer that stays is of the same run.
        if (const BufferInfo base = baseOf(*recipe); ownRuns_.contains(base.id) && ownRuns_.value(base.id) != run)
            continue;
        follow(row);
        return;
    }
}

void BuffersPanel::follow(int row) {
    following_ = true;
    const qint64 old = list_->buffers()[row].id;
    const Recipe& recipe = recipes_[old];
    const auto done = [this, old, generation = generation_](const BufferReply<BufferInfo>& reply) {
        following_ = false;
        if (generation == generation_)
            followed(old, reply);
        else if (reply.ok())
            source_->close(reply.value.id); // of a run that is not shown any more
        followRuns();
    };
    const BufferInfo base = baseOf(recipe);
    if (!base.isValid()) {
        BufferReply<BufferInfo> none;
        none.error = tr("there is no buffer %1").arg(recipe.base.name);
        done(none);
    } else if (!recipe.formula.isEmpty()) {
        FormulaScope scope = scopeOf(base, base);
        scope.arrays.removeIf([old](const FormulaScope::Array& each) { return each.buffer == old; });
        deriveFormula(source_, base.id, recipe.formula, scope, this, done);
    } else {
        deriveView(source_, base.id, recipe.view, this, done);
    }
}

/// The new buffer takes the old one's place in the list.
void BuffersPanel::followed(qint64 old, const BufferReply<BufferInfo>& reply) {
    const int row = list_->rowOf(old);
    if (row < 0 || !recipes_.contains(old)) { // closed meanwhile
        if (reply.ok()) source_->close(reply.value.id);
        return;
    }
    const BufferInfo before = list_->buffers()[row];
    if (!reply.ok()) {
        recipes_[old].failed = true;
        emit workbench().statusMessage(tr("%1 is still of %2: %3").arg(before.name, ownRuns_.value(old), reply.error));
        return;
    }
    BufferInfo info = reply.value;
    info.name = before.name;
    info.role = before.role;
    info.rate = before.rate;
    Recipe recipe = recipes_.take(old);
    recipe.lost = false;
    recipes_.insert(info.id, recipe);
    for (Recipe& other : recipes_)
        if (other.base.id == old) other.base.id = info.id;
    ownRuns_.remove(old);
    ownRuns_.insert(info.id, resultsTitle());
    if (cursors_.contains(old)) cursors_.insert(info.id, cursors_.take(old));
    list_->replace(row, info);
    markRuns();
    source_->close(old);
    if (view_->selectionModel()->isRowSelected(row)) {
        refreshPages();
    } else { // other pages may name it
        stale_[CompareTab] = stale_[ScatterTab] = stale_[TableTab] = true;
        refreshPage();
    }
}

} // namespace warplight::ui
