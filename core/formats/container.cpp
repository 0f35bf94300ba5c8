// SPDX-License-Identifier: Apache-2.0
#include "formats/container.hpp"

#include "formats/extension.hpp"
#include "formats/hdf5.hpp"
#include "formats/npz.hpp"
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::formats {

bool is_container(std::string_view extension) {
    return extension == ".npz" || extension == ".h5" || extension == ".hdf5";
}

std::vector<Member> members_of(const std::filesystem::path& file) {
    return is_npz(file) ? npz_members(file) : hdf5_members(file);
}

NdArray read_member(const std::filesystem::path& file, const std::string& member, const FitsMemory& fits) {
    const NdArray array = is_npz(file) ? read_npz(file, member, fits) : read_hdf5(file, member, fits);
    return array.is_c_contiguous() ? array : array.copy(Order::C);
}

ArrayHead head_of_member(const std::filesystem::path& file, const std::string& member) {
    return is_npz(file) ? npz_head(file, member) : hdf5_head(file, member);
}

} // namespace warplight::formats
