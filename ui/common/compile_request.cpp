// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/compile_request.hpp"

#include "ui/common/agreements.hpp"
#include "ui/common/workbench.hpp"

#include <nlohmann/json.hpp>

namespace warplight::ui {

nlohmann::json compileParameters(Workbench& workbench) {
    Document& document = workbench.document();
    const SourceFile* source = document.mainSource();
    const session::Session& s = document.session();
    nlohmann::json params = {{"source", source->text().toStdString()},
                             {"name", source->name().toStdString()},
                             {"folder", document.folder().toStdString()},
                             {"options", s.compile.options},
                             {"arch", s.compile.arch},
                             {"compiler", s.compile.compiler},
                             {"device", workbench.deviceOrdinal()},
                             {"line_info", s.compile.line_info}};
    for (const QString& path : agreementsOf(document.folder()))
        params["allow"].push_back(path.toStdString());
    if (s.kernel.find('<') != std::string::npos) params["name_expressions"] = {s.kernel};
    return params;
}

} // namespace warplight::ui
