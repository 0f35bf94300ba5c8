// SPDX-License-Identifier: Apache-2.0
// Small PTX texts for the parser's tests.
#pragma once

#include "software/ptx/parser.hpp"

#include <QByteArray>
#include <QTest>

#include <string>

namespace warplight::ptx {

inline std::string header() { return ".version 8.5\n.target sm_80\n.address_size 64\n"; }

/// A kernel of this body, with a register file of every kind. The body begins at line 14.
inline std::string kernel(const std::string& body) {
    return header() +
           ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{\n.reg .pred %p<9>;\n"
           ".reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n\n\n" +
           body + "\nret;\n}\n";
}

inline Module parsed(const std::string& text) {
    auto result = parse(text);
    if (const auto* error = std::get_if<ParseError>(&result)) {
        qWarning("%s", error->message.c_str());
        return {};
    }
    return std::get<Module>(std::move(result));
}

/// The message that a text is refused with; empty when it is not.
inline QString refusal(const std::string& text) {
    const auto result = parse(text);
    const auto* error = std::get_if<ParseError>(&result);
    return error ? QString::fromStdString(error->message) : QString();
}

} // namespace warplight::ptx
