#include "app/data/data_files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/numbers.h"
#include "app/client/json_view.h"
#include "base/strings.h"

namespace muster::app {

namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return absl::NotFoundError(base::StrCat("`", path, "` can't be read"));
  return text.str();
}

// The next line without its end; `text` moves behind it.
std::string_view NextLine(std::string_view* text) {
  const std::size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string IdOf(std::string_view path) {
  std::string id(path.substr(path.rfind('/') + 1));
  if (id.ends_with(".json")) id.resize(id.size() - 5);
  return id;
}

// Distinct ids, whatever the files are called.
void MakeDistinct(std::vector<SampleAgent>* agents) {
  std::vector<std::string> taken;
  for (SampleAgent& agent : *agents) {
    const std::string first = agent.id;
    for (int n = 2; std::find(taken.begin(), taken.end(), agent.id) != taken.end(); ++n) {
      agent.id = base::StrCat(first, "-", n);
    }
    taken.push_back(agent.id);
  }
}

int Digits(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  const std::string_view part = text.substr(std::min(at, text.size()), count);
  std::from_chars(part.data(), part.data() + part.size(), value);
  return value;
}

// Seconds since the beginning of its month: enough for differences within one.
double SecondsOf(std::string_view timestamp) {
  double seconds = 0;
  const std::string_view fraction = timestamp.substr(std::min<std::size_t>(17, timestamp.size()));
  (void)absl::SimpleAtod(base::ToAbsl(fraction), &seconds);
  return Digits(timestamp, 8, 2) * 86400.0 + Digits(timestamp, 11, 2) * 3600.0 +
         Digits(timestamp, 14, 2) * 60.0 + seconds;
}

}  // namespace

absl::StatusOr<std::string> FindDataDirectory(const std::string& wanted) {
  std::vector<fs::path> places;
  if (!wanted.empty()) {
    places.emplace_back(wanted);
  } else {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    places = {program / "../share/muster/data", program / "../../data", program / "../data",
              fs::path("data")};
  }
  std::string tried;
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::exists(place / "agents/cards.ndjson", error)) {
      const fs::path direct = fs::canonical(place, error);
      return error ? place.string() : direct.string();
    }
    base::StrAppend(&tried, tried.empty() ? "" : ", ", place.lexically_normal().string());
  }
  return absl::NotFoundError(
      base::StrCat("the sample data (agents/cards.ndjson and the traces) is not in ", tried,
                   ". Name its directory with --data-dir DIR"));
}

absl::StatusOr<std::vector<SampleAgent>> ReadSampleAgents(const std::string& directory) {
  const auto text = ReadFile(directory + "/agents/cards.ndjson");
  if (!text.ok()) return text.status();
  std::vector<SampleAgent> agents;
  std::string_view rest = *text;
  JsonDocument document;
  while (!rest.empty()) {
    const std::string_view line = NextLine(&rest);
    if (!document.Parse(line).ok()) continue;
    const JsonView card = document.root()["card"];
    SampleAgent agent;
    agent.id = IdOf(document.root()["path"].Text());
    agent.card_json = card.Json();
    agent.name = card["name"].Text();
    card["skills"].ForEachElement([&](JsonView skill) {
      if (!skill["id"].Text().empty()) agent.skills.emplace_back(skill["id"].Text());
      skill["tags"].ForEachElement([&](JsonView tag) {
        if (!tag.Text().empty()) agent.tags.emplace_back(tag.Text());
      });
    });
    if (!agent.id.empty() && !agent.name.empty()) agents.push_back(std::move(agent));
  }
  if (agents.empty()) {
    return absl::NotFoundError(base::StrCat(directory, "/agents/cards.ndjson holds no card"));
  }
  MakeDistinct(&agents);
  return agents;
}

std::vector<std::string> SkillNames(const std::string& directory, std::size_t count) {
  std::vector<std::string> names;
  if (!directory.empty()) {
    const auto text = ReadFile(directory + "/taxonomy/oasf_skills.ndjson");
    std::string_view rest = text.ok() ? std::string_view(*text) : std::string_view();
    JsonDocument document;
    while (!rest.empty() && names.size() < count) {
      if (!document.Parse(NextLine(&rest)).ok()) continue;
      const std::string_view name = document.root()["def"]["name"].Text();
      if (!name.empty()) names.emplace_back(name);
    }
  }
  const std::size_t distinct = names.size();
  for (std::size_t i = 0; names.size() < count; ++i) {
    names.push_back(distinct == 0 ? base::StrCat("skill-", i)
                                  : base::StrCat(names[i % distinct], "-", 2 + i / distinct));
  }
  return names;
}

std::vector<double> ParseSeries(std::string_view csv) {
  std::vector<double> values;
  NextLine(&csv);
  while (!csv.empty()) {
    const std::string_view line = NextLine(&csv);
    double value = 0;
    const std::string_view last = line.substr(line.rfind(',') + 1);
    if (absl::SimpleAtod(base::ToAbsl(last), &value) && std::isfinite(value)) {
      values.push_back(value);
    }
  }
  return values;
}

std::vector<double> ParseArrivalGaps(std::string_view csv) {
  std::vector<double> gaps;
  NextLine(&csv);
  double before = -1;
  while (!csv.empty()) {
    const std::string_view line = NextLine(&csv);
    if (line.size() < 19) continue;
    const double at = SecondsOf(line.substr(0, line.find(',')));
    if (before >= 0) gaps.push_back(std::max(0.0, at - before));
    before = at;
  }
  return gaps;
}

absl::StatusOr<std::vector<double>> ReadSeries(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  std::vector<double> values = ParseSeries(*text);
  if (values.empty()) return absl::NotFoundError(base::StrCat("`", path, "` holds no number"));
  return values;
}

absl::StatusOr<std::vector<double>> ReadArrivalGaps(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  std::vector<double> gaps = ParseArrivalGaps(*text);
  if (gaps.empty()) return absl::NotFoundError(base::StrCat("`", path, "` holds no arrival"));
  return gaps;
}

}  // namespace muster::app
