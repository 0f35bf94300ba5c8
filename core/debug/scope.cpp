// SPDX-License-Identifier: Apache-2.0
#include "scope.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace warplight::debug {

using software::StepFrame;

namespace {

constexpr std::size_t kMostCalls = 4096;
constexpr std::uint64_t kMostInRegister = 64; ///< bytes; damaged types may be of any size

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

const char* base_name(ptx::Type type) {
    const unsigned bits = ptx::bits(type);
    if (type == ptx::Type::pred) return "bool";
    if (type == ptx::Type::f32) return "float";
    if (type == ptx::Type::f64) return "double";
    const bool is_signed = ptx::is_signed(type);
    if (bits <= 8) return is_signed ? "signed char" : "unsigned char";
    if (bits == 16) return is_signed ? "short" : "unsigned short";
    if (bits == 32) return is_signed ? "int" : "unsigned int";
    return is_signed ? "long long" : "unsigned long long";
}

/// `_ZZ6kernelE4tile` is the `tile` of a function.
bool is_mangled(std::string_view symbol, std::string_view name) {
    const std::string end = "E" + std::to_string(name.size()) + std::string(name);
    if (!symbol.starts_with("_Z")) return false;
    const std::size_t at = symbol.rfind(end);
    if (at == std::string_view::npos) return false;
    const std::string_view rest = symbol.substr(at + end.size());
    return rest.empty() || rest.starts_with("_");
}

/// The name in the source of a variable in a function; others keep theirs.
std::string source_name(const std::string& symbol) {
    const std::size_t end = symbol.rfind('E');
    if (!symbol.starts_with("_ZZ") || end == std::string::npos) return symbol;
    std::size_t at = end + 1;
    std::size_t length = 0;
    while (at < symbol.size() && symbol[at] >= '0' && symbol[at] <= '9' && length < symbol.size())
        length = length * 10 + static_cast<std::size_t>(symbol[at++] - '0');
    return length && at + length <= symbol.size() ? symbol.substr(at, length) : symbol;
}

} // namespace

std::vector<Call> calls_of(const software::SteppedBlock& block, std::uint32_t thread, const Program& program) {
    std::vector<Call> calls;
    if (state_of(block, thread) == ThreadState::ended) return calls;
    for (const StepFrame* f = block.frames[thread]; f && calls.size() < kMostCalls; f = f->caller)
        calls.push_back({f->function, f->site, reinterpret_cast<const std::byte*>(f)});
    // Behind a stop a thread may have come to a barrier.
    const std::uint32_t site = block.threads[thread].site;
    if (!calls.empty() && site < program.sites() && program.site(site).function == calls[0].function)
        calls[0].site = site;
    return calls;
}

std::uint32_t depth_of(const software::SteppedBlock& block, std::uint32_t thread) {
    std::uint32_t depth = 0;
    for (const StepFrame* f = block.frames[thread]; f && depth < kMostCalls; f = f->caller)
        ++depth;
    return depth;
}

ThreadState state_of(const software::SteppedBlock& block, std::uint32_t thread) {
    switch (block.threads[thread].wait) {
    case software::Wait::done: return ThreadState::ended;
    case software::Wait::running: return block.frames[thread] ? ThreadState::at_line : ThreadState::not_begun;
    case software::Wait::step: return ThreadState::at_line;
    default: return ThreadState::waiting;
    }
}

std::array<std::uint32_t, 3> index_of(const software::SteppedBlock& block, std::uint32_t thread) {
    const auto& n = block.context->launch->ntid;
    return {thread % n[0], thread / n[0] % n[1], thread / n[0] / n[1]};
}

Scope::Scope(Program& program, const software::SteppedLaunch& launch, const software::SteppedBlock& block,
             std::uint32_t thread, Call call)
    : program_(program), launch_(launch), block_(block), thread_(thread), call_(call) {}

// --- places

std::optional<Value> Scope::register_value(ptx::RegisterId r, std::optional<TypeId> type) const {
    const ptx::Type declared = function().registers.at(r).type;
    if (!type) type = program_.info.find_type(base_name(declared));
    const std::byte* at = call_.frame + program_.layout(call_.function).registers.at(r);
    const std::size_t has = std::max(ptx::bits(declared) / 8, 1U);
    std::vector<std::byte> bytes(at, at + has);
    if (declared == ptx::Type::pred) bytes[0] &= std::byte{1};
    const std::uint64_t size = program_.info.size_of(*type);
    if (size > kMostInRegister) return std::nullopt;
    bytes.resize(size);
    return Value{*type, 0, std::move(bytes)};
}

std::optional<std::uint64_t> Scope::frame_address(std::optional<std::uint64_t> offset) const {
    if (!offset) return std::nullopt;
    return load<std::uint64_t>(call_.frame + *offset);
}

/// Of memory that the DWARF names by the PTX variable.
std::optional<std::uint64_t> Scope::address_of(std::string_view symbol) const {
    const ptx::Function& f = function();
    const ptx::StepFrameLayout& layout = program_.layout(call_.function);
    const auto shared = reinterpret_cast<std::uint64_t>(block_.context->shared);
    for (ptx::VariableId v = 0; v < f.variables.size(); ++v) {
        if (f.variables[v].name != symbol) continue;
        if (const auto offset = launch_.shared().offset_of(false, call_.function, v)) return shared + *offset;
        return frame_address(layout.variables[v]);
    }
    for (std::size_t k = 0; k < f.parameters.size(); ++k) {
        if (f.parameters[k].name != symbol) continue;
        if (!f.kernel) return frame_address(layout.parameters[k]);
        const auto base = reinterpret_cast<std::uint64_t>(launch_.context().parameters);
        return base + ptx::layout_parameters(f.parameters).offsets[k];
    }
    const auto v = program_.module().find_variable(symbol);
    if (!v) return std::nullopt;
    if (const auto offset = launch_.shared().offset_of(true, 0, *v)) return shared + *offset;
    const auto all = launch_.variables();
    return *v < all.size() && all[*v] ? std::optional(all[*v]) : std::nullopt;
}

std::optional<Value> Scope::value_at(const Location& location, TypeId type) const {
    if (location.kind == Location::Kind::reg) {
        const auto& all = function().registers;
        for (ptx::RegisterId r = 0; r < all.size(); ++r)
            if (all[r].name == location.name) return register_value(r, type);
        return std::nullopt;
    }
    if (location.kind != Location::Kind::symbol) return std::nullopt;
    const auto address = address_of(location.name);
    return address ? std::optional(Value{type, *address + location.offset, {}}) : std::nullopt;
}

// --- names

namespace {

/// Calls `visit` with the variables of the scopes around an instruction, the innermost first.
template <class Visit>
void each_variable(const DebugScope& scope, std::uint32_t instruction, Visit&& visit) {
    for (const DebugScope& inner : scope.scopes)
        if (instruction >= inner.begin && instruction < inner.end) each_variable(inner, instruction, visit);
    for (const DebugVariable& v : scope.variables)
        visit(v);
}

} // namespace

const DebugVariable* Scope::variable(std::string_view name) const {
    const std::uint32_t instruction = program_.site(call_.site).instruction;
    const DebugVariable* found = nullptr;
    if (const DebugFunction* f = program_.info.of(call_.function))
        each_variable(f->scope, instruction, [&](const DebugVariable& v) {
            if (!found && v.name == name) found = &v;
        });
    if (found) return found;
    for (const DebugVariable& v : program_.info.variables)
        if (v.name == name) return &v;
    return nullptr;
}

std::optional<Value> Scope::find(std::string_view name) const {
    if (name.starts_with('%')) {
        const auto& all = function().registers;
        for (ptx::RegisterId r = 0; r < all.size(); ++r)
            if (all[r].name == name) return register_value(r, std::nullopt);
        return std::nullopt;
    }
    if (const DebugVariable* v = variable(name)) {
        const Location* at = v->at(program_.site(call_.site).instruction);
        auto value = at ? value_at(*at, v->type) : std::nullopt;
        if (!value) throw ExpressionError(fmt::format("'{}' has no value at this line.", name));
        return value;
    }
    if (auto value = index(name)) return value;
    return ptx_variable(name);
}

std::optional<ptx::RegisterId> Scope::register_of(std::string_view name) const {
    std::string wanted(name);
    if (!name.starts_with('%')) {
        const DebugVariable* v = variable(name);
        const Location* at = v ? v->at(program_.site(call_.site).instruction) : nullptr;
        if (!at || at->kind != Location::Kind::reg) return std::nullopt;
        wanted = at->name;
    }
    const auto& all = function().registers;
    for (ptx::RegisterId r = 0; r < all.size(); ++r)
        if (all[r].name == wanted) return r;
    return std::nullopt;
}

std::optional<Value> Scope::index(std::string_view name) const {
    const auto& launch = launch_.context();
    std::array<std::uint32_t, 3> numbers{};
    if (name == "threadIdx")
        numbers = index_of(block_, thread_);
    else if (name == "blockIdx")
        std::copy(block_.context->ctaid, block_.context->ctaid + 3, numbers.begin());
    else if (name == "blockDim")
        std::copy(launch.ntid, launch.ntid + 3, numbers.begin());
    else if (name == "gridDim")
        std::copy(launch.nctaid, launch.nctaid + 3, numbers.begin());
    else if (name == "warpSize")
        return Value{*program_.info.find_type("int"), 0, {std::byte{software::kWarpSize}, {}, {}, {}}};
    else
        return std::nullopt;
    constexpr const char* kIndex = "(index)";
    auto type = program_.info.find_type(kIndex);
    if (!type) {
        Type made;
        made.kind = Type::Kind::structure;
        made.name = kIndex;
        made.size = sizeof numbers;
        const TypeId each = *program_.info.find_type("unsigned int");
        made.members = {{"x", each, 0}, {"y", each, 4}, {"z", each, 8}};
        type = program_.info.add(std::move(made));
    }
    Value value{*type, 0, std::vector<std::byte>(sizeof numbers)};
    std::memcpy(value.bytes.data(), numbers.data(), sizeof numbers);
    return value;
}

std::uint64_t Scope::dynamic_shared_bytes() const { return launch_.context().dynamic_shared; }

/// An array of what the PTX says. Of shared variables that is bytes, unless all accesses have one type.
Value Scope::typed_by_ptx(const ptx::Variable& v, std::uint64_t address, std::uint64_t bytes) const {
    DebugInfo& info = program_.info;
    const ptx::Type type = program_.type_of(v);
    const TypeId element = *info.find_type(base_name(type == ptx::Type::none ? ptx::Type::b8 : type));
    const std::uint64_t each = info.size_of(element);
    if (bytes <= each) return {element, address, {}};
    for (TypeId t = 0; t < info.types.size(); ++t)
        if (info.types[t].kind == Type::Kind::array && info.types[t].of == element &&
            info.types[t].count == bytes / each)
            return {t, address, {}};
    Type array;
    array.kind = Type::Kind::array;
    array.of = element;
    array.count = bytes / each;
    array.size = array.count * each;
    return {info.add(std::move(array)), address, {}};
}

std::optional<Value> Scope::ptx_variable(std::string_view name) const {
    const auto found = [&](const std::vector<ptx::Variable>& all) -> std::optional<Value> {
        for (const ptx::Variable& v : all) {
            if (v.name != name && !is_mangled(v.name, name)) continue;
            if (v.reg) return register_value(*v.reg, std::nullopt);
            if (const auto address = address_of(v.name))
                return typed_by_ptx(v, *address, v.unsized ? dynamic_shared_bytes() : v.size);
        }
        return std::nullopt;
    };
    if (auto value = found(function().variables)) return value;
    if (auto value = found(function().parameters)) return value;
    return found(program_.module().variables);
}

// --- lists

namespace {

Scope::Named named(const Scope& scope, const std::string& name) {
    Scope::Named found;
    found.name = name;
    try {
        found.value = scope.find(name);
        if (!found.value) found.problem = "It has no place.";
    } catch (const ExpressionError& e) {
        found.problem = e.what();
    }
    return found;
}

} // namespace

std::vector<Scope::Named> Scope::locals() const {
    std::vector<Named> all;
    std::set<std::string> known;
    if (const DebugFunction* f = program_.info.of(call_.function))
        each_variable(f->scope, program_.site(call_.site).instruction, [&](const DebugVariable& v) {
            if (known.insert(v.name).second) all.push_back(named(*this, v.name));
        });
    if (all.empty())
        for (const ptx::Variable& v : function().parameters)
            all.push_back(named(*this, v.name));
    return all;
}

std::vector<Scope::Named> Scope::registers() const {
    std::vector<Named> all;
    const auto& list = function().registers;
    all.reserve(list.size());
    for (ptx::RegisterId r = 0; r < list.size(); ++r)
        all.push_back({list[r].name, register_value(r, std::nullopt), {}});
    return all;
}

std::vector<Scope::Named> Scope::shared() const {
    std::vector<Named> all;
    for (const ptx::SharedLayout::Entry& entry : launch_.shared().entries) {
        const ptx::Variable& v = entry.module_scope ? program_.module().variables.at(entry.variable)
                                                    : program_.function(entry.function).variables.at(entry.variable);
        if (!entry.module_scope && entry.function != call_.function) {
            const auto base = reinterpret_cast<std::uint64_t>(block_.context->shared);
            all.push_back({source_name(v.name), typed_by_ptx(v, base + entry.offset, v.size), {}});
            continue;
        }
        const std::string name = source_name(v.name);
        Named one = named(*this, name);
        if (one.value && one.value->address) all.push_back(std::move(one));
    }
    return all;
}

std::vector<Scope::Named> Scope::globals() const {
    std::vector<Named> all;
    const auto addresses = launch_.variables();
    for (ptx::VariableId v = 0; v < program_.module().variables.size() && v < addresses.size(); ++v)
        if (addresses[v]) all.push_back(named(*this, program_.module().variables[v].name));
    return all;
}

std::vector<Scope::Named> Scope::indices() const {
    std::vector<Named> all;
    for (const char* name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
        all.push_back(named(*this, name));
    return all;
}

} // namespace warplight::debug
