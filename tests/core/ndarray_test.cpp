// SPDX-License-Identifier: Apache-2.0
#include "warplight/error.hpp"
#include "warplight/ndarray.hpp"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace warplight;

#if defined(__SANITIZE_ADDRESS__)
// One test asks for more memory than there can be; the sanitizer must answer it as the system does.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace {

/// binary16 by its definition, independent of the conversion under test.
double half_value(unsigned bits) {
    const unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31) return mantissa ? std::nan("") : sign * INFINITY;
    return sign * (exponent ? std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25) : std::ldexp(mantissa, -24));
}

NdArray counted(Shape shape) {
    NdArray array = NdArray::empty(std::move(shape), DType::int32());
    for (std::size_t i = 0; i < array.size(); ++i)
        array.as_mutable<int>()[i] = static_cast<int>(i);
    return array;
}

} // namespace

class NdArrayTest : public QObject {
    Q_OBJECT
private slots:
    void types() {
        QCOMPARE(DType::all().size(), std::size_t{14});
        for (const DType& type : DType::all()) {
            QVERIFY(DType::from_name(type.name()) == type);
            QVERIFY(DType::from_typestr(type.typestr()) == type);
        }
        QCOMPARE(DType::from_name("i8").itemsize(), std::size_t{1});     // bits
        QCOMPARE(DType::from_typestr("<i8").itemsize(), std::size_t{8}); // bytes
        QCOMPARE(DType::from_name("c64").name(), "complex64");
        QCOMPARE(DType::from_name("V12").itemsize(), std::size_t{12});
        QCOMPARE(DType().name(), "float64");
        bool big = false;
        QCOMPARE(DType::from_typestr(">f4", &big).name(), "float32");
        QVERIFY(big);
        DType::from_typestr(">i1", &big);
        QVERIFY(!big);
        for (const char* bad : {"", "int", "float128", "int33", "f", "V0", "V99999999999999999999", "i 8", "float32 "})
            QVERIFY_THROWS_EXCEPTION(LogicError, DType::from_name(bad));
        for (const char* bad : {"", "<", "<f", "<f3", "f4", "<O8", "<U4", "<M8[ns]", "|V0", ">f4", "<f4x", "<i16"})
            QVERIFY_THROWS_EXCEPTION(LogicError, DType::from_typestr(bad));
        QCOMPARE(dtype_of<long long>().name(), "int64");
        QCOMPARE(dtype_of<const unsigned char>().name(), "uint8");
        QCOMPARE(dtype_of<bool>().name(), "bool");
        struct Pair {
            float a;
            int b;
        };
        QCOMPARE(dtype_of<Pair>().name(), "V8");
    }

    void half_of_every_value() {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const double expected = half_value(bits);
            const float got = Half::to_float(static_cast<std::uint16_t>(bits));
            if (std::isnan(expected)) {
                QVERIFY(std::isnan(got));
                QVERIFY((Half::from_float(got) & 0x7c00) == 0x7c00 && (Half::from_float(got) & 0x3ff));
            } else {
                QCOMPARE(static_cast<double>(got), expected);
                QCOMPARE(static_cast<unsigned>(Half::from_float(got)), bits);
            }
        }
        // Between two neighbours the nearer one, at the middle the even one.
        for (unsigned bits = 0; bits < 0x7bff; ++bits) {
            const auto low = static_cast<float>(half_value(bits)), high = static_cast<float>(half_value(bits + 1));
            const float middle = (low + high) / 2; // exact in float
            QCOMPARE(static_cast<unsigned>(Half::from_float(middle)), bits & 1 ? bits + 1 : bits);
            QCOMPARE(static_cast<unsigned>(Half::from_float(std::nextafter(middle, 0.0f))), bits);
            QCOMPARE(static_cast<unsigned>(Half::from_float(std::nextafter(middle, INFINITY))), bits + 1);
        }
        QCOMPARE(static_cast<unsigned>(Half::from_float(65519.996f)), 0x7bffu);
        QCOMPARE(static_cast<unsigned>(Half::from_float(65520.0f)), 0x7c00u);
        QCOMPARE(static_cast<unsigned>(Half::from_float(-1e30f)), 0xfc00u);
        QCOMPARE(static_cast<unsigned>(Half::from_float(-1e-30f)), 0x8000u);
    }

    void shapes_and_strides() {
        const NdArray c = NdArray::zeros({2, 3, 4}, DType::float32());
        QVERIFY((c.strides() == Strides{48, 16, 4}));
        QCOMPARE(c.size(), std::size_t{24});
        QCOMPARE(c.nbytes(), std::size_t{96});
        QVERIFY(c.is_c_contiguous() && !c.is_f_contiguous());
        const NdArray f = NdArray::zeros({2, 3, 4}, DType::float32(), Order::F);
        QVERIFY((f.strides() == Strides{4, 8, 24}));
        QVERIFY(f.order() == Order::F);
        QCOMPARE(NdArray::zeros({}, DType::int8()).size(), std::size_t{1});
        QCOMPARE(NdArray::zeros({0, 5}, DType::int8()).size(), std::size_t{0});
        QCOMPARE(NdArray().size(), std::size_t{0});
        QCOMPARE(to_string(Shape{}), "()");
        QCOMPARE(to_string(Shape{5}), "(5,)");
        QCOMPARE(to_string(Shape{2, 3}), "(2, 3)");
        const std::size_t huge = std::numeric_limits<std::size_t>::max();
        QVERIFY_THROWS_EXCEPTION(LogicError, NdArray::empty({huge, 2}, DType::int8()));
        QVERIFY_THROWS_EXCEPTION(LogicError, NdArray::empty({huge / 4}, DType::float64()));
        QVERIFY_THROWS_EXCEPTION(LogicError, NdArray::empty(Shape(33, 1), DType::int8()));
        QCOMPARE(NdArray::empty({huge, 0}, DType::int8()).size(), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(MemoryError, NdArray::empty({std::size_t{1} << 62}, DType::int8()));
        QVERIFY_THROWS_EXCEPTION(LogicError, NdArray::from({1, 2, 3}, {2, 2}));
    }

    void elements() {
        const NdArray a = counted({2, 3});
        QCOMPARE((a.at<int>(1, 2)), 5);
        QVERIFY_THROWS_EXCEPTION(LogicError, (a.at<int>(2, 0)));
        QVERIFY_THROWS_EXCEPTION(LogicError, (a.at<int>(1)));
        QVERIFY_THROWS_EXCEPTION(LogicError, (a.at<float>(1, 1)));
        QVERIFY_THROWS_EXCEPTION(LogicError, a.as<unsigned>());
        QCOMPARE(a.item(4), 4.0);
        QVERIFY_THROWS_EXCEPTION(LogicError, a.item(6));
        const NdArray t = a.transpose();
        QVERIFY((t.shape() == Shape{3, 2}));
        QCOMPARE((t.at<int>(2, 1)), 5);
        QCOMPARE(t.item(1), 3.0); // C order of the transpose
        a.set_item(4, 70);
        QCOMPARE(t.item(3), 70.0); // the same memory
        QVERIFY_THROWS_EXCEPTION(LogicError, a.as_readonly().set_item(0, 1));
        QVERIFY_THROWS_EXCEPTION(LogicError, a.as_readonly().fill(1));
        QVERIFY_THROWS_EXCEPTION(LogicError, NdArray::zeros({2}, DType::opaque(3)).item(0));
    }

    void views_and_copies() {
        const NdArray a = counted({4, 6});
        const NdArray column = a.slice(1, 1, 1), part = a.slice(0, 1, 2).slice(1, 5, 3, -2);
        QVERIFY((part.shape() == Shape{2, 3}));
        QCOMPARE((part.at<int>(0, 0)), 11);
        QCOMPARE((part.at<int>(1, 2)), 13);
        QVERIFY(!part.is_contiguous());
        QVERIFY_THROWS_EXCEPTION(LogicError, part.bytes());
        QVERIFY_THROWS_EXCEPTION(LogicError, part.reshape({6}));
        const NdArray packed = part.copy();
        QVERIFY(packed.is_c_contiguous());
        const int expected[] = {11, 9, 7, 17, 15, 13};
        for (int i = 0; i < 6; ++i)
            QCOMPARE(packed.as<int>()[static_cast<std::size_t>(i)], expected[i]);
        const NdArray fortran = part.copy(Order::F);
        const int expected_f[] = {11, 17, 9, 15, 7, 13};
        for (int i = 0; i < 6; ++i)
            QCOMPARE(fortran.as<int>()[static_cast<std::size_t>(i)], expected_f[i]);
        QVERIFY_THROWS_EXCEPTION(LogicError, a.slice(0, 3, 2));
        QVERIFY_THROWS_EXCEPTION(LogicError, a.slice(0, 0, 3, 2));
        QVERIFY_THROWS_EXCEPTION(LogicError, a.slice(0, 1, 3, -1));
        QVERIFY_THROWS_EXCEPTION(LogicError, a.slice(2, 0, 1));
        QVERIFY_THROWS_EXCEPTION(LogicError, a.slice(0, 4, 1));
        QCOMPARE(a.slice(0, 4, 0).size(), std::size_t{0});
        QCOMPARE(a.reshape({24}).item(13), 13.0);
        QVERIFY_THROWS_EXCEPTION(LogicError, a.reshape({23}));
        QCOMPARE(a.view(DType::uint32()).dtype().name(), "uint32");
        QVERIFY_THROWS_EXCEPTION(LogicError, a.view(DType::int64()));
        column.fill(-1);
        QCOMPARE((a.at<int>(3, 1)), -1);
        QCOMPARE((a.at<int>(3, 2)), 20);
        NdArray kept;
        {
            const NdArray owner = counted({3});
            kept = owner.slice(0, 1, 2);
        }
        QCOMPARE(kept.at<int>(1), 2); // a view keeps the memory
    }

    void conversions() {
        const double inf = std::numeric_limits<double>::infinity();
        const NdArray d = NdArray::from({0.0, -0.5, 1.9, -1.9, 300.0, -300.0, 1e30, inf, -inf, std::nan("")});
        const auto check = [&](const DType& type, std::vector<double> expected) {
            const NdArray converted = d.astype(type);
            QVERIFY(converted.dtype() == type);
            for (std::size_t i = 0; i < expected.size(); ++i)
                QCOMPARE(converted.item(i), expected[i]);
        };
        check(DType::int8(), {0, 0, 1, -1, 127, -128, 127, 127, -128, 0});
        check(DType::uint8(), {0, 0, 1, 0, 255, 0, 255, 255, 0, 0});
        check(DType::boolean(), {0, 1, 1, 1, 1, 1, 1, 1, 1, 1});
        check(DType::float32(), {0, -0.5, static_cast<double>(1.9f), static_cast<double>(-1.9f), 300, -300,
                                 static_cast<double>(1e30f), inf, -inf});
        check(DType::complex64(), {0, -0.5});
        QCOMPARE(d.astype(DType::int64()).as<std::int64_t>()[6], std::numeric_limits<std::int64_t>::max());
        QCOMPARE(d.astype(DType::uint64()).as<std::uint64_t>()[6], std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(NdArray::from({std::numeric_limits<std::uint64_t>::max()}).astype(DType::int32()).at<int>(0),
                 std::numeric_limits<int>::max());
        // To half in one rounding: just above the middle of 1 and its neighbour, which float would round to the middle.
        QCOMPARE(
            static_cast<unsigned>(NdArray::from({1.0 + 0x1p-11 + 0x1p-40}).astype(DType::float16()).at<Half>(0).bits),
            0x3c01u);
        QCOMPARE(static_cast<unsigned>(NdArray::from({1.0 + 0x1p-11}).astype(DType::float16()).at<Half>(0).bits),
                 0x3c00u);
        QVERIFY_THROWS_EXCEPTION(LogicError, NdArray::zeros({2}, DType::opaque(4)).astype(DType::int8()));
        const NdArray odd = NdArray::from<std::uint8_t>({0, 1, 32, 255}).view(DType::boolean()); // any bytes
        QCOMPARE(odd.item(2), 1.0);
        QCOMPARE(odd.astype(DType::int32()).at<int>(3), 1);
        const NdArray strided = counted({2, 3}).transpose().astype(DType::float64());
        QCOMPARE(strided.item(1), 3.0);
    }
};

QTEST_APPLESS_MAIN(NdArrayTest)
#include "ndarray_test.moc"
