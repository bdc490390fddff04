// Any bytes as a filter and as an order: an answer or a refusal with a position, and never more.
//
// The first line is the filter, the second the order, the third a page token.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "directory/directory.h"
#include "model/limits.h"
#include "model/query.h"

namespace {

using muster::base::FromSeconds;
using muster::base::MonoTime;
using muster::base::WallTime;
using muster::directory::Directory;

std::string TakeLine(std::string_view* text) {
  const std::size_t end = text->find('\n');
  std::string line(text->substr(0, end));
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return line;
}

void Register(Directory* directory, const std::string& id, double load) {
  muster::model::Agent agent;
  agent.slot = *directory->ReserveSlot();
  agent.registration.id = id;
  agent.registration.card.name = "agent " + id;
  agent.registration.card.provider = "Acme";
  agent.registration.card.skills = {"translate"};
  agent.registration.labels = {{"region", "eu"}};
  const auto slot = agent.slot;
  directory->Put(std::move(agent), WallTime{}, MonoTime{});
  const auto state = *directory->catalog().Find("load");
  directory->Install(slot, state, muster::directory::Pack(load), WallTime{});
}

const Directory& SampleDirectory() {
  static const Directory* const directory = [] {
    auto* made = new Directory(muster::model::Limits());
    Register(made, "a", 0.25);
    Register(made, "b", 0.75);
    return made;
  }();
  return *directory;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  muster::model::Query query;
  query.filter = TakeLine(&text);
  query.order_by = TakeLine(&text);
  const std::string cursor = TakeLine(&text);
  const Directory& directory = SampleDirectory();
  const auto plan = directory.Compile(query);
  if (!plan.ok()) {
    MUSTER_CHECK(absl::IsInvalidArgument(plan.status()), "a bad query is the client's mistake");
    MUSTER_CHECK(muster::base::Message(plan.status()).ends_with("]"), "a refusal names its field");
    return 0;
  }
  muster::directory::QueryResult all;
  directory.Execute(*plan, {}, &all);
  MUSTER_CHECK(all.rows.size() <= directory.size(), "no agent is found twice");
  muster::directory::QueryResult page;
  std::string next;
  const absl::Status status = directory.ExecutePage(*plan, {}, cursor, &page, &next);
  MUSTER_CHECK(status.ok() || absl::IsInvalidArgument(status),
               "a bad token is the client's mistake");
  if (status.ok()) MUSTER_CHECK(page.rows.size() <= all.rows.size(), "a page is part of all");
  return 0;
}
