// SPDX-License-Identifier: Apache-2.0
// Happens-before of the work of streams.
#include "software/checks/work_order.hpp"

#include <QtTest>

#include <vector>

using warplight::software::checks::WorkId;
using warplight::software::checks::WorkOrder;

class WorkOrderTest : public QObject {
    Q_OBJECT

    static constexpr std::uint64_t kFirst = 1, kSecond = 2, kThird = 3;

    static void add(WorkOrder& order, WorkId work, std::vector<WorkId> after = {}) { order.add(work, after); }

private slots:
    void streams_are_in_order() {
        WorkOrder order;
        add(order, {kFirst, 1});
        add(order, {kFirst, 2});
        add(order, {kSecond, 1});
        QVERIFY(order.is_before({kFirst, 1}, {kFirst, 2}));
        QVERIFY(!order.is_before({kFirst, 2}, {kFirst, 1}));
        QVERIFY(!order.is_before({kFirst, 1}, {kSecond, 1}));
        QVERIFY(!order.is_before({kSecond, 1}, {kFirst, 1}));
    }

    void waiting_passes_on() {
        WorkOrder order;
        add(order, {kFirst, 1});
        add(order, {kFirst, 2});
        add(order, {kSecond, 1}, {{kFirst, 1}});
        add(order, {kThird, 1});
        add(order, {kThird, 2}, {{kSecond, 1}});
        add(order, {kThird, 3});
        QVERIFY(order.is_before({kFirst, 1}, {kThird, 3}));
        QVERIFY(!order.is_before({kFirst, 2}, {kThird, 3}));
        QVERIFY(order.is_before({kSecond, 1}, {kThird, 2}));
        QVERIFY(!order.is_before({kFirst, 1}, {kThird, 1}));
    }

    /// Of what the program has waited for, all later work knows; earlier work does not.
    void the_program_passes_on() {
        WorkOrder order;
        add(order, {kFirst, 1});
        add(order, {kSecond, 1});
        order.host_waits_for({kFirst, 1});
        add(order, {kSecond, 2});
        add(order, {kThird, 1});
        QVERIFY(order.host_knows({kFirst, 1}));
        QVERIFY(!order.host_knows({kSecond, 1}));
        QVERIFY(!order.is_before({kFirst, 1}, {kSecond, 1}));
        QVERIFY(order.is_before({kFirst, 1}, {kSecond, 2}));
        QVERIFY(order.is_before({kFirst, 1}, {kThird, 1}));
        QVERIFY(!order.is_before({kSecond, 1}, {kThird, 1}));
    }

    void the_program_knows_what_its_work_waited_for() {
        WorkOrder order;
        add(order, {kFirst, 1});
        add(order, {kSecond, 1}, {{kFirst, 1}});
        order.host_waits_for({kSecond, 1});
        QVERIFY(order.host_knows({kFirst, 1}));
        add(order, {kThird, 1});
        QVERIFY(order.is_before({kFirst, 1}, {kThird, 1}));
    }

    /// Events may be waited for long after.
    void old_work_keeps_its_order() {
        WorkOrder order;
        add(order, {kFirst, 1});
        add(order, {kSecond, 1}, {{kFirst, 1}});
        add(order, {kSecond, 2});
        add(order, {kFirst, 2});
        add(order, {kSecond, 3}, {{kFirst, 2}});
        add(order, {kThird, 1}, {{kSecond, 2}});
        QVERIFY(order.is_before({kFirst, 1}, {kThird, 1}));
        QVERIFY(!order.is_before({kFirst, 2}, {kThird, 1}));
        QVERIFY(!order.is_before({kSecond, 3}, {kThird, 1}));
    }
};

QTEST_GUILESS_MAIN(WorkOrderTest)
#include "test_work_order.moc"
