// SPDX-License-Identifier: Apache-2.0
// Finds `__global__` functions in CUDA source text. It skips whatever it does not understand, because code in an editor
// is broken most of the time.
#include "compiler/signatures.hpp"

#include "compiler/instances.hpp"
#include "compiler/tokens.hpp"

#include <algorithm>
#include <cstdlib>

namespace warplight::compiler {
namespace {

int depth_change(const Token& token) {
    if (token.kind != Token::Kind::punctuation) return 0;
    if (token.is("(") || token.is("[") || token.is("{")) return 1;
    if (token.is(")") || token.is("]") || token.is("}")) return -1;
    if (token.is("[[")) return 2;
    if (token.is("]]")) return -2;
    return 0;
}

bool is_attribute(std::string_view word) {
    for (std::string_view name : {"__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__",
                                  "__attribute__", "__declspec", "alignas", "decltype", "noexcept", "asm"})
        if (word == name) return true;
    return false;
}

bool is_type_word(std::string_view word) {
    for (std::string_view name : {"int", "unsigned", "signed", "long", "short", "char", "float", "double", "bool",
                                  "void", "const", "volatile", "__restrict__", "__restrict", "auto", "typename"})
        if (word == name) return true;
    return false;
}

// No program has so many of these. Without a limit each would cost time or memory by the square of the text's length.
constexpr std::size_t kMostKernels = 5000;
constexpr std::size_t kMostParameters = 4096;
constexpr std::size_t kMostInstances = 256; ///< of a template
constexpr std::size_t kMostAliases = 20000;
constexpr std::size_t kMostAliasWords = 64;
constexpr std::size_t kMostAngleTokens = 1024; ///< of the arguments of an instance
constexpr std::size_t kMostBodyWork = 20'000'000;

class Reader {
public:
    explicit Reader(std::string_view source) : tokens_(tokenize(source)) {}

    std::vector<SourceKernel> run() {
        while (at_ < tokens_.size())
            step();
        const auto aliases = std::make_shared<const TypeAliases>(std::move(aliases_));
        for (SourceKernel& kernel : kernels_)
            kernel.aliases = aliases;
        return std::move(kernels_);
    }

private:
    struct Scope {
        enum class Kind { name_space, linkage, other };
        Kind kind;
        std::string name;
        std::size_t kernel = none; ///< whose body this is
        std::vector<TemplateParameter> parameters;
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    const Token* peek(std::size_t ahead = 0) const {
        return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
    }
    bool peek_is(std::string_view text, std::size_t ahead = 0) const {
        const Token* token = peek(ahead);
        return token && token->is(text) && token->kind != Token::Kind::string;
    }

    void begin_declaration() {
        template_parameters_.clear();
        is_template_ = false;
        instantiates_ = false;
        linkage_ = false;
        bounds_ = 0;
        declared_ = none;
    }

    void step() {
        const Token& token = tokens_[at_];
        if (token.is("{")) {
            scopes_.push_back({Scope::Kind::other, {}, declared_, template_parameters_});
            ++at_;
            begin_declaration();
        } else if (token.is("}")) {
            if (!scopes_.empty()) scopes_.pop_back();
            ++at_;
            begin_declaration();
        } else if (token.is(";")) {
            ++at_;
            begin_declaration();
        } else if (in_function()) {
            in_body();
        } else if (token.is("namespace")) {
            name_space();
        } else if (token.is("extern") && peek(1) && peek(1)->kind == Token::Kind::string) {
            at_ += 2;
            if (peek_is("{")) {
                scopes_.push_back({Scope::Kind::linkage, {}, none, {}});
                ++at_;
            } else {
                linkage_ = true;
            }
        } else if (token.is("template")) {
            ++at_;
            template_head();
        } else if (token.is("using")) {
            alias_using();
        } else if (token.is("typedef")) {
            alias_typedef();
        } else if (token.is("__launch_bounds__")) {
            ++at_;
            launch_bounds();
        } else if (token.is("__global__")) {
            ++at_;
            kernel();
        } else {
            ++at_;
        }
    }

    bool in_function() const { return !scopes_.empty() && scopes_.back().kind == Scope::Kind::other; }

    /// Reads a function's body for the axes that a kernel counts along and the template instances that it names.
    void in_body() {
        const Token& token = tokens_[at_];
        ++at_;
        if (!token.identifier() || body_work_ > kMostBodyWork) return;
        if ((token.is("threadIdx") || token.is("blockIdx")) && peek_is(".")) {
            const int axis = peek_is("y", 1) ? 2 : peek_is("z", 1) ? 3 : 1;
            body_work_ += scopes_.size();
            for (const Scope& scope : scopes_)
                if (scope.kernel < kernels_.size()) {
                    SourceKernel& kernel = kernels_[scope.kernel];
                    kernel.dimensions = std::max(kernel.dimensions, axis);
                    if (token.is("threadIdx")) kernel.block_dimensions = std::max(kernel.block_dimensions, axis);
                }
            return;
        }
        std::string name(token.text);
        std::size_t ahead = 0;
        while (peek_is("::", ahead) && peek(ahead + 1) && peek(ahead + 1)->identifier()) {
            name += "::" + std::string(peek(ahead + 1)->text);
            ahead += 2;
        }
        body_work_ += ahead;
        if (!peek_is("<", ahead)) return;
        body_work_ += kernels_.size();
        const auto named = [&](const SourceKernel& kernel) {
            return kernel.is_template && (kernel.name == name || kernel.name.ends_with("::" + name));
        };
        const auto found = std::find_if(kernels_.begin(), kernels_.end(), named);
        if (found == kernels_.end()) return;
        at_ += ahead;
        const std::size_t open = at_;
        const std::vector<Token> inside = angles(kMostAngleTokens);
        body_work_ += inside.size() * (1 + scope_parameters());
        // Inside of another template the arguments may be its parameters: `scale<T>` is no instance.
        const bool dependent = std::any_of(inside.begin(), inside.end(), [&](const Token& argument) {
            return std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
                return std::any_of(scope.parameters.begin(), scope.parameters.end(),
                                   [&](const TemplateParameter& each) { return argument.is(each.name); });
            });
        });
        // `a < b` is a comparison: it has no closing bracket, or a variable is in it, which is no constant.
        const bool closed = at_ > open && tokens_[at_ - 1].is(">") &&
                            (peek_is("<") || peek_is("(") || peek_is(")") || peek_is(",") || peek_is(";"));
        if (closed && !dependent && !inside.empty()) add_instance(*found, text_of(inside));
        at_ = open + 1;
    }

    static void add_instance(SourceKernel& kernel, std::string arguments) {
        if (kernel.instances.size() < kMostInstances &&
            std::find(kernel.instances.begin(), kernel.instances.end(), arguments) == kernel.instances.end())
            kernel.instances.push_back(std::move(arguments));
    }

    void name_space() {
        ++at_;
        std::string name;
        while (const Token* token = peek()) {
            if (token->identifier() && !token->is("inline"))
                name += token->text;
            else if (token->is("::"))
                name += "::";
            else if (!token->is("inline"))
                break;
            ++at_;
        }
        if (peek_is("{")) {
            scopes_.push_back({Scope::Kind::name_space, name, none, {}});
            ++at_;
        }
    }

    /// Steps that it takes to look for a name among the template parameters of the open scopes.
    std::size_t scope_parameters() const {
        std::size_t count = scopes_.size();
        for (const Scope& scope : scopes_)
            count += scope.parameters.size();
        return count;
    }

    /// From "<" to behind the matching ">", or over `most` tokens. Returns the tokens between.
    std::vector<Token> angles(std::size_t most = static_cast<std::size_t>(-1)) {
        std::vector<Token> inside;
        int angle = 0, other = 0;
        bool opened = false;
        while (const Token* token = inside.size() < most ? peek() : nullptr) {
            int change = depth_change(*token);
            if (token->is(";") || (token->is("{") && other == 0)) break;
            if (other == 0 && token->is("<")) ++angle;
            if (other == 0 && token->is(">")) --angle;
            other += change;
            ++at_;
            if (angle == 0) break;
            if (opened) inside.push_back(*token);
            opened = true;
        }
        return inside;
    }

    /// From "(" to behind the matching ")". Returns the tokens between.
    std::vector<Token> parentheses() {
        std::vector<Token> inside;
        int depth = 0;
        while (const Token* token = peek()) {
            int change = depth_change(*token);
            if (depth == 1 && token->is(")")) {
                ++at_;
                break;
            }
            if (depth > 0) inside.push_back(*token);
            depth += change;
            ++at_;
            if (depth <= 0) break;
        }
        return inside;
    }

    static std::vector<std::vector<Token>> split(const std::vector<Token>& tokens) {
        std::vector<std::vector<Token>> parts;
        std::vector<Token> part;
        int depth = 0, angle = 0;
        for (const Token& token : tokens) {
            depth += depth_change(token);
            if (token.is("<")) ++angle;
            if (token.is(">") && angle > 0) --angle;
            if (token.is(",") && depth == 0 && angle == 0) {
                parts.push_back(std::move(part));
                part.clear();
            } else {
                part.push_back(token);
            }
        }
        if (!part.empty()) parts.push_back(std::move(part));
        return parts;
    }

    void template_head() {
        is_template_ = true;
        template_parameters_.clear();
        if (!peek_is("<")) {
            is_template_ = false; // an explicit instantiation
            instantiates_ = true;
            return;
        }
        std::vector<Token> inside = angles();
        for (const std::vector<Token>& part : split(inside)) {
            TemplateParameter parameter;
            std::vector<Token> before;
            std::size_t i = 0;
            for (; i < part.size() && !part[i].is("="); ++i)
                before.push_back(part[i]);
            if (i + 1 < part.size())
                parameter.value = text_of({part.begin() + static_cast<std::ptrdiff_t>(i) + 1, part.end()});
            for (const Token& token : before)
                if (token.identifier()) parameter.name = token.text;
            if (!before.empty() && before.back().is(parameter.name)) before.pop_back();
            parameter.kind = text_of(before);
            if (!parameter.name.empty()) template_parameters_.push_back(std::move(parameter));
        }
        if (inside.empty()) is_template_ = false; // a specialisation: template <>
    }

    void alias_using() {
        ++at_;
        if (!peek() || !peek()->identifier() || !peek_is("=", 1)) return;
        std::string name(peek()->text);
        at_ += 2;
        std::vector<std::string> words;
        while (const Token* token = peek()) {
            if (token->is(";")) break;
            words.emplace_back(token->text);
            ++at_;
        }
        if (!is_template_) add_alias(name, std::move(words));
    }

    void alias_typedef() {
        ++at_;
        std::vector<std::string> words;
        while (const Token* token = peek()) {
            if (token->is(";") || token->is("{")) break;
            words.emplace_back(token->text);
            ++at_;
        }
        if (!peek_is(";") || words.size() < 2) return;
        bool simple = std::none_of(words.begin(), words.end(),
                                   [](const std::string& word) { return word == "(" || word == "["; });
        std::string name = words.back();
        words.pop_back();
        if (simple) add_alias(name, std::move(words));
    }

    void add_alias(const std::string& name, std::vector<std::string> words) {
        if (words.size() <= kMostAliasWords && aliases_.size() < kMostAliases) aliases_[name] = std::move(words);
    }

    void launch_bounds() {
        if (!peek_is("(")) return;
        auto parts = split(parentheses());
        if (!parts.empty() && parts[0].size() == 1 && parts[0][0].kind == Token::Kind::number)
            bounds_ = std::atoi(std::string(parts[0][0].text).c_str());
    }

    void kernel() {
        SourceKernel kernel;
        std::string name;
        while (const Token* token = peek()) {
            if (token->is(";") || token->is("{") || token->is("}") || token->is("__global__")) return;
            if (token->is("__launch_bounds__")) {
                ++at_;
                launch_bounds();
            } else if (token->identifier() && is_attribute(token->text)) {
                ++at_;
                if (peek_is("(")) parentheses();
            } else if (token->is("[[")) {
                while (peek() && !peek_is("]]"))
                    ++at_;
                ++at_;
            } else if (token->identifier()) {
                name = token->text;
                kernel.line = token->line;
                ++at_;
                while (peek_is("::") && peek(1) && peek(1)->identifier()) {
                    name += "::" + std::string(peek(1)->text);
                    at_ += 2;
                }
                std::vector<Token> arguments;
                const std::string plain = name;
                bool specialised = peek_is("<");
                if (specialised) arguments = angles();
                if (!peek_is("(")) continue;
                if (is_type_word(plain)) return; // its name is not written yet
                std::vector<Token> inside = parentheses();
                const Token* after = peek();
                bool function = !after || after->is("{") || after->is(";") || after->is("noexcept") ||
                                after->is("requires") || after->is("[[") || after->is("__attribute__") ||
                                after->is("->");
                if (!function) continue; // a macro with arguments: the name comes after it
                if (instantiates_) {
                    instantiation(plain, specialised ? text_of(arguments) : std::string(), inside);
                    return;
                }
                if (specialised) name += "<" + text_of(arguments) + ">";
                finish(kernel, name, inside);
                return;
            } else {
                ++at_;
            }
        }
    }

    std::string prefix() const {
        std::string result;
        for (const Scope& scope : scopes_)
            if (scope.kind == Scope::Kind::name_space && !scope.name.empty()) result += scope.name + "::";
        return result;
    }

    /// `template __global__ void scale<float>(float*)`, or with the arguments left to be deduced.
    void instantiation(const std::string& name, std::string arguments, const std::vector<Token>& inside) {
        const std::string full = prefix() + name;
        if (body_work_ > kMostBodyWork) return;
        body_work_ += kernels_.size() + inside.size();
        for (SourceKernel& kernel : kernels_) {
            if (!kernel.is_template || kernel.name != full) continue;
            std::vector<Parameter> written;
            for (const std::vector<Token>& part : split(inside))
                if (!(part.size() == 1 && part[0].is("void"))) written.push_back(read_parameter(part, aliases_));
            if (arguments.empty()) arguments = deduced_arguments(kernel, written);
            if (!arguments.empty()) add_instance(kernel, std::move(arguments));
            return;
        }
    }

    void finish(SourceKernel& kernel, const std::string& name, const std::vector<Token>& inside) {
        if (kernels_.size() >= kMostKernels) return;
        const bool in_linkage = linkage_ || std::any_of(scopes_.begin(), scopes_.end(), [](const Scope& scope) {
                                    return scope.kind == Scope::Kind::linkage;
                                });
        kernel.name = prefix() + name;
        kernel.is_template = is_template_;
        kernel.all_defaults =
            is_template_ && std::all_of(template_parameters_.begin(), template_parameters_.end(), [](const auto& each) {
                return !each.value.empty() || each.kind.find("...") != std::string::npos;
            });
        kernel.extern_c = in_linkage;
        kernel.max_threads = bounds_;
        kernel.template_parameters = template_parameters_;
        for (const std::vector<Token>& part : split(inside)) {
            if (part.size() == 1 && part[0].is("void")) continue;
            if (kernel.parameters.size() == kMostParameters) break;
            kernel.parameters.push_back(read_parameter(part, aliases_));
        }
        // A declaration and its definition are one kernel; the definition has the names.
        bool definition = peek_is("{");
        for (SourceKernel& known : kernels_)
            if (known.name == kernel.name && known.parameters.size() == kernel.parameters.size() &&
                std::equal(known.parameters.begin(), known.parameters.end(), kernel.parameters.begin(),
                           [](const Parameter& a, const Parameter& b) { return a.type == b.type; })) {
                kernel.extern_c = kernel.extern_c || known.extern_c;
                kernel.instances = known.instances;
                if (definition) known = std::move(kernel);
                declared_ = static_cast<std::size_t>(&known - kernels_.data());
                return;
            }
        declared_ = kernels_.size();
        kernels_.push_back(std::move(kernel));
    }

    static Parameter read_parameter(const std::vector<Token>& all, const TypeAliases& aliases);

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::vector<Scope> scopes_;
    std::vector<TemplateParameter> template_parameters_;
    bool is_template_ = false;
    bool instantiates_ = false;
    std::size_t declared_ = none; ///< the kernel whose body may follow
    bool linkage_ = false;
    int bounds_ = 0;
    TypeAliases aliases_;
    std::size_t body_work_ = 0; ///< steps in bodies that are not linear in the text
    std::vector<SourceKernel> kernels_;
};

Parameter Reader::read_parameter(const std::vector<Token>& all, const TypeAliases& aliases) {
    Parameter parameter;
    std::vector<Token> tokens;
    for (const Token& token : all) {
        if (token.is("=")) break;
        if (!token.is("__grid_constant__")) tokens.push_back(token);
    }
    int arrays = 0;
    while (!tokens.empty() && tokens.back().is("]")) { // float a[], float a[4][4]
        while (!tokens.empty() && !tokens.back().is("["))
            tokens.pop_back();
        if (!tokens.empty()) tokens.pop_back();
        ++arrays;
    }
    // A pointer to a function has its name inside: void (*f)(int).
    bool function = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.is("("); });
    if (function) {
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
            if (tokens[i].is("*") && tokens[i + 1].identifier()) {
                parameter.name = tokens[i + 1].text;
                tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                break;
            }
        parameter.type = text_of(tokens);
        parameter.size = parameter.alignment = 8;
        return parameter;
    }
    if (tokens.size() >= 2 && tokens.back().identifier() && !is_type_word(tokens.back().text) &&
        !tokens[tokens.size() - 2].is("::")) {
        parameter.name = tokens.back().text;
        tokens.pop_back();
    }
    parameter.type = text_of(tokens);
    for (int i = 0; i < arrays; ++i)
        parameter.type += i == 0 ? "*" : "[]";
    describe_type(parameter, aliases);
    return parameter;
}

/// Replaces element types that session arrays lack by equivalents.
void as_array_type(ElementType& element, bool pointer) {
    if (element.dtype == "complex64" || element.dtype == "complex128") {
        element.dtype = element.dtype == "complex64" ? "float32" : "float64"; // cuComplex is float2
        element.components = 2;
    } else if (pointer && element.dtype == "bfloat16") {
        element.dtype = "uint16"; // the bits
    } else if (pointer && element.dtype.starts_with("float8")) {
        element.dtype = "uint8";
    }
}

} // namespace

void describe_type(Parameter& parameter, const TypeAliases& aliases) {
    std::string text = parameter.type;
    std::vector<std::string> words;
    int stars = 0;
    bool constant = false;
    int steps = 0; // an alias may name itself, again and again
    constexpr int kMostSteps = 10000;
    auto read = [&](auto&& self, const std::vector<std::string>& list, int depth) -> void {
        for (const std::string& word : list) {
            if (++steps > kMostSteps) return;
            auto alias = aliases.find(word);
            bool indirect = alias != aliases.end() && depth < 8 &&
                            std::find(alias->second.begin(), alias->second.end(), "*") != alias->second.end();
            if (indirect)
                self(self, alias->second, depth + 1);
            else if (word == "*" || word == "&")
                ++stars;
            else if (stars == 0) {
                if (word == "const") constant = true;
                words.push_back(word);
            }
        }
    };
    std::vector<std::string> list;
    for (const Token& token : tokenize(text))
        list.emplace_back(token.text);
    // Stars within template arguments do not count.
    int angle = 0;
    std::vector<std::string> outside;
    for (const std::string& word : list) {
        if (word == "<") ++angle;
        if (angle == 0 || (word != "*" && word != "&")) outside.push_back(word);
        if (word == ">") --angle;
    }
    read(read, outside, 0);
    parameter.pointer = stars > 0;
    parameter.is_const = stars > 0 && constant;
    ElementType element;
    if (stars <= 1) element = element_type(words, aliases);
    as_array_type(element, stars > 0);
    parameter.dtype = element.dtype;
    parameter.components = element.components;
    parameter.object = stars ? "" : element.object;
    parameter.size = stars ? 8 : element.size;
    parameter.alignment = stars ? 8 : element.alignment;
}

std::vector<SourceKernel> read_signatures(std::string_view source) { return Reader(source).run(); }

} // namespace warplight::compiler
