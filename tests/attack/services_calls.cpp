// SPDX-License-Identifier: Apache-2.0
#include "services_calls.hpp"

#include <cstddef>
#include <vector>

namespace {

constexpr const char* kServices = R"(
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc (.param .b64 s);
.extern .func free (.param .b64 p);
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.extern .func (.param .b64 r) cudaGetParameterBuffer (.param .b64 a, .param .b64 s);
.extern .func (.param .b64 r) cudaGetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12],
  .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) cudaLaunchDevice (.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12],
  .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);
.extern .func (.param .b32 r) cudaLaunchDeviceV2 (.param .b64 p, .param .b64 s);
.extern .func (.param .b32 r) cudaGetDeviceCount (.param .b64 p);
.extern .func (.param .b32 r) cudaGetDevice (.param .b64 p);
.extern .func (.param .b32 r) cudaDeviceGetAttribute (.param .b64 p, .param .b32 a, .param .b32 d);
.extern .func (.param .b32 r) cudaDeviceGetLimit (.param .b64 p, .param .b32 l);
.extern .func (.param .b32 r) cudaRuntimeGetVersion (.param .b64 p);
.extern .func (.param .b32 r) cudaStreamCreateWithFlags (.param .b64 p, .param .b32 f);
.extern .func (.param .b32 r) cudaStreamDestroy (.param .b64 s);
.extern .func (.param .b32 r) cudaStreamWaitEvent (.param .b64 s, .param .b64 e, .param .b32 f);
.extern .func (.param .b32 r) cudaEventCreateWithFlags (.param .b64 p, .param .b32 f);
.extern .func (.param .b32 r) cudaEventRecord (.param .b64 e, .param .b64 s);
.extern .func (.param .b32 r) cudaEventDestroy (.param .b64 e);
.extern .func (.param .b32 r) cudaFuncGetAttributes (.param .b64 p, .param .b64 f);
.extern .func (.param .b32 r) cudaMalloc (.param .b64 p, .param .b64 s);
.extern .func (.param .b32 r) cudaFree (.param .b64 p);
.extern .func (.param .b64 r) cudaGetErrorString (.param .b32 c);
.extern .func (.param .b32 r) cudaMemcpyAsync (.param .b64 t, .param .b64 f, .param .b64 n, .param .b32 k,
  .param .b64 s);
.extern .func (.param .b32 r) cudaMemcpy2DAsync (.param .b64 t, .param .b64 tp, .param .b64 f, .param .b64 fp,
  .param .b64 w, .param .b64 h, .param .b32 k, .param .b64 s);
.extern .func (.param .b32 r) cudaMemcpy3DAsync (.param .b64 p, .param .b64 s);
.extern .func (.param .b32 r) cudaMemsetAsync (.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);
.extern .func (.param .b32 r) cudaMemset2DAsync (.param .b64 p, .param .b64 pitch, .param .b32 v, .param .b64 w,
  .param .b64 h, .param .b64 s);
.extern .func (.param .b32 r) cudaMemset3DAsync (.param .align 8 .b8 p[32], .param .b32 v, .param .align 8 .b8 e[24],
  .param .b64 s);
.extern .func (.param .b32 r) cudaOccupancyMaxActiveBlocksPerMultiprocessor (.param .b64 p, .param .b64 f,
  .param .b32 b, .param .b64 s);
.global .align 1 .b8 text[4] = {37, 115, 10, 0};
.global .align 1 .b8 number[4] = {37, 100, 10, 0};
.global .align 1 .b8 word[5] = {119, 111, 114, 100, 0};
.visible .entry child(.param .u64 p) { ret; }
)";

std::string store(const std::string& variable, const char* type, std::size_t offset, const std::string& value) {
    return "st.param." + std::string(type) + " [" + variable + "+" + std::to_string(offset) + "], " + value + ";\n";
}

} // namespace

Argument dim3_of(const std::string& each) { return {"dim3", each}; }

Argument words(std::initializer_list<const char*> values) {
    std::string list;
    for (const char* value : values)
        list += std::string(value) + " ";
    return {"words", list};
}

std::string call(const std::string& name, std::initializer_list<Argument> arguments, const char* result) {
    std::string declared, stored, list;
    std::size_t k = 0;
    for (const Argument& a : arguments) {
        const std::string variable = "p" + std::to_string(k++);
        list += (list.empty() ? "" : ", ") + variable;
        if (a.type == "dim3") {
            declared += ".param .align 4 .b8 " + variable + "[12];\n";
            for (const std::size_t offset : {0, 4, 8})
                stored += store(variable, "b32", offset, a.value);
        } else if (a.type == "words") {
            std::size_t bytes = 0, from = 0;
            for (std::size_t to = a.value.find(' '); to != std::string::npos; to = a.value.find(' ', from)) {
                stored += store(variable, "b64", bytes, a.value.substr(from, to - from));
                bytes += 8;
                from = to + 1;
            }
            declared += ".param .align 8 .b8 " + variable + "[" + std::to_string(bytes) + "];\n";
        } else {
            declared += ".param ." + a.type + " " + variable + ";\n";
            stored += store(variable, a.type.c_str(), 0, a.value);
        }
    }
    const std::string type = result ? result : "";
    if (result) declared += ".param ." + type + " r;\n";
    std::string text = "{\n" + declared + stored + "call.uni " + (result ? "(r), " : "") + name + ", (" + list + ");\n";
    if (type == "b64") text += "ld.param.b64 %rd9, [r];\n";
    if (type == "b32") text += "ld.param.b32 %r9, [r]; cvt.u64.u32 %rd9, %r9;\n";
    return text + "}\n";
}

std::string services_module(const std::string& body, const std::string& more) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"services.cu\"\n" + std::string(kServices) + more +
           R"(
.visible .entry k(.param .u64 a, .param .u64 d) {
  .reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<5>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [d]; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  .loc 1 7 3
)" + body + "\nDONE: ret;\n}\n";
}
