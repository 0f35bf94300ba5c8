// SPDX-License-Identifier: Apache-2.0
#include "compiler/whole_program.hpp"

#include "compiler/tokens.hpp"

#include <cstddef>

namespace warplight::compiler {
namespace {

/// The number of open #if, #ifdef and #ifndef before a line.
int conditions_before(std::string_view source, int line) {
    int open = 0;
    for (int at = 1; at < line && !source.empty(); ++at) {
        std::string_view text = source.substr(0, source.find('\n'));
        source.remove_prefix(std::min(text.size() + 1, source.size()));
        const auto skip_spaces = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); };
        skip_spaces();
        if (!text.starts_with('#')) continue;
        text.remove_prefix(1);
        skip_spaces();
        if (text.starts_with("if"))
            ++open;
        else if (text.starts_with("endif"))
            --open;
    }
    return open;
}

} // namespace

int line_of_main(std::string_view source) {
    const std::vector<Token> tokens = tokenize(source);
    int depth = 0;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.is("{")) ++depth;
        if (token.is("}")) --depth;
        if (depth != 0 || !token.is("main") || !tokens[i + 1].is("(")) continue;
        const Token& type = tokens[i - 1];
        if (!type.is("int") && !type.is("void") && !type.is("auto")) continue;
        if (conditions_before(source, token.line) == 0) return token.line;
    }
    return 0;
}

void explain_whole_program(std::vector<Diagnostic>& diagnostics, std::string_view source, const std::string& name) {
    const int line = line_of_main(source);
    if (line == 0) return;
    // NVRTC's advice to make main() a device function would not help.
    std::erase_if(diagnostics, [&](const Diagnostic& each) {
        return each.line == line && each.message.find("is considered a host function") != std::string::npos;
    });
    diagnostics.insert(diagnostics.begin(),
                       {name,
                        line,
                        0,
                        Severity::error,
                        "this is a whole program, for it has a main(); a file of kernels is wanted: __global__ "
                        "functions and what they call",
                        {"take out main() and the host code (cudaMalloc, <<<…>>>): arrays, launch and results are "
                         "arguments here",
                         "or build the program with nvcc, and run it with `warplight-cli exec -- ./PROGRAM`"}});
}

} // namespace warplight::compiler
