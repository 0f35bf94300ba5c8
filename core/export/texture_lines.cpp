// SPDX-License-Identifier: Apache-2.0
#include "export/texture_lines.hpp"

#include "export/identifiers.hpp"
#include "export/scalar_text.hpp"
#include "export/template_text.hpp"
#include "session/textures.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <variant>
#include <vector>

namespace warplight::exporting {
namespace {

using session::TextureSetup;

/// How a language writes what textures are made of.
struct Spelling {
    bool python = false;
    std::string_view format, address, filter; ///< before an enumerator; a quote of Python stands on both sides
    std::string_view flag, array_flag;
    std::string_view array, array_end; ///< around the extents
    std::string_view list, list_end;   ///< around several values
    std::string_view end;              ///< of a statement
};

/// As TextureWords are.
constexpr std::array<Spelling, 3> spellings = {{
    {false, "CU_AD_FORMAT_", "CU_TR_ADDRESS_MODE_", "CU_TR_FILTER_MODE_", "CU_TRSF_", "CUDA_ARRAY3D_", "Texture {}{{{{",
     "}}, {}}}", "{", "}", ";"},
    {false, "array_format::", "address_mode::", "filter_mode::", "TRSF_", "array3d_flags::", "Texture {}{{{{",
     "}}, {}}}", "{", "}", ";"},
    {true, "\"", "\"", "\"", "\"", "\"", "{} = Texture(", ", {})", "(", ")", ""},
}};

std::string named(std::string_view prefix, std::string_view name) {
    return fmt::format("{}{}{}", prefix, name, prefix == "\"" ? prefix : "");
}

std::string_view name_of_format(driver::array_format format) {
    using enum driver::array_format;
    switch (format) {
    case UNSIGNED_INT8: return "UNSIGNED_INT8";
    case UNSIGNED_INT16: return "UNSIGNED_INT16";
    case UNSIGNED_INT32: return "UNSIGNED_INT32";
    case SIGNED_INT8: return "SIGNED_INT8";
    case SIGNED_INT16: return "SIGNED_INT16";
    case SIGNED_INT32: return "SIGNED_INT32";
    case HALF: return "HALF";
    default: return "FLOAT";
    }
}

/// Names of set bits: with | between them, or as a list of Python.
std::string flags_text(unsigned flags, std::string_view prefix, const Spelling& spelling,
                       std::initializer_list<std::pair<unsigned, std::string_view>> names) {
    std::vector<std::string> set;
    set.reserve(names.size());
    for (const auto& [bit, name] : names)
        if ((flags & bit) != 0) set.push_back(named(prefix, name));
    if (spelling.python) return fmt::format("[{}]", fmt::join(set, ", "));
    return set.empty() ? "0" : fmt::format("{}", fmt::join(set, " | "));
}

/// width, height, depth, format, channels, flags
std::string texel_extents(const ExportedArgument& argument, const Spelling& spelling) {
    namespace bits = driver::array3d_flags;
    const auto array = session::array_of_texture(argument.argument(), argument.data->input);
    return fmt::format("{}, {}, {}, {}, {}, {}", array.width, array.height, array.depth,
                       named(spelling.format, name_of_format(array.format)), array.num_channels,
                       flags_text(array.flags, spelling.array_flag, spelling,
                                  {{bits::LAYERED, "LAYERED"},
                                   {bits::SURFACE_LDST, "SURFACE_LDST"},
                                   {bits::CUBEMAP, "CUBEMAP"},
                                   {bits::TEXTURE_GATHER, "TEXTURE_GATHER"}}));
}

std::size_t element_bytes(const ExportedArgument& argument) {
    return session::array_of_texture(argument.argument(), argument.data->input).num_channels *
           argument.data->input.itemsize();
}

std::string_view name_of_address(session::AddressMode mode) {
    constexpr std::array<std::string_view, 4> names = {"WRAP", "CLAMP", "MIRROR", "BORDER"};
    return names[static_cast<std::size_t>(mode)];
}

bool is_read_as_integer(const TextureSetup& setup, const NdArray& data) {
    const bool integers = data.dtype().kind() == Kind::signed_integer || data.dtype().kind() == Kind::unsigned_integer;
    return integers && setup.read == session::ReadMode::element;
}

std::string sampling_flags(const TextureSetup& setup, const NdArray& data, const Spelling& spelling) {
    unsigned flags = 0;
    if (is_read_as_integer(setup, data)) flags |= driver::TRSF_READ_AS_INTEGER;
    if (setup.normalized_coordinates) flags |= driver::TRSF_NORMALIZED_COORDINATES;
    if (setup.srgb) flags |= driver::TRSF_SRGB;
    if (setup.seamless) flags |= driver::TRSF_SEAMLESS_CUBEMAP;
    return flags_text(flags, spelling.flag, spelling,
                      {{driver::TRSF_READ_AS_INTEGER, "READ_AS_INTEGER"},
                       {driver::TRSF_NORMALIZED_COORDINATES, "NORMALIZED_COORDINATES"},
                       {driver::TRSF_SRGB, "SRGB"},
                       {driver::TRSF_SEAMLESS_CUBEMAP, "SEAMLESS_CUBEMAP"}});
}

/// The call that sets the border, empty where it is 0.
std::string border_call(const TextureSetup& setup, const NdArray& data, const Spelling& spelling) {
    if (setup.border == TextureSetup{}.border) return {};
    std::vector<std::string> components;
    components.reserve(setup.border.size());
    for (const double each : setup.border)
        components.push_back(is_read_as_integer(setup, data)
                                 ? fmt::format("{}", static_cast<std::int64_t>(std::clamp(each, -0x1p31, 0x1p32 - 1)))
                                 : fmt::format("{:#}{}", static_cast<float>(each), spelling.python ? "" : "F"));
    return fmt::format("{}({}{}{})", is_read_as_integer(setup, data) ? "border_of_integers" : "border", spelling.list,
                       fmt::join(components, ", "), spelling.list_end);
}

/// The call that tells how elements are read.
std::string sampling_call(const TextureSetup& setup, const NdArray& data, const Spelling& spelling) {
    std::vector<std::string> addresses;
    addresses.reserve(setup.address.size());
    for (const session::AddressMode each : setup.address)
        addresses.push_back(named(spelling.address, name_of_address(each)));
    return fmt::format("sample({}{}{}, {}, {})", spelling.list, fmt::join(addresses, ", "), spelling.list_end,
                       named(spelling.filter, setup.filter == session::FilterMode::linear ? "LINEAR" : "POINT"),
                       sampling_flags(setup, data, spelling));
}

std::string_view maker_of_memory(const session::Argument& argument) {
    if (!argument.texture || argument.texture->memory == session::TextureMemory::array) return "make_array()";
    return argument.texture->memory == session::TextureMemory::linear ? "make_linear()" : "make_rows()";
}

/// That some step copies or fills, perhaps by the name of another one that it was swapped with.
bool is_copied_in_steps(const Experiment& experiment, const ExportedArgument& argument) {
    std::set<std::size_t> copied;
    std::vector<session::PlannedSwap> swaps;
    const auto visit = [&](const auto& self, const std::vector<session::PlannedStep>& steps) -> void {
        for (const auto& each : steps) {
            if (const auto* loop = std::get_if<session::PlannedLoop>(&each.what)) self(self, loop->steps);
            if (const auto* swap = std::get_if<session::PlannedSwap>(&each.what)) swaps.push_back(*swap);
            if (const auto* fill = std::get_if<session::PlannedFill>(&each.what)) copied.insert(fill->buffer);
            if (const auto* copy = std::get_if<session::PlannedCopy>(&each.what)) copied.insert({copy->from, copy->to});
        }
    };
    visit(visit, experiment.plan.steps);
    for (std::size_t before = 0; before != copied.size();) {
        before = copied.size();
        for (const auto& [first, second] : swaps)
            if (copied.contains(first) || copied.contains(second)) copied.insert({first, second});
    }
    return copied.contains(static_cast<std::size_t>(&argument - experiment.arguments.data()));
}

} // namespace

bool is_texture(const ExportedArgument& argument) { return argument.data->is_texture(); }

bool has_textures(const Experiment& experiment) { return std::ranges::any_of(experiment.arguments, is_texture); }

bool has_texture_references(const Experiment& experiment) {
    return std::ranges::any_of(experiment.arguments,
                               [](const auto& each) { return is_texture(each) && each.is_variable(); });
}

std::string texture_class(const Experiment& experiment, std::string_view name, std::string_view references) {
    std::string text;
    if (has_textures(experiment) && !name.empty()) text += template_text(name);
    if (has_texture_references(experiment) && !references.empty()) text += template_text(references);
    return text;
}

bool has_border_of_integers(const ExportedArgument& argument) {
    const auto& setup = argument.argument().texture;
    return setup && setup->border != TextureSetup{}.border && is_read_as_integer(*setup, argument.data->input);
}

bool is_apart(const ExportedArgument& argument) {
    const auto& setup = argument.argument().texture;
    return is_texture(argument) && !(setup && setup->memory == session::TextureMemory::linear);
}

TextureLines texture_lines(const Experiment& experiment, const ExportedArgument& argument, TextureWords words,
                           std::string_view memory, std::string_view module) {
    const Spelling& spelling = spellings[static_cast<std::size_t>(words)];
    const auto name = device_name(argument.identifier), result = result_name(argument.identifier);
    const auto& setup = argument.argument().texture;
    const NdArray& data = argument.data->input;
    TextureLines lines;
    lines.allocation = fmt::format(fmt::runtime(spelling.array), name) + texel_extents(argument, spelling) +
                       fmt::format(fmt::runtime(spelling.array_end), element_bytes(argument)) +
                       std::string(spelling.end);
    const auto call = [&](std::string_view what) {
        if (!what.empty()) lines.allocation += fmt::format("\n{}.{}{}", name, what, spelling.end);
    };
    if (setup) {
        call(sampling_call(*setup, data, spelling));
        call(border_call(*setup, data, spelling));
    }
    if (!is_apart(argument) || is_copied_in_steps(experiment, argument))
        call(spelling.python ? fmt::format("packed = {}", memory) : "make_packed()");
    call(maker_of_memory(argument.argument()));
    if (argument.is_variable()) {
        const std::string_view noun = setup ? "texture" : "surface";
        const auto reference = quoted_text(argument.data->lowered);
        if (spelling.python)
            call(fmt::format("bind_{}({}, {})", noun, module, reference));
        else
            lines.allocation += fmt::format("\nbind_{}({}, module, {});", noun, name, reference);
    } else {
        if (setup) call("make_texture()");
        if (argument.argument().surface) call("make_surface()");
    }
    lines.upload = fmt::format("{}.upload({}){}", name, argument.identifier, spelling.end);
    lines.download = fmt::format(fmt::runtime(spelling.python ? "{0} = np.empty_like({1})\n{2}.download({0})"
                                                              : "Array {0} = {1};\n{2}.download({0});"),
                                 result, argument.identifier, name);
    return lines;
}

std::string read_texture(const ExportedArgument& argument) {
    return fmt::format("{0} = np.empty_like({1})\n{2}.download({0})\n", result_name(argument.identifier),
                       argument.identifier, device_name(argument.identifier));
}

std::string memory_name(const ExportedArgument& argument) {
    return device_name(argument.identifier) + (is_texture(argument) ? ".packed" : "");
}

std::string texture_member(const LaunchArgument& argument) {
    if (argument.as == session::GivenAs::address) return memory_name(*argument.argument);
    return fmt::format("{}.{}", device_name(argument.argument->identifier),
                       argument.as == session::GivenAs::texture ? "texture" : "surface");
}

} // namespace warplight::exporting
