// SPDX-License-Identifier: GPL-3.0-or-later
/// Keeps kernel, arguments and launch of the session in step with the kernels of its source.
#pragma once

#include "ui/common/document.hpp"
#include "ui/launch/argument_guess.hpp"

#include <map>
#include <set>
#include <vector>

namespace warplight::ui {

/// The kernel to run when the source has these: `current` while it is there, the one that it was renamed to, the only
/// one there is. `before` are the names of the source when `current` was last seen.
std::string chooseKernel(const std::string& current, const std::vector<compiler::Kernel>& kernels,
                         const std::set<std::string>& before);

/// Works through Document::follow, so that opening a kernel changes nothing that must be saved. What somebody has
/// chosen is kept, also while a parameter or the kernel is away for a moment or another kernel is looked at.
class SignatureFollower : public QObject {
    Q_OBJECT
public:
    explicit SignatureFollower(Document& document, QObject* parent = nullptr);

    /// Nobody has chosen this argument: it follows the signature.
    bool isGuessed(const std::string& argument) const { return guessed_.contains(argument); }
    void setChosen(const std::string& argument) { guessed_.erase(argument); }

private:
    struct Choice {
        std::string name;
        std::string from; ///< the kernel whose arguments it takes over, without template arguments
    };
    void restart();
    void follow();
    Choice choose();
    std::set<std::string> namesInText() const;
    bool mayBeInHeader() const;

    Document& document_;
    std::set<std::string> guessed_;
    std::map<std::string, std::map<std::string, session::Argument>> chosen_; ///< kernel → argument
    std::map<std::string, PreviousArguments> last_; ///< kernel → its arguments when it was the session's
    std::string kernel_;                            ///< whose arguments these are
    std::string wanted_;                            ///< that somebody chose; another stands in while it is away
    std::set<std::string> seen_;                    ///< kernels of the source when the wanted one was last there
    std::string signature_;                         ///< of the kernel when the session was opened
    bool fromFile_ = false;                         ///< its arguments are those that it was opened with
    std::vector<std::string> launches_;             ///< those that came from here; another is somebody's choice
    bool following_ = false;
};

} // namespace warplight::ui
