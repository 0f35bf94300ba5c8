// SPDX-License-Identifier: Apache-2.0
// The effects that the compiler plans by (ptx/effects.hpp).
#include "parsing.hpp"

#include "software/ptx/effects.hpp"
#include "software/ptx/forms.hpp"
#include "software/ptx/words.hpp"

using namespace warplight::ptx;

class TestPtxEffects : public QObject {
    Q_OBJECT
private slots:
    void effects_data();
    void effects();
    void every_address_tells_its_accesses();
    void groups_fit_their_forms();
};

namespace {

/// The letters of all effects that an instruction has, in the order of the alphabet.
std::string letters_of(const Instruction& i) {
    const Effects effects = effects_of(i);
    std::string letters;
    const auto add = [&](char letter, bool has) {
        if (has) letters += letter;
    };
    add('B', is_block_barrier(i));
    add('C', is_of_clusters(i));
    add('E', ends_block(i));
    add('O', observes_others(i));
    add('P', publishes(i));
    add('S', may_suspend(i));
    add('V', is_computed_on_vectors(i));
    add('W', is_warp_operation(i));
    add('a', accessed_address(i) != nullptr);
    add('c', reads_carry(i));
    add('o', writes_for_others(i));
    add('r', effects.reads_memory);
    add('w', effects.writes_memory);
    return letters;
}

} // namespace

void TestPtxEffects::effects_data() {
    QTest::addColumn<QByteArray>("letters");
    const auto row = [](const char* instruction, const char* letters) {
        QTest::newRow(instruction) << QByteArray(letters);
    };
    row("add.u32 %r1, %r2, %r3;", "V");
    row("add.cc.u32 %r1, %r2, %r3;", "V");
    row("addc.u32 %r1, %r2, %r3;", "Vc");
    row("vadd.s32.s32.s32 %r1, %r2, %r3;", "");
    row("mov.u32 %r1, %clock;", "OV");
    row("mov.u32 %r1, %cluster_ctarank;", "CV");
    row("ld.global.u32 %r1, [%rd1];", "ar");
    row("ld.volatile.global.u32 %r1, [%rd1];", "Oar");
    row("st.global.u32 [%rd1], %r1;", "aow");
    row("st.release.gpu.global.u32 [%rd1], %r1;", "Paow");
    row("st.local.u32 [%rd1], %r1;", "aw");
    row("prefetch.global.L1 [%rd1];", "");
    row("atom.global.add.u32 %r1, [%rd1], 1;", "aorw");
    row("atom.global.add.u32 %r1, [%rd1], %r2;", "Oaorw");
    row("red.global.add.u32 [%rd1], 1;", "aorw");
    row("membar.gl;", "P");
    row("fence.acq_rel.gpu;", "P");
    row("bar.sync 0;", "BS");
    row("bar.warp.sync %r1;", "SW");
    row("barrier.cluster.arrive;", "BCS");
    row("shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1;", "SW");
    row("activemask.b32 %r1;", "SW");
    row("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", "SW");
    row("mapa.u64 %rd1, %rd2, %r1;", "C");
    row("mbarrier.try_wait.shared.b64 %p1, [%rd1], %rd2;", "OSaorw");
    row("mbarrier.test_wait.shared.b64 %p1, [%rd1], %rd2;", "Oaorw");
    row("nanosleep.u32 10;", "S");
    row("bra NEXT;", "E");
    row("exit;", "E");
    row("trap;", "");
}

void TestPtxEffects::effects() {
    QFETCH(QByteArray, letters);
    const Module module = parsed(kernel(std::string(QTest::currentDataTag()) + "\nNEXT:\n"));
    QVERIFY(!module.functions.empty());
    QCOMPARE(QByteArray::fromStdString(letters_of(module.functions[0].instructions.at(0))), letters);
}

/// An address whose row of forms.def says neither r nor w is one that is only computed with, or prefetched.
void TestPtxEffects::every_address_tells_its_accesses() {
    for (const Form& form : all_forms()) {
        const bool address = std::any_of(form.operands.begin(), form.operands.end(), [](const OperandRule& rule) {
            return rule.role == OperandRule::Role::address;
        });
        const bool hint =
            form.opcode == Opcode::prefetch || form.opcode == Opcode::prefetchu || form.opcode == Opcode::applypriority;
        QVERIFY2(!address || hint || form.reads_memory || form.writes_memory,
                 std::string(spelling(form.opcode)).c_str());
    }
}

/// A group of opcodes.def that contradicts the rows of forms.def is a wrong one.
void TestPtxEffects::groups_fit_their_forms() {
    using Group = OpcodeGroup;
    for (const Form& form : all_forms()) {
        const Group group = group_of(form.opcode);
        const std::string row = std::string(spelling(form.opcode)) + " " + std::string(form.modifiers_text);
        const bool memory = form.reads_memory || form.writes_memory;
        const bool of_registers = group == Group::arithmetic || group == Group::carry || group == Group::serial;
        QVERIFY2(!memory || group == Group::memory, row.c_str());
        if (group == Group::arithmetic || group == Group::carry)
            QVERIFY2(form.first == FirstOperand::written, row.c_str());
        const bool goes_to_label = std::any_of(form.operands.begin(), form.operands.end(), [](const OperandRule& rule) {
            return rule.role == OperandRule::Role::label || rule.role == OperandRule::Role::branch_list;
        });
        QCOMPARE(goes_to_label, group == Group::branch);
        QVERIFY2(!of_registers || !form.allowed.test(static_cast<std::size_t>(Modifier::sync)), row.c_str());
    }
}

QTEST_APPLESS_MAIN(TestPtxEffects)
#include "test_ptx_effects.moc"
