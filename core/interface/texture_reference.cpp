// SPDX-License-Identifier: Apache-2.0
// Texture and surface references.
#include "interface/state.hpp"
#include "warplight/function.hpp"
#include "warplight/module.hpp"
#include "warplight/texture.hpp"

#include <memory>

namespace warplight::driver {

namespace detail {

TextureReferenceState::~TextureReferenceState() {
    if (module || !handle) return; // a module's goes with it
    clean_up(
        *context, "cuTexRefDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuTexRefDestroy, handle); });
}

/// The array stays while the driver's reference is bound to it: with the module, where there is one.
void TextureReferenceState::keep(std::shared_ptr<ArrayState> array) {
    std::shared_ptr<ArrayState> last; // freed outside of the lock
    const std::scoped_lock lock(module ? module->mutex : mutex);
    std::shared_ptr<ArrayState>& place = module ? module->bound[name] : bound;
    last = std::exchange(place, std::move(array));
}

} // namespace detail

namespace {

using detail::Scope;

/// An array that `keeper` owns.
Array unowned(const detail::ContextPointer& context, CUarray handle, Shared<const void> keeper) {
    auto array = std::make_shared<detail::ArrayState>();
    array->owned = false;
    array->context = context;
    array->handle = handle;
    array->parent = std::move(keeper);
    return Array(std::move(array));
}

} // namespace

TextureReference::TextureReference() : state_(std::make_shared<detail::TextureReferenceState>()) {
    auto context = detail::current_context();
    const Scope scope(*context);
    CUtexref handle = nullptr;
    WARPLIGHT_CALL(*context->driver, cuTexRefCreate, "new texture reference of " + context->describe(), &handle);
    state_->handle = handle;
    state_->context = std::move(context);
}

CUtexref TextureReference::handle() const noexcept { return state_->handle; }
std::string TextureReference::describe() const { return state_->describe(); }

void TextureReference::set_array(const Array& array) const {
    const auto& bound = array.state();
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetArray, state_->describe(), state_->handle, bound->handle,
                   TRSA_OVERRIDE_FORMAT);
    state_->keep(bound);
}

std::size_t TextureReference::set_address(DevicePointer pointer, std::size_t bytes, bool allow_offset) const {
    std::size_t offset = 0;
    {
        const Scope scope(*state_->context);
        WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetAddress, state_->describe(), &offset, state_->handle,
                       pointer.get(), bytes);
        state_->keep(nullptr);
    }
    if (offset != 0 && !allow_offset)
        throw_logic_error("the texture's memory begins " + std::to_string(offset) +
                              " bytes before the address: it must be a multiple of the device's TEXTURE_ALIGNMENT",
                          state_->describe(), "Allow the offset, and add it to what the kernel reads");
    return offset;
}

void TextureReference::set_address_2d(DevicePointer pointer, const ArrayDescriptor& descriptor,
                                      std::size_t pitch) const {
    const CUDA_ARRAY_DESCRIPTOR d{descriptor.width, descriptor.height, static_cast<CUarray_format>(descriptor.format),
                                  descriptor.num_channels};
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetAddress2D, state_->describe(), state_->handle, &d,
                   pointer.get(), pitch);
    state_->keep(nullptr);
}

void TextureReference::set_format(array_format format, int num_components) const {
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetFormat, state_->describe(), state_->handle,
                   static_cast<CUarray_format>(format), num_components);
}

void TextureReference::set_address_mode(int dim, address_mode mode) const {
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetAddressMode, state_->describe(), state_->handle, dim,
                   static_cast<CUaddress_mode>(mode));
}

void TextureReference::set_filter_mode(filter_mode mode) const {
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetFilterMode, state_->describe(), state_->handle,
                   static_cast<CUfilter_mode>(mode));
}

void TextureReference::set_flags(unsigned flags) const {
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefSetFlags, state_->describe(), state_->handle, flags);
}

device_ptr TextureReference::get_address() const {
    CUdeviceptr address = 0;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefGetAddress, state_->describe(), &address, state_->handle);
    return address;
}

Array TextureReference::get_array() const {
    CUarray handle = nullptr;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefGetArray, state_->describe(), &handle, state_->handle);
    return unowned(state_->context, handle, state_);
}

address_mode TextureReference::get_address_mode(int dim) const {
    CUaddress_mode mode = CU_TR_ADDRESS_MODE_WRAP;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefGetAddressMode, state_->describe(), &mode, state_->handle, dim);
    return static_cast<address_mode>(mode);
}

filter_mode TextureReference::get_filter_mode() const {
    CUfilter_mode mode = CU_TR_FILTER_MODE_POINT;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefGetFilterMode, state_->describe(), &mode, state_->handle);
    return static_cast<filter_mode>(mode);
}

std::pair<array_format, int> TextureReference::get_format() const {
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    int channels = 0;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefGetFormat, state_->describe(), &format, &channels, state_->handle);
    return {static_cast<array_format>(format), channels};
}

unsigned TextureReference::get_flags() const {
    unsigned flags = 0;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuTexRefGetFlags, state_->describe(), &flags, state_->handle);
    return flags;
}

CUsurfref SurfaceReference::handle() const noexcept { return state_->handle; }
std::string SurfaceReference::describe() const { return state_->describe(); }

void SurfaceReference::set_array(const Array& array, unsigned flags) const {
    const auto& bound = array.state();
    detail::ModuleState& module = *state_->module;
    const Scope scope(*module.context);
    WARPLIGHT_CALL(*module.context->driver, cuSurfRefSetArray, state_->describe(), state_->handle, bound->handle,
                   flags);
    std::shared_ptr<detail::ArrayState> last;
    const std::scoped_lock lock(module.mutex);
    last = std::exchange(module.bound[state_->name], bound);
}

Array SurfaceReference::get_array() const {
    const detail::ModuleState& module = *state_->module;
    const Scope scope(*module.context);
    CUarray handle = nullptr;
    WARPLIGHT_CALL(*module.context->driver, cuSurfRefGetArray, state_->describe(), &handle, state_->handle);
    return unowned(module.context, handle, state_->module);
}

TextureReference Module::get_texref(const std::string& name) const {
    if (!state_) throw_logic_error("this module has been moved from");
    const Scope scope(*state_->context);
    auto reference = std::make_shared<detail::TextureReferenceState>();
    CUtexref handle = nullptr;
    WARPLIGHT_CALL(*state_->context->driver, cuModuleGetTexRef,
                   "texture reference '" + name + "' of " + state_->describe(), &handle, state_->handle, name.c_str());
    reference->context = state_->context;
    reference->module = state_;
    reference->name = name;
    reference->handle = handle;
    return TextureReference(std::move(reference));
}

SurfaceReference Module::get_surfref(const std::string& name) const {
    if (!state_) throw_logic_error("this module has been moved from");
    const Scope scope(*state_->context);
    auto reference = std::make_shared<detail::SurfaceReferenceState>();
    WARPLIGHT_CALL(*state_->context->driver, cuModuleGetSurfRef,
                   "surface reference '" + name + "' of " + state_->describe(), &reference->handle, state_->handle,
                   name.c_str());
    reference->module = state_;
    reference->name = name;
    return SurfaceReference(std::move(reference));
}

std::vector<TextureReference> Function::texrefs() const {
    const std::scoped_lock lock(state_->mutex);
    std::vector<TextureReference> references;
    for (const auto& texref : state_->texrefs)
        references.push_back(TextureReference(texref));
    return references;
}

void Function::param_set_texref(const TextureReference& texref) const {
    // A module's references are there for all its kernels; drivers since CUDA 12 refuse to be told so.
    if (texref.state() && texref.state()->module == state_->module) return;
    const Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuParamSetTexRef, texref.describe() + " for " + state_->describe(), state_->handle,
                   TR_DEFAULT, texref.handle());
}

} // namespace warplight::driver
