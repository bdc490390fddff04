#include "api/route.h"

#include <array>

namespace muster::api {
namespace {

constexpr std::uint16_t Parameters() { return 0; }
template <typename... Rest>
constexpr std::uint16_t Parameters(Parameter first, Rest... rest) {
  return static_cast<std::uint16_t>(static_cast<std::uint16_t>(first) | Parameters(rest...));
}

constexpr std::uint16_t kListParameters =
    Parameters(Parameter::kFilter, Parameter::kOrderBy, Parameter::kPageSize, Parameter::kPageToken,
               Parameter::kFields, Parameter::kIncludeLapsed);
constexpr std::uint16_t kEventParameters = Parameters(Parameter::kPageSize, Parameter::kPageToken);
constexpr std::uint16_t kWriteParameters = Parameters(Parameter::kAck);

using R = Route;
using M = Method;
using S = Scope;
using C = RunClass;
using B = BodyKind;
constexpr std::array<RouteSpec, kRoutes> kTable = {{
    {R::kRegister, M::kPut, "/v1/agents/{id}", "register", S::kRegister, C::kRegistrations,
     B::kJson, kWriteParameters},
    {R::kGetAgent, M::kGet, "/v1/agents/{id}", "get", S::kRead, C::kQueries, B::kNone, 0},
    {R::kDeregister, M::kDelete, "/v1/agents/{id}", "deregister", S::kRegister, C::kRegistrations,
     B::kNone, kWriteParameters},
    {R::kReport, M::kPost, "/v1/agents/{id}/reports", "report", S::kReport, C::kReports, B::kJson,
     kWriteParameters},
    {R::kEvents, M::kGet, "/v1/agents/{id}/events", "events", S::kRead, C::kQueries, B::kNone,
     kEventParameters},
    {R::kUpload, M::kPost, "/v1/reports", "upload", S::kReport, C::kAlone, B::kNdjson,
     kWriteParameters},
    {R::kDiscover, M::kPost, "/v1/agents:discover", "discover", S::kRead, C::kQueries, B::kJson, 0},
    {R::kList, M::kGet, "/v1/agents", "list", S::kRead, C::kQueries, B::kNone, kListParameters},
    {R::kWatch, M::kGet, "/v1/agents:watch", "watch", S::kRead, C::kAlone, B::kNone, 0},
    {R::kScheduler, M::kGet, "/v1/scheduler", "scheduler", S::kRead, C::kAlone, B::kNone, 0},
    {R::kReconfigure, M::kPatch, "/v1/scheduler", "reconfigure", S::kAdmin, C::kAlone, B::kJson, 0},
    {R::kMetrics, M::kGet, "/metrics", "metrics", S::kRead, C::kAlone, B::kNone, 0},
    {R::kLive, M::kGet, "/livez", "livez", S::kNone, C::kAlone, B::kNone, 0},
    {R::kReady, M::kGet, "/readyz", "readyz", S::kNone, C::kAlone, B::kNone, 0},
    {R::kOpenApi, M::kGet, "/openapi.json", "openapi", S::kNone, C::kAlone, B::kNone, 0},
}};

constexpr std::string_view kAgents = "/v1/agents/";

// The documented path that `path` is an instance of, and the id in it; empty: none.
std::string_view PatternOf(std::string_view path, std::string_view* id) {
  if (path.starts_with(kAgents)) {
    const std::string_view rest = path.substr(kAgents.size());
    const std::size_t slash = rest.find('/');
    *id = rest.substr(0, slash);
    if (id->empty()) return {};
    if (slash == std::string_view::npos) return "/v1/agents/{id}";
    const std::string_view tail = rest.substr(slash);
    if (tail == "/reports") return "/v1/agents/{id}/reports";
    if (tail == "/events") return "/v1/agents/{id}/events";
    return {};
  }
  return path;
}

bool Answers(const RouteSpec& spec, Method method) {
  return spec.method == method || (spec.method == Method::kGet && method == Method::kHead);
}

}  // namespace

const RouteSpec& SpecOf(Route route) { return kTable[static_cast<std::size_t>(route)]; }
const RouteSpec* AllRoutes() { return kTable.data(); }

RouteMatch MatchRoute(Method method, std::string_view path) {
  RouteMatch match;
  const std::string_view pattern = PatternOf(path, &match.id);
  for (const RouteSpec& spec : kTable) {
    if (spec.path != pattern || pattern.empty()) continue;
    if (Answers(spec, method)) {
      match.spec = &spec;
      return match;
    }
    if (!match.allow.empty()) match.allow.append(", ");
    match.allow.append(Name(spec.method));
    if (spec.method == Method::kGet) match.allow.append(", HEAD");
  }
  match.status = match.allow.empty() ? 404 : 405;
  return match;
}

}  // namespace muster::api
