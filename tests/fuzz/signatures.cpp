// SPDX-License-Identifier: Apache-2.0
// CUDA source of any bytes for the reader that works while it is being written: every kernel has a name.
#include "compiler/instances.hpp"
#include "compiler/tokens.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace warplight::compiler;
    // With nothing behind it that may be read.
    const std::vector<char> exact(data, data + size);
    const std::string_view source(exact.data(), exact.size());
    for (const Token& token : tokenize(source))
        if (token.text.empty() || token.text.data() < source.data() ||
            token.text.data() + token.text.size() > source.data() + source.size())
            std::abort();
    for (const Kernel& kernel : offered_kernels(source, {"k<float, 4>", "k<>"}))
        if (kernel.name.empty()) std::abort();
    if (demangled_name(source).empty() && !source.empty()) std::abort();
    return 0;
}
