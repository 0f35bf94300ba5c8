// SPDX-License-Identifier: GPL-3.0-or-later
// How arguments, launch and kernel of a session follow its source, in the real window.
#include "kill_process.hpp"
#include "ui/common/file_reader.hpp"
#include "ui/launch/argument_dialog.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/launch/launch_shape.hpp"
#include "ui/launch/member_box.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <numeric>

using namespace warplight;
using namespace warplight::ui;

namespace {

const QByteArray addPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 add_param_0, .param .u64 add_param_1, .param .u32 add_param_2)
{
	.reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %rd<8>;
	ld.param.u64 %rd1, [add_param_0];
	ld.param.u64 %rd2, [add_param_1];
	ld.param.u32 %r1, [add_param_2];
	mov.u32 %r2, %tid.x;
	setp.ge.u32 %p1, %r2, %r1;
	@%p1 bra $end;
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	mul.wide.u32 %rd5, %r2, 4;
	add.s64 %rd6, %rd3, %rd5;
	add.s64 %rd7, %rd4, %rd5;
	ld.global.f32 %f1, [%rd6];
	add.f32 %f2, %f1, %f1;
	st.global.f32 [%rd7], %f2;
$end:
	ret;
}
)";

const QByteArray twoAxes = "__global__ void k(float* x, int width, int height) {\n"
                           "    int row = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (row < height && i < width) x[row * width + i] = 1; }\n";

} // namespace

class TestArguments : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestArguments(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void aPtxSessionKeepsItsArguments();
    void barePtxGetsBuffers();
    void whatASessionWasSavedWithIsKept();
    void whatDoesNotFitStaysToBeChosenAnew();
    void rowsOfTheGridAreCovered();
    void typesWithoutArraysRun_data();
    void typesWithoutArraysRun();
    void vectorsAreCounted();
    void theOthersFollowAFile_data();
    void theOthersFollowAFile();
    void theOthersFollowWhatAWorkerTells_data();
    void theOthersFollowWhatAWorkerTells();
    void anArrayOfAnArchiveIsChosen();
    void filesOfAnOpenedSessionAreNotLookedInto();
    void theResultIsSoundAndTheExpectationRaw();
    void theChosenKernelComesBack();
    void formulasFollowTheParameters();
    void namesOfTheSessionAreChanged();
    void aRenamedKernelRunsBesideAHeader();
    void variablesAreAddedAndRemoved();

private:
    Document& document() { return window_->document(); }
    const session::Session& session() { return window_->document().session(); }
    ArgumentsModel& model() { return window_->panel<LaunchPanel>().argumentsModel(); }
    void open(const QString& name, const QByteArray& source);
    void openSession(const QString& name, const QByteArray& source, const QByteArray& rest);
    QString argumentsText() {
        session::Session only;
        only.arguments = session().arguments;
        return QString::fromStdString(session::to_text(only));
    }
    session::Shape shape(std::size_t at) {
        return std::get<session::ZerosSource>(session().arguments.at(at).source).shape;
    }
    void runsWell() {
        QVERIFY2(run(), qPrintable(window_->panel<LaunchPanel>().problem()));
        const session::Report& report = document().report();
        QVERIFY2(report.status == session::Status::ok, report.error ? report.error->message.c_str() : "not ok");
    }
};

void TestArguments::open(const QString& name, const QByteArray& source) {
    QVERIFY(window_->openFile(write(name, source)));
    QTRY_VERIFY_WITH_TIMEOUT(!session().arguments.empty(), patience);
}

/// A session beside its source `name`, and what follows from the source.
void TestArguments::openSession(const QString& name, const QByteArray& source, const QByteArray& rest) {
    write(name, source);
    const QByteArray file = QFileInfo(name).fileName().toUtf8();
    QVERIFY(window_->openFile(
        write(name + ".warplight", "{\"warplight\": 1, \"source\": \"" + file + "\", " + rest + "}")));
    QTRY_VERIFY_WITH_TIMEOUT(!document().kernels().empty(), patience);
}

void TestArguments::aPtxSessionKeepsItsArguments() {
    NEEDS_DEVICE;
    workerIsReady();
    openSession("ptx/add.ptx", addPtx, R"("kernel": "add", "arguments": [
        {"name": "x", "direction": "in", "source": {"kind": "constant", "value": 3, "dtype": "float32", "shape": [32]}},
        {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [32]},
         "save": "y.npy"},
        {"name": "n", "direction": "scalar", "type": "i32", "value": {"size_of": "x"}}],
        "launch": {"grid": 1, "block": 32})");
    const session::Session saved = session::load(document().path().toStdString());
    QCOMPARE(QString::fromStdString(session::to_text(session())), QString::fromStdString(session::to_text(saved)));
    QCOMPARE(window_->panel<LaunchPanel>().problem(), QString());
    runsWell();
    // No address and no number of its size: that is refused.
    document().modify("n", [](session::Session& s) { s.arguments[2].type = "i64"; });
    QVERIFY2(window_->panel<LaunchPanel>().problem().contains("a value (4 bytes)"),
             qPrintable(window_->panel<LaunchPanel>().problem()));
}

void TestArguments::barePtxGetsBuffers() {
    NEEDS_DEVICE;
    workerIsReady();
    open("bare/add.ptx", addPtx);
    QCOMPARE(session().arguments.size(), std::size_t(3));
    QCOMPARE(shape(0), session::Shape{1024});
    QCOMPARE(shape(1), session::Shape{1024});
    QCOMPARE(std::get<session::SizeOf>(session().arguments[2].value).argument, session().arguments[0].name);
    runsWell();
}

void TestArguments::whatASessionWasSavedWithIsKept() {
    const QByteArray arguments = R"("kernel": "k", "launch": {"grid": 1, "block": 32}, "arguments": [
        {"name": "input", "direction": "in", "source": {"kind": "file", "path": "data.npy"}},
        {"name": "output", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [32]},
         "save": "out.npy", "expect": {"path": "expected.npy"}}])";
    // In the same places, though there is one more.
    openSession("names/k.cu", "__global__ void k(const float* x, float* y, int n) { y[threadIdx.x] = x[n]; }\n",
                arguments);
    QCOMPARE(session().arguments.size(), std::size_t(3));
    QCOMPARE(session().arguments[0].name, std::string("x"));
    QCOMPARE(std::get<session::FileSource>(session().arguments[0].source).path, std::string("data.npy"));
    QCOMPARE(session().arguments[1].save, std::string("out.npy"));
    QCOMPARE(session().arguments[1].expect->path, std::string("expected.npy"));
    QVERIFY(!document().isModified());
    // In their order, when one comes first.
    openSession("order/k.cu", "__global__ void k(int n, const float* x, float* y) { y[threadIdx.x] = x[n]; }\n",
                arguments);
    QCOMPARE(session().arguments.size(), std::size_t(3));
    QCOMPARE(std::get<session::FileSource>(session().arguments[1].source).path, std::string("data.npy"));
    QCOMPARE(session().arguments[2].save, std::string("out.npy"));
}

void TestArguments::whatDoesNotFitStaysToBeChosenAnew() {
    openSession("misfit/k.cu", "__global__ void k(float x, int n) {}\n",
                R"("kernel": "k", "launch": {"grid": 1, "block": 32}, "arguments": [
        {"name": "x", "direction": "in", "source": {"kind": "file", "path": "data.npy"}},
        {"name": "n", "direction": "scalar", "type": "i32", "value": 7},
        {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [9]}, "save": "y"}])");
    const QString saved = argumentsText();
    const session::Session onDisk = session::load(document().path().toStdString());
    QCOMPARE(session::to_text(session()), session::to_text(onDisk));
    QVERIFY(window_->panel<LaunchPanel>().problem().contains("takes a value"));
    // Enter offers one of the right kind.
    auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, ArgumentsModel::Name));
    QTimer::singleShot(200, window_.get(), [] {
        if (auto* dialog = qobject_cast<ArgumentDialog*>(QApplication::activeModalWidget()))
            dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    });
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(session().arguments[0].direction, session::Direction::scalar);
    QCOMPARE(session().arguments[0].type, std::string("f32"));
    // Delete removes what is too much, and nothing else.
    QVERIFY(window_->panel<LaunchPanel>().problem().contains("only 2 parameter"));
    for (const int row : {1, 2}) {
        table->setCurrentIndex(table->model()->index(row, ArgumentsModel::Name));
        QTest::keyClick(table, Qt::Key_Delete);
    }
    QCOMPARE(session().arguments.size(), std::size_t(2));
    QCOMPARE(window_->panel<LaunchPanel>().problem(), QString());
    document().undoStack().undo();
    document().undoStack().undo();
    QCOMPARE(argumentsText(), saved);
    // Another signature is followed as ever.
    document().mainSource()->setText("__global__ void k(float x, int n, int m) {}\n");
    QTRY_COMPARE_WITH_TIMEOUT(session().arguments[0].direction, session::Direction::scalar, patience);
    QCOMPARE(session().arguments.size(), std::size_t(3));
}

void TestArguments::variablesAreAddedAndRemoved() {
    NEEDS_DEVICE;
    workerIsReady();
    open("variables/k.cu", "__constant__ float weights[4];\n__constant__ int factor;\n__device__ int hits;\n"
                           "__global__ void k(float* y) {\n"
                           "    y[threadIdx.x] = factor * weights[threadIdx.x % 4];\n    atomicAdd(&hits, 1); }\n");
    LaunchPanel& panel = window_->panel<LaunchPanel>();
    const QList<QAction*> actions = panel.panelActions();
    const auto named = [&](const char* text) {
        const auto found = std::ranges::find(actions, QLatin1String(text), &QAction::text);
        return found == actions.end() ? nullptr : *found;
    };
    QMenu* const menu = named("Add Variable")->menu();
    const auto offered = [&] {
        emit menu->aboutToShow();
        QStringList texts;
        for (const QAction* action : menu->actions())
            texts << (action->isEnabled() ? action->text().section(',', 0, 0) : "(" + action->text() + ")");
        return texts.join('|');
    };
    trigger("build.build");
    QVERIFY(isCompiled());
    QCOMPARE(offered(), QString("weights|factor|hits"));
    for (int rest = 3; rest > 0; --rest) {
        offered();
        menu->actions().constFirst()->trigger();
    }
    QCOMPARE(offered(), QString("(The source has no other variable)"));
    const auto& arguments = session().arguments;
    QCOMPARE(arguments.size(), std::size_t(4));
    QCOMPARE(arguments[1].direction, session::Direction::in);
    QCOMPARE(shape(1), session::Shape{4});
    QVERIFY(arguments[2].direction == session::Direction::scalar && arguments[2].type == "i32");
    QCOMPARE(arguments[3].direction, session::Direction::inout);
    session::Argument weights = arguments[1];
    weights.source = session::ConstantSource{"float32", {4}, 2.5};
    model().setArgument(1, weights);
    session::Argument factor = arguments[2];
    factor.value = session::Number{std::int64_t{3}};
    model().setArgument(2, factor);
    runsWell();
    const auto result = [&](std::size_t index) { return document().report().outputs.at(index).name; };
    QCOMPARE(document().report().outputs.size(), std::size_t(2));
    QCOMPARE(result(1), std::string("hits"));

    // They stay when the signature changes, and go with the Delete key alone.
    document().mainSource()->setText(
        "__constant__ float weights[4];\n"
        "__global__ void k(float* out, int n) { out[n - 1] = weights[threadIdx.x % 4]; }\n");
    QTRY_COMPARE_WITH_TIMEOUT(arguments.size(), std::size_t(5), patience);
    QCOMPARE(arguments[1].name, std::string("n"));
    QCOMPARE(arguments[2].name, std::string("weights"));
    trigger("build.build");
    QVERIFY(isCompiled());
    QVERIFY2(panel.problem().contains("no such variable"), qPrintable(panel.problem()));
    auto* table = panel.findChild<QTableView*>();
    for (const int row : {4, 3, 0}) {
        table->setCurrentIndex(table->model()->index(row, ArgumentsModel::Name));
        QTest::keyClick(table, Qt::Key_Delete);
    }
    QCOMPARE(arguments.size(), std::size_t(3));
    QCOMPARE(panel.problem(), QString());
    runsWell();
}

void TestArguments::rowsOfTheGridAreCovered() {
    // At first all of 64 × 64.
    open("rows/k.cu", twoAxes);
    QCOMPARE(shape(0), (session::Shape{64, 64}));
    QCOMPARE(session().launch.block, (std::vector<std::uint32_t>{256, 1, 1}));
    QCOMPARE(session().launch.grid, (std::vector<std::uint32_t>{1, 64, 1}));
    // Cover keeps the rows of a flat block.
    const QByteArray rest = R"("kernel": "k", "launch": {"grid": [4, 90, 1], "block": [128, 1, 1]}, "arguments": [
        {"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [100, 512]}},
        {"name": "width", "direction": "scalar", "type": "i32", "value": 512},
        {"name": "height", "direction": "scalar", "type": "i32", "value": 100}])";
    openSession("rows/c.cu", twoAxes, rest);
    emit window_->panel<LaunchPanel>().form().coverRequested();
    QCOMPARE(session().launch.grid, (std::vector<std::uint32_t>{4, 100, 1}));
    // Without a kernel the launch itself says it.
    session::LaunchConfiguration launch;
    launch.block = {128, 1, 1};
    launch.grid = {4, 100, 1};
    QVERIFY(!isFlat(launch, nullptr));
    launch.grid = {4, 1, 1};
    QVERIFY(isFlat(launch, nullptr));
    NEEDS_DEVICE;
    // Nor does the suggested block flatten them.
    document().modify("block", [](session::Session& s) { s.launch.block = {16, 1, 1}; });
    QAction* suggest = nullptr;
    for (QAction* action : window_->panel<LaunchPanel>().panelActions())
        if (action->text().contains("Suggested")) suggest = action;
    QTRY_VERIFY_WITH_TIMEOUT(suggest->isEnabled(), patience);
    suggest->trigger();
    const std::vector<std::uint32_t> block = session().launch.block;
    QVERIFY(block[0] > 16 && block[1] == 1);
    QCOMPARE(session().launch.grid, (std::vector<std::uint32_t>{(512 + block[0] - 1) / block[0], 100, 1}));
}

void TestArguments::typesWithoutArraysRun_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("bool") << QByteArray("bool") << "uint8 1024" << QByteArray("true");
    QTest::newRow("bfloat16") << QByteArray("__nv_bfloat16") << "uint16 1024" << QByteArray("__float2bfloat16(2.0f)");
    QTest::newRow("complex64") << QByteArray("cuComplex") << "float32 1024 2" << QByteArray("make_cuComplex(1, 2)");
    QTest::newRow("complex128") << QByteArray("cuDoubleComplex") << "float64 1024 2"
                                << QByteArray("make_cuDoubleComplex(1, 2)");
}

void TestArguments::typesWithoutArraysRun() {
    NEEDS_DEVICE;
    workerIsReady();
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, value);
    open("types/k.cu", "#include <cuda_bf16.h>\n#include <cuComplex.h>\n__global__ void k(const " + type + "* x, " +
                           type + "* y, int n) {\n" +
                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = i ? " + value +
                           " : x[i]; }\n");
    const auto& zeros = std::get<session::ZerosSource>(session().arguments[1].source);
    QString text = QString::fromStdString(zeros.dtype);
    for (const std::size_t each : zeros.shape)
        text += ' ' + QString::number(each);
    QTEST(text, "expected");
    runsWell();
    // What is known to be of another size is refused.
    session::Argument wrong = session().arguments[1];
    wrong.source = session::ZerosSource{type == "cuComplex" ? "float64" : "float32", {4096}};
    model().setArgument(1, wrong);
    QVERIFY2(window_->panel<LaunchPanel>().problem().contains(QString(type)),
             qPrintable(window_->panel<LaunchPanel>().problem()));
}

void TestArguments::vectorsAreCounted() {
    NEEDS_DEVICE;
    workerIsReady();
    open("vectors/k.cu", "__global__ void v4(float4* x, int n) {\n"
                         "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)\n"
                         "        x[i] = make_float4(1, 2, 3, n); }\n");
    QCOMPARE(shape(0), (session::Shape{1024, 4}));
    const auto size = [&] { return std::get_if<session::SizeOf>(&session().arguments[1].value); };
    QVERIFY(size() && size()->axis == 0);
    runsWell();
    QCOMPARE(session().launch.grid[0], 4u);
    // That axis is what the launch counts along, also beside a larger buffer.
    session::Session more = session();
    session::Argument large;
    large.name = "z";
    large.source = session::ZerosSource{"float32", {100000}};
    more.arguments.push_back(large);
    const auto coverage = findCoverage(more, document().currentKernel(), {}, true);
    QVERIFY(coverage && coverage->argument == "x" && coverage->shape == session::Shape{1024});
    // All components in a row: no axis counts the elements.
    session::Argument row = session().arguments[0];
    row.source = session::ZerosSource{"float32", {4096}};
    model().setArgument(0, row);
    QCOMPARE(session::as_double(std::get<session::Number>(session().arguments[1].value)), 1024.0);
    runsWell();
}

void TestArguments::theOthersFollowAFile_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow(".npy") << "x.npy";
    QTest::newRow(".csv") << "x.csv";
}

void TestArguments::theOthersFollowAFile() {
    NEEDS_DEVICE;
    workerIsReady();
    QFETCH(QString, file);
    constexpr int count = 3000;
    const QByteArray header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + QByteArray::number(count) + ",), }";
    write("file/x.npy", QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header.leftJustified(117, ' ') + '\n' +
                            QByteArray(4 * count, 0));
    write("file/x.csv", QByteArray("1\n").repeated(count));
    open("file/k.cu", "__global__ void k(const float* x, float* y, int n) {\n"
                      "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }\n");
    model().setFile(0, home_.path("file/" + file));
    const session::Shape y = shape(1);
    QCOMPARE(std::accumulate(y.begin(), y.end(), std::size_t{1}, std::multiplies<>()), std::size_t(count));
    QCOMPARE(session().launch.grid[0], 12u);
    session::Argument x = session().arguments[0];
    std::get<session::FileSource>(x.source).dtype = "float32";
    model().setArgument(0, x);
    runsWell();
}

void TestArguments::theOthersFollowWhatAWorkerTells_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("member");
    QTest::newRow(".wav") << "sound.wav" << QByteArray();
    QTest::newRow("HDF5") << "arrays.h5" << QByteArray("/group/chunked");
}

void TestArguments::theOthersFollowWhatAWorkerTells() {
    NEEDS_DEVICE;
    workerIsReady();
    QFETCH(QString, file);
    QFETCH(QByteArray, member);
    constexpr int count = 1000;
    QFile archive(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/formats/arrays.h5"));
    QVERIFY(archive.open(QIODevice::ReadOnly));
    write("told/arrays.h5", archive.readAll());
    QByteArray sound;
    {
        QDataStream out(&sound, QIODevice::WriteOnly);
        out.setByteOrder(QDataStream::LittleEndian);
        out.writeRawData("RIFF", 4);
        out << quint32(36 + 2 * count);
        out.writeRawData("WAVEfmt ", 8);
        out << quint32(16) << quint16(1) << quint16(1) << quint32(8000) << quint32(16000) << quint16(2) << quint16(16);
        out.writeRawData("data", 4);
        out << quint32(2 * count);
    }
    write("told/sound.wav", sound + QByteArray(2 * count, '\1'));
    open("told/k.cu", "__global__ void k(const float* x, float* y, int n) {\n"
                      "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }\n");
    // The library may be missing: then a run says so.
    FileReader& reader = window_->workbench().fileReader();
    QString problem;
    bool answered = false;
    reader.list(home_.path("told/" + file), this, [&](const QList<ContainerMember>&, const QString& why) {
        problem = why;
        answered = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(answered, patience);
    if (problem.contains(QStringLiteral("installed"))) QSKIP(qPrintable(problem));
    QCOMPARE(problem, QString());

    session::Argument x = session().arguments[0];
    session::FileSource source;
    source.path = file.toStdString();
    source.member = member.toStdString();
    source.dtype = "float32";
    x.source = source;
    model().setArgument(0, x);
    const auto elements = [&] {
        const session::Shape y = shape(1);
        return std::accumulate(y.begin(), y.end(), std::size_t{1}, std::multiplies<>());
    };
    QTRY_COMPARE_WITH_TIMEOUT(elements(), std::size_t(count), patience);
    QCOMPARE(session().launch.grid[0], 4u);
    // The dialog tells what is in the file.
    std::get<session::FileSource>(x.source).dtype.clear();
    ArgumentDialog dialog(x, {}, window_->workbench(), window_.get());
    dialog.show();
    const QString told =
        member.isEmpty() ? QStringLiteral("as in the file: int16") : QStringLiteral("as in the file: int32");
    const QList<QComboBox*> boxes = dialog.findChildren<QComboBox*>();
    QTRY_VERIFY_WITH_TIMEOUT(
        std::any_of(boxes.cbegin(), boxes.cend(), [&](const QComboBox* box) { return box->itemText(0) == told; }),
        patience);
    const QList<QLineEdit*> fields = dialog.findChildren<QLineEdit*>();
    const QString shape = member.isEmpty() ? QStringLiteral("1") : QStringLiteral("50 × 20");
    QVERIFY(std::any_of(fields.cbegin(), fields.cend(), [&](const QLineEdit* field) {
        return field->placeholderText().startsWith(QStringLiteral("as in the file: ") + shape);
    }));
    if (const QString pictures = qEnvironmentVariable("WARPLIGHT_PICTURES"); !pictures.isEmpty())
        dialog.grab().save(pictures + QStringLiteral("/told.png"));
    runsWell();
    // The worker that reads files is another one: its end costs no other.
    const WorkerConnection& worker = window_->workbench().worker();
    const qint64 process = worker.processId();
    QVERIFY(reader.worker() && reader.worker() != &worker);
    killProcess(reader.worker()->processId());
    answered = false;
    reader.list(home_.path("told/" + file), this,
                [&](const QList<ContainerMember>&, const QString&) { answered = true; });
    QTRY_VERIFY_WITH_TIMEOUT(answered, patience);
    QCOMPARE(worker.processId(), process);
}

/// Who a session is from is not known before the user works with it.
void TestArguments::filesOfAnOpenedSessionAreNotLookedInto() {
    write("unseen/arrays.h5", "no HDF5, and nobody asks");
    write("unseen/k.cu", "__global__ void k(const float* x, int n) {}\n");
    QVERIFY(window_->openFile(write("unseen/k.warplight", R"({"warplight": 4, "source": "k.cu", "kernel": "k",
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "file", "path": "arrays.h5", "member": "x"}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": 7}]})")));
    QTRY_VERIFY_WITH_TIMEOUT(!document().kernels().empty(), patience);
    FileReader& reader = window_->workbench().fileReader();
    QTest::qWait(100);
    QVERIFY(!reader.worker());
    session::Argument x = session().arguments[0];
    std::get<session::FileSource>(x.source).member = "y";
    model().setArgument(0, x);
    QTRY_VERIFY_WITH_TIMEOUT(reader.worker(), patience);
}

/// Of a result: the rate of a .wav file, and a file that is expected to hold raw numbers.
void TestArguments::theResultIsSoundAndTheExpectationRaw() {
    session::Argument y;
    y.name = "y";
    y.direction = session::Direction::out;
    y.source = session::ZerosSource{"float32", {100}};
    y.save = "y.wav";
    y.rate = 22050;
    y.expect = session::Expectation{};
    y.expect->path = "y.txt";
    y.expect->raw = true;
    ArgumentDialog dialog(y, {}, window_->workbench(), window_.get());
    dialog.show();
    auto* rate = dialog.findChild<QLineEdit*>(QStringLiteral("rate"));
    auto* raw = dialog.findChild<QCheckBox*>(QStringLiteral("expectRaw"));
    QVERIFY(rate->isVisible() && raw->isVisible() && raw->isChecked());
    QCOMPARE(rate->text(), QStringLiteral("22050"));
    if (const QString pictures = qEnvironmentVariable("WARPLIGHT_PICTURES"); !pictures.isEmpty())
        dialog.grab().save(pictures + QStringLiteral("/result.png"));
    rate->setText(QStringLiteral("0"));
    dialog.accept();
    QVERIFY(dialog.isVisible());
    rate->setText(QStringLiteral("48000"));
    raw->setChecked(false);
    dialog.accept();
    QVERIFY(!dialog.isVisible());
    QCOMPARE(dialog.argument().rate, 48000);
    QVERIFY(dialog.argument().expect && !dialog.argument().expect->raw);
}

void TestArguments::anArrayOfAnArchiveIsChosen() {
    NEEDS_DEVICE;
    workerIsReady();
    QFile archive(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/formats/stored.npz"));
    QVERIFY(archive.open(QIODevice::ReadOnly));
    write("archive/stored.npz", archive.readAll());
    open("archive/k.cu", "__global__ void k(const float* x, float* y, int n) {\n"
                         "    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }\n");
    session::FileSource source;
    source.path = "stored.npz";
    session::Argument x = session().arguments[0];
    x.source = source;
    ArgumentDialog dialog(x, {}, window_->workbench(), window_.get());
    dialog.show();
    auto* box = dialog.findChild<MemberBox*>(QStringLiteral("member"));
    auto* expected = dialog.findChild<MemberBox*>(QStringLiteral("expectMember"));
    QVERIFY(box && box->isVisible() && !expected->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(box->findText(QStringLiteral("x — float32, 3 × 4")) >= 0, patience);
    if (const QString pictures = qEnvironmentVariable("WARPLIGHT_PICTURES"); !pictures.isEmpty())
        dialog.grab().save(pictures + QStringLiteral("/archive.png"));
    dialog.accept(); // none is chosen yet
    QVERIFY(dialog.isVisible());
    box->setMember(QStringLiteral("x"));
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    const session::Argument chosen = dialog.argument();
    QCOMPARE(std::get<session::FileSource>(chosen.source).member, std::string("x"));
    model().setArgument(0, chosen);
    // The others follow its shape.
    const session::Shape y = shape(1);
    QCOMPARE(std::accumulate(y.begin(), y.end(), std::size_t{1}, std::multiplies<>()), std::size_t{12});
    runsWell();
    QVERIFY(argumentsText().contains(QStringLiteral("\"member\": \"x\"")));
    QVERIFY(argumentsText().startsWith(QStringLiteral("{\n  \"warplight\": 4")));
}

void TestArguments::theChosenKernelComesBack() {
    const QByteArray first = "__global__ void first(float* x, int n) { x[threadIdx.x] = n; }\n",
                     second = "__global__ void second(float* y, int m) { y[threadIdx.x] = m; }\n";
    openSession("back/k.cu", first + second, R"("kernel": "first", "launch": {"grid": 1, "block": 32}, "arguments": [
        {"name": "x", "direction": "inout", "source": {"kind": "zeros", "dtype": "float32", "shape": [77]}, "save": "x"},
        {"name": "n", "direction": "scalar", "type": "i32", "value": 7}])");
    const QString saved = argumentsText();
    const auto becomes = [&](const QByteArray& source, const char* kernel) {
        document().mainSource()->setText(source);
        return QTest::qWaitFor([&] { return session().kernel == kernel; }, patience);
    };
    // The other one stands in while it is away.
    QVERIFY(becomes("/*" + first + "*/" + second, "second"));
    QVERIFY(argumentsText() != saved);
    QVERIFY(becomes(first + second, "first"));
    QCOMPARE(argumentsText(), saved);
    // Its name is away for a moment, and then it is another: it is still the same kernel.
    QVERIFY(becomes(QByteArray(first).replace("first", "") + second, "second"));
    QVERIFY(becomes(QByteArray(first).replace("first", "third") + second, "third"));
    QCOMPARE(argumentsText(), saved);
    // What somebody chooses stays.
    document().modify("kernel", [](session::Session& s) { s.kernel = "second"; });
    QVERIFY(becomes(QByteArray(first).replace("first", "third"), "third"));
    QVERIFY(becomes(first + second, "second"));
}

/// Arguments have the names of parameters. What refers to them follows when these change.
void TestArguments::formulasFollowTheParameters() {
    const QString source =
        "__global__ void k(const float* x, float* y, int count) { y[threadIdx.x] = x[0] + count; }\n";
    const auto parameter = [&](const char* name) {
        document().mainSource()->setText(QString(source).replace("float* x", QString("float* ") + name));
        const bool empty = !*name;
        return QTest::qWaitFor([&] { return session().arguments[0].name == (empty ? "argument0" : name); }, patience);
    };
    // The session has other names than the kernel.
    openSession("follow/k.cu", source.toUtf8(), R"("kernel": "k", "launch": {"grid": 1, "block": 32}, "arguments": [
        {"name": "from", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [32]}},
        {"name": "to", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [32]},
         "expect": {"expression": "from + i*n"}},
        {"name": "count", "direction": "scalar", "type": "i32", "value": {"size_of": "from"}}],
        "sweep": {"vary": [{"name": "shape:from", "values": [32, 64]}], "bytes": "4*count"})");
    const auto formula = [&] { return QString::fromStdString(session().arguments[1].expect->expression); };
    QCOMPARE(formula(), QString("x + i*n"));
    QCOMPARE(session().sweep->vary[0].name, std::string("shape:x"));
    QVERIFY(!document().isModified());
    QVERIFY(parameter("xs"));
    QCOMPARE(formula(), QString("xs + i*n"));
    // What is typed may mean something else for a moment.
    for (const char* name : {"x", "", "i", "in"})
        QVERIFY(parameter(name));
    QCOMPARE(formula(), QString("in + i*n"));
    QCOMPARE(session().sweep->vary[0].name, std::string("shape:in"));
    QCOMPARE(std::get<session::SizeOf>(session().arguments[2].value).argument, std::string("in"));
    // There it is changed: the table says so.
    auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
    QVERIFY(!(table->model()->index(0, ArgumentsModel::Name).flags() & Qt::ItemIsEditable));
    QVERIFY(table->model()->index(0, ArgumentsModel::Name).data(Qt::ToolTipRole).toString().contains("in the source"));
}

/// Those of a pipeline, and of PTX, whose parameters have no names of their own.
void TestArguments::namesOfTheSessionAreChanged() {
    const auto typeName = [&](int row, const QString& name) {
        auto* table = window_->panel<LaunchPanel>().findChild<QTableView*>();
        table->setFocus();
        table->setCurrentIndex(table->model()->index(row, ArgumentsModel::Name));
        QTest::keyClick(table, Qt::Key_F2);
        auto* editor = qobject_cast<QLineEdit*>(table->indexWidget(table->currentIndex()));
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, name);
        QTest::keyClick(editor, Qt::Key_Return);
        QCoreApplication::processEvents();
    };
    open("ptx names/add.ptx", addPtx);
    typeName(0, "numbers");
    typeName(1, "sums");
    QCOMPARE(session().arguments[0].name, std::string("numbers"));
    QCOMPARE(session().arguments[1].name, std::string("sums"));
    QCOMPARE(std::get<session::SizeOf>(session().arguments[2].value).argument, std::string("numbers"));
    QString said;
    connect(&window_->workbench(), &Workbench::statusMessage, this, [&](const QString& text) { said = text; });
    typeName(1, "numbers"); // is taken
    QVERIFY2(said.contains("numbers already"), qPrintable(said));
    typeName(1, "2 sums");
    QVERIFY2(said.contains("letters, digits"), qPrintable(said));
    QCOMPARE(session().arguments[1].name, std::string("sums"));
    document().undoStack().undo();
    QVERIFY(session().arguments[1].name != "sums");
    document().setReadOnly(true); // nothing is asked
    QVERIFY(window_->openFile(examplesFolder() + "/heat/heat.warplight"));
    typeName(0, "warmth");
    const auto& loop = std::get<session::LoopStep>(session().pipeline->steps.at(0).what);
    QCOMPARE(std::get<session::LaunchStep>(loop.steps.at(0).what).arguments.at(0).name, std::string("warmth"));
    QCOMPARE(std::get<session::SwapStep>(loop.steps.at(1).what).first, std::string("warmth"));
    QCOMPARE(session().pipeline->frames->buffer, std::string("warmth"));
    QCOMPARE(window_->panel<LaunchPanel>().argumentsModel().problemCount(), 0);
    document().setReadOnly(true);
}

void TestArguments::aRenamedKernelRunsBesideAHeader() {
    NEEDS_DEVICE;
    workerIsReady();
    write("header/h.cuh", "__device__ float twice(float x) { return 2 * x; }\n");
    const QByteArray source = "#include \"h.cuh\"\n__global__ void scale(float* x, int n) {\n"
                              "    if (threadIdx.x < n) x[threadIdx.x] = twice(1); }\n";
    open("header/k.cu", source);
    QCOMPARE(session().kernel, std::string("scale"));
    // Its first run is right after the edit: nothing was built by then.
    document().mainSource()->setText(QString(source).replace("scale", "times"));
    runsWell();
    QCOMPARE(document().report().kernel, std::string("times"));
    // A kernel that only the header has is not given up at an edit.
    write("header/h.cuh", "__device__ float twice(float x) { return 2 * x; }\n"
                          "__global__ void inside(float* x) { x[threadIdx.x] = 1; }\n");
    document().modify("kernel", [](session::Session& s) { s.kernel = "inside"; });
    document().mainSource()->setText(QString(source));
    QVERIFY(isCompiled());
    QCOMPARE(session().kernel, std::string("inside"));
    document().mainSource()->setText(QString(source) + "// an edit\n");
    QTest::qWait(400);
    QCOMPARE(session().kernel, std::string("inside"));
    runsWell();
}

WARPLIGHT_UI_TEST_MAIN(TestArguments)
#include "test_arguments.moc"
