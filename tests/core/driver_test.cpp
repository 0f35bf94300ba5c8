// SPDX-License-Identifier: Apache-2.0
// The driver table, errors, and what the interface does over drivers that lack functions or fail.
#include "warplight/callback.hpp"
#include "warplight/context.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/file_path.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"
#include "warplight/version.hpp"

#include <QLibrary>
#include <QtTest>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace warplight::driver;
using warplight::NdArray;

namespace {

// Section 21 of the device interface's inventory: every driver function that it is made of.
const char* const kInterfaceFunctions =
    "cuArray3DCreate cuArray3DGetDescriptor cuArrayCreate cuArrayDestroy cuArrayGetDescriptor cuCtxAttach "
    "cuCtxCreate cuCtxDetach cuCtxDisablePeerAccess cuCtxEnablePeerAccess cuCtxGetApiVersion "
    "cuCtxGetCacheConfig cuCtxGetDevice cuCtxGetLimit cuCtxGetSharedMemConfig cuCtxPopCurrent "
    "cuCtxPushCurrent cuCtxSetCacheConfig cuCtxSetLimit cuCtxSetSharedMemConfig cuCtxSynchronize "
    "cuDeviceCanAccessPeer cuDeviceComputeCapability cuDeviceGet cuDeviceGetAttribute cuDeviceGetByPCIBusId "
    "cuDeviceGetCount cuDeviceGetName cuDeviceGetPCIBusId cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRetain "
    "cuDeviceTotalMem cuDriverGetVersion cuEventCreate cuEventDestroy cuEventElapsedTime cuEventQuery "
    "cuEventRecord cuEventSynchronize cuFuncGetAttribute cuFuncSetAttribute cuFuncSetBlockShape "
    "cuFuncSetCacheConfig cuFuncSetSharedMemConfig cuFuncSetSharedSize cuGLCtxCreate cuGLInit "
    "cuGLMapBufferObject cuGLRegisterBufferObject cuGLUnmapBufferObject cuGLUnregisterBufferObject "
    "cuGetErrorString cuGraphicsGLRegisterBuffer cuGraphicsGLRegisterImage cuGraphicsMapResources "
    "cuGraphicsResourceGetMappedPointer cuGraphicsSubResourceGetMappedArray cuGraphicsUnmapResources "
    "cuGraphicsUnregisterResource cuInit cuIpcCloseMemHandle cuIpcGetEventHandle cuIpcGetMemHandle "
    "cuIpcOpenEventHandle cuIpcOpenMemHandle cuLaunch cuLaunchGrid cuLaunchGridAsync cuLaunchKernel "
    "cuLinkAddData cuLinkAddFile cuLinkComplete cuLinkCreate cuLinkDestroy cuMemAlloc cuMemAllocHost "
    "cuMemAllocManaged cuMemAllocPitch cuMemFree cuMemFreeHost cuMemGetAddressRange cuMemGetInfo "
    "cuMemHostAlloc cuMemHostGetDevicePointer cuMemHostGetFlags cuMemHostRegister cuMemHostUnregister "
    "cuMemcpy2D cuMemcpy2DAsync cuMemcpy2DUnaligned cuMemcpy3D cuMemcpy3DAsync cuMemcpy3DPeer "
    "cuMemcpy3DPeerAsync cuMemcpyAtoA cuMemcpyAtoD cuMemcpyAtoH cuMemcpyDtoA cuMemcpyDtoD cuMemcpyDtoDAsync "
    "cuMemcpyDtoH cuMemcpyDtoHAsync cuMemcpyHtoA cuMemcpyHtoD cuMemcpyHtoDAsync cuMemcpyPeer "
    "cuMemcpyPeerAsync cuMemsetD16 cuMemsetD16Async cuMemsetD2D16 cuMemsetD2D16Async cuMemsetD2D32 "
    "cuMemsetD2D32Async cuMemsetD2D8 cuMemsetD2D8Async cuMemsetD32 cuMemsetD32Async cuMemsetD8 "
    "cuMemsetD8Async cuModuleGetFunction cuModuleGetGlobal cuModuleGetSurfRef cuModuleGetTexRef cuModuleLoad "
    "cuModuleLoadData cuModuleLoadDataEx cuModuleUnload cuParamSetSize cuParamSetTexRef cuParamSetf "
    "cuParamSeti cuParamSetv cuProfilerInitialize cuProfilerStart cuProfilerStop cuStreamAttachMemAsync "
    "cuStreamCreate cuStreamDestroy cuStreamQuery cuStreamSynchronize cuStreamWaitEvent cuSurfRefGetArray "
    "cuSurfRefSetArray cuTexRefCreate cuTexRefDestroy cuTexRefGetAddress cuTexRefGetAddressMode "
    "cuTexRefGetArray cuTexRefGetFilterMode cuTexRefGetFlags cuTexRefGetFormat cuTexRefSetAddress "
    "cuTexRefSetAddress2D cuTexRefSetAddressMode cuTexRefSetArray cuTexRefSetFilterMode cuTexRefSetFlags "
    "cuTexRefSetFormat";

/// What a call threw: its class's name, with the error's parts in `error`.
template <class Call>
std::string thrown(const Call& call, ErrorInfo* info = nullptr) {
    const auto keep = [&](const Error& error) {
        if (info) *info = error.info();
    };
    try {
        call();
    } catch (const MemoryError& error) {
        keep(error);
        return "MemoryError";
    } catch (const LaunchError& error) {
        keep(error);
        return "LaunchError";
    } catch (const FileError& error) {
        keep(error);
        return "FileError";
    } catch (const RuntimeError& error) {
        keep(error);
        return "RuntimeError";
    } catch (const LogicError& error) {
        keep(error);
        return "LogicError";
    } catch (const Error& error) {
        keep(error);
        return "Error";
    }
    return "nothing";
}

/// The fake driver's controls.
struct Fake {
    explicit Fake(const char* path) : library(QString::fromUtf8(path)), driver(Driver::open(path)) {
        if (!library.load()) qFatal("%s", qPrintable(library.errorString()));
        at<void()>("fake_reset")();
    }
    template <class Signature>
    Signature* at(const char* name) {
        return reinterpret_cast<Signature*>(library.resolve(name));
    }
    std::string calls() { return at<const char*()>("fake_calls")(); }
    void fail(const char* function, int code) { at<void(const char*, int)>("fake_fail")(function, code); }
    void report(const char* text) { at<void(const char*)>("fake_report")(text); }
    void reset() { at<void()>("fake_reset")(); }
    int depth() { return at<int()>("fake_stack_depth")(); }
    QLibrary library;
    Driver driver;
};

/// Collects what the clean-up reporter is told.
struct Reports {
    Reports() {
        previous = set_cleanup_reporter([this](const Error& error) { texts.push_back(error.what()); });
    }
    ~Reports() { set_cleanup_reporter(previous); }
    std::vector<std::string> texts;
    Reporter previous;
};

} // namespace

class DriverTest : public QObject {
    Q_OBJECT
private slots:
    void callbacks_hold_what_can_be_called() {
        using warplight::Callback;
        int calls = 0;
        const Callback<int(int)> counts = [&calls](int more) { return calls += more; };
        const Callback<int(int)> copy = counts;
        QCOMPARE(counts(2), 2);
        QCOMPARE(copy(3), 5);
        auto owned = std::make_unique<int>(7); // what cannot be copied can be held, too
        const Callback<int()> owner = [number = std::move(owned)] { return ++*number; };
        const Callback<int()> shares = owner;
        QCOMPARE(owner(), 8);
        QCOMPARE(shares(), 9);
        // Empty stays empty, whatever it was before.
        QVERIFY(!Callback<void()>());
        QVERIFY(!Callback<void()>(nullptr));
        QVERIFY(!Callback<void()>(std::function<void()>()));
        QVERIFY(!Callback<void()>(static_cast<void (*)()>(nullptr)));
        QVERIFY(Callback<void()>(std::function<void()>([] {})));
        QVERIFY_THROWS_EXCEPTION(LogicError, Callback<void()>()());
    }

    void shared_owners_are_shared_pointers() {
        using warplight::Shared;
        struct Base {
            virtual ~Base() = default;
        };
        struct Owner : Base {
            explicit Owner(int& alive) : alive(alive) { ++alive; }
            ~Owner() override { --alive; }
            int& alive;
        };
        int alive = 0;
        {
            auto pointer = std::make_shared<Owner>(alive);
            const std::weak_ptr<Owner> watched = pointer;
            Shared<Base> base = pointer; // a std::shared_ptr of what derives from it
            Shared<Owner> same = pointer;
            pointer.reset();
            QCOMPARE(alive, 1);
            const Shared<Owner> copy = same;
            same.reset();
            QVERIFY(!same && same == nullptr && copy && copy == Shared<Owner>(watched.lock()));
            // Back: the same count where it was made of such a pointer, one that keeps it where it was not.
            std::shared_ptr<Owner> back = copy;
            QVERIFY(back.get() == copy.get());
            QVERIFY(back.use_count() > 1);
            Shared<const void> keeper = copy;
            std::shared_ptr<const void> kept = keeper;
            base = Shared<Owner>();
            back.reset();
            keeper.reset();
            QCOMPARE(alive, 1);
            QVERIFY(kept.get() == copy.get());
        }
        QCOMPARE(alive, 0);
        auto made = Shared<Base>::make<Owner>(alive);
        std::shared_ptr<Base> of_made = made;
        made = nullptr;
        QCOMPARE(alive, 1);
        of_made.reset();
        QCOMPARE(alive, 0);
        QVERIFY(!Shared<Owner>(std::shared_ptr<Owner>()));
        QVERIFY(std::shared_ptr<Owner>(Shared<Owner>()) == nullptr);
        // Threads have copies of their own.
        const Shared<Owner> common = std::make_shared<Owner>(alive);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([copy = common] {
                for (int i = 0; i < 10000; ++i) {
                    const Shared<Owner> another = copy;
                    Shared<Base> wider = another;
                    wider = Shared<Base>(another);
                }
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(alive, 1);
    }

    void file_paths_are_paths() {
        using warplight::FilePath;
        const std::filesystem::path path = std::filesystem::path("a folder") / "x.npy";
        const FilePath from_path = path;
        const std::filesystem::path back = from_path;
        QCOMPARE(back, path);
        QCOMPARE(from_path.string(), path.string());
        QVERIFY(FilePath("a") == FilePath(std::string("a")));
        QVERIFY(!(FilePath("a") == FilePath("b")));
        QVERIFY(FilePath().empty() && !from_path.empty());
        QVERIFY(std::filesystem::path(FilePath("x")) == "x");
    }

    void table_has_every_function_of_the_interface() {
        std::set<std::string> known;
        for (const std::string& name : Driver::entry_point_names()) {
            QVERIFY2(known.insert(name).second, name.c_str()); // each once
        }
        const QStringList wanted = QString(kInterfaceFunctions).split(' ');
        QCOMPARE(wanted.size(), 158);
        for (const QString& name : wanted)
            QVERIFY2(known.count(name.toStdString()), qPrintable(name));
        for (const char* name :
             {"cuGetProcAddress", "cuCtxGetCurrent", "cuCtxSetCurrent", "cuCtxDestroy", "cuGetErrorName",
              "cuFuncGetParamInfo", "cuLaunchKernelEx", "cuLaunchCooperativeKernel", "cuLaunchHostFunc",
              "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuMemAllocAsync", "cuDeviceGetUuid",
              "cuStreamCreateWithPriority", "cuPointerGetAttribute", "cuModuleEnumerateFunctions", "cuCtxCreate_v3",
              "cuCtxCreate_v4", "cuEventElapsedTime_v2", "cuMemAdvise_v2"})
            QVERIFY2(known.count(name), name);
    }

    void missing_library_is_an_error_when_used() {
        const Driver driver = Driver::open("/nonexistent/libdriver.so");
        QVERIFY(!driver.available());
        QVERIFY(!driver.unavailable_because().empty());
        ErrorInfo info;
        QCOMPARE(thrown([&] { driver.init(); }, &info), "RuntimeError");
        QVERIFY(info.entity.find("/nonexistent/libdriver.so") != std::string::npos);
        QCOMPARE(thrown([&] { driver.version(); }), "RuntimeError");
        QCOMPARE(thrown([&] { Device(0, driver); }), "RuntimeError");
        QCOMPARE(thrown([&] { Device::count(driver); }), "RuntimeError");
        QCOMPARE(driver.missing_entry_points(true).size(), Driver::entry_point_names().size());
    }

    void broken_library_says_so() {
        const Driver driver = Driver::open(WARPLIGHT_SOURCE_DIR "/LICENSE");
        QVERIFY(!driver.available());
        QCOMPARE(thrown([&] { driver.init(); }), "RuntimeError");
    }

    void missing_function_is_an_error_when_used() {
        Fake fake(FAKE_DRIVER);
        QVERIFY(fake.driver.available());
        QVERIFY(fake.driver.has_entry_point("cuMemAlloc"));
        QVERIFY(!fake.driver.has_entry_point("cuEventCreate"));
        QVERIFY(fake.driver.missing_entry_points().size() > 50);
        const Context context = Device(0, fake.driver).make_context();
        ErrorInfo info;
        QCOMPARE(thrown([] { Event(); }, &info), "LogicError");
        QCOMPARE(info.routine, "cuEventCreate");
        QCOMPARE(info.code, 500);
        // One that is newer than the driver: say which version it takes.
        QCOMPARE(thrown([] { Stream(0, -1); }, &info), "LogicError");
        QCOMPARE(info.routine, "cuCtxGetStreamPriorityRange");
        Context::pop();
    }

    void get_proc_address_is_asked_first_with_versions() {
        QLibrary library(FAKE_DRIVER_PROC);
        QVERIFY2(library.load(), qPrintable(library.errorString()));
        const Driver driver = Driver::open(FAKE_DRIVER_PROC); // of 11.8
        const std::string calls = reinterpret_cast<const char* (*)()>(library.resolve("fake_calls"))();
        QVERIFY(calls.find("cuMemAdvise@8000;") != std::string::npos);
        // Asked for the form of 12.2 it would give its own, which takes a number for a place.
        QVERIFY(calls.find("cuMemAdvise@12020;") == std::string::npos);
        const Fake fake(FAKE_DRIVER_PROC);
        QVERIFY(fake.driver.has_entry_point("cuEventQuery")); // not exported: only cuGetProcAddress gives it
        QVERIFY(fake.driver.has_entry_point("cuMemAlloc"));   // cuGetProcAddress does not know it: the symbol does
    }

    void explicit_versions_of_functions_that_changed() {
        QLibrary library(FAKE_DRIVER_PROC_2);
        QVERIFY2(library.load(), qPrintable(library.errorString()));
        reinterpret_cast<void (*)(int)>(library.resolve("fake_version"))(13000);
        const Driver driver = Driver::open(FAKE_DRIVER_PROC_2);
        const std::string calls = reinterpret_cast<const char* (*)()>(library.resolve("fake_calls"))();
        for (const char* wanted :
             {"cuCtxGetDevice@2000;", "cuCtxSynchronize@2000;", "cuCtxCreate@3020;", "cuCtxCreate@11040;",
              "cuCtxCreate@12050;", "cuEventElapsedTime@2000;", "cuEventElapsedTime@12080;", "cuMemAdvise@8000;",
              "cuMemAdvise@12020;", "cuMemPrefetchAsync@8000;", "cuMemPrefetchAsync@12020;", "cuMemAlloc@3020;"})
            QVERIFY2(calls.find(wanted) != std::string::npos, wanted);
        QVERIFY(calls.find("cuCtxGetDevice@13000") == std::string::npos);
    }

    void failed_initialisation_is_an_error_each_time() {
        Fake fake(FAKE_DRIVER_PROC);
        fake.fail("cuInit", 999);
        fake.report("why");
        QCOMPARE(thrown([&] { fake.driver.init(); }), "Error");
        fake.fail("cuInit", 100);
        QCOMPARE(thrown([&] { fake.driver.init(); }), "RuntimeError");
        QCOMPARE(Device::count(fake.driver), 0); // no device is no error here
        fake.fail("cuInit", 0);
        QCOMPARE(Device::count(fake.driver), 1);
    }

    void every_code_has_its_class_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("expected");
        const std::map<int, const char*> special = {{2, "MemoryError"},    {100, "RuntimeError"}, {209, "RuntimeError"},
                                                    {214, "RuntimeError"}, {301, "RuntimeError"}, {600, "RuntimeError"},
                                                    {701, "LaunchError"},  {702, "LaunchError"},  {703, "LaunchError"},
                                                    {719, "LaunchError"},  {999, "Error"}};
        for (int code = 1; code < 1100; ++code) {
            const auto found = special.find(code);
            QTest::addRow("%d", code) << code << (found == special.end() ? "LogicError" : found->second);
        }
    }
    // covers: enum CUresult.*, Error, MemoryError, LogicError, LaunchError, RuntimeError
    void every_code_has_its_class() {
        QFETCH(int, code);
        QFETCH(QString, expected);
        ErrorInfo info;
        QCOMPARE(thrown([&] { throw_error({.code = code, .text = "text"}); }, &info), expected.toStdString());
        QCOMPARE(info.code, code);
        QVERIFY(info.code_name.starts_with("CUDA_ERROR_"));
    }

    void names_and_hints() {
        QCOMPARE(error_name(700), "CUDA_ERROR_ILLEGAL_ADDRESS");
        QCOMPARE(error_name(916), "CUDA_ERROR_KEY_ROTATION");
        QCOMPARE(error_name(4711), "CUDA_ERROR_4711");
        QVERIFY(!error_hint(700).empty());
        QVERIFY(error_hint(0).empty());
        // A hint belongs to a code that exists.
        for (int code = 1; code < 1100; ++code)
            if (!error_hint(code).empty()) QVERIFY(error_name(code) != "CUDA_ERROR_" + std::to_string(code));
        QVERIFY(error_class(0) == ErrorClass::none);
    }

    // covers: CompileError, CompileError.msg, CompileError.command_line, CompileError.stdout, CompileError.stderr
    void message_has_all_parts() {
        const Error error({.routine = "cuMemAlloc",
                           .code = 2,
                           .code_name = "CUDA_ERROR_OUT_OF_MEMORY",
                           .text = "out of memory",
                           .entity = "context 1 on device 0",
                           .detail = "detail",
                           .hint = "Free some"});
        QCOMPARE(std::string(error.what()), "cuMemAlloc failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2) - detail "
                                            "[context 1 on device 0]. Free some.");
        QVERIFY(!error.sticky());
        QVERIFY(Error({.code = 700}).sticky());
        const CompileError compile("it does not compile", "nvcc x.cu", "out", "err");
        QVERIFY(std::string(compile.what()).find("nvcc x.cu") != std::string::npos);
        QCOMPARE(compile.stderr_text(), "err");
        QCOMPARE(compile.stdout_text(), "out");
        QCOMPARE(compile.msg(), "it does not compile");
        QCOMPARE(compile.command_line(), "nvcc x.cu");
        for (const char* part : {"[command: nvcc x.cu]", "[stdout:\nout]", "[stderr:\nerr]"})
            QVERIFY2(std::string(compile.what()).find(part) != std::string::npos, compile.what());
    }

    void failures_carry_what_is_known() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        fake.fail("cuMemAlloc", 2);
        fake.report("largest free block: 12 bytes");
        ErrorInfo info;
        QCOMPARE(thrown([] { mem_alloc(1000); }, &info), "MemoryError");
        QCOMPARE(info.routine, "cuMemAlloc");
        QCOMPARE(info.code_name, "CUDA_ERROR_OUT_OF_MEMORY");
        QCOMPARE(info.text, "out of memory");
        QCOMPARE(info.detail, "largest free block: 12 bytes");
        QVERIFY(info.entity.find("1000 bytes") != std::string::npos);
        QVERIFY(info.entity.find("on device 0") != std::string::npos);
        QVERIFY(!info.hint.empty());
        fake.fail("cuMemAlloc", 12345); // a code that the driver has no text for
        QCOMPARE(thrown([] { mem_alloc(1000); }, &info), "LogicError");
        QVERIFY(!info.text.empty());
        QCOMPARE(info.detail, ""); // the report is still that of the failure before
        fake.report("a new one");
        QCOMPARE(thrown([] { mem_alloc(1000); }, &info), "LogicError");
        QCOMPARE(info.detail, "a new one");
        Context::pop();
    }

    void unknown_attributes_are_left_out() {
        Fake fake(FAKE_DRIVER);
        const Device device(0, fake.driver);
        QCOMPARE(device.warp_size(), 1010);
        const auto attributes = device.get_attributes();
        const auto knows = [&](device_attribute wanted) {
            return std::any_of(attributes.begin(), attributes.end(),
                               [&](const auto& each) { return each.first == wanted; });
        };
        QVERIFY(knows(device_attribute::WARP_SIZE));
        QVERIFY(!knows(device_attribute::MEMORY_POOLS_SUPPORTED));
        QVERIFY(!device.find_attribute(device_attribute::MEMORY_POOLS_SUPPORTED));
        QCOMPARE(thrown([&] { device.get_attribute(device_attribute::MEMORY_POOLS_SUPPORTED); }), "LogicError");
        QCOMPARE(thrown([&] { Device(7, fake.driver); }), "LogicError");
    }

    // covers: Stream.__del__, DeviceAllocation
    void resources_end_in_order_and_once() {
        Fake fake(FAKE_DRIVER);
        Reports reports;
        {
            std::optional<Function> function;
            std::optional<DeviceAllocation> memory;
            {
                const Context context = Device(0, fake.driver).make_context();
                const Stream stream;
                memory = mem_alloc(16);
                Module module = module_from_buffer(std::string_view("anything"));
                QCOMPARE(module.info_log(), "2 registers");
                function = module.get_function("f");
                fake.reset();
            }
            // The context object, the stream and the module object are gone; what depends on the context is not.
            QCOMPARE(fake.calls(), "cuStreamDestroy;");
            fake.reset();
            function.reset();
            QCOMPARE(fake.calls(), "cuModuleUnload;");
            QVERIFY(Context::get_current()); // the memory keeps its context
        }
        QCOMPARE(fake.calls(), "cuModuleUnload;cuMemFree;cuCtxDestroy;");
        QVERIFY(!Context::get_current());
        QCOMPARE(fake.depth(), 0);
        QVERIFY(reports.texts.empty());
    }

    void freeing_twice_is_an_error() {
        Fake fake(FAKE_DRIVER);
        Context context = Device(0, fake.driver).make_context();
        DeviceAllocation memory = mem_alloc(16);
        const DevicePointer pointer = memory;
        memory.free();
        QCOMPARE(thrown([&] { memory.free(); }), "LogicError");
        QCOMPARE(thrown([&] { memcpy_htod(memory, std::vector<char>(4)); }), "LogicError");
        QCOMPARE(thrown([&] { memcpy_htod(pointer, std::vector<char>(4)); }), "LogicError");
        DeviceAllocation other = mem_alloc(16);
        QCOMPARE(thrown([&] { memcpy_htod(other, std::vector<char>(17)); }), "LogicError");
        QCOMPARE(thrown([&] { memcpy_htod(other + 8, std::vector<char>(9)); }), "LogicError");
        QCOMPARE(thrown([&] { memcpy_htod(other + 8, std::vector<char>(8)); }), "nothing");
        context.detach();
        QCOMPARE(thrown([&] { context.detach(); }), "LogicError");
        QCOMPARE(thrown([&] { context.synchronize(); }), "LogicError");
        QCOMPARE(thrown([&] { other.free(); }), "nothing"); // its context has freed it
        QCOMPARE(thrown([&] { Context::pop(); }), "LogicError");
        QCOMPARE(thrown([] { mem_alloc(1); }), "LogicError"); // no context
    }

    void failed_clean_up_goes_to_the_reporter() {
        Fake fake(FAKE_DRIVER);
        Reports reports;
        {
            const Context context = Device(0, fake.driver).make_context();
            const DeviceAllocation memory = mem_alloc(16);
            const Stream stream;
            fake.fail("cuMemFree", 1);
            fake.fail("cuStreamDestroy", 400);
        }
        QCOMPARE(reports.texts.size(), std::size_t{2});
        QVERIFY(reports.texts[0].find("cuStreamDestroy") != std::string::npos);
        QVERIFY(reports.texts[1].find("16 bytes") != std::string::npos);
        reports.texts.clear();
        {
            const Context context = Device(0, fake.driver).make_context();
            const DeviceAllocation one = mem_alloc(16), two = mem_alloc(16);
            fake.fail("cuMemFree", 700); // sticky: said once
            fake.fail("cuCtxDestroy", 700);
        }
        QCOMPARE(reports.texts.size(), std::size_t{1});
        reports.texts.clear();
        {
            const Context context = Device(0, fake.driver).make_context();
            const DeviceAllocation one = mem_alloc(16), two = mem_alloc(16);
            fake.fail("cuCtxSynchronize", 700); // sticky, and thrown: never said again
            QCOMPARE(thrown([&] { context.synchronize(); }), "LogicError");
            fake.fail("cuMemFree", 700);
        }
        QCOMPARE(reports.texts.size(), std::size_t{0});
        fake.reset();
        while (fake.depth()) { // the failed context
            void* context = nullptr;
            fake.at<int(void**)>("cuCtxPopCurrent_v2")(&context);
        }
    }

    // covers: Context.push()
    void context_stack_of_each_thread() {
        Fake fake(FAKE_DRIVER);
        const Device device(0, fake.driver);
        Context one = device.make_context();
        Context two = device.make_context();
        QVERIFY(Context::get_current() == two);
        one.push();
        QVERIFY(Context::get_current() == one);
        Context::pop();
        QVERIFY(Context::get_current() == two);
        Context::pop();
        QVERIFY(Context::get_current() == one);
        // In another thread there is none; what it makes current stays there, and it may end a context of ours.
        std::thread([&] {
            QVERIFY(!Context::get_current());
            two.push();
            QVERIFY(Context::get_current() == two);
            one.detach();
        }).join();
        QVERIFY(!Context::get_current());
        QCOMPARE(thrown([&] { one.push(); }), "LogicError");
        two.push();
        {
            const ContextScope scope(two);
            two.detach();
        }
        QVERIFY(!Context::get_current());
    }

    void failed_creation_leaves_the_stack_alone() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        fake.fail("cuCtxCreate", 2);
        QCOMPARE(thrown([&] { (void)Device(0, fake.driver).make_context(); }), "MemoryError");
        QVERIFY(Context::get_current() == context);
        QCOMPARE(fake.depth(), 1);
    }

    void module_load_log_is_in_the_error() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        fake.fail("cuModuleLoadDataEx", 218);
        ErrorInfo info;
        bool told = false;
        QCOMPARE(thrown(
                     [&] {
                         module_from_buffer(std::string_view("x"), {},
                                            [&](bool ok, const std::string&, const std::string& log) {
                                                told = !ok && log == "line 3: no such thing";
                                            });
                     },
                     &info),
                 "LogicError");
        QVERIFY(told);
        QCOMPARE(info.code_name, "CUDA_ERROR_INVALID_PTX");
        QVERIFY(info.detail.find("line 3: no such thing") != std::string::npos);
    }

    void arguments_are_checked_against_the_ptx() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        const Module module = module_from_buffer(std::string_view(R"(
.version 8.0
.target sm_80
.address_size 64
// .entry not_this_one(
.visible .entry k(
    .param .u32 k_param_0, /* n */
    .param .f32 k_param_1,
    .param .u64 .ptr .global .align 4 k_param_2,
    .param .align 8 .b8 k_param_3[12]
) .maxntid 128 { ret; }
.visible .entry none() { ret; }
)"));
        const Function kernel = module.get_function("k");
        const auto parameters = kernel.parameters();
        QVERIFY(parameters.has_value());
        QCOMPARE(parameters->size(), std::size_t{4});
        QCOMPARE((*parameters)[2].offset, std::size_t{8});
        QCOMPARE((*parameters)[3].offset, std::size_t{16});
        QCOMPARE((*parameters)[3].size, std::size_t{12});
        for (const ParameterInfo& parameter : *parameters)
            QCOMPARE(parameter.name, std::string()); // "k_param_0" is the compiler's
        QCOMPARE((*parameters)[2].declared, std::string(".u64"));
        QCOMPARE((*parameters)[3].declared, std::string(".b8[12]"));
        struct Triple {
            int a, b, c;
        };
        const LaunchConfig config{.grid = {1}, .block = {32}};
        const DeviceAllocation memory = mem_alloc(64);
        ErrorInfo info;
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, 3.0, Triple{1, 2, 3}); }, &info), "LogicError");
        QVERIFY2(info.text.starts_with("parameter 3 (of type .u64) of kernel k is "), info.text.c_str());
        kernel.set_parameter_names({"n", "factor", "data", "triple"});
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, memory, Triple{1, 2, 3}); }), "nothing");
        QCOMPARE(thrown([&] { kernel(config, 1u, 2.0f, memory, Triple{1, 2, 3}); }), "nothing");
        fake.reset();
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0, memory, Triple{1, 2, 3}); }, &info), "LogicError");
        QVERIFY2(info.text.find("'factor'") != std::string::npos, info.text.c_str());
        QVERIFY2(info.text.find("float64") != std::string::npos, info.text.c_str());
        QCOMPARE(thrown([&] { kernel(config, 1, 2, memory, Triple{1, 2, 3}); }, &info), "LogicError");
        QCOMPARE(thrown([&] { kernel(config, 1.0f, 2.0f, memory, Triple{1, 2, 3}); }, &info), "LogicError");
        QVERIFY2(info.text.find("'n'") != std::string::npos, info.text.c_str());
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, 3, Triple{1, 2, 3}); }, &info), "LogicError");
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, 3.0, Triple{1, 2, 3}); }, &info), "LogicError");
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, memory, 1); }, &info), "LogicError");
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, memory); }, &info), "LogicError");
        QVERIFY2(info.text.find("'triple'") != std::string::npos, info.text.c_str());
        QCOMPARE(thrown([&] { kernel(config, 1, 2.0f, memory, Triple{1, 2, 3}, 5); }, &info), "LogicError");
        QCOMPARE(thrown([&] { kernel({.grid = {1}}, 1, 2.0f, memory, Triple{1, 2, 3}); }), "LogicError");
        QCOMPARE(thrown([&] { kernel({.grid = {0}, .block = {1}}, 1, 2.0f, memory, Triple{1, 2, 3}); }), "LogicError");
        QCOMPARE(fake.calls(), ""); // all of these before the driver was asked
        QCOMPARE(thrown([&] { module.get_function("none")(config); }), "nothing");
        QCOMPARE(thrown([&] { module.get_function("missing"); }, &info), "LogicError");
        QVERIFY2(info.detail.find("k, none") != std::string::npos, info.detail.c_str());
    }

    void refused_launch_says_what_is_too_large() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        const Module module = module_from_buffer(std::string_view("anything"));
        const Function kernel = module.get_function("k");
        fake.fail("cuLaunchKernel", 1);
        ErrorInfo info;
        QCOMPARE(thrown([&] { kernel({.grid = {1}, .block = {2048}}); }, &info), "LogicError");
        QVERIFY2(info.detail.find("2048 threads, the kernel allows 512") != std::string::npos, info.detail.c_str());
        QVERIFY2(info.entity.find("2048x1x1") != std::string::npos, info.entity.c_str());
    }

    void arguments_of_unknown_layout_are_packed() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        const Module module = module_from_buffer(std::string_view("anything"));
        const Function kernel = module.get_function("k");
        kernel({.grid = {1}, .block = {1}}, std::uint8_t{1}, std::uint16_t{0x0302}, 1.0, true,
               DevicePointer(0x1122334455667788));
        unsigned char bytes[64];
        const std::size_t size =
            fake.at<std::size_t(unsigned char*, std::size_t)>("fake_launched")(bytes, sizeof bytes);
        QCOMPARE(QByteArray(reinterpret_cast<char*>(bytes), static_cast<int>(size)).toHex(),
                 QByteArray("0100"
                            "0203"
                            "00000000"
                            "000000000000f03f"
                            "01"
                            "00000000000000"
                            "8877665544332211"));
    }

    void prepared_calls_convert() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        const Module module = module_from_buffer(std::string_view("anything"));
        const Function kernel = module.get_function("k");
        QCOMPARE(thrown([&] { kernel.prepared_call({1}, {1}); }), "LogicError");
        QCOMPARE(thrown([&] { kernel.prepare("Px"); }), "LogicError");
        QCOMPARE(thrown([&] { kernel.prepare("3P"); }), "LogicError");
        kernel.prepare("ifH3s");
        const std::array<unsigned char, 3> three = {7, 8, 9};
        module.get_function("k").prepared_call({1}, {1}, 5LL, 2, 3, three); // the kernel is prepared, not the handle
        unsigned char bytes[64];
        const std::size_t size =
            fake.at<std::size_t(unsigned char*, std::size_t)>("fake_launched")(bytes, sizeof bytes);
        QCOMPARE(QByteArray(reinterpret_cast<char*>(bytes), static_cast<int>(size)).toHex(), QByteArray("05000000"
                                                                                                        "00000040"
                                                                                                        "0300"
                                                                                                        "070809"));
        QCOMPARE(thrown([&] { kernel.prepared_call({1}, {1}, 5, 2, 70000, three); }), "LogicError"); // no uint16
        QCOMPARE(thrown([&] { kernel.prepared_call({1}, {1}, 1.5, 2, 3, three); }), "LogicError");
        QCOMPARE(thrown([&] { kernel.prepared_call({1}, {1}, 5, 2, 3); }), "LogicError");
        QCOMPARE(thrown([&] { kernel.prepared_call({1}, {1}, DevicePointer(8), 2, 3, three); }), "LogicError");
    }

    void handlers_copy_around_the_call() {
        Fake fake(FAKE_DRIVER);
        const Context context = Device(0, fake.driver).make_context();
        const Module module = module_from_buffer(std::string_view("anything"));
        const Function kernel = module.get_function("k");
        const NdArray x = NdArray::from({1.0f, 2.0f}), y = NdArray::from({3.0f, 4.0f}), z = NdArray::from({5.0f, 6.0f});
        fake.reset();
        kernel({.grid = {1}, .block = {1}}, In(x), Out(y), InOut(z));
        QCOMPARE(QString::fromStdString(fake.calls()).count("cuMemAlloc;"), 3);
        QCOMPARE(QString::fromStdString(fake.calls()).count("cuMemcpyHtoD;"), 2);
        QCOMPARE(QString::fromStdString(fake.calls()).count("cuMemcpyDtoH;"), 2);
        QVERIFY(fake.calls().rfind("cuMemcpyHtoD") < fake.calls().find("cuLaunchKernel"));
        QVERIFY(fake.calls().find("cuMemcpyDtoH") > fake.calls().find("cuLaunchKernel"));
        QCOMPARE(z.at<float>(1), 6.0f);
        QCOMPARE(thrown([&] { kernel({.grid = {1}, .block = {1}}, Out(x.as_readonly())); }), "LogicError");
        QCOMPARE(thrown([&] { kernel({.grid = {1}, .block = {1}}, In(x.slice(0, 0, 1, 2))); }), "nothing");
        QCOMPARE(
            thrown([&] { kernel({.grid = {1}, .block = {1}}, In(NdArray::zeros({4}, x.dtype()).slice(0, 0, 2, 2))); }),
            "LogicError");
    }

    void attribute_names() {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning) +1
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number)
        constexpr std::size_t count = 0
#include "warplight/device_attributes.def"
            ;
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
        QCOMPARE(all_device_attributes().size(), count); // aliases are left out
        QCOMPARE(to_string(device_attribute::WARP_SIZE), "WARP_SIZE");
        QVERIFY(device_attribute_from_name("warp_size") == device_attribute::WARP_SIZE);
        QVERIFY(device_attribute_from_name("SHARED_MEMORY_PER_BLOCK") == device_attribute::MAX_SHARED_MEMORY_PER_BLOCK);
        QVERIFY(!device_attribute_from_name("NO_SUCH"));
        for (const auto attribute : all_device_attributes())
            QVERIFY(device_attribute_from_name(to_string(attribute)) == attribute);
    }

    void versions() {
        QVERIFY(get_version()[0] >= 11);
        QVERIFY(!warplight::version().empty());
        QCOMPARE(get_driver_version(Driver::open(FAKE_DRIVER)), 11080);
    }
};

QTEST_GUILESS_MAIN(DriverTest)
#include "driver_test.moc"
