// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/checks_box.hpp"

#include "ui/common/theme.hpp"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QString titleOfCheck(const std::string& name) {
    if (name == "memory") return ChecksBox::tr("&Memory");
    if (name == "init") return ChecksBox::tr("&Values that nothing wrote");
    if (name == "race") return ChecksBox::tr("&Races");
    if (name == "sync") return ChecksBox::tr("&Barriers");
    if (name == "arithmetic") return ChecksBox::tr("&Arithmetic");
    if (name == "leak") return ChecksBox::tr("&Leaks");
    return QString::fromStdString(name);
}

findings::Checks allChecks() { return findings::Checks::parse("all").value_or(findings::Checks()); }

} // namespace

QString checksText(const findings::Checks& checks) {
    QStringList titles;
    for (const std::string& name : checks.names())
        titles << titleOfCheck(name).remove(QLatin1Char('&'));
    return titles.join(QStringLiteral(", "));
}

ChecksButton::ChecksButton(QWidget* parent) : QToolButton(parent) {
    setText(tr("…"));
    setProperty("framed", true);
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(QToolButton::InstantPopup);
    setAccessibleName(tr("Choose checks"));
    setToolTip(tr("Choose what is looked for"));
    setMenu(&menu_);
    for (const std::string& name : allChecks().names()) {
        QAction* action = menu_.addAction(titleOfCheck(name));
        action->setCheckable(true);
        action->setData(QString::fromStdString(name));
        connect(action, &QAction::triggered, this, [this, action](bool on) { toggle(action->data().toString(), on); });
    }
}

void ChecksButton::setChecks(const findings::Checks& checks) {
    checks_ = checks;
    const std::vector<std::string> names = checks.names();
    for (QAction* action : menu_.actions())
        action->setChecked(std::ranges::find(names, action->data().toString().toStdString()) != names.end());
}

/// A check that is chosen by its name finds what may be right, too.
void ChecksButton::toggle(const QString& name, bool on) {
    std::vector<std::string> names = checks_.names();
    std::erase(names, name.toStdString());
    if (on) names.push_back(name.toStdString());
    findings::Checks checks;
    for (const std::string& each : names)
        checks.add(findings::Checks::parse(each).value_or(findings::Checks()));
    setChecks(checks);
    emit chosen();
}

ChecksBox::ChecksBox(Document& document, const QString& text, QWidget* parent)
    : QWidget(parent), document_(document), box_(new QCheckBox(text)), button_(new ChecksButton) {
    box_->setAccessibleName(tr("Check the running kernel"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::half);
    row->addWidget(box_);
    row->addWidget(button_);
    setFocusProxy(box_);
    connect(box_, &QCheckBox::clicked, this, [this](bool on) { choose(on ? allChecks() : findings::Checks()); });
    connect(button_, &ChecksButton::chosen, this, [this] { choose(button_->checks()); });
    connect(&document_, &Document::sessionChanged, this, &ChecksBox::showSession);
    showSession();
}

void ChecksBox::choose(const findings::Checks& checks) {
    document_.modify(tr("Change Checks"), [&](session::Session& session) { session.checks = checks; });
    showSession();
}

void ChecksBox::showSession() {
    const findings::Checks& checks = document_.session().checks;
    box_->setChecked(checks.any());
    button_->setChecks(checks);
    const QString what =
        tr("Look for wrong accesses to memory, races and misused barriers while the kernel runs, on the "
           "software device. Problems has what is found. The kernel takes longer, so its times say little.");
    box_->setToolTip(checks.any() ? tr("%1\nChosen: %2", "checks").arg(what, checksText(checks)) : what);
}

} // namespace warplight::ui
