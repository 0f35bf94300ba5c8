// SPDX-License-Identifier: Apache-2.0
#include "files/paths.hpp"

namespace warplight::files {
namespace fs = std::filesystem;

std::string path_problem(const fs::path&) { return {}; }

bool is_on_other_machine(const fs::path&) { return false; }

bool is_absolute(const fs::path& path) { return path.is_absolute(); }

fs::path normal(const fs::path& path) { return path.lexically_normal(); }

fs::path absolute(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

fs::path absolute(const fs::path& path, std::error_code& problem) {
    return fs::absolute(path, problem).lexically_normal();
}

fs::path join(const fs::path& folder, const fs::path& path) { return folder / path; }

bool same_root(const fs::path&, const fs::path&) { return true; }

bool is_held(const fs::path&) { return false; }

fs::path real_path(const fs::path& path, std::error_code& problem) {
    const auto whole = fs::absolute(path, problem);
    return problem ? fs::path() : fs::weakly_canonical(whole, problem);
}

bool same_place(const fs::path& a, const fs::path& b) {
    std::error_code problem;
    return fs::weakly_canonical(a, problem) == fs::weakly_canonical(b, problem) || fs::equivalent(a, b, problem);
}

} // namespace warplight::files
