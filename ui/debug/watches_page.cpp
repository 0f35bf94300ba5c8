// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/watches_page.hpp"

#include "ui/common/settings.hpp"
#include "ui/common/theme.hpp"
#include "ui/debug/debug_session.hpp"
#include "ui/debug/variables_view.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPointer>
#include <QVBoxLayout>

namespace warplight::ui {
namespace {

constexpr auto watchesKey = "debug/watches";

QJsonObject storedWatches() {
    return QJsonDocument::fromJson(settings().value(QLatin1String(watchesKey)).toByteArray()).object();
}

} // namespace

WatchesPage::WatchesPage(DebugSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent), session_(session), model_(new VariablesModel(session, this)),
      view_(new VariablesView(model_, theme)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    model_->setEditable(true);
    view_->setAccessibleName(tr("Watches"));
    line_ = new QLineEdit;
    line_->setPlaceholderText(tr("Add an expression to watch"));
    line_->setAccessibleName(line_->placeholderText());
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->addWidget(line_);
    column->addWidget(view_, 1);
    column->addLayout(row);
    connect(line_, &QLineEdit::returnPressed, this, [this] {
        add(line_->text());
        line_->clear();
    });
    // Later: a row is not taken away while its editor closes.
    connect(model_, &VariablesModel::renamed, this, &WatchesPage::rename, Qt::QueuedConnection);
    connect(view_, &VariablesView::removeRequested, this, &WatchesPage::remove);
}

void WatchesPage::setSource(const QString& source) {
    source_ = source;
    watches_.clear();
    for (const QJsonValue each : storedWatches()[source].toArray())
        watches_ << each.toString();
    rebuild();
}

void WatchesPage::store() {
    if (Breakpoints::isUnsaved(source_)) return;
    QJsonObject all = storedWatches();
    if (watches_.isEmpty())
        all.remove(source_);
    else
        all.insert(source_, QJsonArray::fromStringList(watches_));
    settings().setValue(QLatin1String(watchesKey), QJsonDocument(all).toJson(QJsonDocument::Compact));
}

void WatchesPage::add(const QString& expression) {
    const QString trimmed = expression.trimmed();
    if (trimmed.isEmpty() || watches_.contains(trimmed)) return;
    watches_ << trimmed;
    rebuild();
    store();
}

void WatchesPage::rename(int row, const QString& expression) {
    if (row < 0 || row >= watches_.size()) return;
    if (expression.isEmpty()) return remove(row);
    watches_[row] = expression;
    rebuild();
    store();
}

void WatchesPage::remove(int row) {
    if (row < 0 || row >= watches_.size()) return;
    watches_.removeAt(row);
    rebuild();
    store();
}

void WatchesPage::rebuild() {
    QList<DebugVariable> top;
    for (const QString& watch : std::as_const(watches_)) {
        DebugVariable v;
        v.name = v.expression = watch;
        top << v;
    }
    model_->setTop(top);
    refresh();
}

void WatchesPage::refresh() {
    const DebugFrame* frame = session_.shownFrame();
    if (!session_.isStanding() || !frame) return;
    for (qsizetype row = 0; row < watches_.size(); ++row)
        session_.ask(QStringLiteral("evaluate"),
                     {{"expression", watches_[row].toStdString()}, {"frameId", frame->id}, {"context", "watch"}},
                     [this, row, watch = watches_[row], alive = QPointer<WatchesPage>(this)](const DapReply& reply) {
                         if (!alive || watches_.value(row) != watch) return;
                         DebugVariable v = DebugVariable::of(reply.body);
                         v.expression = watch;
                         if (!reply.ok) {
                             v.value = reply.error;
                             v.isProblem = true;
                         }
                         model_->setTopValue(int(row), v);
                     });
}

} // namespace warplight::ui
