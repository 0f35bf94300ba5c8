// SPDX-License-Identifier: Apache-2.0
// A kernel that writes where there is no memory: in a program of its own, for on a GPU it ends the process's CUDA.
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/memory_pool.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QTemporaryFile>
#include <QtTest>

#include <unistd.h>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;

class InterfaceFaultTest : public QObject {
    Q_OBJECT
private slots:
    void illegal_address() {
        const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
        const Driver driver = Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
        // What clean-up reports and prints.
        std::vector<std::string> reports;
        set_cleanup_reporter([&](const Error& error) { reports.push_back(error.what()); });
        QTemporaryFile printed;
        QVERIFY(printed.open());
        const int standard_error = dup(STDERR_FILENO);
        {
            const Context context = Device(0, driver).make_context();
            const Module module = module_from_buffer(std::string_view(kKernels));
            const DeviceAllocation memory = mem_alloc(64);
            const Stream stream;
            const Event event;
            const NdArray locked = pagelocked_zeros({16}, DType::float32());
            DeviceMemoryPool pool;
            const PooledDeviceAllocation pooled = pool.allocate(64);
            const Graph graph;
            module.get_function("wild")({.grid = {1}, .block = {1}, .stream = &stream}, DevicePointer(0x40));
            try {
                stream.synchronize();
                QFAIL("no error");
            } catch (const LogicError& error) {
                QCOMPARE(error.code(), 700);
                QVERIFY(error.sticky());
                QVERIFY(!error.hint().empty());
                QVERIFY(error.entity().find("stream 1") != std::string::npos);
                if (driver.name() == "software") // names what a GPU cannot
                    QVERIFY2(error.detail().find("wild") != std::string::npos, error.what());
            }
            QVERIFY_THROWS_EXCEPTION(LogicError, context.synchronize()); // the context stays broken
            dup2(printed.handle(), STDERR_FILENO);
        }
        dup2(standard_error, STDERR_FILENO);
        close(standard_error);
        // Cleaning up afterwards neither throws nor ends the program, nor says again what was thrown.
        QCOMPARE(reports, std::vector<std::string>());
        QCOMPARE(printed.size(), qint64{0});
        set_cleanup_reporter({});
    }
};

QTEST_GUILESS_MAIN(InterfaceFaultTest)
#include "interface_fault_test.moc"
