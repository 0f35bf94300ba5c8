// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/signature_follower.hpp"

#include "ui/launch/argument_guess.hpp"
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

std::string textOf(const session::LaunchConfiguration& launch) {
    std::string text = std::to_string(launch.shared) + (launch.cooperative ? "c" : "");
    for (const auto* sides : {&launch.grid, &launch.block})
        for (std::size_t i = 0; i < 3; ++i)
            text += ' ' + std::to_string(i < sides->size() ? (*sides)[i] : 1);
    return text;
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
    names_.clear();
    launches_.clear();
    kernel_ = session.kernel;
    // A session that says nothing of arguments and launch gets both from the signature.
    if (session.arguments.empty() && textOf(session.launch) == textOf({})) launches_.push_back(textOf({}));
}

bool SignatureFollower::mayBeInHeader() const {
    static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*\""),
                                            QRegularExpression::MultilineOption);
    const SourceFile* source = document_.mainSource();
    const CompileOutput& output = document_.compileOutput();
    const bool compiled = output.valid && output.ok && source && output.revision == source->revision();
    return source && !compiled && source->text().contains(include);
}

void SignatureFollower::follow() {
    if (following_ || document_.kernels().empty()) return;
    const std::vector<compiler::Kernel>& kernels = document_.kernels();
    const session::Session& session = document_.session();
    std::string name = chooseKernel(session.kernel, kernels, names_);
    if (!session.kernel.empty() && baseOf(name) != baseOf(session.kernel) && mayBeInHeader()) name = session.kernel;
    names_ = basesOf(kernels);
    const compiler::Kernel* kernel = document_.kernel(name);
    if (!kernel) return;

    // What is chosen now is remembered under the kernel that it was chosen for. After another kernel was chosen the
    // arguments are still the former's.
    const bool switched = !kernel_.empty() && baseOf(session.kernel) != baseOf(kernel_);
    std::vector<session::Argument> previous;
    if (!switched) {
        previous = session.arguments;
        for (const auto& argument : previous)
            if (!isGuessed(argument.name)) chosen_[baseOf(session.kernel)][argument.name] = argument;
        if (baseOf(name) != baseOf(session.kernel)) chosen_[baseOf(name)] = chosen_[baseOf(session.kernel)];
    }
    const auto remembered = chosen_.find(baseOf(name));
    const GuessedArguments guess =
        guessArguments(*kernel, previous, guessed_,
                       remembered == chosen_.end() ? std::map<std::string, session::Argument>() : remembered->second);
    guessed_.clear();
    for (std::size_t i = 0; i < guess.arguments.size(); ++i)
        if (guess.guessed[i]) guessed_.insert(guess.arguments[i].name);
    kernel_ = name;

    session::LaunchConfiguration launch = session.launch;
    const bool ours = std::find(launches_.begin(), launches_.end(), textOf(launch)) != launches_.end();
    if (ours) {
        session::Session next = session;
        next.arguments = guess.arguments;
        launch.block = firstBlock(kernel->dimensions, kernel->max_threads);
        if (const auto coverage = findCoverage(next, kernel, document_.folder(), isFlat(launch.block)))
            launch.grid = coveringGrid(*coverage, launch.block);
        launches_.push_back(textOf(launch));
    }
    following_ = true;
    document_.follow([&](session::Session& next) {
        next.kernel = name;
        next.arguments = guess.arguments;
        next.launch = launch;
    });
    following_ = false;
}

} // namespace warplight::ui
