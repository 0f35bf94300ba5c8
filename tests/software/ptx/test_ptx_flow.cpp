// SPDX-License-Identifier: Apache-2.0
// Control flow and data flow of small functions: blocks, loops, post-dominators, live registers, writers.
#include "parsing.hpp"

#include "software/ptx/flow.hpp"

#include <algorithm>

using namespace warplight::ptx;
using Blocks = std::vector<std::uint32_t>;

class TestPtxFlow : public QObject {
    Q_OBJECT
private slots:
    void blocks_end_at_branches_and_labels();
    void indexed_branches();
    void guarded_returns_go_on();
    void traps();
    void loops_data();
    void loops();
    void irreducible_loop();
    void blocks_between_back_edges();
    void post_dominators_of_branches();
    void post_dominators_of_loops();
    void code_that_never_ends();
    void unreached_code();
    void live_registers();
    void guarded_writes_keep_values();
    void registers_of_one_block();
    void writers();
    void empty_function();
};

namespace {

Function function_of(const std::string& body) {
    const Module module = parsed(kernel(body));
    return module.functions.empty() ? Function{} : module.functions[0];
}

Blocks successors(const FlowGraph& graph, std::uint32_t block) { return graph.blocks().at(block).successors; }

RegisterId find(const Function& f, const char* name) {
    const auto found =
        std::find_if(f.registers.begin(), f.registers.end(), [&](const auto& r) { return r.name == name; });
    return static_cast<RegisterId>(found - f.registers.begin());
}

/// An `if` with both ways: blocks 0 (branch), 1 (else), 2 (then), 3 (both).
const char* const kDiamond = "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra THEN;\nmov.u32 %r2, 1;\nbra BOTH;\n"
                             "THEN: mov.u32 %r2, 2;\nBOTH: add.u32 %r3, %r2, %r1;";
/// Blocks 0 (before), 1 (loop), 2 (after).
const char* const kLoop = "mov.u32 %r1, 0;\nLOOP: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra LOOP;";

} // namespace

void TestPtxFlow::blocks_end_at_branches_and_labels() {
    const FlowGraph graph(function_of(kDiamond));
    QCOMPARE(graph.end(), 4u);
    QCOMPARE(successors(graph, 0), (Blocks{2, 1})); // the branch's target first
    QCOMPARE(successors(graph, 1), Blocks{3});
    QCOMPARE(successors(graph, 2), Blocks{3});
    QCOMPARE(successors(graph, 3), Blocks{4});
    QCOMPARE(graph.predecessors(3), (Blocks{1, 2}));
    QCOMPARE(graph.predecessors(4), Blocks{3});
    QCOMPARE(graph.block_of(), (Blocks{0, 0, 1, 1, 2, 3, 3, 4}));
    QCOMPARE(graph.blocks()[2].begin, 4u);
    QCOMPARE(graph.blocks()[2].end, 5u);
}

void TestPtxFlow::indexed_branches() {
    const Function f = function_of("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: mov.u32 %r2, 1;\nB: mov.u32 %r2, 2;");
    const FlowGraph graph(f);
    QCOMPARE(graph.end(), 3u);
    QCOMPARE(successors(graph, 0), (Blocks{1, 2}));
    QCOMPARE(branch_targets(f, f.instructions[0]), (Blocks{1, 2}));
    QVERIFY(branch_targets(f, f.instructions[1]).empty());
}

void TestPtxFlow::guarded_returns_go_on() {
    const FlowGraph graph(function_of("@%p1 exit;\nmov.u32 %r1, 1;\n@%p2 ret;\nmov.u32 %r1, 2;"));
    QCOMPARE(graph.end(), 3u);
    QCOMPARE(successors(graph, 0), (Blocks{3, 1}));
    QCOMPARE(successors(graph, 1), (Blocks{3, 2}));
    QCOMPARE(successors(graph, 2), Blocks{3});
}

void TestPtxFlow::traps() {
    const Function f = function_of("@%p1 bra ON;\ntrap;\nON: mov.u32 %r1, 1;");
    QCOMPARE(successors(FlowGraph(f), 1), Blocks{2});
    QCOMPARE(successors(FlowGraph(f, AfterTrap::end), 1), Blocks{3});
}

void TestPtxFlow::loops_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Blocks>("in_loops"); // blocks of each, one after the other
    QTest::addColumn<int>("count");
    QTest::newRow("none") << QByteArray(kDiamond) << Blocks{} << 0;
    QTest::newRow("one block") << QByteArray(kLoop) << Blocks{1} << 1;
    QTest::newRow("two loops") << QByteArray("A: @%p1 bra A;\nB: mov.u32 %r1, 1;\n@%p2 bra B;") << Blocks{0, 1} << 2;
    QTest::newRow("loop in a loop") << QByteArray("A: mov.u32 %r1, 1;\nB: @%p1 bra B;\n@%p2 bra A;") << Blocks{0, 1, 2}
                                    << 1;
    QTest::newRow("a branch back without a loop")
        << QByteArray("bra B;\nA: bra C;\nB: bra A;\nC: mov.u32 %r1, 1;") << Blocks{} << 0;
    QTest::newRow("never ends") << QByteArray("A: bra A;") << Blocks{0} << 1;
    QTest::newRow("unreached") << QByteArray("bra B;\nA: bra A;\nB: mov.u32 %r1, 1;") << Blocks{1} << 1;
}

void TestPtxFlow::loops() {
    QFETCH(QByteArray, body);
    QFETCH(Blocks, in_loops);
    QFETCH(int, count);
    const FlowGraph graph(function_of(body.toStdString()));
    const Loops loops(graph);
    QCOMPARE(loops.all().size(), static_cast<std::size_t>(count));
    for (std::uint32_t k = 0; k <= graph.end(); ++k)
        QCOMPARE(loops.contains(k), std::find(in_loops.begin(), in_loops.end(), k) != in_loops.end());
    for (std::uint32_t loop = 0; loop < loops.all().size(); ++loop)
        for (const std::uint32_t block : loops.all()[loop])
            QCOMPARE(loops.loop_of(block), loop);
}

void TestPtxFlow::irreducible_loop() {
    // Entered at A and at B: neither dominates the other.
    const FlowGraph graph(function_of("@%p1 bra B;\nA: mov.u32 %r1, 1;\nB: @%p2 bra A;"));
    const Loops loops(graph);
    QCOMPARE(loops.all().size(), 1u);
    Blocks blocks = loops.all()[0];
    std::sort(blocks.begin(), blocks.end());
    QCOMPARE(blocks, (Blocks{1, 2}));
    QCOMPARE(back_edges(graph).size(), 1u);
    QCOMPARE(post_dominators(graph)[0], 2u);
}

void TestPtxFlow::blocks_between_back_edges() {
    const FlowGraph loop(function_of(kLoop));
    QCOMPARE(back_edges(loop).size(), 1u);
    QCOMPARE(back_edges(loop)[0].from, 1u);
    QCOMPARE(back_edges(loop)[0].to, 1u);
    QCOMPARE(between_back_edges(loop), (std::vector<bool>{false, true, false}));
    // A block that leaves the loop lies between its head and its end, though it is not in the loop.
    const FlowGraph leaves(function_of("A: @%p1 bra B;\nexit;\nB: @%p2 bra A;"));
    QCOMPARE(between_back_edges(leaves), (std::vector<bool>{true, true, true, false}));
    QVERIFY(!Loops(leaves).contains(1));
}

void TestPtxFlow::post_dominators_of_branches() {
    QCOMPARE(post_dominators(FlowGraph(function_of(kDiamond))), (Blocks{3, 3, 3, 4, 4}));
    // A way that ends early: only the end comes after both.
    QCOMPARE(post_dominators(FlowGraph(function_of("@%p1 bra ON;\nexit;\nON: mov.u32 %r1, 1;"))), (Blocks{3, 3, 3, 3}));
}

void TestPtxFlow::post_dominators_of_loops() {
    QCOMPARE(post_dominators(FlowGraph(function_of(kLoop))), (Blocks{1, 2, 3, 3}));
}

void TestPtxFlow::code_that_never_ends() {
    QVERIFY(post_dominators(FlowGraph(function_of("@%p1 bra ON;\nA: bra A;\nON: mov.u32 %r1, 1;"))).empty());
}

void TestPtxFlow::unreached_code() {
    // Block 1 never gets to the end, but no thread gets to block 1.
    const FlowGraph graph(function_of("bra ON;\nA: bra A;\nON: mov.u32 %r1, 1;"));
    QCOMPARE(graph.end(), 3u);
    QCOMPARE(post_dominators(graph), (Blocks{2, 3, 3, 3}));
}

void TestPtxFlow::live_registers() {
    const Function f = function_of(kDiamond);
    const Liveness live(f, FlowGraph(f));
    const RegisterId r1 = find(f, "%r1"), r2 = find(f, "%r2"), r3 = find(f, "%r3");
    for (const std::uint32_t block : {0u, 1u, 2u, 3u})
        QVERIFY(live.live_in[block].contains(r1));
    QVERIFY(!live.live_in[0].contains(r2) && !live.live_in[1].contains(r2) && live.live_in[3].contains(r2));
    QVERIFY(!live.live_in[3].contains(r3) && live.written[3].contains(r3));
    QVERIFY(live.written[1].contains(r2) && !live.written[3].contains(r2));
    QVERIFY(!live.live_in[4].contains(r1));
    const Function loop = function_of(kLoop);
    const Liveness round(loop, FlowGraph(loop));
    QVERIFY(round.live_in[1].contains(find(loop, "%r1")) && !round.live_in[2].contains(find(loop, "%r1")));
}

void TestPtxFlow::guarded_writes_keep_values() {
    const Function f = function_of("mov.u32 %r1, 1;\nbra ON;\nON: @%p1 mov.u32 %r1, 2;\nbra ONE;\n"
                                   "ONE: add.u32 %r2, %r1, 1;\n@%p1 mov.u32 %r3, 1;\nbra LAST;\nLAST: mov.u32 %r3, 2;");
    const Liveness live(f, FlowGraph(f));
    QVERIFY(live.live_in[1].contains(find(f, "%r1"))); // may come through the guarded write
    QVERIFY(live.live_in[2].contains(find(f, "%r3"))); // the guarded write keeps it
}

void TestPtxFlow::registers_of_one_block() {
    const Function f = function_of(kDiamond);
    const Liveness live(f, FlowGraph(f));
    QVERIFY(live.block_local[find(f, "%r3")]);
    QVERIFY(live.block_local[find(f, "%p1")]); // read by the branch of its own block
    QVERIFY(!live.block_local[find(f, "%r2")]);
}

void TestPtxFlow::writers() {
    const Function f = function_of(kDiamond);
    const auto writers = writers_of(f);
    QCOMPARE(writers[find(f, "%r2")], (Blocks{2, 4}));
    QCOMPARE(writers[find(f, "%p1")], Blocks{0});
    QVERIFY(writers[find(f, "%r1")].empty());
}

void TestPtxFlow::empty_function() {
    const FlowGraph graph(Function{});
    QCOMPARE(graph.end(), 0u);
    QVERIFY(Loops(graph).all().empty() && back_edges(graph).empty());
    QCOMPARE(post_dominators(graph), Blocks{0});
}

QTEST_APPLESS_MAIN(TestPtxFlow)
#include "test_ptx_flow.moc"
