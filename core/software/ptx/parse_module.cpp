// SPDX-License-Identifier: Apache-2.0
// Directives of the module, debug information, and parse() itself.
#include "parser.hpp"
#include "parser_state.hpp"
#include "words.hpp"

#include <algorithm>
#include <charconv>
#include <new>

namespace warplight::ptx {
namespace {

constexpr unsigned kNewestMajor = 9, kNewestMinor = 0;

std::string shown(const Token& t) {
    switch (t.kind) {
    case Token::Kind::end: return "the end of the text";
    case Token::Kind::word: return "'." + std::string(t.text.substr(0, 80)) + "'";
    case Token::Kind::string: return "a string";
    default: return "'" + std::string(t.text.substr(0, 80)) + "'";
    }
}

} // namespace

void Parser::fail(Place at, std::string message) const { throw Failure{at.line, at.column, std::move(message)}; }

void Parser::unexpected(const char* wanted) const {
    fail(token_, "expected " + std::string(wanted) + ", found " + shown(token_));
}

bool Parser::accept(char symbol) {
    if (!token_.is(symbol)) return false;
    advance();
    return true;
}

void Parser::expect(char symbol) {
    if (!token_.is(symbol)) {
        const char wanted[] = {'\'', symbol, '\'', '\0'};
        unexpected(wanted);
    }
    advance();
}

std::string_view Parser::expect_identifier(const char* what) {
    if (token_.kind != Token::Kind::identifier) unexpected(what);
    const std::string_view text = token_.text;
    advance();
    return text;
}

void Parser::parse_header() {
    if (!token_.is_word("version")) fail(token_, "missing .version directive at the start of the text");
    advance();
    const Token number = token_;
    const std::string_view text = number.text;
    const std::size_t dot = text.find('.');
    unsigned major = 0, minor = 0;
    const auto read = [](std::string_view digits, unsigned& out) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return error == std::errc{} && end == digits.data() + digits.size();
    };
    if (number.kind != Token::Kind::floating || dot == std::string_view::npos || !read(text.substr(0, dot), major) ||
        !read(text.substr(dot + 1), minor))
        fail(number, "malformed .version");
    advance();
    if (major > kNewestMajor || (major == kNewestMajor && minor > kNewestMinor))
        throw Failure{number.line, number.column,
                      "unsupported .version " + std::string(text) + "; the newest supported is " +
                          std::to_string(kNewestMajor) + "." + std::to_string(kNewestMinor),
                      true};
    module_.version_major = major;
    module_.version_minor = minor;
    if (!token_.is_word("target")) fail(token_, "missing .target directive behind .version");
    parse_target();
}

/// .target sm_90a, texmode_independent, debug
void Parser::parse_target() {
    advance();
    do {
        const Token name = token_;
        const std::string_view text = expect_identifier("a target");
        if (text.starts_with("sm_")) {
            const std::string_view number = text.substr(3);
            unsigned target = 0;
            const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), target);
            const std::string_view suffix(end, static_cast<std::size_t>(number.data() + number.size() - end));
            if (error != std::errc{} || target < 10 || target > 9999 ||
                (suffix != "" && suffix != "a" && suffix != "f"))
                fail(name, "unknown target '" + std::string(text) + "'");
            module_.target = target;
            module_.target_suffix = suffix;
        } else if (text == "debug") {
            module_.debug = true;
        } else if (text == "texmode_independent") {
            texmode_independent_ = true;
        } else if (text != "texmode_unified" && text != "map_f64_to_f32") {
            fail(name, "unknown target '" + std::string(text) + "'");
        }
    } while (accept(','));
    if (module_.target == 0) fail(token_, ".target names no architecture");
}

/// .attribute(.managed, .unified(1, 2)); true when it says managed.
bool Parser::parse_attributes() {
    bool managed = false;
    expect('(');
    do {
        const Token word = token_;
        if (word.kind != Token::Kind::word) unexpected("an attribute");
        advance();
        if (word.text == "managed") {
            managed = true;
        } else if (word.text == "unified") {
            expect('(');
            parse_constant();
            expect(',');
            parse_constant();
            expect(')');
        } else {
            fail(word, "unknown attribute '." + std::string(word.text) + "'");
        }
    } while (accept(','));
    expect(')');
    return managed;
}

Linkage Parser::parse_linkage() {
    Linkage linkage = Linkage::internal;
    for (;; advance()) {
        if (token_.is_word("visible"))
            linkage = Linkage::visible;
        else if (token_.is_word("extern"))
            linkage = Linkage::external;
        else if (token_.is_word("weak"))
            linkage = Linkage::weak;
        else if (token_.is_word("common"))
            linkage = Linkage::common;
        else
            return linkage;
    }
}

void Parser::parse_top_level() {
    if (accept(';')) return;
    if (token_.kind != Token::Kind::word) unexpected("a directive");
    const Linkage linkage = parse_linkage();
    bool managed = false;
    if (token_.is_word("attribute")) {
        advance();
        managed = parse_attributes();
    }
    const Token word = token_;
    if (word.kind != Token::Kind::word) unexpected("a directive");
    const std::string_view s = word.text;
    if (s == "loc") return parse_location();
    if (s == "target") fail(word, ".target appears twice");
    if (s == "version") fail(word, ".version appears twice");
    advance();
    if (s == "entry") return parse_function(true, linkage);
    if (s == "func") return parse_function(false, linkage);
    if (s == "global") return parse_variables(Space::global, linkage, managed);
    if (s == "const") return parse_variables(Space::constant, linkage, managed);
    if (s == "shared" || s == "shared::cta") return parse_variables(Space::shared, linkage, managed);
    if (s == "local") return parse_variables(Space::local, linkage, managed);
    if (s == "tex") return parse_textures(linkage);
    if (s == "alias") return parse_alias();
    if (s == "file") return parse_file();
    if (s == "section") return skip_section();
    if (s == "address_size") {
        const Token at = token_;
        module_.address_size = static_cast<unsigned>(parse_count("the address size", 1024));
        if (module_.address_size != 64) fail(at, "only 64-bit addresses are supported (.address_size 64)");
        return;
    }
    if (s == "pragma") {
        do {
            if (token_.kind != Token::Kind::string) unexpected("a string");
            advance();
        } while (accept(','));
        return expect(';');
    }
    fail(word, "unknown directive '." + std::string(s) + "'");
}

/// .alias this, other;
void Parser::parse_alias() {
    const auto function = [this] {
        const Token name = token_;
        expect_identifier("a function");
        const std::optional<Symbol> symbol = lookup(name.text);
        if (!symbol || symbol->kind != Symbol::Kind::function)
            fail(name, "'" + std::string(name.text) + "' is not a declared function");
        return std::pair(name, symbol->index);
    };
    const auto [name, alias] = function();
    expect(',');
    const auto [other_name, other] = function();
    expect(';');
    Function& f = module_.functions[alias];
    if (f.defined || f.kernel) fail(name, "'" + f.name + "' cannot be an alias");
    if (alias == other || module_.functions[other].alias_of) fail(other_name, "an alias must name a function itself");
    f.alias_of = other;
}

/// All that means an alias means its function from here on.
void Parser::resolve_aliases() {
    bool any = false;
    for (const Function& f : module_.functions)
        any = any || f.alias_of.has_value();
    if (!any) return;
    const auto settle = [this](FunctionId& id) {
        if (module_.functions[id].alias_of) id = *module_.functions[id].alias_of;
    };
    for (Function& f : module_.functions) {
        for (Call& call : f.calls) {
            if (call.callee) settle(*call.callee);
            for (FunctionId& target : call.possible_targets)
                settle(target);
        }
        for (Instruction& i : f.instructions)
            for (Operand& o : i.operands)
                if (o.kind == Operand::Kind::function) settle(o.index);
    }
    for (Variable& v : module_.variables)
        for (Variable::Relocation& r : v.relocations)
            if (r.is_function) settle(r.index);
}

// --- debug information

namespace {

void append_integer(std::string& to, std::uint64_t value, unsigned bytes) {
    for (unsigned k = 0; k < bytes; ++k)
        to += static_cast<char>(value >> 8 * k & 0xff);
}

} // namespace

/// .file 1 "name" [, time, size]
void Parser::parse_file() {
    const Token at = token_;
    const std::uint64_t number = parse_count("a file number", 1u << 20);
    if (token_.kind != Token::Kind::string) unexpected("a file name");
    if (number > module_.files.size() + 65536) fail(at, "a file number is too large");
    if (module_.files.size() <= number) module_.files.resize(number + 1);
    module_.files[number] = string_value(token_.text);
    advance();
    while (accept(','))
        parse_constant();
}

/// .loc file line column [, function_name label [+ offset], inlined_at file line column]
void Parser::parse_location() {
    advance();
    const auto place = [this](SourceLocation& l) {
        l.file = static_cast<std::uint32_t>(parse_count("a file number", 1u << 20));
        l.line = static_cast<std::uint32_t>(parse_count("a line number", 0xFFFFFFFFu));
        l.column = static_cast<std::uint32_t>(parse_count("a column", 0xFFFFFFFFu));
    };
    const auto key = [](const SourceLocation& l) {
        return std::uint64_t{l.file} << 48 ^ std::uint64_t{l.line} << 16 ^ l.column;
    };
    const auto same_place = [](const SourceLocation& a, const SourceLocation& b) {
        return a.file == b.file && a.line == b.line && a.column == b.column;
    };
    SourceLocation location;
    place(location);
    FunctionName name{-1, {}, 0};
    while (accept(',')) {
        const Token what = token_;
        expect_identifier("function_name or inlined_at");
        if (what.text == "function_name") {
            if (token_.kind != Token::Kind::identifier && token_.kind != Token::Kind::word) unexpected("a label");
            name.label = token_.text;
            advance();
            if (accept('+')) name.offset = static_cast<std::int64_t>(parse_count("an offset", 0x7FFFFFFF));
        } else if (what.text == "inlined_at") {
            SourceLocation call;
            place(call);
            const auto known = location_index_.find(key(call));
            if (known != location_index_.end() &&
                same_place(module_.locations[static_cast<std::size_t>(known->second)], call)) {
                location.inlined_at = known->second;
            } else {
                location.inlined_at = static_cast<std::int32_t>(module_.locations.size());
                location_index_[key(call)] = location.inlined_at;
                module_.locations.push_back(std::move(call));
            }
        } else {
            fail(what, "unknown part '" + std::string(what.text) + "' of .loc");
        }
    }
    // The same place again, as the compiler says it before each instruction, is the same location.
    const auto known = location_index_.find(key(location));
    if (known != location_index_.end()) {
        const SourceLocation& old = module_.locations[static_cast<std::size_t>(known->second)];
        if (same_place(old, location) && old.inlined_at == location.inlined_at) {
            location_ = known->second;
            return;
        }
    }
    location_ = static_cast<std::int32_t>(module_.locations.size());
    location_index_[key(location)] = location_;
    module_.locations.push_back(std::move(location));
    if (!name.label.empty()) {
        name.location = location_;
        function_names_.push_back(name);
    }
}

/// .section .debug_… { … }: of most modules only the strings are of use, for the names of inlined functions.
void Parser::skip_section() {
    const bool strings = token_.is_word("debug_str");
    if (token_.kind != Token::Kind::word && token_.kind != Token::Kind::identifier) unexpected("a section's name");
    const std::string_view name = token_.text;
    advance();
    expect('{');
    if (module_.debug) keep_section(name);
    if (strings) return parse_debug_strings();
    for (unsigned depth = 1; depth != 0; advance()) {
        if (token_.kind == Token::Kind::end) unexpected("'}'");
        if (token_.is('{')) ++depth;
        if (token_.is('}')) --depth;
    }
}

/// Leaves the place in the text as it is. Debuggers do without a section that is damaged.
void Parser::keep_section(std::string_view name) {
    const Lexer lexer = lexer_;
    const Token first = token_;
    DebugSection section;
    section.name = name;
    try {
        while (!token_.is('}'))
            parse_section_line(section);
        module_.debug_sections.push_back(std::move(section));
    } catch (const Failure&) { // NOLINT(bugprone-empty-catch): the section is skipped
    }
    lexer_ = lexer;
    token_ = first;
}

/// `label:` or `.b8 1, 2` or `.b64 label+4`
void Parser::parse_section_line(DebugSection& section) {
    if (token_.kind == Token::Kind::identifier) {
        section.labels.emplace_back(token_.text, section.bytes.size());
        advance();
        return expect(':');
    }
    const unsigned bytes = token_.is_word("b8")    ? 1
                           : token_.is_word("b16") ? 2
                           : token_.is_word("b32") ? 4
                           : token_.is_word("b64") ? 8
                                                   : 0;
    if (bytes == 0) unexpected("data");
    advance();
    do {
        if (token_.kind == Token::Kind::identifier || token_.kind == Token::Kind::word) {
            const bool other = token_.kind == Token::Kind::word; // .debug_str
            section.symbols.push_back({section.bytes.size(), (other ? "." : "") + std::string(token_.text)});
            advance();
            const std::uint64_t addend = accept('+') ? parse_constant().bits : 0;
            append_integer(section.bytes, addend, bytes);
        } else {
            append_integer(section.bytes, parse_constant().bits, bytes);
        }
    } while (accept(','));
}

void Parser::parse_debug_strings() {
    while (!accept('}')) {
        if (token_.kind == Token::Kind::identifier) {
            debug_labels_[token_.text] = debug_strings_.size();
            advance();
            expect(':');
        } else if (token_.is_word("b8")) {
            do {
                advance();
                const Constant c = parse_constant();
                debug_strings_ += static_cast<char>(c.bits);
            } while (token_.is(','));
        } else if (token_.kind == Token::Kind::end) {
            unexpected("'}'");
        } else {
            advance();
        }
    }
}

void Parser::finish_locations() {
    for (const FunctionName& name : function_names_) {
        std::size_t at = static_cast<std::size_t>(name.offset);
        if (const std::size_t* start = debug_labels_.find(name.label))
            at += *start;
        else if (name.label != "debug_str")
            continue;
        if (at >= debug_strings_.size()) continue;
        const std::size_t end = debug_strings_.find('\0', at);
        // A name longer than this is no name of C++: hostile text could repeat it without bound.
        module_.locations[static_cast<std::size_t>(name.location)].function =
            debug_strings_.substr(at, std::min<std::size_t>(end == std::string::npos ? end : end - at, 1024));
    }
}

Module Parser::run() {
    module_.files.emplace_back();
    parse_header();
    while (token_.kind != Token::Kind::end)
        parse_top_level();
    resolve_aliases();
    finish_locations();
    return std::move(module_);
}

std::variant<Module, ParseError> parse(std::string_view text) {
    const auto error = [](const Failure& f) {
        return ParseError{f.line, f.column, "ptx, line " + std::to_string(f.line) + "; error: " + f.message,
                          f.unsupported_version};
    };
    try {
        return Parser(text).run();
    } catch (const Failure& failure) {
        return error(failure);
    } catch (const std::bad_alloc&) {
        return error({0, 0, "out of memory", false});
    } catch (const std::length_error&) {
        return error({0, 0, "out of memory", false});
    }
}

} // namespace warplight::ptx
