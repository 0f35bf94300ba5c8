// SPDX-License-Identifier: Apache-2.0
// Order and asynchrony: streams, events, host functions, copies.
#include "driver_fixture.hpp"

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

namespace {

/// Holds a stream up until it is opened.
struct Gate {
    std::atomic<bool> open = false;
    static void CUDA_CB wait(void* self) {
        while (!static_cast<Gate*>(self)->open)
            std::this_thread::yield();
    }
};

/// Adds its number to a list when the stream comes to it.
struct Note {
    std::vector<int>* list;
    int number;
    static void CUDA_CB write(void* self) {
        auto* note = static_cast<Note*>(self);
        note->list->push_back(note->number);
    }
};

CUstream stream_with(unsigned flags) {
    CUstream stream = nullptr;
    cuStreamCreate(&stream, flags);
    return stream;
}

/// value = value * 3 + add: shows in which order launches ran.
const char* const kStep = R"(
.visible .entry step(.param .u64 p, .param .u32 add) {
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [add];
  ld.global.u32 %r2, [%rd1]; mad.lo.s32 %r3, %r2, 3, %r1; st.global.u32 [%rd1], %r3;
  ret;
})";

} // namespace

class StreamsTest : public QObject {
    Q_OBJECT
private slots:
    void workIsAsynchronousAndInOrder() {
        Session s;
        const CUstream stream = stream_with(CU_STREAM_NON_BLOCKING);
        Gate gate;
        std::vector<int> list;
        Note notes[] = {{&list, 1}, {&list, 2}, {&list, 3}};
        CU(cuLaunchHostFunc(stream, Gate::wait, &gate));
        for (Note& note : notes)
            CU(cuLaunchHostFunc(stream, Note::write, &note));
        CU_FAILS(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
        gate.open = true;
        CU(cuStreamSynchronize(stream));
        CU(cuStreamQuery(stream));
        QCOMPARE(list, (std::vector<int>{1, 2, 3}));
    }

    void launchesOfAStreamKeepOrder() {
        Session s;
        const CUfunction f = s.load(ptx(kStep), "step");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr p = s.upload(std::vector<unsigned>{1});
        const CUstream stream = stream_with(CU_STREAM_NON_BLOCKING);
        unsigned expected = 1;
        for (unsigned i = 0; i < 500; ++i) {
            CU(s.launch(f, 1, 1, {&p, &i}, 0, stream));
            expected = expected * 3 + i;
        }
        CU(cuStreamSynchronize(stream));
        QCOMPARE(s.download<unsigned>(p, 1)[0], expected);
    }

    /// Whoever waits carries out work up to his point, and leaves the rest to others.
    void threadsThatWaitTakeTurns() {
        Session s;
        const CUfunction step = s.load(ptx(kStep), "step");
        QVERIFY(step);
        CUdeviceptr value = s.upload(std::vector<unsigned>{1});
        const CUstream stream = stream_with(CU_STREAM_NON_BLOCKING);
        constexpr int rounds = 40, launches = 50;
        std::vector<CUevent> events(rounds);
        for (CUevent& event : events)
            CU(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
        std::atomic<int> recorded = 0, failures = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&] {
                failures += cuCtxSetCurrent(s.context) != CUDA_SUCCESS;
                for (int round = 0; round < rounds; ++round) {
                    while (recorded <= round)
                        std::this_thread::yield();
                    failures += cuEventSynchronize(events[static_cast<std::size_t>(round)]) != CUDA_SUCCESS;
                }
            });
        unsigned expected = 1;
        for (int round = 0; round < rounds; ++round) {
            for (int k = 0; k < launches; ++k) {
                auto add = static_cast<unsigned>(round * launches + k);
                expected = expected * 3 + add;
                failures += Session::launch(step, 1, 1, {&value, &add}, 0, stream) != CUDA_SUCCESS;
            }
            failures += cuEventRecord(events[static_cast<std::size_t>(round)], stream) != CUDA_SUCCESS;
            ++recorded;
        }
        for (std::thread& thread : threads)
            thread.join();
        CU(cuStreamSynchronize(stream));
        QCOMPARE(failures.load(), 0);
        unsigned result = 0;
        CU(cuMemcpyDtoH(&result, value, sizeof result));
        QCOMPARE(result, expected);
    }

    void nonBlockingStreamsRunPastTheDefaultStream() {
        Session s;
        const CUstream stream = stream_with(CU_STREAM_NON_BLOCKING);
        Gate gate;
        std::vector<int> list;
        Note note{&list, 1};
        CU(cuLaunchHostFunc(nullptr, Gate::wait, &gate));
        CU(cuLaunchHostFunc(stream, Note::write, &note));
        CU(cuStreamSynchronize(stream)); // would wait for ever, were it ordered behind the default stream
        QCOMPARE(list, std::vector<int>{1});
        gate.open = true;
        CU(cuCtxSynchronize());
    }

    void blockingStreamsKeepOrderWithTheDefaultStream() {
        Session s;
        const CUstream a = stream_with(CU_STREAM_DEFAULT);
        const CUstream b = stream_with(CU_STREAM_DEFAULT);
        for (int round = 0; round < 50; ++round) {
            Gate gate;
            std::vector<int> list;
            Note first{&list, 1}, second{&list, 2}, third{&list, 3};
            CU(cuLaunchHostFunc(a, Gate::wait, &gate));
            CU(cuLaunchHostFunc(a, Note::write, &first));
            CU(cuLaunchHostFunc(nullptr, Note::write, &second));
            CU(cuLaunchHostFunc(b, Note::write, &third));
            CU_FAILS(cuStreamQuery(b), CUDA_ERROR_NOT_READY);
            gate.open = true;
            CU(cuStreamSynchronize(b));
            QCOMPARE(list, (std::vector<int>{1, 2, 3}));
        }
    }

    void streamsWaitForEvents() {
        Session s;
        const CUstream a = stream_with(CU_STREAM_NON_BLOCKING);
        const CUstream b = stream_with(CU_STREAM_NON_BLOCKING);
        CUevent event = nullptr;
        CU(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
        CU(cuEventQuery(event)); // never recorded: nothing to wait for
        Gate gate;
        std::vector<int> list;
        Note first{&list, 1}, second{&list, 2};
        CU(cuLaunchHostFunc(a, Gate::wait, &gate));
        CU(cuLaunchHostFunc(a, Note::write, &first));
        CU(cuEventRecord(event, a));
        CU(cuStreamWaitEvent(b, event, 0));
        CU(cuLaunchHostFunc(b, Note::write, &second));
        CU_FAILS(cuEventQuery(event), CUDA_ERROR_NOT_READY);
        gate.open = true;
        CU(cuStreamSynchronize(b));
        QCOMPARE(list, (std::vector<int>{1, 2}));
        CU(cuEventSynchronize(event));
        CU(cuEventDestroy(event));
    }

    void eventsTellTime() {
        Session s;
        CUevent start = nullptr, end = nullptr;
        CU(cuEventCreate(&start, 0));
        CU(cuEventCreate(&end, 0));
        float ms = 0;
        CU_FAILS(cuEventElapsedTime(&ms, start, end), CUDA_ERROR_INVALID_HANDLE);
        CU(cuEventRecord(start, nullptr));
        std::atomic<bool> go_on = false;
        CU(cuLaunchHostFunc(
            nullptr,
            [](void* wait) {
                while (!*static_cast<std::atomic<bool>*>(wait))
                    std::this_thread::yield();
                std::this_thread::sleep_for(std::chrono::milliseconds(30));
            },
            &go_on));
        CU(cuEventRecord(end, nullptr));
        CU_FAILS(cuEventElapsedTime(&ms, start, end), CUDA_ERROR_NOT_READY);
        go_on = true;
        CU(cuEventSynchronize(end));
        CU(cuEventElapsedTime(&ms, start, end));
        QVERIFY2(ms >= 29.9F && ms < 5000, qPrintable(QString::number(ms)));
        float back = 0;
        CU(cuEventElapsedTime(&back, end, start));
        QCOMPARE(back, -ms);
        CUevent timeless = nullptr;
        CU(cuEventCreate(&timeless, CU_EVENT_DISABLE_TIMING));
        CU(cuEventRecord(timeless, nullptr));
        CU(cuEventSynchronize(timeless));
        CU_FAILS(cuEventElapsedTime(&ms, start, timeless), CUDA_ERROR_INVALID_HANDLE);
    }

    void destroyedStreamsFinishTheirWork() {
        Session s;
        std::vector<int> list;
        Gate gate;
        Note note{&list, 1};
        const CUstream stream = stream_with(CU_STREAM_NON_BLOCKING);
        CU(cuLaunchHostFunc(stream, Gate::wait, &gate));
        CU(cuLaunchHostFunc(stream, Note::write, &note));
        CU(cuStreamDestroy(stream));
        CU_FAILS(cuStreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
        gate.open = true;
        CU(cuCtxSynchronize());
        QCOMPARE(list, std::vector<int>{1});
    }

    void hostFunctionsMayNotCallTheDriver() {
        Session s;
        CUresult inside = CUDA_SUCCESS;
        CU(cuLaunchHostFunc(nullptr, [](void* r) { *static_cast<CUresult*>(r) = cuCtxSynchronize(); }, &inside));
        CU(cuCtxSynchronize());
        CU_FAILS(inside, CUDA_ERROR_NOT_PERMITTED);
    }

    void callbacksAreToldTheStatus() {
        Session s;
        struct Told {
            CUstream stream = nullptr;
            CUresult status = CUDA_ERROR_UNKNOWN;
        } told;
        const CUstream stream = stream_with(0);
        CU(cuStreamAddCallback(
            stream, [](CUstream st, CUresult status, void* user) { *static_cast<Told*>(user) = {st, status}; }, &told,
            0));
        CU(cuStreamSynchronize(stream));
        QCOMPARE(told.stream, stream);
        CU(told.status);
    }

    void perThreadStreamsAreApart() {
        Session s;
        CUcontext context = s.context;
        Gate gate;
        CU(cuLaunchHostFunc(CU_STREAM_PER_THREAD, Gate::wait, &gate));
        CUresult other = CUDA_ERROR_UNKNOWN;
        std::thread([&] {
            cuCtxSetCurrent(context);
            other = cuStreamQuery(CU_STREAM_PER_THREAD);
        }).join();
        CU(other);
        CU_FAILS(cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_ERROR_NOT_READY);
        gate.open = true;
        CU(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    }

    void manyThreadsMayUseOneStream() {
        Session s;
        const CUfunction f = s.load(ptx(kStep), "step");
        const CUstream stream = stream_with(0);
        CUdeviceptr p = s.upload(std::vector<unsigned>(4));
        CUcontext context = s.context;
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < 4; ++t) {
            threads.emplace_back([=, this] {
                (void)this;
                cuCtxSetCurrent(context);
                CUdeviceptr mine = p + t * 4;
                unsigned one = 1;
                for (int i = 0; i < 100; ++i) {
                    Session::launch(f, 1, 1, {&mine, &one}, 0, stream);
                    if (i % 10 == 0) cuStreamSynchronize(stream);
                }
            });
        }
        for (auto& thread : threads)
            thread.join();
        CU(cuStreamSynchronize(stream));
        unsigned expected = 0;
        for (int i = 0; i < 100; ++i)
            expected = expected * 3 + 1;
        QCOMPARE(s.download<unsigned>(p, 4), std::vector<unsigned>(4, expected));
    }

    void asynchronousCopiesAndFills() {
        Session s;
        const CUstream stream = stream_with(CU_STREAM_NON_BLOCKING);
        void* p = nullptr;
        CU(cuMemAllocHost(&p, 4096));
        auto* host = static_cast<unsigned*>(p);
        std::iota(host, host + 1024, 0U);
        CUdeviceptr d = s.allocate(4096);
        Gate gate;
        CU(cuLaunchHostFunc(stream, Gate::wait, &gate));
        CU(cuMemcpyHtoDAsync(d, host, 4096, stream));
        CU(cuMemsetD32Async(d + 8, 77, 2, stream));
        CU(cuMemcpyDtoHAsync(host, d, 4096, stream));
        host[1000] = 5; // seen by the copy, which has not begun
        gate.open = true;
        CU(cuStreamSynchronize(stream));
        QCOMPARE(host[1], 1U);
        QCOMPARE(host[2], 77U);
        QCOMPARE(host[3], 77U);
        QCOMPARE(host[4], 4U);
        QCOMPARE(host[1000], 5U);
        CU(cuMemFreeHost(p));
    }

    void copiesOfBoxes() {
        Session s;
        constexpr std::size_t kWidth = 40, kHeight = 9, kDepth = 5;
        std::vector<unsigned char> source(kWidth * kHeight * kDepth);
        for (std::size_t i = 0; i < source.size(); ++i)
            source[i] = static_cast<unsigned char>(i * 7 + i / 251);
        CUdeviceptr d = 0;
        std::size_t pitch = 0;
        CU(cuMemAllocPitch(&d, &pitch, kWidth, kHeight * kDepth, 4));
        QVERIFY(pitch >= kWidth && pitch % 512 == 0);
        CUDA_MEMCPY3D up{};
        up.srcMemoryType = CU_MEMORYTYPE_HOST;
        up.srcHost = source.data();
        up.srcPitch = kWidth;
        up.srcHeight = kHeight;
        up.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        up.dstDevice = d;
        up.dstPitch = pitch;
        up.dstHeight = kHeight;
        up.WidthInBytes = kWidth;
        up.Height = kHeight;
        up.Depth = kDepth;
        CU(cuMemcpy3D(&up));
        // A box out of the middle.
        std::vector<unsigned char> box(10 * 4 * 3, 0xEE);
        CUDA_MEMCPY3D down{};
        down.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        down.srcDevice = d;
        down.srcPitch = pitch;
        down.srcHeight = kHeight;
        down.srcXInBytes = 5;
        down.srcY = 2;
        down.srcZ = 1;
        down.dstMemoryType = CU_MEMORYTYPE_HOST;
        down.dstHost = box.data();
        down.dstPitch = 10;
        down.dstHeight = 4;
        down.WidthInBytes = 10;
        down.Height = 4;
        down.Depth = 3;
        CU(cuMemcpy3D(&down));
        for (std::size_t z = 0; z < 3; ++z) {
            for (std::size_t y = 0; y < 4; ++y) {
                for (std::size_t x = 0; x < 10; ++x) {
                    QCOMPARE(box[(z * 4 + y) * 10 + x], source[((z + 1) * kHeight + y + 2) * kWidth + x + 5]);
                }
            }
        }
        CUDA_MEMCPY2D flat{};
        std::vector<unsigned char> rows(kWidth * 3);
        flat.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        flat.srcDevice = d;
        flat.srcPitch = pitch;
        flat.srcY = 1;
        flat.dstMemoryType = CU_MEMORYTYPE_HOST;
        flat.dstHost = rows.data();
        flat.WidthInBytes = kWidth;
        flat.Height = 3;
        CU(cuMemcpy2D(&flat));
        QVERIFY(std::equal(rows.begin(), rows.end(), source.begin() + kWidth));
        flat.Height = kHeight * kDepth; // over the end
        CU_FAILS(cuMemcpy2D(&flat), CUDA_ERROR_INVALID_VALUE);
    }

    void fillsOfAllWidths() {
        Session s;
        CUdeviceptr d = s.allocate(4096);
        CU(cuMemsetD8(d, 0x11, 4096));
        CU(cuMemsetD16(d + 2, 0x2233, 3));
        CU(cuMemsetD32(d + 8, 0x44556677, 2));
        CU(cuMemsetD2D8(d + 100, 100, 0x99, 3, 4));
        CU(cuMemsetD2D16(d + 1000, 64, 0xABCD, 2, 2));
        CU(cuMemsetD2D32(d + 2000, 64, 0xDEADBEEF, 2, 2));
        const auto bytes = s.download<unsigned char>(d, 4096);
        std::vector<unsigned char> expected(4096, 0x11);
        for (int i = 0; i < 3; ++i) {
            expected[2 + 2 * i] = 0x33;
            expected[3 + 2 * i] = 0x22;
        }
        for (int i = 0; i < 2; ++i)
            for (int b = 0; b < 4; ++b)
                expected[8 + 4 * i + b] = static_cast<unsigned char>(0x44556677 >> 8 * b);
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 3; ++x)
                expected[100 + 100 * y + x] = 0x99;
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x) {
                for (int b = 0; b < 2; ++b)
                    expected[1000 + 64 * y + 2 * x + b] = static_cast<unsigned char>(0xABCD >> 8 * b);
                for (int b = 0; b < 4; ++b)
                    expected[2000 + 64 * y + 4 * x + b] = static_cast<unsigned char>(0xDEADBEEF >> 8 * b);
            }
        QVERIFY(bytes == expected);
        CU_FAILS(cuMemsetD16(d + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemsetD8(d, 0, 4097), CUDA_ERROR_INVALID_VALUE);
    }
};

QTEST_APPLESS_MAIN(StreamsTest)
#include "test_streams.moc"
