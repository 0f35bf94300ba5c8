// SPDX-License-Identifier: Apache-2.0
// muParser with the numbers, operators and functions that formulas have.
#pragma once

// Its texts are wide where _UNICODE is defined, but the library is not built so.
#pragma push_macro("_UNICODE")
#undef _UNICODE
#include <muParserBase.h>
#pragma pop_macro("_UNICODE")

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

} // namespace warplight::session
