// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"

#include "remote/bridge.hpp"
#include "remote/place.hpp"
#include "session/data_file.hpp"
#include "worker/compiler_processes.hpp"
#include "worker/server.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplight::cli {

void add_worker(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("worker", "Serve one driver on standard input and output, for other programs");
    struct Options {
        std::string driver;
        std::vector<std::string> read, write, keep;
        std::uint64_t memory = 0;
        bool unconfined = false, lent_compiler = false;
    };
    auto options = std::make_shared<Options>();
    command->add_option("--driver", options->driver, "cuda, software, or ssh://HOST/cuda: on another machine")
        ->required()
        ->check([](const std::string& driver) {
            if (driver == "cuda" || driver == "software") return std::string();
            std::string problem = "give cuda, software or ssh://HOST/cuda";
            return remote::parse_place(driver, &problem) ? std::string() : problem;
        });
    command->add_option("--read", options->read, "A file, or a folder with all below it, that requests may read")
        ->type_name("PATH")
        ->allow_extra_args(false);
    command->add_option("--write", options->write, "A folder that requests may write to, besides")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    command->add_option("--keep", options->keep, "A folder in which buffers outlive it, as `run` asks for")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    command->add_flag("--unconfined", options->unconfined, "Without the walls that `warplight-cli doctor` lists");
    command->add_flag("--lent-compiler", options->lent_compiler,
                      "Where there is no NVRTC the client compiles: it answers requests `compiler`");
    command->add_option("--memory", options->memory, "Bytes that it may use; default: no limit");
    command->callback([options, &exit_code] {
        worker::WorkerOptions worker{
            options->driver, {}, options->memory, !options->unconfined, options->lent_compiler};
        for (const std::string& each : options->read)
            worker.access.read.push_back(session::path_from_utf8(each));
        for (const std::string& each : options->write)
            worker.access.write.push_back(session::path_from_utf8(each));
        for (const std::string& each : options->keep)
            worker.access.kept.push_back(session::path_from_utf8(each));
        if (const auto place = remote::parse_place(options->driver, nullptr)) {
            exit_code = remote::bridge_main(
                {*place, worker.access, worker.memory, worker.confined, remote::linger_of_environment()});
            return;
        }
        auto& written = worker.access.write;
        written.insert(written.end(), worker.access.kept.begin(), worker.access.kept.end());
        exit_code = worker::worker_main(worker);
    });
    // A worker starts it where no broker does.
    auto* helper = app.add_subcommand("compile-helper")->group("");
    auto folder = std::make_shared<std::string>();
    helper->add_option("FOLDER", *folder)->required();
    helper->callback([folder, &exit_code] { exit_code = worker::compiler_helper_main(*folder); });
}

} // namespace warplight::cli
