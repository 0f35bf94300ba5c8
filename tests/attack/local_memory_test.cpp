// SPDX-License-Identifier: Apache-2.0
// Kernels that run past their local arrays. Nothing of the host's lies there: no return address, no pointer, nothing
// that the fault's own handling needs.
#include "driver_fixture.hpp"
#include "host_ranges.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace {

/// Each thread writes 64 words into an array of 32.
std::string overrun(const char* before) {
    return ptx(std::string(R"(
.visible .entry overrun(.param .u64 out, .param .u32 count) {
  .local .align 16 .b8 s[128];
  .reg .b32 %r<6>; .reg .b64 %rd<8>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [count]; mov.u32 %r2, 0; mov.u64 %rd2, s;
)") + before + R"(
$again:
  mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3; st.local.u32 [%rd4], 0xdeadbeef;
  add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra $again;
  ld.local.u32 %r3, [%rd2+16]; st.global.u32 [%rd1], %r3;
  ret;
})");
}

/// Copies words around a local array, from `from` words before it, until it faults: each is stored before the next is
/// read.
std::string look_around(const char* before) {
    return ptx(std::string(R"(
.visible .entry look(.param .u64 out, .param .s32 from, .param .s32 step) {
  .local .align 16 .b8 s[64];
  .reg .b32 %r<6>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out]; ld.param.s32 %r1, [from]; ld.param.s32 %r4, [step]; mov.u32 %r2, 0; mov.u64 %rd2, s;
  st.local.u64 [s+8], %rd1;
)") + before + R"(
$again:
  mad.lo.s32 %r3, %r2, %r4, %r1; mul.wide.s32 %rd3, %r3, 8; add.s64 %rd4, %rd2, %rd3; ld.local.u64 %rd5, [%rd4];
  mul.wide.u32 %rd6, %r2, 8; add.s64 %rd7, %rd1, %rd6; st.volatile.global.u64 [%rd7], %rd5;
  add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 65536; @%p1 bra $again;
  ret;
})");
}

} // namespace

class LocalMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void arrays_are_overrun_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<unsigned>("count");
        for (const unsigned count : {64U, 4096U, 1U << 20, 1U << 28}) {
            QTest::addRow("%u words", count) << "" << count;
            QTest::addRow("%u words, with a barrier", count) << "bar.sync 0;" << count;
        }
    }
    void arrays_are_overrun() {
        QFETCH(QString, before);
        QFETCH(unsigned, count);
        const auto start = std::chrono::steady_clock::now();
        {
            Session session;
            const CUfunction f = session.load(overrun(before.toUtf8().constData()), "overrun");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr out = Session::allocate(4);
            CU(Session::launch(f, 4, 64, {&out, &count}));
            // What an overrun meets first is memory of other threads: it may stay unnoticed, as on a GPU.
            const CUresult ended = cuCtxSynchronize();
            QVERIFY(ended == CUDA_SUCCESS || ended == CUDA_ERROR_ILLEGAL_ADDRESS || ended == CUDA_ERROR_LAUNCH_FAILED);
            if (count >= 1U << 28) QCOMPARE(code_name(ended), QString("CUDA_ERROR_ILLEGAL_ADDRESS"));
        }
        QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
        Session next;
        const CUfunction f = next.load(overrun(""), "overrun");
        CUdeviceptr out = Session::allocate(4);
        unsigned right = 32;
        CU(Session::launch(f, 1, 32, {&out, &right}));
        CU(cuCtxSynchronize());
        QCOMPARE(Session::download<unsigned>(out, 1)[0], 0xdeadbeefU);
    }

    /// A kernel that finds a return address or a pointer of the host's on its stack knows where libraries are.
    void nothing_of_the_host_is_around_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<int>("step");
        QTest::addRow("upwards") << "" << 1;
        QTest::addRow("downwards") << "" << -1;
        QTest::addRow("upwards, with a barrier") << "bar.sync 0;" << 1;
        QTest::addRow("downwards, with a barrier") << "bar.sync 0;" << -1;
    }
    void nothing_of_the_host_is_around() {
        QFETCH(QString, before);
        QFETCH(int, step);
        Session session;
        const CUfunction f = session.load(look_around(before.toUtf8().constData()), "look");
        QVERIFY2(f, last_error_text().c_str());
        // Page-locked memory: what is found stays when the context is lost.
        void* found = nullptr;
        CU(cuMemHostAlloc(&found, 65536 * 8, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
        std::memset(found, 0, 65536 * 8);
        auto out = reinterpret_cast<CUdeviceptr>(found);
        int from = 0;
        CU(Session::launch(f, 1, 1, {&out, &from, &step}));
        (void)cuCtxSynchronize();
        const auto* words = static_cast<const std::uint64_t*>(found);
        QVERIFY(words[1] == out || step < 0); // it has looked
        for (int k = 0; k < 65536; ++k) {
            const bool found_one = std::any_of(host_memory_.begin(), host_memory_.end(), [&](const HostRange& r) {
                return words[k] >= r.begin && words[k] < r.end;
            });
            if (found_one) QFAIL(qPrintable(QString("found %1 at %2").arg(words[k], 0, 16).arg(k * step)));
        }
    }

    void initTestCase() { // before there is anything of the device's
        host_memory_ = host_ranges();
    }

private:
    std::vector<HostRange> host_memory_;
};

QTEST_GUILESS_MAIN(LocalMemoryTest)
#include "local_memory_test.moc"
