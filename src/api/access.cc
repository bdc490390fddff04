#include "api/access.h"

#include <fstream>
#include <sstream>

#include "api/ascii.h"
#include "base/strings.h"

namespace muster::api {
namespace {

constexpr std::size_t kTokenBytesMin = 16;
constexpr std::size_t kTokenBytesMax = 512;
constexpr std::size_t kTokensMax = 10'000;
constexpr std::size_t kFileBytesMax = 8 * 1024 * 1024;
constexpr std::uint8_t kAllScopes = 15;

// True if equal; touches every byte whatever differs.
bool EqualInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

absl::StatusOr<std::uint8_t> ParseScopes(std::string_view text) {
  std::uint8_t scopes = 0;
  for (const std::string_view name : Split(text, ",")) {
    if (name == "read") {
      scopes |= static_cast<std::uint8_t>(Scope::kRead);
    } else if (name == "report") {
      scopes |= static_cast<std::uint8_t>(Scope::kReport);
    } else if (name == "register") {
      scopes |= static_cast<std::uint8_t>(Scope::kRegister);
    } else if (name == "admin") {
      scopes = kAllScopes;
    } else {
      return base::InvalidArgument(base::StrCat("scope \"", name,
                                                "\" is not one of read, report, register, "
                                                "admin"));
    }
  }
  return scopes;
}

}  // namespace

std::string_view Name(Scope scope) {
  switch (scope) {
    case Scope::kNone:
      return "none";
    case Scope::kRead:
      return "read";
    case Scope::kReport:
      return "report";
    case Scope::kRegister:
      return "register";
    case Scope::kAdmin:
      return "admin";
  }
  return "none";
}

absl::StatusOr<TokenTable::Token> TokenTable::ParseLine(std::string_view line) {
  const std::vector<std::string_view> fields = Split(line, " \t");
  if (fields.size() != 3) {
    return base::InvalidArgument("expected `name scope[,scope] token`");
  }
  const absl::StatusOr<std::uint8_t> scopes = ParseScopes(fields[1]);
  if (!scopes.ok()) return scopes.status();
  const std::string_view secret = fields[2];
  if (secret.size() < kTokenBytesMin || secret.size() > kTokenBytesMax) {
    return base::InvalidArgument("the token must have 16 to 512 characters");
  }
  for (const char c : secret) {
    if (c <= ' ' || c > '~') {
      return base::InvalidArgument("the token holds a character that is not visible ASCII");
    }
  }
  return Token{std::string(fields[0]), *scopes, std::string(secret)};
}

absl::StatusOr<TokenTable> TokenTable::Parse(std::string_view text) {
  TokenTable table;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = Strip(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    absl::StatusOr<Token> token = ParseLine(line);
    if (!token.ok()) {
      return base::InvalidArgument(
          base::StrCat("line ", number, ": ", base::Message(token.status())));
    }
    for (const Token& other : table.tokens_) {
      if (other.name == token->name || other.secret == token->secret) {
        return base::InvalidArgument(
            base::StrCat("line ", number, ": its name or token stands on an earlier line too"));
      }
    }
    if (table.tokens_.size() == kTokensMax) {
      return base::InvalidArgument("more than 10000 tokens");
    }
    table.tokens_.push_back(*std::move(token));
  }
  if (table.tokens_.empty()) {
    return base::InvalidArgument("it holds no token, so nobody could use the node");
  }
  return table;
}

TokenTable::Verdict TokenTable::Check(std::string_view authorization, Scope needed) const {
  constexpr std::string_view kScheme = "bearer ";
  if (!StartsWithIgnoreCase(authorization, kScheme)) return Verdict::kNoToken;
  const std::string_view presented = Strip(authorization.substr(kScheme.size()));
  const Token* found = nullptr;
  for (const Token& token : tokens_) {
    if (EqualInConstantTime(token.secret, presented)) found = &token;
  }
  if (found == nullptr) return Verdict::kUnknownToken;
  const auto scope = static_cast<std::uint8_t>(needed);
  return (found->scopes & scope) == scope ? Verdict::kAllowed : Verdict::kScopeMissing;
}

absl::Status Access::Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(
        base::StrCat("The token file ", path, " can't be opened. Check its path and permissions."));
  }
  std::string text(kFileBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad() || text.size() > kFileBytesMax) {
    return base::InvalidArgument(
        base::StrCat("The token file ", path, " can't be read, or is larger than 8 MiB."));
  }
  absl::StatusOr<TokenTable> table = TokenTable::Parse(text);
  if (!table.ok()) {
    return base::InvalidArgument(
        base::StrCat("The token file ", path, " is wrong: ", base::Message(table.status()), "."));
  }
  const base::MutexLock lock(&mutex_);
  path_ = path;
  table_ = std::make_shared<const TokenTable>(*std::move(table));
  version_.fetch_add(1, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status Access::Reload() {
  std::string path;
  {
    const base::MutexLock lock(&mutex_);
    path = path_;
  }
  return path.empty() ? absl::OkStatus() : Load(path);
}

std::shared_ptr<const TokenTable> Access::table() const {
  const base::MutexLock lock(&mutex_);
  return table_;
}

TokenTable::Verdict AccessReader::Check(std::string_view authorization, Scope needed) {
  const std::uint64_t version = access_->version();
  if (version != version_) {
    table_ = access_->table();
    version_ = version;
  }
  if (table_ == nullptr || needed == Scope::kNone) return TokenTable::Verdict::kAllowed;
  return table_->Check(authorization, needed);
}

}  // namespace muster::api
