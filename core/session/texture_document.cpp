// SPDX-License-Identifier: Apache-2.0
#include "session/texture_document.hpp"

#include "session/json_reader.hpp"
#include "session/pipeline_document.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>

namespace warplight::session {
namespace {

/// The place of a word in its list.
template <class Enum>
Enum enum_of_word(const JsonReader& reader, std::string_view key, std::string_view word,
                  std::span<const std::string_view> words) {
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) reader.refuse(key, fmt::format("is \"{}\"; use one of {}", word, fmt::join(words, ", ")));
    return static_cast<Enum>(found - words.begin());
}

template <class Enum>
Enum read_word(const JsonReader& reader, std::string_view key, Enum fallback, std::span<const std::string_view> words) {
    return enum_of_word<Enum>(reader, key, reader.text(key, std::string(words[static_cast<std::size_t>(fallback)])),
                              words);
}

template <class Enum>
std::string word_of(Enum value, std::span<const std::string_view> words) {
    return std::string(words[static_cast<std::size_t>(value)]);
}

/// One word for all axes, or one for each of the first ones.
void read_address(const JsonReader& reader, TextureSetup& setup) {
    const auto* value = reader.find("address");
    if (!value) return;
    if (value->is_string()) {
        setup.address.fill(enum_of_word<AddressMode>(reader, "address", value->get<std::string>(), address_modes));
        return;
    }
    const auto words = reader.texts("address");
    if (words.empty() || words.size() > setup.address.size())
        reader.refuse("address", "must be a word, or a list of one for each of x, y and z");
    for (std::size_t i = 0; i < words.size(); ++i)
        setup.address[i] = enum_of_word<AddressMode>(reader, "address", words[i], address_modes);
}

void read_border(const JsonReader& reader, TextureSetup& setup) {
    const auto* value = reader.find("border");
    if (!value) return;
    if (!value->is_array() || value->empty() || value->size() > setup.border.size())
        reader.refuse("border", "must be a list of one to four numbers, the components of a colour");
    for (std::size_t i = 0; i < value->size(); ++i)
        setup.border[i] = as_double(to_number((*value)[i], reader.at("border")));
}

} // namespace

TextureSetup read_texture(const JsonReader& reader) {
    TextureSetup setup;
    setup.kind = read_word(reader, "kind", setup.kind, texture_kinds);
    setup.memory = read_word(reader, "memory", setup.memory, texture_memories);
    read_address(reader, setup);
    setup.filter = read_word(reader, "filter", setup.filter, filter_modes);
    setup.read = read_word(reader, "read", setup.read, read_modes);
    setup.normalized_coordinates = reader.boolean("normalized_coordinates", false);
    read_border(reader, setup);
    setup.srgb = reader.boolean("srgb", false);
    setup.seamless = reader.boolean("seamless", false);
    setup.gather = reader.boolean("gather", false);
    if (reader.has("fourth")) setup.fourth = reader.real("fourth", 0);
    setup.unknown = reader.unknown({"kind", "memory", "address", "filter", "read", "normalized_coordinates", "border",
                                    "srgb", "seamless", "gather", "fourth"});
    return setup;
}

SurfaceSetup read_surface(const JsonReader& reader) {
    SurfaceSetup setup;
    setup.kind = read_word(reader, "kind", setup.kind, texture_kinds);
    setup.unknown = reader.unknown({"kind"});
    return setup;
}

nlohmann::ordered_json write_texture(const TextureSetup& setup) {
    const TextureSetup usual;
    ordered_json object = {{"kind", word_of(setup.kind, texture_kinds)}};
    if (setup.memory != usual.memory) object["memory"] = word_of(setup.memory, texture_memories);
    if (setup.address != usual.address) {
        if (std::ranges::count(setup.address, setup.address[0]) == 3) {
            object["address"] = word_of(setup.address[0], address_modes);
        } else {
            ordered_json list = ordered_json::array();
            for (const AddressMode each : setup.address)
                list.push_back(word_of(each, address_modes));
            object["address"] = std::move(list);
        }
    }
    if (setup.filter != usual.filter) object["filter"] = word_of(setup.filter, filter_modes);
    if (setup.read != usual.read) object["read"] = word_of(setup.read, read_modes);
    if (setup.normalized_coordinates) object["normalized_coordinates"] = true;
    if (setup.border != usual.border) {
        ordered_json list = ordered_json::array();
        for (const double each : setup.border)
            list.push_back(from_number(each));
        object["border"] = std::move(list);
    }
    if (setup.srgb) object["srgb"] = true;
    if (setup.seamless) object["seamless"] = true;
    if (setup.gather) object["gather"] = true;
    if (setup.fourth) object["fourth"] = from_number(*setup.fourth);
    add_unknown(object, setup.unknown);
    return object;
}

nlohmann::ordered_json write_surface(const SurfaceSetup& setup) {
    ordered_json object = {{"kind", word_of(setup.kind, texture_kinds)}};
    add_unknown(object, setup.unknown);
    return object;
}

} // namespace warplight::session
