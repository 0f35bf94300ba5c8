// SPDX-License-Identifier: Apache-2.0
#include "fault_program.hpp"

#include "fault_nodes.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace faults;

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
        plan_.nodes = block(0, 8 + below(10));
        plant();
        write_text(plan_, result_);
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
        // A function has an address and what was loaded so far as its arguments.
        a.in_function = a.does != Does::copy && a.memory != Memory::surface && a.memory != Memory::texture &&
                        a.writes_known < 0 && one_in(4);
        a.written_generic = a.memory == Memory::buffer && a.does != Does::copy && one_in(a.in_function ? 2 : 6);
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
        case Memory::local: room = kFaultLocalBytes / bytes; break;
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
            if (attempt == 50) plan_.nodes.insert(plan_.nodes.begin(), access_node()); // nobody comes to any
            const unsigned block = below(blocks()), thread = below(block_threads());
            Interpretation i(begin_of(block, thread));
            i.run(plan_.nodes);
            visits = std::move(i.visits);
            std::erase_if(visits, may_be_cancelled);
            result_.thread = block * block_threads() + thread;
            result_.block_index = {block % result_.grid[0], block / result_.grid[0], 0};
            result_.thread_index = {thread % result_.block[0], thread / result_.block[0] % result_.block[1],
                                    thread / result_.block[0] / result_.block[1]};
        }
        const Visit chosen = visits[below(static_cast<unsigned>(visits.size()))];
        plan_.planted = chosen.node;
        plan_.with_counters = chosen.in_loop && one_in(2);
        plan_.counters = chosen.counters;
        // The first time that this thread is there with these counters.
        const Visit& first = *std::find_if(visits.begin(), visits.end(), [&](const Visit& v) {
            return v.node == plan_.planted && (!plan_.with_counters || v.counters == plan_.counters);
        });
        const Access& a = plan_.planted->access;
        FaultProgram& r = result_;
        r.memory = a.does == Does::copy && a.from_is_wrong ? a.from : a.memory;
        r.buffer = a.buffer;
        r.bytes = a.bytes();
        r.offset = a.offset(first.known);
        r.in_function = a.in_function;
        r.line = a.line;
        r.column = a.column;
        plan_.how = below(4);
        choose_wrong(a);
    }
    /// A block runs on one core, so atomic operations on its shared memory are plain loads and stores. The same
    /// exclusive or has no effect in a loop of an even number of turns: the compiler leaves it out, and nothing faults.
    static bool may_be_cancelled(const Visit& v) {
        const Access& a = v.node->access;
        return v.in_loop && a.does == Does::red && a.operation == "xor" && a.memory != Memory::buffer;
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
        const auto multiple = [&](unsigned most) { return std::int64_t{below(most / r.bytes)} * r.bytes; };
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

    std::mt19937_64 random_;
    FaultProgram result_;
    Plan plan_;
    bool barriers_ = false, leaves_ = false, surfaces_ = false;
    unsigned loops_ = 0;
};

} // namespace

std::uint32_t fault_table(std::uint32_t index) { return (index * 2654435761u) >> 7; }

FaultProgram fault_program(std::uint64_t seed) { return Generator(seed).program(); }
