// SPDX-License-Identifier: Apache-2.0
#include "worker/buffer_export.hpp"

#include "session/pieces.hpp"
#include "worker/scan_walk.hpp"

#include <memory>
#include <span>

namespace warplight::worker {

std::uint64_t write_buffer(const NdArray& array, const std::string& name, const std::filesystem::path& path,
                           const formats::FileDetails& details, const RequestContext& context) {
    Walk walk(context, "save", array.size());
    session::PieceReader reader(array);
    const formats::OutputArray output{
        .name = name,
        .dtype = array.dtype(),
        .shape = array.shape(),
        .read = [&](std::size_t offset, std::size_t count) { return reader.read(offset, count); }};
    std::size_t done = 0;
    const auto step = [&](std::size_t elements) { walk.step(done += elements); };
    return formats::write_array_file(path, std::span(&output, 1), details, step);
}

} // namespace warplight::worker
