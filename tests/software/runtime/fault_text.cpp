// SPDX-License-Identifier: Apache-2.0
#include "fault_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace faults {
namespace {

class Text {
public:
    Text(const Plan& plan, FaultProgram& result) : plan_(plan), result_(result) {}

    void write() {
        line(".version 7.8");
        line(".target sm_80");
        line(".address_size 64");
        line(".file 1 \"fault.cu\"");
        line(fmt::format(".const .align 16 .b8 c[{}];", kFaultConstantBytes));
        write_functions(plan_.nodes);
        line(".visible .entry k(.param .u64 first, .param .u64 second, .param .u64 table, .param .u64 out,");
        line("  .param .u64 deltas, .param .u64 delta, .param .u64 surface, .param .u64 texture, .param .u32 number)");
        line("{");
        line(fmt::format(".shared .align 16 .b8 s[{}];", kFaultSharedBytes));
        line(fmt::format(".local .align 16 .b8 l[{}];", kFaultLocalBytes));
        line(fmt::format(".reg .b32 %k<{}>; .reg .b32 %c<2>; .reg .b32 %n<2>; .reg .b32 %e<2>;", kKnown));
        line(".reg .b32 %gid, %i, %y, %x32, %t, %sb; .reg .b64 %x, %z, %v, %v2, %acc, %delta, %deltas, %out, %surface, "
             "%texture;");
        line(".reg .b64 %b<3>; .reg .b64 %lb, %cb, %gs; .reg .pred %p, %q;");
        line(".reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f32 %f<4>; .reg .f64 %g<4>;");
        line("ld.param.u64 %b0, [first]; ld.param.u64 %b1, [second]; ld.param.u64 %b2, [table];");
        line("ld.param.u64 %out, [out]; ld.param.u64 %deltas, [deltas]; ld.param.u64 %delta, [delta];");
        line("ld.param.u64 %surface, [surface]; ld.param.u64 %texture, [texture]; ld.param.u32 %k3, [number];");
        line("mov.u32 %k0, %tid.z; mov.u32 %t, %ntid.y; mov.u32 %i, %tid.y; mad.lo.u32 %k0, %k0, %t, %i;");
        line("mov.u32 %t, %ntid.x; mov.u32 %i, %tid.x; mad.lo.u32 %k0, %k0, %t, %i;");
        line("mov.u32 %k2, %ctaid.y; mov.u32 %t, %nctaid.x; mov.u32 %i, %ctaid.x; mad.lo.u32 %k2, %k2, %t, %i;");
        line(fmt::format("mad.lo.u32 %k1, %k2, {}, %k0; mov.u32 %gid, %k1;",
                         result_.block[0] * result_.block[1] * result_.block[2]));
        for (unsigned k = 4; k < kKnown; ++k)
            line(fmt::format("mov.u32 %k{}, 0;", k));
        line("mov.u32 %c0, 0; mov.u32 %c1, 0; cvt.u64.u32 %acc, %gid;");
        line("mov.u32 %sb, s; mov.u64 %lb, l; mov.u64 %cb, c; mov.u64 %gs, s; cvta.shared.u64 %gs, %gs;");
        write_nodes(plan_.nodes);
        write_end();
        line("}");
    }

private:
    void line(const std::string& text) {
        result_.text += text;
        result_.text += '\n';
        ++lines_;
    }
    std::string label() { return fmt::format("L{}", labels_++); }

    void write_end() { line("mul.wide.u32 %x, %gid, 8; add.s64 %x, %out, %x; st.global.u64 [%x], %acc; ret;"); }

    /// Functions with an access each.
    void write_functions(const std::vector<Node>& nodes) {
        for (const Node& n : nodes) {
            if (n.kind == Node::Kind::access && n.access.in_function) {
                const Access& a = n.access;
                const auto number = static_cast<unsigned>(functions_.size());
                functions_.emplace_back(&n, number);
                line(fmt::format(".func (.param .b64 r) f{}(.param .b64 p, .param .b64 w)", number));
                line("{");
                line(".reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f32 %f<4>; .reg .f64 %g<4>;");
                line(".reg .b64 %x, %v, %v2, %acc; .reg .b32 %y, %x32;");
                line("ld.param.b64 %x, [p]; ld.param.b64 %acc, [w]; cvt.u32.u64 %x32, %x;");
                write_access(n, a.memory == Memory::shared ? "%x32" : "%x", a.step);
                line("st.param.b64 [r], %acc; ret;");
                line("}");
            }
            write_functions(n.body);
            write_functions(n.other);
        }
    }

    void write_nodes(const std::vector<Node>& nodes) {
        for (const Node& n : nodes)
            write_node(n);
    }

    void write_node(const Node& n) {
        switch (n.kind) {
        case Node::Kind::compute:
            switch (n.operation) {
            case 0: return line(fmt::format("add.u32 %k{}, %k{}, %k{};", n.to, n.a, n.b));
            case 1: return line(fmt::format("xor.b32 %k{}, %k{}, %k{};", n.to, n.a, n.b));
            case 2: return line(fmt::format("mad.lo.u32 %k{}, %k{}, {}, %k{};", n.to, n.a, n.immediate, n.b));
            case 3: return line(fmt::format("shr.u32 %k{}, %k{}, {};", n.to, n.a, n.immediate & 15));
            default: return line(fmt::format("max.u32 %k{}, %k{}, %k{};", n.to, n.a, n.b));
            }
        case Node::Kind::access: return write_visit(n);
        case Node::Kind::branch: {
            const std::string other = label(), end = label();
            write_condition(n);
            line(fmt::format("@!%p bra {};", other));
            write_nodes(n.body);
            if (!n.other.empty()) line(fmt::format("bra {};", end));
            line(other + ":");
            if (n.other.empty()) return;
            write_nodes(n.other);
            return line(end + ":");
        }
        case Node::Kind::loop: {
            const std::string again = label();
            if (n.turns_by_thread)
                line(fmt::format("and.b32 %n{0}, %k{1}, 3; add.u32 %n{0}, %n{0}, 1;", n.counter, n.a));
            else
                line(fmt::format("mov.u32 %n{}, {};", n.counter, n.turns));
            line(fmt::format("mov.u32 %c{}, 0;", n.counter));
            line(again + ":");
            write_nodes(n.body);
            line(fmt::format("add.u32 %c{0}, %c{0}, 1; setp.lt.u32 %p, %c{0}, %n{0};", n.counter));
            return line(fmt::format("@%p bra {};", again));
        }
        case Node::Kind::barrier: return line("bar.sync 0;");
        case Node::Kind::leave: {
            const std::string on = label();
            write_condition(n);
            line(fmt::format("@!%p bra {};", on));
            write_end();
            return line(on + ":");
        }
        }
    }
    void write_condition(const Node& n) {
        line(fmt::format("and.b32 %t, %k{}, {}; setp.lt.u32 %p, %t, {};", n.a, n.mask, n.immediate));
    }

    /// The address, in %x or, of shared memory, in %x32; what is wrong is added to it.
    void write_visit(const Node& n) {
        const Access& a = n.access;
        const bool wrong = &n == plan_.planted;
        line(fmt::format("mad.lo.u32 %i, %k{}, {}, {};", a.known, a.factor, a.summand));
        if (!a.linear) line(fmt::format("and.b32 %i, %i, {};", a.mask));
        line("add.u32 %i, %i, 2;");
        const bool word = a.memory == Memory::shared || a.memory == Memory::surface;
        if (a.does == Does::copy) { // both sides with the same index
            line(fmt::format("mul.lo.u32 %x32, %i, {}; mul.wide.u32 %x, %i, {};", a.bytes(), a.bytes()));
            line(fmt::format("add.u32 %x32, %x32, %sb; add.s64 %x, %b{}, %x;", a.buffer));
        } else if (a.memory == Memory::texture) {
            line("mov.u64 %x, %texture;");
        } else if (word) {
            line(fmt::format("mul.lo.u32 %x32, %i, {};", a.bytes()));
            if (a.memory == Memory::shared) line("add.u32 %x32, %x32, %sb;");
        } else {
            const std::string base = a.memory == Memory::buffer     ? fmt::format("%b{}", a.buffer)
                                     : a.memory == Memory::table    ? "%b2"
                                     : a.memory == Memory::constant ? "%cb"
                                     : a.memory == Memory::local    ? "%lb"
                                                                    : "%gs";
            line(fmt::format("mul.wide.u32 %x, %i, {}; add.s64 %x, {}, %x;", a.bytes(), base));
        }
        if (wrong) write_delta(word && !(a.does == Does::copy && a.from_is_wrong));
        if (!a.in_function) return write_access(n, word && a.does != Does::copy ? "%x32" : "%x", a.step);
        const auto number =
            std::find_if(functions_.begin(), functions_.end(), [&](const auto& f) { return f.first == &n; });
        if (word) line("cvt.u64.u32 %x, %x32;");
        line("{ .param .b64 p; .param .b64 w; .param .b64 r; st.param.b64 [p], %x; st.param.b64 [w], %acc;");
        line(fmt::format("call (r), f{}, (p, w); ld.param.b64 %acc, [r]; }}", number->second));
    }

    void write_delta(bool word) {
        const auto condition = [&] {
            line(fmt::format("setp.eq.u32 %q, %gid, {};", result_.thread));
            for (unsigned k = 0; plan_.with_counters && k < 2; ++k)
                line(fmt::format("setp.eq.and.u32 %q, %c{}, {}, %q;", k, plan_.counters[k]));
        };
        const std::string add = word ? "cvt.u32.u64 %t, %z; add.u32 %x32, %x32, %t;" : "add.s64 %x, %x, %z;";
        condition();
        switch (plan_.how) {
        case 0: return line("selp.b64 %z, %delta, 0, %q; " + add);
        case 1:
            line("mul.wide.u32 %z, %gid, 8; add.s64 %z, %deltas, %z; ld.global.u64 %z, [%z];");
            return line("selp.b64 %z, %z, 0, %q; " + add);
        case 2:
            return line(word ? "cvt.u32.u64 %t, %delta; @%q add.u32 %x32, %x32, %t;" : "@%q add.s64 %x, %x, %delta;");
        default: {
            const std::string on = label();
            line(fmt::format("@!%q bra {};", on));
            line("mov.b64 %z, %delta; " + add);
            return line(on + ":");
        }
        }
    }

    static std::string list(const std::string& name, unsigned count) {
        if (count == 1) return name + "0";
        std::string text = "{";
        for (unsigned k = 0; k < count; ++k)
            text += fmt::format("{}{}{}", k ? ", " : "", name, k);
        return text + "}";
    }
    /// The class of registers that hold an element.
    static std::string registers_of(const Access& a) {
        if (a.type == "f32") return "%f";
        if (a.type == "f64") return "%g";
        return a.each <= 2 ? "%h" : a.each == 4 ? "%r" : "%d";
    }
    /// An element's bits, into %v or back from %acc.
    void take(const std::string& name) {
        const char kind = name[1];
        if (kind == 'h') line(fmt::format("cvt.u64.u16 %v, {};", name));
        if (kind == 'r') line(fmt::format("cvt.u64.u32 %v, {};", name));
        if (kind == 'd') line(fmt::format("mov.b64 %v, {};", name));
        if (kind == 'f') line(fmt::format("mov.b32 %y, {}; cvt.u64.u32 %v, %y;", name));
        if (kind == 'g') line(fmt::format("mov.b64 %v, {};", name));
        line("shl.b64 %v2, %acc, 5; shr.b64 %acc, %acc, 59; or.b64 %acc, %acc, %v2; xor.b64 %acc, %acc, %v;");
    }
    void give(const std::string& name) {
        const char kind = name[1];
        if (kind == 'h') line(fmt::format("cvt.u16.u64 {}, %acc;", name));
        if (kind == 'r') line(fmt::format("cvt.u32.u64 {}, %acc;", name));
        if (kind == 'd' || kind == 'g') line(fmt::format("mov.b64 {}, %acc;", name));
        if (kind == 'f') line(fmt::format("cvt.u32.u64 %y, %acc; mov.b32 {}, %y;", name));
    }

    /// One line with a `.loc` before it.
    void write_place(const Node& n, const std::string& text, const std::string& spelled) {
        line(fmt::format(".loc 1 {} {}", n.access.line, n.access.column));
        line(text);
        if (&n != plan_.planted) return;
        result_.ptx_line = lines_;
        result_.spelled = spelled;
    }

    void write_access(const Node& n, const std::string& address, int step) {
        const Access& a = n.access;
        const std::string registers = registers_of(a);
        const std::string space = a.memory == Memory::shared                                ? ".shared"
                                  : a.memory == Memory::local                               ? ".local"
                                  : a.memory == Memory::constant                            ? ".const"
                                  : a.memory == Memory::generic_shared || a.written_generic ? ""
                                                                                            : ".global";
        const std::string at = fmt::format("[{}+{}]", address, step * static_cast<int>(a.bytes()));
        const std::string vector = a.vector > 1 ? fmt::format(".v{}", a.vector) : "";
        if (a.memory == Memory::surface) return write_surface(n);
        if (a.memory == Memory::texture) {
            write_place(n, "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%x, {%i}];", "tex.1d");
            for (unsigned k = 0; k < 4; ++k)
                take(fmt::format("%f{}", k));
            return;
        }
        switch (a.does) {
        case Does::load: {
            if (a.writes_known >= 0) {
                write_place(
                    n, fmt::format("ld{}{}.u32 %k{}, {};", space, a.modifier == ".nc" ? ".nc" : "", a.writes_known, at),
                    "ld" + space + ".u32");
                line(fmt::format("mov.b32 %r0, %k{};", a.writes_known)); // what nobody needs is not loaded
                take("%r0");
                return;
            }
            const bool behind = a.modifier == ".nc";
            write_place(n,
                        fmt::format("ld{}{}{}{}.{} {}, {};", behind ? "" : a.modifier, space, behind ? ".nc" : "",
                                    vector, a.type, list(registers, a.vector), at),
                        fmt::format("ld{}{}.{}", space, vector, a.type));
            for (unsigned k = 0; k < a.vector; ++k)
                take(fmt::format("{}{}", registers, k));
            return;
        }
        case Does::store:
            for (unsigned k = 0; k < a.vector; ++k)
                give(fmt::format("{}{}", registers, k));
            write_place(
                n, fmt::format("st{}{}{}.{} {}, {};", a.modifier, space, vector, a.type, at, list(registers, a.vector)),
                fmt::format("st{}{}.{}", space, vector, a.type));
            return;
        case Does::atom:
        case Does::red: {
            give(registers + "1");
            give(registers + "2");
            const std::string values = a.operation == "cas" ? fmt::format("{0}1, {0}2", registers) : registers + "1";
            const std::string name = a.does == Does::atom ? "atom" : "red";
            const std::string spelled = fmt::format("{}{}.{}.{}", name, space, a.operation, a.type);
            write_place(n,
                        spelled + (a.does == Does::atom ? fmt::format(" {}0, {}, {};", registers, at, values)
                                                        : fmt::format(" {}, {};", at, values)),
                        spelled);
            if (a.does == Does::atom) take(registers + "0");
            return;
        }
        case Does::copy:
            write_place(n,
                        fmt::format("cp.async.ca.shared.global [%x32+{0}], [%x+{0}], {1};",
                                    step * static_cast<int>(a.bytes()), a.bytes()),
                        "cp.async.shared.global");
            line("cp.async.wait_all;");
            return;
        }
    }

    void write_surface(const Node& n) {
        const Access& a = n.access;
        line(fmt::format("add.u32 %x32, %x32, {}; and.b32 %t, %gid, {};", a.step * static_cast<int>(a.bytes()),
                         kFaultSurfaceHeight - 1));
        if (a.does == Does::load) {
            write_place(n, "suld.b.2d.b32.trap %r0, [%surface, {%x32, %t}];", "suld");
            take("%r0");
        } else {
            give("%r0");
            write_place(n, "sust.b.2d.b32.trap [%surface, {%x32, %t}], %r0;", "sust");
        }
    }
    const Plan& plan_;
    FaultProgram& result_;
    unsigned lines_ = 0, labels_ = 0;
    std::vector<std::pair<const Node*, unsigned>> functions_;
};

} // namespace

void write_text(const Plan& plan, FaultProgram& program) { Text(plan, program).write(); }

} // namespace faults
