// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/present_state.hpp"

#include "ui/common/document.hpp"

#include <QCoreApplication>

namespace warplight::ui {

ComparedRun presentState(const Document& document) {
    const std::string text = document.mainSource()->text().toStdString();
    session::Session now = document.session();
    now.source.text = text;
    session::Report report;
    report.session = document.path().toStdString();
    bool hasRun = false;
    if (document.hasReport()) {
        const RunRecord& last = document.runs().back();
        hasRun = last.made && last.made->source.text == text && session::to_text(*last.made) == session::to_text(now);
        if (hasRun) report = last.report;
    }
    return {history::run_of(document.session(), text, report),
            QCoreApplication::translate("PresentState", "the present state"), hasRun};
}

} // namespace warplight::ui
