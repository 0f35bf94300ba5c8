// SPDX-License-Identifier: Apache-2.0
// Images of modules: PTX text, a fat binary that holds PTX, or code for a GPU, which cannot run here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::software {

/// The messages of loading and linking, as cuModuleLoadDataEx gives them out.
struct LoadLog {
    std::string error;
    std::string info;
    double milliseconds = 0;
};

/// The result of linking: the texts of all inputs, which are linked again when they are loaded. Readable as bytes of a
/// known length, as a CUBIN is.
[[nodiscard]] std::string linked_image(const std::vector<std::string>& texts);
/// The texts in such an image; nothing when it is none. Throws CUDA_ERROR_INVALID_IMAGE.
[[nodiscard]] std::vector<std::string> texts_of_linked_image(std::string_view image);
/// Every PTX text in the fat binaries of an object file or a static library. Texts that cannot be unpacked and damaged
/// fat binaries are left out; the log tells of damaged ones.
[[nodiscard]] std::vector<std::string> ptx_of_object(std::string_view object, LoadLog& log);
/// A copy of a caller's bytes. Throws CUDA_ERROR_INVALID_IMAGE where not all of them can be read.
[[nodiscard]] std::string bytes_at(const void* data, std::size_t size);

/// The PTX of an image for cuModuleLoadData: text, or a fat binary that holds some. Only the image itself says how long
/// it is. So unreadable memory is not touched, and all parts must lie inside of the whole.
/// Throws CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_INVALID_IMAGE.
[[nodiscard]] std::string ptx_of_image(const void* image, LoadLog& log);
/// The same for an image of known length, such as a file.
[[nodiscard]] std::string ptx_of_image(std::string_view image, LoadLog& log);

} // namespace warplight::software
