// SPDX-License-Identifier: Apache-2.0
// Hints say what the figures show, at the lines where something is to gain, and nothing elsewhere.
#include "profile_kernels.hpp"

#include "profile/hints.hpp"

#include <map>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace profile_kernels;
using profile::Hint;
using profile::HintKind;
using profile::hints_of;

namespace {

/// "bank_conflicts: s[threadIdx.x * 2] = in[threadIdx.x];"
std::string shortly(const Hint& hint, const std::vector<std::string>& source) {
    std::string text(name_of(hint.kind));
    if (hint.line == 0) return text;
    const std::string& line = source.at(static_cast<std::size_t>(hint.line) - 1);
    return text + ": " + line.substr(line.find_first_not_of(' '));
}

std::vector<std::string> lines_of_source() {
    std::istringstream source(text_of("kernels.cu"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(source, line);)
        lines.push_back(line);
    return lines;
}

/// A profile of one instruction after the other, at lines 1, 2, ….
profile::Profile profile_with(std::initializer_list<std::pair<const char*, profile::Figures>> instructions) {
    profile::Profile profile;
    profile.launches = 1;
    profile.warps = 4096;
    int line = 0;
    for (const auto& [opcode, figures] : instructions) {
        profile::Instruction each;
        each.kernel = "k";
        each.place = {"k.cu", ++line, 1};
        each.ptx_line = 10 * line;
        each.opcode = opcode;
        each.figures = figures;
        each.figures.executions = figures.executions ? figures.executions : 100;
        each.figures.active_lanes = figures.active_lanes ? figures.active_lanes : 32 * each.figures.executions;
        profile.instructions.push_back(each);
    }
    return profile;
}

profile::Figures global(std::uint64_t sectors, std::uint64_t ideal) {
    profile::Figures f;
    f.requests = 100;
    f.sectors = 100 * sectors;
    f.sectors_ideal = 100 * ideal;
    f.bytes = 100 * 32 * ideal;
    return f;
}

profile::Figures shared(std::uint64_t wavefronts, std::uint64_t ideal) {
    profile::Figures f;
    f.shared_requests = 100;
    f.wavefronts = 100 * wavefronts;
    f.wavefronts_ideal = 100 * ideal;
    return f;
}

profile::Figures threads(std::uint64_t lanes, std::uint64_t divergent = 0) {
    profile::Figures f;
    f.active_lanes = 100 * lanes;
    f.divergent_branches = divergent;
    return f;
}

std::vector<HintKind> kinds_of(const std::vector<Hint>& hints) {
    std::vector<HintKind> kinds;
    for (const Hint& each : hints)
        kinds.push_back(each.kind);
    return kinds;
}

/// Kernel → kinds, with the lines that they are at.
const std::map<std::string, std::vector<std::string>>& expected_hints() {
    static const std::map<std::string, std::vector<std::string>> all = {
        {"stride_two", {"uncoalesced: const float x = in[i * 2];"}},
        {"stride_three", {"uncoalesced: const float x = in[i * 3 + 1];", "uncoalesced: out[i * 2] = x;"}},
        {"stride_eight", {"uncoalesced: const float x = in[i * 8];", "uncoalesced: out[i * 5] = x;"}},
        {"stride_unknown", {"uncoalesced: const float x = in[i * n];", "uncoalesced: out[i * 32] = x;"}},
        {"shorts", {"uncoalesced: reinterpret_cast<short*>(out)[i * 2] = x;"}},
        {"pairs", {"uncoalesced: reinterpret_cast<float2*>(out)[i * 3] = x;"}},
        {"quadruples", {"uncoalesced: reinterpret_cast<float4*>(out)[i * 2] = x;"}},
        {"gather", {"uncoalesced: const float x = in[at];"}},
        {"scatter", {"uncoalesced: out[at] = 1.0f;"}},
        {"rows_of_eight", {"uncoalesced: out[x * n + y] = value;"}},
        {"part_of_a_warp", {"partial_warps"}},
        {"few_threads", {"divergence: if (threadIdx.x % 32 == 5) {"}},
        {"conflicts_2",
         {"bank_conflicts: s[threadIdx.x * 2] = in[threadIdx.x];",
          "bank_conflicts: out[threadIdx.x] = s[(threadIdx.x ^ 1) * 2];"}},
        {"conflicts_4",
         {"bank_conflicts: s[threadIdx.x * 4] = in[threadIdx.x];",
          "bank_conflicts: out[threadIdx.x] = s[(threadIdx.x ^ 1) * 4];"}},
        {"conflicts_8",
         {"bank_conflicts: s[threadIdx.x * 8] = in[threadIdx.x];",
          "bank_conflicts: out[threadIdx.x] = s[(threadIdx.x ^ 1) * 8];"}},
        {"conflicts_16",
         {"bank_conflicts: s[threadIdx.x * 16] = in[threadIdx.x];",
          "bank_conflicts: out[threadIdx.x] = s[(threadIdx.x ^ 1) * 16];"}},
        {"conflicts_32",
         {"bank_conflicts: s[threadIdx.x * 32] = in[threadIdx.x];",
          "bank_conflicts: out[threadIdx.x] = s[(threadIdx.x ^ 1) * 32];"}},
        {"conflicts_3_of_33", {"bank_conflicts: out[threadIdx.x] = s[threadIdx.x % 3 * 32];"}},
        {"shared_doubles", {"bank_conflicts: out[threadIdx.x] = static_cast<float>(s[(threadIdx.x ^ 3) * 2]);"}},
        {"shared_pairs", {"bank_conflicts: s[threadIdx.x * 2] = reinterpret_cast<const float2*>(in)[threadIdx.x];"}},
        {"shared_quadruples",
         {"bank_conflicts: reinterpret_cast<float4*>(out)[threadIdx.x] = s[(threadIdx.x * 2) & 63];"}},
        {"shared_gather_doubles", {"bank_conflicts: out[THREAD] = static_cast<float>(s[at]);"}},
        {"shared_gather_quadruples", {"bank_conflicts: reinterpret_cast<float4*>(out)[THREAD] = s[at];"}},
        {"transpose_plain", {"uncoalesced: out[x * n + y + k] = value;"}},
        {"transpose_tile", {"bank_conflicts: const float value = tile[x][k];"}},
        {"atomic_same", {"atomics: const int old = atomicExch(to, static_cast<int>(THREAD));"}},
        {"atomic_four", {"atomics: const unsigned old = atomicMax(to + (threadIdx.x & n), THREAD);"}},
        {"atomic_shared", {"atomics: atomicAdd(&s[index[threadIdx.x] & n], 1u);"}},
        {"loops_apart", {"divergence: for (int k = 0; k < rounds; ++k) {"}},
        {"loops_in_loops", {"divergence: for (int j = 0; j < inner; ++j) {"}},
        {"two_ways", {"uncoalesced: const float y = in[i * 2 + k * 128];", "divergence: if (index[i] & 1) {"}},
        {"leaves_loop", {"divergence: if (next % 5 == 0) break;"}},
        {"search", {"uncoalesced: const float x = in[middle];"}},
        {"local_array", {"local_memory: own[k ^ n] = in[i + k];", "local_memory: out[i] = own[at];"}},
    };
    return all;
}

} // namespace

class HintsTest : public QObject {
    Q_OBJECT

    Session session_;
    Kernels kernels_;
    std::vector<std::string> source_ = lines_of_source();

private slots:
    void initTestCase() { kernels_.load(); }

    /// Reads and writes of one line are told apart, and a good access beside a bad one changes no figure.
    void spread_accesses() {
        profile::Profile profile = profile_with({{"ld.global.f32", global(32, 4)},
                                                 {"ld.global.f32", global(4, 4)},
                                                 {"st.global.f32", global(16, 4)},
                                                 {"ld.global.f32", global(5, 4)}});
        profile.instructions[1].place.line = 1;
        const std::vector<Hint> hints = hints_of(profile);
        QCOMPARE(kinds_of(hints), (std::vector{HintKind::uncoalesced, HintKind::uncoalesced}));
        QCOMPARE(hints[0].line, 1);
        QCOMPARE(hints[0].ptx_line, 10);
        QVERIFY(hints[0].text.starts_with("A read of a warp takes 32 sectors of memory where 4 would do"));
        QCOMPARE(hints[1].line, 3);
        QVERIFY(hints[1].text.starts_with("A write of a warp takes 16 sectors"));
        QVERIFY(hints[0].share > hints[1].share && hints[0].share < 1);
        // A whole warp reads 32 bytes from the middle of a sector: two sectors, and nothing is spread.
        QVERIFY(hints_of(profile_with({{"ld.global.b8", global(2, 1)}})).empty());
        // Half of the threads are away, and the others read as far apart as all would.
        profile::Figures half = global(4, 2);
        half.active_lanes = 1600;
        QVERIFY(hints_of(profile_with({{"ld.global.f32", half}, {"add.s32", threads(32)}})).empty());
        // Atomic operations have a hint of their own.
        QVERIFY(hints_of(profile_with({{"atom.global.add.u32", global(32, 4)}})).empty());
    }

    /// 8 bytes a thread take two passes, and 16 take four: that is no conflict.
    void bank_conflicts() {
        const auto first = [](const char* opcode, std::uint64_t wavefronts, std::uint64_t ideal) {
            const auto hints = hints_of(profile_with({{opcode, shared(wavefronts, ideal)}}));
            return hints.empty() ? std::string() : hints.front().text;
        };
        QVERIFY(first("ld.shared.f32", 4, 1).find("in 4 passes where 1 would do (4-way") != std::string::npos);
        QVERIFY(first("st.shared.f32", 2, 1).starts_with("A write"));
        QCOMPARE(first("ld.shared.f32", 1, 1), "");
        QCOMPARE(first("ld.shared.f64", 2, 1), "");
        QCOMPARE(first("ld.shared.v2.f32", 2, 1), "");
        QCOMPARE(first("ld.shared.v4.f32", 4, 2), "");
        QCOMPARE(first("ld.shared.v2.f64", 4, 2), "");
        QVERIFY(first("ld.shared.f64", 4, 2).find("2-way") != std::string::npos);
        QVERIFY(first("ld.shared.v4.u32", 8, 4).find("2-way") != std::string::npos);
        QCOMPARE(first("atom.shared.add.u32", 8, 1), "");
    }

    /// The branch right before the instructions that few threads run is blamed, and no other.
    void divergence() {
        const auto profile = profile_with({{"bra", threads(32, 100)},
                                           {"add.s32", threads(32)},
                                           {"bra", threads(32, 50)},
                                           {"add.s32", threads(4)},
                                           {"add.s32", threads(4)},
                                           {"add.s32", threads(32)}});
        const std::vector<Hint> hints = hints_of(profile);
        QCOMPARE(kinds_of(hints), std::vector{HintKind::divergence});
        QCOMPARE(hints[0].line, 3);
        QVERIFY2(hints[0].text.starts_with("At 50 of 100 executions") &&
                     hints[0].text.find("runs with 4 of 32 threads") != std::string::npos,
                 hints[0].text.c_str());
        // A loop that threads leave one after the other: its branch is among its instructions.
        const auto loop = hints_of(profile_with(
            {{"add.s32", threads(32)}, {"add.s32", threads(16)}, {"bra", threads(16, 80)}, {"add.s32", threads(32)}}));
        QCOMPARE(kinds_of(loop), std::vector{HintKind::divergence});
        QCOMPARE(loop[0].line, 3);
        // Threads that go two ways to hardly any instructions.
        QVERIFY(hints_of(profile_with({{"bra", threads(32, 100)}, {"add.s32", threads(32)}})).empty());
        // A block of 16 threads does not diverge.
        const auto narrow = hints_of(profile_with({{"add.s32", threads(16)}, {"add.s32", threads(16)}}));
        QCOMPARE(kinds_of(narrow), std::vector{HintKind::partial_warps});
        QVERIFY(narrow[0].text.find("A warp has 16 of 32 threads") == 0);
        QCOMPARE(narrow[0].line, 0);
    }

    void atomics_and_local_memory() {
        profile::Figures meeting;
        meeting.requests = meeting.sectors = meeting.sectors_ideal = meeting.atomic_addresses = 100;
        meeting.atomic_lanes = 3200;
        const auto atomics = hints_of(profile_with({{"red.global.add.f32", meeting}}));
        QCOMPARE(kinds_of(atomics), std::vector{HintKind::atomics});
        QVERIFY(atomics[0].text.starts_with("32 threads of a warp meet at one address"));
        meeting.atomic_addresses = 3000;
        QVERIFY(hints_of(profile_with({{"red.global.add.f32", meeting}})).empty());
        profile::Figures own;
        own.local_requests = 100;
        own.local_sectors = 400;
        QCOMPARE(kinds_of(hints_of(profile_with({{"ld.local.f32", own}}))), std::vector{HintKind::local_memory});
    }

    /// What saves most comes first, and what saves little does not come.
    void little_is_no_hint() {
        profile::Profile profile = profile_with({{"ld.global.f32", global(32, 4)}, {"st.shared.f32", shared(8, 1)}});
        QCOMPARE(kinds_of(hints_of(profile)), (std::vector{HintKind::uncoalesced, HintKind::bank_conflicts}));
        for (profile::Instruction& each : profile.instructions) {
            each.figures.executions = 500000;
            each.figures.active_lanes = 32 * each.figures.executions;
        }
        QVERIFY(hints_of(profile).empty());
        QVERIFY(hints_of({}).empty());
    }

    void the_roofline_comes_last() {
        profile::Profile profile = profile_with({{"ld.global.f32", global(32, 4)}, {"fma.rn.f32", {}}});
        auto& operations = profile.instructions[1].figures.operations;
        operations[static_cast<std::size_t>(profile::Operation::f32)] = 6400;
        const profile::Gpu* gpu = profile::find_gpu("H100");
        QCOMPARE(kinds_of(hints_of(profile, gpu)), (std::vector{HintKind::uncoalesced, HintKind::memory_bound}));
        operations[static_cast<std::size_t>(profile::Operation::f32)] = 640000000;
        const auto hints = hints_of(profile, gpu);
        QCOMPARE(hints.back().kind, HintKind::arithmetic_bound);
        QVERIFY2(hints.back().text.find("H100") != std::string::npos, hints.back().text.c_str());
        profile.warps = 100; // too few for a GPU
        QCOMPARE(kinds_of(hints_of(profile, gpu)), std::vector{HintKind::uncoalesced});
    }

    void as_json_and_text() {
        profile::Profile profile = profile_with({{"ld.global.f32", global(32, 4)}});
        const nlohmann::json object = to_json(hints_of(profile).front());
        QVERIFY(object["kind"] == "uncoalesced");
        QVERIFY(object["file"] == "k.cu");
        QVERIFY(object["line"] == 1);
        QVERIFY(object["anchor"] == "accesses-that-are-spread");
        QVERIFY(object["share"].get<double>() > 0.5);
        QVERIFY(to_text(profile).find("\nhint: k.cu:1: A read of a warp takes 32 sectors") != std::string::npos);
        profile.instructions[0].place = {};
        QVERIFY(!to_json(hints_of(profile).front()).contains("file"));
        QVERIFY(to_text(profile).find("\nhint: line 10 of the PTX: A read") != std::string::npos);
    }

    /// Of each kernel of kernels.cu; those that are not in the table have no hint.
    void of_kernels_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Case& each : cases())
            QTest::newRow(each.kernel.c_str()) << number++;
    }
    void of_kernels() {
        QFETCH(int, number);
        const Case each = cases().at(static_cast<std::size_t>(number));
        std::vector<std::string> found;
        for (const Hint& hint : hints_of(kernels_.profile_of(each)))
            found.push_back(shortly(hint, source_));
        const auto expected = expected_hints().find(each.kernel);
        QCOMPARE(found, expected == expected_hints().end() ? std::vector<std::string>() : expected->second);
    }
};

QTEST_GUILESS_MAIN(HintsTest)
#include "test_hints.moc"
