// SPDX-License-Identifier: Apache-2.0
// muParser with the numbers, operators and functions that formulas have.
#pragma once

// Its texts are wide where _UNICODE is defined, but the library is not built so.
#pragma push_macro("_UNICODE")
#undef _UNICODE
#include <muParserBase.h>
#pragma pop_macro("_UNICODE")

#include <string>

namespace warplight::session {

class FormulaReader final : public mu::ParserBase {
public:
    FormulaReader();

private:
    void InitCharSets() override {}
    void InitFun() override {}
    void InitConst() override {}
    void InitOprt() override {}
};

/// @throws SessionError that tells what muParser found, in the words of refuse_formula()
[[noreturn]] void refuse_formula(const std::string& expression, const mu::ParserError& error,
                                 const std::string& subject = "The formula");

} // namespace warplight::session
