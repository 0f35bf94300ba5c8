// SPDX-License-Identifier: Apache-2.0
// Kernels of .cu files, with notes how they are run and where their mistakes are:
//
//     // CASE bfs_level kind=race grid=4 block=32 args=n,rows,cols,z400
//     extern "C" __global__ void bfs_level(int n, const int* rows, const int* cols, int* level) {
//         …
//         WRONG(level[v] = d, atomicMin(&level[v], d)); // HERE
//
// WRONG(x, y) is x in the program with the mistake, else y. HERE is at the line of the finding. ALSO is at lines that
// may be told too: consequences, or the second line of a race. A case without HERE has no mistake. Cases whose notes
// follow each other share the lines behind them. What stands before the first CASE belongs to all kernels of a file.
#pragma once

#include "checks_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace planted {

using warplight::findings::Finding;
using warplight::findings::Findings;

struct Program {
    std::string file, name;
    int line = 0;
    std::string kind;
    std::string arch = "compute_80";
    std::vector<unsigned> grid{1, 1}, block{32, 1};
    unsigned shared = 0;
    bool cooperative = false;
    bool ends_with_error = false;
    std::vector<std::string> arguments;
    std::vector<std::string> kernels; ///< one after the other
    std::set<int> marks, also;

    [[nodiscard]] std::string where() const { return name + " at " + file + ':' + std::to_string(line); }
    [[nodiscard]] bool may_be_told(const Finding& f) const {
        return marks.contains(f.place.line) || also.contains(f.place.line);
    }
};

inline std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);)
        parts.push_back(part);
    return parts;
}

inline std::vector<unsigned> size_of(const std::string& text) {
    std::vector<unsigned> size;
    for (const std::string& each : split(text, 'x'))
        size.push_back(static_cast<unsigned>(std::stoul(each)));
    size.resize(2, 1);
    return size;
}

inline void add_note(Program& program, const std::string& key, const std::string& value) {
    if (key == "kind") program.kind = value;
    if (key == "arch") program.arch = value;
    if (key == "grid") program.grid = size_of(value);
    if (key == "block") program.block = size_of(value);
    if (key == "shared") program.shared = static_cast<unsigned>(std::stoul(value));
    if (key == "cooperative") program.cooperative = true;
    if (key == "fails") program.ends_with_error = true;
    if (key == "args") program.arguments = split(value, ',');
    if (key == "kernels") program.kernels = split(value, ',');
}

inline std::vector<Program> all(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Program> programs;
    for (const auto& file : files) {
        std::ifstream stream(file);
        int number = 0;
        std::size_t first = programs.size(); // that the lines belong to
        bool is_head = false;
        for (std::string line; std::getline(stream, line);) {
            ++number;
            if (line.starts_with("// CASE ")) {
                std::vector<std::string> words = split(line.substr(8), ' ');
                Program program;
                program.file = file.string();
                program.name = words.at(0);
                program.line = number;
                program.kernels = {program.name};
                for (const std::string& word : words) {
                    const auto is = word.find('=');
                    add_note(program, word.substr(0, is), is == std::string::npos ? "" : word.substr(is + 1));
                }
                if (!is_head) first = programs.size();
                programs.push_back(std::move(program));
            }
            is_head = line.starts_with("// CASE ");
            for (std::size_t k = first; k < programs.size(); ++k) {
                if (line.find("// HERE") != std::string::npos) programs[k].marks.insert(number);
                if (line.find("// ALSO") != std::string::npos) programs[k].also.insert(number);
            }
        }
    }
    return programs;
}

inline std::string compiled(const Program& program, bool wrong) {
    std::ifstream stream(program.file);
    warplight::compiler::CompileRequest request;
    request.source = std::string(std::istreambuf_iterator<char>(stream), {});
    request.name = program.file;
    request.folder = std::filesystem::path(program.file).parent_path();
    request.arch = program.arch;
    request.options = {"-std=c++17", wrong ? "-DWRONG(x,y)=(x)" : "-DWRONG(x,y)=(y)"};
    const auto result = warplight::compiler::compile(request);
    if (!result.ok) qWarning("%s", result.log.c_str());
    return result.ok ? result.ptx : std::string();
}

/// An undirected graph in rows, of which some vertices have many edges, and some none.
struct Graph {
    static constexpr int kVertices = 100;
    std::vector<int> rows{0}, columns, sources, weights;
    Graph() {
        std::vector<std::set<int>> neighbours(kVertices);
        unsigned state = 1;
        const auto random = [&] { return (state = state * 1664525U + 1013904223U) >> 8; };
        for (int k = 0; k < 260; ++k) {
            const int a = static_cast<int>(random() % kVertices), b = static_cast<int>(random() % (k % 3 ? 97 : 5));
            if (a == b || a == 50 || b == 50) continue;
            neighbours[static_cast<std::size_t>(a)].insert(b);
            neighbours[static_cast<std::size_t>(b)].insert(a);
        }
        for (int v = 0; v < kVertices; ++v) {
            for (const int to : neighbours[static_cast<std::size_t>(v)]) {
                columns.push_back(to);
                sources.push_back(v);
                weights.push_back(1 + (v + to) % 7);
            }
            rows.push_back(static_cast<int>(columns.size()));
        }
    }
};

/// The arguments of a launch, in memory of a session. `n` and `m` are the vertices and edges of the graph, `rows`,
/// `cols`, `srcs` and `wts` its arrays. A letter and a number of bytes is memory: z of zeros, u that nothing wrote,
/// i of ints 0, 1, …, t of the halves of them, s of small ints, m of ints of all bits, F of floats from 1 on. f:2.5 is
/// a float, others are ints.
class Arguments {
public:
    Arguments(Session& session, const std::vector<std::string>& words) {
        static const Graph graph;
        for (const std::string& word : words) {
            Value value;
            if (word == "rows")
                value.pointer = session.upload(graph.rows);
            else if (word == "cols")
                value.pointer = session.upload(graph.columns);
            else if (word == "srcs")
                value.pointer = session.upload(graph.sources);
            else if (word == "wts")
                value.pointer = session.upload(graph.weights);
            else if (word == "n")
                value.integer = Graph::kVertices;
            else if (word == "m")
                value.integer = static_cast<int>(graph.columns.size());
            else if (word.starts_with("f:"))
                value.real = std::stof(word.substr(2));
            else if (std::isalpha(static_cast<unsigned char>(word.at(0))))
                value.pointer = memory(session, word);
            else
                value.integer = std::stoi(word);
            values_.push_back(value);
        }
        for (Value& each : values_)
            pointers_.push_back(&each);
    }
    [[nodiscard]] void** data() { return pointers_.data(); }

    /// The host reads all results.
    void download() const {
        for (const auto& [at, bytes] : results_)
            (void)Session::download<char>(at, bytes);
    }

private:
    union Value {
        CUdeviceptr pointer = 0;
        int integer;
        float real;
    };

    CUdeviceptr memory(Session& session, const std::string& word) {
        const std::size_t bytes = std::stoul(word.substr(1));
        results_.emplace_back(session.allocate(bytes), bytes);
        const CUdeviceptr at = results_.back().first;
        std::vector<int> words((bytes + 3) / 4);
        for (std::size_t k = 0; k < words.size(); ++k) {
            const float real = 1.F + static_cast<float>(k % 50);
            switch (word.front()) {
            case 'i': words[k] = static_cast<int>(k); break;
            case 't': words[k] = static_cast<int>(k / 2); break;
            case 's': words[k] = static_cast<int>(k * 7 % 13); break;
            case 'm': words[k] = -1; break;
            case 'F': std::memcpy(&words[k], &real, sizeof real); break;
            default: break;
            }
        }
        if (word.front() != 'u') cuMemcpyHtoD(at, words.data(), bytes);
        return at;
    }

    std::vector<Value> values_;
    std::vector<void*> pointers_;
    std::vector<std::pair<CUdeviceptr, std::size_t>> results_;
};

inline CUresult launch(const Program& program, CUfunction f, Arguments& arguments) {
    if (program.cooperative)
        return cuLaunchCooperativeKernel(f, program.grid[0], program.grid[1], 1, program.block[0], program.block[1], 1,
                                         program.shared, nullptr, arguments.data());
    return cuLaunchKernel(f, program.grid[0], program.grid[1], 1, program.block[0], program.block[1], 1, program.shared,
                          nullptr, arguments.data(), nullptr);
}

inline Findings run(const Program& program, const std::string& ptx, bool fails) {
    (void)taken();
    cuxWarplightRequestChecks("all");
    CUresult end = CUDA_SUCCESS;
    {
        Session session;
        Arguments arguments(session, program.arguments);
        for (const std::string& name : program.kernels) {
            const CUfunction f = session.module ? nullptr : session.load(ptx, name.c_str());
            CUfunction kernel = f;
            if (!kernel && session.module) cuModuleGetFunction(&kernel, session.module, name.c_str());
            if (!kernel || launch(program, kernel, arguments) != CUDA_SUCCESS) {
                qWarning("%s: %s", program.where().c_str(), last_error_text().c_str());
                end = CUDA_ERROR_UNKNOWN;
            }
        }
        if (const CUresult now = cuCtxSynchronize(); now != CUDA_SUCCESS) end = now;
        if ((end != CUDA_SUCCESS) != fails) qWarning("%s: %s", program.where().c_str(), last_error_text().c_str());
        arguments.download();
    }
    cuxWarplightRequestChecks("");
    Findings found = taken();
    // Its own memory is not freed here, as the context is destroyed with it.
    std::erase_if(found.all, [](const Finding& f) { return f.kind == "leak" && f.kernel.empty(); });
    return found;
}

} // namespace planted
