// SPDX-License-Identifier: Apache-2.0
// Records of warps agree with the profile: what all warps of a launch did, one launch for each, adds up to its figures.
#include "profile/warp_record.hpp"
#include "profile_kernels.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>

using namespace warplight;
using namespace profile_kernels;

extern "C" CUresult cuxWarplightRequestWarp(const unsigned* block, unsigned warp);
extern "C" CUresult cuxWarplightTakeWarp(void (*receiver)(const char*, size_t, void*), void* user);

namespace {

/// Of an instruction what both count.
struct Sum {
    unsigned long long requests = 0, shared_requests = 0, local_requests = 0;
    unsigned long long sectors = 0, sectors_ideal = 0, wavefronts = 0, wavefronts_ideal = 0, local_sectors = 0;
    unsigned long long atomic_lanes = 0, atomic_addresses = 0, divergent = 0;
    bool operator==(const Sum&) const = default;
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto each : {requests, shared_requests, local_requests, sectors, sectors_ideal, wavefronts,
                                wavefronts_ideal, local_sectors, atomic_lanes, atomic_addresses, divergent})
            all += " " + std::to_string(each);
        return all;
    }
};
using Sums = std::map<std::pair<int, std::string>, Sum>; ///< by PTX line and opcode

std::string text_of(const Sums& sums) {
    std::string text;
    for (const auto& [key, sum] : sums)
        text += "\n  PTX line " + std::to_string(key.first) + " " + key.second + ":" + sum.text();
    return text;
}

Sums sums_of(const profile::Profile& profile) {
    Sums sums;
    for (const profile::Instruction& each : profile.instructions) {
        const profile::Figures& f = each.figures;
        const Sum sum{f.requests,      f.shared_requests,  f.local_requests,    f.sectors,
                      f.sectors_ideal, f.wavefronts,       f.wavefronts_ideal,  f.local_sectors,
                      f.atomic_lanes,  f.atomic_addresses, f.divergent_branches};
        if (!(sum == Sum())) sums[{each.ptx_line, each.opcode}] = sum;
    }
    return sums;
}

void add(const profile::WarpRecord& record, Sums& sums) {
    for (const profile::RecordedInstruction& each : record.instructions) {
        if (each.is_branch()) {
            for (const profile::RecordedBranch& branch : each.branches)
                if (branch.ways.size() > 1) ++sums[{each.ptx_line, each.opcode}].divergent;
            continue;
        }
        Sum& sum = sums[{each.ptx_line, each.opcode}];
        for (const profile::RecordedAccess& access : each.accesses) {
            const profile::Cost cost = cost_of(access);
            switch (access.space) {
            case profile::RecordedSpace::global:
                ++sum.requests;
                sum.sectors += cost.is;
                sum.sectors_ideal += cost.ideal;
                break;
            case profile::RecordedSpace::shared:
                ++sum.shared_requests;
                sum.wavefronts += cost.is;
                sum.wavefronts_ideal += cost.ideal;
                break;
            case profile::RecordedSpace::local:
                ++sum.local_requests;
                sum.local_sectors += cost.is;
                break;
            }
            if (each.access != "atomic") continue;
            sum.atomic_lanes += static_cast<unsigned>(std::popcount(access.access.active));
            sum.atomic_addresses += profile::addresses_of(access.access);
        }
    }
}

std::string taken_record() { return taken(cuxWarplightTakeWarp); }

} // namespace

class WarpRecordsTest : public QObject {
    Q_OBJECT

    Session session_;
    Kernels kernels_;

    profile::WarpRecord record_of(const Case& each, const profile::WarpChoice& choice) {
        cuxWarplightRequestWarp(choice.block.data(), choice.warp);
        kernels_.launch(each);
        if (cuCtxSynchronize() != CUDA_SUCCESS) qWarning("%s", last_error_text().c_str());
        const std::string text = taken_record();
        return text.empty() ? profile::WarpRecord() : profile::warp_record_from_line(text);
    }
    static Case case_of(const std::string& kernel) {
        for (const Case& each : cases())
            if (each.kernel == kernel) return each;
        return {};
    }

private slots:
    void initTestCase() { kernels_.load(); }

    void agree_with_the_profile_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Case& each : cases())
            QTest::newRow(each.kernel.c_str()) << number++;
    }
    void agree_with_the_profile() {
        QFETCH(int, number);
        const Case each = cases().at(static_cast<std::size_t>(number));
        const Sums profiled = sums_of(kernels_.profile_of(each));
        const unsigned warps = (each.block[0] * each.block[1] + 31) / 32;
        Sums recorded;
        for (unsigned y = 0; y < each.grid[1]; ++y)
            for (unsigned x = 0; x < each.grid[0]; ++x)
                for (unsigned warp = 0; warp < warps; ++warp) {
                    const profile::WarpRecord record = record_of(each, {{x, y, 0}, warp});
                    QVERIFY(record.choice == (profile::WarpChoice{{x, y, 0}, warp}));
                    QVERIFY(!record.cut);
                    for (const profile::RecordedInstruction& i : record.instructions)
                        QCOMPARE(i.executions, std::uint64_t{i.kept()});
                    add(record, recorded);
                }
        std::erase_if(recorded, [](const auto& row) { return row.second == Sum(); });
        QVERIFY(!profiled.empty());
        QVERIFY2(recorded == profiled, ("recorded:" + text_of(recorded) + "\nprofile:" + text_of(profiled)).c_str());
    }

    /// The addresses themselves, lane by lane, and where the lanes of a branch went.
    void addresses_are_those_of_the_lanes() {
        const Case each = case_of("stride_two");
        const profile::WarpRecord record = record_of(each, {{1, 0, 0}, 2});
        QCOMPARE(record.lanes, ~0U);
        QVERIFY(record.block_size == (std::array<std::uint32_t, 3>{128, 1, 1}));
        QVERIFY(profile::thread_of(record, 5) == (std::array<std::uint32_t, 3>{69, 0, 0}));
        const profile::RecordedInstruction& load = record.instructions.front();
        QCOMPARE(QString::fromStdString(load.access), QStringLiteral("read"));
        QCOMPARE(load.bytes, 4U);
        QVERIFY(load.place.line > 0);
        QCOMPARE(load.accesses.size(), std::size_t{1});
        for (unsigned lane = 0; lane < 32; ++lane)
            QCOMPARE(load.accesses[0].access.addresses[lane], kernels_.in() + 8 * (128 + 64 + lane));
        QVERIFY(load.accesses[0].order < record.instructions.back().accesses[0].order);
    }
    void lanes_of_a_branch_go_two_ways() {
        const profile::WarpRecord record = record_of(case_of("odd_quadruples"), {{0, 0, 0}, 0});
        std::uint32_t all = 0;
        bool parted = false;
        for (const profile::RecordedInstruction& each : record.instructions)
            for (const profile::RecordedBranch& branch : each.branches) {
                std::uint32_t of_ways = 0;
                for (const profile::RecordedBranch::Way& way : branch.ways) {
                    QCOMPARE(of_ways & way.lanes, 0U);
                    of_ways |= way.lanes;
                }
                QCOMPARE(of_ways, branch.lanes);
                all |= branch.lanes;
                parted |= branch.ways.size() == 2;
            }
        QCOMPARE(all, ~0U);
        QVERIFY(parted);
    }

    /// Of a long loop the first executions are kept, and all are counted.
    void long_loops_are_cut_short() {
        Case each = case_of("same_rounds");
        each.grid[0] = each.grid[1] = 1;
        each.n = 5000;
        const profile::WarpRecord record = record_of(each, {{0, 0, 0}, 0});
        std::size_t most = 0;
        for (const profile::RecordedInstruction& i : record.instructions) {
            QVERIFY(i.kept() <= profile::WarpRecord::kMostOfInstruction);
            if (i.executions >= 5000) QCOMPARE(i.kept(), profile::WarpRecord::kMostOfInstruction);
            most = std::max(most, static_cast<std::size_t>(i.executions));
        }
        QVERIFY(most >= 5000);
        QVERIFY(record.executions >= most);
        QVERIFY(!record.cut);
    }

    /// Only one launch, only where it was asked for, and nothing of a warp that is not there.
    void one_launch_is_recorded() {
        const Case each = cases().front();
        kernels_.launch(each);
        CU(cuCtxSynchronize());
        QVERIFY(taken_record().empty());
        QVERIFY(!record_of(each, {{0, 0, 0}, 0}).instructions.empty());
        kernels_.launch(each);
        CU(cuCtxSynchronize());
        QVERIFY(taken_record().empty());
        const profile::WarpRecord beyond = record_of(each, {{100, 0, 0}, 0});
        QVERIFY(beyond.instructions.empty());
        cuxWarplightRequestWarp(std::array<unsigned, 3>{}.data(), 0);
        cuxWarplightRequestWarp(nullptr, 0);
        kernels_.launch(each);
        CU(cuCtxSynchronize());
        QVERIFY(taken_record().empty());
    }
};

QTEST_GUILESS_MAIN(WarpRecordsTest)
#include "test_warp_records.moc"
