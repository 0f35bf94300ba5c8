// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/run_text.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QRegularExpression>

namespace warplight::ui {
namespace {

using session::Status;

struct RunText {
    Q_DECLARE_TR_FUNCTIONS(RunText)
};
struct Words {
    QString text, tip;
    const char* icon;
};

Words wordsOf(Status status) {
    switch (status) {
    case Status::ok:
        return {RunText::tr("passed"), RunText::tr("It ran, and results that are expected are as expected"), "success"};
    case Status::expectation_failed:
        return {RunText::tr("failed"), RunText::tr("It ran, but a result is not as expected"), "error"};
    case Status::findings:
        return {RunText::tr("findings"), RunText::tr("It ran, but its checks found mistakes"), "warning"};
    case Status::device_error:
        return {RunText::tr("fault"), RunText::tr("The kernel failed, or could not be launched"), "error"};
    case Status::compile_error: return {RunText::tr("no build"), RunText::tr("The source did not compile"), "error"};
    case Status::input_error:
        return {RunText::tr("not run"), RunText::tr("The session could not be run as it was"), "warning"};
    case Status::limit_reached:
        return {RunText::tr("limit"), RunText::tr("It reached a limit of time or memory"), "warning"};
    case Status::cancelled: return {RunText::tr("stopped"), RunText::tr("It was stopped"), "warning"};
    }
    return {RunText::tr("not run"), RunText::tr("The session could not be run as it was"), "warning"};
}

} // namespace

QString runName(const history::Entry& entry) {
    const QString name = RunText::tr("run %1").arg(entry.id);
    return entry.label.empty() ? name : QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(entry.label));
}

QString runTime(const history::Entry& entry) {
    const auto when = QDateTime::fromMSecsSinceEpoch(entry.time);
    return when.date() == QDate::currentDate() ? when.toString(QStringLiteral("HH:mm:ss"))
                                               : when.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString runLaunch(const history::Entry& entry) {
    static const QRegularExpression ones(QStringLiteral(",1(,1)?(?= |$)"));
    return QString::fromStdString(entry.launch).remove(ones);
}

QString resultText(Status status) { return wordsOf(status).text; }
QString resultTip(Status status) { return wordsOf(status).tip; }

QIcon resultIcon(Status status, const Theme& theme) {
    const QString name = QLatin1String(wordsOf(status).icon);
    const Colours& colours = theme.colours();
    return icon(name, name == QLatin1String("success") ? colours.success
                      : name == QLatin1String("error") ? colours.error
                                                       : colours.warning);
}

} // namespace warplight::ui
