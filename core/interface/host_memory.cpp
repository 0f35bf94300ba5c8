// SPDX-License-Identifier: Apache-2.0
#include "warplight/host_memory.hpp"

#include "interface/state.hpp"
#include "warplight/enums_memory.hpp"
#include "warplight/stream.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace warplight::driver {

namespace {

using detail::ContextPointer;
using detail::Scope;

std::string describe(const char* what, std::size_t bytes, const ContextPointer& context) {
    return std::string(what) + " memory of " + std::to_string(bytes) + " bytes in " + context->describe();
}

device_ptr device_pointer(const ContextPointer& context, void* data, const std::string& entity) {
    const Scope scope(*context);
    device_ptr address = 0;
    WARPLIGHT_CALL(*context->driver, cuMemHostGetDevicePointer, entity, &address, data, 0);
    return address;
}

/// The parts that the three kinds of memory share: ending once, with or without an error.
class Ending {
public:
    explicit Ending(ContextPointer context) : context_(std::move(context)) {}
    const ContextPointer& context() const { return context_; }
    void check(const std::string& entity) const {
        if (!live_.load()) throw_logic_error("the host memory has been given back", entity);
    }
    /// For the explicit call. @throws LogicError the second time, and what the driver answers.
    template <class Call>
    void end(const char* routine, const std::string& entity, const Call& call) {
        if (!live_.exchange(false)) throw_logic_error("the host memory has been given back already", entity);
        if (!context_->valid.load()) return;
        const Scope scope(*context_);
        if (const CUresult code = call(); code != CUDA_SUCCESS)
            detail::throw_failure(*context_->driver, routine, code, entity);
    }
    /// For the destructor.
    template <class Call>
    void end_quietly(const char* routine, const std::string& entity, const Call& call) noexcept {
        if (live_.exchange(false)) detail::clean_up(*context_, routine, [&] { return entity; }, call);
    }

private:
    ContextPointer context_;
    std::atomic<bool> live_ = true;
};

class Pagelocked final : public PagelockedHostAllocation {
public:
    Pagelocked(std::size_t bytes, unsigned flags) : ending_(detail::current_context()), bytes_(bytes) {
        const Scope scope(*ending_.context());
        WARPLIGHT_CALL(*ending_.context()->driver, cuMemHostAlloc, entity(), &data_, bytes ? bytes : 1, flags);
    }
    ~Pagelocked() override {
        if (data_) ending_.end_quietly("cuMemFreeHost", entity(), [this] { return release(); });
    }
    void free() override {
        ending_.end("cuMemFreeHost", entity(), [this] { return release(); });
    }
    unsigned get_flags() const override {
        ending_.check(entity());
        const Scope scope(*ending_.context());
        unsigned flags = 0;
        WARPLIGHT_CALL(*ending_.context()->driver, cuMemHostGetFlags, entity(), &flags, data_);
        return flags;
    }
    device_ptr get_device_pointer() const override {
        ending_.check(entity());
        return device_pointer(ending_.context(), data_, entity());
    }
    void* data() const noexcept override { return data_; }

private:
    std::string entity() const { return describe("page-locked", bytes_, ending_.context()); }
    CUresult release() { return WARPLIGHT_TRY(*ending_.context()->driver, cuMemFreeHost, data_); }
    Ending ending_;
    std::size_t bytes_;
    void* data_ = nullptr;
};

class Registered final : public RegisteredHostMemory {
public:
    Registered(const NdArray& array, unsigned flags) : ending_(detail::current_context()), array_(array) {
        data_ = array.mutable_bytes().data();
        const Scope scope(*ending_.context());
        WARPLIGHT_CALL(*ending_.context()->driver, cuMemHostRegister, entity(), data_, array.nbytes(), flags);
        registered_ = true;
    }
    ~Registered() override {
        if (registered_) ending_.end_quietly("cuMemHostUnregister", entity(), [this] { return release(); });
    }
    void unregister() override {
        ending_.end("cuMemHostUnregister", entity(), [this] { return release(); });
    }
    const NdArray& base() const noexcept override { return array_; }
    device_ptr get_device_pointer() const override {
        ending_.check(entity());
        return device_pointer(ending_.context(), data_, entity());
    }
    void* data() const noexcept override { return data_; }

private:
    std::string entity() const { return describe("registered", array_.nbytes(), ending_.context()); }
    CUresult release() { return WARPLIGHT_TRY(*ending_.context()->driver, cuMemHostUnregister, data_); }
    Ending ending_;
    NdArray array_;
    void* data_ = nullptr;
    bool registered_ = false;
};

class Managed final : public ManagedAllocation {
public:
    Managed(std::size_t bytes, unsigned flags) : ending_(detail::current_context()), bytes_(bytes) {
        const Scope scope(*ending_.context());
        WARPLIGHT_CALL(*ending_.context()->driver, cuMemAllocManaged, entity(), &address_, bytes ? bytes : 1, flags);
    }
    ~Managed() override {
        if (address_) ending_.end_quietly("cuMemFree", entity(), [this] { return release(); });
    }
    void free() override {
        ending_.end("cuMemFree", entity(), [this] { return release(); });
    }
    void attach(unsigned flags, const Stream* stream) override {
        ending_.check(entity());
        // Drivers do not survive everything here.
        if (flags != mem_attach_flags::GLOBAL && flags != mem_attach_flags::HOST && flags != mem_attach_flags::SINGLE)
            throw_logic_error("memory is attached with one of GLOBAL, HOST and SINGLE, not " + std::to_string(flags),
                              entity());
        const Scope scope(*ending_.context());
        WARPLIGHT_CALL(*ending_.context()->driver, cuStreamAttachMemAsync, entity(), detail::handle_of(stream),
                       address_, 0, flags);
    }
    device_ptr get_device_pointer() const override {
        ending_.check(entity());
        return address_;
    }
    std::size_t size() const noexcept override { return bytes_; }
    void* data() const noexcept override { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address_)); }

private:
    std::string entity() const { return describe("managed", bytes_, ending_.context()); }
    CUresult release() { return WARPLIGHT_TRY(*ending_.context()->driver, cuMemFree, address_); }
    Ending ending_;
    std::size_t bytes_;
    device_ptr address_ = 0;
};

class Aligned final : public AlignedHostAllocation {
public:
    Aligned(std::size_t bytes, std::size_t alignment) : bytes_(bytes), alignment_(alignment) {
        data_ = ::operator new(bytes ? bytes : 1, std::align_val_t(alignment), std::nothrow);
        if (!data_) throw MemoryError({.text = "no host memory for an array of " + std::to_string(bytes) + " bytes"});
    }
    ~Aligned() override {
        if (live_.exchange(false)) ::operator delete(data_, std::align_val_t(alignment_));
    }
    void free() override {
        if (!live_.exchange(false)) throw_logic_error("the host memory has been given back already", entity());
        ::operator delete(data_, std::align_val_t(alignment_));
    }
    std::size_t alignment() const noexcept override { return alignment_; }
    device_ptr get_device_pointer() const override {
        if (!live_.load()) throw_logic_error("the host memory has been given back", entity());
        const ContextPointer context = detail::current_context();
        return device_pointer(context, data_, entity() + " in " + context->describe());
    }
    void* data() const noexcept override { return data_; }

private:
    std::string entity() const { return "aligned memory of " + std::to_string(bytes_) + " bytes"; }
    std::size_t bytes_, alignment_;
    void* data_;
    std::atomic<bool> live_ = true;
};

template <class Memory, class Option>
NdArray make_array(Shape shape, DType dtype, Order order, Option option, bool zero) {
    const std::size_t bytes = count_elements(shape, dtype.itemsize()) * dtype.itemsize();
    auto memory = std::make_shared<Memory>(bytes, option);
    void* data = memory->data();
    if (zero) std::memset(data, 0, bytes);
    return NdArray::wrap(data, std::move(shape), std::move(dtype), order, std::move(memory));
}

/// Of an array that another one is to be like.
Order order_of(const NdArray& array) {
    if (!array.is_contiguous())
        throw_logic_error("the array is neither C- nor Fortran-contiguous", {}, "Pass array.copy()");
    return array.order();
}

} // namespace

NdArray pagelocked_empty(Shape shape, DType dtype, Order order, unsigned mem_flags) {
    return make_array<Pagelocked>(std::move(shape), std::move(dtype), order, mem_flags, false);
}
NdArray pagelocked_zeros(Shape shape, DType dtype, Order order, unsigned mem_flags) {
    return make_array<Pagelocked>(std::move(shape), std::move(dtype), order, mem_flags, true);
}
NdArray pagelocked_empty_like(const NdArray& array, unsigned mem_flags) {
    return pagelocked_empty(array.shape(), array.dtype(), order_of(array), mem_flags);
}
NdArray pagelocked_zeros_like(const NdArray& array, unsigned mem_flags) {
    return pagelocked_zeros(array.shape(), array.dtype(), order_of(array), mem_flags);
}

namespace {
void check_alignment(std::size_t alignment) {
    if (alignment == 0 || (alignment & (alignment - 1)))
        throw_logic_error("an alignment is a power of two, not " + std::to_string(alignment));
}
} // namespace

NdArray aligned_empty(Shape shape, DType dtype, Order order, std::size_t alignment) {
    check_alignment(alignment);
    return make_array<Aligned>(std::move(shape), std::move(dtype), order, alignment, false);
}
NdArray aligned_zeros(Shape shape, DType dtype, Order order, std::size_t alignment) {
    check_alignment(alignment);
    return make_array<Aligned>(std::move(shape), std::move(dtype), order, alignment, true);
}
NdArray aligned_empty_like(const NdArray& array, std::size_t alignment) {
    return aligned_empty(array.shape(), array.dtype(), order_of(array), alignment);
}
NdArray aligned_zeros_like(const NdArray& array, std::size_t alignment) {
    return aligned_zeros(array.shape(), array.dtype(), order_of(array), alignment);
}

NdArray managed_empty(Shape shape, DType dtype, Order order, unsigned mem_flags) {
    return make_array<Managed>(std::move(shape), std::move(dtype), order, mem_flags, false);
}
NdArray managed_zeros(Shape shape, DType dtype, Order order, unsigned mem_flags) {
    return make_array<Managed>(std::move(shape), std::move(dtype), order, mem_flags, true);
}
NdArray managed_empty_like(const NdArray& array, unsigned mem_flags) {
    return managed_empty(array.shape(), array.dtype(), order_of(array), mem_flags);
}
NdArray managed_zeros_like(const NdArray& array, unsigned mem_flags) {
    return managed_zeros(array.shape(), array.dtype(), order_of(array), mem_flags);
}

NdArray register_host_memory(const NdArray& array, unsigned flags) {
    auto memory = std::make_shared<Registered>(array, flags);
    void* data = memory->data();
    return NdArray::wrap(data, array.shape(), array.strides(), array.dtype(), std::move(memory));
}

HostPointer& host_pointer(const NdArray& array) {
    if (auto* pointer = dynamic_cast<HostPointer*>(array.base().get())) return *pointer;
    throw_logic_error("the array's memory is neither page-locked nor aligned nor registered nor managed", {},
                      "Make it with pagelocked_empty(), register_host_memory() or managed_empty()");
}

} // namespace warplight::driver
