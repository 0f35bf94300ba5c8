// SPDX-License-Identifier: Apache-2.0
#include "warplight/staged_copy.hpp"

#include "interface/platform.hpp"
#include "interface/state.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <thread>

namespace warplight::driver {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSlice = std::size_t{512} << 10; ///< what is worth handing to another thread
constexpr unsigned kMostThreads = 16;                  ///< more do not read faster
constexpr std::size_t kLarge = std::size_t{256} << 20; ///< what is worth making two buffers for, which takes a while

/// Writes the bytes from `offset` on of a source.
using Read = std::function<void(std::uint64_t offset, std::span<std::byte> to)>;

/// Threads that together fill a buffer, each a part of it.
class Fillers {
public:
    explicit Fillers(unsigned count) {
        try {
            for (unsigned i = 1; i < count; ++i)
                threads_.emplace_back([this] { run(); });
        } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch): those that there are do it
        }
    }
    Fillers(const Fillers&) = delete;
    Fillers& operator=(const Fillers&) = delete;
    ~Fillers() {
        {
            const std::scoped_lock lock(mutex_);
            ending_ = true;
        }
        work_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
    }

    void fill(const Read& read, std::uint64_t offset, std::span<std::byte> to) {
        std::unique_lock lock(mutex_);
        read_ = &read;
        offset_ = offset;
        to_ = to;
        next_ = 0;
        failure_ = nullptr;
        ++round_;
        lock.unlock();
        work_.notify_all();
        take_slices();
        lock.lock();
        done_.wait(lock, [&] { return busy_ == 0; });
        read_ = nullptr;
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void run() {
        std::uint64_t seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                work_.wait(lock, [&] { return ending_ || (round_ != seen && read_); });
                if (ending_) return;
                seen = round_;
                ++busy_;
            }
            take_slices();
            const std::scoped_lock lock(mutex_);
            if (--busy_ == 0) done_.notify_all();
        }
    }
    void take_slices() {
        for (;;) {
            const std::size_t start = next_.fetch_add(kSlice);
            if (start >= to_.size()) return;
            try {
                (*read_)(offset_ + start, to_.subspan(start, std::min(kSlice, to_.size() - start)));
            } catch (...) {
                const std::scoped_lock lock(mutex_);
                if (!failure_) failure_ = std::current_exception();
                next_ = to_.size();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable work_, done_;
    std::vector<std::thread> threads_;
    const Read* read_ = nullptr;
    std::uint64_t offset_ = 0, round_ = 0;
    std::span<std::byte> to_;
    std::atomic<std::size_t> next_ = 0;
    unsigned busy_ = 0; ///< threads that are in a round
    bool ending_ = false;
    std::exception_ptr failure_;
};

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
    explicit State(std::size_t asked, unsigned threads)
        : context(detail::current_context()), chunk((std::max<std::size_t>(asked, 1) + kPage - 1) / kPage * kPage),
          fillers(thread_count(threads)) {
        for (NdArray& buffer : buffers)
            buffer = pagelocked_empty({chunk}, DType::uint8());
    }

    void copy(DevicePointer dest, std::uint64_t offset, std::size_t bytes, const Read& read, const Stream* asked) {
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
        try {
            for (std::size_t done = 0, number = 0; done < bytes; ++number) {
                const std::size_t part = std::min(chunk, bytes - done);
                const std::size_t which = number % buffers.size();
                if (number >= buffers.size()) taken[which].synchronize();
                const std::span<std::byte> buffer = buffers[which].mutable_bytes().first(part);
                fillers.fill(read, offset + done, buffer);
                memcpy_htod_async(dest + done, ConstBuffer(buffer.data(), part), &stream);
                taken[which].record(&stream);
                done += part;
            }
        } catch (...) {
            // The device may still read the buffers, which the next copy fills.
            try {
                stream.synchronize();
            } catch (...) { // NOLINT(bugprone-empty-catch): what went wrong first is what is told
            }
            throw;
        }
        stream.synchronize();
    }

    detail::ContextPointer context;
    std::size_t chunk;
    std::array<NdArray, 2> buffers;
    Stream own; ///< in order with the default stream
    std::array<Event, 2> taken{Event(event_flags::DISABLE_TIMING), Event(event_flags::DISABLE_TIMING)};
    Fillers fillers;
};

StagedCopier::StagedCopier(std::size_t chunk, unsigned threads) : state_(std::make_unique<State>(chunk, threads)) {}
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

void StagedCopier::copy(DevicePointer dest, const std::filesystem::path& file, std::uint64_t offset, std::size_t bytes,
                        const Stream* stream) {
    const warplight::detail::RandomFile source(file);
    if (offset > source.size() || bytes > source.size() - offset)
        throw FileError(file.string(), "has " + std::to_string(source.size()) + " bytes, not " + std::to_string(bytes) +
                                           " from " + std::to_string(offset) + " on");
    state_->copy(
        dest, offset, bytes, [&](std::uint64_t place, std::span<std::byte> to) { source.read(place, to); }, stream);
}

void StagedCopier::copy_npy(DevicePointer dest, const std::filesystem::path& file, const Stream* stream) {
    const NpyHeader header = read_npy_header(file);
    if (header.object) throw FileError(file.string(), "holds Python objects, which only Python can read");
    const warplight::detail::RandomFile source(file);
    if (header.data_offset + header.nbytes > source.size()) throw FileError(file.string(), "is cut short");
    const std::size_t word = header.dtype.itemsize() / (header.dtype.kind() == Kind::complex ? 2 : 1);
    // Parts of a buffer begin at multiples of any word.
    state_->copy(
        dest, header.data_offset, header.nbytes,
        [&](std::uint64_t place, std::span<std::byte> to) {
            source.read(place, to);
            if (header.big_endian) swap_words(to, word);
        },
        stream);
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

NpyOnDevice npy_to_device(const std::filesystem::path& file) {
    NpyOnDevice result{{}, read_npy_header(file)};
    if (result.header.nbytes == 0) return result;
    result.memory = mem_alloc(result.header.nbytes);
    const std::size_t chunk = std::clamp<std::size_t>(result.header.nbytes / 2, kPage, std::size_t{32} << 20);
    StagedCopier(chunk).copy_npy(result.memory, file);
    return result;
}

} // namespace warplight::driver
