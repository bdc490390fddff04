// The rows of the table of options, a section of the file each.
#pragma once

#include <vector>

#include "app/config/option.h"

namespace muster::app {

std::vector<Option> ServeOptions();
std::vector<Option> LogOptions();
std::vector<Option> HttpOptions();
std::vector<Option> LimitOptions();
std::vector<Option> SchedulerOptions();
std::vector<Option> NodeOptions();
std::vector<Option> StoreOptions();

}  // namespace muster::app
