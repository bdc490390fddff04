// The routes: which method on which path means what, who may, and which parameters it takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/access.h"
#include "api/http.h"

namespace muster::api {

enum class Route : std::uint8_t {
  kRegister,     // PUT    /v1/agents/{id}
  kGetAgent,     // GET    /v1/agents/{id}
  kDeregister,   // DELETE /v1/agents/{id}
  kReport,       // POST   /v1/agents/{id}/reports
  kEvents,       // GET    /v1/agents/{id}/events
  kUpload,       // POST   /v1/reports
  kDiscover,     // POST   /v1/agents:discover
  kList,         // GET    /v1/agents
  kWatch,        // GET    /v1/agents:watch
  kScheduler,    // GET    /v1/scheduler
  kReconfigure,  // PATCH  /v1/scheduler
  kMetrics,      // GET    /metrics
  kLive,         // GET    /livez
  kReady,        // GET    /readyz
  kOpenApi,      // GET    /openapi.json
};
inline constexpr std::size_t kRoutes = 15;

// Requests of one connection run at once only with others of their class, and only if it says so.
enum class RunClass : std::uint8_t { kReports, kQueries, kRegistrations, kAlone };

enum class BodyKind : std::uint8_t { kNone, kJson, kNdjson };

enum class Parameter : std::uint16_t {
  kAck = 1,
  kFilter = 2,
  kOrderBy = 4,
  kPageSize = 8,
  kPageToken = 16,
  kFields = 32,
  kIncludeLapsed = 64,
};

struct RouteSpec {
  Route route;
  Method method;          // kGet answers HEAD too
  std::string_view path;  // as documented, "{id}" for the agent's id
  std::string_view name;  // of metrics and logs
  Scope scope;
  RunClass run_class;
  BodyKind body;
  std::uint16_t parameters;  // of Parameter
};

const RouteSpec& SpecOf(Route route);
// All of them, in Route's order.
const RouteSpec* AllRoutes();

struct RouteMatch {
  const RouteSpec* spec = nullptr;  // null: see `status`
  std::string_view id;              // raw, still percent-encoded
  int status = 200;                 // 404: no such path; 405: not with this method
  std::string allow;                // of 405
};
RouteMatch MatchRoute(Method method, std::string_view path);

}  // namespace muster::api
