// SPDX-License-Identifier: GPL-3.0-or-later
/// Sets a session up in the window as a user does: by fields, dialogs and menus, never by the document or its JSON.
#pragma once

#include "session/session.hpp"
#include "ui/mainwindow/main_window.hpp"

#include <QString>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

class QComboBox;
class QDialog;
class QTreeWidget;

namespace warplight::ui {

class ChecksButton;

class SessionTypist {
public:
    explicit SessionTypist(MainWindow& window) : window_(window) {}

    /// Gives the open session what `wanted` has and it lacks. The source is open already.
    /// @returns what the window has no field for, or refuses; empty where all of it is set
    QString setUp(const session::Session& wanted);
    /// By File › Save Session As….
    QString saveAs(const QString& path);

private:
    using Fill = std::function<void(QDialog&)>;
    /// Opens dialogs that come one after the other, fills them in and presses OK. Dialogs may open others meanwhile.
    void answer(const std::function<void()>& open, std::initializer_list<Fill> fills);
    void press(QDialog& dialog);
    void fail(const QString& what);
    [[nodiscard]] bool failed() const { return !problem_.isEmpty(); }

    /// The field with that label or accessible name; null, and a problem, where the user sees none.
    template <class Field>
    Field* field(QWidget& in, const QString& name);
    static void typeInto(QWidget& field, const QString& text);
    void type(QWidget& in, const QString& name, const QString& text);
    void tick(QWidget& in, const QString& name, bool on);
    /// An entry of a list by its place.
    void choose(QComboBox* box, int index, const QString& wanted);
    void chooseText(QWidget& in, const QString& name, const QString& text);
    void chooseData(QWidget& in, const QString& name, const QVariant& data);
    void choosePlace(QWidget& in, const QString& name, int index);
    /// A number in a spin box.
    void number(QWidget& in, const QString& name, quint64 value);
    void real(QWidget& in, const QString& name, double value);

    void typeProperties();
    void typeExercise();
    void fillCase(QDialog& dialog, const session::ExerciseCase& each);
    void typeCompileOptions();
    void typeProgram();
    void chooseKernel();
    void typeLaunch();
    void typeRuns(QWidget& page);
    void chooseChecks(QWidget& page);
    static void tickChecks(ChecksButton& button, const findings::Checks& checks);

    void build();
    void typeArguments();
    void addArgument(const session::Argument& argument);
    void removeArgument(int row);
    void selectArgument(int row);
    void fillArgument(QDialog& dialog, const session::Argument& argument);
    void fillScalar(QDialog& dialog, const session::Argument& argument);
    void fillArray(QDialog& dialog, const session::Argument& argument);
    void fillTexture(QDialog& dialog, const session::Argument& argument);
    void fillStruct(QDialog& dialog, const session::Argument& argument);
    void fillRows(QTreeWidget& tree, const QModelIndex& parent, const nlohmann::ordered_json& value);

    void typePipeline();
    void addSteps(const std::vector<session::PipelineStep>& steps, const QList<int>& above);
    void fillStep(QDialog& dialog, const session::PipelineStep& step);
    void fillLaunchStep(QDialog& dialog, const session::LaunchStep& step);
    void fillOptions(QDialog& dialog, const session::LaunchOptions& options);

    [[nodiscard]] const session::Session& now() const { return window_.document().session(); }

    MainWindow& window_;
    session::Session wanted_;
    QString problem_;
};

/// What differs between two sessions as a JSON patch; empty: nothing. The kernel, launch and arguments that a pipeline
/// or a program has no use for do not count. Cases of exercises are compared as the sessions that they make.
QString differences(const session::Session& is, const session::Session& wanted);

} // namespace warplight::ui
