// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciabstractapis.h>

namespace warplight::ui {

/// Completion and call tips for CUDA's words. The list is short, so it is searched as it is: QsciAPIs sorts its own in
/// a thread, which an editor that closes early cannot end.
class CudaApis : public QsciAbstractAPIs {
    Q_OBJECT
public:
    explicit CudaApis(QsciLexer* lexer);

    void updateAutoCompletionList(const QStringList& context, QStringList& list) override;
    QStringList callTips(const QStringList& context, int commas, QsciScintilla::CallTipsStyle style,
                         QList<int>& shifts) override;

private:
    QStringList words_; ///< sorted
};

} // namespace warplight::ui
