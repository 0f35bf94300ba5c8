// SPDX-License-Identifier: Apache-2.0
// A kernel that writes where there is no memory: in a program of its own, for on a GPU it ends the process's CUDA.
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

using namespace warplight::driver;

class InterfaceFaultTest : public QObject {
    Q_OBJECT
private slots:
    void illegal_address() {
        const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
        const Driver driver = Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
        std::vector<std::string> reports;
        set_cleanup_reporter([&](const Error& error) { reports.push_back(error.what()); });
        {
            const Context context = Device(0, driver).make_context();
            const Module module = module_from_buffer(std::string_view(kKernels));
            const DeviceAllocation memory = mem_alloc(64);
            const Stream stream;
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
        }
        // Cleaning up afterwards neither throws nor ends the program, and says so at most once.
        QVERIFY(reports.size() <= 1);
        set_cleanup_reporter({});
    }
};

QTEST_GUILESS_MAIN(InterfaceFaultTest)
#include "interface_fault_test.moc"
