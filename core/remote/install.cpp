// SPDX-License-Identifier: Apache-2.0
#include "remote/install.hpp"

#include "files/input_file.hpp"
#include "files/random_name.hpp"
#include "remote/ssh_run.hpp"

#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace warplight::remote {
namespace {

/// The folder of the installed versions there, made where it is not.
const std::string kEnterFolder =
    "if test -z \"${HOME-}\"; then say problem=home; exit 0; fi; d=\"" + std::string(kInstallFolder) +
    "\"; e=$(mkdir -p \"$d\" 2>&1 && chmod 700 \"$d\" 2>&1) || { say \"problem=folder $e\"; exit 0; }; "
    "cd \"$d\" || { say problem=home; exit 0; }; ";

std::uint64_t bytes_from(const std::map<std::string, std::string>& said, const char* key) {
    std::uint64_t value = 0;
    if (const auto found = said.find(key); found != said.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
}

std::string text_from(const std::map<std::string, std::string>& said, const char* key) {
    const auto found = said.find(key);
    return found == said.end() ? std::string() : found->second;
}

/// "glibc 2.36", "ldd (Debian GLIBC 2.36-9+deb12u9) 2.36" → 36. Nothing for another C library.
std::optional<int> glibc_minor(const std::string& text) {
    if (text.find("libc") == std::string::npos && text.find("LIBC") == std::string::npos) return std::nullopt;
    if (text.find("musl") != std::string::npos) return std::nullopt;
    const auto at = text.rfind("2.");
    int minor = 0;
    if (at == std::string::npos) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + at + 2, text.data() + text.size(), minor);
    return error == std::errc() ? std::optional(minor) : std::nullopt;
}

std::string part_of_archive(const ArchiveFacts& archive) { return archive.digest + ".part"; }

} // namespace

std::map<std::string, std::string> Installer::run(const std::string& script) {
    // What profiles print is no line of ours.
    const auto token = files::random_name();
    const auto result = run_ssh(
        ssh_script(place_, fmt::format("say() {{ echo \"{} $*\" | tr \"\\\\n\" \" \"; echo; }}; {}", token, script),
                   SshOptions{}));
    if (!result.ok()) fail(explain_ssh_failure(result.exit_code, result.errors, machine_));
    std::map<std::string, std::string> said;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(token + " ")) continue;
        line.erase(0, token.size() + 1);
        std::erase_if(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
        while (line.ends_with(' '))
            line.pop_back();
        if (const auto equals = line.find('='); equals != std::string::npos)
            said[line.substr(0, equals)] = line.substr(equals + 1);
    }
    if (const auto problem = text_from(said, "problem"); !problem.empty()) fail_for(problem);
    return said;
}

void Installer::fail_for(const std::string& problem) const {
    const auto space = problem.find(' ');
    const auto kind = problem.substr(0, space);
    const auto details = space == std::string::npos ? std::string() : problem.substr(space + 1);
    if (kind == "home")
        fail(fmt::format(
            "The user has no home folder on {}, so nothing can be installed there. Install Warplight's package "
            "there; then it is found by the PATH.",
            machine_));
    if (kind == "folder")
        fail(fmt::format("The folder ~/.local/share/warplight/remote cannot be made on {}: {}.", machine_, details));
    if (kind == "digest")
        fail(fmt::format("What has come to {} is damaged, and was removed. Install it again.", machine_));
    if (kind == "sum")
        fail(fmt::format("{} has none of sha256sum, shasum and openssl, so what has come cannot be checked. Install "
                         "Warplight's package there.",
                         machine_));
    if (kind == "unpack")
        fail(fmt::format("The archive cannot be unpacked on {}: {}. Is the disk full? Nothing was changed there.",
                         machine_, details));
    if (kind == "run")
        fail(fmt::format("warplight-cli does not run on {}: {}. Nothing was changed there.", machine_, details));
    fail(fmt::format("{}: {}.", machine_, problem));
}

std::uint64_t Installer::check(const ArchiveFacts& archive) {
    const auto said = run(fmt::format(
        "say \"system=$(uname -s)\"; say \"machine=$(uname -m)\"; "
        "say \"libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | head -n 1)\"; "
        "for c in tar gzip cat wc df; do command -v \"$c\" >/dev/null 2>&1 || say \"missing=$c\"; done; {}"
        "set -- $(df -Pk . | tail -n 1); say \"free=$4\"; test ! -f {} || say \"have=$(wc -c < {})\"; say done=1",
        kEnterFolder, part_of_archive(archive), part_of_archive(archive)));
    if (!said.contains("done"))
        fail(fmt::format("{} does not answer as a machine with a POSIX shell does. Warplight runs on Linux there.",
                         machine_));
    const auto system = text_from(said, "system"), machine = text_from(said, "machine");
    if (system != "Linux")
        fail(fmt::format("{} runs {}, and Warplight serves other machines on Linux.", machine_, system));
    if (machine != archive.machine)
        fail(fmt::format("{} is a machine of the kind {}, and the archive is for {}. Name one for {} with --archive.",
                         machine_, machine, archive.machine, machine));
    const auto libc = text_from(said, "libc");
    const auto minor = glibc_minor(libc);
    if (!minor)
        fail(fmt::format("{} has another C library than glibc ({}), and Warplight needs glibc 2.{} or later.", machine_,
                         libc.empty() ? "none that tells its name" : libc, archive.glibc));
    if (*minor < archive.glibc)
        fail(fmt::format("{} has glibc 2.{}, and this build of Warplight needs 2.{} or later. Name one with --archive "
                         "that was built on an older system, or build Warplight there.",
                         machine_, *minor, archive.glibc));
    if (const auto missing = text_from(said, "missing"); !missing.empty())
        fail(fmt::format("{} has no program {}, which is needed to unpack the archive. Install it there.", machine_,
                         missing));
    auto have = bytes_from(said, "have");
    if (have > archive.size) have = 0; // nothing of ours
    constexpr std::uint64_t kilobyte = 1024;
    const auto needed = archive.size - have + archive.unpacked, free = bytes_from(said, "free") * kilobyte;
    if (free < needed)
        fail(fmt::format("The disk is full on {}: {} are needed in ~/.local/share/warplight, and {} are free.",
                         machine_, files::size_text(needed), files::size_text(free)));
    return have;
}

void Installer::send(const std::filesystem::path& file, const ArchiveFacts& archive, std::uint64_t have,
                     const Progress& progress) {
    const files::InputFile input(file);
    auto at = have;
    bool stopped = false;
    const auto give = [&](std::span<std::byte> to) -> std::size_t {
        stopped = progress && !progress(at);
        if (stopped || at >= archive.size) return 0;
        const auto count = input.read_some(at, to);
        at += count;
        return count;
    };
    const auto part = part_of_archive(archive);
    const auto script =
        fmt::format("cd \"{}\" && {{ test {} != 0 || : > {}; }} && cat >> {}", kInstallFolder, have, part, part);
    const auto result = run_ssh(ssh_script(place_, script, SshOptions{}), {.input = give});
    if (stopped) fail("It was stopped. The next try goes on where this one ended.");
    if (!result.ok())
        fail(fmt::format("{} What has come is kept there: the next try goes on with it.",
                         explain_ssh_failure(result.exit_code, result.errors, machine_)));
}

std::string Installer::unpack(const ArchiveFacts& archive) {
    const auto part = part_of_archive(archive);
    // The program is tried before an earlier one goes. "current" is the one that is taken where none has the version of
    // the near side. Of the others the newest stays.
    const auto said = run(fmt::format(
        "{0}s=$(sha256sum {1} 2>/dev/null || shasum -a 256 {1} 2>/dev/null || openssl dgst -r -sha256 {1} "
        "2>/dev/null); "
        "test -n \"$s\" || {{ say problem=sum; exit 0; }}; "
        "test \"${{s%% *}}\" = {2} || {{ rm -f {1}; say problem=digest; exit 0; }}; "
        "n=\".new-$$\"; rm -rf \"$n\"; mkdir \"$n\"; "
        "e=$(tar -xzf {1} -C \"$n\" --strip-components=1 2>&1) || {{ rm -rf \"$n\"; say \"problem=unpack $e\"; exit 0; "
        "}}; "
        "v=$(\"$n/bin/warplight-cli\" --version 2>&1) || {{ rm -rf \"$n\" {1}; say \"problem=run $v\"; exit 0; }}; "
        "w=$v; v=${{v##* }}; case \"$v\" in *[!0-9A-Za-z.+-]*|[!0-9]*|\"\") rm -rf \"$n\" {1}; say \"problem=run $w\"; "
        "exit 0;; esac; "
        "rm -rf \".old-$v\"; test ! -e \"$v\" || mv \"$v\" \".old-$v\"; "
        "e=$(mv \"$n\" \"$v\" 2>&1) || {{ test ! -e \".old-$v\" || mv \".old-$v\" \"$v\"; say \"problem=folder $e\"; "
        "exit 0; }}; "
        "rm -rf \".old-$v\" {1}; rm -f current; ln -s \"$v\" current; k=0; "
        "for o in $(ls -t); do case \"$o\" in \"$v\"|current|*.part) continue;; esac; k=$((k+1)); "
        "test \"$k\" -lt 2 || rm -rf \"$o\"; done; say \"version=$v\"",
        kEnterFolder, part, archive.digest));
    auto version = text_from(said, "version");
    if (version.empty())
        fail(fmt::format("{} did not say whether the archive was unpacked. Install it again.", machine_));
    return version;
}

bool Installer::uninstall() {
    const auto said = run(fmt::format("if test -z \"${{HOME-}}\" || test ! -d \"{0}\"; then say there=0; exit 0; fi; "
                                      "e=$(rm -rf \"{0}\" 2>&1) || {{ say \"problem=$e\"; exit 0; }}; say there=1",
                                      kInstallFolder));
    if (!said.contains("there")) fail(fmt::format("{} did not answer.", machine_));
    return said.at("there") == "1";
}

} // namespace warplight::remote
