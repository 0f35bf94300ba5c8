// SPDX-License-Identifier: Apache-2.0
#include "warplight/staged_copy.hpp"

#include "interface/fill_pipeline.hpp"
#include "interface/input.hpp"
#include "interface/npy_header.hpp"
#include "interface/state.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace warplight::driver {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBuffers = 4;                    ///< two that the device takes and two that are filled
constexpr unsigned kMostThreads = 16;                  ///< more do not read faster
constexpr std::size_t kLarge = std::size_t{256} << 20; ///< what is worth making buffers for, which takes a while

using detail::FillPipeline;

unsigned thread_count(unsigned asked) {
    return asked ? asked : std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
}

void swap_words(std::span<std::byte> bytes, std::size_t size) {
    for (std::size_t i = 0; i + size <= bytes.size(); i += size)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
}

} // namespace

struct StagedCopier::State {
    State(std::size_t asked, unsigned threads)
        : context(detail::current_context()), chunk((std::max<std::size_t>(asked, 1) + kPage - 1) / kPage * kPage),
          memory(pagelocked_empty({kBuffers, chunk}, DType::uint8())), pipeline(buffers(), thread_count(threads)) {}

    void copy(DevicePointer dest, std::uint64_t offset, std::size_t bytes, const FillPipeline::Read& read,
              const Stream* asked) {
        if (const auto* allocation = dest.allocation()) {
            const device_ptr place = dest.get() - allocation->address;
            if (!allocation->live.load()) throw_logic_error("the device memory has been freed", allocation->describe());
            if (place > allocation->size || bytes > allocation->size - place)
                throw_logic_error(std::to_string(bytes) + " bytes at offset " + std::to_string(place) +
                                      " do not fit the device memory",
                                  allocation->describe());
        }
        const detail::Scope scope(*context); // which has the buffers
        const Stream& stream = asked ? *asked : own;
        pipeline.begin([&](std::uint64_t from, std::span<std::byte> to) { read(offset + from, to); }, bytes);
        try {
            for (std::size_t part = 0, done = 0; done < bytes; ++part) {
                const auto buffer = pipeline.wait(part);
                memcpy_htod_async(dest + done, ConstBuffer(buffer.data(), buffer.size()), &stream);
                taken[part % taken.size()].record(&stream);
                done += buffer.size();
                if (part == 0) continue; // one copy is under way while the one before it is waited for
                taken[(part - 1) % taken.size()].synchronize();
                pipeline.give_back();
            }
        } catch (...) {
            pipeline.end();
            // The device may still read the buffers, which the next copy fills.
            try {
                stream.synchronize();
            } catch (...) { // NOLINT(bugprone-empty-catch): what went wrong first is what is told
            }
            throw;
        }
        pipeline.end();
        stream.synchronize();
    }

    [[nodiscard]] std::vector<std::span<std::byte>> buffers() const {
        std::vector<std::span<std::byte>> result(kBuffers);
        for (std::size_t i = 0; i < kBuffers; ++i)
            result[i] = memory.mutable_bytes().subspan(i * chunk, chunk);
        return result;
    }

    detail::ContextPointer context;
    std::size_t chunk;
    NdArray memory;
    Stream own; ///< in order with the default stream
    std::array<Event, 2> taken{Event(event_flags::DISABLE_TIMING), Event(event_flags::DISABLE_TIMING)};
    FillPipeline pipeline;
};

StagedCopier::StagedCopier(std::size_t chunk, unsigned threads) : state_(Shared<State>::make(chunk, threads)) {}
StagedCopier::StagedCopier(StagedCopier&&) noexcept = default;
StagedCopier& StagedCopier::operator=(StagedCopier&&) noexcept = default;
StagedCopier::~StagedCopier() = default;

void StagedCopier::copy(DevicePointer dest, ConstBuffer src, const Stream* stream) {
    if (src.size == 0) return;
    const auto* bytes = static_cast<const std::byte*>(src.data);
    state_->copy(
        dest, 0, src.size,
        [bytes](std::uint64_t offset, std::span<std::byte> to) { std::memcpy(to.data(), bytes + offset, to.size()); },
        stream);
}

void StagedCopier::copy(DevicePointer dest, const FilePath& file, std::uint64_t offset, std::size_t bytes,
                        const Stream* stream) {
    warplight::detail::with_file_errors(file.string(), [&] {
        const files::InputFile source(file);
        source.will_read_in_order();
        if (offset > source.size() || bytes > source.size() - offset)
            throw FileError(file.string(), "has " + std::to_string(source.size()) + " bytes, not " +
                                               std::to_string(bytes) + " from " + std::to_string(offset) + " on");
        state_->copy(
            dest, offset, bytes, [&](std::uint64_t place, std::span<std::byte> to) { source.read(place, to); }, stream);
    });
}

void StagedCopier::copy_npy(DevicePointer dest, const FilePath& file, const Stream* stream) {
    warplight::detail::with_file_errors(file.string(), [&] {
        const files::InputFile source(file);
        source.will_read_in_order();
        const NpyHeader header = warplight::detail::read_npy_header(source);
        if (header.object) throw FileError(file.string(), "holds Python objects, which only Python can read");
        const std::size_t word = header.dtype.itemsize() / (header.dtype.kind() == Kind::complex ? 2 : 1);
        // Parts of a buffer begin at multiples of any word.
        state_->copy(
            dest, header.data_offset, header.nbytes,
            [&](std::uint64_t place, std::span<std::byte> to) {
                source.read(place, to);
                if (header.big_endian) swap_words(to, word);
            },
            stream);
    });
}

void memcpy_htod_staged(DevicePointer dest, ConstBuffer src) {
    const auto context = detail::context_for(nullptr, &dest);
    const detail::Scope scope(*context);
    // What the driver knows is page-locked already, and where the device's memory is the host's a copy less is sooner.
    unsigned type = 0;
    const bool known = context->driver->functions.fn_cuPointerGetAttribute &&
                       context->driver->functions.fn_cuPointerGetAttribute(
                           &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                           static_cast<device_ptr>(reinterpret_cast<std::uintptr_t>(src.data))) == CUDA_SUCCESS;
    int integrated = 0;
    WARPLIGHT_CALL(*context->driver, cuDeviceGetAttribute, context->describe(), &integrated,
                   CU_DEVICE_ATTRIBUTE_INTEGRATED, context->device);
    if (known || integrated || src.size < kLarge)
        memcpy_htod(dest, src);
    else
        StagedCopier().copy(dest, src);
}

NpyOnDevice npy_to_device(const FilePath& file) {
    NpyOnDevice result{{}, read_npy_header(file)};
    if (result.header.nbytes == 0) return result;
    result.memory = mem_alloc(result.header.nbytes);
    const std::size_t chunk =
        std::clamp<std::size_t>(result.header.nbytes / kBuffers, kPage, StagedCopier::kDefaultChunk);
    StagedCopier(chunk).copy_npy(result.memory, file);
    return result;
}

} // namespace warplight::driver
