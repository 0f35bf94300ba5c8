// SPDX-License-Identifier: Apache-2.0
// How a symbol is exported and becomes known to cuGetProcAddress. Knows none of CUDA's declarations.
#pragma once

#include <string_view>

#if defined(_WIN32)
#define WL_API __declspec(dllexport)
#else
#define WL_API __attribute__((visibility("default")))
#endif

namespace warplight::software {

/// Makes a symbol known to cuGetProcAddress.
struct Registration {
    Registration(const char* symbol, int since, void* function);
};

/// The version of CUDA that brought an entry point, by entry_points.def; 0 for a symbol that is not there.
constexpr int version_in_table(std::string_view symbol) {
    struct Row {
        std::string_view symbol;
        int version;
    };
    constexpr Row rows[] = {
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need) {symbol, version},
#include "driver/entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
    };
    for (const Row& row : rows)
        if (row.symbol == symbol) return row.version;
    return 0;
}

// Not to be called: their names are the compiler's message.
void the_symbol_is_not_in_entry_points_def();
void the_version_is_in_entry_points_def_already();

/// Of an entry point that the device interface uses.
consteval int version_of(std::string_view symbol) {
    const int version = version_in_table(symbol);
    if (version == 0) the_symbol_is_not_in_entry_points_def();
    return version;
}
/// Of one that only other programs ask for.
consteval int version_of(std::string_view symbol, int since) {
    if (version_in_table(symbol) != 0) the_version_is_in_entry_points_def_already();
    return since;
}

/// cuInit has succeeded.
[[nodiscard]] bool initialised();

} // namespace warplight::software
