// SPDX-License-Identifier: Apache-2.0
// Large copies to the device from files and pageable memory, at about the rate of page-locked memory: while the device
// takes some page-locked buffers, threads of the host fill others. The source may be larger than the host's memory.
#pragma once

#include "warplight/file_path.hpp"
#include "warplight/memory.hpp"
#include "warplight/npy.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::driver {

class Stream;

/// The four buffers, in the context that is current when it is made, which it keeps alive. Copies begin behind the work
/// of the stream that is passed, or of the default stream, and are done when the call returns. For one thread at a
/// time. Move-only.
class StagedCopier {
public:
    static constexpr std::size_t kDefaultChunk = std::size_t{8} << 20;

    /// @param chunk bytes of each buffer; rounded up to a multiple of 4096
    /// @param threads that fill them, the caller included; 0: as many as help
    explicit StagedCopier(std::size_t chunk = kDefaultChunk, unsigned threads = 0);
    StagedCopier(StagedCopier&&) noexcept;
    StagedCopier& operator=(StagedCopier&&) noexcept;
    StagedCopier(const StagedCopier&) = delete;
    StagedCopier& operator=(const StagedCopier&) = delete;
    ~StagedCopier();

    /// Memory of any kind, that of a mapped file included.
    void copy(DevicePointer dest, ConstBuffer src, const Stream* stream = nullptr);
    /// `bytes` of a file, from `offset` on. @throws FileError when it cannot be read or is not as long.
    void copy(DevicePointer dest, const FilePath& file, std::uint64_t offset, std::size_t bytes,
              const Stream* stream = nullptr);
    /// The elements of a .npy file, in the host's byte order. @throws FileError, LogicError when `dest` is an
    /// allocation that is too small.
    void copy_npy(DevicePointer dest, const FilePath& file, const Stream* stream = nullptr);

private:
    struct State;
    Shared<State> state_;
};

/// memcpy_htod() for what is large: staged where that is sooner, else as that does.
void memcpy_htod_staged(DevicePointer dest, ConstBuffer src);

/// Device memory with the elements of a .npy file.
struct NpyOnDevice {
    DeviceAllocation memory; ///< none for an array without elements
    NpyHeader header;
};
/// @throws FileError, MemoryError
NpyOnDevice npy_to_device(const FilePath& file);

} // namespace warplight::driver
