// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/argument_edit.hpp"

#include "ui/common/workbench.hpp"
#include "ui/launch/argument_dialog.hpp"
#include "ui/launch/module_variables.hpp"
#include "ui/launch/pipeline_edit.hpp"
#include "ui/launch/struct_dialog.hpp"
#include "ui/launch/struct_layout.hpp"

#include <QApplication>
#include <algorithm>

namespace warplight::ui {

namespace {

bool bytesGiven(const session::Argument& argument) {
    const auto* value = std::get_if<session::StructValue>(&argument.value);
    return value && value->json.starts_with('"');
}

/// The kernel that tells a struct's type, and the number of its parameter; none of a variable.
struct TypePlace {
    std::string kernel;
    int number = -1;
};

std::optional<TypePlace> typePlace(const session::Session& session, const session::Argument& argument) {
    if (argument.variable) return TypePlace{session.pipeline ? std::string() : session.kernel, -1};
    if (!session.pipeline) {
        const auto at = std::ranges::find(session.arguments, argument.name, &session::Argument::name);
        if (at == session.arguments.end()) return std::nullopt;
        return TypePlace{session.kernel,
                         parameterNumbers(session.arguments)[std::size_t(at - session.arguments.begin())]};
    }
    // As in a run, the first launch that takes it tells its type.
    const session::LaunchStep* launch = firstLaunch(*session.pipeline, argument.name);
    if (!launch) return std::nullopt;
    const auto place = std::ranges::find(launch->arguments, argument.name, &session::StepArgument::name);
    return TypePlace{launch->kernel, int(place - launch->arguments.begin())};
}

/// A number whose type the source itself declares may be an enumeration.
bool mayBeEnumeration(const Document& document, const session::Argument& argument, const TypePlace& place) {
    const auto type = session::scalar_type(argument.type);
    const compiler::Kernel* kernel = document.kernel(place.kernel);
    if (!type || type->components != 1 || !kernel || place.number < 0 || place.number >= int(kernel->parameters.size()))
        return false;
    const compiler::Parameter& parameter = kernel->parameters[std::size_t(place.number)];
    return session::may_be_enumerator(argument.type, "name") && !parameter.type.empty() && parameter.dtype.empty() &&
           parameter.object.empty() && !parameter.pointer && !parameter.is_struct;
}

} // namespace

void editArgument(Workbench& workbench, const session::Session& session, const session::Argument& argument,
                  QWidget* parent, const std::function<bool()>& isThere,
                  const std::function<void(const session::Argument&)>& take) {
    QStringList arrays;
    for (const auto& each : session.arguments)
        if (each.direction != session::Direction::scalar) arrays << QString::fromStdString(each.name);
    const auto withoutLayout = [&workbench, argument, arrays, parent, take](const QStringList& enumerators = {}) {
        ArgumentDialog dialog(argument, arrays, workbench, parent);
        dialog.setEnumerators(enumerators);
        if (dialog.exec() == QDialog::Accepted) take(dialog.argument());
    };
    const bool isStruct = argument.direction == session::Direction::scalar && argument.type == session::struct_type;
    std::optional<TypePlace> place;
    if (argument.direction == session::Direction::scalar) place = typePlace(session, argument);
    if (!place || !(isStruct || mayBeEnumeration(workbench.document(), argument, *place))) return withoutLayout();
    askStructLayout(
        workbench, argument, place->kernel, place->number, parent,
        [argument, parent, isThere, take, withoutLayout, isStruct](const std::optional<debug::Layout>& layout) {
            const QWidget* modal = QApplication::activeModalWidget();
            if ((modal && modal != parent->window()) || !isThere()) return;
            QStringList names;
            if (layout)
                for (const auto& each : layout->enumerators)
                    names << QString::fromStdString(each.name);
            if (!isStruct) return withoutLayout(names);
            if (!layout || !layout->has_fields() || bytesGiven(argument)) return withoutLayout();
            StructDialog dialog(argument, *layout, parent);
            if (dialog.exec() == QDialog::Accepted) take(dialog.argument());
        });
}

} // namespace warplight::ui
