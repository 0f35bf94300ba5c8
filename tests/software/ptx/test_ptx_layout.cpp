// SPDX-License-Identifier: Apache-2.0
// What is computed about a module: reachability, shared memory, register pressure.
#include "parsing.hpp"

#include <algorithm>

using namespace warplight::ptx;

class TestPtxLayout : public QObject {
    Q_OBJECT
private slots:
    void reaches_through_calls_and_variables();
    void reaches_through_pointers();
    void shared_layout();
    void register_pressure();
    void register_pressure_of_loops();
};

namespace {

bool reaches(const Module& m, const Reachable& r, const char* function) {
    return std::find(r.functions.begin(), r.functions.end(), *m.find_function(function)) != r.functions.end();
}

} // namespace

void TestPtxLayout::reaches_through_calls_and_variables() {
    const Module m = parsed(
        header() + ".global .u32 deep;\n.global .u64 middle = deep;\n.global .u64 top = middle;\n.global .u32 other;\n"
                   ".func inner() { ret; }\n.func outer() { call inner; }\n.func unused() { ret; }\n"
                   ".entry k() { .reg .b64 %rd<2>; call outer; ld.global.u64 %rd1, [top]; }");
    const Reachable r = reachable_from(m, *m.find_function("k"));
    QCOMPARE(r.functions.size(), 3u);
    QVERIFY(reaches(m, r, "inner") && !reaches(m, r, "unused"));
    QCOMPARE(r.variables.size(), 3u);
    QVERIFY(!r.calls_indirectly && !r.uses_dynamic_shared);
}

void TestPtxLayout::reaches_through_pointers() {
    const Module m =
        parsed(header() + ".func a() { ret; }\n.func b() { ret; }\n.func c() { ret; }\n.global .u64 table[1] = {b};\n"
                          ".entry other() { .reg .b64 %rd<2>; mov.u64 %rd1, a; }\n"
                          ".entry k() { .reg .b64 %rd<2>;\nP: .callprototype _ ();\ncall %rd1, P; }");
    const Reachable r = reachable_from(m, *m.find_function("k"));
    QVERIFY(r.calls_indirectly);
    QVERIFY(reaches(m, r, "a") && reaches(m, r, "b") && !reaches(m, r, "c"));
}

void TestPtxLayout::shared_layout() {
    const Module m = parsed(
        header() + ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 first[6];\n.shared .f64 unused;\n"
                   ".func f() { .shared .align 8 .b8 inner[16]; .reg .b64 %rd<2>; mov.u64 %rd1, inner; }\n"
                   ".entry k() { .reg .b64 %rd<4>; call f; mov.u64 %rd1, first; mov.u64 %rd2, dynamic; }");
    const FunctionId k = *m.find_function("k");
    const Reachable r = reachable_from(m, k);
    QVERIFY(r.uses_dynamic_shared);
    const SharedLayout layout = layout_shared(m, r);
    QCOMPARE(layout.entries.size(), 3u);
    QCOMPARE(*layout.offset_of(true, 0, *m.find_variable("first")), std::uint64_t{0});
    QCOMPARE(*layout.offset_of(false, *m.find_function("f"), 0), std::uint64_t{8});
    QCOMPARE(layout.static_size, std::uint64_t{32}); // 24, up to the dynamic variable's alignment
    QCOMPARE(*layout.offset_of(true, 0, *m.find_variable("dynamic")), std::uint64_t{32});
    QVERIFY(!layout.offset_of(true, 0, *m.find_variable("unused")));
}

void TestPtxLayout::register_pressure() {
    // Twenty values that are all needed at the end, against twenty that are used up one by one.
    std::string wide, narrow;
    for (int k = 0; k < 20; ++k)
        wide += "ld.global.f32 %x" + std::to_string(k) + ", [%rd1];\n";
    for (int k = 0; k < 20; ++k)
        wide += "add.f32 %f1, %f1, %x" + std::to_string(k) + ";\n";
    for (int k = 0; k < 20; ++k)
        narrow +=
            "ld.global.f32 %x" + std::to_string(k) + ", [%rd1];\nadd.f32 %f1, %f1, %x" + std::to_string(k) + ";\n";
    const auto estimate = [](const std::string& body) {
        return estimate_registers(
            parsed(kernel(".reg .f32 %x<20>;\n" + body + "st.global.f32 [%rd1], %f1;")).functions.at(0));
    };
    QVERIFY(estimate(wide) >= 20 + 3);
    QVERIFY(estimate(wide) <= 20 + 8);
    QVERIFY(estimate(narrow) <= 8);
}

void TestPtxLayout::register_pressure_of_loops() {
    // Live around the loop though not mentioned behind its start.
    std::string body = ".reg .f64 %x<16>;\n";
    for (int k = 0; k < 16; ++k)
        body += "ld.global.f64 %x" + std::to_string(k) + ", [%rd1];\n";
    body += "L:\n";
    for (int k = 0; k < 16; ++k)
        body += "fma.rn.f64 %fd1, %fd1, %fd1, %x" + std::to_string(k) + ";\n";
    body += "@%p1 bra L;\nst.global.f64 [%rd1], %fd1;";
    const unsigned registers = estimate_registers(parsed(kernel(body)).functions.at(0));
    QVERIFY(registers >= 34 && registers <= 44);
}

QTEST_APPLESS_MAIN(TestPtxLayout)
#include "test_ptx_layout.moc"
