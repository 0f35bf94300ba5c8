// SPDX-License-Identifier: Apache-2.0
#include "session/exercise_grades.hpp"

#include "compiler/include_reach.hpp"
#include "files/input_file.hpp"
#include "session/digest.hpp"
#include "session/options_check.hpp"
#include "session/reach.hpp"
#include "session/stages.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t columns_before = 7; ///< of the cases

std::string name_of_path(const fs::path& path) {
    const auto name = path.u8string();
    return {name.begin(), name.end()};
}

std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.path().extension() == ".cu") found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

Submission submission_of_folder(const fs::path& folder) {
    Submission result{name_of_path(folder.filename()), {}, {}};
    const auto sources = sources_in(folder);
    if (sources.empty())
        result.problem = "The folder has no .cu file.";
    else if (sources.size() > 1)
        result.problem = fmt::format("The folder has {} .cu files; one was expected.", sources.size());
    else
        result.file = sources.front();
    return result;
}

/// A cell; what a spreadsheet would compute is marked as text.
std::string cell(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\r', ' ');
    if (!text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos)
        text.insert(0, 1, '\'');
    if (text.find_first_of(",\"'") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string plain(std::string text) {
    if (text.size() > 1 && text.front() == '\'' && std::string_view("=+-@\t").find(text[1]) != std::string_view::npos)
        text.erase(0, 1);
    return text;
}

std::vector<std::vector<std::string>> rows_of(std::string_view text) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row;
    std::string now;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && text.substr(i + 1, 1) == "\"") {
            now += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (quoted || (c != ',' && c != '\n' && c != '\r')) {
            now += c;
        } else if (c != '\r') {
            row.push_back(plain(std::exchange(now, {})));
            if (c == '\n') rows.push_back(std::exchange(row, {}));
        }
    }
    return rows;
}

std::string text_of(const CaseResult& result) {
    return result.message.empty() ? std::string(label_of(result.outcome))
                                  : fmt::format("{}: {}", label_of(result.outcome), result.message);
}

std::uint64_t findings_of(const Grade& grade) {
    std::uint64_t sum = 0;
    for (const auto& each : grade.cases)
        sum += each.findings;
    return sum;
}

std::vector<std::string> header_of(const Session& exercise) {
    std::vector<std::string> header = {"name", "file", "passed", "cases", "points", "of", "findings"};
    for (const auto& each : exercise.exercise->cases)
        header.push_back(each.name);
    header.emplace_back("digest");
    return header;
}

std::string line_of(const std::vector<std::string>& cells) {
    std::string line;
    for (const auto& each : cells) {
        if (!line.empty()) line += ',';
        line += cell(each);
    }
    return line + '\n';
}

/// Of a file's contents. Why it cannot be read counts as well.
std::string digest_of_found(const std::function<fs::path()>& find) {
    try {
        return digest(files::InputFile(find()));
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace

std::vector<Submission> find_submissions(const fs::path& folder) {
    std::error_code code;
    std::vector<Submission> found;
    if (fs::is_regular_file(folder, code)) {
        found.push_back({name_of_path(folder.stem()), folder, {}});
        return found;
    }
    if (!fs::is_directory(folder, code))
        throw SessionError(fmt::format("There is no folder {}. Name the folder with the solutions.", folder.string()));
    for (const auto& entry : fs::directory_iterator(folder, code)) {
        const bool hidden = name_of_path(entry.path().filename()).starts_with('.');
        if (!hidden && entry.is_directory(code))
            found.push_back(submission_of_folder(entry.path()));
        else if (!hidden && entry.path().extension() == ".cu")
            found.push_back({name_of_path(entry.path().stem()), entry.path(), {}});
    }
    if (found.empty())
        throw SessionError(
            fmt::format("There is no solution in {}: neither .cu files nor folders with one.", folder.string()));
    std::ranges::sort(found, {}, &Submission::name);
    return found;
}

std::string digest_of_exercise(const Session& exercise, const GradeConditions& conditions) {
    const auto reach = Reach::of(conditions.run);
    std::set<std::string> paths; // cases mostly name the same files
    std::set<std::pair<std::string, std::string>> results;
    for (const auto& each : exercise.exercise->cases) {
        for (const Argument& argument : session_of_case(exercise, each).arguments) {
            if (argument.direction == Direction::scalar) continue;
            if (const auto* file = std::get_if<FileSource>(&argument.source)) paths.insert(file->path);
            if (!argument.expect) continue;
            if (!argument.expect->path.empty()) paths.insert(argument.expect->path);
            if (argument.expect->session.empty()) continue;
            paths.insert(argument.expect->session);
            results.emplace(argument.expect->session, argument.expect->argument);
        }
    }
    std::string all =
        fmt::format("{}\n{} s, {} bytes\n", to_text(exercise), conditions.limits.seconds, conditions.memory_limit);
    for (const auto& path : paths)
        all += digest_of_found([&] { return reach.for_reading(reach.place(path)); });
    for (const auto& [session, argument] : results) {
        Expectation expectation;
        expectation.session = session;
        expectation.argument = argument;
        all += digest_of_found([&] { return reach.for_reading(saved_by(expectation, reach)); });
    }
    return digest(std::as_bytes(std::span(all)));
}

std::string digest_of_solution(const Session& exercise, const GradeConditions& conditions,
                               const std::string& exercise_digest, const std::string& source) {
    const auto reach = Reach::of(conditions.run);
    compiler::CompileRequest request;
    request.source = source;
    request.folder =
        exercise.source.path.empty() ? conditions.run.folder : reach.place(exercise.source.path).parent_path();
    request.backend = compiler::backend_from_name(exercise.compile.compiler);
    std::string all = exercise_digest + '\0' + source + '\0';
    try {
        confine(request, exercise.compile, reach);
        // Without the toolkit's, which is another thing than the exercise.
        for (const fs::path& header : compiler::check_includes(request, {}).headers)
            all += digest_of_found([&] { return header; });
    } catch (const SessionError& error) {
        all += error.what();
    }
    return digest(std::as_bytes(std::span(all)));
}

std::string to_csv(const Session& exercise, const std::vector<Grade>& grades) {
    std::string text = line_of(header_of(exercise));
    const double of = points_of(*exercise.exercise);
    for (const auto& grade : grades) {
        std::vector<std::string> cells = {grade.name,
                                          grade.file,
                                          fmt::format("{}", passed_of(grade.cases)),
                                          fmt::format("{}", grade.cases.size()),
                                          fmt::format("{}", points_of(grade.cases)),
                                          fmt::format("{}", of),
                                          fmt::format("{}", findings_of(grade))};
        for (const auto& each : grade.cases)
            cells.push_back(text_of(each));
        cells.push_back(grade.digest);
        text += line_of(cells);
    }
    return text;
}

std::vector<Grade> grades_from_csv(const Session& exercise, std::string_view text) {
    std::vector<Grade> grades;
    const auto rows = rows_of(text);
    const auto& cases = exercise.exercise->cases;
    if (rows.empty() || rows.front() != header_of(exercise)) return grades;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& row = rows[i];
        if (row.size() != columns_before + cases.size() + 1) continue;
        Grade grade{row[0], row[1], row.back(), {}};
        bool known = true;
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const auto& written = row[columns_before + k];
            const auto colon = written.find(": ");
            const auto outcome = outcome_from(written.substr(0, colon));
            CaseResult result;
            result.name = cases[k].name;
            result.hidden = cases[k].hidden;
            result.points = cases[k].points;
            result.outcome = outcome.value_or(CaseOutcome::stopped);
            if (colon != std::string::npos) result.message = written.substr(colon + 2);
            known = known && result.outcome != CaseOutcome::stopped;
            grade.cases.push_back(std::move(result));
        }
        // The table has their sum alone.
        if (!grade.cases.empty()) try {
                grade.cases.front().findings = std::stoull(row[columns_before - 1]);
            } catch (const std::exception&) {
                known = false;
            }
        if (known) grades.push_back(std::move(grade));
    }
    return grades;
}

json to_json(const std::vector<CaseResult>& results, bool all) {
    json list = json::array();
    for (const auto& each : results) {
        json object = {
            {"name", each.name}, {"passed", each.passed()}, {"points", each.points}, {"hidden", each.hidden}};
        if (all || !each.hidden || is_about_source(each.outcome)) {
            object["outcome"] = label_of(each.outcome);
            object["message"] = each.message;
            object["findings"] = each.findings;
        }
        if (!each.hint.empty()) object["hint"] = each.hint;
        list.push_back(std::move(object));
    }
    return list;
}

json to_json(const Session& exercise, const std::vector<Grade>& grades) {
    json list = json::array();
    for (const auto& grade : grades)
        list.push_back({{"name", grade.name},
                        {"file", grade.file},
                        {"passed", passed_of(grade.cases)},
                        {"points", points_of(grade.cases)},
                        {"findings", findings_of(grade)},
                        {"digest", grade.digest},
                        {"cases", to_json(grade.cases, true)}});
    return {{"title", exercise.title},
            {"cases", exercise.exercise->cases.size()},
            {"points", points_of(*exercise.exercise)},
            {"solutions", std::move(list)}};
}

std::string to_text(const Session& exercise, const std::vector<Grade>& grades) {
    std::size_t widest = 4;
    for (const auto& grade : grades)
        widest = std::max(widest, grade.name.size());
    const double of = points_of(*exercise.exercise);
    std::string text;
    for (const auto& grade : grades) {
        const auto failed = std::ranges::find_if(grade.cases, [](const CaseResult& each) { return !each.passed(); });
        text += fmt::format("{:<{}}  {} of {} cases, {} of {} points{}\n", grade.name, widest, passed_of(grade.cases),
                            grade.cases.size(), points_of(grade.cases), of,
                            failed == grade.cases.end() ? std::string()
                                                        : fmt::format("; {}: {}", failed->name, text_of(*failed)));
    }
    return text;
}

std::string to_text(const std::vector<CaseResult>& results, bool all) {
    std::size_t widest = 4;
    for (const auto& each : results)
        widest = std::max(widest, each.name.size());
    std::string text;
    for (const auto& each : results) {
        const auto told = all || !each.hidden || is_about_source(each.outcome)
                              ? text_of(each)
                              : std::string(each.passed() ? "pass" : "fail (hidden)");
        text += fmt::format("{:<{}}  {}\n", each.name, widest, told);
        if (!each.hint.empty()) text += fmt::format("{:<{}}  hint: {}\n", "", widest, each.hint);
    }
    text += fmt::format("\n{} of {} cases passed\n", passed_of(results), results.size());
    return text;
}

} // namespace warplight::session
