// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <algorithm>

namespace instructions {
namespace {

constexpr std::size_t kMostRuns = 8000;

std::string wide_register(unsigned index) { return "%in" + std::to_string(index); }

/// Text that makes the input register of a type from its 64 bits.
std::string unpack(const std::string& type, const std::string& name, const std::string& from) {
    const std::string text = ".reg ." + type + " " + name + ";\n";
    if (type == "pred") return text + "setp.ne.s64 " + name + ", " + from + ", 0;\n";
    if (bits_of(type) == 64) return text + "mov.b64 " + name + ", " + from + ";\n";
    const std::string part = bits_of(type) == 32 ? "u32" : "u16";
    return text + "{ .reg .b" + part.substr(1) + " part; cvt." + part + ".u64 part, " + from + "; mov.b" +
           part.substr(1) + " " + name + ", part; }\n";
}

std::string pack(const std::string& type, const std::string& name, const std::string& to) {
    if (type == "pred") return "selp.u64 " + to + ", 1, 0, " + name + ";\n";
    if (bits_of(type) == 64) return "mov.b64 " + to + ", " + name + ";\n";
    const std::string part = bits_of(type) == 32 ? "32" : "16";
    return "{ .reg .b" + part + " part; mov.b" + part + " part, " + name + "; cvt.u64.u" + part + " " + to +
           ", part; }\n";
}

} // namespace

Cases all_cases() {
    Cases cases;
    add_integer_cases(cases);
    add_bit_cases(cases);
    add_float_cases(cases);
    add_half_cases(cases);
    add_compare_cases(cases);
    add_convert_cases(cases);
    add_approximate_cases(cases);
    add_video_cases(cases);
    return cases;
}

std::vector<Inputs> inputs_of(const Case& c) {
    std::size_t combinations = 1;
    for (const auto& values : c.values)
        combinations *= values.size();
    const std::size_t runs = std::min(combinations, kMostRuns);
    std::vector<Inputs> result(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        // A stride that shares no factor with the counts visits combinations of all kinds.
        std::size_t at = combinations <= kMostRuns ? run : (run * 2654435761u + run / 7) % combinations;
        for (std::size_t k = 0; k < c.values.size(); ++k) {
            result[run][k] = c.values[k][at % c.values[k].size()];
            at /= c.values[k].size();
        }
    }
    return result;
}

std::string ptx_of(const Case& c) {
    static constexpr const char* kInputs[] = {"a", "b", "c", "d"};
    static constexpr const char* kOutputs[] = {"o", "q"};
    std::string text =
        ".version 8.1\n.target sm_" + std::to_string(c.target) + "\n.address_size 64\n" +
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
        ".reg .pred %done;\n.reg .b32 %i, %n, %t, %s;\n.reg .b64 %from, %to, %at, %in<4>, %out<2>;\n"
        "mov.u32 %i, %tid.x;\nmov.u32 %t, %ctaid.x;\nmov.u32 %s, %ntid.x;\nmad.lo.u32 %i, %t, %s, %i;\n"
        "ld.param.u32 %n, [n];\nsetp.ge.u32 %done, %i, %n;\n@%done bra DONE;\n"
        "ld.param.u64 %from, [in];\nld.param.u64 %to, [out];\n"
        "mul.wide.u32 %at, %i, 32;\nadd.u64 %from, %from, %at;\nmul.wide.u32 %at, %i, 16;\nadd.u64 %to, %to, %at;\n";
    for (unsigned k = 0; k < c.inputs.size(); ++k) {
        text += "ld.global.u64 " + wide_register(k) + ", [%from+" + std::to_string(8 * k) + "];\n";
        text += unpack(c.inputs[k], kInputs[k], wide_register(k));
    }
    for (unsigned k = 0; k < c.outputs.size(); ++k)
        text += ".reg ." + c.outputs[k] + " " + kOutputs[k] + ";\n";
    text += c.body + "\n";
    for (unsigned k = 0; k < c.outputs.size(); ++k) {
        const std::string wide = "%out" + std::to_string(k);
        text += pack(c.outputs[k], kOutputs[k], wide);
        text += "st.global.u64 [%to+" + std::to_string(8 * k) + "], " + wide + ";\n";
    }
    return text + "DONE:\nret;\n}\n";
}

} // namespace instructions
