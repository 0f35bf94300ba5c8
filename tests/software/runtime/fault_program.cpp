// SPDX-License-Identifier: Apache-2.0
#include "fault_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

using Memory = FaultProgram::Memory;
using Wrong = FaultProgram::Wrong;

// What a thread computes with and nobody else changes: registers %k0 … that the interpretation follows. %k0 begins as
// its number in the block, %k1 as that in the grid, %k2 as its block's, %k3 as the last argument.
constexpr unsigned kKnown = 8;
using Known = std::array<std::uint32_t, kKnown>;

enum class Does : std::uint8_t { load, store, atom, red, copy };

struct Access {
    Does does = Does::load;
    Memory memory = Memory::buffer;
    Memory from = Memory::buffer; ///< of a copy: what is wrong is either side
    bool from_is_wrong = false;
    unsigned buffer = 0;
    bool written_generic = false; ///< a buffer, without .global
    bool in_function = false;
    std::string modifier, operation, type; ///< ".volatile", "add", "u32"
    unsigned vector = 1, each = 4;
    int step = 0; ///< elements, of the constant in the address
    bool linear = false;
    unsigned known = 0, factor = 1, summand = 0, mask = 0; ///< index: known * factor + summand, masked if not linear
    unsigned line = 0, column = 0;
    int writes_known = -1; ///< of a load from the table: the register that it goes to

    [[nodiscard]] unsigned bytes() const { return vector * each; }
    [[nodiscard]] std::uint32_t index(const Known& k) const {
        const std::uint32_t value = k[known] * factor + summand;
        return (linear ? value : value & mask) + 2;
    }
    /// Of the good address.
    [[nodiscard]] std::uint64_t offset(const Known& k) const {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::uint64_t{index(k)} * bytes()) +
                                          static_cast<std::int64_t>(step) * bytes());
    }
};

struct Node {
    enum class Kind : std::uint8_t { compute, access, branch, loop, barrier, leave };
    Kind kind = Kind::compute;
    // compute: to = a (operation) b or immediate; branch, leave: (a & mask) < immediate
    unsigned to = 0, a = 0, b = 0, operation = 0;
    std::uint32_t immediate = 0, mask = 0;
    // loop: `counter` goes from 0 up to the number of turns
    unsigned counter = 0, turns = 0;
    bool turns_by_thread = false;
    Access access;
    std::vector<Node> body, other;
};

std::uint32_t compute(unsigned operation, std::uint32_t a, std::uint32_t b, std::uint32_t immediate) {
    switch (operation) {
    case 0: return a + b;
    case 1: return a ^ b;
    case 2: return a * immediate + b;
    case 3: return a >> (immediate & 15);
    default: return std::max(a, b);
    }
}

/// One time that a thread comes to an access.
struct Visit {
    const Node* node;
    Known known;
    std::array<std::uint32_t, 2> counters;
    bool in_loop;
};

/// What a thread does, of all the program.
class Interpretation {
public:
    explicit Interpretation(const Known& known) : known_(known) {}
    void run(const std::vector<Node>& nodes) {
        for (const Node& n : nodes) {
            if (left_) return;
            step(n);
        }
    }
    std::vector<Visit> visits;

private:
    void step(const Node& n) {
        switch (n.kind) {
        case Node::Kind::compute: known_[n.to] = compute(n.operation, known_[n.a], known_[n.b], n.immediate); return;
        case Node::Kind::access:
            if (visits.size() < 4096) visits.push_back({&n, known_, counters_, loops_ > 0});
            if (n.access.writes_known >= 0)
                known_[static_cast<std::size_t>(n.access.writes_known)] =
                    fault_table(static_cast<std::uint32_t>(n.access.offset(known_) / 4));
            return;
        case Node::Kind::branch: return run((known_[n.a] & n.mask) < n.immediate ? n.body : n.other);
        case Node::Kind::loop: {
            const std::uint32_t turns = n.turns_by_thread ? (known_[n.a] & 3) + 1 : n.turns;
            ++loops_;
            for (std::uint32_t k = 0; k < turns && !left_; ++k) {
                counters_[n.counter] = k;
                run(n.body);
            }
            --loops_;
            if (!left_) counters_[n.counter] = turns;
            return;
        }
        case Node::Kind::barrier: return;
        case Node::Kind::leave: left_ = (known_[n.a] & n.mask) < n.immediate; return;
        }
    }

    Known known_;
    std::array<std::uint32_t, 2> counters_{};
    int loops_ = 0;
    bool left_ = false;
};

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    FaultProgram program() {
        choose_shape();
        barriers_ = one_in(2);
        leaves_ = one_in(3);
        surfaces_ = one_in(6);
        nodes_ = block(0, 8 + below(10));
        plant();
        write();
        return std::move(result_);
    }

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    bool one_in(unsigned n) { return below(n) == 0; }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return all.begin()[below(static_cast<unsigned>(all.size()))];
    }

    void choose_shape() {
        result_.block = one_of<std::array<unsigned, 3>>({{32, 1, 1},
                                                         {64, 1, 1},
                                                         {128, 1, 1},
                                                         {256, 1, 1},
                                                         {48, 1, 1},
                                                         {40, 2, 1},
                                                         {33, 1, 1},
                                                         {16, 4, 1},
                                                         {32, 4, 2},
                                                         {8, 8, 1}});
        result_.grid = one_of<std::array<unsigned, 3>>({{1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {7, 1, 1}, {2, 2, 1}});
        result_.number = below(1000);
    }
    [[nodiscard]] unsigned block_threads() const { return result_.block[0] * result_.block[1] * result_.block[2]; }
    [[nodiscard]] unsigned blocks() const { return result_.grid[0] * result_.grid[1] * result_.grid[2]; }

    // --- the program

    std::vector<Node> block(unsigned depth, unsigned length) {
        std::vector<Node> nodes;
        while (nodes.size() < length)
            nodes.push_back(node(depth));
        return nodes;
    }

    Node node(unsigned depth) {
        Node n;
        const unsigned what = below(16);
        if (what < 3) return computation();
        if (what < 5 && depth < 3) {
            n.kind = Node::Kind::branch;
            condition(n);
            n.body = block(depth + 1, 1 + below(4));
            if (one_in(2)) n.other = block(depth + 1, 1 + below(3));
            return n;
        }
        if (what < 7 && depth < 3 && loops_ < 2) {
            n.kind = Node::Kind::loop;
            n.turns_by_thread = one_in(2);
            n.a = below(kKnown);
            n.turns = 1 + below(6);
            n.counter = loops_++;
            n.body = block(depth + 1, 1 + below(4));
            --loops_;
            return n;
        }
        if (what == 7 && depth == 0 && barriers_) {
            n.kind = Node::Kind::barrier;
            return n;
        }
        if (what == 8 && depth > 0 && leaves_ && one_in(3)) {
            n.kind = Node::Kind::leave;
            condition(n);
            return n;
        }
        n.kind = Node::Kind::access;
        n.access = access();
        return n;
    }
    Node computation() {
        Node n;
        n.to = 4 + below(kKnown - 4);
        n.a = below(kKnown);
        n.b = below(kKnown);
        n.operation = below(5);
        n.immediate = 1 + below(30);
        return n;
    }
    void condition(Node& n) {
        n.a = one_in(4) ? 2 : below(kKnown); // %k2 is the same in all threads
        n.mask = one_of({1u, 3u, 7u, 15u, 31u, 63u});
        n.immediate = 1 + below(n.mask);
    }

    void choose_type(Access& a) {
        a.type = one_of({"u8", "u16", "u32", "u32", "f32", "f32", "b32", "s32", "u64", "f64"});
        a.each = a.type == "u8" ? 1 : a.type == "u16" ? 2 : a.type.ends_with("64") ? 8 : 4;
        a.vector = one_in(3) ? (a.each == 8 ? 2 : one_of({2u, 4u})) : 1;
    }

    Access access() {
        Access a;
        a.line = 1 + below(900);
        a.column = 1 + below(70);
        a.memory = one_of({Memory::buffer, Memory::buffer, Memory::buffer, Memory::buffer, Memory::table,
                           Memory::shared, Memory::shared, Memory::generic_shared, Memory::local, Memory::constant});
        if (surfaces_ && one_in(4)) a.memory = one_of({Memory::surface, Memory::texture});
        a.buffer = below(2);
        choose_type(a);
        const bool may_write = a.memory != Memory::table && a.memory != Memory::constant && a.memory != Memory::texture;
        a.does = may_write && one_in(2) ? Does::store : Does::load;
        const bool may_be_atomic =
            a.memory == Memory::buffer || a.memory == Memory::shared || a.memory == Memory::generic_shared;
        if (may_be_atomic && one_in(5))
            choose_atomic(a);
        else if (a.memory == Memory::buffer && one_in(8))
            choose_copy(a);
        else if (a.memory == Memory::table && one_in(2)) {
            a.type = "u32";
            a.each = 4;
            a.vector = 1;
            a.writes_known = static_cast<int>(4 + below(kKnown - 4));
        }
        if (a.memory == Memory::surface || a.memory == Memory::texture) {
            a.type = "b32";
            a.each = 4;
            a.vector = 1;
        }
        const bool plain = a.does == Does::load || a.does == Does::store;
        if (plain && a.vector == 1 && a.each >= 4 && a.memory <= Memory::generic_shared &&
            a.memory != Memory::constant && one_in(6))
            a.modifier = a.memory == Memory::table ? ".volatile"
                         : a.does == Does::load    ? one_of({".volatile", ".relaxed.gpu", ".acquire.gpu"})
                                                   : one_of({".volatile", ".relaxed.gpu", ".release.gpu"});
        // What a thread stores for itself alone, and never loads, is not stored.
        if (a.memory == Memory::local) a.modifier = ".volatile";
        a.written_generic = a.memory == Memory::buffer && a.does != Does::copy && one_in(6);
        a.in_function = (a.memory == Memory::buffer || a.memory == Memory::generic_shared) && plain &&
                        a.modifier.empty() && one_in(4);
        if (a.in_function) a.written_generic = a.memory == Memory::buffer && one_in(2);
        if (a.memory == Memory::table && a.modifier.empty() && one_in(2)) a.modifier = ".nc";
        choose_index(a);
        return a;
    }

    void choose_atomic(Access& a) {
        a.does = one_in(2) ? Does::atom : Does::red;
        a.vector = 1;
        struct Form {
            const char *operation, *type;
            bool red;
        };
        static constexpr Form forms[] = {{"add", "u32", true},   {"add", "f32", true},   {"add", "u64", true},
                                         {"min", "s32", true},   {"max", "u32", true},   {"and", "b32", true},
                                         {"or", "b32", true},    {"xor", "b64", true},   {"inc", "u32", true},
                                         {"exch", "b32", false}, {"exch", "b64", false}, {"cas", "b32", false},
                                         {"cas", "b64", false},  {"add", "f64", true},   {"max", "s64", true}};
        const Form& f = forms[below(std::size(forms))];
        if (!f.red) a.does = Does::atom;
        a.operation = f.operation;
        a.type = f.type;
        a.each = a.type.ends_with("64") ? 8 : 4;
    }

    void choose_copy(Access& a) {
        a.does = Does::copy;
        a.memory = Memory::shared;
        a.from = Memory::buffer;
        a.from_is_wrong = one_in(2);
        a.each = one_of({4u, 8u, 16u});
        a.vector = 1;
        a.type.clear();
    }

    void choose_index(Access& a) {
        const unsigned bytes = a.bytes();
        a.step = static_cast<int>(below(5)) - 2;
        a.known = below(kKnown);
        a.factor = one_of({1u, 1u, 2u, 3u, 4u, 5u});
        a.summand = below(16);
        std::uint32_t room = 0; // elements
        switch (a.memory) {
        case Memory::buffer:
        case Memory::table: room = static_cast<std::uint32_t>(kFaultBufferBytes) / bytes; break;
        case Memory::constant: room = kFaultConstantBytes / bytes; break;
        case Memory::shared:
        case Memory::generic_shared: room = kFaultSharedBytes / bytes; break;
        case Memory::local: room = 256 / bytes; break;
        case Memory::surface:
        case Memory::texture: room = kFaultSurfaceWidth; break;
        }
        a.mask = 1;
        while (2 * a.mask + 5 < room)
            a.mask = 2 * a.mask + 1;
        if (a.mask + 4 >= room) a.mask /= 2;
        const bool by_thread = a.memory == Memory::buffer || a.memory == Memory::table;
        const bool by_lane = (a.memory == Memory::shared || a.memory == Memory::generic_shared) && a.does != Does::copy;
        if (one_in(3) || !(by_thread || by_lane)) return;
        // What threads mostly do: each its own element, one or a few apart. %k0 and %k1 never change.
        a.linear = true;
        a.known = by_thread ? 1 : 0;
        a.factor = by_thread ? one_of({1u, 1u, 1u, 2u, 4u}) : 1;
    }

    // --- what is wrong

    Known begin_of(unsigned block, unsigned thread) const {
        Known k{};
        k[0] = thread;
        k[1] = block * block_threads() + thread;
        k[2] = block;
        k[3] = result_.number;
        return k;
    }

    void plant() {
        std::vector<Visit> visits;
        for (int attempt = 0; visits.empty(); ++attempt) {
            if (attempt == 50) nodes_.insert(nodes_.begin(), access_node()); // nobody comes to any
            const unsigned block = below(blocks()), thread = below(block_threads());
            Interpretation i(begin_of(block, thread));
            i.run(nodes_);
            visits = std::move(i.visits);
            result_.thread = block * block_threads() + thread;
            result_.block_index = {block % result_.grid[0], block / result_.grid[0], 0};
            result_.thread_index = {thread % result_.block[0], thread / result_.block[0] % result_.block[1],
                                    thread / result_.block[0] / result_.block[1]};
        }
        const Visit chosen = visits[below(static_cast<unsigned>(visits.size()))];
        planted_ = chosen.node;
        with_counters_ = chosen.in_loop && one_in(2);
        counters_ = chosen.counters;
        // The first time that this thread is there with these counters.
        const Visit& first = *std::find_if(visits.begin(), visits.end(), [&](const Visit& v) {
            return v.node == planted_ && (!with_counters_ || v.counters == counters_);
        });
        const Access& a = planted_->access;
        FaultProgram& r = result_;
        r.memory = a.does == Does::copy && a.from_is_wrong ? a.from : a.memory;
        r.buffer = a.buffer;
        r.bytes = a.bytes();
        r.offset = a.offset(first.known);
        r.in_function = a.in_function;
        r.line = a.line;
        r.column = a.column;
        how_ = below(4);
        choose_wrong(a);
    }
    Node access_node() {
        Node n;
        n.kind = Node::Kind::access;
        n.access = access();
        return n;
    }

    void choose_wrong(const Access& a) {
        FaultProgram& r = result_;
        const auto odd = [&] { r.delta = 1 + below(r.bytes - 1); };
        const bool may_be_odd = r.bytes > 1;
        const auto to = [&](std::int64_t place) { r.delta = place - static_cast<std::int64_t>(r.offset); };
        const auto multiple = [&](unsigned most) { return static_cast<std::int64_t>(below(most / r.bytes) * r.bytes); };
        switch (r.memory) {
        case Memory::buffer:
        case Memory::table:
        case Memory::constant:
            r.wrong = one_of({Wrong::beside, Wrong::beside, Wrong::far, Wrong::null, Wrong::no_address, Wrong::freed,
                              Wrong::misaligned, Wrong::misaligned});
            if (r.wrong == Wrong::misaligned && !may_be_odd) r.wrong = Wrong::far;
            if (r.wrong == Wrong::misaligned) odd();
            // Within the addresses that the device has to itself: others may be the program's.
            if (r.wrong == Wrong::far) r.delta = (std::int64_t{1} << (36 + below(7))) + multiple(4096);
            if (r.wrong == Wrong::beside) {
                const auto size =
                    static_cast<std::int64_t>(r.memory == Memory::constant ? kFaultConstantBytes : kFaultBufferBytes);
                to(one_in(2) ? size + multiple(4096) : multiple(4096) - 4096);
            }
            break; // the others depend on where memory is
        case Memory::shared:
        case Memory::generic_shared: {
            const auto past = [&] { to(kFaultSharedBytes + multiple(1u << 16)); };
            if (may_be_odd && one_in(3)) {
                r.wrong = Wrong::misaligned;
                odd();
            } else {
                r.wrong = Wrong::beside;
                if (one_in(4))
                    to(-static_cast<std::int64_t>(32768) + multiple(8192));
                else
                    past();
            }
            // What is added to a register must not wrap.
            (void)a;
            break;
        }
        case Memory::local:
            if (may_be_odd && one_in(2)) {
                r.wrong = Wrong::misaligned;
                odd();
            } else {
                r.wrong = Wrong::far;
                r.delta = -(std::int64_t{1} << 45);
            }
            break;
        case Memory::texture: r.wrong = Wrong::freed; break; // another texture, whose array is
        case Memory::surface:
            if (one_in(3)) {
                r.wrong = Wrong::misaligned;
                r.delta = 1 + below(3);
            } else {
                r.wrong = Wrong::beside;
                to(one_in(2) ? kFaultSurfaceWidth * 4 + multiple(64) : multiple(64) - 64);
            }
            break;
        }
    }

    // --- its text

    void line(const std::string& text) {
        result_.text += text;
        result_.text += '\n';
        ++lines_;
    }
    std::string label() { return fmt::format("L{}", labels_++); }

    void write() {
        line(".version 7.8");
        line(".target sm_80");
        line(".address_size 64");
        line(".file 1 \"fault.cu\"");
        line(fmt::format(".const .align 16 .b8 c[{}];", kFaultConstantBytes));
        write_functions(nodes_);
        line(".visible .entry k(.param .u64 first, .param .u64 second, .param .u64 table, .param .u64 out,");
        line("  .param .u64 deltas, .param .u64 delta, .param .u64 surface, .param .u64 texture, .param .u32 number)");
        line("{");
        line(fmt::format(".shared .align 16 .b8 s[{}];", kFaultSharedBytes));
        line(".local .align 16 .b8 l[256];");
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
        line(fmt::format("mad.lo.u32 %k1, %k2, {}, %k0; mov.u32 %gid, %k1;", block_threads()));
        for (unsigned k = 4; k < kKnown; ++k)
            line(fmt::format("mov.u32 %k{}, 0;", k));
        line("mov.u32 %c0, 0; mov.u32 %c1, 0; cvt.u64.u32 %acc, %gid;");
        line("mov.u32 %sb, s; mov.u64 %lb, l; mov.u64 %cb, c; mov.u64 %gs, s; cvta.shared.u64 %gs, %gs;");
        write_nodes(nodes_);
        write_end();
        line("}");
    }
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
                line(".reg .b64 %x, %v, %v2, %acc; .reg .b32 %y;");
                line("ld.param.b64 %x, [p]; ld.param.b64 %acc, [w];");
                write_access(n, "%x", a.step);
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
        const bool wrong = &n == planted_;
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
        line("{ .param .b64 p; .param .b64 w; .param .b64 r; st.param.b64 [p], %x; st.param.b64 [w], %acc;");
        line(fmt::format("call (r), f{}, (p, w); ld.param.b64 %acc, [r]; }}", number->second));
    }

    void write_delta(bool word) {
        const auto condition = [&] {
            line(fmt::format("setp.eq.u32 %q, %gid, {};", result_.thread));
            for (unsigned k = 0; with_counters_ && k < 2; ++k)
                line(fmt::format("setp.eq.and.u32 %q, %c{}, {}, %q;", k, counters_[k]));
        };
        const std::string add = word ? "cvt.u32.u64 %t, %z; add.u32 %x32, %x32, %t;" : "add.s64 %x, %x, %z;";
        condition();
        switch (how_) {
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
        if (&n != planted_) return;
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

    std::mt19937_64 random_;
    FaultProgram result_;
    std::vector<Node> nodes_;
    bool barriers_ = false, leaves_ = false, surfaces_ = false;
    unsigned loops_ = 0;
    const Node* planted_ = nullptr;
    bool with_counters_ = false;
    std::array<std::uint32_t, 2> counters_{};
    unsigned how_ = 0;
    unsigned lines_ = 0, labels_ = 0;
    std::vector<std::pair<const Node*, unsigned>> functions_;
};

} // namespace

std::uint32_t fault_table(std::uint32_t index) { return (index * 2654435761u) >> 7; }

FaultProgram fault_program(std::uint64_t seed) { return Generator(seed).program(); }
