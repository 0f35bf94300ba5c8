// SPDX-License-Identifier: Apache-2.0
// The kernels of a PTX text: parameters, which of them are pointers, and the axes that a kernel counts along.
#include "compiler/instances.hpp"
#include "ptx_text/entry_heads.hpp"
#include "ptx_text/module_variables.hpp"
#include "warplight/compiler.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_map>

namespace warplight::compiler {
namespace {

using ptx::Token;

/// The element type that an array of this PTX type has. A value of 8 bytes may be an address, so it has none.
std::string_view array_dtype(std::string_view type) {
    static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"f16", "float16"}, {"f32", "float32"}, {"f64", "float64"}, {"s8", "int8"},   {"u8", "uint8"},
        {"s16", "int16"},   {"u16", "uint16"},  {"s32", "int32"},   {"u32", "uint32"}};
    for (const auto& [name, dtype] : kNames)
        if (type == name) return dtype;
    return {};
}

Kernel kernel_of(const ptx::EntryHead& head) {
    Kernel kernel;
    kernel.lowered = kernel.name = head.name;
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    kernel.max_threads = static_cast<int>(std::min(head.max_threads, most));
    for (const ptx::EntryParameter& declared : head.parameters) {
        Parameter& parameter = kernel.parameters.emplace_back();
        parameter.name = declared.name;
        if (!declared.array) parameter.dtype = array_dtype(declared.type);
        parameter.is_struct = declared.array;
        parameter.pointer = declared.pointer;
        parameter.size = declared.size;
        parameter.alignment = declared.alignment;
        parameter.offset = declared.offset;
    }
    return kernel;
}

/// Reads the body of a kernel. It finds the parameters that are used as addresses, because NVRTC does not mark
/// pointers. It also finds the axes that the kernel counts along.
class BodyReader {
public:
    BodyReader(ptx::EntryScanner& scanner, const ptx::EntryHead& head, Kernel& kernel)
        : scanner_(scanner), kernel_(kernel) {
        for (std::size_t i = 0; i < head.parameters.size(); ++i)
            parameters_.emplace(head.parameters[i].name, i);
    }

    /// From the opening brace to the closing one, or to the next function where that is missing.
    void run() {
        int depth = 0;
        while (scanner_.token().kind != Token::Kind::end && !scanner_.at_function()) {
            const Token& token = scanner_.token();
            // .loc and .file end with their line, not with a semicolon.
            if (token.is_word("loc") || token.is_word("file")) {
                scanner_.skip_line();
                continue;
            }
            if (token.is(':')) {
                statement_.clear();
            } else if (token.is(';')) {
                read_statement();
                statement_.clear();
            } else if (statement_.empty() && token.is('{')) {
                ++depth;
            } else if (statement_.empty() && token.is('}')) {
                if (--depth <= 0) return;
            } else {
                statement_.push_back(token); // braces too: within a statement they hold a vector
            }
            scanner_.advance();
        }
    }

private:
    using Origin = std::vector<std::size_t>; ///< the parameters that a register's value was made from

    /// %tid.y, %ctaid.x
    void count_axes(const Token& name, const Token& axis) {
        const bool thread = name.is_identifier("%tid");
        if (!thread && !name.is_identifier("%ctaid")) return;
        const int axes = axis.text == "z" ? 3 : axis.text == "y" ? 2 : 1;
        kernel_.dimensions = std::max(kernel_.dimensions, axes);
        if (thread) kernel_.block_dimensions = std::max(kernel_.block_dimensions, axes);
    }

    const Origin* origin(std::string_view register_name) const {
        const auto found = origins_.find(register_name);
        return found == origins_.end() ? nullptr : &found->second;
    }

    void mark_pointers(const Origin& parameters) {
        for (const std::size_t each : parameters)
            if (kernel_.parameters[each].size == 8) kernel_.parameters[each].pointer = true;
    }

    void read_statement() {
        std::span<const Token> tokens = statement_;
        // A guard, @%p1 or @!%p1, stands in front.
        if (tokens.size() > 2 && tokens[0].is('@')) tokens = tokens.subspan(tokens[1].is('!') ? 3 : 2);
        if (tokens.empty() || tokens[0].kind != Token::Kind::identifier) return;
        const std::string_view opcode = tokens[0].text;
        const bool parameter_space = tokens.size() > 1 && tokens[1].kind == Token::Kind::word &&
                                     (tokens[1].text == "param" || tokens[1].text.starts_with("param::"));
        operands_.clear();
        for (std::size_t i = 1; i < tokens.size(); ++i) {
            if (tokens[i].kind == Token::Kind::word)
                count_axes(tokens[i - 1], tokens[i]);
            else
                operands_.push_back(tokens[i].text);
        }
        if (parameter_space && opcode == "ld") return load_parameter();
        if (parameter_space && opcode == "st") return;
        // Textures and surfaces stand in brackets too, but are no addresses.
        static constexpr std::array<std::string_view, 7> kOpaque = {"tex",  "tld4",  "txq", "suld",
                                                                    "sust", "sured", "suq"};
        if (std::ranges::find(kOpaque, opcode) != kOpaque.end()) return;
        for (std::size_t i = 0; i + 1 < operands_.size(); ++i)
            if (operands_[i] == "[")
                if (const Origin* address = origin(operands_[i + 1])) mark_pointers(*address);
        if (operands_.size() >= 3 && operands_[1] == ",") follow(opcode);
    }

    /// ld.param.u64 %rd1, [k_param_0]
    void load_parameter() {
        if (operands_.size() != 5 || operands_[2] != "[") return;
        const auto found = parameters_.find(operands_[3]);
        if (found != parameters_.end()) origins_[operands_[0]] = {found->second};
    }

    /// Says of the register that an instruction writes where its value comes from.
    void follow(std::string_view opcode) {
        const auto second = [&] { return operands_.size() > 4 ? origin(operands_[4]) : nullptr; };
        const Origin* from = nullptr;
        if (opcode == "selp") {
            origins_[operands_[0]] = joined(origin(operands_[2]), second());
            return;
        }
        if (opcode == "cvta") {
            from = origin(operands_[2]);
            if (from) mark_pointers(*from);
        } else if (opcode == "mov") {
            from = origin(operands_[2]);
        } else if (opcode == "add" || opcode == "sub") {
            // Compilers write the address first and what is added to it second.
            from = origin(operands_[2]);
            if (!from) from = second();
        }
        if (from)
            origins_[operands_[0]] = Origin(*from);
        else
            origins_.erase(operands_[0]);
    }

    /// A value that is chosen from more parameters than kMaxOrigins counts as one of the first of them. This bounds
    /// the memory that hostile text can ask for.
    static Origin joined(const Origin* a, const Origin* b) {
        constexpr std::size_t kMaxOrigins = 64;
        Origin both = a ? *a : Origin();
        if (b)
            for (const std::size_t each : *b)
                if (both.size() < kMaxOrigins && std::ranges::find(both, each) == both.end()) both.push_back(each);
        return both;
    }

    ptx::EntryScanner& scanner_;
    Kernel& kernel_;
    std::unordered_map<std::string_view, std::size_t> parameters_; ///< by name
    std::unordered_map<std::string_view, Origin> origins_;         ///< by register
    std::vector<Token> statement_;
    std::vector<std::string_view> operands_; ///< of the statement: names, numbers and symbols
};

} // namespace

std::vector<Kernel> parse_ptx_entries(std::string_view ptx) {
    // No program has so many. A kernel takes far more memory than the eight bytes that declare one.
    constexpr std::size_t kMostKernels = 20000;
    std::vector<Kernel> kernels;
    ptx::EntryScanner scanner(ptx);
    while (const std::optional<ptx::EntryHead> head = scanner.next_entry()) {
        if (kernels.size() == kMostKernels) break;
        Kernel& kernel = kernels.emplace_back(kernel_of(*head));
        if (scanner.token().is('{')) BodyReader(scanner, *head, kernel).run();
        // The type of a pointer says nothing about the memory that it points to.
        for (Parameter& parameter : kernel.parameters)
            if (parameter.pointer) parameter.dtype.clear();
    }
    return kernels;
}

std::vector<Variable> parse_ptx_variables(std::string_view ptx) {
    std::vector<Variable> variables;
    for (const ptx::ModuleVariable& declared : ptx::module_variables(ptx)) {
        Variable& variable = variables.emplace_back();
        variable.lowered = declared.name;
        variable.name = demangled_name(declared.name);
        if (!declared.array) variable.dtype = array_dtype(declared.type);
        variable.size = declared.size;
        variable.alignment = declared.alignment;
        variable.constant = declared.constant;
    }
    return variables;
}

std::vector<Reference> parse_ptx_references(std::string_view ptx) {
    std::vector<Reference> references;
    for (const ptx::ModuleReference& declared : ptx::module_references(ptx))
        references.push_back({demangled_name(declared.name), std::string(declared.name), declared.is_surface});
    return references;
}

} // namespace warplight::compiler
