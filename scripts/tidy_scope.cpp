// SPDX-License-Identifier: Apache-2.0
// A plugin for clang-tidy: its checks look at what a source and the project's headers declare, and not at the system's
// headers again in each source, which is most of their time and of which nothing is reported anyhow. (clangd does the
// same for the file it shows.)
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace {

class Scope final : public clang::ASTConsumer {
public:
    // Not called for what comes out of a precompiled header.
    bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
        for (clang::Decl* declaration : group) {
            const auto& sources = declaration->getASTContext().getSourceManager();
            if (!sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
                scope_.push_back(declaration);
        }
        return true;
    }
    // Runs before clang-tidy's own consumer.
    void HandleTranslationUnit(clang::ASTContext& context) override { context.setTraversalScope(scope_); }

private:
    std::vector<clang::Decl*> scope_;
};

class Action final : public clang::PluginASTAction {
protected:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
        return std::make_unique<Scope>();
    }
    bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override { return true; }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Action> added("tidy-scope", "checks leave system headers alone");

} // namespace
