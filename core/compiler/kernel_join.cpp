// SPDX-License-Identifier: Apache-2.0
#include "compiler/signatures.hpp"
#include "compiler/tokens.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace warplight::compiler {
namespace {

/// "scale<float, 256>" → "scale" and {"float", "256"}.
struct Instance {
    std::string name;
    std::vector<std::string> arguments;
};

Instance split_instance(std::string_view expression) {
    Instance result;
    std::size_t open = expression.find('<');
    std::string_view name = expression.substr(0, open);
    std::size_t begin = name.find_first_not_of(" &:");
    std::size_t end = name.find_last_not_of(' ');
    if (begin != std::string_view::npos) result.name = name.substr(begin, end - begin + 1);
    if (open == std::string_view::npos) return result;
    std::string_view inside = expression.substr(open + 1, expression.rfind('>') - open - 1);
    int depth = 0;
    std::string argument;
    for (char c : inside) {
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c == ',' && depth == 0) {
            result.arguments.push_back(std::move(argument));
            argument.clear();
        } else if (c != ' ' || !argument.empty()) {
            argument += c;
        }
    }
    if (!argument.empty()) result.arguments.push_back(std::move(argument));
    return result;
}

/// The template's parameters written out in a type: `const T*` with T = float.
std::string substitute(const std::string& type, const SourceKernel& kernel, const std::vector<std::string>& arguments) {
    std::string result;
    std::size_t done = 0;
    for (const Token& token : tokenize(type)) {
        auto found = std::find(kernel.template_parameters.begin(), kernel.template_parameters.end(), token.text);
        auto index = static_cast<std::size_t>(found - kernel.template_parameters.begin());
        if (!token.identifier() || index >= arguments.size()) continue;
        auto at = static_cast<std::size_t>(token.text.data() - type.data());
        result.append(type, done, at - done);
        result += arguments[index];
        done = at + token.text.size();
    }
    return result.append(type, done);
}

/// Sizes from the PTX, everything else from the text.
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
        if (parameter.name.empty()) parameter.name = entry.parameters[i].name;
    }
}

} // namespace

std::string base_name(std::string_view lowered) {
    if (!lowered.starts_with("_Z")) return std::string(lowered);
    std::string_view rest = lowered.substr(2);
    bool nested = rest.starts_with("N");
    if (nested) rest.remove_prefix(1);
    if (rest.starts_with("L")) rest.remove_prefix(1); // internal linkage
    std::string result;
    while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
        std::size_t length = 0;
        auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc() || length > rest.size()) break;
        std::string_view part = rest.substr(0, length);
        rest.remove_prefix(length);
        if (!part.starts_with("_GLOBAL__N_") && !part.starts_with("_INTERNAL_")) {
            if (!result.empty()) result += "::";
            result += part;
        }
        if (!nested) break;
    }
    return result.empty() ? std::string(lowered) : result;
}

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
        Instance instance = split_instance(name.empty() ? base_name(entry.lowered) : name);
        // Of overloads the one with as many parameters, and of these the first not taken yet.
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
                if (written[best].is_template) describe_type(parameter, written[best].aliases);
            }
            kernel.is_template = false;
        }
        kernel.name = name.empty() ? instance.name : name;
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
