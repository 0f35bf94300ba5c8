// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/event.hpp"
#include "../runtime/ipc.hpp"

using namespace warplight::software;

WL_ENTRY(cuIpcGetMemHandle, (CUipcMemHandle * pHandle, CUdeviceptr dptr)) {
    if (const CUresult wrong = look_at([&] { require(pHandle); })) return wrong;
    return enter([&] {
        (void)current_context();
        *pHandle = export_memory(dptr);
    });
}

WL_ENTRY(cuIpcOpenMemHandle_v2, (CUdeviceptr * pdptr, CUipcMemHandle handle, unsigned int Flags)) {
    if (const CUresult wrong = look_at([&] { require(pdptr && (Flags & CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != 0); }))
        return wrong;
    return enter([&] {
        Context& context = current_context();
        *pdptr = open_memory(context, handle);
    });
}

WL_ENTRY(cuIpcCloseMemHandle, (CUdeviceptr dptr)) {
    return enter([&] {
        (void)current_context();
        close_memory(dptr);
    });
}

WL_ENTRY(cuIpcGetEventHandle, (CUipcEventHandle * pHandle, CUevent event)) {
    if (const CUresult wrong = look_at([&] { require(pHandle && event); })) return wrong;
    return enter([&] {
        (void)current_context();
        const auto exported = handles<Event>().get(event);
        exported->context.check();
        require(exported->shared && exported->shared->made_here(), CUDA_ERROR_INVALID_HANDLE);
        *pHandle = export_event(*exported->shared);
    });
}

WL_ENTRY(cuIpcOpenEventHandle, (CUevent * phEvent, CUipcEventHandle handle)) {
    if (const CUresult wrong = look_at([&] { require(phEvent); })) return wrong;
    return enter([&] {
        Context& context = current_context();
        auto event = std::make_shared<Event>(context, unsigned{CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS},
                                             open_event(handle));
        handles<Event>().add(event);
        *phEvent = reinterpret_cast<CUevent>(event.get());
    });
}
