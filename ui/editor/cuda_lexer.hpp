// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexercpp.h>

#include <QByteArray>

namespace warplight::ui {

struct SyntaxColours;

/// CUDA C++: C++ whose second keyword set are CUDA's qualifiers and types, and whose global classes are its built-in
/// variables and functions.
class CudaLexer : public QsciLexerCPP {
    Q_OBJECT
public:
    explicit CudaLexer(QObject* parent = nullptr);

    void setLook(const SyntaxColours& colours, const QFont& font);

    const char* language() const override { return "CUDA C++"; }
    const char* keywords(int set) const override;

private:
    QByteArray first_, second_, global_;
};

} // namespace warplight::ui
