// SPDX-License-Identifier: Apache-2.0
#include "session/device_arguments.hpp"

#include "driver/checks.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <utility>

namespace warplight::session {
namespace {

/// The first size is worth allocating page-locked buffers for the copies, the second is worth using them.
constexpr std::size_t kHugeInput = std::size_t{256} << 20;
constexpr std::size_t kLargeInput = std::size_t{16} << 20;

/// An empty array still needs an address.
std::size_t size_of_allocation(std::size_t array, const findings::Checks& checks) {
    return std::max<std::size_t>(array, checks.any() ? 1 : 16);
}

} // namespace

driver::Argument scalar_value(const ArgumentData& data) {
    if (data.is_struct())
        return driver::Argument::bytes(data.scalar.data(), data.scalar.size(),
                                       std::max<std::size_t>(data.alignment, 1));
    const std::string& type = data.argument->type;
    if (const auto dtype = dtype_of_type(type); !dtype.empty())
        return driver::Argument::scalar(DType::from_name(dtype), data.scalar.data());
    return driver::Argument::bytes(data.scalar.data(), data.scalar.size(), scalar_type(type)->alignment);
}

DeviceArguments::Place DeviceArguments::place_array(const ArgumentData& data, const findings::Checks& checks,
                                                    bool copied_in_steps) {
    Place place;
    const auto& setup = data.argument->texture;
    const bool apart = data.is_texture() && !(setup && setup->memory == TextureMemory::linear);
    if (!apart || copied_in_steps) {
        place.allocated = size_of_allocation(data.input.nbytes(), checks);
        place.own = driver::mem_alloc(place.allocated);
        place.address = place.own.get();
        allocated_ += place.allocated;
    }
    if (!data.is_texture()) return place;
    place.texture.emplace(data, driver::DevicePointer(place.address));
    allocated_ += place.texture->allocated_bytes();
    return place;
}

void DeviceArguments::place(const driver::Module& module, const findings::Checks& checks, bool copied_in_steps) {
    clear();
    for (const ArgumentData& data : arguments_) {
        Place place;
        if (data.is_array() && (data.is_texture() || !data.argument->variable))
            place = place_array(data, checks, copied_in_steps);
        if (data.argument->variable && data.is_texture())
            place.texture->bind(module);
        else if (data.argument->variable)
            place.address = module.get_global(data.lowered).pointer;
        places_.push_back(std::move(place));
    }
    start_over();
}

void DeviceArguments::stage_large_copies() {
    if (std::ranges::any_of(arguments_, [](const ArgumentData& data) { return data.input.nbytes() >= kHugeInput; }))
        copier_.emplace();
}

void DeviceArguments::clear() {
    copier_.reset();
    places_.clear();
    allocated_ = 0;
}

std::vector<ArgumentMemory> DeviceArguments::memory() const {
    std::vector<ArgumentMemory> all;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const ArgumentData& data = arguments_[i];
        if (!places_[i].own || places_[i].is_apart()) continue;
        const auto name = data.argument->name.empty() ? fmt::format("argument {}", i) : data.argument->name;
        all.push_back(
            {.argument = name,
             .name = fmt::format("{}, {}[{}]", name, data.input.dtype().name(), fmt::join(data.input.shape(), ", ")),
             .address = places_[i].address,
             .allocated = places_[i].allocated,
             .bytes = data.input.nbytes(),
             .element = static_cast<std::uint32_t>(data.input.itemsize())});
    }
    return all;
}

void DeviceArguments::upload(std::size_t argument, const driver::Stream& stream) {
    const ArgumentData& data = arguments_[argument];
    if (place_of(argument).is_apart())
        place_of(argument).texture->upload(data.input, stream);
    else if (!data.is_array())
        driver::memcpy_htod_async(place_of(argument).address, std::span(data.scalar), &stream);
    else if (copier_ && data.input.nbytes() >= kLargeInput)
        copier_->copy(place_of(argument).address, data.input, &stream);
    else
        driver::memcpy_htod_async(place_of(argument).address, data.input, &stream);
}

void DeviceArguments::set_outputs(const driver::Stream& stream) {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const ArgumentData& data = arguments_[i];
        if (data.argument->direction != Direction::out || data.input.nbytes() == 0) continue;
        if (std::holds_alternative<ZerosSource>(data.argument->source) && !place_of(i).is_apart())
            driver::memset_d8_async(place_of(i).address, 0, data.input.nbytes(), &stream);
        else
            upload(i, stream);
    }
}

// A variable of the module has a first value by C++'s own rules.
void DeviceArguments::spoil_outputs(const driver::Driver& driver, const driver::Stream& stream) const {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const ArgumentData& data = arguments_[i];
        const Place& place = place_of(i);
        if (data.argument->direction != Direction::out) continue;
        if (place.is_apart()) { // copies take along what nothing wrote
            const auto packed = driver::to_device(data.input);
            driver::set_unwritten(driver, packed.get(), data.input.nbytes());
            place.texture->upload(packed, stream);
            stream.synchronize();
        } else if (place.own) {
            driver::set_unwritten(driver, place.address, data.input.nbytes());
        }
    }
}

void DeviceArguments::upload_inputs(const driver::Stream& stream) {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const ArgumentData& data = arguments_[i];
        const bool is_variable_scalar = data.argument->variable && !data.is_array();
        if ((data.is_read() || is_variable_scalar) && data.bytes() != 0) upload(i, stream);
    }
}

void DeviceArguments::start_over() {
    order_.resize(places_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
}

driver::Argument DeviceArguments::value(std::size_t argument, GivenAs as) const {
    const ArgumentData& data = arguments_[argument];
    if (!data.is_array()) return scalar_value(data);
    if (as != GivenAs::address) return place_of(argument).texture->value(as);
    return place_of(argument).own;
}

driver::DevicePointer DeviceArguments::address(std::size_t argument) const {
    const Place& place = place_of(argument);
    return place.own ? driver::DevicePointer(place.own) : driver::DevicePointer(place.address);
}

void DeviceArguments::copy(const Part& to, const Part& from, std::uint64_t bytes, const driver::Stream& stream) const {
    if (!bytes) return;
    const Place &source = place_of(from.argument), &target = place_of(to.argument);
    if (source.is_apart()) source.texture->download(source.own, stream);
    if (target.is_apart() && &target != &source) target.texture->download(target.own, stream);
    driver::memcpy_dtod_async(address(to.argument) + to.offset, address(from.argument) + from.offset, bytes, &stream);
    if (target.is_apart()) target.texture->upload(target.own, stream);
}

void DeviceArguments::fill(const Part& part, std::uint64_t count, std::span<const std::byte> element,
                           const driver::Stream& stream) const {
    if (!count) return;
    const Place& place = place_of(part.argument);
    if (place.is_apart()) place.texture->download(place.own, stream);
    const driver::DevicePointer to = address(part.argument) + part.offset;
    const auto piece = [&]<class T>(T, std::size_t offset) {
        T value;
        std::memcpy(&value, element.data() + offset, sizeof value);
        return value;
    };
    switch (element.size()) {
    case 1: driver::memset_d8_async(to, piece(std::uint8_t{}, 0), count, &stream); break;
    case 2: driver::memset_d16_async(to, piece(std::uint16_t{}, 0), count, &stream); break;
    case 4: driver::memset_d32_async(to, piece(std::uint32_t{}, 0), count, &stream); break;
    default: // the halves of each element, as rows
        driver::memset_d2d32_async(to, 8, piece(std::uint32_t{}, 0), 1, count, &stream);
        driver::memset_d2d32_async(to + 4, 8, piece(std::uint32_t{}, 4), 1, count, &stream);
    }
    if (place.is_apart()) place.texture->upload(place.own, stream);
}

void DeviceArguments::read(std::size_t argument, MutableBuffer to) const {
    if (place_of(argument).is_apart())
        place_of(argument).texture->read(to);
    else if (to.size)
        driver::memcpy_dtoh(to, address(argument));
}

void DeviceArguments::download_results(const driver::Stream& stream) {
    for (std::size_t i = 0; i < arguments_.size(); ++i)
        if (arguments_[i].output && arguments_[i].input.nbytes() && place_of(i).is_apart())
            place_of(i).texture->download(*arguments_[i].output, stream);
        else if (arguments_[i].output && arguments_[i].input.nbytes())
            driver::memcpy_dtoh_async(*arguments_[i].output, place_of(i).address, &stream);
}

} // namespace warplight::session
