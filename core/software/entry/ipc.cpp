// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/event.hpp"
#include "../runtime/ipc.hpp"

using namespace warplight::software;

WL_ENTRY(cuIpcGetMemHandle, 4010, (CUipcMemHandle * pHandle, CUdeviceptr dptr)) {
    return enter([&] {
        (void)current_context();
        require(pHandle);
        *pHandle = export_memory(dptr);
    });
}

WL_ENTRY(cuIpcOpenMemHandle_v2, 11000, (CUdeviceptr * pdptr, CUipcMemHandle handle, unsigned int Flags)) {
    return enter([&] {
        Context& context = current_context();
        require(pdptr && (Flags & CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) != 0);
        *pdptr = open_memory(context, handle);
    });
}

WL_ENTRY(cuIpcCloseMemHandle, 4010, (CUdeviceptr dptr)) {
    return enter([&] {
        (void)current_context();
        close_memory(dptr);
    });
}

WL_ENTRY(cuIpcGetEventHandle, 4010, (CUipcEventHandle * pHandle, CUevent event)) {
    return enter([&] {
        require(pHandle && event);
        const auto exported = handles<Event>().get(event);
        exported->context.check();
        require(exported->shared && exported->shared->made_here(), CUDA_ERROR_INVALID_HANDLE);
        *pHandle = export_event(*exported->shared);
    });
}

WL_ENTRY(cuIpcOpenEventHandle, 4010, (CUevent * phEvent, CUipcEventHandle handle)) {
    return enter([&] {
        Context& context = current_context();
        require(phEvent);
        auto event = std::make_shared<Event>(context, unsigned{CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS},
                                             open_event(handle));
        handles<Event>().add(event);
        *phEvent = reinterpret_cast<CUevent>(event.get());
    });
}
