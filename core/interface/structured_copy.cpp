// SPDX-License-Identifier: Apache-2.0
#include "warplight/structured_copy.hpp"

#include "interface/state.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace warplight::driver {

namespace detail {

namespace {

ContextPointer context_of(const DevicePointer& pointer) {
    return pointer.allocation() ? pointer.allocation()->context : nullptr;
}

device_ptr address_of(const void* host) { return static_cast<device_ptr>(reinterpret_cast<std::uintptr_t>(host)); }

void check_live(const CopyEnd& end, memory_type type, const char* which) {
    if (type == memory_type::ARRAY && !end.array)
        throw_logic_error(std::string("the copy's ") + which + " is an array, but none was set");
    if (type == memory_type::ARRAY && !end.array->live.load())
        throw_logic_error(std::string("the array that is the copy's ") + which + " has been freed",
                          end.array->describe());
}

} // namespace

std::size_t* StructuredCopy::slice_height(bool) noexcept { return nullptr; }

/// Rows are what the strides step over, the largest first; the elements of a row are packed.
void StructuredCopy::take_strides(const NdArray& array, bool source) {
    std::vector<std::ptrdiff_t> steps;
    std::ptrdiff_t packed = static_cast<std::ptrdiff_t>(array.itemsize());
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> axes; // step, extent
    for (std::size_t i = 0; i < array.ndim(); ++i)
        if (array.shape()[i] > 1) axes.emplace_back(array.strides()[i], array.shape()[i]);
    std::sort(axes.begin(), axes.end(), std::greater<>());
    std::size_t* height = slice_height(source);
    std::size_t& pitch = source ? src_pitch : dst_pitch;
    const std::size_t outer = std::min<std::size_t>(height ? 2 : 1, axes.empty() ? 0 : axes.size() - 1);
    for (std::size_t i = axes.size(); i > outer; --i) {
        const auto& [step, extent] = axes[i - 1];
        if (step != packed)
            throw_logic_error("the rows of the array are not packed: a copy needs elements that follow one another");
        packed *= static_cast<std::ptrdiff_t>(extent);
    }
    if (outer == 0) return;
    const std::ptrdiff_t row = axes[outer - 1].first;
    if (row <= 0) throw_logic_error("strides of a copied array are positive");
    if (pitch == 0) pitch = static_cast<std::size_t>(row);
    if (outer < 2 || !height || *height != 0) return;
    if (axes[0].first % row != 0) throw_logic_error("the slices of the array are not a whole number of rows apart");
    *height = static_cast<std::size_t>(axes[0].first / row);
}

void StructuredCopy::set_src_host(ConstBuffer buffer) {
    src_memory_type = memory_type::HOST;
    src_ = {};
    src_.host = buffer.data;
}
void StructuredCopy::set_src_host(const NdArray& array) {
    take_strides(array, true);
    set_src_host(ConstBuffer(array.data(), 0));
    src_.kept = array;
}
void StructuredCopy::set_src_array(const Array& array) {
    src_memory_type = memory_type::ARRAY;
    src_ = {};
    src_.array = array.state();
    src_.context = src_.array->context;
}
void StructuredCopy::set_src_device(DevicePointer pointer) {
    src_memory_type = memory_type::DEVICE;
    src_ = {};
    src_device = pointer.get();
    src_.context = context_of(pointer);
}
void StructuredCopy::set_src_unified(ConstBuffer buffer) { set_src_unified(DevicePointer(address_of(buffer.data))); }
void StructuredCopy::set_src_unified(const NdArray& array) {
    take_strides(array, true);
    set_src_unified(DevicePointer(address_of(array.data())));
    src_.kept = array;
}
void StructuredCopy::set_src_unified(DevicePointer pointer) {
    set_src_device(pointer);
    src_memory_type = memory_type::UNIFIED;
}

void StructuredCopy::set_dst_host(MutableBuffer buffer) {
    dst_memory_type = memory_type::HOST;
    dst_ = {};
    dst_.host = buffer.data;
}
void StructuredCopy::set_dst_host(const NdArray& array) {
    take_strides(array, false);
    set_dst_host(MutableBuffer(array.mutable_data(), 0));
    dst_.kept = array;
}
void StructuredCopy::set_dst_array(const Array& array) {
    dst_memory_type = memory_type::ARRAY;
    dst_ = {};
    dst_.array = array.state();
    dst_.context = dst_.array->context;
}
void StructuredCopy::set_dst_device(DevicePointer pointer) {
    dst_memory_type = memory_type::DEVICE;
    dst_ = {};
    dst_device = pointer.get();
    dst_.context = context_of(pointer);
}
void StructuredCopy::set_dst_unified(MutableBuffer buffer) { set_dst_unified(DevicePointer(address_of(buffer.data))); }
void StructuredCopy::set_dst_unified(const NdArray& array) {
    take_strides(array, false);
    set_dst_unified(DevicePointer(address_of(array.mutable_data())));
    dst_.kept = array;
}
void StructuredCopy::set_dst_unified(DevicePointer pointer) {
    set_dst_device(pointer);
    dst_memory_type = memory_type::UNIFIED;
}

Shared<ContextState> StructuredCopy::context(const Stream* stream) const {
    check_live(src_, src_memory_type, "source");
    check_live(dst_, dst_memory_type, "destination");
    if (stream) return stream->state().context;
    if (dst_.context) return dst_.context;
    if (src_.context) return src_.context;
    return current_context();
}

std::string StructuredCopy::describe(const ContextState& context) const {
    return "copy of " + std::to_string(height) + " rows of " + std::to_string(width_in_bytes) + " bytes in " +
           context.describe();
}

template <class Copy>
void StructuredCopy::fill(Copy& copy) const {
    copy.srcXInBytes = src_x_in_bytes;
    copy.srcY = src_y;
    copy.srcMemoryType = static_cast<CUmemorytype>(src_memory_type);
    copy.srcHost = src_.host;
    copy.srcDevice = src_device;
    copy.srcArray = src_.array ? src_.array->handle : nullptr;
    copy.srcPitch = src_pitch;
    copy.dstXInBytes = dst_x_in_bytes;
    copy.dstY = dst_y;
    copy.dstMemoryType = static_cast<CUmemorytype>(dst_memory_type);
    copy.dstHost = const_cast<void*>(dst_.host);
    copy.dstDevice = dst_device;
    copy.dstArray = dst_.array ? dst_.array->handle : nullptr;
    copy.dstPitch = dst_pitch;
    copy.WidthInBytes = width_in_bytes;
    copy.Height = height;
}

template <class Copy>
void StructuredCopy3D::fill_slices(Copy& copy) const {
    fill(copy);
    copy.srcZ = src_z;
    copy.srcLOD = src_lod;
    copy.srcHeight = src_height;
    copy.dstZ = dst_z;
    copy.dstLOD = dst_lod;
    copy.dstHeight = dst_height;
    copy.Depth = depth;
}

} // namespace detail

using detail::Scope;

void Memcpy2D::operator()(bool aligned) const {
    const auto where = context(nullptr);
    const Scope scope(*where);
    CUDA_MEMCPY2D copy{};
    fill(copy);
    if (aligned)
        WARPLIGHT_CALL(*where->driver, cuMemcpy2D, describe(*where), &copy);
    else
        WARPLIGHT_CALL(*where->driver, cuMemcpy2DUnaligned, describe(*where), &copy);
}

void Memcpy2D::operator()(const Stream& stream) const { (*this)(&stream); }

void Memcpy2D::operator()(const Stream* stream) const {
    const auto where = context(stream);
    const Scope scope(*where);
    CUDA_MEMCPY2D copy{};
    fill(copy);
    WARPLIGHT_CALL(*where->driver, cuMemcpy2DAsync, describe(*where), &copy, detail::handle_of(stream));
}

void Memcpy3D::operator()() const {
    const auto where = context(nullptr);
    const Scope scope(*where);
    CUDA_MEMCPY3D copy{};
    fill_slices(copy);
    WARPLIGHT_CALL(*where->driver, cuMemcpy3D, describe(*where), &copy);
}

void Memcpy3D::operator()(const Stream& stream) const { (*this)(&stream); }

void Memcpy3D::operator()(const Stream* stream) const {
    const auto where = context(stream);
    const Scope scope(*where);
    CUDA_MEMCPY3D copy{};
    fill_slices(copy);
    WARPLIGHT_CALL(*where->driver, cuMemcpy3DAsync, describe(*where), &copy, detail::handle_of(stream));
}

void Memcpy3DPeer::set_src_context(const ContextRef& context) { src_context_ = detail::lock_context(context); }
void Memcpy3DPeer::set_dst_context(const ContextRef& context) { dst_context_ = detail::lock_context(context); }

void Memcpy3DPeer::run(const Stream* stream, bool wait) const {
    auto where = context(stream);
    if (!stream && dst_context_) where = dst_context_;
    const Scope scope(*where);
    const auto known = [&](const Shared<detail::ContextState>& set, const detail::CopyEnd& end) {
        const auto& of = set ? set : end.context ? end.context : where;
        if (!of->valid.load()) throw_logic_error("a context of the copy has been detached", of->describe());
        return of->handle;
    };
    CUDA_MEMCPY3D_PEER copy{};
    fill_slices(copy);
    copy.srcContext = known(src_context_, src_);
    copy.dstContext = known(dst_context_, dst_);
    if (wait)
        WARPLIGHT_CALL(*where->driver, cuMemcpy3DPeer, describe(*where), &copy);
    else
        WARPLIGHT_CALL(*where->driver, cuMemcpy3DPeerAsync, describe(*where), &copy, detail::handle_of(stream));
}

void Memcpy3DPeer::operator()() const { run(nullptr, true); }
void Memcpy3DPeer::operator()(const Stream& stream) const { run(&stream, false); }
void Memcpy3DPeer::operator()(const Stream* stream) const { run(stream, false); }

namespace {

std::string bytes_text(std::size_t bytes, const detail::ArrayState& array) {
    return "copy of " + std::to_string(bytes) + " bytes, " + array.describe();
}

} // namespace

void memcpy_dtoa(const Array& dest, std::size_t dest_index, DevicePointer src, std::size_t bytes) {
    const auto& array = *dest.state();
    const Scope scope(*array.context);
    WARPLIGHT_CALL(*array.context->driver, cuMemcpyDtoA, bytes_text(bytes, array), array.handle, dest_index, src.get(),
                   bytes);
}

void memcpy_atod(DevicePointer dest, const Array& src, std::size_t src_index, std::size_t bytes) {
    const auto& array = *src.state();
    const Scope scope(*array.context);
    WARPLIGHT_CALL(*array.context->driver, cuMemcpyAtoD, bytes_text(bytes, array), dest.get(), array.handle, src_index,
                   bytes);
}

void memcpy_htoa(const Array& dest, std::size_t dest_index, ConstBuffer src) {
    const auto& array = *dest.state();
    const Scope scope(*array.context);
    WARPLIGHT_CALL(*array.context->driver, cuMemcpyHtoA, bytes_text(src.size, array), array.handle, dest_index,
                   src.data, src.size);
}

void memcpy_atoh(MutableBuffer dest, const Array& src, std::size_t src_index) {
    const auto& array = *src.state();
    const Scope scope(*array.context);
    WARPLIGHT_CALL(*array.context->driver, cuMemcpyAtoH, bytes_text(dest.size, array), dest.data, array.handle,
                   src_index, dest.size);
}

void memcpy_atoa(const Array& dest, std::size_t dest_index, const Array& src, std::size_t src_index,
                 std::size_t bytes) {
    const auto& to = *dest.state();
    const auto& from = *src.state();
    const Scope scope(*to.context);
    WARPLIGHT_CALL(*to.context->driver, cuMemcpyAtoA, bytes_text(bytes, to), to.handle, dest_index, from.handle,
                   src_index, bytes);
}

} // namespace warplight::driver
