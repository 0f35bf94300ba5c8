// SPDX-License-Identifier: Apache-2.0
// The parser: a recursive descent over tokens, split by topic into the parse_*.cpp files.
#pragma once

#include "module.hpp"
#include "names.hpp"
#include "opaque.hpp"
#include "ptx_text/lexer.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warplight::ptx {

/// Limits that no real module comes near. Text beyond them is an error, so that hostile text costs no more memory
/// than its length explains.
inline constexpr std::uint64_t kMaxRegisterRange = 1u << 24;
inline constexpr std::uint64_t kMaxVariableSize = std::uint64_t{1} << 40;
/// Parameters of functions lie on a stack.
inline constexpr std::uint64_t kMaxParameterSize = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{1} << 28;
inline constexpr std::uint32_t kMaxAlignment = 1u << 20;
inline constexpr unsigned kMaxScopeDepth = 1000;
inline constexpr unsigned kMaxExpressionDepth = 100;
inline constexpr unsigned kMaxVectorElements = 256;
inline constexpr unsigned kMaxOperands = 32;
inline constexpr unsigned kMaxDimensions = 16;

class Parser {
public:
    explicit Parser(std::string_view text) : lexer_(text) { advance(); }
    Module run();

private:
    struct Symbol {
        enum class Kind : std::uint8_t {
            none,
            reg,
            vector_register, ///< index of the first of `count` registers
            module_variable,
            function_variable,
            parameter,
            result,
            function,
        };
        Kind kind = Kind::none;
        std::uint8_t count = 0;
        std::uint16_t depth = 0;
        std::uint32_t index = 0;
    };
    /// `.reg .b32 %r<10>`: its registers are made when they are first named.
    struct RegisterRange {
        std::string_view prefix;
        std::uint64_t count = 0;
        Type type = Type::none;
        std::uint16_t depth = 0;
    };
    struct Constant {
        bool floating = false;
        Type type = Type::f64; ///< of a floating one: f32 (0f…) or f64
        bool is_unsigned = false;
        std::uint64_t bits = 0;
    };
    struct Scope {
        std::int32_t parent = -1;
        NameMap<LabelId> labels;
    };
    struct Place {
        std::uint32_t line = 0, column = 0;
    };
    /// A use of a label, settled at the end of the function.
    struct LabelUse {
        std::string_view name;
        Place place;
        std::int32_t scope = 0;
        bool in_instruction = true; ///< else in a .branchtargets list
        std::uint32_t index = 0;    ///< instruction or list
        std::uint32_t element = 0;  ///< operand or list element
    };
    struct CallUse {
        std::string_view name; ///< of a prototype or target list
        Place place;
        std::uint32_t call = 0;
    };
    struct TableUse {
        std::string_view name; ///< of a .branchtargets list
        Place place;
        std::uint32_t instruction = 0, operand = 0;
    };

    // --- tokens
    void advance() { token_ = lexer_.next(); }
    bool accept(char symbol);
    void expect(char symbol);
    std::string_view expect_identifier(const char* what);
    [[noreturn]] void fail(const Token& at, std::string message) const {
        fail(Place{at.line, at.column}, std::move(message));
    }
    [[noreturn]] void fail(Place at, std::string message) const;
    [[noreturn]] void unexpected(const char* wanted) const;

    // --- parse_module.cpp
    void parse_header();
    void parse_target();
    void parse_top_level();
    void parse_alias();
    void resolve_aliases();
    void skip_section();
    void keep_section(std::string_view name);
    void parse_section_line(DebugSection& section);
    void parse_debug_strings();
    void parse_file();
    void parse_location();
    void finish_locations();
    Linkage parse_linkage();
    bool parse_attributes();

    // --- parse_function.cpp
    void parse_function(bool kernel, Linkage linkage);
    std::vector<Variable> parse_parameters(bool kernel, std::vector<Token>* names = nullptr);
    void parse_function_directives(Function& f);
    void declare_parameters(std::vector<Variable>& parameters, const std::vector<Token>& names, Symbol::Kind kind);
    void parse_body();
    void finish_body();
    void parse_statement();
    void parse_label(const Token& name);
    void open_scope();
    void close_scope();
    void resolve_labels();
    void resolve_calls();
    void parse_register_declaration();

    // --- parse_variable.cpp
    void parse_variables(Space space, Linkage linkage, bool managed);
    void parse_textures(Linkage linkage);
    Variable parse_declarator_type(Space space);
    void parse_dimensions(Variable& v, std::vector<std::uint64_t>& dimensions);
    void parse_initializer(Variable& v, std::vector<std::uint64_t>& dimensions);
    void parse_initializer_level(Variable& v, const std::vector<std::uint64_t>& dimensions, std::size_t level,
                                 std::uint64_t offset, std::uint64_t& elements_written);
    void parse_initial_value(Variable& v, std::uint64_t offset);
    void parse_initial_address(Variable& v, std::uint64_t offset, std::uint64_t mask);
    void extend_initial(Variable& v, std::uint64_t end);
    void store_initial(Variable& v, std::uint64_t offset, std::uint64_t bits, unsigned bytes);
    void parse_opaque_initializer(Variable& v);
    std::uint32_t parse_alignment();

    // --- parse_expression.cpp
    Constant parse_constant(int lowest_precedence = 0, unsigned depth = 0);
    Constant parse_unary(unsigned depth);
    Constant parse_number();
    Constant combine(const Token& op, const Constant& a, const Constant& b) const;
    Constant combine_floats(const Token& op, const Constant& a, const Constant& b) const;
    std::uint64_t parse_count(const char* what, std::uint64_t most);

    // --- parse_instruction.cpp
    void parse_instruction();
    void parse_mnemonic(Instruction& i);
    [[nodiscard]] std::string mnemonic() const;

    // --- parse_operand.cpp
    Operand parse_operand(bool allow_pair = true, unsigned depth = 0);
    Operand parse_pair(Operand first);
    Operand parse_named(const Token& name);
    Operand parse_special(const Token& name);
    Operand parse_vector_register(const Token& name, const Symbol& symbol);
    Operand parse_address(unsigned depth);
    Operand parse_vector(unsigned depth);
    void parse_selector(Operand& operand);
    Operand immediate(const Constant& c) const;
    std::optional<Symbol> lookup(std::string_view name);
    std::optional<Symbol> find_in_ranges(std::string_view name, std::uint16_t below_depth);
    void declare(const Token& at, std::string_view name, Symbol symbol);
    void bind(std::string_view name, Symbol symbol);
    RegisterId add_register(std::string_view name, Type type);

    // --- parse_call.cpp
    void parse_call(Instruction& i);
    std::vector<Operand> parse_call_list();
    Operand parse_call_argument();
    void parse_prototype(std::string_view name);
    void parse_call_targets(std::string_view name);
    void parse_branch_targets(std::string_view name);

    Lexer lexer_;
    Token token_;
    std::vector<std::unique_ptr<std::string>> made_names_; ///< names that are no piece of the text
    std::uint64_t initial_bytes_ = 0;                      ///< of all variables so far
    Module module_;
    bool texmode_independent_ = false; ///< samplers are variables of their own

    NameMap<Symbol> names_;
    struct Undo {
        std::string_view name;
        Symbol previous;
    };
    std::vector<std::vector<Undo>> undo_; ///< by depth: names to restore when the scope closes
    std::vector<RegisterRange> ranges_;   ///< innermost last
    std::uint16_t depth_ = 0;             ///< 0: module, 1: function, more: nested
    std::string_view opcode_text_;        ///< of the instruction being read
    const char* mnemonic_end_ = nullptr;

    // The function being read
    Function* function_ = nullptr;
    std::vector<Scope> scopes_;
    std::int32_t scope_ = -1;
    std::vector<LabelUse> label_uses_;
    std::vector<CallUse> call_uses_;
    std::vector<TableUse> table_uses_;
    NameMap<std::uint32_t> prototypes_, branch_lists_, call_lists_;
    std::vector<std::vector<FunctionId>> call_targets_;

    // Source locations
    std::int32_t location_ = -1;
    std::unordered_map<std::uint64_t, std::int32_t> location_index_;
    struct FunctionName {
        std::int32_t location = 0;
        std::string_view label;
        std::int64_t offset = 0;
    };
    std::vector<FunctionName> function_names_;
    NameMap<std::size_t> debug_labels_; ///< where in debug_strings_ a label stands
    std::string debug_strings_;
};

} // namespace warplight::ptx
