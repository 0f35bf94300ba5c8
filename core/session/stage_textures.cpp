// SPDX-License-Identifier: Apache-2.0
#include "session/textures.hpp"

#include "session/generators.hpp"
#include "session/stages.hpp"

#include "warplight/array_copies.hpp"
#include "warplight/device.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace warplight::session {
namespace {

using attribute = driver::device_attribute;

/// What is told of a kind: its axes in messages, and the device's limits of width, height and depth or layers.
struct KindFacts {
    std::size_t data_axes;
    unsigned axes;
    std::string_view shape;
    std::array<attribute, 3> texture, surface;
};

constexpr attribute no_limit = attribute(0);

const KindFacts& facts_of(TextureKind kind) {
    using enum attribute;
    static const std::array<KindFacts, texture_kinds.size()> facts = {{
        {1, 1, "[width]", {MAXIMUM_TEXTURE1D_WIDTH, no_limit, no_limit}, {MAXIMUM_SURFACE1D_WIDTH, no_limit, no_limit}},
        {2,
         2,
         "[height, width]",
         {MAXIMUM_TEXTURE2D_WIDTH, MAXIMUM_TEXTURE2D_HEIGHT, no_limit},
         {MAXIMUM_SURFACE2D_WIDTH, MAXIMUM_SURFACE2D_HEIGHT, no_limit}},
        {3,
         3,
         "[depth, height, width]",
         {MAXIMUM_TEXTURE3D_WIDTH, MAXIMUM_TEXTURE3D_HEIGHT, MAXIMUM_TEXTURE3D_DEPTH},
         {MAXIMUM_SURFACE3D_WIDTH, MAXIMUM_SURFACE3D_HEIGHT, MAXIMUM_SURFACE3D_DEPTH}},
        {2,
         1,
         "[layers, width]",
         {MAXIMUM_TEXTURE1D_LAYERED_WIDTH, no_limit, MAXIMUM_TEXTURE1D_LAYERED_LAYERS},
         {MAXIMUM_SURFACE1D_LAYERED_WIDTH, no_limit, MAXIMUM_SURFACE1D_LAYERED_LAYERS}},
        {3,
         2,
         "[layers, height, width]",
         {MAXIMUM_TEXTURE2D_LAYERED_WIDTH, MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, MAXIMUM_TEXTURE2D_LAYERED_LAYERS},
         {MAXIMUM_SURFACE2D_LAYERED_WIDTH, MAXIMUM_SURFACE2D_LAYERED_HEIGHT, MAXIMUM_SURFACE2D_LAYERED_LAYERS}},
        {3,
         2,
         "[6, width, width]",
         {MAXIMUM_TEXTURECUBEMAP_WIDTH, MAXIMUM_TEXTURECUBEMAP_WIDTH, no_limit},
         {MAXIMUM_SURFACECUBEMAP_WIDTH, MAXIMUM_SURFACECUBEMAP_WIDTH, no_limit}},
        {4,
         2,
         "[cubemaps, 6, width, width]",
         {MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
          MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
         {MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
          MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS}},
    }};
    return facts[static_cast<std::size_t>(kind)];
}

bool is_cubemap(TextureKind kind) { return kind == TextureKind::cubemap || kind == TextureKind::layered_cubemap; }
bool is_layered(TextureKind kind) {
    return kind == TextureKind::layered_d1 || kind == TextureKind::layered_d2 || kind == TextureKind::layered_cubemap;
}

std::string_view word_of_kind(TextureKind kind) { return texture_kinds[static_cast<std::size_t>(kind)]; }

/// "texture" or "surface", and the key of its settings.
std::string_view noun_of(const Argument& argument) { return argument.texture ? "texture" : "surface"; }

bool has_integers(const NdArray& data) {
    return data.dtype().kind() == Kind::signed_integer || data.dtype().kind() == Kind::unsigned_integer;
}

[[noreturn]] void refuse_texture(const ArgumentData& data, std::string_view key, const std::string& message) {
    input_error(fmt::format("{}: {}", data.label, message),
                fmt::format("{}/{}/{}", data.pointer, noun_of(*data.argument), key));
}

void check_format(const ArgumentData& data) {
    try {
        (void)driver::dtype_to_array_format(data.input.dtype());
    } catch (const Error&) {
        input_error(fmt::format("{} is {}, but textures and surfaces hold int8, int16, int32, uint8, uint16, uint32, "
                                "float16 or float32. Give its source one of these as \"dtype\".",
                                data.label, data.input.dtype().name()),
                    data.pointer + "/source/dtype");
    }
}

void check_direction(const ArgumentData& data) {
    const Argument& argument = *data.argument;
    if (argument.surface || !data.is_result() || argument.texture->memory == TextureMemory::linear) return;
    input_error(fmt::format("{} is a texture, which kernels only read. Make its direction in. A kernel writes to a "
                            "\"surface\".",
                            data.label),
                data.pointer + "/direction");
}

void check_memory(const ArgumentData& data, const TextureSetup& setup) {
    const TextureSetup usual;
    if (data.argument->surface && setup.memory != TextureMemory::array)
        refuse_texture(data, "memory", "a surface is of an array. Make the texture's memory array.");
    if (setup.memory == TextureMemory::linear) {
        if (setup.kind != TextureKind::d1)
            refuse_texture(data, "kind",
                           "linear memory is read by tex1Dfetch, so its kind is 1d. Make the kind 1d, or the memory "
                           "array.");
        if (setup.filter != usual.filter || setup.normalized_coordinates || setup.address != usual.address)
            refuse_texture(data,
                           setup.filter != usual.filter   ? "filter"
                           : setup.normalized_coordinates ? "normalized_coordinates"
                                                          : "address",
                           "linear memory is read at whole numbers, unfiltered, and has no address modes. Leave "
                           "these out, or make the memory array.");
    }
    if (setup.memory == TextureMemory::pitch2d && setup.kind != TextureKind::d2)
        refuse_texture(data, "kind",
                       "pitch2d is memory of rows, so its kind is 2d. Make the kind 2d, or the memory "
                       "array.");
    if (setup.gather && (setup.memory != TextureMemory::array || setup.kind != TextureKind::d2))
        refuse_texture(data, "gather",
                       "tex2Dgather reads an array of the kind 2d. Choose these, or leave \"gather\" "
                       "out.");
}

void check_sampling(const ArgumentData& data, const TextureSetup& setup) {
    const std::string dtype = data.input.dtype().name();
    const bool integers = has_integers(data.input), small = data.input.itemsize() < 4;
    if (setup.read == ReadMode::normalized_float && !(integers && small))
        refuse_texture(data, "read",
                       fmt::format("normalized_float is for integers of 8 and 16 bits, and the data are {}. {}", dtype,
                                   integers ? "Read the elements as they are, or give the source a smaller dtype."
                                            : "Floats are read as they are: leave \"read\" out."));
    if (setup.filter == FilterMode::linear && integers && setup.read == ReadMode::element)
        refuse_texture(data, "filter",
                       fmt::format("a linear filter makes numbers between elements, and elements of {} are read as "
                                   "integers. {}, or the filter point.",
                                   dtype,
                                   small ? "Make \"read\" normalized_float" : "Give the source the dtype float32"));
    const unsigned axes = is_cubemap(setup.kind) ? 0 : facts_of(setup.kind).axes;
    for (unsigned i = 0; i < axes && !setup.normalized_coordinates; ++i)
        if (setup.address[i] == AddressMode::wrap || setup.address[i] == AddressMode::mirror)
            refuse_texture(data, "address",
                           fmt::format("{} needs coordinates from 0 to 1: devices clamp without them. Set "
                                       "\"normalized_coordinates\", or choose clamp or border.",
                                       address_modes[static_cast<std::size_t>(setup.address[i])]));
    if (setup.srgb && (data.input.dtype() != DType::uint8() || setup.read != ReadMode::normalized_float))
        refuse_texture(data, "srgb",
                       "sRGB is for uint8 that is read as normalized_float. Give it these, or leave "
                       "\"srgb\" out.");
    if (setup.seamless && !is_cubemap(setup.kind))
        refuse_texture(data, "seamless", "only cubemaps have edges between faces. Leave \"seamless\" out.");
    if (data.argument->variable && setup.border != TextureSetup{}.border)
        refuse_texture(data, "border",
                       "a texture reference has no colour of its border but 0. Leave \"border\" out, or "
                       "give the kernel a texture object.");
}

/// [h, w, 3] becomes [h, w, 4].
NdArray with_fourth(const NdArray& data, double fourth) {
    Shape shape = data.shape();
    shape.back() = 4;
    check_fits_memory(shape, data.itemsize());
    NdArray padded = NdArray::empty(shape, data.dtype());
    const std::string type = type_of_dtype(data.dtype().name());
    const auto whole = static_cast<std::int64_t>(fourth);
    const auto element = has_integers(data) && static_cast<double>(whole) == fourth ? pack_scalar(type, Number{whole})
                                                                                    : pack_scalar(type, Number{fourth});
    const std::size_t size = data.itemsize();
    const std::byte* from = data.data();
    std::byte* to = padded.mutable_data();
    for (std::size_t i = 0; i < data.size() / 3; ++i, from += 3 * size, to += 4 * size) {
        std::memcpy(to, from, 3 * size);
        std::memcpy(to + 3 * size, element.data(), size);
    }
    return padded;
}

void fit_components(ArgumentData& data, unsigned components) {
    if (components == 1 || components == 2 || components == 4) return;
    const Argument& argument = *data.argument;
    const bool may_pad = components == 3 && argument.texture && !argument.surface && !data.is_result();
    if (may_pad && argument.texture->fourth) {
        try {
            data.input = with_fourth(data.input, *argument.texture->fourth);
        } catch (const SessionError& error) {
            refuse_texture(data, "fourth", error.what());
        }
        return;
    }
    input_error(fmt::format("{} has {} components an element, its last axis, and textures and surfaces have 1, 2 or 4. "
                            "{}",
                            data.label, components,
                            may_pad ? "Give the texture a \"fourth\", such as 255 for a picture: data of three get it."
                                    : "Give it data of another shape."),
                data.pointer + "/source");
}

void fit_texture(ArgumentData& data) {
    const Argument& argument = *data.argument;
    if (argument.texture && argument.surface && argument.texture->kind != argument.surface->kind)
        refuse_texture(data, "kind",
                       fmt::format("the texture is {}, and the surface of the same array {}. Give both one kind.",
                                   word_of_kind(argument.texture->kind), word_of_kind(argument.surface->kind)));
    if (argument.variable && argument.texture && argument.surface)
        refuse_texture(data, "kind", "a reference of the source is a texture or a surface. Remove one of the two.");
    check_direction(data);
    check_format(data);
    try {
        fit_components(data, texture_shape(kind_of_texture(argument), data.input.shape()).components);
    } catch (const SessionError& error) {
        input_error(fmt::format("{}: {}", data.label, error.what()), data.pointer + "/source");
    }
    if (!argument.texture) return;
    check_memory(data, *argument.texture);
    check_sampling(data, *argument.texture);
}

struct TextureExtents {
    std::array<std::size_t, 3> extents;
    std::array<attribute, 3> limits;
};

/// The first axis that is too long, 3 where none is.
std::size_t too_long(const TextureExtents& texture, const driver::Device& device) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (texture.limits[i] == no_limit) continue;
        const auto most = device.find_attribute(texture.limits[i]);
        if (most && texture.extents[i] > static_cast<std::size_t>(std::max(*most, 0))) return i;
    }
    return 3;
}

void check_extents_of(const ArgumentData& data, const TextureExtents& texture, std::string_view noun,
                      const driver::Device& device) {
    const std::size_t axis = too_long(texture, device);
    if (axis == 3) return;
    const bool layers = is_layered(kind_of_texture(*data.argument));
    const char* const names[] = {"elements wide", "elements high", layers ? "layers deep" : "elements deep"};
    device_error(fmt::format("{} is {} {}, but a {} of the kind {} has {} at most on {}. Give it smaller data, or "
                             "another kind.",
                             data.label, texture.extents[axis], names[axis], noun,
                             word_of_kind(kind_of_texture(*data.argument)),
                             device.find_attribute(texture.limits[axis]).value_or(0), device.name()),
                 data.pointer + "/source");
}

void check_texture_limits_of(const ArgumentData& data, const driver::Device& device) {
    using enum attribute;
    const Argument& argument = *data.argument;
    const TextureKind kind = kind_of_texture(argument);
    const TextureShape shape = texture_shape(kind, data.input.shape());
    const std::array<std::size_t, 3> extents{shape.width, shape.height, shape.depth};
    const TextureMemory memory = argument.texture ? argument.texture->memory : TextureMemory::array;
    if (memory == TextureMemory::linear)
        return check_extents_of(data, {extents, {MAXIMUM_TEXTURE1D_LINEAR_WIDTH, no_limit, no_limit}},
                                "texture of linear memory", device);
    if (memory == TextureMemory::pitch2d)
        return check_extents_of(data,
                                {extents, {MAXIMUM_TEXTURE2D_LINEAR_WIDTH, MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, no_limit}},
                                "texture of rows of memory", device);
    // Arrays are made within the limits of textures, surfaces too.
    const TextureExtents alternate{
        extents,
        {MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE}};
    if (kind != TextureKind::d3 || too_long(alternate, device) != 3)
        check_extents_of(data, {extents, facts_of(kind).texture}, "texture", device);
    if (argument.surface) check_extents_of(data, {extents, facts_of(kind).surface}, "surface", device);
    if (argument.texture && argument.texture->gather)
        check_extents_of(data, {extents, {MAXIMUM_TEXTURE2D_GATHER_WIDTH, MAXIMUM_TEXTURE2D_GATHER_HEIGHT, no_limit}},
                         "texture for tex2Dgather", device);
}

} // namespace

TextureShape texture_shape(TextureKind kind, const Shape& shape) {
    const KindFacts& facts = facts_of(kind);
    const std::size_t axes = facts.data_axes;
    if (shape.size() != axes && shape.size() != axes + 1)
        throw SessionError(fmt::format("data of the kind {} have the shape {}, and one more axis where elements have "
                                       "several components, but these are {}. Give them that shape, or choose another "
                                       "kind.",
                                       word_of_kind(kind), facts.shape, warplight::to_string(shape)));
    if (std::ranges::count(shape, std::size_t{0}))
        throw SessionError(fmt::format("the shape {} has no elements, and a texture or surface has some. Give it data.",
                                       warplight::to_string(shape)));
    TextureShape extents;
    if (shape.size() > axes) extents.components = static_cast<unsigned>(std::min<std::size_t>(shape.back(), 1000));
    extents.width = shape[axes - 1];
    if (facts.axes > 1) extents.height = shape[axes - 2];
    if (axes > facts.axes) extents.depth = shape[0];
    if (kind == TextureKind::d3) extents.depth = shape[0];
    if (!is_cubemap(kind)) return extents;
    const std::size_t faces = shape[axes - 3];
    if (faces != 6)
        throw SessionError(fmt::format("a cubemap has 6 faces, and the shape {} has {}. Its shape is {}.",
                                       warplight::to_string(shape), faces, facts.shape));
    if (extents.width != extents.height)
        throw SessionError(
            fmt::format("the faces of a cubemap are squares, and these are {} x {}.", extents.width, extents.height));
    extents.depth = kind == TextureKind::cubemap ? 6 : 6 * shape[0];
    return extents;
}

TextureKind kind_of_texture(const Argument& argument) {
    return argument.texture ? argument.texture->kind : argument.surface ? argument.surface->kind : TextureKind::d2;
}

driver::ArrayDescriptor3D array_of_texture(const Argument& argument, const NdArray& data) {
    namespace flags = driver::array3d_flags;
    const TextureKind kind = kind_of_texture(argument);
    const TextureShape shape = texture_shape(kind, data.shape());
    driver::ArrayDescriptor3D array{
        shape.width, shape.height, shape.depth, driver::dtype_to_array_format(data.dtype()), shape.components, 0};
    if (is_layered(kind)) array.flags |= flags::LAYERED;
    if (is_cubemap(kind)) array.flags |= flags::CUBEMAP;
    if (argument.surface) array.flags |= flags::SURFACE_LDST;
    if (argument.texture && argument.texture->gather) array.flags |= flags::TEXTURE_GATHER;
    return array;
}

std::string texture_phrase(const Argument& argument) {
    std::string phrase;
    if (const auto& setup = argument.texture) {
        phrase = fmt::format("{} texture", word_of_kind(setup->kind));
        if (setup->memory != TextureMemory::array)
            phrase += fmt::format(" of {} memory", texture_memories[static_cast<std::size_t>(setup->memory)]);
        if (setup->filter == FilterMode::linear) phrase += ", linear filter";
        if (setup->read == ReadMode::normalized_float) phrase += ", normalised values";
        if (setup->normalized_coordinates) phrase += ", normalised coordinates";
    }
    if (argument.surface)
        phrase += fmt::format("{}{} surface", phrase.empty() ? "" : " and ", word_of_kind(argument.surface->kind));
    return phrase;
}

void fit_textures(std::vector<ArgumentData>& arguments) {
    for (ArgumentData& data : arguments)
        if (data.is_texture()) fit_texture(data);
}

void find_references(std::vector<ArgumentData>& arguments, const std::vector<compiler::Reference>& references) {
    for (ArgumentData& data : arguments) {
        if (!data.argument->variable || !data.is_texture()) continue;
        const std::string& name = data.argument->name;
        const bool is_surface = !data.argument->texture;
        const auto found = std::ranges::find_if(references, [&](const compiler::Reference& each) {
            return (each.name == name || each.lowered == name || each.name.ends_with("::" + name)) &&
                   each.is_surface == is_surface;
        });
        if (found == references.end())
            input_error(fmt::format("There is no {} reference \"{}\" in the source: a variable of the type {}<…>. "
                                    "Compilers have them up to CUDA 11; PTX has .{}. Without one, give the kernel a {} "
                                    "object.",
                                    noun_of(*data.argument), name, noun_of(*data.argument),
                                    is_surface ? "surfref" : "texref", noun_of(*data.argument)),
                        data.pointer + "/name");
        data.lowered = found->lowered;
    }
}

void check_texture_limits(const std::vector<ArgumentData>& arguments, const driver::Device& device) {
    for (const ArgumentData& data : arguments)
        if (data.is_texture()) check_texture_limits_of(data, device);
}

GivenAs given_as(const ArgumentData& data, const compiler::Parameter* parameter) {
    const Argument& argument = *data.argument;
    if (!data.is_texture()) {
        if (!parameter || parameter->object.empty()) return GivenAs::address;
        input_error(fmt::format("{} is an array, but the kernel's parameter \"{}\" is a {} object ({}). Give the "
                                "argument a \"{}\", such as {{\"kind\": \"2d\"}}.",
                                data.label, parameter->name, parameter->object, parameter->type, parameter->object),
                    data.pointer);
    }
    if (argument.texture && argument.surface && !(parameter && parameter->pointer)) {
        if (parameter && parameter->object == "texture") return GivenAs::texture;
        if (parameter && parameter->object == "surface") return GivenAs::surface;
        input_error(fmt::format("{} is both a texture and a surface, and the kernel's parameter{} does not tell which "
                                "it is. Declare it as cudaTextureObject_t or cudaSurfaceObject_t, or remove one of the "
                                "two.",
                                data.label, parameter ? fmt::format(" \"{}\"", parameter->name) : ""),
                    data.pointer);
    }
    const std::string_view noun = noun_of(argument);
    const GivenAs as = argument.texture ? GivenAs::texture : GivenAs::surface;
    if (!parameter || parameter->object == noun) return as;
    if (!parameter->object.empty())
        input_error(fmt::format("{} is a {}, but the kernel's parameter \"{}\" is a {} object. Give the argument a "
                                "\"{}\" instead.",
                                data.label, noun, parameter->name, parameter->object, parameter->object),
                    fmt::format("{}/{}", data.pointer, noun));
    if (parameter->pointer) {
        if (argument.texture && argument.texture->memory == TextureMemory::linear) return GivenAs::address;
        input_error(fmt::format("{} is a {}, but the kernel's parameter \"{}\" is {}, an address. Remove \"{}\" from "
                                "the argument, or take a {} in the kernel.",
                                data.label, noun, parameter->name, parameter->type, noun,
                                argument.texture ? "cudaTextureObject_t" : "cudaSurfaceObject_t"),
                    fmt::format("{}/{}", data.pointer, noun));
    }
    const bool may_be_handle =
        parameter->size == 8 && !parameter->is_struct &&
        (parameter->dtype.empty() || parameter->dtype == "uint64" || parameter->dtype == "int64");
    if (may_be_handle) return as; // the type that the objects' names stand for
    input_error(
        fmt::format("{} is a {}, but the kernel's parameter \"{}\" is {}. Remove \"{}\", or make the parameter a "
                    "{}.",
                    data.label, noun, parameter->name, parameter->type, noun,
                    argument.texture ? "cudaTextureObject_t" : "cudaSurfaceObject_t"),
        fmt::format("{}/{}", data.pointer, noun));
}

void check_no_object(const ArgumentData& data, const compiler::Parameter& parameter) {
    if (parameter.object.empty()) return;
    const bool is_zero = std::ranges::all_of(data.scalar, [](std::byte each) { return each == std::byte{0}; });
    if (is_zero && data.scalar.size() == 8) return;
    input_error(
        fmt::format("{} is a scalar, but the kernel's parameter \"{}\" is a {} object. Make its direction in{}, "
                    "and give it data and a \"{}\".",
                    data.label, parameter.name, parameter.object, parameter.object == "surface" ? ", out or inout" : "",
                    parameter.object),
        data.pointer + "/direction");
}

} // namespace warplight::session
