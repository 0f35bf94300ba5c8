// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/struct_layout.hpp"

#include "ui/common/agreements.hpp"
#include "ui/common/workbench.hpp"
#include "worker/layout_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplight::ui {

namespace {

/// Of the parameter with that number, or of the variable that the argument names.
std::optional<debug::Layout> layoutFor(const nlohmann::json& reply, const session::Argument& argument, int number,
                                       const std::string& ptx) {
    const auto list = [&](const char* key) {
        return worker::layouts_from_json(reply.value(key, nlohmann::json::array()));
    };
    if (argument.variable) {
        const auto variables = compiler::parse_ptx_variables(ptx);
        const auto variable = std::ranges::find(variables, argument.name, &compiler::Variable::name);
        for (const debug::Layout& each : list("variables"))
            if (variable != variables.end() && each.name == variable->lowered && each.extents.empty()) return each;
        return std::nullopt;
    }
    const auto parameters = list("parameters");
    if (number < 0 || number >= int(parameters.size())) return std::nullopt;
    return parameters[std::size_t(number)];
}

} // namespace

void askStructLayout(Workbench& workbench, const session::Argument& argument, const std::string& kernel, int number,
                     QObject* context, std::function<void(const std::optional<debug::Layout>&)> answer) {
    const Document& document = workbench.document();
    const session::Session& session = document.session();
    const SourceFile* source = document.mainSource();
    nlohmann::json params = {{"source", source->text().toStdString()},
                             {"name", source->name().toStdString()},
                             {"folder", document.folder().toStdString()},
                             {"options", session.compile.options},
                             {"arch", session.compile.arch},
                             {"compiler", session.compile.compiler},
                             {"device", workbench.ordinalFor(workbench.helper())},
                             {"ptx", source->isPtx()},
                             {"kernel", kernel}};
    for (const QString& path : agreementsOf(document.folder()))
        params["allow"].push_back(path.toStdString());
    workbench.helper().request(QStringLiteral("layouts"), std::move(params), QStringLiteral("layouts"), context,
                               [&document, argument, number, answer = std::move(answer)](const WorkerReply& reply) {
                                   const std::string ptx = document.compileOutput().ptx.toStdString();
                                   answer(reply.ok ? layoutFor(reply.result, argument, number, ptx) : std::nullopt);
                               });
}

} // namespace warplight::ui
