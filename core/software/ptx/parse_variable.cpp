// SPDX-License-Identifier: Apache-2.0
// Declarations of variables, and their initial values.
#include "parser_state.hpp"
#include "words.hpp"

#include <algorithm>
#include <bit>

namespace warplight::ptx {
namespace {

/// The bits of a binary64 value as binary16 or bfloat16 (round to nearest even).
std::uint64_t narrow(double value, unsigned mantissa_bits, int exponent_bias, int largest_exponent) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t sign = bits >> 63;
    const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
    std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFFull;
    const auto pack = [&](std::uint64_t magnitude) { return sign << 15 | magnitude; };
    const std::uint64_t infinity = static_cast<std::uint64_t>(largest_exponent + exponent_bias + 1) << mantissa_bits;
    if (exponent == 1024)
        return pack(mantissa ? infinity | (infinity >> 1 & ((1u << mantissa_bits) - 1)) | 1 : infinity);
    if (exponent < -1022) return pack(0);
    mantissa |= std::uint64_t{1} << 52;
    unsigned drop = 52 - mantissa_bits;
    int biased = exponent + exponent_bias;
    if (biased < 1) {
        drop += static_cast<unsigned>(std::min(1 - biased, 60));
        biased = 0;
        if (drop > 54) return pack(0);
    }
    std::uint64_t kept = mantissa >> drop;
    const std::uint64_t rest = mantissa & ((std::uint64_t{1} << drop) - 1), half = std::uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1))) ++kept;
    const std::uint64_t magnitude =
        biased == 0 ? kept : (static_cast<std::uint64_t>(biased - 1) << mantissa_bits) + kept;
    return pack(std::min(magnitude, infinity));
}

} // namespace

std::uint32_t Parser::parse_alignment() {
    const Token at = token_;
    const std::uint64_t value = parse_count("an alignment", kMaxAlignment);
    if (!std::has_single_bit(value)) fail(at, "an alignment must be a power of two");
    return static_cast<std::uint32_t>(value);
}

/// .align N .v2 .type .ptr .space, in any order that occurs.
Variable Parser::parse_declarator_type(Space space) {
    Variable v;
    v.space = space;
    std::uint32_t alignment = 0;
    while (token_.kind == Token::Kind::word) {
        const Token word = token_;
        advance();
        if (word.text == "align") {
            (v.pointer ? v.pointer_alignment : alignment) = parse_alignment();
        } else if (word.text == "ptr" && space == Space::param) {
            v.pointer = true;
        } else if (word.text == "attribute") {
            v.managed = parse_attributes() || v.managed;
        } else if (const Word* known = find_word(word.text)) {
            if (known->kind == Word::Kind::vector)
                v.vector_width = static_cast<std::uint8_t>(known->value);
            else if (known->kind == Word::Kind::space && v.pointer)
                v.pointer_space = static_cast<Space>(known->value);
            else if (known->kind == Word::Kind::type && v.pointer && is_opaque(static_cast<Type>(known->value)))
                continue; // .u64 .ptr .texref: a parameter that holds a handle
            else if (known->kind == Word::Kind::type && v.type == Type::none)
                v.type = static_cast<Type>(known->value);
            else
                fail(word, "unexpected '." + std::string(word.text) + "' in a declaration");
        } else {
            fail(word, "unknown type '." + std::string(word.text) + "'");
        }
    }
    if (v.type == Type::none) unexpected("a type");
    if (is_opaque(v.type)) {
        if (space != Space::global && space != Space::param)
            fail(token_, "a ." + std::string(spelling(v.type)) + " must be a .global variable or a parameter");
        if (v.vector_width != 1) fail(token_, "a ." + std::string(spelling(v.type)) + " is no vector");
        if (v.type == Type::samplerref && space == Space::global && !texmode_independent_)
            fail(token_, "a .samplerref needs '.target texmode_independent'");
    }
    const bool storable = bits(v.type) >= 8 && bits(v.type) <= 128;
    if (!storable && !(space == Space::reg && v.type == Type::pred))
        fail(token_, "a variable cannot have the type '." + std::string(spelling(v.type)) + "'");
    const std::uint32_t natural = bits(v.type) / 8 * v.vector_width;
    if (natural > 64) fail(token_, "a vector cannot be wider than 64 bytes");
    v.alignment = std::max({alignment, natural, 1u});
    if (alignment != 0) v.alignment = std::max(alignment, std::max(bits(v.type) / 8, 1u));
    return v;
}

void Parser::parse_dimensions(Variable& v, std::vector<std::uint64_t>& dimensions) {
    while (accept('[')) {
        if (dimensions.size() == kMaxDimensions) fail(token_, "too many dimensions");
        if (accept(']')) {
            if (!dimensions.empty()) fail(token_, "only the first dimension can be left out");
            v.unsized = true;
            dimensions.push_back(0);
            continue;
        }
        dimensions.push_back(parse_count("an array size", kMaxVariableSize));
        expect(']');
    }
    std::uint64_t size = std::max(bits(v.type) / 8, 1u) * std::uint64_t{v.vector_width};
    for (const std::uint64_t n : dimensions) {
        if (n != 0 && size > kMaxVariableSize / n) fail(token_, "the variable '" + v.name + "' is too large");
        size *= n;
    }
    if (v.space == Space::param && size > kMaxParameterSize)
        fail(token_, "the parameter '" + v.name + "' is too large");
    v.size = size;
}

void Parser::parse_variables(Space space, Linkage linkage, bool managed) {
    const Variable type = parse_declarator_type(space);
    do {
        Variable v = type;
        v.managed = v.managed || managed;
        v.linkage = linkage;
        const Token name = token_;
        v.name = expect_identifier("a name");
        // `.param .b64 p<3>` declares p0, p1, p2.
        std::uint64_t repeated = 0;
        if (token_.is('<')) {
            advance();
            repeated = parse_count("the number of variables", 65536);
            expect('>');
        }
        std::vector<std::uint64_t> dimensions;
        parse_dimensions(v, dimensions);
        if (v.type == Type::samplerref && !token_.is('=')) store_initial(v, 0, kSamplerDefault, 8);
        if (accept('=')) {
            if (space != Space::global && space != Space::constant)
                fail(token_, "only .global and .const variables can be initialised");
            parse_initializer(v, dimensions);
        }
        if (v.unsized && linkage != Linkage::external) fail(name, "the size of '" + v.name + "' is missing");
        if (repeated != 0) {
            if (depth_ == 0) fail(name, "a group of variables must be inside a function");
            for (std::uint64_t k = 0; k < repeated; ++k) {
                // The names must outlive the maps: a small set that the module never frees before parsing ends.
                v.name = std::string(name.text) + std::to_string(k);
                made_names_.push_back(std::make_unique<std::string>(v.name));
                declare(
                    name, *made_names_.back(),
                    {Symbol::Kind::function_variable, 0, 0, static_cast<std::uint32_t>(function_->variables.size())});
                function_->variables.push_back(v);
            }
            continue;
        }
        const bool of_module = space == Space::global || space == Space::constant || depth_ == 0;
        if (!of_module) {
            declare(name, name.text,
                    {Symbol::Kind::function_variable, 0, 0, static_cast<std::uint32_t>(function_->variables.size())});
            function_->variables.push_back(std::move(v));
            continue;
        }
        if (depth_ == 0)
            if (Symbol* known = names_.find(name.text); known && known->kind == Symbol::Kind::module_variable) {
                Variable& old = module_.variables[known->index];
                const bool declares = v.linkage == Linkage::external;
                if (old.linkage != Linkage::external && !declares && old.linkage != Linkage::weak &&
                    old.linkage != Linkage::common)
                    fail(name, "duplicate definition of '" + v.name + "'");
                if (old.space != v.space) fail(name, "'" + v.name + "' was declared in another state space");
                if (!declares) old = std::move(v);
                continue;
            }
        declare(name, name.text,
                {Symbol::Kind::module_variable, 0, 0, static_cast<std::uint32_t>(module_.variables.size())});
        module_.variables.push_back(std::move(v));
    } while (accept(','));
    expect(';');
}

/// .tex .u32 a, b; the old way to write .global .texref a, b;
void Parser::parse_textures(Linkage linkage) {
    Variable v = parse_declarator_type(Space::global);
    if (bits(v.type) != 32 && bits(v.type) != 64) fail(token_, "a .tex variable is .u32 or .u64");
    v.type = Type::texref;
    v.size = 8;
    v.alignment = 8;
    v.linkage = linkage;
    do {
        const Token name = token_;
        v.name = expect_identifier("a name");
        declare(name, name.text,
                {Symbol::Kind::module_variable, 0, 0, static_cast<std::uint32_t>(module_.variables.size())});
        module_.variables.push_back(v);
    } while (accept(','));
    expect(';');
}

// --- initial values

void Parser::extend_initial(Variable& v, std::uint64_t end) {
    if (v.initial.size() >= end) return;
    initial_bytes_ += end - v.initial.size();
    if (initial_bytes_ > kMaxInitialBytes) fail(token_, "the initial values of this module are too large");
    if (v.initial.capacity() < end) v.initial.reserve(std::max<std::size_t>(end, v.initial.capacity() * 2));
    v.initial.resize(end);
}

void Parser::store_initial(Variable& v, std::uint64_t offset, std::uint64_t value, unsigned bytes) {
    if (value == 0 && v.initial.size() < offset + bytes) return; // bytes that are not stored are zero
    extend_initial(v, offset + bytes);
    for (unsigned k = 0; k < bytes; ++k)
        v.initial[offset + k] = static_cast<std::byte>(value >> (8 * k));
}

/// { name = value, … } of a sampler, kept packed in its eight bytes (see Variable). The values of
/// a texture are set by the host, and only checked for form here.
void Parser::parse_opaque_initializer(Variable& v) {
    std::uint64_t packed = kSamplerDefault;
    const auto set = [&](unsigned at, unsigned width, std::uint64_t value) {
        const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
        packed = (packed & ~(mask << at)) | (value & mask) << at;
    };
    static constexpr std::pair<std::string_view, unsigned> kAddressModes[] = {
        {"wrap", 0}, {"clamp_to_edge", 1}, {"clamp_ogl", 1}, {"mirror", 2}, {"clamp_to_border", 3}};
    expect('{');
    if (!accept('}')) {
        do {
            const Token field = token_;
            expect_identifier("a field");
            expect('=');
            const Token value = token_;
            std::uint64_t number = 0;
            if (token_.kind == Token::Kind::identifier)
                advance();
            else
                number = parse_constant().bits;
            if (v.type != Type::samplerref) continue;
            if (field.text == "filter_mode") {
                if (value.text != "nearest" && value.text != "linear") fail(value, "unknown filter mode");
                set(kSamplerFilter, 1, value.text == "linear");
            } else if (field.text == "force_unnormalized_coords") {
                set(kSamplerUnnormalized, 1, number != 0);
            } else if (field.text.size() == 11 && field.text.starts_with("addr_mode_") && field.text[10] >= '0' &&
                       field.text[10] <= '2') {
                bool known = false;
                for (const auto& [mode, code] : kAddressModes) {
                    if (value.text != mode) continue;
                    set(4u * static_cast<unsigned>(field.text[10] - '0'), 2, code);
                    known = true;
                }
                if (!known) fail(value, "unknown address mode '" + std::string(value.text) + "'");
            } else {
                fail(field, "a sampler has no field '" + std::string(field.text) + "'");
            }
        } while (accept(','));
        expect('}');
    }
    if (v.type == Type::samplerref) store_initial(v, 0, packed, 8);
}

void Parser::parse_initializer(Variable& v, std::vector<std::uint64_t>& dimensions) {
    if (is_opaque(v.type)) return parse_opaque_initializer(v);
    std::uint64_t written = 0;
    if (v.vector_width > 1) dimensions.push_back(v.vector_width);
    if (dimensions.empty()) {
        // A scalar may stand in braces too.
        const bool braces = accept('{');
        parse_initial_value(v, 0);
        if (braces) expect('}');
        return;
    }
    const std::uint64_t whole = v.size;
    parse_initializer_level(v, dimensions, 0, 0, written);
    if (v.unsized) {
        std::uint64_t row = bits(v.type) / 8;
        for (std::size_t d = 1; d < dimensions.size(); ++d)
            row *= dimensions[d];
        v.size = written * row;
        v.unsized = false;
    } else {
        v.size = whole;
    }
}

/// `{a, {b, c}, …}` of one dimension; `count` is set to the elements of this level that were written.
void Parser::parse_initializer_level(Variable& v, const std::vector<std::uint64_t>& dimensions, std::size_t level,
                                     std::uint64_t offset, std::uint64_t& count) {
    std::uint64_t stride = bits(v.type) / 8;
    for (std::size_t d = level + 1; d < dimensions.size(); ++d)
        stride *= dimensions[d];
    const bool open_ended = level == 0 && v.unsized;
    // Elements of inner dimensions may stand in braces or follow each other without.
    const std::uint64_t flat_limit = open_ended ? kMaxInitialBytes : dimensions[level] * stride;
    expect('{');
    std::uint64_t at = 0; // bytes from `offset`
    if (!accept('}')) {
        do {
            if (token_.is('}')) break; // a comma at the end
            if (at >= flat_limit) fail(token_, "too many initial values for '" + v.name + "'");
            if (token_.is('{')) {
                if (level + 1 >= dimensions.size())
                    fail(token_, "too many braces in the initial value of '" + v.name + "'");
                std::uint64_t inner = 0;
                at = (at + stride - 1) / stride * stride;
                if (at >= flat_limit) fail(token_, "too many initial values for '" + v.name + "'");
                parse_initializer_level(v, dimensions, level + 1, offset + at, inner);
                at += stride;
            } else {
                parse_initial_value(v, offset + at);
                at += bits(v.type) / 8;
            }
        } while (accept(','));
        expect('}');
    }
    count = stride == 0 ? 0 : (at + stride - 1) / stride;
}

void Parser::parse_initial_value(Variable& v, std::uint64_t offset) {
    if (token_.kind == Token::Kind::identifier && !token_.is_identifier("WARP_SZ"))
        return parse_initial_address(v, offset, 0);
    const Token at = token_;
    const Constant c = parse_constant();
    if (token_.is('(') && !c.floating) {
        advance();
        parse_initial_address(v, offset, c.bits);
        expect(')');
        return;
    }
    const unsigned bytes = bits(v.type) / 8;
    std::uint64_t value = c.bits;
    if (c.floating) {
        const double wide = c.type == Type::f32
                                ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(c.bits)))
                                : std::bit_cast<double>(c.bits);
        if (v.type == Type::f32)
            value = c.type == Type::f32 ? c.bits : std::bit_cast<std::uint32_t>(static_cast<float>(wide));
        else if (v.type == Type::f64)
            value = c.type == Type::f64 ? c.bits : std::bit_cast<std::uint64_t>(wide);
        else if (v.type == Type::f16)
            value = narrow(wide, 10, 15, 15);
        else if (v.type == Type::bf16)
            value = narrow(wide, 7, 127, 127);
        else if (is_float(v.type) || is_signed(v.type) || (bits(c.type) != bits(v.type)))
            fail(at, "a floating-point constant cannot initialise '" + v.name + "' of type ." +
                         std::string(spelling(v.type)));
    } else if (v.type == Type::f32) {
        value = std::bit_cast<std::uint32_t>(c.is_unsigned ? static_cast<float>(c.bits)
                                                           : static_cast<float>(static_cast<std::int64_t>(c.bits)));
    } else if (v.type == Type::f64) {
        value = std::bit_cast<std::uint64_t>(c.is_unsigned ? static_cast<double>(c.bits)
                                                           : static_cast<double>(static_cast<std::int64_t>(c.bits)));
    }
    store_initial(v, offset, value, std::min(bytes, 8u));
}

/// name, name + offset, generic(name), generic(name) + offset; under a mask one byte of it.
void Parser::parse_initial_address(Variable& v, std::uint64_t offset, std::uint64_t mask) {
    const Token first = token_;
    Variable::Relocation r;
    r.offset = offset;
    if (mask != 0) {
        const unsigned low = static_cast<unsigned>(std::countr_zero(mask));
        if (low % 8 != 0 || mask >> low != 0xFF || bits(v.type) != 8)
            fail(first, "the mask of an address must pick one byte, for a variable of bytes");
        r.shift = static_cast<std::uint8_t>(low);
        r.width = 1;
    } else {
        if (bits(v.type) != 32 && bits(v.type) != 64)
            fail(first, "an address cannot initialise '" + v.name + "' of type ." + std::string(spelling(v.type)));
        r.width = static_cast<std::uint8_t>(bits(v.type) / 8);
    }
    bool generic_open = false;
    if (token_.is_identifier("generic")) {
        advance();
        expect('(');
        r.generic = generic_open = true;
    }
    const Token name = token_;
    expect_identifier("a variable or function");
    const auto parse_addend = [&] {
        if (!token_.is('+') && !token_.is('-')) return;
        const bool minus = token_.is('-');
        advance();
        const Token at = token_;
        const Constant c = parse_constant();
        if (c.floating) fail(at, "an offset must be an integer");
        const std::uint64_t sum = static_cast<std::uint64_t>(r.addend) + (minus ? 0 - c.bits : c.bits);
        r.addend = static_cast<std::int64_t>(sum);
    };
    const std::optional<Symbol> symbol = lookup(name.text);
    if (!symbol) fail(name, "name '" + std::string(name.text) + "' is not declared");
    if (symbol->kind == Symbol::Kind::function)
        r.is_function = true;
    else if (symbol->kind != Symbol::Kind::module_variable)
        fail(name, "the address of '" + std::string(name.text) + "' is not constant");
    r.index = symbol->index;
    parse_addend();
    if (generic_open) {
        expect(')');
        parse_addend();
    }
    extend_initial(v, offset + r.width);
    v.relocations.push_back(r);
}

} // namespace warplight::ptx
