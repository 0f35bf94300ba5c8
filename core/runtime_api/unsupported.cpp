// SPDX-License-Identifier: Apache-2.0
// The functions that functions.def refuses. They look at none of their arguments, so they have none.
#include "runtime_api/state.hpp"

namespace warplight::runtime_api {

#define WL_STATE_done(name)
#define WL_STATE_refused(name)                                                                                         \
    WL_RUNTIME(name, ()) { return record(cudaErrorNotSupported); }
#define WARPLIGHT_RUNTIME_FUNCTION(name, first, last, state) WL_STATE_##state(name)
#include "runtime_api/functions.def"
#undef WARPLIGHT_RUNTIME_FUNCTION

} // namespace warplight::runtime_api
