#include "app/config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "app/config/configuration_text.h"
#include "app/config/suggestion.h"
#include "base/strings.h"

namespace muster::app {
namespace {

using ::testing::HasSubstr;

ConfigurationSources File(std::string text) {
  ConfigurationSources sources;
  sources.file_name = "muster.toml";
  sources.file_text = std::move(text);
  return sources;
}

std::string ProblemOf(const ConfigurationSources& sources) {
  const auto configuration = Configure(sources);
  return configuration.ok() ? "" : std::string(base::Message(configuration.status()));
}

const Origin& OriginOf(const Configuration& configuration, std::string_view key) {
  return configuration.origins[static_cast<std::size_t>(FindOption(key) - Options().data())];
}

TEST(ConfigurationTest, IsTheDefaultsWhenNothingIsSaid) {
  const auto configuration = Configure({});
  ASSERT_TRUE(configuration.ok());
  EXPECT_EQ(configuration->settings.listen, "127.0.0.1:7700");
  EXPECT_EQ(configuration->settings.shutdown_timeout, std::chrono::seconds(10));
  for (const Origin& origin : configuration->origins) EXPECT_EQ(origin.place, "");
}

TEST(ConfigurationTest, FlagsWinOverTheEnvironmentWhichWinsOverTheFile) {
  ConfigurationSources sources =
      File("listen = \"127.0.0.1:1\"\nworkers = 1\n[log]\nlevel = \"warn\"\n");
  sources.environment = {{"MUSTER_LISTEN", "127.0.0.1:2"}, {"MUSTER_WORKERS", "2"}};
  sources.flags = {{"listen", "127.0.0.1:3"}};
  const auto configuration = Configure(sources);
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  EXPECT_EQ(configuration->settings.listen, "127.0.0.1:3");
  EXPECT_EQ(configuration->settings.workers, 2u);
  EXPECT_EQ(configuration->settings.log.level, "warn");
  EXPECT_EQ(OriginOf(*configuration, "listen").place, "--listen");
  EXPECT_EQ(OriginOf(*configuration, "workers").place, "MUSTER_WORKERS");
  EXPECT_EQ(OriginOf(*configuration, "log.level").place, "muster.toml:4");
}

TEST(ConfigurationTest, ReadsSizesDurationsAndNumbersInTheirUnits) {
  const auto configuration = Configure(File(
      "[http]\nbody_bytes_max = \"2MiB\"\nheader_bytes_max = 4096\nidle_time_max = \"1m30s\"\n"
      "access_log = true\n[scheduler]\nupdate_share = 0.25\n[scheduler.updates]\ntasks_max = 7\n"));
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  const Settings& settings = configuration->settings;
  EXPECT_EQ(settings.http.body_bytes_max, 2u << 20);
  EXPECT_EQ(settings.http.header_bytes_max, 4096u);
  EXPECT_EQ(settings.http.idle_time_max, std::chrono::seconds(90));
  EXPECT_TRUE(settings.http.access_log);
  EXPECT_EQ(settings.node.schedule.update_share, 0.25);
  EXPECT_EQ(settings.node.schedule.updates.tasks_max, 7u);
}

TEST(ConfigurationTest, NamesTheLineOfEveryMistake) {
  const std::string problem = ProblemOf(
      File("listen = \"127.0.0.1:1\"\n[http]\nidle_time = \"5s\"\nbody_bytes_max = \"5 sheep\"\n"
           "[limits]\nlease_max = [1]\nidle_time_max = \"1s\"\n"));
  EXPECT_THAT(problem, HasSubstr("muster.toml:3: there is no option `http.idle_time`, did you mean "
                                 "`http.idle_time_max`?"));
  EXPECT_THAT(problem, HasSubstr("muster.toml:4: `http.body_bytes_max` must be 1KiB to 1GiB, "
                                 "not `5 sheep`"));
  EXPECT_THAT(problem, HasSubstr("muster.toml:6: `limits.lease_max` must be a duration"));
  EXPECT_THAT(problem,
              HasSubstr("muster.toml:7: there is no option `limits.idle_time_max`, did you "
                        "mean `http.idle_time_max`?"));
}

TEST(ConfigurationTest, SaysWhereAFileIsNotToml) {
  EXPECT_THAT(ProblemOf(File("listen = \"127.0.0.1:1\"\nworkers = = 2\n")),
              HasSubstr("muster.toml:2: this is not TOML"));
  EXPECT_THAT(ProblemOf(File("workers = 1\nworkers = 2\n")), HasSubstr("muster.toml:2"));
}

TEST(ConfigurationTest, NamesTheLineOfASectionThatThereIsNot) {
  EXPECT_EQ(ProblemOf(File("workers = 1\n[htpp]\nidle_time_max = \"1s\"\nx = 1\n")),
            "muster.toml:2: there is no section [htpp]");
}

TEST(ConfigurationTest, RefusesValuesOfAnotherKind) {
  EXPECT_EQ(ProblemOf(File("listen = 5\n")), "muster.toml:1: `listen` must be a text, not 5");
  EXPECT_EQ(ProblemOf(File("ephemeral = \"yes\"\n")),
            "muster.toml:1: `ephemeral` must be true or false, not yes");
  EXPECT_THAT(ProblemOf(File("shutdown_timeout = 10\n")),
              HasSubstr("`shutdown_timeout` must be a duration from 1ms to 3600s, not 10"));
}

TEST(ConfigurationTest, NamesTheVariableOrFlagOfAMistake) {
  ConfigurationSources sources;
  sources.environment = {{"MUSTER_WORKERS", "many"}};
  sources.flags = {{"log.level", "loud"}};
  EXPECT_EQ(ProblemOf(sources),
            "MUSTER_WORKERS: `workers` must be 0 to 4096 threads, not `many`\n"
            "--log-level: `log.level` must be one of debug, info, warn, error, not `loud`");
}

TEST(ConfigurationTest, WarnsOfAVariableThatLooksMistyped) {
  ConfigurationSources sources;
  sources.environment = {
      {"MUSTER_LISTN", "x"}, {"MUSTER_SERVICE_HOST", "10.0.0.1"}, {"MUSTER_TOKEN", "secret"}};
  const auto configuration = Configure(sources);
  ASSERT_TRUE(configuration.ok());
  ASSERT_EQ(configuration->warnings.size(), 1u);
  EXPECT_THAT(configuration->warnings[0], HasSubstr("did you mean MUSTER_LISTEN?"));
}

TEST(ConfigurationTest, RefusesOptionsThatContradictEachOther) {
  EXPECT_EQ(ProblemOf(File("[limits]\nquery_limit_max = 5\n")),
            "`limits.query_limit_default` (10, the default) must not exceed "
            "`limits.query_limit_max` (5, muster.toml:2)");
}

TEST(ConfigurationTest, ReadsStatesAndNamesTheLineOfAWrongOne) {
  const auto configuration = Configure(
      File("[[state]]\nname = \"gpu_free\"\ntype = \"number\"\nmax_age = \"5s\"\nminimum = 0\n"
           "[[state]]\nname = \"tier\"\ntype = \"string\"\nallowed = [\"gold\", \"tin\"]\n"));
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  const auto& states = configuration->settings.node.states;
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].name, "gpu_free");
  EXPECT_EQ(states[0].max_age, std::chrono::seconds(5));
  EXPECT_EQ(states[0].minimum, 0.0);
  EXPECT_EQ(states[1].allowed, (std::vector<std::string>{"gold", "tin"}));

  EXPECT_THAT(ProblemOf(File("[[state]]\nname = \"a\"\ntype = \"nubmer\"\n")),
              HasSubstr("muster.toml:3: `type` must be one of number, string, bool, location"));
  EXPECT_THAT(ProblemOf(File("[[state]]\nname = \"a\"\nmaxage = \"1s\"\n")),
              HasSubstr("muster.toml:3: a state has no `maxage`, did you mean `max_age`?"));
  EXPECT_THAT(ProblemOf(File("workers = 1\n[[state]]\nname = \"load\"\ntype = \"string\"\n")),
              HasSubstr("muster.toml:2: "));
}

TEST(ConfigurationTest, PrintsAFileThatGivesTheSameConfiguration) {
  ConfigurationSources sources = File(
      "listen = \"[::1]:9\"\n[http]\nbody_bytes_max = \"3MiB\"\n"
      "[[state]]\nname = \"gpu_free\"\nminimum = 0.5\nmaximum = 80\ncritical = true\n");
  sources.flags = {{"data", "/var/lib/it's \"here\"\\"}, {"scheduler.cost_weight", "0.125"}};
  const auto first = Configure(sources);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = Configure(File(ConfigurationToml(*first)));
  ASSERT_TRUE(second.ok()) << second.status();
  for (const Option& option : Options()) {
    EXPECT_EQ(TextOf(option, second->settings), TextOf(option, first->settings)) << option.key;
  }
  EXPECT_EQ(second->settings.node.states, first->settings.node.states);
}

TEST(OptionTableTest, EveryOptionHasNamesOfItsOwnADocAndADefaultInItsRange) {
  std::set<std::string> names;
  for (const Option& option : Options()) {
    EXPECT_TRUE(names.insert(std::string(option.key)).second) << option.key;
    EXPECT_TRUE(names.insert(EnvironmentName(option)).second) << option.key;
    EXPECT_TRUE(names.insert(FlagName(option)).second) << option.key;
    EXPECT_TRUE(option.doc.ends_with(".")) << option.key;
    Settings settings;
    EXPECT_TRUE(SetFromText(option, TextOf(option, settings), &settings).ok()) << option.key;
  }
}

struct Place {
  const void* operator()(std::span<double> values) const { return values.data(); }
  const void* operator()(const auto* value) const { return value; }
};

TEST(ConfigurationTest, ReadsListsOfNumbers) {
  const auto configuration = Configure(File("[scheduler.joint]\nquery_priority = [0.5, 1]\n"));
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  EXPECT_EQ(configuration->settings.node.schedule.joint.query_priority,
            (std::array<double, 2>{0.5, 1}));
  for (const char* wrong : {"[0.5]", "[1, 2, 3]", "[\"a\", 1]", "1", "[1, -1]", "[]"}) {
    EXPECT_THAT(
        ProblemOf(File(std::string("[scheduler.joint]\nquery_priority = ") + wrong)),
        HasSubstr("muster.toml:2: `scheduler.joint.query_priority` must be 2 numbers from 0 "
                  "to 1000"))
        << wrong;
  }
}

TEST(OptionTableTest, NoTwoOptionsShareAPlace) {
  Settings settings;
  std::set<const void*> places;
  for (const Option& option : Options()) {
    const void* place = std::visit(Place(), option.slot(&settings));
    EXPECT_TRUE(places.insert(place).second) << option.key;
  }
}

TEST(ConfigurationTextTest, TheDocumentationIsTheOneGenerated) {
  std::ifstream file(MUSTER_SOURCE_DIR "/docs/configuration.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), ConfigurationMarkdown())
      << "write it anew: muster config print --markdown >docs/configuration.md";
}

TEST(SuggestionTest, FindsWhatWasMeantAndNothingElse) {
  const std::vector<std::string> known = {"serve", "status", "report"};
  EXPECT_EQ(NearestName("sevre", known), "serve");
  EXPECT_EQ(NearestName("reprot", known), "report");
  EXPECT_EQ(NearestName("wombat", known), "");
  EXPECT_EQ(NearestName("", known), "");
}

}  // namespace
}  // namespace muster::app
