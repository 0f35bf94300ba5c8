// SPDX-License-Identifier: Apache-2.0
// Instructions of random programs that need others around them, or whose row of forms.def leaves operands open.
#include "random_forms.hpp"

namespace ptx = warplight::ptx;
using ptx::Modifier;
using ptx::Opcode;

namespace {

constexpr OpenShape kOpenShapes[] = {
    {"createpolicy.fractional.L2::evict_first.b64"},
    {"createpolicy.fractional.L2::evict_last.b64"},
    {"createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64"},
    {"createpolicy.range.global.L2::evict_last.L2::evict_first.b64"},
    {"createpolicy.cvt.L2.b64"},
    {"fence.proxy.alias"},
    {"fence.proxy.async"},
    {"fence.proxy.async.global"},
    {"fence.proxy.async.shared::cta"},
    {"fence.proxy.async.shared::cluster"},
    {"fence.proxy.tensormap::generic.release.cta"},
    {"fence.proxy.tensormap::generic.release.cluster"},
    {"fence.proxy.tensormap::generic.release.gpu"},
    {"fence.proxy.tensormap::generic.release.sys"},
    {"fence.proxy.tensormap::generic.acquire.cta", 128},
    {"fence.proxy.tensormap::generic.acquire.cluster", 128},
    {"fence.proxy.tensormap::generic.acquire.gpu", 128},
    {"fence.proxy.tensormap::generic.acquire.sys", 128},
    {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster"},
    {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster"},
    {"fence.acquire.sync_restrict::shared::cluster.cluster"},
    {"fence.release.sync_restrict::shared::cta.cluster"},
    {"fence.mbarrier_init.release.cluster"},
    {"membar.proxy.alias"},
    {"membar.proxy.async"},
    {"membar.proxy.async.global"},
    {"membar.proxy.async.shared::cta"},
    {"membar.proxy.async.shared::cluster"},
    {"cp.async.ca.shared.global", 4},
    {"cp.async.ca.shared.global", 8},
    {"cp.async.ca.shared.global", 16},
    {"cp.async.cg.shared.global", 16},
    {"cp.async.shared.global.L2::64B"},
    {"cp.async.shared.global.L2::128B"},
    {"cp.async.shared.global.L2::256B"},
    {"cp.async.shared.global.L2::cache_hint"},
    {"cp.async.commit_group"},
    {"cp.async.wait_group", 0},
    {"cp.async.wait_group", 1},
    {"cp.async.wait_all"},
    {"cp.async.mbarrier.arrive.b64"},
    {"cp.async.mbarrier.arrive.noinc.b64"},
    {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"},
    {"cp.async.bulk.global.shared::cta.bulk_group"},
    {"cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint"},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.min"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.max"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.inc"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.dec"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.and"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.or"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.xor"},
    {"cp.async.bulk.prefetch.L2.global"},
    {"cp.async.bulk.commit_group"},
    {"cp.async.bulk.wait_group"},
    {"cp.async.bulk.wait_group.read"},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes"},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2"},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v4"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor"},
    {"mbarrier.init.b64"},
    {"mbarrier.init.shared::cta.b64"},
    {"mbarrier.inval.b64"},
    {"mbarrier.inval.shared::cta.b64"},
    {"mbarrier.expect_tx.b64"},
    {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64"},
    {"mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64"},
    {"mbarrier.complete_tx.b64"},
    {"mbarrier.complete_tx.relaxed.cta.shared::cta.b64"},
    {"mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64"},
    {"mbarrier.arrive.b64"},
    {"mbarrier.arrive.release.cta.shared::cta.b64"},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64"},
    {"mbarrier.arrive.relaxed.b64"},
    {"mbarrier.arrive.expect_tx.b64"},
    {"mbarrier.arrive.expect_tx.shared::cluster.b64"},
    {"mbarrier.arrive.noComplete.b64"},
    {"mbarrier.arrive_drop.b64"},
    {"mbarrier.arrive_drop.shared::cluster.b64"},
    {"mbarrier.arrive_drop.expect_tx.b64"},
    {"mbarrier.arrive_drop.noComplete.b64"},
    {"mbarrier.pending_count.b64"},
    {"mbarrier.test_wait.b64"},
    {"mbarrier.test_wait.acquire.b64"},
    {"mbarrier.test_wait.relaxed.b64"},
    {"mbarrier.test_wait.parity.b64"},
    {"mbarrier.try_wait.b64"},
    {"mbarrier.try_wait.acquire.b64"},
    {"mbarrier.try_wait.relaxed.b64"},
    {"mbarrier.try_wait.parity.b64"},
};

} // namespace

std::span<const OpenShape> open_shapes() { return kOpenShapes; }

/// What ends a kernel is there where no thread comes to; what is told by their numbers as the kernel runs.
void RandomForms::never_reached(const Form& form) {
    line("setp.ge.u32 %xn0, %r37, %r30;\n@%xn0 " + std::string(ptx::spelling(form.opcode)) + ";");
}

/// From where all threads read to the thread's own place.
void RandomForms::copy_of_thread(const std::string& guard) {
    const unsigned bytes = 4U << below(3);
    const std::string size = std::to_string(bytes), value = r();
    const std::string from = read_address(ptx::Space::global, bytes);
    std::string mnemonic = std::string("cp.async.c") + (bytes == 16 && one_in(2) ? "g" : "a") +
                           one_of({".shared", ".shared::cta"}) + ".global";
    std::string operands = " [%xs2], " + from + ", " + size;
    line("mad.lo.u32 %xs2, %xs0, " + size + ", %xs3;");
    switch (below(4)) { // of the source some bytes, or none
    case 0: operands += ", " + std::to_string(below(bytes + 1)); break;
    case 1:
        line("rem.u32 %xs4, " + r() + ", " + std::to_string(bytes + 1) + ";");
        operands += ", %xs4";
        break;
    case 2: operands += ", %xp" + std::to_string(below(4)); break;
    default: break;
    }
    if (one_in(4)) {
        mnemonic += ".L2::cache_hint";
        operands += ", %xl0";
        line("createpolicy.fractional.L2::evict_first.b64 %xl0;");
    }
    if (one_in(2)) mnemonic += one_of({".L2::64B", ".L2::128B", ".L2::256B"});
    line(guard + mnemonic + operands + ";");
    line(one_of({"cp.async.wait_all;", "cp.async.commit_group;\ncp.async.wait_group 0;",
                 "cp.async.commit_group;\ncp.async.commit_group;\ncp.async.wait_group 1;"}));
    line("ld.shared.u32 " + value + ", [%xs2+" + std::to_string(4 * below(bytes / 4)) + "];");
}

/// A sum in memory of numbers that no operation makes none of.
void RandomForms::reduce_in_bulk(bool to_global) {
    static const std::vector<std::string> kShared = {"add.u32", "add.s32", "add.u64", "inc.u32", "dec.u32", "min.u32",
                                                     "min.s32", "max.u32", "max.s32", "and.b32", "or.b32",  "xor.b32"};
    static const std::vector<std::string> kMore = {"add.f32",  "add.f64", "add.noftz.f16", "add.noftz.bf16", "min.f16",
                                                   "max.bf16", "min.u64", "max.s64",       "and.b64",        "or.b64",
                                                   "xor.b64",  "add.u64", "inc.u32",       "add.noftz.bf16", "dec.u32"};
    const std::string operation = to_global && one_in(2) ? pick(kMore) : pick(kShared);
    const std::string first = one_in(2) && operation.find('f') == std::string::npos ? r() : "0x3fc00000";
    for (unsigned k = 0; k < 16; k += 4) {
        line("st.shared.u32 [%xs6+" + std::to_string(k) + "], " + first + ";");
        line((to_global ? "st.global.u32 [%xw1+" : "st.shared.u32 [%xs7+") + std::to_string(k) + "], 0x3fc00000;");
    }
    if (to_global)
        line("cp.reduce.async.bulk.global.shared::cta.bulk_group." + operation + " [%xw1], [%xs6], 16;");
    else
        line("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + operation +
             " [%xs7], [%xs6], 16, [%xs4];");
}

/// From the thread's own shared memory to its own global memory.
void RandomForms::bulk_to_global(const std::string& guard) {
    const std::string end = label(), to = r();
    const unsigned bytes = 16U << below(2);
    const std::string size = std::to_string(bytes);
    if (!guard.empty()) line(guard + "bra " + end + ";");
    line("mad.lo.u32 %xs6, %xs0, " + size + ", %xs3;");
    if (one_in(3)) line("cp.async.bulk.prefetch.L2.global " + read_address(ptx::Space::global, 16) + ", 16;");
    line("mad.wide.u32 %xw1, %xs0, " + size + ", %xw0;");
    if (one_in(2)) {
        reduce_in_bulk(true);
    } else {
        line("st.shared.v2.u32 [%xs6], {" + r() + ", " + r() + "};");
        if (one_in(2)) line("fence.proxy.async.shared::cta;");
        const bool hint = one_in(2);
        line(std::string("cp.async.bulk.global.shared::cta.bulk_group") + (hint ? ".L2::cache_hint" : "") +
             " [%xw1], [%xs6], " + number(bytes) + (hint ? ", %xl1;" : ";"));
    }
    line("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group" + one_of({"", ".read"}) + " 0;");
    line("ld.global.u32 " + to + ", [%xw1+" + std::to_string(4 * below(4)) + "];\n" + end + ":");
}

void RandomForms::fence_with_words(const Form& form, const std::string& guard) {
    std::vector<std::string_view> all;
    const std::string name = std::string(ptx::spelling(form.opcode)) + ".";
    for (const OpenShape& shape : kOpenShapes) {
        // What names the memory of a cluster keeps a kernel from running side by side.
        const bool of_cluster = shape.mnemonic.ends_with(".shared::cluster");
        if (shape.mnemonic.starts_with(name) && (choice_.alone || !of_cluster)) all.push_back(shape.mnemonic);
    }
    const std::string_view words = pick(all);
    const bool has_address = words.find("tensormap::generic.acquire") != std::string_view::npos;
    if (has_address) line("mov.u64 %xw1, %rd1;");
    line(guard + std::string(words) + (has_address ? " [%xw1], 128;" : ";"));
}

bool RandomForms::from_template(const Form& form, Place place, const std::string& guard) {
    const auto l = [&] { return "%xl" + std::to_string(below(3)); };
    const bool together = place == Place::together;
    const auto has = [&](Modifier m) { return form.allowed.test(static_cast<std::size_t>(m)); };
    switch (form.opcode) {
    case Opcode::cvta: {
        // Where things are differs from run to run: there and back.
        const bool shared = one_in(2);
        const std::string space = shared ? "shared" : choice_.local_memory && one_in(2) ? "local" : "global";
        line(shared ? "cvt.u64.u32 %xw1, " + r() + ";\nand.b64 %xw1, %xw1, 4095;" : "mov.b64 %xw1, " + l() + ";");
        line(guard + "cvta." + space + ".u64 %xw2, %xw1;\n" + guard + "cvta.to." + space + ".u64 " + l() + ", %xw2;");
        return true;
    }
    case Opcode::isspacep: {
        static const std::vector<std::string> kSpaces = {"global", "shared", "const", "local"};
        line(one_in(2) ? "mov.b64 %xw1, %rd1;" : "cvt.u64.u32 %xw1, %xs3;\ncvta.shared.u64 %xw1, %xw1;");
        line(guard + "isspacep." + pick(kSpaces) + " %xp" + std::to_string(below(4)) + ", %xw1;");
        return true;
    }
    case Opcode::alloca: {
        const std::string value = r(), bytes = one_in(2) ? "32" : "%xw3";
        line("mov.b64 %xw3, 64;\n" + guard + "alloca.u64 %xw2, " + bytes + (one_in(2) ? ", 16" : "") + ";");
        line(guard + "st.local.u32 [%xw2+4], " + value + ";\n" + guard + "ld.local.u32 " + r() + ", [%xw2+4];");
        return true;
    }
    case Opcode::createpolicy: {
        static const std::vector<std::string> kPolicies = {
            "createpolicy.fractional.L2::evict_first.b64 %xl0;",
            "createpolicy.fractional.L2::evict_last.b64 %xl1, 0.5;",
            "createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64 %xl1, 1.0;",
            "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %xl0, [%rd1], 1024, %r30;",
            "createpolicy.cvt.L2.b64 %xl2, 0x10f0000000000000;"};
        line(guard + pick(kPolicies));
        return true;
    }
    case Opcode::trap:
    case Opcode::brkpt: never_reached(form); return true;
    case Opcode::cp:
        if (!choice_.alone || one_in(3))
            copy_of_thread(guard);
        else if (one_in(2))
            bulk_to_global(guard);
        else
            own_object(form, guard);
        return true;
    case Opcode::st:
    case Opcode::red:
        if (!has(Modifier::async)) return false;
        [[fallthrough]];
    case Opcode::mbarrier:
        if (together)
            object_of_block(form);
        else
            own_object(form, guard);
        return true;
    case Opcode::bar:
    case Opcode::barrier:
        if (!has(Modifier::arrive)) return false;
        if (has(Modifier::cluster))
            cluster_barrier();
        else
            halves(form);
        return true;
    case Opcode::fence:
    case Opcode::membar:
        if (!form.any_operands) return false;
        fence_with_words(form, guard);
        return true;
    case Opcode::brx: {
        const std::string n = label();
        line("and.b32 %xs1, " + r() + ", 1;\n" + n + "T: .branchtargets " + n + "A, " + n + "B;\n" + guard +
             "brx.idx %xs1, " + n + "T;\n" + n + "A:\nadd.u32 " + r() + ", " + r() + ", 1;\n" + n + "B:");
        return true;
    }
    case Opcode::mapa: line(guard + "mapa.shared::cluster.u32 %xa0, %xs3, 0;"); return true;
    case Opcode::getctarank: line(guard + "getctarank.shared::cluster.u32 %xa1, %xs3;"); return true;
    default: return false;
    }
}
