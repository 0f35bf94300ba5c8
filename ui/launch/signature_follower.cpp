// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/signature_follower.hpp"

#include "session/rename.hpp"
#include "ui/launch/launch_shape.hpp"

#include <QRegularExpression>
#include <algorithm>
#include <iterator>

namespace warplight::ui {
namespace {

std::string baseOf(const std::string& name) { return name.substr(0, name.find('<')); }

std::set<std::string> basesOf(const std::vector<compiler::Kernel>& kernels) {
    std::set<std::string> bases;
    for (const auto& kernel : kernels)
        bases.insert(baseOf(kernel.name));
    return bases;
}

/// An instance where it is a template; the template itself when none is known.
std::string launchable(const std::string& base, const std::vector<compiler::Kernel>& kernels) {
    for (const auto& kernel : kernels)
        if (!kernel.is_template && baseOf(kernel.name) == base) return kernel.name;
    return base;
}

/// Names and kinds of the parameters.
std::string signatureOf(const compiler::Kernel& kernel) {
    std::string text = "(";
    for (const auto& parameter : kernel.parameters)
        text += (parameter.pointer ? "*" : "") + parameter.object + parameter.name + ",";
    return text;
}

std::string textOf(const session::LaunchConfiguration& launch) {
    std::string text = std::to_string(launch.shared) + (launch.cooperative ? "c" : "");
    for (const auto* sides : {&launch.grid, &launch.block})
        for (std::size_t i = 0; i < 3; ++i)
            text += ' ' + std::to_string(i < sides->size() ? (*sides)[i] : 1);
    return text;
}

/// In the order of the parameters.
std::vector<std::string> namesOf(const std::vector<session::Argument>& arguments) {
    std::vector<std::string> names;
    for (const auto& argument : arguments)
        if (!argument.variable) names.push_back(argument.name);
    return names;
}

} // namespace

std::string chooseKernel(const std::string& current, const std::vector<compiler::Kernel>& kernels,
                         const std::set<std::string>& before) {
    if (kernels.empty()) return current;
    if (current.empty()) return launchable(baseOf(kernels.front().name), kernels);
    const std::string base = baseOf(current);
    const bool instance = base != current;
    const std::set<std::string> now = basesOf(kernels);
    if (now.contains(base)) return instance ? current : launchable(base, kernels);
    std::string next;
    if (now.size() == 1) {
        next = *now.begin();
    } else {
        // One name went and one came: it was renamed.
        std::vector<std::string> gone, come;
        std::set_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(gone));
        std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(come));
        if (gone.size() == 1 && come.size() == 1 && gone.front() == base) next = come.front();
    }
    if (next.empty()) return current;
    const bool isTemplate = std::any_of(kernels.begin(), kernels.end(), [&](const compiler::Kernel& kernel) {
        return kernel.is_template && kernel.name == next;
    });
    return instance && isTemplate ? next + current.substr(base.size()) : launchable(next, kernels);
}

SignatureFollower::SignatureFollower(Document& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &Document::sessionReplaced, this, &SignatureFollower::restart);
    connect(&document_, &Document::kernelsChanged, this, &SignatureFollower::follow);
    connect(&document_, &Document::sessionChanged, this, &SignatureFollower::follow);
    restart();
}

void SignatureFollower::restart() {
    const session::Session& session = document_.session();
    guessed_.clear();
    chosen_.clear();
    last_.clear();
    seen_.clear();
    launches_.clear();
    signature_.clear();
    kernel_ = wanted_ = session.kernel;
    fromFile_ = !session.arguments.empty();
    // A session without arguments and launch gets both from the signature.
    if (session.arguments.empty() && textOf(session.launch) == textOf({})) launches_.push_back(textOf({}));
    seenLaunch_ = textOf(session.launch);
    settled_ = namesOf(session.arguments);
}

QHash<QString, QString> SignatureFollower::renameReferences(session::Session& session,
                                                            const std::vector<std::string>& previous,
                                                            const std::map<std::string, std::string>& kept) {
    const std::vector<std::string> names = namesOf(session.arguments);
    session::NewNames renamed;
    if (names.size() != settled_.size()) { // parameters came or went
        std::vector<std::string> settled = names;
        for (std::size_t j = 0; j < previous.size() && previous.size() == settled_.size(); ++j)
            for (std::size_t i = 0; i < names.size(); ++i)
                if (const auto now = kept.find(previous[j]); now != kept.end() && now->second == names[i])
                    settled[i] = settled_[j];
        settled_ = settled;
    }
    const std::vector<std::string> before = settled_;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool gone = std::ranges::find(names, before[i]) == names.end();
        const bool isNew = std::ranges::find(before, names[i]) == before.end();
        if (!gone || !isNew) continue;
        // While somebody types, a name may be one that formulas have already: they wait for the next one.
        if (session::is_in_formulas(session, names[i]) && session::is_in_formulas(session, before[i])) continue;
        renamed[before[i]] = names[i];
        settled_[i] = names[i];
    }
    if (renamed.empty()) return {};
    session::rename_references(session, renamed);
    QHash<QString, QString> result;
    for (const auto& [from, to] : renamed)
        result.insert(QString::fromStdString(from), QString::fromStdString(to));
    return result;
}

bool SignatureFollower::mayBeInHeader() const {
    static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*\""),
                                            QRegularExpression::MultilineOption);
    const SourceFile* source = document_.mainSource();
    const CompileOutput& output = document_.compileOutput();
    const bool compiled = output.valid && output.ok && source && output.revision == source->revision();
    return source && !compiled && source->text().contains(include);
}

/// Which kernel to run now, and whose arguments it takes over.
SignatureFollower::Choice SignatureFollower::choose() {
    const std::vector<compiler::Kernel>& kernels = document_.kernels();
    const std::string& current = document_.session().kernel;
    const std::set<std::string> now = basesOf(kernels);
    // A kernel that was not set here is the user's choice.
    if (current != kernel_ || wanted_.empty()) wanted_ = current;
    const std::string wanted = baseOf(wanted_);
    Choice choice{wanted == baseOf(current) ? current : wanted_, {}};
    const bool there = now.contains(wanted);
    choice.name = chooseKernel(choice.name, kernels, seen_);
    const std::string next = baseOf(choice.name);
    if (!current.empty() && !there && next != wanted && !seen_.contains(wanted) && mayBeInHeader()) {
        choice.name = current;
        choice.from = baseOf(current);
        return choice;
    }
    // A kernel that is new now is the wanted one, renamed. One that was there before only stands in.
    const bool renamed = !there && next != wanted && !seen_.contains(next);
    choice.from = renamed ? wanted : next;
    if (!there && !renamed && !now.contains(next)) choice.name = choice.from = current;
    if (renamed || wanted_.empty()) wanted_ = choice.name;
    if (there || renamed) seen_ = namesInText();
    choice.from = baseOf(choice.from);
    return choice;
}

std::set<std::string> SignatureFollower::namesInText() const {
    // A build adds the kernels of headers, which have no line in the source.
    const SourceFile* source = document_.mainSource();
    std::set<std::string> names;
    for (const auto& kernel : document_.kernels())
        if (kernel.line > 0 || (source && source->isPtx())) names.insert(baseOf(kernel.name));
    return names;
}

void SignatureFollower::follow() {
    if (following_ || document_.kernels().empty()) return;
    const session::Session& session = document_.session();
    if (session.pipeline) { // its arguments are those of several kernels
        restart();
        return;
    }
    // When another kernel was chosen, the arguments are still those of the former.
    const std::string owner = baseOf(kernel_);
    std::vector<session::Argument> arguments, variables;
    for (const auto& argument : session.arguments)
        (argument.variable ? variables : arguments).push_back(argument);
    if (baseOf(session.kernel) == owner) {
        last_[owner] = {arguments, guessed_, fromFile_};
        for (const auto& argument : arguments)
            if (!isGuessed(argument.name)) chosen_[owner][argument.name] = argument;
    }
    const auto [name, from] = choose();
    const compiler::Kernel* kernel = document_.kernel(name);
    if (!kernel) return;

    const std::string base = baseOf(name);
    if (from != base) chosen_[base] = chosen_[from];
    // Saved arguments are kept as they are until the kernel's signature changes.
    const std::string signature = signatureOf(*kernel);
    if (signature_.empty()) signature_ = signature;
    if (signature != signature_ || from != owner) fromFile_ = false;
    PreviousArguments before = last_[from];
    before.fromFile = fromFile_;
    GuessedArguments guess = guessArguments(*kernel, before, chosen_[base], document_.folder());
    guessed_.clear();
    for (std::size_t i = 0; i < guess.arguments.size(); ++i)
        if (guess.guessed[i]) guessed_.insert(guess.arguments[i].name);
    kernel_ = name;
    // Variables are the module's, whichever kernel runs.
    guess.arguments.insert(guess.arguments.end(), variables.begin(), variables.end());

    session::LaunchConfiguration launch = session.launch;
    // Who types numbers that were a guess once means them. Undo brings a guess back as one.
    if (textOf(launch) != seenLaunch_ && !document_.undoStack().canRedo()) std::erase(launches_, textOf(launch));
    const bool ours = std::find(launches_.begin(), launches_.end(), textOf(launch)) != launches_.end();
    if (ours) {
        session::Session next = session;
        next.arguments = guess.arguments;
        launch.block = firstBlock(kernel->block_dimensions, kernel->max_threads);
        const bool flat = isFlat(launch, kernel);
        if (const auto coverage = findCoverage(next, kernel, document_.folder(), flat))
            launch.grid = coveringGrid(*coverage, launch.block, flat);
        launches_.push_back(textOf(launch));
    }
    seenLaunch_ = textOf(launch);
    following_ = true;
    QHash<QString, QString> renamed;
    document_.follow([&](session::Session& next) {
        next.kernel = name;
        next.arguments = guess.arguments;
        next.launch = launch;
        // Another kernel has arguments of its own.
        if (from == owner)
            renamed = renameReferences(next, namesOf(session.arguments), guess.names);
        else
            settled_ = namesOf(next.arguments);
    });
    following_ = false;
    if (!renamed.isEmpty()) emit document_.argumentsRenamed(renamed);
}

} // namespace warplight::ui
