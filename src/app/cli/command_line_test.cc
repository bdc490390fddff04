#include "app/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/cli/help.h"
#include "app/command/commands.h"

namespace muster::app {
namespace {

using ::testing::HasSubstr;

class Greeter final : public Command {
 public:
  Greeter() {
    usage_ = {"greet", "Greets someone", "Kindly.", {}, {{"muster greet Ada", "Say hello"}}};
    usage_.parameters = {{"name", "NAME", "Whom.", &name_, true},
                         {"-n,--times", "N", "How often.", &times_, false, "GREET_TIMES"},
                         {"--tone", "TONE", "How.", &tone_, false, "", {"warm", "cold"}},
                         {"--with", "WORD", "A word.", &words_},
                         {"--loud", "", "In capitals.", &is_loud_}};
  }
  const Usage& usage() const override { return usage_; }
  int Run(Terminal* terminal) override {
    *terminal->out << name_ << "*" << times_ << (is_loud_ ? "!" : "") << tone_;
    for (const std::string& word : words_) *terminal->out << "+" << word;
    return 7;
  }

 private:
  std::string name_, tone_;
  std::uint64_t times_ = 1;
  bool is_loud_ = false;
  std::vector<std::string> words_;
  Usage usage_;
};

struct Outcome {
  int code;
  std::string out, err;
};

Outcome RunWith(std::vector<const char*> arguments, Commands commands) {
  std::ostringstream out, err;
  Terminal terminal;
  terminal.out = &out;
  terminal.err = &err;
  arguments.insert(arguments.begin(), "muster");
  const int code =
      RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), commands, &terminal);
  return {code, out.str(), err.str()};
}

Outcome Greet(std::vector<const char*> arguments) {
  Commands commands;
  commands.push_back(std::make_unique<Greeter>());
  arguments.insert(arguments.begin(), "greet");
  return RunWith(std::move(arguments), std::move(commands));
}

TEST(CommandLineTest, SetsParametersAndRuns) {
  const Outcome outcome =
      Greet({"--with", "a", "--with=b", "Ada", "-n", "3", "--loud", "--tone", "warm"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.out, "Ada*3!warm+a+b");
  EXPECT_EQ(Greet({"--with", "a", "Ada"}).out, "Ada*1+a");
}

TEST(CommandLineTest, ExplainsMistakes) {
  EXPECT_EQ(Greet({}).code, kUsage);
  EXPECT_EQ(Greet({"Ada", "Bob"}).code, kUsage);
  EXPECT_EQ(Greet({"Ada", "--tone", "loud"}).code, kUsage);
  EXPECT_EQ(Greet({"Ada", "--times", "often"}).code, kUsage);
  const Outcome outcome = Greet({"Ada", "--tmies", "3"});
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean `--times`?"));
  EXPECT_THAT(RunWith({"serv"}, AllCommands()).err, HasSubstr("did you mean `serve`?"));
  EXPECT_EQ(RunWith({}, AllCommands()).code, kUsage);
}

TEST(CommandLineTest, ShowsHelpWithEveryParameterAndExample) {
  const Outcome outcome = Greet({"--help"});
  EXPECT_EQ(outcome.code, kDone);
  for (const char* word : {"muster greet [options] NAME", "-n, --times N", "[GREET_TIMES]",
                           "(warm, cold)", "muster greet Ada", "# Say hello"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_EQ(RunWith({"help", "serve"}, AllCommands()).out,
            RunWith({"serve", "--help"}, AllCommands()).out);
}

TEST(CommandLineTest, EveryCommandIsDescribedWhole) {
  for (const auto& command : AllCommands()) {
    const Usage& usage = command->usage();
    EXPECT_FALSE(usage.examples.empty()) << usage.name;
    EXPECT_FALSE(usage.summary.ends_with('.')) << usage.name;
    for (const Parameter& parameter : usage.parameters) {
      EXPECT_TRUE(parameter.doc.ends_with('.')) << usage.name << " " << parameter.name;
      EXPECT_EQ(parameter.is_switch(), parameter.value.empty())
          << usage.name << " " << parameter.name;
    }
    // The parser takes the description as it is.
    const std::string name = usage.name;
    EXPECT_EQ(RunWith({name.c_str(), "--help"}, AllCommands()).code, kDone);
  }
}

TEST(DescriptionTest, ManPageAndCompletionsHaveEveryCommand) {
  const Commands commands = AllCommands();
  const std::string man = ManPage(commands);
  EXPECT_TRUE(man.starts_with(".TH MUSTER 1"));
  for (const auto& command : commands) {
    const std::string& name = command->usage().name;
    EXPECT_THAT(man, HasSubstr(".SS \"muster " + name));
    for (const std::string& shell : CompletionShells()) {
      EXPECT_THAT(CompletionScript(shell, commands), HasSubstr(name)) << shell;
    }
  }
}

TEST(DescriptionTest, TheDocumentationIsTheOneGenerated) {
  std::ifstream file(MUSTER_SOURCE_DIR "/docs/cli.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), CommandsMarkdown(AllCommands()))
      << "write it anew: muster man --markdown >docs/cli.md";
}

}  // namespace
}  // namespace muster::app
