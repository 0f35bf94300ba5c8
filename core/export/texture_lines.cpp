// SPDX-License-Identifier: Apache-2.0
#include "export/texture_lines.hpp"

#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "session/textures.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace warplight::exporting {
namespace {

using session::TextureSetup;

/// How a language writes what textures are made of.
struct Spelling {
    std::string_view format, address, filter; ///< before an enumerator
    std::string_view flag, array_flag;
};

constexpr Spelling of_driver{"CU_AD_FORMAT_", "CU_TR_ADDRESS_MODE_", "CU_TR_FILTER_MODE_", "CU_TRSF_", "CUDA_ARRAY3D_"};
constexpr Spelling of_warplight{"array_format::", "address_mode::", "filter_mode::", "TRSF_", "array3d_flags::"};
constexpr Spelling of_cuda_core{"driver.CUarray_format.CU_AD_FORMAT_", "driver.CUaddress_mode.CU_TR_ADDRESS_MODE_",
                                "driver.CUfilter_mode.CU_TR_FILTER_MODE_", "driver.CU_TRSF_", "driver.CUDA_ARRAY3D_"};

[[noreturn]] void refuse_one(const ExportedArgument& argument, const std::string& why) {
    throw ExportError(fmt::format("{} {} (At {} in the session.)", argument.data->label, why, argument.data->pointer));
}

void check_exported(const ExportedArgument& argument) {
    const auto& setup = argument.argument().texture;
    if (argument.is_variable())
        refuse_one(argument, "is a texture or surface reference, which programs do not bind. Give the kernel a "
                             "texture or surface object.");
    if (setup && argument.argument().surface)
        refuse_one(argument, "is both a texture and a surface, and a program makes one of them. Remove the one that "
                             "the kernel does not take.");
    if (setup && setup->memory == session::TextureMemory::pitch2d)
        refuse_one(argument, "is a texture of rows of memory, which programs do not make. Make its \"memory\" array: "
                             "kernels read the same.");
    const bool integers = argument.data->input.dtype().kind() == Kind::signed_integer ||
                          argument.data->input.dtype().kind() == Kind::unsigned_integer;
    if (setup && setup->border != TextureSetup{}.border && integers && setup->read == session::ReadMode::element)
        refuse_one(argument, "has a border of integers, which programs do not make. Leave \"border\" out, or read the "
                             "values as normalized_float.");
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

/// Names of set bits, with | between them.
std::string flags_text(unsigned flags, std::string_view prefix,
                       std::initializer_list<std::pair<unsigned, std::string_view>> names) {
    std::string text;
    for (const auto& [bit, name] : names)
        if ((flags & bit) != 0) text += fmt::format("{}{}{}", text.empty() ? "" : " | ", prefix, name);
    return text.empty() ? "0" : text;
}

/// width, height, depth, format, channels, flags
std::string texel_extents(const ExportedArgument& argument, const Spelling& spelling) {
    namespace bits = driver::array3d_flags;
    const auto array = session::array_of_texture(argument.argument(), argument.data->input);
    return fmt::format("{}, {}, {}, {}{}, {}, {}", array.width, array.height, array.depth, spelling.format,
                       name_of_format(array.format), array.num_channels,
                       flags_text(array.flags, spelling.array_flag,
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

unsigned flags_of(const TextureSetup& setup, const NdArray& data) {
    unsigned flags = 0;
    const bool integers = data.dtype().kind() == Kind::signed_integer || data.dtype().kind() == Kind::unsigned_integer;
    if (integers && setup.read == session::ReadMode::element) flags |= driver::TRSF_READ_AS_INTEGER;
    if (setup.normalized_coordinates) flags |= driver::TRSF_NORMALIZED_COORDINATES;
    if (setup.srgb) flags |= driver::TRSF_SRGB;
    if (setup.seamless) flags |= driver::TRSF_SEAMLESS_CUBEMAP;
    return flags;
}

std::string flags_text_of(const ExportedArgument& argument, const Spelling& spelling) {
    return flags_text(flags_of(*argument.argument().texture, argument.data->input), spelling.flag,
                      {{driver::TRSF_READ_AS_INTEGER, "READ_AS_INTEGER"},
                       {driver::TRSF_NORMALIZED_COORDINATES, "NORMALIZED_COORDINATES"},
                       {driver::TRSF_SRGB, "SRGB"},
                       {driver::TRSF_SEAMLESS_CUBEMAP, "SEAMLESS_CUBEMAP"}});
}

/// address x, y, z
std::string addresses_text(const TextureSetup& setup, const Spelling& spelling) {
    std::string text;
    for (const session::AddressMode each : setup.address)
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", spelling.address, name_of_address(each));
    return text;
}

/// As numbers of 32 bits, which C++ and Python read.
std::string border_text(const TextureSetup& setup, std::string_view suffix) {
    std::string text;
    for (const double each : setup.border)
        text += fmt::format("{}{:#}{}", text.empty() ? "" : ", ", static_cast<float>(each), suffix);
    return text;
}

/// make_texture(), make_surface() or make_linear().
std::string_view maker_of(const session::Argument& argument) {
    if (!argument.texture) return "make_surface";
    return argument.texture->memory == session::TextureMemory::linear ? "make_linear" : "make_texture";
}

std::string filter_name(const TextureSetup& setup) {
    return setup.filter == session::FilterMode::linear ? "LINEAR" : "POINT";
}

bool has_border(const TextureSetup& setup) { return setup.border != TextureSetup{}.border; }

} // namespace

bool is_texture(const ExportedArgument& argument) { return argument.data->is_texture(); }

bool has_textures(const Experiment& experiment) { return std::ranges::any_of(experiment.arguments, is_texture); }

void refuse_textures(const Experiment& experiment, std::string_view library) {
    const auto found = std::ranges::find_if(experiment.arguments, is_texture);
    if (found == experiment.arguments.end()) return;
    refuse_one(*found, fmt::format("is a texture or surface, and programs for {} are written without these. Export the "
                                   "session as cpp-driver, cpp-warplight or cuda-core.",
                                   library));
}

TextureLines driver_texture(const ExportedArgument& argument) {
    check_exported(argument);
    const auto name = device_name(argument.identifier);
    const auto& setup = argument.argument().texture;
    TextureLines lines;
    lines.allocation.add(
        fmt::format("Texture {}{{{{{}}}, {}}};", name, texel_extents(argument, of_driver), element_bytes(argument)));
    if (setup) {
        for (std::size_t i = 0; i < setup->address.size(); ++i)
            lines.allocation.add(fmt::format("{}.sampling.addressMode[{}] = {}{};", name, i, of_driver.address,
                                             name_of_address(setup->address[i])));
        lines.allocation.add(
            fmt::format("{}.sampling.filterMode = {}{};", name, of_driver.filter, filter_name(*setup)));
        lines.allocation.add(fmt::format("{}.sampling.flags = {};", name, flags_text_of(argument, of_driver)));
        for (std::size_t i = 0; has_border(*setup) && i < setup->border.size(); ++i)
            lines.allocation.add(
                fmt::format("{}.sampling.borderColor[{}] = {:#}F;", name, i, static_cast<float>(setup->border[i])));
    }
    lines.allocation.add(fmt::format("{}.{}();", name, maker_of(argument.argument())));
    lines.argument = fmt::format("&{}.{}", name, setup ? "texture" : "surface");
    lines.upload = fmt::format("{}.upload({}.bytes.data());", name, argument.identifier);
    lines.download = fmt::format("{}.download({}.bytes.data());", name, result_name(argument.identifier));
    return lines;
}

TextureLines warplight_texture(const ExportedArgument& argument) {
    check_exported(argument);
    const auto name = device_name(argument.identifier);
    const auto& setup = argument.argument().texture;
    TextureLines lines;
    lines.allocation.add(
        fmt::format("Texture {}{{{{{}}}, {}}};", name, texel_extents(argument, of_warplight), element_bytes(argument)));
    if (setup) {
        lines.allocation.add(
            fmt::format("{}.sampling.address_mode = {{{}}};", name, addresses_text(*setup, of_warplight)));
        lines.allocation.add(
            fmt::format("{}.sampling.filter_mode = {}{};", name, of_warplight.filter, filter_name(*setup)));
        lines.allocation.add(fmt::format("{}.sampling.flags = {};", name, flags_text_of(argument, of_warplight)));
        if (has_border(*setup))
            lines.allocation.add(fmt::format("{}.sampling.border_color = {{{}}};", name, border_text(*setup, "F")));
    }
    lines.allocation.add(fmt::format("{}.{}();", name, maker_of(argument.argument())));
    lines.argument = fmt::format("*{}.{}", name, setup ? "texture" : "surface");
    lines.upload = fmt::format("{}.upload({}.bytes);", name, argument.identifier);
    lines.download = fmt::format("{}.download({}.bytes);", name, result_name(argument.identifier));
    return lines;
}

TextureLines cuda_core_texture(const ExportedArgument& argument) {
    check_exported(argument);
    const auto name = device_name(argument.identifier);
    const auto& setup = argument.argument().texture;
    TextureLines lines;
    lines.allocation.add(
        fmt::format("{} = Texture({}, {})", name, texel_extents(argument, of_cuda_core), element_bytes(argument)));
    if (setup) {
        lines.allocation.add(fmt::format("{}.sampling.addressMode = [{}]", name, addresses_text(*setup, of_cuda_core)));
        lines.allocation.add(
            fmt::format("{}.sampling.filterMode = {}{}", name, of_cuda_core.filter, filter_name(*setup)));
        lines.allocation.add(fmt::format("{}.sampling.flags = {}", name, flags_text_of(argument, of_cuda_core)));
        if (has_border(*setup))
            lines.allocation.add(fmt::format("{}.sampling.borderColor = [{}]", name, border_text(*setup, "")));
    }
    lines.allocation.add(fmt::format("{}.{}()", name, maker_of(argument.argument())));
    lines.argument = fmt::format("np.uint64(int({}.object))", name);
    lines.upload = fmt::format("{}.upload({})", name, argument.identifier);
    lines.download = fmt::format("{}.download({})", name, result_name(argument.identifier));
    return lines;
}

} // namespace warplight::exporting
