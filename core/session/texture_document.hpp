// SPDX-License-Identifier: Apache-2.0
/// `texture` and `surface` of an argument, as JSON.
#pragma once

#include "session/texture_setup.hpp"

#include <nlohmann/json_fwd.hpp>

namespace warplight::session {

class JsonReader;

/// @throws SessionError with a pointer to the key
TextureSetup read_texture(const JsonReader& reader);
SurfaceSetup read_surface(const JsonReader& reader);
/// The keys that are not as by default, and the kind.
nlohmann::ordered_json write_texture(const TextureSetup& setup);
nlohmann::ordered_json write_surface(const SurfaceSetup& setup);

} // namespace warplight::session
