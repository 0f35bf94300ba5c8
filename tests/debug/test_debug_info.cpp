// SPDX-License-Identifier: Apache-2.0
// DWARF of PTX: what NVRTC writes, and what is damaged.
#include "debug/dwarf.hpp"
#include "debugged_kernel.hpp"
#include "software/ptx/parser.hpp"

#include <random>
#include <variant>

namespace debug = warplight::debug;

class TestDebugInfo : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void knows_functions_variables_and_types();
    void a_module_without_it_has_base_types();
    void damaged_bytes_do_no_harm();
    void damaged_text_does_no_harm();
    void types_may_be_circles();

private:
    [[nodiscard]] static warplight::ptx::Module parsed(const std::string& text) {
        auto result = warplight::ptx::parse(text);
        if (auto* error = std::get_if<warplight::ptx::ParseError>(&result)) qCritical("%s", error->message.c_str());
        return std::get<warplight::ptx::Module>(std::move(result));
    }
    /// Asks all that a debugger asks.
    static std::size_t use(const debug::DebugInfo& info) {
        std::size_t total = 0;
        for (debug::TypeId t = 0; t < info.types.size(); ++t)
            total += info.name_of(t).size() + info.size_of(t) % 7 + info.resolved(t);
        for (const debug::DebugFunction& f : info.functions)
            total += f.name.size() + f.scope.variables.size() + f.scope.scopes.size();
        for (const debug::DebugVariable& v : info.variables)
            total += v.at(0) != nullptr;
        return total;
    }
    std::string ptx_;
};

void TestDebugInfo::initTestCase() {
    ptx_ = compile_to_debug(text_of_file("steps.cu"), "steps.cu");
    if (ptx_.empty()) QSKIP("there is no NVRTC here");
}

void TestDebugInfo::knows_functions_variables_and_types() {
    const warplight::ptx::Module module = parsed(ptx_);
    const debug::DebugInfo info = debug::read_debug_info(module);
    const auto kernel = module.find_function("steps");
    QVERIFY(kernel);
    const debug::DebugFunction* f = info.of(*kernel);
    QVERIFY(f);
    QCOMPARE(f->name, std::string("steps"));
    std::vector<std::string> parameters;
    for (const debug::DebugVariable& v : f->scope.variables)
        if (v.is_parameter) parameters.push_back(v.name + ": " + info.name_of(v.type));
    QCOMPARE(parameters, (std::vector<std::string>{"n: int", "x: float *", "out: int *"}));
    const auto pair = info.find_type("Pair");
    QVERIFY(pair);
    const debug::Type& type = info.types[*pair];
    QCOMPARE(type.size, std::uint64_t{16});
    QCOMPARE(type.members.size(), std::size_t{2});
    QCOMPARE(type.members[1].offset, std::uint64_t{4});
    QCOMPARE(info.name_of(type.members[1].type), std::string("float[3]"));
}

void TestDebugInfo::a_module_without_it_has_base_types() {
    const warplight::ptx::Module module = parsed(ptx(".visible .entry k() { ret; }"));
    const debug::DebugInfo info = debug::read_debug_info(module);
    QVERIFY(info.functions.empty());
    QVERIFY(info.find_type("float"));
}

void TestDebugInfo::damaged_bytes_do_no_harm() {
    const warplight::ptx::Module sound = parsed(ptx_);
    QVERIFY(sound.debug_sections.size() >= 3);
    std::mt19937 random(1); // NOLINT: the same each time
    std::size_t total = 0;
    for (int round = 0; round < 3000; ++round) {
        warplight::ptx::Module module = sound;
        for (int change = 0; change < 1 + round % 8; ++change) {
            warplight::ptx::DebugSection& s = module.debug_sections[random() % module.debug_sections.size()];
            if (s.bytes.empty()) continue;
            const std::size_t at = random() % s.bytes.size();
            switch (random() % 5) {
            case 0: s.bytes.resize(at); break;
            case 1: s.bytes[at] = static_cast<char>(random()); break;
            case 2: s.bytes[at] = static_cast<char>(0xff); break;
            case 3:
                if (!s.symbols.empty()) s.symbols[random() % s.symbols.size()].name = "nowhere";
                break;
            default: s.bytes.insert(at, s.bytes.substr(at / 2, 40)); break;
            }
        }
        total += use(debug::read_debug_info(module));
    }
    QVERIFY(total > 0);
}

void TestDebugInfo::damaged_text_does_no_harm() {
    const std::size_t begin = ptx_.find(".section");
    QVERIFY(begin != std::string::npos);
    std::mt19937 random(2); // NOLINT: the same each time
    int good = 0;
    for (int round = 0; round < 200; ++round) {
        std::string text = ptx_;
        const std::size_t at = begin + random() % (text.size() - begin);
        static constexpr const char* pieces[] = {"x", "-", ".b9", "{", "}", "\"", "99999999999999999999", ".b64 none"};
        text.insert(at, pieces[static_cast<std::size_t>(round) % std::size(pieces)]);
        const auto result = warplight::ptx::parse(text);
        if (const auto* module = std::get_if<warplight::ptx::Module>(&result)) {
            ++good;
            (void)use(debug::read_debug_info(*module));
        }
    }
    QVERIFY(good > 0); // the kernel is loaded all the same
}

void TestDebugInfo::types_may_be_circles() {
    debug::DebugInfo info;
    debug::Type circle;
    circle.kind = debug::Type::Kind::alias;
    circle.name = "const";
    circle.of = 0;
    info.add(circle);
    QCOMPARE(info.name_of(0), std::string("(unknown)"));
    QCOMPARE(info.size_of(0), std::uint64_t{0});
}

QTEST_APPLESS_MAIN(TestDebugInfo)
#include "test_debug_info.moc"
