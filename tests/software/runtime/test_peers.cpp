// SPDX-License-Identifier: Apache-2.0
// Peer devices and what processes share, through the entry points: null arguments, the order of checks, and memory
// that is exported while others work.
#include "driver_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

namespace {

CUcontext ended_context() {
    CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
    cuCtxCreate(&context, nullptr, 0, 1);
#else
    cuCtxCreate(&context, 0, 1);
#endif
    cuCtxDestroy(context);
    return context;
}

bool shares_memory() {
    constexpr auto kIpcSupported = static_cast<CUdevice_attribute>(125); // CUDA 11's header lacks it
    int value = 0;
    return cuDeviceGetAttribute(&value, kIpcSupported, 0) == CUDA_SUCCESS && value;
}

} // namespace

class PeersTest : public QObject {
    Q_OBJECT
    CUcontext here_ = nullptr, there_ = nullptr;

private slots:
    void init() {
        CU(cuInit(0));
        CU(cuDevicePrimaryCtxRetain(&here_, 0));
        CU(cuDevicePrimaryCtxRetain(&there_, 1));
        CU(cuCtxSetCurrent(here_));
    }
    void cleanup() {
        CU(cuCtxSetCurrent(nullptr));
        CU(cuDevicePrimaryCtxRelease(0));
        CU(cuDevicePrimaryCtxRelease(1));
    }

    void devices() {
        int value = -7;
        CU_FAILS(cuDeviceCanAccessPeer(nullptr, 0, 9), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuDeviceCanAccessPeer(&value, 0, 2), CUDA_ERROR_INVALID_DEVICE);
        CU_FAILS(cuDeviceCanAccessPeer(&value, -1, 0), CUDA_ERROR_INVALID_DEVICE);
        CU(cuDeviceCanAccessPeer(&value, 1, 1));
        QCOMPARE(value, 0);
        CU(cuDeviceCanAccessPeer(&value, 1, 0));
        QCOMPARE(value, 1);
        constexpr auto access = CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED;
        const auto none = static_cast<CUdevice_P2PAttribute>(99);
        value = -7;
        CU_FAILS(cuDeviceGetP2PAttribute(nullptr, access, 0, 2), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuDeviceGetP2PAttribute(&value, access, 0, 2), CUDA_ERROR_INVALID_DEVICE);
        CU_FAILS(cuDeviceGetP2PAttribute(&value, none, 0, 0), CUDA_ERROR_INVALID_DEVICE);
        CU_FAILS(cuDeviceGetP2PAttribute(&value, none, 0, 1), CUDA_ERROR_INVALID_VALUE);
        QCOMPARE(value, -7);
        CU(cuDeviceGetP2PAttribute(&value, access, 0, 1));
        QCOMPARE(value, 1);
    }

    void contexts() {
        CU_FAILS(cuCtxEnablePeerAccess(nullptr, 1), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuCtxEnablePeerAccess(here_, 1), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuCtxEnablePeerAccess(here_, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
        CU_FAILS(cuCtxDisablePeerAccess(nullptr), CUDA_ERROR_INVALID_CONTEXT);
        const CUcontext gone = ended_context();
        CU_FAILS(cuCtxEnablePeerAccess(gone, 0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        CU_FAILS(cuCtxDisablePeerAccess(gone), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        CU(cuCtxEnablePeerAccess(there_, 0));
        CU_FAILS(cuCtxEnablePeerAccess(there_, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
        CU(cuCtxSetCurrent(nullptr));
        CU_FAILS(cuCtxEnablePeerAccess(there_, 0), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuCtxDisablePeerAccess(there_), CUDA_ERROR_INVALID_CONTEXT);
    }

    void copies() {
        CUdeviceptr mine = 0, theirs = 0;
        CUstream other = nullptr;
        CU(cuMemAlloc(&mine, 64));
        CU(cuMemsetD8(mine, 1, 64));
        CU(cuCtxSetCurrent(there_));
        CU(cuMemAlloc(&theirs, 64));
        CU(cuMemsetD8(theirs, 2, 64));
        CU(cuCtxSynchronize()); // without its context a copy does not wait for that
        CU(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
        CU(cuCtxSetCurrent(here_));
        // As with a GPU's driver the addresses say where memory is, and any context's stream will do.
        CU(cuMemcpyPeer(mine, nullptr, theirs, nullptr, 16));
        CU(cuMemcpyPeer(mine, there_, theirs, here_, 16));
        CU(cuMemcpyPeerAsync(mine, here_, theirs, there_, 32, other));
        CU(cuStreamSynchronize(other));
        unsigned char bytes[64];
        CU(cuMemcpyDtoH(bytes, mine, 64));
        for (int i = 0; i < 64; ++i)
            QCOMPARE(int{bytes[i]}, i < 32 ? 2 : 1);
        CU(cuMemcpyPeer(0, nullptr, 0, nullptr, 0));
        CU_FAILS(cuMemcpyPeer(0, here_, theirs, there_, 16), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpyPeer(mine, here_, theirs, there_, 65), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpyPeer(reinterpret_cast<CUdeviceptr>(bytes), here_, theirs, there_, 16),
                 CUDA_ERROR_INVALID_VALUE);
        const CUcontext gone = ended_context();
        CU_FAILS(cuMemcpyPeer(mine, here_, theirs, gone, 16), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        CU_FAILS(cuMemcpyPeerAsync(mine, gone, theirs, there_, 16, nullptr), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    }

    void handles() {
        if (!shares_memory()) QSKIP("this system shares no memory of devices");
        CUipcMemHandle handle{};
        CUipcEventHandle event_handle{};
        CUdeviceptr memory = 0, pool = 0, opened = 0;
        CU(cuMemAlloc(&memory, 1000));
        CU(cuMemAllocAsync(&pool, 1000, nullptr));
        CU_FAILS(cuIpcGetMemHandle(nullptr, memory), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuIpcGetMemHandle(&handle, pool), CUDA_ERROR_INVALID_VALUE);
        unsigned capable = 7;
        CU(cuPointerGetAttribute(&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, pool));
        QCOMPARE(capable, 0U);
        CU(cuPointerGetAttribute(&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, memory));
        QCOMPARE(capable, 1U);
        CUipcMemHandle inner{};
        CU(cuIpcGetMemHandle(&handle, memory));
        CU(cuIpcGetMemHandle(&inner, memory + 16)); // the allocation's all the same
        QVERIFY(std::memcmp(&handle, &inner, sizeof handle) == 0);
        CU_FAILS(cuIpcOpenMemHandle(&opened, handle, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuIpcOpenMemHandle(nullptr, handle, 1), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuIpcOpenMemHandle(&opened, handle, 1), CUDA_ERROR_INVALID_CONTEXT);
        for (const CUdeviceptr wrong : {CUdeviceptr{0}, CUdeviceptr{12345}, memory})
            CU_FAILS(cuIpcCloseMemHandle(wrong), CUDA_ERROR_INVALID_VALUE);
        CUevent event = nullptr, shared = nullptr;
        CU(cuEventCreate(&event, 0));
        CU(cuEventCreate(&shared, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
        CU_FAILS(cuIpcGetEventHandle(nullptr, shared), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuIpcGetEventHandle(&event_handle, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuIpcGetEventHandle(&event_handle, event), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuIpcOpenEventHandle(&event, event_handle), CUDA_ERROR_MAP_FAILED);
        CU(cuIpcGetEventHandle(&event_handle, shared));
        CU_FAILS(cuIpcOpenEventHandle(nullptr, event_handle), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuIpcOpenEventHandle(&event, event_handle), CUDA_ERROR_INVALID_CONTEXT);
        // More events than one block of shared memory has room for, and their places are used again.
        for (int round = 0; round < 3; ++round) {
            std::vector<CUevent> events(150);
            for (CUevent& e : events) {
                CU(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
                CU(cuEventQuery(e));
                CU(cuEventRecord(e, nullptr));
            }
            for (const CUevent e : events) {
                CU(cuEventSynchronize(e));
                CU(cuEventQuery(e));
                CU(cuEventDestroy(e));
            }
        }
        CU(cuMemFree(pool));
        CU(cuCtxSetCurrent(nullptr));
        CU_FAILS(cuIpcGetMemHandle(&handle, memory), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuIpcOpenMemHandle(&opened, handle, 1), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuIpcCloseMemHandle(memory), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuIpcOpenEventHandle(&event, event_handle), CUDA_ERROR_INVALID_CONTEXT);
    }

    // The pages of exported memory are exchanged: nothing that is written meanwhile may be lost.
    void exportsWhileOthersWrite() {
        if (!shares_memory()) QSKIP("this system shares no memory of devices");
        constexpr std::size_t size = std::size_t{1} << 20;
        std::atomic<CUdeviceptr> target = 0;
        std::atomic<bool> stop = false, wrong = false;
        std::atomic<int> rounds = 0;
        std::thread writer([&] {
            cuCtxSetCurrent(there_); // another device's context
            CUstream stream = nullptr;
            cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
            std::vector<unsigned char> bytes(size);
            for (unsigned value = 1; !stop; ++value) {
                const CUdeviceptr p = target;
                if (!p) continue;
                const auto byte = static_cast<unsigned char>(value);
                if (cuMemsetD8Async(p, byte, size, stream) != CUDA_SUCCESS ||
                    cuMemcpyDtoHAsync(bytes.data(), p, size, stream) != CUDA_SUCCESS ||
                    cuStreamSynchronize(stream) != CUDA_SUCCESS ||
                    std::count(bytes.begin(), bytes.end(), byte) != static_cast<std::ptrdiff_t>(size))
                    wrong = true;
                ++rounds;
            }
            cuStreamDestroy(stream);
        });
        const auto end = qScopeGuard([&] {
            stop = true;
            if (writer.joinable()) writer.join();
        });
        std::vector<CUdeviceptr> all;
        for (int i = 0; i < 20; ++i) {
            CUdeviceptr memory = 0;
            CU(cuMemAlloc(&memory, size));
            all.push_back(memory);
            target = memory;
            for (const int before = rounds; rounds < before + 2;)
                std::this_thread::yield();
            CUipcMemHandle handle{};
            CU(cuIpcGetMemHandle(&handle, memory));
            for (const int before = rounds; rounds < before + 2;)
                std::this_thread::yield();
        }
        stop = true;
        writer.join();
        QVERIFY(!wrong);
        for (const CUdeviceptr memory : all)
            CU(cuMemFree(memory));
    }
};

QTEST_GUILESS_MAIN(PeersTest)
#include "test_peers.moc"
