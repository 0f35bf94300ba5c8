// SPDX-License-Identifier: Apache-2.0
#include "dwarf.hpp"

#include "dwarf_entries.hpp"

#include <algorithm>
#include <unordered_map>

namespace warplight::debug {

using namespace dwarf;

namespace {

struct Place {
    ptx::FunctionId function;
    std::uint32_t instruction;
};

class InfoReader {
public:
    explicit InfoReader(const ptx::Module& module) : entries_(module) {
        for (ptx::FunctionId f = 0; f < module.functions.size(); ++f)
            for (const ptx::Label& label : module.functions[f].labels)
                places_.emplace(label.name, Place{f, label.instruction});
    }

    DebugInfo read() {
        add_base_types();
        for (const Entry& unit : entries_.units())
            read_children(unit);
        return std::move(result_);
    }

private:
    void add_base_types() {
        using Kind = Type::Kind;
        const auto base = [&](const char* name, Kind kind, std::uint64_t size) {
            Type type;
            type.kind = kind;
            type.name = name;
            type.size = size;
            result_.add(std::move(type));
        };
        base("void", Kind::none, 0);
        base("bool", Kind::boolean, 1);
        base("char", Kind::character, 1);
        base("signed char", Kind::integer, 1);
        base("unsigned char", Kind::unsigned_integer, 1);
        base("short", Kind::integer, 2);
        base("unsigned short", Kind::unsigned_integer, 2);
        base("int", Kind::integer, 4);
        base("unsigned int", Kind::unsigned_integer, 4);
        base("long long", Kind::integer, 8);
        base("unsigned long long", Kind::unsigned_integer, 8);
        base("float", Kind::floating, 4);
        base("double", Kind::floating, 8);
    }

    // --- functions and variables

    void read_children(const Entry& of) {
        for (const Entry& entry : of.children) {
            if (entry.tag == kSubprogram)
                read_function(entry);
            else if (entry.tag == kVariable)
                add_static(entry);
            else if (entry.tag == kNamespace || entry.tag == kStructure || entry.tag == kClass)
                read_children(entry);
        }
    }

    [[nodiscard]] const Place* place_of(const Entry& entry, std::uint64_t attribute) const {
        const AttributeValue* value = entry.find(attribute);
        const auto found = value ? places_.find(value->text) : places_.end();
        return found == places_.end() ? nullptr : &found->second;
    }

    void read_function(const Entry& entry) {
        const Place* begin = place_of(entry, kLow);
        const Place* end = place_of(entry, kHigh);
        if (!begin || !end || end->function != begin->function) return;
        DebugFunction f;
        f.function = begin->function;
        const Entry* declared = entries_.referred(entry, kSpecification);
        f.name = entry.name().empty() && declared ? declared->name() : entry.name();
        f.scope.begin = begin->instruction;
        f.scope.end = end->instruction;
        read_scope(entry, f.function, f.scope);
        read_stored(entry, f.stored);
        for (const Entry& child : entry.children)
            if (child.tag == kParameter) f.parameters.emplace_back(child.name(), type_of(child, 0));
        result_.functions.push_back(std::move(f));
    }

    void read_scope(const Entry& of, ptx::FunctionId function, DebugScope& scope) {
        for (const Entry& entry : of.children) {
            if (entry.tag == kBlock) {
                DebugScope inner;
                const Place* begin = place_of(entry, kLow);
                const Place* end = place_of(entry, kHigh);
                inner.begin = begin && begin->function == function ? begin->instruction : scope.begin;
                inner.end = end && end->function == function ? end->instruction : scope.end;
                read_scope(entry, function, inner);
                scope.scopes.push_back(std::move(inner));
            } else if (entry.tag == kVariable || entry.tag == kParameter) {
                DebugVariable v = variable(entry);
                if (!v.name.empty() && !v.ranges.empty()) scope.variables.push_back(std::move(v));
            }
        }
    }

    void read_stored(const Entry& of, std::vector<StoredVariable>& stored) {
        for (const Entry& entry : of.children) {
            if (entry.tag == kBlock || entry.tag == kInlined) read_stored(entry, stored);
            if (entry.tag != kVariable && entry.tag != kParameter) continue;
            const DebugVariable v = variable(entry);
            const Entry* declared = entries_.referred(entry, kAbstractOrigin);
            const Entry& with_line = entry.find(kLine) || !declared ? entry : *declared;
            for (const DebugVariable::Range& range : v.ranges) {
                if (range.location.kind != Location::Kind::symbol) continue;
                stored.push_back({v.name, v.type, range.location.name, range.location.offset,
                                  static_cast<std::uint32_t>(with_line.number(kLine))});
                break;
            }
        }
    }

    void add_static(const Entry& entry) {
        DebugVariable v = variable(entry);
        if (!v.name.empty() && !v.ranges.empty()) result_.variables.push_back(std::move(v));
    }

    DebugVariable variable(const Entry& entry) {
        DebugVariable v;
        const Entry* declared = entries_.referred(entry, kSpecification);
        if (!declared) declared = entries_.referred(entry, kAbstractOrigin);
        v.name = entry.name().empty() && declared ? declared->name() : entry.name();
        v.is_parameter = entry.tag == kParameter;
        v.type = type_of(entry.find(kType) || !declared ? entry : *declared, 0);
        try {
            read_location(entry, v);
        } catch (const Damaged&) {
            v.ranges.clear();
        }
        return v;
    }

    void read_location(const Entry& entry, DebugVariable& v) {
        const AttributeValue* value = entry.find(kLocation);
        if (!value) return;
        if (value->is_block) {
            DebugVariable::Range all;
            all.location = read_expression(*entries_.section("debug_info"), value->block, value->number);
            if (all.location.kind != Location::Kind::none) v.ranges.push_back(std::move(all));
            return;
        }
        const ptx::DebugSection* list = entries_.section("debug_loc");
        if (!list) return;
        for (Reader in(*list, value->number); !in.is_at_end();) {
            const std::string begin = in.symbol();
            const std::uint64_t low = in.integer(8);
            const std::string end = in.symbol();
            const std::uint64_t high = in.integer(8);
            if (begin.empty() && end.empty() && low == 0 && high == 0) return;
            const std::uint64_t bytes = in.integer(2);
            const auto from = places_.find(begin);
            const auto to = places_.find(end);
            if (from != places_.end() && to != places_.end())
                v.ranges.push_back(
                    {from->second.instruction, to->second.instruction, read_expression(*list, in.at(), bytes)});
            in.skip(bytes);
        }
    }

    /// A register, or a variable and what lies behind its start.
    static Location read_expression(const ptx::DebugSection& section, std::size_t at, std::uint64_t bytes) {
        Location found;
        Reader in(section, at);
        while (in.at() < at + bytes) {
            const std::uint64_t operation = in.integer(1);
            if (operation == kOpRegx) {
                found.kind = Location::Kind::reg;
                found.name = register_name(in.uleb());
            } else if (operation == kOpAddr) {
                found.kind = Location::Kind::symbol;
                found.name = in.symbol();
                (void)in.integer(8);
            } else if (operation == kOpPlus) {
                found.offset += in.uleb();
            } else {
                return {};
            }
        }
        return found;
    }

    /// The number of a register is its name: the last character lowest.
    static std::string register_name(std::uint64_t number) {
        std::string name;
        for (; number; number >>= 8)
            name.insert(name.begin(), static_cast<char>(number & 0xff));
        return name;
    }

    // --- types

    TypeId type_of(const Entry& entry, unsigned depth) {
        const Entry* type = entries_.referred(entry, kType);
        return type ? read_type(*type, depth + 1) : kVoid;
    }

    /// Types may contain themselves: the number of a type is known before it is read.
    TypeId read_type(const Entry& entry, unsigned depth) {
        if (const auto known = types_.find(entry.offset); known != types_.end()) return known->second;
        if (depth > kMostDepth) return kVoid;
        const TypeId id = result_.add({});
        types_[entry.offset] = id;
        Type type = make_type(entry, depth);
        result_.types[id] = std::move(type);
        return id;
    }

    Type make_type(const Entry& entry, unsigned depth) {
        Type type;
        type.name = entry.name();
        type.size = entry.number(kByteSize);
        switch (entry.tag) {
        case kBase: type.kind = kind_of(entry.number(kEncoding)); break;
        case kPointer:
        case kReference:
        case kRvalueReference:
            type.kind = Type::Kind::pointer;
            type.size = 8;
            type.of = type_of(entry, depth);
            break;
        case kStructure:
        case kClass:
        case kUnion:
            type.kind = Type::Kind::structure;
            type.is_union = entry.tag == kUnion;
            read_members(entry, type, depth);
            break;
        case kArray: return make_array(entry, depth);
        case kEnumeration:
            type.kind = Type::Kind::enumeration;
            if (type.size == 0) type.size = 4;
            for (const Entry& e : entry.children)
                if (e.tag == kEnumerator)
                    type.enumerators.push_back({e.name(), static_cast<std::int64_t>(e.number(kConstValue))});
            break;
        case kTypedef:
        case kConst:
        case kVolatile:
        case kRestrict:
            type.kind = Type::Kind::alias;
            type.of = type_of(entry, depth);
            if (entry.tag == kConst) type.name = "const";
            if (entry.tag == kVolatile) type.name = "volatile";
            break;
        default: break; // void, and functions
        }
        return type;
    }

    static Type::Kind kind_of(std::uint64_t encoding) {
        switch (encoding) {
        case 2: return Type::Kind::boolean;
        case 4: return Type::Kind::floating;
        case 5: return Type::Kind::integer;
        case 6: return Type::Kind::character;
        case 7:
        case 8: return Type::Kind::unsigned_integer;
        default: return Type::Kind::none;
        }
    }

    void read_members(const Entry& entry, Type& type, unsigned depth) {
        for (const Entry& e : entry.children) {
            if (e.tag != kMember && e.tag != kInheritance) continue;
            const AttributeValue* at = e.find(kMemberLocation);
            if (e.tag == kMember && !at && entry.tag != kUnion) continue; // static
            Type::Member member{e.name(), type_of(e, depth), at ? member_offset(*at) : 0};
            const std::uint64_t bits = e.number(kBitSize), unit = e.number(kByteSize) * 8;
            // The offset counts from the highest bit.
            if (bits != 0 && unit <= 64 && bits <= unit && e.number(kBitOffset) <= unit - bits) {
                member.bit_count = static_cast<unsigned>(bits);
                member.first_bit = static_cast<unsigned>(unit - bits - e.number(kBitOffset));
            }
            type.members.push_back(std::move(member));
        }
    }

    static std::uint64_t offset_of_block(const ptx::DebugSection& info, const AttributeValue& at) {
        try {
            Reader in(info, at.block);
            return in.integer(1) == kOpPlus ? in.uleb() : 0;
        } catch (const Damaged&) {
            return 0;
        }
    }
    [[nodiscard]] std::uint64_t member_offset(const AttributeValue& at) const {
        return at.is_block ? offset_of_block(*entries_.section("debug_info"), at) : at.number;
    }

    /// An array of arrays where it has several subranges.
    Type make_array(const Entry& entry, unsigned depth) {
        TypeId element = type_of(entry, depth);
        std::vector<std::uint64_t> counts;
        for (const Entry& e : entry.children) {
            if (e.tag != kSubrange) continue;
            const AttributeValue* bound = e.find(kUpperBound);
            counts.push_back(e.find(kCount) ? e.number(kCount) : bound ? bound->number + 1 : 0);
        }
        Type type;
        for (std::size_t k = counts.size(); k-- > 0;) {
            type = {};
            type.kind = Type::Kind::array;
            type.of = element;
            type.count = counts[k];
            const std::uint64_t each = result_.size_of(element);
            if (each && type.count > UINT64_MAX / each) type.count = 0;
            type.size = each * type.count;
            if (k) element = result_.add(type);
        }
        return type;
    }

    const Entries entries_;
    DebugInfo result_;
    std::unordered_map<std::string, Place> places_;
    std::unordered_map<std::size_t, TypeId> types_;
};

} // namespace

const Location* DebugVariable::at(std::uint32_t instruction) const {
    for (const Range& r : ranges)
        if (instruction >= r.begin && instruction < r.end) return &r.location;
    return nullptr;
}

const DebugFunction* DebugInfo::of(ptx::FunctionId function) const {
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.function == function; });
    return found == functions.end() ? nullptr : &*found;
}

TypeId DebugInfo::add(Type type) {
    types.push_back(std::move(type));
    return static_cast<TypeId>(types.size() - 1);
}

TypeId DebugInfo::resolved(TypeId type) const {
    for (unsigned k = 0; k < kMostDepth && types.at(type).kind == Type::Kind::alias; ++k)
        type = types[type].of;
    return types.at(type).kind == Type::Kind::alias ? kVoid : type;
}

std::uint64_t DebugInfo::size_of(TypeId type) const { return types.at(resolved(type)).size; }

std::optional<TypeId> DebugInfo::find_type(std::string_view name) const {
    for (TypeId t = 0; t < types.size(); ++t)
        if (types[t].name == name && types[t].name != "const" && types[t].name != "volatile") return t;
    return std::nullopt;
}

std::string DebugInfo::name_of(TypeId id) const {
    std::string after, before, qualifiers;
    for (unsigned k = 0; k < kMostDepth; ++k) {
        const Type& type = types.at(id);
        if (type.kind == Type::Kind::array) {
            after += "[" + std::to_string(type.count) + "]";
        } else if (type.kind == Type::Kind::pointer) {
            before.insert(0, " *");
        } else if (type.kind == Type::Kind::alias &&
                   (type.name.empty() || type.name == "const" || type.name == "volatile")) {
            if (!type.name.empty() && types[type.of].kind != Type::Kind::pointer) qualifiers += type.name + " ";
        } else {
            return qualifiers.append(type.name.empty() ? "(unnamed)" : type.name).append(before).append(after);
        }
        id = type.of;
    }
    return "(unknown)";
}

DebugInfo read_debug_info(const ptx::Module& module) { return InfoReader(module).read(); }

} // namespace warplight::debug
