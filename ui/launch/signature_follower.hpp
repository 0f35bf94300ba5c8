// SPDX-License-Identifier: GPL-3.0-or-later
/// Updates kernel, arguments and launch of the session when the kernels of its source change.
#pragma once

#include "ui/common/document.hpp"
#include "ui/launch/argument_guess.hpp"

#include <map>
#include <set>
#include <vector>

namespace warplight::ui {

/// The kernel to run: `current` while the source has it, else its new name after a rename, else the only kernel.
/// @param before the kernels of the source when it last had `current`
std::string chooseKernel(const std::string& current, const std::vector<compiler::Kernel>& kernels,
                         const std::set<std::string>& before);

/// Changes the session by Document::follow, so that opening a kernel makes nothing that must be saved. The user's
/// choices are kept while a parameter or the kernel is missing for a moment, or another kernel is chosen.
class SignatureFollower : public QObject {
    Q_OBJECT
public:
    explicit SignatureFollower(Document& document, QObject* parent = nullptr);

    /// True when the user has not chosen this argument: it follows the signature.
    bool isGuessed(const std::string& argument) const { return guessed_.contains(argument); }
    void setChosen(const std::string& argument) { guessed_.erase(argument); }
    /// Guesses again. It does so by itself when the session or the kernels change.
    void follow();

private:
    struct Choice {
        std::string name;
        std::string from; ///< the kernel whose arguments it takes over, without template arguments
    };
    void restart();
    Choice choose();
    std::set<std::string> namesInText() const;
    bool mayBeInHeader() const;
    /// What refers to arguments gets the names that their parameters have now.
    /// @param previous names in their order, and `kept` which of them are called how now
    /// @returns old names and new ones
    QHash<QString, QString> renameReferences(session::Session& session, const std::vector<std::string>& previous,
                                             const std::map<std::string, std::string>& kept);

    Document& document_;
    std::set<std::string> guessed_;
    std::map<std::string, std::map<std::string, session::Argument>> chosen_; ///< kernel → argument
    std::map<std::string, PreviousArguments> last_; ///< kernel → its arguments when it was last chosen
    std::string kernel_;                            ///< whose arguments these are
    std::string wanted_;                            ///< the user's choice; another kernel stands in while it is missing
    std::set<std::string> seen_;                    ///< kernels of the source when it last had the wanted one
    std::string signature_;                         ///< of the kernel when the session was opened
    bool fromFile_ = false;                         ///< the arguments are still those of the opened session
    std::vector<std::string> launches_;             ///< launches that were set here; any other is the user's choice
    std::string seenLaunch_;                        ///< the session's when it was last followed
    std::vector<std::string> settled_;              ///< the arguments' names that formulas use, in their order
    bool following_ = false;
};

} // namespace warplight::ui
