// SPDX-License-Identifier: Apache-2.0
// Device memory that processes share. Events do so too: Event::ipc_handle.
#pragma once

#include "warplight/enums_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"

#include <array>
#include <cstddef>

namespace warplight::driver {

/// Memory of another process, mapped until this object is closed or gone. It is used as a DeviceAllocation is, and the
/// bytes are the same in both processes. Opening it again in the same context gives the same address. Move-only; keeps
/// its context alive. Its own process should not free it before it is closed here. CUDA 4.1.
class IPCMemoryHandle {
public:
    using Bytes = std::array<std::byte, 64>; ///< what one process gives to the other

    IPCMemoryHandle() = default; ///< no memory
    /// Opens it in the current context.
    /// @param flags of ipc_mem_flags
    /// @throws LogicError for bytes that are no handle, memory that is gone, and memory of this process.
    explicit IPCMemoryHandle(const Bytes& handle, unsigned flags = ipc_mem_flags::LAZY_ENABLE_PEER_ACCESS);
    IPCMemoryHandle(IPCMemoryHandle&&) noexcept = default;
    IPCMemoryHandle& operator=(IPCMemoryHandle&&) noexcept = default;
    IPCMemoryHandle(const IPCMemoryHandle&) = delete;
    IPCMemoryHandle& operator=(const IPCMemoryHandle&) = delete;
    ~IPCMemoryHandle() = default;

    /// Unmaps it now. @throws LogicError the second time.
    void close();
    /// 0 when there is no memory.
    device_ptr get() const noexcept;
    /// Bytes that can be used from get() on.
    std::size_t size() const noexcept;
    explicit operator bool() const noexcept { return get() != 0; }
    /// @throws LogicError when it has been closed.
    operator DevicePointer() const;

private:
    Shared<detail::AllocationState> state_;
};
inline DevicePointer operator+(const IPCMemoryHandle& memory, std::size_t bytes) {
    return static_cast<DevicePointer>(memory) + bytes;
}

/// What another process opens memory of mem_alloc by, as often as wanted. @throws LogicError for other memory.
/// CUDA 4.1.
IPCMemoryHandle::Bytes mem_get_ipc_handle(DevicePointer pointer);

} // namespace warplight::driver
