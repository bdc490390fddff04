// Who may do what: bearer tokens with scopes, from a file.
//
// One token a line: `name scope[,scope...] token`. Fields are separated by blanks; a line that is
// empty or begins with `#` is skipped. Scopes: read, report, register, admin; admin includes all.
// A token has 16..512 visible ASCII characters. Names and tokens are distinct.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/mutex.h"

namespace muster::api {

enum class Scope : std::uint8_t { kNone = 0, kRead = 1, kReport = 2, kRegister = 4, kAdmin = 8 };
std::string_view Name(Scope scope);

class TokenTable {
 public:
  // InvalidArgument names the line. No token at all is an error too: nobody could come in.
  static absl::StatusOr<TokenTable> Parse(std::string_view text);

  enum class Verdict : std::uint8_t { kAllowed, kNoToken, kUnknownToken, kScopeMissing };
  // `authorization`: the header field's value. Every token is compared with, in time that depends
  // on lengths alone.
  Verdict Check(std::string_view authorization, Scope needed) const;
  std::size_t size() const { return tokens_.size(); }

 private:
  struct Token {
    std::string name;
    std::uint8_t scopes = 0;
    std::string secret;
  };
  static absl::StatusOr<Token> ParseLine(std::string_view line);
  std::vector<Token> tokens_;
};

// The table in force. Thread-safe.
class Access {
 public:
  // Everybody may do everything, until a file is loaded.
  Access() = default;

  // Reads the token file; on an error the table in force stays.
  absl::Status Load(const std::string& path);
  // Reads the loaded file again; OK and without effect if there is none.
  absl::Status Reload();

  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  std::shared_ptr<const TokenTable> table() const;  // null: no file, everybody may

 private:
  mutable base::Mutex mutex_;
  std::string path_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const TokenTable> table_ ABSL_GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> version_{0};
};

// One thread's copy of the table, renewed when it has changed.
class AccessReader {
 public:
  explicit AccessReader(const Access* access) : access_(access), table_(access->table()) {}
  TokenTable::Verdict Check(std::string_view authorization, Scope needed);

 private:
  const Access* access_;
  std::uint64_t version_ = 0;
  std::shared_ptr<const TokenTable> table_;
};

}  // namespace muster::api
