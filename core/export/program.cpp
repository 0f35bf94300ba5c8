// SPDX-License-Identifier: Apache-2.0
#include "export/program.hpp"

#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace warplight::exporting {
namespace {

constexpr Format all_formats[] = {
    {"pycuda",
     "PyCUDA",
     "Python with NumPy and PyCUDA (`pip install pycuda`), and nvcc",
     "python3 run.py",
     write_pycuda,
     {.carveout = true, .cache = true}},
    {"cuda-core",
     "cuda.core",
     "Python with NumPy and cuda.core 1.0 or later (`pip install numpy cuda-core[cu13]`)",
     "python3 run.py",
     write_cuda_core,
     {.cluster = true, .carveout = true, .cache = true, .priority = true}},
    {"cupy",
     "CuPy",
     "Python with CuPy (`pip install cupy-cuda13x`)",
     "python3 run.py",
     write_cupy,
     {.carveout = true, .priority = true}},
    {"numba", "Numba", "Python with Numba (`pip install numba-cuda[cu13]`)", "python3 run.py", write_numba},
    {"cpp-driver",
     "C++ on CUDA's driver API",
     "a compiler for C++20, CMake, and a CUDA toolkit with NVRTC",
     "cmake -S . -B build && cmake --build build && ctest --test-dir build",
     write_cpp_driver,
     {.cluster = true, .carveout = true, .cache = true, .priority = true}},
    {"cpp-warplight",
     "C++ on the library of Warplight",
     "a compiler for C++20, CMake, and Warplight's library",
     "cmake -S . -B build -DCMAKE_PREFIX_PATH=FOLDER && cmake --build build && ctest --test-dir build",
     write_cpp_warplight,
     {.cluster = true, .carveout = true, .cache = true, .priority = true}},
};

std::string row(std::string_view path, std::string_view text) { return fmt::format("| `{}` | {} |", path, text); }

std::string note_about_source(const Experiment& experiment, const Program& program) {
    if (experiment.is_ptx) return fmt::format("The program loads the session's PTX, `{}`.", experiment.ptx_path);
    const std::string& source = experiment.sources.front().path;
    if (program.loading == Loading::source)
        return fmt::format("The program compiles `{}` each time it starts, so a changed kernel runs at once.", source);
    return fmt::format("The program loads `{}`, because {}. After a change of `{}` make it again: `warplight-cli "
                       "compile {}{} -o {}`.",
                       experiment.ptx_path, program.why_ptx, source, source,
                       experiment.session.compile.compiler == "nvcc" ? " --compiler nvcc" : "", experiment.ptx_path);
}

std::string notes_of(const Experiment& experiment, const Program& program) {
    Lines notes;
    notes.add(note_about_source(experiment, program));
    const auto& session = experiment.session;
    if (session.checks.any() || session.profile)
        notes.add(
            "\nThe session's checks and its profile are no part of the program. `warplight-cli exec --check all -- "
            "PROGRAM` checks its kernel.");
    for (const auto* each : experiment.results())
        if (each->argument().expect && !each->argument().expect->digest.empty())
            notes.add(
                fmt::format("\nOf {} the session has only a digest, so the program saves it and does not compare.",
                            one_line(each->argument().name)));
    if (session.pipeline && session.pipeline->frames)
        notes.add("\nThe frames that the session keeps are no part of the program.");
    if (session.sweep) notes.add("\nThe session's sweep is no part of the program: it runs the session's own values.");
    return notes.text();
}

std::string readme(const Experiment& experiment, const Format& format, const Program& program) {
    Lines rows;
    for (const auto& each : program.files)
        if (each.path == "run.py" || each.path == "main.cpp")
            rows.add(row(each.path, "the program: arguments, memory, launch, times"));
        else if (each.path.starts_with("results."))
            rows.add(row(each.path, "how results are saved and compared"));
        else if (each.path.starts_with("formulas."))
            rows.add(row(each.path, "what formulas mean"));
        else if (each.path == "textures.py")
            rows.add(row(each.path, "textures and surfaces, by functions of the driver"));
        else if (each.path == "CMakeLists.txt")
            rows.add(row(each.path, "how it is built, and its test"));
        else
            rows.add(row(each.path, "where the toolkit's headers are"));
    rows.add(row("kernel/", "the kernel's source"));
    rows.add(row("data/", "first contents of the arrays; what begins with zeros has no file"));
    const auto results = experiment.results();
    const auto is_checked = [](const ExportedArgument* each) { return each->data->expected.has_value(); };
    const bool checked = std::ranges::any_of(results, is_checked);
    if (checked) rows.add(row("expected/", "what results are compared with"));
    rows.add(row("results/", "made by the program: what the kernel wrote, as .npy files"));
    const auto& description = experiment.session.description;
    std::string software = " as it is.";
    if (format.start.starts_with("python3")) software = fmt::format(": `warplight-cli exec -- {}`.", format.start);
    if (format.name == "cpp-driver")
        software = fmt::format(": `warplight-cli exec -- build/{}`.", project_name(experiment));
    return fill(template_text("readme.md.in"),
                {{"TITLE", title_of(experiment)},
                 {"DESCRIPTION", description.empty() ? "" : one_line(description) + "\n\n"},
                 {"KERNELS", kernels_phrase(experiment, "`")},
                 {"WHOSE", experiment.kernels.size() > 1 ? "their" : "its"},
                 {"FORMAT", std::string(format.title)},
                 {"NAME", std::string(format.name)},
                 {"NEEDS", std::string(format.needs)},
                 {"START", std::string(format.start) + "\n"},
                 {"SOFTWARE", software},
                 {"UNCHECKED", checked ? "" : " The session expects nothing, so none is compared."},
                 {"FILES", rows.text()},
                 {"NOTES", notes_of(experiment, program)}});
}

} // namespace

session::LaunchOptions Format::beyond(session::LaunchOptions options) const {
    if (launches.cluster) options.cluster.clear();
    if (launches.carveout) options.carveout.reset();
    if (launches.cache) options.cache.clear();
    if (launches.priority) options.priority = 0;
    return options;
}

std::span<const Format> formats() { return all_formats; }

const Format* find_format(std::string_view name) {
    const auto found = std::ranges::find(all_formats, name, &Format::name);
    return found == std::end(all_formats) ? nullptr : found;
}

std::vector<ProgramFile> files_of(const Experiment& experiment, const Format& format) {
    Program program = format.write(experiment);
    if (uses_formulas(experiment)) {
        const std::string_view name = format.start.starts_with("python3") ? "formulas.py" : "formulas.hpp";
        program.files.push_back({std::string(name), std::string(template_text(name))});
    }
    std::string text = readme(experiment, format, program);
    std::vector<ProgramFile> files = std::move(program.files);
    for (const auto& each : experiment.sources)
        files.push_back({each.path, each.text});
    if (program.loading == Loading::source && program.stand_ins)
        for (const auto& each : experiment.stand_ins)
            files.push_back({each.path, each.text});
    if (program.loading == Loading::ptx && !experiment.is_ptx) files.push_back({experiment.ptx_path, experiment.ptx});
    for (const auto* each : experiment.arrays())
        if (!each->is_zeros()) files.push_back({data_path(*each), {}, &each->data->input});
    for (const auto* each : experiment.results())
        if (each->data->expected) files.push_back({expected_path(*each), {}, &*each->data->expected});
    files.push_back({"README.md", std::move(text)});
    return files;
}

} // namespace warplight::exporting
