// SPDX-License-Identifier: Apache-2.0
// How local arrays lie in the variable that the compiler makes of them.
#include "debug/local_arrays.hpp"
#include "debug/local_depot.hpp"
#include "debug/local_tiling.hpp"
#include "software/ptx/local_array.hpp"
#include "software/ptx/parser.hpp"

#include <QTest>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace debug = warplight::debug;
namespace ptx = warplight::ptx;
using debug::TilingChoice;
using debug::TilingPart;
using debug::TilingPlace;

namespace {

TilingChoice array(debug::ArrayId id, std::uint64_t size, std::uint64_t alignment = 4) {
    return {size, alignment, true, {id}};
}
TilingChoice unnamed(std::uint64_t most) { return {most, 1, false, {}}; }

/// "0:32=1 48:16": offset, size, arrays.
std::string text_of(const std::optional<std::vector<TilingPart>>& parts) {
    if (!parts) return "none";
    std::string text;
    for (const TilingPart& part : *parts) {
        text += (text.empty() ? "" : " ") + std::to_string(part.offset) + ':' + std::to_string(part.size);
        for (const debug::ArrayId id : part.ids)
            text += '=' + std::to_string(id);
    }
    return text;
}

const char* const kPtx = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
	.local .align 16 .b8 	__local_depot0[64];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	.reg .b64 %rd<9>;
	.reg .b32 %r<3>;

	mov.u64 	%SPL, __local_depot0;
	cvta.local.u64 	%SP, %SPL;
	add.u64 	%rd1, %SPL, 0;
	add.u64 	%rd2, %SP, 36;
	mov.u32 %r1, 7;
	st.local.u32 	[%rd1+28], %r1;
	st.u32 	[%rd2], %r1;
	st.local.u32 	[%SPL+40], %r1;
	ret;
}
)";

} // namespace

class TestLocalArrays : public QObject {
    Q_OBJECT
private slots:
    void names() {
        for (const ptx::LocalArray& array :
             {ptx::LocalArray{0, 0, "", "", 0}, {16, 7, "tile", "", 4}, {1234567, 0, "a_1", "b", 0}}) {
            const auto read = ptx::local_array_of(ptx::name_of(array));
            QVERIFY(read);
            QCOMPARE(read->offset, array.offset);
            QCOMPARE(read->line, array.line);
            QCOMPARE(read->name, array.name);
            QCOMPARE(read->other, array.other);
            QCOMPARE(read->lead, array.lead);
        }
        // Variables that begin at one place, because of what is in front of the second.
        QVERIFY(ptx::name_of({48, 0, "", "", 0}) != ptx::name_of({52, 0, "", "", 4}));
        QCOMPARE(ptx::local_array_of(ptx::name_of({0, 1, "größe", "", 0}))->name.find_first_not_of("gr_e"),
                 std::string::npos);
        for (const char* other :
             {"", "tile", "__local_depot0", "__local_array$", "__local_array$1$2$x", "__local_array$$1$2$x"})
            QVERIFY(!ptx::local_array_of(other));
    }

    void one_way_only() {
        const std::vector<TilingPlace> places{{0, 0, {array(1, 32)}}, {32, 0, {array(2, 24)}}};
        QCOMPARE(text_of(debug::tile(places, 56, 4)), std::string("0:32=1 32:24=2"));
        QCOMPARE(text_of(debug::tile(places, 64, 16)), std::string("0:32=1 32:24=2")); // with padding
        QCOMPARE(text_of(debug::tile(places, 72, 16)), std::string("none"));           // something else lies there
        QCOMPARE(text_of(debug::tile(places, 52, 4)), std::string("none"));
    }

    /// A member, or an element in the middle, whose address is taken by itself.
    void places_inside_of_an_array() {
        const std::vector<TilingPlace> places{
            {0, 0, {array(1, 40, 8)}}, {8, 0, {array(1, 40, 8)}}, {40, 0, {array(2, 8), array(1, 40, 8)}}};
        QCOMPARE(text_of(debug::tile(places, 48, 8)), std::string("0:40=1 40:8=2"));
    }

    /// Sizes decide, where lines use several.
    void sizes_decide() {
        const std::vector<TilingChoice> both{array(1, 48), array(2, 24)};
        const std::vector<TilingPlace> places{{0, 0, both}, {32, 0, both}};
        QCOMPARE(text_of(debug::tile(places, 80, 16)), std::string("0:24=2 32:48=1"));
        QCOMPARE(text_of(debug::tile(places, 64, 16)), std::string("0:24=2 32:24=2"));
    }

    /// Of several ways the largest array counts, and only what they have in common is a part.
    void several_ways() {
        const std::vector<TilingChoice> both{array(1, 28), array(2, 20)};
        const std::vector<TilingPlace> places{{0, 0, both}, {32, 0, {array(3, 16)}}};
        QCOMPARE(text_of(debug::tile(places, 48, 16)), std::string("0:28=1=2 32:16=3"));
        const std::vector<TilingPlace> inside{
            {0, 0, {array(1, 32), array(2, 16)}}, {16, 0, {array(1, 32), array(2, 16)}}, {32, 0, {array(3, 16)}}};
        QCOMPARE(text_of(debug::tile(inside, 48, 16)), std::string("0:32 32:16=3"));
    }

    /// What is accessed at a constant place is part of the array.
    void accesses_tell_sizes() {
        const std::vector<TilingChoice> both{array(1, 28), array(2, 20)};
        const std::vector<TilingPlace> places{{0, 24, both}};
        QCOMPARE(text_of(debug::tile(places, 32, 16)), std::string("0:28=1"));
    }

    void memory_of_the_compiler() {
        const std::vector<TilingPlace> places{{0, 0, {array(1, 16)}}, {16, 0, {unnamed(28)}}};
        QCOMPARE(text_of(debug::tile(places, 40, 8)), std::string("0:16=1 16:24"));
        const std::vector<TilingPlace> either{{0, 0, {array(1, 24), unnamed(28)}}};
        QCOMPARE(text_of(debug::tile(either, 24, 4)), std::string("0:24"));
        QCOMPARE(text_of(debug::tile(either, 32, 16)), std::string("0:28"));
    }

    void places_that_no_array_has() {
        QCOMPARE(text_of(debug::tile(std::vector<TilingPlace>(), 16, 4)), std::string("none"));
        const std::vector<TilingPlace> behind{{4, 0, {array(1, 12)}}};
        QCOMPARE(text_of(debug::tile(behind, 16, 4)), std::string("none"));
        const std::vector<TilingPlace> misaligned{{0, 0, {array(1, 4)}}, {4, 0, {array(2, 8, 8)}}};
        QCOMPARE(text_of(debug::tile(misaligned, 12, 4)), std::string("none"));
    }

    void depots() {
        const auto parsed = ptx::parse(kPtx);
        const auto* module = std::get_if<ptx::Module>(&parsed);
        QVERIFY(module);
        const auto depot = debug::find_local_depot(module->functions.at(0));
        QVERIFY(depot);
        QCOMPARE(depot->size, 64U);
        QCOMPARE(depot->offsets(), (std::vector<std::uint64_t>{0, 36, 40}));
        debug::DividedText text(kPtx);
        const std::vector<debug::DepotPart> parts{{0, 32, "first", 0}, {32, 32, "second", 0}};
        QVERIFY(text.divide(module->functions[0], *depot, parts));
        const std::string divided = text.text();
        QCOMPARE(std::count(divided.begin(), divided.end(), '\n'),
                 std::count(kPtx, kPtx + std::char_traits<char>::length(kPtx), '\n'));
        for (const char* has : {".local .align 16 .b8 first[32];", ".local .align 16 .b8 second[32];",
                                "mov.u64 %rd1, first;", ", second+4;", "[second+8], %r1;"})
            QVERIFY2(divided.find(has) != std::string::npos, has);
        QVERIFY(divided.find("__local_depot") == std::string::npos);
        // Behind an odd beginning what needs an alignment keeps it.
        debug::DividedText odd(kPtx);
        const std::vector<debug::DepotPart> behind{{0, 32, "first", 0}, {36, 28, "second", 4}};
        QVERIFY(odd.divide(module->functions[0], *depot, behind));
        for (const char* has : {".local .align 16 .b8 second[32];", ", second+4;", "[second+8], %r1;"})
            QVERIFY2(odd.text().find(has) != std::string::npos, has);
        const auto again = ptx::parse(divided);
        QVERIFY(std::holds_alternative<ptx::Module>(again));
        QCOMPARE(std::get<ptx::Module>(again).functions[0].instructions.size(),
                 module->functions[0].instructions.size() - 1); // two less of the depot, one more for a generic address
    }

    void unused_depots() {
        const auto parsed = ptx::parse(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
                                       "\t.local .align 16 .b8 \t__local_depot0[64];\n\tret;\n}\n");
        QVERIFY(std::holds_alternative<ptx::Module>(parsed));
        const auto depot = debug::find_local_depot(std::get<ptx::Module>(parsed).functions.at(0));
        QVERIFY(depot && depot->offsets().empty());
    }

    /// Its address goes elsewhere than where compilers take it.
    void odd_depots_stay_whole() {
        const std::string text = kPtx;
        for (const char* odd : {"add.u64 %rd1, %SPL, %rd2;", "st.u64 [%rd3], %SP;", "add.u64 %rd1, %SPL, -4;",
                                "add.u64 %rd1, %SPL, 64;", "mov.u64 %rd4, __local_depot0;"}) {
            std::string changed = text;
            changed.insert(changed.find("ret;"), odd);
            const auto parsed = ptx::parse(changed);
            QVERIFY2(std::holds_alternative<ptx::Module>(parsed), odd);
            const auto depot = debug::find_local_depot(std::get<ptx::Module>(parsed).functions.at(0));
            if (std::string_view(odd).starts_with("mov")) // a base more
                QVERIFY(depot && depot->bases.size() == 3);
            else
                QVERIFY2(!depot, odd);
            QCOMPARE(debug::with_local_arrays(changed, changed), changed); // without DWARF nothing is known
        }
    }

    void damaged_text_comes_back() {
        for (const char* text : {"", "nonsense", ".version 7.0", kPtx})
            for (const char* other : {"", "nonsense", kPtx})
                QCOMPARE(debug::with_local_arrays(text, other), std::string(text));
    }
};

QTEST_GUILESS_MAIN(TestLocalArrays)
#include "test_local_arrays.moc"
