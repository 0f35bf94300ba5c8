// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other get on: of a warp, of a block, and of blocks that are there at once, whatever the
// number of workers and of threads side by side.
#include "corpus.hpp"

#include <memory>
#include <numeric>

class ProgressTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());

        program_ = std::make_unique<Program>("20_progress.cu");
    }
    void cleanupTestCase() { program_.reset(); }

    void locks_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<unsigned>("blocks");
        QTest::addColumn<unsigned>("threads");
        for (const char* kernel : {"lock_of_lanes", "lock_of_lanes_with_flag", "tickets"})
            for (const auto& [blocks, threads] : {std::pair{1U, 2U}, {1U, 32U}, {1U, 256U}, {12U, 1U}, {12U, 64U}})
                QTest::newRow(qPrintable(QString("%1, %2 x %3").arg(kernel).arg(blocks).arg(threads)))
                    << kernel << blocks << threads;
    }
    void locks() {
        QFETCH(QString, kernel);
        QFETCH(unsigned, blocks);
        QFETCH(unsigned, threads);
        CUdeviceptr sum = 0;
        size_t bytes = 0;
        CU(cuModuleGetGlobal(&sum, &bytes, program_->module, "locked_sum"));
        CU(cuMemsetD32(sum, 0, 1));
        int rounds = 3;
        CU(Session::launch((*program_)[qPrintable(kernel)], blocks, threads, {&rounds}));
        CU(cuCtxSynchronize());
        QCOMPARE(Session::download<unsigned>(sum, 1)[0], blocks * threads * 3);
    }

    void a_token_goes_round() {
        for (const unsigned threads : {32U, 64U, 256U, 40U}) {
            CUdeviceptr out = Session::upload(std::vector<int>(3 * threads));
            CU(Session::launch((*program_)["token"], 3, threads, {&out}));
            const auto found = Session::download<unsigned>(out, 3 * threads);
            for (unsigned k = 0; k < 3 * threads; ++k)
                QCOMPARE(found[k], threads - k % threads);
            CU(cuMemFree(out));
        }
    }

    void producers_and_consumers() {
        constexpr int kItems = 40, kBlocks = 4;
        for (const int consumers : {1, 3, 7}) {
            CUdeviceptr out = Session::upload(std::vector<int>(static_cast<std::size_t>(kBlocks * consumers)));
            int items = kItems;
            CU(Session::launch((*program_)["producer"], kBlocks, 32 * (static_cast<unsigned>(consumers) + 1),
                               {&out, &items}));
            const auto found = Session::download<int>(out, static_cast<std::size_t>(kBlocks * consumers));
            for (int block = 0; block < kBlocks; ++block)
                for (int c = 0; c < consumers; ++c) {
                    int expected = 0;
                    for (int k = c; k < kItems * consumers; k += consumers)
                        expected += k;
                    QCOMPARE(found[static_cast<std::size_t>(block * consumers + c)], expected);
                }
            CU(cuMemFree(out));
        }
        CUdeviceptr out = Session::upload(std::vector<int>(std::size_t{kBlocks} * 32));
        int items = kItems;
        CU(Session::launch((*program_)["producer_of_named_barriers"], kBlocks, 64, {&out, &items}));
        const auto found = Session::download<int>(out, std::size_t{kBlocks} * 32);
        for (int k = 0; k < kBlocks * 32; ++k)
            QCOMPARE(found[static_cast<std::size_t>(k)], k % 32 * kItems * (kItems - 1) / 2);
    }

    void look_back_over_blocks() {
        for (const unsigned blocks : {1U, 40U, 900U}) {
            constexpr unsigned kThreads = 64;
            const auto in = random_values<int>(std::size_t{blocks} * kThreads, 0, 9);
            CUdeviceptr data = Session::upload(in), out = Session::upload(std::vector<int>(blocks)),
                        state = Session::upload(std::vector<int>(blocks)),
                        value = Session::upload(std::vector<int>(std::size_t{2} * blocks)), begun = 0;
            size_t bytes = 0;
            CU(cuModuleGetGlobal(&begun, &bytes, program_->module, "begun"));
            CU(cuMemsetD32(begun, 0, 1));
            CU(Session::launch((*program_)["look_back"], blocks, kThreads, {&data, &out, &state, &value}));
            const auto found = Session::download<int>(out, blocks);
            int sum = 0;
            for (unsigned block = 0; block < blocks; ++block) {
                sum = std::accumulate(in.begin() + block * kThreads, in.begin() + (block + 1) * kThreads, sum);
                QCOMPARE(found[block], sum);
            }
            for (const CUdeviceptr p : {data, out, state, value})
                CU(cuMemFree(p));
        }
    }

    void blocks_that_are_there_at_once() {
        for (const unsigned blocks : {2U, 7U, 32U}) {
            CUdeviceptr arrived = Session::upload(std::vector<int>(1));
            int rounds = 10;
            CU(Session::launch((*program_)["meeting"], blocks, 64, {&arrived, &rounds}));
            QCOMPARE(Session::download<unsigned>(arrived, 1)[0], blocks * 10);
            CUdeviceptr flag = Session::upload(std::vector<int>(blocks));
            CU(Session::launch((*program_)["backwards"], blocks, 32, {&flag}));
            QCOMPARE(Session::download<int>(flag, blocks), std::vector<int>(blocks, 1));
            CU(cuMemFree(arrived));
            CU(cuMemFree(flag));
        }
    }

private:
    std::unique_ptr<Program> program_;
};

QTEST_GUILESS_MAIN(ProgressTest)
#include "test_progress.moc"
