// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/compile_request.hpp"

#include "session/pipeline_plan.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/workbench.hpp"

#include <nlohmann/json.hpp>

namespace warplight::ui {

std::vector<std::string> instancesOf(const session::Session& session) {
    std::vector<std::string> instances;
    for (const session::KernelName& kernel : session::kernels_of(session))
        if (kernel.name.find('<') != std::string::npos) instances.push_back(kernel.name);
    return instances;
}

nlohmann::json compileParameters(Workbench& workbench, const WorkerConnection& worker) {
    Document& document = workbench.document();
    const SourceFile* source = document.mainSource();
    const session::Session& s = document.session();
    nlohmann::json params = {{"source", source->text().toStdString()},
                             {"name", source->name().toStdString()},
                             {"folder", document.folder().toStdString()},
                             {"options", s.compile.options},
                             {"arch", s.compile.arch},
                             {"compiler", s.compile.compiler},
                             {"device", workbench.ordinalFor(worker)},
                             {"line_info", s.compile.line_info}};
    for (const QString& path : agreementsOf(document.folder()))
        params["allow"].push_back(path.toStdString());
    if (const auto instances = instancesOf(s); !instances.empty()) params["name_expressions"] = instances;
    return params;
}

} // namespace warplight::ui
