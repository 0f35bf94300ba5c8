// SPDX-License-Identifier: Apache-2.0
// Types of the values that instructions load and store (ptx/value_types.hpp).
#include "parsing.hpp"

#include "software/ptx/value_types.hpp"

using namespace warplight::ptx;

class PtxValueTypesTest : public QObject {
    Q_OBJECT

private slots:
    void types_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("type");
        const auto row = [](const char* body, Type type) {
            QTest::newRow(body) << QString(body) << static_cast<int>(type);
        };
        row("st.global.f32 [%rd1], %r1;", Type::f32);
        row("st.global.u32 [%rd1], 1069547520;", Type::u32);
        row("st.global.v2.f64 [%rd1], {%rd2, %rd2};", Type::f64);
        row("st.global.b32 [%rd1], %r1;", Type::b32);
        row("add.f32 %r1, %r2, %r2; st.global.b32 [%rd1], %r1;", Type::f32);
        row("mov.b32 %r1, 3; add.s32 %r1, %r1, %r2; st.global.b32 [%rd1], %r1;", Type::s32);
        row("cvt.rn.f32.s32 %r1, %r2; st.global.b32 [%rd1], %r1;", Type::f32);
        row("cvt.rn.f32.s32 %r2, %r1; st.global.b32 [%rd1], %r1;", Type::s32);
        row("cvt.f64.f32 %rd2, %r1; st.global.b32 [%rd1], %r1;", Type::f32);
        row("add.f32 %r1, %r2, %r2; add.s32 %r2, %r1, 1; st.global.b32 [%rd1], %r1;", Type::b32);
        row("st.global.v2.b32 [%rd1], {%r1, %r2}; mul.f32 %r3, %r2, %r3;", Type::f32);
        row("ld.global.b32 %r1, [%rd1]; fma.rn.f32 %r2, %r1, %r1, %r3;", Type::f32);
        row("ld.global.b32 %f1, [%rd1];", Type::f32);
        row("bar.sync 0;", Type::none);
    }
    void types() {
        QFETCH(QString, body);
        QFETCH(int, type);
        const std::string text = header() +
                                 ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" +
                                 body.toStdString() + "\nret;\n}\n";
        const Module module = parsed(text);
        QVERIFY(!module.functions.empty());
        const Function& f = module.functions.front();
        std::uint32_t last = 0; // the access, if there is one
        for (std::uint32_t k = 0; k < f.instructions.size(); ++k)
            if (f.instructions[k].opcode == Opcode::st || f.instructions[k].opcode == Opcode::ld) last = k;
        QCOMPARE(static_cast<int>(type_in_memory(f, last)), type);
        QVERIFY(type_in_memory(f, 1000) == Type::none);
    }

    void constants_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("constant");
        QTest::newRow("a number") << "st.global.u32 [%rd1], 7;" << true;
        QTest::newRow("a register with a number") << "mov.u32 %r1, 7; st.global.u32 [%rd1], %r1;" << true;
        QTest::newRow("numbers") << "mov.u32 %r1, 7; st.global.v2.u32 [%rd1], {%r1, %r1};" << true;
        QTest::newRow("a sum") << "mov.u32 %r1, 7; add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;" << false;
        QTest::newRow("a register") << "mov.u32 %r1, %r2; st.global.u32 [%rd1], %r1;" << false;
        QTest::newRow("a load") << "ld.global.u32 %r1, [%rd1];" << false;
    }
    void constants() {
        QFETCH(QString, body);
        const Module module = parsed(header() + ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
                                     body.toStdString() + "\nret;\n}\n");
        QVERIFY(!module.functions.empty());
        const auto& function = module.functions.front();
        QTEST(stores_constant(function, static_cast<std::uint32_t>(function.instructions.size() - 2)), "constant");
    }
};

QTEST_GUILESS_MAIN(PtxValueTypesTest)
#include "test_ptx_value_types.moc"
