// SPDX-License-Identifier: Apache-2.0
#include "bad_input.hpp"
#include "bad_input_gone.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace bad_input {
namespace {

constexpr char kCode[] = R"(
.version 6.5
.target sm_75
.address_size 64
.visible .global .u32 counter[4];
.visible .global .texref image;
.visible .global .surfref picture;
.visible .entry nothing() { ret; }
.visible .entry store(.param .u64 store_to, .param .u32 store_value)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [store_to];
    ld.param.u32 %r0, [store_value];
    st.global.u32 [%rd0], %r0;
    ret;
}
)";

constexpr std::size_t kStep = std::size_t{2} << 20; ///< in which physical memory is mapped

CUDA_ARRAY3D_DESCRIPTOR_v2 descriptor(Thing thing) {
    CUDA_ARRAY3D_DESCRIPTOR_v2 d{};
    d.Width = 64;
    d.Height = thing == Thing::line ? 0 : 16;
    d.Format = CU_AD_FORMAT_UNSIGNED_INT32;
    d.NumChannels = 1;
    d.Flags = thing == Thing::canvas ? CUDA_ARRAY3D_SURFACE_LDST : 0;
    return d;
}

Thing graph_of(Thing node) { return node >= Thing::memory_graph ? Thing::memory_graph : Thing::graph; }
bool is_node(Thing thing) {
    return (thing >= Thing::kernel_node && thing <= Thing::batch_node) || thing == Thing::alloc_node ||
           thing == Thing::free_node;
}
bool of_context(Thing thing) {
    switch (thing) {
    case Thing::context:
    case Thing::library:
    case Thing::kernel:
    case Thing::pool_memory:
    case Thing::pool:
    case Thing::reserved:
    case Thing::mapped:
    case Thing::physical:
    case Thing::graph:
    case Thing::clone:
    case Thing::memory_graph:
    case Thing::executable:
    case Thing::user_object: return false;
    default: return true;
    }
}
template <class T>
std::uint64_t number(T handle) {
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<std::uint64_t>(handle);
    else
        return handle;
}
template <class T>
T handle(std::uint64_t number) {
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<T>(number);
    else
        return static_cast<T>(number);
}
void CUDA_CB host_function(void*) {}

void* allocate_pages(std::size_t size) { return ::operator new(size, std::align_val_t{4096}); }
void release_pages(void* pages) { ::operator delete(pages, std::align_val_t{4096}); }

} // namespace

void Fixture::must(CUresult code, const char* what) const {
    if (code != CUDA_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(code));
}
#define WARPLIGHT_MUST(member, ...) must(api.fn_##member(__VA_ARGS__), #member)

Fixture::Fixture(const EntryPoints& functions) : api(functions), scratch_(std::size_t{1} << 24) {
    WARPLIGHT_MUST(cuCtxCreate, &context_, 0, 0);
    make_current();
    WARPLIGHT_MUST(cuModuleLoadData, &check_module_, kCode);
    WARPLIGHT_MUST(cuModuleGetFunction, &check_kernel_, check_module_, "store");
    WARPLIGHT_MUST(cuMemAlloc, &check_memory_, 256);
    WARPLIGHT_MUST(cuStreamCreate, &capture_streams_[0], CU_STREAM_NON_BLOCKING);
    WARPLIGHT_MUST(cuStreamCreate, &capture_streams_[1], 0);
}

CUcontext Fixture::other() {
    if (other_) return other_;
    CUcontext top = nullptr;
    WARPLIGHT_MUST(cuCtxCreate, &other_, 0, 0);
    WARPLIGHT_MUST(cuCtxPopCurrent, &top);
    return other_;
}

void Fixture::stand_aside() {
    CUcontext top = nullptr;
    for (int i = 0; i < 64 && api.fn_cuCtxPopCurrent(&top) == CUDA_SUCCESS; ++i) {
    }
    api.fn_cuCtxSetCurrent(other());
}

Fixture::~Fixture() {
    gone_.reset();
    make_current();
    end_captures();
    // One that a kernel's fault ended does nothing any more.
    if (api.fn_cuCtxSynchronize() != CUDA_SUCCESS) try {
            stand_aside();
        } catch (const std::runtime_error&) { // no driver can be asked for more
        }
    // Those of a context go with it; the others do not.
    for (const auto& key : order_) {
        const auto found = things_.find(key);
        if (found == things_.end() || key.second == Owner::freed || key.first == Thing::kernel) continue;
        if (!of_context(key.first)) destroy(key.first, found->second);
    }
    for (const auto& [address, pages] : registered_)
        release_pages(pages);
    api.fn_cuCtxSetCurrent(nullptr);
    api.fn_cuCtxDestroy(context_);
    if (other_) api.fn_cuCtxDestroy(other_);
}

void Fixture::make_current() {
    CUcontext top = nullptr;
    for (int i = 0; i < 64 && api.fn_cuCtxPopCurrent(&top) == CUDA_SUCCESS; ++i) {
    }
    api.fn_cuCtxSetCurrent(context_);
}

void* Fixture::scratch(std::size_t size) {
    used_ = (used_ + 255) / 256 * 256;
    if (used_ + size > scratch_.size()) throw std::bad_alloc();
    void* place = scratch_.data() + used_;
    std::memset(place, 0, size);
    used_ += size;
    return place;
}
void Fixture::begin_call() { used_ = 0; }

Slot Fixture::is(Thing thing) {
    const bool memory = thing >= Thing::memory && thing <= Thing::managed;
    const bool pages = thing == Thing::reserved || thing == Thing::mapped || thing == Thing::host_memory ||
                       thing == Thing::registered_memory;
    return {.kind = memory || pages ? Kind::address : Kind::handle, .thing = thing, .bits = get(thing)};
}
Slot Fixture::takes(Thing thing) {
    Slot slot = is(thing);
    slot.takes = true;
    return slot;
}
Slot Fixture::at(Thing thing, std::size_t offset) {
    Slot slot = is(thing);
    slot.bits += offset;
    return slot;
}
Slot Fixture::out(std::size_t bytes) { return {.kind = Kind::out, .bits = number(scratch(bytes))}; }
Slot Fixture::bytes(std::size_t size) { return {.kind = Kind::bytes, .bits = number(scratch(size))}; }
Slot Fixture::makes(Thing thing) {
    Slot slot = out(8);
    slot.thing = thing;
    slot.makes = true;
    return slot;
}
Slot Fixture::parameters() {
    auto* address = static_cast<std::uint64_t*>(scratch(8));
    auto* value = static_cast<std::uint32_t*>(scratch(4));
    *address = get(Thing::memory);
    *value = 5;
    return in(std::array<void*, 2>{address, value}, {0, 8});
}
Slot Fixture::no_parameters() { return fixed(0); }

CUstream Fixture::capture_stream(bool blocking) { return capture_streams_[blocking ? 1 : 0]; }

std::uint64_t Fixture::get(Thing thing, Owner owner) {
    if (thing == Thing::none) return 0;
    if (thing == Thing::current_context) return number(context_);
    if (is_node(thing)) {
        const std::uint64_t graph = get(graph_of(thing), owner);
        return nodes_.at({graph, thing});
    }
    // A freed handle may be given out again: it is made right before it is used.
    const auto found = owner == Owner::freed ? things_.end() : things_.find({thing, owner});
    if (found != things_.end()) return found->second;
    const std::uint64_t made_now = made(thing, owner);
    things_[{thing, owner}] = made_now;
    std::erase(order_, std::pair{thing, owner});
    order_.insert(order_.begin(), {thing, owner});
    return made_now;
}

std::uint64_t Fixture::made(Thing thing, Owner owner) {
    // What a thing needs is of the same owner.
    if (owner == making_) return make(thing);
    const Owner before = std::exchange(making_, owner);
    struct Back {
        Owner& value;
        Owner before;
        ~Back() { value = before; }
    } const back{making_, before};
    if (owner == Owner::freed) {
        making_ = Owner::own;
        const std::uint64_t handle = make(thing);
        destroy(thing, handle);
        return handle;
    }
    CUcontext top = nullptr;
    if (owner == Owner::other) {
        WARPLIGHT_MUST(cuCtxPushCurrent, other());
        std::uint64_t handle = 0;
        try {
            handle = make(thing);
        } catch (...) {
            api.fn_cuCtxPopCurrent(&top);
            throw;
        }
        WARPLIGHT_MUST(cuCtxPopCurrent, &top);
        return handle;
    }
    // One context for all orphans; those of one before are not to be mixed with them.
    end_graphs(Owner::orphan);
    std::erase_if(things_,
                  [](const auto& each) { return each.first.second == Owner::orphan && of_context(each.first.first); });
    CUcontext gone = nullptr;
    WARPLIGHT_MUST(cuCtxCreate, &gone, 0, 0);
    for (int i = static_cast<int>(Thing::stream); i <= static_cast<int>(Thing::user_object); ++i) {
        if (is_node(static_cast<Thing>(i))) continue;
        try {
            (void)get(static_cast<Thing>(i), Owner::orphan);
        } catch (const std::runtime_error&) { // this driver has none
        }
    }
    WARPLIGHT_MUST(cuCtxDestroy, gone);
    return things_.at({thing, Owner::orphan});
}

std::uint64_t Fixture::make_array(Thing thing) {
    CUarray array = nullptr;
    const auto d = descriptor(thing);
    WARPLIGHT_MUST(cuArray3DCreate, &array, &d);
    return number(array);
}

std::uint64_t Fixture::make_graph() {
    CUgraph graph = nullptr, child = nullptr;
    WARPLIGHT_MUST(cuGraphCreate, &graph, 0);
    const std::uint64_t key = number(graph);
    const auto to = [&](Thing thing) { return reinterpret_cast<CUgraphNode*>(&nodes_[{key, thing}]); };
    const CUdeviceptr memory = get(Thing::memory, making_);
    CUcontext context = nullptr;
    WARPLIGHT_MUST(cuCtxGetCurrent, &context);
    CUDA_KERNEL_NODE_PARAMS_v1 kernel{};
    kernel.func = handle<CUfunction>(get(Thing::function, making_));
    kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
    std::uint64_t address = memory;
    std::uint32_t value = 5;
    void* parameters[] = {&address, &value};
    kernel.kernelParams = parameters;
    WARPLIGHT_MUST(cuGraphAddKernelNode, to(Thing::kernel_node), graph, nullptr, 0, &kernel);
    CUDA_MEMCPY3D_v2 copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstDevice = memory + 4096;
    copy.WidthInBytes = copy.srcPitch = copy.dstPitch = 64;
    copy.Height = copy.Depth = copy.srcHeight = copy.dstHeight = 1;
    WARPLIGHT_MUST(cuGraphAddMemcpyNode, to(Thing::memcpy_node), graph, nullptr, 0, &copy, context);
    CUDA_MEMSET_NODE_PARAMS_v1 fill{};
    fill.dst = memory;
    fill.elementSize = 4;
    fill.width = 16;
    fill.height = 1;
    WARPLIGHT_MUST(cuGraphAddMemsetNode, to(Thing::memset_node), graph, nullptr, 0, &fill, context);
    CUDA_HOST_NODE_PARAMS_v1 host{};
    host.fn = &host_function;
    WARPLIGHT_MUST(cuGraphAddHostNode, to(Thing::host_node), graph, nullptr, 0, &host);
    WARPLIGHT_MUST(cuGraphCreate, &child, 0);
    WARPLIGHT_MUST(cuGraphAddChildGraphNode, to(Thing::child_node), graph, nullptr, 0, child);
    WARPLIGHT_MUST(cuGraphDestroy, child);
    WARPLIGHT_MUST(cuGraphAddEmptyNode, to(Thing::empty_node), graph, nullptr, 0);
    const auto event = handle<CUevent>(get(Thing::event, making_));
    WARPLIGHT_MUST(cuGraphAddEventRecordNode, to(Thing::record_node), graph, nullptr, 0, event);
    WARPLIGHT_MUST(cuGraphAddEventWaitNode, to(Thing::wait_node), graph, nullptr, 0, event);
    CUstreamBatchMemOpParams operation{};
    operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operation.writeValue.address = memory;
    CUDA_BATCH_MEM_OP_NODE_PARAMS batch{};
    batch.ctx = context;
    batch.count = 1;
    batch.paramArray = &operation;
    WARPLIGHT_MUST(cuGraphAddBatchMemOpNode, to(Thing::batch_node), graph, nullptr, 0, &batch);
    const auto from = *to(Thing::kernel_node), next = *to(Thing::memset_node);
    WARPLIGHT_MUST(cuGraphAddDependencies, graph, &from, &next, 1);
    return key;
}

std::uint64_t Fixture::make_memory_graph() {
    CUgraph graph = nullptr;
    WARPLIGHT_MUST(cuGraphCreate, &graph, 0);
    const std::uint64_t key = number(graph);
    const auto to = [&](Thing thing) { return reinterpret_cast<CUgraphNode*>(&nodes_[{key, thing}]); };
    CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
    allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.bytesize = 4096;
    WARPLIGHT_MUST(cuGraphAddMemAllocNode, to(Thing::alloc_node), graph, nullptr, 0, &allocation);
    WARPLIGHT_MUST(cuGraphAddMemFreeNode, to(Thing::free_node), graph, to(Thing::alloc_node), 1, allocation.dptr);
    return key;
}

std::uint64_t Fixture::make(Thing thing) {
    const auto need = [&](Thing other) { return get(other, making_); };
    std::uint64_t made = 0;
    const auto to = [&]<class T>(T*) { return reinterpret_cast<T*>(&made); };
    CUcontext top = nullptr;
    switch (thing) {
    case Thing::none:
    case Thing::current_context: break;
    case Thing::context:
        WARPLIGHT_MUST(cuCtxCreate, to((CUcontext*)nullptr), 0, 0);
        WARPLIGHT_MUST(cuCtxPopCurrent, &top);
        break;
    case Thing::stream: WARPLIGHT_MUST(cuStreamCreate, to((CUstream*)nullptr), CU_STREAM_NON_BLOCKING); break;
    case Thing::capturing_stream:
        WARPLIGHT_MUST(cuStreamCreate, to((CUstream*)nullptr), CU_STREAM_NON_BLOCKING);
        WARPLIGHT_MUST(cuStreamBeginCapture, handle<CUstream>(made), CU_STREAM_CAPTURE_MODE_RELAXED);
        break;
    case Thing::event: {
        WARPLIGHT_MUST(cuEventCreate, to((CUevent*)nullptr), 0);
        WARPLIGHT_MUST(cuEventRecord, handle<CUevent>(made), nullptr);
        WARPLIGHT_MUST(cuEventSynchronize, handle<CUevent>(made));
        break;
    }
    case Thing::shared_event:
        WARPLIGHT_MUST(cuEventCreate, to((CUevent*)nullptr), CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
        break;
    case Thing::module: WARPLIGHT_MUST(cuModuleLoadData, to((CUmodule*)nullptr), kCode); break;
    case Thing::function:
        WARPLIGHT_MUST(cuModuleGetFunction, to((CUfunction*)nullptr), handle<CUmodule>(need(Thing::module)), "store");
        break;
    case Thing::plain_function:
        WARPLIGHT_MUST(cuModuleGetFunction, to((CUfunction*)nullptr), handle<CUmodule>(need(Thing::module)), "nothing");
        if (api.fn_cuFuncSetBlockShape) WARPLIGHT_MUST(cuFuncSetBlockShape, handle<CUfunction>(made), 1, 1, 1);
        break;
    case Thing::library:
        WARPLIGHT_MUST(cuLibraryLoadData, to((warplight::driver::LibraryHandle*)nullptr), kCode, nullptr, nullptr, 0,
                       nullptr, nullptr, 0);
        break;
    case Thing::kernel:
        WARPLIGHT_MUST(cuLibraryGetKernel, to((warplight::driver::KernelHandle*)nullptr),
                       handle<warplight::driver::LibraryHandle>(need(Thing::library)), "store");
        break;
    case Thing::linker: WARPLIGHT_MUST(cuLinkCreate, 0, nullptr, nullptr, to((CUlinkState*)nullptr)); break;
    case Thing::array:
    case Thing::line:
    case Thing::canvas: return make_array(thing);
    case Thing::mipmapped: {
        const auto d = descriptor(thing);
        WARPLIGHT_MUST(cuMipmappedArrayCreate, to((CUmipmappedArray*)nullptr), &d, 2);
        break;
    }
    case Thing::texture:
    case Thing::surface: {
        CUDA_RESOURCE_DESC_v1 resource{};
        CUDA_TEXTURE_DESC_v1 texture{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = handle<CUarray>(need(Thing::canvas));
        if (thing == Thing::texture)
            WARPLIGHT_MUST(cuTexObjectCreate, to((CUtexObject*)nullptr), &resource, &texture, nullptr);
        else
            WARPLIGHT_MUST(cuSurfObjectCreate, to((CUsurfObject*)nullptr), &resource);
        break;
    }
    case Thing::texture_reference: WARPLIGHT_MUST(cuTexRefCreate, to((CUtexref*)nullptr)); break;
    case Thing::bound_reference:
        WARPLIGHT_MUST(cuTexRefCreate, to((CUtexref*)nullptr));
        WARPLIGHT_MUST(cuTexRefSetArray, handle<CUtexref>(made), handle<CUarray>(need(Thing::array)),
                       CU_TRSA_OVERRIDE_FORMAT);
        break;
    case Thing::module_reference:
        WARPLIGHT_MUST(cuModuleGetTexRef, to((CUtexref*)nullptr), handle<CUmodule>(need(Thing::module)), "image");
        break;
    case Thing::surface_reference:
        WARPLIGHT_MUST(cuModuleGetSurfRef, to((CUsurfref*)nullptr), handle<CUmodule>(need(Thing::module)), "picture");
        break;
    case Thing::memory: WARPLIGHT_MUST(cuMemAlloc, to((CUdeviceptr*)nullptr), kMemorySize); break;
    case Thing::pool_memory: WARPLIGHT_MUST(cuMemAllocAsync, to((CUdeviceptr*)nullptr), kMemorySize, nullptr); break;
    case Thing::managed:
        WARPLIGHT_MUST(cuMemAllocManaged, to((CUdeviceptr*)nullptr), kMemorySize, CU_MEM_ATTACH_GLOBAL);
        break;
    case Thing::host_memory:
        WARPLIGHT_MUST(cuMemHostAlloc, to((void**)nullptr), kMemorySize, CU_MEMHOSTALLOC_DEVICEMAP);
        break;
    case Thing::registered_memory: {
        void* pages = allocate_pages(kMemorySize);
        made = number(pages);
        registered_[made] = pages;
        WARPLIGHT_MUST(cuMemHostRegister, pages, kMemorySize, CU_MEMHOSTREGISTER_DEVICEMAP);
        break;
    }
    case Thing::pool: {
        CUmemPoolProps_v1 properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        WARPLIGHT_MUST(cuMemPoolCreate, to((CUmemoryPool*)nullptr), &properties);
        break;
    }
    case Thing::reserved: WARPLIGHT_MUST(cuMemAddressReserve, to((CUdeviceptr*)nullptr), kStep, 0, 0, 0); break;
    case Thing::mapped:
        WARPLIGHT_MUST(cuMemAddressReserve, to((CUdeviceptr*)nullptr), kStep, 0, 0, 0);
        WARPLIGHT_MUST(cuMemMap, made, kStep, 0, need(Thing::physical), 0);
        break;
    case Thing::physical: {
        CUmemAllocationProp_v1 properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        WARPLIGHT_MUST(cuMemCreate, to((CUmemGenericAllocationHandle*)nullptr), kStep, &properties, 0);
        break;
    }
    case Thing::graph: return make_graph();
    case Thing::clone: WARPLIGHT_MUST(cuGraphClone, to((CUgraph*)nullptr), handle<CUgraph>(need(Thing::graph))); break;
    case Thing::executable:
        WARPLIGHT_MUST(cuGraphInstantiateWithFlags, to((CUgraphExec*)nullptr), handle<CUgraph>(need(Thing::graph)), 0);
        break;
    case Thing::memory_graph: return make_memory_graph();
    case Thing::user_object:
        WARPLIGHT_MUST(cuUserObjectCreate, to((CUuserObject*)nullptr), scratch_.data(), &host_function, 1,
                       CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
        break;
    default: throw std::logic_error("a thing that is of another one");
    }
    return made;
}

void Fixture::forget(Thing thing, std::uint64_t handle) {
    // What was found in it is gone, too.
    const auto within = [&](Thing other) {
        if (thing == Thing::library) return other == Thing::kernel;
        return thing == Thing::module && (other == Thing::function || other == Thing::plain_function ||
                                          other == Thing::module_reference || other == Thing::surface_reference);
    };
    Owner owner = Owner::own;
    for (const auto& [key, number] : things_)
        if (key.first == thing && number == handle) owner = key.second;
    std::erase_if(things_, [&](const auto& each) {
        return each.second == handle || (each.first.second == owner && within(each.first.first));
    });
}

void Fixture::destroy(Thing thing, std::uint64_t h) {
    CUgraph graph = nullptr;
    switch (thing) {
    case Thing::context: api.fn_cuCtxDestroy(handle<CUcontext>(h)); break;
    case Thing::capturing_stream: // NOLINT(bugprone-branch-clone): that of the capture comes first
        if (api.fn_cuStreamEndCapture(handle<CUstream>(h), &graph) == CUDA_SUCCESS) api.fn_cuGraphDestroy(graph);
        api.fn_cuStreamDestroy(handle<CUstream>(h));
        break;
    case Thing::stream: api.fn_cuStreamDestroy(handle<CUstream>(h)); break;
    case Thing::event:
    case Thing::shared_event: api.fn_cuEventDestroy(handle<CUevent>(h)); break;
    case Thing::function:
    case Thing::plain_function:
    case Thing::module_reference:
    case Thing::surface_reference: {
        const std::uint64_t module = get(Thing::module);
        forget(Thing::module, module);
        api.fn_cuModuleUnload(handle<CUmodule>(module));
        break;
    }
    case Thing::module: api.fn_cuModuleUnload(handle<CUmodule>(h)); break;
    case Thing::kernel: {
        const std::uint64_t library = get(Thing::library);
        forget(Thing::library, library);
        api.fn_cuLibraryUnload(handle<warplight::driver::LibraryHandle>(library));
        break;
    }
    case Thing::library: api.fn_cuLibraryUnload(handle<warplight::driver::LibraryHandle>(h)); break;
    case Thing::linker: api.fn_cuLinkDestroy(handle<CUlinkState>(h)); break;
    case Thing::array:
    case Thing::line:
    case Thing::canvas: api.fn_cuArrayDestroy(handle<CUarray>(h)); break;
    case Thing::mipmapped: api.fn_cuMipmappedArrayDestroy(handle<CUmipmappedArray>(h)); break;
    case Thing::texture: api.fn_cuTexObjectDestroy(h); break;
    case Thing::surface: api.fn_cuSurfObjectDestroy(h); break;
    case Thing::texture_reference:
    case Thing::bound_reference: api.fn_cuTexRefDestroy(handle<CUtexref>(h)); break;
    case Thing::memory:
    case Thing::pool_memory:
    case Thing::managed: api.fn_cuMemFree(h); break;
    case Thing::host_memory: api.fn_cuMemFreeHost(handle<void*>(h)); break;
    case Thing::registered_memory: api.fn_cuMemHostUnregister(handle<void*>(h)); break;
    case Thing::pool: api.fn_cuMemPoolDestroy(handle<CUmemoryPool>(h)); break;
    case Thing::mapped: // NOLINT(bugprone-branch-clone): that of the mapping comes first
        api.fn_cuMemUnmap(h, kStep);
        api.fn_cuMemAddressFree(h, kStep);
        break;
    case Thing::reserved: api.fn_cuMemAddressFree(h, kStep); break;
    case Thing::physical: api.fn_cuMemRelease(h); break;
    case Thing::graph:
    case Thing::clone:
    case Thing::memory_graph: api.fn_cuGraphDestroy(handle<CUgraph>(h)); break;
    case Thing::executable: api.fn_cuGraphExecDestroy(handle<CUgraphExec>(h)); break;
    case Thing::user_object: api.fn_cuUserObjectRelease(handle<CUuserObject>(h), 1); break;
    default: break;
    }
}

void Fixture::end_captures() {
    const auto found = things_.find({Thing::capturing_stream, Owner::own});
    if (found == things_.end()) return;
    destroy(Thing::capturing_stream, found->second);
    things_.erase(found);
}

void Fixture::on_gone(const std::function<void()>& work) {
    if (!gone_) gone_ = std::make_unique<Gone>(api);
    if (!gone_->work(work)) gone_.reset();
}

void Fixture::renew() {
    make_current();
    end_graphs(Owner::own);
    for (const Thing thing : {Thing::event, Thing::linker, Thing::texture_reference, Thing::bound_reference})
        end(thing, Owner::own);
}

void Fixture::end_graphs(Owner owner) {
    for (const Thing thing : {Thing::executable, Thing::clone, Thing::graph, Thing::memory_graph})
        end(thing, owner);
}

void Fixture::end(Thing thing, Owner owner) {
    const auto found = things_.find({thing, owner});
    if (found == things_.end()) return;
    const std::uint64_t handle = found->second;
    // A GPU's driver does not survive the end of one whose context is gone.
    if (thing != Thing::executable || owner != Owner::orphan) destroy(thing, handle);
    forget(thing, handle);
    std::erase_if(nodes_, [&](const auto& each) { return each.first.first == handle; });
}

std::string Fixture::check() {
    make_current();
    end_captures();
    static std::uint32_t count = 0;
    const std::uint32_t tag = ++count;
    std::uint32_t words[4] = {};
    std::uint64_t to = check_memory_ + 4;
    std::uint32_t value = tag + 1;
    void* parameters[] = {&to, &value};
    CUdeviceptr fresh = 0;
    const auto failed = [&](const char* what, CUresult code) { return std::string(what) + " " + std::to_string(code); };
    if (const CUresult code = api.fn_cuCtxSynchronize()) return failed("synchronize", code);
    if (const CUresult code = api.fn_cuMemAlloc(&fresh, 4096)) return failed("alloc", code);
    if (const CUresult code = api.fn_cuMemsetD32(check_memory_, tag, 4)) return failed("memset", code);
    if (const CUresult code = api.fn_cuLaunchKernel(check_kernel_, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr))
        return failed("launch", code);
    if (const CUresult code = api.fn_cuMemcpyDtoD(fresh, check_memory_, sizeof words)) return failed("copy", code);
    if (const CUresult code = api.fn_cuMemcpyDtoH(words, fresh, sizeof words)) return failed("copy", code);
    if (const CUresult code = api.fn_cuMemFree(fresh)) return failed("free", code);
    return words[0] == tag && words[1] == value && words[3] == tag ? "" : "wrong data";
}

void Fixture::kill() {
    (void)other(); // a GPU's process gets no more of them after that
    make_current();
    std::uint64_t to = 0x40;
    std::uint32_t value = 0;
    void* parameters[] = {&to, &value};
    api.fn_cuLaunchKernel(check_kernel_, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr);
    if (api.fn_cuCtxSynchronize() == CUDA_SUCCESS) throw std::runtime_error("the fault had no effect");
}

} // namespace bad_input
