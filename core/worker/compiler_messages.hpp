// SPDX-License-Identifier: Apache-2.0
// What the worker and a process that compiles tell each other: a request and its answer, each one CBOR object. Texts
// are binary strings, because sources and paths need not be UTF-8.
#pragma once

#include "compiler/toolchain.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warplight::worker {

/// What is asked for. It stands in front of the object, for those who pass a request on without reading it.
enum class CompilerTask : unsigned char { nvrtc_identity = 1, nvcc_identity, compile, ptxas, disassemble };

/// Reading one that is malformed @throws std::runtime_error.
struct CompileTask {
    compiler::CompileRequest request;
    compiler::Architecture arch;
    std::string file;
};
struct PtxasTask {
    std::string ptx;
    compiler::Architecture arch;
};
std::vector<std::byte> encode(const compiler::Job& job);
std::vector<std::byte> encode(const PtxasTask& task);
CompileTask decode_compile_task(std::span<const std::byte> bytes);
std::vector<std::byte> encode(const compiler::DisassemblyJob& job);
PtxasTask decode_ptxas_task(std::span<const std::byte> bytes);
compiler::DisassemblyJob decode_disassembly_job(std::span<const std::byte> bytes);

std::vector<std::byte> encode(const compiler::Products& products);
std::vector<std::byte> encode(const compiler::PtxasOutput& output);
std::vector<std::byte> encode(const compiler::DisassemblerOutput& output);
std::vector<std::byte> encode(const compiler::CompilerIdentity& identity);
/// In place of any other answer: why there is none.
std::vector<std::byte> encode_failure(const std::string& why);

/// The answers. A failure is thrown as std::runtime_error.
compiler::Products decode_products(std::span<const std::byte> bytes);
compiler::PtxasOutput decode_ptxas_output(std::span<const std::byte> bytes);
compiler::DisassemblerOutput decode_disassembler_output(std::span<const std::byte> bytes);
compiler::CompilerIdentity decode_identity(std::span<const std::byte> bytes);

} // namespace warplight::worker
