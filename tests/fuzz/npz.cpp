// SPDX-License-Identifier: Apache-2.0
// Any bytes as an .npz file: its arrays, or a FileError that has a message. Nothing unfolds to more than its bytes
// hold.
#include "formats/npz.hpp"
#include "warplight/error.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const int memory = memfd_create("input", 0);
    if (ftruncate(memory, 0) != 0 || pwrite(memory, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    const std::filesystem::path file = "/proc/self/fd/" + std::to_string(memory);
    const auto fits = [](std::uint64_t bytes) {
        if (bytes > std::uint64_t{1} << 24) throw warplight::FileError("input", "is too large for a fuzzer");
    };
    try {
        for (const auto& member : warplight::formats::npz_members(file)) {
            if (!member.head) continue;
            try {
                const auto array = warplight::formats::read_npz(file, member.name, fits);
                if (array.shape() != member.head->shape || array.nbytes() > (size + 1024) * 1032) std::abort();
            } catch (const warplight::FileError& error) {
                if (error.what()[0] == '\0') std::abort();
            }
        }
    } catch (const warplight::FileError& error) {
        if (error.what()[0] == '\0') std::abort();
    }
    return 0;
}
