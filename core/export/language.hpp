// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplight::exporting {

/// That programs are written in.
enum class Language { python, cpp };

} // namespace warplight::exporting
