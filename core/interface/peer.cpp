// SPDX-License-Identifier: Apache-2.0
#include "interface/state.hpp"
#include "warplight/context.hpp"
#include "warplight/memory.hpp"
#include "warplight/stream.hpp"

namespace warplight::driver {

namespace {

using detail::ContextPointer;

struct Side {
    ContextPointer context;
    device_ptr address;
};

Side side_of(const DevicePointer& pointer, const ContextRef* given, std::size_t bytes) {
    detail::check_range(pointer, bytes);
    return {given ? detail::lock_context(*given) : detail::context_for(nullptr, &pointer), pointer.get()};
}

struct Copy {
    Side to, from;
    ContextPointer where; ///< whose call it is
    std::string describe(std::size_t bytes) const {
        return "copy of " + std::to_string(bytes) + " bytes from " + from.context->describe() + " to " +
               to.context->describe();
    }
};

Copy copy_of(const DevicePointer& dest, const DevicePointer& src, std::size_t bytes, const ContextRef* dest_context,
             const ContextRef* src_context, const Stream* stream) {
    Copy copy{side_of(dest, dest_context, bytes), side_of(src, src_context, bytes), nullptr};
    copy.where = stream ? stream->state().context : copy.to.context;
    detail::check_same_driver(*copy.to.context, *copy.where);
    detail::check_same_driver(*copy.from.context, *copy.where);
    for (const auto& context : {copy.to.context, copy.from.context})
        if (!context->valid.load()) throw_logic_error("a context of the copy has been detached", context->describe());
    return copy;
}

} // namespace

void memcpy_peer(DevicePointer dest, DevicePointer src, std::size_t bytes, const ContextRef* dest_context,
                 const ContextRef* src_context) {
    const Copy copy = copy_of(dest, src, bytes, dest_context, src_context, nullptr);
    const detail::Scope scope(*copy.where);
    WARPLIGHT_CALL(*copy.where->driver, cuMemcpyPeer, copy.describe(bytes), copy.to.address, copy.to.context->handle,
                   copy.from.address, copy.from.context->handle, bytes);
}

void memcpy_peer_async(DevicePointer dest, DevicePointer src, std::size_t bytes, const ContextRef* dest_context,
                       const ContextRef* src_context, const Stream* stream) {
    const Copy copy = copy_of(dest, src, bytes, dest_context, src_context, stream);
    const detail::Scope scope(*copy.where);
    WARPLIGHT_CALL(*copy.where->driver, cuMemcpyPeerAsync, copy.describe(bytes), copy.to.address,
                   copy.to.context->handle, copy.from.address, copy.from.context->handle, bytes,
                   detail::handle_of(stream));
}

} // namespace warplight::driver
