// SPDX-License-Identifier: Apache-2.0
// Structs as arguments: their layouts beside the compiler's own sizeof and offsetof, values, arrays, and what is
// refused.
#include "../finished_process.hpp"
#include "debug/layout.hpp"
#include "session/compare.hpp"
#include "session/runner.hpp"
#include "session/struct_array.hpp"
#include "session/struct_layouts.hpp"
#include "session/struct_value.hpp"
#include "warplight/compiler.hpp"
#include "warplight/driver.hpp"
#include "warplight/npy.hpp"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::session;
namespace fs = std::filesystem;

namespace {

const char* const types = R"(
#include <cuda_fp16.h>
struct Empty {};
enum Color : unsigned char { red, green = 200 };
enum class Mode { a = -1, b = 5 };
struct Inner { short s; double d; };
struct alignas(32) Wide { char c; float4 f; };
union Num { int i; float f; unsigned char raw[12]; };
struct Bits { unsigned a : 3; int b : 7; unsigned c; };
struct Base { int id; };
struct Derived : Base { float w; Inner in[2]; };
struct Small { char c; } ;
struct Packed { char c; short s; char t; long long l; bool b; };
template <class T, int N> struct Pack { T v[N]; unsigned char tag; };
struct Vectors { float2 a; uchar3 b; double2 c; __half2 h; };
typedef struct { float x; unsigned short m[2][3]; } Named;
struct Anonymous { int k; struct { int p, q; }; union { float f; int i; }; };
struct Node { Node* next; int value; };
struct Odd {
    bool flag; __half h; Color color; Mode mode; Empty e; Num num; Derived d; char name[5]; float m[2][3]; Named n;
};
struct Big { float m[64]; };
)";

/// A kernel that writes what the compiler itself says of the fields.
const char* const offsets = R"(
#define SIZE(type) *to++ = sizeof(type)
#define FIELD(type, field) *to++ = (unsigned long long)&((type*)64)->field - 64
__global__ void offsets(unsigned long long* to, Odd odd, Wide wide, Derived derived, Packed packed,
                        Pack<double, 3> pack, Vectors vectors, Named named, Bits bits, Num num, Small small,
                        Anonymous anonymous, Empty empty, Big big) {
    SIZE(Odd); FIELD(Odd, flag); FIELD(Odd, h); FIELD(Odd, color); FIELD(Odd, mode); FIELD(Odd, num); FIELD(Odd, d);
    FIELD(Odd, name); FIELD(Odd, m); FIELD(Odd, n);
    SIZE(Wide); FIELD(Wide, c); FIELD(Wide, f);
    SIZE(Derived); FIELD(Derived, id); FIELD(Derived, w); FIELD(Derived, in);
    SIZE(Packed); FIELD(Packed, c); FIELD(Packed, s); FIELD(Packed, t); FIELD(Packed, l); FIELD(Packed, b);
    typedef Pack<double, 3> P;
    SIZE(P); FIELD(P, v); FIELD(P, tag);
    SIZE(Vectors); FIELD(Vectors, a); FIELD(Vectors, b); FIELD(Vectors, c); FIELD(Vectors, h);
    SIZE(Named); FIELD(Named, x); FIELD(Named, m);
    SIZE(Bits); FIELD(Bits, c);
    SIZE(Num); FIELD(Num, raw);
    SIZE(Small); FIELD(Small, c);
    SIZE(Anonymous); FIELD(Anonymous, k); FIELD(Anonymous, p); FIELD(Anonymous, q);
    SIZE(Big); FIELD(Big, m);
}
)";
const std::vector<std::vector<std::string>> asked = {
    {"odd", "flag", "h", "color", "mode", "num", "d", "name", "m", "n"},
    {"wide", "c", "f"},
    {"derived", "id", "w", "in"},
    {"packed", "c", "s", "t", "l", "b"},
    {"pack", "v", "tag"},
    {"vectors", "a", "b", "c", "h"},
    {"named", "x", "m"},
    {"bits", "c"},
    {"num", "raw"},
    {"small", "c"},
    {"anonymous", "k", "p", "q"},
    {"big", "m"},
};

/// Each field from one place in the kernel, and back.
const char* const step = R"(
struct Spring { float k; double length; };
struct Particle { float x; float3 v; int id; Spring in[2]; Num num; Bits bits; Mode mode; bool on; char name[5]; };
__constant__ Spring scale;
__global__ void step(Particle p, const Particle* from, Particle* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle q = from[i];
    q.x += p.x * float(scale.length);
    q.v.z = p.v.y;
    q.id += p.bits.b + p.bits.a;
    q.in[1].length += p.in[1].length;
    q.num.f = p.num.f;
    q.bits.b = p.bits.b;
    q.mode = p.mode;
    q.on = p.on;
    q.name[0] = p.name[1];
    to[i] = q;
}
)";

const char* const refused = R"(
struct Pointers { float* data; int n; };
struct Hidden;
__global__ void addresses(Pointers p, float** rows, Hidden* hidden) { if (p.n == 77) rows[0] = p.data; }
__global__ void number(int n, const float* x, float* y) { y[0] = x[0] + n; }
__global__ void big(Big b, float* out) { out[threadIdx.x] = b.m[threadIdx.x]; }
)";

Argument value_of(const std::string& name, std::string_view json) {
    Argument argument;
    argument.name = name;
    argument.direction = Direction::scalar;
    argument.type = struct_type;
    argument.value = struct_value(json);
    return argument;
}

Argument number(const std::string& name, int value) {
    Argument argument;
    argument.name = name;
    argument.direction = Direction::scalar;
    argument.value = Number{std::int64_t{value}};
    return argument;
}

Argument array(const std::string& name, Direction direction, DataSource source) {
    Argument argument;
    argument.name = name;
    argument.direction = direction;
    argument.source = std::move(source);
    return argument;
}

ZerosSource zeros(std::size_t count) { return {std::string(struct_type), {count}}; }

} // namespace

class StructTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path folder_;
    std::optional<driver::Driver> driver_;

    [[nodiscard]] Report run_it(const Session& session, std::vector<RunBuffer>* buffers = nullptr) {
        RunOptions options;
        options.folder = folder_;
        options.trusted = true;
        auto result = run(session, *driver_, options);
        if (buffers) *buffers = std::move(result.buffers);
        return result.report;
    }
    static Session session_of(const char* kernels, const char* kernel, std::vector<Argument> arguments) {
        Session session;
        session.source.text = std::string(types) + kernels;
        session.kernel = kernel;
        session.arguments = std::move(arguments);
        session.launch.block = {32, 1, 1};
        return session;
    }
    void fails(const Session& session, const char* pointer, const char* says) {
        const Report report = run_it(session);
        QVERIFY2(report.error.has_value(), "it ran");
        QVERIFY2(QString::fromStdString(report.error->message).contains(says), report.error->message.c_str());
        QCOMPARE(QString::fromStdString(report.error->pointer), QString(pointer));
    }
    Session step_session(DataSource from) {
        auto session =
            session_of(step, "step",
                       {value_of("p", R"({"x": 2, "v": [1, 2, 3], "in": [{}, {"length": 0.5}], "num": {"f": 1.5},
                               "bits": {"a": 5, "b": -3}, "mode": "b", "on": true, "name": "hello"})"),
                        array("from", Direction::in, std::move(from)), array("to", Direction::out, zeros(10)),
                        number("n", 10), value_of("scale", R"({"length": 10})")});
        session.arguments.back().variable = true;
        session.arguments[2].save = "to.npy";
        return session;
    }
    static constexpr const char* bodies = R"(
struct Body { float mass; float3 pos; short tag[5]; Inner in[2]; bool on; };
struct Pair { float a; short b; };
__global__ void add(const float* sum, const Body* p, Body cfg, float* to, float4 v, const Pair* r, int k) {
    int i = threadIdx.x;
    if (i >= 4) return;
    to[i] = p[i].mass + 10 * p[i].pos.x + 100 * p[i].pos.z + 1000 * cfg.in[1].d + v.y + r[i].a + r[i].b;
}
)";
    static std::vector<Argument> bodies_arguments() {
        FieldsSource body, pair;
        body.shape = pair.shape = {4};
        body.fields = {{"mass", "1 + i"}, {"pos.x", "i"},   {"pos.z", "5"},
                       {"tag", "i1"},     {"in[1].d", "7"}, {"on", "i % 2"}};
        pair.fields = {{"a", "2*sum"}, {"b", "p.tag[i, 3]"}};
        Argument vector = number("v", 0);
        vector.type = "float4";
        vector.value = Components{std::int64_t{10}, std::int64_t{20}, std::int64_t{30}, std::int64_t{40}};
        std::vector<Argument> all{
            array("sum", Direction::in, FormulaSource{"float32", {4}, "p.pos.x + p.pos.z + p.in.d[i, 1] + p.on"}),
            array("p", Direction::in, body),
            value_of("cfg", R"({"in": [{}, {"d": 2.5}]})"),
            array("to", Direction::out, ZerosSource{"float32", {4}}),
            vector,
            array("r", Direction::in, pair),
            number("k", 1)};
        all[3].expect = Expectation{};
        all[3].expect->expression = "p.mass + 10*p.pos.x + 100*p.pos.z + 1000*cfg.in.d[1] + v.y + r.a + r.b";
        return all;
    }
    static FieldsSource fields() {
        FieldsSource source;
        source.shape = {10};
        source.fields = {{"x", "0.5*i"}, {"v", "i1"}, {"id", "i"}, {"in[1].length", "7"}, {"on", "i % 2"}};
        return source;
    }
    void save(const NdArray& array, const char* name) const { save_npy((folder_ / name).string(), array); }

private slots:
    void initTestCase() {
        const auto name = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software").toStdString();
        if (name == "software" && !qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        driver_ = driver::Driver::from_name(name);
        folder_ = temporary_.path().toStdString();
        qputenv("XDG_STATE_HOME", (temporary_.path() + "/state").toUtf8());
        if (!compiler::compiler_info(compiler::Backend::nvrtc).found) QSKIP("there is no NVRTC here");
    }

    void layouts_are_those_of_the_compiler() {
        compiler::CompileRequest request;
        request.source = std::string(types) + offsets;
        const auto layouts = layouts_of_source(request);
        QCOMPARE(QString::fromStdString(layouts.problem), QString());
        const auto kernel = std::ranges::find_if(
            layouts.all, [](const auto& each) { return each.name.find("offsets") != std::string::npos; });
        QVERIFY(kernel != layouts.all.end());
        std::vector<std::uint64_t> known;
        std::vector<Argument> arguments{array("to", Direction::out, ZerosSource{"uint64", {64}})};
        for (const auto& parameter : kernel->layouts) {
            if (parameter.name == "to") continue;
            QVERIFY2(debug::is_sound(parameter), parameter.name.c_str());
            arguments.push_back(value_of(parameter.name, "{}"));
        }
        for (const auto& list : asked) {
            const auto parameter = std::ranges::find(kernel->layouts, list[0], &debug::Layout::name);
            QVERIFY2(parameter != kernel->layouts.end(), list[0].c_str());
            known.push_back(parameter->size);
            for (std::size_t k = 1; k < list.size(); ++k) {
                const debug::Layout* field = parameter->find(list[k]);
                QVERIFY2(field, (list[0] + "." + list[k]).c_str());
                known.push_back(field->offset);
            }
        }
        std::vector<RunBuffer> buffers;
        auto session = session_of(offsets, "offsets", std::move(arguments));
        session.launch.block = {1, 1, 1};
        const Report report = run_it(session, &buffers);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
        const auto told = buffers.front().output->as<std::uint64_t>();
        QVERIFY(known.size() < told.size());
        QCOMPARE(known,
                 std::vector<std::uint64_t>(told.begin(), told.begin() + static_cast<std::ptrdiff_t>(known.size())));
    }

    void a_value_reaches_each_field() {
        std::vector<RunBuffer> buffers;
        const Report report = run_it(step_session(fields()), &buffers);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
        const NdArray& to = *buffers[1].output;
        std::map<std::string, NdArray> leaves;
        for (auto& leaf : leaves_of(to))
            leaves[leaf.path] = leaf.values.copy();
        QCOMPARE(leaves["x"].item(3), 1.5 + 20);
        QCOMPARE(leaves["v"].item(3 * 3 + 1), 1.0);
        QCOMPARE(leaves["v"].item(3 * 3 + 2), 2.0);
        QCOMPARE(leaves["id"].item(3), 3.0 + 5 - 3);
        QCOMPARE(leaves["in.length"].item(2 * 3 + 1), 7.5);
        QCOMPARE(leaves["mode"].item(3), 5.0);
        QCOMPARE(leaves["on"].item(2), 1.0);
        QCOMPARE(leaves["name"].item(5 * 3), double('e'));
        QCOMPARE(leaves["bits.a|b"].item(3), double((0x7d << 3) | 0));
        float kept = 0;
        std::memcpy(&kept, leaves["num"].data() + 12 * 3, sizeof kept);
        QCOMPARE(kept, 1.5F);
    }

    /// Of arrays of structs, structs and vectors, in sources, fields and expectations, whatever their order.
    void formulas_read_members() {
        Session session = session_of(bodies, "add", bodies_arguments());
        std::vector<RunBuffer> buffers;
        const Report report = run_it(session, &buffers);
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "not as expected");
        for (std::size_t i = 0; i < 4; ++i) {
            const auto place = static_cast<double>(i);
            QCOMPARE(buffers[0].input->item(i), place + 5 + 7 + static_cast<double>(i % 2)); // sum
            QCOMPARE(buffers[2].output->item(i),
                     1 + place + 10 * place + 100 * 5 + 1000 * 2.5 + 20 + 2 * buffers[0].input->item(i) + 3);
        }
    }

    void members_that_are_not_there_data() {
        QTest::addColumn<QString>("formula");
        QTest::addColumn<QString>("says");
        QTest::newRow("field") << "p.posx" << "but p has no member posx: its fields are mass, pos, tag, in.s, in.d, on";
        QTest::newRow("axis") << "p.pos.w" << "no member pos.w";
        QTest::newRow("of a number") << "k.x" << "a member of \"k\", which is one number";
        QTest::newRow("whole") << "p" << "holds structs. Name one of their fields, such as p.mass";
        QTest::newRow("of a scalar") << "cfg + 1" << "lacks the member of \"cfg\"";
        QTest::newRow("of a vector") << "v.z + v.q" << "v has no member q";
        QTest::newRow("axes") << "p.pos" << "p.pos has 12 elements";
        QTest::newRow("circle") << "r.a" << "needs its own values";
    }
    void members_that_are_not_there() {
        QFETCH(QString, formula);
        QFETCH(QString, says);
        Session session = session_of(bodies, "add", bodies_arguments());
        std::get<FormulaSource>(session.arguments.front().source).expression = formula.toStdString();
        fails(session, "/arguments/0/source/expression", qPrintable(says));
    }

    void bit_fields_around_another_field() {
        auto session = session_of(R"(
struct Around { int a : 8; char x; int b : 8; int c : 3; int n; };
__global__ void around(Around* to) {
    Around r = {-2, 5, 7, 3, 9};
    to[threadIdx.x] = r;
}
)",
                                  "around", {array("to", Direction::out, zeros(32))});
        std::vector<RunBuffer> buffers;
        const Report report = run_it(session, &buffers);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
#ifdef _WIN32 // compilers there begin a unit behind the plain field
        const char* descr = "[('a', '<u4'), ('x', '|i1'), ('', '|V3'), ('b|c', '<u4'), ('n', '<i4')]";
#else
        const char* descr = "[('a', '|V1'), ('x', '|i1'), ('b|c', '|V2'), ('n', '<i4')]";
#endif
        QCOMPARE(QString::fromStdString(buffers[0].output->dtype().descr()), QString(descr));
        std::map<std::string, NdArray> leaves;
        for (auto& leaf : leaves_of(*buffers[0].output))
            leaves[leaf.path] = leaf.values.copy();
        QCOMPARE(leaves["a"].item(3), 254.0);
        QCOMPARE(leaves["x"].item(3), 5.0);
#ifdef _WIN32
        QCOMPARE(leaves["b|c"].item(3), 7.0 + 3 * 256);
#else
        QCOMPARE(leaves["b|c"].item(2 * 3), 7.0);
        QCOMPARE(leaves["b|c"].item(2 * 3 + 1), 3.0);
#endif
        QCOMPARE(leaves["n"].item(3), 9.0);
    }

    void scalars_are_enumerators_by_their_names() {
        const char* kernels = R"(
__global__ void enumerations(int* to, Mode mode, Color color, int n) {
    to[threadIdx.x] = int(mode) * 1000 + int(color) + n;
}
)";
        const auto session_with = [&](const char* type, const char* mode, const char* color) {
            auto session = session_of(kernels, "enumerations",
                                      {array("to", Direction::out, ZerosSource{"int32", {32}}), number("mode", 0),
                                       number("color", 0), number("n", 7)});
            session.arguments[1].value = Enumerator{mode};
            session.arguments[2].type = type;
            session.arguments[2].value = Enumerator{color};
            return session;
        };
        const auto as_written = parse(to_json(session_with("u8", "Mode::a", "green")).dump());
        std::vector<RunBuffer> buffers;
        const Report report = run_it(as_written, &buffers);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
        QCOMPARE(buffers[0].output->as<int>()[31], -1000 + 200 + 7);
        fails(session_with("u8", "a", "blue"), "/arguments/2/value", "Use one of red, green");
        fails(session_with("i32", "a", "red"), "/arguments/2/value", "Use type u8");
        auto plain = session_with("u8", "a", "red");
        plain.arguments[3].value = Enumerator{"red"};
        fails(plain, "/arguments/3/value", "no enumeration");
    }

    void results_compare_field_by_field() {
        auto session = step_session(fields());
        QVERIFY(!run_it(session).error);
        fs::rename(folder_ / "to.npy", folder_ / "expected.npy");
        session.arguments[2].expect = Expectation{};
        session.arguments[2].expect->path = "expected.npy";
        Report report = run_it(session);
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "");
        QCOMPARE(report.comparisons.front().elements, std::uint64_t{10});
        // Another value in one field of one struct, and a byte of padding.
        NdArray expected = load_npy((folder_ / "expected.npy").string());
        for (auto& leaf : leaves_of(expected))
            if (leaf.path == "v") leaf.values.set_item(4 * 3 + 1, 8.0);
        expected.mutable_data()[expected.itemsize() * 6 - 1] = std::byte{99};
        save(expected, "expected.npy");
        report = run_it(session);
        QVERIFY(report.status == Status::expectation_failed);
        QCOMPARE(report.comparisons.front().mismatches, std::uint64_t{1});
        QCOMPARE(report.comparisons.front().first, std::uint64_t{4});
        QCOMPARE(report.comparisons.front().first_field, std::string("v[1]"));
        session.arguments[2].expect->atol = 10;
        QVERIFY(run_it(session).status == Status::ok);
    }

    void numpy_reads_and_writes_them() {
        const QString python = QStringLiteral("/usr/bin/python3");
        const auto execute = [&](const QString& text) {
            QProcess process;
            process.setWorkingDirectory(temporary_.path());
            process.start(python, {QStringLiteral("-c"), text});
            return finish(process);
        };
        if (execute("import numpy").code != 0) QSKIP("there is no NumPy here");
        // Other types, another order, without padding, big-endian: fields are found by their names.
        const Result made = execute(R"(
import numpy as np
spring = [('length', '>f4'), ('k', '<f8')]
t = np.dtype([('id', '<i8'), ('x', '>f8'), ('v', '<f4', (3,)), ('in', spring, (2,)), ('num', 'V12'),
              ('bits', [('a|b', '<u4'), ('c', '<u4')]), ('mode', '<i2'), ('on', '?'), ('name', 'S5')])
a = np.zeros(10, t)
a['id'] = np.arange(10); a['x'] = np.arange(10) * .5; a['v'] = [0, 1, 2]; a['in']['length'][:, 1] = 7
a['on'] = np.arange(10) % 2
np.save('from.npy', a)
)");
        QVERIFY2(made.code == 0, qPrintable(made.all()));
        auto session = step_session(fields());
        QVERIFY(!run_it(session).error);
        fs::rename(folder_ / "to.npy", folder_ / "expected.npy");
        session = step_session(FileSource{"from.npy", {}, {}, 0});
        session.arguments[2].expect = Expectation{};
        session.arguments[2].expect->path = "expected.npy";
        const Report report = run_it(session);
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "it differs");
        const Result read = execute(R"(
import numpy as np
a = np.load('to.npy')
t = np.dtype([('x', 'f4'), ('v', 'f4', (3,)), ('id', 'i4'), ('in', np.dtype([('k', 'f4'), ('length', 'f8')], align=True), (2,)),
              ('num', 'i4', (3,)), ('bits', [('a|b', 'u4'), ('c', 'u4')]), ('mode', 'i4'), ('on', '?'), ('name', 'i1', (5,))], align=True)
assert a.dtype.itemsize == t.itemsize, a.dtype
assert {n: a.dtype.fields[n][1] for n in a.dtype.names} == {n: t.fields[n][1] for n in t.names}, a.dtype
assert (a['x'] == np.arange(10) * .5 + 20).all() and (a['id'] == np.arange(10) + 2).all()
assert (a['in']['length'] == [0, 7.5]).all() and (a['v'] == [0, 1, 2]).all() and a['on'].all()
assert (a['num'].copy().view('f4').reshape(10, 3)[:, 0] == 1.5).all()
)");
        QVERIFY2(read.code == 0, qPrintable(read.all()));
    }

    void raw_files_and_bytes() {
        auto session = step_session(fields());
        std::vector<RunBuffer> buffers;
        QVERIFY(!run_it(session, &buffers).error);
        const auto bytes = buffers.front().input->bytes();
        QFile raw(temporary_.filePath("from.bin"));
        QVERIFY(raw.open(QIODevice::WriteOnly));
        raw.write("head", 4);
        raw.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
        raw.close();
        fs::rename(folder_ / "to.npy", folder_ / "expected.npy");
        session = step_session(FileSource{"from.bin", std::string(struct_type), {}, 4});
        session.arguments[2].expect = Expectation{};
        session.arguments[2].expect->path = "expected.npy";
        QVERIFY(run_it(session).status == Status::ok);
        session = step_session(FileSource{"from.bin", std::string(struct_type), {}, 5});
        fails(session, "/arguments/1/source", "no whole number of Particle");
        // A struct by its bytes needs no layout.
        std::string digits = "\"0x";
        for (int k = 0; k < 64; ++k)
            digits += k == 3 ? "00002041" : "00000000"; // 10.0f
        session = session_of(
            refused, "big", {value_of("b", digits + "\""), array("out", Direction::out, ZerosSource{"float32", {32}})});
        const Report report = run_it(session, &buffers);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
        QCOMPARE(buffers.front().output->item(3), 10.0);
    }

    void ptx_with_debug_information_tells_the_fields() {
        compiler::CompileRequest request;
        request.source = std::string(types) + refused;
        const std::string plain = compiler::compile(request).ptx;
        const std::string debugged = compiler::compile(for_debugger(request)).ptx;
        auto session = session_of(
            "", "_Z3big3BigPf",
            {value_of("b", R"({"m": [0, 1.5]})"), array("out", Direction::out, ZerosSource{"float32", {32}})});
        session.source.name = "k.ptx";
        session.source.text = debugged;
        std::vector<RunBuffer> buffers;
        const Report report = run_it(session, &buffers);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
        QCOMPARE(buffers.front().output->item(1), 1.5);
        session.source.text = plain;
        fails(session, "/arguments/0/value", "--device-debug");
    }

    void wrong_values_are_refused_with_their_place_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* value, const char* pointer, const char* says) {
            QTest::newRow(value) << QByteArray(value) << QByteArray(pointer) << QByteArray(says);
        };
        row(R"({"y": 1})", "", "has no field \"y\"");
        row(R"({"id": 1.5})", "/id", "whole numbers");
        row(R"({"id": "green"})", "/id", "is a number");
        row(R"({"v": [1, 2, 3, 4]})", "/v", "has 3 elements");
        row(R"({"in": [{}, {"length": []}]})", "/in/1/length", "in[1].length");
        row(R"({"num": {"i": 1, "f": 2}})", "/num", "exactly one");
        row(R"({"bits": {"a": 8}})", "/bits/a", "from 0 to 7");
        row(R"({"bits": {"b": -65}})", "/bits/b", "from -64 to 63");
        row(R"({"mode": "red"})", "/mode", "a, b");
        row(R"({"name": "too long"})", "/name", "has room for 5");
        row(R"("0x00")", "", "has 88 bytes");
    }
    void wrong_values_are_refused_with_their_place() {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, says);
        auto session = step_session(zeros(10));
        session.arguments[0] = value_of("p", value.toStdString());
        fails(session, ("/arguments/0/value" + pointer).constData(), says.constData());
    }

    void addresses_are_refused_with_a_remedy() {
        const auto rows = array("rows", Direction::in, ZerosSource{"uint64", {1}});
        const auto hidden = array("hidden", Direction::in, ZerosSource{"uint8", {1}});
        auto session = session_of(refused, "addresses", {value_of("p", R"({"n": 1})"), rows, hidden});
        fails(session, "/arguments/0/value", "as a parameter of its own");
        session.arguments[0] = value_of("p", R"({"n": 1, "data": 5})");
        fails(session, "/arguments/0/value/data", "as a parameter of its own");
        session.arguments[0] = value_of("p", R"({"n": 1, "data": null})");
        const Report report = run_it(session);
        QVERIFY2(!report.error, report.error ? report.error->message.c_str() : "");
        session.arguments[1] = array("rows", Direction::in, ZerosSource{"float32", {2}});
        fails(session, "/arguments/1/source", "float **");
        session.arguments[1] = rows;
        session.arguments[2] = array("hidden", Direction::in, zeros(1));
        fails(session, "/arguments/2/source", "dtype uint8");
    }

    void other_data_are_refused() {
        auto session = step_session(fields());
        std::get<FieldsSource>(session.arguments[1].source).fields = {{"speed", "1"}};
        fails(session, "/arguments/1/source/fields/speed", "has no field \"speed\"");
        std::get<FieldsSource>(session.arguments[1].source).fields = {{"v[3]", "1"}};
        fails(session, "/arguments/1/source/fields/v[3]", "past the end");
        save(NdArray::zeros({10}, struct_dtype({{"x", 0, DType::float32(), {}, false, {}}}, 4)), "few.npy");
        session = step_session(FileSource{"few.npy", {}, {}, 0});
        fails(session, "/arguments/1/source", "have no field \"v\"");
        session = session_of(refused, "number",
                             {value_of("n", "{}"), array("x", Direction::in, ZerosSource{"float32", {1}}),
                              array("y", Direction::out, ZerosSource{"float32", {1}})});
        fails(session, "/arguments/0/value", "no struct");
        session.arguments[0] = number("n", 1);
        session.arguments[1] = array("x", Direction::in, zeros(1));
        fails(session, "/arguments/1/source", "no array of structs");
    }

    void the_command_line_takes_them() {
        const QString kernels = QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/software/kernels/");
        const auto execute = [&](const char* file, QStringList more) {
            QFile::copy(kernels + file, temporary_.filePath(file)); // under Wine on the program's drive
            QProcess process;
            process.setWorkingDirectory(temporary_.path());
            process.start(qEnvironmentVariable("WARPLIGHT_TEST_CLI", WARPLIGHT_CLI),
                          QStringList{"run", file, "--grid", "1", "--device",
                                      qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software")} +
                              more);
            return finish(process);
        };
        const auto by_value = [&](const char* value) {
            return execute("12_templates.cu",
                           {"--kernel", "byval", "--block", "8", "--arg", value, "--arg", "out=float32[8]", "--arg",
                            "i32=1", "--save", "1=big.npy", "--out", "out", "--overwrite"});
        };
        const Result ran = by_value(R"(struct={"m": [0, 1, 2, 3, 4, 5.5]})");
        QVERIFY2(ran.code == 0, qPrintable(ran.all()));
        const NdArray big = load_npy((folder_ / "out/big.npy").string());
        QCOMPARE(big.item(0), 1.0);
        QCOMPARE(big.item(4), 5.5);
        QCOMPARE(big.item(5), 0.0);
        for (const auto& [value, says] : std::vector<std::pair<const char*, const char*>>{
                 {R"(struct={"x": 1})", "Big has no field \"x\". It has: m."},
                 {"struct={", "not valid JSON"},
                 {"struct=0x00", "has 256 bytes, but the value has 1"},
                 {"f32=1", "a struct of 256 bytes. Use type struct"}}) {
            const Result refused = by_value(value);
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.all().contains(says), qPrintable(refused.all()));
        }
        // Structured data of four numbers are float4, and stay structured.
        std::vector<StructField> fields;
        for (const char* name : {"x", "y", "z", "w"})
            fields.push_back({name, fields.size() * 4, DType::float32(), {}, false, {}});
        NdArray bodies = NdArray::zeros({256}, struct_dtype(fields, 16));
        NdArray plain = NdArray::zeros({256, 4}, DType::float32());
        for (std::size_t k = 0; k < plain.size(); ++k)
            plain.set_item(k, static_cast<double>(k * 7919 % 1000) / 1000);
        std::memcpy(bodies.mutable_data(), plain.data(), plain.nbytes());
        save(bodies, "bodies.npy");
        save(plain, "plain.npy");
        for (const char* name : {"bodies", "plain"}) {
            const Result moved = execute(
                "04_nbody.cu", {"--kernel", "nbody", "--block", "256", "--arg", QString("inout=%1.npy").arg(name),
                                "--arg", "out=float32[256,4]", "--arg", "i32=256", "--arg", "f32=0.01", "--save",
                                QString("0=%1-moved.npy").arg(name), "--out", "out"});
            QVERIFY2(moved.code == 0, qPrintable(moved.all()));
        }
        const NdArray moved = load_npy((folder_ / "out/bodies-moved.npy").string());
        const NdArray wanted = load_npy((folder_ / "out/plain-moved.npy").string());
        QVERIFY(moved.dtype() == bodies.dtype());
        QVERIFY(std::ranges::equal(moved.bytes(), wanted.bytes()));
        QVERIFY(!std::ranges::equal(moved.bytes(), plain.bytes()));
    }

    void descriptions_come_back() {
        const std::string descr = "[('a', '<f4'), ('', '|V4'), ('b', [('c', '>i2', (2, 3))], (2,)), ('d', '|V3')]";
        const auto fields = fields_of(DType::opaque(4 + 4 + 24 + 3, descr));
        QCOMPARE(fields.size(), std::size_t{3});
        QCOMPARE(fields[1].offset, std::size_t{8});
        QCOMPARE(fields[1].fields.front().shape, (warplight::Shape{2, 3}));
        QVERIFY(fields[1].fields.front().big_endian);
        QCOMPARE(struct_dtype(fields, 35).descr(), descr);
        QVERIFY_THROWS_EXCEPTION(driver::LogicError, (void)fields_of(DType::opaque(4, "[('a', '<f4')")));
    }
};

QTEST_GUILESS_MAIN(StructTest)
#include "struct_test.moc"
