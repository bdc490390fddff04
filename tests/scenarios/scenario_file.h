// A scenario as steps. The form of the files: README.md.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::scenarios {

struct Step {
  int line = 0;
  std::string verb;
  std::string id;        // of an agent; empty where the verb takes none
  std::string argument;  // JSON, or a query
  int status = 0;        // 0: no expectation
  std::optional<std::vector<std::string>> ids;
  std::string body;  // JSON; empty: not looked at
};

inline std::string Word(std::string_view* text) {
  const std::size_t begin = text->find_first_not_of(" \n");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = std::min(text->find_first_of(" \n", begin), text->size());
  std::string word(text->substr(begin, end - begin));
  *text = text->substr(end);
  return word;
}

inline void ReadExpectation(std::string_view text, Step* step) {
  const std::string first = Word(&text);
  if (first != "ids") {
    step->status = std::atoi(first.c_str());
    step->body = std::string(text);
    if (step->body.find_first_not_of(" \n") == std::string::npos) step->body.clear();
    return;
  }
  step->status = 200;
  step->ids.emplace();
  while (true) {
    std::string id = Word(&text);
    if (id.empty()) return;
    if (id.back() == ',') id.pop_back();
    if (id != "none") step->ids->push_back(id);
  }
}

inline Step ReadStep(int line, std::string_view text) {
  Step step;
  step.line = line;
  constexpr std::string_view kArrow = "\n  => ";
  const std::size_t arrow = text.find(kArrow);
  if (arrow != std::string_view::npos) {
    ReadExpectation(text.substr(arrow + kArrow.size()), &step);
    text = text.substr(0, arrow);
  }
  step.verb = Word(&text);
  if (step.verb != "discover" && step.verb != "list" && step.verb != "upload") {
    step.id = Word(&text);
  }
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin != std::string_view::npos) step.argument = std::string(text.substr(begin));
  return step;
}

inline std::vector<Step> ReadScenario(const std::string& path) {
  std::vector<Step> steps;
  std::ifstream file(path);
  std::string text;
  int began_at = 0;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(' ') == std::string::npos || line.front() == '#') continue;
    if (line.front() == ' ') {
      text.append("\n").append(line);
      continue;
    }
    if (!text.empty()) steps.push_back(ReadStep(began_at, text));
    began_at = number;
    text = line;
  }
  if (!text.empty()) steps.push_back(ReadStep(began_at, text));
  return steps;
}

}  // namespace muster::scenarios
