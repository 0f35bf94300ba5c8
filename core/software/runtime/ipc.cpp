// SPDX-License-Identifier: Apache-2.0
#include "ipc.hpp"

#include "address_space.hpp"
#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "handles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace warplight::software {
namespace {

/// The 64 bytes of a handle.
struct Content {
    std::uint32_t kind = 0;
    std::uint32_t place = 0; ///< device of memory, slot of an event
    std::uint64_t process = 0;
    std::uint64_t number = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t detail = 0; ///< bytes of an allocation, nonce of an event
    std::array<std::uint64_t, 2> nonce = {};
    std::uint64_t check = 0;
};
static_assert(sizeof(Content) == 64 && sizeof(CUipcMemHandle) == 64 && sizeof(CUipcEventHandle) == 64);

constexpr std::uint32_t kMemory = 0x314d4c57, kEvent = 0x31454c57; // "WLM1", "WLE1"

void require_shared_memory() {
    if (!platform::maps_shared_memory()) fail(CUDA_ERROR_NOT_SUPPORTED, "the system shares no memory of devices");
}

std::uint64_t check_of(Content content) {
    content.check = 0;
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char byte : std::bit_cast<std::array<unsigned char, sizeof content>>(content))
        hash = (hash ^ byte) * 0x100000001b3;
    return hash ^ (hash >> 29);
}

template <class Handle>
Handle handle_of(std::uint32_t kind, std::uint32_t place, const platform::SharedMemory::Name& name,
                 std::uint64_t detail) {
    Content content{kind, place, name.process, name.number, name.size, detail, name.nonce, 0};
    content.check = check_of(content);
    return std::bit_cast<Handle>(content);
}

template <class Handle>
Content content_of(std::uint32_t kind, const Handle& handle, CUresult otherwise) {
    const auto content = std::bit_cast<Content>(handle);
    if (content.kind != kind || content.check != check_of(content))
        fail(otherwise, "these are not the bytes of a handle of the software device");
    return content;
}

platform::SharedMemory::Name name_of(const Content& content) {
    return {content.process, content.number, content.file_bytes, content.nonce};
}

struct Import {
    Context* context;
    std::array<std::uint64_t, 2> nonce;
    unsigned count;
};
struct Imports {
    std::mutex mutex;
    std::map<CUdeviceptr, Import> list;
    /// By the process, its device, and the device here: the one context that may have its memory.
    std::map<std::tuple<std::uint64_t, std::uint32_t, int>, const Context*> owners;
};
Imports& imports() {
    static auto* instance = new Imports;
    return *instance;
}

/// While `body` runs, no work of any context does.
template <class Body>
auto while_idle(const Body& body) {
    for (;;) {
        auto contexts = handles<Context>().all();
        std::sort(contexts.begin(), contexts.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
        for (const auto& context : contexts)
            context->drain();
        // New work needs these locks. They cannot be held while waiting: running work may need a lock of a thread that
        // waits for one of these.
        std::vector<std::unique_lock<std::mutex>> held;
        held.reserve(contexts.size());
        for (const auto& context : contexts)
            held.emplace_back(context->submission());
        if (std::all_of(contexts.begin(), contexts.end(), [](const auto& context) { return context->idle(); }))
            return body();
        held.clear();
        std::this_thread::yield();
    }
}

} // namespace

CUipcMemHandle export_memory(CUdeviceptr base) {
    const auto allocation = AddressSpace::instance().find(base);
    if (!allocation || allocation->kind != Allocation::Kind::device || allocation->flags || !allocation->context)
        fail(CUDA_ERROR_INVALID_VALUE, "only memory of cuMemAlloc can be given to other processes");
    const CUdeviceptr start = allocation->base;
    require_shared_memory();
    auto name = AddressSpace::instance().shared(start);
    if (!name) name = while_idle([&] { return AddressSpace::instance().share(start); });
    if (!name) fail(CUDA_ERROR_MAP_FAILED, "the system has no shared memory for it");
    return handle_of<CUipcMemHandle>(kMemory, static_cast<std::uint32_t>(allocation->device), *name, allocation->size);
}

CUdeviceptr open_memory(Context& context, const CUipcMemHandle& handle) {
    const Content content = content_of(kMemory, handle, CUDA_ERROR_INVALID_VALUE);
    require_shared_memory();
    if (content.process == platform::process_id())
        fail(CUDA_ERROR_INVALID_CONTEXT, "the handle is of this process's own memory");
    (void)device(static_cast<int>(content.place)); // the other process may have more of them
    const std::scoped_lock lock(imports().mutex);
    const std::tuple from(content.process, content.place, context.device.ordinal);
    const auto owner = imports().owners.find(from);
    if (owner != imports().owners.end() && owner->second != &context)
        fail(CUDA_ERROR_INVALID_HANDLE, "another context of this device has opened memory of that process");
    for (auto& [base, import] : imports().list) {
        if (import.nonce != content.nonce || import.context != &context) continue;
        ++import.count;
        return base;
    }
    const auto memory = platform::SharedMemory::open(name_of(content));
    if (!memory) fail(CUDA_ERROR_INVALID_VALUE, "the memory is gone, or its process cannot be reached");
    const auto base = AddressSpace::instance().map(memory, content.detail, static_cast<int>(content.place), &context);
    if (!base) fail(CUDA_ERROR_MAP_FAILED, "there is no room for the memory of the other process");
    imports().list[*base] = {&context, content.nonce, 1};
    imports().owners[from] = &context;
    return *base;
}

void close_memory(CUdeviceptr base) {
    std::shared_ptr<Context> context;
    {
        const std::scoped_lock lock(imports().mutex);
        const auto found = imports().list.find(base);
        if (found == imports().list.end()) fail(CUDA_ERROR_INVALID_VALUE);
        if (--found->second.count > 0) return;
        context = found->second.context->shared_from_this();
        imports().list.erase(found);
    }
    context->drain(); // running work may use it
    (void)AddressSpace::instance().release(base, Allocation::Kind::device);
}

void forget_imports(const Context& context) {
    const std::scoped_lock lock(imports().mutex);
    std::erase_if(imports().list, [&](const auto& entry) { return entry.second.context == &context; });
    std::erase_if(imports().owners, [&](const auto& entry) { return entry.second == &context; });
}

CUipcEventHandle export_event(const SharedEvent& event) {
    const SharedEvent::Name& name = event.name();
    return handle_of<CUipcEventHandle>(kEvent, name.slot, name.memory, name.nonce);
}

std::shared_ptr<SharedEvent> open_event(const CUipcEventHandle& handle) {
    const Content content = content_of(kEvent, handle, CUDA_ERROR_MAP_FAILED);
    if (content.process == platform::process_id())
        fail(CUDA_ERROR_INVALID_CONTEXT, "the handle is of this process's own event");
    auto event = SharedEvent::open({name_of(content), content.place, content.detail});
    if (!event) fail(CUDA_ERROR_MAP_FAILED, "the event is gone, or its process cannot be reached");
    return event;
}

} // namespace warplight::software
