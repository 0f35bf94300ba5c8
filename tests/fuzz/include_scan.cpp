// SPDX-License-Identifier: Apache-2.0
// Source of any bytes for the search for its headers, in a folder that has some which include each other.
#include "compiler/include_scan.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

fs::path folder;

void write(const char* name, std::string_view text) { std::ofstream(folder / name, std::ios::binary) << text; }

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    folder = fs::temp_directory_path() / ("fuzz-include-" + std::to_string(getpid()));
    fs::create_directories(folder / "d");
    write("a", "#include \"b\"\n");
    write("b", "#include <a>\n#include \"d/c\"\n");
    write("d/c", "#include \"c\"\n#include \"../a\"\n");
    write("empty", "");
    std::atexit([] {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    });
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> exact(data, data + size);
    const std::string_view source(exact.data(), exact.size());
    // Absolute names would lead out of the folder.
    if (source.find("\"/") != std::string_view::npos || source.find("</") != std::string_view::npos ||
        source.find("..") != std::string_view::npos)
        return 0;
    const auto scan = warplight::compiler::scan_includes(source, folder, {"-Id"});
    if (scan.headers.size() > 4) std::abort();
    for (const auto& header : scan.headers)
        if (scan.complete && header.digest.size() != 64) std::abort();
    return 0;
}
