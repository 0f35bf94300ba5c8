// SPDX-License-Identifier: Apache-2.0
// What programs do for arguments that kernels get as textures or surfaces. Each format has a class Texture for these,
// whose members have the same names in all of them.
#pragma once

#include "export/experiment.hpp"
#include "export/template_text.hpp"

#include <string>
#include <string_view>

namespace warplight::exporting {

[[nodiscard]] bool is_texture(const ExportedArgument& argument);
[[nodiscard]] bool has_textures(const Experiment& experiment);
/// References of the source: kernels name them, and are not given them.
[[nodiscard]] bool has_texture_references(const Experiment& experiment);
/// The bits of such a border are no float.
[[nodiscard]] bool has_border_of_integers(const ExportedArgument& argument);
/// A texture whose elements do not lie one after the other. Steps copy and fill it by way of memory where they do.
[[nodiscard]] bool is_apart(const ExportedArgument& argument);

/// Whose class Texture it is.
enum class TextureWords { driver, warplight, python };

/// The lines of one, without the end of the last one.
struct TextureLines {
    std::string allocation, upload;
    std::string download; ///< into its result_name(), which it defines
};
/// The templates that a program needs, empty for one without textures. @param name of those with textures
/// @param references of those with references
[[nodiscard]] std::string texture_class(const Experiment& experiment, std::string_view name,
                                        std::string_view references = {});
/// @param memory of Python: what allocates the bytes of an array
/// @param module of Python: what tells the module of references
[[nodiscard]] TextureLines texture_lines(const Experiment& experiment, const ExportedArgument& argument,
                                         TextureWords words, std::string_view memory = {},
                                         std::string_view module = "module");
/// Lines of Python that read one back into its result_name(), when all before it is done.
[[nodiscard]] std::string read_texture(const ExportedArgument& argument);
/// What holds the elements one after the other: the memory of an array, or that of a Texture.
[[nodiscard]] std::string memory_name(const ExportedArgument& argument);
/// What a launch is given of a texture: its object, or its memory.
[[nodiscard]] std::string texture_member(const LaunchArgument& argument);

} // namespace warplight::exporting
