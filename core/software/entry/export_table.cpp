// SPDX-License-Identifier: Apache-2.0
// The driver's private tables, by which NVIDIA's own libraries reach into it. Their content is not published and the
// CUDA runtime checks whose they are, so there are none here; but a program that asks should learn why it stops.
#include "entry.hpp"

#include "../runtime/advice.hpp"
#include "../runtime/service_call.hpp"

#include <algorithm>
#include <array>
#include <cstring>

using namespace warplight::software;

namespace {

/// The tables that a CUDA runtime asks for first. A GPU's driver has them.
constexpr std::array<std::array<unsigned char, 16>, 2> kOfRuntime = {{
    {0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9, 0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d, 0xd9},
    {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9},
}};

bool is_of_runtime(const CUuuid& id) {
    return std::any_of(kOfRuntime.begin(), kOfRuntime.end(),
                       [&](const auto& known) { return std::memcmp(known.data(), &id, sizeof known) == 0; });
}

} // namespace

WL_ENTRY(cuGetExportTable, (const void** ppExportTable, const CUuuid* pExportTableId)) {
    if (!ppExportTable || !pExportTableId) return CUDA_ERROR_INVALID_VALUE;
    if (!is_of_runtime(*pExportTableId))
        return enter_always([] { fail(CUDA_ERROR_INVALID_VALUE, "there is no table with this number"); });
    const void* const caller = WARPLIGHT_CALLER();
    return enter_always([&] {
        advice::on_private_tables(caller);
        fail(CUDA_ERROR_NOT_SUPPORTED, "the software device has no private tables: the CUDA runtime cannot use it");
    });
}
