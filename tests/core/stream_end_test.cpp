// SPDX-License-Identifier: Apache-2.0
// What the software device keeps of streams that were destroyed: nothing once their work is done.
#include "software/runtime/context.hpp"
#include "software/runtime/context_lifetime.hpp"
#include "software/runtime/device.hpp"
#include "software/runtime/handles.hpp"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace warplight::software;

class StreamEndTest : public QObject {
    Q_OBJECT
    std::shared_ptr<Context> context_;

private slots:
    void init() {
        QVERIFY(device_count() > 0);
        context_ = Context::create(device(0), 0, false);
        QCOMPARE(context_->stream_count(), std::size_t{1}); // the default stream
    }
    void cleanup() { destroy_context(*context_); }

    void an_idle_one_goes_at_once() {
        for (const unsigned flags : {0U, unsigned{CU_STREAM_NON_BLOCKING}}) {
            const std::weak_ptr<Stream> stream = context_->create_stream(flags, 0);
            QCOMPARE(context_->stream_count(), std::size_t{2});
            handles<Stream>().remove(stream.lock().get());
            context_->forget_stream(*stream.lock());
            QVERIFY(stream.expired());
        }
    }

    void one_with_work_goes_when_that_is_done() {
        std::atomic<bool> go = false, ran = false;
        std::weak_ptr<Stream> streams[8];
        for (auto& each : streams) {
            const auto stream = context_->create_stream(0, 0);
            each = stream;
            stream->enqueue([&] {
                while (!go)
                    std::this_thread::yield();
                ran = true;
            });
            handles<Stream>().remove(stream.get());
            context_->forget_stream(*stream);
        }
        QCOMPARE(context_->stream_count(), std::size_t{9}); // the work goes on
        QVERIFY(!ran);
        go = true;
        context_->drain();
        // The next stream that comes or goes takes them along; their threads end by themselves.
        const auto next = context_->create_stream(0, 0);
        QVERIFY(ran);
        QCOMPARE(context_->stream_count(), std::size_t{2});
        for (auto& each : streams)
            QTRY_VERIFY(each.expired());
    }

    void many_that_follow_one_another() {
        constexpr int count = 200;
        for (int i = 0; i < count; ++i) {
            const auto stream = context_->create_stream(i % 2 ? CU_STREAM_NON_BLOCKING : 0, 0);
            const Ticket ticket = stream->enqueue([] {});
            handles<Stream>().remove(stream.get());
            context_->forget_stream(*stream);
            stream->wait(ticket.number);
        }
        QCOMPARE(context_->stream_count(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(StreamEndTest)
#include "stream_end_test.moc"
