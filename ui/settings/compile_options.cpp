// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/compile_options.hpp"

#include "session/runner.hpp"

#include <QCoreApplication>
#include <QProcess>
#include <algorithm>

namespace warplight::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("warplight::ui", text); }

QStringList toList(const std::vector<std::string>& options) {
    QStringList list;
    for (const std::string& option : options)
        list << QString::fromStdString(option);
    return list;
}

/// The value of `--name=value`, `--name value` or, for single letters, `-Dvalue`. `at` moves past the words read.
bool readValue(const QStringList& options, qsizetype& at, std::initializer_list<const char*> names, bool joined,
               QString* value) {
    const QString& option = options[at];
    for (const char* each : names) {
        const QString name = QLatin1String(each);
        if (option.startsWith(name + QLatin1Char('='))) {
            *value = option.mid(name.size() + 1);
            return true;
        }
        if (option == name && at + 1 < options.size()) {
            *value = options[++at];
            return true;
        }
        if (joined && name.size() == 2 && option.startsWith(name) && option.size() > 2) {
            *value = option.mid(2);
            return true;
        }
    }
    return false;
}

} // namespace

CompileChoices CompileChoices::of(const session::CompileOptions& options) {
    CompileChoices choices;
    choices.lineInfo = options.line_info;
    const QStringList list = toList(options.options);
    for (qsizetype i = 0; i < list.size(); ++i) {
        QString value;
        const qsizetype begin = i;
        if (readValue(list, i, {"-D", "--define-macro"}, true, &value)) {
            choices.defines << value;
        } else if (readValue(list, i, {"-std", "--std"}, false, &value)) {
            choices.standard = value;
        } else if (readValue(list, i, {"-maxrregcount", "--maxrregcount"}, false, &value)) {
            bool ok = false;
            const int registers = value.toInt(&ok);
            if (ok && registers > 0)
                choices.maxRegisters = registers;
            else
                choices.others << list.mid(begin, i - begin + 1);
        } else if (list[i] == QLatin1String("-use_fast_math") || list[i] == QLatin1String("--use_fast_math")) {
            choices.fastMath = true;
        } else if (list[i] == QLatin1String("-lineinfo") || list[i] == QLatin1String("--generate-line-info")) {
            choices.lineInfo = true;
        } else {
            choices.others << list[i];
        }
    }
    return choices;
}

session::CompileOptions CompileChoices::in(session::CompileOptions options) const {
    if (of(options) == *this) return options;
    QStringList list;
    if (!standard.isEmpty()) list << QStringLiteral("--std=") + standard;
    if (fastMath) list << QStringLiteral("--use_fast_math");
    if (maxRegisters > 0) list << QStringLiteral("--maxrregcount=%1").arg(maxRegisters);
    for (const QString& define : defines)
        list << QStringLiteral("-D") + define;
    list << others;
    options.options.clear();
    for (const QString& option : list)
        options.options.push_back(option.toStdString());
    options.line_info = lineInfo;
    return options;
}

QString describeOptions(const session::CompileOptions& options) {
    const CompileChoices choices = CompileChoices::of(options);
    QStringList parts{options.compiler == "nvcc" ? QStringLiteral("nvcc") : QStringLiteral("NVRTC")};
    if (!choices.standard.isEmpty())
        parts << (choices.standard.startsWith(QLatin1Char('c')) ? QLatin1Char('C') + choices.standard.mid(1)
                                                                : choices.standard);
    if (choices.fastMath) parts << tr("fast math");
    if (choices.maxRegisters > 0) parts << tr("at most %1 registers").arg(choices.maxRegisters);
    if (!choices.lineInfo) parts << tr("no source lines");
    for (const QString& define : choices.defines)
        parts << QStringLiteral("-D") + define;
    parts << choices.others;
    return parts.join(QStringLiteral(", "));
}

QString optionsProblem(const session::CompileOptions& options) {
    try {
        session::check_compile_options(options);
    } catch (const session::SessionError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

QString joinWords(const QStringList& words) {
    QStringList quoted;
    for (QString word : words) {
        word.replace(QLatin1Char('"'), QStringLiteral("\"\"\""));
        const bool plain =
            !word.isEmpty() && std::none_of(word.cbegin(), word.cend(), [](QChar c) { return c.isSpace(); });
        quoted << (plain ? word : QLatin1Char('"') + word + QLatin1Char('"'));
    }
    return quoted.join(QLatin1Char(' '));
}

QStringList splitWords(const QString& text) { return QProcess::splitCommand(text); }

} // namespace warplight::ui
