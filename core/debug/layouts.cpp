// SPDX-License-Identifier: Apache-2.0
#include "debug/layouts.hpp"

#include "debug/dwarf.hpp"
#include "software/ptx/parser.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <variant>

namespace warplight::debug {
namespace {

/// "_ZN4Mode1aE" ends with the name that the source has. Other names stay.
std::string plain_name(const std::string& name) {
    if (!name.starts_with("_ZN")) return name;
    std::string last;
    for (std::size_t at = 3; at < name.size() && std::isdigit(static_cast<unsigned char>(name[at]));) {
        std::size_t length = 0;
        for (; at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) && length < name.size(); ++at)
            length = length * 10 + static_cast<std::size_t>(name[at] - '0');
        if (length > name.size() - at) return name;
        last = name.substr(at, length);
        at += length;
    }
    return last.empty() ? name : last;
}

/// A type without a name has one such as _ZN3OddUt_E.
bool is_unnamed(const std::string& name) {
    return name.empty() || (name.starts_with("_Z") && name.find("Ut") != std::string::npos);
}

/// The compiler's name of a base class is made of the class's: __b_4Base.
bool is_base(const std::string& name) { return name.empty() || name.starts_with("__b_"); }

std::string integer_of(std::uint64_t size, bool is_signed) {
    if (size != 1 && size != 2 && size != 4 && size != 8) return {};
    return (is_signed ? 'i' : 'u') + std::to_string(size * 8);
}

/// Structures that are numbers to the user.
std::string number_of_class(const std::string& name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> names{{{"__half", "f16"},
                                                                                  {"half", "f16"},
                                                                                  {"__nv_bfloat16", "bf16"},
                                                                                  {"__nv_fp8_e4m3", "f8e4m3"},
                                                                                  {"__nv_fp8_e5m2", "f8e5m2"}}};
    for (const auto& [structure, number] : names)
        if (name == structure) return std::string(number);
    return {};
}

/// float4, uchar3, dim3, __half2, …
bool is_vector_name(std::string_view name) {
    if (name == "dim3" || name == "__half2" || name == "half2" || name == "__nv_bfloat162") return true;
    if (name.size() < 2 || name.back() < '1' || name.back() > '4') return false;
    constexpr std::string_view bases[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                          "long", "ulong", "longlong", "ulonglong", "float", "double"};
    return std::ranges::find(bases, name.substr(0, name.size() - 1)) != std::end(bases);
}

/// "Particle" of "const Particle", but not of a pointer to it.
std::string without_qualifiers(std::string type) {
    if (type.ends_with('*')) return type;
    for (const std::string_view qualifier : {"const ", "volatile "})
        if (type.starts_with(qualifier)) type.erase(0, qualifier.size());
    return type;
}

class LayoutReader {
public:
    explicit LayoutReader(const DebugInfo& info) : info_(info) {}

    /// With what a pointer points to.
    Layout read_top(const std::string& name, TypeId type) {
        left_ = kMostLayoutFields;
        Layout layout = read(type, 0);
        layout.name = name;
        if (layout.kind == Layout::Kind::pointer && layout.extents.empty()) {
            const TypeId target = info_.types.at(info_.resolved(type)).of;
            if (info_.size_of(target) != 0) layout.fields.push_back(read(target, 0));
        }
        // A damaged description tells nothing.
        if (is_sound(layout)) return layout;
        Layout unknown;
        unknown.name = name;
        return unknown;
    }

private:
    Layout read(TypeId id, unsigned depth) {
        Layout layout;
        layout.type = without_qualifiers(info_.name_of(id));
        const Type& type = info_.types.at(info_.resolved(id));
        layout.size = type.size;
        if (depth > kDeepestLayout || left_ == 0) return layout;
        --left_;
        switch (type.kind) {
        case Type::Kind::integer:
        case Type::Kind::character: set_number(layout, integer_of(type.size, true)); break;
        case Type::Kind::unsigned_integer: set_number(layout, integer_of(type.size, false)); break;
        case Type::Kind::boolean: set_number(layout, type.size == 1 ? "bool" : integer_of(type.size, false)); break;
        case Type::Kind::floating:
            set_number(layout, type.size == 4 ? "f32" : type.size == 8 ? "f64" : type.size == 2 ? "f16" : "");
            break;
        case Type::Kind::enumeration: read_enumeration(type, layout); break;
        case Type::Kind::pointer: layout.kind = Layout::Kind::pointer; break;
        case Type::Kind::array: return read_array(type, depth);
        case Type::Kind::structure: read_structure(type, layout, depth); break;
        default: break;
        }
        return layout;
    }

    static void set_number(Layout& layout, std::string number) {
        if (number.empty()) return;
        layout.kind = Layout::Kind::number;
        layout.number = std::move(number);
    }

    /// The DWARF has no underlying type. The values tell its sign, as far as that matters.
    static void read_enumeration(const Type& type, Layout& layout) {
        const auto is_in_signed = [&](const Type::Enumerator& each) {
            return type.size >= 8 || (each.value < std::int64_t{1} << (type.size * 8 - 1));
        };
        set_number(layout, integer_of(type.size, std::ranges::all_of(type.enumerators, is_in_signed)));
        layout.type = plain_name(layout.type);
        for (const Type::Enumerator& each : type.enumerators)
            layout.enumerators.push_back({plain_name(each.name), each.value});
    }

    Layout read_array(const Type& array, unsigned depth) {
        Layout layout = read(array.of, depth + 1);
        layout.extents.insert(layout.extents.begin(), array.count);
        return layout;
    }

    void read_structure(const Type& type, Layout& layout, unsigned depth) {
        if (const std::string number = number_of_class(type.name); !number.empty()) {
            set_number(layout, number);
            return;
        }
        // One with a name by typedef keeps that.
        if (is_unnamed(type.name) && (layout.type == "(unnamed)" || layout.type == type.name))
            layout.type = type.is_union ? "union" : "struct";
        layout.kind = type.is_union ? Layout::Kind::alternatives : Layout::Kind::structure;
        for (const Type::Member& member : type.members)
            add_member(member, layout, depth);
        if (is_vector_name(type.name)) as_vector(layout);
    }

    void add_member(const Type::Member& member, Layout& layout, unsigned depth) {
        Layout field = read(member.type, depth + 1);
        field.name = member.name;
        field.offset = member.offset;
        // The fields of a base class and of an unnamed member are those of the structure, as in C++.
        const bool is_base_class = is_base(member.name) && field.has_fields() && field.extents.empty();
        if (is_base_class && layout.kind == Layout::Kind::structure && field.kind == Layout::Kind::structure &&
            std::ranges::none_of(field.fields, [&](const Layout& each) { return layout.find(each.name); })) {
            for (Layout& inner : field.fields) {
                inner.offset += member.offset;
                layout.fields.push_back(std::move(inner));
            }
            return;
        }
        if (is_base(field.name)) {
            field.name = field.type; // for an unnamed one that is "union"
            for (int k = 2; layout.find(field.name); ++k)
                field.name = field.type + std::to_string(k);
        }
        if (member.bit_count != 0) {
            if (field.kind != Layout::Kind::number || member.first_bit + member.bit_count > field.size * 8) return;
            field.kind = Layout::Kind::bits;
            field.first_bit = member.first_bit;
            field.bit_count = member.bit_count;
        }
        layout.fields.push_back(std::move(field));
    }

    /// Vector types are arrays of their components.
    static void as_vector(Layout& layout) {
        if (layout.fields.empty() || layout.fields.size() > 4) return;
        const Layout& first = layout.fields.front();
        for (std::size_t k = 0; k < layout.fields.size(); ++k) {
            const Layout& each = layout.fields[k];
            if (each.kind != Layout::Kind::number || !each.extents.empty() || each.number != first.number ||
                each.offset != k * first.size)
                return;
        }
        if (layout.size != first.size * layout.fields.size()) return;
        layout.kind = Layout::Kind::number;
        layout.number = first.number;
        layout.extents = {layout.fields.size()};
        layout.size = first.size;
        layout.fields.clear();
    }

    const DebugInfo& info_;
    std::size_t left_ = 0; ///< fields that a type may still have
};

} // namespace

std::vector<NamedLayouts> read_layouts(std::string_view text) {
    auto parsed = ptx::parse(text);
    const auto* module = std::get_if<ptx::Module>(&parsed);
    if (!module) return {};
    const DebugInfo info = read_debug_info(*module);
    LayoutReader reader(info);
    std::vector<NamedLayouts> all;
    for (const DebugFunction& function : info.functions) {
        NamedLayouts kernel{module->functions.at(function.function).name, {}};
        for (const auto& [name, type] : function.parameters)
            kernel.layouts.push_back(reader.read_top(name, type));
        all.push_back(std::move(kernel));
    }
    NamedLayouts variables;
    for (const DebugVariable& each : info.variables) {
        const Location& place = each.ranges.front().location;
        if (place.kind == Location::Kind::symbol && place.offset == 0)
            variables.layouts.push_back(reader.read_top(place.name, each.type));
    }
    if (!variables.layouts.empty()) all.push_back(std::move(variables));
    return all;
}

} // namespace warplight::debug
