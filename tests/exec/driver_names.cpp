// SPDX-License-Identifier: Apache-2.0
// Opens libcuda.so.1 and asks it for all that the CUDA headers in the folder given name: symbols by dlsym, entry points
// of every version by cuGetProcAddress. Prints what is missing and, at the end, how much there was.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

constexpr const char* headers[] = {"cuda", "cudaGL", "cudaProfiler", "cudaEGL", "cudaVDPAU"};
constexpr int newest = 13000;

/// Calls use(match) for all matches, a line at a time.
template <class Use>
void for_matches(const std::string& file, const std::regex& form, Use use) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        for (auto at = std::sregex_iterator(line.begin(), line.end(), form); at != std::sregex_iterator(); ++at)
            use(*at);
}

int problems = 0;
void problem(const std::string& text) {
    std::printf("%s\n", text.c_str());
    ++problems;
}

using GetProcAddress = int (*)(const char*, void**, int, std::uint64_t, int*);
enum { found = 0, not_found = 1, version_not_sufficient = 2 };

struct Asked {
    void* function = nullptr;
    int status = -1;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::string folder = std::string(argv[1]) + "/";
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        std::printf("%s\n", dlerror());
        return 1;
    }

    std::set<std::string> symbols;
    std::map<std::string, std::set<int>> versions;
    std::set<std::pair<std::string, int>> per_thread;
    for (const std::string header : headers) {
        for_matches(folder + header + ".h", std::regex(R"(CUDAAPI\s+(cu[A-Z]\w*)\s*\()"),
                    [&](const auto& match) { symbols.insert(match[1]); });
        for_matches(folder + header + ".h", std::regex(R"(#\s*define\s+cu\w+\s+(cu[A-Z]\w*_v\d)\b)"),
                    [&](const auto& match) { symbols.insert(match[1]); });
        for_matches(folder + header + ".h", std::regex(R"(__CUDA_API_(PTDS|PTSZ)\((cu\w+)\))"), [&](const auto& match) {
            symbols.insert(match[2]);
            symbols.insert(match[2].str() + (match[1] == "PTDS" ? "_ptds" : "_ptsz"));
        });
        for_matches(folder + header + "Typedefs.h", std::regex(R"(\bPFN_(cu[A-Z]\w*?)_v(\d+)(_pt[sd][sz])?\))"),
                    [&](const auto& match) {
                        versions[match[1]].insert(std::stoi(match[2]));
                        if (match[3].length()) per_thread.emplace(match[1], std::stoi(match[2]));
                    });
    }
    // Of Windows alone.
    symbols.erase("cuWGLGetDevice");
    versions.erase("cuWGLGetDevice");
    for (const auto& symbol : symbols)
        if (!dlsym(library, symbol.c_str())) problem("no symbol " + symbol);

    const auto get = reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2"));
    if (!get) return 1;
    const auto ask = [&](const std::string& name, int version, std::uint64_t flags) {
        Asked asked;
        const int code = get(name.c_str(), &asked.function, version, flags, &asked.status);
        if (code != 0) problem(name + ": code " + std::to_string(code));
        return asked;
    };
    /// Is that a form of the entry point of that name?
    const auto is_form = [&](const std::string& name, void* function, const std::string& suffix) {
        for (const char* number : {"", "_v2", "_v3", "_v4", "_v5"})
            if (dlsym(library, (name + number + suffix).c_str()) == function) return true;
        return false;
    };
    int entry_points = 0;
    for (const auto& [name, of_name] : versions) {
        void* before = nullptr;
        for (const int version : of_name) {
            const std::string text = name + " of " + std::to_string(version);
            const auto asked = ask(name, version, 0);
            ++entry_points;
            // The first form with a per-thread stream may be of a version of its own.
            const bool own = !per_thread.contains({name, version});
            if (!asked.function || asked.status != found)
                problem("no " + text);
            else if (!is_form(name, asked.function, ""))
                problem(text + " is something else");
            else if (own && asked.function == before)
                problem(text + " is the form before it");
            before = asked.function;
            if (!own) {
                const auto form = ask(name, version, 2);
                if (!is_form(name, form.function, "_ptsz") && !is_form(name, form.function, "_ptds"))
                    problem(text + " has no form for the per-thread stream");
            }
            if (ask(name, newest + 1000, 0).function == nullptr) problem(text + ": none for newer programs");
        }
        if (const auto early = ask(name, *of_name.begin() - 1, 0);
            early.function || early.status != version_not_sufficient)
            problem(name + " is there before its time");
    }
    if (const auto nothing = ask("cuNoSuchEntryPoint", newest, 0); nothing.function || nothing.status != not_found)
        problem("there is what no driver has");
    std::printf("%zu symbols, %d entry points, %d problems\n", symbols.size(), entry_points, problems);
    return problems ? 1 : 0;
}
