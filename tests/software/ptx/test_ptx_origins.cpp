// SPDX-License-Identifier: Apache-2.0
// What addresses were made of (ptx/origins.hpp): by hand, and for random programs as an interpreter sees it.
#include "parsing.hpp"

#include "software/ptx/effects.hpp"
#include "software/ptx/origins.hpp"

#include <array>
#include <random>

using namespace warplight::ptx;

namespace {

/// Pointers a, b and c, a number n and an array of two pointers; variables in shared and global memory.
std::string kernel_with(const std::string& body) {
    return header() +
           ".global .align 4 .b8 g[64];\n"
           ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n, .param .align 8 .b8 "
           "two[16])\n"
           "{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 16 .b8 s[256];\n"
           ".shared .align 16 .b8 t[256];\n.local .align 16 .b8 depot[64];\n"
           "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [n];\nmov.u32 %r1, %tid.x;\n"
           "cvt.u64.u32 %rd4, %r1;\nsetp.eq.u32 %p1, %r1, 0;\n" +
           body + "\nret;\n}\n";
}

std::string name_of(const Module& module, const Root& root) {
    const Function& f = module.functions.front();
    using Scope = Operand::Scope;
    const std::string name = root.scope == Scope::parameter ? f.parameters[root.index].name
                             : root.scope == Scope::module  ? module.variables[root.index].name
                                                            : f.variables[root.index].name;
    return root.offset ? name + "+" + std::to_string(root.offset) : name;
}

/// All parameters are pointers but for n.
Origins::MemoryOf memory_in(const Module& module) {
    return [&module](const Root& root) -> std::optional<std::uint64_t> {
        if (name_of(module, root) == "n") return std::nullopt;
        return static_cast<std::uint64_t>(root.scope) << 48 | std::uint64_t{root.index} << 32 | root.offset;
    };
}

std::string said(const Module& module, const Origin& origin) {
    switch (origin.of) {
    case Origin::Of::nothing: return "nothing";
    case Origin::Of::other: return "other";
    case Origin::Of::several: return "several";
    case Origin::Of::root: break;
    }
    return name_of(module, origin.root);
}

std::vector<std::uint32_t> accesses_of(const Function& function) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t k = 0; k < function.instructions.size(); ++k)
        if (function.instructions[k].opcode == Opcode::st) all.push_back(k);
    return all;
}

// --- random programs

/// How often each root is in a value, where that is all that it is made of.
struct Sum {
    std::array<int, 3> of{};
    bool is_other = false; ///< pointers, but no sum of them
    [[nodiscard]] bool is_number() const { return of == std::array<int, 3>{} && !is_other; }
};
Sum operator+(const Sum& x, const Sum& y) {
    Sum sum{{}, x.is_other || y.is_other};
    for (std::size_t k = 0; k < 3; ++k)
        sum.of[k] = x.of[k] + y.of[k];
    return sum;
}
Sum operator-(const Sum& x) { return {{-x.of[0], -x.of[1], -x.of[2]}, x.is_other}; }

constexpr const char* kPointers[] = {"a", "b", "c"};

/// Statements of registers %rd1 to %rd6, with branches forwards and one loop.
std::string random_body(std::mt19937& random) {
    const auto below = [&](unsigned count) { return unsigned(random() % count); };
    const auto reg = [&] { return "%rd" + std::to_string(1 + below(6)); };
    std::string body;
    for (int k = 1; k <= 6; ++k)
        body += "mov.u64 %rd" + std::to_string(k) + ", 8;\n";
    const unsigned statements = 6 + below(14), head = below(4);
    for (unsigned k = 0; k < statements; ++k) {
        body += "$l" + std::to_string(k) + ":\n";
        const std::string guard = below(6) == 0 ? (below(2) ? "@%p1 " : "@!%p1 ") : "";
        switch (below(12)) {
        case 0:
        case 1: body += guard + "ld.param.u64 " + reg() + ", [" + kPointers[below(3)] + "];\n"; break;
        case 2: body += guard + "mov.u64 " + reg() + ", " + reg() + ";\n"; break;
        case 3:
        case 4: body += guard + "add.u64 " + reg() + ", " + reg() + ", " + reg() + ";\n"; break;
        case 5: body += guard + "sub.u64 " + reg() + ", " + reg() + ", " + reg() + ";\n"; break;
        case 6: body += guard + "selp.b64 " + reg() + ", " + reg() + ", " + reg() + ", %p1;\n"; break;
        case 7: body += guard + "mad.lo.u64 " + reg() + ", " + reg() + ", " + reg() + ", " + reg() + ";\n"; break;
        case 8: body += guard + "xor.b64 " + reg() + ", " + reg() + ", " + reg() + ";\n"; break;
        case 9: body += guard + "mul.lo.u64 " + reg() + ", " + reg() + ", 4;\n"; break;
        case 10: body += "@%p1 bra $l" + std::to_string(k + 1 + below(statements - k)) + ";\n"; break;
        default: body += guard + "st.global.u32 [" + reg() + "+4], %r1;\n"; break;
        }
    }
    body += "$l" + std::to_string(statements) + ":\n";
    if (below(2)) body += "@%p1 bra $l" + std::to_string(std::min(head, statements)) + ";\n";
    return body;
}

/// Runs a program once, and calls `look(instruction, value of its address)` at each store.
template <class Look>
void interpret(const Function& f, std::mt19937& random, Look look) {
    std::vector<Sum> values(f.registers.size());
    std::size_t at = 0;
    for (int steps = 0; at < f.instructions.size() && steps < 200; ++steps) {
        const Instruction& i = f.instructions[at];
        const bool holds = random() % 2;
        const auto value = [&](std::size_t k) {
            const Operand& operand = i.operands.at(k);
            return operand.kind == Operand::Kind::reg ? values[operand.reg] : Sum{};
        };
        const auto write = [&](const Sum& sum) { values[i.operands.at(0).reg] = sum; };
        const std::size_t here = at++;
        if (i.guarded && !holds) continue;
        switch (i.opcode) {
        case Opcode::bra: at = f.labels[i.operands.at(0).index].instruction; break;
        case Opcode::ld: {
            Sum sum;
            if (i.operands.at(1).index < 3) sum.of[i.operands[1].index] = 1;
            write(sum);
            break;
        }
        case Opcode::mov: write(value(1)); break;
        case Opcode::add: write(value(1) + value(2)); break;
        case Opcode::sub: write(value(1) + -value(2)); break;
        case Opcode::selp: write(value(random() % 2 ? 1 : 2)); break;
        case Opcode::mad: write(value(3)); break; // of products nobody makes pointers
        case Opcode::xor_:
            write(value(1).is_number() ? value(2) : value(2).is_number() ? value(1) : Sum{{}, true});
            break;
        case Opcode::st: look(static_cast<std::uint32_t>(here), values[i.operands.at(0).reg]); break;
        case Opcode::ret: return;
        default:
            if (destination_register(i)) write({});
            break;
        }
    }
}

} // namespace

class TestPtxOrigins : public QObject {
    Q_OBJECT
private slots:
    void by_hand_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* body, const char* expected) {
            QTest::newRow(name) << body << expected;
        };
        row("a parameter", "mov.u64 %rd6, %rd1;", "a");
        row("with an offset", "mad.lo.u64 %rd6, %rd4, 4, %rd1;", "a");
        row("with an offset that is a parameter", "add.u64 %rd6, %rd3, %rd1;", "a");
        row("a part of a parameter", "ld.param.u64 %rd6, [two+8];", "two+8");
        row("a part of a vector", "ld.param.v2.u64 {%rd7, %rd6}, [two];", "two+8");
        row("a number", "mov.u64 %rd6, 64;", "other");
        row("that was loaded", "ld.global.u64 %rd6, [%rd1];", "other");
        row("of global memory", "mov.u64 %rd6, g;", "g");
        row("of shared memory, generic", "mov.u64 %rd7, s; cvta.shared.u64 %rd6, %rd7;", "s");
        row("of local memory", "mov.u64 %rd7, depot; add.u64 %rd6, %rd7, %rd4;", "depot");
        row("a choice", "selp.b64 %rd6, %rd1, %rd2, %p1;", "several");
        row("a choice of one and the same", "add.u64 %rd7, %rd1, 8; selp.b64 %rd6, %rd7, %rd1, %p1;", "a");
        row("a distance", "sub.u64 %rd7, %rd2, %rd1; add.u64 %rd6, %rd1, %rd7;", "several");
        row("back by an offset", "sub.u64 %rd6, %rd1, %rd4;", "a");
        row("grown in a loop", "mov.u64 %rd6, %rd1;\n$again: add.u64 %rd6, %rd6, %rd4; @%p1 bra $again;", "a");
        row("another one in a loop",
            "mov.u64 %rd6, %rd1;\n$again: add.u64 %rd6, %rd6, %rd4; @%p1 mov.u64 %rd6, %rd2; @%p1 bra $again;",
            "several");
        row("a register used twice", "mov.u64 %rd6, %rd2; st.global.u32 [%rd6], %r1; mov.u64 %rd6, %rd1;", "a");
        row("not of what is written later", "mov.u64 %rd6, %rd1; bra $on;\n$no: mov.u64 %rd6, %rd2; ret;\n$on:", "a");
        row("a half", "mov.b64 {%r2, %r3}, %rd1; mov.b64 %rd6, {%r2, %r3};", "other");
        row("the lower half", "mov.b64 {%r2, %r3}, %rd1; cvt.u64.u32 %rd6, %r2;", "other");
    }
    void by_hand() {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        const Module module = parsed(kernel_with(body.toStdString() + "\nst.u32 [%rd6], %r1;"));
        QCOMPARE(module.functions.size(), std::size_t{1});
        const std::array last{accesses_of(module.functions.front()).back()};
        Origins origins(module.functions.front(), last, memory_in(module));
        QCOMPARE(QString::fromStdString(said(module, origins.of_addresses(last[0]))), expected);
    }

    void of_shared_memory() {
        const Module module =
            parsed(kernel_with("mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], %r1;\n"
                               "xor.b32 %r4, %r3, 16; st.shared.u32 [%r4], %r1;\n"
                               "st.shared.u32 [t+8], %r1; st.shared.u32 [%r1], %r1;"));
        const std::vector<std::uint32_t> all = accesses_of(module.functions.front());
        QCOMPARE(all.size(), std::size_t{4});
        Origins origins(module.functions.front(), all, memory_in(module));
        const char* const expected[] = {"s", "s", "t", "other"};
        for (std::size_t k = 0; k < all.size(); ++k)
            QCOMPARE(said(module, origins.of_addresses(all[k])), std::string(expected[k]));
    }

    /// Where it names a root, every way through the program comes to that root and an offset. And it is of use: it
    /// names many.
    void random_programs() {
        int named = 0, stores = 0;
        for (unsigned seed = 0; seed < 3000; ++seed) {
            std::mt19937 random(seed);
            const Module module = parsed(kernel_with(random_body(random)));
            QCOMPARE(module.functions.size(), std::size_t{1});
            const Function& f = module.functions.front();
            const std::vector<std::uint32_t> all = accesses_of(f);
            Origins origins(f, all, memory_in(module));
            for (const std::uint32_t each : all) { // the others do not change it
                const std::array one{each};
                Origins alone(f, one, memory_in(module));
                QVERIFY(alone.of_addresses(each).is(origins.of_addresses(each)));
            }
            for (int run = 0; run < 20; ++run)
                interpret(f, random, [&](std::uint32_t at, const Sum& value) {
                    const Origin origin = origins.of_addresses(at);
                    ++stores;
                    if (origin.of != Origin::Of::root) return;
                    ++named;
                    Sum expected;
                    expected.of.at(origin.root.index) = 1;
                    if (value.of != expected.of || value.is_other) qWarning("seed %u, instruction %u", seed, at);
                    QCOMPARE(value.of, expected.of);
                    QVERIFY(!value.is_other);
                });
        }
        QVERIFY2(named * 20 > stores, qPrintable(QString("%1 of %2").arg(named).arg(stores)));
    }
};

QTEST_APPLESS_MAIN(TestPtxOrigins)
#include "test_ptx_origins.moc"
