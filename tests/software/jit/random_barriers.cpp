// SPDX-License-Identifier: Apache-2.0
// Barriers of random programs that threads arrive at without waiting, and barrier objects: those of a thread alone,
// where each answer is known from what the PTX ISA says and a wrong one ends the program, and those of the block.
//
// %xs4 and %xw4 are the shared and the generic address of the object, %xw5 is a state, %xs6 and %xs7 are addresses of
// 16 bytes that are the thread's own.
#include "random_forms.hpp"

#include <algorithm>
#include <optional>

using warplight::ptx::Opcode;

/// What a barrier object holds.
struct RandomForms::Object {
    unsigned pending = 0, expected = 0, bytes = 0, phase = 0;
    std::optional<unsigned> state; ///< the phase that %xw5 is of

    void settle() {
        if (pending || bytes) return;
        ++phase;
        pending = expected;
        // A state tells of its phase, and of the next one that it has ended.
        if (state && phase - *state > 1) state.reset();
    }
};

/// An operand.
std::string RandomForms::number(unsigned n) {
    if (one_in(2)) return std::to_string(n);
    line("mov.u32 %xs5, " + std::to_string(n) + ";");
    return "%xs5";
}

/// An instruction on the object, up to its address. "@" is where a destination comes.
std::string RandomForms::operation(const std::string& words, bool of_cluster) {
    struct Way {
        const char *space, *address;
    };
    static constexpr Way kWays[] = {{".shared", "[%xs4]"},
                                    {".shared::cta", "[%xs4]"},
                                    {"", "[%xw4]"},
                                    {".shared::cta", "[%xw6]"},
                                    {".shared::cluster", "[%xs4]"}};
    const Way& way = kWays[of_cluster && one_in(2) ? 4 : below(4)];
    if (std::string_view(way.address) == "[%xw6]") line("cvt.u64.u32 %xw6, %xs4;");
    const std::size_t gap = words.find('@');
    const std::string mnemonic = words.substr(0, gap);
    const std::string before = gap == std::string::npos ? " " : " " + words.substr(gap + 1) + ", ";
    return "mbarrier." + mnemonic + way.space + ".b64" + before + way.address;
}

std::string RandomForms::release() { return one_of({"", "", ".release.cta", ".release.cluster"}); }

/// That %xn0 holds, or that it does not.
void RandomForms::require(bool expected) {
    line(std::string("@") + (expected ? "!" : "") + "%xn0 " + one_of({"trap", "brkpt"}) + ";");
}

void RandomForms::require_same(const std::string& reg, unsigned expected) {
    line("setp.ne.u32 %xn0, " + reg + ", " + std::to_string(expected) + ";");
    require(false);
    line("xor.b32 " + r() + ", " + r() + ", " + reg + ";");
}

RandomForms::Transfer RandomForms::transfer_of(const Form& form) {
    if (form.opcode == Opcode::st) return Transfer::store;
    if (form.opcode == Opcode::red) return Transfer::reduction;
    return one_in(3) ? Transfer::store : one_in(2) ? Transfer::reduction : Transfer::copy;
}

unsigned RandomForms::transfer_bytes(Transfer transfer) {
    if (transfer == Transfer::copy) return 16;
    return transfer == Transfer::store ? 4U << below(3) : 4U << below(2);
}

/// So many bytes to the thread's own place, which the object counts.
void RandomForms::transfer(Transfer transfer, unsigned bytes) {
    static const std::string kCounted = ".mbarrier::complete_tx::bytes";
    // 16 bytes for what is written, and as many for what it is made of: places of one size do not overlap.
    line("mad.lo.u32 %xs6, %xs0, 32, %xs3;\nadd.u32 %xs7, %xs6, 16;");
    if (one_in(3)) line("mapa.shared::cluster.u32 %xs7, %xs7, 0;");
    switch (transfer) {
    case Transfer::store: {
        const std::string name = "st.async.weak.shared::cluster" + kCounted;
        const std::string two = "{" + r() + ", " + r() + "}";
        if (bytes == 4)
            line(one_of({"st.async", "st.async.weak"}) + ".shared::cluster" + kCounted +
                 (one_in(2) ? one_of({".b32", ".u32", ".s32"}) + " [%xs7], " + r()
                            : ".f32 [%xs7], %f" + std::to_string(below(4))) +
                 ", [%xs4];");
        else if (bytes == 8)
            line(name +
                 (one_in(2) ? ".v2" + one_of({".b32", ".u32", ".s32"}) + " [%xs7], " + two
                            : one_of({".b64", ".u64", ".s64"}) + " [%xs7], %xl" + std::to_string(below(3))) +
                 ", [%xs4];");
        else
            line(name +
                 (one_in(2) ? ".v4.b32 [%xs7], {" + r() + ", " + r() + ", " + r() + ", " + r() + "}"
                            : std::string(".v2.u64 [%xs7], {%xl0, %xl2}")) +
                 ", [%xs4];");
        break;
    }
    case Transfer::reduction: {
        line("st.shared.v2.u32 [%xs6+16], {" + r() + ", " + r() + "};");
        if (bytes == 8)
            line("red.async.relaxed.cluster.shared::cluster" + kCounted + ".add.u64 [%xs7], %xl" +
                 std::to_string(below(3)) + ", [%xs4];");
        else
            line("red.async.relaxed.cluster.shared::cluster" + kCounted +
                 one_of({".add.u32", ".add.s32", ".min.u32", ".min.s32", ".max.u32", ".max.s32", ".inc.u32", ".dec.u32",
                         ".and.b32", ".or.b32", ".xor.b32"}) +
                 " [%xs7], " + r() + ", [%xs4];");
        break;
    }
    case Transfer::copy:
        if (one_in(3)) {
            reduce_in_bulk(false);
        } else if (one_in(3)) {
            line("st.shared.u32 [%xs6], " + r() + ";\ncp.async.bulk.shared::cluster.shared::cta" + kCounted +
                 " [%xs7], [%xs6], 16, [%xs4];");
        } else {
            const std::string from = read_address(warplight::ptx::Space::global, 16);
            const std::string size = number(16);
            const std::string way = one_of({".shared::cta.global", ".shared::cluster.global"});
            if (one_in(3))
                line("mov.b16 %xh0, 1;\ncp.async.bulk.shared::cluster.global" + kCounted +
                     ".multicast::cluster [%xs7], " + from + ", " + size + ", [%xs4], %xh0;");
            else if (one_in(2))
                line("cp.async.bulk" + way + kCounted + ".L2::cache_hint [%xs7], " + from + ", " + size +
                     ", [%xs4], %xl1;");
            else
                line("cp.async.bulk" + way + kCounted + " [%xs7], " + from + ", " + size + ", [%xs4];");
        }
        break;
    }
}

/// A copy, and what tells the object that it is done: one of its arrivals, or one more.
void RandomForms::copy_that_arrives(bool counts) {
    const std::string from = read_address(warplight::ptx::Space::global, 16);
    line("mad.lo.u32 %xs6, %xs0, 32, %xs3;\ncp.async.cg.shared.global [%xs6], " + from + ", 16;");
    line("cp.async.mbarrier.arrive" + std::string(counts ? ".noinc" : "") +
         one_of({".shared.b64 [%xs4];", ".shared::cta.b64 [%xs4];", ".b64 [%xw4];"}));
}

/// One operation of a thread on its own object.
void RandomForms::object_step(Object& o) {
    const auto sink = [&] { return one_in(4); };
    const auto arrived = [&](bool has_state, unsigned before, unsigned count) {
        if (has_state) {
            if (one_in(2)) {
                line("mbarrier.pending_count.b64 %xs5, %xw5;");
                require_same("%xs5", before);
            }
            o.state = o.phase;
        }
        o.pending -= count;
        o.settle();
    };
    const std::string sem = one_of({"", "", ".release.cta", ".release.cluster", ".relaxed.cta", ".relaxed.cluster"});
    const std::string tx_sem = one_of({"", ".relaxed.cta", ".relaxed.cluster"});
    const unsigned before = o.pending;
    switch (below(9)) {
    case 0: { // arrive
        if (!o.pending) return;
        const unsigned count = 1 + below(o.pending);
        const bool none = sink();
        const std::string counted = count == 1 && one_in(2) ? "" : ", " + number(count);
        line(operation("arrive" + sem + (none ? "@_" : "@%xw5"), none) + counted + ";");
        return arrived(!none, before, count);
    }
    case 1: { // arrive, and the phase goes on
        if (o.pending < 2) return;
        const unsigned count = 1 + below(o.pending - 1);
        const bool drops = o.expected > count && one_in(2);
        const std::string counted = number(count);
        line(operation(std::string(drops ? "arrive_drop" : "arrive") + ".noComplete" + one_of({"", ".release.cta"}) +
                       "@%xw5") +
             ", " + counted + ";");
        if (drops) o.expected -= count;
        return arrived(true, before, count);
    }
    case 2: { // arrive, and never again
        if (!o.pending || o.expected < 2) return;
        const unsigned count = 1 + below(std::min(o.pending, o.expected - 1));
        const bool none = sink();
        const std::string counted = count == 1 && one_in(2) ? "" : ", " + number(count);
        line(operation("arrive_drop" + sem + (none ? "@_" : "@%xw5"), none) + counted + ";");
        o.expected -= count;
        return arrived(!none, before, count);
    }
    case 3: { // arrive, and bytes are to come
        if (!o.pending) return;
        const unsigned bytes = 1 + below(100);
        const bool none = sink(), drops = o.expected > 1 && one_in(3);
        const std::string counted = number(bytes);
        line(operation(std::string(drops ? "arrive_drop" : "arrive") + ".expect_tx" + sem + (none ? "@_" : "@%xw5"),
                       none) +
             ", " + counted + ";");
        if (drops) --o.expected;
        o.bytes += bytes;
        return arrived(!none, before, 1);
    }
    case 4: { // bytes come
        if (!o.bytes) return;
        const unsigned bytes = one_in(2) ? o.bytes : 1 + below(o.bytes);
        const std::string counted = number(bytes);
        line(operation("complete_tx" + tx_sem, true) + ", " + counted + ";");
        o.bytes -= bytes;
        return o.settle();
    }
    case 5: { // they are awaited, and come
        const Transfer way = one_in(2) ? Transfer::copy : one_in(2) ? Transfer::store : Transfer::reduction;
        const unsigned bytes = transfer_bytes(way);
        const std::string counted = number(bytes);
        line(operation("expect_tx" + tx_sem, true) + ", " + counted + ";");
        transfer(way, bytes);
        line("ld.shared.u32 " + r() + ", [%xs6+16];");
        return o.settle(); // nothing, but where the phase has waited for bytes alone it still does
    }
    case 6: {
        const bool counts = o.pending && one_in(2);
        copy_that_arrives(counts);
        return arrived(false, before, counts ? 1 : 0);
    }
    default: { // has it ended?
        const std::string wait = one_in(3) ? "try_wait" : "test_wait";
        const std::string acquire =
            one_of({"", "", ".acquire.cta", ".acquire.cluster", ".relaxed.cta", ".relaxed.cluster"});
        const std::string hint = wait == "try_wait" && one_in(2) ? ", " + one_of({"20", "64", "%r34"}) : "";
        if (o.state && one_in(2)) {
            line(operation(wait + acquire + "@%xn0") + ", %xw5" + hint + ";");
            require(o.phase != *o.state);
        } else {
            const unsigned parity = below(2);
            const std::string which = number(parity);
            line(operation(wait + ".parity" + acquire + "@%xn0") + ", " + which + hint + ";");
            require((o.phase & 1) != parity);
        }
        line("selp.b32 " + r() + ", " + r() + ", " + r() + ", %xn0;");
        return;
    }
    }
}

void RandomForms::own_object(const Form& form, const std::string& guard) {
    const std::string end = label();
    if (!guard.empty()) line(guard + "bra " + end + ";");
    line("mad.lo.u32 %xs4, %xs0, 8, %xs3;\ncvt.u64.u32 %xw4, %xs4;\ncvta.shared.u64 %xw4, %xw4;");
    Object o;
    o.pending = o.expected = 1 + below(6);
    const std::string count = number(o.pending);
    line(operation("init") + ", " + count + ";");
    if (form.opcode != Opcode::mbarrier) {
        const Transfer way = transfer_of(form);
        const unsigned bytes = transfer_bytes(way);
        line("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%xs4], " + std::to_string(bytes) + ";");
        transfer(way, bytes);
        line("ld.shared.u32 " + r() + ", [%xs6+16];");
    }
    for (unsigned steps = 4 + below(10); steps; --steps)
        object_step(o);
    line("mbarrier.test_wait.parity.shared::cta.b64 %xn0, [%xs4], " + std::to_string(o.phase & 1) + ";\n@%xn0 trap;");
    line(operation("inval") + ";\n" + end + ":");
}

/// Each thread's word, for another one to read once all have been here: that it is the word of now is known.
void RandomForms::exchange_begins(const std::string& guard) {
    exchanged_ = 1 + below(1U << 31U);
    line("mad.lo.u32 %xs6, %r0, 40503, " + std::to_string(exchanged_) + ";\n" + guard + "st.shared.u32 [%r32], %xs6;");
}

/// %xs5: whose word is read.
void RandomForms::exchange_ends(const std::string& guard) {
    line("mad.lo.u32 %xs6, %xs5, 40503, " + std::to_string(exchanged_) +
         ";\nshl.b32 %xs5, %xs5, 2;\nadd.u32 %xs5, %xs5, %r33;");
    line("mov.u32 %xs7, %xs6;\n" + guard + "ld.shared.u32 %xs7, [%xs5];\nsetp.ne.u32 %xn2, %xs7, %xs6;\n@%xn2 " +
         one_of({"trap", "brkpt"}) + ";\nxor.b32 " + r() + ", " + r() + ", %xs7;");
}

void RandomForms::exchange_with_another() {
    line("add.u32 %xs5, %r0, " + std::to_string(below(64)) + ";\nrem.u32 %xs5, %xs5, %r30;");
    exchange_ends("");
}

/// So many arrivals of each thread at the block's object.
void RandomForms::arrive_in_phase(const Form& form, unsigned arrivals, bool& has_state) {
    for (unsigned left = arrivals; left;) {
        const unsigned count = 1 + below(left);
        const bool last = count == left;
        left -= count;
        if (!last && one_in(2)) {
            line(operation("arrive.noComplete@%xw5") + ", " + std::to_string(count) + ";");
            has_state = true;
        } else if (last && count == 1 && one_in(4)) {
            copy_that_arrives(true);
        } else if (count == 1 && (form.opcode != Opcode::mbarrier || one_in(3))) {
            // Bytes that come before the thread arrives, or behind it.
            const Transfer way = transfer_of(form);
            const unsigned bytes = transfer_bytes(way);
            if (one_in(2)) {
                line(operation("arrive.expect_tx" + release() + "@%xw5") + ", " + std::to_string(bytes) + ";");
                transfer(way, bytes);
            } else {
                line(operation("expect_tx.relaxed.cta", true) + ", " + std::to_string(bytes) + ";");
                transfer(way, bytes);
                line(operation("arrive" + release() + "@%xw5") + ";");
            }
            has_state = true;
        } else {
            const std::string counted = count == 1 ? "" : ", " + number(count);
            line(operation("arrive" + release() + "@%xw5") + counted + ";");
            has_state = true;
        }
    }
}

/// All threads of the block arrive at an object and wait until all have; one half may do so no more some day.
void RandomForms::object_of_block(const Form& form) {
    line("mov.u32 %xs4, objects_here;\nadd.u32 %xs4, %xs4, " + std::to_string(8 * below(8)) +
         ";\ncvt.u64.u32 %xw4, %xs4;\ncvta.shared.u64 %xw4, %xw4;");
    const unsigned each = 1 + below(3);
    line("setp.eq.u32 %xn1, %r0, " + std::to_string(below(32)) + ";\nmul.lo.u32 %xs5, %r30, " + std::to_string(each) +
         ";\n@%xn1 mbarrier.init" + one_of({".shared", ".shared::cta"}) + ".b64 [%xs4], %xs5;\nbar.sync 0;");
    const std::string end = label();
    bool half = false;
    for (unsigned phase = 0, phases = 1 + below(4); phase < phases; ++phase) {
        const bool drops = !half && each == 1 && one_in(4);
        half |= drops;
        const bool exchanges = !half && phase % 2 == 0; // the next phase is for those that read
        bool has_state = half;
        if (exchanges) exchange_begins("");
        if (drops) {
            // Who does not arrive has no phase to wait for: the others go on without it.
            line("shr.u32 %xs5, %r30, 1;\nsetp.lt.u32 %xn2, %r0, %xs5;");
            line("@%xn2 " + operation("arrive_drop" + release() + "@%xw5") + ";\n@%xn2 bra " + end + ";");
        }
        if (half)
            line(operation("arrive" + release() + "@%xw5") + ";");
        else
            arrive_in_phase(form, each, has_state);
        const std::string again = label();
        const bool parity = !has_state || one_in(2), tries = one_in(2);
        const std::string which = parity ? number(phase & 1) : "%xw5";
        line(again + ":");
        line(operation(std::string(tries ? "try_wait" : "test_wait") + (parity ? ".parity" : "") +
                       one_of({"", ".acquire.cta", ".acquire.cluster"}) + "@%xn0")
                 .append(", ")
                 .append(which)
                 .append(tries && one_in(2) ? ", 20;" : ";"));
        line(std::string("@!%xn0 bra ").append(again).append(";"));
        if (exchanges) exchange_with_another();
    }
    line(end + ":\nbar.sync 0;\n@%xn1 mbarrier.inval.shared.b64 [%xs4];\nbar.sync 0;");
}

/// One half of the block writes, arrives and goes on; the other half waits for it, and reads.
void RandomForms::halves(const Form& form) {
    const bool bar = form.opcode == Opcode::bar;
    const std::string cta = one_of({"", ".cta"});
    const std::string name = std::string(bar ? "bar" : "barrier") + cta;
    const std::string aligned = bar ? "" : one_of({"", ".aligned"});
    std::string which = std::to_string(1 + below(15));
    if (one_in(2)) {
        line("mov.u32 %xs4, " + which + ";");
        which = "%xs4";
    }
    const std::string writes = one_of({"@%xn0 ", "@!%xn0 "}), waits = writes == "@%xn0 " ? "@!%xn0 " : "@%xn0 ";
    line("shr.u32 %xs5, %r30, 1;\nsetp.lt.u32 %xn0, %r0, %xs5;");
    exchange_begins(writes);
    const std::string arrive = name + ".arrive" + aligned + " " + which + ", %r30;";
    const std::string sync = name + ".sync" + aligned + " " + which + ", %r30;";
    if (one_in(2)) {
        line(writes + arrive + "\n" + waits + sync);
    } else {
        const std::string other = label(), end = label();
        line(waits + "bra " + other + ";\n" + arrive + "\nbra " + end + ";\n" + other + ":\n" + sync + "\n" + end +
             ":");
    }
    // The other thread of a pair is half a block away.
    line("shr.u32 %xs5, %r30, 1;\nadd.u32 %xs5, %xs5, %r0;\nrem.u32 %xs5, %xs5, %r30;");
    exchange_ends(waits);
    line("bar.sync 0;");
}

/// Of a cluster that is the block.
void RandomForms::cluster_barrier() {
    const bool relaxed = one_in(3);
    const std::string aligned = one_of({"", ".aligned"});
    exchange_begins("");
    if (relaxed) line("fence.acq_rel.cluster;");
    line("barrier.cluster.arrive" + (relaxed ? ".relaxed" : one_of({"", ".release"})) + aligned + ";");
    line("add.u32 " + r() + ", " + r() + ", %r0;");
    line("barrier.cluster.wait" + one_of({"", ".acquire"}) + aligned + ";");
    exchange_with_another();
    line("bar.sync 0;");
}
