// SPDX-License-Identifier: Apache-2.0
// The profile of kernels.cu is what Nsight Compute has read on a GPU (ncu.csv, made by record.sh), access by access and
// branch by branch. The same at every width and on every number of workers (see CMakeLists.txt).
#include "profile_kernels.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace warplight;
using namespace profile_kernels;

namespace {

/// What a line does in one of the memories, or as a branch.
struct Row {
    unsigned long long executions = 0, threads = 0, cost = 0, ideal = 0;
    bool operator==(const Row&) const = default;
};
using Key = std::pair<int, std::string>; ///< line, and which memory
using Rows = std::map<Key, Row>;

std::string described(const Rows& rows) {
    std::string text;
    for (const auto& [key, row] : rows)
        text += "\n  line " + std::to_string(key.first) + " " + key.second + ": " + std::to_string(row.executions) +
                " executions, " + std::to_string(row.threads) + " threads, " + std::to_string(row.cost) + ", ideal " +
                std::to_string(row.ideal);
    return text;
}

std::map<std::string, Rows> recorded() {
    std::map<std::string, Rows> all;
    std::istringstream file(text_of("ncu.csv"));
    std::string line;
    std::getline(file, line); // the names of the columns
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');)
            cells.push_back(cell);
        const std::string operation = cells.at(2).substr(0, cells[2].find('.'));
        const auto number = [&](std::size_t column) { return std::stoull(cells.at(column)); };
        const auto add = [&](const char* memory, unsigned long long cost, unsigned long long ideal) {
            Row& to = all[cells[0]][{std::stoi(cells[1]), memory}];
            to.executions += number(3);
            to.threads += number(5);
            to.cost += cost;
            to.ideal += ideal;
        };
        if (operation == "LDG" || operation == "STG" || operation == "ATOMG" || operation == "REDG")
            add("global", number(7), number(8));
        else if (operation == "LDS" || operation == "STS" || operation == "ATOMS")
            add("shared", number(10), number(11));
        else if (operation == "LDL" || operation == "STL")
            add("local", number(9), 0);
        else if (number(6) != 0)
            all[cells[0]][{std::stoi(cells[1]), "branch"}].cost += number(6);
    }
    return all;
}

Rows rows_of(const profile::Profile& profile) {
    Rows rows;
    for (const profile::Instruction& each : profile.instructions) {
        const profile::Figures& f = each.figures;
        const auto add = [&](const char* memory, unsigned long long requests, unsigned long long threads,
                             unsigned long long cost, unsigned long long ideal) {
            Row& to = rows[{each.place.line, memory}];
            to.executions += requests;
            to.threads += threads;
            to.cost += cost;
            to.ideal += ideal;
        };
        if (f.requests != 0) add("global", f.requests, f.active_lanes, f.sectors, f.sectors_ideal);
        if (f.shared_requests != 0) add("shared", f.shared_requests, f.active_lanes, f.wavefronts, f.wavefronts_ideal);
        if (f.local_requests != 0) add("local", f.local_requests, f.active_lanes, f.local_sectors, 0);
        if (f.divergent_branches != 0) rows[{each.place.line, "branch"}].cost += f.divergent_branches;
    }
    return rows;
}

/// Divergent branches that ptxas makes something else of, with the reason.
bool is_no_branch_there(const std::string& kernel, const Key& key) {
    static const std::set<std::string> leave_at_once{"odd_quadruples", "early_return", "few_threads"};
    // A branch around all that is left becomes an EXIT with a guard, which is not counted as a branch.
    return key.second == "branch" && leave_at_once.contains(kernel);
}

} // namespace

class ProfileTest : public QObject {
    Q_OBJECT

    Session session_;
    Kernels kernels_;
    std::map<std::string, Rows> recorded_;

private slots:
    void initTestCase() {
        kernels_.load();
        recorded_ = recorded();
    }

    void as_on_a_gpu_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Case& each : cases())
            QTest::newRow(each.kernel.c_str()) << number++;
    }
    void as_on_a_gpu() {
        QFETCH(int, number);
        const Case each = cases().at(static_cast<std::size_t>(number));
        QVERIFY(recorded_.contains(each.kernel));
        Rows there = recorded_[each.kernel];
        Rows here = rows_of(kernels_.profile_of(each));
        std::erase_if(here, [&](const auto& row) { return is_no_branch_there(each.kernel, row.first); });
        QVERIFY(!there.empty());
        QVERIFY2(here == there, ("here:" + described(here) + "\non a GPU:" + described(there)).c_str());
    }

    /// Profiles of several launches add up, and taking one begins anew.
    void launches_add_up() {
        const Case each = cases().front();
        const profile::Profile one = kernels_.profile_of(each), three = kernels_.profile_of(each, 3);
        QCOMPARE(one.launches, 1U);
        QCOMPARE(three.launches, 3U);
        QCOMPARE(three.total().sectors, 3 * one.total().sectors);
        QCOMPARE(three.total().executions, 3 * one.total().executions);
        QCOMPARE(taken_profile().launches, 0U);
    }
};

QTEST_GUILESS_MAIN(ProfileTest)
#include "test_profile.moc"
