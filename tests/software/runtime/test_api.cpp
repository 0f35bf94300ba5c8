// SPDX-License-Identifier: Apache-2.0
// The entry points' answers: queries, life cycles, and the driver's own code for every misuse.
#include "driver_fixture.hpp"

#include <QFile>

#include <cstring>
#include <map>

namespace {

const char* const kKernel = R"(
.visible .entry plain(.param .u64 p, .param .u8 small, .param .f64 wide) { ret; }
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
.visible .entry fixed() .reqntid 32, 2, 1 { ret; }
.visible .entry shares() {
  .shared .align 16 .b8 s[4096]; .reg .b32 %r<2>;
  ld.volatile.shared.u32 %r1, [s]; ret;
})";

} // namespace

class ApiTest : public QObject {
    Q_OBJECT
private slots:
    void nothingBeforeInit() {
        int n = 0;
        CUdeviceptr p = 0;
        CU_FAILS(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
        CU_FAILS(cuMemAlloc(&p, 4), CUDA_ERROR_NOT_INITIALIZED);
        CU(cuDriverGetVersion(&n));
        QCOMPARE(n, 13000);
        CU_FAILS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
        CU(cuInit(0));
        CU(cuInit(0));
        CU_FAILS(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    }

    void errorsHaveNames() {
        const char* text = nullptr;
        CU(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
        QCOMPARE(QString(text), QString("an illegal memory access was encountered"));
        CU(cuGetErrorName(static_cast<CUresult>(999), &text));
        QCOMPARE(QString(text), QString("CUDA_ERROR_UNKNOWN"));
        CU_FAILS(cuGetErrorString(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
        QVERIFY(!text);
    }

    void devices() {
        int n = 0;
        CU(cuDeviceGetCount(&n));
        QCOMPARE(n, 1);
        CUdevice d = -1;
        CU(cuDeviceGet(&d, 0));
        CU_FAILS(cuDeviceGet(&d, 1), CUDA_ERROR_INVALID_DEVICE);
        CU_FAILS(cuDeviceGet(&d, -1), CUDA_ERROR_INVALID_DEVICE);
        CU_FAILS(cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
        char name[100];
        CU(cuDeviceGetName(name, sizeof name, 0));
        QVERIFY(QString(name).startsWith("Warplight software device"));
        CU(cuDeviceGetName(name, 5, 0));
        QCOMPARE(QString(name), QString("Warp"));
        size_t bytes = 0;
        CU(cuDeviceTotalMem(&bytes, 0));
        QCOMPARE(bytes, size_t{1} << 30);
        for (int a = 1; a < CU_DEVICE_ATTRIBUTE_MAX; ++a) {
            int value = -12345;
            CU(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(a), 0));
            QVERIFY(value != -12345);
        }
        int value = 0;
        CU_FAILS(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(5000), 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3), CUDA_ERROR_INVALID_DEVICE);
        CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
        QCOMPARE(value, 8);
        char bus[32];
        CU(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
        CU(cuDeviceGetByPCIBusId(&d, bus));
        QCOMPARE(d, 0);
        CU_FAILS(cuDeviceGetByPCIBusId(&d, "0000:00:00.0"), CUDA_ERROR_INVALID_DEVICE);
    }

    void contexts() {
        CUcontext a = nullptr, b = nullptr, now = nullptr;
        {
            Session first;
            a = first.context;
            Session second;
            b = second.context;
            QVERIFY(a != b);
            CU(cuCtxGetCurrent(&now));
            QCOMPARE(now, b);
            CU(cuCtxPopCurrent(&now));
            CU(cuCtxGetCurrent(&now));
            QCOMPARE(now, a);
            CU(cuCtxPushCurrent(b));
            CUdevice d = -1;
            CU(cuCtxGetDevice(&d));
            QCOMPARE(d, 0);
            size_t limit = 0;
            CU(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
            CU(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
            QCOMPARE(limit, size_t{4096});
            CU_FAILS(cuCtxSetLimit(static_cast<CUlimit>(99), 1), CUDA_ERROR_INVALID_VALUE);
        }
        CU_FAILS(cuCtxPushCurrent(a), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuCtxDestroy(a), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuCtxPopCurrent(&now), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x1234)), CUDA_ERROR_INVALID_CONTEXT);
    }

    void primaryContexts() {
        CUcontext a = nullptr, b = nullptr;
        unsigned flags = 9;
        int active = 9;
        CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
        QCOMPARE(active, 0);
        CU(cuDevicePrimaryCtxRetain(&a, 0));
        CU(cuDevicePrimaryCtxRetain(&b, 0));
        QCOMPARE(a, b);
        CU(cuCtxSetCurrent(a));
        CUdeviceptr p = 0;
        CU(cuMemAlloc(&p, 100));
        CU(cuDevicePrimaryCtxRelease(0));
        CU(cuMemFree(p));
        CU_FAILS(cuCtxDestroy(a), CUDA_ERROR_INVALID_CONTEXT);
        CU(cuDevicePrimaryCtxRelease(0));
        CU_FAILS(cuMemAlloc(&p, 100), CUDA_ERROR_CONTEXT_IS_DESTROYED);
        CU_FAILS(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
        CU(cuCtxSetCurrent(nullptr));
    }

    void memory() {
        Session s;
        size_t free = 0, total = 0, after = 0;
        CU(cuMemGetInfo(&free, &total));
        CUdeviceptr p = 0, base = 0;
        CU(cuMemAlloc(&p, 1 << 20));
        CU(cuMemGetInfo(&after, &total));
        QCOMPARE(after, free - (1 << 20));
        size_t size = 0;
        CU(cuMemGetAddressRange(&base, &size, p + 1000));
        QCOMPARE(base, p);
        QCOMPARE(size, size_t{1} << 20);
        CU_FAILS(cuMemGetAddressRange(&base, &size, p + (1 << 20)), CUDA_ERROR_NOT_FOUND);
        CUdeviceptr other = 0;
        CU_FAILS(cuMemAlloc(&other, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemAlloc(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemAlloc(&other, size_t{2} << 30), CUDA_ERROR_OUT_OF_MEMORY);
        CU_FAILS(cuMemAlloc(&other, ~size_t{0}), CUDA_ERROR_OUT_OF_MEMORY);
        CU_FAILS(cuMemFree(p + 512), CUDA_ERROR_INVALID_VALUE);
        char host[16];
        CU_FAILS(cuMemcpyHtoD(p + (1 << 20) - 8, host, 16), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpyDtoH(nullptr, p, 16), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpyDtoH(host, reinterpret_cast<CUdeviceptr>(host), 16), CUDA_ERROR_INVALID_VALUE);
        CU(cuMemcpyDtoH(host, p, 0));
        CU(cuMemFree(p));
        CU_FAILS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
        CU(cuMemFree(0));
        CU_FAILS(cuMemcpyDtoH(host, p, 16), CUDA_ERROR_INVALID_VALUE);
    }

    void hostMemory() {
        Session s;
        void* p = nullptr;
        CU(cuMemHostAlloc(&p, 5000, CU_MEMHOSTALLOC_PORTABLE));
        std::memset(p, 1, 5000);
        unsigned flags = 0;
        CU(cuMemHostGetFlags(&flags, p));
        QVERIFY(flags & CU_MEMHOSTALLOC_PORTABLE);
        CUdeviceptr d = 0;
        CU(cuMemHostGetDevicePointer(&d, p, 0));
        unsigned type = 0;
        CU(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
        QCOMPARE(type, unsigned{CU_MEMORYTYPE_HOST});
        CU(cuMemFreeHost(p));
        CU_FAILS(cuMemFreeHost(p), CUDA_ERROR_INVALID_VALUE);
        static char mine[10000];
        CU(cuMemHostRegister(mine, sizeof mine, 0));
        CU_FAILS(cuMemHostRegister(mine + 10, 10, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        CU(cuMemHostGetDevicePointer(&d, mine + 5, 0));
        // Kernels reach it by an address of its own, which is the same memory.
        int same = 1;
        CU(cuDeviceGetAttribute(&same, CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 0));
        QCOMPARE(d == reinterpret_cast<CUdeviceptr>(mine + 5), same == 1);
        CU(cuMemsetD8(d, 77, 10));
        QVERIFY(mine[4] == 0 && mine[5] == 77 && mine[14] == 77 && mine[15] == 0);
        void* host = nullptr;
        CU(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, d));
        QCOMPARE(host, static_cast<void*>(mine + 5));
        CU(cuMemHostUnregister(mine));
        CU_FAILS(cuMemHostUnregister(mine), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
        CU_FAILS(cuMemHostGetDevicePointer(&d, mine, 0), CUDA_ERROR_INVALID_VALUE);
        CUdeviceptr managed = 0;
        CU(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
        *reinterpret_cast<int*>(managed) = 4;
        unsigned is = 0;
        CU(cuPointerGetAttribute(&is, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
        QCOMPARE(is, 1U);
        CU(cuMemFree(managed));
    }

    /// Variables of a module that the host may use as well, alone and among many others.
    void managedVariables() {
        for (const int others : {0, 400}) {
            std::string text = ".visible .global .attribute(.managed) .align 4 .b32 mine[3] = {5, 6, 7};\n"
                               ".visible .global .align 4 .b32 plain = 1;\n";
            for (int k = 0; k < others; ++k)
                text += ".visible .global .align 4 .b32 other" + std::to_string(k) + " = 3;\n";
            Session s;
            const CUfunction f = s.load(ptx(text + R"(.visible .entry adds() {
  .reg .b32 %r<3>; mov.u32 %r1, 10; atom.global.add.u32 %r2, [mine+4], %r1; ret; })"),
                                        "adds");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr mine = 0, plain = 0;
            std::size_t bytes = 0;
            CU(cuModuleGetGlobal(&mine, &bytes, s.module, "mine"));
            QCOMPARE(bytes, std::size_t{12});
            unsigned managed = 0;
            void* host = nullptr;
            CU(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, mine + 4));
            QCOMPARE(managed, 1U);
            CU(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, mine + 4));
            QCOMPARE(reinterpret_cast<CUdeviceptr>(host), mine + 4);
            unsigned type = 0, again = 0;
            void* found[] = {&again, &host, &type};
            CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                           CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
            CU(cuPointerGetAttributes(3, asked, found, mine));
            QCOMPARE(again, 1U);
            QCOMPARE(reinterpret_cast<CUdeviceptr>(host), mine);
            QCOMPARE(type, unsigned{CU_MEMORYTYPE_DEVICE});
            CU(s.launch(f, 1, 1, {}));
            CU(cuCtxSynchronize());
            const int* values = reinterpret_cast<const int*>(mine);
            QCOMPARE(values[0], 5);
            QCOMPARE(values[1], 16);
            CU(cuModuleGetGlobal(&plain, nullptr, s.module, "plain"));
            QCOMPARE(s.download<int>(plain, 1)[0], 1);
            CU(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, plain));
            QCOMPARE(managed, 0U);
            CU_FAILS(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, plain), CUDA_ERROR_INVALID_VALUE);
        }
    }

    void functions() {
        Session s;
        const CUfunction plain = s.load(ptx(kKernel), "plain");
        QVERIFY2(plain, last_error_text().c_str());
#if CUDA_VERSION >= 12040
        size_t offset = 99, size = 99;
        const std::pair<size_t, size_t> expected[] = {{0, 8}, {8, 1}, {16, 8}};
        for (size_t i = 0; i < 3; ++i) {
            CU(cuFuncGetParamInfo(plain, i, &offset, &size));
            QCOMPARE(std::make_pair(offset, size), expected[i]);
        }
        CU_FAILS(cuFuncGetParamInfo(plain, 3, &offset, &size), CUDA_ERROR_INVALID_VALUE);
#endif
        CUfunction f = nullptr;
        CU_FAILS(cuModuleGetFunction(&f, s.module, "nothing"), CUDA_ERROR_NOT_FOUND);
        CU_FAILS(cuModuleGetFunction(nullptr, s.module, "plain"), CUDA_ERROR_INVALID_VALUE);
        int value = 0;
        CU(cuModuleGetFunction(&f, s.module, "shares"));
        CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f));
        QCOMPARE(value, 4096);
        CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
        QCOMPARE(value, 49152 - 4096);
        CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, f));
        QCOMPARE(value, 80);
        CU_FAILS(s.launch(f, 1, 32, {}, 45057), CUDA_ERROR_INVALID_VALUE);
        CU(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
        CU(s.launch(f, 1, 32, {}, 100000));
        CU_FAILS(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200000),
                 CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 4), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(77), f), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, reinterpret_cast<CUfunction>(&s)),
                 CUDA_ERROR_INVALID_HANDLE);
        CU(cuCtxSynchronize());
        const CUmodule module = s.module;
        CU(cuModuleUnload(module));
        CU_FAILS(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(s.launch(f, 1, 32, {}), CUDA_ERROR_INVALID_HANDLE);
    }

    void impossibleLaunches() {
        Session s;
        const CUfunction plain = s.load(ptx(kKernel), "plain");
        CUdeviceptr p = 0;
        unsigned char small = 0;
        double wide = 0;
        void* arguments[] = {&p, &small, &wide};
        const auto launch = [&](unsigned gx, unsigned gy, unsigned bx, unsigned by, unsigned bz, unsigned shared) {
            return cuLaunchKernel(plain, gx, gy, 1, bx, by, bz, shared, nullptr, arguments, nullptr);
        };
        CU(launch(1, 1, 1024, 1, 1, 0));
        CU_FAILS(launch(1, 1, 2048, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(launch(1, 1, 64, 64, 1, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(launch(1, 1, 1, 1, 65, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(launch(0, 1, 32, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(launch(1, 1, 0, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(launch(1, 65536, 1, 1, 1, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(launch(1, 1, 32, 1, 1, 49153), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuLaunchKernel(plain, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuLaunchKernel(plain, 1, 1, 1, 1, 1, 1, 0, reinterpret_cast<CUstream>(&s), arguments, nullptr),
                 CUDA_ERROR_INVALID_HANDLE);
        CUfunction f = nullptr;
        CU(cuModuleGetFunction(&f, s.module, "bounded"));
        CU(s.launch(f, 1, 64, {}));
        CU_FAILS(s.launch(f, 1, 65, {}), CUDA_ERROR_INVALID_VALUE);
        CU(cuModuleGetFunction(&f, s.module, "fixed"));
        CU_FAILS(s.launch(f, 1, 64, {}), CUDA_ERROR_INVALID_VALUE);
        CU(cuLaunchKernel(f, 1, 1, 1, 32, 2, 1, 0, nullptr, nullptr, nullptr));
        CU(cuCtxSynchronize()); // none of that harmed the context
    }

    void occupancy() {
        Session s;
        CUfunction f = s.load(ptx(kKernel), "shares");
        int blocks = 0;
        // 2048 threads a multiprocessor, 32 blocks, 164 KiB of which each block takes its own and 1 KiB.
        for (const auto& [threads, dynamic, expected] :
             {std::tuple{1024, 0, 2}, std::tuple{256, 0, 8}, std::tuple{32, 0, 32}, std::tuple{64, 16384, 7},
              std::tuple{33, 0, 32}, std::tuple{1024, 160 * 1024, 0}}) {
            CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, static_cast<size_t>(dynamic)));
            QCOMPARE(blocks, expected);
        }
        int grid = 0, block = 0;
        CU(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 0));
        QCOMPARE(block, 1024);
        CU(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 300));
        QVERIFY(block <= 300 && block >= 32);
        size_t bytes = 0;
        CU(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 2, 1024));
        CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 1024, bytes));
        QCOMPARE(blocks, 2);
    }

    /// As nvcc makes them, with each of its ways to compress; and cut off or damaged.
    void fatBinaries_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"plain", "lz4", "zstd"})
            QTest::newRow(file) << file;
    }
    void fatBinaries() {
        QFETCH(QString, file);
        QFile in(QString(WARPLIGHT_SOURCE_DIR "/tests/software/runtime/images/%1.fatbin").arg(file));
        QVERIFY(in.open(QIODevice::ReadOnly));
        QByteArray image = in.readAll();
        Session session;
        CUfunction fill = nullptr;
        CU(cuModuleLoadData(&session.module, image.constData()));
        CU(cuModuleGetFunction(&fill, session.module, "fill"));
        const CUdeviceptr memory = Session::allocate(100 * sizeof(int));
        CUdeviceptr p = memory;
        int n = 100;
        CU(Session::launch(fill, 4, 32, {&p, &n}));
        const auto values = Session::download<int>(memory, 100);
        for (int i = 0; i < 100; ++i)
            QCOMPARE(values[static_cast<std::size_t>(i)], 3 * i + 1);
        if (file == "plain") return;
        // Bytes of the compressed text, one after the other.
        for (int at = 100; at < image.size() - 40; at += 7) {
            QByteArray damaged = image;
            damaged[at] = static_cast<char>(~damaged[at]);
            CUmodule module = nullptr;
            if (cuModuleLoadData(&module, damaged.constData()) == CUDA_SUCCESS) CU(cuModuleUnload(module));
        }
        image[16 + 40] = static_cast<char>(0x11); // said to be plain, which it is not
        image[16 + 41] = 0;
        CUmodule module = nullptr;
        QVERIFY(cuModuleLoadData(&module, image.constData()) != CUDA_SUCCESS);
    }

    void entryPointsByName() {
        void* function = nullptr;
#if CUDA_VERSION >= 12000
        CUdriverProcAddressQueryResult status{};
        const auto find = [&](const char* name, int version, cuuint64_t flags = 0) {
            return cuGetProcAddress(name, &function, version, flags, &status);
        };
        CU(find("cuMemAlloc", 13000));
        QVERIFY(function == exported("cuMemAlloc_v2"));
        CU(find("cuCtxCreate", 13000));
        void* const v4 = function;
        CU(find("cuCtxCreate", 11040));
        QVERIFY(function != v4);
        CU(find("cuCtxCreate", 2000));
        QVERIFY(function && function != v4);
        CU(find("cuCtxCreate", 1000));
        QVERIFY(!function);
        QCOMPARE(int(status), 2);
        CU(find("cuNothing", 13000));
        QVERIFY(!function);
        QCOMPARE(int(status), 1);
        QVERIFY(!function);
        CU(find("cuLaunchKernel", 13000, 2)); // for the per-thread default stream
        QVERIFY(function && function != exported("cuLaunchKernel"));
        CU_FAILS(find(nullptr, 13000), CUDA_ERROR_INVALID_VALUE);
#else
        CU(cuGetProcAddress("cuMemAlloc", &function, 11080, 0));
#endif
    }
};

QTEST_APPLESS_MAIN(ApiTest)
#include "test_api.moc"
