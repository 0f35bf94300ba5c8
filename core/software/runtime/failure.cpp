// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

namespace warplight::software {

const char* error_name(CUresult code) {
    switch (static_cast<int>(code)) {
#define WARPLIGHT_ERROR(name, number, sentence)                                                                        \
    case number: return #name;
#include "errors.def"
#undef WARPLIGHT_ERROR
    default: return nullptr;
    }
}

const char* error_description(CUresult code) {
    switch (static_cast<int>(code)) {
#define WARPLIGHT_ERROR(name, number, sentence)                                                                        \
    case number: return sentence;
#include "errors.def"
#undef WARPLIGHT_ERROR
    default: return nullptr;
    }
}

} // namespace warplight::software
