// SPDX-License-Identifier: Apache-2.0
#include "interface/input.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <windows.h>

#include <memory>
#include <system_error>

namespace warplight {

Shared<MappedFile> MappedFile::open(const FilePath& path) {
    const auto input = detail::open_input(path);
    const auto fail = [&] {
        throw driver::FileError(path.string(), "cannot be mapped: " +
                                                   std::system_category().message(static_cast<int>(GetLastError())));
    };
    std::shared_ptr<MappedFile> file(new MappedFile);
    if (input->size() != 0) {
        file->handle_ =
            CreateFileMappingW(reinterpret_cast<HANDLE>(input->handle()), nullptr, PAGE_READONLY, 0, 0, nullptr);
        if (!file->handle_) fail();
        file->data_ = static_cast<const std::byte*>(MapViewOfFile(file->handle_, FILE_MAP_READ, 0, 0, 0));
        if (!file->data_) fail();
        file->size_ = static_cast<std::size_t>(input->size());
    }
    return file;
}

MappedFile::~MappedFile() {
    if (data_) UnmapViewOfFile(data_);
    if (handle_) CloseHandle(handle_);
}

} // namespace warplight
