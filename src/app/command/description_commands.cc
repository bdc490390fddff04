// The commands that describe the commands: completion and man.
#include "app/cli/help.h"
#include "app/command/commands.h"

namespace muster::app {

namespace {

class CompletionCommand final : public Command {
 public:
  CompletionCommand() {
    usage_.name = "completion";
    usage_.summary = "Prints what makes a shell complete commands and flags";
    usage_.parameters = {
        {"shell", "SHELL", "For which shell.", &shell_, true, "", CompletionShells()}};
    usage_.examples = {
        {"source <(muster completion bash)", "In this bash"},
        {"muster completion zsh >\"${fpath[1]}/_muster\"", "For every zsh from now on"},
        {"muster completion fish >~/.config/fish/completions/muster.fish", "For fish"},
    };
  }
  const Usage& usage() const override { return usage_; }
  int Run(Terminal* terminal) override {
    *terminal->out << CompletionScript(shell_, AllCommands());
    return kDone;
  }

 private:
  std::string shell_;
  Usage usage_;
};

class ManCommand final : public Command {
 public:
  ManCommand() {
    usage_.name = "man";
    usage_.summary = "Prints the man page, in troff";
    usage_.parameters = {{"--markdown", "", "As docs/cli.md instead.", &is_markdown_}};
    usage_.examples = {
        {"muster man | man -l -", "Read it"},
        {"muster man >/usr/local/share/man/man1/muster.1", "Install it"},
    };
  }
  const Usage& usage() const override { return usage_; }
  int Run(Terminal* terminal) override {
    *terminal->out << (is_markdown_ ? CommandsMarkdown(AllCommands()) : ManPage(AllCommands()));
    return kDone;
  }

 private:
  bool is_markdown_ = false;
  Usage usage_;
};

}  // namespace

std::unique_ptr<Command> NewCompletionCommand() { return std::make_unique<CompletionCommand>(); }
std::unique_ptr<Command> NewManCommand() { return std::make_unique<ManCommand>(); }

}  // namespace muster::app
