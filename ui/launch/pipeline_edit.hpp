// SPDX-License-Identifier: GPL-3.0-or-later
/// Changes of a pipeline's steps, and what is wrong with them before a run.
#pragma once

#include "session/session.hpp"
#include "warplight/compiler.hpp"

#include <QList>
#include <QString>
#include <string>
#include <vector>

namespace warplight::ui {

/// Numbers from 0 on, one for each loop around the step and its own last. Empty: no step.
using StepPath = QList<int>;
/// "2.1"
QString stepNumber(const StepPath& path);

/// Null where there is none.
session::PipelineStep* stepAt(session::Pipeline& pipeline, const StepPath& path);
const session::PipelineStep* stepAt(const session::Pipeline& pipeline, const StepPath& path);
/// Behind the step at `path`, into a loop, or at the end where the path is empty. @returns where it is now
StepPath insertStep(session::Pipeline& pipeline, const StepPath& path, session::PipelineStep step);
void removeStep(session::Pipeline& pipeline, const StepPath& path);
StepPath duplicateStep(session::Pipeline& pipeline, const StepPath& path);
/// By one place: out of a loop at its ends, and into one that is beside it. @returns where it is now
StepPath moveStep(session::Pipeline& pipeline, const StepPath& path, bool down);

/// One launch of the session's kernel with its arguments.
session::Pipeline pipelineOf(const session::Session& session);
/// A new step of the kind at this place of session::kind_of(), with the session's names where they fit.
session::PipelineStep newStep(const session::Session& session, int kind);

/// The first one, in loops too, or the first that is given this argument of the session. Null where there is none.
const session::LaunchStep* firstLaunch(const session::Pipeline& pipeline, const std::string& argument = {});

/// "flow" and "(t, next, 160, 120), 5 × 15 × 1 blocks of 32 × 8 × 1"
QString stepText(const session::PipelineStep& step);
QString stepDetails(const session::PipelineStep& step);

/// A sentence about the first thing that is wrong; empty where nothing is.
QString pipelineProblem(const session::Session& session, const std::vector<compiler::Kernel>& kernels);

} // namespace warplight::ui
