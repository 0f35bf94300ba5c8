// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/cuda_lexer.hpp"

#include "ui/common/theme.hpp"
#include "ui/editor/cuda_words.hpp"

namespace warplight::ui {

CudaLexer::CudaLexer(QObject* parent) : QsciLexerCPP(parent) {
    first_ = cppKeywords().toLatin1();
    second_ = (cudaQualifiers() + QLatin1Char(' ') + cudaTypes()).toLatin1();
    QString global = cudaBuiltins();
    for (const CudaFunction& function : cudaFunctions())
        global += QLatin1Char(' ') + QLatin1String(function.name);
    global_ = global.toLatin1();
    setFoldComments(true);
    setFoldCompact(false);
    setFoldPreprocessor(true);
    setFoldAtElse(true);
    // Code under an #if that the editor believes to be off is real code for some architecture.
    setStylePreprocessor(false);
    setHighlightEscapeSequences(true);
}

const char* CudaLexer::keywords(int set) const {
    switch (set) {
    case 1: return first_.constData();
    case 2: return second_.constData();
    case 3: return QsciLexerCPP::keywords(3);
    case 4: return global_.constData();
    default: return nullptr;
    }
}

void CudaLexer::setLook(const SyntaxColours& colours, const QFont& font) {
    setDefaultFont(font);
    setDefaultColor(colours.text);
    setDefaultPaper(colours.background);
    for (int inactive : {0, 64})
        for (int style = 0; style <= EscapeSequence; ++style) {
            QColor color = colours.text;
            QFont styled = font;
            switch (style) {
            case Comment:
            case CommentLine:
            case CommentDoc:
            case CommentLineDoc:
            case CommentDocKeyword:
            case CommentDocKeywordError:
            case PreProcessorComment:
            case PreProcessorCommentLineDoc: color = colours.comment; break;
            case Number:
            case UserLiteral: color = colours.number; break;
            case Keyword: color = colours.keyword; break;
            case KeywordSet2:
                color = colours.qualifier;
                styled.setBold(true);
                break;
            case GlobalClass: color = colours.builtin; break;
            case DoubleQuotedString:
            case SingleQuotedString:
            case UnclosedString:
            case VerbatimString:
            case RawString:
            case TripleQuotedVerbatimString:
            case HashQuotedString:
            case Regex: color = colours.string; break;
            case EscapeSequence: color = colours.number; break;
            case PreProcessor: color = colours.preprocessor; break;
            case Operator: color = colours.operators; break;
            default: break;
            }
            setColor(color, style + inactive);
            setPaper(colours.background, style + inactive);
            setFont(styled, style + inactive);
            setEolFill(false, style + inactive);
        }
}

} // namespace warplight::ui
