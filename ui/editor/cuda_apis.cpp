// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/cuda_apis.hpp"

#include "ui/editor/cuda_words.hpp"

#include <algorithm>

namespace warplight::ui {

CudaApis::CudaApis(QsciLexer* lexer) : QsciAbstractAPIs(lexer) {
    words_ = (cudaQualifiers() + QLatin1Char(' ') + cudaTypes() + QLatin1Char(' ') + cudaBuiltins() + QLatin1Char(' ') +
              cppKeywords())
                 .split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const CudaFunction& function : cudaFunctions())
        words_ << QString::fromLatin1(function.name);
    words_.sort();
}

void CudaApis::updateAutoCompletionList(const QStringList& context, QStringList& list) {
    const QString start = context.isEmpty() ? QString() : context.last();
    if (start.isEmpty()) return;
    for (auto word = std::lower_bound(words_.cbegin(), words_.cend(), start);
         word != words_.cend() && word->startsWith(start); ++word)
        if (!list.contains(*word)) list << *word;
}

QStringList CudaApis::callTips(const QStringList& context, int commas, QsciScintilla::CallTipsStyle,
                               QList<int>& shifts) {
    shifts.clear();
    // The context is the words before the bracket; after the function's name there is an empty one.
    QString name;
    for (const QString& word : context)
        if (!word.isEmpty()) name = word;
    for (const CudaFunction& function : cudaFunctions()) {
        if (name != QLatin1String(function.name)) continue;
        const QString signature = QString::fromUtf8(function.signature);
        if (signature.count(QLatin1Char(',')) < commas && !signature.contains(QLatin1String("..."))) return {};
        // A tip begins with the name: the editor marks parameters by counting from there.
        const qsizetype at = signature.indexOf(name + QLatin1Char('('));
        if (at < 0) return {signature};
        return {signature.mid(at) + QStringLiteral(" → ") + signature.left(at).trimmed() + QLatin1Char('\n') +
                QString::fromUtf8(function.what)};
    }
    return {};
}

} // namespace warplight::ui
