// SPDX-License-Identifier: Apache-2.0
#include "formats/optional_library.hpp"

#include "driver/library.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace warplight::formats {

void* open_optional_library(const LibraryChoice& choice, std::string& problem) {
    std::string reason;
    if (const char* chosen = std::getenv(choice.variable); chosen && *chosen) {
        if (void* library = driver::detail::open_library(chosen, reason)) return library;
        problem = fmt::format("{} names a library that cannot be opened: {}", choice.variable, reason);
        return nullptr;
    }
    for (const char* name : choice.names)
        if (void* library = driver::detail::open_library(name, reason)) return library;
    problem = fmt::format("no library for {} is installed ({})", choice.what, choice.names.front());
    return nullptr;
}

void* symbol_of(void* library, const char* name) { return driver::detail::find_symbol(library, name); }

} // namespace warplight::formats
