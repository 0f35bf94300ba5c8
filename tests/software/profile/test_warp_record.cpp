// SPDX-License-Identifier: Apache-2.0
// The record of a warp as JSON and back, the names of its elements, and its sentences.
#include "profile/warp_record.hpp"

#include <QtTest>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

using namespace warplight::profile;

namespace {

RecordedAccess access_of(RecordedSpace space, std::uint32_t lanes, unsigned bytes, std::uint64_t first,
                         std::int64_t stride, std::uint64_t order = 0) {
    RecordedAccess access{order, space, {{}, lanes, bytes}};
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes >> lane & 1) != 0) access.access.addresses[lane] = first + static_cast<std::uint64_t>(stride) * lane;
    return access;
}

RecordedInstruction instruction_of(const char* kind, unsigned bytes) {
    RecordedInstruction instruction;
    instruction.kernel = "k";
    instruction.place = {"k.cu", 7, 3};
    instruction.ptx_line = 40;
    instruction.opcode = "ld.global.f32";
    instruction.access = kind;
    instruction.bytes = bytes;
    return instruction;
}

WarpRecord example() {
    WarpRecord record;
    record.choice = {{5, 0, 1}, 2};
    record.block_size = {16, 8, 1};
    record.lanes = ~0U;
    RecordedInstruction load = instruction_of("read", 4);
    for (std::uint64_t k = 0; k < 100; ++k)
        load.accesses.push_back(access_of(RecordedSpace::global, ~0U, 4, 0x7000'0000'0000 + 4096 * k, 4, 3 * k));
    load.accesses.push_back(access_of(RecordedSpace::global, 0x8000'0101, 4, 0x7000'0000'0000, 0, 500));
    RecordedAccess scattered = access_of(RecordedSpace::global, 0xff0, 4, 0x7000'0000'0000, 4, 501);
    scattered.access.addresses[7] = 0x6000'0000'0000;
    load.accesses.push_back(scattered);
    load.executions = 5000;
    record.instructions.push_back(load);
    RecordedInstruction branch = instruction_of("branch", 0);
    branch.branches.push_back({1, ~0U, {{0xff, {"k.cu", 9, 1}, 50}, {~0xffU, {}, 0}}});
    branch.branches.push_back({4, 0xff, {{0xff, {"k.cu", 9, 1}, 50}}});
    branch.executions = 2;
    record.instructions.push_back(branch);
    record.memory.push_back({RecordedSpace::global, "x", 0x7000'0000'0000, 1 << 20, 4});
    record.executions = 5002;
    return record;
}

void compare(const WarpRecord& a, const WarpRecord& b) {
    QVERIFY(a.choice == b.choice && a.block_size == b.block_size && a.lanes == b.lanes && a.cut == b.cut);
    QCOMPARE(a.executions, b.executions);
    QCOMPARE(a.instructions.size(), b.instructions.size());
    for (std::size_t k = 0; k < a.instructions.size(); ++k) {
        const RecordedInstruction &x = a.instructions[k], &y = b.instructions[k];
        QVERIFY(x.kernel == y.kernel && x.place == y.place && x.ptx_line == y.ptx_line && x.opcode == y.opcode);
        QVERIFY(x.access == y.access && x.bytes == y.bytes && x.executions == y.executions);
        QCOMPARE(x.accesses.size(), y.accesses.size());
        for (std::size_t each = 0; each < x.accesses.size(); ++each) {
            QCOMPARE(x.accesses[each].order, y.accesses[each].order);
            QVERIFY(x.accesses[each].space == y.accesses[each].space);
            QVERIFY(x.accesses[each].access.active == y.accesses[each].access.active);
            QVERIFY(x.accesses[each].access.addresses == y.accesses[each].access.addresses);
        }
        QCOMPARE(x.branches.size(), y.branches.size());
        for (std::size_t each = 0; each < x.branches.size(); ++each)
            QVERIFY(x.branches[each].order == y.branches[each].order &&
                    x.branches[each].lanes == y.branches[each].lanes && x.branches[each].ways == y.branches[each].ways);
    }
    QCOMPARE(a.memory.size(), b.memory.size());
}

QString said(const char* kind, const RecordedAccess& access) {
    return QString::fromStdString(sentence_of(instruction_of(kind, access.access.bytes), access));
}

} // namespace

class WarpRecordTest : public QObject {
    Q_OBJECT
private slots:
    void json_and_back() {
        const WarpRecord record = example();
        const std::string line = to_line(record);
        QVERIFY2(line.size() < 1500, line.c_str()); // 100 executions alike are one group
        compare(record, warp_record_from_line(line));
    }
    void json_of_others_is_refused() {
        nlohmann::json object = to_json(example());
        object["instructions"][0]["groups"][0]["order"] = {{0, 1, 1'000'000'000}};
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, (void)warp_record_from_json(object));
        object = to_json(example());
        object["instructions"][0]["bytes"] = 4096;
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, (void)warp_record_from_json(object));
        object = to_json(example());
        object["instructions"][0]["groups"][0]["lanes"] = 0;
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, (void)warp_record_from_json(object));
        object = to_json(example());
        object["instructions"][0]["groups"] = "all";
        QVERIFY_THROWS_EXCEPTION(nlohmann::json::exception, (void)warp_record_from_json(object));
    }

    void choices() {
        QVERIFY(WarpChoice::parse("5,0,1:2") == (WarpChoice{{5, 0, 1}, 2}));
        QVERIFY(WarpChoice::parse("7:0") == (WarpChoice{{7, 0, 0}, 0}));
        QVERIFY(WarpChoice::parse("7,8:1") == (WarpChoice{{7, 8, 0}, 1}));
        QCOMPARE(QString::fromStdString(WarpChoice{{5, 0, 1}, 2}.text()), QStringLiteral("5,0,1:2"));
        for (const char* wrong :
             {"", "1", ":", "1:", ":1", "1,2,3,4:0", "1,,2:0", "-1:0", "1:x", "1 :0", "99999999999:0"})
            QVERIFY2(!WarpChoice::parse(wrong), wrong);
    }

    void names_of_elements() {
        const WarpRecord record = example();
        const std::uint64_t x = 0x7000'0000'0000;
        QCOMPARE(QString::fromStdString(record.element_at(RecordedSpace::global, x + 640)), QStringLiteral("x[160]"));
        QCOMPARE(QString::fromStdString(record.element_at(RecordedSpace::global, x + 6)), QStringLiteral("x+6"));
        QCOMPARE(QString::fromStdString(record.element_at(RecordedSpace::global, 64)), QStringLiteral("0x40"));
        QCOMPARE(QString::fromStdString(record.element_at(RecordedSpace::shared, 64)), QStringLiteral("byte 64"));
        QCOMPARE(QString::fromStdString(record.elements_of(access_of(RecordedSpace::global, ~0U, 4, x + 640, 4))),
                 QStringLiteral("x[160…191]"));
        QCOMPARE(QString::fromStdString(record.elements_of(access_of(RecordedSpace::global, ~0U, 16, x, -16 + 32))),
                 QStringLiteral("x[0…127]"));
        QCOMPARE(QString::fromStdString(record.elements_of(access_of(RecordedSpace::global, 4, 4, x, 4))),
                 QStringLiteral("x[2]"));
        QCOMPARE(QString::fromStdString(record.elements_of(access_of(RecordedSpace::global, ~0U, 4, x, 32))),
                 QStringLiteral("x[0, 8 … 248]"));
        RecordedAccess two = access_of(RecordedSpace::global, ~0U, 4, x, 4);
        for (unsigned lane = 16; lane < 32; ++lane)
            two.access.addresses[lane] += 512;
        QCOMPARE(QString::fromStdString(record.elements_of(two)), QStringLiteral("x[0…15, 144…159]"));
        QVERIFY(thread_of(record, 17) == (std::array<std::uint32_t, 3>{1, 5, 0}));
    }

    void sentences() {
        using enum RecordedSpace;
        QCOMPARE(said("read", access_of(global, ~0U, 4, 4096, 4)),
                 QStringLiteral("32 lanes read 4 sectors, the fewest possible: neighbours touch."));
        QCOMPARE(said("read", access_of(global, ~0U, 4, 4096, 128)),
                 QStringLiteral("32 lanes read 32 sectors where 4 would do: neighbours are 128 bytes apart."));
        RecordedAccess rows = access_of(global, ~0U, 4, 4096, 768);
        for (unsigned lane = 16; lane < 32; ++lane)
            rows.access.addresses[lane] = rows.access.addresses[lane - 16] + 4;
        QCOMPARE(said("read", rows),
                 QStringLiteral("32 lanes read 16 sectors where 4 would do: most neighbours are 768 "
                                "bytes apart."));
        QCOMPARE(said("write", access_of(global, ~0U, 4, 4100, 4)),
                 QStringLiteral("32 lanes write 5 sectors where 4 would do: neighbours touch, but the first address is "
                                "4 bytes into a sector."));
        QCOMPARE(said("read", access_of(global, ~0U, 4, 4096, 0)),
                 QStringLiteral("32 lanes read 1 sector, the fewest possible: all at one address."));
        QCOMPARE(said("read", access_of(global, 8, 4, 4096, 4)),
                 QStringLiteral("1 lane reads 1 sector, the fewest possible."));
        QCOMPARE(said("read", access_of(shared, ~0U, 4, 0, 4)),
                 QStringLiteral("32 lanes read shared memory in 1 wavefront, the fewest possible."));
        QCOMPARE(said("read", access_of(shared, ~0U, 4, 0, 128)),
                 QStringLiteral("32 lanes read shared memory in 32 wavefronts where 1 would do: 32 different words lie "
                                "in one bank, neighbours are 128 bytes apart."));
        QCOMPARE(said("atomic", access_of(global, ~0U, 4, 4096, 0)),
                 QStringLiteral("32 lanes change 1 sector, the fewest possible: all at one address; they take turns "
                                "there."));
        QCOMPARE(said("read", access_of(local, ~0U, 4, 0, 0)),
                 QStringLiteral("32 lanes read 4 sectors of local memory, the fewest possible."));
        QCOMPARE(QString::fromStdString(sentence_of(example().instructions[1].branches[0])),
                 QStringLiteral("The warp parts: 8 lanes go to line 9, 24 lanes leave the function."));
        QCOMPARE(QString::fromStdString(sentence_of(example().instructions[1].branches[1])),
                 QStringLiteral("All of the 8 lanes go to line 9."));
    }
    void text_shows_the_first() {
        const std::string text = to_text(example());
        QVERIFY2(text.find("block (5,0,1), warp 2: 32 threads, 5002 executions") != std::string::npos, text.c_str());
        QVERIFY2(text.find("k.cu:7:3: ld.global.f32, read of 4 bytes a lane, 5000 executions") != std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("x[0…31]") != std::string::npos, text.c_str());
        QVERIFY2(text.find("and 4997 more; --json has the first 102") != std::string::npos, text.c_str());
    }
};

QTEST_APPLESS_MAIN(WarpRecordTest)
#include "test_warp_record.moc"
