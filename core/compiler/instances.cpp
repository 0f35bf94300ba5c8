// SPDX-License-Identifier: Apache-2.0
#include "compiler/instances.hpp"

#include "compiler/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

namespace warplight::compiler {
namespace {

/// Reads the mangled names of the Itanium C++ ABI that occur in kernels of samples and tests.
class Demangler {
public:
    explicit Demangler(std::string_view text) : rest_(text) {}

    std::string name() {
        const bool nested = take('N');
        take('L'); // internal linkage
        std::string result;
        while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
            const std::string_view part = identifier();
            if (part.empty()) break;
            if (!part.starts_with("_GLOBAL__N_") && !part.starts_with("_INTERNAL_")) {
                if (!result.empty()) result += "::";
                result += part;
            }
            if (!nested) break;
        }
        return result;
    }

    /// "float, 4" at "IfLi4EE". Empty when there are no arguments, or one is not understood.
    std::string arguments() {
        if (!take('I')) return {};
        std::string result;
        while (!take('E')) {
            const std::string argument = rest_.starts_with("L") ? constant() : type();
            if (argument.empty()) return {};
            result += (result.empty() ? "" : ", ") + argument;
        }
        return result;
    }

private:
    bool take(char c) {
        if (rest_.empty() || rest_[0] != c) return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::string_view identifier() {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        if (error != std::errc() || length > rest_.size()) return {};
        const std::string_view part = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return part;
    }

    /// Pointers and qualifiers stand in front of what they are of: PKf. There may be any number of them.
    std::string type() {
        std::string prefix, suffix;
        for (bool more = true; more;) {
            more = false;
            if (take('P')) {
                suffix += '*';
                more = true;
            } else if (take('K')) {
                prefix += "const ";
                more = true;
            }
        }
        const std::string plain = plain_type();
        return plain.empty() ? plain : prefix + plain + suffix;
    }

    std::string plain_type() {
        struct Builtin {
            char code;
            const char* name;
        };
        static constexpr Builtin builtins[] = {
            {'b', "bool"},           {'c', "char"},         {'a', "signed char"},
            {'h', "unsigned char"},  {'s', "short"},        {'i', "int"},
            {'t', "unsigned short"}, {'j', "unsigned int"}, {'l', "long"},
            {'m', "unsigned long"},  {'x', "long long"},    {'y', "unsigned long long"},
            {'f', "float"},          {'d', "double"},       {'v', "void"}};
        if (rest_.empty()) return {};
        const char code = rest_[0];
        if (code >= '0' && code <= '9') return std::string(identifier());
        rest_.remove_prefix(1);
        for (const Builtin& each : builtins)
            if (each.code == code) return each.name;
        return {};
    }

    std::string constant() {
        take('L');
        if (rest_.empty()) return {};
        const std::string of = type();
        const std::size_t end = rest_.find('E');
        if (of.empty() || end == std::string_view::npos || end == 0) return {};
        std::string digits(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        const bool negative = digits[0] == 'n';
        if (negative) digits.erase(0, 1);
        if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return {};
        if (of == "bool") return digits == "0" ? "false" : "true";
        return (negative ? "-" : "") + digits;
    }

    std::string_view rest_;
};

/// The argument of each template parameter, found by matching `pattern` (const T *) against `text` (const float *).
void bind(const SourceKernel& kernel, const std::string& pattern, const std::string& text,
          std::vector<std::string>& bound) {
    const std::vector<Token> wanted = tokenize(pattern), given = tokenize(text);
    std::size_t parameter = wanted.size(), which = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (std::size_t p = 0; p < kernel.template_parameters.size(); ++p)
            if (wanted[i].is(kernel.template_parameters[p].name)) {
                if (parameter != wanted.size()) return; // several in one type: others may tell them
                parameter = i;
                which = p;
            }
    if (parameter == wanted.size() || given.size() < wanted.size() || !bound[which].empty()) return;
    const std::size_t after = wanted.size() - parameter - 1;
    const auto same = [](const Token& a, const Token& b) { return a.text == b.text; };
    const auto begin = given.begin() + static_cast<std::ptrdiff_t>(parameter);
    const auto end = given.end() - static_cast<std::ptrdiff_t>(after);
    if (!std::equal(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(parameter), given.begin(), begin,
                    same) ||
        !std::equal(wanted.end() - static_cast<std::ptrdiff_t>(after), wanted.end(), end, given.end(), same))
        return;
    bound[which] = text_of({begin, end});
}

bool contains(std::string text, std::string_view part) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find(part) != std::string::npos;
}

std::string without_spaces(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) { return c != ' '; });
    return result;
}

/// The text of a message between its first and its last quotation mark.
std::string_view between_quotes(std::string_view message) {
    const std::size_t open = message.find('"'), close = message.rfind('"');
    return open == close ? std::string_view() : message.substr(open + 1, close - open - 1);
}

} // namespace

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

std::string substitute(const std::string& type, const SourceKernel& kernel, const std::vector<std::string>& arguments) {
    std::string result;
    std::size_t done = 0;
    for (const Token& token : tokenize(type)) {
        auto found = std::find_if(kernel.template_parameters.begin(), kernel.template_parameters.end(),
                                  [&](const TemplateParameter& each) { return token.is(each.name); });
        auto index = static_cast<std::size_t>(found - kernel.template_parameters.begin());
        if (!token.identifier() || index >= arguments.size()) continue;
        auto at = static_cast<std::size_t>(token.text.data() - type.data());
        result.append(type, done, at - done);
        result += arguments[index];
        done = at + token.text.size();
    }
    return result.append(type, done);
}

Kernel instantiate(const SourceKernel& kernel, const std::string& expression) {
    std::vector<std::string> arguments = split_instance(expression).arguments;
    for (std::size_t i = arguments.size(); i < kernel.template_parameters.size(); ++i) {
        if (kernel.template_parameters[i].value.empty()) break;
        arguments.push_back(kernel.template_parameters[i].value);
    }
    Kernel result = kernel;
    result.name = expression;
    result.is_template = false;
    for (Parameter& parameter : result.parameters) {
        parameter.type = substitute(parameter.type, kernel, arguments);
        describe_type(parameter, *kernel.aliases);
    }
    return result;
}

std::string deduced_arguments(const SourceKernel& kernel, const std::vector<Parameter>& parameters) {
    if (parameters.size() != kernel.parameters.size()) return {};
    std::vector<std::string> bound(kernel.template_parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        bind(kernel, kernel.parameters[i].type, parameters[i].type, bound);
    std::string result;
    for (std::size_t i = 0; i < bound.size(); ++i) {
        if (bound[i].empty()) bound[i] = kernel.template_parameters[i].value;
        if (bound[i].empty()) return {};
        result += (i ? ", " : "") + bound[i];
    }
    return result;
}

std::vector<std::string> likely_arguments(const SourceKernel& kernel) {
    if (kernel.template_parameters.empty()) return {};
    std::vector<std::string> result;
    for (const char* type : {"float", "double", "int"}) {
        std::string arguments;
        for (const TemplateParameter& parameter : kernel.template_parameters) {
            std::string value = parameter.value;
            const bool is_type = parameter.kind == "typename" || parameter.kind == "class";
            const bool is_number = parameter.kind == "int" || parameter.kind == "unsigned" ||
                                   parameter.kind == "unsigned int" || parameter.kind == "size_t" ||
                                   parameter.kind == "std::size_t" || parameter.kind == "long" ||
                                   parameter.kind == "auto";
            if (value.empty() && is_type) value = type;
            if (value.empty() && parameter.kind == "bool") value = "true";
            if (value.empty() && is_number)
                value = contains(parameter.name, "block") || contains(parameter.name, "thread") ? "256"
                        : contains(parameter.name, "tile")                                      ? "16"
                                                                                                : "4";
            if (value.empty()) return {};
            arguments += (arguments.empty() ? "" : ", ") + value;
        }
        if (std::find(result.begin(), result.end(), arguments) == result.end()) result.push_back(std::move(arguments));
    }
    return result;
}

std::string demangled_name(std::string_view lowered) {
    if (!lowered.starts_with("_Z")) return std::string(lowered);
    Demangler demangler(lowered.substr(2));
    std::string result = demangler.name();
    if (result.empty()) return std::string(lowered);
    const std::string arguments = demangler.arguments();
    return arguments.empty() ? result : result + "<" + arguments + ">";
}

std::vector<Kernel> parse_signatures(std::string_view source) {
    std::vector<Kernel> result;
    for (SourceKernel& kernel : read_signatures(source)) {
        if (kernel.extern_c && !kernel.is_template) kernel.lowered = kernel.name.substr(kernel.name.rfind(':') + 1);
        result.push_back(std::move(kernel));
    }
    return result;
}

std::vector<Kernel> offered_kernels(std::string_view source, const std::vector<std::string>& name_expressions) {
    // Each instance has all parameters of its template: this bounds what hostile text can ask for.
    constexpr std::size_t kMostParameters = 200'000;
    std::vector<Kernel> result;
    std::set<std::string> names;
    std::size_t parameters = 0;
    const auto offer = [&](Kernel kernel) {
        if (parameters > kMostParameters || !names.insert(without_spaces(kernel.name)).second) return;
        parameters += kernel.parameters.size();
        result.push_back(std::move(kernel));
    };
    for (SourceKernel& kernel : read_signatures(source)) {
        if (kernel.extern_c && !kernel.is_template) kernel.lowered = kernel.name.substr(kernel.name.rfind(':') + 1);
        offer(kernel);
        if (!kernel.is_template) continue;
        const std::vector<std::string> named = kernel.instances.empty() ? likely_arguments(kernel) : kernel.instances;
        for (const std::string& arguments : named)
            if (parameters <= kMostParameters) offer(instantiate(kernel, kernel.name + "<" + arguments + ">"));
        for (const std::string& expression : name_expressions)
            if (parameters <= kMostParameters && split_instance(expression).name == kernel.name)
                offer(instantiate(kernel, expression));
    }
    return result;
}

void name_instances(std::vector<Diagnostic>& diagnostics, std::string_view log,
                    const std::vector<std::string>& name_expressions) {
    constexpr std::string_view file = "__nv_name_map", pragma = "#pragma nv_mangled_name ";
    std::map<int, std::string> expressions; // by line in that file; the log shows the line below each message
    for (int line = 0; !log.empty();) {
        const std::string_view text = log.substr(0, std::min(log.find('\n'), log.size()));
        log.remove_prefix(std::min(text.size() + 1, log.size()));
        if (text.starts_with(file) && text.size() > file.size())
            std::from_chars(text.data() + file.size() + 1, text.data() + text.size(), line);
        else if (const auto at = text.find(pragma); at != std::string_view::npos)
            expressions[line] = text.substr(at + pragma.size());
    }
    // NVRTC ends each instance with a message that it could not read the expression. That message adds nothing.
    const auto is_summary = [](const Diagnostic& d) {
        return d.message.find("parsing name expression") != std::string::npos;
    };
    // Before 12.0 the log does not show that file. The last message has the expression, with spaces between its tokens.
    for (const Diagnostic& d : diagnostics) {
        if (d.file != file || !is_summary(d) || expressions.contains(d.line)) continue;
        const std::string expression = without_spaces(between_quotes(d.message));
        for (const std::string& each : name_expressions)
            if (without_spaces(each) == expression) expressions.emplace(d.line, each);
    }
    // With nvcc the file has one line for each expression of the request.
    for (std::size_t i = 0; i < name_expressions.size(); ++i)
        expressions.emplace(static_cast<int>(i) + 1, name_expressions[i]);
    std::set<int> explained;
    for (const Diagnostic& d : diagnostics)
        if (d.file == file && !is_summary(d)) explained.insert(d.line);
    std::erase_if(diagnostics,
                  [&](const Diagnostic& d) { return d.file == file && is_summary(d) && explained.contains(d.line); });
    for (Diagnostic& d : diagnostics) {
        if (d.file != file) continue;
        d.message = "the instance " + expressions[d.line] +
                    " cannot be made: " + (is_summary(d) ? "it is no expression of a kernel" : d.message);
        d.file.clear();
        d.line = d.column = 0;
    }
}

} // namespace warplight::compiler
