// SPDX-License-Identifier: Apache-2.0
#include "compiler/instances.hpp"
#include "compiler/signatures.hpp"

#include <algorithm>
#include <tuple>

namespace warplight::compiler {
namespace {

/// Takes sizes from the PTX and all else from the source text.
void merge(Kernel& kernel, const Kernel& entry) {
    kernel.lowered = entry.lowered;
    if (!kernel.max_threads) kernel.max_threads = entry.max_threads;
    if (kernel.parameters.size() != entry.parameters.size()) {
        kernel.parameters = entry.parameters;
        for (Parameter& parameter : kernel.parameters) {
            parameter.type = parameter.pointer ? "void *" : "";
        }
        return;
    }
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
        Parameter& parameter = kernel.parameters[i];
        parameter.size = entry.parameters[i].size;
        parameter.alignment = entry.parameters[i].alignment;
        parameter.offset = entry.parameters[i].offset;
        parameter.is_struct = entry.parameters[i].is_struct && parameter.dtype.empty();
        if (parameter.name.empty()) parameter.name = entry.parameters[i].name;
    }
}

} // namespace

std::vector<Kernel> join_kernels(std::string_view source, std::string_view ptx,
                                 const std::vector<LoweredName>& lowered_names) {
    std::vector<SourceKernel> written = read_signatures(source);
    std::vector<Kernel> entries = parse_ptx_entries(ptx);
    std::vector<bool> used(written.size(), false);
    std::vector<Kernel> result;
    for (const Kernel& entry : entries) {
        std::string name;
        for (const auto& [expression, lowered] : lowered_names)
            if (lowered == entry.lowered) name = expression;
        // Of an instance that the source makes, only the mangled name tells the arguments.
        const std::string shown = name.empty() ? demangled_name(entry.lowered) : name;
        const Instance instance = split_instance(shown);
        // Among overloads the number of parameters decides, then the order in the text.
        std::size_t best = written.size();
        int best_score = -1;
        for (std::size_t i = 0; i < written.size(); ++i) {
            if (written[i].name != instance.name && written[i].name != name) continue;
            int score = (written[i].parameters.size() == entry.parameters.size() ? 4 : 0) +
                        (used[i] && !written[i].is_template ? 0 : 2) +
                        (written[i].is_template == !instance.arguments.empty() ? 1 : 0);
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        Kernel kernel;
        if (best < written.size()) {
            kernel = written[best];
            used[best] = true;
            for (Parameter& parameter : kernel.parameters) {
                parameter.type = substitute(parameter.type, written[best], instance.arguments);
                if (written[best].is_template) describe_type(parameter, *written[best].aliases);
            }
            kernel.is_template = false;
        }
        kernel.name = shown;
        merge(kernel, entry);
        result.push_back(std::move(kernel));
    }
    for (std::size_t i = 0; i < written.size(); ++i)
        if (written[i].is_template && !used[i]) result.push_back(written[i]);
    std::sort(result.begin(), result.end(), [](const Kernel& a, const Kernel& b) {
        return std::tie(a.line, a.name, a.lowered) < std::tie(b.line, b.name, b.lowered);
    });
    return result;
}

} // namespace warplight::compiler
