// The scheduler's picture and options as JSON: GET and PATCH /v1/scheduler.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/time.h"
#include "schedule/options.h"
#include "schedule/scheduler.h"

namespace muster::api {

// {policy, workers, queues:{update:{...}, query:{...}}, reallocations:{count, recent:[...]},
//  options:{...}}. Instants of reallocations are given as ages.
void AppendScheduler(const schedule::Snapshot& snapshot, const schedule::Options& options,
                     base::Now now, std::string* out);
void AppendSchedulerOptions(const schedule::Options& options, std::string* out);

// Takes the members of `json` (RFC 7396 without removal) over into `options`, whose values are not
// checked here. InvalidArgument, with a JSON pointer: an unknown member, a wrong type, `workers`.
absl::Status MergeSchedulerOptions(std::string_view json, schedule::Options* options);

}  // namespace muster::api
