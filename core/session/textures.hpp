// SPDX-License-Identifier: Apache-2.0
// Arguments that are textures and surfaces: what fits them, and what a launch is given.
#pragma once

#include "session/argument_data.hpp"
#include "session/texture_setup.hpp"

#include "warplight/array.hpp"
#include "warplight/compiler.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace warplight::driver {
class Device;
} // namespace warplight::driver

namespace warplight::session {

/// Extents as arrays have them, in elements.
struct TextureShape {
    std::size_t width = 0;
    std::size_t height = 0; ///< 0: one-dimensional
    std::size_t depth = 0;  ///< of volumes; layers, or faces of cubemaps; 0: none
    unsigned components = 1;
};
/// Of data with three components too. @throws SessionError for axes that do not fit the kind
TextureShape texture_shape(TextureKind kind, const Shape& shape);
/// That of the argument's texture or surface.
TextureKind kind_of_texture(const Argument& argument);
/// The array that holds it.
driver::ArrayDescriptor3D array_of_texture(const Argument& argument, const NdArray& data);
/// "2d texture, linear filter", for reports; empty for other arguments.
std::string texture_phrase(const Argument& argument);

/// Checks the data of textures and surfaces, and gives data of three components their fourth. @throws StageError
void fit_textures(std::vector<ArgumentData>& arguments);
/// Finds the references that are arguments. @throws StageError
void find_references(std::vector<ArgumentData>& arguments, const std::vector<compiler::Reference>& references);
/// Checks extents against the device's limits, because the driver's error does not name the limit.
void check_texture_limits(const std::vector<ArgumentData>& arguments, const driver::Device& device);

/// What a parameter is given for an array. @param parameter null where the source does not tell its type
/// @throws StageError for a parameter of another type
GivenAs given_as(const ArgumentData& data, const compiler::Parameter* parameter);
/// That a value is not given to a texture's or surface's parameter; only 0, which is none, may be.
void check_no_object(const ArgumentData& data, const compiler::Parameter& parameter);

} // namespace warplight::session
