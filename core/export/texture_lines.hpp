// SPDX-License-Identifier: Apache-2.0
// What programs do for arguments that kernels get as textures or surfaces. Their templates have a class for these.
#pragma once

#include "export/experiment.hpp"
#include "export/template_text.hpp"

#include <string>
#include <string_view>

namespace warplight::exporting {

[[nodiscard]] bool is_texture(const ExportedArgument& argument);
[[nodiscard]] bool has_textures(const Experiment& experiment);
/// Of a format that has none. @throws ExportError
void refuse_textures(const Experiment& experiment, std::string_view library);

/// The lines of one. @throws ExportError for what programs do not do
struct TextureLines {
    std::string argument; ///< of the launch
    std::string upload, download;
    Lines allocation;
};
[[nodiscard]] TextureLines driver_texture(const ExportedArgument& argument);
[[nodiscard]] TextureLines warplight_texture(const ExportedArgument& argument);
[[nodiscard]] TextureLines cuda_core_texture(const ExportedArgument& argument);

} // namespace warplight::exporting
