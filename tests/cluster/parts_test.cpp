// SPDX-License-Identifier: Apache-2.0
// How points are shared out, what logs of results may look like, and what the commands of Slurm may print.
#include "cluster/campaign.hpp"
#include "cluster/collector.hpp"
#include "cluster/records.hpp"
#include "cluster/slurm_text.hpp"
#include "cluster/split.hpp"
#include "cluster/sweep_results.hpp"
#include "cluster/task.hpp"

#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

using namespace warplight;
using namespace warplight::cluster;

namespace {

constexpr const char* sweep_text = R"({"warplight": 2, "source": "k.cu",
    "kernel": "k", "launch": {"grid": 1, "block": 1},
    "sweep": {"rounds": 6, "vary": [{"name": "define:A", "values": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]},
                                    {"name": "block", "values": [32, 64, 96, 128]}]}})";

/// A result as a task writes it: the time says which record it was.
std::string body(std::uint64_t point, double ms, const std::string& gpu = "A", const char* state = "measured") {
    const std::vector<double> visit(3, ms);
    nlohmann::json result = {
        {"point", point},
        {"state", state},
        {"values", {{"define:A", std::to_string(point / 4)}, {"block", std::to_string(32 * (point % 4 + 1))}}}};
    if (std::string_view(state) == "measured") {
        result["rounds"] = std::vector(6, visit);
        result["median_ms"] = ms;
        result["interval_ms"] = {ms, ms};
        result["min_ms"] = ms;
        result["outliers"] = 0;
    } else {
        result["error"] = {{"kind", "device"}, {"message", "it broke"}};
    }
    return nlohmann::json{{"machine", {{"node", "n1"}, {"gpu", gpu}, {"driver", "cuda"}}}, {"result", result}}.dump();
}

class Folder {
public:
    Folder() {
        campaign.folder = path.filePath("c").toStdString();
        campaign.session = session::parse(sweep_text);
        campaign.count = 40;
        campaign.tasks = 4;
        std::filesystem::create_directories(campaign.results());
    }
    void write(std::uint64_t task, const std::string& unique, const std::string& text,
               std::uint64_t attempt = 0) const {
        std::ofstream file(campaign.results() / LogName{task, attempt, unique}.text(),
                           std::ios::app | std::ios::binary);
        file << text;
    }
    [[nodiscard]] std::string line(std::uint64_t task, std::size_t place, double ms,
                                   const std::string& gpu = "A") const {
        const auto point = campaign.split().points_of(task).at(place);
        return record_line(point, body(point, ms, gpu));
    }
    QTemporaryDir path;
    Campaign campaign;
};

} // namespace

class PartsTest : public QObject {
    Q_OBJECT
private slots:
    void each_point_is_in_one_task() {
        for (const auto& [count, tasks] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                 {1, 1}, {2, 2}, {3, 1}, {10, 3}, {1000, 7}, {1023, 1023}, {4097, 64}, {5, 9}}) {
            const Split split(count, tasks, 42);
            std::vector<std::uint64_t> all;
            std::size_t least = count, most = 0;
            for (std::uint64_t task = 0; task < split.tasks(); ++task) {
                const auto points = split.points_of(task);
                QCOMPARE(points.size(), split.size_of(task));
                least = std::min(least, points.size());
                most = std::max(most, points.size());
                for (const auto point : points)
                    QCOMPARE(split.task_of(point), task);
                all.insert(all.end(), points.begin(), points.end());
            }
            QVERIFY(most - least <= 1);
            std::ranges::sort(all);
            std::vector<std::uint64_t> expected(count);
            std::iota(expected.begin(), expected.end(), std::uint64_t{0});
            QVERIFY(all == expected);
        }
        QVERIFY(Split(1000, 1, 1).points_of(0) != Split(1000, 1, 2).points_of(0));
        QVERIFY(Split(1000, 4, 1).points_of(4).empty());
    }

    void tasks_take_minutes() {
        QCOMPARE(tasks_for(10'000, {.point_seconds = 1}), 34u);
        QCOMPARE(tasks_for(10'000, {.point_seconds = 0.001}), 1u);
        QCOMPARE(tasks_for(10'000, {.point_seconds = 0.001, .at_least = 8}), 8u);
        QCOMPARE(tasks_for(10, {.point_seconds = 1e9}), 10u);
        QCOMPARE(tasks_for(10, {.wanted = 99}), 10u);
        QCOMPARE(tasks_for(0, {}), 1u);
        QCOMPARE(group_size(0.001), std::size_t{256});
        QCOMPARE(group_size(1), std::size_t{30});
        QCOMPARE(group_size(1e9), std::size_t{1});
        QCOMPARE(group_size(0), std::size_t{8});
    }

    void arrays_stay_below_the_limit() {
        const std::vector<std::uint64_t> tasks{0, 1, 2, 5, 9, 10, 11, 12, 25, 29, 30};
        const auto arrays = arrays_of(tasks, 10);
        QCOMPARE(arrays.size(), std::size_t{4});
        QCOMPARE(arrays[0].indices, "0-2,5,9");
        QCOMPARE(arrays[1].indices, "0-2");
        QCOMPARE(arrays[1].offset, 10u);
        QCOMPARE(arrays[2].indices, "5,9");
        QCOMPARE(arrays[3].indices, "0");
        std::vector<std::uint64_t> all;
        for (const auto& each : arrays) {
            QCOMPARE(count_indices(each.indices), each.tasks.size());
            all.insert(all.end(), each.tasks.begin(), each.tasks.end());
        }
        QVERIFY(all == tasks);
        QCOMPARE(arrays_of({3, 4}, 1).size(), std::size_t{2});
    }

    void logs_are_read_however_they_are_cut() {
        std::string log;
        std::vector<std::pair<std::uint64_t, std::string>> written;
        for (std::uint64_t i = 0; i < 50; ++i) {
            written.emplace_back(i * 7, std::string(i * 3, 'x') + "{}");
            log += record_line(written.back().first, written.back().second);
            if (i % 10 == 3) log += "torn 12 " + std::string(i, 'z') + "\n\n";
            if (i % 10 == 5) log += std::string(8, '\0') + "\n";
        }
        const auto whole = log;
        log += record_line(999, "never finished").substr(0, 20);
        std::mt19937 random(5);
        for (int trial = 0; trial < 20; ++trial) {
            RecordReader reader;
            std::vector<std::pair<std::uint64_t, std::string>> read;
            for (std::size_t at = 0; at < log.size();) {
                const auto size = std::min<std::size_t>(1 + random() % (trial < 10 ? 7 : 4000), log.size() - at);
                reader.feed(std::string_view(log).substr(at, size), [&](const Record& record) {
                    read.emplace_back(record.point, record.body);
                    QCOMPARE(std::string_view(whole).substr(record.offset, record.length),
                             record_line(record.point, record.body));
                });
                at += size;
            }
            QVERIFY(read == written);
            QCOMPARE(reader.damaged(), 10u);
            QCOMPARE(reader.offset(), log.size());
        }
    }

    void a_record_is_whole_or_none() {
        const auto line = record_line(12, R"({"a": 1})");
        QVERIFY(parse_record(std::string_view(line).substr(0, line.size() - 1)));
        for (std::size_t i = 0; i + 1 < line.size(); ++i) { // cut off, and one character changed
            QVERIFY(!parse_record(std::string_view(line).substr(0, i)));
            auto other = line.substr(0, line.size() - 1);
            other[i] ^= 1;
            QVERIFY2(!parse_record(other), other.c_str());
        }
        RecordReader reader; // a line without an end fills no memory, and hides only itself
        const std::string piece(1 << 20, 'x');
        std::size_t taken = 0;
        for (int i = 0; i < 20; ++i)
            reader.feed(piece, [&](const Record&) { ++taken; });
        reader.feed("\n" + line, [&](const Record&) { ++taken; });
        QCOMPARE(taken, std::size_t{1});
        QCOMPARE(reader.damaged(), 1u);
        QVERIFY(LogName::parse("000012.3.abcdefghij.log"));
        for (const char* name :
             {"12.log", "000012.3.abc.log", "x.0.abcdefghij.log", "1.2.ABCDEFGHIJ.log", ".log", "..",
              "1.0.abcdefghij.log.tmp", "-1.0.abcdefghij.log", "99999999999999999999999.0.abcdefghij.log"})
            QVERIFY2(!LogName::parse(name), name);
    }

    void results_are_collected_as_they_come() {
        const Folder folder;
        Collector collector(folder.campaign);
        QCOMPARE(collector.refresh(), 0u);
        const auto first = folder.line(0, 0, 2.0);
        folder.write(0, "aaaaaaaaaa", first.substr(0, 30));
        QCOMPARE(collector.refresh(), 0u); // its end is not there yet
        folder.write(0, "aaaaaaaaaa", first.substr(30));
        QCOMPARE(collector.refresh(), 1u);
        QCOMPARE(collector.refresh(), 0u);
        QCOMPARE(collector.bytes(), first.size());
        for (std::uint64_t task = 0; task < 4; ++task)
            for (std::size_t place = task == 0 ? 1 : 0; place < 10; ++place)
                folder.write(task, "bbbbbbbbbb", folder.line(task, place, 3.0 + static_cast<double>(place)));
        QCOMPARE(collector.refresh(), 39u);
        QVERIFY(collector.complete() && collector.tasks_left().empty());
        QCOMPARE(collector.duplicates(), 0u);
        QCOMPARE(collector.damaged(), 0u);
        const auto best = folder.campaign.split().points_of(0).at(0);
        const SweepResults results(collector, false, 1);
        QCOMPARE(*results.best().at(0), best);
        QVERIFY(results.point(best).best);
        const auto other = results.point(folder.campaign.split().points_of(3).at(4));
        QCOMPARE(other.result.median_ms, 7.0);
        QCOMPARE(other.machine.node, "n1");
        QVERIFY(other.result.against_best && qAbs(other.result.against_best->ratio - 3.5) < 1e-9);
        std::string text;
        results.write_json([&](std::string_view piece) { text += piece; });
        const auto json = nlohmann::json::parse(text);
        QCOMPARE(json.at("points").size(), std::size_t{40});
        QCOMPARE(json.at("best").get<std::uint64_t>(), best);
        QCOMPARE(json.at("missing").get<int>(), 0);
        text.clear();
        results.write_csv([&](std::string_view piece) { text += piece; });
        QCOMPARE(std::ranges::count(text, '\n'), 41);
        QVERIFY(results.text().find("40 of 40 points measured") != std::string::npos);
        QVERIFY(results.text(5).find("and 35 more points") != std::string::npos);
    }

    void the_first_record_by_its_log_counts() {
        for (const bool late_first : {false, true}) {
            const Folder folder;
            Collector collector(folder.campaign);
            const auto write = [&](bool late) {
                // A requeued task is attempt 1, while the process of attempt 0 still writes.
                folder.write(1, late ? "aaaaaaaaaa" : "zzzzzzzzzz", folder.line(1, 3, late ? 9.0 : 1.0), late ? 1 : 0);
                collector.refresh();
            };
            write(late_first);
            write(!late_first);
            folder.write(1, "zzzzzzzzzz", folder.line(1, 3, 5.0)); // once more in the same log
            collector.refresh();
            QCOMPARE(collector.done(), 1u);
            QCOMPARE(collector.duplicates(), 2u);
            QCOMPARE(collector.entries()[folder.campaign.split().points_of(1).at(3)].median_ms, 1.0);
        }
    }

    void gpus_are_not_mixed() {
        const Folder folder;
        Collector collector(folder.campaign);
        for (std::size_t place = 0; place < 10; ++place) {
            folder.write(0, "aaaaaaaaaa", folder.line(0, place, 1.0 + static_cast<double>(place), "Fast"));
            folder.write(1, "aaaaaaaaaa", folder.line(1, place, 100.0 + static_cast<double>(place), "Slow"));
        }
        collector.refresh();
        const SweepResults results(collector, false, 1);
        const auto split = folder.campaign.split();
        QCOMPARE(results.best().size(), std::size_t{2});
        const auto slow = results.point(split.points_of(1).at(1));
        QVERIFY(slow.result.against_best && slow.result.against_best->ratio < 1.1); // of its own GPU's best
        QVERIFY(results.point(split.points_of(1).at(0)).best && results.point(split.points_of(0).at(0)).best);
        const auto text = results.text();
        QVERIFY(text.find("On Fast") != std::string::npos && text.find("On Slow") != std::string::npos);
        QVERIFY(text.find("20 of 40 points have no result") != std::string::npos);
        std::string json;
        results.write_json([&](std::string_view piece) { json += piece; });
        QVERIFY(!nlohmann::json::parse(json).contains("best"));
        QCOMPARE(nlohmann::json::parse(json).at("gpus").size(), std::size_t{2});
        QCOMPARE(results.exit_code(), 4);
    }

    void hostile_logs_are_left_out() {
        const Folder folder;
        const auto split = folder.campaign.split();
        const auto mine = split.points_of(2).at(0), other = split.points_of(3).at(0);
        folder.write(2, "aaaaaaaaaa", record_line(other, body(other, 1))); // of another task
        folder.write(2, "aaaaaaaaaa", record_line(40, body(40, 1)));       // there is no such point
        folder.write(2, "aaaaaaaaaa", record_line(UINT64_MAX, "{}"));
        folder.write(2, "aaaaaaaaaa", record_line(mine, "[1, 2"));
        folder.write(2, "aaaaaaaaaa", record_line(mine, "{}"));
        folder.write(2, "aaaaaaaaaa", record_line(mine, R"({"machine": 3, "result": "x"})"));
        folder.write(2, "aaaaaaaaaa", record_line(mine, std::string(200'000, '[')));
        folder.write(2, "aaaaaaaaaa", std::string("\xff\xfe\0\0", 4));
        folder.write(9, "aaaaaaaaaa", folder.line(2, 0, 1)); // there is no such task
        std::filesystem::create_directories(folder.campaign.results() / LogName{1, 0, "cccccccccc"}.text());
        Collector collector(folder.campaign);
        QCOMPARE(collector.refresh(), 0u);
        QCOMPARE(collector.damaged(), 7u);
        // One that parses, and has values that are none, is read as a point without a result.
        folder.write(2, "aaaaaaaaaa",
                     "\n" + record_line(mine, R"({"machine": {}, "result": {"state": "measured", "median_ms": 1}})"));
        QCOMPARE(collector.refresh(), 1u);
        const SweepResults results(collector, false, 1);
        QCOMPARE(session::state_name(results.point(mine).result.state), "waiting");
        QVERIFY(!results.text().empty());
    }

    void commands_are_words() {
        SlurmOptions options;
        options.partition = "gpu; rm -rf ~";
        options.gres = "gpu:1";
        options.time = "10";
        options.container_image = "a b";
        options.more = {"--account=x y"};
        const auto command = sbatch_command({"warplight-x", "/c/100%/job.sh", "/c/100%", 1000, "0-9,12"}, options);
        const auto has = [&](const char* word) { return std::ranges::find(command, word) != command.end(); };
        QVERIFY(has("--partition=gpu; rm -rf ~") && has("--gres=gpu:1") && has("--time=10") && has("--array=0-9,12"));
        QVERIFY(has("--container-image=a b") && has("--account=x y") && has("--output=/c/100%%/output/%A_%a.txt"));
        QCOMPARE(command.back(), "1000");
        options.more = {"job.sh"};
        QVERIFY_THROWS_EXCEPTION(session::SessionError, (void)sbatch_command({"n", "s", "/c", 0, "0"}, options));
        options.more = {"--a=\n"};
        QVERIFY_THROWS_EXCEPTION(session::SessionError, (void)sbatch_command({"n", "s", "/c", 0, "0"}, options));
        const auto script = job_script("/opt/it's/warplight-cli", "/c/$(id)");
        QVERIFY(script.find(R"('/opt/it'\''s/warplight-cli' cluster-work '/c/$(id)')") != std::string::npos);
    }

    void sbatch_is_understood() {
        QCOMPARE(*job_number("123\n"), 123u);
        QCOMPARE(*job_number("123;cluster\n"), 123u);
        QCOMPARE(*job_number("welcome to the cluster\n77\n"), 77u);
        for (const char* text : {"", "\n", "Submitted batch job 12", "-4\n", "99999999999999999999999\n", "0\n"})
            QVERIFY2(!job_number(text), text);
        QCOMPARE(refusal_of("sbatch: error: Batch job submission failed: Invalid job array specification"),
                 Refusal::array);
        QCOMPARE(refusal_of("sbatch: error: AssocMaxSubmitJobLimit"), Refusal::limit);
        QCOMPARE(refusal_of("slurm_load_jobs error: Unable to contact slurm controller (connect failure)"),
                 Refusal::reach);
        const auto explained =
            explain_refusal("sbatch: error: invalid partition specified: x\n\x1b[2Jsbatch: error: y\n", {});
        QVERIFY(explained.find("invalid partition specified: x; ") != std::string::npos);
        QVERIFY(explained.find('\x1b') == std::string::npos && explained.find("--partition") != std::string::npos);
        QVERIFY(explain_refusal("Invalid account or account/partition combination specified", {}).find("--account=") !=
                std::string::npos);
        QVERIFY(explain_refusal("", {}).find("did not say why") != std::string::npos);
    }

    void squeue_and_sacct_are_understood() {
        const auto queue = queue_from("12|4-9,11%2|PENDING||Resources\n12|0|RUNNING|n1|None\n12|1|RUNNING|n2|None\n"
                                      "12|2|COMPLETING|n2|None\n12|3|FAILED|n2|None\n13|7|PENDING||JobHeldUser\n"
                                      "nonsense\n|||||||\n\x01\x02|x|RUNNING||\n12|5-|PENDING||x\n");
        QCOMPARE(queue.waiting, 9u);
        QCOMPARE(queue.running, 3u);
        QCOMPARE(queue.malformed, 3u);
        QCOMPARE(queue.reasons.at("Resources"), 7u);
        QVERIFY((queue.nodes == std::vector<std::string>{"n1", "n2"}));
        QCOMPARE(count_indices("[0-9,20-28:4]"), 13u);
        QCOMPARE(count_indices("0-9,..."), 10u);
        QCOMPARE(count_indices("9-0,x,3-,-3,0-8:0"), 0u);
        QCOMPARE(count_indices("[4-5,7%2]"), 3u);
    }

    void ends_are_understood() {
        // As Slurm 22.05 prints it; tasks that never began are one line, and a step and nonsense are no tasks.
        const auto all = ends_from("12_0|COMPLETED|0:0|n1\n12_1|OUT_OF_MEMORY|0:125|n2\n12_1.batch|FAILED|1:0|n2\n"
                                   "12_2|REQUEUED|0:0|n1\n12_3|CANCELLED by 1000|0:15|n1\n12_6|FAILED|0:9|n1\n"
                                   "12_[3-5,8-12:2%4]|CANCELLED by 0|0:0|None assigned\n12_2|COMPLETED|0:0|n2\n"
                                   "12_[99-|FAILED|0:0|n1\n12_[9-1,...]|FAILED|0:0|n1\nx|y\n_|||\n");
        const auto& ends = all.tasks;
        QCOMPARE(ends.size(), std::size_t{10});
        QVERIFY(all.find(12, 0)->state == "COMPLETED" && !all.find(12, 13) && !all.find(13, 0));
        // What is left of an array has its number alone.
        const auto rest = ends_from("7_0|COMPLETED|0:0|n1\n7|CANCELLED by 0|0:0|None assigned\n7_1.0|FAILED|1:0|n1\n");
        QVERIFY(rest.find(7, 0)->state == "COMPLETED" && rest.find(7, 1)->state == "CANCELLED by 0");
        QVERIFY(explain_end(ends.at({12, 0})).empty() && explain_end(ends.at({12, 2})).empty());
        QVERIFY((ends.at({12, 3}) == SlurmEnd{"CANCELLED by 1000", "0:15", "n1"}));
        for (const std::uint64_t index : {4, 5, 8, 10, 12})
            QVERIFY((ends.at({12, index}) == SlurmEnd{"CANCELLED by 0", "0:0", "None assigned"}));
        QCOMPARE(ends_from("1_[0-18446744073709551615]|CANCELLED by 0|0:0|None assigned\n").tasks.size(),
                 std::size_t{1001});
        const auto says = [&](const SlurmEnd& end, std::initializer_list<const char*> words) {
            const auto text = explain_end(end);
            return std::ranges::all_of(words, [&](auto word) { return text.find(word) != std::string::npos; });
        };
        QVERIFY(says(ends.at({12, 1}), {"on n2 used more memory", "(sacct: OUT_OF_MEMORY, exit code 0:125)", "--mem"}));
        QVERIFY(says(ends.at({12, 3}), {"cancelled on n1", "(sacct: CANCELLED by 1000, exit code 0:15)"}));
        QVERIFY(says(ends.at({12, 4}), {"cancelled before they began"}));
        QVERIFY(says(ends.at({12, 6}), {"on n1 were ended by signal 9", "FAILED"}));
        QVERIFY(says({"TIMEOUT", "0:0", "n1"}, {"on n1", "--time"}));
        QVERIFY(says({"NODE_FAIL", "0:0", "n1"}, {"A node failed: n1 ("}));
        QVERIFY(says({"PREEMPTED", "0:15", "n1"}, {"on n1 ended as PREEMPTED"}));
    }

    void slurms_lines_in_output_are_understood() {
        const std::string cancelled = "slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-29T23:33:01";
        const auto state = [](const std::string& printed) {
            const auto end = end_in_output(printed);
            return end ? end->state + ' ' + end->node : "none";
        };
        QCOMPARE(state("task 3 begins\n" + cancelled + " ***\nthe end\n"), "CANCELLED n1");
        QCOMPARE(state(cancelled + " DUE TO TIME LIMIT ***\n"), "TIMEOUT n1");
        // What is written behind the output of an earlier attempt.
        QCOMPARE(state(cancelled + " DUE TO JOB REQUEUE ***\nerror: no such GPU\n"), "none");
        QCOMPARE(state("slurmstepd-n1: error: StepId=3.batch exceeded memory limit (103 > 52), being killed\n" +
                       cancelled + " ***\n"),
                 "OUT_OF_MEMORY ");
        QCOMPARE(state("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=3.batch. Some of your processes may "
                       "have been killed by the cgroup out-of-memory handler.\n"),
                 "OUT_OF_MEMORY ");
        QCOMPARE(state("I was CANCELLED AT home\nslurmstepd: error: x\n\xff\n"), "none");
    }
};

QTEST_GUILESS_MAIN(PartsTest)
#include "parts_test.moc"
