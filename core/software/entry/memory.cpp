// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/graph_memory.hpp"
#include "../runtime/memory_pool.hpp"
#include "../runtime/shadow_memory.hpp"
#include "../runtime/work_races.hpp"

using namespace warplight::software;

namespace {

CUdeviceptr allocate(Context& context, std::uint64_t size) {
    require(size > 0);
    forbid_unsafe_call();
    const auto base =
        AddressSpace::instance().allocate(size, Allocation::Kind::device, context.device.ordinal, &context);
    if (!base) {
        fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(size) + " bytes asked for, " +
                                           std::to_string(context.device.free_memory()) + " of " +
                                           std::to_string(context.device.total_memory()) + " free" +
                                           (AddressSpace::instance().limited() ? ", for addresses are limited "
                                                                                 "(ulimit -v)"
                                                                               : ""));
    }
    ShadowMemory::instance().set_unwritten(*base, size);
    if (WorkRaces::is_on()) WorkRaces::instance().forget(*base, size);
    return *base;
}

/// Waits for the kernels that may use memory of no context: of the current one, or where there is none, of all. The
/// default stream of one of them.
std::shared_ptr<Stream> drain_users(int device) {
    std::vector<std::shared_ptr<Context>> users;
    if (auto current = current_context_or_null(); current && !current->ending()) {
        current->check();
        users.push_back(std::move(current));
    } else {
        users = handles<Context>().all();
        std::erase_if(users, [&](const auto& context) { return context->device.ordinal != device; });
    }
    require(!users.empty(), CUDA_ERROR_INVALID_CONTEXT);
    for (const auto& context : users)
        context->drain();
    return users.front()->stream(nullptr);
}

/// An address that a pointer query may be about.
Allocation known(CUdeviceptr pointer) {
    const auto allocation = AddressSpace::instance().find(pointer);
    if (!allocation) fail(CUDA_ERROR_INVALID_VALUE);
    return *allocation;
}

bool imported(const Allocation& a) {
    return a.kind == Allocation::Kind::device && (a.flags & Allocation::imported) != 0;
}

} // namespace

WL_ENTRY(cuMemAlloc_v2, (CUdeviceptr * dptr, size_t bytesize)) {
    return enter([&] {
        Context& context = current_context();
        require(dptr);
        *dptr = allocate(context, bytesize);
    });
}

WL_ENTRY(cuMemAllocPitch_v2,
         (CUdeviceptr * dptr, size_t* pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes)) {
    return enter([&] {
        Context& context = current_context();
        require(dptr && pPitch && WidthInBytes > 0 && Height > 0);
        require(ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16);
        require(WidthInBytes <= std::size_t{1} << 46,
                WidthInBytes < SIZE_MAX / 2 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE);
        const std::size_t pitch = (WidthInBytes + 511) / 512 * 512;
        require(Height <= (std::size_t{1} << 46) / pitch, CUDA_ERROR_OUT_OF_MEMORY);
        *dptr = allocate(context, pitch * Height);
        *pPitch = pitch;
    });
}

WL_ENTRY(cuMemFree_v2, (CUdeviceptr dptr)) {
    return enter([&] {
        if (dptr == 0) return;
        forbid_destroyed_context();
        forbid_unsafe_call();
        const Allocation a = known(dptr);
        require(a.base == dptr && (a.kind == Allocation::Kind::device || a.kind == Allocation::Kind::managed));
        require(!imported(a)); // that is closed
        if (std::shared_ptr<GraphMemory> keep; free_graph_memory(dptr, keep)) {
            (void)drain_users(a.device);
            return;
        }
        if (const auto pool = pool_of(dptr)) {
            pool->release(dptr, drain_users(a.device)->last());
            return;
        }
        require(a.context != nullptr); // else it is a pool's, which somebody gave it back to
        a.context->check();
        // Kernels that still run may use it.
        a.context->drain();
        require(AddressSpace::instance().release(dptr, Allocation::Kind::device).has_value());
    });
}

WL_ENTRY(cuMemGetAddressRange_v2, (CUdeviceptr * pbase, size_t* psize, CUdeviceptr dptr)) {
    if (!pbase && !psize) return CUDA_SUCCESS; // nothing is asked for
    return enter([&] {
        (void)current_context();
        const auto a = AddressSpace::instance().find(dptr);
        require(a.has_value(), CUDA_ERROR_NOT_FOUND);
        if (pbase) *pbase = a->base;
        if (psize) *psize = a->size;
    });
}

WL_ENTRY(cuMemGetInfo_v2, (size_t* free, size_t* total)) {
    return enter([&] {
        const Context& context = current_context();
        if (free) *free = context.device.free_memory();
        if (total) *total = context.device.total_memory();
    });
}
