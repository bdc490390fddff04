// Every decoder of the journal on any bytes: the first byte chooses the decoder, the second the
// length of the key. What decodes is encoded again and must decode to the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "journal/checkpoint_codec.h"
#include "journal/event_codec.h"
#include "journal/keys.h"
#include "journal/registration_codec.h"
#include "journal/report_codec.h"

namespace muster::journal {
namespace {

template <typename Record, typename Decode, typename Encode>
void Check(std::string_view key, std::string_view value, const Decode& decode,
           const Encode& encode) {
  Record record;
  if (!decode(key, value, &record).ok()) return;
  Encoder once, twice;
  encode(record, &once);
  Record again;
  MUSTER_CHECK(decode(key, once.bytes(), &again).ok(), "what was decoded encodes");
  encode(again, &twice);
  MUSTER_CHECK(once.bytes() == twice.bytes(), "decoding and encoding change nothing");
}

void CheckReports(std::string_view key, std::string_view value) {
  std::vector<model::ReportRecord> records;
  ReportReader reader(key, value);
  model::ReportRecord record;
  while (reader.Next(&record)) records.push_back(record);
  if (!reader.status().ok()) return;
  Encoder out;
  EncodeReports(records, reader.written_at(), &out);
  ReportReader again(key, out.bytes());
  std::size_t count = 0;
  while (again.Next(&record)) ++count;
  MUSTER_CHECK(again.status().ok() && count == records.size(), "what was decoded encodes");
}

void CheckPiece(std::string_view key, std::string_view value) {
  std::vector<model::AgentDynamics> agents;
  PieceReader reader(key, value);
  model::AgentDynamics agent;
  while (reader.Next(&agent)) agents.push_back(agent);
  if (!reader.status().ok()) return;
  Encoder out;
  EncodePiece(reader.piece(), agents, reader.covers(), &out);
  PieceReader again(key, out.bytes());
  std::size_t count = 0;
  while (again.Next(&agent)) ++count;
  MUSTER_CHECK(again.status().ok() && count == agents.size(), "what was decoded encodes");
}

void Run(std::uint8_t choice, std::string_view key, std::string_view value) {
  switch (choice % 8) {
    case 0:
      return Check<model::Agent>(key, value, DecodeAgent, EncodeAgent);
    case 1:
      return Check<model::Tombstone>(key, value, DecodeTombstone, EncodeTombstone);
    case 2:
      return Check<model::StateSpec>(key, value, DecodeStateSpec, EncodeStateSpec);
    case 3:
      return Check<LastWritten>(key, value, DecodeLastWritten, EncodeLastWritten);
    case 4:
      return CheckReports(key, value);
    case 5:
      return CheckPiece(key, value);
    case 6: {
      EventPage::Event event;
      (void)DecodeEvent(key, value, &event);
      return;
    }
    default:
      (void)DecodeCursor(1, value);
      (void)StateOf(key);
      return;
  }
}

}  // namespace
}  // namespace muster::journal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t key_size = data[1] % 32;
  if (key_size > bytes.size()) return 0;
  muster::journal::Run(data[0], bytes.substr(0, key_size), bytes.substr(key_size));
  return 0;
}
