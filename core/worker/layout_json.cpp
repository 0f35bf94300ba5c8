// SPDX-License-Identifier: Apache-2.0
#include "worker/layout_json.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace warplight::worker {
namespace {

using debug::Layout;
using nlohmann::json;

constexpr std::array<std::string_view, 6> kind_names{"number", "struct", "union", "pointer", "bits", "bytes"};

json write_layout(const Layout& layout) {
    json object{{"name", layout.name},
                {"offset", layout.offset},
                {"kind", kind_names[static_cast<std::size_t>(layout.kind)]},
                {"type", layout.type},
                {"size", layout.size}};
    if (!layout.number.empty()) object["number"] = layout.number;
    if (!layout.extents.empty()) object["extents"] = layout.extents;
    if (!layout.fields.empty()) object["fields"] = to_json(layout.fields);
    for (const Layout::Enumerator& each : layout.enumerators)
        object["enumerators"].push_back({{"name", each.name}, {"value", each.value}});
    if (layout.bit_count) {
        object["first_bit"] = layout.first_bit;
        object["bits"] = layout.bit_count;
    }
    return object;
}

template <class Number>
void read(const json& object, const char* key, Number& to) {
    if (const auto found = object.find(key); found != object.end() && found->is_number_integer())
        to = found->get<Number>();
}
void read(const json& object, const char* key, std::string& to) {
    if (const auto found = object.find(key); found != object.end() && found->is_string())
        to = found->get<std::string>();
}

/// @param left fields that may still come: a message with more is no layout
Layout read_layout(const json& object, unsigned depth, std::size_t& left) {
    Layout layout;
    if (!object.is_object() || depth > debug::kDeepestLayout || left == 0) return layout;
    --left;
    read(object, "name", layout.name);
    read(object, "offset", layout.offset);
    read(object, "type", layout.type);
    read(object, "size", layout.size);
    read(object, "number", layout.number);
    read(object, "first_bit", layout.first_bit);
    read(object, "bits", layout.bit_count);
    for (std::size_t k = 0; k < kind_names.size(); ++k)
        if (object.value("kind", json()) == kind_names[k]) layout.kind = static_cast<Layout::Kind>(k);
    if (const auto list = object.find("extents"); list != object.end() && list->is_array())
        for (const json& each : *list)
            layout.extents.push_back(each.is_number_integer() ? each.get<std::uint64_t>() : 0);
    if (const auto list = object.find("fields"); list != object.end() && list->is_array())
        for (const json& each : *list)
            if (left) layout.fields.push_back(read_layout(each, depth + 1, left));
    if (const auto list = object.find("enumerators"); list != object.end() && list->is_array())
        for (const json& each : *list) {
            Layout::Enumerator& enumerator = layout.enumerators.emplace_back();
            if (!each.is_object()) continue;
            read(each, "name", enumerator.name);
            read(each, "value", enumerator.value);
        }
    return layout;
}

/// The fields of a type that has numbers.
bool has_numbers(const Layout& layout) {
    const bool is_number = layout.kind == Layout::Kind::number || layout.kind == Layout::Kind::bits;
    if (is_number && layout.number.empty()) return false;
    for (const Layout& field : layout.fields)
        if (!has_numbers(field)) return false;
    return true;
}

} // namespace

json to_json(const std::vector<Layout>& layouts) {
    json list = json::array();
    for (const Layout& each : layouts)
        list.push_back(write_layout(each));
    return list;
}

std::vector<Layout> layouts_from_json(const json& array) {
    std::vector<Layout> layouts;
    if (!array.is_array()) return layouts;
    for (const json& each : array) {
        std::size_t left = 2 * debug::kMostLayoutFields;
        Layout layout = read_layout(each, 0, left);
        if (!debug::is_sound(layout) || !has_numbers(layout)) {
            Layout unknown;
            unknown.name = layout.name;
            layout = std::move(unknown);
        }
        layouts.push_back(std::move(layout));
    }
    return layouts;
}

} // namespace warplight::worker
