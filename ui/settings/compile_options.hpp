// SPDX-License-Identifier: GPL-3.0-or-later
/// A compiler's options, split into those with fields of their own and the others.
#pragma once

#include "session/session.hpp"

#include <QString>
#include <QStringList>

namespace warplight::ui {

struct CompileChoices {
    QStringList defines;  ///< "N=4", "DEBUG"
    QString standard;     ///< "c++17"; empty: the compiler's own
    int maxRegisters = 0; ///< 0: no limit
    bool fastMath = false;
    bool lineInfo = true;
    QStringList others; ///< in their order

    static CompileChoices of(const session::CompileOptions& options);
    /// `options` changed to these choices. Unchanged options keep their spelling and order.
    session::CompileOptions in(session::CompileOptions options) const;
    friend bool operator==(const CompileChoices&, const CompileChoices&) = default;
};

/// "NVRTC, fast math, 2 defines": one line for people.
QString describeOptions(const session::CompileOptions& options);
/// Why a session may not have these options, as a sentence; empty when it may.
QString optionsProblem(const session::CompileOptions& options);

/// Words with spaces in quotes, and back.
QString joinWords(const QStringList& words);
QStringList splitWords(const QString& text);

} // namespace warplight::ui
