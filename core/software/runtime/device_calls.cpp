// SPDX-License-Identifier: Apache-2.0
// The device runtime library, which kernels call to launch kernels. Like services these functions run inside
// run_guarded(), so results are written through a kernel's pointers last, with no lock held.
#include "block_scheduler.hpp"
#include "context.hpp"
#include "device.hpp"
#include "device_texts.hpp"
#include "grid.hpp"
#include "kernel_pointer.hpp"
#include "launch_checks.hpp"
#include "occupancy.hpp"
#include "service_call.hpp"
#include "trap.hpp"

#include "software/jit/abi/device_runtime.hpp"

#include <cstring>
#include <new>

namespace warplight::software {
namespace {

using jit::DeviceCall;

/// A structure that a call passes by value. It lies in the caller's own .param variable, whose size the JIT has checked
/// (DeviceFunction::structure_bytes()).
template <class T>
T passed(std::uint64_t argument) {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(argument), sizeof value);
    return value;
}

std::byte* bytes(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

/// The kernel at an address; null where there is none.
Function* kernel_at(const Grid& grid, std::uint64_t address) {
    const std::uint64_t offset = address - kFunctionAddressBase;
    if (offset % 16 != 0) return nullptr;
    for (Function* f : grid.request.function.module->kernels())
        if (f->id == offset / 16) return f;
    return nullptr;
}

// As cudaPitchedPtr, cudaExtent and cudaMemcpy3DParms lie in memory.
struct PitchedPointer {
    std::uint64_t address, pitch, width, height;
};
struct Extent {
    std::uint64_t width, height, depth;
};
struct CopyParameters {
    std::uint64_t from_array, from_position[3];
    PitchedPointer from;
    std::uint64_t to_array, to_position[3];
    PitchedPointer to;
    Extent extent;
    std::uint32_t kind;
};

/// One call of one thread.
class Call {
public:
    Call(const BlockContext& block, std::uint32_t linear, std::uint32_t site, const std::uint64_t* arguments)
        : block_(block), grid_(static_cast<const RunningLaunch*>(block.launch->launch)->grid),
          caller_{nullptr, linear, site}, a_(arguments) {
        const LaunchContext& launch = *block.launch;
        const std::uint64_t number =
            block.ctaid[0] +
            std::uint64_t{launch.nctaid[0]} * (block.ctaid[1] + std::uint64_t{launch.nctaid[1]} * block.ctaid[2]);
        thread_ = number * launch.block_threads + linear;
    }

    std::uint64_t answer(DeviceCall call) {
        if (grid_.tree.failed) return 0;
        switch (call) {
        case DeviceCall::get_parameter_buffer: return buffer_of_size(a_[1]);
        case DeviceCall::get_parameter_buffer_v2: return buffer_of_launch();
        case DeviceCall::get_error_string: return device_error_text(a_[0]);
        case DeviceCall::get_error_name: return device_error_name(a_[0]);
        case DeviceCall::get_last_error: return static_cast<std::uint64_t>(grid_.error(thread_, true));
        case DeviceCall::peek_at_last_error: return static_cast<std::uint64_t>(grid_.error(thread_, false));
        default: return static_cast<std::uint64_t>(noted(perform(call)));
        }
    }

private:
    int noted(int error) {
        if (error != kDeviceSuccess) grid_.set_error(thread_, error);
        return error;
    }

    std::uint64_t buffer_of_size(std::uint64_t size) {
        constexpr std::uint64_t kMostParameters = 4096;
        if (size > kMostParameters) return refuse(kInvalidValue);
        auto launch = std::make_unique<LaunchRequest>();
        launch->parameters.resize(std::max<std::uint64_t>(size, 1));
        return buffer(std::move(launch));
    }

    std::uint64_t buffer_of_launch() {
        auto launch = std::make_unique<LaunchRequest>();
        if (const int error = describe(*launch, a_[0], a_[1], a_[2], a_[3])) return refuse(error);
        launch->parameters.resize(std::max<std::uint64_t>(launch->function.function->parameters.size, 1));
        return buffer(std::move(launch));
    }

    std::uint64_t buffer(std::unique_ptr<LaunchRequest> launch) {
        const std::size_t bytes = launch->parameters.size();
        const std::uint64_t memory = grid_.make_launch(std::move(launch));
        if (RaceChecks* const races = this->races(); races && memory) races->forget(memory, bytes);
        raise_failure();
        return memory ? memory : refuse(kPendingCountExceeded);
    }

    std::uint64_t refuse(int error) {
        (void)noted(error);
        return 0;
    }

    /// Which kernel, and how.
    int describe(LaunchRequest& launch, std::uint64_t kernel, std::uint64_t grid, std::uint64_t block,
                 std::uint64_t shared) {
        const auto blocks = passed<std::array<unsigned, 3>>(grid), threads = passed<std::array<unsigned, 3>>(block);
        Function* function = kernel_at(grid_, kernel);
        if (!function) return kInvalidDeviceFunction;
        launch.function = {grid_.request.function.module, function};
        launch.grid = blocks;
        launch.block = threads;
        launch.dynamic_shared = shared;
        try {
            check_launch(launch);
        } catch (const Failure&) {
            return kInvalidConfiguration;
        }
        return kDeviceSuccess;
    }

    int launch_old() {
        auto launch = grid_.take_launch(a_[1]);
        // A kernel without parameters needs no buffer.
        if (!launch && a_[1] == 0) {
            launch = std::make_unique<LaunchRequest>();
            launch->parameters.resize(1);
            ++grid_.tree.pending;
        }
        if (!launch) return kInvalidValue;
        int error = describe(*launch, a_[0], a_[2], a_[3], a_[4]);
        if (!error && launch->function.function->parameters.size > launch->parameters.size()) error = kInvalidValue;
        return enqueue(std::move(launch), a_[5], error);
    }

    int launch_new() {
        auto launch = grid_.take_launch(a_[0]);
        if (!launch || !launch->function.function) return kInvalidValue;
        return enqueue(std::move(launch), a_[1], kDeviceSuccess);
    }

    int enqueue(std::unique_ptr<LaunchRequest> launch, std::uint64_t stream, int error) {
        if (!error && !grid_.has_stream(stream)) error = kInvalidValue;
        if (error) {
            --grid_.tree.pending;
            return error;
        }
        if (RaceChecks* const races = this->races()) launch->asked = races->ask(block_, caller_.linear, stream);
        grid_.add(std::move(launch), stream);
        return error;
    }

    /// Null where races are not looked for.
    [[nodiscard]] RaceChecks* races() const {
        LaunchChecks* const checks = checks_of(block_);
        return checks ? checks->races() : nullptr;
    }

    /// Waiting found that a child has failed: this thread does not go on either.
    void raise_failure() const {
        if (!grid_.tree.failed) return;
        raise_fault(Fault::trap, caller_);
    }

    int synchronize() {
        constexpr int kSyncDepth = 3; // of CUlimit
        if (grid_.depth >= grid_.context().limit(kSyncDepth) || !Grid::has_stack_to_synchronize())
            return kSyncDepthExceeded;
        grid_.synchronize();
        raise_failure();
        return kDeviceSuccess;
    }

    int copy(const BoxCopy& box, std::uint64_t kind, std::uint64_t stream) {
        if (kind > 4) return kInvalidMemcpyDirection;
        if (!grid_.has_stream(stream) || stream == kTailStream || stream == kFireAndForgetStream)
            return kInvalidResourceHandle;
        if (box.width == 0 || box.height == 0 || box.depth == 0) return kDeviceSuccess;
        if (!box.to || !box.from) return kInvalidValue;
        if (!reaches(box.to, {box.to_pitch, box.to_slice, box.width, box.height, box.depth}) ||
            !reaches(box.from, {box.from_pitch, box.from_slice, box.width, box.height, box.depth}))
            return kInvalidValue;
        return add(box, stream);
    }

    int fill(const DeviceFill& fill, std::uint64_t stream) {
        if (!grid_.has_stream(stream) || stream == kTailStream || stream == kFireAndForgetStream)
            return kInvalidResourceHandle;
        if (fill.width == 0 || fill.height == 0 || fill.depth == 0) return kDeviceSuccess;
        if (!fill.to || !reaches(fill.to, {fill.pitch, fill.slice, fill.width, fill.height, fill.depth}))
            return kInvalidValue;
        return add(fill, stream);
    }

    /// False: rows or slices overlap. Raises Fault::illegal_address for memory that is out of the kernel's reach: the
    /// work is done later, by a thread of the runtime.
    [[nodiscard]] bool reaches(const std::byte* memory, const Box& box) const {
        const auto span = span_of(box);
        if (span) (void)kernel_pointer(reinterpret_cast<std::uint64_t>(memory), *span, caller_);
        return span.has_value();
    }

    int add(Grid::Work work, std::uint64_t stream) {
        // Pending work takes memory of the host.
        if (grid_.is_crowded()) {
            if (!Grid::has_stack_to_synchronize()) return kOutOfResources;
            grid_.synchronize();
            raise_failure();
        }
        grid_.add(std::move(work), stream);
        return kDeviceSuccess;
    }

    int copy_3d() {
        const auto p = load_for_kernel<CopyParameters>(a_[0], caller_);
        if (p.from_array || p.to_array) return kNotSupported;
        const auto start = [](const PitchedPointer& memory, const std::uint64_t* position) {
            return bytes(memory.address + position[0] + memory.pitch * (position[1] + memory.height * position[2]));
        };
        BoxCopy box;
        box.to = start(p.to, p.to_position);
        box.from = start(p.from, p.from_position);
        box.to_pitch = p.to.pitch;
        box.from_pitch = p.from.pitch;
        box.to_slice = p.to.pitch * p.to.height;
        box.from_slice = p.from.pitch * p.from.height;
        box.width = p.extent.width;
        box.height = p.extent.height;
        box.depth = p.extent.depth;
        return copy(box, p.kind, a_[1]);
    }

    int fill_3d() {
        const auto memory = passed<PitchedPointer>(a_[0]);
        const auto extent = passed<Extent>(a_[2]);
        return fill({bytes(memory.address), memory.pitch, memory.pitch * memory.height, extent.width, extent.height,
                     extent.depth, static_cast<int>(a_[1])},
                    a_[3]);
    }

    /// Streams may be non-blocking, events must have no timing.
    int make_handle(bool event) {
        if (event ? a_[1] != 2 : a_[1] > 1) return kInvalidValue;
        const std::uint64_t handle = grid_.make_handle(event);
        if (!handle) return kMemoryAllocation;
        store(a_[0], handle);
        return kDeviceSuccess;
    }

    /// All work is carried out in the order in which it was asked for, so that events need not do anything.
    int event_in_stream(std::uint64_t event, std::uint64_t stream) {
        if (RaceChecks* const races = this->races()) races->has_event();
        return grid_.has_event(event) && grid_.has_stream(stream) ? kDeviceSuccess : kInvalidResourceHandle;
    }

    int device_attribute() {
        if (a_[2] >= static_cast<std::uint64_t>(device_count())) return kInvalidDevice;
        const auto value = device(static_cast<int>(a_[2])).attribute(static_cast<CUdevice_attribute>(a_[1]));
        if (!value) return kInvalidValue;
        store(a_[0], static_cast<int>(*value));
        return kDeviceSuccess;
    }

    int device_limit() {
        std::size_t value = 0;
        try {
            value = grid_.context().limit(static_cast<int>(a_[1]));
        } catch (const Failure&) {
            return kInvalidValue;
        }
        store(a_[0], value);
        return kDeviceSuccess;
    }

    int function_attributes() {
        const Function* f = kernel_at(grid_, a_[1]);
        if (!f) return kInvalidDeviceFunction;
        // The start of cudaFuncAttributes.
        struct {
            std::uint64_t shared, constant, local;
            int numbers[7];
        } attributes{};
        const auto number = [&](CUfunction_attribute attribute) { return f->attribute(attribute).value_or(0); };
        attributes.shared = static_cast<std::uint64_t>(number(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
        attributes.constant = static_cast<std::uint64_t>(number(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
        attributes.local = static_cast<std::uint64_t>(number(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
        constexpr CUfunction_attribute kNumbers[] = {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                                     CU_FUNC_ATTRIBUTE_NUM_REGS,
                                                     CU_FUNC_ATTRIBUTE_PTX_VERSION,
                                                     CU_FUNC_ATTRIBUTE_BINARY_VERSION,
                                                     CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
                                                     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                     CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
        for (std::size_t i = 0; i < std::size(kNumbers); ++i)
            attributes.numbers[i] = number(kNumbers[i]);
        constexpr std::size_t bytes = 24 + sizeof attributes.numbers;
        store_bytes_for_kernel(a_[0], &attributes, bytes, caller_);
        return kDeviceSuccess;
    }

    int occupancy() {
        const Function* f = kernel_at(grid_, a_[1]);
        if (!f) return kInvalidDeviceFunction;
        const int threads = static_cast<int>(a_[2]);
        if (threads <= 0) return kInvalidValue;
        store(a_[0], resident_blocks(*f, threads, a_[3]));
        return kDeviceSuccess;
    }

    int allocate() {
        const std::uint64_t memory = a_[1] ? grid_.context().heap().allocate(a_[1]) : 0;
        if (!memory && a_[1]) return kMemoryAllocation;
        store(a_[0], memory);
        return kDeviceSuccess;
    }

    int perform(DeviceCall call) {
        switch (call) {
        case DeviceCall::launch_device: return launch_old();
        case DeviceCall::launch_device_v2: return launch_new();
        case DeviceCall::device_synchronize: return synchronize();
        case DeviceCall::get_device_count: store(a_[0], device_count()); return kDeviceSuccess;
        case DeviceCall::get_device: store(a_[0], grid_.context().device.ordinal); return kDeviceSuccess;
        case DeviceCall::device_get_attribute: return device_attribute();
        case DeviceCall::device_get_limit: return device_limit();
        case DeviceCall::device_get_cache_config:
        case DeviceCall::device_get_shared_mem_config: store(a_[0], 0); return kDeviceSuccess;
        case DeviceCall::runtime_get_version: store(a_[0], 6000); return kDeviceSuccess; // as on a GPU
        case DeviceCall::stream_create: return make_handle(false);
        case DeviceCall::stream_destroy:
            return grid_.remove_handle(a_[0], false) ? kDeviceSuccess : kInvalidResourceHandle;
        case DeviceCall::stream_wait_event: return event_in_stream(a_[1], a_[0]);
        case DeviceCall::event_create: return make_handle(true);
        case DeviceCall::event_record:
        case DeviceCall::event_record_with_flags: return event_in_stream(a_[0], a_[1]);
        case DeviceCall::event_destroy:
            return grid_.remove_handle(a_[0], true) ? kDeviceSuccess : kInvalidResourceHandle;
        case DeviceCall::func_get_attributes: return function_attributes();
        case DeviceCall::malloc: return allocate();
        case DeviceCall::free:
            return !a_[0] || grid_.context().heap().release(a_[0]) ? kDeviceSuccess : kInvalidDevicePointer;
        case DeviceCall::memcpy_async: {
            BoxCopy box;
            box.to = bytes(a_[0]);
            box.from = bytes(a_[1]);
            box.width = a_[2];
            return copy(box, a_[3], a_[4]);
        }
        case DeviceCall::memcpy_2d_async: {
            BoxCopy box;
            box.to = bytes(a_[0]);
            box.to_pitch = a_[1];
            box.from = bytes(a_[2]);
            box.from_pitch = a_[3];
            box.width = a_[4];
            box.height = a_[5];
            return copy(box, a_[6], a_[7]);
        }
        case DeviceCall::memcpy_3d_async: return copy_3d();
        case DeviceCall::memset_async: return fill({bytes(a_[0]), 0, 0, a_[2], 1, 1, static_cast<int>(a_[1])}, a_[3]);
        case DeviceCall::memset_2d_async:
            return fill({bytes(a_[0]), a_[1], 0, a_[3], a_[4], 1, static_cast<int>(a_[2])}, a_[5]);
        case DeviceCall::memset_3d_async: return fill_3d();
        case DeviceCall::occupancy:
        case DeviceCall::occupancy_with_flags: return occupancy();
        default: return kNotSupported;
        }
    }

    template <class T>
    void store(std::uint64_t address, const T& value) const {
        store_for_kernel(address, value, caller_);
    }

    const BlockContext& block_;
    Grid& grid_;
    const KernelCaller caller_;
    const std::uint64_t* a_;
    std::uint64_t thread_ = 0;
};

/// Calls that read and write no memory of the kernel's choice.
bool is_of_launches(DeviceCall call) {
    switch (call) {
    case DeviceCall::get_parameter_buffer:
    case DeviceCall::get_parameter_buffer_v2:
    case DeviceCall::launch_device:
    case DeviceCall::launch_device_v2:
    case DeviceCall::device_synchronize:
    case DeviceCall::get_last_error:
    case DeviceCall::peek_at_last_error: return true;
    default: return false;
    }
}

} // namespace

void link_device_calls() {}

extern "C" std::uint64_t wl_rt_device_call(BlockContext* block, std::uint32_t linear, std::uint32_t site,
                                           std::uint32_t call, const std::uint64_t* arguments) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    enter_service(caller);
    const auto which = static_cast<DeviceCall>(call);
    const auto answer = [&] { return Call(*block, linear, site, arguments).answer(which); };
    return is_of_launches(which) ? without_exceptions(caller, answer) : touching_kernel_memory(caller, answer);
}

} // namespace warplight::software
