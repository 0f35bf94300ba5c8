// SPDX-License-Identifier: Apache-2.0
#include "remote/part_file.hpp"

#include "files/problem.hpp"

namespace warplight::remote {
namespace {

[[noreturn]] void no_far_side(const std::filesystem::path& path) {
    throw files::Problem(path, "cannot be used: a machine with Windows can be no far side");
}

} // namespace

PartFile::PartFile(const std::filesystem::path& path) { no_far_side(path); }
PartFile::~PartFile() = default;
std::size_t PartFile::read(std::uint64_t, std::span<std::byte>) const { no_far_side(path_); }
void PartFile::write(std::span<const std::byte>) { no_far_side(path_); }
void PartFile::truncate() { no_far_side(path_); }
void PartFile::finish(const std::filesystem::path&, bool) { no_far_side(path_); }
void PartFile::remove() { no_far_side(path_); }

void make_pipe(const std::filesystem::path&) {}

} // namespace warplight::remote
