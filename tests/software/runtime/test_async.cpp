// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory (cp.async) and barrier objects (mbarrier), each instruction by itself and as
// programs use them together.
#include "driver_fixture.hpp"

#include <cstdint>
#include <numeric>

namespace {

std::string ptx90(const std::string& body) { return ".version 8.0\n.target sm_90\n.address_size 64\n" + body; }

/// Each thread copies `bytes` to its place in shared memory and from there to `out`. `more` is what follows the size;
/// %r3 is a number of bytes up to that, %p1 holds in odd threads, %rd9 is a cache policy.
std::string copying(const std::string& form, unsigned bytes, const std::string& more, const std::string& wait) {
    const std::string size = std::to_string(bytes), shift = bytes == 4 ? "2" : bytes == 8 ? "3" : "4";
    return ptx90(R"(
.visible .entry copy(.param .u64 in, .param .u64 out) {
  .shared .align 16 .b8 s[1024];
  .reg .b32 %r<9>; .reg .b64 %rd<10>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, )" +
                 shift + R"(; rem.u32 %r3, %r1, )" + std::to_string(bytes + 1) +
                 R"(; createpolicy.fractional.L2::evict_first.b64 %rd9, 1.0;
  and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 1;
  mov.u32 %r5, s; add.u32 %r5, %r5, %r2; cvt.u64.u32 %rd3, %r2; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  mov.u32 %r6, 0xFFFFFFFF; st.shared.u32 [%r5], %r6;
  )" + form + ".shared.global" +
                 (form.ends_with("cache_hint") || more.find("%rd9") != std::string::npos ? ".L2::cache_hint" : "") +
                 " [%r5], [%rd1], " + size + more + ";\n" + wait + R"(
  mov.u32 %r7, 0;
NEXT:
  ld.shared.u32 %r8, [%r5]; st.global.u32 [%rd2], %r8;
  add.u32 %r5, %r5, 4; add.u64 %rd2, %rd2, 4; add.u32 %r7, %r7, 4;
  setp.lt.u32 %p1, %r7, )" +
                 size + "; @%p1 bra NEXT;\n  ret;\n}");
}

/// What one thread does with the barrier [b]; every result is stored by `store`.
class Steps {
public:
    Steps& operator()(const std::string& instruction) {
        text_ += instruction + "\n";
        return *this;
    }
    /// pending_count of the state that `arrive` yields.
    Steps& count(const std::string& arrive, const std::string& operands, std::uint32_t pending) {
        return (*this)(arrive + ".shared.b64 %rd2, [b]" + operands + "; mbarrier.pending_count.b64 %r1, %rd2;")
            .store(pending);
    }
    /// Whether the phase that the last state was of has ended.
    Steps& ended(bool yes) { return (*this)("mbarrier.test_wait.shared.b64 %p1, [b], %rd2;").predicate(yes); }
    /// The same by an instruction that may wait for a while.
    Steps& tried(bool yes) { return (*this)("mbarrier.try_wait.shared.b64 %p1, [b], %rd2, 10;").predicate(yes); }
    /// Whether the phase of this parity has ended.
    Steps& parity(unsigned parity, bool yes) {
        return (*this)("mbarrier.test_wait.parity.shared.b64 %p1, [b], " + std::to_string(parity) + ";").predicate(yes);
    }
    [[nodiscard]] std::string kernel() const {
        return ptx90(".visible .entry steps(.param .u64 out) {\n .shared .align 8 .b64 b;\n"
                     " .reg .b32 %r<2>; .reg .b64 %rd<3>; .reg .pred %p<2>;\n ld.param.u64 %rd1, [out];\n" +
                     text_ + "ret;\n}");
    }
    [[nodiscard]] const std::vector<std::uint32_t>& expected() const { return expected_; }

private:
    Steps& predicate(bool yes) { return (*this)("selp.u32 %r1, 1, 0, %p1;").store(yes); }
    Steps& store(std::uint32_t value) {
        (*this)("st.global.u32 [%rd1+" + std::to_string(4 * expected_.size()) + "], %r1;");
        expected_.push_back(value);
        return *this;
    }
    std::string text_;
    std::vector<std::uint32_t> expected_;
};

/// Thread 0 hands out `n` numbers, one at a time, to all others of the block, which add them up.
const char* const kProducer = R"(
.visible .entry producer(.param .u64 out, .param .u32 n) {
  .shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 4 .u32 item;
  .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x; sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p1, %r2, 0; @%p1 bra READY;
  mbarrier.init.shared::cta.b64 [full], 1;
  mbarrier.init.shared::cta.b64 [empty], %r3;
READY:
  bar.sync 0;
  mov.u32 %r4, 0; mov.u32 %r5, 0;
  @%p1 bra CONSUME;
PRODUCE:
  st.shared.u32 [item], %r4;
  mbarrier.arrive.release.cta.shared::cta.b64 _, [full];
  and.b32 %r6, %r4, 1;
EMPTY:
  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [empty], %r6, 100;
  @!%p2 bra EMPTY;
  add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r1; @%p3 bra PRODUCE;
  ret;
CONSUME:
  and.b32 %r6, %r4, 1;
FULL:
  mbarrier.test_wait.parity.shared::cta.b64 %p2, [full], %r6;
  @!%p2 bra FULL;
  ld.shared.u32 %r7, [item]; add.u32 %r5, %r5, %r7;
  mbarrier.arrive.shared::cta.b64 _, [empty];
  add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r1; @%p3 bra CONSUME;
  mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r5;
  ret;
})";

/// The block copies 1 KiB and learns from the barrier that it is there.
const char* const kCopyAndArrive = R"(
.visible .entry tile(.param .u64 in, .param .u64 out) {
  .shared .align 16 .b8 s[1024]; .shared .align 8 .b64 b;
  .reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.u32 %r3, s; add.u32 %r4, %r3, %r2; cvt.u64.u32 %rd3, %r2;
  setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared.b64 [b], 64;
  bar.sync 0;
  add.u64 %rd1, %rd1, %rd3;
  cp.async.cg.shared.global [%r4], [%rd1], 16;
  cp.async.mbarrier.arrive.noinc.shared.b64 [b];
WAIT:
  mbarrier.test_wait.parity.shared.b64 %p2, [b], 0; @!%p2 bra WAIT;
  sub.u32 %r5, 1008, %r2; add.u32 %r5, %r3, %r5; add.u64 %rd2, %rd2, %rd3;
  ld.shared.v2.u64 {%rd4, %rd5}, [%r5]; st.global.v2.u64 [%rd2], {%rd4, %rd5};
  ret;
})";

} // namespace

class AsyncTest : public QObject {
    Q_OBJECT
private slots:
    void copies_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<unsigned>("bytes");
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("wait");
        const QString all = "cp.async.wait_all;", group = "cp.async.commit_group; cp.async.wait_group 0;";
        for (const unsigned bytes : {4U, 8U, 16U}) {
            const QByteArray size = QByteArray::number(bytes);
            QTest::newRow("ca " + size) << "cp.async.ca" << bytes << "" << all;
            QTest::newRow("ca, bytes of the source " + size) << "cp.async.ca" << bytes << ", %r3" << group;
            QTest::newRow("ca, source left out " + size) << "cp.async.ca" << bytes << ", %p1" << group;
            QTest::newRow("ca, policy " + size) << "cp.async.ca" << bytes << ", %rd9" << all;
        }
        QTest::newRow("cg") << "cp.async.cg" << 16U << "" << "cp.async.commit_group; cp.async.wait_group 1; " + all;
        QTest::newRow("cg, bytes of the source") << "cp.async.cg" << 16U << ", %r3" << group;
        QTest::newRow("cg, bytes of the source and policy") << "cp.async.cg" << 16U << ", %r3, %rd9" << group;
        QTest::newRow("cg, a barrier of the block behind it")
            << "cp.async.cg" << 16U << ", %r3" << all + " bar.sync 0;";
    }
    void copies() {
        QFETCH(QString, form);
        QFETCH(unsigned, bytes);
        QFETCH(QString, more);
        QFETCH(QString, wait);
        Session s;
        const CUfunction f = s.load(copying(form.toStdString(), bytes, more.toStdString(), wait.toStdString()), "copy");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<unsigned char> in(std::size_t{64} * bytes);
        std::iota(in.begin(), in.end(), static_cast<unsigned char>(1));
        CUdeviceptr from = s.upload(in), to = s.allocate(in.size());
        CU(s.launch(f, 1, 64, {&from, &to}));
        std::vector<unsigned char> expected = in;
        for (unsigned t = 0; t < 64; ++t) {
            const unsigned kept = more.contains("%r3") ? t % (bytes + 1) : more.contains("%p1") && t % 2 ? 0 : bytes;
            for (unsigned k = kept; k < bytes; ++k)
                expected[t * bytes + k] = 0;
        }
        QCOMPARE(s.download<unsigned char>(to, in.size()), expected);
    }

    void aSourceOfNoBytesIsNotRead() {
        for (const char* more : {", 0", ", %p1"}) {
            Session s;
            std::string text = copying("cp.async.ca", 16, more, "cp.async.wait_all;");
            if (more[2] == '%') text.replace(text.find("setp.eq.u32 %p1, %r4, 1;"), 24, "setp.ge.u32 %p1, %r4, 0;");
            const CUfunction f = s.load(text, "copy");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr nowhere = 0, to = s.upload(std::vector<int>(256, 7));
            CU(s.launch(f, 1, 64, {&nowhere, &to}));
            CU(cuCtxSynchronize());
            QCOMPARE(s.download<int>(to, 256), std::vector<int>(256));
        }
    }

    void wrongSizesAreRefused() {
        for (const char* body :
             {"cp.async.ca.shared.global [%r1], [%rd1], 12;", "cp.async.cg.shared.global [%r1], [%rd1], 8;",
              "cp.async.ca.shared.global [%r1], [%rd1], %r1;"}) {
            Session s;
            QVERIFY2(!s.load(ptx90(std::string(".visible .entry k() {\n.reg .b32 %r<2>; .reg .b64 %rd<2>;\n") + body +
                                   "\nret;\n}"),
                             "k"),
                     body);
        }
    }

    void barrierObjectsStepByStep() {
        Steps s;
        s("mbarrier.init.shared.b64 [b], 3;");
        s.count("mbarrier.arrive", "", 3).ended(false);
        s.count("mbarrier.arrive.noComplete", ", 1", 2).ended(false).parity(0, false).parity(1, true);
        s.count("mbarrier.arrive", "", 1).ended(true).parity(0, true).parity(1, false);
        // The second phase, with one that is not to come again.
        s.count("mbarrier.arrive_drop", "", 3).ended(false);
        s.count("mbarrier.arrive", ", 2", 2).ended(true).tried(true).parity(1, true).parity(0, false);
        // The third: 2 arrivals, and bytes.
        s.count("mbarrier.arrive", "", 2);
        s.count("mbarrier.arrive.expect_tx", ", 64", 1).ended(false);
        s("mbarrier.complete_tx.shared::cta.b64 [b], 40;").ended(false);
        s("mbarrier.complete_tx.shared::cta.b64 [b], 24;").ended(true);
        // Bytes that were announced before all arrivals, and such as come before they are announced.
        s("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 1048575;");
        s.count("mbarrier.arrive", ", 2", 2).ended(false);
        s("mbarrier.complete_tx.shared::cta.b64 [b], 1048575;").ended(true).parity(1, true);
        s("mbarrier.complete_tx.shared::cta.b64 [b], 8;");
        s.count("mbarrier.arrive", "", 2);
        s.count("mbarrier.arrive.expect_tx", ", 8", 1).ended(true);
        // Copies arrive, or only keep the phase from ending until they are made.
        s("cp.async.mbarrier.arrive.shared.b64 [b];").count("mbarrier.arrive", "", 2).ended(false);
        s("cp.async.mbarrier.arrive.noinc.shared.b64 [b];").ended(true);
        s.count("mbarrier.arrive_drop.expect_tx", ", 4", 2).ended(false);
        s.count("mbarrier.arrive", "", 1).ended(false);
        s("mbarrier.complete_tx.shared::cta.b64 [b], 4;").ended(true);
        s.count("mbarrier.arrive", "", 1).ended(true);
        s("mbarrier.inval.shared.b64 [b]; mbarrier.init.shared.b64 [b], 1048575;");
        s.count("mbarrier.arrive.noComplete", ", 1048574", 1048575)
            .ended(false)
            .count("mbarrier.arrive", "", 1)
            .ended(true);
        s.tried(true);

        Session session;
        const CUfunction f = session.load(s.kernel(), "steps");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr out = session.allocate(4 * s.expected().size());
        CU(session.launch(f, 1, 1, {&out}));
        QCOMPARE(session.download<std::uint32_t>(out, s.expected().size()), s.expected());
    }

    void phasesFollowEachOther() {
        for (const unsigned threads : {2U, 32U, 256U}) {
            Session s;
            const CUfunction f = s.load(ptx90(kProducer), "producer");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr out = s.upload(std::vector<unsigned>(threads));
            unsigned n = 50;
            CU(s.launch(f, 1, threads, {&out, &n}));
            std::vector<unsigned> expected(threads, n * (n - 1) / 2);
            expected[0] = 0;
            QCOMPARE(s.download<unsigned>(out, threads), expected);
        }
    }

    /// Registers below and above the address by 128 and by half of all there is.
    void addressesInAClusterWrap() {
        Session s;
        const CUfunction f = s.load(ptx90(R"(
.visible .entry exchange(.param .u64 out) .explicitcluster .reqnctapercluster 4, 1, 1 {
  .shared .align 8 .b32 s[64];
  .reg .b32 %r<16>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank; xor.b32 %r3, %r2, 1;
  mov.u32 %r4, s; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4; mapa.shared::cluster.u32 %r6, %r5, %r3;
  mul.lo.u32 %r9, %r2, 64; add.u32 %r9, %r9, %r1;
  sub.u32 %r7, %r6, 128; st.shared::cluster.u32 [%r7+128], %r9;
  barrier.cluster.arrive; barrier.cluster.wait;
  sub.u32 %r8, %r5, 0x7FFFFFF0; ld.shared.u32 %r10, [%r8+0x7FFFFFF0];
  barrier.cluster.arrive; barrier.cluster.wait;
  sub.u32 %r11, %r6, 256; atom.shared::cluster.add.u32 %r12, [%r11+256], 1000;
  barrier.cluster.arrive; barrier.cluster.wait;
  ld.shared.u32 %r12, [%r5]; mul.wide.u32 %rd2, %r9, 8; add.u64 %rd1, %rd1, %rd2;
  st.global.v2.u32 [%rd1], {%r10, %r12};
  ret;
})"),
                                    "exchange");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr out = s.allocate(4 * 64 * 8);
        CU(s.launch(f, 4, 64, {&out}));
        const auto found = s.download<unsigned>(out, 2 * 4 * 64);
        for (unsigned k = 0; k < 4 * 64; ++k) {
            QCOMPARE(found[2 * k], k ^ 64U);
            QCOMPARE(found[2 * k + 1], (k ^ 64U) + 1000);
        }
    }

    void copiesArriveAtABarrier() {
        Session s;
        const CUfunction f = s.load(ptx90(kCopyAndArrive), "tile");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<int> in(256);
        std::iota(in.begin(), in.end(), 0);
        CUdeviceptr from = s.upload(in), to = s.allocate(1024);
        CU(s.launch(f, 1, 64, {&from, &to}));
        const auto out = s.download<int>(to, 256);
        for (int k = 0; k < 256; ++k)
            QCOMPARE(out[k], (63 - k / 4) * 4 + k % 4);
    }
};

QTEST_APPLESS_MAIN(AsyncTest)
#include "test_async.moc"
