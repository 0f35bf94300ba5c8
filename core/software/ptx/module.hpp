// SPDX-License-Identifier: Apache-2.0
// A parsed PTX module. The parser makes it; the JIT, the loader and the linker read it.
// Names are resolved: an operand holds the index of the register, variable or function it means.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::ptx {

enum class Opcode : std::uint16_t {
    invalid,
#define WARPLIGHT_OPCODE(identifier, spelling, group) identifier,
#include "opcodes.def"
#undef WARPLIGHT_OPCODE
};

/// Everything after a dot that is neither a type, a state space nor a vector width.
enum class Modifier : std::uint16_t {
#define WARPLIGHT_MODIFIER(identifier, spelling) identifier,
#include "modifiers.def"
#undef WARPLIGHT_MODIFIER
    count_
};
using ModifierSet = std::bitset<static_cast<std::size_t>(Modifier::count_)>;

enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f64,
    u16x2,
    s16x2,
    e4m3,
    e5m2,
    e4m3x2,
    e5m2x2,
    texref,
    samplerref,
    surfref,
    // Formats of tensor-core code and of packed arithmetic on newer targets
    b1,
    b4,
    u4,
    s4,
    e2m1,
    e2m3,
    e3m2,
    ue8m0,
    e2m1x2,
    e2m3x2,
    e3m2x2,
    ue8m0x2,
    e4m3x4,
    e5m2x4,
    e2m1x4,
    e2m3x4,
    e3m2x4,
    f32x2,
    s2f6x2,
    b1024,
};
[[nodiscard]] unsigned bits(Type type);  ///< width in bits; pred is 1, opaque references are 64
[[nodiscard]] bool is_float(Type type);  ///< f16, bf16, tf32, f32, f64 and their packed forms
[[nodiscard]] bool is_signed(Type type); ///< s8…s64, s16x2
[[nodiscard]] std::string_view spelling(Type type);
[[nodiscard]] std::string_view spelling(Opcode opcode);
[[nodiscard]] std::string_view spelling(Modifier modifier);

/// generic: no state space was written.
enum class Space : std::uint8_t { generic, reg, sreg, constant, global, local, param, shared, shared_cluster };

enum class SpecialRegister : std::uint16_t {
#define WARPLIGHT_SPECIAL_REGISTER(identifier, spelling) identifier,
#include "special_registers.def"
#undef WARPLIGHT_SPECIAL_REGISTER
    turn, ///< none of PTX: of a grid-stride loop whose rounds are done in turns
};

using RegisterId = std::uint32_t; ///< index into Function::registers
using VariableId = std::uint32_t; ///< index into Module::variables or Function::variables
using FunctionId = std::uint32_t; ///< index into Module::functions
using LabelId = std::uint32_t;    ///< index into Function::labels

/// Where an instruction comes from in the CUDA source (`.loc`), with the chain of inlined calls.
struct SourceLocation {
    std::uint32_t file = 0; ///< number in Module::files; 0: unknown
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::int32_t inlined_at = -1; ///< index into Module::locations of the call, or -1
    std::string function;         ///< name of the inlined function, where `.loc … function_name` gave one
};

struct Operand {
    enum class Kind : std::uint8_t {
        none,            ///< also the sink `_`
        reg,             ///< `reg`, negated when `!p`
        integer,         ///< `integer` (two's complement)
        floating,        ///< `integer` holds the bits of an f32 (0f…) or f64 (0d…, decimal): see `type`
        special,         ///< `special`
        variable,        ///< the address of a variable (`scope`, `index`) plus `integer`
        function,        ///< the address of functions[index]
        label,           ///< labels[index]
        branch_targets,  ///< Function::branch_targets[index], the list of brx.idx
        address,         ///< [base + integer]; base is `base_kind`: reg, variable or none (absolute).
                         ///< `[tex, sampler, {x, y}]`: the operands behind the base are in `elements`
        vector,          ///< {elements…}
        predicated_pair, ///< `p|q` of setp, shfl, match, vote: elements[0] and elements[1]
    };
    /// parameter: Function::parameters; result: Function::results
    enum class Scope : std::uint8_t { module, function, parameter, result };
    /// `.b0`, `.h1`, `.b3210` behind an operand of a video instruction.
    struct Selector {
        std::uint8_t unit = 0; ///< bytes a lane: 1 (.b) or 2 (.h); 0: none written
        std::uint8_t count = 0;
        std::array<std::uint8_t, 4> lanes{}; ///< as written: the most significant first
    };
    Kind kind = Kind::none;
    Kind base_kind = Kind::none;
    Type type = Type::none; ///< of a floating immediate
    Scope scope = Scope::module;
    bool negated = false; ///< `!p`, or `-r` where the ISA allows it
    RegisterId reg = 0;
    std::uint32_t index = 0; ///< variable, function or label
    SpecialRegister special{};
    std::int64_t integer = 0; ///< value or byte offset
    Selector selector;
    std::vector<Operand> elements;
};

/// The callee of a `call`: functions[callee], or a register and a prototype.
struct Call {
    std::optional<FunctionId> callee;
    RegisterId pointer = 0;                   ///< when callee is empty
    std::optional<std::uint32_t> prototype;   ///< Function::prototypes
    std::vector<FunctionId> possible_targets; ///< from `.calltargets`, where given
    std::vector<Operand> results;             ///< variables of Space::param, or registers
    std::vector<Operand> arguments;           ///< likewise, or immediates
};

/// Instructions that are not the kernel's own: jit/front/shadows.hpp, arithmetic_tests.hpp, warp_accesses.hpp and
/// inner_code.hpp add them.
enum class Aid : std::uint8_t {
    none,
    shadow_access, ///< the opcode's access, to the shadow of the memory
    shadow_test,   ///< opcode invalid: tells the runtime of a value, by its shadow; an address may be the first operand
    shadow_spoil,  ///< opcode invalid: a variable of the function holds no values yet
    arithmetic_test, ///< opcode invalid: tells the runtime of a result, by a predicate
    lane_access,     ///< opcode invalid: an access that a lane has its part in; writes whether it may be made
    spare_row,       ///< opcode invalid: writes the address of a row for lanes whose own must be left out
    tile_begin,      ///< opcode invalid: writes where a tile is accessed instead if parts of it must be left out
    next_turn,       ///< opcode invalid: tells that the thread goes on in the next turn (SpecialRegister::turn)
    tile_end,        ///< opcode invalid: moves what was stored there to where it belongs
    lanes_within,    ///< opcode invalid: of x, a, b, low, high: low <= x + a and x + b <= high in all lanes
};

struct Instruction {
    Opcode opcode = Opcode::invalid;
    std::uint8_t type_count = 0;
    std::uint8_t vector_width = 1;       ///< .v2 → 2, .v4 → 4, .v8 → 8
    std::array<Type, 5> types{};         ///< in the order written: cvt.rn.f32.s64 → f32, s64
    Space space = Space::generic;        ///< first state space written
    Space source_space = Space::generic; ///< second one (cp.async.shared.global)
    ModifierSet modifiers;
    std::uint8_t layouts = 0;        ///< how many of .row and .col were written …
    std::uint8_t column_layouts = 0; ///< … and a bit for each that is .col, the first one lowest
    bool guarded = false;
    bool guard_negated = false;
    Aid aid = Aid::none;
    RegisterId guard = 0;
    std::int32_t call = -1;     ///< index into Function::calls for `call`
    std::int32_t location = -1; ///< index into Module::locations, -1: unknown
    std::uint32_t line = 0;     ///< line in the PTX text, from 1
    std::uint32_t column = 0;
    std::vector<Operand> operands; ///< destination first, as written

    [[nodiscard]] bool has(Modifier m) const { return modifiers.test(static_cast<std::size_t>(m)); }
    [[nodiscard]] Type type() const { return types[0]; }
};

struct Register {
    std::string name;
    Type type = Type::none;
};

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

struct Variable {
    std::string name;
    Space space = Space::generic;
    Type type = Type::none; ///< element type
    std::uint8_t vector_width = 1;
    Linkage linkage = Linkage::internal;
    bool managed = false;
    bool unsized = false;   ///< `extern .shared .b8 s[];`, size from the launch
    std::uint64_t size = 0; ///< bytes
    std::uint32_t alignment = 1;
    bool pointer = false;                 ///< a `.ptr` parameter …
    Space pointer_space = Space::generic; ///< … to this space
    std::uint32_t pointer_alignment = 0;
    std::optional<RegisterId> reg; ///< a `.reg` parameter or result of a function lives here
    /// Initial bytes, at most `size`: the bytes behind them are zero. Empty: all zeros.
    std::vector<std::byte> initial;
    struct Relocation {           ///< the address of something, stored in the initial bytes
        std::uint64_t offset = 0; ///< where in `initial`
        std::uint8_t width = 8;   ///< bytes stored
        std::uint8_t shift = 0;   ///< mask(): which byte of the address, in bits
        bool is_function = false;
        bool generic = false;    ///< generic(x): the generic address
        std::uint32_t index = 0; ///< Module::variables or Module::functions
        std::int64_t addend = 0;
    };
    std::vector<Relocation> relocations;
};

struct Prototype {
    std::string name;
    std::vector<Variable> results, parameters;
    bool noreturn = false;
};

struct Label {
    std::string name;
    std::uint32_t instruction = 0; ///< index of the instruction that follows
};

struct BranchTargets { ///< `.branchtargets`
    std::string name;
    std::vector<LabelId> labels;
};

struct Function {
    std::string name;
    bool kernel = false;  ///< .entry
    bool defined = false; ///< has a body
    bool noreturn = false;
    std::optional<FunctionId> alias_of; ///< `.alias this, other`; references are resolved already
    Linkage linkage = Linkage::internal;
    std::vector<Variable> results;
    std::vector<Variable> parameters;
    std::vector<Register> registers;
    std::vector<Variable> variables; ///< .local, .shared, .param declared in the body
    std::vector<Label> labels;
    std::vector<BranchTargets> branch_targets;
    std::vector<Prototype> prototypes; ///< .callprototype
    std::vector<Call> calls;
    std::vector<Instruction> instructions;
    std::array<std::uint32_t, 3> max_threads{};      ///< .maxntid, 0 when absent
    std::array<std::uint32_t, 3> required_threads{}; ///< .reqntid
    std::array<std::uint32_t, 3> required_cluster{}; ///< .reqnctapercluster
    std::uint32_t most_cluster_blocks = 0;           ///< .maxclusterrank
    bool explicit_cluster = false;                   ///< .explicitcluster
    std::uint32_t min_blocks = 0;                    ///< .minnctapersm
    std::uint32_t max_registers = 0;                 ///< .maxnreg
    std::uint32_t line = 0;                          ///< of the declaration in the PTX text
};

/// A `.section .debug_…` of PTX that was compiled for debuggers: DWARF.
struct DebugSection {
    struct Symbol {
        std::uint64_t offset = 0; ///< where its address belongs; the bytes there are an addend
        std::string name;         ///< label, variable, parameter, or another section with its dot
    };
    std::string name; ///< "debug_info"
    std::string bytes;
    std::vector<Symbol> symbols;                               ///< by offset
    std::vector<std::pair<std::string, std::uint64_t>> labels; ///< of its own
};

struct Module {
    unsigned version_major = 0, version_minor = 0;
    unsigned target = 0;       ///< sm_80 → 80
    std::string target_suffix; ///< "a" of sm_90a
    unsigned address_size = 64;
    bool debug = false;             ///< `.target …, debug`
    std::vector<std::string> files; ///< `.file N "…"`; files[0] unused
    std::vector<SourceLocation> locations;
    std::vector<DebugSection> debug_sections; ///< of modules for debuggers only; damaged ones are missing
    std::vector<Variable> variables;
    std::vector<Function> functions;

    [[nodiscard]] std::optional<FunctionId> find_function(std::string_view name) const;
    [[nodiscard]] std::optional<VariableId> find_variable(std::string_view name) const;
};

/// Layout of a function's parameters as the driver packs them: byte offset of each, and the total size.
struct ParameterLayout {
    std::vector<std::uint64_t> offsets;
    std::uint64_t size = 0;
};
[[nodiscard]] ParameterLayout layout_parameters(const std::vector<Variable>& parameters);

/// The functions and variables that a kernel reaches.
struct Reachable {
    std::vector<FunctionId> functions; ///< the kernel first
    std::vector<VariableId> variables; ///< of the module
    bool calls_indirectly = false;
    bool uses_dynamic_shared = false;
    bool uses_reserved_shared = false; ///< reads %reserved_smem_offset
};
[[nodiscard]] Reachable reachable_from(const Module& module, FunctionId kernel);

/// Where each .shared variable that a kernel reaches lies in the block's shared window.
struct SharedLayout {
    struct Entry {
        bool module_scope = true;
        FunctionId function = 0; ///< when !module_scope
        VariableId variable = 0;
        std::uint64_t offset = 0;
    };
    std::vector<Entry> entries;    ///< unsized (dynamic) variables lie at static_size
    std::uint64_t static_size = 0; ///< aligned so that dynamic shared memory can follow
    [[nodiscard]] std::optional<std::uint64_t> offset_of(bool module_scope, FunctionId f, VariableId v) const;
};
[[nodiscard]] SharedLayout layout_shared(const Module& module, const Reachable& reachable);

/// The largest number of 32-bit registers live at once, as an estimate of what ptxas allocates.
[[nodiscard]] unsigned estimate_registers(const Function& function);

} // namespace warplight::ptx
