// SPDX-License-Identifier: Apache-2.0
// Bad input for every entry point of the driver, on the software device: nothing ends the process, everything is
// answered as an H100 answers it (recordings/bad_input.txt, made by record_bad_input.py), the context works on, and
// nothing is left over. Where a GPU's driver ended the process or did not return, and for handles that none looks at,
// anything but success will do. recordings/bad_input_open.txt lists the answers that differ, and why.
#include "bad_input.hpp"
#include "warplight/driver.hpp"

#include <QFile>
#include <QHash>
#include <QtTest>

#include <atomic>
#include <optional>
#include <set>
#include <thread>

using bad_input::Row;
using bad_input::Sweep;
using warplight::driver::Driver;

namespace {

constexpr int kIpcSupported = 125; ///< CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED; CUDA 11's header lacks it
constexpr char kFolder[] = WARPLIGHT_SOURCE_DIR "/tests/core/recordings/";

/// The answers of the recording: under each line of the table a result and the steps that had it.
QHash<QString, QString> read_recording() {
    QHash<QString, QString> answers;
    QFile file(QString(kFolder) + "bad_input.txt");
    if (!file.open(QIODevice::ReadOnly)) return answers;
    QString row;
    for (const QString& line : QString::fromLatin1(file.readAll()).split('\n')) {
        QStringList words = line.split(' ', Qt::SkipEmptyParts);
        if (line.startsWith('#') || words.isEmpty()) continue;
        if (!line.startsWith(' ')) {
            row = line;
            continue;
        }
        const QString result = words.takeFirst();
        for (const QString& step : words)
            answers[row + ' ' + step] = result;
    }
    return answers;
}

/// What is known to differ: "LINE STEP RESULT reason…", where an asterisk stands for any.
struct Difference {
    QString row;
    QRegularExpression where, result;
    bool seen = false;
};
std::vector<Difference> read_differences() {
    std::vector<Difference> list;
    QFile file(QString(kFolder) + "bad_input_open.txt");
    if (!file.open(QIODevice::ReadOnly)) return list;
    for (const QString& line : QString::fromLatin1(file.readAll()).split('\n')) {
        const QStringList words = line.split(' ', Qt::SkipEmptyParts);
        if (line.startsWith('#') || words.size() < 4) continue;
        const QString pattern = QRegularExpression::escape(words[0] + ' ' + words[1]).replace("\\*", ".*");
        const QString result = QRegularExpression::escape(words[2]).replace("\\*", ".*");
        list.push_back({words[0], QRegularExpression(QRegularExpression::anchoredPattern(pattern)),
                        QRegularExpression(QRegularExpression::anchoredPattern(result))});
    }
    return list;
}

} // namespace

class BadInputTest : public QObject {
    Q_OBJECT
    std::optional<Driver> driver_;
    std::vector<Row> rows_ = bad_input::all_rows();
    QHash<QString, QString> recorded_;
    std::vector<Difference> differences_;
    std::set<QString> lacking_; ///< lines of what the device cannot do on this system, as its attributes say
    QStringList problems_;
    long steps_ = 0, compared_ = 0;

    const bad_input::EntryPoints& api() const { return driver_->state().functions; }
    void judge(const Row& row, const std::string& step, const std::string& result, const std::string& problem) {
        ++steps_;
        const QString where = QString::fromStdString(row.name() + ' ' + step), answer = QString::fromStdString(result);
        QString text;
        if (!problem.empty()) text += QString(" then: ") + problem.c_str();
        const QString expected = recorded_.value(where);
        const bool lost = expected == "ended" || expected == "hung";
        if (expected.isEmpty() || lost) {
            if (answer == "0" && (where.contains(".wild.") || lost)) text += " was accepted";
        } else {
            ++compared_;
            if (answer != expected) text += " answered " + answer + ", not " + expected;
        }
        if (answer == "999") text += " is unknown";
        if (text.isEmpty()) return;
        if (problem.empty())
            for (Difference& each : differences_)
                if (each.where.match(where).hasMatch() && each.result.match(answer).hasMatch()) {
                    each.seen = true;
                    return;
                }
        problems_ += where + text;
    }
    Sweep sweep() {
        Sweep made(api());
        made.after = [this](const Row& row, const std::string& step, const std::string& result,
                            const std::string& problem) { judge(row, step, result, problem); };
        return made;
    }
    void no_problems() {
        const QStringList problems = std::exchange(problems_, {});
        QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
    }
    bool has(int attribute) const {
        int value = 0;
        return api().fn_cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), 0) == CUDA_SUCCESS &&
               value != 0;
    }
    std::vector<Row> possible_rows() const {
        std::vector<Row> rows = rows_;
        std::erase_if(rows, [this](const Row& row) { return lacking_.contains(QString::fromStdString(row.name())); });
        return rows;
    }
    std::size_t free_memory() const {
        CUcontext context = nullptr;
        std::size_t free = 0, total = 0;
        api().fn_cuCtxCreate(&context, 0, 0);
        api().fn_cuCtxSynchronize(); // gives back what pools keep
        api().fn_cuMemGetInfo(&free, &total);
        api().fn_cuCtxDestroy(context);
        return free;
    }

private slots:
    void initTestCase() {
        driver_ = Driver::software();
        QVERIFY2(driver_->available(), driver_->unavailable_because().c_str());
        recorded_ = read_recording();
        differences_ = read_differences();
        QVERIFY(recorded_.size() > 6000);
    }

    void the_table_is_complete() {
        std::set<std::string> described;
        for (const Row& row : rows_)
            described.insert(row.member);
        for (const auto& entry : warplight::driver::detail::kEntryPointTable) {
            const bool out = bad_input::left_out().contains(entry.member);
            if (described.contains(entry.member) == out) problems_ += entry.member;
        }
        no_problems();
    }

    /// Before anything else: cuInit was not called yet.
    void before_init() {
        Sweep all = sweep();
        for (const Row& row : rows_)
            all.before_init(row);
        no_problems();
        driver_->init();
        if (!has(CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED))
            for (const char* row :
                 {"cuMemAddressFree.mapped", "cuMemCreate", "cuMemRelease", "cuMemMap", "cuMemUnmap", "cuMemSetAccess",
                  "cuMemGetAccess", "cuMemGetAllocationPropertiesFromHandle", "cuMemRetainAllocationHandle"})
                lacking_.insert(row);
        if (!has(kIpcSupported))
            for (const char* row : {"cuIpcGetMemHandle", "cuIpcOpenMemHandle"})
                lacking_.insert(row);
    }

    /// Good calls of what the device says it cannot do.
    void what_the_device_lacks() {
        if (lacking_.empty()) QSKIP("the device lacks nothing");
        CUcontext context = nullptr;
        QCOMPARE(api().fn_cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
        if (lacking_.contains("cuMemCreate")) {
            CUmemGenericAllocationHandle handle = 0;
            CUmemAllocationProp properties{};
            properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
            properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
            QCOMPARE(api().fn_cuMemCreate(&handle, 2 << 20, &properties, 0), CUDA_ERROR_NOT_SUPPORTED);
        }
        if (lacking_.contains("cuIpcGetMemHandle")) {
            CUdeviceptr memory = 0;
            CUipcMemHandle handle{};
            QCOMPARE(api().fn_cuMemAlloc(&memory, 4096), CUDA_SUCCESS);
            QCOMPARE(api().fn_cuIpcGetMemHandle(&handle, memory), CUDA_ERROR_NOT_SUPPORTED);
        }
        QCOMPARE(api().fn_cuCtxDestroy(context), CUDA_SUCCESS);
    }

    void one_argument_at_a_time_data() {
        QTest::addColumn<int>("line");
        for (std::size_t i = 0; i < rows_.size(); ++i)
            QTest::newRow(rows_[i].name().c_str()) << static_cast<int>(i);
    }
    void one_argument_at_a_time() {
        QFETCH(int, line);
        if (lacking_.contains(QString::fromStdString(rows_[static_cast<std::size_t>(line)].name())))
            QSKIP("the system lacks what the device needs for it");
        const std::size_t free = free_memory();
        sweep().run(rows_[static_cast<std::size_t>(line)]);
        no_problems();
        QCOMPARE(free_memory(), free);
    }

    void in_a_destroyed_context() {
        const std::size_t free = free_memory();
        sweep().destroyed(possible_rows());
        no_problems();
        QCOMPARE(free_memory(), free);
    }
    void in_a_context_that_a_fault_ended() {
        const std::size_t free = free_memory();
        sweep().dead(possible_rows());
        no_problems();
        QCOMPARE(free_memory(), free);
    }

    /// Another context's memory does not wait for this one's streams.
    void a_copy_whose_memory_was_freed_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("a copy") << 0;
        QTest::newRow("a wait for a value") << 1;
        QTest::newRow("a value written") << 2;
    }
    void a_copy_whose_memory_was_freed() {
        QFETCH(int, kind);
        CUcontext owner = nullptr, user = nullptr, top = nullptr;
        CUdeviceptr from = 0, to = 0;
        CUstream stream = nullptr;
        std::atomic<bool> go = false;
        QCOMPARE(api().fn_cuCtxCreate(&owner, 0, 0), CUDA_SUCCESS);
        QCOMPARE(api().fn_cuMemAlloc(&from, 65536), CUDA_SUCCESS);
        QCOMPARE(api().fn_cuCtxCreate(&user, 0, 0), CUDA_SUCCESS);
        QCOMPARE(api().fn_cuMemAlloc(&to, 65536), CUDA_SUCCESS);
        QCOMPARE(api().fn_cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
        const auto wait = [](void* flag) {
            while (!*static_cast<std::atomic<bool>*>(flag))
                std::this_thread::yield();
        };
        QCOMPARE(api().fn_cuLaunchHostFunc(stream, wait, &go), CUDA_SUCCESS);
        const CUresult asked = kind == 0   ? api().fn_cuMemcpyDtoDAsync(to, from, 65536, stream)
                               : kind == 1 ? api().fn_cuStreamWaitValue32_v2(stream, from, 1, CU_STREAM_WAIT_VALUE_EQ)
                                           : api().fn_cuStreamWriteValue32_v2(stream, from, 1, 0);
        QCOMPARE(asked, CUDA_SUCCESS);
        QCOMPARE(api().fn_cuCtxPopCurrent(&top), CUDA_SUCCESS);
        const CUresult freed = api().fn_cuMemFree(from);
        QCOMPARE(api().fn_cuCtxPushCurrent(user), CUDA_SUCCESS);
        go = true;
        QCOMPARE(freed, CUDA_SUCCESS);
        QCOMPARE(api().fn_cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
        QCOMPARE(api().fn_cuCtxDestroy(user), CUDA_SUCCESS);
        QCOMPARE(api().fn_cuCtxDestroy(owner), CUDA_SUCCESS);
    }

    void cleanupTestCase() {
        qInfo("%ld calls, %ld of them compared with the recording", steps_, compared_);
        for (const Difference& each : differences_)
            if (!each.seen && !lacking_.contains(each.row)) problems_ += "no longer differs: " + each.where.pattern();
        if (QTest::currentTestFailed()) problems_.clear();
        no_problems();
    }
};

QTEST_GUILESS_MAIN(BadInputTest)
#include "bad_input_test.moc"
